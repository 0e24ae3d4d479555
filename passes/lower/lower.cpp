// Walks the schedule tree: every kernel item becomes a Kernel and a launch, every host loop a step with steps inside.
// Here is the program as a whole: its interface, its buffers, its results.
#include "passes/lower/lower.h"

#include <unordered_map>
#include <unordered_set>

#include "ir/module/weights.h"
#include "passes/analysis/functions/attention.h"
#include "passes/analysis/functions/small_matrices.h"
#include "passes/lower/host/arena.h"
#include "passes/lower/host/donation.h"
#include "passes/lower/host/reuse_copied.h"
#include "passes/lower/program/lowering.h"
#include "passes/lower/program/pass_sizes.h"
#include "passes/names/value_names.h"

namespace sinter {

std::optional<Program> Lowering::run(const std::string& name) {
  program_.name = name;
  index_names();
  if (!check_plan()) return std::nullopt;
  declare_interface();
  LevelContext entry = level_context(*module_.entry(), nullptr);
  if (!start_updates(&entry) || !level(entry, tree_.items, &program_.plan.steps)) return std::nullopt;
  copy_results();
  name_roles();
  pass_sizes(&program_);
  join_launches();
  if (!diagnostics_.ok()) return std::nullopt;
  drop_unread_pointers(&program_.plan);
  clear_ahead();
  join_together();
  if (!diagnostics_.ok() || !check_updated_elements(entry, program_.plan.steps)) return std::nullopt;
  reuse_copied(&program_);
  settle_donations(&program_);
  assign_arena(&program_.plan);
  return std::move(program_);
}

void Lowering::index_names() {
  by_name_ = instructions_by_name(module_);
  std::map<std::string, int> tables;  // by name: how many
  for (const auto& computation : module_.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      // A kernel may read tables of the bodies and arms inside it, which are no level's values.
      if (instruction.opcode == Opcode::kConstant) {
        const std::string name = constant_name(instruction);
        const bool is_table = instruction.shape.is_array() && instruction.shape.element_count() > 1;
        const int number = is_table ? ++tables[name] : 1;
        names_.emplace(&instruction, number > 1 ? name + "_" + std::to_string(number) : name);
      }
      if (instruction.opcode == Opcode::kWhile) loop_of_body_[*instruction.attributes->body] = &instruction;
    }
  }
  std::vector<const TreeNode*> nodes;
  for (const TreeNode& item : tree_.items) nodes.push_back(&item);
  while (!nodes.empty()) {
    const TreeNode* node = nodes.back();
    nodes.pop_back();
    if (node->kind == TreeNode::Kind::kKernel) kernel_names_.insert(node->name);
    for (const std::vector<TreeNode>& body : node->bodies) {
      for (const TreeNode& item : body) nodes.push_back(&item);
    }
  }
}

// A value that a loop stores into its row of an array, without the dimension that makes it a row.
static const Instruction* stored_value(const Instruction& update) {
  const Instruction* value = array_value(update.operand(1));
  const auto adds_ones = [](const Instruction& instruction) {
    const bool reshapes = instruction.opcode == Opcode::kReshape || instruction.opcode == Opcode::kBroadcast;
    return reshapes && instruction.operand(0)->shape.element_count() == instruction.shape.element_count();
  };
  while (adds_ones(*value)) value = array_value(value->operand(0));
  return value;
}

// A carry goes by the parameter it starts from, through the loops around; else by what the body does with it: "sum" if
// it adds to it, the value it stores a row of, or the op that computes it.
std::string Lowering::carry_name(const Instruction& loop, int64_t number) const {
  const Instruction* root = (*loop.attributes->body)->root();
  const Instruction* next = root->opcode == Opcode::kTuple ? root->operand(number) : root;
  if (std::string name = carried_name(*next); !name.empty()) return name;
  const Instruction* around = &loop;
  int64_t carry = number;
  for (;;) {
    const Instruction* init = around->operand(0);
    while (init->opcode == Opcode::kOptBarrier) init = init->operand(0);
    const Instruction* start = init->opcode == Opcode::kTuple ? array_value(init->operand(carry)) : init;
    if (start->opcode == Opcode::kParameter && start->parent() == module_.entry()) {
      return names_.count(start) > 0 ? names_.at(start) : value_name(*start);
    }
    if (start->opcode != Opcode::kGetTupleElement || start->operand(0)->opcode != Opcode::kParameter) break;
    const auto outer = loop_of_body_.find(start->parent());
    if (outer == loop_of_body_.end()) break;
    around = outer->second;
    carry = *start->attributes->tuple_index;
  }
  if (root->opcode != Opcode::kTuple) return is_plumbing(*root) ? "result" : value_name(*root);
  if (next->opcode == Opcode::kAdd) {
    for (const Instruction* operand : next->operands()) {
      const bool carried =
          operand->opcode == Opcode::kGetTupleElement && operand->operand(0)->opcode == Opcode::kParameter;
      if (carried && *operand->attributes->tuple_index == number) return "sum";
    }
  }
  if (next->opcode == Opcode::kDynamicUpdateSlice) next = stored_value(*next);
  return is_plumbing(*next) ? "result" : value_name(*next);
}

// Of a result of what a thread makes of small matrices (small_matrices.h): that of the carry of the loop in there,
// which may begin as a parameter of the program; empty of any other value.
std::string Lowering::name_in_matrices(const Instruction& value) const {
  const bool is_element = value.opcode == Opcode::kGetTupleElement;
  const Instruction& fusion = is_element ? *value.operand(0) : value;
  if (!is_small_matrices(fusion)) return "";
  const Instruction* inside = (*fusion.attributes->calls)->root();
  if (inside->opcode == Opcode::kTuple)
    inside = inside->operand(is_element ? static_cast<size_t>(*value.attributes->tuple_index) : 0);
  if (inside->opcode != Opcode::kGetTupleElement || inside->operand(0)->opcode != Opcode::kWhile)
    return value_name(*inside);
  const Instruction& loop = *inside->operand(0);
  const int64_t carry = *inside->attributes->tuple_index;
  const Instruction& start = *loop.operand(0)->operand(static_cast<size_t>(carry));
  if (start.opcode == Opcode::kParameter) {
    const Instruction* given = fusion.operand(static_cast<size_t>(start.parameter_number));
    if (given->opcode == Opcode::kParameter && names_.count(given) > 0) return names_.at(given);
  }
  return carry_name(loop, carry);
}

// The name of a result: a carry's, or its op's.
std::string Lowering::result_name(const Instruction* value) const {
  if (std::string name = variable_name(*value); !name.empty()) return name;
  if (std::string name = name_in_matrices(*value); !name.empty()) return name;
  if (value->opcode != Opcode::kGetTupleElement || !member_of_call(*value).empty()) return value_name(*value);
  const Instruction* owner = value->operand(0);
  if (is_chain(*owner)) return value_name(*value);
  if (owner->opcode == Opcode::kWhile) return carry_name(*owner, *value->attributes->tuple_index);
  const auto loop = loop_of_body_.find(owner->parent());
  if (owner->opcode == Opcode::kParameter && loop != loop_of_body_.end()) {
    return carry_name(*loop->second, *value->attributes->tuple_index);
  }
  // One of several results goes by the operation, unless it has a name of its own.
  const std::string& own = value->metadata->op_name;
  if (!own.empty() && own != owner->metadata->op_name) return value_name(*value);
  const bool is_place = owner->opcode == Opcode::kTopk && *value->attributes->tuple_index == 1;
  return value_name(*owner) + (is_place ? "_indices" : "");
}

void Lowering::declare_interface() {
  struct Names {
    std::unordered_set<std::string> taken;
    std::unordered_map<std::string, int> numbers;  // by what is numbered: the last one
  };
  // The first of a name has no number: it keeps its name when another comes.
  const auto unique = [](Names& names, const std::string& base) {
    if (names.taken.insert(base).second) return base;
    int& number = names.numbers.try_emplace(base, 1).first->second;
    for (;;) {
      std::string name = base + "_" + std::to_string(++number);
      if (names.taken.insert(name).second) return name;
    }
  };
  Names input_names;
  std::unordered_map<int64_t, size_t> input_of_parameter;
  for (const Instruction* parameter : module_.entry()->parameters()) {
    if (!weight_name(*parameter).empty()) continue;
    std::string base = variable_name(*parameter);
    if (base.empty()) base = parameter->metadata->op_name.empty() ? parameter->name : parameter->metadata->op_name;
    if (parameter->metadata->op_name.empty()) {
      const size_t dot = base.rfind('.');
      if (dot != std::string::npos && base.find_first_not_of("0123456789", dot + 1) == std::string::npos)
        base.resize(dot);
    }
    Program::Tensor tensor;
    tensor.name = unique(input_names, identifier(base));
    tensor.shape = parameter->shape;
    names_[parameter] = tensor.name;
    const size_t buffer = add_buffer(Buffer::Kind::kInput, parameter, tensor.name);
    program_.plan.buffers[buffer].index = std::ssize(program_.inputs);
    location_[parameter] = buffer;
    input_of_parameter[parameter->parameter_number] = program_.inputs.size();
    program_.inputs.push_back(std::move(tensor));
  }
  results_ = level_results(level_context(*module_.entry(), nullptr));
  for (size_t i = 0; i < results_.size(); ++i) result_rank_.emplace(results_[i], i);
  // A result that takes the place of a parameter goes by its name.
  const Instruction* root = module_.entry()->root();
  std::vector<const Instruction*> declared;
  for (size_t i = 0; i < results_.size(); ++i)
    declared.push_back(array_value(root->opcode == Opcode::kTuple ? root->operand(i) : root));
  std::vector<std::string> bases;
  for (const Instruction* value : declared) bases.push_back(result_name(value));
  // What the text calls them holds whatever has become of the values.
  const bool are_named = module_.result_names.size() == bases.size();
  for (size_t i = 0; are_named && i < bases.size(); ++i) {
    if (const std::string& name = module_.result_names[i]; !name.empty()) bases[i] = identifier(name);
  }
  for (const Alias& alias : module_.input_output_alias) {
    const auto input = input_of_parameter.find(alias.parameter);
    if (input == input_of_parameter.end()) continue;
    const int64_t output = alias.output_index.empty() ? 0 : alias.output_index[0];
    program_.inputs[input->second].donated_to = output;
    if (output < static_cast<int64_t>(bases.size())) bases[output] = program_.inputs[input->second].name;
  }
  Names output_names;
  for (size_t i = 0; i < results_.size(); ++i) {
    Program::Tensor tensor;
    tensor.name = unique(output_names, bases[i]);
    tensor.shape = declared[i]->shape;
    const size_t buffer = add_buffer(Buffer::Kind::kOutput, results_[i], tensor.name);
    program_.plan.buffers[buffer].index = static_cast<int64_t>(i);
    names_.emplace(results_[i], tensor.name);
    const bool made_by_kernel = results_[i]->opcode != Opcode::kParameter && results_[i]->opcode != Opcode::kConstant;
    if (made_by_kernel) location_.emplace(results_[i], buffer);
    program_.outputs.push_back(std::move(tensor));
  }
  Names weight_names;
  for (const Instruction* parameter : module_.entry()->parameters()) {
    const std::string tensor = weight_name(*parameter);
    if (tensor.empty()) continue;
    const std::string name = unique(weight_names, identifier(tensor));
    names_[parameter] = name;
    const size_t buffer = add_buffer(Buffer::Kind::kWeight, parameter, name);
    program_.plan.buffers[buffer].index = std::ssize(program_.weights);
    location_[parameter] = buffer;
    program_.weights.push_back({name, tensor, parameter->shape});
  }
}

size_t Lowering::add_buffer(Buffer::Kind kind, const Instruction* value, const std::string& name) {
  Buffer buffer;
  buffer.kind = kind;
  buffer.value = value;
  if (value != nullptr) buffer.shape = value->shape;
  buffer.name = name;
  if (kind == Buffer::Kind::kArena || kind == Buffer::Kind::kConstant) {
    // A kernel's name is its own array's.
    const auto main = main_results_.find(value);
    const auto taken = [&](const std::string& wanted) {
      const bool own = main != main_results_.end() && main->second == wanted;
      return (!own && kernel_names_.count(wanted) > 0) || !buffer_names_.insert(wanted).second;
    };
    // The first of a name has no number: it keeps its name when another comes.
    const std::string base = main != main_results_.end() ? without_number(name) : name;
    int& number = buffer_numbers_.try_emplace(base, 1).first->second;
    while (taken(buffer.name)) buffer.name = base + (base.back() == '_' ? "" : "_") + std::to_string(++number);
  } else {
    buffer_names_.insert(name);
  }
  program_.plan.buffers.push_back(std::move(buffer));
  return program_.plan.buffers.size() - 1;
}

size_t Lowering::constant_buffer(const Literal& literal, const std::string& name) {
  std::vector<std::byte>& constants = program_.plan.constants;
  constants.resize((constants.size() + 255) / 256 * 256);
  const size_t buffer = add_buffer(Buffer::Kind::kConstant, nullptr, name);
  program_.plan.buffers[buffer].shape = literal.shape();
  program_.plan.buffers[buffer].offset = static_cast<int64_t>(constants.size());
  constants.insert(constants.end(), literal.bytes().begin(), literal.bytes().end());
  if (literal.bytes().empty()) constants.emplace_back();  // an array of no elements has a place too
  return buffer;
}

size_t Lowering::buffer_of(const Instruction* value) {
  const auto found = location_.find(value);
  if (found != location_.end()) return found->second;
  size_t buffer = 0;
  if (value->opcode == Opcode::kConstant) {
    buffer = constant_buffer(value->literal, names_.at(value));
  } else if (finished_counters_.count(value) > 0) {
    buffer = constant_buffer(integer_literal(value->shape.dtype, finished_counters_.at(value)), value_name(*value));
  } else {
    const bool is_state = value->opcode == Opcode::kGetTupleElement && value->operand(0)->opcode == Opcode::kParameter;
    check(!is_state, "lower", value->name + ": no kernel writes this counter");
    const auto main = main_results_.find(value);
    buffer = add_buffer(Buffer::Kind::kArena, value,
                        main != main_results_.end() ? main->second
                        : names_.count(value) > 0   ? names_.at(value)
                                                    : result_name(value));
  }
  location_[value] = buffer;
  return buffer;
}

void Lowering::copy(size_t from, size_t to, const std::string& comment, ReasonCode reason,
                    std::vector<HostStep>* steps) {
  if (program_.plan.buffers[from].shape.bytes() == 0) return;
  HostStep step;
  step.kind = HostStep::Kind::kCopy;
  step.buffers = {from, to};
  step.comment = comment;
  step.reason = reason;
  steps->push_back(std::move(step));
}

// Results that no kernel wrote in place: parameters, constants, and values given twice.
void Lowering::copy_results() {
  for (size_t i = 0; i < results_.size(); ++i) {
    const size_t output = program_.inputs.size() + i;
    const size_t source = buffer_of(results_[i]);
    if (source != output) copy(source, output, program_.outputs[i].name, "result-elsewhere", &program_.plan.steps);
  }
}

namespace {

// Calls visit(items) for each list of items of the tree.
template <class Visit>
void for_each_body(Tree* tree, const Visit& visit) {
  std::vector<std::vector<TreeNode>*> left = {&tree->items};
  while (!left.empty()) {
    std::vector<TreeNode>& items = *left.back();
    left.pop_back();
    visit(items);
    for (TreeNode& item : items) {
      for (std::vector<TreeNode>& body : item.bodies) left.push_back(&body);
    }
  }
}

}  // namespace

void fill_in_grids(const Program& program, Tree* tree) {
  std::map<std::string, const Kernel*> kernels;
  for (const Kernel& kernel : program.kernels) {
    kernels.emplace(kernel.name, &kernel);
    if (!kernel.resident) continue;
    for (const KernelPart& part : kernel.parts) kernels.emplace(part.kernel.name, &part.kernel);
  }
  for_each_body(tree, [&](std::vector<TreeNode>& items) {
    for (TreeNode& item : items) {
      const auto kernel = kernels.find(item.name);
      if (item.kind != TreeNode::Kind::kKernel || item.grid[0] != 0 || kernel == kernels.end()) continue;
      const int64_t(&grid)[3] = kernel->second->launch.grid;
      std::copy(std::begin(grid), std::end(grid), std::begin(item.grid));
    }
  });
}

std::optional<Program> lower(const Module& module, Tree* tree, const std::string& program_name,
                             Diagnostics& diagnostics, KeptStages* kept) {
  Lowering lowering(module, *tree, diagnostics, kept);
  std::optional<Program> program = lowering.run(program_name);
  const OpenDomains& settled = lowering.open_domains;
  for_each_body(tree, [&](std::vector<TreeNode>& items) {
    if (const auto domain = settled.find(&items); domain != settled.end()) set_domain(domain->second, &items);
  });
  return program;
}

}  // namespace sinter
