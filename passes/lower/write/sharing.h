// Which of a kernel's arrays may be one array: what is read may be overwritten where each thread reads an element
// before it writes that element, and no other thread reads it, or all of its block do before a barrier that comes
// first. Reads, writes and barriers in lines of text (StatementKind::kText) are not seen: kernels that have some share
// nothing.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "ir/kernel/kernel.h"
#include "passes/demand/demand.h"

namespace sinter {

// A value loaded and one stored such that every load is of an element that the same thread stores or, with `of_row`,
// a thread of the same row.
struct ElementwisePair {
  const Instruction* in = nullptr;
  const Instruction* out = nullptr;
  bool of_row = false;
};
// Ask before the graph's coordinates are taken apart: lanes and passes number theirs anew. `rows`: also those of rows.
std::vector<ElementwisePair> elementwise_pairs(const DemandGraph& graph, bool rows);

// The order in which a kernel's text reads and writes its arrays.
class AccessOrder {
 public:
  explicit AccessOrder(const Block& block);  // which has to outlive it

  // True if no statement reads `in` after one that writes `out`, in the order of the text; with `barrier`, if all of a
  // block's threads meet between any two such statements.
  bool reads_before_writes(const Variable* in, const Variable* out, bool barrier) const;

 private:
  // The first and the last statement that mentions a variable, by their numbers in the text.
  struct Span {
    size_t first = 0, last = 0;
  };
  void add(const Block& block, size_t* number);

  const Block& block_;
  std::unordered_map<const Variable*, Span> spans_;
};

}  // namespace sinter
