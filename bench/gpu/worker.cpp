// worker MODE BUNDLE: runs programs of a bundle (make_bundle.cpp) one after the other and says of each what came of it.
// It needs nothing but the bundle. Lines of standard input are programs, "NAME LIBRARY CHECKS WRITES" (CHECKS: four
// numbers a result, joined by commas, or -; WRITES: trace.h, or -); lines of standard output
//
//   begin NAME
//   step KERNEL                  of mode `steps`: it is on the stream, and the device is waited for
//   done NAME right|wrong|failed|timed|kept|same DETAIL
//   done NAME differs KERNEL DETAIL
//
// After a failure the device may be lost to this process: it ends, and who started it starts another at the next
// program. So it is with one that never ends: who started it ends it.
//
//   right    one run, results compared
//   steps    the same, waiting after each step: the last step told is the one that fails or hangs
//   trace    one run, and in the file --trace what each of its steps writes
//   beside   one run beside that file, of another device: which step is the first to write something else
//   stress   --repeat runs bitwise the same; two instances on two streams; a graph of a run; other work beside it
//   time     warm-up, then --repeat runs: what a run and each step takes
//   copies   no programs: copies and clears of several sizes
//
// faults.h makes a device fail where it does not.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>

#include "bench/gpu/bundle_program.h"
#include "bench/gpu/faults.h"
#include "bench/gpu/trace.h"
#include "runtime/profile.h"

namespace {

struct Options {
  std::string mode, bundle, trace;
  long repeat = 20, warmup = 3;
};

// Listens to the steps of a run.
struct Steps {
  const Case& program;
  bool wait = false;             // says each, and waits for it
  Memory* memory = nullptr;      // where faults give wrong numbers
  TraceWriter* trace = nullptr;  // keeps what is written
  std::function<cudaError_t(const std::string&)> beside;

  static cudaError_t told(void* self, const char* what) { return static_cast<Steps*>(self)->step(what); }
  cudaError_t step(const std::string& what) {
    if (wait) std::printf("step %s\n", what.c_str()), std::fflush(stdout);
    cudaError_t error = commit_fault(program.name + "/" + what);
    if (error == cudaSuccess) error = corrupt(what);
    if (error == cudaSuccess && wait) error = cudaDeviceSynchronize();
    if (error == cudaSuccess && trace != nullptr) error = trace->step(what);
    if (error == cudaSuccess && beside) error = beside(what);
    return error;
  }
  cudaError_t corrupt(const std::string& what) {
    const auto written = program.writes.find(what);
    if (memory == nullptr || written == program.writes.end() || !has_fault("wrong", program.name + "/" + what)) {
      return cudaSuccess;
    }
    // The last one: what parts of a launch hand on to each other stands before what others read.
    const WrittenArray& array = written->second.back();
    return memory->corrupt(array, Elements(array.dtype, {}).width());
  }
};

// --- what is done with a program -----------------------------------------------------------------

struct Outcome {
  std::string status, detail;
};

// A fault of a program as a whole.
void corrupt(const std::string& program, std::vector<Bytes>& results) {
  if (has_fault("wrong", program) && !results.empty() && !results[0].empty()) results[0].back() ^= std::byte{0x40};
}

Outcome run_right(const Case& one, const ProgramEntry& entry, Bundle& bundle, Steps& steps) {
  const std::vector<Bytes> arrays = bundle.arrays(one, entry);
  Program program(entry);
  Memory memory = program.memory(one.writes);
  steps.memory = &memory;
  program.upload(arrays);
  program.run(nullptr);
  must(cudaDeviceSynchronize(), "the run");
  std::vector<Bytes> results = program.results();
  corrupt(one.name, results);
  const auto first = static_cast<size_t>(entry.input_count);
  for (size_t i = 0; i < results.size() && first + i < arrays.size(); ++i) {
    const std::string text = difference(bundle.elements(entry.outputs[i].dtype), results[i], arrays[first + i],
                                        i < one.checks.size() ? one.checks[i] : sinter::ValueCheck{});
    if (!text.empty()) return {"wrong", std::string(entry.outputs[i].name) + ": " + text};
  }
  return {"right", ""};
}

Outcome run_trace(const Case& one, const ProgramEntry& entry, Bundle& bundle, const Options& options, Steps& steps) {
  Program program(entry);
  program.upload(bundle.arrays(one, entry));
  Memory memory = program.memory(one.writes);
  must(memory.clear(), "clear");
  TraceWriter trace(memory, one.writes);
  steps.memory = &memory, steps.trace = &trace;
  program.run(nullptr);
  std::string error;
  if (!trace.save(options.trace, error)) throw Failure(error);
  return {"kept", ""};
}

Outcome run_beside(const Case& one, const ProgramEntry& entry, Bundle& bundle, const Options& options, Steps& steps) {
  std::vector<tensor_file::Tensor> trace;
  std::string error;
  if (!tensor_file::read_tensors(options.trace, trace, error)) throw Failure(error);
  Program program(entry);
  program.upload(bundle.arrays(one, entry));
  Memory memory = program.memory(one.writes);
  must(memory.clear(), "clear");
  const bool exact = std::all_of(one.checks.begin(), one.checks.end(), [](const sinter::ValueCheck& check) {
    return check.absolute == 0 && check.relative == 0 && !check.relaxed && !check.max_ulp;
  });
  const auto elements = [&](const std::string& dtype) { return bundle.elements(dtype); };
  TraceReader reader(memory, one.writes, trace, exact, elements);
  steps.beside = [&](const std::string& name) { return reader.step(name); };
  program.run(nullptr);
  if (reader.kernel.empty()) return {"same", reader.detail()};
  return {"differs", reader.kernel + " " + reader.detail()};
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
    corrupt(one.name, results);
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

// How many of the results' elements are NaN: a program that makes some may take another way, and its time says little.
size_t count_nans(const Program& program, const ProgramEntry& entry, const Bundle& bundle) {
  constexpr int64_t kMostBytes = 64 << 20;  // what is larger would take longer than the runs
  size_t nans = 0;
  for (int i = 0; i < entry.output_count; ++i) {
    const Elements elements = bundle.elements(entry.outputs[i].dtype);
    if (!elements.is_float() || entry.outputs[i].bytes > kMostBytes) continue;
    const Bytes values = program.result(i);
    for (size_t at = 0; at < values.size(); at += elements.width())
      nans += std::isnan(elements.value(&values[at])) ? 1 : 0;
  }
  return nans;
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
  std::string detail = profile::profile_json(one.name, measured);
  const size_t nans = count_nans(program, entry, bundle);
  return {"timed", detail.insert(1, "\"nan\": " + std::to_string(nans) + ", ")};
}

Outcome run_case(const Case& one, Bundle& bundle, const Options& options) {
  const ProgramEntry& entry = bundle.entry(one);
  if (options.mode == "time") {  // the profiler listens itself
    must(commit_fault(one.name), "the run");
    return run_time(one, entry, bundle, options);
  }
  Steps steps = {.program = one, .wait = options.mode == "steps"};
  const auto run = [&] {
    if (options.mode == "stress") return run_stress(one, entry, bundle, options);
    if (options.mode == "trace") return run_trace(one, entry, bundle, options, steps);
    if (options.mode == "beside") return run_beside(one, entry, bundle, options, steps);
    return run_right(one, entry, bundle, steps);
  };
  entry.listen({Steps::told, &steps});
  must(commit_fault(one.name), "the run");
  Outcome outcome = run();
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
  std::string checks, writes, number;
  std::istringstream(line) >> one.name >> one.library >> checks >> writes;
  one.writes = Writes::read(writes);
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
    else if (word == "--trace" && i + 1 < argc)
      options.trace = argv[++i];
    else if (word == "--warmup" && i + 1 < argc)
      options.warmup = std::atol(argv[++i]);
    else
      words.push_back(word);
  }
  if (words.size() != 2)
    return std::fprintf(stderr, "usage: worker MODE BUNDLE [--repeat N] [--warmup N] [--trace FILE]\n"), 2;
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
