// window_programs: cumulative windows by functions of their own, which are made in pieces, and by one that cannot be;
// along every dimension, in both directions, of lengths with and without divisors.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct Function {
  std::string name;
  std::vector<DType> types;
  std::vector<std::string> initials;
  std::string text;  // @ stands for the first type
};

const std::vector<Function> kFunctions = {
    {"log_sum",
     {DType::kF32},
     {"-inf"},
     "  larger = @ maximum(a0, b0)\n"
     "  apart = @ subtract(a0, b0)\n"
     "  nan = pred[] compare(apart, apart), direction=NE\n"
     "  sum = @ add(a0, b0)\n"
     "  size = @ abs(apart)\n"
     "  minus = @ negate(size)\n"
     "  small = @ exponential(minus)\n"
     "  more = @ log-plus-one(small)\n"
     "  both = @ add(larger, more)\n"
     "  ROOT result = @ select(nan, sum, both)\n"},
    {"complex_sum", {DType::kC64}, {"(0, 0)"}, "  ROOT sum = @ add(a0, b0)\n"},
    {"last",
     {DType::kS32},
     {"0"},
     "  none = @ constant(0)\n"
     "  nothing = pred[] compare(b0, none), direction=EQ\n"
     "  ROOT kept = @ select(nothing, a0, b0)\n"},
    {"compose",
     {DType::kU32, DType::kU32},
     {"1", "0"},
     "  slope = @ multiply(a0, b0)\n"
     "  moved = @ multiply(a1, b0)\n"
     "  offset = @ add(moved, b1)\n"
     "  ROOT both = (@, @) tuple(slope, offset)\n"},
    {"horner",
     {DType::kS32},
     {"1"},
     "  three = @ constant(3)\n"
     "  times = @ multiply(a0, three)\n"
     "  ROOT next = @ add(times, b0)\n"},
};

StageProgram window_program(const std::string& name, const Function& function, const std::vector<int64_t>& dims,
                            size_t dimension, bool reverse) {
  std::string sizes, pads;
  for (size_t d = 0; d < dims.size(); ++d) {
    const bool along = d == dimension;
    const std::string pad = along ? std::to_string(dims[d] - 1) : "0";
    sizes += (d == 0 ? "" : "x") + (along ? std::to_string(dims[d]) : "1");
    pads += (d == 0 ? "" : "x") + (reverse ? "0_" + pad : pad + "_0");
  }
  const size_t count = function.types.size();
  std::string head, main, arrays, initials, result;
  for (size_t i = 0; i < 2 * count; ++i) {
    head += "  " + std::string(i < count ? "a" : "b") + std::to_string(i % count) + " = " +
            shape_text(function.types[i % count], {}) + " parameter(" + std::to_string(i) + ")\n";
  }
  for (size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i), shape = shape_text(function.types[i], dims);
    main += "  x" + number + " = " + shape + " parameter(" + number + ")\n  i" + number + " = " +
            shape_text(function.types[i], {}) + " constant(" + function.initials[i] + ")\n";
    arrays += (i == 0 ? "x" : ", x") + number;
    initials += ", i" + number;
    result += (i == 0 ? "" : ", ") + shape;
  }
  std::string body = function.text;
  for (size_t at = body.find('@'); at != std::string::npos; at = body.find('@'))
    body.replace(at, 1, shape_text(function.types[0], {}));
  return {name,
          "HloModule " + name + "\n\nfold {\n" + head + body + "}\n\nENTRY main {\n" + main +
              "  ROOT r = " + (count > 1 ? "(" + result + ")" : result) + " reduce-window(" + arrays + initials +
              "), window={size=" + sizes + " pad=" + pads + "}, to_apply=fold\n}\n",
          few_values(10, false)};
}

std::vector<StageProgram> programs() {
  const std::vector<std::vector<int64_t>> arrays = {{2300}, {3, 160}, {131, 5}, {2, 97, 3}};
  std::vector<StageProgram> result;
  for (const Function& function : kFunctions) {
    for (const std::vector<int64_t>& dims : arrays) {
      const size_t dimension = dims.size() == 1 || dims[0] > dims[1] ? 0 : 1;
      for (const bool reverse : {false, true}) {
        const std::string name =
            function.name + (reverse ? "_back_" : "_") + std::to_string(dims[0]) + "_" + std::to_string(dims.size());
        result.push_back(window_program(name, function, dims, dimension, reverse));
      }
    }
  }
  return result;
}

// Of logarithms of sums; whatever is no float is compared bit for bit.
double tolerance(DType type) { return is_float(type) ? 1e-5 : 0; }

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs(), sinter::tolerance); }
