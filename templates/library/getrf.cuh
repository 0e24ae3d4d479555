// getrf: L and U of P a = L U in one matrix; row i was exchanged with row pivots[i] - 1. `info` is,
// from 1, the first column whose pivot is zero, or 0.
#pragma once

#include "library/library.cuh"
#ifdef SINTER_CPU
#include "library/lapack.cuh"
#endif

inline namespace sinter_helpers {

namespace library {

#ifdef SINTER_CPU

template <class T>
Workspace getrf_workspace(Library&, int, int, int) {
  return {};
}

template <class T>
cudaError_t getrf(Library&, int m, int n, int batch, const T* a, T* lu, int* pivots, int* info,
                  cudaStream_t stream) {
  const int64_t size = int64_t(m) * n, steps = m < n ? m : n;
  const cudaError_t error = copy(a, lu, batch * size, stream);
  for (int i = 0; i < batch; ++i) {
    of_type<T>(sgetrf_, dgetrf_, cgetrf_, zgetrf_)(&m, &n, lu + i * size, &m, pivots + i * steps,
                                                   info + i);
  }
  return error;
}

#else

template <class T>
Workspace getrf_workspace(Library& library, int m, int n, int) {
  int elements = 0;
  const cusolverStatus_t status =
      of_type<T>(cusolverDnSgetrf_bufferSize, cusolverDnDgetrf_bufferSize,
                 cusolverDnCgetrf_bufferSize, cusolverDnZgetrf_bufferSize)(
          library.solver, m, n, raw(static_cast<T*>(nullptr)), m, &elements);
  return {elements * sizeof(T), 0, as_error(status)};
}

template <class T>
cudaError_t getrf(Library& library, int m, int n, int batch, const T* a, T* lu, int* pivots,
                  int* info, cudaStream_t stream) {
  const int64_t size = int64_t(m) * n, steps = m < n ? m : n;
  cudaError_t error = library.use(stream);
  if (error == cudaSuccess) error = copy(a, lu, batch * size, stream);
  for (int i = 0; i < batch && error == cudaSuccess; ++i) {
    error =
        as_error(of_type<T>(cusolverDnSgetrf, cusolverDnDgetrf, cusolverDnCgetrf, cusolverDnZgetrf)(
            library.solver, m, n, raw(lu + i * size), m, raw(library.at<T>(0)), pivots + i * steps,
            info + i));
  }
  return error;
}

#endif

}  // namespace library

}  // namespace sinter_helpers
