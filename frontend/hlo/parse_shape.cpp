// Shapes and layouts.
//
//   shape  := dtype "[" dims "]" [layout] | "token[]" | "opaque[]" | "(" [shape {"," shape}] ")" | "b(" shape ")"
//   dim    := integer | "<=" integer | "?"
//   layout := "{" [integer {"," integer}] [":" properties] "}"

#include "frontend/hlo/parser.h"
#include "ir/support/nearest_word.h"

namespace sinter {

namespace {

std::vector<std::string_view> dtype_names() {
  return {
#define DTYPE(enumerator, hlo_name, dtype_class, bits, cuda) hlo_name,
#include "ir/values/dtype.def"
#undef DTYPE
  };
}

// Bytes of the array as if its zero-sized dimensions had size one, so that strides fit as well; nullopt where that
// is over kMaxBytes.
std::optional<int64_t> bounded_bytes(const Shape& shape) {
  int64_t bytes = dtype_bytes(shape.dtype);
  for (const int64_t dim : shape.dims) {
    if (dim == Shape::kUnbounded || dim == 0) continue;
    if (__builtin_mul_overflow(bytes, dim, &bytes) || bytes > kMaxBytes) return std::nullopt;
  }
  return bytes;
}

}  // namespace

// A name could be spelt like an element type, but only a shape goes on with a bracket.
bool Parser::at_shape() {
  if (at(TokenKind::kLeftParen)) return true;
  if (!at(TokenKind::kIdentifier)) return false;
  const TokenKind next = peek().kind;
  return next == TokenKind::kLeftBracket || (token_.text == "b" && next == TokenKind::kLeftParen);
}

bool Parser::parse_shape(Shape& shape) {
  const NestingGuard guard(*this);
  if (too_deep()) return false;
  shape = Shape();
  const Token first = token_;
  if (accept(TokenKind::kLeftParen)) {
    shape.kind = Shape::Kind::kTuple;
    int64_t bytes = 0;
    while (!at(TokenKind::kRightParen)) {
      if (!shape.elements.empty() && !expect(TokenKind::kComma, "',' or ')' in a tuple shape")) return false;
      if (!parse_shape(shape.elements.emplace_back())) return false;
      const int64_t element = shape.elements.back().is_static() ? shape.elements.back().bytes() : 0;
      if (element > kMaxBytes || (bytes += element) > kMaxBytes) {
        return fail(first.loc, "E0120", "the elements of this tuple take more than 2^46 bytes");
      }
    }
    advance();
    return true;
  }
  if (!at(TokenKind::kIdentifier)) return expected("a shape, such as f32[2,3]");
  advance();
  if (first.text == "b" && at(TokenKind::kLeftParen)) {
    advance();
    shape.kind = Shape::Kind::kBuffer;
    return parse_shape(shape.elements.emplace_back()) && expect(TokenKind::kRightParen, "')'");
  }
  if (first.text == "token" || first.text == "opaque") {
    shape.kind = first.text == "token" ? Shape::Kind::kToken : Shape::Kind::kOpaque;
    return expect(TokenKind::kLeftBracket, "'['") && expect(TokenKind::kRightBracket, "']'") && parse_layout(shape);
  }
  const std::optional<DType> dtype = dtype_from_name(first.text);
  if (!dtype) {
    const std::string nearest = nearest_word(first.text, dtype_names());
    return fail(first.loc, "E0106", "unknown element type '" + std::string(first.text) + "'",
                nearest.empty() ? "" : "did you mean " + nearest + "?");
  }
  shape.dtype = *dtype;
  if (!parse_array_dims(shape)) return false;
  if (!bounded_bytes(shape)) {
    return fail(first.loc, "E0120", to_string(shape, false) + " takes more than 2^46 bytes");
  }
  return parse_layout(shape);
}

bool Parser::parse_array_dims(Shape& shape) {
  if (!expect(TokenKind::kLeftBracket, "'[' and the dimensions")) return false;
  bool any_dynamic = false;
  while (!at(TokenKind::kRightBracket)) {
    if (!shape.dims.empty() && !expect(TokenKind::kComma, "',' or ']'")) return false;
    if (shape.dims.size() == kMaxRank) {
      return fail(token_.loc, "E0119", "an array has at most " + std::to_string(kMaxRank) + " dimensions");
    }
    const Token dim = token_;
    int64_t size = Shape::kUnbounded;
    bool dynamic = true;
    if (!accept(TokenKind::kQuestion)) {
      dynamic = accept(TokenKind::kLessEqual);
      if (!parse_integer(size, "the size of a dimension")) return false;
      if (size < 0) return fail(dim.loc, "E0103", "a dimension cannot be negative");
    }
    shape.dims.push_back(size);
    shape.dynamic.push_back(dynamic);
    any_dynamic = any_dynamic || dynamic;
  }
  if (!any_dynamic) shape.dynamic.clear();
  advance();
  return true;
}

// '{' begins a layout only before an integer, ':' or an adjacent '}': after a shape it can also begin a body.
bool Parser::parse_layout(Shape& shape) {
  if (!at(TokenKind::kLeftBrace)) return true;
  const Token open = token_;
  const Token next = peek();
  const bool empty = next.kind == TokenKind::kRightBrace && next.loc.offset == open.loc.offset + 1;
  if (next.kind != TokenKind::kInteger && next.kind != TokenKind::kColon && !empty) return true;
  if (empty && lexer_.first_on_line(open.loc.offset)) return true;
  advance();
  Layout layout;
  while (at(TokenKind::kInteger)) {
    if (!parse_integer(layout.minor_to_major.emplace_back(), "a dimension number")) return false;
    if (!accept(TokenKind::kComma)) break;
  }
  if (at(TokenKind::kColon)) {
    // The properties are kept as written, up to the brace that closes the layout.
    const std::string_view text = diagnostics_.source().text;
    const size_t begin = token_.loc.offset + 1;
    size_t end = begin;
    for (size_t depth = 1; end < text.size(); ++end) {
      if (text[end] == '{') ++depth;
      if (text[end] == '}' && --depth == 0) break;
    }
    layout.properties = text.substr(begin, end - begin);
    lexer_.seek(end);
    advance();
  }
  if (!expect(TokenKind::kRightBrace, "'}' to close the layout")) return false;

  std::vector<bool> seen(shape.dims.size());
  bool permutation = layout.minor_to_major.size() == shape.dims.size();
  for (const int64_t dim : layout.minor_to_major) {
    permutation = permutation && dim >= 0 && dim < shape.rank() && !seen[static_cast<size_t>(dim)];
    if (permutation) seen[static_cast<size_t>(dim)] = true;
  }
  // A layout without an order (`{:S(5)}`) means the row-major one.
  if (layout.minor_to_major.empty() && !shape.dims.empty()) {
    layout.minor_to_major = minor_to_major(shape);
  } else if (!permutation) {
    return fail(open.loc, "E0126", "the layout does not list each dimension of " + to_string(shape, false) + " once");
  }
  if (!shape.dims.empty() || !layout.properties.empty()) shape.layout = std::move(layout);
  return true;
}

}  // namespace sinter
