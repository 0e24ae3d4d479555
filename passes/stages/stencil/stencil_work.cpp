#include "passes/stages/stencil/stencil_work.h"

#include <algorithm>
#include <vector>

#include "ir/ops/op_table.h"
#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/analysis/values/contraction.h"
#include "passes/analysis/values/hardware.h"
#include "passes/analysis/values/latencies.h"
#include "passes/demand/views/needed_nodes.h"

namespace sinter {

namespace {

constexpr int64_t kRegistersOfMultiprocessor = 65536, kThreadsOfMultiprocessor = 2048,
                  kSharedOfMultiprocessor = 228 << 10;
// Of the same: bytes that a microsecond has from memory, and from the L2 cache.
constexpr double kMemoryBytes = 4.29e6, kCacheBytes = 7.71e6, kCacheSize = 26 << 20;
constexpr double kLaunchUs = 2.1;
// What is left of the lanes' time beside what a schedule cannot fill.
constexpr double kFilled = 0.8;
// Loads and stores that a multiprocessor can do a cycle.
constexpr double kMemoryLanes = 32;

}  // namespace

double bytes_us(double bytes) { return bytes / (bytes < kCacheSize ? kCacheBytes : kMemoryBytes); }

double launch_us(const Work& work, const StencilLaunch& launch) {
  const auto blocks = static_cast<double>(launch.blocks);
  const int64_t resident =
      std::max<int64_t>(1, std::min({kRegistersOfMultiprocessor / (ceil_div(work.registers, 8) * 8 * launch.threads),
                                     kThreadsOfMultiprocessor / launch.threads,
                                     kSharedOfMultiprocessor / std::max<int64_t>(launch.shared_bytes, 1)}));
  const double busy = std::min<double>(kMultiprocessors, blocks);
  const double waves = std::max(1.0, blocks / static_cast<double>(kMultiprocessors * resident));
  const double issue =
      std::max(work.instructions() / (busy * 128 * kCyclesAUs * kFilled),
               launch.counts_memory ? std::max(work.memory, work.turns) / (busy * kMemoryLanes * kCyclesAUs) : 0);
  const double wide = work.f64 / (busy * 64 * kCyclesAUs);
  return kLaunchUs + std::max({bytes_us(launch.bytes), issue, wide, waves * work.chain / kCyclesAUs});
}

Work node_work(const DemandGraph& graph, NodeId id) {
  // A division by a constant is a multiplication, an fma and a check (device/divisor.cuh).
  constexpr double kByConstant = 3;
  const DemandNode& node = graph.nodes[id];
  Work work;
  work.registers = 0;
  switch (node.kind) {
    case DemandNode::Kind::kCompute:
    case DemandNode::Kind::kCall: {
      if (node.instruction == nullptr) break;
      const Instruction& instruction = *node.instruction;
      if (is_contracted(instruction)) break;
      double cost = instruction.opcode == Opcode::kCall
                        ? static_cast<double>(element_cost(**instruction.attributes->to_apply))
                        : op_def(instruction.opcode).cost;
      if (instruction.opcode == Opcode::kDivide && node.dtype == DType::kF32 &&
          graph.nodes[node.operands[1]].kind == DemandNode::Kind::kConstant)
        cost = kByConstant;
      const bool wide = node.dtype == DType::kF64 || node.dtype == DType::kC128;
      (wide ? work.f64 : is_float(node.dtype) || is_complex(node.dtype) ? work.f32 : work.integer) += cost;
      if (cost >= 8) work.special += cost / 16;
      work.flops += 1;
      work.chain += cost * kArithmeticCycles / 2;
      break;
    }
    case DemandNode::Kind::kChoose:
      work.integer += 2;
      break;
    case DemandNode::Kind::kLoad:
      work.memory += 1;
      break;
    default:
      break;
  }
  return work;
}

Work element_work(const DemandGraph& graph) {
  const std::vector<bool> needed = needed_nodes(graph);
  Work work;
  work.registers = 0;
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    if (!needed[id]) continue;
    const Work node = node_work(graph, static_cast<NodeId>(id));
    add(&work, node, 1);
    work.chain += node.chain;
  }
  return work;
}

}  // namespace sinter
