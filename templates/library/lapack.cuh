// The functions of LAPACK and BLAS that calls use, as Fortran has them: everything is passed by its
// address.
#pragma once

#include "device/complex.cuh"

inline namespace sinter_helpers {

#define SINTER_LAPACK(x, T)                                                                   \
  void x##potrf_(const char* uplo, const int* n, T* a, const int* lda, int* info);            \
  void x##getrf_(const int* m, const int* n, T* a, const int* lda, int* pivots, int* info);   \
  void x##geqrf_(const int* m, const int* n, T* a, const int* lda, T* scales, T* work,        \
                 const int* lwork, int* info);                                                \
  void x##trsm_(const char* side, const char* uplo, const char* trans, const char* diag,      \
                const int* m, const int* n, const T* alpha, const T* a, const int* lda, T* b, \
                const int* ldb);                                                              \
  void x##gtsv_(const int* n, const int* columns, T* lower, T* diagonal, T* upper, T* b,      \
                const int* ldb, int* info);
#define SINTER_LAPACK_REAL(x, T)                                                                   \
  void x##orgqr_(const int* m, const int* n, const int* k, T* a, const int* lda, const T* scales,  \
                 T* work, const int* lwork, int* info);                                            \
  void x##syevd_(const char* job, const char* uplo, const int* n, T* a, const int* lda, T* values, \
                 T* work, const int* lwork, int* iwork, const int* liwork, int* info);             \
  void x##gesdd_(const char* job, const int* m, const int* n, T* a, const int* lda, T* values,     \
                 T* u, const int* ldu, T* vt, const int* ldvt, T* work, const int* lwork,          \
                 int* iwork, int* info);
#define SINTER_LAPACK_COMPLEX(x, T, R)                                                             \
  void x##ungqr_(const int* m, const int* n, const int* k, T* a, const int* lda, const T* scales,  \
                 T* work, const int* lwork, int* info);                                            \
  void x##heevd_(const char* job, const char* uplo, const int* n, T* a, const int* lda, R* values, \
                 T* work, const int* lwork, R* rwork, const int* lrwork, int* iwork,               \
                 const int* liwork, int* info);                                                    \
  void x##gesdd_(const char* job, const int* m, const int* n, T* a, const int* lda, R* values,     \
                 T* u, const int* ldu, T* vt, const int* ldvt, T* work, const int* lwork,          \
                 R* rwork, int* iwork, int* info);

extern "C" {
SINTER_LAPACK(s, float)
SINTER_LAPACK(d, double)
SINTER_LAPACK(c, Complex<float>)
SINTER_LAPACK(z, Complex<double>)
SINTER_LAPACK_REAL(s, float)
SINTER_LAPACK_REAL(d, double)
SINTER_LAPACK_COMPLEX(c, Complex<float>, float)
SINTER_LAPACK_COMPLEX(z, Complex<double>, double)
}

#undef SINTER_LAPACK
#undef SINTER_LAPACK_REAL
#undef SINTER_LAPACK_COMPLEX

}  // namespace sinter_helpers
