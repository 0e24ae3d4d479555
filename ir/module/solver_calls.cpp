#include "ir/module/solver_calls.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace sinter {
namespace {

using Kind = SolverCall::Kind;

struct Target {
  std::string_view name;  // what follows lapack_s, cusolver_, ...
  Kind kind;
  size_t operands;
  size_t results;
  bool gives_transposed_v = true;
  bool may_wait = false;  // the library's routine waits for the device, as far as known
};

constexpr std::array kTargets = {
    Target{"potrf", Kind::kCholesky, 1, 2},
    Target{"getrf", Kind::kLu, 1, 3},
    Target{"geqrf", Kind::kQr, 1, 2},
    Target{"orgqr", Kind::kHouseholder, 2, 1},
    Target{"ungqr", Kind::kHouseholder, 2, 1},
    Target{"trsm", Kind::kTriangularSolve, 2, 1},
    Target{"syevd", Kind::kSymmetricEigen, 1, 3, true, true},
    Target{"heevd", Kind::kSymmetricEigen, 1, 3, true, true},
    Target{"gesdd", Kind::kSingularValues, 1, 5, true, true},
    Target{"gesvdj", Kind::kSingularValues, 1, 5, false, true},
    Target{"gtsv", Kind::kTridiagonal, 4, 5},
    Target{"gtsv2", Kind::kTridiagonal, 4, 1},
};

// The options of a sinter_ call, as its backend_config names them.
constexpr std::array<std::pair<std::string_view, bool SolverCall::*>, 6> kOptions = {{
    {"lower", &SolverCall::lower},
    {"left", &SolverCall::left},
    {"unit_diagonal", &SolverCall::unit_diagonal},
    {"transposed", &SolverCall::transposed},
    {"conjugated", &SolverCall::conjugated},
    {"wants_vectors", &SolverCall::wants_vectors},
}};

bool remove_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// `key = true`, or `key = 76 : ui8` (a character of LAPACK's interface), of the backend_config; 0 where it is absent.
int option(std::string_view config, std::string_view key) {
  for (size_t at = config.find(key); at != std::string_view::npos; at = config.find(key, at + 1)) {
    const bool is_whole = at == 0 || config[at - 1] == ' ' || config[at - 1] == '{' || config[at - 1] == ',';
    std::string_view rest = config.substr(at + key.size());
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (!is_whole || !remove_prefix(rest, "=")) continue;
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (rest.starts_with("true")) return 1;
    int value = 0;
    for (; !rest.empty() && rest[0] >= '0' && rest[0] <= '9' && value < 1000; rest.remove_prefix(1)) {
      value = value * 10 + (rest[0] - '0');
    }
    return value;
  }
  return 0;
}

bool is_matrix_type(DType dtype) {
  return dtype == DType::kF32 || dtype == DType::kF64 || dtype == DType::kC64 || dtype == DType::kC128;
}

// The operands and results have the ranks that the kind has, matrices of one element type.
bool has_form(const Instruction& instruction, const SolverCall& call) {
  const Shape& a = instruction.operand(0)->shape;
  for (const Instruction* operand : instruction.operands()) {
    if (!operand->shape.is_array() || operand->shape.dtype != a.dtype) return false;
  }
  const auto result = [&](size_t i) -> const Shape& { return result_shape(instruction, i); };
  if (call.kind == Kind::kPivotsToPermutation) {
    return a.dtype == DType::kS32 && a.rank() >= 1 && result(0).dtype == DType::kS32 && result(0).rank() == a.rank();
  }
  if (!is_matrix_type(a.dtype) || !a.is_static()) return false;
  if (call.kind == Kind::kTridiagonal) {
    const Shape& b = instruction.operand(3)->shape;
    return a.rank() >= 1 && b.rank() == a.rank() + 1 && result(instruction.shape.is_tuple() ? 3 : 0).same_type(b);
  }
  if (a.rank() < 2) return false;
  const auto [rows, columns] = matrix_extents(call, a);
  switch (call.kind) {
    case Kind::kCholesky:
    case Kind::kSymmetricEigen:
      return rows == columns && result(0).same_type(a);
    case Kind::kTriangularSolve: {
      const Shape& b = instruction.operand(1)->shape;
      if (b.rank() != a.rank()) return false;
      const MatrixExtents right = matrix_extents(call, b);
      return rows == columns && result(0).same_type(b) && (call.left ? right.rows : right.columns) == columns;
    }
    case Kind::kHouseholder:
      return result(0).same_type(a) && rows >= columns && instruction.operand(1)->shape.rank() + 1 == a.rank();
    case Kind::kSingularValues:
      return result(2).rank() == a.rank() && result(3).rank() == a.rank();
    default:
      return result(0).same_type(a);
  }
}

SolverCall opcode_call(const Instruction& instruction) {
  const Attributes& attributes = instruction.attributes;
  SolverCall call;
  call.is_opcode = true;
  call.lower = attributes.lower.value_or(false);
  if (instruction.opcode == Opcode::kCholesky) return call;
  const std::string transpose = attributes.transpose_a.value_or("NO_TRANSPOSE");
  call.kind = Kind::kTriangularSolve;
  call.left = attributes.left_side.value_or(false);
  call.unit_diagonal = attributes.unit_diagonal.value_or(false);
  call.transposed = transpose != "NO_TRANSPOSE";
  call.conjugated = transpose == "ADJOINT";
  return call;
}

}  // namespace

std::string option_text(const SolverCall& call) {
  std::string text;
  for (const auto& [key, value] : kOptions) {
    if (call.*value) text += (text.empty() ? "" : ", ") + std::string(key) + " = true";
  }
  return "{" + text + "}";
}

std::string_view lapack_name(SolverCall::Kind kind) {
  return std::find_if(kTargets.begin(), kTargets.end(), [&](const Target& t) { return t.kind == kind; })->name;
}

bool may_wait(SolverCall::Kind kind) {
  return std::any_of(kTargets.begin(), kTargets.end(), [&](const Target& t) { return t.kind == kind && t.may_wait; });
}

const Shape& result_shape(const Instruction& instruction, size_t i) {
  return instruction.shape.is_tuple() ? instruction.shape.elements[i] : instruction.shape;
}

MatrixExtents matrix_extents(const SolverCall& call, const Shape& shape) {
  const MatrixExtents extents = {shape.dims[shape.dims.size() - 2], shape.dims.back()};
  return call.column_major ? MatrixExtents{extents.columns, extents.rows} : extents;
}

int64_t batch_count(const SolverCall& call, const Instruction& instruction) {
  const Shape& first = instruction.operand(0)->shape;
  const bool vectors = call.kind == Kind::kPivotsToPermutation || call.kind == Kind::kTridiagonal;
  int64_t count = 1;
  for (int64_t d = 0; d < first.rank() - (vectors ? 1 : 2); ++d) count *= first.dims[static_cast<size_t>(d)];
  return count;
}

std::optional<SolverCall> solver_call(const Instruction& instruction) {
  if (instruction.opcode == Opcode::kCholesky || instruction.opcode == Opcode::kTriangularSolve) {
    const SolverCall call = opcode_call(instruction);
    return has_form(instruction, call) ? std::optional(call) : std::nullopt;
  }
  if (instruction.opcode != Opcode::kCustomCall) return {};
  const std::string target = instruction.attributes->custom_call_target.value_or("");
  std::string_view name = target;
  SolverCall call;
  size_t operands = 1;
  size_t results = 1;
  if (name == "cu_lu_pivots_to_permutation") {
    call.kind = Kind::kPivotsToPermutation;
  } else {
    const bool is_lapack = remove_prefix(name, "lapack_");
    call.column_major = remove_prefix(name, "sinter_");
    if (!call.column_major) {
      if (!is_lapack && !remove_prefix(name, "cusolver_") && !remove_prefix(name, "cusparse_")) return {};
      if (is_lapack && !name.empty()) name.remove_prefix(1);  // s, d, c or z
      if (!name.ends_with("_ffi")) return {};
      name.remove_suffix(4);
    }
    const auto* known = std::find_if(kTargets.begin(), kTargets.end(), [&](const Target& t) { return t.name == name; });
    if (known == kTargets.end()) return {};
    call.kind = known->kind;
    call.gives_transposed_v = known->gives_transposed_v;
    operands = known->operands;
    results = known->results;
    const std::string& config = instruction.annotations->backend_config;
    const auto is_character = [&](std::string_view key, char value) { return option(config, key) == value; };
    if (call.column_major) {
      for (const auto& [key, value] : kOptions) call.*value = option(config, key) == 1;
    } else {
      call.lower = is_lapack ? is_character("uplo", 'L') : option(config, "lower") == 1;
      call.left = is_character("side", 'L');
      call.unit_diagonal = is_character("diag", 'U');
      call.conjugated = is_character("trans_x", 'C');
      call.transposed = call.conjugated || is_character("trans_x", 'T');
      call.wants_vectors = is_lapack ? !is_character("mode", 'N') : option(config, "compute_uv") == 1;
    }
  }
  const size_t given = instruction.shape.is_tuple() ? instruction.shape.elements.size() : 1;
  if (instruction.operands().size() != operands || given != results) return {};
  if (!has_form(instruction, call)) return {};
  return call;
}

}  // namespace sinter
