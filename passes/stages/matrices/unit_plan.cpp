#include "passes/stages/matrices/unit_plan.h"

#include <algorithm>
#include <functional>
#include <ranges>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/analysis/values/constants.h"
#include "passes/stages/own/solve_form.h"

namespace sinter {
namespace {

constexpr size_t kMostUnits = 160;  // a kernel that can be read

bool is_splat_constant(const Instruction& value) {
  return value.opcode == Opcode::kConstant && (value.shape.is_scalar() || value.literal.is_splat());
}

}  // namespace

bool UnitPlan::is_solve(const Instruction& value) {
  const std::optional<SolverCall> call = solver_call(value);
  return call && fits_block(*call, value);
}

const WhileInfo& UnitPlan::info_of(const Instruction* loop) {
  const auto found = loops_.find(loop);
  return found != loops_.end() ? found->second : loops_.emplace(loop, analyze_while(*loop)).first->second;
}

bool UnitPlan::is_made_of_indices(const Instruction& value) {
  switch (value.opcode) {
    case Opcode::kGetTupleElement:
      return is_counter(value);
    case Opcode::kIota:
      return true;
    case Opcode::kConstant:
      return is_splat_constant(value);
    default:
      break;
  }
  const bool maps = op_def(value.opcode).source_index != nullptr;
  if (!maps && family_of(value) != Family::kElementwise) return false;
  const auto [known, fresh] = made_of_indices_.try_emplace(&value, false);
  if (fresh) {
    known->second =
        std::ranges::all_of(value.operands(), [&](const Instruction* part) { return is_made_of_indices(*part); });
  }
  return known->second;
}

bool UnitPlan::is_inlined(const Instruction& value, int64_t reads) {
  if (op_def(value.opcode).source_index != nullptr || value.opcode == Opcode::kIota ||
      value.opcode == Opcode::kConstant || value.opcode == Opcode::kOptBarrier)
    return true;
  if (value.opcode == Opcode::kDynamicSlice && is_gathered_of_memory(value)) return true;
  if (value.opcode == Opcode::kDynamicSlice || value.opcode == Opcode::kGather ||
      value.opcode == Opcode::kConcatenate || value.opcode == Opcode::kPad || value.opcode == Opcode::kDot)
    return reads <= 1;
  if (family_of(value) != Family::kElementwise || value.opcode == Opcode::kCall) return false;
  return reads <= 1 || is_made_of_indices(value);
}

bool UnitPlan::is_gathered_of_memory(const Instruction& slice) {
  const std::optional<Place> place = place_of(slice.operand(0));
  if (!place || place->memory == nullptr) return false;
  const std::function<bool(const Instruction&)> is_gathered = [&](const Instruction& value) {
    return std::ranges::all_of(value.users(), [&](const Instruction* user) {
      if (user->opcode != Opcode::kGather) return op_def(user->opcode).source_index != nullptr && is_gathered(*user);
      return user->operand(0) == &value && user->operand(1) != &value &&
             user->shape.element_count() <= value.shape.element_count();
    });
  };
  return is_gathered(slice);
}

bool UnitPlan::repeats(const Instruction& reader, size_t position) {
  switch (reader.opcode) {
    case Opcode::kBroadcast:
      return reader.shape.element_count() > reader.operand(0)->shape.element_count();
    case Opcode::kReduce:
      return position >= reader.operands().size() / 2;
    default:
      return op_def(reader.opcode).source_index == nullptr && family_of(reader) != Family::kElementwise &&
             !is_solve(reader);
  }
}

bool UnitPlan::plan(ThreadLevel* level, const std::vector<const Instruction*>& roots,
                    std::set<const Instruction*> forced) {
  std::map<const Instruction*, int64_t> reads;
  for (const Instruction* root : roots) reads[root] += 1;
  std::vector<const Instruction*> order;
  for (const Instruction& instruction : level->computation->instructions()) order.push_back(&instruction);
  for (const Instruction* value : order | std::views::reverse) {
    const auto found = reads.find(value);
    if (found == reads.end()) continue;
    const int64_t times = found->second;
    switch (value->opcode) {
      case Opcode::kParameter:
        continue;
      case Opcode::kGetTupleElement:
        if (forced.count(value) > 0) {
          level->units.push_back(value);
          ++planned_;
          (is_counter(*value) ? unit_array_ : held_array_)[value] = add_array(*value, value->shape);
        }
        reads[value->operand(0)] += times;
        continue;
      case Opcode::kTuple:
      case Opcode::kOptBarrier:
        level->inlined.insert(value);
        for (const Instruction* part : value->operands()) reads[part] += times;
        continue;
      case Opcode::kWhile:
        if (!plan_loop(level, *value, &reads, &forced)) return false;
        continue;
      default:
        break;
    }
    if (is_solve(*value)) {
      if (!plan_solve(level, *value)) return false;
      for (const Instruction* part : value->operands()) reads[part] += 1;
      continue;
    }
    if (!value->shape.is_array()) return false;
    const bool inlined = forced.count(value) == 0 && is_inlined(*value, times);
    if (inlined) {
      level->inlined.insert(value);
    } else {
      add_filled(level, *value);
    }
    for (size_t i = 0; i < value->operands().size(); ++i)
      reads[value->operand(i)] += (inlined ? times : 1) * (repeats(*value, i) ? 2 : 1);
  }
  std::ranges::reverse(level->units);
  return planned_ <= kMostUnits;
}

int UnitPlan::add_array(const Instruction& value, const Shape& shape) {
  OwnArray array;
  array.value = &value;
  array.dtype = shape.dtype;
  array.dims = shape.dims;
  program_.arrays.push_back(std::move(array));
  return static_cast<int>(program_.arrays.size()) - 1;
}

void UnitPlan::add_filled(ThreadLevel* level, const Instruction& value) {
  level->units.push_back(&value);
  ++planned_;
  unit_array_[&value] = add_array(value, value.shape);
}

bool UnitPlan::plan_solve(ThreadLevel* level, const Instruction& call) {
  level->units.push_back(&call);
  ++planned_;
  SolveDemand& solve = solves_[&call];
  solve.instruction = &call;
  solve.call = *solver_call(call);
  solve.batch = batch_count(solve.call, call);
  if (solve.batch != 1 && solve.batch != program_.batch) return false;
  describe_solve(&solve);
  std::vector<int>& arrays = arrays_of_solve_[&call];
  for (const SolveArray& array : solve.arrays) {
    const bool is_result = array.result >= 0;
    const Instruction& value = is_result ? call : *call.operand(static_cast<size_t>(array.operand));
    const Shape& shape = is_result ? result_shape(call, static_cast<size_t>(array.result)) : value.shape;
    if (is_result && array.conjugated && is_complex(array.dtype)) return false;
    const int id = add_array(value, shape);
    OwnArray& own = program_.arrays[id];
    if (!settle_leading(&own, solve.batch, array.is_vector() ? 1 : 2)) return false;
    const int64_t rank = shape.rank();
    own.kept = array.is_vector() ? std::vector<int64_t>{rank - 1} : std::vector<int64_t>{rank - 2, rank - 1};
    if (array.transposed) std::swap(own.kept[0], own.kept[1]);
    if (is_result) result_array_[{&call, array.result}] = id;
    arrays.push_back(id);
  }
  if (solve.info >= 0) {
    const int id = add_array(call, result_shape(call, static_cast<size_t>(solve.info)));
    if (!settle_leading(&program_.arrays[id], solve.batch, 0)) return false;
    result_array_[{&call, solve.info}] = id;
  }
  return true;
}

bool UnitPlan::settle_leading(OwnArray* array, int64_t batch, int64_t kept) {
  array->is_settled = true;
  const auto leading = static_cast<int64_t>(array->dims.size()) - kept;
  for (int64_t d = 0; d < leading && batch > 1; ++d) {
    if (array->dims[d] == 1) continue;
    if (array->dims[d] != batch || array->batch >= 0) return false;
    array->batch = static_cast<int>(d);
  }
  return true;
}

const Instruction* UnitPlan::stacked(const Instruction& loop, size_t carry) {
  const Instruction& next = *(*loop.attributes->body)->root()->operand(carry);
  if (next.opcode != Opcode::kDynamicUpdateSlice || next.users().size() != 1) return nullptr;
  const Instruction& before = *next.operand(0);
  if (carry_read(before) != carry || before.users().size() != 1) return nullptr;
  for (const Instruction* read : before.operand(0)->users()) {
    if (read != &before && carry_read(*read) == carry) return nullptr;
  }
  return &next;
}

bool UnitPlan::is_result(const Instruction& value) const {
  return std::ranges::find(program_.results, &value) != program_.results.end();
}

bool UnitPlan::plan_loop(ThreadLevel* level, const Instruction& loop, std::map<const Instruction*, int64_t>* reads,
                         std::set<const Instruction*>* forced) {
  const WhileInfo& info = info_of(&loop);
  const Computation& computation = **loop.attributes->body;
  const bool is_plain = info.trip_count && *info.trip_count <= INT32_MAX && loop.operand(0)->opcode == Opcode::kTuple &&
                        computation.root()->opcode == Opcode::kTuple && is_only_taken_apart(loop) &&
                        is_only_taken_apart(*computation.parameters()[0]);
  if (!is_plain) return false;
  level->units.push_back(&loop);
  ++planned_;
  ThreadLevel& body = bodies_[&loop];
  body.computation = &computation;
  body.loop = &loop;
  loop_of_body_[&computation] = &loop;
  std::vector<const Instruction*> roots;
  std::set<const Instruction*> of_body;
  for (size_t i = 0; i < info.carries.size(); ++i) {
    const Instruction* init = loop.operand(0)->operand(i);
    bool is_used_after = false, is_result_alone = true;
    for (const Instruction* read : loop.users()) {
      if (*read->attributes->tuple_index != static_cast<int64_t>(i) || reads->count(read) == 0) continue;
      is_used_after = true;
      is_result_alone &= is_result(*read);
    }
    if (info.carries[i].kind == CarryKind::kInduction) {
      if (is_used_after || !init->shape.is_scalar() ||
          wraps_within(info.carries[i], init->shape.dtype, *info.trip_count))
        return false;
      continue;
    }
    if (info.carries[i].kind == CarryKind::kInvariant) {
      (*reads)[init] += 2;
      const bool has_place = init->opcode == Opcode::kParameter || init->opcode == Opcode::kConstant ||
                             (init->opcode == Opcode::kGetTupleElement && !is_counter(*init)) || is_solve(*init);
      if (!has_place) forced->insert(init);
      continue;
    }
    const Instruction* next = computation.root()->operand(i);
    if (level->loop == nullptr && is_used_after && is_result_alone && stacked(loop, i) != nullptr) {
      for (const Instruction* part : next->operands()) {
        if (part != next->operand(0)) roots.push_back(part);
      }
      continue;
    }
    (*reads)[init] += 1;
    carry_array_[{&loop, i}] = add_array(*init, init->shape);
    body.handed_on.push_back(i);
    roots.push_back(next);
    const bool is_element = next->opcode == Opcode::kGetTupleElement;
    if (!is_element ? !is_solve(*next) : next->operand(0)->opcode == Opcode::kParameter) of_body.insert(next);
  }
  return plan(&body, roots, of_body);
}

bool UnitPlan::is_counter(const Instruction& value) {
  const std::optional<size_t> carry = carry_read(value);
  const auto loop = loop_of_body_.find(value.parent());
  return carry && loop != loop_of_body_.end() && info_of(loop->second).carries[*carry].kind == CarryKind::kInduction;
}

std::optional<UnitPlan::Place> UnitPlan::place_of(const Instruction* value) {
  for (;;) {
    if (const auto unit = unit_array_.find(value); unit != unit_array_.end()) return Place{.array = unit->second};
    switch (value->opcode) {
      case Opcode::kParameter:
        if (value->parent() != &computation_ || !value->shape.is_array()) return std::nullopt;
        return Place{.memory = value};
      case Opcode::kConstant:
        return Place{.array = constant_array(*value)};
      case Opcode::kOptBarrier:
        value = value->operand(0);
        continue;
      case Opcode::kGetTupleElement:
        break;
      default: {
        const auto result = result_array_.find({value, 0});
        if (result == result_array_.end()) return std::nullopt;
        return Place{.array = result->second};
      }
    }
    const auto element = static_cast<size_t>(*value->attributes->tuple_index);
    const Instruction* source = value->operand(0);
    while (source->opcode == Opcode::kOptBarrier) source = source->operand(0);
    if (source->opcode == Opcode::kTuple) {
      value = source->operand(element);
      continue;
    }
    const Instruction* loop = source;
    if (source->opcode == Opcode::kParameter) {
      const auto found = loop_of_body_.find(source->parent());
      if (found == loop_of_body_.end()) return std::nullopt;
      loop = found->second;
    }
    if (loop->opcode == Opcode::kWhile) {
      if (info_of(loop).carries[element].kind == CarryKind::kInvariant) {
        value = state_element(loop->operand(0), static_cast<int>(element));
        continue;
      }
      const auto carry = carry_array_.find({loop, element});
      if (carry == carry_array_.end()) return std::nullopt;
      return Place{.array = carry->second};
    }
    const auto result = result_array_.find({source, static_cast<int>(element)});
    if (result == result_array_.end()) return std::nullopt;
    return Place{.array = result->second};
  }
}

int UnitPlan::constant_array(const Instruction& constant) {
  const auto found = constant_array_.find(&constant);
  if (found != constant_array_.end()) return found->second;
  const int id = add_array(constant, constant.shape);
  OwnArray& array = program_.arrays[id];
  array.constant = &constant;
  settle(&array, -1);
  return constant_array_[&constant] = id;
}

void UnitPlan::settle(OwnArray* array, int batch) {
  array->is_settled = true;
  array->batch = batch;
  array->kept.clear();
  for (int64_t d = 0; d < static_cast<int64_t>(array->dims.size()); ++d) {
    if (d != batch && array->dims[d] != 1) array->kept.push_back(d);
  }
}

void UnitPlan::settle_by_extent(OwnArray* array) {
  if (array->is_settled) return;
  const auto found = std::ranges::find(array->dims, program_.batch);
  settle(array, program_.batch > 1 && found != array->dims.end() ? static_cast<int>(found - array->dims.begin()) : -1);
}

}  // namespace sinter
