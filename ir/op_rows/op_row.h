// What the rows of the op table (op_rows_*.h) are written with. Included by op_table_rows.cpp only, through them.
#pragma once

#include "ir/ops/op_table.h"

namespace sinter {

template <Opcode opcode>
constexpr OpDef missing_row() {
  static_assert(opcode == Opcode::kAdd && opcode != Opcode::kAdd, "an opcode of opcodes.def has no row");
  return {};
}

// The row of each opcode is a specialisation.
template <Opcode opcode>
inline constexpr OpDef row = missing_row<opcode>();

constexpr CudaSpelling prefix(std::string_view text) { return {.kind = CudaSpelling::Kind::kPrefix, .text = text}; }
constexpr CudaSpelling infix(std::string_view text) { return {.kind = CudaSpelling::Kind::kInfix, .text = text}; }
// A function that CUDA C++ has.
constexpr CudaSpelling function(std::string_view text) { return {.kind = CudaSpelling::Kind::kFunction, .text = text}; }
// A function of a header of templates/device.
constexpr CudaSpelling helper(std::string_view text, std::string_view header) {
  return {.kind = CudaSpelling::Kind::kFunction, .text = text, .header = header};
}
constexpr CudaSpelling complex_function(std::string_view text) { return helper(text, "device/complex.cuh"); }
// Written by lowering, which knows the opcode.
inline constexpr CudaSpelling kLowered = {.kind = CudaSpelling::Kind::kSpecial};
inline constexpr CudaSpelling kUnspelled = {};

// Spellings of one op for all element types.
constexpr CudaSpellings on_reals(CudaSpelling f32, CudaSpelling f64) { return {.f32 = f32, .f64 = f64}; }
constexpr CudaSpellings on_floats(CudaSpelling f32, CudaSpelling f64, CudaSpelling complex) {
  return {.f32 = f32, .f64 = f64, .complex = complex};
}
constexpr CudaSpellings on_integers(CudaSpelling integer) {
  return {.signed_integer = integer, .unsigned_integer = integer};
}
constexpr CudaSpellings on_bits(CudaSpelling integer, CudaSpelling pred) {
  return {.signed_integer = integer, .unsigned_integer = integer, .pred = pred};
}
// Reals, integers and complex numbers alike; pred as given.
constexpr CudaSpellings on_numbers(CudaSpelling number, CudaSpelling pred = kUnspelled) {
  return {.f32 = number,
          .f64 = number,
          .signed_integer = number,
          .unsigned_integer = number,
          .pred = pred,
          .complex = number};
}
// Reals and integers alike.
constexpr CudaSpellings on_ordered(CudaSpelling number, CudaSpelling pred) {
  return {.f32 = number, .f64 = number, .signed_integer = number, .unsigned_integer = number, .pred = pred};
}
// A function of the C math library, by its name for doubles; the device helpers' complex one has that name too.
constexpr CudaSpellings math(std::string_view f32, std::string_view f64) {
  return on_floats(function(f32), function(f64), complex_function(f64));
}
constexpr CudaSpellings real_math(std::string_view f32, std::string_view f64) {
  return on_reals(function(f32), function(f64));
}
inline constexpr CudaSpellings kAllLowered = on_numbers(kLowered, kLowered);

}  // namespace sinter
