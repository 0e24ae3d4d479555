// What emitted library files use of cuSOLVER, as declarations that clang parses.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cublas_v2.h"

enum cusolverStatus_t { CUSOLVER_STATUS_SUCCESS = 0, CUSOLVER_STATUS_ALLOC_FAILED = 2 };
enum cusolverEigMode_t { CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR };
typedef struct cusolverDnContext* cusolverDnHandle_t;
typedef struct cusolverDnParams* cusolverDnParams_t;

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* params);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params);

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cublasFillMode_t uplo, int64_t n, cudaDataType type_a, const void* a,
                                             int64_t lda, cudaDataType compute, size_t* device, size_t* host);
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                                  int64_t n, cudaDataType type_a, void* a, int64_t lda, cudaDataType compute,
                                  void* on_device, size_t device, void* on_host, size_t host, int* info);
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                             cudaDataType type_a, const void* a, int64_t lda, cudaDataType type_tau,
                                             const void* tau, cudaDataType compute, size_t* device, size_t* host);
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType type_a, void* a, int64_t lda, cudaDataType type_tau, void* tau,
                                  cudaDataType compute, void* on_device, size_t device, void* on_host, size_t host,
                                  int* info);
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                             cudaDataType type_a, const void* a, int64_t lda, cudaDataType type_w,
                                             const void* w, cudaDataType compute, size_t* device, size_t* host);
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType type_a, void* a, int64_t lda,
                                  cudaDataType type_w, void* w, cudaDataType compute, void* on_device, size_t device,
                                  void* on_host, size_t host, int* info);
cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
                                             signed char jobvt, int64_t m, int64_t n, cudaDataType type_a,
                                             const void* a, int64_t lda, cudaDataType type_s, const void* s,
                                             cudaDataType type_u, const void* u, int64_t ldu, cudaDataType type_vt,
                                             const void* vt, int64_t ldvt, cudaDataType compute, size_t* device,
                                             size_t* host);
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
                                  signed char jobvt, int64_t m, int64_t n, cudaDataType type_a, void* a, int64_t lda,
                                  cudaDataType type_s, void* s, cudaDataType type_u, void* u, int64_t ldu,
                                  cudaDataType type_vt, void* vt, int64_t ldvt, cudaDataType compute, void* on_device,
                                  size_t device, void* on_host, size_t host, int* info);

#define SINTER_DECLARE(letter, q, type)                                                                              \
  cusolverStatus_t cusolverDn##letter##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, type* a, int lda,   \
                                                        int* work_size);                                             \
  cusolverStatus_t cusolverDn##letter##getrf(cusolverDnHandle_t handle, int m, int n, type* a, int lda, type* work,  \
                                             int* pivots, int* info);                                                \
  cusolverStatus_t cusolverDn##letter##q##_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const type* a, \
                                                      int lda, const type* tau, int* work_size);                     \
  cusolverStatus_t cusolverDn##letter##q(cusolverDnHandle_t handle, int m, int n, int k, type* a, int lda,           \
                                         const type* tau, type* work, int work_size, int* info);
SINTER_DECLARE(S, orgqr, float)
SINTER_DECLARE(D, orgqr, double)
SINTER_DECLARE(C, ungqr, cuComplex)
SINTER_DECLARE(Z, ungqr, cuDoubleComplex)
#undef SINTER_DECLARE
