// scan_programs: cumulative windows along rows, across neighbouring rows, and in tiles of long rows, and scans that are
// written out, compared with the evaluator bit for bit: sums are exact.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct ScanSpec {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<int64_t> dims;
  size_t dimension = 0;
  bool reverse = false;
  std::string combiner = "add", initial = "0";
  bool computed = false;  // the operand is computed where it is read, the result where it is stored
};

StageProgram scan_program(const ScanSpec& spec) {
  const std::string scalar = shape_text(spec.dtype, {}), shape = shape_text(spec.dtype, spec.dims);
  std::string sizes, pads;
  for (size_t d = 0; d < spec.dims.size(); ++d) {
    const bool along = d == spec.dimension;
    const std::string size = along ? std::to_string(spec.dims[d]) : "1";
    const std::string pad = along ? std::to_string(spec.dims[d] - 1) : "0";
    sizes += (d == 0 ? "" : "x") + size;
    pads += (d == 0 ? "" : "x") + (spec.reverse ? "0_" + pad : pad + "_0");
  }
  std::string text = "HloModule " + spec.name + "\n\ncombine {\n  a = " + scalar + " parameter(0)\n  b = " + scalar +
                     " parameter(1)\n  ROOT c = " + scalar + " " + spec.combiner + "(a, b)\n}\n\nENTRY main {\n";
  text += "  x = " + shape + " parameter(0)\n  first = " + scalar + " constant(" + spec.initial + ")\n";
  if (spec.computed) text += "  twice = " + shape + " add(x, x)\n";
  text += std::string("  ") + (spec.computed ? "" : "ROOT ") + "s = " + shape + " reduce-window(" +
          (spec.computed ? "twice" : "x") + ", first), window={size=" + sizes + " pad=" + pads +
          "}, to_apply=combine\n";
  if (spec.computed) text += "  ROOT r = " + shape + " subtract(s, x)\n";
  return {spec.name, text + "}\n", few_values(10, false)};
}

using Names = std::vector<std::string>;
using Dims = std::vector<int64_t>;

// A scan that is written out level by level, as jax.lax.associative_scan leaves it.
struct AssociativeSpec {
  std::string name;
  DType dtype = DType::kS32;
  Dims dims;
  size_t dimension = 0;
  // What f gives for each array, of l0, l1, ... and r0, r1, ...: operations, of which v is the one before.
  std::vector<Names> function;
  std::vector<size_t> results;
  bool computed = false;  // operands are computed where they are read, results where they are stored
};

// h[t] = a[t] * h[t - 1] + b[t]
const std::vector<Names> kRecurrence = {{"multiply(l0, r0)"}, {"multiply(r0, l1)", "add(v, r1)"}};
const std::vector<Names> kHighest = {{"add(l0, r0)"}, {"add(l1, r0)", "maximum(v, r1)"}};

// Its text.
class AssociativeWriter {
 public:
  explicit AssociativeWriter(const AssociativeSpec& spec) : spec_(spec) {}

  StageProgram run() {
    Names arrays, tuple;
    std::string types;
    for (size_t i = 0; i < spec_.function.size(); ++i) {
      arrays.push_back(add(length(), "parameter(" + std::to_string(i) + ")"));
      if (spec_.computed) arrays.back() = add(length(), "add(" + arrays.back() + ", " + arrays.back() + ")");
    }
    Names all = scan(arrays, length());
    for (const size_t result : spec_.results) {
      if (spec_.computed) all[result] = add(length(), "subtract(" + all[result] + ", " + arrays[0] + ")");
      types += (types.empty() ? "" : ", ") + type(length());
      tuple.push_back(all[result]);
    }
    std::string list;
    for (const std::string& name : tuple) list += (list.empty() ? "" : ", ") + name;
    const std::string zero = "  zero = " + shape_text(spec_.dtype, {}) + " constant(0)\n";
    return {spec_.name,
            "HloModule " + spec_.name + "\n\nENTRY main {\n" + zero + text_ + "  ROOT all = (" + types + ") tuple(" +
                list + ")\n}\n",
            few_values(6, false)};
  }

 private:
  int64_t length() const { return spec_.dims[spec_.dimension]; }
  std::string type(int64_t length) const {
    Dims dims = spec_.dims;
    dims[spec_.dimension] = length;
    return shape_text(spec_.dtype, dims);
  }
  std::string add(int64_t length, const std::string& operation) {
    const std::string name = "n" + std::to_string(++count_);
    text_ += "  " + name + " = " + type(length) + " " + operation + "\n";
    return name;
  }
  std::string slice(const std::string& array, int64_t start, int64_t limit, int64_t stride) {
    std::string bounds;
    for (size_t d = 0; d < spec_.dims.size(); ++d) {
      const std::string own = d == spec_.dimension ? "[" + std::to_string(start) + ":" + std::to_string(limit) + ":" +
                                                         std::to_string(stride) + "]"
                                                   : "[0:" + std::to_string(spec_.dims[d]) + "]";
      bounds += (d == 0 ? "" : ", ") + own;
    }
    return add((limit - start + stride - 1) / stride, "slice(" + array + "), slice={" + bounds + "}");
  }
  std::string pad(const std::string& array, int64_t low, int64_t high, int64_t length) {
    std::string padding;
    for (size_t d = 0; d < spec_.dims.size(); ++d) {
      padding += d == 0 ? "" : "x";
      padding += d == spec_.dimension ? std::to_string(low) + "_" + std::to_string(high) + "_1" : "0_0";
    }
    return add(length, "pad(" + array + ", zero), padding=" + padding);
  }

  Names combine(const Names& left, const Names& right, int64_t length) {
    Names results;
    for (const Names& lines : spec_.function) {
      std::string value;
      for (std::string line : lines) {
        for (size_t i = 0; i < left.size(); ++i) {
          replace(&line, "l" + std::to_string(i), left[i]);
          replace(&line, "r" + std::to_string(i), right[i]);
        }
        replace(&line, "(v", "(" + value);
        value = add(length, line);
      }
      results.push_back(value);
    }
    return results;
  }
  static void replace(std::string* line, const std::string& what, const std::string& by) {
    const size_t at = line->find(what);
    if (at != std::string::npos) line->replace(at, what.size(), by);
  }

  Names scan(const Names& arrays, int64_t length) {
    if (length < 2) return arrays;
    const int64_t half = length / 2, later = (length - 1) / 2;
    Names first, second, before, after, results;
    for (const std::string& array : arrays) {
      first.push_back(slice(array, 0, length - 1, 2));
      second.push_back(slice(array, 1, length, 2));
    }
    const Names odd = scan(combine(first, second, half), half);
    for (size_t i = 0; i < arrays.size() && later > 0; ++i) {
      before.push_back(length % 2 == 1 ? odd[i] : slice(odd[i], 0, later, 1));
      after.push_back(slice(arrays[i], 2, length, 2));
    }
    const Names inner = later > 0 ? combine(before, after, later) : Names{};
    for (size_t i = 0; i < arrays.size(); ++i) {
      std::string even = slice(arrays[i], 0, 1, 1);
      if (later > 0)
        even = add(later + 1,
                   "concatenate(" + even + ", " + inner[i] + "), dimensions={" + std::to_string(spec_.dimension) + "}");
      const bool ends_even = length % 2 == 0;
      const std::string evens = pad(even, 0, ends_even ? 1 : 0, length);
      results.push_back(add(length, "add(" + evens + ", " + pad(odd[i], 1, ends_even ? 0 : 1, length) + ")"));
    }
    return results;
  }

  const AssociativeSpec& spec_;
  std::string text_;
  int count_ = 0;
};

std::vector<StageProgram> associative_programs() {
  const std::vector<AssociativeSpec> specs = {
      {.name = "both_results", .dims = {200, 5}, .function = kRecurrence, .results = {0, 1}},
      {.name = "last_part_filled_up", .dims = {3, 79, 4}, .dimension = 1, .function = kRecurrence, .results = {1}},
      {.name = "parts_of_parts", .dims = {3000}, .function = kRecurrence, .results = {1}, .computed = true},
      {.name = "one_loop", .dims = {33, 2}, .function = kRecurrence, .results = {1, 0}},
      {.name = "of_rows",
       .dtype = DType::kF32,
       .dims = {6, 500},
       .dimension = 1,
       .function = kHighest,
       .results = {1},
       .computed = true},
      {.name = "window",
       .dtype = DType::kF32,
       .dims = {4, 300},
       .dimension = 1,
       .function = {{"add(l0, r0)"}},
       .results = {0}},
      {.name = "short_one", .dims = {21, 3}, .function = kRecurrence, .results = {1}},
  };
  std::vector<StageProgram> result;
  for (const AssociativeSpec& spec : specs) result.push_back(AssociativeWriter(spec).run());
  return result;
}

std::vector<StageProgram> programs() {
  constexpr DType f16 = DType::kF16, s32 = DType::kS32, u8 = DType::kU8, c64 = DType::kC64;
  const std::vector<ScanSpec> scans = {
      {.name = "along_rows", .dims = {5, 1000}, .dimension = 1, .reverse = true, .computed = true},
      {.name = "across_rows", .dims = {200, 70}, .computed = true},
      {.name = "across_whole_rows",
       .dims = {4, 96, 64},
       .dimension = 1,
       .reverse = true,
       .combiner = "maximum",
       .initial = "-inf"},
      {.name = "across_few_rows", .dtype = f16, .dims = {3, 100, 9}, .dimension = 1},
      {.name = "across_integers",
       .dtype = s32,
       .dims = {2, 50, 33},
       .dimension = 1,
       .reverse = true,
       .combiner = "multiply",
       .initial = "1"},
      {.name = "tiles_across", .dims = {4100, 16}, .computed = true},
      {.name = "whole_tiles_across", .dims = {2, 2048, 32}, .dimension = 1, .reverse = true},
      {.name = "tiles_across_integers",
       .dtype = s32,
       .dims = {1030, 40},
       .reverse = true,
       .combiner = "maximum",
       .initial = "-5"},
      {.name = "tiles_across_narrow", .dtype = f16, .dims = {3000, 9}},
      {.name = "tiles", .dims = {2, 16500}, .dimension = 1, .reverse = true, .computed = true},
      {.name = "tiles_of_one_row", .dtype = s32, .dims = {20000}},
      {.name = "tiles_of_columns", .dtype = u8, .dims = {17000, 2}, .combiner = "xor"},
      {.name = "complex_rows", .dtype = c64, .dims = {5, 1001}, .dimension = 1, .reverse = true, .initial = "(0, 0)"},
      {.name = "complex_across", .dtype = c64, .dims = {203, 37}, .initial = "(1, 2)"},
      {.name = "complex_tiles", .dtype = c64, .dims = {20003}, .initial = "(0, 0)"},
  };
  std::vector<StageProgram> result = associative_programs();
  for (const ScanSpec& spec : scans) result.push_back(scan_program(spec));
  return result;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
