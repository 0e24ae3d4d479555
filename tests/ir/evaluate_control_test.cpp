// Loops, branches, calls, limits, random bits and the ops of other devices.
#include <gtest/gtest.h>

#include "tests/ir/evaluate_text.h"

namespace sinter {
namespace {

std::string loop_below(const std::string& limit) {
  return "body {\n t = (s32[], s32[4]) parameter(0)\n i = s32[] get-tuple-element(t), index=0\n"
         " x = s32[4] get-tuple-element(t), index=1\n one = s32[] constant(1)\n n = s32[] add(i, one)\n"
         " u = s32[1] reshape(i)\n y = s32[4] dynamic-update-slice(x, u, i)\n"
         " ROOT r = (s32[], s32[4]) tuple(n, y)\n}\n"
         "condition {\n t = (s32[], s32[4]) parameter(0)\n i = s32[] get-tuple-element(t), index=0\n"
         " limit = s32[] constant(" +
         limit + ")\n ROOT p = pred[] compare(i, limit), direction=LT\n}\n";
}

const char* const kLoop =
    "z = s32[] constant(0)\nm = s32[] constant(-1)\nx = s32[4] broadcast(m), dimensions={}\n"
    "t = (s32[], s32[4]) tuple(z, x)\nw = (s32[], s32[4]) while(t), condition=condition, body=body\n"
    "y = s32[4] get-tuple-element(w), index=1\nROOT r = (s32[4], s32[4]) tuple(y, x)";

TEST(EvaluateControl, While) {
  EXPECT_EQ(value_of(kLoop, loop_below("3")), "({0, 1, 2, -1}, {-1, -1, -1, -1})");
  EXPECT_EQ(value_of(kLoop, loop_below("0")), "({-1, -1, -1, -1}, {-1, -1, -1, -1})");
}

TEST(EvaluateControl, EndlessLoopStops) {
  const std::string text = value_of("x = s32[] constant(0)\nROOT r = s32[] while(x), condition=always, body=same",
                                    "same {\n ROOT x = s32[] parameter(0)\n}\n"
                                    "always {\n x = s32[] parameter(0)\n ROOT p = pred[] constant(true)\n}\n");
  EXPECT_NE(text.find("E0391"), std::string::npos) << text;
}

TEST(EvaluateControl, ConditionalOutOfRangeTakesTheLastBranch) {
  const std::string branches =
      "one {\n x = s32[] parameter(0)\n ROOT r = s32[] constant(1)\n}\n"
      "two {\n x = s32[] parameter(0)\n ROOT r = s32[] constant(2)\n}\n"
      "three {\n x = s32[] parameter(0)\n ROOT r = s32[] constant(3)\n}\n";
  for (const auto& [selector, expected] : {std::pair{"-1", "3"}, {"0", "1"}, {"1", "2"}, {"7", "3"}}) {
    EXPECT_EQ(value_of("s = s32[] constant(" + std::string(selector) + ")\n" +
                           "ROOT r = s32[] conditional(s, s, s, s), branch_computations={one, two, three}",
                       branches),
              expected);
  }
  EXPECT_EQ(value_of("p = pred[] constant(true)\nx = s32[] constant(0)\n"
                     "ROOT r = s32[] conditional(p, x, x), true_computation=one, false_computation=two",
                     branches),
            "1");
}

TEST(EvaluateControl, ElidedConstant) {
  const std::string text = value_of("ROOT x = s32[20] constant({...})");
  EXPECT_NE(text.find("E0501"), std::string::npos) << text;
}

// The key is 0, the counter 0: the first block of ThreeFry-2x32 with 20 rounds is published in the Random123 tests.
TEST(EvaluateControl, ThreeFry) {
  EXPECT_EQ(value_of("s = u64[2] constant({0, 0})\n"
                     "ROOT r = (u64[2], u32[2]) rng-bit-generator(s), algorithm=rng_three_fry"),
            "({0, 1}, {1797259609, 2579123966})");
  EXPECT_EQ(value_of("s = u64[2] constant({0, 0})\n"
                     "ROOT r = (u64[2], u32[3]) rng-bit-generator(s), algorithm=rng_three_fry")
                .substr(0, 8),
            "({0, 2},");
}

// Likewise for Philox-4x32 with 10 rounds; with u64[2] the counter's high half is the key.
TEST(EvaluateControl, Philox) {
  EXPECT_EQ(value_of("s = u64[3] constant({0, 0, 0})\n"
                     "ROOT r = (u64[3], u32[4]) rng-bit-generator(s), algorithm=rng_philox"),
            "({0, 1, 0}, {1713891541, 3781805453, 3159862348, 2600524760})");
  EXPECT_EQ(value_of("s = u64[2] constant({0, 18446744073709551615})\n"
                     "ROOT r = (u64[2], u8[5]) rng-bit-generator(s), algorithm=rng_default")
                .substr(0, 8),
            "({0, 1},");
}

TEST(EvaluateControl, CollectivesOnOneDevice) {
  const std::string x = "x = f32[2] constant({1, 2})\n";
  EXPECT_EQ(value_of(x + "ROOT r = f32[2] collective-permute(x), source_target_pairs={{0,1}}"), "{0, 0}");
  EXPECT_EQ(value_of(x + "ROOT r = f32[2] collective-permute(x), source_target_pairs={{1,0},{0,0}}"), "{1, 2}");
  EXPECT_EQ(value_of(x + "ROOT r = f32[2] all-gather(x), dimensions={0}, replica_groups={}"), "{1, 2}");
  const std::string text = value_of(x + "ROOT r = f32[4] all-gather(x), dimensions={0}, replica_groups={{0,1}}");
  EXPECT_NE(text.find("E0390"), std::string::npos) << text;
}

TEST(EvaluateControl, Scan) {
  EXPECT_EQ(value_of("x = s32[3] constant({1, 2, 3})\nz = s32[] constant(0)\n"
                     "ROOT r = (s32[3], s32[]) scan(x, z), dimensions={0}, num_carries=1, is_reverse=true, to_apply=f",
                     "f {\n x = s32[] parameter(0)\n c = s32[] parameter(1)\n s = s32[] add(x, c)\n"
                     " ROOT r = (s32[], s32[]) tuple(s, s)\n}\n"),
            "({6, 5, 3}, 6)");
}

TEST(EvaluateControl, Solvers) {
  EXPECT_EQ(value_of("a = f32[2,2] constant({{4, 99}, {2, 5}})\nROOT r = f32[2,2] cholesky(a), lower=true"),
            "{ { 2, 0 }, { 1, 2 } }");
  const std::string operands = "a = f32[2,2] constant({{2, 9}, {1, 4}})\nb = f32[2,1] constant({{2}, {9}})\n";
  EXPECT_EQ(value_of(operands + "ROOT r = f32[2,1] triangular-solve(a, b), left_side=true, lower=true"),
            "{ {1}, {2} }");
  EXPECT_EQ(value_of(operands + "ROOT r = f32[2,1] triangular-solve(a, b), left_side=true, lower=true, "
                                "unit_diagonal=true, transpose_a=TRANSPOSE"),
            "{ {-7}, {9} }");
}

TEST(EvaluateControl, Fft) {
  EXPECT_EQ(value_of("x = f32[4] constant({1, 2, 3, 4})\nROOT r = c64[3] fft(x), fft_type=RFFT, fft_length={4}"),
            "{(10, 0), (-2, 2), (-2, 0)}");
  EXPECT_EQ(value_of("x = c64[3] constant({(10, 0), (-2, 2), (-2, 0)})\n"
                     "ROOT r = f32[4] fft(x), fft_type=IRFFT, fft_length={4}"),
            "{1, 2, 3, 4}");
}

}  // namespace
}  // namespace sinter
