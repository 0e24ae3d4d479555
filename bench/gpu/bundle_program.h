// Programs of a bundle as the worker runs them: found in its libraries, their arrays on the device.
#pragma once

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/gpu/compare.h"
#include "bench/gpu/made_up.h"
#include "bench/gpu/trace.h"
#include "runtime/program_entry.h"
#include "runtime/tensor_file.h"

struct Case {
  std::string name, library;
  std::vector<sinter::ValueCheck> checks;
  Writes writes;
};

class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void must(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw Failure(std::string(what) + ": " + cudaGetErrorString(error));
}

class Program {
 public:
  Program(const ProgramEntry& entry) : entry_(entry), arrays_(entry) {
    must(arrays_.allocate(), "device memory");
    if (!entry.create(&instance_)) throw Failure(entry.last_error());
  }
  ~Program() { entry_.destroy(instance_); }
  void upload(const std::vector<Bytes>& inputs) {
    for (int i = 0; i < entry_.input_count; ++i)
      must(arrays_.upload(i, inputs[static_cast<size_t>(i)].data()), "upload");
  }
  Memory memory(const Writes& writes) const {
    void* arena = entry_.arena == nullptr ? nullptr : entry_.arena(instance_);
    return Memory(entry_, arena, arrays_.get() + entry_.input_count, writes);
  }
  void run(cudaStream_t stream) {
    if (!entry_.run(instance_, arrays_.get(), stream)) throw Failure(entry_.last_error());
  }
  Bytes result(int number) const {
    const int i = entry_.input_count + number;
    Bytes result(arrays_.bytes(i));
    must(arrays_.download(i, result.data()), "download");
    return result;
  }
  std::vector<Bytes> results() const {
    std::vector<Bytes> results;
    for (int i = 0; i < entry_.output_count; ++i) results.push_back(result(i));
    return results;
  }

 private:
  const ProgramEntry& entry_;
  EntryArrays arrays_;
  void* instance_ = nullptr;
};

struct Stream {
  Stream() { must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream"); }
  ~Stream() { cudaStreamDestroy(stream); }
  cudaStream_t stream = nullptr;
};

// --- the bundle ----------------------------------------------------------------------------------

class Bundle {
 public:
  explicit Bundle(const std::string& folder) : folder_(folder) {
    for (tensor_file::Tensor& tensor : read("floats")) {
      std::vector<double>& table = floats_[tensor.name];
      table.resize(tensor.bytes.size() / sizeof(double));
      std::memcpy(table.data(), tensor.bytes.data(), tensor.bytes.size());
    }
  }

  const ProgramEntry& entry(const Case& one) {
    void*& library = libraries_[one.library];
    if (library == nullptr) library = dlopen((folder_ + "/" + one.library + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
    void* function = library == nullptr ? nullptr : dlsym(library, ("entry_" + one.name).c_str());
    if (function == nullptr) throw Failure(dlerror());
    return *reinterpret_cast<const ProgramEntry* (*)()>(function)();
  }

  // Inputs, then what is expected; inputs alone, made up, where the bundle has none.
  std::vector<Bytes> arrays(const Case& one, const ProgramEntry& entry) {
    if (one.library != data_of_) {
      data_.clear();
      for (tensor_file::Tensor& tensor : read(one.library)) data_[tensor.name] = std::move(tensor.bytes);
      data_of_ = one.library;
    }
    std::vector<Bytes> arrays;
    for (int i = 0; i < entry.count(); ++i) {
      const auto found = data_.find(one.name + "/" + std::to_string(i));
      if (found != data_.end()) {
        arrays.push_back(found->second);
      } else if (i < entry.input_count) {
        arrays.push_back(made_up(entry.inputs[i], static_cast<uint64_t>(i) + 1));
      }
    }
    return arrays;
  }

  Elements elements(const std::string& dtype) const { return {dtype, floats_}; }

 private:
  std::vector<tensor_file::Tensor> read(const std::string& name) const {
    std::vector<tensor_file::Tensor> tensors;
    std::string error;
    const std::string path = folder_ + "/" + name + ".safetensors";
    if (access(path.c_str(), R_OK) == 0 && !tensor_file::read_tensors(path, tensors, error)) throw Failure(error);
    return tensors;
  }

  std::string folder_, data_of_;
  std::map<std::string, void*> libraries_;
  std::map<std::string, Bytes> data_;
  std::map<std::string, std::vector<double>> floats_;
};
