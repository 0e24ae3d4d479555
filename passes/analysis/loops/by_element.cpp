#include "passes/analysis/loops/by_element.h"

#include <algorithm>
#include <unordered_map>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/analysis/values/constants.h"

namespace sinter {

namespace {

// Whether each element of results depends on few elements of what an operation other than an index map reads.
bool is_short(const Instruction& instruction) {
  switch (family_of(instruction)) {
    case Family::kElementwise:
    case Family::kIndexMap:
      return true;
    case Family::kStructured: {
      if (instruction.opcode != Opcode::kReduce || instruction.shape.is_tuple()) return false;
      return instruction.operand(0)->shape.element_count() <= kFewReduced * instruction.shape.element_count();
    }
    case Family::kControl:
      if (instruction.opcode == Opcode::kCustomCall) return false;
      break;
    default:
      return false;
  }
  for (const Computation* called : instruction.called_computations()) {
    for (const Instruction& inside : called->instructions()) {
      if (!is_short(inside)) return false;
    }
  }
  return true;
}

// Whether an operation on what a large carry holds leaves each element at its index.
bool stays_at_its_index(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kGetTupleElement:
    case Opcode::kTuple:
    case Opcode::kReduce:  // a short one
      return true;
    case Opcode::kReshape:
      return squeezed_dims(instruction.shape.dims) == squeezed_dims(instruction.operand(0)->shape.dims);
    case Opcode::kCall:  // of several results perhaps
      return is_per_element(**instruction.attributes->to_apply);
    default:
      return family_of(instruction) == Family::kElementwise;
  }
}

}  // namespace

bool is_read_once(const Instruction& instruction, const Instruction& user) {
  return instruction.users().size() == 1 && instruction.users()[0] == &user;
}

Instruction* only_read(const CarriedLoop& loop, size_t i) {
  if (!loop.reads(loop.condition(), i).empty()) return nullptr;
  const std::vector<Instruction*> reads = loop.reads(loop.body(), i);
  return reads.size() == 1 ? reads[0] : nullptr;
}

bool is_filled(const CarriedLoop& loop, size_t i) {
  const Instruction* next = loop.next(i);
  const Instruction* read = only_read(loop, i);
  return next != nullptr && read != nullptr && next->opcode == Opcode::kDynamicUpdateSlice &&
         next->operand(0) == read && is_read_once(*read, *next) && is_read_once(*next, *loop.body().root());
}

namespace {

// Which carries are arrays of many elements that change; what fills others is apart. nullopt where the next state is no
// tuple that is built here.
std::optional<std::vector<bool>> wide_carries(const CarriedLoop& loop, InstructionSet* apart) {
  std::vector<bool> is_wide(loop.count());
  for (size_t i = 0; i < loop.count(); ++i) {
    const Instruction* next = loop.next(i);
    if (next == nullptr) return std::nullopt;
    if (is_filled(loop, i)) {
      apart->insert(next);
      continue;
    }
    const std::vector<Instruction*> reads = loop.reads(loop.body(), i);
    const bool is_invariant = std::find(reads.begin(), reads.end(), next) != reads.end();
    is_wide[i] = !is_invariant && next->shape.is_array() && next->shape.element_count() > kFewElements;
  }
  return is_wide;
}

bool condition_is_short(const CarriedLoop& loop) {
  const std::list<Instruction>& condition = loop.condition().instructions();
  return std::all_of(condition.begin(), condition.end(), is_short);
}

// The dimension of `dims` that has `rows` elements; nullopt for none and several.
std::optional<size_t> dimension_of(const std::vector<int64_t>& dims, int64_t rows) {
  if (std::count(dims.begin(), dims.end(), rows) != 1) return std::nullopt;
  return static_cast<size_t>(std::find(dims.begin(), dims.end(), rows) - dims.begin());
}

// Where the rows, along dimension `from` of operand `position`, are in the result; nullopt where they are cut or mixed.
std::optional<size_t> rows_after(const Instruction& instruction, size_t position, size_t from) {
  const Instruction& operand = *instruction.operand(position);
  if (operand.shape.is_tuple())
    return instruction.opcode == Opcode::kGetTupleElement ? std::optional(from) : std::nullopt;
  const int64_t rows = operand.shape.dims[from];
  const auto along = static_cast<int64_t>(from);
  const std::vector<int64_t> dimensions = instruction.attributes->dimensions.value_or(std::vector<int64_t>{});
  const auto place_of = [](const std::vector<int64_t>& dims, int64_t dim) {
    return static_cast<size_t>(std::find(dims.begin(), dims.end(), dim) - dims.begin());
  };
  const auto before = [](const std::vector<int64_t>& dims, size_t dim) {
    int64_t count = 1;
    for (size_t d = 0; d < dim; ++d) count *= dims[d];
    return count;
  };
  switch (instruction.opcode) {
    case Opcode::kTranspose:
      return place_of(dimensions, along);
    case Opcode::kBroadcast:
      return static_cast<size_t>(dimensions[from]);
    case Opcode::kReshape:
      for (size_t d = 0; d < instruction.shape.dims.size(); ++d) {
        const bool same = before(instruction.shape.dims, d) == before(operand.shape.dims, from);
        if (instruction.shape.dims[d] == rows && same) return d;
      }
      return std::nullopt;
    case Opcode::kSlice: {
      const SliceBounds& slice = (*instruction.attributes->slice)[from];
      return slice.start == 0 && slice.limit == rows && slice.stride == 1 ? std::optional(from) : std::nullopt;
    }
    case Opcode::kConcatenate:
    case Opcode::kReverse:
      return place_of(dimensions, along) == dimensions.size() ? std::optional(from) : std::nullopt;
    case Opcode::kReduce:
      if (2 * position >= instruction.operands().size() || place_of(dimensions, along) < dimensions.size())
        return std::nullopt;
      return from - static_cast<size_t>(
                        std::count_if(dimensions.begin(), dimensions.end(), [&](int64_t dim) { return dim < along; }));
    case Opcode::kGather: {
      // A thread's own indices; what they are looked up in is the same for all.
      const int64_t vector_dim = *instruction.attributes->index_vector_dim;
      if (position != 1 || along == vector_dim) return std::nullopt;
      const std::vector<int64_t>& offsets = *instruction.attributes->offset_dims;
      int64_t batch = along - (along > vector_dim ? 1 : 0);
      for (int64_t d = 0; d < instruction.shape.rank(); ++d) {
        if (place_of(offsets, d) == offsets.size() && batch-- == 0) return static_cast<size_t>(d);
      }
      return std::nullopt;
    }
    case Opcode::kDot: {
      const OperandDims dims = operand_dims(instruction, position);
      const size_t batch = place_of(dims.batch, along), own = place_of(dims.free, along);
      if (product(operand.shape, dims.contracting) > kFewReduced) return std::nullopt;
      if (batch < dims.batch.size()) return batch;
      if (own == dims.free.size()) return std::nullopt;
      return dims.batch.size() + (position == 0 ? 0 : operand_dims(instruction, 0).free.size()) + own;
    }
    default:
      if (family_of(instruction) != Family::kElementwise || operand.shape.dims != instruction.shape.dims)
        return std::nullopt;
      return from;
  }
}

}  // namespace

std::optional<InstructionSet> values_by_row(const CarriedLoop& loop, InstructionSet apart, int64_t rows) {
  const std::optional<std::vector<bool>> is_wide = wide_carries(loop, &apart);
  if (!is_wide || !condition_is_short(loop)) return std::nullopt;
  InstructionSet wide;
  std::unordered_map<const Instruction*, size_t> dimension;  // of the rows
  for (const Instruction& instruction : loop.body().instructions()) {
    if (instruction.opcode == Opcode::kParameter || instruction.opcode == Opcode::kConstant) continue;
    if (apart.count(&instruction) > 0 || &instruction == loop.body().root()) continue;
    std::optional<size_t> along;
    if (const std::optional<size_t> carry = carry_read(instruction)) {
      if (!(*is_wide)[*carry]) continue;
      along = dimension_of(instruction.shape.dims, rows);
      if (!along) return std::nullopt;
    } else {
      for (size_t i = 0; i < instruction.operands().size(); ++i) {
        const auto operand = dimension.find(instruction.operand(i));
        if (operand == dimension.end()) continue;
        const std::optional<size_t> after = rows_after(instruction, i, operand->second);
        if (!after || (along && along != after)) return std::nullopt;
        along = after;
      }
      if (!along && !is_short(instruction)) return std::nullopt;
    }
    if (!along) continue;
    if (instruction.shape.is_array() && instruction.shape.element_count() > kFewElements * rows) return std::nullopt;
    dimension[&instruction] = *along;
    wide.insert(&instruction);
  }
  for (size_t i = 0; i < loop.count(); ++i) {
    if (!(*is_wide)[i]) continue;
    const auto next = dimension.find(loop.next(i));
    if (next == dimension.end() || next->second != dimension_of(loop.next(i)->shape.dims, rows)) return std::nullopt;
  }
  return wide;
}

std::optional<InstructionSet> values_by_element(const CarriedLoop& loop, InstructionSet apart) {
  const std::optional<std::vector<bool>> wide_carry = wide_carries(loop, &apart);
  if (!wide_carry || !condition_is_short(loop)) return std::nullopt;
  const std::vector<bool>& is_wide = *wide_carry;
  InstructionSet wide;
  for (const Instruction& instruction : loop.body().instructions()) {
    if (instruction.opcode == Opcode::kParameter || instruction.opcode == Opcode::kConstant) continue;
    bool depends = false;
    if (const std::optional<size_t> carry = carry_read(instruction)) {
      depends = is_wide[*carry];
    } else {
      for (const Instruction* operand : instruction.operands()) depends |= wide.count(operand) > 0;
    }
    if (apart.count(&instruction) > 0) continue;
    if (!is_short(instruction) || (depends && !stays_at_its_index(instruction))) return std::nullopt;
    if (depends) wide.insert(&instruction);
  }
  return wide;
}

std::optional<LoopThreads> threads_of(const CarriedLoop& loop, const InstructionSet& apart, const Shape& reduced) {
  if (std::optional<InstructionSet> values = values_by_element(loop, apart)) {
    InstructionSet filling;
    const std::vector<bool> is_wide = *wide_carries(loop, &filling);
    int64_t carried = 0;
    for (size_t i = 0; i < loop.count(); ++i) {
      if (is_wide[i]) carried = std::max(carried, loop.next(i)->shape.element_count());
    }
    return LoopThreads{carried > 0 ? carried : reduced.element_count(), false, std::move(*values)};
  }
  const auto longest = std::ranges::max_element(reduced.dims);
  if (longest == reduced.dims.end()) return std::nullopt;
  std::optional<InstructionSet> values = values_by_row(loop, apart, *longest);
  return values ? std::optional(LoopThreads{*longest, true, std::move(*values)}) : std::nullopt;
}

}  // namespace sinter
