// The types of expressions. Nothing is converted unless it is written: what meets has one type, but for constants
// without a type, which take that of what they meet.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "frontend/grain/compiler.h"
#include "ir/support/nearest_word.h"

namespace sinter::grain {
namespace {

// Repairs where two types meet: the narrower one is converted.
std::string converted(const Element& element, const std::string& what) { return text(element) + "(" + what + ")"; }

}  // namespace

void Compiler::add_indices(Expr& expr, const Expr& child) {
  for (Index* index : child.indices) {
    if (std::find(expr.indices.begin(), expr.indices.end(), index) == expr.indices.end()) expr.indices.push_back(index);
  }
}

const Type& Compiler::check(Expr& expr) {
  const Deeper deeper(*this, expr.loc);
  expr.type = Type();
  expr.number.reset();
  expr.index = nullptr;
  expr.indices.clear();
  expr.callee = nullptr;
  switch (expr.kind) {
    case Expr::Kind::kNumber:
      check_number(expr);
      break;
    case Expr::Kind::kName:
      check_name(expr);
      break;
    case Expr::Kind::kPrimed:
      check_primed(expr);
      break;
    case Expr::Kind::kUnary:
      check_unary(expr);
      break;
    case Expr::Kind::kBinary:
      check_binary(expr);
      break;
    case Expr::Kind::kIf:
      check_if(expr);
      break;
    case Expr::Kind::kAccess:
      check_access(expr);
      break;
    case Expr::Kind::kField:
      check_field(expr);
      break;
    case Expr::Kind::kCall:
      check_call(expr);
      break;
    case Expr::Kind::kArray:
      check_array(expr);
      break;
    case Expr::Kind::kReduce:
      check_reduce(expr);
      break;
    case Expr::Kind::kWith:
      check_with(expr);
      break;
    case Expr::Kind::kParens:
      check(*expr.children[0]);
      expr.type = expr.children[0]->type;
      expr.number = expr.children[0]->number;
      expr.index = expr.children[0]->index;
      add_indices(expr, *expr.children[0]);
      break;
  }
  if (!expr.type.known()) throw Abandoned();
  return expr.type;
}

void Compiler::check_number(Expr& expr) {
  const std::string& digits = expr.text;
  if (digits == "true" || digits == "false") {
    expr.type = Type::of(DType::kPred);
    expr.number = Number::of_pred(digits == "true");
    return;
  }
  if (digits == "inf" || digits == "nan") {
    expr.type.element = Element::open(true);
    expr.number = Number::of_real(digits == "inf" ? std::numeric_limits<double>::infinity()
                                                  : std::numeric_limits<double>::quiet_NaN());
    return;
  }
  expr.type.element = Element::open(expr.is_float);
  if (expr.is_float) {
    expr.number = Number::of_real(std::strtod(digits.c_str(), nullptr));
    return;
  }
  const bool hex = digits.size() > 2 && (digits[1] == 'x' || digits[1] == 'X');
  uint64_t value = 0;
  const char* begin = digits.data() + (hex ? 2 : 0);
  const auto [end, error] = std::from_chars(begin, digits.data() + digits.size(), value, hex ? 16 : 10);
  if (error != std::errc() || end != digits.data() + digits.size() || value > uint64_t{INT64_MAX}) {
    fail(expr.loc, "E0601", "'" + digits + "' is no whole number of 63 bits",
         hex ? "0xff" : "write a fraction, " + digits + ".0");
  }
  expr.number = Number::of(static_cast<int64_t>(value));
}

void Compiler::check_name(Expr& expr) {
  if (Binding* known = find(expr.text)) {
    known->used = true;
    mention(*known, expr.loc);
    if (known->index != nullptr) {
      known->index->used = true;
      expr.index = known->index;
      expr.indices.push_back(known->index);
      expr.type = Type::of(DType::kS32);
      return;
    }
    expr.type = known->value.type;
    return;
  }
  if (expr.text == "pi" && names().constants.count("pi") == 0) {
    expr.type.element = Element::open(true);
    expr.number = Number::of_real(3.14159265358979323846);
    return;
  }
  FileNames& file = names();
  if (call_->dims.count(expr.text) != 0) {
    expr.type.element = Element::open(false);
    const auto value = call_->values.find(expr.text);
    expr.number = Number::of(value == call_->values.end() ? 1 : value->second);
    return;
  }
  if (const auto dim = file.dims.find(expr.text); dim != file.dims.end()) {
    expr.type.element = Element::open(false);
    const auto value = call_->values.find(dim->second);
    expr.number = Number::of(value == call_->values.end() ? 1 : value->second);
    mention_dim(expr.text, expr.loc);
    return;
  }
  if (const auto constant = file.constants.find(expr.text); constant != file.constants.end()) {
    const Expr& value = *constant->second->value;
    if (!value.type.known() || !value.number) throw Abandoned();
    expr.type = value.type;
    expr.number = value.number;
    return;
  }
  if (const auto weights = file.weights.find(expr.text); weights != file.weights.end()) {
    expr.type = weights_[weights->second].type;
    mention(expr.loc, expr.text.size(), expr.text + ": " + text(expr.type) + "\nweights from " + weights->second->path,
            source(), weights->second->loc);
    if (!expr.type.known()) throw Abandoned();
    return;
  }
  unknown_name(expr);
}

void Compiler::check_primed(Expr& expr) {
  if (Binding* known = find(expr.text + "'")) {
    known->used = true;
    mention(*known, expr.loc);
    expr.type = known->value.type;
    return;
  }
  if (call_->primes.count(expr.text) != 0) {
    std::string there;
    for (const Block* block : call_->blocks) {
      for (const auto& later : *block) {
        for (const Target& target : later->targets) {
          if (target.primed && target.name == expr.text) there = ", at " + where(target.loc);
        }
      }
    }
    if (there.empty()) throw Abandoned();  // that it is not defined at all is told of its carry
    fail(expr.loc, "E0616", expr.text + "' is defined below" + there,
         "move its line up, or read " + expr.text + ", the value before the step");
  }
  const Binding* plain_name = find(expr.text);
  fail(expr.loc, "E0615",
       expr.text + "' is the next value of a carry" +
           (plain_name != nullptr ? ", and " + expr.text + " is " + plain_name->what : ", and nothing is called so"),
       "a transpose is written with indices: y[j, i] = x[i, j]");
}

void Compiler::check_unary(Expr& expr) {
  Expr& a = *expr.children[0];
  check(a);
  add_indices(expr, a);
  expr.type = a.type;
  const Element& element = a.type.element;
  if (expr.text == "not") {
    if (!element.is_pred()) {
      fail(expr.loc, "E0753", "'not' takes pred, " + quote(a) + " is " + text(a.type),
           element.is_integer() ? "~" + quote(a) + " turns bits around" : quote(a) + " == 0");
    }
  } else if (expr.text == "~") {
    if (!element.is_integer() && !element.is_open()) {
      fail(expr.loc, "E0753", "'~' turns bits of integers around, " + quote(a) + " is " + text(a.type),
           element.is_pred() ? "not " + quote(a) : "");
    }
  } else if (!element.is_open() && !is_throughout(element, &Element::is_number)) {
    fail(expr.loc, "E0753", "'-' takes numbers, " + quote(a) + " is " + text(a.type),
         element.is_pred() ? "not " + quote(a) : "");
  }
  if (a.number) expr.number = fold_unary(expr, *a.number);
  if (expr.number) expr.type.element.is_fraction = !expr.number->is_integer;
}

// What an operation on each element of its operands is an array of. Single elements go with all.
std::vector<Formula> Compiler::lifted_dims(const Expr& expr, const std::vector<const Expr*>& operands) {
  const Expr* array = nullptr;
  for (const Expr* operand : operands) {
    if (operand->type.rank() == 0) continue;
    if (array == nullptr) {
      array = operand;
    } else if (array->type.dims != operand->type.dims) {
      fail(expr.loc, "E0712",
           quote(*array) + " is " + text(array->type) + ", " + quote(*operand) + " is " + text(operand->type) +
               ": arrays in one operation have equal shapes",
           "write the indices: y[i, j] = ...");
    }
  }
  return array == nullptr ? std::vector<Formula>() : array->type.dims;
}

// The one type of a record's fields, each of which meets an element.
Element Compiler::type_of_fields(const Expr& record, const Expr& other) {
  const std::vector<Leaf> fields = leaves(record.type.element);
  for (const Leaf& field : fields) {
    if (field.dtype == fields[0].dtype) continue;
    fail({record.begin}, "E0753",
         quote(record) + " has fields of " + std::string(dtype_name(fields[0].dtype)) + " and of " +
             std::string(dtype_name(field.dtype)) + ", " + quote(other) + " meets each of them",
         "write it for each field");
  }
  return Element::of(fields.empty() ? DType::kF32 : fields[0].dtype);
}

// The element types of two operands that meet are one. Where one is a record, the other meets each of its fields.
void Compiler::agree(Expr& expr, Expr& a, Expr& b, const std::string& sign) {
  Element& x = a.type.element;
  Element& y = b.type.element;
  if (x.is_record() != y.is_record()) {
    if (sign == "if") return;
    Expr& record = x.is_record() ? a : b;
    Expr& other = x.is_record() ? b : a;
    const Element field = type_of_fields(record, other);
    if (other.type.element.is_open()) settle(other, field, quote(record));
    if (other.type.element == field) return;
    fail(expr.loc, "E0751",
         quote(other) + " is " + text(other.type.element) + ", the fields of " + quote(record) + " are " + text(field) +
             ": nothing is converted unless it is written",
         converted(field, quote(other)));
  }
  if (x.is_open() && !y.is_open()) settle(a, y, quote(b));
  if (y.is_open() && !x.is_open()) settle(b, x, quote(a));
  if (x == y) return;
  const bool arms = sign == "if";
  std::string message = text(x) + " " + sign + " " + text(y) + ": nothing is converted unless it is written";
  std::string left = quote(a), right = quote(b);
  std::string hint = left + " " + sign + " " + converted(x, right);
  if (plain(a).index != nullptr || plain(b).index != nullptr) {
    message = text(x) + " " + sign + " " + text(y) + ": an index is an s32";
    if (plain(a).index != nullptr) hint = converted(y, left) + " " + sign + " " + right;
  } else if (x.is_integer() && y.is_float()) {
    hint = converted(y, left) + " " + sign + " " + right;
  } else if (x.is_float() && y.is_float() && dtype_bits(x.dtype) < dtype_bits(y.dtype)) {
    hint = converted(y, left) + " " + sign + " " + right + " keeps " + right + "'s digits; " + left + " " + sign + " " +
           converted(x, right) + " is cheaper";
  }
  if (arms) {
    fail({b.begin}, "E0751", "the arms differ: " + text(x) + " and " + text(y), "else " + converted(x, right));
  }
  fail(expr.loc, "E0751", message, hint);
}

void Compiler::check_binary(Expr& expr) {
  Expr& a = *expr.children[0];
  Expr& b = *expr.children[1];
  const std::string& sign = expr.text;
  // Both operands are looked at, so that one run says what is wrong in each.
  bool good = true;
  for (Expr* operand : {&a, &b}) {
    try {
      check(*operand);
    } catch (const Abandoned&) {
      good = false;
    }
  }
  if (!good) throw Abandoned();
  add_indices(expr, a);
  add_indices(expr, b);
  const bool is_comparison = sign == "==" || sign == "!=" || sign == "<" || sign == "<=" || sign == ">" || sign == ">=";
  const bool is_logic = sign == "and" || sign == "or";
  const bool is_bits = sign == "&" || sign == "|" || sign == "^" || sign == "<<" || sign == ">>";
  if (a.number && b.number && (a.type.element.is_open() || a.number->is_pred) &&
      (b.type.element.is_open() || b.number->is_pred)) {
    expr.number = fold_binary(expr, *a.number, *b.number);
    expr.type = expr.number->is_pred ? Type::of(DType::kPred) : Type{Element::open(!expr.number->is_integer), {}};
    return;
  }
  if (sign == "**" && b.number && b.number->is_integer && b.type.element.is_open()) {
    if (!a.type.element.is_open() && !is_throughout(a.type.element, &Element::is_number)) {
      fail(expr.loc, "E0753", "'**' takes numbers, " + quote(a) + " is " + text(a.type));
    }
    if (b.number->integer < 0 && !is_throughout(a.type.element, &Element::has_fractions)) {
      fail(expr.loc, "E0753", "a negative power of " + text(a.type.element) + " is a fraction",
           "f32(" + quote(a) + ")");
    }
    expr.type = a.type;
    return;
  }
  if (is_bits) {
    for (const Expr* operand : {&a, &b}) {
      const Element& element = operand->type.element;
      if (element.is_open() || is_throughout(element, &Element::is_integer)) continue;
      std::string message =
          "'" + sign + "' combines bits of integers, " + quote(*operand) + " is " + text(operand->type);
      std::string hint;
      if (sign == "^" && element.is_float()) {
        message = "'^' is the exclusive or of integers, " + quote(*operand) + " is " + text(operand->type);
        hint = quote(a) + " ** " + quote(b);
      } else if (element.is_pred()) {
        hint = quote(a) + (sign == "&" ? " and " : sign == "|" ? " or " : " != ") + quote(b);
      }
      fail(expr.loc, "E0753", message, hint);
    }
  }
  if (is_logic) {
    for (const Expr* operand : {&a, &b}) {
      if (operand->type.element.is_pred()) continue;
      fail(expr.loc, "E0753", "'" + sign + "' combines pred, " + quote(*operand) + " is " + text(operand->type),
           operand->type.element.is_integer()
               ? quote(*operand) + " != 0, or '" + (sign == "and" ? "&" : "|") + "' for bits"
               : quote(*operand) + " != 0");
    }
  }
  agree(expr, a, b, sign);
  if (is_comparison && a.type.element.is_open()) {
    const Expr& open = a.number ? b : a;
    fail({open.begin}, "E0754", "nothing says of which type " + quote(open) + " is", "f32(" + quote(open) + ")");
  }
  const Element& element = a.type.element.is_record()   ? a.type.element
                           : b.type.element.is_record() ? b.type.element
                                                        : a.type.element;
  const bool is_number = element.is_open() || is_throughout(element, &Element::is_number);
  if (!is_comparison && !is_logic && !is_bits && !is_number) {
    fail(expr.loc, "E0753", "'" + sign + "' takes numbers, " + quote(a) + " is " + text(a.type),
         element.is_pred() ? "s32(" + quote(a) + ") " + sign + " s32(" + quote(b) + ")" : "");
  }
  const bool has_complex = !is_throughout(element, std::not_fn(&Element::is_complex));
  if (has_complex && (sign == "%" || (is_comparison && sign != "==" && sign != "!="))) {
    fail(expr.loc, "E0753", "complex numbers have no '" + sign + "'");
  }
  if (is_comparison && element.is_record()) fail(expr.loc, "E0753", "records are not compared", "compare their fields");
  expr.type.element = is_comparison ? Element::of(DType::kPred) : element;
  expr.type.dims = lifted_dims(expr, {&a, &b});
  // What is likely a slip; whether their dimensions differ is known with their ranges.
  const Expr& left = plain(a);
  const Expr& right = plain(b);
  if (is_comparison && left.index != nullptr && right.index != nullptr) compared_.push_back(&expr);
  if (is_comparison && left.kind == Expr::Kind::kName && right.kind == Expr::Kind::kName && left.text == right.text &&
      left.index != nullptr) {
    warn(expr.loc, "W0603",
         "'" + quote(expr) + "' is always " + (sign == "==" || sign == "<=" || sign == ">=" ? "true" : "false"));
  }
}

void Compiler::check_if(Expr& expr) {
  Expr& condition = *expr.children[0];
  Expr& a = *expr.children[1];
  Expr& b = *expr.children[2];
  check(condition);
  if (!condition.type.element.is_pred()) {
    fail({condition.begin}, "E0753", "a condition is pred, " + quote(condition) + " is " + text(condition.type),
         "if " + quote(condition) + " != 0 then ...");
  }
  check(a);
  check(b);
  for (const Expr* child : {&condition, &a, &b}) add_indices(expr, *child);
  agree(expr, a, b, "if");
  if (a.type.element.is_record() != b.type.element.is_record()) {
    fail({b.begin}, "E0751", "the arms differ: " + text(a.type) + " and " + text(b.type));
  }
  expr.type.element = a.type.element;
  if (a.type.element.is_open() && b.type.element.is_fraction) expr.type.element.is_fraction = true;
  expr.type.dims = lifted_dims(expr, {&condition, &a, &b});
}

}  // namespace sinter::grain
