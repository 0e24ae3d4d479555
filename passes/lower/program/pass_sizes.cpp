#include "passes/lower/program/pass_sizes.h"

#include <algorithm>
#include <set>

#include "passes/lower/host/interface_sizes.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/rewrite/replace_expr.h"
#include "passes/lower/text/unique_names.h"

namespace sinter {
namespace {

// `size[0]`
bool is_read(const Expr& expr, const Variable* array) {
  if (expr.kind != Expr::Kind::kSubscript || expr.operands.size() != 2) return false;
  const Expr &base = *expr.operands[0], &index = *expr.operands[1];
  return base.kind == Expr::Kind::kVariable && base.variable == array && index.kind == Expr::Kind::kInteger &&
         index.integer == 0;
}

bool has_text(const Block& block) {
  return std::any_of(block.begin(), block.end(), [](const Statement& statement) {
    return statement.kind == Statement::Kind::kText || has_text(statement.body) || has_text(statement.other);
  });
}

// Whether all that a kernel does with the array is reading its one element.
bool only_reads(Kernel* kernel, const Variable* array) {
  if (has_text(kernel->body) || !kernel->declarations.empty() || !kernel->parts.empty()) return false;
  for (const FunctionObject& object : kernel->function_objects) {
    if (std::find(object.members.begin(), object.members.end(), array) != object.members.end()) return false;
  }
  for (const TileMap& map : kernel->tile_maps) {
    if (map.array == array) return false;
  }
  // What is left if each read were something else.
  Block left = kernel->body;
  const Expr* other = kernel->integer(0);
  replace_in(kernel, &left, [&](const Expr* expr, bool) { return is_read(*expr, array) ? other : nullptr; });
  return !mentions(left, array);
}

// Variables that are the number and nothing else go: `const int size_value = size;`
void drop_copies(Kernel* kernel, Block* block, const Variable* number) {
  for (size_t i = block->size(); i-- > 0;) {
    Statement& statement = (*block)[i];
    drop_copies(kernel, &statement.body, number);
    drop_copies(kernel, &statement.other, number);
    const bool copies = statement.kind == Statement::Kind::kLet && statement.value != nullptr &&
                        statement.value->kind == Expr::Kind::kVariable && statement.value->variable == number;
    if (!copies) continue;
    const Variable* copy = statement.variable;
    const Expr* value = statement.value;
    block->erase(block->begin() + static_cast<std::ptrdiff_t>(i));
    replace_in(kernel, &kernel->body, [&](const Expr* expr, bool) -> const Expr* {
      return expr->kind == Expr::Kind::kVariable && expr->variable == copy ? value : nullptr;
    });
  }
}

// Parameter `place` becomes a number, behind all pointers.
void take_number(Kernel* kernel, size_t place) {
  Parameter parameter = kernel->parameters[place];
  Variable* array = parameter.variable;
  array->type = CType::value(DType::kS32);
  const Expr* number = kernel->reference(array);
  replace_in(kernel, &kernel->body, [&](const Expr* expr, bool) { return is_read(*expr, array) ? number : nullptr; });
  kernel->parameters.erase(kernel->parameters.begin() + static_cast<std::ptrdiff_t>(place));
  kernel->parameters.push_back(parameter);
  drop_copies(kernel, &kernel->body, array);
}

// Argument `place` of a launch becomes the number.
void give_number(HostStep* step, size_t place, const std::string& scalar) {
  step->buffers.erase(step->buffers.begin() + static_cast<std::ptrdiff_t>(place));
  step->scalars.push_back({scalar, 0});
  std::erase_if(step->may_share, [&](const auto& pair) { return pair.first == place || pair.second == place; });
  for (auto& [read, written] : step->may_share) {
    read -= read > place;
    written -= written > place;
  }
}

// The argument of all launches of a kernel that is this buffer; nullopt if there is none, or it is another for some.
std::optional<size_t> argument_of(const std::vector<HostStep*>& launches, size_t buffer) {
  std::optional<size_t> place;
  for (const HostStep* launch : launches) {
    const auto found = std::find(launch->buffers.begin(), launch->buffers.end(), buffer);
    if (found == launch->buffers.end()) return std::nullopt;
    const auto at = static_cast<size_t>(found - launch->buffers.begin());
    if (place && *place != at) return std::nullopt;
    place = at;
  }
  return place;
}

// __global__ void store_size(int* __restrict__ stored, int size) { stored[0] = size; }
Kernel storing_kernel(const std::string& name, const std::string& size) {
  Kernel kernel;
  kernel.name = name;
  kernel.description = {name + ": the size of a run, where device memory is read for it.", "", "One thread."};
  Variable* stored = kernel.variable("stored", {.kind = CType::Kind::kPointer, .dtype = DType::kS32});
  Variable* number = kernel.variable(size, CType::value(DType::kS32));
  kernel.parameters = {{.variable = stored, .output = true}, {.variable = number}};
  kernel.launch.block = 1;
  kernel.launch.grid_spelling[0] = "1";
  const Expr* target = kernel.subscript(kernel.reference(stored), kernel.integer(0), CType::value(DType::kS32));
  kernel.body.push_back(
      {.kind = Statement::Kind::kAssign, .target = target, .value = kernel.reference(number), .text = "="});
  return kernel;
}

// What read the input reads an array of the arena.
void store(Program* program, size_t position, size_t input) {
  HostPlan& plan = program->plan;
  std::set<std::string> taken;
  for (const Kernel& kernel : program->kernels) taken.insert(kernel.name);
  const std::string name = unique_name("store_" + program->inputs[input].name, &taken);
  const size_t stored = plan.buffers.size();
  for_each_step(&plan.steps, [&](HostStep* step) { std::ranges::replace(step->buffers, position, stored); });
  for (Buffer& pointer : plan.buffers) std::replace(pointer.targets.begin(), pointer.targets.end(), position, stored);
  Buffer buffer = plan.buffers[position];
  buffer.kind = Buffer::Kind::kArena;
  buffer.name = "stored_" + program->inputs[input].name;
  buffer.reason = "result-elsewhere";
  plan.buffers.push_back(std::move(buffer));
  HostStep step;
  step.kernel = program->kernels.size();
  step.buffers = {stored};
  step.scalars = {{size_scalar(input), 0}};
  program->kernels.push_back(storing_kernel(name, program->inputs[input].name));
  plan.steps.insert(plan.steps.begin(), std::move(step));
}

bool is_used(const HostPlan& plan, size_t buffer) {
  bool used = false;
  for_each_step(plan.steps, [&](const HostStep& step) {
    used |= std::find(step.buffers.begin(), step.buffers.end(), buffer) != step.buffers.end();
  });
  for (const Buffer& pointer : plan.buffers)
    used |= std::find(pointer.targets.begin(), pointer.targets.end(), buffer) != pointer.targets.end();
  return used;
}

}  // namespace

void pass_sizes(Program* program) {
  HostPlan& plan = program->plan;
  for (const InterfaceSize& size : interface_sizes(*program)) {
    size_t position = 0;
    while (plan.buffers[position].kind != Buffer::Kind::kInput ||
           plan.buffers[position].index != static_cast<int64_t>(size.input))
      ++position;
    std::vector<std::vector<HostStep*>> launches(program->kernels.size());
    for_each_step(&plan.steps, [&](HostStep* step) {
      if (step->kind == HostStep::Kind::kLaunch) launches[step->kernel].push_back(step);
    });
    for (size_t k = 0; k < program->kernels.size(); ++k) {
      const std::optional<size_t> place = argument_of(launches[k], position);
      Kernel& kernel = program->kernels[k];
      if (!place || !only_reads(&kernel, kernel.parameters[*place].variable)) continue;
      take_number(&kernel, *place);
      for (HostStep* launch : launches[k]) give_number(launch, *place, size_scalar(size.input));
    }
    if (is_used(plan, position)) store(program, position, size.input);
  }
}

}  // namespace sinter
