// Rows of the op table: elementwise ops. Included by op_table_rows.cpp only.
//
// Costs are in additions of one f32; those of functions are roughly the instructions of CUDA's math library.
#pragma once

#include <cmath>

#include "ir/evaluate/elements/complex_functions.h"
#include "ir/infer/infer_elementwise.h"
#include "ir/op_rows/op_attributes.h"
#include "ir/op_rows/op_row.h"

namespace sinter {

// Unary, on any number.
template <>
inline constexpr OpDef row<Opcode::kAbs> = {.arity = 1,
                                            .infer = infer_abs,
                                            .cuda = {.f32 = function("fabsf"),
                                                     .f64 = function("fabs"),
                                                     .signed_integer = function("abs"),
                                                     .unsigned_integer = kLowered,
                                                     .complex = complex_function("abs")},
                                            .own_kernel = true,
                                            .lightness = Lightness::kArithmetic};
template <>
inline constexpr OpDef row<Opcode::kNegate> = {.arity = 1,
                                               .infer = infer_number_unary,
                                               .cuda = on_numbers(prefix("-")),
                                               .own_kernel = true,
                                               .lightness = Lightness::kArithmetic};
template <>
inline constexpr OpDef row<Opcode::kSign> = {.arity = 1,
                                             .infer = infer_number_unary,
                                             .cuda = {.f32 = helper("sign", "device/sign.cuh"),
                                                      .f64 = helper("sign", "device/sign.cuh"),
                                                      .signed_integer = helper("sign", "device/sign.cuh"),
                                                      .unsigned_integer = helper("sign", "device/sign.cuh"),
                                                      .complex = complex_function("sign")},
                                             .complex = complex_sign,
                                             .own_kernel = true,
                                             .lightness = Lightness::kArithmetic,
                                             .cost = 2};
template <>
inline constexpr OpDef row<Opcode::kCopy> = {.arity = 1,
                                             .infer = infer_same_as_operand,
                                             .cuda = kAllLowered,
                                             .own_kernel = true,
                                             .lightness = Lightness::kPlain,
                                             .cost = 0};

// Unary, on bits.
template <>
inline constexpr OpDef row<Opcode::kNot> = {.arity = 1,
                                            .infer = infer_bits_unary,
                                            .cuda = on_bits(prefix("~"), prefix("!")),
                                            .own_kernel = true,
                                            .lightness = Lightness::kLogic};
template <>
inline constexpr OpDef row<Opcode::kPopcnt> = {.arity = 1,
                                               .infer = infer_integer_unary,
                                               .cuda = on_integers(helper("population_count", "device/count_bits.cuh")),
                                               .own_kernel = true,
                                               .lightness = Lightness::kArithmetic,
                                               .cost = 4};
template <>
inline constexpr OpDef row<Opcode::kCountLeadingZeros> = {
    .arity = 1,
    .infer = infer_integer_unary,
    .cuda = on_integers(helper("count_leading_zeros", "device/count_bits.cuh")),
    .own_kernel = true,
    .lightness = Lightness::kArithmetic,
    .cost = 4};

// Unary, on reals.
template <>
inline constexpr OpDef row<Opcode::kCeil> = {.arity = 1,
                                             .infer = infer_real_unary,
                                             .cuda = real_math("ceilf", "ceil"),
                                             .real = [](double x) { return std::ceil(x); },
                                             .lightness = Lightness::kArithmetic};
template <>
inline constexpr OpDef row<Opcode::kFloor> = {.arity = 1,
                                              .infer = infer_real_unary,
                                              .cuda = real_math("floorf", "floor"),
                                              .real = [](double x) { return std::floor(x); },
                                              .lightness = Lightness::kArithmetic};
template <>
inline constexpr OpDef row<Opcode::kRoundNearestAfz> = {.arity = 1,
                                                        .infer = infer_real_unary,
                                                        .cuda = real_math("roundf", "round"),
                                                        .real = [](double x) { return std::round(x); },
                                                        .lightness = Lightness::kArithmetic,
                                                        .cost = 4};
template <>
inline constexpr OpDef row<Opcode::kRoundNearestEven> = {.arity = 1,
                                                         .infer = infer_real_unary,
                                                         .cuda = real_math("rintf", "rint"),
                                                         .real = [](double x) { return std::nearbyint(x); },
                                                         .lightness = Lightness::kArithmetic};
template <>
inline constexpr OpDef row<Opcode::kErf> = {.arity = 1,
                                            .attributes = op_attributes::kAccuracy,
                                            .infer = infer_real_unary,
                                            .cuda = real_math("erff", "erf"),
                                            .error = {2, 2},
                                            .real = [](double x) { return std::erf(x); },
                                            .lightness = Lightness::kFunction,
                                            .cost = 20};
template <>
inline constexpr OpDef row<Opcode::kIsFinite> = {.arity = 1,
                                                 .infer = infer_is_finite,
                                                 .cuda = real_math("isfinite", "isfinite"),
                                                 .own_kernel = true,
                                                 .lightness = Lightness::kPlain};
template <>
inline constexpr OpDef row<Opcode::kReducePrecision> = {.arity = 1,
                                                        .attributes = op_attributes::kReducePrecision,
                                                        .infer = infer_reduce_precision,
                                                        .cuda = on_reals(kLowered, kLowered),
                                                        .own_kernel = true,
                                                        .lightness = Lightness::kArithmetic,
                                                        .cost = 6};

// Unary, on reals and complex numbers.
template <>
inline constexpr OpDef row<Opcode::kSqrt> = {.arity = 1,
                                             .attributes = op_attributes::kAccuracy,
                                             .infer = infer_float_unary,
                                             .cuda = math("sqrtf", "sqrt"),
                                             .real = [](double x) { return std::sqrt(x); },
                                             .complex = [](Complex z) { return std::sqrt(z); },
                                             .lightness = Lightness::kFunction,
                                             .cost = 8};
template <>
inline constexpr OpDef row<Opcode::kRsqrt> = {.arity = 1,
                                              .attributes = op_attributes::kAccuracy,
                                              .infer = infer_float_unary,
                                              .cuda = math("rsqrtf", "rsqrt"),
                                              .error = {2, 1},
                                              .real = [](double x) { return 1 / std::sqrt(x); },
                                              .complex = complex_rsqrt,
                                              .lightness = Lightness::kFunction,
                                              .cost = 8};
template <>
inline constexpr OpDef row<Opcode::kCbrt> = {.arity = 1,
                                             .attributes = op_attributes::kAccuracy,
                                             .infer = infer_float_unary,
                                             .cuda = math("cbrtf", "cbrt"),
                                             .error = {1, 1},
                                             .real = [](double x) { return std::cbrt(x); },
                                             .complex = complex_cbrt,
                                             .lightness = Lightness::kFunction,
                                             .cost = 20};
template <>
inline constexpr OpDef row<Opcode::kExponential> = {.arity = 1,
                                                    .attributes = op_attributes::kAccuracy,
                                                    .infer = infer_float_unary,
                                                    .cuda = math("expf", "exp"),
                                                    .error = {2, 1},
                                                    .real = [](double x) { return std::exp(x); },
                                                    .complex = complex_exp,
                                                    .lightness = Lightness::kFunction,
                                                    .cost = 10};
template <>
inline constexpr OpDef row<Opcode::kExponentialMinusOne> = {.arity = 1,
                                                            .attributes = op_attributes::kAccuracy,
                                                            .infer = infer_float_unary,
                                                            .cuda = math("expm1f", "expm1"),
                                                            .error = {1, 1},
                                                            .real = [](double x) { return std::expm1(x); },
                                                            .complex = complex_expm1,
                                                            .lightness = Lightness::kFunction,
                                                            .cost = 16};
template <>
inline constexpr OpDef row<Opcode::kLog> = {.arity = 1,
                                            .attributes = op_attributes::kAccuracy,
                                            .infer = infer_float_unary,
                                            .cuda = math("logf", "log"),
                                            .error = {1, 1},
                                            .real = [](double x) { return std::log(x); },
                                            .complex = complex_log,
                                            .lightness = Lightness::kFunction,
                                            .cost = 12};
template <>
inline constexpr OpDef row<Opcode::kLogPlusOne> = {.arity = 1,
                                                   .attributes = op_attributes::kAccuracy,
                                                   .infer = infer_float_unary,
                                                   .cuda = math("log1pf", "log1p"),
                                                   .error = {1, 1},
                                                   .real = [](double x) { return std::log1p(x); },
                                                   .complex = complex_log1p,
                                                   .lightness = Lightness::kFunction,
                                                   .cost = 16};
template <>
inline constexpr OpDef row<Opcode::kSine> = {.arity = 1,
                                             .attributes = op_attributes::kAccuracy,
                                             .infer = infer_float_unary,
                                             .cuda = math("sinf", "sin"),
                                             .error = {2, 2},
                                             .real = [](double x) { return std::sin(x); },
                                             .complex = [](Complex z) { return std::sin(z); },
                                             .lightness = Lightness::kFunction,
                                             .cost = 20};
template <>
inline constexpr OpDef row<Opcode::kCosine> = {.arity = 1,
                                               .attributes = op_attributes::kAccuracy,
                                               .infer = infer_float_unary,
                                               .cuda = math("cosf", "cos"),
                                               .error = {2, 2},
                                               .real = [](double x) { return std::cos(x); },
                                               .complex = [](Complex z) { return std::cos(z); },
                                               .lightness = Lightness::kFunction,
                                               .cost = 20};
template <>
inline constexpr OpDef row<Opcode::kTan> = {.arity = 1,
                                            .attributes = op_attributes::kAccuracy,
                                            .infer = infer_float_unary,
                                            .cuda = math("tanf", "tan"),
                                            .error = {4, 2},
                                            .real = [](double x) { return std::tan(x); },
                                            .complex = [](Complex z) { return std::tan(z); },
                                            .lightness = Lightness::kFunction,
                                            .cost = 30};
template <>
inline constexpr OpDef row<Opcode::kTanh> = {.arity = 1,
                                             .attributes = op_attributes::kAccuracy,
                                             .infer = infer_float_unary,
                                             .cuda = math("tanhf", "tanh"),
                                             .error = {2, 1},
                                             .real = [](double x) { return std::tanh(x); },
                                             .complex = [](Complex z) { return std::tanh(z); },
                                             .lightness = Lightness::kFunction,
                                             .cost = 16};
template <>
inline constexpr OpDef row<Opcode::kSinh> = {.arity = 1,
                                             .attributes = op_attributes::kAccuracy,
                                             .infer = infer_float_unary,
                                             .cuda = math("sinhf", "sinh"),
                                             .error = {3, 2},
                                             .real = [](double x) { return std::sinh(x); },
                                             .complex = [](Complex z) { return std::sinh(z); },
                                             .lightness = Lightness::kFunction,
                                             .cost = 20};
template <>
inline constexpr OpDef row<Opcode::kCosh> = {.arity = 1,
                                             .attributes = op_attributes::kAccuracy,
                                             .infer = infer_float_unary,
                                             .cuda = math("coshf", "cosh"),
                                             .error = {2, 1},
                                             .real = [](double x) { return std::cosh(x); },
                                             .complex = [](Complex z) { return std::cosh(z); },
                                             .lightness = Lightness::kFunction,
                                             .cost = 20};
template <>
inline constexpr OpDef row<Opcode::kAsin> = {.arity = 1,
                                             .attributes = op_attributes::kAccuracy,
                                             .infer = infer_float_unary,
                                             .cuda = math("asinf", "asin"),
                                             .error = {2, 2},
                                             .real = [](double x) { return std::asin(x); },
                                             .complex = [](Complex z) { return std::asin(z); },
                                             .lightness = Lightness::kFunction,
                                             .cost = 20};
template <>
inline constexpr OpDef row<Opcode::kAcos> = {.arity = 1,
                                             .attributes = op_attributes::kAccuracy,
                                             .infer = infer_float_unary,
                                             .cuda = math("acosf", "acos"),
                                             .error = {2, 2},
                                             .real = [](double x) { return std::acos(x); },
                                             .complex = [](Complex z) { return std::acos(z); },
                                             .lightness = Lightness::kFunction,
                                             .cost = 20};
template <>
inline constexpr OpDef row<Opcode::kAsinh> = {.arity = 1,
                                              .attributes = op_attributes::kAccuracy,
                                              .infer = infer_float_unary,
                                              .cuda = math("asinhf", "asinh"),
                                              .error = {3, 3},
                                              .real = [](double x) { return std::asinh(x); },
                                              .complex = [](Complex z) { return std::asinh(z); },
                                              .lightness = Lightness::kFunction,
                                              .cost = 24};
template <>
inline constexpr OpDef row<Opcode::kAcosh> = {.arity = 1,
                                              .attributes = op_attributes::kAccuracy,
                                              .infer = infer_float_unary,
                                              .cuda = math("acoshf", "acosh"),
                                              .error = {4, 3},
                                              .real = [](double x) { return std::acosh(x); },
                                              .complex = [](Complex z) { return std::acosh(z); },
                                              .lightness = Lightness::kFunction,
                                              .cost = 24};
template <>
inline constexpr OpDef row<Opcode::kAtanh> = {.arity = 1,
                                              .attributes = op_attributes::kAccuracy,
                                              .infer = infer_float_unary,
                                              .cuda = math("atanhf", "atanh"),
                                              .error = {3, 2},
                                              .real = [](double x) { return std::atanh(x); },
                                              .complex = [](Complex z) { return std::atanh(z); },
                                              .lightness = Lightness::kFunction,
                                              .cost = 24};
// 1 / (1 + exp(-x)): the error of exp shrinks by e / (1 + e) < 1; the sum and the quotient round.
template <>
inline constexpr OpDef row<Opcode::kLogistic> = {
    .arity = 1,
    .attributes = op_attributes::kAccuracy,
    .infer = infer_float_unary,
    .cuda = on_floats(helper("logistic", "device/logistic.cuh"), helper("logistic", "device/logistic.cuh"),
                      complex_function("logistic")),
    .error = {3, 2},
    .real = [](double x) { return 1 / (1 + std::exp(-x)); },
    .complex = [](Complex z) { return 1.0 / (1.0 + std::exp(-z)); },
    .lightness = Lightness::kFunction,
    .cost = 20};

// Complex numbers, their parts and how they are made.
template <>
inline constexpr OpDef row<Opcode::kReal> = {.arity = 1,
                                             .infer = infer_part,
                                             .cuda = kAllLowered,
                                             .own_kernel = true,
                                             .lightness = Lightness::kPlain,
                                             .cost = 0};
template <>
inline constexpr OpDef row<Opcode::kImag> = {.arity = 1,
                                             .infer = infer_part,
                                             .cuda = kAllLowered,
                                             .own_kernel = true,
                                             .lightness = Lightness::kPlain,
                                             .cost = 0};
template <>
inline constexpr OpDef row<Opcode::kComplex> = {.arity = 2,
                                                .infer = infer_complex,
                                                .cuda = on_reals(kLowered, kLowered),
                                                .own_kernel = true,
                                                .lightness = Lightness::kPlain,
                                                .cost = 0};

// Changes of type; the text states the result.
template <>
inline constexpr OpDef row<Opcode::kConvert> = {
    .arity = 1, .verify = verify_convert, .cuda = kAllLowered, .own_kernel = true, .lightness = Lightness::kPlain};
template <>
inline constexpr OpDef row<Opcode::kStochasticConvert> = {.arity = 2,
                                                          .verify = verify_stochastic_convert,
                                                          .cuda = on_reals(kLowered, kLowered),
                                                          .own_kernel = true,
                                                          .lightness = Lightness::kArithmetic,
                                                          .cost = 8};

// Binary arithmetic. On pred, addition is `or` and multiplication `and`.
template <>
inline constexpr OpDef row<Opcode::kAdd> = {.arity = 2,
                                            .infer = infer_any_binary,
                                            .cuda = on_numbers(infix("+"), infix("||")),
                                            .commutative = true,
                                            .own_kernel = true,
                                            .lightness = Lightness::kArithmetic};
template <>
inline constexpr OpDef row<Opcode::kSubtract> = {.arity = 2,
                                                 .infer = infer_number_binary,
                                                 .cuda = on_numbers(infix("-")),
                                                 .own_kernel = true,
                                                 .lightness = Lightness::kArithmetic};
template <>
inline constexpr OpDef row<Opcode::kMultiply> = {.arity = 2,
                                                 .infer = infer_any_binary,
                                                 .cuda = on_numbers(infix("*"), infix("&&")),
                                                 .commutative = true,
                                                 .own_kernel = true,
                                                 .lightness = Lightness::kArithmetic};
template <>
inline constexpr OpDef row<Opcode::kDivide> = {
    .arity = 2,
    .infer = infer_number_binary,
    .cuda = {.f32 = infix("/"),
             .f64 = infix("/"),
             .signed_integer = helper("integer_divide", "device/integer_divide.cuh"),
             .unsigned_integer = helper("integer_divide", "device/integer_divide.cuh"),
             .complex = infix("/")},
    .own_kernel = true,
    .lightness = Lightness::kArithmetic,
    .cost = 8};
template <>
inline constexpr OpDef row<Opcode::kRemainder> = {
    .arity = 2,
    .infer = infer_real_or_integer_binary,
    .cuda = {.f32 = function("fmodf"),
             .f64 = function("fmod"),
             .signed_integer = helper("integer_remainder", "device/integer_divide.cuh"),
             .unsigned_integer = helper("integer_remainder", "device/integer_divide.cuh")},
    .own_kernel = true,
    .lightness = Lightness::kArithmetic,
    .cost = 20};
template <>
inline constexpr OpDef row<Opcode::kPower> = {
    .arity = 2,
    .attributes = op_attributes::kAccuracy,
    .infer = infer_number_binary,
    .cuda = {.f32 = function("powf"),
             .f64 = function("pow"),
             .signed_integer = helper("integer_power", "device/integer_power.cuh"),
             .unsigned_integer = helper("integer_power", "device/integer_power.cuh"),
             .complex = complex_function("pow")},
    .error = {4, 2},
    .own_kernel = true,
    .lightness = Lightness::kFunction,
    .cost = 40};
template <>
inline constexpr OpDef row<Opcode::kAtan2> = {.arity = 2,
                                              .attributes = op_attributes::kAccuracy,
                                              .infer = infer_float_binary,
                                              .cuda = math("atan2f", "atan2"),
                                              .error = {3, 2},
                                              .own_kernel = true,
                                              .lightness = Lightness::kFunction,
                                              .cost = 30};
template <>
inline constexpr OpDef row<Opcode::kMaximum> = {
    .arity = 2,
    .infer = infer_ordered_binary,
    .cuda = on_ordered(helper("maximum", "device/maximum.cuh"), infix("||")),
    .commutative = true,
    .own_kernel = true,
    .lightness = Lightness::kArithmetic};
template <>
inline constexpr OpDef row<Opcode::kMinimum> = {
    .arity = 2,
    .infer = infer_ordered_binary,
    .cuda = on_ordered(helper("minimum", "device/maximum.cuh"), infix("&&")),
    .commutative = true,
    .own_kernel = true,
    .lightness = Lightness::kArithmetic};
template <>
inline constexpr OpDef row<Opcode::kMulhi> = {.arity = 2,
                                              .infer = infer_integer_binary,
                                              .cuda = on_integers(helper("multiply_high", "device/multiply_high.cuh")),
                                              .commutative = true,
                                              .own_kernel = true,
                                              .lightness = Lightness::kArithmetic,
                                              .cost = 4};

// Binary, on bits.
template <>
inline constexpr OpDef row<Opcode::kAnd> = {.arity = 2,
                                            .infer = infer_bits_binary,
                                            .cuda = on_bits(infix("&"), infix("&&")),
                                            .commutative = true,
                                            .own_kernel = true,
                                            .lightness = Lightness::kLogic};
template <>
inline constexpr OpDef row<Opcode::kOr> = {.arity = 2,
                                           .infer = infer_bits_binary,
                                           .cuda = on_bits(infix("|"), infix("||")),
                                           .commutative = true,
                                           .own_kernel = true,
                                           .lightness = Lightness::kLogic};
template <>
inline constexpr OpDef row<Opcode::kXor> = {.arity = 2,
                                            .infer = infer_bits_binary,
                                            .cuda = on_bits(infix("^"), infix("!=")),
                                            .commutative = true,
                                            .own_kernel = true,
                                            .lightness = Lightness::kArithmetic};
template <>
inline constexpr OpDef row<Opcode::kShiftLeft> = {.arity = 2,
                                                  .infer = infer_integer_binary,
                                                  .cuda = on_integers(helper("shift_left", "device/shifts.cuh")),
                                                  .own_kernel = true,
                                                  .lightness = Lightness::kArithmetic};
template <>
inline constexpr OpDef row<Opcode::kShiftRightArithmetic> = {
    .arity = 2,
    .infer = infer_integer_binary,
    .cuda = on_integers(helper("shift_right_arithmetic", "device/shifts.cuh")),
    .own_kernel = true,
    .lightness = Lightness::kArithmetic};
template <>
inline constexpr OpDef row<Opcode::kShiftRightLogical> = {
    .arity = 2,
    .infer = infer_integer_binary,
    .cuda = on_integers(helper("shift_right_logical", "device/shifts.cuh")),
    .own_kernel = true,
    .lightness = Lightness::kArithmetic};

// Comparison and choice.
template <>
inline constexpr OpDef row<Opcode::kCompare> = {.arity = 2,
                                                .attributes = op_attributes::kCompare,
                                                .infer = infer_compare,
                                                .cuda = kAllLowered,
                                                .own_kernel = true,
                                                .lightness = Lightness::kPlain};
template <>
inline constexpr OpDef row<Opcode::kSelect> = {
    .arity = 3, .infer = infer_select, .cuda = kAllLowered, .own_kernel = true, .lightness = Lightness::kPlain};
template <>
inline constexpr OpDef row<Opcode::kClamp> = {.arity = 3,
                                              .infer = infer_clamp,
                                              .cuda = on_ordered(kLowered, kLowered),
                                              .own_kernel = true,
                                              .lightness = Lightness::kArithmetic,
                                              .cost = 2};

}  // namespace sinter
