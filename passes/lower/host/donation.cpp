#include "passes/lower/host/donation.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace sinter {

namespace {

// A launch, copy or call, and the step of the program's own list that it is or stands in.
struct PlacedStep {
  HostStep* step = nullptr;
  size_t position = 0;
};

std::vector<PlacedStep> place_steps(HostPlan* plan) {
  std::vector<PlacedStep> result;
  for (size_t position = 0; position < plan->steps.size(); ++position) {
    std::vector<HostStep*> left = {&plan->steps[position]};
    while (!left.empty()) {
      HostStep* step = left.back();
      left.pop_back();
      const bool moves_data = step->kind == HostStep::Kind::kLaunch || step->kind == HostStep::Kind::kCopy ||
                              step->kind == HostStep::Kind::kCall;
      if (moves_data) result.push_back({step, position});
      for (HostStep& inner : step->condition) left.push_back(&inner);
      for (HostStep& inner : step->body) left.push_back(&inner);
      for (std::vector<HostStep>& arm : step->arms) {
        for (HostStep& inner : arm) left.push_back(&inner);
      }
    }
  }
  return result;
}

// The steps of a plan by the buffers that they may read or write, themselves or through a pointer.
class StepsByBuffer {
 public:
  explicit StepsByBuffer(HostPlan* plan) : steps_(place_steps(plan)) {
    for (size_t number = 0; number < steps_.size(); ++number) {
      std::vector<size_t> left = steps_[number].step->buffers;
      std::set<size_t> seen;
      while (!left.empty()) {
        const size_t buffer = left.back();
        left.pop_back();
        if (!seen.insert(buffer).second) continue;
        of_[buffer].push_back(number);
        left.insert(left.end(), plan->buffers[buffer].targets.begin(), plan->buffers[buffer].targets.end());
      }
    }
  }

  // Those of either buffer, in their order.
  std::vector<PlacedStep> of(size_t a, size_t b) {
    std::set<size_t> numbers(of_[a].begin(), of_[a].end());
    numbers.insert(of_[b].begin(), of_[b].end());
    std::vector<PlacedStep> result;
    for (const size_t number : numbers) result.push_back(steps_[number]);
    return result;
  }

 private:
  std::vector<PlacedStep> steps_;
  std::map<size_t, std::vector<size_t>> of_;  // numbers of steps
};

class Donation {
 public:
  Donation(Program* program, size_t input, size_t output)
      : program_(*program), plan_(program->plan), input_(input), output_(output) {}

  // `steps`: those of the input or the output. False if the plan has changed since.
  bool settle(const std::vector<PlacedStep>& steps) {
    if (reads_what_is_gone(steps)) {
      compute_aside();
      return false;
    }
    for (const PlacedStep& placed : steps) {
      HostStep& step = *placed.step;
      if (step.kind == HostStep::Kind::kCopy) {
        if (!is_given_back(step)) continue;
        step.unless_same = true;
        // The parameter is updated where it is.
        const bool is_begun = std::any_of(steps.begin(), steps.end(), [&](const PlacedStep& other) {
          return other.step != &step && writes(*other.step);
        });
        if (is_begun) step.reason = "updated-in-place";
        continue;
      }
      if (step.kind != HostStep::Kind::kLaunch || !reads(step) || !writes(step)) continue;
      for (size_t i = 0; i < step.buffers.size(); ++i) {
        if (!may_be(plan_, step.buffers[i], input_) && !may_be(plan_, step.buffers[i], output_)) continue;
        program_.kernels[step.kernel].parameters[i].variable->type.is_restrict = false;
      }
    }
    return true;
  }

 private:
  bool is_output(const HostStep& step, size_t argument) const { return is_written(program_, step, argument); }
  bool reads(const HostStep& step) const {
    for (size_t i = 0; i < step.buffers.size(); ++i) {
      if (!is_output(step, i) && may_be(plan_, step.buffers[i], input_)) return true;
    }
    return false;
  }
  bool writes(const HostStep& step) const {
    for (size_t i = 0; i < step.buffers.size(); ++i) {
      if (is_output(step, i) && may_be(plan_, step.buffers[i], output_)) return true;
    }
    return false;
  }
  // The input itself is the result.
  bool is_given_back(const HostStep& step) const {
    return step.kind == HostStep::Kind::kCopy && step.buffers[0] == input_ && step.buffers[1] == output_;
  }
  // Every element is read by the thread that writes it, before.
  bool element_by_element(const HostStep& step) const {
    for (size_t i = 0; i < step.buffers.size(); ++i) {
      if (is_output(step, i) || !may_be(plan_, step.buffers[i], input_)) continue;
      for (size_t o = 0; o < step.buffers.size(); ++o) {
        if (!is_output(step, o) || !may_be(plan_, step.buffers[o], output_)) continue;
        const auto pair = std::make_pair(i, o);
        if (std::find(step.may_share.begin(), step.may_share.end(), pair) == step.may_share.end()) return false;
      }
    }
    return true;
  }

  // True if, given one array, some step reads the input after the output has taken its place. Steps of one loop come
  // after each other in either order.
  bool reads_what_is_gone(const std::vector<PlacedStep>& steps) const {
    std::vector<PlacedStep> readers;
    for (const PlacedStep& placed : steps) {
      if (!is_given_back(*placed.step) && reads(*placed.step)) readers.push_back(placed);
    }
    for (const PlacedStep& writer : steps) {
      if (readers.empty() || is_given_back(*writer.step) || !writes(*writer.step)) continue;
      for (const PlacedStep& reader : readers) {
        if (reader.position < writer.position) continue;
        if (reader.step != writer.step || !element_by_element(*writer.step)) return true;
      }
    }
    return false;
  }

  void compute_aside() {
    Buffer aside = plan_.buffers[output_];
    aside.kind = Buffer::Kind::kArena;
    aside.name += "_result";
    aside.reason = "donated-input-read";
    plan_.buffers.push_back(aside);
    const size_t place = plan_.buffers.size() - 1;
    std::vector<std::vector<HostStep>*> left = {&plan_.steps};
    while (!left.empty()) {
      std::vector<HostStep>* steps = left.back();
      left.pop_back();
      for (HostStep& step : *steps) {
        std::replace(step.buffers.begin(), step.buffers.end(), output_, place);
        left.push_back(&step.condition);
        left.push_back(&step.body);
        for (std::vector<HostStep>& arm : step.arms) left.push_back(&arm);
      }
    }
    for (Buffer& buffer : plan_.buffers) std::replace(buffer.targets.begin(), buffer.targets.end(), output_, place);
    HostStep copy;
    copy.kind = HostStep::Kind::kCopy;
    copy.buffers = {place, output_};
    copy.comment = plan_.buffers[output_].name;
    copy.reason = "donated-input-read";
    plan_.steps.push_back(std::move(copy));
  }

  Program& program_;
  HostPlan& plan_;
  const size_t input_, output_;
};

}  // namespace

void settle_donations(Program* program) {
  std::optional<StepsByBuffer> steps;
  for (size_t i = 0; i < program->inputs.size(); ++i) {
    const int64_t output = program->inputs[i].donated_to;
    if (output < 0 || program->inputs[i].shape.bytes() == 0) continue;
    if (!steps) steps.emplace(&program->plan);
    // Buffers of inputs come first, then those of outputs.
    const size_t place = program->inputs.size() + static_cast<size_t>(output);
    if (!Donation(program, i, place).settle(steps->of(i, place))) steps.reset();
  }
}

}  // namespace sinter
