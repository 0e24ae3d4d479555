// Matrices that a thread has in arrays of its own. All loops are unrolled, and no index is first
// known at run time, so that the arrays are registers: what a pivot says is asked of every row.
// Each function gives what its namesake for several threads does (lu.cuh, cholesky.cuh,
// triangular_solve.cuh, qr.cuh), term by term in the same order.
#pragma once

#include "device/field.cuh"

inline namespace sinter_helpers {

// a[i], and a[i][j]: element by element, as the index comes with the data.
template <class T, int kExtent>
__device__ inline T chosen_element(const T (&a)[kExtent], int i) {
  T value = a[0];
#pragma unroll
  for (int k = 1; k < kExtent; ++k) value = k == i ? a[k] : value;
  return value;
}

template <class T, int kRows, int kColumns>
__device__ inline T chosen_element(const T (&a)[kRows][kColumns], int i, int j) {
  T value = chosen_element(a[0], j);
#pragma unroll
  for (int k = 1; k < kRows; ++k) {
    const T of_row = chosen_element(a[k], j);
    value = k == i ? of_row : value;
  }
  return value;
}

// a becomes L and U of P a = L U; the result is, from 1, the first column whose pivot is zero.
template <class T, int kRows, int kColumns, int kSteps>
__device__ inline int factor_small_lu(T (&a)[kRows][kColumns], int (&pivots)[kSteps]) {
  int failed = 0;
#pragma unroll
  for (int j = 0; j < kSteps; ++j) {
    // A NaN is never the larger one, unless it is where the search begins.
    RealPart<T> largest = -1;
    int pivot_row = j;
#pragma unroll
    for (int i = j; i < kRows; ++i) {
      const RealPart<T> size = fabs(real_part(a[i][j])) + fabs(imaginary_part(a[i][j]));
      if (size > largest) {
        largest = size;
        pivot_row = i;
      }
      if (i == j && isnan(size)) largest = static_cast<RealPart<T>>(INFINITY);
    }
#pragma unroll
    for (int i = j + 1; i < kRows; ++i) {
#pragma unroll
      for (int k = 0; k < kColumns; ++k) {
        const T upper = a[j][k];
        const T lower = a[i][k];
        a[j][k] = i == pivot_row ? lower : upper;
        a[i][k] = i == pivot_row ? upper : lower;
      }
    }
    pivots[j] = pivot_row + 1;
    const T pivot = a[j][j];
    if (real_part(pivot) == 0 && imaginary_part(pivot) == 0) {
      if (failed == 0) failed = j + 1;
      continue;
    }
#pragma unroll
    for (int i = j + 1; i < kRows; ++i) {
      a[i][j] = a[i][j] / pivot;
#pragma unroll
      for (int k = j + 1; k < kColumns; ++k) a[i][k] -= a[i][j] * a[j][k];
    }
  }
  return failed;
}

// The rows 0, 1, ... after row j has been exchanged with row pivots[j], for one j after the other.
template <int kSteps, int kSize>
__device__ inline void permute_small(const int (&pivots)[kSteps], int (&permutation)[kSize]) {
#pragma unroll
  for (int i = 0; i < kSize; ++i) permutation[i] = i;
#pragma unroll
  for (int j = 0; j < kSteps && j < kSize; ++j) {
    const int row = permutation[j];
#pragma unroll
    for (int i = 0; i < kSize; ++i) {
      if (i != pivots[j]) continue;
      permutation[j] = permutation[i];
      permutation[i] = row;
    }
  }
}

// The lower triangle of a becomes L of a = L L^H; the result is, from 1, the first column whose
// pivot is not positive, and from it on L is not a number.
template <class T, int kSize>
__device__ inline int factor_small_cholesky(T (&a)[kSize][kSize]) {
  int failed = 0;
#pragma unroll
  for (int j = 0; j < kSize; ++j) {
    const RealPart<T> pivot = real_part(a[j][j]);
    if (!(pivot > 0) && failed == 0) failed = j + 1;
    const RealPart<T> diagonal = sqrt(pivot);
    a[j][j] = from_real<T>(diagonal);
#pragma unroll
    for (int i = j + 1; i < kSize; ++i) a[i][j] = a[i][j] / diagonal;
#pragma unroll
    for (int i = j + 1; i < kSize; ++i) {
#pragma unroll
      for (int k = j + 1; k <= i; ++k) a[i][k] -= a[i][j] * conjugate(a[k][j]);
    }
  }
  return failed;
}

// x becomes a^-1 x, where a is a lower or upper triangle.
template <bool kLower, bool kUnitDiagonal, class T, int kSize, int kColumns>
__device__ inline void solve_small_triangle(const T (&a)[kSize][kSize], T (&x)[kSize][kColumns]) {
#pragma unroll
  for (int step = 0; step < kSize; ++step) {
    const int j = kLower ? step : kSize - 1 - step;
#pragma unroll
    for (int k = 0; k < kColumns; ++k) {
      if constexpr (!kUnitDiagonal) x[j][k] = x[j][k] / a[j][j];
#pragma unroll
      for (int i = kLower ? j + 1 : 0; i < (kLower ? kSize : j); ++i) x[i][k] -= a[i][j] * x[j][k];
    }
  }
}

// Column k of a has v^H a, times `scale`, times v taken off: v is column j, 1 at row j.
template <class T, int kRows, int kColumns>
__device__ inline void reflect_small_column(T (&a)[kRows][kColumns], int j, int k, T scale) {
  T sum = a[j][k];
#pragma unroll
  for (int i = j + 1; i < kRows; ++i) sum += conjugate(a[i][j]) * a[i][k];
  sum = scale * sum;
  a[j][k] -= sum;
#pragma unroll
  for (int i = j + 1; i < kRows; ++i) a[i][k] -= a[i][j] * sum;
}

// a becomes R of a = Q R and, below the diagonal, the vectors of reflectors whose product is Q.
template <class T, int kRows, int kColumns, int kSteps>
__device__ inline void factor_small_qr(T (&a)[kRows][kColumns], T (&scales)[kSteps]) {
  using Real = RealPart<T>;
#pragma unroll
  for (int j = 0; j < kSteps; ++j) {
    Real below = 0;
#pragma unroll
    for (int i = j + 1; i < kRows; ++i) below += squared_size(a[i][j]);
    const T alpha = a[j][j];
    const bool nothing_to_reflect = below == 0 && imaginary_part(alpha) == 0;
    const Real length = sqrt(squared_size(alpha) + below);
    const T beta =
        nothing_to_reflect ? alpha : from_real<T>(real_part(alpha) > 0 ? -length : length);
    const T scale = nothing_to_reflect ? T{} : (beta - alpha) / real_part(beta);
    scales[j] = scale;
    if (nothing_to_reflect) continue;
    a[j][j] = beta;
#pragma unroll
    for (int i = j + 1; i < kRows; ++i) a[i][j] = a[i][j] / (alpha - beta);
#pragma unroll
    for (int k = j + 1; k < kColumns; ++k) reflect_small_column(a, j, k, conjugate(scale));
  }
}

// a, which holds such vectors, becomes as many columns of Q as it has.
template <class T, int kRows, int kColumns, int kSteps>
__device__ inline void multiply_small_reflectors(T (&a)[kRows][kColumns],
                                                 const T (&scales)[kSteps]) {
#pragma unroll
  for (int k = kSteps; k < kColumns; ++k) {
#pragma unroll
    for (int i = 0; i < kRows; ++i) a[i][k] = from_real<T>(i == k ? 1 : 0);
  }
#pragma unroll
  for (int j = kSteps - 1; j >= 0; --j) {
#pragma unroll
    for (int k = j + 1; k < kColumns; ++k) reflect_small_column(a, j, k, scales[j]);
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const T one = from_real<T>(i == j ? 1 : 0);
      a[i][j] = i < j ? one : i == j ? one - scales[j] : -(scales[j] * a[i][j]);
    }
  }
}

}  // namespace sinter_helpers
