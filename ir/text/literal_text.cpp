// Literals as HLO text: floats with the fewest digits that read back as the same bits, NaN payloads, nested braces.

#include "ir/text/literal_text.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "ir/support/diagnostics.h"
#include "ir/values/literal.h"

namespace sinter {

namespace {

// Text of to_chars, made a float: "-0" would read as an integer, and so would digits beyond 64 bits.
void append_decimal(double value, const char* begin, const char* end, std::string& out) {
  const std::string_view text(begin, static_cast<size_t>(end - begin));
  if (value == 0 && std::signbit(value)) {
    out += "-0.0";
  } else if (std::abs(value) >= 0x1p63 && text.find_first_of(".e") == std::string_view::npos) {
    char buffer[40];
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr);
  } else {
    out += text;
  }
}

// True for the finite value of the greatest magnitude: more would round to it, but is out of range.
bool is_largest(DType dtype, uint64_t bits) {
  const uint64_t magnitude = bits & ((uint64_t{1} << (dtype_bits(dtype) - 1)) - 1);
  const uint64_t next = magnitude + 1;
  return next >> (dtype_bits(dtype) - 1) != 0 || !std::isfinite(float_from_bits(dtype, next));
}

double parse_double(const char* begin, const char* end) {
  double value = 0;
  std::from_chars(begin, end, value);
  return value;
}

void append_float(DType dtype, uint64_t bits, std::string& out) {
  const uint64_t sign = uint64_t{1} << (dtype_bits(dtype) - 1);
  if (is_nan_bits(dtype, bits)) {
    const bool negative = nan_bits(dtype, true, std::nullopt) != nan_bits(dtype, false, std::nullopt) && (bits & sign);
    out += negative ? "-nan" : "nan";
    const NanFields fields = nan_fields(dtype);
    if (fields.mantissa_bits > 0 && bits != nan_bits(dtype, negative, std::nullopt)) {
      char buffer[24];
      const uint64_t payload = bits & ((uint64_t{1} << fields.mantissa_bits) - 1);
      out += "(0x";
      out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, payload, 16).ptr);
      out += ')';
    }
    return;
  }
  const double value = float_from_bits(dtype, bits);
  if (std::isinf(value)) {
    out += value < 0 ? "-inf" : "inf";
    return;
  }
  char buffer[40];
  char* const limit = buffer + sizeof buffer;
  char* end = nullptr;
  if (dtype == DType::kF64) {
    end = std::to_chars(buffer, limit, value).ptr;
  } else if (dtype == DType::kF32) {
    // The reader rounds twice, to double and then to float: in rare cases that takes one more digit.
    const float narrow = static_cast<float>(value);
    end = std::to_chars(buffer, limit, narrow).ptr;
    if (static_cast<float>(parse_double(buffer, end)) != narrow) end = std::to_chars(buffer, limit, value).ptr;
  } else {
    for (int digits = 1; digits <= 17; ++digits) {
      end = std::to_chars(buffer, limit, value, std::chars_format::scientific, digits - 1).ptr;
      const double read = parse_double(buffer, end);
      if (float_to_bits(dtype, read) != bits || (is_largest(dtype, bits) && std::abs(read) > std::abs(value))) continue;
      end = std::to_chars(buffer, limit, read).ptr;
      break;
    }
  }
  append_decimal(value, buffer, end, out);
}

class LiteralPrinter {
 public:
  explicit LiteralPrinter(std::string& out) : out_(out) {}

  void print(const Literal& literal) {
    const Shape& shape = literal.shape();
    if (literal.is_elided()) {
      out_ += "{...}";
    } else if (shape.is_tuple()) {
      out_ += literal.elements().empty() ? "(" : "( ";
      for (size_t i = 0; i < literal.elements().size(); ++i) {
        if (i > 0) out_ += ", ";
        print(literal.elements()[i]);
      }
      out_ += literal.elements().empty() ? ")" : " )";
    } else if (!shape.is_array()) {
      out_ += "token";
    } else if (shape.element_count() == 0 && empty_rows(shape) > kMaxEmptyRows) {
      out_ += "{}";
    } else {
      data_ = literal.bytes().data();
      print_dimension(shape, 0);
    }
  }

 private:
  // XLA wants the braces of empty rows, `{ {}, {}, {} }` for f32[3,0]; but there may be any number of them.
  static constexpr int64_t kMaxEmptyRows = 1000;
  static int64_t empty_rows(const Shape& shape) {
    int64_t rows = 1;
    for (const int64_t dim : shape.dims) {
      if (dim == 0 || rows > kMaxEmptyRows) break;
      rows = dim > kMaxEmptyRows ? dim : rows * dim;
    }
    return rows;
  }

  void print_dimension(const Shape& shape, size_t level) {
    if (level == shape.dims.size()) {
      print_element(shape);
      return;
    }
    const bool innermost = level + 1 == shape.dims.size();
    // `{1, 2}` alone, but `{ { 1, 2 }, { 3, 4 } }`.
    const int64_t size = shape.dims[level];
    const bool blanks = size > 0 && shape.dims.size() > 1 && !(innermost && size == 1);
    out_ += blanks ? "{ " : "{";
    for (int64_t i = 0; i < shape.dims[level]; ++i) {
      if (i > 0) out_ += ", ";
      print_dimension(shape, level + 1);
    }
    out_ += blanks ? " }" : "}";
  }

  void print_element(const Shape& shape) {
    const int size = dtype_bytes(shape.dtype);
    if (is_complex(shape.dtype)) {
      const DType part = shape.dtype == DType::kC64 ? DType::kF32 : DType::kF64;
      out_ += '(';
      append_float(part, next_bits(size / 2), out_);
      out_ += ", ";
      append_float(part, next_bits(size / 2), out_);
      out_ += ')';
      return;
    }
    const uint64_t bits = next_bits(size);
    if (shape.dtype == DType::kPred) {
      out_ += shape.is_scalar() ? (bits != 0 ? "true" : "false") : (bits != 0 ? "1" : "0");
    } else if (is_float(shape.dtype)) {
      append_float(shape.dtype, bits, out_);
    } else if (is_signed_integer(shape.dtype)) {
      const int unused = 64 - dtype_bits(shape.dtype);
      append_integer(static_cast<int64_t>(bits << unused) >> unused);
    } else {
      const int unused = 64 - dtype_bits(shape.dtype);
      append_integer(bits << unused >> unused);
    }
  }

  template <class Integer>
  void append_integer(Integer value) {
    char buffer[24];
    out_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  }

  uint64_t next_bits(int size) {
    static_assert(std::endian::native == std::endian::little, "elements are loaded into the low bytes");
    uint64_t bits = 0;
    std::memcpy(&bits, data_, static_cast<size_t>(size));
    data_ += size;
    return bits;
  }

  std::string& out_;
  const std::byte* data_ = nullptr;  // the next element
};

}  // namespace

NanFields nan_fields(DType dtype) {
  switch (dtype) {
    case DType::kF64:
      return {11, 52};
    case DType::kF32:
      return {8, 23};
    case DType::kBF16:
      return {8, 7};
    case DType::kF16:
      return {5, 10};
    case DType::kF8E5M2:
      return {5, 2};
    case DType::kF8E4M3:
      return {4, 3};
    case DType::kF8E3M4:
      return {3, 4};
    default:
      return {};
  }
}

std::optional<uint64_t> nan_bits(DType dtype, bool negative, std::optional<uint64_t> payload) {
  const NanFields fields = nan_fields(dtype);
  if (fields.mantissa_bits == 0) {
    if (payload) return std::nullopt;
    switch (dtype) {
      case DType::kF8E4M3FN:
        return negative ? 0xff : 0x7f;
      case DType::kF8E4M3FNUZ:
      case DType::kF8E4M3B11FNUZ:
      case DType::kF8E5M2FNUZ:
        return 0x80;
      case DType::kF8E8M0FNU:
        return 0xff;
      default:
        return std::nullopt;
    }
  }
  const uint64_t mantissa = payload.value_or(uint64_t{1} << (fields.mantissa_bits - 1));
  if (mantissa == 0 || mantissa >> fields.mantissa_bits != 0) return std::nullopt;
  const uint64_t exponent = ((uint64_t{1} << fields.exponent_bits) - 1) << fields.mantissa_bits;
  return uint64_t{negative} << (fields.exponent_bits + fields.mantissa_bits) | exponent | mantissa;
}

bool is_nan_bits(DType dtype, uint64_t bits) {
  const NanFields fields = nan_fields(dtype);
  if (fields.mantissa_bits == 0) {
    return bits == nan_bits(dtype, false, std::nullopt) || bits == nan_bits(dtype, true, std::nullopt);
  }
  const uint64_t magnitude = bits & ((uint64_t{1} << (fields.exponent_bits + fields.mantissa_bits)) - 1);
  return magnitude > ((uint64_t{1} << fields.exponent_bits) - 1) << fields.mantissa_bits;
}

std::string to_string(const Literal& literal) {
  std::string out;
  LiteralPrinter(out).print(literal);
  return out;
}

}  // namespace sinter
