// scatter_programs: scatters whose updates are sorted, atomic, or plain, compared with the evaluator bit for bit. Sums
// of floats are exact: what is tested is which updates an element takes, and in which order.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

using Dims = std::vector<int64_t>;

// Which rows updates are of: few_values; mostly of few rows; of any alike; all of one; of none.
enum class Spread : uint8_t { kFew, kSkewed, kEven, kOne, kNone };

struct ScatterSpec {
  std::string name;
  DType dtype = DType::kF32;
  Dims operand, indices, updates;
  std::string attributes;  // of dimensions
  std::string combiner = "add";
  DType index_type = DType::kS32;
  int64_t values = 10;    // indices, too, are drawn from so many around zero
  bool computed = false;  // operand and updates are computed where they are read
  bool zeros = false;     // the operand is zeros
  Spread spread = Spread::kFew;
};

Literal draw_rows(const Shape& shape, Spread spread, int64_t rows) {
  Literal literal(shape);
  uint64_t state = 1;
  for (int64_t i = 0; i < shape.element_count(); ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double drawn = static_cast<double>(state >> 33) / static_cast<double>(uint64_t{1} << 31);
    const double skewed = drawn * drawn * drawn * drawn * drawn * drawn;
    int64_t row = rows;  // none
    if (spread == Spread::kOne) row = rows / 2;
    if (spread == Spread::kEven) row = static_cast<int64_t>(drawn * static_cast<double>(rows));
    if (spread == Spread::kSkewed) row = static_cast<int64_t>(skewed * static_cast<double>(rows));
    literal.set_integer(i, row);
  }
  return literal;
}

std::string combiner_text(const std::string& combiner, const std::string& scalar) {
  std::string text = "combine {\n  a = " + scalar + " parameter(0)\n  b = " + scalar + " parameter(1)\n";
  if (combiner == "last") return text + "  ROOT c = " + scalar + " copy(b)\n}\n\n";
  // Each update counts twice as much as all before it.
  if (combiner == "mixed") {
    return text + "  half = " + scalar + " constant(0.5)\n  h = " + scalar + " multiply(a, half)\n" +
           "  ROOT c = " + scalar + " add(h, b)\n}\n\n";
  }
  return text + "  ROOT c = " + scalar + " " + combiner + "(a, b)\n}\n\n";
}

StageProgram scatter_program(const ScatterSpec& spec) {
  const std::string scalar = shape_text(spec.dtype, {}), operand = shape_text(spec.dtype, spec.operand);
  const std::string updates = shape_text(spec.dtype, spec.updates);
  std::string text = "HloModule " + spec.name + "\n\n" + combiner_text(spec.combiner, scalar) + "ENTRY main {\n";
  text += "  i = " + shape_text(spec.index_type, spec.indices) + " parameter(0)\n";
  text += "  u = " + updates + " parameter(1)\n";
  if (spec.zeros) {
    text += "  zero = " + scalar + " constant(0)\n  x = " + operand + " broadcast(zero), dimensions={}\n";
  } else {
    text += "  x = " + operand + " parameter(2)\n";
  }
  std::string names[] = {"x", "u"};
  if (spec.computed) {
    text += "  x2 = " + operand + " add(x, x)\n  u2 = " + updates + " add(u, u)\n";
    names[0] = "x2", names[1] = "u2";
  }
  text += "  ROOT s = " + operand + " scatter(" + names[0] + ", i, " + names[1] + "), " + spec.attributes +
          ", to_apply=combine\n}\n";
  const DrawInput few = few_values(spec.values, false);
  if (spec.spread == Spread::kFew) return {spec.name, text, few};
  return {spec.name, text, [few, spec](const Shape& shape, size_t number) {
            return number == 0 ? draw_rows(shape, spec.spread, spec.operand[0]) : few(shape, number);
          }};
}

// Shares of updates, whatever rows these are of: of one element, of few, of columns in tiles that are alike or not.
std::vector<ScatterSpec> shared_updates(const std::string& elements, const std::string& rows) {
  std::vector<ScatterSpec> specs;
  for (const auto& [name, spread] : {std::pair{"skewed", Spread::kSkewed}, std::pair{"even", Spread::kEven},
                                     std::pair{"one_row", Spread::kOne}, std::pair{"no_row", Spread::kNone}}) {
    specs.push_back({.name = name + std::string("_elements"),
                     .operand = {5003},
                     .indices = {9001, 1},
                     .updates = {9001},
                     .attributes = elements,
                     .spread = spread});
    specs.push_back({.name = name + std::string("_whole_shares"),
                     .dtype = DType::kBF16,
                     .operand = {9000},
                     .indices = {8192, 1},
                     .updates = {8192},
                     .attributes = elements,
                     .zeros = true,
                     .spread = spread});
    specs.push_back({.name = name + std::string("_rows"),
                     .operand = {700, 128},
                     .indices = {2817, 1},
                     .updates = {2817, 128},
                     .attributes = rows,
                     .computed = true,
                     .spread = spread});
    specs.push_back({.name = name + std::string("_odd_rows"),
                     .operand = {701, 131},
                     .indices = {2817, 1},
                     .updates = {2817, 131},
                     .attributes = rows,
                     .combiner = "maximum",
                     .spread = spread});
    specs.push_back({.name = name + std::string("_last"),
                     .operand = {5003},
                     .indices = {9001, 1},
                     .updates = {9001},
                     .attributes = elements,
                     .combiner = "last",
                     .spread = spread});
    specs.push_back({.name = name + std::string("_wide_rows"),
                     .operand = {60, 1000},
                     .indices = {700, 1},
                     .updates = {700, 1000},
                     .attributes = rows,
                     .spread = spread});
  }
  // Windows over a dimension in front of the places, of an array that is not turned: places that meet, and some out of
  // range.
  const std::string heads =
      "update_window_dims={1,2}, inserted_window_dims={0,2}, scatter_dims_to_operand_dims={0,2}, index_vector_dim=1";
  specs.push_back({.name = "heads_in_front",
                   .operand = {7, 5, 1811, 17},
                   .indices = {41, 2},
                   .updates = {41, 5, 17},
                   .attributes = heads,
                   .combiner = "last"});
  specs.push_back({.name = "columns_in_front",
                   .dtype = DType::kS32,
                   .operand = {131, 8209},
                   .indices = {67, 1},
                   .updates = {131, 67},
                   .attributes = "update_window_dims={0}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, "
                                 "index_vector_dim=1",
                   .values = 40});
  // Runs of several batches, of updates and of parts.
  specs.push_back({.name = "long_runs",
                   .operand = {90, 1000},
                   .indices = {2817, 1},
                   .updates = {2817, 1000},
                   .attributes = rows,
                   .spread = Spread::kEven});
  specs.push_back({.name = "many_parts",
                   .operand = {200, 64},
                   .indices = {17001, 1},
                   .updates = {17001, 64},
                   .attributes = rows,
                   .spread = Spread::kSkewed});
  return specs;
}

// Indices that are a permutation: no two updates meet.
constexpr const char* kUnique = R"(HloModule no_two_meet

product {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] multiply(a, b)
}

ENTRY main {
  x = f32[9001,3] parameter(0)
  u = f32[9001,3] parameter(1)
  n = s32[9001] iota(), iota_dimension=0
  seven = s32[] constant(7)
  sevens = s32[9001] broadcast(seven), dimensions={}
  size = s32[] constant(9001)
  sizes = s32[9001] broadcast(size), dimensions={}
  m = s32[9001] multiply(n, sevens)
  i = s32[9001] remainder(m, sizes)
  ROOT s = f32[9001,3] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, unique_indices=true, to_apply=product
}
)";

std::vector<StageProgram> programs() {
  constexpr DType pred = DType::kPred, bf16 = DType::kBF16, f16 = DType::kF16, f64 = DType::kF64, c64 = DType::kC64,
                  s4 = DType::kS4, s8 = DType::kS8, u8 = DType::kU8, u16 = DType::kU16, s32 = DType::kS32,
                  u32 = DType::kU32, s64 = DType::kS64;
  const std::string elements =
      "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
      "index_vector_dim=1";
  const std::string rows =
      "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
      "index_vector_dim=1";
  std::vector<ScatterSpec> scatters = {
      {.name = "rows_of_floats",
       .operand = {300, 17},
       .indices = {2500, 1},
       .updates = {2500, 17},
       .attributes = rows,
       .values = 800,
       .computed = true},
      {.name = "one_row_often",
       .operand = {5000, 2},
       .indices = {3000, 1},
       .updates = {3000, 2},
       .attributes = rows,
       .values = 4},
      {.name = "elements",
       .operand = {5000},
       .indices = {9000, 1},
       .updates = {9000},
       .attributes = elements,
       .values = 12000,
       .zeros = true},
      {.name = "halves",
       .dtype = f16,
       .operand = {5000},
       .indices = {3000, 1},
       .updates = {3000},
       .attributes = elements,
       .values = 40},
      {.name = "brains",
       .dtype = bf16,
       .operand = {2500, 3},
       .indices = {3000, 1},
       .updates = {3000, 3},
       .attributes = rows,
       .values = 20},
      {.name = "doubles",
       .dtype = f64,
       .operand = {5000},
       .indices = {3000},
       .updates = {3000},
       .attributes = elements,
       .index_type = s64,
       .values = 9000},
      {.name = "complexes",
       .dtype = c64,
       .operand = {5000},
       .indices = {3000, 1},
       .updates = {3000},
       .attributes = elements,
       .values = 300},
      {.name = "last_wins",
       .operand = {70, 80, 5},
       .indices = {3000, 2},
       .updates = {3000, 5},
       .attributes = "update_window_dims={1}, inserted_window_dims={0,1}, scatter_dims_to_operand_dims={1,0}, "
                     "index_vector_dim=1",
       .combiner = "last",
       .index_type = s64,
       .values = 150},
      {.name = "order_matters",
       .dtype = f64,
       .operand = {300},
       .indices = {2500, 1},
       .updates = {2500},
       .attributes = elements,
       .combiner = "mixed",
       .values = 300},
      {.name = "columns",
       .operand = {17, 300},
       .indices = {2500, 1},
       .updates = {17, 2500},
       .attributes = "update_window_dims={0}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, "
                     "index_vector_dim=1",
       .values = 600},
      {.name = "windows_of_one",
       .operand = {300, 17},
       .indices = {2500},
       .updates = {2500, 1, 17},
       .attributes = "update_window_dims={1,2}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, "
                     "index_vector_dim=1",
       .values = 600},
      {.name = "batches",
       .operand = {2, 3000},
       .indices = {2, 2500, 1},
       .updates = {2, 2500},
       .attributes = "update_window_dims={}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, "
                     "input_batching_dims={0}, scatter_indices_batching_dims={0}, index_vector_dim=2",
       .values = 6000},
      {.name = "small_integers",
       .dtype = s4,
       .operand = {5000},
       .indices = {3000, 1},
       .updates = {3000},
       .attributes = elements,
       .values = 16},
      {.name = "atomic_sum",
       .dtype = s32,
       .operand = {5000},
       .indices = {3000, 1},
       .updates = {3000},
       .attributes = elements,
       .index_type = u8,
       .values = 300,
       .zeros = true},
      {.name = "atomic_long_sum",
       .dtype = s64,
       .operand = {1500, 3},
       .indices = {3000, 1},
       .updates = {3000, 3},
       .attributes = rows,
       .values = 700,
       .computed = true},
      {.name = "atomic_bytes",
       .dtype = s8,
       .operand = {5001},
       .indices = {3000, 1},
       .updates = {3000},
       .attributes = elements,
       .combiner = "maximum",
       .values = 200},
      {.name = "atomic_shorts",
       .dtype = u16,
       .operand = {5001},
       .indices = {3000, 1},
       .updates = {3000},
       .attributes = elements,
       .combiner = "xor",
       .values = 200},
      {.name = "atomic_product",
       .dtype = u32,
       .operand = {5000},
       .indices = {3000, 1},
       .updates = {3000},
       .attributes = elements,
       .combiner = "multiply",
       .values = 200},
      {.name = "atomic_least",
       .dtype = s64,
       .operand = {5000},
       .indices = {3000, 1},
       .updates = {3000},
       .attributes = elements,
       .combiner = "minimum",
       .values = 200},
      {.name = "atomic_flags",
       .dtype = pred,
       .operand = {5000},
       .indices = {3000, 1},
       .updates = {3000},
       .attributes = elements,
       .combiner = "and",
       .values = 200},
      {.name = "folded", .operand = {5000}, .indices = {30, 1}, .updates = {30}, .attributes = elements, .values = 200},
  };
  for (ScatterSpec& spec : shared_updates(elements, rows)) scatters.push_back(std::move(spec));
  std::vector<StageProgram> result;
  for (const ScatterSpec& spec : scatters) result.push_back(scatter_program(spec));
  result.push_back({"no_two_meet", kUnique, few_values(20, false)});
  return result;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
