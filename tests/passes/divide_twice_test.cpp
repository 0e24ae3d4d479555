// Two divisions with one check give what IEEE 754 says, whatever estimate of 1 / d the hardware comes up with.
#include "device/divide_twice.cuh"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/passes/same_float.h"

namespace sinter {
namespace {

// The floats within a unit in the last place of 1 / d.
std::vector<float> estimates(float d) {
  const float nearest = 1.0F / d;
  std::vector<float> all = {nearest};
  for (const float toward : {0.0F, INFINITY}) {
    for (float next = std::nextafter(nearest, toward); std::fabs(static_cast<double>(next) * d - 1.0) <= 0x1p-23;
         next = std::nextafter(next, toward)) {
      all.push_back(next);
    }
  }
  return all;
}

uint32_t inverse_of(uint32_t odd) {
  uint32_t inverse = (odd * 3) ^ 2;
  for (int round = 0; round < 3; ++round) inverse *= 2 - odd * inverse;
  return inverse;
}

// The significands n for which n / d is next to the middle of two floats: n * 2^j - d * middle is small.
std::vector<float> hard_dividends(uint32_t d) {
  constexpr int64_t kMost = 24;
  const int zeros = std::countr_zero(d);
  std::vector<float> all;
  for (const int j : {24, 25}) {
    const uint64_t modulus = uint64_t{1} << (j - zeros);
    for (int64_t difference = -kMost; difference <= kMost; ++difference) {
      if (difference == 0 || difference % (int64_t{1} << zeros) != 0) continue;
      const auto wanted = static_cast<uint32_t>(-(difference >> zeros));
      const uint64_t first = static_cast<uint64_t>(wanted * inverse_of(d >> zeros)) & (modulus - 1);
      for (uint64_t middle = first; middle < (1U << 25); middle += modulus) {
        if (middle < (1U << 24) || middle % 2 == 0) continue;
        const int64_t n = (static_cast<int64_t>(d) * static_cast<int64_t>(middle) + difference) >> j;
        if (n >= (1 << 23) && n < (1 << 24)) all.push_back(static_cast<float>(n));
      }
    }
  }
  return all;
}

TEST(DivideTwice, FirstQuotientIsRightWhateverTheEstimate) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    uint32_t d = (1U << 23) + (random() >> 9);
    if (i % 8 == 0) d = (1U << 24) - 2 - random() % 64;
    if (i % 8 == 1) d = (1U << 23) + random() % 64;
    if (d == (1U << 24) - 1) continue;
    const auto divisor = static_cast<float>(d);
    for (const float estimate : estimates(divisor)) {
      for (const float n : hard_dividends(d)) {
        ASSERT_TRUE(same_float(refined_quotient(n, divisor, estimate), n / divisor))
            << n << " / " << divisor << ", " << estimate;
      }
      for (int k = 0; k < 16; ++k) {
        const auto n = static_cast<float>((1U << 23) + (random() >> 9));
        ASSERT_TRUE(same_float(refined_quotient(n, divisor, estimate), n / divisor))
            << n << " / " << divisor << ", " << estimate;
      }
    }
  }
}

// What the check lets through is right, and what it does not is no number to go on with: for every dividend's exponent.
TEST(DivideTwice, CheckLetsThroughWhatIsRight) {
  std::mt19937 random(2);
  for (int i = 0; i < 400000; ++i) {
    const auto n = std::bit_cast<float>(static_cast<uint32_t>(random()));
    const float d =
        std::ldexp(0.5F + static_cast<float>(random() >> 9) * 0x1p-24F, static_cast<int>(random() % 41) - 20);
    for (const float estimate : estimates(d)) {
      const float quick = refined_quotient(n, d, estimate);
      ASSERT_TRUE(!(std::fabs(quick) >= 0x1p-40F) || same_float(quick, n / d)) << n << " / " << d << ", " << estimate;
    }
  }
  for (const float n : {INFINITY, -INFINITY, NAN, 0.0F, -0.0F, 1e-45F, 3.4028235e38F, -3.4028235e38F}) {
    for (const float d : {0.5F, 0.6F, 0.75F, 1.5F, 3.0F}) {
      for (const float estimate : estimates(d)) {
        const float quick = refined_quotient(n, d, estimate);
        EXPECT_TRUE(!(std::fabs(quick) >= 0x1p-40F) || same_float(quick, n / d)) << n << " / " << d;
      }
    }
  }
}

TEST(DivideTwice, BothAreWhatDivisionsGive) {
  std::mt19937 random(3);
  const auto expect = [](float n, float d, float a, float b) {
    float first = 0, second = 0;
    divide_twice(n, d, &first, {a, b}, Divisor(1.1F), &second);
    ASSERT_TRUE(same_float(first, n / d)) << n << " / " << d;
    ASSERT_TRUE(same_float(second, n / d * a * b / 1.1F)) << n << " / " << d << " * " << a << " * " << b;
  };
  for (int i = 0; i < 400000; ++i) {
    const float d = 0.5F + static_cast<float>(random() >> 9) * 0x1p-24F;
    const float b = std::ldexp(1.0F, -static_cast<int>(random() % 31)) * (random() % 2 == 0 ? -0.7F : 0.9F);
    expect(std::bit_cast<float>(static_cast<uint32_t>(random())), d, 0.05F, b);
    const float significand = 0.5F + static_cast<float>(random() >> 9) * 0x1p-24F;
    expect(std::ldexp(significand, -39 - static_cast<int>(random() % 3)), d, 0.05F, b);  // about the check's limit
  }
  for (const float n : {INFINITY, -INFINITY, NAN, 0.0F, -0.0F, 1e-45F, 3.4028235e38F}) expect(n, 0.6F, 0.05F, 0x1p-30F);
}

}  // namespace
}  // namespace sinter
