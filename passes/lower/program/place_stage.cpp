// A lowered stage becomes part of the program: its kernels, its scratch memory, its steps.
#include <algorithm>

#include "passes/lower/program/fingerprint.h"
#include "passes/lower/program/keep_resident.h"
#include "passes/lower/program/lowering.h"

namespace sinter {

// The item's name for its first kernel; for others of its stage that name and `suffix`.
std::string Lowering::kernel_name(const TreeNode& node, const std::string& suffix) {
  if (suffix.empty()) return node.name;
  // "long_", which a keyword became: two underscores in a row are reserved in C++.
  const std::string base = node.name + (node.name.back() == '_' ? "" : "_") + suffix;
  std::string name = base;
  for (int number = 1; !kernel_names_.insert(name).second; ++number) name = base + "_" + std::to_string(number);
  return name;
}

size_t Lowering::finished_buffer(int64_t first, int64_t counts) {
  auto [place, fresh] = finished_.try_emplace(first, 0);
  if (fresh) {
    place->second = add_buffer(Buffer::Kind::kFinished, nullptr, "finished");
    Buffer& buffer = program_.plan.buffers[place->second];
    buffer.index = first;
    buffer.shape = Shape::array(DType::kU32, {counts});
  }
  int64_t& size = program_.plan.buffers[place->second].shape.dims[0];
  size = std::max(size, counts);
  return place->second;
}

// The two counts of barriers are no others': the second is not zero between launches.
size_t Lowering::barrier_counts() {
  int64_t first = 0;
  for (const auto& [index, buffer] : finished_)
    first = std::max(first, index + program_.plan.buffers[buffer].shape.dims[0]);
  return finished_buffer(first, 2);
}

// The kernel that an earlier step of a loop of grid scope has, which differs in nothing but its names; else the next.
size_t Lowering::part_like(const Kernel& kernel) {
  const size_t next = program_.kernels.size();
  // What keeps its weights from step to step has one set of them.
  if (!kept_parameters(kernel).empty()) return next;
  const auto [same, fresh] = part_of_fingerprint_.try_emplace(fingerprint(kernel), next);
  if (fresh) return next;
  std::vector<Parameter>& before = program_.kernels[same->second].parameters;
  const auto is_like = [](const Parameter& a, const Parameter& b) {
    return a.output == b.output && a.bytes == b.bytes && a.scratch == b.scratch && a.share == b.share;
  };
  if (!std::ranges::equal(before, kernel.parameters, is_like)) return next;
  for (size_t i = 0; i < before.size(); ++i)
    before[i].variable->type.is_restrict &= kernel.parameters[i].variable->type.is_restrict;
  return same->second;
}

// Kernels, scratch buffers and steps of a kernel item become the program's. Kernels that differ in nothing but their
// names are one. `twin`: the kernel that it is known to be.
void Lowering::place_stage(LoweredStage stage, const LevelUnit& unit, std::optional<size_t> twin,
                           const std::string& comment, std::vector<HostStep>* steps) {
  std::vector<size_t> kernels, scratch;
  for (Kernel& kernel : stage.kernels) {
    if (twin) {
      kernels.push_back(*twin);
      continue;
    }
    if (unit.launch != nullptr || together_) {  // a part is no kernel of another launch
      const size_t part = unit.launch != nullptr ? program_.kernels.size() : part_like(kernel);
      kernels.push_back(part);
      if (part == program_.kernels.size()) program_.kernels.push_back(std::move(kernel));
      continue;
    }
    if (kernel.name != unit.node->name) kernel.item = unit.node->name;
    const auto [same, fresh] = kernel_of_fingerprint_.try_emplace(fingerprint(kernel), program_.kernels.size());
    kernels.push_back(same->second);
    if (fresh) program_.kernels.push_back(std::move(kernel));
  }
  for (const ScratchBuffer& wanted : stage.scratch) {
    scratch.push_back(add_buffer(Buffer::Kind::kArena, nullptr, wanted.name));
    program_.plan.buffers[scratch.back()].shape = wanted.shape;
  }

  struct Frame {
    const std::vector<StageStep>* from;
    std::vector<HostStep>* to;
    std::string counter;  // of the stage's loop they are in
    size_t next = 0;
  };
  std::vector<Frame> frames = {{&stage.steps, steps, "", 0}};
  while (!frames.empty()) {
    Frame& frame = frames.back();
    if (frame.next == frame.from->size()) {
      frames.pop_back();
      continue;
    }
    const StageStep& from = (*frame.from)[frame.next++];
    HostStep step;
    step.may_share = from.may_share;
    step.comment = comment + (from.comment.empty() ? "" : ": " + from.comment);
    for (const StageArgument& argument : from.arguments) {
      switch (argument.kind) {
        case StageArgument::Kind::kValue:
          step.buffers.push_back(buffer_of(argument.value));
          break;
        case StageArgument::Kind::kScratch:
          step.buffers.push_back(scratch.at(argument.number));
          break;
        case StageArgument::Kind::kFinished: {
          // Parts of a launch have counts of their own.
          int64_t alone = 1;
          int64_t& first = unit.launch != nullptr ? joint_.back().counts : alone;
          step.buffers.push_back(finished_buffer(first, argument.number));
          first += argument.number;
          break;
        }
        case StageArgument::Kind::kNumber:
          step.scalars.push_back({"", argument.number});
          break;
        case StageArgument::Kind::kCounter:
          step.scalars.push_back({counters_.back(), 0});
          break;
        case StageArgument::Kind::kStep:
          step.scalars.push_back({frame.counter, 0});
          break;
      }
    }
    switch (from.kind) {
      case StageStep::Kind::kLaunch:
        step.kernel = kernels.at(from.kernel);
        break;
      case StageStep::Kind::kCopy:
        step.kind = HostStep::Kind::kCopy;
        if (step.buffers[0] == step.buffers[1]) continue;
        break;
      case StageStep::Kind::kClear:
        step.kind = HostStep::Kind::kClear;
        break;
      case StageStep::Kind::kLoop: {
        step.kind = HostStep::Kind::kLoop;
        step.trip = from.trip;
        step.of_stage = true;
        step.counter = "step" + (frames.size() == 1 ? "" : "_" + std::to_string(frames.size() - 1));
        const std::string counter = step.counter;
        frame.to->push_back(std::move(step));
        frames.push_back({&from.body, &frame.to->back().body, counter, 0});
        continue;
      }
    }
    frame.to->push_back(std::move(step));
  }
}

}  // namespace sinter
