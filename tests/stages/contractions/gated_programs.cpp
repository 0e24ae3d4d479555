// gated_programs: results that are made of several sums of a row: of parts of one product's rows, and of products with
// a matrix each, two to four of them, three among them; matrices on either side, their rows along k or across it; on
// tensor cores, without them, and of few vectors; in numbers whose sums are exact, infinities and NaNs among them.
#include "ir/values/dtype.h"
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct Gated {
  DType dtype = DType::kF32;
  int64_t rows = 64, columns = 64, k = 64;  // columns of each part
  int64_t parts = 2;
  bool of_one = false;       // one matrix has all parts
  bool matrix_left = false;  // the matrices are left operands
  bool along_k = false;      // of the matrices, what is side by side in memory
  bool scaled = false;       // the matrices are bytes with a scale for each column
};

std::string name_of(const Gated& g) {
  std::string name = std::string(dtype_name(g.dtype)) + (g.of_one ? "_parts" : "_matrices");
  for (const int64_t number : {g.parts, g.rows, g.columns, g.k}) name += "_" + std::to_string(number);
  return name + (g.matrix_left ? "_left" : "") + (g.along_k ? "_t" : "_n") + (g.scaled ? "_scaled" : "");
}

class Writer {
 public:
  explicit Writer(const Gated& gated) : gated_(gated) {}

  std::string text() {
    text_ = "HloModule " + name_of(gated_) + "\n\nENTRY main {\n";
    parameter("x", gated_.dtype,
              gated_.matrix_left ? std::vector{gated_.k, gated_.rows} : std::vector{gated_.rows, gated_.k});
    gated_.of_one ? parts_of_one() : products();
    std::string all = "part0";
    for (int64_t i = 1; i < gated_.parts; ++i) {
      const std::string part = "part" + std::to_string(i), next = "gated" + std::to_string(i);
      line(next, gated_.dtype, results(), (i % 2 == 1 ? "maximum(" : "add(") + all + ", " + part + ")");
      all = next;
    }
    line("ROOT result", gated_.dtype, results(), "negate(" + all + ")");
    return text_ + "}\n";
  }

 private:
  void line(const std::string& name, DType dtype, const std::vector<int64_t>& dims, const std::string& value) {
    text_ += "  " + name + " = " + shape_text(dtype, dims) + " " + value + "\n";
  }
  void parameter(const std::string& name, DType dtype, const std::vector<int64_t>& dims) {
    line(name, dtype, dims, "parameter(" + std::to_string(parameters_++) + ")");
  }
  std::vector<int64_t> results() const {
    return gated_.matrix_left ? std::vector{gated_.columns, gated_.rows} : std::vector{gated_.rows, gated_.columns};
  }

  // A matrix of so many columns.
  void matrix(const std::string& name, int64_t columns) {
    const std::vector<int64_t> dims = gated_.along_k ? std::vector{columns, gated_.k} : std::vector{gated_.k, columns};
    if (!gated_.scaled) return parameter(name, gated_.dtype, dims);
    parameter(name + "_bytes", DType::kS8, dims);
    parameter(name + "_scale", gated_.dtype, {columns});
    line(name + "_wide", gated_.dtype, dims, "convert(" + name + "_bytes)");
    const std::string along = gated_.along_k ? "0" : "1";
    line(name + "_scales", gated_.dtype, dims, "broadcast(" + name + "_scale), dimensions={" + along + "}");
    line(name, gated_.dtype, dims, "multiply(" + name + "_wide, " + name + "_scales)");
  }
  void product(const std::string& name, const std::string& of, const std::vector<int64_t>& dims) {
    const std::string of_matrix = gated_.along_k ? "1" : "0", of_x = gated_.matrix_left ? "0" : "1";
    line(name, gated_.dtype, dims,
         gated_.matrix_left
             ? "dot(" + of + ", x), lhs_contracting_dims={" + of_matrix + "}, rhs_contracting_dims={" + of_x + "}"
             : "dot(x, " + of + "), lhs_contracting_dims={" + of_x + "}, rhs_contracting_dims={" + of_matrix + "}");
  }

  void products() {
    for (int64_t i = 0; i < gated_.parts; ++i) {
      const std::string number = std::to_string(i);
      matrix("w" + number, gated_.columns);
      product("part" + number, "w" + number, results());
    }
  }
  void parts_of_one() {
    matrix("w", gated_.parts * gated_.columns);
    product("all", "w", {gated_.rows, gated_.parts * gated_.columns});
    for (int64_t i = 0; i < gated_.parts; ++i) {
      const std::string from = std::to_string(i * gated_.columns), to = std::to_string((i + 1) * gated_.columns);
      line("part" + std::to_string(i), gated_.dtype, results(),
           "slice(all), slice={[0:" + std::to_string(gated_.rows) + "], [" + from + ":" + to + "]}");
    }
  }

  const Gated gated_;
  std::string text_;
  int parameters_ = 0;
};

std::vector<StageProgram> programs() {
  std::vector<StageProgram> result;
  const auto add = [&](const Gated& gated) {
    result.push_back({name_of(gated), Writer(gated).text(), few_values(9, gated.k < 100)});
  };
  constexpr DType kBF16 = DType::kBF16, kF16 = DType::kF16, kF32 = DType::kF32, kF64 = DType::kF64;
  for (const DType dtype : {kBF16, kF32}) {
    for (const bool along_k : {true, false}) {
      for (const int64_t parts : {2, 3, 4}) {
        for (const bool of_one : {true, false}) {
          add({.dtype = dtype,
               .rows = 72,
               .columns = 136,
               .k = 80,
               .parts = parts,
               .of_one = of_one,
               .along_k = along_k});
          add({.dtype = dtype,
               .rows = 3,
               .columns = 300,
               .k = 440,
               .parts = parts,
               .of_one = of_one,
               .along_k = along_k});
        }
      }
      add({.dtype = dtype, .rows = 70, .columns = 60, .k = 2007, .along_k = along_k});
      add({.dtype = dtype, .rows = 70, .columns = 60, .k = 2007, .parts = 3, .along_k = along_k});
      add({.dtype = dtype, .rows = 4, .columns = 264, .k = 512, .along_k = along_k, .scaled = true});
      add({.dtype = dtype, .rows = 80, .columns = 72, .k = 96, .along_k = along_k, .scaled = true});
      for (const int64_t rows : {1, 5}) {
        for (const int64_t parts : {2, 3})
          add({.dtype = dtype,
               .rows = rows,
               .columns = 600,
               .k = 512,
               .parts = parts,
               .matrix_left = true,
               .along_k = along_k});
      }
    }
  }
  for (const DType dtype : {kF16, kF64}) {
    add({.dtype = dtype, .rows = 72, .columns = 136, .k = 80});
    add({.dtype = dtype, .rows = 72, .columns = 136, .k = 80, .parts = 3, .of_one = true});
    add({.dtype = dtype, .rows = 2, .columns = 300, .k = 440});
  }
  // Parts that tiles cannot have are products of their own.
  add({.dtype = kF32, .rows = 72, .columns = 77, .k = 80});
  add({.dtype = kF32, .rows = 72, .columns = 40, .k = 80, .parts = 9, .of_one = true});
  return result;
}

double exact(DType) { return 0; }

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs(), sinter::exact); }
