// LU and QR factorisations of one matrix, products of reflectors, tridiagonal systems.
#include "ir/evaluate/arrays/evaluate_linalg.h"

namespace sinter::linalg {
namespace {

// The size by which LAPACK compares pivots.
double pivot_size(double value) { return std::abs(value); }
double pivot_size(Complex value) { return std::abs(value.real()) + std::abs(value.imag()); }

}  // namespace

template <class T>
int64_t lu(Matrix<T>& a, std::vector<int64_t>& pivots) {
  int64_t failed = 0;
  pivots.clear();
  for (int64_t j = 0; j < std::min(a.rows, a.columns); ++j) {
    int64_t pivot = j;
    for (int64_t i = j + 1; i < a.rows; ++i) {
      if (pivot_size(a.at(i, j)) > pivot_size(a.at(pivot, j))) pivot = i;
    }
    pivots.push_back(pivot + 1);
    if (pivot != j) {
      for (int64_t k = 0; k < a.columns; ++k) std::swap(a.at(j, k), a.at(pivot, k));
    }
    if (a.at(j, j) == T(0)) {
      if (failed == 0) failed = j + 1;
      continue;
    }
    for (int64_t i = j + 1; i < a.rows; ++i) {
      a.at(i, j) /= a.at(j, j);
      for (int64_t k = j + 1; k < a.columns; ++k) a.at(i, k) -= a.at(i, j) * a.at(j, k);
    }
  }
  return failed;
}

template <class T>
void qr(Matrix<T>& a, std::vector<T>& scales) {
  scales.clear();
  for (int64_t j = 0; j < std::min(a.rows, a.columns); ++j) {
    double below = 0;
    for (int64_t i = j + 1; i < a.rows; ++i) below += std::norm(a.at(i, j));
    const T alpha = a.at(j, j);
    if (below == 0 && alpha == T(real_part(alpha))) {  // nothing to reflect
      scales.push_back(T(0));
      continue;
    }
    const double length = std::sqrt(std::norm(alpha) + below);
    const double beta = real_part(alpha) > 0 ? -length : length;
    const T scale = (T(beta) - alpha) / beta;
    for (int64_t i = j + 1; i < a.rows; ++i) a.at(i, j) /= alpha - T(beta);
    a.at(j, j) = T(beta);
    // (I - scale v v^H)^H from the left on the columns that follow.
    for (int64_t k = j + 1; k < a.columns; ++k) {
      T sum = a.at(j, k);
      for (int64_t i = j + 1; i < a.rows; ++i) sum += conjugate(a.at(i, j)) * a.at(i, k);
      sum *= conjugate(scale);
      a.at(j, k) -= sum;
      for (int64_t i = j + 1; i < a.rows; ++i) a.at(i, k) -= a.at(i, j) * sum;
    }
    scales.push_back(scale);
  }
}

template <class T>
void householder_product(Matrix<T>& a, const std::vector<T>& scales) {
  Matrix<T> q(a.rows, a.columns);
  for (int64_t j = 0; j < a.columns; ++j) q.at(j, j) = T(1);
  for (int64_t j = static_cast<int64_t>(scales.size()) - 1; j >= 0; --j) {
    for (int64_t k = j; k < a.columns; ++k) {
      T sum = q.at(j, k);
      for (int64_t i = j + 1; i < a.rows; ++i) sum += conjugate(a.at(i, j)) * q.at(i, k);
      sum *= scales[static_cast<size_t>(j)];
      q.at(j, k) -= sum;
      for (int64_t i = j + 1; i < a.rows; ++i) q.at(i, k) -= a.at(i, j) * sum;
    }
  }
  a = q;
}

// Gaussian elimination with partial pivoting: an exchange of rows gives a second upper diagonal.
template <class T>
void tridiagonal_solve(const T* lower, const T* diagonal, const T* upper, Matrix<T>& b) {
  const int64_t n = b.rows;
  std::vector<T> d(diagonal, diagonal + n), first(upper, upper + n), second(static_cast<size_t>(n), T(0));
  for (int64_t i = 0; i + 1 < n; ++i) {
    const auto at = static_cast<size_t>(i);
    T below = lower[i + 1];
    T next_d = d[at + 1];
    T next_first = i + 2 < n ? first[at + 1] : T(0);
    if (pivot_size(below) > pivot_size(d[at])) {
      std::swap(d[at], below);
      std::swap(first[at], next_d);
      std::swap(second[at], next_first);
      for (int64_t k = 0; k < b.columns; ++k) std::swap(b.at(i, k), b.at(i + 1, k));
    }
    const T factor = below / d[at];
    d[at + 1] = next_d - factor * first[at];
    if (i + 2 < n) first[at + 1] = next_first - factor * second[at];
    for (int64_t k = 0; k < b.columns; ++k) b.at(i + 1, k) -= factor * b.at(i, k);
  }
  for (int64_t i = n - 1; i >= 0; --i) {
    const auto at = static_cast<size_t>(i);
    for (int64_t k = 0; k < b.columns; ++k) {
      T sum = b.at(i, k);
      if (i + 1 < n) sum -= first[at] * b.at(i + 1, k);
      if (i + 2 < n) sum -= second[at] * b.at(i + 2, k);
      b.at(i, k) = sum / d[at];
    }
  }
}

#define INSTANTIATE(T)                                                  \
  template int64_t lu(Matrix<T>&, std::vector<int64_t>&);               \
  template void qr(Matrix<T>&, std::vector<T>&);                        \
  template void householder_product(Matrix<T>&, const std::vector<T>&); \
  template void tridiagonal_solve(const T*, const T*, const T*, Matrix<T>&);
INSTANTIATE(double)
INSTANTIATE(Complex)
#undef INSTANTIATE

}  // namespace sinter::linalg
