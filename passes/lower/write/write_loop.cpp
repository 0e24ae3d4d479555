// Statements of loops of thread scope, and of guards.
#include <algorithm>

#include "passes/lower/rewrite/direct_arms.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/rewrite/needless_barriers.h"
#include "passes/lower/text/index_types.h"
#include "passes/lower/write/writer.h"
#include "passes/stages/domain/launch_shape.h"

namespace sinter {

using StatementKind = Statement::Kind;
using NodeKind = DemandNode::Kind;

void Writer::write_loop(int number, Block* block) {
  const DemandLoop& loop = graph_.loops[number];
  const CType index =
      CType::value(loop.counter < 0 ? DType::kS32 : counter_type(graph_.coordinates[loop.counter].extent));
  std::vector<size_t> slots(loop.slots.size());
  for (size_t i = 0; i < slots.size(); ++i) slots[i] = i;
  std::sort(slots.begin(), slots.end(), [&](size_t a, size_t b) {
    return std::tie(loop.slots[a].carry, loop.slots[a].index) < std::tie(loop.slots[b].carry, loop.slots[b].index);
  });
  for (const size_t s : slots) {
    Variable* variable = expressions_.variables.at(loop.slots[s].carried);
    block->push_back(
        {.kind = StatementKind::kDeclare, .variable = variable, .value = expressions_.value(loop.slots[s].init)});
  }
  if (!slots.empty()) block->push_back({.kind = StatementKind::kBlank});
  Statement statement;
  statement.origin = loop.instruction;
  if (loop.counter >= 0) {
    statement.kind = StatementKind::kFor;
    Variable* counter = kernel_.variable("t", index);
    expressions_.coordinates[loop.counter] = kernel_.reference(counter);
    statement.variable = counter;
    statement.begin = kernel_.integer(0);
    statement.value = expressions_.trip_count(loop.counter);
    const auto unroll = options_.unroll.find(loop.instruction);
    if (unroll != options_.unroll.end() && unroll->second > 1) statement.unroll = static_cast<int>(unroll->second);
  } else {
    statement.kind = StatementKind::kWhile;
    statement.value = kernel_.literal(integer_literal(DType::kPred, 1));
  }
  statement.body = share_carries(number);
  if (fills_arrays(loop.scope)) {
    kernel_.headers.insert("device/reload.cuh");
    statement.body.push_back({.kind = StatementKind::kExpression,
                              .value = kernel_.call("reload_each_step", {}, {.kind = CType::Kind::kVoid})});
    statement.body.push_back({.kind = StatementKind::kBlank});
  }
  const Block steps = scope(loop.scope);
  statement.body.insert(statement.body.end(), steps.begin(), steps.end());
  reduce_batches(number, &statement.body);
  drop_needless_barriers(kernel_, &statement.body);
  if (loop.counter < 0 && !statement.body.empty() && statement.body.front().kind == StatementKind::kIf &&
      statement.body.front().body.size() == 1 && statement.body.front().body[0].kind == StatementKind::kBreak) {
    // The test needs nothing computed before it: it is the while's own.
    statement.value = statement.body.front().value->operands[0];
    statement.body.erase(statement.body.begin());
    while (!statement.body.empty() && statement.body.front().kind == StatementKind::kBlank) {
      statement.body.erase(statement.body.begin());
    }
  }
  block->push_back(loop.ahead.scope < 0 ? std::move(statement) : compute_ahead(loop, std::move(statement)));
}

// The steps of a loop, a warp's lanes many at a time, after what lanes compute for them.
Statement Writer::compute_ahead(const DemandLoop& loop, Statement steps) {
  const CType index = CType::value(counter_type(graph_.coordinates[loop.counter].extent));
  const Expr* width = kernel_.name_expr("kWarp");
  const bool whole = graph_.coordinates[loop.counter].extent % kWarp == 0;
  Statement all = {.kind = StatementKind::kFor, .origin = loop.instruction};
  Variable* first = kernel_.variable("first", index);
  all.variable = first;
  all.begin = kernel_.integer(0);
  all.value = steps.value;
  all.step = kWarp;
  all.text = "kWarp";
  const Expr* begin = kernel_.reference(first);
  const Expr* end = kernel_.infix(begin, "+", width, index);
  if (!whole) {
    Variable* last = kernel_.variable("last", index);
    kernel_.headers.insert("device/maximum.cuh");
    all.body.push_back(let(last, kernel_.call("minimum", {end, all.value}, index), nullptr));
    end = kernel_.reference(last);
  }
  all.body.push_back({.kind = StatementKind::kComment, .text = "32 steps ahead, a step a lane"});
  for (const NodeId start : loop.ahead.starts) {
    const NodeId carried = loop.slots[graph_.nodes[start].slot].carried;
    all.body.push_back({.kind = StatementKind::kDeclare,
                        .variable = expressions_.variables.at(start),
                        .value = expressions_.value(carried)});
  }
  if (loop.ahead.chain_scope >= 0) {
    Variable* counter = kernel_.variable("t", index);
    const Expr* step = kernel_.reference(counter);
    expressions_.coordinates[loop.ahead.chain_counter] = step;
    Statement chain = {.kind = StatementKind::kFor, .variable = counter, .value = end, .begin = begin};
    Statement own = {.kind = StatementKind::kIf};
    own.value = kernel_.infix(kernel_.infix(step, "%", width, index), "==", expressions_.lane_of_warp,
                              CType::value(DType::kPred));
    for (const NodeId start : loop.ahead.starts) {
      const NodeId carried = loop.slots[graph_.nodes[start].slot].carried;
      own.body.push_back(assign(kernel_.reference(expressions_.variables.at(start)), "=", expressions_.value(carried)));
    }
    chain.body.push_back(std::move(own));
    const Block next = scope(loop.ahead.chain_scope);
    chain.body.insert(chain.body.end(), next.begin(), next.end());
    all.body.push_back({.kind = StatementKind::kNote,
                        .text = "A step begins with what the one before it leaves: all lanes go through all of them, "
                                "and each keeps what its own begins with."});
    all.body.push_back(std::move(chain));
  }
  Variable* step = kernel_.variable("step", index);
  expressions_.coordinates[loop.ahead.step] = kernel_.reference(step);
  const Block of_lane = scope(loop.ahead.scope);
  if (mentions(of_lane, step)) {
    const Expr* own = kernel_.infix(begin, "+", expressions_.lane_of_warp, index);
    if (!whole) {
      const Expr* most = kernel_.infix(all.value, "-", kernel_.integer(1), index);
      own = kernel_.call("minimum", {own, most}, index);
    }
    all.body.push_back(let(step, own, nullptr));
  }
  all.body.insert(all.body.end(), of_lane.begin(), of_lane.end());
  all.body.push_back({.kind = StatementKind::kBlank});
  all.body.push_back({.kind = StatementKind::kComment, .text = "the steps"});
  steps.begin = begin;
  steps.value = end;
  steps.origin = nullptr;
  all.body.push_back(std::move(steps));
  return all;
}

// Whether arrays of the thread's own are filled in the scope or one inside it.
bool Writer::fills_arrays(int scope) const {
  return std::any_of(graph_.reduces.begin(), graph_.reduces.end(), [&](const DemandReduce& reduce) {
    int around = reduce.fills ? reduce.scope : 0;
    while (around > 0 && around != scope) around = graph_.scopes[around].parent;
    return reduce.fills && around == scope;
  });
}

// shared.member[threadIdx.x] = value;
Statement Writer::share(const std::string& member, NodeId node) {
  const CType type = CType::value(graph_.nodes[node].dtype);
  const Expr* values = kernel_.member(kernel_.reference(expressions_.shared), member, type);
  return assign(kernel_.subscript(values, kernel_.name_expr("threadIdx.x"), type), "=", expressions_.value(node));
}

// What threads of the block read of each other in an iteration, once all are through with the one before.
Block Writer::share_carries(int number) {
  Block block;
  const Statement barrier = block_barrier(&kernel_);
  for (size_t slot = 0; slot < graph_.loops[number].slots.size(); ++slot) {
    const auto member = expressions_.shared_members.find({number, static_cast<int>(slot)});
    if (member == expressions_.shared_members.end()) continue;
    if (block.empty()) block.push_back(barrier);
    block.push_back(share(member->second, graph_.loops[number].slots[slot].carried));
  }
  if (!block.empty()) block.insert(block.end(), {barrier, {.kind = StatementKind::kBlank}});
  return block;
}

// What threads of the block compute for each other: once all have read what was there in the step before.
void Writer::write_exchange(const Item& item, Block* block) {
  const DemandScope& place = graph_.scopes[item.scope];
  bool waited = place.kind != DemandScope::Kind::kLoop || !exchanging_.insert(item.scope).second;
  if (!waited) {
    const std::vector<DemandLoop::Slot>& slots = graph_.loops[place.loop].slots;
    waited = std::any_of(slots.begin(), slots.end(), [](const DemandLoop::Slot& slot) { return slot.shared; });
  }
  const Statement barrier = block_barrier(&kernel_);
  if (!waited) block->push_back(barrier);
  block->push_back(share(expressions_.exchange_members.at(item.node), item.node));
  block->push_back(barrier);
}

// Of choices that are made already, by the tests around them.
void Writer::write_known_arm(const std::vector<NodeId>& chosen, size_t side, Block* block) {
  const int arm = graph_.nodes[chosen[0]].arm_scope[side];
  if (arm != 0 && items_.statement_guard[arm]) {
    const Block body = scope(arm);
    block->insert(block->end(), body.begin(), body.end());
  }
  for (const NodeId choice : chosen) {
    const NodeId value = graph_.nodes[choice].operands[side];
    Variable* variable = expressions_.variables.at(choice);
    const auto named = expressions_.variables.find(value);
    const NodeKind kind = graph_.nodes[value].kind;
    const bool changes = kind == NodeKind::kCarry || kind == NodeKind::kOfLane || kind == NodeKind::kAccumulator;
    if (named != expressions_.variables.end() && named->second->type == variable->type && !changes) {
      expressions_.variables[choice] = named->second;
    } else {
      block->push_back(let(variable, expressions_.value(value), variable->origin));
    }
  }
  if (arm != 0) load_vectors(arm, block);
}

void Writer::write_guard(const Item& item, Block* block) {
  const DemandNode& first = graph_.nodes[item.node];
  std::vector<NodeId> chosen = {item.node};
  chosen.insert(chosen.end(), item.others.begin(), item.others.end());
  const LeftTest left = expressions_.left_test(first);
  if (left.known) {
    write_known_arm(chosen, *left.known ? 0 : 1, block);
    return;
  }
  Statement guard;
  guard.kind = StatementKind::kIf;
  guard.value = expressions_.in_range({left.test});
  const auto has_block = [&](size_t side) {
    return first.arm_scope[side] != 0 && items_.statement_guard[first.arm_scope[side]];
  };
  // A value that is there without the guard is what the variable begins with.
  std::vector<bool> begins(chosen.size(), false);
  for (size_t i = 0; i < chosen.size(); ++i) {
    const NodeId other = graph_.nodes[chosen[i]].operands[1];
    begins[i] =
        !has_block(1) && (graph_.nodes[other].kind == NodeKind::kConstant || expressions_.variables.count(other) > 0);
  }
  const auto arm = [&](size_t side) {
    Block body;
    if (has_block(side)) body = scope(first.arm_scope[side]);
    for (size_t i = 0; i < chosen.size(); ++i) {
      if (side == 1 && begins[i]) continue;
      const Expr* target = kernel_.reference(expressions_.variables.at(chosen[i]));
      body.push_back(assign(target, "=", expressions_.value(graph_.nodes[chosen[i]].operands[side])));
    }
    // What is assigned reads vectors of its own.
    if (has_block(side)) load_vectors(first.arm_scope[side], &body);
    const size_t last = chosen.size() - 1;
    assign_directly(kernel_, &body,
                    begins[last] ? expressions_.value(graph_.nodes[chosen[last]].operands[1]) : nullptr);
    return body;
  };
  for (size_t i = 0; i < chosen.size(); ++i) {
    Statement declared = {.kind = StatementKind::kDeclare, .variable = expressions_.variables.at(chosen[i])};
    if (begins[i]) declared.value = expressions_.value(graph_.nodes[chosen[i]].operands[1]);
    block->push_back(std::move(declared));
  }
  guard.other = arm(1);
  guard.body = arm(0);
  join_tests(kernel_, &guard);
  block->push_back(std::move(guard));
}

}  // namespace sinter
