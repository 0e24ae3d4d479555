// Expressions and types of the kernel IR as C++ text.
#pragma once

#include <set>
#include <string>

#include "emitter/text/emit_text.h"
#include "ir/kernel/kernel.h"

namespace sinter {

// "float", "const float*", "Vector<float, 4>", "Shared"; arrays have no type of their own.
std::string print_type(const CType& type);
// "const float* x", "float x[8]"; with "__restrict__" where a parameter's pointer has it.
std::string print_declaration(const Variable& variable);
std::string print_parameter(const Variable& variable, bool allow_restrict);

class ExprPrinter {
 public:
  // On one line, with the parentheses that precedence and compilers' warnings ask for.
  std::string flat(const Expr& expr);
  // Starting at a column, broken where it would pass kLineWidth less what follows it (`trailing` characters).
  // Continued lines stand where clang-format (Google style, ColumnLimit 0) puts them.
  std::string layout(const Expr& expr, int column, int trailing);
  // The same for the initialiser of a variable, whose braces need no type.
  std::string flat_initializer(const Expr& expr);
  std::string layout_initializer(const Expr& expr, int column, int trailing);

  // Device helpers that the literals printed so far need.
  const std::set<std::string>& headers() const { return headers_; }

 private:
  // What surrounds an expression decides how literals and braces are written.
  enum class Place { kOperand, kArgument, kInitializer };
  struct Text {
    std::string text;
    int precedence = 0;
  };
  Text print(const Expr& expr, Place place, int depth);
  Text wide_operand(const Expr& parent, size_t index);
  std::string print_operand(const Expr& parent, size_t index, int depth);
  bool needs_parentheses(const Expr& parent, size_t index, const std::string& text, int precedence) const;
  // Continued lines of an operator chain are indented by `hanging` where it is one of several things on its level.
  std::string break_lines(const Expr& expr, int column, int trailing, Place place, int depth, int hanging);
  std::string break_operand(const Expr& parent, size_t index, int column, int trailing, int depth, int hanging);
  std::string break_list(const std::vector<const Expr*>& items, const std::string& opening, const std::string& closing,
                         int column, int trailing, Place place, int depth);

  std::set<std::string> headers_;
};

}  // namespace sinter
