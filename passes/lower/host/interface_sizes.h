// Sizes that the caller of a program gives with each run (passes/analysis/shapes/extents.h), as the program's interface
// has them: inputs that are numbers, and dimensions of arrays that are as large as these say.
#pragma once

#include <string>
#include <vector>

#include "passes/analysis/shapes/extents.h"
#include "passes/lower/host/host_plan.h"

namespace sinter {

struct InterfaceSize {
  size_t input = 0;  // of Program::inputs: the number
  int64_t bound = 0;
  std::vector<Extent::Dimension> inputs, outputs;  // by their positions in Program::inputs and outputs
};

// In the order of their inputs.
std::vector<InterfaceSize> interface_sizes(const Program& program);

// The type of input or output `position` as the text has it: "f32[<=1024,64]".
Shape interface_shape(const std::vector<InterfaceSize>& sizes, bool is_input, size_t position, Shape shape);

// What HostStep::Scalar calls the number of an input, where a launch passes it.
std::string size_scalar(size_t input);

}  // namespace sinter
