// What the scanner of Python text finds: each program of tests/frontend/python/*.py, beside it what is found in
// *.txt (SINTER_BLESS=1 writes it anew).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "frontend/python/scan.h"

namespace sinter {
namespace {

std::string print(const PythonRange& range) {
  std::ostringstream out;
  out << range.line << ":" << range.column << "-" << range.end_line << ":" << range.end_column;
  return out.str();
}

std::string print(const PythonTarget& target) {
  if (target.elements.empty()) return target.name.empty() ? "?" : target.name;
  std::string text;
  for (const PythonTarget& element : target.elements) text += (text.empty() ? "" : ", ") + print(element);
  return "(" + text + ")";
}

std::string print(const PythonSource& source) {
  std::ostringstream out;
  for (const auto& [range, target] : source.assigned) out << print(range) << " is " << print(target) << "\n";
  for (const auto& [range, given] : source.given) {
    out << print(range) << " is given";
    for (const int64_t index : given.path) out << (index == kSomeElement ? " [?]" : " [" + std::to_string(index) + "]");
    if (given.comprehension) out << " of " << print(*given.comprehension);
    out << "\n";
  }
  for (const PythonFunction& function : source.functions) {
    out << "def " << function.name << ":";
    for (const std::string& parameter : function.parameters) out << " " << parameter;
    if (source.steps.count(function.name) > 0)
      out << "; step of " << std::vector{"scan", "fori", "while"}[static_cast<size_t>(source.steps.at(function.name))];
    for (const auto& [parameter, target] : function.unpacked) out << "; " << parameter << " is " << print(target);
    if (function.returned) out << "; returns " << print(*function.returned);
    out << "\n";
  }
  for (const auto& [name, value] : source.constants) out << name << " = " << value << "\n";
  return out.str();
}

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Python, ScanFindsVariables) {
  std::set<std::filesystem::path> programs;
  for (const auto& entry : std::filesystem::directory_iterator(SINTER_SOURCE_DIR "/tests/frontend/python")) {
    if (entry.path().extension() == ".py") programs.insert(entry.path());
  }
  EXPECT_GE(programs.size(), 4u);
  for (std::filesystem::path path : programs) {
    const std::string found = print(scan_python(read(path)));
    const std::string name = path.filename().string();
    path.replace_extension(".txt");
    if (std::getenv("SINTER_BLESS") != nullptr) std::ofstream(path) << found;
    EXPECT_EQ(found, read(path)) << name;
  }
}

// Whatever stands there, the scan ends.
TEST(Python, AnyTextIsScanned) {
  const std::string program = read(SINTER_SOURCE_DIR "/tests/frontend/python/loops.py") +
                              read(SINTER_SOURCE_DIR "/tests/frontend/python/strings.py");
  for (size_t length = 0; length < program.size(); length += 7) scan_python(program.substr(0, length));
  for (size_t begin = 0; begin < program.size(); begin += 7) scan_python(program.substr(begin));
  for (const char* text :
       {"",    ":",     "=",   "(((",   ")))",       "def",       "def f",    "def f(",    "lambda",    "return",
        "x =", "= x",   "@",   "async", "async def", "\\",        "f'{",      "f'{\"",     "'''",       "0x",
        "x: ", "a := ", "for", "\t \t", "class",     "match = 3", "x = y = ", "*a, b = c", "f(lambda:", "(x for"}) {
    scan_python(text);
  }
  scan_python(std::string(500, '('));
}

}  // namespace
}  // namespace sinter
