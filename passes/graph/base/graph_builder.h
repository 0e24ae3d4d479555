// Writing several instructions in a row, where a pass expands one operation into many.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

// Inserts before `position`, each instruction with its origin, or appends to a computation; shapes follow from operands
// and attributes.
class GraphBuilder {
 public:
  using Value = Instruction*;
  using Dims = std::vector<int64_t>;

  explicit GraphBuilder(Instruction& position) : computation_(position.parent()), position_(&position) {}
  explicit GraphBuilder(Computation& computation) : computation_(&computation) {}

  // Any operation with a shape rule.
  Value make(Opcode opcode, const std::vector<Value>& operands, Rare<Attributes> attributes = {});

  // The next parameter of the computation.
  Value parameter(Shape shape, std::string name);
  Value constant(Literal literal);
  // Every element is `value`.
  Value integer(DType dtype, int64_t value, const Dims& dims = {});
  Value real(DType dtype, double value, const Dims& dims = {});
  // The index along dimension `along`.
  Value iota(DType dtype, const Dims& dims, int64_t along);

  // Operands are listed in braces, which C++ evaluates in order: instructions made on the way are made in the same
  // order by every compiler.
  using Two = std::array<Value, 2>;
  Value add(const Two& operands) { return make(Opcode::kAdd, {operands[0], operands[1]}); }
  Value subtract(const Two& operands) { return make(Opcode::kSubtract, {operands[0], operands[1]}); }
  Value multiply(const Two& operands) { return make(Opcode::kMultiply, {operands[0], operands[1]}); }
  Value compare(const Two& operands, std::string_view direction);
  // Condition, value if it is true, value if it is false.
  Value select(const std::array<Value, 3>& operands) {
    return make(Opcode::kSelect, {operands[0], operands[1], operands[2]});
  }
  Value convert(Value a, DType dtype);
  Value shift_left(Value a, int64_t amount) { return shift(Opcode::kShiftLeft, a, amount); }
  Value shift_right(Value a, int64_t amount) { return shift(Opcode::kShiftRightLogical, a, amount); }

  // Dimension i of `a` becomes dimension where[i] of the result.
  Value broadcast(Value a, const Dims& dims, const Dims& where);
  Value splat(Value scalar, const Dims& dims) { return broadcast(scalar, dims, {}); }
  // Where these ask for nothing they give `a`: no other shape, order, part or border.
  Value reshape(Value a, const Dims& dims);
  Value transpose(Value a, const Dims& permutation);
  // [start, limit) along one dimension, all of the others.
  Value slice(Value a, int64_t dimension, int64_t start, int64_t limit);
  // Element `index` of a vector, as a scalar.
  Value element(Value vector, int64_t index) { return reshape(slice(vector, 0, index, index + 1), {}); }
  Value concatenate(const std::vector<Value>& pieces, int64_t dimension);
  // What stands beside it is `filling`, or zero.
  Value pad(Value a, const std::vector<PadBounds>& bounds, Value filling = nullptr);
  Value reverse(Value a, int64_t dimension);
  // What `array` has at `index`, a number, along one dimension, without that dimension; and the array with `part`
  // there.
  Value part_at(Value array, Value index, int64_t along);
  Value with_part_at(Value array, Value index, int64_t along, Value part);
  // Along these dimensions, with a commutative operation of two operands; its computation is added to the module, which
  // the caller has to sort.
  Value reduce(Value a, Value initial, const Dims& dimensions, Opcode combiner, Module& module);
  Value tuple(const std::vector<Value>& elements) { return make(Opcode::kTuple, elements); }
  Value tuple_element(Value tuple, int64_t index);
  Value call(Computation* callee, const std::vector<Value>& arguments);

 private:
  Value shift(Opcode opcode, Value a, int64_t amount) {
    return make(opcode, {a, integer(a->shape.dtype, amount, a->shape.dims)});
  }
  // `array`, or what is given of it, and where its part at `index` begins.
  std::vector<Value> at_index(std::vector<Value> operands, Value index, int64_t along);
  Value insert(Opcode opcode, Shape shape, const std::vector<Value>& operands, Rare<Attributes> attributes);

  Computation* computation_;
  Instruction* position_ = nullptr;
};

// A new function of the module, which the caller has to sort: (a, b) -> combiner(a, b), of scalars.
Computation* combine_two(Module& module, Opcode combiner, DType dtype);
// Likewise: (a, b) -> b.
Computation* take_second(Module& module, DType dtype);

// `dims` behind one more: the steps of a loop, of which each has a row.
GraphBuilder::Dims with_steps(int64_t steps, const GraphBuilder::Dims& dims);

}  // namespace sinter
