// Loads of a stencil: neighbours of elements that a thread has several of, which are mostly among those that it reads
// anyway.
//
//   x[row * 4096 + (column + 1) % 4096]      of four neighbouring columns: three of the four that begin at `column`,
//   and
//                                            one more
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "passes/demand/demand.h"
#include "passes/stages/domain/vectorize.h"

namespace sinter {

struct ShiftedLoad {
  int64_t shift = 0;  // lane n reads element n + shift of the vector, where it has one; its own index elsewhere
  IndexExpr place;    // of the vector's elements, by the coordinate: neighbours, from a multiple of the width on
  // What the vector stands behind, outermost first: tests that all lanes pass or none.
  std::vector<ArmOf> arms;
};

// Of a load that reads other elements than its neighbours' lanes begin at: elements of an aligned vector of `width`,
// 0 < |shift| < width, around the array, as far as it goes, or mirrored at its borders. The vector is inside of the
// array wherever its arms are passed. nullopt for any other load. `arms`: arms_by_scope of the graph.
std::optional<ShiftedLoad> shifted_load(const DemandGraph& graph, const std::map<int, ArmOf>& arms,
                                        const DemandNode& load, int coordinate, int64_t width);

// By node: in which part of so many lanes it is computed. An index of shifted loads alone is where these have no
// element of the vector.
std::vector<double> lane_shares(const DemandGraph& graph, int coordinate, int64_t width);

}  // namespace sinter
