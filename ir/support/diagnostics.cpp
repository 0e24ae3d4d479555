// Diagnostics as text: place, severity, code, the line with a caret, and the hint as a note.

#include "ir/support/diagnostics.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sinter {

namespace {

struct CodeEntry {
  std::string_view code;
  std::string_view explanation;
};

constexpr CodeEntry kCodes[] = {
#define ERROR_CODE(code, title, explanation) {code, title "\n\n" explanation},
#include "ir/support/error_codes.def"
#undef ERROR_CODE
};

// Lines longer than this are shown in part, around the caret.
constexpr size_t kMaxLineShown = 160;

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "";
}

std::string_view severity_colour(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "\033[1;31m";
    case Severity::kWarning:
      return "\033[1;35m";
    case Severity::kNote:
      return "\033[1;36m";
  }
  return "";
}

bool is_utf8_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Control characters would move the terminal's cursor, or worse.
std::string printable(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t') || byte == 0x7F) c = '?';
  }
  return result;
}

// The source line of `loc` and a line with a caret under it.
void append_line_and_caret(const Source& source, Loc loc, bool colours, std::string& out) {
  const std::string_view text = source.text;
  const size_t offset = std::min<size_t>(loc.offset, text.size());
  const size_t line_break = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  size_t begin = line_break == std::string_view::npos ? 0 : line_break + 1;
  size_t end = std::min(text.find('\n', offset), text.size());
  if (end > begin && text[end - 1] == '\r' && end - 1 >= offset) --end;

  std::string before_mark, after_mark;
  if (end - begin > kMaxLineShown) {
    const size_t line_end = end;
    if (offset - begin > kMaxLineShown / 2) {
      begin = offset - kMaxLineShown / 2;
      while (begin < offset && is_utf8_continuation(text[begin])) ++begin;
      before_mark = "...";
    }
    end = std::min(line_end, begin + kMaxLineShown);
    while (end < line_end && is_utf8_continuation(text[end])) ++end;
    if (end < line_end) after_mark = "...";
  }
  out += before_mark + printable(text.substr(begin, end - begin)) + after_mark + "\n";

  // The caret's line repeats tabs, and counts a UTF-8 sequence once.
  out.append(before_mark.size(), ' ');
  for (size_t i = begin; i < offset; ++i) {
    if (!is_utf8_continuation(text[i])) out += text[i] == '\t' ? '\t' : ' ';
  }
  out += colours ? "\033[1;32m^\033[0m\n" : "^\n";
}

// Line and column of one place after another: counts on from the last one where it can, since the warnings of a long
// program come in its order.
class Places {
 public:
  LineColumn at(const Source& source, Loc loc) {
    const size_t offset = std::min<size_t>(loc.offset, source.text.size());
    if (&source != source_ || offset < begin_) {
      source_ = &source;
      line_ = 1;
      begin_ = 0;
    }
    const std::string_view text = source.text;
    for (size_t end; (end = text.find('\n', begin_)) < offset; begin_ = end + 1) ++line_;
    return {.line = line_, .column = static_cast<int>(offset - begin_) + 1};
  }

 private:
  const Source* source_ = nullptr;
  int line_ = 1;
  size_t begin_ = 0;  // of the line
};

}  // namespace

void Diagnostics::error(Loc loc, std::string_view code, std::string message, std::string hint) {
  error_in(nullptr, loc, code, std::move(message), std::move(hint));
}

void Diagnostics::error_in(std::shared_ptr<const Source> source, Loc loc, std::string_view code, std::string message,
                           std::string hint) {
  ++errors_;
  if (errors_ > kMaxErrors) return;
  diagnostics_.push_back(
      {Severity::kError, std::string(code), std::move(message), std::move(hint), loc, std::move(source)});
}

void Diagnostics::warning(Loc loc, std::string_view code, std::string message, std::string hint) {
  diagnostics_.push_back({Severity::kWarning, std::string(code), std::move(message), std::move(hint), loc});
}

void Diagnostics::note(Loc loc, std::string message) {
  if (errors_ > kMaxErrors) return;
  diagnostics_.push_back({Severity::kNote, "", std::move(message), "", loc});
}

std::string Diagnostics::render(bool colours) const {
  const std::string_view bold = colours ? "\033[1m" : "";
  const std::string_view plain = colours ? "\033[0m" : "";
  std::string out;
  Places places;
  for (const Diagnostic& diagnostic : diagnostics_) {
    const Source& source = diagnostic.source == nullptr ? *source_ : *diagnostic.source;
    out += bold;
    out += source.name == "-" ? "<stdin>" : printable(source.name);
    if (diagnostic.loc.known()) {
      const LineColumn place = places.at(source, diagnostic.loc);
      out += ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
    }
    out += ": ";
    if (colours) out += severity_colour(diagnostic.severity);
    out += severity_name(diagnostic.severity);
    if (!diagnostic.code.empty()) out += "[" + diagnostic.code + "]";
    out += ": ";
    if (colours) out += "\033[0m\033[1m";
    out += printable(diagnostic.message);
    out += plain;
    out += "\n";
    if (diagnostic.loc.known()) append_line_and_caret(source, diagnostic.loc, colours, out);
    if (!diagnostic.hint.empty()) {
      if (colours) out += severity_colour(Severity::kNote);
      out += "note: ";
      out += plain;
      out += printable(diagnostic.hint) + "\n";
    }
  }
  if (errors_ > kMaxErrors) {
    const int more = errors_ - kMaxErrors;
    out += std::to_string(more) + (more == 1 ? " more error is" : " more errors are") + " not shown\n";
  }
  return out;
}

LineColumn line_column(const Source& source, Loc loc) { return Places().at(source, loc); }

std::string_view explain_code(std::string_view code) {
  const auto* entry = std::find_if(std::begin(kCodes), std::end(kCodes),
                                   [&](const CodeEntry& candidate) { return candidate.code == code; });
  return entry == std::end(kCodes) ? std::string_view() : entry->explanation;
}

InternalError::InternalError(std::string_view where, std::string_view what)
    : std::logic_error(std::string(where) + ": " + std::string(what)) {}

}  // namespace sinter
