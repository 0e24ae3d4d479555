// What each opcode demands of its operands to give one element of its result.
#include <algorithm>

#include "ir/diagnostics.h"
#include "ir/op_table.h"
#include "passes/schedule/demand.h"
#include "passes/schedule/emittable.h"

namespace sinter {

namespace {

// A reduction over at most this many elements is written out, term by term, so that its operands may be registers
// with constant indices.
constexpr int64_t kUnrolledReduction = 16;

using Kind = DemandNode::Kind;

IndexRange dtype_range(DType dtype) {
  const int bits = dtype_bits(dtype);
  switch (dtype_class(dtype)) {
    case DTypeClass::kSigned:
      if (bits >= 64) return {INT64_MIN / 4, INT64_MAX / 4};
      return {-(int64_t{1} << (bits - 1)), (int64_t{1} << (bits - 1)) - 1};
    case DTypeClass::kUnsigned:
      if (bits >= 62) return {0, INT64_MAX / 4};
      return {0, (int64_t{1} << bits) - 1};
    default: return {0, 1};
  }
}

bool inside(const IndexRange& range, const IndexRange& limits) {
  return range.low >= limits.low && range.high <= limits.high;
}

bool outside_of(const IndexRange& range, int64_t low, int64_t high) { return range.high < low || range.low >= high; }

bool is_loop_state(const Instruction* instruction) { return instruction->opcode == Opcode::kParameter; }

}  // namespace

std::optional<Opcode> simple_combiner(const Computation& combiner) {
  const Instruction* root = combiner.root();
  if (root->operands().size() != 2 || combiner.parameters().size() != 2) return std::nullopt;
  switch (root->opcode) {
    case Opcode::kAdd:
    case Opcode::kMultiply:
    case Opcode::kMaximum:
    case Opcode::kMinimum:
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor: break;
    default: return std::nullopt;
  }
  const Instruction* a = root->operand(0);
  const Instruction* b = root->operand(1);
  if (a == b || a->opcode != Opcode::kParameter || b->opcode != Opcode::kParameter) return std::nullopt;
  return root->opcode;
}

NodeId DemandGraph::build(const Key& key) {
  const Instruction* instruction = key.instruction;
  const Frame& frame = frames_[key.frame];
  const auto bound = frame.bindings.find(instruction);
  if (bound != frame.bindings.end()) return bound->second;
  switch (instruction->opcode) {
    case Opcode::kConstant: return build_constant(key);
    case Opcode::kGetTupleElement: return build_get_tuple_element(key);
    case Opcode::kParameter:
      if (frame.loop >= 0) return build_loop_value(key, frame.loop, 0, false);
      return load(instruction, key);
    case Opcode::kOptBarrier: return operand(key, 0, key.index);
    case Opcode::kWhile:
      if (key.frame != 0 || context_->computed.count(instruction) > 0) {
        return build_loop_value(key, open_loop(key.frame, key.guard, instruction), 0, true);
      }
      return load(instruction, key);
    default: break;
  }
  if (key.frame == 0 && context_->computed.count(instruction) == 0) return load(instruction, key);
  return build_element(key);
}

NodeId DemandGraph::load(const Instruction* value, const Key& key) {
  DemandNode node;
  node.kind = Kind::kLoad;
  node.instruction = value;
  node.dtype = value->shape.dtype;
  node.expr = linearize(key.index, value->shape.dims);
  node.guard = key.guard;
  return add(std::move(node));
}

NodeId DemandGraph::index_node(IndexExpr expr, DType dtype, const Instruction* origin) {
  DemandNode node;
  node.kind = Kind::kIndex;
  node.instruction = origin;
  node.dtype = dtype;
  node.expr = std::move(expr);
  return add(std::move(node));
}

NodeId DemandGraph::build_constant(const Key& key) {
  const Literal& literal = key.instruction->literal;
  int64_t element = 0;
  if (!literal.shape().is_scalar() && !literal.is_splat()) {
    const IndexExpr offset = linearize(key.index, literal.shape().dims);
    if (!offset.is_constant()) return load(key.instruction, key);
    element = offset.constant();
  }
  DemandNode node;
  node.kind = Kind::kConstant;
  node.instruction = key.instruction;
  node.dtype = literal.shape().dtype;
  node.literal = Literal(Shape::scalar(node.dtype));
  const size_t size = static_cast<size_t>(dtype_bytes(node.dtype));
  const std::span<const std::byte> from = literal.bytes().subspan(static_cast<size_t>(element) * size, size);
  std::copy(from.begin(), from.end(), node.literal.mutable_bytes().begin());
  return add(std::move(node));
}

NodeId DemandGraph::build_get_tuple_element(const Key& key) {
  const Instruction* source = key.instruction->operand(0);
  const int element = static_cast<int>(*key.instruction->attributes.tuple_index);
  while (source->opcode == Opcode::kOptBarrier) source = source->operand(0);
  if (is_loop_state(source)) {
    const int loop = frames_[key.frame].loop;
    if (loop >= 0) return build_loop_value(key, loop, element, false);
    const auto counter = context_->counters.find(key.instruction);
    if (counter != context_->counters.end()) {
      if (host_counter_ < 0) host_counter_ = add_coordinate(context_->counter_trip, "t");
      const auto [start, step] = counter->second;
      return index_node(coordinate(host_counter_) * step + start, key.instruction->shape.dtype, key.instruction);
    }
    return load(key.instruction, key);
  }
  if (source->opcode == Opcode::kTuple) return want(key.frame, key.guard, source->operand(element), key.index);
  if (key.frame == 0 && context_->computed.count(source) == 0) return load(key.instruction, key);
  if (source->opcode == Opcode::kWhile) {
    return build_loop_value(key, open_loop(key.frame, key.guard, source), element, true);
  }
  return want(key.frame, key.guard, source, key.index, element);
}

NodeId DemandGraph::build_element(const Key& key) {
  const Instruction* instruction = key.instruction;
  const OpDef& row = op_def(instruction->opcode);
  if (row.source_index != nullptr) return operand(key, 0, row.source_index(*instruction, key.index));
  switch (instruction->opcode) {
    case Opcode::kIota:
      return index_node(key.index[*instruction->attributes.iota_dimension], instruction->shape.dtype, instruction);
    case Opcode::kConcatenate: return build_concatenate(key);
    case Opcode::kPad: return build_pad(key);
    case Opcode::kDynamicSlice: return build_dynamic_slice(key);
    case Opcode::kDynamicUpdateSlice: return build_dynamic_update_slice(key);
    case Opcode::kGather: return build_gather(key);
    case Opcode::kReduce: return build_reduce(key);
    case Opcode::kDot: return build_dot(key);
    case Opcode::kCall: return build_call(key);
    case Opcode::kBitcastConvert:
      if (dtype_bits(instruction->shape.dtype) == dtype_bits(instruction->operand(0)->shape.dtype)) return build_compute(key);
      break;
    default: break;
  }
  if (opcode_family(instruction->opcode) == Family::kElementwise) return build_compute(key);
  return fail(instruction, "unsupported-op");
}

std::optional<IndexExpr> DemandGraph::affine(NodeId id) const {
  const DemandNode& node = nodes[id];
  if (!is_integer(node.dtype)) return std::nullopt;
  if (node.kind == Kind::kIndex || node.kind == Kind::kClampIndex) {
    return node.kind == Kind::kIndex ? node.expr : IndexExpr::value(id, {node.low, node.high});
  }
  if (node.kind == Kind::kConstant) {
    const int64_t value = node.literal.integer_at(0);
    if (node.dtype == DType::kU64 && value < 0) return std::nullopt;
    return IndexExpr(value);
  }
  return std::nullopt;
}

IndexExpr DemandGraph::index_of(NodeId id) {
  if (const std::optional<IndexExpr> known = affine(id)) return *known;
  return IndexExpr::value(id, dtype_range(nodes[id].dtype));
}

// Integer arithmetic on what is known as an index expression, where it cannot wrap.
NodeId DemandGraph::fold_integer(const Instruction* instruction, const std::vector<NodeId>& operands) {
  const DType dtype = instruction->shape.dtype;
  if (!is_integer(dtype) || dtype_bits(dtype) < 8) return kNoNode;
  std::vector<IndexExpr> exprs;
  bool any_index = false;
  for (const NodeId node : operands) {
    const std::optional<IndexExpr> expr = affine(node);
    if (!expr) return kNoNode;
    any_index |= nodes[node].kind != Kind::kConstant;
    exprs.push_back(*expr);
  }
  if (!any_index) return kNoNode;
  std::optional<IndexExpr> result;
  const auto constant = [&](size_t i) { return exprs[i].is_constant() ? exprs[i].constant() : 0; };
  switch (instruction->opcode) {
    case Opcode::kAdd: result = exprs[0] + exprs[1]; break;
    case Opcode::kSubtract: result = exprs[0] - exprs[1]; break;
    case Opcode::kMultiply:
      if (exprs[1].is_constant() && std::abs(constant(1)) < (int64_t{1} << 31)) result = exprs[0] * constant(1);
      else if (exprs[0].is_constant() && std::abs(constant(0)) < (int64_t{1} << 31)) result = exprs[1] * constant(0);
      break;
    case Opcode::kDivide:
      if (constant(1) > 0 && exprs[0].range().low >= 0) result = exprs[0].floor_div(constant(1));
      break;
    case Opcode::kRemainder:
      if (constant(1) > 0 && exprs[0].range().low >= 0) result = exprs[0].floor_mod(constant(1));
      break;
    case Opcode::kConvert: result = exprs[0]; break;
    default: break;
  }
  if (!result || !inside(result->range(), dtype_range(dtype))) return kNoNode;
  return index_node(*result, dtype, instruction);
}

NodeId DemandGraph::build_compute(const Key& key) {
  const Instruction* instruction = key.instruction;
  std::vector<NodeId> operands;
  if (instruction->opcode == Opcode::kSelect) {
    // A decided select demands one arm only.
    const Instruction* predicate = instruction->operand(0);
    const NodeId condition = operand(key, 0, predicate->shape.is_scalar() ? std::vector<IndexExpr>{} : key.index);
    if (condition == kNoNode) return kNoNode;
    if (nodes[condition].kind == Kind::kConstant) {
      return operand(key, nodes[condition].literal.integer_at(0) != 0 ? 1 : 2, key.index);
    }
    operands.push_back(condition);
  }
  for (size_t i = operands.size(); i < instruction->operands().size(); ++i) {
    const bool scalar = instruction->operand(i)->shape.is_scalar() && !instruction->shape.is_scalar();
    operands.push_back(operand(key, i, scalar ? std::vector<IndexExpr>{} : key.index));
  }
  if (!missing_.empty()) return kNoNode;
  const NodeId folded = fold_integer(instruction, operands);
  if (folded != kNoNode) return folded;
  DemandNode node;
  node.kind = Kind::kCompute;
  node.instruction = instruction;
  node.dtype = instruction->shape.dtype;
  node.operands = std::move(operands);
  node.guard = key.guard;
  return add(std::move(node));
}

std::pair<int, int> DemandGraph::guards(const Key& key, int number) {
  std::vector<std::pair<int, int>>& made = guards_[key];
  while (static_cast<int>(made.size()) <= number) {
    std::pair<int, int> arms;
    for (int* arm : {&arms.first, &arms.second}) {
      DemandScope scope;
      scope.kind = DemandScope::Kind::kGuard;
      scope.instruction = key.instruction;
      scopes.push_back(scope);
      *arm = static_cast<int>(scopes.size()) - 1;
    }
    made.push_back(arms);
  }
  return made[number];
}

NodeId DemandGraph::build_concatenate(const Key& key) {
  const Instruction* instruction = key.instruction;
  const size_t dim = static_cast<size_t>(instruction->attributes.dimensions->front());
  const IndexRange range = key.index[dim].range();
  struct Piece {
    size_t operand;
    int64_t begin, end;
  };
  std::vector<Piece> pieces;  // those the index can fall into
  int64_t begin = 0;
  for (size_t i = 0; i < instruction->operands().size(); ++i) {
    const int64_t end = begin + instruction->operand(i)->shape.dims[dim];
    if (end > begin && range.high >= begin && range.low < end) pieces.push_back({i, begin, end});
    begin = end;
  }
  if (pieces.empty()) return fail(instruction, "empty-concatenate");
  const auto piece_index = [&](const Piece& piece) {
    std::vector<IndexExpr> index = key.index;
    index[dim] = piece.end - piece.begin == 1 ? IndexExpr(0) : index[dim] - piece.begin;
    return index;
  };
  if (pieces.size() == 1) return operand(key, pieces[0].operand, piece_index(pieces[0]));

  // index < end_0 ? piece_0 : index < end_1 ? piece_1 : ... : piece_n
  std::vector<NodeId> values;
  int guard = key.guard;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const bool last = i + 1 == pieces.size();
    const std::pair<int, int> arms = last ? std::pair<int, int>{guard, guard} : guards(key, static_cast<int>(i));
    values.push_back(want(key.frame, arms.first, instruction->operand(pieces[i].operand), piece_index(pieces[i])));
    guard = arms.second;
  }
  if (!missing_.empty()) return kNoNode;
  NodeId result = values.back();
  for (size_t i = pieces.size() - 1; i-- > 0;) {
    const std::pair<int, int> arms = guards(key, static_cast<int>(i));
    DemandNode node;
    node.kind = Kind::kChoose;
    node.instruction = instruction;
    node.dtype = instruction->shape.dtype;
    node.operands = {values[i], result};
    node.expr = key.index[dim];
    node.low = std::min(range.low, pieces[0].begin);
    node.high = pieces[i].end;
    node.guard = i == 0 ? key.guard : guards(key, static_cast<int>(i) - 1).second;
    node.arm_scope[0] = arms.first;
    node.arm_scope[1] = arms.second;
    result = add(std::move(node));
  }
  return result;
}

NodeId DemandGraph::build_pad(const Key& key) {
  const Instruction* instruction = key.instruction;
  const std::vector<PadBounds>& padding = *instruction->attributes.padding;
  const std::vector<int64_t>& dims = instruction->operand(0)->shape.dims;
  const NodeId outside = operand(key, 1, {});
  // One test a dimension that can miss; with interior padding also "divisible by interior + 1".
  struct Test {
    IndexExpr expr;
    int64_t low, high;
  };
  std::vector<Test> tests;
  std::vector<IndexExpr> index;
  for (size_t d = 0; d < dims.size(); ++d) {
    const IndexExpr shifted = key.index[d] - padding[d].low;
    const int64_t step = padding[d].interior + 1;
    const int64_t extent = dims[d] == 0 ? 0 : (dims[d] - 1) * step + 1;
    if (shifted.range().high < 0 || shifted.range().low >= extent) return outside;  // wherever the other dimensions are
    if (outside_of(shifted.range(), 0, extent)) return outside;
    if (!inside(shifted.range(), {0, extent - 1})) tests.push_back({shifted, 0, extent});
    if (step > 1) {
      const IndexExpr rest = shifted.floor_mod(step);
      if (outside_of(rest.range(), 0, 1)) return outside;
      if (!(rest == IndexExpr(0))) tests.push_back({rest, 0, 1});
    }
    // The only element along a dimension is that one inside the guard.
    index.push_back(dims[d] == 1 ? IndexExpr(0) : step > 1 ? shifted.floor_div(step) : shifted);
  }
  if (tests.empty()) return operand(key, 0, std::move(index));
  const int last = static_cast<int>(tests.size()) - 1;
  const NodeId value = want(key.frame, guards(key, last).first, instruction->operand(0), std::move(index));
  if (!missing_.empty()) return kNoNode;
  NodeId result = value;
  for (int i = last; i >= 0; --i) {
    DemandNode node;
    node.kind = Kind::kChoose;
    node.instruction = instruction;
    node.dtype = instruction->shape.dtype;
    node.operands = {result, outside};
    node.expr = tests[i].expr;
    node.low = tests[i].low;
    node.high = tests[i].high;
    node.guard = i == 0 ? key.guard : guards(key, i - 1).first;
    node.arm_scope[0] = guards(key, i).first;
    result = add(std::move(node));
  }
  return result;
}

std::optional<IndexExpr> DemandGraph::start_index(const Key& key, const Instruction* start, int64_t limit) {
  if (limit == 0) return IndexExpr(0);
  const NodeId node = want(key.frame, key.guard, start, {});
  if (node == kNoNode) return std::nullopt;
  const IndexExpr expr = index_of(node);
  if (inside(expr.range(), {0, limit})) return expr;
  if (expr.is_constant()) return IndexExpr(std::clamp<int64_t>(expr.constant(), 0, limit));
  const auto made = clamps_.find({node, limit});
  NodeId clamped = made == clamps_.end() ? kNoNode : made->second;
  if (clamped == kNoNode) {
    DemandNode clamp;
    clamp.kind = Kind::kClampIndex;
    clamp.instruction = key.instruction;
    clamp.dtype = nodes[node].dtype;
    clamp.operands = {node};
    clamp.low = 0;
    clamp.high = limit;
    clamp.guard = key.guard;
    clamped = add(std::move(clamp));
    if (key.guard == 0) clamps_[{node, limit}] = clamped;
  }
  return IndexExpr::value(clamped, {0, limit});
}

NodeId DemandGraph::build_dynamic_slice(const Key& key) {
  const Instruction* instruction = key.instruction;
  const Shape& source = instruction->operand(0)->shape;
  if (instruction->operands().size() == 2 && source.rank() != 1) return fail(instruction, "unsupported-op");
  std::vector<IndexExpr> index;
  for (int64_t d = 0; d < source.rank(); ++d) {
    const Instruction* start = instruction->operand(1 + d);
    if (!start->shape.is_scalar()) return fail(instruction, "unsupported-op");
    const std::optional<IndexExpr> first = start_index(key, start, source.dims[d] - instruction->shape.dims[d]);
    index.push_back(first ? *first + key.index[d] : IndexExpr());
  }
  if (!missing_.empty()) return kNoNode;
  return operand(key, 0, std::move(index));
}

NodeId DemandGraph::build_dynamic_update_slice(const Key& key) {
  const Instruction* instruction = key.instruction;
  const Shape& whole = instruction->shape;
  const Shape& piece = instruction->operand(1)->shape;
  std::vector<IndexExpr> index;
  std::vector<size_t> tested;
  for (int64_t d = 0; d < whole.rank(); ++d) {
    if (!instruction->operand(2 + d)->shape.is_scalar()) return fail(instruction, "unsupported-op");
    const std::optional<IndexExpr> first = start_index(key, instruction->operand(2 + d), whole.dims[d] - piece.dims[d]);
    if (!first) continue;
    index.push_back(key.index[d] - *first);
    if (outside_of(index.back().range(), 0, piece.dims[d])) return operand(key, 0, key.index);
    if (!inside(index.back().range(), {0, piece.dims[d] - 1})) tested.push_back(d);
  }
  if (!missing_.empty()) return kNoNode;
  if (tested.empty()) return operand(key, 1, std::move(index));
  const int last = static_cast<int>(tested.size()) - 1;
  const NodeId outside = operand(key, 0, key.index);
  // Where the piece has one element along a dimension, it is that one inside the guard.
  std::vector<IndexExpr> inner = index;
  for (const size_t d : tested) {
    if (piece.dims[d] == 1) inner[d] = 0;
  }
  const NodeId update = want(key.frame, guards(key, last).first, instruction->operand(1), std::move(inner));
  if (!missing_.empty()) return kNoNode;
  NodeId result = update;
  for (int i = last; i >= 0; --i) {
    DemandNode node;
    node.kind = Kind::kChoose;
    node.instruction = instruction;
    node.dtype = whole.dtype;
    node.operands = {result, outside};
    node.expr = index[tested[i]];
    node.low = 0;
    node.high = piece.dims[tested[i]];
    node.guard = i == 0 ? key.guard : guards(key, i - 1).first;
    node.arm_scope[0] = guards(key, i).first;
    result = add(std::move(node));
  }
  return result;
}

NodeId DemandGraph::build_gather(const Key& key) {
  const Instruction* instruction = key.instruction;
  const Attributes& attributes = instruction->attributes;
  const Shape& source = instruction->operand(0)->shape;
  const Shape& indices = instruction->operand(1)->shape;
  const std::vector<int64_t>& offset_dims = *attributes.offset_dims;
  const std::vector<int64_t>& sizes = *attributes.slice_sizes;
  const int64_t vector_dim = *attributes.index_vector_dim;
  const auto list = [](const std::optional<std::vector<int64_t>>& values) {
    return values.value_or(std::vector<int64_t>{});
  };
  const std::vector<int64_t> collapsed = list(attributes.collapsed_slice_dims);
  const std::vector<int64_t> batching = list(attributes.operand_batching_dims);
  const std::vector<int64_t> indices_batching = list(attributes.start_indices_batching_dims);
  const auto contains = [](const std::vector<int64_t>& values, int64_t value) {
    return std::find(values.begin(), values.end(), value) != values.end();
  };

  std::vector<IndexExpr> batch, window;
  for (size_t d = 0; d < key.index.size(); ++d) {
    (contains(offset_dims, static_cast<int64_t>(d)) ? window : batch).push_back(key.index[d]);
  }
  // The position in the indices array without its vector dimension.
  const auto place = [&](int64_t component) {
    std::vector<IndexExpr> result;
    size_t next = 0;
    for (int64_t d = 0; d < indices.rank(); ++d) {
      result.push_back(d == vector_dim ? IndexExpr(component) : batch[next++]);
    }
    return result;
  };
  std::vector<IndexExpr> index(source.dims.size());
  size_t next_window = 0;
  for (int64_t d = 0; d < source.rank(); ++d) {
    if (!contains(collapsed, d) && !contains(batching, d)) index[d] = window[next_window++];
  }
  for (size_t j = 0; j < batching.size(); ++j) {
    const int64_t d = indices_batching[j];
    index[batching[j]] = batch[d > vector_dim ? d - 1 : d];
  }
  const std::vector<int64_t>& start_map = *attributes.start_index_map;
  for (size_t k = 0; k < start_map.size(); ++k) {
    const int64_t limit = source.dims[start_map[k]] - sizes[start_map[k]];
    if (limit == 0) continue;
    const NodeId node = operand(key, 1, place(static_cast<int64_t>(k)));
    if (node == kNoNode) continue;
    IndexExpr start = index_of(node);
    if (!inside(start.range(), {0, limit})) {
      NodeId clamped = clamps_.count({node, limit}) > 0 ? clamps_.at({node, limit}) : kNoNode;
      if (clamped == kNoNode) {
        DemandNode clamp;
        clamp.kind = Kind::kClampIndex;
        clamp.instruction = instruction;
        clamp.dtype = nodes[node].dtype;
        clamp.operands = {node};
        clamp.high = limit;
        clamp.guard = key.guard;
        clamped = add(std::move(clamp));
        if (key.guard == 0) clamps_[{node, limit}] = clamped;
      }
      start = IndexExpr::value(clamped, {0, limit});
    }
    index[start_map[k]] = index[start_map[k]] + start;
  }
  if (!missing_.empty()) return kNoNode;
  return operand(key, 0, std::move(index));
}

NodeId DemandGraph::build_reduce(const Key& key) {
  const Instruction* instruction = key.instruction;
  const size_t count = instruction->operands().size() / 2;
  const Shape& source = instruction->operand(0)->shape;
  const std::vector<int64_t>& reduced = *instruction->attributes.dimensions;
  const Computation& combiner = **instruction->attributes.to_apply;
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

  const bool trailing = [&] {
    int64_t first = source.rank();
    for (const int64_t d : reduced) first = std::min(first, d);
    for (int64_t d = first; d < source.rank(); ++d) {
      if (std::find(reduced.begin(), reduced.end(), d) == reduced.end() && source.dims[d] != 1) return false;
    }
    return std::is_sorted(reduced.begin(), reduced.end());
  }();
  const bool of_the_row = row_coordinate_ >= 0 && key.frame == 0 && simple && trailing && elements == columns_ &&
                          instruction->shape.element_count() == rows_ &&
                          linearize(key.index, instruction->shape.dims) == coordinate(row_coordinate_);
  // All threads of the row take part, whatever guard the result is used behind.
  if (of_the_row && key.guard != 0) return want(key.frame, 0, instruction, key.index, key.result);

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
    } else if (simple && elements <= kUnrolledReduction && elements > 0) {
      reduce.scope = -1;
    } else {
      DemandScope scope;
      scope.kind = DemandScope::Kind::kReduce;
      scope.instruction = instruction;
      scopes.push_back(scope);
      reduce.scope = static_cast<int>(scopes.size()) - 1;
      for (const int64_t extent : extents) add_coordinate(extent, "k", reduce.scope);
      for (size_t i = 0; i < count && !simple; ++i) {
        DemandNode node;
        node.kind = Kind::kAccumulator;
        node.instruction = instruction;
        node.dtype = instruction->operand(i)->shape.dtype;
        node.reduce = static_cast<int>(reduces.size());
        node.result = static_cast<int>(i);
        reduce.accumulators.push_back(add(std::move(node)));
      }
    }
    number = static_cast<int>(reduces.size());
    reduces.push_back(std::move(reduce));
    reduce_of_[base] = number;
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
    // One frame for the combiner, its parameters bound to the accumulators and the step's values.
    Frame frame;
    frame.parent = key.frame;
    const std::vector<Instruction*> parameters = combiner.parameters();
    for (size_t i = 0; i < count; ++i) {
      frame.bindings[parameters[i]] = reduces[number].accumulators[i];
      frame.bindings[parameters[count + i]] = values[i];
    }
    int frame_number = -1;
    for (size_t f = 1; f < frames_.size(); ++f) {
      if (frames_[f].bindings == frame.bindings) frame_number = static_cast<int>(f);
    }
    if (frame_number < 0) {
      frames_.push_back(frame);
      frame_number = static_cast<int>(frames_.size()) - 1;
    }
    std::vector<NodeId> combined;
    for (size_t i = 0; i < count; ++i) {
      const Instruction* root = combiner.root();
      combined.push_back(want(frame_number, 0, count == 1 ? root : root->operand(i), {}));
    }
    if (!missing_.empty()) return kNoNode;
    reduces[number].combined = std::move(combined);
  }
  reduces[number].init = std::move(init);
  reduces[number].values = std::move(values);
  reduces[number].terms = std::move(terms);

  DemandNode node;
  node.kind = Kind::kReduce;
  node.instruction = instruction;
  node.dtype = instruction->operand(key.result)->shape.dtype;
  node.reduce = number;
  node.result = key.result;
  node.guard = key.guard;
  return add(std::move(node));
}

NodeId DemandGraph::build_dot(const Key& key) {
  const Instruction* instruction = key.instruction;
  const Attributes& attributes = instruction->attributes;
  const auto list = [](const std::optional<std::vector<int64_t>>& values) {
    return values.value_or(std::vector<int64_t>{});
  };
  const std::vector<int64_t> batch[2] = {list(attributes.lhs_batch_dims), list(attributes.rhs_batch_dims)};
  const std::vector<int64_t> contracting[2] = {list(attributes.lhs_contracting_dims), list(attributes.rhs_contracting_dims)};

  const auto found = reduce_of_.find(key);
  int number = found == reduce_of_.end() ? -1 : found->second;
  if (number < 0) {
    DemandReduce reduce;
    reduce.instruction = instruction;
    DemandScope scope;
    scope.kind = DemandScope::Kind::kReduce;
    scope.instruction = instruction;
    scopes.push_back(scope);
    reduce.scope = static_cast<int>(scopes.size()) - 1;
    for (const int64_t d : contracting[0]) add_coordinate(instruction->operand(0)->shape.dims[d], "k", reduce.scope);
    number = static_cast<int>(reduces.size());
    reduces.push_back(std::move(reduce));
    reduce_of_[key] = number;
  }
  const std::vector<int> inner = scopes[reduces[number].scope].coordinates;
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
        index.push_back(coordinate(inner[in_contracting - contracting[side].begin()]));
      } else {
        index.push_back(key.index[free_position++]);
      }
    }
    values.push_back(operand(key, side, std::move(index)));
  }
  if (!missing_.empty()) return kNoNode;
  reduces[number].values = std::move(values);
  DemandNode node;
  node.kind = Kind::kReduce;
  node.instruction = instruction;
  node.dtype = instruction->shape.dtype;
  node.reduce = number;
  node.guard = key.guard;
  return add(std::move(node));
}

// The call itself is a node of its own for each index, which its results share.
NodeId DemandGraph::build_call(const Key& key) {
  constexpr int kWholeCall = -1;
  const Instruction* call = key.instruction;
  if (!can_emit_function(**call->attributes.to_apply)) return fail(call, "unsupported-op");
  const bool several = call->shape.is_tuple();
  const std::vector<int64_t>& first_dims = (several ? call->shape.elements[0] : call->shape).dims;
  if (several && key.result != kWholeCall) {
    // Results may differ in their dimensions, but not in the order of their elements.
    const std::vector<int64_t>& dims = call->shape.elements[key.result].dims;
    std::vector<IndexExpr> index = dims == first_dims ? key.index : delinearize(linearize(key.index, dims), first_dims);
    const NodeId whole = want(key.frame, key.guard, call, std::move(index), kWholeCall);
    if (whole == kNoNode) return kNoNode;
    DemandNode node;
    node.kind = Kind::kCallResult;
    node.instruction = call;
    node.dtype = call->shape.elements[key.result].dtype;
    node.operands = {whole};
    node.result = key.result;
    node.guard = nodes[whole].guard;
    return add(std::move(node));
  }
  std::vector<NodeId> operands;
  for (size_t i = 0; i < call->operands().size(); ++i) {
    const std::vector<int64_t>& dims = call->operand(i)->shape.dims;
    if (call->operand(i)->shape.element_count() == 1) {
      operands.push_back(operand(key, i, std::vector<IndexExpr>(dims.size())));
    } else if (dims == first_dims) {
      operands.push_back(operand(key, i, key.index));
    } else {
      operands.push_back(operand(key, i, delinearize(linearize(key.index, first_dims), dims)));
    }
  }
  if (!missing_.empty()) return kNoNode;
  DemandNode node;
  node.kind = Kind::kCall;
  node.instruction = call;
  node.dtype = (several ? call->shape.elements[0] : call->shape).dtype;
  node.operands = std::move(operands);
  node.guard = key.guard;
  return add(std::move(node));
}

}  // namespace sinter
