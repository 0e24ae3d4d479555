// padded_programs: products whose rows have an odd number of terms, with zeros behind them (pad_terms): matrices in
// each order, batches, convolutions, those of each channel alone. Each is compared with the evaluator.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

StageProgram dot_program(const std::string& name, DType dtype, DType result, const std::vector<int64_t>& left,
                         const std::vector<int64_t>& right, const std::vector<int64_t>& product,
                         const std::string& dimensions) {
  std::string text = "HloModule " + name + "\n\nENTRY main {\n  left = " + shape_text(dtype, left) +
                     " parameter(0)\n  right = " + shape_text(dtype, right) +
                     " parameter(1)\n  ROOT product = " + shape_text(result, product) + " dot(left, right), " +
                     dimensions + "\n}\n";
  return {name, text, few_values(10, false)};
}

StageProgram convolution_program(const std::string& name, DType dtype, const std::vector<int64_t>& array,
                                 const std::vector<int64_t>& kernel, const std::vector<int64_t>& results,
                                 int64_t groups = 1) {
  const std::string text =
      "HloModule " + name + "\n\nENTRY main {\n  array = " + shape_text(dtype, array) +
      " parameter(0)\n  kernel = " + shape_text(dtype, kernel) +
      " parameter(1)\n  ROOT results = " + shape_text(dtype, results) +
      " convolution(array, kernel), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=" +
      std::to_string(groups) + "\n}\n";
  return {name, text, few_values(10, false)};
}

std::vector<StageProgram> programs() {
  const std::string rows = "lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  const std::string rows_of_both = "lhs_contracting_dims={1}, rhs_contracting_dims={1}";
  const std::string batches =
      "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}";
  return {
      dot_program("halves", DType::kBF16, DType::kBF16, {600, 515}, {515, 72}, {600, 72}, rows),
      dot_program("halves_of_f32", DType::kF16, DType::kF32, {72, 4097}, {65, 4097}, {72, 65}, rows_of_both),
      dot_program("bytes", DType::kS8, DType::kS32, {300, 1023}, {70, 1023}, {300, 70}, rows_of_both),
      dot_program("batches", DType::kBF16, DType::kF32, {3, 70, 1251}, {3, 1251, 66}, {3, 70, 66}, batches),
      convolution_program("features", DType::kBF16, {4, 33, 33, 67}, {3, 3, 67, 70}, {4, 33, 33, 70}),
      convolution_program("channels", DType::kBF16, {4, 33, 31, 67}, {3, 3, 1, 67}, {4, 33, 31, 67}, 67),
      convolution_program("channels_of_f32", DType::kF32, {5, 31, 30, 73}, {3, 3, 1, 73}, {5, 31, 30, 73}, 73),
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
      {}, {"pad_terms"});
}
