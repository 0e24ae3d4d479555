// lower_bound(sorted, count, value): where among `count` ascending numbers the first that is not
// below `value` stands.
#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

template <class T>
__device__ inline int lower_bound(const T* sorted, int count, T value) {
  int first = 0;
  int last = count;
  while (first < last) {
    const int middle = first + (last - first) / 2;
    if (sorted[middle] < value) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

}  // namespace sinter_helpers
