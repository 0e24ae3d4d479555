// axes_programs: reductions over every set of dimensions, side by side or apart, of arrays and transposed ones, with
// every combiner and type in turn; compared with the evaluator bit for bit: sums are exact.
#include <array>

#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct Combiner {
  DType dtype;
  const char* operation;
  const char* initial;
};

constexpr std::array kCombiners = {
    Combiner{DType::kF32, "add", "0"},        Combiner{DType::kS32, "add", "3"},
    Combiner{DType::kF32, "maximum", "-inf"}, Combiner{DType::kBF16, "add", "0"},
    Combiner{DType::kPred, "or", "false"},    Combiner{DType::kF64, "minimum", "inf"},
    Combiner{DType::kU8, "xor", "0"},         Combiner{DType::kF32, "add", "-1.5"},
    Combiner{DType::kC64, "add", "(0, 0)"},   Combiner{DType::kS32, "multiply", "1"},
    Combiner{DType::kF16, "maximum", "-2"},   Combiner{DType::kPred, "and", "true"},
    Combiner{DType::kU32, "minimum", "4"},
};

enum class Place { kAlone, kBefore, kAfter, kTransposed };

std::string list(const std::vector<int64_t>& numbers) {
  std::string text;
  for (const int64_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return "{" + text + "}";
}

StageProgram axes_program(const std::string& name, const Combiner& combiner, const std::vector<int64_t>& dims,
                          uint64_t axes, Place place) {
  std::vector<int64_t> kept, reduced, kept_dims, back(dims.rbegin(), dims.rend()), order;
  for (int64_t d = 0; d < static_cast<int64_t>(dims.size()); ++d) {
    order.insert(order.begin(), d);
    if ((axes >> d & 1) != 0) {
      reduced.push_back(d);
    } else {
      kept.push_back(d);
      kept_dims.push_back(dims[d]);
    }
  }
  const std::string scalar = shape_text(combiner.dtype, {}), shape = shape_text(combiner.dtype, dims);
  const std::string result = shape_text(combiner.dtype, kept_dims), same = combiner.operation;
  std::string text = "HloModule " + name + "\n\ncombine {\n  a = " + scalar + " parameter(0)\n  b = " + scalar +
                     " parameter(1)\n  ROOT c = " + scalar + " " + same + "(a, b)\n}\n\nENTRY main {\n";
  if (place == Place::kTransposed) {
    text += "  p = " + shape_text(combiner.dtype, back) + " parameter(0)\n  x = " + shape +
            " transpose(p), dimensions=" + list(order) + "\n";
  } else {
    text += "  x = " + shape + " parameter(0)\n";
  }
  const bool before = place == Place::kBefore || place == Place::kTransposed, after = place == Place::kAfter;
  if (before) text += "  y = " + shape + " " + same + "(x, x)\n";
  text += "  first = " + scalar + " constant(" + combiner.initial + ")\n";
  text += std::string("  ") + (after ? "" : "ROOT ") + "r = " + result + " reduce(" + (before ? "y" : "x") +
          ", first), dimensions=" + list(reduced) + ", to_apply=combine\n";
  if (after) {
    text += "  spread = " + shape + " broadcast(r), dimensions=" + list(kept) + "\n";
    text += "  ROOT z = " + shape + " " + same + "(x, spread)\n";
  }
  return {name, text + "}\n", few_values(7, false)};
}

std::vector<StageProgram> programs() {
  constexpr std::array kPlaces = {Place::kAlone, Place::kAfter, Place::kBefore, Place::kTransposed, Place::kAlone};
  const std::vector<std::vector<int64_t>> arrays = {{41, 37}, {40, 3, 35}, {5, 66, 2, 33}, {4, 3, 5, 2, 19}};
  std::vector<StageProgram> result;
  for (const std::vector<int64_t>& dims : arrays) {
    for (uint64_t axes = 1; axes < uint64_t{1} << dims.size(); ++axes) {
      // Steps without a divisor in common: every combiner meets every place.
      const size_t number = result.size();
      const std::string name = "rank_" + std::to_string(dims.size()) + "_axes_" + std::to_string(axes);
      result.push_back(
          axes_program(name, kCombiners[number % kCombiners.size()], dims, axes, kPlaces[number % kPlaces.size()]));
    }
  }
  // So many elements that what is left of the first reduction is split.
  result.push_back(axes_program("channels", kCombiners[0], {32, 3, 8192}, 0b101, Place::kAfter));
  result.push_back(axes_program("halves", kCombiners[3], {9000, 2, 40}, 0b101, Place::kBefore));
  return result;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
