// Indices of neighbours that a thread has several of, from a multiple of their number on: what all of them have, and
// what is of each by itself, a number that is known when their loop is unrolled.
//
//   x[(first + lane) / 2 * 2 + 1]      of four neighbours: elements 1, 1, 3, 3 of the vector of four at `first`
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

// The same of `first` + `lane`, where `first` is a multiple of `width`, with divisions by what divides that apart.
IndexExpr apart_from_lane(const IndexExpr& expr, int first, int lane, int64_t width);

// Elements of one vector of `width` that lanes read in another order than they have.
struct PickedLoad {
  IndexExpr place;  // of the vector's elements, by the lane
  IndexExpr pick;   // which of them a lane reads
};
// Of a load whose index is `apart_from_lane`; nullopt: it is none.
std::optional<PickedLoad> picked_load(const DemandNode& load, int first, int lane, int64_t width);

// Of a graph before neighbours along the coordinate are taken together: which part of lanes computes what stands in a
// scope, where a choice among them is known of each lane. Others are not there.
std::map<int, double> known_arms(const DemandGraph& graph, int coordinate, int64_t width);
// By node: in how many of the lanes its index is another number; 0: in none that is not known.
double own_indices(const DemandGraph& graph, const DemandNode& node, int coordinate, int64_t width);

}  // namespace sinter
