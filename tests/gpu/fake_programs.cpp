// A fake device: programs of two kernels, of which the second gives a wrong number, fails, crashes or never ends. Each
// computes y = 2 x + 1 of four floats, where it does.
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "runtime/program_entry.h"

namespace {

enum class Fault { kNone, kWrong, kFails, kCrashes, kHangs, kUnsteady };

constexpr int64_t kDims[] = {4};
constexpr EntryTensor kX[] = {{"x", "f32", 1, kDims, 16}};
constexpr EntryTensor kY[] = {{"y", "f32", 1, kDims, 16}};
std::string problem;  // as a launcher says it

bool fails(const char* kernel, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(kernel);
  if (error != cudaSuccess) problem = std::string("fails: ") + kernel + ": launch failure";
  return error != cudaSuccess;
}

bool run(void* const* arrays, Fault fault) {
  static int unsteady_runs = 0;
  const auto* x = static_cast<const float*>(arrays[0]);
  auto* y = static_cast<float*>(arrays[1]);
  for (int i = 0; i < 4; ++i) y[i] = 2 * x[i];
  if (fails("twice", cudaSuccess)) return false;
  for (int i = 0; i < 4; ++i) y[i] += 1;
  if (fault == Fault::kWrong) y[2] = 7;
  if (fault == Fault::kUnsteady && ++unsteady_runs == 3) y[1] = 7;
  if (fails("one_more", fault == Fault::kFails ? cudaErrorLaunchFailure : cudaSuccess)) return false;
  if (fault == Fault::kCrashes) std::abort();
  while (fault == Fault::kHangs) sleep(1);
  return true;
}

template <Fault kind>
const ProgramEntry* entry() {
#ifdef NO_FAULTS  // the device that is right
  constexpr Fault fault = Fault::kNone;
#else
  constexpr Fault fault = kind;
#endif
  static const ProgramEntry entry = {1,
                                     1,
                                     kX,
                                     kY,
                                     [](void** instance) { return *instance = nullptr, true; },
                                     [](void*, void* const* arrays, cudaStream_t) { return run(arrays, fault); },
                                     [](void*) {},
                                     [] { return problem.c_str(); },
                                     [](StepListener listener) { step_listener = listener; },
                                     nullptr};
  return &entry;
}

}  // namespace

extern "C" const ProgramEntry* entry_good() { return entry<Fault::kNone>(); }
extern "C" const ProgramEntry* entry_wrong() { return entry<Fault::kWrong>(); }
extern "C" const ProgramEntry* entry_fails() { return entry<Fault::kFails>(); }
extern "C" const ProgramEntry* entry_crashes() { return entry<Fault::kCrashes>(); }
extern "C" const ProgramEntry* entry_hangs() { return entry<Fault::kHangs>(); }
extern "C" const ProgramEntry* entry_unsteady() { return entry<Fault::kUnsteady>(); }
extern "C" const ProgramEntry* entry_last() { return entry<Fault::kNone>(); }
