// Editing the state of a `while`, one tuple element (carry) at a time.
#include "passes/graph/while_carries.h"

#include <algorithm>
#include <unordered_set>

#include "ir/diagnostics.h"
#include "passes/graph/rewrite.h"

namespace sinter {
namespace {

bool is_only_taken_apart(const Instruction& tuple) {
  if (tuple.parent()->root() == &tuple) return false;
  return std::all_of(tuple.users().begin(), tuple.users().end(),
                     [](const Instruction* user) { return user->opcode == Opcode::kGetTupleElement; });
}

Instruction* state_of(const Computation& computation) {
  const std::vector<Instruction*> parameters = computation.parameters();
  check(parameters.size() == 1, "while", computation.name + " does not have one parameter");
  return parameters[0];
}

std::vector<Instruction*> elements_read(const Instruction& tuple, size_t i) {
  std::vector<Instruction*> result;
  for (Instruction* user : tuple.users()) {
    if (user->attributes->tuple_index.value() == static_cast<int64_t>(i)) result.push_back(user);
  }
  return result;
}

// Marks what `from` depends on; calls `reached` with the carry of every state element among it.
template <class Reached>
void mark(Instruction* from, std::unordered_set<const Instruction*>& marked, Reached reached) {
  std::vector<Instruction*> open{from};
  while (!open.empty()) {
    Instruction* instruction = open.back();
    open.pop_back();
    if (!marked.insert(instruction).second) continue;
    if (const std::optional<size_t> carry = carry_read(*instruction)) reached(*carry);
    open.insert(open.end(), instruction->operands().begin(), instruction->operands().end());
  }
}

// Renumbers the reads of a tuple that lost elements; reads of lost elements must be unused and go.
void renumber_reads(Instruction& tuple, const std::vector<int64_t>& new_index) {
  const std::vector<Instruction*> users = tuple.users();
  for (Instruction* read : users) {
    const int64_t index = new_index[static_cast<size_t>(read->attributes->tuple_index.value())];
    if (index < 0) {
      remove_instructions(*read->parent(), {read});
    } else {
      read->attributes.edit().tuple_index = index;
    }
  }
}

// The kept elements of `tuple` as a tuple of their own, before `position` (nullptr: at the end).
Instruction* kept_elements(Computation& computation, Instruction* position, Instruction* tuple,
                           const std::vector<bool>& keep, const Shape& kept_shape) {
  std::vector<Instruction*> elements;
  for (size_t i = 0; i < keep.size(); ++i) {
    if (!keep[i]) continue;
    if (tuple->opcode == Opcode::kTuple) {
      elements.push_back(tuple->operand(i));
      continue;
    }
    Instruction* read =
        computation.insert_before(position, Opcode::kGetTupleElement, tuple->shape.elements[i], {tuple});
    read->attributes.edit().tuple_index = static_cast<int64_t>(i);
    read->metadata = tuple->metadata;
    read->loc = tuple->loc;
    elements.push_back(read);
  }
  Instruction* kept = computation.insert_before(position, Opcode::kTuple, kept_shape, elements);
  kept->metadata = tuple->metadata;
  kept->loc = tuple->loc;
  return kept;
}

}  // namespace

std::optional<size_t> carry_read(const Instruction& instruction) {
  const bool reads =
      instruction.opcode == Opcode::kGetTupleElement && instruction.operand(0)->opcode == Opcode::kParameter;
  return reads ? std::optional(static_cast<size_t>(*instruction.attributes->tuple_index)) : std::nullopt;
}

bool CarriedLoop::is_taken_apart() const {
  return loop_.shape.is_tuple() && is_only_taken_apart(loop_) && is_only_taken_apart(*state_of(body())) &&
         is_only_taken_apart(*state_of(condition()));
}

Instruction* CarriedLoop::init(size_t i) const {
  return loop_.operand(0)->opcode == Opcode::kTuple ? loop_.operand(0)->operand(i) : nullptr;
}

Instruction* CarriedLoop::next(size_t i) const {
  return body().root()->opcode == Opcode::kTuple ? body().root()->operand(i) : nullptr;
}

std::vector<Instruction*> CarriedLoop::reads(Computation& computation, size_t i) const {
  return elements_read(*state_of(computation), i);
}

std::vector<Instruction*> CarriedLoop::reads_after(size_t i) const { return elements_read(loop_, i); }

std::vector<bool> CarriedLoop::live() const {
  std::vector<bool> live(count(), false);
  std::vector<size_t> open;
  const auto reached = [&](size_t i) {
    if (live[i]) return;
    live[i] = true;
    open.push_back(i);
  };
  for (const Instruction* read : loop_.users()) {
    const bool used = !read->users().empty() || read->parent()->root() == read;
    if (used) reached(static_cast<size_t>(read->attributes->tuple_index.value()));
  }
  std::unordered_set<const Instruction*> marked;
  mark(condition().root(), marked, reached);
  const ComputationSet effects = computations_with_effects(*body().parent());
  for (Computation* computation : {&body(), &condition()}) {
    for (Instruction& instruction : computation->instructions()) {
      if (has_effect(instruction, effects)) mark(&instruction, marked, reached);
    }
  }
  while (!open.empty()) {
    const size_t i = open.back();
    open.pop_back();
    mark(next(i) != nullptr ? next(i) : body().root(), marked, reached);
  }
  return live;
}

void CarriedLoop::replace(size_t i, Instruction* init) const {
  const Shape shape = init->shape;
  std::vector<Instruction*> inits = loop_.operand(0)->operands();
  inits[i] = init;
  std::vector<Shape> shapes = loop_.shape.elements;
  shapes[i] = shape;
  const Shape state = Shape::tuple(std::move(shapes));
  loop_.set_operands({insert_like(loop_, Opcode::kTuple, state, inits)});
  for (Instruction* tuple : {&loop_, body().root(), state_of(body()), state_of(condition())}) {
    tuple->shape = state;
    tuple->annotations.edit().sharding.clear();
    if (tuple == body().root()) continue;
    for (Instruction* read : elements_read(*tuple, i)) read->shape = shape;
  }
}

std::vector<Instruction*> CarriedLoop::add_invariants(const std::vector<Instruction*>& values) {
  Instruction* body_state = state_of(body());
  Instruction* next = body().root();
  std::vector<Instruction*> inits = loop_.operand(0)->operands();
  std::vector<Instruction*> results = next->operands();
  std::vector<Shape> shapes = loop_.shape.elements;
  std::vector<Instruction*> reads;
  for (Instruction* value : values) {
    Instruction* read = insert_like(*next, Opcode::kGetTupleElement, value->shape, {body_state});
    read->attributes.edit().tuple_index = std::ssize(shapes);
    inits.push_back(value);
    results.push_back(read);
    shapes.push_back(value->shape);
    reads.push_back(read);
  }
  const Shape state = Shape::tuple(std::move(shapes));
  loop_.set_operands({insert_like(loop_, Opcode::kTuple, state, inits)});
  next->set_operands(results);
  for (Instruction* tuple : {&loop_, next, body_state, state_of(condition())}) {
    tuple->shape = state;
    tuple->annotations.edit().sharding.clear();
  }
  // Read before whatever may read them.
  for (Instruction* read : reads) body().move_before(read, &body().instructions().front());
  body().sort();
  return reads;
}

bool CarriedLoop::keep_only(const std::vector<bool>& keep) {
  if (std::find(keep.begin(), keep.end(), false) == keep.end()) return false;
  Shape shape = Shape::tuple({});
  std::vector<int64_t> new_index;
  for (size_t i = 0; i < keep.size(); ++i) {
    new_index.push_back(keep[i] ? static_cast<int64_t>(shape.elements.size()) : -1);
    if (keep[i]) shape.elements.push_back(loop_.shape.elements[i]);
  }
  Computation& after = *loop_.parent();
  loop_.set_operands({kept_elements(after, &loop_, loop_.operand(0), keep, shape)});
  body().set_root(kept_elements(body(), nullptr, body().root(), keep, shape));

  const ComputationSet effects = computations_with_effects(*after.parent());
  for (Computation* computation : {&body(), &condition()}) {
    remove_dead_instructions(*computation, effects);
    Instruction* state = state_of(*computation);
    renumber_reads(*state, new_index);
    state->shape = shape;
    state->annotations.edit().sharding.clear();
  }
  renumber_reads(loop_, new_index);
  loop_.shape = shape;
  loop_.annotations.edit().sharding.clear();
  return true;
}

}  // namespace sinter
