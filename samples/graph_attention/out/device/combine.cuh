// The ways to combine two values, as function objects for reductions: warp_reduce(value, Add()).
#pragma once

#include <type_traits>

#include "device/launch.cuh"
#include "device/maximum.cuh"

inline namespace sinter_eb34b753 {

struct Add {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, bool>) {
      return a || b;
    } else if constexpr (std::is_integral_v<T>) {  // wraps
      using Unsigned = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    } else {
      return a + b;
    }
  }
};

struct Multiply {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, bool>) {
      return a && b;
    } else if constexpr (std::is_integral_v<T>) {  // wraps; 1u keeps narrow types from becoming int
      using Unsigned = std::make_unsigned_t<T>;
      return static_cast<T>(1u * static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
    } else {
      return a * b;
    }
  }
};

struct Maximum {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return maximum(a, b);
  }
};

struct Minimum {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return minimum(a, b);
  }
};

// The next three are logical on bool, and bitwise on integers.
struct And {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};

struct Or {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};

struct Xor {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

}  // namespace sinter_eb34b753
