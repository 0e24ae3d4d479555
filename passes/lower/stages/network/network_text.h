// The text of a network that is the same whatever its layers compute: copies of weights, products on tensor cores.
#pragma once

#include <set>
#include <string>

#include "passes/stages/network/network_form.h"

namespace sinter {

struct NetworkText {
  TensorCoreForm::Product product = TensorCoreForm::Product::k16Bits;
  int64_t per_row = 8;  // threads that copy a row of weights
  std::string element;  // "__nv_bfloat16"
  std::string mma;      // of templates/device/mma.cuh
  // Of weights of [terms, columns], and of [columns, terms], which are turned.
  struct Copies {
    bool has_narrow_rows = false;  // rows of some are no multiples of 16 bytes
    bool has_wide_rows = false;    // of others they are
    bool in_eights = true;         // as many rows as a multiple of 8
    bool any() const { return has_narrow_rows || has_wide_rows; }
  } straight, turned;
  bool has_short_tiles = false;  // the last tile of some layer has 16 terms less, or more
  bool keeps = false;            // f32 that rows are reduced of, apart from activations
  std::string numbers;           // members of Shared: what is reduced of rows

  std::string shared() const;
  std::string columns_of_warp() const;
  std::string copy_tile() const;
  std::string multiply() const;
  std::string product_again() const;
  bool is_mixed() const { return straight.any() && turned.any(); }

 private:
  bool splits() const { return product == TensorCoreForm::Product::k3xTf32; }
  bool is_narrow() const { return product == TensorCoreForm::Product::k16Bits; }
  std::string copies_of_rows() const;
  std::string copies_of_columns() const;
  static std::string either(const Copies& copies, const std::string& test, const std::string& wide,
                            const std::string& narrow);
  std::string products_of_sixteen() const;
};

// What the text calls its variables; parameters have other names.
const std::set<std::string>& network_names();

}  // namespace sinter
