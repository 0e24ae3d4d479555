// Reading a text test and judging a run of it.
#include "tests/filetest/text_case.h"

#include <cctype>
#include <sstream>

namespace sinter::filetest {
namespace {

constexpr const char* kMarker = "// ==== expected\n";
constexpr const char* kPlanMarker = "// ==== plan\n";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// Where a marker begins: at the start of a line; npos if nowhere.
size_t find_marker(const std::string& content, const char* marker) {
  if (content.rfind(marker, 0) == 0) return 0;
  const size_t at = content.find(std::string("\n") + marker);
  return at == std::string::npos ? at : at + 1;
}

// Every `// error: text` and `// warning: text` of a line; each ends where the next begins.
void read_annotations(const std::string& line, int number, std::vector<Annotation>& annotations) {
  struct Opening {
    const char* severity;
    std::string text;
  };
  const Opening openings[] = {{"error", "// error: "}, {"warning", "// warning: "}};
  for (const Opening& opening : openings) {
    for (size_t at = 0; (at = line.find(opening.text, at)) != std::string::npos;) {
      at += opening.text.size();
      std::string text = line.substr(at, line.find(" // ", at) - at);
      annotations.push_back({number, opening.severity, std::move(text)});
    }
  }
}

// "<stdin>:12:3: error[E0102]: message" to line, severity and message.
bool read_diagnostic(const std::string& line, Annotation& diagnostic) {
  const std::string opening = "<stdin>:";
  if (line.rfind(opening, 0) != 0) return false;
  size_t at = opening.size();
  int number = 0;
  for (; at < line.size() && std::isdigit(static_cast<unsigned char>(line[at])); ++at) {
    number = number * 10 + (line[at] - '0');
  }
  for (const char* severity : {"error", "warning"}) {
    const size_t found = line.find(std::string(": ") + severity + "[", at);
    if (found == std::string::npos) continue;
    diagnostic = {number, severity, line.substr(found + 2)};
    return true;
  }
  return false;
}

std::string judge_diagnostics(const TextCase& test, const RunResult& result) {
  std::vector<Annotation> reported;
  for (const std::string& line : lines_of(result.err)) {
    Annotation diagnostic;
    if (read_diagnostic(line, diagnostic)) reported.push_back(diagnostic);
  }
  std::vector<bool> met(test.annotations.size(), false);
  std::string wrong;
  for (const Annotation& diagnostic : reported) {
    bool expected = false;
    for (size_t i = 0; i < test.annotations.size() && !expected; ++i) {
      const Annotation& annotation = test.annotations[i];
      expected = !met[i] && annotation.line == diagnostic.line && annotation.severity == diagnostic.severity &&
                 diagnostic.text.find(annotation.text) != std::string::npos;
      if (expected) met[i] = true;
    }
    if (!expected) wrong += "  not expected on line " + std::to_string(diagnostic.line) + ": " + diagnostic.text + "\n";
  }
  for (size_t i = 0; i < met.size(); ++i) {
    const Annotation& annotation = test.annotations[i];
    if (!met[i]) {
      wrong += "  missing on line " + std::to_string(annotation.line) + ": " + annotation.severity + ": " +
               annotation.text + "\n";
    }
  }
  return wrong;
}

// The first line in which two texts differ, both ways.
std::string first_difference(const std::string& expected, const std::string& actual) {
  const std::vector<std::string> want = lines_of(expected), have = lines_of(actual);
  for (size_t i = 0; i < want.size() || i < have.size(); ++i) {
    const std::string* w = i < want.size() ? &want[i] : nullptr;
    const std::string* h = i < have.size() ? &have[i] : nullptr;
    if (w && h && *w == *h) continue;
    return "  output line " + std::to_string(i + 1) + "\n    expected: " + (w ? *w : "(the end)") +
           "\n    got:      " + (h ? *h : "(the end)") + "\n";
  }
  return "  the last line's newline differs\n";
}

}  // namespace

std::string standard_input(const TextCase& test) { return test.input.substr(0, find_marker(test.input, kPlanMarker)); }

bool parse_case(const std::string& content, const Places& places, TextCase& test, std::string& problem) {
  const size_t marker = find_marker(content, kMarker);
  test.has_expected = marker != std::string::npos;
  test.input = content.substr(0, marker);
  if (test.has_expected) test.expected = content.substr(marker + std::string(kMarker).size());
  const size_t plan = find_marker(test.input, kPlanMarker);
  if (plan != std::string::npos) test.plan = test.input.substr(plan + std::string(kPlanMarker).size());
  int number = 0;
  bool has_run = false;
  for (const std::string& line : lines_of(standard_input(test))) {
    ++number;
    if (line.rfind("// RUN: ", 0) == 0) {
      std::istringstream words(line.substr(8));
      for (std::string word; words >> word;) {
        replace_all(word, "%d", places.folder);
        replace_all(word, "%s", places.samples);
        replace_all(word, "%p", places.plan);
        test.arguments.push_back(word);
      }
      has_run = true;
    } else if (line.rfind("// EXIT: ", 0) == 0) {
      test.exit_status = std::atoi(line.c_str() + 9);
      test.states_exit = true;
    } else {
      read_annotations(line, number, test.annotations);
    }
  }
  if (!has_run) problem = "no `// RUN: ` line";
  for (const Annotation& annotation : test.annotations) {
    if (annotation.severity == "error" && !test.states_exit) test.exit_status = 1;
  }
  return has_run;
}

std::string actual_text(const TextCase& test, const RunResult& result) {
  return test.states_exit ? result.out + result.err : result.out;
}

std::string judge(const TextCase& test, const RunResult& result, bool blessing) {
  // What is expected of standard error, whole, says it all.
  const bool is_in_text = test.states_exit && test.has_expected && test.annotations.empty();
  std::string wrong = is_in_text ? "" : judge_diagnostics(test, result);
  if (result.exit_status != test.exit_status) {
    wrong += "  exit status " + std::to_string(result.exit_status) + ", expected " + std::to_string(test.exit_status) +
             "\n" + result.err;
  }
  if (blessing) return wrong;
  const std::string actual = actual_text(test, result);
  if (test.has_expected && actual != test.expected) wrong += first_difference(test.expected, actual);
  if (!test.has_expected && test.annotations.empty()) wrong += "  nothing is expected (./dev bless adds it)\n";
  return wrong;
}

std::string blessed(const std::string& content, const TextCase& test, const RunResult& result) {
  if (!test.has_expected && !test.annotations.empty()) return content;
  std::string input = test.input;
  if (!input.empty() && input.back() != '\n') input += '\n';
  return input + kMarker + actual_text(test, result);
}

}  // namespace sinter::filetest
