// Steps of a stencil on a tile of an array, which the threads of a block have in registers: a warp
// some rows of it, a lane neighbouring columns of these.
//
// Cells<T, kRows, kColumns, kAround, kBeside>: a thread's elements, cells[0][0] to
// cells[kRows - 1][kColumns - 1], and copies of kAround rows above and below them and of kBeside
// columns to the left and right: cells[-1][0].
// RowsOfWarps, in shared memory: the first and last rows of each warp, for the warps below and above.
// TileRows, in shared memory: all rows of the tile, of arrays that are mirrored at their borders.
//
// share_rows(cells, rows); __syncthreads(); take_rows(cells, rows); take_columns<kDiagonal>(cells):
// brings the copies. Those that a warp or a lane at the tile's rim has no neighbour for are anything:
// such a tile is that much larger than what is right of it.
#pragma once

#include "device/from_lane.cuh"
#include "device/launch.cuh"
#include "device/vector_access.cuh"

inline namespace sinter_helpers {

// Numbers beyond [0, n) as numbers in it.
__host__ __device__ inline int clamped_index(int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; }
__host__ __device__ inline int wrapped_index(int i, int n) { return (i % n + n) % n; }
// 2 1 | 0 1 2, and 1 0 | 0 1 2.
__host__ __device__ inline int reflected_index(int i, int n) {
  return i < 0 ? -i : i < n ? i : 2 * (n - 1) - i;
}
__host__ __device__ inline int symmetric_index(int i, int n) {
  return i < 0 ? -i - 1 : i < n ? i : 2 * n - 1 - i;
}

template <class T, int kColumns, int kBeside>
struct CellRow {
  T cell[kColumns + 2 * kBeside];
  __device__ T& operator[](int column) { return cell[column + kBeside]; }
  __device__ const T& operator[](int column) const { return cell[column + kBeside]; }
};

template <class T, int kRows, int kColumns, int kAround = 0, int kBeside = 0>
struct Cells {
  using Row = CellRow<T, kColumns, kBeside>;
  Row row[kRows + 2 * kAround];
  __device__ Row& operator[](int number) { return row[number + kAround]; }
  __device__ const Row& operator[](int number) const { return row[number + kAround]; }
};

// A thread's own elements of one row, as one access has them.
template <class T, int kColumns, int kBeside>
__device__ inline Vector<T, kColumns> pack_row(const CellRow<T, kColumns, kBeside>& row) {
  Vector<T, kColumns> packed;
#pragma unroll
  for (int c = 0; c < kColumns; ++c) packed[c] = row[c];
  return packed;
}

template <class T, int kColumns, int kBeside>
__device__ inline void unpack_row(const Vector<T, kColumns>& packed,
                                  CellRow<T, kColumns, kBeside>& row) {
#pragma unroll
  for (int c = 0; c < kColumns; ++c) row[c] = packed[c];
}

// The elements alone: what is around them is not theirs any more.
template <class T, int kRows, int kColumns, int kAround, int kBeside>
__device__ inline void set_cells(Cells<T, kRows, kColumns, kAround, kBeside>& cells,
                                 const Cells<T, kRows, kColumns>& next) {
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
#pragma unroll
    for (int c = 0; c < kColumns; ++c) cells[r][c] = next[r][c];
  }
}

template <class T, int kWarps, int kColumns, int kAround>
struct RowsOfWarps {
  Vector<T, kColumns> first[kWarps][kAround][32], last[kWarps][kAround][32];
};

template <class T, int kWarps, int kRows, int kColumns, int kAround, int kBeside>
__device__ inline void share_rows(const Cells<T, kRows, kColumns, kAround, kBeside>& cells,
                                  RowsOfWarps<T, kWarps, kColumns, kAround>& rows) {
  static_assert(kAround <= kRows);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < kAround; ++k) {
    rows.first[warp][k][lane] = pack_row(cells[k]);
    rows.last[warp][k][lane] = pack_row(cells[kRows - kAround + k]);
  }
}

template <class T, int kWarps, int kRows, int kColumns, int kAround, int kBeside>
__device__ inline void take_rows(Cells<T, kRows, kColumns, kAround, kBeside>& cells,
                                 const RowsOfWarps<T, kWarps, kColumns, kAround>& rows) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int above = warp > 0 ? warp - 1 : 0, below = warp < kWarps - 1 ? warp + 1 : warp;
#pragma unroll
  for (int k = 0; k < kAround; ++k) {
    unpack_row(rows.last[above][k][lane], cells[k - kAround]);
    unpack_row(rows.first[below][k][lane], cells[kRows + k]);
  }
}

// kDiagonal: of the copies of rows above and below too.
template <bool kDiagonal, class T, int kRows, int kColumns, int kAround, int kBeside>
__device__ inline void take_columns(Cells<T, kRows, kColumns, kAround, kBeside>& cells) {
  static_assert(kBeside <= kColumns);
  constexpr int kMore = kDiagonal ? kAround : 0;
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int r = -kMore; r < kRows + kMore; ++r) {
#pragma unroll
    for (int k = 1; k <= kBeside; ++k) {
      cells[r][-k] = from_lane(cells[r][kColumns - k], (lane + 31) % 32);
      cells[r][kColumns - 1 + k] = from_lane(cells[r][k - 1], (lane + 1) % 32);
    }
  }
}

template <class T, int kTileRows, int kColumns>
struct TileRows {
  Vector<T, kColumns> row[kTileRows][32];

  __device__ T operator()(int r, int column) const {
    return row[r][column / kColumns][column % kColumns];
  }
};

template <class T, int kTileRows, int kRows, int kColumns, int kAround, int kBeside>
__device__ inline void share_rows(const Cells<T, kRows, kColumns, kAround, kBeside>& cells,
                                  TileRows<T, kTileRows, kColumns>& tile) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
  for (int r = 0; r < kRows; ++r) tile.row[warp * kRows + r][lane] = pack_row(cells[r]);
}

template <class T, int kTileRows, int kRows, int kColumns, int kAround, int kBeside>
__device__ inline void take_rows(Cells<T, kRows, kColumns, kAround, kBeside>& cells,
                                 const TileRows<T, kTileRows, kColumns>& tile) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
  for (int k = 1; k <= kAround; ++k) {
    const int above = warp * kRows - k, below = warp * kRows + kRows - 1 + k;
    unpack_row(tile.row[above >= 0 ? above : 0][lane], cells[-k]);
    unpack_row(tile.row[below < kTileRows ? below : kTileRows - 1][lane], cells[kRows - 1 + k]);
  }
}

// Cells beyond the borders become what is there once more: of row `mirrored_row(row)` and column
// `mirrored_column(column)`, numbers of the array's, whose element (first_row, first_column) is the
// tile's first. Those that are no other row and column are as they should be.
template <class T, int kTileRows, int kRows, int kColumns, int kAround, int kBeside, class Row,
          class Column>
__device__ inline void mirror_cells(Cells<T, kRows, kColumns, kAround, kBeside>& cells,
                                    const TileRows<T, kTileRows, kColumns>& tile, int first_row,
                                    int first_column, Row mirrored_row, Column mirrored_column) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
  for (int r = -kAround; r < kRows + kAround; ++r) {
#pragma unroll
    for (int c = -kBeside; c < kColumns + kBeside; ++c) {
      const int row = first_row + warp * kRows + r, column = first_column + lane * kColumns + c;
      const int from_row = mirrored_row(row), from_column = mirrored_column(column);
      if (from_row == row && from_column == column) continue;
      cells[r][c] = tile(clamped_index(from_row - first_row, kTileRows),
                         clamped_index(from_column - first_column, 32 * kColumns));
    }
  }
}

}  // namespace sinter_helpers
