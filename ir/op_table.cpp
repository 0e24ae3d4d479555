// The op table: collects the rows of op_rows_*.h and checks that none is missing and each holds what its family
// owes.
#include "ir/op_table.h"

#include <array>

#include "ir/evaluate_ops.h"
#include "ir/op_row.h"
#include "ir/op_rows_control.h"
#include "ir/op_rows_device.h"
#include "ir/op_rows_elementwise.h"
#include "ir/op_rows_index_map.h"
#include "ir/op_rows_structured.h"

namespace sinter {
namespace {

// The rows, each with its evaluation from EVALUATED_OPCODES.
constexpr std::array<OpDef, kOpcodeCount> collect_rows() {
  std::array<OpDef, kOpcodeCount> table = {
#define OPCODE(enumerator, hlo_name, family) row<Opcode::k##enumerator>,
#include "ir/opcodes.def"
#undef OPCODE
  };
#define X(enumerator, name) table[static_cast<size_t>(Opcode::k##enumerator)].evaluate = evaluate_##name;
  EVALUATED_OPCODES(X)
#undef X
  return table;
}

constexpr std::array<OpDef, kOpcodeCount> kTable = collect_rows();

}  // namespace

const OpDef& op_def(Opcode opcode) { return kTable[static_cast<size_t>(opcode)]; }

}  // namespace sinter
