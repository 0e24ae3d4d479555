#include "ir/index/index_value.h"

#include "ir/index/index_algebra.h"

namespace sinter {

int64_t index_value(const IndexExpr& expr, llvm::ArrayRef<int64_t> coordinates) {
  int64_t sum = expr.constant();
  for (const IndexExpr::Term& term : expr.terms()) {
    const IndexExpr::Atom& atom = *term.atom;
    int64_t value = 0;
    switch (atom.kind) {
      case IndexExpr::AtomKind::kCoordinate:
        value = coordinates[static_cast<size_t>(atom.id)];
        break;
      case IndexExpr::AtomKind::kValue:
        break;
      case IndexExpr::AtomKind::kFloorDiv:
        value = floor_divide(index_value(atom.operand, coordinates), atom.divisor);
        break;
      case IndexExpr::AtomKind::kMod: {
        const int64_t operand = index_value(atom.operand, coordinates);
        value = operand - floor_divide(operand, atom.divisor) * atom.divisor;
        break;
      }
    }
    sum += term.coefficient * value;
  }
  return sum;
}

}  // namespace sinter
