// Dimensions and types as they are written: formulas, their numbers, the leaves of records.
#include <algorithm>

#include "frontend/grain/compiler.h"
#include "ir/support/nearest_word.h"

namespace sinter::grain {

// A constant expression of whole numbers and dims as a formula; nullopt for anything else.
std::optional<Formula> Compiler::formula(const Expr& expr) {
  switch (expr.kind) {
    case Expr::Kind::kParens:
      return formula(*expr.children[0]);
    case Expr::Kind::kNumber:
      if (expr.number && expr.number->is_integer && !expr.number->is_pred) return Formula(expr.number->integer);
      return std::nullopt;
    case Expr::Kind::kName: {
      if (find(expr.text) != nullptr) return std::nullopt;
      if (call_->dims.count(expr.text) != 0) return Formula::name(expr.text);
      const FileNames& file = names();
      if (const auto dim = file.dims.find(expr.text); dim != file.dims.end()) {
        mention_dim(expr.text, expr.loc);
        return same(Formula::name(dim->second));
      }
      if (expr.number && expr.number->is_integer && !expr.number->is_pred && expr.type.element.is_open()) {
        return Formula(expr.number->integer);
      }
      return std::nullopt;
    }
    case Expr::Kind::kUnary: {
      const std::optional<Formula> a = formula(*expr.children[0]);
      if (!a || expr.text != "-") return std::nullopt;
      return Formula(-1) * *a;
    }
    case Expr::Kind::kBinary: {
      const std::optional<Formula> a = formula(*expr.children[0]), b = formula(*expr.children[1]);
      if (!a || !b) return std::nullopt;
      if (expr.text == "+") return *a + *b;
      if (expr.text == "-") return *a - *b;
      if (expr.text == "*") return *a * *b;
      if (expr.text == "/" && !b->is_zero()) return *a / *b;
      if (expr.text == "%") return Formula::opaque("%", *a, *b);
      return std::nullopt;
    }
    case Expr::Kind::kCall: {
      if (expr.arguments.size() != 2) return std::nullopt;
      const std::string& name = expr.text;
      if (name != "div" && name != "ceil_div" && name != "min" && name != "max" && name != "mod") return std::nullopt;
      const std::optional<Formula> a = formula(*expr.arguments[0].value), b = formula(*expr.arguments[1].value);
      if (!a || !b) return std::nullopt;
      return Formula::opaque(name, *a, *b);
    }
    default:
      return std::nullopt;
  }
}

// In a type, a name that is no dim is said so; elsewhere, a range or an option, the expression must be a constant.
Formula Compiler::dimension(const Expr& expr, bool in_type) {
  if (in_type) {
    const std::function<void(const Expr&)> look = [&](const Expr& part) {
      for (const ExprPtr& child : part.children) look(*child);
      for (const Argument& argument : part.arguments) look(*argument.value);
      if (part.kind != Expr::Kind::kName) return;
      const FileNames& file = names();
      if (file.dims.count(part.text) != 0 || file.constants.count(part.text) != 0 ||
          call_->dims.count(part.text) != 0) {
        return;
      }
      std::vector<std::string_view> candidates;
      for (const auto& [name, formula] : file.dims) candidates.push_back(name);
      for (const std::string& name : call_->dims) candidates.push_back(name);
      const std::string near = nearest_word(part.text, candidates);
      const bool is_entry = call_->function == nullptr || call_->function->kind == Function::Kind::kEntry;
      std::string hint = is_entry ? "an entry's dimensions are declared: dim " + part.text + " = ..."
                                  : "a function's dimensions stand in its parameters' types, or are dims of the file";
      if (!is_entry && near.empty()) {
        fail(part.loc, "E0643", "nothing gives '" + part.text + "' a value: it stands in no parameter's type",
             "take it from an argument, or use a dim of the file");
      }
      if (!near.empty()) {
        const auto decl = file.dim_decls.find(near);
        hint = "did you mean '" + near + "'" +
               (decl != file.dim_decls.end() ? " (" + where(decl->second->loc) + ")" : "") + "? " +
               (is_entry ? "An" + hint.substr(2) : "");
      }
      fail(part.loc, "E0641", "no dim is called '" + part.text + "'", hint);
    };
    look(expr);
  }
  Expr& checked = const_cast<Expr&>(expr);
  const Type type = check(checked);
  if (!type.known()) throw Abandoned();
  const std::optional<Formula> found = formula(expr);
  if (!found && in_type) {
    fail(expr.loc, "E0646", "a dimension is a constant of whole numbers and dims", "n, 2 * n + 1, div(n, 2)");
  }
  if (!found) {
    fail({expr.begin}, "E0646", "a range ends at a constant; '" + quote(expr) + "' is known only when the program runs",
         "take the most you need, and a condition: sum[i where i < " + quote(expr) + "](...)");
  }
  if (const std::optional<int64_t> number = found->value(call_->values); !number) {
    // Where the quotient is, in the expression.
    const std::function<void(const Expr&)> look = [&](const Expr& part) {
      for (const ExprPtr& child : part.children) look(*child);
      for (const Argument& argument : part.arguments) look(*argument.value);
      if (part.kind != Expr::Kind::kBinary || part.text != "/") return;
      const std::optional<Formula> quotient = formula(part);
      if (!quotient || quotient->value(call_->values)) return;
      std::string values;
      for (const std::string& name : quotient->names()) {
        if (const auto value = call_->values.find(name); value != call_->values.end()) {
          values += (values.empty() ? ": " : ", ") + name + " is " + std::to_string(value->second);
        }
      }
      fail(part.loc, "E0645", quote(part) + " is not whole" + values,
           "div(" + quote(*part.children[0]) + ", " + quote(*part.children[1]) +
               ") rounds down; to rule such values out: require " + quote(*part.children[0]) + " % " +
               quote(*part.children[1]) + " == 0");
    };
    if (lowering_) look(expr);
    if (lowering_) fail({expr.begin}, "E0648", "the size " + quote(expr) + " is no number of 64 bits");
  }
  return same(*found);
}

int64_t Compiler::value_of(const Formula& formula, Loc loc) {
  const std::optional<int64_t> value = formula.value(call_->values);
  if (!value && lowering_) fail(loc, "E0645", formula.text() + " is not whole, or too large");
  return value.value_or(1);
}

Dims Compiler::numbers(const std::vector<Formula>& dims) {
  Dims result;
  for (const Formula& dim : dims) {
    const std::optional<int64_t> value = dim.value(call_->values);
    if (!value) throw InternalError("grain", "a dimension without a number: " + dim.text());
    if (*value < 0) throw InternalError("grain", "a negative dimension: " + dim.text());
    result.push_back(*value);
  }
  return result;
}

Type Compiler::type_of(const TypeName& name) {
  Type type;
  if (const std::optional<DType> dtype = dtype_from_name(name.name)) {
    type.element = Element::of(*dtype);
  } else if (name.name == "key") {
    type.element.kind = Element::Kind::kKey;
  } else if (const auto generic = call_->generics.find(name.name); generic != call_->generics.end()) {
    type.element = generic->second;
    type.element.generic = name.name;
  } else if (const Record* record = find_record(name.name)) {
    type.element.kind = Element::Kind::kRecord;
    type.element.record = record;
    mention(name.loc, name.name.size(), "record " + record->name, *record->file->source, record->loc);
    if (name.arguments.size() != record->dims.size()) {
      fail(name.loc, "E0756",
           record->name + " has " + std::to_string(record->dims.size()) + " dimensions, " +
               std::to_string(name.arguments.size()) + " are given");
    }
    for (const ExprPtr& argument : name.arguments) type.element.arguments.push_back(dimension(*argument, true));
  } else {
    std::vector<std::string_view> candidates = {"pred", "s8",  "s16",  "s32", "s64", "u8",  "u16",  "u32",
                                                "u64",  "f16", "bf16", "f32", "f64", "c64", "c128", "key"};
    for (const auto& [known, record] : names().records) candidates.push_back(known);
    const std::string near = nearest_word(name.name, candidates);
    std::string hint = near.empty()
                           ? "types are pred, s8 to s64, u8 to u64, f16, bf16, f32, f64, c64, c128, key and records"
                           : "did you mean '" + near + "'?";
    if (name.name == "float" || name.name == "double") hint = name.name == "float" ? "f32" : "f64";
    if (name.name == "int") hint = "s32";
    if (name.name == "bool") hint = "pred";
    fail(name.loc, "E0608", "no type is called '" + name.name + "'", hint);
  }
  if (!name.arguments.empty() && !type.element.is_record()) {
    fail(name.loc, "E0608", "'" + name.name + "' is no record and takes no <...>");
  }
  for (const ExprPtr& dim : name.dims) {
    type.dims.push_back(dimension(*dim, true));
    const std::optional<int64_t> value = type.dims.back().value(call_->values);
    if (value && *value < 0) {
      fail({dim->begin}, "E0648", "the dimension " + quote(*dim) + " is negative: " + std::to_string(*value));
    }
  }
  return type;
}

// A field's type, in terms of whoever names the record: without the record's own leading dimensions.
Type Compiler::field_type(const Element& record, const Slot& field) {
  Call inside;
  inside.file = record.record->file;
  inside.caller = call_;
  for (const std::string& dim : record.record->dims) {
    inside.dims.insert(dim);
  }
  inside.values = dim_values_;
  std::map<std::string, Formula> formulas;
  for (size_t i = 0; i < record.record->dims.size(); ++i) {
    formulas[record.record->dims[i]] = record.arguments[i];
    if (const auto value = record.arguments[i].value(call_->values)) inside.values[record.record->dims[i]] = *value;
  }
  inside.scopes.emplace_back();
  Call* outside = call_;
  call_ = &inside;
  Type type;
  try {
    type = type_of(*field.type);
  } catch (const Abandoned&) {
    call_ = outside;
    throw;
  }
  call_ = outside;
  return with(type, formulas);
}

std::vector<Leaf> Compiler::leaves(const Element& element) const {
  auto* self = const_cast<Compiler*>(this);
  if (element.kind == Element::Kind::kKey) return {{DType::kU32, {Formula(2)}, ""}};
  if (!element.is_record()) return {{element.dtype, {}, ""}};
  std::vector<Leaf> result;
  for (const Slot& field : element.record->fields) {
    const Type type = self->field_type(element, field);
    for (const Leaf& inner : leaves(type.element)) {
      Leaf leaf = inner;
      leaf.dims = type.dims;
      leaf.dims.insert(leaf.dims.end(), inner.dims.begin(), inner.dims.end());
      leaf.path = field.name + (inner.path.empty() ? "" : "." + inner.path);
      result.push_back(leaf);
    }
  }
  return result;
}

}  // namespace sinter::grain
