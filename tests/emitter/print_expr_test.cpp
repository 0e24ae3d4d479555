// Expressions: parentheses by precedence and by what compilers warn about, and where long ones are broken.
#include "emitter/kernels/print_expr.h"

#include <gtest/gtest.h>

#include "ir/support/diagnostics.h"

namespace sinter {
namespace {

class PrintExpr : public ::testing::Test {
 protected:
  const Expr* name(const std::string& text) { return kernel_.name_expr(text, f32_); }
  const Expr* infix(const Expr* left, const std::string& op, const Expr* right) {
    return kernel_.infix(left, op, right, f32_);
  }
  const Expr* prefix(const std::string& op, const Expr* operand) { return kernel_.prefix(op, operand, f32_); }
  const Expr* real(double value) { return kernel_.literal(real_literal(DType::kF32, value)); }
  std::string flat(const Expr* expr) { return printer_.flat(*expr); }

  Kernel kernel_;
  ExprPrinter printer_;
  CType f32_ = CType::value(DType::kF32);
  const Expr* a_ = name("a");
  const Expr* b_ = name("b");
  const Expr* c_ = name("c");
};

TEST_F(PrintExpr, ParenthesesByPrecedence) {
  EXPECT_EQ(flat(infix(infix(a_, "*", b_), "+", c_)), "a * b + c");
  EXPECT_EQ(flat(infix(infix(a_, "+", b_), "*", c_)), "(a + b) * c");
  EXPECT_EQ(flat(infix(a_, "-", infix(b_, "-", c_))), "a - (b - c)");
  EXPECT_EQ(flat(infix(infix(a_, "-", b_), "-", c_)), "a - b - c");
  EXPECT_EQ(flat(infix(a_, "+", infix(b_, "+", c_))), "a + (b + c)");
  EXPECT_EQ(flat(infix(a_, "/", infix(b_, "*", c_))), "a / (b * c)");
  EXPECT_EQ(flat(infix(infix(a_, "%", b_), "*", c_)), "a % b * c");
  EXPECT_EQ(flat(infix(a_, "&&", infix(b_, "&&", c_))), "a && b && c");
}

TEST_F(PrintExpr, ParenthesesThatCompilersAskFor) {
  EXPECT_EQ(flat(infix(infix(a_, "&&", b_), "||", c_)), "(a && b) || c");
  EXPECT_EQ(flat(infix(a_, "<<", infix(b_, "+", c_))), "a << (b + c)");
  EXPECT_EQ(flat(infix(infix(a_, "+", b_), "&", c_)), "(a + b) & c");
  EXPECT_EQ(flat(infix(infix(a_, "<", b_), "|", c_)), "(a < b) | c");
  EXPECT_EQ(flat(infix(infix(a_, "&", b_), "==", c_)), "(a & b) == c");
  EXPECT_EQ(flat(infix(infix(a_, "<<", b_), "|", infix(a_, ">>", c_))), "(a << b) | (a >> c)");
  EXPECT_EQ(flat(infix(prefix("!", a_), "==", b_)), "(!a) == b");
  EXPECT_EQ(flat(infix(prefix("!", a_), "&&", b_)), "!a && b");
  EXPECT_EQ(flat(infix(infix(a_, "<", b_), "==", c_)), "(a < b) == c");
  EXPECT_EQ(flat(infix(infix(a_, ">", b_), "||", infix(b_, ">", c_))), "a > b || b > c");
  EXPECT_EQ(flat(kernel_.conditional(infix(a_, "&", b_), b_, c_)), "(a & b) ? b : c");
}

TEST_F(PrintExpr, SignsDoNotMeet) {
  EXPECT_EQ(flat(prefix("-", prefix("-", a_))), "-(-a)");
  EXPECT_EQ(flat(prefix("-", real(-1))), "-(-1.0f)");
  EXPECT_EQ(flat(infix(a_, "-", real(-1))), "a - -1.0f");
  EXPECT_EQ(flat(prefix("!", prefix("-", a_))), "!-a");
  const Expr* lowest = kernel_.literal(integer_literal(DType::kS32, INT32_MIN));
  EXPECT_EQ(flat(infix(a_, "*", lowest)), "a * INT32_MIN");
  EXPECT_EQ(flat(infix(a_, "<", lowest)), "a < INT32_MIN");
}

TEST_F(PrintExpr, Conditionals) {
  const Expr* inner = kernel_.conditional(a_, b_, c_);
  EXPECT_EQ(flat(kernel_.conditional(a_, b_, inner)), "a ? b : (a ? b : c)");
  EXPECT_EQ(flat(kernel_.conditional(a_, inner, c_)), "a ? (a ? b : c) : c");
  EXPECT_EQ(flat(infix(inner, "+", b_)), "(a ? b : c) + b");
  EXPECT_EQ(flat(kernel_.conditional(infix(a_, "==", b_), real(10), real(-10))), "a == b ? 10.0f : -10.0f");
}

TEST_F(PrintExpr, PrimaryForms) {
  EXPECT_EQ(flat(kernel_.call("fmaf", {a_, infix(b_, "+", c_), real(0.5)}, f32_)), "fmaf(a, b + c, 0.5f)");
  EXPECT_EQ(flat(kernel_.subscript(a_, infix(b_, "+", c_), f32_)), "a[b + c]");
  EXPECT_EQ(flat(kernel_.subscript(infix(a_, "+", b_), c_, f32_)), "(a + b)[c]");
  EXPECT_EQ(flat(kernel_.member(a_, "real", f32_)), "a.real");
  EXPECT_EQ(flat(kernel_.cast(CType::value(DType::kS64), infix(a_, "+", b_))), "int64_t(a + b)");
  EXPECT_EQ(flat(kernel_.cast(CType::value(DType::kC64), a_)), "static_cast<Complex<float>>(a)");
  EXPECT_EQ(flat(kernel_.call("f", {kernel_.literal(integer_literal(DType::kS64, 1))}, f32_)), "f(int64_t(1))");
  EXPECT_EQ(flat(kernel_.call("f", {kernel_.braces({a_, b_}, CType::value(DType::kC64))}, f32_)),
            "f(Complex<float>{a, b})");
  EXPECT_EQ(printer_.flat_initializer(*kernel_.braces({a_, b_}, CType::value(DType::kC64))), "{a, b}");
  EXPECT_EQ(flat(kernel_.integer(INT64_MIN)), "-9223372036854775807 - 1");
}

TEST_F(PrintExpr, HeadersOfLiteralsAreNoted) {
  flat(kernel_.literal(real_literal(DType::kBF16, 1)));
  EXPECT_EQ(printer_.headers(), std::set<std::string>{"device/half.cuh"});
}

TEST_F(PrintExpr, UnknownOperatorsAreOurBug) { EXPECT_THROW(flat(infix(a_, "<=>", b_)), InternalError); }

TEST_F(PrintExpr, DeepExpressionsAreRefused) {
  const Expr* deep = a_;
  for (int i = 0; i < 100000; ++i) deep = prefix("-", deep);
  EXPECT_THROW(flat(deep), InternalError);
}

}  // namespace
}  // namespace sinter
