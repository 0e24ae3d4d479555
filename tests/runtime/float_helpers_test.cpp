// Device helpers on floats, against HLO's rules (hlo-reference 2.1 to 2.4).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "device/bit_cast.cuh"
#include "device/half.cuh"
#include "device/logistic.cuh"
#include "device/maximum.cuh"
#include "device/reduce_precision.cuh"
#include "device/saturate_cast.cuh"
#include "device/sign.cuh"
#include "device/total_order.cuh"

namespace {

template <class T>
class Floats : public testing::Test {
 protected:
  static constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
  static constexpr T kInfinity = std::numeric_limits<T>::infinity();
  static constexpr T kZero = 0;
};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Floats, FloatTypes);

TYPED_TEST(Floats, MaximumAndMinimumKeepNan) {
  using T = TypeParam;
  EXPECT_EQ(maximum(T(1), T(2)), T(2));
  EXPECT_EQ(minimum(T(1), T(2)), T(1));
  EXPECT_TRUE(isnan(maximum(this->kNan, T(2))));
  EXPECT_TRUE(isnan(maximum(T(2), this->kNan)));
  EXPECT_TRUE(isnan(minimum(this->kNan, this->kInfinity)));
  EXPECT_TRUE(isnan(minimum(-this->kInfinity, this->kNan)));
  EXPECT_EQ(maximum(-this->kInfinity, T(2)), T(2));
  EXPECT_FALSE(signbit(maximum(-this->kZero, this->kZero)));
  EXPECT_FALSE(signbit(maximum(this->kZero, -this->kZero)));
  EXPECT_TRUE(signbit(minimum(-this->kZero, this->kZero)));
  EXPECT_TRUE(signbit(minimum(this->kZero, -this->kZero)));
}

TYPED_TEST(Floats, Sign) {
  using T = TypeParam;
  EXPECT_EQ(sign(T(-3)), T(-1));
  EXPECT_EQ(sign(this->kInfinity), T(1));
  EXPECT_EQ(sign(std::numeric_limits<T>::denorm_min()), T(1));
  EXPECT_TRUE(isnan(sign(this->kNan)));
  EXPECT_TRUE(signbit(sign(-this->kZero)));
  EXPECT_FALSE(signbit(sign(this->kZero)));
}

TYPED_TEST(Floats, Logistic) {
  using T = TypeParam;
  EXPECT_EQ(logistic(T(0)), T(0.5));
  EXPECT_EQ(logistic(this->kInfinity), T(1));
  EXPECT_EQ(logistic(-this->kInfinity), T(0));
  EXPECT_TRUE(isnan(logistic(this->kNan)));
  EXPECT_NEAR(logistic(T(1)), 0.7310585786300049, 1e-7);
}

TYPED_TEST(Floats, TotalOrder) {
  using T = TypeParam;
  const T nan = this->kNan;
  const T order[] = {std::copysign(nan, T(-1)),
                     -this->kInfinity,
                     T(-1),
                     -std::numeric_limits<T>::denorm_min(),
                     -this->kZero,
                     this->kZero,
                     std::numeric_limits<T>::denorm_min(),
                     T(1),
                     this->kInfinity,
                     std::copysign(nan, T(1))};
  for (size_t i = 1; i < std::size(order); ++i) EXPECT_LT(total_order_key(order[i - 1]), total_order_key(order[i]));
  static_assert(sizeof(total_order_key(T(0))) == sizeof(T));
}

TEST(TotalOrder, OfHalves) {
  EXPECT_LT(total_order_key(__half{0x8000}), total_order_key(__half{0x0000}));
  EXPECT_LT(total_order_key(__half{0xfe00}), total_order_key(__half{0xfc00}));
  EXPECT_LT(total_order_key(__nv_bfloat16{0xbf80}), total_order_key(__nv_bfloat16{0x3f80}));
}

template <class To>
void check_saturate_cast() {
  constexpr To kMin = std::numeric_limits<To>::min(), kMax = std::numeric_limits<To>::max();
  const auto check = [&](auto zero) {
    using From = decltype(zero);
    EXPECT_EQ(saturate_cast<To>(From(3.99)), To(3));
    EXPECT_EQ(saturate_cast<To>(From(-0.99)), To(0));
    EXPECT_EQ(saturate_cast<To>(From(-3.99)), std::is_signed_v<To> ? To(-3) : To(0));
    EXPECT_EQ(saturate_cast<To>(From(1e30)), kMax);
    EXPECT_EQ(saturate_cast<To>(From(-1e30)), kMin);
    EXPECT_EQ(saturate_cast<To>(std::numeric_limits<From>::infinity()), kMax);
    EXPECT_EQ(saturate_cast<To>(-std::numeric_limits<From>::infinity()), kMin);
    EXPECT_EQ(saturate_cast<To>(std::numeric_limits<From>::quiet_NaN()), To(0));
    const From above = std::ldexp(From(1), std::numeric_limits<To>::digits);  // kMax + 1
    EXPECT_EQ(saturate_cast<To>(above), kMax);
    const From below = std::nextafter(above, From(0));
    EXPECT_EQ(saturate_cast<To>(below), static_cast<To>(below));
    EXPECT_EQ(saturate_cast<To>(static_cast<From>(kMin)), kMin);
  };
  check(0.0f);
  check(0.0);
}

TEST(SaturateCast, AllIntegers) {
  check_saturate_cast<int8_t>();
  check_saturate_cast<int16_t>();
  check_saturate_cast<int32_t>();
  check_saturate_cast<int64_t>();
  check_saturate_cast<uint8_t>();
  check_saturate_cast<uint16_t>();
  check_saturate_cast<uint32_t>();
  check_saturate_cast<uint64_t>();
}

// --- 16-bit floats ---------------------------------------------------------------------------------------------------

// The value of a 16-bit float, from its definition.
double value_of(uint16_t bits, int mantissa_bits, int bias) {
  const int exponent = (bits & 0x7fff) >> mantissa_bits;
  const int mantissa = bits & ((1 << mantissa_bits) - 1);
  const double magnitude = exponent == 0 ? std::ldexp(mantissa, 1 - bias - mantissa_bits)
                                         : std::ldexp((1 << mantissa_bits) + mantissa, exponent - bias - mantissa_bits);
  return bits & 0x8000 ? -magnitude : magnitude;
}

TEST(Half, EveryValueSurvives) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const __half half = {static_cast<uint16_t>(bits)};
    if ((bits & 0x7fff) > 0x7c00) {
      ASSERT_TRUE(isnan(to_float(half)));
      continue;
    }
    if ((bits & 0x7fff) < 0x7c00) {
      ASSERT_EQ(to_float(half), static_cast<float>(value_of(half.bits, 10, 15)));
    }
    ASSERT_EQ(to_half(to_float(half)).bits, bits);
    ASSERT_EQ(to_half(static_cast<double>(to_float(half))).bits, bits);
  }
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const __nv_bfloat16 number = {static_cast<uint16_t>(bits)};
    if ((bits & 0x7fff) > 0x7f80) {
      ASSERT_TRUE(isnan(to_float(number)) && isnan(to_float(to_bfloat16(to_float(number)))));
      continue;
    }
    if ((bits & 0x7fff) < 0x7f80) {
      ASSERT_EQ(to_float(number), static_cast<float>(value_of(number.bits, 7, 127)));
    }
    ASSERT_EQ(to_bfloat16(to_float(number)).bits, bits);
  }
}

// Arithmetic on 16-bit floats against that on doubles, rounded once; `round` makes a T of a double.
template <class T, class Round>
void check_arithmetic(T infinity, Round round) {
  const auto same = [](T a, T b) { return a.bits == b.bits || (isnan(to_float(a)) && isnan(to_float(b))); };
  uint32_t state = 1;
  const auto next = [&] {
    state = state * 1664525 + 1013904223;
    const uint32_t kind = state >> 28;
    const auto sign = static_cast<uint16_t>(state >> 12 & 0x8000);
    // One of eight is zero, subnormal, infinite or NaN, and one has few digits.
    if (kind == 0) return T{static_cast<uint16_t>(sign | (state >> 8 & 15))};
    if (kind == 1) return T{static_cast<uint16_t>(sign | (infinity.bits + (state >> 8 & 1)))};
    if (kind < 4) return T{static_cast<uint16_t>(state >> 8 & 0xff00)};
    return T{static_cast<uint16_t>(state >> 8)};
  };
  for (int i = 0; i < 1000000; ++i) {
    const T a = next(), b = next();
    const double x = to_float(a), y = to_float(b);
    ASSERT_TRUE(same(__hadd_rn(a, b), round(x + y))) << a.bits << " " << b.bits;
    ASSERT_TRUE(same(__hsub_rn(a, b), round(x - y))) << a.bits << " " << b.bits;
    ASSERT_TRUE(same(__hmul_rn(a, b), round(x * y))) << a.bits << " " << b.bits;
    ASSERT_TRUE(same(__hmax_nan(a, b), round(maximum(x, y)))) << a.bits << " " << b.bits;
    ASSERT_TRUE(same(__hmin_nan(a, b), round(minimum(x, y)))) << a.bits << " " << b.bits;
    ASSERT_TRUE(same(__hneg(a), round(-x))) << a.bits;
    ASSERT_TRUE(same(__habs(a), round(std::fabs(x)))) << a.bits;
  }
}

TEST(Half, ArithmeticRoundsOnce) {
  check_arithmetic(__half{0x7c00}, [](double x) { return to_half(x); });
  check_arithmetic(__nv_bfloat16{0x7f80}, [](double x) { return to_bfloat16(x); });
}

// Between two neighbours the nearer one is taken; in the middle, the even one.
template <class Round>
void check_rounding(uint16_t infinity, int mantissa_bits, int bias, Round round) {
  for (uint16_t bits = 0; bits + 1 < infinity; ++bits) {
    const double low = value_of(bits, mantissa_bits, bias);
    const double high = value_of(static_cast<uint16_t>(bits + 1), mantissa_bits, bias);
    const double middle = (low + high) / 2;
    const uint16_t even = bits % 2 == 0 ? bits : static_cast<uint16_t>(bits + 1);
    ASSERT_EQ(round(middle), even);
    ASSERT_EQ(round(std::nextafter(middle, 0.0)), bits);
    ASSERT_EQ(round(std::nextafter(middle, HUGE_VAL)), bits + 1);
    ASSERT_EQ(round(-middle), even | 0x8000);
  }
}

TEST(Half, RoundsToNearestEven) {
  const auto in_float = [](double x) { return std::fabs(x) == std::fabs(static_cast<double>(static_cast<float>(x))); };
  check_rounding(0x7c00, 10, 15, [](double x) { return to_half(x).bits; });
  check_rounding(0x7f80, 7, 127, [](double x) { return to_bfloat16(x).bits; });
  check_rounding(0x7c00, 10, 15,
                 [&](double x) { return in_float(x) ? to_half(static_cast<float>(x)).bits : to_half(x).bits; });
  EXPECT_EQ(to_half(65519.0f).bits, 0x7bff);
  EXPECT_EQ(to_half(65520.0f).bits, 0x7c00);
  EXPECT_EQ(to_half(-1e9f).bits, 0xfc00);
  EXPECT_EQ(to_half(0x1p-25f).bits, 0);
  EXPECT_EQ(to_half(-0x1.000002p-25f).bits, 0x8001);
  EXPECT_EQ(to_bfloat16(std::numeric_limits<float>::max()).bits, 0x7f80);
  EXPECT_EQ(to_bfloat16(bit_cast<float>(0x3f808000u)).bits, 0x3f80);
  EXPECT_EQ(to_bfloat16(bit_cast<float>(0x3f818000u)).bits, 0x3f82);
}

// --- reduce-precision ------------------------------------------------------------------------------------------------

TEST(ReducePrecision, ToF16AndBf16AgreesWithConversion) {
  uint32_t state = 1;
  for (int i = 0; i < 200000; ++i) {
    state = state * 1664525u + 1013904223u;
    const float x = bit_cast<float>(state);
    if (isnan(x)) {
      ASSERT_TRUE(isnan((reduce_precision<5, 10>(x))));
      continue;
    }
    float half = to_float(to_half(x));
    if (std::fabs(x) < 0x1p-14f) half = std::copysign(std::fabs(half) == 0x1p-14f ? 0x1p-14f : 0.0f, x);
    const float reduced = reduce_precision<5, 10>(x);
    ASSERT_EQ(bit_cast<uint32_t>(reduced), bit_cast<uint32_t>(half)) << x;
    ASSERT_EQ(bit_cast<uint32_t>(reduce_precision<8, 7>(x)), bit_cast<uint32_t>(to_float(to_bfloat16(x))));
    ASSERT_EQ(bit_cast<uint32_t>(reduce_precision<8, 23>(x)), state);
    ASSERT_EQ(bit_cast<uint32_t>(reduce_precision<11, 52>(x)), state);
  }
}

TEST(ReducePrecision, Edges) {
  EXPECT_EQ((reduce_precision<8, 0>(1.5f)), 2.0f);  // a tie, and 1.0 has the odd last exponent bit
  EXPECT_EQ((reduce_precision<8, 0>(1.25f)), 1.0f);
  EXPECT_EQ((reduce_precision<4, 3>(1000.0f)), INFINITY);
  EXPECT_EQ((reduce_precision<4, 3>(-1000.0f)), -INFINITY);
  EXPECT_TRUE(signbit(reduce_precision<4, 3>(-1e-9f)));
  EXPECT_EQ((reduce_precision<4, 3>(-1e-9f)), 0.0f);
  EXPECT_EQ((reduce_precision<5, 10>(65520.0)), HUGE_VAL);
  EXPECT_EQ((reduce_precision<5, 10>(65519.0)), 65504.0);
  EXPECT_EQ((reduce_precision<8, 23>(0.1)), static_cast<double>(0.1f));
  EXPECT_TRUE(isnan(reduce_precision<5, 2>(std::nan(""))));
}

}  // namespace
