// Values of the direct interpreter: arrays of elements, records of arrays, and constants that have no type yet.
// Elements are computed one at a time, in f64 or 64-bit integers, and rounded or wrapped to their type once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "frontend/grain/text/syntax.h"
#include "ir/values/literal.h"

namespace sinter::grain_test {

using Dims = std::vector<int64_t>;

// The program has no meaning (a subscript outside, a place written twice), or the interpreter does not know it.
struct Meaningless : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Unknown : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Cell {
  int64_t integer = 0;  // of integers and pred
  double real = 0, imag = 0;
};

struct Value {
  enum class Kind : uint8_t {
    kTyped,
    kConstant,  // without a type, and known
    kOpen,      // without a type, and not a constant: it is computed again once it meets one
    kRecord,    // also a key, a record of two words
  };
  Kind kind = Kind::kTyped;
  DType dtype = DType::kF32;
  bool is_whole = true;  // of kConstant and kOpen
  Dims dims;
  Cell one;                                 // where there are no dims
  std::shared_ptr<std::vector<Cell>> many;  // row-major
  const grain::Record* record = nullptr;    // null: a key
  std::vector<Value> fields;                // their dims begin with these

  bool is_typed() const { return kind == Kind::kTyped; }
  bool is_record() const { return kind == Kind::kRecord; }
  bool is_open() const { return kind == Kind::kConstant || kind == Kind::kOpen; }
  bool is_constant() const { return kind == Kind::kConstant; }
  const Cell& cell(size_t i) const { return many ? (*many)[i] : one; }

  static Value typed(DType dtype, Cell cell);
  static Value integer(DType dtype, int64_t value) { return typed(dtype, {value, 0, 0}); }
  static Value pred(bool value) { return integer(DType::kPred, value ? 1 : 0); }
  static Value whole(int64_t value);
  static Value fraction(double value);
  static Value open(bool is_whole, Dims dims);
  static Value array(DType dtype, Dims dims);  // zeros
};

int64_t count_of(const Dims& dims);
// Calls `visit` with each place of an array of these dimensions, in row-major order.
void each_place(const Dims& dims, const std::function<void(const Dims&)>& visit);
int64_t position(const Dims& dims, const Dims& place);

// The value in a type: a constant is rounded once; a typed one keeps its type.
Value settled(const Value& constant, DType dtype);
Cell converted(DType from, DType to, const Cell& cell);
double rounded(DType dtype, double value);

// Of two elements of one type.
Cell combine(const std::string& sign, DType dtype, const Cell& a, const Cell& b);
bool holds(const std::string& sign, DType dtype, const Cell& a, const Cell& b);
// Functions of the library of one to three elements; false: not one of them.
bool is_element_function(const std::string& name);
Cell apply(const std::string& name, DType dtype, const std::vector<Cell>& arguments);
// A whole power, by squaring.
Cell power(DType dtype, Cell base, int64_t exponent);

// Element by element: arrays of equal shapes, single elements with all, records field by field.
Value lifted(const std::vector<Value>& operands, DType result, const std::function<Cell(const std::vector<Cell>&)>& f);
// The part of a value at one place of its leading dimensions, and the way back.
Value part(const Value& value, const Dims& place);
Value stacked(const Dims& outer, const std::vector<Value>& elements, const Value& like);
// The dimensions in another order: those of the result, by their number in `value`.
Value transposed(const Value& value, const std::vector<size_t>& order);
Value repeated(const Value& value, const Dims& outer);
// The same with `change` done to each array.
Value by_array(const Value& value, const std::function<Value(const Value&)>& change);

Literal to_literal(const Value& array);
Value from_literal(const Literal& literal);

}  // namespace sinter::grain_test
