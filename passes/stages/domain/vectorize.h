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

// The same of an access that is written with the first of the lanes in place of `lane`: rows may end between vectors,
// `lane / 64 * kStride + lane % 64`.
bool begins_vector(const DemandGraph& graph, const IndexExpr& offset, int lane, int64_t width);

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

// What collapse_coordinates would leave: of each the coordinate that runs fastest in it, which has its coefficients.
struct CollapsedCoordinate {
  int fastest = -1;
  int64_t extent = 1;
};
std::vector<CollapsedCoordinate> collapsed(const DemandGraph& graph, const std::vector<int>& coordinates);

// A map that reads across its stores, as a transposition does: neighbours in the array that is read are neighbours
// along another coordinate than those of what is stored. A block has a tile of both. It reads the tile as it lies in
// memory, into shared memory, and computes and stores its elements from there, as these lie: each byte moves once.
struct MapTiles {
  std::vector<CollapsedCoordinate> coordinates;  // outermost first; the last has a tile's columns, neighbours in stores
  size_t row = 0;                                // position of that of a tile's rows, neighbours in loads
  int64_t rows = 1, columns = 1;                 // of a tile
  int64_t row_tiles = 1, column_tiles = 1;
  int64_t tiles = 1;          // in all
  std::vector<NodeId> loads;  // that go through shared memory
  int64_t shared_bytes = 0;
  bool wide = false;  // places in the arrays, and beyond a last tile's edge, are no ints
  const CollapsedCoordinate& of_rows() const { return coordinates[row]; }
  const CollapsedCoordinate& of_columns() const { return coordinates.back(); }
};
inline constexpr int64_t kMapTileThreads = 256;
// Elements from the beginning of a tile's column in shared memory to that of the next: so many that lanes that read
// neighbouring columns find them in different banks.
int64_t tile_pitch(int64_t rows, DType dtype);
// Those of so many elements a side; where the array is narrower than that, longer along the other side. nullopt: it
// has no such loads, or threads do not have an element each.
std::optional<MapTiles> map_tiles(const MapDemand& demand, int64_t side);
// The side that a map had better have; 0: none, its threads take `width` neighbours.
int64_t choose_map_tile(const MapDemand& demand, int64_t width);

}  // namespace sinter
