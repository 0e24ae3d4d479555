// Literals: the value of a constant, of an input, of anything the evaluator computes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ir/values/shape.h"

namespace sinter {

// An array (elements in row-major order whatever the shape's layout, native endianness, dtype_bytes each)
// or a tuple of literals. Copies share the bytes until one of them is written (copy on write), so passing
// literals by value is cheap.
class Literal {
 public:
  Literal() = default;
  explicit Literal(Shape shape);  // zeros; a tuple gets zero elements of its element shapes
  static Literal tuple(std::vector<Literal> elements);
  // A literal whose text was `{...}`: it has a shape but no values (is_elided()).
  static Literal elided(Shape shape);

  const Shape& shape() const;
  void set_layout(std::optional<Layout> layout) { own().shape.layout = std::move(layout); }
  int64_t element_count() const { return shape().element_count(); }
  bool is_elided() const { return state_ && state_->elided; }
  // The same bytes as an array of another shape (of as many bytes); shared, not copied.
  Literal with_shape(Shape shape) const {
    Literal result(*this);
    result.own().shape = std::move(shape);
    return result;
  }

  std::span<const std::byte> bytes() const;
  std::span<std::byte> mutable_bytes();  // detaches from other copies first

  const std::vector<Literal>& elements() const;
  std::vector<Literal>& mutable_elements() { return own().elements; }

  // The elements as T, whose size must be dtype_bytes(dtype).
  template <class T>
  std::span<const T> values() const {
    return {reinterpret_cast<const T*>(bytes().data()), bytes().size() / sizeof(T)};
  }
  template <class T>
  std::span<T> mutable_values() {
    const std::span<std::byte> raw = mutable_bytes();
    return {reinterpret_cast<T*>(raw.data()), raw.size() / sizeof(T)};
  }

  // One element of any float, integer or pred dtype, widened exactly. The index is row-major linear.
  double real_at(int64_t index) const;      // floats; integers as by conversion to double
  int64_t integer_at(int64_t index) const;  // integers and pred; u64 bit-cast
  // Rounds to nearest even into the dtype (floats: overflow as convert does), or truncates an integer.
  void set_real(int64_t index, double value);
  void set_integer(int64_t index, int64_t value);

  // Bitwise equality of shape (layout aside) and values.
  bool same_value(const Literal& other) const;
  // True if every element has the same bits (arrays with at least one element).
  bool is_splat() const;

 private:
  struct State {
    Shape shape;
    std::shared_ptr<std::vector<std::byte>> data;
    std::vector<Literal> elements;
    bool elided = false;
  };
  State& own();  // the state, made or detached from other copies first

  std::shared_ptr<State> state_;  // null: an f32 scalar without a value, as every instruction but a constant has
};

// Conversions of one element between its bit pattern and double, for every float dtype (through APFloat
// for the small ones). `bits` holds the pattern in its low dtype_bits.
double float_from_bits(DType dtype, uint64_t bits);
// Round to nearest even; beyond the range: inf where the dtype has one, else NaN.
uint64_t float_to_bits(DType dtype, double value);

// HLO text of a constant's value: "0.5", "{1, 2}", "{ { 1, 2 }, { 3, 4 } }", "-0.0", "nan(0x1)".
std::string to_string(const Literal& literal);

// A scalar literal from a number.
Literal real_literal(DType dtype, double value);
Literal integer_literal(DType dtype, int64_t value);

}  // namespace sinter
