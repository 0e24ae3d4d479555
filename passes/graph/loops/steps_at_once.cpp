#include "passes/graph/loops/steps_at_once.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "ir/module/device_functions.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/analysis/values/constants.h"
#include "passes/graph/base/change_carries.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Dims = GraphBuilder::Dims;

Dims without(Dims dims, size_t dimension) {
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(dimension));
  return dims;
}
// One dimension further on.
Dims shifted(Dims dims) {
  for (int64_t& dim : dims) ++dim;
  return dims;
}
// The same behind the dimension of steps.
Dims behind_steps(const Dims& dims) {
  Dims result = shifted(dims);
  result.insert(result.begin(), 0);
  return result;
}
Dims counted(int64_t first, int64_t count) {
  Dims result;
  for (int64_t i = 0; i < count; ++i) result.push_back(first + i);
  return result;
}

// One dimension moved before all others.
Value in_front(Value array, int64_t dimension, GraphBuilder& at) {
  if (dimension == 0) return array;
  Dims order = {dimension};
  for (int64_t d = 0; d < array->shape.rank(); ++d) {
    if (d != dimension) order.push_back(d);
  }
  return at.transpose(array, order);
}

// A sum over elements that begins with zero.
bool is_sum_from_zero(const Instruction& value) {
  if (value.opcode != Opcode::kReduce || value.operands().size() != 2) return false;
  return simple_combiner(**value.attributes->to_apply) == Opcode::kAdd &&
         neutral_beginning(Opcode::kAdd, value.shape.dtype, *value.operand(1));
}

}  // namespace

bool can_number_steps(const CarriedLoop& loop, const WhileInfo& info) {
  if (!can_add_carries(loop) || info.counter < 0 || !info.trip_count || loop.loop().users().empty()) return false;
  const Carry& counter = info.carries[static_cast<size_t>(info.counter)];
  if (counter.kind != CarryKind::kInduction || std::abs(counter.step) != 1) return false;
  const DType dtype = loop.init(static_cast<size_t>(info.counter))->shape.dtype;
  return *info.trip_count - 1 <= integer_max(dtype);
}

Value step_number(const CarriedLoop& loop, const WhileInfo& info, GraphBuilder& inside) {
  const Carry& counter = info.carries[static_cast<size_t>(info.counter)];
  const Value count = inside.tuple_element(CarriedLoop::state(loop.body()), info.counter);
  const Value start = inside.integer(count->shape.dtype, counter.start);
  if (counter.step < 0) return inside.subtract({start, count});
  return counter.start == 0 ? count : inside.subtract({count, start});
}

StepsAtOnce::StepsAtOnce(const CarriedLoop& loop, const WhileInfo& info, int64_t most_bytes)
    : loop_(loop), info_(info), steps_(*info.trip_count), most_bytes_(most_bytes) {
  for (const Instruction& value : loop.body().instructions()) {
    note_dependence(value);
    if (is_available(value)) available_.insert(&value);
    if (is_summable(value)) summable_.insert(&value);
  }
}

void StepsAtOnce::note_dependence(const Instruction& value) {
  bool& depends = depends_[&value];
  if (const std::optional<size_t> carry = carry_read(value)) {
    depends = info_.carries[*carry].kind != CarryKind::kInvariant;
  } else {
    for (const Instruction* operand : value.operands()) depends |= depends_on_step(*operand);
  }
}

bool StepsAtOnce::is_available(const Instruction& value) {
  if (const std::optional<size_t> carry = carry_read(value))
    return info_.carries[*carry].kind != CarryKind::kGeneral && value.shape.is_array();
  return supports(value) && fits(value) &&
         std::ranges::all_of(value.operands(), [&](const Instruction* operand) { return can_make(*operand); });
}

// What counts the steps: a counter, more or less a constant, or a constant less it, as in scans in reverse.
std::optional<Carry> StepsAtOnce::counts(const Instruction& value) const {
  if (const std::optional<size_t> carry = carry_read(value)) {
    const Carry& counter = info_.carries[*carry];
    if (counter.kind != CarryKind::kInduction) return std::nullopt;
    // One that the condition does not test may wrap around.
    return wraps_within(counter, value.shape.dtype, steps_) ? std::nullopt : std::optional(counter);
  }
  const bool subtracts = value.opcode == Opcode::kSubtract;
  // A narrower type may wrap within an array's indices.
  if ((!subtracts && value.opcode != Opcode::kAdd) || dtype_bits(value.shape.dtype) < 32) return std::nullopt;
  for (const size_t side : {0, 1}) {
    const std::optional<int64_t> number = splat_integer(*value.operand(side));
    if (number && std::abs(*number) > INT32_MAX) return std::nullopt;
    const std::optional<Carry> counter = number ? counts(*value.operand(1 - side)) : std::nullopt;
    if (!counter) continue;
    if (!subtracts) return Carry{CarryKind::kInduction, counter->start + *number, counter->step};
    if (side == 1) return Carry{CarryKind::kInduction, counter->start - *number, counter->step};
    return Carry{CarryKind::kInduction, *number - counter->start, -counter->step};
  }
  return std::nullopt;
}

// Notes the one dimension along which a dynamic slice or update walks, whose starts are the operands from `first` on.
bool StepsAtOnce::walks(const Instruction& instruction, size_t first, const Dims& whole, const Dims& piece) {
  std::optional<Walk> result;
  for (size_t d = 0; d < whole.size(); ++d) {
    const Instruction& start = *instruction.operand(first + d);
    const std::optional<Carry> counter = counts(start);
    if (!counter) {
      if (piece[d] != whole[d] || splat_integer(start) != 0) return false;
      continue;
    }
    const int64_t last = counter->start + (steps_ - 1) * counter->step;
    const bool inside = std::min(counter->start, last) >= 0 && std::max(counter->start, last) < whole[d];
    if (result || piece[d] != 1 || !inside || std::abs(counter->step) != 1) return false;
    result = Walk{d, counter->start, counter->step < 0};
  }
  if (result) walks_[&instruction] = *result;
  return result.has_value();
}

std::optional<Walk> StepsAtOnce::walk(const Instruction& access) {
  const bool updates = access.opcode == Opcode::kDynamicUpdateSlice;
  const Shape& piece = updates ? access.operand(1)->shape : access.shape;
  if (!walks(access, updates ? 2 : 1, access.operand(0)->shape.dims, piece.dims)) return std::nullopt;
  return walks_.at(&access);
}

bool StepsAtOnce::fills(size_t carry) {
  if (!is_filled(loop_, carry)) return false;
  const Instruction& update = *loop_.next(carry);
  return walks(update, 2, update.shape.dims, update.operand(1)->shape.dims) &&
         update.shape.dims[walks_.at(&update).dimension] == steps_;
}

bool StepsAtOnce::fits(const Instruction& value) const {
  return !depends_on_step(value) || value.shape.bytes() <= most_bytes_ / steps_ || value.shape.element_count() == 1;
}

bool StepsAtOnce::supports(const Instruction& value) {
  if (!value.shape.is_array()) return value.opcode == Opcode::kParameter;
  if (family_of(value) == Family::kElementwise) return true;
  switch (value.opcode) {
    case Opcode::kGetTupleElement:
      return carry_read(value).has_value();
    case Opcode::kConstant:
    case Opcode::kBroadcast:
    case Opcode::kReshape:
    case Opcode::kTranspose:
    case Opcode::kSlice:
    case Opcode::kReverse:
    case Opcode::kConcatenate:
    case Opcode::kIota:
    case Opcode::kDot:
      return true;
    case Opcode::kReduce:
      return value.operands().size() == 2 && !depends_on_step(*value.operand(1));
    case Opcode::kDynamicSlice:
      return !depends_on_step(*value.operand(0)) && walks(value, 1, value.operand(0)->shape.dims, value.shape.dims);
    default:
      return false;
  }
}

bool StepsAtOnce::is_summable(const Instruction& value) const {
  switch (value.opcode) {
    case Opcode::kDot:
      return depends_on_step(*value.operand(0)) && depends_on_step(*value.operand(1));
    case Opcode::kReduce:
      return is_sum_from_zero(value) && depends_on_step(*value.operand(0));
    case Opcode::kTranspose:
    case Opcode::kReshape:
      return can_sum(*value.operand(0));
    case Opcode::kAdd:
      return can_sum(*value.operand(0)) && can_sum(*value.operand(1));
    default:
      return false;
  }
}

std::vector<const Instruction*> StepsAtOnce::summed(const Instruction& value) const {
  std::vector<const Instruction*> result, open = {&value};
  InstructionSet seen;
  while (!open.empty()) {
    const Instruction* part = open.back();
    open.pop_back();
    if (!seen.insert(part).second) continue;
    const bool ends = part->opcode == Opcode::kDot || part->opcode == Opcode::kReduce;
    std::vector<const Instruction*>& to = ends ? result : open;
    to.insert(to.end(), part->operands().begin(), part->operands().end());
  }
  return result;
}

void StepsAtOnce::make(const std::vector<const Instruction*>& values, Instruction& position) {
  InstructionSet needed;
  std::vector<const Instruction*> open(values.begin(), values.end());
  while (!open.empty()) {
    const Instruction* value = open.back();
    open.pop_back();
    if (all_.count(value) > 0 || common_.count(value) > 0 || !needed.insert(value).second) continue;
    if (value->opcode == Opcode::kDynamicSlice && depends_on_step(*value)) {
      open.push_back(value->operand(0));
    } else {
      open.insert(open.end(), value->operands().begin(), value->operands().end());
    }
  }
  // In the order of the body, operands first.
  for (const Instruction& value : loop_.body().instructions()) {
    if (needed.count(&value) == 0 || value.opcode == Opcode::kParameter) continue;
    if (depends_on_step(value)) {
      all_[&value] = made(value, position);
    } else if (const std::optional<size_t> carry = carry_read(value)) {
      common_[&value] = loop_.init(*carry);
    } else {
      std::vector<Value> operands;
      for (const Instruction* operand : value.operands()) operands.push_back(common(*operand));
      common_[&value] = position.parent()->add_copy(value, operands, &position);
    }
  }
}

Value StepsAtOnce::all(const Instruction& value, GraphBuilder& at) {
  Value& result = all_[&value];
  if (result != nullptr) return result;
  const Value one = common(value);
  return result = at.broadcast(one, with_steps(steps_, one->shape.dims), counted(1, one->shape.rank()));
}

Value StepsAtOnce::made(const Instruction& value, Instruction& position) {
  GraphBuilder at(position);
  if (const std::optional<size_t> carry = carry_read(value)) {
    const Carry& counter = info_.carries[*carry];
    const DType dtype = value.shape.dtype;
    const Value steps = at.iota(dtype, {steps_}, 0);
    const Value scaled = counter.step == 1 ? steps : at.multiply({steps, at.integer(dtype, counter.step, {steps_})});
    return counter.start == 0 ? scaled : at.add({scaled, at.integer(dtype, counter.start, {steps_})});
  }
  const Dims dims = with_steps(steps_, value.shape.dims);
  switch (value.opcode) {
    case Opcode::kBroadcast:
      return at.broadcast(all(*value.operand(0), at), dims, behind_steps(*value.attributes->dimensions));
    case Opcode::kReshape:
      return at.reshape(all(*value.operand(0), at), dims);
    case Opcode::kTranspose:
      return at.transpose(all(*value.operand(0), at), behind_steps(*value.attributes->dimensions));
    case Opcode::kDynamicSlice:
      return walked(value, at);
    case Opcode::kDot:
      return product(value, false, position);
    default:
      break;
  }
  // The instruction itself, with another dimension.
  std::vector<Value> operands;
  for (size_t i = 0; i < value.operands().size(); ++i) {
    const bool initial = value.opcode == Opcode::kReduce && i == 1;
    Value part = initial ? common(*value.operand(1)) : all(*value.operand(i), at);
    // A scalar that stands for all elements: of select and clamp.
    const bool scalar = value.operand(i)->shape.is_scalar() && !value.shape.is_scalar() && !initial;
    if (scalar && family_of(value) == Family::kElementwise) part = at.broadcast(part, dims, {0});
    operands.push_back(part);
  }
  Value copy = position.parent()->add_copy(value, operands, &position);
  copy->shape.dims = dims;
  copy->shape.layout.reset();
  if (value.attributes->dimensions) copy->attributes.edit().dimensions = shifted(*value.attributes->dimensions);
  if (value.attributes->slice) {
    std::vector<SliceBounds> slices = *value.attributes->slice;
    slices.insert(slices.begin(), {0, steps_, 1});
    copy->attributes.edit().slice = std::move(slices);
  }
  return copy;
}

// A dot of all steps. `sums`: its terms are those of all steps. Else steps are a dimension of the batch, or of the
// operand that alone depends on the step.
Value StepsAtOnce::product(const Instruction& dot, bool sums, Instruction& position) {
  GraphBuilder at(position);
  const std::array<bool, 2> depends = {depends_on_step(*dot.operand(0)), depends_on_step(*dot.operand(1))};
  const bool both = depends[0] && depends[1];
  std::array<OperandDims, 2> dims;
  std::array<Value, 2> operands{};
  for (size_t side = 0; side < 2; ++side) {
    const Instruction& operand = *dot.operand(side);
    dims[side] = operand_dims(dot, side);
    operands[side] = depends[side] ? all(operand, at) : common(operand);
    if (!depends[side]) continue;
    for (Dims* of : {&dims[side].batch, &dims[side].free, &dims[side].contracting}) *of = shifted(*of);
    Dims& steps = sums ? dims[side].contracting : both ? dims[side].batch : dims[side].free;
    steps.insert(steps.begin(), 0);
  }
  Value result = position.parent()->add_copy(dot, {operands[0], operands[1]}, &position);
  Attributes& attributes = result->attributes.edit();
  if (!dims[0].batch.empty()) {
    attributes.lhs_batch_dims = dims[0].batch;
    attributes.rhs_batch_dims = dims[1].batch;
  }
  attributes.lhs_contracting_dims = dims[0].contracting;
  attributes.rhs_contracting_dims = dims[1].contracting;
  Dims shape = sizes(operands[0]->shape, dims[0].batch);
  for (size_t side = 0; side < 2; ++side) {
    for (const int64_t size : sizes(operands[side]->shape, dims[side].free)) shape.push_back(size);
  }
  result->shape.dims = std::move(shape);
  result->shape.layout.reset();
  if (sums || both) return result;
  // The steps are the first of the free dimensions of one side.
  const int64_t steps = std::ssize(dims[0].batch) + (depends[0] ? 0 : std::ssize(dims[0].free));
  return in_front(result, steps, at);
}

Value StepsAtOnce::sum(const Instruction& value, Instruction& position) {
  if (const auto made = sums_.find(&value); made != sums_.end()) return made->second;
  GraphBuilder at(position);
  Value result = nullptr;
  switch (value.opcode) {
    case Opcode::kDot:
      result = product(value, true, position);
      break;
    case Opcode::kTranspose:
      result = at.transpose(sum(*value.operand(0), position), *value.attributes->dimensions);
      break;
    case Opcode::kReshape:
      result = at.reshape(sum(*value.operand(0), position), value.shape.dims);
      break;
    case Opcode::kAdd: {
      const Value first = sum(*value.operand(0), position);
      result = at.add({first, sum(*value.operand(1), position)});
      break;
    }
    default:
      result = position.parent()->add_copy(value, {all(*value.operand(0), at), common(*value.operand(1))}, &position);
      result->attributes.edit().dimensions = behind_steps(*value.attributes->dimensions);
  }
  return sums_[&value] = result;
}

// What the steps read of an array that they walk along.
Value StepsAtOnce::walked(const Instruction& slice, GraphBuilder& at) const {
  Value array = common(*slice.operand(0));
  const Walk along = walks_.at(&slice);
  const auto dimension = static_cast<int64_t>(along.dimension);
  const int64_t first = along.backwards ? along.start - steps_ + 1 : along.start;
  if (steps_ != array->shape.dims[along.dimension]) array = at.slice(array, dimension, first, first + steps_);
  if (along.backwards) array = at.reverse(array, dimension);
  return at.reshape(in_front(array, dimension, at), with_steps(steps_, slice.shape.dims));
}

Value StepsAtOnce::pieces(size_t carry, Value array, GraphBuilder& at) const {
  const Instruction& update = *loop_.next(carry);
  const Walk along = walks_.at(&update);
  const auto dimension = static_cast<int64_t>(along.dimension);
  if (along.backwards) array = at.reverse(array, dimension);
  return at.reshape(in_front(array, dimension, at), with_steps(steps_, update.operand(1)->shape.dims));
}

Value StepsAtOnce::filled(size_t carry, GraphBuilder& at) {
  const Instruction& update = *loop_.next(carry);
  const Walk along = walks_.at(&update);
  const Instruction& piece = *update.operand(1);
  const Dims rest = without(piece.shape.dims, along.dimension);
  const auto dimension = static_cast<int64_t>(along.dimension);
  const Value made = at.reshape(all(piece, at), with_steps(steps_, rest));
  Dims back = counted(1, dimension);
  back.push_back(0);
  for (const int64_t d : counted(1 + dimension, std::ssize(rest) - dimension)) back.push_back(d);
  const Value result = dimension == 0 ? made : at.transpose(made, back);
  return along.backwards ? at.reverse(result, dimension) : result;
}

}  // namespace sinter
