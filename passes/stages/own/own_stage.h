// What stages of their own share: ops that no map, row, scan or contract kernel can compute, because their elements
// depend on each other in ways of their own. Such a stage is one instruction and what is computed before it where its
// operands are read, of some also what is computed after it where its elements are stored (epilogue.h); it becomes one
// kernel or several, of threads that follow from its operands alone.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/kernel/work.h"
#include "passes/stages/domain/domain.h"

namespace sinter {

// What the tree says of such a stage, how large it is, and what it takes.
struct OwnStageShape {
  int64_t grid[3] = {1, 1, 1};  // of the first kernel
  int64_t block[3] = {1, 1, 1};
  int64_t most_parts = 1;  // up to how many parts along y a plan may have in place of grid[1]
  // Of tiles that a plan may have in place of these: blocks along x, parts, and threads.
  struct Tiles {
    int64_t blocks = 1, most_parts = 1, threads = 1;
  };
  std::vector<Tiles> others;
  // Threads that belong together, where a block may have fewer of these groups: half of them, a quarter; 0: it may not.
  int64_t group = 0;
  // No thread waits for another: where a launch's blocks are larger, its first threads do what the block's would.
  bool lone_threads = false;
  int64_t nodes = 0;  // of the demand graphs of its operands
  // Of all its launches together: rough, and without what its operands are computed from.
  Work work = {.registers = 40};
};

// Whether blocks of a stage in groups may have so many threads: some of them, or all.
bool may_have_block(const OwnStageShape& shape, int64_t threads);

// The one instruction of a kernel that a stage `takes`; nullptr where there is none, or several.
const Instruction* only_taken(const KernelValues& kernel, bool (*takes)(const Instruction& instruction));

// Which result of `maker` a kernel's output is: `maker` itself, or an element of the tuple that it gives; nullopt:
// none.
std::optional<size_t> result_number(const Instruction& maker, const Instruction& output);

// Ends the demand for a stage's operands. False with `failure` set where their elements cannot be computed where they
// are read: loops and reductions stay outside; `with_loops`, not loops of an element's own steps, of a known number.
bool finish_operands(DemandGraph& graph, std::optional<DemandGraph::Failure>* failure, bool with_loops = false);

// ---- stages of fusions that a pass has made (passes/graph/finish/outline.h) ----

// What the fusion is called with for a parameter of its computation.
const Instruction* argument_of(const Instruction& fusion, const Instruction& parameter);
// Loads of parameters become loads of what the fusion is called with.
void bind_parameters(DemandGraph& graph, const Instruction& fusion);
// An operand that the kernel computes, which would be made again for each block that reads it; nullptr: none.
const Instruction* computed_operand(const KernelValues& kernel, const Instruction& fusion);
// All of each operand is read, in whatever order: counted along a coordinate of as many elements as the largest has.
int64_t largest_operand(const Instruction& fusion);
std::vector<IndexExpr> element_of(const Instruction& operand, const IndexExpr& number);
// They become results of the graph, by a coordinate that it gets; false where one cannot be demanded.
bool demand_whole_operands(const Instruction& fusion, DemandGraph* graph);

}  // namespace sinter
