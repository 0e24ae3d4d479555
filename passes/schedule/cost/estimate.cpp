#include "passes/schedule/cost/estimate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ir/support/ceil_div.h"
#include "passes/stages/domain/launch_shape.h"

namespace sinter {

namespace {

// Instructions that a multiprocessor gives out a cycle, each to a warp.
constexpr double kSchedulers = 4;
// Of a memory's bandwidth, what a kernel that does nothing else reaches.
constexpr double kReachable = 0.9;
// Loads and stores that a multiprocessor can do a cycle, a lane each.
constexpr double kMemoryLanes = 32;
// What the L2 cache needs for an atomic operation, of those on one address: a cycle.
constexpr double kCountUs = 5e-4;
// Registers are given out to warps in units.
constexpr int64_t kRegisterUnit = 8;

// Blocks that a multiprocessor has at a time.
int64_t resident_blocks(const Work& work, const Launch& launch, const Gpu& gpu) {
  const int64_t threads = ceil_div(launch.threads, kWarp) * kWarp;
  const int64_t registers = ceil_div(work.registers, kRegisterUnit) * kRegisterUnit;
  int64_t blocks = std::min(gpu.blocks, gpu.threads / threads);
  blocks = std::min(blocks, gpu.registers / (registers * threads));
  if (launch.shared_bytes > 0) blocks = std::min(blocks, gpu.shared_bytes / launch.shared_bytes);
  return std::max<int64_t>(blocks, 1);
}

// Multiply-adds a cycle and multiprocessor; where there are no tensor cores, of the lanes for floats.
double tensor_rate(const Gpu& gpu) { return gpu.tensor_fma > 0 ? gpu.tensor_fma : gpu.f32_lanes; }

}  // namespace

std::string_view bound_name(Bound bound) {
  constexpr std::string_view kNames[] = {"launch",  "memory", "f32",   "f64",     "integer",
                                         "special", "tensor", "issue", "latency", "count"};
  return kNames[static_cast<int>(bound)];
}

double transfer_us(int64_t bytes, const Gpu& gpu) {
  const double gb_per_s =
      bytes <= gpu.l2_bytes / 2 ? std::max(gpu.l2_gb_per_s, gpu.memory_gb_per_s) : gpu.memory_gb_per_s;
  return static_cast<double>(bytes) / (gb_per_s * kReachable * 1e3);
}

Estimate estimate(const Work& work, const Launch& launch, const Gpu& gpu) {
  const int64_t resident = resident_blocks(work, launch, gpu);
  const double at_once = static_cast<double>(gpu.multiprocessors * resident);
  const double blocks = static_cast<double>(launch.blocks);
  // Blocks do not begin together, but for the first of each place.
  const double waves = std::max(1.0, blocks / at_once);
  const double busy = std::min(static_cast<double>(gpu.multiprocessors), blocks);
  const double cycles_a_us = gpu.clock_ghz * 1e3;
  const auto on = [&](double instructions, double lanes) { return instructions / (busy * lanes * cycles_a_us); };
  const double mean_chain = work.mean_chain > 0 ? work.mean_chain : work.chain;
  const std::pair<Bound, double> times[] = {
      {Bound::kMemory, transfer_us(launch.bytes, gpu)},
      {Bound::kF32, on(work.f32, gpu.f32_lanes)},
      {Bound::kF64, on(work.f64, gpu.f64_lanes)},
      {Bound::kInteger, on(work.integer, gpu.integer_lanes)},
      {Bound::kSpecial, on(work.special, gpu.special_lanes)},
      // A block's products are made where it is.
      {Bound::kTensor, work.tensor / blocks * std::ceil(blocks / busy) / (tensor_rate(gpu) * cycles_a_us)},
      {Bound::kIssue, std::max(on(work.instructions(), kSchedulers * static_cast<double>(kWarp)),
                               on(std::max(work.memory, work.turns), kMemoryLanes))},
      {Bound::kLatency, std::max(work.chain, waves * mean_chain) / cycles_a_us},
      {Bound::kCount, static_cast<double>(launch.counted) * kCountUs},
  };
  Estimate result;
  // Of units and schedulers, those of the multiprocessors that have blocks; of these, the room that blocks take.
  const double used = busy / static_cast<double>(gpu.multiprocessors);
  double longest = 0, kept = 0;
  for (const auto& [bound, us] : times) {
    const bool waits = bound == Bound::kLatency || bound == Bound::kCount;
    if (!waits) kept = std::max(kept, bound == Bound::kMemory ? us : us * used);
    if (us <= longest) continue;
    longest = us;
    result.bound = bound;
  }
  kept = std::max(kept, longest * std::min(1.0, blocks / at_once));
  const double after = work.after / cycles_a_us;
  if (after > longest) result.bound = Bound::kLatency;
  if (longest + after < gpu.launch_us) result.bound = Bound::kLaunch;
  result.us = gpu.launch_us + longest + after;
  result.busy = kept / result.us;
  const auto threads = static_cast<double>(ceil_div(launch.threads, kWarp) * kWarp);
  const double here = std::min(static_cast<double>(resident), std::ceil(blocks / busy));
  result.occupancy = here * threads / static_cast<double>(gpu.threads);
  return result;
}

Estimate estimate_resident(const std::vector<Round>& rounds, double waits, const Launch& launch, const Gpu& gpu) {
  Estimate result;
  double longest = waits * kWaitUs;
  result.bound = Bound::kCount;
  result.us = gpu.launch_us + waits * kWaitUs;
  // The launch has the registers of the part that takes most.
  int registers = 0;
  for (const Round& round : rounds) registers = std::max(registers, round.work.registers);
  for (const Round& round : rounds) {
    Launch one = launch;
    one.blocks = round.blocks;
    one.bytes = round.bytes_read + round.bytes_written;
    Work work = round.work;
    work.registers = registers;
    const Estimate part = estimate(work, one, gpu);
    const double us = round.times * (part.us - gpu.launch_us);
    result.us += us;
    result.occupancy = std::max(result.occupancy, part.occupancy);
    if (us <= longest) continue;
    longest = us;
    result.bound = part.bound;
  }
  return result;
}

}  // namespace sinter
