// lane_programs: reductions whose steps a thread makes once for several neighbouring elements - depthwise convolutions,
// pools, short sums, gathered rows - by widths of 8, 4, 2 and 1, with padding, strides and dilations, of every kind of
// sum; what is computed before a step and behind the sums; and what must stay an element a thread. Compared with the
// evaluator.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct LaneProgram {
  std::string name;
  std::string text;  // of the entry, behind `ENTRY main {`
};

const LaneProgram kPrograms[] = {
    // A window's positions inside and outside, in both dimensions.
    {"depthwise",
     "  x = f32[3,24,61,64] parameter(0)\n  w = f32[3,3,1,64] parameter(1)\n"
     "  ROOT y = f32[3,24,61,64] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, "
     "feature_group_count=64\n"},
    {"depthwise_strided",
     "  x = f32[5,55,47,48] parameter(0)\n  w = f32[5,5,1,48] parameter(1)\n"
     "  ROOT y = f32[5,28,24,48] convolution(x, w), window={size=5x5 stride=2x2 pad=2_2x2_2}, "
     "dim_labels=b01f_01io->b01f, feature_group_count=48\n"},
    {"depthwise_dilated",
     "  x = f32[2,30,31,96] parameter(0)\n  w = f32[3,3,1,96] parameter(1)\n"
     "  ROOT y = f32[2,57,31,96] convolution(x, w), window={size=3x3 pad=0_0x2_2 lhs_dilate=2x1 rhs_dilate=1x2}, "
     "dim_labels=b01f_01io->b01f, feature_group_count=96\n"},
    {"depthwise_by_2",
     "  x = f32[9,24,61,22] parameter(0)\n  w = f32[3,3,1,22] parameter(1)\n"
     "  ROOT y = f32[9,24,61,22] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, "
     "feature_group_count=22\n"},
    {"depthwise_odd",
     "  x = f32[9,24,61,21] parameter(0)\n  w = f32[3,3,1,21] parameter(1)\n"
     "  ROOT y = f32[9,24,61,21] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, "
     "feature_group_count=21\n"},
    {"depthwise_halves",
     "  x = bf16[3,48,61,64] parameter(0)\n  w = bf16[3,3,1,64] parameter(1)\n  s = bf16[64] parameter(2)\n"
     "  c = bf16[3,48,61,64] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, "
     "feature_group_count=64\n"
     "  t = bf16[3,48,61,64] broadcast(s), dimensions={3}\n  p = bf16[3,48,61,64] multiply(c, t)\n"
     "  zero = bf16[] constant(0)\n  z = bf16[3,48,61,64] broadcast(zero), dimensions={}\n"
     "  ROOT y = bf16[3,48,61,64] maximum(p, z)\n"},
    // The sums are stored, and read.
    {"two_results",
     "  x = f32[3,24,61,64] parameter(0)\n  w = f32[3,3,1,64] parameter(1)\n"
     "  c = f32[3,24,61,64] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, "
     "feature_group_count=64\n"
     "  z = f32[3,24,61,64] multiply(c, c)\n  ROOT r = (f32[3,24,61,64], f32[3,24,61,64]) tuple(c, z)\n"},
    {"channels_first",
     "  x = f32[3,24,61,64] parameter(0)\n  w = f32[24,1,3,3] parameter(1)\n"
     "  ROOT y = f32[3,24,61,64] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01, "
     "feature_group_count=24\n"},
    {"largest",
     "  x = f32[5,47,61,64] parameter(0)\n  least = f32[] constant(-inf)\n"
     "  ROOT y = f32[5,24,31,64] reduce-window(x, least), window={size=1x3x3x1 stride=1x2x2x1 pad=0_0x1_1x1_1x0_0}, "
     "to_apply=largest\n"},
    // Each step computes what it adds.
    {"scaled_terms",
     "  x = f32[3,24,61,64] parameter(0)\n  s = f32[64] parameter(1)\n  t = f32[3,24,61,64] broadcast(s), "
     "dimensions={3}\n  p = f32[3,24,61,64] multiply(x, t)\n  one = f32[] constant(1)\n"
     "  ROOT y = f32[3,24,61,64] reduce-window(p, one), window={size=1x3x3x1 pad=0_0x1_1x1_1x0_0}, to_apply=sum\n"},
    {"cut",
     "  x = f32[3,24,61,72] parameter(0)\n  least = f32[] constant(-inf)\n"
     "  c = f32[3,24,61,64] slice(x), slice={[0:3], [0:24], [0:61], [2:66]}\n"
     "  ROOT y = f32[3,24,61,64] reduce-window(c, least), window={size=1x3x3x1 pad=0_0x1_1x1_1x0_0}, "
     "to_apply=largest\n"},
    {"cut_aligned",
     "  x = f32[3,24,61,72] parameter(0)\n  least = f32[] constant(-inf)\n"
     "  c = f32[3,24,61,64] slice(x), slice={[0:3], [0:24], [0:61], [4:68]}\n"
     "  ROOT y = f32[3,24,61,64] reduce-window(c, least), window={size=1x3x3x1 pad=0_0x1_1x1_1x0_0}, "
     "to_apply=largest\n"},
    {"short_sum",
     "  x = f32[4500,9,60] parameter(0)\n  zero = f32[] constant(0)\n"
     "  ROOT y = f32[4500,60] reduce(x, zero), dimensions={1}, to_apply=sum\n"},
    {"short_sum_of_bytes",
     "  x = s8[9000,9,60] parameter(0)\n  least = s8[] constant(-128)\n"
     "  ROOT y = s8[9000,60] reduce(x, least), dimensions={1}, to_apply=largest_byte\n"},
    // The sums begin with a number that is read.
    {"from_parameter",
     "  x = f32[4500,9,60] parameter(0)\n  b = f32[] parameter(1)\n"
     "  ROOT y = f32[4500,60] reduce(x, b), dimensions={1}, to_apply=sum\n"},
    // Two loops over one array, and one over each of two.
    {"two_of_one",
     "  x = f32[4500,9,60] parameter(0)\n  zero = f32[] constant(0)\n  least = f32[] constant(-inf)\n"
     "  a = f32[4500,60] reduce(x, zero), dimensions={1}, to_apply=sum\n"
     "  b = f32[4500,60] reduce(x, least), dimensions={1}, to_apply=largest\n"
     "  ROOT y = f32[4500,60] subtract(a, b)\n"},
    {"two_of_two",
     "  x = f32[4500,9,60] parameter(0)\n  v = f32[4500,7,60] parameter(1)\n  zero = f32[] constant(0)\n"
     "  least = f32[] constant(-inf)\n  a = f32[4500,60] reduce(x, zero), dimensions={1}, to_apply=sum\n"
     "  b = f32[4500,60] reduce(v, least), dimensions={1}, to_apply=largest\n"
     "  ROOT y = f32[4500,60] subtract(a, b)\n"},
    {"gathered_rows",
     "  t = f32[50,60] parameter(0)\n  i = s32[4500,9,1] parameter(1)\n  zero = f32[] constant(0)\n"
     "  g = f32[4500,9,60] gather(t, i), offset_dims={2}, collapsed_slice_dims={0}, start_index_map={0}, "
     "index_vector_dim=2, slice_sizes={1,60}\n"
     "  ROOT y = f32[4500,60] reduce(g, zero), dimensions={1}, to_apply=sum\n"},
    {"thin_product",
     "  a = f32[4500,6] parameter(0)\n  w = f32[6,60] parameter(1)\n"
     "  d = f32[4500,60] dot(a, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
     "  ROOT y = f32[4500,60] tanh(d)\n"},
    // The function of the reduction is none of one operation.
    {"general_function",
     "  x = f32[4500,9,60] parameter(0)\n  zero = f32[] constant(0)\n"
     "  ROOT y = f32[4500,60] reduce(x, zero), dimensions={1}, to_apply=squares\n"},
    // What the step reads of its place along the neighbours.
    {"numbered",
     "  x = s32[4500,9,60] parameter(0)\n  zero = s32[] constant(0)\n  i = s32[4500,9,60] iota(), iota_dimension=2\n"
     "  p = s32[4500,9,60] multiply(x, i)\n  ROOT y = s32[4500,60] reduce(p, zero), dimensions={1}, "
     "to_apply=sum_of_integers\n"},
    {"reversed",
     "  x = f32[4500,9,60] parameter(0)\n  zero = f32[] constant(0)\n  r = f32[4500,9,60] reverse(x), "
     "dimensions={1,2}\n  ROOT y = f32[4500,60] reduce(r, zero), dimensions={1}, to_apply=sum\n"},
};

constexpr std::string_view kFunctions =
    "sum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n\n"
    "sum_of_integers {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  ROOT c = s32[] add(a, b)\n}\n\n"
    "largest {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] maximum(a, b)\n}\n\n"
    "largest_byte {\n  a = s8[] parameter(0)\n  b = s8[] parameter(1)\n  ROOT c = s8[] maximum(a, b)\n}\n\n"
    "squares {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  s = f32[] multiply(b, b)\n"
    "  ROOT c = f32[] add(a, s)\n}\n\n";

std::vector<StageProgram> programs() {
  std::vector<StageProgram> result;
  for (const LaneProgram& program : kPrograms) {
    result.push_back(
        {program.name,
         "HloModule " + program.name + "\n\n" + std::string(kFunctions) + "ENTRY main {\n" + program.text + "}\n",
         few_values(50)});
  }
  return result;
}

// Of products and sums, in the order of the steps; whatever is no float is compared bit for bit.
double tolerance(DType type) { return type == DType::kF32 ? 1e-6 : is_float(type) ? 1e-2 : 0; }

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs(), sinter::tolerance); }
