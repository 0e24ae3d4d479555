// One precedence table decides parentheses. Beside what C++ needs there are those that g++ and clang ask for under
// -Wall -Wextra: && inside ||, sums inside shifts, sums and comparisons inside &, | and ^, ! beside a comparison.
#include "emitter/kernels/print_expr.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "emitter/text/spell_literal.h"
#include "ir/support/diagnostics.h"
#include "ir/support/is_word.h"

namespace sinter {
namespace {

constexpr int kPrimary = 16;
constexpr int kPrefix = 15;
constexpr int kMultiply = 13;
constexpr int kAdd = 12;
constexpr int kShift = 11;
constexpr int kRelation = 9;
constexpr int kEquality = 8;
constexpr int kBitAnd = 7;
constexpr int kBitXor = 6;
constexpr int kBitOr = 5;
constexpr int kLogicalAnd = 4;
constexpr int kLogicalOr = 3;
constexpr int kChoice = 2;

// Expressions are spelled recursively. Lowering names what does not fit a line, so real ones stay far below this.
constexpr int kDeepestExpression = 400;

// clang-format's ContinuationIndentWidth.
constexpr int kContinuation = 4;

int infix_precedence(const std::string& op) {
  if (op == "*" || op == "/" || op == "%") return kMultiply;
  if (op == "+" || op == "-") return kAdd;
  if (op == "<<" || op == ">>") return kShift;
  if (op == "<" || op == "<=" || op == ">" || op == ">=") return kRelation;
  if (op == "==" || op == "!=") return kEquality;
  if (op == "&") return kBitAnd;
  if (op == "^") return kBitXor;
  if (op == "|") return kBitOr;
  if (op == "&&") return kLogicalAnd;
  if (op == "||") return kLogicalOr;
  throw InternalError("print_expr", "unknown infix operator " + op);
}

bool is_bitwise(int precedence) { return precedence == kBitAnd || precedence == kBitXor || precedence == kBitOr; }

// Grouping to the right means the same, so `a && (b && c)` needs no parentheses.
bool is_associative(const std::string& op) { return op == "&&" || op == "||" || op == "&" || op == "|" || op == "^"; }

// Whether compilers want parentheses around an infix operand that C++ would group rightly without.
bool compilers_want_parentheses(int parent, int child) {
  if (parent == kLogicalOr) return child == kLogicalAnd;
  if (parent == kShift) return child == kAdd;
  if (parent == kEquality) return child == kRelation || child == kEquality;
  if (parent == kRelation) return child == kRelation;
  if (is_bitwise(parent)) return child != parent && child < kMultiply;
  return false;
}

// Of a text that came from a literal or a name: "-1.0f" and "x - 1" are not primary.
int text_precedence(const std::string& text) {
  if (text.find(" - ") != std::string::npos && text.back() != ')' && text.back() != '}') return kAdd;
  return text.front() == '-' ? kPrefix : kPrimary;
}

bool is_one_word(const std::string& type) { return std::all_of(type.begin(), type.end(), is_word); }

std::string cast_opening(const CType& type) {
  const std::string name = print_type(type);
  return (is_one_word(name) ? name : "static_cast<" + name + ">") + "(";
}

// The type stands before braces where nothing else says it; an array's is its parameter's.
std::string braces_opening(const CType& type, bool initializes) {
  return (initializes || type.kind == CType::Kind::kArray ? "" : print_type(type)) + "{";
}

int width_of(const std::string& text) { return static_cast<int>(text.size()); }

// The column after the last character of a text that began at `column`.
int end_column(const std::string& text, int column) {
  const size_t newline = text.rfind('\n');
  return newline == std::string::npos ? column + width_of(text) : width_of(text) - static_cast<int>(newline) - 1;
}

// One operand of a chain of operators, `a + b - c`, and the operator before it (empty before the first).
struct ChainLink {
  std::string op;
  const Expr* parent = nullptr;
  size_t index = 0;
};

// The operands that stand side by side without parentheses, in the order of the text.
std::vector<ChainLink> operator_chain(const Expr& expr) {
  const int precedence = infix_precedence(expr.text);
  std::vector<ChainLink> chain;
  // What is still to be written, last first.
  std::vector<ChainLink> pending = {{"", &expr, 1}, {"", &expr, 0}};
  pending[0].op = expr.text;
  while (!pending.empty()) {
    const ChainLink link = pending.back();
    pending.pop_back();
    const Expr& operand = *link.parent->operands[link.index];
    bool joins = operand.kind == Expr::Kind::kInfix && infix_precedence(operand.text) == precedence &&
                 !compilers_want_parentheses(precedence, precedence);
    if (link.index == 1) joins = joins && operand.text == link.op && is_associative(operand.text);
    if (joins) {
      pending.push_back({operand.text, &operand, 1});
      pending.push_back({link.op, &operand, 0});
    } else {
      chain.push_back(link);
    }
  }
  return chain;
}

std::string new_line(int column) { return "\n" + std::string(column, ' '); }

}  // namespace

std::string print_type(const CType& type) {
  const std::string element(dtype_cuda_name(type.dtype));
  switch (type.kind) {
    case CType::Kind::kValue:
    case CType::Kind::kArray:
      return element;
    case CType::Kind::kPointer:
      return element + "*";
    case CType::Kind::kConstPointer:
      return "const " + element + "*";
    case CType::Kind::kVector:
      return "Vector<" + element + ", " + type.extent.value_or(std::to_string(type.length)) + ">";
    case CType::Kind::kNamed:
      return *type.name;
    case CType::Kind::kVoid:
      return "void";
  }
  throw InternalError("print_type", "unknown kind of type");
}

std::string print_declaration(const Variable& variable) {
  std::string text = print_type(variable.type) + " " + variable.name;
  const CType& type = variable.type;
  if (type.kind == CType::Kind::kArray || (type.kind == CType::Kind::kNamed && type.length > 0))
    text += "[" + type.extent.value_or(std::to_string(type.length)) + "]";
  return text;
}

std::string print_parameter(const Variable& variable, bool allow_restrict) {
  const CType::Kind kind = variable.type.kind;
  const bool pointer = kind == CType::Kind::kPointer || kind == CType::Kind::kConstPointer;
  if (!pointer || !allow_restrict || !variable.type.is_restrict) return print_declaration(variable);
  return print_type(variable.type) + " __restrict__ " + variable.name;
}

// ---- on one line ----

bool ExprPrinter::needs_parentheses(const Expr& parent, size_t index, const std::string& text, int child) const {
  switch (parent.kind) {
    case Expr::Kind::kInfix: {
      const Expr& operand = *parent.operands[index];
      const int own = infix_precedence(parent.text);
      if (operand.kind == Expr::Kind::kPrefix && operand.text == "!" && index == 0) {
        return own == kRelation || own == kEquality || is_bitwise(own);
      }
      if (child < own || compilers_want_parentheses(own, child)) return true;
      if (child > own || index == 0) return false;
      return !(operand.kind == Expr::Kind::kInfix && operand.text == parent.text && is_associative(parent.text));
    }
    case Expr::Kind::kPrefix:
      // `- -x` would read as `--x`.
      return child < kPrefix || (child == kPrefix && text.front() == parent.text.front());
    case Expr::Kind::kConditional: {
      // In the last arm they are not needed; clang-format would break the line there.
      if (child == kChoice) return true;
      if (index > 0) return false;
      // A sum or mask as a condition looks like a slip.
      return (is_bitwise(child) || child == kAdd || child == kMultiply || child == kShift);
    }
    case Expr::Kind::kSubscript:
      return index == 0 && child < kPrimary;
    case Expr::Kind::kMember:
      return child < kPrimary;
    default:
      return false;
  }
}

namespace {

bool wide_integer(const Expr& expr) {
  return expr.kind == Expr::Kind::kLiteral && is_integer(expr.type.dtype) && dtype_bits(expr.type.dtype) == 64;
}

}  // namespace

// 64-bit integers beside an operand of their type need not state it; `LL` would, but as another type than int64_t.
ExprPrinter::Text ExprPrinter::wide_operand(const Expr& parent, size_t index) {
  const Expr& operand = *parent.operands[index];
  const bool shifted = index == 0 && (parent.text == "<<" || parent.text == ">>");
  const int64_t value = operand.literal.integer_at(0);
  const bool small = value >= 0 && value <= INT32_MAX;
  const Expr::Kind other = parent.operands[1 - index]->kind;
  if (shifted || !small || other == Expr::Kind::kLiteral || other == Expr::Kind::kInteger) {
    return print(operand, Place::kArgument, 0);
  }
  return {std::to_string(value) + (dtype_class(operand.type.dtype) == DTypeClass::kUnsigned ? "u" : ""), kPrimary};
}

std::string ExprPrinter::print_operand(const Expr& parent, size_t index, int depth) {
  const Expr& operand = *parent.operands[index];
  // The arms of a conditional decide its type, as arguments decide a template's.
  const bool typed = parent.kind == Expr::Kind::kConditional && index > 0;
  const Text text = wide_integer(operand) && parent.kind == Expr::Kind::kInfix
                        ? wide_operand(parent, index)
                        : print(operand, typed ? Place::kArgument : Place::kOperand, depth + 1);
  return needs_parentheses(parent, index, text.text, text.precedence) ? "(" + text.text + ")" : text.text;
}

ExprPrinter::Text ExprPrinter::print(const Expr& expr, Place place, int depth) {
  check(depth < kDeepestExpression, "print_expr", "an expression is nested too deeply");
  switch (expr.kind) {
    case Expr::Kind::kLiteral: {
      const bool typed = place == Place::kArgument || (place == Place::kOperand && is_complex(expr.type.dtype));
      LiteralText literal = typed ? typed_literal(expr.literal) : spell_literal(expr.literal);
      headers_.insert(literal.headers.begin(), literal.headers.end());
      const int precedence = text_precedence(literal.text);
      return {std::move(literal.text), precedence};
    }
    case Expr::Kind::kInteger: {
      const bool lowest = expr.integer == INT64_MIN;
      std::string text = lowest ? std::to_string(INT64_MIN + 1) + " - 1" : std::to_string(expr.integer);
      const int precedence = text_precedence(text);
      return {std::move(text), precedence};
    }
    case Expr::Kind::kVariable:
      return {expr.variable->name, kPrimary};
    case Expr::Kind::kName:
      // A name that is an expression (`kColumns / kWidth`) is put in parentheses wherever it is an operand.
      return {expr.text, expr.text.find(' ') == std::string::npos ? text_precedence(expr.text) : 0};
    case Expr::Kind::kPrefix:
      return {expr.text + print_operand(expr, 0, depth), kPrefix};
    case Expr::Kind::kInfix: {
      const int precedence = infix_precedence(expr.text);
      return {print_operand(expr, 0, depth) + " " + expr.text + " " + print_operand(expr, 1, depth), precedence};
    }
    case Expr::Kind::kConditional:
      return {
          print_operand(expr, 0, depth) + " ? " + print_operand(expr, 1, depth) + " : " + print_operand(expr, 2, depth),
          kChoice};
    case Expr::Kind::kCall:
    case Expr::Kind::kBraces: {
      const bool call = expr.kind == Expr::Kind::kCall;
      std::string text = expr.text + "(";
      if (!call) text = braces_opening(expr.type, place == Place::kInitializer);
      bool first = true;
      for (const Expr* operand : expr.operands) {
        if (!first) text += ", ";
        first = false;
        text += print(*operand, call ? Place::kArgument : Place::kInitializer, depth + 1).text;
      }
      return {text + (call ? ")" : "}"), kPrimary};
    }
    case Expr::Kind::kSubscript:
      return {print_operand(expr, 0, depth) + "[" + print_operand(expr, 1, depth) + "]", kPrimary};
    case Expr::Kind::kMember:
      return {print_operand(expr, 0, depth) + "." + expr.text, kPrimary};
    case Expr::Kind::kCast:
      return {cast_opening(expr.type) + print(*expr.operands[0], Place::kOperand, depth + 1).text + ")", kPrimary};
  }
  throw InternalError("print_expr", "unknown kind of expression");
}

std::string ExprPrinter::flat(const Expr& expr) { return print(expr, Place::kOperand, 0).text; }

std::string ExprPrinter::flat_initializer(const Expr& expr) { return print(expr, Place::kInitializer, 0).text; }

// ---- over several lines ----

std::string ExprPrinter::layout(const Expr& expr, int column, int trailing) {
  return break_lines(expr, column, trailing, Place::kOperand, 0, 0);
}

std::string ExprPrinter::layout_initializer(const Expr& expr, int column, int trailing) {
  return break_lines(expr, column, trailing, Place::kInitializer, 0, 0);
}

std::string ExprPrinter::break_operand(const Expr& parent, size_t index, int column, int trailing, int depth,
                                       int hanging) {
  const Expr& operand = *parent.operands[index];
  if (wide_integer(operand)) return print_operand(parent, index, depth);
  const bool typed = parent.kind == Expr::Kind::kConditional && index > 0;
  const Place place = typed ? Place::kArgument : Place::kOperand;
  const Text text = print(operand, place, depth + 1);
  if (!needs_parentheses(parent, index, text.text, text.precedence)) {
    if (parent.kind == Expr::Kind::kInfix || parent.kind == Expr::Kind::kConditional) hanging += kContinuation;
    if (parent.kind == Expr::Kind::kConditional && index == 0) hanging += kContinuation;
    return break_lines(operand, column, trailing, place, depth + 1, hanging);
  }
  return "(" + break_lines(operand, column + 1, trailing + 1, place, depth + 1, 0) + ")";
}

// Items after an opening text: as many on a line as fit, continued under the first one.
std::string ExprPrinter::break_list(const std::vector<const Expr*>& items, const std::string& opening,
                                    const std::string& closing, int column, int trailing, Place place, int depth) {
  std::string text = opening;
  const int inner = column + width_of(opening);
  const int after = width_of(closing) + trailing;
  bool broken = false;  // the item before: nothing follows it on its last line
  for (size_t i = 0; i < items.size(); ++i) {
    const bool last = i + 1 == items.size();
    const int needed = last ? after : 1;
    const Text item = print(*items[i], place, depth + 1);
    if (i > 0) {
      const bool fits = !broken && end_column(text, column) + 2 + width_of(item.text) + needed <= kLineWidth;
      text += fits ? ", " : "," + new_line(inner);
    }
    const int here = end_column(text, column);
    broken = here + width_of(item.text) + needed > kLineWidth;
    if (!broken) {
      text += item.text;
    } else {
      text += break_lines(*items[i], here, needed, place, depth + 1, items.size() > 1 ? kContinuation : 0);
    }
  }
  return text + closing;
}

std::string ExprPrinter::break_lines(const Expr& expr, int column, int trailing, Place place, int depth, int hanging) {
  const Text flat = print(expr, place, depth);
  if (column + width_of(flat.text) + trailing <= kLineWidth) return flat.text;
  switch (expr.kind) {
    case Expr::Kind::kInfix: {
      const std::vector<ChainLink> chain = operator_chain(expr);
      const int continued = column + hanging;
      std::string text;
      bool broken = false;  // the operand before has several lines: nothing follows it on its last one
      for (size_t i = 0; i < chain.size(); ++i) {
        const ChainLink& link = chain[i];
        const int needed = i + 1 == chain.size() ? trailing : width_of(chain[i + 1].op) + 1;
        if (i == 0) {
          text = break_operand(*link.parent, link.index, column, needed, depth, hanging);
          broken = text.find('\n') != std::string::npos;
          continue;
        }
        const std::string operand = print_operand(*link.parent, link.index, depth);
        text += " " + link.op;
        const bool fits = !broken && end_column(text, column) + 1 + width_of(operand) + needed <= kLineWidth;
        broken = !fits && continued + width_of(operand) + needed > kLineWidth;
        text += fits ? " " + operand
                     : new_line(continued) + break_operand(*link.parent, link.index, continued, needed, depth, 0);
      }
      return text;
    }
    case Expr::Kind::kConditional: {
      // `condition ? a` on one line and the colon under the question mark, or else both signs on lines of their own.
      std::string text = print_operand(expr, 0, depth) + " ? " + print_operand(expr, 1, depth);
      if (column + width_of(text) <= kLineWidth) {
        const int mark = column + width_of(print_operand(expr, 0, depth)) + 1;
        return text + new_line(mark) + ": " + break_operand(expr, 2, mark + 2, trailing, depth, 0);
      }
      const int mark = column + kContinuation;
      text = break_operand(expr, 0, column, 0, depth, 0);
      text += new_line(mark) + "? " + break_operand(expr, 1, mark + 2, 0, depth, 0);
      return text + new_line(mark) + ": " + break_operand(expr, 2, mark + 2, trailing, depth, 0);
    }
    case Expr::Kind::kCall:
      return break_list(expr.operands, expr.text + "(", ")", column, trailing, Place::kArgument, depth);
    case Expr::Kind::kBraces: {
      return break_list(expr.operands, braces_opening(expr.type, place == Place::kInitializer), "}", column, trailing,
                        Place::kInitializer, depth);
    }
    case Expr::Kind::kCast:
      return break_list(expr.operands, cast_opening(expr.type), ")", column, trailing, Place::kOperand, depth);
    case Expr::Kind::kPrefix:
      return expr.text + break_operand(expr, 0, column + width_of(expr.text), trailing, depth, 0);
    case Expr::Kind::kSubscript: {
      const std::string base = break_operand(expr, 0, column, 1, depth, 0) + "[";
      return base + break_operand(expr, 1, end_column(base, column), trailing + 1, depth, 0) + "]";
    }
    case Expr::Kind::kMember:
      return break_operand(expr, 0, column, trailing + width_of(expr.text) + 1, depth, 0) + "." + expr.text;
    case Expr::Kind::kLiteral:
    case Expr::Kind::kInteger:
    case Expr::Kind::kVariable:
    case Expr::Kind::kName:
      return flat.text;
  }
  throw InternalError("print_expr", "unknown kind of expression");
}

}  // namespace sinter
