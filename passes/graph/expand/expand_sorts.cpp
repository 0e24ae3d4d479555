// expand_sorts: rows of a few elements are sorted by comparing neighbours, element by element: what reads them, and
// what they are made of, can be in the same kernel.
//
//   %s = s32[1024,2] sort(%x), dimensions={1}, to_apply=%less
//                                        =>
//   %a = s32[1024,1] slice(%x), slice={[0:1024], [0:1]}
//   %b = s32[1024,1] slice(%x), slice={[0:1024], [1:2]}
//   %swaps = pred[1024,1] compare(%b, %a), direction=LT
//   %s = s32[1024,2] concatenate(select(%swaps, %b, %a), select(%swaps, %a, %b)), dimensions={1}
//
// A row of n elements takes n rounds, each of which compares every second pair of neighbours: equal elements never pass
// each other, so the order is stable, and what else an operand moves is moved alike. The comparator is the program's.
// Where a sort's elements lie side by side and are read whole, rows that fill a vector alone: a thread that stores some
// of a row would sort all of it. Sorts stay that have a stage of their own anyway, of longer rows or long comparators.
#include <algorithm>

#include "passes/analysis/values/hardware.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/on_arrays.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Values = std::vector<Value>;

constexpr int64_t kLongestNetwork = 16;
// Of all comparisons of a row.
constexpr int64_t kLargestNetwork = 512;
constexpr int64_t kVectorBytes = 16;

// What is read of a sort: its arrays, or elements of its tuple. False where the tuple is read otherwise.
bool results_of(const Instruction& sort, std::vector<const Instruction*>* results) {
  const auto is_root = [](const Instruction& value) { return value.parent()->root() == &value; };
  if (!sort.shape.is_tuple()) {
    results->push_back(&sort);
    return true;
  }
  results->insert(results->end(), sort.users().begin(), sort.users().end());
  return !is_root(sort) && std::ranges::all_of(*results, [](const Instruction* user) {
    return user->opcode == Opcode::kGetTupleElement;
  });
}

// Whether every reader of an array takes one element of each row, whose place is known.
bool is_read_one_by_one(const Instruction& result, size_t dimension) {
  return result.parent()->root() != &result && std::ranges::all_of(result.users(), [&](const Instruction* user) {
           return user->opcode == Opcode::kSlice && user->shape.dims[dimension] == 1;
         });
}

bool is_better_expanded(const Instruction& sort) {
  const Computation& comparator = **sort.attributes->to_apply;
  const auto dimension = static_cast<size_t>(sort.attributes->dimensions->front());
  const Shape& shape = sort.operand(0)->shape;
  const int64_t columns = shape.dims[dimension];
  if (columns < 2 || columns > kLongestNetwork || shape.element_count() == 0 || !gives_elements(comparator))
    return false;
  const int64_t pairs = columns * (columns - 1) / 2, operands = std::ssize(sort.operands());
  const int64_t compares = std::ranges::count_if(comparator.instructions(), [](const Instruction& instruction) {
    return instruction.opcode != Opcode::kParameter && instruction.opcode != Opcode::kConstant;
  });
  if (pairs * (compares + 2 * operands) > kLargestNetwork) return false;

  std::vector<const Instruction*> results;
  if (!results_of(sort, &results)) return false;
  int64_t inner = 1;
  for (size_t d = dimension + 1; d < shape.dims.size(); ++d) inner *= shape.dims[d];
  return inner >= kWarp || std::ranges::all_of(results, [&](const Instruction* result) {
           const int64_t bytes = dtype_bytes((result == &sort ? shape : result->shape).dtype) * columns;
           const bool is_vector = (columns & (columns - 1)) == 0 && bytes <= kVectorBytes;
           return is_vector || is_read_one_by_one(*result, dimension);
         });
}

// By operand, the elements of a row in their order.
using Columns = std::vector<Values>;

void swap_neighbours(Instruction& sort, size_t place, const std::vector<int64_t>& dims, Columns* columns) {
  Values both;
  for (const Values& elements : *columns) both.insert(both.end(), {elements[place + 1], elements[place]});
  const Value swaps = on_arrays(sort, **sort.attributes->to_apply, both, dims)[0];
  GraphBuilder build(sort);
  for (Values& elements : *columns) {
    const Value low = elements[place], high = elements[place + 1];
    elements[place] = build.select({swaps, high, low});
    elements[place + 1] = build.select({swaps, low, high});
  }
}

bool expand_sort(Instruction& sort) {
  if (!is_better_expanded(sort)) return false;
  const int64_t dimension = sort.attributes->dimensions->front();
  std::vector<int64_t> dims = sort.operand(0)->shape.dims;
  const int64_t count = dims[static_cast<size_t>(dimension)];
  dims[static_cast<size_t>(dimension)] = 1;
  GraphBuilder build(sort);
  Columns columns;
  for (const Value operand : sort.operands()) {
    columns.emplace_back();
    for (int64_t i = 0; i < count; ++i) columns.back().push_back(build.slice(operand, dimension, i, i + 1));
  }
  for (int64_t round = 0; round < count; ++round) {
    for (int64_t place = round % 2; place + 1 < count; place += 2)
      swap_neighbours(sort, static_cast<size_t>(place), dims, &columns);
  }
  if (!sort.shape.is_tuple()) {
    Attributes attributes;
    attributes.dimensions = std::vector<int64_t>{dimension};
    become(sort, Opcode::kConcatenate, columns[0], std::move(attributes));
    return true;
  }
  Values results;
  for (const Values& elements : columns) results.push_back(build.concatenate(elements, dimension));
  become(sort, Opcode::kTuple, results);
  return true;
}

}  // namespace

bool expand_sorts(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* sort : instructions_of(module, Opcode::kSort)) changed |= expand_sort(*sort);
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
