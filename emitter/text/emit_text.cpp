#include "emitter/text/emit_text.h"

#include <algorithm>
#include <cstdio>

namespace sinter {

std::string bytes_text(int64_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  constexpr const char* kUnits[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1000;
  size_t unit = 0;
  // 999.95 would be printed as 1000.0.
  while (value >= 999.95) {
    value /= 1000;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %s", value, kUnits[unit]);
  return text;
}

std::string wrap_list(const std::string& opening, const std::vector<std::string>& items, const std::string& closing) {
  const size_t line_start = opening.rfind('\n');
  const size_t indent = line_start == std::string::npos ? opening.size() : opening.size() - line_start - 1;
  std::string text = opening;
  size_t column = indent;
  for (size_t i = 0; i < items.size(); ++i) {
    const bool last = i + 1 == items.size();
    const size_t width = items[i].size() + (last ? closing.size() : 1);
    if (i != 0 && column + 1 + width > static_cast<size_t>(kLineWidth)) {
      text += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (i != 0) {
      text += ' ';
      ++column;
    }
    text += items[i] + (last ? "" : ",");
    column += items[i].size() + 1;
  }
  return text + closing;
}

void align_comments(std::vector<std::string>& lines) {
  size_t column = 0;
  for (const std::string& line : lines) column = std::max(column, std::min(line.find("//"), line.size()));
  for (std::string& line : lines) {
    const size_t comment = line.find("//");
    if (comment != std::string::npos) line.insert(comment, column - comment, ' ');
  }
}

}  // namespace sinter
