// CUDA's mathematical and bit functions on the CPU, those that the C library lacks, and the 16-bit
// float types.
#pragma once

#include <math.h>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdio>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)
#error "without -ffast-math: NaNs and infinities have to be what they are (-fno-fast-math)"
#endif

namespace sinter_cpu {
__extension__ typedef __int128 Integer128;
__extension__ typedef unsigned __int128 Unsigned128;
}  // namespace sinter_cpu

// CUDA's fast functions, as exact as the others: a GPU gives other bits. The C library may declare
// these names for its own use, and defines none of them for others.
extern "C" {
inline float __expf(float x) noexcept { return expf(x); }
inline float __exp10f(float x) noexcept {
  return static_cast<float>(pow(10.0, static_cast<double>(x)));
}
inline float __logf(float x) noexcept { return logf(x); }
inline float __log2f(float x) noexcept { return log2f(x); }
inline float __log10f(float x) noexcept { return log10f(x); }
inline float __sinf(float x) noexcept { return sinf(x); }
inline float __cosf(float x) noexcept { return cosf(x); }
inline float __tanf(float x) noexcept { return tanf(x); }
inline float __tanhf(float x) noexcept { return tanhf(x); }
inline float __powf(float x, float y) noexcept { return powf(x, y); }
inline void __sincosf(float x, float* sine, float* cosine) noexcept {
  *sine = sinf(x), *cosine = cosf(x);
}
}  // extern "C"

inline namespace sinter_helpers {

// nvcc finds these in the global namespace.
using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;

// --- bits
// -------------------------------------------------------------------------------------------------

inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }

inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
// One plus the position of the lowest set bit; 0 for 0.
inline int __ffs(int x) { return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1; }
inline int __ffsll(long long x) {
  return x == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(x)) + 1;
}
inline unsigned __brev(unsigned x) {
  unsigned reversed = 0;
  for (int i = 0; i < 32; ++i) reversed = reversed << 1 | (x >> i & 1);
  return reversed;
}
// The upper (left) or lower (right) half of hi:lo shifted by n % 32.
inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n) {
  return static_cast<unsigned>(((uint64_t{hi} << 32 | lo) << (n & 31)) >> 32);
}
inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n) {
  return static_cast<unsigned>((uint64_t{hi} << 32 | lo) >> (n & 31));
}

inline int __mulhi(int a, int b) { return static_cast<int>(int64_t{a} * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(uint64_t{a} * b >> 32);
}
inline long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<sinter_cpu::Integer128>(a) * b >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<sinter_cpu::Unsigned128>(a) * b >> 64);
}

// --- arithmetic
// -------------------------------------------------------------------------------------------------

// As CUDA has them: of two types of the same size the unsigned one, of float and double the latter.
inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a < b ? b : a; }
inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned max(unsigned a, unsigned b) { return a < b ? b : a; }
inline unsigned min(int a, unsigned b) { return min(static_cast<unsigned>(a), b); }
inline unsigned max(int a, unsigned b) { return max(static_cast<unsigned>(a), b); }
inline unsigned min(unsigned a, int b) { return min(a, static_cast<unsigned>(b)); }
inline unsigned max(unsigned a, int b) { return max(a, static_cast<unsigned>(b)); }
inline long min(long a, long b) { return a < b ? a : b; }
inline long max(long a, long b) { return a < b ? b : a; }
inline unsigned long min(unsigned long a, unsigned long b) { return a < b ? a : b; }
inline unsigned long max(unsigned long a, unsigned long b) { return a < b ? b : a; }
inline unsigned long min(long a, unsigned long b) { return min(static_cast<unsigned long>(a), b); }
inline unsigned long max(long a, unsigned long b) { return max(static_cast<unsigned long>(a), b); }
inline unsigned long min(unsigned long a, long b) { return min(a, static_cast<unsigned long>(b)); }
inline unsigned long max(unsigned long a, long b) { return max(a, static_cast<unsigned long>(b)); }
inline long long min(long long a, long long b) { return a < b ? a : b; }
inline long long max(long long a, long long b) { return a < b ? b : a; }
inline unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
inline unsigned long long max(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
inline unsigned long long min(long long a, unsigned long long b) {
  return min(static_cast<unsigned long long>(a), b);
}
inline unsigned long long max(long long a, unsigned long long b) {
  return max(static_cast<unsigned long long>(a), b);
}
inline unsigned long long min(unsigned long long a, long long b) {
  return min(a, static_cast<unsigned long long>(b));
}
inline unsigned long long max(unsigned long long a, long long b) {
  return max(a, static_cast<unsigned long long>(b));
}
inline float min(float a, float b) { return ::fminf(a, b); }
inline float max(float a, float b) { return ::fmaxf(a, b); }
inline double min(double a, double b) { return ::fmin(a, b); }
inline double max(double a, double b) { return ::fmax(a, b); }
inline double min(float a, double b) { return ::fmin(double{a}, b); }
inline double max(float a, double b) { return ::fmax(double{a}, b); }
inline double min(double a, float b) { return ::fmin(a, double{b}); }
inline double max(double a, float b) { return ::fmax(a, double{b}); }

// Rounded to nearest, and never contracted.
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline float __fsqrt_rn(float x) { return sqrtf(x); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
inline double __dsqrt_rn(double x) { return sqrt(x); }
inline float __frcp_rn(float x) { return 1.0f / x; }
inline double __drcp_rn(double x) { return 1.0 / x; }
inline float __double2float_rn(double x) { return static_cast<float>(x); }
inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned x) { return static_cast<float>(x); }

inline float rsqrtf(float x) { return static_cast<float>(1.0 / sqrt(static_cast<double>(x))); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rcbrtf(float x) { return static_cast<float>(1.0 / cbrt(static_cast<double>(x))); }
inline double rcbrt(double x) { return 1.0 / cbrt(x); }

// CUDA's fast functions, as exact as the others: a GPU gives other bits.
inline float __fdividef(float x, float y) { return x / y; }
inline float fdividef(float x, float y) { return x / y; }
inline float __frsqrt_rn(float x) { return rsqrtf(x); }
inline float __saturatef(float x) { return x > 0.0f ? fminf(x, 1.0f) : 0.0f; }  // NaN: 0
inline float normcdff(float x) {
  return static_cast<float>(0.5 * erfc(-static_cast<double>(x) * 0x1.6a09e667f3bcdp-1));
}
inline double normcdf(double x) { return 0.5 * erfc(-x * 0x1.6a09e667f3bcdp-1); }

#ifndef __GLIBC__
inline float exp10f(float x) { return static_cast<float>(pow(10.0, static_cast<double>(x))); }
inline double exp10(double x) { return pow(10.0, x); }
inline void sincosf(float x, float* sine, float* cosine) { *sine = sinf(x), *cosine = cosf(x); }
inline void sincos(double x, double* sine, double* cosine) { *sine = sin(x), *cosine = cos(x); }
#endif

template <class T>
T __ldg(const T* address) {
  return *address;
}

// --- 16-bit floats: storage, conversions that round to nearest, ties to even, and arithmetic
// --------------------------------------

struct __half {
  uint16_t bits;
};
struct __nv_bfloat16 {
  uint16_t bits;
};

inline float __half2float(__half x) {
  const uint32_t sign = static_cast<uint32_t>(x.bits & 0x8000) << 16;
  const uint32_t exponent = x.bits >> 10 & 0x1f;
  const uint32_t mantissa = x.bits & 0x3ff;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000 | mantissa << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;  // subnormal or zero
  return sign != 0 ? -magnitude : magnitude;
}

inline __half __float2half_rn(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint32_t sign = bits >> 16 & 0x8000;
  const uint32_t magnitude = bits & 0x7fffffff;
  uint32_t result;
  if (magnitude > 0x7f800000) {
    return {0x7fff};  // every NaN becomes this one, as on a GPU
  } else if (magnitude >= 0x477ff000) {
    result = 0x7c00;  // 65520 and above
  } else if (magnitude >= 0x38800000) {
    result = (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
  } else {
    // Subnormal: adding 0.5 leaves the rounded mantissa in the low bits.
    result = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000;
  }
  return {static_cast<uint16_t>(sign | result)};
}

inline float __bfloat162float(__nv_bfloat16 x) {
  return std::bit_cast<float>(static_cast<uint32_t>(x.bits) << 16);
}

inline __nv_bfloat16 __float2bfloat16_rn(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  if ((bits & 0x7fffffff) > 0x7f800000) return {0x7fff};
  return {static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

namespace sinter_cpu {

// The float that rounds to the same 16-bit value as `x`: rounded to odd, so that the second
// rounding sees what the first one dropped.
inline float round_to_odd(double x) {
  const float nearest = static_cast<float>(x);
  if (!(std::fabs(x) < INFINITY) || nearest == x) return nearest;
  uint32_t bits = std::bit_cast<uint32_t>(nearest);
  if (std::fabs(static_cast<double>(nearest)) > std::fabs(x)) --bits;  // towards zero
  return std::bit_cast<float>(bits | 1);
}

}  // namespace sinter_cpu

// In one rounding, not by way of float.
inline __half __double2half(double x) { return __float2half_rn(sinter_cpu::round_to_odd(x)); }
inline __nv_bfloat16 __double2bfloat16(double x) {
  return __float2bfloat16_rn(sinter_cpu::round_to_odd(x));
}

namespace sinter_cpu {

template <class T>
concept Half = std::same_as<T, __half> || std::same_as<T, __nv_bfloat16>;

template <Half T>
float widened(T x) {
  if constexpr (std::same_as<T, __half>)
    return __half2float(x);
  else
    return __bfloat162float(x);
}
template <Half T>
T rounded(float x) {
  if constexpr (std::same_as<T, __half>)
    return __float2half_rn(x);
  else
    return __float2bfloat16_rn(x);
}

}  // namespace sinter_cpu

// Float has more than twice their digits, and two more: rounding to it first changes no bit.
template <sinter_cpu::Half T>
T __hadd_rn(T a, T b) {
  return sinter_cpu::rounded<T>(sinter_cpu::widened(a) + sinter_cpu::widened(b));
}
template <sinter_cpu::Half T>
T __hsub_rn(T a, T b) {
  return sinter_cpu::rounded<T>(sinter_cpu::widened(a) - sinter_cpu::widened(b));
}
template <sinter_cpu::Half T>
T __hmul_rn(T a, T b) {
  return sinter_cpu::rounded<T>(sinter_cpu::widened(a) * sinter_cpu::widened(b));
}
template <sinter_cpu::Half T>
T __hneg(T x) {
  return sinter_cpu::rounded<T>(-sinter_cpu::widened(x));
}
template <sinter_cpu::Half T>
T __habs(T x) {
  return sinter_cpu::rounded<T>(fabsf(sinter_cpu::widened(x)));
}
// NaN where an operand is; -0 is below +0.
template <sinter_cpu::Half T>
T __hmax_nan(T a, T b) {
  const float x = sinter_cpu::widened(a), y = sinter_cpu::widened(b);
  if (isnan(x) || isnan(y)) return sinter_cpu::rounded<T>(x + y);
  return x < y || (x == y && signbit(x)) ? b : a;
}
template <sinter_cpu::Half T>
T __hmin_nan(T a, T b) {
  const float x = sinter_cpu::widened(a), y = sinter_cpu::widened(b);
  if (isnan(x) || isnan(y)) return sinter_cpu::rounded<T>(x + y);
  return y < x || (x == y && signbit(y)) ? b : a;
}

}  // namespace sinter_helpers
