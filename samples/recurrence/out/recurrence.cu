// recurrence.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 15.4 kB; the largest live set is 15.4 kB.

#include "recurrence/recurrence.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/instance.cuh"

namespace kernels = recurrence_kernels;

struct RecurrenceInstance {
  int device = 0;                // it runs on
  void* workspace = nullptr;     // its device memory: arena, counts
  bool owns_workspace = false;   // or the caller does
  uint32_t* finished = nullptr;  // blocks that have finished, zero between launches
};

extern const RecurrenceTensor kRecurrenceInputTable[] = {
    {"decay", "f32", 3, kRecurrenceInDecay, 65536},
    {"value", "f32", 3, kRecurrenceInValue, 65536},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const RecurrenceTensor kRecurrenceOutputTable[] = {
    {"sum", "f32", 3, kRecurrenceOutSum, 65536},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 15616;
constexpr RecurrenceOptions kDefaults = RECURRENCE_OPTIONS;

thread_local constinit LastError last_error("recurrence");

// True if the call did not succeed; then recurrence_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  return last_error.failed(what, error);
}

// What an instance has beside its workspace, or in it before the first run.
cudaError_t prepare(RecurrenceInstance& created) {
  created.finished = at<uint32_t>(created.workspace, 15360);
  cudaError_t error = clear_on_device(created.finished, 4);
  return error;
}

}  // namespace

RecurrenceStatus recurrence_create_with(RecurrenceInstance** instance,
                                        const RecurrenceOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error, prepare);
}

RecurrenceStatus recurrence_run(RecurrenceInstance* instance, const RecurrenceInputs* in,
                                const RecurrenceOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kRecurrenceInputTable, out, kRecurrenceOutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;

  float* const sum_3 = at<float>(instance->workspace, 0);          // f32[8,32,4]
  float* const product = at<float>(instance->workspace, 4096);     // f32[8,32,4]
  float* const sum_4 = at<float>(instance->workspace, 8192);       // f32[8,16,4]
  float* const product_2 = at<float>(instance->workspace, 10240);  // f32[8,16,4]
  float* const padded = at<float>(instance->workspace, 14336);     // f32[8,4,4]
  float* const padded_2 = at<float>(instance->workspace, 14848);   // f32[8,4,4]
  float* const sum_5 = at<float>(instance->workspace, 12288);      // f32[8,16,4]

  // add.29, mul.31  (make_samples.py:95)
  if (failed("after", kernels::after::enqueue(in->decay, in->value, sum_3, product, stream))) {
    return kRecurrenceCudaError;
  }

  // add.30, mul.33  (make_samples.py:95), and 1 more
  const kernels::after_2::After2Arrays after_2_arrays = {
      .after_3 = {product, sum_3, sum_4, product_2},
      .padded = {product_2, sum_4, padded, padded_2},
      .finished = instance->finished,
  };
  if (failed("after_2", kernels::after_2::enqueue(after_2_arrays, stream))) {
    return kRecurrenceCudaError;
  }

  // add.41  (make_samples.py:97)
  if (failed("sum", kernels::sum::enqueue(sum_4, product_2, padded, padded_2, sum_5, stream))) {
    return kRecurrenceCudaError;
  }

  // add.51  (make_samples.py:97)
  if (failed("sum_2", kernels::sum_2::enqueue(in->decay, in->value, sum_3, product, sum_5, out->sum,
                                              stream))) {
    return kRecurrenceCudaError;
  }

  return kRecurrenceOk;
}

void recurrence_destroy(RecurrenceInstance* instance) {
  destroy_instance(instance);
}

int64_t recurrence_workspace_bytes() { return kWorkspaceBytes; }

const char* recurrence_last_error() { return last_error.text(); }
