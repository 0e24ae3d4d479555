// An array of a thread that is read or written in as few accesses as its length allows, of up to 16 bytes each.
#pragma once

#include "device/launch.cuh"
#include "device/vector_access.cuh"

inline namespace sinter_helpers {

// So many of `count` elements are one access: a power of two that divides them.
__host__ __device__ constexpr int elements_an_access(int count, int bytes) {
  int elements = 1;
  while (count % (2 * elements) == 0 && 2 * elements * bytes <= 16) elements *= 2;
  return elements;
}

// The N elements from `from` on, which is aligned to an access.
template <class T, int N>
__host__ __device__ inline void load_neighbours(T (&values)[N], const T* from) {
  constexpr int kAccess = elements_an_access(N, sizeof(T));
#pragma unroll
  for (int first = 0; first < N; first += kAccess) {
    const Vector<T, kAccess> vector = load_vector<kAccess>(from + first);
#pragma unroll
    for (int i = 0; i < kAccess; ++i) values[first + i] = vector[i];
  }
}

// `to` is aligned to an access.
template <class T, int N>
__host__ __device__ inline void store_neighbours(T* to, const T (&values)[N]) {
  constexpr int kAccess = elements_an_access(N, sizeof(T));
#pragma unroll
  for (int first = 0; first < N; first += kAccess) {
    Vector<T, kAccess> vector;
#pragma unroll
    for (int i = 0; i < kAccess; ++i) vector[i] = values[first + i];
    store_vector(to + first, vector);
  }
}

}  // namespace sinter_helpers
