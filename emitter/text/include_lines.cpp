#include "emitter/text/include_lines.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>

namespace sinter {

namespace {

using llvm::StringRef;

constexpr const char* kDirectives[] = {"include", "include_next", "import", "embed"};
constexpr const char* kQuestions[] = {"__has_include", "__has_include_next", "__has_embed"};

// A line may go on in the next.
std::string without_splices(const std::string& text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t end = text[i] == '\\' ? text.find_first_not_of(" \t\r", i + 1) : std::string::npos;
    if (end != std::string::npos && text[end] == '\n') {
      i = end;
    } else {
      result += text[i];
    }
  }
  return result;
}

// Behind spaces and comments, in the line.
StringRef behind_blank(StringRef rest) {
  for (;;) {
    rest = rest.ltrim(" \t\r\v\f");
    if (!rest.starts_with("/*")) return rest;
    const size_t end = rest.find("*/", 2);
    rest = rest.drop_front(end == StringRef::npos ? rest.size() : end + 2);
  }
}

StringRef take_word(StringRef* rest) {
  const StringRef word = rest->take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  *rest = rest->drop_front(word.size());
  return word;
}

bool is_one_of(StringRef word, llvm::ArrayRef<const char*> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// "name" or <name> at the begin of the text.
bool add_name(StringRef rest, std::vector<IncludeLine>* lines) {
  const bool quoted = rest.starts_with("\"");
  if (!quoted && !rest.starts_with("<")) return false;
  const char end = quoted ? '"' : '>';
  lines->push_back({rest.drop_front().take_until([&](char c) { return c == end || c == '\n'; }).str(), quoted});
  return true;
}

class Reader {
 public:
  explicit Reader(StringRef text) : text_(text) {}

  std::vector<IncludeLine> run() {
    for (StringRef rest = text_; !rest.empty(); rest = rest.drop_front()) {
      if (rest.front() == '#' || rest.starts_with("%:")) {
        StringRef line = behind_blank(rest.drop_front(rest.front() == '#' ? 1 : 2));
        if (is_one_of(take_word(&line), kDirectives)) add(behind_blank(line));
      } else if (rest.starts_with("__has_")) {
        StringRef line = rest;
        if (!is_one_of(take_word(&line), kQuestions)) continue;
        line = behind_blank(line);
        if (line.consume_front("(")) add(behind_blank(line));
      }
    }
    return std::move(lines_);
  }

 private:
  void add(StringRef operand) {
    if (add_name(operand, &lines_)) return;
    lines_.push_back({});
    const StringRef macro = take_word(&operand);
    for (StringRef rest = text_; !macro.empty() && !rest.empty();) {
      rest = rest.drop_front(std::min(rest.find("define"), rest.size()));
      rest.consume_front("define");
      StringRef line = behind_blank(rest);
      if (take_word(&line) == macro) add_name(behind_blank(line), &lines_);
    }
  }

  StringRef text_;
  std::vector<IncludeLine> lines_;
};

}  // namespace

std::vector<IncludeLine> include_lines(const std::string& text) {
  const std::string spliced = without_splices(text);
  return Reader(spliced).run();
}

}  // namespace sinter
