// Ops that move, index, reduce and contract, where they have bitten somebody.
#include <gtest/gtest.h>

#include "tests/ir/evaluate_text.h"

namespace sinter {
namespace {

const char* const kAdd = "add_f32 {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] add(a, b)\n}\n";

TEST(EvaluateArray, DynamicSliceClamps) {
  const std::string x = "x = s32[5] constant({0, 1, 2, 3, 4})\n";
  EXPECT_EQ(value_of(x + "i = s32[] constant(-3)\nROOT r = s32[2] dynamic-slice(x, i), dynamic_slice_sizes={2}"),
            "{0, 1}");
  EXPECT_EQ(value_of(x + "i = s32[] constant(9)\nROOT r = s32[2] dynamic-slice(x, i), dynamic_slice_sizes={2}"),
            "{3, 4}");
  EXPECT_EQ(value_of(x + "i = u8[] constant(255)\nROOT r = s32[2] dynamic-slice(x, i), dynamic_slice_sizes={2}"),
            "{3, 4}");
  EXPECT_EQ(value_of(x + "i = u64[] constant(18446744073709551615)\n"
                         "ROOT r = s32[2] dynamic-slice(x, i), dynamic_slice_sizes={2}"),
            "{3, 4}");
  EXPECT_EQ(value_of(x + "u = s32[2] constant({8, 9})\ni = s32[] constant(4)\n"
                         "d = s32[5] dynamic-update-slice(x, u, i)\nROOT r = (s32[5], s32[5]) tuple(d, x)"),
            "({0, 1, 2, 8, 9}, {0, 1, 2, 3, 4})");
}

TEST(EvaluateArray, GatherClampsTheWindow) {
  EXPECT_EQ(value_of("x = s32[5] constant({0, 1, 2, 3, 4})\ni = s32[3] constant({-2, 1, 4})\n"
                     "ROOT r = s32[3,2] gather(x, i), offset_dims={1}, collapsed_slice_dims={}, start_index_map={0}, "
                     "index_vector_dim=1, slice_sizes={2}"),
            "{ { 0, 1 }, { 1, 2 }, { 3, 4 } }");
}

TEST(EvaluateArray, GatherWithBatchingDims) {
  EXPECT_EQ(value_of("x = s32[2,3] constant({{0, 1, 2}, {3, 4, 5}})\ni = s32[2,1] constant({{2}, {0}})\n"
                     "ROOT r = s32[2] gather(x, i), offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, "
                     "operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=1, "
                     "slice_sizes={1,1}"),
            "{2, 3}");
}

// Its attributes, up to the name of its function.
const char* const kScatterUpToFunction =
    ", update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
    "to_apply=";

TEST(EvaluateArray, ScatterSkipsWholeWindows) {
  EXPECT_EQ(value_of("x = f32[4] constant({0, 0, 0, 0})\ni = s32[4] constant({3, -1, 0, 1})\n"
                     "u = f32[4,2] constant({{1, 1}, {2, 2}, {3, 3}, {4, 4}})\n"
                     "ROOT r = f32[4] scatter(x, i, u)" +
                         std::string(kScatterUpToFunction) + "add_f32",
                     kAdd),
            "{3, 7, 4, 0}");
}

TEST(EvaluateArray, ScatterCombinerOrder) {
  const std::string operands =
      "x = f32[2] constant({10, 20})\ni = s32[2] constant({1, 1})\nu = f32[2,1] constant({{1}, {2}})\n";
  EXPECT_EQ(value_of(operands + "ROOT r = f32[2] scatter(x, i, u)" + kScatterUpToFunction + "keep",
                     "keep {\n a = f32[] parameter(0)\n ROOT b = f32[] parameter(1)\n}\n"),
            "{10, 2}");
  EXPECT_EQ(value_of(operands + "ROOT r = f32[2] scatter(x, i, u)" + kScatterUpToFunction + "minus",
                     "minus {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] subtract(a, b)\n}\n"),
            "{10, 17}");
}

// Sums of 16-bit floats are rounded once, also where the combiner copies what it adds.
TEST(EvaluateArray, SumsOfCopiesAreRoundedOnce) {
  const std::string sum =
      "sum {\n a = bf16[] parameter(0)\n b = bf16[] parameter(1)\n c = bf16[] copy(b)\n s = bf16[] add(a, c)\n"
      " ROOT r = bf16[] copy(s)\n}\n";
  EXPECT_EQ(value_of("x = bf16[4] constant({256, 1, 1, 1})\nz = bf16[] constant(0)\n"
                     "ROOT r = bf16[] reduce(x, z), dimensions={0}, to_apply=sum",
                     sum),
            "260");
  EXPECT_EQ(value_of("x = bf16[1] constant({256})\ni = s32[3] constant({0, 0, 0})\n"
                     "u = bf16[3,1] constant({{1}, {1}, {1}})\nROOT r = bf16[1] scatter(x, i, u)" +
                         std::string(kScatterUpToFunction) + "sum",
                     sum),
            "{260}");
}

TEST(EvaluateArray, Pad) {
  const std::string x = "x = s32[3] constant({1, 2, 3})\nv = s32[] constant(0)\n";
  EXPECT_EQ(value_of(x + "ROOT r = s32[5] pad(x, v), padding=-1_1_1"), "{0, 2, 0, 3, 0}");
  EXPECT_EQ(value_of(x + "ROOT r = s32[2] pad(x, v), padding=-2_-1_1"), "{2, 0}");
  EXPECT_EQ(value_of(x + "ROOT r = s32[1] pad(x, v), padding=-4_2_0"), "{0}");
  EXPECT_EQ(value_of("x = s32[0] constant({})\nv = s32[] constant(7)\nROOT r = s32[2] pad(x, v), padding=1_1_3"),
            "{7, 7}");
}

TEST(EvaluateArray, BitcastConvertIsLittleEndian) {
  EXPECT_EQ(value_of("x = u32[1] constant({67305985})\nROOT r = u8[1,4] bitcast-convert(x)"), "{ { 1, 2, 3, 4 } }");
  EXPECT_EQ(value_of("x = u8[4] constant({1, 2, 3, 4})\nROOT r = u32[] bitcast-convert(x)"), "67305985");
  EXPECT_EQ(value_of("x = u8[1] constant({163})\nROOT r = u4[1,2] bitcast-convert(x)"), "{ { 3, 10 } }");
}

TEST(EvaluateArray, IotaAndBroadcast) {
  EXPECT_EQ(value_of("ROOT r = bf16[3] iota(), iota_dimension=0"), "{0, 1, 2}");
  EXPECT_EQ(value_of("ROOT r = pred[3] iota(), iota_dimension=0"), "{0, 1, 1}");
  EXPECT_EQ(value_of("x = s32[2] constant({1, 2})\nROOT r = s32[2,2] broadcast(x), dimensions={0}"),
            "{ { 1, 1 }, { 2, 2 } }");
  EXPECT_EQ(value_of("x = s32[] constant(1)\nROOT r = s32[2] broadcast(x)"), "{1, 1}");
}

TEST(EvaluateArray, Bitcast) {
  EXPECT_EQ(value_of("x = s32[2,3]{1,0} constant({{0, 1, 2}, {3, 4, 5}})\nROOT r = s32[3,2]{0,1} bitcast(x)"),
            "{ { 0, 3 }, { 1, 4 }, { 2, 5 } }");
}

TEST(EvaluateArray, ReduceCollectsInDouble) {
  EXPECT_EQ(value_of("x = f32[3] constant({1e8, 1, -1e8})\nz = f32[] constant(0)\n"
                     "ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=add_f32",
                     kAdd),
            "1");
  EXPECT_EQ(value_of("x = f32[2,0] constant({{}, {}})\nz = f32[] constant(5)\n"
                     "ROOT r = f32[2] reduce(x, z), dimensions={1}, to_apply=add_f32",
                     kAdd),
            "{5, 5}");
}

TEST(EvaluateArray, ReduceMiddleAndOuterDimensions) {
  const std::string x = "x = f32[2,2,2] constant({{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}})\nz = f32[] constant(0)\n";
  EXPECT_EQ(value_of(x + "ROOT r = f32[2,2] reduce(x, z), dimensions={1}, to_apply=add_f32", kAdd),
            "{ { 4, 6 }, { 12, 14 } }");
  EXPECT_EQ(value_of(x + "ROOT r = f32[2] reduce(x, z), dimensions={0,2}, to_apply=add_f32", kAdd), "{14, 22}");
  EXPECT_EQ(value_of(x + "ROOT r = f32[2] reduce(x, z), dimensions={2,0}, to_apply=minus",
                     "minus {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] subtract(a, b)\n}\n"),
            "{-14, -22}");
}

TEST(EvaluateArray, ReduceMaximumWithNan) {
  EXPECT_EQ(value_of("x = f32[3] constant({1, nan, 2})\nz = f32[] constant(-inf)\n"
                     "ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=largest",
                     "largest {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] maximum(a, b)\n}\n"),
            "nan");
}

TEST(EvaluateArray, VariadicReduce) {
  const char* const argmax =
      "argmax {\n a = f32[] parameter(0)\n i = s32[] parameter(1)\n b = f32[] parameter(2)\n j = s32[] parameter(3)\n"
      " ge = pred[] compare(a, b), direction=GE\n nan = pred[] compare(a, a), direction=NE\n p = pred[] or(ge, nan)\n"
      " v = f32[] select(p, a, b)\n k = s32[] select(p, i, j)\n ROOT t = (f32[], s32[]) tuple(v, k)\n}\n";
  EXPECT_EQ(value_of("x = f32[2,3] constant({{1, 5, 5}, {2, nan, 9}})\ni = s32[2,3] iota(), iota_dimension=1\n"
                     "z = f32[] constant(-inf)\nk = s32[] constant(0)\n"
                     "ROOT r = (f32[2], s32[2]) reduce(x, i, z, k), dimensions={1}, to_apply=argmax",
                     argmax),
            "({5, nan}, {1, 1})");
}

TEST(EvaluateArray, ReduceWindow) {
  const std::string x = "x = f32[3] constant({1, 2, 3})\nz = f32[] constant(0)\n";
  EXPECT_EQ(value_of(x + "ROOT r = f32[3] reduce-window(x, z), window={size=3 pad=2_0}, to_apply=add_f32", kAdd),
            "{1, 3, 6}");
  EXPECT_EQ(value_of(x + "ROOT r = f32[4] reduce-window(x, z), window={size=2 lhs_dilate=2}, to_apply=add_f32", kAdd),
            "{1, 2, 2, 3}");
  EXPECT_EQ(value_of(x + "ROOT r = f32[1] reduce-window(x, z), window={size=2 pad=-1_0}, to_apply=add_f32", kAdd),
            "{5}");
}

TEST(EvaluateArray, SelectAndScatter) {
  const std::string ge =
      "ge {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT p = pred[] compare(a, b), direction=GE\n}\n";
  const std::string minus =
      "minus {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] subtract(a, b)\n}\n";
  // The earliest of equal maxima is chosen; scatter(source, current) = source - current.
  EXPECT_EQ(value_of("x = f32[4] constant({2, 2, 1, 3})\ns = f32[2] constant({5, 6})\nz = f32[] constant(1)\n"
                     "ROOT r = f32[4] select-and-scatter(x, s, z), window={size=2 stride=2}, select=ge, scatter=minus",
                     ge + minus),
            "{4, 1, 1, 5}");
}

TEST(EvaluateArray, Dot) {
  EXPECT_EQ(value_of("x = f32[2,3] constant({{1, 2, 3}, {4, 5, 6}})\ny = f32[3,2] constant({{1, 0}, {0, 1}, {1, 1}})\n"
                     "ROOT r = f32[2,2] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
            "{ { 4, 5 }, { 10, 11 } }");
  EXPECT_EQ(value_of("x = f32[2,0] constant({{}, {}})\ny = f32[0,1] constant({})\n"
                     "ROOT r = f32[2,1] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
            "{ {0}, {0} }");
  // Two contracted dimensions, paired by position, and a batch dimension that is last in one operand.
  EXPECT_EQ(value_of("x = s32[2,2,2] constant({{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}})\n"
                     "y = s32[2,2,2] constant({{{1, 0}, {0, 0}}, {{0, 1}, {0, 1}}})\n"
                     "ROOT r = s32[2] dot(x, y), lhs_batch_dims={0}, rhs_batch_dims={2}, lhs_contracting_dims={1,2}, "
                     "rhs_contracting_dims={1,0}"),
            "{1, 14}");
  EXPECT_EQ(value_of("x = s8[2] constant({127, 127})\nROOT r = s32[] dot(x, x), lhs_contracting_dims={0}, "
                     "rhs_contracting_dims={0}"),
            "32258");
}

TEST(EvaluateArray, Convolution) {
  const std::string operands = "x = f32[1,1,4] constant({{{1, 2, 3, 4}}})\nw = f32[1,1,2] constant({{{1, 10}}})\n";
  EXPECT_EQ(value_of(operands + "ROOT r = f32[1,1,3] convolution(x, w), window={size=2}, dim_labels=bf0_oi0->bf0"),
            "{ { { 21, 32, 43 } } }");
  EXPECT_EQ(value_of(operands + "ROOT r = f32[1,1,3] convolution(x, w), window={size=2 rhs_reversal=1}, "
                                "dim_labels=bf0_oi0->bf0"),
            "{ { { 12, 23, 34 } } }");
  EXPECT_EQ(value_of(operands + "ROOT r = f32[1,1,2] convolution(x, w), window={size=2 pad=-1_1 rhs_dilate=2}, "
                                "dim_labels=bf0_oi0->bf0"),
            "{ { { 42, 3 } } }");
  EXPECT_EQ(value_of("x = f32[1,2,1] constant({{{1}, {2}}})\nw = f32[2,1,1] constant({{{10}}, {{100}}})\n"
                     "ROOT r = f32[1,2,1] convolution(x, w), window={size=1}, dim_labels=bf0_oi0->bf0, "
                     "feature_group_count=2"),
            "{ { {10}, {200} } }");
  EXPECT_EQ(value_of("x = f32[2,1,1] constant({{{1}}, {{2}}})\nw = f32[2,1,1] constant({{{10}}, {{100}}})\n"
                     "ROOT r = f32[1,2,1] convolution(x, w), window={size=1}, dim_labels=bf0_oi0->bf0, "
                     "batch_group_count=2"),
            "{ { {10}, {200} } }");
}

TEST(EvaluateArray, Sort) {
  const std::string by_key =
      "lt {\n a = s32[] parameter(0)\n b = s32[] parameter(1)\n c = s32[] parameter(2)\n d = s32[] parameter(3)\n"
      " ROOT p = pred[] compare(a, b), direction=LT\n}\n";
  EXPECT_EQ(value_of("x = s32[5] constant({2, 1, 2, 1, 0})\ni = s32[5] iota(), iota_dimension=0\n"
                     "ROOT r = (s32[5], s32[5]) sort(x, i), dimensions={0}, is_stable=true, to_apply=lt",
                     by_key),
            "({0, 1, 1, 2, 2}, {4, 1, 3, 0, 2})");
  const std::string total =
      "lt {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
      " ROOT p = pred[] compare(a, b), direction=LT, type=TOTALORDER\n}\n";
  EXPECT_EQ(value_of("x = f32[2,2] constant({{nan, 2}, {1, -0.0}})\n"
                     "ROOT r = f32[2,2] sort(x), dimensions={0}, to_apply=lt",
                     total),
            "{ { 1, -0.0 }, { nan, 2 } }");
}

TEST(EvaluateArray, TopK) {
  EXPECT_EQ(value_of("x = f32[5] constant({1, 3, nan, 3, 0})\nROOT r = (f32[3], s32[3]) topk(x), k=3, largest=true"),
            "({nan, 3, 3}, {2, 1, 3})");
}

}  // namespace
}  // namespace sinter
