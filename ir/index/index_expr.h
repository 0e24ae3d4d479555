// Integer index expressions: sums of coefficient * atom plus a constant, kept canonical, so that two equal
// indices compare equal and most index arithmetic of HLO (reshapes, slices, broadcasts) disappears.
//
// An atom is a coordinate of a stage or loop, a runtime value, or a floor division or modulo of another
// expression by a positive constant. Every atom knows its inclusive range; simplification uses it:
//   (6*i + j) / 6 = i and (6*i + j) % 6 = j for j in [0, 5];    (e / 6) * 6 + e % 6 = e
// The operand of a division or modulo is never negative where its range has a lower bound, so C++'s / and % do.
//
// Expressions are copied, compared and added millions of times in a long program: most have no more than two terms,
// which stand in the expression itself, and atoms are made once (index_atom.cpp), so that a term is two words.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace sinter {

struct IndexRange {
  int64_t low = 0;
  int64_t high = 0;  // inclusive
  bool operator==(const IndexRange&) const = default;
};

class IndexExpr {
 public:
  enum class AtomKind : uint8_t { kCoordinate, kValue, kFloorDiv, kMod };
  struct Atom;
  struct Term {
    int64_t coefficient = 0;
    const Atom* atom = nullptr;  // lives as long as the process
  };

  IndexExpr() = default;                                // 0
  IndexExpr(int64_t constant) : constant_(constant) {}  // NOLINT: integers are index expressions
  // A coordinate or runtime value; `id` identifies it, the range must be the same wherever the id is used.
  static IndexExpr coordinate(int id, IndexRange range);
  static IndexExpr value(int id, IndexRange range);

  bool is_constant() const { return terms_.empty(); }
  int64_t constant() const { return constant_; }
  // Sorted by atom (kind, id, then structure); no zero coefficients, no equal atoms.
  llvm::ArrayRef<Term> terms() const { return terms_; }
  IndexRange range() const;

  IndexExpr operator+(const IndexExpr& other) const;
  IndexExpr operator-(const IndexExpr& other) const;
  IndexExpr operator*(int64_t factor) const;
  // Toward minus infinity; divisor > 0. floor_mod is in [0, divisor).
  IndexExpr floor_div(int64_t divisor) const;
  IndexExpr floor_mod(int64_t divisor) const;

  bool operator==(const IndexExpr& other) const;
  bool operator<(const IndexExpr& other) const { return compare(other) < 0; }
  size_t hash() const;

  // Replaces coordinates and values (inside divisions too) and simplifies again. The function returns nullopt to
  // keep an atom. Only kCoordinate and kValue atoms are offered.
  IndexExpr substitute(llvm::function_ref<std::optional<IndexExpr>(const Atom&)> replacement) const;
  // Calls `visit` for every coordinate and value atom, inside divisions too.
  void visit_leaves(llvm::function_ref<void(const Atom&)> visit) const;
  // Whether a coordinate is among these.
  bool reads_coordinate(int id) const;

  // Coefficient of a coordinate among the top-level terms (0 if absent).
  int64_t coefficient_of_coordinate(int id) const;

  // "32*c0 + c1 / 4 + v2 - 1", coordinates as c<id> and values as v<id>: for tests and dumps.
  std::string to_string() const;

 private:
  friend struct IndexAlgebra;  // index_expr.cpp
  int compare(const IndexExpr& other) const;
  llvm::SmallVector<Term, 2> terms_;
  int64_t constant_ = 0;
};

struct IndexExpr::Atom {
  AtomKind kind = AtomKind::kCoordinate;
  int id = 0;  // of a coordinate or value
  IndexRange range;
  IndexExpr operand;  // of a division or modulo
  int64_t divisor = 1;

  // For the algebra. `flat` is written without modulo at its top level: the operand of a division, the value of a
  // modulo. The fingerprint identifies the atom: equal fingerprints are equal atoms.
  IndexExpr flat;
  std::array<uint64_t, 2> fingerprint = {};
  int depth = 0;  // divisions inside one another
  int cost = 0;   // divisions and modulos in it
};

// Row-major linear index of a multi-index, and back.
IndexExpr linearize(const std::vector<IndexExpr>& index, const std::vector<int64_t>& dims);
std::vector<IndexExpr> delinearize(const IndexExpr& linear, const std::vector<int64_t>& dims);

}  // namespace sinter
