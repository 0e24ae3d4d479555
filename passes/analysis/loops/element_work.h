// What one element of a value takes to compute, from elements of arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

// A value that is computed for one element of another, and how often.
struct ElementWork {
  Instruction* value = nullptr;
  int64_t times = 1;
};

// The value itself and what it is computed from: elementwise operations, index maps and short reductions, up to the
// arrays and long reductions, which are not among them; users before operands, the nearest of very many.
std::vector<ElementWork> work_of_element(Instruction* value);

// What all of it costs, in adds (op_table.h).
int64_t cost_of(const std::vector<ElementWork>& work);

}  // namespace sinter
