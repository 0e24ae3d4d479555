// kalman.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 768 bytes; the largest live set is 768 bytes.
// Weights: 16 bytes.

#include "kalman/kalman.h"

#include <utility>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/instance.cuh"

namespace kernels = kalman_kernels;

extern "C" const unsigned char kalman_weights[];  // weights.bin, see weights.cpp

struct KalmanInstance {
  int device = 0;                // it runs on
  void* workspace = nullptr;     // its device memory: arena, weights, counts
  bool owns_workspace = false;   // or the caller does
  void* weights = nullptr;       // weights.bin, in the workspace
  uint32_t* finished = nullptr;  // blocks that have finished, zero between launches
};

extern const KalmanTensor kKalmanInputTable[] = {
    {"first_x", "f32", 2, kKalmanInFirstX, 256},
    {"first_p", "f32", 3, kKalmanInFirstP, 512},
    {"measured", "f32", 2, kKalmanInMeasured, 6400},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const KalmanTensor kKalmanOutputTable[] = {
    {"last_x", "f32", 2, kKalmanOutLastX, 256},
    {"last_p", "f32", 3, kKalmanOutLastP, 512},
    {"place", "f32", 2, kKalmanOutPlace, 6400},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 1280;
constexpr size_t kWeightsBytes = 16;
constexpr KalmanOptions kDefaults = KALMAN_OPTIONS;

thread_local constinit LastError last_error("kalman");

// True if the call did not succeed; then kalman_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  return last_error.failed(what, error);
}

// What an instance has beside its workspace, or in it before the first run.
cudaError_t prepare(KalmanInstance& created) {
  created.weights = at<void>(created.workspace, 768);
  created.finished = at<uint32_t>(created.workspace, 1024);
  cudaError_t error = copy_to_device(created.weights, kalman_weights, kWeightsBytes);
  if (error == cudaSuccess) error = clear_on_device(created.finished, 4);
  return error;
}

}  // namespace

KalmanStatus kalman_create_with(KalmanInstance** instance, const KalmanOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error, prepare);
}

KalmanStatus kalman_run(KalmanInstance* instance, const KalmanInputs* in, const KalmanOutputs* out,
                        cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kKalmanInputTable, out, kKalmanOutputTable, nullptr,
                                  last_error);
  if (wrong) return wrong;

  float* const p = at<float>(instance->workspace, 0);            // f32[32,2,2]
  const float* const f = at<const float>(instance->weights, 0);  // f32[2,2]
  float* const last_x_2 = at<float>(instance->workspace, 512);   // f32[32,2]

  // broadcast.10  (kalman.grain:28)
  if (failed("fill", kernels::fill::enqueue(out->place, stream))) return kKalmanCudaError;

  const float* last_x_current = in->first_x;
  const float* last_p_current = in->first_p;
  float* last_x_next = last_x_2;
  float* last_x_spare = out->last_x;

  // while; its last step writes last_x
  for (int t = 0; t < 50; ++t) {
    // dot.2  (kalman.grain:15), and 2 more
    const kernels::predict::PredictArrays predict_arrays = {
        .predict_2 = {last_p_current, f, p},
        .place = {last_x_current, in->measured, f, p, last_x_next, out->place, t},
        .correct = {p, out->last_p},
        .finished = instance->finished,
    };
    if (failed("predict", kernels::predict::enqueue(predict_arrays, stream))) {
      return kKalmanCudaError;
    }

    last_x_current = last_x_next;
    last_p_current = out->last_p;
    std::swap(last_x_next, last_x_spare);
  }

  return kKalmanOk;
}

void kalman_destroy(KalmanInstance* instance) {
  destroy_instance(instance);
}

int64_t kalman_workspace_bytes() { return kWorkspaceBytes; }

const char* kalman_last_error() { return last_error.text(); }
