// The writer of a random contraction's text. Internal to contraction_text.cpp, which has the types and the dots,
// convolution_text.cpp, operand_text.cpp, what stands before a product, and result_text.cpp, what stands after it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/values/dtype.h"
#include "tests/random/random.h"
#include "tests/stages/contractions/contraction_text.h"

namespace sinter {

class ContractionWriter {
 public:
  explicit ContractionWriter(uint64_t seed) : random_(seed) {}

  RandomContraction program(const std::string& name);

 private:
  using Dims = std::vector<int64_t>;

  bool one_in(int64_t n) { return random_.below(n) == 0; }
  int64_t between(int64_t low, int64_t high) { return random_.between(low, high); }
  size_t below(size_t count) { return static_cast<size_t>(random_.below(static_cast<int64_t>(count))); }
  std::vector<size_t> shuffled(size_t count);
  // None, one, a few, a prime, or a multiple of 16 bytes.
  int64_t extent();

  static std::string list(const Dims& numbers);  // "{0,1}"
  static int64_t product(const Dims& dims);

  void line(const std::string& name, DType dtype, const Dims& dims, const std::string& value);
  std::string parameter(const std::string& name, DType dtype, const Dims& dims);
  std::string fresh(const std::string& base) { return base + "_" + std::to_string(names_++); }
  std::string scalar(DType dtype, const std::string& number, const Dims& dims);

  void draw_types();
  // An array of these dims: a parameter, or what is made of one. `magnitude` is multiplied by how much larger than one
  // its elements may be.
  std::string operand(const std::string& name, DType dtype, const Dims& dims, double* magnitude);
  void dot();
  // Another product of the same left operand: with a right one of the dims of the first, or of other free dims.
  struct Dot {
    std::string lhs, attributes;
    Dims lhs_dims, rhs, result;
    std::vector<size_t> free;  // where dims of the right operand are that the result has last, in order
  };
  void second_product(Dot dot);
  // Several that differ in the operand `side`, which is made as the first was when numbers were drawn from `drawn`.
  void gated_products(const Dot& dot, const std::string& other, size_t side, const Random& drawn);
  void convolution();
  // Characters in any order, and the sizes they stand for in that order.
  std::string labels(const std::string& characters, const Dims& sizes, Dims* dims);
  // Of so many terms, each at most `magnitude`: products of TF32 within 2^-21 of them, and a rounding for each.
  void set_bound(double magnitude, double terms);

  // A value of the program, as what follows is made of it.
  struct Value {
    std::string name;
    DType dtype = DType::kF32;
    Dims dims;
  };
  // What is made of the products, the last of which is the result.
  void results();
  Value follow(const Value& value);
  Value elementwise(const Value& value);
  Value reduce(const Value& value);
  // Parts of rows, of each of which a result has an element: gates. `value` where its rows have none.
  Value in_parts(const Value& value);

  Random random_;
  DType operand_[2] = {DType::kF32, DType::kF32}, result_ = DType::kF32;
  bool special_ = false, rounds_ = false;
  bool parts_ = false;  // results are made of parts of rows
  bool gated_ = false;  // results are made of several products of one left operand
  double bound_ = 0;
  std::string text_, combiner_;
  std::vector<Value> products_;
  int parameters_ = 0, names_ = 0, multiplications_ = 0;
};

}  // namespace sinter
