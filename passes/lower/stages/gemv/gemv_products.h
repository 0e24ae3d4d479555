// The products of a step of a skinny product: elements of the matrix, which are in registers, times vectors, which are
// in shared memory, added to the thread's sums.
#pragma once

#include <string>
#include <vector>

#include "passes/lower/stages/base/stage_writer.h"
#include "passes/lower/stages/gemv/gemv_text.h"

namespace sinter {

// Of the vectors' elements, and of sums.
struct GemvTypes {
  DType x = DType::kF32, sum = DType::kF32;
};
// `step`: its number. The graph is that of the vectors.
void add_gemv_products(StageWriter* writer, const GemvText& text, const DemandGraph& vectors, const GemvTypes& types,
                       const Expr* step, Block* body);

// ---- shared with the rest of the kernel (lower_gemv.cpp) ----

// Where row r of a thread is, across what neighbours in memory lie along.
const Expr* place_of_row(Kernel* kernel, const Expr* r);
// Where element k of a vector is in shared memory.
const Expr* place_in_vector(Kernel* kernel, const GemvText& text, const Expr* k);

}  // namespace sinter
