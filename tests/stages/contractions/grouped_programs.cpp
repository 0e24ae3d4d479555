// grouped_programs: convolutions of few features, of which several places are one (group_places): of the input, of the
// result, of both; features last and first, in one, two and three dimensions. Each is compared with the evaluator.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

StageProgram convolution_program(const std::string& name, DType dtype, DType result, const std::vector<int64_t>& array,
                                 const std::vector<int64_t>& kernel, const std::vector<int64_t>& results,
                                 const std::string& window) {
  const std::string text = "HloModule " + name + "\n\nENTRY main {\n  array = " + shape_text(dtype, array) +
                           " parameter(0)\n  kernel = " + shape_text(dtype, kernel) +
                           " parameter(1)\n  results = " + shape_text(result, results) +
                           " convolution(array, kernel), " + window +
                           "\n  ROOT doubled = " + shape_text(result, results) + " add(results, results)\n}\n";
  return {name, text, few_values(10, false)};
}

std::vector<StageProgram> programs() {
  constexpr DType kHalf = DType::kBF16, kSingle = DType::kF32;
  const std::string last = ", dim_labels=b01f_01io->b01f", first = ", dim_labels=bf01_oi01->bf01";
  const std::string in_twos = "window={size=7x7 stride=2x2 pad=3_3x3_3}";
  const std::string wide = "window={size=9x9 pad=4_4x4_4}", even = "window={size=4x4 pad=1_2x2_1}";
  const std::string near = "window={size=3x3 pad=1_1x1_1}", far = "window={size=5x5 pad=2_2x2_2}";
  return {
      convolution_program("colours", kHalf, kHalf, {2, 37, 35, 3}, {7, 7, 3, 45}, {2, 19, 18, 45}, in_twos + last),
      convolution_program("planes", kHalf, kHalf, {2, 3, 37, 35}, {45, 3, 7, 7}, {2, 45, 19, 18}, in_twos + first),
      convolution_program("cut", kHalf, kSingle, {3, 41, 38, 3}, {4, 4, 3, 37}, {3, 41, 19, 37},
                          "window={size=4x4 stride=1x2 pad=1_2x1_1}" + last),
      convolution_program("images", kSingle, kSingle, {2, 21, 20, 32}, {9, 9, 32, 3}, {2, 21, 20, 3}, wide + last),
      convolution_program("image_planes", kSingle, kSingle, {3, 32, 21, 35}, {3, 32, 5, 5}, {3, 3, 21, 35},
                          far + first),
      convolution_program("one_of_many", kHalf, kHalf, {2, 26, 34, 72}, {4, 4, 72, 2}, {2, 26, 34, 2}, even + last),
      convolution_program("both", kHalf, kHalf, {3, 47, 46, 3}, {3, 3, 3, 24}, {3, 47, 46, 24}, near + last),
      convolution_program("two", kSingle, kSingle, {4, 31, 36, 2}, {5, 5, 2, 24}, {4, 31, 36, 24}, far + last),
      convolution_program("sound", kHalf, kHalf, {3, 2, 9004}, {33, 2, 9}, {3, 33, 2251},
                          "window={size=9 stride=4 pad=4_4}, dim_labels=bf0_oi0->bf0"),
      convolution_program("solid", kHalf, kHalf, {1, 3, 9, 17, 16}, {32, 3, 3, 3, 3}, {1, 32, 9, 17, 16},
                          "window={size=3x3x3 pad=1_1x1_1x1_1}, dim_labels=bf012_oi012->bf012"),
      convolution_program("bytes", DType::kS8, DType::kS32, {4, 28, 24, 64}, {3, 3, 64, 3}, {4, 28, 24, 3},
                          near + last),
  };
}

}  // namespace
}  // namespace sinter

int main() {
  return sinter::run_stage_programs(
      sinter::programs(),
      [](sinter::DType dtype) {
        return dtype == sinter::DType::kS32 ? 0.0 : dtype == sinter::DType::kF32 ? 1e-5 : 0.01;
      },
      {}, {"group_places"});
}
