// Graphs: lists of nodes, which are launches, copies and clears with their arguments, and nodes
// that have graphs as bodies; each comes after some of those before it. One that can be launched is
// a copy of it. Nodes run one at a time, in an order that the edges allow (settings().order).
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cpu/errors.h"
#include "cpu/settings.h"

// Types of the CUDA headers, which emitted C interfaces declare too. Nobody looks into them.
struct CUgraph_st;
struct CUgraphExec_st;
struct CUgraphNode_st;

inline namespace sinter_helpers {

using cudaGraph_t = CUgraph_st*;
using cudaGraphExec_t = CUgraphExec_st*;
using cudaGraphNode_t = CUgraphNode_st*;
using cudaGraphConditionalHandle = unsigned long long;

enum cudaGraphConditionalNodeType { cudaGraphCondTypeIf, cudaGraphCondTypeWhile };
inline constexpr unsigned cudaGraphCondAssignDefault = 1;

namespace sinter_cpu {

// What a handle stands for.
struct Condition {
  unsigned value = 0;
  unsigned at_launch = 0;
  bool is_assigned = false;  // at_launch, when its graph is launched
  bool has_node = false;
};

struct Graph;

struct GraphNode {
  const void* what = nullptr;              // the kernel, or what stands for copies or clears
  std::function<cudaError_t()> work = {};  // of a node that has no body, and is not empty
  Condition* condition = nullptr;
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::shared_ptr<Graph> body = {};
  cudaGraph_t given_body = nullptr;  // it, where the caller reads it
  std::vector<size_t> after = {};    // positions of nodes
};

struct Graph {
  std::vector<std::shared_ptr<GraphNode>> nodes;  // in order
  std::vector<std::shared_ptr<Condition>> conditions;
};

inline Graph* graph_of(void* graph) { return static_cast<Graph*>(graph); }

inline cudaGraphNode_t handle_of(const GraphNode& node) {
  return reinterpret_cast<cudaGraphNode_t>(const_cast<GraphNode*>(&node));
}

// nullopt: one of them is no node of the graph, or is there twice.
inline std::optional<std::vector<size_t>> positions_of(const Graph& graph,
                                                       const cudaGraphNode_t* nodes, size_t count) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < count; ++i) {
    const auto is_it = [&](const auto& node) { return handle_of(*node) == nodes[i]; };
    const auto found = std::find_if(graph.nodes.rbegin(), graph.nodes.rend(), is_it);  // a late one
    if (found == graph.nodes.rend()) return std::nullopt;
    const auto position = static_cast<size_t>(graph.nodes.rend() - found) - 1;
    if (std::find(positions.begin(), positions.end(), position) != positions.end())
      return std::nullopt;
    positions.push_back(position);
  }
  return positions;
}

// After these nodes of it; nullptr if that cannot be.
inline cudaGraphNode_t add_node(Graph& graph, GraphNode node, const cudaGraphNode_t* after,
                                size_t count) {
  std::optional<std::vector<size_t>> positions = positions_of(graph, after, count);
  if (!positions) return nullptr;
  node.after = std::move(*positions);
  graph.nodes.push_back(std::make_shared<GraphNode>(std::move(node)));
  return handle_of(*graph.nodes.back());
}

inline void assign_conditions(const Graph& graph) {
  for (const auto& condition : graph.conditions) {
    if (condition->is_assigned) condition->value = condition->at_launch;
  }
  for (const auto& node : graph.nodes) {
    if (node->body != nullptr) assign_conditions(*node->body);
  }
}

// The next of the nodes that wait for nothing any more: the first, the last or any of them.
inline size_t choose_node(const std::vector<size_t>& ready, uint64_t* random) {
  const Order& order = settings().order;
  if (order.kind == Order::Kind::kForward) return 0;
  if (order.kind == Order::Kind::kReverse) return ready.size() - 1;
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  return (*random >> 33) % ready.size();
}

inline cudaError_t run_nodes(const Graph& graph) {
  std::vector<size_t> waits(graph.nodes.size()), ready;  // for how many nodes; in order
  std::vector<std::vector<size_t>> next(graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    waits[i] = graph.nodes[i]->after.size();
    for (const size_t before : graph.nodes[i]->after) next[before].push_back(i);
    if (waits[i] == 0) ready.push_back(i);
  }
  for (uint64_t random = settings().order.seed; !ready.empty();) {
    const auto chosen = ready.begin() + static_cast<std::ptrdiff_t>(choose_node(ready, &random));
    const size_t position = *chosen;
    ready.erase(chosen);
    const GraphNode& node = *graph.nodes[position];
    if (node.work) {
      if (const cudaError_t error = node.work()) return error;
    }
    while (node.condition != nullptr && node.condition->value != 0) {
      if (const cudaError_t error = run_nodes(*node.body)) return error;
      if (node.type == cudaGraphCondTypeIf) break;
    }
    for (const size_t after : next[position]) {
      if (--waits[after] == 0)
        ready.insert(std::lower_bound(ready.begin(), ready.end(), after), after);
    }
  }
  return cudaSuccess;
}

inline cudaError_t run_graph(const Graph& graph) {
  assign_conditions(graph);
  return run_nodes(graph);
}

// With copies of the bodies; conditions are those of the graph, which kernels have as arguments.
inline Graph copy_of(const Graph& graph) {
  Graph copy;
  copy.conditions = graph.conditions;
  for (const auto& node : graph.nodes) {
    copy.nodes.push_back(std::make_shared<GraphNode>(*node));
    if (node->body != nullptr)
      copy.nodes.back()->body = std::make_shared<Graph>(copy_of(*node->body));
  }
  return copy;
}

inline bool is_complete(const Graph& graph) {
  const bool all = std::all_of(graph.conditions.begin(), graph.conditions.end(),
                               [](const auto& condition) { return condition->has_node; });
  return all && std::all_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) {
           return node->body == nullptr || is_complete(*node->body);
         });
}

// Arguments apart. Conditions are no arguments of their nodes.
inline bool is_alike(const Graph& one, const Graph& other) {
  return std::equal(one.nodes.begin(), one.nodes.end(), other.nodes.begin(), other.nodes.end(),
                    [](const auto& a, const auto& b) {
                      return a->what == b->what && a->condition == b->condition &&
                             a->after == b->after &&
                             (a->body == nullptr || is_alike(*a->body, *b->body));
                    });
}

}  // namespace sinter_cpu

inline cudaError_t cudaDriverGetVersion(int* version) {
  if (const cudaError_t error = sinter_cpu::fault("cudaDriverGetVersion")) return error;
  return *version = sinter_cpu::settings().driver, cudaSuccess;
}

inline cudaError_t cudaGraphGetNodes(cudaGraph_t graph, void*, size_t* count) {
  return *count = sinter_cpu::graph_of(graph)->nodes.size(), cudaSuccess;
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete sinter_cpu::graph_of(graph);
  return sinter_cpu::fault("cudaGraphDestroy");
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                 unsigned long long) {
  *exec = nullptr;
  if (const cudaError_t error = sinter_cpu::fault("cudaGraphInstantiate")) return error;
  const sinter_cpu::Graph& recorded = *sinter_cpu::graph_of(graph);
  if (!sinter_cpu::is_complete(recorded)) return sinter_cpu::result(cudaErrorInvalidValue);
  auto* copy = new sinter_cpu::Graph(sinter_cpu::copy_of(recorded));
  return *exec = reinterpret_cast<cudaGraphExec_t>(copy), cudaSuccess;
}
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  delete sinter_cpu::graph_of(exec);
  return sinter_cpu::fault("cudaGraphExecDestroy");
}

// Arguments may differ, and nothing else.
struct cudaGraphExecUpdateResultInfo {};
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                       cudaGraphExecUpdateResultInfo*) {
  if (const cudaError_t error = sinter_cpu::fault("cudaGraphExecUpdate")) return error;
  sinter_cpu::Graph &now = *sinter_cpu::graph_of(exec), &then = *sinter_cpu::graph_of(graph);
  if (!sinter_cpu::is_alike(now, then)) return sinter_cpu::result(cudaErrorGraphExecUpdateFailure);
  return now = sinter_cpu::copy_of(then), cudaSuccess;
}

// A node that does nothing.
inline cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* added, cudaGraph_t graph,
                                         const cudaGraphNode_t* after, size_t count) {
  if (const cudaError_t error = sinter_cpu::fault("cudaGraphAddEmptyNode")) return error;
  static constexpr char what = 'e';
  *added = sinter_cpu::add_node(*sinter_cpu::graph_of(graph), {.what = &what}, after, count);
  return *added != nullptr ? cudaSuccess : sinter_cpu::result(cudaErrorInvalidValue);
}

// --- nodes about which kernels decide
// -------------------------------------------------------------------------------------------------

inline cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle,
                                                    cudaGraph_t graph, unsigned at_launch,
                                                    unsigned flags) {
  if (const cudaError_t error = sinter_cpu::fault("cudaGraphConditionalHandleCreate")) return error;
  auto condition = std::make_shared<sinter_cpu::Condition>();
  condition->at_launch = at_launch;
  condition->is_assigned = flags == cudaGraphCondAssignDefault;
  sinter_cpu::graph_of(graph)->conditions.push_back(condition);
  return *handle = reinterpret_cast<cudaGraphConditionalHandle>(condition.get()), cudaSuccess;
}

// Of a kernel.
inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value) {
  reinterpret_cast<sinter_cpu::Condition*>(handle)->value = value;
}

enum cudaGraphNodeType { cudaGraphNodeTypeConditional = 13 };
struct cudaGraphEdgeData {};
struct cudaConditionalNodeParams {
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalNodeType type;
  unsigned size;
  cudaGraph_t* phGraph_out;
};
struct cudaGraphNodeParams {
  cudaGraphNodeType type;
  cudaConditionalNodeParams conditional;
};

// A node that kernels decide about; its body is empty.
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* added, cudaGraph_t graph,
                                    const cudaGraphNode_t* after, const cudaGraphEdgeData*,
                                    size_t count, cudaGraphNodeParams* parameters) {
  if (const cudaError_t error = sinter_cpu::fault("cudaGraphAddNode")) return error;
  cudaConditionalNodeParams& given = parameters->conditional;
  auto* condition = reinterpret_cast<sinter_cpu::Condition*>(given.handle);
  if (parameters->type != cudaGraphNodeTypeConditional || given.size != 1 || condition->has_node)
    return sinter_cpu::result(cudaErrorInvalidValue);
  sinter_cpu::GraphNode node = {.condition = condition, .type = given.type};
  node.body = std::make_shared<sinter_cpu::Graph>();
  node.given_body = reinterpret_cast<cudaGraph_t>(node.body.get());
  sinter_cpu::Graph& to = *sinter_cpu::graph_of(graph);
  *added = sinter_cpu::add_node(to, std::move(node), after, count);
  if (*added == nullptr) return sinter_cpu::result(cudaErrorInvalidValue);
  given.phGraph_out = &to.nodes.back()->given_body;
  condition->has_node = true;
  return cudaSuccess;
}

}  // namespace sinter_helpers
