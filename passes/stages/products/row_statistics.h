// Statistics of the vectors of a product, which are a skinny product's vectors, and of products in tiles the rows of
// one operand: reductions over a vector's own elements that its elements are computed from, as norms have them (sums of
// squares, means, maxima). Each block makes those of the vectors that it multiplies itself, of all of each vector,
// before it multiplies: they cost no launch, and what they normalise is stored nowhere.
//
//   phase 0:  sum of x              numbers: mean = sum / K
//   phase 1:  sum of (x - mean)^2   numbers: scale = rsqrt(sum / K + epsilon)
//   the vectors: (x - mean) * scale * weight
//
// Where the product whose results the vectors are has left what it knows of parts of each (result_rows.h), statistics
// are combined from these, which are few; nothing of the vectors is read for them.
//
// A phase is a pass over the vectors: the reductions that need nothing but numbers of the phases before it. A number is
// what is the same for all elements of a vector and computed from statistics alone; one thread makes it for its block.
// Order of the terms, the same in all blocks of a kernel (StatisticsThreads): a thread's in the order of k, then lanes
// of a warp in pairs, then warps, in order.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "passes/analysis/values/hardware.h"
#include "passes/stages/domain/domain.h"

namespace sinter {

struct RowStatistics {
  struct Statistic {
    const Instruction* reduce = nullptr;
    Opcode combiner = Opcode::kAdd;
  };
  // Where a graph has number `number`: its node is a parameter.
  struct Read {
    NodeId node = kNoNode;
    size_t number = 0;
  };
  struct Number {
    const Instruction* value = nullptr;
    size_t phase = 0;  // after which it is known
    // Computes it, results[0], from statistics, which are parameters: of its phase, or numbers of an earlier one.
    std::unique_ptr<DemandGraph> graph;
    struct Source {
      NodeId node = kNoNode;
      size_t statistic = 0;
    };
    std::vector<Source> statistics;  // of its phase, by their place there
    std::vector<Read> numbers;
    DType dtype() const { return graph->nodes[graph->results[0]].dtype; }
  };
  struct Phase {
    std::vector<Statistic> statistics;
    int64_t terms = 0;                   // of each: those of a vector, or its parts
    std::unique_ptr<DemandGraph> graph;  // results: a term of each, at the coordinates below
    std::vector<Read> reads;
  };

  std::vector<Phase> phases;  // empty: there are no statistics
  std::vector<Number> numbers;
  std::vector<Read> reads;  // of the vectors' own graph
  int64_t width = 1;        // neighbouring terms that a thread has, which arrays give in one access each

  bool empty() const { return phases.empty(); }
  int64_t parts() const;  // of a vector, that some phases combine; 0: none does
  bool has(const Instruction* reduce) const;
};

// How the threads of a block divide the vectors that it makes statistics of.
struct StatisticsThreads {
  int64_t block = 256;     // threads of it
  int64_t vectors = 1;     // of a block
  int64_t of_vector = 32;  // threads that make the statistics of one, a power of two

  int64_t warps() const { return of_vector > kWarp ? of_vector / kWarp : 1; }  // of a vector
  // Whether threads make statistics of several vectors, one after the other.
  bool takes_turns() const { return vectors * of_vector > block; }
};
// Of a struct in shared memory that is aligned so and has other members of so many bytes: after them what warps have of
// a statistic, where a vector has several, and numbers. As many where there are no statistics.
int64_t bytes_with_statistics(int64_t others, int64_t alignment, const RowStatistics& statistics,
                              const StatisticsThreads& threads);

// On reductions of what is known of the parts of a row, which a product's kernel has stored (split_norms): statistics
// of as many terms as a vector has parts, of any number of vectors.
inline constexpr const char* kOfPartsAttribute = "sinter_of_parts";
bool is_of_parts(const Instruction& reduce);

// Coordinates of these graphs, and of an operand's: the batch, the vector, and the place in it.
inline constexpr int kBatchCoordinate = 0, kVectorCoordinate = 1, kTermCoordinate = 2;

// The values that a kernel computes which may be statistics: reductions of one array by one operation.
std::vector<const Instruction*> possible_statistics(const KernelValues& kernel);

// Takes the statistics out of a graph that has `possible` ones as loads: `vectors`, of vectors of `k` elements.
// `context`: the kernel's without them; it outlives what is made. nullopt: some load is no statistic of its vector,
// which is the failure's instruction. `numbers_alone`, unless nullptr: a graph that reads none but numbers of the same
// vectors, `reads_alone`.
std::optional<RowStatistics> take_statistics(const DemandContext& context,
                                             const std::vector<const Instruction*>& possible, int64_t k,
                                             DemandGraph* vectors, std::optional<DemandGraph::Failure>* failure,
                                             DemandGraph* numbers_alone = nullptr,
                                             std::vector<RowStatistics::Read>* reads_alone = nullptr);

}  // namespace sinter
