#include "passes/stages/own/sort_work.h"

#include <algorithm>
#include <cmath>

#include "passes/analysis/values/latencies.h"

namespace sinter {

namespace {

constexpr double kStepInstructions = 9;    // to merge an element, or to halve what is searched, without the comparison
constexpr double kRoundInstructions = 40;  // a thread's, between two rounds of merges
constexpr double kConflicts = 4;           // lanes of a warp that want one bank, where they read anywhere
constexpr double kCachedLoadCycles = 300;  // of a run that was written just before
constexpr double kStepCycles = 60;         // a load of shared memory, a comparison and what follows from it
constexpr double kSplitThreads = 128;      // as merge_runs.cuh has it: that take samples
constexpr double kTotalOrderWork = 7;      // a key of each side, and the comparison of both

double log2_of(double x) { return std::log2(std::max(x, 2.0)); }

// So many rounds in each of which two runs become one, searched in `steps` steps all together.
Work rounds_work(const SortedBlocks& sorted, double rounds, double steps) {
  const auto items = static_cast<double>(sorted.items), words = std::max(1.0, static_cast<double>(sorted.bytes) / 4);
  const double threads = static_cast<double>(sorted.blocks * sorted.elements) / items;
  Work work;
  const double each = kStepInstructions + sorted.comparison + words;
  work.integer = threads * (rounds * (items * each + kRoundInstructions) + steps * each);
  work.memory = threads * (rounds * items * words * (kConflicts + 1) + steps * 2 * kConflicts);
  work.chain = rounds * (items * kStepCycles + 2 * kBarrierCycles) + steps * kStepCycles;
  return work;
}

}  // namespace

double comparison_work(const Computation& comparator) {
  double work = 0;
  for (const Instruction& instruction : comparator.instructions()) {
    if (instruction.opcode == Opcode::kParameter || instruction.opcode == Opcode::kConstant) continue;
    const bool total = instruction.opcode == Opcode::kCompare && is_float(instruction.operand(0)->shape.dtype) &&
                       instruction.attributes->comparison_type.value_or("") == "TOTALORDER";
    work += total ? kTotalOrderWork : 1;
  }
  return work;
}

Work block_sort_work(const SortedBlocks& sorted) {
  const auto items = static_cast<double>(sorted.items);
  const double rounds = std::ceil(std::log2(std::max(1.0, static_cast<double>(sorted.elements) / items)));
  // A round's search is in runs twice as long as the last one's.
  Work work = rounds_work(sorted, rounds, rounds * log2_of(items) + rounds * (rounds - 1) / 2);
  const double threads = static_cast<double>(sorted.blocks * sorted.elements) / items;
  const double exchange = sorted.comparison + 4;
  work.integer += threads * items * (items * exchange / 2 + 8);
  work.memory += threads * items * 4;
  work.chain += items * (items * exchange / 2 + 2 * kArithmeticCycles) + 2 * kLoadCycles;
  return work;
}

Work merge_work(const SortedBlocks& sorted, int64_t run, int64_t ways) {
  const auto parts = static_cast<double>(ways);
  const double rounds = std::ceil(log2_of(parts));
  Work work = rounds_work(sorted, rounds, rounds * log2_of(static_cast<double>(sorted.elements) / 2));
  const double samples = kSplitThreads / (2 * parts);
  const double splits = std::log2(parts * static_cast<double>(run)) / std::max(1.0, std::log2(samples / 2)) + 1;
  const double split =
      parts * ((log2_of(samples) + 1) * (kStepInstructions + sorted.comparison) + 2 * kStepInstructions);
  work.integer += static_cast<double>(sorted.blocks) * kSplitThreads * splits * split;
  work.memory += static_cast<double>(sorted.blocks * sorted.elements) * 4;
  work.chain += splits * (kCachedLoadCycles + split + 2 * kBarrierCycles) + kCachedLoadCycles + kLoadCycles;
  return work;
}

void add_work(const Work& work, Work* sum) {
  sum->integer += work.integer;
  sum->memory += work.memory;
  sum->chain += work.chain;
}

}  // namespace sinter
