// A function with a case for each command, in which each option that takes a value says what is completed behind it.
#include <llvm/ADT/StringExtras.h>

#include <map>

#include "driver/commands/shell/completion.h"

namespace sinter {
namespace {

constexpr const char* kBegin = R"(# Completes the command line of sinter in bash. Written by `sinter completion bash`.
_sinter() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command= kind=nothing words= options= before= i
  # --option=value is three words.
  if [[ $word == "=" ]]; then
    word=
  elif [[ $previous == "=" ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then
      command=${COMP_WORDS[i]}
      break
    fi
  done
  case $command in
)";

constexpr const char* kEnd = R"(  esac
  if [[ $word == -* && -n $options ]]; then kind=words words=$options; fi
  COMPREPLY=()
  case $kind in
    files | folders)
      compopt -o filenames 2>/dev/null  # fails where no completion is going on
      if [[ $kind == files ]]; then i=-f; else i=-d; fi
      mapfile -t COMPREPLY < <(compgen $i -- "$word")
      ;;
    words) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word") ;;
    list)
      if [[ $word == *,* ]]; then before=${word%,*},; fi
      mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "${word##*,}")
      ;;
  esac
}
complete -F _sinter sinter
)";

// "kind=words words='random zeros'": assignments of the script.
std::string completed(const OutlineOption& option) {
  switch (option.kind) {
    case ValueKind::kFile:
      return "kind=files";
    case ValueKind::kFolder:
      return "kind=folders";
    case ValueKind::kChoice:
      return std::string(option.is_list ? "kind=list" : "kind=words") + " words='" + llvm::join(option.choices, " ") +
             "'";
    case ValueKind::kNothing:
    case ValueKind::kOther:
      break;
  }
  return "kind=nothing";
}

// Of several arguments, all that one of them may be; which of them it is takes a parser to know.
std::string completed(const std::vector<OutlineOption>& arguments) {
  std::string best = "kind=nothing";
  for (const OutlineOption& argument : arguments) {
    if (argument.kind == ValueKind::kFile) return completed(argument);  // folders among them
    if (best == "kind=nothing") best = completed(argument);
  }
  return best;
}

std::string command_case(const OutlineCommand& command) {
  std::map<std::string, std::vector<std::string>> behind;  // what is completed, and the options behind which it is
  std::vector<std::string> names;
  for (const OutlineOption& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (option.value.empty()) continue;
    std::vector<std::string>& options = behind[completed(option)];
    options.insert(options.end(), option.names.begin(), option.names.end());
  }
  std::string text = "    " + command.name + ")\n      case $previous in\n";
  for (const auto& [what, options] : behind) text += "        " + llvm::join(options, " | ") + ") " + what + " ;;\n";
  text += "        *) " + completed(command.arguments) + " options='" + llvm::join(names, " ") + "' ;;\n";
  return text + "      esac\n      ;;\n";
}

}  // namespace

std::string bash_completion(const Outline& outline) {
  std::string text = kBegin;
  std::vector<std::string> commands, options;
  for (const OutlineCommand& command : outline.commands) {
    text += command_case(command);
    commands.push_back(command.name);
  }
  for (const OutlineOption& option : outline.program.options) {
    options.insert(options.end(), option.names.begin(), option.names.end());
  }
  return text + "    '') kind=words words='" + llvm::join(commands, " ") + "' options='" + llvm::join(options, " ") +
         "' ;;\n" + kEnd;
}

}  // namespace sinter
