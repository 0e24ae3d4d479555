// What is known of values that are constants, and whole numbers as their types hold them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

// The one value every element has: of a constant with one element, or of a broadcast, reshape, ... of one.
std::optional<Literal> splat_value(const Instruction& instruction);
// The same as a number; integers and pred, or floats.
std::optional<int64_t> splat_integer(const Instruction& instruction);
std::optional<double> splat_real(const Instruction& instruction);

// One element of an array, as a scalar; the index is row-major.
Literal scalar_at(const Literal& array, int64_t index);

// Range of an integer or pred type; u64 stops at INT64_MAX.
int64_t integer_min(DType dtype);
int64_t integer_max(DType dtype);
// `value` reduced modulo 2^bits into the type's range.
int64_t wrap_integer(DType dtype, __int128 value);

// dims without those of size one.
std::vector<int64_t> squeezed_dims(const std::vector<int64_t>& dims);
// Which dimension of an array with dimensions `from` is this one after a reshape to `to`; nullopt where more than
// dimensions of one element come and go, and for one of these.
std::optional<int64_t> dimension_before_reshape(const std::vector<int64_t>& from, const std::vector<int64_t>& to,
                                                int64_t dimension);

// 0, 1, ..., count - 1.
std::vector<int64_t> iota_list(int64_t count);

}  // namespace sinter
