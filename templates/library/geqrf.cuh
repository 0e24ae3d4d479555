// geqrf: R of a = Q R and, below it, the vectors of reflectors I - scale v v^H, whose product is Q.
#pragma once

#include "library/library.cuh"
#ifdef SINTER_CPU
#include "library/lapack.cuh"
#endif

inline namespace sinter_helpers {

namespace library {

#ifdef SINTER_CPU

template <class T>
int geqrf_elements(int m, int n) {
  const int query = -1;
  int info = 0;
  T size = {};
  of_type<T>(sgeqrf_, dgeqrf_, cgeqrf_, zgeqrf_)(&m, &n, nullptr, &m, nullptr, &size, &query,
                                                 &info);
  return elements(size);
}

template <class T>
Workspace geqrf_workspace(Library&, int m, int n, int) {
  return {0, geqrf_elements<T>(m, n) * sizeof(T)};
}

template <class T>
cudaError_t geqrf(Library& library, int m, int n, int batch, const T* a, T* r, T* scales,
                  cudaStream_t stream) {
  const int64_t size = int64_t(m) * n, steps = m < n ? m : n;
  const int work = geqrf_elements<T>(m, n);
  const cudaError_t error = copy(a, r, batch * size, stream);
  for (int i = 0; i < batch; ++i) {
    int info = 0;
    of_type<T>(sgeqrf_, dgeqrf_, cgeqrf_, zgeqrf_)(&m, &n, r + i * size, &m, scales + i * steps,
                                                   library.at<T>(0), &work, &info);
  }
  return error;
}

#else

// The workspace begins with the status that nobody reads.
template <class T>
Workspace geqrf_workspace(Library& library, int m, int n, int) {
  Workspace needed;
  needed.error = as_error(cusolverDnXgeqrf_bufferSize(library.solver, library.options, m, n,
                                                      kType<T>, nullptr, m, kType<T>, nullptr,
                                                      kType<T>, &needed.device, &needed.host));
  needed.device += aligned(sizeof(int));
  return needed;
}

template <class T>
cudaError_t geqrf(Library& library, int m, int n, int batch, const T* a, T* r, T* scales,
                  cudaStream_t stream) {
  const int64_t size = int64_t(m) * n, steps = m < n ? m : n;
  const Workspace needed = geqrf_workspace<T>(library, m, n, batch);
  constexpr size_t kStatus = aligned(sizeof(int));
  cudaError_t error = needed.error;
  if (error == cudaSuccess) error = library.use(stream);
  if (error == cudaSuccess) error = copy(a, r, batch * size, stream);
  for (int i = 0; i < batch && error == cudaSuccess; ++i) {
    error = as_error(cusolverDnXgeqrf(library.solver, library.options, m, n, kType<T>, r + i * size,
                                      m, kType<T>, scales + i * steps, kType<T>,
                                      library.at<std::byte>(kStatus), needed.device - kStatus,
                                      library.host_memory.data(), needed.host, library.at<int>(0)));
  }
  return error;
}

#endif

}  // namespace library

}  // namespace sinter_helpers
