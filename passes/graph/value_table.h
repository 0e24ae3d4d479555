// Which instructions of a computation have equal values because they do the same to equal values.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "ir/module.h"

namespace sinter {

size_t hash_attributes(const Attributes& attributes);
size_t hash_literal(const Literal& literal);
// Opcode, type, attributes, constant: everything but name, origin and operands.
size_t hash_operation(const Instruction& instruction);
bool same_operation(const Instruction& a, const Instruction& b);
// The same but for frontend attributes, which say how a value is computed, not what it is.
bool same_meaning(const Instruction& a, const Instruction& b);

class ValueTable {
 public:
  // The first instruction added with an equal value, or the instruction itself. Operands must have been added or
  // declared; operands of commutative operations may stand in either order.
  Instruction* add(Instruction* instruction);
  // States that an instruction's value is that of `representative`.
  void declare(const Instruction* instruction, Instruction* representative);
  Instruction* representative(const Instruction* instruction) const { return representatives_.at(instruction); }

 private:
  std::vector<const Instruction*> operand_key(const Instruction& instruction) const;

  std::unordered_map<const Instruction*, Instruction*> representatives_;
  std::unordered_map<const Instruction*, size_t> numbers_;  // order of appearance: pointers are not ordered by address
  std::unordered_multimap<size_t, Instruction*> by_hash_;
};

}  // namespace sinter
