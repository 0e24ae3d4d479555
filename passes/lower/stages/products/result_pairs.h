// What a product's kernel may overwrite with its results.
#pragma once

#include <vector>

#include "passes/lower/write/sharing.h"
#include "passes/stages/products/contract.h"

namespace sinter {

// Arrays that are read where results are stored, an element by the thread that stores the same, and nowhere else: not
// as an operand, of which a tile's threads read one another's.
std::vector<ElementwisePair> result_pairs(const ContractDemand& demand);

}  // namespace sinter
