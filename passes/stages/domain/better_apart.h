// What had better have a kernel of its own, though threads of elements or of rows can compute it: the scheduler asks,
// and a plan file may say otherwise. nullopt where there is nothing of the kind; else that value, and why.
#pragma once

#include <optional>

#include "passes/stages/domain/domain.h"

namespace sinter {

std::optional<DemandGraph::Failure> better_apart(const MapDemand& demand);
std::optional<DemandGraph::Failure> better_apart(const KernelValues& kernel, const RowDemand& demand);

}  // namespace sinter
