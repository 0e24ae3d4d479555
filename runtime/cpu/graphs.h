// Graphs: lists of nodes, which are launches, copies and clears with their arguments, and nodes
// that have graphs as bodies. One that can be launched is a copy of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
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
  std::function<cudaError_t()> work = {};  // of a node without a body
  Condition* condition = nullptr;
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::shared_ptr<Graph> body = {};
  cudaGraph_t given_body = nullptr;  // it, where the caller reads it
};

struct Graph {
  std::vector<std::shared_ptr<GraphNode>> nodes;  // in order
  std::vector<std::shared_ptr<Condition>> conditions;
};

inline Graph* graph_of(void* graph) { return static_cast<Graph*>(graph); }

inline cudaGraphNode_t last_of(const Graph& graph) {
  return graph.nodes.empty() ? nullptr
                             : reinterpret_cast<cudaGraphNode_t>(graph.nodes.back().get());
}

// True if what comes after these nodes comes after all of the graph.
inline bool follows(CUgraph_st& graph, const cudaGraphNode_t* after, size_t count) {
  const cudaGraphNode_t last = last_of(*graph_of(&graph));
  return last == nullptr ? count == 0 : count == 1 && after[0] == last;
}

inline void assign_conditions(const Graph& graph) {
  for (const auto& condition : graph.conditions) {
    if (condition->is_assigned) condition->value = condition->at_launch;
  }
  for (const auto& node : graph.nodes) {
    if (node->body != nullptr) assign_conditions(*node->body);
  }
}

inline cudaError_t run_nodes(const Graph& graph) {
  for (const auto& node : graph.nodes) {
    if (node->condition == nullptr) {
      if (const cudaError_t error = node->work()) return error;
      continue;
    }
    while (node->condition->value != 0) {
      if (const cudaError_t error = run_nodes(*node->body)) return error;
      if (node->type == cudaGraphCondTypeIf) break;
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

// A node that kernels decide about, after all others; its body is empty.
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* added, cudaGraph_t graph,
                                    const cudaGraphNode_t* after, const cudaGraphEdgeData*,
                                    size_t count, cudaGraphNodeParams* parameters) {
  if (const cudaError_t error = sinter_cpu::fault("cudaGraphAddNode")) return error;
  cudaConditionalNodeParams& given = parameters->conditional;
  auto* condition = reinterpret_cast<sinter_cpu::Condition*>(given.handle);
  if (parameters->type != cudaGraphNodeTypeConditional || given.size != 1 || condition->has_node ||
      !sinter_cpu::follows(*graph, after, count)) {
    return sinter_cpu::result(cudaErrorInvalidValue);
  }
  condition->has_node = true;
  auto node = std::make_shared<sinter_cpu::GraphNode>();
  node->condition = condition;
  node->type = given.type;
  node->body = std::make_shared<sinter_cpu::Graph>();
  node->given_body = reinterpret_cast<cudaGraph_t>(node->body.get());
  given.phGraph_out = &node->given_body;
  *added = reinterpret_cast<cudaGraphNode_t>(node.get());
  sinter_cpu::graph_of(graph)->nodes.push_back(std::move(node));
  return cudaSuccess;
}

}  // namespace sinter_helpers
