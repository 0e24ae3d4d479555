// Comparisons, and what joins two of them, that are the same whatever is compared. C++ compilers complain of such
// tests, and a reader looks for what they exclude.
#pragma once

#include <optional>
#include <string>

#include "ir/index/index_expr.h"

namespace sinter {

// Directions are HLO's: EQ, NE, LT, LE, GT, GE.

// What a comparison of two indices comes to, if that is the same for all coordinates.
std::optional<bool> known_comparison(const std::string& direction, const IndexExpr& left, const IndexExpr& right);

// What a comparison of a truth value with a known one comes to: the value itself, or the same for both values; neither
// where it is the value's opposite.
struct OfTruth {
  bool is_value = false;
  std::optional<bool> constant;
};
OfTruth compare_truth(const std::string& direction, bool known, bool known_is_left);

// A comparison of an integer with a constant.
struct ConstantTest {
  std::string direction;
  int64_t constant = 0;
};

// Whether no integer passes both; whether each passes one of the two, at the least.
bool exclude_each_other(const ConstantTest& a, const ConstantTest& b);
bool cover_everything(const ConstantTest& a, const ConstantTest& b);

}  // namespace sinter
