// row_programs: reductions in all forms of rows, side by side above all, with what is computed before and after them,
// and reductions that are split in two; compared with the evaluator bit for bit: sums are exact.
#include <algorithm>

#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct RowSpec {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<int64_t> dims;
  std::vector<int64_t> reduced;
  std::string combiner = "add", initial = "0";
  bool before = false;  // the operand is computed where it is read
  bool after = false;   // every element is compared with its result
};

std::string list(const std::vector<int64_t>& numbers) {
  std::string text;
  for (const int64_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return "{" + text + "}";
}

StageProgram row_program(const RowSpec& spec) {
  std::vector<int64_t> kept, kept_dims;
  for (int64_t d = 0; d < static_cast<int64_t>(spec.dims.size()); ++d) {
    if (std::find(spec.reduced.begin(), spec.reduced.end(), d) != spec.reduced.end()) continue;
    kept.push_back(d);
    kept_dims.push_back(spec.dims[d]);
  }
  const std::string scalar = shape_text(spec.dtype, {}), shape = shape_text(spec.dtype, spec.dims);
  const std::string result = shape_text(spec.dtype, kept_dims);
  std::string text = "HloModule " + spec.name + "\n\ncombine {\n  a = " + scalar + " parameter(0)\n  b = " + scalar +
                     " parameter(1)\n  ROOT c = " + scalar + " " + spec.combiner + "(a, b)\n}\n\nENTRY main {\n";
  text += "  x = " + shape + " parameter(0)\n  first = " + scalar + " constant(" + spec.initial + ")\n";
  if (spec.before) text += "  twice = " + shape + " add(x, x)\n";
  text += std::string("  ") + (spec.after ? "" : "ROOT ") + "r = " + result + " reduce(" +
          (spec.before ? "twice" : "x") + ", first), dimensions=" + list(spec.reduced) + ", to_apply=combine\n";
  if (spec.after) {
    text += "  spread = " + shape + " broadcast(r), dimensions=" + list(kept) + "\n";
    text += "  differences = " + shape + " subtract(x, spread)\n";
    text += "  squares = " + result + " multiply(r, r)\n";
    text += "  ROOT t = (" + shape + ", " + result + ") tuple(differences, squares)\n";
  }
  return {spec.name, text + "}\n", few_values(10, false)};
}

// A product of so long sums that it is made in parts, with a bias and a limit; without `rhs`, of one array with itself.
StageProgram product_program(const std::string& name, DType dtype, const std::vector<int64_t>& lhs,
                             const std::vector<int64_t>& rhs, const std::vector<int64_t>& result,
                             const std::string& dimensions) {
  const std::string scalar = shape_text(dtype, {}), shape = shape_text(dtype, result);
  const bool is_itself = rhs.empty();
  const std::string other = is_itself ? "" : "  b = " + shape_text(dtype, rhs) + " parameter(1)\n";
  return {name,
          "HloModule " + name + "\n\nENTRY main {\n  a = " + shape_text(dtype, lhs) + " parameter(0)\n" + other +
              "  bias = " + shape + " parameter(" + (is_itself ? "1" : "2") + ")\n  d = " + shape + " dot(a, " +
              (is_itself ? "a" : "b") + "), " + dimensions + "\n  s = " + shape + " add(d, bias)\n  zero = " + scalar +
              " constant(0)\n  zeros = " + shape + " broadcast(zero), dimensions={}\n  ROOT r = " + shape +
              " maximum(s, zeros)\n}\n",
          few_values(5, false)};
}

std::vector<StageProgram> programs() {
  constexpr DType bf16 = DType::kBF16, f64 = DType::kF64, s32 = DType::kS32, u8 = DType::kU8;
  const std::vector<RowSpec> rows = {
      {.name = "across", .dims = {200, 64}, .reduced = {0}},
      {.name = "across_few", .dims = {300, 10}, .reduced = {0}, .before = true},
      {.name = "across_beside", .dims = {150, 33}, .reduced = {0}, .before = true, .after = true},
      {.name = "across_kept", .dims = {2, 160, 48}, .reduced = {1}, .after = true},
      {.name = "across_a_row_each", .dims = {32, 140}, .reduced = {0}, .after = true},
      {.name = "across_long", .dims = {3, 1500, 7}, .reduced = {1}, .combiner = "maximum", .initial = "-inf"},
      {.name = "across_two", .dims = {3, 20, 30, 5, 4}, .reduced = {1, 2}, .before = true, .after = true},
      {.name = "across_doubles", .dtype = f64, .dims = {130, 40}, .reduced = {0}, .initial = "3"},
      {.name = "across_integers", .dtype = s32, .dims = {2, 129, 65}, .reduced = {1}, .after = true},
      {.name = "across_bytes", .dtype = u8, .dims = {2000, 3}, .reduced = {0}, .combiner = "xor"},
      {.name = "across_halves",
       .dtype = bf16,
       .dims = {128, 70},
       .reduced = {0},
       .combiner = "minimum",
       .initial = "inf"},
      {.name = "split", .dims = {300000}, .reduced = {0}, .before = true},
      {.name = "split_prime", .dtype = s32, .dims = {262147}, .reduced = {0}, .initial = "7"},
      {.name = "split_rows", .dims = {2, 262144}, .reduced = {1}, .after = true},
      {.name = "split_across", .dims = {10007, 5}, .reduced = {0}, .after = true},
      {.name = "split_between", .dims = {2, 9000, 3}, .reduced = {1}, .combiner = "maximum", .initial = "-inf"},
      {.name = "whole", .dims = {100, 500}, .reduced = {0, 1}, .before = true, .after = true},
      {.name = "warps", .dims = {40, 100}, .reduced = {1}, .after = true},
      {.name = "lanes", .dims = {500, 10}, .reduced = {1}, .after = true},
      // So many rows that a few lanes each have several elements: exactly or not, in vectors, in blocks that are not
      // full.
      {.name = "lanes_17", .dims = {16387, 17}, .reduced = {1}, .before = true, .after = true},
      {.name = "lanes_24", .dims = {16384, 24}, .reduced = {1}, .after = true},
      {.name = "lanes_64", .dims = {16391, 64}, .reduced = {1}, .combiner = "maximum", .initial = "-inf"},
      {.name = "lanes_halves",
       .dtype = bf16,
       .dims = {16384, 128},
       .reduced = {1},
       .combiner = "minimum",
       .initial = "inf"},
      {.name = "lanes_two", .dims = {129, 128, 5, 20}, .reduced = {2, 3}, .before = true, .after = true},
      // As many short rows.
      {.name = "lanes_5", .dims = {16387, 5}, .reduced = {1}, .before = true, .after = true},
      {.name = "lanes_8", .dims = {16384, 8}, .reduced = {1}, .after = true},
      {.name = "lanes_16",
       .dtype = bf16,
       .dims = {16391, 16},
       .reduced = {1},
       .combiner = "maximum",
       .initial = "-inf",
       .after = true},
      {.name = "lanes_doubles", .dtype = f64, .dims = {16400, 33}, .reduced = {1}, .after = true},
  };
  std::vector<StageProgram> result;
  for (const RowSpec& spec : rows) result.push_back(row_program(spec));
  const std::string plain = "lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  result.push_back(product_program("parts", DType::kF32, {8, 2048}, {2048, 70}, {8, 70}, plain));
  result.push_back(product_program("parts_of_integers", s32, {5, 1030}, {1030, 9}, {5, 9}, plain));
  result.push_back(product_program("parts_of_halves", bf16, {2, 5, 1024, 2}, {2, 1024, 2, 6}, {2, 5, 6},
                                   "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2,3}, "
                                   "rhs_contracting_dims={1,2}"));
  result.push_back(product_program("parts_of_a_vector", f64, {1536}, {1536, 40}, {40},
                                   "lhs_contracting_dims={0}, rhs_contracting_dims={0}"));
  result.push_back(product_program("parts_of_rows", DType::kF32, {3, 4096}, {1000, 4096}, {3, 1000},
                                   "lhs_contracting_dims={1}, rhs_contracting_dims={1}"));
  // Few columns and very many rows: sums of rows, in one part, in several, and in some that are not alike.
  const std::string rows_of_both = "lhs_contracting_dims={0}, rhs_contracting_dims={0}";
  result.push_back(product_program("columns", DType::kF32, {1000, 3}, {1000, 4}, {3, 4}, rows_of_both));
  result.push_back(product_program("columns_of_one", DType::kF32, {4096, 8}, {}, {8, 8}, rows_of_both));
  result.push_back(product_program("columns_in_parts", DType::kF32, {6000, 4}, {}, {4, 4}, rows_of_both));
  result.push_back(product_program("columns_filled_up", s32, {7001, 2}, {7001, 8}, {2, 8}, rows_of_both));
  result.push_back(product_program("columns_on_the_left", bf16, {3, 5003}, {5003, 2}, {3, 2}, plain));
  result.push_back(product_program("columns_and_vector", f64, {4500}, {4500, 5}, {5}, rows_of_both));
  const std::string of_batch =
      "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}";
  result.push_back(product_program("columns_of_batch", DType::kF32, {3, 5001, 2}, {}, {3, 2, 2}, of_batch));
  result.push_back(product_program("columns_of_batches", DType::kF32, {140, 1000, 3}, {140, 1000}, {140, 3}, of_batch));
  result.push_back(product_program("columns_of_warps", DType::kF32, {131072, 2}, {131072, 3}, {2, 3}, rows_of_both));
  return result;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
