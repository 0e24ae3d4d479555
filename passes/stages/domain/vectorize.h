// Whether the threads of a map kernel may take several neighbouring elements each, with 16-byte accesses.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "passes/stages/domain/domain.h"

namespace sinter {

// Elements a thread may take along the last dimension of the domain: 1, or a power of two, and what divides it, such
// that contiguous accesses are at most 16 bytes, and every row is whole accesses.
int64_t widest_vector(const MapDemand& demand);

// The loops of a map whose steps neighbours along its last coordinate make together (lane_steps.h): the scopes that
// their steps stand in. nullopt if there is one that they may not, or whose operands are no vectors of `width`.
std::optional<std::set<int>> scopes_of_shared_steps(const MapDemand& demand, int64_t width);

// Of is_vector_offset, where there is no such coordinate.
inline constexpr int kNoBase = -1;

// True of neighbouring elements for neighbouring values of the coordinate `lane` that begin, where `lane` is a multiple
// of `width`, at a multiple of `width`; so is the coordinate `base`, if it is there. The access stands in front of the
// lanes: nothing else in it may depend on them, be it by an index that each of them reads.
bool is_vector_offset(const DemandGraph& graph, const IndexExpr& offset, int lane, int base, int64_t width);

// Elements that loads of the graph are read by in one access of up to 16 bytes, along something of this extent: as many
// as the narrowest of those has of which `fits` takes several; 1 where there is none.
int64_t common_vector(const DemandGraph& graph, int64_t extent,
                      const std::function<bool(const DemandNode& load, int64_t width)>& fits);

// So many steps of the reduction's innermost loop read what is side by side along it in one access of up to 16 bytes:
// 1, or a power of two that divides its extent. More than one where neighbouring threads read apart, who would come to
// the same lines again in each step.
int64_t widest_step_vector(const DemandGraph& graph, const DemandReduce& reduce);
// True if a load of the reduction's steps is read so.
bool is_step_vector(const DemandGraph& graph, const DemandReduce& reduce, const DemandNode& load, int64_t width);

// The expression with another in a coordinate's place.
IndexExpr with_coordinate(const IndexExpr& expr, int coordinate, const IndexExpr& place);

// Every index expression of the graph.
void visit_exprs(DemandGraph* graph, const std::function<void(IndexExpr&)>& visit);

// True if neighbouring values of the coordinate `lane`, from a multiple of `width` on, find the same in the choice's
// test.
bool is_same_for_lanes(const DemandGraph& graph, const DemandNode& choice, int lane, int64_t width);

// True if the load reads an element of its array whatever its coordinates are: it may stand in front of its test.
bool is_inside_array(const DemandNode& load);

// By the scope of an arm: the choice, and whether it is the arm of what passes the test.
struct ArmOf {
  NodeId choice = kNoNode;
  bool passes = true;
};
std::map<int, ArmOf> arms_by_scope(const DemandGraph& graph);

// The collapsed domain: neighbouring dimensions that every access treats as one are one coordinate.
// Rewrites the graph's index expressions; returns the coordinates left, outermost first.
std::vector<int> collapse_coordinates(DemandGraph* graph, const std::vector<int>& coordinates);

}  // namespace sinter
