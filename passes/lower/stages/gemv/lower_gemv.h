// Contract kernels of a few vectors times a matrix (passes/stages/products/gemv_form.h).
#pragma once

#include "passes/lower/stages/base/lowered_stage.h"
#include "passes/stages/products/gemv_form.h"

namespace sinter {

// `form` can have the block's threads (gemv_threads).
LoweredStage lower_gemv(const StageInput& input, const ContractDemand& demand, const GemvForm& form);

}  // namespace sinter
