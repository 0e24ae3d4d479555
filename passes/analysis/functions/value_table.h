// Which instructions of a computation have equal values because they do the same to equal values.
#pragma once

#include <cstddef>

#include "ir/module/module.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace sinter {

size_t hash_attributes(const Attributes& attributes);
size_t hash_literal(const Literal& literal);
// Opcode, type, attributes, constant: everything but name, origin and operands.
size_t hash_operation(const Instruction& instruction);
bool same_operation(const Instruction& a, const Instruction& b);
// The same but for frontend attributes, which say how a value is computed, not what it is.
bool same_meaning(const Instruction& a, const Instruction& b);

// True if two copies with equal operands always have the same value and may be one: false for effects, random
// numbers with hidden state, opt-barrier, parameters, loops and calls but those of per-element functions.
bool may_be_shared(const Instruction& instruction);

class ValueTable {
 public:
  // The first instruction added with an equal value, or the instruction itself. Operands must have been added or
  // declared; operands of commutative operations may stand in either order.
  Instruction* add(Instruction* instruction);
  // States that an instruction's value is that of `representative`.
  void declare(const Instruction* instruction, Instruction* representative);
  Instruction* representative(const Instruction* instruction) const { return values_.at(instruction).representative; }

 private:
  struct Value {
    Instruction* representative = nullptr;
    size_t number = 0;  // order of appearance: pointers are not ordered by address
  };
  // The numbers of the operands' representatives.
  using OperandKey = llvm::SmallVector<size_t, 4>;
  OperandKey operand_key(const Instruction& instruction) const;

  llvm::DenseMap<const Instruction*, Value> values_;
  llvm::DenseMap<size_t, Instruction*> by_hash_;
};

}  // namespace sinter
