// gesdd: singular values, descending, of a = u diag(values) v^H with m rows, n columns; u has
// `u_columns`, v^H `v_rows`: all of them, or as many as there are values. `rest` is what is left of
// a. Without `vectors`, u and v^H hold anything. `info` is 0 where they were found. cuSOLVER
// decomposes what has no fewer rows than columns.
#pragma once

#include "library/library.cuh"
#ifdef SINTER_CPU
#include "library/lapack.cuh"
#endif

inline namespace sinter_helpers {

namespace library {

#ifdef SINTER_CPU

// One call of LAPACK's: with a size of -1 it says which size it needs, in the first element.
template <class T>
void call_gesdd(const char* job, int m, int n, T* a, Real<T>* values, T* u, T* vt, int v_rows,
                T* work, int size, Real<T>* real_work, int* integer_work, int* info) {
  if constexpr (kIsComplex<T>) {
    of_type<T>(nullptr, nullptr, cgesdd_, zgesdd_)(job, &m, &n, a, &m, values, u, &m, vt, &v_rows,
                                                   work, &size, real_work, integer_work, info);
  } else {
    of_type<T>(sgesdd_, dgesdd_, nullptr, nullptr)(job, &m, &n, a, &m, values, u, &m, vt, &v_rows,
                                                   work, &size, integer_work, info);
  }
}

inline const char* gesdd_job(bool vectors, int m, int n, int u_columns, int v_rows) {
  return !vectors ? "N" : u_columns == m && v_rows == n ? "A" : "S";
}

template <class T>
int gesdd_elements(const char* job, int m, int n, int v_rows) {
  int info = 0, integers = 0;
  T size = {};
  Real<T> reals = 0;
  call_gesdd<T>(job, m, n, nullptr, nullptr, nullptr, nullptr, v_rows, &size, -1, &reals, &integers,
                &info);
  return elements(size);
}

// As LAPACK's documentation has it; there is no query.
inline size_t gesdd_reals(size_t m, size_t n) {
  const size_t small = std::min(m, n), large = std::max(m, n);
  return std::max(5 * small * small + 5 * small, 2 * large * small + 2 * small * small + small);
}

template <class T>
Workspace gesdd_workspace(Library&, bool vectors, int m, int n, int u_columns, int v_rows, int) {
  const char* const job = gesdd_job(vectors, m, n, u_columns, v_rows);
  const size_t reals = kIsComplex<T> ? gesdd_reals(m, n) : 0;
  return {0, aligned(gesdd_elements<T>(job, m, n, v_rows) * sizeof(T)) +
                 aligned(reals * sizeof(Real<T>)) + 8 * std::min(m, n) * sizeof(int)};
}

template <class T>
cudaError_t gesdd(Library& library, bool vectors, int m, int n, int u_columns, int v_rows,
                  int batch, const T* a, T* rest, Real<T>* values, T* u, T* vt, int* info,
                  cudaStream_t stream) {
  const char* const job = gesdd_job(vectors, m, n, u_columns, v_rows);
  const int work = gesdd_elements<T>(job, m, n, v_rows);
  const size_t reals = aligned(work * sizeof(T));
  const size_t integers =
      reals + aligned((kIsComplex<T> ? gesdd_reals(m, n) : 0) * sizeof(Real<T>));
  const cudaError_t error = copy(a, rest, int64_t(batch) * m * n, stream);
  for (int64_t i = 0; i < batch; ++i) {
    call_gesdd<T>(job, m, n, rest + i * m * n, values + i * std::min(m, n), u + i * m * u_columns,
                  vt + i * v_rows * n, v_rows, library.at<T>(0), work, library.at<Real<T>>(reals),
                  library.at<int>(integers), info + i);
  }
  return error;
}

#else

inline signed char gesdd_job(bool vectors, int all, int wanted) {
  return !vectors ? 'N' : wanted == all ? 'A' : 'S';
}

template <class T>
Workspace gesdd_workspace(Library& library, bool vectors, int m, int n, int u_columns, int v_rows,
                          int) {
  Workspace needed;
  needed.error = as_error(cusolverDnXgesvd_bufferSize(
      library.solver, library.options, gesdd_job(vectors, m, u_columns),
      gesdd_job(vectors, n, v_rows), m, n, kType<T>, nullptr, m, kType<Real<T>>, nullptr, kType<T>,
      nullptr, m, kType<T>, nullptr, v_rows, kType<T>, &needed.device, &needed.host));
  return needed;
}

template <class T>
cudaError_t gesdd(Library& library, bool vectors, int m, int n, int u_columns, int v_rows,
                  int batch, const T* a, T* rest, Real<T>* values, T* u, T* vt, int* info,
                  cudaStream_t stream) {
  const Workspace needed = gesdd_workspace<T>(library, vectors, m, n, u_columns, v_rows, batch);
  cudaError_t error = needed.error;
  if (error == cudaSuccess) error = library.use(stream);
  if (error == cudaSuccess) error = copy(a, rest, int64_t(batch) * m * n, stream);
  for (int64_t i = 0; i < batch && error == cudaSuccess; ++i) {
    error = as_error(
        cusolverDnXgesvd(library.solver, library.options, gesdd_job(vectors, m, u_columns),
                         gesdd_job(vectors, n, v_rows), m, n, kType<T>, rest + i * m * n, m,
                         kType<Real<T>>, values + i * n, kType<T>, u + i * m * u_columns, m,
                         kType<T>, vt + i * v_rows * n, v_rows, kType<T>, library.memory.data,
                         needed.device, library.host_memory.data(), needed.host, info + i));
  }
  return error;
}

#endif

}  // namespace library

}  // namespace sinter_helpers
