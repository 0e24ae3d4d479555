// How `--help` looks: CLI11's, with one empty line between groups of options, and without what says nothing.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace sinter {

class HelpFormat : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
};

// One more example of a call, at the end of the command's help.
void add_example(CLI::App& command, const std::string& line);

}  // namespace sinter
