// What a compiled program does on the device, in numbers: launches, bytes, loops, and why each value that goes
// through device memory does. `sinter explain` prints it; fusion.json and --json spell it with stable names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/compile/compile.h"
#include "passes/lower/host/forks.h"

namespace sinter {

struct PlanReport {
  struct Loop {
    std::string name;
    std::optional<int64_t> trip;
    Scope scope = Scope::kThread;
    int64_t launches_per_iteration = 0;
  };
  // A kernel that is predicted to take far longer than it has to (slow_kernels.h).
  struct Slow {
    double least_us = 0;  // what its bytes, and the operations that it cannot do without, take
    std::string value;    // the one that takes most of these operations
    std::string reason;   // the ledger's, of a value that the kernel stores or reads; may be empty
  };
  struct KernelReport {
    std::string name;
    std::string file;
    std::optional<int64_t> count;  // launches of this kernel in one run
    std::vector<std::string> schedules;
    int64_t grid[3] = {1, 1, 1};
    bool of_run = false;  // a run has the blocks that its size needs, up to `grid`
    int64_t block = 1;
    bool resident = false;  // all its blocks are on the device at the same time: there may be fewer
    int64_t shared_bytes = 0;
    int64_t bytes_read = 0;  // of one launch
    int64_t bytes_written = 0;
    // Predictions (docs/cost.md), of one launch.
    int64_t flops = 0;
    int registers = 0;  // of a thread
    double occupancy = 0;
    double predicted_us = 0;
    std::string bound;  // what takes the time: "memory"
    std::optional<Slow> slow;
  };
  // What another plan would take in all: one in which the kernels that read a value compute it themselves.
  struct Alternative {
    std::vector<std::string> kernels;    // those that would compute it; empty: no plan says so
    std::string refusal;                 // why they cannot be lowered, if they cannot
    std::optional<double> predicted_us;  // of a run
  };
  struct Boundary {
    std::string value;
    int64_t bytes = 0;
    std::string reason;
    std::string blocked_by;
    std::string source;                      // the innermost Python place, "file.py:12 (function)"
    double predicted_us = 0;                 // to write and to read it once
    std::optional<Alternative> alternative;  // where somebody asked
  };
  std::string program;
  std::string elided_note;          // which constants have made-up values; empty if none
  std::optional<int64_t> launches;  // nullopt: a trip count depends on data
  int64_t launches_outside_loops = 0;
  int64_t grid_barriers = 0;  // how often the blocks of a launch wait for one another; loops that data ends have a step
  std::optional<int64_t> host_waits;  // of a run, for what decides about a loop or branch; nullopt: data ends a loop
  // A run as a CUDA graph, in which the host waits for nothing.
  struct Graph {
    std::string refusal;            // why there is none
    int64_t conditional_nodes = 0;  // about which data decides
    int64_t forks = 0;              // into branches that may run side by side
    double predicted_once_us = 0;   // as that of a run, if they do
  };
  Graph graph;
  std::optional<int64_t> bytes_read, bytes_written;
  std::string gpu;                     // that predictions are made for
  std::optional<double> predicted_us;  // of a run; nullopt: a trip count depends on data, or a library is called
  // The same with what depends on data (steps of a loop, each arm of a branch) counted once, and the call of a library
  // as a copy of the bytes that it touches: what plans are compared by.
  double predicted_once_us = 0;
  int64_t arena_bytes = 0;
  int64_t live_bytes = 0;
  int64_t weights_bytes = 0;
  // What a kernel for each value would take, where somebody asked.
  struct Unfused {
    std::optional<int64_t> launches, bytes_read, bytes_written;
    std::optional<double> predicted_us;
    double predicted_once_us = 0;
  };
  std::optional<Unfused> unfused;
  std::vector<Loop> loops;
  std::vector<KernelReport> kernels;
  std::vector<Boundary> boundaries;
};

PlanReport report_plan(const Artifact& artifact);

// What one execution of a step takes that does something itself, and is no loop or branch; the call of a library is
// counted as a copy of the bytes that it touches. nullopt of all others.
std::optional<double> predicted_step_us(const HostStep& step, const Program& program, const Gpu& gpu);

// Its time, and what it keeps busy meanwhile.
std::optional<StepLoad> load_of_step(const HostStep& step, const Program& program, const Gpu& gpu);

// PlanReport::predicted_once_us of a program.
double predicted_once_us(const Program& program, const Gpu& gpu);

std::string plan_report_json(const PlanReport& report);
std::string plan_report_text(const PlanReport& report);
// "7.95 ms".
std::string time_text(double us);

}  // namespace sinter
