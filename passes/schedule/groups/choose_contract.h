// Choosing how a matrix product is computed.
#pragma once

#include <cstdint>
#include <optional>

#include "passes/schedule/groups/launch_cost.h"
#include "passes/stages/products/contract.h"
#include "passes/stages/products/tensor_core_form.h"

namespace sinter {

// How a contraction is computed: in tiles on tensor cores, or an element a thread (no form).
struct ContractChoice {
  std::optional<TensorCoreForm> form;
  int64_t threads = 0;
  LaunchCost cost;
};
// That takes the least time; without a GPU to ask, an element a thread.
ContractChoice choose_contract(const ContractDemand& demand, const Gpu* gpu);

}  // namespace sinter
