// What a kernel takes, as the scheduler asks before it makes a move: its work (work.h) and what is launched for it, and
// the time that a GPU needs for both (estimate.h).
#pragma once

#include "passes/schedule/cost/estimate.h"
#include "passes/stages/domain/domain.h"
#include "passes/stages/products/contract.h"
#include "passes/stages/scans/scan.h"

namespace sinter {

struct LaunchCost {
  Work work;
  Launch launch;
  int64_t launches = 1;  // alike, one after the other, that share the work
};

// Of a demand as it was built. A map's is not changed; a row's is in phases afterwards (split_phases.h): nullopt where
// these compute more than `most_nodes`.
LaunchCost map_cost(const MapDemand& demand);
std::optional<LaunchCost> row_cost(RowDemand* demand, int64_t most_nodes);
LaunchCost contract_cost(const ContractDemand& demand);
LaunchCost scan_cost(const ScanDemand& demand);

double predicted_us(const LaunchCost& cost, const Gpu& gpu);

// Of one launch that divides its blocks among both.
LaunchCost side_by_side(const LaunchCost& a, const LaunchCost& b);
// Of one launch whose last block goes on with `last`, of so many blocks, one after the other.
LaunchCost one_after_the_other(const LaunchCost& cost, const LaunchCost& last);

// Times within this of each other are alike: what is predicted is no finer, and fewer launches are better then.
inline constexpr double kAlike = 1.01;
inline bool is_slower(double together_us, double apart_us) { return together_us > kAlike * apart_us; }

}  // namespace sinter
