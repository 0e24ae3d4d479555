// Operands of a matrix product whose tiles go from device to shared memory as they are, 16 bytes a copy, or 8 or 4
// where rows are no multiples of more (templates/device/async_copy.cuh). Others go through registers, where what stands
// before the product is computed.
#pragma once

#include <optional>
#include <vector>

#include "passes/stages/products/contract.h"
#include "passes/stages/products/tensor_core_form.h"

namespace sinter {

struct TileCopy {
  const Instruction* array = nullptr;
  IndexExpr from;                 // which element, of coordinates
  std::vector<DemandTest> tests;  // zeros where one fails: beside the input of a convolution
  int64_t elements = 1;           // of a copy
  bool along_k = true;            // the elements of a copy differ in k, not in m or n
  bool strided = true;            // where it is, is a sum of multiples of coordinates, and it is never outside
};

// nullopt unless the operand is elements of one array of its type, and whole groups of them are neighbours in memory
// that begin at multiples of 16, 8 or 4 bytes and pass or fail each test together: of the longest such groups.
std::optional<TileCopy> tile_copy(const ContractOperand& operand, DType dtype);

// The same as a block of the form copies it: of an operand whose zeros are skipped, what it is elsewhere. What
// warpgroups read from shared memory beside rows in registers is to lie along k there: floats that lie across k in
// memory are copied one by one.
std::optional<TileCopy> tile_copy(const ContractDemand& demand, const TensorCoreForm& form, size_t side);

// Whether an operand's tile has rows along k in shared memory.
bool lies_along_k(const ContractDemand& demand, const TensorCoreForm& form, size_t side);

// Whether what warpgroups read from shared memory can lie as they take it, copied by so many threads.
bool can_be_read(const ContractDemand& demand, const TensorCoreForm& form, int64_t threads);

// Whether so many threads can divide the copies of a row of each operand's tile (warp_tile has the rest): rows of
// narrow copies have many.
bool can_copy(const ContractDemand& demand, const TensorCoreForm& form, int64_t threads);

// Whether whole groups of so many elements along a coordinate are neighbours in memory, each group beginning at a
// multiple of as many.
bool are_neighbours(const DemandGraph& graph, const IndexExpr& from, int coordinate, int64_t elements);

}  // namespace sinter
