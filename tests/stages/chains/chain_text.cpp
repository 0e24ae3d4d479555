#include "tests/stages/chains/chain_text.h"

#include <string>

namespace sinter {
namespace {

enum class Kind {
  kWeighted,     // one product of what one product and numbers of rows and columns make
  kCausal,       // whose columns behind the row have no weight
  kWindow,       // nor those far before it
  kDivided,      // by the sum of a row's, which is 0 where none has any: then no weight is a number
  kColumns,      // summed over rows, of which the first have no weight
  kTwoProducts,  // of two products
  kTwoResults,   // two products, of values of their own, and of the columns' features again
  kSum,
  kLargest,  // of the columns up to the row; all others have one number
  kSoftmax,  // masked: the largest, the sum of weights, and what values come to
};

struct ChainSpec {
  std::string name;
  Kind kind = Kind::kWeighted;
  DType dtype = DType::kF32;
  int64_t batch = 1, rows = 32, columns = 32, features = 16, values = 16;
  std::string precision = {};
  bool of_warpgroup = false;  // asked for: a warpgroup multiplies
  bool special = false;
  double hidden = -1e9;  // score of what is masked
};

class ChainText {
 public:
  explicit ChainText(const ChainSpec& spec) : spec_(spec) {}

  std::string write() {
    text_ =
        "HloModule chain\n"
        "add {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n"
        "largest {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] maximum(a, b)\n}\n"
        "ENTRY main {\n";
    line("x = " + of_rows(spec_.features) + " parameter(0)");
    line("y = " + of_columns(spec_.features) + " parameter(1)");
    line("v = " + (spec_.kind == Kind::kColumns ? of_rows(spec_.values) : of_columns(spec_.values)) + " parameter(2)");
    line("r = " + array(DType::kF32, {spec_.batch, spec_.rows}) + " parameter(3)");
    line("c = " + array(DType::kF32, {spec_.batch, spec_.columns}) + " parameter(4)");
    line("product = " + pairs() + " dot(x, y), " + dims(2, 2));
    line("by_row = " + pairs() + " broadcast(r), dimensions={0,1}");
    line("by_column = " + pairs() + " broadcast(c), dimensions={0,2}");
    line("row = " + pairs(DType::kS32) + " iota(), iota_dimension=1");
    line("column = " + pairs(DType::kS32) + " iota(), iota_dimension=2");
    line("none_0 = f32[] constant(0)");
    line("none = " + pairs() + " broadcast(none_0), dimensions={}");
    results();
    return text_ + "}\n";
  }

 private:
  void results() {
    switch (spec_.kind) {
      case Kind::kWeighted:
        line("a = " + pairs() + " multiply(product, by_row)");
        line("w = " + pairs() + " add(a, by_column)");
        return root("w", result("w", "v", "out"));
      case Kind::kCausal:
        line("seen = " + pairs(DType::kPred) + " compare(row, column), direction=GE");
        line("a = " + pairs() + " multiply(product, by_column)");
        line("w = " + pairs() + " select(seen, a, none)");
        return root("w", result("w", "v", "out"));
      case Kind::kDivided: {
        const std::string numbers = array(DType::kF32, {spec_.batch, spec_.rows});
        line("by_0 = s32[] constant(70)");
        line("by = " + pairs(DType::kS32) + " broadcast(by_0), dimensions={}");
        line("far = " + pairs(DType::kS32) + " add(column, by)");
        line("seen = " + pairs(DType::kPred) + " compare(row, far), direction=GE");
        line("square = " + pairs() + " multiply(product, product)");
        line("a = " + pairs() + " select(seen, square, none)");
        line("sum = " + numbers + " reduce(a, none_0), dimensions={2}, to_apply=add");
        line("sums = " + pairs() + " broadcast(sum), dimensions={0,1}");
        line("w = " + pairs() + " divide(a, sums)");
        return root("w", result("w", "v", "out"));
      }
      case Kind::kWindow:
        line("up_to = " + pairs(DType::kPred) + " compare(row, column), direction=GE");
        line("by_0 = s32[] constant(9)");
        line("by = " + pairs(DType::kS32) + " broadcast(by_0), dimensions={}");
        line("far = " + pairs(DType::kS32) + " add(column, by)");
        line("near = " + pairs(DType::kPred) + " compare(far, row), direction=GT");
        line("seen = " + pairs(DType::kPred) + " and(up_to, near)");
        line("w = " + pairs() + " select(seen, product, none)");
        return root("w", result("w", "v", "out"));
      case Kind::kColumns:
        line("seen = " + pairs(DType::kPred) + " compare(row, column), direction=GE");
        line("a = " + pairs() + " add(product, by_row)");
        line("w = " + pairs() + " select(seen, a, none)");
        return root("w", result("w", "v", "out"));
      case Kind::kTwoProducts:
        line("z = " + of_rows(spec_.values) + " parameter(5)");
        line("other = " + pairs() + " dot(z, v), " + dims(2, 2));
        line("a = " + pairs() + " subtract(other, by_row)");
        line("w = " + pairs() + " multiply(product, a)");
        return root("w", result("w", "y", "out"));
      case Kind::kTwoResults:
        line("a = " + pairs() + " add(product, by_column)");
        line("b = " + pairs() + " multiply(product, by_row)");
        result("a", "v", "first");
        result("b", "y", "second");
        line("ROOT both = (" + of_rows(spec_.values) + ", " + of_rows(spec_.features) + ") tuple(first, second)");
        return;
      case Kind::kSum:
        line("a = " + pairs() + " multiply(product, by_column)");
        result("a", "v", "first");
        line("sum = " + array(DType::kF32, {spec_.batch, spec_.rows}) +
             " reduce(a, none_0), dimensions={2}, to_apply=add");
        line("ROOT both = (" + of_rows(spec_.values) + ", " + array(DType::kF32, {spec_.batch, spec_.rows}) +
             ") tuple(first, sum)");
        return;
      case Kind::kLargest:
      case Kind::kSoftmax:
        return softmax();
    }
  }

  void softmax() {
    const std::string numbers = array(DType::kF32, {spec_.batch, spec_.rows});
    line("seen = " + pairs(DType::kPred) + " compare(row, column), direction=GE");
    line("hidden_0 = f32[] constant(" + std::to_string(spec_.hidden) + ")");
    line("hidden = " + pairs() + " broadcast(hidden_0), dimensions={}");
    line("score = " + pairs() + " select(seen, product, hidden)");
    line("least = f32[] constant(-inf)");
    line("most = " + numbers + " reduce(score, least), dimensions={2}, to_apply=largest");
    if (spec_.kind == Kind::kLargest) {
      result("score", "v", "first");
      line("ROOT both = (" + of_rows(spec_.values) + ", " + numbers + ") tuple(first, most)");
      return;
    }
    line("mosts = " + pairs() + " broadcast(most), dimensions={0,1}");
    line("less = " + pairs() + " subtract(score, mosts)");
    line("exp = " + pairs() + " exponential(less)");
    line("sum = " + numbers + " reduce(exp, none_0), dimensions={2}, to_apply=add");
    line("sums = " + pairs() + " broadcast(sum), dimensions={0,1}");
    line("w = " + pairs() + " divide(exp, sums)");
    // Read by another product, too: else it is attention.
    line("b = " + pairs() + " multiply(w, by_column)");
    result("w", "v", "first");
    result("b", "y", "second");
    line("ROOT all = (" + of_rows(spec_.values) + ", " + of_rows(spec_.features) + ", " + numbers + ", " + numbers +
         ") tuple(first, second, most, sum)");
  }

  // dot(weights, values), as the operands' type has the weights.
  std::string result(const std::string& weights, const std::string& values, const std::string& name) {
    const bool by_columns = spec_.kind == Kind::kColumns;
    const int64_t width = values == "y" ? spec_.features : spec_.values;
    std::string rounded = weights;
    if (spec_.dtype != DType::kF32) {
      rounded = name + "_w";
      line(rounded + " = " + pairs(spec_.dtype) + " convert(" + weights + ")");
    }
    line(name + " = " + (by_columns ? of_columns(width) : of_rows(width)) + " dot(" + rounded + ", " + values + "), " +
         dims(by_columns ? 1 : 2, 1));
    return name;
  }
  void root(const std::string&, const std::string& name) {
    const std::string shape = spec_.kind == Kind::kColumns       ? of_columns(spec_.values)
                              : spec_.kind == Kind::kTwoProducts ? of_rows(spec_.features)
                                                                 : of_rows(spec_.values);
    line("ROOT last = " + shape + " negate(" + name + ")");
  }

  std::string dims(int left, int right) const {
    return "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={" + std::to_string(left) +
           "}, rhs_contracting_dims={" + std::to_string(right) + "}" + spec_.precision +
           (spec_.of_warpgroup ? ", frontend_attributes={sinter_forms=\"wgmma\"}" : "");
  }
  static std::string array(DType dtype, const std::vector<int64_t>& sizes) { return shape_text(dtype, sizes); }
  std::string of_rows(int64_t width) const { return array(spec_.dtype, {spec_.batch, spec_.rows, width}); }
  std::string of_columns(int64_t width) const { return array(spec_.dtype, {spec_.batch, spec_.columns, width}); }
  std::string pairs(DType dtype = DType::kF32) const { return array(dtype, {spec_.batch, spec_.rows, spec_.columns}); }
  void line(const std::string& words) { text_ += "  " + words + "\n"; }

  const ChainSpec& spec_;
  std::string text_;
};

constexpr const char* kTf32 = ", algorithm=dot_tf32_tf32_f32";

std::vector<ChainSpec> specs() {
  std::vector<ChainSpec> all;
  const auto add = [&](ChainSpec spec) {
    spec.name += "_" + std::string(dtype_name(spec.dtype)) + (spec.precision.empty() ? "" : "_tf32") +
                 (spec.of_warpgroup ? "_of_warpgroup" : "");
    all.push_back(std::move(spec));
  };
  struct Type {
    DType dtype;
    const char* precision;
    bool of_warpgroup = false;
  };
  for (const Type type : {Type{DType::kBF16, ""}, Type{DType::kF16, ""}, Type{DType::kBF16, "", true},
                          Type{DType::kF16, "", true}, Type{DType::kF32, kTf32}, Type{DType::kF32, ""}}) {
    const auto with = [&](std::string name, Kind kind, int64_t batch, int64_t rows, int64_t columns, int64_t features,
                          int64_t values) {
      add({.name = std::move(name),
           .kind = kind,
           .dtype = type.dtype,
           .batch = batch,
           .rows = rows,
           .columns = columns,
           .features = features,
           .values = values,
           .precision = type.precision,
           .of_warpgroup = type.of_warpgroup});
    };
    with("weighted", Kind::kWeighted, 2, 64, 64, 32, 32);
    with("weighted_odd", Kind::kWeighted, 1, 77, 53, 24, 40);
    with("one_row", Kind::kWeighted, 3, 1, 130, 16, 16);
    with("one_column", Kind::kWeighted, 2, 70, 1, 16, 16);
    with("wide", Kind::kWeighted, 1, 40, 96, 128, 120);
    with("narrow_copies", Kind::kTwoResults, 2, 66, 140, 20, 68);
    with("causal", Kind::kCausal, 2, 200, 200, 32, 16);
    with("causal_many_rows", Kind::kCausal, 1, 300, 70, 16, 16);
    with("window", Kind::kWindow, 1, 200, 200, 16, 16);
    with("divided", Kind::kDivided, 1, 200, 200, 16, 16);
    with("columns", Kind::kColumns, 2, 190, 150, 16, 32);
    with("two_products", Kind::kTwoProducts, 2, 100, 90, 32, 16);
    with("two_results", Kind::kTwoResults, 2, 65, 129, 32, 48);
    with("sum", Kind::kSum, 2, 65, 129, 32, 16);
    with("largest", Kind::kLargest, 1, 150, 150, 16, 16);
    with("softmax", Kind::kSoftmax, 2, 150, 150, 32, 16);
  }
  // Where nothing is larger by enough than what is masked, that counts.
  for (const Type type : {Type{DType::kBF16, ""}, Type{DType::kBF16, "", true}, Type{DType::kF32, ""}}) {
    add({.name = "near",
         .kind = Kind::kSoftmax,
         .dtype = type.dtype,
         .rows = 150,
         .columns = 150,
         .of_warpgroup = type.of_warpgroup,
         .hidden = -2});
    add({.name = "near_largest",
         .kind = Kind::kLargest,
         .dtype = type.dtype,
         .rows = 150,
         .columns = 150,
         .of_warpgroup = type.of_warpgroup,
         .hidden = 1});
  }
  add({.name = "special", .kind = Kind::kTwoResults, .rows = 70, .columns = 40, .special = true});
  add({.name = "special_sum", .kind = Kind::kSum, .rows = 70, .columns = 40, .special = true});
  return all;
}

double tolerance(DType dtype) {
  switch (dtype) {
    case DType::kF32:
      return 2e-5;
    case DType::kF16:
      return 4e-3;
    default:
      return 2e-2;
  }
}
double tolerance_of_rounded(DType dtype) { return dtype == DType::kF32 ? 1e-2 : tolerance(dtype); }

}  // namespace

std::vector<ChainGroup> chain_groups() {
  ChainGroup exact = {{}, tolerance}, rounded = {{}, tolerance_of_rounded};
  for (const ChainSpec& spec : specs()) {
    const bool is_exact = spec.dtype == DType::kF32 && spec.precision.empty();
    (is_exact ? exact : rounded).programs.push_back({spec.name, ChainText(spec).write(), few_values(10, spec.special)});
  }
  return {std::move(exact), std::move(rounded)};
}

}  // namespace sinter
