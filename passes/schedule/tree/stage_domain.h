// What a stage of the tree says of its threads, and what that means of a kernel. Where it says nothing, it means a rule
// that no choice of ours moves: of a map, the elements of the last value that its kernel computes, one a thread; of a
// row, the rows of its longest reduction, also one at a time; of a scan, a block walks along whole rows. So a plan
// means the same whatever the scheduler would choose today.
#pragma once

#include <optional>
#include <string_view>

#include "passes/schedule/tree/tree.h"
#include "passes/stages/domain/domain.h"

namespace sinter {

// `said` may be nullptr: nothing. Whether steps of loops are threads is said by the loops' scope.
MapDomain meant_domain(const StageDomain* said, const KernelValues& kernel, bool maps_loops);
// nullopt: nothing is said, and there is no reduction over rows.
std::optional<RowExtents> meant_rows(const StageDomain* said, const KernelValues& kernel);

// What a stage says to mean that: nothing, where that does.
StageDomain said_domain(const MapDomain& domain, const KernelValues& kernel);
StageDomain said_rows(const RowExtents& rows, const KernelValues& kernel);

// Those rows in full.
StageDomain full_rows(const RowExtents& rows);

// What the scheduler would have a map or a row say, a row in a block of so many threads. nullopt, with the reason in
// `failure`, where no domain is possible.
std::optional<StageDomain> choose_stage_domain(const KernelValues& kernel, std::string_view schedule, int64_t block,
                                               std::optional<DemandGraph::Failure>* failure);

// Whether stages of that schedule say which elements are their threads.
bool has_domain(std::string_view schedule);

}  // namespace sinter
