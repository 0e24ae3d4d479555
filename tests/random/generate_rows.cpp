// Random row graphs: an array of rows, reductions over its columns in chains and side by side, elementwise arithmetic
// of elements and of row values between them, and results of both kinds.
#include <algorithm>
#include <cmath>

#include "tests/random/generate.h"

namespace sinter {

namespace {

class RowGenerator {
 public:
  RowGenerator(uint64_t seed, bool exact) : random_(seed), scribe_(text_, random_, exact) {
    program_.name = "rows_" + std::to_string(seed);
    program_.exact = exact;
  }

  RandomProgram run();

 private:
  Value parameter(DType dtype, const Dims& dims);
  Value element_parameter();
  Value spread(const Value& value);
  Value mask();
  Value shifted(const Value& value);
  Value softmax(const Value& value);
  void element_step();
  void row_step();
  void reduction();
  const Value& late(const std::vector<Value>& pool);
  Value narrowed(const Value& value);

  Random random_;
  HloText text_;
  Scribe scribe_;
  RandomProgram program_;
  Dims rows_, columns_, whole_;
  std::vector<int64_t> column_positions_;  // in whole_
  std::vector<Value> elements_, row_values_;
};

Value RowGenerator::parameter(DType dtype, const Dims& dims) {
  RandomInput input;
  input.dtype = dtype;
  for (const Dim& dim : dims) input.dims.push_back(dim.size);
  input.magnitude = is_float(dtype) ? (program_.exact ? 4 : 3) : 40;
  Value like;
  like.magnitude = input.magnitude;
  program_.inputs.push_back(input);
  return scribe_.add("x", "parameter(" + std::to_string(program_.inputs.size() - 1) + ")", dtype, dims, like);
}

Value RowGenerator::element_parameter() {
  return scribe_.convert(parameter(random_.chance(30) ? DType::kBF16 : DType::kF32, whole_), DType::kF32);
}

// A row value, or a value of each column, as elements.
Value RowGenerator::spread(const Value& value) {
  if (value.dims == whole_) return value;
  std::vector<int64_t> mapping;
  const bool of_rows = value.dims == rows_;
  for (size_t d = 0; d < whole_.size(); ++d) {
    const bool column = d >= rows_.size();
    if (column != of_rows) mapping.push_back(static_cast<int64_t>(d));
  }
  return scribe_.broadcast(value, whole_, mapping);
}

// Which columns count: by their number, or by a length of each row.
Value RowGenerator::mask() {
  Value like;
  const std::string dim = std::to_string(whole_.size() - 1);
  const Value column = scribe_.add("iota", "iota(), iota_dimension=" + dim, DType::kS32, whole_, like);
  const Value limit = random_.chance(50)
                          ? spread(parameter(DType::kS32, rows_))
                          : scribe_.filled(DType::kS32, static_cast<double>(random_.between(1, 30)), whole_);
  return scribe_.compare(column, limit);
}

// The neighbouring column's element; zero at the edge.
Value RowGenerator::shifted(const Value& value) {
  const size_t dim = whole_.size() - 1;
  const int64_t size = whole_[dim].size, by = random_.between(1, std::clamp<int64_t>(size - 1, 1, 3));
  if (random_.chance(50)) return scribe_.pad(scribe_.slice(value, dim, by, size), dim, 0, by, 0);
  if (random_.chance(50)) return scribe_.pad(scribe_.slice(value, dim, 0, size - by), dim, by, 0, 0);
  return scribe_.concatenate(scribe_.slice(value, dim, by, size), scribe_.slice(value, dim, 0, by), dim);
}

const Value& RowGenerator::late(const std::vector<Value>& pool) {
  const int64_t count = static_cast<int64_t>(pool.size());
  const int64_t window = random_.chance(70) ? std::min<int64_t>(count, 3) : count;
  return pool[static_cast<size_t>(count - 1 - random_.below(window))];
}

void RowGenerator::element_step() {
  const Value a = late(elements_);
  switch (random_.below(12)) {
    case 0:
    case 1:
    case 2:
      elements_.push_back(scribe_.unary(a));
      break;
    case 3:
    case 4:
      elements_.push_back(scribe_.binary(a, late(elements_)));
      break;
    case 5:
    case 6:
    case 7:
      if (row_values_.empty()) {
        elements_.push_back(scribe_.unary(a));
      } else {
        const Value of_row = spread(late(row_values_));
        elements_.push_back(random_.chance(60) ? scribe_.binary(a, of_row) : scribe_.binary(of_row, a));
      }
      break;
    case 8:
      elements_.push_back(scribe_.binary(a, spread(parameter(DType::kF32, columns_))));
      break;
    case 9:
      elements_.push_back(scribe_.select(mask(), a, scribe_.filled(DType::kF32, random_.between(-2, 2), whole_)));
      break;
    case 10:
      elements_.push_back(shifted(a));
      break;
    default:
      elements_.push_back(scribe_.reverse(a, whole_.size() - 1));
      break;
  }
}

void RowGenerator::row_step() {
  if (row_values_.empty()) return;
  const Value a = late(row_values_);
  switch (random_.below(3)) {
    case 0:
      row_values_.push_back(scribe_.unary(a));
      break;
    case 1:
      row_values_.push_back(scribe_.binary(a, late(row_values_)));
      break;
    default:
      row_values_.push_back(scribe_.binary(a, parameter(DType::kF32, rows_)));
      break;
  }
}

void RowGenerator::reduction() {
  const Value& value = late(elements_);
  if (random_.chance(10)) {
    // How many columns count.
    const Value ones = scribe_.convert(mask(), DType::kS32);
    Value count = scribe_.reduce(ones, "add", column_positions_);
    count = scribe_.convert(count, DType::kF32);
    count.magnitude = 3000;
    row_values_.push_back(scribe_.tame(count));
    return;
  }
  static const std::vector<std::string> kOpcodes = {"add", "add", "add", "maximum", "maximum", "minimum"};
  row_values_.push_back(scribe_.reduce(value, random_.pick(kOpcodes), column_positions_));
}

// exp(x - max) / sum(exp(x - max)): two reductions in a chain.
Value RowGenerator::softmax(const Value& value) {
  const Value maximum = spread(scribe_.reduce(value, "maximum", column_positions_));
  Value like = value;
  like.magnitude = 2 * value.magnitude;
  like.error = 2 * value.error + 1e-7 * value.magnitude;
  const Value shift =
      scribe_.add("subtract", "subtract(" + value.name + ", " + maximum.name + ")", DType::kF32, whole_, like);
  like.magnitude = 1;
  like.exact = false;
  const Value powers = scribe_.add("exponential", "exponential(" + shift.name + ")", DType::kF32, whole_, like);
  const Value zero = scribe_.scalar(DType::kF32, 0);
  std::string dims;
  for (const int64_t d : column_positions_) dims += (dims.empty() ? "" : ",") + std::to_string(d);
  const Value total = scribe_.add("reduce",
                                  "reduce(" + powers.name + ", " + zero.name + "), dimensions={" + dims +
                                      "}, to_apply=" + text_.combiner("add", DType::kF32),
                                  DType::kF32, rows_, like);
  // The quotient's relative error is twice that of a power and that of the sum's rounding.
  like.error = 2 * like.error + 1e-6;
  const Value below = spread(total);
  return scribe_.add("divide", "divide(" + powers.name + ", " + below.name + ")", DType::kF32, whole_, like);
}

Value RowGenerator::narrowed(const Value& value) {
  if (!random_.chance(25)) return value;
  return scribe_.convert(program_.exact && value.magnitude > 256 ? scribe_.clamp(value, 64) : value, DType::kBF16);
}

RandomProgram RowGenerator::run() {
  rows_ = {{random_.between(1, 70), DimKind::kFirst}};
  if (random_.chance(30)) rows_ = {{random_.between(1, 5), DimKind::kFirst}, {random_.between(2, 12), DimKind::kFirst}};
  static const std::vector<int64_t> kRound = {32, 64, 100, 128, 256, 1000, 1024};
  columns_ = {{random_.chance(40)   ? random_.pick(kRound)
               : random_.chance(70) ? random_.between(17, 300)
                                    : random_.between(300, 3000),
               DimKind::kSecond}};
  if (random_.chance(20)) columns_ = {{random_.between(2, 16), DimKind::kSecond}};
  if (random_.chance(10))
    columns_ = {{random_.between(3, 9), DimKind::kSecond}, {random_.between(8, 40), DimKind::kSecond}};
  whole_ = rows_;
  whole_.insert(whole_.end(), columns_.begin(), columns_.end());
  for (size_t d = rows_.size(); d < whole_.size(); ++d) column_positions_.push_back(static_cast<int64_t>(d));

  text_.open("main", true);
  elements_.push_back(element_parameter());
  if (random_.chance(40)) elements_.push_back(element_parameter());
  int64_t reductions = random_.between(1, 6);
  while (reductions > 0) {
    for (int64_t i = random_.below(4); i > 0; --i) element_step();
    for (int64_t i = random_.below(2); i > 0; --i) row_step();
    if (!program_.exact && reductions >= 2 && random_.chance(25)) {
      elements_.push_back(softmax(late(elements_)));
      reductions -= 2;
    } else {
      reduction();
      --reductions;
    }
  }
  for (int64_t i = random_.below(3); i > 0; --i) row_step();
  if (!row_values_.empty()) elements_.push_back(scribe_.binary(late(elements_), spread(row_values_.back())));
  for (int64_t i = random_.below(3); i > 0; --i) element_step();

  std::vector<Value> outputs;
  const bool rows_only = !row_values_.empty() && random_.chance(20);
  if (!rows_only) {
    outputs.push_back(narrowed(elements_.back()));
    for (int64_t i = random_.below(5) / 2; i > 0; --i) outputs.push_back(narrowed(late(elements_)));
  }
  if (!row_values_.empty() && (rows_only || random_.chance(40))) {
    outputs.push_back(narrowed(row_values_.back()));
    if (random_.chance(30)) outputs.push_back(narrowed(late(row_values_)));
  }
  std::string types, names;
  for (const Value& value : outputs) {
    types += (types.empty() ? "" : ", ") + shape_text(value);
    names += (names.empty() ? "" : ", ") + value.name;
    if (value.dtype == DType::kF32) program_.tolerance = std::max(program_.tolerance, value.error);
  }
  text_.line("tuple", "(" + types + ") tuple(" + names + ")", true);
  text_.close();
  program_.text = text_.module(program_.name);
  return std::move(program_);
}

}  // namespace

RandomProgram generate_rows(uint64_t seed, bool exact) { return RowGenerator(seed, exact).run(); }

}  // namespace sinter
