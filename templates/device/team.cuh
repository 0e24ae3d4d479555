// The threads that work on one matrix together: a thread, a warp, or a block. A team has kWarps
// warps of kLanes lanes; algorithms spread one dimension over warps and the other over lanes, or a
// single one over all threads by their rank.
#pragma once

#include "device/launch.cuh"
#include "device/warp_reduce.cuh"

inline namespace sinter_helpers {

struct ThreadTeam {
  static constexpr int kWarps = 1;
  static constexpr int kLanes = 1;
  static constexpr int kThreads = 1;
  __device__ static int warp() { return 0; }
  __device__ static int lane() { return 0; }
  __device__ static int rank() { return 0; }
  __device__ static void sync() {}
  template <class T, class Combine>
  __device__ static T reduce(T value, Combine) {
    return value;
  }
};

struct WarpTeam {
  static constexpr int kWarps = 1;
  static constexpr int kLanes = 32;
  static constexpr int kThreads = 32;
  __device__ static int warp() { return 0; }
  __device__ static int lane() { return threadIdx.x % 32; }
  __device__ static int rank() { return lane(); }
  __device__ static void sync() { __syncwarp(); }
  // The values of one warp's lanes combined, in every lane.
  template <class T, class Combine>
  __device__ static T reduce(T value, Combine combine) {
    return warp_reduce(value, combine);
  }
};

template <int kBlock>
struct BlockTeam {
  static constexpr int kWarps = kBlock / 32;
  static constexpr int kLanes = 32;
  static constexpr int kThreads = kBlock;
  __device__ static int warp() { return threadIdx.x / 32; }
  __device__ static int lane() { return threadIdx.x % 32; }
  __device__ static int rank() { return threadIdx.x; }
  __device__ static void sync() { __syncthreads(); }
  template <class T, class Combine>
  __device__ static T reduce(T value, Combine combine) {
    return warp_reduce(value, combine);
  }
};

}  // namespace sinter_helpers
