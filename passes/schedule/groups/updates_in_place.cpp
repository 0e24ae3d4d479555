#include "passes/schedule/groups/updates_in_place.h"

#include <algorithm>
#include <vector>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/values/replaced_array.h"
#include "passes/analysis/values/small_update.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/demand/views/row_stride.h"
#include "passes/schedule/groups/group_values.h"
#include "passes/schedule/groups/grouper.h"
#include "passes/schedule/tree/update_versions.h"
#include "passes/stages/own/own_stages.h"
#include "passes/stages/own/scatter_stage.h"

namespace sinter {

namespace {

// An update that a kernel of its own elements can store.
bool can_be_in_place(const Instruction& value) {
  if (value.opcode != Opcode::kDynamicUpdateSlice) return false;
  if (!is_small_update(value.shape, value.operand(1)->shape)) return false;
  const size_t starts = value.operands().size() - 2;
  return starts == value.shape.dims.size() &&
         std::all_of(value.operands().begin() + 2, value.operands().end(),
                     [](const Instruction* start) { return start->shape.is_scalar(); });
}

// Whether a scatter brings one window to each lane of the array that it updates, a batch or rows by their own number:
// what tells lanes apart tells places apart. Threads of the updates may then write them where they belong.
bool updates_lanes(const Instruction& value) {
  if (value.opcode != Opcode::kScatter || value.operands().size() != 3 || takes_scatter(value)) return false;
  if (!is_small_update(value.shape, update_of(value).shape)) return false;
  const std::vector<int64_t> window = value.attributes->update_window_dims.value_or(std::vector<int64_t>{});
  DemandContext context;
  context.level = value.parent();
  context.computed = index_arithmetic(*value.operand(1));
  context.computed.insert(&value);
  context.updates_in_place = {&value};
  DemandGraph graph(context);
  std::vector<IndexExpr> index;
  for (const int64_t extent : update_of(value).shape.dims)
    index.push_back(graph.coordinate(graph.add_coordinate(extent, CoordinateRole::kElement)));
  if (!graph.store(&value, index)) return false;
  const IndexExpr& place = graph.stores[0].offset;
  for (size_t d = 0; d < index.size(); ++d) {
    const int64_t extent = update_of(value).shape.dims[d];
    if (extent == 1 || std::ranges::count(window, static_cast<int64_t>(d)) > 0) continue;
    if (row_stride(place, static_cast<int>(d), index[d], extent) == 0) return false;
  }
  return true;
}

// Whether it reads elements of an array, and hands nothing on as it is.
bool reads_elements(const Instruction& user) {
  const Family family = family_of(user);
  return family == Family::kElementwise || family == Family::kIndexMap || user.opcode == Opcode::kReduce ||
         user.opcode == Opcode::kDot;
}

// Whether it is a stage that writes rows of a copy of an array, or of the array itself where nobody else wants that.
bool writes_rows(const Instruction& value) {
  return value.opcode == Opcode::kScatter && takes_scatter(value) &&
         is_small_update(value.shape, update_of(value).shape);
}

// The array that an update is made of; of scatters of rows in whichever shape.
const Instruction* array_before(const Instruction& update) {
  const Instruction* array = array_value(update.operand(0));
  while (update.opcode == Opcode::kScatter && array->opcode == Opcode::kReshape) array = array_value(array->operand(0));
  return array;
}

// Of the body of `loop`: updates that become a carry, each by its array: the carry, an update before it, or what a
// scatter of rows has made, which has the memory of the carry's next value. For all that is updated `may_be` holds.
template <class MayBe>
std::set<const Instruction*> carries_updated(const Instruction& loop, const MayBe& may_be) {
  std::set<const Instruction*> result;
  const Computation& body = **loop.attributes->body;
  const Instruction* root = body.root();
  if (root->opcode != Opcode::kTuple) return result;
  // By carry: the one get-tuple-element that reads it; none where there are several or the state is read otherwise.
  std::vector<const Instruction*> reader(root->operands().size(), nullptr);
  std::vector<int> readers(reader.size(), 0);
  for (const Instruction* user : body.parameters()[0]->users()) {
    if (user->opcode != Opcode::kGetTupleElement) return result;
    const auto carry = static_cast<size_t>(*user->attributes->tuple_index);
    reader[carry] = user;
    ++readers[carry];
  }
  for (size_t k = 0; k < reader.size(); ++k) {
    const Instruction* last = root->operand(k);
    const bool is_scatter = last->opcode == Opcode::kScatter && last->operands().size() == 3;
    if ((last->opcode != Opcode::kDynamicUpdateSlice && !is_scatter) || readers[k] != 1) continue;
    const auto is_update = [&](const Instruction* operand) { return operand == last; };
    if (std::count_if(root->operands().begin(), root->operands().end(), is_update) != 1) continue;
    std::vector<const Instruction*> updates = {last};  // from the last one
    while (!is_scatter && updates.back()->operand(0)->opcode == Opcode::kDynamicUpdateSlice)
      updates.push_back(updates.back()->operand(0));
    const Instruction* first = updates.back()->operand(0);
    if (first != reader[k] && (is_scatter || !writes_rows(*first))) continue;
    const bool all = std::ranges::all_of(updates, [&](const Instruction* update) {
      const Instruction* array = update->operand(0);
      const auto is_old = [&](const Instruction* operand) { return operand == array; };
      return std::count_if(update->operands().begin(), update->operands().end(), is_old) == 1 &&
             update_of(*update).shape.element_count() > 0;
    });
    if (all && may_be(updates)) result.insert(updates.begin(), updates.end());
  }
  return result;
}

}  // namespace

std::set<const Instruction*> updates_in_place(const Instruction& loop) {
  return carries_updated(loop, [](const std::vector<const Instruction*>& updates) {
    return std::ranges::all_of(updates, [](const Instruction* update) {
      return update->opcode == Opcode::kDynamicUpdateSlice && update->operand(0)->users().size() == 1;
    });
  });
}

std::set<const Instruction*> updates_after_reads(const Instruction& loop) {
  return carries_updated(loop, [](const std::vector<const Instruction*>& updates) {
    if (updates[0]->opcode == Opcode::kScatter && !updates_lanes(*updates[0])) return false;
    bool is_read = updates[0]->opcode == Opcode::kScatter;
    for (const Instruction* update : updates) {
      if (update->opcode != Opcode::kScatter && !can_be_in_place(*update)) return false;
      const std::vector<Instruction*>& users = update->operand(0)->users();
      is_read |= users.size() > 1;
      const bool may_read = std::ranges::all_of(users, [&](const Instruction* user) {
        return user == update || (user != update->parent()->root() && reads_elements(*user));
      });
      if (!may_read) return false;
    }
    const Computation& body = *updates[0]->parent();
    const std::set<const Instruction*> chain(updates.begin(), updates.end());
    return is_read && (updates.size() == 1 || !UpdateVersions(body, chain).has_late_reader(body));
  });
}

std::vector<const Instruction*> rows_written_before(const Instruction& update) {
  std::vector<const Instruction*> result;
  const Instruction* above = &update;
  for (;;) {
    const Instruction* array = array_before(*above);
    if (!writes_rows(*array) || (above->opcode == Opcode::kScatter && !writes_rows(*above))) return result;
    // What a scatter of rows writes over, it alone may read.
    const Instruction* read = array_value(above->operand(0));
    for (bool is_alone = above->opcode == Opcode::kScatter; is_alone;) {
      if (read->users().size() != 1) return result;
      if (read == array) break;
      read = array_value(read->operand(0));
    }
    result.push_back(array);
    above = array;
  }
}

namespace {

// Updates one after the other that become results: each chain from its last update.
class ChainFinder {
 public:
  ChainFinder(const Module& module, bool read_between)
      : read_between_(read_between),
        module_(module),
        entry_(*module.entry()),
        results_(level_results(level_context(entry_, nullptr))) {
    for (const Instruction& instruction : entry_.instructions()) {
      if (is_plumbing(instruction)) continue;
      for (const Instruction* array : array_operands(instruction)) readers_[array].push_back(&instruction);
    }
  }

  DonatedUpdates run() {
    const std::vector<Instruction*> parameters = entry_.parameters();
    for (const Alias& alias : module_.input_output_alias) {
      const size_t output = alias.output_index.empty() ? 0 : static_cast<size_t>(alias.output_index[0]);
      if (alias.parameter < std::ssize(parameters)) add(output, parameters[alias.parameter]);
    }
    for (size_t output = 0; output < results_.size(); ++output) add(output, nullptr);
    return std::move(found_);
  }

 private:
  // `parameter`: whose memory the result takes; nullptr where it has its own, which is a copy of a parameter first.
  void add(size_t output, const Instruction* parameter) {
    if (output >= results_.size()) return;
    // A value that is several results is stored as the first of them.
    const Instruction* last = results_[output];
    const auto begin = results_.begin(), place = begin + static_cast<std::ptrdiff_t>(output);
    if (std::find(begin, results_.end(), last) != place) return;
    std::vector<const Instruction*> chain;  // updates and scatters of rows, from the last one
    const Instruction* value = last;
    while (found_.array.count(value) == 0 && (can_be_in_place(*value) || writes_rows(*value))) {
      if (!chain.empty() && !may_lie_before(*chain.back(), *value)) break;
      chain.push_back(value);
      value = array_before(*value);
    }
    // A scatter of rows begins with a copy of whatever it updates.
    const bool begins_there = parameter != nullptr ? value == parameter : may_be_copied(*value);
    while (!begins_there && !chain.empty() && chain.back()->opcode != Opcode::kScatter) {
      value = chain.back();
      chain.pop_back();
    }
    if (chain.empty()) return;
    const bool is_begun = chain.back()->opcode != Opcode::kScatter;
    std::set<const Instruction*> updates;
    bool is_read_between = false;
    for (size_t i = 0; i < chain.size(); ++i) {
      if (chain[i]->opcode == Opcode::kScatter) continue;
      updates.insert(chain[i]);
      is_read_between |= i + 1 < chain.size() && readers_[chain[i + 1]].size() > 1;
    }
    if (updates.empty()) return;
    // Without readers between its updates a kernel that copies the parameter makes all of them.
    if (parameter == nullptr && is_begun && !is_read_between) return;
    if (is_read_between && UpdateVersions(entry_, updates).has_late_reader(entry_)) return;
    for (size_t i = 0; i < chain.size(); ++i) {
      const Instruction* before = i + 1 < chain.size() ? chain[i + 1] : value;
      if (i + 1 < chain.size() || is_begun) found_.next[before] = chain[i];
      if (updates.count(chain[i]) > 0) found_.array[chain[i]] = before;
    }
    if (is_begun) begun_.insert(value);
  }

  // Whether what others than the update read of `value` leaves the update all of its memory.
  bool may_lie_before(const Instruction& update, const Instruction& value) {
    if (std::find(results_.begin(), results_.end(), &value) != results_.end()) return false;
    if (update.opcode == Opcode::kScatter) {
      const Instruction* read = array_value(update.operand(0));
      for (; read != &value; read = array_value(read->operand(0))) {
        if (readers_[read].size() > 1 || std::find(results_.begin(), results_.end(), read) != results_.end())
          return false;
      }
      return readers_[&value].size() == 1;
    }
    const std::vector<const Instruction*>& readers = readers_[&value];
    return readers.size() == 1 || (read_between_ && std::ranges::all_of(readers, is_read_by_kernel));
  }

  bool may_be_copied(const Instruction& value) const {
    return value.opcode == Opcode::kParameter && value.parent() == &entry_ && begun_.count(&value) == 0;
  }

  // What hands an array on to somebody else as it is may have it read at any time.
  static bool is_read_by_kernel(const Instruction* reader) { return reads_elements(*reader) || own_kind(*reader); }

  const bool read_between_;
  const Module& module_;
  const Computation& entry_;
  const std::vector<const Instruction*> results_;
  std::map<const Instruction*, std::vector<const Instruction*>> readers_;  // of arrays; only looked up
  DonatedUpdates found_;
  std::set<const Instruction*> begun_;  // parameters
};

}  // namespace

DonatedUpdates donated_updates(const Module& module, bool read_between) {
  return ChainFinder(module, read_between).run();
}

bool reads_beside(const DemandGraph& graph, const std::set<const Instruction*>& updates, const Instruction* array) {
  const std::vector<bool> needed = needed_nodes(graph);
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    const DemandNode& load = graph.nodes[id];
    if (!needed[id] || load.kind != DemandNode::Kind::kLoad || load.instruction != array) continue;
    const auto stores_it = [&](const DemandStore& store) {
      return updates.count(store.value) > 0 && array_value(store.value->operand(0)) == array &&
             store.offset == load.expr;
    };
    if (std::none_of(graph.stores.begin(), graph.stores.end(), stores_it)) return true;
  }
  return false;
}

const Instruction* updated_array(const std::set<const Instruction*>& updates, const Instruction* update) {
  const Instruction* array = update;
  while (updates.count(array) > 0) array = array_value(array->operand(0));
  return array;
}

// Whether it reads elements of what the group updates in place, other than those that it updates.
bool Grouper::reads_beside_update(const Group& group, const Unit& unit) const {
  const Instruction& value = *unit.instruction;
  const std::vector<const Instruction*>& operands = operands_.at(&value);
  return std::ranges::any_of(level_.updates_in_place, [&](const Instruction* update) {
    const Instruction* array = array_value(update->operand(0));
    if (group.values.context.computed.count(update) == 0 || std::ranges::find(operands, array) == operands.end())
      return false;
    if (level_.host_loop == nullptr && versions_.update_over(array) == nullptr) return false;
    if (update->opcode == Opcode::kScatter) return false;  // reads_lanes() has it tried
    if (value.opcode != Opcode::kDynamicSlice || value.shape.dims != update->operand(1)->shape.dims) return true;
    const auto starts = value.operands().begin() + 1;
    return !std::equal(starts, value.operands().end(), update->operands().begin() + 2, update->operands().end());
  });
}

// Whether the group with the unit would read what an update that it waits for has written over.
bool Grouper::reads_too_late(const Group& group, const Unit& unit) const {
  if (versions_.empty()) return false;
  std::set<const Instruction*> together = group.values.context.computed;
  together.insert(unit.instruction);
  return versions_.reads_too_late(together) != nullptr;
}

// Whether it reads elements of what the group updates lane by lane: where these are seen in the kernel alone.
bool Grouper::reads_lanes(const Group& group, const Unit& unit) const {
  const std::vector<const Instruction*>& operands = operands_.at(unit.instruction);
  return std::ranges::any_of(level_.updates_in_place, [&](const Instruction* update) {
    return update->opcode == Opcode::kScatter && group.values.context.computed.count(update) > 0 &&
           std::ranges::find(operands, updated_array(level_.updates_in_place, update)) != operands.end();
  });
}

}  // namespace sinter
