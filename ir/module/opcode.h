// Opcodes and what one table row (op_table.h) says of each.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sinter {

enum class Opcode : uint8_t {
#define OPCODE(enumerator, hlo_name, family) k##enumerator,
#include "ir/module/opcodes.def"
#undef OPCODE
};

inline constexpr int kOpcodeCount = 0
#define OPCODE(enumerator, hlo_name, family) +1
#include "ir/module/opcodes.def"
#undef OPCODE
    ;

// What a row owes, and how the scheduler treats the op.
enum class Family : uint8_t {
  kElementwise,  // one result element from the operands' elements at the same index
  kIndexMap,     // moves elements: result element = an operand's element at a computed index
  kStructured,   // reductions, contractions, windows, sorts, solvers: has a schedule of its own
  kControl,      // parameters, constants, tuples, calls, loops, branches, ordering
  kRandom,       // random bits
  kDevice,       // other devices and the host
};

std::string_view opcode_name(Opcode opcode);
std::optional<Opcode> opcode_from_name(std::string_view name);
Family opcode_family(Opcode opcode);

}  // namespace sinter
