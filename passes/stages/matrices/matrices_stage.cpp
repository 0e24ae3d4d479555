#include "passes/stages/matrices/matrices_stage.h"

#include <algorithm>
#include <cstdlib>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/small_matrices.h"
#include "passes/analysis/values/hardware.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/matrices/thread_work.h"
#include "passes/stages/own/own_stages.h"

namespace sinter {
namespace {

constexpr int64_t kLargestBlock = 128;  // of a block: each may have many registers

}  // namespace

bool takes_matrices(const Instruction& instruction) { return is_small_matrices(instruction); }

MatricesLaunch matrices_launch(const ThreadProgram& program) {
  const int64_t teams = program.threads();
  if (!program.by_warp) {
    const int64_t block = teams == 1 ? 1 : std::min(map_block(teams), kLargestBlock);
    return {.threads = block, .teams = block};
  }
  // As many warps as there is room for, once there is a block for each multiprocessor.
  int64_t warps = kLargestBlock / kWarp;
  while (warps > 1 && (warps * program.shared_bytes() > kMostSharedOfWarp || ceil_div(teams, warps) < kMultiprocessors))
    warps /= 2;
  return {.threads = warps * kWarp, .teams = warps};
}

std::optional<MatricesDemand> demand_matrices(const KernelValues& kernel,
                                              std::optional<DemandGraph::Failure>* failure) {
  const auto fail = [&](const Instruction* instruction, ReasonCode reason) {
    *failure = DemandGraph::Failure{instruction, reason};
    return std::nullopt;
  };
  MatricesDemand result;
  result.fusion = only_taken(kernel, takes_matrices);
  if (result.fusion == nullptr) return fail(kernel.outputs[0], "unsupported-op");
  const Instruction& fusion = *result.fusion;
  for (const Instruction* operand : fusion.operands()) {
    if (kernel.context.computed.count(operand) > 0) return fail(operand, "own-stage-operand");
  }
  const auto& attributes = fusion.annotations->frontend_attributes;
  const bool by_warp = attributes.contains(kWarpCount);
  const auto threads = attributes.find(by_warp ? kWarpCount : kThreadCount);
  const int64_t batch = threads == attributes.end() ? 0 : std::atoll(threads->second.c_str());
  std::optional<ThreadProgram> program =
      batch < 1 ? std::nullopt : read_thread_program(**fusion.attributes->calls, batch, by_warp);
  if (!program) return fail(&fusion, "unsupported-op");
  result.program = std::move(*program);
  result.outputs.resize(result.program.results.size());
  for (const Instruction* output : kernel.outputs) {
    const std::optional<size_t> number = result_number(fusion, *output);
    if (!number || *number >= result.outputs.size()) return fail(output, "own-stage");
    result.outputs[*number] = output;
  }
  return result;
}

std::optional<OwnStageShape> matrices_shape(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const std::optional<MatricesDemand> demand = demand_matrices(kernel, failure);
  if (!demand) return std::nullopt;
  const MatricesLaunch launch = matrices_launch(demand->program);
  OwnStageShape shape;
  shape.block[0] = launch.threads;
  shape.grid[0] = ceil_div(demand->program.threads(), launch.teams);
  shape.lone_threads = true;
  shape.nodes = static_cast<int64_t>(demand->program.units.size());
  shape.work = thread_work(demand->program);
  return shape;
}

}  // namespace sinter
