// fuse_loops: of two loops of as many steps, one after the other, whose second one reads in step t what the first one
// has stacked in step t, and no more of it, one loop is made, where the piece is read as it is stacked:
//
//   first:   %ys' = f32[50,8] dynamic-update-slice(%ys, %y, %t, 0)
//   second:  %x = f32[1,8] dynamic-slice(%ys, %t, 0)
//                                =>
//   both:    %ys' = ..., and %y in place of %x
//
// Sections of a filter, each a scan over what the last one gave, are such loops. What nothing but the second loop has
// read is no longer stacked (simplify_while). Only loops that a thread can run for an element: the steps of others wait
// for each other at barriers or launches, of which the loop would have as many. The scheduler plans without it, too.
#include <algorithm>
#include <optional>
#include <vector>

#include "ir/module/effects.h"
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

// A carry that the first loop stacks and the second one goes through.
struct HandedOver {
  size_t stacked = 0, read = 0;  // carries of either loop
};

class LoopFusion {
 public:
  explicit LoopFusion(Instruction& second) : reader_(second), reads_(analyze_while(second)) {}

  // Whether there is a first loop.
  bool find(const ComputationSet& effects) {
    if (!is_fusible(reader_, reads_, effects)) return false;
    for (size_t k = 0; k < reader_.count() && first_ == nullptr; ++k) {
      const Value init = reader_.init(k);
      const bool of_loop = init->opcode == Opcode::kGetTupleElement && init->operand(0)->opcode == Opcode::kWhile;
      if (of_loop && reads_.carries[k].kind == CarryKind::kInvariant && init->shape.rank() > 0) first_ = init->operand(0);
    }
    if (first_ == nullptr || first_->annotations != reader_.loop().annotations) return false;
    const CarriedLoop writer(*first_);
    const WhileInfo writes = analyze_while(*first_);
    if (!is_fusible(writer, writes, effects) || writes.trip_count != reads_.trip_count) return false;
    StepsAtOnce of_writer(writer, writes, 0), of_reader(reader_, reads_, 0);
    for (size_t k = 0; k < reader_.count(); ++k) {
      const Value init = reader_.init(k);
      if (init->opcode != Opcode::kGetTupleElement || init->operand(0) != first_) {
        if (depends_on(*init, {first_})) return false;
        continue;
      }
      const HandedOver carry = {static_cast<size_t>(*init->attributes->tuple_index), k};
      if (!is_read_step_by_step(carry, writer, &of_writer, &of_reader)) return false;
      handed_over_.push_back(carry);
    }
    return true;
  }

  void fuse() {
    const CarriedLoop writer(*first_);
    Module& module = *first_->parent()->parent();
    read_pieces(writer);
    std::vector<Value> inits = first_->operand(0)->operands();
    for (size_t k = 0; k < reader_.count(); ++k) {
      if (is_handed_over(k) == nullptr) inits.push_back(reader_.init(k));
    }
    std::vector<Shape> shapes;
    for (const Value init : inits) shapes.push_back(init->shape);
    state_ = Shape::tuple(std::move(shapes));

    Computation* body = module.add_computation(writer.body().name);
    write_body(writer, body);
    Computation* condition = module.add_computation(writer.condition().name);
    const Value end = begin(condition);
    condition->set_root(inline_before(*end, writer.condition(), {elements_of_first(writer, *end)}, true));
    condition->remove(end);

    Instruction& second = reader_.loop();
    Attributes attributes;
    attributes.body = body;
    attributes.condition = condition;
    const Value start = insert_like(second, Opcode::kTuple, state_, inits);
    const Value both = insert_like(second, Opcode::kWhile, state_, {start}, std::move(attributes), first_->name);
    both->annotations = second.annotations;
    int64_t place = 0;
    const auto read_both = [&](const std::vector<Instruction*>& reads) {
      for (Instruction* read : reads) {
        read->set_operand(0, both);
        read->attributes.edit().tuple_index = place;
      }
      ++place;
    };
    for (size_t i = 0; i < writer.count(); ++i) read_both(writer.reads_after(i));
    for (size_t k = 0; k < reader_.count(); ++k) {
      if (is_handed_over(k) == nullptr) read_both(reader_.reads_after(k));
    }
    // What has read the first loop alone may stand before the second one.
    second.parent()->sort();
  }

 private:
  static bool is_fusible(const CarriedLoop& loop, const WhileInfo& info, const ComputationSet& effects) {
    const Instruction& instruction = loop.loop();
    return info.trip_count.value_or(0) > 1 && can_add_carries(loop) && !has_effect(instruction, effects) &&
           instruction.control_predecessors.empty() && values_by_element(loop, {}).has_value();
  }

  // Whether the steps of both go along one dimension together, and nothing else is read of the stack.
  bool is_read_step_by_step(const HandedOver& carry, const CarriedLoop& writer, StepsAtOnce* of_writer,
                            StepsAtOnce* of_reader) const {
    if (!of_writer->fills(carry.stacked) || reads_.carries[carry.read].kind != CarryKind::kInvariant) return false;
    if (!reader_.reads_after(carry.read).empty()) return false;
    if (!reader_.reads(reader_.condition(), carry.read).empty()) return false;
    const std::optional<Walk> along = of_writer->walk(*writer.next(carry.stacked));
    for (const Instruction* read : reader_.reads(reader_.body(), carry.read)) {
      for (const Instruction* user : read->users()) {
        if (hands_on(*user, carry.read, *read)) continue;
        const bool slices = user->opcode == Opcode::kDynamicSlice && user->operand(0) == read;
        if (!slices || of_reader->walk(*user) != along) return false;
      }
    }
    return true;
  }

  const HandedOver* is_handed_over(size_t read) const {
    const auto found = std::ranges::find(handed_over_, read, &HandedOver::read);
    return found == handed_over_.end() ? nullptr : &*found;
  }

  // The second loop's body takes a piece where it took a stack, and is no body of that loop any more.
  void read_pieces(const CarriedLoop& writer) const {
    Instruction* state = CarriedLoop::state(reader_.body());
    for (const HandedOver& carry : handed_over_) {
      const Shape piece = writer.next(carry.stacked)->operand(1)->shape;
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

  static Value elements_of_first(const CarriedLoop& writer, Instruction& position) {
    GraphBuilder at(position);
    std::vector<Value> elements;
    for (size_t i = 0; i < writer.count(); ++i) {
      elements.push_back(at.tuple_element(position.parent()->parameters()[0], static_cast<int64_t>(i)));
    }
    return at.tuple(elements);
  }

  void write_body(const CarriedLoop& writer, Computation* body) const {
    const Value end = begin(body);
    const Value first = inline_before(*end, writer.body(), {elements_of_first(writer, *end)}, true);
    GraphBuilder at(*end);
    auto place = static_cast<int64_t>(writer.count());
    std::vector<Value> elements;
    for (size_t k = 0; k < reader_.count(); ++k) {
      const HandedOver* carry = is_handed_over(k);
      elements.push_back(carry != nullptr ? first->operand(carry->stacked)->operand(1)
                                          : at.tuple_element(body->parameters()[0], place++));
    }
    const Value second = inline_before(*end, reader_.body(), {at.tuple(elements)}, true);
    std::vector<Value> next = first->operands();
    for (size_t k = 0; k < reader_.count(); ++k) {
      if (is_handed_over(k) == nullptr) next.push_back(second->operand(k));
    }
    body->set_root(at.tuple(next));
    body->remove(end);
  }

  const CarriedLoop reader_;
  const WhileInfo reads_;
  Instruction* first_ = nullptr;
  std::vector<HandedOver> handed_over_;
  Shape state_;
};

}  // namespace

bool fuse_loops(Module& module, const GraphPassOptions&) {
  const ComputationSet effects = computations_with_effects(module);
  bool changed = false;
  for (bool again = true; again;) {
    again = false;
    for (Instruction* loop : instructions_of(module, Opcode::kWhile)) {
      LoopFusion fusion(*loop);
      if (!fusion.find(effects)) continue;
      fusion.fuse();
      module.sort_computations();
      remove_dead_code(module);
      changed = again = true;
      break;
    }
  }
  return changed;
}

}  // namespace sinter
