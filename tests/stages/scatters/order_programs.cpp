// order_programs: scatters whose updates are not sorted, since their places are known to differ or to follow each other
// (mark_updates, sort_to_scatter), since all write the same, or since they are batches of bins (batch_bins). All are
// compared with the evaluator bit for bit. Sums of floats are exact.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

constexpr const char* kFunctions = R"(
second {
  a = f32[] parameter(0)
  ROOT b = f32[] parameter(1)
}

add {
  c = f32[] parameter(0)
  d = f32[] parameter(1)
  ROOT sum = f32[] add(c, d)
}

add_numbers {
  e = s32[] parameter(0)
  f = s32[] parameter(1)
  ROOT sum_1 = s32[] add(e, f)
}

before {
  g = f32[] parameter(0)
  h = f32[] parameter(1)
  i = s32[] parameter(2)
  j = s32[] parameter(3)
  ROOT less = pred[] compare(g, h), direction=LT, type=TOTALORDER
}

ascending {
  k = s32[] parameter(0)
  l = s32[] parameter(1)
  m = f32[] parameter(2)
  n = f32[] parameter(3)
  ROOT below = pred[] compare(k, l), direction=LT
}
)";

const std::string kElements =
    "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1";

// Counts of flags, before which `places` and what follows are made of %counts; s32[3001] and f32[3001].
StageProgram counted(const std::string& name, const std::string& places, const std::string& combiner = "second") {
  return {name,
          "HloModule " + name + "\n" + kFunctions + R"(
ENTRY main {
  flags = pred[3001] parameter(0)
  u = f32[3001] parameter(1)
  x = f32[3001] parameter(2)
  zero = s32[] constant(0)
  zeros = s32[3001] broadcast(zero), dimensions={}
  one = s32[] constant(1)
  ones = s32[3001] broadcast(one), dimensions={}
  size = s32[] constant(3001)
  sizes = s32[3001] broadcast(size), dimensions={}
  numbers = s32[3001] convert(flags)
  counts = s32[3001] reduce-window(numbers, zero), window={size=3001 pad=3000_0}, to_apply=add_numbers
  before_it = s32[3001] subtract(counts, ones)
)" + places + "  ROOT s = f32[3001] scatter(x, places, u), " +
              kElements + ", to_apply=" + combiner + "\n}\n",
          few_values(9, false)};
}

// Rows of an array are sorted, moved, and moved back.
std::string moved_text(const std::string& name, const std::string& dims, const std::string& along,
                       const std::string& batching) {
  const std::string floats = "f32[" + dims + "]", numbers = "s32[" + dims + "]",
                    dimension = "dimensions={" + along + "}";
  const std::string attributes = "update_window_dims={}, inserted_window_dims={" + along +
                                 "}, scatter_dims_to_operand_dims={" + along + "}, " + batching +
                                 "index_vector_dim=" + std::to_string(std::stoi(along) + 1) + ", to_apply=second";
  return "HloModule " + name + "\n" + kFunctions + "\nENTRY main {\n  x = " + floats +
         " parameter(0)\n  u = " + floats + " parameter(1)\n  place = " + numbers + " iota(), iota_dimension=" + along +
         "\n  sorted = (" + floats + ", " + numbers + ") sort(x, place), " + dimension +
         ", is_stable=true, to_apply=before\n  order = " + numbers +
         " get-tuple-element(sorted), index=1\n  moved = " + floats + " scatter(u, order, x), " + attributes +
         "\n  back = (" + numbers + ", " + floats + ") sort(order, u), " + dimension +
         ", is_stable=true, to_apply=ascending\n  undone = " + floats +
         " get-tuple-element(back), index=1\n  ROOT r = (" + floats + ", " + floats + ") tuple(moved, undone)\n}\n";
}

// Updates that write the same, or of which one decides; of an odd number of elements.
StageProgram alike(const std::string& name, const std::string& type, const std::string& updates,
                   const std::string& combiner) {
  const std::string array = type + "[5001]", list = type + "[3000]", scalar = type + "[]";
  const std::string function = combiner == "second" ? "copy(b)" : combiner + "(a, b)";
  return {name,
          "HloModule " + name + "\n\ncombine {\n  a = " + scalar + " parameter(0)\n  b = " + scalar +
              " parameter(1)\n  ROOT c = " + scalar + " " + function + "\n}\n\nENTRY main {\n  x = " + array +
              " parameter(0)\n  i = s32[3000] parameter(1)\n  given = " + list + " parameter(2)\n" + updates +
              "  ROOT s = " + array + " scatter(x, i, u), " + kElements + ", to_apply=combine\n}\n",
          few_values(400, false)};
}

// Histograms of columns, of groups of theirs too: `components` are the dimensions of the result.
StageProgram columns(const std::string& name, const std::string& dims, const std::string& components) {
  const int64_t rank = static_cast<int64_t>(std::count(dims.begin(), dims.end(), ',')) + 1;
  std::string all;
  for (int64_t d = 0; d < rank; ++d) all += (d > 0 ? "," : "") + std::to_string(d);
  return {name,
          "HloModule " + name + "\n" + kFunctions + R"(
ENTRY main {
  x = s32[23001,5] parameter(0)
  u = f32[23001,5] parameter(1)
  group = s32[23001] parameter(2)
  column = s32[5] iota(), iota_dimension=0
  c = s32[23001,5,1] broadcast(column), dimensions={1}
  p = s32[23001,5,1] reshape(x)
  g = s32[23001,5,1] broadcast(group), dimensions={0}
)" + "  i = s32[23001,5," +
              std::to_string(rank) + "] concatenate(" + components +
              "), dimensions={2}\n  zero = f32[] constant(0)\n  zeros = f32[" + dims +
              "] broadcast(zero), dimensions={}\n  ROOT s = f32[" + dims +
              "] scatter(zeros, i, u), update_window_dims={}, inserted_window_dims={" + all +
              "}, scatter_dims_to_operand_dims={" + all + "}, index_vector_dim=2, to_apply=add\n}\n",
          few_values(400, false)};
}

// The same of a flat array, whose places may wrap around, and count from the end below zero.
constexpr const char* kFlatColumns = R"(HloModule flat_columns

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT sum = f32[] add(a, b)
}

ENTRY main {
  x = u8[9001,8] parameter(0)
  u = f32[9001,8] parameter(1)
  group = s32[9001] parameter(2)
  columns = s32[] constant(8)
  all_columns = s32[9001] broadcast(columns), dimensions={}
  of_group = s32[9001] multiply(group, all_columns)
  g = s32[9001,8] broadcast(of_group), dimensions={0}
  c = s32[9001,8] iota(), iota_dimension=1
  gc = s32[9001,8] add(g, c)
  values = s32[] constant(256)
  all_values = s32[9001,8] broadcast(values), dimensions={}
  first = s32[9001,8] multiply(gc, all_values)
  v = s32[9001,8] convert(x)
  i = s32[9001,8] add(first, v)
  zero = s32[] constant(0)
  zeros = s32[9001,8] broadcast(zero), dimensions={}
  negative = pred[9001,8] compare(i, zeros), direction=LT
  size = s32[] constant(6144)
  sizes = s32[9001,8] broadcast(size), dimensions={}
  raised = s32[9001,8] add(i, sizes)
  at = s32[9001,8] select(negative, raised, i)
  places = s32[9001,8,1] reshape(at)
  nothing = f32[] constant(0)
  bins = f32[6144] broadcast(nothing), dimensions={}
  ROOT s = f32[6144] scatter(bins, places, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=2, to_apply=add
}
)";

// Groups of which some are none, and some are none but for what wraps around.
Literal draw_flat(const Shape& shape, size_t number) {
  if (number == 1) return few_values(20, false)(shape, number);
  Literal literal(shape);
  uint64_t state = 7;
  for (int64_t i = 0; i < shape.element_count(); ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto drawn = static_cast<int64_t>(state >> 40);
    const int64_t group = drawn % 9 - 4;
    literal.set_integer(i, number == 0 ? drawn % 256 : i % 10 == 0 ? (group << 21) + 1 : group);
  }
  return literal;
}

std::vector<StageProgram> programs() {
  const std::string select = "  places = s32[3001] select(flags, before_it, sizes)\n";
  const std::string exclusive = "  other = s32[3001] subtract(counts, numbers)\n";
  const std::string from_end =
      "  negative = pred[3001] compare(before_it, zeros), direction=LT\n  raised = s32[3001] add(before_it, sizes)\n"
      "  places = s32[3001] select(negative, raised, before_it)\n";
  return {
      counted("to_the_front", select),
      counted("to_the_front_by_earlier", exclusive + "  places = s32[3001] select(flags, other, sizes)\n"),
      counted("last_of_each", "  places = s32[3001] copy(before_it)\n"),
      counted("last_from_the_end", from_end),
      counted("sums_of_each", "  places = s32[3001] copy(before_it)\n", "add"),
      counted("last_of_halves", "  two = s32[3001] add(ones, ones)\n  places = s32[3001] divide(before_it, two)\n"),
      {"moved", moved_text("moved", "5003", "0", ""), few_values(2000)},
      {"moved_rows",
       moved_text("moved_rows", "3,4999", "1", "input_batching_dims={0}, scatter_indices_batching_dims={0}, "),
       few_values(2000)},
      alike("all_true", "pred", "  one = pred[] constant(true)\n  u = pred[3000] broadcast(one), dimensions={}\n",
            "second"),
      alike("all_the_same", "f64", "  one = f64[] parameter(3)\n  u = f64[3000] broadcast(one), dimensions={}\n",
            "second"),
      alike("any", "pred", "  u = pred[3000] copy(given)\n", "or"),
      alike("largest", "pred", "  u = pred[3000] not(given)\n", "maximum"),
      alike("every", "pred", "  u = pred[3000] copy(given)\n", "and"),
      alike("any_true", "pred", "  one = pred[] constant(true)\n  u = pred[3000] broadcast(one), dimensions={}\n",
            "maximum"),
      alike("odd_bytes", "u8", "  u = u8[3000] copy(given)\n", "add"),
      alike("odd_parity", "pred", "  u = pred[3000] copy(given)\n", "xor"),
      columns("columns_first", "5,300", "c, p"),
      columns("columns_last", "300,5", "p, c"),
      columns("columns_of_groups", "7,5,250", "g, c, p"),
      {"flat_columns", kFlatColumns, draw_flat},
  };
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
