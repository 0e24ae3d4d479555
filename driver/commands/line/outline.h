// What the command line offers, read from the CLI11 object that declares it: the one source of completion scripts and
// of the manual page, so that a new option needs no second place.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace sinter {

// What stands behind an option, or as an argument, as far as a shell can help with it.
enum class ValueKind { kNothing, kFile, kFolder, kChoice, kOther };

struct OutlineOption {
  std::vector<std::string> names;  // "-o", "--output"; of an argument, "FILE"
  std::string value;               // "DIR", "N"; empty for a flag
  std::string value_or;            // what it is if not given, where the help says so
  ValueKind kind = ValueKind::kNothing;
  std::vector<std::string> choices;
  bool is_list = false;  // its words stand behind one another with commas between
  bool repeats = false;
  bool is_required = false;
  std::string group, description;

  bool operator==(const OutlineOption&) const = default;
};

struct OutlineCommand {
  std::string name, description;
  std::vector<OutlineOption> arguments, options;
  std::string footer;  // examples
};

struct Outline {
  OutlineCommand program;  // its options are those before a command
  std::vector<OutlineCommand> commands;
};

Outline outline_of(CLI::App& app);

}  // namespace sinter
