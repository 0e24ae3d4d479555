// A text test: a file whose head says which sinter command runs on it, and which holds what is expected.
//
//   // RUN: opt --passes=simplify -
//   HloModule m
//   ...
//   // ==== expected
//   HloModule m
//   ...
//
// The input is the text before the marker, given on standard input; the expected text is what follows, compared with
// standard output, whole. `%d` in the RUN line, and on standard error, is the file's folder, `%s` the samples'
// folder, `%p` a file with what follows the line `// ==== plan` in the input. Where the input has
// lines that end in `// error: text` or `// warning: text`, the diagnostics must be exactly these, each on its line
// and containing the text (several on a line are fine); a test with errors expects exit status 1 and needs no marker.
// `// EXIT: 2` expects another status, and then standard error follows standard output in the expected text; such a
// test may leave the ends of lines out.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sinter::filetest {

struct Annotation {
  int line = 0;
  std::string severity;  // "error" or "warning"
  std::string text;
};

struct TextCase {
  std::string input;  // with the plan, where there is one
  std::string plan;
  std::vector<std::string> arguments;  // of sinter
  int exit_status = 0;
  bool states_exit = false;
  bool has_expected = false;
  std::string expected;
  std::vector<Annotation> annotations;
};

struct RunResult {
  int exit_status = 0;
  std::string out;
  std::string err;
};

// What `%d`, `%s` and `%p` stand for.
struct Places {
  std::string folder, samples, plan;
};

// false with `problem` set if the file is no text test.
bool parse_case(const std::string& content, const Places& places, TextCase& test, std::string& problem);

// What is given on standard input.
std::string standard_input(const TextCase& test);

// Everything that is not as the test says, as text; empty if it passes. The expected text is not compared if
// `blessing`.
std::string judge(const TextCase& test, const RunResult& result, bool blessing);

// The text compared with the expected one.
std::string actual_text(const TextCase& test, const RunResult& result);

// The file's content with the expected text replaced.
std::string blessed(const std::string& content, const TextCase& test, const RunResult& result);

}  // namespace sinter::filetest
