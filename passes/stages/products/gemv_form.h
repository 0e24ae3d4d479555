// How a block computes a skinny product, a few vectors times a matrix, whose time is that of reading the matrix once:
// `contract(gemv 32x256, stages 8, split 4)` in the tree. A block has 32 outputs of all vectors, and takes 256 along k
// a step; its threads divide both, whichever of them neighbours in memory lie along. What each thread needs of the
// matrix comes to shared memory by copies that it waits for itself, eight steps under way and no barrier; where
// elements are no whole copies, by plain loads (`stages 1`). Four blocks share the sums of an output, and the last of
// them to finish adds up their parts in order.
//
// `contract(gemv 16x64, resident)`: a block's part of the matrix, all of k, lies in shared memory, and a loop of grid
// scope whose steps do not change it loads it once (passes/lower/program/keep_resident.h).
//
// The order of a sum is fixed by the form: a thread's terms in the order of k, then threads of a warp in pairs, then
// warps, then blocks, in order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "passes/analysis/shapes/skinny_product.h"
#include "passes/stages/products/contract.h"

namespace sinter {

inline constexpr int64_t kGemvThreads = 256;  // of a block that is chosen

struct GemvForm {
  int64_t n = 32, k = 256;  // outputs of a block; along k, of a step
  int64_t stages = 8;       // steps under way; 1: plain loads
  int64_t splits = 1;       // blocks that share the sums of an output
  bool resident = false;    // all of a block's matrix is in shared memory; then stages and splits are 1
  bool operator==(const GemvForm&) const = default;
};

std::string schedule_text(const GemvForm& form);
// What stands in the parentheses: `gemv 32x256, stages 8`, `split S` where that is more than 1, or `gemv 32x256,
// resident`; nullopt: no form is written so.
std::optional<GemvForm> parse_gemv_form(std::string_view text);
// That of a schedule; nullopt for a contraction in another form.
std::optional<GemvForm> gemv_form(std::string_view schedule);

// What a product is as vectors times a matrix.
struct GemvOperands {
  size_t matrix = 1;  // which operand is the matrix; the other one holds the vectors
  int64_t batch = 1, vectors = 1, outputs = 1, k = 1;
  bool along_k = true;      // neighbours of the matrix in memory differ in k, not in the output
  NodeId copied = kNoNode;  // the load, in the matrix's graph, of what copies bring; kNoNode: none can
  int64_t chunk = 1;        // elements of a copy, of 16, 8 or 4 bytes
  bool by_place = true;     // which elements are copied follows from the tile alone: they are the same in all steps

  int64_t chunk_bytes(const ContractDemand& demand) const;
  // Whether this node loads the same: in arms of a choice an element may be loaded more than once.
  bool is_copied(const DemandGraph& graph, NodeId node) const;
  DType vector_type(const ContractDemand& demand) const { return demand.dot->operand(1 - matrix)->shape.dtype; }
};
// nullopt for convolutions, complex numbers, and where neither side is of 1 to 16 vectors.
std::optional<GemvOperands> gemv_operands(const ContractDemand& demand);

// Loads beside what is copied, of elements that are neighbours along a chunk: scales of each output, say. Where blocks
// and steps are whole, a thread makes them in accesses of so many elements, up to 16 bytes.
struct PieceLoad {
  NodeId node = kNoNode;
  int64_t elements = 1;
};
std::vector<PieceLoad> piece_loads(const ContractDemand& demand, const GemvOperands& operands);

// How the threads of a block divide a step.
struct GemvThreads {
  int64_t lanes = 1;             // that are neighbours in memory, a chunk each
  int64_t rows = 1;              // chunks of a thread
  int64_t sums = 1;              // of a thread and vector
  int64_t groups = 1;            // of warps, whose sums meet in shared memory
  int64_t split_k = 1;           // along k, of a block
  int64_t panel_k = 1;           // of them, those whose vectors are in shared memory at a time
  StatisticsThreads statistics;  // whole warps, of which a vector has as many as there are for each
  int64_t shared_bytes = 0;
};
// nullopt where they cannot, or would need too many registers or too much shared memory.
std::optional<GemvThreads> gemv_threads(const ContractDemand& demand, const GemvOperands& operands,
                                        const GemvForm& form, int64_t threads);
// Some form that kGemvThreads threads can divide, whatever time it takes; nullopt: there is none.
std::optional<GemvForm> any_gemv_form(const ContractDemand& demand);

}  // namespace sinter
