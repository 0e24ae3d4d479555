// result_rows_programs: products whose results are reduced along their rows by the blocks that make them, stored beside
// or not: largest elements and their places, sums, norms, softmax, in tiles of each form, of each type, of odd numbers
// of rows and columns, in batches, of sums that blocks share; pieces of rows that are longer than a tile, the last one
// filled up. Beside them what must have kernels of its own. Each is compared with the evaluator, infinities and NaNs
// among the numbers of some.
#include <cctype>
#include <cstdio>

#include "ir/values/dtype.h"
#include "tests/stages/base/planned_programs.h"
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

enum class Kind : uint8_t {
  kLargest,
  kPlace,
  kSum,
  kLayer,
  kStored,
  kMoments,
  kSoftmax,
  kWeights,
  kPieces,
  kOfColumns
};

constexpr const char* kNames[] = {"largest", "place",   "sum",     "layer",  "stored",
                                  "moments", "softmax", "weights", "pieces", "of_columns"};

struct Reduced {
  Kind kind = Kind::kLargest;
  DType dtype = DType::kF32;
  int64_t rows = 33, columns = 50, k = 37;
  int64_t batch = 1;
  int64_t piece = 0;     // columns of a piece
  bool along_k = false;  // the right matrix's neighbours in memory
};

std::string name_of(const Reduced& r) {
  std::string name = std::string(kNames[static_cast<int>(r.kind)]) + "_" + std::string(dtype_name(r.dtype));
  for (const int64_t number : {r.batch, r.rows, r.columns, r.k}) name += "_" + std::to_string(number);
  if (r.piece > 0) name += "_by_" + std::to_string(r.piece);
  return name + (r.along_k ? "_t" : "");
}

class Writer {
 public:
  explicit Writer(const Reduced& r)
      : r_(r), wide_(is_float(r.dtype) && r.dtype != DType::kF64 ? DType::kF32 : r.dtype) {}

  std::string text() {
    text_ = "HloModule " + name_of(r_) + "\n\n";
    function("sum", wide_, "add");
    function("largest", wide_, "maximum");
    function("least", DType::kS32, "minimum");
    text_ += "ENTRY main {\n";
    const std::vector<int64_t> right = r_.along_k ? in_batch(r_.columns, r_.k) : in_batch(r_.k, r_.columns);
    line("left", r_.dtype, in_batch(r_.rows, r_.k), "parameter(0)");
    line("right", r_.dtype, right, "parameter(1)");
    line("bias", r_.dtype, {r_.columns}, "parameter(2)");
    const std::string of_left = std::to_string(last()), of_right = std::to_string(last() - (r_.along_k ? 0 : 1));
    line("dot", r_.dtype, results(),
         "dot(left, right)" + std::string(r_.batch == 1 ? "" : ", lhs_batch_dims={0}, rhs_batch_dims={0}") +
             ", lhs_contracting_dims={" + of_left + "}, rhs_contracting_dims={" + of_right + "}");
    line("biases", r_.dtype, results(), "broadcast(bias), dimensions={" + std::to_string(last()) + "}");
    line("moved", r_.dtype, results(), "add(dot, biases)");
    line("y", wide_, results(), "convert(moved)");
    reduce_rows();
    return text_ + "}\n";
  }

 private:
  void function(const std::string& name, DType dtype, const std::string& operation) {
    const std::string scalar = shape_text(dtype, {});
    text_ += name + " {\n  a = " + scalar + " parameter(0)\n  b = " + scalar +
             " parameter(1)\n  ROOT both = " + scalar + " " + operation + "(a, b)\n}\n\n";
  }
  void line(const std::string& name, DType dtype, const std::vector<int64_t>& dims, const std::string& value) {
    text_ += "  " + name + " = " + shape_text(dtype, dims) + " " + value + "\n";
  }
  std::vector<int64_t> in_batch(int64_t a, int64_t b) const {
    return r_.batch == 1 ? std::vector{a, b} : std::vector{r_.batch, a, b};
  }
  int64_t last() const { return r_.batch == 1 ? 1 : 2; }
  std::vector<int64_t> results() const { return in_batch(r_.rows, r_.columns); }
  std::vector<int64_t> rows() const { return r_.batch == 1 ? std::vector{r_.rows} : std::vector{r_.batch, r_.rows}; }
  std::string row_dimensions() const { return r_.batch == 1 ? "0" : "0,1"; }
  std::string least() const { return is_float(wide_) ? "-inf" : "-2147483648"; }

  void reduce(const std::string& name, const std::string& of, const std::string& combiner,
              const std::vector<int64_t>& shape, int64_t dimension) {
    line(name + "_begin", wide_, {}, "constant(" + (combiner == "sum" ? "0" : least()) + ")");
    line(
        name, wide_, shape,
        "reduce(" + of + ", " + name + "_begin), dimensions={" + std::to_string(dimension) + "}, to_apply=" + combiner);
  }
  void reduce_row(const std::string& name, const std::string& of, const std::string& combiner) {
    reduce(name, of, combiner, rows(), last());
  }
  void spread(const std::string& name, const std::string& of) {
    line(name, wide_, results(), "broadcast(" + of + "), dimensions={" + row_dimensions() + "}");
  }
  void divided(const std::string& name, const std::string& of) {
    line(name + "_count", wide_, {}, "constant(" + std::to_string(r_.columns) + ")");
    line(name + "_counts", wide_, rows(), "broadcast(" + name + "_count), dimensions={}");
    line(name, wide_, rows(), "divide(" + of + ", " + name + "_counts)");
  }
  void normalised(const std::string& of, const std::string& variance) {
    line("epsilon", wide_, {}, "constant(0.5)");
    line("epsilons", wide_, rows(), "broadcast(epsilon), dimensions={}");
    line("above", wide_, rows(), "add(" + variance + ", epsilons)");
    line("scale", wide_, rows(), "rsqrt(above)");
    spread("scales", "scale");
    line("wide", wide_, results(), "multiply(" + of + ", scales)");
    line("normalised", r_.dtype, results(), "convert(wide)");
  }
  void root(const std::vector<std::pair<std::string, std::string>>& values) {
    std::string types, names;
    for (const auto& [type, name] : values) {
      types += (types.empty() ? "" : ", ") + type;
      names += (names.empty() ? "" : ", ") + name;
    }
    text_ += "  ROOT result = (" + types + ") tuple(" + names + ")\n";
  }

  void reduce_rows() {
    const std::string of_row = shape_text(wide_, rows()), of_all = shape_text(r_.dtype, results());
    switch (r_.kind) {
      case Kind::kLargest:
        reduce_row("most", "y", "largest");
        line("ROOT twice", wide_, rows(), "add(most, most)");
        return;
      case Kind::kPlace:
        reduce_row("most", "y", "largest");
        spread("mosts", "most");
        line("best", DType::kPred, results(), "compare(y, mosts), direction=EQ");
        if (is_float(wide_)) {
          line("missing", DType::kPred, results(), "compare(y, y), direction=NE");
          line("row_missing", DType::kPred, rows(), "compare(most, most), direction=NE");
          line("rows_missing", DType::kPred, results(),
               "broadcast(row_missing), dimensions={" + row_dimensions() + "}");
          line("both", DType::kPred, results(), "and(missing, rows_missing)");
          line("chosen", DType::kPred, results(), "or(best, both)");
        } else {
          line("chosen", DType::kPred, results(), "or(best, best)");
        }
        line("place", DType::kS32, results(), "iota(), iota_dimension=" + std::to_string(last()));
        line("beyond", DType::kS32, {}, "constant(2147483647)");
        line("beyonds", DType::kS32, results(), "broadcast(beyond), dimensions={}");
        line("candidate", DType::kS32, results(), "select(chosen, place, beyonds)");
        line("found", DType::kS32, rows(),
             "reduce(candidate, beyond), dimensions={" + std::to_string(last()) + "}, to_apply=least");
        root({{of_row, "most"}, {shape_text(DType::kS32, rows()), "found"}});
        return;
      case Kind::kSum:
        line("size", wide_, results(), "abs(y)");
        reduce_row("total", "size", "sum");
        root({{of_row, "total"}});
        return;
      case Kind::kLayer:
      case Kind::kStored:
        reduce_row("total", "y", "sum");
        divided("mean", "total");
        spread("means", "mean");
        line("apart", wide_, results(), "subtract(y, means)");
        line("square", wide_, results(), "multiply(apart, apart)");
        reduce_row("square_sum", "square", "sum");
        divided("variance", "square_sum");
        normalised("apart", "variance");
        if (r_.kind == Kind::kLayer) {
          root({{of_all, "normalised"}});
        } else {
          root({{of_all, "moved"}, {of_row, "variance"}, {of_all, "normalised"}});
        }
        return;
      case Kind::kMoments:
        line("square", wide_, results(), "multiply(y, y)");
        reduce_row("total", "y", "sum");
        reduce_row("square_sum", "square", "sum");
        divided("mean_square", "square_sum");
        normalised("y", "mean_square");
        root({{of_row, "total"}, {of_all, "normalised"}});
        return;
      case Kind::kSoftmax:
        reduce_row("most", "y", "largest");
        spread("mosts", "most");
        line("below", wide_, results(), "subtract(y, mosts)");
        line("weight", wide_, results(), "exponential(below)");
        reduce_row("weight_sum", "weight", "sum");
        spread("weight_sums", "weight_sum");
        line("share", wide_, results(), "divide(weight, weight_sums)");
        line("normalised", r_.dtype, results(), "convert(share)");
        root({{of_all, "normalised"}});
        return;
      case Kind::kWeights:
        weights();
        return;
      case Kind::kPieces:
        pieces();
        return;
      case Kind::kOfColumns:
        reduce("most", "y", "largest", {r_.columns}, 0);
        root({{shape_text(wide_, {r_.columns}), "most"}});
        return;
    }
  }

  // What is summed of the first columns by a softmax: whole pieces of a row are -inf.
  void weights() {
    line("column", DType::kS32, results(), "iota(), iota_dimension=" + std::to_string(last()));
    line("few", DType::kS32, {}, "constant(100)");
    line("fews", DType::kS32, results(), "broadcast(few), dimensions={}");
    line("seen", DType::kPred, results(), "compare(column, fews), direction=LT");
    line("nothing", wide_, {}, "constant(-inf)");
    line("nothings", wide_, results(), "broadcast(nothing), dimensions={}");
    line("score", wide_, results(), "select(seen, y, nothings)");
    reduce_row("most", "score", "largest");
    spread("mosts", "most");
    line("below", wide_, results(), "subtract(score, mosts)");
    line("weight", wide_, results(), "exponential(below)");
    reduce_row("weight_sum", "weight", "sum");
    const std::string of_row = shape_text(wide_, rows());
    root({{of_row, "most"}, {of_row, "weight_sum"}});
  }

  // The largest of each piece of a row, and the sum of what is above a number.
  void pieces() {
    const int64_t count = (r_.columns + r_.piece - 1) / r_.piece, more = count * r_.piece - r_.columns;
    std::vector<int64_t> filled = results(), in_pieces = rows(), of_pieces = rows();
    filled.back() += more;
    in_pieces.insert(in_pieces.end(), {count, r_.piece});
    of_pieces.push_back(count);
    const auto cut = [&](const std::string& name, const std::string& of, const std::string& nothing) {
      std::string source = of;
      if (more > 0) {
        line(name + "_nothing", wide_, {}, "constant(" + nothing + ")");
        line(name + "_filled", wide_, filled,
             "pad(" + of + ", " + name + "_nothing), padding=" + (r_.batch == 1 ? "" : "0_0x") + "0_0x0_" +
                 std::to_string(more));
        source = name + "_filled";
      }
      line(name, wide_, in_pieces, "reshape(" + source + ")");
    };
    cut("values", "y", least());
    reduce("most", "values", "largest", of_pieces, last() + 1);
    line("size", wide_, results(), "abs(y)");
    cut("sizes", "size", "0");
    reduce("total", "sizes", "sum", of_pieces, last() + 1);
    const std::string of_piece = shape_text(wide_, of_pieces);
    root({{of_piece, "most"}, {of_piece, "total"}});
  }

  const Reduced r_;
  const DType wide_;
  std::string text_;
};

StageProgram program(const Reduced& r, bool special = false) {
  return {name_of(r), Writer(r).text(), few_values(9, special)};
}

constexpr DType kBF16 = DType::kBF16, kF16 = DType::kF16, kF32 = DType::kF32, kF64 = DType::kF64, kS32 = DType::kS32;

// What is special among the numbers of these is so in the evaluator, too.
bool may_be_special(Kind kind) { return kind == Kind::kLargest || kind == Kind::kPlace; }

std::vector<StageProgram> in_each_form() {
  std::vector<StageProgram> programs;
  const auto add = [&](const std::string& stage, int64_t threads, const Reduced& r) {
    StageProgram planned = program(r, may_be_special(r.kind));
    const size_t name = planned.text.find(planned.name), length = planned.name.size();
    for (const char letter : "_" + stage + "_" + std::to_string(threads))
      planned.name += std::isalnum(letter) != 0 ? letter : '_';
    planned.text.replace(name, length, planned.name);
    planned.plan = plan_in_one_stage(planned, stage, threads);
    programs.push_back(std::move(planned));
  };
  // In tiles that are so wide.
  const auto add_all = [&](const Reduced& r, int64_t wide) {
    const std::string n = "x" + std::to_string(wide);
    if (wide <= 64) add("contract(simt 32" + n + "x16)", 64, r);
    if (wide == 32) add("contract(simt 64x32x8)", 128, r);
    if (wide > 32 && wide <= 128) add("contract(simt 32" + n + "x8)", 128, r);
    if (wide > 32) add("contract(simt " + std::string(r.dtype == kF64 ? "32" : "64") + n + "x8)", 256, r);
    if (r.dtype == kF64) add("contract(mma f64 32" + n + "x16, stages 2)", 128, r);
    if (r.dtype == kF64 || r.dtype == kS32) return;
    const std::string product = r.dtype == kF32 ? "mma 3xtf32 " : "mma ", k = r.dtype == kF32 ? "x16" : "x32";
    add("contract(" + product + "32" + n + k + ", stages 3)", 128, r);
    if (wide >= 64) add("contract(" + product + "64" + n + k + ", stages 2)", 256, r);
    if (r.k > 100) add("contract(" + product + "32" + n + k + ", stages 2, split 2)", 128, r);
    if (r.dtype != kF32 && wide >= 64) add("contract(wgmma 64" + n + "x64, stages 3)", 128, r);
    if (r.dtype == kF32 && wide == 64) {
      add("contract(wgmma 3xtf32 64x64x32, stages 3)", 128, r);
      add("contract(wgmma 3xtf32 128x64x32, stages 3, turned)", 128, r);
    }
  };
  for (const Kind kind :
       {Kind::kLargest, Kind::kPlace, Kind::kSum, Kind::kLayer, Kind::kStored, Kind::kMoments, Kind::kSoftmax}) {
    add_all({.kind = kind}, 64);
    add_all({.kind = kind, .dtype = kBF16, .rows = 70, .columns = 128, .k = 136, .along_k = true}, 128);
  }
  for (const Kind kind : {Kind::kPlace, Kind::kStored}) {
    add_all({.kind = kind, .rows = 17, .columns = 31, .k = 130}, 32);
    add_all({.kind = kind, .dtype = kF16, .rows = 65, .columns = 200, .k = 64}, 256);
    add_all({.kind = kind, .rows = 40, .columns = 256, .k = 36}, 256);
    add_all({.kind = kind, .rows = 33, .columns = 2, .k = 100}, 64);
    add_all({.kind = kind, .rows = 24, .columns = 50, .k = 36, .batch = 3}, 64);
    add_all({.kind = kind, .dtype = kBF16, .rows = 24, .columns = 52, .k = 35, .batch = 3}, 64);
    add_all({.kind = kind, .dtype = kF64, .rows = 35, .columns = 45, .k = 36}, 64);
  }
  add_all({.kind = Kind::kPlace, .dtype = kS32, .rows = 35, .columns = 45, .k = 36}, 64);
  add_all({.kind = Kind::kSum, .dtype = kS32, .rows = 64, .columns = 128, .k = 36}, 128);
  for (const int64_t piece : {32, 64, 128}) {
    add_all({.kind = Kind::kPieces, .rows = 33, .columns = piece * 3, .k = 37, .piece = piece}, piece);
    add_all({.kind = Kind::kPieces, .dtype = kBF16, .rows = 70, .columns = piece * 2 - 5, .k = 40, .piece = piece},
            piece);
    add_all({.kind = Kind::kPieces, .rows = 20, .columns = piece * 2 + 1, .k = 33, .batch = 2, .piece = piece}, piece);
  }
  return programs;
}

// What is one kernel in whatever form takes the least time.
std::vector<StageProgram> chosen() {
  std::vector<StageProgram> programs;
  for (const Kind kind : {Kind::kLargest, Kind::kLayer, Kind::kStored, Kind::kSoftmax}) {
    programs.push_back(program({.kind = kind, .rows = 130, .columns = 64, .k = 67}));
    programs.push_back(program({.kind = kind, .dtype = kBF16, .rows = 130, .columns = 61, .k = 64}));
  }
  return programs;
}

// Whose rows are longer than a tile, and nothing else is read: two kernels, of which the product's reduces pieces.
std::vector<StageProgram> in_pieces() {
  std::vector<StageProgram> programs;
  for (const Kind kind : {Kind::kLargest, Kind::kSum, Kind::kPlace, Kind::kWeights}) {
    programs.push_back(program({.kind = kind, .rows = 40000, .columns = 500, .k = 16}, may_be_special(kind)));
    if (kind == Kind::kWeights) continue;
    programs.push_back(program({.kind = kind, .dtype = kBF16, .rows = 39999, .columns = 512, .k = 24}));
  }
  return programs;
}

// What is none: reduced along columns; rows too long for a tile.
std::vector<StageProgram> apart() {
  return {program({.kind = Kind::kOfColumns, .rows = 64, .columns = 64, .k = 48}),
          program({.kind = Kind::kLayer, .rows = 64, .columns = 257, .k = 48})};
}

// Relative to the largest result: of f32, sums in another order, 3xTF32 and rsqrt; of narrow types, roundings.
double rounding(DType type) {
  return type == kF32 ? 1e-5 : type == kF64 ? 1e-14 : type == kF16 ? 0x1p-9 : type == kBF16 ? 0x1p-6 : 0;
}

// Whether all of the program is one stage of a contraction, or is not.
bool is_planned(const StageProgram& program, bool in_one) {
  const std::string plan = plan_of(program), stage = "  stage ";
  const size_t first = plan.find(stage);
  const bool is_one = plan.find(stage, first + 1) == std::string::npos && plan.find("stage contract(") == first + 2;
  if (is_one == in_one) return true;
  std::printf("FAIL %s: %s kernel\n%s", program.name.c_str(), in_one ? "not one" : "one", plan.c_str());
  return false;
}

// Whether the product's stage reduces pieces, which split_product_rows has given that name.
bool reduces_pieces(const StageProgram& program) {
  const std::string plan = plan_of(program);
  const size_t first = plan.find("stage contract("), end = plan.find('}', first);
  if (first != std::string::npos && plan.substr(first, end - first).find("reduce") != std::string::npos) return true;
  std::printf("FAIL %s: no pieces of rows\n%s", program.name.c_str(), plan.c_str());
  return false;
}

int check() {
  int wrong = 0;
  for (const StageProgram& program : chosen()) wrong += is_planned(program, true) ? 0 : 1;
  for (const StageProgram& program : apart()) wrong += is_planned(program, false) ? 0 : 1;
  for (const StageProgram& program : in_pieces()) wrong += reduces_pieces(program) ? 0 : 1;
  for (const std::vector<StageProgram>& programs : {in_each_form(), chosen(), in_pieces(), apart()})
    wrong += run_stage_programs(programs, rounding);
  return wrong > 0 ? 1 : 0;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::check(); }
