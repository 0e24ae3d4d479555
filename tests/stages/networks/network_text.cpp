#include "tests/stages/networks/network_text.h"

namespace sinter {
namespace {

struct NetworkSpec {
  std::string name;
  DType dtype = DType::kF32;
  int64_t rows = 64;
  std::vector<int64_t> widths = {64, 64, 64};
  enum class Layer {
    kRectified,
    kSmooth,
    kResidual,
    kPlain,
    kScaledRow,
    kNormed,          // by the root of the row's sum of squares
    kResidualNormed,  // the same of x + f(x)
    kNormedResidual,  // x + the same of f(x)
  } layer = Layer::kRectified;
  enum class First { kArray, kSum, kPieces, kTransposed, kBatch } first = First::kArray;
  bool special = false;  // infinities and NaNs
  std::string precision = {};
  enum class Last { kBias, kSoftmax, kGreatest } last = Last::kBias;
  enum class Weights {
    kStraight,    // arrays of [terms, columns]
    kTurned,      // of [columns, terms]
    kTransposed,  // the same, transposed
    kMixed,       // every other one
  } weights = Weights::kStraight;
};

class Writer {
 public:
  explicit Writer(const NetworkSpec& spec) : spec_(spec) {}

  StageProgram run() {
    add_first();
    const size_t layers = spec_.widths.size() - 1;
    for (size_t i = 0; i < layers; ++i) add_layer(i, i + 1 == layers);
    const std::string plan = "program " + spec_.name +
                             " {\n  kernel y grid auto block 256 {\n    stage network {network " + last_ +
                             "}\n  }\n}\n";
    return {spec_.name,
            "HloModule " + spec_.name + "\n\n" + reducer("sum", "add") + reducer("greater", "maximum") +
                "ENTRY main {\n" + text_ + "}\n",
            few_values(10, spec_.special), plan};
  }

 private:
  using Layer = NetworkSpec::Layer;
  using First = NetworkSpec::First;
  using Last = NetworkSpec::Last;
  using Weights = NetworkSpec::Weights;

  std::string reducer(const std::string& name, const std::string& operation) const {
    return name + " {\n  a = " + shape({}) + " parameter(0)\n  b = " + shape({}) +
           " parameter(1)\n  ROOT c = " + shape({}) + " " + operation + "(a, b)\n}\n\n";
  }

  std::string shape(const std::vector<int64_t>& dims) const { return shape_text(spec_.dtype, dims); }
  std::vector<int64_t> of_rows(int64_t width) const {
    if (spec_.first == First::kBatch) return {2, spec_.rows / 2, width};
    return {spec_.rows, width};
  }
  std::string lead() const { return spec_.first == First::kBatch ? "2" : "1"; }  // the last dimension

  std::string parameter(const std::string& name, const std::vector<int64_t>& dims) {
    text_ += "  " + name + " = " + shape(dims) + " parameter(" + std::to_string(parameters_++) + ")\n";
    return name;
  }
  std::string add(const std::string& name, const std::vector<int64_t>& dims, const std::string& operation) {
    text_ += "  " + name + " = " + shape(dims) + " " + operation + "\n";
    return name;
  }

  // A reduction along the rows of `of`, and the same for each element of a row of so many.
  std::string reduced(const std::string& name, const std::string& of, const std::string& reducer) {
    const std::vector<int64_t> rows = of_rows(0);
    const std::string initial = reducer == "sum" ? "0" : "-inf";
    add("initial_" + name, {}, "constant(" + initial + ")");
    return add(name, {rows.begin(), rows.end() - 1},
               "reduce(" + of + ", initial_" + name + "), dimensions={" + lead() + "}, to_apply=" + reducer);
  }
  std::string of_each(const std::string& row, const std::vector<int64_t>& dims) {
    return add(row + "_of_each", dims,
               "broadcast(" + row + "), dimensions={" + (spec_.first == First::kBatch ? "0,1" : "0") + "}");
  }

  // Divided by the root of the sum of its row's squares, and one.
  std::string normed(const std::string& of, const std::vector<int64_t>& dims) {
    const std::string squares = add(of + "_squared", dims, "multiply(" + of + ", " + of + ")");
    const std::string total = reduced(of + "_total", squares, "sum");
    const std::vector<int64_t> rows(dims.begin(), dims.end() - 1);
    add(of + "_one", {}, "constant(1)");
    add(of + "_ones", rows, "broadcast(" + of + "_one), dimensions={}");
    add(of + "_more", rows, "add(" + total + ", " + of + "_ones)");
    const std::string scale = add(of + "_scale", rows, "rsqrt(" + of + "_more)");
    return add(of + "_normed", dims, "multiply(" + of + ", " + of_each(scale, dims) + ")");
  }

  // The last layer's rows, reduced.
  void add_last(const std::string& sum, const std::vector<int64_t>& dims) {
    const std::string most = reduced("most", sum, "greater");
    if (spec_.last == Last::kGreatest) {
      const std::vector<int64_t> rows(dims.begin(), dims.end() - 1);
      text_ += "  ROOT y = " + shape(rows) + " negate(" + most + ")\n";
      last_ = "y";
      return;
    }
    add("less", dims, "subtract(" + sum + ", " + of_each(most, dims) + ")");
    add("weight", dims, "exponential(less)");
    const std::string total = reduced("total", "weight", "sum");
    text_ += "  ROOT y = " + shape(dims) + " divide(weight, " + of_each(total, dims) + ")\n";
  }

  void add_first() {
    const int64_t width = spec_.widths[0];
    switch (spec_.first) {
      case First::kArray:
      case First::kBatch:
        at_ = parameter("x", of_rows(width));
        return;
      case First::kSum:
        parameter("left", of_rows(width));
        parameter("right", of_rows(width));
        at_ = add("x", of_rows(width), "add(left, right)");
        return;
      case First::kPieces:
        parameter("left", of_rows(width / 2));
        parameter("right", of_rows(width - width / 2));
        at_ = add("x", of_rows(width), "concatenate(left, right), dimensions={1}");
        return;
      case First::kTransposed:
        parameter("turned", {width, spec_.rows});
        at_ = add("x", of_rows(width), "transpose(turned), dimensions={1,0}");
        return;
    }
  }

  void add_layer(size_t number, bool is_last) {
    const std::string n = std::to_string(number);
    const int64_t terms = spec_.widths[number], width = spec_.widths[number + 1];
    const std::vector<int64_t> dims = of_rows(width);
    const bool turned = spec_.weights == Weights::kMixed ? number % 2 == 1 : spec_.weights != Weights::kStraight;
    const bool transposed = spec_.weights == Weights::kTransposed;
    std::string weights = parameter("w_" + n, turned ? std::vector{width, terms} : std::vector{terms, width});
    if (transposed) weights = add("turned_" + n, {terms, width}, "transpose(" + weights + "), dimensions={1,0}");
    parameter("b_" + n, {width});
    const std::string precision = spec_.precision.empty() ? "" : ", " + spec_.precision;
    add("dot_" + n, dims,
        "dot(" + at_ + ", " + weights + "), lhs_contracting_dims={" + lead() + "}, rhs_contracting_dims={" +
            (turned && !transposed ? "1" : "0") + "}" + precision);
    add("bias_" + n, dims, "broadcast(b_" + n + "), dimensions={" + lead() + "}");
    if (is_last && spec_.layer == Layer::kResidual && terms == width) {
      // Part of the network: it reads what the last layer multiplies.
      text_ += "  sum_" + n + " = " + shape(dims) + " add(dot_" + n + ", bias_" + n + ")\n  tanh_" + n + " = " +
               shape(dims) + " tanh(sum_" + n + ")\n  ROOT y = " + shape(dims) + " add(" + at_ + ", tanh_" + n + ")\n";
      return;
    }
    if (is_last && spec_.last != Last::kBias) {
      add_last(add("sum_" + n, dims, "add(dot_" + n + ", bias_" + n + ")"), dims);
      return;
    }
    if (is_last) {
      text_ += "  ROOT y = " + shape(dims) + " add(dot_" + n + ", bias_" + n + ")\n";
      last_ = "bias_" + n + " y";
      return;
    }
    const std::string sum = add("sum_" + n, dims, "add(dot_" + n + ", bias_" + n + ")");
    switch (spec_.layer) {
      case Layer::kPlain:
        at_ = sum;
        return;
      case Layer::kSmooth:
        at_ = add("tanh_" + n, dims, "tanh(" + sum + ")");
        return;
      case Layer::kResidual:
        add("tanh_" + n, dims, "tanh(" + sum + ")");
        at_ = add("next_" + n, dims, "add(" + at_ + ", tanh_" + n + ")");
        return;
      case Layer::kNormed:
        at_ = normed(sum, dims);
        return;
      case Layer::kResidualNormed:
        at_ = normed(add("next_" + n, dims, "add(" + at_ + ", " + sum + ")"), dims);
        return;
      case Layer::kNormedResidual:
        at_ = add("next_" + n, dims, "add(" + at_ + ", " + normed(sum, dims) + ")");
        return;
      case Layer::kScaledRow:
        parameter("s_" + n, {spec_.rows});
        add("scale_" + n, dims, "broadcast(s_" + n + "), dimensions={0}");
        at_ = add("scaled_" + n, dims, "multiply(" + sum + ", scale_" + n + ")");
        return;
      case Layer::kRectified:
        if (number == 0) text_ += "  zero = " + shape({}) + " constant(0)\n";
        add("zeros_" + n, dims, "broadcast(zero), dimensions={}");
        at_ = add("hidden_" + n, dims, "maximum(" + sum + ", zeros_" + n + ")");
        return;
    }
  }

  const NetworkSpec& spec_;
  std::string text_, at_, last_;
  int parameters_ = 0;
};

std::vector<StageProgram> programs(const std::vector<NetworkSpec>& specs) {
  std::vector<StageProgram> result;
  for (const NetworkSpec& spec : specs) result.push_back(Writer(spec).run());
  return result;
}

constexpr DType kBF16 = DType::kBF16, kF16 = DType::kF16, kF32 = DType::kF32;
using Layer = NetworkSpec::Layer;
using First = NetworkSpec::First;
using Last = NetworkSpec::Last;
using Weights = NetworkSpec::Weights;

NetworkSpec with_weights(NetworkSpec spec, Weights weights) {
  spec.weights = weights;
  return spec;
}

std::vector<NetworkSpec> sixteen_bits() {
  return {
      {"half", kF16, 128, {32, 64, 64, 16}},
      {"brain", kBF16, 130, {64, 128, 64, 4}, Layer::kSmooth},
      {"half_one_row", kF16, 1, {16, 16, 16}},
      {"half_odd", kF16, 37, {5, 33, 17, 3}},
      {"brain_odd", kBF16, 101, {37, 101, 67, 23}, Layer::kPlain},
      {"half_residual", kF16, 70, {48, 48, 48, 48}, Layer::kResidual},
      {"brain_rows", kBF16, 45, {24, 40, 8}, Layer::kScaledRow},
      {"half_sum", kF16, 66, {40, 64, 10}, Layer::kRectified, First::kSum},
      {"half_pieces", kF16, 34, {31, 64, 10}, Layer::kRectified, First::kPieces},
      {"brain_transposed", kBF16, 50, {24, 32, 32}, Layer::kRectified, First::kTransposed},
      {"half_batch", kF16, 150, {24, 32, 20}, Layer::kSmooth, First::kBatch},
      {"half_wide", kF16, 70, {72, 256, 9, 140, 20}},
      {"half_special", kF16, 40, {16, 32, 8}, Layer::kRectified, First::kArray, true},
      {"half_many_rows", kF16, 9000, {8, 16, 8}},
      {"half_softmax", kF16, 70, {32, 64, 10}, Layer::kRectified, First::kArray, false, "", Last::kSoftmax},
      {"brain_normed", kBF16, 45, {24, 40, 33, 16}, Layer::kNormed, First::kArray, false, "", Last::kGreatest},
      {"half_normed_residual", kF16, 37, {48, 48, 48, 20}, Layer::kNormedResidual},
      {"brain_residual_normed", kBF16, 64, {29, 29, 29, 5}, Layer::kResidualNormed},
      with_weights({"half_turned", kF16, 70, {32, 64, 48, 10}}, Weights::kTurned),
      with_weights({"brain_turned_odd", kBF16, 37, {37, 101, 7}, Layer::kSmooth}, Weights::kTransposed),
      with_weights({"half_mixed", kF16, 50, {24, 33, 16, 9}}, Weights::kMixed),
  };
}

std::vector<NetworkSpec> floats() {
  return {
      {"exact", kF32, 128, {64, 64, 64, 16}},
      {"exact_one_row", kF32, 1, {16, 16, 16}},
      {"exact_two_terms", kF32, 60, {2, 128, 128, 1}, Layer::kSmooth},
      {"exact_odd", kF32, 101, {37, 101, 67, 23}},
      {"exact_prime", kF32, 37, {3, 7, 13, 11}, Layer::kPlain},
      {"exact_residual", kF32, 70, {48, 48, 48, 48}, Layer::kResidual},
      {"exact_residual_odd", kF32, 33, {29, 29, 29}, Layer::kResidual},
      {"exact_rows", kF32, 45, {24, 40, 8}, Layer::kScaledRow},
      {"exact_sum", kF32, 66, {40, 64, 10}, Layer::kRectified, First::kSum},
      {"exact_pieces", kF32, 34, {31, 64, 10}, Layer::kRectified, First::kPieces},
      {"exact_transposed", kF32, 50, {24, 32, 32}, Layer::kRectified, First::kTransposed},
      {"exact_batch", kF32, 150, {24, 32, 20}, Layer::kSmooth, First::kBatch},
      {"exact_wide", kF32, 70, {32, 256, 16, 64, 16}},
      {"exact_narrow", kF32, 300, {40, 100, 1, 60}, Layer::kSmooth},
      {"exact_special", kF32, 40, {16, 32, 8}, Layer::kRectified, First::kArray, true},
      {"exact_special_odd", kF32, 21, {19, 19, 9}, Layer::kResidual, First::kArray, true},
      {"exact_many_rows", kF32, 9000, {8, 16, 8}},
      {"exact_deep", kF32, 24, {16, 16, 16, 16, 16, 16, 16, 16, 16, 16}},
      {"exact_softmax", kF32, 64, {32, 64, 10}, Layer::kRectified, First::kArray, false, "", Last::kSoftmax},
      {"exact_softmax_odd", kF32, 101, {19, 37, 7}, Layer::kSmooth, First::kPieces, false, "", Last::kSoftmax},
      {"exact_softmax_of_two", kF32, 9, {8, 8, 2}, Layer::kPlain, First::kArray, false, "", Last::kSoftmax},
      {"exact_softmax_batch", kF32, 90, {24, 32, 20}, Layer::kSmooth, First::kBatch, false, "", Last::kSoftmax},
      {"exact_softmax_special", kF32, 40, {16, 32, 8}, Layer::kPlain, First::kArray, true, "", Last::kSoftmax},
      {"exact_greatest", kF32, 75, {16, 50, 8}, Layer::kSmooth, First::kArray, false, "", Last::kGreatest},
      {"exact_greatest_batch", kF32, 300, {16, 32, 12}, Layer::kPlain, First::kBatch, false, "", Last::kGreatest},
      {"exact_normed", kF32, 70, {40, 100, 37, 16}, Layer::kNormed},
      {"exact_normed_wide", kF32, 33, {32, 256, 192, 16}, Layer::kNormed, First::kSum, false, "", Last::kSoftmax},
      {"exact_residual_normed", kF32, 45, {48, 48, 48, 48}, Layer::kResidualNormed},
      {"exact_normed_residual", kF32, 45, {29, 29, 29, 3}, Layer::kNormedResidual},
      with_weights({"exact_turned", kF32, 70, {32, 64, 48, 10}}, Weights::kTurned),
      with_weights({"exact_turned_odd", kF32, 37, {37, 101, 7}, Layer::kSmooth}, Weights::kTransposed),
      with_weights({"exact_mixed", kF32, 50, {24, 33, 16, 9}}, Weights::kMixed),
      with_weights({"exact_turned_special", kF32, 21, {19, 17, 9}, Layer::kPlain, First::kArray, true},
                   Weights::kMixed),
  };
}

std::vector<NetworkSpec> tf32() {
  const std::string precision = "algorithm=dot_tf32_tf32_f32";
  return {
      {"tf32_whole", kF32, 128, {64, 128, 96, 64}, Layer::kRectified, First::kArray, false, precision},
      {"tf32_odd", kF32, 75, {19, 50, 27}, Layer::kSmooth, First::kArray, false, precision},
      with_weights({"tf32_turned", kF32, 75, {19, 52, 27}, Layer::kSmooth, First::kArray, false, precision},
                   Weights::kTurned),
      with_weights({"tf32_mixed", kF32, 64, {16, 32, 48, 8}, Layer::kPlain, First::kArray, false, precision},
                   Weights::kMixed),
      {"tf32_softmax", kF32, 75, {19, 50, 27}, Layer::kNormed, First::kArray, false, precision, Last::kSoftmax},
      {"tf32_many_rows", kF32, 4500, {32, 64, 16}, Layer::kRectified, First::kArray, false, precision},
  };
}

}  // namespace

std::vector<NetworkGroup> network_groups() {
  // Activations are rounded to their type: what is rounded otherwise is a unit of it.
  const ToleranceOf of_sixteen_bits = [](DType dtype) { return dtype == kBF16 ? 0.03 : 0.004; };
  return {{programs(sixteen_bits()), of_sixteen_bits},
          {programs(floats()), [](DType) { return 1e-5; }},
          {programs(tf32()), [](DType) { return 0.004; }}};
}

}  // namespace sinter
