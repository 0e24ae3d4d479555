// What reductions and dots demand: the terms of one result, in a loop of their own, unrolled, or spread over the
// threads of a row.
#include <algorithm>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/analysis/values/fold_value.h"
#include "passes/demand/choices.h"
#include "passes/demand/demand.h"

namespace sinter {

using Kind = DemandNode::Kind;

// Binds a combiner's parameters to `arguments`, and demands its results. False while some are missing.
bool DemandGraph::combine_steps(int parent, const Computation& combiner, int number,
                                const std::vector<NodeId>& arguments) {
  Frame frame;
  frame.parent = parent;
  const std::vector<Instruction*> parameters = combiner.parameters();
  for (size_t i = 0; i < parameters.size(); ++i) frame.bindings[parameters[i]] = arguments[i];
  int frame_number = -1;
  for (size_t f = 1; f < frames_.size(); ++f) {
    if (frames_[f].bindings == frame.bindings) frame_number = static_cast<int>(f);
  }
  if (frame_number < 0) {
    frames_.push_back(frame);
    frame_number = static_cast<int>(frames_.size()) - 1;
  }
  std::vector<NodeId> combined;
  const Instruction* root = combiner.root();
  const bool several = root->opcode == Opcode::kTuple;
  for (size_t i = 0; i < (several ? root->operands().size() : 1); ++i) {
    combined.push_back(want(frame_number, 0, several ? root->operand(i) : root, {}));
  }
  if (!missing_.empty()) return false;
  reduces[number].combined = std::move(combined);
  return true;
}

// Nodes that stand for the running values in the combiner of reduces[number].
void DemandGraph::add_accumulators(int number) {
  const Instruction* instruction = reduces[number].instruction;
  for (size_t i = 0; i < instruction->operands().size() / 2; ++i) {
    DemandNode node;
    node.kind = Kind::kAccumulator;
    node.instruction = instruction;
    node.dtype = instruction->operand(i)->shape.dtype;
    node.reduce = number;
    node.result = static_cast<int>(i);
    reduces[number].accumulators.push_back(add(std::move(node)));
  }
}

bool DemandGraph::needs_writing_out(const Key& key) const {
  return row_coordinate_ >= 0 || key.frame != 0 || is_made_of_parts(*key.instruction->operand(0), context_->computed);
}

// Whether the row's elements are reduced, or as many of an array of fewer rows (a mask's, of all channels of a sample).
bool DemandGraph::is_of_the_row(const Key& key, int64_t elements) const {
  if (reduced_rows(*key.instruction) == rows_) {
    return linearize(key.index, key.instruction->shape.dims) == coordinate(row_coordinate_);
  }
  if (elements != rows_.columns || short_rows_.missing > 0 || elements <= kShortReduction) return false;
  bool of_row = true;
  for (size_t d = 0; d < key.index.size(); ++d) {
    const IndexRange range = key.index[d].range();
    if (range.low < 0 || range.high >= key.instruction->shape.dims[d]) return false;
    key.index[d].visit_leaves([&](const IndexExpr::Atom& atom) {
      of_row &= atom.kind == IndexExpr::AtomKind::kCoordinate && atom.id == row_coordinate_;
    });
  }
  return of_row;
}

bool DemandGraph::is_in_parts(const IndexExpr& place, int64_t elements) const {
  const auto [parts, missing] = short_rows_;
  if (missing == 0 || elements != parts * rows_.columns - missing) return false;
  const IndexExpr part = coordinate(row_coordinate_).floor_div(rows_.inner).floor_mod(parts);
  return place == part * rows_.columns + coordinate(column_coordinate);
}

NodeId DemandGraph::build_reduce(const Key& key) {
  const Instruction* instruction = key.instruction;
  const size_t count = instruction->operands().size() / 2;
  const Shape& source = instruction->operand(0)->shape;
  const std::vector<int64_t>& reduced = *instruction->attributes->dimensions;
  const Computation& combiner = **instruction->attributes->to_apply;
  const std::optional<Opcode> simple = count == 1 ? simple_combiner(combiner) : std::nullopt;

  std::vector<int64_t> extents;
  int64_t elements = 1;
  for (const int64_t d : reduced) {
    extents.push_back(source.dims[d]);
    elements *= source.dims[d];
  }
  // The operand's index from the result's index and the reduced dimensions' index.
  const auto operand_index = [&](const std::vector<IndexExpr>& inner) {
    std::vector<IndexExpr> index;
    size_t next = 0;
    for (int64_t d = 0; d < source.rank(); ++d) {
      const auto found = std::find(reduced.begin(), reduced.end(), d);
      index.push_back(found == reduced.end() ? key.index[next++] : inner[found - reduced.begin()]);
    }
    return index;
  };

  const bool of_the_row = row_coordinate_ >= 0 && key.frame == 0 && simple && is_of_the_row(key, elements);
  // Threads that repeat an element add nothing: there must be such a value.
  const bool adds_nothing = simple && (fills_warps() || neutral_value(*simple, instruction->shape.dtype));
  const std::optional<std::vector<IndexExpr>> in_block =
      adds_nothing ? index_in_block(key, instruction->shape, extents) : std::nullopt;
  // All threads of the row or the block take part, whatever guard the result is used behind.
  if ((of_the_row || in_block) && key.guard != 0) {
    return want(key.frame, 0, instruction, key.index, key.result);
  }
  if (in_block) {
    const NodeId init = operand(key, 1, {}), value = operand(key, 0, operand_index(*in_block));
    return missing_.empty() ? block_reduce_node(key, {value, init}) : kNoNode;
  }

  Key base = key;
  base.result = 0;
  const auto found = reduce_of_.find(base);
  int number = found == reduce_of_.end() ? -1 : found->second;
  if (number < 0) {
    DemandReduce reduce;
    reduce.instruction = instruction;
    if (of_the_row) {
      reduce.cooperative = true;
      reduce.scope = coordinates[column_coordinate].scope;
    } else if (simple && elements <= kShortReduction && is_written_out(elements, needs_writing_out(key))) {
      reduce.scope = -1;
    } else if (simple && is_row_written_out(elements) && moves_state(key, 0)) {
      reduce.scope = -1;
    } else {
      DemandScope scope;
      scope.kind = DemandScope::Kind::kReduce;
      scope.instruction = instruction;
      scopes.push_back(scope);
      reduce.scope = static_cast<int>(scopes.size()) - 1;
      for (const int64_t extent : extents) add_coordinate(extent, CoordinateRole::kTerm, reduce.scope);
    }
    number = static_cast<int>(reduces.size());
    reduces.push_back(std::move(reduce));
    reduce_of_[base] = number;
    if (!simple && reduces[number].scope >= 0) add_accumulators(number);
  }

  std::vector<NodeId> init;
  for (size_t i = 0; i < count; ++i) init.push_back(operand(key, count + i, {}));
  std::vector<NodeId> values;
  std::vector<std::vector<NodeId>> terms;
  if (reduces[number].scope < 0) {
    for (int64_t t = 0; t < elements; ++t) {
      std::vector<IndexExpr> inner(extents.size());
      int64_t rest = t;
      for (size_t d = extents.size(); d-- > 0;) {
        inner[d] = rest % extents[d];
        rest /= extents[d];
      }
      terms.push_back({operand(key, 0, operand_index(inner))});
    }
  } else {
    std::vector<IndexExpr> inner;
    if (reduces[number].cooperative) {
      inner = delinearize(coordinate(column_coordinate), extents);
    } else {
      for (const int id : scopes[reduces[number].scope].coordinates) inner.push_back(coordinate(id));
    }
    for (size_t i = 0; i < count; ++i) values.push_back(operand(key, i, operand_index(inner)));
  }
  if (!missing_.empty()) return kNoNode;

  if (!simple && reduces[number].combined.empty()) {
    std::vector<NodeId> arguments = reduces[number].accumulators;
    arguments.insert(arguments.end(), values.begin(), values.end());
    if (!combine_steps(key.frame, combiner, number, arguments)) return kNoNode;
  }
  reduces[number].init = std::move(init);
  reduces[number].values = std::move(values);
  reduces[number].terms = std::move(terms);

  return reduce_node(key, number, instruction->operand(key.result)->shape.dtype);
}

// What a reduction of integers or truth values that is written out comes to, if all that it combines are constants: C++
// has no sums of constants that wrap, and compilers complain of others. The combiner takes its operands in any order.
std::optional<Literal> DemandGraph::fold_written_out(const DemandReduce& reduce) const {
  if (reduce.scope >= 0 || reduce.terms.empty() || reduce.instruction->opcode == Opcode::kDot) return std::nullopt;
  std::optional<Literal> result = constant(reduce.init[0]);
  if (!result || (!is_integer(result->shape().dtype) && result->shape().dtype != DType::kPred)) return std::nullopt;
  const Instruction& combine = *(*reduce.instruction->attributes->to_apply)->root();
  for (const std::vector<NodeId>& term : reduce.terms) {
    const std::optional<Literal> value = constant(term[0]);
    if (!value) return std::nullopt;
    result = fold_exactly(combine, {*result, *value});
    if (!result) return std::nullopt;
  }
  return result;
}

NodeId DemandGraph::reduce_node(const Key& key, int number, DType dtype) {
  if (std::optional<Literal> folded = fold_written_out(reduces[number])) {
    return constant_node(key.instruction, std::move(*folded));
  }
  DemandNode node;
  node.kind = Kind::kReduce;
  node.instruction = key.instruction;
  node.dtype = dtype;
  node.reduce = number;
  node.result = key.result;
  node.guard = key.guard;
  return add(std::move(node));
}

// How many terms each result of a reduction or a dot has.
static int64_t terms_of(const Instruction& instruction) {
  const std::vector<int64_t>& dims = instruction.operand(0)->shape.dims;
  const Attributes& attributes = instruction.attributes;
  int64_t terms = 1;
  for (const int64_t d : instruction.opcode == Opcode::kDot
                             ? attributes.lhs_contracting_dims.value_or(std::vector<int64_t>{})
                             : *attributes.dimensions)
    terms *= dims[d];
  return terms;
}

// Whether operand `side` is what a thread's loop carries from step to step, moved or changed element by element: its
// elements are variables of their own, which no loop can count through. Of parts put together a loop chooses one; of
// what each thread of a block has an element of, the others are read in shared memory.
bool DemandGraph::moves_state(const Key& key, size_t side) const {
  constexpr size_t kNearest = 32;
  const int loop = frames_[key.frame].loop;
  if (loop < 0) return false;
  const int64_t terms = terms_of(*key.instruction);
  int64_t threads = 1;
  for (const int id : parallel_coordinates_) threads *= coordinates[id].extent;
  std::vector<const Instruction*> open = {key.instruction->operand(side)};
  for (size_t next = 0; next < open.size() && next < kNearest; ++next) {
    const Instruction& value = *open[next];
    if (const std::optional<size_t> carry = carry_read(value)) {
      const bool exchanged = !block_coordinates_.empty() && own_index(value.shape);
      // Threads would carry the same long row.
      const bool repeats = terms > kShortReduction && value.shape.element_count() / terms < threads;
      if (loops[loop].info.carries[*carry].kind == CarryKind::kGeneral && !exchanged && !repeats) return true;
      continue;
    }
    const Family family = family_of(value);
    const bool moved = family == Family::kIndexMap && value.opcode != Opcode::kConcatenate;
    if (family == Family::kElementwise || moved)
      open.insert(open.end(), value.operands().begin(), value.operands().end());
  }
  return false;
}

NodeId DemandGraph::build_dot(const Key& key) {
  const Instruction* instruction = key.instruction;
  const Attributes& attributes = instruction->attributes;
  const auto list = [](const Boxed<std::vector<int64_t>>& values) { return values.value_or(std::vector<int64_t>{}); };
  const std::vector<int64_t> batch[2] = {list(attributes.lhs_batch_dims), list(attributes.rhs_batch_dims)};
  const std::vector<int64_t> contracting[2] = {list(attributes.lhs_contracting_dims),
                                               list(attributes.rhs_contracting_dims)};

  std::vector<int64_t> extents;
  for (const int64_t d : contracting[0]) extents.push_back(instruction->operand(0)->shape.dims[d]);
  // What each side is read at, `inner` along the contracted dimensions.
  const auto read = [&](const std::vector<IndexExpr>& inner) {
    std::vector<NodeId> values;
    size_t free_position = batch[0].size();
    for (size_t side = 0; side < 2; ++side) {
      const Shape& shape = instruction->operand(side)->shape;
      std::vector<IndexExpr> index;
      for (int64_t d = 0; d < shape.rank(); ++d) {
        const auto in_batch = std::find(batch[side].begin(), batch[side].end(), d);
        const auto in_contracting = std::find(contracting[side].begin(), contracting[side].end(), d);
        if (in_batch != batch[side].end()) {
          index.push_back(key.index[in_batch - batch[side].begin()]);
        } else if (in_contracting != contracting[side].end()) {
          index.push_back(inner[in_contracting - contracting[side].begin()]);
        } else {
          index.push_back(key.index[free_position++]);
        }
      }
      values.push_back(operand(key, side, std::move(index)));
    }
    return values;
  };

  const DType dtype = instruction->shape.dtype;
  const bool is_number = is_float(dtype) || (is_integer(dtype) && dtype_bits(dtype) >= 32);
  const std::optional<std::vector<IndexExpr>> in_block =
      is_number ? index_in_block(key, instruction->shape, extents) : std::nullopt;
  if (in_block && key.guard != 0) return want(key.frame, 0, instruction, key.index, key.result);
  if (in_block) {
    std::vector<NodeId> factors = read(*in_block);
    return missing_.empty() ? block_reduce_node(key, std::move(factors)) : kNoNode;
  }

  const auto found = reduce_of_.find(key);
  int number = found == reduce_of_.end() ? -1 : found->second;
  int64_t products = 1;
  for (const int64_t extent : extents) products *= extent;
  if (number < 0) {
    std::vector<std::pair<int64_t, std::string>> loops;
    for (const int64_t extent : extents) loops.emplace_back(extent, "k");
    const auto moves = [&] { return moves_state(key, 0) || moves_state(key, 1); };
    // Terms in a row's kernel are written out: its loop over the row's elements has none within.
    const bool in_row = row_coordinate_ >= 0 && is_written_out(products, false);
    const bool written_out = in_row || (is_row_written_out(products) && moves());
    number = open_reduce(key, loops, !written_out);
  }
  if (reduces[number].scope < 0) {
    std::vector<std::vector<NodeId>> terms;
    for (int64_t t = 0; t < products; ++t) terms.push_back(read(delinearize(IndexExpr(t), extents)));
    if (!missing_.empty()) return kNoNode;
    reduces[number].terms = std::move(terms);
    return reduce_node(key, number, dtype);
  }
  std::vector<IndexExpr> inner;
  for (const int id : scopes[reduces[number].scope].coordinates) inner.push_back(coordinate(id));
  std::vector<NodeId> values = read(inner);
  if (!missing_.empty()) return kNoNode;
  reduces[number].values = std::move(values);
  return reduce_node(key, number, dtype);
}

}  // namespace sinter
