// sinter lsp: the language server of editors.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "driver/commands/command.h"
#include "driver/lsp/server.h"

namespace sinter {

void add_lsp_command(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("lsp", "a language server for Grain, on standard input and output");
  command->add_flag_callback("--stdio", [] {}, "standard input and output, which it always uses");
  command->callback([&status] { status = serve(STDIN_FILENO, std::cout) ? kOk : kInputWrong; });
}

}  // namespace sinter
