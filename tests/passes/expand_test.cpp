// Graph passes that expand an operation into many: after the pipeline none of it is left but what has a stage of its
// own, and the evaluator finds the same values as before, integers bit for bit, others up to rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "ir/evaluate/evaluate.h"
#include "passes/graph/pipeline.h"
#include "passes/stages/stage_kind.h"
#include "tests/passes/parse_module.h"

namespace sinter {
namespace {

// Numbers between -2 and 2 without a pattern.
double input_value(int64_t i) { return std::sin(static_cast<double>(i * i % 101 + 3 * i) * 0.7) * 2; }

Literal input(const Shape& shape) {
  Literal literal(shape);
  if (shape.dtype == DType::kC64) {
    int64_t i = 0;
    for (std::complex<float>& value : literal.mutable_values<std::complex<float>>()) {
      value = {static_cast<float>(input_value(i)), static_cast<float>(input_value(i + 1))};
      i += 2;
    }
  } else if (shape.dtype == DType::kC128) {
    int64_t i = 0;
    for (std::complex<double>& value : literal.mutable_values<std::complex<double>>()) {
      value = {input_value(i), input_value(i + 1)};
      i += 2;
    }
  } else {
    for (int64_t i = 0; i < literal.element_count(); ++i) {
      if (is_float(shape.dtype))
        literal.set_real(i, input_value(i));
      else
        literal.set_integer(i, 0x123456789ABCDEF * (i + 1));
    }
  }
  return literal;
}

std::optional<Literal> value_of(const Module& module) {
  const Source source;
  Diagnostics diagnostics(source);
  EXPECT_TRUE(check_evaluable(module, diagnostics)) << diagnostics.render();
  std::vector<Literal> arguments;
  for (const Instruction* parameter : module.entry()->parameters()) arguments.push_back(input(parameter->shape));
  std::optional<Literal> value = evaluate(module, arguments, diagnostics);
  EXPECT_TRUE(value.has_value()) << diagnostics.render();
  return value;
}

std::vector<double> reals(const Literal& literal) {
  std::vector<double> result;
  if (literal.shape().dtype == DType::kC64) {
    for (const std::complex<float> value : literal.values<std::complex<float>>()) {
      result.insert(result.end(), {value.real(), value.imag()});
    }
  } else if (literal.shape().dtype == DType::kC128) {
    for (const std::complex<double> value : literal.values<std::complex<double>>()) {
      result.insert(result.end(), {value.real(), value.imag()});
    }
  } else {
    for (int64_t i = 0; i < literal.element_count(); ++i) result.push_back(literal.real_at(i));
  }
  return result;
}

void expect_close(const Literal& got, const Literal& expected) {
  ASSERT_TRUE(got.shape().same_type(expected.shape()));
  if (got.shape().is_tuple()) {
    for (size_t i = 0; i < got.elements().size(); ++i) expect_close(got.elements()[i], expected.elements()[i]);
    return;
  }
  const DType dtype = got.shape().dtype;
  if (is_integer(dtype) || dtype == DType::kPred) {
    EXPECT_TRUE(got.same_value(expected));
    return;
  }
  const std::vector<double> a = reals(got);
  const std::vector<double> b = reals(expected);
  double largest = 1;
  for (const double value : b) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  const double tolerance = dtype == DType::kF64 || dtype == DType::kC128 ? 1e-13 : dtype == DType::kBF16 ? 1e-2 : 2e-6;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    ASSERT_NEAR(a[i], b[i], tolerance * largest) << "element " << i;
  }
}

void expect_expanded(const std::string& text, std::initializer_list<Opcode> gone) {
  SCOPED_TRACE(text);
  const std::unique_ptr<Module> before = parse_module(text);
  ASSERT_NE(before, nullptr);
  const std::unique_ptr<Module> after = before->clone();
  run_graph_passes(*after, GraphPassOptions());
  for (const auto& computation : after->computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      for (const Opcode opcode : gone) EXPECT_TRUE(instruction.opcode != opcode || own_kind(instruction) != nullptr);
    }
  }
  const std::optional<Literal> expected = value_of(*before);
  const std::optional<Literal> value = value_of(*after);
  if (expected && value) expect_close(*value, *expected);
}

std::string entry(const std::string& lines) { return "HloModule test\nENTRY main {\n" + lines + "\n}\n"; }

TEST(ExpandRandom, HasTheEvaluatorsBits) {
  const auto generator = [](const std::string& state, const std::string& bits, const std::string& algorithm) {
    return entry("  s = u64[" + state + "] parameter(0)\n  ROOT r = (u64[" + state + "], " + bits +
                 ") rng-bit-generator(s), algorithm=" + algorithm);
  };
  for (const std::string bits : {"u32[7,3]", "u32[2,6]", "u64[5,3]", "u8[10]", "s32[]", "u16[3,6,5]", "u32[0,4]"}) {
    expect_expanded(generator("2", bits, "rng_three_fry"), {Opcode::kRngBitGenerator});
    expect_expanded(generator("2", bits, "rng_philox"), {Opcode::kRngBitGenerator});
    expect_expanded(generator("3", bits, "rng_default"), {Opcode::kRngBitGenerator});
  }
}

TEST(ExpandRng, DrawsWhatTheEvaluatorDraws) {
  const auto draw = [](const std::string& type, const std::string& distribution) {
    return entry("  a = " + type + "[] constant(-3)\n  b = " + type + "[] constant(5)\n  ROOT r = " + type +
                 "[40,3] rng(a, b), distribution=" + distribution);
  };
  for (const std::string type : {"f32", "f64", "bf16", "s32", "s8", "s64"}) {
    expect_expanded(draw(type, "rng_uniform"), {Opcode::kRng, Opcode::kRngBitGenerator});
  }
  for (const std::string type : {"f32", "f64"}) expect_expanded(draw(type, "rng_normal"), {Opcode::kRng});
}

// In loops, in loops within them and in branches, in the order of the text.
TEST(ExpandRng, DrawsAnewEachTime) {
  expect_expanded(R"(HloModule test
draws {
  x = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(x), index=0
  y = f32[4] get-tuple-element(x), index=1
  zero = f32[] constant(0)
  one = f32[] constant(1)
  r = f32[4] rng(zero, one), distribution=rng_normal
  ROOT t = (s32[], f32[4]) tuple(i, r)
}
keeps {
  ROOT x = (s32[], f32[4]) parameter(0)
}
inner_body {
  t = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  x = f32[4] get-tuple-element(t), index=1
  one_i = s32[] constant(1)
  j = s32[] add(i, one_i)
  zero = f32[] constant(0)
  one = f32[] constant(1)
  r = f32[4] rng(zero, one), distribution=rng_uniform
  y = f32[4] subtract(r, x)
  ROOT u = (s32[], f32[4]) tuple(j, y)
}
inner_condition {
  t = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  n = s32[] constant(3)
  ROOT r = pred[] compare(i, n), direction=LT
}
body {
  t = (s32[], (s32[], f32[4])) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  u = (s32[], f32[4]) get-tuple-element(t), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  p = pred[] compare(i, one), direction=EQ
  c = (s32[], f32[4]) conditional(p, u, u), true_computation=draws, false_computation=keeps
  ci = s32[] get-tuple-element(c), index=0
  cx = f32[4] get-tuple-element(c), index=1
  zero = s32[] constant(0)
  v = (s32[], f32[4]) tuple(zero, cx)
  w = (s32[], f32[4]) while(v), condition=inner_condition, body=inner_body
  ROOT r = (s32[], (s32[], f32[4])) tuple(j, w)
}
condition {
  t = (s32[], (s32[], f32[4])) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  n = s32[] constant(4)
  ROOT r = pred[] compare(i, n), direction=LT
}
ENTRY main {
  x = f32[4] parameter(0)
  zero = s32[] constant(0)
  v = (s32[], f32[4]) tuple(zero, x)
  t = (s32[], (s32[], f32[4])) tuple(zero, v)
  w = (s32[], (s32[], f32[4])) while(t), condition=condition, body=body
  u = (s32[], f32[4]) get-tuple-element(w), index=1
  y = f32[4] get-tuple-element(u), index=1
  s = u64[2] rng-get-and-update-state(), delta=1
  ROOT r = (f32[4], u64[2]) tuple(y, s)
}
)",
                  {Opcode::kRng, Opcode::kRngGetAndUpdateState});
}

TEST(ExpandFft, AllTypesAndKindsOfLengths) {
  struct Case {
    std::string type, from, to, lengths;
  };
  const std::vector<Case> cases = {
      {"FFT", "c64[3,512]", "c64[3,512]", "512"},  // one block
      {"FFT", "c64[8192]", "c64[8192]", "8192"},   // two passes
      {"IFFT", "c64[2,60]", "c64[2,60]", "60"},
      {"FFT", "c128[2,131]", "c128[2,131]", "131"},  // a convolution
      {"IFFT", "c64[137]", "c64[137]", "137"},       // its inverse
      {"RFFT", "f32[2,97]", "c64[2,49]", "97"},      // a prime length
      {"RFFT", "f64[3,262]", "c128[3,132]", "262"},  // a large prime factor
      {"IRFFT", "c64[2,257]", "f32[2,512]", "512"},
      {"IRFFT", "c64[4,5]", "f32[4,9]", "9"},            // an odd length
      {"IRFFT", "c128[2,4,17]", "f64[2,4,32]", "4,32"},  // two dimensions
      {"RFFT", "f32[4,6,8]", "c64[4,6,5]", "6,8"},
      {"FFT", "c64[6,5,4]", "c64[6,5,4]", "6,5,4"},
      {"FFT", "c64[1]", "c64[1]", "1"},
      {"IRFFT", "c64[2,1]", "f32[2,1]", "1"},
      {"FFT", "c64[2,0]", "c64[2,0]", "0"},
  };
  for (const Case& c : cases) {
    expect_expanded(entry("  x = " + c.from + " parameter(0)\n  ROOT y = " + c.to + " fft(x), fft_type=" + c.type +
                          ", fft_length={" + c.lengths + "}"),
                    {Opcode::kFft});
  }
}

TEST(ExpandCollectives, AreIdentitiesOnOneDevice) {
  const std::string sum =
      "HloModule test\nsum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
      "  ROOT s = f32[] add(a, b)\n}\n";
  const auto program = [&](const std::string& lines) {
    return sum + "ENTRY main {\n  x = f32[4,2] parameter(0)\n  y = f32[4,2] parameter(1)\n" + lines + "\n}\n";
  };
  expect_expanded(program("  ROOT r = (f32[4,2], f32[4,2]) all-reduce(x, y), to_apply=sum"), {Opcode::kAllReduce});
  expect_expanded(program("  s = f32[4,2] all-reduce-start(x), to_apply=sum\n  ROOT r = f32[4,2] all-reduce-done(s)"),
                  {Opcode::kAllReduceStart, Opcode::kAllReduceDone});
  expect_expanded(program("  s = (f32[4,2], f32[4,2]) all-gather-start(x), dimensions={0}\n"
                          "  ROOT r = f32[4,2] all-gather-done(s)"),
                  {Opcode::kAllGatherStart, Opcode::kAllGatherDone});
  expect_expanded(program("  ROOT r = f32[4,2] reduce-scatter(x), dimensions={0}, to_apply=sum"),
                  {Opcode::kReduceScatter});
  expect_expanded(program("  ROOT r = f32[4,2] all-to-all(x), dimensions={1}"), {Opcode::kAllToAll});
  expect_expanded(program("  ROOT r = f32[4,2] collective-permute(x), source_target_pairs={{0,0}}"),
                  {Opcode::kCollectivePermute});
  expect_expanded(program("  ROOT r = f32[4,2] collective-permute(x), source_target_pairs={{0,1}}"),
                  {Opcode::kCollectivePermute});
  expect_expanded(program("  s = (f32[4,2], f32[4,2], u32[], u32[]) collective-permute-start(x), "
                          "source_target_pairs={{0,1}}\n  ROOT r = f32[4,2] collective-permute-done(s)"),
                  {Opcode::kCollectivePermuteStart, Opcode::kCollectivePermuteDone});
  expect_expanded(program("  i = u32[] partition-id()\n  j = u32[] replica-id()\n  ROOT r = u32[] add(i, j)"),
                  {Opcode::kPartitionId, Opcode::kReplicaId});
  const auto segments = [&](int from, int count, int to) {
    const auto number = [](const char* name, int value) {
      return std::string("  ") + name + " = s32[1] constant({" + std::to_string(value) + "})\n";
    };
    return number("from", from) + number("count", count) + number("to", to) +
           "  ROOT r = f32[4,2] ragged-all-to-all(x, y, from, count, to, count)";
  };
  expect_expanded(program(segments(1, 2, 0)), {Opcode::kRaggedAllToAll});
  expect_expanded(program(segments(0, 4, 0)), {Opcode::kRaggedAllToAll});
}

TEST(ExpandDots, Scaled) {
  const auto program = [](const std::string& a_scale, const std::string& b_scale) {
    return entry("  a = f8e4m3fn[2,4,8] parameter(0)\n  s = " + a_scale +
                 " parameter(1)\n  b = f8e4m3fn[2,8,3] "
                 "parameter(2)\n  t = " +
                 b_scale +
                 " parameter(3)\n  ROOT d = f32[2,4,3] scaled-dot(a, s, b, t), "
                 "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}");
  };
  expect_expanded(program("f32[2,4,2]", "f32[2,4,3]"), {Opcode::kScaledDot});
  expect_expanded(program("f32[]", "f32[1,1,1]"), {Opcode::kScaledDot});
}

TEST(ExpandDots, Ragged) {
  const std::string sizes = "  n = s32[3] constant({2, 0, 3})\n";
  // Rows beyond the last group are zero.
  expect_expanded(entry(sizes + "  a = f32[6,4] parameter(0)\n  b = f32[3,4,5] parameter(1)\n  ROOT d = f32[6,5] "
                                "ragged-dot(a, b, n), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
                                "lhs_ragged_dims={0}, rhs_group_dims={0}"),
                  {Opcode::kRaggedDot});
  expect_expanded(entry(sizes + "  a = f32[4,6] parameter(0)\n  b = f32[6,5] parameter(1)\n  ROOT d = f32[3,4,5] "
                                "ragged-dot(a, b, n), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
                                "lhs_ragged_dims={1}"),
                  {Opcode::kRaggedDot});
  // Batches, with sizes of their own; the ragged dimension comes after another free one.
  const std::string several = "  n = s32[2,2] constant({{1, 2}, {3, 0}})\n";
  expect_expanded(entry(several + "  a = f32[2,3,4] parameter(0)\n  b = f32[2,2,4,5] parameter(1)\n  ROOT d = "
                                  "f32[2,3,5] ragged-dot(a, b, n), lhs_batch_dims={0}, rhs_batch_dims={1}, "
                                  "lhs_contracting_dims={2}, rhs_contracting_dims={2}, lhs_ragged_dims={1}, "
                                  "rhs_group_dims={0}"),
                  {Opcode::kRaggedDot});
  expect_expanded(entry(sizes + "  a = f32[6,4] parameter(0)\n  b = f32[6,4,5] parameter(1)\n  ROOT d = f32[6,5] "
                                "ragged-dot(a, b, n), lhs_batch_dims={0}, rhs_batch_dims={0}, "
                                "lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}"),
                  {Opcode::kRaggedDot});
}

TEST(ExpandPowers, AreWithinABound) {
  for (const std::string type : {"f32[40]", "f64[40]"}) {
    for (const std::string exponent : {"0.5", "-0.5", "1.5", "-1.5", "2.5", "-2.5"}) {
      const std::string dtype = type.substr(0, 3);
      expect_expanded(
          entry("  x = " + type + " parameter(0)\n  s = " + type + " multiply(x, x)\n  e = " + dtype + "[] constant(" +
                exponent + ")\n  es = " + type + " broadcast(e), dimensions={}\n  ROOT r = " + type + " power(s, es)"),
          {Opcode::kPower});
    }
  }
}

TEST(ExpandBatchNorm, ComputesWhatTheEvaluatorDoes) {
  for (const std::string type : {"f32", "f64", "bf16"}) {
    const std::string x = type + "[3,4,5]";
    const std::string f = type + "[4]";
    expect_expanded(
        entry("  x = " + x + " parameter(0)\n  s = " + f + " parameter(1)\n  o = " + f + " parameter(2)\n  ROOT n = (" +
              x + ", " + f + ", " + f + ") batch-norm-training(x, s, o), epsilon=0.5, feature_index=1"),
        {Opcode::kBatchNormTraining});
    expect_expanded(
        entry("  x = " + x + " parameter(0)\n  s = " + f + " parameter(1)\n  m = " + f + " parameter(2)\n  v = " + f +
              " parameter(3)\n  w = " + f + " multiply(v, v)\n  d = " + x + " parameter(4)\n  ROOT n = (" + x + ", " +
              f + ", " + f + ") batch-norm-grad(x, s, m, w, d), epsilon=0.5, feature_index=1"),
        {Opcode::kBatchNormGrad});
  }
}

}  // namespace
}  // namespace sinter
