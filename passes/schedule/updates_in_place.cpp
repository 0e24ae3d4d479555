#include "passes/schedule/updates_in_place.h"

#include <algorithm>

namespace sinter {

std::set<const Instruction*> updates_in_place(const Instruction& loop) {
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
    const Instruction* update = root->operand(k);
    if (update->opcode != Opcode::kDynamicUpdateSlice || readers[k] != 1) continue;
    if (update->operand(0) != reader[k] || reader[k]->users().size() != 1) continue;
    const auto is_old = [&](const Instruction* operand) { return operand == reader[k]; };
    const auto is_update = [&](const Instruction* operand) { return operand == update; };
    if (std::count_if(update->operands().begin(), update->operands().end(), is_old) != 1) continue;
    if (std::count_if(root->operands().begin(), root->operands().end(), is_update) != 1) continue;
    if (update->operand(1)->shape.element_count() == 0) continue;
    result.insert(update);
  }
  return result;
}

}  // namespace sinter
