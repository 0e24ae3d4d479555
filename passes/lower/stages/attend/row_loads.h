// How rows of an operand come to shared memory, for products of products: threads copy, or compute, groups of
// neighbours.
#pragma once

#include <string>

#include "passes/lower/stages/base/stage_writer.h"
#include "passes/stages/products/tile_copy.h"

namespace sinter {

struct RowLoads {
  const ContractOperand* operand = nullptr;
  const TileCopy* copy = nullptr;  // nullptr: elements are computed
  DType dtype = DType::kF32;
  int64_t chunk = 8;             // elements of 16 bytes
  std::string to, stride, rows;  // `rows` of them at to[row * stride + element]
  std::string depth, limit;      // of a row in shared memory, and of what there is
  std::string copies_of_row;     // the constant that says how many
  std::string outer_limit, outer, inner;
  bool whole = false, full = false;  // no row is outside; rows have nothing behind the last element
  bool inner_is_k = true;
  const Expr* batch = nullptr;
  const Expr* first = nullptr;  // the first of these rows; nullptr: 0
  int64_t threads = 128;
  bool by_warp = false;  // a warp's lanes do, for themselves
  std::string place;     // a function that says where an element is in `to`, in place of `stride`
};

Statement load_rows(StageWriter& w, const RowLoads& rows);

}  // namespace sinter
