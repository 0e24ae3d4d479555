// contract_programs: matrix products on tensor cores. All layouts of both operands, extents that are and are no
// multiples of anything, batches, what stands before and after a product, convolutions; of 16-bit floats, f32 and
// bytes, in numbers whose sums are exact, infinities and NaNs among them, and in numbers whose sums are not.
#include <cmath>
#include <utility>

#include "ir/values/dtype.h"
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct Extents {
  int64_t batch, m, n, k;
};

std::string product_name(DType dtype, DType result, const Extents& e, bool lhs_along_k, bool rhs_along_k) {
  return std::string(dtype_name(dtype)) + (result == dtype ? "" : "_wide") + "_" + std::to_string(e.batch) + "_" +
         std::to_string(e.m) + "_" + std::to_string(e.n) + "_" + std::to_string(e.k) + (lhs_along_k ? "_n" : "_t") +
         (rhs_along_k ? "t" : "n");
}

std::vector<int64_t> dims(int64_t batch, int64_t a, int64_t b) {
  return batch == 1 ? std::vector<int64_t>{a, b} : std::vector<int64_t>{batch, a, b};
}

// `before`: what is made of parameter `x` of `lhs`'s shape; `after`: what is made of `dot`, to be the ROOT.
std::string product_text(const std::string& name, DType dtype, DType result, const Extents& e, bool lhs_along_k,
                         bool rhs_along_k, const std::string& before = "", const std::string& after = "") {
  const std::string first = e.batch == 1 ? "" : ", lhs_batch_dims={0}, rhs_batch_dims={0}";
  const int64_t d = e.batch == 1 ? 0 : 1;
  const std::string lhs = shape_text(dtype, lhs_along_k ? dims(e.batch, e.m, e.k) : dims(e.batch, e.k, e.m));
  const std::string rhs = shape_text(dtype, rhs_along_k ? dims(e.batch, e.n, e.k) : dims(e.batch, e.k, e.n));
  std::string text = "HloModule " + name + "\n\nENTRY main {\n";
  if (before.empty()) text += "  lhs = " + lhs + " parameter(0)\n";
  text += before;
  text += "  rhs = " + rhs + " parameter(1)\n";
  text += std::string(after.empty() ? "  ROOT dot = " : "  dot = ") + shape_text(result, dims(e.batch, e.m, e.n)) +
          " dot(lhs, rhs)" + first + ", lhs_contracting_dims={" + std::to_string(lhs_along_k ? d + 1 : d) +
          "}, rhs_contracting_dims={" + std::to_string(rhs_along_k ? d + 1 : d) + "}\n";
  return text + after + "}\n";
}

struct Typed {
  DType dtype, result;
};
constexpr Typed kTypes[] = {{DType::kBF16, DType::kBF16}, {DType::kBF16, DType::kF32}, {DType::kF16, DType::kF32},
                            {DType::kF32, DType::kF32},   {DType::kS8, DType::kS32},   {DType::kU8, DType::kS32}};

void add_plain(std::vector<StageProgram>* programs) {
  // Whole tiles; copies that end at an edge; rows that are no whole copies.
  constexpr Extents kExtents[] = {{1, 128, 128, 64}, {1, 200, 136, 72}, {1, 65, 131, 47}, {3, 40, 24, 88}};
  for (const Typed& types : kTypes) {
    for (const Extents& extents : kExtents) {
      for (const bool lhs_along_k : {true, false}) {
        for (const bool rhs_along_k : {true, false}) {
          const std::string name = product_name(types.dtype, types.result, extents, lhs_along_k, rhs_along_k);
          programs->push_back({name, product_text(name, types.dtype, types.result, extents, lhs_along_k, rhs_along_k),
                               few_values(10, extents.m <= 65)});
        }
      }
    }
  }
}

// Few tiles of long sums, which blocks share: as many k tiles for each, and fewer for the last; in batches.
void add_long(std::vector<StageProgram>* programs) {
  constexpr Extents kExtents[] = {{1, 64, 32, 2048}, {1, 70, 40, 2007}, {2, 33, 72, 1100}};
  for (const Typed& types : kTypes) {
    for (const Extents& extents : kExtents) {
      const std::string name = "long_" + product_name(types.dtype, types.result, extents, false, true);
      programs->push_back(
          {name, product_text(name, types.dtype, types.result, extents, false, true), few_values(5, extents.m == 70)});
    }
  }
}

void add_fused(std::vector<StageProgram>* programs) {
  constexpr Extents kExtents = {1, 72, 104, 48};
  programs->push_back(
      {"scaled_bytes",
       product_text("scaled_bytes", DType::kF32, DType::kF32, kExtents, true, false,
                    "  bytes = s8[72,48] parameter(0)\n  wide = f32[72,48] convert(bytes)\n"
                    "  scale = f32[72] parameter(2)\n  scales = f32[72,48] broadcast(scale), dimensions={0}\n"
                    "  lhs = f32[72,48] multiply(wide, scales)\n",
                    "  bias = f32[104] parameter(3)\n  biases = f32[72,104] broadcast(bias), dimensions={1}\n"
                    "  moved = f32[72,104] add(dot, biases)\n  zero = f32[] constant(0)\n"
                    "  zeros = f32[72,104] broadcast(zero), dimensions={}\n"
                    "  ROOT relu = f32[72,104] maximum(moved, zeros)\n"),
       few_values(9, false)});
  programs->push_back({"residual",
                       product_text("residual", DType::kBF16, DType::kBF16, kExtents, true, true, "",
                                    "  more = bf16[72,104] parameter(2)\n  sum = bf16[72,104] add(dot, more)\n"
                                    "  negative = bf16[72,104] negate(sum)\n"
                                    "  ROOT both = (bf16[72,104], bf16[72,104]) tuple(sum, negative)\n"),
                       few_values(9)});
  // One row in another order: the operand is a slice of a larger array, which begins in the middle of a copy.
  programs->push_back(
      {"sliced",
       product_text("sliced", DType::kF16, DType::kF32, kExtents, true, false,
                    "  whole = f16[72,64] parameter(0)\n  lhs = f16[72,48] slice(whole), slice={[0:72], [3:51]}\n"),
       few_values(9)});
  // Heads of attention: two batch dimensions apart, and free ones between.
  programs->push_back({"heads",
                       "HloModule heads\n\nENTRY main {\n  q = bf16[2,33,4,32] parameter(0)\n"
                       "  k = bf16[2,40,4,32] parameter(1)\n  ROOT scores = f32[2,4,33,40] dot(q, k), "
                       "lhs_batch_dims={0,2}, rhs_batch_dims={0,2}, lhs_contracting_dims={3}, "
                       "rhs_contracting_dims={3}\n}\n",
                       few_values(9)});
}

// Of integers that are bytes by their ranges: bytes of two signs, a zero point for each row, one for all elements, and
// both; numbers that wrap around a byte, so that all of a byte's values are there.
void add_zero_points(std::vector<StageProgram>* programs) {
  const std::string operands =
      "  u_given = u8[2,72,88] parameter(0)\n  u_factor = u8[] constant(91)\n"
      "  u_factors = u8[2,72,88] broadcast(u_factor), dimensions={}\n  u = u8[2,72,88] multiply(u_given, u_factors)\n"
      "  s_given = s8[2,88,104] parameter(1)\n  s_factor = s8[] constant(37)\n"
      "  s_factors = s8[2,88,104] broadcast(s_factor), dimensions={}\n"
      "  s = s8[2,88,104] multiply(s_given, s_factors)\n"
      "  rows = s32[2,72] parameter(2)\n  u_wide = s32[2,72,88] convert(u)\n  s_wide = s32[2,88,104] convert(s)\n"
      "  by_rows = s32[2,72,88] broadcast(rows), dimensions={0,1}\n"
      "  above = s32[2,72,88] subtract(u_wide, by_rows)\n  five = s32[] constant(5)\n"
      "  fives = s32[2,88,104] broadcast(five), dimensions={}\n  below = s32[2,88,104] add(fives, s_wide)\n";
  const std::pair<std::string, std::string> all[] = {
      {"u", "s"}, {"u_wide", "s_wide"}, {"above", "s_wide"}, {"u_wide", "below"}, {"above", "below"}};
  for (const auto& [left, right] : all) {
    const std::string name = "zero_points_" + left + "_" + right;
    programs->push_back({name,
                         "HloModule " + name + "\n\nENTRY main {\n" + operands + "  ROOT dot = s32[2,72,104] dot(" +
                             left + ", " + right +
                             "), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
                             "rhs_contracting_dims={1}\n}\n",
                         few_values(9)});
  }
}

// Products of f32 one operand of which, or both, is TF32 as it is: a term is left out; of one 16-bit type, all of them.
void add_converted(std::vector<StageProgram>* programs) {
  struct Sides {
    DType left, right;
  };
  constexpr DType kBF16 = DType::kBF16, kF16 = DType::kF16, kF32 = DType::kF32, kS8 = DType::kS8;
  const Sides all[] = {{kBF16, kF32}, {kF32, kBF16},  {kF16, kF32}, {kF32, kS8},
                       {kBF16, kF16}, {kBF16, kBF16}, {kS8, kF16}};
  for (const Sides& sides : all) {
    for (const bool along_k : {true, false}) {
      const std::string name = "converted_" + std::string(dtype_name(sides.left)) + "_" +
                               std::string(dtype_name(sides.right)) + (along_k ? "_nt" : "_tn");
      const auto operand = [&](const std::string& what, DType dtype, int64_t outer, int64_t number) {
        const std::vector<int64_t> shape = dims(1, along_k ? outer : 72, along_k ? 72 : outer);
        const std::string given = shape_text(dtype, shape) + " parameter(" + std::to_string(number) + ")\n";
        if (dtype == kF32) return "  " + what + " = " + given;
        return "  given_" + what + " = " + given + "  " + what + " = " + shape_text(kF32, shape) + " convert(given_" +
               what + ")\n";
      };
      const std::string k = along_k ? "1" : "0";
      programs->push_back({name,
                           "HloModule " + name + "\n\nENTRY main {\n" + operand("lhs", sides.left, 200, 0) +
                               operand("rhs", sides.right, 136, 1) +
                               "  ROOT dot = f32[200,136] dot(lhs, rhs), lhs_contracting_dims={" + k +
                               "}, rhs_contracting_dims={" + k + "}\n}\n",
                           few_values(10)});
    }
  }
}

void add_convolutions(std::vector<StageProgram>* programs) {
  // Infinities only where there is no padding (docs/numerics.md).
  struct Form {
    std::string name, lhs, rhs, result, attributes;
  };
  const std::vector<Form> forms = {
      {"nhwc", "[2,9,10,16]", "[3,3,16,24]", "[2,9,10,24]",
       "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f"},
      {"strided", "[2,9,11,8]", "[3,2,8,32]", "[2,4,5,32]", "window={size=3x2 stride=2x2}, dim_labels=b01f_01io->b01f"},
      {"nchw", "[2,16,9,10]", "[24,16,3,3]", "[2,24,9,10]",
       "window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01"},
      // Where strides meet only what lies between elements.
      {"holes", "[2,9,9,16]", "[1,1,16,32]", "[2,10,10,32]",
       "window={size=1x1 stride=2x2 pad=2_1x1_2 lhs_dilate=2x2}, dim_labels=b01f_01io->b01f"},
      {"odd_channels", "[3,8,8,3]", "[3,3,3,17]", "[3,8,8,17]",
       "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f"},
      // So few channels that they do not fill a tile, and many pixels.
      {"narrow", "[2,64,48,32]", "[3,3,32,3]", "[2,64,48,3]",
       "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f"},
      {"narrow_nchw", "[2,32,64,48]", "[4,32,3,3]", "[2,4,64,48]",
       "window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01"},
      // A matrix product a group: of features, and of the input's batch, as the gradient of such a kernel is.
      {"groups", "[2,9,10,48]", "[3,3,16,30]", "[2,9,10,30]",
       "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=3"},
      {"groups_nchw", "[2,48,9,10]", "[24,16,3,3]", "[2,24,5,5]",
       "window={size=3x3 stride=2x2 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01, feature_group_count=3"},
      {"groups_of_batch", "[6,11,12,16]", "[9,10,16,30]", "[2,3,3,30]",
       "window={size=9x10}, dim_labels=b01f_01io->b01f, batch_group_count=3"}};
  for (const Form& form : forms) {
    for (const std::string type : {"bf16", "f32"}) {
      const std::string name = form.name + "_" + type;
      programs->push_back({name,
                           "HloModule " + name + "\n\nENTRY main {\n  x = " + type + form.lhs +
                               " parameter(0)\n  w = " + type + form.rhs + " parameter(1)\n  ROOT c = f32" +
                               form.result + " convolution(x, w), " + form.attributes + "\n}\n",
                           few_values(10, form.name == "strided")});
    }
  }
}

// Sums that are rounded: 20 bits of f32 need all terms of TF32.
std::vector<StageProgram> rounded_programs() {
  std::vector<StageProgram> programs;
  for (const Typed& types : kTypes) {
    if (is_integer(types.dtype)) continue;
    for (const int64_t k : {64, 300}) {
      const Extents extents = {1, 64, 72, k};
      const std::string name = "rounded_" + product_name(types.dtype, types.result, extents, true, false);
      programs.push_back({name, product_text(name, types.dtype, types.result, extents, true, false),
                          few_values(types.dtype == DType::kF32 ? 1 << 20 : 200, false)});
    }
  }
  return programs;
}

// Relative to the largest result. Of f32: the sum of K products of 20 bits, each within 2^-22, and K roundings of
// 2^-24, where sums of random numbers are some sqrt(K) times less than those of magnitudes. Of narrow results one
// rounding.
double rounding(DType type) { return type == DType::kF32 ? 2e-6 : type == DType::kBF16 ? 0x1p-8 : 0x1p-11; }
double exact(DType) { return 0; }

}  // namespace
}  // namespace sinter

int main() {
  std::vector<sinter::StageProgram> programs;
  sinter::add_plain(&programs);
  sinter::add_long(&programs);
  sinter::add_fused(&programs);
  sinter::add_zero_points(&programs);
  sinter::add_converted(&programs);
  sinter::add_convolutions(&programs);
  const int wrong = sinter::run_stage_programs(programs, sinter::exact);
  return wrong + sinter::run_stage_programs(sinter::rounded_programs(), sinter::rounding);
}
