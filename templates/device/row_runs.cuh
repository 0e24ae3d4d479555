// Runs of updates that come sorted by the row they are of. A thread takes those of a run one after
// the other, at a column of its own:
//
//   RowRun<float> run;
//   for (each update of the run) {
//     if (run.goes_on(row)) {
//       run.sum += value;
//     } else {
//       if (run.is_whole(kRows)) sums[run.row] += run.sum;
//       run.begin(row, value);
//     }
//   }
//   join_runs(&run, &shared.runs, Add());
//
// A row that begins and ends inside a run is complete there. A run's first row may have begun in
// runs before it, and its last goes on in those that follow: join_runs combines what the runs of a
// block have of a row, in their order, so that the result has the same bits from run to run. However
// many updates a row has, threads have equal shares of them.
#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

template <class T, class Row = int>
struct RowRun {
  int rows = 0;  // that have begun
  Row row = -1;  // the last of them, and what its updates combine to
  T sum = T();
  Row first_row = -1;  // the first of them; where rows > 1, what its updates combine to
  T first = T();

  // Known to join_runs: the row, or -1, whose last update is the one before the run's first; then
  // the run's first row, or -1 where that goes on after the run. What all their updates combine to.
  Row ended_row[2] = {-1, -1};
  T ended[2] = {T(), T()};

  // Whether the next update is of the row that the one before was of.
  __device__ bool goes_on(Row next) const { return rows > 0 && next == row; }

  // Before another row begins: whether the present one, which is one of `count`, began in the run.
  __device__ bool is_whole(Row count) const { return rows > 1 && row >= 0 && row < count; }

  __device__ void begin(Row next, T value) {
    if (rows == 0) first_row = next;
    if (rows == 1) first = sum;
    ++rows;
    row = next;
    sum = value;
  }
};

// The last row of each run of a block, and what the updates of all runs up to it combine to, at
// kLanes columns. A run without updates has those of the run before.
template <class T, int kRuns, int kLanes, class Row = int>
struct SharedRowRuns {
  Row rows[kRuns];
  T sums[kRuns][kLanes];
};

// For all kRuns * kLanes threads of the block: fills `shared`, and what is known to it of `run`.
template <class T, int kRuns, int kLanes, class Row, class Combine>
__device__ inline void join_runs(RowRun<T, Row>* run,
                                 SharedRowRuns<T, kRuns, kLanes, Row>* shared, Combine combine) {
  const int number = threadIdx.x / kLanes;
  const int lane = threadIdx.x % kLanes;
  Row row = run->row;
  T sum = run->sum;
  for (int distance = 1;; distance *= 2) {
    if (lane == 0) shared->rows[number] = row;
    shared->sums[number][lane] = sum;
    __syncthreads();
    if (distance >= kRuns) break;
    if (number >= distance) {
      const Row row_before = shared->rows[number - distance];
      const T before = shared->sums[number - distance][lane];
      if (row < 0) {
        row = row_before;
        sum = before;
      } else if (row == row_before) {
        sum = combine(before, sum);
      }
    }
    __syncthreads();  // all have read what the next step writes
  }
  if (run->rows == 0) return;
  const Row row_before = number > 0 ? shared->rows[number - 1] : -1;
  const T before = number > 0 ? shared->sums[number - 1][lane] : T();
  const bool went_on = row_before == run->first_row;
  if (!went_on) run->ended_row[0] = row_before;
  run->ended[0] = before;
  if (run->rows == 1) return;
  run->ended_row[1] = run->first_row;
  run->ended[1] = went_on ? combine(before, run->first) : run->first;
}

}  // namespace sinter_helpers
