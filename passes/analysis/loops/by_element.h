// Loops that a thread an element could run: what passes ask that take reductions out of loops, so that it can.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_set>

#include "passes/analysis/loops/while_carries.h"

namespace sinter {

// Every thread may reduce so many elements, and hold so many of an array.
inline constexpr int64_t kFewReduced = 16, kFewElements = 64;

using InstructionSet = std::unordered_set<const Instruction*>;

// The instructions of the loop's body that hold an element for each thread, if a thread an element can run all of the
// loop but `apart`: what every thread would do again is small, and what is large is handed on element by element.
// nullopt if one element depends on others.
std::optional<InstructionSet> values_by_element(const CarriedLoop& loop, InstructionSet apart);

// The same if a thread has a row of each array instead: what has `rows` elements along one dimension, which moves but
// stays whole, and few along the others.
std::optional<InstructionSet> values_by_row(const CarriedLoop& loop, InstructionSet apart, int64_t rows);

// The threads that can run a loop but `apart`: one an element of the largest array that it changes, and does not only
// fill, or of `reduced`, where there is none; or, if not so, one a row of `reduced`, along its longest dimension.
struct LoopThreads {
  int64_t count = 0;
  bool rows = false;
  InstructionSet values;  // that they have their parts of
};
std::optional<LoopThreads> threads_of(const CarriedLoop& loop, const InstructionSet& apart, const Shape& reduced);

// The only read of carry `i` in the body, where the condition reads none; nullptr otherwise.
Instruction* only_read(const CarriedLoop& loop, size_t i);

// True if `instruction` is operand of `user` alone, once.
bool is_read_once(const Instruction& instruction, const Instruction& user);

// True of a carry of which each step writes a part, by a dynamic-update-slice, and which nothing reads.
bool is_filled(const CarriedLoop& loop, size_t i);

}  // namespace sinter
