// Classes of characters in HLO text.
#pragma once

#include <cstddef>
#include <string_view>

namespace sinter {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_identifier_part(char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '-'; }
inline bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
inline char at_or_nul(std::string_view text, size_t at) { return at < text.size() ? text[at] : '\0'; }

}  // namespace sinter
