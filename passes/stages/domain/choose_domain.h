// Which domain a kernel has where nobody says: the scheduler's search. Lowering asks it only where a plan leaves that
// open (`over auto`), and for what to propose in place of what does not fit.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "passes/stages/domain/domain.h"

namespace sinter {

// One thread an element of an output, or of what a loop carries: the domain that takes the least time. Loops whose
// elements need each other are run by blocks where no other way is found, or one that takes longer. A thread has one
// element. nullopt with the reason in `failure`, also for a graph of more
// than `most_nodes`.
std::optional<MapDemand> choose_map(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure,
                                    int64_t most_nodes = INT64_MAX);

// Elements that a thread had better take: as many as it may, if enough threads remain.
int64_t vector_width(const MapDemand& demand);

// Set by tests alone: candidates are tried from the last one on, threads take one element and blocks whole rows, loops
// are not unrolled, nothing is computed ahead or kept in a layer. What a plan means does not change (plan_test.cpp).
inline bool choose_otherwise = false;

// The rows of a reduction over neighbouring dimensions: the innermost ones, or, where many elements are reduced to few
// results, others. nullopt for any other reduction.
std::optional<RowExtents> row_extents(const Instruction& value);
// The same of a reduction over more than kShortReduction columns, whose kernel is one of rows; of no other value.
std::optional<RowExtents> long_row_extents(const Instruction& value);
// Whether a value is others of one element each along a dimension, put side by side.
bool stacks_pieces(const Instruction& value);
// Whether a value is such reductions of the same rows side by side, up to 64 of each row, in whatever shape.
bool stacks_sums(const Instruction& value);
// The longest rows that values of the set are reductions of (of those, the most); nullopt if there are none.
std::optional<RowExtents> longest_rows(const std::set<const Instruction*>& values);

}  // namespace sinter
