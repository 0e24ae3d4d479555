// Complex<T>: complex numbers of two floats or doubles, their arithmetic and functions.
//
// Functions are named as those of real numbers. Branch cuts, and what infinities and NaNs give, are
// those of C; but products are plain sums of products. The phase of a number lies in (-pi, pi].
#pragma once

#include "device/launch.cuh"

inline namespace sinter_eb34b753 {

// Functions of real numbers, which those here would hide.
using ::abs, ::acos, ::acosh, ::asin, ::asinh, ::atan2, ::atanh, ::cbrt, ::cos, ::cosh, ::exp;
using ::expm1, ::isfinite, ::isinf, ::log, ::log1p, ::pow, ::sin, ::sinh, ::sqrt, ::tan, ::tanh;

template <class T>
struct Complex {
  T real, imag;
};

// A real number, or a complex one of another width: to_complex<float>(x).
template <class T, class Real>
__host__ __device__ inline Complex<T> to_complex(Real x) {
  return {static_cast<T>(x), T(0)};
}
template <class T, class U>
__host__ __device__ inline Complex<T> to_complex(Complex<U> z) {
  return {static_cast<T>(z.real), static_cast<T>(z.imag)};
}

// --- arithmetic
// -------------------------------------------------------------------------------------------------

template <class T>
__host__ __device__ inline Complex<T> operator+(Complex<T> a, Complex<T> b) {
  return {a.real + b.real, a.imag + b.imag};
}
template <class T>
__host__ __device__ inline Complex<T> operator-(Complex<T> a, Complex<T> b) {
  return {a.real - b.real, a.imag - b.imag};
}
template <class T>
__host__ __device__ inline Complex<T> operator-(Complex<T> a) {
  return {-a.real, -a.imag};
}
template <class T>
__host__ __device__ inline Complex<T> operator*(Complex<T> a, Complex<T> b) {
  return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}
template <class T>
__host__ __device__ inline Complex<T> operator*(T a, Complex<T> b) {
  return {a * b.real, a * b.imag};
}
template <class T>
__host__ __device__ inline Complex<T> operator/(Complex<T> a, T b) {
  return {a.real / b, a.imag / b};
}

template <class T>
__host__ __device__ inline bool isfinite(Complex<T> z) {
  return isfinite(z.real) && isfinite(z.imag);
}
template <class T>
__host__ __device__ inline bool isinf(Complex<T> z) {
  return isinf(z.real) || isinf(z.imag);
}

// Of an infinite number only the direction: infinite parts become 1, finite ones 0, with their
// signs.
template <class T>
__host__ __device__ inline Complex<T> direction(Complex<T> z) {
  return {copysign(T(isinf(z.real)), z.real), copysign(T(isinf(z.imag)), z.imag)};
}

template <class T>
__host__ __device__ inline Complex<T> conj(Complex<T> z) {
  return {z.real, -z.imag};
}

// By Smith's method: the larger part of the divisor is divided out first, so that its square does
// not overflow. A zero divisor makes infinities of the dividend's signs, as real division does; an
// infinite one makes zeros.
template <class T>
__host__ __device__ inline Complex<T> operator/(Complex<T> a, Complex<T> b) {
  if (b.real == 0 && b.imag == 0) return a / b.real;
  if (isinf(b) && isfinite(a)) return T(0) * (a * conj(direction(b)));
  if (isinf(a) && isfinite(b)) return static_cast<T>(INFINITY) * (direction(a) * conj(b));
  if (fabs(b.real) >= fabs(b.imag)) {
    const T ratio = b.imag / b.real;
    const T scale = b.real + b.imag * ratio;
    return {(a.real + a.imag * ratio) / scale, (a.imag - a.real * ratio) / scale};
  }
  const T ratio = b.real / b.imag;
  const T scale = b.real * ratio + b.imag;
  return {(a.real * ratio + a.imag) / scale, (a.imag * ratio - a.real) / scale};
}

template <class T>
__host__ __device__ inline Complex<T>& operator+=(Complex<T>& a, Complex<T> b) {
  return a = a + b;
}
template <class T>
__host__ __device__ inline Complex<T>& operator-=(Complex<T>& a, Complex<T> b) {
  return a = a - b;
}
template <class T>
__host__ __device__ inline Complex<T>& operator*=(Complex<T>& a, Complex<T> b) {
  return a = a * b;
}
template <class T>
__host__ __device__ inline Complex<T>& operator/=(Complex<T>& a, Complex<T> b) {
  return a = a / b;
}

template <class T>
__host__ __device__ inline bool operator==(Complex<T> a, Complex<T> b) {
  return a.real == b.real && a.imag == b.imag;
}
template <class T>
__host__ __device__ inline bool operator!=(Complex<T> a, Complex<T> b) {
  return !(a == b);
}

// --- magnitude and phase
// -------------------------------------------------------------------------------------------------

template <class T>
__host__ __device__ inline T abs(Complex<T> z) {
  return hypot(z.real, z.imag);
}

template <class T>
__host__ __device__ inline T phase(Complex<T> z) {
  return atan2(z.imag, z.real);
}

// z / |z|, and 0 for 0.
template <class T>
__host__ __device__ inline Complex<T> sign(Complex<T> z) {
  return z.real == 0 && z.imag == 0 ? z : z / abs(z);
}

// magnitude * e^(i angle)
template <class T>
__host__ __device__ inline Complex<T> polar(T magnitude, T angle) {
  return {magnitude * cos(angle), magnitude * sin(angle)};
}

// i z and -i z, exactly.
template <class T>
__host__ __device__ inline Complex<T> times_i(Complex<T> z) {
  return {-z.imag, z.real};
}
template <class T>
__host__ __device__ inline Complex<T> times_minus_i(Complex<T> z) {
  return {z.imag, -z.real};
}

// --- exponentials and logarithms
// -------------------------------------------------------------------------------------------------

// A real argument has a real result, also where that is infinite.
template <class T>
__host__ __device__ inline Complex<T> exp(Complex<T> z) {
  const T magnitude = exp(z.real);
  if (isinf(z.real) && !isfinite(z.imag)) {
    return {magnitude, z.real < 0 ? T(0) : static_cast<T>(NAN)};
  }
  return z.imag == 0 ? Complex<T>{magnitude, z.imag} : polar(magnitude, z.imag);
}

// e^x cos y - 1 = expm1(x) cos y - 2 sin^2(y / 2), which does not cancel near 0.
template <class T>
__host__ __device__ inline Complex<T> expm1(Complex<T> z) {
  const T half_sine = sin(z.imag / 2);
  return {expm1(z.real) * cos(z.imag) - 2 * half_sine * half_sine,
          z.imag == 0 ? z.imag : exp(z.real) * sin(z.imag)};
}

// log |z|; near |z| = 1 from |z|^2 - 1, since |z| itself would have lost it.
template <class T>
__host__ __device__ inline T log_abs(Complex<T> z) {
  const T large = fmax(fabs(z.real), fabs(z.imag));
  const T small = fmin(fabs(z.real), fabs(z.imag));
  const bool near_one = large > T(0.5) && large < 2 && !isnan(z.real + z.imag);
  if (near_one) return log1p((large - 1) * (large + 1) + small * small) / 2;
  return log(abs(z));
}

template <class T>
__host__ __device__ inline Complex<T> log(Complex<T> z) {
  return {log_abs(z), phase(z)};
}

// |1 + z|^2 - 1 = x (x + 2) + y^2.
template <class T>
__host__ __device__ inline Complex<T> log1p(Complex<T> z) {
  const T x = z.real, y = z.imag;
  const bool small = fabs(x) < T(0.5) && fabs(y) < T(0.5);
  return {small ? log1p(x * (x + 2) + y * y) / 2 : log_abs(Complex<T>{1 + x, y}), atan2(y, 1 + x)};
}

// 1 / (1 + e^-z)
template <class T>
__host__ __device__ inline Complex<T> logistic(Complex<T> z) {
  const Complex<T> one = {1, 0};
  return one / (one + exp(-z));
}

// --- powers
// -------------------------------------------------------------------------------------------------

// The larger part of the root is the square root of (|z| + |x|) / 2, the other follows by division.
// Huge numbers are scaled down by 4 and tiny ones up, by an even power of 2, so that no step
// overflows or becomes subnormal.
template <class T>
__host__ __device__ inline Complex<T> sqrt(Complex<T> z) {
  if (z.real == 0 && z.imag == 0) return {0, z.imag};
  if (isinf(z.imag)) return {static_cast<T>(INFINITY), z.imag};
  T scale = 1;
  const T size = fmax(fabs(z.real), fabs(z.imag));
  if (size > T(1e30)) z = z / T(4), scale = 2;
  if (size < T(1e-30)) z = T(1 << 24) * z, scale = T(1) / (1 << 12);
  const T root = sqrt((abs(z) + fabs(z.real)) / 2);
  const T other = isinf(root) && !isnan(z.imag) ? T(0) : fabs(z.imag) / (2 * root);
  return {scale * (z.real < 0 ? other : root),
          copysign(scale * (z.real < 0 ? root : other), z.imag)};
}

template <class T>
__host__ __device__ inline Complex<T> rsqrt(Complex<T> z) {
  if (z.imag == 0 && z.real > 0) return {1 / sqrt(z.real), -z.imag};
  if (z.real == 0 && z.imag == 0) return {static_cast<T>(INFINITY), static_cast<T>(NAN)};
  return Complex<T>{1, 0} / sqrt(z);
}

template <class T>
__host__ __device__ inline Complex<T> cbrt(Complex<T> z) {
  return z.real == 0 && z.imag == 0 ? z : polar(cbrt(abs(z)), phase(z) / 3);
}

// a b, which is infinite where a factor is: the plain product may be NaN.
template <class T>
__host__ __device__ inline Complex<T> infinite_product(Complex<T> a, Complex<T> b) {
  const Complex<T> product = a * b;
  if (!isnan(product.real) || !isnan(product.imag)) return product;
  // A part that is NaN counts as zero beside an infinite one.
  const auto known = [](Complex<T> z) {
    return Complex<T>{isnan(z.real) ? copysign(T(0), z.real) : z.real,
                      isnan(z.imag) ? copysign(T(0), z.imag) : z.imag};
  };
  if (!isinf(a) && !isinf(b)) return product;
  const Complex<T> left = isinf(a) ? direction(a) : known(a),
                   right = isinf(b) ? direction(b) : known(b);
  return static_cast<T>(INFINITY) * (left * right);
}

// base^exponent = e^(exponent log base); x^0 is 1, and 0^y is 0 otherwise.
template <class T>
__host__ __device__ inline Complex<T> pow(Complex<T> base, Complex<T> exponent) {
  if (exponent.real == 0 && exponent.imag == 0) return {1, 0};
  if (base.real == 0 && base.imag == 0) return {0, 0};
  return exp(infinite_product(exponent, log(base)));
}

// --- hyperbolic and circular functions
// -------------------------------------------------------------------------------

template <class T>
__host__ __device__ inline Complex<T> sinh(Complex<T> z) {
  if (!isfinite(z.imag) && (z.real == 0 || isinf(z.real)))
    return {fabs(z.real), static_cast<T>(NAN)};
  return {sinh(z.real) * cos(z.imag), z.imag == 0 ? z.imag : cosh(z.real) * sin(z.imag)};
}

template <class T>
__host__ __device__ inline Complex<T> cosh(Complex<T> z) {
  if (!isfinite(z.imag) && isinf(z.real)) return {static_cast<T>(INFINITY), static_cast<T>(NAN)};
  const T zero = copysign(T(0), z.real) * copysign(T(1), z.imag);
  return {cosh(z.real) * cos(z.imag),
          z.imag == 0 || z.real == 0 ? zero : sinh(z.real) * sin(z.imag)};
}

// By Kahan: with t = tan y, s = sinh x, b = 1 + t^2 and r = sqrt(1 + s^2), the result is (b r s + i
// t) / (1 + b s^2). Where e^(2x) is beyond all rounding, it is 1 with the sign of x, and what is
// left of the imaginary part.
template <class T>
__host__ __device__ inline Complex<T> tanh(Complex<T> z) {
  if (isnan(z.real)) return {z.real, z.imag == 0 ? z.imag : z.real};
  if (!isfinite(z.imag)) {
    if (isinf(z.real)) return {copysign(T(1), z.real), copysign(T(0), z.imag)};
    return {z.real == 0 ? z.real : static_cast<T>(NAN), static_cast<T>(NAN)};
  }
  if (fabs(z.real) > (sizeof(T) == 4 ? T(20) : T(40))) {
    const T small = exp(-fabs(z.real));
    return {copysign(T(1), z.real),
            z.imag == 0 ? z.imag : 4 * sin(z.imag) * cos(z.imag) * small * small};
  }
  const T t = tan(z.imag);
  const T b = 1 + t * t;
  const T s = sinh(z.real);
  const T r = sqrt(1 + s * s);
  if (isinf(b)) return {r / s, 1 / t};
  const T scale = 1 + b * s * s;
  return {b * r * s / scale, t / scale};
}

template <class T>
__host__ __device__ inline Complex<T> sin(Complex<T> z) {
  if (isinf(z.imag) && !isfinite(z.real)) return {static_cast<T>(NAN), static_cast<T>(INFINITY)};
  return times_minus_i(sinh(times_i(z)));
}
template <class T>
__host__ __device__ inline Complex<T> cos(Complex<T> z) {
  return cosh(times_i(z));
}
template <class T>
__host__ __device__ inline Complex<T> tan(Complex<T> z) {
  return times_minus_i(tanh(times_i(z)));
}

// --- their inverses, by Kahan's formulas
// -----------------------------------------------------------------------------

// 1 + z and 1 - z, whose imaginary zeros keep the sign that says on which side of a branch cut z
// lies.
template <class T>
__host__ __device__ inline Complex<T> one_plus(Complex<T> z) {
  return {1 + z.real, z.imag};
}
template <class T>
__host__ __device__ inline Complex<T> one_minus(Complex<T> z) {
  return {1 - z.real, -z.imag};
}

template <class T>
constexpr T kPi = T(3.14159265358979323846);

// asinh where a part is infinite or NaN.
template <class T>
__host__ __device__ inline Complex<T> asinh_of_special(Complex<T> z) {
  const T nan = static_cast<T>(NAN);
  if (isinf(z.imag)) {
    const T angle = isnan(z.real) ? nan : isinf(z.real) ? kPi<T> / 4 : kPi<T> / 2;
    return {copysign(static_cast<T>(INFINITY), z.real), copysign(angle, z.imag)};
  }
  if (isinf(z.real)) return {z.real, isnan(z.imag) ? nan : copysign(T(0), z.imag)};
  return {nan, z.imag == 0 ? z.imag : nan};
}

template <class T>
__host__ __device__ inline Complex<T> asin(Complex<T> z) {
  if (!isfinite(z)) return times_minus_i(asinh_of_special(times_i(z)));
  const Complex<T> less = sqrt(one_minus(z)), more = sqrt(one_plus(z));
  return {atan2(z.real, (less * more).real), asinh((conj(less) * more).imag)};
}

// asinh z = -i asin(i z)
template <class T>
__host__ __device__ inline Complex<T> asinh(Complex<T> z) {
  return times_minus_i(asin(times_i(z)));
}

template <class T>
__host__ __device__ inline Complex<T> acos(Complex<T> z) {
  if (!isfinite(z)) {
    const Complex<T> sine = asin(z);
    return {kPi<T> / 2 - sine.real, -sine.imag};
  }
  const Complex<T> less = sqrt(one_minus(z)), more = sqrt(one_plus(z));
  return {2 * atan2(less.real, more.real), asinh((conj(more) * less).imag)};
}

template <class T>
__host__ __device__ inline Complex<T> acosh(Complex<T> z) {
  if (!isfinite(z)) {  // the angle of acos, and the size of its other part
    const Complex<T> cosine = acos(z);
    return {fabs(cosine.imag), copysign(cosine.real, z.imag)};
  }
  const Complex<T> less = sqrt(-one_minus(z)), more = sqrt(one_plus(z));
  return {asinh((conj(less) * more).real), 2 * atan2(less.imag, more.real)};
}

// (log1p(4x / ((1 - x)^2 + y^2)) / 4, atan2(2y, (1 - x)(1 + x) - y^2) / 2)
template <class T>
__host__ __device__ inline Complex<T> atanh(Complex<T> z) {
  if (isinf(z) || isnan(z.imag)) {
    const bool is_zero = isinf(z) || z.real == 0;
    const T angle = isnan(z.imag) ? z.imag : copysign(kPi<T> / 2, z.imag);
    return {is_zero ? copysign(T(0), z.real) : static_cast<T>(NAN), angle};
  }
  const T x = fabs(z.real), y = z.imag;
  const T real = log1p(4 * x / ((1 - x) * (1 - x) + y * y)) / 4;
  return {copysign(real, z.real), atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2};
}

// atan2 of complex numbers: -i log((x + i y) / sqrt(x^2 + y^2)).
template <class T>
__host__ __device__ inline Complex<T> atan2(Complex<T> y, Complex<T> x) {
  return times_minus_i(log((x + times_i(y)) / sqrt(x * x + y * y)));
}

}  // namespace sinter_eb34b753
