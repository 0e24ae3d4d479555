// ppo_update.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 50.2 kB; the largest live set is 50.2 kB.
//
//   arena   +0      dot                   f32[17,8,16]
//   arena   +8704   tanh                  f32[17,8,16]
//   arena   +3072   dot_1                 f32[17,8,1]
//   arena   +0      broadcast             f32[2,4]
//   arena   +37376  stack                 u32[2,2]
//   arena   +0      reshape               f32[128,6]
//   arena   +28672  reshape_1             s32[128]
//   arena   +29184  reshape_2             f32[128]
//   arena   +3840   broadcast_in_dim_1    f32[16,8]
//   arena   +29696  reshape_3             f32[128]
//   arena   +30208  reshape_4             f32[128]
//   arena   +37632  broadcast_1           f32[4]
//   arena   +30720  sort                  s32[128]
//   arena   +3072   reshape_5             f32[4,32,6]
//   arena   +31232  reshape_6             s32[4,32]
//   arena   +31744  reshape_7             f32[4,32]
//   arena   +32256  reshape_8             f32[4,32]
//   arena   +32768  reshape_9             f32[4,32]
//   arena   +37888  squeeze               f32[32]
//   arena   +6144   tanh_1                f32[32,16]
//   arena   +8192   tanh_2                f32[32,16]
//   arena   +10240  tanh_3                f32[32,16]
//   arena   +33280  dot_2                 f32[32,3]
//   arena   +38144  reshape_10            s32[32,1,1]
//   arena   +38400  min                   f32[32]
//   arena   +38656  max                   f32[32]
//   arena   +38912  broadcast_2           f32[32]
//   arena   +39168  broadcast_3           f32[32]
//   arena   +12288  tanh_4                f32[32,16]
//   arena   +39424  dot_3                 f32[32,1]
//   arena   +39680  max_1                 f32[32]
//   arena   +39936  sum_1                 f32[32]
//   arena   +40192  exponential           f32[32]
//   arena   +40448  max_2                 f32[32]
//   arena   +40704  min_1                 f32[32]
//   arena   +40960  sum_2                 f32[]
//   arena   +41216  sum_3                 f32[]
//   arena   +41472  power                 f32[]
//   arena   +41728  power_1               f32[]
//   arena   +41984  eq                    pred[32]
//   arena   +33792  scatter_add           f32[32,3]
//   arena   +42240  sum_4                 f32[32]
//   arena   +14336  add_any               f32[32,16]
//   arena   +16384  add_any_1             f32[32,16]
//   arena   +18432  add_any_2             f32[32,16]
//   arena   +20480  add_any_3             f32[32,16]
//   arena   +42496  sub_1                 f32[3]        host-loop-carry
//   arena   +42752  sub_2                 f32[1]        host-loop-carry
//   arena   +43008  sum_5                 f32[1]        host-loop-carry
//   arena   +43264  sum_6                 s32[]         host-loop-carry
//   arena   +43520  sum_7                 f32[1]        host-loop-carry
//   arena   +43776  params_policy_0_b_1   f32[16]       host-loop-carry
//   arena   +34304  params_policy_0_w_1   f32[6,16]     host-loop-carry
//   arena   +44032  params_policy_1_b_1   f32[16]       host-loop-carry
//   arena   +22528  params_policy_1_w_1   f32[16,16]    host-loop-carry
//   arena   +44288  params_policy_2_b_1   f32[3]        host-loop-carry
//   arena   +44544  params_policy_2_w_1   f32[16,3]     host-loop-carry
//   arena   +44800  params_value_0_b_1    f32[16]       host-loop-carry
//   arena   +34816  params_value_0_w_1    f32[6,16]     host-loop-carry
//   arena   +45056  params_value_1_b_1    f32[16]       host-loop-carry
//   arena   +23552  params_value_1_w_1    f32[16,16]    host-loop-carry
//   arena   +45312  params_value_2_b_1    f32[1]        host-loop-carry
//   arena   +45568  params_value_2_w_1    f32[16,1]     host-loop-carry
//   arena   +45824  state_m_policy_0_b_1  f32[16]       host-loop-carry
//   arena   +35328  state_m_policy_0_w_1  f32[6,16]     host-loop-carry
//   arena   +46080  state_m_policy_1_b_1  f32[16]       host-loop-carry
//   arena   +24576  state_m_policy_1_w_1  f32[16,16]    host-loop-carry
//   arena   +46336  state_m_policy_2_b_1  f32[3]        host-loop-carry
//   arena   +46592  state_m_policy_2_w_1  f32[16,3]     host-loop-carry
//   arena   +46848  state_m_value_0_b_1   f32[16]       host-loop-carry
//   arena   +35840  state_m_value_0_w_1   f32[6,16]     host-loop-carry
//   arena   +47104  state_m_value_1_b_1   f32[16]       host-loop-carry
//   arena   +25600  state_m_value_1_w_1   f32[16,16]    host-loop-carry
//   arena   +47360  state_m_value_2_b_1   f32[1]        host-loop-carry
//   arena   +47616  state_m_value_2_w_1   f32[16,1]     host-loop-carry
//   arena   +47872  state_step_1          s32[]         host-loop-carry
//   arena   +48128  state_v_policy_0_b_1  f32[16]       host-loop-carry
//   arena   +36352  state_v_policy_0_w_1  f32[6,16]     host-loop-carry
//   arena   +48384  state_v_policy_1_b_1  f32[16]       host-loop-carry
//   arena   +26624  state_v_policy_1_w_1  f32[16,16]    host-loop-carry
//   arena   +48640  state_v_policy_2_b_1  f32[3]        host-loop-carry
//   arena   +48896  state_v_policy_2_w_1  f32[16,3]     host-loop-carry
//   arena   +49152  state_v_value_0_b_1   f32[16]       host-loop-carry
//   arena   +36864  state_v_value_0_w_1   f32[6,16]     host-loop-carry
//   arena   +49408  state_v_value_1_b_1   f32[16]       host-loop-carry
//   arena   +27648  state_v_value_1_w_1   f32[16,16]    host-loop-carry
//   arena   +49664  state_v_value_2_b_1   f32[1]        host-loop-carry
//   arena   +49920  state_v_value_2_w_1   f32[16,1]     host-loop-carry

#include "ppo_update.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace ppo_update_kernels;

struct PpoUpdateInstance {
  void* arena = nullptr;  // device memory for values between kernels
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
    {"broadcast_in_dim", "f32", 2, kPpoUpdateOutBroadcastInDim, 32},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 50176;

thread_local char last_error[256] = "";

PpoUpdateStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "ppo_update: %s %s %s", what, name, other);
  return kPpoUpdateInvalidArgument;
}

// True if the call did not succeed; then ppo_update_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "ppo_update: %s: %s", what, reason);
  return true;
}

// The array at a byte offset of the arena.
template <class T>
T* at(void* base, int64_t offset) {
  return reinterpret_cast<T*>(static_cast<std::byte*>(base) + offset);
}

// The bytes an input or output of the caller covers.
struct Range {
  uintptr_t begin;
  uintptr_t end;
  const char* name;
  bool written;
};

// Refuses null and misaligned pointers, and outputs that overlap an input or another output.
PpoUpdateStatus check_arguments(const PpoUpdateInputs& in, const PpoUpdateOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kPpoUpdateInputCount + kPpoUpdateOutputCount + 1] = {};
  static_assert(sizeof in == kPpoUpdateInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kPpoUpdateOutputCount * sizeof(void*));
  std::memcpy(pointers + kPpoUpdateInputCount, &out, sizeof out);

  Range ranges[kPpoUpdateInputCount + kPpoUpdateOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kPpoUpdateInputCount + kPpoUpdateOutputCount; ++i) {
    const bool written = i >= kPpoUpdateInputCount;
    const PpoUpdateTensor& tensor =
        written ? kPpoUpdateOutputTable[i - kPpoUpdateInputCount]
                : kPpoUpdateInputTable[i];
    if (tensor.bytes == 0) continue;
    const uintptr_t begin = reinterpret_cast<uintptr_t>(pointers[i]);
    if (begin == 0) return refuse("null pointer for", tensor.name);
    if (begin % 16 != 0) return refuse("not 16-byte aligned:", tensor.name);
    ranges[count++] = {begin, begin + static_cast<uintptr_t>(tensor.bytes), tensor.name, written};
  }

  // Sorted by a heap: g++ 12 sees errors in std::sort of a short array that are none.
  const auto before = [](const Range& a, const Range& b) { return a.begin < b.begin; };
  std::make_heap(ranges, ranges + count, before);
  std::sort_heap(ranges, ranges + count, before);
  const Range* last = nullptr;  // of the ranges so far, the one that ends last
  const Range* last_written = nullptr;
  for (int i = 0; i < count; ++i) {
    const Range& range = ranges[i];
    const Range* other = range.written ? last : last_written;
    if (other != nullptr && range.begin < other->end) {
      return refuse("overlapping:", range.name, other->name);
    }
    if (last == nullptr || range.end > last->end) last = &range;
    if (!range.written) continue;
    if (last_written == nullptr || range.end > last_written->end) last_written = &range;
  }
  return kPpoUpdateOk;
}

}  // namespace

PpoUpdateStatus ppo_update_create(PpoUpdateInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  PpoUpdateInstance* created = new (std::nothrow) PpoUpdateInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kPpoUpdateOutOfMemory;
  }
  cudaError_t error = cudaSuccess;
  if (error == cudaSuccess) error = cudaMalloc(&created->arena, kArenaBytes);
  if (failed("create", error)) {
    ppo_update_destroy(created);
    return error == cudaErrorMemoryAllocation ? kPpoUpdateOutOfMemory : kPpoUpdateCudaError;
  }
  *instance = created;
  return kPpoUpdateOk;
}

PpoUpdateStatus ppo_update_run(PpoUpdateInstance* instance, const PpoUpdateInputs* in,
                               const PpoUpdateOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const PpoUpdateStatus status = check_arguments(*in, *out);
  if (status != kPpoUpdateOk) return status;

  float* const dot = at<float>(instance->arena, 0);                       // f32[17,8,16]
  float* const tanh = at<float>(instance->arena, 8704);                   // f32[17,8,16]
  float* const dot_1 = at<float>(instance->arena, 3072);                  // f32[17,8,1]
  uint32_t* const stack = at<uint32_t>(instance->arena, 37376);           // u32[2,2]
  float* const reshape = at<float>(instance->arena, 0);                   // f32[128,6]
  int* const reshape_1 = at<int>(instance->arena, 28672);                 // s32[128]
  float* const reshape_2 = at<float>(instance->arena, 29184);             // f32[128]
  float* const broadcast_in_dim_1 = at<float>(instance->arena, 3840);     // f32[16,8]
  float* const reshape_3 = at<float>(instance->arena, 29696);             // f32[128]
  float* const reshape_4 = at<float>(instance->arena, 30208);             // f32[128]
  float* const broadcast_1 = at<float>(instance->arena, 37632);           // f32[4]
  int* const sort = at<int>(instance->arena, 30720);                      // s32[128]
  float* const reshape_5 = at<float>(instance->arena, 3072);              // f32[4,32,6]
  int* const reshape_6 = at<int>(instance->arena, 31232);                 // s32[4,32]
  float* const reshape_7 = at<float>(instance->arena, 31744);             // f32[4,32]
  float* const reshape_8 = at<float>(instance->arena, 32256);             // f32[4,32]
  float* const reshape_9 = at<float>(instance->arena, 32768);             // f32[4,32]
  float* const squeeze = at<float>(instance->arena, 37888);               // f32[32]
  float* const tanh_1 = at<float>(instance->arena, 6144);                 // f32[32,16]
  float* const tanh_2 = at<float>(instance->arena, 8192);                 // f32[32,16]
  float* const tanh_3 = at<float>(instance->arena, 10240);                // f32[32,16]
  float* const dot_2 = at<float>(instance->arena, 33280);                 // f32[32,3]
  int* const reshape_10 = at<int>(instance->arena, 38144);                // s32[32,1,1]
  float* const min = at<float>(instance->arena, 38400);                   // f32[32]
  float* const max = at<float>(instance->arena, 38656);                   // f32[32]
  float* const broadcast_2 = at<float>(instance->arena, 38912);           // f32[32]
  float* const broadcast_3 = at<float>(instance->arena, 39168);           // f32[32]
  float* const tanh_4 = at<float>(instance->arena, 12288);                // f32[32,16]
  float* const dot_3 = at<float>(instance->arena, 39424);                 // f32[32,1]
  float* const max_1 = at<float>(instance->arena, 39680);                 // f32[32]
  float* const sum_1 = at<float>(instance->arena, 39936);                 // f32[32]
  float* const exponential = at<float>(instance->arena, 40192);           // f32[32]
  float* const max_2 = at<float>(instance->arena, 40448);                 // f32[32]
  float* const min_1 = at<float>(instance->arena, 40704);                 // f32[32]
  float* const sum_2 = at<float>(instance->arena, 40960);                 // f32[]
  float* const sum_3 = at<float>(instance->arena, 41216);                 // f32[]
  float* const power = at<float>(instance->arena, 41472);                 // f32[]
  float* const power_1 = at<float>(instance->arena, 41728);               // f32[]
  bool* const eq = at<bool>(instance->arena, 41984);                      // pred[32]
  float* const scatter_add = at<float>(instance->arena, 33792);           // f32[32,3]
  float* const sum_4 = at<float>(instance->arena, 42240);                 // f32[32]
  float* const add_any = at<float>(instance->arena, 14336);               // f32[32,16]
  float* const add_any_1 = at<float>(instance->arena, 16384);             // f32[32,16]
  float* const add_any_2 = at<float>(instance->arena, 18432);             // f32[32,16]
  float* const add_any_3 = at<float>(instance->arena, 20480);             // f32[32,16]
  float* const sub_1 = at<float>(instance->arena, 42496);                 // f32[3]
  float* const sub_2 = at<float>(instance->arena, 42752);                 // f32[1]
  float* const sum_5 = at<float>(instance->arena, 43008);                 // f32[1]
  int* const sum_6 = at<int>(instance->arena, 43264);                     // s32[]
  float* const sum_7 = at<float>(instance->arena, 43520);                 // f32[1]
  float* const params_policy_0_b_1 = at<float>(instance->arena, 43776);   // f32[16]
  float* const params_policy_0_w_1 = at<float>(instance->arena, 34304);   // f32[6,16]
  float* const params_policy_1_b_1 = at<float>(instance->arena, 44032);   // f32[16]
  float* const params_policy_1_w_1 = at<float>(instance->arena, 22528);   // f32[16,16]
  float* const params_policy_2_b_1 = at<float>(instance->arena, 44288);   // f32[3]
  float* const params_policy_2_w_1 = at<float>(instance->arena, 44544);   // f32[16,3]
  float* const params_value_0_b_1 = at<float>(instance->arena, 44800);    // f32[16]
  float* const params_value_0_w_1 = at<float>(instance->arena, 34816);    // f32[6,16]
  float* const params_value_1_b_1 = at<float>(instance->arena, 45056);    // f32[16]
  float* const params_value_1_w_1 = at<float>(instance->arena, 23552);    // f32[16,16]
  float* const params_value_2_b_1 = at<float>(instance->arena, 45312);    // f32[1]
  float* const params_value_2_w_1 = at<float>(instance->arena, 45568);    // f32[16,1]
  float* const state_m_policy_0_b_1 = at<float>(instance->arena, 45824);  // f32[16]
  float* const state_m_policy_0_w_1 = at<float>(instance->arena, 35328);  // f32[6,16]
  float* const state_m_policy_1_b_1 = at<float>(instance->arena, 46080);  // f32[16]
  float* const state_m_policy_1_w_1 = at<float>(instance->arena, 24576);  // f32[16,16]
  float* const state_m_policy_2_b_1 = at<float>(instance->arena, 46336);  // f32[3]
  float* const state_m_policy_2_w_1 = at<float>(instance->arena, 46592);  // f32[16,3]
  float* const state_m_value_0_b_1 = at<float>(instance->arena, 46848);   // f32[16]
  float* const state_m_value_0_w_1 = at<float>(instance->arena, 35840);   // f32[6,16]
  float* const state_m_value_1_b_1 = at<float>(instance->arena, 47104);   // f32[16]
  float* const state_m_value_1_w_1 = at<float>(instance->arena, 25600);   // f32[16,16]
  float* const state_m_value_2_b_1 = at<float>(instance->arena, 47360);   // f32[1]
  float* const state_m_value_2_w_1 = at<float>(instance->arena, 47616);   // f32[16,1]
  int* const state_step_1 = at<int>(instance->arena, 47872);              // s32[]
  float* const state_v_policy_0_b_1 = at<float>(instance->arena, 48128);  // f32[16]
  float* const state_v_policy_0_w_1 = at<float>(instance->arena, 36352);  // f32[6,16]
  float* const state_v_policy_1_b_1 = at<float>(instance->arena, 48384);  // f32[16]
  float* const state_v_policy_1_w_1 = at<float>(instance->arena, 26624);  // f32[16,16]
  float* const state_v_policy_2_b_1 = at<float>(instance->arena, 48640);  // f32[3]
  float* const state_v_policy_2_w_1 = at<float>(instance->arena, 48896);  // f32[16,3]
  float* const state_v_value_0_b_1 = at<float>(instance->arena, 49152);   // f32[16]
  float* const state_v_value_0_w_1 = at<float>(instance->arena, 36864);   // f32[6,16]
  float* const state_v_value_1_b_1 = at<float>(instance->arena, 49408);   // f32[16]
  float* const state_v_value_1_w_1 = at<float>(instance->arena, 27648);   // f32[16,16]
  float* const state_v_value_2_b_1 = at<float>(instance->arena, 49664);   // f32[1]
  float* const state_v_value_2_w_1 = at<float>(instance->arena, 49920);   // f32[16,1]

  // dot_general.35  (layers.py:18)
  if (failed("dot_1", launch_dot_1(in->params_value_0_w, in->observations, dot, stream))) {
    return kPpoUpdateCudaError;
  }

  // tanh.11  (layers.py:27)
  if (failed("tanh_kernel_1", launch_tanh_kernel_1(in->params_value_0_b, in->params_value_1_b,
                                                   in->params_value_1_w, dot, tanh, stream))) {
    return kPpoUpdateCudaError;
  }

  // dot_general.37  (layers.py:18)
  if (failed("dot_2", launch_dot_2(in->params_value_2_w, tanh, dot_1, stream))) {
    return kPpoUpdateCudaError;
  }

  // broadcast.152
  if (failed("broadcast_1", launch_broadcast_1(out->broadcast_in_dim, stream))) {
    return kPpoUpdateCudaError;
  }

  // stack.17  (training.py:106)
  if (failed("stack", launch_stack(in->key, stack, stream))) return kPpoUpdateCudaError;

  // reshape.31  (training.py:94)
  if (failed("reshape_1", launch_reshape_1(in->observations, reshape, stream))) {
    return kPpoUpdateCudaError;
  }

  // reshape.32  (training.py:94)
  if (failed("reshape_2", launch_reshape_2(in->taken, reshape_1, stream))) {
    return kPpoUpdateCudaError;
  }

  // reshape.33  (training.py:94)
  if (failed("reshape_3", launch_reshape_3(in->log_probs, reshape_2, stream))) {
    return kPpoUpdateCudaError;
  }

  // while.134  (training.py:77)
  if (failed("advantages", launch_advantages(in->params_value_2_b, in->rewards, in->dones, dot_1,
                                             broadcast_in_dim_1, stream))) {
    return kPpoUpdateCudaError;
  }

  // reshape.34, reshape.35  (training.py:94)
  if (failed("reshape_4", launch_reshape_4(broadcast_in_dim_1, in->params_value_2_b, dot_1,
                                           reshape_3, reshape_4, stream))) {
    return kPpoUpdateCudaError;
  }

  const float* params_policy_0_b = in->params_policy_0_b;
  const float* params_policy_0_w = in->params_policy_0_w;
  const float* params_policy_1_b = in->params_policy_1_b;
  const float* params_policy_1_w = in->params_policy_1_w;
  const float* params_policy_2_b = in->params_policy_2_b;
  const float* params_policy_2_w = in->params_policy_2_w;
  const float* params_value_0_b = in->params_value_0_b;
  const float* params_value_0_w = in->params_value_0_w;
  const float* params_value_1_b = in->params_value_1_b;
  const float* params_value_1_w = in->params_value_1_w;
  const float* params_value_2_b = in->params_value_2_b;
  const float* params_value_2_w = in->params_value_2_w;
  const float* state_m_policy_0_b = in->state_m_policy_0_b;
  const float* state_m_policy_0_w = in->state_m_policy_0_w;
  const float* state_m_policy_1_b = in->state_m_policy_1_b;
  const float* state_m_policy_1_w = in->state_m_policy_1_w;
  const float* state_m_policy_2_b = in->state_m_policy_2_b;
  const float* state_m_policy_2_w = in->state_m_policy_2_w;
  const float* state_m_value_0_b = in->state_m_value_0_b;
  const float* state_m_value_0_w = in->state_m_value_0_w;
  const float* state_m_value_1_b = in->state_m_value_1_b;
  const float* state_m_value_1_w = in->state_m_value_1_w;
  const float* state_m_value_2_b = in->state_m_value_2_b;
  const float* state_m_value_2_w = in->state_m_value_2_w;
  const int* state_step = in->state_step;
  const float* state_v_policy_0_b = in->state_v_policy_0_b;
  const float* state_v_policy_0_w = in->state_v_policy_0_w;
  const float* state_v_policy_1_b = in->state_v_policy_1_b;
  const float* state_v_policy_1_w = in->state_v_policy_1_w;
  const float* state_v_policy_2_b = in->state_v_policy_2_b;
  const float* state_v_policy_2_w = in->state_v_policy_2_w;
  const float* state_v_value_0_b = in->state_v_value_0_b;
  const float* state_v_value_0_w = in->state_v_value_0_w;
  const float* state_v_value_1_b = in->state_v_value_1_b;
  const float* state_v_value_1_w = in->state_v_value_1_w;
  const float* state_v_value_2_b = in->state_v_value_2_b;
  const float* state_v_value_2_w = in->state_v_value_2_w;
  float* params_policy_0_b_next = params_policy_0_b_1;
  float* params_policy_0_b_spare = out->params_policy_0_b;
  float* params_policy_0_w_next = params_policy_0_w_1;
  float* params_policy_0_w_spare = out->params_policy_0_w;
  float* params_policy_1_b_next = params_policy_1_b_1;
  float* params_policy_1_b_spare = out->params_policy_1_b;
  float* params_policy_1_w_next = params_policy_1_w_1;
  float* params_policy_1_w_spare = out->params_policy_1_w;
  float* params_policy_2_b_next = params_policy_2_b_1;
  float* params_policy_2_b_spare = out->params_policy_2_b;
  float* params_policy_2_w_next = params_policy_2_w_1;
  float* params_policy_2_w_spare = out->params_policy_2_w;
  float* params_value_0_b_next = params_value_0_b_1;
  float* params_value_0_b_spare = out->params_value_0_b;
  float* params_value_0_w_next = params_value_0_w_1;
  float* params_value_0_w_spare = out->params_value_0_w;
  float* params_value_1_b_next = params_value_1_b_1;
  float* params_value_1_b_spare = out->params_value_1_b;
  float* params_value_1_w_next = params_value_1_w_1;
  float* params_value_1_w_spare = out->params_value_1_w;
  float* params_value_2_b_next = params_value_2_b_1;
  float* params_value_2_b_spare = out->params_value_2_b;
  float* params_value_2_w_next = params_value_2_w_1;
  float* params_value_2_w_spare = out->params_value_2_w;
  float* state_m_policy_0_b_next = state_m_policy_0_b_1;
  float* state_m_policy_0_b_spare = out->state_m_policy_0_b;
  float* state_m_policy_0_w_next = state_m_policy_0_w_1;
  float* state_m_policy_0_w_spare = out->state_m_policy_0_w;
  float* state_m_policy_1_b_next = state_m_policy_1_b_1;
  float* state_m_policy_1_b_spare = out->state_m_policy_1_b;
  float* state_m_policy_1_w_next = state_m_policy_1_w_1;
  float* state_m_policy_1_w_spare = out->state_m_policy_1_w;
  float* state_m_policy_2_b_next = state_m_policy_2_b_1;
  float* state_m_policy_2_b_spare = out->state_m_policy_2_b;
  float* state_m_policy_2_w_next = state_m_policy_2_w_1;
  float* state_m_policy_2_w_spare = out->state_m_policy_2_w;
  float* state_m_value_0_b_next = state_m_value_0_b_1;
  float* state_m_value_0_b_spare = out->state_m_value_0_b;
  float* state_m_value_0_w_next = state_m_value_0_w_1;
  float* state_m_value_0_w_spare = out->state_m_value_0_w;
  float* state_m_value_1_b_next = state_m_value_1_b_1;
  float* state_m_value_1_b_spare = out->state_m_value_1_b;
  float* state_m_value_1_w_next = state_m_value_1_w_1;
  float* state_m_value_1_w_spare = out->state_m_value_1_w;
  float* state_m_value_2_b_next = state_m_value_2_b_1;
  float* state_m_value_2_b_spare = out->state_m_value_2_b;
  float* state_m_value_2_w_next = state_m_value_2_w_1;
  float* state_m_value_2_w_spare = out->state_m_value_2_w;
  int* state_step_next = state_step_1;
  int* state_step_spare = out->state_step;
  float* state_v_policy_0_b_next = state_v_policy_0_b_1;
  float* state_v_policy_0_b_spare = out->state_v_policy_0_b;
  float* state_v_policy_0_w_next = state_v_policy_0_w_1;
  float* state_v_policy_0_w_spare = out->state_v_policy_0_w;
  float* state_v_policy_1_b_next = state_v_policy_1_b_1;
  float* state_v_policy_1_b_spare = out->state_v_policy_1_b;
  float* state_v_policy_1_w_next = state_v_policy_1_w_1;
  float* state_v_policy_1_w_spare = out->state_v_policy_1_w;
  float* state_v_policy_2_b_next = state_v_policy_2_b_1;
  float* state_v_policy_2_b_spare = out->state_v_policy_2_b;
  float* state_v_policy_2_w_next = state_v_policy_2_w_1;
  float* state_v_policy_2_w_spare = out->state_v_policy_2_w;
  float* state_v_value_0_b_next = state_v_value_0_b_1;
  float* state_v_value_0_b_spare = out->state_v_value_0_b;
  float* state_v_value_0_w_next = state_v_value_0_w_1;
  float* state_v_value_0_w_spare = out->state_v_value_0_w;
  float* state_v_value_1_b_next = state_v_value_1_b_1;
  float* state_v_value_1_b_spare = out->state_v_value_1_b;
  float* state_v_value_1_w_next = state_v_value_1_w_1;
  float* state_v_value_1_w_spare = out->state_v_value_1_w;
  float* state_v_value_2_b_next = state_v_value_2_b_1;
  float* state_v_value_2_b_spare = out->state_v_value_2_b;
  float* state_v_value_2_w_next = state_v_value_2_w_1;
  float* state_v_value_2_w_spare = out->state_v_value_2_w;

  // while.136
  for (int t = 0; t < 2; ++t) {
    // broadcast.149  (training.py:106)
    if (failed("broadcast_2", launch_broadcast_2(broadcast_1, stream))) return kPpoUpdateCudaError;

    // sort.13  (training.py:102)
    if (failed("sort", launch_sort(stack, sort, t, stream))) return kPpoUpdateCudaError;

    // reshape.26  (training.py:103)
    if (failed("reshape_5", launch_reshape_5(sort, reshape, reshape_5, stream))) {
      return kPpoUpdateCudaError;
    }

    // reshape.27, reshape.28, reshape.29, reshape.30  (training.py:103)
    if (failed("reshape_6", launch_reshape_6(sort, reshape_1, reshape_2, reshape_3, reshape_4,
                                             reshape_6, reshape_7, reshape_8, reshape_9, stream))) {
      return kPpoUpdateCudaError;
    }

    const float* sub = params_policy_0_b;
    const float* sub_3 = params_policy_0_w;
    const float* sub_4 = params_policy_1_b;
    const float* sub_5 = params_policy_1_w;
    const float* sub_6 = params_policy_2_b;
    const float* sub_7 = params_policy_2_w;
    const float* sub_8 = params_value_0_b;
    const float* sub_9 = params_value_0_w;
    const float* sub_10 = params_value_1_b;
    const float* sub_11 = params_value_1_w;
    const float* sub_12 = params_value_2_b;
    const float* sub_13 = params_value_2_w;
    const float* sum = state_m_policy_0_b;
    const float* sum_8 = state_m_policy_0_w;
    const float* sum_9 = state_m_policy_1_b;
    const float* sum_10 = state_m_policy_1_w;
    const float* sum_11 = state_m_policy_2_b;
    const float* sum_12 = state_m_policy_2_w;
    const float* sum_13 = state_m_value_0_b;
    const float* sum_14 = state_m_value_0_w;
    const float* sum_15 = state_m_value_1_b;
    const float* sum_16 = state_m_value_1_w;
    const float* sum_17 = state_m_value_2_b;
    const float* sum_18 = state_m_value_2_w;
    const int* sum_19 = state_step;
    const float* sum_20 = state_v_policy_0_b;
    const float* sum_21 = state_v_policy_0_w;
    const float* sum_22 = state_v_policy_1_b;
    const float* sum_23 = state_v_policy_1_w;
    const float* sum_24 = state_v_policy_2_b;
    const float* sum_25 = state_v_policy_2_w;
    const float* sum_26 = state_v_value_0_b;
    const float* sum_27 = state_v_value_0_w;
    const float* sum_28 = state_v_value_1_b;
    const float* sum_29 = state_v_value_1_w;
    const float* sum_30 = state_v_value_2_b;
    const float* sum_31 = state_v_value_2_w;
    float* sub_next = sub_1;
    float* sub_spare = params_policy_2_b_next;
    float* sub_next_2 = sub_2;
    float* sub_spare_2 = params_value_2_b_next;
    float* sum_next = sum_5;
    float* sum_spare = state_m_value_2_b_next;
    int* sum_next_2 = sum_6;
    int* sum_spare_2 = state_step_next;
    float* sum_next_3 = sum_7;
    float* sum_spare_3 = state_v_value_2_b_next;

    // while.48
    for (int t_1 = 0; t_1 < 4; ++t_1) {
      // squeeze.23  (training.py:104)
      if (failed("squeeze", launch_squeeze(reshape_8, squeeze, t_1, stream))) {
        return kPpoUpdateCudaError;
      }

      // tanh.6, tanh.8  (layers.py:27)
      if (failed("tanh_kernel_2", launch_tanh_kernel_2(sub, sub_3, sub_8, sub_9, reshape_5, tanh_1,
                                                       tanh_2, t_1, stream))) {
        return kPpoUpdateCudaError;
      }

      // tanh.7  (layers.py:27)
      if (failed("tanh_kernel_3", launch_tanh_kernel_3(sub_4, sub_5, tanh_1, tanh_3, stream))) {
        return kPpoUpdateCudaError;
      }

      // dot_general.21  (layers.py:18)
      if (failed("dot_3", launch_dot_3(sub_7, tanh_3, dot_2, stream))) return kPpoUpdateCudaError;

      // reshape.11  (training.py:82)
      if (failed("reshape_7", launch_reshape_7(reshape_6, reshape_10, t_1, stream))) {
        return kPpoUpdateCudaError;
      }

      // min.2  (training.py:85)
      if (failed("min_1", launch_min_1(min, stream))) return kPpoUpdateCudaError;

      // max.6  (training.py:85)
      if (failed("max_1", launch_max_1(max, stream))) return kPpoUpdateCudaError;

      // broadcast.109  (training.py:85)
      if (failed("broadcast_3", launch_broadcast_3(broadcast_2, stream))) {
        return kPpoUpdateCudaError;
      }

      // broadcast.108  (training.py:85)
      if (failed("broadcast_4", launch_broadcast_4(broadcast_3, stream))) {
        return kPpoUpdateCudaError;
      }

      // tanh.9  (layers.py:27)
      if (failed("tanh_kernel_3", launch_tanh_kernel_3(sub_10, sub_11, tanh_2, tanh_4, stream))) {
        return kPpoUpdateCudaError;
      }

      // dot_general.24  (layers.py:18)
      if (failed("dot_4", launch_dot_4(sub_13, tanh_4, dot_3, stream))) return kPpoUpdateCudaError;

      // reduce_max.7, reduce_sum.7, exp.4, max.7, ...  (training.py:81)
      if (failed("max_2", launch_max_2(sub_6, sub_12, sum_17, sum_19, sum_30, reshape_6, reshape_7,
                                       reshape_8, reshape_9, dot_2, dot_3, max_1, sum_1,
                                       exponential, max_2, min_1, sum_2, sum_3, sum_next_2, power,
                                       power_1, sum_next, sum_next_3, sub_next_2, broadcast_1, t_1,
                                       stream))) {
        return kPpoUpdateCudaError;
      }

      // eq.6  (training.py:85)
      if (failed("eq", launch_eq(exponential, max_2, eq, stream))) return kPpoUpdateCudaError;

      // scatter-add.5  (training.py:82)
      if (failed("scatter_add", launch_scatter_add(reshape_10, min_1, squeeze, sum_2, sum_3,
                                                   exponential, broadcast_2, broadcast_3, max_2,
                                                   min, eq, max, scatter_add, stream))) {
        return kPpoUpdateCudaError;
      }

      // reduce_sum.115  (training.py:81)
      if (failed("sum", launch_sum(sub_6, dot_2, max_1, sum_1, scatter_add, sum_4, stream))) {
        return kPpoUpdateCudaError;
      }

      // add_any.14  (layers.py:27)
      if (failed("add_any_1", launch_add_any_1(sub_6, sub_7, dot_2, max_1, sum_1, scatter_add,
                                               sum_4, tanh_3, add_any, stream))) {
        return kPpoUpdateCudaError;
      }

      // add_any.15  (layers.py:27)
      if (failed("add_any_2", launch_add_any_2(sub_5, add_any, tanh_1, add_any_1, stream))) {
        return kPpoUpdateCudaError;
      }

      // add.341, add.353, sub.73  (layers.py:117)
      if (failed("sub_1", launch_sub_1(sub_5, sum_10, sum_23, add_any, tanh_1, power, power_1,
                                       state_m_policy_1_w_next, state_v_policy_1_w_next,
                                       params_policy_1_w_next, stream))) {
        return kPpoUpdateCudaError;
      }

      // add.342, add.354, sub.74  (layers.py:117)
      if (failed("sub_2", launch_sub_2(sub_6, sum_11, sum_24, dot_2, max_1, sum_1, scatter_add,
                                       sum_4, power, power_1, state_m_policy_2_b_next,
                                       state_v_policy_2_b_next, sub_next, stream))) {
        return kPpoUpdateCudaError;
      }

      // add.343, add.355, sub.75  (layers.py:117)
      if (failed("sub_3", launch_sub_3(sub_6, sub_7, sum_12, sum_25, dot_2, max_1, sum_1,
                                       scatter_add, sum_4, tanh_3, power, power_1,
                                       state_m_policy_2_w_next, state_v_policy_2_w_next,
                                       params_policy_2_w_next, stream))) {
        return kPpoUpdateCudaError;
      }

      // add_any.10  (layers.py:27)
      if (failed("add_any_3", launch_add_any_3(sub_12, sub_13, reshape_9, dot_3, tanh_4, add_any_2,
                                               t_1, stream))) {
        return kPpoUpdateCudaError;
      }

      // add_any.11  (layers.py:27)
      if (failed("add_any_2", launch_add_any_2(sub_11, add_any_2, tanh_2, add_any_3, stream))) {
        return kPpoUpdateCudaError;
      }

      // add.338, add.350, sub.70, add.340, ...  (layers.py:117)
      if (failed("sub_4", launch_sub_4(sub, sub_4, sub_8, sub_10, sub_12, sub_13, sum, sum_9,
                                       sum_13, sum_15, sum_18, sum_20, sum_22, sum_26, sum_28,
                                       sum_31, reshape_9, add_any_1, power, power_1, add_any,
                                       add_any_3, add_any_2, dot_3, tanh_4, state_m_policy_0_b_next,
                                       state_v_policy_0_b_next, params_policy_0_b_next,
                                       state_m_policy_1_b_next, state_v_policy_1_b_next,
                                       params_policy_1_b_next, state_m_value_0_b_next,
                                       state_v_value_0_b_next, params_value_0_b_next,
                                       state_m_value_1_b_next, state_v_value_1_b_next,
                                       params_value_1_b_next, state_m_value_2_w_next,
                                       state_v_value_2_w_next, params_value_2_w_next, t_1,
                                       stream))) {
        return kPpoUpdateCudaError;
      }

      // add.339, add.351, sub.71, add.345, ...  (layers.py:117)
      if (failed("sub_5", launch_sub_5(sub_3, sub_9, sum_8, sum_14, sum_21, sum_27, reshape_5,
                                       add_any_1, power, power_1, add_any_3,
                                       state_m_policy_0_w_next, state_v_policy_0_w_next,
                                       params_policy_0_w_next, state_m_value_0_w_next,
                                       state_v_value_0_w_next, params_value_0_w_next, t_1,
                                       stream))) {
        return kPpoUpdateCudaError;
      }

      // add.347, add.359, sub.79  (layers.py:117)
      if (failed("sub_1", launch_sub_1(sub_11, sum_16, sum_29, add_any_2, tanh_2, power, power_1,
                                       state_m_value_1_w_next, state_v_value_1_w_next,
                                       params_value_1_w_next, stream))) {
        return kPpoUpdateCudaError;
      }

      sub = params_policy_0_b_next;
      sub_3 = params_policy_0_w_next;
      sub_4 = params_policy_1_b_next;
      sub_5 = params_policy_1_w_next;
      sub_6 = sub_next;
      sub_7 = params_policy_2_w_next;
      sub_8 = params_value_0_b_next;
      sub_9 = params_value_0_w_next;
      sub_10 = params_value_1_b_next;
      sub_11 = params_value_1_w_next;
      sub_12 = sub_next_2;
      sub_13 = params_value_2_w_next;
      sum = state_m_policy_0_b_next;
      sum_8 = state_m_policy_0_w_next;
      sum_9 = state_m_policy_1_b_next;
      sum_10 = state_m_policy_1_w_next;
      sum_11 = state_m_policy_2_b_next;
      sum_12 = state_m_policy_2_w_next;
      sum_13 = state_m_value_0_b_next;
      sum_14 = state_m_value_0_w_next;
      sum_15 = state_m_value_1_b_next;
      sum_16 = state_m_value_1_w_next;
      sum_17 = sum_next;
      sum_18 = state_m_value_2_w_next;
      sum_19 = sum_next_2;
      sum_20 = state_v_policy_0_b_next;
      sum_21 = state_v_policy_0_w_next;
      sum_22 = state_v_policy_1_b_next;
      sum_23 = state_v_policy_1_w_next;
      sum_24 = state_v_policy_2_b_next;
      sum_25 = state_v_policy_2_w_next;
      sum_26 = state_v_value_0_b_next;
      sum_27 = state_v_value_0_w_next;
      sum_28 = state_v_value_1_b_next;
      sum_29 = state_v_value_1_w_next;
      sum_30 = sum_next_3;
      sum_31 = state_v_value_2_w_next;
      std::swap(sub_next, sub_spare);
      std::swap(sub_next_2, sub_spare_2);
      std::swap(sum_next, sum_spare);
      std::swap(sum_next_2, sum_spare_2);
      std::swap(sum_next_3, sum_spare_3);
    }

    // dynamic_update_slice.5  (training.py:106)
    if (failed("dynamic_update_slice", launch_dynamic_update_slice(broadcast_1,
                                                                   out->broadcast_in_dim, t,
                                                                   stream))) {
      return kPpoUpdateCudaError;
    }

    params_policy_0_b = params_policy_0_b_next;
    params_policy_0_w = params_policy_0_w_next;
    params_policy_1_b = params_policy_1_b_next;
    params_policy_1_w = params_policy_1_w_next;
    params_policy_2_b = params_policy_2_b_next;
    params_policy_2_w = params_policy_2_w_next;
    params_value_0_b = params_value_0_b_next;
    params_value_0_w = params_value_0_w_next;
    params_value_1_b = params_value_1_b_next;
    params_value_1_w = params_value_1_w_next;
    params_value_2_b = params_value_2_b_next;
    params_value_2_w = params_value_2_w_next;
    state_m_policy_0_b = state_m_policy_0_b_next;
    state_m_policy_0_w = state_m_policy_0_w_next;
    state_m_policy_1_b = state_m_policy_1_b_next;
    state_m_policy_1_w = state_m_policy_1_w_next;
    state_m_policy_2_b = state_m_policy_2_b_next;
    state_m_policy_2_w = state_m_policy_2_w_next;
    state_m_value_0_b = state_m_value_0_b_next;
    state_m_value_0_w = state_m_value_0_w_next;
    state_m_value_1_b = state_m_value_1_b_next;
    state_m_value_1_w = state_m_value_1_w_next;
    state_m_value_2_b = state_m_value_2_b_next;
    state_m_value_2_w = state_m_value_2_w_next;
    state_step = state_step_next;
    state_v_policy_0_b = state_v_policy_0_b_next;
    state_v_policy_0_w = state_v_policy_0_w_next;
    state_v_policy_1_b = state_v_policy_1_b_next;
    state_v_policy_1_w = state_v_policy_1_w_next;
    state_v_policy_2_b = state_v_policy_2_b_next;
    state_v_policy_2_w = state_v_policy_2_w_next;
    state_v_value_0_b = state_v_value_0_b_next;
    state_v_value_0_w = state_v_value_0_w_next;
    state_v_value_1_b = state_v_value_1_b_next;
    state_v_value_1_w = state_v_value_1_w_next;
    state_v_value_2_b = state_v_value_2_b_next;
    state_v_value_2_w = state_v_value_2_w_next;
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
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  delete instance;
}

const char* ppo_update_last_error() { return last_error; }
