// Reductions whose steps a thread makes once for several neighbouring elements (`stage map by 4`): a sum for each, and
// what all of them find alike, the window's position and its tests, once.
//
//   for (ky ...) {                              for (ky ...) {
//     if (outside) continue;               =>     if (outside) continue;
//     conv += x[... + c] * w[... + c];            x_values: 4 neighbours of x, w_values: 4 of w
//   }                                             for (n ...) conv[n] += x_values[n] * w_values[n];
//                                               }
//
// A depthwise convolution or pool of an image whose channels run fastest, a reduction over rows that is too short for
// threads to share. Each element has the terms that it had, in the order that it had them in: the same bits.
//
// The neighbours of the steps are a scope of lanes of their own, in the loops; what follows a reduction stands in the
// lanes behind the loops (split_lanes.h), and reads the sums as elements of an array. Where the window moves along the
// neighbours (channels first), each of them has tests of its own: such steps are made for one element.
#pragma once

#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

// By node: does it depend on the coordinate of the kernel? Scopes are set.
std::vector<bool> nodes_along(const DemandGraph& graph, int coordinate);

// Whether the reduction is a loop whose results depend on the coordinate. `along`: its nodes_along.
bool has_steps_along(const DemandGraph& graph, int reduce, const std::vector<bool>& along);

// Whether neighbours along the coordinate may make its steps together: they differ in what they read and combine, not
// in which steps count, and nothing else stands around the loops.
bool may_share_steps(const DemandGraph& graph, int reduce, const std::vector<bool>& along);

// Makes them do so: `place` is where the first of `width` neighbours is, in the coordinate's place. What reads a result
// reads its element for the neighbour `lane` instead.
void share_steps(DemandGraph* graph, int reduce, int coordinate, const IndexExpr& place, int64_t width, int lane);

// The scope of the neighbours in the reduction's steps; 0: there is none.
int lanes_of_steps(const DemandGraph& graph, const DemandReduce& reduce);
// Whether a scope is that of the neighbours in some reduction's steps; those of a whole map stand in the kernel's own.
bool is_lanes_of_steps(const DemandGraph& graph, int scope);
// Of an element of such sums, the node that is all of them; of any other node, itself.
NodeId sums_of_element(const DemandGraph& graph, NodeId node);
// The coordinate that counts the neighbours of such a scope.
int lane_of_steps(const DemandGraph& graph, int scope);

}  // namespace sinter
