// instance.cuh: what creating and destroying an instance is in every program. `Own` is the
// program's type of one: it belongs to a device, and has its device memory in one piece, the
// workspace, which is its own or was given by the caller.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "device/launch.cuh"
#include "launcher/architectures.cuh"
#include "launcher/failure.cuh"
#include "launcher/memory.cuh"

inline namespace sinter_helpers {

// The array at a byte offset of the workspace.
template <class T>
T* at(void* base, int64_t offset) {
  return reinterpret_cast<T*>(static_cast<std::byte*>(base) + offset);
}

// Done when it returns, whichever stream comes next: copies from pageable memory may not be.
inline cudaError_t copy_to_device(void* to, const void* from, size_t bytes) {
  const cudaError_t error = cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
  return error == cudaSuccess ? cudaStreamSynchronize(nullptr) : error;
}
inline cudaError_t clear_on_device(void* to, size_t bytes) {
  const cudaError_t error = cudaMemset(to, 0, bytes);
  return error == cudaSuccess ? cudaStreamSynchronize(nullptr) : error;
}

// A device is the current one while this lives; -1: the one that is.
class OnDevice {
 public:
  explicit OnDevice(int wanted) : wanted_(wanted) {
    error_ = cudaGetDevice(&before_);
    device_ = wanted == -1 ? before_ : wanted;
    if (error_ != cudaSuccess || device_ == before_) return;
    error_ = cudaSetDevice(device_);
    changed_ = error_ == cudaSuccess;
  }
  OnDevice(const OnDevice&) = delete;
  ~OnDevice() {
    if (changed_ && cudaSetDevice(before_) != cudaSuccess) cudaGetLastError();
  }
  int device() const { return device_; }
  // Why it is not, if it is not.
  Failure failure(LastError& last_error) const {
    if (error_ == cudaSuccess) return {};
    cudaGetLastError();
    int driver = 0;
    if (error_ == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess &&
        driver == 0)
      return last_error.say(Failure::kCudaError, "there is no CUDA driver, and so no device");
    if (error_ != cudaErrorInvalidDevice || wanted_ == -1) return last_error.say("device", error_);
    return last_error.say(Failure::kOtherDevice, "there is no device %d", wanted_);
  }

 private:
  int wanted_, before_ = 0, device_ = 0;
  bool changed_ = false;
  cudaError_t error_ = cudaSuccess;
};

// Compiled as kernels are: where the device has no code of this, it has none of them.
[[maybe_unused]] static __global__ void is_there() {}

// A function of each program, whose builds may differ.
template <class Own>
Failure check_code(int device, LastError& last_error) {
  cudaFuncAttributes attributes;
  const cudaError_t error = cudaFuncGetAttributes(&attributes, is_there);
  if (error == cudaSuccess) return {};
  if (error != cudaErrorNoKernelImageForDevice && error != cudaErrorInvalidDeviceFunction)
    return last_error.say("create", error);
  int major = 0, minor = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  cudaGetLastError();
  return last_error.say(Failure::kOtherDevice, "built for %s; this device is %d%d",
                        kBuiltFor, major, minor);
}

// The caller's options: what it does not know yet stays as it is, and what is unknown here must
// be zero. The first version ended before the allocator.
template <class Options>
Failure read_options(const Options& given, Options* options, LastError& last_error) {
  if (given.size < offsetof(Options, allocate))
    return last_error.say(Failure::kInvalidArgument, "options of %u bytes: begin with the macro that has them", given.size);
  const auto* bytes = reinterpret_cast<const unsigned char*>(&given);
  for (size_t i = sizeof *options; i < given.size; ++i) {
    if (bytes[i] != 0)
      return last_error.say(Failure::kInvalidArgument, "an option of a later version is set");
  }
  const uint64_t own = options->interface_hash;
  std::memcpy(options, &given, std::min(sizeof *options, static_cast<size_t>(given.size)));
  options->size = sizeof *options;
  if ((options->allocate == nullptr) != (options->release == nullptr))
    return last_error.say(Failure::kInvalidArgument, "of allocate and release only one is given");
  if constexpr (requires { options->graph; }) {
    if (options->graph < 0 || options->graph > 2)
      return last_error.say(Failure::kInvalidArgument, "options.graph is %d", options->graph);
  }
  if (given.interface_hash == own) return {};
  return last_error.say(Failure::kOtherInterface,
                        "the caller was compiled for interface %016llx, the library has %016llx",
                        static_cast<unsigned long long>(given.interface_hash),
                        static_cast<unsigned long long>(own));
}

template <class Own, class Options>
Failure find_workspace(Own* created, const Options& options, int64_t bytes,
                       LastError& last_error) {
  created->workspace = options.workspace;
  if (options.workspace == nullptr) {
    if (bytes == 0) return {};
    const cudaError_t error = created->own_workspace.allocate(created->allocator, bytes);
    created->workspace = created->own_workspace.data;
    if (error == cudaSuccess) return {};
    return memory_failure("workspace", error, created->allocator, last_error);
  }
  if (options.workspace_bytes < bytes)
    return last_error.say(Failure::kOutOfMemory, "a workspace of %lld bytes, %lld are needed",
                          static_cast<long long>(options.workspace_bytes),
                          static_cast<long long>(bytes));
  if (reinterpret_cast<uintptr_t>(options.workspace) % 256 != 0)
    return last_error.say(Failure::kInvalidArgument, "the workspace is not 256-byte aligned");
  return {};
}

// `release`, where there is one, undoes what `prepare` did, even if only a part of it.
template <class Own>
void destroy_instance(Own* instance, void (*release)(Own&) = nullptr) {
  if (instance == nullptr) return;
  const bool clean = cudaPeekAtLastError() == cudaSuccess;
  {
    const OnDevice on(instance->device);
    if (release != nullptr) release(*instance);
    instance->own_workspace.release();
  }
  if (clean) cudaGetLastError();  // of a device that is lost, say
  delete instance;
}

// What a program does besides, where it does: first `prepare`, when the workspace is there, then
// `take_weights` and `choose_graph`; `release` undoes all.
template <class Own, class Options>
struct Hooks {
  cudaError_t (*prepare)(Own&) = nullptr;
  Failure (*take_weights)(Own&, const Options&) = nullptr;
  Failure (*choose_graph)(Own&, const Options&) = nullptr;
  void (*release)(Own&) = nullptr;
};

// *instance is null if anything fails.
template <class Own, class Options>
Failure create_instance(Own** instance, const Options* given, const Options& defaults,
                        int64_t workspace_bytes, LastError& last_error,
                        const Hooks<Own, Options>& hooks = {}) {
  last_error.clear();
  if (instance == nullptr)
    return last_error.say(Failure::kInvalidArgument, "no place for the instance");
  *instance = nullptr;
  Options options = defaults;
  if (given != nullptr) {
    if (const Failure failure = read_options(*given, &options, last_error)) return failure;
  }
  const OnDevice on(options.device);
  if (const Failure failure = on.failure(last_error)) return failure;
  if (const Failure failure = check_code<Own>(on.device(), last_error)) return failure;

  Own* created = new (std::nothrow) Own;
  if (created == nullptr) return last_error.say(Failure::kOutOfMemory, "out of host memory");
  created->device = on.device();
  created->allocator = {options.allocate, options.release, options.user};
  Failure failure = find_workspace(created, options, workspace_bytes, last_error);
  if (!failure && hooks.prepare != nullptr) {
    const cudaError_t error = hooks.prepare(*created);
    if (error != cudaSuccess)
      failure = memory_failure("create", error, created->allocator, last_error);
  }
  if (!failure && hooks.take_weights != nullptr) failure = hooks.take_weights(*created, options);
  if (!failure && hooks.choose_graph != nullptr) failure = hooks.choose_graph(*created, options);
  if (failure) {
    destroy_instance(created, hooks.release);
  } else {
    *instance = created;
  }
  return failure;
}

}  // namespace sinter_helpers
