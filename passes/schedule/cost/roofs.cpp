#include "passes/schedule/cost/roofs.h"

#include <algorithm>

namespace sinter {

double most_flops_a_us(Bound bound, const Gpu& gpu) {
  double lanes = gpu.f32_lanes;
  if (bound == Bound::kF64) lanes = std::max(gpu.f64_lanes, gpu.tensor_f64_fma);
  if (bound == Bound::kTensor) lanes = std::max(gpu.tensor_fma, gpu.f32_lanes);
  return 2 * lanes * static_cast<double>(gpu.multiprocessors) * gpu.clock_ghz * 1e3;
}

}  // namespace sinter
