// band_programs: products with matrices that are known, and zero but for a band, on either side, whose places follow
// from their number or are a list; at sizes that vectors divide and that they do not, compared with the evaluator bit
// for bit: factors are eighths.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct BandSpec {
  std::string name;
  int64_t terms = 32, results = 64;
  double step = 0.5, begin = -0.25;    // result j lies at term begin + step * j
  double reach = 1;                    // terms so far away count nothing
  std::vector<int64_t> before, after;  // dimensions of x around its terms
  bool matrix_first = false;
  bool turned = false;  // the matrix has a row for each result
  DType dtype = DType::kF32;
};

// A result takes 1 - distance / reach of each term.
StageProgram band_program(const BandSpec& spec) {
  const auto number = [](double value) { return std::to_string(value); };
  const std::string scalar = shape_text(spec.dtype, {}), list = shape_text(spec.dtype, {spec.results});
  const std::vector<int64_t> sides =
      spec.turned ? std::vector{spec.results, spec.terms} : std::vector{spec.terms, spec.results};
  const std::string matrix = shape_text(spec.dtype, sides), of_result = spec.turned ? "0" : "1",
                    of_term = spec.turned ? "1" : "0";
  std::vector<int64_t> all = spec.before, out = spec.before;
  all.push_back(spec.terms);
  for (const int64_t size : spec.after) all.push_back(size), out.push_back(size);
  out.insert(spec.matrix_first ? out.begin() : out.end(), spec.results);
  std::string text = "HloModule " + spec.name + "\n\nENTRY main {\n  x = " + shape_text(spec.dtype, all) +
                     " parameter(0)\n  j = " + list + " iota(), iota_dimension=0\n  k = " + matrix +
                     " iota(), iota_dimension=" + of_term + "\n";
  const auto spread = [&](const std::string& name, double value, const std::string& type) {
    text += "  " + name + "_one = " + scalar + " constant(" + number(value) + ")\n  " + name + " = " + type +
            " broadcast(" + name + "_one), dimensions={}\n";
  };
  spread("step", spec.step, list);
  spread("begin", spec.begin, list);
  spread("part", 1 / spec.reach, matrix);
  spread("one", 1, matrix);
  spread("zero", 0, matrix);
  const std::string terms = std::to_string(spec.before.size());
  const std::string in_matrix = spec.turned ? "1" : "0";
  text += "  far = " + list + " multiply(j, step)\n  at = " + list + " add(far, begin)\n  ats = " + matrix +
          " broadcast(at), dimensions={" + of_result + "}\n  apart = " + matrix +
          " subtract(ats, k)\n  distance = " + matrix + " abs(apart)\n  share = " + matrix +
          " multiply(distance, part)\n  rest = " + matrix + " subtract(one, share)\n  w = " + matrix +
          " maximum(rest, zero)\n  ROOT y = " + shape_text(spec.dtype, out) +
          (spec.matrix_first ? " dot(w, x), lhs_contracting_dims={" + in_matrix + "}, rhs_contracting_dims={" + terms
                             : " dot(x, w), lhs_contracting_dims={" + terms + "}, rhs_contracting_dims={" + in_matrix) +
          "}\n}\n";
  return {spec.name, text, few_values(9, false)};
}

std::vector<StageProgram> bands() {
  const std::vector<BandSpec> specs = {
      {.name = "twice", .before = {33}},
      {.name = "twice_first", .after = {33}, .matrix_first = true},
      {.name = "half",
       .terms = 128,
       .results = 64,
       .step = 2,
       .begin = 0.5,
       .reach = 2,
       .before = {3, 5},
       .after = {7}},
      {.name = "odd", .terms = 61, .results = 97, .step = 0.625, .before = {2}, .after = {3}, .turned = true},
      {.name = "uneven", .terms = 67, .results = 41, .step = 1.5, .reach = 2, .after = {4}, .matrix_first = true},
      {.name = "beside", .terms = 40, .results = 40, .step = 1, .begin = -7, .before = {16}},
      {.name = "one_result", .terms = 16, .results = 1, .begin = 3.5, .before = {1}},
      {.name = "wide", .terms = 64, .results = 32, .step = 2, .reach = 4, .before = {4}, .dtype = DType::kF64},
      {.name = "every_second", .terms = 64, .results = 32, .step = 2, .begin = 0, .before = {5}},
      {.name = "every_second_first",
       .terms = 66,
       .results = 33,
       .step = 2,
       .begin = 0,
       .after = {3},
       .matrix_first = true},
      {.name = "shifted",
       .terms = 33,
       .results = 33,
       .step = 1,
       .begin = -4,
       .before = {7},
       .after = {2},
       .turned = true},
      {.name = "half_of_one", .terms = 17, .results = 51, .step = 1.0 / 3, .begin = -0.25, .reach = 0.5, .before = {3}},
      {.name = "third_step", .terms = 96, .results = 32, .step = 3, .begin = 0.5, .before = {9}, .dtype = DType::kBF16},
      {.name = "halves", .terms = 64, .results = 96, .step = 0.75, .before = {17}, .dtype = DType::kBF16},
  };
  std::vector<StageProgram> programs;
  for (const BandSpec& spec : specs) programs.push_back(band_program(spec));
  return programs;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::bands(), nullptr, {}, {"band_products"}); }
