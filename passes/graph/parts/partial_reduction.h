// Reductions that are made in parts: what the parts begin with, the type that they are made in, and the reductions of
// parts as HLO. Elements of narrow floats are summed in f32 on the way, as one reduction does.
#pragma once

#include <optional>
#include <vector>

#include "passes/analysis/shapes/reduced_rows.h"
#include "passes/graph/base/graph_builder.h"

namespace sinter {

class PartialReduction {
 public:
  // Of a reduction that one commutative operation combines, or a function that may be applied in parts, in their order
  // (try_combiner.h); nullopt for others, and where no value changes nothing.
  static std::optional<PartialReduction> of(Instruction& reduce);

  // Reduces along some of its dimensions at a time, in this order: together they are all of them. The innermost come
  // first where it has several operands, or a function of its own.
  void in_steps(const std::vector<std::vector<int64_t>>& steps);
  // Reduces `part` neighbours of each row, and then what parts have come to. Up to kFewReduced elements that are left
  // over are reduced apart where one operation combines them; else the last part is filled up with what changes
  // nothing.
  void in_parts(const RowExtents& rows, int64_t part);

 private:
  using Value = GraphBuilder::Value;

  explicit PartialReduction(Instruction& reduce) : reduce_(&reduce) {}

  void write_beginnings(GraphBuilder& build);
  void reduce_arrays(GraphBuilder& build, std::vector<Value> arrays, const std::vector<std::vector<int64_t>>& steps,
                     Value rest = nullptr);
  std::vector<Value> reduced(GraphBuilder& build, const std::vector<Value>& arrays,
                             const std::vector<int64_t>& dimensions) const;
  // The reduction itself becomes the one along these dimensions, combined with `rest`, if there is any.
  void finish(GraphBuilder& build, const std::vector<Value>& arrays, const std::vector<int64_t>& dimensions,
              Value rest);

  Instruction* reduce_;
  Opcode combiner_ = Opcode::kAdd;  // where it is one operation
  std::vector<Literal> nothing_;    // what parts begin with, of each operand, in the type that parts are made in
  std::vector<Value> beginnings_;   // these, where they have been written
};

// The reductions of a module that may be made in parts: not those of a loop's condition, since whether any lane goes on
// is a form that the scheduler knows (lane_loop.h), nor those that are left to blocks (stacked_reductions.h).
std::vector<Instruction*> reductions_to_split(Module& module);

// A divisor of `length` between half and twice `wanted`, the nearest; if there is none, what cuts it into as many parts
// as `wanted` about would, the last one shorter.
int64_t near_divisor(int64_t length, int64_t wanted);

// The same, but where no divisor is near, one that leaves over fewer than kFewReduced elements, if there is one, of
// whole warps rather than others.
int64_t near_part(int64_t length, int64_t wanted);

// Makes a reduction in two steps where one block would take longer than `much_of_row` adds for a row of it, or where
// its results are few (split_reductions.cpp); false: it stays.
bool split_reduction(Instruction& reduce, int64_t much_of_row);

}  // namespace sinter
