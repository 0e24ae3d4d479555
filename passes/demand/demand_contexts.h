// Demand graphs of stages that have several, one for each operand or step, and the contexts that these refer to.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

// Kept with the graphs that refer to them.
using DemandContexts = std::vector<std::unique_ptr<DemandContext>>;

// A new one, of a kernel at `level` that computes these values.
DemandContext& add_context(DemandContexts* contexts, const Computation& level, std::set<const Instruction*> computed);

// A coordinate of a graph beside that of the batch.
struct MatrixCoordinate {
  int64_t extent;
  CoordinateRole role;
};

// A graph of an element of a batch of matrices: its coordinates are the matrix, and these two.
std::unique_ptr<DemandGraph> matrix_graph(const DemandContext& context, int64_t batch, MatrixCoordinate first,
                                          MatrixCoordinate second);

}  // namespace sinter
