// Calls of the program's functions: their blocks inline, with what the arguments bring.
#include <algorithm>

#include "frontend/grain/compiler.h"
#include "ir/module/device_functions.h"

namespace sinter::grain {

// The function's own names: parameters and declared results.
void Compiler::enter(Call& call, Loc loc) {
  count_work(loc);
  call.depth = call.caller == nullptr ? 0 : call.caller->depth + 1;
  if (call.depth > kMaxCalls) fail(loc, "E0607", "calls nest more than " + std::to_string(kMaxCalls) + " deep");
  const Function& function = *call.function;
  call.file = function.file;
  call.path = (call.caller != nullptr && !call.caller->path.empty() ? call.caller->path + "/" : "") + function.name;
  call.frame = builder_.place.frame;
  if (call.scopes.empty()) call.scopes.emplace_back();
}

// The block, or the expression, of the call that is current.
std::vector<Value> Compiler::run_function(const Function& function, Call& call) {
  const_cast<Function&>(function).is_checked = true;
  for (const Slot& result : function.results) {
    const Type type = type_of(*result.type);
    if (!result.name.empty()) {
      call.results[result.name] = type;
      call.result_locs[result.name] = result.loc;
    }
  }
  std::vector<Value> results;
  if (function.value) {
    const Type wanted = type_of(*function.results[0].type);
    Statement statement;
    statement.loc = {function.value->begin};
    Call* const current = call_;
    struct Restore {
      Compiler& compiler;
      const Statement* old;
      Place place;
      ~Restore() {
        compiler.statement_ = old;
        compiler.builder_.place = place;
      }
    };
    const Restore restore{*this, statement_, builder_.place};
    begin_statement(statement, "");
    statement_ = nullptr;
    sinter::check(current == call_, "grain", "a call is left open");
    expected_ = &wanted;
    const Type type = check(*function.value);
    expected_ = nullptr;
    if (type.element.is_open()) settle(*function.value, wanted.element, function.name);
    Type given = function.value->type;
    if (!(given == wanted)) {
      fail({function.value->begin}, "E0755",
           function.name + " gives " + text(wanted) + ", " + quote(*function.value) + " is " + text(given),
           wanted.element.is_dtype() && given.element.is_dtype() && given.dims == wanted.dims
               ? text(wanted.element) + "(" + quote(*function.value) + ")"
               : "");
    }
    resolve_ranges(statement_indices_);
    Value value;
    if (lowering_) value = lower(*function.value);
    value.type = wanted;
    results.push_back(value);
    return results;
  }
  const int errors = diagnostics_.error_count();
  compile_block(function.block);
  for (const Slot& result : function.results) {
    const Binding* found = find(result.name);
    if (found == nullptr && diagnostics_.error_count() > errors) throw Abandoned();
    if (found == nullptr) {
      std::string hint;
      for (const auto& [name, binding] : call_->scopes.back()) {
        if (!binding.used && !binding.quiet && binding.what == "a definition") {
          hint =
              "'" + name + "' at " + where(binding.loc) + " is defined and never used: is that '" + result.name + "'?";
        }
      }
      fail(result.loc, "E0602", "the result '" + result.name + "' is never defined", hint);
    }
    if (!found->value.type.known()) throw Abandoned();
    if (!(found->value.type == call.results[result.name])) {
      fail(found->loc, "E0755",
           result.name + " is declared " + text(call.results[result.name]) + ", it is " + text(found->value.type));
    }
    results.push_back(found->value);
  }
  return results;
}

std::vector<Value> Compiler::call_function(const Function& function, const Signature* signature,
                                           const std::vector<Value>& arguments, Loc loc) {
  if (function.kind != Function::Kind::kExtern) return call_body(function, signature, arguments, loc);
  return {call_header(function, arguments)};
}

// In HLO a custom call, bound to the function of its name in the header beside the file; what the function means, if
// that is written, is a computation that it calls.
Value Compiler::call_header(const Function& function, const std::vector<Value>& arguments) {
  // What is no element is reported where the function stands.
  const auto is_element = [](const Slot& slot) {
    return slot.type->dims.empty() && dtype_from_name(slot.type->name).has_value();
  };
  const bool of_elements = std::all_of(function.parameters.begin(), function.parameters.end(), is_element) &&
                           std::all_of(function.results.begin(), function.results.end(), is_element);
  if (function.parameters.empty() || function.results.size() != 1) {
    fail(function.loc, "E0759", "an extern function takes an element at least, and gives one",
         function.name + "(x: f32) -> f32");
  }
  if (!of_elements) throw Abandoned();
  Value result;
  result.type = type_of(*function.results[0].type);
  if (!lowering_) return result;
  std::vector<Part> parts;
  for (const Value& argument : arguments) parts.push_back(argument.parts[0]);
  Part part;
  part.frame = join(parts);
  std::vector<Instruction*> operands;
  for (const Part& operand : parts) operands.push_back(expand(operand, part.frame, {}));
  const std::string& file = function.file->source->name;
  const DeviceFunctionName name = {.header = file.substr(0, file.rfind('/') + 1) + function.header,
                                   .function = function.name};
  Attributes attributes;
  attributes.custom_call_target = to_string(name);
  if (function.value) attributes.called_computations = {meaning_of(function)};
  const Shape shape = Shape::array(result.type.element.dtype, frame_dims(part.frame));
  part.value = builder_.make_as(Opcode::kCustomCall, shape, operands, attributes);
  part.value->annotations.edit().frontend_attributes[kDeviceFunctionAttribute] = to_string(name);
  result.parts.push_back(part);
  return result;
}

Computation* Compiler::meaning_of(const Function& function) {
  Computation*& meaning = meanings_[&function];
  if (meaning != nullptr) return meaning;
  std::vector<Type> types;
  for (const Slot& parameter : function.parameters) types.push_back(type_of(*parameter.type));
  return meaning = function_computation(function, types, function.loc, Body::kMeaning);
}

std::vector<Value> Compiler::call_body(const Function& function, const Signature* signature,
                                       const std::vector<Value>& arguments, Loc loc) {
  Call call;
  call.function = &function;
  call.caller = call_;
  call.dims = brought_dims(function);
  call.values = dim_values_;
  if (signature != nullptr) {
    for (const auto& [name, formula] : signature->dims) call.values[name] = value_of(formula, loc);
    call.generics = signature->generics;
  }
  enter(call, loc);
  for (const Value& argument : arguments) {
    for (const Part& part : argument.parts) {
      for (const Index* index : part.frame) {
        if (std::find(call.ambient.begin(), call.ambient.end(), index) == call.ambient.end())
          call.ambient.push_back(index);
      }
    }
  }
  Call* outside = call_;
  std::vector<Index*> indices = std::move(statement_indices_);
  std::vector<IndexUse> uses = std::move(uses_);
  std::vector<const Expr*> reductions = std::move(reductions_);
  const Type* expected = expected_;
  const int depth = subscript_depth_;
  const Statement* statement = statement_;
  statement_indices_.clear();
  uses_.clear();
  reductions_.clear();
  expected_ = nullptr;
  subscript_depth_ = 0;
  call_ = &call;
  const auto leave = [&] {
    call_ = outside;
    statement_indices_ = std::move(indices);
    uses_ = std::move(uses);
    reductions_ = std::move(reductions);
    expected_ = expected;
    subscript_depth_ = depth;
    statement_ = statement;
  };
  std::vector<Value> results;
  try {
    for (size_t i = 0; i < function.parameters.size(); ++i) {
      const Slot& parameter = function.parameters[i];
      const Type type = type_of(*parameter.type);
      check_is_new(parameter.name, parameter.loc, false);
      Binding& binding = bind(parameter.name, parameter.loc, "a parameter");
      binding.value = arguments[i];
      binding.value.type = type;
    }
    results = run_function(function, call);
    leave_scope();
  } catch (const Abandoned&) {
    leave();
    throw;
  }
  leave();
  return results;
}

std::vector<Value> Compiler::lower_user_call(Expr& expr) {
  const Function& function = *expr.callee;
  std::vector<Value> arguments;
  for (size_t i = 0; i < function.parameters.size(); ++i) arguments.push_back(lower(**expr.placed[i]));
  const Signature copy = signatures_.at(&expr);
  if (!copy.lifts) return call_function(function, &copy, arguments, expr.loc);
  size_t count = 1;
  for (const Value& argument : arguments) {
    const size_t own = function.parameters.empty()
                           ? 1
                           : leaves(copy.parameters[static_cast<size_t>(&argument - arguments.data())].element).size();
    count = std::max(count, argument.parts.size() / std::max<size_t>(own, 1));
  }
  std::vector<Value> results(copy.results.size());
  for (size_t r = 0; r < results.size(); ++r) results[r].type = copy.results[r];
  for (size_t leaf = 0; leaf < count; ++leaf) {
    // The axes of this leaf, as indices.
    std::vector<Value> one_leaf;
    std::vector<const Index*> axes;
    for (size_t i = 0; i < arguments.size(); ++i) {
      Value value;
      value.type = copy.parameters[i];
      const size_t own = leaves(copy.parameters[i].element).size();
      const size_t begin = arguments[i].parts.size() == own ? 0 : leaf * own;
      for (size_t p = 0; p < own; ++p) {
        const Part& part = arguments[i].parts[begin + p];
        if (axes.empty()) {
          for (const int64_t extent : type_dims(part)) {
            Index* index = new_index("", expr.loc);
            index->extent = extent;
            index->high = Formula(extent);
            index->range = Index::Range::kWritten;
            axes.push_back(index);
          }
        }
        value.parts.push_back(lift(part, axes));
      }
      one_leaf.push_back(value);
    }
    // The first argument may be a single element where a later one has the axes.
    for (size_t i = 0; i < one_leaf.size(); ++i) {
      for (Part& part : one_leaf[i].parts) {
        if (part.type_rank() == axes.size() && !axes.empty()) part = lift(part, axes);
      }
    }
    const std::vector<Value> made = call_function(function, &copy, one_leaf, expr.loc);
    for (size_t r = 0; r < made.size(); ++r) {
      for (const Part& part : made[r].parts) results[r].parts.push_back(lower_axes(part, axes));
    }
  }
  return results;
}

// A function of elements as a computation of scalars: for reduce, scan and sort.
Computation* Compiler::function_computation(const Function& function, const std::vector<Type>& types, Loc loc,
                                            Body body) {
  Computation* computation = builder_.module().add_computation(function.name);
  Signature signature;
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    const TypeName& name = *function.parameters[i].type;
    for (const Generic& generic : function.generics) {
      if (generic.name == name.name) signature.generics[generic.name] = types[i].element;
    }
  }
  builder_.begin(computation);
  std::vector<Value> arguments;
  // Operands of HLO's reduce: all first values, then all second ones.
  for (size_t i = 0; i < types.size(); ++i) {
    Value value;
    value.type = types[i];
    for (const Leaf& leaf : leaves(types[i].element)) {
      std::string path = leaf.path;
      std::replace(path.begin(), path.end(), '.', '_');
      const std::string name = function.parameters[i].name + (path.empty() ? "" : "_" + path);
      value.parts.push_back({builder_.parameter(Shape::array(leaf.dtype, numbers(leaf.dims)), name), {}, std::nullopt});
    }
    arguments.push_back(value);
  }
  try {
    const bool is_meaning = body == Body::kMeaning;
    const std::vector<Value> results = is_meaning ? call_body(function, &signature, arguments, loc)
                                                  : call_function(function, &signature, arguments, loc);
    std::vector<Instruction*> elements;
    for (const Part& part : results[0].parts) elements.push_back(builder_.here(part.value));
    if (!is_meaning && !(results[0].type.element == types[0].element) && results[0].type.element.generic.empty()) {
      fail(loc, "E0756", "'" + function.name + "' gives " + text(results[0].type) + " of two " + text(types[0]));
    }
    computation->set_root(elements.size() == 1 ? elements[0] : builder_.tuple(elements));
  } catch (const Abandoned&) {
    builder_.end();
    throw;
  }
  builder_.end();
  return computation;
}

}  // namespace sinter::grain
