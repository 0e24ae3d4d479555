// sinter man: the manual page, to be formatted by man or groff.
#include <CLI/CLI.hpp>
#include <iostream>

#include "driver/commands/command.h"
#include "driver/commands/line/help_format.h"
#include "driver/commands/shell/man_page.h"
#include "emitter/text/version.h"

namespace sinter {

void add_man_command(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("man", "the manual page of these commands, in roff");
  add_example(*command, "sinter man | man -l -");
  command->callback([&app, &status] {
    std::cout << man_page(outline_of(app), kCompilerVersion);
    status = kOk;
  });
}

}  // namespace sinter
