// Loops: a `while` over a tuple of the counter, what is carried, what is stacked, and what the body reads from outside.
// Where a loop is compiled for each of several indices, what it carries has them as leading axes.
#include <algorithm>
#include <set>

#include "frontend/grain/compiler.h"
#include "ir/module/variable.h"

namespace sinter::grain {
namespace {

// Tuple elements of stacks and of what is read from outside get their numbers when all are known.
constexpr size_t kOutside = size_t{1} << 20;
constexpr size_t kStacks = size_t{1} << 21;

// Indices of one list that another lacks are added to it; whether there were any.
bool add_missing(Frame& frame, const Frame& more) {
  bool added = false;
  for (const Index* index : more) {
    if (std::find(frame.begin(), frame.end(), index) != frame.end()) continue;
    frame.push_back(index);
    added = true;
  }
  return added;
}

// "state", "state_x"
std::string carry_name(const Carry& carry, const Leaf& leaf) {
  std::string path = leaf.path;
  std::replace(path.begin(), path.end(), '.', '_');
  return carry.name + (path.empty() ? "" : "_" + path);
}

}  // namespace

struct Compiler::LoopState {
  bool is_for = false;
  std::vector<Type> types;   // of the carries
  std::vector<Value> first;  // whose parts have the frames and intervals that hold for the loop
  Formula low, high;         // of `for`, where they are known
  bool trip_is_known = true;
  int64_t from = 0, trips = 0;
  Part from_value, trip_value;  // where they are not
  Loop loop;
};

// The carries' types and first values.
void Compiler::check_carries(const Statement& statement, LoopState& state) {
  for (const Carry& carry : statement.carries) {
    check_is_new(carry.name, carry.loc, false);
    std::optional<Type> declared;
    if (carry.type) declared = type_of(*carry.type);
    const auto result = call_->results.find(carry.name);
    if (!declared && result != call_->results.end()) declared = result->second;
    expected_ = declared ? &*declared : nullptr;
    Type type = check(*carry.first);
    expected_ = nullptr;
    if (type.element.is_open()) {
      if (!declared) {
        fail(carry.loc, "E0754",
             "nothing says of which type '" + carry.name + "' is: " + quote(*carry.first) +
                 " takes the type of what it meets",
             carry.name + ": s32 = " + quote(*carry.first));
      }
      settle(*carry.first, declared->element, carry.name);
      type.element = declared->element;
    }
    if (declared) {
      if (!(type.element == declared->element) || (type.rank() != 0 && type.dims != declared->dims)) {
        fail({carry.first->begin}, carry.type ? "E0763" : "E0755",
             carry.name + " is declared " + text(*declared) + ", " + quote(*carry.first) + " is " + text(type));
      }
      type = *declared;
    }
    state.types.push_back(type);
    resolve_ranges(statement_indices_);
    Value value;
    if (lowering_) value = broadcast_to(lower(*carry.first), type);
    value.type = type;
    state.first.push_back(value);
  }
}

// The block with the carries bound to `current`; gives the next values.
std::vector<Value> Compiler::compile_body(const Statement& statement, LoopState& state,
                                          const std::vector<Value>& current, const Part& step) {
  call_->scopes.emplace_back();
  const std::set<std::string> primes = call_->primes;
  call_->loops.push_back(&state.loop);
  struct Leave {
    Compiler& compiler;
    const std::set<std::string>& primes;
    ~Leave() {
      compiler.call_->loops.pop_back();
      compiler.call_->primes = primes;
      compiler.leave_scope();
    }
  };
  const Leave leave{*this, primes};
  if (state.is_for) {
    Binding& counter = bind(statement.counter, statement.counter_loc, "a counter");
    counter.value.type = Type::of(DType::kS32);
    if (lowering_) {
      Part part = step;
      if (state.trip_is_known) {
        if (statement.reverse) {
          part = arithmetic("-", one(DType::kS32, static_cast<double>(state.from + state.trips - 1)), step);
        } else if (state.from != 0) {
          part = arithmetic("+", step, one(DType::kS32, static_cast<double>(state.from)));
        }
        part.interval = Interval{state.from, state.from + state.trips - 1};
      } else {
        part = statement.reverse
                   ? arithmetic(
                         "-", arithmetic("+", state.from_value, arithmetic("-", state.trip_value, one(DType::kS32, 1))),
                         step)
                   : arithmetic("+", state.from_value, step);
        part.interval.reset();
      }
      part.value = builder_.here(part.value);
      counter.value.parts = {part};
    }
  }
  for (size_t i = 0; i < statement.carries.size(); ++i) {
    Binding& carry = bind(statement.carries[i].name, statement.carries[i].loc, "a carry");
    carry.value = current[i];
    carry.value.type = state.types[i];
    carry.quiet = true;
    call_->primes.insert(statement.carries[i].name);
  }
  compile_block(statement.block);
  for (const auto& inner : statement.block) {
    for (const Target& target : inner->targets) {
      if (!target.primed) call_->loop_locals[target.name] = {target.loc, statement.loc};
    }
  }
  std::vector<Value> next;
  for (size_t i = 0; i < statement.carries.size(); ++i) {
    const Carry& carry = statement.carries[i];
    const Binding* prime = find(carry.name + "'");
    if (prime == nullptr) {
      if (reported_.contains(said_of_carry(carry.name))) throw Abandoned();
      fail(carry.loc, "E0762", "'" + carry.name + "' is carried, but the step never gives " + carry.name + "'",
           "if it does not change, leave it out of carry and read " +
               (carry.first->kind == Expr::Kind::kName ? quote(*carry.first) : "its value"));
    }
    if (!prime->value.type.known()) throw Abandoned();
    if (!(prime->value.type == state.types[i])) {
      fail(prime->loc, "E0763",
           carry.name + " is " + text(state.types[i]) + ", " + carry.name + "' is " + text(prime->value.type));
    }
    next.push_back(prime->value);
  }
  return next;
}

// Lowers the body apart, to see which indices the next values have and within which bounds integers stay: until
// nothing changes.
void Compiler::try_body(const Statement& statement, LoopState& state) {
  const auto has_interval = [](const Value& value) {
    return std::any_of(value.parts.begin(), value.parts.end(),
                       [](const Part& part) { return part.interval.has_value(); });
  };
  const bool framed = !call_->ambient.empty();
  if (!framed && std::none_of(state.first.begin(), state.first.end(), has_interval)) return;
  std::set<std::pair<size_t, size_t>> widened;
  // What a condition of several indices decides is chosen for each of them.
  for (bool changed = true; changed;) {
    changed = false;
    scratch_.push_back(std::make_unique<Module>());
    Computation* body = scratch_.back()->add_computation("body");
    Instruction* parameter = body->add(Opcode::kParameter, Shape::tuple({}), {}, "state");
    Captures captures;
    captures.first = kOutside;
    builder_.begin(body, &captures, parameter);
    state.loop.parameter = parameter;
    state.loop.stacks_made.clear();
    Part step{builder_.tuple_element_as(parameter, 0, Shape::scalar(DType::kS32)), {}, std::nullopt};
    state.loop.step = step;
    std::vector<Value> current;
    for (const Value& first : state.first) {
      Value value = first;
      for (Part& part : value.parts) {
        Dims dims = frame_dims(part.frame), own = type_dims(part);
        dims.insert(dims.end(), own.begin(), own.end());
        part.value = builder_.tuple_element_as(parameter, 1, Shape::array(part.value->shape.dtype, dims));
      }
      current.push_back(value);
    }
    std::vector<Value> next;
    Frame chosen;
    try {
      chosen = state.is_for ? state.trip_value.frame : lower_condition(statement, current).frame;
      next = compile_body(statement, state, current, step);
    } catch (const Abandoned&) {
      builder_.end();
      throw;
    }
    builder_.end();
    for (size_t i = 0; i < next.size(); ++i) {
      for (size_t leaf = 0; leaf < next[i].parts.size(); ++leaf) {
        Part& part = state.first[i].parts[leaf];
        const Part& after = next[i].parts[leaf];
        Frame frame = part.frame;
        if (add_missing(frame, after.frame)) changed = true;
        if (add_missing(frame, chosen)) changed = true;
        if (frame.size() != part.frame.size()) part = {expand(part, frame, type_dims(part)), frame, part.interval};
        if (part.interval && !(after.interval && after.interval->within(*part.interval))) {
          // Wider once: what grows with every step has no bounds.
          const bool is_first = widened.insert({i, leaf}).second;
          part.interval = is_first ? hull(part.interval, after.interval) : std::nullopt;
          changed = true;
        }
      }
    }
  }
}

Part Compiler::lower_condition(const Statement& statement, const std::vector<Value>& current) {
  call_->scopes.emplace_back();
  for (size_t i = 0; i < statement.carries.size(); ++i) {
    Binding& carry = bind(statement.carries[i].name, statement.carries[i].loc, "a carry");
    carry.value = current[i];
    carry.quiet = true;
  }
  struct Leave {
    Compiler& compiler;
    ~Leave() { compiler.call_->scopes.pop_back(); }
  };
  const Leave leave{*this};
  Expr& condition = *statement.value;
  const Type type = check(condition);
  if (!type.element.is_pred() || type.rank() != 0) {
    std::string hint = type.element.is_pred()
                           ? "any[i](...) of its elements, or write the loop for one element and call it under an index"
                           : quote(condition) + " != 0";
    fail({condition.begin}, "E0761", "a while loop's condition is one pred, " + quote(condition) + " is " + text(type),
         hint);
  }
  resolve_ranges(statement_indices_);
  return lowering_ ? lower(condition).parts[0] : Part();
}

void Compiler::compile_loop(const Statement& statement) {
  LoopState state;
  state.is_for = statement.kind == Statement::Kind::kFor;
  state.loop.is_for = state.is_for;
  state.loop.counter = statement.counter;
  state.loop.loc = statement.loc;
  begin_statement(statement, state.is_for ? "for" : "while");
  if (state.is_for) {
    check_is_new(statement.counter, statement.counter_loc, true);
    for (const ExprPtr* bound : {&statement.low, &statement.high}) {
      const Type type = check(**bound);
      if (!formula(**bound)) {
        if (type.rank() != 0 || !type.element.is_integer()) {
          fail({(*bound)->begin}, "E0713", "a loop counts whole numbers, " + quote(**bound) + " is " + text(type));
        }
        state.trip_is_known = false;
      }
    }
    if (state.trip_is_known) {
      state.low = dimension(*statement.low, false);
      state.high = dimension(*statement.high, false);
      if (lowering_) {
        state.from = value_of(state.low, statement.low->loc);
        state.trips = value_of(state.high, statement.high->loc) - state.from;
        if (state.trips < 0)
          fail({statement.low->begin}, "E0648",
               "the range runs backwards: from " + std::to_string(state.from) + " to " +
                   std::to_string(state.from + state.trips),
               "for " + statement.counter + " in reverse 0..n");
      }
    } else if (lowering_) {
      settle(*statement.low, Element::of(DType::kS32));
      settle(*statement.high, Element::of(DType::kS32));
      state.from_value = lower(*statement.low).parts[0];
      const Part high = lower(*statement.high).parts[0];
      state.trip_value = arithmetic("-", high, state.from_value);
    }
    state.loop.stacks = state.trip_is_known;
    state.loop.low = state.low;
    state.loop.high = state.high;
  }
  check_carries(statement, state);
  if (lowering_) {
    lower_loop(statement, state);
    return;
  }
  if (!state.is_for) lower_condition(statement, state.first);
  compile_body(statement, state, state.first, Part());
  for (size_t i = 0; i < statement.carries.size(); ++i) {
    Binding& binding = bind(statement.carries[i].name, statement.carries[i].loc, "a definition");
    binding.value.type = state.types[i];
    binding.quiet = true;
  }
  for (const Loop::Stack& stacked : state.loop.stacks_made)
    bind(stacked.name, stacked.loc, "a definition").value.type = stacked.type;
}

void Compiler::lower_loop(const Statement& statement, LoopState& state) {
  try_body(statement, state);
  const size_t carried_from = state.is_for ? 1 : 0;
  const std::string base = call_->function->name + "_" + (state.is_for ? statement.counter : "while");
  Module& module = builder_.module();
  Captures captures;
  captures.first = kOutside;
  const Place place = builder_.place;
  // The element of each part, in the computation that is written.
  const auto elements = [&](Instruction* parameter) {
    std::vector<Value> current;
    size_t element = carried_from;
    for (size_t c = 0; c < state.first.size(); ++c) {
      Value value = state.first[c];
      const std::vector<Leaf> all = leaves(value.type.element);
      for (size_t leaf = 0; leaf < value.parts.size(); ++leaf) {
        Part& part = value.parts[leaf];
        part.value = builder_.tuple_element_as(parameter, element++,
                                               Shape::array(part.value->shape.dtype, part.value->shape.dims));
        builder_.name(part.value, carry_name(statement.carries[c], all[leaf]));
      }
      current.push_back(value);
    }
    return current;
  };
  Computation* condition = module.add_computation(base + "_condition");
  Computation* body = module.add_computation(base + "_body");
  Instruction* condition_state = condition->add(Opcode::kParameter, Shape::tuple({}), {}, "state");
  Instruction* body_state = body->add(Opcode::kParameter, Shape::tuple({}), {}, "state");

  // The body.
  std::vector<Instruction*> root;
  Frame choosing;
  builder_.begin(body, &captures, body_state);
  try {
    Part step;
    state.loop.parameter = body_state;
    state.loop.stacks_made.clear();
    if (state.is_for) {
      step = {builder_.tuple_element_as(body_state, 0, Shape::scalar(DType::kS32)), {}, std::nullopt};
      builder_.name(step.value, statement.counter);
      state.loop.step = step;
    }
    const std::vector<Value> current = elements(body_state);
    std::optional<Part> chosen;
    if (!state.trip_value.frame.empty()) {
      chosen = arithmetic("<", step, state.trip_value);
    } else if (!state.is_for) {
      // Computed again, where each index decides for itself.
      bool framed = false;
      for (const Value& value : current) {
        for (const Part& part : value.parts) framed = framed || !part.frame.empty();
      }
      if (framed) {
        const Part active = lower_condition(statement, current);
        if (!active.frame.empty()) chosen = active;
      }
    }
    const std::vector<Value> next = compile_body(statement, state, current, step);
    builder_.place = place;
    if (state.is_for) root.push_back(arithmetic("+", step, one(DType::kS32, 1)).value);
    for (size_t c = 0; c < next.size(); ++c) {
      const std::vector<Leaf> all = leaves(current[c].type.element);
      for (size_t leaf = 0; leaf < next[c].parts.size(); ++leaf) {
        const Part& now = current[c].parts[leaf];
        Part after = next[c].parts[leaf];
        if (chosen) after = elementwise(Opcode::kSelect, {*chosen, after, now});
        Instruction* given = builder_.here(expand(after, now.frame, type_dims(after)));
        if (given->opcode != Opcode::kGetTupleElement && carried_variable_of(*given).empty())
          set_carried_variable(*given, carry_name(statement.carries[c], all[leaf]));
        root.push_back(given);
      }
    }
    for (const Loop::Stack& stacked : state.loop.stacks_made) {
      for (Instruction* value : stacked.next) root.push_back(value);
    }
  } catch (const Abandoned&) {
    builder_.end();
    builder_.place = place;
    throw;
  }
  builder_.end();
  builder_.place = place;

  // The condition.
  builder_.begin(condition, &captures, condition_state);
  Part active;
  if (state.is_for) {
    const Part counter{builder_.tuple_element_as(condition_state, 0, Shape::scalar(DType::kS32)), {}, std::nullopt};
    active = arithmetic(
        "<", counter,
        state.trip_is_known ? Part{builder_.integer(DType::kS32, state.trips), {}, std::nullopt} : state.trip_value);
  } else {
    try {
      active = lower_condition(statement, elements(condition_state));
    } catch (const Abandoned&) {
      builder_.end();
      throw;
    }
  }
  // Until the last of several is done.
  if (!active.frame.empty()) {
    std::vector<Index*> all;
    for (const Index* index : active.frame) all.push_back(const_cast<Index*>(index));
    active = reduce_part(active, all, Opcode::kOr, 0);
  }
  condition->set_root(builder_.here(active.value));
  builder_.end();

  // Now all elements are known: counter, carries, stacks, outside.
  builder_.begin(body, &captures, body_state);
  const size_t own = root.size();
  size_t stack_count = 0;
  for (const Loop::Stack& stacked : state.loop.stacks_made) stack_count += stacked.next.size();
  for (size_t i = 0; i < captures.values.size(); ++i) {
    Attributes attributes;
    root.push_back(builder_.tuple_element_as(body_state, kOutside + i, captures.values[i]->shape));
  }
  Instruction* result = builder_.make_as(Opcode::kTuple, Shape(), root);
  std::vector<Shape> shapes;
  for (const Instruction* element : root) shapes.push_back(element->shape);
  const Shape shape = Shape::tuple(shapes);
  result->shape = shape;
  body->set_root(result);
  builder_.end();
  for (Instruction* parameter : {condition_state, body_state}) {
    parameter->shape = shape;
    for (Instruction* user : std::vector<Instruction*>(parameter->users())) {
      if (user->opcode != Opcode::kGetTupleElement) continue;
      auto element = static_cast<size_t>(*user->attributes->tuple_index);
      if (element >= kStacks) {
        element = own - stack_count + (element - kStacks);
      } else if (element >= kOutside) {
        element = own + (element - kOutside);
      } else {
        continue;
      }
      user->attributes.edit().tuple_index = static_cast<int64_t>(element);
    }
  }

  // Around the loop.
  std::vector<Instruction*> initial;
  if (state.is_for) initial.push_back(builder_.integer(DType::kS32, 0));
  for (const Value& value : state.first) {
    for (const Part& part : value.parts) initial.push_back(builder_.here(part.value));
  }
  for (const Loop::Stack& stacked : state.loop.stacks_made) {
    for (const Instruction* value : stacked.next) {
      initial.push_back(builder_.broadcast(builder_.number(value->shape.dtype, 0), value->shape.dims, {}));
    }
  }
  initial.insert(initial.end(), captures.values.begin(), captures.values.end());
  Attributes attributes;
  attributes.condition = condition;
  attributes.body = body;
  Instruction* loop = builder_.make_as(Opcode::kWhile, shape, {builder_.tuple(initial)}, attributes);
  if (statement.unroll > 0)
    loop->annotations.edit().frontend_attributes["sinter_unroll"] = std::to_string(statement.unroll);
  size_t element = carried_from;
  for (size_t c = 0; c < state.first.size(); ++c) {
    Value value = state.first[c];
    const std::vector<Leaf> all = leaves(value.type.element);
    for (size_t leaf = 0; leaf < value.parts.size(); ++leaf) {
      Part& part = value.parts[leaf];
      part.value = builder_.tuple_element(loop, element++);
      builder_.name(part.value, carry_name(statement.carries[c], all[leaf]));
    }
    Binding& binding = bind(statement.carries[c].name, statement.carries[c].loc, "a definition");
    binding.value = value;
    binding.value.type = state.types[c];
    binding.quiet = true;
  }
  for (const Loop::Stack& stacked : state.loop.stacks_made) {
    Binding& binding = bind(stacked.name, stacked.loc, "a definition");
    binding.value.type = stacked.type;
    for (size_t leaf = 0; leaf < stacked.next.size(); ++leaf) {
      Part part{builder_.tuple_element(loop, element++), stacked.frames[leaf], stacked.intervals[leaf]};
      builder_.name(part.value, stacked.name);
      binding.value.parts.push_back(part);
    }
    binding.quiet = call_->results.count(stacked.name) != 0;
  }
}

// name[t, ...] = value: element t of what outlives the loop.
void Compiler::stack(const Target& target, const Statement& statement, const Type& type, const Value& value) {
  (void)statement;
  Loop& loop = *call_->loops.back();
  Loop::Stack stacked;
  stacked.name = target.name;
  stacked.loc = target.loc;
  stacked.type = type;
  size_t made = 0;
  for (const Loop::Stack& other : loop.stacks_made) made += other.next.size();
  for (const Part& part : value.parts) {
    // (frame, t, the element's dimensions)
    const int64_t trips = value_of(loop.high - loop.low, target.loc);
    Dims dims = frame_dims(part.frame);
    const size_t axis = dims.size();
    Dims element = dims;
    dims.push_back(trips);
    element.push_back(1);
    const Dims own = type_dims(part);
    dims.insert(dims.end(), own.begin(), own.end());
    element.insert(element.end(), own.begin(), own.end());
    Instruction* whole =
        builder_.tuple_element_as(loop.parameter, kStacks + made++, Shape::array(part.value->shape.dtype, dims));
    builder_.name(whole, target.name);
    std::vector<Instruction*> operands = {whole, builder_.reshape(builder_.here(part.value), element)};
    Part place = loop.step;
    if (value_of(loop.low, target.loc) != 0 || find(loop.counter)->value.parts[0].value != loop.step.value) {
      place = find(loop.counter)->value.parts[0];
      const int64_t from = value_of(loop.low, target.loc);
      if (from != 0) place = arithmetic("-", place, one(DType::kS32, static_cast<double>(from)));
    }
    for (size_t d = 0; d < dims.size(); ++d) {
      operands.push_back(d == axis ? builder_.here(place.value) : builder_.integer(DType::kS32, 0));
    }
    stacked.next.push_back(trips == 0 ? whole : builder_.make(Opcode::kDynamicUpdateSlice, operands));
    stacked.frames.push_back(part.frame);
    stacked.intervals.push_back(part.interval);
  }
  loop.stacks_made.push_back(std::move(stacked));
}

}  // namespace sinter::grain
