// Schedule tree to kernels and host plan.
#pragma once

#include <optional>
#include <string>

#include "ir/support/diagnostics.h"
#include "passes/lower/host/host_plan.h"
#include "passes/lower/stages/base/kept_stages.h"
#include "passes/schedule/tree/tree.h"

namespace sinter {

// The module must outlive the program: kernels point at its instructions. `program_name` is a C identifier. Domains
// that the tree leaves open (`over auto`) are filled in. `kept`: what other trees of the module have been lowered to.
std::optional<Program> lower(const Module& module, Tree* tree, const std::string& program_name,
                             Diagnostics& diagnostics, KeptStages* kept = nullptr);

// Sets the grids that the program's tree leaves open, but for kernels that go by the name of an equal one.
void fill_in_grids(const Program& program, Tree* tree);

}  // namespace sinter
