// Norms between products whose rows are longer than a tile, as split_norms leaves them (passes/graph/parts): the first
// product's kernel reduces the pieces of its rows beside what it stores, and each product that reads the norm combines
// these and normalises what it loads. The kernels between them go.
//
//   kernel dense {dot bias x}                        kernel dense {dot bias x piece_sums mean_of_pieces piece_squares}
//   kernel norm  {piece_sums ... normalised}     =>  kernel wide  {sum mean ... normalised wide}
//   kernel wide  {wide}
#include <algorithm>

#include "passes/analysis/shapes/matrix_product.h"
#include "passes/schedule/groups/grouper.h"
#include "passes/stages/products/contract.h"

namespace sinter {

namespace {

// What is normalised comes through registers, which takes the place of copies that no thread waits for: while a product
// is bound by what it multiplies, other blocks do in the meantime. What it is predicted to take so, it may exceed by
// this part before the launch and the pass over memory that it saves are lost.
constexpr double kNormedInLoads = 1.02;

bool is_piece(const Instruction& value) {
  return value.opcode == Opcode::kReduce && value.annotations->frontend_attributes.contains(kPieceAttribute);
}

// The last product that it is made of, where values of products are not followed further.
const Instruction* last_product(const Instruction& value) {
  std::set<const Instruction*> seen = {&value};
  std::vector<const Instruction*> open = {&value};
  const Instruction* last = nullptr;
  while (!open.empty()) {
    const Instruction* next = open.back();
    open.pop_back();
    for (const Instruction* operand : next->operands()) {
      if (!seen.insert(operand).second) continue;
      if (!is_contraction(*operand)) {
        open.push_back(operand);
      } else if (last == nullptr || operand->position() > last->position()) {
        last = operand;
      }
    }
  }
  return last;
}

}  // namespace

// What stands between pieces of a product's rows and the products that read the norm.
std::optional<Grouper::Norm> Grouper::norm_of(const std::vector<const Instruction*>& pieces) const {
  Norm norm;
  std::vector<const Instruction*> open = pieces;
  std::set<const Instruction*> seen(pieces.begin(), pieces.end());
  while (!open.empty()) {
    const Instruction* value = open.back();
    open.pop_back();
    if (escaping_.contains(value)) return std::nullopt;
    for (const Instruction* user : value->users()) {
      if (is_contraction(*user)) {
        norm.products.insert(user);
      } else if (unit_of_array_.count(user) == 0) {
        return std::nullopt;
      } else if (seen.insert(user).second) {
        norm.values.insert(user);
        open.push_back(user);
      }
    }
  }
  if (norm.products.empty()) return std::nullopt;
  return norm;
}

bool Grouper::normalise_in_products(const Instruction* dot, const std::vector<const Instruction*>& pieces) {
  const std::set<int> makers = groups_of_.lookup(dot);
  const std::optional<Norm> norm = norm_of(pieces);
  if (makers.size() != 1 || !norm) return false;
  const int product = *makers.begin();
  const auto is_product = [&](int group) {
    return groups_[group].is_kernel() && groups_[group].form.kind->may_be_parts;
  };
  // The kernels that go, and the products behind them.
  std::set<int> between, behind;
  for (const Instruction* read : norm->products) {
    for (const int group : groups_of_.lookup(read)) behind.insert(group);
  }
  const auto add_groups = [&](const Instruction* value) {
    for (const int group : groups_of_.lookup(value)) {
      if (group != product && !behind.contains(group)) between.insert(group);
    }
  };
  for (const Instruction* piece : pieces) add_groups(piece);
  for (const Instruction* value : norm->values) add_groups(value);
  if (!is_product(product) || behind.contains(product) || !std::ranges::all_of(behind, is_product)) return false;
  Group all = groups_[product];
  double before = 0;
  for (const int group : between) {
    const Group& other = groups_[group];
    if (!other.is_kernel() || other.form.kind->own || other.form.kind->may_be_parts) return false;
    const bool is_of_norm = std::ranges::all_of(other.values.outputs, [&](const Instruction* output) {
      return norm->values.contains(output) || llvm::is_contained(pieces, output);
    });
    if (!is_of_norm) return false;
    all.values.context.computed.insert(other.values.context.computed.begin(), other.values.context.computed.end());
    const std::optional<double> alone = predicted(group);
    if (!alone) return false;
    before += *alone;
  }
  const std::optional<double> alone = predicted(product);
  if (!alone) return false;
  before += *alone;

  std::map<int, Group> made;
  std::map<int, Trial> told;
  double after = 0;
  const auto add = [&](int number, Group group, double factor) {
    group.launch.reset();
    group.cost.reset();
    std::optional<Trial> trial = tried(group, kMaxNodes);
    if (!trial || !trial->cost) return false;
    after += predicted_us(*trial->cost, *gpu_) * factor;
    made.emplace(number, std::move(group));
    told.emplace(number, std::move(*trial));
    return true;
  };
  // What the products behind read of the first one's kernel.
  const std::set<const Instruction*>& of_product = groups_[product].values.context.computed;
  std::set<const Instruction*> read;
  for (const int number : behind) {
    Group group = groups_[number];
    std::set<const Instruction*>& computed = group.values.context.computed;
    for (const Instruction* value : all.values.context.computed) {
      const bool is_stored = llvm::is_contained(groups_[product].values.outputs, value);
      if (!is_stored && value != dot && !llvm::is_contained(pieces, value)) computed.insert(value);
    }
    computed = part_of(group, group.values.outputs, nullptr).values.context.computed;
    if (computed.size() > kMaxValues) return false;
    for (const Instruction* value : computed) {
      for (const Instruction* operand : operands_[value]) {
        if (!computed.contains(operand)) read.insert(operand);
      }
    }
    const std::optional<double> apart = predicted(number);
    if (!apart || !add(number, std::move(group), kNormedInLoads)) return false;
    before += *apart;
  }
  std::vector<const Instruction*> outputs;
  for (const Instruction* output : groups_[product].values.outputs) {
    const auto unit = unit_of_array_.find(output);
    bool is_read = unit == unit_of_array_.end() || escaping_.contains(output) || read.contains(output);
    if (!is_read) {
      is_read = std::ranges::any_of(consumer_groups(*unit->second), [&](int group) {
        return group != product && !between.contains(group) && !behind.contains(group);
      });
    }
    if (is_read) outputs.push_back(output);
  }
  for (const Instruction* piece : pieces) {
    if (read.contains(piece)) outputs.push_back(piece);
  }
  for (const Instruction* value : read) {
    if (of_product.contains(value) && !llvm::is_contained(outputs, value)) return false;
  }
  Group first = groups_[product];
  first.values = part_of(all, outputs, nullptr).values;
  if (first.values.context.computed.size() > kMaxValues) return false;
  std::set<int> replaced = between;
  replaced.insert(behind.begin(), behind.end());
  if (reads_what_waits(first, product, replaced, {}) || !add(product, std::move(first), 1)) return false;

  const double lost = is_slower(after, before) ? 0 : lost_company(product, between);
  if (is_slower(after, before) || (lost > 0 && after >= before - lost)) {
    stays_apart(groups_[product]);
    return false;
  }
  for (const int number : between) {
    for (const Instruction* output : groups_[number].values.outputs) {
      if (!llvm::is_contained(outputs, output)) forget(output);
    }
    become(number, Group());
  }
  for (const Instruction* output : groups_[product].values.outputs) {
    if (!llvm::is_contained(outputs, output) && unit_of_array_.count(output) > 0) forget(output);
  }
  for (auto& [number, group] : made) {
    become(number, std::move(group));
    note_predicted(number, told.at(number));
  }
  for (const Instruction* piece : pieces) {
    if (!llvm::is_contained(outputs, piece)) continue;
    const Unit& unit = *unit_of_array_.at(piece);
    const bool known =
        std::ranges::any_of(ledger_, [&](const LedgerEntry& entry) { return entry.value == unit.instruction->name; });
    if (!known) note(unit, "domain-mismatch", nullptr);
  }
  return true;
}

void Grouper::normalise_in_products() {
  std::vector<std::pair<const Instruction*, std::vector<const Instruction*>>> products;
  for (const Unit& unit : units_) {
    const Instruction* dot = is_piece(*unit.instruction) ? last_product(*unit.instruction) : nullptr;
    if (dot == nullptr) continue;
    auto known = std::ranges::find_if(products, [&](const auto& product) { return product.first == dot; });
    if (known == products.end()) known = products.insert(known, {dot, {}});
    known->second.push_back(unit.instruction);
  }
  for (const auto& [dot, pieces] : products) normalise_in_products(dot, pieces);
}

}  // namespace sinter
