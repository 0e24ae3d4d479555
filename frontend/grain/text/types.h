// Types of Grain: an element (a dtype, a random key, a record, or a constant without a type) and dimensions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/grain/text/dims.h"
#include "ir/values/dtype.h"

namespace sinter::grain {

struct Record;

// A constant without a type: a 64-bit integer, or an f64.
struct Number {
  bool is_integer = true;
  int64_t integer = 0;
  double real = 0;
  bool is_pred = false;  // true and false, and comparisons of constants: they have the type pred

  static Number of(int64_t value) { return {true, value, static_cast<double>(value), false}; }
  static Number of_real(double value) { return {false, 0, value, false}; }
  static Number of_pred(bool value) { return {true, value ? 1 : 0, value ? 1.0 : 0.0, true}; }
};

struct Element {
  enum class Kind : uint8_t {
    kUnknown,  // in error: agrees with everything
    kOpen,     // a constant that has not met a value
    kDType,
    kKey,
    kRecord,
  };
  Kind kind = Kind::kUnknown;
  DType dtype = DType::kF32;
  std::string generic;  // T: equal to itself alone, whatever it is in this call
  const Record* record = nullptr;
  std::vector<Formula> arguments;  // of the record
  bool is_fraction = false;        // of kOpen: an f64

  static Element of(DType dtype) { return {Kind::kDType, dtype, "", nullptr, {}, false}; }
  static Element open(bool is_fraction) { return {Kind::kOpen, DType::kF32, "", nullptr, {}, is_fraction}; }
  bool is(DType other) const { return kind == Kind::kDType && dtype == other; }
  bool is_dtype() const { return kind == Kind::kDType; }
  bool is_open() const { return kind == Kind::kOpen; }
  bool is_record() const { return kind == Kind::kRecord; }
  bool is_pred() const { return is(DType::kPred); }
  bool is_integer() const { return is_dtype() && sinter::is_integer(dtype); }
  bool is_float() const { return is_dtype() && sinter::is_float(dtype); }
  bool is_complex() const { return is_dtype() && sinter::is_complex(dtype); }
  bool has_fractions() const { return is_float() || is_complex(); }
  bool is_number() const { return is_dtype() && dtype != DType::kPred; }
  bool operator==(const Element& other) const;
};

struct Type {
  Element element;
  std::vector<Formula> dims;

  static Type of(DType dtype) { return {Element::of(dtype), {}}; }
  bool known() const { return element.kind != Element::Kind::kUnknown; }
  size_t rank() const { return dims.size(); }
  bool operator==(const Type& other) const { return element == other.element && dims == other.dims; }
};

std::string text(const Element& element);  // "f32", "Cart", "Dense<pixels, hidden>"
std::string text(const Type& type);        // "f32[rows, columns]"

// The type with formulas for the names of dimensions.
Type with(const Type& type, const std::map<std::string, Formula>& formulas);

}  // namespace sinter::grain
