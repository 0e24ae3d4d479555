// Versions say little of whether a tool works: compilers are asked to compile, which a missing header or a part of a
// toolkit stops. The driver is asked through its library, of which no more is needed to build sinter.
#include "driver/commands/shell/doctor.h"

#include <dlfcn.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Support/Program.h>

#include <algorithm>
#include <sstream>

#include "driver/build/build_cache.h"
#include "driver/build/device_tools.h"
#include "driver/system/subprocess.h"

namespace sinter {
namespace {

using State = Finding::State;

bool is_there(const std::string& program) { return !!llvm::sys::findProgramByName(program); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!llvm::StringRef(line).trim().empty()) lines.push_back(line);
  }
  return lines;
}

std::string first_line(const ProcessResult& process) {
  const std::vector<std::string> lines = lines_of(process.output);
  return lines.empty() ? "it ends with status " + std::to_string(process.exit_status) : lines[0];
}

// "release 13.0" -> 13; 0 where the text has no such number.
int number_behind(const std::string& text, const std::string& word) {
  const size_t place = text.find(word);
  return place == std::string::npos ? 0 : std::atoi(text.c_str() + place + word.size());
}

// A program that says its version in the first line of what it prints.
Finding find_tool(const std::string& what, const std::string& program, const std::string& advice) {
  if (!is_there(program)) return {State::kMissing, what, program + " is not on PATH", {advice}};
  const ProcessResult process = run_process({program, "--version"}, ".");
  return {process.exit_status == 0 ? State::kThere : State::kUnusable, what, program + ": " + first_line(process), {}};
}

// The compiler's command with the flags of emitted code, on an empty source.
std::vector<std::string> compile_nothing(const std::string& compiler, const std::vector<std::string>& flags) {
  std::vector<std::string> command = {compiler, "-std=c++20"};
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {"/dev/null", "-o", "/dev/null"});
  return command;
}

Finding find_compiler(const std::string& compiler) {
  Finding finding = find_tool("C++ compiler", compiler, "Debian: apt install g++; or set CXX to one");
  if (finding.state != State::kThere) return finding;
  const ProcessResult process = run_process(compile_nothing(compiler, {"-include", "bit", "-c", "-x", "c++"}), ".");
  if (process.exit_status == 0) return finding;
  return {State::kUnusable,
          finding.what,
          compiler + " compiles no C++20: " + first_line(process),
          {"Debian: apt install g++, version 11 or later, or clang, version 14 or later"}};
}

Finding find_lapack(const std::string& compiler) {
  std::vector<std::string> command = compile_nothing(compiler, {"-shared", "-fPIC", "-x", "c++"});
  command.insert(command.end(), {"-llapack", "-lblas"});
  if (is_there(compiler) && run_process(command, ".").exit_status == 0) {
    return {State::kThere, "LAPACK", "liblapack and libblas", {}};
  }
  return {State::kMissing,
          "LAPACK",
          "needed on the CPU by programs that call libraries: eigh, svd, ...",
          {"Debian: apt install liblapack-dev"}};
}

Finding find_nvcc(const std::string& nvcc, const std::string& architecture, int& release) {
  if (!is_there(nvcc)) {
    return {State::kMissing,
            "nvcc",
            nvcc + " is not on PATH",
            {"an installed CUDA Toolkit has it in /usr/local/cuda/bin: add that to PATH, or set CUDACXX to it",
             "NVIDIA's repository for Debian: apt install cuda-nvcc-13-0 cuda-cudart-dev-13-0 cuda-cccl-13-0",
             "PyPI: pip install 'nvidia-cuda-nvcc==13.*' 'nvidia-cuda-runtime==13.*' 'nvidia-cuda-cccl==13.*' "
             "'nvidia-cuda-crt==13.*' 'nvidia-nvvm==13.*', and set CUDACXX to the nvcc among them"}};
  }
  const std::string version = run_process({nvcc, "--version"}, ".").output;
  release = number_behind(version, "release ");
  std::string found = nvcc;
  for (const std::string& line : lines_of(version)) {
    if (line.find("release ") != std::string::npos) found += ": " + line.substr(line.find("release "));
  }
  const ProcessResult process =
      run_process(compile_nothing(nvcc, {"-x", "cu", "-cubin", "-arch=sm_" + architecture}), ".");
  if (process.exit_status == 0) return {State::kThere, "nvcc", found + ", compiles for sm_" + architecture, {}};
  return {State::kUnusable,
          "nvcc",
          found + ", does not compile for sm_" + architecture + ": " + first_line(process),
          {"a host compiler that is too new: set NVCC_CCBIN to an older one",
           "an architecture that it does not know: a newer toolkit, or --arch of your GPU"}};
}

// The assembler that nvcc calls: beside it, or on PATH.
Finding find_ptxas(const std::string& nvcc) {
  const llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(nvcc);
  const std::string beside = path ? path->substr(0, path->rfind('/') + 1) + "ptxas" : "ptxas";
  const std::string program = is_there(beside) ? beside : "ptxas";
  const std::string advice = "a part of the CUDA Toolkit and of the wheel nvidia-cuda-nvcc: get it as nvcc";
  Finding finding = find_tool("ptxas", program, advice);
  if (finding.state != State::kThere) return finding;
  for (const std::string& line : lines_of(run_process({program, "--version"}, ".").output)) {
    if (line.find("release ") != std::string::npos) finding.found = "ptxas: " + line.substr(line.find("release "));
  }
  return finding;
}

// "13.0": the latest CUDA that the driver runs; nullopt where there is no driver.
std::optional<int> driver_version(const std::string& driver) {
  void* library = dlopen(driver.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  int version = 0;
  using Ask = int (*)(int*);
  if (const auto ask = reinterpret_cast<Ask>(dlsym(library, "cuDriverGetVersion"))) ask(&version);
  dlclose(library);
  return version;
}

Finding find_driver(const std::string& driver, int release) {
  const std::optional<int> version = driver_version(driver);
  if (!version) {
    return {State::kMissing,
            "GPU driver",
            driver + " cannot be loaded",
            {"Debian: apt install nvidia-driver libcuda1 (non-free)", "in a container: docker run --gpus all"}};
  }
  const std::string runs = std::to_string(*version / 1000) + "." + std::to_string(*version % 1000 / 10);
  if (*version / 1000 < release) {
    return {State::kUnusable,
            "GPU driver",
            "for CUDA " + runs + ", which is older than nvcc's",
            {"a driver for CUDA " + std::to_string(release) + ", or an nvcc of CUDA " + runs}};
  }
  return {State::kThere, "GPU driver", "for CUDA up to " + runs, {}};
}

// One for each GPU; "NVIDIA H100 80GB HBM3, 9.0, 81559 MiB, 580.65.06" is a line of nvidia-smi.
std::vector<Finding> find_gpus() {
  constexpr const char* kSmi = "nvidia-smi";
  if (!is_there(kSmi)) {
    return {{State::kMissing,
             "GPU",
             "which there are is not known: nvidia-smi is not on PATH",
             {"it comes with the driver; Debian: apt install nvidia-smi (non-free)"}}};
  }
  const ProcessResult process =
      run_process({kSmi, "--query-gpu=name,compute_cap,memory.total,driver_version", "--format=csv,noheader"}, ".");
  if (process.exit_status != 0) return {{State::kUnusable, "GPU", "nvidia-smi: " + first_line(process), {}}};
  constexpr int kFirstOwn = 90;  // from which on a device has instructions that later ones have not: "90a"
  std::vector<Finding> findings;
  for (const std::string& line : lines_of(process.output)) {
    llvm::SmallVector<llvm::StringRef, 4> fields;
    llvm::StringRef(line).split(fields, ", ");
    if (fields.size() != 4) continue;
    const std::string name = gpu_of_device(fields[0].str());
    std::string digits = fields[1].str();
    std::erase(digits, '.');
    if (std::atoi(digits.c_str()) >= kFirstOwn) digits += 'a';
    findings.push_back({State::kThere,
                        "GPU",
                        (fields[0] + ", " + fields[2] + ", driver " + fields[3] + ": --arch " + digits).str() +
                            (name.empty() ? ", times are predicted with --gpu FILE" : ", --gpu " + name),
                        {}});
  }
  if (findings.empty()) return {{State::kMissing, "GPU", "nvidia-smi lists none", {}}};
  return findings;
}

Finding find_cache() {
  std::string error;
  const std::optional<std::string> folder = cache_folder(error);
  if (!folder) return {State::kUnusable, "cache", error, {}};
  return {State::kThere, "cache", *folder, {}};
}

std::string state_text(State state) {
  switch (state) {
    case State::kThere:
      return "ok";
    case State::kMissing:
      return "missing";
    case State::kUnusable:
      break;
  }
  return "unusable";
}

std::string padded(std::string text, size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

}  // namespace

Diagnosis diagnose(const std::string& architecture, const std::string& driver) {
  const std::string compiler = compiler_command(architecture, Device::kCpu)[0];
  const std::string nvcc = compiler_command(architecture, Device::kCuda)[0];
  Diagnosis diagnosis;
  std::vector<Finding>& findings = diagnosis.findings;
  const auto add = [&](Finding finding) {
    findings.push_back(std::move(finding));
    return findings.back().state == State::kThere;
  };
  add({State::kThere, "clang", "version " LLVM_VERSION_STRING ", in sinter itself: it parses what is emitted", {}});
  const bool compiles = add(find_compiler(compiler));
  diagnosis.builds_for_cpu = add(find_cache()) && compiles;
  add(find_tool("CMake", "cmake", "3.24 or later, for emitted projects; Debian: apt install cmake"));
  add(find_tool("build tool", is_there("ninja") ? "ninja" : "make", "Debian: apt install ninja-build"));
  add(find_tool("git", "git", "for diff REV:PATH and merge; Debian: apt install git"));
  add(find_lapack(compiler));
  int release = 0;
  const bool has_nvcc = add(find_nvcc(nvcc, architecture, release));
  diagnosis.builds_for_gpu = add(find_ptxas(nvcc)) && has_nvcc;
  const bool has_driver = add(find_driver(driver, release));
  bool has_gpu = false;
  for (Finding& gpu : find_gpus()) has_gpu = add(std::move(gpu));
  diagnosis.runs_on_gpu = diagnosis.builds_for_gpu && has_driver && has_gpu;
  return diagnosis;
}

std::string diagnosis_text(const Diagnosis& diagnosis) {
  size_t width = 0;
  for (const Finding& finding : diagnosis.findings) width = std::max(width, finding.what.size());
  const std::string indent(2 + state_text(State::kUnusable).size() + 2 + width + 2, ' ');
  std::string text;
  for (const Finding& finding : diagnosis.findings) {
    text += "  " + padded(state_text(finding.state), state_text(State::kUnusable).size()) + "  " +
            padded(finding.what, width) + "  " + finding.found + "\n";
    for (const std::string& line : finding.advice) text += indent + line + "\n";
  }
  const auto said = [](bool can) { return can ? "yes" : "no"; };
  return text + "\nBuilds and runs on the CPU: " + said(diagnosis.builds_for_cpu) +
         "\nBuilds for the GPU: " + said(diagnosis.builds_for_gpu) +
         "\nRuns on the GPU: " + said(diagnosis.runs_on_gpu) + "\n";
}

}  // namespace sinter
