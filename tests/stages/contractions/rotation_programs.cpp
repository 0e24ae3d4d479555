// rotation_programs: products whose results are made of two sums of their row, as queries and keys that are rotated by
// their position: halves of a head, halves written as a turned copy, neighbours, and a part of a head alone; one
// product, or three side by side of which two are rotated; in all forms, of numbers whose sums are exact, infinities
// and NaNs among them.
#include <cstdio>
#include <set>
#include <sstream>

#include "ir/values/dtype.h"
#include "tests/stages/base/planned_programs.h"

namespace sinter {
namespace {

enum class Kind : uint8_t { kHalves, kTurned, kNeighbours, kPart };

struct Rotation {
  DType dtype = DType::kF32;
  Kind kind = Kind::kHalves;
  int64_t rows = 72, heads = 2, width = 64, k = 80;
  bool by_heads = false;  // results are stored head by head
  int64_t products = 1;   // of three the last is not rotated
};

std::string name_of(const Rotation& r) {
  constexpr const char* kNames[] = {"halves", "turned", "neighbours", "part"};
  std::string name = std::string("rotation_") + kNames[static_cast<size_t>(r.kind)] + "_" + dtype_name(r.dtype).data();
  for (const int64_t number : {r.products, r.rows, r.heads, r.width, r.k}) name += "_" + std::to_string(number);
  return name + (r.by_heads ? "_heads" : "");
}

class Writer {
 public:
  Writer(std::string name, const Rotation& rotation) : name_(std::move(name)), r_(rotation) {}

  std::string text() {
    const int64_t turned = r_.kind == Kind::kPart ? r_.width / 2 : r_.width;
    const int64_t numbers = r_.kind == Kind::kTurned ? turned : turned / 2;
    parameter("x", {r_.rows, r_.k});
    parameter("cos", {r_.rows, numbers});
    parameter("sin", {r_.rows, numbers});
    for (const std::string of : {"cos", "sin"})
      line(of + "s", shape({r_.rows, r_.heads, numbers}), "broadcast(" + of + "), dimensions={0,2}");
    std::string shapes, results;
    for (int64_t product = 0; product < r_.products; ++product) {
      const std::string number = std::to_string(product), dot = "product" + number, heads = "heads" + number;
      parameter("w" + number, {r_.k, columns()});
      line(dot, shape({r_.rows, columns()}),
           "dot(x, w" + number + "), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
      line(heads, shape({r_.rows, r_.heads, r_.width}), "reshape(" + dot + ")");
      std::string result = r_.products > 1 && product + 1 == r_.products ? heads : rotated(heads);
      std::vector<int64_t> dims = {r_.rows, r_.heads, r_.width};
      if (r_.by_heads) {
        std::swap(dims[0], dims[1]);
        line("result" + number, shape(dims), "transpose(" + result + "), dimensions={1,0,2}");
        result = "result" + number;
      }
      shapes += (product == 0 ? "" : ", ") + shape(dims);
      results += (product == 0 ? "" : ", ") + result;
    }
    return "HloModule " + name_ + "\n\nENTRY main {\n" + text_ + "  ROOT results = (" + shapes + ") tuple(" + results +
           ")\n}\n";
  }

 private:
  int64_t columns() const { return r_.heads * r_.width; }
  std::string shape(const std::vector<int64_t>& dims) const { return shape_text(r_.dtype, dims); }
  void line(const std::string& name, const std::string& shape, const std::string& value) {
    text_ += "  " + name + " = " + shape + " " + value + "\n";
  }
  void parameter(const std::string& name, const std::vector<int64_t>& dims) {
    line(name, shape(dims), "parameter(" + std::to_string(parameters_++) + ")");
  }
  std::string slice(const std::string& of, const std::string& name, int64_t begin, int64_t end) {
    const std::string all = "[0:" + std::to_string(r_.rows) + "], [0:" + std::to_string(r_.heads) + "]";
    line(name, shape({r_.rows, r_.heads, end - begin}),
         "slice(" + of + "), slice={" + all + ", [" + std::to_string(begin) + ":" + std::to_string(end) + "]}");
    return name;
  }
  // Both results of a pair of elements.
  std::pair<std::string, std::string> pair(const std::string& a, const std::string& b, int64_t width) {
    const std::string of = shape({r_.rows, r_.heads, width});
    line(a + "_cos", of, "multiply(" + a + ", coss)");
    line(b + "_sin", of, "multiply(" + b + ", sins)");
    line(b + "_cos", of, "multiply(" + b + ", coss)");
    line(a + "_sin", of, "multiply(" + a + ", sins)");
    line(a + "_new", of, "subtract(" + a + "_cos, " + b + "_sin)");
    line(b + "_new", of, "add(" + b + "_cos, " + a + "_sin)");
    return {a + "_new", b + "_new"};
  }

  std::string rotated(const std::string& heads) {
    const int64_t width = r_.width, half = width / 2, quarter = width / 4;
    const std::string all = shape({r_.rows, r_.heads, width}), name = heads + "_rotated";
    const auto part = [&](const char* which, int64_t begin, int64_t end) {
      return slice(heads, heads + "_" + which, begin, end);
    };
    if (r_.kind == Kind::kHalves) {
      const std::string a = part("a", 0, half), b = part("b", half, width);
      const auto [first, second] = pair(a, b, half);
      line(name, all, "concatenate(" + first + ", " + second + "), dimensions={2}");
    } else if (r_.kind == Kind::kPart) {
      const std::string a = part("a", 0, quarter), b = part("b", quarter, half), rest = part("rest", half, width);
      const auto [first, second] = pair(a, b, quarter);
      line(name, all, "concatenate(" + first + ", " + second + ", " + rest + "), dimensions={2}");
    } else if (r_.kind == Kind::kTurned) {
      const std::string a = part("a", 0, half), b = part("b", half, width);
      line(heads + "_minus", shape({r_.rows, r_.heads, half}), "negate(" + b + ")");
      line(heads + "_turned", all, "concatenate(" + heads + "_minus, " + a + "), dimensions={2}");
      line(heads + "_straight", all, "multiply(" + heads + ", coss)");
      line(heads + "_across", all, "multiply(" + heads + "_turned, sins)");
      line(name, all, "add(" + heads + "_straight, " + heads + "_across)");
    } else {
      const std::string row = std::to_string(r_.rows), count = std::to_string(r_.heads), pairs = std::to_string(half);
      line(heads + "_pairs", shape({r_.rows, r_.heads, half, 2}), "reshape(" + heads + ")");
      for (const std::string which : {"0", "1"}) {
        const std::string end = which == "0" ? "1" : "2", own = heads + "_" + which;
        line(own + "_one", shape({r_.rows, r_.heads, half, 1}),
             "slice(" + heads + "_pairs), slice={[0:" + row + "], [0:" + count + "], [0:" + pairs + "], [" + which +
                 ":" + end + "]}");
        line(own, shape({r_.rows, r_.heads, half}), "reshape(" + own + "_one)");
      }
      const auto [first, second] = pair(heads + "_0", heads + "_1", half);
      for (const std::string& each : {first, second})
        line(each + "_one", shape({r_.rows, r_.heads, half, 1}), "reshape(" + each + ")");
      line(heads + "_joined", shape({r_.rows, r_.heads, half, 2}),
           "concatenate(" + first + "_one, " + second + "_one), dimensions={3}");
      line(name, all, "reshape(" + heads + "_joined)");
    }
    return name;
  }

  const std::string name_;
  const Rotation r_;
  std::string text_;
  int parameters_ = 0;
};

struct Form {
  const char* text;
  int64_t threads;
};

// All that the program's kernels compute as one kernel of this form; empty on failure. What is small shares launches,
// and several kernels may compute one value.
std::string plan_in(const Form& form, const StageProgram& program) {
  const std::string chosen = plan_of(program);
  std::set<std::string> values;
  for (size_t end = chosen.find('}'); end != std::string::npos; end = chosen.find('}', end + 1)) {
    const size_t begin = chosen.find_last_of("{}", end - 1);
    if (chosen[begin] != '{') continue;
    std::istringstream words(chosen.substr(begin + 1, end - begin - 1));
    for (std::string word; words >> word;) values.insert(word);
  }
  std::string all;
  for (const std::string& value : values) all += " " + value;
  if (all.empty()) return "";
  return "program " + program.name + " {\n  kernel all grid auto block " + std::to_string(form.threads) +
         " {\n    stage contract(" + form.text + ") {" + all + "}\n  }\n}\n";
}

double exact(DType) { return 0; }

int run() {
  constexpr DType kBF16 = DType::kBF16, kF16 = DType::kF16, kF32 = DType::kF32, kF64 = DType::kF64;
  const std::vector<Form> halves = {{"mma 64x64x32, stages 4", 128},         {"mma 32x64x32, stages 3, split 2", 128},
                                    {"wgmma 64x64x64, stages 4", 128},       {"wgmma 64x64x64, stages 4, tma", 256},
                                    {"wgmma 256x64x64, stages 4, tma", 640}, {"simt 64x64x8", 128}};
  const std::vector<Form> wide_halves = {
      {"mma 64x128x32, stages 4", 128}, {"wgmma 64x128x64, stages 4", 128}, {"wgmma 128x128x64, stages 3, tma", 384}};
  const std::vector<Form> floats = {
      {"mma 3xtf32 64x64x16, stages 4", 128}, {"wgmma 3xtf32 64x64x32, stages 3, turned", 128}, {"simt 64x64x8", 128}};
  std::vector<StageProgram> programs;
  bool good = true;
  const auto add = [&](const Rotation& rotation, const std::vector<Form>& forms) {
    for (const Form& form : forms) {
      const std::string name = name_of(rotation) + "_in_form_" + std::to_string(programs.size());
      StageProgram planned = {name, Writer(name, rotation).text(), few_values(9, rotation.k < 100)};
      planned.plan = plan_in(form, planned);
      good &= !planned.plan.empty();
      programs.push_back(std::move(planned));
    }
  };
  for (const Kind kind : {Kind::kHalves, Kind::kTurned, Kind::kNeighbours, Kind::kPart}) {
    add({.dtype = kBF16, .kind = kind}, halves);
    add({.dtype = kF32, .kind = kind, .by_heads = true}, floats);
    add({.dtype = kF16, .kind = kind, .rows = 130, .width = 128, .k = 192, .products = 3}, wide_halves);
    add({.dtype = kF32, .kind = kind, .rows = 37, .heads = 4, .width = 32, .k = 51, .products = 3},
        {floats[0], floats[2]});
    add({.dtype = kBF16, .kind = kind, .rows = 17, .heads = 3, .width = 16, .k = 40}, {halves[0], halves[3]});
  }
  add({.dtype = kF64, .rows = 33, .heads = 1, .k = 50}, {{"simt 64x64x8", 256}});
  return run_stage_programs(programs, exact) | (good ? 0 : 1);
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run(); }
