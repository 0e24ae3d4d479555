// sinter verify: is what a folder computes, edited by hand perhaps, what its program says?
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <regex>

#include "driver/build/build_cache.h"
#include "driver/build/build_emitted.h"
#include "driver/build/device_tools.h"
#include "driver/commands/case.h"
#include "driver/commands/command.h"
#include "driver/commands/line/choices.h"
#include "driver/commands/line/help_format.h"
#include "driver/compile/recorded.h"
#include "driver/system/files.h"
#include "driver/system/read_folder.h"
#include "driver/tensors/non_negative.h"
#include "driver/tensors/tensors.h"
#include "review/modules/joined_programs.h"
#include "review/modules/recorded_module.h"

namespace sinter {
namespace {

struct VerifyCommand {
  std::string folder;
  std::string device = "cpu";
  std::string architectures = "90a";
  std::string weights_file;  // empty: the folder's own
  CaseOptions test_case;
};

// How a folder's weights come to its program.
struct FolderWeights {
  std::optional<Source> file;  // nullopt: it has none
  std::string given;           // to the runner: a path; empty: the library has them
};

// A folder's file of weights, or that of the library that it is a program of; empty: it has none.
std::string weights_beside(const std::string& folder) {
  std::error_code ignored;
  for (const std::filesystem::path& place : {std::filesystem::path(folder), std::filesystem::path(folder) / ".."}) {
    const std::string path = (place / "weights.safetensors").lexically_normal().string();
    if (std::filesystem::exists(path, ignored)) return path;
  }
  return "";
}

// False, with an error, where the folder has weights and nobody has their values.
bool find_weights(const VerifyCommand& options, const std::string& folder, const Recorded& recorded,
                  FolderWeights* weights, std::string& error) {
  const auto& flags = recorded.options;
  const auto is_about_weights = [](const std::string& flag) { return flag.starts_with("--weights"); };
  if (std::ranges::none_of(flags, is_about_weights)) return true;
  const std::string path = options.weights_file.empty() ? weights_beside(folder) : options.weights_file;
  if (path.empty()) {
    error = folder + " has no values of its weights, which are the caller's: give --weights-file FILE";
    return false;
  }
  const std::optional<std::string> text = read_file(path, error);
  if (!text) return false;
  weights->file = {.name = path, .text = *text};
  const bool has_them = std::ranges::count(flags, "--weights=embed") > 0 && options.weights_file.empty();
  if (!has_them) weights->given = std::filesystem::absolute(path).string();
  return true;
}

// The function of CUDA that a compiler or linker misses; empty: what it says first is something else. It stands in
// quotes of more than one byte.
std::string missing_function(const std::string& said) {
  const std::regex missing("(?:undefined reference to |error: )[^A-Za-z_]{1,3}(\\w+)[^A-Za-z_(]{1,4}(?:was not |\n|$)");
  std::smatch found;
  const bool is_missing = std::regex_search(said, found, missing);
  return is_missing && static_cast<size_t>(found.position()) <= said.find("error: ") ? found[1].str() : "";
}

// What a compiler says first: one error leads to many.
std::string first_lines(const std::string& said) {
  constexpr int kLines = 24;
  size_t end = 0;
  for (int line = 0; line < kLines && end != std::string::npos; ++line) end = said.find('\n', end == 0 ? 0 : end + 1);
  return end == std::string::npos || end + 1 >= said.size() ? said : said.substr(0, end + 1) + "...\n";
}

int verify_program(const VerifyCommand& options, const std::string& folder, const FileSet& files) {
  std::string error;
  const std::string program = program_of(files);
  CaseOptions test_case = options.test_case;
  const Recorded made_of = recorded_in(files.at("manifest.json"));
  if (test_case.file.empty()) {
    const auto recorded = files.find("module.hlo");
    if (recorded == files.end() || recorded->second.find("{...}") != std::string::npos) {
      return fail(folder + " has not all of its program: give its text, --program FILE");
    }
    test_case.file = folder + "/module.hlo";
    test_case.is_recorded = true;
  } else {
    test_case.grain = recorded_choice(made_of);
  }
  FolderWeights weights;
  if (!find_weights(options, folder, made_of, &weights, error)) return fail(error);
  if (test_case.is_recorded) test_case.weights_of = weights.file;
  const Device device = options.device == "cuda" ? Device::kCuda : Device::kCpu;
  const std::string compiler = compiler_command(options.architectures, device)[0];
  if (const std::string missing = missing_for(device, compiler); !missing.empty()) return fail(missing);
  const std::optional<std::string> cache = cache_folder(error);
  if (!cache) return fail(error);
  const std::optional<std::string> runner =
      build_emitted(with_outside_files(files, folder), program, options.architectures, device, error);
  if (!runner) {
    const std::string missing = device == Device::kCpu ? missing_function(error) : "";
    const std::string why = missing.empty() ? "" : "\nthe build for the CPU has no " + missing + ": --device cuda has";
    return fail(folder + " does not build:\n" + first_lines(error) + why, kInputWrong);
  }

  const std::string expected = folder_aside(*cache) + ".safetensors";
  CaseOptions evaluated = test_case;
  evaluated.output = expected;
  int status = run_case(evaluated, {.one = run_evaluator, .batch = nullptr});
  const bool is_expected = status == kOk;
  test_case.expect = expected;
  const auto built = [&](const RunRequest& request) {
    return run_without_weights(request, {.path = *runner, .weights = weights.given}, test_case);
  };
  if (is_expected) status = run_case(test_case, {.one = built, .batch = nullptr});
  const Tolerance& tolerance = test_case.tolerance;
  if (is_expected && status == kInputWrong && tolerance.rtol == 0 && tolerance.atol == 0 && tolerance.ulp == 0) {
    std::cout << "compared exactly: functions and sums in another order differ in their last bits, which --rtol 1e-5 "
                 "allows\n";
  }
  std::error_code ignored;
  std::filesystem::remove(expected, ignored);
  return status;
}

int run(const VerifyCommand& options) {
  std::string error;
  const std::optional<FileSet> files = read_folder(options.folder, error);
  if (!files) return fail(error);
  if (program_of(*files).empty()) {
    return fail(options.folder + " is no folder that sinter compile wrote: it has no manifest.json");
  }
  const std::map<std::string, FileSet> programs = joined_programs(*files);
  if (programs.empty()) return verify_program(options, options.folder, *files);
  const std::string first = options.folder + "/" + programs.begin()->first;
  if (!options.test_case.inputs.empty()) {
    return fail(options.folder + " holds " + std::to_string(programs.size()) +
                " programs, each with inputs of its own: verify them one by one (" + first + "), or --random SEED");
  }
  int status = kOk;
  for (const auto& [name, program] : programs) {
    std::cout << name << ": " << std::flush;
    status = std::max(status, verify_program(options, options.folder + "/" + name, program));
  }
  return status;
}

}  // namespace

void add_verify_command(CLI::App& app, int& status) {
  auto options = std::make_shared<VerifyCommand>();
  CLI::App* command = app.add_subcommand("verify", "build and run a folder, and compare with the reference evaluator");
  command->add_option("DIR", options->folder, "a folder that sinter compile wrote, edited by hand or not")->required();
  command->add_option("--program", options->test_case.file, "text of the program; if not given, the folder's own")
      ->type_name("FILE");
  command
      ->add_option("--weights-file", options->weights_file,
                   "values of the program's weights, a safetensors file; if not given, the folder's own")
      ->type_name("FILE");
  add_input_options(*command, options->test_case);
  takes_one_of(
      command->add_option("--device", options->device, "cpu (built by the host compiler) or cuda (built by nvcc)"),
      {"cpu", "cuda"})
      ->type_name("DEVICE")
      ->capture_default_str();
  command->add_option("--arch", options->architectures, "for --device cuda: of the GPU")->type_name("ARCH");
  add_example(*command, "sinter verify softmax --random 1 --rtol 1e-5");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace sinter
