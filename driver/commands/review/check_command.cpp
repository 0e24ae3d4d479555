// sinter check: is an output folder as sinter wrote it?
#include <CLI/CLI.hpp>
#include <iostream>

#include "driver/commands/command.h"
#include "driver/system/files.h"
#include "driver/system/python_sources.h"
#include "emitter/text/version.h"
#include "ir/support/sha256.h"
#include "review/modules/recorded_module.h"

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

// What a folder is, the first that holds.
enum CheckStatus {
  kEdited = kInputWrong,  // by hand, or by whom it was: kept files are no matter
  kIncomplete = 4,        // files are missing
  kStale = 5,             // the model has changed since
  kOtherVersion = 6,      // of sinter
};

struct Options {
  std::string folder, sources, input;
};

int run(const Options& options) {
  const std::optional<std::vector<std::string>> changed = changed_files(options.folder);
  if (!changed) return fail(options.folder + " is no folder that sinter compile wrote: it has no manifest.json");
  bool incomplete = false, edited = false, stale = false;
  for (const std::string& file : *changed) {
    incomplete = incomplete || file.ends_with(" (missing)");
    edited = edited || file.ends_with(" (changed)") || file.ends_with(" (added)");
    std::cout << file << "\n";
  }
  if (!options.sources.empty()) {
    if (!is_folder(options.sources)) return fail("--sources takes a folder of Python files, not " + options.sources);
    for (const std::string& file : changed_sources(options.folder, options.sources)) {
      stale = true;
      std::cout << file << "\n";
    }
  }
  std::string error;
  const std::string manifest = read_file(options.folder + "/manifest.json", error).value_or("");
  if (!options.input.empty()) {
    const std::optional<std::string> text = read_file(options.input, error);
    if (!text) return fail(error);
    if (manifest.find("\"input_sha256\": \"" + sha256_hex(*text) + "\"") == std::string::npos) {
      stale = true;
      std::cout << options.input << " (changed)\n";
    }
  }
  const std::string generator = generator_of({{"manifest.json", manifest}}),
                    now = "sinter " + std::string(kCompilerVersion);
  if (generator != now) std::cout << "written by " << generator << ", this is " << now << "\n";
  if (incomplete) return kIncomplete;
  if (edited) return kEdited;
  if (stale) return kStale;
  return generator == now ? static_cast<int>(kOk) : kOtherVersion;
}

}  // namespace

void add_check_command(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check",
                                         "is an output folder as it was written: exit 4 where files are missing, 1 "
                                         "edited by hand, 5 stale, 6 of another version");
  command->add_option("DIR", options->folder, "a folder that sinter compile wrote")->required();
  command->add_option("--sources", options->sources, "folder of Python files: list those that have changed since, too")
      ->type_name("DIR");
  command->add_option("--input", options->input, "HLO text: is it what the folder was made of?")->type_name("FILE");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace sinter
