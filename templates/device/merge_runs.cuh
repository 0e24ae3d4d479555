// merge_runs<kThreads, kItems, kWays>: one tile of the stable merge of groups of kWays sorted runs
// of a row.
//
// Every block finds for itself where its tile begins and ends in each run, brings these parts into
// shared memory and merges them there, two by two. `source(i)` is element i of the row, `before(a,
// b)` says whether a must stand before b; equal elements keep the order of their runs.
#pragma once

#include <cstdint>

#include "device/block_sort.cuh"
#include "device/launch.cuh"

inline namespace sinter_helpers {

// Where the first rank[e] elements of the merge of kWays runs end in each run, for both ends e of a
// tile: between `low` and `high`.
template <int kWays>
struct RunSplits {
  int rank[2];
  int low[2][kWays];
  int high[2][kWays];
};

// Makes low and high one. Run r is elements [r * run, (r + 1) * run) from `first` on, and `low` and
// `high` are indices in it. Each step takes samples of what is between them, evenly spaced, and
// compares every sample with those of the other runs: of k samples a run what is between becomes
// shorter by some k / 2. The block's threads call it together; it ends with a barrier.
template <int kThreads, int kWays, class Source, class T, class Before>
__device__ inline void split_runs(const Source& source, int first, int run,
                                  RunSplits<kWays>& splits, T* samples, Before before) {
  // More samples take fewer steps, of which each takes longer.
  constexpr int kSamples = (kThreads < 128 ? kThreads : 128) / (2 * kWays);  // of a run
  static_assert(kSamples >= 2 && kSamples < 64, "several threads for each run and end");
  // The largest power of two that is not above it.
  constexpr int kFirstStep = kSamples < 4    ? 2
                             : kSamples < 8  ? 4
                             : kSamples < 16 ? 8
                             : kSamples < 32 ? 16
                                             : 32;
  const bool takes_sample = threadIdx.x < 2 * kWays * kSamples;
  const int e = takes_sample ? threadIdx.x / (kWays * kSamples) : 0;
  const int own = threadIdx.x / kSamples % kWays;  // the run that we take a sample of
  const int number = threadIdx.x % kSamples;
  const T* others = samples + e * kWays * kSamples;
  // Where sample i of a run is of which elements [low, low + width) may be either way.
  const auto place = [](int low, int width, int i) {
    const int rest = width % kSamples;
    return low + width / kSamples * i + (i < rest ? i : rest);
  };
  for (;;) {
    __syncthreads();
    int between = 0;
    int low[kWays], width[kWays], below[kWays];
#pragma unroll
    for (int r = 0; r < kWays; ++r) {
      between |= splits.high[0][r] - splits.low[0][r];
      between |= splits.high[1][r] - splits.low[1][r];
      low[r] = splits.low[e][r];
      width[r] = splits.high[e][r] - low[r];
      below[r] = 0;
    }
    if (between == 0) return;
    const int own_low = splits.low[e][own];
    const int own_width = splits.high[e][own] - own_low;
    const bool is_sample = takes_sample && number < own_width;
    const int own_place = place(own_low, own_width, number);
    if (is_sample) samples[threadIdx.x] = source(first + own * run + own_place);
    __syncthreads();

    if (is_sample) {
      // Of each run, samples that stand before ours: a search in all of them, step by step.
      const T sample = samples[threadIdx.x];
#pragma unroll
      for (int step = kFirstStep; step > 0; step /= 2) {
#pragma unroll
        for (int r = 0; r < kWays; ++r) {
          const int next = below[r] + step;
          const bool is_there = next <= kSamples && next <= width[r];
          const T other = others[r * kSamples + (is_there ? next - 1 : 0)];
          const bool is_earlier = r < own;  // equal elements of that run stand before ours
          const bool is_ordered =
              before(is_earlier ? sample : other, is_earlier ? other : sample) != is_earlier;
          below[r] = is_there && is_ordered ? next : below[r];
        }
      }
      // How many elements stand before our sample, at least and at most.
      int least = own_place, most = own_place;
#pragma unroll
      for (int r = 0; r < kWays; ++r) {
        const int after = below[r] == 0 ? low[r] : place(low[r], width[r], below[r] - 1) + 1;
        const int behind =
            below[r] == kSamples ? low[r] + width[r] : place(low[r], width[r], below[r]);
        least += r == own ? 0 : after;
        most += r == own ? 0 : behind;
      }
      if (most < splits.rank[e]) atomicMax(&splits.low[e][own], own_place + 1);
      if (least >= splits.rank[e]) atomicMin(&splits.high[e][own], own_place);
    }
  }
}

// Merges elements [tile_begin, tile_begin + kThreads * kItems) of a row of `count` elements that is
// sorted in runs of `run` elements. `elements` and `space` are in shared memory, of kThreads *
// kItems elements each; returns the one that holds the tile. The block's threads call it together;
// it ends with a barrier.
template <int kThreads, int kItems, int kWays, class Source, class T, class Before>
__device__ inline const T* merge_runs(const Source& source, int count, int run, int tile_begin,
                                      T* elements, T* space, Before before) {
  struct Parts {
    RunSplits<kWays> splits;
    int begin[2 * kWays];  // of a part in the tile; from the last part on, the number of elements
  };
  constexpr int kTile = kThreads * kItems;
  auto& parts = block_shared<Parts>();
  auto& splits = parts.splits;
  const int64_t group = static_cast<int64_t>(run) * kWays;  // of runs that become one
  const int first = static_cast<int>(tile_begin / group * group);
  const int tile_count = count - tile_begin < kTile ? count - tile_begin : kTile;

  if (threadIdx.x < kWays) {
    const int64_t start = first + static_cast<int64_t>(threadIdx.x) * run;
    const int64_t rest = count - start < run ? count - start : run;
    for (int e = 0; e < 2; ++e) {
      splits.low[e][threadIdx.x] = 0;
      splits.high[e][threadIdx.x] = rest < 0 ? 0 : static_cast<int>(rest);
    }
  }
  if (threadIdx.x < 2) {
    splits.rank[threadIdx.x] = tile_begin - first + (threadIdx.x == 0 ? 0 : tile_count);
  }
  split_runs<kThreads>(source, first, run, splits, space, before);
  if (threadIdx.x == 0) {
    int begin = 0;
    for (int r = 0; r < kWays; ++r) {
      parts.begin[r] = begin;
      begin += splits.low[1][r] - splits.low[0][r];
    }
    for (int r = kWays; r < 2 * kWays; ++r) parts.begin[r] = begin;
  }
  __syncthreads();

  // The part of `stride` parts each that holds element i of the tile.
  const auto part_of = [&](int i, int stride) {
    int part = 0;
#pragma unroll
    for (int r = 1; r < kWays; ++r) {
      if (r % stride == 0 && parts.begin[r] <= i) part = r;
    }
    return part;
  };
  T items[kItems];  // all loads are under way before one is waited for
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const int i = k * kThreads + threadIdx.x;
    const int r = part_of(i, 1);
    if (i < tile_count) items[k] = source(first + r * run + splits.low[0][r] + i - parts.begin[r]);
  }
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const int i = k * kThreads + threadIdx.x;
    if (i < tile_count) elements[i] = items[k];
  }

  // Each thread writes kItems elements of merged parts, of one pair of parts or of several.
  T* from = elements;
  T* to = space;
#pragma unroll
  for (int stride = 1; stride < kWays; stride *= 2) {
    __syncthreads();
    int i = threadIdx.x * kItems;
    const int last = i + kItems < tile_count ? i + kItems : tile_count;
    while (i < last) {
      const int part = part_of(i, 2 * stride);
      const int begin = parts.begin[part];
      const int end = part + 2 * stride < kWays ? parts.begin[part + 2 * stride] : tile_count;
      const int middle = part + stride < kWays ? parts.begin[part + stride] : tile_count;
      RunMerge<T> merge(from, begin, middle, end, i - begin, before);
      for (const int stop = last < end ? last : end; i < stop; ++i) to[i] = merge.next(before);
    }
    T* const merged = to;
    to = from;
    from = merged;
  }
  __syncthreads();
  return from;
}

}  // namespace sinter_helpers
