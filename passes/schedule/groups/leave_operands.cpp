// What a product computes of its operand on the way to its tiles is left to the kernel that makes what it is computed
// from, where both take less time so: its tiles are copies then, as many under way as there are stages. A gate times
// the state, of which a matrix makes the next one.
#include <algorithm>

#include "ir/ops/op_table.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/schedule/groups/grouper.h"
#include "passes/stages/products/tensor_core_form.h"

namespace sinter {

namespace {

// In whatever dimensions it is read; neighbours in memory are neighbours still.
bool is_turned(const Instruction& value) {
  const Instruction* moved = &value;
  while (moved->opcode == Opcode::kReshape) moved = moved->operand(0);
  return moved->opcode == Opcode::kTranspose && moved->attributes->dimensions->back() == moved->shape.rank() - 1;
}

}  // namespace

void Grouper::leave_operands() {
  for (int number = 0; number < static_cast<int>(groups_.size()); ++number) {
    const auto products = [&] {
      const bool multiplies = groups_[number].is_kernel() && groups_[number].form.kind->word == kContract;
      return multiplies ? contractions_of(groups_[number].values) : std::vector<const Instruction*>();
    };
    for (const Instruction* dot : products()) {
      for (const Instruction* operand : dot->operands()) {
        if (leave_operand(number, *array_value(operand))) break;
      }
    }
  }
  drop_forgotten();
  drop_unread();
}

bool Grouper::leave_operand(int product, const Instruction& operand) {
  const auto unit = unit_of_array_.find(&operand);
  const bool is_left = opcode_family(operand.opcode) == Family::kElementwise || is_turned(operand);
  if (unit == unit_of_array_.end() || !is_left) return false;
  const std::set<const Instruction*>& computed = groups_[product].values.context.computed;
  const bool branches = std::ranges::any_of(computed, [](const Instruction* value) {
    return value->opcode == Opcode::kWhile || value->opcode == Opcode::kConditional;
  });
  if (branches || !computed.contains(unit->second->instruction)) return false;
  return std::ranges::any_of(producers_of(product),
                             [&](int maker) { return leave_operand_to(maker, product, *unit->second); });
}

bool Grouper::leave_operand_to(int maker, int product, const Unit& operand) {
  const Group& before = groups_[maker];
  const Group& reader = groups_[product];
  const Instruction* value = operand.arrays[0];
  const bool known = llvm::is_contained(before.values.outputs, value);
  // A stage of its own stores what it makes in another order, too: heads of attention side by side.
  const bool stores = before.is_kernel() && (!before.form.kind->own || is_turned(*value));
  const bool joins = stores && before.values.outputs.size() < kMostOutputs;
  if (!joins || (is_stored(value) && !known)) return false;
  // What the product reads of the results elsewhere: slices of one that nobody else reads are stored in its place.
  std::vector<const Unit*> stored = {&operand};
  std::vector<const Instruction*> outputs;
  const auto is_needed = [&](const Instruction* output) {
    const Group rest = part_beyond(reader, reader.values.outputs, stored);
    return !is_read_only_by(*output, maker, product) || arrays_read(rest.values.context.computed).contains(output);
  };
  for (const Instruction* output : before.values.outputs) {
    if (!is_needed(output)) continue;
    std::vector<const Unit*> slices;
    for (const Instruction* user : readers_[output]) {
      if (user->opcode == Opcode::kSlice && reader.values.context.computed.contains(user))
        slices.push_back(unit_of_array_.at(user));
    }
    const size_t others = stored.size();
    stored.insert(stored.end(), slices.begin(), slices.end());
    if (slices.empty() || is_needed(output)) {
      stored.resize(others);
      outputs.push_back(output);
    }
  }
  Group rest = part_beyond(reader, reader.values.outputs, stored);
  rest.form = reader.form;
  const auto is_read = [&](const Unit* unit) {
    const auto of_unit = [&](const Instruction* array) {
      return arrays_read(rest.values.context.computed).contains(array);
    };
    return std::ranges::any_of(unit->arrays, of_unit);
  };
  std::erase_if(stored, [&](const Unit* unit) { return !is_read(unit); });
  for (const Unit* unit : stored) {
    const bool twice = is_stored(unit->arrays[0]) && !llvm::is_contained(before.values.outputs, unit->arrays[0]);
    if (twice || rest.values.context.computed.contains(unit->instruction)) return false;
    if (!llvm::is_contained(outputs, unit->arrays[0])) outputs.push_back(unit->arrays[0]);
  }
  if (outputs.size() > kMostOutputs || stored.empty()) return false;
  // The maker's kernel with what the product does not compute any more.
  Group both = before;
  both.values.context.computed.insert(reader.values.context.computed.begin(), reader.values.context.computed.end());
  Group first = part_of(both, outputs, nullptr);
  first.form = before.form;
  first.runner = before.runner;
  first.full = before.full;
  if (!is_simple(first) || reads_what_waits(first, maker, {}, {})) return false;
  const std::optional<Trial> of_first = tried(first, kMaxNodes), of_rest = tried(rest, kMaxNodes);
  const std::optional<double> product_us = predicted(product);
  if (!of_first || !of_rest || !of_rest->cost || !product_us) return false;
  double before_us = *product_us, us = predicted_us(*of_rest->cost, *gpu_);
  if (before.form.kind->own) {
    // It takes as long to store the same elements in another order.
    if (outputs.size() != before.values.outputs.size()) return false;
  } else {
    const std::optional<double> maker_us = predicted(maker);
    if (!of_first->cost || !maker_us) return false;
    before_us += *maker_us;
    us += predicted_us(*of_first->cost, *gpu_);
  }
  if (!is_slower(before_us, us)) return false;
  for (const Instruction* output : before.values.outputs) {
    if (!llvm::is_contained(outputs, output)) forget(output);
  }
  become(maker, std::move(first));
  become(product, std::move(rest));
  if (of_first->cost) note_predicted(maker, *of_first);
  note_predicted(product, *of_rest);
  for (const Unit* unit : stored) note_cut(*unit, "slower-together");
  return true;
}

}  // namespace sinter
