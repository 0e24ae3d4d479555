// join_scatters: updates that come one after the other, and scatters whose results are combined as their updates are,
// are one scatter.
//
//   %a = f32[524288,2] scatter(%x, %i, %u), to_apply=%add           i s32[1000000], u f32[1000000,2]
//   %b = f32[524288,2] scatter(%a, %j, %v), to_apply=%add
//                         or
//   %a = f32[524288,2] scatter(%zeros, %i, %u), to_apply=%add
//   %c = f32[524288,2] scatter(%x, %j, %v), to_apply=%add
//   %b = add(%a, %c)
//                         =>
//   %b = f32[524288,2] scatter(%x, concatenate(%i, %j), concatenate(%u, %v)), to_apply=%add
//
// Gradients of tables that a program reads in several places are such sums. What is added to a scatter into zeros is
// what it begins as. Where few elements have very many updates it is the other way round: what they begin as is
// combined with bins that begin as nothing (passes/stages/own/bins_stage.h).
//
//   %s = f32[1024] scatter(%x, %i, %u), to_apply=%add                i s32[1000000]
//                         =>
//   %s = add(%x, f32[1024] scatter(%zeros, %i, %u))
//
// Scatters whose elements look at all updates themselves stay (scatter_stage.h), as do those that are known to be
// sorted, or to update each element once.
#include <algorithm>
#include <numeric>

#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/scatters/scatter_dims.h"
#include "passes/stages/own/bins_stage.h"
#include "passes/stages/own/scatter_stage.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// More pieces are read one by one at each place, or stored first.
constexpr size_t kMostPieces = 64;

bool is_scatter(const Instruction& value) { return value.opcode == Opcode::kScatter && value.operands().size() == 3; }

// The only one who reads it; nullptr where there are others.
Instruction* only_user(const Instruction& value) {
  return value.users().size() == 1 && value.parent()->root() != &value ? value.users()[0] : nullptr;
}

// How many dimensions of the updates count them, which come first; nullopt where they do not.
std::optional<int64_t> counting_dims(const Instruction& scatter) {
  const Attributes& attributes = scatter.attributes;
  const Shape& indices = scatter.operand(1)->shape;
  const int64_t vector_dim = attributes.index_vector_dim.value();
  if (!list(attributes.input_batching_dims).empty() || vector_dim < indices.rank() - 1) return std::nullopt;
  const Dims windows = list(attributes.update_window_dims);
  Dims last(windows.size());
  const int64_t first = scatter.operand(2)->shape.rank() - std::ssize(windows);
  std::iota(last.begin(), last.end(), first);
  return windows == last ? std::optional(first) : std::nullopt;
}

// One scatter of many, which has a stage of its own.
bool may_be_joined(const Instruction& scatter) {
  if (!is_scatter(scatter) || !counting_dims(scatter)) return false;
  const Attributes& attributes = scatter.attributes;
  if (attributes.unique_indices.value_or(false) || attributes.indices_are_sorted.value_or(false)) return false;
  return wants_bins(scatter) || !folds(scatter);
}

Dims updated_window(const Instruction& scatter) {
  const Dims& dims = scatter.operand(2)->shape.dims;
  return {dims.begin() + *counting_dims(scatter), dims.end()};
}

int64_t updates_of(const Instruction& scatter) {
  const Dims& dims = scatter.operand(2)->shape.dims;
  return std::accumulate(dims.begin(), dims.begin() + *counting_dims(scatter), int64_t{1}, std::multiplies<>());
}

bool combine_alike(const Instruction& a, const Instruction& b) {
  const Computation& first = **a.attributes->to_apply;
  const Computation& second = **b.attributes->to_apply;
  return &first == &second || (overwrites(first) && overwrites(second)) ||
         (simple_combiner(first) && simple_combiner(first) == simple_combiner(second));
}

// So many updates are sorted together in the time of two launches more, and of those that the result's size takes: to
// sort more is longer than to sort a part and the rest.
bool are_sorted_soon(const Instruction& scatter, int64_t updates) {
  constexpr int64_t kSoon = 1 << 20, kBytesOfUpdate = 32;
  return updates <= kSoon + scatter.shape.bytes() / kBytesOfUpdate;
}

// Whether updates of both may be those of one scatter, and had better be.
bool may_be_one(const Instruction& a, const Instruction& b) {
  if (!may_be_joined(a) || !may_be_joined(b) || !combine_alike(a, b)) return false;
  const bool alike =
      a.shape == b.shape && a.operand(1)->shape.dtype == b.operand(1)->shape.dtype &&
      list(a.attributes->inserted_window_dims) == list(b.attributes->inserted_window_dims) &&
      list(a.attributes->scatter_dims_to_operand_dims) == list(b.attributes->scatter_dims_to_operand_dims) &&
      updated_window(a) == updated_window(b);
  // What need not be sorted alone would be together.
  const int64_t all = updates_of(a) + updates_of(b);
  const auto becomes_sorted = [&](const Instruction& one) {
    return are_few(one, updates_of(one)) && !are_few(one, all);
  };
  const bool soon = !needs_order(a) || (may_have_bins(a) && may_have_bins(b)) || a.operand(1) == b.operand(1) ||
                    are_sorted_soon(a, all);
  return alike && all <= INT32_MAX && soon && !becomes_sorted(a) && !becomes_sorted(b);
}

// The pieces of what is put together along the first dimension.
std::vector<Value> pieces_of(Value value) {
  const bool is_joined = value->opcode == Opcode::kConcatenate && value->attributes->dimensions == Dims{0};
  return is_joined ? std::vector<Value>(value->operands().begin(), value->operands().end()) : std::vector{value};
}

// `first`'s updates, then `second`'s, in the elements of `begin`; nullptr where they would be of too many pieces.
Value joined_updates(GraphBuilder& at, Value begin, const Instruction& first, const Instruction& second) {
  Attributes attributes = first.attributes;
  const Dims window = updated_window(first);
  attributes.update_window_dims = Dims(window.size());
  std::iota(attributes.update_window_dims->begin(), attributes.update_window_dims->end(), int64_t{1});
  attributes.index_vector_dim = 1;
  // The updates alone are two where both are of the same places, and any order will do.
  const std::optional<Opcode> operation = simple_combiner(**first.attributes->to_apply);
  const auto indices_of = [&](const Instruction& scatter) {
    const int64_t count = updates_of(scatter);
    return at.reshape(scatter.operand(1),
                      {count, scatter.operand(1)->shape.element_count() / std::max<int64_t>(count, 1)});
  };
  const auto values_of = [&](const Instruction& scatter) {
    Dims dims = {updates_of(scatter)};
    dims.insert(dims.end(), window.begin(), window.end());
    return at.reshape(scatter.operand(2), dims);
  };
  if (operation && first.operand(1) == second.operand(1)) {
    const Value both = at.make(*operation, {values_of(first), values_of(second)});
    return at.make(Opcode::kScatter, {begin, indices_of(first), both}, std::move(attributes));
  }
  std::vector<Value> indices, values;
  for (const Instruction* scatter : {&first, &second}) {
    const std::vector<Value> numbers = pieces_of(indices_of(*scatter)), pieces = pieces_of(values_of(*scatter));
    indices.insert(indices.end(), numbers.begin(), numbers.end());
    values.insert(values.end(), pieces.begin(), pieces.end());
  }
  if (std::max(indices.size(), values.size()) > kMostPieces) return nullptr;
  const std::vector<Value> operands = {begin, at.concatenate(indices, 0), at.concatenate(values, 0)};
  return at.make(Opcode::kScatter, operands, std::move(attributes));
}

// scatter(scatter(x, i, u), j, v)
bool join_updates(Instruction& scatter) {
  if (!is_scatter(scatter)) return false;
  Instruction& before = *scatter.operand(0);
  if (only_user(before) != &scatter || !may_be_one(before, scatter)) return false;
  GraphBuilder at(scatter);
  const Value joined = joined_updates(at, before.operand(0), before, scatter);
  if (joined == nullptr) return false;
  scatter.replace_all_uses_with(joined);
  return true;
}

bool begins_as_nothing(const Instruction& scatter) {
  const std::optional<Opcode> operation = simple_combiner(**scatter.attributes->to_apply);
  return operation && neutral_beginning(*operation, scatter.shape.dtype, *scatter.operand(0));
}

// add(scatter(zeros, i, u), scatter(x, j, v)), add(scatter(zeros, i, u), x)
bool join_results(Instruction& sum) {
  if (sum.operands().size() != 2 || !sum.shape.is_array()) return false;
  for (size_t first = 0; first < 2; ++first) {
    Instruction& scatter = *sum.operand(first);
    Instruction& other = *sum.operand(1 - first);
    if (!may_be_joined(scatter) || only_user(scatter) != &sum || &scatter == &other || !begins_as_nothing(scatter) ||
        simple_combiner(**scatter.attributes->to_apply) != sum.opcode)
      continue;
    GraphBuilder at(sum);
    Value joined = nullptr;
    if (is_scatter(other) && only_user(other) == &sum) {
      if (!may_be_one(scatter, other)) continue;
      joined = first == 0 ? joined_updates(at, other.operand(0), scatter, other)
                          : joined_updates(at, other.operand(0), other, scatter);
    } else if (!wants_bins(scatter) && !splat_value(other)) {
      joined =
          at.make(Opcode::kScatter, {&other, scatter.operand(1), scatter.operand(2)}, Attributes(*scatter.attributes));
    }
    if (joined == nullptr) continue;
    sum.replace_all_uses_with(joined);
    return true;
  }
  return false;
}

// scatter(x, i, u) of few elements
bool separate_beginning(Instruction& scatter) {
  if (!is_scatter(scatter) || splat_value(*scatter.operand(0)) || !may_have_bins(scatter)) return false;
  const std::optional<Opcode> operation = simple_combiner(**scatter.attributes->to_apply);
  const std::optional<Literal> nothing =
      operation ? neutral_value(*operation, scatter.shape.dtype) : std::optional<Literal>();
  if (!nothing) return false;
  GraphBuilder at(scatter);
  const Value begin = at.splat(at.constant(*nothing), scatter.shape.dims);
  const Value bins =
      at.make(Opcode::kScatter, {begin, scatter.operand(1), scatter.operand(2)}, Attributes(*scatter.attributes));
  scatter.replace_all_uses_with(at.make(*operation, {scatter.operand(0), bins}));
  return true;
}

}  // namespace

bool join_scatters(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (const auto& computation : module.computations()) {
    std::vector<Instruction*> values;
    for (Instruction& instruction : computation->instructions()) values.push_back(&instruction);
    for (Instruction* value : values) {
      const bool is_read = !value->users().empty() || computation->root() == value;
      if (is_read && (join_updates(*value) || join_results(*value) || separate_beginning(*value))) changed = true;
    }
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
