// Updates that are rows of a few elements, as scatters of single elements: part of batch_bins.
#pragma once

#include "ir/module/module.h"

namespace sinter {

// True where the scatter was taken apart; it has no users then.
bool separate_columns_of_bins(Instruction& scatter);

}  // namespace sinter
