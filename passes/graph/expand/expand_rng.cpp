// expand_rng: random numbers become random bits and arithmetic.
//
//   %r = f32[8] rng(%a, %b), distribution=rng_uniform
//     =>  %state = u64[2] rng-get-and-update-state(), delta=2
//         %bits = (u64[3], u32[1,8]) rng-bit-generator({key, %state}), algorithm=rng_philox
//         a + (bits >> 8) * 2^-24 * (b - a)
//
// HLO leaves the numbers open; ir/module/random_stream.h says which they are.
#include <numbers>

#include "ir/module/random_stream.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

// C++ leaves the order of a call's arguments open: of those that make instructions, one at most stands inside a call.

using Value = GraphBuilder::Value;
using Dims = GraphBuilder::Dims;

// Uniform in [0, 1) from the upper bits, as many as the type's significand holds.
Value unit_interval(GraphBuilder& at, Value bits, DType dtype) {
  const bool is_double = dtype == DType::kF64;
  const Value upper = at.shift_right(bits, is_double ? 11 : 8);
  const Value integer = at.convert(upper, dtype);
  return at.multiply({integer, at.real(dtype, is_double ? 0x1p-53 : 0x1p-24, bits->shape.dims)});
}

Value random_real(GraphBuilder& at, Instruction& rng, Value bits, DType type) {
  const Dims& dims = rng.shape.dims;
  const Value a = at.splat(at.convert(rng.operand(0), type), dims);
  const Value b = at.splat(at.convert(rng.operand(1), type), dims);
  const auto half = [&](int64_t i) { return at.reshape(at.slice(bits, 0, i, i + 1), dims); };
  if (rng.attributes->distribution == "rng_uniform") {
    const Value unit = unit_interval(at, half(0), type);
    return at.add({a, at.multiply({unit, at.subtract({b, a})})});
  }
  // Box and Muller: sqrt(-2 log u) cos(2 pi v), with u in (0, 1].
  const Value one = at.real(type, 1, dims);
  const Value u = at.subtract({one, unit_interval(at, half(0), type)});
  const Value v = unit_interval(at, half(1), type);
  const Value logarithm = at.make(Opcode::kLog, {u});
  const Value radius = at.make(Opcode::kSqrt, {at.multiply({at.real(type, -2, dims), logarithm})});
  const Value cosine = at.make(Opcode::kCosine, {at.multiply({at.real(type, 2 * std::numbers::pi, dims), v})});
  return at.add({a, at.multiply({b, at.multiply({radius, cosine})})});
}

Value random_integer(GraphBuilder& at, Instruction& rng, Value bits) {
  const Dims& dims = rng.shape.dims;
  const DType dtype = rng.shape.dtype;
  const DType word = bits->shape.dtype;
  const Value low = at.convert(rng.operand(0), word);
  const Value range = at.subtract({at.convert(rng.operand(1), word), low});
  const Value offset = at.make(Opcode::kRemainder, {at.reshape(bits, dims), at.splat(range, dims)});
  const Value above_low = at.convert(offset, dtype);
  return at.add({at.splat(rng.operand(0), dims), above_low});
}

bool expand_rng(Instruction& rng) {
  const DType dtype = rng.shape.dtype;
  const bool is_normal = rng.attributes->distribution == "rng_normal";
  if (!is_drawn(rng)) return false;
  GraphBuilder at(rng);
  const DrawnWords words = drawn_words(rng);
  Attributes advance;
  advance.delta = words.counters();
  const Value state =
      insert_like(rng, Opcode::kRngGetAndUpdateState, Shape::array(DType::kU64, {2}), {}, std::move(advance));
  Literal key(Shape::array(DType::kU64, {1}));
  key.set_integer(0, static_cast<int64_t>(kRandomKey));
  Dims dims = rng.shape.dims;
  dims.insert(dims.begin(), is_normal ? 2 : 1);
  Attributes attributes;
  attributes.algorithm = "rng_philox";
  const Value generator = insert_like(rng, Opcode::kRngBitGenerator,
                                      Shape::tuple({Shape::array(DType::kU64, {3}), Shape::array(words.dtype, dims)}),
                                      {at.concatenate({at.constant(std::move(key)), state}, 0)}, std::move(attributes));
  const Value bits = at.tuple_element(generator, 1);
  Value drawn = is_float(dtype) ? random_real(at, rng, bits, dtype == DType::kF64 ? dtype : DType::kF32)
                                : random_integer(at, rng, bits);
  become(rng, Opcode::kConvert, {drawn});
  return true;
}

}  // namespace

bool expand_rng(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* rng : instructions_of(module, Opcode::kRng)) changed |= expand_rng(*rng);
  return changed;
}

}  // namespace sinter
