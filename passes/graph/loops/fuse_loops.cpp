// fuse_loops: of two loops of as many steps, one after the other, whose second one reads in step t what the first one
// has stacked in step t, and no more of it, one loop is made, where the piece is read as it is stacked:
//
//   first:   %ys' = f32[50,8] dynamic-update-slice(%ys, %y, %t, 0)
//   second:  %x = f32[1,8] dynamic-slice(%ys, %t, 0)
//                                =>
//   both:    %ys' = ..., and %y in place of %x
//
// Sections of a filter, each a scan over what the last one gave, are such loops. What is done to the stack on the way,
// element by element, the step does to the piece. What nothing but the second loop has read is no longer stacked
// (simplify_while). So are two loops that need nothing of each other, of as many steps and elements, which go through
// one array: averages of different lengths. Only loops that a thread can run for an element: the steps of others wait
// for each other at barriers or launches, of which the loop would have as many. The scheduler plans without it, too.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/module/device_functions.h"
#include "ir/module/effects.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/loops/by_element.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/graph/base/change_carries.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/loops/steps_at_once.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// A carry that the second loop goes through.
struct HandedOver {
  size_t read = 0;                    // the carry
  Walk along;                         // as the first loop stacks
  std::vector<Instruction*> stacks;   // of the first loop: what the array is made of
  std::vector<Instruction*> others;   // what is there without it
  std::vector<Instruction*> between;  // how, element by element, operands first
};

bool contains(const std::vector<Instruction*>& values, const Instruction* value) {
  return std::ranges::find(values, value) != values.end();
}

bool is_fusible(const CarriedLoop& loop, const WhileInfo& info, const ComputationSet& effects) {
  const Instruction& instruction = loop.loop();
  return info.trip_count.value_or(0) > 1 && can_add_carries(loop) && !has_effect(instruction, effects) &&
         instruction.control_predecessors.empty() && values_by_element(loop, {}).has_value();
}

// Two loops that are fusible.
class LoopFusion {
 public:
  LoopFusion(Instruction& first, Instruction& second)
      : writer_(first), reader_(second), writes_(analyze_while(first)), reads_(analyze_while(second)) {}

  // Whether the two can be one loop.
  bool can_fuse() {
    Instruction& first = writer_.loop();
    if (writes_.trip_count != reads_.trip_count || first.annotations != reader_.loop().annotations) return false;
    StepsAtOnce of_writer(writer_, writes_, 0), of_reader(reader_, reads_, 0);
    for (size_t k = 0; k < reader_.count(); ++k) {
      if (!depends_on(*reader_.init(k), {&first})) continue;
      HandedOver carry = {.read = k};
      if (!find_parts(reader_.init(k), reader_.init(k)->shape.dims, &carry)) return false;
      if (!is_read_step_by_step(&carry, &of_writer, &of_reader)) return false;
      handed_over_.push_back(std::move(carry));
    }
    return !handed_over_.empty() || go_through_one_array();
  }

  void fuse() {
    Module& module = *writer_.loop().parent()->parent();
    read_pieces();
    std::vector<Value> inits = writer_.loop().operand(0)->operands();
    for (size_t k = 0; k < reader_.count(); ++k) {
      if (is_handed_over(k) == nullptr) inits.push_back(reader_.init(k));
    }
    for (const HandedOver& carry : handed_over_) {
      for (const Value other : carry.others) inits.push_back(is_same_in_all(*other, carry) ? other->operand(0) : other);
    }
    std::vector<Shape> shapes;
    for (const Value init : inits) shapes.push_back(init->shape);
    state_ = Shape::tuple(std::move(shapes));

    Computation* body = module.add_computation(writer_.body().name);
    write_body(body);
    Computation* condition = module.add_computation(writer_.condition().name);
    const Value end = begin(condition);
    condition->set_root(inline_before(*end, writer_.condition(), {elements_of_first(*end)}, true));
    condition->remove(end);

    Instruction& second = reader_.loop();
    Attributes attributes;
    attributes.body = body;
    attributes.condition = condition;
    const Value start = insert_like(second, Opcode::kTuple, state_, inits);
    const Value both = insert_like(second, Opcode::kWhile, state_, {start}, std::move(attributes), writer_.loop().name);
    both->annotations = second.annotations;
    int64_t place = 0;
    const auto read_both = [&](const std::vector<Instruction*>& reads) {
      for (Instruction* read : reads) {
        read->set_operand(0, both);
        read->attributes.edit().tuple_index = place;
      }
      ++place;
    };
    for (size_t i = 0; i < writer_.count(); ++i) read_both(writer_.reads_after(i));
    for (size_t k = 0; k < reader_.count(); ++k) {
      if (is_handed_over(k) == nullptr) read_both(reader_.reads_after(k));
    }
    // What has read the first loop alone may stand before the second one.
    both->parent()->sort();
  }

 private:
  // What an array is made of, element by element, where the first loop has a part in it.
  bool find_parts(Instruction* value, const GraphBuilder::Dims& dims, HandedOver* carry) const {
    constexpr size_t kMostBetween = 32;
    if (contains(carry->stacks, value) || contains(carry->others, value) || contains(carry->between, value))
      return true;
    if (!value->shape.is_array() || value->shape.dims != dims) return false;
    if (value->opcode == Opcode::kGetTupleElement && value->operand(0) == &writer_.loop()) {
      carry->stacks.push_back(value);
      return true;
    }
    if (!depends_on(*value, {&writer_.loop()})) {
      carry->others.push_back(value);
      return true;
    }
    if (family_of(*value) != Family::kElementwise || carry->between.size() == kMostBetween) return false;
    for (Instruction* operand : value->operands()) {
      if (!find_parts(operand, dims, carry)) return false;
    }
    carry->between.push_back(value);
    return true;
  }

  // Whether the steps of both go along one dimension together, and nothing else is read of the stack.
  bool is_read_step_by_step(HandedOver* carry, StepsAtOnce* of_writer, StepsAtOnce* of_reader) const {
    std::optional<Walk> along;
    for (const Instruction* stack : carry->stacks) {
      const auto stacked = static_cast<size_t>(*stack->attributes->tuple_index);
      if (!of_writer->fills(stacked)) return false;
      const std::optional<Walk> own = of_writer->walk(*writer_.next(stacked));
      if (!own || (along && along != own)) return false;
      along = own;
    }
    if (!along || reads_.carries[carry->read].kind != CarryKind::kInvariant) return false;
    carry->along = *along;
    if (!reader_.reads_after(carry->read).empty()) return false;
    if (!reader_.reads(reader_.condition(), carry->read).empty()) return false;
    for (const Instruction* read : reader_.reads(reader_.body(), carry->read)) {
      for (const Instruction* user : read->users()) {
        for (size_t slot = 0; slot < user->operands().size(); ++slot) {
          if (user->operand(slot) != read || hands_on(*user, slot, *read)) continue;
          const bool slices = user->opcode == Opcode::kDynamicSlice && slot == 0;
          if (!slices || of_reader->walk(*user) != along) return false;
        }
      }
    }
    return true;
  }

  // Of loops that need nothing of each other: a large array that both read, and as many elements of what they carry.
  bool go_through_one_array() const {
    if (depends_on(writer_.loop(), {&reader_.loop()})) return false;
    const auto widest = [](const CarriedLoop& loop) {
      const std::optional<LoopThreads> threads = threads_of(loop, {}, Shape::scalar(DType::kF32));
      return threads && !threads->rows ? threads->count : 0;
    };
    const int64_t count = widest(writer_);
    if (count == 0 || count != widest(reader_)) return false;
    for (size_t i = 0; i < writer_.count(); ++i) {
      const bool is_read = writes_.carries[i].kind == CarryKind::kInvariant && writer_.init(i)->shape.is_array() &&
                           writer_.init(i)->shape.element_count() >= count * *writes_.trip_count;
      for (size_t k = 0; is_read && k < reader_.count(); ++k) {
        if (reader_.init(k) == writer_.init(i) && reads_.carries[k].kind == CarryKind::kInvariant) return true;
      }
    }
    return false;
  }

  const HandedOver* is_handed_over(size_t read) const {
    const auto found = std::ranges::find(handed_over_, read, &HandedOver::read);
    return found == handed_over_.end() ? nullptr : &*found;
  }

  // Whether all pieces of an array are one: what it is a broadcast of.
  static bool is_same_in_all(const Instruction& value, const HandedOver& carry) {
    if (value.opcode != Opcode::kBroadcast) return false;
    const std::vector<int64_t>& dimensions = *value.attributes->dimensions;
    return std::ranges::find(dimensions, static_cast<int64_t>(carry.along.dimension)) == dimensions.end();
  }

  Shape piece_of(const HandedOver& carry, DType dtype) const {
    const auto stacked = static_cast<size_t>(*carry.stacks[0]->attributes->tuple_index);
    return Shape::array(dtype, writer_.next(stacked)->operand(1)->shape.dims);
  }

  // The second loop's body takes a piece where it took an array, and is no body of that loop any more.
  void read_pieces() const {
    Instruction* state = CarriedLoop::state(reader_.body());
    for (const HandedOver& carry : handed_over_) {
      const Shape piece = piece_of(carry, reader_.init(carry.read)->shape.dtype);
      for (Instruction* read : reader_.reads(reader_.body(), carry.read)) {
        read->shape = piece;
        const std::vector<Instruction*> users = read->users();
        for (Instruction* user : users) {
          if (user->opcode != Opcode::kDynamicSlice) continue;
          user->replace_all_uses_with(read);
          remove_instructions(reader_.body(), {user});
        }
      }
      state->shape.elements[carry.read] = piece;
      reader_.body().root()->shape.elements[carry.read] = piece;
    }
  }

  // The state of both is the computation's parameter; what follows stands before the instruction that is returned.
  Value begin(Computation* computation) const {
    GraphBuilder(*computation).parameter(state_, "state");
    return computation->add(Opcode::kTuple, Shape::tuple({}), {});
  }

  Value elements_of_first(Instruction& position) const {
    GraphBuilder at(position);
    std::vector<Value> elements;
    for (size_t i = 0; i < writer_.count(); ++i) {
      elements.push_back(at.tuple_element(position.parent()->parameters()[0], static_cast<int64_t>(i)));
    }
    return at.tuple(elements);
  }

  // This step's piece of what is handed over. `first`: the next state of the first loop; `others`: how arrays are read
  // that it has no part in.
  Value piece(const HandedOver& carry, const Instruction& first, const std::vector<Value>& others,
              Instruction& position) const {
    GraphBuilder at(position);
    std::unordered_map<const Instruction*, Value> pieces;
    const Instruction* update = nullptr;
    for (const Instruction* stack : carry.stacks) {
      update = first.operand(static_cast<size_t>(*stack->attributes->tuple_index));
      pieces[stack] = update->operand(1);
    }
    for (size_t i = 0; i < others.size(); ++i) {
      const Instruction& other = *carry.others[i];
      const GraphBuilder::Dims dims = piece_of(carry, other.shape.dtype).dims;
      if (is_same_in_all(other, carry)) {
        pieces[&other] = at.broadcast(others[i], dims, *other.attributes->dimensions);
        continue;
      }
      std::vector<Value> operands = {others[i]};
      operands.insert(operands.end(), update->operands().begin() + 2, update->operands().end());
      Attributes attributes;
      attributes.dynamic_slice_sizes = dims;
      pieces[&other] = at.make(Opcode::kDynamicSlice, operands, std::move(attributes));
    }
    for (const Instruction* value : carry.between) {
      std::vector<Value> operands;
      for (const Instruction* operand : value->operands()) operands.push_back(pieces.at(operand));
      const Value made = position.parent()->add_copy(*value, operands, &position);
      made->shape = piece_of(carry, value->shape.dtype);
      pieces[value] = made;
    }
    return pieces.at(reader_.init(carry.read));
  }

  void write_body(Computation* body) const {
    const Value end = begin(body);
    const Value first = inline_before(*end, writer_.body(), {elements_of_first(*end)}, true);
    GraphBuilder at(*end);
    const Value state = body->parameters()[0];
    const auto others_from = static_cast<int64_t>(writer_.count() + reader_.count() - handed_over_.size());
    std::vector<Value> read_others;
    for (int64_t i = others_from; i < std::ssize(state_.elements); ++i)
      read_others.push_back(at.tuple_element(state, i));
    auto place = static_cast<int64_t>(writer_.count());
    auto other = read_others.begin();
    std::vector<Value> elements;
    for (size_t k = 0; k < reader_.count(); ++k) {
      const HandedOver* carry = is_handed_over(k);
      if (carry == nullptr) {
        elements.push_back(at.tuple_element(state, place++));
        continue;
      }
      const auto own = other;
      other += std::ssize(carry->others);
      elements.push_back(piece(*carry, *first, {own, other}, *end));
    }
    const Value second = inline_before(*end, reader_.body(), {at.tuple(elements)}, true);
    std::vector<Value> next = first->operands();
    for (size_t k = 0; k < reader_.count(); ++k) {
      if (is_handed_over(k) == nullptr) next.push_back(second->operand(k));
    }
    next.insert(next.end(), read_others.begin(), read_others.end());
    body->set_root(at.tuple(next));
    body->remove(end);
  }

  const CarriedLoop writer_, reader_;
  const WhileInfo writes_, reads_;
  std::vector<HandedOver> handed_over_;
  Shape state_;
};

// Two loops of one computation, the first that can be one.
bool fuse_two(Module& module, const ComputationSet& effects) {
  std::vector<Instruction*> loops = instructions_of(module, Opcode::kWhile);
  std::erase_if(loops,
                [&](Instruction* loop) { return !is_fusible(CarriedLoop(*loop), analyze_while(*loop), effects); });
  for (size_t second = 1; second < loops.size(); ++second) {
    for (size_t first = second; first-- > 0;) {
      if (loops[first]->parent() != loops[second]->parent()) continue;
      LoopFusion fusion(*loops[first], *loops[second]);
      if (!fusion.can_fuse()) continue;
      fusion.fuse();
      return true;
    }
  }
  return false;
}

}  // namespace

bool fuse_loops(Module& module, const GraphPassOptions& options) {
  const ComputationSet effects = computations_with_effects(module);
  bool changed = false;
  while (fuse_two(module, effects)) {
    module.sort_computations();
    remove_dead_code(module);
    simplify_tuples(module, options);  // what a third loop reads is seen
    changed = true;
  }
  return changed;
}

}  // namespace sinter
