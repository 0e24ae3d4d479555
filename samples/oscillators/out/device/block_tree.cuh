// BlockTree<kThreads>: the blocks of a launch combine what each has stored, without waiting for each other.
//
// Of every 16 blocks the one that finishes last combines what the 16 have, of 16 of these the last
// one does, and so on: what took a single block long is done by many at a time. The order in which
// values are combined is fixed by the blocks' numbers.
#pragma once

#include "device/launch.cuh"

template <int kThreads>
class BlockTree {
 public:
  // Block number `block` of `blocks`, of kThreads threads. `finished` has a count for each group of 16, of 16 groups,
  // and so on, zero before and after.
  __device__ BlockTree(int block, int blocks, unsigned* finished)
      : block_(block), blocks_(blocks), finished_(finished) {}

  // For all threads of a block: whether it is the last of its group. Then it goes on for the group.
  __device__ bool climb() {
    struct Shared {
      bool is_last;
    };
    bool& is_last = block_shared<Shared>().is_last;
    if (at_top_) return false;
    const int width = apart_ * kGroup;
    const int group = block_ / width;
    first_ = group * width;
    of_group_ = (blocks_ - first_ + apart_ - 1) / apart_;
    if (of_group_ > kGroup) of_group_ = kGroup;
    __syncthreads();
    if (threadIdx.x == 0) {
      const unsigned others = of_group_ - 1;
      __threadfence();  // the block's stores come before its count, ...
      is_last = atomicInc(finished_ + group, others) == others;
      __threadfence();  // ... and what it loads after those of the others
    }
    __syncthreads();
    finished_ += (blocks_ + width - 1) / width;
    apart_ = width;
    at_top_ = width >= blocks_;
    return is_last;
  }

  // After climb(): combines, column by column, what the blocks of the group have, `parts` being an
  // array of [blocks, columns]. At the top results[i] becomes column i of all blocks, combined with
  // `initial`.
  template <class T, class Combine>
  __device__ void reduce(T* parts, int columns, T initial, T* results, Combine combine) const {
    constexpr int kAtOnce = 4;  // columns whose loads are under way together
    const int64_t row = int64_t(apart_ / kGroup) * columns;
    T* const of_group = parts + int64_t(first_) * columns;
    for (int first = threadIdx.x; first < columns; first += kAtOnce * kThreads) {
      T result[kAtOnce];
#pragma unroll
      for (int i = 0; i < kGroup; ++i) {
        if (i >= of_group_) break;
        const T* const values = of_group + i * row + first;
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) {
          if (first + k * kThreads >= columns) continue;
          const T value = values[k * kThreads];
          result[k] = i == 0 ? value : combine(result[k], value);
        }
      }
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) {
        const int column = first + k * kThreads;
        if (column >= columns) continue;
        if (at_top_) {
          results[column] = combine(initial, result[k]);
        } else {
          of_group[column] = result[k];
        }
      }
    }
  }

 private:
  static constexpr int kGroup = 16;
  int block_, blocks_;
  unsigned* finished_;           // of the groups that come next
  int apart_ = 1;                // how far the rows of these are apart
  bool at_top_ = false;          // the last group was all blocks
  int first_ = 0, of_group_ = 0; // of the last group: its first block, and how many rows it had
};
