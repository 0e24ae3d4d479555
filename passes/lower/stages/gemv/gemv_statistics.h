// Statistics of a skinny product's vectors (passes/stages/products/row_statistics.h), as each block makes them before
// it multiplies:
//
//   const int own_vector = thread / kVectorThreads;
//   float square_sum = 0;
//   (a thread's terms of the vector, kWidth at a time)
//   square_sum = warp_reduce(square_sum, Add());
//   if (thread % kWarp == 0) shared.inv_rms[own_vector] = rsqrtf(square_sum / 2048 + 1e-6f);
//   __syncthreads();
//
// Where several warps have a vector, each leaves what it has in shared memory, and one thread a vector combines that in
// the order of warps. Where there are fewer vectors than room for them, a test stands around; where more, a loop.
#pragma once

#include <string>
#include <vector>

#include "passes/lower/stages/base/stage_writer.h"
#include "passes/lower/stages/gemv/gemv_text.h"
#include "passes/stages/products/contract.h"

namespace sinter {

// What shared memory has of them, as GemvText::numbers and GemvText::of_warps.
std::vector<GemvText::Kept> numbers_of(const RowStatistics& statistics);
std::vector<std::vector<GemvText::Kept>> warps_of(const RowStatistics& statistics);

// `batch`: nullptr where there is one.
void add_gemv_statistics(StageWriter* writer, const ContractDemand& demand, const GemvText& text, const Variable* batch,
                         Block* body);

// The numbers of `vector` that a graph reads.
void read_numbers(Kernel* kernel, const RowStatistics& statistics, const GemvText& text,
                  const std::vector<RowStatistics::Read>& reads, const Expr* vector, Expressions* expressions);

}  // namespace sinter
