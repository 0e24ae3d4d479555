// Loops written by passes that expand an operation step by step.
#pragma once

#include <functional>
#include <vector>

#include "passes/graph/base/graph_builder.h"

namespace sinter {

// The state after `trip` steps of `body`, which is given the step (s32[], from 0) and the state. The module has to be
// sorted afterwards.
std::vector<Instruction*> build_loop(
    GraphBuilder& at, Module& module, const std::vector<Instruction*>& initial, int64_t trip,
    const std::function<std::vector<Instruction*>(GraphBuilder&, Instruction*, const std::vector<Instruction*>&)>&
        body);

}  // namespace sinter
