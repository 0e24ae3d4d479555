// roll_loops: a chain of calls of one computation, each working on the results of the one before, becomes a loop.
//
//   %a = (f32[], s32[]) call(%w, %x, %i), to_apply=%step        in the body of a loop of 5 iterations that does
//   %b = (f32[], s32[]) call(%w, %a#0, %a#1), to_apply=%step    nothing else: one call, and 50 iterations
//   ... ten calls in all                                   =>   elsewhere: a loop of ten iterations
//
// This is what scan(unroll=10) prints. A chain has at least kMinCalls links; a link takes results of the call before
// it in the same positions as every other link, and otherwise the same operands; the results of all calls but the
// last go nowhere else. The number of calls is kept on the loop as frontend_attributes={sinter_unroll="10"}: a
// request to unroll by so much.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Wide = __int128;

constexpr size_t kMinCalls = 4;

struct Chain {
  std::vector<Instruction*> calls;
  // For each operand position the result that the next call takes there, or -1 where it takes the same operand.
  std::vector<int64_t> feedback;
};

bool is_result_of(const Instruction& value, const Instruction& call) {
  return value.opcode == Opcode::kGetTupleElement && value.operand(0) == &call;
}

// How `next` takes the results of `call`; nullopt if it takes none or differs otherwise.
std::optional<std::vector<int64_t>> feedback_between(const Instruction& call, const Instruction& next) {
  std::vector<int64_t> feedback;
  bool any = false;
  for (size_t p = 0; p < next.operands().size(); ++p) {
    const Instruction& operand = *next.operand(p);
    if (is_result_of(operand, call)) {
      feedback.push_back(operand.attributes->tuple_index.value());
      any = true;
    } else if (&operand == call.operand(p)) {
      feedback.push_back(-1);
    } else {
      return {};
    }
  }
  return any ? std::optional(feedback) : std::nullopt;
}

bool feeds_only(const Instruction& call, const Instruction& next) {
  if (call.parent()->root() == &call) return false;
  for (const Instruction* read : call.users()) {
    if (!is_result_of(*read, call) || call.parent()->root() == read) return false;
    for (const Instruction* user : read->users()) {
      if (user != &next) return false;
    }
  }
  return true;
}

// The call of the same computation that takes this one's results.
Instruction* following_call(const Instruction& call) {
  for (const Instruction* read : call.users()) {
    if (!is_result_of(*read, call)) continue;
    for (Instruction* user : read->users()) {
      if (user->opcode == Opcode::kCall && user->attributes->to_apply == call.attributes->to_apply) return user;
    }
  }
  return nullptr;
}

std::vector<Chain> find_chains(Computation& computation, const ComputationSet& effects) {
  std::vector<Chain> chains;
  std::unordered_set<const Instruction*> taken;
  for (Instruction& instruction : computation.instructions()) {
    if (instruction.opcode != Opcode::kCall || !instruction.shape.is_tuple() || taken.contains(&instruction)) continue;
    if (has_effect(instruction, effects)) continue;
    Chain chain{{&instruction}, {}};
    while (Instruction* next = following_call(*chain.calls.back())) {
      const Instruction& call = *chain.calls.back();
      const std::optional<std::vector<int64_t>> feedback = feedback_between(call, *next);
      if (!feedback || !feeds_only(call, *next)) break;
      if (chain.calls.size() > 1 && *feedback != chain.feedback) break;
      chain.feedback = *feedback;
      chain.calls.push_back(next);
    }
    if (chain.calls.size() < kMinCalls) continue;
    taken.insert(chain.calls.begin(), chain.calls.end());
    chains.push_back(std::move(chain));
  }
  return chains;
}

// The state element this value is, or -1.
int64_t state_index(const Instruction& value) {
  const std::optional<size_t> carry = carry_read(value);
  return carry ? static_cast<int64_t>(*carry) : -1;
}

// True if every iteration of the loop does nothing but run the chain on its state and advance the tested counter, so
// that as many single calls in as many iterations come to the same.
bool is_all_a_loop_does(const Chain& chain, const Instruction& loop, const WhileInfo& info) {
  const Instruction& root = *loop.attributes->body.value()->root();
  if (!info.trip_count || info.counter < 0 || root.opcode != Opcode::kTuple) return false;
  const Instruction& last = *chain.calls.back();
  std::vector<bool> from_chain(root.operands().size(), false);
  for (size_t p = 0; p < chain.feedback.size(); ++p) {
    const int64_t element = state_index(*chain.calls.front()->operand(p));
    if (element == info.counter) return false;
    if (chain.feedback[p] < 0) {
      // The same in every call; it must be the same in every iteration as well.
      const bool is_fixed = chain.calls.front()->operand(p)->opcode == Opcode::kConstant ||
                            (element >= 0 && info.carries[static_cast<size_t>(element)].kind == CarryKind::kInvariant);
      if (!is_fixed) return false;
      continue;
    }
    if (element < 0) return false;
    const Instruction& next = *root.operand(static_cast<size_t>(element));
    if (!is_result_of(next, last) || next.attributes->tuple_index != chain.feedback[p]) return false;
    from_chain[static_cast<size_t>(element)] = true;
  }
  for (size_t i = 0; i < root.operands().size(); ++i) {
    const bool is_counter = static_cast<int64_t>(i) == info.counter;
    if (!from_chain[i] && !is_counter && info.carries[i].kind != CarryKind::kInvariant) return false;
  }
  return true;
}

// Runs the loop `factor` times as often with the first call alone. False if its counter cannot count so far.
bool lengthen_loop(const Chain& chain, Instruction& loop, const WhileInfo& info) {
  const auto factor = static_cast<int64_t>(chain.calls.size());
  const Carry& counter = info.carries[static_cast<size_t>(info.counter)];
  const DType dtype = loop.shape.elements[static_cast<size_t>(info.counter)].dtype;
  const Wide end = Wide{counter.start} + Wide{counter.step} * *info.trip_count * factor;
  if (end < integer_min(dtype) || end > integer_max(dtype)) return false;

  // After the loop the counter is what it was.
  const int64_t old_end = counter.start + counter.step * *info.trip_count;
  const std::vector<Instruction*> users = loop.users();
  for (Instruction* read : users) {
    if (read->opcode != Opcode::kGetTupleElement) return false;
  }
  if (loop.parent()->root() == &loop) return false;
  for (Instruction* read : users) {
    if (read->attributes->tuple_index != info.counter) continue;
    if (read->users().empty() && read->parent()->root() != read) continue;
    read->replace_all_uses_with(insert_scalar(*read, integer_literal(dtype, old_end)));
  }

  Instruction& test = *loop.attributes->condition.value()->root();
  Instruction* tested = nullptr;
  for (Instruction* operand : test.operands()) {
    if (state_index(*operand) == info.counter) tested = operand;
  }
  Instruction* bound = insert_scalar(test, integer_literal(dtype, static_cast<int64_t>(end)));
  Attributes attributes;
  attributes.direction = counter.step > 0 ? "LT" : "GT";
  become(test, Opcode::kCompare, {tested, bound}, std::move(attributes));

  const Instruction* last = chain.calls.back();
  Instruction* first = chain.calls.front();
  const std::vector<Instruction*> reads = last->users();
  for (Instruction* read : reads) {
    read->replace_all_uses_with(insert_tuple_element(*read, first, read->attributes->tuple_index.value()));
  }
  loop.annotations.edit().frontend_attributes["sinter_unroll"] = std::to_string(factor);
  return true;
}

// Replaces the chain by a loop of its own, whose state is a counter, then the operands of a call. False if some
// result is neither fed back nor unused.
bool make_loop(Module& module, const Chain& chain) {
  Instruction& first = *chain.calls.front();
  Instruction& last = *chain.calls.back();
  std::unordered_map<int64_t, int64_t> element_of_result;
  for (size_t p = 0; p < chain.feedback.size(); ++p) {
    if (chain.feedback[p] >= 0) element_of_result.emplace(chain.feedback[p], static_cast<int64_t>(p) + 1);
  }
  if (last.parent()->root() == &last) return false;
  for (const Instruction* read : last.users()) {
    if (!is_result_of(*read, last) || !element_of_result.contains(read->attributes->tuple_index.value())) return false;
  }

  const Shape count = Shape::scalar(DType::kS32);
  Shape state = Shape::tuple({count});
  std::vector<Instruction*> inits{insert_scalar(last, integer_literal(DType::kS32, 0))};
  for (Instruction* operand : first.operands()) {
    state.elements.push_back(operand->shape);
    inits.push_back(operand);
  }

  const std::string stem = first.attributes->to_apply.value()->name;
  Computation* condition = module.add_computation(stem + "_condition");
  Instruction* tested = condition->add(Opcode::kParameter, state, {}, "state");
  Instruction* counter = condition->add(Opcode::kGetTupleElement, count, {tested});
  counter->attributes.edit().tuple_index = 0;
  Instruction* trips = condition->add_constant(integer_literal(DType::kS32, static_cast<int64_t>(chain.calls.size())));
  Instruction* test = condition->add(Opcode::kCompare, Shape::scalar(DType::kPred), {counter, trips});
  test->attributes.edit().direction = "LT";
  condition->set_root(test);

  Computation* body = module.add_computation(stem + "_loop");
  Instruction* carried = body->add(Opcode::kParameter, state, {}, "state");
  std::vector<Instruction*> elements;
  for (size_t i = 0; i < state.elements.size(); ++i) {
    elements.push_back(body->add(Opcode::kGetTupleElement, state.elements[i], {carried}));
    elements.back()->attributes.edit().tuple_index = static_cast<int64_t>(i);
  }
  Instruction* call = body->add_copy(first, {elements.begin() + 1, elements.end()});
  Instruction* one = body->add_constant(integer_literal(DType::kS32, 1));
  std::vector<Instruction*> results{body->add(Opcode::kAdd, count, {elements[0], one})};
  for (size_t p = 0; p < chain.feedback.size(); ++p) {
    Instruction* result = elements[p + 1];
    if (chain.feedback[p] >= 0) {
      result = body->add(Opcode::kGetTupleElement, result->shape, {call});
      result->attributes.edit().tuple_index = chain.feedback[p];
    }
    results.push_back(result);
  }
  body->set_root(body->add(Opcode::kTuple, state, results));

  Instruction* init = insert_like(last, Opcode::kTuple, state, inits);
  Attributes attributes;
  attributes.condition = condition;
  attributes.body = body;
  Instruction* loop = insert_like(last, Opcode::kWhile, state, {init}, std::move(attributes));
  loop->annotations.edit().frontend_attributes["sinter_unroll"] = std::to_string(chain.calls.size());
  const std::vector<Instruction*> reads = last.users();
  for (Instruction* read : reads) {
    const int64_t element = element_of_result.at(read->attributes->tuple_index.value());
    read->replace_all_uses_with(insert_tuple_element(*read, loop, element));
  }
  return true;
}

}  // namespace

bool roll_loops(Module& module, const GraphPassOptions&) {
  // The loop that runs a computation as its body, if it is the only caller.
  std::unordered_map<const Computation*, Instruction*> loop_of_body;
  std::unordered_map<const Computation*, int> callers;
  std::vector<Computation*> computations;
  for (const auto& computation : module.computations()) {
    computations.push_back(computation.get());
    for (Instruction& instruction : computation->instructions()) {
      for (const Computation* callee : instruction.called_computations()) ++callers[callee];
      if (instruction.opcode == Opcode::kWhile) loop_of_body[instruction.attributes->body.value()] = &instruction;
    }
  }
  const ComputationSet effects = computations_with_effects(module);
  bool changed = false;
  for (Computation* computation : computations) {
    for (const Chain& chain : find_chains(*computation, effects)) {
      const auto found = loop_of_body.find(computation);
      bool rolled = false;
      if (found != loop_of_body.end() && callers[computation] == 1) {
        Instruction& loop = *found->second;
        const bool owns_condition = callers[loop.attributes->condition.value()] == 1;
        const WhileInfo info = analyze_while(loop);
        rolled = owns_condition && is_all_a_loop_does(chain, loop, info) && lengthen_loop(chain, loop, info);
      }
      changed |= rolled || make_loop(module, chain);
    }
  }
  if (!changed) return false;
  remove_dead_code(module);
  module.sort_computations();
  return true;
}

}  // namespace sinter
