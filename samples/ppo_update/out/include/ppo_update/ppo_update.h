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
// An instance belongs to one device: ppo_update_run refuses to run while another one is current,
// ppo_update_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in ppo_update_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define PPO_UPDATE_INTERFACE 0xad5ba2f2711adf13ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef PPO_UPDATE_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum PpoUpdateStatus {
  kPpoUpdateOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kPpoUpdateInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kPpoUpdateOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kPpoUpdateCudaError = 3,
  // The caller was compiled with a header of another interface.
  kPpoUpdateOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kPpoUpdateOtherDevice = 5,
  // There is no graph of a run: kPpoUpdateCanCapture is 0.
  kPpoUpdateCannotCapture = 7,
} PpoUpdateStatus;

enum {
  kPpoUpdateInputCount = 43,
  kPpoUpdateOutputCount = 38,
  // 1 if ppo_update_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kPpoUpdateRunSynchronises = 0,
  // 1 if ppo_update_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kPpoUpdateCanCapture = 1,
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

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct PpoUpdateOptions {
  uint32_t size;            // sizeof(PpoUpdateOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // PPO_UPDATE_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // ppo_update_workspace_bytes(). NULL: ppo_update_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by ppo_update_destroy, or by ppo_update_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} PpoUpdateOptions;

#define PPO_UPDATE_OPTIONS \
  {sizeof(PpoUpdateOptions), -1, PPO_UPDATE_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: PPO_UPDATE_OPTIONS, as the library has them.
PpoUpdateStatus ppo_update_create_with(PpoUpdateInstance** instance,
                                       const PpoUpdateOptions* options);

// The same with PPO_UPDATE_OPTIONS. Compiled into the caller, whose interface is compared.
static inline PpoUpdateStatus ppo_update_create(PpoUpdateInstance** instance) {
  const PpoUpdateOptions options = PPO_UPDATE_OPTIONS;
  return ppo_update_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t ppo_update_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
PpoUpdateStatus ppo_update_run(PpoUpdateInstance* instance, const PpoUpdateInputs* in,
                               const PpoUpdateOutputs* out, struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct PpoUpdateGraph PpoUpdateGraph;
PpoUpdateStatus ppo_update_capture(PpoUpdateGraph** graph, PpoUpdateInstance* instance,
                                   const PpoUpdateInputs* in, const PpoUpdateOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
PpoUpdateStatus ppo_update_graph_launch(const PpoUpdateGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
PpoUpdateStatus ppo_update_graph_update(PpoUpdateGraph* graph, const PpoUpdateInputs* in,
                                        const PpoUpdateOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* ppo_update_graph_exec(const PpoUpdateGraph* graph);

// Its launches must be finished. NULL is allowed.
void ppo_update_graph_destroy(PpoUpdateGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void ppo_update_destroy(PpoUpdateInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* ppo_update_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* ppo_update_status_text(PpoUpdateStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct PpoUpdateInfo {
  uint32_t size;              // sizeof(PpoUpdateInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // PPO_UPDATE_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as ppo_update_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kPpoUpdateCanCapture
} PpoUpdateInfo;

const PpoUpdateInfo* ppo_update_info(void);

#ifdef PPO_UPDATE_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
