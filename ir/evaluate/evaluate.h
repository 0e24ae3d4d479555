// The reference evaluator: what a module means (docs/numerics.md). Elementwise ops are correctly rounded where
// HLO defines them so; sums and contractions of f32, f16 and bf16 accumulate in f64.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace sinter {

struct EvaluateLimits {
  int64_t max_steps = int64_t{1} << 40;  // result elements computed, summed over instructions
};

// True if every opcode and dtype in the module can be evaluated; otherwise one error for each that cannot.
bool check_evaluable(const Module& module, Diagnostics& diagnostics);

// The entry's result for these arguments (shapes must match the entry parameters). Call check_evaluable first.
// nullopt with an error if a limit is passed or the constants are elided.
std::optional<Literal> evaluate(const Module& module, const std::vector<Literal>& arguments, Diagnostics& diagnostics,
                                const EvaluateLimits& limits = {});

// One instruction from its operands' values: what constant folding calls. Called computations are evaluated too.
// nullopt if the op cannot be evaluated, or draws from the random state.
std::optional<Literal> evaluate_instruction(const Instruction& instruction, const std::vector<Literal>& operands);

}  // namespace sinter
