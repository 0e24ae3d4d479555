// Reductions of rows beside products. What reduces rows of a product's results, and a norm or softmax after it, becomes
// part of the product whose blocks have whole rows (passes/stages/products/result_rows.h):
//
//   kernel dense {dot bias}                       kernel dense {dot bias sum scale normalised}
//   kernel norm  {sum scale normalised}       =>
//
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

// Of each group, after how many others it comes that wait for one another.
std::vector<int> Grouper::depths() const {
  std::vector<std::set<int>> readers(groups_.size());
  std::vector<int> waits(groups_.size()), depth(groups_.size()), ready;
  for (size_t group = 0; group < groups_.size(); ++group) {
    readers[group] = readers_of(static_cast<int>(group));
    for (const int reader : readers[group]) ++waits[reader];
  }
  for (size_t group = 0; group < groups_.size(); ++group) {
    if (waits[group] == 0) ready.push_back(static_cast<int>(group));
  }
  while (!ready.empty()) {
    const int group = ready.back();
    ready.pop_back();
    for (const int reader : readers[group]) {
      depth[reader] = std::max(depth[reader], depth[group] + 1);
      if (--waits[reader] == 0) ready.push_back(reader);
    }
  }
  return depth;
}

// Whether another kernel is ready when this one is, after as many others: they may share a launch, and this one then
// costs none (passes/schedule/moves/share_launches.cpp).
bool Grouper::has_company(int number) {
  if (depths_.empty()) depths_ = depths();
  for (size_t other = 0; other < groups_.size(); ++other) {
    const bool shares = groups_[other].is_kernel() && groups_[other].form.kind->may_share_launch;
    const bool is_other = static_cast<int>(other) != number && !is_gone(other);
    if (is_other && depths_[other] == depths_[number] && shares) return true;
  }
  return false;
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
  depths_.clear();
  for (const Instruction* output : writer.values.outputs) forget(output);
  become(number, Group());
  for (size_t i = 0; i < given.size(); ++i) {
    become(given[i].first, std::move(given[i].second));
    note_predicted(given[i].first, trials[i]);
  }
  return true;
}

// Beside another a kernel costs what it takes longer than a launch, if that; and what its readers alone waited for the
// product's kernel waits for, too, once it does their work: so much is lost.
double Grouper::lost_company(int product, const std::set<int>& readers) {
  if (!moves_.share_launches) return 0;
  const bool shares =
      has_company(product) || std::ranges::any_of(readers, [&](int group) { return has_company(group); });
  double lost = shares ? gpu_->launch_us : 0;
  const std::set<int> known = producers_of(product);
  for (const int reader : readers) {
    for (const int producer : producers_of(reader)) {
      if (producer == product || readers.contains(producer) || known.contains(producer)) continue;
      lost = std::max(lost, predicted(producer).value_or(gpu_->launch_us));
    }
  }
  return lost;
}

// What `reader` makes of the product's results becomes part of its kernel, whose blocks have whole rows of them.
bool Grouper::reduce_in_product(int product, int reader) {
  const Group& writer = groups_[product];
  const Group& rows = groups_[reader];
  if (rows.form.kind->own || rows.form.kind->may_be_parts) return false;
  const auto computes = [&](Opcode opcode) {
    return std::ranges::any_of(rows.values.context.computed,
                               [&](const Instruction* value) { return value->opcode == opcode; });
  };
  if (!computes(Opcode::kReduce) || computes(Opcode::kWhile)) return false;
  std::map<int, std::set<int>> known;
  const auto producers = [&](int group) -> const std::set<int>& {
    const auto [found, is_new] = known.try_emplace(group);
    if (is_new) found->second = producers_of(group);
    return found->second;
  };
  if (waits_for(product, reader, true, producers) || waits_for(reader, product, false, producers)) return false;
  Group trial = writer;
  trial.launch.reset();
  trial.cost.reset();
  trial.values.context.computed.insert(rows.values.context.computed.begin(), rows.values.context.computed.end());
  if (trial.values.context.computed.size() > kMaxValues) return false;
  std::vector<const Instruction*> dropped;
  std::erase_if(trial.values.outputs, [&](const Instruction* output) {
    if (!is_read_only_by(*output, product, reader)) return false;
    dropped.push_back(output);
    return true;
  });
  for (const Instruction* output : rows.values.outputs) trial.values.outputs.push_back(output);
  const std::optional<Trial> told = tried(trial, kMaxNodes);
  const std::optional<double> apart = predicted(product), then = predicted(reader);
  if (!told || !told->cost || !apart || !then) return false;
  const double together = predicted_us(*told->cost, *gpu_), before = *apart + *then;
  // Beside another a kernel costs what it takes longer than a launch, if that.
  const bool shares_launch =
      moves_.share_launches && !is_slower(together, before) && (has_company(product) || has_company(reader));
  if (shares_launch ? together >= before - gpu_->launch_us : is_slower(together, before)) {
    stays_apart(writer);
    return false;
  }
  depths_.clear();
  for (const Instruction* output : dropped) forget(output);
  const int first = std::min(product, reader);
  replace({product, reader}, std::move(trial));
  note_predicted(first, *told);
  return true;
}

namespace {

// Reductions of pieces of the rows of a product, each of which gives one element for each piece.
bool reduces_pieces(const Instruction& value, const ContractExtents& extents) {
  if (value.opcode != Opcode::kReduce || !value.shape.is_array() || value.operands().size() != 2) return false;
  const int64_t rows = extents.batch * extents.m, elements = value.shape.element_count();
  if (rows == 0 || elements == 0 || elements % rows != 0) return false;
  const int64_t pieces = elements / rows, length = value.operand(0)->shape.element_count() / elements;
  return pieces > 1 && length <= kMostPieceColumns && (pieces - 1) * length < extents.n && pieces * length >= extents.n;
}

// Long reductions of a group that are no pieces, and not computed from the product.
std::set<const Instruction*> other_sums(const Group& group, const Instruction& dot,
                                        const std::set<const Instruction*>& pieces) {
  const std::set<const Instruction*>& computed = group.values.context.computed;
  std::set<const Instruction*> of_product = {&dot}, sums;
  for (const Instruction* value : in_text_order({computed.begin(), computed.end()})) {
    const bool reads = std::ranges::any_of(value->operands(),
                                           [&](const Instruction* operand) { return of_product.contains(operand); });
    if (reads) of_product.insert(value);
    if (!of_product.contains(value) && !pieces.contains(value) && value->opcode == Opcode::kReduce) sums.insert(value);
  }
  return sums;
}

}  // namespace

// Whether the kernel, which the product's is or waits for, reads what is only there after the product, but for `given`.
bool Grouper::reads_what_waits(const Group& kernel, int product, const std::set<int>& readers,
                               const std::set<const Instruction*>& given) {
  std::map<int, std::set<int>> known;
  const auto producers = [&](int group) -> const std::set<int>& {
    const auto [found, is_new] = known.try_emplace(group);
    if (is_new) found->second = producers_of(group);
    return found->second;
  };
  const std::set<const Instruction*>& computed = kernel.values.context.computed;
  for (const Instruction* value : computed) {
    for (const Instruction* operand : operands_[value]) {
      const auto unit = unit_of_array_.find(operand);
      const bool is_own = unit != unit_of_array_.end() && computed.contains(unit->second->instruction);
      if (unit == unit_of_array_.end() || is_own || given.contains(operand)) continue;
      for (size_t i = 0; i < groups_.size(); ++i) {
        const int group = static_cast<int>(i);
        if (is_gone(i) || !llvm::is_contained(groups_[i].values.outputs, operand)) continue;
        if (group == product || readers.contains(group) || waits_for(group, product, true, producers)) return true;
      }
    }
  }
  return false;
}

// Where rows are longer than a tile: the product's kernel reduces pieces of them (split_product_rows), and those that
// read its results before do the rest.
bool Grouper::reduce_pieces(int product) {
  const Group& writer = groups_[product];
  const std::vector<const Instruction*> dots = contractions_of(writer.values);
  const std::optional<ContractExtents> extents = dots.size() == 1 ? contract_extents(*dots[0]) : std::nullopt;
  if (!extents || extents->n <= kMostPieceColumns || std::min(extents->m, extents->n) <= kMostVectors) return false;
  const std::set<int> readers = readers_of(product);
  Group all = writer;
  std::set<const Instruction*> pieces;
  double before = 0;
  for (const int reader : readers) {
    const Group& group = groups_[reader];
    if (!group.is_kernel() || group.form.kind->own || group.form.kind->may_be_parts) return false;
    const std::set<const Instruction*>& computed = group.values.context.computed;
    for (const Instruction* value : computed) {
      const bool is_simple = value->opcode != Opcode::kWhile && value->opcode != Opcode::kConditional &&
                             value->opcode != Opcode::kParameter && level_.updates_in_place.count(value) == 0;
      if (!is_simple) return false;
      if (reduces_pieces(*value, *extents)) pieces.insert(value);
    }
    all.values.context.computed.insert(computed.begin(), computed.end());
    const std::optional<double> alone = predicted(reader);
    if (!alone) return false;
    before += *alone;
  }
  const std::optional<double> alone = predicted(product);
  if (pieces.empty() || !alone) return false;
  before += *alone;
  // What else they reduce, squares of what is multiplied, say, has a kernel of its own where the product reads it.
  const std::set<const Instruction*> apart = other_sums(all, *dots[0], pieces);
  for (const Instruction* sum : apart) all.values.context.computed.erase(sum);
  // What readers do with the pieces' results: the product's own nobody needs any more.
  std::set<const Instruction*> needed;
  std::map<int, Group> rests;
  for (const int reader : readers) {
    Group group = groups_[reader];
    std::vector<const Instruction*> others;
    for (const Instruction* output : group.values.outputs) {
      if (!pieces.contains(output)) {
        if (!apart.contains(output)) others.push_back(output);
        continue;
      }
      const auto unit = unit_of_array_.find(output);
      std::set<int> of_output = unit == unit_of_array_.end() ? std::set<int>() : consumer_groups(*unit->second);
      std::erase_if(of_output, [&](int other) { return readers.contains(other); });
      if (escaping_.contains(output) || !of_output.empty()) needed.insert(output);
    }
    for (const Instruction* piece : pieces) group.values.context.computed.erase(piece);
    for (const Instruction* sum : apart) group.values.context.computed.erase(sum);
    if (others.empty()) continue;
    Group rest = part_of(group, others, nullptr);
    for (const Instruction* value : rest.values.context.computed) {
      for (const Instruction* operand : operands_[value]) {
        if (pieces.contains(operand)) needed.insert(operand);
        if (llvm::is_contained(writer.values.outputs, operand)) return false;
      }
    }
    rests.emplace(reader, std::move(rest));
  }
  const bool unread = std::ranges::all_of(writer.values.outputs, [&](const Instruction* output) {
    const auto unit = unit_of_array_.find(output);
    if (unit == unit_of_array_.end() || escaping_.contains(output)) return false;
    return std::ranges::all_of(consumer_groups(*unit->second), [&](int other) {
      return readers.contains(other) || groups_[other].values.context.computed.contains(unit->second->instruction);
    });
  });
  if (!unread) return false;
  const auto place = [](const Instruction* value) { return value->position(); };
  std::vector<const Instruction*> outputs(needed.begin(), needed.end());
  std::ranges::sort(outputs, {}, place);
  Group reducing = part_of(all, outputs, nullptr);
  reducing.form = writer.form;
  Group sums;
  if (!apart.empty()) {
    for (const Instruction* sum : apart) all.values.context.computed.insert(sum);
    std::vector<const Instruction*> stored(apart.begin(), apart.end());
    std::ranges::sort(stored, {}, place);
    sums = part_of(all, stored, nullptr);
  }
  if (reads_what_waits(reducing, product, readers, apart) || reads_what_waits(sums, product, readers, {})) return false;
  const std::optional<Trial> told = tried(reducing, kMaxNodes);
  if (!told || !told->cost) return false;
  double after = predicted_us(*told->cost, *gpu_);
  std::map<int, Group> made;
  if (!apart.empty()) {
    std::optional<Piece> piece = piece_of(std::move(sums));
    if (!piece) return false;
    after += piece->us;
    made.emplace(static_cast<int>(groups_.size()), std::move(piece->group));
    const std::vector<const Instruction*>& stored = made.rbegin()->second.values.outputs;
    needed.insert(stored.begin(), stored.end());
    outputs.insert(outputs.end(), stored.begin(), stored.end());
  }
  for (auto& [reader, rest] : rests) {
    std::optional<Piece> piece = piece_of(std::move(rest));
    if (!piece) return false;
    after += piece->us;
    made.emplace(reader, std::move(piece->group));
  }
  const double lost = is_slower(after, before) ? 0 : lost_company(product, readers);
  if (is_slower(after, before) || (lost > 0 && after >= before - lost)) {
    stays_apart(writer);
    return false;
  }
  depths_.clear();
  std::set<int> replaced = readers;
  replaced.insert(product);
  for (const int number : replaced) {
    for (const Instruction* output : groups_[number].values.outputs) {
      if (!needed.contains(output) && unit_of_array_.contains(output)) forget(output);
    }
    for (const Instruction* member : groups_[number].values.context.computed) groups_of_[member].erase(number);
    groups_[number] = Group();
  }
  made.emplace(product, std::move(reducing));
  groups_.resize(std::max(groups_.size(), static_cast<size_t>(made.rbegin()->first) + 1));
  for (auto& [number, group] : made) {
    for (const Instruction* member : group.values.context.computed) groups_of_[member].insert(number);
    for (const Instruction* output : group.values.outputs) {
      const auto unit = unit_of_array_.find(output);
      if (unit != unit_of_array_.end()) forgotten_.erase(unit->second->instruction->name);
    }
    groups_[number] = std::move(group);
    note_outputs(number);
  }
  for (const Instruction* output : outputs) {
    const Unit& unit = *unit_of_array_.at(output);
    const bool known =
        std::ranges::any_of(ledger_, [&](const LedgerEntry& entry) { return entry.value == unit.instruction->name; });
    if (!known && !escaping_.contains(output)) note(unit, "domain-mismatch", nullptr);
  }
  note_predicted(product, *told);
  return true;
}

void Grouper::reduce_results() {
  for (int number = 0; number < static_cast<int>(groups_.size()); ++number) {
    const auto is_product = [&](int group) {
      return !is_gone(group) && groups_[group].is_kernel() && groups_[group].form.kind->may_be_parts;
    };
    bool joined = is_product(number);
    if (joined && reduce_pieces(number)) continue;
    while (joined) {
      joined = false;
      for (const int reader : readers_of(number)) {
        if (is_gone(reader) || !groups_[reader].is_kernel() || !reduce_in_product(number, reader)) continue;
        joined = is_product(number);
        break;
      }
    }
  }
}

void Grouper::give_statistics() {
  if (gpu_ == nullptr) return;
  gives_statistics_ = true;
  normalise_in_products();
  const auto give_to_readers = [&] {
    depths_.clear();
    for (int number = 0; number < static_cast<int>(groups_.size()); ++number) {
      if (!is_gone(number)) give_statistics_of(number);
    }
  };
  give_to_readers();
  reduce_results();
  drop_forgotten();
  if (join_products_side_by_side()) {
    give_to_readers();
    drop_forgotten();
  }
}

}  // namespace sinter
