// What a plan file may get wrong about a stage, whatever its kind.
#pragma once

#include <optional>
#include <string>

#include "passes/lower/stages/base/lowered_stage.h"

namespace sinter {

// What a plan file says of the item cannot be; of a plan that is ours, that is a bug.
std::nullopt_t refuse(const StageInput& input, Loc loc, const std::string& what, const std::string& hint,
                      Diagnostics& diagnostics);
std::nullopt_t refuse(const StageInput& input, const std::string& what, const std::string& hint,
                      Diagnostics& diagnostics);
std::nullopt_t refuse_form(const StageInput& input, const std::string& form,
                           const std::optional<DemandGraph::Failure>& failure, Diagnostics& diagnostics);
// What the item says of its threads, `domain` in full, does not fit; another domain may.
std::nullopt_t refuse_domain(const StageInput& input, const StageDomain& domain,
                             const std::optional<DemandGraph::Failure>& failure, Diagnostics& diagnostics);
// Threads take no groups of so many neighbours as the item says; those of `widest`, and what divides it, they may.
std::nullopt_t refuse_width(const StageInput& input, int64_t widest, Diagnostics& diagnostics);

// Threads of a row, of a tile, or that compute steps ahead, take part in it with their whole warp.
bool has_whole_warps(const StageInput& input);
std::nullopt_t refuse_warps(const StageInput& input, Diagnostics& diagnostics);

// Refuses reductions that one thread makes in too many steps; those of loops of the program are as it says.
bool check_serial_steps(const DemandGraph& graph, Diagnostics& diagnostics);
// Loops of a kernel, and those inside them, are as `demand` has them; without one, threads run them.
bool check_loops(const StageInput& input, const MapDemand* demand, Diagnostics& diagnostics);

}  // namespace sinter
