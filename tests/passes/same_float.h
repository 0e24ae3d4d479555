// Whether a quotient is what the hardware's division gives.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace sinter {

// Of the same bits, or both not a number.
inline bool same_float(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b) || (std::isnan(a) && std::isnan(b));
}

}  // namespace sinter
