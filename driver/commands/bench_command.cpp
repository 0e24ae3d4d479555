// sinter bench: builds a program or an emitted folder, runs it many times, and prints what its kernels take beside what
// was predicted. The runner measures (runtime/profile.h).
#include <llvm/Support/JSON.h>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>

#include "driver/build/build_cache.h"
#include "driver/build/build_emitted.h"
#include "driver/build/device_tools.h"
#include "driver/build/measured.h"
#include "driver/commands/command.h"
#include "driver/commands/line/choices.h"
#include "driver/commands/line/help_format.h"
#include "driver/system/read_folder.h"
#include "driver/system/subprocess.h"
#include "emitter/host/add_helpers.h"

namespace sinter {
namespace {

struct BenchCommand {
  std::string program;  // HLO text, or an emitted folder
  CompileFlags flags;
  std::string device = "auto";
  std::vector<std::string> inputs;
  uint64_t seed = 1;
  unsigned repeat = 30, warmup = 3;
  std::string trace;
  bool json = false;
};

std::optional<Device> choose_device(const BenchCommand& options, std::string& missing) {
  const std::string architectures = options.flags.architectures;
  if (options.device != "cpu") {
    missing = missing_for(Device::kCuda, compiler_command(architectures, Device::kCuda)[0]);
    if (missing.empty()) return Device::kCuda;
    if (options.device == "cuda") return std::nullopt;
  }
  missing = missing_for(Device::kCpu, compiler_command(architectures, Device::kCpu)[0]);
  return missing.empty() ? std::optional(Device::kCpu) : std::nullopt;
}

// "h100" where the first GPU of this machine is one that predictions can be made for.
std::string gpu_of_machine(Device device) {
  if (device == Device::kCpu) return "";
  const ProcessResult asked = run_process({"nvidia-smi", "--query-gpu=name", "--format=csv,noheader"}, ".");
  return asked.exit_status == 0 ? gpu_of_device(asked.output.substr(0, asked.output.find('\n'))) : "";
}

// The files of the folder, or of what the text compiles to; nullopt, having said why.
std::optional<FileSet> files_of(const BenchCommand& options, const CompileFlags& flags, ExitStatus& status) {
  status = kCallWrong;
  std::string error;
  if (std::filesystem::is_directory(options.program)) {
    if (!std::filesystem::exists(options.program + "/fusion.json")) {
      fail(options.program + " is no folder that sinter compile wrote: it has no fusion.json");
      return std::nullopt;
    }
    std::optional<FileSet> files = read_folder(options.program, error);
    if (files) {
      files = with_outside_files(std::move(*files), options.program);
      add_helpers(*files);
    } else {
      fail(error);
    }
    return files;
  }
  CompileOptions compile_options;
  Source source;
  if (!to_options(flags, compile_options) || !read_source(options.program, source)) return std::nullopt;
  Diagnostics diagnostics(source);
  std::optional<Artifact> artifact = compile(to_be_tried(compile_options), diagnostics);
  print_diagnostics(diagnostics);
  status = kInputWrong;
  if (!artifact) return std::nullopt;
  return files_and_headers(*artifact);
}

// A member of fusion.json's top level.
std::string member(const std::string& fusion, const char* key) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(fusion);
  if (!value) {
    llvm::consumeError(value.takeError());
    return "";
  }
  const llvm::json::Object* object = value->getAsObject();
  return object == nullptr ? "" : object->getString(key).value_or("").str();
}

int run(const BenchCommand& options) {
  std::string error;
  const std::optional<Device> device = choose_device(options, error);
  if (!device || !cache_folder(error)) return fail(error);
  CompileFlags flags = options.flags;
  if (flags.gpu.empty()) flags.gpu = gpu_of_machine(*device);
  ExitStatus status = kOk;
  const std::optional<FileSet> files = files_of(options, flags, status);
  if (!files) return status;
  const std::string& fusion = files->at("fusion.json");
  const std::string name = member(fusion, "program");
  const std::string roofline = flags.gpu.empty() ? member(fusion, "gpu") : flags.gpu;
  const std::optional<Gpu> gpu = find_gpu(roofline, error);
  if (!gpu) return fail(error);

  const std::optional<std::string> runner = build_emitted(*files, name, options.flags.architectures, *device, error);
  if (!runner) return fail("the emitted code does not build:\n" + error, kInputWrong);
  std::vector<std::string> command = {
      *runner,     "--repeat", std::to_string(options.repeat), "--warmup", std::to_string(options.warmup),
      "--profile", "--json"};
  std::error_code failed;
  for (const std::string& input : options.inputs) {
    command.insert(command.end(), {"--inputs", std::filesystem::absolute(input, failed).string()});
  }
  if (options.inputs.empty()) command.insert(command.end(), {"--random", std::to_string(options.seed)});
  if (!options.trace.empty()) {
    command.insert(command.end(), {"--trace", std::filesystem::absolute(options.trace, failed).string()});
  }
  const ProcessResult process = run_process(command, ".");
  if (process.exit_status != 0) return fail("the program failed: " + process.output, kInputWrong);
  const std::optional<Measured> measured = read_measured(process.output, fusion, *gpu, error);
  if (!measured) return fail(error, kInputWrong);
  std::cout << (options.json ? measured_json(*measured) : measured_text(*measured));
  return kOk;
}

}  // namespace

void add_bench_command(CLI::App& app, int& status) {
  auto options = std::make_shared<BenchCommand>();
  CLI::App* command =
      app.add_subcommand("bench", "build, run many times, and print each kernel's time beside its prediction");
  command->add_option("PROGRAM", options->program, "HLO text, or a folder that compile wrote")->required();
  add_compile_flags(*command, options->flags);
  takes_one_of(
      command->add_option("--device", options->device,
                          "cuda, cpu, or auto: cuda where there are nvcc and a GPU, else the CPU build in its place"),
      {"auto", "cpu", "cuda"})
      ->type_name("DEVICE");
  CLI::Option* inputs =
      command->add_option("--inputs", options->inputs, "tensor file of the inputs; without, they are made up");
  inputs->type_name("FILE")->check(CLI::ExistingFile);
  command->add_option("--seed", options->seed, "of inputs that are made up")->type_name("SEED")->excludes(inputs);
  command->add_option("--repeat", options->repeat, "runs to measure, 30 if not given")
      ->type_name("N")
      ->check(CLI::Range(1u, 100000u));
  command->add_option("--warmup", options->warmup, "runs before, 3 if not given")->type_name("N");
  command->add_option("--trace", options->trace, "write a run's steps for chrome://tracing and Perfetto")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "as JSON with stable names (docs/measure.md)");
  add_example(*command, "sinter bench softmax.hlo --repeat 100");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace sinter
