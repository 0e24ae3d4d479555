// Kernels that share a launch become one, of parts; their launches one step. Comes before memory is given out: what the
// parts read and write is in use at the same time.
#include <algorithm>
#include <map>
#include <set>

#include "passes/lower/device_functions.h"
#include "passes/lower/lowering.h"
#include "passes/lower/write_kernel.h"
#include "passes/schedule/work.h"

namespace sinter {

namespace {

// "update_1   5 x 16 blocks   sqrt, multiply over f32[64,16]": what stands in the table of a joint kernel's parts.
std::vector<std::string> describe_parts(const Kernel& joint) {
  size_t name_width = 0, blocks_width = 0;
  std::vector<std::string> blocks;
  for (const KernelPart& part : joint.parts) {
    std::string text = std::to_string(part.kernel.launch.grid[0]);
    if (part.places > 1) text = std::to_string(part.places) + " x " + text;
    text += part.places * part.kernel.launch.grid[0] == 1 ? " block" : " blocks";
    name_width = std::max(name_width, part.kernel.name.size());
    blocks_width = std::max(blocks_width, text.size());
    blocks.push_back(std::move(text));
  }
  std::vector<std::string> lines;
  for (size_t i = 0; i < joint.parts.size(); ++i) {
    const Kernel& kernel = joint.parts[i].kernel;
    const std::string opening = kernel.name + ": ";
    std::string what = kernel.description.empty() ? "" : kernel.description[0];
    if (what.starts_with(opening)) what = what.substr(opening.size());
    if (what.ends_with('.')) what.pop_back();
    lines.push_back("  " + kernel.name + std::string(name_width - kernel.name.size() + 3, ' ') + blocks[i] +
                    std::string(blocks_width - blocks[i].size() + 3, ' ') + what);
  }
  return lines;
}

void describe(Kernel* joint, size_t places) {
  const size_t kinds = joint->parts.size();
  std::string title = joint->name + ": ";
  title += kinds == 1 ? "one computation" : std::to_string(kinds) + " computations";
  if (places > kinds) title += " on " + std::to_string(places) + " sets of arrays";
  joint->description = {title + ", in one launch that divides its blocks among them.", ""};
  const std::vector<std::string> parts = describe_parts(*joint);
  joint->description.insert(joint->description.end(), parts.begin(), parts.end());
  joint->description.push_back("");
  joint->description.push_back(launch_text(joint->launch.grid[0], joint->launch.block) + ".");
}

// Names of types, unlike those of templates/device: two functions may have one (`f1` and `f_1`).
void name_types(Kernel* joint, std::set<std::string>* taken) {
  const auto unique = [](const std::string& base, std::set<std::string>* types) {
    std::string name = base;
    for (int number = 2; !types->insert(name).second; ++number) name = base + "_" + std::to_string(number);
    return name;
  };
  joint->arrays_type = unique(type_name(joint->name) + "Arrays", taken);
  std::set<std::string> own = {joint->arrays_type};
  for (KernelPart& part : joint->parts) part.arrays_type = unique(type_name(part.kernel.name) + "Arrays", &own);
}

void add_part(Kernel kernel, Kernel* joint) {
  check(kernel.shared.members.empty(), "lower", joint->name + ": a part has shared memory of its own");
  kernel.rename("blockIdx.x", "block");
  // Of a single element: its launch alone says how many threads there are.
  if (kernel.constants.size() == 1) kernel.constants.clear();
  kernel.constants.push_back({"kBlocks", "int", kernel.launch.grid_spelling[0], ""});
  joint->headers.insert(kernel.headers.begin(), kernel.headers.end());
  joint->uses_barriers |= kernel.uses_barriers;
  const bool reads_block = mentions(kernel.body, "block");
  joint->parts.push_back({std::move(kernel), 0, reads_block, ""});
}

// The arrays of `step` as one more place of the last part.
void add_place(const HostStep& step, Kernel* joint, HostStep* joint_step) {
  KernelPart& part = joint->parts.back();
  ++part.places;
  joint->work = both(joint->work, part.kernel.work);
  // Summed here, divided where all parts are there.
  joint->work.mean_chain += static_cast<double>(part.kernel.launch.grid[0]) * part.kernel.work.chain;
  joint->launch.grid[0] += part.kernel.launch.grid[0];
  joint->parameters.insert(joint->parameters.end(), part.kernel.parameters.begin(), part.kernel.parameters.end());
  const size_t offset = joint_step->buffers.size();
  for (const auto& [in, out] : step.may_share) joint_step->may_share.emplace_back(in + offset, out + offset);
  joint_step->buffers.insert(joint_step->buffers.end(), step.buffers.begin(), step.buffers.end());
}

// "kThreads = 256, kBlocks = 5 * update::kBlocks + clip::kBlocks".
void add_constants(Kernel* joint) {
  joint->constants.push_back({"kThreads", "int", std::to_string(joint->launch.block), ""});
  std::string blocks;
  for (const KernelPart& part : joint->parts) {
    blocks += (blocks.empty() ? "" : " + ") + (part.places > 1 ? std::to_string(part.places) + " * " : "");
    blocks += part.kernel.name + "::kBlocks";
  }
  joint->constants.push_back({"kBlocks", "int", blocks, ""});
  joint->launch.grid_spelling[0] = "kBlocks";
}

// The kernels without those that became parts, and with joint ones in the place of their first part; steps follow.
void replace_parts(const std::vector<bool>& is_part, std::map<size_t, Kernel> joints, std::vector<Kernel>* kernels,
                   std::vector<HostStep>* steps) {
  std::vector<Kernel> result;
  std::vector<size_t> number;  // of a kernel, in the result
  for (size_t i = 0; i < kernels->size(); ++i) {
    number.push_back(result.size());
    const auto joint = joints.find(i);
    if (joint != joints.end()) {
      result.push_back(std::move(joint->second));
    } else if (!is_part[i]) {
      result.push_back(std::move((*kernels)[i]));
    }
  }
  *kernels = std::move(result);
  std::vector<std::vector<HostStep>*> left = {steps};
  while (!left.empty()) {
    std::vector<HostStep>* list = left.back();
    left.pop_back();
    for (HostStep& step : *list) {
      if (step.kind == HostStep::Kind::kLaunch) step.kernel = number[step.kernel];
      left.push_back(&step.condition);
      left.push_back(&step.body);
      for (std::vector<HostStep>& arm : step.arms) left.push_back(&arm);
    }
  }
}

}  // namespace

// With names that say nothing of the arrays, and are equally long: what stands on a line of its own depends on that.
std::optional<LoweredStage> Lowering::lower_plainly(const StageInput& input, const std::string& schedule,
                                                    const LevelItems& level) {
  const std::set<const Instruction*>& computed = input.values.context.computed;
  std::vector<const Instruction*> in_order(computed.begin(), computed.end());
  std::sort(in_order.begin(), in_order.end(),
            [&](const auto* a, const auto* b) { return level.position.at(a) < level.position.at(b); });
  std::vector<const Instruction*> arrays;
  for (const Instruction* value : in_order) {
    for (const Instruction* operand : array_operands(*value)) arrays.push_back(operand);
  }
  arrays.insert(arrays.end(), input.values.outputs.begin(), input.values.outputs.end());
  BufferNames own;
  for (const Instruction* array : arrays) {
    const auto name = names_.find(array);
    if (name == names_.end() || !own.emplace(array, name->second).second) continue;
    const std::string number = std::to_string(own.size());
    name->second = "array_" + std::string(std::max<size_t>(number.size(), 4) - number.size(), '0') + number;
  }
  std::optional<LoweredStage> plain = lower_item(schedule, input, diagnostics_);
  for (auto& [array, name] : own) names_.at(array) = std::move(name);
  return plain;
}

void Lowering::join_launches() {
  std::vector<HostStep>& steps = program_.plan.steps;
  std::vector<bool> is_part(program_.kernels.size());
  std::map<size_t, Kernel> joints;  // by the number of their first part
  std::set<std::string> types;      // of the program's kernels
  // From the last: the steps before keep their places.
  for (auto launch = joint_.rbegin(); launch != joint_.rend(); ++launch) {
    if (launch->count == 0) continue;
    const auto begin = steps.begin() + static_cast<std::ptrdiff_t>(launch->first);
    const auto end = begin + static_cast<std::ptrdiff_t>(launch->count);
    Kernel joint;
    joint.name = launch->node->name;
    joint.launch.block = launch->node->block[0];
    joint.launch.grid[0] = 0;
    HostStep joint_step;
    joint_step.kernel = begin->kernel;
    joint_step.comment = begin->comment;
    if (launch->count > 1) joint_step.comment += ", and " + std::to_string(launch->count - 1) + " more";
    size_t last = SIZE_MAX;
    for (auto step = begin; step != end; ++step) {
      check(step->kind == HostStep::Kind::kLaunch && step->scalars.empty(), "lower",
            joint.name + ": a part is no launch");
      if (step->kernel != last) add_part(std::move(program_.kernels[step->kernel]), &joint);
      last = step->kernel;
      is_part[last] = true;
      add_place(*step, &joint, &joint_step);
    }
    joint.work.mean_chain /= static_cast<double>(joint.launch.grid[0]);
    add_constants(&joint);
    describe(&joint, launch->count);
    name_types(&joint, &types);
    joints.emplace(joint_step.kernel, std::move(joint));
    *begin = std::move(joint_step);
    steps.erase(begin + 1, end);
  }
  replace_parts(is_part, std::move(joints), &program_.kernels, &steps);
}

}  // namespace sinter
