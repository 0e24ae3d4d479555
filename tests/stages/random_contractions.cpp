// random_contractions: dots whose dimensions come in any order and convolutions with any dim_labels, with random values
// computed before and after them, from seeds: emitted code against the evaluator. Numbers are such that all sums are
// exact, whatever their order.
//
//   random_contractions --count 2000 --first-seed 1     or --print to see the first
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>

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

class Writer {
 public:
  explicit Writer(uint64_t seed) : random_(seed) {}

  std::string program(const std::string& name) {
    const DType types[] = {DType::kF32, DType::kBF16, DType::kF16, DType::kS8, DType::kU8, DType::kF32};
    dtype_ = types[random_.below(6)];
    result_ = is_integer(dtype_) ? DType::kS32 : chance(2) ? DType::kF32 : dtype_;
    if (chance(4))
      convolution();
    else
      dot();
    after();
    return "HloModule " + name + "\n\nENTRY main {\n" + text_ + "}\n";
  }

 private:
  bool chance(int64_t one_in) { return random_.below(one_in) == 0; }
  int64_t between(int64_t low, int64_t high) { return random_.between(low, high); }
  size_t below(size_t count) { return static_cast<size_t>(random_.below(static_cast<int64_t>(count))); }
  // One, a few, odd, or a multiple of 16 bytes.
  int64_t extent() {
    switch (random_.below(5)) {
      case 0:
        return between(1, 2);
      case 1:
        return between(3, 9);
      case 2:
        return 8 * between(1, 9);
      case 3:
        return 16 * between(1, 5);
      default:
        return between(10, 70);
    }
  }
  std::vector<size_t> shuffled(size_t count) {
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), size_t{0});
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
  std::string fresh(const std::string& base) { return base + std::to_string(names_++); }

  // An array of the operands' type: a parameter, or what is made of one.
  std::string operand(const std::string& name, const Dims& dims) {
    switch (random_.below(7)) {
      case 0: {  // of another type
        const DType from = is_integer(dtype_) ? DType::kS16 : DType::kS8;
        const std::string given = parameter(name + "_given", from, dims);
        line(name, dtype_, dims, "convert(" + given + ")");
        return name;
      }
      case 1: {  // scaled along a dimension
        const auto d = static_cast<int64_t>(below(dims.size()));
        const std::string given = parameter(name + "_given", dtype_, dims);
        const std::string scale = parameter(name + "_scale", dtype_, {dims[static_cast<size_t>(d)]});
        line(name + "_scales", dtype_, dims, "broadcast(" + scale + "), dimensions=" + list({d}));
        line(name, dtype_, dims, "add(" + given + ", " + name + "_scales)");
        return name;
      }
      case 2: {  // the inside of a larger array
        Dims larger = dims;
        std::string bounds;
        for (int64_t& size : larger) {
          const int64_t first = between(0, 3), more = between(0, 3);
          bounds += (bounds.empty() ? "[" : ", [") + std::to_string(first) + ":" + std::to_string(first + size) + "]";
          size += first + more;
        }
        const std::string given = parameter(name + "_given", dtype_, larger);
        line(name, dtype_, dims, "slice(" + given + "), slice={" + bounds + "}");
        return name;
      }
      case 3: {  // transposed
        const std::vector<size_t> order = shuffled(dims.size());
        Dims given_dims(dims.size()), permutation;
        for (size_t d = 0; d < dims.size(); ++d) {
          given_dims[order[d]] = dims[d];
          permutation.push_back(static_cast<int64_t>(order[d]));
        }
        const std::string given = parameter(name + "_given", dtype_, given_dims);
        line(name, dtype_, dims, "transpose(" + given + "), dimensions=" + list(permutation));
        return name;
      }
      default:
        return parameter(name, dtype_, dims);
    }
  }

  void dot() {
    const size_t batches = below(3), contracted = 1 + (chance(3) ? 1 : 0);
    struct Dim {
      char role;
      int64_t size;
    };
    std::vector<Dim> shared;
    for (size_t i = 0; i < batches; ++i) shared.push_back({'b', between(1, 4)});
    for (size_t i = 0; i < contracted; ++i)
      shared.push_back({'k', contracted == 1 ? extent() * between(1, 3) : between(3, 24)});
    Dims dims[2], positions[2];
    const bool skinny = chance(3);
    result_dims_.clear();
    for (const Dim& dim : shared) {
      if (dim.role == 'b') result_dims_.push_back(dim.size);
    }
    for (int side = 0; side < 2; ++side) {
      std::vector<Dim> all = shared;
      const size_t free = chance(8) ? 0 : chance(4) ? 2 : 1;
      const bool few = skinny && side == 0, many = skinny && side == 1;
      for (size_t i = 0; i < free; ++i)
        all.push_back({'f', few         ? between(1, 8)
                            : many      ? between(600, 1200) / static_cast<int64_t>(free)
                            : free == 2 ? between(2, 14)
                                        : extent()});
      for (size_t i = shared.size(); i < all.size(); ++i) result_dims_.push_back(all[i].size);
      const std::vector<size_t> order = shuffled(all.size());
      dims[side].resize(all.size());
      positions[side].resize(all.size());
      // Free dimensions come in the result in the operand's own order.
      std::vector<size_t> places = order;
      std::sort(places.begin() + static_cast<std::ptrdiff_t>(shared.size()), places.end());
      for (size_t i = 0; i < all.size(); ++i) {
        dims[side][places[i]] = all[i].size;
        positions[side][i] = static_cast<int64_t>(places[i]);
      }
    }
    const std::string lhs = operand("x", dims[0]), rhs = operand("w", dims[1]);
    std::string attributes;
    const auto of_role = [&](int side, char role) {
      Dims result;
      for (size_t i = 0; i < shared.size(); ++i) {
        if (shared[i].role == role) result.push_back(positions[side][i]);
      }
      return list(result);
    };
    if (batches > 0) attributes += ", lhs_batch_dims=" + of_role(0, 'b') + ", rhs_batch_dims=" + of_role(1, 'b');
    attributes += ", lhs_contracting_dims=" + of_role(0, 'k') + ", rhs_contracting_dims=" + of_role(1, 'k');
    line("product", result_, result_dims_, "dot(" + lhs + ", " + rhs + ")" + attributes);
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
    const int64_t batch = between(1, 3), features = chance(2) ? 8 * between(1, 3) : between(1, 9);
    const int64_t outputs = chance(2) ? 8 * between(1, 5) : between(1, 20);
    Dims sizes, windows, out;
    std::string size, stride, pad, dilation, base;
    for (int d = 0; d < 2; ++d) {
      const int64_t n = between(5, 12), w = between(1, 3), s = between(1, 2), low = between(0, 1), high = between(0, 2);
      const int64_t rhs = chance(4) ? 2 : 1, lhs = chance(6) ? 2 : 1;
      const int64_t padded = (n - 1) * lhs + 1 + low + high, whole = (w - 1) * rhs + 1;
      sizes.push_back(n);
      windows.push_back(w);
      out.push_back((padded - whole) / s + 1);
      const std::string x = d == 0 ? "" : "x";
      size += x + std::to_string(w);
      stride += x + std::to_string(s);
      pad += x + std::to_string(low) + "_" + std::to_string(high);
      dilation += x + std::to_string(rhs);
      base += x + std::to_string(lhs);
    }
    Dims input, kernel;
    result_dims_.clear();
    const std::string of_input = labels("bf01", {batch, features, sizes[0], sizes[1]}, &input);
    const std::string of_kernel = labels("oi01", {outputs, features, windows[0], windows[1]}, &kernel);
    const std::string of_output = labels("bf01", {batch, outputs, out[0], out[1]}, &result_dims_);
    const std::string lhs = operand("x", input), rhs = operand("w", kernel);
    line("product", result_, result_dims_,
         "convolution(" + lhs + ", " + rhs + "), window={size=" + size + " stride=" + stride + " pad=" + pad +
             " lhs_dilate=" + base + " rhs_dilate=" + dilation + "}, dim_labels=" + of_input + "_" + of_kernel + "->" +
             of_output);
  }

  // What is made of the product, the last of which is the result.
  void after() {
    std::string value = "product";
    for (int i = static_cast<int>(random_.below(4)); i > 0; --i) {
      const std::string next = fresh("value");
      switch (result_dims_.empty() ? 1 : random_.below(3)) {
        case 0: {
          const size_t d = below(result_dims_.size());
          const std::string bias = parameter(fresh("bias"), result_, {result_dims_[d]}), spread = fresh("spread");
          line(spread, result_, result_dims_, "broadcast(" + bias + "), dimensions=" + list({static_cast<int64_t>(d)}));
          line(next, result_, result_dims_, "add(" + value + ", " + spread + ")");
          break;
        }
        case 1:
          line(next, result_, result_dims_, "negate(" + value + ")");
          break;
        default: {
          const std::string residual = parameter(fresh("residual"), result_, result_dims_);
          line(next, result_, result_dims_, "maximum(" + value + ", " + residual + ")");
        }
      }
      value = next;
    }
    const std::string shape = shape_text(result_, result_dims_);
    if (value != "product" && chance(4)) {
      text_ += "  ROOT results = (" + shape + ", " + shape + ") tuple(product, " + value + ")\n";
    } else {
      text_ += "  ROOT same = " + shape + " copy(" + value + ")\n";
    }
  }

  Random random_;
  DType dtype_ = DType::kF32, result_ = DType::kF32;
  std::string text_;
  Dims result_dims_;
  int parameters_ = 0, names_ = 0;
};

double exact(DType) { return 0; }

int run(int count, uint64_t first_seed, bool print) {
  constexpr int kBatch = 64;
  int wrong = 0;
  for (int done = 0; done < count; done += kBatch) {
    std::vector<StageProgram> programs;
    for (int i = done; i < std::min(count, done + kBatch); ++i) {
      const std::string name = "c" + std::to_string(first_seed + static_cast<uint64_t>(i));
      programs.push_back({name, Writer(first_seed + static_cast<uint64_t>(i)).program(name), few_values(9, false)});
      if (print) std::printf("%s\n", programs.back().text.c_str());
    }
    wrong += print ? 0 : run_stage_programs(programs, exact);
  }
  return wrong;
}

}  // namespace
}  // namespace sinter

int main(int argc, char** argv) {
  CLI::App app("random contractions: emitted code against the evaluator");
  int count = 1;
  uint64_t first_seed = 1;
  bool print = false;
  app.add_option("--count", count, "programs");
  app.add_option("--first-seed", first_seed, "seed of the first");
  app.add_flag("--print", print, "print the programs instead");
  CLI11_PARSE(app, argc, argv);
  return sinter::run(count, first_seed, print) == 0 ? 0 : 1;
}
