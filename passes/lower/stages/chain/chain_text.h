// The text of a chain of products that is the same whatever weights are made by.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "passes/stages/chain/chain_stage.h"

namespace sinter {

// "", "_2", "_3": what tells the second of several from the first.
std::string numbered(const std::string& word, size_t number);

struct ChainText {
  const ChainDemand& chain;
  const ChainForm& form;
  std::string element;  // "__nv_bfloat16"
  std::string mma;      // of templates/device/mma.cuh, or wgmma.cuh
  std::string narrow;   // a float to an element: "to_bfloat16"

  // Constants of a tile's features are shared by tiles that have as many.
  size_t group_of(size_t tile) const;
  std::string of_tile(const std::string& constant, size_t tile) const { return numbered(constant, group_of(tile)); }
  // The constant that says how many copies a row of a tile's features takes, `elements` each.
  std::string copies_of(size_t tile, int64_t elements) const {
    return elements == form.chunk ? of_tile("kCopies", tile)
                                  : of_tile("kCopies", tile) + "_of_" + std::to_string(elements);
  }
  // The registers that have the weights of a result: the products that these are made of, where there are as many.
  std::string weights_of(size_t result) const;

  std::string shared() const;
  std::string products(size_t number) const;  // of a tile of columns: `products`, `products_2`
  // Of a warpgroup all products, and all results, of a tile (warpgroup_chain_text.cpp); where elements are in shared
  // memory.
  std::string products_of_warpgroup() const;
  std::string results_of_warpgroup() const;
  std::string places() const;
  std::string product_again() const;  // of three terms: one product, as f32 has it
  std::string add_result(size_t number) const;
  // Of a softmax: a tile's scores added to what each lane has, and what the lanes of a row have together.
  std::string add_scores() const;
  std::string join_lanes() const;
  std::string result_to_shared(size_t number) const;

  // Elements of shared memory from a row of a tile's features to the next one.
  std::string stride(size_t tile) const { return of_tile(form.by_warpgroup ? "kDepth" : "kRow", tile); }

 private:
  // exp(difference), of no more than 0.
  std::string weight_of(const std::string& difference) const {
    return splits() ? "expf(" + difference + ")" : "exp2_approx((" + difference + ") * kLog2E)";
  }
  bool splits() const { return chain.product == TensorCoreForm::Product::k3xTf32; }
};

// What the text calls its variables; parameters have other names.
const std::set<std::string>& chain_names();

}  // namespace sinter
