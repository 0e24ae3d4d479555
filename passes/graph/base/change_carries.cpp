#include "passes/graph/base/change_carries.h"

#include <algorithm>
#include <iterator>
#include <list>
#include <utility>

#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

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

bool hands_on(const Instruction& user, size_t slot, const Instruction& read) {
  return &user == user.parent()->root() && user.opcode == Opcode::kTuple &&
         static_cast<int64_t>(slot) == read.attributes->tuple_index.value();
}

bool is_used(const Instruction& read) {
  if (read.parent()->root() == &read) return true;
  for (const Instruction* user : read.users()) {
    for (size_t slot = 0; slot < user->operands().size(); ++slot) {
      if (user->operand(slot) == &read && !hands_on(*user, slot, read)) return true;
    }
  }
  return false;
}

bool replace_read(Instruction& read, Instruction* value) {
  bool changed = false;
  const std::vector<Instruction*> users = read.users();
  for (Instruction* user : users) {
    for (size_t slot = 0; slot < user->operands().size(); ++slot) {
      if (user->operand(slot) != &read || hands_on(*user, slot, read)) continue;
      user->set_operand(slot, value);
      changed = true;
    }
  }
  if (read.parent()->root() == &read) {
    read.parent()->set_root(value);
    changed = true;
  }
  return changed;
}

void replace_carry(const CarriedLoop& loop, size_t i, Instruction* init) {
  const Shape shape = init->shape;
  std::vector<Instruction*> inits = loop.loop().operand(0)->operands();
  inits[i] = init;
  std::vector<Shape> shapes = loop.loop().shape.elements;
  shapes[i] = shape;
  const Shape state = Shape::tuple(std::move(shapes));
  loop.loop().set_operands({insert_like(loop.loop(), Opcode::kTuple, state, inits)});
  for (Instruction* tuple : {&loop.loop(), loop.body().root(), loop.state(loop.body()), loop.state(loop.condition())}) {
    tuple->shape = state;
    tuple->annotations.edit().sharding.clear();
    if (tuple == loop.body().root()) continue;
    for (Instruction* read : tuple->users()) {
      if (read->attributes->tuple_index == static_cast<int64_t>(i)) read->shape = shape;
    }
  }
}

bool can_add_carries(const CarriedLoop& loop) {
  const Instruction& next = *loop.body().root();
  return loop.is_taken_apart() && loop.loop().operand(0)->opcode == Opcode::kTuple && next.opcode == Opcode::kTuple &&
         next.users().empty();
}

std::vector<Instruction*> add_invariants(const CarriedLoop& loop, const std::vector<Instruction*>& values) {
  Instruction* body_state = loop.state(loop.body());
  Instruction* next = loop.body().root();
  std::vector<Instruction*> inits = loop.loop().operand(0)->operands();
  std::vector<Instruction*> results = next->operands();
  std::vector<Shape> shapes = loop.loop().shape.elements;
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
  loop.loop().set_operands({insert_like(loop.loop(), Opcode::kTuple, state, inits)});
  next->set_operands(results);
  for (Instruction* tuple : {&loop.loop(), next, body_state, loop.state(loop.condition())}) {
    tuple->shape = state;
    tuple->annotations.edit().sharding.clear();
  }
  // Read before whatever may read them.
  for (Instruction* read : reads) loop.body().move_before(read, &loop.body().instructions().front());
  loop.body().sort();
  return reads;
}

Instruction& behind(Instruction& loop) {
  std::list<Instruction>& around = loop.parent()->instructions();
  const auto place = std::ranges::find_if(around, [&](const Instruction& one) { return &one == &loop; });
  return *std::next(place);
}

bool keep_carries(const CarriedLoop& loop, const std::vector<bool>& keep) {
  if (std::find(keep.begin(), keep.end(), false) == keep.end()) return false;
  Shape shape = Shape::tuple({});
  std::vector<int64_t> new_index;
  for (size_t i = 0; i < keep.size(); ++i) {
    new_index.push_back(keep[i] ? static_cast<int64_t>(shape.elements.size()) : -1);
    if (keep[i]) shape.elements.push_back(loop.loop().shape.elements[i]);
  }
  Computation& after = *loop.loop().parent();
  loop.loop().set_operands({kept_elements(after, &loop.loop(), loop.loop().operand(0), keep, shape)});
  loop.body().set_root(kept_elements(loop.body(), nullptr, loop.body().root(), keep, shape));

  const ComputationSet effects = computations_with_effects(*after.parent());
  for (Computation* computation : {&loop.body(), &loop.condition()}) {
    remove_dead_instructions(*computation, effects);
    Instruction* state = loop.state(*computation);
    renumber_reads(*state, new_index);
    state->shape = shape;
    state->annotations.edit().sharding.clear();
  }
  renumber_reads(loop.loop(), new_index);
  loop.loop().shape = shape;
  loop.loop().annotations.edit().sharding.clear();
  return true;
}

}  // namespace sinter
