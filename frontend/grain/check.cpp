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
    fail(expr.loc, "E0690", "weights from a file are not compiled yet", "take them as a parameter of the entry");
  }
  unknown_name(expr);
}

void Compiler::check_primed(Expr& expr) {
  if (Binding* known = find(expr.text + "'")) {
    known->used = true;
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
  } else if (element.is_pred() || element.kind == Element::Kind::kKey) {
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

// The element types of two operands that meet are one.
void Compiler::agree(Expr& expr, Expr& a, Expr& b, const std::string& sign) {
  Element& x = a.type.element;
  Element& y = b.type.element;
  if (x.is_open() && !y.is_open()) settle(a, y.is_record() ? Element::of(DType::kF32) : y, quote(b));
  if (y.is_open() && !x.is_open()) settle(b, x.is_record() ? Element::of(DType::kF32) : x, quote(a));
  if (x == y || x.is_record() != y.is_record()) return;
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
    if (a.type.element.is_pred() || a.type.element.kind == Element::Kind::kKey) {
      fail(expr.loc, "E0753", "'**' takes numbers, " + quote(a) + " is " + text(a.type));
    }
    if (!a.type.element.is_float() && !a.type.element.is_complex() && b.number->integer < 0 &&
        !a.type.element.is_record()) {
      fail(expr.loc, "E0753", "a negative power of " + text(a.type.element) + " is a fraction",
           "f32(" + quote(a) + ")");
    }
    expr.type = a.type;
    return;
  }
  if (is_bits) {
    for (const Expr* operand : {&a, &b}) {
      const Element& element = operand->type.element;
      if (element.is_integer() || element.is_open() || element.is_record()) continue;
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
  if (!is_comparison && !is_logic && !is_bits && (element.is_pred() || element.kind == Element::Kind::kKey)) {
    fail(expr.loc, "E0753", "'" + sign + "' takes numbers, " + quote(a) + " is " + text(a.type),
         element.is_pred() ? "s32(" + quote(a) + ") " + sign + " s32(" + quote(b) + ")" : "");
  }
  if (element.is_complex() && (sign == "%" || (is_comparison && sign != "==" && sign != "!="))) {
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

void Compiler::check_access(Expr& expr) {
  Expr& base = *expr.children[0];
  check(base);
  add_indices(expr, base);
  const size_t rank = base.type.rank();
  if (expr.subscripts.size() != rank) {
    const std::string name = quote(base);
    const std::string count = rank == 0   ? "no dimension"
                              : rank == 1 ? "1 dimension"
                                          : std::to_string(rank) + " dimensions";
    const std::string given =
        expr.subscripts.size() == 1 ? "1 subscript is" : std::to_string(expr.subscripts.size()) + " subscripts are";
    std::string hint = name + " is " + text(base.type);
    if (expr.subscripts.size() < rank) {
      std::string row = name + "[";
      for (size_t i = 0; i < rank; ++i) {
        row += i == 0 ? "" : ", ";
        row += i < expr.subscripts.size() && expr.subscripts[i].value ? quote(*expr.subscripts[i].value) : ":";
      }
      hint = row + "] is a part of it; to sum over an index: sum[j](...)";
    }
    fail(expr.loc, "E0705", name + " has " + count + ", " + given + " given", hint);
  }
  check_subscripts(expr, base.type, &expr.type.dims);
  expr.type.element = base.type.element;
  // One rule, or one for each subscript.
  if (expr.rules.size() > 1 && expr.rules.size() != rank) {
    fail(expr.rules.back().loc, "E0724", "one edge rule is for all subscripts, or there is one for each");
  }
  for (Rule& rule : expr.rules) {
    if (rule.name == "drop" || rule.name == "unique") {
      fail(rule.loc, "E0724", "'" + rule.name + "' is for places of 'with'; a read needs a value",
           "clamp, wrap or pad 0");
    }
    if (!rule.value) continue;
    check(*rule.value);
    add_indices(expr, *rule.value);
    settle(*rule.value, base.type.element, quote(base));
    if (!(rule.value->type.element == base.type.element) || rule.value->type.rank() != 0) {
      fail(
          {rule.value->begin}, "E0751",
          quote(base) + " is " + text(base.type.element) + ", " + quote(*rule.value) + " is " + text(rule.value->type));
    }
  }
}

// Subscripts are integers, `:` and slices; `dims`, if asked for, are those that stay.
void Compiler::check_subscripts(Expr& expr, const Type& base, std::vector<Formula>* dims) {
  std::vector<const Index*> alone;
  for (size_t k = 0; k < expr.subscripts.size(); ++k) {
    Subscript& subscript = expr.subscripts[k];
    if (!subscript.value) {
      if (dims != nullptr) dims->push_back(base.dims[k]);
      continue;
    }
    if (subscript.high) {
      const Formula low = dimension(*subscript.value, false), high = dimension(*subscript.high, false);
      if (dims != nullptr) dims->push_back(high - low);
      continue;
    }
    Expr& value = *subscript.value;
    ++subscript_depth_;
    try {
      check(value);
    } catch (const Abandoned&) {
      --subscript_depth_;
      throw;
    }
    --subscript_depth_;
    add_indices(expr, value);
    const Element& element = value.type.element;
    if (value.type.rank() != 0) {
      fail({value.begin}, "E0713", "a subscript is one integer, " + quote(value) + " is " + text(value.type),
           "an element for each index: " + quote(value) + "[b]");
    }
    if (element.is_open() && value.number && !value.number->is_integer) {
      fail({value.begin}, "E0713", "a subscript is an integer, " + quote(value) + " is a fraction");
    }
    if (!element.is_integer() && !element.is_open()) {
      fail({value.begin}, "E0713", "a subscript is an integer, " + quote(value) + " is " + text(value.type),
           element.is_float() ? "s32(" + quote(value) + ") truncates, s32(floor(" + quote(value) + ")) rounds down"
                              : "s32(" + quote(value) + ")");
    }
    if (element.is_open() && !value.number) settle(value, Element::of(DType::kS32));
    if (const Index* index = plain(value).index) {
      if (std::find(alone.begin(), alone.end(), index) != alone.end()) {
        const std::string name = expr.kind == Expr::Kind::kAccess ? quote(*expr.children[0]) : "x";
        fail({value.begin}, "E0706", "'" + index->name + "' stands alone twice in this access",
             expr.children[0]->type.rank() == 2 ? "the diagonal is diagonal(" + name + ")[" + index->name + "]"
                                                : "write another index");
      }
      alone.push_back(index);
    }
    if (!value.indices.empty()) uses_.push_back({&expr, &value, k, base.dims[k], !expr.rules.empty()});
  }
}

void Compiler::check_field(Expr& expr) {
  Expr& base = *expr.children[0];
  // f32.max
  if (base.kind == Expr::Kind::kName && find(base.text) == nullptr) {
    std::optional<DType> dtype = dtype_from_name(base.text);
    if (const auto generic = call_->generics.find(base.text); generic != call_->generics.end())
      dtype = generic->second.dtype;
    if (dtype && (is_float(*dtype) || is_integer(*dtype))) {
      const int bits = dtype_bits(*dtype);
      expr.type = Type::of(*dtype);
      if (is_integer(*dtype) && (expr.text == "max" || expr.text == "lowest")) {
        const bool is_signed = is_signed_integer(*dtype);
        const int64_t high =
            bits == 64 ? (is_signed ? INT64_MAX : -1) : (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
        expr.number = Number::of(expr.text == "max" ? high : is_signed ? -high - 1 : 0);
        return;
      }
      double highest = 0, epsilon = 0;
      if (*dtype == DType::kF32)
        highest = std::numeric_limits<float>::max(), epsilon = std::numeric_limits<float>::epsilon();
      if (*dtype == DType::kF64)
        highest = std::numeric_limits<double>::max(), epsilon = std::numeric_limits<double>::epsilon();
      if (*dtype == DType::kF16) highest = 65504, epsilon = 0x1p-10;
      if (*dtype == DType::kBF16) highest = 0x1.fep127, epsilon = 0x1p-7;
      if (highest > 0 && expr.text == "max") expr.number = Number::of_real(highest);
      if (highest > 0 && expr.text == "lowest") expr.number = Number::of_real(-highest);
      if (highest > 0 && expr.text == "epsilon") expr.number = Number::of_real(epsilon);
      if (expr.number) return;
      fail(expr.loc, "E0757", base.text + " has no constant '" + expr.text + "'",
           "floats of 16 bits and more have max, lowest and epsilon, integers max and lowest");
    }
  }
  // A call that gives several values: one of them.
  Expr& inner = plain(base);
  if (inner.kind == Expr::Kind::kCall) {
    if (const Function* function = find_function(inner.text);
        function != nullptr && inner.function.empty() && function->results.size() > 1) {
      inner.type = Type();
      inner.indices.clear();
      const std::vector<Type> types = check_results(inner);
      std::string list;
      for (size_t i = 0; i < types.size(); ++i) {
        if (function->results[i].name == expr.text) {
          expr.type = types[i];
          add_indices(expr, inner);
          return;
        }
        list += (list.empty() ? "" : ", ") + function->results[i].name;
      }
      fail(expr.loc, "E0757", "'" + function->name + "' has no result '" + expr.text + "'", "its results are " + list);
    }
  }
  check(base);
  add_indices(expr, base);
  const Element& element = base.type.element;
  if (!element.is_record()) {
    fail(expr.loc, "E0757", quote(base) + " is " + text(base.type) + ", which has no fields");
  }
  std::string list;
  std::vector<std::string_view> candidates;
  for (const Slot& field : element.record->fields) {
    if (field.name == expr.text) {
      const Type type = field_type(element, field);
      expr.type.element = type.element;
      expr.type.dims = base.type.dims;
      expr.type.dims.insert(expr.type.dims.end(), type.dims.begin(), type.dims.end());
      return;
    }
    list += (list.empty() ? "" : ", ") + field.name;
    candidates.push_back(field.name);
  }
  const std::string near = nearest_word(expr.text, candidates);
  fail(expr.loc, "E0757", element.record->name + " has no field '" + expr.text + "'",
       (near.empty() ? "" : "did you mean '" + near + "'? ") + std::string("its fields are ") + list);
}

void Compiler::check_array(Expr& expr) {
  Expr* typed = nullptr;
  for (const ExprPtr& child : expr.children) {
    check(*child);
    add_indices(expr, *child);
    if (!child->type.element.is_open() && typed == nullptr) typed = child.get();
  }
  Expr& first = typed != nullptr ? *typed : *expr.children[0];
  bool is_fraction = false;
  for (const ExprPtr& child : expr.children) {
    if (typed != nullptr) settle(*child, typed->type.element, quote(*typed));
    is_fraction = is_fraction || child->type.element.is_fraction;
    if (!(child->type.element == first.type.element)) {
      fail({child->begin}, "E0751",
           "elements of one array have one type: " + text(first.type) + " and " + text(child->type),
           converted(first.type.element, quote(*child)));
    }
    if (child->type.dims != first.type.dims) {
      fail({child->begin}, "E0712",
           "elements of one array have one shape: " + text(first.type) + " and " + text(child->type));
    }
  }
  expr.type.element = first.type.element;
  if (expr.type.element.is_open()) expr.type.element.is_fraction = is_fraction;
  expr.type.dims.push_back(Formula(static_cast<int64_t>(expr.children.size())));
  expr.type.dims.insert(expr.type.dims.end(), first.type.dims.begin(), first.type.dims.end());
}

void Compiler::check_reduce(Expr& expr) {
  const std::string& word = expr.text;
  call_->scopes.emplace_back();
  struct Leave {
    Compiler& compiler;
    ~Leave() {
      compiler.call_->scopes.pop_back();
      compiler.reductions_.pop_back();
    }
  };
  reductions_.push_back(&expr);
  const Leave leave{*this};
  for (Binder& binder : expr.binders) {
    if (const Binding* known = find(binder.name); known != nullptr && known->index != nullptr) {
      const bool on_left =
          statement_ != nullptr &&
          std::any_of(statement_->targets.begin(), statement_->targets.end(), [&](const Target& target) {
            return std::any_of(target.places.begin(), target.places.end(),
                               [&](const Binder& place) { return place.index == known->index; });
          });
      if (on_left) {
        fail(binder.loc, "E0612",
             "'" + binder.name + "' is " + statement_->targets[0].name + "'s index here; a " +
                 (word == "sum" ? "sum" : "reduction") + " brings its own",
             word + "[k](...) with k for " + binder.name);
      }
    }
    bind_index(binder);
  }
  Expr& term = *expr.children[0];
  check(term);
  add_indices(expr, term);
  if (expr.condition) {
    check(*expr.condition);
    add_indices(expr, *expr.condition);
    if (!expr.condition->type.element.is_pred() || expr.condition->type.rank() != 0) {
      fail({expr.condition->begin}, "E0753",
           "a condition is one pred, " + quote(*expr.condition) + " is " + text(expr.condition->type));
    }
  }
  if (expr.children.size() > 1) {
    check(*expr.children[1]);
    add_indices(expr, *expr.children[1]);
  }
  for (const Binder& binder : expr.binders) {
    if (std::find(expr.indices.begin(), expr.indices.end(), binder.index) == expr.indices.end()) {
      fail(binder.loc, "E0704",
           "the " + std::string(word == "sum" ? "sum" : "reduction") + " runs over '" + binder.name +
               "', which nothing in it uses",
           word + "[" + binder.name + "](x[" + binder.name + "])");
    }
  }
  std::erase_if(expr.indices, [&](const Index* index) {
    return std::any_of(expr.binders.begin(), expr.binders.end(), [&](const Binder& b) { return b.index == index; });
  });
  const Element& element = term.type.element;
  if (term.type.rank() != 0) {
    fail({term.begin}, "E0707",
         "a reduction takes one element for each index, " + quote(term) + " is " + text(term.type),
         "write its indices");
  }
  const bool is_logic = word == "any" || word == "all";
  if (word == "reduce") {
    check_results(expr);
    return;
  }
  if (is_logic != element.is_pred()) {
    std::string hint;
    if (is_logic) hint = word + "[...](" + quote(term) + " != 0)";
    if (!is_logic && word == "sum") {
      hint = quote(expr.begin, term.begin) + "s32(" + quote(term) + ")); 'is there one': any" +
             quote(expr.begin + 3, term.begin) + quote(term) + ")";
    }
    fail({term.begin}, "E0753",
         word + " takes " + (is_logic ? "pred" : "numbers") + ", " + quote(term) + " is " + text(term.type), hint);
  }
  if (element.is_record() || element.kind == Element::Kind::kKey) {
    fail({term.begin}, "E0753", word + " takes numbers, " + quote(term) + " is " + text(term.type),
         "reduce[k](f, start, ...) takes records");
  }
  if (word == "mean" && !element.is_float() && !element.is_open()) {
    fail(expr.loc, "E0753", "mean takes floats, " + quote(term) + " is " + text(term.type),
         quote(expr.begin, term.begin) + "f32(" + quote(term) + "))");
  }
  if ((word == "max" || word == "min") && element.is_complex()) {
    fail({term.begin}, "E0753", "complex numbers have no order");
  }
  expr.type.element = element;
  if (word == "argmax" || word == "argmin") {
    if (expr.binders.size() != 1) fail(expr.loc, "E0600", word + " takes one index", "of several, one after the other");
    if (element.is_open()) fail(expr.loc, "E0754", "nothing says of which type " + quote(term) + " is");
    expr.type = Type::of(DType::kS32);
  }
}

}  // namespace sinter::grain
