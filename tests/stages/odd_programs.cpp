// odd_programs: sizes that nothing divides, where one that does is cut into equal parts: threads that fill no warp and
// work together in a loop, long products and reductions, rows of tiles and one element more, planes of several values;
// compared with the evaluator bit for bit: sums are exact.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

using Dims = std::vector<int64_t>;

// A dot of two arrays along these dimensions, of few small numbers.
struct DotSpec {
  std::string name;
  DType dtype;
  Dims left, right, along_left, along_right, result;
};

std::string list(const Dims& dims) {
  std::string text;
  for (const int64_t d : dims) text += (text.empty() ? "" : ",") + std::to_string(d);
  return "{" + text + "}";
}

StageProgram dot_program(const DotSpec& spec) {
  const std::string left = shape_text(spec.dtype, spec.left), right = shape_text(spec.dtype, spec.right);
  std::string text = "HloModule " + spec.name + "\n\nENTRY main {\n  x = " + left + " parameter(0)\n  y = " + right +
                     " parameter(1)\n  ROOT z = " + shape_text(spec.dtype, spec.result) +
                     " dot(x, y), lhs_contracting_dims=" + list(spec.along_left) +
                     ", rhs_contracting_dims=" + list(spec.along_right) + "\n}\n";
  return {spec.name, text, few_values(5, false)};
}

// Planes along dimension `along`, each made of its neighbour and of a sum of all: a thread may make one, or all of
// them.
StageProgram planes_program(const std::string& name, const Dims& dims, size_t along, bool shares) {
  const int64_t planes = dims[along];
  Dims one = dims, none = dims, kept;
  one[along] = 1;
  none.erase(none.begin() + static_cast<ptrdiff_t>(along));
  for (size_t d = 0; d < dims.size(); ++d) {
    if (d != along) kept.push_back(static_cast<int64_t>(d));
  }
  const std::string whole = shape_text(DType::kF32, dims), plane = shape_text(DType::kF32, one),
                    sum = shape_text(DType::kF32, none);
  std::string text = "HloModule " + name +
                     "\n\nadd {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n\n"
                     "ENTRY main {\n  x = " +
                     whole + " parameter(0)\n  zero = f32[] constant(0)\n  total = " + sum +
                     " reduce(x, zero), dimensions={" + std::to_string(along) + "}, to_apply=add\n  totals = " + plane +
                     " reshape(total)\n";
  std::string pieces;
  for (int64_t i = 0; i < planes; ++i) {
    const std::string n = std::to_string(i);
    text += "  x" + n + " = " + plane + " slice(x), slice={";
    for (size_t d = 0; d < dims.size(); ++d) {
      text +=
          (d > 0 ? ", [" : "[") + (d == along ? n + ":" + std::to_string(i + 1) : "0:" + std::to_string(dims[d])) + "]";
    }
    text += "}\n";
  }
  for (int64_t i = 0; i < planes; ++i) {
    const std::string n = std::to_string(i), next = std::to_string((i + 1) % planes);
    text += "  p" + n + " = " + plane + " multiply(x" + n + ", x" + next + ")\n  y" + n + " = " + plane + " " +
            (shares ? "subtract(p" + n + ", totals)" : "negate(p" + n + ")") + "\n";
    pieces += (i > 0 ? ", y" : "y") + n;
  }
  text += "  stack = " + whole + " concatenate(" + pieces + "), dimensions={" + std::to_string(along) +
          "}\n  ROOT y = " + whole + " add(x, stack)\n}\n";
  return {name, text, few_values(5, false)};
}

struct ReduceSpec {
  std::string name;
  DType dtype;
  Dims dims;
  int64_t along = 0;
  std::string combiner, initial;
};

StageProgram reduce_program(const ReduceSpec& spec) {
  const std::string scalar = shape_text(spec.dtype, {});
  Dims kept = spec.dims;
  kept.erase(kept.begin() + spec.along);
  std::string text = "HloModule " + spec.name + "\n\ncombine {\n  a = " + scalar + " parameter(0)\n  b = " + scalar +
                     " parameter(1)\n  ROOT c = " + scalar + " " + spec.combiner +
                     "(a, b)\n}\n\nENTRY main {\n  x = " + shape_text(spec.dtype, spec.dims) +
                     " parameter(0)\n  initial = " + scalar + " constant(" + spec.initial +
                     ")\n  ROOT r = " + shape_text(spec.dtype, kept) +
                     " reduce(x, initial), dimensions=" + list({spec.along}) + ", to_apply=combine\n}\n";
  return {spec.name, text, few_values(7, false)};
}

// A step that is stored, and reduced where it is made, from dimension `along` on or, with `one`, along that alone; with
// `two` the array before it is too.
StageProgram stored_program(const ReduceSpec& spec, bool one, bool two) {
  const std::string scalar = shape_text(spec.dtype, {}), array = shape_text(spec.dtype, spec.dims);
  Dims all = {spec.along}, kept = spec.dims;
  while (!one && all.back() + 1 < std::ssize(spec.dims)) all.push_back(all.back() + 1);
  kept.erase(kept.begin() + all.front(), kept.begin() + all.back() + 1);
  const std::string reduced = "), dimensions=" + list(all) + ", to_apply=combine\n";
  const std::string sums = shape_text(spec.dtype, kept);
  std::string text = "HloModule " + spec.name + "\n\ncombine {\n  a = " + scalar + " parameter(0)\n  b = " + scalar +
                     " parameter(1)\n  ROOT c = " + scalar + " " + spec.combiner +
                     "(a, b)\n}\n\nENTRY main {\n  x = " + array + " parameter(0)\n  y = " + array +
                     " parameter(1)\n  initial = " + scalar + " constant(" + spec.initial + ")\n  next = " + array +
                     " subtract(x, y)\n  r = " + sums + " reduce(next, initial" + reduced;
  if (two) text += "  before = " + sums + " reduce(x, initial" + reduced;
  text += "  ROOT results = (" + array + ", " + sums + (two ? ", " + sums : "") + ") tuple(next, r" +
          (two ? ", before" : "") + ")\n}\n";
  return {spec.name, text, few_values(7, false)};
}

// A row of 16 tiles and one element, of which both operands are compared or read.
StageProgram sort_program(const std::string& name, DType key, DType other, int64_t columns) {
  const std::string keys = shape_text(key, {columns}), others = shape_text(other, {columns});
  const std::string a = shape_text(key, {}), b = shape_text(other, {});
  std::string text =
      "HloModule " + name + "\n\nbefore {\n  a = " + a + " parameter(0)\n  b = " + a + " parameter(1)\n  c = " + b +
      " parameter(2)\n  d = " + b +
      " parameter(3)\n  ROOT less = pred[] compare(a, b), direction=LT\n}\n\nENTRY main {\n  x = " + keys +
      " parameter(0)\n  n = " + others + " iota(), iota_dimension=0\n  ROOT r = (" + keys + ", " + others +
      ") sort(x, n), dimensions={0}, is_stable=true, to_apply=before\n}\n";
  return {name, text, few_values(1000, false)};
}

// A key that is hashed in each step, the same for all threads, which add what follows from it, and record their sum.
StageProgram ahead_program(const std::string& name, int64_t threads, int64_t steps, bool records) {
  const std::string state = shape_text(DType::kS32, {threads}), stack = shape_text(DType::kS32, {steps});
  const std::string tuple = "(s32[], u32[], " + state + ", " + stack + ")";
  std::string hash;
  for (int round = 0; round < 12; ++round) {
    const std::string n = std::to_string(round), before = round == 0 ? "a" : "x" + std::to_string(round - 1);
    hash += "  p" + n + " = u32[] multiply(" + before + ", m)\n  q" + n + " = u32[] add(p" + n + ", b)\n  r" + n +
            " = u32[] shift-right-logical(q" + n + ", s)\n  " + (round == 11 ? "ROOT " : "") + "x" + n +
            " = u32[] xor(q" + n + ", r" + n + ")\n";
  }
  std::string text =
      "HloModule " + name +
      "\n\nhash {\n  a = u32[] parameter(0)\n  b = u32[] parameter(1)\n  m = u32[] constant(1664525)\n"
      "  s = u32[] constant(7)\n" +
      hash +
      "}\n\nsum {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  ROOT c = s32[] add(a, b)\n}\n"
      "\nbody {\n  state = " +
      tuple +
      " parameter(0)\n  t = s32[] get-tuple-element(state), index=0\n"
      "  key = u32[] get-tuple-element(state), index=1\n  x = " +
      state + " get-tuple-element(state), index=2\n  sums = " + stack +
      " get-tuple-element(state), index=3\n  one = s32[] constant(1)\n  next_t = s32[] add(t, one)\n"
      "  first = u32[] constant(1)\n  second = u32[] constant(2)\n"
      "  next_key = u32[] call(key, first), to_apply=hash\n"
      "  drawn = u32[] call(key, second), to_apply=hash\n  signed = s32[] bitcast-convert(drawn)\n"
      "  all = " +
      state + " broadcast(signed), dimensions={}\n  next_x = " + state +
      " add(x, all)\n  zero = s32[] constant(0)\n"
      "  total = s32[] reduce(next_x, zero), dimensions={0}, to_apply=sum\n  piece = s32[1] reshape(" +
      (records ? "total" : "next_t") + ")\n  next_sums = " + stack +
      " dynamic-update-slice(sums, piece, t)\n  ROOT next = " + tuple +
      " tuple(next_t, next_key, next_x, next_sums)\n}\n\ncondition {\n  state = " + tuple +
      " parameter(0)\n  t = s32[] get-tuple-element(state), index=0\n  steps = s32[] constant(" +
      std::to_string(steps) +
      ")\n  ROOT more = pred[] compare(t, steps), direction=LT\n}\n\nENTRY main {\n  x = " + state +
      " parameter(0)\n  key = u32[] parameter(1)\n  zero = s32[] constant(0)\n  sums = " + stack +
      " broadcast(zero), dimensions={}\n  start = " + tuple + " tuple(zero, key, x, sums)\n  loop = " + tuple +
      " while(start), condition=condition, body=body\n  last = " + state +
      " get-tuple-element(loop), index=2\n  all_sums = " + stack +
      " get-tuple-element(loop), index=3\n  ROOT results = (" + state + ", " + stack + ") tuple(last, all_sums)\n}\n";
  return {name, text, few_values(10, false)};
}

// A key for each row, which is the same for all threads of the row's block. Elements of a row need their sum.
StageProgram rows_ahead_program(const std::string& name, int64_t rows, int64_t columns, int64_t steps) {
  const std::string state = shape_text(DType::kS32, {rows, columns}), keys = shape_text(DType::kU32, {rows});
  const std::string of_rows = shape_text(DType::kS32, {rows}), tuple = "(s32[], " + keys + ", " + state + ")";
  std::string mixed = "key";
  std::string text = "HloModule " + name +
                     "\n\nsum {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  ROOT c = s32[] add(a, b)\n}\n"
                     "\nbody {\n  state = " +
                     tuple + " parameter(0)\n  t = s32[] get-tuple-element(state), index=0\n  key = " + keys +
                     " get-tuple-element(state), index=1\n  x = " + state +
                     " get-tuple-element(state), index=2\n  one = s32[] constant(1)\n  next_t = s32[] add(t, one)\n"
                     "  m = u32[] constant(1664525)\n  factor = " +
                     keys + " broadcast(m), dimensions={}\n  c = u32[] constant(7)\n  shift = " + keys +
                     " broadcast(c), dimensions={}\n  next_key = " + keys + " multiply(key, factor)\n";
  for (int round = 0; round < 24; ++round) {
    const std::string n = std::to_string(round);
    text += "  p" + n + " = " + keys + " multiply(" + mixed + ", factor)\n  q" + n + " = " + keys +
            " shift-right-logical(p" + n + ", shift)\n  x" + n + " = " + keys + " xor(p" + n + ", q" + n + ")\n";
    mixed = "x" + n;
  }
  text += "  drawn = " + of_rows + " bitcast-convert(" + mixed + ")\n  zero = s32[] constant(0)\n  total = " + of_rows +
          " reduce(x, zero), dimensions={1}, to_apply=sum\n  added = " + of_rows +
          " add(total, drawn)\n  all = " + state + " broadcast(added), dimensions={0}\n  next_x = " + state +
          " add(x, all)\n  ROOT next = " + tuple +
          " tuple(next_t, next_key, next_x)\n}\n\ncondition {\n  state = " + tuple +
          " parameter(0)\n  t = s32[] get-tuple-element(state), index=0\n  steps = s32[] constant(" +
          std::to_string(steps) +
          ")\n  ROOT more = pred[] compare(t, steps), direction=LT\n}\n\nENTRY main {\n  x = " + state +
          " parameter(0)\n  key = " + keys + " parameter(1)\n  zero = s32[] constant(0)\n  start = " + tuple +
          " tuple(zero, key, x)\n  loop = " + tuple +
          " while(start), condition=condition, body=body\n  ROOT last = " + state +
          " get-tuple-element(loop), index=2\n}\n";
  return {name, text, few_values(10, false)};
}

std::vector<StageProgram> programs() {
  constexpr DType f32 = DType::kF32, f64 = DType::kF64, bf16 = DType::kBF16, s8 = DType::kS8, s32 = DType::kS32;
  std::vector<StageProgram> all;
  const std::vector<DotSpec> dots = {
      {"tiles", f32, {11, 1021}, {1021, 13}, {1}, {0}, {11, 13}},
      {"tiles_of_halves", bf16, {1021, 17}, {19, 1021}, {0}, {1}, {17, 19}},
      {"tiles_along_two", f32, {9, 1021, 3}, {3, 1021, 10}, {1, 2}, {1, 0}, {9, 10}},
      {"narrow", f32, {7, 4099}, {4099, 5}, {1}, {0}, {7, 5}},
      {"narrow_bytes", s8, {2, 2053}, {2053, 3}, {1}, {0}, {2, 3}},
      {"narrow_halves", bf16, {3, 1031}, {1031, 3}, {1}, {0}, {3, 3}},
      {"narrow_along_two", f64, {2, 1021, 3}, {3, 1021, 5}, {1, 2}, {1, 0}, {2, 5}},
      {"vectors", f32, {1021}, {1021}, {0}, {0}, {}},
      {"long_vectors", f32, {100003}, {100003}, {0}, {0}, {}},
      {"columns", f32, {2053, 61}, {2053}, {0}, {0}, {61}},
  };
  for (const DotSpec& spec : dots) all.push_back(dot_program(spec));
  const std::vector<ReduceSpec> reductions = {
      {"sum", f32, {262147}, 0, "add", "0"},
      {"sum_from", f32, {262147}, 0, "add", "-1.5"},
      {"sum_of_negative_zero", f32, {262147}, 0, "add", "-0"},
      {"largest", s32, {262147}, 0, "maximum", "-100"},
      {"smallest_of_rows", f32, {3, 131101}, 1, "minimum", "inf"},
      {"halves", bf16, {262147}, 0, "add", "1"},
      {"columns_of_few", f32, {65537, 5}, 0, "add", "0"},
      {"middle", f64, {2, 32771, 3}, 1, "maximum", "0"},
      {"any", DType::kPred, {262147}, 0, "or", "false"},
      {"complex", DType::kC64, {262147}, 0, "add", "(0, 0)"},
  };
  for (const ReduceSpec& spec : reductions) all.push_back(reduce_program(spec));
  const std::vector<ReduceSpec> stored = {
      {"stored_and_summed", f32, {131101}, 0, "add", "0"},
      {"stored_and_largest", s32, {262147}, 0, "maximum", "-100"},
      {"stored_and_smallest", bf16, {131101}, 0, "minimum", "inf"},
      {"stored_halves_and_summed", bf16, {131101}, 0, "add", "0"},
      {"points_stored_and_summed", f32, {65537, 3}, 0, "add", "1"},
      {"rows_stored_and_summed", f32, {5, 61, 2311}, 1, "add", "2"},
  };
  for (const ReduceSpec& spec : stored) all.push_back(stored_program(spec, false, false));
  all.push_back(stored_program({"stored_and_two_summed", f64, {131101}, 0, "add", "0"}, false, true));
  all.push_back(stored_program({"columns_stored_and_summed", f32, {8209, 35}, 0, "add", "0"}, true, false));
  all.push_back(stored_program({"middle_stored_and_summed", f32, {2, 8209, 33}, 1, "maximum", "0"}, true, false));
  all.push_back(sort_program("tiles_and_one", f32, s32, 65537));
  all.push_back(sort_program("large_tiles_and_one", f64, DType::kS64, 32769));
  all.push_back(sort_program("two_levels_and_one", s32, DType::kS64, 16 * 16 * 2048 + 1));
  all.push_back(ahead_program("ahead_of_few", 3, 70, false));
  all.push_back(ahead_program("ahead", 41, 64, false));
  all.push_back(ahead_program("ahead_of_blocks", 5003, 33, false));
  all.push_back(ahead_program("ahead_and_recorded", 1031, 67, true));
  all.push_back(ahead_program("ahead_and_recorded_by_one", 97, 40, true));
  all.push_back(rows_ahead_program("ahead_of_rows", 37, 64, 70));
  all.push_back(rows_ahead_program("ahead_of_odd_rows", 300, 43, 33));
  all.push_back(planes_program("planes", {9, 70, 33}, 0, true));
  all.push_back(planes_program("planes_of_many", {5, 700, 333}, 0, true));
  all.push_back(planes_program("planes_between", {3, 7, 401}, 1, true));
  all.push_back(planes_program("planes_apart", {4, 300, 31}, 0, false));
  return all;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
