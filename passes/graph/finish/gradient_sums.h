// Where a softmax's gradient sums over columns what a product over features already is: with weights P, of rows that
// sum to 1, O = dot(P, V) and dP = dot(dO, V),
//
//   sum over columns of P * dP  =  sum over features of dO * O
//
// which needs neither P nor dP.
#pragma once

#include <vector>

#include "ir/module/module.h"

namespace sinter {

// Replaces such a sum, whatever else of its row it is multiplied or divided by, if one of `products` is its O. The
// computation is left to be sorted. False: it is no such sum.
bool sum_over_features(Instruction& reduce, const std::vector<Instruction*>& products);

}  // namespace sinter
