// block_row_programs: rows that are scanned, reduced and computed element by element in one kernel, a block a row: rows
// of whole warps and others, sums and products, results with an element for each and with one for each row, two scans
// of the same rows. Compared with the evaluator.
#include "tests/stages/base/planned_programs.h"
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct Rows {
  std::string kind;
  int64_t rows = 1, columns = 1;
  DType dtype = DType::kF32;
};

// The statements of a program that has x, a row of weights w, and the numbers zero, one and least.
std::string statements(const Rows& rows) {
  const std::string all = shape_text(rows.dtype, {rows.rows, rows.columns}), sums = shape_text(rows.dtype, {rows.rows});
  const std::string columns = std::to_string(rows.columns), last = std::to_string(rows.columns - 1);
  const auto scan = [&](const std::string& name, const std::string& of, const std::string& begin,
                        const std::string& operation) {
    return "  " + name + " = " + all + " reduce-window(" + of + ", " + begin + "), window={size=1x" + columns +
           " pad=0_0x" + last + "_0}, to_apply=" + operation + "\n";
  };
  const auto reduce = [&](const std::string& name, const std::string& of, const std::string& begin,
                          const std::string& operation) {
    return "  " + name + " = " + sums + " reduce(" + of + ", " + begin + "), dimensions={1}, to_apply=" + operation +
           "\n  " + name + "s = " + all + " broadcast(" + name + "), dimensions={0}\n";
  };
  const auto compute = [&](const std::string& name, const std::string& formula) {
    return "  " + name + " = " + all + " " + formula + "\n";
  };
  // What running sums are of the sum, x being positive.
  if (rows.kind == "shares") {
    return compute("p", "multiply(x, x)") + scan("c", "p", "zero", "add") + reduce("t", "p", "zero", "add") +
           compute("d", "add(ts, ones)") + "  ROOT y = " + all + " divide(c, d)\n";
  }
  // As a ray through what takes a part of its light.
  if (rows.kind == "light") {
    return compute("q", "multiply(x, x)") + compute("h", "add(q, ones)") + compute("a", "divide(ones, h)") +
           scan("c", "a", "one", "multiply") + compute("k", "multiply(c, ws)") + "  ROOT y = " + sums +
           " reduce(k, zero), dimensions={1}, to_apply=add\n";
  }
  // The scan of a row's elements less their largest, and that of the scan.
  if (rows.kind == "twice") {
    return reduce("m", "x", "least", "maximum") + compute("a", "subtract(x, ms)") + scan("c", "a", "zero", "add") +
           compute("b", "multiply(c, ws)") + scan("e", "b", "zero", "add") + compute("f", "add(e, c)") +
           "  s = " + sums + " reduce(f, zero), dimensions={1}, to_apply=add\n  ROOT y = (" + all + ", " + sums +
           ") tuple(f, s)\n";
  }
  // Two scans of one row.
  return scan("c", "x", "zero", "add") + scan("d", "x", "least", "maximum") + compute("e", "subtract(d, c)") +
         "  s = " + sums + " reduce(e, zero), dimensions={1}, to_apply=add\n  ROOT y = (" + all + ", " + sums +
         ") tuple(e, s)\n";
}

StageProgram program(const Rows& rows) {
  const std::string name = rows.kind + "_" + std::string(dtype_name(rows.dtype)) + "_" + std::to_string(rows.rows) +
                           "_" + std::to_string(rows.columns);
  const std::string number = shape_text(rows.dtype, {}), all = shape_text(rows.dtype, {rows.rows, rows.columns});
  std::string text = "HloModule " + name + "\n\n";
  for (const char* operation : {"add", "multiply", "maximum"}) {
    text += std::string(operation) + " {\n  a = " + number + " parameter(0)\n  b = " + number +
            " parameter(1)\n  ROOT c = " + number + " " + operation + "(a, b)\n}\n\n";
  }
  text += "ENTRY main {\n  x = " + all + " parameter(0)\n  w = " + shape_text(rows.dtype, {rows.columns}) +
          " parameter(1)\n  ws = " + all + " broadcast(w), dimensions={1}\n  zero = " + number +
          " constant(0)\n  one = " + number + " constant(1)\n  ones = " + all +
          " broadcast(one), dimensions={}\n  least = " + number + " constant(" +
          (is_float(rows.dtype) ? "-inf" : "-2147483648") + ")\n" + statements(rows) + "}\n";
  return {name, text, few_values(9, false)};
}

std::vector<StageProgram> programs() {
  std::vector<StageProgram> all;
  for (const char* kind : {"shares", "light", "twice", "both"}) {
    for (const auto& [rows, columns] : {std::pair(300, 96), std::pair(257, 33), std::pair(70, 512), std::pair(9, 1000)})
      all.push_back(program({kind, rows, columns}));
  }
  all.push_back(program({"shares", 40, 1024, DType::kF64}));
  all.push_back(program({"twice", 64, 64, DType::kS32}));
  all.push_back(program({"both", 65, 250, DType::kBF16}));
  return all;
}

double tolerance(DType type) {
  return type == DType::kF64 ? 1e-12 : type == DType::kF32 ? 1e-5 : is_float(type) ? 5e-2 : 0;
}

}  // namespace
}  // namespace sinter

int main() {
  const std::vector<sinter::StageProgram> programs = sinter::programs();
  if (!sinter::has_in_plan(programs[0], "in blocks of [96]")) return 1;
  return sinter::run_stage_programs(programs, sinter::tolerance);
}
