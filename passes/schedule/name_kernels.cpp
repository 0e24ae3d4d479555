#include "passes/schedule/name_kernels.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ir/module/taken_names.h"
#include "passes/names/lightness.h"
#include "passes/names/source_order.h"
#include "passes/names/value_names.h"

namespace sinter {

std::vector<const Instruction*> computed_by(const Group& group) {
  const std::set<const Instruction*>& computed = group.values.context.computed;
  return in_text_order({computed.begin(), computed.end()});
}

std::string kernel_name(const Module& module, const Group& group, const std::vector<std::string>& program_functions) {
  const Instruction* loop = nullptr;
  for (const Instruction* value : computed_by(group)) {
    if (value->opcode == Opcode::kWhile && !group.form.kind->own) loop = value;
  }
  if (loop != nullptr) {
    // JAX traces a body apart from the loop that runs it: most statements agree on the outermost function, the loop's
    // own counter does not.
    std::map<std::string, std::vector<std::vector<std::string>>> by_outermost;
    for (const Instruction& instruction : (*loop->attributes->body)->instructions()) {
      const SourcePlace place = source_place(module, instruction);
      if (!is_plumbing(instruction) && !place.functions.empty())
        by_outermost[place.functions[0]].push_back(place.functions);
    }
    std::vector<std::string> common;
    size_t most = 0;
    for (const auto& [outermost, paths] : by_outermost) {
      if (paths.size() <= most) continue;
      most = paths.size();
      common = paths[0];
      for (const std::vector<std::string>& path : paths) {
        size_t same = 0;
        while (same < common.size() && same < path.size() && common[same] == path[same]) ++same;
        common.resize(same);
      }
    }
    return common.empty() ? "loop" : identifier(common.back());
  }
  const Instruction* output = group.values.outputs.front();
  if (output->opcode == Opcode::kGetTupleElement) output = output->operand(0);
  if (output->opcode == Opcode::kParameter) return "counter";  // of a loop that the host runs
  const Instruction* heaviest = output;
  bool fills = true;
  for (const Instruction* value : computed_by(group)) {
    if (lightness(*value) <= std::min(Lightness::kReduction, lightness(*heaviest))) heaviest = value;
    fills &= value->opcode == Opcode::kBroadcast && value->operand(0)->opcode == Opcode::kConstant;
  }
  if (fills) return "fill";
  const SourcePlace of_heaviest = source_place(module, *heaviest), of_output = source_place(module, *output);
  std::string shared;
  for (size_t i = 0; i < std::min(of_heaviest.functions.size(), of_output.functions.size()); ++i) {
    if (of_heaviest.functions[i] != of_output.functions[i]) break;
    shared = of_heaviest.functions[i];
  }
  for (const std::string& function : {shared, of_heaviest.function, of_output.function}) {
    const auto& of_all = program_functions;
    if (!function.empty() && std::find(of_all.begin(), of_all.end(), function) == of_all.end())
      return identifier(function);
  }
  return value_name(*heaviest);
}

std::vector<std::string> program_functions(const Module& module) {
  std::optional<std::vector<std::string>> common;
  for (const Instruction& instruction : module.entry()->instructions()) {
    const std::vector<std::string> functions = source_place(module, instruction).functions;
    if (is_plumbing(instruction) || functions.empty()) continue;
    if (!common) common = functions;
    size_t same = 0;
    while (same < common->size() && same < functions.size() && (*common)[same] == functions[same]) ++same;
    common->resize(same);
  }
  return common.value_or(std::vector<std::string>());
}

namespace {

// The first of several has no number, and keeps its name when another comes. "xor_", which a keyword became, numbers as
// "xor_2": two underscores in a row are reserved in C++.
class Numbered {
 public:
  explicit Numbered(std::set<std::string> wanted) : wanted_(std::move(wanted)) {}
  bool take(const std::string& name) { return taken_.insert(name).second; }
  std::string number(const std::string& name) {
    for (int& number = given_.try_emplace(name, 1).first->second;;) {
      std::string result = name + (name.back() == '_' ? "" : "_") + std::to_string(++number);
      if (wanted_.count(result) == 0 && taken_.insert(result).second) return result;
    }
  }

 private:
  std::set<std::string> wanted_, taken_;
  std::map<std::string, int> given_;
};

// The parts of a launch stand in one file, beside its kernel. None is called as a kernel is: who looks for that one, in
// a profile, is to find it alone.
void name_parts(const std::set<std::string>& kernels, TreeNode* kernel) {
  if (split_of(*kernel) == nullptr) return;
  std::vector<std::string>& parts = kernel->body()[0].parts;
  Numbered names({parts.begin(), parts.end()});
  for (const std::string& name : kernels) names.take(name);
  for (const char* word : {"finished", "run_parts"}) names.take(word);  // of emitter/kernels/print_kernel.cpp
  for (std::string& part : parts) {
    if (is_function(part) || !names.take(part)) part = names.number(part);
  }
}

}  // namespace

void collect_kernels(std::vector<TreeNode>& items, std::vector<TreeNode*>* kernels) {
  for (TreeNode& item : items) {
    if (item.kind == TreeNode::Kind::kKernel) {
      kernels->push_back(&item);
    } else {
      for (auto& body : item.bodies) collect_kernels(body, kernels);
    }
  }
}

bool has_loop(const TreeNode& kernel) {
  for (const TreeNode& item : kernel.body()) {
    if (item.kind == TreeNode::Kind::kLoop) return true;
  }
  return false;
}

void name_kernels(const std::string& program, Tree* tree) {
  std::vector<TreeNode*> kernels;
  collect_kernels(tree->items, &kernels);
  if (kernels.size() == 1 && !has_loop(*kernels[0])) {
    std::string& name = kernels[0]->name = program;
    if (name.size() > kLongestKernelName) name.resize(program.find_last_not_of('_', kLongestKernelName - 1) + 1);
  }
  // Namespaces of the program's kernels are called so: they hide no function that a kernel calls, `exp` or `expf`.
  const auto hides = [](const std::string& name) {
    return is_function(name) || is_kernel_word(name) || name == "std" ||
           (name.ends_with('f') && is_function(name.substr(0, name.size() - 1)));
  };
  const auto passed = [](const std::string& name) { return name == "t" || name == "arrays"; };
  for (TreeNode* kernel : kernels) {
    // The counter that a kernel is passed, and what its parts are.
    if (hides(kernel->name) || passed(kernel->name)) kernel->name += "_kernel";
    if (has_kernel_form(kernel->name)) kernel->name = "kernel_" + kernel->name;
  }
  std::set<std::string> wanted;
  for (const TreeNode* kernel : kernels) wanted.insert(kernel->name);
  Numbered names(std::move(wanted));
  for (TreeNode* kernel : kernels) {
    if (!names.take(kernel->name)) kernel->name = names.number(kernel->name);
  }
  std::set<std::string> given;
  for (const TreeNode* kernel : kernels) given.insert(kernel->name);
  for (TreeNode* kernel : kernels) name_parts(given, kernel);
}

}  // namespace sinter
