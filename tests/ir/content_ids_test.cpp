// Instructions of two modules have one number where they, and what is around them, are the same.
#include "ir/text/content_ids.h"

#include <gtest/gtest.h>

#include <string>

#include "frontend/hlo/parse_hlo.h"

namespace sinter {
namespace {

std::string program(const std::string& constant, const std::string& combiner) {
  return R"(
HloModule program
combiner {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT both = f32[] )" +
         combiner + R"((a, b)
}
ENTRY main {
  x = f32[8] parameter(0)
  zero = f32[] constant()" +
         constant + R"()
  sine = f32[8] sine(x)
  square = f32[8] multiply(sine, sine)
  negative = f32[8] negate(square)
  cosine = f32[8] cosine(negative)
  ROOT sum = f32[] reduce(cosine, zero), dimensions={0}, to_apply=combiner
}
)";
}

class ContentIdsTest : public testing::Test {
 protected:
  static std::unique_ptr<Module> parse(const std::string& text) {
    const Source source{.name = "program.hlo", .text = text};
    Diagnostics diagnostics(source);
    return parse_hlo(diagnostics);
  }
  static const Instruction* find(const Module& module, const std::string& name) {
    for (const Instruction& instruction : module.entry()->instructions()) {
      if (instruction.name == name) return &instruction;
    }
    return nullptr;
  }
  // Whether the instruction of that name has one number in both.
  static bool is_same(const Module& a, const Module& b, const std::string& name) {
    const ContentIds of_a(a), of_b(b);
    const uint64_t id = of_a.of(find(a, name));
    EXPECT_NE(id, 0u);
    EXPECT_EQ(of_a.with(id), find(a, name));
    return id == of_b.of(find(b, name)) && of_b.with(id) == find(b, name);
  }
};

TEST_F(ContentIdsTest, AllOfACopyIsTheSame) {
  const std::unique_ptr<Module> module = parse(program("0", "add"));
  ASSERT_TRUE(module);
  const std::unique_ptr<Module> copy = module->clone();
  for (const Instruction& instruction : module->entry()->instructions())
    EXPECT_TRUE(is_same(*module, *copy, instruction.name)) << instruction.name;
}

TEST_F(ContentIdsTest, OtherValuesAndFunctionsCountAsFarAsTheyAreNear) {
  const std::unique_ptr<Module> module = parse(program("0", "add"));
  for (const auto& other : {parse(program("1", "add")), parse(program("0", "maximum"))}) {
    ASSERT_TRUE(module && other);
    EXPECT_FALSE(is_same(*module, *other, "sum"));
    EXPECT_FALSE(is_same(*module, *other, "cosine"));
    EXPECT_TRUE(is_same(*module, *other, "sine"));
    EXPECT_TRUE(is_same(*module, *other, "x"));
  }
}

TEST_F(ContentIdsTest, WhatIsInNoModuleHasNone) {
  const std::unique_ptr<Module> module = parse(program("0", "add")), other = parse(program("0", "add"));
  const ContentIds ids(*module);
  EXPECT_EQ(ids.of(other->entry()->root()), 0u);
  EXPECT_EQ(ids.with(1), nullptr);
}

}  // namespace
}  // namespace sinter
