// Attribute values with a form of their own: slices, padding, windows, dimension labels.

#include <charconv>

#include "frontend/hlo/parser.h"

namespace sinter {

namespace {

// Calls `visit` for the parts of `text` between separators; false as soon as it returns false.
template <class Visit>
bool for_each_part(std::string_view text, char separator, Visit visit) {
  while (true) {
    const size_t end = text.find(separator);
    if (!visit(text.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

bool read_integer(std::string_view text, int64_t& value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && stop == text.data() + text.size();
}

}  // namespace

// {[0:5], [1:9:2]}
bool Parser::parse_slices(std::vector<SliceBounds>& slices) {
  if (!expect(TokenKind::kLeftBrace, "'{' and [start:limit:stride] for each dimension")) return false;
  while (!at(TokenKind::kRightBrace)) {
    if (!slices.empty() && !expect(TokenKind::kComma, "',' or '}'")) return false;
    SliceBounds& slice = slices.emplace_back();
    if (!expect(TokenKind::kLeftBracket, "'[start:limit]'") || !parse_integer(slice.start, "the start of the slice") ||
        !expect(TokenKind::kColon, "':' and the limit") || !parse_integer(slice.limit, "the limit of the slice")) {
      return false;
    }
    if (accept(TokenKind::kColon) && !parse_integer(slice.stride, "the stride of the slice")) return false;
    if (!expect(TokenKind::kRightBracket, "']'")) return false;
  }
  advance();
  return true;
}

// lo_hi or lo_hi_interior for each dimension, joined by x; nothing at all for a scalar.
bool Parser::parse_padding(std::vector<PadBounds>& padding) {
  if (at(TokenKind::kComma) || at(TokenKind::kRightBrace) || lexer_.definition_at(token_.loc.offset)) return true;
  return parse_padding_token(padding, true);
}

bool Parser::parse_padding_token(std::vector<PadBounds>& padding, bool with_interior) {
  const std::string form = with_interior ? "padding such as 0_1x2_2_1" : "padding such as 0_1x2_2";
  if (!at(TokenKind::kPadding)) return expected(form);
  const bool well_formed = for_each_part(token_.text, 'x', [&](std::string_view dimension) {
    int64_t numbers[3] = {0, 0, 0};
    int count = 0;
    const bool read = for_each_part(
        dimension, '_', [&](std::string_view number) { return count < 3 && read_integer(number, numbers[count++]); });
    padding.push_back({numbers[0], numbers[1], numbers[2]});
    return read && (with_interior || count == 2);
  });
  if (!well_formed) return fail(token_.loc, "E0116", "expected " + form);
  advance();
  return true;
}

// 3x3, or 3 where there is one dimension.
bool Parser::parse_window_sizes(std::vector<int64_t>& sizes) {
  if (!at(TokenKind::kSizes) && !at(TokenKind::kInteger)) return expected("sizes such as 3x3");
  const bool well_formed =
      for_each_part(token_.text, 'x', [&](std::string_view size) { return read_integer(size, sizes.emplace_back()); });
  if (!well_formed) return fail(token_.loc, "E0103", "a size does not fit 64 bits");
  advance();
  return true;
}

// {size=3x3 stride=2x2 pad=1_1x0_-1 lhs_dilate=2x2 rhs_dilate=1x1 rhs_reversal=1x0}
bool Parser::parse_window(std::vector<WindowDimension>& window) {
  struct Field {
    std::string_view name;
    int64_t WindowDimension::* member;
  };
  constexpr Field kFields[] = {{"size", &WindowDimension::size},
                               {"stride", &WindowDimension::stride},
                               {"lhs_dilate", &WindowDimension::lhs_dilate},
                               {"rhs_dilate", &WindowDimension::rhs_dilate}};
  const Loc loc = token_.loc;
  if (!expect(TokenKind::kLeftBrace, "'{' and size=...")) return false;
  std::map<std::string_view, std::vector<int64_t>> sizes;
  std::vector<PadBounds> padding;
  std::set<std::string_view> seen;
  while (!at(TokenKind::kRightBrace)) {
    const Token name = token_;
    if (!at(TokenKind::kAttributeName))
      return expected("size=, stride=, pad=, lhs_dilate=, rhs_dilate= or rhs_reversal=");
    if (!seen.insert(name.text).second) return fail(name.loc, "E0115", "two window items " + std::string(name.text));
    advance();
    if (name.text == "pad") {
      if (!parse_padding_token(padding, false)) return false;
    } else if (name.text == "size" || name.text == "stride" || name.text == "lhs_dilate" || name.text == "rhs_dilate" ||
               name.text == "rhs_reversal") {
      if (!parse_window_sizes(sizes[name.text])) return false;
    } else {
      return fail(name.loc, "E0116", "a window has no item " + std::string(name.text),
                  "the items are size, stride, pad, lhs_dilate, rhs_dilate and rhs_reversal");
    }
    accept(TokenKind::kComma);
  }
  advance();
  if (!seen.empty() && seen.count("size") == 0) return fail(loc, "E0116", "the window has no size=");
  window.resize(sizes["size"].size());
  const auto fits = [&](std::string_view name, size_t count) {
    if (seen.count(name) == 0 || count == window.size()) return true;
    return fail(loc, "E0116",
                std::string(name) + "= has " + std::to_string(count) + " dimensions, size= has " +
                    std::to_string(window.size()));
  };
  for (const Field& field : kFields) {
    if (seen.count(field.name) == 0) continue;
    const std::vector<int64_t>& values = sizes[field.name];
    if (!fits(field.name, values.size())) return false;
    for (size_t i = 0; i < window.size(); ++i) window[i].*field.member = values[i];
  }
  if (!fits("pad", padding.size()) || !fits("rhs_reversal", sizes["rhs_reversal"].size())) return false;
  for (size_t i = 0; i < window.size(); ++i) {
    if (!padding.empty()) {
      window[i].pad_low = padding[i].low;
      window[i].pad_high = padding[i].high;
    }
    if (seen.count("rhs_reversal") != 0) window[i].reversal = sizes["rhs_reversal"][i] != 0;
  }
  return true;
}

// b01f_01io->b01f: the place of a letter or digit is the number of the dimension it names.
bool Parser::parse_dim_labels(ConvolutionDims& dims) {
  constexpr std::string_view kForm = "dimension labels such as b01f_01io->b01f";
  if (!at(TokenKind::kDimLabels)) return expected(kForm);
  const std::string_view text = token_.text;
  const size_t underscore = text.find('_');
  const size_t arrow = text.find("->");

  // Reads one operand's labels; false unless both letters and the digits from 0 on stand there once each.
  const auto read = [](std::string_view labels, char first, char second, int64_t& first_dim, int64_t& second_dim,
                       std::vector<int64_t>& spatial) {
    std::map<char, int64_t> place;
    for (size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] != '?' && !place.emplace(labels[i], static_cast<int64_t>(i)).second) return false;
    }
    if (place.count(first) == 0 || place.count(second) == 0) return false;
    first_dim = place[first];
    second_dim = place[second];
    for (char digit = '0'; place.count(digit) != 0; ++digit) spatial.push_back(place[digit]);
    return place.size() == spatial.size() + 2;
  };
  const bool well_formed =
      read(text.substr(0, underscore), 'b', 'f', dims.lhs_batch, dims.lhs_feature, dims.lhs_spatial) &&
      read(text.substr(underscore + 1, arrow - underscore - 1), 'i', 'o', dims.rhs_input_feature,
           dims.rhs_output_feature, dims.rhs_spatial) &&
      read(text.substr(arrow + 2), 'b', 'f', dims.output_batch, dims.output_feature, dims.output_spatial) &&
      dims.lhs_spatial.size() == dims.rhs_spatial.size() && dims.lhs_spatial.size() == dims.output_spatial.size();
  if (!well_formed) return fail(token_.loc, "E0116", "malformed dimension labels: expected " + std::string(kForm));
  advance();
  return true;
}

}  // namespace sinter
