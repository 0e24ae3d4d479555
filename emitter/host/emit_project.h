// The output folder: every file's path (relative, '/'-separated) and content. Nothing is written here; the driver
// writes all files or none.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "emitter/host/shared_kernels.h"
#include "passes/lower/host/host_plan.h"

namespace sinter {

using FileSet = std::map<std::string, std::string>;

// Where a library's weights are, for those who give none: in it, or nowhere. Of the latter, a file of them is in the
// folder beside the sources, or (kCaller) is not.
enum class WeightsHome : uint8_t { kEmbedded, kFile, kCaller };

// A launch of a kernel, as the cost model has it.
struct PredictedKernel {
  std::string name;
  int64_t bytes = 0;  // read and written, each once
  int64_t flops = 0;
  double us = 0;
};

struct EmitOptions {
  std::string architectures = "90a";  // CMake's default CUDA architectures, comma-separated
  std::string input_hash;             // hex SHA-256 of the input text, for info.cpp and the manifest
  std::string option_text;            // the options that shape the output, for the manifest
  std::string note;                   // a line that every reader should see; may be empty
  std::string license = {};           // of the files, an SPDX expression; empty: nothing is said
  FileSet headers = {};               // of the user's own, which kernels include: helpers that they include come along
  WeightsHome weights = WeightsHome::kEmbedded;
  std::string build = {};  // of programs with weights: what files of weights call it (fingerprint of the program)
  std::string weights_file = {};  // safetensors with the program's weights; empty for kCaller
  // Where in the workspace begins what an instance keeps between runs; 0: right behind the program's arena. Programs
  // of one artifact have their arenas in one place, and what they keep apart.
  int64_t kept_at = 0;
  SharedKernels shared = {};  // with other programs of the artifact
  // What the runner prints beside what it measures, and the GPU that it is for, "h200".
  std::vector<PredictedKernel> predicted = {};
  std::string gpu = "no GPU";
};

// kernels/*.cu, <name>.cu, include/<name>/<name>.h, .hpp, info.cpp, device/*.cuh, cpu/*.h, main.cpp, CMakeLists.txt,
// constants.bin, weights.safetensors and manifest.json. plan.txt and fusion.json are given in `extra` and listed in the
// manifest too.
FileSet emit_project(const Program& program, const EmitOptions& options, const FileSet& extra);

// The interface of the program of this name. In a folder of its own: a caller who puts ours on the include path still
// finds <string.h>, if a program is called "string".
std::string header_path(const std::string& name);

// kernels/<name>.cu alone, of the program of this name.
std::string print_kernel_file(const Kernel& kernel, const std::string& program);

}  // namespace sinter
