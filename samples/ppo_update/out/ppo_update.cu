// ppo_update.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 46.3 kB; the largest live set is 46.3 kB.

#include "ppo_update/ppo_update.h"

#include <utility>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/branches.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"
#include "launcher/run_graph.cuh"

namespace kernels = ppo_update_kernels;

const char* ppo_update_range(const char* step);  // for profilers, see ranges.cpp

struct PpoUpdateInstance {
  int device = 0;                                     // it runs on
  void* workspace = nullptr;                          // its device memory: arena, counts
  DeviceMemory own_workspace;                         // it, unless the caller gave one
  Allocator allocator;                                // of device memory
  uint32_t* finished = nullptr;                       // counts of blocks, and of waits for all of them
  RunGraph<PpoUpdateInputs, PpoUpdateOutputs> graph;  // where options ask for it
};

struct PpoUpdateGraph {
  PpoUpdateInstance* instance;
  int instance_device;
  cudaGraphExec_t exec = nullptr;  // none after an update that failed
};

extern const PpoUpdateTensor kPpoUpdateInputTable[] = {
    {"params_policy_0_b", "f32", 1, kPpoUpdateInParamsPolicy0B, 64},
    {"params_policy_0_w", "f32", 2, kPpoUpdateInParamsPolicy0W, 384},
    {"params_policy_1_b", "f32", 1, kPpoUpdateInParamsPolicy1B, 64},
    {"params_policy_1_w", "f32", 2, kPpoUpdateInParamsPolicy1W, 1024},
    {"params_policy_2_b", "f32", 1, kPpoUpdateInParamsPolicy2B, 12},
    {"params_policy_2_w", "f32", 2, kPpoUpdateInParamsPolicy2W, 192},
    {"params_value_0_b", "f32", 1, kPpoUpdateInParamsValue0B, 64},
    {"params_value_0_w", "f32", 2, kPpoUpdateInParamsValue0W, 384},
    {"params_value_1_b", "f32", 1, kPpoUpdateInParamsValue1B, 64},
    {"params_value_1_w", "f32", 2, kPpoUpdateInParamsValue1W, 1024},
    {"params_value_2_b", "f32", 1, kPpoUpdateInParamsValue2B, 4},
    {"params_value_2_w", "f32", 2, kPpoUpdateInParamsValue2W, 64},
    {"state_m_policy_0_b", "f32", 1, kPpoUpdateInStateMPolicy0B, 64},
    {"state_m_policy_0_w", "f32", 2, kPpoUpdateInStateMPolicy0W, 384},
    {"state_m_policy_1_b", "f32", 1, kPpoUpdateInStateMPolicy1B, 64},
    {"state_m_policy_1_w", "f32", 2, kPpoUpdateInStateMPolicy1W, 1024},
    {"state_m_policy_2_b", "f32", 1, kPpoUpdateInStateMPolicy2B, 12},
    {"state_m_policy_2_w", "f32", 2, kPpoUpdateInStateMPolicy2W, 192},
    {"state_m_value_0_b", "f32", 1, kPpoUpdateInStateMValue0B, 64},
    {"state_m_value_0_w", "f32", 2, kPpoUpdateInStateMValue0W, 384},
    {"state_m_value_1_b", "f32", 1, kPpoUpdateInStateMValue1B, 64},
    {"state_m_value_1_w", "f32", 2, kPpoUpdateInStateMValue1W, 1024},
    {"state_m_value_2_b", "f32", 1, kPpoUpdateInStateMValue2B, 4},
    {"state_m_value_2_w", "f32", 2, kPpoUpdateInStateMValue2W, 64},
    {"state_step", "s32", 0, nullptr, 4},
    {"state_v_policy_0_b", "f32", 1, kPpoUpdateInStateVPolicy0B, 64},
    {"state_v_policy_0_w", "f32", 2, kPpoUpdateInStateVPolicy0W, 384},
    {"state_v_policy_1_b", "f32", 1, kPpoUpdateInStateVPolicy1B, 64},
    {"state_v_policy_1_w", "f32", 2, kPpoUpdateInStateVPolicy1W, 1024},
    {"state_v_policy_2_b", "f32", 1, kPpoUpdateInStateVPolicy2B, 12},
    {"state_v_policy_2_w", "f32", 2, kPpoUpdateInStateVPolicy2W, 192},
    {"state_v_value_0_b", "f32", 1, kPpoUpdateInStateVValue0B, 64},
    {"state_v_value_0_w", "f32", 2, kPpoUpdateInStateVValue0W, 384},
    {"state_v_value_1_b", "f32", 1, kPpoUpdateInStateVValue1B, 64},
    {"state_v_value_1_w", "f32", 2, kPpoUpdateInStateVValue1W, 1024},
    {"state_v_value_2_b", "f32", 1, kPpoUpdateInStateVValue2B, 4},
    {"state_v_value_2_w", "f32", 2, kPpoUpdateInStateVValue2W, 64},
    {"observations", "f32", 3, kPpoUpdateInObservations, 3264},
    {"taken", "s32", 2, kPpoUpdateInTaken, 512},
    {"log_probs", "f32", 2, kPpoUpdateInLogProbs, 512},
    {"rewards", "f32", 2, kPpoUpdateInRewards, 512},
    {"dones", "f32", 2, kPpoUpdateInDones, 512},
    {"key", "u32", 1, kPpoUpdateInKey, 8},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const PpoUpdateTensor kPpoUpdateOutputTable[] = {
    {"params_policy_0_b", "f32", 1, kPpoUpdateOutParamsPolicy0B, 64},
    {"params_policy_0_w", "f32", 2, kPpoUpdateOutParamsPolicy0W, 384},
    {"params_policy_1_b", "f32", 1, kPpoUpdateOutParamsPolicy1B, 64},
    {"params_policy_1_w", "f32", 2, kPpoUpdateOutParamsPolicy1W, 1024},
    {"params_policy_2_b", "f32", 1, kPpoUpdateOutParamsPolicy2B, 12},
    {"params_policy_2_w", "f32", 2, kPpoUpdateOutParamsPolicy2W, 192},
    {"params_value_0_b", "f32", 1, kPpoUpdateOutParamsValue0B, 64},
    {"params_value_0_w", "f32", 2, kPpoUpdateOutParamsValue0W, 384},
    {"params_value_1_b", "f32", 1, kPpoUpdateOutParamsValue1B, 64},
    {"params_value_1_w", "f32", 2, kPpoUpdateOutParamsValue1W, 1024},
    {"params_value_2_b", "f32", 1, kPpoUpdateOutParamsValue2B, 4},
    {"params_value_2_w", "f32", 2, kPpoUpdateOutParamsValue2W, 64},
    {"state_m_policy_0_b", "f32", 1, kPpoUpdateOutStateMPolicy0B, 64},
    {"state_m_policy_0_w", "f32", 2, kPpoUpdateOutStateMPolicy0W, 384},
    {"state_m_policy_1_b", "f32", 1, kPpoUpdateOutStateMPolicy1B, 64},
    {"state_m_policy_1_w", "f32", 2, kPpoUpdateOutStateMPolicy1W, 1024},
    {"state_m_policy_2_b", "f32", 1, kPpoUpdateOutStateMPolicy2B, 12},
    {"state_m_policy_2_w", "f32", 2, kPpoUpdateOutStateMPolicy2W, 192},
    {"state_m_value_0_b", "f32", 1, kPpoUpdateOutStateMValue0B, 64},
    {"state_m_value_0_w", "f32", 2, kPpoUpdateOutStateMValue0W, 384},
    {"state_m_value_1_b", "f32", 1, kPpoUpdateOutStateMValue1B, 64},
    {"state_m_value_1_w", "f32", 2, kPpoUpdateOutStateMValue1W, 1024},
    {"state_m_value_2_b", "f32", 1, kPpoUpdateOutStateMValue2B, 4},
    {"state_m_value_2_w", "f32", 2, kPpoUpdateOutStateMValue2W, 64},
    {"state_step", "s32", 0, nullptr, 4},
    {"state_v_policy_0_b", "f32", 1, kPpoUpdateOutStateVPolicy0B, 64},
    {"state_v_policy_0_w", "f32", 2, kPpoUpdateOutStateVPolicy0W, 384},
    {"state_v_policy_1_b", "f32", 1, kPpoUpdateOutStateVPolicy1B, 64},
    {"state_v_policy_1_w", "f32", 2, kPpoUpdateOutStateVPolicy1W, 1024},
    {"state_v_policy_2_b", "f32", 1, kPpoUpdateOutStateVPolicy2B, 12},
    {"state_v_policy_2_w", "f32", 2, kPpoUpdateOutStateVPolicy2W, 192},
    {"state_v_value_0_b", "f32", 1, kPpoUpdateOutStateVValue0B, 64},
    {"state_v_value_0_w", "f32", 2, kPpoUpdateOutStateVValue0W, 384},
    {"state_v_value_1_b", "f32", 1, kPpoUpdateOutStateVValue1B, 64},
    {"state_v_value_1_w", "f32", 2, kPpoUpdateOutStateVValue1W, 1024},
    {"state_v_value_2_b", "f32", 1, kPpoUpdateOutStateVValue2B, 4},
    {"state_v_value_2_w", "f32", 2, kPpoUpdateOutStateVValue2W, 64},
    {"result", "f32", 2, kPpoUpdateOutResult, 32},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr int64_t kWorkspaceBytes = 46592;
constexpr PpoUpdateOptions kDefaults = PPO_UPDATE_OPTIONS;

thread_local constinit LastError last_error("ppo_update");

// True if the step did not succeed; then ppo_update_last_error() says why.
bool failed(const Step<ppo_update_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

// What an instance has beside its workspace, or in it before the first run.
cudaError_t prepare(PpoUpdateInstance& created) {
  created.finished = at<uint32_t>(created.workspace, 46336);
  cudaError_t error = clear_on_device(created.finished, 4);
  return error;
}

Failure choose_graph(PpoUpdateInstance& created, const PpoUpdateOptions& options) {
  created.graph.choice = options.graph;
  return {};
}

void release(PpoUpdateInstance& instance) {
  end_graph(&instance.graph);
}

}  // namespace

PpoUpdateStatus ppo_update_create_with(PpoUpdateInstance** instance,
                                       const PpoUpdateOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error,
                         {.prepare = prepare, .choose_graph = choose_graph, .release = release});
}

PpoUpdateStatus ppo_update_run(PpoUpdateInstance* instance, const PpoUpdateInputs* in,
                               const PpoUpdateOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kPpoUpdateInputTable, out, kPpoUpdateOutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;
  const Range<ppo_update_range> range("ppo_update_run");

  Failure failure;
  const auto run = [=](cudaStream_t other) { return ppo_update_run(instance, in, out, other); };
  if (run_as_graph(&instance->graph, *in, *out, stream, run, &failure, last_error)) return failure;

  float* const observations_w = at<float>(instance->workspace, 0);            // f32[17,8,16]
  float* const log_probs_2 = at<float>(instance->workspace, 28672);           // f32[128]
  float* const observations_2 = at<float>(instance->workspace, 17408);        // f32[128,6]
  int* const taken_2 = at<int>(instance->workspace, 29184);                   // s32[128]
  uint32_t* const threefry_split = at<uint32_t>(instance->workspace, 37376);  // u32[2,2]
  float* const x = at<float>(instance->workspace, 8704);                      // f32[17,8,16]
  float* const x_w = at<float>(instance->workspace, 20480);                   // f32[17,8,1]
  float* const advantages_2 = at<float>(instance->workspace, 0);              // f32[16,8]
  float* const sum = at<float>(instance->workspace, 29696);                   // f32[128]
  float* const sum_2 = at<float>(instance->workspace, 30208);                 // f32[128]
  int* const sorted = at<int>(instance->workspace, 30720);                    // s32[128]
  float* const rows = at<float>(instance->workspace, 0);                      // f32[4,32,6]
  int* const picked = at<int>(instance->workspace, 31232);                    // s32[4,32]
  float* const picked_2 = at<float>(instance->workspace, 31744);              // f32[4,32]
  float* const picked_3 = at<float>(instance->workspace, 32256);              // f32[4,32]
  float* const picked_4 = at<float>(instance->workspace, 32768);              // f32[4,32]
  float* const x_2 = at<float>(instance->workspace, 3072);                    // f32[32,16]
  float* const x_3 = at<float>(instance->workspace, 5120);                    // f32[32,16]
  float* const x_4 = at<float>(instance->workspace, 7168);                    // f32[32,16]
  float* const dense_2 = at<float>(instance->workspace, 33280);               // f32[32,3]
  float* const x_5 = at<float>(instance->workspace, 9216);                    // f32[32,16]
  float* const dense_3 = at<float>(instance->workspace, 37632);               // f32[32,1]
  float* const max = at<float>(instance->workspace, 37888);                   // f32[32]
  float* const weight_sum = at<float>(instance->workspace, 38144);            // f32[32]
  float* const sum_3 = at<float>(instance->workspace, 38400);                 // f32[]
  float* const square_sum = at<float>(instance->workspace, 38656);            // f32[]
  float* const power = at<float>(instance->workspace, 38912);                 // f32[]
  float* const power_2 = at<float>(instance->workspace, 39168);               // f32[]
  float* const sum_4 = at<float>(instance->workspace, 33792);                 // f32[32,3]
  float* const mlp_5 = at<float>(instance->workspace, 11264);                 // f32[32,16]
  float* const mlp_6 = at<float>(instance->workspace, 13312);                 // f32[32,16]
  float* const mlp_7 = at<float>(instance->workspace, 15360);                 // f32[32,16]
  float* const mlp_9 = at<float>(instance->workspace, 20480);                 // f32[32,16]
  float* const params_value_2_b_2 = at<float>(instance->workspace, 39424);    // f32[1]
  float* const difference = at<float>(instance->workspace, 39680);            // f32[4]
  float* const params_policy_0_b_2 = at<float>(instance->workspace, 39936);   // f32[16]
  float* const params_policy_0_w_2 = at<float>(instance->workspace, 34304);   // f32[6,16]
  float* const params_policy_1_b_2 = at<float>(instance->workspace, 40192);   // f32[16]
  float* const params_policy_1_w_2 = at<float>(instance->workspace, 22528);   // f32[16,16]
  float* const params_policy_2_b_2 = at<float>(instance->workspace, 40448);   // f32[3]
  float* const params_policy_2_w_2 = at<float>(instance->workspace, 40704);   // f32[16,3]
  float* const params_value_0_b_2 = at<float>(instance->workspace, 40960);    // f32[16]
  float* const params_value_0_w_2 = at<float>(instance->workspace, 34816);    // f32[6,16]
  float* const params_value_1_b_2 = at<float>(instance->workspace, 41216);    // f32[16]
  float* const params_value_1_w_2 = at<float>(instance->workspace, 23552);    // f32[16,16]
  float* const params_value_2_b_3 = at<float>(instance->workspace, 41472);    // f32[1]
  float* const params_value_2_w_2 = at<float>(instance->workspace, 41728);    // f32[16,1]
  float* const state_m_policy_0_b_2 = at<float>(instance->workspace, 41984);  // f32[16]
  float* const state_m_policy_0_w_2 = at<float>(instance->workspace, 35328);  // f32[6,16]
  float* const state_m_policy_1_b_2 = at<float>(instance->workspace, 42240);  // f32[16]
  float* const state_m_policy_1_w_2 = at<float>(instance->workspace, 24576);  // f32[16,16]
  float* const state_m_policy_2_b_2 = at<float>(instance->workspace, 42496);  // f32[3]
  float* const state_m_policy_2_w_2 = at<float>(instance->workspace, 42752);  // f32[16,3]
  float* const state_m_value_0_b_2 = at<float>(instance->workspace, 43008);   // f32[16]
  float* const state_m_value_0_w_2 = at<float>(instance->workspace, 35840);   // f32[6,16]
  float* const state_m_value_1_b_2 = at<float>(instance->workspace, 43264);   // f32[16]
  float* const state_m_value_1_w_2 = at<float>(instance->workspace, 25600);   // f32[16,16]
  float* const state_m_value_2_b_2 = at<float>(instance->workspace, 43520);   // f32[1]
  float* const state_m_value_2_w_2 = at<float>(instance->workspace, 43776);   // f32[16,1]
  int* const state_step_2 = at<int>(instance->workspace, 44032);              // s32[]
  float* const state_v_policy_0_b_2 = at<float>(instance->workspace, 44288);  // f32[16]
  float* const state_v_policy_0_w_2 = at<float>(instance->workspace, 36352);  // f32[6,16]
  float* const state_v_policy_1_b_2 = at<float>(instance->workspace, 44544);  // f32[16]
  float* const state_v_policy_1_w_2 = at<float>(instance->workspace, 26624);  // f32[16,16]
  float* const state_v_policy_2_b_2 = at<float>(instance->workspace, 44800);  // f32[3]
  float* const state_v_policy_2_w_2 = at<float>(instance->workspace, 45056);  // f32[16,3]
  float* const state_v_value_0_b_2 = at<float>(instance->workspace, 45312);   // f32[16]
  float* const state_v_value_0_w_2 = at<float>(instance->workspace, 36864);   // f32[6,16]
  float* const state_v_value_1_b_2 = at<float>(instance->workspace, 45568);   // f32[16]
  float* const state_v_value_1_w_2 = at<float>(instance->workspace, 27648);   // f32[16,16]
  float* const state_v_value_2_b_2 = at<float>(instance->workspace, 45824);   // f32[1]
  float* const state_v_value_2_w_2 = at<float>(instance->workspace, 46080);   // f32[16,1]

  // dot_general.35  (layers.py:18), and 4 more
  const kernels::dense::DenseArrays dense_arrays = {
      .dense_2 = {in->params_value_0_w, in->observations, observations_w},
      .log_probs = {in->log_probs, log_probs_2},
      .observations = {in->observations, observations_2},
      .taken = {in->taken, taken_2},
      .threefry_split = {in->key, threefry_split},
  };
  if (failed({"dense", kernels::dense::enqueue(dense_arrays, stream)})) return kPpoUpdateCudaError;

  // tanh.11  (layers.py:27), and 1 more
  const kernels::mlp::MlpArrays mlp_arrays = {
      .mlp_9 = {in->params_value_0_b, in->params_value_1_b, in->params_value_1_w, observations_w,
                x},
      .dense_2 = {in->params_value_2_w, x, x_w},
      .finished = instance->finished,
  };
  if (failed({"mlp", kernels::mlp::enqueue(mlp_arrays, stream)})) return kPpoUpdateCudaError;

  // while.134  (training.py:77), and 1 more
  const kernels::advantages::AdvantagesArrays advantages_arrays = {
      .advantages_2 = {in->params_value_2_b, in->rewards, in->dones, x_w, advantages_2},
      .sum = {advantages_2, in->params_value_2_b, x_w, sum, sum_2},
  };
  if (failed({"advantages", kernels::advantages::enqueue(advantages_arrays, stream)})) {
    return kPpoUpdateCudaError;
  }

  const float* params_policy_0_b_current = in->params_policy_0_b;
  const float* params_policy_0_w_current = in->params_policy_0_w;
  const float* params_policy_1_b_current = in->params_policy_1_b;
  const float* params_policy_1_w_current = in->params_policy_1_w;
  const float* params_policy_2_b_current = in->params_policy_2_b;
  const float* params_policy_2_w_current = in->params_policy_2_w;
  const float* params_value_0_b_current = in->params_value_0_b;
  const float* params_value_0_w_current = in->params_value_0_w;
  const float* params_value_1_b_current = in->params_value_1_b;
  const float* params_value_1_w_current = in->params_value_1_w;
  const float* params_value_2_b_current = in->params_value_2_b;
  const float* params_value_2_w_current = in->params_value_2_w;
  const float* state_m_policy_0_b_current = in->state_m_policy_0_b;
  const float* state_m_policy_0_w_current = in->state_m_policy_0_w;
  const float* state_m_policy_1_b_current = in->state_m_policy_1_b;
  const float* state_m_policy_1_w_current = in->state_m_policy_1_w;
  const float* state_m_policy_2_b_current = in->state_m_policy_2_b;
  const float* state_m_policy_2_w_current = in->state_m_policy_2_w;
  const float* state_m_value_0_b_current = in->state_m_value_0_b;
  const float* state_m_value_0_w_current = in->state_m_value_0_w;
  const float* state_m_value_1_b_current = in->state_m_value_1_b;
  const float* state_m_value_1_w_current = in->state_m_value_1_w;
  const float* state_m_value_2_b_current = in->state_m_value_2_b;
  const float* state_m_value_2_w_current = in->state_m_value_2_w;
  const int* state_step_current = in->state_step;
  const float* state_v_policy_0_b_current = in->state_v_policy_0_b;
  const float* state_v_policy_0_w_current = in->state_v_policy_0_w;
  const float* state_v_policy_1_b_current = in->state_v_policy_1_b;
  const float* state_v_policy_1_w_current = in->state_v_policy_1_w;
  const float* state_v_policy_2_b_current = in->state_v_policy_2_b;
  const float* state_v_policy_2_w_current = in->state_v_policy_2_w;
  const float* state_v_value_0_b_current = in->state_v_value_0_b;
  const float* state_v_value_0_w_current = in->state_v_value_0_w;
  const float* state_v_value_1_b_current = in->state_v_value_1_b;
  const float* state_v_value_1_w_current = in->state_v_value_1_w;
  const float* state_v_value_2_b_current = in->state_v_value_2_b;
  const float* state_v_value_2_w_current = in->state_v_value_2_w;
  float* params_policy_0_b_next = params_policy_0_b_2;
  float* params_policy_0_b_spare = out->params_policy_0_b;
  float* params_policy_0_w_next = params_policy_0_w_2;
  float* params_policy_0_w_spare = out->params_policy_0_w;
  float* params_policy_1_b_next = params_policy_1_b_2;
  float* params_policy_1_b_spare = out->params_policy_1_b;
  float* params_policy_1_w_next = params_policy_1_w_2;
  float* params_policy_1_w_spare = out->params_policy_1_w;
  float* params_policy_2_b_next = params_policy_2_b_2;
  float* params_policy_2_b_spare = out->params_policy_2_b;
  float* params_policy_2_w_next = params_policy_2_w_2;
  float* params_policy_2_w_spare = out->params_policy_2_w;
  float* params_value_0_b_next = params_value_0_b_2;
  float* params_value_0_b_spare = out->params_value_0_b;
  float* params_value_0_w_next = params_value_0_w_2;
  float* params_value_0_w_spare = out->params_value_0_w;
  float* params_value_1_b_next = params_value_1_b_2;
  float* params_value_1_b_spare = out->params_value_1_b;
  float* params_value_1_w_next = params_value_1_w_2;
  float* params_value_1_w_spare = out->params_value_1_w;
  float* params_value_2_b_next = params_value_2_b_3;
  float* params_value_2_b_spare = out->params_value_2_b;
  float* params_value_2_w_next = params_value_2_w_2;
  float* params_value_2_w_spare = out->params_value_2_w;
  float* state_m_policy_0_b_next = state_m_policy_0_b_2;
  float* state_m_policy_0_b_spare = out->state_m_policy_0_b;
  float* state_m_policy_0_w_next = state_m_policy_0_w_2;
  float* state_m_policy_0_w_spare = out->state_m_policy_0_w;
  float* state_m_policy_1_b_next = state_m_policy_1_b_2;
  float* state_m_policy_1_b_spare = out->state_m_policy_1_b;
  float* state_m_policy_1_w_next = state_m_policy_1_w_2;
  float* state_m_policy_1_w_spare = out->state_m_policy_1_w;
  float* state_m_policy_2_b_next = state_m_policy_2_b_2;
  float* state_m_policy_2_b_spare = out->state_m_policy_2_b;
  float* state_m_policy_2_w_next = state_m_policy_2_w_2;
  float* state_m_policy_2_w_spare = out->state_m_policy_2_w;
  float* state_m_value_0_b_next = state_m_value_0_b_2;
  float* state_m_value_0_b_spare = out->state_m_value_0_b;
  float* state_m_value_0_w_next = state_m_value_0_w_2;
  float* state_m_value_0_w_spare = out->state_m_value_0_w;
  float* state_m_value_1_b_next = state_m_value_1_b_2;
  float* state_m_value_1_b_spare = out->state_m_value_1_b;
  float* state_m_value_1_w_next = state_m_value_1_w_2;
  float* state_m_value_1_w_spare = out->state_m_value_1_w;
  float* state_m_value_2_b_next = state_m_value_2_b_2;
  float* state_m_value_2_b_spare = out->state_m_value_2_b;
  float* state_m_value_2_w_next = state_m_value_2_w_2;
  float* state_m_value_2_w_spare = out->state_m_value_2_w;
  int* state_step_next = state_step_2;
  int* state_step_spare = out->state_step;
  float* state_v_policy_0_b_next = state_v_policy_0_b_2;
  float* state_v_policy_0_b_spare = out->state_v_policy_0_b;
  float* state_v_policy_0_w_next = state_v_policy_0_w_2;
  float* state_v_policy_0_w_spare = out->state_v_policy_0_w;
  float* state_v_policy_1_b_next = state_v_policy_1_b_2;
  float* state_v_policy_1_b_spare = out->state_v_policy_1_b;
  float* state_v_policy_1_w_next = state_v_policy_1_w_2;
  float* state_v_policy_1_w_spare = out->state_v_policy_1_w;
  float* state_v_policy_2_b_next = state_v_policy_2_b_2;
  float* state_v_policy_2_b_spare = out->state_v_policy_2_b;
  float* state_v_policy_2_w_next = state_v_policy_2_w_2;
  float* state_v_policy_2_w_spare = out->state_v_policy_2_w;
  float* state_v_value_0_b_next = state_v_value_0_b_2;
  float* state_v_value_0_b_spare = out->state_v_value_0_b;
  float* state_v_value_0_w_next = state_v_value_0_w_2;
  float* state_v_value_0_w_spare = out->state_v_value_0_w;
  float* state_v_value_1_b_next = state_v_value_1_b_2;
  float* state_v_value_1_b_spare = out->state_v_value_1_b;
  float* state_v_value_1_w_next = state_v_value_1_w_2;
  float* state_v_value_1_w_spare = out->state_v_value_1_w;
  float* state_v_value_2_b_next = state_v_value_2_b_2;
  float* state_v_value_2_b_spare = out->state_v_value_2_b;
  float* state_v_value_2_w_next = state_v_value_2_w_2;
  float* state_v_value_2_w_spare = out->state_v_value_2_w;

  // while.136; its last step writes params_policy_0_b, params_policy_0_w, params_policy_1_b,
  // params_policy_1_w, params_policy_2_b, params_policy_2_w, params_value_0_b, params_value_0_w,
  // params_value_1_b, params_value_1_w, params_value_2_b, params_value_2_w, state_m_policy_0_b,
  // state_m_policy_0_w, state_m_policy_1_b, state_m_policy_1_w, state_m_policy_2_b,
  // state_m_policy_2_w, state_m_value_0_b, state_m_value_0_w, state_m_value_1_b, state_m_value_1_w,
  // state_m_value_2_b, state_m_value_2_w, state_step, state_v_policy_0_b, state_v_policy_0_w,
  // state_v_policy_1_b, state_v_policy_1_w, state_v_policy_2_b, state_v_policy_2_w,
  // state_v_value_0_b, state_v_value_0_w, state_v_value_1_b, state_v_value_1_w, state_v_value_2_b
  // and state_v_value_2_w
  for (int t = 0; t < 2; ++t) {
    // sort.13  (training.py:102)
    if (failed({"epoch", kernels::epoch::enqueue(threefry_split, sorted, t, stream)})) {
      return kPpoUpdateCudaError;
    }

    // reshape.26  (training.py:103)
    if (failed({"epoch_2", kernels::epoch_2::enqueue(sorted, observations_2, rows, stream)})) {
      return kPpoUpdateCudaError;
    }

    // reshape.27, reshape.28, reshape.29, reshape.30  (training.py:103)
    if (failed({"epoch_3", kernels::epoch_3::enqueue(sorted, taken_2, log_probs_2, sum, sum_2,
                                                     picked, picked_2, picked_3, picked_4,
                                                     stream)})) {
      return kPpoUpdateCudaError;
    }

    const float* params_policy_0_b_current_2 = params_policy_0_b_current;
    const float* params_policy_0_w_current_2 = params_policy_0_w_current;
    const float* params_policy_1_b_current_2 = params_policy_1_b_current;
    const float* params_policy_1_w_current_2 = params_policy_1_w_current;
    const float* params_policy_2_b_current_2 = params_policy_2_b_current;
    const float* params_policy_2_w_current_2 = params_policy_2_w_current;
    const float* params_value_0_b_current_2 = params_value_0_b_current;
    const float* params_value_0_w_current_2 = params_value_0_w_current;
    const float* params_value_1_b_current_2 = params_value_1_b_current;
    const float* params_value_1_w_current_2 = params_value_1_w_current;
    const float* params_value_2_b_current_2 = params_value_2_b_current;
    const float* params_value_2_w_current_2 = params_value_2_w_current;
    const float* state_m_policy_0_b_current_2 = state_m_policy_0_b_current;
    const float* state_m_policy_0_w_current_2 = state_m_policy_0_w_current;
    const float* state_m_policy_1_b_current_2 = state_m_policy_1_b_current;
    const float* state_m_policy_1_w_current_2 = state_m_policy_1_w_current;
    const float* state_m_policy_2_b_current_2 = state_m_policy_2_b_current;
    const float* state_m_policy_2_w_current_2 = state_m_policy_2_w_current;
    const float* state_m_value_0_b_current_2 = state_m_value_0_b_current;
    const float* state_m_value_0_w_current_2 = state_m_value_0_w_current;
    const float* state_m_value_1_b_current_2 = state_m_value_1_b_current;
    const float* state_m_value_1_w_current_2 = state_m_value_1_w_current;
    const float* state_m_value_2_b_current_2 = state_m_value_2_b_current;
    const float* state_m_value_2_w_current_2 = state_m_value_2_w_current;
    const int* state_step_current_2 = state_step_current;
    const float* state_v_policy_0_b_current_2 = state_v_policy_0_b_current;
    const float* state_v_policy_0_w_current_2 = state_v_policy_0_w_current;
    const float* state_v_policy_1_b_current_2 = state_v_policy_1_b_current;
    const float* state_v_policy_1_w_current_2 = state_v_policy_1_w_current;
    const float* state_v_policy_2_b_current_2 = state_v_policy_2_b_current;
    const float* state_v_policy_2_w_current_2 = state_v_policy_2_w_current;
    const float* state_v_value_0_b_current_2 = state_v_value_0_b_current;
    const float* state_v_value_0_w_current_2 = state_v_value_0_w_current;
    const float* state_v_value_1_b_current_2 = state_v_value_1_b_current;
    const float* state_v_value_1_w_current_2 = state_v_value_1_w_current;
    const float* state_v_value_2_b_current_2 = state_v_value_2_b_current;
    const float* state_v_value_2_w_current_2 = state_v_value_2_w_current;
    float* params_value_2_b_next_2 = params_value_2_b_2;
    float* params_value_2_b_spare_2 = params_value_2_b_next;

    // while.48; its last step writes params_value_2_b_next
    for (int t_1 = 0; t_1 < 4; ++t_1) {
      // tanh.6, tanh.8  (layers.py:27)
      if (failed({"mlp_2", kernels::mlp_2::enqueue(params_policy_0_b_current_2,
                                                   params_policy_0_w_current_2,
                                                   params_value_0_b_current_2,
                                                   params_value_0_w_current_2, rows, x_2, x_3, t_1,
                                                   stream)})) {
        return kPpoUpdateCudaError;
      }

      // tanh.7  (layers.py:27), and 1 more
      const kernels::mlp_3::Mlp3Arrays mlp_3_arrays = {
          .mlp_9 = {params_policy_1_b_current_2, params_policy_1_w_current_2, x_2, x_4},
          .dense_2 = {params_policy_2_w_current_2, x_4, dense_2},
          .finished = instance->finished,
      };
      if (failed({"mlp_3", kernels::mlp_3::enqueue(mlp_3_arrays, stream)})) {
        return kPpoUpdateCudaError;
      }

      // tanh.9  (layers.py:27), and 4 more
      const kernels::mlp_4::Mlp4Arrays mlp_4_arrays = {
          .mlp_9 = {params_value_1_b_current_2, params_value_1_w_current_2, x_3, x_5},
          .dense_2 = {params_value_2_w_current_2, x_5, dense_3},
          .max = {params_policy_2_b_current_2, params_value_2_b_current_2,
                  state_m_value_2_b_current_2, state_step_current_2, state_v_value_2_b_current_2,
                  picked, picked_2, picked_3, picked_4, dense_2, dense_3, max, weight_sum, sum_3,
                  square_sum, state_step_next, power, power_2, state_m_value_2_b_next,
                  state_v_value_2_b_next, params_value_2_b_next_2, difference, t_1},
          .sum = {params_policy_2_b_current_2, picked, picked_2, picked_3, dense_2, max, weight_sum,
                  sum_3, square_sum, sum_4, t_1},
          .minibatch_4 = {params_policy_2_b_current_2, state_m_policy_2_b_current_2,
                          state_v_policy_2_b_current_2, sum_4, power, power_2,
                          state_m_policy_2_b_next, state_v_policy_2_b_next,
                          params_policy_2_b_next},
          .finished = instance->finished,
      };
      if (failed({"mlp_4", kernels::mlp_4::enqueue(mlp_4_arrays, stream)})) {
        return kPpoUpdateCudaError;
      }

      // add_any.14  (layers.py:27)
      if (failed({"mlp_5", kernels::mlp_5::enqueue(params_policy_2_w_current_2, sum_4, x_4, mlp_5,
                                                   stream)})) {
        return kPpoUpdateCudaError;
      }

      // In a graph of the run these are branches, side by side; else they follow each other.
      Branches<3> branches(stream, last_error);

      // branch 1 of 3
      if (!branches.begin()) return kPpoUpdateCudaError;

      // add_any.15  (layers.py:27)
      if (failed({"mlp_6", kernels::mlp_6::enqueue(params_policy_1_w_current_2, mlp_5, x_2, mlp_6,
                                                   stream)})) {
        return kPpoUpdateCudaError;
      }

      // add.341, add.353, sub.73  (layers.py:117)
      if (failed({"minibatch", kernels::minibatch::enqueue(params_policy_1_w_current_2,
                                                           state_m_policy_1_w_current_2,
                                                           state_v_policy_1_w_current_2, x_2, mlp_5,
                                                           power, power_2, state_m_policy_1_w_next,
                                                           state_v_policy_1_w_next,
                                                           params_policy_1_w_next, stream)})) {
        return kPpoUpdateCudaError;
      }

      // branch 2 of 3
      if (!branches.begin()) return kPpoUpdateCudaError;

      // add.343, add.355, sub.75  (layers.py:117)
      if (failed({"minibatch_2", kernels::minibatch_2::enqueue(params_policy_2_w_current_2,
                                                               state_m_policy_2_w_current_2,
                                                               state_v_policy_2_w_current_2, sum_4,
                                                               x_4, power, power_2,
                                                               state_m_policy_2_w_next,
                                                               state_v_policy_2_w_next,
                                                               params_policy_2_w_next, stream)})) {
        return kPpoUpdateCudaError;
      }

      // branch 3 of 3
      if (!branches.begin()) return kPpoUpdateCudaError;

      // add_any.10  (layers.py:27)
      if (failed({"mlp_7", kernels::mlp_7::enqueue(params_value_2_b_current_2,
                                                   params_value_2_w_current_2, picked_4, dense_3,
                                                   x_5, mlp_7, t_1, stream)})) {
        return kPpoUpdateCudaError;
      }

      if (!branches.join()) return kPpoUpdateCudaError;

      // add_any.11  (layers.py:27), and 2 more
      const kernels::mlp_8::Mlp8Arrays mlp_8_arrays = {
          .mlp_9 = {params_value_1_w_current_2, mlp_7, x_3, mlp_9},
          .minibatch_4 = {params_policy_0_b_current_2, params_policy_1_b_current_2,
                          params_value_0_b_current_2, params_value_1_b_current_2,
                          params_value_2_b_current_2, params_value_2_w_current_2,
                          state_m_policy_0_b_current_2, state_m_policy_1_b_current_2,
                          state_m_value_0_b_current_2, state_m_value_1_b_current_2,
                          state_m_value_2_w_current_2, state_v_policy_0_b_current_2,
                          state_v_policy_1_b_current_2, state_v_value_0_b_current_2,
                          state_v_value_1_b_current_2, state_v_value_2_w_current_2, picked_4, mlp_6,
                          power, power_2, mlp_5, mlp_9, mlp_7, dense_3, x_5,
                          state_m_policy_0_b_next, state_v_policy_0_b_next, params_policy_0_b_next,
                          state_m_policy_1_b_next, state_v_policy_1_b_next, params_policy_1_b_next,
                          state_m_value_0_b_next, state_v_value_0_b_next, params_value_0_b_next,
                          state_m_value_1_b_next, state_v_value_1_b_next, params_value_1_b_next,
                          state_m_value_2_w_next, state_v_value_2_w_next, params_value_2_w_next,
                          t_1},
          .minibatch_5 = {params_policy_0_w_current_2, params_value_0_w_current_2,
                          state_m_policy_0_w_current_2, state_m_value_0_w_current_2,
                          state_v_policy_0_w_current_2, state_v_value_0_w_current_2, rows, mlp_6,
                          power, power_2, mlp_9, state_m_policy_0_w_next, state_v_policy_0_w_next,
                          params_policy_0_w_next, state_m_value_0_w_next, state_v_value_0_w_next,
                          params_value_0_w_next, t_1},
          .finished = instance->finished,
      };
      if (failed({"mlp_8", kernels::mlp_8::enqueue(mlp_8_arrays, stream)})) {
        return kPpoUpdateCudaError;
      }

      // add.347, add.359, sub.79  (layers.py:117)
      if (failed({"minibatch", kernels::minibatch::enqueue(params_value_1_w_current_2,
                                                           state_m_value_1_w_current_2,
                                                           state_v_value_1_w_current_2, x_3, mlp_7,
                                                           power, power_2, state_m_value_1_w_next,
                                                           state_v_value_1_w_next,
                                                           params_value_1_w_next, stream)})) {
        return kPpoUpdateCudaError;
      }

      params_policy_0_b_current_2 = params_policy_0_b_next;
      params_policy_0_w_current_2 = params_policy_0_w_next;
      params_policy_1_b_current_2 = params_policy_1_b_next;
      params_policy_1_w_current_2 = params_policy_1_w_next;
      params_policy_2_b_current_2 = params_policy_2_b_next;
      params_policy_2_w_current_2 = params_policy_2_w_next;
      params_value_0_b_current_2 = params_value_0_b_next;
      params_value_0_w_current_2 = params_value_0_w_next;
      params_value_1_b_current_2 = params_value_1_b_next;
      params_value_1_w_current_2 = params_value_1_w_next;
      params_value_2_b_current_2 = params_value_2_b_next_2;
      params_value_2_w_current_2 = params_value_2_w_next;
      state_m_policy_0_b_current_2 = state_m_policy_0_b_next;
      state_m_policy_0_w_current_2 = state_m_policy_0_w_next;
      state_m_policy_1_b_current_2 = state_m_policy_1_b_next;
      state_m_policy_1_w_current_2 = state_m_policy_1_w_next;
      state_m_policy_2_b_current_2 = state_m_policy_2_b_next;
      state_m_policy_2_w_current_2 = state_m_policy_2_w_next;
      state_m_value_0_b_current_2 = state_m_value_0_b_next;
      state_m_value_0_w_current_2 = state_m_value_0_w_next;
      state_m_value_1_b_current_2 = state_m_value_1_b_next;
      state_m_value_1_w_current_2 = state_m_value_1_w_next;
      state_m_value_2_b_current_2 = state_m_value_2_b_next;
      state_m_value_2_w_current_2 = state_m_value_2_w_next;
      state_step_current_2 = state_step_next;
      state_v_policy_0_b_current_2 = state_v_policy_0_b_next;
      state_v_policy_0_w_current_2 = state_v_policy_0_w_next;
      state_v_policy_1_b_current_2 = state_v_policy_1_b_next;
      state_v_policy_1_w_current_2 = state_v_policy_1_w_next;
      state_v_policy_2_b_current_2 = state_v_policy_2_b_next;
      state_v_policy_2_w_current_2 = state_v_policy_2_w_next;
      state_v_value_0_b_current_2 = state_v_value_0_b_next;
      state_v_value_0_w_current_2 = state_v_value_0_w_next;
      state_v_value_1_b_current_2 = state_v_value_1_b_next;
      state_v_value_1_w_current_2 = state_v_value_1_w_next;
      state_v_value_2_b_current_2 = state_v_value_2_b_next;
      state_v_value_2_w_current_2 = state_v_value_2_w_next;
      std::swap(params_value_2_b_next_2, params_value_2_b_spare_2);
    }

    // dynamic_update_slice.5  (training.py:106)
    if (failed({"updated", kernels::updated::enqueue(difference, out->result, t, stream)})) {
      return kPpoUpdateCudaError;
    }

    params_policy_0_b_current = params_policy_0_b_next;
    params_policy_0_w_current = params_policy_0_w_next;
    params_policy_1_b_current = params_policy_1_b_next;
    params_policy_1_w_current = params_policy_1_w_next;
    params_policy_2_b_current = params_policy_2_b_next;
    params_policy_2_w_current = params_policy_2_w_next;
    params_value_0_b_current = params_value_0_b_next;
    params_value_0_w_current = params_value_0_w_next;
    params_value_1_b_current = params_value_1_b_next;
    params_value_1_w_current = params_value_1_w_next;
    params_value_2_b_current = params_value_2_b_next;
    params_value_2_w_current = params_value_2_w_next;
    state_m_policy_0_b_current = state_m_policy_0_b_next;
    state_m_policy_0_w_current = state_m_policy_0_w_next;
    state_m_policy_1_b_current = state_m_policy_1_b_next;
    state_m_policy_1_w_current = state_m_policy_1_w_next;
    state_m_policy_2_b_current = state_m_policy_2_b_next;
    state_m_policy_2_w_current = state_m_policy_2_w_next;
    state_m_value_0_b_current = state_m_value_0_b_next;
    state_m_value_0_w_current = state_m_value_0_w_next;
    state_m_value_1_b_current = state_m_value_1_b_next;
    state_m_value_1_w_current = state_m_value_1_w_next;
    state_m_value_2_b_current = state_m_value_2_b_next;
    state_m_value_2_w_current = state_m_value_2_w_next;
    state_step_current = state_step_next;
    state_v_policy_0_b_current = state_v_policy_0_b_next;
    state_v_policy_0_w_current = state_v_policy_0_w_next;
    state_v_policy_1_b_current = state_v_policy_1_b_next;
    state_v_policy_1_w_current = state_v_policy_1_w_next;
    state_v_policy_2_b_current = state_v_policy_2_b_next;
    state_v_policy_2_w_current = state_v_policy_2_w_next;
    state_v_value_0_b_current = state_v_value_0_b_next;
    state_v_value_0_w_current = state_v_value_0_w_next;
    state_v_value_1_b_current = state_v_value_1_b_next;
    state_v_value_1_w_current = state_v_value_1_w_next;
    state_v_value_2_b_current = state_v_value_2_b_next;
    state_v_value_2_w_current = state_v_value_2_w_next;
    std::swap(params_policy_0_b_next, params_policy_0_b_spare);
    std::swap(params_policy_0_w_next, params_policy_0_w_spare);
    std::swap(params_policy_1_b_next, params_policy_1_b_spare);
    std::swap(params_policy_1_w_next, params_policy_1_w_spare);
    std::swap(params_policy_2_b_next, params_policy_2_b_spare);
    std::swap(params_policy_2_w_next, params_policy_2_w_spare);
    std::swap(params_value_0_b_next, params_value_0_b_spare);
    std::swap(params_value_0_w_next, params_value_0_w_spare);
    std::swap(params_value_1_b_next, params_value_1_b_spare);
    std::swap(params_value_1_w_next, params_value_1_w_spare);
    std::swap(params_value_2_b_next, params_value_2_b_spare);
    std::swap(params_value_2_w_next, params_value_2_w_spare);
    std::swap(state_m_policy_0_b_next, state_m_policy_0_b_spare);
    std::swap(state_m_policy_0_w_next, state_m_policy_0_w_spare);
    std::swap(state_m_policy_1_b_next, state_m_policy_1_b_spare);
    std::swap(state_m_policy_1_w_next, state_m_policy_1_w_spare);
    std::swap(state_m_policy_2_b_next, state_m_policy_2_b_spare);
    std::swap(state_m_policy_2_w_next, state_m_policy_2_w_spare);
    std::swap(state_m_value_0_b_next, state_m_value_0_b_spare);
    std::swap(state_m_value_0_w_next, state_m_value_0_w_spare);
    std::swap(state_m_value_1_b_next, state_m_value_1_b_spare);
    std::swap(state_m_value_1_w_next, state_m_value_1_w_spare);
    std::swap(state_m_value_2_b_next, state_m_value_2_b_spare);
    std::swap(state_m_value_2_w_next, state_m_value_2_w_spare);
    std::swap(state_step_next, state_step_spare);
    std::swap(state_v_policy_0_b_next, state_v_policy_0_b_spare);
    std::swap(state_v_policy_0_w_next, state_v_policy_0_w_spare);
    std::swap(state_v_policy_1_b_next, state_v_policy_1_b_spare);
    std::swap(state_v_policy_1_w_next, state_v_policy_1_w_spare);
    std::swap(state_v_policy_2_b_next, state_v_policy_2_b_spare);
    std::swap(state_v_policy_2_w_next, state_v_policy_2_w_spare);
    std::swap(state_v_value_0_b_next, state_v_value_0_b_spare);
    std::swap(state_v_value_0_w_next, state_v_value_0_w_spare);
    std::swap(state_v_value_1_b_next, state_v_value_1_b_spare);
    std::swap(state_v_value_1_w_next, state_v_value_1_w_spare);
    std::swap(state_v_value_2_b_next, state_v_value_2_b_spare);
    std::swap(state_v_value_2_w_next, state_v_value_2_w_spare);
  }

  return kPpoUpdateOk;
}

void ppo_update_destroy(PpoUpdateInstance* instance) {
  destroy_instance(instance, release);
}

PpoUpdateStatus ppo_update_capture(PpoUpdateGraph** graph, PpoUpdateInstance* instance,
                                   const PpoUpdateInputs* in, const PpoUpdateOutputs* out) {
  const auto run = [=](cudaStream_t stream) { return ppo_update_run(instance, in, out, stream); };
  return capture_run(graph, instance, run, last_error);
}

PpoUpdateStatus ppo_update_graph_launch(const PpoUpdateGraph* graph, cudaStream_t stream) {
  return launch_graph(graph, stream, last_error);
}

PpoUpdateStatus ppo_update_graph_update(PpoUpdateGraph* graph, const PpoUpdateInputs* in,
                                        const PpoUpdateOutputs* out) {
  const auto run = [=](cudaStream_t stream) {
    return ppo_update_run(graph->instance, in, out, stream);
  };
  return update_graph(graph, run, last_error);
}

cudaGraphExec_t ppo_update_graph_exec(const PpoUpdateGraph* graph) { return exec_of(graph); }

void ppo_update_graph_destroy(PpoUpdateGraph* graph) { destroy_graph(graph); }

int64_t ppo_update_workspace_bytes() { return kWorkspaceBytes; }

const char* ppo_update_last_error() { return last_error.text(); }

const char* ppo_update_status_text(PpoUpdateStatus status) { return status_text(status); }
