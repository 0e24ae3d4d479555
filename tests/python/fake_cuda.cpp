// A stand-in for the driver of a GPU (libcuda.so.1): device memory is the host's, and no call works without a context.
// `fake_live` is what is allocated, `fake_waits` how often a stream was waited for.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

using Status = int;
constexpr Status kOk = 0, kOutOfMemory = 2, kInvalidContext = 201;
void* current = nullptr;
bool is_initialised = false;
Status ready() { return is_initialised && current != nullptr ? kOk : kInvalidContext; }

}  // namespace

extern "C" {

int fake_live = 0;
int fake_waits = 0;

Status cuInit(unsigned) {
  is_initialised = true;
  return kOk;
}
Status cuGetErrorString(Status status, const char** text) {
  *text = status == kOutOfMemory ? "out of memory" : "invalid device context";
  return kOk;
}
Status cuCtxGetCurrent(void** context) {
  *context = current;
  return is_initialised ? kOk : kInvalidContext;
}
Status cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return kOk;
}
Status cuDevicePrimaryCtxRetain(void** context, int) {
  *context = &current;
  return kOk;
}
Status cuCtxSetCurrent(void* context) {
  current = context;
  return kOk;
}
Status cuMemAlloc_v2(uint64_t* pointer, size_t bytes) {
  if (ready() != kOk) return ready();
  if (bytes > size_t{1} << 40) return kOutOfMemory;
  *pointer = reinterpret_cast<uint64_t>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  ++fake_live;
  return kOk;
}
Status cuMemFree_v2(uint64_t pointer) {
  std::free(reinterpret_cast<void*>(pointer));
  --fake_live;
  return ready();
}
Status cuMemcpyHtoD_v2(uint64_t to, const void* from, size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return ready();
}
Status cuMemcpyDtoH_v2(void* to, uint64_t from, size_t bytes) {
  std::memcpy(to, reinterpret_cast<void*>(from), bytes);
  return ready();
}
Status cuStreamSynchronize(void*) {
  ++fake_waits;
  return ready();
}

}  // extern "C"
