// block_fft<kThreads, kRows, kLength, kGap, kInverse>(samples, spare, roots): the Fourier
// transforms of kRows rows of kLength complex numbers in shared memory, not divided by kLength, in
// the order of their frequencies. Returns samples or spare, whichever holds them.
//
// Stockham's passes: with n = kLength, each pass of radix r takes transforms of `done` elements,
// which are interleaved, r at a time to such of r * done. It reads one array and writes the other.
// kLength is a product of primes up to 13.
//
// Neighbouring threads write r places apart, in few banks. Between passes and among the roots one
// place is therefore left free after every kGap numbers, 128 bytes of them (0: none is): each array
// has room for fft_room(kLength, kGap) numbers. Where there are several rows, these lie one further
// apart.
#pragma once

#include "device/complex.cuh"
#include "device/launch.cuh"
#include "device/root_of_unity.cuh"

inline namespace sinter_helpers {

// z times a root that stands for a positive angle: the angle is negative in a forward transform.
template <bool kInverse, class T>
__device__ inline Complex<T> turn(Complex<T> z, Complex<T> root) {
  return z * Complex<T>{root.real, kInverse ? root.imag : -root.imag};
}

template <bool kInverse, class T>
__device__ inline Complex<T> quarter_turn(Complex<T> z) {
  if constexpr (kInverse) return {-z.imag, z.real};
  return {z.imag, -z.real};
}

template <bool kInverse, class T>
__device__ inline Complex<T> eighth_turn(Complex<T> z) {
  return static_cast<T>(0.70710678118654752440) * (z + quarter_turn<kInverse>(z));
}

template <bool kInverse, class T>
__device__ inline void butterfly_4(Complex<T>& a, Complex<T>& b, Complex<T>& c, Complex<T>& d) {
  const Complex<T> even_sum = a + c;
  const Complex<T> even_difference = a - c;
  const Complex<T> odd_sum = b + d;
  const Complex<T> odd_difference = quarter_turn<kInverse>(b - d);
  a = even_sum + odd_sum;
  b = even_difference + odd_difference;
  c = even_sum - odd_sum;
  d = even_difference - odd_difference;
}

// Numbers and free places before number `length` of an array with gaps.
__host__ __device__ constexpr int fft_room(int length, int gap) {
  return gap == 0 ? length : length + length / gap;
}

// The transform of z[0] to z[kRadix - 1]; number k * root_step of the roots is the root of unity of
// k / kRadix.
template <int kRadix, int kGap, bool kInverse, class T>
__device__ inline void butterfly(Complex<T>* z, const Complex<T>* roots, int root_step) {
  if constexpr (kRadix == 2) {
    const Complex<T> difference = z[0] - z[1];
    z[0] = z[0] + z[1];
    z[1] = difference;
  } else if constexpr (kRadix == 4) {
    butterfly_4<kInverse>(z[0], z[1], z[2], z[3]);
  } else if constexpr (kRadix == 8) {
    butterfly_4<kInverse>(z[0], z[2], z[4], z[6]);
    butterfly_4<kInverse>(z[1], z[3], z[5], z[7]);
    const Complex<T> odd[4] = {z[1], eighth_turn<kInverse>(z[3]), quarter_turn<kInverse>(z[5]),
                               quarter_turn<kInverse>(eighth_turn<kInverse>(z[7]))};
    const Complex<T> even[4] = {z[0], z[2], z[4], z[6]};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      z[k] = even[k] + odd[k];
      z[k + 4] = even[k] - odd[k];
    }
  } else {
    // Frequencies k and -k together, of samples j and -j together.
    constexpr int kHalf = (kRadix - 1) / 2;
    Complex<T> sums[kHalf];
    Complex<T> differences[kHalf];
    Complex<T> total = z[0];
#pragma unroll
    for (int j = 1; j <= kHalf; ++j) {
      sums[j - 1] = z[j] + z[kRadix - j];
      differences[j - 1] = quarter_turn<kInverse>(z[j] - z[kRadix - j]);
      total = total + sums[j - 1];
    }
#pragma unroll
    for (int k = 1; k <= kHalf; ++k) {
      Complex<T> even = z[0];
      Complex<T> odd = {T(0), T(0)};
#pragma unroll
      for (int j = 1; j <= kHalf; ++j) {
        const Complex<T> root = roots[fft_room(j * k % kRadix * root_step, kGap)];
        even = even + root.real * sums[j - 1];
        odd = odd + root.imag * differences[j - 1];
      }
      z[k] = even + odd;
      z[kRadix - k] = even - odd;
    }
    z[0] = total;
  }
}

// The radix of the next pass, where a factor `rest` of the length is left.
__host__ __device__ constexpr int fft_radix(int rest) {
  if (rest % 8 == 0 && rest != 16) return 8;
  if (rest % 4 == 0) return 4;
  int radix = 2;
  while (rest % radix != 0) ++radix;
  return radix;
}

template <int kThreads, int kRows, int kLength, int kGap, int kDone, bool kInverse, class T>
__device__ inline Complex<T>* fft_passes(Complex<T>* from, Complex<T>* to,
                                         const Complex<T>* roots) {
  if constexpr (kDone == kLength) {
    return from;
  } else {
    constexpr int kRadix = fft_radix(kLength / kDone);
    static_assert(kRadix <= 13, "the length is a product of primes up to 13");
    constexpr int kButterflies = kLength / kRadix;  // of a row
    // The first pass reads, and the last one writes, numbers side by side.
    constexpr int kFromGap = kDone == 1 ? 0 : kGap;
    constexpr int kToGap = kDone * kRadix == kLength ? 0 : kGap;
    for (int i = threadIdx.x; i < kRows * kButterflies; i += kThreads) {
      const int row = i / kButterflies * (fft_room(kLength, kGap) + 1);
      const int first = i % kButterflies;
      const int k = first % kDone;
      Complex<T> z[kRadix];
#pragma unroll
      for (int q = 0; q < kRadix; ++q) {
        z[q] = from[row + fft_room(first + q * kButterflies, kFromGap)];
        if (q > 0 && kDone > 1) {
          const int root = k * q * (kLength / (kDone * kRadix));
          z[q] = turn<kInverse>(z[q], roots[fft_room(root, kGap)]);
        }
      }
      butterfly<kRadix, kGap, kInverse>(z, roots, kLength / kRadix);
#pragma unroll
      for (int q = 0; q < kRadix; ++q) {
        const int place = (first - k) * kRadix + k + q * kDone;
        to[row + fft_room(place, kToGap)] = z[q];
      }
    }
    __syncthreads();
    return fft_passes<kThreads, kRows, kLength, kGap, kDone * kRadix, kInverse>(to, from, roots);
  }
}

// All kThreads threads of the block call it together; samples need not be visible to all of them
// yet.
template <int kThreads, int kRows, int kLength, int kGap, bool kInverse, class T>
__device__ inline const Complex<T>* block_fft(Complex<T>* samples, Complex<T>* spare,
                                              Complex<T>* roots) {
  for (int k = threadIdx.x; k < kLength; k += kThreads) {
    roots[fft_room(k, kGap)] = root_of_unity<T>(k, kLength);
  }
  __syncthreads();
  return fft_passes<kThreads, kRows, kLength, kGap, 1, kInverse>(samples, spare, roots);
}

}  // namespace sinter_helpers
