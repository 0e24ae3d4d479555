// Blocks: definitions, branches, requirements. A statement in error leaves its names unknown; what uses them is silent.
#include <algorithm>

#include "frontend/grain/compiler.h"

namespace sinter::grain {

// What belongs to the statement that is compiled; calls in it have statements of their own.
struct Compiler::StatementState {
  explicit StatementState(Compiler& compiler)
      : compiler(compiler),
        indices(std::move(compiler.statement_indices_)),
        uses(std::move(compiler.uses_)),
        statement(compiler.statement_),
        reductions(std::move(compiler.reductions_)),
        depth(compiler.subscript_depth_),
        expected(compiler.expected_),
        place(compiler.builder_.place) {
    compiler.statement_indices_.clear();
    compiler.uses_.clear();
    compiler.reductions_.clear();
    compiler.subscript_depth_ = 0;
    compiler.expected_ = nullptr;
  }
  ~StatementState() {
    compiler.statement_indices_ = std::move(indices);
    compiler.uses_ = std::move(uses);
    compiler.statement_ = statement;
    compiler.reductions_ = std::move(reductions);
    compiler.subscript_depth_ = depth;
    compiler.expected_ = expected;
    compiler.builder_.place = place;
  }
  Compiler& compiler;
  std::vector<Index*> indices;
  std::vector<IndexUse> uses;
  const Statement* statement;
  std::vector<const Expr*> reductions;
  int depth;
  const Type* expected;
  Place place;
};

void Compiler::begin_statement(const Statement& statement, const std::string& name) {
  statement_ = &statement;
  builder_.place.loc = statement.loc;
  builder_.place.file = call_->file->source->name;
  const size_t slash = builder_.place.file.find_last_of('/');
  if (slash != std::string::npos) builder_.place.file.erase(0, slash + 1);
  if (builder_.place.file == "-") builder_.place.file = "stdin.grain";
  builder_.place.line = line_column(source(), statement.loc).line;
  builder_.place.op_name = call_->path + (name.empty() ? "" : "/" + name);
  SourceTables& tables = module_->tables;
  const auto row = [](auto& table, const auto& entry) {
    const auto found = std::find(table.begin(), table.end(), entry);
    if (found != table.end()) return static_cast<int64_t>(found - table.begin()) + 1;
    table.push_back(entry);
    return static_cast<int64_t>(table.size());
  };
  if (!lowering_) return;
  SourceTables::Location location;
  location.file = row(tables.files, builder_.place.file);
  location.function = row(tables.functions, call_->function != nullptr ? call_->function->name : std::string("file"));
  location.line = location.end_line = builder_.place.line;
  location.column = line_column(source(), statement.loc).column;
  location.end_column = location.column;
  builder_.place.frame = row(tables.frames, SourceTables::Frame{row(tables.locations, location), call_->frame + 1});
}

void Compiler::compile_block(const Block& block) {
  call_->blocks.push_back(&block);
  struct Leave {
    Call& call;
    ~Leave() { call.blocks.pop_back(); }
  };
  const Leave leave{*call_};
  for (const auto& statement : block) {
    try {
      compile_statement(*statement);
    } catch (const Abandoned&) {
      // What it defines is unknown.
      for (const Target& target : statement->targets) {
        const std::string name = target.name + (target.primed ? "'" : "");
        if (find(name) == nullptr) bind(name, target.loc, "a definition").quiet = true;
      }
      for (const Carry& carry : statement->carries) {
        if (find(carry.name) == nullptr) bind(carry.name, carry.loc, "a definition").quiet = true;
      }
      for (const Block* arm : {&statement->block, &statement->else_block}) {
        for (const auto& inner : *arm) {
          for (const Target& target : inner->targets) {
            if (!target.primed && find(target.name) == nullptr)
              bind(target.name, target.loc, "a definition").quiet = true;
          }
        }
      }
    }
  }
}

void Compiler::compile_statement(const Statement& statement) {
  const StatementState state(*this);
  begin_statement(statement, "");
  switch (statement.kind) {
    case Statement::Kind::kDefinition:
      return compile_definition(statement);
    case Statement::Kind::kFor:
    case Statement::Kind::kWhile:
      return compile_loop(statement);
    case Statement::Kind::kIf:
      return compile_branch(statement);
    case Statement::Kind::kRequire:
      return compile_require(statement);
  }
}

void Compiler::compile_require(const Statement& statement) {
  Expr& condition = *statement.value;
  const Type type = check(condition);
  if (!condition.number || !condition.number->is_pred) {
    fail({condition.begin}, "E0647",
         "a requirement is about dims and constants; '" + quote(condition) + "' is " + text(type));
  }
  if (lowering_ && condition.number->integer == 0)
    fail({condition.begin}, "E0647", quote(condition) + " does not hold");
}

// Warns of what was never used.
void Compiler::leave_scope() {
  for (const auto& [name, binding] : call_->scopes.back()) {
    if (binding.used || binding.quiet || !binding.value.type.known()) continue;
    if (binding.what == "a definition") warn(binding.loc, "W0601", "'" + name + "' is never used");
    if (binding.what == "a parameter" && call_->function->kind == Function::Kind::kEntry) {
      warn(binding.loc, "W0602", "the parameter '" + name + "' is never used; it stays in the interface");
    }
  }
  call_->scopes.pop_back();
}

Value Compiler::broadcast_to(const Value& value, const Type& type) {
  Value result;
  result.type = type;
  const std::vector<Leaf> all = leaves(type.element);
  for (size_t leaf = 0; leaf < value.parts.size(); ++leaf) {
    std::vector<Formula> formulas = type.dims;
    formulas.insert(formulas.end(), all[leaf].dims.begin(), all[leaf].dims.end());
    const Dims dims = numbers(formulas);
    const Part& part = value.parts[leaf];
    if (part.type_rank() == dims.size()) {
      result.parts.push_back(part);
      continue;
    }
    // A leaf's own dimensions stay behind those that are new.
    Dims where, all_dims = frame_dims(part.frame);
    for (size_t i = 0; i < part.frame.size(); ++i) where.push_back(static_cast<int64_t>(i));
    const size_t kept = part.type_rank();
    for (size_t i = 0; i < kept; ++i) where.push_back(static_cast<int64_t>(part.frame.size() + dims.size() - kept + i));
    all_dims.insert(all_dims.end(), dims.begin(), dims.end());
    result.parts.push_back({builder_.broadcast(builder_.here(part.value), all_dims, where), part.frame, part.interval});
  }
  return result;
}

// The value with the target's indices, and what its ':' stand for, as axes in the order on the left.
Value Compiler::close(const Target& target, const Value& value, const Type& type) {
  Value result;
  result.type = type;
  const size_t first = target.has_places && !call_->loops.empty() && call_->loops.back()->is_for &&
                               !target.places.empty() && target.places[0].name == call_->loops.back()->counter &&
                               !target.places[0].is_colon
                           ? 1
                           : 0;
  std::vector<const Index*> own;
  size_t colons = 0;
  for (size_t i = first; i < target.places.size(); ++i) {
    if (target.places[i].is_colon) {
      ++colons;
    } else {
      own.push_back(target.places[i].index);
    }
  }
  for (const Part& part : value.parts) {
    Part lowered = lower_axes(part, own);
    // (frame, own indices, colons, a leaf's dimensions) to the order on the left.
    Dims permutation;
    const size_t base = lowered.frame.size();
    for (size_t i = 0; i < base; ++i) permutation.push_back(static_cast<int64_t>(i));
    size_t index_place = base, colon_place = base + own.size();
    for (size_t i = first; i < target.places.size(); ++i) {
      permutation.push_back(static_cast<int64_t>(target.places[i].is_colon ? colon_place++ : index_place++));
    }
    for (size_t i = base + own.size() + colons; i < lowered.value->shape.dims.size(); ++i)
      permutation.push_back(static_cast<int64_t>(i));
    lowered.value = builder_.transpose(lowered.value, permutation);
    result.parts.push_back(lowered);
  }
  return result;
}

void Compiler::compile_definition(const Statement& statement) {
  const std::string first_name = statement.targets[0].name;
  begin_statement(statement, first_name);
  Loop* loop = call_->loops.empty() ? nullptr : call_->loops.back();
  call_->scopes.emplace_back();
  struct Leave {
    Compiler& compiler;
    bool done = false;
    void leave() {
      if (!done) compiler.call_->scopes.pop_back();
      done = true;
    }
    ~Leave() { leave(); }
  } leave{*this};

  // The left side: names and indices.
  std::vector<std::optional<Type>> declared(statement.targets.size());
  std::vector<bool> stacks(statement.targets.size());
  for (size_t t = 0; t < statement.targets.size(); ++t) {
    const Target& target = statement.targets[t];
    if (target.primed) {
      if (call_->primes.count(target.name) == 0) {
        const Binding* known = find(target.name);
        fail(target.loc, "E0615",
             target.name + "' is the next value of a carry, and " + target.name + " is " +
                 (known != nullptr ? known->what : "none"),
             loop == nullptr ? target.name + " = ..." : "carry (" + target.name + " = ...)");
      }
      if (const Binding* known = find(target.name + "'"))
        fail(target.loc, "E0613", target.name + "' is defined already, at " + where(known->loc));
      declared[t] = find(target.name)->value.type;
    } else {
      check_is_new(target.name, target.loc, false);
      if (const auto result = call_->results.find(target.name); result != call_->results.end())
        declared[t] = result->second;
    }
    if (statement.type && statement.targets.size() == 1) declared[t] = type_of(*statement.type);
    for (size_t i = 0; i < target.places.size(); ++i) {
      Binder& place = const_cast<Binder&>(target.places[i]);
      if (place.is_colon) continue;
      const bool is_counter = loop != nullptr && loop->is_for && place.name == loop->counter;
      if (is_counter) {
        if (i != 0) {
          fail(place.loc, "E0765", "the counter " + place.name + " comes first in what a loop stacks",
               "steps[" + place.name + ", i] = ..., and after the loop " + target.name + "[i, " + place.name +
                   "] = steps[" + place.name + ", i]");
        }
        if (!loop->stacks)
          fail(target.loc, "E0765", "how often this loop runs is known only when it runs; nothing stacks",
               "carry an array and write to it");
        stacks[t] = true;
        if (target.primed) fail(target.loc, "E0765", "a next value is no stack");
        find(place.name)->used = true;
        continue;
      }
      if (loop != nullptr && !loop->is_for && i == 0 && find(place.name) != nullptr &&
          find(place.name)->what == "a carry") {
        fail(target.loc, "E0765",
             "a while loop has no counter to stack by; how long '" + target.name + "' is would depend on data",
             "for t in 0..n, or carry an array and write to it: " + target.name + "' = " + target.name + " with [" +
                 place.name + "; drop] = ...");
      }
      // Several targets share their indices.
      Binding* known = find(place.name);
      const auto in_this = [&](const Target& other) {
        return std::any_of(other.places.begin(), other.places.end(),
                           [&](const Binder& p) { return &p != &place && p.name == place.name; });
      };
      if (known != nullptr && known->index != nullptr && t > 0 && in_this(statement.targets[0])) {
        place.index = known->index;
        continue;
      }
      if (known != nullptr && known->index != nullptr && in_this(target)) {
        fail(place.loc, "E0706", "'" + place.name + "' is there twice",
             "a diagonal: d[i, j] = if i == j then x[i] else 0");
      }
      Index* index = bind_index(place);
      if (index->range == Index::Range::kWritten && !index->low.is_zero()) {
        fail(place.loc, "E0708",
             "a definition gives its array from 0 on; " + place.name + " begins at " + index->low.text(),
             "with a base: " + target.name + " = x with [" + place.name + " in " + index->low.text() + ".." +
                 index->high.text() + "] = ...");
      }
      if (declared[t] && index->range == Index::Range::kNone && declared[t]->rank() == target.places.size()) {
        index->range = Index::Range::kDeclared;
        index->high = declared[t]->dims[i];
        const auto at = call_->result_locs.find(target.name);
        index->range_from =
            target.name + (target.primed ? "'" : "") + (at != call_->result_locs.end() ? ", " + where(at->second) : "");
      }
    }
    if (target.has_places && declared[t] && declared[t]->rank() != target.places.size()) {
      fail(target.places[0].loc, "E0705",
           target.name + " is declared " + text(*declared[t]) + ", " + std::to_string(target.places.size()) +
               (target.places.size() == 1 ? " index is" : " indices are") + " given");
    }
  }

  // The right side.
  Expr& value = *statement.value;
  if (statement.targets.size() == 1 && declared[0]) expected_ = &*declared[0];
  std::vector<Type> types;
  Expr& call = plain(value);
  if (statement.targets.size() == 1) {
    types = {check(value)};
  } else {
    if (call.kind != Expr::Kind::kCall) {
      fail({value.begin}, "E0755",
           std::to_string(statement.targets.size()) + " names are defined, " + quote(value) + " is one value");
    }
    call.type = Type();
    call.number.reset();
    call.indices.clear();
    call.callee = nullptr;
    types = check_results(call);
    value.indices = call.indices;
    if (types.size() != statement.targets.size()) {
      fail({value.begin}, "E0755",
           quote(call) + " gives " + std::to_string(types.size()) + (types.size() == 1 ? " value, " : " values, ") +
               std::to_string(statement.targets.size()) + " names are defined");
    }
  }
  for (size_t t = 0; t < types.size(); ++t) {
    const Target& target = statement.targets[t];
    if (!types[t].element.is_open()) continue;
    if (!declared[t]) {
      const bool both = plain(value).kind == Expr::Kind::kIf;
      fail(target.loc, "E0754",
           "nothing says of which type '" + target.name + "' is" + (both ? ": both arms are constants" : ""),
           target.name + ": f32 = ...");
    }
    settle(value, declared[t]->element, target.name);
    types[t].element = declared[t]->element;
  }
  // A right side of another rank is said below, and explains an index that it lacks.
  bool is_rank_right = true;
  for (size_t t = 0; t < types.size(); ++t) {
    const std::vector<Binder>& places = statement.targets[t].places;
    const auto is_colon = [](const Binder& place) { return place.is_colon; };
    const auto colons = static_cast<size_t>(std::count_if(places.begin(), places.end(), is_colon));
    if (statement.targets[t].has_places && colons != types[t].rank()) is_rank_right = false;
  }
  for (const Target& target : statement.targets) {
    for (const Binder& place : target.places) {
      if (!is_rank_right || place.is_colon || place.index == nullptr) continue;
      if (place.index->range == Index::Range::kWritten) continue;
      if (std::find(value.indices.begin(), value.indices.end(), place.index) != value.indices.end()) continue;
      std::string left = target.name + (target.primed ? "'" : "") + "[", zero, one_text, repaired;
      for (const Binder& other : target.places) {
        const std::string separator = zero.empty() ? "" : ", ";
        const std::string name = other.is_colon ? ":" : other.name;
        zero += separator + (&other == &place ? "0" : name);
        one_text += separator + (&other == &place ? "1" : name);
        repaired +=
            separator +
            (&other == &place
                 ? name + " in 0.." + (place.index->range == Index::Range::kDeclared ? place.index->high.text() : "n")
                 : name);
      }
      std::string hint = "if that is meant, write its range: " + left + repaired + "] = ...";
      if (loop != nullptr && loop->is_for && &place == &target.places[0] && target.places.size() > 1)
        hint = "did you mean '" + loop->counter + "', the loop's counter?";
      fail(place.loc, "E0703",
           "the right side does not use '" + place.name + "', so " + left + zero + "], " + left + one_text +
               "], ... would be equal",
           hint);
    }
  }
  resolve_ranges(statement_indices_);

  // What is defined.
  std::vector<Type> defined;
  for (size_t t = 0; t < types.size(); ++t) {
    const Target& target = statement.targets[t];
    const std::string name = target.name + (target.primed ? "'" : "");
    Type type;
    type.element = types[t].element;
    size_t colon = 0;
    const auto colons = static_cast<size_t>(
        std::count_if(target.places.begin(), target.places.end(), [](const Binder& p) { return p.is_colon; }));
    if (target.has_places && colons != types[t].rank()) {
      const std::string left = quote(target.loc.offset, value.begin);
      const std::string shown =
          left.substr(0, left.rfind(']') == std::string::npos ? left.size() : left.rfind(']') + 1);
      if (colons == 0) {
        // The operand that is an array.
        const Expr* array = &value;
        std::function<void(const Expr&)> look = [&](const Expr& part) {
          if (part.type.rank() == 0) return;
          if (part.kind == Expr::Kind::kName || part.kind == Expr::Kind::kAccess || part.kind == Expr::Kind::kPrimed)
            array = &part;
          if (part.kind == Expr::Kind::kBinary || part.kind == Expr::Kind::kUnary || part.kind == Expr::Kind::kParens ||
              part.kind == Expr::Kind::kIf) {
            for (const ExprPtr& child : part.children) look(*child);
          }
        };
        look(value);
        std::string hint =
            array->kind == Expr::Kind::kName ? "did you mean " + array->text + "[" + target.places[0].name + "]?" : "";
        fail({array->begin}, "E0707",
             shown + " is one element, but the right side is an array: " + quote(*array) + " is " + text(array->type),
             hint);
      }
      fail({value.begin}, "E0707",
           shown + " is an array of " + (colons == 1 ? "one dimension" : std::to_string(colons) + " dimensions") +
               ", but the right side is " + (types[t].rank() == 0 ? "one element" : text(types[t])),
           "write an index for each ':'");
    }
    for (const Binder& place : target.places) {
      if (place.is_colon) {
        type.dims.push_back(types[t].dims[colon++]);
      } else if (place.index != nullptr && !(stacks[t] && &place == &target.places[0])) {
        type.dims.push_back(place.index->high);
      }
    }
    if (!target.has_places) type.dims = types[t].dims;
    if (stacks[t]) type.dims.insert(type.dims.begin(), loop->high - loop->low);
    if (declared[t]) {
      const Type& wanted = *declared[t];
      const bool for_all = statement.type && types[t].rank() == 0 && !target.has_places;
      if (for_all) type.dims = wanted.dims;
      if (!(type.element == wanted.element)) {
        if (target.primed)
          fail(target.loc, "E0763", target.name + " is " + text(wanted) + ", " + name + " is " + text(type),
               wanted.element.is_dtype() ? text(wanted.element) + "(" + quote(value) + ")" : "");
        fail(target.loc, "E0755", name + " is declared " + text(wanted) + ", its elements are " + text(type.element),
             wanted.element.is_dtype() && type.element.is_dtype() ? text(wanted.element) + "(" + quote(value) + ")"
                                                                  : "");
      }
      if (type.dims != wanted.dims) {
        if (target.primed) {
          fail({value.begin}, "E0763",
               target.name + " is " + text(wanted) + ", " + name + " is " + text(type) +
                   ": a loop's state keeps its shape",
               type.rank() == 0 ? "give every element: " + name + "[i] = ..."
                                : "state a size that holds the last step, and update parts of it");
        }
        for (size_t d = 0; d < type.rank() && type.rank() == wanted.rank(); ++d) {
          if (type.dims[d] == wanted.dims[d]) continue;
          const bool is_index = d < target.places.size() && !target.places[d].is_colon;
          fail(stacks[t] && d == 0 ? target.loc
               : is_index          ? target.places[d].loc
                                   : target.loc,
               "E0711",
               name + " is declared with '" + wanted.dims[d].text() + "', " +
                   (is_index ? target.places[d].name + " runs over " : "the right side has ") + type.dims[d].text(),
               "-> (" + name + ": " + text(type) + ")");
        }
        fail(target.loc, "E0755", name + " is declared " + text(wanted) + ", the right side is " + text(type),
             type.rank() == 0 && wanted.rank() > 0
                 ? "an array of one value is written " + name + "[i in 0..n] = ..., or " + name + ": " + text(wanted) +
                       " = ... with its type"
                 : "");
      }
      type = wanted;
    }
    defined.push_back(type);
  }

  std::vector<Value> values(types.size());
  if (lowering_) {
    values = statement.targets.size() == 1 ? std::vector<Value>{lower(value)}
             : call.callee != nullptr      ? lower_user_call(call)
                                           : lower_library(call);
  }
  leave.leave();
  for (size_t t = 0; t < types.size(); ++t) {
    const Target& target = statement.targets[t];
    Value closed;
    if (lowering_) {
      values[t].type = types[t];
      Type element_type = defined[t];
      if (stacks[t]) element_type.dims.erase(element_type.dims.begin());
      closed = target.has_places ? close(target, values[t], element_type) : broadcast_to(values[t], element_type);
    }
    closed.type = defined[t];
    if (stacks[t]) {
      stack(target, statement, defined[t], closed);
    } else {
      define(target, statement, defined[t], std::move(closed));
    }
  }
}

void Compiler::define(const Target& target, const Statement& statement, const Type& type, Value value) {
  (void)statement;
  value.type = type;
  const std::vector<Leaf> all = leaves(type.element);
  for (size_t i = 0; i < value.parts.size(); ++i) {
    std::string name = target.name + (target.primed ? "_next" : "");
    std::string path = all[i].path;
    std::replace(path.begin(), path.end(), '.', '_');
    if (!path.empty()) name += "_" + path;
    builder_.name(builder_.here(value.parts[i].value), name);
  }
  Binding& binding = bind(target.name + (target.primed ? "'" : ""), target.loc, "a definition");
  binding.value = std::move(value);
  binding.quiet = target.primed || call_->results.count(target.name) != 0;
}

// if c { } else { }: a `conditional` where c is one for all, else both arms and a choice.
void Compiler::compile_branch(const Statement& statement) {
  Expr& condition = *statement.value;
  const Type type = check(condition);
  if (!type.element.is_pred() || type.rank() != 0) {
    fail({condition.begin}, "E0753", "a condition is one pred, " + quote(condition) + " is " + text(type),
         type.element.is_pred() ? "a choice for each element is y[i] = if c[i] then a[i] else b[i]" : "");
  }
  resolve_ranges(statement_indices_);
  const Value chosen = lowering_ ? lower(condition) : Value();
  const bool branches = lowering_ && chosen.parts[0].frame.empty() && builder_.captures_allowed();
  if (lowering_ && !branches) {
    warn(statement.loc, "W0766", "for each element both arms are computed, then one is chosen",
         "y = if " + quote(condition) + " then ... else ... says so");
  }
  struct Arm {
    std::map<std::string, Binding> names;
    std::vector<std::string> order;
    Computation* computation = nullptr;
    Instruction* parameter = nullptr;
    Captures captures;
    std::vector<Part> parts;
  };
  constexpr size_t kLater = size_t{1} << 20;
  Arm arms[2];
  for (int a = 0; a < 2; ++a) {
    Arm& arm = arms[a];
    const Block& block = a == 0 ? statement.block : statement.else_block;
    if (branches) {
      arm.computation = builder_.module().add_computation(call_->function->name + (a == 0 ? "_then" : "_else"));
      arm.parameter = arm.computation->add(Opcode::kParameter, Shape::tuple({}), {}, "outside");
      arm.captures.first = kLater;
      builder_.begin(arm.computation, &arm.captures, arm.parameter);
    }
    call_->scopes.emplace_back();
    compile_block(block);
    for (const auto& inner : block) {
      for (const Target& target : inner->targets) arm.order.push_back(target.name);
      for (const Carry& carry : inner->carries) arm.order.push_back(carry.name);
    }
    arm.names = call_->scopes.back();
    call_->scopes.pop_back();
    if (branches) builder_.end();
  }
  // Names of both arms; what only one of them has is its own, or a slip.
  std::vector<std::string> shared;
  std::string only_first, only_second;
  for (const std::string& name : arms[0].order) {
    if (arms[1].names.count(name) != 0)
      shared.push_back(name);
    else if (!arms[0].names[name].used)
      only_first = name;
  }
  for (const std::string& name : arms[1].order) {
    if (arms[0].names.count(name) == 0 && !arms[1].names[name].used) only_second = name;
  }
  if (!only_first.empty() || !only_second.empty() || shared.empty()) {
    const std::string second = only_second.empty() ? "" : "'" + only_second + "' is only in the second";
    const std::string first = only_first.empty() ? "" : "'" + only_first + "' only in the first";
    const Loc loc = !only_second.empty()  ? arms[1].names[only_second].loc
                    : !only_first.empty() ? arms[0].names[only_first].loc
                                          : statement.loc;
    fail(loc, "E0767",
         "the arms of a branch define the same names" + (second.empty() && first.empty() ? std::string() : ": ") +
             second + (second.empty() || first.empty() ? "" : ", ") + first,
         "a choice between two values is y = if c then a else b");
  }
  for (const std::string& name : shared) {
    const Type& x = arms[0].names[name].value.type;
    const Type& y = arms[1].names[name].value.type;
    if (!x.known() || !y.known()) throw Abandoned();
    if (!(x == y))
      fail(arms[1].names[name].loc, "E0751",
           "'" + name + "' is " + text(x) + " in the first arm and " + text(y) + " in the second");
  }
  std::map<std::string, Value> results;
  if (lowering_ && branches) {
    std::vector<Shape> shapes;
    for (int a = 0; a < 2; ++a) {
      Arm& arm = arms[a];
      builder_.begin(arm.computation, &arm.captures, arm.parameter);
      std::vector<Instruction*> elements;
      for (const std::string& name : shared) {
        for (const Part& part : arm.names[name].value.parts) {
          if (!part.frame.empty())
            fail(statement.loc, "E0690",
                 "a branch on one condition whose arms are computed for each element is not compiled yet",
                 "y = if c then a else b");
          elements.push_back(builder_.here(part.value));
        }
      }
      arm.computation->set_root(builder_.tuple(elements));
      builder_.end();
      std::vector<Shape> outside;
      for (const Instruction* value : arm.captures.values) outside.push_back(value->shape);
      arm.parameter->shape = Shape::tuple(outside);
      for (Instruction* user : std::vector<Instruction*>(arm.parameter->users())) {
        Attributes& attributes = user->attributes.edit();
        attributes.tuple_index = *attributes.tuple_index - static_cast<int64_t>(kLater);
      }
    }
    Attributes attributes;
    attributes.true_computation = arms[0].computation;
    attributes.false_computation = arms[1].computation;
    Instruction* first = builder_.tuple(arms[0].captures.values);
    Instruction* second = builder_.tuple(arms[1].captures.values);
    Instruction* both = builder_.make_as(Opcode::kConditional, arms[0].computation->root()->shape,
                                         {chosen.parts[0].value, first, second}, attributes);
    size_t element = 0;
    for (const std::string& name : shared) {
      Value value;
      for (size_t i = 0; i < arms[0].names[name].value.parts.size(); ++i) {
        value.parts.push_back({builder_.tuple_element(both, element++), {}, std::nullopt});
      }
      results[name] = value;
    }
  } else if (lowering_) {
    for (const std::string& name : shared) {
      results[name] =
          by_leaf(arms[0].names[name].value.type, {chosen, arms[0].names[name].value, arms[1].names[name].value},
                  [&](const std::vector<Part>& parts) { return elementwise(Opcode::kSelect, parts); });
    }
  }
  for (const std::string& name : shared) {
    const Type result_type = arms[0].names[name].value.type;
    Target target;
    const bool primed = name.size() > 1 && name.back() == '\'';
    target.name = primed ? name.substr(0, name.size() - 1) : name;
    target.primed = primed;
    target.loc = arms[0].names[name].loc;
    define(target, statement, result_type, results[name]);
  }
}

}  // namespace sinter::grain
