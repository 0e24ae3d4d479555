// Constants: every form of literal, read to the right bits and printed with the fewest digits.

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "parse_text.h"

namespace sinter {
namespace {

Parsed parse_constant(const std::string& shape, const std::string& value) {
  return Parsed("ENTRY e { ROOT c = " + shape + " constant(" + value + ") }");
}

// How a constant of this text is printed.
std::string printed(const std::string& shape, const std::string& value) {
  const Parsed parsed = parse_constant(shape, value);
  if (parsed.module == nullptr) return parsed.diagnostics.all()[0].code + " " + parsed.diagnostics.all()[0].message;
  const std::string text = to_string(parsed.at("c").literal);
  const Parsed again = parse_constant(shape, text);
  EXPECT_NE(again.module, nullptr) << text << "\n" << again.diagnostics.render();
  if (again.module != nullptr && !parsed.at("c").literal.is_elided()) {
    EXPECT_TRUE(again.at("c").literal.same_value(parsed.at("c").literal)) << shape << " " << text;
  }
  return text;
}

uint64_t bits_of(const std::string& dtype, const std::string& value) {
  const Parsed parsed = parse_constant(dtype + "[]", value);
  EXPECT_NE(parsed.module, nullptr) << parsed.diagnostics.render();
  uint64_t bits = 0;
  if (parsed.module == nullptr) return bits;
  const auto bytes = parsed.at("c").literal.bytes();
  std::memcpy(&bits, bytes.data(), bytes.size());
  return bits;
}

TEST(Literal, Forms) {
  EXPECT_EQ(printed("f32[]", "1"), "1");
  EXPECT_EQ(printed("f32[3]", "{1,2.50, .5}"), "{1, 2.5, 0.5}");
  EXPECT_EQ(printed("s32[2,2]", "{{1,2},{3,-4}}"), "{ { 1, 2 }, { 3, -4 } }");
  EXPECT_EQ(printed("s32[2,1]", "{ {1}, {2} }"), "{ {1}, {2} }");
  EXPECT_EQ(printed("s32[1,1,1,2]", "{ /*i0=0*/ { /*i1=0*/ { { 1, 2 } } } }"), "{ { { { 1, 2 } } } }");
  EXPECT_EQ(printed("pred[]", "true"), "true");
  EXPECT_EQ(printed("pred[]", "0"), "false");
  EXPECT_EQ(printed("pred[3]", "{1, false, true}"), "{1, 0, 1}");
  EXPECT_EQ(printed("c64[2]", "{(1, -2.5), (inf, nan)}"), "{(1, -2.5), (inf, nan)}");
  EXPECT_EQ(printed("c128[]", "(-0.0, -inf)"), "(-0.0, -inf)");
  EXPECT_EQ(printed("(f32[2], (s8[], pred[]), ())", "( {1, 2}, ( 3, true ), () )"), "( {1, 2}, ( 3, true ), () )");
  EXPECT_EQ(printed("f32[0]", "{}"), "{}");
  EXPECT_EQ(printed("f32[0,3]", "{ }"), "{}");
  EXPECT_EQ(printed("f32[2,0]", "{ {}, { } }"), "{ {}, {} }");
  EXPECT_EQ(printed("f32[9999999,0]", "{}"), "{}");
  EXPECT_EQ(printed("token[]", "token"), "token");
}

TEST(Literal, IntegersUseTheirWholeRange) {
  EXPECT_EQ(printed("u64[]", "18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(printed("s64[]", "-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(printed("s4[3]", "{-8, 7, 0}"), "{-8, 7, 0}");
  EXPECT_EQ(printed("u1[2]", "{1, 0}"), "{1, 0}");
  EXPECT_EQ(printed("s64[]", "9223372036854775808"), "E0103 9223372036854775808 is out of range for s64");
  EXPECT_EQ(printed("u64[]", "18446744073709551616"), "E0103 18446744073709551616 is out of range for u64");
  EXPECT_EQ(printed("s8[]", "128"), "E0103 128 is out of range for s8");
  EXPECT_EQ(printed("s4[]", "-9"), "E0103 -9 is out of range for s4");
  EXPECT_EQ(printed("u8[]", "-1"), "E0103 -1 is out of range for u8");
}

TEST(Literal, NegativeZero) {
  for (const std::string dtype : {"f64", "f32", "bf16", "f16", "f8e5m2", "f8e4m3fn", "f4e2m1fn"}) {
    EXPECT_EQ(printed(dtype + "[]", "-0"), "-0.0") << dtype;
  }
  EXPECT_EQ(printed("f8e4m3fnuz[]", "-0.0"), "0");
  EXPECT_EQ(printed("s32[]", "-0"), "0");
}

TEST(Literal, FloatsPrintWithTheFewestDigits) {
  EXPECT_EQ(printed("f32[]", "0.1"), "0.1");
  EXPECT_EQ(printed("f32[]", "0.100000001490116"), "0.1");
  EXPECT_EQ(printed("f64[]", "0.1"), "0.1");
  EXPECT_EQ(printed("f64[]", "5e-324"), "5e-324");
  EXPECT_EQ(printed("f32[]", "1e-45"), "1e-45");
  EXPECT_EQ(printed("f32[]", "3.40282347e+38"), "3.4028235e+38");
  EXPECT_EQ(printed("bf16[]", "3.3895e38"), "3.3895e+38");
  EXPECT_EQ(printed("f16[]", "65504"), "65500");
  EXPECT_EQ(printed("f16[3]", "{10, 2048, 1e-7}"), "{10, 2048, 1e-07}");
  EXPECT_EQ(printed("f8e5m2[]", "0.12"), "0.12");
  EXPECT_EQ(bits_of("f8e5m2", "0.12"), bits_of("f8e5m2", "0.125"));
  EXPECT_EQ(printed("f8e8m0fnu[]", "2"), "2");
  EXPECT_EQ(printed("f4e2m1fn[2]", "{6, -0.5}"), "{6, -0.5}");
  // Digits beyond 64 bits would not read as a number again.
  EXPECT_EQ(printed("f64[]", "98765432109876543210"), "9.876543210987654e+19");
  EXPECT_EQ(printed("f64[]", "1e400"), "E0103 1e400 is out of range for f64");
  EXPECT_EQ(printed("f64[]", "-1e-400"), "-0.0");
}

// Every bit pattern of a float type of at most 16 bits.
void expect_all_patterns_round_trip(DType dtype) {
  const auto size = static_cast<size_t>(dtype_bytes(dtype));
  const int64_t patterns = int64_t{1} << dtype_bits(dtype);
  Literal all(Shape::array(dtype, {patterns}));
  for (int64_t pattern = 0; pattern < patterns; ++pattern) {
    std::memcpy(all.mutable_bytes().data() + static_cast<size_t>(pattern) * size, &pattern, size);
  }
  const Parsed parsed = parse_constant(to_string(all.shape()), to_string(all));
  ASSERT_NE(parsed.module, nullptr) << parsed.diagnostics.render();
  EXPECT_TRUE(parsed.at("c").literal.same_value(all)) << dtype_name(dtype);
}

TEST(Literal, EverySmallFloatRoundTrips) {
#define DTYPE(enumerator, hlo_name, dtype_class, bits, cuda) DType::enumerator,
  constexpr DType kDTypes[] = {
#include "ir/values/dtype.def"
  };
#undef DTYPE
  for (const DType dtype : kDTypes) {
    if (is_float(dtype) && dtype_bits(dtype) <= 16) expect_all_patterns_round_trip(dtype);
  }
}

TEST(Literal, ManyFloatsRoundTrip) {
  constexpr size_t kCount = 20000;
  Literal singles(Shape::array(DType::kF32, {kCount})), doubles(Shape::array(DType::kF64, {kCount}));
  uint64_t state = 88172645463325252u;  // xorshift64
  for (size_t i = 0; i < kCount; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    singles.mutable_values<uint32_t>()[i] = static_cast<uint32_t>(state >> 32);
    doubles.mutable_values<uint64_t>()[i] = state;
  }
  for (const Literal& literal : {singles, doubles}) {
    const Parsed parsed = parse_constant(to_string(literal.shape()), to_string(literal));
    ASSERT_NE(parsed.module, nullptr) << parsed.diagnostics.render();
    EXPECT_TRUE(parsed.at("c").literal.same_value(literal));
  }
}

TEST(Literal, NotANumber) {
  EXPECT_EQ(bits_of("f32", "nan"), 0x7fc00000u);
  EXPECT_EQ(bits_of("f32", "-nan"), 0xffc00000u);
  EXPECT_EQ(bits_of("f32", "nan(0x1)"), 0x7f800001u);
  EXPECT_EQ(bits_of("f32", "-nan(0x7fffff)"), 0xffffffffu);
  EXPECT_EQ(bits_of("bf16", "nan(0x41)"), 0x7fc1u);
  EXPECT_EQ(bits_of("f64", "nan(0x8000000000001)"), 0x7ff8000000000001u);
  EXPECT_EQ(bits_of("f8e4m3fn", "-nan"), 0xffu);
  EXPECT_EQ(bits_of("f8e5m2fnuz", "nan"), 0x80u);
  EXPECT_EQ(printed("f32[2]", "{nan(0x400000), -nan(0x200000)}"), "{nan, -nan(0x200000)}");
  EXPECT_EQ(printed("c64[]", "(nan(0x1), -nan)"), "(nan(0x1), -nan)");
  EXPECT_EQ(printed("f32[]", "nan(0x800000)"), "E0112 f32 has no NaN with this payload");
  EXPECT_EQ(printed("f32[]", "nan(0x0)"), "E0112 f32 has no NaN with this payload");
  EXPECT_EQ(printed("f8e4m3fn[]", "nan(0x1)"), "E0112 f8e4m3fn has no NaN with this payload");
  EXPECT_EQ(printed("f4e2m1fn[]", "nan"), "E0112 f4e2m1fn has no NaN");
  EXPECT_EQ(printed("f8e4m3fn[]", "-inf"), "E0112 f8e4m3fn has no infinity");
}

TEST(Literal, OutOfRange) {
  EXPECT_EQ(printed("f32[]", "1e39"), "E0103 1e39 is out of range for f32");
  EXPECT_EQ(printed("f16[]", "65520"), "E0103 65520 is out of range for f16");
  EXPECT_EQ(printed("f8e4m3fn[]", "1000"), "E0103 1000 is out of range for f8e4m3fn");
  EXPECT_EQ(printed("f4e2m1fn[]", "8"), "E0103 8 is out of range for f4e2m1fn");
  EXPECT_EQ(printed("f8e8m0fnu[]", "0"), "E0103 0 is out of range for f8e8m0fnu");
}

TEST(Literal, WrongKind) {
  EXPECT_EQ(printed("s32[]", "1.5"), "E0112 '1.5' is not an integer, and the constant is s32");
  EXPECT_EQ(printed("s32[]", "true"), "E0112 'true' is not an integer, and the constant is s32");
  EXPECT_EQ(printed("f32[]", "true"), "E0112 only pred constants are true or false, and the constant is f32");
  EXPECT_EQ(printed("pred[]", "2"), "E0112 a pred is true, false, 1 or 0, not 2");
  EXPECT_EQ(printed("f32[]", "0x1p3"), "E0112 HLO text has no hexadecimal numbers: write it in decimal");
  EXPECT_EQ(printed("c64[]", "1"), "E0104 expected a complex number (re, im), found '1'");
}

TEST(Literal, WrongNesting) {
  EXPECT_EQ(printed("f32[2]", "1"),
            "E0111 expected '{': the constant needs 1 levels of braces for f32[2], this is level 1");
  EXPECT_EQ(printed("f32[2,2]", "{1, 2}"),
            "E0111 expected '{': the constant needs 2 levels of braces for f32[2,2], this is level 2");
  EXPECT_EQ(printed("f32[2]", "{{1, 2}}"), "E0111 the braces nest deeper than the 1 dimensions of f32[2]");
  EXPECT_EQ(printed("f32[2]", "{1}"), "E0111 dimension 0 of f32[2] has 2 elements, the constant only 1 here");
  EXPECT_EQ(printed("f32[2]", "{1,2,3}"), "E0111 dimension 0 of f32[2] has 2 elements, the constant has more here");
  EXPECT_EQ(printed("f32[0]", "{1}"), "E0111 f32[0] has no elements: write {}");
  EXPECT_EQ(printed("(f32[], f32[])", "(1)"), "E0111 the constant has 1 elements, its shape (f32[], f32[]) has 2");
  EXPECT_EQ(printed("(f32[])", "(1, 2)"), "E0111 the constant has more than the 1 elements of its shape (f32[])");
  EXPECT_EQ(printed("f32[2]", "{1, ...}"), "E0111 '...' stands for a whole constant only: {...}");
  EXPECT_EQ(printed("f32[?]", "{1}"), "E0111 a constant needs a static shape, not f32[?]");
}

TEST(Literal, MemoryGrowsWithTheTextOnly) {
  EXPECT_EQ(printed("s8[70368744177664]", "{1, 2}"),
            "E0111 dimension 0 of s8[70368744177664] has 70368744177664 elements, the constant only 2 here");
  EXPECT_EQ(printed("s8[70368744177664]", "{...}"), "{...}");
  EXPECT_EQ(printed("(s8[70368744177664])", "{...}"), "{...}");
}

TEST(Literal, Elided) {
  const std::string text = "ENTRY e {\n  a = f32[20] constant({...})\n  ROOT b = f32[20] constant({...})\n}\n";
  const Parsed parsed(text);
  ASSERT_NE(parsed.module, nullptr);
  EXPECT_TRUE(parsed.at("a").literal.is_elided());
  ASSERT_EQ(parsed.diagnostics.all().size(), 1u);
  EXPECT_EQ(parsed.diagnostics.all()[0].code, "W0103");
  EXPECT_EQ(parsed.diagnostics.all()[0].message, "2 constants are printed as {...}, without values");
  EXPECT_EQ(line_column(parsed.source, parsed.diagnostics.all()[0].loc).line, 2);
  expect_round_trip(text);

  const Parsed full("ENTRY e { ROOT a = s32[11] constant({1,2,3,4,5,6,7,8,9,10,11}) }");
  EXPECT_EQ(print(full.at("a"), {.large_constants = false}), "ROOT %a = s32[11] constant({...})");
}

}  // namespace
}  // namespace sinter
