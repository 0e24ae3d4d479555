// sinter check: is an output folder as sinter wrote it?
#include <CLI/CLI.hpp>
#include <iostream>

#include "driver/commands/command.h"
#include "driver/system/files.h"
#include "driver/system/python_sources.h"
#include "driver/system/sha256.h"

namespace sinter {
namespace {

// The Python files that values were named after and that are not those in `sources`, "model.py (changed)".
std::vector<std::string> changed_sources(const std::string& folder, const std::string& sources) {
  std::string error;
  const std::string manifest = read_file(folder + "/manifest.json", error).value_or("");
  const std::string option = " --sources=", hash = ":sha256:";
  std::vector<std::string> names, hashes;
  for (size_t at = manifest.find(option); at != std::string::npos; at = manifest.find(option, at + 1)) {
    const size_t begin = at + option.size(), end = manifest.find(hash, begin);
    if (end == std::string::npos) break;
    names.push_back(manifest.substr(begin, end - begin));
    hashes.push_back(manifest.substr(end + hash.size(), 64));
  }
  const std::vector<Source> found = sources_in(sources)(names);
  std::vector<std::string> changed;
  for (size_t i = 0; i < names.size(); ++i) {
    if (found[i].name.empty()) {
      changed.push_back(names[i] + " (gone)");
    } else if (sha256_hex(found[i].text) != hashes[i]) {
      changed.push_back(names[i] + " (changed)");
    }
  }
  return changed;
}

int run(const std::string& folder, const std::string& sources) {
  std::optional<std::vector<std::string>> changed = changed_files(folder);
  if (!changed) return fail(folder + " is no folder that sinter compile wrote: it has no manifest.json");
  if (!sources.empty()) {
    if (!is_folder(sources)) return fail("--sources takes a folder of Python files, not " + sources);
    for (std::string& file : changed_sources(folder, sources)) changed->push_back(std::move(file));
  }
  for (const std::string& file : *changed) std::cout << file << "\n";
  return changed->empty() ? kOk : kInputWrong;
}

}  // namespace

void add_check_command(CLI::App& app, int& status) {
  auto folder = std::make_shared<std::string>(), sources = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("check", "list the files of an output folder that were edited by hand");
  command->add_option("DIR", *folder, "a folder that sinter compile wrote")->required();
  command->add_option("--sources", *sources, "folder of Python files: list those that have changed since, too")
      ->type_name("DIR");
  command->callback([folder, sources, &status] { status = run(*folder, *sources); });
}

}  // namespace sinter
