// Literals: storage with copy on write, and access to single elements.
#include "ir/values/literal.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "ir/support/diagnostics.h"

namespace sinter {
namespace {

// The bit pattern of element `index`, zero-extended.
uint64_t load_bits(const Literal& literal, int64_t index) {
  const size_t size = static_cast<size_t>(dtype_bytes(literal.shape().dtype));
  uint64_t bits = 0;
  std::memcpy(&bits, literal.bytes().data() + static_cast<size_t>(index) * size, size);
  return bits;
}

void store_bits(Literal& literal, int64_t index, uint64_t bits) {
  const size_t size = static_cast<size_t>(dtype_bytes(literal.shape().dtype));
  std::memcpy(literal.mutable_bytes().data() + static_cast<size_t>(index) * size, &bits, size);
}

// The low `width` bits, sign- or zero-extended: sub-byte integers are stored so, one to a byte.
int64_t extend(uint64_t bits, DType dtype) {
  const int width = dtype_bits(dtype);
  if (width == 64) return static_cast<int64_t>(bits);
  const uint64_t mask = (uint64_t{1} << width) - 1;
  if (!is_signed_integer(dtype)) return static_cast<int64_t>(bits & mask);
  const uint64_t sign = uint64_t{1} << (width - 1);
  return static_cast<int64_t>(((bits & mask) ^ sign) - sign);
}

// What convert does with a real number: toward zero, saturating, NaN gives 0.
int64_t truncate_to_integer(DType dtype, double value) {
  if (std::isnan(value)) return 0;
  const int width = dtype_bits(dtype);
  if (!is_signed_integer(dtype)) {
    if (value <= 0) return 0;
    if (value >= std::ldexp(1.0, width)) return extend(UINT64_MAX, dtype);
    return static_cast<int64_t>(static_cast<uint64_t>(value));
  }
  const double limit = std::ldexp(1.0, width - 1);
  const int64_t largest = static_cast<int64_t>((uint64_t{1} << (width - 1)) - 1);
  if (value >= limit) return largest;
  if (value <= -limit) return -largest - 1;
  return static_cast<int64_t>(value);
}

// An integer of up to 64 bits rounded to odd in the 53 bits of a double: exact enough that rounding the result
// once more, to a format of at most 51 bits, gives what rounding the integer directly would.
double round_to_odd(int64_t value) {
  const uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  const int excess = std::max(0, 64 - std::countl_zero(magnitude) - 53);
  const uint64_t dropped = magnitude & ((uint64_t{1} << excess) - 1);
  const uint64_t kept = (magnitude >> excess) | (dropped != 0 ? 1 : 0);
  const double result = std::ldexp(static_cast<double>(kept), excess);
  return value < 0 ? -result : result;
}

}  // namespace

Literal::Literal(Shape shape) : state_(std::make_shared<State>()) {
  if (shape.is_tuple()) {
    for (const Shape& element : shape.elements) state_->elements.emplace_back(element);
  } else if (shape.is_array()) {
    const int64_t bytes = shape.bytes();
    check(bytes <= kMaxBytes, "literal", "a literal larger than kMaxBytes: " + to_string(shape));
    state_->data = std::make_shared<std::vector<std::byte>>(static_cast<size_t>(bytes));
  }
  state_->shape = std::move(shape);
}

Literal::State& Literal::own() {
  if (!state_) {
    state_ = std::make_shared<State>();
  } else if (state_.use_count() > 1) {
    state_ = std::make_shared<State>(*state_);
  }
  return *state_;
}

const Shape& Literal::shape() const {
  static const Shape none;
  return state_ ? state_->shape : none;
}

const std::vector<Literal>& Literal::elements() const {
  static const std::vector<Literal> none;
  return state_ ? state_->elements : none;
}

Literal Literal::tuple(std::vector<Literal> elements) {
  Literal result;
  std::vector<Shape> shapes;
  for (const Literal& element : elements) shapes.push_back(element.shape());
  State& state = result.own();
  state.shape = Shape::tuple(std::move(shapes));
  state.elements = std::move(elements);
  return result;
}

Literal Literal::elided(Shape shape) {
  Literal result;
  State& state = result.own();
  state.shape = std::move(shape);
  state.elided = true;
  return result;
}

std::span<const std::byte> Literal::bytes() const {
  if (!state_ || !state_->data) return {};
  return {state_->data->data(), state_->data->size()};
}

std::span<std::byte> Literal::mutable_bytes() {
  if (!state_ || !state_->data) return {};
  std::shared_ptr<std::vector<std::byte>>& data = own().data;
  if (data.use_count() > 1) data = std::make_shared<std::vector<std::byte>>(*data);
  return {data->data(), data->size()};
}

double Literal::real_at(int64_t index) const {
  const DType dtype = shape().dtype;
  if (is_float(dtype)) return float_from_bits(dtype, load_bits(*this, index));
  const int64_t value = integer_at(index);
  if (dtype == DType::kU64) return static_cast<double>(static_cast<uint64_t>(value));
  return static_cast<double>(value);
}

int64_t Literal::integer_at(int64_t index) const {
  const DType dtype = shape().dtype;
  check(is_integer(dtype) || dtype == DType::kPred, "literal", "integer_at of " + to_string(shape()));
  return extend(load_bits(*this, index), dtype);
}

void Literal::set_real(int64_t index, double value) {
  const DType dtype = shape().dtype;
  check(!is_complex(dtype), "literal", "set_real of " + to_string(shape()));
  if (is_float(dtype)) {
    store_bits(*this, index, float_to_bits(dtype, value));
  } else if (dtype == DType::kPred) {
    store_bits(*this, index, value != 0 ? 1 : 0);
  } else {
    store_bits(*this, index, static_cast<uint64_t>(truncate_to_integer(dtype, value)));
  }
}

void Literal::set_integer(int64_t index, int64_t value) {
  const DType dtype = shape().dtype;
  check(!is_complex(dtype), "literal", "set_integer of " + to_string(shape()));
  if (dtype == DType::kF64) {
    store_bits(*this, index, float_to_bits(dtype, static_cast<double>(value)));
  } else if (is_float(dtype)) {
    store_bits(*this, index, float_to_bits(dtype, round_to_odd(value)));
  } else if (dtype == DType::kPred) {
    store_bits(*this, index, value != 0 ? 1 : 0);
  } else {
    store_bits(*this, index, static_cast<uint64_t>(extend(static_cast<uint64_t>(value), dtype)));
  }
}

bool Literal::same_value(const Literal& other) const {
  if (!shape().same_type(other.shape()) || is_elided() || other.is_elided()) return false;
  const std::span<const std::byte> mine = bytes();
  const std::span<const std::byte> theirs = other.bytes();
  return std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end()) &&
         std::equal(elements().begin(), elements().end(), other.elements().begin(), other.elements().end(),
                    [](const Literal& a, const Literal& b) { return a.same_value(b); });
}

bool Literal::is_splat() const {
  if (is_elided() || !shape().is_array() || element_count() == 0) return false;
  const size_t size = static_cast<size_t>(dtype_bytes(shape().dtype));
  const std::span<const std::byte> raw = bytes();
  // All elements are equal exactly when the data equals itself shifted by one element.
  return std::memcmp(raw.data(), raw.data() + size, raw.size() - size) == 0;
}

Literal real_literal(DType dtype, double value) {
  Literal result(Shape::scalar(dtype));
  if (dtype == DType::kC64) {
    result.mutable_values<float>()[0] = static_cast<float>(value);
  } else if (dtype == DType::kC128) {
    result.mutable_values<double>()[0] = value;
  } else {
    result.set_real(0, value);
  }
  return result;
}

Literal integer_literal(DType dtype, int64_t value) {
  if (is_complex(dtype)) return real_literal(dtype, static_cast<double>(value));
  Literal result(Shape::scalar(dtype));
  result.set_integer(0, value);
  return result;
}

}  // namespace sinter
