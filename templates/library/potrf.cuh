// potrf: Cholesky factors, in one triangle of `factor`; the other holds anything. `info` is, from
// 1, the first column whose pivot is not positive, or 0.
#pragma once

#include "library/library.cuh"
#ifdef SINTER_CPU
#include "library/lapack.cuh"
#endif

inline namespace sinter_helpers {

namespace library {

#ifdef SINTER_CPU

template <class T>
Workspace potrf_workspace(Library&, bool, int, int) {
  return {};
}

template <class T>
cudaError_t potrf(Library&, bool lower, int n, int batch, const T* a, T* factor, int* info,
                  cudaStream_t stream) {
  const int64_t size = int64_t(n) * n;
  const cudaError_t error = copy(a, factor, batch * size, stream);
  for (int i = 0; i < batch; ++i) {
    of_type<T>(spotrf_, dpotrf_, cpotrf_, zpotrf_)(lower ? "L" : "U", &n, factor + i * size, &n,
                                                   info + i);
  }
  return error;
}

#else

template <class T>
Workspace potrf_workspace(Library& library, bool lower, int n, int) {
  Workspace needed;
  needed.error = as_error(cusolverDnXpotrf_bufferSize(library.solver, library.options,
                                                      triangle(lower), n, kType<T>, nullptr, n,
                                                      kType<T>, &needed.device, &needed.host));
  return needed;
}

template <class T>
cudaError_t potrf(Library& library, bool lower, int n, int batch, const T* a, T* factor, int* info,
                  cudaStream_t stream) {
  const int64_t size = int64_t(n) * n;
  const Workspace needed = potrf_workspace<T>(library, lower, n, batch);
  cudaError_t error = needed.error;
  if (error == cudaSuccess) error = library.use(stream);
  if (error == cudaSuccess) error = copy(a, factor, batch * size, stream);
  for (int i = 0; i < batch && error == cudaSuccess; ++i) {
    error = as_error(cusolverDnXpotrf(library.solver, library.options, triangle(lower), n, kType<T>,
                                      factor + i * size, n, kType<T>, library.memory.data,
                                      needed.device, library.host_memory.data(), needed.host,
                                      info + i));
  }
  return error;
}

#endif

}  // namespace library

}  // namespace sinter_helpers
