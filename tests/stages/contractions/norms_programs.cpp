// norms_programs: a norm between two products whose rows are longer than a tile. The first product's blocks leave sums
// of pieces of the rows beside what they store, those of the second combine them and normalise what they load
// (split_norms): layer and RMS norms, mean squares less squared means, largest elements; columns that pieces do not
// divide, odd numbers of rows, rows of two dimensions, rows far from zero, two products that read a norm, in tiles of
// each form, of sums that blocks share. Beside them norms that others read, which have kernels of their
// own. Each is compared with the evaluator.
//
// Only large programs gain by it: the plan of one is that of a small program of the same text.
#include <cstdio>
#include <sstream>

#include "tests/stages/base/planned_programs.h"
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

enum class Norm : uint8_t { kLayer, kRms, kMoments, kLargest };

constexpr const char* kNames[] = {"layer", "rms", "moments", "largest"};

struct Normed {
  Norm norm = Norm::kLayer;
  int64_t rows = 37, columns = 300, k = 40, outputs = 70;
  int64_t lead = 0;   // rows are [lead, rows / lead]
  bool far = false;   // from zero
  bool two = false;   // products read the norm
  bool alone = true;  // nothing else reads it
};

std::string name_of(const Normed& n) {
  std::string name = kNames[static_cast<int>(n.norm)];
  for (const int64_t number : {n.rows, n.columns, n.k, n.outputs}) name += "_" + std::to_string(number);
  if (n.lead > 0) name += "_by_" + std::to_string(n.lead);
  for (const auto& [is_so, word] : {std::pair(n.far, "_far"), std::pair(n.two, "_two"), std::pair(!n.alone, "_read")})
    name += is_so ? word : "";
  return name;
}

class Writer {
 public:
  explicit Writer(const Normed& n) : n_(n) {}

  std::string text() {
    text_ = "HloModule " + name_of(n_) + "\n\n";
    for (const auto& [name, operation] : {std::pair("sum", "add"), std::pair("largest", "maximum")}) {
      text_ += std::string(name) + " {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT both = f32[] " +
               operation + "(a, b)\n}\n\n";
    }
    text_ += "ENTRY main {\n";
    line("given", rows_of(n_.k), "parameter(0)");
    line("first", {n_.k, n_.columns}, "parameter(1)");
    line("bias", {n_.columns}, "parameter(2)");
    line("before", rows_of(n_.columns), "parameter(3)");
    line("gain", {n_.columns}, "parameter(4)");
    line("second", {n_.columns, n_.outputs}, "parameter(5)");
    line("third", {n_.outputs, n_.columns}, "parameter(6)");
    product("dot", "given", "first", n_.columns);
    along_rows("biases", "bias");
    line("moved", rows_of(n_.columns), "add(dot, biases)");
    std::string residual = "before";
    if (n_.far) {
      line("far", {}, "constant(1000)");
      line("fars", rows_of(n_.columns), "broadcast(far), dimensions={}");
      line("away", rows_of(n_.columns), "add(before, fars)");
      residual = "away";
    }
    line("x", rows_of(n_.columns), "add(" + residual + ", moved)");
    normalise();
    along_rows("gains", "gain");
    line("gained", rows_of(n_.columns), "multiply(normalised, gains)");
    product("up", "gained", "second", n_.outputs);
    line("above", rows_of(n_.outputs), "negate(up)");
    std::string last = "above";
    if (n_.two) {
      line("fourth", {n_.columns, n_.outputs}, "parameter(7)");
      product("gate", "gained", "fourth", n_.outputs);
      line("gated", rows_of(n_.outputs), "multiply(above, gate)");
      last = "gated";
    }
    product("down", last, "third", n_.columns);
    line("ROOT result", rows_of(n_.columns), n_.alone ? "add(x, down)" : "add(gained, down)");
    return text_ + "}\n";
  }

 private:
  void line(const std::string& name, const std::vector<int64_t>& dims, const std::string& value) {
    text_ += "  " + name + " = " + shape_text(DType::kF32, dims) + " " + value + "\n";
  }
  std::vector<int64_t> rows() const {
    return n_.lead == 0 ? std::vector{n_.rows} : std::vector{n_.lead, n_.rows / n_.lead};
  }
  std::vector<int64_t> rows_of(int64_t columns) const {
    std::vector<int64_t> dims = rows();
    dims.push_back(columns);
    return dims;
  }
  std::string last() const { return std::to_string(rows().size()); }
  void product(const std::string& name, const std::string& left, const std::string& right, int64_t columns) {
    line(name, rows_of(columns),
         "dot(" + left + ", " + right + "), lhs_contracting_dims={" + last() + "}, rhs_contracting_dims={0}");
  }
  void along_rows(const std::string& name, const std::string& of) {
    line(name, rows_of(n_.columns), "broadcast(" + of + "), dimensions={" + last() + "}");
  }
  void of_rows(const std::string& name, const std::string& of) {
    line(name, rows_of(n_.columns), "broadcast(" + of + "), dimensions={" + (n_.lead == 0 ? "0" : "0,1") + "}");
  }
  void reduce(const std::string& name, const std::string& of, const std::string& combiner) {
    line(name + "_begin", {}, combiner == "sum" ? "constant(0)" : "constant(-inf)");
    line(name, rows(), "reduce(" + of + ", " + name + "_begin), dimensions={" + last() + "}, to_apply=" + combiner);
  }
  void number(const std::string& name, const std::string& value) {
    line(name + "_constant", {}, "constant(" + value + ")");
    line(name, rows(), "broadcast(" + name + "_constant), dimensions={}");
  }
  void square(const std::string& of) { line("square", rows_of(n_.columns), "multiply(" + of + ", " + of + ")"); }
  // rsqrt(variance + 0.5) times `of`
  void scale(const std::string& of) {
    number("epsilon", "0.5");
    line("kept", rows(), "add(variance, epsilon)");
    line("scale", rows(), "rsqrt(kept)");
    of_rows("scales", "scale");
    line("normalised", rows_of(n_.columns), "multiply(" + of + ", scales)");
  }

  void normalise() {
    number("count", std::to_string(n_.columns));
    if (n_.norm == Norm::kLargest) {
      reduce("most", "x", "largest");
      of_rows("mosts", "most");
      line("normalised", rows_of(n_.columns), "subtract(x, mosts)");
      return;
    }
    if (n_.norm != Norm::kRms) {
      reduce("total", "x", "sum");
      line("mean", rows(), "divide(total, count)");
      of_rows("means", "mean");
      line("apart", rows_of(n_.columns), "subtract(x, means)");
    }
    square(n_.norm == Norm::kLayer ? "apart" : "x");
    reduce("square_sum", "square", "sum");
    line(n_.norm == Norm::kMoments ? "mean_square" : "variance", rows(), "divide(square_sum, count)");
    if (n_.norm == Norm::kMoments) {
      line("squared_mean", rows(), "multiply(mean, mean)");
      line("variance", rows(), "subtract(mean_square, squared_mean)");
    }
    scale(n_.norm == Norm::kRms ? "x" : "apart");
  }

  const Normed n_;
  std::string text_;
};

StageProgram program(const Normed& n) { return {name_of(n), Writer(n).text(), few_values(9, /*special=*/false)}; }

// Of a first product's stage and of those that normalise; threads of a block.
struct Forms {
  const char *first, *second;
  int64_t threads_of_first, threads_of_second;
};

// The plan of a large program of the same text, of those forms; empty, and said, where it has a norm of its own.
std::string plan_in(const Forms& forms, const Normed& n) {
  Normed large = n;
  large.rows = 8192, large.k = large.columns = 768 + n.columns % 64, large.outputs = 3072;
  if (large.lead > 0) large.lead = 8;
  const std::string plan = plan_of(program(large), {}, {"split_norms"});
  if (plan.find("row(") != std::string::npos || plan.find("map") != std::string::npos) {
    std::printf("FAIL %s: its norm has a kernel\n%s", name_of(large).c_str(), plan.c_str());
    return "";
  }
  std::istringstream lines(plan);
  std::string result, line, kernel;
  bool is_first = true;
  while (std::getline(lines, line)) {
    const size_t brace = line.find(" {");
    if (line.starts_with("program")) {
      line = "program " + name_of(n) + " {";
    } else if (line.starts_with("  kernel ")) {
      kernel = line.substr(0, line.find(" grid"));
      continue;
    } else if (line.starts_with("    stage ")) {
      std::string values = line.substr(brace), more;
      while (values.find('}') == std::string::npos && std::getline(lines, more)) values += "\n" + more;
      const bool normalises = values.find(n.norm == Norm::kLargest ? " most" : "square_sum") != std::string::npos;
      const std::string stage = is_first ? forms.first : normalises ? forms.second : "contract";
      const int64_t threads = is_first ? forms.threads_of_first : normalises ? forms.threads_of_second : 256;
      line = kernel + " grid auto block " + std::to_string(threads) + " {\n    stage " + stage + values;
      is_first = false;
    }
    result += line + "\n";
  }
  return result;
}

std::vector<StageProgram> in_each_form(int* wrong) {
  std::vector<StageProgram> programs;
  int number = 0;
  const auto add = [&](const Forms& forms, const Normed& n) {
    StageProgram planned = program(n);
    planned.plan = plan_in(forms, n);
    if (planned.plan.empty()) ++*wrong;
    const std::string name = planned.name + "_in_form_" + std::to_string(number);
    for (std::string* text : {&planned.text, &planned.plan}) {
      const size_t at = text->find(planned.name);
      if (at != std::string::npos) text->replace(at, planned.name.size(), name);
    }
    planned.name = name;
    programs.push_back(std::move(planned));
  };
  constexpr Forms kForms[] = {
      {"contract(simt 32x64x16)", "contract(simt 32x32x16)", 64, 64},
      {"contract(simt 64x64x8)", "contract", 128, 256},
      {"contract(mma 3xtf32 32x64x16, stages 3)", "contract(mma 3xtf32 32x32x16, stages 3)", 128, 128},
      {"contract(mma 3xtf32 128x64x16, stages 4)", "contract(mma 3xtf32 128x64x16, stages 4)", 128, 128},
      {"contract(mma 3xtf32 64x64x16, stages 2, split 2)", "contract(mma 3xtf32 64x64x16, stages 2)", 256, 128},
      {"contract(mma 3xtf32 32x64x16, stages 3)", "contract(mma 3xtf32 32x32x16, stages 2, split 2)", 128, 128},
  };
  for (const Forms& forms : kForms) {
    ++number;
    for (const Norm norm : {Norm::kLayer, Norm::kRms, Norm::kMoments, Norm::kLargest}) {
      add(forms, {.norm = norm});
      add(forms, {.norm = norm, .rows = 64, .columns = 320, .k = 64, .outputs = 64});
    }
    add(forms, {.rows = 17, .columns = 257, .k = 37, .outputs = 33});
    add(forms, {.rows = 130, .columns = 447, .lead = 2});
    // Results of two columns each no thread an element has.
    if (forms.threads_of_second < 256) add(forms, {.rows = 20, .columns = 300, .outputs = 72, .two = true});
    add(forms, {.columns = 320, .far = true});
    add(forms, {.columns = 333, .far = true});
  }
  return programs;
}

// Whose norm others read, too.
std::vector<StageProgram> apart() {
  return {program({.rows = 40, .columns = 320, .alone = false}),
          program({.norm = Norm::kRms, .rows = 40, .columns = 320, .alone = false})};
}

// Relative to the largest result: sums in another order, 3xTF32 and rsqrt.
double rounding(DType /*type*/) { return 2e-5; }

int check() {
  int wrong = 0;
  for (const StageProgram& program : apart()) wrong += has_in_plan(program, "row(") ? 0 : 1;
  for (const std::vector<StageProgram>& programs : {in_each_form(&wrong), apart()})
    wrong += run_stage_programs(programs, rounding);
  return wrong > 0 ? 1 : 0;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::check(); }
