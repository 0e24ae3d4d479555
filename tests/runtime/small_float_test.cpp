// Floats of at most 8 bits of the device helpers, against the literals' own conversions.
#include "device/small_float.cuh"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "ir/values/literal.h"

namespace sinter {
namespace {

template <class Small>
class SmallFloats : public testing::Test {};

template <class Small, DType kDType>
struct Type {
  using Element = Small;
  static constexpr DType dtype = kDType;
};
using Types =
    testing::Types<Type<F4E2M1FN, DType::kF4E2M1FN>, Type<F6E2M3FN, DType::kF6E2M3FN>, Type<F6E3M2FN, DType::kF6E3M2FN>,
                   Type<F8E3M4, DType::kF8E3M4>, Type<F8E4M3, DType::kF8E4M3>, Type<F8E4M3FN, DType::kF8E4M3FN>,
                   Type<F8E4M3FNUZ, DType::kF8E4M3FNUZ>, Type<F8E4M3B11FNUZ, DType::kF8E4M3B11FNUZ>,
                   Type<F8E5M2, DType::kF8E5M2>, Type<F8E5M2FNUZ, DType::kF8E5M2FNUZ>,
                   Type<F8E8M0FNU, DType::kF8E8M0FNU>>;
TYPED_TEST_SUITE(SmallFloats, Types);

TYPED_TEST(SmallFloats, Widen) {
  for (unsigned bits = 0; bits < 1u << dtype_bits(TypeParam::dtype); ++bits) {
    const float wide = to_float(typename TypeParam::Element{static_cast<uint8_t>(bits)});
    const auto expected = static_cast<float>(float_from_bits(TypeParam::dtype, bits));
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(wide)) << bits;
      EXPECT_EQ(std::signbit(wide), std::signbit(expected)) << bits;
    } else {
      EXPECT_EQ(std::bit_cast<uint32_t>(wide), std::bit_cast<uint32_t>(expected)) << bits;
    }
  }
}

// A NaN may have another payload.
template <class TypeParam, class Float>
void expect_rounded(Float x) {
  const auto expected = static_cast<uint8_t>(float_to_bits(TypeParam::dtype, x));
  const uint8_t bits = round_to<typename TypeParam::Element>(x).bits;
  if (bits == expected) return;
  EXPECT_TRUE(std::isnan(float_from_bits(TypeParam::dtype, bits))) << x;
  EXPECT_TRUE(std::isnan(float_from_bits(TypeParam::dtype, expected))) << x;
}

// Every sign, exponent and leading mantissa bits, with what decides about a rounding below them.
TYPED_TEST(SmallFloats, RoundFloats) {
  for (uint32_t high = 0; high < 1u << 16; ++high) {
    for (const uint32_t low : {0u, 1u, 0x8000u, 0xffffu})
      expect_rounded<TypeParam>(std::bit_cast<float>(high << 16 | low));
  }
}

TYPED_TEST(SmallFloats, RoundDoubles) {
  for (uint64_t high = 0; high < 1u << 16; ++high) {
    for (const uint64_t low : {uint64_t{0}, uint64_t{1}, uint64_t{0x800000000000}, uint64_t{0x800000000001}}) {
      expect_rounded<TypeParam>(std::bit_cast<double>(high << 48 | low));
    }
  }
}

}  // namespace
}  // namespace sinter
