// program_entry.h: a program among the many of one library (driver/build/unity_source.h), as a
// table of what can be asked of it; and a run of one on arrays of the host.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "device/launch.cuh"
#include "launcher/steps.cuh"

inline namespace sinter_helpers {

// An input or output, laid out as the interface's own tables are.
struct EntryTensor {
  const char* name;
  const char* dtype;
  int rank;
  const int64_t* dims;
  int64_t bytes;
};

struct ProgramEntry {
  int input_count, output_count;
  const EntryTensor* inputs;
  const EntryTensor* outputs;
  bool (*create)(void** instance);
  // `arrays`: the device's, inputs before outputs.
  bool (*run)(void* instance, void* const* arrays, cudaStream_t stream);
  void (*destroy)(void* instance);
  const char* (*last_error)();
  void (*listen)(StepListener listener);  // of the calling thread
  // Device memory of an instance, which begins with values between kernels; null where it needs
  // none.
  void* (*arena)(void* instance);

  int count() const { return input_count + output_count; }
  const EntryTensor& tensor(int i) const {
    return i < input_count ? inputs[i] : outputs[i - input_count];
  }
};

// SINTER_RUN_GRAPHS=1: runs are launches of graphs, where data decides about loops or branches.
template <class Options>
Options entry_options(Options options) {
  const char* choice = std::getenv("SINTER_RUN_GRAPHS");
  if constexpr (requires { options.graph; }) options.graph = choice != nullptr && *choice == '1';
  return options;
}

// The arrays of a program on the device; on the CPU they can be the host's own.
class EntryArrays {
 public:
  explicit EntryArrays(const ProgramEntry& entry) : entry_(entry) {
    arrays_.resize(static_cast<size_t>(entry.count()) + 1, nullptr);
  }
  EntryArrays(const EntryArrays&) = delete;
  ~EntryArrays() {
    for (int i = 0; i < entry_.count(); ++i) {
      if (bytes(i) != 0) cudaFree(arrays_[static_cast<size_t>(i)]);
    }
  }

  cudaError_t allocate() {
    for (int i = 0; i < entry_.count(); ++i) {
      if (bytes(i) == 0) continue;
      const cudaError_t error = cudaMalloc(&arrays_[static_cast<size_t>(i)], bytes(i));
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  }
  // A size of the run is a number in place of a pointer.
  cudaError_t upload(int i, const void* from) {
    if (std::strcmp(entry_.tensor(i).dtype, "size") == 0) {
      arrays_[static_cast<size_t>(i)] = const_cast<void*>(from);
    }
    if (bytes(i) == 0) return cudaSuccess;
    return cudaMemcpy(get()[i], from, bytes(i), cudaMemcpyHostToDevice);
  }
  cudaError_t download(int i, void* to) const {
    if (bytes(i) == 0) return cudaSuccess;
    return cudaMemcpy(to, get()[i], bytes(i), cudaMemcpyDeviceToHost);
  }
  void* const* get() const { return arrays_.data(); }
  size_t bytes(int i) const { return static_cast<size_t>(entry_.tensor(i).bytes); }

 private:
  const ProgramEntry& entry_;
  std::vector<void*> arrays_;
};

// One run on arrays of the host, inputs before outputs: 0, or 1 with what is wrong in `message`.
inline int run_entry(const ProgramEntry& entry, void* const* host, char* message, size_t size) {
#ifdef SINTER_CPU
  void* const* arrays = host;
#else
  EntryArrays device(entry);
  cudaError_t error = device.allocate();
  // What a donated input and its output have in common is the host's array.
  for (int i = 0; i < entry.count() && error == cudaSuccess; ++i) error = device.upload(i, host[i]);
  if (error != cudaSuccess) {
    return std::snprintf(message, size, "before the run: %s", cudaGetErrorString(error)), 1;
  }
  void* const* arrays = device.get();
#endif
  void* instance = nullptr;
  const bool ok = entry.create(&instance) && entry.run(instance, arrays, nullptr);
  if (!ok) std::snprintf(message, size, "%s", entry.last_error());
#ifndef SINTER_CPU
  error = cudaDeviceSynchronize();
  for (int i = entry.input_count; i < entry.count() && error == cudaSuccess; ++i) {
    error = device.download(i, host[i]);
  }
  if (ok && error != cudaSuccess) {
    std::snprintf(message, size, "the device failed: %s", cudaGetErrorString(error));
    entry.destroy(instance);
    return 1;
  }
#endif
  entry.destroy(instance);
  return ok ? 0 : 1;
}

}  // namespace sinter_helpers
