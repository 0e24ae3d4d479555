// Comparison of a computation's parameters and result with what its caller expects.
#include "ir/infer/called_signature.h"

#include "ir/infer/infer_common.h"

namespace sinter {
namespace {

std::string list_text(const std::vector<Shape>& shapes) {
  std::string result = "(";
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (i > 0) result += ", ";
    result += text(shapes[i]);
  }
  return result + ")";
}

}  // namespace

ShapeError check_parameters(const Computation& computation, const std::vector<Shape>& parameters) {
  std::vector<Shape> found;
  bool equal = true;
  for (const Instruction* parameter : computation.parameters()) {
    equal = equal && found.size() < parameters.size() && parameter->shape.same_type(parameters[found.size()]);
    found.push_back(parameter->shape);
  }
  if (equal && found.size() == parameters.size()) return {};
  return {"%" + computation.name + " takes " + list_text(found) + ", is called with " + list_text(parameters), ""};
}

ShapeError check_signature(const Computation& computation, const std::vector<Shape>& parameters, const Shape& result) {
  if (ShapeError error = check_parameters(computation, parameters); failed(error)) return error;
  const ShapeResult found = result_shape(computation);
  if (const ShapeError* error = std::get_if<ShapeError>(&found)) return *error;
  if (std::get<Shape>(found).same_type(result)) return {};
  return {"%" + computation.name + " returns " + text(std::get<Shape>(found)) + ", must return " + text(result), ""};
}

ShapeResult result_shape(const Computation& computation) {
  if (computation.root() == nullptr) return ShapeError{"%" + computation.name + " has no root", ""};
  return without_layout(computation.root()->shape);
}

Shape without_layout(const Shape& shape) {
  Shape result = shape;
  result.layout.reset();
  for (Shape& element : result.elements) element = without_layout(element);
  return result;
}

}  // namespace sinter
