// Division by a constant in parts: what is said of a constant holds for every float, by trying them.
#include "passes/lower/text/exact_division.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "device/divisor.cuh"
#include "tests/passes/same_float.h"

namespace sinter {
namespace {

// Every significand, in one binade: others differ by powers of two.
bool divides_all(float divisor) {
  for (uint32_t bits = 0; bits < (1U << 23); ++bits) {
    const auto x = std::bit_cast<float>(0x3f800000U + bits);
    if (!same_float(x / UncheckedDivisor(divisor), x / divisor)) return false;
  }
  return true;
}

TEST(ExactDivision, SaysWhatHoldsForAllSignificands) {
  std::mt19937 random(1);
  int exact = 0, inexact = 0;
  for (int i = 0; i < 24; ++i) {
    float divisor = std::ldexp(1.0F + static_cast<float>(random() >> 9) * 0x1p-23F, static_cast<int>(random() % 8) - 4);
    if (i == 0) divisor = 1.1F;
    if (i == 1) divisor = 3.0F;
    if (i == 2) divisor = -768.0F;
    const bool expected = divides_all(divisor);
    EXPECT_EQ(has_exact_divisor(divisor), expected) << divisor;
    ++(expected ? exact : inexact);
  }
  EXPECT_GT(exact, 0);
  EXPECT_GT(inexact, 0);
}

TEST(ExactDivision, IsOfNoUseOrNotTriedForOthers) {
  for (const float divisor : {0.0F, 1.0F, 64.0F, 0.25F, INFINITY, NAN, 1e20F, 1e-20F, 1e-45F}) {
    EXPECT_FALSE(has_exact_divisor(divisor)) << divisor;
  }
}

TEST(ExactDivision, DividesWhatIsExtreme) {
  std::mt19937 random(2);
  for (const float divisor : {1.1F, 3.0F, -0.3F, 768.0F, 1e-5F, 7e5F}) {
    ASSERT_TRUE(has_exact_divisor(divisor)) << divisor;
    const auto expect = [&](float x) {
      EXPECT_TRUE(same_float(x / Divisor(divisor), x / divisor)) << x << " / " << divisor;
    };
    for (const float x : {0.0F, INFINITY, NAN, 3.4028235e38F, 1.2e-38F, 1e-45F, 1.0F}) {
      expect(x);
      expect(-x);
    }
    for (int i = 0; i < 200000; ++i) {
      expect(std::bit_cast<float>(static_cast<uint32_t>(random())));
      const float significand = 1.0F + static_cast<float>(random() >> 9) * 0x1p-23F;
      expect(std::ldexp(significand * std::fabs(divisor), -101 + static_cast<int>(random() % 4)));
      expect(std::ldexp(significand, 127));
    }
  }
}

}  // namespace
}  // namespace sinter
