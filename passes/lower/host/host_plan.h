// What the host does: buffers, launches, copies and host loops, in order. Lowering makes it from the schedule tree;
// emitter/host/emit_launcher.cpp writes it as `<name>.cu`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ir/kernel/kernel.h"
#include "ir/module/module.h"
#include "passes/reasons/reasons.h"

namespace sinter {

struct Buffer {
  enum class Kind : uint8_t {
    kInput,     // caller's pointer: input number `index`
    kOutput,    // caller's pointer: output number `index`
    kArena,     // offset into the instance's arena
    kConstant,  // offset into constants.bin, resident on the device
    kWeight,    // weight number `index` of the program
    kDonated,   // input `index` given again as output `output`: one pointer, written in place
    kFinished,  // the instance's counts of blocks that have finished from number `index` on, zero between launches
    kPointer,   // a variable of `run` that points to one buffer or another of `targets`: see HostStep::kPoint
  };
  Kind kind = Kind::kArena;
  std::string name;  // C identifier: "state_0", "add_5"
  Shape shape;
  int64_t index = 0;
  int64_t output = 0;
  int64_t offset = 0;  // bytes; arena and constants, 256-byte aligned
  const Instruction* value = nullptr;
  // kPointer: what it may point to, pointers too; a constant one is only read through.
  std::vector<size_t> targets;
  bool constant = false;
  // kPointer: one that it changes places with (kSwap) and never points to the same as (clear_ahead.cpp).
  std::optional<size_t> turn;
  ReasonCode reason;  // why this value is in device memory, none of inputs and outputs
};

// A function of templates/library: library::potrf<T>(library, numbers..., buffers..., stream); or one of a header of
// the user's own: ::nn::sort_rows(stream, buffers..., numbers...).
struct LibraryFunction {
  // "potrf", whose file has its name; "kernels/rows.cuh:nn::sort_rows" of a header (parse_function_name).
  std::string function;
  DType dtype = DType::kF32;
  std::vector<std::string> numbers;  // as they are spelled
  size_t operands = 0;               // of its buffers, those that are read; the others are written
};

struct HostStep {
  enum class Kind : uint8_t {
    kLaunch,    // kernels[kernel] with buffers as arguments, in parameter order, then `scalars`
    kCopy,      // device-to-device copy of buffers[0] into buffers[1]
    kClear,     // sets every byte of buffers[0] to zero
    kLoop,      // run `body` `trip` times with counter `counter`
    kWhile,     // run `condition`, read buffers[0] (one byte) back; stop if false; else run `body`
    kBranch,    // read buffers[0] (pred or s32) back; run the arm it selects, the last if it selects none
    kSwap,      // exchange the pointers of buffers[0] and buffers[1]
    kCall,      // the call of a library: `call` with buffers, operands before results
    kPoint,     // the kPointer buffers[0] points to what buffers[1] is; the first such step declares it
    kFork,      // `arms` need nothing of one another: branches of a graph; else one after the other (forks.h)
    kTogether,  // `body` is one launch, whose blocks wait for one another: until join_together (passes/lower/program)
                // makes it one
  };
  Kind kind = Kind::kLaunch;
  size_t kernel = 0;
  std::vector<size_t> buffers;  // positions in HostPlan::buffers
  int64_t trip = 0;
  std::string counter;    // of a kLoop: C identifier
  bool of_stage = false;  // kLoop: inside a stage of its own, which the tree shows as one kernel item
  // An int that a launch passes: the counter of a loop around it, or (empty) a number.
  struct Scalar {
    std::string counter;
    int64_t number = 0;
  };
  std::vector<Scalar> scalars;
  // kLaunch: positions in `buffers` of an array read and one written that may be one array.
  std::vector<std::pair<size_t, size_t>> may_share;
  bool unless_same = false;  // kCopy: not if both are one pointer already
  ReasonCode reason;         // kCopy: the ledger's for it
  LibraryFunction call;
  // kLaunch, until join_launches: of which launch it is a part, and whether of its last block.
  struct Part {
    size_t launch = 0;
    bool last = false;
  };
  std::optional<Part> part;
  std::string kernel_name;  // kTogether: of the launch that it becomes
  std::vector<HostStep> condition;
  std::vector<HostStep> body;
  std::vector<std::vector<HostStep>> arms;  // kFork, kBranch; of a pred: true, false
  std::string comment;                      // HLO names and Python lines; one line, no newline
};

struct HostPlan {
  std::vector<Buffer> buffers;
  std::vector<HostStep> steps;
  int64_t arena_bytes = 0;
  int64_t live_bytes = 0;            // the largest live set: a lower bound of arena_bytes
  std::vector<std::byte> constants;  // content of constants.bin
  bool synchronises = false;         // some kWhile or kBranch step is there, or a kCall that may wait for the device
};

// True if `buffer` is `other`, or a pointer that may point to it.
bool may_be(const HostPlan& plan, size_t buffer, size_t other);

// The buffers that one may be: itself, or what a pointer may point to.
std::set<size_t> places_of(const HostPlan& plan, size_t buffer);

// Erases what sets pointers that nothing reads: of a loop's state that is only written.
void drop_unread_pointers(HostPlan* plan);

struct Program;

// A step that is done again and again: its body, and what decides.
inline bool is_loop(const HostStep& step) {
  return step.kind == HostStep::Kind::kLoop || step.kind == HostStep::Kind::kWhile;
}

// True if a launch, copy, clear or call writes its argument `argument`.
bool is_written(const Program& program, const HostStep& step, size_t argument);

// Calls `visit` for each of the steps and those inside it, outer ones first.
void for_each_step(const std::vector<HostStep>& steps, const std::function<void(const HostStep&)>& visit);
// The same of steps that `visit` may change, but for those inside them.
void for_each_step(std::vector<HostStep>* steps, const std::function<void(HostStep*)>& visit);

// True of a copy that a run makes only where a donated input that is updated in place and its output are two arrays.
bool is_for_two_arrays(const HostStep& step);

// Everything that is emitted of a program: made by lowering, read by the emitter.
struct Program {
  std::string name;  // C identifier
  std::vector<Kernel> kernels;
  HostPlan plan;
  struct Tensor {
    std::string name;  // C identifier: parameter name or result name
    Shape shape;
    int64_t donated_to = -1;  // inputs: the output that may share its memory
  };
  std::vector<Tensor> inputs, outputs;
  // Arrays that a run reads and that the caller gives once: parameters of the entry that are weights
  // (ir/module/weights.h).
  struct Weight {
    std::string name;    // C identifier
    std::string tensor;  // in a file: "layer_0.w"
    Shape shape;
  };
  std::vector<Weight> weights;
};

}  // namespace sinter
