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
  DType dtype = DType::kF32;       // in shared memory
  int64_t chunk = 8;               // of the products' elements, in 16 bytes
  bool padded = true;              // rows begin in other banks
  std::string to, stride, rows;    // `rows` of them at to[row * stride + element]
  std::string depth, limit;        // of a row in shared memory, and of what there is
  std::string copies_of_row;       // the constant that says how many
  std::string outer_limit, outer, inner;
  bool whole = false, full = false;  // no row is outside; rows have nothing behind the last element
  bool inner_is_k = true;
  const Expr* batch = nullptr;
  const Expr* first = nullptr;  // the first of these rows; nullptr: 0
  int64_t threads = 128;
  bool by_warp = false;  // a warp's lanes do, for themselves
  std::string place;     // a function that says where an element is in `to`, in place of `stride`
};

// Rows in shared memory of what is copied there as it is in memory: elements of the load `loaded`.
struct RowConversions {
  RowLoads rows;     // `copies_of_row`: so many groups of elements a row has, which a thread computes at once
  std::string from;  // the copy's rows, each of `depth` elements
  NodeId loaded = kNoNode;
  DType dtype = DType::kF32;  // of what is copied
  int64_t width = 8;          // elements of a group
  int64_t unroll = 4;         // groups
};

Statement convert_rows(StageWriter& w, const RowConversions& conversions);

Statement load_rows(StageWriter& w, const RowLoads& rows);

}  // namespace sinter
