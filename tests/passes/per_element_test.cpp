// Per-element functions: what is one, and which of them are the same function on scalars.
#include "passes/analysis/functions/per_element.h"

#include <gtest/gtest.h>

#include "tests/passes/parse_module.h"

namespace sinter {
namespace {

// The entry computation of a module with this body.
struct Function {
  explicit Function(const std::string& body) : module(parse_module("HloModule m\nENTRY f {\n" + body + "\n}\n")) {}
  const Computation& computation() const { return *module->entry(); }
  std::unique_ptr<Module> module;
};

TEST(PerElement, ElementwiseOperationsAndSpreadScalars) {
  const Function function(R"(
    k = f32[] parameter(0)
    x = f32[4,2] parameter(1)
    ks = f32[4,2] broadcast(k), dimensions={}
    s = f32[4,2] add(x, ks)
    flat = f32[8] reshape(s)
    c = pred[8] compare(flat, flat), direction=GT
    ROOT t = (f32[8], pred[8]) tuple(flat, c))");
  EXPECT_TRUE(is_per_element(function.computation()));
  EXPECT_EQ(count_operations(function.computation()), 2);
}

TEST(PerElement, WhatMovesElementsIsNot) {
  for (const char* body : {
           "x = f32[4] parameter(0)\nROOT r = f32[4] reverse(x), dimensions={0}",
           "x = f32[4] parameter(0)\nROOT r = f32[4,4] broadcast(x), dimensions={0}",
           "x = f32[4,4] parameter(0)\nROOT r = f32[4,4] transpose(x), dimensions={1,0}",
           "x = f32[4] parameter(0)\nROOT r = f32[2] slice(x), slice={[0:2]}",
           "ROOT r = f32[4] iota(), iota_dimension=0",
           "ROOT r = f32[2] constant({1, 2})",
           "x = f32[0] parameter(0)\nROOT r = f32[0] negate(x)",
           "x = f32[2] parameter(0)\nROOT r = s16[2,2] bitcast-convert(x)",
       }) {
    EXPECT_FALSE(is_per_element(Function(body).computation())) << body;
  }
}

TEST(PerElement, ResultsAllHaveTheCommonNumberOfElements) {
  const Function function(R"(
    x = f32[4] parameter(0)
    k = f32[] parameter(1)
    n = f32[4] negate(x)
    m = f32[] negate(k)
    ROOT t = (f32[4], f32[]) tuple(n, m))");
  EXPECT_FALSE(is_per_element(function.computation()));
}

TEST(PerElement, SignatureHasNoShapes) {
  // Names and shapes differ, a constant is written twice, a scalar comes by reshape.
  const Function many(R"(
    k = u32[] parameter(0)
    x = u32[4,2] parameter(1)
    ks = u32[4,2] broadcast(k), dimensions={}
    c = u32[] constant(5)
    cs = u32[4,2] broadcast(c), dimensions={}
    s = u32[4,2] add(x, ks)
    t = u32[4,2] shift-left(s, cs)
    ROOT r = u32[4,2] multiply(t, cs))");
  const Function one(R"(
    key = u32[] parameter(0)
    y = u32[1] parameter(1)
    ks = u32[1] reshape(key)
    c = u32[1] constant({5})
    d = u32[1] constant({5})
    s = u32[1] add(y, ks)
    t = u32[1] shift-left(s, c)
    ROOT r = u32[1] multiply(t, d))");
  EXPECT_EQ(scalar_signature(many.computation()), scalar_signature(one.computation()));
}

TEST(PerElement, SignatureHasEverythingElse) {
  const std::vector<std::string> bodies = {
      "x = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT r = f32[] subtract(x, y)",
      "x = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT r = f32[] subtract(y, x)",
      "x = f16[] parameter(0)\ny = f16[] parameter(1)\nROOT r = f16[] subtract(x, y)",
      "x = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT r = f32[] subtract(x, x)",
      "x = f32[] parameter(0)\nc = f32[] constant(0)\nROOT r = f32[] subtract(x, c)",
      "x = f32[] parameter(0)\nc = f32[] constant(-0.0)\nROOT r = f32[] subtract(x, c)",
      "x = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT r = pred[] compare(x, y), direction=GT",
      "x = f32[] parameter(0)\ny = f32[] parameter(1)\nROOT r = pred[] compare(x, y), direction=LT",
      "x = f32[] parameter(0)\nROOT r = f32[] reduce-precision(x), exponent_bits=5, mantissa_bits=10",
      "x = f32[] parameter(0)\nROOT r = f32[] reduce-precision(x), exponent_bits=8, mantissa_bits=7",
      "x = f32[] parameter(0)\nn = f32[] negate(x)\nROOT t = (f32[], f32[]) tuple(n, x)",
      "x = f32[] parameter(0)\nn = f32[] negate(x)\nROOT t = (f32[], f32[]) tuple(x, n)",
  };
  std::set<std::string> signatures;
  for (const std::string& body : bodies) signatures.insert(scalar_signature(Function(body).computation()));
  EXPECT_EQ(signatures.size(), bodies.size());
}

}  // namespace
}  // namespace sinter
