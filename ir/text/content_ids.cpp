#include "ir/text/content_ids.h"

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "ir/text/print.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"

namespace sinter {

namespace {

// How far around an instruction others count: operands of operands, users of users. What is asked of values outside a
// kernel is what made them, and who reads them.
constexpr int kAround = 2;

using Ids = llvm::DenseMap<const Instruction*, uint64_t>;

uint64_t mixed(uint64_t a, uint64_t b) {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15u;
  uint64_t mix = (a ^ (b + kOdd + (a << 6) + (a >> 2))) * kOdd;
  mix ^= mix >> 32;
  return mix * 0xd6e8feb86659fd93u;
}

// Without what is around it, but with all that it calls.
uint64_t own_id(const Instruction& instruction, const llvm::DenseMap<const Computation*, uint64_t>& called) {
  const std::string text =
      instruction.parent()->name + "\n" + print(instruction, {.metadata = true, .large_constants = false});
  uint64_t id = mixed(llvm::hash_value(text), instruction.parent()->root() == &instruction ? 1 : 0);
  if (instruction.opcode == Opcode::kConstant) {
    const std::span<const std::byte> bytes = instruction.literal.bytes();
    id = mixed(id, llvm::hash_value(llvm::StringRef(reinterpret_cast<const char*>(bytes.data()), bytes.size())));
  }
  for (const Computation* computation : instruction.called_computations()) id = mixed(id, called.lookup(computation));
  return id;
}

uint64_t with_neighbours(const Instruction& instruction, const Ids& ids) {
  uint64_t id = ids.lookup(&instruction);
  for (const Instruction* operand : instruction.operands()) id = mixed(id, ids.lookup(operand));
  id = mixed(id, instruction.users().size());
  for (const Instruction* user : instruction.users()) id = mixed(id, ids.lookup(user));
  return id;
}

}  // namespace

ContentIds::ContentIds(const Module& module) {
  llvm::DenseMap<const Computation*, uint64_t> called;
  for (const auto& computation : module.computations()) {  // callees first
    uint64_t whole = computation->instructions().size();
    for (const Instruction& instruction : computation->instructions()) {
      const uint64_t id = own_id(instruction, called);
      ids_[&instruction] = id;
      whole = mixed(whole, id);
    }
    called[&*computation] = whole;
  }
  for (int distance = 0; distance < kAround; ++distance) {
    Ids further;
    for (const auto& computation : module.computations()) {
      for (const Instruction& instruction : computation->instructions())
        further[&instruction] = with_neighbours(instruction, ids_);
    }
    ids_ = std::move(further);
  }
  for (const auto& [instruction, id] : ids_) instructions_[id] = instruction;
}

}  // namespace sinter
