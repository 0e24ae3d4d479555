#include "passes/schedule/cost/statistics_work.h"

#include <algorithm>
#include <cmath>

#include "ir/values/dtype.h"
#include "passes/analysis/values/hardware.h"
#include "passes/schedule/cost/graph_work.h"

namespace sinter {

StatisticsWork::StatisticsWork(const RowStatistics& statistics) : width_(static_cast<double>(statistics.width)) {
  for (const RowStatistics::Phase& of_terms : statistics.phases) {
    Phase phase = {.term = graph_work(*of_terms.graph),
                   .terms = static_cast<double>(of_terms.terms),
                   .statistics = static_cast<double>(of_terms.statistics.size())};
    for (const DemandNode& node : of_terms.graph->nodes) {
      if (node.kind == DemandNode::Kind::kLoad) phase.bytes += static_cast<double>(dtype_bytes(node.dtype));
    }
    // What is added to a sum; neighbours are loaded in one access.
    phase.term.f32 += phase.statistics;
    if (statistics.width > 1) phase.term.memory = std::min(phase.term.memory, phase.bytes / 4);
    phases_.push_back(phase);
  }
  for (const RowStatistics::Number& number : statistics.numbers) {
    const Work made = graph_work(*number.graph);
    Work& numbers = phases_[number.phase].numbers;
    add(&numbers, made, 1);
    numbers.chain += made.chain;
  }
}

double StatisticsWork::add_rows(const StatisticsThreads& threads, int64_t length, double blocks, double words,
                                Work* work) const {
  double chain = add_to(threads, blocks, work);
  const double terms = static_cast<double>(threads.vectors) * static_cast<double>(length) * blocks;
  for (const Phase& phase : phases_) {
    work->memory += words * terms;
    work->integer += terms / width_;
    // Nothing of memory is waited for.
    if (phase.bytes == 0) chain -= kLoadCycles - kSharedCycles;
  }
  return chain;
}

double StatisticsWork::add_to(const StatisticsThreads& threads, double blocks, Work* work) const {
  const auto vectors = static_cast<double>(threads.vectors);
  const auto of_vector = static_cast<double>(threads.of_vector), warps = static_cast<double>(threads.warps());
  const double turns = std::ceil(vectors * of_vector / static_cast<double>(threads.block));
  const double shuffles = std::log2(static_cast<double>(std::min(threads.of_vector, kWarp)));
  double chain = 0;
  for (const Phase& phase : phases_) {
    const double terms = phase.terms, of_thread = turns * std::ceil(terms / of_vector);
    add(work, phase.term, vectors * terms * blocks);
    add(work, phase.numbers, vectors * blocks);
    // All blocks read all of their vectors, in the L2 cache, which gives a multiprocessor 32 bytes a cycle.
    work->turns += vectors * terms * blocks * phase.bytes;
    chain += kLoadCycles + (std::ceil(of_thread / width_) - 1) * kPipelinedLoadCycles + phase.term.chain +
             2 * of_thread * phase.term.instructions() + turns * phase.statistics * shuffles * kShuffleCycles +
             phase.numbers.chain + kBarrierCycles;
    if (warps > 1) chain += phase.statistics * warps * kSharedCycles + kBarrierCycles;
  }
  return chain;
}

}  // namespace sinter
