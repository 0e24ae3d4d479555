// solve_triangular<Team, kLower, kUnitDiagonal>(a, x, columns): the first columns of x become those
// of a^-1 x, where a is a lower or upper triangle. The other triangle of a is not read, nor the
// diagonal where it is all ones.
//
// An unknown of every column at a time: it is divided by the diagonal, and its products are taken
// off the unknowns that follow. The team's threads call it together, after a barrier; it ends with
// one.
#pragma once

#include "device/team.cuh"

inline namespace sinter_helpers {

template <class Team, bool kLower, bool kUnitDiagonal, class T, int kSize, int kPitch, int kColumns>
__device__ inline void solve_triangular(const T (&a)[kSize][kPitch], T (&x)[kSize][kColumns],
                                        int columns) {
  for (int step = 0; step < kSize; ++step) {
    const int j = kLower ? step : kSize - 1 - step;
    if constexpr (!kUnitDiagonal) {
      for (int k = Team::rank(); k < columns; k += Team::kThreads) x[j][k] = x[j][k] / a[j][j];
      Team::sync();
    }
    const int end = kLower ? kSize : j;
    for (int i = (kLower ? j + 1 : 0) + Team::warp(); i < end; i += Team::kWarps) {
      for (int k = Team::lane(); k < columns; k += Team::kLanes) x[i][k] -= a[i][j] * x[j][k];
    }
    Team::sync();
  }
}

}  // namespace sinter_helpers
