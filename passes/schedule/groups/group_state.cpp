// What is known of the groups beside themselves (grouper.h: "What holds between moves"): kept as they change, and
// looked at by tests.
#include <algorithm>
#include <utility>

#include "passes/schedule/groups/grouper.h"

namespace sinter {

// The group `number` computes and stores something else from now on; nothing, and it is gone.
void Grouper::become(int number, Group group) {
  for (const Instruction* member : groups_[number].values.context.computed) groups_of_[member].erase(number);
  groups_[number] = std::move(group);
  for (const Instruction* member : groups_[number].values.context.computed) groups_of_[member].insert(number);
  note_outputs(number);
}

int Grouper::add_group(Group group) {
  groups_.emplace_back();
  const int number = static_cast<int>(groups_.size()) - 1;
  become(number, std::move(group));
  return number;
}

// `joined` in place of the groups `numbers`, at the first of them.
void Grouper::replace(const std::set<int>& numbers, Group joined) {
  for (const int number : numbers) become(number, Group());
  become(*numbers.begin(), std::move(joined));
}

// A kernel stores its results; from the first to the last of them it is one run of the text.
void Grouper::note_outputs(int group) {
  const KernelValues& values = groups_[group].values;
  if (values.outputs.empty()) return;
  runs_.join(first_output(group), last_output(group));
  ends_.resize(groups_.size());
  ends_[group] = last_output(group);
  for (const Instruction* output : values.outputs) {
    llvm::SmallVector<int, 1>& storing = storing_[output];
    if (!llvm::is_contained(storing, group)) storing.push_back(group);
  }
  if (!groups_[group].is_kernel()) return;
  shared_work_.add(group, stored_shape(values.context, *values.outputs[0]).element_count(), values.outputs);
}

// Where the results of a kernel stand in the text.
size_t Grouper::first_output(int group) const {
  size_t first = SIZE_MAX;
  for (const Instruction* output : groups_[group].values.outputs) first = std::min(first, output->position());
  return first;
}

size_t Grouper::last_output(int group) const {
  size_t last = 0;
  for (const Instruction* output : groups_[group].values.outputs) last = std::max(last, output->position());
  return last;
}

bool Grouper::is_stored(const Instruction* array) const {
  const auto storing = storing_.find(array);
  return storing != storing_.end() && std::ranges::any_of(storing->second, [&](int group) {
           return llvm::is_contained(groups_[group].values.outputs, array);
         });
}

// The ledger need not tell why an array is stored: it is not, or will not be at the end of the move.
void Grouper::forget(const Instruction* stored) {
  const Unit* unit = unit_of_array_.at(stored);
  forgotten_[unit->instruction->name] = unit;
}

// Of several results of one operation others may be stored still.
void Grouper::drop_forgotten() {
  std::erase_if(ledger_, [&](LedgerEntry& entry) {
    const auto unit = forgotten_.find(entry.value);
    if (unit == forgotten_.end()) return false;
    entry.bytes = 0;
    bool stored = false;
    for (const Instruction* array : unit->second->arrays) {
      if (!is_stored(array)) continue;
      entry.bytes += array->shape.bytes();
      stored = true;
    }
    return !stored;
  });
  forgotten_.clear();
}

// The group, storing `outputs` and computing what these need alone, in its form if that can be.
Group Grouper::giving(const Group& group, const std::vector<const Instruction*>& outputs) const {
  Group part = part_of(group, outputs, nullptr);
  const StageForm otherwise = std::exchange(part.form, group.form);
  part.runner = group.runner;
  part.full = group.full;
  const bool is_smaller = part.values.context.computed.size() < group.values.context.computed.size();
  if (is_smaller && !buildable(part)) part.form = otherwise;
  return part;
}

// Kernels joined may compute for themselves what was stored for them: what nobody reads is not stored any more.
void Grouper::drop_unread() {
  for (bool changed = true; changed;) {
    changed = false;
    for (int number = 0; number < static_cast<int>(groups_.size()); ++number) {
      Group& group = groups_[number];
      if (is_gone(number) || !group.is_kernel()) continue;
      std::vector<const Instruction*> kept, unread;
      for (const Instruction* output : group.values.outputs) {
        const auto unit = unit_of_array_.find(output);
        bool read = unit == unit_of_array_.end();  // a counter
        if (!read) {
          const std::vector<const Instruction*> stored = stored_arrays(*unit->second);
          read = std::find(stored.begin(), stored.end(), output) != stored.end();
        }
        (read ? kept : unread).push_back(output);
      }
      // An operation of a stage of its own gives all its results.
      if (unread.empty() || (group.form.kind->own && !kept.empty())) continue;
      changed = true;
      for (const Instruction* output : unread) forget(output);
      become(number, kept.empty() ? Group() : giving(group, kept));
    }
  }
  drop_forgotten();
}

// Kernels that were cut may each have left one that stores the same arrays, computed from others or from further back:
// the first is read.
void Grouper::drop_twins() {
  std::set<const Instruction*> stored;
  for (size_t number = 0; number < groups_.size(); ++number) {
    Group& group = groups_[number];
    if (is_gone(number) || !group.is_kernel()) continue;
    bool is_twin = !group.values.outputs.empty();
    for (const Instruction* output : group.values.outputs) is_twin &= !stored.insert(output).second;
    if (is_twin) become(static_cast<int>(number), Group());
  }
}

namespace {

std::string called(int number) { return "kernel " + std::to_string(number); }

std::string quoted(const Instruction* value) { return "'" + value->name + "'"; }

}  // namespace

// What is not so of a group that stores none of `stored`, to which what it stores comes.
std::string Grouper::untrue_of(int number, std::set<const Instruction*>* stored) {
  const Group& group = groups_[number];
  const std::set<const Instruction*>& computed = group.values.context.computed;
  for (const Instruction* value : computed) {
    const auto groups = groups_of_.find(value);
    const bool known = groups != groups_of_.end() && groups->second.contains(number);
    if (!known && level_.counters.count(value) == 0)
      return called(number) + " computes " + quoted(value) + ", of which its groups lack it";
  }
  for (const Instruction* output : group.values.outputs) {
    if (unit_of_array_.count(output) == 0) continue;  // a counter
    const std::string text = called(number) + " stores " + quoted(output);
    if (computed.count(maker_of(output)) == 0) return text + ", and does not compute it";
    if (!stored->insert(output).second) return text + ", as another does";
    const auto storing = storing_.find(output);
    if (storing == storing_.end() || !llvm::is_contained(storing->second, number))
      return text + ", of which those that store it lack it";
    if (static_cast<int>(ends_.size()) <= number || ends_[number] < output->position()) return text + " behind its end";
    if (runs_.begin(output->position()) != runs_.begin(first_output(number))) return text + " outside its run";
  }
  return "";
}

// What a kernel stores that nobody reads, or computes for nothing.
std::string Grouper::unneeded_of(const Group& group) const {
  if (!group.is_kernel()) return "";
  const std::vector<const Instruction*>& outputs = group.values.outputs;
  const auto is_read = [&](const Instruction* output) {
    const auto unit = unit_of_array_.find(output);
    return unit == unit_of_array_.end() || llvm::is_contained(stored_arrays(*unit->second), output);
  };
  // An operation of a stage of its own gives all its results.
  if (!group.form.kind->own || std::ranges::none_of(outputs, is_read)) {
    for (const Instruction* output : outputs) {
      if (!is_read(output)) return quoted(output) + " is stored, and nobody reads it";
    }
  }
  const std::set<const Instruction*> needed = part_of(group, outputs, nullptr).values.context.computed;
  for (const Instruction* value : group.values.context.computed) {
    if (needed.count(value) == 0 && level_.counters.count(value) == 0)
      return quoted(value) + " is computed for nothing, with " + quoted(outputs[0]);
  }
  return "";
}

std::string Grouper::untrue_in_ledger() const {
  std::set<std::string> told;
  for (const LedgerEntry& entry : ledger_) {
    if (!told.insert(entry.value).second) return "the ledger has '" + entry.value + "' twice";
  }
  for (const Unit& unit : units_) {
    const bool stored = std::ranges::any_of(unit.arrays, [&](auto* array) { return is_stored(array); });
    const bool escapes = std::ranges::any_of(unit.arrays, [&](auto* array) { return escaping_.count(array) > 0; });
    const bool known = told.contains(unit.instruction->name);
    if (known && !stored && !unit.arrays.empty())
      return "the ledger has " + quoted(unit.instruction) + ", which nothing stores";
    if (!known && stored && !escapes) return "the ledger lacks " + quoted(unit.instruction);
  }
  return "";
}

// The first thing that is not so, in words; empty where all is.
std::string Grouper::what_is_untrue() {
  std::set<const Instruction*> stored;
  const int groups = static_cast<int>(groups_.size());
  for (int number = 0; number < groups; ++number) {
    if (std::string untrue = untrue_of(number, &stored); !untrue.empty()) return untrue;
  }
  for (const auto& [value, makers] : groups_of_) {
    for (const int number : makers) {
      if (groups_[number].values.context.computed.count(value) == 0)
        return called(number) + " does not compute " + quoted(value) + ", of which its groups have it";
    }
  }
  for (int number = 0; number < groups; ++number) {
    const std::set<const Instruction*>& computed = groups_[number].values.context.computed;
    for (const Instruction* array : arrays_read(computed)) {
      const auto readers = readers_.find(array);
      if (unit_of_array_.count(array) == 0 || stored.contains(array) || readers == readers_.end()) continue;
      // A loop that overwrites an array whole does not read it.
      if (std::ranges::any_of(readers->second, [&](auto* reader) { return computed.count(reader) > 0; }))
        return called(number) + " reads " + quoted(array) + ", which nothing stores";
    }
    if (std::string unneeded = unneeded_of(groups_[number]); !unneeded.empty()) return unneeded;
  }
  return untrue_in_ledger();
}

void Grouper::expect_what_holds() {
#ifndef NDEBUG
  if (const std::string untrue = what_is_untrue(); !untrue.empty()) throw InternalError("group_values", untrue);
#endif
}

}  // namespace sinter
