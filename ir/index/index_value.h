// What an index expression is worth, at given coordinates.
#pragma once

#include <cstdint>

#include "ir/index/index_expr.h"
#include "llvm/ADT/ArrayRef.h"

namespace sinter {

// `coordinates`: by id. Runtime values count as 0.
int64_t index_value(const IndexExpr& expr, llvm::ArrayRef<int64_t> coordinates);

}  // namespace sinter
