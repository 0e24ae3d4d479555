// Contract kernels in tiles without tensor cores (passes/stages/products/simt_form.h).
#pragma once

#include "passes/lower/stages/base/lowered_stage.h"
#include "passes/stages/products/contract.h"
#include "passes/stages/products/simt_form.h"

namespace sinter {

// `form` can have the block's threads (simt_threads).
LoweredStage lower_simt(const StageInput& input, const ContractDemand& demand, const SimtForm& form);

}  // namespace sinter
