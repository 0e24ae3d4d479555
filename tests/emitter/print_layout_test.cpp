// Long statements: random ones stay as they are under clang-format, keep their tokens, and keep to the width.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "emitter/kernels/print_statements.h"
#include "tests/emitter/clang_format.h"

namespace sinter {
namespace {

class Layout : public ::testing::TestWithParam<int> {
 protected:
  int draw(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }

  const Expr* leaf() {
    static const char* const kNames[] = {"x",      "div_1",      "next_0",    "state_3", "row",
                                         "cosine", "threefry_x", "probs_sum", "k",       "attention_weights"};
    switch (draw(5)) {
      case 0:
        return kernel_.literal(real_literal(DType::kF32, draw(1000) / 64.0 - 4));
      case 1:
        return kernel_.subscript(kernel_.name_expr("table"), kernel_.name_expr(kNames[draw(10)]), f32_);
      default:
        return kernel_.name_expr(kNames[draw(10)]);
    }
  }

  // Drawn one after the other: C++ leaves the order of a call's arguments open.
  const Expr* conditional(int depth) {
    const Expr* condition = expression(depth - 1);
    const Expr* first = expression(depth - 1);
    return kernel_.conditional(condition, first, expression(depth - 1));
  }
  const Expr* infix(int depth) {
    static const char* const kOps[] = {"+", "-", "*", "/", "+", "*", "<", "&&", "||", "==", "&"};
    const Expr* left = expression(depth - 1);
    const char* op = kOps[draw(11)];
    return kernel_.infix(left, op, expression(depth - 1), f32_);
  }

  const Expr* expression(int depth) {
    if (depth == 0) return leaf();
    switch (draw(8)) {
      case 0: {
        const char* op = draw(4) == 0 ? "!" : "-";
        return kernel_.prefix(op, expression(depth - 1), f32_);
      }
      case 1:
      case 2: {
        std::vector<const Expr*> arguments;
        const int count = 1 + draw(3);
        for (int i = 0; i < count; ++i) arguments.push_back(expression(depth - 1));
        return kernel_.call(draw(2) == 0 ? "fmaf" : "block_reduce<kThreads>", arguments, f32_);
      }
      case 3:
        return conditional(depth);
      default:
        return infix(depth);
    }
  }

  Statement statement(int depth) {
    Statement result;
    result.value = expression(depth);
    switch (draw(5)) {
      case 0:
        result.kind = Statement::Kind::kReturn;
        break;
      case 1:
        result.kind = Statement::Kind::kAssign;
        result.target = kernel_.subscript(kernel_.name_expr("output"), leaf(), f32_);
        result.text = draw(2) == 0 ? "=" : "+=";
        break;
      case 2: {
        result.kind = Statement::Kind::kIf;
        result.body.push_back({.kind = Statement::Kind::kBreak});
        break;
      }
      default:
        result.kind = Statement::Kind::kLet;
        result.variable = kernel_.variable("value_" + std::to_string(draw(1000)), f32_);
        break;
    }
    return result;
  }

  std::mt19937_64 random_;
  Kernel kernel_;
  CType f32_ = CType::value(DType::kF32);
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

TEST_P(Layout, ClangFormatLeavesItAsItIs) {
  random_.seed(static_cast<unsigned>(GetParam()));
  ExprPrinter printer;
  std::string text = "void f() {\n";
  for (int i = 0; i < 60; ++i) {
    Block block = {statement(2 + i % 3)};
    const std::string one = print_block(block, 2, printer);
    if (block[0].kind == Statement::Kind::kReturn) {
      EXPECT_EQ(without_blanks(one), without_blanks("return " + printer.flat_initializer(*block[0].value) + ";"));
    }
    text += one;
  }
  text += "}\n";
  const std::string formatted = clang_formatted(text);
  EXPECT_EQ(formatted, text);
  int wide = 0;
  for (const std::string& line : lines_of(text)) wide += line.size() > 100;
  EXPECT_LE(wide, 12);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Layout, ::testing::Range(0, 48));

}  // namespace
}  // namespace sinter
