// factor_lu<Team, kColumns>(a, pivots): a becomes L and U of P a = L U, L below the diagonal, where
// it has ones. Step j exchanges row j with row pivots[j] - 1, whose element of column j is the
// largest (complex numbers by the sum of their parts' sizes, as in LAPACK). The result is, from 1,
// the first column whose pivot is zero, and 0 where there is none.
//
// The team's threads call it together, after a barrier; it ends with one.
#pragma once

#include "device/field.cuh"
#include "device/team.cuh"

inline namespace sinter_helpers {

template <class Real>
struct PivotCandidate {
  Real size;
  int row;
};

template <class Team, int kColumns, class T, int kRows, int kPitch, int kSteps>
__device__ inline int factor_lu(T (&a)[kRows][kPitch], int (&pivots)[kSteps]) {
  using Candidate = PivotCandidate<RealPart<T>>;
  int failed = 0;
  for (int j = 0; j < kSteps; ++j) {
    // Every warp looks for itself. A NaN is never the larger one, unless it is where the search
    // begins.
    Candidate best = {-1, j};
    for (int i = j + Team::lane(); i < kRows; i += Team::kLanes) {
      const RealPart<T> size = fabs(real_part(a[i][j])) + fabs(imaginary_part(a[i][j]));
      if (size > best.size) best = {size, i};
      if (i == j && isnan(size)) best = {static_cast<RealPart<T>>(INFINITY), j};
    }
    best = Team::reduce(best, [](Candidate x, Candidate y) {
      return y.size > x.size || (y.size == x.size && y.row < x.row) ? y : x;
    });
    Team::sync();  // all have found it
    for (int k = Team::rank(); k < kColumns && best.row != j; k += Team::kThreads) {
      const T element = a[j][k];
      a[j][k] = a[best.row][k];
      a[best.row][k] = element;
    }
    if (Team::rank() == 0) pivots[j] = best.row + 1;
    Team::sync();
    const T pivot = a[j][j];
    if (real_part(pivot) == 0 && imaginary_part(pivot) == 0) {
      if (failed == 0) failed = j + 1;
      continue;
    }
    for (int i = j + 1 + Team::rank(); i < kRows; i += Team::kThreads) a[i][j] = a[i][j] / pivot;
    Team::sync();
    for (int i = j + 1 + Team::warp(); i < kRows; i += Team::kWarps) {
      for (int k = j + 1 + Team::lane(); k < kColumns; k += Team::kLanes)
        a[i][k] -= a[i][j] * a[j][k];
    }
    Team::sync();
  }
  return failed;
}

// permute_by_pivots<Team>(pivots, permutation): the rows 0, 1, ... after row j has been exchanged
// with row pivots[j], for one j after the other. One thread does it; the team's threads call it
// together, after a barrier, and it ends with one.
template <class Team, int kSteps, int kSize>
__device__ inline void permute_by_pivots(const int (&pivots)[kSteps], int (&permutation)[kSize]) {
  for (int i = Team::rank(); i < kSize; i += Team::kThreads) permutation[i] = i;
  Team::sync();
  for (int j = 0; j < kSteps && Team::rank() == 0; ++j) {
    if (pivots[j] < 0 || pivots[j] >= kSize) continue;
    const int row = permutation[j];
    permutation[j] = permutation[pivots[j]];
    permutation[pivots[j]] = row;
  }
  Team::sync();
}

}  // namespace sinter_helpers
