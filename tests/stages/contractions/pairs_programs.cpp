// pairs_programs: reductions over pairs of a row and a column (passes/stages/pairs), compared with the evaluator: terms
// and combiners of all kinds and types, terms along any dimension, odd sizes, batches, what is made of the results.
#include <string>
#include <vector>

#include "tests/stages/base/planned_programs.h"
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct Sizes {
  int64_t batch, m, n, k;
};

struct PairsSpec {
  std::string name;
  DType dtype = DType::kF32;  // of what is read
  DType sum = DType::kF32;    // of the terms
  std::string term;           // instructions that make `term` of `x` and `y`, whose shape is {in}, or {sum} in `sum`
  std::string combiner = "add", begin = "0";
  Sizes sizes = {1, 37, 45, 13};
  int64_t term_dim = 3;        // where k stands in [batch, m, n, k]
  bool turned = false;         // operands have k before rows
  std::string after;           // of {out} `sums` makes `out`
  bool reads_results = false;  // `term` may read `z`, of each result, and `height`, of each of its rows
  // `term` may read `w`, of its place, `u`, of its row, and `v`, of its column
  bool reads_more = false;
  // Where the program has a reduction of its own: its computations, and instructions that make `out` of `term`.
  std::string functions = {}, reductions = {};
  bool special = true;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string text_of(const PairsSpec& spec) {
  const auto& [batch, m, n, k] = spec.sizes;
  // Kept dimensions are the batch, rows and columns, with the terms among them.
  std::vector<int64_t> dims = {batch, m, n};
  dims.insert(dims.begin() + spec.term_dim, k);
  const auto place = [&](int64_t kept) { return kept < spec.term_dim ? kept : kept + 1; };
  const auto list = [&](int64_t row) {
    const std::string of_row = std::to_string(place(row)), of_term = std::to_string(spec.term_dim);
    return std::to_string(place(0)) + "," + (spec.turned ? of_term + "," + of_row : of_row + "," + of_term);
  };
  const auto operand = [&](int64_t rows) {
    return shape_text(spec.dtype,
                      spec.turned ? std::vector<int64_t>{batch, k, rows} : std::vector<int64_t>{batch, rows, k});
  };
  const std::string in = shape_text(spec.dtype, dims), terms = shape_text(spec.sum, dims);
  const std::string out = shape_text(spec.sum, {batch, m, n}), scalar = shape_text(spec.sum, {});
  std::string text = "HloModule pairs\ncombine {\n  p = " + scalar + " parameter(0)\n  q = " + scalar +
                     " parameter(1)\n  ROOT c = " + scalar + " " + spec.combiner + "(p, q)\n}\nENTRY main {\n";
  text += "  rows = " + operand(m) + " parameter(0)\n  columns = " + operand(n) + " parameter(1)\n";
  text += "  x = " + in + " broadcast(rows), dimensions={" + list(1) + "}\n";
  text += "  y = " + in + " broadcast(columns), dimensions={" + list(2) + "}\n";
  if (spec.reads_results) {
    const std::string rows = std::to_string(place(0)) + "," + std::to_string(place(1));
    text += "  own = " + shape_text(spec.dtype, {batch, m, n}) + " parameter(2)\n  z = " + in +
            " broadcast(own), dimensions={" + rows + "," + std::to_string(place(2)) + "}\n";
    text += "  heights = " + shape_text(spec.dtype, {batch, m}) + " parameter(3)\n  height = " + in +
            " broadcast(heights), dimensions={" + rows + "}\n";
  }
  if (spec.reads_more) {
    const std::string of_term = std::to_string(spec.term_dim), first = spec.reads_results ? "4" : "2";
    const auto next = [&](int64_t number) { return std::to_string(number + (spec.reads_results ? 4 : 2)); };
    text += "  weights = " + shape_text(spec.dtype, {k}) + " parameter(" + first + ")\n  w = " + in +
            " broadcast(weights), dimensions={" + of_term + "}\n";
    text += "  more_rows = " + operand(m) + " parameter(" + next(1) + ")\n  u = " + in +
            " broadcast(more_rows), dimensions={" + list(1) + "}\n";
    text += "  more_columns = " + operand(n) + " parameter(" + next(2) + ")\n  v = " + in +
            " broadcast(more_columns), dimensions={" + list(2) + "}\n";
  }
  text += replaced(replaced(spec.term, "{in}", in), "{sum}", terms);
  if (!spec.reductions.empty()) {
    const std::string places = shape_text(DType::kS32, dims), place = shape_text(DType::kS32, {batch, m, n});
    std::string last = spec.reductions;
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"{sum}", terms},
                                   {"{out}", out},
                                   {"{places}", places},
                                   {"{place}", place},
                                   {"{k}", std::to_string(spec.term_dim)}})
      last = replaced(last, from, to);
    return replaced(text, "ENTRY main", spec.functions + "ENTRY main") + last + "}\n";
  }
  text += "  begin = " + scalar + " constant(" + spec.begin + ")\n";
  text += std::string(spec.after.empty() ? "  ROOT sums = " : "  sums = ") + out +
          " reduce(term, begin), dimensions={" + std::to_string(spec.term_dim) + "}, to_apply=combine\n";
  text += replaced(spec.after, "{out}", out) + "}\n";
  return text;
}

std::vector<PairsSpec> specs() {
  const std::string distance = "  d = {in} subtract(x, y)\n  term = {in} abs(d)\n";
  const std::string square = "  d = {in} subtract(x, y)\n  term = {in} multiply(d, d)\n";
  const std::string sum = "  term = {in} add(x, y)\n";
  const std::string bits = "  d = {in} xor(x, y)\n  term = {in} popcnt(d)\n";
  const std::string widened = "  d = {in} subtract(x, y)\n  a = {in} abs(d)\n  term = {sum} convert(a)\n";
  std::vector<PairsSpec> all;
  // Sizes and layouts.
  const std::vector<Sizes> sizes = {{1, 37, 45, 13},  {2, 64, 64, 16}, {1, 130, 129, 17}, {3, 2, 70, 5},
                                    {1, 128, 96, 32}, {1, 7, 2, 3},    {5, 33, 31, 40},   {1, 64, 32, 2},
                                    {1, 61, 67, 8},   {70, 3, 5, 12}};
  for (const Sizes& of : sizes) {
    const std::string at = "_" + std::to_string(of.batch) + "_" + std::to_string(of.m) + "_" + std::to_string(of.k);
    all.push_back({.name = "distance" + at, .term = distance, .sizes = of});
    all.push_back({.name = "distance_turned" + at, .term = distance, .sizes = of, .term_dim = 2, .turned = true});
    all.push_back(
        {.name = "least" + at, .term = sum, .combiner = "minimum", .begin = "inf", .sizes = of, .term_dim = 1});
  }
  // So many rows and columns that tiles are large.
  all.push_back({.name = "large", .term = distance, .sizes = {1, 1400, 1530, 5}});
  all.push_back({.name = "large_whole",
                 .term = sum,
                 .combiner = "maximum",
                 .begin = "-inf",
                 .sizes = {1, 1408, 1536, 8},
                 .turned = true});
  // Types and combiners.
  const Sizes some = {2, 50, 40, 20};
  all.push_back({.name = "f64", .dtype = DType::kF64, .sum = DType::kF64, .term = square, .sizes = some});
  all.push_back({.name = "f64_of_f32", .sum = DType::kF64, .term = widened, .sizes = some});
  all.push_back({.name = "bf16", .dtype = DType::kBF16, .sum = DType::kBF16, .term = distance, .sizes = some});
  all.push_back({.name = "f32_of_bf16", .dtype = DType::kBF16, .term = widened, .sizes = some});
  all.push_back({.name = "f16_largest",
                 .dtype = DType::kF16,
                 .sum = DType::kF16,
                 .term = sum,
                 .combiner = "maximum",
                 .begin = "-inf",
                 .sizes = some});
  all.push_back({.name = "s32", .dtype = DType::kS32, .sum = DType::kS32, .term = distance, .sizes = some});
  all.push_back({.name = "s32_of_s8", .dtype = DType::kS8, .sum = DType::kS32, .term = widened, .sizes = some});
  all.push_back({.name = "s8", .dtype = DType::kS8, .sum = DType::kS8, .term = square, .sizes = some});
  all.push_back({.name = "s16_least",
                 .dtype = DType::kS16,
                 .sum = DType::kS16,
                 .term = sum,
                 .combiner = "minimum",
                 .begin = "32767",
                 .sizes = some});
  all.push_back({.name = "u32_bits", .dtype = DType::kU32, .sum = DType::kU32, .term = bits, .sizes = some});
  all.push_back({.name = "u8_bits", .dtype = DType::kU8, .sum = DType::kU8, .term = bits, .sizes = some});
  all.push_back({.name = "u64_xor",
                 .dtype = DType::kU64,
                 .sum = DType::kU64,
                 .term = "  term = {in} and(x, y)\n",
                 .combiner = "xor",
                 .sizes = some});
  all.push_back({.name = "s64_largest",
                 .dtype = DType::kS64,
                 .sum = DType::kS64,
                 .term = sum,
                 .combiner = "maximum",
                 .begin = "-9223372036854775808",
                 .sizes = some});
  all.push_back({.name = "any",
                 .dtype = DType::kPred,
                 .sum = DType::kPred,
                 .term = "  term = {in} and(x, y)\n",
                 .combiner = "or",
                 .begin = "false",
                 .sizes = some});
  all.push_back({.name = "all_of_numbers",
                 .sum = DType::kPred,
                 .term = "  term = {sum} compare(x, y), direction=LE\n",
                 .combiner = "and",
                 .begin = "true",
                 .sizes = some});
  all.push_back({.name = "product",
                 .term = "  one = f32[] constant(1)\n  ones = {in} broadcast(one), dimensions={}\n"
                         "  d = {in} multiply(x, y)\n  term = {in} add(d, ones)\n",
                 .combiner = "multiply",
                 .begin = "1",
                 .sizes = {1, 40, 40, 4},
                 .special = false});
  // What operands are made of: places, and numbers of the term.
  all.push_back({.name = "places",
                 .term = "  i = {in} iota(), iota_dimension=1\n  j = {in} iota(), iota_dimension=3\n"
                         "  a = {in} subtract(i, j)\n  b = {in} multiply(a, a)\n"
                         "  term = {in} add(b, y)\n",
                 .combiner = "minimum",
                 .begin = "inf",
                 .sizes = {1, 60, 40, 33}});
  // What terms have of their result.
  const std::string weights = "  d = {in} add(x, y)\n  e = {in} subtract(d, z)\n  term = {in} exponential(e)\n";
  const std::string signs =
      "  d = {in} subtract(z, y)\n  e = {in} sign(d)\n  f = {in} multiply(e, x)\n"
      "  term = {in} add(f, height)\n";
  for (const Sizes& of : {some, Sizes{1, 130, 61, 17}, Sizes{1, 64, 128, 8}}) {
    const std::string at = "_" + std::to_string(of.m);
    all.push_back({.name = "weights" + at, .term = weights, .sizes = of, .reads_results = true, .special = false});
    all.push_back({.name = "signs" + at, .term = signs, .sizes = of, .term_dim = 1, .reads_results = true});
    all.push_back({.name = "signs_f64" + at,
                   .dtype = DType::kF64,
                   .sum = DType::kF64,
                   .term = signs,
                   .sizes = of,
                   .turned = true,
                   .reads_results = true});
  }
  all.push_back({.name = "own_bits",
                 .dtype = DType::kU8,
                 .sum = DType::kU8,
                 .term = "  d = {in} xor(x, y)\n  e = {in} and(d, z)\n  term = {in} popcnt(e)\n",
                 .sizes = some,
                 .reads_results = true});
  // Several operands of a side, and values of a term's place.
  const std::string weighted = "  d = {in} subtract(x, y)\n  e = {in} abs(d)\n  term = {in} multiply(e, w)\n";
  const std::string masked =
      "  d = {in} subtract(x, y)\n  e = {in} abs(d)\n  f = {in} multiply(e, u)\n  term = {in} multiply(f, v)\n";
  const std::string canberra =
      "  d = {in} subtract(x, y)\n  e = {in} abs(d)\n  a = {in} abs(x)\n  b = {in} abs(y)\n"
      "  f = {in} add(a, b)\n  g = {in} add(f, w)\n  term = {in} divide(e, g)\n";
  const std::string of_all =
      "  d = {in} subtract(x, z)\n  e = {in} add(d, height)\n  f = {in} maximum(e, y)\n  g = {in} subtract(f, w)\n"
      "  term = {in} add(g, u)\n";
  const std::string of_places =
      "  i = {in} iota(), iota_dimension=1\n  j = {in} iota(), iota_dimension=2\n  k = {in} iota(), iota_dimension=3\n"
      "  d = {in} subtract(x, y)\n  e = {in} multiply(d, k)\n  f = {in} add(e, i)\n  term = {in} maximum(f, j)\n";
  for (const Sizes& of : {some, Sizes{1, 130, 61, 17}, Sizes{1, 64, 128, 8}, Sizes{1, 33, 70, 2}}) {
    const std::string at = "_" + std::to_string(of.m);
    all.push_back({.name = "weighted" + at, .term = weighted, .sizes = of, .reads_more = true});
    all.push_back(
        {.name = "masked" + at, .term = masked, .sizes = of, .term_dim = 1, .turned = true, .reads_more = true});
    all.push_back({.name = "canberra" + at, .term = canberra, .sizes = of, .reads_more = true, .special = false});
    all.push_back({.name = "of_all" + at,
                   .term = of_all,
                   .combiner = "maximum",
                   .begin = "-inf",
                   .sizes = of,
                   .term_dim = 2,
                   .reads_results = true,
                   .reads_more = true});
    all.push_back({.name = "of_places" + at, .term = of_places, .sizes = of, .special = false});
  }
  all.push_back({.name = "masked_f64",
                 .dtype = DType::kF64,
                 .sum = DType::kF64,
                 .term = masked,
                 .sizes = some,
                 .reads_more = true});
  all.push_back(
      {.name = "masked_s8", .dtype = DType::kS8, .sum = DType::kS8, .term = masked, .sizes = some, .reads_more = true});
  // Several values of each result.
  const std::string better =
      "best {\n  a = f32[] parameter(0)\n  i = s32[] parameter(1)\n  b = f32[] parameter(2)\n  j = s32[] parameter(3)\n"
      "  less = pred[] compare(a, b), direction=LT\n  nan = pred[] compare(a, a), direction=NE\n"
      "  first = pred[] or(less, nan)\n  value = f32[] select(first, a, b)\n"
      "  same = pred[] compare(a, b), direction=EQ\n  before = pred[] compare(i, j), direction=LT\n"
      "  tie = pred[] and(same, before)\n  keep = pred[] or(first, tie)\n  place = s32[] select(keep, i, j)\n"
      "  ROOT both = (f32[], s32[]) tuple(value, place)\n}\n"
      "largest {\n  p = f32[] parameter(0)\n  q = f32[] parameter(1)\n  ROOT r = f32[] maximum(p, q)\n}\n"
      "total {\n  p = f32[] parameter(0)\n  q = f32[] parameter(1)\n  ROOT r = f32[] add(p, q)\n}\n";
  const std::string least =
      "  places = {places} iota(), iota_dimension={k}\n  none = f32[] constant(inf)\n  first = s32[] constant(0)\n"
      "  found = ({out}, {place}) reduce(term, places, none, first), dimensions={{k}}, to_apply=best\n"
      "  value = {out} get-tuple-element(found), index=0\n  at = {place} get-tuple-element(found), index=1\n";
  const std::string both =
      "  nothing = f32[] constant(0)\n  lowest = f32[] constant(-inf)\n"
      "  sum = {out} reduce(term, nothing), dimensions={{k}}, to_apply=total\n"
      "  most = {out} reduce(term, lowest), dimensions={{k}}, to_apply=largest\n";
  for (const Sizes& of : {some, Sizes{1, 130, 61, 17}, Sizes{1, 64, 128, 8}, Sizes{1, 33, 70, 2}}) {
    const std::string at = "_" + std::to_string(of.m);
    const auto add = [&](const std::string& name, int64_t dim, const std::string& reductions) {
      all.push_back({.name = name + at,
                     .term = distance,
                     .sizes = of,
                     .term_dim = dim,
                     .functions = better,
                     .reductions = reductions});
    };
    add("least_of", 3, least + "  ROOT out = ({out}, {place}) tuple(value, at)\n");
    add("place_of", 1, least + "  ROOT out = {place} negate(at)\n");
    add("sum_and_most", 3, both + "  ROOT out = ({out}, {out}) tuple(sum, most)\n");
    add("ratio", 2, both + "  ROOT out = {out} divide(sum, most)\n");
    add("three", 2, both + least + "  ROOT out = ({out}, {out}, {out}, {place}) tuple(most, sum, value, at)\n");
  }
  // What is made of the results.
  all.push_back(
      {.name = "root", .term = square, .sizes = some, .after = "  ROOT out = {out} sqrt(sums)\n", .special = false});
  all.push_back({.name = "two_outputs",
                 .term = distance,
                 .sizes = some,
                 .after = "  two = f32[] constant(2)\n  twos = {out} broadcast(two), dimensions={}\n"
                          "  twice = {out} multiply(sums, twos)\n  ROOT out = ({out}, {out}) tuple(sums, twice)\n"});
  return all;
}

double tolerance(DType dtype) {
  switch (dtype) {
    case DType::kBF16:
      return 1e-2;
    case DType::kF16:
      return 1e-3;
    default:
      return 1e-5;
  }
}

}  // namespace
}  // namespace sinter

int main() {
  using namespace sinter;
  std::vector<StageProgram> programs;
  for (const PairsSpec& spec : specs()) {
    StageProgram program = {spec.name, text_of(spec), few_values(10, spec.special)};
    if (!has_in_plan(program, "stage pairs", {}, {"pairs"})) return 1;
    programs.push_back(std::move(program));
  }
  // Products of truths, which are made of bytes instead (simplify_boolean_product).
  const Sizes large = {2, 70, 130, 257};
  const std::string both = "  term = {in} and(x, y)\n";
  const std::string counted = "  a = {in} and(x, y)\n  term = {sum} convert(a)\n";
  for (const PairsSpec& spec : {PairsSpec{.name = "any_of_many",
                                          .dtype = DType::kPred,
                                          .sum = DType::kPred,
                                          .term = both,
                                          .combiner = "or",
                                          .begin = "false",
                                          .sizes = large},
                                PairsSpec{.name = "count_of_many",
                                          .dtype = DType::kPred,
                                          .sum = DType::kS32,
                                          .term = counted,
                                          .sizes = large,
                                          .term_dim = 1,
                                          .turned = true}}) {
    StageProgram program = {spec.name, text_of(spec), few_values(10, spec.special)};
    if (!has_in_plan(program, "stage contract", {}, {"pairs"})) return 1;
    programs.push_back(std::move(program));
  }
  return run_stage_programs(programs, tolerance, {}, {"pairs"});
}
