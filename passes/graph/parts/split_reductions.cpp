// split_reductions: a reduction of very many elements to few results, or of fewer that each take long, becomes two, so
// that all of a GPU takes part in the first. Elements of narrow floats are summed in f32 on the way, as one reduction
// does.
//
//   %s = f32[] reduce(%x, %zero), dimensions={0}    =>   %m = f32[1024,16384] reshape(%x)
//   x f32[16777216]                                       %p = f32[1024] reduce(%m, %zero), dimensions={1}
//                                                         %s = f32[] reduce(%p, %zero), dimensions={0}
//
// What a length without a good divisor leaves over, a few elements, is reduced apart and combined with the rest; but
// elements that are computed from their place along each dimension, and those that others read too, are cut between
// dimensions, or the last part is filled up, as it is where there are several results: one kernel of rows has all
// elements then, and can store them. What a loop leaves is split into parts that a block has: the kernel that runs the
// loop, an element a thread, can make the first of the two (domain.h).
#include <algorithm>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "ir/support/ceil_div.h"
#include "passes/analysis/loops/by_element.h"
#include "passes/analysis/loops/element_work.h"
#include "passes/analysis/values/hardware.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/parts/attended_later.h"
#include "passes/graph/parts/partial_reduction.h"

namespace sinter {
namespace {

// Whether what is reduced is what a loop leaves, but for elementwise operations, by their first operand that is an
// array, and reshapes.
bool is_of_loop(const Instruction* value) {
  constexpr int kMostSteps = 64;
  for (int step = 0; step < kMostSteps; ++step) {
    if (value->opcode == Opcode::kGetTupleElement) return value->operand(0)->opcode == Opcode::kWhile;
    const Family family = family_of(*value);
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
// longer than two launches: `much_of_row` adds.
std::optional<int64_t> part_of(const RowExtents& rows, Instruction* reduced, int64_t much_of_row) {
  constexpr int64_t kFewBlocks = 64;
  constexpr int64_t kLoadAndStep = 8;       // adds: what an element takes that is only read
  constexpr int64_t kMuchOfPart = 1 << 15;  // adds: what is worth a block, or a warp
  constexpr int64_t kSmallPart = 128, kMediumPart = 1024, kLargePart = 4096;  // elements
  constexpr int64_t kShortAcross = 4096, kFewOfThese = 128;  // whose blocks have a quarter of the threads
  constexpr int64_t kMuchAcross = 1 << 14;  // adds: 8 us of a block of 256 threads, whose warps share the row
  constexpr int64_t kParts = 1024;          // of all results, so that every multiprocessor has several
  constexpr int64_t kManyOfLoop = 8192, kSmallBlock = 256, kMostParts = 2048;
  const bool across = rows.inner > 1;
  if (!across && rows.rows == 1 && rows.columns >= kManyOfLoop && is_of_loop(reduced))
    return std::clamp(rows.columns / kMostParts, kSmallBlock, kMostThreads);
  const int64_t blocks = across ? ceil_div(rows.rows, kWarp) : rows.rows;
  if (blocks > (across && rows.columns < kShortAcross ? kFewOfThese : kFewBlocks)) return std::nullopt;
  const int64_t parts = std::max<int64_t>(kParts / blocks, 2);
  const int64_t cost = kLoadAndStep + cost_of(work_of_element(reduced));
  if (across) {
    if (rows.columns * cost < kMuchAcross) return std::nullopt;
    return std::max<int64_t>(rows.columns / parts, 256);
  }
  if (rows.columns * cost < much_of_row) return std::nullopt;
  const int64_t least = std::clamp(kMuchOfPart / cost, kSmallPart, kMediumPart);
  return std::max<int64_t>(rows.columns / parts, std::clamp(rows.columns / kFewBlocks, least, kLargePart));
}

// What is reduced, and arrays that it is computed from element by element.
struct Elements {
  bool read_by_others = false;  // than the reduction
  bool by_dimensions = false;   // an index map among them has a place of its own for each dimension
};

// A distance of two points, a sum of three components: what a thread makes for each element.
bool is_short_reduction(const Instruction& value) {
  return value.opcode == Opcode::kReduce && value.operands().size() == 2 &&
         value.operand(0)->shape.element_count() <= kFewReduced * value.shape.element_count();
}

// An element of a table for each index.
bool is_lookup(const Instruction& value) {
  return value.opcode == Opcode::kGather && value.operand(1)->shape.element_count() == value.shape.element_count();
}

Elements elements_of(const Instruction* reduced) {
  constexpr size_t kNearest = 64;
  Elements result;
  std::vector<const Instruction*> open = {reduced};
  for (size_t next = 0; next < std::min(open.size(), kNearest); ++next) {
    const Instruction* value = open[next];
    const std::vector<Instruction*>& users = value->users();
    result.read_by_others |=
        std::any_of(users.begin(), users.end(), [&](const Instruction* user) { return user != users[0]; });
    const Family family = family_of(*value);
    if (is_short_reduction(*value)) {
      open.push_back(value->operand(0));
      continue;
    }
    if (is_lookup(*value)) {
      open.push_back(value->operand(1));
      continue;
    }
    if (value->opcode != Opcode::kReshape && family != Family::kElementwise) {
      result.by_dimensions |= family == Family::kIndexMap;
      continue;
    }
    for (const Instruction* operand : value->operands()) {
      const bool number = operand->opcode == Opcode::kConstant ||
                          (operand->opcode == Opcode::kBroadcast && operand->operand(0)->shape.element_count() == 1);
      if (!number && operand->shape.element_count() == value->shape.element_count()) open.push_back(operand);
    }
  }
  return result;
}

// All elements of the last dimensions, about as many as `wanted`: a thread then has the place along the others from its
// row. nullopt where that leaves too few rows, or short ones.
std::optional<int64_t> part_of_dimensions(const Shape& shape, int64_t wanted) {
  constexpr int64_t kShortest = 128, kFewestRows = 64, kMost = 4;  // kMost: times as many
  std::optional<int64_t> best;
  int64_t part = 1;
  for (size_t d = shape.dims.size(); d-- > 1;) {
    part *= shape.dims[d];
    const bool fits = part >= kShortest && part <= kMost * wanted && part * kFewestRows <= shape.element_count();
    if (fits) best = part;
  }
  return best;
}

// So many whole warps that what they leave over is a part too.
int64_t short_last_part(int64_t length, int64_t wanted) {
  constexpr int64_t kWarp = 32;
  int64_t part = ceil_div(near_divisor(length, wanted), kWarp) * kWarp;
  while (length % part < kFewReduced) part += kWarp;
  return part;
}

// Of one of several results, whose elements are `length` neighbours or, across rows, apart.
int64_t part_of_each(const Instruction& reduced, const RowExtents& rows, int64_t wanted) {
  const int64_t length = rows.columns;
  if (rows.inner == 1 && elements_of(&reduced).by_dimensions) {
    const std::optional<int64_t> part = part_of_dimensions(reduced.shape, wanted);
    if (part && length % *part == 0) return *part;
  }
  const int64_t part = near_divisor(length, wanted);
  return length % part == 0 ? part : short_last_part(length, wanted);
}

int64_t part_of_all(const Instruction& reduced, int64_t length, int64_t wanted) {
  const Elements elements = elements_of(&reduced);
  const bool divides = length % near_divisor(length, wanted) == 0;
  if (elements.by_dimensions || (elements.read_by_others && !divides)) {
    if (const std::optional<int64_t> part = part_of_dimensions(reduced.shape, wanted)) return *part;
  }
  if (elements.read_by_others && !divides) return short_last_part(length, wanted);
  return near_part(length, wanted);
}

}  // namespace

bool split_reduction(Instruction& reduce, int64_t much_of_row) {
  const std::optional<RowExtents> rows = reduced_rows(reduce);
  const std::optional<int64_t> wanted =
      rows && reduce.operands().size() == 2 ? part_of(*rows, reduce.operand(0), much_of_row) : std::nullopt;
  if (!wanted) return false;
  Instruction* reduced = reduce.operand(0);
  const int64_t part =
      rows->rows == 1 ? part_of_all(*reduced, rows->columns, *wanted) : part_of_each(*reduced, *rows, *wanted);
  if (part >= rows->columns) return false;
  std::optional<PartialReduction> parts = PartialReduction::of(reduce);
  if (!parts) return false;
  parts->in_parts(*rows, part);
  // What the parts come to may be very many again.
  if (reduce.opcode == Opcode::kReduce) split_reduction(reduce, much_of_row);
  return true;
}

bool split_reductions(Module& module, const GraphPassOptions& options) {
  constexpr int64_t kMuchOfRow = 1 << 20;  // adds: 3 us of a block of 1,024 threads of an h200
  bool changed = false;
  const std::set<const Instruction*> attended = attended_later(module, options);
  for (Instruction* reduce : reductions_to_split(module))
    changed |= attended.count(reduce) == 0 && split_reduction(*reduce, kMuchOfRow);
  if (changed) module.sort_computations();
  return changed;
}

}  // namespace sinter
