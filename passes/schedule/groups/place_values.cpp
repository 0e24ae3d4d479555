// Placing values into kernels: a value that its readers can compute for themselves goes into their kernels, any other
// is stored, by the kernel of a sibling or of its only reader if that can be.
#include <algorithm>

#include "ir/module/host_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/functions/network.h"
#include "passes/analysis/loops/loop_starts.h"
#include "passes/analysis/loops/map_loop.h"
#include "passes/analysis/values/thresholds.h"
#include "passes/schedule/groups/grouper.h"
#include "passes/schedule/groups/repeat_cost.h"
#include "passes/schedule/groups/updates_in_place.h"
#include "passes/stages/own/scatter_stage.h"

namespace sinter {

namespace {

// True if an arm holds work that has better kernels than one a thread an element: the host chooses the arm then.
bool has_heavy_arms(const Instruction& conditional) {
  constexpr int64_t kHeavyColumns = 256;
  std::vector<const Computation*> stack = conditional_arms(conditional);
  while (!stack.empty()) {
    const Computation* computation = stack.back();
    stack.pop_back();
    for (const Instruction& instruction : computation->instructions()) {
      const std::optional<RowExtents> extents = row_extents(instruction);
      const bool products = is_contraction(instruction) || is_attention(instruction) || is_network(instruction);
      if (products || (extents && extents->columns >= kHeavyColumns)) return true;
      if (instruction.opcode == Opcode::kConditional || instruction.opcode == Opcode::kWhile) {
        for (const Computation* called : instruction.called_computations()) stack.push_back(called);
      }
    }
  }
  return false;
}

}  // namespace

// Of a kernel of this level that computes nothing yet.
DemandContext Grouper::context() const {
  DemandContext result;
  result.level = level_.computation;
  result.counters = level_.counters;
  result.counter_trip = level_.counter_trip;
  result.updates_in_place = level_.updates_in_place;
  return result;
}

std::vector<const Instruction*> Grouper::stored_arrays(const Unit& unit) const {
  std::vector<const Instruction*> result;
  for (const Instruction* array : unit.arrays) {
    bool stored = escaping_.count(array) > 0;
    const auto readers = readers_.find(array);
    if (readers != readers_.end()) {
      for (const Instruction* reader : readers->second) {
        const auto groups = groups_of_.find(reader);
        if (groups == groups_of_.end()) continue;
        for (const int group : groups->second) {
          if (groups_[group].values.context.computed.count(unit.instruction) == 0) stored = true;
        }
      }
    }
    if (stored) result.push_back(array);
  }
  return result;
}

std::set<int> Grouper::consumer_groups(const Unit& unit) const {
  std::set<int> result;
  for (const Instruction* array : unit.arrays) {
    const auto readers = readers_.find(array);
    if (readers == readers_.end()) continue;
    for (const Instruction* reader : readers->second) {
      const auto groups = groups_of_.find(reader);
      if (groups != groups_of_.end()) result.insert(groups->second.begin(), groups->second.end());
    }
  }
  return result;
}

void Grouper::add_to(int group, const Unit& unit) {
  groups_[group].values.context.computed.insert(unit.instruction);
  groups_[group].reads_often |= reads_often(*unit.instruction);
  groups_of_[unit.instruction].insert(group);
  const auto room = rooms_.find(group);
  // Unless the room is that of the trial.
  const bool is_of_trial =
      room != rooms_.end() && room->second.values() == groups_[group].values.context.computed.size();
  if (room != rooms_.end() && !is_of_trial) room->second.add(*unit.instruction);
}

void Grouper::note(const Unit& unit, ReasonCode reason, const Instruction* blocked_by) {
  LedgerEntry entry;
  entry.value = unit.instruction->name;
  entry.reason = reason;
  entry.blocked_by = blocked_by == nullptr ? "" : blocked_by->name;
  for (const Instruction* array : unit.arrays) entry.bytes += array->shape.bytes();
  ledger_.push_back(std::move(entry));
}

// What a cut leaves in memory, unless it was there before: a result of the program, or what the ledger has already.
void Grouper::note_cut(const Unit& unit, ReasonCode reason) {
  const auto escapes = [&](const Instruction* array) { return escaping_.count(array) > 0; };
  const auto is_of_unit = [&](const LedgerEntry& entry) { return entry.value == unit.instruction->name; };
  if (!std::ranges::any_of(unit.arrays, escapes) && !std::ranges::any_of(ledger_, is_of_unit))
    note(unit, reason, nullptr);
}

namespace {

// Whether a reduction takes longer than a launch where a thread makes it alone, for each element that a map reads, a
// slice of the sums of rows: few threads then take many steps, or neighbours read far apart.
bool is_better_alone(const Instruction& reduce) {
  constexpr int64_t kManySteps = 128;
  const std::optional<RowExtents> rows = row_extents(reduce);
  return rows && rows->columns > kManySteps && (rows->inner == 1 || rows->rows < kThreadsAtOnce);
}

// The rows of sorted updates of a scatter, through which its threads look: an array, in whichever shape, or the
// beginning of one.
std::vector<const Instruction*> searched_rows(const Instruction& value) {
  if (!is_row_scatter(value) || !needs_order(value) || !is_sorted(value)) return {};
  const Instruction* rows = array_value(value.operand(1));
  const auto is_beginning = [](const Instruction& slice) {
    return slice.opcode == Opcode::kSlice && slice.attributes->slice->front().start == 0 &&
           slice.attributes->slice->front().stride == 1;
  };
  while (rows->opcode == Opcode::kReshape || is_beginning(*rows)) rows = array_value(rows->operand(0));
  return {rows};
}

// Of such a group nothing is computed. What it were to read, and others want, has its threads elsewhere.
bool has_no_elements(const Group& group) {
  return std::ranges::all_of(group.values.outputs, [](const Instruction* output) {
    return output->shape.is_array() && output->shape.element_count() == 0;
  });
}

}  // namespace

// Whether a kernel of elements or rows that computes `unit` too is certainly small enough. Of elements, its graph is
// built now and then for that.
bool Grouper::has_room(const Unit& unit, int number) {
  constexpr size_t kMore = 16;  // values that are worth another graph, and an eighth of what there is
  const Group& group = groups_[number];
  // What pads rows may be what makes them short, with another graph.
  const bool of_rows = group.form.rows && unit.instruction->opcode != Opcode::kPad;
  if (!group.is_kernel() || !(is_plain(group.form) || of_rows)) return false;
  const size_t size = group.values.context.computed.size();
  const int64_t most_nodes = nodes_of_a_map(size + 1);
  GroupRoom& room = rooms_[number];
  if (of_rows) return room.values() == size && room.nodes_with(*unit.instruction) <= most_nodes;
  if (room.values() != size || room.nodes_with(*unit.instruction) > most_nodes) {
    if (size < room.values_built() + kMore + size / 8) return false;
    const std::string key = key_of(group, most_nodes, {});
    std::optional<GroupRoom> found;
    if (const std::optional<GroupRoom>* known = tried_.room(key)) {
      found = *known;
    } else {
      std::optional<DemandGraph::Failure> failure;
      const std::optional<MapDemand> built = choose_map(group.values, &failure, most_nodes);
      if (built) found = GroupRoom(*built->graph, size);
      tried_.add(key, found);
    }
    if (!found) return false;
    room = std::move(*found);
  }
  return room.nodes_with(*unit.instruction) <= most_nodes;
}

// Whether the group's own value reads what the unit gives, and reads nothing but memory; of rows that it searches,
// these.
bool Grouper::reads_in_memory(const Group& group, const Unit& unit) const {
  const bool reads_memory = group.form.kind->reads_memory;
  if (!reads_memory && !group.form.kind->own) return false;
  const auto& computed = group.values.context.computed;
  return std::any_of(computed.begin(), computed.end(), [&](const Instruction* value) {
    if (!group.form.kind->takes(*value)) return false;
    const std::vector<const Instruction*> operands = reads_memory ? array_operands(*value) : searched_rows(*value);
    return std::any_of(unit.arrays.begin(), unit.arrays.end(), [&](const Instruction* array) {
      return std::find(operands.begin(), operands.end(), array) != operands.end();
    });
  });
}

// Tries to compute `unit` inside `group`.
bool Grouper::absorb(const Unit& unit, int number) {
  Group& group = groups_[number];
  const StageForm wanted = form_of(*unit.instruction);
  const bool ends = wanted.kind->own && !wanted.kind->has_epilogue;
  if (!group.is_kernel() || ends || is_in_place(unit) || has_no_elements(group)) return false;
  if (reads_in_memory(group, unit) || reads_beside_update(group, unit)) return false;
  if (reads_too_late(group, unit)) return false;
  if (unit.instruction->opcode == Opcode::kConditional && has_heavy_arms(*unit.instruction)) return false;
  const Instruction& instruction = *unit.instruction;
  // What it gives may be read more than once, and its steps be made again.
  if (instruction.opcode == Opcode::kWhile && is_map_loop(instruction)) return false;
  const size_t size = group.values.context.computed.size();
  if (size >= kMaxValues) return false;
  // Elementwise ops and index maps can be had at any index. Only their number may be too large: that is looked at now
  // and then, and cut_large has the last word.
  const bool guarded = instruction.opcode == Opcode::kConcatenate || instruction.opcode == Opcode::kPad ||
                       instruction.opcode == Opcode::kDynamicUpdateSlice || instruction.opcode == Opcode::kSlice;
  const bool simple =
      !is_sum(instruction) && instruction.opcode != Opcode::kConditional && instruction.opcode != Opcode::kWhile;
  if (instruction.opcode == Opcode::kSlice && group.full) return false;
  const bool has_to_be_tried = reads_lanes(group, unit);
  if (!has_to_be_tried && simple && !wanted.kind->single && !guarded && (size < 256 || size % 128 != 0)) return true;
  if (!has_to_be_tried && guarded && has_room(unit, number)) return true;

  // The group itself is the trial.
  const StageForm before = group.form;
  group.values.context.computed.insert(&instruction);
  // Of what is simple the moves after these say what it costs (cut_groups.cpp).
  const auto is_slower_here = [&](const Trial& trial) {
    const bool slower = is_slower_than(trial, &unit, 1, [&](size_t) -> std::optional<double> {
      Group without = group;
      without.form = before;
      without.values.context.computed.erase(&instruction);
      return predicted(without);
    });
    if (slower) slower_.insert(instruction.name);
    return slower;
  };
  const auto is_better_here = [&](int64_t most_nodes = INT64_MAX) {
    if (simple) {
      std::optional<GroupRoom> room;
      const bool is_buildable = buildable(group, most_nodes, &room);
      if (room) rooms_[number] = std::move(*room);
      return is_buildable;
    }
    const std::optional<Trial> trial = tried(group, most_nodes);
    return trial && !is_slower_here(*trial);
  };
  const auto fits = [&] {
    if (!is_plain(wanted) && is_plain(before)) {
      group.form = wanted;
      if (is_better_here()) return true;
      group.form = before;
    }
    if (wanted.kind->single) return false;  // its kernel is of that kind, or it has one to itself
    if (is_better_alone(instruction)) return false;
    const int64_t most_nodes = nodes_of_a_map(size + 1);
    if (is_better_here(most_nodes)) return true;
    const std::optional<Trial> otherwise = tried_otherwise(&group, most_nodes);
    return otherwise && (simple || !is_slower_here(*otherwise));
  };
  if (fits()) {
    slower_.erase(instruction.name);
    return true;
  }
  group.values.context.computed.erase(&instruction);
  group.form = before;
  return false;
}

// Whether its readers would compute its elements so often that to store them is faster: windows that overlap, tiles of
// a matrix product, and searches.
bool Grouper::is_read_over_and_over(const Unit& unit) const {
  // What an H200 does while it moves a byte (4.8 TB/s), and while it launches a kernel (2 us), at 30 T operations/s.
  // The estimate is rough: it has to be right by far.
  constexpr int64_t kOperationsOfAByte = 6, kOperationsOfALaunch = 60'000'000, kByFar = 4;
  constexpr size_t kNearest = 16;
  const auto elements_worth_storing = [&] {
    const int64_t stored = kByFar * (2 * kOperationsOfAByte * unit.arrays[0]->shape.bytes() + kOperationsOfALaunch);
    const int64_t cost = element_cost(*unit.instruction);
    return cost == 0 ? INT64_MAX : stored / cost;
  };
  std::vector<const Instruction*> moved = {unit.instruction};
  for (size_t next = 0; next < moved.size() && next < kNearest; ++next) {
    const auto readers = readers_.find(moved[next]);
    if (readers == readers_.end()) continue;
    for (const Instruction* reader : readers->second) {
      if (next == 0 && is_looked_up(*unit.instruction, *reader)) return true;
      if (next == 0 && windows_overlap(*reader) && element_cost(*unit.instruction) > kRecomputeCost) return true;
      if (is_contraction(*reader) && elements_loaded(*reader, moved[next]) > elements_worth_storing()) return true;
      if (opcode_family(reader->opcode) == Family::kIndexMap) moved.push_back(reader);
    }
  }
  return false;
}

// The units that give values of at least `elements` elements that an array is computed from, the one that gives it
// first; the nearest few thousand.
std::vector<int> Grouper::work_below(const Instruction* array, int64_t elements) {
  constexpr size_t kNearest = 2000;
  const auto number_of = [&](const Unit* unit) { return static_cast<int>(unit - units_.data()); };
  if (operands_of_.empty()) {
    for (const Unit& unit : units_) {
      std::vector<UnitOperand>& operands = operands_of_.emplace_back();
      for (const Instruction* operand : operands_.at(unit.instruction)) {
        const auto found = unit_of_array_.find(operand);
        if (found == unit_of_array_.end()) continue;
        const Instruction* maker = found->second->instruction;
        if (opcode_family(maker->opcode) == Family::kIndexMap &&
            array_value(maker->operands().empty() ? operand : maker->operand(0))->shape.is_scalar()) {
          continue;  // a scalar spread over the domain is no shared work
        }
        operands.push_back({number_of(found->second), operand->shape.element_count()});
      }
    }
    last_visit_.assign(units_.size(), 0);
  }
  ++visits_;
  std::vector<int> queue = {number_of(unit_of_array_.at(array))};
  last_visit_[queue[0]] = visits_;
  for (size_t next = 0; next < queue.size() && queue.size() < kNearest; ++next) {
    for (const UnitOperand& operand : operands_of_[queue[next]]) {
      if (operand.elements < elements || last_visit_[operand.unit] == visits_) continue;
      last_visit_[operand.unit] = visits_;
      queue.push_back(operand.unit);
    }
  }
  return queue;
}

void Grouper::store(const Unit& unit) {
  const std::set<int> consumers = consumer_groups(unit);
  const bool conditional = unit.instruction->opcode == Opcode::kConditional;
  const bool heavy = conditional && has_heavy_arms(*unit.instruction);
  const bool loop = unit.instruction->opcode == Opcode::kWhile;
  const StageForm wanted = form_of(*unit.instruction);
  const bool in_place = is_in_place(unit);
  std::vector<const Instruction*> outputs = stored_arrays(unit);
  if (outputs.empty()) outputs = unit.arrays;
  // Into the only consumer's kernel, or a sibling's, as further outputs.
  std::vector<int> homes;
  if (!moves_.attach || level_.host_loops.count(unit.instruction) > 0 || wanted.kind->own ||
      is_library_call(*unit.instruction) || (in_place && !consumers.empty()) ||
      (loop && is_map_loop(*unit.instruction))) {
    // Nowhere else.
  } else if (consumers.size() == 1) {
    // For its only reader alone it would not be stored there, and absorb() has tried that.
    const auto escapes = [&](const Instruction* array) { return escaping_.count(array) > 0; };
    if (std::any_of(unit.arrays.begin(), unit.arrays.end(), escapes)) homes.push_back(*consumers.begin());
  } else if (consumers.empty() && !loop) {
    const int64_t elements = stored_shape(context(), *unit.arrays[0]).element_count();
    homes = shared_work_.sharing(unit.arrays[0], elements, [&](int group) {
      return !is_gone(group) && groups_[group].values.outputs.size() < 64;
    });
  }
  for (const int home : heavy ? std::vector<int>{} : homes) {
    if (!groups_[home].is_kernel() || groups_[home].form.kind->own) continue;
    const std::optional<StageForm> form = with_value(groups_[home].form, *unit.instruction);
    if (!form) continue;
    Group trial = groups_[home];
    trial.form = *form;
    trial.values.context.computed.insert(unit.instruction);
    for (const Instruction* output : outputs) trial.values.outputs.push_back(output);
    trial.reads_often |= reads_often(*unit.instruction);
    if (trial.values.context.computed.size() > kMaxValues) continue;
    std::optional<Trial> told = tried(trial, kMaxNodes);
    if (!told || is_slower_than_apart(*told, &unit, {home})) {
      told = tried_otherwise(&trial, kMaxNodes);
      if (!told || is_slower_than_apart(*told, &unit, {home})) continue;
    }
    groups_[home] = std::move(trial);  // with all that it had
    groups_of_[unit.instruction].insert(home);
    note_outputs(home);
    return;
  }

  Group group;
  group.values.context = context();
  group.values.context.computed.insert(unit.instruction);
  group.values.outputs = outputs;
  group.form = wanted;
  group.reads_often = reads_often(*unit.instruction);
  if (is_library_call(*unit.instruction)) group.runner = Group::Runner::kLibrary;
  if (loop || conditional) {
    DemandGraph::Failure why = {unit.instruction,
                                moves_.loop_kernels ? ReasonCode("host-branch") : ReasonCode("left-out")};
    const bool on_host = level_.host_loops.count(unit.instruction) > 0;
    if (on_host) why.reason = "loop-slower";
    if (heavy || on_host || !moves_.loop_kernels || (!tried(group) && !build(group, &why))) {
      group.runner = Group::Runner::kHost;
      note(unit, why.reason, why.instruction);
      read_by_host(unit);
    }
  }
  add_group(std::move(group));
}

std::vector<const Instruction*> Grouper::begun_with(const Instruction& loop) const {
  return arrays_begun_with(loop, level_.one_launch || level_.grid_loops.count(&loop) > 0);
}

// What a loop or branch of the host reads is in memory. What a loop overwrites whole, or clears, it is not given.
void Grouper::read_by_host(const Unit& unit) {
  const bool loop = unit.instruction->opcode == Opcode::kWhile;
  const std::vector<const Instruction*>& given = operands_.at(unit.instruction);
  const std::vector<const Instruction*> read = loop ? begun_with(*unit.instruction) : given;
  for (const Instruction* operand : read) {
    if (level_.counters.count(operand) == 0) escaping_.insert(operand);
  }
  for (const Instruction* operand : given) {
    if (std::ranges::find(read, operand) == read.end()) std::erase(readers_[operand], unit.instruction);
  }
}

// A counter of the host's is an argument of the kernels that read it. What is no kernel reads it from memory, where a
// kernel of its own writes it.
void Grouper::store_counters() {
  std::set<const Instruction*> read = escaping_;
  for (const Group& group : groups_) {
    if (group.is_kernel()) continue;
    const Instruction* loop = *group.values.context.computed.begin();
    // A conditional's arms know their counters; its selector is brought back from memory.
    const bool conditional = loop->opcode == Opcode::kConditional;
    for (const Instruction* operand : conditional                      ? std::vector{array_value(loop->operand(0))}
                                      : loop->opcode == Opcode::kWhile ? begun_with(*loop)
                                                                       : array_operands(*loop)) {
      read.insert(operand);
    }
  }
  for (const Instruction& instruction : level_.computation->instructions()) {
    if (level_.counters.count(&instruction) == 0 || read.count(&instruction) == 0) continue;
    Group group;
    group.values.context = context();
    group.values.context.computed = {&instruction};
    group.values.outputs = {&instruction};
    groups_.push_back(std::move(group));
  }
}

// Whether its readers read so much of an array that all of it may as well be stored.
bool Grouper::is_mostly_read(const Instruction& array) const {
  constexpr int64_t kMostly = 4;
  int64_t elements = 0;
  for (const Instruction* reader : readers_.at(&array)) {
    const bool part = reader->opcode == Opcode::kSlice;
    elements += part ? reader->shape.element_count() : array.shape.element_count();
  }
  return kMostly * elements >= array.shape.element_count();
}

// A slice that kernels have no room for, with what it is a slice of, they read in an array of all elements: that is
// stored once for all its slices.
bool Grouper::reads_part(const Unit& unit, const std::set<int>& consumers) {
  constexpr int64_t kRoom = kMaxNodes + kMaxNodes / 4;  // for slices of what is stored
  if (unit.instruction->opcode != Opcode::kSlice) return false;
  const Instruction* whole = array_value(unit.instruction->operand(0));
  if (!is_plumbing(*whole) && !is_mostly_read(*whole)) return false;
  std::vector<int> tried;
  for (const int group : consumers) {
    std::set<const Instruction*>& computed = groups_[group].values.context.computed;
    if (groups_[group].is_kernel() && is_plain(groups_[group].form)) {
      computed.insert(unit.instruction);
      tried.push_back(group);
      if (groups_[group].full || buildable(groups_[group], kRoom)) continue;
    }
    for (const int other : tried) groups_[other].values.context.computed.erase(unit.instruction);
    return false;
  }
  for (const int group : consumers) {
    groups_[group].full = true;
    add_to(group, unit);
  }
  kept_whole_.insert(whole);
  return true;
}

namespace {

// Why a value, of that kind if it had a kernel to itself, is not computed in the group that reads it.
ReasonCode why_not_in(const Group& group, const StageKind& kind, bool ends_another) {
  if (group.runner == Group::Runner::kHost) return "host-loop-operand";
  if (group.runner == Group::Runner::kLibrary) {
    const bool of_user = calls_host_function(**group.values.context.computed.begin());
    return of_user ? ReasonCode("host-function-operand") : ReasonCode("library-operand");
  }
  const bool another = ends_another || group.form.kind == &kind;
  if (another && !kind.of_another.empty()) return kind.of_another;
  return ends_another ? ReasonCode("contraction-operand") : group.form.kind->of_operand;
}

}  // namespace

void Grouper::place(const Unit& unit) {
  bool escapes = false, is_read = false;
  for (const Instruction* array : unit.arrays) {
    escapes |= escaping_.count(array) > 0;
    const auto readers = readers_.find(array);
    is_read |= readers != readers_.end() && !readers->second.empty();
  }
  if (!escapes && !is_read && !unit.arrays.empty()) {  // loops overwrite or clear it
    for (const Instruction* operand : operands_.at(unit.instruction)) std::erase(readers_[operand], unit.instruction);
    return;
  }
  const bool cheap = is_cheap(*unit.instruction);
  const bool library = is_library_call(*unit.instruction);
  const StageKind& kind = *form_of(*unit.instruction).kind;
  const bool own = kind.own || library;
  std::set<int> consumers = consumer_groups(unit);
  // Of several results each may have readers of its own, which are stored where it is made.
  const bool may_join = own ? kind.has_epilogue && unit.arrays.size() > 1 : !cheap;
  if (moves_.join_readers && consumers.size() > 1 && may_join && join(unit, consumers))
    consumers = consumer_groups(unit);
  const Instruction* blocker = nullptr;
  ReasonCode reason = calls_host_function(*unit.instruction) ? ReasonCode("host-function")
                      : library                              ? ReasonCode("library-call")
                      : own                                  ? ReasonCode("own-stage")
                                                             : ReasonCode("recomputed-too-often");
  // A number that the program gives is computed again where others need it: they need not wait for it.
  const bool given_number = escapes && cheap && level_.host_loop == nullptr && unit.instruction->shape.is_array() &&
                            unit.instruction->shape.element_count() == 1;
  const bool movable = !own || (kind.has_epilogue && consumers.size() == 1);
  bool absorbed = (!escapes || given_number) && movable && !consumers.empty() && (consumers.size() == 1 || cheap);
  // What several kernels would compute from many arrays each reads from one.
  constexpr int64_t kSmall = 4096;  // elements that are read and computed in no time
  const auto copies = static_cast<int64_t>(consumers.size());
  if (absorbed && copies > 1 && unit.arrays[0]->shape.element_count() >= kSmall) {
    const int64_t arrays = arrays_below(*unit.instruction);
    absorbed = copies * arrays <= arrays + copies + 1;
  }
  // Nor do many kernels repeat long computations, cheap as each of their operations is.
  constexpr int64_t kMostRepeated = 256;
  if (absorbed && copies > 1) absorbed = !needs_more_than(kMostRepeated / copies, *unit.instruction);
  if (absorbed && !moves_.absorb) {
    absorbed = false;
    reason = "left-out";
  }
  if (absorbed) absorbed = !is_read_over_and_over(unit);
  if (absorbed && kept_whole_.count(unit.arrays[0]) > 0) {
    absorbed = false;
    reason = "statement-limit";
  }
  // Sums of the same rows stand side by side in memory: of many arrays, what reduces them would choose one for each.
  const auto is_reduced = [](const Instruction* reader) {
    while (reader->opcode == Opcode::kReshape && reader->users().size() == 1) reader = reader->users()[0];
    return reader->opcode == Opcode::kReduce;
  };
  if (absorbed && stacks_sums(*unit.instruction) && std::ranges::all_of(readers_[unit.arrays[0]], is_reduced)) {
    absorbed = false;
    reason = "domain-mismatch";
  }
  if (absorbed) absorbed = level_.host_loops.count(unit.instruction) == 0;
  std::vector<std::pair<int, StageForm>> trials;
  if (absorbed) {
    for (const int group : consumers) {
      trials.emplace_back(group, groups_[group].form);
      // What ends a contraction's kernel is stored there, once, not computed for each use by a dot that reads it.
      const bool ends_another = groups_[group].reads_often && follows_contraction(*unit.instruction);
      if (!ends_another && absorb(unit, group)) continue;
      absorbed = false;
      if (own) break;
      if (slower_.count(unit.instruction->name) > 0) break;
      reason = why_not_in(groups_[group], kind, ends_another);
      blocker = groups_[group].values.outputs.empty() ? nullptr : groups_[group].values.outputs[0];
      break;
    }
  }
  if (absorbed) {
    for (const int group : consumers) add_to(group, unit);
    if (given_number) store(unit);
    return;
  }
  // All or none of them compute it.
  for (const auto& [number, form] : trials) {
    groups_[number].values.context.computed.erase(unit.instruction);
    groups_[number].form = form;
    const auto room = rooms_.find(number);
    const bool is_of_trial =
        room != rooms_.end() && room->second.values() > groups_[number].values.context.computed.size();
    if (is_of_trial) rooms_.erase(room);
  }
  if (!trials.empty() && !escapes && reads_part(unit, consumers)) return;
  const size_t before = groups_.size();
  store(unit);
  const bool noted = groups_.size() > before && (groups_.back().is_kernel() || library);
  if (!escapes && noted) note(unit, reason, blocker);
}

}  // namespace sinter
