// Calls: conversions, constructors, the program's functions, the library.
#include <algorithm>

#include "frontend/grain/compiler.h"
#include "ir/support/nearest_word.h"

namespace sinter::grain {
namespace {

// What the functions of other languages are called here.
const std::map<std::string, std::string>& foreign_functions() {
  static const std::map<std::string, std::string> kForeign = {
      {"maximum", "the larger of two is max(x, 0)"},
      {"minimum", "the smaller of two is min(x, 0)"},
      {"pow", "a power is x ** 2"},
      {"fabs", "abs(x)"},
      {"fmax", "the larger of two is max(x, 0)"},
      {"fmin", "the smaller of two is min(x, 0)"},
      {"expf", "exp(x): a function takes the type of its argument"},
      {"float", "f32(x)"},
      {"int", "s32(x)"},
      {"matmul", "c[i, j] = sum[k](a[i, k] * b[k, j])"},
      {"dot", "sum[k](a[k] * b[k])"},
      {"einsum", "c[i, j] = sum[k](a[i, k] * b[k, j])"},
      {"transpose", "y[j, i] = x[i, j]"},
      {"zeros", "zeros: f32[n, m] = 0"},
      {"ones", "ones: f32[n, m] = 1"},
      {"arange", "ramp[i in 0..n] = i"},
      {"select", "if c then a else b"},
      {"ln", "the natural logarithm is log(x)"},
      {"logistic", "sigmoid(x)"},
      {"fma", "a * b + c: the compiler chooses fmaf"},
  };
  return kForeign;
}

}  // namespace

void Compiler::check_call(Expr& expr) {
  const std::vector<Type> types = check_results(expr);
  if (types.size() == 1) {
    expr.type = types[0];
    return;
  }
  std::string list;
  if (expr.callee != nullptr) {
    for (size_t i = 0; i < types.size(); ++i) {
      list += (i == 0 ? "" : i + 1 == types.size() ? " and " : ", ") + expr.callee->results[i].name;
    }
    const std::string first = expr.callee->results[0].name;
    fail(expr.loc, "E0755",
         "'" + expr.text + "' has " + (types.size() == 2 ? "two" : std::to_string(types.size())) + " results, " + list,
         quote(expr) + "." + first + ", or a, b = " + quote(expr));
  }
  fail(expr.loc, "E0755", "'" + expr.text + "' gives " + std::to_string(types.size()) + " values",
       "a, b = " + quote(expr));
}

// The types of what a call gives; of reduce[k](f, start, e), too.
std::vector<Type> Compiler::check_results(Expr& expr) {
  if (expr.kind == Expr::Kind::kReduce) {
    const Function* function = find_function(expr.function);
    if (function == nullptr)
      fail(expr.function_loc, "E0604", "no function is called '" + expr.function + "'",
           "fn " + expr.function + "(a, b: f32) -> f32 = a + b");
    Expr& term = *expr.children[0];
    Expr& start = *expr.children[1];
    settle(start, term.type.element, quote(term));
    if (!(start.type == term.type)) {
      fail({start.begin}, "E0751", "the start is " + text(start.type) + ", what is reduced is " + text(term.type));
    }
    check_pair_function(*function, "reduce", term.type.element, expr.function_loc);
    expr.callee = function;
    expr.type.element = term.type.element;
    return {expr.type};
  }
  const std::string& name = expr.text;
  if (!expr.function.empty()) {  // f32.bits(x)
    std::optional<DType> dtype = dtype_from_name(expr.function);
    if (name != "bits" || !dtype)
      fail(expr.loc, "E0604", "'" + expr.function + "." + name + "' is no function",
           "f32.bits(x) reads the bits of x as an f32");
    if (expr.arguments.size() != 1) fail(expr.loc, "E0756", "bits takes 1 argument");
    Expr& argument = *expr.arguments[0].value;
    check(argument);
    add_indices(expr, argument);
    if (argument.type.element.is_open())
      settle(argument, Element::of(dtype_bits(*dtype) == 64 ? DType::kU64 : DType::kU32));
    const Element& from = argument.type.element;
    if (!from.is_dtype() || dtype_bits(from.dtype) != dtype_bits(*dtype)) {
      fail(
          expr.loc, "E0753",
          "bits are read as another type of the same width: " + text(from) + " and " + std::string(dtype_name(*dtype)));
    }
    return {Type{Element::of(*dtype), argument.type.dims}};
  }
  if (const std::optional<DType> dtype = dtype_from_name(name)) {
    check_conversion(expr, *dtype);
    return {expr.type};
  }
  if (const auto generic = call_->generics.find(name); generic != call_->generics.end()) {
    check_conversion(expr, generic->second.dtype);
    expr.type.element.generic = name;
    return {expr.type};
  }
  if (const Record* record = find_record(name)) {
    check_construction(expr, *record);
    return {expr.type};
  }
  if (const Function* function = find_function(name)) return check_user_call(expr, *function);
  if (is_library(name)) return check_library(expr);
  std::string hint;
  const auto foreign = foreign_functions().find(name);
  if (foreign != foreign_functions().end()) {
    hint = foreign->second;
  } else {
    std::vector<std::string_view> candidates;
    for (const auto& [known, function] : names().functions) candidates.push_back(known);
    for (const auto& [known, record] : names().records) candidates.push_back(known);
    constexpr std::string_view kLibrary[] = {"abs",      "sign",
                                             "floor",    "ceil",
                                             "round",    "round_away",
                                             "sqrt",     "rsqrt",
                                             "cbrt",     "exp",
                                             "expm1",    "log",
                                             "log1p",    "sin",
                                             "cos",      "tan",
                                             "asin",     "acos",
                                             "atan",     "atan2",
                                             "sinh",     "cosh",
                                             "tanh",     "asinh",
                                             "acosh",    "atanh",
                                             "erf",      "erf_inv",
                                             "sigmoid",  "is_finite",
                                             "is_nan",   "min",
                                             "max",      "clamp",
                                             "mod",      "div",
                                             "ceil_div", "popcount",
                                             "clz",      "mulhi",
                                             "complex",  "real",
                                             "imag",     "conj",
                                             "cumsum",   "cumprod",
                                             "cummax",   "cummin",
                                             "scan",     "sort",
                                             "argsort",  "top_k",
                                             "concat",   "reverse",
                                             "reshape",  "diagonal",
                                             "fft",      "ifft",
                                             "rfft",     "irfft",
                                             "cholesky", "solve_triangular",
                                             "eigh",     "qr",
                                             "svd",      "split",
                                             "fold_in",  "bits",
                                             "uniform",  "normal",
                                             "gumbel",   "bernoulli",
                                             "randint",  "permutation"};
    candidates.insert(candidates.end(), std::begin(kLibrary), std::end(kLibrary));
    const std::string near = nearest_word(name, candidates);
    if (!near.empty()) hint = "did you mean '" + near + "'?";
    if (find(name) != nullptr) hint = name + " is " + find(name)->what + ": an access is written " + name + "[i]";
  }
  fail(expr.loc, "E0604", "no function is called '" + name + "'", hint);
}

void Compiler::check_conversion(Expr& expr, DType dtype) {
  if (expr.arguments.size() != 1)
    fail(expr.loc, "E0756",
         "'" + expr.text + "' converts 1 value, " + std::to_string(expr.arguments.size()) + " are given");
  Expr& argument = *expr.arguments[0].value;
  check(argument);
  add_indices(expr, argument);
  const Element& from = argument.type.element;
  if (from.is_record() || from.kind == Element::Kind::kKey) {
    fail(expr.loc, "E0753", quote(argument) + " is " + text(argument.type) + ", which is no number");
  }
  expr.type = {Element::of(dtype), argument.type.dims};
  if (from.is_open()) {
    if (!argument.number) {
      settle(argument, expr.type.element);
      return;
    }
    // A constant is rounded once, to this type; a fraction for an integer truncates, as a conversion does.
    Number number = *argument.number;
    if (is_integer(dtype) && !number.is_integer && std::abs(number.real) < 9e18)
      number = Number::of(static_cast<int64_t>(number.real));
    if (is_integer(dtype)) check_fits(argument, number, expr.type.element, "");
    if (dtype == DType::kPred) number = Number::of_pred(number.real != 0);
    expr.number = number;
  }
}

void Compiler::place_arguments(Expr& expr, const std::string& name, const std::vector<std::string>& parameters,
                               size_t required) {
  std::string list;
  for (const std::string& parameter : parameters) list += (list.empty() ? "" : ", ") + parameter;
  const std::string takes = "'" + name + "' takes " + std::to_string(parameters.size()) +
                            (parameters.size() == 1 ? " argument (" : " arguments (") + list + ")";
  expr.placed.assign(parameters.size(), nullptr);
  for (size_t i = 0; i < expr.arguments.size(); ++i) {
    Argument& argument = expr.arguments[i];
    size_t place = i;
    if (!argument.name.empty()) {
      const auto found = std::find(parameters.begin(), parameters.end(), argument.name);
      if (found == parameters.end()) {
        const std::vector<std::string_view> candidates(parameters.begin(), parameters.end());
        const std::string near = nearest_word(argument.name, candidates);
        fail(argument.loc, "E0758", "'" + name + "' has no parameter '" + argument.name + "'",
             (near.empty() ? "" : "did you mean '" + near + "'? ") + name + "(" + list + ")");
      }
      place = static_cast<size_t>(found - parameters.begin());
    } else if (i >= parameters.size()) {
      fail(argument.loc, "E0756", takes + ", " + std::to_string(expr.arguments.size()) + " are given");
    }
    if (expr.placed[place] != nullptr) fail(argument.loc, "E0756", "'" + parameters[place] + "' is given twice");
    expr.placed[place] = &argument.value;
  }
  for (size_t i = 0; i < required; ++i) {
    if (expr.placed[i] != nullptr) continue;
    fail(expr.loc, "E0756",
         takes + ", " + std::to_string(expr.arguments.size()) + (expr.arguments.size() == 1 ? " is" : " are") +
             " given: '" + parameters[i] + "' is missing");
  }
}

void Compiler::check_construction(Expr& expr, const Record& record) {
  std::vector<std::string> fields;
  for (const Slot& field : record.fields) fields.push_back(field.name);
  if (expr.arguments.size() < fields.size()) {
    std::string missing;
    for (size_t i = expr.arguments.size(); i < fields.size(); ++i)
      missing += (missing.empty() ? "'" : ", '") + fields[i] + "'";
    bool by_place = true;
    for (const Argument& argument : expr.arguments) by_place = by_place && argument.name.empty();
    if (by_place) {
      fail(expr.loc, "E0756",
           record.name + " has " + std::to_string(fields.size()) + " fields, " + std::to_string(expr.arguments.size()) +
               (expr.arguments.size() == 1 ? " is" : " are") + " given: " + missing +
               (missing.find(',') == std::string::npos ? " is" : " are") + " missing",
           "in order, or by name: " + record.name + "(" + fields[0] + " = ..., ...)");
    }
  }
  place_arguments(expr, record.name, fields, fields.size());
  expr.type.element.kind = Element::Kind::kRecord;
  expr.type.element.record = &record;
  expr.type.element.arguments.assign(record.dims.size(), Formula());
  // The record's dimensions, from the fields that have one of them alone.
  std::map<std::string, Formula> known;
  std::vector<Type> types;
  Element generic = expr.type.element;
  for (size_t i = 0; i < record.dims.size(); ++i) generic.arguments[i] = Formula::name(record.dims[i]);
  Call probe = *call_;
  for (const std::string& dim : record.dims) probe.values.emplace(dim, 1);
  for (size_t i = 0; i < fields.size(); ++i) {
    Expr& argument = **expr.placed[i];
    types.push_back(check(argument));
    add_indices(expr, argument);
    Call* outside = call_;
    probe.caller = outside;
    call_ = &probe;
    const bool was_lowering = lowering_;
    lowering_ = false;
    Type field;
    try {
      field = field_type(generic, record.fields[i]);
    } catch (const Abandoned&) {
      call_ = outside;
      lowering_ = was_lowering;
      throw;
    }
    call_ = outside;
    lowering_ = was_lowering;
    const size_t extra = types[i].rank() < field.rank() ? 0 : types[i].rank() - field.rank();
    for (size_t d = 0; d < field.rank() && d + extra < types[i].rank(); ++d) {
      const std::optional<std::string> name = field.dims[d].lone_name();
      if (name && std::find(record.dims.begin(), record.dims.end(), *name) != record.dims.end()) {
        known.emplace(*name, types[i].dims[d + extra]);
      }
    }
  }
  for (size_t i = 0; i < record.dims.size(); ++i) {
    if (known.count(record.dims[i]) == 0)
      fail(expr.loc, "E0643", "nothing gives '" + record.dims[i] + "' of " + record.name + " a value");
    expr.type.element.arguments[i] = known[record.dims[i]];
  }
  // All fields have the same leading dimensions: an array of records.
  std::optional<std::vector<Formula>> leading;
  for (size_t i = 0; i < fields.size(); ++i) {
    Expr& argument = **expr.placed[i];
    const Type field = field_type(expr.type.element, record.fields[i]);
    settle(argument, field.element, "");
    const Type& given = argument.type;
    const bool single = given.rank() == field.rank();
    if (!(given.element == field.element) || given.rank() < field.rank()) {
      fail({argument.begin}, "E0755",
           "'" + fields[i] + "' of " + record.name + " is " + text(field) + ", " + quote(argument) + " is " +
               text(given));
    }
    std::vector<Formula> own(given.dims.begin(), given.dims.end() - static_cast<int64_t>(field.rank()));
    const std::vector<Formula> rest(given.dims.end() - static_cast<int64_t>(field.rank()), given.dims.end());
    if (rest != field.dims) {
      fail({argument.begin}, "E0712",
           "'" + fields[i] + "' of " + record.name + " is " + text(field) + ", " + quote(argument) + " is " +
               text(given));
    }
    if (single) continue;
    if (leading && *leading != own) {
      fail({argument.begin}, "E0712", "the fields of an array of records have the same leading dimensions");
    }
    leading = own;
  }
  if (leading) expr.type.dims = *leading;
}

// Names in the parameters' types that are no dims of the file: each call gives them values.
std::set<std::string> Compiler::brought_dims(const Function& function) {
  std::set<std::string> brought;
  if (function.kind == Function::Kind::kEntry) return brought;
  const FileNames& file = file_names_.at(function.file);
  const std::function<void(const Expr&)> look = [&](const Expr& expr) {
    if (expr.kind == Expr::Kind::kName && file.dims.count(expr.text) == 0 && file.constants.count(expr.text) == 0) {
      brought.insert(expr.text);
    }
    for (const ExprPtr& child : expr.children) look(*child);
    for (const Argument& argument : expr.arguments) look(*argument.value);
  };
  for (const Slot& parameter : function.parameters) {
    for (const ExprPtr& dim : parameter.type->dims) look(*dim);
    for (const ExprPtr& dim : parameter.type->arguments) look(*dim);
  }
  return brought;
}

// The function's dimensions and types in this call.
// The types of parameters and results in the function's own names.
Compiler::OwnTypes Compiler::own_types(const Function& function, const std::set<std::string>& brought) {
  Call inside;
  inside.function = &function;
  inside.file = function.file;
  inside.caller = call_;
  inside.dims = brought;
  inside.values = dim_values_;
  for (const Generic& generic : function.generics) inside.generics[generic.name] = Element::of(DType::kF32);
  inside.scopes.emplace_back();
  OwnTypes own;
  struct Outside {
    Compiler& compiler;
    Call* call;
    bool lowering;
    ~Outside() {
      compiler.call_ = call;
      compiler.lowering_ = lowering;
    }
  };
  const Outside outside{*this, call_, lowering_};
  call_ = &inside;
  lowering_ = false;
  for (const Slot& parameter : function.parameters) own.parameters.push_back(type_of(*parameter.type));
  for (const Slot& result : function.results) own.results.push_back(type_of(*result.type));
  return own;
}

// A function of two values that gives one, for reduce and scan over elements of this type.
void Compiler::check_pair_function(const Function& function, const std::string& user, const Element& element, Loc loc) {
  if (function.parameters.size() != 2 || function.results.size() != 1)
    fail(loc, "E0756", user + " takes a function of two values that gives one");
  if (element.is_open()) return;
  for (const Type& parameter : own_types(function, brought_dims(function)).parameters) {
    if (!parameter.element.generic.empty() && parameter.rank() == 0) continue;
    if (parameter.rank() == 0 && parameter.element == element) continue;
    const Type given{element, {}};
    fail(loc, "E0755", "'" + function.name + "' takes " + text(parameter) + ", the elements are " + text(given));
  }
}

Compiler::Signature Compiler::match(Expr& expr, const Function& function) {
  Signature signature;
  const std::set<std::string> brought = brought_dims(function);
  const OwnTypes types = own_types(function, brought);
  const std::vector<Type>&own = types.parameters, &own_results = types.results;
  for (const std::string& dim : brought) {
    bool alone = false;
    for (const Type& type : own) {
      for (const Formula& formula : type.dims) alone = alone || formula.lone_name() == dim;
      for (const Formula& formula : type.element.arguments) alone = alone || formula.lone_name() == dim;
    }
    if (!alone) {
      fail(function.loc, "E0643",
           "'" + dim + "' has to stand alone in some dimension of the parameters of '" + function.name + "'");
    }
  }

  std::vector<std::string> names;
  for (const Slot& parameter : function.parameters) names.push_back(parameter.name);
  place_arguments(expr, function.name, names, names.size());
  // A function of elements alone is done for each element of arrays, and each field of records.
  const bool of_elements = std::all_of(own.begin(), own.end(), [](const Type& type) { return type.rank() == 0; });
  std::map<std::string, std::string> given_by;
  std::vector<Formula> lifted;
  Element lifted_record;
  for (size_t i = 0; i < own.size(); ++i) {
    Expr& argument = **expr.placed[i];
    check(argument);
    add_indices(expr, argument);
  }
  for (int pass = 0; pass < 2; ++pass) {
    for (size_t i = 0; i < own.size(); ++i) {
      Expr& argument = **expr.placed[i];
      const bool is_open = argument.type.element.is_open();
      if (is_open == (pass == 0)) continue;
      const Type& parameter = own[i];
      const std::string& generic = parameter.element.generic;
      // Types first: T of what is given.
      Element wanted = parameter.element;
      if (!generic.empty()) {
        const auto kind = std::find_if(function.generics.begin(), function.generics.end(),
                                       [&](const Generic& g) { return g.name == generic; });
        if (!is_open) {
          Element given = argument.type.element;
          // Of a record, that of its fields, for each of which the call is done.
          if (given.is_record()) {
            const std::vector<Leaf> fields = leaves(given);
            const auto is_other = [&](const Leaf& leaf) { return leaf.dtype != fields[0].dtype; };
            if (std::any_of(fields.begin(), fields.end(), is_other)) {
              fail({argument.begin}, "E0753",
                   generic + " of '" + function.name + "' is one type, " + quote(argument) + " has fields of several",
                   "write the type of the function's parameter, or call it for each field");
            }
            given = Element::of(fields.empty() ? DType::kF32 : fields[0].dtype);
          }
          const bool fits =
              kind->kind == "any" || (kind->kind == "float" && (given.is_float() || given.is_complex())) ||
              (kind->kind == "int" && given.is_integer()) || (kind->kind == "number" && given.is_number());
          if (!fits) {
            const std::string kinds = kind->kind == "float" ? "floats" : kind->kind == "int" ? "integers" : "numbers";
            fail({argument.begin}, "E0753",
                 "'" + function.name + "' takes " + kinds + " (" + generic + ": " + kind->kind +
                     (function.file == call_->file ? ", " + where(kind->loc) : "") + "), " + quote(argument) + " is " +
                     text(argument.type.element),
                 kind->kind == "float" ? function.name + "(f32(" + quote(argument) + "))" : "");
          }
          signature.generics.emplace(generic, given);
        }
        const auto bound = signature.generics.find(generic);
        if (bound == signature.generics.end()) {
          if (!is_open) continue;
          fail({argument.begin}, "E0754", "nothing says of which type " + quote(argument) + " is",
               "f32(" + quote(argument) + ")");
        }
        wanted = bound->second;
      }
      if (is_open) settle(argument, wanted, "'" + parameter.element.generic + "'");
      const Type& given = argument.type;
      const std::string shown = "'" + names[i] + "' of '" + function.name + "'";
      if (given.rank() != parameter.rank() || (given.element.is_record() && !parameter.element.is_record())) {
        if (!of_elements) {
          const auto dimensions = [](size_t rank) {
            return rank == 0   ? std::string("no dimension")
                   : rank == 1 ? std::string("one dimension")
                   : rank == 2 ? std::string("two")
                               : std::to_string(rank);
          };
          std::string repaired = quote(argument) + "[i";
          for (size_t d = 1; d < given.rank(); ++d) repaired += d < given.rank() - parameter.rank() ? ", j" : ", :";
          fail({argument.begin}, "E0712",
               shown + " has " + dimensions(parameter.rank()) + ", " + quote(argument) + " has " +
                   dimensions(given.rank()) + ": " + text(given),
               given.rank() > parameter.rank() ? "for each row: z[i] = " + function.name + "(" + repaired + "])" : "");
        }
        signature.lifts = true;
        if (given.rank() > 0 && !lifted.empty() && lifted != given.dims) {
          fail({argument.begin}, "E0712",
               "arrays in one call have equal shapes: " + quote(argument) + " is " + text(given));
        }
        if (given.rank() > 0) lifted = given.dims;
        if (given.element.is_record() && !parameter.element.is_record()) lifted_record = given.element;
      }
      if (given.element.is_record() && !parameter.element.is_record()) continue;
      // Dimensions: a name alone takes what is given.
      if (given.rank() == parameter.rank()) {
        for (size_t d = 0; d < parameter.rank(); ++d) {
          const std::optional<std::string> name = parameter.dims[d].lone_name();
          if (name && brought.count(*name) != 0 && signature.dims.emplace(*name, given.dims[d]).second)
            given_by[*name] = names[i];
        }
      }
      if (parameter.element.is_record() && given.element.record == parameter.element.record) {
        for (size_t d = 0; d < parameter.element.arguments.size(); ++d) {
          const std::optional<std::string> name = parameter.element.arguments[d].lone_name();
          if (name && brought.count(*name) != 0 && signature.dims.emplace(*name, given.element.arguments[d]).second) {
            given_by[*name] = names[i];
          }
        }
      }
    }
  }
  const auto replaced = [&](Type type) {
    type = with(type, signature.dims);
    if (!type.element.generic.empty()) {
      const auto bound = signature.generics.find(type.element.generic);
      type.element = bound != signature.generics.end() ? bound->second : Element::of(DType::kF32);
    }
    return type;
  };
  for (size_t i = 0; i < own.size(); ++i) {
    Expr& argument = **expr.placed[i];
    const Type wanted = replaced(own[i]);
    signature.parameters.push_back(wanted);
    const Type& given = argument.type;
    if (given.element.is_record() && !wanted.element.is_record()) continue;
    const std::string shown = "'" + names[i] + "' of '" + function.name + "'";
    if (!(given.element == wanted.element)) {
      fail({argument.begin}, "E0751", shown + " is " + text(wanted) + ", " + quote(argument) + " is " + text(given),
           wanted.element.is_dtype() && given.element.is_dtype() ? text(wanted.element) + "(" + quote(argument) + ")"
                                                                 : "");
    }
    if (given.rank() == wanted.rank() && given.dims != wanted.dims) {
      std::string from;
      for (const Formula& dim : own[i].dims) {
        const std::optional<std::string> name = dim.lone_name();
        if (name && given_by.count(*name) != 0 && given_by[*name] != names[i]) {
          from += (from.empty() ? " with " : ", ") + *name + " = " + signature.dims.at(*name).text() + " from '" +
                  given_by[*name] + "'";
        }
      }
      std::string hint;
      for (size_t d = 0; d < wanted.rank(); ++d) {
        if (!(given.dims[d] == wanted.dims[d]))
          hint = wanted.dims[d].text() + " and " + given.dims[d].text() + " are different dims";
      }
      fail({argument.begin}, "E0712",
           shown + " is " + (from.empty() ? text(wanted) : text(own[i])) + from + ", but " + quote(argument) + " is " +
               text(given),
           hint);
    }
  }
  for (const Type& result : own_results) {
    Type type = replaced(result);
    if (signature.lifts) {
      if (type.rank() != 0)
        fail(expr.loc, "E0712", "'" + function.name + "' gives an array and is not lifted", "write the indices");
      type.dims = lifted;
      if (lifted_record.is_record()) {
        if (type.element.is_record())
          fail(expr.loc, "E0712", "'" + function.name + "' gives a record and is not done for each field");
        type.element = lifted_record;
      }
    }
    signature.results.push_back(type);
  }
  return signature;
}

std::vector<Type> Compiler::check_user_call(Expr& expr, const Function& function) {
  if (function.kind == Function::Kind::kEntry) {
    fail(expr.loc, "E0604", "'" + function.name + "' is an entry, which C++ calls",
         "fn " + function.name + "(...) for what the program calls itself");
  }
  std::string chain = function.name;
  for (const Call* call = call_; call != nullptr; call = call->caller) {
    if (call->function == nullptr) continue;
    chain = call->function->name + " -> " + chain;
    if (call->function != &function) continue;
    fail(expr.loc, "E0618", "'" + function.name + "' calls itself: " + chain,
         "use a loop: for t in 0..k carry (p: f32 = 1) { p' = p * x }");
  }
  expr.callee = &function;
  mention_function(function, expr.loc);
  return (signatures_[&expr] = match(expr, function)).results;
}

}  // namespace sinter::grain
