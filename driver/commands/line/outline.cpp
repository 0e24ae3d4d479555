#include "driver/commands/line/outline.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "driver/commands/line/choices.h"

namespace sinter {
namespace {

// The names of values in the help say what they are.
ValueKind kind_of(const std::string& value, const std::vector<std::string>& choices) {
  constexpr std::string_view kFiles[] = {"FILE", "PROGRAM", "SIDE"};
  if (value.empty()) return ValueKind::kNothing;
  if (!choices.empty()) return ValueKind::kChoice;
  if (value == "DIR") return ValueKind::kFolder;
  return std::find(std::begin(kFiles), std::end(kFiles), value) != std::end(kFiles) ? ValueKind::kFile
                                                                                    : ValueKind::kOther;
}

OutlineOption option_of(CLI::Option& option) {
  OutlineOption result;
  if (option.get_positional()) {
    result.names = {option.get_name(true, false)};
  } else {
    for (const std::string& name : option.get_snames()) result.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) result.names.push_back("--" + name);
  }
  result.choices = choices_of(option);
  // "VALUES:{random,zeros}": what the validators say stands behind the name.
  const std::string type = option.get_type_name();
  if (option.get_type_size() != 0) result.value = type.substr(0, type.find_first_of(": ["));
  if (option.get_positional() && (result.value.empty() || result.value == "TEXT")) result.value = result.names[0];
  result.value_or = option.get_default_str();
  result.kind = kind_of(result.value, result.choices);
  result.is_list = option.get_delimiter() != '\0' || result.value == "LIST";
  result.repeats = option.get_expected_max() == CLI::detail::expected_max_vector_size;
  result.is_required = option.get_required();
  result.group = option.get_group();
  result.description = option.get_description();
  return result;
}

OutlineCommand command_of(CLI::App& app) {
  OutlineCommand command = {.name = app.get_name(),
                            .description = app.get_description(),
                            .arguments = {},
                            .options = {},
                            .footer = app.get_footer()};
  for (CLI::Option* option : app.get_options([](CLI::Option*) { return true; })) {
    (option->get_positional() ? command.arguments : command.options).push_back(option_of(*option));
  }
  return command;
}

}  // namespace

Outline outline_of(CLI::App& app) {
  Outline outline = {.program = command_of(app), .commands = {}};
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    outline.commands.push_back(command_of(*command));
  }
  return outline;
}

}  // namespace sinter
