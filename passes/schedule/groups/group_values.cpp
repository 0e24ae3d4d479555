// What a level computes and in which order its kernels run; kernels that are too large or cannot be.
#include "passes/schedule/groups/group_values.h"

#include <algorithm>

#include "ir/module/device_functions.h"
#include "ir/module/host_functions.h"
#include "ir/module/one_device.h"
#include "ir/module/solver_calls.h"
#include "ir/ops/op_table.h"
#include "ir/support/topological_order.h"
#include "passes/analysis/functions/emittable.h"
#include "passes/schedule/groups/grouper.h"
#include "passes/schedule/groups/updates_in_place.h"
#include "passes/stages/products/tensor_core_form.h"

namespace sinter {

namespace {

// What is said of an operation that has no form in a kernel: message and hint.
std::pair<std::string, std::string> why_not_compiled(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kInfeed:
    case Opcode::kOutfeed:
    case Opcode::kSend:
    case Opcode::kSendDone:
    case Opcode::kRecv:
    case Opcode::kRecvDone:
      return {"a running program exchanges nothing with the host", "make the value a parameter or a result"};
    case Opcode::kCustomCall:
      return {"\"" + *instruction.attributes->custom_call_target + "\" is not known",
              "docs/ops.md lists what is compiled"};
    default:
      break;
  }
  if (!why_not_on_one_device(instruction).empty()) {
    return {"not compiled for more than one device", "trace the program for one device"};
  }
  return {"not compiled to CUDA ('" + instruction.name + "')",
          "`sinter eval` runs this program; compile leaves it out"};
}

}  // namespace

bool is_library_call(const Instruction& instruction) {
  if (calls_host_function(instruction)) return true;
  const std::optional<SolverCall> call = solver_call(instruction);
  return call && call->column_major;
}

LevelContext level_context(const Computation& computation, const Instruction* host_loop) {
  LevelContext level;
  level.computation = &computation;
  level.host_loop = host_loop;
  if (host_loop == nullptr) return level;
  if (&computation == *host_loop->attributes->body) level.updates_in_place = updates_in_place(*host_loop);
  const WhileInfo info = analyze_while(*host_loop);
  if (!info.trip_count) return level;
  level.counter_trip = *info.trip_count;
  for (const Instruction& instruction : computation.instructions()) {
    if (instruction.opcode != Opcode::kGetTupleElement || instruction.operand(0)->opcode != Opcode::kParameter)
      continue;
    const Carry& carry = info.carries[*instruction.attributes->tuple_index];
    // One that wraps around is one, too: what reads it asks whether its range fits its type (DemandGraph::affine), and
    // computes in that type where it does not.
    if (carry.kind == CarryKind::kInduction) level.counters[&instruction] = {carry.start, carry.step};
  }
  return level;
}

const Instruction* arm_argument(const Instruction& conditional, size_t arm, const Instruction& element) {
  const Instruction* argument = conditional.operand(arm + 1);
  while (argument->opcode == Opcode::kOptBarrier) argument = argument->operand(0);
  if (element.opcode == Opcode::kParameter) return array_value(argument);
  const auto index = static_cast<size_t>(*element.attributes->tuple_index);
  return argument->opcode == Opcode::kTuple ? array_value(argument->operand(index)) : nullptr;
}

LevelContext arm_context(const LevelContext& outer, const Instruction& conditional, size_t arm) {
  LevelContext level;
  level.computation = conditional_arms(conditional)[arm];
  level.counter_trip = outer.counter_trip;
  for (const Instruction& instruction : level.computation->instructions()) {
    const bool element =
        instruction.opcode == Opcode::kGetTupleElement && instruction.operand(0)->opcode == Opcode::kParameter;
    if (!element && instruction.opcode != Opcode::kParameter) continue;
    if (!instruction.shape.is_array()) continue;
    const auto counter = outer.counters.find(arm_argument(conditional, arm, instruction));
    if (counter != outer.counters.end()) level.counters[&instruction] = counter->second;
  }
  return level;
}

// Of a result of the program: in memory, it is what a stage of its own, or a call, gave it in another shape.
static const Instruction* stored_result(const Instruction* result) {
  const Instruction* value = result;
  while (value->opcode == Opcode::kReshape) value = array_value(value->operand(0));
  const Instruction& maker = *maker_of(value);
  return own_kind(maker) != nullptr || is_library_call(maker) ? value : result;
}

std::vector<const Instruction*> level_results(const LevelContext& level) {
  const Instruction* root = level.computation->root();
  std::vector<const Instruction*> results;
  if (root->opcode == Opcode::kTuple) {
    std::vector<Carry> carries;
    if (level.host_loop != nullptr) carries = analyze_while(*level.host_loop).carries;
    for (size_t k = 0; k < root->operands().size(); ++k) {
      const bool counted = !carries.empty() && carries[k].kind == CarryKind::kInduction && level.counter_trip > 0;
      if (counted || (!carries.empty() && carries[k].kind == CarryKind::kInvariant)) continue;
      results.push_back(array_value(root->operand(k)));
    }
  } else {
    results.push_back(array_value(root));
  }
  if (level.computation == level.computation->parent()->entry())
    std::ranges::transform(results, results.begin(), stored_result);
  return results;
}

void Grouper::collect() {
  // Positions may have gaps where instructions were removed.
  runs_ = TextRuns(level_.computation->instructions().back().position() + 1);
  // Live values only, in the order of the text.
  const std::vector<const Instruction*> results = level_results(level_);
  std::set<const Instruction*> live;
  std::vector<const Instruction*> stack = results;
  while (!stack.empty()) {
    const Instruction* value = stack.back();
    stack.pop_back();
    if (!live.insert(value).second) continue;
    stack.insert(stack.end(), value->operands().begin(), value->operands().end());
  }
  for (const Instruction& instruction : level_.computation->instructions()) {
    if (is_plumbing(instruction) || live.count(&instruction) == 0) continue;
    Unit unit;
    unit.instruction = &instruction;
    if (instruction.shape.is_array()) {
      unit.arrays.push_back(&instruction);
    } else {
      for (const Instruction* user : instruction.users()) {
        if (user->opcode == Opcode::kGetTupleElement && live.count(user) > 0 &&
            std::find(unit.arrays.begin(), unit.arrays.end(), user) == unit.arrays.end()) {
          unit.arrays.push_back(user);
        }
      }
    }
    units_.push_back(std::move(unit));
  }
  for (const Unit& unit : units_) {
    for (const Instruction* array : unit.arrays) unit_of_array_[array] = &unit;
    std::vector<const Instruction*>& operands = operands_[unit.instruction];
    operands = array_operands(*unit.instruction);
    for (const Instruction* array : operands) {
      std::vector<const Instruction*>& readers = readers_[array];
      if (readers.empty() || readers.back() != unit.instruction) readers.push_back(unit.instruction);
    }
  }
  escaping_.insert(results.begin(), results.end());
  // What is updated next is there already.
  for (const Instruction* update : level_.updates_in_place) {
    if (live.count(update) > 0) escaping_.insert(update);
  }
}

bool Grouper::check_supported() {
  for (const Unit& unit : units_) {
    const Instruction& instruction = *unit.instruction;
    const auto refuse = [&](const std::string& what, const std::string& hint) {
      diagnostics_.error(instruction.loc, "E0301", std::string(opcode_name(instruction.opcode)) + ": " + what, hint);
    };
    if (instruction.opcode == Opcode::kWhile) continue;
    const Family family = family_of(instruction);
    bool known = family == Family::kElementwise;
    switch (instruction.opcode) {
      case Opcode::kBroadcast:
      case Opcode::kReshape:
      case Opcode::kTranspose:
      case Opcode::kReverse:
      case Opcode::kSlice:
      case Opcode::kIota:
      case Opcode::kConcatenate:
      case Opcode::kPad:
      case Opcode::kDynamicSlice:
      case Opcode::kDynamicUpdateSlice:
      case Opcode::kGather:
      case Opcode::kBitcastConvert:
      case Opcode::kReduce:
      case Opcode::kScatter:
      case Opcode::kConditional:
      case Opcode::kDot:
      case Opcode::kReduceWindow:
      case Opcode::kConvolution:
      case Opcode::kSelectAndScatter:
        known = true;
        break;
      default:
        break;
    }
    if (known && family_of(instruction) == Family::kElementwise) {
      const CudaSpelling& spelling = cuda_spelling(instruction);
      if (spelling.kind == CudaSpelling::Kind::kNone) known = false;
    }
    if (instruction.opcode == Opcode::kCall) known = can_emit_function(**instruction.attributes->to_apply);
    known |= own_kind(instruction) != nullptr || is_library_call(instruction);
    if (!known && instruction.opcode == Opcode::kCustomCall) {
      const std::string target = instruction.attributes->custom_call_target.value_or("");
      // As JAX calls functions of Python: xla_ffi_python_cpu_callback, xla_python_gpu_callback.
      const bool is_python = target.find("python") != std::string::npos && target.ends_with("callback");
      refuse("\"" + target + "\" is no call that is compiled ('" + instruction.name + "')",
             is_python ? "a compiled program has no Python: take jax.pure_callback and the like out, or write what it "
                         "computes with operations of HLO"
                       : "write it with operations of HLO, or give a function, of elements (--device-function " +
                             target + "=HEADER:FUNCTION) or of whole arrays (--host-function)");
      continue;
    }
    if (!known) {
      const auto [what, hint] = why_not_compiled(instruction);
      refuse(what, hint);
    }
  }
  return diagnostics_.ok();
}

namespace {

// Whether elements of the value are read from an array that none of `computed` gives, at other indices, or are spread
// constants.
bool is_read_where_used(const Instruction& value, const std::set<const Instruction*>& computed) {
  constexpr int kMostMoves = 16;
  const Instruction* source = &value;
  for (int move = 0; move < kMostMoves; ++move) {
    if (source->opcode == Opcode::kIota) return true;
    if (family_of(*source) != Family::kIndexMap || source->operands().size() != 1) return false;
    source = array_value(source->operand(0));
    if (computed.count(maker_of(source)) == 0) return true;
  }
  return false;
}

}  // namespace

// A reduction that the kernel would make again for each of its uses has a kernel of its own. False where that leaves
// nothing of either.
bool Grouper::cut_at_reduction(size_t number, const DemandGraph::Failure& why, std::set<int>* changed) {
  const Group& group = groups_[number];
  if (why.reason != "recomputed-reduction" && why.reason != "serial-reduction") return false;
  if (group.values.context.computed.count(why.instruction) == 0) return false;
  const auto unit = std::find_if(units_.begin(), units_.end(),
                                 [&](const Unit& other) { return other.instruction == why.instruction; });
  if (unit == units_.end()) return false;
  auto [first, rest] = parts_at(group, *unit);
  if (first.values.outputs.empty() || rest.values.outputs.empty()) return false;
  const auto is_stored = [&](const Instruction* array) {
    return std::any_of(groups_.begin(), groups_.end(), [&](const Group& other) {
      const auto& outputs = other.values.outputs;
      return &other != &group && std::find(outputs.begin(), outputs.end(), array) != outputs.end();
    });
  };
  if (std::any_of(first.values.outputs.begin(), first.values.outputs.end(), is_stored)) return false;
  note_cut(*unit, why.reason);
  become(static_cast<int>(number), std::move(rest));
  changed->insert({static_cast<int>(number), add_group(std::move(first))});
  return true;
}

// A group's values cut before the member of number `half`, in the order of the text; nullopt where what comes after it
// reads nothing of what comes before, or gives nothing.
std::optional<Grouper::Halves> Grouper::halves_at(const KernelValues& values, size_t half) const {
  const std::set<const Instruction*>& computed = values.context.computed;
  const std::vector<const Instruction*> members = in_text_order({computed.begin(), computed.end()});
  const auto middle = members.begin() + static_cast<ptrdiff_t>(half);
  Halves halves;
  auto& [early, late, crossing, outputs, kept] = halves;
  early.values.context = values.context;
  early.values.context.computed = std::set<const Instruction*>(members.begin(), middle);
  late = std::set<const Instruction*>(middle, members.end());
  // What is only read at other indices, or is a spread constant, both halves read or spell themselves.
  std::vector<const Instruction*> users(middle, members.end());
  while (!users.empty()) {
    const Instruction* user = users.back();
    users.pop_back();
    for (const Instruction* operand : array_operands(*user)) {
      if (early.values.context.computed.count(operand) == 0 || !is_read_where_used(*operand, computed)) continue;
      if (late.insert(operand).second) users.push_back(operand);
    }
  }
  for (const Instruction* output : values.outputs) {
    const Instruction* unit = unit_of_array_.at(output)->instruction;
    if (early.values.context.computed.count(unit) == 0)
      kept.push_back(output);
    else
      crossing.insert(output);
  }
  for (const Instruction* member : late) {
    for (const Instruction* operand : array_operands(*member)) {
      const auto unit = unit_of_array_.find(operand);
      const bool computed = late.count(operand) > 0;
      if (!computed && unit != unit_of_array_.end() &&
          early.values.context.computed.count(unit->second->instruction) > 0)
        crossing.insert(operand);
    }
  }
  // Slices are read in what they are slices of, where that is stored.
  for (const Instruction* slice : in_text_order({crossing.begin(), crossing.end()})) {
    const Instruction* whole = slice->opcode == Opcode::kSlice ? array_value(slice->operand(0)) : nullptr;
    const auto& stored = values.outputs;
    if (whole == nullptr || early.values.context.computed.count(whole) == 0 ||
        !(crossing.count(whole) > 0 || is_mostly_read(*whole)) ||
        std::find(stored.begin(), stored.end(), slice) != stored.end())
      continue;
    crossing.erase(slice);
    late.insert(slice);
    crossing.insert(whole);
  }
  outputs = in_text_order({crossing.begin(), crossing.end()});
  if (outputs.empty() || kept.empty()) return std::nullopt;
  return halves;
}

// Elementwise ops were absorbed unseen: a group whose demand is too large, or impossible, is split at its middle.
void Grouper::cut_large(std::set<int>* changed) {
  for (size_t g = 0; g < groups_.size(); ++g) {
    for (int round = 0; round < 64; ++round) {
      Group& group = groups_[g];
      if (!group.is_kernel() || group.values.context.computed.size() < 2 || group.launch) break;
      std::optional<Trial> trial = tried(group);
      if (trial && trial->nodes <= nodes_of_a_map(group.values.context.computed.size())) {
        group.launch = std::move(trial->launch);
        group.cost = std::move(trial->cost);
        break;
      }
      DemandGraph::Failure why;
      if (!trial) build(group, &why);
      if (!trial && cut_at_reduction(g, why, changed)) continue;
      // The earlier half moves to a kernel of its own; what the later half reads of it is stored. Where that is nothing
      // and the whole is impossible, the cut is as near to the middle as one can be.
      const size_t size = group.values.context.computed.size();
      std::optional<Halves> halves = halves_at(group.values, size / 2);
      for (size_t step = 1; !trial && !halves && step < size; ++step) {
        for (const size_t at : {size / 2 + step, size / 2 - std::min(step, size / 2)}) {
          if (!halves && at > 0 && at < size) halves = halves_at(group.values, at);
        }
      }
      if (!halves) break;
      const auto& [early, late, crossing, outputs, kept] = *halves;
      const std::optional<RowExtents> whole_row = group.form.rows;
      const bool reduces = std::any_of(late.begin(), late.end(), [&](const Instruction* member) {
        return whole_row && row_extents(*member) == whole_row;
      });
      Group later = group;
      later.launch.reset();
      later.cost.reset();
      later.values.context.computed = late;
      later.values.outputs = kept;
      later.form = form_of(late, reduces ? whole_row : std::nullopt);
      become(static_cast<int>(g), std::move(later));
      changed->insert(static_cast<int>(g));
      // One kernel a stored value, with all arrays that this gives: they need not share a domain. Merging them is the
      // business of the moves.
      std::set<const Unit*> done;
      for (const Instruction* output : outputs) {
        const Unit* unit = unit_of_array_.at(output);
        if (!done.insert(unit).second) continue;
        Group piece = early;
        piece.values.outputs.clear();
        std::ranges::copy_if(outputs, std::back_inserter(piece.values.outputs),
                             [&](auto* array) { return unit_of_array_.at(array) == unit; });
        std::set<const Instruction*> needed;
        std::vector<const Instruction*> stack = {unit->instruction};
        while (!stack.empty()) {
          const Instruction* member = stack.back();
          stack.pop_back();
          if (!needed.insert(member).second) continue;
          for (const Instruction* operand : array_operands(*member)) {
            const auto below = unit_of_array_.find(operand);
            if (below != unit_of_array_.end() && early.values.context.computed.count(below->second->instruction) > 0 &&
                (crossing.count(operand) == 0)) {
              stack.push_back(below->second->instruction);
            }
          }
        }
        piece.values.context.computed = needed;
        piece.form = form_of(needed, rows_worth(needed, whole_row));
        note_cut(*unit, why.reason.empty() ? ReasonCode("statement-limit") : why.reason);
        changed->insert(add_group(std::move(piece)));
      }
    }
  }
  if (changed->empty()) return;
  drop_twins();
  drop_unread();
}

bool Grouper::check_groups() {
  for (size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    if (is_gone(g) || !group.is_kernel() || group.launch) continue;
    if (set_cost(&group)) continue;
    if (group.form.kind->word == kContract) {
      // A convolution none of whose taps meets an element is zeros, and no product of matrices (contract.cpp).
      group.form = plain_form();
      if (set_cost(&group)) continue;
    }
    DemandGraph::Failure why;
    build(group, &why);
    if (!group.form.rows) {
      diagnostics_.error(why.instruction->loc, "E0302",
                         std::string(opcode_name(why.instruction->opcode)) + ": no kernel form for '" +
                             why.instruction->name + "' (" + std::string(why.reason) + ")",
                         "`sinter eval` runs this program");
      continue;
    }
    diagnostics_.error(why.instruction->loc, "E0302",
                       "no row kernel for '" + why.instruction->name + "' (" + std::string(why.reason) + ")",
                       "`sinter eval` runs this program");
  }
  return diagnostics_.ok();
}

// Each after those it reads, and what is updated in place rather after what reads it as it was; ties by the earliest
// output.
std::vector<size_t> Grouper::ordered() const {
  std::map<const Instruction*, size_t> maker;
  for (size_t g = 0; g < groups_.size(); ++g) {
    for (const Instruction* output : groups_[g].values.outputs) maker.emplace(output, g);
  }
  std::map<const Instruction*, size_t> updater;  // by what is updated in place
  for (const Instruction* update : level_.updates_in_place) {
    const auto made = maker.find(update);
    if (made != maker.end()) updater.emplace(array_value(update->operand(0)), made->second);
  }
  std::vector<Waiting> waiting(groups_.size());
  for (size_t g = 0; g < groups_.size(); ++g) {
    for (const Instruction* array : arrays_read(groups_[g].values.context.computed)) {
      const auto updated = updater.find(array);
      if (updated != updater.end() && updated->second != g) waiting[updated->second].rather_after.insert(g);
      const auto made = maker.find(array);
      if (made != maker.end() && made->second != g) waiting[g].after.insert(made->second);
    }
    waiting[g].rank = SIZE_MAX;
    for (const Instruction* output : groups_[g].values.outputs) {
      waiting[g].rank = std::min(waiting[g].rank, output->position());
    }
  }
  return topological_order(waiting);
}

std::optional<LevelGroups> group_values(const LevelContext& level, const Moves& moves, const Gpu* gpu,
                                        Diagnostics& diagnostics, TriedGroups* tried) {
  return Grouper(level, moves, gpu, diagnostics, tried).run();
}

}  // namespace sinter
