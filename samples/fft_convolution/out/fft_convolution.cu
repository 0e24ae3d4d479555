// fft_convolution.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 10.2 kB; the largest live set is 10.2 kB.
// Constants: 6.7 kB.

#include "fft_convolution/fft_convolution.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/branches.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"
#include "launcher/run_graph.cuh"

namespace kernels = fft_convolution_kernels;

extern "C" const unsigned char fft_convolution_constants[];  // constants.bin, see constants.cpp

const char* fft_convolution_range(const char* step);  // for profilers, see ranges.cpp

struct FftConvolutionInstance {
  int device = 0;                                               // it runs on
  void* workspace = nullptr;                                    // its device memory: arena, constants
  DeviceMemory own_workspace;                                   // it, unless the caller gave one
  Allocator allocator;                                          // of device memory
  void* constants = nullptr;                                    // constants.bin, in the workspace
  RunGraph<FftConvolutionInputs, FftConvolutionOutputs> graph;  // where options ask for it
};

struct FftConvolutionGraph {
  FftConvolutionInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const FftConvolutionTensor kFftConvolutionInputTable[] = {
    {"signal", "f32", 2, kFftConvolutionInSignal, 4096},
    {"kernel", "f32", 1, kFftConvolutionInKernel, 1024},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const FftConvolutionTensor kFftConvolutionOutputTable[] = {
    {"fft", "f32", 2, kFftConvolutionOutFft, 4096},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 17152;
constexpr size_t kConstantsBytes = 6664;
constexpr FftConvolutionOptions kDefaults = FFT_CONVOLUTION_OPTIONS;

thread_local constinit LastError last_error("fft_convolution");

// True if the step did not succeed; then fft_convolution_last_error() says why.
bool failed(const Step<fft_convolution_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

// What an instance has beside its workspace, or in it before the first run.
cudaError_t prepare(FftConvolutionInstance& created) {
  created.constants = at<void>(created.workspace, 10240);
  cudaError_t error = copy_to_device(created.constants, fft_convolution_constants, kConstantsBytes);
  return error;
}

Failure choose_graph(FftConvolutionInstance& created, const FftConvolutionOptions& options) {
  created.graph.choice = options.graph;
  return {};
}

void release(FftConvolutionInstance& instance) {
  end_graph(&instance.graph);
}

}  // namespace

FftConvolutionStatus fft_convolution_create_with(FftConvolutionInstance** instance,
                                                 const FftConvolutionOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error,
                         {.prepare = prepare, .choose_graph = choose_graph, .release = release});
}

FftConvolutionStatus fft_convolution_run(FftConvolutionInstance* instance,
                                         const FftConvolutionInputs* in,
                                         const FftConvolutionOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kFftConvolutionInputTable, out,
                                  kFftConvolutionOutputTable, nullptr, last_error);
  if (wrong) return wrong;
  const Range<fft_convolution_range> range("fft_convolution_run");

  Failure failure;
  const auto run = [=](cudaStream_t other) { return fft_convolution_run(instance, in, out, other); };
  if (run_as_graph(&instance->graph, *in, *out, stream, run, &failure, last_error)) return failure;

  Complex<float>* const fft_4 = at<Complex<float>>(instance->workspace, 0);     // c64[4,256]
  Complex<float>* const fft_2 = at<Complex<float>>(instance->workspace, 8192);  // c64[1,256]
  const Complex<float>* const constant =
      at<const Complex<float>>(instance->constants, 0);                         // c64[257]
  const Complex<float>* const constant_2 =
      at<const Complex<float>>(instance->constants, 2304);                      // c64[1,257]
  const Complex<float>* const constant_3 =
      at<const Complex<float>>(instance->constants, 4608);                      // c64[257]

  // In a graph of the run these are branches, side by side; else they follow each other.
  Branches<2> branches(stream, last_error);

  // branch 1 of 2
  if (!branches.begin()) return kFftConvolutionCudaError;

  // fft  (arrays.py:70)
  if (failed({"fft", kernels::fft::enqueue(in->signal, fft_4, stream)})) {
    return kFftConvolutionCudaError;
  }

  // branch 2 of 2
  if (!branches.begin()) return kFftConvolutionCudaError;

  // fft.7  (arrays.py:70)
  if (failed({"fft_2", kernels::fft_2::enqueue(in->kernel, fft_2, stream)})) {
    return kFftConvolutionCudaError;
  }

  if (!branches.join()) return kFftConvolutionCudaError;

  // slice.1  (arrays.py:71)
  if (failed({"fft_3", kernels::fft_3::enqueue(fft_4, constant, fft_2, constant_2, constant_3,
                                               out->fft, stream)})) {
    return kFftConvolutionCudaError;
  }

  return kFftConvolutionOk;
}

void fft_convolution_destroy(FftConvolutionInstance* instance) {
  destroy_instance(instance, release);
}

FftConvolutionStatus fft_convolution_capture(FftConvolutionGraph** graph,
                                             FftConvolutionInstance* instance,
                                             const FftConvolutionInputs* in,
                                             const FftConvolutionOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return fft_convolution_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

FftConvolutionStatus fft_convolution_graph_launch(const FftConvolutionGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

FftConvolutionStatus fft_convolution_graph_update(FftConvolutionGraph* graph,
                                                  const FftConvolutionInputs* in,
                                                  const FftConvolutionOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return fft_convolution_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t fft_convolution_graph_exec(const FftConvolutionGraph* graph) { return exec_of(graph); }

void fft_convolution_graph_destroy(FftConvolutionGraph* graph) { destroy_graph(graph); }

int64_t fft_convolution_workspace_bytes() { return kWorkspaceBytes; }

const char* fft_convolution_last_error() { return last_error.text(); }

const char* fft_convolution_status_text(FftConvolutionStatus status) { return status_text(status); }
