// What the runner of an emitted folder measured (runtime/profile.h), beside what the folder predicts (fusion.json).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "passes/schedule/cost/gpu.h"

namespace sinter {

struct Spread {
  double median = 0, low = 0, high = 0, min = 0;  // microseconds; low and high: the 10th and the 90th of a hundred
};

struct MeasuredStep {
  std::string name;  // a kernel, or "copy", "clear", "condition", a library's function
  int64_t count = 0;
  Spread us;  // of one launch
  // Of kernels.
  std::optional<double> predicted_us;
  std::string bound;
  double bytes = 0, flops = 0;  // of one launch
  double least_us = 0;          // of the device: to move the bytes, or to do the operations
};

struct Measured {
  std::string program, device;
  std::string gpu;  // that the predictions are for
  Spread run_us;
  double event_us = 0;
  bool host_waits = false;
  std::optional<double> predicted_us;
  std::vector<MeasuredStep> steps;

  bool is_cpu() const { return device == "CPU"; }
};

// From the runner's JSON and fusion.json; nullopt with `error` set where one is not as it should be. `gpu`: whose
// rates are the roofline.
std::optional<Measured> read_measured(std::string_view runner, std::string_view fusion, const Gpu& gpu,
                                      std::string& error);

// How far a prediction may be off before it is called wrong: a factor.
inline constexpr double kOff = 2;

std::string measured_text(const Measured& measured);
std::string measured_json(const Measured& measured);

}  // namespace sinter
