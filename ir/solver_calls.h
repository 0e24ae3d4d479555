// The custom calls with which JAX asks a library for linear algebra on one device: LAPACK's names on CPUs, those of
// cuSOLVER and cuSPARSE on GPUs. They mean the same under either name; matrices are those of HLO (row i, column j),
// whatever their layout.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/module.h"

namespace sinter {

struct SolverCall {
  enum class Kind : uint8_t {
    kCholesky,         // potrf   (a) -> (factor, info)
    kLu,               // getrf   (a) -> (l and u, pivots from 1, info)
    kQr,               // geqrf   (a) -> (r and reflectors, scales)
    kHouseholder,      // orgqr   (reflectors, scales) -> q
    kTriangularSolve,  // trsm    (a, b) -> x
    kSymmetricEigen,   // syevd   (a) -> (vectors, values, info)
    kSingularValues,   // gesdd   (a) -> (a, values, u, v, info); v is transposed in some
    kTridiagonal,      // gtsv    (lower, diagonal, upper, b) -> (lower, diagonal, upper, x, info), or x alone
    kPivotsToPermutation,  // cu_lu_pivots_to_permutation   (pivots from 0) -> permutation
  };
  Kind kind = Kind::kCholesky;
  bool lower = true;  // which triangle is read
  // Of a triangular solve.
  bool left = true, unit_diagonal = false, transposed = false, conjugated = false;
  // Of singular values.
  bool wants_vectors = true, gives_transposed_v = true;
};

// nullopt: another custom call, or operands and results that such a call does not have.
std::optional<SolverCall> solver_call(const Instruction& instruction);

}  // namespace sinter
