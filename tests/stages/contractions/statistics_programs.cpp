// statistics_programs: products whose vectors are normalised by what they are reduced to, in the product's own kernel:
// sums of squares, means and variances (two phases, or two sums of one), largest elements, softmax; 1 to 16 vectors,
// odd numbers of elements, matrices on either side, of bytes with a scale, two of them, batches, sums that blocks
// share. The same of 17 to 256 vectors in tiles of each form. Beside them what must have a kernel of its own. Each is
// compared with the evaluator, infinities and NaNs among the numbers of some.
#include <cctype>
#include <cstdio>

#include "ir/values/dtype.h"
#include "tests/stages/base/planned_programs.h"
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

enum class Norm : uint8_t { kRms, kLayer, kMoments, kLargest, kSoftmax, kNarrow, kOfColumns, kOfAll };

constexpr const char* kNames[] = {"rms", "layer", "moments", "largest", "softmax", "narrow", "of_columns", "of_all"};

struct Normalised {
  Norm norm = Norm::kRms;
  DType dtype = DType::kF32;
  int64_t vectors = 1, outputs = 512, k = 512;
  int64_t batch = 1;
  bool matrix_left = false;
  bool along_k = false;     // the matrix's neighbours in memory
  bool transposed = false;  // the vectors' neighbours are in other vectors
  bool bytes = false;       // the matrix is bytes with a scale for each output
  bool gated = false;       // two matrices, whose products are multiplied
  bool exact = false;       // of f32: no terms of TF32
};

std::string name_of(const Normalised& n) {
  std::string name = std::string(kNames[static_cast<int>(n.norm)]) + "_" + std::string(dtype_name(n.dtype));
  for (const int64_t number : {n.batch, n.vectors, n.outputs, n.k}) name += "_" + std::to_string(number);
  for (const auto& [is_so, word] :
       {std::pair(n.matrix_left, "_left"), std::pair(n.along_k, "_t"), std::pair(n.transposed, "_across"),
        std::pair(n.bytes, "_bytes"), std::pair(n.gated, "_gated"), std::pair(n.exact, "_exact")})
    name += is_so ? word : "";
  return name;
}

class Writer {
 public:
  explicit Writer(const Normalised& n) : n_(n) {}

  std::string text() {
    text_ = "HloModule " + name_of(n_) + "\n\n";
    const DType sums = n_.norm == Norm::kNarrow ? n_.dtype : DType::kF32;
    for (const auto& [name, operation] : {std::pair("sum", "add"), std::pair("largest", "maximum")}) {
      const std::string scalar = shape_text(sums, {});
      text_ += std::string(name) + " {\n  a = " + scalar + " parameter(0)\n  b = " + scalar +
               " parameter(1)\n  ROOT both = " + scalar + " " + operation + "(a, b)\n}\n\n";
    }
    text_ += "ENTRY main {\n";
    line("given", n_.dtype, given(), "parameter(0)");
    line("gain", DType::kF32, {n_.k}, "parameter(1)");
    line("x", DType::kF32, given(), "convert(given)");
    normalise();
    line("gains", DType::kF32, given(), "broadcast(gain), dimensions={" + std::to_string(term()) + "}");
    line("gained", DType::kF32, given(), "multiply(normalised, gains)");
    line("vectors", n_.dtype, given(), "convert(gained)");
    product("dot", 2);
    if (n_.gated) {
      product("other", 4);
      line("ROOT result", n_.dtype, results(), "multiply(dot, other)");
    } else {
      line("ROOT result", n_.dtype, results(), "negate(dot)");
    }
    return text_ + "}\n";
  }

 private:
  void line(const std::string& name, DType dtype, const std::vector<int64_t>& dims, const std::string& value) {
    text_ += "  " + name + " = " + shape_text(dtype, dims) + " " + value + "\n";
  }
  std::vector<int64_t> in_batch(int64_t a, int64_t b) const {
    return n_.batch == 1 ? std::vector{a, b} : std::vector{n_.batch, a, b};
  }
  std::vector<int64_t> given() const { return n_.transposed ? in_batch(n_.k, n_.vectors) : in_batch(n_.vectors, n_.k); }
  int64_t first() const { return n_.batch == 1 ? 0 : 1; }
  int64_t term() const { return first() + (n_.transposed ? 0 : 1); }
  std::vector<int64_t> results() const {
    return n_.matrix_left ? in_batch(n_.outputs, n_.vectors) : in_batch(n_.vectors, n_.outputs);
  }

  // What is reduced along `dims`, and that for each element.
  void reduce(const std::string& name, const std::string& of, const std::string& combiner, DType dtype = DType::kF32) {
    std::string dims = std::to_string(term()), kept;
    std::vector<int64_t> shape;
    for (int64_t d = 0; d < static_cast<int64_t>(given().size()); ++d) {
      const bool reduced = n_.norm == Norm::kOfAll || (d == term()) != (n_.norm == Norm::kOfColumns);
      if (reduced) continue;
      shape.push_back(given()[d]);
      kept += (kept.empty() ? "" : ",") + std::to_string(d);
    }
    if (n_.norm == Norm::kOfAll) dims = "0,1";
    if (n_.norm == Norm::kOfColumns) dims = "0";
    line(name + "_begin", dtype, {}, combiner == "sum" ? "constant(0)" : "constant(-inf)");
    line(name + "_value", dtype, shape,
         "reduce(" + of + ", " + name + "_begin), dimensions={" + dims + "}, to_apply=" + combiner);
    shape_ = shape;
    kept_ = kept;
  }
  void spread(const std::string& name, const std::string& of) {
    line(name, DType::kF32, given(), "broadcast(" + of + "), dimensions={" + kept_ + "}");
  }
  void number(const std::string& name, const std::string& value, DType dtype = DType::kF32) {
    line(name + "_constant", dtype, {}, "constant(" + value + ")");
    line(name, dtype, shape_, "broadcast(" + name + "_constant), dimensions={}");
  }
  // rsqrt(of / k + 0.5)
  void scale(const std::string& of) {
    number("count", std::to_string(n_.k));
    number("epsilon", "0.5");
    line("mean_square", DType::kF32, shape_, "divide(" + of + ", count)");
    line("moved", DType::kF32, shape_, "add(mean_square, epsilon)");
    line("scale", DType::kF32, shape_, "rsqrt(moved)");
    spread("scales", "scale");
  }
  void mean() {
    number("terms", std::to_string(n_.k));
    line("mean", DType::kF32, shape_, "divide(total_value, terms)");
    spread("means", "mean");
    line("apart", DType::kF32, given(), "subtract(x, means)");
  }

  void normalise() {
    line("square", DType::kF32, given(), "multiply(x, x)");
    switch (n_.norm) {
      case Norm::kRms:
      case Norm::kOfColumns:
      case Norm::kOfAll:
        reduce("total", "square", "sum");
        scale("total_value");
        line("normalised", DType::kF32, given(), "multiply(x, scales)");
        return;
      case Norm::kLayer:
        reduce("total", "x", "sum");
        mean();
        line("apart_square", DType::kF32, given(), "multiply(apart, apart)");
        reduce("apart", "apart_square", "sum");
        scale("apart_value");
        line("normalised", DType::kF32, given(), "multiply(apart, scales)");
        return;
      case Norm::kMoments:
        reduce("total", "x", "sum");
        mean();
        reduce("squares", "square", "sum");
        line("mean_squared", DType::kF32, shape_, "multiply(mean, total_value)");
        line("spread", DType::kF32, shape_, "subtract(squares_value, mean_squared)");
        line("above", DType::kF32, shape_, "abs(spread)");
        scale("above");
        line("normalised", DType::kF32, given(), "multiply(apart, scales)");
        return;
      case Norm::kLargest:
        line("size", DType::kF32, given(), "abs(x)");
        reduce("size", "size", "largest");
        number("one", "1");
        line("least", DType::kF32, shape_, "maximum(size_value, one)");
        spread("leasts", "least");
        line("normalised", DType::kF32, given(), "divide(x, leasts)");
        return;
      case Norm::kSoftmax:
        reduce("most", "x", "largest");
        spread("mosts", "most_value");
        line("below", DType::kF32, given(), "subtract(x, mosts)");
        line("weight", DType::kF32, given(), "exponential(below)");
        reduce("weights", "weight", "sum");
        spread("sums", "weights_value");
        line("normalised", DType::kF32, given(), "divide(weight, sums)");
        return;
      case Norm::kNarrow:
        line("size", n_.dtype, given(), "abs(given)");
        reduce("size", "size", "largest", n_.dtype);
        line("wide", DType::kF32, shape_, "convert(size_value)");
        number("one", "1");
        line("least", DType::kF32, shape_, "maximum(wide, one)");
        spread("leasts", "least");
        line("normalised", DType::kF32, given(), "divide(x, leasts)");
        return;
    }
  }

  void product(const std::string& name, int parameter) {
    const std::vector<int64_t> dims = n_.along_k ? in_batch(n_.outputs, n_.k) : in_batch(n_.k, n_.outputs);
    const std::string w = name + "_w", number = "parameter(" + std::to_string(parameter) + ")";
    if (n_.bytes) {
      line(w + "_bytes", DType::kS8, dims, number);
      line(w + "_scale", n_.dtype, {n_.outputs}, "parameter(" + std::to_string(parameter + 1) + ")");
      line(w + "_wide", n_.dtype, dims, "convert(" + w + "_bytes)");
      const int64_t output = first() + (n_.along_k ? 0 : 1);
      line(w + "_scales", n_.dtype, dims, "broadcast(" + w + "_scale), dimensions={" + std::to_string(output) + "}");
      line(w, n_.dtype, dims, "multiply(" + w + "_wide, " + w + "_scales)");
    } else {
      line(w, n_.dtype, dims, number);
      if (n_.gated) line(w + "_unread", n_.dtype, {n_.outputs}, "parameter(" + std::to_string(parameter + 1) + ")");
    }
    const std::string of_w = std::to_string(first() + (n_.along_k ? 1 : 0)), of_x = std::to_string(term());
    const std::string batches = n_.batch == 1 ? "" : ", lhs_batch_dims={0}, rhs_batch_dims={0}";
    line(name, n_.dtype, results(),
         (n_.matrix_left ? "dot(" + w + ", vectors)" : "dot(vectors, " + w + ")") + batches +
             ", lhs_contracting_dims={" + (n_.matrix_left ? of_w : of_x) + "}, rhs_contracting_dims={" +
             (n_.matrix_left ? of_x : of_w) + "}" + (n_.exact ? ", operand_precision={highest,highest}" : ""));
  }

  const Normalised n_;
  std::string text_;
  std::vector<int64_t> shape_;  // of what was reduced last
  std::string kept_;
};

StageProgram program(const Normalised& n, bool special = false) {
  return {name_of(n), Writer(n).text(), few_values(9, special)};
}

constexpr DType kBF16 = DType::kBF16, kF16 = DType::kF16, kF32 = DType::kF32;

// Whose statistics are made in the product's kernel.
std::vector<StageProgram> inside() {
  std::vector<StageProgram> programs;
  for (const Norm norm : {Norm::kRms, Norm::kLayer, Norm::kMoments, Norm::kLargest, Norm::kSoftmax}) {
    for (const DType dtype : {kBF16, kF32, kF16}) {
      for (const int64_t vectors : {1, 3, 8}) {
        const bool special = norm == Norm::kRms || norm == Norm::kLargest;
        programs.push_back(program(
            {.norm = norm, .dtype = dtype, .vectors = vectors, .outputs = 1024, .k = 2048, .along_k = vectors == 3},
            special));
      }
    }
    programs.push_back(program({.norm = norm, .vectors = 16, .outputs = 1280, .k = 261}));
    programs.push_back(
        program({.norm = norm, .dtype = kBF16, .vectors = 3, .outputs = 1000, .k = 1007, .along_k = true}));
    programs.push_back(
        program({.norm = norm, .dtype = kBF16, .vectors = 2, .outputs = 1024, .k = 2048, .bytes = true}));
    programs.push_back(program({.norm = norm, .vectors = 4, .outputs = 1024, .k = 1000, .gated = true}));
  }
  programs.push_back(program({.dtype = kBF16, .vectors = 8, .outputs = 1536, .k = 1024, .gated = true}));
  programs.push_back(
      program({.dtype = kBF16, .vectors = 1, .outputs = 1536, .k = 2048, .along_k = true, .gated = true}));
  programs.push_back(
      program({.dtype = kBF16, .vectors = 2, .outputs = 1536, .k = 2048, .matrix_left = true, .gated = true}));
  programs.push_back(program({.vectors = 7, .outputs = 1200, .k = 1025, .matrix_left = true}));
  programs.push_back(program({.vectors = 3, .outputs = 1200, .k = 1028, .transposed = true}));
  programs.push_back(program({.dtype = kBF16, .vectors = 4, .outputs = 512, .k = 1024, .batch = 3}));
  programs.push_back(program({.norm = Norm::kLayer, .vectors = 3, .outputs = 300, .k = 515, .batch = 5}));
  programs.push_back(program({.norm = Norm::kNarrow, .dtype = kBF16, .vectors = 6, .outputs = 1024, .k = 2048}, true));
  programs.push_back(program({.norm = Norm::kNarrow, .dtype = kF16, .vectors = 2, .outputs = 1024, .k = 2048}));
  return programs;
}

// A program and how its product's stage begins.
struct Tiled {
  std::string stage;
  StageProgram program;
};

// What is chosen for few vectors.
std::vector<Tiled> tiled() {
  std::vector<Tiled> programs;
  const auto add = [&](const char* stage, const Normalised& n, bool special = false) {
    programs.push_back({stage, program(n, special)});
  };
  for (const Norm norm : {Norm::kRms, Norm::kLayer, Norm::kMoments, Norm::kLargest, Norm::kSoftmax}) {
    const bool special = norm == Norm::kRms || norm == Norm::kLargest;
    for (const int64_t vectors : {17, 24, 32, 33, 64, 100})
      add("contract {", {.norm = norm, .vectors = vectors, .outputs = 72, .k = 48}, special);
    add("contract {", {.norm = norm, .vectors = 256, .outputs = 40, .k = 64}, special);
    add("contract {", {.norm = norm, .vectors = 33, .outputs = 50, .k = 37});
    add("contract {", {.norm = norm, .dtype = kBF16, .vectors = 24, .outputs = 40, .k = 40, .batch = 3}, special);
  }
  add("contract(simt ", {.vectors = 100, .outputs = 1024, .k = 256, .exact = true});
  add("contract(mma ", {.dtype = kBF16, .vectors = 64, .outputs = 1024, .k = 512}, true);
  return programs;
}

// Whatever takes the least time: in tiles of an element a thread, without tensor cores and on them.
std::vector<StageProgram> in_each_form() {
  std::vector<StageProgram> programs;
  const auto add = [&](const std::string& stage, int64_t threads, const Normalised& n, bool special) {
    StageProgram planned = program(n, special);
    const size_t name = planned.text.find(planned.name), length = planned.name.size();
    for (const char letter : "_" + stage + "_" + std::to_string(threads))
      planned.name += std::isalnum(letter) != 0 ? letter : '_';
    planned.text.replace(name, length, planned.name);
    planned.plan = plan_in_one_stage(planned, stage, threads);
    programs.push_back(std::move(planned));
  };
  const auto add_all = [&](const Normalised& n, bool special = false) {
    if (!n.gated) {
      for (const int64_t threads : {64, 256, 1024}) add("contract", threads, n, special);
    }
    add("contract(simt 64x64x8)", 128, n, special);
    add("contract(simt 32x32x32)", 64, n, special);
    add("contract(simt 128x64x8)", 256, n, special);
    const std::string product = n.dtype == kF32 ? "mma 3xtf32 " : "mma ", k = n.dtype == kF32 ? "x16" : "x32";
    for (const auto& [tile, threads] : {std::pair("32x32", 128), {"128x64", 128}, {"64x128", 256}})
      add("contract(" + product + tile + k + ", stages 3)", threads, n, special);
  };
  for (const Norm norm : {Norm::kRms, Norm::kLayer, Norm::kMoments, Norm::kLargest, Norm::kSoftmax}) {
    const bool special = norm == Norm::kRms || norm == Norm::kLargest;
    add_all({.norm = norm, .vectors = 33, .outputs = 72, .k = 37}, special);
    add_all({.norm = norm, .dtype = kBF16, .vectors = 100, .outputs = 136, .k = 96, .along_k = true}, special);
  }
  add_all({.norm = Norm::kLayer, .dtype = kF16, .vectors = 256, .outputs = 64, .k = 64});
  add_all({.norm = Norm::kLayer, .vectors = 40, .outputs = 70, .k = 48, .matrix_left = true});
  add_all({.norm = Norm::kLayer, .dtype = kBF16, .vectors = 40, .outputs = 72, .k = 41, .matrix_left = true}, true);
  add_all({.norm = Norm::kLayer, .vectors = 40, .outputs = 72, .k = 52, .transposed = true});
  add_all({.norm = Norm::kLayer, .dtype = kBF16, .vectors = 40, .outputs = 72, .k = 52, .transposed = true});
  add_all({.norm = Norm::kLayer, .vectors = 24, .outputs = 50, .k = 36, .batch = 3});
  add_all({.norm = Norm::kLayer, .dtype = kBF16, .vectors = 24, .outputs = 50, .k = 35, .batch = 3}, true);
  add_all({.norm = Norm::kNarrow, .dtype = kBF16, .vectors = 17, .outputs = 72, .k = 48, .bytes = true}, true);
  add_all({.dtype = kBF16, .vectors = 64, .outputs = 128, .k = 64, .gated = true});
  add_all({.norm = Norm::kLayer, .vectors = 50, .outputs = 128, .k = 37, .gated = true}, true);
  return programs;
}

// Whose reductions have kernels of their own: along the vectors, of all of them, and of too many vectors.
std::vector<StageProgram> apart() {
  return {program({.norm = Norm::kOfColumns, .vectors = 8, .outputs = 1024, .k = 2048}),
          program({.norm = Norm::kOfAll, .vectors = 8, .outputs = 1024, .k = 2048}),
          program({.norm = Norm::kOfColumns, .vectors = 48, .outputs = 64, .k = 48}),
          program({.norm = Norm::kOfAll, .vectors = 48, .outputs = 64, .k = 48}),
          program({.dtype = kBF16, .vectors = 257, .outputs = 64, .k = 48})};
}

// Relative to the largest result: of f32, sums in another order and rsqrt; of narrow types, roundings of vectors and
// results.
double rounding(DType type) { return type == kF32 ? 3e-6 : type == kF16 ? 0x1p-9 : 0x1p-6; }

// Whether all of the program is one stage, which begins so; `begin` empty: it is not to be one.
bool is_planned(const StageProgram& program, const std::string& begin) {
  const std::string plan = plan_of(program), stage = "  stage ";
  const size_t first = plan.find(stage);
  const bool is_one = first != std::string::npos && plan.find(stage, first + 1) == std::string::npos;
  if (begin.empty() ? !is_one : is_one && plan.find(stage + begin) == first) return true;
  const std::string what = begin.empty() ? "one kernel" : "not one kernel of " + begin;
  std::printf("FAIL %s: %s\n%s", program.name.c_str(), what.c_str(), plan.c_str());
  return false;
}

int check() {
  int wrong = 0;
  for (const StageProgram& program : inside()) wrong += is_planned(program, "contract(gemv") ? 0 : 1;
  for (const StageProgram& program : apart()) wrong += is_planned(program, "") ? 0 : 1;
  std::vector<StageProgram> in_tiles;
  for (const Tiled& each : tiled()) {
    wrong += is_planned(each.program, each.stage) ? 0 : 1;
    in_tiles.push_back(each.program);
  }
  for (const std::vector<StageProgram>& programs : {inside(), in_tiles, in_each_form(), apart()})
    wrong += run_stage_programs(programs, rounding);
  return wrong > 0 ? 1 : 0;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::check(); }
