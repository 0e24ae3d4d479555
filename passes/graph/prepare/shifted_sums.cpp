// A window that is written out, as a loop over its elements in Python leaves it:
//
//   %sum = f32[2160,3840] add(add(slice(%p), slice(%p)), slice(%p), ...)   p f32[2166,3846], 49 slices, one for each
//                                                                          place from [0, 0] to [6, 6]
//                                                         =>
//   %window = f32[2160,3840] reduce-window(%p, -0), window={size=7x7}, to_apply=%add
//
// A slice that simplify has made of a part of p, which p is put together of, or that part itself, is one of p. What
// terms make of their slices is made of p: %p * %p.
#include "passes/graph/prepare/shifted_sums.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Dims = std::vector<int64_t>;

// Fewer terms are as fast to add where they are read.
constexpr size_t kFewestShifted = 16, kMostShifted = 512;

// Where the arrays that `whole` is put together of begin in it.
using Parts = std::map<const Instruction*, Dims>;

void add_parts(Instruction* whole, const Dims& begin, int depth, Parts* parts) {
  constexpr int kMostDepth = 4;
  if (!parts->emplace(whole, begin).second || depth == kMostDepth) return;
  if (whole->opcode == Opcode::kPad) {
    Dims at = begin;
    for (size_t d = 0; d < at.size(); ++d) {
      const PadBounds& along = (*whole->attributes->padding)[d];
      if (along.interior != 0 || along.low < 0 || along.high < 0) return;
      at[d] += along.low;
    }
    add_parts(whole->operand(0), at, depth + 1, parts);
  } else if (whole->opcode == Opcode::kConcatenate) {
    Dims at = begin;
    const auto along = static_cast<size_t>(whole->attributes->dimensions->front());
    for (Instruction* piece : whole->operands()) {
      // One that stands there twice is found at its first place, which is as good.
      add_parts(piece, at, depth + 1, parts);
      at[along] += piece->shape.dims[along];
    }
  }
}

// A term: what an operation makes of a slice, or of an array as it is.
struct Term {
  const Instruction* operation = nullptr;  // nullptr: the slice itself
  Instruction* array = nullptr;
  Dims begin;
};

std::optional<Term> term_of(Instruction* value) {
  Term term;
  Instruction* read = value;
  const bool is_square = value->opcode == Opcode::kMultiply && value->operand(0) == value->operand(1);
  if (is_square || value->opcode == Opcode::kAbs || value->opcode == Opcode::kConvert) {
    term.operation = value;
    read = value->operand(0);
  }
  term.array = read;
  term.begin.assign(read->shape.dims.size(), 0);
  if (read->opcode != Opcode::kSlice) return term;
  term.array = read->operand(0);
  for (size_t d = 0; d < term.begin.size(); ++d) {
    const SliceBounds& along = (*read->attributes->slice)[d];
    if (along.stride != 1) return std::nullopt;
    term.begin[d] = along.start;
  }
  return term;
}

// The terms of a sum whose parts nothing else reads; empty if these are too many.
std::vector<Instruction*> terms_of(Instruction* sum) {
  std::vector<Instruction*> terms, left = {sum};
  while (!left.empty()) {
    Instruction* value = left.back();
    left.pop_back();
    const bool is_part = value->opcode == Opcode::kAdd && (value == sum || value->users().size() == 1) &&
                         value->operand(0) != value->operand(1);
    if (is_part) {
      left.push_back(value->operand(1));
      left.push_back(value->operand(0));
    } else {
      terms.push_back(value);
      if (terms.size() > kMostShifted) return {};
    }
  }
  return terms;
}

// Whether both are the same operation; of different types they are none.
bool is_same(const Instruction* a, const Instruction* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->opcode == b->opcode && a->shape.dtype == b->shape.dtype &&
         a->operand(0)->shape.dtype == b->operand(0)->shape.dtype;
}

Instruction* window_of(Instruction* sum) {
  const std::vector<Instruction*> values = terms_of(sum);
  if (values.size() < kFewestShifted) return nullptr;
  std::vector<Term> terms;
  Instruction* whole = nullptr;  // the largest that is sliced
  for (Instruction* value : values) {
    const std::optional<Term> term = term_of(value);
    if (!term || (!terms.empty() && !is_same(term->operation, terms[0].operation))) return nullptr;
    if (whole == nullptr || term->array->shape.element_count() > whole->shape.element_count()) whole = term->array;
    terms.push_back(*term);
  }
  Parts parts;
  add_parts(whole, Dims(whole->shape.dims.size(), 0), 0, &parts);
  std::set<Dims> places;
  Dims first, last;
  for (const Term& term : terms) {
    const auto part = parts.find(term.array);
    if (part == parts.end()) return nullptr;
    Dims place = part->second;
    for (size_t d = 0; d < place.size(); ++d) place[d] += term.begin[d];
    if (first.empty()) first = last = place;
    for (size_t d = 0; d < place.size(); ++d) {
      first[d] = std::min(first[d], place[d]);
      last[d] = std::max(last[d], place[d]);
    }
    if (!places.insert(place).second) return nullptr;
  }
  size_t count = 1, long_ones = 0;
  std::vector<WindowDimension> window(first.size());
  for (size_t d = 0; d < first.size(); ++d) {
    window[d].size = last[d] - first[d] + 1;
    count *= static_cast<size_t>(window[d].size);
    long_ones += window[d].size > 1 ? 1 : 0;
    if (count > kMostShifted) return nullptr;
  }
  if (count != terms.size() || long_ones < 2) return nullptr;

  GraphBuilder build(*sum);
  GraphBuilder::Value array = whole;
  for (size_t d = 0; d < first.size(); ++d) {
    const int64_t limit = last[d] + sum->shape.dims[d];
    if (first[d] > 0 || limit < array->shape.dims[d])
      array = build.slice(array, static_cast<int64_t>(d), first[d], limit);
  }
  if (const Instruction* operation = terms[0].operation; operation != nullptr) {
    array = operation->opcode == Opcode::kConvert
                ? build.convert(array, operation->shape.dtype)
                : build.make(operation->opcode, std::vector<GraphBuilder::Value>(operation->operands().size(), array));
  }
  Attributes attributes;
  attributes.window = std::move(window);
  attributes.to_apply = combine_two(*sum->parent()->parent(), Opcode::kAdd, sum->shape.dtype);
  const std::optional<Literal> nothing = neutral_value(Opcode::kAdd, sum->shape.dtype);
  return build.make(Opcode::kReduceWindow, {array, build.constant(*nothing)}, std::move(attributes));
}

}  // namespace

std::vector<ShiftedSum> windows_of_shifted_sums(Module& module) {
  std::vector<ShiftedSum> result;
  for (Instruction* sum : instructions_of(module, Opcode::kAdd)) {
    const bool is_part =
        sum->users().size() == 1 && sum->users().front()->opcode == Opcode::kAdd && sum->parent()->root() != sum;
    const bool has_none = sum->users().empty() && sum->parent()->root() != sum;
    const bool is_narrow = sum_type(sum->shape.dtype) != sum->shape.dtype;  // each sum is rounded, as it says
    if (is_part || has_none || is_narrow || sum->shape.dims.size() < 2 ||
        !neutral_value(Opcode::kAdd, sum->shape.dtype))
      continue;
    if (Instruction* window = window_of(sum)) result.push_back({sum, window});
  }
  return result;
}

}  // namespace sinter
