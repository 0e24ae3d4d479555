// Kernels that share a launch become one, of parts; their launches one step. Comes before memory is given out: what the
// parts read and write is in use at the same time.
#include <algorithm>
#include <map>
#include <set>

#include "passes/lower/program/fingerprint.h"
#include "passes/lower/program/launch_parts.h"
#include "passes/lower/program/lowering.h"
#include "passes/lower/text/unique_names.h"
#include "passes/lower/write/device_functions.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/schedule/cost/work.h"
#include "passes/stages/domain/same_form.h"

namespace sinter {

namespace {

void describe(Kernel* joint) {
  const size_t kinds = joint->parts.size();
  int64_t places = 0, divided = 0;
  for (const KernelPart& part : joint->parts) {
    places += part.places;
    divided += part.last ? 0 : part.places;
  }
  std::string title = joint->name + ": ";
  title += kinds == 1 ? "one computation" : std::to_string(kinds) + " computations";
  if (places > std::ssize(joint->parts)) title += " on " + std::to_string(places) + " sets of arrays";
  title += ", in one launch";
  if (divided > 1) title += " that divides its blocks among them";
  if (joint->finished != nullptr) {
    title += divided > 1 ? "; the last block to finish goes on alone" : " whose last block to finish goes on alone";
  } else if (places > divided) {
    title += divided > 1 ? "" : ", one after the other";
  }
  joint->description = {title + ".", ""};
  const std::vector<std::string> parts = describe_parts(*joint);
  joint->description.insert(joint->description.end(), parts.begin(), parts.end());
  joint->description.push_back("");
  joint->description.push_back(launch_text(joint->launch.grid[0], joint->launch.block) + ".");
}

// Names of types, unlike those of templates/device: two functions may have one (`f1` and `f_1`).
void name_types(Kernel* joint, std::set<std::string>* taken) {
  joint->arrays_type = unique_name(type_name(joint->name) + "Arrays", taken);
  std::set<std::string> own = {joint->arrays_type};
  for (KernelPart& part : joint->parts) part.arrays_type = unique_name(type_name(part.kernel.name) + "Arrays", &own);
}

// A kernel of the program, and in how many steps after one another it is launched.
struct PartSteps {
  size_t kernel = 0;
  int64_t places = 0;
  bool last = false;
};

// What several blocks would do, one does after the other.
void describe_in_turn(Kernel* kernel) {
  const std::string several = launch_text(kernel->launch.grid[0], kernel->launch.block);
  for (std::string& line : kernel->description) {
    if (!line.starts_with(several)) continue;
    line.replace(0, several.size(),
                 launch_text(1, kernel->launch.block) + ", " + std::to_string(kernel->launch.grid[0]) + " times");
  }
}

void add_part(Kernel kernel, const PartSteps& steps, Kernel* joint) {
  const bool several = count_along_x(&kernel);
  // Of a single element: its launch alone says how many threads there are.
  if (kernel.constants.size() == 1) kernel.constants.clear();
  if (steps.last && kernel.launch.grid[0] > 1) describe_in_turn(&kernel);
  if (!steps.last || kernel.launch.grid[0] > 1) name_blocks(&kernel);
  joint->headers.insert(kernel.headers.begin(), kernel.headers.end());
  const auto places = static_cast<double>(steps.places), blocks = static_cast<double>(kernel.launch.grid[0]);
  if (steps.last) {
    kernel.work.chain *= blocks;
    joint->work = then(joint->work, kernel.work);
  } else {
    Work all = share(kernel.work, places);
    all.chain = kernel.work.chain;
    joint->work = both(joint->work, all);
    // Summed here, divided where all parts are there.
    joint->work.mean_chain += places * blocks * kernel.work.chain;
    joint->launch.grid[0] += steps.places * kernel.launch.grid[0];
  }
  const std::string block = several ? kBlock : name_block(&kernel.body);
  joint->parts.push_back({std::move(kernel), steps.places, steps.last, block, ""});
}

// Those of all parts; pointers before numbers.
void add_parameters(bool counts, Kernel* joint) {
  std::vector<Parameter> numbers;
  for (const KernelPart& part : joint->parts) {
    for (int64_t place = 0; place < part.places; ++place) {
      for (const Parameter& parameter : part.kernel.parameters) {
        const bool number = parameter.variable->type.kind == CType::Kind::kValue;
        (number ? numbers : joint->parameters).push_back(parameter);
      }
    }
  }
  if (counts) {
    CType type = CType::value(DType::kU32);
    type.kind = CType::Kind::kPointer;
    Variable* finished = joint->variable("finished", type);
    joint->finished = finished;
    joint->parameters.push_back({finished, true, 0});
    joint->headers.insert("device/last_block.cuh");
  }
  joint->parameters.insert(joint->parameters.end(), numbers.begin(), numbers.end());
}

// "kThreads = 256, kBlocks = 5 * update::kBlocks + clip::kBlocks".
void add_constants(Kernel* joint) {
  joint->constants.push_back({"kThreads", "int", std::to_string(joint->launch.block), ""});
  std::string blocks;
  for (const KernelPart& part : joint->parts) {
    if (part.last) break;
    blocks += (blocks.empty() ? "" : " + ") + (part.places > 1 ? std::to_string(part.places) + " * " : "");
    blocks += part.kernel.name + "::" + part.kernel.launch.grid_spelling[0];
  }
  joint->constants.push_back({"kBlocks", "int", blocks, ""});
  joint->launch.grid_spelling[0] = "kBlocks";
}

// An array that a part of a launch writes and another one has too is not that part's alone.
void find_common_arrays(Program* program) {
  for_each_step(program->plan.steps, [&](const HostStep& step) {
    if (step.kind != HostStep::Kind::kLaunch || !has_arrays_struct(program->kernels[step.kernel])) return;
    std::map<size_t, std::vector<size_t>> arguments;  // by buffer
    for (size_t i = 0; i < step.buffers.size(); ++i) {
      for (const size_t place : places_of(program->plan, step.buffers[i])) arguments[place].push_back(i);
    }
    for (const auto& [place, all] : arguments) {
      const auto is_stored = [&](size_t argument) { return is_written(*program, step, argument); };
      if (all.size() == 1 || std::none_of(all.begin(), all.end(), is_stored)) continue;
      for (const size_t i : all) program->kernels[step.kernel].parameters[i].variable->type.is_restrict = false;
    }
  });
}

}  // namespace

constexpr std::string_view kOutline = "last:";

bool is_outline(const std::string& form) { return form.starts_with(kOutline); }

std::string outline(const std::string& schedule, const KernelValues& values) {
  const std::set<const Instruction*>& computed = values.context.computed;
  std::string text = std::string(kOutline) + schedule;
  for (const Instruction* value : in_text_order({computed.begin(), computed.end()}))
    text += " " + std::string(opcode_name(value->opcode)) + " " + to_string(value->shape, false);
  return text;
}

// With names that say nothing of the arrays, and are equally long: what stands on a line of its own depends on that.
std::optional<LoweredStage> Lowering::lower_plainly(const StageInput& input) {
  const std::set<const Instruction*>& computed = input.values.context.computed;
  const std::vector<const Instruction*> in_order = in_text_order({computed.begin(), computed.end()});
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
  std::optional<LoweredStage> plain = stage(input, /*is_plain=*/true);
  for (auto& [array, name] : own) names_.at(array) = std::move(name);
  return plain;
}

StageInput Lowering::input_again(const KernelSites& sites) const {
  return {module_,
          tree_,
          sites.node,
          sites.schedule,
          sites.values,
          names_,
          [&sites](const std::string&) { return sites.node.name; },
          sites.together ? nullptr : &needed_,
          sites.part};
}

// That of a kernel that has been lowered with its own names.
const std::string& Lowering::plain_form(size_t kernel) {
  std::string& form = plain_forms_[kernel];
  if (!form.empty()) return form;
  const KernelSites& sites = sites_.at(kernel);
  const StageInput input = input_again(sites);
  const std::optional<LoweredStage> plain = lower_plainly(input);
  check(plain.has_value(), "lower", sites.node.name + " cannot be lowered again");
  return form = fingerprint(plain->kernels.at(0));
}

// The plain form of a part of an earlier launch that computes the same; nullptr if there is none.
const std::string* Lowering::form_of_part_before(const StageInput& input, const std::string& schedule) const {
  const auto alike = parts_alike_.find(form_hash(input.values));
  if (alike == parts_alike_.end()) return nullptr;
  for (const size_t kernel : alike->second) {
    if (twin_of(kernel, input.node, schedule, input.values)) return &part_forms_.at(kernel);
  }
  return nullptr;
}

// A launch whose parts are, but for their arrays, those of an earlier one is a launch of the same kernel.
void Lowering::close_launch(size_t first_step, std::vector<HostStep>* steps) {
  JointLaunch& launch = joint_.back();
  if (launch.forms.empty()) return;
  const size_t first = launch.first_kernel, count = program_.kernels.size() - first;
  const size_t last_parts = std::ranges::count_if(launch.forms, is_outline);
  const auto is_same = [&](size_t earlier) {
    for (size_t i = count - last_parts; i < count; ++i) {
      if (plain_form(first + i) != plain_form(earlier + i)) return false;
    }
    return true;
  };
  std::vector<size_t>& alike = kernels_of_forms_[launch.forms];
  const auto found = std::ranges::find_if(alike, is_same);
  if (found == alike.end()) {
    alike.push_back(first);
    for (size_t i = first_step; i < steps->size(); ++i) {
      const size_t kernel = (*steps)[i].kernel;
      launch.kernels.push_back(kernel);
      const std::string& form = launch.forms[i - first_step];
      const auto sites = sites_.find(kernel);
      if (is_outline(form) || sites == sites_.end() || !part_forms_.emplace(kernel, form).second) continue;
      parts_alike_[form_hash(sites->second.values)].push_back(kernel);
    }
    return;
  }
  const size_t same = *found;
  for (size_t i = first_step; i < steps->size(); ++i) (*steps)[i].kernel = (*steps)[i].kernel - first + same;
  for (size_t i = first; i < program_.kernels.size(); ++i) {
    const auto sites = sites_.find(i);
    if (sites == sites_.end()) continue;
    std::vector<StageStep>& launches = sites_.at(i - first + same).launches;
    launches.insert(launches.end(), sites->second.launches.begin(), sites->second.launches.end());
    sites_.erase(sites);
  }
  program_.kernels.resize(first);
  plain_forms_.erase(plain_forms_.lower_bound(first), plain_forms_.end());
}

// One step of all, of the kernel that the first part has.
HostStep Lowering::join_steps(const std::vector<HostStep>& parts) {
  HostStep joint;
  joint.kernel = parts[0].kernel;
  joint.comment = parts[0].comment;
  if (parts.size() > 1) joint.comment += ", and " + std::to_string(parts.size() - 1) + " more";
  std::vector<bool> written;
  std::vector<int64_t> bytes;
  int64_t blocks = 0;
  for (const HostStep& step : parts) {
    check(step.kind == HostStep::Kind::kLaunch, "lower", "a part of '" + joint.comment + "' is no launch");
    const size_t offset = joint.buffers.size();
    for (const auto& [in, out] : step.may_share) joint.may_share.emplace_back(in + offset, out + offset);
    for (size_t i = 0; i < step.buffers.size(); ++i) {
      written.push_back(is_written(program_, step, i));
      bytes.push_back(program_.plan.buffers[step.buffers[i]].shape.bytes());
      if (!step.part->last || !written.back()) continue;
      // What the parts before have read; one array is as large as itself.
      for (size_t in = 0; in < offset; ++in) {
        if (!written[in] && bytes[in] == bytes.back()) joint.may_share.emplace_back(in, offset + i);
      }
    }
    joint.buffers.insert(joint.buffers.end(), step.buffers.begin(), step.buffers.end());
    joint.scalars.insert(joint.scalars.end(), step.scalars.begin(), step.scalars.end());
    if (!step.part->last) blocks += program_.kernels[step.kernel].launch.blocks();
  }
  if (!parts.back().part->last || blocks == 1) return joint;
  joint.buffers.push_back(finished_buffer(0, 1));
  return joint;
}

void Lowering::join_launches() {
  struct Joint {
    size_t launch = SIZE_MAX;  // the first
    std::vector<PartSteps> parts;
    bool counts = false;
  };
  std::map<size_t, Joint> joints;  // by the number of their first part
  std::vector<std::vector<HostStep>*> left = {&program_.plan.steps};
  while (!left.empty()) {
    std::vector<HostStep>* list = left.back();
    left.pop_back();
    std::vector<HostStep> joined;
    for (size_t i = 0; i < list->size();) {
      if (!(*list)[i].part) {
        joined.push_back(std::move((*list)[i++]));
        continue;
      }
      std::vector<HostStep> parts;
      const size_t launch = (*list)[i].part->launch;
      const auto goes_on = [&](const HostStep& step) {
        return step.part && step.part->launch == launch &&
               (parts.empty() || step.part->last >= parts.back().part->last);
      };
      while (i < list->size() && goes_on((*list)[i])) parts.push_back(std::move((*list)[i++]));
      joined.push_back(join_steps(parts));
      Joint& joint = joints[parts[0].kernel];
      joint.launch = std::min(joint.launch, launch);
      if (!joint.parts.empty()) continue;
      const auto counts = finished_.find(0);
      joint.counts = counts != finished_.end() && joined.back().buffers.back() == counts->second;
      for (const HostStep& part : parts) {
        std::vector<PartSteps>& all = joint.parts;
        if (all.empty() || all.back().kernel != part.kernel) all.push_back({part.kernel, 0, part.part->last});
        ++all.back().places;
      }
    }
    *list = std::move(joined);
    for (HostStep& step : *list) {
      left.push_back(&step.condition);
      left.push_back(&step.body);
      for (std::vector<HostStep>& arm : step.arms) left.push_back(&arm);
    }
  }

  std::vector<bool> is_part(program_.kernels.size());
  std::map<size_t, Kernel> kernels;
  std::set<std::string> types;  // of the program's kernels
  for (const auto& [first, joint] : joints) {
    Kernel& kernel = kernels[first];
    kernel.name = joint_[joint.launch].name;
    kernel.launch.block = joint_[joint.launch].block;
    kernel.launch.grid[0] = 0;
    for (const PartSteps& part : joint.parts) {
      add_part(std::move(program_.kernels[part.kernel]), part, &kernel);
      is_part[part.kernel] = true;
    }
    share_memory(&kernel);
    kernel.work.mean_chain /= static_cast<double>(kernel.launch.grid[0]);
    add_parameters(joint.counts, &kernel);
    add_constants(&kernel);
    describe(&kernel);
    name_types(&kernel, &types);
  }
  replace_parts(is_part, std::move(kernels), &program_.kernels, &program_.plan.steps);
  find_common_arrays(&program_);
}

}  // namespace sinter
