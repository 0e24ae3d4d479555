// bins_programs: scatters of very many updates to few elements, which warps fill bins of, compared with the evaluator
// bit for bit: sums are exact.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

// One result: all elements begin as `initial`, and take their updates by `combiner`.
struct Result {
  std::string combiner, initial;
  DType dtype = DType::kF32;
};

struct BinsSpec {
  std::string name;
  int64_t bins = 1, updates = 1;
  std::vector<Result> results;
  int64_t columns = 0;     // of a matrix of so many bins, which pairs of numbers name; 0: they are a list
  bool computed = false;   // updates are computed where they are read
  int64_t most_equal = 1;  // neighbours that belong to one bin
  int64_t along = 0;       // elements of an update, and of a bin, that are a row of them; 0: one
};

StageProgram bins_program(const BinsSpec& spec) {
  const bool matrix = spec.columns > 0;
  const std::string count = std::to_string(spec.updates);
  const auto dims = matrix ? std::vector{spec.bins / spec.columns, spec.columns} : std::vector{spec.bins};
  const auto with_row = [&](std::vector<int64_t> outer) {
    if (spec.along > 0) outer.push_back(spec.along);
    return outer;
  };
  std::string text = "HloModule " + spec.name + "\n", body, names, types;
  // Numbers from a few below 0 to a few above the last bin.
  const auto numbers = [&](const std::string& name, int64_t parameter, int64_t end) {
    const std::string list = "s32[" + count + "]";
    body += "  " + name + "_drawn = " + list + " parameter(" + std::to_string(parameter) + ")\n  " + name +
            "_place = " + list + " iota(), iota_dimension=0\n";
    const auto spread = [&](const std::string& value, int64_t number) {
      body += "  " + name + value + " = s32[] constant(" + std::to_string(number) + ")\n  " + name + value +
              "s = " + list + " broadcast(" + name + value + "), dimensions={}\n";
    };
    spread("_equal", spec.most_equal);
    spread("_prime", 7919);
    spread("_end", end + 5);
    spread("_below", 3);
    body += "  " + name + "_group = " + list + " divide(" + name + "_place, " + name + "_equals)\n  " + name +
            "_far = " + list + " multiply(" + name + "_group, " + name + "_primes)\n  " + name + "_moved = " + list +
            " add(" + name + "_far, " + name + "_drawn)\n  " + name + "_wrapped = " + list + " remainder(" + name +
            "_moved, " + name + "_ends)\n  " + name + "_at = " + list + " subtract(" + name + "_wrapped, " + name +
            "_belows)\n  " + name + " = s32[" + count + ",1] reshape(" + name + "_at)\n";
  };
  numbers("rows", 0, dims[0]);
  std::string places = "rows", attributes = "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}";
  int64_t parameter = 1;
  if (matrix) {
    numbers("columns", parameter++, dims[1]);
    body += "  places = s32[" + count + ",2] concatenate(rows, columns), dimensions={1}\n";
    places = "places", attributes = "inserted_window_dims={0,1}, scatter_dims_to_operand_dims={0,1}";
  }
  for (size_t i = 0; i < spec.results.size(); ++i) {
    const Result& result = spec.results[i];
    const std::string n = std::to_string(i), scalar = shape_text(result.dtype, {});
    const std::string elements = shape_text(result.dtype, with_row(dims));
    const std::string updates = shape_text(result.dtype, with_row({spec.updates}));
    text += "\ncombine" + n + " {\n  a = " + scalar + " parameter(0)\n  b = " + scalar +
            " parameter(1)\n  ROOT c = " + scalar + " " + result.combiner + "(a, b)\n}\n";
    body += "  update" + n + " = " + updates + " parameter(" + std::to_string(parameter++) + ")\n  initial" + n +
            " = " + scalar + " constant(" + result.initial + ")\n  start" + n + " = " + elements +
            " broadcast(initial" + n + "), dimensions={}\n";
    if (spec.computed) body += "  value" + n + " = " + updates + " add(update" + n + ", update" + n + ")\n";
    body += "  bins" + n + " = " + elements + " scatter(start" + n + ", " + places + ", " +
            (spec.computed ? "value" : "update") + n + "), update_window_dims=" + (spec.along > 0 ? "{1}, " : "{}, ") +
            attributes + ", index_vector_dim=1, to_apply=combine" + n + "\n";
    names += (i == 0 ? "bins" : ", bins") + n;
    types += (i == 0 ? "" : ", ") + elements;
  }
  text += "\nENTRY main {\n" + body + "  ROOT results = (" + types + ") tuple(" + names + ")\n}\n";
  return {spec.name, text, few_values(10, false)};
}

// Of a batch, whose dimensions are these, each has bins; `along`: elements of an update, and of a bin, that are a row
// of them.
StageProgram batch_program(const std::string& name, const std::vector<int64_t>& batch, int64_t bins, int64_t updates,
                           const Result& result, int64_t along = 0) {
  const auto with = [&](std::initializer_list<int64_t> last) {
    std::vector<int64_t> dims = batch;
    dims.insert(dims.end(), last);
    return dims;
  };
  std::string first;
  for (size_t d = 0; d < batch.size(); ++d) first += (d == 0 ? "" : ",") + std::to_string(d);
  const std::string last = std::to_string(batch.size()), vector = std::to_string(batch.size() + 1);
  const auto rows_of = [&](int64_t count) {
    return shape_text(result.dtype, along > 0 ? with({count, along}) : with({count}));
  };
  const std::string scalar = shape_text(result.dtype, {}), elements = rows_of(bins), pairs = rows_of(updates);
  const std::string list = shape_text(DType::kS32, with({updates}));
  const std::string windows = along > 0 ? "{" + vector + "}" : "{}";
  std::string text = "HloModule " + name + "\n\ncombine {\n  a = " + scalar + " parameter(0)\n  b = " + scalar +
                     " parameter(1)\n  ROOT c = " + scalar + " " + result.combiner +
                     "(a, b)\n}\n\nENTRY main {\n  drawn = " + list + " parameter(0)\n  update = " + pairs +
                     " parameter(1)\n  place = " + list + " iota(), iota_dimension=" + last + "\n  which = " + list +
                     " iota(), iota_dimension=0\n";
  const auto spread = [&](const std::string& value, int64_t number) {
    text += "  " + value + " = s32[] constant(" + std::to_string(number) + ")\n  " + value + "s = " + list +
            " broadcast(" + value + "), dimensions={}\n";
  };
  spread("prime", 7919);
  spread("end", bins + 5);
  spread("below", 3);
  text += "  far = " + list + " multiply(place, primes)\n  moved = " + list + " add(far, drawn)\n  turned = " + list +
          " add(moved, which)\n  wrapped = " + list + " remainder(turned, ends)\n  at = " + list +
          " subtract(wrapped, belows)\n  rows = " + shape_text(DType::kS32, with({updates, 1})) +
          " reshape(at)\n  initial = " + scalar + " constant(" + result.initial + ")\n  start = " + elements +
          " broadcast(initial), dimensions={}\n  ROOT bins = " + elements +
          " scatter(start, rows, update), update_window_dims=" + windows + ", inserted_window_dims={" + last +
          "}, scatter_dims_to_operand_dims={" + last + "}, input_batching_dims={" + first +
          "}, scatter_indices_batching_dims={" + first + "}, index_vector_dim=" + vector + ", to_apply=combine\n}\n";
  return {name, text, few_values(10, false)};
}

// Places that a binary search among edges finds, as jax.numpy.searchsorted does, in a loop of each update's own.
StageProgram searched_program(const std::string& name, int64_t edges, int64_t updates, const Result& result) {
  const std::string count = std::to_string(updates), list = "s32[" + count + "]", values = "f32[" + count + "]";
  const std::string table = "f32[" + std::to_string(edges) + "]", scalar = shape_text(result.dtype, {});
  const std::string state = "(s32[], " + list + ", " + list + ", " + table + ", " + values + ")";
  const std::string bins = shape_text(result.dtype, {edges + 1}), weights = shape_text(result.dtype, {updates});
  int64_t steps = 1;
  while (int64_t{1} << steps <= edges) ++steps;
  std::string text = "HloModule " + name + "\n\ncombine {\n  a = " + scalar + " parameter(0)\n  b = " + scalar +
                     " parameter(1)\n  ROOT c = " + scalar + " " + result.combiner +
                     "(a, b)\n}\n\nhalve {\n  s = " + state + " parameter(0)\n";
  const std::vector<std::string> types = {"s32[]", list, list, table, values};
  const auto elements = [&](const std::vector<std::string>& names) {
    for (size_t i = 0; i < names.size(); ++i) {
      text += "  " + names[i] + " = " + types[i] + " get-tuple-element(s), index=" + std::to_string(i) + "\n";
    }
  };
  elements({"i", "low", "high", "edges", "x"});
  text += "  one = s32[] constant(1)\n  next = s32[] add(i, one)\n  two = s32[] constant(2)\n  twos = " + list +
          " broadcast(two), dimensions={}\n  apart = " + list + " subtract(high, low)\n  half = " + list +
          " divide(apart, twos)\n  middle = " + list + " add(low, half)\n  at = s32[" + count +
          ",1] reshape(middle)\n  edge = " + values +
          " gather(edges, at), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
          "slice_sizes={1}\n  left = pred[" +
          count + "] compare(x, edge), direction=LT\n  low_next = " + list +
          " select(left, low, middle)\n  high_next = " + list + " select(left, middle, high)\n  ROOT t = " + state +
          " tuple(next, low_next, high_next, edges, x)\n}\n\ngoes_on {\n  s = " + state +
          " parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  steps = s32[] constant(" +
          std::to_string(steps) +
          ")\n  ROOT goes = pred[] compare(i, steps), direction=LT\n}\n\nENTRY main {\n  drawn = " + values +
          " parameter(0)\n  edges = " + table + " parameter(1)\n  weights = " + weights +
          " parameter(2)\n  zero = s32[] constant(0)\n  lows = " + list +
          " broadcast(zero), dimensions={}\n  end = s32[] constant(" + std::to_string(edges) + ")\n  highs = " + list +
          " broadcast(end), dimensions={}\n  begun = " + state +
          " tuple(zero, lows, highs, edges, drawn)\n  found = " + state +
          " while(begun), condition=goes_on, body=halve\n  place = " + list +
          " get-tuple-element(found), index=2\n  rows = s32[" + count + ",1] reshape(place)\n  initial = " + scalar +
          " constant(" + result.initial + ")\n  start = " + bins +
          " broadcast(initial), dimensions={}\n  ROOT bins = " + bins +
          " scatter(start, rows, weights), update_window_dims={}, inserted_window_dims={0}, "
          "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=combine\n}\n";
  // Numbers that are searched for, and edges, may be anything; weights are plain numbers, as above.
  return {name, text, [](const Shape& shape, size_t number) { return few_values(40, number < 2)(shape, number); }};
}

std::vector<StageProgram> programs() {
  constexpr DType f64 = DType::kF64, s32 = DType::kS32, u32 = DType::kU32, s64 = DType::kS64;
  constexpr DType f16 = DType::kF16, s8 = DType::kS8, pred = DType::kPred, c64 = DType::kC64;
  const std::vector<BinsSpec> specs = {
      {.name = "one_sum", .bins = 1024, .updates = 65537, .results = {{"add", "0"}}},
      {.name = "even_slices", .bins = 1000, .updates = 65536, .results = {{"add", "3"}}, .computed = true},
      {.name = "several",
       .bins = 700,
       .updates = 100003,
       .results = {{"add", "0", s32}, {"add", "-1", f64}, {"maximum", "-inf"}, {"minimum", "4"}}},
      {.name = "bits",
       .bins = 512,
       .updates = 66000,
       .results = {{"or", "0", u32}, {"and", "-1", s32}, {"xor", "5", u32}}},
      {.name = "narrow",
       .bins = 512,
       .updates = 66001,
       .results = {{"add", "0", f16}, {"maximum", "-128", s8}, {"or", "false", pred}, {"add", "(0, 0)", c64}}},
      {.name = "wide_integers", .bins = 640, .updates = 65600, .results = {{"add", "7", s64}, {"maximum", "0", s64}}},
      {.name = "matrix",
       .bins = 33 * 32,
       .updates = 70000,
       .results = {{"add", "0", s32}, {"add", "0"}},
       .columns = 32},
      {.name = "neighbours_meet", .bins = 520, .updates = 65700, .results = {{"add", "0"}}, .most_equal = 50},
      {.name = "rows", .bins = 16, .updates = 40001, .results = {{"add", "0"}}, .computed = true, .along = 64},
      // So few pairs that single elements would look at all updates.
      {.name = "few_rows", .bins = 7, .updates = 3001, .results = {{"add", "0"}}, .along = 3},
      {.name = "few_wide_rows", .bins = 9, .updates = 2500, .results = {{"maximum", "-inf"}}, .along = 40},
      {.name = "rows_of_odd_length",
       .bins = 30,
       .updates = 30011,
       .results = {{"add", "2"}, {"maximum", "-inf", f64}},
       .most_equal = 7,
       .along = 47},
      {.name = "long_rows", .bins = 9, .updates = 20000, .results = {{"add", "0", s32}}, .along = 301},
      {.name = "short_rows", .bins = 200, .updates = 60013, .results = {{"add", "0"}}, .along = 3},
      {.name = "short_rows_in_any_order", .bins = 128, .updates = 65536, .results = {{"add", "0", s32}}, .along = 4},
      {.name = "rows_of_matrix", .bins = 6 * 5, .updates = 30000, .results = {{"add", "0"}}, .columns = 5, .along = 40},
      {.name = "no_room_for_several_blocks", .bins = 5600, .updates = 360000, .results = {{"add", "0"}}},
  };
  std::vector<StageProgram> all;
  for (const BinsSpec& spec : specs) all.push_back(bins_program(spec));
  all.push_back(batch_program("batch", {5}, 300, 30011, {"add", "3"}));
  all.push_back(batch_program("counts_of_batch", {40}, 64, 16384, {"add", "0", s32}));
  all.push_back(batch_program("batch_of_two_dimensions", {2, 3}, 256, 24001, {"maximum", "-inf"}));
  all.push_back(batch_program("rows_of_batch", {5}, 300, 24001, {"add", "3"}, 2));
  all.push_back(batch_program("rows_of_two_dimensions", {2, 3}, 256, 24001, {"maximum", "-inf"}, 7));
  all.push_back(batch_program("batch_of_one", {1}, 1024, 65537, {"add", "0"}));
  all.push_back(searched_program("searched", 640, 65537, {"add", "0", s32}));
  all.push_back(searched_program("searched_in_turns", 700, 70001, {"maximum", "-inf"}));
  all.push_back(batch_program("a_block_each", {2000}, 256, 1024, {"add", "0", f64}));
  return all;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
