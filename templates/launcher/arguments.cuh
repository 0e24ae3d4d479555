// arguments.cuh: what a launcher asks of its caller's pointers before it runs anything.

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "launcher/failure.cuh"

inline namespace sinter_helpers {

// Nothing is wrong if `what` is null.
struct ArgumentProblem {
  const char* what = nullptr;
  const char* name = "";   // of an input or output
  const char* other = "";  // of another one, that it overlaps
};

// The bytes an input or output of the caller covers.
struct ArgumentRange {
  uintptr_t begin;
  uintptr_t end;
  const char* name;
  bool written;
};

// An output may overlap no input and no other output. Sorts the ranges.
inline ArgumentProblem overlap_problem(ArgumentRange* ranges, int count) {
  // Sorted by a heap: g++ 12 sees errors in std::sort of a short array that are none.
  const auto before = [](const ArgumentRange& a, const ArgumentRange& b) {
    return a.begin < b.begin;
  };
  std::make_heap(ranges, ranges + count, before);
  std::sort_heap(ranges, ranges + count, before);
  const ArgumentRange* last = nullptr;  // of the ranges so far, the one that ends last
  const ArgumentRange* last_written = nullptr;
  for (int i = 0; i < count; ++i) {
    const ArgumentRange& range = ranges[i];
    const ArgumentRange* other = range.written ? last : last_written;
    if (other != nullptr && range.begin < other->end) {
      return {"overlapping: ", range.name, other->name};
    }
    if (last == nullptr || range.end > last->end) last = &range;
    if (!range.written) continue;
    if (last_written == nullptr || range.end > last_written->end) last_written = &range;
  }
  return {};
}

// `in` and `out` are structs that hold a pointer for each row of their tables. Pointers must not be
// null or misaligned, and outputs must not overlap; where donated_to[i] >= 0, input i may be the
// same array as that output. donated_to may be null.
template <class In, class Out, class Tensor>
ArgumentProblem argument_problem(const In& in, const Tensor* in_table, const Out& out,
                                 const Tensor* out_table, const int* donated_to) {
  constexpr int kInputs = sizeof(In) / sizeof(void*);  // 0 for an empty struct
  constexpr int kOutputs = sizeof(Out) / sizeof(void*);
  const void* pointers[kInputs + kOutputs + 1] = {};
  std::memcpy(pointers, &in, kInputs * sizeof(void*));
  std::memcpy(pointers + kInputs, &out, kOutputs * sizeof(void*));

  ArgumentRange ranges[kInputs + kOutputs + 1];
  int count = 0;
  for (int i = 0; i < kInputs + kOutputs; ++i) {
    const bool written = i >= kInputs;
    const Tensor& tensor = written ? out_table[i - kInputs] : in_table[i];
    if (tensor.bytes == 0) continue;
    // One pointer for a donated pair stands for the output alone.
    const int output = written || donated_to == nullptr ? -1 : donated_to[i];
    if (output >= 0 && pointers[i] == pointers[kInputs + output]) continue;
    const uintptr_t begin = reinterpret_cast<uintptr_t>(pointers[i]);
    if (begin == 0) return {"null pointer for ", tensor.name};
    if (begin % 16 != 0) return {"not 16-byte aligned: ", tensor.name};
    ranges[count++] = {begin, begin + static_cast<uintptr_t>(tensor.bytes), tensor.name, written};
  }
  return overlap_problem(ranges, count);
}

// The current device is that of an instance.
inline Failure check_device(int wanted, LastError& last_error) {
  int current = 0;
  const cudaError_t error = cudaGetDevice(&current);
  if (last_error.failed("device", error)) return {Failure::kCudaError};
  if (current == wanted) return {};
  return last_error.say(Failure::kOtherDevice, "run while device %d is current, not %d", current,
                        wanted);
}

// What a run asks before its first step.
template <class Own, class In, class Out, class Tensor>
Failure check_run(const Own* instance, const In* in, const Tensor* in_table, const Out* out,
                  const Tensor* out_table, const int* donated_to, LastError& last_error) {
  last_error.clear();
  if (instance == nullptr || in == nullptr || out == nullptr)
    return last_error.say(Failure::kInvalidArgument, "null argument of run");
  if (const Failure failure = check_device(instance->device, last_error)) return failure;
  const ArgumentProblem wrong = argument_problem(*in, in_table, *out, out_table, donated_to);
  if (wrong.what == nullptr) return {};
  const char* separator = *wrong.other == '\0' ? "" : ", ";
  return last_error.say(Failure::kInvalidArgument, "%s%s%s%s", wrong.what, wrong.name, separator,
                        wrong.other);
}

}  // namespace sinter_helpers
