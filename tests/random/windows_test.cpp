// Windows in emitted code against the evaluator: reduce-window, convolution, select-and-scatter, batch normalisation,
// in shapes that leave something over.
#include <gtest/gtest.h>

#include "tests/random/batch.h"

namespace sinter {
namespace {

// "main" with parameters x, y, ... of the inputs' types, then `lines`, the last of them the root.
class Programs {
 public:
  void add(std::string lines, std::vector<RandomInput> inputs, const std::string& computations = "",
           bool exact = true) {
    static const char* const kNames[] = {"x", "y", "z", "v", "w"};
    std::string text = "HloModule windows\n\n" + computations + "ENTRY main {\n";
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Shape shape = Shape::array(inputs[i].dtype, inputs[i].dims);
      text += "  " + std::string(kNames[i]) + " = " + to_string(shape) + " parameter(" + std::to_string(i) + ")\n";
    }
    CheckedProgram item;
    item.program.name = "windows_" + std::to_string(items_.size());
    item.program.text = text + lines + "}\n";
    item.program.exact = exact;  // small whole numbers
    item.program.inputs = std::move(inputs);
    items_.push_back(std::move(item));
  }

  void expect_right() {
    check_batch(items_, {.one_kernel = false, .orders = {"", "reverse"}});
    for (const CheckedProgram& item : items_) {
      EXPECT_EQ(item.problem, "") << item.detail << "\n" << item.program.text;
    }
  }

 private:
  std::vector<CheckedProgram> items_;
};

std::string combiner(const std::string& name, const std::string& type, const std::string& opcode) {
  return name + " {\n  a = " + type + "[] parameter(0)\n  b = " + type + "[] parameter(1)\n  ROOT r = " + type + "[] " +
         opcode + "(a, b)\n}\n\n";
}

TEST(Windows, Reduced) {
  Programs programs;
  const auto add = [&](const std::string& type, std::vector<int64_t> dims, const std::string& result,
                       const std::string& window, const std::string& init, const std::string& opcode, DType dtype) {
    programs.add("  init = " + type + "[] constant(" + init + ")\n  ROOT r = " + type + result +
                     " reduce-window(x, init), window={" + window + "}, to_apply=combine\n",
                 {{dtype, std::move(dims), 3}}, combiner("combine", type, opcode));
  };
  add("f32", {9}, "[7]", "size=3", "0", "add", DType::kF32);
  add("f32", {9}, "[9]", "size=3 pad=1_1", "2.5", "add", DType::kF32);
  add("f32", {9}, "[9]", "size=9 pad=8_0", "0", "add", DType::kF32);       // a cumulative sum
  add("f32", {9}, "[9]", "size=9 pad=0_8", "1", "multiply", DType::kF32);  // the other way
  add("f32", {5, 7}, "[3,4]", "size=2x3 stride=2x2 pad=1_0x1_1", "-inf", "maximum", DType::kF32);
  add("f32", {5, 7}, "[4,2]", "size=2x3 pad=0_0x-1_-2", "0", "add", DType::kF32);  // less than nothing around it
  add("f32", {4, 6}, "[7,4]", "size=1x2 lhs_dilate=2x1 rhs_dilate=1x2", "0", "add", DType::kF32);
  add("f32", {3, 8}, "[3,5]", "size=1x4 stride=1x3 pad=0_0x2_1 lhs_dilate=1x2", "0", "add", DType::kF32);
  add("f32", {3}, "[5]", "size=2 pad=4_-1", "0.5", "add", DType::kF32);  // windows in padding alone
  add("f32", {1}, "[1]", "size=1", "0", "add", DType::kF32);
  add("f32", {0, 3}, "[0,2]", "size=1x2", "0", "add", DType::kF32);
  add("f32", {0}, "[3]", "size=2 pad=2_2", "7", "add", DType::kF32);  // nothing but padding
  add("s32", {2, 3, 4, 5}, "[2,2,3,4]", "size=1x2x2x2", "3", "multiply", DType::kS32);
  add("s8", {40}, "[38]", "size=3", "127", "minimum", DType::kS8);
  add("pred", {17}, "[17]", "size=5 pad=2_2", "false", "or", DType::kPred);
  add("f16", {6, 5}, "[6,5]", "size=3x3 pad=1_1x1_1", "0", "add", DType::kF16);
  add("bf16", {33}, "[11]", "size=3 stride=3", "-inf", "maximum", DType::kBF16);
  add("f64", {20}, "[18]", "size=3", "0", "add", DType::kF64);
  // Long ones are made of shorter ones; some begin or end in padding.
  add("f32", {2, 2100}, "[2,1100]", "size=1x1001", "0", "add", DType::kF32);
  add("f32", {2, 2100}, "[2,2700]", "size=1x601 pad=0_0x500_700", "2", "add", DType::kF32);
  add("f32", {1000, 3}, "[652,3]", "size=233x1 pad=50_66x0_0 rhs_dilate=2x1", "-inf", "maximum", DType::kF32);
  add("s32", {3, 1000}, "[3,1130]", "size=1x371 pad=0_0x500_0", "5", "xor", DType::kS32);
  add("s32", {700, 3}, "[701,3]", "size=300x1 pad=300_0x0_0", "3", "add", DType::kS32);
  add("pred", {900}, "[900]", "size=399 pad=199_199", "false", "or", DType::kPred);
  programs.expect_right();
}

// Rows a block walks along, in a few steps or one, along any dimension, from either end.
TEST(Windows, Cumulative) {
  Programs programs;
  const auto add = [&](DType dtype, std::vector<int64_t> dims, const std::string& window, const std::string& init,
                       const std::string& opcode) {
    const std::string type(dtype_name(dtype));
    programs.add("  init = " + type + "[] constant(" + init + ")\n  ROOT r = " + to_string(Shape::array(dtype, dims)) +
                     " reduce-window(x, init), window={" + window + "}, to_apply=combine\n",
                 {{dtype, dims, 3}}, combiner("combine", type, opcode));
  };
  add(DType::kF32, {17}, "size=17 pad=16_0", "0", "add");
  add(DType::kF32, {3, 700}, "size=1x700 pad=0_0x699_0", "5", "add");
  add(DType::kF32, {3, 512}, "size=1x512 pad=0_0x0_511", "-inf", "maximum");
  add(DType::kF32, {2, 33, 5}, "size=1x33x1 pad=0_0x32_0x0_0", "0", "add");
  add(DType::kS32, {40, 3}, "size=40x1 pad=0_39x0_0", "1", "multiply");
  add(DType::kS8, {300}, "size=300 pad=299_0", "100", "add");
  add(DType::kPred, {90}, "size=90 pad=89_0", "false", "or");
  add(DType::kBF16, {2, 64}, "size=1x64 pad=0_0x63_0", "2", "minimum");
  add(DType::kF16, {50}, "size=50 pad=0_49", "0", "add");
  add(DType::kF64, {1, 5000}, "size=1x5000 pad=0_0x4999_0", "0", "add");
  // What stands before it and after it.
  programs.add(
      "  zero = f32[] constant(0)\n  p = f32[5,90] multiply(x, y)\n"
      "  t = f32[5,90] reduce-window(p, zero), window={size=1x90 pad=0_0x89_0}, to_apply=combine\n"
      "  d = f32[5,90] subtract(t, p)\n  ROOT b = (f32[5,90], f32[5,90]) tuple(t, d)\n",
      {{DType::kF32, {5, 90}, 3}, {DType::kF32, {5, 90}, 3}}, combiner("combine", "f32", "add"));
  // Its result is read elsewhere, and another scan's operand.
  programs.add(
      "  zero = f32[] constant(0)\n"
      "  t = f32[4,40] reduce-window(x, zero), window={size=1x40 pad=0_0x39_0}, to_apply=combine\n"
      "  u = f32[40,4] transpose(t), dimensions={1,0}\n"
      "  ROOT s = f32[40,4] reduce-window(u, zero), window={size=40x1 pad=39_0x0_0}, to_apply=combine\n",
      {{DType::kF32, {4, 40}, 3}}, combiner("combine", "f32", "add"));
  programs.expect_right();
}

// The place of each window's greatest element, with the element: what JAX makes of an argmax pool.
TEST(Windows, SeveralResults) {
  Programs programs;
  const std::string greater = R"(greater {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  ge = pred[] compare(a, b), direction=GE
  v = f32[] select(ge, a, b)
  k = s32[] select(ge, i, j)
  ROOT t = (f32[], s32[]) tuple(v, k)
}

)";
  const std::string lines = R"(  places = s32[7,9] iota(), iota_dimension=1
  low = f32[] constant(-inf)
  none = s32[] constant(-1)
  both = (f32[4,5], s32[4,5]) reduce-window(x, places, low, none), window={size=3x2 stride=2x2 pad=1_1x0_1}, to_apply=greater
)";
  programs.add(lines + "  ROOT i = s32[4,5] get-tuple-element(both), index=1\n", {{DType::kF32, {7, 9}, 3}}, greater);
  programs.add(lines +
                   "  v = f32[4,5] get-tuple-element(both), index=0\n  i = s32[4,5] get-tuple-element(both), index=1\n"
                   "  ROOT t = (f32[4,5], s32[4,5]) tuple(v, i)\n",
               {{DType::kF32, {7, 9}, 3}}, greater);
  programs.expect_right();
}

TEST(Windows, Convolved) {
  Programs programs;
  const auto add = [&](DType dtype, std::vector<int64_t> x, std::vector<int64_t> y, const std::string& result,
                       const std::string& rest) {
    programs.add("  ROOT c = " + result + " convolution(x, y), " + rest + "\n",
                 {{dtype, std::move(x), 3}, {dtype, std::move(y), 3}});
  };
  const auto f32 = DType::kF32;
  add(f32, {2, 7, 5, 3}, {3, 3, 3, 4}, "f32[2,7,5,4]", "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f");
  add(f32, {2, 3, 7, 5}, {4, 3, 3, 2}, "f32[2,4,3,4]", "window={size=3x2 stride=2x1}, dim_labels=bf01_oi01->bf01");
  add(f32, {1, 9, 2}, {4, 2, 3}, "f32[1,16,3]", "window={size=4 pad=1_1 lhs_dilate=2}, dim_labels=b0f_0io->b0f");
  add(f32, {1, 9, 2}, {3, 2, 3}, "f32[1,5,3]", "window={size=3 rhs_dilate=2}, dim_labels=b0f_0io->b0f");
  add(f32, {1, 9, 2}, {3, 2, 3}, "f32[1,5,3]", "window={size=3 pad=-1_-1 rhs_reversal=1}, dim_labels=b0f_0io->b0f");
  add(f32, {2, 4, 4, 6}, {3, 3, 1, 6}, "f32[2,4,4,6]",
      "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=6");
  add(f32, {2, 4, 4, 6}, {1, 1, 3, 4}, "f32[2,4,4,4]",
      "window={size=1x1}, dim_labels=b01f_01io->b01f, feature_group_count=2");
  add(f32, {4, 5, 6}, {3, 6, 4}, "f32[2,3,4]", "window={size=3}, dim_labels=b0f_0io->b0f, batch_group_count=2");
  add(f32, {3, 5}, {5, 2}, "f32[3,2]", "dim_labels=bf_io->bf");
  add(f32, {2, 4, 3, 3, 3}, {5, 4, 2, 2, 2}, "f32[2,5,2,2,2]", "window={size=2x2x2}, dim_labels=bf012_oi012->bf012");
  add(f32, {0, 4, 2}, {3, 2, 3}, "f32[0,2,3]", "window={size=3}, dim_labels=b0f_0io->b0f");
  add(f32, {2, 4, 0}, {3, 0, 3}, "f32[2,2,3]", "window={size=3}, dim_labels=b0f_0io->b0f");
  add(DType::kS32, {2, 6, 3}, {2, 3, 4}, "s32[2,5,4]", "window={size=2}, dim_labels=b0f_0io->b0f");
  add(DType::kS8, {2, 6, 3}, {2, 3, 4}, "s32[2,5,4]", "window={size=2}, dim_labels=b0f_0io->b0f");
  add(DType::kF16, {2, 6, 3}, {2, 3, 4}, "f16[2,5,4]", "window={size=2}, dim_labels=b0f_0io->b0f");
  add(DType::kBF16, {2, 6, 3}, {2, 3, 4}, "f32[2,5,4]", "window={size=2}, dim_labels=b0f_0io->b0f");
  add(DType::kF64, {2, 6, 3}, {2, 3, 4}, "f64[2,5,4]", "window={size=2}, dim_labels=b0f_0io->b0f");
  programs.expect_right();
}

// Large enough for tiles: rows of positions, rows of features, and what is left over at their ends.
TEST(Windows, ConvolvedInTiles) {
  Programs programs;
  const auto add = [&](DType dtype, std::vector<int64_t> x, std::vector<int64_t> y, const std::string& lines) {
    programs.add(lines, {{dtype, std::move(x), 3}, {dtype, std::move(y), 3}});
  };
  const auto f32 = DType::kF32;
  add(f32, {2, 9, 7, 5}, {3, 3, 5, 18},
      "  ROOT c = f32[2,9,7,18] convolution(x, y), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f\n");
  add(f32, {2, 5, 9, 7}, {18, 5, 3, 3},
      "  ROOT c = f32[2,18,5,4] convolution(x, y), window={size=3x3 stride=2x2 pad=1_1x1_1}, "
      "dim_labels=bf01_oi01->bf01\n");
  add(f32, {3, 16, 20}, {1, 20, 24},
      "  ROOT c = f32[3,16,24] convolution(x, y), window={size=1}, dim_labels=b0f_0io->b0f\n");
  add(f32, {2, 8, 16}, {4, 16, 20},
      "  ROOT c = f32[2,14,20] convolution(x, y), window={size=4 pad=1_1 lhs_dilate=2}, dim_labels=b0f_0io->b0f\n");
  add(f32, {16, 6, 5}, {16, 4, 9},  // the gradient of a kernel: the batch is summed over
      "  ROOT c = f32[3,5,9] convolution(x, y), window={size=4}, dim_labels=f0b_i0o->0bf\n");
  add(DType::kBF16, {2, 12, 8}, {3, 8, 24},
      "  ROOT c = bf16[2,12,24] convolution(x, y), window={size=3 pad=1_1 rhs_reversal=1}, dim_labels=b0f_0io->b0f\n");
  add(f32, {2, 12, 8}, {3, 8, 24},
      "  n = f32[2,12,8] negate(x)\n"
      "  c = f32[2,12,24] convolution(n, y), window={size=3 pad=2_0}, dim_labels=b0f_0io->b0f\n"
      "  zero = f32[] constant(0)\n  zeros = f32[2,12,24] broadcast(zero), dimensions={}\n"
      "  ROOT m = f32[2,12,24] maximum(c, zeros)\n");
  programs.expect_right();
}

TEST(Windows, SelectedAndScattered) {
  Programs programs;
  const auto add = [&](DType dtype, std::vector<int64_t> x, std::vector<int64_t> y, const std::string& window,
                       const std::string& direction, const std::string& opcode) {
    const std::string type(dtype_name(dtype));
    const std::string select = "select {\n  p = " + type + "[] parameter(0)\n  q = " + type +
                               "[] parameter(1)\n  ROOT c = pred[] compare(p, q), direction=" + direction + "\n}\n\n";
    const std::string result = to_string(Shape::array(dtype, x));
    programs.add("  init = " + type + "[] constant(1)\n  ROOT s = " + result +
                     " select-and-scatter(x, y, init), window={" + window + "}, select=select, scatter=scatter\n",
                 {{dtype, x, 3}, {dtype, y, 3}}, combiner("scatter", type, opcode) + select);
  };
  const auto f32 = DType::kF32;
  add(f32, {6, 8}, {3, 4}, "size=2x2 stride=2x2", "GE", "add");
  add(f32, {7, 9}, {3, 4}, "size=3x3 stride=2x2", "GE", "add");
  add(f32, {7, 9}, {4, 5}, "size=3x3 stride=2x2 pad=1_1x1_1", "GE", "add");
  add(f32, {7, 9}, {4, 5}, "size=3x3 stride=2x2 pad=1_1x1_1", "LE", "maximum");
  add(f32, {7}, {7}, "size=3 pad=1_1", "GT", "subtract");
  add(f32, {2, 5, 5, 3}, {2, 2, 2, 3}, "size=1x2x2x1 stride=1x3x3x1", "GE", "add");  // elements in no window
  add(DType::kS32, {4, 2}, {2, 2}, "size=3x1 stride=2x1 pad=0_1x0_0", "GE", "add");
  add(DType::kBF16, {9}, {4}, "size=2 stride=2 pad=0_-1", "GE", "add");
  add(f32, {1}, {1}, "size=1", "GE", "multiply");
  add(f32, {3, 0}, {2, 0}, "size=2x1", "GE", "add");
  // Many overlap: the choice is made along one dimension after the other.
  add(f32, {20, 21}, {8, 9}, "size=13x13", "GE", "add");
  add(f32, {2, 24, 25, 3}, {2, 12, 12, 3}, "size=1x9x9x1 stride=1x2x2x1 pad=0_0x4_3x4_3x0_0", "LT", "add");
  add(f32, {20, 21}, {46, 47}, "size=13x13 pad=19_19x19_19", "GT", "maximum");  // windows in padding alone
  add(DType::kS32, {12, 13, 14}, {9, 10, 12}, "size=4x4x3", "LE", "add");
  add(DType::kBF16, {20, 21}, {8, 9}, "size=13x13", "LE", "add");
  // What comes after a NaN in a window is chosen whatever came before it.
  const std::string select =
      "select {\n  p = f32[] parameter(0)\n  q = f32[] parameter(1)\n  ROOT c = pred[] compare(p, q), "
      "direction=GE\n}\n\n";
  programs.add(
      "  init = f32[] constant(0)\n"
      "  one_or_nan = f32[20,21] divide(x, x)\n"
      "  values = f32[20,21] add(x, one_or_nan)\n"
      "  ROOT s = f32[20,21] select-and-scatter(values, y, init), window={size=13x13}, select=select, "
      "scatter=scatter\n",
      {{f32, {20, 21}, 6}, {f32, {8, 9}, 3}}, combiner("scatter", "f32", "add") + select);
  programs.expect_right();
}

TEST(Windows, BatchNorms) {
  Programs programs;
  const RandomInput feature = {DType::kF32, {5}, 1};
  const auto input = [](std::vector<int64_t> dims) { return RandomInput{DType::kF32, std::move(dims), 1}; };
  programs.add("  ROOT n = (f32[3,5,7], f32[5], f32[5]) batch-norm-training(x, y, z), epsilon=0.5, feature_index=1\n",
               {input({3, 5, 7}), feature, feature}, "", false);
  programs.add(
      "  s = f32[5] multiply(w, w)\n"
      "  ROOT n = f32[4,3,5] batch-norm-inference(x, y, z, v, s), epsilon=0.01, feature_index=2\n",
      {input({4, 3, 5}), feature, feature, feature, feature}, "", false);
  programs.add(
      "  s = f32[5] multiply(v, v)\n"
      "  ROOT n = (f32[5,6], f32[5], f32[5]) batch-norm-grad(x, y, z, s, w), epsilon=0.25, feature_index=0\n",
      {input({5, 6}), feature, feature, feature, input({5, 6})}, "", false);
  programs.expect_right();
}

}  // namespace
}  // namespace sinter
