// split_reductions: a reduction of very many elements to few results, or of fewer that each take long, becomes two, so
// that all of a GPU takes part in the first. Elements of narrow floats are summed in f32 on the way, as one reduction
// does.
//
//   %s = f32[] reduce(%x, %zero), dimensions={0}    =>   %m = f32[1024,16384] reshape(%x)
//   x f32[16777216]                                       %p = f32[1024] reduce(%m, %zero), dimensions={1}
//                                                         %s = f32[] reduce(%p, %zero), dimensions={0}
//
// What a length without a good divisor leaves over, a few elements, is reduced apart and combined with the rest. What a
// loop leaves is split into parts that a block has: the kernel that runs the loop, an element a thread, can make the
// first of the two (domain.h).
#include <algorithm>

#include "ir/ops/op_table.h"
#include "ir/support/ceil_div.h"
#include "passes/analysis/loops/element_work.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/prepare/partial_reduction.h"

namespace sinter {
namespace {

// Whether what is reduced is what a loop leaves, but for elementwise operations, by their first operand that is an
// array, and reshapes.
bool is_of_loop(const Instruction* value) {
  constexpr int kMostSteps = 64;
  for (int step = 0; step < kMostSteps; ++step) {
    if (value->opcode == Opcode::kGetTupleElement) return value->operand(0)->opcode == Opcode::kWhile;
    const Family family = opcode_family(value->opcode);
    if (value->opcode != Opcode::kReshape && family != Family::kElementwise) return false;
    const Instruction* next = nullptr;
    for (const Instruction* operand : value->operands()) {
      const bool whole = operand->shape.element_count() == value->shape.element_count();
      const bool number = operand->opcode == Opcode::kBroadcast && operand->operand(0)->shape.element_count() == 1;
      if (whole && !number && operand->opcode != Opcode::kConstant && next == nullptr) next = operand;
    }
    if (next == nullptr) return false;
    value = next;
  }
  return false;
}

// How many elements of `reduced` a part has. Results are few where they give less than half of a GPU's multiprocessors
// work, a block each, or 32 a block where they are neighbours (launch_shape.h); elements are many where one block takes
// longer than two launches.
std::optional<int64_t> part_of(const RowExtents& rows, Instruction* reduced) {
  constexpr int64_t kFewBlocks = 64, kLanes = 32;
  constexpr int64_t kLoadAndStep = 8;       // adds: what an element takes that is only read
  constexpr int64_t kMuchOfRow = 1 << 20;   // adds: 3 us of a block of 1,024 threads of an h200
  constexpr int64_t kMuchOfPart = 1 << 15;  // adds: what is worth a block, or a warp
  constexpr int64_t kSmallPart = 128, kMediumPart = 1024, kLargePart = 4096;  // elements
  constexpr int64_t kShortAcross = 4096, kFewOfThese = 128;  // whose blocks have a quarter of the threads
  constexpr int64_t kMuchAcross = 1 << 14;  // adds: 8 us of a block of 256 threads, whose warps share the row
  constexpr int64_t kParts = 1024;          // of all results, so that every multiprocessor has several
  constexpr int64_t kManyOfLoop = 8192, kSmallBlock = 256, kLargestBlock = 1024, kMostParts = 2048;
  const bool across = rows.inner > 1;
  if (!across && rows.rows == 1 && rows.columns >= kManyOfLoop && is_of_loop(reduced))
    return std::clamp(rows.columns / kMostParts, kSmallBlock, kLargestBlock);
  const int64_t blocks = across ? ceil_div(rows.rows, kLanes) : rows.rows;
  if (blocks > (across && rows.columns < kShortAcross ? kFewOfThese : kFewBlocks)) return std::nullopt;
  const int64_t parts = std::max<int64_t>(kParts / blocks, 2);
  const int64_t cost = kLoadAndStep + cost_of(work_of_element(reduced));
  if (across) {
    if (rows.columns * cost < kMuchAcross) return std::nullopt;
    return std::max<int64_t>(rows.columns / parts, 256);
  }
  if (rows.columns * cost < kMuchOfRow) return std::nullopt;
  const int64_t least = std::clamp(kMuchOfPart / cost, kSmallPart, kMediumPart);
  return std::max<int64_t>(rows.columns / parts, std::clamp(rows.columns / kFewBlocks, least, kLargePart));
}

bool split(Instruction& reduce) {
  const std::optional<RowExtents> rows = reduced_rows(reduce);
  const std::optional<int64_t> wanted =
      rows && reduce.operands().size() == 2 ? part_of(*rows, reduce.operand(0)) : std::nullopt;
  if (!wanted) return false;
  const int64_t part = near_part(rows->columns, *wanted);
  if (part >= rows->columns) return false;
  std::optional<PartialReduction> parts = PartialReduction::of(reduce);
  if (!parts) return false;
  parts->in_parts(*rows, part);
  return true;
}

}  // namespace

bool split_reductions(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* reduce : reductions_to_split(module)) changed |= split(*reduce);
  if (changed) module.sort_computations();
  return changed;
}

}  // namespace sinter
