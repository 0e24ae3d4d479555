// The text of attention that is the same whatever is scaled and masked: products on tensor cores, softmax.
#pragma once

#include <set>
#include <string>

#include "passes/stages/attend/attend_form.h"

namespace sinter {

struct AttendText {
  TensorCoreForm::Product product = TensorCoreForm::Product::k16Bits;
  std::string element;  // "__nv_bfloat16"
  std::string mma;      // of templates/device/mma.cuh
  std::string narrow;   // a float to an element: "to_bfloat16"

  std::string shared() const;
  std::string load_queries() const;  // to registers, after the copies
  std::string products() const;      // of a tile of keys: `scores`
  std::string softmax() const;       // scores to weights
  std::string add_values() const;    // weights times values, onto `results`
  std::string results_to_shared() const;

 private:
  bool splits() const { return product == TensorCoreForm::Product::k3xTf32; }
  bool is_float() const { return product != TensorCoreForm::Product::k16Bits; }
};

// What the text calls its variables; parameters have other names.
const std::set<std::string>& attend_names();

}  // namespace sinter
