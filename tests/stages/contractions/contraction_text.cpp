#include "tests/stages/contractions/contraction_text.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tests/stages/contractions/contraction_writer.h"
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

// Of all a program's products. More would take the evaluator long.
constexpr int64_t kMostTerms = int64_t{1} << 18;

int64_t product_of(const std::vector<int64_t>& dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, [](int64_t a, int64_t b) { return a * b; });
}

void keep_few(std::vector<int64_t>* sizes) {
  while (product_of(*sizes) > kMostTerms) {
    int64_t& most = *std::max_element(sizes->begin(), sizes->end());
    most = most / 2 + 1;
  }
}

}  // namespace

std::string ContractionWriter::list(const Dims& numbers) {
  std::string text;
  for (const int64_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return "{" + text + "}";
}

int64_t ContractionWriter::product(const Dims& dims) { return product_of(dims); }

RandomContraction ContractionWriter::program(const std::string& name) {
  RandomContraction result;
  result.name = name;
  draw_types();
  result.exact = is_integer(result_) || is_complex(result_) || random_.chance(75);
  result.special = result.exact && is_float(result_) && random_.chance(30);
  special_ = result.special;
  rounds_ = !result.exact;
  if (one_in(4))
    convolution();
  else
    dot();
  results();
  result.bound = bound_;
  result.text = "HloModule " + name + "\n" + combiner_ + "\nENTRY main {\n" + text_ + "}\n";
  return result;
}

void ContractionWriter::draw_types() {
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
      {DType::kS64, DType::kS64, DType::kS64, 1},        {DType::kU16, DType::kU16, DType::kU32, 1},
      {DType::kF8E5M2, DType::kF8E5M2, DType::kBF16, 1}, {DType::kBF16, DType::kF32, DType::kF32, 1},
      {DType::kS8, DType::kU8, DType::kS32, 1},          {DType::kU8, DType::kU8, DType::kU32, 1},
      {DType::kC64, DType::kC64, DType::kC64, 2},        {DType::kC128, DType::kC128, DType::kC128, 1}};
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

int64_t ContractionWriter::extent() {
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

std::vector<size_t> ContractionWriter::shuffled(size_t count) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  if (one_in(3)) return order;
  for (size_t i = count; i > 1; --i) std::swap(order[i - 1], order[below(i)]);
  return order;
}

void ContractionWriter::line(const std::string& name, DType dtype, const Dims& dims, const std::string& value) {
  text_ += "  " + name + " = " + shape_text(dtype, dims) + " " + value + "\n";
}

std::string ContractionWriter::parameter(const std::string& name, DType dtype, const Dims& dims) {
  line(name, dtype, dims, "parameter(" + std::to_string(parameters_++) + ")");
  return name;
}

std::string ContractionWriter::scalar(DType dtype, const std::string& number, const Dims& dims) {
  const std::string one = fresh("number"), all = fresh("numbers");
  line(one, dtype, {}, "constant(" + (is_complex(dtype) ? "(" + number + ", 0)" : number) + ")");
  line(all, dtype, dims, "broadcast(" + one + "), dimensions={}");
  return all;
}

void ContractionWriter::dot() {
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
  // Rows that the hardware can copy: multiples of 16 bytes.
  if (one_in(dtype_bytes(operand_[0]) == 2 ? 2 : 5)) {
    for (size_t i = batches; i < sizes.size(); ++i) sizes[i] = (sizes[i] + 7) / 8 * 8;
  }
  parts_ = one_in(4) && free[1] > 0;
  if (parts_) sizes.back() = 32 * between(1, 4);
  const size_t gated = one_in(3) ? 0 : 1;  // the side of the matrices
  gated_ = !parts_ && one_in(3) && free[gated] > 0;
  if (gated_) {
    int64_t& last = gated == 1 ? sizes.back() : sizes[batches + contracted + free[0] - 1];
    last = one_in(2) ? 4 * between(1, 24) : 16 * between(1, 6);
    for (size_t i = 0; gated == 0 && i < free[1]; ++i) sizes[sizes.size() - 1 - i] = between(1, 4);
  }
  const size_t shared = batches + contracted;
  Dot made = {.result = Dims(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(batches))};
  const std::string names[2] = {"x", "w"};
  std::string operands[2];
  Dims positions[2];
  double magnitude = 1, terms = 1;
  Random drawn = random_;  // what stands before the operand that several products differ in
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
      if (i >= shared) made.result.push_back(size);
      if (i >= shared && side == 1) made.free.push_back(places[i]);
      positions[side].push_back(static_cast<int64_t>(places[i]));
    }
    double of_side = 1;
    if (side == gated) drawn = random_;
    operands[side] = operand(names[side], operand_[side], dims, &of_side);
    (side == 0 ? made.lhs_dims : made.rhs) = dims;
    magnitude *= of_side;
  }
  const auto of = [&](size_t side, size_t first, size_t end) {
    return list(Dims(positions[side].begin() + static_cast<std::ptrdiff_t>(first),
                     positions[side].begin() + static_cast<std::ptrdiff_t>(end)));
  };
  std::string attributes;
  if (batches > 0) attributes += ", lhs_batch_dims=" + of(0, 0, batches) + ", rhs_batch_dims=" + of(1, 0, batches);
  attributes += ", lhs_contracting_dims=" + of(0, batches, shared) + ", rhs_contracting_dims=" + of(1, batches, shared);
  if (operand_[0] == DType::kF32 && operand_[1] == DType::kF32 && one_in(6))
    attributes += ", operand_precision={highest,highest}";
  line("product", result_, made.result, "dot(" + operands[0] + ", " + operands[1] + ")" + attributes);
  products_.push_back({"product", result_, made.result});
  made.lhs = operands[0], made.attributes = attributes;
  if (gated_) {
    gated_products(made, operands[1 - gated], gated, drawn);
  } else if (one_in(4)) {
    second_product(std::move(made));
  }
  set_bound(magnitude, terms);
}

void ContractionWriter::second_product(Dot dot) {
  if (one_in(2)) {
    for (size_t i = 0; i < dot.free.size(); ++i) {
      const int64_t size = between(1, dot.rhs[dot.free[i]] + 2);
      dot.rhs[dot.free[i]] = size;
      dot.result[dot.result.size() - dot.free.size() + i] = size;
    }
  }
  // As it is: what is made of an operand may make it larger than the bound says.
  const std::string rhs = parameter("v", operand_[1], dot.rhs);
  line("product_2", result_, dot.result, "dot(" + dot.lhs + ", " + rhs + ")" + dot.attributes);
  products_.push_back({"product_2", result_, dot.result});
}

void ContractionWriter::gated_products(const Dot& dot, const std::string& other, size_t side, const Random& drawn) {
  const int64_t more = random_.pick<int64_t>({1, 1, 1, 2, 3});
  for (int64_t i = 2; i < 2 + more; ++i) {
    const std::string number = std::to_string(i), name = "product_" + number;
    const Random now = random_;
    random_ = drawn;
    double magnitude = 1;  // as of the first
    const std::string matrix = operand("m" + number, operand_[side], side == 0 ? dot.lhs_dims : dot.rhs, &magnitude);
    random_ = now;
    const std::string operands = side == 0 ? matrix + ", " + other : other + ", " + matrix;
    line(name, result_, dot.result, "dot(" + operands + ")" + dot.attributes);
    products_.push_back({name, result_, dot.result});
  }
}

void ContractionWriter::set_bound(double magnitude, double terms) {
  if (result_ == DType::kF64)
    bound_ = magnitude * terms * terms * 0x1p-52;
  else
    bound_ = magnitude * terms * (terms * 0x1p-24 + 0x1p-21);
}

RandomContraction random_contraction(uint64_t seed) {
  return ContractionWriter(seed).program("c" + std::to_string(seed));
}

}  // namespace sinter
