// Extents: how much of a dimension a run has, where a program is compiled for up to N of them (`f32[<=1024,64]`).
//
// Such an array is stored as one of the bound, f32[1024,64], row-major: of a leading dimension the rows that are there
// stand at its beginning. What stands beyond them is anything, and no result depends on it. How many there are is a
// number of the run's, which bound_dimensions makes a parameter of the entry, behind its own:
//
//   %size = s32[] parameter(2), frontend_attributes={sinter_extent="0..1024 in 0:0 1:0 out 0:0 1:0*12"}
//
// says that dimension 0 of parameters 0 and 1 and of result 0 has `size` rows, and that of result 1 twelve times as
// many. No pass looks at the marks; lowering, the emitter and whoever gives a program its inputs do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

inline constexpr const char* kExtentAttribute = "sinter_extent";

struct Extent {
  // Dimension `dimension` of an array is `times` the number, up to `times` the bound.
  struct Dimension {
    int64_t array = 0;  // of inputs: the parameter's number; of results: the position in the flat result
    int64_t dimension = 0;
    int64_t times = 1;
  };
  const Instruction* size = nullptr;  // the parameter that is the number
  int64_t bound = 0;
  std::vector<Dimension> inputs, results;
};

// Those of a program, in the order of their parameters.
std::vector<Extent> extents_of(const Module& module);

// Whether a parameter is the number of an extent.
bool is_extent(const Instruction& parameter);

void mark_extent(Instruction* size, const Extent& extent);

// "f32[<=1024,64]": an array's type with the dimensions that have one of these extents as the text had them.
// `is_input`: `array` is a parameter's number, else a result's.
Shape bounded_shape(Shape shape, const std::vector<Extent>& extents, bool is_input, int64_t array);

}  // namespace sinter
