// profile.h: how long runs of a program take, and each of their steps, by events of the stream; no
// profiler is needed. A step's time is that from the end of the step before to its own end, which
// has the gap between two launches in it.
//
// While the host puts a run on the stream, the device waits: else short kernels would be as slow as
// the host is. A program whose host waits for the device itself is measured without that.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "device/launch.cuh"
#include "launcher/steps.cuh"

namespace profile {

// What is measured: `run` puts one run on the stream, and returns what is wrong, or nothing.
struct Target {
  std::function<std::string()> run;
  std::function<void(StepListener)> listen;  // has the launcher tell of its steps
  cudaStream_t stream = nullptr;
};

// Microseconds of several runs.
struct Times {
  std::vector<double> us;  // sorted
  double at(double part) const {
    if (us.empty()) return 0;
    return us[static_cast<size_t>(part * static_cast<double>(us.size() - 1) + 0.5)];
  }
  double median() const { return at(0.5); }
};

struct Step {
  std::string name;
  long count = 0;  // in one run
  Times launch;    // of each launch in each run
};

struct Slice {  // of the last run, for a trace
  std::string name;
  double begin_us = 0, us = 0;
};

struct Profile {
  std::string error;  // what went wrong, or empty
  Times run;          // whole runs, without events in them
  std::vector<Step> steps;
  std::vector<Slice> slices;
  double event_us = 0;      // what an event itself takes, which each step's time has in it
  long steps_untimed = 0;   // of one run, beyond the most that have events
  bool host_waits = false;  // the device did not wait for the host
};

class Event {
 public:
  Event() { ok_ = cudaEventCreate(&event_) == cudaSuccess; }
  ~Event() {
    if (ok_) cudaEventDestroy(event_);
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  cudaError_t record(cudaStream_t stream) {
    return ok_ ? cudaEventRecord(event_, stream) : cudaErrorUnknown;
  }
  double us_since(const Event& before) const {
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, before.event_, event_);
    return 1000.0 * milliseconds;
  }

 private:
  cudaEvent_t event_ = nullptr;
  bool ok_ = false;
};

// Holds a stream until it is opened, but no longer than a host that waits for that stream can bear.
class Gate {
 public:
  cudaError_t close(cudaStream_t stream) {
    open_ = false;
#ifdef SINTER_CPU
    static_cast<void>(stream);
    return cudaSuccess;
#else
    return cudaLaunchHostFunc(stream, [](void* gate) { static_cast<Gate*>(gate)->wait(); }, this);
#endif
  }
  void open() { open_ = true; }
  bool timed_out() const { return timed_out_; }

 private:
  void wait() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
    while (!open_ && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    if (!open_) timed_out_ = true;
  }
  std::atomic<bool> open_ = true, timed_out_ = false;
};

class Profiler {
 public:
  explicit Profiler(const Target& target) : target_(target) {}

  Profile measure(long warmup, long repeat, bool steps) {
    for (long i = 0; i < warmup && good(); ++i) fail(target_.run());
    synchronize();
    for (long i = 0; i < repeat && good(); ++i) measure_run();
    std::sort(profile_.run.us.begin(), profile_.run.us.end());
    if (steps) {
      for (long i = 0; i < repeat && good(); ++i) measure_steps();
      for (Step& step : profile_.steps) std::sort(step.launch.us.begin(), step.launch.us.end());
      measure_events();
      // A shared library has a listener of its own, whom nobody can set.
      if (repeat > 0 && profile_.steps.empty())
        fail(
            "no step was told: runs have none, or the library is a shared one, which keeps them to "
            "itself");
    }
    profile_.host_waits = gate_.timed_out();
    return std::move(profile_);
  }

 private:
  static constexpr size_t kMostEvents = 4096;

  bool good() const { return profile_.error.empty(); }
  void fail(const std::string& error) {
    if (good()) profile_.error = error;
  }
  void check(cudaError_t error) {
    if (error != cudaSuccess) fail(cudaGetErrorString(error));
  }
  void synchronize() { check(cudaStreamSynchronize(target_.stream)); }

  // One run between two events.
  void run_between(Event& start, Event& stop) {
    if (!gate_.timed_out()) check(gate_.close(target_.stream));
    check(start.record(target_.stream));
    fail(target_.run());
    check(stop.record(target_.stream));
    gate_.open();
    synchronize();
  }

  void measure_run() {
    run_between(start_, stop_);
    if (good()) profile_.run.us.push_back(stop_.us_since(start_));
  }

  void measure_steps() {
    told_.clear();
    untimed_ = 0;
    target_.listen(
        {[](void* self, const char* what) { return static_cast<Profiler*>(self)->step(what); },
         this});
    run_between(start_, stop_);
    target_.listen({});
    if (!good()) return;
    profile_.slices.clear();
    profile_.steps_untimed = untimed_;
    std::map<std::string, long> counts;
    for (size_t i = 0; i < told_.size(); ++i) {
      const double us = events_[i]->us_since(i == 0 ? start_ : *events_[i - 1]);
      of_step(told_[i]).launch.us.push_back(us);
      ++counts[told_[i]];
      profile_.slices.push_back({told_[i], events_[i]->us_since(start_) - us, us});
    }
    for (Step& step : profile_.steps) step.count = counts[step.name];
  }

  cudaError_t step(const char* what) {
    if (told_.size() == kMostEvents) return ++untimed_, cudaSuccess;
    if (told_.size() == events_.size()) events_.push_back(std::make_unique<Event>());
    told_.push_back(what);
    return events_[told_.size() - 1]->record(target_.stream);
  }

  // In the order in which runs come to them.
  Step& of_step(const std::string& name) {
    for (Step& step : profile_.steps) {
      if (step.name == name) return step;
    }
    profile_.steps.push_back({.name = name, .count = 0, .launch = {}});
    return profile_.steps.back();
  }

  void measure_events() {
    Times times;
    for (int i = 0; i < 20 && good(); ++i) {
      if (!gate_.timed_out()) check(gate_.close(target_.stream));
      check(start_.record(target_.stream));
      check(stop_.record(target_.stream));
      gate_.open();
      synchronize();
      times.us.push_back(stop_.us_since(start_));
    }
    std::sort(times.us.begin(), times.us.end());
    profile_.event_us = times.median();
  }

  const Target& target_;
  Profile profile_;
  Event start_, stop_;
  Gate gate_;
  std::vector<std::unique_ptr<Event>> events_;
  std::vector<std::string> told_;
  long untimed_ = 0;
};

inline std::string device_name() {
  cudaDeviceProp properties;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaGetDeviceProperties(&properties, device) != cudaSuccess)
    return "unknown";
  return properties.name;
}

// --- what is said of it --------------------------------------------------------------------------

inline std::string times_json(const Times& times) {
  char text[160];
  std::snprintf(text, sizeof text,
                "{\"median\": %.4f, \"low\": %.4f, \"high\": %.4f, \"min\": %.4f, \"count\": %zu}",
                times.median(), times.at(0.1), times.at(0.9), times.at(0), times.us.size());
  return text;
}

// One line. Names are C identifiers.
inline std::string profile_json(const std::string& program, const Profile& profile) {
  std::string text = "{\"program\": \"" + program + "\", \"device\": \"" + device_name() + "\"";
  text += ", \"run_us\": " + times_json(profile.run);
  text += ", \"event_us\": " + std::to_string(profile.event_us);
  text += ", \"steps_untimed\": " + std::to_string(profile.steps_untimed);
  text += std::string(", \"host_waits\": ") + (profile.host_waits ? "true" : "false");
  text += ", \"steps\": [";
  for (const Step& step : profile.steps) {
    text += &step == &profile.steps[0] ? "" : ", ";
    text += "{\"name\": \"" + step.name + "\", \"count\": " + std::to_string(step.count) +
            ", \"us\": " + times_json(step.launch) + "}";
  }
  return text + "]}";
}

// A launch of a kernel, as the compiler predicted it for a GPU.
struct Predicted {
  const char* name;
  double bytes, flops, us;
};
using Predictions = std::initializer_list<Predicted>;

inline const Predicted* predicted_of(const Predictions& predictions, const std::string& kernel) {
  for (const Predicted& predicted : predictions) {
    if (kernel == predicted.name) return &predicted;
  }
  return nullptr;
}

// A line for each step: its time, its share of all steps' time, and beside it what was predicted.
inline void print_profile(const Profile& profile, const Predictions& predictions, const char* gpu) {
  const std::string device = device_name();
  std::printf("\non %s, predicted for %s\n", device.c_str(), gpu);
  if (device == "CPU") std::printf("The CPU build stands in a GPU's place: times are the CPU's.\n");
  std::printf("\n%-28s %8s %11s %21s %8s %9s %9s %10s %7s\n", "step", "launches", "us",
              "10 % to 90 %", "share", "GB/s", "GFLOP/s", "predicted", "ratio");
  double all = 0, all_predicted = 0;
  for (const Step& step : profile.steps)
    all += static_cast<double>(step.count) * step.launch.median();
  for (const Step& step : profile.steps) {
    const double us = step.launch.median(), count = static_cast<double>(step.count);
    char spread[64];
    std::snprintf(spread, sizeof spread, "%.2f to %.2f", step.launch.at(0.1), step.launch.at(0.9));
    std::printf("%-28s %8ld %11.2f %21s %6.1f %%", step.name.c_str(), step.count, us, spread,
                all > 0 ? 100 * count * us / all : 0);
    const Predicted* predicted = predicted_of(predictions, step.name);
    if (predicted != nullptr && us > 0) {
      std::printf(" %9.1f %9.1f %10.2f", predicted->bytes / us / 1e3, predicted->flops / us / 1e3,
                  predicted->us);
      if (predicted->us > 0) std::printf(" %7.2f", us / predicted->us);
      all_predicted += count * predicted->us;
    }
    std::printf("\n");
  }
  std::printf("\nsteps: %.2f us; kernels of them predicted: %.2f us\n", all, all_predicted);
  if (profile.steps_untimed > 0) std::printf("%ld steps more\n", profile.steps_untimed);
  std::printf("A step's time has an event in it, which alone takes %.2f us.\n", profile.event_us);
  if (profile.host_waits) std::printf("The host waits for the device within a run.\n");
}

// The last run, as chrome://tracing and Perfetto read it.
inline bool write_trace(const std::string& path, const Profile& profile,
                        const Predictions& predictions) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return false;
  std::fputs("{\"traceEvents\": [", file);
  for (const Slice& slice : profile.slices) {
    std::fprintf(file, "%s\n {\"name\": \"%s\", \"ph\": \"X\", \"pid\": 0, \"tid\": 0, ",
                 &slice == &profile.slices[0] ? "" : ",", slice.name.c_str());
    std::fprintf(file, "\"ts\": %.3f, \"dur\": %.3f", slice.begin_us, slice.us);
    if (const Predicted* predicted = predicted_of(predictions, slice.name))
      std::fprintf(file, ", \"args\": {\"bytes\": %.0f, \"predicted_us\": %.3f}", predicted->bytes,
                   predicted->us);
    std::fputs("}", file);
  }
  std::fputs("\n]}\n", file);
  return std::fclose(file) == 0;
}

}  // namespace profile
