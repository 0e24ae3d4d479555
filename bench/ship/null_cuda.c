// A CUDA runtime whose calls do nothing and succeed: what is left of a run is the time of its host code.
#include <stddef.h>
#include <stdlib.h>

#define DOES_NOTHING(name) \
  int name() { return 0; }

DOES_NOTHING(cudaDeviceGetAttribute)
DOES_NOTHING(cudaFree)
DOES_NOTHING(cudaFuncGetAttributes)
DOES_NOTHING(cudaFuncSetAttribute)
DOES_NOTHING(cudaGetLastError)
DOES_NOTHING(cudaGraphDestroy)
DOES_NOTHING(cudaGraphExecDestroy)
DOES_NOTHING(cudaGraphExecUpdate)
DOES_NOTHING(cudaGraphInstantiateWithFlags)
DOES_NOTHING(cudaGraphLaunch)
DOES_NOTHING(cudaLaunchKernel)
DOES_NOTHING(cudaLaunchKernelExC)
DOES_NOTHING(cudaMemcpy)
DOES_NOTHING(cudaMemcpyAsync)
DOES_NOTHING(cudaMemset)
DOES_NOTHING(cudaMemsetAsync)
DOES_NOTHING(cudaPeekAtLastError)
DOES_NOTHING(cudaSetDevice)
DOES_NOTHING(cudaStreamBeginCapture)
DOES_NOTHING(cudaStreamCreateWithFlags)
DOES_NOTHING(cudaStreamDestroy)
DOES_NOTHING(cudaStreamEndCapture)
DOES_NOTHING(cudaStreamSynchronize)
DOES_NOTHING(__cudaGetKernel)
DOES_NOTHING(__cudaLaunchKernel)
DOES_NOTHING(__cudaLaunchKernel_ptsz)
DOES_NOTHING(__cudaPopCallConfiguration)
DOES_NOTHING(__cudaPushCallConfiguration)
DOES_NOTHING(__cudaRegisterFatBinary)
DOES_NOTHING(__cudaRegisterFatBinaryEnd)
DOES_NOTHING(__cudaRegisterFunction)
DOES_NOTHING(__cudaRegisterVar)
DOES_NOTHING(__cudaUnregisterFatBinary)

int cudaMalloc(void** memory, size_t bytes) { return (*memory = aligned_alloc(256, (bytes + 255) / 256 * 256)) == NULL; }
int cudaGetDevice(int* device) { return *device = 0; }
const char* cudaGetErrorString() { return "no error"; }
