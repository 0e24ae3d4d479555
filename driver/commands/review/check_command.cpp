// sinter check: is an output folder as sinter wrote it?
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>

#include "driver/commands/command.h"
#include "driver/commands/line/help_format.h"
#include "driver/compile/recorded.h"
#include "driver/system/added_code.h"
#include "driver/system/files.h"
#include "driver/system/python_sources.h"
#include "emitter/text/version.h"
#include "ir/support/sha256.h"
#include "templates/templates.h"

namespace sinter {
namespace {

// What a folder is, the first that holds.
enum CheckStatus {
  kEdited = kInputWrong,  // by hand, or by whom it was: kept files are no matter
  kIncomplete = 4,        // files are missing
  kStale = 5,             // the model has changed since
  kOtherVersion = 6,      // of sinter
};

struct CheckCommand {
  std::string folder, sources, input;
};

// What became of the files that a folder was made of.
struct Inputs {
  std::vector<std::string> stale;      // "model.py (changed)", "(gone)"
  std::vector<std::string> unchecked;  // where they are is not known
};

// Where a file may be that a folder was made of, the first that is there: what a program imports begins at its text;
// headers lie where the folder's build finds them, in the nearest folder upwards; all others, a plan for example,
// beside the text or in the current folder.
std::vector<std::string> places_of(const CheckCommand& options, const RecordedInput& input) {
  const std::string beside = options.input.substr(0, options.input.rfind('/') + 1) + input.name;
  if (input.option == "--import") return {beside};
  std::vector<std::string> places;
  if (input.option == "--header") {
    std::error_code ignored;
    std::filesystem::path above = std::filesystem::absolute(options.folder, ignored).lexically_normal();
    for (; above != above.parent_path(); above = above.parent_path()) places.push_back((above / input.name).string());
    places.push_back((above / input.name).string());
  }
  places.push_back(beside);
  places.push_back(input.name);
  return places;
}

std::optional<std::string> find_input(const CheckCommand& options, const RecordedInput& input) {
  std::string error;
  for (const std::string& place : places_of(options, input)) {
    if (std::optional<std::string> text = read_file(place, error)) return text;
  }
  return std::nullopt;
}

// Python files are those of --sources.
Inputs compare_inputs(const CheckCommand& options, const std::vector<RecordedInput>& recorded) {
  Inputs inputs;
  std::vector<std::string> python;
  for (const RecordedInput& input : recorded) {
    if (input.option == "--sources") python.push_back(input.name);
  }
  const std::vector<Source> sources =
      options.sources.empty() ? std::vector<Source>() : sources_in(options.sources)(python);
  size_t next = 0;
  for (const RecordedInput& input : recorded) {
    const bool is_python = input.option == "--sources";
    std::optional<std::string> text;
    if (!is_python) {
      text = find_input(options, input);
    } else if (!sources.empty()) {
      const Source& source = sources[next++];
      if (!source.name.empty()) text = source.text;
    }
    // Others need not lie beside the text.
    const bool is_there = is_python ? !options.sources.empty() : !options.input.empty() && input.option == "--import";
    if (!text) {
      if (is_there) inputs.stale.push_back(input.name + " (gone)");
      if (!is_there) inputs.unchecked.push_back(input.name);
    } else if (sha256_hex(*text) != input.hash) {
      inputs.stale.push_back(input.name + " (changed)");
    }
  }
  return inputs;
}

// The namespace of the helpers, which has a hash of all their text.
std::string helpers_in(std::string_view header) {
  constexpr std::string_view kBefore = "inline namespace ";
  const size_t at = header.find(kBefore);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = header.substr(at + kBefore.size());
  return std::string(rest.substr(0, rest.find(' ')));
}

// "sinter 0.1.0, this is sinter 0.2.0", of a folder that another sinter wrote; builds of one version may have other
// helpers.
std::string other_generator(const CheckCommand& options, const Recorded& recorded) {
  const std::string now = "sinter " + std::string(kCompilerVersion);
  if (recorded.generator != now) return recorded.generator + ", this is " + now;
  const std::string_view header = "device/launch.cuh";
  std::string error;
  const std::optional<std::string> helpers = read_file(options.folder + "/" + std::string(header), error);
  const bool other = helpers && helpers_in(*helpers) != helpers_in(template_text(header));
  return other ? "another build of " + now : "";
}

int run(const CheckCommand& options) {
  std::optional<std::vector<std::string>> changed = changed_files(options.folder);
  if (!changed) return fail(options.folder + " is no folder that sinter compile wrote: it has no manifest.json");
  if (!options.sources.empty() && !is_folder(options.sources)) {
    return fail("--sources takes a folder of Python files, not " + options.sources);
  }
  bool incomplete = false, edited = false;
  for (const std::string& file : added_code(options.folder)) changed->push_back(file + " (added)");
  for (const std::string& file : *changed) {
    incomplete = incomplete || file.ends_with(" (missing)");
    edited = edited || file.ends_with(" (changed)") || file.ends_with(" (added)");
    std::cout << file << "\n";
  }
  std::string error;
  const Recorded recorded = recorded_in(read_file(options.folder + "/manifest.json", error).value_or(""));
  Inputs inputs = compare_inputs(options, recorded.inputs);
  if (!options.input.empty()) {
    const std::optional<std::string> text = read_file(options.input, error);
    if (!text) return fail(error);
    if (sha256_hex(*text) != recorded.input_hash) inputs.stale.push_back(options.input + " (changed)");
  }
  for (const std::string& file : inputs.stale) std::cout << file << "\n";
  for (const std::string& file : inputs.unchecked) {
    std::cout << file << " (not checked: --input FILE, of its folder, and --sources DIR say where it is)\n";
  }
  const std::string other = other_generator(options, recorded);
  if (!other.empty()) std::cout << "written by " << other << "\n";
  if (incomplete) return kIncomplete;
  if (edited) return kEdited;
  if (!inputs.stale.empty()) return kStale;
  return other.empty() ? static_cast<int>(kOk) : kOtherVersion;
}

}  // namespace

void add_check_command(CLI::App& app, int& status) {
  auto options = std::make_shared<CheckCommand>();
  CLI::App* command = app.add_subcommand("check",
                                         "is an output folder as it was written: exit 4 where files are missing, 1 "
                                         "edited by hand, 5 stale, 6 of another version");
  command->add_option("DIR", options->folder, "a folder that sinter compile wrote")->required();
  command->add_option("--sources", options->sources, "folder of Python files: list those that have changed since, too")
      ->type_name("DIR");
  command
      ->add_option("--input", options->input, "text: is it, with the files that it names, what the folder was made of?")
      ->type_name("FILE");
  add_example(*command, "sinter check softmax --input softmax.hlo");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace sinter
