#include "passes/lower/text/expressions.h"

#include <algorithm>
#include <cmath>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "ir/support/diagnostics.h"
#include "passes/analysis/functions/attention.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/values/contraction.h"
#include "passes/demand/contracted_node.h"
#include "passes/lower/text/combiners.h"
#include "passes/lower/text/exact_division.h"
#include "passes/lower/text/index_types.h"
#include "passes/lower/text/named_numbers.h"
#include "passes/lower/text/rotation.h"

namespace sinter {

namespace {

// True if no rounding and no operand make the value -0.
bool never_negative_zero(const DemandGraph& graph, NodeId id) {
  const DemandNode& node = graph.nodes[id];
  const auto starts_at_zero = [&](const DemandReduce& reduce) {
    const DemandNode& init = graph.nodes[reduce.init[0]];
    return init.kind == DemandNode::Kind::kConstant && is_float(node.dtype) && init.literal.real_at(0) == 0 &&
           !std::signbit(init.literal.real_at(0));
  };
  switch (node.kind) {
    case DemandNode::Kind::kConstant:
      return !std::signbit(node.literal.real_at(0)) || node.literal.real_at(0) != 0;
    case DemandNode::Kind::kReduce: {
      // +0 + -0 is +0, and a sum of others is exact where it is tiny. A dot contracts: its products may round to -0.
      const DemandReduce& reduce = graph.reduces[node.reduce];
      if (reduce.instruction->opcode != Opcode::kReduce || reduce.init.size() != 1) return false;
      const bool adds = simple_combiner(**reduce.instruction->attributes->to_apply) == Opcode::kAdd;
      return adds && starts_at_zero(reduce) && accumulator_type(node.dtype) == node.dtype;
    }
    case DemandNode::Kind::kCompute:
      break;
    default:
      return false;
  }
  switch (node.instruction->opcode) {
    case Opcode::kAbs:
    case Opcode::kExponential:
    case Opcode::kLogistic:
      return true;
    case Opcode::kConvert:
      return is_integer(graph.nodes[node.operands[0]].dtype);
    case Opcode::kMultiply:
      return node.operands[0] == node.operands[1];
    default:
      return false;
  }
}

// True if a reduction that is written out may begin with its first term instead of its initial value: that changes
// nothing, and if adding +0 can only tell sums of nothing but -0 apart, some term is never that.
bool starts_with_first_term(const DemandGraph& graph, const DemandReduce& reduce, Opcode opcode) {
  const DemandNode& init = graph.nodes[reduce.init[0]];
  if (init.kind != DemandNode::Kind::kConstant || is_complex(init.dtype)) return false;
  if (!is_float(init.dtype) || opcode != Opcode::kAdd) {
    const std::optional<Literal> neutral = neutral_value(opcode, init.dtype);
    return neutral && init.literal.same_value(*neutral);
  }
  if (init.literal.real_at(0) != 0) return false;
  if (std::signbit(init.literal.real_at(0))) return true;
  return std::any_of(reduce.terms.begin(), reduce.terms.end(),
                     [&](const std::vector<NodeId>& term) { return never_negative_zero(graph, term[0]); });
}

// Masks and keys read as bits: unsigned constants beyond a digit in hexadecimal.
const Expr* as_bits(Kernel& kernel, const DemandNode& node, const Expr* spelled) {
  const bool is_mask =
      node.kind == DemandNode::Kind::kConstant && (node.dtype == DType::kU32 || node.dtype == DType::kU64);
  if (!is_mask || static_cast<uint64_t>(node.literal.integer_at(0)) < 10) return spelled;
  char text[24];
  const bool wide = node.dtype == DType::kU64;
  snprintf(text, sizeof(text), "0x%llx%s",
           static_cast<unsigned long long>(node.literal.integer_at(0)) & (wide ? ~0ull : 0xffffffffull),
           wide ? "ULL" : "u");
  return kernel.name_expr(text, CType::value(node.dtype));
}

}  // namespace

int64_t width(const Expr& expr) {
  int64_t operands = 0;
  for (const Expr* operand : expr.operands) operands += width(*operand);
  switch (expr.kind) {
    case Expr::Kind::kLiteral:
      return static_cast<int64_t>(to_string(expr.literal).size()) + (is_float(expr.type.dtype) ? 2 : 0) +
             (expr.type.dtype == DType::kF16    ? 9
              : expr.type.dtype == DType::kBF16 ? 13
                                                : 0);  // to_bfloat16()
    case Expr::Kind::kInteger:
      return static_cast<int64_t>(std::to_string(expr.integer).size());
    case Expr::Kind::kVariable:
      return static_cast<int64_t>(expr.variable->name.size());
    case Expr::Kind::kName:
      return static_cast<int64_t>(expr.text.size());
    case Expr::Kind::kPrefix:
      return operands + static_cast<int64_t>(expr.text.size());
    case Expr::Kind::kInfix:
      return operands + static_cast<int64_t>(expr.text.size()) + 3;
    case Expr::Kind::kConditional:
      return operands + 6;
    case Expr::Kind::kCall:
      return operands + static_cast<int64_t>(expr.text.size()) + 2 * static_cast<int64_t>(expr.operands.size());
    case Expr::Kind::kSubscript:
      return operands + 2;
    case Expr::Kind::kMember:
      return operands + static_cast<int64_t>(expr.text.size()) + 1;
    case Expr::Kind::kCast:
      return operands + 2 + static_cast<int64_t>(dtype_cuda_name(expr.type.dtype).size());
    case Expr::Kind::kBraces:
      return operands + 2 * static_cast<int64_t>(expr.operands.size());
  }
  return operands;
}

const Expr* Expressions::helper(std::string header, std::string function, std::vector<const Expr*> arguments,
                                DType type) {
  kernel->headers.insert(std::move(header));
  return kernel->call(std::move(function), std::move(arguments), CType::value(type));
}

const Expr* Expressions::value(NodeId node) {
  const auto variable = variables.find(node);
  if (variable != variables.end()) return kernel->reference(variable->second);
  const auto member = members.find(node);
  if (member != members.end()) return member->second;
  const auto element = kept.find(node);
  if (element == kept.end()) return spell(node);
  const Variable* held = arrays[element->second];
  if (held->type.kind != CType::Kind::kArray) return kernel->reference(held);
  return kernel->subscript(kernel->reference(held), slot, CType::value(graph->nodes[node].dtype));
}

const Expressions::OwnArray* Expressions::own_array(const DemandNode& load) const {
  if (load.kind != DemandNode::Kind::kLoad || own_arrays.empty()) return nullptr;
  const auto buffer = buffers.find(load.instruction);
  const auto found = buffer == buffers.end() ? own_arrays.end() : own_arrays.find(buffer->second);
  return found == own_arrays.end() ? nullptr : &found->second;
}

// Where it is seen only at run time which element it is, they are compared one by one: an array that such an index
// goes into is in no registers.
const Expr* Expressions::own_element(const Variable* array, const OwnArray& form, const IndexExpr& offset,
                                     DType dtype) {
  const std::vector<IndexExpr> index = delinearize(offset, form.dims);
  const Expr* element = kernel->reference(array);
  bool is_known = true;
  std::vector<const Expr*> operands = {element};
  for (const int64_t d : form.kept) {
    index[d].visit_leaves([&](const IndexExpr::Atom& atom) {
      is_known &= atom.kind == IndexExpr::AtomKind::kCoordinate && run_time_coordinates.count(atom.id) == 0;
    });
    operands.push_back(index_or_name(index[d]));
    element = kernel->subscript(element, operands.back(), CType::value(dtype));
  }
  return is_known || form.is_shared ? element
                                    : helper("device/small_matrices.cuh", "chosen_element", std::move(operands), dtype);
}

const Expr* Expressions::element(const Variable* pointer, const IndexExpr& offset, DType dtype) {
  if (const auto own = own_arrays.find(pointer); own != own_arrays.end())
    return own_element(pointer, own->second, offset, dtype);
  const auto vector = vectors.find({pointer, offset});
  if (vector != vectors.end())
    return kernel->subscript(kernel->reference(vector->second), lane != nullptr ? lane : slot, CType::value(dtype));
  if (const auto from = picked.find({pointer, offset}); from != picked.end()) {
    const auto& [own, pick] = from->second;
    return kernel->subscript(kernel->reference(own), index(pick), CType::value(dtype));
  }
  if (const auto record = records.find({pointer, offset}); record != records.end()) {
    const CType integer = CType::value(DType::kS32);
    const auto& [array, size, part, alone] = record->second;
    const Expr* place = kernel->integer(part);
    if (!alone) {
      const Expr* first = kernel->infix(lane != nullptr ? lane : slot, "*", kernel->integer(size), integer);
      place = part > 0 ? kernel->infix(first, "+", place, integer) : first;
    }
    return kernel->subscript(kernel->reference(array), place, CType::value(dtype));
  }
  const Expr* loaded = kernel->subscript(kernel->reference(pointer), index_or_name(offset), CType::value(dtype));
  const auto found = shifted.find({pointer, offset});
  if (found == shifted.end()) return loaded;
  const auto& [own, shift] = found->second;
  const CType integer = CType::value(DType::kS32), condition = CType::value(DType::kPred);
  const Expr* apart = kernel->integer(std::abs(shift));
  const Expr* has =
      shift < 0 ? kernel->infix(slot, ">=", apart, condition)
                : kernel->infix(slot, "<", kernel->infix(kernel->name_expr("kWidth"), "-", apart, integer), condition);
  const Expr* place = kernel->infix(slot, shift < 0 ? "-" : "+", apart, integer);
  return kernel->conditional(has, kernel->subscript(kernel->reference(own), place, CType::value(dtype)), loaded);
}

const Expr* Expressions::spell(NodeId id) {
  const DemandNode& node = graph->nodes[id];
  switch (node.kind) {
    case DemandNode::Kind::kConstant:
      return kernel->literal(node.literal);
    case DemandNode::Kind::kIndex: {
      const Expr* expr = index_or_name(node.expr);
      if (node.dtype == index_type) {
        // Counters are ints where that is enough; the program's arithmetic of them is not.
        const bool narrow = node.dtype == DType::kS64 && !node.expr.is_constant() && !is_wide(*kernel, *expr);
        return narrow ? kernel->cast(CType::value(node.dtype), expr) : expr;
      }
      if (node.dtype == DType::kS32)
        return expr->type == CType::value(index_type) ? kernel->cast(CType::value(node.dtype), expr) : expr;
      if (node.expr.is_constant() && is_integer(node.dtype))
        return kernel->literal(integer_literal(node.dtype, node.expr.constant()));
      return convert(index_type, node.dtype, expr);
    }
    case DemandNode::Kind::kPosition:
      return index(node.expr);
    case DemandNode::Kind::kLoad:
      return element(buffers.at(node.instruction), node.expr, node.dtype);
    case DemandNode::Kind::kCompute: {
      const std::optional<Rotation> rotated = rotation(*graph, id);
      if (!rotated) return compute(id);
      return helper("device/rotate_left.cuh", "rotate_left",
                    {value(rotated->operand), kernel->integer(rotated->amount)}, node.dtype);
    }
    case DemandNode::Kind::kChoose: {
      // a ? (b ? x : y) : y is a && b ? x : y.
      std::vector<DemandTest> tests;
      NodeId chosen = id;
      do {
        const DemandNode& inner = graph->nodes[chosen];
        const LeftTest left = left_test(inner);
        if (left.known == false) return value(node.operands[1]);
        if (!left.known) tests.push_back(left.test);
        chosen = inner.operands[0];
      } while (!named(chosen) && graph->nodes[chosen].kind == DemandNode::Kind::kChoose &&
               graph->nodes[chosen].operands[1] == node.operands[1]);
      if (tests.empty()) return value(chosen);
      return kernel->conditional(in_range(tests), value(chosen), value(node.operands[1]));
    }
    case DemandNode::Kind::kClampIndex: {
      const DemandNode& place = graph->nodes[node.operands[0]];
      const DType dtype = place.dtype;
      const int value_bits = dtype_bits(dtype) - (is_signed_integer(dtype) ? 1 : 0);
      // An index that its type has as it is: a narrow counter may have wrapped.
      const IndexRange range = place.expr.range();
      const bool fits =
          value_bits >= 63 || (range.low >= -(int64_t{1} << value_bits) && range.high < int64_t{1} << value_bits);
      const bool is_index = place.kind == DemandNode::Kind::kIndex && is_signed_integer(dtype) && fits;
      const auto limit = [&](int64_t bound) {
        if (dtype != DType::kS32) return kernel->literal(integer_literal(dtype, bound));
        // The last of a row is `kColumns - 1`.
        return is_index ? compared_with(place.expr - place.expr.constant(), bound) : kernel->integer(bound);
      };
      // What the type cannot exceed needs no limit, and has none: the bound may not fit the type. Nor does an index,
      // beyond its range.
      bool limited = value_bits >= 63 || node.high < (int64_t{1} << value_bits) - 1;
      bool limited_below = is_signed_integer(dtype);
      if (is_index) {
        limited &= range.high > node.high;
        limited_below = range.low < node.low;
      }
      const Expr* result = value(node.operands[0]);
      if (limited_below) result = helper("device/maximum.cuh", "maximum", {result, limit(node.low)}, dtype);
      if (limited) result = helper("device/maximum.cuh", "minimum", {result, limit(node.high)}, dtype);
      return node.dtype == dtype ? result : kernel->cast(CType::value(node.dtype), result);
    }
    case DemandNode::Kind::kReduce: {
      // Written out term by term; other reductions have an accumulator variable.
      const DemandReduce& reduce = graph->reduces[node.reduce];
      check(reduce.scope < 0, "expressions", node.instruction->name + ": a reduction loop has no variable");
      if (reduce.instruction->opcode == Opcode::kDot) {
        const Expr* sum = nullptr;
        for (const std::vector<NodeId>& term : reduce.terms)
          sum = add_product(accumulator_type(node.dtype), sum, term[0], term[1]);
        return narrow(node.dtype, sum);
      }
      const Opcode opcode = *simple_combiner(**reduce.instruction->attributes->to_apply);
      const bool starts_with_term = !reduce.terms.empty() && starts_with_first_term(*graph, reduce, opcode);
      size_t first = starts_with_term ? 1 : 0;
      const Expr* result = widen(node.dtype, value(starts_with_term ? reduce.terms[0][0] : reduce.init[0]));
      for (; first < reduce.terms.size(); ++first) {
        const DemandNode& term = graph->nodes[reduce.terms[first][0]];
        const bool changes_nothing =
            term.kind == DemandNode::Kind::kConstant && is_integer(term.dtype) && is_identity(opcode, term.literal);
        if (changes_nothing) continue;
        result = combine(opcode, node.dtype, result, widen(node.dtype, value(reduce.terms[first][0])));
      }
      return narrow(node.dtype, result);
    }
    case DemandNode::Kind::kShared: {
      const Expr* values = kernel->member(kernel->reference(shared), shared_members.at({node.loop, node.slot}),
                                          CType::value(node.dtype));
      return kernel->subscript(values, index_or_name(node.expr), CType::value(node.dtype));
    }
    case DemandNode::Kind::kElement: {
      // Of sums it is one in their type.
      const Expr* array = value(node.operands[0]);
      const Expr* element = kernel->subscript(array, index_or_name(node.expr), CType::value(array->type.dtype));
      return array->type.dtype == node.dtype ? element : narrow(node.dtype, element);
    }
    case DemandNode::Kind::kBlockReduce:
      return block_reduce(node);
    case DemandNode::Kind::kCall: {
      const CalledFunction& function = functions(*node.instruction);
      std::vector<const Expr*> arguments;
      for (const size_t position : function.arguments) arguments.push_back(value(node.operands[position]));
      return kernel->call(function.name, std::move(arguments), function.result);
    }
    case DemandNode::Kind::kCallResult:
      return kernel->member(value(node.operands[0]), functions(*node.instruction).members[node.result],
                            CType::value(node.dtype));
    case DemandNode::Kind::kOfThread: {
      const Expr* values =
          kernel->member(kernel->reference(shared), exchange_members.at(node.operands[0]), CType::value(node.dtype));
      return kernel->subscript(values, index_or_name(node.expr), CType::value(node.dtype));
    }
    case DemandNode::Kind::kExchanged:
      return value(node.operands[0]);
    case DemandNode::Kind::kOfBlock:
      return kernel->member(kernel->reference(shared), block_members.at(id), variables.at(id)->type);
    case DemandNode::Kind::kFromLane: {
      kernel->headers.insert("device/from_lane.cuh");
      const Expr* computed = value(node.operands[0]);
      const Expr* step = kernel->infix(coordinates.at(graph->loops[node.loop].counter), "%", kernel->name_expr("kWarp"),
                                       CType::value(DType::kS32));
      return kernel->call("from_lane", {computed, step}, computed->type);
    }
    case DemandNode::Kind::kParameter:
    case DemandNode::Kind::kOfLane:
    case DemandNode::Kind::kCarry:
    case DemandNode::Kind::kLoopResult:
    case DemandNode::Kind::kKept:
    case DemandNode::Kind::kAccumulator:
      break;
  }
  check(false, "expressions", node.instruction->name + ": carried and accumulated values need a variable");
  return nullptr;
}

const Expr* Expressions::block_reduce(const DemandNode& node) {
  const DType type = accumulator_type(node.dtype);
  const bool dot = node.instruction->opcode == Opcode::kDot;
  const Opcode opcode = dot ? Opcode::kAdd : *simple_combiner(**node.instruction->attributes->to_apply);
  const auto operand = [&](size_t position) {
    const DType dtype = graph->nodes[node.operands[position]].dtype;
    return convert(accumulator_type(dtype), type, widen(dtype, value(node.operands[position])));
  };
  kernel->headers.insert("device/combine.cuh");
  // A scan gives what the threads up to this one have: others that repeat the last element change none of these.
  const bool scans = node.instruction->opcode == Opcode::kReduceWindow;
  const char* header = scans              ? "device/block_scan.cuh"
                       : reduces_in_lanes ? "device/warp_reduce.cuh"
                                          : "device/block_reduce.cuh";
  const char* function = scans              ? "block_scan<kThreads>"
                         : reduces_in_lanes ? "warp_reduce<kLanes>"
                                            : "block_reduce<kThreads>";
  kernel->headers.insert(header);
  const Expr* own = dot ? kernel->infix(operand(0), "*", operand(1), CType::value(type)) : operand(0);
  const DemandNode& init = graph->nodes[node.operands[1]];
  const bool begins = dot || (init.kind == DemandNode::Kind::kConstant && is_identity(opcode, init.literal));
  if (owns_element != nullptr && !scans) {
    // A sum that begins with +0 is none the worse for more of them; another keeps its zeros' sign.
    const Literal nothing = begins ? identity_of(opcode, type) : *neutral_value(opcode, type);
    own = kernel->conditional(owns_element, own, kernel->literal(nothing));
  }
  const Expr* total =
      kernel->call(function, {own, kernel->call(combine_functor(opcode), {}, CType::value(type))}, CType::value(type));
  if (!begins) total = combine(opcode, node.dtype, total, operand(1));
  return narrow(node.dtype, total);
}

namespace {

// The product of two constants, where it is an integer: in C++ it must not overflow.
std::optional<Literal> known_product(DType type, const DemandNode& left, const DemandNode& right) {
  const auto is_known = [](const DemandNode& node) {
    return node.kind == DemandNode::Kind::kConstant && is_integer(node.dtype);
  };
  if (!is_integer(type) || !is_known(left) || !is_known(right)) return std::nullopt;
  const auto a = static_cast<uint64_t>(left.literal.integer_at(0));
  const auto b = static_cast<uint64_t>(right.literal.integer_at(0));
  return integer_literal(type, static_cast<int64_t>(a * b));
}

}  // namespace

const Expr* Expressions::add_product(DType type, const Expr* sum, NodeId left, NodeId right) {
  const auto factor = [&](NodeId node) {
    const DType dtype = graph->nodes[node].dtype;
    return convert(accumulator_type(dtype), type, widen(dtype, value(node)));
  };
  const bool pred = type == DType::kPred;
  if (sum != nullptr && is_float(type))
    return kernel->call(type == DType::kF64 ? "fma" : "fmaf", {factor(left), factor(right), sum}, CType::value(type));
  const std::optional<Literal> known = known_product(type, graph->nodes[left], graph->nodes[right]);
  const Expr* product = known ? kernel->literal(*known)
                              : kernel->infix(factor(left), pred ? "&&" : "*", factor(right), CType::value(type));
  return sum == nullptr ? product : kernel->infix(sum, pred ? "||" : "+", product, CType::value(type));
}

const Expr* Expressions::combine(Opcode opcode, DType dtype, const Expr* accumulator, const Expr* term) {
  const DType type = accumulator_type(dtype);
  const bool pred = type == DType::kPred;
  const auto infix = [&](const char* text) -> const Expr* {
    const Expr* result = kernel->infix(accumulator, text, term, CType::value(type));
    return is_integer(type) && dtype_bits(type) < 32 ? kernel->cast(CType::value(type), result) : result;
  };
  // The largest of many is one call.
  const auto extreme = [&](const char* name) {
    const bool more = accumulator->kind == Expr::Kind::kCall && accumulator->text == name;
    std::vector<const Expr*> operands = more ? accumulator->operands : std::vector<const Expr*>{accumulator};
    operands.push_back(term);
    return helper("device/maximum.cuh", name, std::move(operands), type);
  };
  switch (opcode) {
    case Opcode::kAdd:
      return infix(pred ? "||" : "+");
    case Opcode::kMultiply:
      return infix(pred ? "&&" : "*");
    case Opcode::kAnd:
      return infix(pred ? "&&" : "&");
    case Opcode::kOr:
      return infix(pred ? "||" : "|");
    case Opcode::kXor:
      return infix(pred ? "!=" : "^");
    case Opcode::kMaximum:
      return extreme("maximum");
    default:
      return extreme("minimum");
  }
}

// What an operation reads: a number by the name that its expression in the user's program has for it.
static const Expr* operand_of(Expressions& expressions, const Instruction& reader, NodeId operand) {
  const DemandNode& node = expressions.graph->nodes[operand];
  if (node.kind == DemandNode::Kind::kConstant && !expressions.named(operand)) {
    if (const Expr* name = named_number(expressions.kernel, reader, node.literal)) return name;
  }
  return expressions.value(operand);
}

const Expr* Expressions::compute(NodeId id) {
  const DemandNode& node = graph->nodes[id];
  const Instruction& instruction = *node.instruction;
  std::vector<const Expr*> operands;
  const Opcode opcode = instruction.opcode;

  // A contracted product (choose_fma): a*b + c, a*b - c, c - a*b.
  const NodeId product = contracted_node(*graph, instruction, node.operands);
  if (product != kNoNode && !named(product)) {
    const size_t product_position = *contracted_product(instruction);
    const DemandNode& factors = graph->nodes[product];
    const Expr* a = operand_of(*this, *factors.instruction, factors.operands[0]);
    const Expr* b = operand_of(*this, *factors.instruction, factors.operands[1]);
    const Expr* c = operand_of(*this, instruction, node.operands[1 - product_position]);
    const auto negated = [&](const Expr* expr) {
      const bool is_negated = expr->kind == Expr::Kind::kPrefix && expr->text == "-";
      return is_negated ? expr->operands[0] : kernel->prefix("-", expr, CType::value(node.dtype));
    };
    if (opcode == Opcode::kSubtract && product_position == 0) c = negated(c);
    if (opcode == Opcode::kSubtract && product_position == 1) a = negated(a);
    return kernel->call(node.dtype == DType::kF64 ? "fma" : "fmaf", {a, b, c}, CType::value(node.dtype));
  }

  if (const std::optional<int64_t> shift = constant_shift(*graph, node)) {
    const bool fits =
        dtype_bits(node.dtype) >= 32 &&
        (opcode == Opcode::kShiftRightArithmetic ? is_signed_integer(node.dtype) : !is_signed_integer(node.dtype));
    if (fits) {
      return kernel->infix(value(node.operands[0]), opcode == Opcode::kShiftLeft ? "<<" : ">>", kernel->integer(*shift),
                           CType::value(node.dtype));
    }
  }
  if ((opcode == Opcode::kDivide || opcode == Opcode::kRemainder) && is_integer(node.dtype) &&
      dtype_bits(node.dtype) >= 32) {
    // By a constant for which C++ and HLO agree: not zero, and not the -1 that overflows.
    const DemandNode& divisor = graph->nodes[node.operands[1]];
    const int64_t number = divisor.kind == DemandNode::Kind::kConstant ? divisor.literal.integer_at(0) : 0;
    if (number != 0 && number != -1) {
      return kernel->infix(value(node.operands[0]), opcode == Opcode::kDivide ? "/" : "%", value(node.operands[1]),
                           CType::value(node.dtype));
    }
  }
  if (opcode == Opcode::kDivide && is_rounded && divides_by_sum(instruction)) {
    const Expr* by = operand_of(*this, instruction, node.operands[1]);
    const Expr* one = kernel->name_expr("1.0f", CType::value(node.dtype));
    return kernel->infix(operand_of(*this, instruction, node.operands[0]), "*",
                         kernel->infix(one, "/", by, CType::value(node.dtype)), CType::value(node.dtype));
  }
  if (opcode == Opcode::kExponential && is_rounded && node.dtype == DType::kF32) {
    const Expr* log2e = kernel->name_expr("kLog2E", CType::value(node.dtype));
    const Expr* exponent =
        kernel->infix(operand_of(*this, instruction, node.operands[0]), "*", log2e, CType::value(node.dtype));
    return helper("device/exp2_approx.cuh", "exp2_approx", {exponent}, node.dtype);
  }
  if (opcode == Opcode::kDivide && node.dtype == DType::kF32) {
    const DemandNode& divisor = graph->nodes[node.operands[1]];
    const bool constant = divisor.kind == DemandNode::Kind::kConstant && !named(node.operands[1]);
    if (constant && has_exact_divisor(static_cast<float>(divisor.literal.real_at(0)))) {
      const Expr* by = helper("device/divisor.cuh", needs_no_check(*graph, id) ? "UncheckedDivisor" : "Divisor",
                              {operand_of(*this, instruction, node.operands[1])}, node.dtype);
      return kernel->infix(value(node.operands[0]), "/", by, CType::value(node.dtype));
    }
  }
  const bool on_bits = opcode == Opcode::kAnd || opcode == Opcode::kOr || opcode == Opcode::kXor;
  for (const NodeId operand : node.operands) {
    operands.push_back(operand_of(*this, instruction, operand));
    if (on_bits && !named(operand)) operands.back() = as_bits(*kernel, graph->nodes[operand], operands.back());
  }
  // From the global namespace: no name of the kernel's hides it.
  if (calls_device_function(instruction)) {
    const DeviceFunctionName name = device_function(instruction);
    if (const std::optional<DeviceResult> result = device_result(instruction)) {
      kernel->headers.insert(name.header);
      const Expr* all = kernel->call("::" + name.function, std::move(operands), CType::named("::" + result->type));
      return kernel->member(all, result->member, CType::value(node.dtype));
    }
    return helper(name.header, "::" + name.function, std::move(operands), node.dtype);
  }
  const DType from = graph->nodes[node.operands[0]].dtype;
  switch (opcode) {
    case Opcode::kSelect:
      if (const Expr* name = named_place(node.operands[1], node.operands[2])) operands[1] = name;
      if (const Expr* name = named_place(node.operands[2], node.operands[1])) operands[2] = name;
      return kernel->conditional(operands[0], operands[1], operands[2]);
    case Opcode::kCopy:
      return operands[0];
    case Opcode::kReal:
      return is_complex(from) ? kernel->member(operands[0], "real", CType::value(node.dtype)) : operands[0];
    case Opcode::kImag:
      return is_complex(from) ? kernel->member(operands[0], "imag", CType::value(node.dtype))
                              : kernel->literal(real_literal(node.dtype, 0));
    case Opcode::kComplex:
      kernel->headers.insert("device/complex.cuh");
      return kernel->braces(std::move(operands), CType::value(node.dtype));
    case Opcode::kAbs:
      if (dtype_class(node.dtype) == DTypeClass::kUnsigned) return operands[0];
      break;
    case Opcode::kConvert:
      return convert(from, node.dtype, operands[0]);
    case Opcode::kCompare:
      if (const Expr* test = index_comparison(node)) return test;
      return compare(instruction, from, operands[0], operands[1]);
    case Opcode::kClamp:
      return clamp(node.dtype, operands[0], operands[1], operands[2]);
    case Opcode::kBitcastConvert:
      return bitcast(node.dtype, from, std::move(operands));
    case Opcode::kStochasticConvert:
      return stochastic_convert(from, node.dtype, operands[0], operands[1]);
    case Opcode::kReducePrecision: {
      const std::string function = "reduce_precision<" + std::to_string(*instruction.attributes->exponent_bits) + ", " +
                                   std::to_string(*instruction.attributes->mantissa_bits) + ">";
      // On the type itself, but for floats of a byte.
      if (dtype_bits(node.dtype) > 8) return helper("device/reduce_precision.cuh", function, {operands[0]}, node.dtype);
      return narrow(node.dtype,
                    helper("device/reduce_precision.cuh", function, {widen(node.dtype, operands[0])}, DType::kF32));
    }
    default:
      break;
  }
  return arithmetic(instruction, from, std::move(operands));
}

}  // namespace sinter
