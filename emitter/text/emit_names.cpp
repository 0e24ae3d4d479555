// Escaping of names and comments, see emit_names.h.
#include "emitter/text/emit_names.h"

#include <cctype>

#include "ir/module/taken_names.h"

namespace sinter {

namespace {

constexpr size_t kLongestName = 100;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

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
  if (has_macro_form(name)) name = "value_" + name;
  if (is_reserved_word(name)) name += "_";
  return name;
}

std::string safe_project_name(std::string_view text) {
  std::string name = safe_identifier(text);
  // "int_": two underscores in a row, as in its namespace int__kernels, are reserved in C++.
  while (name.back() == '_') name.pop_back();
  return is_reserved_word(name) || is_project_word(name) ? name + "_model" : name;
}

std::string safe_namespace(std::string_view project_name) {
  bool taken = is_global_name(project_name);
  // Functions of another model's, in one program with it.
  for (const std::string_view function : {"_capture", "_create", "_destroy", "_info", "_run", "_weights"}) {
    taken |= project_name.ends_with(function);
  }
  return std::string(project_name) + (taken ? "_model" : "");
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
