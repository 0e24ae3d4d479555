// Escaping of names and comments, see emit_names.h.
#include "emitter/emit_names.h"

#include <cctype>

namespace sinter {

namespace {

constexpr size_t kLongestName = 100;

// Keywords of C and C++, and macros and type names that the headers an emitted file includes (or a C caller is likely
// to include before ours) define; a blank around each.
constexpr std::string_view kReserved =
    " EOF INFINITY NAN NULL alignas alignof and and_eq asm assert auto bitand bitor blockDim blockIdx bool break"
    " case catch char char16_t char32_t char8_t class co_await co_return co_yield compl complex concept const"
    " const_cast consteval constexpr constinit continue decltype default delete do double dynamic_cast else enum"
    " errno explicit export extern false float for friend goto gridDim if imaginary inline int int16_t int32_t"
    " int64_t int8_t linux long major makedev minor mutable namespace new noexcept noreturn not not_eq nullptr"
    " operator or or_eq private protected public register reinterpret_cast requires restrict return short signed"
    " sizeof static static_assert static_cast stderr stdin stdout struct switch template this threadIdx thread_local"
    " throw true try typedef typeid typename typeof uint16_t uint32_t uint64_t uint8_t union unix unsigned using"
    " virtual void volatile warpSize wchar_t while xor xor_eq ";

// Stems that the folder's own files, their include paths or CMake's built-in targets use.
constexpr std::string_view kReservedProjects =
    " all clean cpu device edit_cache help install kernels launch main package plan rebuild_cache report runner std"
    " test weights ";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_listed(std::string_view list, const std::string& word) {
  return list.find(" " + word + " ") != std::string_view::npos;
}

}  // namespace

std::string safe_identifier(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (name.size() == kLongestName) break;
    const bool allowed = is_letter(c) || is_digit(c) || c == '_';
    // A leading underscore and two in a row are reserved in C++.
    if (allowed && c != '_') {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  if (name.empty()) return "value";
  if (is_digit(name[0])) name = "value_" + name;
  // A trailing underscore the text itself had is kept: it may be what keeps two names apart.
  if (is_listed(kReserved, name)) name += "_";
  return name;
}

std::string safe_project_name(std::string_view text) {
  const std::string name = safe_identifier(text);
  return is_listed(kReservedProjects, name) ? name + "_model" : name;
}

std::string upper_camel(std::string_view identifier) {
  std::string camel;
  bool start = true;
  for (const char c : identifier) {
    if (c == '_') {
      start = true;
      continue;
    }
    // Two digits that an underscore kept apart stay apart: x_1_2 is not x_12.
    if (start && is_digit(c) && !camel.empty() && is_digit(camel.back())) camel += '_';
    camel += start ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    start = false;
  }
  return camel;
}

std::string upper_snake(std::string_view identifier) {
  std::string upper(identifier);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

std::string comment_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c < ' ' || c == '\x7f') {
      safe += c == '\t' || c == '\n' || c == '\r' ? ' ' : '?';  // bytes above 0x7f are negative or above '~'
    } else if (c > '~') {
      safe += '?';
    } else if (c == '\\') {
      safe += '/';  // at the end of a line it would splice the next one
    } else if (c == '/' && safe.size() >= 2 && safe.ends_with("??")) {
      safe += ' ';  // the trigraph of a backslash
      safe += c;
    } else if (c == '*' && safe.ends_with("/")) {
      safe += ' ';  // -Wcomment
      safe += c;
    } else {
      safe += c;
    }
  }
  const size_t end = safe.find_last_not_of(' ');
  safe.resize(end == std::string::npos ? 0 : end + 1);
  return safe;
}

std::string NameScope::unique(const std::string& name) {
  if (taken_.insert(name).second) return name;
  for (int number = 2;; ++number) {
    std::string candidate = name + "_" + std::to_string(number);
    if (taken_.insert(candidate).second) return candidate;
  }
}

}  // namespace sinter
