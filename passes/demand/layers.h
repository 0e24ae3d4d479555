// Layers of a thread's own: what the steps of a reduction read and what takes reductions itself to compute, the units
// of a hidden layer, say, is computed once, into an array, and not again for each result of a reduction around it.
//
//   for j: for k: sum += tanh(dot(x, v[k])) * w[k, j]   =>   for k: layer[k] = tanh(dot(x, v[k]))
//                                                            for j: for k: sum += layer[k] * w[k, j]
//
// Which values are layers is said by the schedule tree (`tanh.1:layer`); here is which may be, and how the graph is
// rewritten so.
#pragma once

#include <set>

#include "passes/demand/demand.h"

namespace sinter {

// Values of the steps of a kernel's loops, or that stand beside them.
using Layers = std::set<const Instruction*>;

// Makes those values layers wherever they may be. Gives those that are one somewhere.
Layers keep_layers(DemandGraph* graph, const Layers& said);
// The same of what had better be a layer (is_dear_in_layer): the largest parts of what a reduction's steps read that
// hold something dear.
Layers choose_layers(DemandGraph* graph);

}  // namespace sinter
