#pragma once

#include <cstdint>

namespace sinter {

// a / b, rounded up; both positive.
inline constexpr int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace sinter
