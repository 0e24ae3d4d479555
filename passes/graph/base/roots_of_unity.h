// Roots of unity for the constants of Fourier transforms, precise to more than a double holds, so that their rounded
// values do not depend on the machine's mathematical library.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace sinter {

using WideComplex = std::complex<long double>;

// e^(sign * 2 pi i k / n), for k >= 0 and n > 0.
WideComplex root_of_unity(int64_t k, int64_t n, int sign);

// Those of one n, of which many are asked for: each of the first eighth of the circle is computed once.
class RootsOfUnity {
 public:
  RootsOfUnity(int64_t n, int sign);
  // e^(sign * 2 pi i k / n), for k >= 0.
  WideComplex operator()(int64_t k);

 private:
  int64_t n_, unit_;  // all angles are multiples of `unit_` eighths
  int sign_;
  std::vector<WideComplex> of_angle_;  // 0: not asked for yet
};

// The discrete Fourier transform, unnormalised, of a power of two of values.
std::vector<WideComplex> fourier_transform(std::vector<WideComplex> values);

}  // namespace sinter
