#include "emitter/text/string_literal.h"

namespace sinter {

std::string string_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_mark = c == '"' || c == '\\' || c == '?';  // of trigraphs
    if (byte >= ' ' && byte <= '~') {
      literal += (is_mark ? "\\" : "") + std::string(1, c);
      continue;
    }
    // Three octal digits, which end where they end.
    literal += '\\';
    for (const int shift : {6, 3, 0}) literal += static_cast<char>('0' + (byte >> shift) % 8);
  }
  return literal + '"';
}

}  // namespace sinter
