// Where an instruction stands in the Python program: for ordering statements as their author wrote them, and for
// opening a paragraph a Python function.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

struct SourcePlace {
  // (line, column) of each call level, outermost first: compares in execution order of straight-line Python.
  std::vector<std::pair<int64_t, int64_t>> path;
  // The innermost named function ("step_tuple" for "rollout.<locals>.step_tuple.<locals>.<genexpr>"); empty if unknown.
  std::string function;
  // The named functions from the outermost to the innermost.
  std::vector<std::string> functions;
};

SourcePlace source_place(const Module& module, const Instruction& instruction);

}  // namespace sinter
