// Literals as C++ text, for each element type.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "emitter/text/spell_literal.h"

namespace sinter {
namespace {

std::string real(DType dtype, double value) { return spell_literal(real_literal(dtype, value)).text; }
std::string integer(DType dtype, int64_t value) { return spell_literal(integer_literal(dtype, value)).text; }

Literal from_bits(DType dtype, uint64_t bits) {
  Literal literal(Shape::scalar(dtype));
  std::memcpy(literal.mutable_bytes().data(), &bits, literal.bytes().size());
  return literal;
}

TEST(PrintLiteral, Floats) {
  EXPECT_EQ(real(DType::kF32, 0.1), "0.1f");
  EXPECT_EQ(real(DType::kF32, 1), "1.0f");
  EXPECT_EQ(real(DType::kF32, -0.0), "-0.0f");
  EXPECT_EQ(real(DType::kF32, 0), "0.0f");
  EXPECT_EQ(real(DType::kF32, 1000000), "1000000.0f");
  EXPECT_EQ(real(DType::kF32, 1e-5f), "1e-5f");
  EXPECT_EQ(real(DType::kF32, 3e20f), "3e20f");
  EXPECT_EQ(real(DType::kF32, -2.5), "-2.5f");
  EXPECT_EQ(real(DType::kF32, 0.20943952), "0.20943952f");
  EXPECT_EQ(real(DType::kF32, std::numeric_limits<float>::denorm_min()), "1e-45f");
  EXPECT_EQ(real(DType::kF64, 0.1), "0.1");
  EXPECT_EQ(real(DType::kF64, 3), "3.0");
  EXPECT_EQ(real(DType::kF64, 1.0 / 3), "0.3333333333333333");
}

TEST(PrintLiteral, InfinitiesAndNans) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(real(DType::kF32, infinity), "INFINITY");
  EXPECT_EQ(real(DType::kF32, -infinity), "-INFINITY");
  EXPECT_EQ(real(DType::kF64, -infinity), "-double(INFINITY)");
  EXPECT_EQ(real(DType::kF16, infinity), "to_half(INFINITY)");
  EXPECT_EQ(spell_literal(from_bits(DType::kF32, 0x7fc00000)).text, "NAN");
  EXPECT_EQ(spell_literal(from_bits(DType::kF64, 0x7ff8000000000000)).text, "double(NAN)");
  EXPECT_EQ(spell_literal(from_bits(DType::kBF16, 0x7fc0)).text, "to_bfloat16(NAN)");
  const LiteralText payload = spell_literal(from_bits(DType::kF32, 0xffc00001));
  EXPECT_EQ(payload.text, "bit_cast<float>(0xffc00001u)");
  EXPECT_EQ(payload.headers, std::vector<std::string>{"device/bit_cast.cuh"});
  EXPECT_EQ(spell_literal(from_bits(DType::kF16, 0xfe01)).text, "bit_cast<__half>(uint16_t(0xfe01))");
}

TEST(PrintLiteral, NarrowFloats) {
  const LiteralText tenth = spell_literal(real_literal(DType::kF16, 0.1));
  EXPECT_EQ(tenth.text, "to_half(0.1f)");
  EXPECT_EQ(tenth.headers, std::vector<std::string>{"device/half.cuh"});
  EXPECT_EQ(real(DType::kBF16, 3.14159), "to_bfloat16(3.14f)");
  EXPECT_EQ(real(DType::kF16, 65504), "to_half(65500.0f)");
  EXPECT_EQ(real(DType::kF16, 2), "to_half(2.0f)");
  EXPECT_EQ(spell_literal(from_bits(DType::kF8E4M3FN, 0x38)).text, "round_to<F8E4M3FN>(1.0f)");
  EXPECT_EQ(spell_literal(from_bits(DType::kF8E4M3FN, 0xff)).text, "F8E4M3FN{0xff}");
  EXPECT_EQ(real(DType::kF4E2M1FN, -1.5), "round_to<F4E2M1FN>(-1.5f)");
}

TEST(PrintLiteral, Integers) {
  EXPECT_EQ(integer(DType::kS32, -7), "-7");
  EXPECT_EQ(integer(DType::kS32, INT32_MIN), "INT32_MIN");
  EXPECT_EQ(integer(DType::kS32, INT32_MAX), "INT32_MAX");
  EXPECT_EQ(integer(DType::kS8, -128), "-128");
  EXPECT_EQ(integer(DType::kU32, 4000000000), "4000000000u");
  EXPECT_EQ(integer(DType::kS64, 5), "5LL");
  EXPECT_EQ(integer(DType::kS64, INT64_MIN), "-9223372036854775807LL - 1");
  EXPECT_EQ(integer(DType::kU64, -1), "18446744073709551615ULL");
  EXPECT_EQ(integer(DType::kPred, 1), "true");
}

TEST(PrintLiteral, TypedWhereATemplateDeduces) {
  const auto typed = [](DType dtype, int64_t value) { return typed_literal(integer_literal(dtype, value)).text; };
  EXPECT_EQ(typed(DType::kS32, 5), "5");
  EXPECT_EQ(typed(DType::kU32, 5), "5u");
  EXPECT_EQ(typed(DType::kS8, -5), "int8_t(-5)");
  EXPECT_EQ(typed(DType::kU16, 5), "uint16_t(5)");
  EXPECT_EQ(typed(DType::kS64, 5), "int64_t(5)");
  EXPECT_EQ(typed(DType::kS64, INT64_MIN), "int64_t(-9223372036854775807LL - 1)");
  EXPECT_EQ(typed(DType::kU64, -1), "uint64_t(18446744073709551615ULL)");
}

TEST(PrintLiteral, Complex) {
  Literal literal(Shape::scalar(DType::kC64));
  literal.mutable_values<float>()[0] = 0.5f;
  literal.mutable_values<float>()[1] = -1;
  EXPECT_EQ(spell_literal(literal).text, "{0.5f, -1.0f}");
  EXPECT_EQ(typed_literal(literal).text, "Complex<float>{0.5f, -1.0f}");
}

TEST(PrintLiteral, EveryFloatReadsBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const uint32_t bits = static_cast<uint32_t>(random());
    const float value = std::bit_cast<float>(bits);
    if (!std::isfinite(value)) continue;
    const std::string text = spell_literal(from_bits(DType::kF32, bits)).text;
    ASSERT_EQ(std::bit_cast<uint32_t>(std::strtof(text.c_str(), nullptr)), bits) << text;
    ASSERT_NE(text.find_first_of(".e"), std::string::npos) << text;
  }
  for (int i = 0; i < 100000; ++i) {
    const uint64_t bits = random();
    const double value = std::bit_cast<double>(bits);
    if (!std::isfinite(value)) continue;
    const std::string text = spell_literal(from_bits(DType::kF64, bits)).text;
    ASSERT_EQ(std::bit_cast<uint64_t>(std::strtod(text.c_str(), nullptr)), bits) << text;
  }
}

TEST(PrintLiteral, EveryNarrowFloatReadsBack) {
  for (const DType dtype : {DType::kF16, DType::kBF16}) {
    for (uint64_t bits = 0; bits < 65536; ++bits) {
      const double value = float_from_bits(dtype, bits);
      if (!std::isfinite(value)) continue;
      const std::string text = spell_literal(from_bits(dtype, bits)).text;
      const float read = std::strtof(text.substr(text.find('(') + 1).c_str(), nullptr);
      ASSERT_EQ(float_to_bits(dtype, read), bits) << text;
    }
  }
}

}  // namespace
}  // namespace sinter
