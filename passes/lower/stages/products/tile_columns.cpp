// Results that are made of several columns of a product, or of one of several products (column_parts.h,
// column_partners.h): what a kernel declares for them, and which product's columns a tile has.
#include <algorithm>

#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/products/lower_contract.h"
#include "passes/lower/stages/products/tile_writer.h"
#include "passes/lower/write/write_kernel.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

}  // namespace

void TileWriter::choose_matrices_at(size_t side, const Variable* column, Expressions* expressions, Block* block) {
  if (side == 0) return;
  const std::set<const Instruction*> arrays = loaded_arrays(*demand_.operands[1].graph);
  const Expr* part =
      apart() ? w_.infix(kernel_.reference(column), "/", kernel_.name_expr("kPart")) : part_at(&w_, column);
  choose_matrices(&w_, demand_, arrays, part, expressions, block);
}

std::string TileWriter::parts_text() const {
  const std::string pairs = in_pairs() ? " A result is made of its column's sum and of that of its partner, " +
                                             std::to_string(demand_.partner) + " columns away."
                                       : "";
  if (apart()) {
    return " There are " + std::to_string(demand_.parts.count) +
           " matrices on the right, side by side, each with results of its own: a tile has columns of one." + pairs;
  }
  if (!in_parts()) return pairs;
  if (has_matrices()) {
    return " There are " + std::to_string(demand_.parts.full()) +
           " matrices on the right, and a result is made of a sum of each: columns of a tile are a run of each in "
           "turn.";
  }
  return " A result is made of " + std::to_string(demand_.parts.full()) + " sums of its row, one of each part of " +
         std::to_string(demand_.parts.size) + " columns: a tile has a run of each part in turn.";
}

void TileWriter::add_parts(int64_t run, const std::string& column_of) {
  const ColumnParts& parts = demand_.parts;
  constant("kParts", parts.count,
           has_matrices() ? "matrices; a result is made of a sum of each"
                          : "of a row of sums; a result is made of one of each");
  if (has_empty_parts()) constant("kFull", parts.full(), "of them; others are left empty");
  constant("kPart", "kN / kParts", std::to_string(parts.size));
  constant("kRun", run, "neighbours of a part, side by side in a tile");
  kernel_.assertions.push_back({"kTileN % (kRun * kParts) == 0", "a tile has all parts"});
  kernel_.declarations.push_back(
      "// The column of the sum that a part has for its result `j`.\n"
      "__device__ __forceinline__ int column_of(int part, int j) {\n"
      "  return " +
      column_of + ";\n}\n");
}

void TileWriter::add_parts_apart() {
  const std::string parts = std::to_string(demand_.parts.count);
  constant("kPart", "kN / " + parts, "columns of a matrix: " + std::to_string(demand_.parts.size));
  kernel_.assertions.push_back({"kPart % kTileN == 0", "a tile has columns of one matrix"});
}

bool TileWriter::reads_partners() const {
  return std::ranges::any_of(results_ != nullptr ? results_->products : demand_.products,
                             [](const ContractDemand::Product& product) { return product.is_partner; });
}

// Of products side by side: the statements of that which the tile's columns are of.
void TileWriter::add_results_apart(const Sums& sums, const CheckSum& check, Block* body) {
  const Expr* first = kernel_.reference(first_[1]);
  const Expr* limit = kernel_.name_expr("kPart");
  const Variable* part = w_.let("part", w_.index, w_.infix(first, "/", limit), body);
  part_column_ = w_.let("part_column", w_.index, w_.infix(first, "%", limit), body);
  for (size_t i = 0; i < demand_.results_apart.size(); ++i) {
    results_ = &demand_.results_apart[i];
    const Expr* number = kernel_.integer(static_cast<int64_t>(i));
    Statement of_part = {.kind = StatementKind::kIf,
                         .value = kernel_.infix(kernel_.reference(part), "==", number, kPred)};
    add_elements(sums, check, &of_part.body);
    body->push_back(std::move(of_part));
  }
  results_ = nullptr;
}

}  // namespace sinter
