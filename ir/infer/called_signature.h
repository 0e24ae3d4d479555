// The parameters and result that an op expects of a computation it calls.
#pragma once

#include <vector>

#include "ir/ops/op_table.h"

namespace sinter {

// The computation takes parameters of these types and returns that type (layouts aside).
ShapeError check_signature(const Computation& computation, const std::vector<Shape>& parameters, const Shape& result);
ShapeError check_parameters(const Computation& computation, const std::vector<Shape>& parameters);

// What the computation returns, without layouts; an error for one without a root.
ShapeResult result_shape(const Computation& computation);

// The shape without its layouts, in tuple elements too.
Shape without_layout(const Shape& shape);

}  // namespace sinter
