// Linear algebra on one device: the opcodes cholesky and triangular-solve, and the custom calls with which JAX asks a
// library for it, by LAPACK's names on CPUs, by those of cuSOLVER and cuSPARSE on GPUs. They mean the same under either
// name; matrices are those of HLO (row i, column j), whatever their layout.
//
// `sinter_<LAPACK's name>` is what choose_solves makes of a call that goes to a library: every matrix is transposed, as
// libraries have them in memory, and the options are those of SolverCall by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ir/module/module.h"

namespace sinter {

struct SolverCall {
  enum class Kind : uint8_t {
    kCholesky,             // potrf   (a) -> (factor, info), or factor alone
    kLu,                   // getrf   (a) -> (l and u, pivots from 1, info)
    kQr,                   // geqrf   (a) -> (r and reflectors, scales)
    kHouseholder,          // orgqr   (reflectors, scales) -> q
    kTriangularSolve,      // trsm    (a, b) -> x
    kSymmetricEigen,       // syevd   (a) -> (vectors, values, info)
    kSingularValues,       // gesdd   (a) -> (a, values, u, v, info); v is transposed in some
    kTridiagonal,          // gtsv    (lower, diagonal, upper, b) -> (lower, diagonal, upper, x, info), or x alone
    kPivotsToPermutation,  // cu_lu_pivots_to_permutation   (pivots from 0) -> permutation
  };
  Kind kind = Kind::kCholesky;
  bool lower = true;  // which triangle is read
  // Of a triangular solve.
  bool left = true, unit_diagonal = false, transposed = false, conjugated = false;
  // Of singular values.
  bool wants_vectors = true, gives_transposed_v = true;
  bool is_opcode = false;     // a factor that there is not is all NaN; a library's holds anything
  bool column_major = false;  // sinter_...: matrices are transposed
};

// nullopt: another instruction, or operands and results that such a call does not have.
std::optional<SolverCall> solver_call(const Instruction& instruction);

// The backend_config of a sinter_ call with these options.
std::string option_text(const SolverCall& call);

// LAPACK's name of what a kind asks for: "potrf".
std::string_view lapack_name(SolverCall::Kind kind);

// True of a kind whose routine in cuSOLVER is thought to wait for the device: the host is not only enqueueing work.
bool may_wait(SolverCall::Kind kind);

// Rows and columns of the matrix that an array of a call ends in, as HLO has them.
struct MatrixExtents {
  int64_t rows = 0, columns = 0;
};
MatrixExtents matrix_extents(const SolverCall& call, const Shape& shape);

// How many matrices there are.
int64_t batch_count(const SolverCall& call, const Instruction& instruction);

// The shape of result i, which may be the only one.
const Shape& result_shape(const Instruction& instruction, size_t i);

}  // namespace sinter
