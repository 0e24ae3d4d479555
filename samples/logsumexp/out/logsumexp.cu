// logsumexp.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "logsumexp.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include "kernels.h"

using namespace logsumexp_kernels;

struct LogsumexpInstance {};  // nothing is kept between runs

extern const LogsumexpTensor kLogsumexpInputTable[] = {
    {"x", "f32", 2, kLogsumexpInX, 24832},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const LogsumexpTensor kLogsumexpOutputTable[] = {
    {"add", "f32", 1, kLogsumexpOutAdd, 256},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

LogsumexpStatus refuse(const char* what, const char* name = "", const char* other = "") {
  std::snprintf(last_error, sizeof last_error, "logsumexp: %s %s %s", what, name, other);
  return kLogsumexpInvalidArgument;
}

// True if the call did not succeed; then logsumexp_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return false;
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "logsumexp: %s: %s", what, reason);
  return true;
}

// The bytes an input or output of the caller covers.
struct Range {
  uintptr_t begin;
  uintptr_t end;
  const char* name;
  bool written;
};

// Refuses null and misaligned pointers, and outputs that overlap an input or another output.
LogsumexpStatus check_arguments(const LogsumexpInputs& in, const LogsumexpOutputs& out) {
  // The structs hold one pointer for each row of the tables.
  const void* pointers[kLogsumexpInputCount + kLogsumexpOutputCount + 1] = {};
  static_assert(sizeof in == kLogsumexpInputCount * sizeof(void*));
  std::memcpy(pointers, &in, sizeof in);
  static_assert(sizeof out == kLogsumexpOutputCount * sizeof(void*));
  std::memcpy(pointers + kLogsumexpInputCount, &out, sizeof out);

  Range ranges[kLogsumexpInputCount + kLogsumexpOutputCount + 1];
  int count = 0;
  for (int i = 0; i < kLogsumexpInputCount + kLogsumexpOutputCount; ++i) {
    const bool written = i >= kLogsumexpInputCount;
    const LogsumexpTensor& tensor =
        written ? kLogsumexpOutputTable[i - kLogsumexpInputCount]
                : kLogsumexpInputTable[i];
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
  return kLogsumexpOk;
}

}  // namespace

LogsumexpStatus logsumexp_create(LogsumexpInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  LogsumexpInstance* created = new (std::nothrow) LogsumexpInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kLogsumexpOutOfMemory;
  }
  *instance = created;
  return kLogsumexpOk;
}

LogsumexpStatus logsumexp_run(LogsumexpInstance* instance, const LogsumexpInputs* in,
                              const LogsumexpOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  const LogsumexpStatus status = check_arguments(*in, *out);
  if (status != kLogsumexpOk) return status;

  // add.1  (elementwise.py:33)
  if (failed("logsumexp", launch_logsumexp(in->x, out->add, stream))) return kLogsumexpCudaError;

  return kLogsumexpOk;
}

void logsumexp_destroy(LogsumexpInstance* instance) {
  delete instance;
}

const char* logsumexp_last_error() { return last_error; }
