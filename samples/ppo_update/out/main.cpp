// ppo_update_cli: runs ppo_update once or many times,
// on tensors from files or on random ones.

#include "ppo_update/ppo_update.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "device/launch.cuh"
#include "launcher/steps.cuh"
#include "runner/profile.h"
#include "runner/tensor_file.h"

namespace {

using tensor_file::Tensor;

// Of a launch of each kernel on h200, as fusion.json has it: bytes, operations, microseconds.
constexpr profile::Predictions kPredicted = {
    {"dense", 17496.0, 26112.0, 2.31},
    {"mlp", 27872.0, 82688.0, 3.37},
    {"advantages", 3620.0, 1416.0, 3.42},
    {"steps", 785136.0, 0.0, 121.92},
};

constexpr const char* kUsage =
    R"(usage: ppo_update_cli [options] [input files]

Input files: one safetensors file with tensors "0", "1", ... in the order of
PpoUpdateInputs, or a .npy file for each.

  --inputs FILE      the same as FILE alone; may be repeated
  -o, --output FILE  write the outputs, as safetensors with tensors "0", "1", ...
  --random SEED      make up the inputs: floats uniform in [-1, 1), integers in [0, 8)
  --repeat N         after a first run, run N times and print the time of one
  --warmup N         before that, run N times more
  --profile          with --repeat: print for each step (kernel, copy, ...) its time, share, GB/s and
                     GFLOP/s, and the time that was predicted
  --json             with --repeat: print the times as JSON
  --trace FILE       with --profile: write a run's steps for chrome://tracing
  --graph            make a CUDA graph of a run and launch that; where there is none, say why and run
                     without
  --print-launches   print what one run launches (CPU build only)
  --list             print names, types and dimensions of inputs and outputs
  --info             print what the library is: version, input, architectures, device memory
)";

struct Options {
  std::vector<std::string> inputs;
  std::string output;
  bool random = false;
  uint64_t seed = 0;
  long repeat = 0;
  long warmup = 0;
  bool profile = false;
  bool json = false;
  std::string trace;
  bool graph = false;
  bool print_launches = false;
  bool list = false;
  bool info = false;
};

int usage_error(const std::string& what) {
  std::fprintf(stderr, "ppo_update_cli: %s\n%s", what.c_str(), kUsage);
  return 2;
}

int fail(const std::string& what) {
  std::fprintf(stderr, "ppo_update_cli: %s\n", what.c_str());
  return 1;
}

bool parse_number(const char* text, uint64_t* number) {
  char* end = nullptr;
  *number = std::strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0';
}

// 0 if the arguments are understood, else the exit status. --help prints and ends.
int parse_options(int argc, char** argv, Options* options) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool takes_value = argument == "--inputs" || argument == "-o" || argument == "--output" ||
                             argument == "--random" || argument == "--repeat" ||
                             argument == "--warmup" || argument == "--trace";
    if (takes_value && i + 1 == argc) return usage_error(argument + " needs a value");
    const char* value = takes_value ? argv[++i] : "";
    uint64_t number = 0;
    if (argument == "--help" || argument == "-h") {
      std::fputs(kUsage, stdout);
      std::exit(0);
    } else if (argument == "--inputs") {
      options->inputs.push_back(value);
    } else if (argument == "-o" || argument == "--output") {
      options->output = value;
    } else if (argument == "--random") {
      if (!parse_number(value, &options->seed)) return usage_error("--random takes a number");
      options->random = true;
    } else if (argument == "--repeat") {
      if (!parse_number(value, &number) || number > 1000000000)
        return usage_error("--repeat takes a number");
      options->repeat = static_cast<long>(number);
    } else if (argument == "--warmup") {
      if (!parse_number(value, &number) || number > 1000000000)
        return usage_error("--warmup takes a number");
      options->warmup = static_cast<long>(number);
    } else if (argument == "--profile") {
      options->profile = true;
    } else if (argument == "--json") {
      options->json = true;
    } else if (argument == "--trace") {
      options->trace = value;
    } else if (argument == "--graph") {
      options->graph = true;
    } else if (argument == "--print-launches") {
      options->print_launches = true;
    } else if (argument == "--list") {
      options->list = true;
    } else if (argument == "--info") {
      options->info = true;
    } else if (argument.size() > 1 && argument[0] == '-') {
      return usage_error("unknown option " + argument);
    } else {
      options->inputs.push_back(argument);
    }
  }
  return 0;
}

// "f32[8,16]".
std::string tensor_text(std::string dtype, const int64_t* dims, size_t rank) {
  std::string text = std::move(dtype) + "[";
  for (size_t i = 0; i < rank; ++i) text += (i == 0 ? "" : ",") + std::to_string(dims[i]);
  return text + "]";
}
std::string tensor_text(const PpoUpdateTensor& tensor) {
  return tensor_text(tensor.dtype, tensor.dims, static_cast<size_t>(tensor.rank));
}

void list_tensors(const char* direction, const PpoUpdateTensor* tensors) {
  for (; tensors->name != nullptr; ++tensors) {
    std::printf("%s %s %s %lld bytes\n", direction, tensors->name, tensor_text(*tensors).c_str(),
                static_cast<long long>(tensors->bytes));
  }
}

void print_info(const PpoUpdateInfo& info) {
  std::printf("interface %016llx\ngenerator %s\ninput sha256 %s\nbuilt for %s\n",
              static_cast<unsigned long long>(info.interface_hash), info.generator,
              info.input_sha256, info.architectures);
  std::printf("kernels %d\nlaunches %lld\nworkspace %lld bytes\nweights %lld bytes\n",
              info.kernels, static_cast<long long>(info.launches),
              static_cast<long long>(info.workspace_bytes),
              static_cast<long long>(info.weights_bytes));
  std::printf("a run as a graph: %s\n", info.can_capture != 0 ? "yes" : "no");
}

// --- tensors of files ----------------------------------------------------------------------------

// "2 inputs: x, scale".
std::string inputs_text() {
  int count = 0;
  std::string names;
  for (const PpoUpdateTensor* input = kPpoUpdateInputTable; input->name != nullptr; ++input) {
    if (std::strcmp(input->dtype, "size") == 0) continue;
    names += (count++ == 0 ? ": " : ", ") + std::string(input->name);
  }
  return std::to_string(count) + (count == 1 ? " input" : " inputs") + names;
}

bool same_dims(const std::vector<int64_t>& dims, const PpoUpdateTensor& tensor) {
  return dims.size() == static_cast<size_t>(tensor.rank) &&
         std::equal(dims.begin(), dims.end(), tensor.dims);
}

// The bytes of the inputs, in order. What is wrong with the files, or empty.
std::string read_inputs(const std::vector<std::string>& paths,
                        std::vector<std::vector<std::byte>>* inputs) {
  std::vector<Tensor> tensors;
  size_t taken = 0;
  for (const std::string& path : paths) {
    std::vector<Tensor> more;
    std::string error;
    if (!tensor_file::read_tensors(path, more, error)) return error;
    for (Tensor& tensor : more) {
      // A .npy file is the next input; a safetensors file says which.
      if (tensor.name.empty()) tensor.name = std::to_string(tensors.size());
      tensors.push_back(std::move(tensor));
    }
  }
  if (paths.size() > 1 && tensors.size() != paths.size())
    return "several input files: each must be a .npy file";
  if (tensors.empty() && kPpoUpdateInputCount > 0)
    return "a run has " + inputs_text() + "; give them by --inputs FILE, or --random SEED";
  for (int i = 0; i < kPpoUpdateInputCount; ++i) {
    const PpoUpdateTensor& expected = kPpoUpdateInputTable[i];
    const auto is_it = [&](const Tensor& tensor) { return tensor.name == std::to_string(i); };
    const auto found = std::find_if(tensors.begin(), tensors.end(), is_it);
    const std::string what = "input " + std::to_string(i) + " (" + expected.name + ")";
    if (found == tensors.end()) {
      std::string names;
      for (const Tensor& tensor : tensors) names += (names.empty() ? "" : ", ") + tensor.name;
      return what + " is missing: tensors are called 0, 1, ..., and these " + names;
    }
    const bool is_alike =
        same_dims(found->shape, expected) &&
        found->dtype == tensor_file::type_of_hlo(expected.dtype) &&
        found->bytes.size() == static_cast<size_t>(expected.bytes);
    if (!is_alike) {
      return what + " is " +
             tensor_text(found->dtype, found->shape.data(), found->shape.size()) + ", not " +
             tensor_text(expected);
    }
    inputs->push_back(std::move(found->bytes));
    ++taken;
  }
  // One may be of an argument that the program does not have: JAX leaves out those that nothing reads.
  if (tensors.size() != taken)
    return std::to_string(tensors.size()) + " tensors, but a run has " + inputs_text();
  return "";
}

// --- random tensors ------------------------------------------------------------------------------

// SplitMix64.
uint64_t next_random(uint64_t* state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

template <class T>
void put(std::vector<std::byte>* bytes, T value) {
  const size_t end = bytes->size();
  bytes->resize(end + sizeof value);
  std::memcpy(bytes->data() + end, &value, sizeof value);
}

std::vector<std::byte> random_tensor(const PpoUpdateTensor& tensor, uint64_t* state) {
  const std::string dtype = tensor.dtype;
  const auto uniform = [&] {
    return static_cast<double>(next_random(state) >> 11) * 0x1p-52 - 1.0;
  };
  std::vector<std::byte> bytes;
  bytes.reserve(static_cast<size_t>(tensor.bytes));
  while (bytes.size() < static_cast<size_t>(tensor.bytes)) {
    if (dtype == "f64" || dtype == "c128") {
      put(&bytes, uniform());
    } else if (dtype == "f32" || dtype == "c64") {
      put(&bytes, static_cast<float>(uniform()));
    } else if (dtype == "f16" || dtype == "bf16") {
      // Eight steps in [-1, 1), each exact: sign, exponent and leading bits of the float.
      const float value = static_cast<float>(static_cast<int>(next_random(state) % 8) - 4) / 4;
      uint32_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      const uint32_t half = bits == 0 ? 0
                                      : (bits >> 16 & 0x8000) | ((bits >> 23 & 0xff) - 112) << 10 |
                                            (bits >> 13 & 0x3ff);
      put(&bytes, static_cast<uint16_t>(dtype == "bf16" ? bits >> 16 : half));
    } else if (dtype == "pred") {
      put(&bytes, static_cast<uint8_t>(next_random(state) >> 63));
    } else {
      // An integer in [0, 8), in as many bytes as it has; of an 8-bit float a small pattern.
      int width = 1;
      if (dtype.ends_with("16")) width = 2;
      if (dtype.ends_with("32")) width = 4;
      if (dtype.ends_with("64")) width = 8;
      const uint64_t value = next_random(state) % (width == 1 && tensor.dtype[1] <= '4' ? 2 : 8);
      for (int i = 0; i < width; ++i) bytes.push_back(static_cast<std::byte>(value >> 8 * i));
    }
  }
  return bytes;
}

// --- the run -------------------------------------------------------------------------------------

// Frees what it holds at the end of its life.
class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  ~Memory() { cudaFree(pointer_); }
  cudaError_t allocate(int64_t bytes) {
    return bytes == 0 ? cudaSuccess : cudaMalloc(&pointer_, static_cast<size_t>(bytes));
  }
  void* get() const { return pointer_; }

 private:
  void* pointer_ = nullptr;
};

struct Buffers {
  Memory inputs[kPpoUpdateInputCount + 1];
  Memory outputs[kPpoUpdateOutputCount + 1];
};

cudaError_t upload(const std::vector<std::vector<std::byte>>& inputs, Buffers* buffers) {
  for (int i = 0; i < kPpoUpdateInputCount; ++i) {
    cudaError_t error = buffers->inputs[i].allocate(kPpoUpdateInputTable[i].bytes);
    if (error == cudaSuccess && !inputs[i].empty()) {
      error = cudaMemcpy(buffers->inputs[i].get(), inputs[i].data(), inputs[i].size(),
                         cudaMemcpyHostToDevice);
    }
    if (error != cudaSuccess) return error;
  }
  for (int i = 0; i < kPpoUpdateOutputCount; ++i) {
    const cudaError_t error = buffers->outputs[i].allocate(kPpoUpdateOutputTable[i].bytes);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

// The structs of pointers, filled in the order of the tables.
void point_to(const Buffers& buffers, PpoUpdateInputs* in, PpoUpdateOutputs* out) {
  const void* inputs[kPpoUpdateInputCount + 1] = {};
  void* outputs[kPpoUpdateOutputCount + 1] = {};
  for (int i = 0; i < kPpoUpdateInputCount; ++i) inputs[i] = buffers.inputs[i].get();
  for (int i = 0; i < kPpoUpdateOutputCount; ++i) outputs[i] = buffers.outputs[i].get();
  std::memcpy(in, inputs, kPpoUpdateInputCount * sizeof(void*));
  std::memcpy(out, outputs, kPpoUpdateOutputCount * sizeof(void*));
}

// A run of these arrays, as often as asked: of an instance, or of a graph of it.
class Runs {
 public:
  Runs(PpoUpdateInstance* instance, const PpoUpdateInputs& in, const PpoUpdateOutputs& out)
      : instance_(instance), in_(in), out_(out) {}
  Runs(const Runs&) = delete;
  ~Runs() { ppo_update_graph_destroy(graph_); }

  // What is wrong, or empty.
  std::string make_graph() {
    const PpoUpdateStatus status = ppo_update_capture(&graph_, instance_, &in_, &out_);
    if (status != kPpoUpdateCannotCapture) return status == kPpoUpdateOk ? "" : ppo_update_last_error();
    std::fprintf(stderr, "%s\n", ppo_update_last_error());
    return "";
  }

  std::string run() const {
    PpoUpdateStatus status = kPpoUpdateOk;
    if (graph_ != nullptr) {
      status = ppo_update_graph_launch(graph_, nullptr);
    } else {
      status = ppo_update_run(instance_, &in_, &out_, nullptr);
    }
    return status == kPpoUpdateOk ? "" : ppo_update_last_error();
  }

 private:
  PpoUpdateInstance* instance_;
  PpoUpdateInputs in_;
  PpoUpdateOutputs out_;
  PpoUpdateGraph* graph_ = nullptr;
};

// Runs `repeat` times and prints what a run takes, or what is wrong.
std::string measure(const Runs& runs, const Options& options) {
  const profile::Target target = {
      .run = [&] { return runs.run(); },
      .listen = [](StepListener listener) { step_listener = listener; }};
  const profile::Profile profile =
      profile::Profiler(target).measure(options.warmup, options.repeat, options.profile);
  if (!profile.error.empty()) return profile.error;
  if (options.json) {
    std::printf("%s\n", profile::profile_json("ppo_update", profile).c_str());
  } else {
    std::printf("%ld runs, %.3f us each\n", options.repeat, profile.run.median());
    if (options.profile) profile::print_profile(profile, kPredicted, "h200");
  }
  if (options.trace.empty() || profile::write_trace(options.trace, profile, kPredicted)) return "";
  return "cannot write " + options.trace;
}

std::string write_outputs(const std::string& path, const Buffers& buffers) {
  std::vector<Tensor> tensors;
  for (int i = 0; i < kPpoUpdateOutputCount; ++i) {
    const PpoUpdateTensor& row = kPpoUpdateOutputTable[i];
    Tensor tensor;
    tensor.name = std::to_string(i);
    tensor.dtype = tensor_file::type_of_hlo(row.dtype);
    tensor.shape.assign(row.dims, row.dims + row.rank);
    tensor.bytes.resize(static_cast<size_t>(row.bytes));
    if (row.bytes != 0) {
      const cudaError_t error = cudaMemcpy(tensor.bytes.data(), buffers.outputs[i].get(),
                                           tensor.bytes.size(), cudaMemcpyDeviceToHost);
      if (error != cudaSuccess) return cudaGetErrorString(error);
    }
    tensors.push_back(std::move(tensor));
  }
  std::string error;
  return tensor_file::write_tensors(path, tensors, error) ? "" : error;
}

// What is wrong, or empty.
std::string run(const Options& options, const std::vector<std::vector<std::byte>>& inputs,
                PpoUpdateInstance* instance) {
  Buffers buffers;
  cudaError_t error = upload(inputs, &buffers);
  if (error != cudaSuccess) return cudaGetErrorString(error);
  PpoUpdateInputs in = {};
  PpoUpdateOutputs out = {};
  point_to(buffers, &in, &out);
  Runs runs(instance, in, out);
  std::string problem = options.graph ? runs.make_graph() : "";
  if (!problem.empty()) return problem;
#ifdef SINTER_CPU
  sinter_cpu::counters() = {};
#endif
  problem = runs.run();
  if (!problem.empty()) return problem;
  error = cudaDeviceSynchronize();
  if (error != cudaSuccess) return cudaGetErrorString(error);
  if (options.print_launches) {
#ifdef SINTER_CPU
    const sinter_cpu::Counters counters = sinter_cpu::counters();
    const int64_t launches = counters.launches + counters.copies + counters.memsets;
    if (launches == 0 && ppo_update_info()->launches != 0)
      return "no launch was seen: the library is a shared one, which keeps them to itself";
    std::printf("launches %lld\ngrid_barriers %lld\n",
                static_cast<long long>(launches), static_cast<long long>(counters.grid_barriers));
#else
    return "--print-launches needs the CPU build; on a GPU, profile with nsys";
#endif
  }
  if (!options.output.empty()) problem = write_outputs(options.output, buffers);
  if (problem.empty() && options.repeat > 0) problem = measure(runs, options);
  return problem;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (const int status = parse_options(argc, argv, &options); status != 0) return status;
  if (options.list) {
    list_tensors("in", kPpoUpdateInputTable);
    list_tensors("out", kPpoUpdateOutputTable);
    return 0;
  }
  if (options.info) return print_info(*ppo_update_info()), 0;
  if (options.random && !options.inputs.empty())
    return usage_error("--random stands instead of input files");
  if (options.profile && options.repeat == 0) return usage_error("--profile needs --repeat");
  if (!options.trace.empty() && !options.profile) return usage_error("--trace needs --profile");
  if (options.graph && options.profile)
    return usage_error("--profile times the steps of a run, and a graph is one");

  std::vector<std::vector<std::byte>> inputs;
  if (options.random) {
    uint64_t state = options.seed;
    for (int i = 0; i < kPpoUpdateInputCount; ++i)
      inputs.push_back(random_tensor(kPpoUpdateInputTable[i], &state));
  } else {
    const std::string problem = read_inputs(options.inputs, &inputs);
    if (!problem.empty()) return fail(problem);
  }

  PpoUpdateInstance* instance = nullptr;
  if (ppo_update_create(&instance) != kPpoUpdateOk) {
    return fail(ppo_update_last_error());
  }
  const std::string problem = run(options, inputs, instance);
  ppo_update_destroy(instance);
  return problem.empty() ? 0 : fail(problem);
}
