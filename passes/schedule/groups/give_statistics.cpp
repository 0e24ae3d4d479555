// Kernels of rows that products alone read: each of these makes the statistics for itself
// (passes/stages/products/row_statistics.h), and what they normalise is stored nowhere.
//
//   kernel norm  {sum scale normalised}           kernel gates {sum scale normalised gate up}
//   kernel gates {gate up}                   =>
#include <algorithm>
#include <map>

#include "passes/analysis/shapes/skinny_product.h"
#include "passes/schedule/groups/grouper.h"
#include "passes/stages/products/contract.h"

namespace sinter {

namespace {

// An operand in tiles that is normalised comes through registers, which may take the place of copies that no thread
// waits for: a product gains by it where its launch counts for more than this part of its time.
constexpr double kThroughRegisters = 1.1;

// Of too many vectors to be a skinny product.
bool is_tiled(const KernelValues& kernel) {
  const std::vector<const Instruction*> dots = contractions_of(kernel);
  const std::optional<ContractExtents> extents = dots.empty() ? std::nullopt : contract_extents(*dots[0]);
  return extents && std::min(extents->m, extents->n) > kMostVectors;
}

}  // namespace

bool Grouper::reduces_in_tiles(const Group& group) const {
  if (!group.is_kernel() || !group.form.kind->may_be_parts) return false;
  const bool reduces = std::ranges::any_of(group.values.context.computed,
                                           [](const Instruction* value) { return value->opcode == Opcode::kReduce; });
  return reduces && is_tiled(group.values);
}

// The other groups that read what the group stores.
std::set<int> Grouper::readers_of(int group) const {
  std::set<int> readers;
  for (const Instruction* output : groups_[group].values.outputs) {
    const auto unit = unit_of_array_.find(output);
    if (unit == unit_of_array_.end()) continue;
    for (const int reader : consumer_groups(*unit->second)) {
      const bool computes = groups_[reader].values.context.computed.count(unit->second->instruction) > 0;
      if (reader != group && !computes) readers.insert(reader);
    }
  }
  return readers;
}

// Whether another kernel is ready when this one is, after as many others: they may share a launch, and this one then
// costs none (passes/schedule/moves/share_launches.cpp).
bool Grouper::has_company(int number) const {
  std::map<int, int> depth;
  for (const size_t group : ordered()) {
    const int own = depth[static_cast<int>(group)];
    for (const int reader : readers_of(static_cast<int>(group))) depth[reader] = std::max(depth[reader], own + 1);
  }
  const int own = depth[number];
  return std::ranges::any_of(depth, [&](const auto& other) {
    const bool shares = groups_[other.first].is_kernel() && groups_[other.first].form.kind->may_share_launch;
    return other.first != number && other.second == own && !is_gone(static_cast<size_t>(other.first)) && shares;
  });
}

bool Grouper::give_statistics_of(int number) {
  const Group& writer = groups_[number];
  if (!writer.is_kernel() || !writer.form.rows) return false;
  // Somebody else may need it in memory.
  const bool all_known = std::ranges::all_of(writer.values.outputs, [&](const Instruction* output) {
    return unit_of_array_.contains(output) && escaping_.count(output) == 0;
  });
  const std::set<int> readers = readers_of(number);
  if (readers.empty() || !all_known) return false;
  const auto is_product = [&](int reader) {
    return groups_[reader].is_kernel() && groups_[reader].form.kind->may_be_parts;
  };
  if (!std::ranges::all_of(readers, is_product)) return false;
  std::vector<std::pair<int, Group>> given;
  std::vector<Trial> trials;
  const std::optional<double> alone = predicted(number);
  if (!alone) return false;
  double before = *alone, after = 0;
  for (const int reader : readers) {
    Group trial = groups_[reader];
    trial.launch.reset();
    trial.cost.reset();
    trial.values.context.computed.insert(writer.values.context.computed.begin(), writer.values.context.computed.end());
    trial.values.context.computed = part_of(trial, trial.values.outputs, nullptr).values.context.computed;
    if (trial.values.context.computed.size() > kMaxValues) return false;
    std::optional<Trial> told = tried(trial, kMaxNodes);
    const std::optional<double> without = predicted(reader);
    if (!told || !told->cost || !without) return false;
    before += *without;
    after += predicted_us(*told->cost, *gpu_) * (is_tiled(trial.values) ? kThroughRegisters : 1);
    given.emplace_back(reader, std::move(trial));
    trials.push_back(std::move(*told));
  }
  const bool shares_launch = moves_.share_launches && !is_slower(after, before) && has_company(number);
  // Beside another the kernel costs what it takes longer than a launch, if that.
  if (shares_launch ? after >= before - gpu_->launch_us : is_slower(after, before)) {
    stays_apart(writer);
    return false;
  }
  for (const Instruction* output : writer.values.outputs) forget(output);
  become(number, Group());
  for (size_t i = 0; i < given.size(); ++i) {
    become(given[i].first, std::move(given[i].second));
    note_predicted(given[i].first, trials[i]);
  }
  return true;
}

void Grouper::give_statistics() {
  if (gpu_ == nullptr) return;
  gives_statistics_ = true;
  for (int number = 0; number < static_cast<int>(groups_.size()); ++number) {
    if (!is_gone(number)) give_statistics_of(number);
  }
  drop_forgotten();
}

}  // namespace sinter
