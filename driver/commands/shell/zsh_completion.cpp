// A function of zsh's _arguments: a specification for each option and argument of each command.
#include <llvm/ADT/StringExtras.h>

#include "driver/commands/shell/completion.h"

namespace sinter {
namespace {

// Within one pair of single quotes, with a backslash before what has a meaning in a specification.
std::string escaped(const std::string& text, const std::string& special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string::npos) result += '\\';
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return result;
}

std::string action(const OutlineOption& option) {
  switch (option.kind) {
    case ValueKind::kFile:
      return "_files";
    case ValueKind::kFolder:
      return "_files -/";
    case ValueKind::kChoice:
      if (option.is_list) return "_values -s , " + option.value + " " + llvm::join(option.choices, " ");
      return "(" + llvm::join(option.choices, " ") + ")";
    case ValueKind::kNothing:
    case ValueKind::kOther:
      break;
  }
  return " ";  // a value, which nobody completes
}

// '(-o --output)'{-o,--output=}'[folder to write]:DIR:_files -/'
std::string option_specification(const OutlineOption& option) {
  std::vector<std::string> names = option.names;
  if (!option.value.empty()) {
    for (std::string& name : names) name += name.starts_with("--") ? "=" : "+";
  }
  std::string text = option.repeats ? "'*'" : "'(" + llvm::join(option.names, " ") + ")'";
  text += names.size() == 1 ? names[0] : "{" + llvm::join(names, ",") + "}";
  text += "'[" + escaped(option.description, "[]:\\") + "]";
  if (!option.value.empty()) text += ":" + escaped(option.value, ":\\") + ":" + action(option);
  return text + "'";
}

std::string argument_specification(const OutlineOption& argument, size_t number) {
  const std::string place = argument.repeats ? "*" : std::to_string(number);
  const std::string name = escaped(argument.names[0], ":\\");
  return "'" + place + (argument.is_required || argument.repeats ? ":" : "::") + name + ":" + action(argument) + "'";
}

std::string arguments_call(const OutlineCommand& command) {
  std::string text = "_arguments -s";
  for (const OutlineOption& option : command.options) text += " \\\n          " + option_specification(option);
  for (size_t i = 0; i < command.arguments.size(); ++i) {
    text += " \\\n          " + argument_specification(command.arguments[i], i + 1);
  }
  return text;
}

}  // namespace

std::string zsh_completion(const Outline& outline) {
  std::string text =
      "#compdef sinter\n"
      "# Completes the command line of sinter in zsh. Written by `sinter completion zsh`.\n"
      "_sinter() {\n"
      "  local curcontext=$curcontext context state state_descr line\n"
      "  typeset -A opt_args\n"
      "  _arguments -C";
  for (const OutlineOption& option : outline.program.options) text += " \\\n    " + option_specification(option);
  text +=
      " \\\n    '1:command:->command' '*::argument:->argument'\n"
      "  case $state in\n"
      "    command)\n"
      "      local -a commands=(\n";
  for (const OutlineCommand& command : outline.commands) {
    text += "        '" + command.name + ":" + escaped(command.description, "\\") + "'\n";
  }
  text +=
      "      )\n"
      "      _describe command commands\n"
      "      ;;\n"
      "    argument)\n"
      "      case $words[1] in\n";
  for (const OutlineCommand& command : outline.commands) {
    text += "        " + command.name + ")\n          " + arguments_call(command) + "\n          ;;\n";
  }
  return text +
         "      esac\n"
         "      ;;\n"
         "  esac\n"
         "}\n"
         // As a file of $fpath it is the function's body; where it is sourced, it is not.
         "if [[ $funcstack[1] == _sinter ]]; then _sinter \"$@\"; else compdef _sinter sinter; fi\n";
}

}  // namespace sinter
