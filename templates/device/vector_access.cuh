// Vector<T, N>: N neighbouring elements that are read or written in one access, of up to 16 bytes.
#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

template <class T, int N>
struct alignas(sizeof(T) * N) Vector {
  static_assert((N & (N - 1)) == 0 && sizeof(T) * N <= 16,
                "an access is 1, 2, 4, 8 or 16 bytes wide");
  T value[N];

  __host__ __device__ T& operator[](int i) { return value[i]; }
  __host__ __device__ const T& operator[](int i) const { return value[i]; }
};

// `from` is aligned to the N elements.
template <int N, class T>
__host__ __device__ inline Vector<T, N> load_vector(const T* from) {
  return *reinterpret_cast<const Vector<T, N>*>(from);
}

// The N elements at `from`, which is aligned to them then, if the condition holds; else zeros.
template <int N, class T>
__host__ __device__ inline Vector<T, N> load_vector_if(bool condition, const T* from) {
  return condition ? load_vector<N>(from) : Vector<T, N>{};
}

// `to` is aligned to the N elements.
template <class T, int N>
__host__ __device__ inline void store_vector(T* to, const Vector<T, N>& vector) {
  *reinterpret_cast<Vector<T, N>*>(to) = vector;
}

}  // namespace sinter_helpers
