#include "tests/stages/contractions/contraction_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "ir/values/dtype.h"
#include "tests/random/random.h"
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

using Dims = std::vector<int64_t>;

std::string list(const Dims& numbers) {
  std::string text;
  for (const int64_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return "{" + text + "}";
}

int64_t product(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, [](int64_t a, int64_t b) { return a * b; });
}

// Of all a program's products. More would take the evaluator long.
constexpr int64_t kMostTerms = int64_t{1} << 18;

class Writer {
 public:
  explicit Writer(uint64_t seed) : random_(seed) {}

  RandomContraction program(const std::string& name) {
    RandomContraction result;
    result.name = name;
    draw_types();
    result.exact = is_integer(result_) || random_.chance(75);
    result.special = result.exact && !is_integer(result_) && random_.chance(30);
    special_ = result.special;
    rounds_ = !result.exact;
    if (one_in(5))
      convolution();
    else
      dot();
    after();
    result.bound = bound_;
    result.text = "HloModule " + name + "\n" + combiner_ + "\nENTRY main {\n" + text_ + "}\n";
    return result;
  }

 private:
  bool one_in(int64_t n) { return random_.below(n) == 0; }
  int64_t between(int64_t low, int64_t high) { return random_.between(low, high); }
  size_t below(size_t count) { return static_cast<size_t>(random_.below(static_cast<int64_t>(count))); }

  void draw_types() {
    struct Types {
      DType lhs, rhs, result;
      int64_t weight;
    };
    static const std::vector<Types> kTypes = {
        {DType::kF32, DType::kF32, DType::kF32, 6},        {DType::kBF16, DType::kBF16, DType::kBF16, 4},
        {DType::kBF16, DType::kBF16, DType::kF32, 4},      {DType::kF16, DType::kF16, DType::kF16, 2},
        {DType::kF16, DType::kF16, DType::kF32, 2},        {DType::kS8, DType::kS8, DType::kS32, 4},
        {DType::kU8, DType::kU8, DType::kS32, 2},          {DType::kF64, DType::kF64, DType::kF64, 2},
        {DType::kS32, DType::kS32, DType::kS32, 1},        {DType::kF8E4M3FN, DType::kF8E4M3FN, DType::kF32, 1},
        {DType::kF8E5M2, DType::kF8E5M2, DType::kBF16, 1}, {DType::kBF16, DType::kF32, DType::kF32, 1},
        {DType::kS8, DType::kU8, DType::kS32, 1},          {DType::kU8, DType::kU8, DType::kU32, 1}};
    int64_t total = 0;
    for (const Types& types : kTypes) total += types.weight;
    int64_t place = random_.below(total);
    for (const Types& types : kTypes) {
      place -= types.weight;
      if (place >= 0) continue;
      operand_[0] = types.lhs, operand_[1] = types.rhs, result_ = types.result;
      return;
    }
  }

  // None, one, a few, a prime, or a multiple of 16 bytes.
  int64_t extent() {
    switch (random_.below(6)) {
      case 0:
        return one_in(12) ? 0 : between(1, 2);
      case 1:
        return between(3, 9);
      case 2:
        return 8 * between(1, 9);
      case 3:
        return 16 * between(1, 8);
      case 4:
        return random_.pick<int64_t>({11, 13, 17, 31, 37, 61, 67, 97, 127, 131});
      default:
        return between(10, 150);
    }
  }
  std::vector<size_t> shuffled(size_t count) {
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), size_t{0});
    if (one_in(3)) return order;
    for (size_t i = count; i > 1; --i) std::swap(order[i - 1], order[below(i)]);
    return order;
  }
  void line(const std::string& name, DType dtype, const Dims& dims, const std::string& value) {
    text_ += "  " + name + " = " + shape_text(dtype, dims) + " " + value + "\n";
  }
  std::string parameter(const std::string& name, DType dtype, const Dims& dims) {
    line(name, dtype, dims, "parameter(" + std::to_string(parameters_++) + ")");
    return name;
  }
  std::string fresh(const std::string& base) { return base + "_" + std::to_string(names_++); }
  std::string scalar(DType dtype, const std::string& number, const Dims& dims) {
    const std::string one = fresh("number"), all = fresh("numbers");
    line(one, dtype, {}, "constant(" + number + ")");
    line(all, dtype, dims, "broadcast(" + one + "), dimensions={}");
    return all;
  }

  // An array of these dims: a parameter, or what is made of one. `magnitude` is multiplied by how much larger than one
  // its elements may be.
  std::string operand(const std::string& name, DType dtype, const Dims& dims, double* magnitude) {
    const size_t rank = dims.size();
    const bool small = dtype_bytes(dtype) == 1;  // with no arithmetic of its own worth having
    if (rank == 0 || one_in(2)) return parameter(name, dtype, dims);
    switch (random_.below(small ? 7 : 12)) {
      case 0: {  // the inside of a larger array
        Dims larger = dims;
        std::string bounds;
        for (int64_t& size : larger) {
          const int64_t first = one_in(2) ? 0 : between(0, 5), more = one_in(2) ? 0 : between(0, 5);
          bounds += (bounds.empty() ? "[" : ", [") + std::to_string(first) + ":" + std::to_string(first + size) + "]";
          size += first + more;
        }
        const std::string given = parameter(name + "_given", dtype, larger);
        line(name, dtype, dims, "slice(" + given + "), slice={" + bounds + "}");
        return name;
      }
      case 1: {
        const std::vector<size_t> order = shuffled(rank);
        Dims given_dims(rank), permutation;
        for (size_t d = 0; d < rank; ++d) {
          given_dims[order[d]] = dims[d];
          permutation.push_back(static_cast<int64_t>(order[d]));
        }
        const std::string given = parameter(name + "_given", dtype, given_dims);
        line(name, dtype, dims, "transpose(" + given + "), dimensions=" + list(permutation));
        return name;
      }
      case 2: {  // the same along a dimension
        const size_t d = below(rank);
        Dims fewer, kept;
        for (size_t i = 0; i < rank; ++i) {
          if (i == d) continue;
          fewer.push_back(dims[i]);
          kept.push_back(static_cast<int64_t>(i));
        }
        const std::string given = parameter(name + "_given", dtype, fewer);
        line(name, dtype, dims, "broadcast(" + given + "), dimensions=" + list(kept));
        return name;
      }
      case 3: {
        const std::string given = parameter(name + "_given", dtype, dims);
        line(name, dtype, dims, "reverse(" + given + "), dimensions=" + list({static_cast<int64_t>(below(rank))}));
        return name;
      }
      case 4: {  // of one row after the other
        const std::string given = parameter(name + "_given", dtype, {product(dims)});
        line(name, dtype, dims, "reshape(" + given + ")");
        return name;
      }
      case 5: {  // a smaller array with zeros around it
        Dims smaller = dims;
        std::string padding;
        for (int64_t& size : smaller) {
          const int64_t low = size > 1 && one_in(2) ? 1 : 0, high = size > 3 && one_in(2) ? 2 : 0;
          size -= low + high;
          padding += (padding.empty() ? "" : "x") + std::to_string(low) + "_" + std::to_string(high);
        }
        const std::string given = parameter(name + "_given", dtype, smaller);
        line(name + "_zero", dtype, {}, "constant(0)");
        line(name, dtype, dims, "pad(" + given + ", " + name + "_zero), padding=" + padding);
        return name;
      }
      case 6: {  // two arrays side by side
        const size_t d = below(rank);
        if (dims[d] < 2) return parameter(name, dtype, dims);
        Dims first = dims, second = dims;
        first[d] = between(1, dims[d] - 1);
        second[d] -= first[d];
        const std::string a = parameter(name + "_a", dtype, first), b = parameter(name + "_b", dtype, second);
        line(name, dtype, dims, "concatenate(" + a + ", " + b + "), dimensions=" + list({static_cast<int64_t>(d)}));
        return name;
      }
      case 7: {  // of another type
        const DType from = is_integer(dtype) ? DType::kS16
                           : one_in(2)       ? DType::kS8
                           : one_in(2)       ? DType::kF8E4M3FN
                                             : DType::kBF16;
        const std::string given = parameter(name + "_given", from, dims);
        line(name, dtype, dims, "convert(" + given + ")");
        if (from == DType::kS8 && !rounds_) *magnitude *= 4;
        if (from == DType::kS8 && rounds_) *magnitude *= 128;
        return name;
      }
      case 8: {  // scaled, or moved, along a dimension; bytes with a scale
        const auto d = static_cast<int64_t>(below(rank));
        const bool bytes = !is_integer(dtype) && one_in(2);
        std::string given = parameter(name + "_given", bytes ? DType::kS8 : dtype, dims);
        if (bytes) {
          line(name + "_wide", dtype, dims, "convert(" + given + ")");
          given = name + "_wide";
          *magnitude *= rounds_ ? 128 : 4;
        }
        const std::string scale = parameter(name + "_scale", dtype, {dims[static_cast<size_t>(d)]});
        line(name + "_scales", dtype, dims, "broadcast(" + scale + "), dimensions=" + list({d}));
        const bool multiplies = one_in(2);
        if (!multiplies) *magnitude += 1;
        line(name, dtype, dims, std::string(multiplies ? "multiply(" : "add(") + given + ", " + name + "_scales)");
        return name;
      }
      case 9: {  // two arrays, added
        const std::string a = parameter(name + "_a", dtype, dims), b = parameter(name + "_b", dtype, dims);
        line(name, dtype, dims, "subtract(" + a + ", " + b + ")");
        *magnitude += 1;
        return name;
      }
      case 10: {  // none above a diagonal
        const auto d = static_cast<int64_t>(below(rank));
        const std::string given = parameter(name + "_given", dtype, dims);
        line(name + "_place", DType::kS32, dims, "iota(), iota_dimension=" + std::to_string(d));
        line(name + "_other", DType::kS32, dims, "iota(), iota_dimension=" + std::to_string(rank - 1));
        line(name + "_below", DType::kPred, dims, "compare(" + name + "_place, " + name + "_other), direction=GE");
        const std::string zeros = scalar(dtype, "0", dims);
        line(name, dtype, dims, "select(" + name + "_below, " + given + ", " + zeros + ")");
        return name;
      }
      default: {
        const std::string given = parameter(name + "_given", dtype, dims);
        line(name, dtype, dims, "maximum(" + given + ", " + scalar(dtype, "0", dims) + ")");
        return name;
      }
    }
  }

  void keep_few(Dims* sizes) {
    while (product(*sizes) > kMostTerms) {
      int64_t& most = *std::max_element(sizes->begin(), sizes->end());
      most = most / 2 + 1;
    }
  }

  void dot() {
    const size_t batches = one_in(2) ? 0 : 1 + below(2), contracted = 1 + (one_in(4) ? 1 : 0);
    size_t free[2];
    Dims sizes;
    for (size_t i = 0; i < batches; ++i) sizes.push_back(between(1, 4));
    for (size_t i = 0; i < contracted; ++i)
      sizes.push_back(contracted > 1 ? between(1, 24) : one_in(6) ? extent() * 4 : extent());
    const bool skinny = one_in(2);
    const size_t few_side = below(2);
    for (size_t side = 0; side < 2; ++side) {
      free[side] = one_in(8) ? 0 : one_in(4) ? 2 : 1;
      const bool few = skinny && side == few_side;
      for (size_t i = 0; i < free[side]; ++i) {
        sizes.push_back(few               ? between(1, free[side] == 2 ? 4 : 16)
                        : skinny          ? free[side] == 2 ? between(2, 24) : 3 * extent()
                                 : free[side] == 2 ? between(1, 14)
                                          : extent());
      }
    }
    keep_few(&sizes);
    const size_t shared = batches + contracted;
    result_dims_.assign(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(batches));
    const std::string names[2] = {"x", "w"};
    std::string operands[2];
    Dims positions[2];
    double magnitude = 1, terms = 1;
    for (size_t i = batches; i < shared; ++i) terms *= static_cast<double>(sizes[i]);
    size_t next_free = shared;
    for (size_t side = 0; side < 2; ++side) {
      const size_t rank = shared + free[side];
      // Free dimensions come in the result in the operand's own order.
      std::vector<size_t> places = shuffled(rank);
      std::sort(places.begin() + static_cast<std::ptrdiff_t>(shared), places.end());
      Dims dims(rank);
      for (size_t i = 0; i < rank; ++i) {
        const int64_t size = i < shared ? sizes[i] : sizes[next_free++];
        dims[places[i]] = size;
        if (i >= shared) result_dims_.push_back(size);
        positions[side].push_back(static_cast<int64_t>(places[i]));
      }
      double of_side = 1;
      operands[side] = operand(names[side], operand_[side], dims, &of_side);
      magnitude *= of_side;
    }
    const auto of = [&](size_t side, size_t first, size_t end) {
      return list(Dims(positions[side].begin() + static_cast<std::ptrdiff_t>(first),
                       positions[side].begin() + static_cast<std::ptrdiff_t>(end)));
    };
    std::string attributes;
    if (batches > 0) attributes += ", lhs_batch_dims=" + of(0, 0, batches) + ", rhs_batch_dims=" + of(1, 0, batches);
    attributes +=
        ", lhs_contracting_dims=" + of(0, batches, shared) + ", rhs_contracting_dims=" + of(1, batches, shared);
    if (operand_[0] == DType::kF32 && operand_[1] == DType::kF32 && one_in(6))
      attributes += ", operand_precision={highest,highest}";
    line("product", result_, result_dims_, "dot(" + operands[0] + ", " + operands[1] + ")" + attributes);
    set_bound(magnitude, terms);
  }

  // Of so many terms, each at most `magnitude`: products of TF32 within 2^-21 of them, and a rounding for each.
  void set_bound(double magnitude, double terms) {
    if (result_ == DType::kF64)
      bound_ = magnitude * terms * terms * 0x1p-52;
    else
      bound_ = magnitude * terms * (terms * 0x1p-24 + 0x1p-21);
  }

  // Characters in any order, and the sizes they stand for in that order.
  std::string labels(const std::string& characters, const Dims& sizes, Dims* dims) {
    std::string text;
    for (const size_t i : shuffled(characters.size())) {
      text += characters[i];
      dims->push_back(sizes[i]);
    }
    return text;
  }

  void convolution() {
    const int64_t batch = between(1, 3), features = one_in(2) ? 8 * between(1, 3) : between(1, 9);
    const int64_t outputs = one_in(2) ? 8 * between(1, 5) : between(1, 20);
    Dims sizes, windows, out;
    std::string size, stride, pad, dilation, base, reversal;
    for (int d = 0; d < 2; ++d) {
      int64_t w = between(1, 3), s = between(1, 2), low = between(-1, 2), high = between(0, 2);
      const int64_t n = between(5, 10), rhs = one_in(4) ? 2 : 1;
      int64_t lhs = one_in(6) ? 2 : 1;
      // A tap in padding is a product with zero (docs/numerics.md).
      if (special_) low = std::min<int64_t>(low, 0), high = 0, lhs = 1;
      const int64_t padded = (n - 1) * lhs + 1 + low + high, whole = (w - 1) * rhs + 1;
      if (padded < whole) w = 1;
      sizes.push_back(n);
      windows.push_back(w);
      out.push_back((padded - ((w - 1) * rhs + 1)) / s + 1);
      const std::string x = d == 0 ? "" : "x";
      size += x + std::to_string(w);
      stride += x + std::to_string(s);
      pad += x + std::to_string(low) + "_" + std::to_string(high);
      dilation += x + std::to_string(rhs);
      base += x + std::to_string(lhs);
      reversal += x + (one_in(6) ? "1" : "0");
    }
    Dims input, kernel;
    const std::string of_input = labels("bf01", {batch, features, sizes[0], sizes[1]}, &input);
    const std::string of_kernel = labels("oi01", {outputs, features, windows[0], windows[1]}, &kernel);
    const std::string of_output = labels("bf01", {batch, outputs, out[0], out[1]}, &result_dims_);
    double magnitude = 1;
    const std::string lhs = operand("x", operand_[0], input, &magnitude);
    double of_kernel_magnitude = 1;
    const std::string rhs = operand("w", operand_[1], kernel, &of_kernel_magnitude);
    line("product", result_, result_dims_,
         "convolution(" + lhs + ", " + rhs + "), window={size=" + size + " stride=" + stride + " pad=" + pad +
             " lhs_dilate=" + base + " rhs_dilate=" + dilation + " rhs_reversal=" + reversal +
             "}, dim_labels=" + of_input + "_" + of_kernel + "->" + of_output);
    set_bound(magnitude * of_kernel_magnitude, static_cast<double>(features * windows[0] * windows[1]));
  }

  // What is made of the product, the last of which is the result.
  void after() {
    std::string value = "product";
    Dims dims = result_dims_;
    DType dtype = result_;
    for (int i = static_cast<int>(random_.below(4)); i > 0; --i) {
      const std::string next = fresh("value");
      const size_t rank = dims.size();
      switch (rank == 0 ? random_.below(3) : random_.below(10)) {
        case 0:
          line(next, dtype, dims, "maximum(" + value + ", " + parameter(fresh("residual"), dtype, dims) + ")");
          break;
        case 1: {
          const std::string residual = parameter(fresh("residual"), dtype, dims);
          line(next, dtype, dims, "add(" + value + ", " + residual + ")");
          break;
        }
        case 2:
          if (dtype == DType::kU32) continue;
          line(next, dtype, dims, "negate(" + value + ")");
          break;
        case 3:
        case 4: {
          const size_t d = below(rank);
          const std::string bias = parameter(fresh("bias"), dtype, {dims[d]}), spread = fresh("spread");
          line(spread, dtype, dims, "broadcast(" + bias + "), dimensions=" + list({static_cast<int64_t>(d)}));
          line(next, dtype, dims, std::string(one_in(2) ? "add(" : "multiply(") + value + ", " + spread + ")");
          break;
        }
        case 5: {
          const DType to = is_integer(dtype) ? DType::kF32 : dtype == DType::kF32 ? DType::kBF16 : DType::kF32;
          line(next, to, dims, "convert(" + value + ")");
          if (is_integer(dtype)) bound_ = 0;
          dtype = to;
          break;
        }
        case 6: {
          const std::vector<size_t> order = shuffled(rank);
          Dims permutation, moved;
          for (const size_t d : order) {
            permutation.push_back(static_cast<int64_t>(d));
            moved.push_back(dims[d]);
          }
          line(next, dtype, moved, "transpose(" + value + "), dimensions=" + list(permutation));
          dims = moved;
          break;
        }
        case 7:
          line(next, dtype, {product(dims)}, "reshape(" + value + ")");
          dims = {product(dims)};
          break;
        case 8: {
          Dims smaller = dims;
          std::string bounds;
          for (int64_t& size : smaller) {
            const int64_t first = size > 2 && one_in(2) ? 1 : 0;
            bounds += (bounds.empty() ? "[" : ", [") + std::to_string(first) + ":" + std::to_string(size) + "]";
            size -= first;
          }
          line(next, dtype, smaller, "slice(" + value + "), slice={" + bounds + "}");
          dims = smaller;
          break;
        }
        default: {  // sums of rows
          if (!combiner_.empty()) continue;
          const size_t d = one_in(2) ? rank - 1 : below(rank);
          combiner_ = "\nadd_two {\n  a = " + shape_text(dtype, {}) + " parameter(0)\n  b = " + shape_text(dtype, {}) +
                      " parameter(1)\n  ROOT sum = " + shape_text(dtype, {}) + " add(a, b)\n}\n";
          const std::string zero = fresh("zero");
          line(zero, dtype, {}, "constant(0)");
          Dims fewer = dims;
          fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(d));
          line(next, dtype, fewer,
               "reduce(" + value + ", " + zero + "), dimensions=" + list({static_cast<int64_t>(d)}) +
                   ", to_apply=add_two");
          bound_ *= 2 * static_cast<double>(dims[d]);
          dims = fewer;
          break;
        }
      }
      value = next;
    }
    const std::string shape = shape_text(dtype, dims);
    if (value != "product" && one_in(4)) {
      text_ +=
          "  ROOT results = (" + shape_text(result_, result_dims_) + ", " + shape + ") tuple(product, " + value + ")\n";
    } else {
      text_ += "  ROOT same = " + shape + " copy(" + value + ")\n";
    }
  }

  Random random_;
  DType operand_[2] = {DType::kF32, DType::kF32}, result_ = DType::kF32;
  bool special_ = false, rounds_ = false;
  double bound_ = 0;
  std::string text_, combiner_;
  Dims result_dims_;
  int parameters_ = 0, names_ = 0;
};

}  // namespace

RandomContraction random_contraction(uint64_t seed) { return Writer(seed).program("c" + std::to_string(seed)); }

}  // namespace sinter
