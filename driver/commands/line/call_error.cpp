#include "driver/commands/line/call_error.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "ir/support/nearest_word.h"

namespace sinter {
namespace {

std::string commands_of(const CLI::App& app) {
  std::string text;
  for (const CLI::App* command : app.get_subcommands({})) text += (text.empty() ? "" : ", ") + command->get_name();
  return text;
}

// "--plan", "-o", ...: every way to write an option of the command.
std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::string nearest = nearest_word(word, {known.begin(), known.end()});
  return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

std::string see_help(const CLI::App& command) {
  return (command.get_parent() ? " (`sinter " : " (`") + command.get_name() + " --help` lists its options)";
}

// A word that a command did not expect.
std::string unexpected(const CLI::App& command, const std::string& word) {
  if (word.ends_with(".safetensors") || word.ends_with(".npy")) {
    const std::vector<std::string> known = options_of(command);
    if (std::find(known.begin(), known.end(), "--inputs") != known.end()) {
      return "'" + word + "' is one argument too many for " + command.get_name() + "; did you mean --inputs " + word +
             "?";
    }
  }
  if (word.size() < 2 || word[0] != '-') {
    return "'" + word + "' is one argument too many for " + command.get_name() + see_help(command);
  }
  const std::string name = word.substr(0, word.find('='));
  const std::string meant = suggestion(name, options_of(command));
  return command.get_name() + " has no option " + name + (meant.empty() ? see_help(command) : meant);
}

}  // namespace

std::string call_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  // The first word that is not understood; an option before a word that may be its argument.
  std::vector<std::string> words = chosen.empty() ? app.remaining() : chosen[0]->remaining();
  std::stable_partition(words.begin(), words.end(), [](const std::string& word) { return word.starts_with('-'); });
  if (!chosen.empty()) {
    const CLI::App& command = *chosen[0];
    return words.empty() ? command.get_name() + ": " + error.what() + see_help(command) : unexpected(command, words[0]);
  }
  if (words.empty()) return "a command is needed: " + commands_of(app) + " (`sinter --help` says more)";
  if (words[0].starts_with('-')) return unexpected(app, words[0]);
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  const std::string meant = suggestion(words[0], commands);
  return "no command is called " + words[0] + (meant.empty() ? ": there are " + commands_of(app) : meant);
}

}  // namespace sinter
