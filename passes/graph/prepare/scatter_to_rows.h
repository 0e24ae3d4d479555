// Many updates of many elements become updates of rows, sorted where their order matters.
#pragma once

#include <cstdint>
#include <optional>

#include "passes/graph/base/graph_pass.h"

namespace sinter {

// Which dimension of the updates' batch a component of a scatter's indices counts along; nullopt: none.
std::optional<int64_t> counted_dimension(const Instruction& scatter, int64_t component);

bool scatter_to_rows(Module& module, const GraphPassOptions& options);

}  // namespace sinter
