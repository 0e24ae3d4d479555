// A run as one CUDA graph: whether it can be one, and what its loops that data ends do there. Such a loop is a WHILE
// node, a branch an IF node for each arm; loops that are counted are steps one after the other.
//
// The arguments of a graph's launches stay what they are. So what the host does to pointers between two steps of a loop
// (HostStep::kPoint, kSwap) are copies in a WHILE node: each array of the state has one place in all steps.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "passes/lower/host/host_plan.h"

namespace sinter {

// A pointer, and the pointer or buffer whose array is copied to where it points.
struct ArrayCopy {
  size_t to = 0;
  size_t from = 0;
};

// A kWhile step in a graph.
struct LoopNode {
  // Before the loop: `to` (a pointer that nothing else uses, or a buffer that the steps write) takes over what the
  // pointer `from` points to, which points there from then on.
  std::vector<ArrayCopy> starts;
  std::vector<ArrayCopy> turns;  // at the end of each step, in this order
  size_t moves = 0;              // in place of the body's steps from this one on, which only move pointers
};

struct GraphForm {
  std::string refusal;   // why a run is no graph; empty: it is one
  bool decides = false;  // data decides about a node of it
  bool forks = false;    // some of its steps are side by side (kFork)
  std::map<const HostStep*, LoopNode> loops;
};

GraphForm graph_form(const Program& program);

}  // namespace sinter
