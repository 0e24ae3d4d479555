// Scan kernels: one cumulative window, a block a row.
#pragma once

#include "passes/lower/lower_kernel.h"
#include "passes/schedule/scan.h"

namespace sinter {

LoweredKernel lower_scan(const Module& module, const TreeNode& node, const KernelValues& values,
                         const ScanDemand& demand, const BufferNames& names);

}  // namespace sinter
