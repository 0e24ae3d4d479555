// From a finished demand graph to the statements of a kernel: which nodes get a variable, in which order, in which
// paragraph, under which name.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/kernel/kernel.h"
#include "passes/demand/demand.h"
#include "passes/demand/views/records.h"
#include "passes/lower/text/expressions.h"

namespace sinter {

struct WriteOptions {
  // Loops by while instruction: how far to unroll (1: not).
  std::map<const Instruction*, int64_t> unroll;
  // Several neighbouring elements a thread (split_lanes.h).
  struct Lanes {
    int scope = 0;
    int lane = -1;  // coordinate
    int64_t width = 1;
    // A test that all lanes pass or none.
    struct Test : DemandTest {
      bool passes = true;  // or not
      bool operator==(const Test&) const = default;
    };
    // Of neighbours.
    struct Load {
      NodeId node;
      std::optional<std::vector<Test>> tests;  // outermost first, to be read in front of the lanes; nullopt: in them
      IndexExpr place;                         // of the elements that a vector has, ...
      int64_t shift =
          0;  // ... of which lane n reads number n + shift, or, where there is none, its own (shifted_load.h), ...
      std::optional<IndexExpr> pick = {};  // ... or this one, by the lane (lane_places.h)
    };
    std::vector<Load> loads;
    std::function<bool(const IndexExpr&)> aligned;  // may this offset be accessed as a vector?
    Records records;                                // that the neighbours have
  };
  std::optional<Lanes> lanes;
  // A row's threads (split_phases.h).
  struct Rows {
    const Expr* thread = nullptr;  // `threadIdx.x` or `lane`
    Variable* column = nullptr;    // instead, where a thread has at most one: no loop
    std::string name;              // of an element of the row: "column"
    const Expr* count = nullptr;   // how many there are: `kColumns`, or `columns` where the last row is short
    std::string threads_name;      // "kThreads", "kWarp" or "kLanes"
    int64_t threads = 32;
    bool registers = true;  // elements a thread are numbered (kPerThread); else a plain strided loop
    bool exact = false;     // threads divide the columns, or their groups of neighbours
    int64_t width = 1;      // neighbouring elements of a thread, read and written as vectors (row_vectors.h)
    std::string reduce;     // "block_reduce<kThreads>"
    std::string reduce_header;
  };
  std::optional<Rows> rows;
};

// Everything after the coordinates: the statements that compute graph.nodes demanded by graph.stores and loops, and
// the stores. `expressions` knows coordinates and buffers; variables are added to it. Names of variables are final.
// What one thread computes for its block goes to `first`, if there is any.
Block write_block(const Module& module, const DemandGraph& graph, Expressions& expressions, const WriteOptions& options,
                  Block* first = nullptr);

// Shared& shared = block_shared<Shared>();
Variable* declare_shared(Kernel* kernel, Block* block);
// __syncthreads();
Statement block_barrier(Kernel* kernel);

}  // namespace sinter
