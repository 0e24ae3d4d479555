// trsm: x of op(a) x = b, or of x op(a) = b, where op is 'N' (nothing), 'T' (the transpose) or 'C'
// (the adjoint) of a triangle; x has m rows and n columns.
#pragma once

#include "library/library.cuh"
#ifdef SINTER_CPU
#include "library/lapack.cuh"
#endif

inline namespace sinter_helpers {

namespace library {

#ifdef SINTER_CPU

template <class T>
Workspace trsm_workspace(Library&, bool, bool, char, bool, int, int, int) {
  return {};
}

template <class T>
cudaError_t trsm(Library&, bool left, bool lower, char op, bool unit_diagonal, int m, int n,
                 int batch, const T* a, const T* b, T* x, cudaStream_t stream) {
  const int order = left ? m : n;
  const T one = of_type<T>(1.0f, 1.0, Complex<float>{1, 0}, Complex<double>{1, 0});
  const cudaError_t error = copy(b, x, int64_t(batch) * m * n, stream);
  for (int64_t i = 0; i < batch; ++i) {
    of_type<T>(strsm_, dtrsm_, ctrsm_, ztrsm_)(left ? "L" : "R", lower ? "L" : "U", &op,
                                               unit_diagonal ? "U" : "N", &m, &n, &one,
                                               a + i * order * order, &order, x + i * m * n, &m);
  }
  return error;
}

#else

template <class T>
Workspace trsm_workspace(Library&, bool, bool, char, bool, int, int, int) {
  return {kBlasWorkspace, 0};
}

template <class T>
cudaError_t trsm(Library& library, bool left, bool lower, char op, bool unit_diagonal, int m, int n,
                 int batch, const T* a, const T* b, T* x, cudaStream_t stream) {
  const int order = left ? m : n;
  const T one = of_type<T>(1.0f, 1.0, Complex<float>{1, 0}, Complex<double>{1, 0});
  const cublasOperation_t operation = op == 'N'   ? CUBLAS_OP_N
                                      : op == 'T' ? CUBLAS_OP_T
                                                  : CUBLAS_OP_C;
  cudaError_t error = library.use(stream);
  if (error == cudaSuccess) error = copy(b, x, int64_t(batch) * m * n, stream);
  for (int64_t i = 0; i < batch && error == cudaSuccess; ++i) {
    error = as_error(of_type<T>(cublasStrsm, cublasDtrsm, cublasCtrsm, cublasZtrsm)(
        library.blas, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT, triangle(lower), operation,
        unit_diagonal ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, m, n, raw(&one),
        raw(a + i * order * order), order, raw(x + i * m * n), m));
  }
  return error;
}

#endif

}  // namespace library

}  // namespace sinter_helpers
