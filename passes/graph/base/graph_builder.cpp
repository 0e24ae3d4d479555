#include "passes/graph/base/graph_builder.h"

#include <algorithm>
#include <string>

#include "ir/ops/op_table.h"
#include "ir/support/diagnostics.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {

GraphBuilder::Value GraphBuilder::insert(Opcode opcode, Shape shape, const std::vector<Value>& operands,
                                         Rare<Attributes> attributes) {
  if (position_ != nullptr) {
    return insert_like(*position_, opcode, std::move(shape), operands, std::move(attributes));
  }
  Value added = computation_->add(opcode, std::move(shape), operands);
  added->attributes = std::move(attributes);
  return added;
}

GraphBuilder::Value GraphBuilder::make(Opcode opcode, const std::vector<Value>& operands, Rare<Attributes> attributes) {
  Value made = insert(opcode, Shape(), operands, std::move(attributes));
  ShapeResult shape = op_def(opcode).infer(*made);
  if (const ShapeError* error = std::get_if<ShapeError>(&shape)) {
    throw InternalError("graph builder", std::string(opcode_name(opcode)) + ": " + error->message);
  }
  made->shape = std::get<Shape>(std::move(shape));
  return made;
}

GraphBuilder::Value GraphBuilder::parameter(Shape shape, std::string name) {
  const auto number = static_cast<int64_t>(computation_->parameters().size());
  Value added = computation_->add(Opcode::kParameter, std::move(shape), {}, std::move(name));
  added->parameter_number = number;
  return added;
}

GraphBuilder::Value GraphBuilder::constant(Literal literal) {
  Value added = computation_->add_constant(std::move(literal), position_);
  if (position_ != nullptr) added->loc = position_->loc;
  return added;
}

GraphBuilder::Value GraphBuilder::integer(DType dtype, int64_t value, const Dims& dims) {
  return splat(constant(integer_literal(dtype, value)), dims);
}

GraphBuilder::Value GraphBuilder::real(DType dtype, double value, const Dims& dims) {
  return splat(constant(real_literal(dtype, value)), dims);
}

GraphBuilder::Value GraphBuilder::iota(DType dtype, const Dims& dims, int64_t along) {
  Attributes attributes;
  attributes.iota_dimension = along;
  return insert(Opcode::kIota, Shape::array(dtype, dims), {}, std::move(attributes));
}

GraphBuilder::Value GraphBuilder::compare(const Two& operands, std::string_view direction) {
  Attributes attributes;
  attributes.direction = std::string(direction);
  return make(Opcode::kCompare, {operands[0], operands[1]}, std::move(attributes));
}

GraphBuilder::Value GraphBuilder::convert(Value a, DType dtype) {
  if (a->shape.dtype == dtype) return a;
  return insert(Opcode::kConvert, Shape::array(dtype, a->shape.dims), {a}, {});
}

GraphBuilder::Value GraphBuilder::broadcast(Value a, const Dims& dims, const Dims& where) {
  if (a->shape.dims == dims && std::is_sorted(where.begin(), where.end())) return a;
  Attributes attributes;
  attributes.dimensions = where;
  return insert(Opcode::kBroadcast, Shape::array(a->shape.dtype, dims), {a}, std::move(attributes));
}

GraphBuilder::Value GraphBuilder::reshape(Value a, const Dims& dims) {
  if (a->shape.dims == dims) return a;
  return insert(Opcode::kReshape, Shape::array(a->shape.dtype, dims), {a}, {});
}

GraphBuilder::Value GraphBuilder::transpose(Value a, const Dims& permutation) {
  if (permutation == iota_list(a->shape.rank())) return a;
  Dims dims;
  for (const int64_t d : permutation) dims.push_back(a->shape.dims[static_cast<size_t>(d)]);
  Attributes attributes;
  attributes.dimensions = permutation;
  return insert(Opcode::kTranspose, Shape::array(a->shape.dtype, dims), {a}, std::move(attributes));
}

GraphBuilder::Value GraphBuilder::slice(Value a, int64_t dimension, int64_t start, int64_t limit) {
  Dims dims = a->shape.dims;
  const auto along = static_cast<size_t>(dimension);
  if (start == 0 && limit == dims[along]) return a;
  Attributes attributes;
  attributes.slice.emplace();
  for (const int64_t extent : dims) attributes.slice->push_back({0, extent, 1});
  (*attributes.slice)[along] = {start, limit, 1};
  dims[along] = limit - start;
  return insert(Opcode::kSlice, Shape::array(a->shape.dtype, dims), {a}, std::move(attributes));
}

GraphBuilder::Value GraphBuilder::concatenate(const std::vector<Value>& pieces, int64_t dimension) {
  if (pieces.size() == 1) return pieces[0];
  Attributes attributes;
  attributes.dimensions = {dimension};
  return make(Opcode::kConcatenate, pieces, std::move(attributes));
}

GraphBuilder::Value GraphBuilder::pad(Value a, const std::vector<PadBounds>& bounds, Value filling) {
  if (std::ranges::all_of(bounds, [](const PadBounds& one) { return one == PadBounds(); })) return a;
  if (filling == nullptr) filling = constant(Literal(Shape::scalar(a->shape.dtype)));
  Attributes attributes;
  attributes.padding = bounds;
  return make(Opcode::kPad, {a, filling}, std::move(attributes));
}

std::vector<GraphBuilder::Value> GraphBuilder::at_index(std::vector<Value> operands, Value index, int64_t along) {
  const int64_t rank = operands[0]->shape.rank();
  for (int64_t d = 0; d < rank; ++d) operands.push_back(d == along ? index : integer(index->shape.dtype, 0));
  return operands;
}

GraphBuilder::Value GraphBuilder::part_at(Value array, Value index, int64_t along) {
  Dims dims = array->shape.dims;
  dims[static_cast<size_t>(along)] = 1;
  Attributes sizes;
  sizes.dynamic_slice_sizes = dims;
  const Value slice = make(Opcode::kDynamicSlice, at_index({array}, index, along), std::move(sizes));
  dims.erase(dims.begin() + along);
  return reshape(slice, dims);
}

GraphBuilder::Value GraphBuilder::with_part_at(Value array, Value index, int64_t along, Value part) {
  Dims dims = array->shape.dims;
  dims[static_cast<size_t>(along)] = 1;
  const Value piece = reshape(part, dims);
  return make(Opcode::kDynamicUpdateSlice, at_index({array, piece}, index, along));
}

GraphBuilder::Value GraphBuilder::reverse(Value a, int64_t dimension) {
  Attributes attributes;
  attributes.dimensions = {dimension};
  return make(Opcode::kReverse, {a}, std::move(attributes));
}

GraphBuilder::Value GraphBuilder::reduce(Value a, Value initial, const Dims& dimensions, Opcode combiner,
                                         Module& module) {
  Attributes attributes;
  attributes.dimensions = dimensions;
  attributes.to_apply = combine_two(module, combiner, a->shape.dtype);
  return make(Opcode::kReduce, {a, initial}, std::move(attributes));
}

GraphBuilder::Value GraphBuilder::tuple_element(Value tuple, int64_t index) {
  Attributes attributes;
  attributes.tuple_index = index;
  return make(Opcode::kGetTupleElement, {tuple}, std::move(attributes));
}

GraphBuilder::Value GraphBuilder::call(Computation* callee, const std::vector<Value>& arguments) {
  Attributes attributes;
  attributes.to_apply = callee;
  return insert(Opcode::kCall, callee->root()->shape, arguments, std::move(attributes));
}

Computation* combine_two(Module& module, Opcode combiner, DType dtype) {
  Computation* function = module.add_computation(std::string(opcode_name(combiner)));
  GraphBuilder inside(*function);
  const GraphBuilder::Value a = inside.parameter(Shape::scalar(dtype), "a");
  const GraphBuilder::Value b = inside.parameter(Shape::scalar(dtype), "b");
  function->set_root(inside.make(combiner, {a, b}));
  return function;
}

Computation* take_second(Module& module, DType dtype) {
  Computation* function = module.add_computation("second");
  GraphBuilder inside(*function);
  inside.parameter(Shape::scalar(dtype), "a");
  function->set_root(inside.parameter(Shape::scalar(dtype), "b"));
  return function;
}

GraphBuilder::Dims with_steps(int64_t steps, const GraphBuilder::Dims& dims) {
  GraphBuilder::Dims result = {steps};
  result.insert(result.end(), dims.begin(), dims.end());
  return result;
}

}  // namespace sinter
