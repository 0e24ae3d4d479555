#include "passes/lower/host/reuse_copied.h"

#include <algorithm>
#include <map>
#include <set>

namespace sinter {
namespace {

struct Uses {
  size_t first = 0, last = 0;  // of the program's own steps
};

// By buffer; of steps that stand in another, where that stands.
std::map<size_t, Uses> find_uses(const HostPlan& plan) {
  std::map<size_t, Uses> uses;
  for (size_t position = 0; position < plan.steps.size(); ++position) {
    std::vector<const HostStep*> left = {&plan.steps[position]};
    while (!left.empty()) {
      const HostStep& step = *left.back();
      left.pop_back();
      for (const size_t buffer : step.buffers)
        uses.try_emplace(buffer, Uses{position, position}).first->second.last = position;
      for (const HostStep& inner : step.condition) left.push_back(&inner);
      for (const HostStep& inner : step.body) left.push_back(&inner);
      for (const std::vector<HostStep>& arm : step.arms) {
        for (const HostStep& inner : arm) left.push_back(&inner);
      }
    }
  }
  return uses;
}

// Those that pointers lead to.
std::set<size_t> find_shared(const Program& program) {
  std::set<size_t> shared;
  for (const Buffer& buffer : program.plan.buffers) shared.insert(buffer.targets.begin(), buffer.targets.end());
  return shared;
}

// By result that shares a parameter's memory: that parameter. Buffers of inputs come first, then those of outputs.
std::map<size_t, size_t> find_donated(const Program& program) {
  std::map<size_t, size_t> donated;
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    if (program.inputs[i].donated_to >= 0)
      donated[program.inputs.size() + static_cast<size_t>(program.inputs[i].donated_to)] = i;
  }
  return donated;
}

}  // namespace

void reuse_copied(Program* program) {
  HostPlan& plan = program->plan;
  const auto is_copy = [](const HostStep& step) { return step.kind == HostStep::Kind::kCopy; };
  if (std::none_of(plan.steps.begin(), plan.steps.end(), is_copy)) return;
  std::map<size_t, Uses> uses = find_uses(plan);
  const std::set<size_t> shared = find_shared(*program);
  const std::map<size_t, size_t> donated = find_donated(*program);
  const auto may_be_one = [&](size_t from, size_t to) {
    const Buffer &before = plan.buffers[from], &after = plan.buffers[to];
    const bool are_places = before.kind == Buffer::Kind::kArena &&
                            (after.kind == Buffer::Kind::kArena || after.kind == Buffer::Kind::kOutput);
    // A parameter that is still read keeps its memory.
    const auto parameter = donated.find(to);
    const auto read = parameter == donated.end() ? uses.end() : uses.find(parameter->second);
    if (read != uses.end() && read->second.last > uses.at(from).first) return false;
    return are_places && from != to && before.shape.bytes() == after.shape.bytes() && shared.count(from) == 0 &&
           shared.count(to) == 0;
  };
  std::map<size_t, size_t> become;  // by buffer: what it is now
  std::set<size_t> needless;        // positions of copies
  for (size_t position = 0; position < plan.steps.size(); ++position) {
    const HostStep& step = plan.steps[position];
    if (!is_copy(step)) continue;
    const size_t from = step.buffers[0], to = step.buffers[1];
    if (!may_be_one(from, to) || uses[from].last != position || uses[to].first != position) continue;
    needless.insert(position);
    become[from] = to;
    uses[to].first = uses[from].first;
  }
  if (needless.empty()) return;
  for_each_step(&plan.steps, [&](HostStep* step) {
    for (size_t& buffer : step->buffers) {
      for (auto now = become.find(buffer); now != become.end(); now = become.find(buffer)) buffer = now->second;
    }
  });
  size_t position = 0;
  std::erase_if(plan.steps, [&](const HostStep&) { return needless.count(position++) > 0; });
}

}  // namespace sinter
