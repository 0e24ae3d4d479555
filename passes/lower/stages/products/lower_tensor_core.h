// Contract kernels on tensor cores (passes/stages/products/tensor_core_form.h).
#pragma once

#include "passes/lower/stages/base/lowered_stage.h"
#include "passes/stages/products/contract.h"
#include "passes/stages/products/tensor_core_form.h"

namespace sinter {

// `form` can have the block's threads (warp_tile), and multiplies what the dot's operands are.
LoweredStage lower_tensor_core(const StageInput& input, const ContractDemand& demand, const TensorCoreForm& form);
// Of a form that is `tma`, whose operands can be copied so (tma_tiles.h).
LoweredStage lower_tma(const StageInput& input, const ContractDemand& demand, const TensorCoreForm& form);

}  // namespace sinter
