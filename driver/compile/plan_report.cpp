// Counts what a program's host plan and schedule tree say. Nothing is measured; times, registers and occupancy are the
// cost model's.
#include "driver/compile/plan_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "driver/compile/slow_kernels.h"
#include "passes/lower/host/graph_form.h"
#include "passes/lower/host/traffic.h"
#include "passes/lower/stages/base/run_tiles.h"
#include "passes/schedule/cost/estimate.h"
#include "passes/schedule/groups/group_values.h"
#include "passes/stages/stage_kind.h"

namespace sinter {
namespace {

using Count = std::optional<int64_t>;

Count times(Count a, Count b) { return a && b ? Count(*a * *b) : std::nullopt; }
void add_to(Count& sum, Count more) { sum = sum && more ? Count(*sum + *more) : std::nullopt; }
// `runs` times `us`.
void add_time(std::optional<double>& sum, Count runs, double us) {
  sum = sum && runs ? std::optional(*sum + static_cast<double>(*runs) * us) : std::nullopt;
}

// A host step with how often one run executes it.
struct PlacedStep {
  const HostStep* step;
  size_t parent;  // position of the enclosing loop, or kTop
  Count runs;     // in one run of the program
  bool in_loop;
  size_t arm = 0;                          // of the enclosing branch
  int64_t launches = 0;                    // of one execution of this step; for a loop, of one iteration
  std::vector<int64_t> arm_launches = {};  // of a branch
};
constexpr size_t kTop = SIZE_MAX;

// Every step in the order of the text, loops before what is inside them. Explicit stack: nesting is the input's.
std::vector<PlacedStep> place_steps(const HostPlan& plan) {
  std::vector<PlacedStep> placed;
  std::vector<PlacedStep> pending;
  const auto push = [&](const std::vector<HostStep>& steps, size_t parent, Count runs, bool in_loop) {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) pending.push_back({&*step, parent, runs, in_loop});
  };
  push(plan.steps, kTop, 1, false);
  while (!pending.empty()) {
    const PlacedStep step = pending.back();
    pending.pop_back();
    const size_t position = placed.size();
    placed.push_back(step);
    if (step.step->kind == HostStep::Kind::kLoop) {
      push(step.step->body, position, times(step.runs, step.step->trip), true);
    } else if (step.step->kind == HostStep::Kind::kFork) {
      for (size_t arm = step.step->arms.size(); arm-- > 0;)
        push(step.step->arms[arm], position, step.runs, step.in_loop);
    } else if (step.step->kind == HostStep::Kind::kBranch) {
      placed.back().arm_launches.resize(step.step->arms.size());
      for (size_t arm = step.step->arms.size(); arm-- > 0;) {
        const size_t first = pending.size();
        push(step.step->arms[arm], position, std::nullopt, step.in_loop);
        for (size_t i = first; i < pending.size(); ++i) pending[i].arm = arm;
      }
    } else if (step.step->kind == HostStep::Kind::kWhile) {
      push(step.step->body, position, std::nullopt, true);
      push(step.step->condition, position, std::nullopt, true);
    }
  }
  return placed;
}

// Fills PlacedStep::launches, innermost first.
void count_launches(std::vector<PlacedStep>& placed) {
  for (size_t i = placed.size(); i-- > 0;) {
    PlacedStep& place = placed[i];
    int64_t in_one_execution = 0;
    switch (place.step->kind) {
      case HostStep::Kind::kLaunch:
      case HostStep::Kind::kCopy:
      case HostStep::Kind::kClear:
      case HostStep::Kind::kCall:
        place.launches = in_one_execution = is_for_two_arrays(*place.step) ? 0 : 1;
        break;
      case HostStep::Kind::kLoop:
        in_one_execution = place.launches * place.step->trip;
        break;
      case HostStep::Kind::kFork:
        in_one_execution = place.launches;
        break;
      case HostStep::Kind::kWhile:
        place.launches += 1;  // the copy that brings the condition back to the host
        in_one_execution = place.launches;
        break;
      case HostStep::Kind::kBranch:  // the longest arm, and the copy that brings the selector back to the host
        in_one_execution = 1 + *std::max_element(place.arm_launches.begin(), place.arm_launches.end());
        break;
      case HostStep::Kind::kSwap:
      case HostStep::Kind::kPoint:
      case HostStep::Kind::kTogether:  // none is left
        break;
    }
    if (place.parent == kTop) continue;
    PlacedStep& parent = placed[place.parent];
    if (parent.step->kind == HostStep::Kind::kBranch) {
      parent.arm_launches[place.arm] += in_one_execution;
    } else {
      parent.launches += in_one_execution;
    }
  }
}

// What the cost model says of a launch that moves so many bytes.
Estimate predict(const Kernel& kernel, int64_t bytes, const Gpu& gpu) {
  const int64_t blocks = kernel.launch.blocks();
  const Launch launch = {.blocks = blocks,
                         .threads = kernel.launch.block,
                         .shared_bytes = kernel.shared.bytes,
                         .bytes = bytes,
                         .counted = kernel.finished != nullptr ? blocks : 0};
  return kernel.resident ? estimate_resident(kernel.rounds, kernel.waits, launch, gpu)
                         : estimate(kernel.work, launch, gpu);
}

// What a step that does something itself moves and takes.
struct StepCost {
  Traffic traffic;
  double us = 0;
  std::optional<Estimate> launch;  // of a kernel
};

std::optional<StepCost> cost_of(const HostStep& step, const Program& program, const Gpu& gpu) {
  StepCost cost;
  switch (step.kind) {
    case HostStep::Kind::kLaunch:
      cost.traffic = traffic_of(step, program);
      cost.launch = predict(program.kernels[step.kernel], cost.traffic.read + cost.traffic.written, gpu);
      cost.us = cost.launch->us;
      return cost;
    case HostStep::Kind::kCall:
      cost.traffic = traffic_of(step, program);
      break;
    case HostStep::Kind::kClear:
      cost.traffic = {0, program.plan.buffers[step.buffers[0]].shape.bytes()};
      break;
    case HostStep::Kind::kCopy:
      if (is_for_two_arrays(step)) return std::nullopt;
      cost.traffic = {program.plan.buffers[step.buffers[0]].shape.bytes(),
                      program.plan.buffers[step.buffers[1]].shape.bytes()};
      break;
    case HostStep::Kind::kWhile:
    case HostStep::Kind::kBranch:
      cost.us = kReadBackUs;
      return cost;
    default:
      return std::nullopt;
  }
  cost.us = gpu.launch_us + transfer_us(cost.traffic.read + cost.traffic.written, gpu);
  return cost;
}

// Of all runs of a step; of one, where their number depends on data.
double once_us(const PlacedStep& place, const StepCost& cost) {
  return static_cast<double>(place.runs.value_or(1)) * cost.us;
}

void count_steps(const std::vector<PlacedStep>& placed, const Artifact& artifact, PlanReport& report) {
  const Program& program = artifact.program;
  report.launches = report.bytes_read = report.bytes_written = report.host_waits = 0;
  report.predicted_us = 0;
  for (const PlacedStep& place : placed) {
    const HostStep& step = *place.step;
    if (step.kind == HostStep::Kind::kWhile || step.kind == HostStep::Kind::kBranch) {
      report.launches = report.bytes_read = report.bytes_written = std::nullopt;
      report.predicted_us = std::nullopt;
      report.predicted_once_us += once_us(place, *cost_of(step, program, artifact.gpu));
      const bool is_branch = step.kind == HostStep::Kind::kBranch;
      add_to(report.host_waits, is_branch ? place.runs : std::nullopt);
      report.graph.conditional_nodes += is_branch ? std::ssize(step.arms) : 1;
      continue;
    }
    const std::optional<StepCost> cost = cost_of(step, program, artifact.gpu);
    if (!cost) continue;
    const Traffic& traffic = cost->traffic;
    if (cost->launch) {
      PlanReport::KernelReport& kernel = report.kernels[step.kernel];
      if (cost->us > kernel.predicted_us) {
        kernel.predicted_us = cost->us;
        kernel.bound = bound_name(cost->launch->bound);
        kernel.occupancy = cost->launch->occupancy;
      }
      if (program.kernels[step.kernel].work.of_data) report.predicted_us = std::nullopt;
      add_to(kernel.count, place.runs);
      report.grid_barriers += static_cast<int64_t>(program.kernels[step.kernel].waits) * place.runs.value_or(1);
      kernel.bytes_read = std::max(kernel.bytes_read, traffic.read);
      kernel.bytes_written = std::max(kernel.bytes_written, traffic.written);
    } else if (step.kind == HostStep::Kind::kCall) {
      report.predicted_us = std::nullopt;
    }
    add_time(report.predicted_us, place.runs, cost->us);
    report.predicted_once_us += once_us(place, *cost);
    if (!place.in_loop) ++report.launches_outside_loops;
    add_to(report.launches, place.runs);
    add_to(report.bytes_read, times(place.runs, traffic.read));
    add_to(report.bytes_written, times(place.runs, traffic.written));
  }
}

// What a graph saves whose branches run side by side.
void count_forks(const std::vector<PlacedStep>& placed, const Artifact& artifact, PlanReport& report) {
  PlanReport::Graph& graph = report.graph;
  graph.predicted_once_us = report.predicted_once_us;
  const auto load_of = [&](const HostStep& step) { return load_of_step(step, artifact.program, artifact.gpu); };
  for (const PlacedStep& place : placed) {
    if (place.step->kind != HostStep::Kind::kFork) continue;
    ++graph.forks;
    graph.predicted_once_us -= static_cast<double>(place.runs.value_or(1)) * saved_us(*place.step, load_of);
  }
}

// Those of all stages inside.
std::set<std::string> schedules_of(const TreeNode& node) {
  std::set<std::string> schedules;
  std::vector<const TreeNode*> left = {&node};
  while (!left.empty()) {
    const TreeNode* item = left.back();
    left.pop_back();
    if (item->kind == TreeNode::Kind::kStage) schedules.insert(item->schedule);
    for (const std::vector<TreeNode>& body : item->bodies) {
      for (const TreeNode& inner : body) left.push_back(&inner);
    }
  }
  return schedules;
}

// Loops and each kernel's schedules, as the tree has them.
void read_tree(const Tree& tree, const Program& program, const std::vector<PlacedStep>& placed, PlanReport& report) {
  std::vector<int64_t> host_loop_launches;
  for (const PlacedStep& place : placed) {
    if (is_loop(*place.step) && !place.step->of_stage) host_loop_launches.push_back(place.launches);
  }
  struct Pending {
    const TreeNode* node;
    std::vector<PlanReport::KernelReport*> kernels;
    Count runs;
  };
  // A stage of its own may have several kernels.
  std::map<std::string, std::vector<PlanReport::KernelReport*>> kernels;
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    const Kernel& kernel = program.kernels[i];
    kernels[kernel.item.empty() ? kernel.name : kernel.item].push_back(&report.kernels[i]);
  }
  std::vector<Pending> pending;
  const auto push = [&](const std::vector<TreeNode>& nodes, const std::vector<PlanReport::KernelReport*>& of,
                        Count runs) {
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) pending.push_back({&*node, of, runs});
  };
  push(tree.items, {}, 1);
  size_t next_host_loop = 0;
  while (!pending.empty()) {
    const Pending item = pending.back();
    pending.pop_back();
    const TreeNode& node = *item.node;
    std::vector<PlanReport::KernelReport*> of = item.kernels;
    Count runs = item.runs;
    if (node.kind == TreeNode::Kind::kKernel) {
      const auto found = kernels.find(node.name);
      if (of.empty() && found != kernels.end()) of = found->second;
    } else if (node.kind == TreeNode::Kind::kStage) {
      for (PlanReport::KernelReport* kernel : of) kernel->schedules.push_back(node.schedule);
    } else if (node.kind == TreeNode::Kind::kSplit) {
      // Many parts, few schedules: each is named once.
      const std::set<std::string> schedules = schedules_of(node);
      for (PlanReport::KernelReport* kernel : of) {
        kernel->schedules.insert(kernel->schedules.end(), schedules.begin(), schedules.end());
      }
      of.clear();
    } else if (node.kind == TreeNode::Kind::kLoop) {
      PlanReport::Loop loop = {.name = node.name, .trip = node.trip, .scope = node.scope};
      if (node.scope == Scope::kHost && next_host_loop < host_loop_launches.size()) {
        loop.launches_per_iteration = host_loop_launches[next_host_loop++];
      }
      report.loops.push_back(loop);
      runs = times(runs, node.trip);
      if (const auto found = kernels.find(node.name); node.scope == Scope::kGrid && found != kernels.end())
        of = found->second;
    }
    for (auto body = node.bodies.rbegin(); body != node.bodies.rend(); ++body) push(*body, of, runs);
  }
}

std::string python_place(const Module& module, const Instruction* instruction) {
  if (!instruction) return "";
  const std::vector<PythonFrame> frames = module.python_frames(*instruction);
  if (frames.empty()) {
    const Metadata& metadata = instruction->metadata;
    return metadata.source_file.empty() ? "" : metadata.source_file + ":" + std::to_string(metadata.source_line);
  }
  return frames[0].file + ":" + std::to_string(frames[0].line) + " (" + frames[0].function + ")";
}

// What a run of the program keeps in device memory, by the names of values, loops and branches.
std::set<std::string> names_in_memory(const Artifact& artifact, const std::vector<PlacedStep>& placed) {
  const Program& program = artifact.program;
  std::set<std::string> names;
  std::set<size_t> read;  // buffers
  for (const PlacedStep& place : placed) {
    const HostStep& step = *place.step;
    for (size_t i = 0; i < step.buffers.size(); ++i) {
      if (!is_written(program, step, i)) read.insert(step.buffers[i]);
    }
  }
  for (size_t i = 0; i < program.plan.buffers.size(); ++i) {
    const Buffer& buffer = program.plan.buffers[i];
    if (!buffer.value || (buffer.kind == Buffer::Kind::kOutput && !read.contains(i))) continue;
    names.insert(buffer.value->name);
    if (buffer.value->opcode == Opcode::kGetTupleElement) names.insert(buffer.value->operand(0)->name);
  }
  std::vector<const TreeNode*> left;
  const auto push = [&](const std::vector<TreeNode>& items) {
    for (const TreeNode& item : items) left.push_back(&item);
  };
  push(artifact.schedule.tree.items);
  while (!left.empty()) {
    const TreeNode* node = left.back();
    left.pop_back();
    const bool is_loop = node->kind == TreeNode::Kind::kLoop, is_branch = node->kind == TreeNode::Kind::kBranch;
    if ((is_loop || is_branch) && holds_kernels(*node)) names.insert(node->name);
    for (const std::vector<TreeNode>& body : node->bodies) push(body);
  }
  return names;
}

// Starts, is or decides the state of a loop, or is what an arm of a conditional takes or gives.
bool is_of_control(const Instruction& value) {
  std::vector<const Instruction*> left = {&value};
  std::set<const Instruction*> seen;
  while (!left.empty()) {
    const Instruction* same = left.back();
    left.pop_back();
    if (!seen.insert(same).second) continue;
    const Computation* computation = same->parent();
    if (computation->root() == same && computation != computation->parent()->entry()) return true;
    for (const Instruction* user : same->users()) {
      if (user->opcode == Opcode::kWhile || user->opcode == Opcode::kConditional) return true;
      if (is_plumbing(*user)) left.push_back(user);
    }
  }
  return false;
}

// The ledger, then the values in device memory that it does not mention: state of loops that the host runs, and what is
// copied. The ledger beside a plan file is that of the plan that would have been chosen: what the two have in common is
// in memory for its reasons.
void list_boundaries(const Artifact& artifact, const std::vector<PlacedStep>& placed, PlanReport& report) {
  const auto round_trip = [&](int64_t bytes) { return transfer_us(2 * bytes, artifact.gpu); };
  const InstructionsByName instructions = instructions_by_name(*artifact.module);
  const bool planned = artifact.schedule.tree.source != nullptr;
  const std::set<std::string> in_memory = planned ? names_in_memory(artifact, placed) : std::set<std::string>();
  std::set<std::string> told;
  for (const LedgerEntry& entry : artifact.schedule.ledger) {
    if (planned && !in_memory.contains(entry.value)) continue;
    const auto found = instructions.find(entry.value);
    const Instruction* instruction = found == instructions.end() ? nullptr : found->second;
    report.boundaries.push_back({entry.value, entry.bytes, entry.reason, entry.blocked_by,
                                 python_place(*artifact.module, instruction), round_trip(entry.bytes)});
    told.insert(entry.value);
  }
  const auto runs_in_kernel = [&](const Instruction& made_by) {
    return std::any_of(report.loops.begin(), report.loops.end(), [&](const PlanReport::Loop& loop) {
      return loop.name == made_by.name && loop.scope != Scope::kHost && loop.scope != Scope::kGrid;
    });
  };
  for (const Buffer& buffer : artifact.program.plan.buffers) {
    if (buffer.kind != Buffer::Kind::kArena || !buffer.value || !told.insert(buffer.value->name).second) continue;
    // The results of one operation are one entry of the ledger.
    const bool element = buffer.value->opcode == Opcode::kGetTupleElement;
    if (element && told.contains(buffer.value->operand(0)->name)) continue;
    ReasonCode reason = buffer.reason;
    const Instruction& made_by = *maker_of(buffer.value);
    if (reason.empty() && runs_in_kernel(made_by)) reason = "loop-result";
    if (reason.empty() && own_kind(made_by) != nullptr) reason = "own-stage";
    if (reason.empty())
      reason = planned && !is_of_control(*buffer.value) ? ReasonCode("plan") : ReasonCode("host-loop-carry");
    report.boundaries.push_back({buffer.value->name, buffer.shape.bytes(), reason, "",
                                 python_place(*artifact.module, buffer.value), round_trip(buffer.shape.bytes())});
  }
  for (const PlacedStep& place : placed) {
    if (place.step->kind != HostStep::Kind::kCopy) continue;
    const Buffer& target = artifact.program.plan.buffers[place.step->buffers[1]];
    const std::string name = target.value ? target.value->name : target.name;
    // What is computed aside to be copied is one value.
    const bool listed = std::any_of(report.boundaries.begin(), report.boundaries.end(), [&](const auto& boundary) {
      return boundary.value == name && boundary.reason == place.step->reason.text();
    });
    if (listed) continue;
    report.boundaries.push_back({name, target.shape.bytes(), place.step->reason, "",
                                 python_place(*artifact.module, target.value), round_trip(target.shape.bytes())});
  }
}

}  // namespace

std::optional<StepLoad> load_of_step(const HostStep& step, const Program& program, const Gpu& gpu) {
  const std::optional<StepCost> cost = cost_of(step, program, gpu);
  if (!cost) return std::nullopt;
  // What moves bytes alone keeps the memory busy.
  const double moved = cost->us > 0 ? (cost->us - gpu.launch_us) / cost->us : 0;
  return StepLoad{.us = cost->us, .busy = cost->launch ? cost->launch->busy : std::max(moved, 0.0)};
}

std::optional<double> predicted_step_us(const HostStep& step, const Program& program, const Gpu& gpu) {
  const std::optional<StepCost> cost = cost_of(step, program, gpu);
  return cost ? std::optional(cost->us) : std::nullopt;
}

double predicted_once_us(const Program& program, const Gpu& gpu) {
  double sum = 0;
  for (const PlacedStep& place : place_steps(program.plan)) {
    const std::optional<StepCost> cost = cost_of(*place.step, program, gpu);
    if (cost) sum += once_us(place, *cost);
  }
  return sum;
}

PlanReport report_plan(const Artifact& artifact) {
  const Program& program = artifact.program;
  PlanReport report;
  report.program = program.name;
  report.elided_note = artifact.elided_note;
  report.gpu = artifact.gpu.name;
  report.arena_bytes = program.plan.arena_bytes;
  report.live_bytes = program.plan.live_bytes;
  report.weights_bytes = std::ssize(program.plan.constants);
  for (const Program::Weight& weight : program.weights) report.weights_bytes += weight.shape.bytes();
  for (const Kernel& kernel : program.kernels) {
    PlanReport::KernelReport entry = {.name = kernel.name, .file = "kernels/" + kernel.name + ".cu", .count = 0};
    std::copy(std::begin(kernel.launch.grid), std::end(kernel.launch.grid), std::begin(entry.grid));
    entry.block = kernel.launch.block;
    entry.resident = kernel.resident && !kernel.apart;
    entry.of_run = launches_run_tiles(kernel);
    entry.shared_bytes = kernel.shared.bytes;
    entry.flops = std::llround(kernel.work.flops);
    entry.registers = kernel.work.registers;
    report.kernels.push_back(entry);
  }
  std::vector<PlacedStep> placed = place_steps(program.plan);
  count_launches(placed);
  count_steps(placed, artifact, report);
  report.graph.refusal = graph_form(program).refusal;
  count_forks(placed, artifact, report);
  read_tree(artifact.schedule.tree, program, placed, report);
  list_boundaries(artifact, placed, report);
  mark_slow_kernels(artifact, report);
  return report;
}

}  // namespace sinter
