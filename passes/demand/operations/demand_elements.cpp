// What an element of each kind of value is made of: sources of values (constants, parameters, tuple elements) and
// elementwise operations; the opcodes of other files are sent there.
#include <algorithm>
#include <cstdlib>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "llvm/ADT/SmallVector.h"
#include "passes/analysis/functions/small_matrices.h"
#include "passes/analysis/functions/stencil_steps.h"
#include "passes/analysis/loops/ranges.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/analysis/values/constants.h"
#include "passes/analysis/values/contraction.h"
#include "passes/analysis/values/fold_value.h"
#include "passes/analysis/values/known_range.h"
#include "passes/demand/contracted_node.h"
#include "passes/demand/demand.h"
#include "passes/demand/index_ranges.h"
#include "passes/demand/known_truths.h"

namespace sinter {

using Kind = DemandNode::Kind;

namespace {

bool is_loop_state(const Instruction* instruction) { return instruction->opcode == Opcode::kParameter; }

DemandNode compute_node(const Instruction& instruction, std::vector<NodeId> operands, int guard) {
  DemandNode node;
  node.kind = DemandNode::Kind::kCompute;
  node.instruction = &instruction;
  node.dtype = instruction.shape.dtype;
  node.operands = std::move(operands);
  node.guard = guard;
  return node;
}

}  // namespace

NodeId DemandGraph::build(const Key& key) {
  const Instruction* instruction = key.instruction;
  const Frame& frame = frames_[key.frame];
  const auto bound = frame.bindings.find(instruction);
  if (bound != frame.bindings.end()) return bound->second;
  switch (instruction->opcode) {
    case Opcode::kConstant:
      return build_constant(key);
    case Opcode::kGetTupleElement:
      return build_get_tuple_element(key);
    case Opcode::kParameter:
      if (frame.loop >= 0) return build_loop_value(key, frame.loop, 0, false);
      if (frame.argument != nullptr) return want_element(key.frame, key.guard, instruction, 0, key.index);
      return load(instruction, key);
    case Opcode::kOptBarrier:
      return operand(key, 0, key.index);
    case Opcode::kWhile:
      if (key.frame != 0 || context_->computed.count(instruction) > 0) {
        return build_loop_value(key, open_loop(key.frame, key.guard, instruction), 0, true);
      }
      return load(instruction, key);
    default:
      break;
  }
  if (key.frame == 0 && context_->computed.count(instruction) == 0) return load(instruction, key);
  if (const std::optional<IndexExpr> thread = thread_that_has(key)) return exchanged_node(key, *thread);
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
  // Of no elements none is ever read.
  if (literal.element_count() == 0) return add(std::move(node));
  const size_t size = static_cast<size_t>(dtype_bytes(node.dtype));
  const std::span<const std::byte> from = literal.bytes().subspan(static_cast<size_t>(element) * size, size);
  std::copy(from.begin(), from.end(), node.literal.mutable_bytes().begin());
  return add(std::move(node));
}

NodeId DemandGraph::build_get_tuple_element(const Key& key) {
  const Instruction* source = key.instruction->operand(0);
  const int element = static_cast<int>(*key.instruction->attributes->tuple_index);
  while (source->opcode == Opcode::kOptBarrier) source = source->operand(0);
  if (frames_[key.frame].argument != nullptr && source->opcode == Opcode::kParameter) {
    return want_element(key.frame, key.guard, source, element, key.index);
  }
  if (is_loop_state(source)) {
    if (frames_[key.frame].mapped != nullptr) return build_step_state(key, element);
    const int loop = frames_[key.frame].loop;
    if (loop >= 0) return build_loop_value(key, loop, element, false);
    const auto counter = context_->counters.find(key.instruction);
    if (counter != context_->counters.end()) {
      if (host_counter_ < 0) host_counter_ = add_coordinate(context_->counter_trip, CoordinateRole::kHostStep);
      const auto [start, step] = counter->second;
      return index_node(coordinate(host_counter_) * step + start, key.instruction->shape.dtype, key.instruction);
    }
    return load(key.instruction, key);
  }
  if (source->opcode == Opcode::kTuple) return want(key.frame, key.guard, source->operand(element), key.index);
  if (key.frame == 0 && context_->computed.count(source) == 0) return load(key.instruction, key);
  if (source->opcode == Opcode::kWhile) {
    if (map_loop(source) != nullptr) return build_filled(key, source, element);
    return build_loop_value(key, open_loop(key.frame, key.guard, source), element, true);
  }
  return want(key.frame, key.guard, source, key.index, element);
}

NodeId DemandGraph::build_element(const Key& key) {
  const Instruction* instruction = key.instruction;
  if (op_def(instruction->opcode).source_index != nullptr) return operand(key, 0, source_index(key));
  switch (instruction->opcode) {
    case Opcode::kIota:
      return index_node(key.index[*instruction->attributes->iota_dimension], instruction->shape.dtype, instruction);
    case Opcode::kConcatenate:
      return build_concatenate(key);
    case Opcode::kPad:
      return build_pad(key);
    case Opcode::kDynamicSlice:
      return build_dynamic_slice(key);
    case Opcode::kDynamicUpdateSlice:
      return build_dynamic_update_slice(key);
    case Opcode::kGather:
      return build_gather(key);
    case Opcode::kReduce:
      return build_reduce(key);
    case Opcode::kDot:
      return build_dot(key);
    case Opcode::kScatter:
      return key.result == kUpdated ? build_updated(key) : build_scatter(key);
    case Opcode::kConditional:
      return build_conditional(key);
    case Opcode::kReduceWindow:
      return build_reduce_window(key);
    case Opcode::kConvolution:
      return build_convolution(key);
    case Opcode::kSelectAndScatter:
      return build_select_and_scatter(key);
    case Opcode::kCall:
      return build_call(key);
    case Opcode::kBitcastConvert:
      return build_bitcast_convert(key);
    default:
      break;
  }
  if (family_of(*instruction) == Family::kElementwise) return build_compute(key);
  if (is_stencil_steps(*instruction) || is_small_matrices(*instruction))
    return fail(instruction, "loop-crosses-threads");
  return fail(instruction, "unsupported-op");
}

std::optional<IndexExpr> DemandGraph::affine(NodeId id) const {
  const DemandNode& node = nodes[id];
  if (!is_integer(node.dtype)) return std::nullopt;
  if (node.kind == Kind::kIndex) {
    // An iota longer than its type wraps.
    if (!inside(node.expr.range(), dtype_range(node.dtype))) return std::nullopt;
    return node.expr;
  }
  if (node.kind == Kind::kClampIndex) return IndexExpr::value(id, {node.low, node.high});
  if (node.kind == Kind::kConstant) {
    const int64_t value = node.literal.integer_at(0);
    if (node.dtype == DType::kU64 && value < 0) return std::nullopt;
    return IndexExpr(value);
  }
  return std::nullopt;
}

// The instruction that reads a carry in the steps of its loop, if its condition does not read it; after it, behind it.
static const Instruction* read_of_carry(const DemandLoop& loop, const DemandNode& node) {
  const int64_t carry = loop.slots[static_cast<size_t>(node.slot)].carry;
  if (node.kind == Kind::kLoopResult) return first_read_of(*loop.instruction, carry);
  const Attributes& attributes = loop.instruction->attributes;
  const bool is_tested = first_read_of(*(*attributes.condition)->parameters()[0], carry) != nullptr;
  return is_tested ? nullptr : first_read_of(*(*attributes.body)->parameters()[0], carry);
}

// Of an integer that is an element of its instruction: what is known of all of them.
static IndexRange range_of(const DemandNode& node, const std::vector<DemandLoop>& loops) {
  const IndexRange whole = dtype_range(node.dtype);
  if (node.instruction == nullptr) return whole;
  const bool is_carried = node.kind == Kind::kCarry || node.kind == Kind::kLoopResult;
  const bool is_one_of_several = node.kind == Kind::kReduce && node.instruction->shape.is_tuple();
  const Instruction* marked = is_carried          ? read_of_carry(loops[static_cast<size_t>(node.loop)], node)
                              : is_one_of_several ? first_read_of(*node.instruction, node.result)
                                                  : node.instruction;
  const bool is_choice = node.kind == Kind::kChoose && node.instruction->opcode == Opcode::kSelect;
  const bool is_element =
      is_choice || is_carried || node.kind == Kind::kLoad || node.kind == Kind::kCompute || node.kind == Kind::kReduce;
  if (!is_element || marked == nullptr) return whole;
  if (!marked->shape.is_array() || marked->shape.dtype != node.dtype) return whole;
  // Wider ones are limited so that they are good as int.
  const std::optional<std::pair<int64_t, int64_t>> known = known_range(*marked);
  if (!known || dtype_bits(node.dtype) > 32) return whole;
  return {std::max(whole.low, known->first), std::min(whole.high, known->second)};
}

IndexExpr DemandGraph::index_of(NodeId id) {
  if (const std::optional<IndexExpr> known = affine(id)) return *known;
  return IndexExpr::value(id, range_of(nodes[id], loops));
}

// Two of them have a sum.
constexpr int64_t kLargestFolded = (int64_t{1} << 62) - 1;

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
  // Indices are computed in 64 bits: numbers near their end, keys of a generator say, are no indices.
  for (const IndexExpr& expr : exprs) {
    if (!inside(expr.range(), {-kLargestFolded, kLargestFolded})) return kNoNode;
  }
  std::optional<IndexExpr> result;
  const auto constant = [&](size_t i) { return exprs[i].is_constant() ? exprs[i].constant() : 0; };
  const auto may_multiply = [&](size_t i, size_t factor) {
    const int64_t size = std::abs(constant(factor)), most = kLargestFolded / std::max<int64_t>(size, 1);
    return exprs[factor].is_constant() && size < int64_t{1} << 31 && inside(exprs[i].range(), {-most, most});
  };
  switch (instruction->opcode) {
    case Opcode::kAdd:
      result = exprs[0] + exprs[1];
      break;
    case Opcode::kSubtract:
      result = exprs[0] - exprs[1];
      break;
    case Opcode::kMultiply:
      if (may_multiply(0, 1))
        result = exprs[0] * constant(1);
      else if (may_multiply(1, 0))
        result = exprs[1] * constant(0);
      break;
    case Opcode::kDivide:
      if (constant(1) > 0 && exprs[0].range().low >= 0) result = exprs[0].floor_div(constant(1));
      break;
    case Opcode::kRemainder:
      if (constant(1) > 0 && exprs[0].range().low >= 0) result = exprs[0].floor_mod(constant(1));
      break;
    case Opcode::kConvert:
      result = exprs[0];
      break;
    default:
      break;
  }
  if (!result || !inside(result->range(), dtype_range(dtype))) return kNoNode;
  return index_node(*result, dtype, instruction);
}

// The value of a node that is one whatever the coordinates are.
std::optional<Literal> DemandGraph::constant(NodeId id) const {
  const DemandNode& node = nodes[id];
  if (node.kind == Kind::kConstant) return node.literal;
  if (node.kind != Kind::kIndex || !node.expr.is_constant()) return std::nullopt;
  return integer_literal(node.dtype, wrap_integer(node.dtype, node.expr.constant()));
}

// Of a comparison of an integer with a constant on its right.
std::optional<ConstantTest> DemandGraph::constant_test(NodeId id) const {
  const DemandNode& node = nodes[id];
  if (node.kind != Kind::kCompute || node.instruction->opcode != Opcode::kCompare) return std::nullopt;
  const DType dtype = nodes[node.operands[0]].dtype;
  const std::optional<Literal> right = constant(node.operands[1]);
  if (!right || !is_integer(dtype) || dtype == DType::kU64) return std::nullopt;
  return ConstantTest{*node.instruction->attributes->direction, right->integer_at(0)};
}

bool DemandGraph::is_negation(NodeId id, NodeId of) const {
  const DemandNode& node = nodes[id];
  return node.kind == Kind::kCompute && node.instruction->opcode == Opcode::kNot && node.operands[0] == of;
}

bool DemandGraph::same_constant(NodeId a, NodeId b) const {
  if (a == b) return true;
  const std::optional<Literal> left = constant(a), right = constant(b);
  return left && right && std::ranges::equal(left->bytes(), right->bytes());
}

std::optional<Literal> DemandGraph::fold_constants(const Instruction& instruction,
                                                   const std::vector<NodeId>& operands) const {
  if (const NodeId product = contracted_node(*this, instruction, operands); product != kNoNode) {
    const std::vector<NodeId>& factors = nodes[product].operands;
    const std::optional<Literal> a = constant(factors[0]), b = constant(factors[1]);
    const std::optional<Literal> c = constant(operands[1 - *contracted_product(instruction)]);
    if (!a || !b || !c) return std::nullopt;
    return fold_contraction(instruction, *a, *b, *c);
  }
  std::vector<Literal> values;
  for (const NodeId operand : operands) {
    std::optional<Literal> value = constant(operand);
    if (!value) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return fold_exactly(instruction, values);
}

namespace {

// What an operation gives that has one and the same integer or truth value for both operands: that value itself, or a
// constant. The graph passes see two values where a barrier stands between them. Floats may be NaN.
struct OfEqual {
  bool is_operand = false;
  std::optional<Literal> constant;
};

OfEqual of_equal(const Instruction& instruction, DType operand) {
  if (!is_integer(operand) && operand != DType::kPred) return {};
  switch (instruction.opcode) {
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kMinimum:
    case Opcode::kMaximum:
      return {.is_operand = true};
    case Opcode::kXor:
    case Opcode::kSubtract:
      return {.constant = integer_literal(operand, 0)};
    case Opcode::kCompare: {
      const std::string& direction = *instruction.attributes->direction;
      const bool holds = direction == "EQ" || direction == "LE" || direction == "GE";
      return {.constant = integer_literal(DType::kPred, holds ? 1 : 0)};
    }
    default:
      return {};
  }
}

}  // namespace

NodeId DemandGraph::build_compute(const Key& key) {
  const Instruction* instruction = key.instruction;
  llvm::SmallVector<NodeId, 4> found;
  if (instruction->opcode == Opcode::kSelect) {
    // A decided select demands one arm only.
    const Instruction* predicate = instruction->operand(0);
    const NodeId condition = operand(key, 0, predicate->shape.is_scalar() ? no_index_ : key.index);
    if (condition == kNoNode) return kNoNode;
    if (const std::optional<Literal> decided = constant(condition)) {
      return operand(key, decided->integer_at(0) != 0 ? 1 : 2, key.index);
    }
    found.push_back(condition);
  }
  for (size_t i = found.size(); i < instruction->operands().size(); ++i) {
    const bool scalar = instruction->operand(i)->shape.is_scalar() && !instruction->shape.is_scalar();
    found.push_back(operand(key, i, scalar ? no_index_ : key.index));
  }
  if (!missing_.empty()) return kNoNode;
  std::vector<NodeId> operands(found.begin(), found.end());
  if (instruction->opcode == Opcode::kSelect && same_constant(operands[1], operands[2])) return operands[1];
  const NodeId folded = fold_integer(instruction, operands);
  if (folded != kNoNode) return folded;
  if (operands.size() == 2 && operands[0] == operands[1]) {
    OfEqual result = of_equal(*instruction, nodes[operands[0]].dtype);
    if (result.is_operand) return operands[0];
    if (result.constant) return constant_node(instruction, std::move(*result.constant));
  }
  const bool is_or = instruction->opcode == Opcode::kOr || instruction->opcode == Opcode::kMaximum;
  const bool is_and = instruction->opcode == Opcode::kAnd || instruction->opcode == Opcode::kMinimum;
  if ((is_or || is_and) && instruction->shape.dtype == DType::kPred) {
    for (const size_t side : {size_t{0}, size_t{1}}) {
      const std::optional<Literal> known = constant(operands[side]);
      const bool decides = known && (known->integer_at(0) != 0) == is_or;
      if (known) return decides ? operands[side] : operands[1 - side];
    }
    const std::optional<ConstantTest> left = constant_test(operands[0]), right = constant_test(operands[1]);
    const bool of_one = left && right && nodes[operands[0]].operands[0] == nodes[operands[1]].operands[0];
    const bool decided = of_one && (is_or ? cover_everything(*left, *right) : exclude_each_other(*left, *right));
    if (decided || is_negation(operands[0], operands[1]) || is_negation(operands[1], operands[0]))
      return constant_node(instruction, integer_literal(DType::kPred, is_or ? 1 : 0));
  }
  if (instruction->opcode == Opcode::kCompare && is_integer(nodes[operands[0]].dtype)) {
    const std::optional<IndexExpr> left = affine(operands[0]), right = affine(operands[1]);
    const std::optional<bool> known =
        left && right ? known_comparison(*instruction->attributes->direction, *left, *right) : std::nullopt;
    if (known) return constant_node(instruction, integer_literal(DType::kPred, *known ? 1 : 0));
  }
  for (size_t side = 0; side < 2 && instruction->opcode == Opcode::kCompare; ++side) {
    const std::optional<Literal> known = constant(operands[side]);
    if (!known || known->shape().dtype != DType::kPred) continue;
    const OfTruth result = compare_truth(*instruction->attributes->direction, known->integer_at(0) != 0, side == 0);
    if (result.constant) return constant_node(instruction, integer_literal(DType::kPred, *result.constant ? 1 : 0));
    if (result.is_value) return operands[1 - side];
  }
  if (std::optional<Literal> value = fold_constants(*instruction, operands)) {
    return constant_node(instruction, std::move(*value));
  }
  return add(compute_node(*instruction, std::move(operands), key.guard));
}

// Elements of different widths: a piece of the wide element, or all pieces that make it. They lie along the last
// dimension of the side with the narrow ones.
NodeId DemandGraph::build_bitcast_convert(const Key& key) {
  const Instruction* instruction = key.instruction;
  const int from = dtype_bits(instruction->operand(0)->shape.dtype);
  const int to = dtype_bits(instruction->shape.dtype);
  if (from == to) return build_compute(key);
  std::vector<NodeId> operands;
  if (from > to) {
    operands.push_back(operand(key, 0, {key.index.begin(), key.index.end() - 1}));
  } else {
    for (int64_t piece = 0; piece < to / from; ++piece) {
      std::vector<IndexExpr> index = key.index;
      index.push_back(IndexExpr(piece));
      operands.push_back(operand(key, 0, std::move(index)));
    }
  }
  if (!missing_.empty()) return kNoNode;
  if (from > to) operands.push_back(index_node(key.index.exprs().back(), DType::kS32, instruction));
  return add(compute_node(*instruction, std::move(operands), key.guard));
}

}  // namespace sinter
