// A file of bindings, for build systems: one a line, what stands behind # is a comment.
//
//   # activations
//   device my_gelu = kernels/my.cuh:ns::my_gelu
//   host sort_rows = kernels/rows.cuh:ns::sort_rows
#pragma once

#include <memory>
#include <vector>

#include "driver/functions/bindings.h"
#include "ir/support/diagnostics.h"

namespace sinter {

// Those of the file in which paths begin at its folder; reports lines that are something else, at their places.
std::vector<FunctionBinding> read_bindings(const std::shared_ptr<const Source>& file, Diagnostics& diagnostics);

}  // namespace sinter
