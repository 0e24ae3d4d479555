// What tells instructions of several modules apart, the forms of one program that are compared: those of one number are
// called the same, are the same operation, of values of these names, and so is what stands around them, as far as what
// a kernel is made of follows from. Most of a program is the same in all its forms.
#pragma once

#include <cstdint>

#include "ir/module/module.h"
#include "llvm/ADT/DenseMap.h"

namespace sinter {

class ContentIds {
 public:
  // The module stays as it is.
  explicit ContentIds(const Module& module);

  // 0: of none of the module.
  uint64_t of(const Instruction* instruction) const { return ids_.lookup(instruction); }
  // nullptr: there is none.
  const Instruction* with(uint64_t id) const { return instructions_.lookup(id); }

 private:
  llvm::DenseMap<const Instruction*, uint64_t> ids_;
  llvm::DenseMap<uint64_t, const Instruction*> instructions_;
};

}  // namespace sinter
