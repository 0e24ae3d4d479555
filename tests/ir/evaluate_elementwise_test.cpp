// Elementwise ops where they have bitten somebody: expected values are worked out by hand.
#include <gtest/gtest.h>

#include "tests/ir/evaluate_text.h"

namespace sinter {
namespace {

TEST(EvaluateElementwise, IntegerDivision) {
  EXPECT_EQ(value_of("x = s32[4] constant({7, -7, -2147483648, 5})\n"
                     "y = s32[4] constant({-2, 2, -1, 0})\n"
                     "ROOT r = s32[4] divide(x, y)"),
            "{-3, -3, -2147483648, -1}");
  EXPECT_EQ(value_of("x = s32[4] constant({7, -7, -2147483648, 5})\n"
                     "y = s32[4] constant({-2, 2, -1, 0})\n"
                     "ROOT r = s32[4] remainder(x, y)"),
            "{1, -1, 0, 5}");
  EXPECT_EQ(value_of("x = u8[2] constant({200, 9})\ny = u8[2] constant({7, 0})\nROOT r = u8[2] divide(x, y)"),
            "{28, 255}");
  EXPECT_EQ(value_of("x = s4[2] constant({-8, 7})\ny = s4[2] constant({-1, 0})\nROOT r = s4[2] divide(x, y)"),
            "{-8, -1}");
}

TEST(EvaluateElementwise, IntegersWrap) {
  EXPECT_EQ(value_of("x = s8[3] constant({127, -128, 100})\ny = s8[3] constant({1, -1, 3})\nROOT r = s8[3] add(x, y)"),
            "{-128, 127, 103}");
  EXPECT_EQ(value_of("x = s32[] constant(65536)\nROOT r = s32[] multiply(x, x)"), "0");
  EXPECT_EQ(value_of("x = s64[] constant(-9223372036854775808)\nROOT r = s64[] abs(x)"), "-9223372036854775808");
  EXPECT_EQ(value_of("x = s4[] constant(7)\nROOT r = s4[] add(x, x)"), "-2");
  EXPECT_EQ(value_of("x = s32[2] constant({-1, 2147483647})\nROOT r = s32[2] mulhi(x, x)"), "{0, 1073741823}");
}

TEST(EvaluateElementwise, ShiftsBeyondTheWidth) {
  const std::string operands = "x = s32[4] constant({-8, -8, -8, 1})\ny = s32[4] constant({1, 32, -1, 31})\n";
  EXPECT_EQ(value_of(operands + "ROOT r = s32[4] shift-left(x, y)"), "{-16, 0, 0, -2147483648}");
  EXPECT_EQ(value_of(operands + "ROOT r = s32[4] shift-right-logical(x, y)"), "{2147483644, 0, 0, 0}");
  EXPECT_EQ(value_of(operands + "ROOT r = s32[4] shift-right-arithmetic(x, y)"), "{-4, -1, -1, 0}");
}

TEST(EvaluateElementwise, FloatToIntegerSaturates) {
  const std::string x = "x = f32[6] constant({-1.9, 300, -300, inf, -inf, nan})\n";
  EXPECT_EQ(value_of(x + "ROOT r = s8[6] convert(x)"), "{-1, 127, -128, 127, -128, 0}");
  EXPECT_EQ(value_of(x + "ROOT r = u8[6] convert(x)"), "{0, 255, 0, 255, 0, 0}");
  EXPECT_EQ(value_of(x + "ROOT r = s64[6] convert(x)"),
            "{-1, 300, -300, 9223372036854775807, -9223372036854775808, 0}");
  EXPECT_EQ(value_of(x + "ROOT r = s4[6] convert(x)"), "{-1, 7, -8, 7, -8, 0}");
  EXPECT_EQ(value_of("x = f32[3] constant({0, -0.0, nan})\nROOT r = pred[3] convert(x)"), "{0, 0, 1}");
}

TEST(EvaluateElementwise, Conversions) {
  EXPECT_EQ(value_of("x = s32[2] constant({300, -1})\nROOT r = u8[2] convert(x)"), "{44, 255}");
  EXPECT_EQ(value_of("x = u8[] constant(255)\nROOT r = s32[] convert(x)"), "255");
  EXPECT_EQ(value_of("x = f32[2] constant({65519, 65520})\nh = f16[2] convert(x)\nROOT r = f32[2] convert(h)"),
            "{65504, inf}");
  // 1 + 2^-8 lies in the middle of two bf16 numbers and goes to the even one.
  EXPECT_EQ(value_of("x = f32[] constant(1.00390625)\nROOT r = bf16[] convert(x)"), "1");
  // 2^60 + 2^52 + 1 is just above such a middle; through a double it would become the middle.
  EXPECT_EQ(value_of("x = s64[] constant(1157425104234217473)\ny = bf16[] convert(x)\nROOT r = s64[] convert(y)"),
            "1161928703861587968");
  EXPECT_EQ(value_of("x = c64[] constant((2, 3))\nROOT r = f32[] convert(x)"), "2");
}

TEST(EvaluateElementwise, IntegerPower) {
  EXPECT_EQ(value_of("x = s32[6] constant({3, 2, 1, -1, 0, 2})\ny = s32[6] constant({4, -1, -5, -3, 0, 32})\n"
                     "ROOT r = s32[6] power(x, y)"),
            "{81, 0, 1, 0, 1, 0}");
  EXPECT_EQ(value_of("x = f32[2] constant({1, nan})\ny = f32[2] constant({nan, 0})\nROOT r = f32[2] power(x, y)"),
            "{1, 1}");
}

TEST(EvaluateElementwise, NanInMinimumMaximumClamp) {
  const std::string operands = "x = f32[3] constant({nan, 1, 1})\ny = f32[3] constant({1, nan, 2})\n";
  EXPECT_EQ(value_of(operands + "ROOT r = f32[3] maximum(x, y)"), "{nan, nan, 2}");
  EXPECT_EQ(value_of(operands + "ROOT r = f32[3] minimum(x, y)"), "{nan, nan, 1}");
  EXPECT_EQ(value_of("low = f32[] constant(3)\nx = f32[3] constant({nan, 1, 9})\nhigh = f32[] constant(2)\n"
                     "ROOT r = f32[3] clamp(low, x, high)"),
            "{nan, 2, 2}");
}

TEST(EvaluateElementwise, SignRoundRemainder) {
  EXPECT_EQ(value_of("x = f32[4] constant({-0.0, nan, -3, inf})\nROOT r = f32[4] sign(x)"), "{-0.0, nan, -1, 1}");
  EXPECT_EQ(value_of("x = f32[4] constant({0.5, 1.5, 2.5, -2.5})\nROOT r = f32[4] round-nearest-even(x)"),
            "{0, 2, 2, -2}");
  EXPECT_EQ(value_of("x = f32[4] constant({0.5, 1.5, 2.5, -2.5})\nROOT r = f32[4] round-nearest-afz(x)"),
            "{1, 2, 3, -3}");
  EXPECT_EQ(value_of("x = f32[3] constant({5.5, -5.5, 1})\ny = f32[3] constant({-2, 2, 0})\n"
                     "ROOT r = f32[3] remainder(x, y)"),
            "{1.5, -1.5, -nan}");
  EXPECT_EQ(value_of("x = f32[2] constant({0, -0.0})\nROOT r = f32[2] rsqrt(x)"), "{inf, -inf}");
}

TEST(EvaluateElementwise, Compare) {
  const std::string operands = "x = f32[3] constant({nan, nan, -0.0})\ny = f32[3] constant({nan, 1, 0})\n";
  EXPECT_EQ(value_of(operands + "ROOT r = pred[3] compare(x, y), direction=NE"), "{1, 1, 0}");
  EXPECT_EQ(value_of(operands + "ROOT r = pred[3] compare(x, y), direction=GE"), "{0, 0, 1}");
  EXPECT_EQ(value_of(operands + "ROOT r = pred[3] compare(x, y), direction=EQ, type=TOTALORDER"), "{1, 0, 0}");
  EXPECT_EQ(value_of("x = f32[4] constant({-nan, -inf, -0.0, inf})\ny = f32[4] constant({-inf, -1, 0, nan})\n"
                     "ROOT r = pred[4] compare(x, y), direction=LT, type=TOTALORDER"),
            "{1, 1, 1, 1}");
  EXPECT_EQ(value_of("x = u8[] constant(200)\ny = u8[] constant(100)\nROOT r = pred[] compare(x, y), direction=GT"),
            "true");
}

TEST(EvaluateElementwise, Complex) {
  EXPECT_EQ(value_of("x = c64[2] constant({(3, 4), (0, 0)})\nROOT r = f32[2] abs(x)"), "{5, 0}");
  EXPECT_EQ(value_of("x = c64[2] constant({(3, 4), (0, 0)})\nROOT r = c64[2] sign(x)"), "{(0.6, 0.8), (0, 0)}");
  EXPECT_EQ(value_of("x = c64[2] constant({(1, 2), (1, 2)})\ny = c64[2] constant({(1, 2), (1, -2)})\n"
                     "ROOT r = pred[2] compare(x, y), direction=EQ"),
            "{1, 0}");
}

TEST(EvaluateElementwise, ReducePrecisionAndBits) {
  EXPECT_EQ(value_of("x = f32[4] constant({1.00390625, 1e10, 1e-10, nan})\n"
                     "ROOT r = f32[4] reduce-precision(x), exponent_bits=5, mantissa_bits=7"),
            "{1, inf, 0, nan}");
  EXPECT_EQ(value_of("x = u16[2] constant({0, 1})\nROOT r = u16[2] count-leading-zeros(x)"), "{16, 15}");
  EXPECT_EQ(value_of("x = s4[2] constant({-1, 3})\nROOT r = s4[2] popcnt(x)"), "{4, 2}");
  EXPECT_EQ(value_of("x = pred[2] constant({1, 1})\ny = pred[2] constant({1, 0})\nROOT r = pred[2] add(x, y)"),
            "{1, 1}");
}

}  // namespace
}  // namespace sinter
