// Lines of a product's body that are the same whatever it computes, and what they read.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/kernel/kernel.h"

namespace sinter {

inline Statement text(std::string lines) { return {.kind = Statement::Kind::kText, .text = std::move(lines)}; }
// A comment, which opens a paragraph.
inline Statement note(std::string words) { return {.kind = Statement::Kind::kComment, .text = std::move(words)}; }

// `array[first][second]`
inline const Expr* array_element(Kernel* kernel, const std::string& array, const std::vector<const Expr*>& indices,
                                 DType dtype) {
  const Expr* result = kernel->name_expr(array, CType::value(dtype));
  for (const Expr* index : indices) result = kernel->subscript(result, index, CType::value(dtype));
  return result;
}

// #pragma unroll, for (int counter = 0; counter < end; ++counter)
inline Statement unrolled_loop(Kernel* kernel, const std::string& counter, const std::string& end) {
  Statement statement;
  statement.kind = Statement::Kind::kFor;
  statement.variable = kernel->variable(counter, CType::value(DType::kS32));
  statement.begin = kernel->integer(0);
  statement.value = kernel->name_expr(end);
  statement.unroll = Statement::kUnrollFully;
  return statement;
}

}  // namespace sinter
