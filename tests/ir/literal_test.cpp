// Literals: storage, access to elements, and the conversions of every float type.
#include "ir/values/literal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ir/support/diagnostics.h"

namespace sinter {
namespace {

const double kInfinity = std::numeric_limits<double>::infinity();

std::vector<DType> float_types() {
  std::vector<DType> types;
#define DTYPE(enumerator, hlo_name, dtype_class, bits, cuda) \
  if (is_float(DType::enumerator)) types.push_back(DType::enumerator);
#include "ir/values/dtype.def"
#undef DTYPE
  return types;
}

TEST(Literal, StartsAsZeros) {
  const Literal literal(Shape::array(DType::kF32, {2, 3}));
  EXPECT_EQ(literal.bytes().size(), 24u);
  EXPECT_EQ(literal.real_at(5), 0);
  EXPECT_TRUE(literal.is_splat());
  EXPECT_FALSE(Literal(Shape::array(DType::kF32, {0})).is_splat());
}

TEST(Literal, CopiesShareUntilWritten) {
  Literal a(Shape::array(DType::kS32, {2}));
  const Literal b = a;
  EXPECT_EQ(a.bytes().data(), b.bytes().data());
  a.set_integer(1, 7);
  EXPECT_EQ(a.integer_at(1), 7);
  EXPECT_EQ(b.integer_at(1), 0);
  EXPECT_FALSE(a.same_value(b));
  EXPECT_FALSE(a.is_splat());
}

TEST(Literal, Tuples) {
  const Literal tuple = Literal::tuple({integer_literal(DType::kS32, 3), real_literal(DType::kF32, 0.5)});
  EXPECT_EQ(to_string(tuple.shape()), "(s32[], f32[])");
  EXPECT_EQ(tuple.elements()[1].real_at(0), 0.5);
  EXPECT_EQ(Literal(tuple.shape()).elements().size(), 2u);
  EXPECT_FALSE(Literal(tuple.shape()).same_value(tuple));
}

TEST(Literal, ElidedHasNoValue) {
  const Literal elided = Literal::elided(Shape::array(DType::kF32, {1000}));
  EXPECT_TRUE(elided.is_elided());
  EXPECT_TRUE(elided.bytes().empty());
  EXPECT_FALSE(elided.same_value(elided));
}

TEST(Literal, TooLargeIsOurBug) { EXPECT_THROW(Literal(Shape::array(DType::kF32, {int64_t{1} << 50})), InternalError); }

TEST(Literal, SameValueComparesBits) {
  EXPECT_FALSE(real_literal(DType::kF32, 0.0).same_value(real_literal(DType::kF32, -0.0)));
  EXPECT_TRUE(real_literal(DType::kF32, NAN).same_value(real_literal(DType::kF32, NAN)));
}

TEST(Literal, IntegersWrapInTheirWidth) {
  EXPECT_EQ(integer_literal(DType::kS8, 200).integer_at(0), -56);
  EXPECT_EQ(integer_literal(DType::kU8, -1).integer_at(0), 255);
  EXPECT_EQ(integer_literal(DType::kS4, 9).integer_at(0), -7);
  EXPECT_EQ(integer_literal(DType::kU4, 17).integer_at(0), 1);
  EXPECT_EQ(integer_literal(DType::kS1, 1).integer_at(0), -1);
  EXPECT_EQ(integer_literal(DType::kPred, 5).integer_at(0), 1);
  EXPECT_EQ(integer_literal(DType::kU64, -1).integer_at(0), -1);
  EXPECT_EQ(integer_literal(DType::kU64, -1).real_at(0), 18446744073709551616.0);
}

TEST(Literal, RealsSaturateInIntegers) {
  EXPECT_EQ(real_literal(DType::kS8, 1000.5).integer_at(0), 127);
  EXPECT_EQ(real_literal(DType::kS8, -1000.5).integer_at(0), -128);
  EXPECT_EQ(real_literal(DType::kS8, -3.9).integer_at(0), -3);
  EXPECT_EQ(real_literal(DType::kU4, 99).integer_at(0), 15);
  EXPECT_EQ(real_literal(DType::kU64, 1e30).integer_at(0), -1);
  EXPECT_EQ(real_literal(DType::kS64, 1e30).integer_at(0), INT64_MAX);
  EXPECT_EQ(real_literal(DType::kS64, -kInfinity).integer_at(0), INT64_MIN);
  EXPECT_EQ(real_literal(DType::kS32, NAN).integer_at(0), 0);
  EXPECT_EQ(real_literal(DType::kPred, NAN).integer_at(0), 1);
}

// 2^24 + 1 rounds to 2^24; one more unit far below decides it upwards, even though a double cannot hold both.
TEST(Literal, IntegersRoundOnceToFloats) {
  const int64_t tie = (int64_t{1} << 62) + (int64_t{1} << 38);
  EXPECT_EQ(integer_literal(DType::kF32, tie).real_at(0), std::ldexp(1.0, 62));
  EXPECT_EQ(integer_literal(DType::kF32, tie + 1).real_at(0), std::ldexp(1.0, 62) + std::ldexp(1.0, 39));
  EXPECT_EQ(integer_literal(DType::kF32, -(tie + 1)).real_at(0), -std::ldexp(1.0, 62) - std::ldexp(1.0, 39));
  EXPECT_EQ(integer_literal(DType::kF64, INT64_MIN).real_at(0), -std::ldexp(1.0, 63));
}

TEST(FloatBits, EveryPatternRoundTrips) {
  for (const DType dtype : float_types()) {
    if (dtype_bits(dtype) > 16) continue;
    for (uint64_t bits = 0; bits < uint64_t{1} << dtype_bits(dtype); ++bits) {
      const double value = float_from_bits(dtype, bits);
      if (std::isnan(value)) continue;
      EXPECT_EQ(float_to_bits(dtype, value), bits) << dtype_name(dtype);
    }
  }
}

// Between two neighbours: the nearer one, and the even pattern in the middle (the upper one for f8e8m0fnu).
TEST(FloatBits, RoundsToNearestEven) {
  for (const DType dtype : float_types()) {
    if (dtype_bits(dtype) > 16) continue;
    const bool has_sign = dtype != DType::kF8E8M0FNU;
    const uint64_t end = uint64_t{1} << (dtype_bits(dtype) - (has_sign ? 1 : 0));
    for (uint64_t bits = 0; bits + 1 < end; ++bits) {
      const double low = float_from_bits(dtype, bits);
      const double high = float_from_bits(dtype, bits + 1);
      if (!std::isfinite(low) || !std::isfinite(high)) continue;
      const double middle = low + (high - low) / 2;
      const uint64_t even = has_sign ? bits + (bits & 1) : bits + 1;
      EXPECT_EQ(float_to_bits(dtype, middle), even) << dtype_name(dtype) << " " << bits;
      EXPECT_EQ(float_to_bits(dtype, std::nextafter(middle, kInfinity)), bits + 1) << dtype_name(dtype);
      EXPECT_EQ(float_to_bits(dtype, std::nextafter(middle, 0)), bits) << dtype_name(dtype);
    }
  }
}

TEST(FloatBits, OutOfRange) {
  EXPECT_EQ(float_to_bits(DType::kF16, 65519), 0x7bffu);
  EXPECT_EQ(float_to_bits(DType::kF16, 65520), 0x7c00u);
  EXPECT_EQ(float_to_bits(DType::kBF16, -1e39), 0xff80u);
  EXPECT_EQ(float_to_bits(DType::kF8E5M2, 1e9), 0x7cu);
  EXPECT_EQ(float_to_bits(DType::kF8E4M3FN, 1e9), 0x7fu);       // NaN
  EXPECT_EQ(float_to_bits(DType::kF8E4M3FNUZ, -1e9), 0x80u);    // NaN
  EXPECT_EQ(float_to_bits(DType::kF4E2M1FN, kInfinity), 0x7u);  // the largest value
  EXPECT_EQ(float_to_bits(DType::kF8E8M0FNU, 0), 0xffu);
  EXPECT_EQ(float_to_bits(DType::kF8E8M0FNU, -1), 0xffu);
  EXPECT_EQ(float_to_bits(DType::kF8E8M0FNU, 1e-60), 0xffu);
  EXPECT_EQ(float_to_bits(DType::kF8E8M0FNU, 1e60), 0xffu);
}

TEST(FloatBits, NotANumber) {
  for (const DType dtype : float_types()) {
    if (dtype_bits(dtype) < 8) continue;
    EXPECT_TRUE(std::isnan(float_from_bits(dtype, float_to_bits(dtype, NAN)))) << dtype_name(dtype);
  }
  EXPECT_EQ(float_to_bits(DType::kF32, -NAN) >> 31, 1u);
  EXPECT_EQ(float_to_bits(DType::kBF16, -NAN), 0xffc0u);
  EXPECT_EQ(float_to_bits(DType::kF4E2M1FN, NAN), 0x8u);
}

TEST(FloatBits, SubnormalsOfF16) {
  EXPECT_EQ(float_from_bits(DType::kF16, 1), std::ldexp(1.0, -24));
  EXPECT_EQ(float_to_bits(DType::kF16, std::ldexp(1.0, -25)), 0u);
  EXPECT_EQ(float_to_bits(DType::kF16, std::ldexp(1.5, -25)), 1u);
  EXPECT_EQ(float_to_bits(DType::kF16, -1e-300), 0x8000u);
}

}  // namespace
}  // namespace sinter
