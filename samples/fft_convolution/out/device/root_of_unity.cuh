// root_of_unity<T>(k, n): e^(2 pi i k / n) for 0 <= k < n, of n up to 2^28. The angle is brought
// into the first eighth of the circle, so that symmetric roots are exactly symmetric.
#pragma once

#include <cmath>

#include "device/complex.cuh"
#include "device/launch.cuh"

inline namespace sinter_eb34b753 {

template <class T>
__device__ inline Complex<T> root_of_unity(int k, int n) {
  int eighths = 8 * k;  // of the angle, in units of 2 pi / (8 n)
  const bool lower_half = eighths > 4 * n;
  if (lower_half) eighths = 8 * n - eighths;
  const bool left_half = eighths > 2 * n;
  if (left_half) eighths = 4 * n - eighths;
  const bool steep = eighths > n;
  if (steep) eighths = 2 * n - eighths;
  T x, y;
#ifdef SINTER_CPU
  const double angle = 3.14159265358979323846 * eighths / (4.0 * n);
  x = static_cast<T>(std::cos(angle));
  y = static_cast<T>(std::sin(angle));
#else
  if constexpr (sizeof(T) == sizeof(float)) {
    sincospif(static_cast<float>(eighths) / static_cast<float>(4 * n), &y, &x);
  } else {
    sincospi(static_cast<double>(eighths) / (4.0 * n), &y, &x);
  }
#endif
  const T cosine = steep ? y : x;
  const T sine = steep ? x : y;
  return {left_half ? -cosine : cosine, lower_half ? -sine : sine};
}

}  // namespace sinter_eb34b753
