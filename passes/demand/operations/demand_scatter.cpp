// An element of a scatter as a fold: it begins as the operand's element and takes, in the order of the updates, those
// whose window covers it.
//
//   float out = operand[i];
//   for (int k = 0; k < 24; ++k) {
//     const int start = indices[k];
//     if (start == i) out += updates[k];
//   }
#include <algorithm>

#include "passes/demand/demand.h"
#include "passes/demand/index_ranges.h"
#include "passes/demand/operations/scatter_lists.h"

namespace sinter {

namespace {

using Kind = DemandNode::Kind;

// Whether they cannot hold both, as far as they are about the same value or its opposite.
bool exclude(const DemandTest& a, const DemandTest& b) {
  if (const IndexExpr apart = a.expr - b.expr; apart.is_constant())
    return b.low + apart.constant() >= a.high || b.high + apart.constant() <= a.low;
  if (const IndexExpr sum = a.expr + b.expr; sum.is_constant())
    return sum.constant() - b.high + 1 >= a.high || sum.constant() - b.low + 1 <= a.low;
  return false;
}

// One is false wherever it is asked, or two are never true together.
bool never_hold(const std::vector<DemandTest>& tests) {
  for (size_t i = 0; i < tests.size(); ++i) {
    if (outside_of(tests[i].expr.range(), tests[i].low, tests[i].high)) return true;
    for (size_t k = 0; k < i; ++k) {
      if (exclude(tests[i], tests[k])) return true;
    }
  }
  return false;
}

}  // namespace

// The start of a window along one dimension, in a range that holds 0 to `limit` and a place on either side: a value
// outside is still outside. 64-bit indices are limited to that range, so that they are good as int.
IndexExpr DemandGraph::window_start(const Key& key, NodeId node, int64_t limit, bool may_be_wide) {
  const IndexExpr start = index_of(node);
  const IndexRange range = start.range();
  if (may_be_wide && range.low >= INT32_MIN && range.high <= UINT32_MAX) return start;
  const IndexRange limits = {std::clamp<int64_t>(range.low, -1, limit + 1),
                             std::clamp<int64_t>(range.high, -1, limit + 1)};
  const DType dtype = dtype_bits(nodes[node].dtype) > 32 && limit < INT32_MAX ? DType::kS32 : nodes[node].dtype;
  return limited(key, node, limits, dtype);
}

// Where only one step along a coordinate can make `inside` zero, that step takes the place of the loop. True if so.
bool DemandGraph::solve_step(const IndexExpr& inside, DemandReduce* reduce) {
  for (const IndexExpr::Term& term : inside.terms()) {
    const int id = term.atom->id;
    if (term.atom->kind != IndexExpr::AtomKind::kCoordinate || std::abs(term.coefficient) != 1) continue;
    if (coordinates[id].scope != reduce->scope) continue;
    const IndexExpr step = coordinate(id) - inside * term.coefficient;
    bool elsewhere = false;
    step.visit_leaves([&](const IndexExpr::Atom& atom) {
      elsewhere |= atom.kind == IndexExpr::AtomKind::kCoordinate ? coordinates[atom.id].scope == reduce->scope
                                                                 : atom.kind == IndexExpr::AtomKind::kValue;
    });
    if (elsewhere) continue;
    reduce->solved[id] = step;
    std::erase(scopes[reduce->scope].coordinates, id);
    reduce->starts.clear();
    return true;
  }
  return false;
}

// A planned scatter, some of whose steps count, becomes a reduction.
int DemandGraph::open_scatter(const Key& key, bool simple) {
  if (const auto opened = reduce_of_.find(key); opened != reduce_of_.end()) return opened->second;
  const int number = static_cast<int>(reduces.size());
  reduces.push_back(std::move(planned_.at(key)));
  planned_.erase(key);
  reduce_of_[key] = number;
  if (!simple) add_accumulators(number);
  return number;
}

NodeId DemandGraph::build_scatter(const Key& key) {
  const Instruction* instruction = key.instruction;
  const Attributes& attributes = instruction->attributes;
  const size_t count = (instruction->operands().size() - 1) / 2;
  const Shape& target = instruction->operand(0)->shape;
  const Shape& indices = instruction->operand(count)->shape;
  const Shape& updates = instruction->operand(count + 1)->shape;
  const Computation& combiner = **attributes.to_apply;
  const bool simple = count == 1 && simple_combiner(combiner).has_value();
  const auto [window_dims, inserted, batching, indices_batching, start_map, vector_dim] =
      scatter_lists(attributes, indices);

  Key base = key;
  base.result = 0;
  const auto opened = reduce_of_.find(base);
  DemandReduce& reduce = opened == reduce_of_.end() ? planned_[base] : reduces[opened->second];
  if (reduce.instruction == nullptr) {
    reduce.instruction = instruction;
    for (int* scope : {&reduce.scope, &reduce.guard}) {
      scopes.emplace_back();
      scopes.back().kind = scope == &reduce.scope ? DemandScope::Kind::kReduce : DemandScope::Kind::kGuard;
      scopes.back().instruction = instruction;
      *scope = static_cast<int>(scopes.size()) - 1;
    }
    for (int64_t d = 0; d < updates.rank(); ++d) {
      if (!contains(window_dims, d))
        reduce.steps.push_back(add_coordinate(updates.dims[d], CoordinateRole::kTerm, reduce.scope));
    }
  }

  // The place among the updates' windows, and in the index vectors that say where they go.
  std::vector<IndexExpr> batch;
  std::vector<DemandTest> tests, covers;
  for (const int id : reduce.steps) {
    const auto found = reduce.solved.find(id);
    if (found == reduce.solved.end()) {
      batch.push_back(coordinate(id));
      continue;
    }
    const IndexRange range = found->second.range();
    if (range.low < 0 || range.high >= coordinates[id].extent)
      covers.push_back({found->second, 0, coordinates[id].extent});
    batch.push_back(found->second);
  }
  const auto index_place = [&](int64_t component) {
    std::vector<IndexExpr> place;
    size_t next = 0;
    for (int64_t d = 0; d < indices.rank(); ++d)
      place.push_back(d == vector_dim ? IndexExpr(component) : batch[next++]);
    return place;
  };

  // Its tests are others when another step is solved for.
  Key solved = key;
  solved.result = static_cast<int>(reduce.solved.size());

  // What window covers the element, and where in the window it lies.
  std::vector<IndexExpr> window;
  std::vector<NodeId> starts;
  for (size_t k = 0; k < start_map.size(); ++k) {
    std::vector<IndexExpr> place = index_place(static_cast<int64_t>(k));
    // Where the step that was solved for is none, there is nothing to read.
    const NodeId start = covers.empty() ? kNoNode : operand_where(solved, covers, count, place);
    if (!missing_.empty()) return kNoNode;
    if (start == kNoNode || !depends_on_data(index_of(start))) {
      starts.push_back(operand(key, count, std::move(place)));
      continue;
    }
    const NodeId outside = constant_node(instruction, integer_literal(indices.dtype, 0));
    starts.push_back(choose_where(solved, covers, start, outside));
  }
  std::vector<NodeId> init;
  for (size_t i = 0; i < count; ++i) init.push_back(operand(key, i, key.index));
  if (!missing_.empty()) return kNoNode;
  size_t next_window = 0;
  for (int64_t d = 0; d < target.rank(); ++d) {
    const bool one = contains(inserted, d) || contains(batching, d);
    const int64_t size = one ? 1 : updates.dims[window_dims[next_window++]];
    IndexExpr start = 0;
    const int64_t limit = target.dims[d] - size;
    const auto mapped = std::find(start_map.begin(), start_map.end(), d);
    const auto batched = std::find(batching.begin(), batching.end(), d);
    if (batched != batching.end()) {
      const int64_t position = indices_batching[batched - batching.begin()];
      start = batch[position > vector_dim ? position - 1 : position];
    } else if (mapped != start_map.end()) {
      const auto known = reduce.starts.find(d);
      if (known == reduce.starts.end()) {
        start = window_start(key, starts[mapped - start_map.begin()], limit, size == 1);
        reduce.starts[d] = start;
      } else {
        start = known->second;
      }
      const IndexRange range = start.range();
      // A window of one element that lies where the element is fits.
      if (size != 1 && (range.low < 0 || range.high > limit)) tests.push_back({start, 0, limit + 1});
    }
    const IndexExpr inside = key.index[d] - start;
    if (size == 1 && solve_step(inside, &reduce)) return build_scatter(key);
    if (inside.range().low < 0 || inside.range().high >= size) covers.push_back({inside, 0, size});
    if (!one) window.push_back(size == 1 ? IndexExpr(0) : inside);
  }
  tests.insert(tests.end(), covers.begin(), covers.end());
  if (never_hold(tests)) return init[key.result];
  const int number = open_scatter(base, simple);
  const int guard = reduces[number].guard;

  std::vector<IndexExpr> update_index;
  size_t next_batch = 0;
  for (int64_t d = 0; d < updates.rank(); ++d) {
    const auto in_window = std::find(window_dims.begin(), window_dims.end(), d);
    update_index.push_back(in_window != window_dims.end() ? window[in_window - window_dims.begin()]
                                                          : batch[next_batch++]);
  }
  std::vector<NodeId> values;
  for (size_t i = 0; i < count; ++i) {
    values.push_back(want(key.frame, guard, instruction->operand(count + 1 + i), update_index));
  }
  if (!missing_.empty()) return kNoNode;
  if (!simple && reduces[number].combined.empty()) {
    const int frame = combiner_frame(key, combiner, reduces[number].accumulators, values);
    std::vector<NodeId> combined;
    for (size_t i = 0; i < count; ++i) {
      const Instruction* root = combiner.root();
      combined.push_back(want(frame, guard, root->opcode == Opcode::kTuple ? root->operand(i) : root, {}));
    }
    if (!missing_.empty()) return kNoNode;
    reduces[number].combined = std::move(combined);
  }
  reduces[number].init = std::move(init);
  reduces[number].values = std::move(values);
  reduces[number].tests = std::move(tests);

  return reduce_node(key, number, instruction->operand(key.result)->shape.dtype);
}

// The frame of a combiner, its parameters bound to the accumulators and the step's values.
int DemandGraph::combiner_frame(const Key& key, const Computation& combiner, const std::vector<NodeId>& accumulators,
                                const std::vector<NodeId>& values) {
  Frame frame;
  frame.parent = key.frame;
  const std::vector<Instruction*> parameters = combiner.parameters();
  for (size_t i = 0; i < values.size(); ++i) {
    frame.bindings[parameters[i]] = accumulators[i];
    frame.bindings[parameters[values.size() + i]] = values[i];
  }
  for (size_t f = 1; f < frames_.size(); ++f) {
    if (frames_[f].bindings == frame.bindings) return static_cast<int>(f);
  }
  frames_.push_back(std::move(frame));
  return static_cast<int>(frames_.size()) - 1;
}

}  // namespace sinter
