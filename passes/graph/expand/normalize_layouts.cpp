// normalize_layouts: bitcasts become transposes and reshapes; then no layout inside the module means anything, and
// they are dropped.
//
//   %x = f32[2,3]{0,1} parameter(0)             %t = f32[3,2] transpose(%x), dimensions={1,0}
//   ROOT %b = f32[6]{0} bitcast(%x)        =>   ROOT %b = f32[6] reshape(%t)
//
// What keeps its layout: the entry's parameters, and its result where the header does not state it (the interface);
// custom calls of whole arrays (part of their contract); a bitcast that is not spelled so (tiles, element widths) and
// its operand.
#include <algorithm>

#include "ir/module/device_functions.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

bool is_plain(const Shape& shape) {
  return shape.is_array() && shape.is_static() && (!shape.layout || shape.layout->properties.empty());
}

std::vector<int64_t> major_to_minor(const Shape& shape) {
  std::vector<int64_t> order = minor_to_major(shape);
  std::reverse(order.begin(), order.end());
  return order;
}

Instruction* insert_transpose(Instruction& position, Instruction* operand, const std::vector<int64_t>& order) {
  if (order == iota_list(operand->shape.rank())) return operand;
  Shape shape = Shape::array(operand->shape.dtype, {});
  for (int64_t dim : order) shape.dims.push_back(operand->shape.dims[static_cast<size_t>(dim)]);
  Attributes attributes;
  attributes.dimensions = order;
  return insert_like(position, Opcode::kTranspose, std::move(shape), {operand}, std::move(attributes));
}

// True if the bitcast could be expressed.
bool expand_bitcast(Instruction& bitcast) {
  Instruction* value = bitcast.operand(0);
  const Shape& from = value->shape;
  const Shape& to = bitcast.shape;
  if (!is_plain(from) || !is_plain(to) || dtype_bits(from.dtype) != dtype_bits(to.dtype)) return false;
  if (is_complex(from.dtype) != is_complex(to.dtype) || from.element_count() != to.element_count()) return false;
  const std::vector<int64_t> from_order = major_to_minor(from);
  const std::vector<int64_t> to_order = major_to_minor(to);
  std::vector<int64_t> memory_dims;
  for (int64_t dim : to_order) memory_dims.push_back(to.dims[static_cast<size_t>(dim)]);
  std::vector<int64_t> back(to_order.size());
  for (size_t k = 0; k < to_order.size(); ++k) back[static_cast<size_t>(to_order[k])] = static_cast<int64_t>(k);

  const DType dtype = to.dtype;
  value = insert_transpose(bitcast, value, from_order);
  value = insert_reshape(bitcast, value, memory_dims);
  value = insert_transpose(bitcast, value, back);
  become(bitcast, value->shape.dtype == dtype ? Opcode::kReshape : Opcode::kBitcastConvert, {value});
  return true;
}

bool drop_layouts(Shape& outermost) {
  bool changed = false;
  std::vector<Shape*> open{&outermost};
  while (!open.empty()) {
    Shape* shape = open.back();
    open.pop_back();
    changed |= shape->layout.has_value();
    shape->layout.reset();
    for (Shape& element : shape->elements) open.push_back(&element);
  }
  return changed;
}

}  // namespace

bool normalize_layouts(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      if (instruction.opcode == Opcode::kBitcast) changed |= expand_bitcast(instruction);
    }
    const bool is_entry = computation.get() == module.entry();
    for (Instruction& instruction : computation->instructions()) {
      const bool is_interface = is_entry && (instruction.opcode == Opcode::kParameter ||
                                             (computation->root() == &instruction && !module.entry_result_layout));
      const auto& users = instruction.users();
      const bool is_read_by_bitcast = std::any_of(
          users.begin(), users.end(), [](const Instruction* user) { return user->opcode == Opcode::kBitcast; });
      if (is_interface || is_read_by_bitcast || instruction.opcode == Opcode::kBitcast ||
          (instruction.opcode == Opcode::kCustomCall && !calls_device_function(instruction) &&
           !calls_row_function(instruction))) {
        continue;
      }
      changed |= drop_layouts(instruction.shape);
      if (instruction.opcode == Opcode::kConstant && instruction.shape.is_array()) instruction.literal.set_layout({});
    }
  }
  return changed;
}

}  // namespace sinter
