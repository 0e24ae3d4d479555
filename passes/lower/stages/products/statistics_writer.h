// Statistics of a product's vectors (passes/stages/products/row_statistics.h), as each block makes them before it
// multiplies:
//
//   const int own_vector = thread / kVectorThreads;
//   float square_sum = 0;
//   (a thread's terms of the vector, kWidth at a time)
//   square_sum = warp_reduce(square_sum, Add());
//   if (thread % kWarp == 0) shared.inv_rms[own_vector] = rsqrtf(square_sum / 2048 + 1e-6f);
//   __syncthreads();
//
// Where several warps have a vector, each leaves what it has in shared memory, and one thread a vector combines that in
// the order of warps. Where there are fewer vectors than room for them, a test stands around; where more, a loop. Of
// products in tiles the vectors are the tile's rows (or columns): neighbours within a warp have one.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "passes/lower/stages/base/stage_writer.h"
#include "passes/stages/products/contract.h"

namespace sinter {

// What the constant kRowParts says.
inline constexpr const char* kPartsOfRow = "pieces of a row, whose statistics are combined";

// What a kernel calls them.
struct StatisticsText {
  // What is kept in shared memory.
  struct Kept {
    std::string type, name;
  };

  StatisticsThreads threads;
  int64_t width = 1;  // neighbouring terms of a thread
  // What a vector is, and the constants: vectors of a block, threads of a vector, `width`.
  std::string vector = "vector", vectors = "kVectors", of_vector = "kVectorThreads", terms = "kWidth";
  std::string own = "own_vector", each = "vector";  // which vector a thread has; the counter, where it has several
  int64_t length = 0;                               // terms of a vector, ...
  std::string limit = "kK";                         // ... which the kernel calls so
  int64_t parts = 0;                                // of a vector, where phases combine what is known of these
  int64_t columns = 0;                              // of a product's results, which it calls kN; 0: not of these
  // Who makes them; of vectors beyond the last, which threads make all the same.
  std::string made = ", which every block makes for itself: the same bits in each", outside = "";
  std::set<std::string> names = {};              // that the kernel's text declares: values have others
  std::vector<Kept> numbers = {};                // of each vector, one a number
  std::vector<std::vector<Kept>> of_warps = {};  // of each phase, one a statistic, where several warps have a vector

  bool empty() const { return numbers.empty(); }
  std::string limit_of(int64_t terms) const { return terms == parts ? "kRowParts" : limit; }
  std::string members() const;  // of struct Shared
};

// The arrays of `text`, none of which is called like one of `arrays`.
void name_statistics(const RowStatistics& statistics, const std::set<std::string>& arrays, StatisticsText* text);

// Of a product in tiles of m x n results: of its rows or columns, whose number in a tile the constant `side` is.
StatisticsText statistics_of_tile(const ContractDemand& demand, const StatisticsThreads& threads,
                                  const std::string& side, const std::string& of_vector,
                                  const std::set<std::string>& names);

// The same of rows of the results of a tile of m rows, which are as long as `limit`.
StatisticsText statistics_of_results(const ContractDemand& demand, int64_t m, int64_t block, const std::string& limit,
                                     const std::set<std::string>& names);

// Of rows of a product's results: which elements of theirs terms are computed from, by phase, and where these lie.
struct ProductTerms {
  const std::vector<std::vector<NodeId>>& nodes;
  const Instruction* product = nullptr;
  DType sum = DType::kF32;                                           // as it is summed
  std::function<const Expr*(const Expr* vector, const Expr* k)> at;  // a reference to the sum
  std::function<const Expr*(const Expr* sum, Expressions* expressions)> rounded;
};

// Where a thread is.
struct StatisticsPlace {
  const Variable* batch = nullptr;  // nullptr where there is one
  // Of a thread that has one vector: which of the block's, and which of the threads that share it; nullptr: by
  // `thread`.
  const Expr* vector = nullptr;
  const Expr* lane = nullptr;
  // The operand's vector that one of the block's is; empty: the same.
  std::function<const Expr*(const Expr* vector, Block* block)> at = {};
  std::map<int, const Expr*> coordinates = {};  // others
  const ProductTerms* products = nullptr;
};
void add_statistics(StageWriter* writer, const RowStatistics& statistics, const StatisticsText& text,
                    const StatisticsPlace& place, Block* body);

// The numbers of the block's `vector` that a graph reads.
void read_numbers(Kernel* kernel, const RowStatistics& statistics, const StatisticsText& text,
                  const std::vector<RowStatistics::Read>& reads, const Expr* vector, Expressions* expressions);

}  // namespace sinter
