// What every contract kernel on tensor cores says, whatever it computes: where elements of a tile are in shared memory,
// how they come from there to registers, and the loop that multiplies them. Text, with constants by name.
#pragma once

#include <set>
#include <string>

#include "passes/stages/products/column_parts.h"
#include "passes/stages/products/tensor_core_form.h"

namespace sinter {

struct TensorCoreText {
  TensorCoreForm form;
  std::string element;             // the type that tiles hold: "__nv_bfloat16"
  std::string mma;                 // the function that multiplies: "mma_bf16", "wgmma_bf16"
  ColumnParts parts;               // of a row, that a result is made of
  Tf32Operands are_tf32 = {};      // operands of f32 that need not be split in two terms of TF32
  bool along_k[2] = {true, true};  // tiles of lhs and rhs have rows along k in shared memory
  std::string tiles = "kTiles";    // how many k tiles the block multiplies
  bool is_asynchronous = true;     // copies are under way that have to be waited for

  std::string sum() const;                                 // the type of sums
  std::string shared(const std::string& more = "") const;  // struct Shared; `more` members after the tiles
  std::string places() const;                              // lhs_at, rhs_at, sum_at
  std::string load_step() const;       // the lambda that loads what one step multiplies: warps do that
  std::string load_rows() const;       // those that make a k tile ready: warpgroups with an operand in registers do
  std::string main_loop() const;       // declares `sums`
  std::string sums_to_shared() const;  // after the loop
  // Of a tile that several blocks share: a block's part to memory, and all parts to shared memory in the last block.
  std::string add_parts() const;

 private:
  // A line, `before` it the blanks, that waits until no more than so many groups of copies are `left` on their way;
  // empty where none is.
  std::string wait(const std::string& before, const char* left) const;
  std::string warpgroups_loop() const;
  std::string registers_loop() const;
  std::string terms_of_warps() const;
  std::string sums_of_warpgroups() const;
  // `lhs_at(outer, k)` or `rhs_at(k, outer)`.
  std::string place_of(size_t side, const std::string& outer, const std::string& k) const;
  // 16 rows of one step, from shared memory to the four registers that the tensor cores have them in.
  std::string rows_to_registers(size_t side, const std::string& to, const std::string& outer) const;
  std::string sum_place() const;
};

// Names that the text declares: parameters may not have them.
const std::set<std::string>& tensor_core_names();

}  // namespace sinter
