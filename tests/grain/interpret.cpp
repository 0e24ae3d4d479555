// Files, calls and statements.
#include "tests/grain/interpret.h"

#include <algorithm>

namespace sinter::grain_test {

using grain::Block;
using grain::Expr;
using grain::Function;
using grain::Slot;
using grain::Statement;
using grain::Target;
using grain::TypeName;

std::vector<Literal> interpret(const Source& source, const GrainOptions& options, const std::vector<Literal>& inputs) {
  return Interpreter(options).run(source, inputs);
}

const Names& Interpreter::load(const Source& source, bool is_main) {
  if (const auto known = files_.find(source.name); known != files_.end()) return *known->second;
  Diagnostics diagnostics(source);
  const std::shared_ptr<const Source> shared(&source, [](const Source*) {});
  auto names = std::make_unique<Names>();
  names->file = grain::Parser(diagnostics, shared, static_cast<int>(files_.size())).parse_file();
  if (!diagnostics.ok()) throw Unknown("the text cannot be parsed");
  for (const auto& import : names->file->imports) {
    const size_t slash = source.name.find_last_of('/');
    const std::string path = (slash == std::string::npos ? "" : source.name.substr(0, slash + 1)) + import.path;
    std::string error;
    const std::optional<std::string> text = options_.read_file(path, error);
    if (!text) throw Unknown("an import cannot be read");
    sources_.push_back(std::make_unique<Source>(Source{path, *text}));
    const Names& other = load(*sources_.back(), false);
    for (const auto& [name, loc] : import.names) {
      if (other.functions.count(name) != 0) names->functions[name] = other.functions.at(name);
      if (other.records.count(name) != 0) names->records[name] = other.records.at(name);
      if (other.constants.count(name) != 0) names->constants[name] = other.constants.at(name);
    }
  }
  for (const auto& record : names->file->records) {
    record->file = names->file.get();
    names->records[record->name] = record.get();
  }
  for (const auto& function : names->file->functions) {
    function->file = names->file.get();
    names->functions[function->name] = function.get();
  }
  // Dims and constants in the order in which they stand, each kind by itself.
  Call call;
  call.names = names.get();
  call.scopes.emplace_back();
  Call* outside = call_;
  call_ = &call;
  for (const auto& dim : names->file->dims) {
    const auto given = is_main ? options_.dims.find(dim.name) : options_.dims.end();
    names->constants[dim.name] =
        given != options_.dims.end() ? Value::whole(given->second) : Value::whole(integer(*dim.value));
  }
  for (const auto& constant : names->file->constants) {
    Value value = evaluate(*constant.value);
    if (constant.type) value = settled(value, *dtype_from_name(constant.type->name));
    names->constants[constant.name] = value;
  }
  for (const auto& weights : names->file->weights) {
    // Those that the compiler was given.
    std::string error;
    const std::optional<std::vector<Literal>> tensors = options_.read_tensors(weights.path, {}, error);
    if (!tensors) throw Unknown("weights cannot be read");
    size_t next = 0;
    names->constants[weights.name] = read_parameter(*weights.type, {}, *tensors, next);
  }
  call_ = outside;
  return *(files_[source.name] = std::move(names));
}

std::vector<Literal> Interpreter::run(const Source& source, const std::vector<Literal>& inputs) {
  const Names& names = load(source, true);
  const Function* entry = names.file->entries.at(0);
  for (const Function* other : names.file->entries) {
    if (other->name == options_.entry) entry = other;
  }
  Call types;
  types.names = &names;
  types.scopes.emplace_back();
  call_ = &types;
  std::vector<Value> arguments;
  size_t next = 0;
  for (const Slot& parameter : entry->parameters) {
    arguments.push_back(read_parameter(*parameter.type, {}, inputs, next));
  }
  std::vector<Literal> results;
  for (const Value& value : call(*entry, names, std::move(arguments))) write_result(value, results);
  return results;
}

Value Interpreter::read_parameter(const TypeName& type, Dims leading, const std::vector<Literal>& inputs,
                                  size_t& next) {
  for (const auto& dim : type.dims) leading.push_back(integer(*dim));
  Value value;
  value.dims = leading;
  if (type.name == "key") {
    // Two words, which follow each other in memory.
    value.kind = Value::Kind::kRecord;
    const Value words = from_literal(inputs.at(next++));
    for (int64_t word = 0; word < 2; ++word) {
      Value field = Value::array(DType::kU32, leading);
      for (size_t i = 0; i < field.many->size(); ++i) (*field.many)[i] = words.cell(2 * i + static_cast<size_t>(word));
      value.fields.push_back(leading.empty() ? part(field, {}) : field);
      if (leading.empty()) value.fields.back().one = words.cell(static_cast<size_t>(word));
      if (leading.empty()) value.fields.back().many = nullptr;
    }
    return value;
  }
  if (dtype_from_name(type.name)) return from_literal(inputs.at(next++));
  const grain::Record* record = call_->names->records.at(type.name);
  value.kind = Value::Kind::kRecord;
  value.record = record;
  std::map<std::string, int64_t> arguments;
  for (size_t i = 0; i < record->dims.size(); ++i) arguments[record->dims[i]] = integer(*type.arguments[i]);
  // A record's fields are in terms of its own dimensions and its file's names.
  Call inside;
  inside.names = call_->names;
  for (const auto& [path, names] : files_) {
    if (names->file.get() == record->file) inside.names = names.get();
  }
  inside.dims = arguments;
  inside.scopes.emplace_back();
  Call* outside = call_;
  call_ = &inside;
  for (const Slot& field : record->fields) value.fields.push_back(read_parameter(*field.type, leading, inputs, next));
  call_ = outside;
  return value;
}

void Interpreter::write_result(const Value& value, std::vector<Literal>& results) {
  if (value.is_record() && value.record == nullptr) {
    Dims dims = value.dims;
    dims.push_back(2);
    Value words = Value::array(DType::kU32, dims);
    for (size_t i = 0; i < words.many->size(); ++i) (*words.many)[i] = value.fields[i % 2].cell(i / 2);
    results.push_back(to_literal(words));
  } else if (value.is_record()) {
    for (const Value& field : value.fields) write_result(field, results);
  } else {
    results.push_back(to_literal(value));
  }
}

const Value* Interpreter::find(const std::string& name) const {
  for (size_t i = call_->scopes.size(); i-- > 0;) {
    const auto found = call_->scopes[i].find(name);
    if (found != call_->scopes[i].end()) return &found->second;
  }
  return nullptr;
}

// The names of dimensions in a parameter's type, from the argument.
void Interpreter::bind_dims(const TypeName& type, const Value& value) {
  const auto give = [&](const Expr& expr, int64_t number) {
    if (expr.kind != Expr::Kind::kName || call_->names->constants.count(expr.text) != 0) return;
    call_->dims.emplace(expr.text, number);
  };
  const size_t own = type.dims.size();
  if (value.dims.size() < own) throw Meaningless("an argument has too few dimensions");
  for (size_t i = 0; i < own; ++i) give(*type.dims[i], value.dims[i]);
  if (!value.is_record() || value.record == nullptr) return;
  for (size_t i = 0; i < type.arguments.size(); ++i) {
    const std::string& name = value.record->dims[i];
    for (size_t f = 0; f < value.fields.size(); ++f) {
      const TypeName& field = *value.record->fields[f].type;
      for (size_t d = 0; d < field.dims.size(); ++d) {
        if (field.dims[d]->kind == Expr::Kind::kName && field.dims[d]->text == name) {
          give(*type.arguments[i], value.fields[f].dims[value.dims.size() + d]);
        }
      }
    }
  }
}

std::vector<Value> Interpreter::call(const Function& function, const Names& names, std::vector<Value> arguments) {
  Call inside;
  inside.function = &function;
  inside.names = &names;
  inside.scopes.emplace_back();
  Call* outside = call_;
  call_ = &inside;
  struct Leave {
    Interpreter& interpreter;
    Call* outside;
    ~Leave() { interpreter.call_ = outside; }
  } leave{*this, outside};
  for (size_t i = 0; i < arguments.size(); ++i) bind_dims(*function.parameters[i].type, arguments[i]);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& type = function.parameters[i].type->name;
    for (const grain::Generic& generic : function.generics) {
      if (generic.name == type && arguments[i].is_typed()) inside.generics.emplace(type, arguments[i].dtype);
    }
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Slot& parameter = function.parameters[i];
    const Declared type = declared(*parameter.type);
    if (arguments[i].is_open() && type.dtype) arguments[i] = settled(arguments[i], *type.dtype);
    bind(parameter.name, arguments[i]);
  }
  if (function.value) {
    const Declared type = declared(*function.results[0].type);
    find_ranges(*function.value, {});
    Value value = evaluate(*function.value, {type.dtype, nullptr});
    if (type.dtype && value.is_open()) value = settle(value, *function.value, *type.dtype);
    return {value};
  }
  run_block(function.block);
  std::vector<Value> results;
  for (const Slot& result : function.results) {
    const Value* value = find(result.name);
    if (value == nullptr) throw Meaningless("a result is not defined: " + result.name);
    results.push_back(*value);
  }
  return results;
}

// A function of elements is called for each element of arrays, and for each field of records.
std::vector<Value> Interpreter::call_lifted(const Function& function, std::vector<Value> arguments) {
  const Names* names = call_->names;
  for (const auto& [path, known] : files_) {
    if (known->file.get() == function.file) names = known.get();
  }
  const bool of_elements = std::all_of(function.parameters.begin(), function.parameters.end(),
                                       [](const Slot& parameter) { return parameter.type->dims.empty(); });
  if (!of_elements) return call(function, *names, std::move(arguments));
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& type = function.parameters[i].type->name;
    if (!arguments[i].is_record() || names->records.count(type) != 0 || type == "key") continue;
    std::vector<Value> made(function.results.size(), arguments[i]);
    for (size_t field = 0; field < arguments[i].fields.size(); ++field) {
      std::vector<Value> of_field;
      for (const Value& argument : arguments)
        of_field.push_back(argument.is_record() ? argument.fields[field] : argument);
      const std::vector<Value> results = call_lifted(function, of_field);
      for (size_t result = 0; result < made.size(); ++result) made[result].fields[field] = results.at(result);
    }
    return made;
  }
  const Value* array = nullptr;
  for (const Value& argument : arguments) {
    if (!argument.dims.empty()) array = &argument;
  }
  if (array == nullptr) return call(function, *names, std::move(arguments));
  const Dims dims = array->dims;
  std::vector<std::vector<Value>> elements(function.results.size());
  each_place(dims, [&](const Dims& place) {
    std::vector<Value> single;
    for (const Value& argument : arguments) single.push_back(argument.dims.empty() ? argument : part(argument, place));
    std::vector<Value> results = call(function, *names, std::move(single));
    for (size_t i = 0; i < results.size(); ++i) elements[i].push_back(std::move(results[i]));
  });
  std::vector<Value> results;
  for (const auto& of_result : elements) {
    if (of_result.empty()) throw Unknown("a function of nothing");
    results.push_back(stacked(dims, of_result, of_result[0]));
  }
  return results;
}

Interpreter::Declared Interpreter::declared(const TypeName& type) {
  Declared result;
  result.dtype = dtype_from_name(type.name);
  if (const auto generic = call_->generics.find(type.name); generic != call_->generics.end())
    result.dtype = generic->second;
  result.dims.emplace();
  for (const auto& dim : type.dims) result.dims->push_back(integer(*dim));
  return result;
}

Interpreter::Declared Interpreter::declared(const Target& target, const Statement& statement) {
  if (statement.type) return declared(*statement.type);
  if (target.primed) {
    const Value* now = find(target.name);
    if (now == nullptr) return {};
    Declared result;
    if (now->is_typed()) result.dtype = now->dtype;
    result.dims = now->dims;
    return result;
  }
  for (const Slot& slot : call_->function->results) {
    if (slot.name == target.name) return declared(*slot.type);
  }
  return {};
}

// A value given for all of a declared type.
Value Interpreter::fitted(Value value, const Declared& type) {
  if (type.dtype && value.is_open()) value = settled(value, *type.dtype);
  if (type.dims && value.dims.empty() && !type.dims->empty()) return repeated(value, *type.dims);
  return value;
}

void Interpreter::run_block(const Block& block) {
  for (const auto& statement : block) {
    switch (statement->kind) {
      case Statement::Kind::kDefinition:
        run_definition(*statement);
        break;
      case Statement::Kind::kFor:
      case Statement::Kind::kWhile:
        run_loop(*statement);
        break;
      case Statement::Kind::kIf:
        find_ranges(*statement->value, {});
        run_block(evaluate(*statement->value).one.integer != 0 ? statement->block : statement->else_block);
        break;
      case Statement::Kind::kRequire:
        break;
    }
  }
}

void Interpreter::run_definition(const Statement& statement) {
  const std::vector<Target>& targets = statement.targets;
  // The indices of the left sides, in the order of their first use; a loop's counter makes a stack.
  std::vector<std::pair<std::string, Range>> indices;
  find_ranges(statement);
  const auto is_stack = [&](const Target& target) {
    return !target.places.empty() && !target.places[0].is_colon && !call_->loops.empty() &&
           target.places[0].name == call_->loops.back()->counter;
  };
  for (const Target& target : targets) {
    for (size_t p = is_stack(target) ? 1 : 0; p < target.places.size(); ++p) {
      const grain::Binder& place = target.places[p];
      const auto is_this = [&](const auto& index) { return index.first == place.name; };
      if (place.is_colon || std::any_of(indices.begin(), indices.end(), is_this)) continue;
      indices.emplace_back(place.name, call_->ranges.at(&place));
    }
  }
  const Declared type = declared(targets[0], statement);
  Wanted wanted{type.dtype, type.dims && !targets[0].has_places ? &*type.dims : nullptr};
  const auto compute = [&]() -> std::vector<Value> {
    const Expr& value = plain(*statement.value);
    if (targets.size() > 1) return evaluate_call(value, {});
    return {evaluate(*statement.value, wanted)};
  };
  std::vector<std::vector<Value>> elements(targets.size());
  const auto take = [&] {
    std::vector<Value> values = compute();
    for (size_t t = 0; t < targets.size(); ++t) elements[t].push_back(std::move(values.at(t)));
  };
  each_index(indices, take);
  std::vector<Value> like;
  if (elements[0].empty()) {
    const bool was_probing = probes_;
    probes_ = true;
    for (const auto& [name, range] : indices) call_->indices[name] = range.low;
    like = compute();
    for (const auto& [name, range] : indices) call_->indices.erase(name);
    probes_ = was_probing;
  }
  Dims outer;
  for (const auto& [name, range] : indices) outer.push_back(range.high - range.low);
  for (size_t t = 0; t < targets.size(); ++t) {
    const Target& target = targets[t];
    Value value = stacked(outer, elements[t], elements[t].empty() ? like.at(t) : elements[t][0]);
    const Declared own = declared(target, statement);
    // From indices, then what each has, to the order of the places.
    std::vector<size_t> order;
    size_t colon = indices.size();
    for (size_t p = is_stack(target) ? 1 : 0; p < target.places.size(); ++p) {
      if (target.places[p].is_colon) {
        order.push_back(colon++);
        continue;
      }
      for (size_t i = 0; i < indices.size(); ++i) {
        if (indices[i].first == target.places[p].name) order.push_back(i);
      }
    }
    if (target.has_places) value = transposed(value, order);
    if (is_stack(target)) {
      if (own.dtype && value.is_open()) value = settled(value, *own.dtype);
      call_->loops.back()->stacks[target.name][call_->loops.back()->step] = value;
      continue;
    }
    value = fitted(value, target.has_places ? Declared{own.dtype, std::nullopt} : own);
    if (own.dims && value.dims != *own.dims) throw Meaningless(target.name + " has not its declared shape");
    bind(target.name + (target.primed ? "'" : ""), value);
  }
}

void Interpreter::run_loop(const Statement& statement) {
  const bool is_for = statement.kind == Statement::Kind::kFor;
  Call::Loop loop;
  loop.counter = is_for ? statement.counter : "";
  if (is_for) {
    loop.low = integer(*statement.low);
    loop.high = integer(*statement.high);
  }
  std::map<std::string, Value> state;
  for (const grain::Carry& carry : statement.carries) {
    Declared type;
    if (carry.type) {
      type = declared(*carry.type);
    } else {
      for (const Slot& slot : call_->function->results) {
        // It is declared where a result of its name is.
        if (slot.name == carry.name) type = declared(*slot.type);
      }
    }
    const Wanted wanted{type.dtype, type.dims ? &*type.dims : nullptr};
    find_ranges(*carry.first, wanted);
    Value first = evaluate(*carry.first, wanted);
    if (first.is_open() && type.dtype) first = settle(first, *carry.first, *type.dtype);
    state[carry.name] = fitted(first, type);
  }
  const auto enter = [&] {
    call_->scopes.emplace_back();
    for (const auto& [name, value] : state) bind(name, value);
  };
  call_->loops.push_back(&loop);
  int64_t done = 0;
  for (;;) {
    if (probes_ && done == 1) break;
    enter();
    if (is_for) {
      if (done >= loop.high - loop.low && !(probes_ && done == 0)) break;
      loop.step = statement.reverse ? loop.high - 1 - done : loop.low + done;
      bind(loop.counter, Value::integer(DType::kS32, loop.step));
    } else {
      find_ranges(*statement.value, {});
      if (evaluate(*statement.value).one.integer == 0 && !probes_) break;
    }
    ++done;
    run_block(statement.block);
    for (auto& [name, value] : state) {
      const Value* next = find(name + "'");
      if (next == nullptr) throw Meaningless("a carry has no next value: " + name);
      if (next->dims != value.dims) throw Meaningless("a carry changes its shape: " + name);
      value = *next;
    }
    call_->scopes.pop_back();
  }
  if (!probes_ || done != 1) call_->scopes.pop_back();
  call_->loops.pop_back();
  for (const auto& [name, value] : state) bind(name, value);
  for (const auto& [name, by_step] : loop.stacks) {
    std::vector<Value> elements;
    for (const auto& [step, value] : by_step) elements.push_back(value);
    bind(name, stacked({static_cast<int64_t>(elements.size())}, elements, elements.at(0)));
  }
}

}  // namespace sinter::grain_test
