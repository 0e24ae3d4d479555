#include "driver/lsp/uri.h"

#include <algorithm>
#include <charconv>

namespace sinter {
namespace {

constexpr std::string_view kScheme = "file://";

// Bytes of a character of UTF-8, and how many units of UTF-16 it is.
struct Character {
  size_t bytes = 1;
  int64_t units = 1;
};

Character character_at(unsigned char first) {
  if (first >= 0xf0) return {4, 2};
  if (first >= 0xe0) return {3, 1};
  if (first >= 0xc0) return {2, 1};
  return {1, 1};
}

size_t line_begin(std::string_view text, int64_t line) {
  size_t at = 0;
  for (int64_t i = 0; i < line && at < text.size(); ++i) at = std::min(text.find('\n', at), text.size() - 1) + 1;
  return at;
}

}  // namespace

std::string path_of(const std::string& uri) {
  const std::string_view given = uri;
  const std::string_view text = given.starts_with(kScheme) ? given.substr(kScheme.size()) : given;
  std::string path;
  for (size_t i = 0; i < text.size(); ++i) {
    int value = 0;
    const bool is_escape =
        text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16).ptr == text.data() + i + 3;
    path += is_escape ? static_cast<char>(value) : text[i];
    if (is_escape) i += 2;
  }
  return path;
}

std::string uri_of(const std::string& path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri(kScheme);
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::string_view("/-_.~").find(c) != std::string_view::npos;
    const auto byte = static_cast<unsigned char>(c);
    if (is_plain) {
      uri += c;
    } else {
      uri += {'%', kDigits[byte / 16], kDigits[byte % 16]};
    }
  }
  return uri;
}

int64_t utf16_column(std::string_view text, LineColumn place) {
  const size_t begin = line_begin(text, place.line - 1);
  const size_t end = std::min(begin + static_cast<size_t>(std::max(place.column - 1, 0)), text.size());
  int64_t units = 0;
  for (size_t at = begin; at < end;) {
    const Character next = character_at(static_cast<unsigned char>(text[at]));
    units += next.units;
    at += next.bytes;
  }
  return units;
}

size_t offset_of(std::string_view text, int64_t line, int64_t column) {
  size_t at = line_begin(text, line);
  for (int64_t units = 0; units < column && at < text.size() && text[at] != '\n';) {
    const Character next = character_at(static_cast<unsigned char>(text[at]));
    units += next.units;
    at += next.bytes;
  }
  return std::min(at, text.size());
}

}  // namespace sinter
