// The op table: collects the rows of op_rows_*.h and checks that none is missing and each holds what its family
// owes.
#include "ir/ops/op_table.h"

#include <array>
#include <type_traits>

#include "ir/op_rows/op_row.h"
#include "ir/op_rows/op_rows_control.h"
#include "ir/op_rows/op_rows_device.h"
#include "ir/op_rows/op_rows_elementwise.h"
#include "ir/op_rows/op_rows_index_map.h"
#include "ir/op_rows/op_rows_structured.h"
#include "ir/ops/evaluate_ops.h"

namespace sinter {
namespace {

constexpr bool has_spelling(const CudaSpellings& cuda) {
  for (const CudaSpelling& spelling :
       {cuda.f32, cuda.f64, cuda.signed_integer, cuda.unsigned_integer, cuda.pred, cuda.complex}) {
    if (spelling.kind != CudaSpelling::Kind::kNone) return true;
  }
  return false;
}

// Whether a row gives a function. By type, not by comparison: g++ under -fsanitize=undefined takes no comparison of a
// function's address for a constant.
template <class Function, Function function>
constexpr bool given =
    !std::is_same_v<std::integral_constant<Function, function>, std::integral_constant<Function, nullptr>>;

// Whether the evaluator knows an op that is not elementwise.
constexpr bool is_evaluated(Opcode opcode) {
  switch (opcode) {
#define X(enumerator, name) case Opcode::k##enumerator:
    EVALUATED_OPCODES(X)
#undef X
    return true;
    default:
      return false;
  }
}

// What no evaluation is of: arguments, and traffic with the host, which is refused.
constexpr bool needs_no_evaluation(Opcode opcode) {
  switch (opcode) {
    case Opcode::kInfeed:
    case Opcode::kOutfeed:
    case Opcode::kParameter:
    case Opcode::kRecv:
    case Opcode::kRecvDone:
    case Opcode::kSend:
    case Opcode::kSendDone:
      return true;
    default:
      return false;
  }
}

// Does not compile where a row lacks what its family owes.
template <Opcode opcode, Family family>
consteval bool complete() {
  constexpr const OpDef& def = row<opcode>;
  constexpr bool has_infer = given<decltype(OpDef::infer), def.infer>;
  constexpr bool has_verify = given<decltype(OpDef::verify), def.verify>;
  constexpr bool has_source_index = given<decltype(OpDef::source_index), def.source_index>;
  static_assert(has_infer || has_verify, "a row needs a shape rule or a check of the stated shape");
  static_assert(!def.states_type || has_infer, "only an inferred shape can differ in its element type");
  static_assert(def.arity >= -1 && def.cost >= 0);
  if constexpr (family == Family::kElementwise) {
    static_assert(def.arity >= 1 && def.arity <= 3, "elementwise ops take one to three operands");
    // stochastic-convert is parsed and evaluated, and refused by lowering.
    static_assert(has_spelling(def.cuda) || opcode == Opcode::kStochasticConvert, "an elementwise op needs a spelling");
    static_assert(!def.commutative || def.arity == 2, "only binary ops commute");
    static_assert(given<RealFunction, def.real> || def.own_kernel, "an elementwise op needs an evaluation");
    static_assert(def.lightness != Lightness::kUnsaid, "an elementwise op says how much kernels are about it");
  } else {
    static_assert(!has_spelling(def.cuda) && !def.commutative, "only elementwise ops are spelled as expressions");
    static_assert(is_evaluated(opcode) || needs_no_evaluation(opcode), "an op needs a line in EVALUATED_OPCODES");
  }
  if constexpr (family != Family::kIndexMap) {
    static_assert(!has_source_index, "only index maps have a source index");
  } else {
    static_assert(!has_source_index || def.arity == 1, "a source index is one into the only operand");
  }
  return true;
}

#define OPCODE(enumerator, hlo_name, family) static_assert(complete<Opcode::k##enumerator, Family::k##family>());
#include "ir/module/opcodes.def"
#undef OPCODE

// The rows, each with its evaluation.
constexpr std::array<OpDef, kOpcodeCount> collect_rows() {
  std::array<OpDef, kOpcodeCount> table = {
#define OPCODE(enumerator, hlo_name, family) row<Opcode::k##enumerator>,
#include "ir/module/opcodes.def"
#undef OPCODE
  };
#define OPCODE(enumerator, hlo_name, family)     \
  if (Family::k##family == Family::kElementwise) \
    table[static_cast<size_t>(Opcode::k##enumerator)].evaluate = evaluate_elementwise;
#include "ir/module/opcodes.def"
#undef OPCODE
#define X(enumerator, name) table[static_cast<size_t>(Opcode::k##enumerator)].evaluate = evaluate_##name;
  EVALUATED_OPCODES(X)
#undef X
  return table;
}

constexpr std::array<OpDef, kOpcodeCount> kTable = collect_rows();

}  // namespace

const OpDef& op_def(Opcode opcode) { return kTable[static_cast<size_t>(opcode)]; }

}  // namespace sinter
