// sinter check: is an output folder as sinter wrote it?
#include <CLI/CLI.hpp>
#include <iostream>

#include "driver/commands/command.h"
#include "driver/system/files.h"

namespace sinter {
namespace {

int run(const std::string& folder) {
  const std::optional<std::vector<std::string>> changed = changed_files(folder);
  if (!changed) return fail(folder + " is no folder that sinter compile wrote: it has no manifest.json");
  for (const std::string& file : *changed) std::cout << file << "\n";
  return changed->empty() ? kOk : kInputWrong;
}

}  // namespace

void add_check_command(CLI::App& app, int& status) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("check", "list the files of an output folder that were edited by hand");
  command->add_option("DIR", *folder, "a folder that sinter compile wrote")->required();
  command->callback([folder, &status] { status = run(*folder); });
}

}  // namespace sinter
