// Device helpers on integers and bits, against HLO's rules (hlo-reference 2.1 to 2.4).
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "device/bit_cast.cuh"
#include "device/combine.cuh"
#include "device/integer_divide.cuh"
#include "device/integer_power.cuh"
#include "device/maximum.cuh"
#include "device/multiply_high.cuh"
#include "device/rotate_left.cuh"
#include "device/shifts.cuh"
#include "device/sign.cuh"
#include "device/threefry2x32.cuh"
#include "device/vector_access.cuh"

namespace {

template <class T>
class Integers : public testing::Test {
 protected:
  static constexpr T kMin = std::numeric_limits<T>::min();
  static constexpr T kMax = std::numeric_limits<T>::max();
  static constexpr int kWidth = sizeof(T) * 8;
};
using IntegerTypes = testing::Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, long long,
                                    unsigned long long>;
TYPED_TEST_SUITE(Integers, IntegerTypes);

TYPED_TEST(Integers, Divide) {
  using T = TypeParam;
  EXPECT_EQ(integer_divide(T(7), T(2)), T(3));
  EXPECT_EQ(integer_remainder(T(7), T(2)), T(1));
  EXPECT_EQ(integer_divide(T(7), T(0)), T(-1));
  EXPECT_EQ(integer_divide(this->kMin, T(0)), T(-1));
  EXPECT_EQ(integer_remainder(T(7), T(0)), T(7));
  EXPECT_EQ(integer_divide(this->kMax, T(1)), this->kMax);
  if constexpr (std::is_signed_v<T>) {
    EXPECT_EQ(integer_divide(this->kMin, T(-1)), this->kMin);
    EXPECT_EQ(integer_remainder(this->kMin, T(-1)), T(0));
    EXPECT_EQ(integer_divide(T(-7), T(2)), T(-3));
    EXPECT_EQ(integer_remainder(T(-7), T(2)), T(-1));
    EXPECT_EQ(integer_remainder(T(7), T(-2)), T(1));
  }
}

TYPED_TEST(Integers, Power) {
  using T = TypeParam;
  EXPECT_EQ(integer_power(T(3), T(4)), T(81));
  EXPECT_EQ(integer_power(T(0), T(0)), T(1));
  EXPECT_EQ(integer_power(T(2), T(this->kWidth)), T(0));
  EXPECT_EQ(integer_power(T(3), T(100)), integer_power(integer_power(T(3), T(50)), T(2)));
  EXPECT_EQ(integer_power(T(-1), T(101)), T(-1));
  EXPECT_EQ(integer_power(this->kMax, T(2)), T(1));  // -1 squared, or 2^n - 1 squared; of the largest signed too
  if constexpr (std::is_signed_v<T>) {
    EXPECT_EQ(integer_power(T(2), T(-1)), T(0));
    EXPECT_EQ(integer_power(T(1), T(-5)), T(1));
    EXPECT_EQ(integer_power(T(0), T(-1)), T(0));
  }
}

TYPED_TEST(Integers, Shifts) {
  using T = TypeParam;
  const T width = static_cast<T>(this->kWidth);
  const T top = static_cast<T>(uint64_t{1} << (this->kWidth - 1));
  EXPECT_EQ(shift_left(T(1), T(3)), T(8));
  EXPECT_EQ(shift_left(T(1), T(this->kWidth - 1)), top);
  EXPECT_EQ(shift_left(T(1), width), T(0));
  EXPECT_EQ(shift_left(T(1), T(-1)), T(0));  // read as unsigned
  EXPECT_EQ(shift_right_logical(T(-1), T(this->kWidth - 1)), T(1));
  EXPECT_EQ(shift_right_logical(T(-1), width), T(0));
  EXPECT_EQ(shift_right_logical(T(-1), T(-1)), T(0));
  EXPECT_EQ(shift_right_arithmetic(top, T(this->kWidth - 1)), T(-1));
  EXPECT_EQ(shift_right_arithmetic(top, width), T(-1));
  EXPECT_EQ(shift_right_arithmetic(T(64), T(-1)), T(0));
  EXPECT_EQ(shift_right_arithmetic(T(64), T(3)), T(8));
}

TYPED_TEST(Integers, SignMaximumMinimum) {
  using T = TypeParam;
  EXPECT_EQ(sign(T(0)), T(0));
  EXPECT_EQ(sign(this->kMax), T(1));
  EXPECT_EQ(sign(this->kMin), std::is_signed_v<T> ? T(-1) : T(0));
  EXPECT_EQ(maximum(this->kMin, this->kMax), this->kMax);
  EXPECT_EQ(minimum(this->kMin, this->kMax), this->kMin);
}

TYPED_TEST(Integers, MultiplyHigh) {
  using T = TypeParam;
  using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  uint64_t state = 1;
  for (int i = 0; i < 1000; ++i) {
    const auto draw = [&] {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return static_cast<T>(state >> (i % 60));
    };
    const T a = draw(), b = draw();
    ASSERT_EQ(multiply_high(a, b), static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b) >> this->kWidth));
  }
  EXPECT_EQ(multiply_high(this->kMin, this->kMin),
            static_cast<T>(static_cast<Wide>(this->kMin) * static_cast<Wide>(this->kMin) >> this->kWidth));
}

TYPED_TEST(Integers, CombineWraps) {
  using T = TypeParam;
  EXPECT_EQ(Add()(this->kMax, T(1)), this->kMin);
  EXPECT_EQ(Multiply()(this->kMax, this->kMax), T(1));
  EXPECT_EQ(And()(T(6), T(3)), T(2));
  EXPECT_EQ(Or()(T(6), T(3)), T(7));
  EXPECT_EQ(Xor()(T(6), T(3)), T(5));
  EXPECT_EQ(Maximum()(T(6), T(3)), T(6));
  EXPECT_EQ(Minimum()(T(6), T(3)), T(3));
}

TEST(Combine, OfBoolIsLogical) {
  for (const bool a : {false, true}) {
    for (const bool b : {false, true}) {
      EXPECT_EQ(Add()(a, b), a || b);
      EXPECT_EQ(Multiply()(a, b), a && b);
      EXPECT_EQ(And()(a, b), a && b);
      EXPECT_EQ(Or()(a, b), a || b);
      EXPECT_EQ(Xor()(a, b), a != b);
      EXPECT_EQ(Maximum()(a, b), a || b);
      EXPECT_EQ(Minimum()(a, b), a && b);
    }
  }
}

TEST(BitCast, KeepsTheBits) {
  EXPECT_EQ(bit_cast<uint32_t>(1.0f), 0x3f800000u);
  EXPECT_EQ(bit_cast<double>(uint64_t{0x4000000000000000}), 2.0);
  EXPECT_EQ(bit_cast<int16_t>(__half{0xbc00}), static_cast<int16_t>(0xbc00));
}

TEST(Vector, LoadsAndStores) {
  alignas(16) float from[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  alignas(16) float to[8] = {};
  Vector<float, 4> vector = load_vector<4>(from + 4);
  EXPECT_EQ(vector[3], 7.0f);
  vector[0] = -1.0f;
  store_vector(to, vector);
  EXPECT_EQ(to[0], -1.0f);
  EXPECT_EQ(to[3], 7.0f);
  EXPECT_EQ(to[4], 0.0f);
  static_assert(alignof(Vector<float, 4>) == 16 && sizeof(Vector<double, 2>) == 16 && alignof(Vector<bool, 4>) == 4);
}

TEST(RotateLeft, BitsComeBackAtTheBottom) {
  EXPECT_EQ(rotate_left(0x80000001u, 1), 0x00000003u);
  EXPECT_EQ(rotate_left(0x12345678u, 8), 0x34567812u);
  EXPECT_EQ(rotate_left(0x12345678u, 31), 0x091a2b3cu);
  EXPECT_EQ(rotate_left(uint64_t{0x123456789abcdef0}, 20), uint64_t{0x6789abcdef012345});
}

// The known answers that the authors of Threefry give for 20 rounds (Random123, kat_vectors).
TEST(Threefry2x32, GivesItsAuthorsKnownAnswers) {
  const Threefry2x32 zeros = threefry2x32(0, 0, 0, 0);
  EXPECT_EQ(zeros.first, 0x6b200159u);
  EXPECT_EQ(zeros.second, 0x99ba4efeu);
  const Threefry2x32 ones = threefry2x32(~0u, ~0u, ~0u, ~0u);
  EXPECT_EQ(ones.first, 0x1cb996fcu);
  EXPECT_EQ(ones.second, 0xbb002be7u);
  const Threefry2x32 pi = threefry2x32(0x13198a2eu, 0x03707344u, 0x243f6a88u, 0x85a308d3u);
  EXPECT_EQ(pi.first, 0xc4923a9cu);
  EXPECT_EQ(pi.second, 0x483df7a0u);
}

}  // namespace
