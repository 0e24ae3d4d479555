// weights.cuh: arrays that instances share and runs only read: copied to the device from a
// safetensors file, which may be any file, or the caller's own.
//
// `Own` is a program's type of them, whose `arrays` is a struct that holds a pointer for each row of
// the program's table of weights.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "launcher/failure.cuh"
#include "launcher/instance.cuh"
#include "launcher/memory.cuh"
#include "launcher/weights_file.h"

inline namespace sinter_helpers {

// Copies a tensor of the file to the device.
inline cudaError_t copy_tensor(WeightsFile& file, int64_t position, int64_t bytes, void* to) {
  for (int64_t done = 0; done < bytes;) {
    const int64_t rest = bytes - done;
    const int64_t count = rest < WeightsFile::kPiece ? rest : WeightsFile::kPiece;
    const void* piece = file.read(position + done, count);
    if (piece == nullptr) return cudaErrorUnknown;
    const cudaError_t error =
        copy_to_device(static_cast<std::byte*>(to) + done, piece, static_cast<size_t>(count));
    if (error != cudaSuccess) return error;
    done += count;
  }
  return cudaSuccess;
}

template <class Own>
void destroy_weights(Own* weights) {
  if (weights == nullptr) return;
  if (weights->memory.data != nullptr) {
    const bool clean = cudaPeekAtLastError() == cudaSuccess;
    const OnDevice on(weights->device);
    weights->memory.release();
    if (clean) cudaGetLastError();
  }
  delete weights;
}

// An object of weights on the current device, without arrays yet.
template <class Own>
Failure make_weights(Own** weights, const OnDevice& on, LastError& last_error) {
  if (const Failure failure = on.failure(last_error)) return failure;
  *weights = new (std::nothrow) Own;
  if (*weights == nullptr) return last_error.say(Failure::kOutOfMemory, "out of host memory");
  (*weights)->device = on.device();
  return {};
}

// Where weights will be: there are none yet.
template <class Own>
Failure clear_place(Own** weights, LastError& last_error) {
  last_error.clear();
  if (weights == nullptr)
    return last_error.say(Failure::kInvalidArgument, "no place for the weights");
  *weights = nullptr;
  return {};
}

// `build` is the program's: a file that says that it is of another one is refused.
template <class Own, class Tensor>
Failure fill_weights(Own& weights, WeightsFile& file, const Tensor* table, const char* build,
                     Allocator& from, LastError& last_error) {
  const auto wrong = [&] {
    return last_error.say(Failure::kInvalidWeights, "weights: %s", file.problem());
  };
  if (*file.problem() != '\0') return wrong();
  if (*file.build() != '\0' && std::strcmp(file.build(), build) != 0)
    return last_error.say(Failure::kInvalidWeights,
                          "weights of another build: this one is %s, the file says %.40s", build,
                          file.build());
  int64_t bytes = 0;
  for (const Tensor* row = table; row->name != nullptr; ++row) {
    if (file.find(row->name, row->dtype, row->rank, row->dims) < 0) return wrong();
    bytes += (row->bytes + 255) / 256 * 256;
  }
  // Some even where no array has elements: what is there has an address.
  const cudaError_t error = weights.memory.allocate(from, std::max<int64_t>(bytes, 256));
  if (error != cudaSuccess) return memory_failure("weights", error, from, last_error);
  auto* place = static_cast<std::byte*>(weights.memory.data);
  auto* pointers = reinterpret_cast<std::byte*>(&weights.arrays);
  for (const Tensor* row = table; row->name != nullptr; ++row) {
    const int64_t position = file.find(row->name, row->dtype, row->rank, row->dims);
    const cudaError_t copied = copy_tensor(file, position, row->bytes, place);
    if (*file.problem() != '\0') return wrong();
    if (copied != cudaSuccess) return last_error.say("weights", copied);
    std::memcpy(pointers, &place, sizeof place);
    pointers += sizeof place;
    place += (row->bytes + 255) / 256 * 256;
  }
  return {};
}

// Weights of a file, on the device of the options and of their memory. *weights is null if this
// fails.
template <class Own, class Options, class Tensor>
Failure load_weights(Own** weights, const std::unique_ptr<WeightsFile>& file,
                     const Options* given, const Options& defaults, const Tensor* table,
                     const char* build, LastError& last_error) {
  if (const Failure failure = clear_place(weights, last_error)) return failure;
  Options options = defaults;
  if (given != nullptr) {
    if (const Failure failure = read_options(*given, &options, last_error)) return failure;
  }
  const OnDevice on(options.device);
  if (const Failure failure = make_weights(weights, on, last_error)) return failure;
  Allocator from = {options.allocate, options.release, options.user};
  const Failure failure = fill_weights(**weights, *file, table, build, from, last_error);
  if (failure) {
    destroy_weights(*weights);
    *weights = nullptr;
  }
  return failure;
}

// Weights that are the caller's arrays: not null, 16-byte aligned.
template <class Own, class Arrays, class Tensor>
Failure wrap_weights(Own** weights, const Arrays* arrays, const Tensor* table,
                     LastError& last_error) {
  if (const Failure failure = clear_place(weights, last_error)) return failure;
  if (const Failure failure = make_weights(weights, OnDevice(-1), last_error)) return failure;
  const char* problem = arrays == nullptr ? "null argument of weights" : nullptr;
  const char* name = "";
  const auto* pointers = reinterpret_cast<const std::byte*>(arrays);
  for (const Tensor* row = table; problem == nullptr && row->name != nullptr; ++row) {
    const void* pointer = nullptr;
    std::memcpy(&pointer, pointers, sizeof pointer);
    pointers += sizeof pointer;
    if (row->bytes == 0) continue;
    name = row->name;
    if (pointer == nullptr) problem = "null pointer for ";
    if (reinterpret_cast<uintptr_t>(pointer) % 16 != 0) problem = "not 16-byte aligned: ";
  }
  if (problem == nullptr) return (*weights)->arrays = *arrays, Failure();
  destroy_weights(*weights);
  *weights = nullptr;
  return last_error.say(Failure::kInvalidArgument, "%s%s", problem, name);
}

// Has an instance read weights that its caller gives; they are on its device.
template <class Instance, class Own>
Failure use_weights(Instance& instance, const Own* weights, LastError& last_error) {
  if (weights == nullptr)
    return last_error.say(Failure::kInvalidWeights,
                          "no weights are given, and the library was built without: options.weights");
  if (weights->device != instance.device)
    return last_error.say(Failure::kOtherDevice, "weights on device %d, an instance on %d",
                          weights->device, instance.device);
  instance.weights = weights->arrays;
  return {};
}

}  // namespace sinter_helpers
