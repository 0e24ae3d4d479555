// Stands in for CUDA's own headers when emitted code is verified (review/verify/verify_emitted.h): the part of the
// language and of the runtime's interface that emitted code may use, as declarations. With it the verdict depends on no
// CUDA toolkit. Like nvcc's, this file is included before the first line of each source file.
#pragma once

#include <stddef.h>

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__  // unknown to clang 19
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))

#include "math_functions.h"

// --- coordinates -----------------------------------------------------------------------------------------------------

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
extern const __device__ int warpSize;

// --- memory ----------------------------------------------------------------------------------------------------------

extern "C" __host__ __device__ void* memcpy(void* to, const void* from, size_t bytes);
extern "C" __host__ __device__ void* memset(void* to, int byte, size_t bytes);

// --- what a kernel says of itself
// -------------------------------------------------------------------------------------

extern "C" __host__ __device__ int printf(const char* format, ...);

// --- bits ------------------------------------------------------------------------------------------------------------

__device__ int __float_as_int(float x);
__device__ unsigned __float_as_uint(float x);
__device__ float __int_as_float(int x);
__device__ float __uint_as_float(unsigned x);
__device__ long long __double_as_longlong(double x);
__device__ double __longlong_as_double(long long x);
__device__ int __popc(unsigned x);
__device__ int __popcll(unsigned long long x);
__device__ int __clz(int x);
__device__ int __clzll(long long x);
__device__ int __ffs(int x);
__device__ int __ffsll(long long x);
__device__ unsigned __brev(unsigned x);
__device__ unsigned long long __brevll(unsigned long long x);
__device__ unsigned __byte_perm(unsigned x, unsigned y, unsigned selector);
__device__ unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift);
__device__ unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift);
__device__ int __mulhi(int a, int b);
__device__ unsigned __umulhi(unsigned a, unsigned b);
__device__ long long __mul64hi(long long a, long long b);
__device__ unsigned long long __umul64hi(unsigned long long a, unsigned long long b);

// --- threads ---------------------------------------------------------------------------------------------------------

__device__ void __syncthreads();
__device__ int __syncthreads_or(int predicate);
__device__ int __syncthreads_and(int predicate);
__device__ int __syncthreads_count(int predicate);
__device__ void __syncwarp(unsigned lanes = 0xffffffff);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ void __nanosleep(unsigned nanoseconds);
__device__ [[noreturn]] void __trap();
__device__ long long clock64();
__device__ unsigned __activemask();
__device__ unsigned __ballot_sync(unsigned lanes, int predicate);
__device__ int __any_sync(unsigned lanes, int predicate);
__device__ unsigned __match_any_sync(unsigned lanes, int value);
__device__ int __all_sync(unsigned lanes, int predicate);
__device__ int __shfl_sync(unsigned lanes, int value, int lane, int width = 32);
__device__ int __shfl_up_sync(unsigned lanes, int value, unsigned delta, int width = 32);
__device__ int __shfl_down_sync(unsigned lanes, int value, unsigned delta, int width = 32);
__device__ int __shfl_xor_sync(unsigned lanes, int value, int mask, int width = 32);
__device__ unsigned __shfl_sync(unsigned lanes, unsigned value, int lane, int width = 32);
__device__ unsigned __shfl_up_sync(unsigned lanes, unsigned value, unsigned delta, int width = 32);
__device__ unsigned __shfl_down_sync(unsigned lanes, unsigned value, unsigned delta, int width = 32);
__device__ unsigned __shfl_xor_sync(unsigned lanes, unsigned value, int mask, int width = 32);
__device__ long __shfl_sync(unsigned lanes, long value, int lane, int width = 32);
__device__ long __shfl_up_sync(unsigned lanes, long value, unsigned delta, int width = 32);
__device__ long __shfl_down_sync(unsigned lanes, long value, unsigned delta, int width = 32);
__device__ long __shfl_xor_sync(unsigned lanes, long value, int mask, int width = 32);
__device__ unsigned long __shfl_sync(unsigned lanes, unsigned long value, int lane, int width = 32);
__device__ unsigned long __shfl_up_sync(unsigned lanes, unsigned long value, unsigned delta, int width = 32);
__device__ unsigned long __shfl_down_sync(unsigned lanes, unsigned long value, unsigned delta, int width = 32);
__device__ unsigned long __shfl_xor_sync(unsigned lanes, unsigned long value, int mask, int width = 32);
__device__ long long __shfl_sync(unsigned lanes, long long value, int lane, int width = 32);
__device__ long long __shfl_up_sync(unsigned lanes, long long value, unsigned delta, int width = 32);
__device__ long long __shfl_down_sync(unsigned lanes, long long value, unsigned delta, int width = 32);
__device__ long long __shfl_xor_sync(unsigned lanes, long long value, int mask, int width = 32);
__device__ unsigned long long __shfl_sync(unsigned lanes, unsigned long long value, int lane, int width = 32);
__device__ unsigned long long __shfl_up_sync(unsigned lanes, unsigned long long value, unsigned delta, int width = 32);
__device__ unsigned long long __shfl_down_sync(unsigned lanes, unsigned long long value, unsigned delta,
                                               int width = 32);
__device__ unsigned long long __shfl_xor_sync(unsigned lanes, unsigned long long value, int mask, int width = 32);
__device__ float __shfl_sync(unsigned lanes, float value, int lane, int width = 32);
__device__ float __shfl_up_sync(unsigned lanes, float value, unsigned delta, int width = 32);
__device__ float __shfl_down_sync(unsigned lanes, float value, unsigned delta, int width = 32);
__device__ float __shfl_xor_sync(unsigned lanes, float value, int mask, int width = 32);
__device__ double __shfl_sync(unsigned lanes, double value, int lane, int width = 32);
__device__ double __shfl_up_sync(unsigned lanes, double value, unsigned delta, int width = 32);
__device__ double __shfl_down_sync(unsigned lanes, double value, unsigned delta, int width = 32);
__device__ double __shfl_xor_sync(unsigned lanes, double value, int mask, int width = 32);
__device__ int atomicAdd(int* address, int value);
__device__ unsigned atomicAdd(unsigned* address, unsigned value);
__device__ unsigned long long atomicAdd(unsigned long long* address, unsigned long long value);
__device__ float atomicAdd(float* address, float value);
__device__ double atomicAdd(double* address, double value);
__device__ int atomicSub(int* address, int value);
__device__ unsigned atomicSub(unsigned* address, unsigned value);
__device__ int atomicExch(int* address, int value);
__device__ unsigned atomicExch(unsigned* address, unsigned value);
__device__ unsigned long long atomicExch(unsigned long long* address, unsigned long long value);
__device__ float atomicExch(float* address, float value);
__device__ int atomicMin(int* address, int value);
__device__ unsigned atomicMin(unsigned* address, unsigned value);
__device__ long long atomicMin(long long* address, long long value);
__device__ unsigned long long atomicMin(unsigned long long* address, unsigned long long value);
__device__ int atomicMax(int* address, int value);
__device__ unsigned atomicMax(unsigned* address, unsigned value);
__device__ long long atomicMax(long long* address, long long value);
__device__ unsigned long long atomicMax(unsigned long long* address, unsigned long long value);
__device__ int atomicAnd(int* address, int value);
__device__ unsigned atomicAnd(unsigned* address, unsigned value);
__device__ unsigned long long atomicAnd(unsigned long long* address, unsigned long long value);
__device__ int atomicOr(int* address, int value);
__device__ unsigned atomicOr(unsigned* address, unsigned value);
__device__ unsigned long long atomicOr(unsigned long long* address, unsigned long long value);
__device__ int atomicXor(int* address, int value);
__device__ unsigned atomicXor(unsigned* address, unsigned value);
__device__ unsigned long long atomicXor(unsigned long long* address, unsigned long long value);
__device__ unsigned atomicInc(unsigned* address, unsigned value);
__device__ unsigned atomicDec(unsigned* address, unsigned value);
__device__ int atomicCAS(int* address, int compare, int value);
__device__ unsigned atomicCAS(unsigned* address, unsigned compare, unsigned value);
__device__ unsigned long long atomicCAS(unsigned long long* address, unsigned long long compare,
                                        unsigned long long value);
__device__ unsigned short atomicCAS(unsigned short* address, unsigned short compare, unsigned short value);
__device__ size_t __cvta_generic_to_global(const void* pointer);
__device__ size_t __cvta_generic_to_shared(const void* pointer);

// --- the runtime's interface -----------------------------------------------------------------------------------------

extern "C" {

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInsufficientDriver = 35,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorNoKernelImageForDevice = 209,
  cudaErrorNotReady = 600,
  cudaErrorMisalignedAddress = 716,
  cudaErrorLaunchFailure = 719,
  cudaErrorCooperativeLaunchTooLarge = 720,
  cudaErrorNotSupported = 801,
  cudaErrorStreamCaptureUnsupported = 900,
  cudaErrorStreamCaptureInvalidated = 901,
  cudaErrorGraphExecUpdateFailure = 910,
  cudaErrorUnknown = 999,
};
typedef enum cudaError cudaError_t;
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault,
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 13,
};
enum cudaDeviceAttr {
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrCooperativeLaunch = 95,
};
constexpr unsigned cudaStreamDefault = 0, cudaStreamNonBlocking = 1;
enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone,
  cudaStreamCaptureStatusActive,
  cudaStreamCaptureStatusInvalidated,
};
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal,
  cudaStreamCaptureModeThreadLocal,
  cudaStreamCaptureModeRelaxed,
};
typedef unsigned long long cudaGraphConditionalHandle;
enum cudaGraphConditionalNodeType { cudaGraphCondTypeIf, cudaGraphCondTypeWhile };
enum cudaGraphNodeType { cudaGraphNodeTypeConditional = 13 };
enum cudaStreamUpdateCaptureDependenciesFlags { cudaStreamSetCaptureDependencies = 1 };
constexpr unsigned cudaGraphCondAssignDefault = 1;
struct cudaGraphEdgeData {
  unsigned char from_port, to_port, type;
};
struct cudaConditionalNodeParams {
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalNodeType type;
  unsigned size;
  cudaGraph_t* phGraph_out;
};
struct cudaGraphNodeParams {
  cudaGraphNodeType type;
  cudaConditionalNodeParams conditional;
};
struct cudaGraphExecUpdateResultInfo {
  int result;
  cudaGraphNode_t errorNode, errorFromNode;
};
enum cudaLaunchAttributeID {
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeClusterDimension = 4,
};
union cudaLaunchAttributeValue {
  int cooperative;
  struct {
    unsigned x, y, z;
  } clusterDim;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemset(void* pointer, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream = 0);
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* after,
                                          const cudaGraphEdgeData* edges, size_t count, cudaStreamCaptureMode mode);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** last, const cudaGraphEdgeData** edges,
                                     size_t* count);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                const cudaGraphEdgeData* edges, size_t count, unsigned flags);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph, unsigned at_launch,
                                             unsigned flags);
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* parameters);
__device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);

}  // extern "C"

cudaError_t cudaMalloc(void** pointer, size_t bytes);
cudaError_t cudaMallocHost(void** pointer, size_t bytes, unsigned flags = 0);
template <class T>
cudaError_t cudaMalloc(T** pointer, size_t bytes);
template <class T>
cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned flags = 0);
struct cudaFuncAttributes {
  int numRegs;
};
template <class Function>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Function* kernel);
enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess = 0 };
constexpr unsigned long long cudaEnableDefault = 0;
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** entry, unsigned version, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* found);
template <class Function>
cudaError_t cudaFuncSetAttribute(Function* kernel, cudaFuncAttribute attribute, int value);
template <class Function>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function kernel, int threads,
                                                          size_t shared_bytes);
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments);

// What `kernel<<<...>>>(...)` is made of.
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void* stream);
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes = 0, void* stream = 0);
