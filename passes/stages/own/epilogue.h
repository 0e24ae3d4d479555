// What follows an operation that has a stage of its own, computed where the stage stores its elements: elementwise
// operations, and index maps that bring every element of the operation to a place of its own. An element at (row,
// column) of a transform, say, has its real and its imaginary part side by side in the signal that is made of it:
//
//   real(fft) and imag(fft), joined along a new last dimension     out[.., 2 * column], out[.., 2 * column + 1]
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/stages/domain/domain.h"

namespace sinter {

// The stores of those elements of the operation that pass all `tests`.
struct Epilogue {
  std::vector<DemandTest> tests;
  std::unique_ptr<DemandGraph> graph;  // its coordinates are `extents`, in order
  std::vector<NodeId> elements;        // the operation's element: parameters of the graph
};

struct EpilogueDemand {
  std::unique_ptr<DemandContext> context;  // of the graphs: the operation itself comes from outside
  std::vector<Epilogue> parts;
  std::unique_ptr<DemandGraph> all;  // what the kernel reads and writes: the operation's operands, and all parts
};

// A coordinate that the elements of an operation are counted by.
struct EpilogueCoordinate {
  int64_t extent = 1;
  CoordinateRole role = CoordinateRole::kElement;
};

// Where an operation reads an operand for one of its elements.
using OperandIndex = llvm::function_ref<std::vector<IndexExpr>(const Instruction& operand)>;

// The stores of the kernel's outputs, of the element `index` of `source`, expressions in `coordinates`, whose ids are
// their positions; `source`, or the operation that it is one result of, reads its operands at `operand_index`. Fails
// where an output has elements that are not made of one element of `source` each.
std::optional<EpilogueDemand> demand_epilogue(const KernelValues& kernel, const Instruction& source,
                                              const std::vector<EpilogueCoordinate>& coordinates,
                                              const std::vector<IndexExpr>& index, OperandIndex operand_index,
                                              std::optional<DemandGraph::Failure>* failure);

}  // namespace sinter
