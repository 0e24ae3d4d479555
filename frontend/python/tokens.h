// Python text as tokens, grouped into logical lines: what stands between brackets, and lines that end in a backslash,
// go on. Nothing is imported or run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

// From the first byte to behind the last: lines from 1, columns in bytes from 0, as Python's ast counts them.
struct PythonRange {
  int64_t line = 0, column = 0, end_line = 0, end_column = 0;
  auto operator<=>(const PythonRange&) const = default;
};

struct PythonToken {
  enum class Kind { kName, kNumber, kString, kOperator };
  Kind kind = Kind::kOperator;
  std::string_view text;
  PythonRange range;
  bool is(std::string_view op) const { return kind == Kind::kOperator && text == op; }
  bool is_word(std::string_view word) const { return kind == Kind::kName && text == word; }
};

struct PythonLine {
  int64_t indentation = 0;  // columns; a tab goes on to the next multiple of eight
  std::vector<PythonToken> tokens;
};

// The tokens point into `text`. What is no Python is split up somehow, and never fails.
std::vector<PythonLine> python_lines(std::string_view text);

}  // namespace sinter
