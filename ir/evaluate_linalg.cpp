// Evaluating cholesky and triangular-solve, in double or complex<double>, batch entry by batch entry.
#include <cmath>
#include <complex>
#include <type_traits>

#include "ir/evaluate_arrays.h"
#include "ir/evaluate_linalg.h"
#include "ir/evaluate_ops.h"
#include "ir/evaluate_wide.h"

namespace sinter {
namespace {

template <class T>
T conjugate(T value) {
  if constexpr (std::is_same_v<T, std::complex<double>>) {
    return std::conj(value);
  } else {
    return value;
  }
}

template <class T>
double real_part(T value) {
  if constexpr (std::is_same_v<T, std::complex<double>>) {
    return value.real();
  } else {
    return value;
  }
}

// An n x n matrix in row-major order, seen as it is, transposed, or conjugated.
template <class T>
struct MatrixView {
  const T* data = nullptr;
  int64_t size = 0;
  bool transposed = false;
  bool conjugated = false;
  T at(int64_t i, int64_t j) const {
    const T value = transposed ? data[j * size + i] : data[i * size + j];
    return conjugated ? conjugate(value) : value;
  }
};

// In place: the lower factor of a matrix of which the lower triangle is read. Returns the 1-based index of the first
// pivot that is not positive, or 0.
template <class T>
int64_t factorise(std::vector<T>& a, int64_t n) {
  const auto at = [&](int64_t i, int64_t j) -> T& { return a[static_cast<size_t>(i * n + j)]; };
  int64_t failed = 0;
  for (int64_t j = 0; j < n; ++j) {
    double pivot = real_part(at(j, j));
    for (int64_t k = 0; k < j; ++k) pivot -= std::norm(at(j, k));
    if (!(pivot > 0) && failed == 0) failed = j + 1;
    const double diagonal = std::sqrt(pivot);
    at(j, j) = T(diagonal);
    for (int64_t i = j + 1; i < n; ++i) {
      T sum = at(i, j);
      for (int64_t k = 0; k < j; ++k) sum -= at(i, k) * conjugate(at(j, k));
      at(i, j) = sum / diagonal;
    }
  }
  return failed;
}

// x = m^-1 x for a vector of n elements `step` apart.
template <class T>
void solve(const MatrixView<T>& m, bool lower, bool unit_diagonal, T* x, int64_t step) {
  for (int64_t row = 0; row < m.size; ++row) {
    const int64_t i = lower ? row : m.size - 1 - row;
    T sum = x[i * step];
    for (int64_t j = lower ? 0 : i + 1; j < (lower ? i : m.size); ++j) sum -= m.at(i, j) * x[j * step];
    x[i * step] = unit_diagonal ? sum : sum / m.at(i, i);
  }
}

}  // namespace

CholeskyResult cholesky(const Literal& operand, bool lower) {
  const Shape& shape = operand.shape();
  const int64_t n = shape.dims.back();
  const int64_t matrix = n * n;
  const int64_t batches = matrix == 0 ? 0 : shape.element_count() / matrix;
  CholeskyResult result;
  result.factor = elements::visit_wide(shape.dtype, shape.dtype, DType::kF64, [&]<class T>(T) {
    std::vector<T> values = elements::widen<T>(operand);
    if constexpr (!std::is_integral_v<T>) {
      for (int64_t b = 0; b < batches; ++b) {
        const MatrixView<T> source{values.data() + b * matrix, n, !lower, !lower};
        std::vector<T> a(static_cast<size_t>(matrix), T(0));
        for (int64_t i = 0; i < n; ++i) {
          for (int64_t j = 0; j <= i; ++j) a[static_cast<size_t>(i * n + j)] = source.at(i, j);
        }
        result.failed.push_back(factorise(a, n));
        const MatrixView<T> factor{a.data(), n, !lower, !lower};
        for (int64_t i = 0; i < matrix; ++i) values[static_cast<size_t>(b * matrix + i)] = factor.at(i / n, i % n);
      }
    }
    return elements::narrow(values, shape);
  });
  return result;
}

Literal evaluate_cholesky(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context) {
  context.count_product({operands[0].element_count(), operands[0].shape().dims.back()});
  return cholesky(operands[0], instruction.attributes.lower.value_or(false)).factor.with_shape(instruction.shape);
}

// op(a) x = b, or x op(a) = b, which is op(a)^T x^T = b^T.
Literal evaluate_triangular_solve(const Instruction& instruction, std::span<const Literal> operands,
                                  EvaluateContext& context) {
  const Attributes& attributes = instruction.attributes;
  const Shape& shape = instruction.shape;
  const bool left = attributes.left_side.value_or(false);
  const bool unit_diagonal = attributes.unit_diagonal.value_or(false);
  const std::string transpose = attributes.transpose_a.value_or("NO_TRANSPOSE");
  const bool transposed = (transpose == "TRANSPOSE" || transpose == "ADJOINT") == left;
  // Where the matrix that is solved with is the transpose of the stored one, its triangle is the other one.
  const bool lower = attributes.lower.value_or(false) != transposed;
  const int64_t rows = shape.dims[shape.dims.size() - 2];
  const int64_t columns = shape.dims.back();
  const int64_t n = left ? rows : columns;
  const int64_t right_sides = left ? columns : rows;
  const int64_t batches = shape.element_count() == 0 ? 0 : shape.element_count() / (rows * columns);
  context.count_product({shape.element_count(), n});
  return elements::visit_wide(operands[0].shape().dtype, shape.dtype, DType::kF64, [&]<class T>(T) {
    const std::vector<T> a = elements::widen<T>(operands[0]);
    std::vector<T> x = elements::widen<T>(operands[1]);
    if constexpr (!std::is_integral_v<T>) {
      for (int64_t b = 0; b < batches; ++b) {
        const MatrixView<T> m{a.data() + b * n * n, n, transposed, transpose == "ADJOINT"};
        for (int64_t r = 0; r < right_sides; ++r) {
          T* start = x.data() + b * rows * columns + (left ? r : r * columns);
          solve(m, lower, unit_diagonal, start, left ? columns : 1);
        }
      }
    }
    return elements::narrow(x, shape);
  });
}

}  // namespace sinter
