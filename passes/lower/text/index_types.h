// The types of indices, counters and extents: int where 31 bits are enough, int64_t for arrays of 2^31 elements and
// more. What decides it is here alone; what has int is widened before it is multiplied.
#pragma once

#include <cstdint>
#include <string>

#include "ir/index/index_expr.h"
#include "ir/kernel/kernel.h"

namespace sinter {

// More than a tile, a block's threads or a loop's step: what an extent may be rounded up by.
inline constexpr int64_t kMostRounding = 1 << 16;

// Whether all of a range is an int's.
inline bool fits_int(const IndexRange& range) { return range.low >= -INT32_MAX && range.high <= INT32_MAX; }

// The type of what counts up to `extent`, in steps and past it by less than kMostRounding: of a loop's counter, an
// element's number.
inline DType counter_type(int64_t extent) { return extent <= INT32_MAX - kMostRounding ? DType::kS32 : DType::kS64; }

// Of a constant of that value, which is rounded up to blocks: "int" or "int64_t".
inline std::string extent_type(int64_t extent) { return counter_type(extent) == DType::kS32 ? "int" : "int64_t"; }

// Whether sums of the expression's terms, in the order in which they are spelled, leave the range of int.
bool needs_wide_sum(const IndexExpr& expr);

// Whether the C++ that an expression is spelled as computes in 64 bits.
bool is_wide(const Kernel& kernel, const Expr& expr);

// Extents whose product is a constant of that value, "kRows * kColumns", so that it is computed in its type.
std::string product_spelling(int64_t value, const std::string& spelling);

}  // namespace sinter
