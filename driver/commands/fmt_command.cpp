// sinter fmt: Grain files in one layout.
#include <CLI/CLI.hpp>
#include <iostream>

#include "driver/commands/command.h"
#include "driver/commands/line/help_format.h"
#include "driver/system/files.h"
#include "frontend/grain/text/format.h"

namespace sinter {
namespace {

struct FmtCommand {
  std::vector<std::string> files;
  bool check = false;
};

int format_file(const std::string& path, bool check) {
  Source source;
  if (!read_source(path, source)) return kCallWrong;
  Diagnostics diagnostics(source);
  const std::optional<std::string> text = format_grain(diagnostics);
  print_diagnostics(diagnostics);
  if (!text) return kInputWrong;
  if (path == "-" && !check) {
    std::cout << *text;
    return kOk;
  }
  if (*text == source.text) return kOk;
  if (check) {
    std::cout << path << " is not formatted\n";
    return kInputWrong;
  }
  std::string error;
  return write_file(path, *text, error) ? kOk : fail(error);
}

int run(const FmtCommand& options) {
  int status = kOk;
  for (const std::string& path : options.files) status = std::max(status, format_file(path, options.check));
  return status;
}

}  // namespace

void add_fmt_command(CLI::App& app, int& status) {
  auto options = std::make_shared<FmtCommand>();
  CLI::App* command = app.add_subcommand("fmt", "write Grain files in one layout");
  command->add_option("FILE", options->files, "Grain files; - is standard input, printed")->required();
  command->add_flag("--check", options->check, "change nothing; exit status 1 if a file is not formatted");
  add_example(*command, "sinter fmt --check cartpole.grain");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace sinter
