// sort_programs: sorts and top-k of every form, compiled and built into one library, compared with the evaluator bit
// for bit: which of equal elements comes first, signs of zeros and NaNs. Values are few, so that many are equal.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

using Program = StageProgram;
using Dims = std::vector<int64_t>;

// The key as jax.numpy compares it: zeros are one, and so are NaNs.
std::string canonical(DType dtype, const std::string& name) {
  const std::string scalar = shape_text(dtype, {});
  if (!is_float(dtype)) return "  k" + name + " = " + scalar + " copy(" + name + ")\n";
  return "  n" + name + " = pred[] compare(" + name + ", " + name + "), direction=NE\n" +              //
         "  nan" + name + " = " + scalar + " constant(nan)\n" +                                        //
         "  zero" + name + " = " + scalar + " constant(0)\n" +                                         //
         "  z" + name + " = pred[] compare(" + name + ", zero" + name + "), direction=EQ\n" +          //
         "  s" + name + " = " + scalar + " select(z" + name + ", zero" + name + ", " + name + ")\n" +  //
         "  k" + name + " = " + scalar + " select(n" + name + ", nan" + name + ", s" + name + ")\n";
}

struct SortSpec {
  std::string name;
  std::vector<DType> types;
  Dims dims;
  size_t dimension = 0;
  std::vector<size_t> keys = {0};  // the first decides
  int64_t values = 10;
  const char* direction = "LT";
  bool computed = false;             // operands are computed where they are read
  std::vector<size_t> results = {};  // all, if empty
};

Program sort_program(const SortSpec& spec) {
  std::string text = "HloModule " + spec.name + "\n\nbefore {\n";
  for (size_t k = 0; k < spec.types.size(); ++k) {
    const std::string number = std::to_string(k), scalar = shape_text(spec.types[k], {});
    text += "  a" + number + " = " + scalar + " parameter(" + std::to_string(2 * k) + ")\n";
    text += "  b" + number + " = " + scalar + " parameter(" + std::to_string(2 * k + 1) + ")\n";
  }
  std::string result;
  for (size_t i = spec.keys.size(); i-- > 0;) {
    const DType dtype = spec.types[spec.keys[i]];
    const std::string k = std::to_string(spec.keys[i]);
    const std::string operands = "compare(ka" + k + ", kb" + k + "), direction=";
    const std::string total = is_float(dtype) ? ", type=TOTALORDER" : "";
    text += canonical(dtype, "a" + k) + canonical(dtype, "b" + k);
    text += "  less" + k + " = pred[] " + operands + spec.direction + total + "\n";
    if (result.empty()) {
      result = "less" + k;
      continue;
    }
    text += "  equal" + k + " = pred[] " + operands + "EQ" + total + "\n";
    text += "  and" + k + " = pred[] and(equal" + k + ", " + result + ")\n";
    text += "  or" + k + " = pred[] or(less" + k + ", and" + k + ")\n";
    result = "or" + k;
  }
  text += "  ROOT result = pred[] copy(" + result + ")\n}\n\nENTRY main {\n";
  std::string operands, types;
  for (size_t k = 0; k < spec.types.size(); ++k) {
    const std::string shape = shape_text(spec.types[k], spec.dims), x = "x" + std::to_string(k);
    text += "  " + x + " = " + shape + " parameter(" + std::to_string(k) + ")\n";
    const bool computed = spec.computed && is_integer(spec.types[k]);
    if (computed) {
      text += "  i" + x + " = " + shape + " iota(), iota_dimension=" + std::to_string(spec.dimension) + "\n";
      text += "  c" + x + " = " + shape + " xor(" + x + ", i" + x + ")\n";
    }
    operands += (k == 0 ? "" : ", ") + (computed ? "c" + x : x);
    types += (k == 0 ? "" : ", ") + shape;
  }
  const bool one = spec.types.size() == 1;
  text += (one ? "  ROOT s = " + types : "  s = (" + types + ")") + " sort(" + operands + "), dimensions={" +
          std::to_string(spec.dimension) + "}, is_stable=true, to_apply=before\n";
  if (!one) {
    std::vector<size_t> results = spec.results;
    if (results.empty()) {
      for (size_t k = 0; k < spec.types.size(); ++k) results.push_back(k);
    }
    std::string elements, result_types;
    for (const size_t k : results) {
      const std::string shape = shape_text(spec.types[k], spec.dims), number = std::to_string(k);
      text += "  g" + number + " = " + shape + " get-tuple-element(s), index=" + number + "\n";
      elements += (elements.empty() ? "g" : ", g") + number;
      result_types += (result_types.empty() ? "" : ", ") + shape;
    }
    text += "  ROOT t = (" + result_types + ") tuple(" + elements + ")\n";
  }
  return {spec.name, text + "}\n", few_values(spec.values)};
}

Program topk_program(const std::string& name, DType dtype, Dims dims, int64_t k, int64_t values, bool largest = true) {
  const std::string operand = shape_text(dtype, dims);
  dims.back() = k;
  const std::string result = "(" + shape_text(dtype, dims) + ", " + shape_text(DType::kS32, dims) + ")";
  return {name,
          "HloModule " + name + "\n\nENTRY main {\n  x = " + operand + " parameter(0)\n  ROOT t = " + result +
              " topk(x), k=" + std::to_string(k) + ", largest=" + (largest ? "true" : "false") + "\n}\n",
          few_values(values)};
}

// Rows that rise, of which most elements are better than what came before.
Program rising_topk(const std::string& name, Dims dims, int64_t k) {
  const std::string operand = shape_text(DType::kS32, dims);
  const std::string dimension = std::to_string(dims.size() - 1);
  dims.back() = k;
  const std::string result = shape_text(DType::kS32, dims);
  return {name,
          "HloModule " + name + "\n\nENTRY main {\n  x = " + operand + " parameter(0)\n  i = " + operand +
              " iota(), iota_dimension=" + dimension + "\n  sum = " + operand + " add(x, i)\n  ROOT t = (" + result +
              ", " + result + ") topk(sum), k=" + std::to_string(k) + "\n}\n",
          few_values(9)};
}

// A loop of the host that sorts its state, computed with the loop's counter, and takes the places as its next state.
constexpr const char* kLoop = R"(HloModule in_a_loop

before {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  i = s32[] parameter(2)
  j = s32[] parameter(3)
  ROOT less = pred[] compare(a, b), direction=LT
}

body {
  state = (s32[], s32[9000], s32[9000]) parameter(0)
  t = s32[] get-tuple-element(state), index=0
  x = s32[9000] get-tuple-element(state), index=1
  y = s32[9000] get-tuple-element(state), index=2
  one = s32[] constant(1)
  next = s32[] add(t, one)
  spread = s32[9000] broadcast(t), dimensions={}
  mixed = s32[9000] xor(x, spread)
  sorted = (s32[9000], s32[9000]) sort(mixed, y), dimensions={0}, is_stable=true, to_apply=before
  sx = s32[9000] get-tuple-element(sorted), index=0
  sy = s32[9000] get-tuple-element(sorted), index=1
  best = (s32[9000], s32[9000]) topk(sy), k=9000
  by = s32[9000] get-tuple-element(best), index=1
  ROOT out = (s32[], s32[9000], s32[9000]) tuple(next, sx, by)
}

condition {
  state = (s32[], s32[9000], s32[9000]) parameter(0)
  t = s32[] get-tuple-element(state), index=0
  limit = s32[] constant(3)
  ROOT more = pred[] compare(t, limit), direction=LT
}

ENTRY main {
  x = s32[9000] parameter(0)
  y = s32[9000] parameter(1)
  zero = s32[] constant(0)
  start = (s32[], s32[9000], s32[9000]) tuple(zero, x, y)
  ROOT end = (s32[], s32[9000], s32[9000]) while(start), condition=condition, body=body
}
)";

// Some elements of each row of numbers alone, the least first, or the largest; plain numbers.
Program selected_program(const std::string& name, DType dtype, const Dims& dims, size_t dimension, int64_t first,
                         int64_t limit, const std::string& direction = "LT") {
  Dims some = dims;
  some[dimension] = limit - first;
  const std::string scalar = shape_text(dtype, {}), all = shape_text(dtype, dims), total = ", type=TOTALORDER";
  std::string bounds;
  for (size_t d = 0; d < dims.size(); ++d) {
    const bool along = d == dimension;
    bounds += (d == 0 ? "[" : ", [") + std::to_string(along ? first : 0) + ":" +
              std::to_string(along ? limit : dims[d]) + "]";
  }
  return {name,
          "HloModule " + name + "\n\nbefore {\n  a = " + scalar + " parameter(0)\n  b = " + scalar + " parameter(1)\n" +
              canonical(dtype, "a") + canonical(dtype, "b") + "  ROOT less = pred[] compare(ka, kb), direction=" +
              direction + (is_float(dtype) ? total : "") + "\n}\n\nENTRY main {\n  x = " + all +
              " parameter(0)\n  s = " + all + " sort(x), dimensions={" + std::to_string(dimension) +
              "}, is_stable=true, to_apply=before\n  ROOT some = " + shape_text(dtype, some) + " slice(s), slice={" +
              bounds + "}\n}\n",
          few_values(60, false)};
}

std::vector<Program> programs() {
  constexpr DType f16 = DType::kF16, f32 = DType::kF32, f64 = DType::kF64, s8 = DType::kS8, s32 = DType::kS32,
                  s64 = DType::kS64, u8 = DType::kU8, u16 = DType::kU16, u32 = DType::kU32;
  const std::vector<SortSpec> sorts = {
      {.name = "one_element", .types = {f32}, .dims = {1}},
      {.name = "no_elements", .types = {f32}, .dims = {3, 0}, .dimension = 1},
      {.name = "no_rows", .types = {f32}, .dims = {0, 40}, .dimension = 1},
      {.name = "rows_a_thread", .types = {f32}, .dims = {7, 5}, .dimension = 1},
      {.name = "columns_a_thread", .types = {s8, f32}, .dims = {5, 7}},
      {.name = "two_keys_a_thread",
       .types = {s32, s64, f16},
       .dims = {300, 16},
       .dimension = 1,
       .keys = {0, 2},
       .values = 4},
      {.name = "long_rows_a_thread", .types = {f32, s32}, .dims = {16384, 19}, .dimension = 1, .values = 12},
      {.name = "odd_row", .types = {u32}, .dims = {17}, .values = 100},
      {.name = "rows_a_block", .types = {f32, s32}, .dims = {6, 100}, .dimension = 1, .computed = true},
      {.name = "middle_a_block", .types = {f32, s32}, .dims = {3, 500, 5}, .dimension = 1, .direction = "GT"},
      {.name = "whole_tile", .types = {s32}, .dims = {2, 4096}, .dimension = 1, .values = 1000},
      {.name = "tile_and_one",
       .types = {s32, s32},
       .dims = {2, 4097},
       .dimension = 1,
       .values = 1000,
       .computed = true},
      {.name = "middle_merged",
       .types = {s32, f64},
       .dims = {2, 5000, 3},
       .dimension = 1,
       .values = 50,
       .results = {1}},
      {.name = "all_equal", .types = {f32, s32}, .dims = {10000}, .values = 1, .computed = true},
      {.name = "tiles_and_one", .types = {f32}, .dims = {20481}, .values = 300},
      {.name = "many_long_rows", .types = {u16, s32}, .dims = {140, 4100}, .dimension = 1, .computed = true},
      {.name = "many_blocks", .types = {f32, s32}, .dims = {270, 300}, .dimension = 1, .values = 100},
      {.name = "two_levels", .types = {f32}, .dims = {100000}, .values = 3000},
      {.name = "two_keys_merged",
       .types = {s32, f32, u8},
       .dims = {3, 40003},
       .dimension = 1,
       .keys = {0, 1},
       .values = 40},
      {.name = "wide_elements",
       .types = {f64, s64, f64, s64, f64, s64},
       .dims = {2, 3000},
       .dimension = 1,
       .values = 60},
      {.name = "unread_operand",
       .types = {s32, f32, u16},
       .dims = {4, 9000},
       .dimension = 1,
       .keys = {2},
       .results = {0, 2}},
      // Element by element (expand_sorts).
      {.name = "pairs", .types = {f32}, .dims = {33, 2}, .dimension = 1, .values = 4},
      {.name = "pairs_with_values", .types = {f16, s64}, .dims = {2, 77}, .values = 4, .direction = "GT"},
      {.name = "four_of_two_keys", .types = {s8, f32, s32}, .dims = {4, 5, 32}, .keys = {0, 1}, .values = 3},
      {.name = "nine_with_values", .types = {f32, s32}, .dims = {3, 9, 35}, .dimension = 1, .values = 5},
      {.name = "sixteen", .types = {u32}, .dims = {16, 50}, .values = 9, .computed = true},
  };
  std::vector<Program> result;
  for (const SortSpec& spec : sorts) result.push_back(sort_program(spec));
  result.push_back(topk_program("best_a_thread", f32, {9, 13}, 5, 20));
  result.push_back(topk_program("best_a_block", f16, {3, 4, 1000}, 40, 30, false));
  result.push_back(topk_program("best_of_all", u8, {5, 40}, 40, 9));
  result.push_back(topk_program("best_of_short_rows", f32, {2300, 300}, 7, 40));
  result.push_back(topk_program("best_of_a_warp", s32, {4000, 45}, 32, 9, false));
  result.push_back(topk_program("best_selected", f32, {300, 5000}, 17, 500));
  result.push_back(topk_program("best_of_slices", s32, {2, 100003}, 100, 500));
  result.push_back(topk_program("best_one", f64, {200000}, 1, 5000, false));
  result.push_back(topk_program("best_sorted", f32, {2, 9000}, 700, 500));
  result.push_back(topk_program("best_of_equals", s32, {16000}, 3, 1));
  result.push_back(topk_program("best_joined", f32, {70000}, 512, 4000));
  result.push_back(rising_topk("best_rising", {2, 16001}, 512));
  result.push_back(selected_program("median_of_bytes", u8, {53, 25}, 1, 12, 13));
  result.push_back(selected_program("middle_of_integers", s32, {31, 45}, 0, 9, 23));
  result.push_back(selected_program("largest_of_integers", s64, {3, 13, 40}, 1, 2, 3, "GT"));
  result.push_back(selected_program("median_of_floats", f32, {37, 25}, 1, 12, 13));
  result.push_back(selected_program("middle_of_floats", f64, {10, 43}, 0, 4, 6));
  result.push_back({"in_a_loop", kLoop, few_values(700)});
  return result;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
