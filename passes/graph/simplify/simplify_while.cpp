// simplify_while: a loop carries only what changes and is needed.
//
//   carries (i, k, x, w, c) from (0, 0, %x, %w, 2):      carries (i, x, w) from (0, %x, %w):
//     i + 1, k + 1, f(k, x, w, c), w, c              =>    i + 1, f(i, x, w, 2), w
//
// - a loop that runs never or once is replaced by its input or its body;
// - a carry the body returns unchanged is read from before the loop after it, and if it starts as a small constant,
//   it becomes a constant inside; another stays a carry whose value the body hands on directly (HLO bodies cannot
//   reach outside);
// - carries with equal starts and equal updates are merged, and counters that advance in step become one;
// - after a loop with a known trip count its counters are constants;
// - a carry nothing depends on goes;
// - tuples within the state's tuple are taken apart.
#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "passes/analysis/functions/value_table.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/graph/base/change_carries.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/expand/flatten_while.h"

namespace sinter {
namespace {

using Wide = __int128;

// Constants of more elements stay outside and are carried: their bytes are needed once.
constexpr int64_t kMaxSunkElements = 1024;

// A loop that runs at most once and surely: what it gives, without a loop. The loop is then to be removed.
bool replace_loop(Instruction& loop, const WhileInfo& info) {
  if (!info.trip_count || *info.trip_count > 1) return false;
  Instruction* value = loop.operand(0);
  if (*info.trip_count == 1) value = inline_before(loop, *loop.attributes->body.value(), {value}, true);
  loop.replace_all_uses_with(value);
  return true;
}

// A copy of a constant, iota or broadcast constant before `position` in another computation; nullptr for other values.
Instruction* copy_constant(const Instruction& value, Instruction& position) {
  Computation& target = *position.parent();
  switch (value.opcode) {
    case Opcode::kConstant:
      if (!value.shape.is_array() || value.shape.element_count() > kMaxSunkElements) return nullptr;
      return target.add_copy(value, {}, &position);
    case Opcode::kIota:
      return target.add_copy(value, {}, &position);
    case Opcode::kBroadcast: {
      const Instruction& scalar = *value.operand(0);
      if (scalar.opcode != Opcode::kConstant || !scalar.shape.is_scalar()) return nullptr;
      return target.add_copy(value, {target.add_copy(scalar, {}, &position)}, &position);
    }
    default:
      return nullptr;
  }
}

// True if both are the state's elements, or the same operation on something.
bool may_be_equal(const Instruction& a, const Instruction& b) {
  return carry_read(a) && carry_read(b) ? a.shape.same_type(b.shape) : same_operation(a, b);
}

class CarrySimplifier {
 public:
  CarrySimplifier(Instruction& loop, const WhileInfo& info) : state_(loop), info_(info) {}

  bool run() {
    if (!state_.is_taken_apart()) return false;
    bool changed = false;
    for (size_t i = 0; i < state_.count(); ++i) {
      if (info_.carries[i].kind == CarryKind::kInvariant) changed |= simplify_invariant(i);
      if (info_.carries[i].kind == CarryKind::kInduction) changed |= finish_counter(i);
    }
    changed |= merge_counters();
    changed |= merge_equal();
    changed |= keep_carries(state_, state_.live());
    return changed;
  }

 private:
  bool simplify_invariant(size_t i) {
    Instruction* init = state_.init(i);
    if (init == nullptr) return false;
    bool changed = false;
    for (Instruction* read : state_.reads_after(i)) {
      changed |= !read->users().empty() || read->parent()->root() == read;
      read->replace_all_uses_with(init);
    }
    for (Computation* computation : {&state_.body(), &state_.condition()}) {
      for (Instruction* read : state_.reads(*computation, i)) {
        if (!is_used(*read)) continue;
        if (Instruction* constant = copy_constant(*init, *read)) changed |= replace_read(*read, constant);
      }
    }
    return changed;
  }

  bool finish_counter(size_t i) {
    if (!info_.trip_count) return false;
    const Carry& carry = info_.carries[i];
    bool changed = false;
    for (Instruction* read : state_.reads_after(i)) {
      const bool used = !read->users().empty() || read->parent()->root() == read;
      if (!used) continue;
      const DType dtype = read->shape.dtype;
      const int64_t end = wrap_integer(dtype, Wide{carry.start} + Wide{carry.step} * *info_.trip_count);
      read->replace_all_uses_with(insert_scalar(*read, integer_literal(dtype, end)));
      changed = true;
    }
    return changed;
  }

  // Counters of one type whose steps are multiples of the base counter's: k = start_k + (i - start_i) * factor, which
  // holds modulo 2^bits too.
  bool merge_counters() {
    size_t base = 0;
    if (info_.counter >= 0) {
      base = static_cast<size_t>(info_.counter);
    } else {
      while (base < state_.count() && info_.carries[base].kind != CarryKind::kInduction) ++base;
    }
    if (base >= state_.count()) return false;
    const Carry& from = info_.carries[base];
    bool changed = false;
    for (size_t i = 0; i < state_.count(); ++i) {
      const Carry& to = info_.carries[i];
      if (i == base || to.kind != CarryKind::kInduction || to.step % from.step != 0) continue;
      if (state_.loop().shape.elements[i].dtype != state_.loop().shape.elements[base].dtype) continue;
      const auto derive = [&](Instruction& read, Instruction* tuple) {
        const DType dtype = read.shape.dtype;
        const int64_t factor = to.step / from.step;
        const int64_t offset = wrap_integer(dtype, Wide{to.start} - Wide{from.start} * factor);
        Instruction* value = insert_tuple_element(read, tuple, static_cast<int64_t>(base));
        if (factor != 1) value = derived(read, Opcode::kMultiply, value, factor);
        if (offset != 0) value = derived(read, Opcode::kAdd, value, offset);
        return value;
      };
      for (Computation* computation : {&state_.body(), &state_.condition()}) {
        for (Instruction* read : state_.reads(*computation, i)) {
          if (!is_used(*read) || is_own_step(*read, i)) continue;
          changed |= replace_read(*read, derive(*read, read->operand(0)));
        }
      }
      for (Instruction* read : state_.reads_after(i)) {
        if (read->users().empty() && read->parent()->root() != read) continue;
        read->replace_all_uses_with(derive(*read, &state_.loop()));
        changed = true;
      }
    }
    return changed;
  }

  // True if the counter is read only to advance it.
  bool is_own_step(const Instruction& read, size_t i) const {
    const Instruction* next = state_.next(i);
    return std::all_of(read.users().begin(), read.users().end(),
                       [&](const Instruction* user) { return user == next && next->users().size() == 1; });
  }

  static Instruction* derived(Instruction& position, Opcode opcode, Instruction* value, int64_t constant) {
    Instruction* right = insert_scalar(position, integer_literal(value->shape.dtype, constant));
    return insert_like(position, opcode, value->shape, {value, right});
  }

  // Groups carries by start, then splits groups until equal inputs give equal updates: what remains together is
  // equal in every iteration.
  bool merge_equal() {
    if (state_.init(0) == nullptr || state_.next(0) == nullptr) return false;
    std::vector<size_t> group(state_.count());
    bool any = false;
    std::unordered_map<const Instruction*, std::vector<size_t>> by_init;
    for (size_t i = 0; i < state_.count(); ++i) {
      group[i] = i;
      std::vector<size_t>& candidates = by_init[state_.init(i)];
      for (size_t j : candidates) {
        if (group[j] != j || !may_be_equal(*state_.next(i), *state_.next(j))) continue;
        group[i] = j;
        any = true;
        break;
      }
      candidates.push_back(i);
    }
    // Each round numbers the whole body; groups that need many rounds are not worth it.
    constexpr int kMaxRounds = 8;
    for (int round = 0; any; ++round) {
      if (round == kMaxRounds) return false;
      if (!split_groups(group)) break;
    }
    if (!any) return false;
    bool changed = false;
    for (size_t i = 0; i < state_.count(); ++i) {
      if (group[i] != i) changed |= replace_carry(i, group[i]);
    }
    return changed;
  }

  // True if a group was split.
  bool split_groups(std::vector<size_t>& group) {
    ValueTable values;
    std::unordered_map<size_t, Instruction*> read_of_group;
    for (Instruction& instruction : state_.body().instructions()) {
      const std::optional<size_t> carry = carry_read(instruction);
      if (!carry) {
        values.add(&instruction);
        continue;
      }
      const size_t leader = group[*carry];
      values.declare(&instruction, read_of_group.emplace(leader, &instruction).first->second);
    }
    bool split = false;
    std::map<std::pair<size_t, size_t>, size_t> leaders;
    std::unordered_map<const Instruction*, size_t> update_ids;
    std::vector<size_t> refined(group.size());
    for (size_t i = 0; i < group.size(); ++i) {
      const size_t update = update_ids.emplace(values.representative(state_.next(i)), update_ids.size()).first->second;
      refined[i] = leaders.emplace(std::pair(group[i], update), i).first->second;
      split |= refined[i] != group[i];
    }
    group = refined;
    return split;
  }

  bool replace_carry(size_t i, size_t leader) {
    bool changed = false;
    const auto index = static_cast<int64_t>(leader);
    for (Computation* computation : {&state_.body(), &state_.condition()}) {
      for (Instruction* read : state_.reads(*computation, i)) {
        if (!is_used(*read)) continue;
        changed |= replace_read(*read, insert_tuple_element(*read, read->operand(0), index));
      }
    }
    for (Instruction* read : state_.reads_after(i)) {
      if (read->users().empty() && read->parent()->root() != read) continue;
      read->replace_all_uses_with(insert_tuple_element(*read, &state_.loop(), index));
      changed = true;
    }
    return changed;
  }

  CarriedLoop state_;
  const WhileInfo& info_;
};

}  // namespace

bool simplify_while(Module& module, const GraphPassOptions&) {
  std::unordered_map<const Computation*, int> callers;
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      for (const Computation* callee : instruction.called_computations()) ++callers[callee];
    }
  }
  bool changed = false;
  const ComputationSet effects = computations_with_effects(module);
  for (const auto& computation : module.computations()) {
    std::vector<Instruction*> replaced;
    for (Instruction& instruction : computation->instructions()) {
      if (instruction.opcode != Opcode::kWhile) continue;
      const bool used = !instruction.users().empty() || computation->root() == &instruction;
      const bool is_only_caller =
          callers[instruction.attributes->body.value()] == 1 && callers[instruction.attributes->condition.value()] == 1;
      if (!used || !is_only_caller) continue;
      changed |= flatten_while(instruction);
      const WhileInfo info = analyze_while(instruction);
      if (effects.count(*instruction.attributes->condition) == 0 && replace_loop(instruction, info)) {
        replaced.push_back(&instruction);
      } else {
        changed |= CarrySimplifier(instruction, info).run();
      }
    }
    remove_instructions(*computation, replaced);
    changed |= !replaced.empty();
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
