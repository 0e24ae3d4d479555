// Eigenvalues of Hermitian matrices and singular values, by Jacobi's rotations: slow, and as precise as it gets.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ir/evaluate/arrays/evaluate_linalg.h"

namespace sinter::linalg {
namespace {

constexpr int kMaxSweeps = 60;
constexpr double kPrecision = 1e-16;

// The rotation [c, s; -conj(s), c] of columns p and q that makes their product zero: for the Gram or symmetric block
// [a, b; conj(b), d].
template <class T>
struct Rotation {
  double cosine = 1;
  T sine = T(0);
};

template <class T>
Rotation<T> rotation(double a, T b, double d) {
  const double size = std::abs(b);
  if (size == 0) return {};
  const double ratio = (d - a) / (2 * size);
  const double tangent = (ratio >= 0 ? 1 : -1) / (std::abs(ratio) + std::hypot(1, ratio));
  const double cosine = 1 / std::hypot(1, tangent);
  return {cosine, b / size * (tangent * cosine)};
}

// Columns p, q become c p - conj(s) q and s p + c q.
template <class T>
void rotate_columns(Matrix<T>& m, int64_t p, int64_t q, const Rotation<T>& r) {
  for (int64_t i = 0; i < m.rows; ++i) {
    const T x = m.at(i, p);
    const T y = m.at(i, q);
    m.at(i, p) = r.cosine * x - conjugate(r.sine) * y;
    m.at(i, q) = r.sine * x + r.cosine * y;
  }
}

template <class T>
void sort_columns(Matrix<T>& m, const std::vector<int64_t>& order) {
  Matrix<T> sorted(m.rows, m.columns);
  for (int64_t j = 0; j < m.columns; ++j) {
    for (int64_t i = 0; i < m.rows; ++i) sorted.at(i, j) = m.at(i, order[static_cast<size_t>(j)]);
  }
  m = sorted;
}

// Gives m's columns from `have` on unit vectors orthogonal to those before them.
template <class T>
void complete_columns(Matrix<T>& m, int64_t have) {
  for (int64_t j = have; j < m.columns; ++j) {
    std::vector<T> best(static_cast<size_t>(m.rows), T(0));
    double best_length = 0;
    for (int64_t unit = 0; unit < m.rows && best_length < 0.5; ++unit) {
      std::vector<T> x(static_cast<size_t>(m.rows), T(0));
      x[static_cast<size_t>(unit)] = T(1);
      for (int round = 0; round < 2; ++round) {
        for (int64_t k = 0; k < j; ++k) {
          T product = T(0);
          for (int64_t i = 0; i < m.rows; ++i) product += conjugate(m.at(i, k)) * x[static_cast<size_t>(i)];
          for (int64_t i = 0; i < m.rows; ++i) x[static_cast<size_t>(i)] -= product * m.at(i, k);
        }
      }
      double length = 0;
      for (const T& value : x) length += std::norm(value);
      length = std::sqrt(length);
      if (length > best_length) {
        best_length = length;
        best = x;
      }
    }
    for (int64_t i = 0; i < m.rows; ++i) m.at(i, j) = best[static_cast<size_t>(i)] / best_length;
  }
}

}  // namespace

template <class T>
void symmetric_eigen(Matrix<T>& a, bool lower, std::vector<double>& values) {
  const int64_t n = a.rows;
  for (int64_t i = 0; i < n; ++i) {
    a.at(i, i) = T(real_part(a.at(i, i)));
    for (int64_t j = 0; j < i; ++j) (lower ? a.at(j, i) : a.at(i, j)) = conjugate(lower ? a.at(i, j) : a.at(j, i));
  }
  Matrix<T> vectors(n, n);
  for (int64_t i = 0; i < n; ++i) vectors.at(i, i) = T(1);
  double total = 0;
  for (const T& value : a.values) total += std::norm(value);
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double off_diagonal = 0;
    for (int64_t p = 0; p < n; ++p) {
      for (int64_t q = p + 1; q < n; ++q) off_diagonal += std::norm(a.at(p, q));
    }
    if (!(off_diagonal > kPrecision * kPrecision * total)) break;
    for (int64_t p = 0; p < n; ++p) {
      for (int64_t q = p + 1; q < n; ++q) {
        const Rotation<T> r = rotation(real_part(a.at(p, p)), a.at(p, q), real_part(a.at(q, q)));
        rotate_columns(a, p, q, r);
        a = adjoint(a);  // columns of the adjoint are the rows
        rotate_columns(a, p, q, r);
        a.at(p, q) = a.at(q, p) = T(0);
        rotate_columns(vectors, p, q, r);
      }
    }
  }
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  const auto value = [&](int64_t i) { return real_part(a.at(i, i)); };
  std::stable_sort(order.begin(), order.end(), [&](int64_t x, int64_t y) { return value(x) < value(y); });
  values.clear();
  for (const int64_t i : order) values.push_back(value(i));
  sort_columns(vectors, order);
  a = vectors;
}

// One-sided: rotations from the right make the columns of a tall matrix orthogonal.
template <class T>
void singular_values(const Matrix<T>& a, std::vector<double>& values, Matrix<T>& u, Matrix<T>& v) {
  if (a.rows < a.columns) return singular_values(adjoint(a), values, v, u);
  const int64_t n = a.columns;
  Matrix<T> work = a;
  Matrix<T> right(n, n);
  for (int64_t i = 0; i < n; ++i) right.at(i, i) = T(1);
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    bool rotated = false;
    for (int64_t p = 0; p < n; ++p) {
      for (int64_t q = p + 1; q < n; ++q) {
        double pp = 0;
        double qq = 0;
        T pq = T(0);
        for (int64_t i = 0; i < a.rows; ++i) {
          pp += std::norm(work.at(i, p));
          qq += std::norm(work.at(i, q));
          pq += conjugate(work.at(i, p)) * work.at(i, q);
        }
        if (!(std::abs(pq) > kPrecision * std::sqrt(pp * qq))) continue;
        rotated = true;
        const Rotation<T> r = rotation(pp, pq, qq);
        rotate_columns(work, p, q, r);
        rotate_columns(right, p, q, r);
      }
    }
    if (!rotated) break;
  }
  std::vector<double> lengths;
  for (int64_t j = 0; j < n; ++j) {
    double length = 0;
    for (int64_t i = 0; i < a.rows; ++i) length += std::norm(work.at(i, j));
    lengths.push_back(std::sqrt(length));
  }
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t x, int64_t y) {
    return lengths[static_cast<size_t>(x)] > lengths[static_cast<size_t>(y)];
  });
  values.clear();
  for (const int64_t i : order) values.push_back(lengths[static_cast<size_t>(i)]);
  sort_columns(work, order);
  sort_columns(right, order);
  // Columns too short to have a direction are chosen like those beyond the number of values.
  const double smallest = n == 0 ? 0 : values[0] * static_cast<double>(n) * kPrecision;
  int64_t found = 0;
  while (found < n && values[static_cast<size_t>(found)] > smallest) ++found;
  for (int64_t j = 0; j < std::min(found, u.columns); ++j) {
    for (int64_t i = 0; i < a.rows; ++i) u.at(i, j) = work.at(i, j) / values[static_cast<size_t>(j)];
  }
  complete_columns(u, std::min(found, u.columns));
  for (int64_t j = 0; j < v.columns; ++j) {
    for (int64_t i = 0; i < n; ++i) v.at(i, j) = right.at(i, j);
  }
}

#define INSTANTIATE(T)                                                   \
  template void symmetric_eigen(Matrix<T>&, bool, std::vector<double>&); \
  template void singular_values(const Matrix<T>&, std::vector<double>&, Matrix<T>&, Matrix<T>&);
INSTANTIATE(double)
INSTANTIATE(Complex)
#undef INSTANTIATE

}  // namespace sinter::linalg
