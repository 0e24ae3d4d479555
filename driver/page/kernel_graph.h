// Which kernel reads what which other writes, as the host plan has it.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "passes/lower/host/host_plan.h"

namespace sinter {

struct KernelGraph {
  // What is launched: a kernel, however often, or the call of a library.
  struct Node {
    std::optional<size_t> kernel;     // of Program::kernels
    const HostStep* first = nullptr;  // the first step that launches it
  };
  struct Edge {
    size_t from = 0, to = 0;
    std::vector<size_t> buffers;  // that the one writes and the other reads, in the plan's order
    bool operator<(const Edge& other) const { return from != other.from ? from < other.from : to < other.to; }
  };
  std::vector<Node> nodes;  // in the order of their first launches
  std::vector<Edge> edges;  // in the order of `from`, then of `to`; a node may read what an earlier launch of it wrote
};

KernelGraph kernel_graph(const Program& program);

// The kernel that writes each buffer first, through pointers too; of those that no kernel writes, nullopt.
std::vector<std::optional<size_t>> first_writers(const Program& program);

}  // namespace sinter
