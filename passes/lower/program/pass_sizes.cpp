#include "passes/lower/program/pass_sizes.h"

#include <algorithm>
#include <map>
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

// The input that a size is, by its buffer.
using SizeBuffers = std::map<size_t, size_t>;

// The arguments of a kernel that are a size in each launch, not the same one in all perhaps.
std::vector<size_t> sizes_among(const std::vector<HostStep*>& launches, const SizeBuffers& sizes) {
  std::vector<size_t> places;
  const size_t count = launches.empty() ? 0 : launches[0]->buffers.size();
  for (size_t place = 0; place < count; ++place) {
    const auto is_size = [&](const HostStep* launch) { return sizes.contains(launch->buffers[place]); };
    if (std::ranges::all_of(launches, is_size)) places.push_back(place);
  }
  return places;
}

// A size that the launch alone reads is the one that the kernel gets, where that is the same in all launches.
void drop_twice_given(Kernel* kernel, const std::vector<HostStep*>& launches) {
  std::vector<Parameter>& parameters = kernel->parameters;
  if (launches.empty()) return;
  const size_t first = launches[0]->buffers.size();
  for (size_t one = first; one < parameters.size(); ++one) {
    for (size_t other = first; other < parameters.size(); ++other) {
      const auto is_same = [&](const HostStep* launch) {
        return launch->scalars[one - first].counter == launch->scalars[other - first].counter &&
               launch->scalars[one - first].number == launch->scalars[other - first].number;
      };
      if (!parameters[one].of_host || parameters[other].of_host || !std::ranges::all_of(launches, is_same)) continue;
      const std::string from = "run_blocks(" + parameters[one].variable->name;
      for (std::string& spelling : kernel->launch.grid_spelling) {
        if (spelling.starts_with(from))
          spelling = "run_blocks(" + parameters[other].variable->name + spelling.substr(from.size());
      }
      parameters.erase(parameters.begin() + static_cast<std::ptrdiff_t>(one));
      for (HostStep* launch : launches)
        launch->scalars.erase(launch->scalars.begin() + static_cast<std::ptrdiff_t>(one - first));
      return;
    }
  }
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
  SizeBuffers sizes;
  for (const InterfaceSize& size : interface_sizes(*program)) {
    size_t position = 0;
    while (plan.buffers[position].kind != Buffer::Kind::kInput ||
           plan.buffers[position].index != static_cast<int64_t>(size.input))
      ++position;
    sizes.emplace(position, size.input);
  }
  if (sizes.empty()) return;
  std::vector<std::vector<HostStep*>> launches(program->kernels.size());
  for_each_step(&plan.steps, [&](HostStep* step) {
    if (step->kind == HostStep::Kind::kLaunch) launches[step->kernel].push_back(step);
  });
  for (size_t k = 0; k < program->kernels.size(); ++k) {
    Kernel& kernel = program->kernels[k];
    size_t taken = 0;
    for (size_t place : sizes_among(launches[k], sizes)) {
      place -= taken;
      const Parameter& parameter = kernel.parameters[place];
      if (!parameter.of_host && !only_reads(&kernel, parameter.variable)) continue;
      take_number(&kernel, place);
      for (HostStep* launch : launches[k]) give_number(launch, place, size_scalar(sizes.at(launch->buffers[place])));
      ++taken;
    }
    drop_twice_given(&kernel, launches[k]);
  }
  for (const auto& [position, input] : sizes) {
    if (is_used(plan, position)) store(program, position, input);
  }
}

}  // namespace sinter
