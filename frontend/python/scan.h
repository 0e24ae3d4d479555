// What a Python text says of its variables: which expression each is assigned, what functions take apart and return,
// and the numbers of the module. Ranges are those of Python's ast.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/python/tokens.h"

namespace sinter {

// What is assigned to: a variable, or several. `state[0] = ...` and `*rest` are neither.
struct PythonTarget {
  std::string name;                    // of a variable
  std::vector<PythonTarget> elements;  // x, (y, z) = ...
};

// What a part of a result is: the second element of the first is {0, 1}. Of a comprehension nobody knows which.
using PythonPath = std::vector<int64_t>;
inline constexpr int64_t kSomeElement = -1;

struct PythonFunction {
  std::string name;  // as Python qualifies it: "rollout.<locals>.step"
  std::vector<std::string> parameters;
  std::map<std::string, PythonTarget> unpacked;  // by parameter: `x, v = state`
  std::optional<PythonTarget> returned;          // what the last `return` gives, where that are names
};

// An expression that is a part of what a function returns, or of a comprehension.
struct PythonGiven {
  PythonPath path;
  // Of a comprehension: from bracket to bracket. Python runs it in a frame of its own, or in that around it.
  std::optional<PythonRange> comprehension;
};

// How a function's parameters and results are those of a loop.
enum class PythonLoop { kScan, kFori, kWhile };

struct PythonSource {
  std::map<PythonRange, PythonTarget> assigned;
  std::map<PythonRange, PythonGiven> given;
  std::vector<PythonFunction> functions;               // as they stand in the text
  std::map<std::string, PythonLoop> steps;             // functions that jax.lax.scan and the like are given
  std::map<std::string, double> constants;             // GRAVITY = 9.8
  std::set<std::pair<int64_t, int64_t>> begins, ends;  // (line, column) of every token
  std::vector<size_t> lines;                           // where they begin
  size_t offset(int64_t line, int64_t column) const { return lines[line - 1] + static_cast<size_t>(column); }
};

PythonSource scan_python(std::string_view text);

}  // namespace sinter
