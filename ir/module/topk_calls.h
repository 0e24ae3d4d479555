// The custom calls that ask for the first of each row: TopK, and ApproxTopK and PartialReduce, which may miss some;
// here they find all.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/module/module.h"

namespace sinter {

struct TopkCall {
  // TopK: what the instruction `topk` gives for the largest. The others: the beginning of the arrays, their first half
  // of the operands, sorted stably along `dimension` by the function they call; the other half are what to begin with.
  bool is_topk = true;
  int64_t dimension = 0;
  size_t arrays = 0;
};

// nullopt: another custom call, or operands, results or a function that such a call does not have.
std::optional<TopkCall> topk_call(const Instruction& instruction);

}  // namespace sinter
