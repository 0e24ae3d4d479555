// From a finished demand graph to the statements of a kernel: which nodes get a variable, in which order, in which
// paragraph, under which name.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "ir/kernel.h"
#include "passes/lower/expressions.h"
#include "passes/schedule/demand.h"

namespace sinter {

struct WriteOptions {
  // Loops by while instruction: how far to unroll (1: not).
  std::map<const Instruction*, int64_t> unroll;
  int indent = 2;
  // Several neighbouring elements a thread: the coordinate of the first is `coordinate`'s variable.
  struct Lanes {
    int coordinate = -1;
    int64_t width = 1;
  };
  std::optional<Lanes> lanes;
};

// Everything after the coordinates: the statements that compute graph.nodes demanded by graph.stores and loops, and
// the stores. `expressions` knows coordinates and buffers; variables are added to it. Names of variables are final.
Block write_block(const Module& module, const DemandGraph& graph, Expressions& expressions, const WriteOptions& options);

}  // namespace sinter
