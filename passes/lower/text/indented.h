#pragma once

#include <string>

namespace sinter {

// Whole lines, each behind `by`.
inline std::string indented(const std::string& lines, const std::string& by) {
  std::string result;
  for (size_t begin = 0; begin < lines.size();) {
    const size_t end = lines.find('\n', begin) + 1;
    result += by + lines.substr(begin, end - begin);
    begin = end;
  }
  return result;
}

}  // namespace sinter
