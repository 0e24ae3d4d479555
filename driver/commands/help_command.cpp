// sinter help WORD: what an error code or a reason code means, what a move of the scheduler does, or the options of a
// command. sinter help: the commands.
#include <CLI/CLI.hpp>
#include <cctype>
#include <iostream>

#include "driver/commands/command.h"
#include "driver/commands/line/choices.h"
#include "driver/commands/line/help_format.h"
#include "ir/support/nearest_word.h"
#include "passes/reasons/reasons.h"
#include "passes/schedule/tree/moves.h"

namespace sinter {
namespace {

std::string changed_case(std::string word, int (*change)(int)) {
  for (char& c : word) c = static_cast<char>(change(static_cast<unsigned char>(c)));
  return word;
}

// All that is explained, but for the codes of errors.
std::vector<std::string> words(const CLI::App& app) {
  std::vector<std::string> known;
  for (const Reason& reason : kReasons) known.emplace_back(reason.code);
  for (const MoveName& move : kMoveNames) known.emplace_back(move.name);
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  return known;
}

int unknown(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> known = words(app);
  const std::string nearest = nearest_word(changed_case(word, std::tolower), {known.begin(), known.end()});
  return fail("no error, warning, reason, move or command is called " + word +
              (nearest.empty() ? "; errors are called E0231, docs/reasons.md lists the reasons"
                               : "; did you mean " + nearest + "?"));
}

int run(const CLI::App& app, const std::string& word) {
  if (word.empty()) {
    std::cout << app.help();
    return kOk;
  }
  const std::string_view explanation = explain_code(changed_case(word, std::toupper));
  if (!explanation.empty()) {
    std::cout << explanation << (explanation.back() == '\n' ? "" : "\n");
    return kOk;
  }
  const std::string lower = changed_case(word, std::tolower);
  if (const Reason* reason = find_reason(lower)) {
    std::cout << reason->code << ": " << reason->what << "\n\nWhat may help: " << reason->help << "\n";
    return kOk;
  }
  for (const MoveName& move : kMoveNames) {
    if (move.name != lower) continue;
    std::cout << move.name << ": " << move.what << "\n\nLeft out: --without " << move.name << "\n";
    return kOk;
  }
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() != lower) continue;
    std::cout << command->help(app.get_name());
    return kOk;
  }
  return unknown(app, word);
}

}  // namespace

void add_help_command(CLI::App& app, int& status) {
  auto word = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("help", "what an error code or a reason of `explain` means");
  offers(command->add_option("CODE", *word, "E0231, domain-mismatch, dissolve, ..., or a command"), words(app));
  add_example(*command, "sinter help E0231");
  command->callback([word, &app, &status] { status = run(app, *word); });
}

}  // namespace sinter
