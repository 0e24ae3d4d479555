// What emitted library files use of cuSPARSE, as declarations that clang parses.
#pragma once

#include <stddef.h>

#include "cublas_v2.h"

enum cusparseStatus_t { CUSPARSE_STATUS_SUCCESS = 0, CUSPARSE_STATUS_ALLOC_FAILED = 2 };
typedef struct cusparseContext* cusparseHandle_t;

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);

const char* cusparseGetErrorString(cusparseStatus_t status);

#define SINTER_DECLARE(letter, type)                                                                             \
  cusparseStatus_t cusparse##letter##gtsv2_bufferSizeExt(cusparseHandle_t handle, int m, int n, const type* dl,  \
                                                         const type* d, const type* du, const type* b, int ldb,  \
                                                         size_t* size);                                          \
  cusparseStatus_t cusparse##letter##gtsv2(cusparseHandle_t handle, int m, int n, const type* dl, const type* d, \
                                           const type* du, type* b, int ldb, void* buffer);
SINTER_DECLARE(S, float)
SINTER_DECLARE(D, double)
SINTER_DECLARE(C, cuComplex)
SINTER_DECLARE(Z, cuDoubleComplex)
#undef SINTER_DECLARE
