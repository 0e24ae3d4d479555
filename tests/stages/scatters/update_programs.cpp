// update_programs: scatters that write their updates alone, into arrays that are donated, carried by a loop or copied
// first; windows at places known while compiling; several scatters that become one. All are compared with the evaluator
// bit for bit, those that donate with one array and with two (run_batch.cpp). Sums of floats are exact.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

std::string combiner_text(const std::string& name, const std::string& scalar) {
  std::string text = name + " {\n  a = " + scalar + " parameter(0)\n  b = " + scalar + " parameter(1)\n";
  if (name == "last") return text + "  ROOT c = " + scalar + " copy(b)\n}\n\n";
  if (name == "mixed") {
    return text + "  half = " + scalar + " constant(0.5)\n  h = " + scalar + " multiply(a, half)\n" +
           "  ROOT c = " + scalar + " add(h, b)\n}\n\n";
  }
  return text + "  ROOT c = " + scalar + " " + name + "(a, b)\n}\n\n";
}

const std::string kRows =
    "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1";
const std::string kElements =
    "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1";
const std::string kGather =
    "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,";

// Updates of a large array.
struct Few {
  std::string name, combiner = "last";
  int64_t rows = 7001, columns = 41, updates = 40;
  DType dtype = DType::kF32;
  int64_t values = 30;  // of indices: some are out of range, some meet
  bool donated = true;
  bool reads = false;  // updates are made of the rows that they are of
  int64_t steps = 0;   // of a loop that carries the array
};

std::string update_text(const Few& few, const std::string& result) {
  const std::string array = shape_text(few.dtype, {few.rows, few.columns});
  const std::string updates = shape_text(few.dtype, {few.updates, few.columns});
  std::string text, values = "u";
  if (few.reads) {
    text += "  g = " + updates + " gather(x, i), " + kGather + std::to_string(few.columns) + "}\n";
    text += "  v = " + updates + " add(g, u)\n";
    values = "v";
  }
  return text + result + array + " scatter(x, i, " + values + "), " + kRows + ", to_apply=" + few.combiner + "\n";
}

StageProgram few_program(const Few& few) {
  const std::string array = shape_text(few.dtype, {few.rows, few.columns});
  const std::string updates = shape_text(few.dtype, {few.updates, few.columns});
  const std::string indices = shape_text(DType::kS32, {few.updates});
  std::string text = "HloModule " + few.name;
  if (few.donated) text += ", input_output_alias={ {}: (0, {}, may-alias) }";
  text += "\n\n" + combiner_text(few.combiner, shape_text(few.dtype, {}));
  if (few.steps == 0) {
    text += "ENTRY main {\n  x = " + array + " parameter(0)\n  i = " + indices + " parameter(1)\n  u = " + updates +
            " parameter(2)\n" + update_text(few, "  ROOT s = ") + "}\n";
    return {few.name, text, few_values(few.values, false)};
  }
  const std::string state = "(s32[], " + array + ", " + indices + ", " + updates + ")";
  text += "body {\n  p = " + state + " parameter(0)\n  n = s32[] get-tuple-element(p), index=0\n  x = " + array +
          " get-tuple-element(p), index=1\n  j = " + indices + " get-tuple-element(p), index=2\n  u = " + updates +
          " get-tuple-element(p), index=3\n  one = s32[] constant(1)\n  next = s32[] add(n, one)\n  m = " + indices +
          " broadcast(n), dimensions={}\n  i = " + indices + " add(j, m)\n" + update_text(few, "  s = ") +
          "  ROOT t = " + state + " tuple(next, s, j, u)\n}\n\ncond {\n  p = " + state +
          " parameter(0)\n  n = s32[] get-tuple-element(p), index=0\n  l = s32[] constant(" +
          std::to_string(few.steps) +
          ")\n  ROOT c = pred[] compare(n, l), direction=LT\n}\n\nENTRY main {\n  x = " + array +
          " parameter(0)\n  i = " + indices + " parameter(1)\n  u = " + updates +
          " parameter(2)\n  z = s32[] constant(0)\n  t = " + state + " tuple(z, x, i, u)\n  w = " + state +
          " while(t), condition=cond, body=body\n  ROOT r = " + array + " get-tuple-element(w), index=1\n}\n";
  return {few.name, text, few_values(few.values, false)};
}

// `count` windows of `width` elements, `hop` apart, of f32[length] or f32[3,length].
struct Overlap {
  std::string name;
  int64_t count, width, hop, first, length;
  std::string combiner = "add";
  bool turned = false;  // windows are columns of the updates
  bool rows = false;    // three at once
};

StageProgram overlap_program(const Overlap& o) {
  const std::vector<int64_t> dims =
      o.turned ? std::vector<int64_t>{o.width, o.count} : std::vector<int64_t>{o.count, o.width};
  const std::string indices = shape_text(DType::kS32, dims);
  std::vector<int64_t> of_updates = dims, of_array = {o.length};
  if (o.rows) of_updates.insert(of_updates.begin(), 3), of_array.insert(of_array.begin(), 3);
  const std::string updates = shape_text(DType::kF32, of_updates), array = shape_text(DType::kF32, of_array);
  const std::string attributes =
      o.rows ? "update_window_dims={0}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, index_vector_dim=2"
             : "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=2";
  const auto number = [&](const std::string& name, int64_t value) {
    return "  " + name + "_one = s32[] constant(" + std::to_string(value) + ")\n  " + name + " = " + indices +
           " broadcast(" + name + "_one), dimensions={}\n";
  };
  const std::string counted = o.turned ? "1" : "0", within = o.turned ? "0" : "1";
  std::string text = "HloModule " + o.name + "\n\n" + combiner_text(o.combiner, "f32[]") +
                     "ENTRY main {\n  x = " + array + " parameter(0)\n  u = " + updates +
                     " parameter(1)\n  m = " + indices + " iota(), iota_dimension=" + counted + "\n  n = " + indices +
                     " iota(), iota_dimension=" + within + "\n" + number("hop", o.hop) + number("first", o.first) +
                     "  h = " + indices + " multiply(m, hop)\n  k = " + indices + " add(h, n)\n  i = " + indices +
                     " add(k, first)\n  ROOT s = " + array + " scatter(x, i, u), " + attributes +
                     ", to_apply=" + o.combiner + "\n}\n";
  return {o.name, text, few_values(40, false)};
}

// Two scatters of the same rows of numbers, and what is made of them.
StageProgram joined_program(const std::string& name, int64_t rows, int64_t updates, const std::string& body,
                            const std::string& combiner = "add") {
  const auto list = [](int64_t count) { return "f32[" + std::to_string(count) + "]"; };
  const auto numbers = [](int64_t count) { return "s32[" + std::to_string(count) + "]"; };
  const std::string all = list(rows);
  std::string text = "HloModule " + name + "\n\n" + combiner_text(combiner, "f32[]") + "ENTRY main {\n";
  text += "  i = " + numbers(updates) + " parameter(0)\n  u = " + list(updates) + " parameter(1)\n";
  text += "  j = " + numbers(updates + 7) + " parameter(2)\n  v = " + list(updates + 7) + " parameter(3)\n";
  text += "  x = " + all + " parameter(4)\n  zero = f32[] constant(0)\n  zeros = " + all +
          " broadcast(zero), dimensions={}\n";
  for (const auto& [value, operand, of, what] :
       {std::tuple{"a", "zeros", "i", "u"}, std::tuple{"b", "zeros", "j", "v"}, std::tuple{"c", "x", "i", "u"},
        std::tuple{"d", "c", "j", "v"}, std::tuple{"e", "zeros", "i", "w"}}) {
    const bool is_read = body.find(value) != std::string::npos || (value == std::string("c") && body == "d");
    if (!is_read) continue;
    if (std::string(what) == "w") text += "  w = " + list(updates) + " multiply(u, u)\n";
    text += std::string("  ") + value + " = " + all + " scatter(" + operand + ", " + of + ", " + what + "), " +
            kElements + ", to_apply=" + combiner + "\n";
  }
  const bool is_value = body.size() == 1;
  text += "  ROOT r = " + all + (is_value ? " copy(" + body + ")" : " add(" + body + ")") + "\n}\n";
  return {name, text, few_values(400, false)};
}

// A step of training of a table of 64 MB, of which few rows have gradients, several of them more than one.
constexpr const char* kStep = R"(HloModule step_of_rows, input_output_alias={ {}: (0, {}, may-alias) }

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

ENTRY main {
  table = f32[17001,1000] parameter(0)
  i = s32[600] parameter(1)
  u = f32[600,1000] parameter(2)
  zero = f32[] constant(0)
  zeros = f32[17001,1000] broadcast(zero), dimensions={}
  half = f32[] constant(-0.5)
  halves = f32[17001,1000] broadcast(half), dimensions={}
  sums = f32[17001,1000] scatter(zeros, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add
  scaled = f32[17001,1000] multiply(sums, halves)
  ROOT step = f32[17001,1000] subtract(table, scaled)
}
)";

// A product that nothing but the scatter reads is written where that puts its rows; of one that another reads, a copy.
StageProgram product_program(const std::string& name, const std::string& results) {
  return {name,
          "HloModule " + name + R"(

last {
  a = f32[] parameter(0)
  ROOT b = f32[] parameter(1)
}

ENTRY main {
  x = f32[601,20] parameter(0)
  y = f32[20,500] parameter(1)
  i = s32[40] parameter(2)
  u = f32[40,500] parameter(3)
  d = f32[601,500] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  s = f32[601,500] scatter(d, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=last
  r = f32[601,500] add(s, s)
  ROOT t = (f32[601,500], f32[601,500]) tuple()" +
              results + ")\n}\n",
          few_values(30, false)};
}

std::vector<StageProgram> programs() {
  const std::vector<Few> few = {
      {.name = "last_of_few"},
      {.name = "last_of_few_copied", .donated = false},
      {.name = "sum_of_few", .combiner = "add"},
      {.name = "sum_of_few_copied", .combiner = "add", .donated = false},
      {.name = "largest_of_few", .combiner = "maximum"},
      {.name = "few_in_order", .combiner = "mixed"},
      {.name = "few_brains", .combiner = "add", .columns = 101, .dtype = DType::kBF16},
      {.name = "few_wide", .rows = 30, .columns = 9001, .updates = 9},
      {.name = "few_wide_sums", .combiner = "add", .rows = 30, .columns = 9001, .updates = 9},
      {.name = "last_of_hundreds", .updates = 900, .values = 300},
      {.name = "last_of_sorted", .updates = 2300, .values = 300},
      {.name = "sorted_in_order", .combiner = "mixed", .updates = 900, .values = 300},
      {.name = "sums_of_sorted", .combiner = "add", .updates = 900, .values = 300},
      {.name = "few_of_what_is_there", .combiner = "add", .reads = true},
      {.name = "last_of_what_is_there", .reads = true},
      {.name = "last_in_loop", .rows = 60001, .updates = 9, .donated = false, .steps = 5},
      {.name = "sum_in_loop", .combiner = "add", .rows = 60001, .updates = 9, .steps = 5},
      {.name = "reads_in_loop", .rows = 60001, .updates = 9, .reads = true, .steps = 3},
  };
  const std::vector<Overlap> overlaps = {
      {"quarter_hop", 3001, 48, 12, 0, 36048},
      {"odd_hop", 3001, 50, 13, 5, 39100},
      {"cut_off", 3001, 50, 13, -20, 39000},
      {"apart", 3001, 20, 33, 1, 99200},
      {"columns_of_updates", 3001, 50, 13, 5, 39100, "add", true},
      {"largest", 3001, 50, 13, 5, 39100, "maximum"},
      {"rows_at_once", 3001, 50, 25, 0, 75025, "add", false, true},
      {"too_many_over", 3001, 50, 2, 0, 6100},
  };
  std::vector<StageProgram> result;
  for (const Few& one : few) result.push_back(few_program(one));
  for (const Overlap& one : overlaps) result.push_back(overlap_program(one));
  result.push_back(joined_program("one_after_the_other", 5003, 9001, "d"));
  result.push_back(joined_program("last_one_after_the_other", 5003, 9001, "d", "last"));
  result.push_back(joined_program("sum_of_both", 5003, 9001, "a, b"));
  result.push_back(joined_program("sum_with_another", 5003, 9001, "b, x"));
  result.push_back(joined_program("sum_of_updates", 5003, 9001, "a, e"));
  result.push_back(joined_program("bins_of_both", 400, 90001, "a, b"));
  result.push_back(joined_program("bins_with_another", 400, 90001, "d"));
  result.push_back(product_program("product_written_over", "s, r"));
  result.push_back(product_program("product_copied", "s, d"));
  result.push_back({"step_of_rows", kStep, few_values(400, false)});
  return result;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
