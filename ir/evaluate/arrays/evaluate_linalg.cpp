// Evaluating cholesky and triangular-solve, in double or complex<double>, batch entry by batch entry.
#include "ir/evaluate/arrays/evaluate_linalg.h"

#include <limits>

#include "ir/evaluate/elements/evaluate_wide.h"
#include "ir/ops/evaluate_ops.h"

namespace sinter {
namespace linalg {

template <class T>
int64_t cholesky(Matrix<T>& a, bool lower) {
  const int64_t n = a.rows;
  // The upper triangle is the lower one of the adjoint, which is the same matrix.
  if (!lower) a = adjoint(a);
  int64_t failed = 0;
  for (int64_t j = 0; j < n; ++j) {
    double pivot = real_part(a.at(j, j));
    for (int64_t k = 0; k < j; ++k) pivot -= std::norm(a.at(j, k));
    if (!(pivot > 0) && failed == 0) failed = j + 1;
    const double diagonal = std::sqrt(pivot);
    a.at(j, j) = T(diagonal);
    for (int64_t i = j + 1; i < n; ++i) {
      T sum = a.at(i, j);
      for (int64_t k = 0; k < j; ++k) sum -= a.at(i, k) * conjugate(a.at(j, k));
      a.at(i, j) = sum / diagonal;
      a.at(j, i) = T(0);
    }
  }
  if (!lower) a = adjoint(a);
  return failed;
}

template <class T>
void triangular_solve(const Matrix<T>& a, const TriangularSolve& options, Matrix<T>& b) {
  const int64_t n = a.rows;
  // x op(a) = b is op(a)^T x^T = b^T. Where the matrix that is solved with is the transpose of the stored one, its
  // triangle is the other one.
  const bool transposed = options.transposed == options.left;
  const bool lower = options.lower != transposed;
  const auto entry = [&](int64_t i, int64_t j) {
    const T value = transposed ? a.at(j, i) : a.at(i, j);
    return options.conjugated ? conjugate(value) : value;
  };
  const int64_t right_sides = options.left ? b.columns : b.rows;
  for (int64_t r = 0; r < right_sides; ++r) {
    const auto x = [&](int64_t i) -> T& { return options.left ? b.at(i, r) : b.at(r, i); };
    for (int64_t step = 0; step < n; ++step) {
      const int64_t i = lower ? step : n - 1 - step;
      T sum = x(i);
      for (int64_t j = lower ? 0 : i + 1; j < (lower ? i : n); ++j) sum -= entry(i, j) * x(j);
      x(i) = options.unit_diagonal ? sum : sum / entry(i, i);
    }
  }
}

template int64_t cholesky(Matrix<double>&, bool);
template int64_t cholesky(Matrix<Complex>&, bool);
template void triangular_solve(const Matrix<double>&, const TriangularSolve&, Matrix<double>&);
template void triangular_solve(const Matrix<Complex>&, const TriangularSolve&, Matrix<Complex>&);

}  // namespace linalg

namespace {

// change(matrix values of a, of b) for each batch entry of two arrays of matrices.
template <class Change>
Literal for_each_matrix(const Literal& a, const Literal& b, const Shape& shape, Change change) {
  return elements::visit_wide(a.shape().dtype, b.shape().dtype, DType::kF64, [&]<class T>(T) {
    std::vector<T> result = elements::widen<T>(b);
    if constexpr (!std::is_integral_v<T>) {
      const std::vector<T> first = elements::widen<T>(a);
      const auto matrix_size = [](const Shape& of) { return of.dims[of.dims.size() - 2] * of.dims.back(); };
      const int64_t a_size = matrix_size(a.shape());
      const int64_t b_size = matrix_size(shape);
      const int64_t batches = b_size == 0 ? 0 : shape.element_count() / b_size;
      for (int64_t i = 0; i < batches; ++i) {
        linalg::Matrix<T> from(a.shape().dims[a.shape().dims.size() - 2], a.shape().dims.back(),
                               first.data() + i * a_size);
        linalg::Matrix<T> to(shape.dims[shape.dims.size() - 2], shape.dims.back(), result.data() + i * b_size);
        change(from, to);
        std::copy(to.values.begin(), to.values.end(), result.begin() + i * b_size);
      }
    }
    return elements::narrow(result, shape);
  });
}

}  // namespace

Literal evaluate_cholesky(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context) {
  context.count_product({operands[0].element_count(), operands[0].shape().dims.back()});
  const bool lower = instruction.attributes->lower.value_or(false);
  return for_each_matrix(operands[0], operands[0], instruction.shape, [&](const auto&, auto& factor) {
    if (linalg::cholesky(factor, lower) == 0) return;
    for (auto& value : factor.values) value = std::numeric_limits<double>::quiet_NaN();
  });
}

Literal evaluate_triangular_solve(const Instruction& instruction, std::span<const Literal> operands,
                                  EvaluateContext& context) {
  const Attributes& attributes = instruction.attributes;
  const std::string transpose = attributes.transpose_a.value_or("NO_TRANSPOSE");
  const linalg::TriangularSolve options = {.left = attributes.left_side.value_or(false),
                                           .lower = attributes.lower.value_or(false),
                                           .unit_diagonal = attributes.unit_diagonal.value_or(false),
                                           .transposed = transpose != "NO_TRANSPOSE",
                                           .conjugated = transpose == "ADJOINT"};
  context.count_product({instruction.shape.element_count(), operands[0].shape().dims.back()});
  return for_each_matrix(operands[0], operands[1], instruction.shape,
                         [&](const auto& a, auto& b) { linalg::triangular_solve(a, options, b); });
}

}  // namespace sinter
