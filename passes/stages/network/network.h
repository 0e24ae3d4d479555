// A network: matrix products of many rows, one after the other.
//
//   products = dot(activations, weights)
//   activations of the next layer: made of products element by element, of the activations before, at their place, and
//   of what is reduced along a row of either (a norm, a softmax)
//
// Here it is found among the instructions of a program, and what a kernel of it demands. `network`
// (passes/graph/finish) makes one instruction of it, a fusion, which has a stage of its own (network_stage.h). It ends
// with its last product, or, where activations before are added to that or its rows are reduced, with what is made so:
// what else follows is no part of it, the stage computes it where results are stored.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "passes/demand/demand_contexts.h"
#include "passes/stages/products/contract.h"
#include "passes/stages/products/row_statistics.h"
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
// Where a network may end whose last product this is, what is tried first in front: what is made of it and of its rows,
// or of what it multiplies, if nobody else reads that; itself.
std::vector<Instruction*> ends_of_network(Instruction& product);
inline constexpr size_t kMostLayers = 32;

// A layer's matrix as it lies in memory: an array of [terms, columns], or (`turned`) of [columns, terms].
struct LayerWeights {
  const Instruction* array = nullptr;
  bool turned = false;
};
LayerWeights weights_of(const Instruction& product);

// The same of the computation of such a fusion.
std::optional<Network> network_in(const Computation& computation);

// Coordinates of a layer's products, those of vectors that have statistics: of one batch.
inline constexpr int kNetworkRow = kVectorCoordinate, kNetworkColumn = kTermCoordinate;

// What is reduced along a layer's rows, all of one value of each product, which is kept for it in shared memory: what
// reductions and the activation read, or all that is made before.
struct NetworkRows {
  const Instruction* kept = nullptr;
  // At (row, column): of the product, and of what the layer multiplies, which are parameters.
  std::unique_ptr<DemandGraph> graph;
  std::vector<NodeId> products, before;
  bool in_place = false;  // where the activation will be; else in an array of its own
  RowStatistics statistics;
  std::vector<std::vector<NodeId>> of_phases;  // nodes that are `kept`, which are parameters

  bool empty() const { return kept == nullptr; }
};

struct NetworkLayer {
  const Instruction* product = nullptr;
  const Instruction* weights = nullptr;     // an array of [terms, columns], ...
  bool turned = false;                      // ... or of [columns, terms]
  const Instruction* activation = nullptr;  // what the next layer multiplies; of the last one, the result
  int64_t terms = 1, columns = 1;
  // Of coordinates row, column: an activation; of the product, and of what the layer multiplies at the same place,
  // which are parameters. nullptr: results are products. Where rows are reduced, of what is kept, not of the product.
  std::unique_ptr<DemandGraph> graph;
  std::vector<NodeId> products, before;
  NetworkRows rows;

  // What is computed for each element, in order.
  std::vector<const DemandGraph*> graphs() const;
};

struct NetworkDemand {
  TensorCoreForm::Product product = TensorCoreForm::Product::k16Bits;
  DType dtype = DType::kF32;  // of activations and weights
  int64_t rows = 1;
  ContractOperand first;         // outer: row; k: term of the first layer
  std::optional<TileCopy> copy;  // of it; nullopt: it is computed
  std::vector<NetworkLayer> layers;
  std::vector<IndexExpr> result_index;  // of the result's element, of row and column
  bool is_of_rows = false;              // it has one for each row
  DemandContexts contexts;              // of the graphs

  int64_t columns() const { return is_of_rows ? 1 : layers.back().columns; }  // of a result
  // Of how many layers weights are turned.
  enum class Turned : uint8_t { kNone, kSome, kAll };
  Turned turned() const {
    const auto count = std::ranges::count_if(layers, &NetworkLayer::turned);
    return count == 0 ? Turned::kNone : static_cast<size_t>(count) < layers.size() ? Turned::kSome : Turned::kAll;
  }
  bool reduces_rows() const {
    return std::ranges::any_of(layers, [](const NetworkLayer& layer) { return !layer.rows.empty(); });
  }
};

// Instructions of `level`; what is none of the network's is loaded. nullopt: tensor cores do not take its types, or a
// layer is made of more than its own products.
std::optional<NetworkDemand> demand_network(const Network& network, const Computation& level);

}  // namespace sinter
