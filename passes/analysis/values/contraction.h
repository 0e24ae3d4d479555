// Which product an addition or subtraction contracts with, in one rounding: what choose_fma notes on the HLO.
#pragma once

#include <cstddef>
#include <optional>

#include "ir/module/module.h"

namespace sinter {

inline constexpr const char* kContractionAttribute = "sinter_fma";

// The operand of `sum` that is the product; nullopt if it contracts with none.
std::optional<size_t> contracted_product(const Instruction& sum);
// True for such a product: it has no value of its own.
bool is_contracted(const Instruction& product);

}  // namespace sinter
