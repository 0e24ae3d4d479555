// The items of a kernel's text before they are statements: one for each variable, loop, reduction, guard block and
// store, each in its scope, with what it must come after.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/kernel/kernel.h"
#include "passes/demand/demand.h"
#include "passes/demand/views/load_runs.h"
#include "passes/lower/text/expressions.h"
#include "passes/lower/text/quotient_pairs.h"
#include "passes/names/source_order.h"

namespace sinter {

struct Item {
  enum class Kind : uint8_t {
    kLet,       // const T x = spelling of node;
    kIndex,     // const int row = spelling of index;
    kSinCos,    // sincosf(x, &sine, &cosine) for node (sine) and second (cosine)
    kDivide,    // divide_twice(n, d, &node, {...}, Divisor(c), &second): quotient_pairs
    kLoop,      // loops[number]
    kReduce,    // reduces[number]
    kGuard,     // node is a kChoose in statement form; `others` are further ones with the same arms
    kBreak,     // if (!condition) break;  of loops[number]
    kAssign,    // slots[slot] of loops[number] takes its next value
    kStack,     // stores of stacks[slot] of loops[number]
    kStore,     // stores[number]
    kPhase,     // phases[number] of a row kernel
    kKeep,      // keeps[slot] of phases[number]
    kExchange,  // node: all threads of the block store their value of it, and wait
    kLanes,     // the elements a thread of a vectorised map kernel takes
    kFew,       // scope `number`: what only the first threads compute and store
  };
  Kind kind = Kind::kLet;
  int scope = 0;
  NodeId node = kNoNode;
  NodeId second = kNoNode;
  std::vector<NodeId> others;
  int number = -1;
  int slot = -1;
  IndexExpr index;
  SourcePlace place;
  std::set<int> after;             // items of the same scope
  bool through_temporary = false;  // kAssign: the next value is taken before any carry is assigned
};

// A vector of neighbours that are read by name: its elements.
struct VectorOfLoads {
  LoadRun run;
  Variable* vector = nullptr;
};

struct Items {
  std::vector<Item> all;
  std::map<NodeId, QuotientPair> quotients;  // by the first, both named
  std::vector<VectorOfLoads> vectors;
  std::vector<std::vector<int>> order;  // scope -> its items, in the order of the text
  std::set<NodeId> named;               // nodes that need a variable
  std::vector<bool> statement_guard;    // scope -> is the arm of a guard block, not of a conditional expression
};

// Decides names and order. Adds Expressions::variables (with name hints) and Expressions::indices.
Items arrange(const Module& module, const DemandGraph& graph, Expressions& expressions);

}  // namespace sinter
