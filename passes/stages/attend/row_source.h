// Rows of keys and values as they are in memory, where the products' elements are not: of fewer bits, with a scale for
// each row, or found by a table of pages. What is in memory is copied as it is, to an address that may be loaded; what
// is made of it is computed in shared memory.
#pragma once

#include <optional>
#include <set>

#include "passes/stages/products/tile_copy.h"

namespace sinter {

struct RowSource {
  DType dtype = DType::kF32;  // of what is copied
  NodeId load = kNoNode;      // that is copied
  bool computes = false;      // elements are computed of it
  double instructions = 0;    // that takes so many, of an element; roughly
  int64_t row_loads = 0;      // other loads, of what is the same for all of a row: its place, its scale
  bool is_looked_up = false;  // where a row is depends on numbers in memory: rows may be read many times
};

// The instructions between a product's operand and an array that is in memory anyway: views, conversions, arithmetic
// with numbers of rows, gathers of rows. Empty where it ends at a value that could be stored as the product takes it.
std::set<const Instruction*> way_to_rows(const Instruction* operand);

// How such rows are copied; nullopt unless all elements of a row are computed of one load of each, whose neighbours are
// neighbours in memory, and what is the same for all of the row. The row is along the operand's k, or its outer
// coordinate.
std::optional<TileCopy> row_copy(const ContractOperand& operand, bool along_k, RowSource* source);

}  // namespace sinter
