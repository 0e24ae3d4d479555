// BlockTree<kThreads>: blocks reduce what each of them has stored, without waiting for each other.
//
// They are the leaves of a tree in which 16 blocks, or 16 groups of blocks, are a group. The block
// that comes last to a group reduces what the group has and goes up to the next one, so that what
// would take one block long is done by many at a time. The order in which values are combined is
// fixed by the blocks' numbers.
#pragma once

#include "device/last_block.cuh"
#include "device/launch.cuh"

inline namespace sinter_eb34b753 {

template <int kThreads>
class BlockTree {
 public:
  // Block number `block` of `blocks`, of kThreads threads. `finished` has a count for each group:
  // ceil(blocks / 16) of them, as many again of groups of groups, and so on up to one; they are
  // zero before and after.
  __device__ BlockTree(int block, int blocks, unsigned* finished)
      : block_(block), blocks_(blocks), finished_(finished) {}

  // For all threads of a block: whether it is the last one that comes to its next group.
  __device__ bool climb() {
    if (at_top_) return false;
    stride_ = next_stride_;
    next_stride_ = stride_ * kGroup;
    const int group = block_ / next_stride_;
    first_block_ = group * next_stride_;
    rows_ = (blocks_ - first_block_ + stride_ - 1) / stride_;
    if (rows_ > kGroup) rows_ = kGroup;
    at_top_ = next_stride_ >= blocks_;
    unsigned* const of_group = finished_ + group;
    finished_ += (blocks_ + next_stride_ - 1) / next_stride_;
    return is_last_of(of_group, rows_ - 1);
  }

  // After climb(): reduces each column of the group's rows of `parts`, which has a row of `columns`
  // numbers a block, into the group's first row; at the top, combined with `initial`, into
  // `results`.
  template <class T, class Combine>
  __device__ void reduce(T* parts, int columns, T initial, T* results, Combine combine) const {
    reduce_rows(parts + int64_t(first_block_) * columns, int64_t(stride_) * columns, rows_, columns,
                initial, at_top_ ? results : nullptr, combine);
  }

 private:
  static constexpr int kGroup = 16;
  static constexpr int kAtOnce = 4;  // columns of a thread, kThreads apart

  // `rows` rows, `stride` numbers apart, into the first of them; or, if there are any, into
  // `results`.
  template <class T, class Combine>
  __device__ __attribute__((noinline)) static void reduce_rows(T* values, int64_t stride, int rows,
                                                               int columns, T initial, T* results,
                                                               Combine combine) {
    for (int begin = threadIdx.x; begin < columns; begin += kAtOnce * kThreads) {
      T result[kAtOnce];
      load_row(values + begin, columns - begin, result);
      if (rows == kGroup) {  // all loads are under way together
#pragma unroll
        for (int i = 1; i < kGroup; ++i) {
          add_row(values + i * stride + begin, columns - begin, result, combine);
        }
      } else {
        for (int i = 1; i < rows; ++i) {
          add_row(values + i * stride + begin, columns - begin, result, combine);
        }
      }
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) {
        const int column = begin + k * kThreads;
        if (column >= columns) continue;
        if (results != nullptr) {
          results[column] = combine(initial, result[k]);
        } else {
          values[column] = result[k];
        }
      }
    }
  }

  // Of a row the columns of this thread, of which `columns` are left.
  template <class T>
  __device__ static void load_row(const T* values, int columns, T (&result)[kAtOnce]) {
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      if (k * kThreads < columns) result[k] = values[k * kThreads];
    }
  }
  template <class T, class Combine>
  __device__ static void add_row(const T* values, int columns, T (&result)[kAtOnce],
                                 Combine combine) {
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      if (k * kThreads < columns) result[k] = combine(result[k], values[k * kThreads]);
    }
  }

  int block_, blocks_;
  unsigned* finished_;  // of the next groups
  int next_stride_ = 1;
  bool at_top_ = false;
  // The group that the block has come to: its first block, how far apart those with rows are, and
  // how many have one.
  int first_block_ = 0, stride_ = 1, rows_ = 1;
};

}  // namespace sinter_eb34b753
