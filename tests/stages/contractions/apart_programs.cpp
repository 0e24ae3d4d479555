// apart_programs: products of one operand with a matrix each, whose results have nothing to do with each other, as one
// kernel: two to four of them, each with what follows it, rows in another order among that; matrices' rows along k or
// across it, of batches, or computed on their way; in all forms, of numbers whose sums are exact, infinities and NaNs
// among them.
#include <cstdio>

#include "ir/values/dtype.h"
#include "tests/stages/base/planned_programs.h"

namespace sinter {
namespace {

struct Apart {
  DType dtype = DType::kF32;
  int64_t batch = 1, rows = 72, columns = 64, k = 80;  // columns of each product
  int64_t parts = 3;
  bool along_k = false;  // of the matrices, what is side by side in memory
  bool scaled = false;   // the matrices are bytes with a scale for each column
};

std::string name_of(const Apart& a) {
  std::string name = "apart_" + std::string(dtype_name(a.dtype));
  for (const int64_t number : {a.parts, a.batch, a.rows, a.columns, a.k}) name += "_" + std::to_string(number);
  return name + (a.along_k ? "_t" : "_n") + (a.scaled ? "_scaled" : "");
}

class Writer {
 public:
  Writer(std::string name, const Apart& apart) : name_(std::move(name)), apart_(apart) {}

  std::string text() {
    parameter("x", apart_.dtype, of_batch({apart_.rows, apart_.k}));
    std::string shapes, results;
    for (int64_t part = 0; part < apart_.parts; ++part) {
      const auto [shape, name] = add_part(part);
      shapes += (part == 0 ? "" : ", ") + shape;
      results += (part == 0 ? "" : ", ") + name;
    }
    line("plain", shape_text(apart_.dtype, results_dims()), "copy(product1)");
    return "HloModule " + name_ + "\n\nENTRY main {\n" + text_ + "  ROOT results = (" + shapes + ", " +
           shape_text(apart_.dtype, results_dims()) + ") tuple(" + results + ", plain)\n}\n";
  }

 private:
  void line(const std::string& name, const std::string& shape, const std::string& value) {
    text_ += "  " + name + " = " + shape + " " + value + "\n";
  }
  void parameter(const std::string& name, DType dtype, const std::vector<int64_t>& dims) {
    line(name, shape_text(dtype, dims), "parameter(" + std::to_string(parameters_++) + ")");
  }
  std::vector<int64_t> of_batch(std::vector<int64_t> dims) const {
    if (apart_.batch > 1) dims.insert(dims.begin(), apart_.batch);
    return dims;
  }
  std::vector<int64_t> results_dims() const { return of_batch({apart_.rows, apart_.columns}); }
  int64_t lead() const { return apart_.batch > 1 ? 1 : 0; }

  std::string matrix(const std::string& number) {
    const std::vector<int64_t> dims =
        of_batch(apart_.along_k ? std::vector{apart_.columns, apart_.k} : std::vector{apart_.k, apart_.columns});
    const std::string name = "w" + number, shape = shape_text(apart_.dtype, dims);
    if (!apart_.scaled) {
      parameter(name, apart_.dtype, dims);
      return name;
    }
    parameter("bytes" + number, DType::kS8, dims);
    parameter("scale" + number, apart_.dtype, {apart_.columns});
    line("wide" + number, shape, "convert(bytes" + number + ")");
    line("scales" + number, shape,
         "broadcast(scale" + number + "), dimensions={" + std::to_string(lead() + (apart_.along_k ? 0 : 1)) + "}");
    line(name, shape, "multiply(wide" + number + ", scales" + number + ")");
    return name;
  }

  // The shape and name of what is made of a product: of each something else.
  std::pair<std::string, std::string> add_part(int64_t part) {
    const std::string number = std::to_string(part), product = "product" + number;
    const std::string of = matrix(number), shape = shape_text(apart_.dtype, results_dims());
    const std::string batch = apart_.batch > 1 ? "lhs_batch_dims={0}, rhs_batch_dims={0}, " : "";
    line(product, shape,
         "dot(x, " + of + "), " + batch + "lhs_contracting_dims={" + std::to_string(lead() + 1) +
             "}, rhs_contracting_dims={" + std::to_string(lead() + (apart_.along_k ? 1 : 0)) + "}");
    const std::string result = "result" + number;
    if (part == 0) {
      parameter("bias", apart_.dtype, {apart_.columns});
      line("biases", shape, "broadcast(bias), dimensions={" + std::to_string(lead() + 1) + "}");
      line(result, shape, "add(" + product + ", biases)");
      return {shape, result};
    }
    if (part == 1 && apart_.batch == 1) {
      const int64_t heads = 2, width = apart_.columns / heads;
      line("heads", shape_text(apart_.dtype, {apart_.rows, heads, width}), "reshape(" + product + ")");
      const std::string turned = shape_text(apart_.dtype, {heads, apart_.rows, width});
      line(result, turned, "transpose(heads), dimensions={1,0,2}");
      return {turned, result};
    }
    if (part == 2) {
      const std::string narrow = shape_text(DType::kF16, results_dims());
      line("magnitude", shape, "abs(" + product + ")");
      line(result, narrow, "convert(magnitude)");
      return {narrow, result};
    }
    line(result, shape, "negate(" + product + ")");
    return {shape, result};
  }

  const std::string name_;
  const Apart apart_;
  std::string text_;
  int parameters_ = 0;
};

struct Form {
  const char* text;
  int64_t threads;
};

// All that the program's kernels compute as one kernel of this form; empty on failure. What is small shares launches,
// and has several stages in a kernel.
std::string plan_in(const Form& form, const StageProgram& program) {
  const std::string chosen = plan_of(program);
  std::string values;
  for (size_t end = chosen.find('}'); end != std::string::npos; end = chosen.find('}', end + 1)) {
    const size_t begin = chosen.find_last_of("{}", end - 1);
    if (chosen[begin] == '{') values += " " + chosen.substr(begin + 1, end - begin - 1);
  }
  if (values.empty()) return "";
  return "program " + program.name + " {\n  kernel all grid auto block " + std::to_string(form.threads) +
         " {\n    stage contract(" + form.text + ") {" + values + "}\n  }\n}\n";
}

bool add_in_forms(const Apart& apart, const std::vector<Form>& forms, std::vector<StageProgram>* programs) {
  bool good = true;
  for (const Form& form : forms) {
    const std::string name = name_of(apart) + "_in_form_" + std::to_string(programs->size());
    StageProgram planned = {name, Writer(name, apart).text(), few_values(9, apart.k < 100)};
    planned.plan = plan_in(form, planned);
    good &= !planned.plan.empty();
    programs->push_back(std::move(planned));
  }
  return good;
}

double exact(DType) { return 0; }

int run() {
  constexpr DType kBF16 = DType::kBF16, kF16 = DType::kF16, kF32 = DType::kF32, kF64 = DType::kF64;
  const std::vector<Form> halves = {{"mma 64x64x32, stages 4", 128},        {"mma 32x32x32, stages 3, split 2", 128},
                                    {"wgmma 64x64x64, stages 4", 128},      {"wgmma 128x64x64, stages 3", 256},
                                    {"wgmma 64x64x64, stages 4, tma", 256}, {"simt 64x64x8", 128}};
  const std::vector<Form> wide_halves = {
      {"mma 64x128x32, stages 4", 128}, {"wgmma 64x128x64, stages 4", 128}, {"wgmma 128x128x64, stages 3, tma", 384}};
  const std::vector<Form> floats = {{"mma 3xtf32 64x64x16, stages 4", 128},
                                    {"mma 3xtf32 32x32x16, stages 4, split 2", 128},
                                    {"wgmma 3xtf32 64x64x32, stages 3, turned", 128},
                                    {"simt 64x64x8", 128}};
  const std::vector<Form> simt = {{"simt 32x32x16", 64}, {"simt 64x64x8", 256}};
  std::vector<StageProgram> programs;
  bool good = true;
  const auto add = [&](const Apart& apart, const std::vector<Form>& forms) {
    good &= add_in_forms(apart, forms, &programs);
  };
  for (const bool along_k : {true, false}) {
    for (const int64_t parts : {2, 3, 4}) {
      add({.dtype = kBF16, .parts = parts, .along_k = along_k}, halves);
      add({.dtype = kF32, .parts = parts, .along_k = along_k}, floats);
    }
    add({.dtype = kF16, .rows = 130, .columns = 128, .k = 192, .along_k = along_k}, wide_halves);
    add({.dtype = kBF16, .batch = 2, .rows = 66, .columns = 128, .k = 72, .along_k = along_k}, wide_halves);
    add({.dtype = kF32, .batch = 2, .rows = 40, .columns = 192, .k = 77, .along_k = along_k}, {floats[0], floats[3]});
    add({.dtype = kF64, .rows = 33, .k = 50, .along_k = along_k}, simt);
    // Of columns that no tile has alone: a run of each product in turn.
    add({.dtype = kBF16, .batch = 2, .columns = 40, .parts = 2, .along_k = along_k}, {halves[0], halves[2]});
    add({.dtype = kF32, .batch = 2, .columns = 40, .along_k = along_k}, {floats[0], floats[3]});
    add({.dtype = kBF16, .k = 96, .along_k = along_k, .scaled = true}, {halves[0], halves[2], halves[5]});
    add({.dtype = kF32, .k = 96, .along_k = along_k, .scaled = true}, {floats[0], floats[3]});
  }
  return run_stage_programs(programs, exact) | (good ? 0 : 1);
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run(); }
