// ppo_update.h: the C interface of ppo_update, for C and C++; needs no CUDA header.
//
//   in   params_policy_0_b   f32[16]
//   in   params_policy_0_w   f32[6,16]
//   in   params_policy_1_b   f32[16]
//   in   params_policy_1_w   f32[16,16]
//   in   params_policy_2_b   f32[3]
//   in   params_policy_2_w   f32[16,3]
//   in   params_value_0_b    f32[16]
//   in   params_value_0_w    f32[6,16]
//   in   params_value_1_b    f32[16]
//   in   params_value_1_w    f32[16,16]
//   in   params_value_2_b    f32[1]
//   in   params_value_2_w    f32[16,1]
//   in   state_m_policy_0_b  f32[16]
//   in   state_m_policy_0_w  f32[6,16]
//   in   state_m_policy_1_b  f32[16]
//   in   state_m_policy_1_w  f32[16,16]
//   in   state_m_policy_2_b  f32[3]
//   in   state_m_policy_2_w  f32[16,3]
//   in   state_m_value_0_b   f32[16]
//   in   state_m_value_0_w   f32[6,16]
//   in   state_m_value_1_b   f32[16]
//   in   state_m_value_1_w   f32[16,16]
//   in   state_m_value_2_b   f32[1]
//   in   state_m_value_2_w   f32[16,1]
//   in   state_step          s32[]
//   in   state_v_policy_0_b  f32[16]
//   in   state_v_policy_0_w  f32[6,16]
//   in   state_v_policy_1_b  f32[16]
//   in   state_v_policy_1_w  f32[16,16]
//   in   state_v_policy_2_b  f32[3]
//   in   state_v_policy_2_w  f32[16,3]
//   in   state_v_value_0_b   f32[16]
//   in   state_v_value_0_w   f32[6,16]
//   in   state_v_value_1_b   f32[16]
//   in   state_v_value_1_w   f32[16,16]
//   in   state_v_value_2_b   f32[1]
//   in   state_v_value_2_w   f32[16,1]
//   in   observations        f32[17,8,6]
//   in   taken               s32[16,8]
//   in   log_probs           f32[16,8]
//   in   rewards             f32[16,8]
//   in   dones               f32[16,8]
//   in   key                 u32[2]
//   out  params_policy_0_b   f32[16]
//   out  params_policy_0_w   f32[6,16]
//   out  params_policy_1_b   f32[16]
//   out  params_policy_1_w   f32[16,16]
//   out  params_policy_2_b   f32[3]
//   out  params_policy_2_w   f32[16,3]
//   out  params_value_0_b    f32[16]
//   out  params_value_0_w    f32[6,16]
//   out  params_value_1_b    f32[16]
//   out  params_value_1_w    f32[16,16]
//   out  params_value_2_b    f32[1]
//   out  params_value_2_w    f32[16,1]
//   out  state_m_policy_0_b  f32[16]
//   out  state_m_policy_0_w  f32[6,16]
//   out  state_m_policy_1_b  f32[16]
//   out  state_m_policy_1_w  f32[16,16]
//   out  state_m_policy_2_b  f32[3]
//   out  state_m_policy_2_w  f32[16,3]
//   out  state_m_value_0_b   f32[16]
//   out  state_m_value_0_w   f32[6,16]
//   out  state_m_value_1_b   f32[16]
//   out  state_m_value_1_w   f32[16,16]
//   out  state_m_value_2_b   f32[1]
//   out  state_m_value_2_w   f32[16,1]
//   out  state_step          s32[]
//   out  state_v_policy_0_b  f32[16]
//   out  state_v_policy_0_w  f32[6,16]
//   out  state_v_policy_1_b  f32[16]
//   out  state_v_policy_1_w  f32[16,16]
//   out  state_v_policy_2_b  f32[3]
//   out  state_v_policy_2_w  f32[16,3]
//   out  state_v_value_0_b   f32[16]
//   out  state_v_value_0_w   f32[6,16]
//   out  state_v_value_1_b   f32[16]
//   out  state_v_value_1_w   f32[16,16]
//   out  state_v_value_2_b   f32[1]
//   out  state_v_value_2_w   f32[16,1]
//   out  result              f32[2,4]
//
//   PpoUpdateInstance* instance;
//   if (ppo_update_create(&instance) != kPpoUpdateOk) {
//     puts(ppo_update_last_error());
//   }
//   ppo_update_run(instance, &in, &out, stream);  // as often as needed
//   ppo_update_destroy(instance);
//
// An instance belongs to the device that is current when it is created: ppo_update_run refuses to run
// while another one is, ppo_update_destroy may be called then. It serves one run at a time: its runs must
// follow each other, on one stream or by events. Instances are independent of each other. A call
// that fails says why here, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef PPO_UPDATE_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;  // a cudaStream_t points to it

typedef enum PpoUpdateStatus {
  kPpoUpdateOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kPpoUpdateInvalidArgument = 1,
  // ppo_update_create found too little memory.
  kPpoUpdateOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kPpoUpdateCudaError = 3,
} PpoUpdateStatus;

enum {
  kPpoUpdateInputCount = 43,
  kPpoUpdateOutputCount = 38,
  // 1 if ppo_update_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kPpoUpdateRunSynchronises = 0,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kPpoUpdateInParamsPolicy0B[] = {16};
static const int64_t kPpoUpdateInParamsPolicy0W[] = {6, 16};
static const int64_t kPpoUpdateInParamsPolicy1B[] = {16};
static const int64_t kPpoUpdateInParamsPolicy1W[] = {16, 16};
static const int64_t kPpoUpdateInParamsPolicy2B[] = {3};
static const int64_t kPpoUpdateInParamsPolicy2W[] = {16, 3};
static const int64_t kPpoUpdateInParamsValue0B[] = {16};
static const int64_t kPpoUpdateInParamsValue0W[] = {6, 16};
static const int64_t kPpoUpdateInParamsValue1B[] = {16};
static const int64_t kPpoUpdateInParamsValue1W[] = {16, 16};
static const int64_t kPpoUpdateInParamsValue2B[] = {1};
static const int64_t kPpoUpdateInParamsValue2W[] = {16, 1};
static const int64_t kPpoUpdateInStateMPolicy0B[] = {16};
static const int64_t kPpoUpdateInStateMPolicy0W[] = {6, 16};
static const int64_t kPpoUpdateInStateMPolicy1B[] = {16};
static const int64_t kPpoUpdateInStateMPolicy1W[] = {16, 16};
static const int64_t kPpoUpdateInStateMPolicy2B[] = {3};
static const int64_t kPpoUpdateInStateMPolicy2W[] = {16, 3};
static const int64_t kPpoUpdateInStateMValue0B[] = {16};
static const int64_t kPpoUpdateInStateMValue0W[] = {6, 16};
static const int64_t kPpoUpdateInStateMValue1B[] = {16};
static const int64_t kPpoUpdateInStateMValue1W[] = {16, 16};
static const int64_t kPpoUpdateInStateMValue2B[] = {1};
static const int64_t kPpoUpdateInStateMValue2W[] = {16, 1};
static const int64_t kPpoUpdateInStateVPolicy0B[] = {16};
static const int64_t kPpoUpdateInStateVPolicy0W[] = {6, 16};
static const int64_t kPpoUpdateInStateVPolicy1B[] = {16};
static const int64_t kPpoUpdateInStateVPolicy1W[] = {16, 16};
static const int64_t kPpoUpdateInStateVPolicy2B[] = {3};
static const int64_t kPpoUpdateInStateVPolicy2W[] = {16, 3};
static const int64_t kPpoUpdateInStateVValue0B[] = {16};
static const int64_t kPpoUpdateInStateVValue0W[] = {6, 16};
static const int64_t kPpoUpdateInStateVValue1B[] = {16};
static const int64_t kPpoUpdateInStateVValue1W[] = {16, 16};
static const int64_t kPpoUpdateInStateVValue2B[] = {1};
static const int64_t kPpoUpdateInStateVValue2W[] = {16, 1};
static const int64_t kPpoUpdateInObservations[] = {17, 8, 6};
static const int64_t kPpoUpdateInTaken[] = {16, 8};
static const int64_t kPpoUpdateInLogProbs[] = {16, 8};
static const int64_t kPpoUpdateInRewards[] = {16, 8};
static const int64_t kPpoUpdateInDones[] = {16, 8};
static const int64_t kPpoUpdateInKey[] = {2};
static const int64_t kPpoUpdateOutParamsPolicy0B[] = {16};
static const int64_t kPpoUpdateOutParamsPolicy0W[] = {6, 16};
static const int64_t kPpoUpdateOutParamsPolicy1B[] = {16};
static const int64_t kPpoUpdateOutParamsPolicy1W[] = {16, 16};
static const int64_t kPpoUpdateOutParamsPolicy2B[] = {3};
static const int64_t kPpoUpdateOutParamsPolicy2W[] = {16, 3};
static const int64_t kPpoUpdateOutParamsValue0B[] = {16};
static const int64_t kPpoUpdateOutParamsValue0W[] = {6, 16};
static const int64_t kPpoUpdateOutParamsValue1B[] = {16};
static const int64_t kPpoUpdateOutParamsValue1W[] = {16, 16};
static const int64_t kPpoUpdateOutParamsValue2B[] = {1};
static const int64_t kPpoUpdateOutParamsValue2W[] = {16, 1};
static const int64_t kPpoUpdateOutStateMPolicy0B[] = {16};
static const int64_t kPpoUpdateOutStateMPolicy0W[] = {6, 16};
static const int64_t kPpoUpdateOutStateMPolicy1B[] = {16};
static const int64_t kPpoUpdateOutStateMPolicy1W[] = {16, 16};
static const int64_t kPpoUpdateOutStateMPolicy2B[] = {3};
static const int64_t kPpoUpdateOutStateMPolicy2W[] = {16, 3};
static const int64_t kPpoUpdateOutStateMValue0B[] = {16};
static const int64_t kPpoUpdateOutStateMValue0W[] = {6, 16};
static const int64_t kPpoUpdateOutStateMValue1B[] = {16};
static const int64_t kPpoUpdateOutStateMValue1W[] = {16, 16};
static const int64_t kPpoUpdateOutStateMValue2B[] = {1};
static const int64_t kPpoUpdateOutStateMValue2W[] = {16, 1};
static const int64_t kPpoUpdateOutStateVPolicy0B[] = {16};
static const int64_t kPpoUpdateOutStateVPolicy0W[] = {6, 16};
static const int64_t kPpoUpdateOutStateVPolicy1B[] = {16};
static const int64_t kPpoUpdateOutStateVPolicy1W[] = {16, 16};
static const int64_t kPpoUpdateOutStateVPolicy2B[] = {3};
static const int64_t kPpoUpdateOutStateVPolicy2W[] = {16, 3};
static const int64_t kPpoUpdateOutStateVValue0B[] = {16};
static const int64_t kPpoUpdateOutStateVValue0W[] = {6, 16};
static const int64_t kPpoUpdateOutStateVValue1B[] = {16};
static const int64_t kPpoUpdateOutStateVValue1W[] = {16, 16};
static const int64_t kPpoUpdateOutStateVValue2B[] = {1};
static const int64_t kPpoUpdateOutStateVValue2W[] = {16, 1};
static const int64_t kPpoUpdateOutResult[] = {2, 4};

// One input or output.
typedef struct PpoUpdateTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} PpoUpdateTensor;

// In the order of the structs below; the row after the last has no name.
extern const PpoUpdateTensor kPpoUpdateInputTable[];
extern const PpoUpdateTensor kPpoUpdateOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct PpoUpdateInputs {
  const float* params_policy_0_b;   // f32[16]
  const float* params_policy_0_w;   // f32[6,16]
  const float* params_policy_1_b;   // f32[16]
  const float* params_policy_1_w;   // f32[16,16]
  const float* params_policy_2_b;   // f32[3]
  const float* params_policy_2_w;   // f32[16,3]
  const float* params_value_0_b;    // f32[16]
  const float* params_value_0_w;    // f32[6,16]
  const float* params_value_1_b;    // f32[16]
  const float* params_value_1_w;    // f32[16,16]
  const float* params_value_2_b;    // f32[1]
  const float* params_value_2_w;    // f32[16,1]
  const float* state_m_policy_0_b;  // f32[16]
  const float* state_m_policy_0_w;  // f32[6,16]
  const float* state_m_policy_1_b;  // f32[16]
  const float* state_m_policy_1_w;  // f32[16,16]
  const float* state_m_policy_2_b;  // f32[3]
  const float* state_m_policy_2_w;  // f32[16,3]
  const float* state_m_value_0_b;   // f32[16]
  const float* state_m_value_0_w;   // f32[6,16]
  const float* state_m_value_1_b;   // f32[16]
  const float* state_m_value_1_w;   // f32[16,16]
  const float* state_m_value_2_b;   // f32[1]
  const float* state_m_value_2_w;   // f32[16,1]
  const int* state_step;            // s32[]
  const float* state_v_policy_0_b;  // f32[16]
  const float* state_v_policy_0_w;  // f32[6,16]
  const float* state_v_policy_1_b;  // f32[16]
  const float* state_v_policy_1_w;  // f32[16,16]
  const float* state_v_policy_2_b;  // f32[3]
  const float* state_v_policy_2_w;  // f32[16,3]
  const float* state_v_value_0_b;   // f32[16]
  const float* state_v_value_0_w;   // f32[6,16]
  const float* state_v_value_1_b;   // f32[16]
  const float* state_v_value_1_w;   // f32[16,16]
  const float* state_v_value_2_b;   // f32[1]
  const float* state_v_value_2_w;   // f32[16,1]
  const float* observations;        // f32[17,8,6]
  const int* taken;                 // s32[16,8]
  const float* log_probs;           // f32[16,8]
  const float* rewards;             // f32[16,8]
  const float* dones;               // f32[16,8]
  const uint32_t* key;              // u32[2]
} PpoUpdateInputs;

typedef struct PpoUpdateOutputs {
  float* params_policy_0_b;   // f32[16]
  float* params_policy_0_w;   // f32[6,16]
  float* params_policy_1_b;   // f32[16]
  float* params_policy_1_w;   // f32[16,16]
  float* params_policy_2_b;   // f32[3]
  float* params_policy_2_w;   // f32[16,3]
  float* params_value_0_b;    // f32[16]
  float* params_value_0_w;    // f32[6,16]
  float* params_value_1_b;    // f32[16]
  float* params_value_1_w;    // f32[16,16]
  float* params_value_2_b;    // f32[1]
  float* params_value_2_w;    // f32[16,1]
  float* state_m_policy_0_b;  // f32[16]
  float* state_m_policy_0_w;  // f32[6,16]
  float* state_m_policy_1_b;  // f32[16]
  float* state_m_policy_1_w;  // f32[16,16]
  float* state_m_policy_2_b;  // f32[3]
  float* state_m_policy_2_w;  // f32[16,3]
  float* state_m_value_0_b;   // f32[16]
  float* state_m_value_0_w;   // f32[6,16]
  float* state_m_value_1_b;   // f32[16]
  float* state_m_value_1_w;   // f32[16,16]
  float* state_m_value_2_b;   // f32[1]
  float* state_m_value_2_w;   // f32[16,1]
  int* state_step;            // s32[]
  float* state_v_policy_0_b;  // f32[16]
  float* state_v_policy_0_w;  // f32[6,16]
  float* state_v_policy_1_b;  // f32[16]
  float* state_v_policy_1_w;  // f32[16,16]
  float* state_v_policy_2_b;  // f32[3]
  float* state_v_policy_2_w;  // f32[16,3]
  float* state_v_value_0_b;   // f32[16]
  float* state_v_value_0_w;   // f32[6,16]
  float* state_v_value_1_b;   // f32[16]
  float* state_v_value_1_w;   // f32[16,16]
  float* state_v_value_2_b;   // f32[1]
  float* state_v_value_2_w;   // f32[16,1]
  float* result;              // f32[2,4]
} PpoUpdateOutputs;

typedef struct PpoUpdateInstance PpoUpdateInstance;

// Allocates what runs need.
// *instance is NULL if this fails.
PpoUpdateStatus ppo_update_create(PpoUpdateInstance** instance);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
PpoUpdateStatus ppo_update_run(PpoUpdateInstance* instance, const PpoUpdateInputs* in,
                               const PpoUpdateOutputs* out, struct CUstream_st* stream);

// The instance's runs must be finished. NULL is allowed.
void ppo_update_destroy(PpoUpdateInstance* instance);

// Why the last call of this thread that failed did so; empty if none did.
const char* ppo_update_last_error(void);

#ifdef PPO_UPDATE_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
