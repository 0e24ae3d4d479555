// record_programs: short last dimensions that a thread has whole, with those of its neighbours - records of 2 to 8
// elements, stacked or not, of every width in memory, rows that divide by 4, by 2 and by nothing; records that are read
// whole, in part and back to front. Compared with the evaluator.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

// A record of each row of x, y of each row's elements, stacked: y[c] = p + x[0] + ... of every second element.
std::string stacked(DType type, int64_t rows, int64_t size) {
  const std::string row = shape_text(type, {rows}), column = shape_text(type, {rows, 1});
  std::string text = "  x = " + shape_text(type, {rows, size}) + " parameter(0)\n  p = " + row + " parameter(1)\n";
  std::string pieces, before = "p";
  for (int64_t i = 0; i < size; ++i) {
    const std::string n = std::to_string(i), from = std::to_string(2 * i % size), to = std::to_string(2 * i % size + 1);
    text += "  s" + n + " = " + column + " slice(x), slice={[0:" + std::to_string(rows) + "], [" + from + ":" + to +
            "]}\n  f" + n + " = " + row + " reshape(s" + n + ")\n  a" + n + " = " + row + " add(f" + n + ", " + before +
            ")\n  q" + n + " = " + column + " reshape(a" + n + ")\n";
    before = "a" + n;
    pieces += (i == 0 ? "q" : ", q") + n;
  }
  return text + "  ROOT y = " + shape_text(type, {rows, size}) + " concatenate(" + pieces + "), dimensions={1}\n";
}

// What all elements of a row need of it, less each of the row's, back to front and weighted by columns of w.
std::string shared(DType type, int64_t rows, int64_t size) {
  const std::string whole = shape_text(type, {rows, size}), one = shape_text(type, {rows, 1});
  const std::string all_rows = "[0:" + std::to_string(rows) + "]";
  return "  x = " + whole + " parameter(0)\n  w = " + shape_text(type, {size, rows}) + " parameter(1)\n  t = " + whole +
         " transpose(w), dimensions={1,0}\n  r = " + whole + " reverse(x), dimensions={1}\n  m = " + whole +
         " multiply(r, t)\n  s0 = " + one + " slice(x), slice={" + all_rows + ", [0:1]}\n  s1 = " + one +
         " slice(m), slice={" + all_rows + ", [1:2]}\n  g = " + one + " multiply(s0, s1)\n  h = " + one +
         " add(g, s0)\n  k = " + one + " multiply(h, h)\n  v = " + shape_text(type, {rows}) +
         " reshape(k)\n  b = " + whole + " broadcast(v), dimensions={0}\n  d = " + whole +
         " subtract(b, m)\n  ROOT y = (" + whole + ", " + whole + ") tuple(d, m)\n";
}

std::vector<StageProgram> programs() {
  std::vector<StageProgram> result;
  const auto add = [&](const std::string& kind, DType type, int64_t rows, int64_t size, const std::string& text) {
    const std::string name =
        kind + "_" + std::string(dtype_name(type)) + "_" + std::to_string(rows) + "_" + std::to_string(size);
    result.push_back({name, "HloModule " + name + "\n\nENTRY main {\n" + text + "}\n", few_values(50)});
  };
  for (const DType type : {DType::kU8, DType::kBF16, DType::kF32, DType::kF64}) {
    for (const int64_t rows : {8188, 6002, 5001}) {
      for (const int64_t size : {3, 5}) {
        add("stacked", type, rows, size, stacked(type, rows, size));
        add("shared", type, rows, size, shared(type, rows, size));
      }
    }
  }
  for (const int64_t size : {2, 4, 6, 7, 8}) add("stacked", DType::kS16, 8192, size, stacked(DType::kS16, 8192, size));
  return result;
}

double tolerance(DType type) {
  return type == DType::kF64 ? 1e-12 : type == DType::kF32 ? 1e-5 : is_float(type) ? 5e-2 : 0;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs(), sinter::tolerance); }
