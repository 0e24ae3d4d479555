// cartpole_policy.h: the C interface of cartpole_policy, for C and C++; needs no CUDA header.
//
//   in   state_0     f32[64]
//   in   state_1     f32[64]
//   in   state_2     f32[64]
//   in   state_3     f32[64]
//   in   params_0_b  f32[64]
//   in   params_0_w  f32[4,64]
//   in   params_1_b  f32[64]
//   in   params_1_w  f32[64,64]
//   in   params_2_b  f32[2]
//   in   params_2_w  f32[64,2]
//   in   starts_0    f32[16,64]
//   in   starts_1    f32[16,64]
//   in   starts_2    f32[16,64]
//   in   starts_3    f32[16,64]
//   out  state_0     f32[64]
//   out  state_1     f32[64]
//   out  state_2     f32[64]
//   out  state_3     f32[64]
//   out  episodes    s32[64]
//
//   CartpolePolicyInstance* instance;
//   if (cartpole_policy_create(&instance) != kCartpolePolicyOk) {
//     puts(cartpole_policy_last_error());
//   }
//   cartpole_policy_run(instance, &in, &out, stream);  // as often as needed
//   cartpole_policy_destroy(instance);
//
// An instance belongs to one device: cartpole_policy_run refuses to run while another one is current,
// cartpole_policy_destroy may be called then. It serves one run at a time: its runs must follow each other, on
// one stream or by events. Instances are independent of each other. A call that fails
// says why in cartpole_policy_last_error, and leaves no error for cudaGetLastError.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All that callers depend on: names, order, types and dimensions of inputs and outputs, and the form
// of this file. A caller that was compiled for another one is refused when it creates an instance.
#define CARTPOLE_POLICY_INTERFACE 0xe635067a52749938ULL

#ifdef __cplusplus
extern "C" {
#endif
#ifdef CARTPOLE_POLICY_SHARED  // the library itself, where it exports what is declared here and nothing else
#pragma GCC visibility push(default)
#endif

struct CUstream_st;     // a cudaStream_t points to it
struct CUgraphExec_st;  // a cudaGraphExec_t

typedef enum CartpolePolicyStatus {
  kCartpolePolicyOk = 0,
  // A pointer is null, misaligned, or overlaps where it must not.
  kCartpolePolicyInvalidArgument = 1,
  // Too little memory for an instance; the workspace that was given is too small.
  kCartpolePolicyOutOfMemory = 2,
  // A call of the CUDA runtime failed.
  kCartpolePolicyCudaError = 3,
  // The caller was compiled with a header of another interface.
  kCartpolePolicyOtherInterface = 4,
  // No code was built for the device, or it is not there; run: it is not the instance's.
  kCartpolePolicyOtherDevice = 5,
  // There is no graph of a run: kCartpolePolicyCanCapture is 0.
  kCartpolePolicyCannotCapture = 7,
} CartpolePolicyStatus;

enum {
  kCartpolePolicyInputCount = 14,
  kCartpolePolicyOutputCount = 5,
  // 1 if cartpole_policy_run waits for the stream, because the host decides about a loop or
  // a library that it calls may wait; 0 if it only enqueues work.
  kCartpolePolicyRunSynchronises = 0,
  // 1 if cartpole_policy_capture makes a graph of a run; 0 if a run waits, or calls what may.
  kCartpolePolicyCanCapture = 1,
};

// Dimensions. Arrays are dense and row-major.
static const int64_t kCartpolePolicyInState0[] = {64};
static const int64_t kCartpolePolicyInState1[] = {64};
static const int64_t kCartpolePolicyInState2[] = {64};
static const int64_t kCartpolePolicyInState3[] = {64};
static const int64_t kCartpolePolicyInParams0B[] = {64};
static const int64_t kCartpolePolicyInParams0W[] = {4, 64};
static const int64_t kCartpolePolicyInParams1B[] = {64};
static const int64_t kCartpolePolicyInParams1W[] = {64, 64};
static const int64_t kCartpolePolicyInParams2B[] = {2};
static const int64_t kCartpolePolicyInParams2W[] = {64, 2};
static const int64_t kCartpolePolicyInStarts0[] = {16, 64};
static const int64_t kCartpolePolicyInStarts1[] = {16, 64};
static const int64_t kCartpolePolicyInStarts2[] = {16, 64};
static const int64_t kCartpolePolicyInStarts3[] = {16, 64};
static const int64_t kCartpolePolicyOutState0[] = {64};
static const int64_t kCartpolePolicyOutState1[] = {64};
static const int64_t kCartpolePolicyOutState2[] = {64};
static const int64_t kCartpolePolicyOutState3[] = {64};
static const int64_t kCartpolePolicyOutEpisodes[] = {64};

// One input or output.
typedef struct CartpolePolicyTensor {
  const char* name;
  const char* dtype;  // as HLO spells it: "f32"
  int rank;
  const int64_t* dims;  // `rank` of them; NULL for a scalar
  int64_t bytes;
} CartpolePolicyTensor;

// In the order of the structs below; the row after the last has no name.
extern const CartpolePolicyTensor kCartpolePolicyInputTable[];
extern const CartpolePolicyTensor kCartpolePolicyOutputTable[];

// Device pointers (host pointers in a CPU build), 16-byte aligned, as cudaMalloc gives them.
typedef struct CartpolePolicyInputs {
  const float* state_0;     // f32[64]
  const float* state_1;     // f32[64]
  const float* state_2;     // f32[64]
  const float* state_3;     // f32[64]
  const float* params_0_b;  // f32[64]
  const float* params_0_w;  // f32[4,64]
  const float* params_1_b;  // f32[64]
  const float* params_1_w;  // f32[64,64]
  const float* params_2_b;  // f32[2]
  const float* params_2_w;  // f32[64,2]
  const float* starts_0;    // f32[16,64]
  const float* starts_1;    // f32[16,64]
  const float* starts_2;    // f32[16,64]
  const float* starts_3;    // f32[16,64]
} CartpolePolicyInputs;

typedef struct CartpolePolicyOutputs {
  float* state_0;  // f32[64]
  float* state_1;  // f32[64]
  float* state_2;  // f32[64]
  float* state_3;  // f32[64]
  int* episodes;   // s32[64]
} CartpolePolicyOutputs;

typedef struct CartpolePolicyInstance CartpolePolicyInstance;

// What an instance is made with. Later versions may have more fields, at the end.
typedef struct CartpolePolicyOptions {
  uint32_t size;            // sizeof(CartpolePolicyOptions), in the caller
  int32_t device;           // -1: the current one
  uint64_t interface_hash;  // CARTPOLE_POLICY_INTERFACE, in the caller
  // Device memory for the instance alone until it is destroyed, 256-byte aligned, of at least
  // cartpole_policy_workspace_bytes(). NULL: cartpole_policy_create_with allocates it.
  void* workspace;
  int64_t workspace_bytes;
  // Where the instance's device memory is from that is not given above; both NULL: cudaMalloc. Called
  // with its device current. Memory is 256-byte aligned and ready for any stream; NULL: there is none.
  // All is released once: by cartpole_policy_destroy, or by cartpole_policy_create_with where that fails.
  void* (*allocate)(void* user, int64_t bytes);
  void (*release)(void* user, void* memory, int64_t bytes);
  void* user;  // theirs
  // 1: where data decides about a loop or branch (CUDA 12.4 and later), or launches need nothing of
  // each other, a run is a launch of a CUDA graph, made by the first run and again for other arrays:
  // the host waits for nothing, launches run side by side. Where there is no such graph a run is as
  // for 0. 2: where data decides and there is none, nothing is created.
  int32_t graph;
} CartpolePolicyOptions;

#define CARTPOLE_POLICY_OPTIONS \
  {sizeof(CartpolePolicyOptions), -1, CARTPOLE_POLICY_INTERFACE, NULL, 0, NULL, NULL, NULL, 0}

// Allocates what runs need.
// *instance is NULL if this fails. Without options: CARTPOLE_POLICY_OPTIONS, as the library has them.
CartpolePolicyStatus cartpole_policy_create_with(CartpolePolicyInstance** instance,
                                                 const CartpolePolicyOptions* options);

// The same with CARTPOLE_POLICY_OPTIONS. Compiled into the caller, whose interface is compared.
static inline CartpolePolicyStatus cartpole_policy_create(CartpolePolicyInstance** instance) {
  const CartpolePolicyOptions options = CARTPOLE_POLICY_OPTIONS;
  return cartpole_policy_create_with(instance, &options);
}

// Device memory of an instance, in bytes.
int64_t cartpole_policy_workspace_bytes(void);

// Computes the outputs from the inputs, on `stream`: a cudaStream_t, NULL is the default stream.
// Allocates nothing. An output must not overlap
// an input or another output.
CartpolePolicyStatus cartpole_policy_run(CartpolePolicyInstance* instance,
                                         const CartpolePolicyInputs* in,
                                         const CartpolePolicyOutputs* out,
                                         struct CUstream_st* stream);

// A run on these arrays, as a CUDA graph. *graph is NULL if this fails. No work is done yet.
typedef struct CartpolePolicyGraph CartpolePolicyGraph;
CartpolePolicyStatus cartpole_policy_capture(CartpolePolicyGraph** graph,
                                             CartpolePolicyInstance* instance,
                                             const CartpolePolicyInputs* in,
                                             const CartpolePolicyOutputs* out);

// A run of the instance on the graph's arrays, put on `stream` by one call; as often as needed.
CartpolePolicyStatus cartpole_policy_graph_launch(const CartpolePolicyGraph* graph, struct CUstream_st* stream);

// From now on the graph's arrays are others. Its launches must be finished. If arrays are refused it
// stays as it was; after another failure it has no run to launch.
CartpolePolicyStatus cartpole_policy_graph_update(CartpolePolicyGraph* graph,
                                                  const CartpolePolicyInputs* in,
                                                  const CartpolePolicyOutputs* out);

// For the caller's own calls of CUDA (cudaGraphUpload): a cudaGraphExec_t, which stays the graph's.
struct CUgraphExec_st* cartpole_policy_graph_exec(const CartpolePolicyGraph* graph);

// Its launches must be finished. NULL is allowed.
void cartpole_policy_graph_destroy(CartpolePolicyGraph* graph);

// The instance's runs must be finished, and its graphs are launched no more. NULL is allowed.
void cartpole_policy_destroy(CartpolePolicyInstance* instance);

// Why the last call of this thread that gives a status failed; empty if it did not.
const char* cartpole_policy_last_error(void);

// What a status means, in a few words that never change: "out of memory". Of a number that is no
// status: "unknown status".
const char* cartpole_policy_status_text(CartpolePolicyStatus status);

// What the library is. Later versions may have more fields, at the end.
typedef struct CartpolePolicyInfo {
  uint32_t size;              // sizeof(CartpolePolicyInfo), in the library
  int32_t kernels;            // how many
  int64_t launches;           // of kernels in a run; -1: inputs decide
  uint64_t interface_hash;    // CARTPOLE_POLICY_INTERFACE, in the library
  const char* generator;      // "sinter 0.1.0"
  const char* input_sha256;   // of the text that was compiled
  const char* architectures;  // of the devices it has code for: "80, 90a"; "cpu"
  int64_t workspace_bytes;    // as cartpole_policy_workspace_bytes()
  int64_t weights_bytes;      // of these, constants
  int32_t can_capture;        // kCartpolePolicyCanCapture
} CartpolePolicyInfo;

const CartpolePolicyInfo* cartpole_policy_info(void);

#ifdef CARTPOLE_POLICY_SHARED
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
