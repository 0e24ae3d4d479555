// What calls of linear algebra libraries share: cuSOLVER's, cuBLAS's and cuSPARSE's handles on a
// GPU, LAPACK on the CPU, and the memory they work in.
//
// Each call is a file of this folder with two functions: <name>_workspace says how much memory the
// call needs, which Library::reserve sets aside when an instance is created, and <name> makes the
// call. Matrices are column-major, `batch` of them one after the other, and the library's operands
// are copied where it would overwrite them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <new>
#include <type_traits>

#include "device/complex.cuh"
#include "device/launch.cuh"
#include "launcher/memory.cuh"

#ifndef SINTER_CPU
#include <cublas_v2.h>
#include <cusolverDn.h>
#include <cusparse.h>
#endif

inline namespace sinter_helpers {

namespace library {

// The one of four values or functions that is for T.
template <class T, class S, class D, class C, class Z>
constexpr auto of_type(S s, D d, C c, Z z) {
  if constexpr (std::is_same_v<T, float>) {
    return s;
  } else if constexpr (std::is_same_v<T, double>) {
    return d;
  } else if constexpr (std::is_same_v<T, Complex<float>>) {
    return c;
  } else {
    static_assert(std::is_same_v<T, Complex<double>>, "libraries have matrices of these types");
    return z;
  }
}

template <class T>
struct RealType {
  using type = T;
};
template <class T>
struct RealType<Complex<T>> {
  using type = T;
};
template <class T>
using Real = typename RealType<T>::type;
template <class T>
inline constexpr bool kIsComplex = !std::is_floating_point_v<T>;

// Bytes of memory on the device and on the host that a call works in; `error`: they are not known.
struct Workspace {
  size_t device = 0;
  size_t host = 0;
  cudaError_t error = cudaSuccess;
};

// What workspace on the host is counted in.
struct alignas(64) Line {
  std::byte bytes[64];
};

// Memory on the host that grows: false if there is none.
struct HostMemory {
  std::unique_ptr<Line[]> lines;
  size_t count = 0;

  bool reserve(size_t bytes) {
    const size_t wanted = bytes / sizeof(Line) + 1;
    if (wanted <= count) return true;
    lines.reset(new (std::nothrow) Line[wanted]);
    count = lines == nullptr ? 0 : wanted;
    return count != 0;
  }
  void* data() { return lines.get(); }
};

// What a library said of the last call of this thread that failed; empty where CUDA says it.
inline thread_local char said[64] = "";

// Bytes rounded up so that what follows is aligned.
constexpr size_t aligned(size_t bytes) { return (bytes + 255) / 256 * 256; }

template <class T>
cudaError_t copy(const T* from, T* to, int64_t count, cudaStream_t stream) {
  if (from == to || count == 0) return cudaSuccess;
  return cudaMemcpyAsync(to, from, static_cast<size_t>(count) * sizeof(T), cudaMemcpyDeviceToDevice,
                         stream);
}

#ifdef SINTER_CPU

struct Library {
  HostMemory memory;

  cudaError_t open(Allocator&) { return cudaSuccess; }
  void close() {}
  cudaError_t reserve(const Workspace& wanted) {
    return memory.reserve(wanted.host) ? cudaSuccess : cudaErrorMemoryAllocation;
  }
  // The workspace from a byte offset on.
  template <class T>
  T* at(size_t offset) {
    return reinterpret_cast<T*>(static_cast<std::byte*>(memory.data()) + offset);
  }
};

// Elements of the workspace that LAPACK asks for, as a number of the matrix's type; single
// precision may have rounded it down.
inline int elements(float size) { return static_cast<int>(size * 1.000001f) + 1; }
inline int elements(double size) { return static_cast<int>(size); }
template <class T>
int elements(Complex<T> size) {
  return elements(size.real);
}

#else

// cuSOLVER has no text for its numbers.
inline cudaError_t as_error(cusolverStatus_t status) {
  if (status == CUSOLVER_STATUS_SUCCESS) return cudaSuccess;
  if (status == CUSOLVER_STATUS_ALLOC_FAILED) return cudaErrorMemoryAllocation;
  std::snprintf(said, sizeof said, "cuSOLVER: status %d", static_cast<int>(status));
  return cudaErrorUnknown;
}
inline cudaError_t as_error(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return cudaSuccess;
  if (status == CUBLAS_STATUS_ALLOC_FAILED) return cudaErrorMemoryAllocation;
  std::snprintf(said, sizeof said, "cuBLAS: %s", cublasGetStatusString(status));
  return cudaErrorUnknown;
}
inline cudaError_t as_error(cusparseStatus_t status) {
  if (status == CUSPARSE_STATUS_SUCCESS) return cudaSuccess;
  if (status == CUSPARSE_STATUS_ALLOC_FAILED) return cudaErrorMemoryAllocation;
  std::snprintf(said, sizeof said, "cuSPARSE: %s", cusparseGetErrorString(status));
  return cudaErrorUnknown;
}

// What cuBLAS is given to work in, so that it does not allocate: its own default on GPUs before
// Hopper.
constexpr size_t kBlasWorkspace = 4 << 20;

struct Library {
  cusolverDnHandle_t solver = nullptr;
  cusolverDnParams_t options = nullptr;
  cublasHandle_t blas = nullptr;
  cusparseHandle_t sparse = nullptr;
  Allocator* allocator = nullptr;
  DeviceMemory memory;
  HostMemory host_memory;

  // The allocator stays where it is until the library is closed.
  cudaError_t open(Allocator& of_instance) {
    allocator = &of_instance;
    cudaError_t error = as_error(cusolverDnCreate(&solver));
    if (error == cudaSuccess) error = as_error(cusolverDnCreateParams(&options));
    if (error == cudaSuccess) error = as_error(cublasCreate(&blas));
    if (error == cudaSuccess) error = as_error(cusparseCreate(&sparse));
    return error;
  }
  void close() {
    memory.release();
    if (sparse != nullptr) cusparseDestroy(sparse);
    if (blas != nullptr) cublasDestroy(blas);
    if (options != nullptr) cusolverDnDestroyParams(options);
    if (solver != nullptr) cusolverDnDestroy(solver);
  }
  cudaError_t reserve(const Workspace& wanted) {
    if (wanted.error != cudaSuccess) return wanted.error;
    if (!host_memory.reserve(wanted.host)) return cudaErrorMemoryAllocation;
    const auto bytes = static_cast<int64_t>(wanted.device);
    if (memory.data != nullptr && bytes <= memory.bytes) return cudaSuccess;
    memory.release();
    return bytes == 0 ? cudaSuccess : memory.allocate(*allocator, bytes);
  }
  cudaError_t use(cudaStream_t stream) {
    cudaError_t error = as_error(cusolverDnSetStream(solver, stream));
    if (error == cudaSuccess) error = as_error(cublasSetStream(blas, stream));
    // A new stream takes the workspace away. Calls follow each other: they share one.
    if (error == cudaSuccess && memory.data != nullptr)
      error = as_error(cublasSetWorkspace(blas, memory.data, static_cast<size_t>(memory.bytes)));
    if (error == cudaSuccess) error = as_error(cusparseSetStream(sparse, stream));
    return error;
  }
  // The workspace on the device from a byte offset on.
  template <class T>
  T* at(size_t offset) {
    return reinterpret_cast<T*>(static_cast<std::byte*>(memory.data) + offset);
  }
};

template <class T>
inline constexpr cudaDataType kType = of_type<T>(CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F);

// A pointer as the typed functions of CUDA's libraries want it.
inline float* raw(float* pointer) { return pointer; }
inline double* raw(double* pointer) { return pointer; }
inline cuComplex* raw(Complex<float>* pointer) { return reinterpret_cast<cuComplex*>(pointer); }
inline cuDoubleComplex* raw(Complex<double>* pointer) {
  return reinterpret_cast<cuDoubleComplex*>(pointer);
}
inline const float* raw(const float* pointer) { return pointer; }
inline const double* raw(const double* pointer) { return pointer; }
inline const cuComplex* raw(const Complex<float>* pointer) {
  return reinterpret_cast<const cuComplex*>(pointer);
}
inline const cuDoubleComplex* raw(const Complex<double>* pointer) {
  return reinterpret_cast<const cuDoubleComplex*>(pointer);
}

inline cublasFillMode_t triangle(bool lower) {
  return lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
}

#endif

}  // namespace library

}  // namespace sinter_helpers
