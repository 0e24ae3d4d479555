// orgqr: the first n columns of the product of k reflectors, as geqrf gives them.
#pragma once

#include "library/library.cuh"
#ifdef SINTER_CPU
#include "library/lapack.cuh"
#endif

inline namespace sinter_helpers {

namespace library {

#ifdef SINTER_CPU

template <class T>
int orgqr_elements(int m, int n, int k) {
  const int query = -1;
  int info = 0;
  T size = {};
  of_type<T>(sorgqr_, dorgqr_, cungqr_, zungqr_)(&m, &n, &k, nullptr, &m, nullptr, &size, &query,
                                                 &info);
  return elements(size);
}

template <class T>
Workspace orgqr_workspace(Library&, int m, int n, int k, int) {
  return {0, orgqr_elements<T>(m, n, k) * sizeof(T)};
}

template <class T>
cudaError_t orgqr(Library& library, int m, int n, int k, int batch, const T* reflectors,
                  const T* scales, T* q, cudaStream_t stream) {
  const int64_t size = int64_t(m) * n;
  const int work = orgqr_elements<T>(m, n, k);
  const cudaError_t error = copy(reflectors, q, batch * size, stream);
  for (int i = 0; i < batch; ++i) {
    int info = 0;
    of_type<T>(sorgqr_, dorgqr_, cungqr_, zungqr_)(
        &m, &n, &k, q + i * size, &m, scales + int64_t(i) * k, library.at<T>(0), &work, &info);
  }
  return error;
}

#else

// The workspace begins with the status that nobody reads.
template <class T>
Workspace orgqr_workspace(Library& library, int m, int n, int k, int) {
  int elements = 0;
  T* const none = nullptr;
  const cusolverStatus_t status = of_type<T>(
      cusolverDnSorgqr_bufferSize, cusolverDnDorgqr_bufferSize, cusolverDnCungqr_bufferSize,
      cusolverDnZungqr_bufferSize)(library.solver, m, n, k, raw(none), m, raw(none), &elements);
  return {aligned(sizeof(int)) + elements * sizeof(T), 0, as_error(status)};
}

template <class T>
cudaError_t orgqr(Library& library, int m, int n, int k, int batch, const T* reflectors,
                  const T* scales, T* q, cudaStream_t stream) {
  const int64_t size = int64_t(m) * n;
  const Workspace needed = orgqr_workspace<T>(library, m, n, k, batch);
  const auto work = static_cast<int>((needed.device - aligned(sizeof(int))) / sizeof(T));
  cudaError_t error = needed.error;
  if (error == cudaSuccess) error = library.use(stream);
  if (error == cudaSuccess) error = copy(reflectors, q, batch * size, stream);
  for (int i = 0; i < batch && error == cudaSuccess; ++i) {
    error =
        as_error(of_type<T>(cusolverDnSorgqr, cusolverDnDorgqr, cusolverDnCungqr, cusolverDnZungqr)(
            library.solver, m, n, k, raw(q + i * size), m, raw(scales + int64_t(i) * k),
            raw(library.at<T>(aligned(sizeof(int)))), work, library.at<int>(0)));
  }
  return error;
}

#endif

}  // namespace library

}  // namespace sinter_helpers
