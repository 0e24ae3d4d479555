// The flat roofs of a GPU's roofline: what its units do at the most. Those of its memories are numbers of the GPU.
#pragma once

#include "passes/schedule/cost/estimate.h"
#include "passes/schedule/cost/gpu.h"

namespace sinter {

// Operations on floats a microsecond, a multiply-add being two: of the units for doubles (kF64), of tensor cores with
// 16-bit floats (kTensor), or, of all other bounds, of the units for floats.
double most_flops_a_us(Bound bound, const Gpu& gpu);

}  // namespace sinter
