// A line for each option of each command, which holds once the command is there.
#include <llvm/ADT/StringExtras.h>

#include "driver/commands/shell/completion.h"

namespace sinter {
namespace {

// In single quotes, as fish has them.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

std::string value_flags(const OutlineOption& option) {
  switch (option.kind) {
    case ValueKind::kFile:
      return " -F";
    case ValueKind::kFolder:
      return " -f -a '(__fish_complete_directories)'";
    case ValueKind::kChoice: {
      const std::string words = llvm::join(option.choices, " ");
      if (!option.is_list) return " -f -a " + quoted(words);
      return " -f -a " + quoted("(__fish_complete_list , 'string split \" \" \"" + words + "\"')");
    }
    case ValueKind::kNothing:
    case ValueKind::kOther:
      break;
  }
  return " -f";
}

std::string option_line(const OutlineOption& option, const std::string& condition) {
  std::string text = "complete -c sinter" + condition;
  for (const std::string& name : option.names) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.value.empty()) text += " -r" + value_flags(option);
  return text + " -d " + quoted(option.description) + "\n";
}

}  // namespace

std::string fish_completion(const Outline& outline) {
  std::string text =
      "# Completes the command line of sinter in fish. Written by `sinter completion fish`.\n"
      "complete -c sinter -f\n";
  for (const OutlineOption& option : outline.program.options) text += option_line(option, " -n __fish_use_subcommand");
  for (const OutlineCommand& command : outline.commands) {
    text +=
        "complete -c sinter -n __fish_use_subcommand -a " + command.name + " -d " + quoted(command.description) + "\n";
  }
  for (const OutlineCommand& command : outline.commands) {
    const std::string condition = " -n '__fish_seen_subcommand_from " + command.name + "'";
    for (const OutlineOption& argument : command.arguments) {
      text += "complete -c sinter" + condition + value_flags(argument) + "\n";
    }
    for (const OutlineOption& option : command.options) text += option_line(option, condition);
  }
  return text;
}

}  // namespace sinter
