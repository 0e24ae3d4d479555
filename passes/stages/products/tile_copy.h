// Operands of a matrix product whose tiles go from device to shared memory as they are, 16 bytes a copy
// (templates/device/async_copy.cuh). Others go through registers, where what stands before the product is computed.
#pragma once

#include <optional>
#include <vector>

#include "passes/stages/products/contract.h"

namespace sinter {

inline constexpr int64_t kCopyBytes = 16;

struct TileCopy {
  const Instruction* array = nullptr;
  IndexExpr from;                 // which element, of coordinates
  std::vector<DemandTest> tests;  // zeros where one fails: beside the input of a convolution
  bool along_k = true;            // the elements of a copy differ in k, not in m or n
  bool strided = true;            // where it is, is a sum of multiples of coordinates, and it is never outside
};

// nullopt unless the operand is elements of one array of its type, and whole groups of them are neighbours in memory
// that begin at multiples of 16 bytes and pass or fail each test together.
std::optional<TileCopy> tile_copy(const ContractOperand& operand, DType dtype);

}  // namespace sinter
