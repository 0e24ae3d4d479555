// worker MODE BUNDLE: runs programs of a bundle (make_bundle.cpp) one after the other and says of each what came of it.
// It needs nothing but the bundle. Lines of standard input are programs, "NAME LIBRARY CHECKS" (CHECKS: four numbers a
// result, joined by commas, or -); lines of standard output
//
//   begin NAME
//   step KERNEL                  of mode `steps`: it is on the stream, and the device is waited for
//   done NAME right|wrong|failed|timed DETAIL
//
// After a failure the device may be lost to this process: it ends, and who started it starts another at the next
// program. So it is with one that never ends: who started it ends it.
//
//   right    one run, results compared
//   steps    the same, waiting after each step: the last step told is the one that fails or hangs
//   stress   --repeat runs bitwise the same; two instances on two streams; a graph of a run; other work beside it
//   time     warm-up, then --repeat runs: what a run and each step takes
//   copies   no programs: copies and clears of several sizes
//
// SINTER_GPU_FAULT, "wrong:NAME", "fail:NAME", "crash:NAME" or "hang:NAME", or several joined by commas, makes a fake
// device: NAME is a program, or PROGRAM/KERNEL for a fault in that step.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "bench/gpu/compare.h"
#include "runtime/profile.h"
#include "runtime/program_entry.h"
#include "runtime/tensor_file.h"

namespace {

using Bytes = std::vector<std::byte>;

struct Case {
  std::string name, library;
  std::vector<sinter::ValueCheck> checks;
};

struct Options {
  std::string mode, bundle;
  long repeat = 20, warmup = 3;
};

// --- faults --------------------------------------------------------------------------------------

bool has_fault(const std::string& kind, const std::string& name) {
  static const std::set<std::string> faults = [] {
    const char* text = std::getenv("SINTER_GPU_FAULT");
    std::set<std::string> words;
    std::istringstream list(text == nullptr ? "" : text);
    for (std::string word; std::getline(list, word, ',');) words.insert(word);
    return words;
  }();
  return faults.contains(kind + ":" + name);
}

cudaError_t commit_fault(const std::string& name) {
  if (has_fault("hang", name)) {
    for (;;) sleep(1);
  }
  if (has_fault("crash", name)) std::abort();
  return has_fault("fail", name) ? cudaErrorLaunchFailure : cudaSuccess;
}

// --- a program -----------------------------------------------------------------------------------

// Listens to the steps of a run: for faults, and in mode `steps` to wait for each.
struct Steps {
  std::string program;
  bool wait = false;
  static cudaError_t told(void* self, const char* what) {
    const Steps& steps = *static_cast<const Steps*>(self);
    if (steps.wait) std::printf("step %s\n", what), std::fflush(stdout);
    const cudaError_t error = commit_fault(steps.program + "/" + what);
    return error == cudaSuccess && steps.wait ? cudaDeviceSynchronize() : error;
  }
};

class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void must(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw Failure(std::string(what) + ": " + cudaGetErrorString(error));
}

// The same numbers on every machine: floats in [-1, 1), integers in [0, 8).
Bytes made_up(const EntryTensor& tensor, uint64_t seed) {
  Bytes bytes(static_cast<size_t>(tensor.bytes));
  uint64_t state = seed;
  const auto next = [&] {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    return z ^ (z >> 31);
  };
  const auto fill = [&](auto make) {
    for (size_t at = 0; at < bytes.size(); at += sizeof(make())) {
      const auto value = make();
      std::memcpy(&bytes[at], &value, sizeof value);
    }
  };
  const std::string dtype = tensor.dtype;
  const auto real = [&] { return static_cast<double>(next() >> 11) * 0x1p-52 - 1.0; };
  if (dtype == "f64" || dtype == "c128")
    fill(real);
  else if (dtype == "f32" || dtype == "c64")
    fill([&] { return static_cast<float>(real()); });
  else if (dtype == "bf16")
    fill([&] { return static_cast<uint16_t>(0x3f00 | (next() & 0x80ff)); });
  else if (dtype == "f16")
    fill([&] { return static_cast<uint16_t>(0x3800 | (next() & 0x83ff)); });
  else if (dtype == "pred")
    fill([&] { return static_cast<uint8_t>(next() & 1); });
  else if (dtype.ends_with("64"))
    fill([&] { return next() & 7; });
  else if (dtype.ends_with("32"))
    fill([&] { return static_cast<uint32_t>(next() & 7); });
  else if (dtype.ends_with("16"))
    fill([&] { return static_cast<uint16_t>(next() & 7); });
  else
    fill([&] { return static_cast<uint8_t>(next() & 1); });
  return bytes;
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
  void run(cudaStream_t stream) {
    if (!entry_.run(instance_, arrays_.get(), stream)) throw Failure(entry_.last_error());
  }
  std::vector<Bytes> results() const {
    std::vector<Bytes> results;
    for (int i = entry_.input_count; i < entry_.count(); ++i) {
      results.emplace_back(arrays_.bytes(i));
      must(arrays_.download(i, results.back().data()), "download");
    }
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

  Elements elements(const char* dtype) const { return {dtype, floats_}; }

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

// --- what is done with a program -----------------------------------------------------------------

struct Outcome {
  std::string status, detail;
};

Outcome run_right(const Case& one, const ProgramEntry& entry, Bundle& bundle) {
  const std::vector<Bytes> arrays = bundle.arrays(one, entry);
  Program program(entry);
  program.upload(arrays);
  program.run(nullptr);
  must(cudaDeviceSynchronize(), "the run");
  std::vector<Bytes> results = program.results();
  if (has_fault("wrong", one.name) && !results.empty() && !results[0].empty()) results[0][0] ^= std::byte{0x40};
  const auto first = static_cast<size_t>(entry.input_count);
  for (size_t i = 0; i < results.size() && first + i < arrays.size(); ++i) {
    const std::string text = difference(bundle.elements(entry.outputs[i].dtype), results[i], arrays[first + i],
                                        i < one.checks.size() ? one.checks[i] : sinter::ValueCheck{});
    if (!text.empty()) return {"wrong", std::string(entry.outputs[i].name) + ": " + text};
  }
  return {"right", ""};
}

Outcome run_stress(const Case& one, const ProgramEntry& entry, Bundle& bundle, const Options& options) {
  const std::vector<Bytes> arrays = bundle.arrays(one, entry);
  Program program(entry);
  program.upload(arrays);
  program.run(nullptr);
  must(cudaDeviceSynchronize(), "the first run");
  const std::vector<Bytes> wanted = program.results();
  const auto same = [&](const Program& other, const std::string& when) -> std::string {
    std::vector<Bytes> results = other.results();
    if (has_fault("wrong", one.name) && !results.empty() && !results[0].empty()) results[0][0] ^= std::byte{0x40};
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (results[i] != wanted[i]) return std::string(entry.outputs[i].name) + " is another " + when;
    }
    return "";
  };
  // Donated inputs are given by their outputs' arrays, which differ from theirs: inputs stay as they are.
  for (long i = 0; i < options.repeat; ++i) {
    program.run(nullptr);
    must(cudaDeviceSynchronize(), "a run");
    const std::string text = same(program, "in run " + std::to_string(i + 2));
    if (!text.empty()) return {"wrong", text};
  }
  Program second(entry);
  second.upload(arrays);
  {
    // Two instances on two streams, and copies on a third beside them.
    Stream one_stream, other_stream, load;
    void *from = nullptr, *to = nullptr;
#ifdef SINTER_CPU
    constexpr size_t kLoad = 1 << 16;
#else
    constexpr size_t kLoad = 32 << 20;
#endif
    must(cudaMalloc(&from, kLoad), "device memory");
    must(cudaMalloc(&to, kLoad), "device memory");
    for (long i = 0; i < std::min(20l, options.repeat); ++i) {
      must(cudaMemcpyAsync(to, from, kLoad, cudaMemcpyDeviceToDevice, load.stream), "a copy");
      program.run(one_stream.stream);
      second.run(other_stream.stream);
    }
    must(cudaDeviceSynchronize(), "two streams");
    cudaFree(from), cudaFree(to);
  }
  std::string text = same(program, "on two streams");
  if (text.empty()) text = same(second, "in another instance");
  if (!text.empty()) return {"wrong", text};
#ifdef SINTER_CPU
  return {"right", "no graphs on the CPU"};
#else
  Stream stream;
  cudaGraph_t graph = nullptr;
  must(cudaStreamBeginCapture(stream.stream, cudaStreamCaptureModeThreadLocal), "capture");
  std::string refused;
  try {
    program.run(stream.stream);
  } catch (const Failure& failure) {
    refused = failure.what();  // a host that waits for the device cannot be captured
  }
  const cudaError_t captured = cudaStreamEndCapture(stream.stream, &graph);
  cudaGetLastError();
  if (!refused.empty() || captured != cudaSuccess) return {"right", "no graph: " + refused};
  cudaGraphExec_t runs = nullptr;
  must(cudaGraphInstantiate(&runs, graph, 0), "a graph");
  for (int i = 0; i < 10; ++i) must(cudaGraphLaunch(runs, stream.stream), "a graph's run");
  must(cudaStreamSynchronize(stream.stream), "a graph's run");
  cudaGraphExecDestroy(runs);
  cudaGraphDestroy(graph);
  text = same(program, "in a graph");
  return {text.empty() ? "right" : "wrong", text};
#endif
}

Outcome run_time(const Case& one, const ProgramEntry& entry, Bundle& bundle, const Options& options) {
  Program program(entry);
  program.upload(bundle.arrays(one, entry));
  const auto run = [&]() -> std::string {
    try {
      program.run(nullptr);
      return "";
    } catch (const Failure& failure) {
      return failure.what();
    }
  };
  const profile::Target target = {.run = run, .listen = entry.listen};
  const profile::Profile measured = profile::Profiler(target).measure(options.warmup, options.repeat, true);
  if (!measured.error.empty()) throw Failure(measured.error);
  return {"timed", profile::profile_json(one.name, measured)};
}

Outcome run_case(const Case& one, Bundle& bundle, const Options& options) {
  const ProgramEntry& entry = bundle.entry(one);
  if (options.mode == "time") {  // the profiler listens itself
    must(commit_fault(one.name), "the run");
    return run_time(one, entry, bundle, options);
  }
  Steps steps = {.program = one.name, .wait = options.mode == "steps"};
  entry.listen({Steps::told, &steps});
  must(commit_fault(one.name), "the run");
  Outcome outcome = options.mode == "stress" ? run_stress(one, entry, bundle, options) : run_right(one, entry, bundle);
  entry.listen({});
  return outcome;
}

// Reads and writes of copies, writes of clears, in GB/s.
void measure_copies(const Options& options) {
  for (const size_t mb : {size_t{1}, size_t{8}, size_t{16}, size_t{64}, size_t{256}, size_t{1024}}) {
    const size_t bytes = mb << 20;
#ifdef SINTER_CPU
    if (mb > 64) break;
#endif
    void *from = nullptr, *to = nullptr;
    must(cudaMalloc(&from, bytes), "device memory");
    must(cudaMalloc(&to, bytes), "device memory");
    const auto time = [&](const char* what, auto call, double moved) {
      const profile::Target target = {.run = [&]() -> std::string {
                                        const cudaError_t error = call();
                                        return error == cudaSuccess ? "" : cudaGetErrorString(error);
                                      },
                                      .listen = [](StepListener) {}};
      const profile::Profile measured = profile::Profiler(target).measure(options.warmup, options.repeat, false);
      if (!measured.error.empty()) throw Failure(measured.error);
      const double us = measured.run.median();
      std::printf("done %s_%zu timed {\"run_us\": %s, \"bytes\": %.0f, \"gb_per_s\": %.1f}\n", what, mb,
                  profile::times_json(measured.run).c_str(), moved, us > 0 ? moved / us / 1e3 : 0);
      std::fflush(stdout);
    };
    const auto moved = static_cast<double>(bytes);
    time("copy", [&] { return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, nullptr); }, 2 * moved);
    time("clear", [&] { return cudaMemsetAsync(to, 0, bytes, nullptr); }, moved);
    cudaFree(from), cudaFree(to);
  }
}

Case read_case(const std::string& line) {
  Case one;
  std::string checks, number;
  std::istringstream(line) >> one.name >> one.library >> checks;
  std::vector<double> numbers;
  std::istringstream list(checks == "-" ? "" : checks);
  while (std::getline(list, number, ',')) numbers.push_back(std::strtod(number.c_str(), nullptr));
  for (size_t i = 0; i + 3 < numbers.size(); i += 4) {
    sinter::ValueCheck check = {.absolute = numbers[i], .relative = numbers[i + 1]};
    if (numbers[i + 2] > 0) check.relaxed = numbers[i + 2];
    if (numbers[i + 3] > 0) check.max_ulp = static_cast<int64_t>(numbers[i + 3]);
    one.checks.push_back(check);
  }
  return one;
}

// A launch that is refused is no step; the launcher's error names it, "PROGRAM: KERNEL: why".
void name_refused(const std::string& program, const std::string& error) {
  if (!error.starts_with(program + ": ")) return;
  const std::string rest = error.substr(program.size() + 2);
  if (const size_t end = rest.find(": "); end != std::string::npos) {
    std::printf("step %s\n", rest.substr(0, end).c_str());
  }
}

// False if the device may be lost.
bool run_line(const std::string& line, Bundle& bundle, const Options& options) {
  const Case one = read_case(line);
  std::printf("begin %s\n", one.name.c_str());
  std::fflush(stdout);
  Outcome outcome;
  try {
    outcome = run_case(one, bundle, options);
  } catch (const std::exception& failure) {
    outcome = {"failed", failure.what()};
    if (options.mode == "steps") name_refused(one.name, outcome.detail);
  }
  std::replace(outcome.detail.begin(), outcome.detail.end(), '\n', ' ');
  std::printf("done %s %s %s\n", one.name.c_str(), outcome.status.c_str(), outcome.detail.c_str());
  std::fflush(stdout);
  return outcome.status != "failed";
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--repeat" && i + 1 < argc)
      options.repeat = std::atol(argv[++i]);
    else if (word == "--warmup" && i + 1 < argc)
      options.warmup = std::atol(argv[++i]);
    else
      words.push_back(word);
  }
  if (words.size() != 2) return std::fprintf(stderr, "usage: worker MODE BUNDLE [--repeat N] [--warmup N]\n"), 2;
  options.mode = words[0], options.bundle = words[1];
  try {
    if (options.mode == "copies") return measure_copies(options), 0;
    Bundle bundle(options.bundle);
    for (std::string line; std::getline(std::cin, line);) {
      if (!run_line(line, bundle, options)) std::_Exit(1);
    }
  } catch (const std::exception& failure) {
    return std::fprintf(stderr, "worker: %s\n", failure.what()), 1;
  }
  return 0;
}
