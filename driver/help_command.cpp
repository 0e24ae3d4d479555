// sinter help CODE: what an error or warning means. sinter help: the list of commands.
#include <CLI/CLI.hpp>
#include <cctype>
#include <iostream>

#include "driver/command.h"

namespace sinter {
namespace {

int run(const CLI::App& app, std::string code) {
  if (code.empty()) {
    std::cout << app.help();
    return kOk;
  }
  for (char& c : code) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const std::string_view explanation = explain_code(code);
  if (explanation.empty()) return fail("no error or warning has the code " + code);
  std::cout << explanation << (explanation.back() == '\n' ? "" : "\n");
  return kOk;
}

}  // namespace

void add_help_command(CLI::App& app, int& status) {
  auto code = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("help", "what an error code means: sinter help E0231");
  command->add_option("CODE", *code, "the code in error[...] or warning[...]");
  command->callback([code, &app, &status] { status = run(app, *code); });
}

}  // namespace sinter
