// Between the arrays of a file and the tuples of a module. Tuples nest as deep as the parser allows (docs/hlo_text.md),
// so recursion is bounded.
#include "driver/tensors/tensors.h"

namespace sinter {
namespace {

void append_arrays(const Shape& shape, std::vector<Shape>& arrays) {
  if (shape.is_array()) {
    arrays.push_back(shape);
    arrays.back().layout.reset();
  }
  for (const Shape& element : shape.elements) append_arrays(element, arrays);
}

void append_arrays(const Literal& value, std::vector<Literal>& arrays) {
  if (value.shape().is_array()) arrays.push_back(value);
  for (const Literal& element : value.elements()) append_arrays(element, arrays);
}

Literal pack(const Shape& shape, const std::vector<Literal>& arrays, size_t& next) {
  if (shape.is_array()) return arrays[next++];
  if (!shape.is_tuple()) return Literal(shape);
  std::vector<Literal> elements;
  for (const Shape& element : shape.elements) elements.push_back(pack(element, arrays, next));
  return Literal::tuple(std::move(elements));
}

}  // namespace

std::vector<Shape> input_shapes(const Module& module) {
  std::vector<Shape> shapes;
  for (const Instruction* parameter : module.entry()->parameters()) append_arrays(parameter->shape, shapes);
  return shapes;
}

std::vector<Shape> output_shapes(const Module& module) {
  std::vector<Shape> shapes;
  append_arrays(module.entry()->root()->shape, shapes);
  return shapes;
}

std::vector<Literal> pack_arguments(const Module& module, const std::vector<Literal>& arrays) {
  std::vector<Literal> arguments;
  size_t next = 0;
  for (const Instruction* parameter : module.entry()->parameters()) {
    arguments.push_back(pack(parameter->shape, arrays, next));
  }
  return arguments;
}

std::vector<Literal> flatten(const Literal& value) {
  std::vector<Literal> arrays;
  append_arrays(value, arrays);
  return arrays;
}

}  // namespace sinter
