// What the tests of stages share: programs that are compiled and built into one library, compared with the evaluator.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ir/values/literal.h"
#include "ir/values/shape.h"

namespace sinter {

// A value for the parameter `number`.
using DrawInput = std::function<Literal(const Shape& shape, size_t number)>;

// One of so many values, spread around zero; `special`: floats are NaNs, infinities and zeros of both signs too.
DrawInput few_values(int64_t values, bool special = true);

struct StageProgram {
  std::string name;
  std::string text;
  DrawInput input = few_values(10);
  std::string plan = {};  // empty: as it is chosen
};

// The type of a complex number's parts; other types as they are.
DType real_type(DType dtype);

// "f32[2,3]"
std::string shape_text(DType dtype, const std::vector<int64_t>& dims);

// How far a number may be from the evaluator's, relative to the largest one of its result.
using ToleranceOf = double (*)(DType real_type);

// The largest number of a result, infinities apart.
double largest_of(const Literal& result);

// Prints what is wrong; the exit status. nullptr: results are compared bit for bit. `without`: graph passes that are
// left out; `pinned`: those that make what they may.
int run_stage_programs(const std::vector<StageProgram>& programs, ToleranceOf tolerance = nullptr,
                       const std::vector<std::string>& without = {}, const std::vector<std::string>& pinned = {});

}  // namespace sinter
