// Loops of grid scope become launches: the kernels of their steps are functions, which one kernel calls step after
// step. Its blocks are all on the device at the same time, do a part's blocks in turn, and wait for one another where
// waits.h says so:
//
//   GridBarrier barrier(barrier_counts);
//   for (int t = 0; t < kSteps; ++t) {
//     for (int block = blockIdx.x; block < product::kBlocks; block += gridDim.x) {
//       product::run(block, matrix, x_current, product);
//     }
//     if (barrier.arrives_last()) total::run(product, sum);
//     barrier.wait_for_last();
//     ...
//
// Comes after pointers that nothing reads are gone, and before memory is given out.
#include <algorithm>
#include <map>
#include <set>

#include "passes/lower/host/traffic.h"
#include "passes/lower/host/wait_reason.h"
#include "passes/lower/host/waits.h"
#include "passes/lower/program/keep_resident.h"
#include "passes/lower/program/launch_parts.h"
#include "passes/lower/program/lowering.h"
#include "passes/lower/program/refuse_part.h"
#include "passes/lower/text/unique_names.h"
#include "passes/lower/together/together_arrays.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

constexpr const char* kBarrier = "barrier";

// One launch, from the steps that it does.
class TogetherWriter {
 public:
  TogetherWriter(Program* program, const HostStep& together)
      : program_(*program),
        together_(together),
        one_block_(has_one_block(*program, together.body)),
        waits_(find_waits(*program, together.body, one_block_)),
        apart_(!one_block_ && !waits_.any()),
        arrays_(*program, together) {
    find_kernels(together_.body);
    taken_ = {kBarrier, kBlock, "stream", together.kernel_name};
  }

  bool needs_counts() const { return !one_block_ && !apart_; }

  // The launch; its kernel takes the place of the first of its parts. `counts`: the buffer of the two counts of a
  // GridBarrier, of several blocks.
  HostStep write(Kernel* joint, size_t counts) {
    joint_ = joint;
    counts_ = counts;
    joint_->name = together_.kernel_name;
    joint_->item = together_.comment;
    joint_->resident = true;
    joint_->apart = apart_;
    joint_->headers.insert("device/grid_barrier.cuh");
    HostStep launch;
    launch.comment = together_.comment;
    launch.kernel = kernels_.front();
    add_parts();
    add_parameters(&launch);
    Block body;
    if (needs_counts()) body.push_back(text("GridBarrier " + std::string(kBarrier) + "(" + spelled(counts_) + ");"));
    if (!kept_.empty()) {
      body.push_back({.kind = StatementKind::kComment,
                      .text = "Weights: loaded once, in the first step, if each block has no more than one tile"});
      for (const auto& [number, kept] : kept_) body.push_back(text("bool " + kept.loads + " = true;"));
    }
    write_steps(together_.body, 1, &body);
    joint_->body = std::move(body);
    joint_->description = describe_together(*joint_, together_.comment);
    return launch;
  }

  // Why a kernel cannot keep in shared memory what it is to keep there; empty: it can, or keeps nothing.
  std::string refuse_kept(size_t number) const {
    const auto shares = [&](size_t other) { return other != number && has_shared(program_.kernels[other]); };
    const std::vector<const HostStep*>& launches = launches_.at(number);
    return sinter::refuse_kept(program_.kernels[number], std::ranges::any_of(kernels_, shares), [&](size_t position) {
      const size_t buffer = launches[0]->buffers[position];
      return launches.size() > 1 || arrays_.moves(buffer) || arrays_.is_written_place(buffer);
    });
  }

  // The kernels that become parts, in the order of their steps.
  const std::vector<size_t>& kernels() const { return kernels_; }

 private:
  void find_kernels(const std::vector<HostStep>& steps) {
    for (const HostStep& step : steps) {
      if (step.kind == HostStep::Kind::kLaunch) {
        std::vector<const HostStep*>& launches = launches_[step.kernel];
        if (launches.empty()) kernels_.push_back(step.kernel);
        launches.push_back(&step);
      }
      find_kernels(step.condition);
      find_kernels(step.body);
    }
  }

  void add_parts() {
    int64_t most_blocks = 1;
    for (const size_t number : kernels_) {
      Kernel& kernel = program_.kernels[number];
      joint_->launch.block = std::max(joint_->launch.block, kernel.launch.block);
      joint_->headers.insert(kernel.headers.begin(), kernel.headers.end());
      joint_->work.registers = std::max(joint_->work.registers, kernel.work.registers);
      joint_->work.of_data |= kernel.work.of_data;
      part_of_.emplace(number, joint_->parts.size());
      const std::vector<size_t> kept = kept_parameters(kernel);
      if (!kept.empty()) {
        kept_[number] = {kept, unused_name("loads_weights")};
        ask_whether_to_load(&kernel);
      }
      joint_->parts.push_back(make_part(std::move(kernel)));
      const Kernel& part = joint_->parts.back().kernel;
      if (part.launch.grid[0] >= most_blocks) {
        most_blocks = part.launch.grid[0];
        joint_->launch.grid_spelling[0] = most_blocks == 1 ? "1" : blocks_of(joint_->parts.back());
      }
    }
    share_memory(joint_);
    joint_->launch.grid[0] = most_blocks;
    joint_->launch.alone = most_blocks <= kMultiprocessors;
    joint_->constants.push_back({"kThreads", "int", std::to_string(joint_->launch.block), ""});
  }

  static std::string blocks_of(const KernelPart& part) {
    return part.kernel.name + "::" + part.kernel.launch.grid_spelling[0];
  }

  std::string unused_name(const std::string& name) { return unique_name(name, &taken_); }

  void add_parameters(HostStep* launch) {
    arrays_.add_parameters(joint_, &taken_, launch);
    if (needs_counts()) arrays_.add_counts(counts_, launch);
    restrict_pointers(together_.body);
    add_numbers(together_.body, {}, launch);
  }

  // Counters of loops around the launch, and sizes of a run: a parameter for each, behind all pointers.
  void add_numbers(const std::vector<HostStep>& steps, const std::set<std::string>& own, HostStep* launch) {
    for (const HostStep& step : steps) {
      std::set<std::string> inside = own;
      if (step.kind == HostStep::Kind::kLoop) inside.insert(step.counter);
      add_numbers(step.condition, inside, launch);
      add_numbers(step.body, inside, launch);
      if (step.kind != HostStep::Kind::kLaunch) continue;
      const Kernel& part = joint_->parts[part_of_.at(step.kernel)].kernel;
      for (size_t i = 0; i < step.scalars.size(); ++i) {
        const std::string& counter = step.scalars[i].counter;
        if (counter.empty() || inside.count(counter) > 0 || counters_.count(counter) > 0) continue;
        const Variable& number = *part.parameters[step.buffers.size() + i].variable;
        counters_[counter] = arrays_.add_number(number);
        launch->scalars.push_back(step.scalars[i]);
      }
    }
  }

  // Of a part, arrays that no step writes: of others another block may have, since the part was called before.
  void restrict_pointers(const std::vector<HostStep>& steps) {
    for (const HostStep& step : steps) {
      restrict_pointers(step.condition);
      restrict_pointers(step.body);
      if (step.kind != HostStep::Kind::kLaunch) continue;
      const std::vector<Parameter>& parameters = joint_->parts[part_of_.at(step.kernel)].kernel.parameters;
      for (size_t i = 0; i < step.buffers.size(); ++i) {
        const bool moves = arrays_.moves(step.buffers[i]) || arrays_.is_written_place(step.buffers[i]);
        if (moves) parameters[i].variable->type.is_restrict = false;
      }
    }
  }

  void write_steps(const std::vector<HostStep>& steps, double times, Block* block) {
    for (size_t i = 0; i < steps.size(); ++i) {
      const HostStep& step = steps[i];
      const auto alone = waits_.last_block.find(&step);
      if (alone != waits_.last_block.end()) {
        write_last_block(std::span(steps).subspan(i, alone->second), times, block);
        i += alone->second - 1;
        continue;
      }
      const bool in_block = waits_.in_block.count(&step) > 0;
      if (!is_loop(step) && (in_block || waits_.before.count(&step) > 0)) wait(step, in_block, times, block);
      if (waits_.before_loop.count(&step) > 0)
        add_wait("  // until what the loop begins with is stored", false, times, block);
      switch (step.kind) {
        case HostStep::Kind::kLaunch:
          write_launch(step, times, block);
          break;
        case HostStep::Kind::kCopy:
          write_copy(step, times, block);
          break;
        case HostStep::Kind::kClear:
          write_clear(step, times, block);
          break;
        case HostStep::Kind::kPoint:
          if (auto moved = arrays_.point(step)) block->push_back(std::move(*moved));
          break;
        case HostStep::Kind::kSwap:
          if (auto moved = arrays_.swap(step)) block->push_back(std::move(*moved));
          break;
        case HostStep::Kind::kLoop:
          write_loop(step, times, block);
          break;
        case HostStep::Kind::kWhile:
          write_while(step, times, block);
          break;
        default:
          check(false, "join_together", "a step that is no part of a launch");
      }
    }
  }

  static Statement text(std::string line) { return {.kind = StatementKind::kText, .text = std::move(line)}; }

  std::string cause_of(const HostStep& step, bool in_block) const {
    const auto writes_it = [&](const HostStep& of, size_t argument) { return writes(of, argument); };
    const auto name = [&](size_t buffer) { return arrays_.name_of(buffer); };
    return wait_reason(program_.plan, waits_.causes.at(&step), in_block ? "thread" : "block", writes_it, name);
  }

  void wait(const HostStep& step, bool in_block, double times, Block* block) {
    add_wait(beside_wait(cause_of(step, in_block || one_block_), block), in_block, times, block);
  }

  // `in_block`: each block's threads for one another alone.
  void add_wait(const std::string& why, bool in_block, double times, Block* block) {
    in_block |= one_block_;
    block->push_back(text((in_block ? "__syncthreads();" : std::string(kBarrier) + ".wait_for_all();") + why));
    joint_->waits += in_block ? 0 : times;
    if (in_block) joint_->rounds.push_back({{.after = kBlockWaitCycles}, 1, 0, 0, times});
    if (!in_block || one_block_) ones_ = 0;
  }

  // is_written, once kernels are parts.
  bool writes(const HostStep& step, size_t argument) const {
    if (step.kind == HostStep::Kind::kWhile) return false;
    if (step.kind != HostStep::Kind::kLaunch) return is_written(program_, step, argument);
    return joint_->parts[part_of_.at(step.kernel)].kernel.parameters[argument].output;
  }

  // What a buffer goes by in the kernel.
  const std::string& spelled(size_t buffer) const { return arrays_.spelled(buffer); }

  // sum::run(block, x_current, x_next);
  Statement run(const HostStep& step, const std::string& number) {
    KernelPart& part = joint_->parts[part_of_.at(step.kernel)];
    ++part.calls;
    std::vector<std::string> arguments;
    if (!part.block.empty()) arguments.push_back(number);
    for (const size_t buffer : step.buffers) arguments.push_back(spelled(buffer));
    for (const HostStep::Scalar& scalar : step.scalars)
      arguments.push_back(scalar.counter.empty() ? std::to_string(scalar.number) : counters_.at(scalar.counter));
    const auto kept = kept_.find(step.kernel);
    if (kept != kept_.end()) arguments.push_back(kept->second.loads);
    return call_of(part.kernel.name + "::run", arguments);
  }

  Statement call_of(const std::string& function, const std::vector<std::string>& arguments) const {
    std::vector<const Expr*> operands;
    for (const std::string& argument : arguments) operands.push_back(joint_->name_expr(argument));
    const Expr* call = joint_->call(function, std::move(operands), {.kind = CType::Kind::kVoid});
    return {.kind = StatementKind::kExpression, .value = call};
  }

  // The test of threads that a part has; empty: it has all of them.
  std::string of_fewer_threads(const KernelPart& part) const {
    if (part.kernel.launch.block == joint_->launch.block) return "";
    return "threadIdx.x < " + std::to_string(part.kernel.launch.block);
  }

  Statement call(const HostStep& step, const std::string& number) {
    const std::string few = of_fewer_threads(joint_->parts[part_of_.at(step.kernel)]);
    if (few.empty()) return run(step, number);
    Statement some = {.kind = StatementKind::kIf, .value = joint_->name_expr(few)};
    some.body.push_back(run(step, number));
    return some;
  }

  // What a step does each of so many times, spread over so many blocks.
  void add_round(const HostStep& step, double times, int64_t blocks) {
    const Kernel& part = joint_->parts[part_of_.at(step.kernel)].kernel;
    Traffic traffic = traffic_of(step, program_.plan, part.parameters);
    if (const auto kept = kept_.find(step.kernel); kept != kept_.end()) {
      const int64_t bytes = bytes_kept(step, program_.plan, part, kept->second.parameters);
      traffic.read -= bytes;
      joint_->rounds.push_back({{}, blocks, bytes, 0, 1});
    }
    Work work = part.work;
    // One does those of all.
    if (blocks == 1) work.chain *= static_cast<double>(part.launch.grid[0]);
    joint_->rounds.push_back({std::move(work), blocks, traffic.read, traffic.written, times});
  }

  void write_launch(const HostStep& step, double times, Block* block) {
    const KernelPart& part = joint_->parts[part_of_.at(step.kernel)];
    add_round(step, times, part.kernel.launch.grid[0]);
    const bool in_turns = joint_->shared.in_turns && has_shared(part.kernel);
    if (one_block_) {
      block->push_back(call(step, "0"));
      if (in_turns) block->push_back(text("__syncthreads();"));
      return;
    }
    if (part.kernel.launch.grid[0] == 1) {
      const std::string few = of_fewer_threads(part);
      // Two that do not wait for one another have a block each.
      const std::string one = ones_++ % 2 == 0 ? "blockIdx.x == 0" : "blockIdx.x == gridDim.x - 1";
      const Expr* test = joint_->name_expr(one + (few.empty() ? "" : " && " + few));
      Statement first = {.kind = StatementKind::kIf, .value = test};
      first.body.push_back(run(step, "0"));
      if (in_turns) first.body.push_back(text("__syncthreads();"));
      block->push_back(std::move(first));
      return;
    }
    const auto kept = kept_.find(step.kernel);
    if (apart_ && kept == kept_.end() && part.kernel.launch.grid[0] == joint_->launch.grid[0]) {
      block->push_back(call(step, "blockIdx.x"));
      if (blocks_of(part) != joint_->launch.grid_spelling[0]) forget_blocks(&joint_->parts[part_of_.at(step.kernel)]);
      if (has_shared(part.kernel)) block->push_back(text("__syncthreads();"));
      return;
    }
    block->push_back(call_blocks(step, "blockIdx.x", "gridDim.x"));
    if (kept != kept_.end()) block->push_back(text(kept->second.loads + " = gridDim.x < " + blocks_of(part) + ";"));
  }

  // The blocks of a part, from the first on, each so many after the one before.
  Statement call_blocks(const HostStep& step, const std::string& first, const std::string& stride) {
    const KernelPart& part = joint_->parts[part_of_.at(step.kernel)];
    Statement loop = {.kind = StatementKind::kFor,
                      .variable = joint_->variable(kBlock, CType::value(DType::kS32)),
                      .value = joint_->name_expr(blocks_of(part)),
                      .begin = joint_->name_expr(first)};
    if (stride != "1") loop.text = stride;
    loop.body.push_back(call(step, kBlock));
    // The next of its blocks writes what threads of this one may still read.
    if (has_shared(part.kernel)) loop.body.push_back(text("__syncthreads();"));
    return loop;
  }

  void write_last_block(std::span<const HostStep> steps, double times, Block* block) {
    const std::string why = cause_of(steps.front(), false);
    Statement alone = {.kind = StatementKind::kIf,
                       .value = joint_->name_expr(std::string(kBarrier) + ".arrives_last()")};
    SharedInUse in_use;
    for (const HostStep& step : steps) {
      add_round(step, times, 1);
      const size_t number = part_of_.at(step.kernel);
      const bool needs = waits_.in_block.count(&step) > 0;
      const bool one = joint_->parts[number].kernel.launch.grid[0] == 1;
      // The blocks of a part wait after each.
      if (!in_use.runs(*joint_, number, needs, !one) && !needs) {
        alone.body.push_back(text("__syncthreads();  // shared memory is used again"));
      } else if (needs) {
        alone.body.push_back(text("__syncthreads();" + beside_wait(cause_of(step, true), &alone.body)));
      }
      alone.body.push_back(one ? call(step, "0") : call_blocks(step, "0", "1"));
    }
    if (!why.empty()) block->push_back({.kind = StatementKind::kNote, .text = "One block goes on when " + why + "."});
    block->push_back(std::move(alone));
    block->push_back(text(std::string(kBarrier) + ".wait_for_last();"));
    joint_->waits += times;
    ones_ = 0;
  }

  std::string count_of(size_t buffer) const {
    return std::to_string(program_.plan.buffers[buffer].shape.element_count());
  }

  void write_copy(const HostStep& step, double times, Block* block) {
    const std::string from = spelled(step.buffers[0]), to = spelled(step.buffers[1]);
    Statement copy = call_of("copy_elements", {from, to, count_of(step.buffers[0])});
    const int64_t bytes = program_.plan.buffers[step.buffers[0]].shape.bytes();
    if (step.unless_same) {
      if (!copies_results_) {
        block->push_back({.kind = StatementKind::kBlank});
        block->push_back({.kind = StatementKind::kComment, .text = "The loop may end in either place."});
      }
      copies_results_ = true;
      Statement unless = {.kind = StatementKind::kIf, .value = joint_->name_expr(from + " != " + to)};
      unless.body.push_back(std::move(copy));
      copy = std::move(unless);
    }
    block->push_back(std::move(copy));
    joint_->rounds.push_back({{}, joint_->launch.grid[0], bytes, bytes, times});
  }

  void write_clear(const HostStep& step, double times, Block* block) {
    block->push_back(call_of("clear_elements", {spelled(step.buffers[0]), count_of(step.buffers[0])}));
    const int64_t bytes = program_.plan.buffers[step.buffers[0]].shape.bytes();
    joint_->rounds.push_back({{}, joint_->launch.grid[0], 0, bytes, times});
  }

  void write_loop(const HostStep& step, double times, Block* block) {
    const std::string counter = unused_name(step.counter.empty() ? "step" : step.counter);
    counters_[step.counter] = counter;
    const int number = ++loops_;
    const std::string steps = number == 1 ? "kSteps" : "kSteps" + std::to_string(number);
    const DType type = step.trip <= INT32_MAX ? DType::kS32 : DType::kS64;
    joint_->constants.push_back({steps, std::string(dtype_cuda_name(type)), std::to_string(step.trip), step.comment});
    Statement loop = {.kind = StatementKind::kFor,
                      .variable = joint_->variable(counter, CType::value(type)),
                      .value = joint_->name_expr(steps),
                      .begin = joint_->integer(0)};
    write_steps(step.body, times * static_cast<double>(step.trip), &loop.body);
    add_loop(step, std::move(loop), block);
    counters_.erase(step.counter);
    taken_.erase(counter);
  }

  void write_while(const HostStep& step, double times, Block* block) {
    joint_->work.of_data = true;
    const std::string goes_on = "*" + spelled(step.buffers[0]);
    const bool known = step.condition.empty() && waits_.before.count(&step) == 0;
    Statement loop = {.kind = StatementKind::kWhile, .value = joint_->name_expr(known ? goes_on : "true")};
    if (!known) {
      write_steps(step.condition, times, &loop.body);
      if (waits_.before.count(&step) > 0) wait(step, false, times, &loop.body);
      Statement end = {.kind = StatementKind::kIf, .value = joint_->name_expr("!" + goes_on)};
      end.body.push_back({.kind = StatementKind::kBreak});
      loop.body.push_back(std::move(end));
    }
    write_steps(step.body, times, &loop.body);
    add_loop(step, std::move(loop), block);
  }

  void add_loop(const HostStep& step, Statement loop, Block* block) {
    if (!block->empty()) block->push_back({.kind = StatementKind::kBlank});
    block->push_back({.kind = StatementKind::kComment, .text = step.comment});
    block->push_back(std::move(loop));
  }

  Program& program_;
  const HostStep& together_;
  const bool one_block_;
  const Waits waits_;
  const bool apart_;  // no block waits for another one
  size_t counts_ = 0;
  Kernel* joint_ = nullptr;
  std::vector<size_t> kernels_;                              // in the order of their steps
  std::map<size_t, size_t> part_of_;                         // by kernel
  std::map<size_t, std::vector<const HostStep*>> launches_;  // by kernel
  std::map<size_t, Kept> kept_;                              // by kernel
  TogetherArrays arrays_;
  std::map<std::string, std::string> counters_;  // of loops, and numbers of the launch: their names in the kernel
  std::set<std::string> taken_;                  // names
  int loops_ = 0;
  bool copies_results_ = false;  // a copy of a result has been written
  int ones_ = 0;                 // parts of one block since blocks last waited
};

}  // namespace

void Lowering::join_together() {
  std::optional<size_t> counts;
  std::vector<bool> is_part(program_.kernels.size());
  std::map<size_t, Kernel> joints;
  const auto refuse = [&](const std::string& why) {
    plan_error(tree_.loc, "E0406", why, "write `scope host` for the loop");
    return false;
  };
  const std::function<bool(std::vector<HostStep>*)> join = [&](std::vector<HostStep>* steps) {
    for (HostStep& step : *steps) {
      for (std::vector<HostStep>* inner : {&step.condition, &step.body}) {
        if (step.kind != HostStep::Kind::kTogether && !join(inner)) return false;
      }
      for (std::vector<HostStep>& arm : step.arms) {
        if (!join(&arm)) return false;
      }
      if (step.kind != HostStep::Kind::kTogether) continue;
      TogetherWriter writer(&program_, step);
      if (!counts && writer.needs_counts()) counts = barrier_counts();
      const std::string steps_of = "the steps of '" + step.comment + "'";
      if (writer.kernels().empty()) return refuse(steps_of + " have no kernel");
      int64_t threads = 0;
      for (const size_t number : writer.kernels()) threads = std::max(threads, program_.kernels[number].launch.block);
      for (const size_t number : writer.kernels()) {
        const Kernel& kernel = program_.kernels[number];
        std::string what = refuse_part(kernel, threads);
        if (what.empty()) what = writer.refuse_kept(number);
        if (!what.empty()) return refuse("'" + kernel.name + "' " + what + ", so it is no part of " + steps_of);
        is_part[number] = true;
      }
      Kernel joint;
      HostStep launch = writer.write(&joint, counts.value_or(0));
      joints.emplace(launch.kernel, std::move(joint));
      step = std::move(launch);
    }
    return true;
  };
  if (!join(&program_.plan.steps)) return;
  replace_parts(is_part, std::move(joints), &program_.kernels, &program_.plan.steps);
}

}  // namespace sinter
