// A loop that the host runs, or whose steps are one launch (scope grid, join_together.cpp): its state, and its body as
// a level of its own. While the body is lowered, each carry and each value that the body computes for one is a pointer
// of its own; place_carries.cpp then says what they point to.
#include "passes/analysis/loops/while_carries.h"
#include "passes/analysis/values/constants.h"
#include "passes/lower/program/lowering.h"
#include "passes/lower/text/unique_names.h"
#include "passes/schedule/groups/updates_in_place.h"

namespace sinter {

namespace {

// The name of a value or loop that an item holds.
std::string some_value(const TreeNode& item) {
  if (item.kind == TreeNode::Kind::kLoop || item.kind == TreeNode::Kind::kBranch) return item.name;
  for (const auto& body : item.bodies) {
    for (const TreeNode& inner : body) {
      if (inner.kind == TreeNode::Kind::kLoop) return inner.name;
      if (inner.kind == TreeNode::Kind::kStage && !inner.values.empty()) return inner.values[0].name;
    }
  }
  return "";
}

// What a computation reads of carry `carry` of the state it is given.
std::vector<const Instruction*> elements_of(const Computation& computation, bool tuple, size_t carry) {
  std::vector<const Instruction*> result;
  for (const Instruction& instruction : computation.instructions()) {
    if (!tuple && instruction.opcode == Opcode::kParameter) result.push_back(&instruction);
    if (tuple && instruction.opcode == Opcode::kGetTupleElement &&
        instruction.operand(0)->opcode == Opcode::kParameter &&
        *instruction.attributes->tuple_index == static_cast<int64_t>(carry)) {
      result.push_back(&instruction);
    }
  }
  return result;
}

}  // namespace

bool Lowering::host_loop(const LevelContext& context, const TreeNode& node, std::vector<HostStep>* steps) {
  // Of grid scope: its steps, and what is around them, are one launch.
  const bool opens = node.scope == Scope::kGrid && !together_;
  if (node.scope == Scope::kHost && together_) {
    plan_error(node.loc, "E0406", "a loop of scope host in one of scope grid",
               "its steps are no launches: `scope grid`");
    return false;
  }
  HostStep one;
  one.kind = HostStep::Kind::kTogether;
  one.comment = node.name;
  if (opens) one.kernel_name = unique_name("steps", &kernel_names_);
  HostLoop loop;
  loop.before = steps;
  loop.opens_launch = opens;
  together_ |= opens;
  if (opens) part_of_fingerprint_.clear();
  if (!open_loop(context, node, &loop)) return false;
  declare_state(&loop);
  if (!lower_body(node, &loop)) return false;
  together_ &= !opens;
  clear_starts(&loop);
  for (size_t ring = 0; ring < loop.flow.rings.size(); ++ring) {
    if (!place_ring(&loop, ring)) return false;
  }
  start_carries(&loop);
  advance_carries(&loop);
  place_results(&loop);
  std::vector<HostStep>* to = opens ? &one.body : steps;
  for (HostStep& start : loop.starts) (is_of_donated(start) ? steps : to)->push_back(std::move(start));
  to->push_back(std::move(loop.step));
  to->insert(to->end(), loop.results.begin(), loop.results.end());
  if (opens) steps->push_back(std::move(one));
  return true;
}

// Whether a carry begins so as a donated parameter in the memory of its result: before the launch, where there is
// nothing to do if the caller gives one array for both.
bool Lowering::is_of_donated(const HostStep& start) const {
  if (start.kind != HostStep::Kind::kCopy || start.buffers[0] >= program_.inputs.size()) return false;
  const int64_t output = program_.inputs[start.buffers[0]].donated_to;
  return output >= 0 && start.buffers[1] == program_.inputs.size() + static_cast<size_t>(output);
}

bool Lowering::open_loop(const LevelContext& context, const TreeNode& node, HostLoop* loop) {
  const auto found = by_name_.find(node.name);
  if (found == by_name_.end() || found->second->opcode != Opcode::kWhile ||
      found->second->parent() != context.computation) {
    plan_error(node.loc, "E0405", "no loop is called '" + node.name + "'", "names are those `sinter opt` prints");
    return false;
  }
  loop->loop = found->second;
  loop->info = analyze_while(*loop->loop);
  loop->flow = carry_flow(*loop->loop, loop->info);
  const bool tuple = loop->loop->shape.is_tuple();
  const Instruction* state = loop->loop->operand(0);
  while (state->opcode == Opcode::kOptBarrier) state = state->operand(0);
  if (tuple && state->opcode != Opcode::kTuple) {
    diagnostics_.error(loop->loop->loc, "E0303",
                       "while: the initial state of '" + loop->loop->name + "' must be a tuple instruction", "");
    return false;
  }
  const size_t count = loop->flow.carries.size();
  loop->after.resize(count);
  for (size_t k = 0; k < count; ++k) loop->initial.push_back(array_value(tuple ? state->operand(k) : state));
  if (!tuple) loop->after[0].push_back(loop->loop);
  for (const Instruction* user : loop->loop->users()) {
    if (tuple && user->opcode == Opcode::kGetTupleElement) {
      loop->after[*user->attributes->tuple_index].push_back(user);
    }
  }
  return true;
}

void Lowering::declare_state(HostLoop* loop) {
  const size_t count = loop->flow.carries.size();
  const bool tuple = loop->loop->shape.is_tuple();
  const Computation& body = **loop->loop->attributes->body;
  const Computation& condition = **loop->loop->attributes->condition;
  // The first of a name has no number: it keeps its name when another comes.
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (size_t k = 0; k < count; ++k) {
    // A number that the text gives says less than what becomes of it.
    const bool is_given =
        loop->flow.carries[k].source == CarryFlow::Source::kComputed && splat_value(*loop->initial[k]);
    const Instruction* first = is_given ? loop->flow.carries[k].next : loop->initial[k];
    const Instruction* value = loop->after[k].empty() ? first : loop->after[k].back();
    std::string base = result_rank_.count(value) > 0 ? names_.at(value) : result_name(value);
    // What the condition reads, and is known for the first step, is called after what the loop does with it.
    const Instruction& test = *condition.root();
    const bool is_test = tuple && test.opcode == Opcode::kGetTupleElement &&
                         test.operand(0)->opcode == Opcode::kParameter &&
                         *test.attributes->tuple_index == static_cast<int64_t>(k);
    if (is_test && splat_integer(*loop->initial[k])) base = "more";
    // 0 before the first step and 1 after it (defer_updates).
    const Instruction& next = *loop->flow.carries[k].next;
    const bool starts_at_1 = next.opcode == Opcode::kMaximum && splat_integer(*next.operand(1)) == 1;
    if (starts_at_1 && carry_read(*next.operand(0)) == k && splat_integer(*loop->initial[k]) == 0) base = "started";
    names.push_back(unique_name(base, &taken));
  }
  loop->current.assign(count, HostLoop::kNone);
  loop->in_ring.assign(count, false);
  for (size_t k = 0; k < count; ++k) {
    const CarryFlow::Source source = loop->flow.carries[k].source;
    if (source == CarryFlow::Source::kCounter) continue;
    // What no step changes is the array it begins as.
    const auto unchanged = names_.find(loop->initial[k]);
    const bool is_unchanged = source == CarryFlow::Source::kUnchanged && unchanged != names_.end();
    const std::string name = is_unchanged ? unchanged->second : names[k];
    loop->current[k] = source == CarryFlow::Source::kUnchanged ? buffer_of(loop->initial[k])
                                                               : add_pointer(loop->initial[k], name + "_current", true);
    for (const Computation* computation : {&body, &condition}) {
      for (const Instruction* element : elements_of(*computation, tuple, k)) {
        location_[element] = loop->current[k];
        names_[element] = name;
      }
    }
  }
  for (const CarryFlow::Ring& ring : loop->flow.rings) {
    const std::string& name = names[ring.carry];
    loop->next.push_back(add_pointer(ring.value, name + "_next", false));
    location_[ring.value] = loop->next.back();
    names_[ring.value] = name;
  }
  loop->slots.resize(loop->flow.rings.size());
}

// Updates one after the other, and scatters of rows, write what becomes of a carry in one place.
void Lowering::place_updates(const Instruction* next, const std::set<const Instruction*>& in_place) {
  const Instruction* first = next;
  while (in_place.count(first) > 0 && in_place.count(first->operand(0)) > 0) {
    first = first->operand(0);
    place_before(*next, *first);
  }
  const bool updates_rows = in_place.count(first) > 0 || (first == next && next->opcode == Opcode::kScatter);
  if (!updates_rows) return;
  for (const Instruction* rows : rows_written_before(*first)) place_before(*next, *rows);
}

bool Lowering::lower_body(const TreeNode& node, HostLoop* loop) {
  const Computation& body = **loop->loop->attributes->body;
  const Computation& condition = **loop->loop->attributes->condition;
  HostStep& step = loop->step;
  const bool counted = loop->info.trip_count.has_value();
  step.kind = counted ? HostStep::Kind::kLoop : HostStep::Kind::kWhile;
  step.trip = loop->info.trip_count.value_or(0);
  step.counter = counters_.empty() ? "t" : "t_" + std::to_string(counters_.size());
  step.comment = loop->loop->name;
  std::vector<TreeNode> condition_items, body_items;
  for (const TreeNode& item : node.body()) {
    const auto found = by_name_.find(some_value(item));
    const bool in_condition = found != by_name_.end() && found->second->parent() == &condition;
    (in_condition ? condition_items : body_items).push_back(item);
  }
  if (!counted) {
    program_.plan.synchronises |= !together_;
    const LevelContext condition_level = level_context(condition, nullptr);
    if (!level(condition_level, condition_items, &step.condition)) return false;
    step.buffers.push_back(buffer_of(level_results(condition_level)[0]));
  }
  if (counted) counters_.push_back(step.counter);
  LevelContext inside = level_context(body, loop->loop);
  for (const auto& [update, loc] : carry_updates_) {
    if (update->parent() == &body) inside.updates_in_place.insert(update);
  }
  for (const CarryFlow::Ring& ring : loop->flow.rings) place_updates(ring.value, inside.updates_in_place);
  const bool lowered = level(inside, body_items, &step.body);
  if (counted) counters_.pop_back();
  return lowered && check_updated_elements(inside, step.body);
}

}  // namespace sinter
