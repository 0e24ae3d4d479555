#include "passes/lower/stages/base/stage_checks.h"

#include <algorithm>

#include "passes/analysis/loops/map_loop.h"
#include "passes/schedule/tree/loop_scope.h"
#include "passes/schedule/tree/stage_domain.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/domain/steps_ahead.h"

namespace sinter {

std::nullopt_t refuse(const StageInput& input, Loc loc, const std::string& what, const std::string& hint,
                      Diagnostics& diagnostics) {
  const std::string message = "'" + input.node.name + "' " + what;
  check(input.tree.source != nullptr, "lower", message);
  plan_error(input.tree, loc, "E0407", message, hint, diagnostics);
  return std::nullopt;
}

std::nullopt_t refuse(const StageInput& input, const std::string& what, const std::string& hint,
                      Diagnostics& diagnostics) {
  return refuse(input, input.node.loc, what, hint, diagnostics);
}

std::nullopt_t refuse_form(const StageInput& input, const std::string& form,
                           const std::optional<DemandGraph::Failure>& failure, Diagnostics& diagnostics) {
  std::string what = "cannot be one " + form;
  if (!failure) return refuse(input, what, "`sinter explain --tree` prints a plan that can be made", diagnostics);
  what += ": '" + failure->instruction->name + "' (" + std::string(failure->reason) + ")";
  return refuse(input, what, "`sinter help " + std::string(failure->reason) + "` says why", diagnostics);
}

namespace {

// Without what is in parentheses.
std::string form_word(const std::string& schedule) { return "stage " + schedule.substr(0, schedule.find('(')); }

}  // namespace

std::nullopt_t refuse_domain(const StageInput& input, const StageDomain& domain,
                             const std::optional<DemandGraph::Failure>& failure, Diagnostics& diagnostics) {
  std::optional<DemandGraph::Failure> none;
  const std::optional<StageDomain> other =
      choose_stage_domain(input.values, input.schedule, input.node.block[0], &none);
  if (!other) return refuse_form(input, form_word(input.schedule), none, diagnostics);
  const auto stage = [&](const StageDomain& said) {
    const std::string text = print(said, input.schedule);
    return "stage " + input.schedule + (text.empty() ? "" : " " + text);
  };
  const StageDomain* said = domain_of(input.node.body());
  std::string what = "cannot be one " + stage(domain);
  if (failure) what += ": '" + failure->instruction->name + "' (" + std::string(failure->reason) + ")";
  return refuse(input, said == nullptr ? input.node.loc : said->loc, what, "`" + stage(*other) + "` fits", diagnostics);
}

std::nullopt_t refuse_width(const StageInput& input, int64_t widest, Diagnostics& diagnostics) {
  const StageDomain& said = *domain_of(input.node.body());
  return refuse(input, said.loc, "has threads of " + std::to_string(said.width) + " elements",
                widest == 1 ? "they have one element each: take `by` out"
                            : "`by " + std::to_string(widest) + "`, or what divides that",
                diagnostics);
}

std::optional<StageDomain> settle_domain(const StageInput& input, Diagnostics& diagnostics) {
  std::optional<DemandGraph::Failure> failure;
  std::optional<StageDomain> domain = choose_stage_domain(input.values, input.schedule, input.node.block[0], &failure);
  if (!domain && !failure) return StageDomain();  // there are no rows: lowering says so
  if (!domain) return refuse_form(input, form_word(input.schedule), failure, diagnostics);
  return domain;
}

namespace {

// Steps that one thread may make of a reduction: some ten seconds.
constexpr int64_t kMostSerialSteps = int64_t{1} << 30;

}  // namespace

bool check_serial_steps(const DemandGraph& graph, Diagnostics& diagnostics) {
  for (const DemandReduce& reduce : graph.reduces) {
    if (reduce.cooperative || reduce.fills || reduce.scope < 0) continue;
    int64_t steps = 1;
    for (int scope = reduce.scope; scope != 0; scope = graph.scopes[scope].parent) {
      if (graph.scopes[scope].kind != DemandScope::Kind::kReduce) continue;
      for (const int id : graph.scopes[scope].coordinates) {
        const int64_t extent = std::max<int64_t>(graph.coordinates[id].extent, 1);
        if (extent <= kMostSerialSteps / steps) {
          steps *= extent;
          continue;
        }
        const Instruction& instruction = *reduce.instruction;
        diagnostics.error(instruction.loc, "E0304",
                          std::string(opcode_name(instruction.opcode)) + ": one thread would make all steps of '" +
                              instruction.name + "' one after the other, more than 2^30",
                          "split its operand into parts of less than 2^30 elements, and combine what they come to");
        return false;
      }
    }
  }
  return true;
}

bool has_whole_warps(const StageInput& input) { return input.node.block[0] % kWarp == 0; }

std::nullopt_t refuse_warps(const StageInput& input, Diagnostics& diagnostics) {
  return refuse(input, "needs a block of whole warps", "32 threads or a multiple, up to 1024", diagnostics);
}

bool check_loops(const StageInput& input, const MapDemand* demand, Diagnostics& diagnostics) {
  std::vector<std::pair<const TreeNode*, const Computation*>> left;  // items, and what they compute
  const auto push = [&](const std::vector<TreeNode>& items, const Computation* computation) {
    for (const TreeNode& item : items) {
      if (item.kind == TreeNode::Kind::kLoop) left.emplace_back(&item, computation);
    }
  };
  push(input.node.body(), input.values.context.level);
  while (!left.empty()) {
    const auto [item, computation] = left.back();
    left.pop_back();
    for (const Instruction& loop : computation->instructions()) {
      if (loop.opcode != Opcode::kWhile || loop.name != item->name) continue;
      if (item->ahead != 1 && (item->ahead != kWarp || demand == nullptr || !computes_ahead(*demand, loop))) {
        refuse(input, "computes steps of '" + item->name + "' ahead",
               "only `ahead 32`, of loops of thread scope with something dear that is the same for all threads",
               diagnostics);
        return false;
      }
      if (item->ahead != 1 && !has_whole_warps(input)) {
        refuse_warps(input, diagnostics);
        return false;
      }
      const Scope scope = demand == nullptr ? loop_scope(loop, false, false)
                                            : loop_scope(loop, demand->domain.maps_loops, demand->block != 0);
      if (item->scope != scope) {
        const std::string name(scope_name(scope));
        refuse(input, "runs '" + item->name + "' in scope " + name, "write `scope " + name + "`", diagnostics);
        return false;
      }
      push(item->body(), *loop.attributes->body);
    }
  }
  return true;
}

}  // namespace sinter
