// Whether what is printed is coloured: as `--color` of every command says, else on terminals, where NO_COLOR
// (no-color.org) does not forbid it.
#pragma once

namespace CLI {
class App;
}  // namespace CLI

namespace sinter {

void add_colour_option(CLI::App& command);

// Of what is written to a file descriptor, once the command line is read.
bool is_coloured(int file);

}  // namespace sinter
