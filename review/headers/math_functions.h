// Stands in for CUDA's functions of <math.h>, when emitted code is verified (review/verify/verify_emitted.h). Device
// code and host code may call each; those without an f are there for doubles and for floats.
#pragma once

#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VAL (__builtin_huge_val())

__host__ __device__ float acosf(float x);
__host__ __device__ double acos(double x);
__host__ __device__ float acos(float x);
__host__ __device__ float acoshf(float x);
__host__ __device__ double acosh(double x);
__host__ __device__ float acosh(float x);
__host__ __device__ float asinf(float x);
__host__ __device__ double asin(double x);
__host__ __device__ float asin(float x);
__host__ __device__ float asinhf(float x);
__host__ __device__ double asinh(double x);
__host__ __device__ float asinh(float x);
__host__ __device__ float atanf(float x);
__host__ __device__ double atan(double x);
__host__ __device__ float atan(float x);
__host__ __device__ float atanhf(float x);
__host__ __device__ double atanh(double x);
__host__ __device__ float atanh(float x);
__host__ __device__ float cbrtf(float x);
__host__ __device__ double cbrt(double x);
__host__ __device__ float cbrt(float x);
__host__ __device__ float ceilf(float x);
__host__ __device__ double ceil(double x);
__host__ __device__ float ceil(float x);
__host__ __device__ float cosf(float x);
__host__ __device__ double cos(double x);
__host__ __device__ float cos(float x);
__host__ __device__ float coshf(float x);
__host__ __device__ double cosh(double x);
__host__ __device__ float cosh(float x);
__host__ __device__ float erff(float x);
__host__ __device__ double erf(double x);
__host__ __device__ float erf(float x);
__host__ __device__ float erfcf(float x);
__host__ __device__ double erfc(double x);
__host__ __device__ float erfc(float x);
__host__ __device__ float expf(float x);
__host__ __device__ double exp(double x);
__host__ __device__ float exp(float x);
__host__ __device__ float exp2f(float x);
__host__ __device__ double exp2(double x);
__host__ __device__ float exp2(float x);
__host__ __device__ float expm1f(float x);
__host__ __device__ double expm1(double x);
__host__ __device__ float expm1(float x);
__host__ __device__ float fabsf(float x);
__host__ __device__ double fabs(double x);
__host__ __device__ float fabs(float x);
__host__ __device__ float floorf(float x);
__host__ __device__ double floor(double x);
__host__ __device__ float floor(float x);
__host__ __device__ float lgammaf(float x);
__host__ __device__ double lgamma(double x);
__host__ __device__ float lgamma(float x);
__host__ __device__ float logf(float x);
__host__ __device__ double log(double x);
__host__ __device__ float log(float x);
__host__ __device__ float log10f(float x);
__host__ __device__ double log10(double x);
__host__ __device__ float log10(float x);
__host__ __device__ float log1pf(float x);
__host__ __device__ double log1p(double x);
__host__ __device__ float log1p(float x);
__host__ __device__ float log2f(float x);
__host__ __device__ double log2(double x);
__host__ __device__ float log2(float x);
__host__ __device__ float nearbyintf(float x);
__host__ __device__ double nearbyint(double x);
__host__ __device__ float nearbyint(float x);
__host__ __device__ float rintf(float x);
__host__ __device__ double rint(double x);
__host__ __device__ float rint(float x);
__host__ __device__ float roundf(float x);
__host__ __device__ double round(double x);
__host__ __device__ float round(float x);
__host__ __device__ float sinf(float x);
__host__ __device__ double sin(double x);
__host__ __device__ float sin(float x);
__host__ __device__ float sinhf(float x);
__host__ __device__ double sinh(double x);
__host__ __device__ float sinh(float x);
__host__ __device__ float sqrtf(float x);
__host__ __device__ double sqrt(double x);
__host__ __device__ float sqrt(float x);
__host__ __device__ float tanf(float x);
__host__ __device__ double tan(double x);
__host__ __device__ float tan(float x);
__host__ __device__ float tanhf(float x);
__host__ __device__ double tanh(double x);
__host__ __device__ float tanh(float x);
__host__ __device__ float tgammaf(float x);
__host__ __device__ double tgamma(double x);
__host__ __device__ float tgamma(float x);
__host__ __device__ float truncf(float x);
__host__ __device__ double trunc(double x);
__host__ __device__ float trunc(float x);
__host__ __device__ float atan2f(float x, float y);
__host__ __device__ double atan2(double x, double y);
__host__ __device__ float atan2(float x, float y);
__host__ __device__ float copysignf(float x, float y);
__host__ __device__ double copysign(double x, double y);
__host__ __device__ float copysign(float x, float y);
__host__ __device__ float fdimf(float x, float y);
__host__ __device__ double fdim(double x, double y);
__host__ __device__ float fdim(float x, float y);
__host__ __device__ float fmaxf(float x, float y);
__host__ __device__ double fmax(double x, double y);
__host__ __device__ float fmax(float x, float y);
__host__ __device__ float fminf(float x, float y);
__host__ __device__ double fmin(double x, double y);
__host__ __device__ float fmin(float x, float y);
__host__ __device__ float fmodf(float x, float y);
__host__ __device__ double fmod(double x, double y);
__host__ __device__ float fmod(float x, float y);
__host__ __device__ float hypotf(float x, float y);
__host__ __device__ double hypot(double x, double y);
__host__ __device__ float hypot(float x, float y);
__host__ __device__ float nextafterf(float x, float y);
__host__ __device__ double nextafter(double x, double y);
__host__ __device__ float nextafter(float x, float y);
__host__ __device__ float powf(float x, float y);
__host__ __device__ double pow(double x, double y);
__host__ __device__ float pow(float x, float y);
__host__ __device__ float remainderf(float x, float y);
__host__ __device__ double remainder(double x, double y);
__host__ __device__ float remainder(float x, float y);
__host__ __device__ float ldexpf(float x, int exponent);
__host__ __device__ double ldexp(double x, int exponent);
__host__ __device__ float ldexp(float x, int exponent);
__host__ __device__ float frexpf(float x, int* exponent);
__host__ __device__ double frexp(double x, int* exponent);
__host__ __device__ float frexp(float x, int* exponent);
__host__ __device__ float modff(float x, float* whole);
__host__ __device__ double modf(double x, double* whole);
__host__ __device__ float modf(float x, float* whole);
__host__ __device__ float fmaf(float a, float b, float c);
__host__ __device__ double fma(double a, double b, double c);
__host__ __device__ float fma(float a, float b, float c);
__host__ __device__ bool isfinite(float x);
__host__ __device__ bool isfinite(double x);
__host__ __device__ bool isinf(float x);
__host__ __device__ bool isinf(double x);
__host__ __device__ bool isnan(float x);
__host__ __device__ bool isnan(double x);
__host__ __device__ bool signbit(float x);
__host__ __device__ bool signbit(double x);
__host__ __device__ int abs(int x);
__host__ __device__ long abs(long x);
__host__ __device__ long long abs(long long x);
__host__ __device__ float abs(float x);
__host__ __device__ double abs(double x);
__host__ __device__ long labs(long x);
__host__ __device__ long long llabs(long long x);
__host__ __device__ void sincosf(float x, float* sine, float* cosine);
__host__ __device__ void sincos(double x, double* sine, double* cosine);
__device__ void sincospif(float x, float* sine, float* cosine);
__device__ void sincospi(double x, double* sine, double* cosine);
__host__ __device__ float rsqrtf(float x);
__host__ __device__ double rsqrt(double x);
__host__ __device__ float rcbrtf(float x);
__host__ __device__ double rcbrt(double x);
__device__ float erfinvf(float x);
__device__ double erfinv(double x);
__device__ float __fadd_rn(float a, float b);
__device__ float __fsub_rn(float a, float b);
__device__ float __fmul_rn(float a, float b);
__device__ float __fdiv_rn(float a, float b);
__device__ float __fmaf_rn(float a, float b, float c);
__device__ float __fsqrt_rn(float x);
__device__ double __dadd_rn(double a, double b);
__device__ double __dsub_rn(double a, double b);
__device__ double __dmul_rn(double a, double b);
__device__ double __ddiv_rn(double a, double b);
__device__ double __fma_rn(double a, double b, double c);
__device__ double __dsqrt_rn(double x);
__device__ float __double2float_rn(double x);
// Less exact and faster: what somebody writes who edits a kernel.
__device__ float __expf(float x);
__device__ float __exp10f(float x);
__device__ float __logf(float x);
__device__ float __log2f(float x);
__device__ float __log10f(float x);
__device__ float __sinf(float x);
__device__ float __cosf(float x);
__device__ float __tanf(float x);
__device__ float __powf(float x, float y);
__device__ float __saturatef(float x);
__device__ float __fdividef(float x, float y);
__device__ float __frcp_rn(float x);
__device__ float __frsqrt_rn(float x);

__host__ __device__ inline int min(int a, int b) { return a < b ? a : b; }
__host__ __device__ inline int max(int a, int b) { return a > b ? a : b; }
__host__ __device__ inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
__host__ __device__ inline unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
__host__ __device__ inline long min(long a, long b) { return a < b ? a : b; }
__host__ __device__ inline long max(long a, long b) { return a > b ? a : b; }
__host__ __device__ inline unsigned long min(unsigned long a, unsigned long b) { return a < b ? a : b; }
__host__ __device__ inline unsigned long max(unsigned long a, unsigned long b) { return a > b ? a : b; }
__host__ __device__ inline long long min(long long a, long long b) { return a < b ? a : b; }
__host__ __device__ inline long long max(long long a, long long b) { return a > b ? a : b; }
__host__ __device__ inline unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
__host__ __device__ inline unsigned long long max(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
