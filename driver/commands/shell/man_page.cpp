// An option that several commands have is described once, behind the commands.
#include "driver/commands/shell/man_page.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <sstream>

namespace sinter {
namespace {

struct EnvironmentVariable {
  const char *name, *what;
};

// Whatever of the environment sinter asks for.
constexpr EnvironmentVariable kEnvironment[] = {
    {"CXX", "The C++ compiler that builds emitted code for the CPU; c++ if not set."},
    {"CXXFLAGS", "More of its options, -fsanitize=address for example."},
    {"CUDACXX", "The nvcc that builds emitted code for the GPU; the one on PATH if not set."},
    {"XDG_CACHE_HOME",
     "Where the folder sinter of built code is; a folder of the user's among temporary files if not set."},
    {"NO_COLOR", "If set to anything, nothing is coloured but where --color asks for it."},
};

// Text as roff prints it: no escape, no request, and hyphens that are found as they were typed.
std::string escaped(const std::string& text) {
  std::string result;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    begins = c == '\n';
  }
  return result;
}

std::string section(const std::string& title) { return ".SH " + llvm::StringRef(title).upper() + "\n"; }
std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + escaped(text) + "\\fR"; }

// "-o, --output DIR".
std::string spelling(const OutlineOption& option) {
  std::string text;
  for (const std::string& name : option.names) text += (text.empty() ? "" : ", ") + bold(name);
  return option.value.empty() ? text : text + " " + italic(option.value);
}

// "--output": the first that is a word.
std::string main_name(const OutlineOption& option) {
  const auto word = std::find_if(option.names.begin(), option.names.end(),
                                 [](const std::string& name) { return name.starts_with("--"); });
  return word == option.names.end() ? option.names[0] : *word;
}

std::string option_entry(const OutlineOption& option) {
  std::string text = ".TP\n" + spelling(option) + "\n" + escaped(option.description);
  if (option.kind == ValueKind::kChoice && !option.is_list) text += ": " + escaped(llvm::join(option.choices, ", "));
  if (!option.value_or.empty()) text += " (" + escaped(option.value_or) + " if not given)";
  return text + "\n";
}

std::string argument_entry(const OutlineOption& argument) {
  return ".TP\n" + italic(argument.names[0]) + "\n" + escaped(argument.description) + "\n";
}

// "Example:\n  sinter ...": lines that are as they are.
std::string as_typed(const std::string& lines) { return ".PP\n.nf\n" + escaped(lines) + "\n.fi\n"; }

struct Common {
  OutlineOption option;
  std::vector<std::string> commands;
};

// The options that more than one command has in the same words, in the order in which they come.
std::vector<Common> common_options(const Outline& outline) {
  std::vector<Common> all;
  for (const OutlineCommand& command : outline.commands) {
    for (const OutlineOption& option : command.options) {
      const auto same = std::find_if(all.begin(), all.end(), [&](const Common& one) { return one.option == option; });
      if (same == all.end()) {
        all.push_back({option, {command.name}});
      } else {
        same->commands.push_back(command.name);
      }
    }
  }
  std::erase_if(all, [](const Common& one) { return one.commands.size() == 1; });
  return all;
}

std::string command_section(const OutlineCommand& command, const std::vector<Common>& common) {
  std::string usage = "sinter " + command.name, text;
  for (const OutlineOption& argument : command.arguments) {
    const std::string name = argument.names[0] + (argument.repeats ? "..." : "");
    usage += argument.is_required ? " " + name : " [" + name + "]";
  }
  text += ".SS \"" + escaped(usage) + "\"\n" + escaped(command.description) + "\n";
  for (const OutlineOption& argument : command.arguments) text += argument_entry(argument);
  std::vector<std::string> elsewhere;
  for (const OutlineOption& option : command.options) {
    if (std::any_of(common.begin(), common.end(), [&](const Common& one) { return one.option == option; })) {
      elsewhere.push_back(bold(main_name(option)));
    } else {
      text += option_entry(option);
    }
  }
  if (!elsewhere.empty()) text += ".PP\nCommon options: " + llvm::join(elsewhere, ", ") + "\n";
  return command.footer.empty() ? text : text + as_typed(command.footer);
}

std::string common_section(const Outline& outline, const std::vector<Common>& common) {
  std::string text = section("Common options");
  std::vector<std::string> groups;
  for (const Common& one : common) {
    if (std::find(groups.begin(), groups.end(), one.option.group) == groups.end()) groups.push_back(one.option.group);
  }
  for (const std::string& group : groups) {
    text += ".SS \"" + escaped(group) + "\"\n";
    for (const Common& one : common) {
      if (one.option.group != group) continue;
      text += option_entry(one.option);
      if (one.commands.size() < outline.commands.size()) {
        text += ".br\nOf " + escaped(llvm::join(one.commands, ", ")) + ".\n";
      }
    }
  }
  return text;
}

}  // namespace

std::string man_page(const Outline& outline, std::string_view version) {
  const std::string name = outline.program.name;
  const std::vector<Common> common = common_options(outline);
  std::string text = ".\\\" Written by `sinter man`.\n.TH SINTER 1 \"\" \"" + name + " " + std::string(version) +
                     "\" \"User Commands\"\n" + section("Name") + name +
                     " \\- ahead\\-of\\-time compiler from HLO text to readable CUDA C++\n" + section("Synopsis") +
                     bold(name) + " " + italic("COMMAND") + " [" + italic("ARGUMENTS") + "] [" + italic("OPTIONS") +
                     "]\n" + section("Description") + escaped(outline.program.description) + "\n";
  text += section("Options");
  for (const OutlineOption& option : outline.program.options) text += option_entry(option);
  text += section("Commands");
  for (const OutlineCommand& command : outline.commands) text += command_section(command, common);
  text += common_section(outline, common);
  const std::string& footer = outline.program.footer;  // "Exit status:", and a line for each
  text += section(footer.substr(0, footer.find(':'))) + as_typed(footer.substr(footer.find('\n') + 1));
  text += section("Environment");
  for (const EnvironmentVariable& variable : kEnvironment) {
    text += ".TP\n" + bold(variable.name) + "\n" + escaped(variable.what) + "\n";
  }
  return text;
}

}  // namespace sinter
