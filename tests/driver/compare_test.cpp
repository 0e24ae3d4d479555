// Comparing tensors: tolerances, ulp, NaN, infinities, zeros, and what the report says.
#include "driver/tensors/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sinter {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

Literal floats(const std::vector<float>& values) {
  Literal literal(Shape::array(DType::kF32, {static_cast<int64_t>(values.size())}));
  std::copy(values.begin(), values.end(), literal.mutable_values<float>().begin());
  return literal;
}

Comparison compare_floats(const std::vector<float>& got, const std::vector<float>& expected, Tolerance tolerance = {}) {
  return compare({floats(got)}, {floats(expected)}, tolerance);
}

TEST(Compare, EqualIsOk) {
  const Comparison result = compare_floats({1, -2, 0}, {1, -2, -0.0f});
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.text, "output 0 f32[3]: ok, equal\n");
}

TEST(Compare, NanMatchesNanAndInfinityItself) {
  EXPECT_TRUE(compare_floats({kNan, kInfinity}, {kNan, kInfinity}).ok);
  EXPECT_FALSE(compare_floats({kNan}, {1}, {.rtol = 1, .atol = 100}).ok);
  EXPECT_FALSE(compare_floats({1}, {kNan}, {.rtol = 1, .atol = 100}).ok);
  EXPECT_FALSE(compare_floats({kInfinity}, {-kInfinity}, {.rtol = 1, .atol = 100}).ok);
  EXPECT_FALSE(compare_floats({3e38f}, {kInfinity}, {.rtol = 1, .atol = 100, .ulp = 1 << 30}).ok);
}

TEST(Compare, ToleranceIsAbsolutePlusRelative) {
  EXPECT_TRUE(compare_floats({10.5f}, {10}, {.rtol = 0.03, .atol = 0.2}).ok);
  EXPECT_FALSE(compare_floats({10.6f}, {10}, {.rtol = 0.03, .atol = 0.2}).ok);
}

TEST(Compare, UlpOfDoubles) {
  Literal one(Shape::array(DType::kF64, {1})), next(Shape::array(DType::kF64, {1}));
  one.mutable_values<double>()[0] = 1;
  next.mutable_values<double>()[0] = std::nextafter(1.0, 2.0);
  EXPECT_TRUE(compare({next}, {one}, {.ulp = 1}).ok);
  EXPECT_FALSE(compare({next}, {one}, {}).ok);
}

TEST(Compare, UlpCountsAcrossZero) {
  const float smallest = std::numeric_limits<float>::denorm_min();
  EXPECT_TRUE(compare_floats({smallest}, {-smallest}, {.ulp = 2}).ok);
  EXPECT_FALSE(compare_floats({smallest}, {-smallest}, {.ulp = 1}).ok);
  EXPECT_TRUE(compare_floats({std::nextafter(1.0f, 2.0f)}, {1}, {.ulp = 1}).ok);
}

TEST(Compare, ReportsTheWorstWrongElement) {
  const Comparison result = compare_floats({1, 2.5f, 3, 5}, {1, 2, 3, 4}, {.atol = 0.1});
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(
      result.text,
      "output 0 f32[4]: 2 of 4 elements are wrong; worst at [3]: got 5, expected 4, difference 1 (2097152 ulp)\n");
}

TEST(Compare, ToleranceIsNotForIntegers) {
  Literal got(Shape::array(DType::kS32, {2, 2})), expected(Shape::array(DType::kS32, {2, 2}));
  got.set_integer(3, 7);
  const Comparison result = compare({got}, {expected}, {.rtol = 1, .atol = 100});
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.text, "output 0 s32[2,2]: 1 of 4 elements are wrong; first at [1,1]: got 7, expected 0\n");
}

TEST(Compare, ComplexPartsCountByThemselves) {
  Literal got(Shape::array(DType::kC64, {2})), expected(Shape::array(DType::kC64, {2}));
  got.mutable_values<float>()[3] = 1;
  const Comparison result = compare({got}, {expected}, {});
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.text.find("worst at [1].imag"), std::string::npos) << result.text;
}

TEST(Compare, ShapesAndCountsMustAgree) {
  EXPECT_FALSE(compare({floats({1})}, {floats({1, 2})}, {}).ok);
  EXPECT_FALSE(compare({floats({1})}, {}, {}).ok);
}

TEST(Compare, EmptyArraysAreEqual) { EXPECT_TRUE(compare_floats({}, {}).ok); }

}  // namespace
}  // namespace sinter
