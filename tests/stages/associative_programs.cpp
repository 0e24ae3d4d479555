// associative_programs: scans that are written out level by level, as jax.lax.associative_scan leaves them, compared
// with the evaluator bit for bit: numbers are whole.
#include <algorithm>

#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

using Names = std::vector<std::string>;
using Dims = std::vector<int64_t>;

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

class Writer {
 public:
  explicit Writer(const AssociativeSpec& spec) : spec_(spec) {}

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

std::vector<StageProgram> programs() {
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
  for (const AssociativeSpec& spec : specs) result.push_back(Writer(spec).run());
  return result;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
