// Which instructions of two modules are one, before and after a change. Each has at most one counterpart, of which
// compare_instructions says what is different.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

class Alignment {
 public:
  const Instruction* after(const Instruction* before) const { return find(after_, before); }
  const Instruction* before(const Instruction* after) const { return find(before_, after); }
  void pair(const Instruction* before, const Instruction* after) {
    after_[before] = after;
    before_[after] = before;
  }

 private:
  using Map = std::unordered_map<const Instruction*, const Instruction*>;
  static const Instruction* find(const Map& map, const Instruction* key) {
    const auto found = map.find(key);
    return found == map.end() ? nullptr : found->second;
  }
  Map after_, before_;
};

// Counterparts are, the first that holds: what computes the same from the same parameters; what stands at the same
// place of what uses it, or uses the same, by the same operation; what stands at the same place by another operation.
Alignment align(const Module& before, const Module& after);

// The operation with its attributes, and the computations that it applies to elements; not its operands, nor its name,
// nor the bodies of loops and branches. With `numbers` its shape and every number, else only their places.
std::string operation_text(const Instruction& instruction, bool numbers);

// ", dimensions={1}, to_apply=%plus": all that the text has behind the operands, but for frontend attributes, which say
// besides that a sum takes part in an fmaf.
std::string attributes_text(const Instruction& instruction);

// Those whose instructions have counterparts of their own: bodies and conditions of loops, arms of branches, functions.
std::vector<const Computation*> bodies_of(const Instruction& instruction);

// The value of a constant is a part of it.
enum class Difference : uint8_t {
  kNone,
  kShape,      // the same operation on other extents
  kOperation,  // another operation, attribute or value
  kOperands,   // the same operation of other operands, which both modules have
};
Difference compare_instructions(const Alignment& alignment, const Instruction& before, const Instruction& after);

}  // namespace sinter
