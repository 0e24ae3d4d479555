// The product of a matrix of few columns and very many rows and another of as many rows, as sums over the rows.
#pragma once

#include "ir/module/module.h"

namespace sinter {

// Makes these of a dot, where it is such a product. The caller has to sort the module's computations.
bool become_sums_of_columns(Instruction& dot);

}  // namespace sinter
