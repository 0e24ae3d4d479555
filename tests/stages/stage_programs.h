// What the tests of stages share: programs that are compiled and built into one library, compared with the evaluator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/shape.h"

namespace sinter {

struct StageProgram {
  std::string name;
  std::string text;
  int64_t values = 10;  // integers and floats are drawn from so many, spread around zero
  bool special = true;  // some floats are NaNs, infinities and zeros of both signs
};

// "f32[2,3]"
std::string shape_text(DType dtype, const std::vector<int64_t>& dims);

// Prints what is wrong; the exit status. Results are compared bit for bit, or, with a tolerance above 0, numbers by
// their difference relative to the largest of the result.
int run_stage_programs(const std::vector<StageProgram>& programs, double tolerance);

}  // namespace sinter
