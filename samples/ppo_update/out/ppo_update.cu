// ppo_update.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 47.1 kB; the largest live set is 47.1 kB.

#include "ppo_update/ppo_update.h"

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/failure.cuh"
#include "launcher/graph.cuh"
#include "launcher/instance.cuh"
#include "launcher/ranges.cuh"

namespace kernels = ppo_update_kernels;

const char* ppo_update_range(const char* step);  // for profilers, see ranges.cpp

struct PpoUpdateInstance {
  int device = 0;                // it runs on
  void* workspace = nullptr;     // its device memory: arena, counts
  DeviceMemory own_workspace;    // it, unless the caller gave one
  Allocator allocator;           // of device memory
  uint32_t* finished = nullptr;  // counts of blocks, and of waits for all of them
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

constexpr int64_t kWorkspaceBytes = 47360;
constexpr PpoUpdateOptions kDefaults = PPO_UPDATE_OPTIONS;

thread_local constinit LastError last_error("ppo_update");

// True if the step did not succeed; then ppo_update_last_error() says why.
bool failed(const Step<ppo_update_range>& step) {
  return last_error.failed(step.range.what, step.error);
}

// What an instance has beside its workspace, or in it before the first run.
cudaError_t prepare(PpoUpdateInstance& created) {
  created.finished = at<uint32_t>(created.workspace, 47104);
  cudaError_t error = clear_on_device(created.finished, 12);
  return error;
}

}  // namespace

PpoUpdateStatus ppo_update_create_with(PpoUpdateInstance** instance,
                                       const PpoUpdateOptions* options) {
  return create_instance(instance, options, kDefaults, kWorkspaceBytes, last_error,
                         {.prepare = prepare});
}

PpoUpdateStatus ppo_update_run(PpoUpdateInstance* instance, const PpoUpdateInputs* in,
                               const PpoUpdateOutputs* out, cudaStream_t stream) {
  const Failure wrong = check_run(instance, in, kPpoUpdateInputTable, out, kPpoUpdateOutputTable,
                                  nullptr, last_error);
  if (wrong) return wrong;
  const Range<ppo_update_range> range("ppo_update_run");

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
  float* const loss_2 = at<float>(instance->workspace, 33792);                // f32[32,3]
  float* const mlp_5 = at<float>(instance->workspace, 11264);                 // f32[32,16]
  float* const mlp_6 = at<float>(instance->workspace, 13312);                 // f32[32,16]
  float* const mlp_7 = at<float>(instance->workspace, 15360);                 // f32[32,16]
  float* const mlp_8 = at<float>(instance->workspace, 20480);                 // f32[32,16]
  float* const params_value_2_b_2 = at<float>(instance->workspace, 39424);    // f32[1]
  float* const state_m_value_2_b_2 = at<float>(instance->workspace, 39680);   // f32[1]
  int* const state_step_2 = at<int>(instance->workspace, 39936);              // s32[]
  float* const state_v_value_2_b_2 = at<float>(instance->workspace, 40192);   // f32[1]
  float* const difference = at<float>(instance->workspace, 40448);            // f32[4]
  float* const params_policy_0_b_2 = at<float>(instance->workspace, 40704);   // f32[16]
  float* const params_policy_0_w_2 = at<float>(instance->workspace, 34304);   // f32[6,16]
  float* const params_policy_1_b_2 = at<float>(instance->workspace, 40960);   // f32[16]
  float* const params_policy_1_w_2 = at<float>(instance->workspace, 22528);   // f32[16,16]
  float* const params_policy_2_b_2 = at<float>(instance->workspace, 41216);   // f32[3]
  float* const params_policy_2_w_2 = at<float>(instance->workspace, 41472);   // f32[16,3]
  float* const params_value_0_b_2 = at<float>(instance->workspace, 41728);    // f32[16]
  float* const params_value_0_w_2 = at<float>(instance->workspace, 34816);    // f32[6,16]
  float* const params_value_1_b_2 = at<float>(instance->workspace, 41984);    // f32[16]
  float* const params_value_1_w_2 = at<float>(instance->workspace, 23552);    // f32[16,16]
  float* const params_value_2_b_3 = at<float>(instance->workspace, 42240);    // f32[1]
  float* const params_value_2_w_2 = at<float>(instance->workspace, 42496);    // f32[16,1]
  float* const state_m_policy_0_b_2 = at<float>(instance->workspace, 42752);  // f32[16]
  float* const state_m_policy_0_w_2 = at<float>(instance->workspace, 35328);  // f32[6,16]
  float* const state_m_policy_1_b_2 = at<float>(instance->workspace, 43008);  // f32[16]
  float* const state_m_policy_1_w_2 = at<float>(instance->workspace, 24576);  // f32[16,16]
  float* const state_m_policy_2_b_2 = at<float>(instance->workspace, 43264);  // f32[3]
  float* const state_m_policy_2_w_2 = at<float>(instance->workspace, 43520);  // f32[16,3]
  float* const state_m_value_0_b_2 = at<float>(instance->workspace, 43776);   // f32[16]
  float* const state_m_value_0_w_2 = at<float>(instance->workspace, 35840);   // f32[6,16]
  float* const state_m_value_1_b_2 = at<float>(instance->workspace, 44032);   // f32[16]
  float* const state_m_value_1_w_2 = at<float>(instance->workspace, 25600);   // f32[16,16]
  float* const state_m_value_2_b_3 = at<float>(instance->workspace, 44288);   // f32[1]
  float* const state_m_value_2_w_2 = at<float>(instance->workspace, 44544);   // f32[16,1]
  int* const state_step_3 = at<int>(instance->workspace, 44800);              // s32[]
  float* const state_v_policy_0_b_2 = at<float>(instance->workspace, 45056);  // f32[16]
  float* const state_v_policy_0_w_2 = at<float>(instance->workspace, 36352);  // f32[6,16]
  float* const state_v_policy_1_b_2 = at<float>(instance->workspace, 45312);  // f32[16]
  float* const state_v_policy_1_w_2 = at<float>(instance->workspace, 26624);  // f32[16,16]
  float* const state_v_policy_2_b_2 = at<float>(instance->workspace, 45568);  // f32[3]
  float* const state_v_policy_2_w_2 = at<float>(instance->workspace, 45824);  // f32[16,3]
  float* const state_v_value_0_b_2 = at<float>(instance->workspace, 46080);   // f32[16]
  float* const state_v_value_0_w_2 = at<float>(instance->workspace, 36864);   // f32[6,16]
  float* const state_v_value_1_b_2 = at<float>(instance->workspace, 46336);   // f32[16]
  float* const state_v_value_1_w_2 = at<float>(instance->workspace, 27648);   // f32[16,16]
  float* const state_v_value_2_b_3 = at<float>(instance->workspace, 46592);   // f32[1]
  float* const state_v_value_2_w_2 = at<float>(instance->workspace, 46848);   // f32[16,1]

  // dot_general.35  (layers.py:18), and 4 more
  const kernels::dense::DenseArrays dense_arrays = {
      .dense_4 = {in->params_value_0_w, in->observations, observations_w},
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
      .dense_4 = {in->params_value_2_w, x, x_w},
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

  // while.136
  const kernels::steps::StepsArrays steps_arrays = {
      .state_in = {const_cast<float*>(in->params_policy_0_b),
                   const_cast<float*>(in->params_policy_0_w),
                   const_cast<float*>(in->params_policy_1_b),
                   const_cast<float*>(in->params_policy_1_w),
                   const_cast<float*>(in->params_policy_2_b),
                   const_cast<float*>(in->params_policy_2_w),
                   const_cast<float*>(in->params_value_0_b),
                   const_cast<float*>(in->params_value_0_w),
                   const_cast<float*>(in->params_value_1_b),
                   const_cast<float*>(in->params_value_1_w),
                   const_cast<float*>(in->params_value_2_w),
                   const_cast<float*>(in->state_m_policy_0_b),
                   const_cast<float*>(in->state_m_policy_0_w),
                   const_cast<float*>(in->state_m_policy_1_b),
                   const_cast<float*>(in->state_m_policy_1_w),
                   const_cast<float*>(in->state_m_policy_2_b),
                   const_cast<float*>(in->state_m_policy_2_w),
                   const_cast<float*>(in->state_m_value_0_b),
                   const_cast<float*>(in->state_m_value_0_w),
                   const_cast<float*>(in->state_m_value_1_b),
                   const_cast<float*>(in->state_m_value_1_w),
                   const_cast<float*>(in->state_m_value_2_w),
                   const_cast<float*>(in->state_v_policy_0_b),
                   const_cast<float*>(in->state_v_policy_0_w),
                   const_cast<float*>(in->state_v_policy_1_b),
                   const_cast<float*>(in->state_v_policy_1_w),
                   const_cast<float*>(in->state_v_policy_2_b),
                   const_cast<float*>(in->state_v_policy_2_w),
                   const_cast<float*>(in->state_v_value_0_b),
                   const_cast<float*>(in->state_v_value_0_w),
                   const_cast<float*>(in->state_v_value_1_b),
                   const_cast<float*>(in->state_v_value_1_w),
                   const_cast<float*>(in->state_v_value_2_w)},
      .state_2 = {params_policy_0_b_2, params_policy_0_w_2, params_policy_1_b_2,
                  params_policy_1_w_2, params_policy_2_b_2, params_policy_2_w_2, params_value_0_b_2,
                  params_value_0_w_2, params_value_1_b_2, params_value_1_w_2, params_value_2_w_2,
                  state_m_policy_0_b_2, state_m_policy_0_w_2, state_m_policy_1_b_2,
                  state_m_policy_1_w_2, state_m_policy_2_b_2, state_m_policy_2_w_2,
                  state_m_value_0_b_2, state_m_value_0_w_2, state_m_value_1_b_2,
                  state_m_value_1_w_2, state_m_value_2_w_2, state_v_policy_0_b_2,
                  state_v_policy_0_w_2, state_v_policy_1_b_2, state_v_policy_1_w_2,
                  state_v_policy_2_b_2, state_v_policy_2_w_2, state_v_value_0_b_2,
                  state_v_value_0_w_2, state_v_value_1_b_2, state_v_value_1_w_2,
                  state_v_value_2_w_2},
      .state_out = {out->params_policy_0_b, out->params_policy_0_w, out->params_policy_1_b,
                    out->params_policy_1_w, out->params_policy_2_b, out->params_policy_2_w,
                    out->params_value_0_b, out->params_value_0_w, out->params_value_1_b,
                    out->params_value_1_w, out->params_value_2_w, out->state_m_policy_0_b,
                    out->state_m_policy_0_w, out->state_m_policy_1_b, out->state_m_policy_1_w,
                    out->state_m_policy_2_b, out->state_m_policy_2_w, out->state_m_value_0_b,
                    out->state_m_value_0_w, out->state_m_value_1_b, out->state_m_value_1_w,
                    out->state_m_value_2_w, out->state_v_policy_0_b, out->state_v_policy_0_w,
                    out->state_v_policy_1_b, out->state_v_policy_1_w, out->state_v_policy_2_b,
                    out->state_v_policy_2_w, out->state_v_value_0_b, out->state_v_value_0_w,
                    out->state_v_value_1_b, out->state_v_value_1_w, out->state_v_value_2_w},
      .state2_in = {const_cast<float*>(in->params_value_2_b),
                    const_cast<float*>(in->state_m_value_2_b), const_cast<int*>(in->state_step),
                    const_cast<float*>(in->state_v_value_2_b)},
      .state2_3 = {params_value_2_b_3, state_m_value_2_b_3, state_step_3, state_v_value_2_b_3},
      .state2_out = {out->params_value_2_b, out->state_m_value_2_b, out->state_step,
                     out->state_v_value_2_b},
      .state2_2 = {params_value_2_b_2, state_m_value_2_b_2, state_step_2, state_v_value_2_b_2},
      .threefry_split = threefry_split,
      .observations_2 = observations_2,
      .taken_2 = taken_2,
      .log_probs_2 = log_probs_2,
      .sum = sum,
      .sum_2 = sum_2,
      .sorted = sorted,
      .rows = rows,
      .picked = picked,
      .picked_2 = picked_2,
      .picked_3 = picked_3,
      .picked_4 = picked_4,
      .x_2 = x_2,
      .x_3 = x_3,
      .x_4 = x_4,
      .x_5 = x_5,
      .dense_2 = dense_2,
      .dense_3 = dense_3,
      .max = max,
      .weight_sum = weight_sum,
      .sum_3 = sum_3,
      .square_sum = square_sum,
      .power = power,
      .power_2 = power_2,
      .difference = difference,
      .loss_2 = loss_2,
      .mlp_5 = mlp_5,
      .mlp_7 = mlp_7,
      .mlp_6 = mlp_6,
      .mlp_8 = mlp_8,
      .result = out->result,
      .barrier_counts = instance->finished + 1,
  };
  if (failed({"steps", kernels::steps::enqueue(steps_arrays, stream)})) return kPpoUpdateCudaError;

  return kPpoUpdateOk;
}

void ppo_update_destroy(PpoUpdateInstance* instance) {
  destroy_instance(instance);
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
