// roll_repeats: steps that are written out one after the other become a loop again.
//
//   %a = f32[64] sine(%x)      six times or more, each on what the step before gives
//   %b = f32[64] add(%a, %w)                                     =>   a loop of as many steps
//   %c = f32[64] sine(%b)
//   ...
//
// A Python loop that JAX traces leaves them. What a step reads of the steps before it the loop carries; what differs
// from step to step (constants, and where slices begin) its counter gives. The loop is marked
// frontend_attributes={sinter_rolled="8"}, by its number of steps: the driver compiles the program without this pass
// too, and keeps what takes less time.
#include <algorithm>

#include "passes/analysis/loops/repeats.h"
#include "passes/analysis/values/constants.h"
#include "passes/graph/base/graph_loop.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// What takes no time to make again in each step.
bool is_free(const Instruction& value) {
  return value.opcode == Opcode::kIota || (value.opcode == Opcode::kConstant && value.shape.is_scalar()) ||
         (value.opcode == Opcode::kBroadcast && is_free(*value.operand(0)));
}

// The step between integers that grow or fall by the same number each, if its multiples fit too; nullopt for others.
std::optional<int64_t> common_step(const std::vector<Instruction*>& constants) {
  const auto difference = [&](size_t i) {
    return __int128{constants[i]->literal.integer_at(0)} - constants[i - 1]->literal.integer_at(0);
  };
  const Shape& shape = constants[0]->shape;
  if (!shape.is_scalar() || (shape.dtype != DType::kS32 && shape.dtype != DType::kS64)) return std::nullopt;
  for (size_t i = 2; i < constants.size(); ++i) {
    if (difference(i) != difference(1)) return std::nullopt;
  }
  const __int128 last = difference(1) * static_cast<int64_t>(constants.size());
  if (last < integer_min(shape.dtype) || last > integer_max(shape.dtype)) return std::nullopt;
  return static_cast<int64_t>(difference(1));
}

// The body of the loop: a copy of the last step.
class StepWriter {
 public:
  StepWriter(const Repeat& repeat, const std::map<const Instruction*, Value>& outside, GraphBuilder& at, Value counter)
      : repeat_(repeat), outside_(outside), at_(at), counter_(counter) {}

  // `before`: by place, values of the step before, of the one before that, ...
  std::vector<Value> write(const std::vector<std::vector<Value>>& before) {
    for (size_t place = 0; place < repeat_.period; ++place) {
      std::vector<Value> operands;
      for (const RepeatOperand& operand : repeat_.operands[place]) operands.push_back(this->operand(operand, before));
      Instruction& original = *repeat_.at(repeat_.count - 1, place);
      const auto moves = repeat_.moves.find(place);
      if (moves != repeat_.moves.end()) {
        written_.push_back(moving_slice(*repeat_.at(0, place), moves->second, operands[0]));
      } else {
        written_.push_back(counter_->parent()->add_copy(original, operands));
      }
      std::swap(written_.back()->name, original.name);
    }
    return written_;
  }

 private:
  Value operand(const RepeatOperand& operand, const std::vector<std::vector<Value>>& before) {
    switch (operand.kind) {
      case RepeatOperand::Kind::kSame:
        return same(*operand.same);
      case RepeatOperand::Kind::kStep:
        return operand.back == 0 ? written_[operand.place] : before[operand.place][operand.back - 1];
      case RepeatOperand::Kind::kConstants:
        return constant_of_step(operand.constants);
    }
    return nullptr;
  }

  Value same(const Instruction& value) {
    const auto known = outside_.find(&value);
    if (known != outside_.end()) return known->second;
    const auto made = made_.find(&value);
    if (made != made_.end()) return made->second;
    std::vector<Value> operands;
    for (const Instruction* operand : value.operands()) operands.push_back(same(*operand));
    return made_[&value] = counter_->parent()->add_copy(value, operands);
  }

  Value constant_of_step(const std::vector<Instruction*>& constants) {
    const Instruction& first = *constants[0];
    if (first.opcode == Opcode::kBroadcast) {
      std::vector<Instruction*> scalars;
      for (const Instruction* constant : constants) scalars.push_back(constant->operand(0));
      return at_.splat(constant_of_step(scalars), first.shape.dims);
    }
    if (const std::optional<int64_t> step = common_step(constants)) {
      return counted(first.shape.dtype, first.literal.integer_at(0), *step);
    }
    std::vector<Value> rows;
    for (const Instruction* constant : constants) {
      rows.push_back(at_.reshape(at_.constant(constant->literal), with_steps(1, first.shape.dims)));
    }
    return at_.part_at(at_.concatenate(rows, 0), counter_, 0);
  }

  // first + step * counter.
  Value counted(DType dtype, int64_t first, int64_t step) {
    Value value = at_.convert(counter_, dtype);
    if (step != 1) value = at_.multiply({value, at_.integer(dtype, step)});
    return first == 0 ? value : at_.add({value, at_.integer(dtype, first)});
  }

  Value moving_slice(const Instruction& first, const std::vector<int64_t>& moves, Value array) {
    std::vector<Value> operands = {array};
    for (size_t d = 0; d < moves.size(); ++d) {
      const int64_t start = (*first.attributes->slice)[d].start;
      operands.push_back(moves[d] == 0 ? at_.integer(DType::kS32, start) : counted(DType::kS32, start, moves[d]));
    }
    Attributes sizes;
    sizes.dynamic_slice_sizes = first.shape.dims;
    return at_.make(Opcode::kDynamicSlice, operands, std::move(sizes));
  }

  const Repeat& repeat_;
  const std::map<const Instruction*, Value>& outside_;
  GraphBuilder& at_;
  Value counter_;
  std::vector<Value> written_;
  std::map<const Instruction*, Value> made_;
};

// Values from before the steps that are the same for all of them, in the order in which they are read.
std::vector<Instruction*> invariants_of(const Repeat& repeat) {
  std::vector<Instruction*> invariants;
  for (const std::vector<RepeatOperand>& operands : repeat.operands) {
    for (const RepeatOperand& operand : operands) {
      if (operand.kind != RepeatOperand::Kind::kSame || is_free(*operand.same)) continue;
      if (std::find(invariants.begin(), invariants.end(), operand.same) == invariants.end())
        invariants.push_back(operand.same);
    }
  }
  return invariants;
}

void roll(Module& module, Computation& computation, const Repeat& repeat) {
  GraphBuilder at(*repeat.at(0, 0));
  std::vector<size_t> kept;
  std::vector<Value> initial;
  for (size_t place = 0; place < repeat.period; ++place) {
    kept.push_back(repeat.kept(place));
    for (size_t back = 1; back <= kept[place]; ++back) {
      const auto value = repeat.before.find({place, back});
      const Shape& shape = repeat.at(0, place)->shape;
      // What is read after the last step alone is nothing before the first.
      initial.push_back(value != repeat.before.end()
                            ? value->second
                            : at.splat(at.constant(Literal(Shape::scalar(shape.dtype))), shape.dims));
    }
  }
  const std::vector<Instruction*> invariants = invariants_of(repeat);
  initial.insert(initial.end(), invariants.begin(), invariants.end());

  const auto body = [&](GraphBuilder& inside, Value counter, const std::vector<Value>& state) {
    auto next = state.begin();
    std::vector<std::vector<Value>> before(repeat.period);
    for (size_t place = 0; place < repeat.period; ++place) {
      for (size_t back = 0; back < kept[place]; ++back) before[place].push_back(*next++);
    }
    std::map<const Instruction*, Value> outside;
    for (const Instruction* invariant : invariants) outside.emplace(invariant, *next++);
    const std::vector<Value> values = StepWriter(repeat, outside, inside, counter).write(before);
    std::vector<Value> after;
    for (size_t place = 0; place < repeat.period; ++place) {
      if (kept[place] == 0) continue;
      after.push_back(values[place]);
      after.insert(after.end(), before[place].begin(), before[place].end() - 1);
    }
    for (const Instruction* invariant : invariants) after.push_back(outside.at(invariant));
    return after;
  };
  const std::vector<Value> finally = build_loop(at, module, initial, static_cast<int64_t>(repeat.count), body);
  finally[0]->operand(0)->annotations.edit().frontend_attributes[kRolledAttribute] = std::to_string(repeat.count);

  // All that follows reads the loop's results. The steps read their own, and are dead.
  size_t slot = 0;
  for (size_t place = 0; place < repeat.period; ++place) {
    for (size_t back = 1; back <= kept[place]; ++back, ++slot) {
      if (std::find(repeat.results.begin(), repeat.results.end(), std::pair(place, back)) == repeat.results.end())
        continue;
      Instruction* value = repeat.at(repeat.count - back, place);
      value->replace_all_uses_with(finally[slot]);
    }
  }
  computation.sort();
  remove_dead_instructions(computation, computations_with_effects(module));
}

// The entry, and bodies of loops. Functions that are called, or applied to elements, are compiled as they are.
std::vector<Computation*> that_may_repeat(Module& module) {
  std::vector<Computation*> found = {module.entry()};
  for (const Instruction* loop : instructions_of(module, Opcode::kWhile)) found.push_back(*loop->attributes->body);
  return found;
}

}  // namespace

bool roll_repeats(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Computation* computation : that_may_repeat(module)) {
    while (const std::optional<Repeat> repeat = find_repeat(*computation)) {
      roll(module, *computation, *repeat);
      changed = true;
    }
  }
  if (changed) module.sort_computations();
  return changed;
}

}  // namespace sinter
