// factor_qr<Team, kColumns>(a, scales): a becomes R of a = Q R and, below the diagonal, the vectors
// of Householder's reflectors I - scales[j] v v^H, v = (1, what is below), whose product is Q.
// multiply_reflectors<Team, kColumns>(a, scales): a, which holds such vectors, becomes as many
// columns of Q as it has.
//
// The team's threads call either together, after a barrier; it ends with one.
#pragma once

#include "device/field.cuh"
#include "device/team.cuh"

inline namespace sinter_helpers {

// Column k of a has v^H a, times `scale`, times v taken off: v is column j, 1 at row j. A warp
// calls it for a column.
template <class Team, class T, int kRows, int kPitch>
__device__ inline void reflect_column(T (&a)[kRows][kPitch], int j, int k, T scale) {
  T sum = Team::lane() == 0 ? a[j][k] : T{};
  for (int i = j + 1 + Team::lane(); i < kRows; i += Team::kLanes)
    sum += conjugate(a[i][j]) * a[i][k];
  sum = scale * Team::reduce(sum, [](T x, T y) { return x + y; });
  if (Team::lane() == 0) a[j][k] -= sum;
  for (int i = j + 1 + Team::lane(); i < kRows; i += Team::kLanes) a[i][k] -= a[i][j] * sum;
}

template <class Team, int kColumns, class T, int kRows, int kPitch, int kSteps>
__device__ inline void factor_qr(T (&a)[kRows][kPitch], T (&scales)[kSteps]) {
  using Real = RealPart<T>;
  for (int j = 0; j < kSteps; ++j) {
    Real below = 0;  // every warp sums for itself
    for (int i = j + 1 + Team::lane(); i < kRows; i += Team::kLanes) below += squared_size(a[i][j]);
    below = Team::reduce(below, [](Real x, Real y) { return x + y; });
    const T alpha = a[j][j];
    const bool nothing_to_reflect = below == 0 && imaginary_part(alpha) == 0;
    const Real length = sqrt(squared_size(alpha) + below);
    const T beta =
        nothing_to_reflect ? alpha : from_real<T>(real_part(alpha) > 0 ? -length : length);
    const T scale = nothing_to_reflect ? T{} : (beta - alpha) / real_part(beta);
    Team::sync();  // all have read the column
    for (int i = j + Team::rank(); i < kRows && !nothing_to_reflect; i += Team::kThreads) {
      a[i][j] = i == j ? beta : a[i][j] / (alpha - beta);
    }
    if (Team::rank() == 0) scales[j] = scale;
    Team::sync();
    for (int k = j + 1 + Team::warp(); k < kColumns && !nothing_to_reflect; k += Team::kWarps) {
      reflect_column<Team>(a, j, k, conjugate(scale));
    }
    Team::sync();
  }
}

// Backwards, in place: reflector j changes columns from j on, of which column j held its vector.
template <class Team, int kColumns, class T, int kRows, int kPitch, int kSteps>
__device__ inline void multiply_reflectors(T (&a)[kRows][kPitch], const T (&scales)[kSteps]) {
  for (int k = kSteps + Team::warp(); k < kColumns; k += Team::kWarps) {
    for (int i = Team::lane(); i < kRows; i += Team::kLanes) a[i][k] = from_real<T>(i == k ? 1 : 0);
  }
  Team::sync();
  for (int j = kSteps - 1; j >= 0; --j) {
    for (int k = j + 1 + Team::warp(); k < kColumns; k += Team::kWarps)
      reflect_column<Team>(a, j, k, scales[j]);
    Team::sync();
    for (int i = Team::rank(); i < kRows; i += Team::kThreads) {
      const T one = from_real<T>(i == j ? 1 : 0);
      a[i][j] = i < j ? one : i == j ? one - scales[j] : -(scales[j] * a[i][j]);
    }
    Team::sync();
  }
}

}  // namespace sinter_helpers
