// The text of a network that is the same whatever its layers compute: copies of weights, products on tensor cores.
#pragma once

#include <set>
#include <string>

#include "passes/stages/network/network_form.h"

namespace sinter {

struct NetworkText {
  TensorCoreForm::Product product = TensorCoreForm::Product::k16Bits;
  int64_t per_row = 8;           // threads that copy a row of weights
  std::string element;           // "__nv_bfloat16"
  std::string mma;               // of templates/device/mma.cuh
  bool has_narrow_rows = false;  // rows of some weights are no multiples of 16 bytes
  bool has_wide_rows = true;     // of others they are
  bool has_short_tiles = false;  // the last tile of some layer has 16 terms less, or more

  std::string shared() const;
  std::string columns_of_warp() const;
  std::string copy_tile() const;
  std::string multiply() const;
  std::string product_again() const;

 private:
  bool splits() const { return product == TensorCoreForm::Product::k3xTf32; }
  bool is_narrow() const { return product == TensorCoreForm::Product::k16Bits; }
  std::string products_of_sixteen() const;
};

// What the text calls its variables; parameters have other names.
const std::set<std::string>& network_names();

}  // namespace sinter
