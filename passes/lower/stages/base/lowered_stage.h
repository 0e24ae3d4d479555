// What a kernel item of the tree becomes: a kernel and its launch, or several kernels, scratch memory between them and
// the order in which the host runs them. Lowering gives every scratch buffer a place in the arena for as long as the
// stage's steps need it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/support/diagnostics.h"
#include "passes/analysis/shapes/needed_parts.h"
#include "passes/lower/stages/base/kernel_frame.h"

namespace sinter {

struct StageStep {
  enum class Kind : uint8_t {
    kLaunch,  // kernels[kernel] with `arguments`
    kCopy,    // arguments[0] into arguments[1], of equal size
    kClear,   // every byte of arguments[0] becomes zero
    kLoop,    // `body`, `trip` times
  };
  Kind kind = Kind::kLaunch;
  size_t kernel = 0;
  std::vector<StageArgument> arguments;
  // kLaunch: positions in `arguments` of an array read and one written that may be one array (LoweredKernel).
  std::vector<std::pair<size_t, size_t>> may_share = {};
  int64_t trip = 0;
  std::vector<StageStep> body;
  std::string comment;  // beside the names of the values that the stage gives; may be empty
};

struct LoweredStage {
  std::vector<Kernel> kernels;  // each with a name of its own (StageNames)
  std::vector<ScratchBuffer> scratch;
  std::vector<StageStep> steps;
};

// Names for the kernels of a stage: the item's own name for the first, with a suffix ("merge") for others, numbered
// where another kernel of the program has that name.
using StageNames = std::function<std::string(const std::string& suffix)>;

// What the lowering of a stage is given.
struct StageInput {
  const Module& module;
  const Tree& tree;  // for errors of a plan
  const TreeNode& node;
  const std::string& schedule;  // of the item's stages
  const KernelValues& values;
  const BufferNames& names;  // of every value the stage may read or write
  StageNames kernel_name;
  // What a run of some size needs of each value; nullptr where all tiles of the stage run, whatever the size.
  const NeededParts* needed = nullptr;
  bool is_part = false;  // of a launch that is others' too
};

// The lowering of a kernel item (lower_item.cpp). A plan file that does not fit is reported.
std::optional<LoweredStage> lower_item(const StageInput& input, Diagnostics& diagnostics);
// What a map or row that leaves its domain open (`over auto`) would say in the scheduler's place (stage_checks.cpp).
std::optional<StageDomain> settle_domain(const StageInput& input, Diagnostics& diagnostics);

}  // namespace sinter
