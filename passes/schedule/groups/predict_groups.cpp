// What kernels take by the cost model, and whether a move is worth it: no kernel that two would be slower than is made.
#include "llvm/ADT/Hashing.h"
#include "passes/schedule/cost/launch_cost.h"
#include "passes/schedule/groups/choose_contract.h"
#include "passes/schedule/groups/grouper.h"

namespace sinter {

namespace {

template <class... Cases>
struct overloaded : Cases... {
  using Cases::operator()...;
};

}  // namespace

// nullopt where the model cannot compare: stages of their own, what the host runs, loops that end when data says so;
// and of what is too long.
std::optional<LaunchCost> Grouper::cost_of(const Group& group, Built* built) const {
  if (!group.is_kernel()) return std::nullopt;
  const std::optional<LaunchCost> cost =
      std::visit(overloaded{[&](RowDemand& rows) {
                              std::optional<LaunchCost> of_rows = row_cost(&rows, kMaxNodes);
                              built->too_long = !of_rows;
                              return of_rows;
                            },
                            [](const MapDemand& map) { return std::optional(map_cost(map)); },
                            [](const ScanDemand& scan) { return std::optional(scan_cost(scan)); },
                            [&](const ContractDemand& product) {
                              return std::optional(choose_contract(product, gpu_, moves_.tensor_cores).cost);
                            },
                            [](const OwnStageShape&) { return std::optional<LaunchCost>(); }},
                 built->demand);
  return cost && !cost->work.of_data ? cost : std::nullopt;
}

std::optional<double> Grouper::predicted(const Group& group) {
  const std::optional<Trial> trial = tried(group);
  return trial && trial->cost ? std::optional(predicted_us(*trial->cost, *gpu_)) : std::nullopt;
}

// A hash of what a group computes and stores, and in which form.
uint64_t Grouper::contents_of(const Group& group) {
  uint64_t contents = static_cast<uint64_t>(group.form.kind - stage_kinds().data()) +
                      64 * static_cast<uint64_t>(group.form.rows ? group.form.rows->columns : 0);
  for (const Instruction* value : group.values.context.computed) contents += llvm::hash_value(value->position());
  for (const Instruction* output : group.values.outputs) contents += 3 * llvm::hash_value(output->position());
  return contents;
}

void Grouper::note_predicted(int number, const Trial& trial) {
  if (gpu_ == nullptr) return;
  predicted_groups_[number] = {contents_of(groups_[number]),
                               trial.cost ? std::optional(predicted_us(*trial.cost, *gpu_)) : std::nullopt};
}

// Asked for again and again while other groups change: known by what it computes and stores.
std::optional<double> Grouper::predicted(int number) {
  const Group& group = groups_[number];
  const uint64_t contents = contents_of(group);
  Predicted& known = predicted_groups_[number];
  if (known.contents != contents) known = {contents, predicted(group)};
  return known.us;
}

// With a kernel to itself that reads its operands from memory.
std::optional<double> Grouper::predicted(const Unit& unit) {
  const auto known = predicted_units_.find(unit.instruction);
  if (known != predicted_units_.end()) return known->second;
  Group alone;
  alone.values.context = context();
  alone.values.context.computed.insert(unit.instruction);
  alone.values.outputs = unit.arrays;
  alone.form = form_of(*unit.instruction);
  return predicted_units_[unit.instruction] = predicted(alone);
}

bool Grouper::is_slower_than_apart(const Trial& together, const Unit* unit, const std::vector<int>& groups) {
  return is_slower_than(together, unit, groups.size(), [&](size_t i) { return predicted(groups[i]); });
}

// In the order in which they are dear to ask: most moves save a launch and cost nothing, which a kernel of the unit
// alone tells.
bool Grouper::is_slower_than(const Trial& together, const Unit* unit, size_t others,
                             llvm::function_ref<std::optional<double>(size_t)> other) {
  if (gpu_ == nullptr) return false;
  if (!together.cost) return together.too_long;
  const double us = predicted_us(*together.cost, *gpu_);
  double apart = static_cast<double>(others) * gpu_->launch_us;
  if (!is_slower(us, apart)) return false;
  if (unit != nullptr) {
    const std::optional<double> alone = predicted(*unit);
    if (!alone) return false;
    apart += *alone;
  }
  for (size_t i = 0; i < others && is_slower(us, apart); ++i) {
    const std::optional<double> known = other(i);
    if (!known) return false;
    apart += *known - gpu_->launch_us;
  }
  return is_slower(us, apart);
}

// Whether one kernel takes no longer than several, all of which read the same: matrices that would be in the L2 cache
// if the others were not read in between are not.
bool Grouper::is_faster_in_memory(const Trial& together, const std::set<int>& groups) {
  Gpu gpu = *gpu_;
  gpu.l2_gb_per_s = 0;
  double apart = 0;
  for (const int group : groups) {
    const std::optional<Trial> trial = tried(groups_[group]);
    if (!trial || !trial->cost) return false;
    apart += predicted_us(*trial->cost, gpu);
  }
  return together.cost && !is_slower(predicted_us(*together.cost, gpu), apart);
}

// What a move left in memory for its time, whatever was in the way before that move.
void Grouper::give_reasons() {
  for (LedgerEntry& entry : ledger_) {
    if (slower_.contains(entry.value)) entry.reason = "slower-together";
  }
}

}  // namespace sinter
