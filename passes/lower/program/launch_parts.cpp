#include "passes/lower/program/launch_parts.h"

#include <algorithm>
#include <utility>

#include "passes/analysis/values/hardware.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/base/kernel_frame.h"

namespace sinter {

std::string name_block(Block* body) {
  if (!mentions(*body, kBlock)) return "";
  const auto renames = [](const Statement& statement) {
    return statement.kind == Statement::Kind::kLet && statement.variable->type == CType::value(DType::kS32) &&
           statement.value->kind == Expr::Kind::kName && statement.value->text == kBlock;
  };
  const auto alias = std::find_if(body->begin(), body->end(), renames);
  if (alias == body->end()) return kBlock;
  Block others = *body;
  others.erase(others.begin() + (alias - body->begin()));
  if (alias->variable->name != kBlock && mentions(others, kBlock)) return kBlock;
  if (!others.empty() && others.front().kind == Statement::Kind::kBlank) others.erase(others.begin());
  std::string name = alias->variable->name;
  *body = std::move(others);
  return name;
}

void name_blocks(Kernel* part) {
  std::string& blocks = part->launch.grid_spelling[0];
  if (blocks == "kBlocks") return;
  const bool has_it =
      std::ranges::any_of(part->constants, [](const auto& constant) { return constant.name == "kBlocks"; });
  const std::string name = has_it ? "kGridBlocks" : "kBlocks";
  part->rename(blocks, name);
  part->constants.push_back({name, "int", std::exchange(blocks, name), ""});
}

void forget_blocks(KernelPart* part) {
  Kernel& kernel = part->kernel;
  const std::string& blocks = kernel.launch.grid_spelling[0];
  if (mentions(kernel.body, blocks)) return;
  std::erase_if(kernel.constants, [&](const auto& constant) { return constant.name == blocks; });
}

bool count_along_x(Kernel* kernel) {
  const int64_t(&grid)[3] = kernel->launch.grid;
  if (grid[1] == 1 && grid[2] == 1) {
    kernel->rename("blockIdx.x", kBlock);
    return false;
  }
  const std::string columns = kernel->launch.grid_spelling[0], rows = kernel->launch.grid_spelling[1],
                    batches = kernel->launch.grid_spelling[2];
  Block places;
  const auto place = [&](const std::string& of, const std::string& name, const std::string& value) {
    if (!mentions(kernel->body, of)) return;
    const CType type = CType::value(DType::kS32);
    Variable* variable = kernel->variable(name, type);
    kernel->rename(of, name);
    places.push_back({.kind = Statement::Kind::kLet, .variable = variable, .value = kernel->name_expr(value)});
  };
  const auto factor = [](const std::string& text) {
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
  };
  place("blockIdx.x", "block_x", "block % " + factor(columns));
  place("blockIdx.y", "block_y", "block / " + factor(columns) + (grid[2] == 1 ? "" : " % " + factor(rows)));
  place("blockIdx.z", "block_z", "block / (" + factor(columns) + " * " + factor(rows) + ")");
  kernel->body.insert(kernel->body.begin(), places.begin(), places.end());
  kernel->launch.grid_spelling[0] =
      factor(columns) + " * " + factor(rows) + (grid[2] == 1 ? "" : " * " + factor(batches));
  kernel->launch.grid[0] = kernel->launch.blocks();
  kernel->launch.grid[1] = kernel->launch.grid[2] = 1;
  return true;
}

KernelPart make_part(Kernel kernel) {
  const bool several = count_along_x(&kernel);
  if (kernel.launch.grid[0] > 1) name_blocks(&kernel);
  std::string block = several ? kBlock : name_block(&kernel.body);
  return {.kernel = std::move(kernel), .block = std::move(block)};
}

void share_memory(Kernel* joint) {
  // Shared memory beside that of the parts: of the barrier, and of helpers that their rows are combined by.
  constexpr int64_t kHelperBytes = 16 << 10;
  int64_t together = 0;
  const Kernel* largest = &joint->parts[0].kernel;
  for (const KernelPart& part : joint->parts) {
    together += part.kernel.shared.bytes;
    if (part.kernel.shared.bytes > largest->shared.bytes) largest = &part.kernel;
  }
  joint->shared.in_turns = together > kSharedBytesUnasked - kHelperBytes;
  joint->shared.bytes = joint->shared.in_turns ? largest->shared.bytes : together;
  if (!joint->shared.in_turns) return;
  joint->headers.insert("device/part_shared.cuh");
  joint->shared.name = largest->name + "::" + largest->shared.name;
  for (KernelPart& part : joint->parts) part.kernel.rename_call("block_shared<Shared>", "part_shared<Shared>");
}

bool SharedInUse::runs(const Kernel& joint, size_t part, bool after_wait, bool waits) {
  if (after_wait) in_use_.clear();
  if (!has_shared(joint.parts[part].kernel)) return true;
  const bool free = joint.shared.in_turns ? in_use_.empty() : in_use_.count(part) == 0;
  if (!free || waits) in_use_.clear();
  if (!waits) in_use_.insert(part);
  return free;
}

std::vector<std::string> describe_parts(const Kernel& joint) {
  size_t name_width = 0, blocks_width = 0;
  std::vector<std::string> blocks;
  for (const KernelPart& part : joint.parts) {
    std::string text = std::to_string(part.kernel.launch.grid[0]);
    if (part.places > 1) text = std::to_string(part.places) + " x " + text;
    text += part.places * part.kernel.launch.grid[0] == 1 ? " block" : " blocks";
    if (part.last) text = joint.finished != nullptr ? "last block" : "then";
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
    what = what.substr(0, what.find("; "));
    if (what.ends_with('.')) what.pop_back();
    lines.push_back("  " + kernel.name + std::string(name_width - kernel.name.size() + 3, ' ') + blocks[i] +
                    std::string(blocks_width - blocks[i].size() + 3, ' ') + what);
  }
  return lines;
}

std::vector<std::string> describe_together(const Kernel& joint, const std::string& loop) {
  std::vector<std::string> lines = {joint.name + ": the steps of " + loop + ", in one launch.", ""};
  const std::vector<std::string> parts = describe_parts(joint);
  lines.insert(lines.end(), parts.begin(), parts.end());
  lines.push_back("");
  const std::string blocks = launch_text(joint.launch.grid[0], joint.launch.block);
  lines.push_back(joint.launch.grid[0] == 1 ? blocks + " does the parts of all steps."
                  : joint.apart
                      ? blocks + ": each makes its part of all steps, and reads nothing that another one stores."
                      : "At most " + blocks +
                            ", all of them on the device at the same time: each does a part's blocks in turn, and "
                            "waits for the others where a step needs what they have stored. What comes out does not "
                            "depend on how many there are.");
  return lines;
}

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
  for_each_step(steps, [&](HostStep* step) {
    if (step->kind == HostStep::Kind::kLaunch) step->kernel = number[step->kernel];
  });
}

}  // namespace sinter
