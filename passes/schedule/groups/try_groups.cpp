// What building a group tells. Moves ask the same of a group again and again, and so do the trials of loops: what was
// tried is known. The layers of a network, and the parameters of an optimiser, are alike: what is of one form
// (same_form.h) is built twice, and known from then on.
#include <algorithm>

#include "llvm/ADT/Hashing.h"
#include "passes/demand/views/lane_updates.h"
#include "passes/schedule/groups/grouper.h"
#include "passes/schedule/groups/updates_in_place.h"
#include "passes/stages/domain/same_form.h"

namespace sinter {

std::string TriedGroups::key(const Group& group, int64_t most_nodes, const std::vector<bool>& unstored) {
  std::string key;
  const auto add = [&](const auto& value) { key.append(reinterpret_cast<const char*>(&value), sizeof(value)); };
  const KernelValues& values = group.values;
  key.reserve((values.context.computed.size() + values.outputs.size() + unstored.size() + 8) * sizeof(void*));
  add(values.context.computed.size());
  for (const Instruction* value : values.context.computed) add(value);
  add(values.outputs.size());
  for (const Instruction* output : values.outputs) add(output);
  add(group.form.kind);
  add(group.form.rows.has_value());
  const RowExtents rows = group.form.rows.value_or(RowExtents{});
  for (const int64_t extent : {rows.rows, rows.columns, rows.inner}) add(extent);
  add(group.runner);
  add(most_nodes);
  for (const bool stored : unstored) add(stored);
  return key;
}

const std::optional<GroupTrial>* TriedGroups::trial(const std::string& key) const {
  const auto known = trials_.find(key);
  return known == trials_.end() ? nullptr : &known->second;
}

std::optional<bool> TriedGroups::buildable(const std::string& key) const {
  const auto known = buildable_.find(key);
  return known == buildable_.end() ? std::nullopt : std::optional(known->second);
}

// Programs of thousands of values would take gigabytes.
bool TriedGroups::has_room(const std::string& key) {
  constexpr size_t kMostBytes = size_t{64} << 20;
  if (bytes_ + key.size() > kMostBytes) return false;
  bytes_ += key.size();
  return true;
}

void TriedGroups::add(const std::string& key, const std::optional<GroupTrial>& trial) {
  if (has_room(key)) trials_.emplace(key, trial);
}

void TriedGroups::add(const std::string& key, bool buildable) {
  if (has_room(key)) buildable_.emplace(key, buildable);
}

const std::optional<GroupRoom>* TriedGroups::room(const std::string& key) const {
  const auto known = rooms_.find(key);
  return known == rooms_.end() ? nullptr : &known->second;
}

void TriedGroups::add(const std::string& key, const std::optional<GroupRoom>& room) {
  if (has_room(key)) rooms_.emplace(key, room);
}

// Levels are grouped for launches, and for kernels that wait for one another: a product has the form that takes the
// least time there, what elements and rows take is the same.
std::string Grouper::key_of(const Group& group, int64_t most_nodes, const std::vector<bool>& unstored) const {
  std::string key = TriedGroups::key(group, most_nodes, unstored);
  const bool asks_gpu = gpu_ != nullptr && !is_plain(group.form) && !group.form.rows;
  if (asks_gpu) key.append(reinterpret_cast<const char*>(&gpu_->launch_us), sizeof(gpu_->launch_us));
  return key;
}

// What a group computes of an array that it updates in place, unless it is the elements themselves, for the update
// alone: others have to have been read before. nullptr: nothing.
const Instruction* Grouper::reads_updated(const Group& group, const StageDemand* demand) const {
  const std::set<const Instruction*>& updates = level_.updates_in_place;
  const std::set<const Instruction*>& computed = group.values.context.computed;
  for (const Instruction* update : updates) {
    if (computed.count(update) == 0) continue;
    const Instruction* array = array_value(update->operand(0));
    if (level_.host_loop == nullptr && versions_.update_over(array) == nullptr) continue;
    const auto reads = [&](const Instruction* value) {
      if (updates.count(value) > 0) return false;
      const std::vector<const Instruction*> operands = array_operands(*value);
      return std::ranges::find(operands, array) != operands.end();
    };
    const auto reader = std::ranges::find_if(computed, reads);
    if (reader == computed.end()) continue;
    const DemandGraph* graph = demand == nullptr ? nullptr : graph_of(*demand);
    if (update->opcode == Opcode::kScatter) {
      if (demand == nullptr) continue;
      const auto* row = std::get_if<RowDemand>(demand);
      if (row == nullptr && !is_plain(group.form)) return *reader;
      const std::optional<LaneRows> rows =
          row == nullptr ? std::nullopt : std::optional(LaneRows{row->row, row->extents.rows});
      if (graph == nullptr || reads_late(*graph, update, array, rows)) return *reader;
      continue;
    }
    if (!is_plain(group.form) || group.values.outputs.size() > 1) return *reader;
    if (graph != nullptr && reads_beside(*graph, updates, array)) return *reader;
  }
  return nullptr;
}

std::optional<Grouper::Built> Grouper::build(const Group& group, DemandGraph::Failure* why, int64_t most_nodes) const {
  const StageKind& kind = *group.form.kind;
  std::optional<DemandGraph::Failure> failure;
  const auto refuse = [&](const Instruction* reader) { failure = {reader, "update-in-place"}; };
  if (const Instruction* reader = versions_.reads_too_late(group.values.context.computed)) refuse(reader);
  if (const Instruction* reader = failure ? nullptr : reads_updated(group, nullptr)) refuse(reader);
  std::optional<StageDemand> demand;
  if (!failure) demand = kind.demand(group.values, group.form, most_nodes, &failure);
  if (demand && kind.better_apart != nullptr) {
    if (const auto apart = kind.better_apart(group.values, *demand)) failure = apart;
  }
  if (const Instruction* reader = demand ? reads_updated(group, &*demand) : nullptr) refuse(reader);
  if (demand && !failure) {
    const int64_t nodes = nodes_of(*demand);
    return Built{.demand = std::move(*demand), .nodes = nodes};
  }
  if (why != nullptr) *why = *failure;
  return std::nullopt;
}

LaunchShape Grouper::launch_shape(const Group& group, const Built& built) {
  const StageKind& kind = *group.form.kind;
  return kind.launch == nullptr ? LaunchShape() : kind.launch(built.demand);
}

std::optional<Grouper::Built> Grouper::built_of(const Group& group, int64_t most_nodes) const {
  std::optional<Built> built = build(group, nullptr, most_nodes);
  if (built && built->nodes > most_nodes) built.reset();
  return built;
}

bool Grouper::buildable(const Group& group, int64_t most_nodes, std::optional<GroupRoom>* room) const {
  if (!gives_statistics_ && reduces_in_tiles(group)) return false;
  const std::string key = key_of(group, most_nodes, {});
  if (const std::optional<bool> known = tried_.buildable(key)) {
    const std::optional<GroupRoom>* known_room = room == nullptr ? nullptr : tried_.room(key);
    if (known_room != nullptr) *room = *known_room;
    return *known;
  }
  const std::optional<Built> built = built_of(group, most_nodes);
  tried_.add(key, built.has_value());
  if (room != nullptr && built && (is_plain(group.form) || group.form.rows)) {
    *room = GroupRoom(*graph_of(built->demand), group.values.context.computed.size());
    tried_.add(key, *room);
  }
  return built.has_value();
}

std::optional<Grouper::Trial> Grouper::try_to_build(const Group& group, int64_t most_nodes,
                                                    const std::vector<bool>& unstored) const {
  std::optional<Built> built = built_of(group, most_nodes);
  if (!built) return std::nullopt;
  if (DemandGraph* graph = graph_of(built->demand)) {
    const std::vector<const Instruction*>& outputs = group.values.outputs;
    std::erase_if(graph->stores, [&](const DemandStore& store) {
      const size_t place = std::find(outputs.begin(), outputs.end(), store.value) - outputs.begin();
      return place < outputs.size() && unstored[place];
    });
  }
  Trial trial;
  trial.nodes = built->nodes;
  trial.launch = launch_shape(group, *built);  // before the cost, which puts rows in phases
  trial.cost = cost_of(group, &*built);
  trial.too_long = built->too_long;
  return trial;
}

std::optional<Grouper::Trial> Grouper::tried(const Group& group, int64_t most_nodes,
                                             const std::vector<bool>& unstored) {
  if (!gives_statistics_ && reduces_in_tiles(group)) return std::nullopt;
  const std::string key = key_of(group, most_nodes, unstored);
  if (const std::optional<Trial>* known = tried_.trial(key)) return *known;
  std::optional<Trial> trial = tried_by_form(group, most_nodes, unstored);
  tried_.add(key, trial);
  return trial;
}

std::optional<Grouper::Trial> Grouper::tried_by_form(const Group& group, int64_t most_nodes,
                                                     const std::vector<bool>& unstored) {
  constexpr size_t kMostForms = 8;  // that are told apart by their values alone
  if (versions_.reads_too_late(group.values.context.computed) != nullptr) return std::nullopt;
  if (group.form.kind->own || !group.is_kernel()) return try_to_build(group, most_nodes, unstored);
  const RowExtents rows = group.form.rows.value_or(RowExtents{});
  const auto kind = group.form.kind - stage_kinds().data();
  const size_t form =
      llvm::hash_combine(form_hash(group.values), kind, rows.rows, rows.columns, rows.inner, most_nodes);
  const auto [known, fresh] = known_trials_.try_emplace(form);
  if (fresh) return try_to_build(group, most_nodes, unstored);
  for (const KnownTrial& before : known->second) {
    if (before.most_nodes == most_nodes && before.unstored == unstored && same_form(before.values, group.values))
      return before.trial;
  }
  std::optional<Trial> trial = try_to_build(group, most_nodes, unstored);
  // Steps ahead and layers are those of loops of this very group.
  const bool of_any = !trial || (trial->launch->ahead.empty() && trial->launch->layers.empty());
  if (of_any && known->second.size() < kMostForms) known->second.push_back({group.values, most_nodes, unstored, trial});
  return trial;
}

bool Grouper::set_cost(Group* group) {
  std::optional<Trial> trial = tried(*group);
  if (!trial) return false;
  group->launch = std::move(trial->launch);
  group->cost = std::move(trial->cost);
  return true;
}

std::optional<Grouper::Trial> Grouper::tried_otherwise(Group* group, int64_t most_nodes,
                                                       const std::vector<bool>& unstored) {
  const StageKind& kind = *group->form.kind;
  if (!group->is_kernel() || kind.other_form == nullptr) return std::nullopt;
  const std::optional<StageForm> other = kind.other_form(group->values);
  if (!other) return std::nullopt;
  const StageForm before = group->form;
  group->form = *other;
  std::optional<Trial> trial = tried(*group, most_nodes, unstored);
  if (!trial) group->form = before;
  return trial;
}

}  // namespace sinter
