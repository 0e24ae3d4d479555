// graph_attention.cu: the launcher. What runs, in which order, on which buffers.
//
// Arena: 57.9 kB; the largest live set is 54.5 kB.
//
//   arena   +32000  broadcast           f32[60,16]
//   arena   +43520  broadcast_in_dim    s32[500,1]
//   arena   +35840  dot                 f32[60,16]
//   arena   +0      gather              f32[500,16]
//   arena   +39680  dot_1               f32[500]
//   arena   +45568  broadcast_in_dim_1  s32[500,1]
//   arena   +47616  dot_2               f32[500]
//   arena   +49664  ge                  f32[500]
//   arena   +51712  mul                 f32[500]
//   arena   +35840  select_1            f32[500]
//   arena   +37888  max                 f32[60]
//   arena   +53760  gather_1            f32[500]
//   arena   +55808  exponential         f32[500]
//   arena   +35840  sum_1               f32[60]
//   arena   +39680  gather_2            f32[500]
//   arena   +35840  scatter_add         f32[60,16]
//   arena   +39680  dot_3               f32[60,16]
//   arena   +0      gather_3            f32[500,16]
//   arena   +35840  dot_4               f32[500]
//   arena   +47616  dot_5               f32[500]
//   arena   +39936  max_1               f32[60]
//   arena   +37888  exponential_1       f32[500]
//   arena   +40192  sum_2               f32[60]
//   arena   +35840  gather_4            f32[500]

#include "graph_attention.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace graph_attention_kernels;

struct GraphAttentionInstance {
  void* arena = nullptr;  // device memory for values between kernels
};

extern const GraphAttentionTensor kGraphAttentionInputTable[] = {
    {"features", "f32", 2, kGraphAttentionInFeatures, 3840},
    {"senders", "s32", 1, kGraphAttentionInSenders, 2000},
    {"receivers", "s32", 1, kGraphAttentionInReceivers, 2000},
    {"weights", "f32", 3, kGraphAttentionInWeights, 2048},
    {"scores", "f32", 3, kGraphAttentionInScores, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const GraphAttentionTensor kGraphAttentionOutputTable[] = {
    {"select", "f32", 2, kGraphAttentionOutSelect, 3840},
    {"sum", "s32", 1, kGraphAttentionOutSum, 240},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

constexpr size_t kArenaBytes = 57856;

thread_local char last_error[256] = "";

GraphAttentionStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "graph_attention: %s %s %s", what, name, other);
  return kGraphAttentionInvalidArgument;
}

// True if the call did not succeed; then graph_attention_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "graph_attention: %s: %s", what, reason);
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
GraphAttentionStatus check_arguments(const GraphAttentionInputs& in,
                                     const GraphAttentionOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kGraphAttentionInputCount + kGraphAttentionOutputCount + 1] = {};
  static_assert(sizeof in == kGraphAttentionInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kGraphAttentionOutputCount * sizeof(void*));
  std::memcpy(pointers + kGraphAttentionInputCount, &out, sizeof out);

  Range ranges[kGraphAttentionInputCount + kGraphAttentionOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kGraphAttentionInputCount + kGraphAttentionOutputCount; ++i) {
    const bool written = i >= kGraphAttentionInputCount;
    const GraphAttentionTensor& tensor =
        written ? kGraphAttentionOutputTable[i - kGraphAttentionInputCount]
                : kGraphAttentionInputTable[i];
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
  return kGraphAttentionOk;
}

}  // namespace

GraphAttentionStatus graph_attention_create(GraphAttentionInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  GraphAttentionInstance* created = new (std::nothrow) GraphAttentionInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kGraphAttentionOutOfMemory;
  }
  cudaError_t error = cudaSuccess;
  if (error == cudaSuccess) error = cudaMalloc(&created->arena, kArenaBytes);
  if (failed("create", error)) {
    graph_attention_destroy(created);
    return error == cudaErrorMemoryAllocation ? kGraphAttentionOutOfMemory : kGraphAttentionCudaError;
  }
  *instance = created;
  return kGraphAttentionOk;
}

GraphAttentionStatus graph_attention_run(GraphAttentionInstance* instance,
                                         const GraphAttentionInputs* in,
                                         const GraphAttentionOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const GraphAttentionStatus status = check_arguments(*in, *out);
  if (status != kGraphAttentionOk) return status;

  float* const broadcast = at<float>(instance->arena, 32000);       // f32[60,16]
  int* const broadcast_in_dim = at<int>(instance->arena, 43520);    // s32[500,1]
  float* const dot = at<float>(instance->arena, 35840);             // f32[60,16]
  float* const gather = at<float>(instance->arena, 0);              // f32[500,16]
  float* const dot_1 = at<float>(instance->arena, 39680);           // f32[500]
  int* const broadcast_in_dim_1 = at<int>(instance->arena, 45568);  // s32[500,1]
  float* const dot_2 = at<float>(instance->arena, 47616);           // f32[500]
  float* const ge = at<float>(instance->arena, 49664);              // f32[500]
  float* const mul = at<float>(instance->arena, 51712);             // f32[500]
  float* const select_1 = at<float>(instance->arena, 35840);        // f32[500]
  float* const max = at<float>(instance->arena, 37888);             // f32[60]
  float* const gather_1 = at<float>(instance->arena, 53760);        // f32[500]
  float* const exponential = at<float>(instance->arena, 55808);     // f32[500]
  float* const sum_1 = at<float>(instance->arena, 35840);           // f32[60]
  float* const gather_2 = at<float>(instance->arena, 39680);        // f32[500]
  float* const scatter_add = at<float>(instance->arena, 35840);     // f32[60,16]
  float* const dot_3 = at<float>(instance->arena, 39680);           // f32[60,16]
  float* const gather_3 = at<float>(instance->arena, 0);            // f32[500,16]
  float* const dot_4 = at<float>(instance->arena, 35840);           // f32[500]
  float* const dot_5 = at<float>(instance->arena, 47616);           // f32[500]
  float* const max_1 = at<float>(instance->arena, 39936);           // f32[60]
  float* const exponential_1 = at<float>(instance->arena, 37888);   // f32[500]
  float* const sum_2 = at<float>(instance->arena, 40192);           // f32[60]
  float* const gather_4 = at<float>(instance->arena, 35840);        // f32[500]

  // broadcast.7
  if (failed("broadcast_1", launch_broadcast_1(broadcast, stream))) return kGraphAttentionCudaError;

  // broadcast_in_dim.42  (make_samples.py:51)
  if (failed("broadcast_in_dim_1", launch_broadcast_in_dim_1(in->receivers, broadcast_in_dim,
                                                             stream))) {
    return kGraphAttentionCudaError;
  }

  // dot_general.6  (make_samples.py:45)
  if (failed("dot_1", launch_dot_1(in->features, in->weights, dot, stream))) {
    return kGraphAttentionCudaError;
  }

  // gather.10  (make_samples.py:46)
  if (failed("gather_1", launch_gather_1(in->senders, dot, gather, stream))) {
    return kGraphAttentionCudaError;
  }

  // dot_general.7, broadcast_in_dim.26, dot_general.8  (make_samples.py:46)
  if (failed("dot_2", launch_dot_2(in->senders, in->receivers, in->scores, dot, dot_1,
                                   broadcast_in_dim_1, dot_2, stream))) {
    return kGraphAttentionCudaError;
  }

  // ge.2  (make_samples.py:46)
  if (failed("ge", launch_ge(ge, stream))) return kGraphAttentionCudaError;

  // mul.2  (make_samples.py:46)
  if (failed("mul", launch_mul(mul, stream))) return kGraphAttentionCudaError;

  // select_n.3  (make_samples.py:46)
  if (failed("select_1", launch_select_1(dot_1, dot_2, select_1, stream))) {
    return kGraphAttentionCudaError;
  }

  // scatter-max.10  (make_samples.py:47)
  if (failed("max_1", launch_max_1(in->receivers, dot_1, dot_2, max, stream))) {
    return kGraphAttentionCudaError;
  }

  // gather.12  (make_samples.py:48)
  if (failed("gather_2", launch_gather_2(broadcast_in_dim_1, max, gather_1, stream))) {
    return kGraphAttentionCudaError;
  }

  // exp.2  (make_samples.py:48)
  if (failed("exponential_1", launch_exponential_1(select_1, gather_1, exponential, stream))) {
    return kGraphAttentionCudaError;
  }

  // scatter-add.25  (make_samples.py:49)
  if (failed("sum_1", launch_sum_1(in->receivers, dot_1, dot_2, max, sum_1, stream))) {
    return kGraphAttentionCudaError;
  }

  // gather.13  (make_samples.py:50)
  if (failed("gather_2", launch_gather_2(broadcast_in_dim_1, sum_1, gather_2, stream))) {
    return kGraphAttentionCudaError;
  }

  // scatter-add.26  (make_samples.py:51)
  if (failed("scatter_add", launch_scatter_add(broadcast_in_dim, broadcast, exponential, gather_2,
                                               gather, scatter_add, stream))) {
    return kGraphAttentionCudaError;
  }

  // dot_general.9  (make_samples.py:45)
  if (failed("dot_3", launch_dot_3(in->weights, scatter_add, dot_3, stream))) {
    return kGraphAttentionCudaError;
  }

  // gather.15  (make_samples.py:46)
  if (failed("gather_1", launch_gather_1(in->senders, dot_3, gather_3, stream))) {
    return kGraphAttentionCudaError;
  }

  // dot_general.10, dot_general.11  (make_samples.py:46)
  if (failed("dot_4", launch_dot_4(in->senders, in->receivers, in->scores, dot_3, dot_4, dot_5,
                                   stream))) {
    return kGraphAttentionCudaError;
  }

  // scatter-max.11  (make_samples.py:47)
  if (failed("max_1", launch_max_1(in->receivers, dot_4, dot_5, max_1, stream))) {
    return kGraphAttentionCudaError;
  }

  // exp.3  (make_samples.py:48)
  if (failed("exponential_2", launch_exponential_2(dot_4, dot_5, ge, mul, broadcast_in_dim_1, max_1,
                                                   exponential_1, stream))) {
    return kGraphAttentionCudaError;
  }

  // scatter-add.27  (make_samples.py:49)
  if (failed("sum_1", launch_sum_1(in->receivers, dot_4, dot_5, max_1, sum_2, stream))) {
    return kGraphAttentionCudaError;
  }

  // gather.18  (make_samples.py:50)
  if (failed("gather_2", launch_gather_2(broadcast_in_dim_1, sum_2, gather_4, stream))) {
    return kGraphAttentionCudaError;
  }

  // select_n.28  (make_samples.py:51)
  if (failed("select_2", launch_select_2(broadcast_in_dim, broadcast, exponential_1, gather_4,
                                         gather_3, out->select, stream))) {
    return kGraphAttentionCudaError;
  }

  // scatter-add.29  (make_samples.py:52)
  if (failed("sum_3", launch_sum_3(in->receivers, out->sum, stream))) {
    return kGraphAttentionCudaError;
  }

  return kGraphAttentionOk;
}

void graph_attention_destroy(GraphAttentionInstance* instance) {
  if (instance == nullptr) return;
  cudaFree(instance->arena);
  delete instance;
}

const char* graph_attention_last_error() { return last_error; }
