#include "review/report/side_by_side.h"

#include <algorithm>
#include <sstream>

#include "ir/support/is_word.h"
#include "review/diff/align_texts.h"

namespace sinter {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool is_utf8_word(char c) { return is_word(c) || (c & 0x80) != 0; }

// Words and numbers, blanks, and what else there is by characters.
std::vector<std::string> tokens_of(const std::string& line) {
  std::vector<std::string> tokens;
  for (size_t begin = 0; begin < line.size();) {
    size_t end = begin + 1;
    const auto goes_on = [&](char c) {
      if (line[begin] == ' ') return c == ' ';
      // A number has its point: 0.5f, 1e-5f.
      const bool number = isdigit(static_cast<unsigned char>(line[begin])) != 0;
      return is_utf8_word(line[begin]) && (is_utf8_word(c) || (number && c == '.'));
    };
    while (end < line.size() && goes_on(line[end])) ++end;
    tokens.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  return tokens;
}

void add_token(CodeLine* line, const std::string& text, bool changed) {
  if (!line->tokens.empty() && line->tokens.back().changed == changed) {
    line->tokens.back().text += text;
  } else {
    line->tokens.push_back({text, changed});
  }
}

CodeLine whole(int index, const std::string& text, bool changed) {
  CodeLine line = {.number = index + 1};
  if (!text.empty()) line.tokens.push_back({text, changed});
  return line;
}

CodeRow changed_row(int before, const std::string& text, int after, const std::string& text_after) {
  CodeRow row = {.before = {.number = before + 1}, .after = {.number = after + 1}, .same = false};
  const std::vector<std::string> a = tokens_of(text), b = tokens_of(text_after);
  for (const AlignedPiece& piece : align_texts(a, b)) {
    if (piece.before >= 0) add_token(&row.before, a[static_cast<size_t>(piece.before)], piece.after < 0);
    if (piece.after >= 0) add_token(&row.after, b[static_cast<size_t>(piece.after)], piece.before < 0);
  }
  return row;
}

// How much two lines have in common: characters of words that stand in both.
size_t likeness(const std::string& before, const std::string& after) {
  const std::vector<std::string> a = tokens_of(before), b = tokens_of(after);
  size_t same = 0;
  for (const AlignedPiece& piece : align_texts(a, b)) {
    if (piece.before < 0 || piece.after < 0) continue;
    const std::string& token = a[static_cast<size_t>(piece.before)];
    if (is_utf8_word(token[0])) same += token.size();
  }
  return same;
}

// Lines that went, and those that came in their place: the most alike stand beside each other, in their order.
std::vector<AlignedPiece> pair_lines(const std::vector<std::string>& gone, const std::vector<std::string>& come) {
  constexpr size_t kMostPairs = 2500;
  const size_t rows = gone.size(), columns = come.size();
  std::vector<size_t> like(rows * columns), best((rows + 1) * (columns + 1));
  const bool small = rows * columns <= kMostPairs;
  const auto at = [&](size_t i, size_t j) -> size_t& { return best[i * (columns + 1) + j]; };
  for (size_t i = rows; i-- > 0 && small;) {
    for (size_t j = columns; j-- > 0;) {
      like[i * columns + j] = likeness(gone[i], come[j]);
      at(i, j) = std::max({at(i + 1, j), at(i, j + 1), at(i + 1, j + 1) + like[i * columns + j]});
    }
  }
  std::vector<AlignedPiece> pairs;
  for (size_t i = 0, j = 0; i < rows || j < columns;) {
    const bool both = i < rows && j < columns;
    const size_t alike = both ? like[i * columns + j] : 0;
    if (both && (!small || (alike > 0 && at(i, j) == at(i + 1, j + 1) + alike))) {
      pairs.push_back({static_cast<int>(i++), static_cast<int>(j++)});
    } else if (i < rows && (j == columns || at(i, j) == at(i + 1, j))) {
      pairs.push_back({.before = static_cast<int>(i++)});
    } else {
      pairs.push_back({.after = static_cast<int>(j++)});
    }
  }
  return pairs;
}

class Rows {
 public:
  Rows(const std::string& before, const std::string& after) : before_(lines_of(before)), after_(lines_of(after)) {}

  std::vector<CodeRow> run() {
    for (const AlignedPiece& piece : align_texts(before_, after_)) {
      if (piece.before >= 0 && piece.after >= 0) {
        end_change();
        const std::string& text = before_[static_cast<size_t>(piece.before)];
        rows_.push_back({.before = whole(piece.before, text, false), .after = whole(piece.after, text, false)});
      } else if (piece.before >= 0) {
        gone_.push_back(piece.before);
      } else {
        come_.push_back(piece.after);
      }
    }
    end_change();
    return with_gaps();
  }

 private:
  static std::vector<std::string> texts(const std::vector<std::string>& lines, const std::vector<int>& which) {
    std::vector<std::string> list;
    list.reserve(which.size());
    for (const int index : which) list.push_back(lines[static_cast<size_t>(index)]);
    return list;
  }

  void end_change() {
    const std::vector<std::string> gone = texts(before_, gone_), come = texts(after_, come_);
    for (const AlignedPiece& pair : pair_lines(gone, come)) {
      const auto i = static_cast<size_t>(pair.before), j = static_cast<size_t>(pair.after);
      if (pair.before >= 0 && pair.after >= 0) {
        rows_.push_back(changed_row(gone_[i], gone[i], come_[j], come[j]));
      } else if (pair.before >= 0) {
        rows_.push_back({.before = whole(gone_[i], gone[i], false), .same = false});
      } else {
        rows_.push_back({.after = whole(come_[j], come[j], false), .same = false});
      }
    }
    gone_.clear();
    come_.clear();
  }

  std::vector<CodeRow> with_gaps() {
    constexpr size_t kNear = 3;
    std::vector<bool> near(rows_.size());
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i].same) continue;
      const size_t end = std::min(i + kNear + 1, rows_.size());
      for (size_t j = i - std::min(i, kNear); j < end; ++j) near[j] = true;
    }
    std::vector<CodeRow> result;
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (!near[i] && (i == 0 || near[i - 1])) {
        size_t end = i;
        while (end < rows_.size() && !near[end]) ++end;
        result.push_back({.gap = end - i});
      }
      rows_[i].near = near[i];
      result.push_back(std::move(rows_[i]));
    }
    return result;
  }

  std::vector<std::string> before_, after_;
  std::vector<int> gone_, come_;
  std::vector<CodeRow> rows_;
};

}  // namespace

std::vector<CodeRow> side_by_side(const std::string& before, const std::string& after) {
  return Rows(before, after).run();
}

}  // namespace sinter
