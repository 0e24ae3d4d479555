// Each kernel's predicted rate beside what the GPU could do with that many operations a byte.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "driver/compile/plan_report.h"
#include "passes/schedule/cost/gpu.h"

namespace sinter {

struct RooflinePoint {
  size_t kernel = 0;           // of PlanReport::kernels
  double flops_a_byte = 0;     // of device memory, read and written
  double gflops_a_second = 0;  // predicted, the gap to the launch before included
  double share = 0;            // of the predicted time of all launches; where their number is not known, of one of each
};

// Operations on floats in the predicted time of a launch.
double gflops_a_second(const PlanReport::KernelReport& kernel);

// Of kernels that compute floats and move bytes; the longest first.
std::vector<RooflinePoint> roofline_points(const PlanReport& report);

struct Roof {
  std::string name;  // "memory 4770 GB/s"
  bool is_flat = false;
  double rate = 0;  // GFLOP/s; of one that is not flat, GB/s
};
// As the cost model has them: the memories, then the units that compute. Doubles are there if a kernel is bound by
// them.
std::vector<Roof> roofs(const PlanReport& report, const Gpu& gpu);

// Inline SVG; empty where no kernel has a point.
std::string draw_roofline(const PlanReport& report, const Gpu& gpu);

// "12.3 GFLOP/s".
std::string rate_text(double gflops_a_second);

}  // namespace sinter
