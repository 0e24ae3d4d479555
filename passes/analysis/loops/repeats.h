// Steps that a computation writes out one after the other: what a Python loop leaves that JAX traced step by step.
//
//   a = f32[64] sine(x)      step 0
//   b = f32[64] add(a, w)
//   c = f32[64] sine(b)      step 1: reads b where step 0 reads x, and w where that reads w
//   d = f32[64] add(c, w)
//   ...
//
// A step may take values of the few steps before it, constants that differ from step to step, and slices whose bounds
// move by the same number from step to step.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

// What an instruction of a step reads.
struct RepeatOperand {
  enum class Kind : uint8_t { kSame, kStep, kConstants };
  Kind kind = Kind::kSame;
  Instruction* same = nullptr;          // kSame: from before the steps, or of constants
  size_t place = 0, back = 0;           // kStep: the instruction there, of so many steps before (0: of this one)
  std::vector<Instruction*> constants;  // kConstants: one of each step, scalars or arrays, or broadcasts of scalars
};

struct Repeat {
  size_t count = 0, period = 0;                      // steps, and instructions of a step
  std::vector<Instruction*> instructions;            // of all steps, step by step
  std::vector<std::vector<RepeatOperand>> operands;  // of the instruction at each place of a step
  // By how much the bounds of the slice at a place move in each dimension, from one step to the next.
  std::map<size_t, std::vector<int64_t>> moves;
  // What the first steps read for a place of `back` steps before them.
  std::map<std::pair<size_t, size_t>, Instruction*> before;
  // Places whose value of the last step (1) or the one before it (2) is read after the steps.
  std::vector<std::pair<size_t, size_t>> results;

  Instruction* at(size_t step, size_t place) const { return instructions[step * period + place]; }
  // How many steps a place's value is kept for later ones, or for what comes after all.
  size_t kept(size_t place) const;
};

// The mark of a loop that steps have become (roll_repeats), by their number.
inline constexpr const char* kRolledAttribute = "sinter_rolled";

// The shortest steps that are repeated six times or more; nullopt if there are none.
std::optional<Repeat> find_repeat(Computation& computation);

}  // namespace sinter
