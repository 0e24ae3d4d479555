// A network: matrix products of many rows, one after the other.
//
//   products = dot(activations, weights)
//   activations of the next layer: made of products element by element, and of the activations before, at their place
//
// Here it is found among the instructions of a program, and what a kernel of it demands. `network`
// (passes/graph/finish) makes one instruction of it, a fusion, which has a stage of its own (network_stage.h). It ends
// with its last product, or, where activations before are added to that, with the sum: what else follows is no part of
// it, the stage computes it where results are stored.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "passes/stages/products/contract.h"
#include "passes/stages/products/tensor_core_form.h"
#include "passes/stages/products/tile_copy.h"

namespace sinter {

struct Network {
  std::vector<const Instruction*> products;  // dots, first to last
  const Instruction* result = nullptr;
  // What it computes: the products, and what stands before them.
  std::set<const Instruction*> instructions;
};

// The longest that ends with this product, or what is made of it, of up to `most` products; nullopt: there are not two.
std::optional<Network> find_network(const Instruction& last, size_t most);
// What is made of the last product, and of what it multiplies, element by element, if nobody else reads that; or it.
Instruction& end_of_network(Instruction& product);
inline constexpr size_t kMostLayers = 32;

// The same of the computation of such a fusion.
std::optional<Network> network_in(const Computation& computation);

// Coordinates of a layer's products.
inline constexpr int kNetworkRow = 0, kNetworkColumn = 1;

struct NetworkLayer {
  const Instruction* product = nullptr;
  const Instruction* weights = nullptr;     // an array of [terms, columns]
  const Instruction* activation = nullptr;  // what the next layer multiplies; of the last one, the result
  int64_t terms = 1, columns = 1;
  // Of coordinates row, column: an activation; of the product, and of what the layer multiplies at the same place,
  // which are parameters. nullptr: results are products.
  std::unique_ptr<DemandGraph> graph;
  std::vector<NodeId> products, before;
};

struct NetworkDemand {
  TensorCoreForm::Product product = TensorCoreForm::Product::k16Bits;
  DType dtype = DType::kF32;  // of activations and weights
  int64_t rows = 1;
  ContractOperand first;         // outer: row; k: term of the first layer
  std::optional<TileCopy> copy;  // of it; nullopt: it is computed
  std::vector<NetworkLayer> layers;
  std::vector<IndexExpr> result_index;                   // of the element of the last product, of row and column
  std::vector<std::unique_ptr<DemandContext>> contexts;  // of the graphs

  int64_t columns() const { return layers.back().columns; }  // of a result
};

// Instructions of `level`; what is none of the network's is loaded. nullopt: tensor cores do not take its types, or a
// layer is made of more than its own products.
std::optional<NetworkDemand> demand_network(const Network& network, const Computation& level);

}  // namespace sinter
