// gtsv: x of a tridiagonal system of n equations with pivoting; the first of the lower and the last
// of the upper diagonal are zero. What is left of the diagonals is in `lower_rest`, ... . `info`
// is, from 1, the first zero pivot, or 0; on a GPU always 0.
#pragma once

#include "library/library.cuh"
#ifdef SINTER_CPU
#include "library/lapack.cuh"
#endif

inline namespace sinter_helpers {

namespace library {

#ifdef SINTER_CPU

template <class T>
Workspace gtsv_workspace(Library&, int, int, int) {
  return {};
}

template <class T>
cudaError_t gtsv(Library&, int n, int columns, int batch, const T* lower, const T* diagonal,
                 const T* upper, const T* b, T* lower_rest, T* diagonal_rest, T* upper_rest, T* x,
                 int* info, cudaStream_t stream) {
  const int64_t count = int64_t(batch) * n;
  cudaError_t error = copy(lower, lower_rest, count, stream);
  if (error == cudaSuccess) error = copy(diagonal, diagonal_rest, count, stream);
  if (error == cudaSuccess) error = copy(upper, upper_rest, count, stream);
  if (error == cudaSuccess) error = copy(b, x, count * columns, stream);
  for (int64_t i = 0; i < batch; ++i) {
    of_type<T>(sgtsv_, dgtsv_, cgtsv_, zgtsv_)(&n, &columns, lower_rest + i * n + 1,
                                               diagonal_rest + i * n, upper_rest + i * n,
                                               x + i * n * columns, &n, info + i);
  }
  return error;
}

#else

template <class T>
Workspace gtsv_workspace(Library& library, int n, int columns, int) {
  Workspace needed;
  const auto none = raw(static_cast<const T*>(nullptr));
  needed.error = as_error(of_type<T>(cusparseSgtsv2_bufferSizeExt, cusparseDgtsv2_bufferSizeExt,
                                     cusparseCgtsv2_bufferSizeExt, cusparseZgtsv2_bufferSizeExt)(
      library.sparse, n, columns, none, none, none, none, n, &needed.device));
  return needed;
}

template <class T>
cudaError_t gtsv(Library& library, int n, int columns, int batch, const T* lower, const T* diagonal,
                 const T* upper, const T* b, T*, T*, T*, T* x, int* info, cudaStream_t stream) {
  cudaError_t error = library.use(stream);
  if (error == cudaSuccess) error = copy(b, x, int64_t(batch) * n * columns, stream);
  if (error == cudaSuccess) error = cudaMemsetAsync(info, 0, batch * sizeof(int), stream);
  for (int64_t i = 0; i < batch && error == cudaSuccess; ++i) {
    error = as_error(of_type<T>(cusparseSgtsv2, cusparseDgtsv2, cusparseCgtsv2, cusparseZgtsv2)(
        library.sparse, n, columns, raw(lower + i * n), raw(diagonal + i * n), raw(upper + i * n),
        raw(x + i * n * columns), n, library.memory.data));
  }
  return error;
}

#endif

}  // namespace library

}  // namespace sinter_helpers
