#include "driver/functions/bindings.h"

#include <algorithm>
#include <filesystem>

namespace sinter {

namespace {

bool is_identifier(const std::string& text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && !is_digit(text[0]) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

// "ns::my_gelu".
bool is_qualified_name(const std::string& text) {
  for (size_t begin = 0;;) {
    const size_t end = std::min(text.find("::", begin), text.size());
    if (!is_identifier(text.substr(begin, end - begin))) return false;
    if (end == text.size()) return true;
    begin = end + 2;
  }
}

}  // namespace

FunctionBinding binding_of(std::string target, const std::string& header, std::string function, CallSide side) {
  const std::string path = std::filesystem::path(header).lexically_normal().generic_string();
  const bool leaves = path.starts_with("/") || path.starts_with("../");
  const size_t file = leaves ? path.rfind('/') + 1 : 0;
  return {.target = std::move(target),
          .name = {.header = path.substr(file), .function = std::move(function)},
          .folder = path.substr(0, file),
          .side = side};
}

std::optional<FunctionBinding> parse_binding(const std::string& text, CallSide side) {
  const size_t equals = text.find('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos || colon == std::string::npos || equals == 0) return std::nullopt;
  const std::string header = text.substr(equals + 1, colon - equals - 1), function = text.substr(colon + 1);
  if (header.empty() || !is_qualified_name(function)) return std::nullopt;
  return binding_of(text.substr(0, equals), header, function, side);
}

std::string_view option_of(CallSide side) {
  return side == CallSide::kKernels ? "--device-function" : "--host-function";
}

std::string binding_text(const std::vector<FunctionBinding>& functions) {
  std::string text;
  for (const FunctionBinding& function : functions)
    text += " " + std::string(option_of(function.side)) + "=" + function.target + "=" + to_string(function.name);
  return text;
}

}  // namespace sinter
