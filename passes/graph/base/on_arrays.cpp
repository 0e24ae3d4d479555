#include "passes/graph/base/on_arrays.h"

#include <algorithm>
#include <unordered_map>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

bool is_tuple_root(const Instruction& instruction) {
  return instruction.opcode == Opcode::kTuple && instruction.parent()->root() == &instruction;
}

}  // namespace

bool gives_elements(const Computation& function) {
  return std::ranges::all_of(function.instructions(), [](const Instruction& instruction) {
    const bool known = instruction.opcode == Opcode::kParameter || instruction.opcode == Opcode::kConstant ||
                       family_of(instruction) == Family::kElementwise;
    return (known && instruction.shape.is_scalar()) || is_tuple_root(instruction);
  });
}

std::vector<Instruction*> on_arrays(Instruction& position, const Computation& function,
                                    const std::vector<Instruction*>& arguments, const std::vector<int64_t>& dims) {
  std::unordered_map<const Instruction*, Instruction*> copies;
  const auto copies_of = [&](const std::vector<Instruction*>& values) {
    std::vector<Instruction*> result;
    for (const Instruction* value : values) result.push_back(copies.at(value));
    return result;
  };
  for (const Instruction& instruction : function.instructions()) {
    if (is_tuple_root(instruction)) continue;
    Instruction*& copy = copies[&instruction];
    if (instruction.opcode == Opcode::kParameter) {
      copy = arguments[static_cast<size_t>(instruction.parameter_number)];
      continue;
    }
    copy = position.parent()->add_copy(instruction, copies_of(instruction.operands()), &position);
    if (copy->metadata->stack_frame_id == 0 && position.metadata->stack_frame_id != 0)
      copy->metadata.edit().stack_frame_id = position.metadata->stack_frame_id;
    if (instruction.opcode == Opcode::kConstant) {
      copy = insert_broadcast_like(position, copy, Shape::array(instruction.shape.dtype, dims));
    } else {
      copy->shape.dims = dims;
      copy->shape.layout.reset();
    }
  }
  const Instruction& root = *function.root();
  return copies_of(is_tuple_root(root) ? root.operands() : std::vector<Instruction*>{function.root()});
}

}  // namespace sinter
