// Evaluating fft, in complex<double>: powers of two by radix 2, small other lengths by the definition, large ones
// by Bluestein's convolution.
#include <cmath>
#include <complex>
#include <numbers>

#include "ir/evaluate/arrays/evaluate_arrays.h"
#include "ir/evaluate/elements/evaluate_wide.h"
#include "ir/ops/evaluate_ops.h"

namespace sinter {
namespace {

using Complex = std::complex<double>;
using elements::Dims;

// e^(sign * 2 pi i k / n)
Complex root_of_unity(int64_t k, int64_t n, int sign) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n);
  return {std::cos(angle), sign * std::sin(angle)};
}

void transform_power_of_two(std::vector<Complex>& line, int sign) {
  const size_t n = line.size();
  for (size_t i = 1, j = 0; i < n; ++i) {
    size_t bit = n / 2;
    for (; (j & bit) != 0; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(line[i], line[j]);
  }
  std::vector<Complex> roots(n / 2);
  for (size_t k = 0; k < n / 2; ++k) roots[k] = root_of_unity(static_cast<int64_t>(k), static_cast<int64_t>(n), sign);
  for (size_t half = 1; half < n; half *= 2) {
    for (size_t start = 0; start < n; start += 2 * half) {
      for (size_t k = 0; k < half; ++k) {
        const Complex odd = elements::wrapping_multiply(line[start + k + half], roots[k * (n / (2 * half))]);
        const Complex even = line[start + k];
        line[start + k] = even + odd;
        line[start + k + half] = even - odd;
      }
    }
  }
}

void transform_by_definition(std::vector<Complex>& line, int sign) {
  const auto n = static_cast<int64_t>(line.size());
  std::vector<Complex> roots;
  for (int64_t k = 0; k < n; ++k) roots.push_back(root_of_unity(k, n, sign));
  std::vector<Complex> result(line.size(), Complex(0));
  for (int64_t k = 0; k < n; ++k) {
    for (int64_t i = 0; i < n; ++i) {
      result[static_cast<size_t>(k)] +=
          elements::wrapping_multiply(line[static_cast<size_t>(i)], roots[static_cast<size_t>(i * k % n)]);
    }
  }
  line = std::move(result);
}

// i k = (i^2 + k^2 - (k - i)^2) / 2 turns the transform into a convolution with a chirp.
void transform_by_chirp(std::vector<Complex>& line, int sign) {
  const auto n = static_cast<int64_t>(line.size());
  size_t padded = 1;
  while (padded < 2 * line.size() - 1) padded *= 2;
  std::vector<Complex> chirp;
  for (int64_t i = 0; i < n; ++i) {
    __extension__ using Wide = unsigned __int128;
    const auto square = static_cast<int64_t>(static_cast<Wide>(i) * static_cast<Wide>(i) % static_cast<Wide>(2 * n));
    chirp.push_back(root_of_unity(square, 2 * n, sign));
  }
  std::vector<Complex> a(padded, Complex(0)), b(padded, Complex(0));
  for (size_t i = 0; i < line.size(); ++i) {
    a[i] = elements::wrapping_multiply(line[i], chirp[i]);
    b[i] = std::conj(chirp[i]);
    if (i > 0) b[padded - i] = b[i];
  }
  transform_power_of_two(a, -1);
  transform_power_of_two(b, -1);
  for (size_t i = 0; i < padded; ++i) a[i] = elements::wrapping_multiply(a[i], b[i]);
  transform_power_of_two(a, 1);
  for (size_t i = 0; i < line.size(); ++i) {
    line[i] = elements::wrapping_multiply(a[i], chirp[i]) / static_cast<double>(padded);
  }
}

// Unnormalised forward (sign -1), or inverse with the division by n.
void transform(std::vector<Complex>& line, bool inverse) {
  constexpr size_t kSmall = 64;
  const size_t n = line.size();
  const int sign = inverse ? 1 : -1;
  if (n <= 1) return;
  if ((n & (n - 1)) == 0) {
    transform_power_of_two(line, sign);
  } else if (n <= kSmall) {
    transform_by_definition(line, sign);
  } else {
    transform_by_chirp(line, sign);
  }
  if (inverse) {
    for (Complex& value : line) value /= static_cast<double>(n);
  }
}

struct Grid {
  Dims dims;
  std::vector<Complex> values;
};

// Replaces every line along `axis` by change(line), which may have another length.
template <class Change>
void for_each_line(Grid& grid, size_t axis, int64_t new_length, Change change) {
  Grid result;
  result.dims = grid.dims;
  result.dims[axis] = new_length;
  result.values.resize(static_cast<size_t>(elements::product(result.dims)));
  const int64_t length = grid.dims[axis];
  int64_t inner = 1;
  for (size_t d = axis + 1; d < grid.dims.size(); ++d) inner *= grid.dims[d];
  const int64_t outer = length == 0 ? 0 : static_cast<int64_t>(grid.values.size()) / (length * inner);
  std::vector<Complex> line;
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      line.clear();
      for (int64_t k = 0; k < length; ++k)
        line.push_back(grid.values[static_cast<size_t>((o * length + k) * inner + i)]);
      change(line);
      for (int64_t k = 0; k < new_length; ++k) {
        result.values[static_cast<size_t>((o * new_length + k) * inner + i)] = line[static_cast<size_t>(k)];
      }
    }
  }
  grid = std::move(result);
}

}  // namespace

Literal evaluate_fft(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context) {
  const std::string& type = *instruction.attributes->fft_type;
  const Dims& lengths = *instruction.attributes->fft_length;
  const bool inverse = type == "IFFT" || type == "IRFFT";
  Grid grid{operands[0].shape().dims, elements::widen<Complex>(operands[0])};
  context.count_product({operands[0].element_count(), 16});
  if (instruction.shape.element_count() == 0) return Literal(instruction.shape);
  const size_t last = grid.dims.size() - 1;
  const size_t first = grid.dims.size() - lengths.size();
  const int64_t length = lengths.back();
  const auto whole = [&](std::vector<Complex>& line) { transform(line, inverse); };
  // A real transform keeps the innermost frequencies up to half the length; its inverse restores the others, after
  // the outer axes.
  if (type == "RFFT") {
    for_each_line(grid, last, length / 2 + 1, whole);
  } else if (type != "IRFFT") {
    for_each_line(grid, last, length, whole);
  }
  for (size_t axis = last; axis-- > first;) for_each_line(grid, axis, grid.dims[axis], whole);
  if (type == "IRFFT") {
    for_each_line(grid, last, length, [&](std::vector<Complex>& line) {
      line.resize(static_cast<size_t>(length));
      for (size_t k = line.size() / 2 + 1; k < line.size(); ++k) line[k] = std::conj(line[line.size() - k]);
      transform(line, true);
    });
  }
  if (is_complex(instruction.shape.dtype)) return elements::narrow(grid.values, instruction.shape);
  std::vector<double> real;
  for (const Complex value : grid.values) real.push_back(value.real());
  return elements::narrow(real, instruction.shape);
}

}  // namespace sinter
