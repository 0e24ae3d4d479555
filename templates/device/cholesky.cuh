// factor_cholesky<Team>(a): the lower triangle of a becomes L of a = L L^H; the other triangle is
// not read, and holds anything afterwards. The result is, from 1, the first column whose pivot is
// not positive, and 0 where there is none; from that column on L is not a number.
//
// A column at a time: it is divided by the root of its pivot, and its products are taken off what
// is right of it. The team's threads call it together, after a barrier; it ends with one.
#pragma once

#include "device/field.cuh"
#include "device/team.cuh"

inline namespace sinter_helpers {

template <class Team, class T, int kSize, int kPitch>
__device__ inline int factor_cholesky(T (&a)[kSize][kPitch]) {
  int failed = 0;
  for (int j = 0; j < kSize; ++j) {
    const RealPart<T> pivot = real_part(a[j][j]);
    if (!(pivot > 0) && failed == 0) failed = j + 1;
    const RealPart<T> diagonal = sqrt(pivot);
    Team::sync();  // all have read the pivot
    for (int i = j + Team::rank(); i < kSize; i += Team::kThreads) {
      a[i][j] = i == j ? from_real<T>(diagonal) : a[i][j] / diagonal;
    }
    Team::sync();
    for (int i = j + 1 + Team::warp(); i < kSize; i += Team::kWarps) {
      for (int k = j + 1 + Team::lane(); k <= i; k += Team::kLanes)
        a[i][k] -= a[i][j] * conjugate(a[k][j]);
    }
    Team::sync();
  }
  return failed;
}

}  // namespace sinter_helpers
