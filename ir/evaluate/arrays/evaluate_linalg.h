// Linear algebra on one matrix in double or complex<double>, for the opcodes and for the custom calls that JAX emits.
// Matrices are row-major. Internal to ir/evaluate.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace sinter::linalg {

using Complex = std::complex<double>;

inline double conjugate(double value) { return value; }
inline Complex conjugate(Complex value) { return std::conj(value); }
inline double real_part(double value) { return value; }
inline double real_part(Complex value) { return value.real(); }

template <class T>
struct Matrix {
  Matrix(int64_t rows, int64_t columns)
      : rows(rows), columns(columns), values(static_cast<size_t>(rows * columns), T(0)) {}
  Matrix(int64_t rows, int64_t columns, const T* from)
      : rows(rows), columns(columns), values(from, from + rows * columns) {}
  T& at(int64_t i, int64_t j) { return values[static_cast<size_t>(i * columns + j)]; }
  const T& at(int64_t i, int64_t j) const { return values[static_cast<size_t>(i * columns + j)]; }
  int64_t rows, columns;
  std::vector<T> values;
};

template <class T>
Matrix<T> transpose(const Matrix<T>& a) {
  Matrix<T> result(a.columns, a.rows);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = 0; j < a.columns; ++j) result.at(j, i) = a.at(i, j);
  }
  return result;
}

template <class T>
Matrix<T> adjoint(const Matrix<T>& a) {
  Matrix<T> result = transpose(a);
  for (T& value : result.values) value = conjugate(value);
  return result;
}

// ---- evaluate_linalg.cpp ----

// The lower or upper factor, from that triangle; zeros in the other. The result is the 1-based index of the first pivot
// that is not positive, or 0.
template <class T>
int64_t cholesky(Matrix<T>& a, bool lower);

struct TriangularSolve {
  bool left = true, lower = true, unit_diagonal = false, transposed = false, conjugated = false;
};
// b becomes op(a)^-1 b, or b op(a)^-1.
template <class T>
void triangular_solve(const Matrix<T>& a, const TriangularSolve& options, Matrix<T>& b);

// ---- evaluate_factor.cpp ----

// P a = L U in place, rows exchanged with partial pivoting; pivots count from 1. The result is the 1-based index of the
// first pivot that is zero, or 0.
template <class T>
int64_t lu(Matrix<T>& a, std::vector<int64_t>& pivots);

// R above, reflectors below the diagonal, I - scale v v^H each with v = (1, below).
template <class T>
void qr(Matrix<T>& a, std::vector<T>& scales);
// The first columns of the product of the reflectors.
template <class T>
void householder_product(Matrix<T>& a, const std::vector<T>& scales);

// Without pivoting; lower[0] and upper[n - 1] are not read.
template <class T>
void tridiagonal_solve(const T* lower, const T* diagonal, const T* upper, Matrix<T>& b);

// ---- evaluate_eigen.cpp ----

// Eigenvalues, ascending, of a Hermitian matrix of which one triangle is read; a becomes their vectors, as columns.
template <class T>
void symmetric_eigen(Matrix<T>& a, bool lower, std::vector<double>& values);

// Singular values, descending; u and v have orthonormal columns, as many as they come with.
template <class T>
void singular_values(const Matrix<T>& a, std::vector<double>& values, Matrix<T>& u, Matrix<T>& v);

}  // namespace sinter::linalg
