// Cholesky factors, for the opcode and for the custom call that JAX emits instead. Internal to ir/evaluate_*.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/literal.h"

namespace sinter {

struct CholeskyResult {
  Literal factor;               // zeros in the other triangle
  std::vector<int64_t> failed;  // by batch entry: 1-based index of the first pivot that is not positive, or 0
};

// Reads the lower or the upper triangle and gives that factor.
CholeskyResult cholesky(const Literal& operand, bool lower);

}  // namespace sinter
