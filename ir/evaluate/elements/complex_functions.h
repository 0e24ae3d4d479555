// Functions of complex numbers where those of the standard library lose digits or zeros.
#pragma once

#include <complex>

namespace sinter {

using Complex = std::complex<double>;

Complex complex_exp(Complex z);
Complex complex_log(Complex z);
Complex complex_expm1(Complex z);
Complex complex_log1p(Complex z);
Complex complex_rsqrt(Complex z);
Complex complex_cbrt(Complex z);
Complex complex_sign(Complex z);

}  // namespace sinter
