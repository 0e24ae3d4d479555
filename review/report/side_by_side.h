// Two texts side by side: lines that are one stand beside each other, and of lines that changed what did.
#pragma once

#include <string>
#include <vector>

namespace sinter {

struct CodeToken {
  std::string text;
  bool changed = false;
};

struct CodeLine {
  int number = 0;  // 0: this text has no such line
  std::vector<CodeToken> tokens;
};

struct CodeRow {
  CodeLine before, after;
  bool same = true;
  bool near = true;  // to a line that changed
  size_t gap = 0;    // so many rows are not near; this is the one before them, and has no lines
};

std::vector<CodeRow> side_by_side(const std::string& before, const std::string& after);

}  // namespace sinter
