// The text of a product of what a warp has in registers, weights of its rows and of a tile's columns, and of what is in
// shared memory, values of these columns.
#pragma once

#include <string>

#include "passes/stages/products/tensor_core_form.h"

namespace sinter {

struct WeightedValues {
  TensorCoreForm::Product product = TensorCoreForm::Product::k16Bits;
  std::string element;                                                          // "__nv_bfloat16"
  std::string mma;                                                              // of templates/device/mma.cuh
  std::string narrow;                                                           // a float to an element: "to_bfloat16"
  std::string weights = "scores", values = "here.values", results = "results";  // arrays
  std::string value_row = "kValueRow", value_eights = "kValueEights";           // constants
  std::string columns = "keys", made = "scores";  // what they are, and what instructions have given of them
  bool may_be_infinite = false;                   // a weight
};

std::string add_weighted_values(const WeightedValues& of);

}  // namespace sinter
