// Constants: scalars, nested braces, tuples of literals, and `{...}`, whose values the text leaves out.
//
// Elements are gathered as they come, so that memory grows with the text and not with the shape it states.

#include <charconv>
#include <cmath>
#include <cstring>

#include "frontend/hlo/parser.h"
#include "ir/text/literal_text.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Error.h"

namespace sinter {

namespace {

void append_bits(uint64_t bits, size_t size, std::vector<std::byte>& bytes) {
  const size_t at = bytes.size();
  bytes.resize(at + size);
  std::memcpy(bytes.data() + at, &bits, size);
}

// A decimal or integer as double, rounded to nearest even; infinite beyond the range.
double read_double(std::string_view text) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc::result_out_of_range) return value;
  llvm::APFloat number(llvm::APFloat::IEEEdouble());
  auto status = number.convertFromString(llvm::StringRef(text), llvm::APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return std::nan("");
  }
  return number.convertToDouble();
}

// The largest finite value of a type without infinity and NaN, whose conversion saturates.
double largest_saturating(DType dtype) { return float_from_bits(dtype, (uint64_t{1} << (dtype_bits(dtype) - 1)) - 1); }

bool is_hexadecimal(const Token& token) { return token.kind == TokenKind::kSizes && token.text.substr(0, 2) == "0x"; }

constexpr std::string_view kNoHexadecimal = "HLO text has no hexadecimal numbers: write it in decimal";

}  // namespace

bool Parser::parse_literal(const Shape& shape, Literal& literal) {
  const NestingGuard guard(*this);
  if (too_deep()) return false;
  if (!shape.is_static()) {
    return fail(token_.loc, "E0111", "a constant needs a static shape, not " + to_string(shape, false));
  }
  if (at(TokenKind::kLeftBrace) && peek().kind == TokenKind::kEllipsis) {
    const Loc loc = token_.loc;
    advance();
    advance();
    if (!expect(TokenKind::kRightBrace, "'}' after '{...'")) return false;
    if (elided_constants_++ == 0) first_elided_ = loc;
    literal = Literal::elided(shape);
    return true;
  }
  if (shape.is_tuple()) return parse_tuple_literal(shape, literal);
  if (shape.kind == Shape::Kind::kToken) {
    if (!at_word("token")) return expected("'token'");
    advance();
    literal = Literal(shape);
    return true;
  }
  if (!shape.is_array()) return fail(token_.loc, "E0111", "there are no constants of shape " + to_string(shape, false));
  if (shape.element_count() == 0) {
    literal = Literal(shape);
    return parse_empty_array(shape);
  }
  std::vector<std::byte> bytes;
  if (!parse_dense(shape, 0, bytes)) return false;
  literal = Literal(shape);
  std::memcpy(literal.mutable_bytes().data(), bytes.data(), bytes.size());
  return true;
}

// "(" literal {"," literal} ")"
bool Parser::parse_tuple_literal(const Shape& shape, Literal& literal) {
  if (!expect(TokenKind::kLeftParen,
              "'(' and the " + std::to_string(shape.elements.size()) + " elements of the tuple")) {
    return false;
  }
  std::vector<Literal> elements;
  for (const Shape& element : shape.elements) {
    if (!elements.empty() && at(TokenKind::kRightParen)) {
      return fail(token_.loc, "E0111",
                  "the constant has " + std::to_string(elements.size()) + " elements, its shape " +
                      to_string(shape, false) + " has " + std::to_string(shape.elements.size()));
    }
    if (!elements.empty() && !expect(TokenKind::kComma, "',' between the elements of the tuple")) return false;
    if (!parse_literal(element, elements.emplace_back())) return false;
  }
  if (at(TokenKind::kComma)) {
    return fail(token_.loc, "E0111",
                "the constant has more than the " + std::to_string(shape.elements.size()) + " elements of its shape " +
                    to_string(shape, false));
  }
  if (!expect(TokenKind::kRightParen, "')' after the last element of the tuple")) return false;
  literal = Literal::tuple(std::move(elements));
  return true;
}

// One level of braces for each dimension; `level` is at most kMaxRank.
bool Parser::parse_dense(const Shape& shape, size_t level, std::vector<std::byte>& bytes) {
  if (level == shape.dims.size()) {
    if (at(TokenKind::kLeftBrace)) {
      return fail(token_.loc, "E0111",
                  "the braces nest deeper than the " + std::to_string(shape.rank()) + " dimensions of " +
                      to_string(shape, false));
    }
    return parse_element(shape.dtype, bytes);
  }
  if (!at(TokenKind::kLeftBrace)) {
    if (at(TokenKind::kInvalid) || at(TokenKind::kEnd)) return expected("'{'");
    if (at(TokenKind::kEllipsis)) {
      return fail(token_.loc, "E0111", "'...' stands for a whole constant only: {...}");
    }
    return fail(token_.loc, "E0111",
                "expected '{': the constant needs " + std::to_string(shape.rank()) + " levels of braces for " +
                    to_string(shape, false) + ", this is level " + std::to_string(level + 1));
  }
  advance();
  const int64_t size = shape.dims[level];
  const auto size_text = [&] {
    return "dimension " + std::to_string(level) + " of " + to_string(shape, false) + " has " + std::to_string(size) +
           (size == 1 ? " element" : " elements");
  };
  for (int64_t i = 0; i < size; ++i) {
    if (at(TokenKind::kRightBrace)) {
      return fail(token_.loc, "E0111", size_text() + ", the constant only " + std::to_string(i) + " here");
    }
    if (i > 0 && !expect(TokenKind::kComma, "',' or '}' in a constant")) return false;
    if (level + 1 < shape.dims.size() || at(TokenKind::kLeftBrace)) {
      if (!parse_dense(shape, level + 1, bytes)) return false;
    } else if (!parse_element(shape.dtype, bytes)) {
      return false;
    }
  }
  if (at(TokenKind::kComma)) return fail(token_.loc, "E0111", size_text() + ", the constant has more here");
  return expect(TokenKind::kRightBrace, "',' or '}' in a constant");
}

// An array without elements: braces and commas, in whatever form.
bool Parser::parse_empty_array(const Shape& shape) {
  int64_t depth = 0;
  do {
    if (at(TokenKind::kLeftBrace)) {
      ++depth;
    } else if (at(TokenKind::kRightBrace) && depth > 0) {
      --depth;
    } else if (!at(TokenKind::kComma) || depth == 0) {
      if (at(TokenKind::kInvalid)) return expected("'{'");
      return fail(token_.loc, "E0111", to_string(shape, false) + " has no elements: write {}");
    }
    advance();
  } while (depth > 0);
  return true;
}

bool Parser::parse_element(DType dtype, std::vector<std::byte>& bytes) {
  uint64_t bits = 0;
  const auto size = static_cast<size_t>(dtype_bytes(dtype));
  switch (dtype_class(dtype)) {
    case DTypeClass::kPredicate:
      if (!parse_pred_bits(bits)) return false;
      break;
    case DTypeClass::kSigned:
    case DTypeClass::kUnsigned:
      if (!parse_integer_bits(dtype, bits)) return false;
      break;
    case DTypeClass::kFloat:
      if (!parse_float_bits(dtype, bits)) return false;
      break;
    case DTypeClass::kComplex: {
      const DType part = dtype == DType::kC64 ? DType::kF32 : DType::kF64;
      if (!expect(TokenKind::kLeftParen, "a complex number (re, im)") || !parse_float_bits(part, bits)) return false;
      append_bits(bits, size / 2, bytes);
      if (!expect(TokenKind::kComma, "',' and the imaginary part") || !parse_float_bits(part, bits)) return false;
      append_bits(bits, size / 2, bytes);
      return expect(TokenKind::kRightParen, "')' after the imaginary part");
    }
  }
  append_bits(bits, size, bytes);
  return true;
}

bool Parser::parse_pred_bits(uint64_t& bits) {
  if (at_word("true") || at_word("false")) {
    bits = token_.text == "true" ? 1 : 0;
  } else if (at(TokenKind::kInteger) && (token_.text == "0" || token_.text == "1")) {
    bits = token_.text == "1" ? 1 : 0;
  } else if (at(TokenKind::kInteger) || at(TokenKind::kDecimal) || at(TokenKind::kSpecial)) {
    return fail(token_.loc, "E0112", "a pred is true, false, 1 or 0, not " + std::string(token_.text));
  } else {
    return expected("true, false, 1 or 0");
  }
  advance();
  return true;
}

bool Parser::parse_integer_bits(DType dtype, uint64_t& bits) {
  const std::string type(dtype_name(dtype));
  if (!at(TokenKind::kInteger)) {
    if (is_hexadecimal(token_)) return fail(token_.loc, "E0112", std::string(kNoHexadecimal));
    if (at(TokenKind::kDecimal) || at(TokenKind::kSpecial) || at(TokenKind::kIdentifier)) {
      return fail(token_.loc, "E0112",
                  "'" + std::string(token_.text.substr(0, 40)) + "' is not an integer, and the constant is " + type);
    }
    return expected("an integer (" + type + ")");
  }
  const bool negative = token_.text[0] == '-';
  const char* begin = token_.text.data() + (negative ? 1 : 0);
  const char* end = token_.text.data() + token_.text.size();
  uint64_t magnitude = 0;
  const bool fits = std::from_chars(begin, end, magnitude).ec == std::errc();
  const int width = dtype_bits(dtype);
  uint64_t largest = width == 64 ? UINT64_MAX : (uint64_t{1} << width) - 1;
  if (is_signed_integer(dtype)) largest = (largest >> 1) + (negative ? 1 : 0);
  if (!is_signed_integer(dtype) && negative) largest = 0;
  if (!fits || magnitude > largest) {
    return fail(token_.loc, "E0103", std::string(token_.text.substr(0, 40)) + " is out of range for " + type);
  }
  // Sub-byte integers take a whole byte, sign-extended.
  bits = negative ? 0 - magnitude : magnitude;
  advance();
  return true;
}

bool Parser::parse_float_bits(DType dtype, uint64_t& bits) {
  if (at(TokenKind::kSpecial) || at_word("inf") || at_word("nan")) return parse_special_float(dtype, bits);
  if (!at(TokenKind::kDecimal) && !at(TokenKind::kInteger)) {
    if (is_hexadecimal(token_)) return fail(token_.loc, "E0112", std::string(kNoHexadecimal));
    if (at_word("true") || at_word("false")) {
      return fail(token_.loc, "E0112",
                  "only pred constants are true or false, and the constant is " + std::string(dtype_name(dtype)));
    }
    if (at(TokenKind::kEllipsis)) return fail(token_.loc, "E0111", "'...' stands for a whole constant only: {...}");
    return expected("a number (" + std::string(dtype_name(dtype)) + ")");
  }
  // The number is rounded to double first and then to the type, as XLA does.
  const double value = read_double(token_.text);
  bits = float_to_bits(dtype, value);
  const bool saturated = dtype_bits(dtype) < 8 && std::abs(value) > largest_saturating(dtype);
  if (saturated || !std::isfinite(float_from_bits(dtype, bits))) {
    return fail(token_.loc, "E0103",
                std::string(token_.text.substr(0, 40)) + " is out of range for " + std::string(dtype_name(dtype)));
  }
  advance();
  return true;
}

// inf, -inf, nan, -nan, nan(0x1), -nan(0x1)
bool Parser::parse_special_float(DType dtype, uint64_t& bits) {
  std::string_view text = token_.text;
  const bool negative = text[0] == '-';
  if (negative) text.remove_prefix(1);
  if (text == "inf") {
    const double infinity = HUGE_VAL;
    bits = float_to_bits(dtype, negative ? -infinity : infinity);
    if (!std::isinf(float_from_bits(dtype, bits))) {
      return fail(token_.loc, "E0112", std::string(dtype_name(dtype)) + " has no infinity");
    }
    advance();
    return true;
  }
  std::optional<uint64_t> payload;
  if (text.size() > 3) {
    const std::string_view digits = text.substr(6, text.size() - 7);
    uint64_t number = 0;
    const bool fits = std::from_chars(digits.data(), digits.data() + digits.size(), number, 16).ec == std::errc();
    payload = fits ? number : 0;
  }
  const std::optional<uint64_t> nan = nan_bits(dtype, negative, payload);
  if (!nan) {
    const std::string type(dtype_name(dtype));
    return fail(token_.loc, "E0112", payload ? type + " has no NaN with this payload" : type + " has no NaN");
  }
  bits = *nan;
  advance();
  return true;
}

}  // namespace sinter
