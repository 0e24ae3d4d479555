// The types of accesses: subscripts and edge rules, fields, constants of types.
#include <algorithm>
#include <limits>

#include "frontend/grain/compiler.h"
#include "ir/support/nearest_word.h"

namespace sinter::grain {

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

}  // namespace sinter::grain
