// The op table: collects the rows of op_rows_*.h and checks that none is missing and each holds what its family
// owes.
#include "ir/op_table.h"

#include <array>

#include "ir/op_row.h"
#include "ir/op_rows_control.h"
#include "ir/op_rows_device.h"
#include "ir/op_rows_elementwise.h"
#include "ir/op_rows_index_map.h"
#include "ir/op_rows_structured.h"

namespace sinter {
namespace {

constexpr std::array<OpDef, kOpcodeCount> kTable = {
#define OPCODE(enumerator, hlo_name, family) row<Opcode::k##enumerator>,
#include "ir/opcodes.def"
#undef OPCODE
};

}  // namespace

const OpDef& op_def(Opcode opcode) { return kTable[static_cast<size_t>(opcode)]; }

}  // namespace sinter
