// merge_runs<kThreads, kItems, kWays>: one tile of the stable merge of groups of kWays sorted runs
// of a row.
//
// Every block finds for itself where its tile begins and ends in each run, brings these parts into
// shared memory and merges them there, two by two. `source(i)` is element i of the row, `before(a,
// b)` says whether a must stand before b; equal elements keep the order of their runs.
#pragma once

#include <cstdint>

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/warp_reduce.cuh"

inline namespace sinter_helpers {

// Where the first `rank` elements of the merge of `runs` runs end in each run. Run r is elements
// [r * run, (r + 1) * run) below `count` from `first` on. A whole warp calls it: lane r returns how
// many elements of run r are among them. At most 32 runs.
template <class Source, class Before>
__device__ inline int split_runs(const Source& source, int first, int count, int run, int runs,
                                 int rank, Before before) {
  const int lane = threadIdx.x % 32;
  const int64_t start = static_cast<int64_t>(lane) * run;
  // Of our run, elements below `low` are among the first `rank`, those from `high` on are not.
  int low = 0;
  int high = lane >= runs || start >= count
                 ? 0
                 : static_cast<int>(count - start < run ? count - start : run);
  const int base = first + static_cast<int>(start < count ? start : 0);
  for (;;) {
    const int widest = warp_reduce(high - low, Maximum());
    if (widest == 0) return low;
    // The middle of the widest window, compared with every other run, halves that window at least.
    const int chosen =
        __ffs(static_cast<int>(__ballot_sync(0xffffffffu, high - low == widest))) - 1;
    const int middle = __shfl_sync(0xffffffffu, low + (high - low) / 2, chosen);
    const auto pivot = source(first + chosen * run + middle);
    // Elements of our run that stand before the pivot.
    int below = low, above = high;
    if (lane == chosen) below = above = middle;
    while (below < above) {
      const int i = below + (above - below) / 2;
      const auto element = source(base + i);
      const bool stands_before = lane < chosen ? !before(pivot, element) : before(element, pivot);
      if (stands_before) {
        below = i + 1;
      } else {
        above = i;
      }
    }
    if (warp_reduce(below, Add()) < rank) {
      low = lane == chosen ? middle + 1 : below;
    } else {
      high = below;
    }
  }
}

// The parts of the runs that a tile is merged from: where they are in the row, and in the tile.
template <int kWays>
struct MergeParts {
  int from[kWays];
  int begin[2 * kWays];  // of part r; from the last part on, the number of elements
};

// Merges elements [tile_begin, tile_begin + kThreads * kItems) of a row of `count` elements that is
// sorted in runs of `run` elements, into `elements` in shared memory. The block's threads call it
// together; it ends with a barrier. Returns how many elements there are.
template <int kThreads, int kItems, int kWays, class Source, class T, class Before>
__device__ inline int merge_runs(const Source& source, int count, int run, int tile_begin,
                                 T* elements, Before before) {
  static_assert(kThreads >= 64 && kWays <= 32,
                "a warp finds where the tile begins, another where it ends");
  constexpr int kTile = kThreads * kItems;
  auto& parts = block_shared<MergeParts<kWays>>();
  const int64_t group = static_cast<int64_t>(run) * kWays;  // of runs that become one
  const int first = static_cast<int>(tile_begin / group * group);
  const int group_count = static_cast<int>(count - first < group ? count - first : group);
  const int tile_count = count - tile_begin < kTile ? count - tile_begin : kTile;

  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (warp < 2) {
    const int rank = tile_begin - first + (warp == 0 ? 0 : tile_count);
    const int split = split_runs(source, first, group_count, run, kWays, rank, before);
    if (lane < kWays) {
      if (warp == 0) parts.from[lane] = split;
      if (warp == 1) parts.begin[lane] = split;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    int begin = 0;
    for (int r = 0; r < kWays; ++r) {
      const int size = parts.begin[r] - parts.from[r];
      parts.from[r] += size == 0 ? 0 : first + r * run;
      parts.begin[r] = begin;
      begin += size;
    }
    for (int r = kWays; r < 2 * kWays; ++r) parts.begin[r] = begin;
  }
  __syncthreads();

  // The part of `stride` parts each that holds element i of the tile.
  const auto part_of = [&](int i, int stride) {
    int part = 0;
    while (part + stride < kWays && parts.begin[part + stride] <= i) part += stride;
    return part;
  };
  for (int i = threadIdx.x; i < tile_count; i += kThreads) {
    const int part = part_of(i, 1);
    elements[i] = source(parts.from[part] + i - parts.begin[part]);
  }
  __syncthreads();

  // Every element goes to its place among those of its part and of the neighbour it is merged with.
  for (int stride = 1; stride < kWays; stride *= 2) {
    T items[kItems];
    int places[kItems];
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      const int i = k * kThreads + threadIdx.x;
      if (i >= tile_count) break;
      items[k] = elements[i];
      const int part = part_of(i, stride);
      const bool is_left = part / stride % 2 == 0;
      const int other = is_left ? part + stride : part - stride;
      int below = other < kWays ? parts.begin[other] : tile_count;
      int above = other + stride < kWays ? parts.begin[other + stride] : tile_count;
      const int other_begin = below;
      while (below < above) {
        const int middle = below + (above - below) / 2;
        const bool stands_before =
            is_left ? before(elements[middle], items[k]) : !before(items[k], elements[middle]);
        if (stands_before) {
          below = middle + 1;
        } else {
          above = middle;
        }
      }
      places[k] = is_left ? i + below - other_begin : i - parts.begin[part] + below;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      if (k * kThreads + threadIdx.x < static_cast<unsigned>(tile_count))
        elements[places[k]] = items[k];
    }
    __syncthreads();
  }
  return tile_count;
}

}  // namespace sinter_helpers
