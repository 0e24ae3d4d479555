#include "frontend/grain/write/builder.h"

#include <algorithm>

#include "ir/ops/op_table.h"
#include "ir/support/diagnostics.h"

namespace sinter::grain {

void Builder::begin(Computation* computation, Captures* captures, Instruction* parameter) {
  scopes_.push_back({computation, captures, parameter, {}});
}

bool Builder::captures_allowed() const { return scopes_.size() == 1 || scopes_.back().captures != nullptr; }

Instruction* Builder::here(Instruction* value) { return at_home(value, scopes_.size() - 1); }

Instruction* Builder::at_home(Instruction* value, size_t index) {
  Scope& scope = scopes_[index];
  if (value->parent() == scope.computation) return value;
  if (const auto known = scope.known.find(value); known != scope.known.end()) return known->second;
  Instruction* result = nullptr;
  // Constants, and arrays of one constant, are made anew.
  const bool is_splat = value->opcode == Opcode::kBroadcast && value->operand(0)->opcode == Opcode::kConstant;
  if (value->opcode == Opcode::kConstant || value->opcode == Opcode::kIota || is_splat) {
    std::vector<Instruction*> operands;
    if (is_splat) operands.push_back(at_home(value->operand(0), index));
    result = scope.computation->add_copy(*value, operands);
  } else {
    check(index > 0 && scope.captures != nullptr, "grain", "a value of another function is read: " + value->name);
    Instruction* outside = at_home(value, index - 1);
    std::vector<Instruction*>& values = scopes_[index].captures->values;
    auto found = std::find(values.begin(), values.end(), outside);
    if (found == values.end()) {
      values.push_back(outside);
      found = values.end() - 1;
    }
    const auto position = static_cast<size_t>(found - values.begin());
    const size_t element = scopes_[index].captures->first + position;
    Attributes attributes;
    attributes.tuple_index = static_cast<int64_t>(element);
    result = scope.computation->add(Opcode::kGetTupleElement, outside->shape, {scope.parameter}, outside->name);
    result->attributes = attributes;
    result->loc = outside->loc;
    result->metadata = outside->metadata;
  }
  scopes_[index].known[value] = result;
  return result;
}

Instruction* Builder::captured(size_t index) {
  Scope& scope = scopes_.back();
  Instruction* outside = scope.captures->values[index];
  return here(outside);
}

void Builder::describe(Instruction* value) {
  value->loc = place.loc;
  if (place.op_name.empty()) return;
  Metadata metadata;
  metadata.op_name = place.op_name;
  metadata.source_file = place.file;
  metadata.source_line = place.line;
  metadata.stack_frame_id = place.frame;
  value->metadata = metadata;
}

Instruction* Builder::make_as(Opcode opcode, Shape shape, const std::vector<Instruction*>& operands,
                              Attributes attributes) {
  std::vector<Instruction*> local;
  local.reserve(operands.size());
  for (Instruction* operand : operands) local.push_back(here(operand));
  Instruction* made = computation()->add(opcode, std::move(shape), local);
  made->attributes = std::move(attributes);
  describe(made);
  return made;
}

Instruction* Builder::make(Opcode opcode, const std::vector<Instruction*>& operands, Attributes attributes) {
  Instruction* made = make_as(opcode, Shape(), operands, std::move(attributes));
  ShapeResult shape = op_def(opcode).infer(*made);
  if (const ShapeError* error = std::get_if<ShapeError>(&shape)) {
    throw InternalError("grain", std::string(opcode_name(opcode)) + " for " + place.op_name + ": " + error->message);
  }
  made->shape = std::get<Shape>(std::move(shape));
  return made;
}

Instruction* Builder::parameter(Shape shape, const std::string& name) {
  const auto number = static_cast<int64_t>(computation()->parameters().size());
  Instruction* made = computation()->add(Opcode::kParameter, std::move(shape), {}, name);
  made->parameter_number = number;
  describe(made);
  return made;
}

Instruction* Builder::constant(Literal literal) {
  Instruction* made = computation()->add_constant(std::move(literal));
  made->loc = place.loc;
  return made;
}

Instruction* Builder::number(DType dtype, double value) {
  if (is_complex(dtype)) {
    Instruction* real = number(dtype == DType::kC64 ? DType::kF32 : DType::kF64, value);
    return make(Opcode::kComplex, {real, number(real->shape.dtype, 0)});
  }
  if (is_float(dtype)) return constant(real_literal(dtype, value));
  return constant(integer_literal(dtype, static_cast<int64_t>(value)));
}

Instruction* Builder::iota(DType dtype, const Dims& dims, int64_t along) {
  Attributes attributes;
  attributes.iota_dimension = along;
  return make_as(Opcode::kIota, Shape::array(dtype, dims), {}, std::move(attributes));
}

Instruction* Builder::compare(Instruction* a, Instruction* b, std::string_view direction) {
  Attributes attributes;
  attributes.direction = std::string(direction);
  return make(Opcode::kCompare, {a, b}, std::move(attributes));
}

Instruction* Builder::convert(Instruction* a, DType dtype) {
  if (a->shape.dtype == dtype) return a;
  return make_as(Opcode::kConvert, Shape::array(dtype, a->shape.dims), {a});
}

Instruction* Builder::broadcast(Instruction* a, const Dims& dims, const Dims& where) {
  if (a->shape.dims == dims) return a;
  Attributes attributes;
  attributes.dimensions = where;
  return make_as(Opcode::kBroadcast, Shape::array(a->shape.dtype, dims), {a}, std::move(attributes));
}

Instruction* Builder::reshape(Instruction* a, const Dims& dims) {
  if (a->shape.dims == dims) return a;
  return make_as(Opcode::kReshape, Shape::array(a->shape.dtype, dims), {a});
}

Instruction* Builder::transpose(Instruction* a, const Dims& permutation) {
  if (std::is_sorted(permutation.begin(), permutation.end())) return a;
  Dims dims;
  for (const int64_t d : permutation) dims.push_back(a->shape.dims[static_cast<size_t>(d)]);
  Attributes attributes;
  attributes.dimensions = permutation;
  return make_as(Opcode::kTranspose, Shape::array(a->shape.dtype, dims), {a}, std::move(attributes));
}

Instruction* Builder::slice(Instruction* a, size_t dimension, int64_t start, int64_t limit, int64_t stride) {
  if (start == 0 && limit == a->shape.dims[dimension] && stride == 1) return a;
  Attributes attributes;
  attributes.slice.emplace();
  for (const int64_t extent : a->shape.dims) attributes.slice->push_back({0, extent, 1});
  (*attributes.slice)[dimension] = {start, limit, stride};
  return make(Opcode::kSlice, {a}, std::move(attributes));
}

Instruction* Builder::pad(Instruction* a, Instruction* value, size_t dimension, int64_t low, int64_t high) {
  if (low == 0 && high == 0) return a;
  Attributes attributes;
  attributes.padding.emplace();
  attributes.padding->resize(a->shape.dims.size());
  (*attributes.padding)[dimension] = {low, high, 0};
  return make(Opcode::kPad, {a, value}, std::move(attributes));
}

Instruction* Builder::concatenate(const std::vector<Instruction*>& pieces, size_t dimension) {
  if (pieces.size() == 1) return pieces[0];
  Attributes attributes;
  attributes.dimensions = Dims{static_cast<int64_t>(dimension)};
  return make(Opcode::kConcatenate, pieces, std::move(attributes));
}

Instruction* Builder::reverse(Instruction* a, size_t dimension) {
  Attributes attributes;
  attributes.dimensions = Dims{static_cast<int64_t>(dimension)};
  return make(Opcode::kReverse, {a}, std::move(attributes));
}

Instruction* Builder::tuple_element(Instruction* tuple, size_t index) {
  Attributes attributes;
  attributes.tuple_index = static_cast<int64_t>(index);
  return make(Opcode::kGetTupleElement, {tuple}, std::move(attributes));
}

Instruction* Builder::tuple_element_as(Instruction* tuple, size_t index, Shape shape) {
  Attributes attributes;
  attributes.tuple_index = static_cast<int64_t>(index);
  return make_as(Opcode::kGetTupleElement, std::move(shape), {tuple}, std::move(attributes));
}

Instruction* Builder::call(Computation* callee, const std::vector<Instruction*>& arguments) {
  Attributes attributes;
  attributes.to_apply = callee;
  return make_as(Opcode::kCall, callee->root()->shape, arguments, std::move(attributes));
}

Computation* Builder::combiner(Opcode opcode, DType dtype) {
  Computation*& known = combiners_[{opcode, dtype}];
  if (known != nullptr) return known;
  known = module_.add_computation(std::string(opcode_name(opcode)));
  begin(known);
  Instruction* a = parameter(Shape::scalar(dtype), "a");
  Instruction* b = parameter(Shape::scalar(dtype), "b");
  known->set_root(make(opcode, {a, b}));
  end();
  return known;
}

void Builder::name(Instruction* value, const std::string& name) {
  if (value->opcode == Opcode::kParameter || value->opcode == Opcode::kConstant || named_[value]) return;
  if (value->parent() != computation()) return;
  named_[value] = true;
  // "cosine" of an instruction that is called so after its opcode stays.
  const bool has_it = value->name == name || (value->name.starts_with(name) && value->name[name.size()] == '.');
  if (!has_it) value->name = value->parent()->parent()->unique_instruction_name(name);
}

}  // namespace sinter::grain
