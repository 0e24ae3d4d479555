#include "driver/commands/line/colour.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "driver/commands/line/choices.h"

namespace sinter {
namespace {

// One for all commands: a call has one of them.
std::string asked = "auto";

}  // namespace

void add_colour_option(CLI::App& command) {
  takes_one_of(command.add_option("--color,--colour", asked, "colours in what is printed: on terminals, if not given"),
               {"auto", "always", "never"})
      ->type_name("WHEN");
}

bool is_coloured(int file) {
  if (asked != "auto") return asked == "always";
  const char* forbidden = std::getenv("NO_COLOR");
  return isatty(file) == 1 && (forbidden == nullptr || *forbidden == '\0');
}

}  // namespace sinter
