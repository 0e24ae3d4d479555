#include "tests/stages/axes_text.h"

namespace sinter {

namespace {

std::string list(const std::vector<int64_t>& numbers) {
  std::string text;
  for (const int64_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return "{" + text + "}";
}

}  // namespace

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

const std::vector<Fold> kFolds = {
    {"argmax",
     {DType::kF32, DType::kS32},
     {"-inf", "0"},
     true,
     true,
     "  greater = pred[] compare(a, b), direction=GT\n"
     "  nan = pred[] compare(a, a), direction=NE\n"
     "  first = pred[] or(greater, nan)\n"
     "  value = @ select(first, a, b)\n"
     "  equal = pred[] compare(a, b), direction=EQ\n"
     "  before = pred[] compare(a1, b1), direction=LT\n"
     "  earlier = pred[] and(equal, before)\n"
     "  takes = pred[] or(first, earlier)\n"
     "  place = s32[] select(takes, a1, b1)\n"
     "  ROOT both = (@, s32[]) tuple(value, place)\n"},
    {"payload",
     {DType::kS32, DType::kS32},
     {"-2147483648", "0"},
     false,
     true,
     "  less = pred[] compare(a, b), direction=GE\n"
     "  value = @ select(less, a, b)\n"
     "  with = s32[] select(less, a1, b1)\n"
     "  ROOT both = (@, s32[]) tuple(value, with)\n"},
    {"pair",
     {DType::kF32, DType::kF32},
     {"0", "-inf"},
     false,
     true,
     "  sum = @ add(a, b)\n"
     "  larger = @ maximum(a1, b1)\n"
     "  ROOT both = (@, @) tuple(sum, larger)\n"},
    {"compose",
     {DType::kU32, DType::kU32},
     {"1", "0"},
     false,
     true,
     "  slope = @ multiply(a, b)\n"
     "  moved = @ multiply(a1, b)\n"
     "  offset = @ add(moved, b1)\n"
     "  ROOT both = (@, @) tuple(slope, offset)\n"},
    {"horner",
     {DType::kS32},
     {"1"},
     false,
     false,
     "  three = @ constant(3)\n"
     "  times = @ multiply(a, three)\n"
     "  ROOT next = @ add(times, b)\n"},
};

StageProgram fold_program(const std::string& name, const Fold& fold, const std::vector<int64_t>& dims, uint64_t axes) {
  std::vector<int64_t> reduced, kept_dims;
  for (int64_t d = 0; d < static_cast<int64_t>(dims.size()); ++d) {
    const bool is_reduced = (axes >> d & 1) != 0;
    (is_reduced ? reduced : kept_dims).push_back(is_reduced ? d : dims[d]);
  }
  const size_t count = fold.types.size();
  std::string head, main, arrays, initials, result;
  const auto suffix = [](size_t i) { return i == 0 ? std::string() : std::to_string(i); };
  for (size_t side = 0; side < 2; ++side) {
    for (size_t i = 0; i < count; ++i) {
      head += std::string("  ") + (side == 0 ? "a" : "b") + suffix(i) + " = " + shape_text(fold.types[i], {}) +
              " parameter(" + std::to_string(side * count + i) + ")\n";
    }
  }
  for (size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i), shape = shape_text(fold.types[i], dims);
    const bool iota = fold.places && i == 1;
    main += "  x" + number + " = " + shape +
            (iota ? " iota(), iota_dimension=" + std::to_string(reduced[0]) : " parameter(" + number + ")") + "\n";
    main += "  i" + number + " = " + shape_text(fold.types[i], {}) + " constant(" + fold.initials[i] + ")\n";
    arrays += (i == 0 ? "x" : ", x") + number;
    initials += ", i" + number;
    result += (i == 0 ? "" : ", ") + shape_text(fold.types[i], kept_dims);
  }
  std::string function = fold.function;
  for (size_t at = function.find('@'); at != std::string::npos; at = function.find('@'))
    function.replace(at, 1, shape_text(fold.types[0], {}));
  return {name,
          "HloModule " + name + "\n\nfold {\n" + head + function + "}\n\nENTRY main {\n" + main +
              "  ROOT r = " + (count > 1 ? "(" + result + ")" : result) + " reduce(" + arrays + initials +
              "), dimensions=" + list(reduced) + ", to_apply=fold\n}\n",
          // Of argmax zeros of both signs, infinities and NaNs too.
          few_values(7, fold.places)};
}

}  // namespace sinter
