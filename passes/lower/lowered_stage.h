// What a kernel item of the tree becomes: a kernel and its launch, or, for an op with kernels of its own
// (passes/schedule/own_stages.h), several kernels, scratch memory between them and the order in which the host runs
// them. Lowering gives every scratch buffer a place in the arena for as long as the stage's steps need it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/diagnostics.h"
#include "passes/lower/lower_kernel.h"

namespace sinter {

// Memory that only the kernels of one stage know.
struct ScratchBuffer {
  std::string name;  // C identifier; numbered where the program has several of that name
  Shape shape;       // an array
};

// What a launch passes for a parameter of its kernel. Buffers come first, then ints.
struct StageArgument {
  enum class Kind : uint8_t {
    kValue,    // the buffer of `value`, which the stage reads or gives
    kScratch,  // the buffer scratch[number]
    kNumber,   // the int `number`
    kCounter,  // the counter of the host loop around the stage
    kStep,     // the counter of the stage's own loop around this step
  };
  Kind kind = Kind::kValue;
  const Instruction* value = nullptr;
  int64_t number = 0;

  bool operator==(const StageArgument&) const = default;
  static StageArgument of(const Instruction* value) { return {Kind::kValue, value, 0}; }
  static StageArgument scratch(size_t position) { return {Kind::kScratch, nullptr, static_cast<int64_t>(position)}; }
  static StageArgument integer(int64_t number) { return {Kind::kNumber, nullptr, number}; }
  static StageArgument counter() { return {Kind::kCounter, nullptr, 0}; }
  static StageArgument step() { return {Kind::kStep, nullptr, 0}; }
};

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

// What the lowering of a stage of its own is given.
struct StageInput {
  const Module& module;
  const Tree& tree;  // for errors of a plan
  const TreeNode& node;
  const KernelValues& values;
  const BufferNames& names;  // of every value the stage may read or write
  StageNames kernel_name;
};

// One kernel, launched once.
LoweredStage one_launch(LoweredKernel lowered);

// The arguments of a kernel whose parameters are the values `arguments` (nullptr: the counter of the host loop).
std::vector<StageArgument> stage_arguments(const std::vector<const Instruction*>& arguments);

// The lowering of a kernel item whose stage has the given schedule. A plan file that does not fit is reported.
std::optional<LoweredStage> lower_item(const std::string& schedule, const StageInput& input, Diagnostics& diagnostics);

// The lowering of a stage of its own; its demand was tried by own_stages.h.
LoweredStage lower_own_stage(const std::string& schedule, const StageInput& input);

}  // namespace sinter
