// lay_out_searches: a binary search in a loop of few steps has, in place of the bounds that it narrows down, its way
// through the tree of all comparisons that it can make, node 1 at the top and 2 i and 2 i + 1 under node i; what it
// compares with stands in the order of the nodes (an Eytzinger layout).
//
//   body:  %middle = add(%low, divide(subtract(%high, %low), 2))      body:  %edge = gather(%nodes, %node)
//          %edge = gather(%edges, %middle)                        =>         %right = compare(%x, %edge), GE
//          %left = compare(%x, %edge), LT                                    %next = add(multiply(%node, 2), %right)
//          %next_low = select(%left, %low, %middle)
//          %next_high = select(%left, %middle, %high)                 %nodes = gather(%edges, {32, 16, 48, 8, ...})
//
// The same comparisons are made, so that nothing depends on the edges being in order. Where the tree is known when the
// program is compiled it is a constant; what the bounds have come to follows from the last node. jnp.searchsorted,
// jnp.digitize and jnp.histogram are such. Of two searches by edges that rise and fall, of which one number says which
// is meant, the nodes are chosen, and one search is made.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/evaluate/evaluate.h"
#include "passes/analysis/functions/value_table.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/analysis/values/constants.h"
#include "passes/analysis/values/fold_value.h"
#include "passes/analysis/values/progression.h"
#include "passes/graph/base/change_carries.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/known_value.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// Steps of a search: a tree of 1,024 nodes still stays in the first cache.
constexpr int64_t kMostLevels = 10;
// Searches for each node of a tree that is a constant; and searches at all where a launch has to make it.
constexpr int64_t kSearchesOfNode = 64;
constexpr int64_t kManySearches = int64_t{1} << 21;

bool is_computed(const Instruction& value) {
  return opcode_family(value.opcode) == Family::kElementwise && !value.operands().empty() && value.shape.is_array() &&
         value.called_computations().empty();
}

// The opposite of a predicate, of those that it is made of where it is made of several.
Value inverse(GraphBuilder& at, Value predicate) {
  const auto of_both = [&](Opcode opcode) {
    const Value first = inverse(at, predicate->operand(0));
    return at.make(opcode, {first, inverse(at, predicate->operand(1))});
  };
  const bool compares = predicate->opcode == Opcode::kCompare && !predicate->attributes->comparison_type;
  if (predicate->opcode == Opcode::kNot) return predicate->operand(0);
  if (predicate->opcode == Opcode::kAnd) return of_both(Opcode::kOr);
  if (predicate->opcode == Opcode::kOr) return of_both(Opcode::kAnd);
  const std::vector<Value>& operands = predicate->operands();
  if (compares && predicate->attributes->direction == "EQ") return at.compare({operands[0], operands[1]}, "NE");
  if (compares && predicate->attributes->direction == "NE") return at.compare({operands[0], operands[1]}, "EQ");
  return at.make(Opcode::kNot, {predicate});
}

// Floats that are known when the program is compiled, and numbers.
bool is_known_number(const Instruction& tree) {
  if (tree.opcode != Opcode::kConstant || !is_float(tree.shape.dtype)) return false;
  for (int64_t i = 0; i < tree.literal.element_count(); ++i) {
    if (std::isnan(tree.literal.real_at(i))) return false;
  }
  return true;
}

// What asks whether this, a number, is one.
void decide_nan(Instruction& number) {
  const std::vector<Instruction*> users = number.users();
  for (Instruction* user : users) {
    if (user->opcode != Opcode::kCompare || user->operand(0) != &number || user->operand(1) != &number) continue;
    const std::string& direction = *user->attributes->direction;
    if (user->attributes->comparison_type || (direction != "EQ" && direction != "NE")) continue;
    if (user->users().empty()) continue;
    become_splat(*user, integer_literal(DType::kPred, direction == "EQ" ? 1 : 0));
  }
}

// A loop whose state is bounds, whole numbers that begin the same for all searches, and that one predicate narrows
// down.
class Search {
 public:
  explicit Search(Instruction& instruction) : loop_(instruction), info_(analyze_while(instruction)) {}

  bool find() {
    if (!find_bounds() || !find_predicate()) return false;
    return find_compared() && find_states();
  }

  // Whether another one, that is laid out too, makes the same steps through a tree of its own.
  bool makes_same_steps(const Search& other) const {
    return *info_.trip_count == *other.info_.trip_count && last_->shape == other.last_->shape &&
           loop_.loop().parent() == other.loop_.loop().parent() && is_same(*next_, *other.next_, other);
  }
  Instruction& node_after() const { return *last_; }
  // The nodes as the loop is given them.
  Instruction& tree() const { return *loop_.init(*carry_read(*edge_source())); }
  void set_tree(Value tree) { loop_.loop().operand(0)->set_operand(*carry_read(*edge_source()), tree); }
  void sort() { loop_.loop().parent()->sort(); }

  // False where a tree is not worth it.
  bool rewrite() {
    Instruction& loop = loop_.loop();
    GraphBuilder before(loop);
    const Value tree = make_tree(before);
    if (tree == nullptr) return false;
    const size_t carry = bounds_[0];
    const std::vector<int64_t> dims = loop_.init(carry)->shape.dims;

    Instruction& root = *loop_.body().root();
    const Value nodes_read = add_invariants(loop_, {tree})[0];
    const std::vector<Instruction*> nodes_so_far = loop_.reads(loop_.body(), carry);
    const Value node = nodes_so_far.front();
    GraphBuilder end(root);
    const Value turn = end.convert(second_if_false_ ? inverse(end, predicate_) : predicate_, kNodeType);
    // Of the other bounds nothing is read any more.
    for (const size_t bound : bounds_) root.set_operand(bound, loop_.reads(loop_.body(), bound).front());
    replace_carry(loop_, carry, before.integer(kNodeType, 1, dims));
    next_ = end.add({end.multiply({node, end.integer(kNodeType, 2, dims)}), turn});
    root.set_operand(carry, next_);

    GraphBuilder inside(*compared_);
    edge_ = inside.reshape(take(inside, nodes_read, node), compared_->shape.dims);
    compared_->replace_all_uses_with(edge_);
    if (is_known_number(*tree)) decide_nan(*edge_);

    GraphBuilder after(behind(loop));
    last_ = after.tuple_element(&loop, static_cast<int64_t>(carry));
    for (size_t b = 0; b < bounds_.size(); ++b) {
      for (Instruction* read : loop_.reads_after(bounds_[b])) {
        if (read != last_) read->replace_all_uses_with(at_leaf(after, b, last_));
      }
    }
    loop.parent()->sort();
    loop_.body().sort();
    return true;
  }

 private:
  static constexpr DType kNodeType = DType::kS32;

  const Instruction* edge_source() const {
    return edge_->opcode == Opcode::kReshape ? edge_->operand(0)->operand(0) : edge_->operand(0);
  }

  bool is_same(const Instruction& mine, const Instruction& others, const Search& other) const {
    if (&mine == edge_ || &others == other.edge_) return &mine == edge_ && &others == other.edge_;
    const std::optional<size_t> carry = carry_read(mine), others_carry = carry_read(others);
    if (carry && others_carry) {
      const bool is_node = *carry == bounds_[0], is_others_node = *others_carry == other.bounds_[0];
      if (is_node || is_others_node) return is_node && is_others_node;
      return info_.carries[*carry].kind == CarryKind::kInvariant &&
             other.info_.carries[*others_carry].kind == CarryKind::kInvariant &&
             loop_.init(*carry) == other.loop_.init(*others_carry);
    }
    const std::vector<Instruction*>& operands = mine.operands();
    if (mine.opcode == Opcode::kConstant && others.opcode == Opcode::kConstant)
      return !mine.literal.is_elided() && !others.literal.is_elided() && mine.literal.same_value(others.literal);
    const bool same = mine.opcode != Opcode::kParameter && may_be_shared(mine) && same_operation(mine, others) &&
                      operands.size() == others.operands().size();
    for (size_t i = 0; same && i < operands.size(); ++i) {
      if (!is_same(*operands[i], *others.operand(i), other)) return false;
    }
    return same;
  }

  int64_t nodes() const { return int64_t{1} << *info_.trip_count; }

  bool find_bounds() {
    const int64_t steps = info_.trip_count.value_or(0);
    if (steps < 2 || steps > kMostLevels || !can_add_carries(loop_)) return false;
    for (size_t i = 0; i < loop_.count(); ++i) {
      if (info_.carries[i].kind != CarryKind::kGeneral) continue;
      const Instruction& init = *loop_.init(i);
      const bool counts = init.shape.is_array() && is_integer(init.shape.dtype) && dtype_bits(init.shape.dtype) == 32;
      if (!counts || init.shape.element_count() < kSearchesOfNode * nodes()) return false;
      if (!bounds_.empty() && init.shape.dims != loop_.init(bounds_[0])->shape.dims) return false;
      std::optional<Literal> first = splat_value(init);
      if (!first || loop_.reads(loop_.body(), i).empty() || !loop_.reads(loop_.condition(), i).empty()) return false;
      bounds_.push_back(i);
      first_.push_back(std::move(*first));
    }
    return !bounds_.empty();
  }

  bool find_predicate() {
    for (const size_t bound : bounds_) {
      const Instruction& next = *loop_.next(bound);
      if (next.opcode != Opcode::kSelect) return false;
      if (predicate_ != nullptr && next.operand(0) != predicate_) return false;
      predicate_ = next.operand(0);
      if (!is_state(*next.operand(1)) || !is_state(*next.operand(2))) return false;
    }
    return predicate_->shape.dims == loop_.init(bounds_[0])->shape.dims && !is_state(*predicate_);
  }

  // Computed from the bounds and constants alone.
  bool is_state(const Instruction& value) {
    const auto known = is_state_.find(&value);
    if (known != is_state_.end()) return known->second;
    bool result = false;
    if (const std::optional<size_t> carry = carry_read(value)) {
      result = std::ranges::find(bounds_, *carry) != bounds_.end();
    } else if (splat_value(value) && is_integer(value.shape.dtype)) {
      result = true;
    } else if (value.opcode == Opcode::kReshape || is_computed(value)) {
      result = std::ranges::all_of(value.operands(), [&](const Instruction* one) { return is_state(*one); });
    }
    is_state_.emplace(&value, result);
    return result;
  }

  // Elements of a list at places that are of the bounds, and what is computed of such: the same for all searches that
  // have come the same way.
  bool is_of_node(const Instruction& value) {
    const auto known = is_of_node_.find(&value);
    if (known != is_of_node_.end()) return known->second;
    bool result = false;
    if (value.shape.is_array() && value.shape.dtype == DType::kPred) {
      result = false;
    } else if (value.opcode == Opcode::kGather) {
      result = takes_elements(value) && is_list(*value.operand(0)) && is_state(*value.operand(1));
    } else if (value.opcode == Opcode::kReshape) {
      result = is_of_node(*value.operand(0));
    } else if (is_computed(value)) {
      const auto fits = [&](const Instruction* one) { return splat_value(*one) || is_state(*one) || is_of_node(*one); };
      result = std::ranges::all_of(value.operands(), fits) &&
               std::ranges::any_of(value.operands(), [&](const Instruction* one) { return is_of_node(*one); });
    }
    is_of_node_.emplace(&value, result);
    return result;
  }

  static bool takes_elements(const Instruction& gather) {
    const Instruction& list = *gather.operand(0);
    return list.shape.rank() == 1 && list.shape.dims[0] > 0 && gather.shape.is_static() &&
           gather.shape.element_count() == gather.operand(1)->shape.element_count();
  }

  // One that is there before the loop.
  bool is_list(const Instruction& list) const {
    if (list.opcode == Opcode::kConstant) return !list.literal.is_elided();
    const std::optional<size_t> carry = carry_read(list);
    return carry && info_.carries[*carry].kind == CarryKind::kInvariant;
  }

  // The one value of a node that a search is compared with.
  bool find_compared() {
    for (Instruction& value : loop_.body().instructions()) {
      if (!is_of_node(value)) continue;
      const bool is_read = std::ranges::any_of(
          value.users(), [&](const Instruction* user) { return !is_of_node(*user) && user != loop_.body().root(); });
      if (!is_read) continue;
      if (compared_ != nullptr || value.shape.element_count() != loop_.init(bounds_[0])->shape.element_count())
        return false;
      compared_ = &value;
    }
    // Bounds are read for nothing else: a search does not have them any more.
    return compared_ != nullptr && std::ranges::all_of(loop_.body().instructions(), [&](const Instruction& value) {
             const bool is_made = is_state(value) || is_of_node(value) || &value == loop_.body().root();
             if (is_made || std::ranges::any_of(bounds_, [&](size_t b) { return loop_.next(b) == &value; }))
               return true;
             return std::ranges::none_of(value.operands(),
                                         [&](const Instruction* one) { return is_state(*one) && !splat_value(*one); });
           });
  }

  using State = std::vector<Literal>;

  std::optional<Literal> of_state(const Instruction& value, const State& state) const {
    if (const std::optional<size_t> carry = carry_read(value))
      return state[static_cast<size_t>(std::ranges::find(bounds_, *carry) - bounds_.begin())];
    if (std::optional<Literal> number = splat_value(value)) return number;
    if (value.opcode == Opcode::kReshape) return of_state(*value.operand(0), state);
    std::vector<Literal> operands;
    for (const Instruction* operand : value.operands()) {
      std::optional<Literal> known = of_state(*operand, state);
      if (!known) return std::nullopt;
      operands.push_back(std::move(*known));
    }
    return evaluate_scalar(value, operands);
  }

  std::optional<State> next_state(const State& state, bool predicate) const {
    State next;
    for (const size_t bound : bounds_) {
      std::optional<Literal> value = of_state(*loop_.next(bound)->operand(predicate ? 1 : 2), state);
      if (!value) return std::nullopt;
      next.push_back(std::move(*value));
    }
    return next;
  }

  // The bounds at every node, and behind the last step. Nothing stands above node 1.
  bool find_states() {
    const auto leads_down = [&](bool predicate) {
      std::optional<State> state = first_;
      for (int64_t step = 0; step < *info_.trip_count && state; ++step) state = next_state(*state, predicate);
      return state ? std::optional(state->back().integer_at(0)) : std::nullopt;
    };
    const std::optional<int64_t> if_true = leads_down(true), if_false = leads_down(false);
    if (!if_true || !if_false) return false;
    // The second of two nodes is that of the larger bounds.
    second_if_false_ = *if_false > *if_true;
    states_ = {first_, first_};
    for (int64_t node = 1; node < nodes(); ++node) {
      for (const bool second : {false, true}) {
        std::optional<State> next = next_state(states_[static_cast<size_t>(node)], second != second_if_false_);
        if (!next) return false;
        states_.push_back(std::move(*next));
      }
    }
    return true;
  }

  static Value take(GraphBuilder& at, Value list, Value places) {
    Attributes attributes;
    attributes.offset_dims = std::vector<int64_t>{};
    attributes.collapsed_slice_dims = std::vector<int64_t>{0};
    attributes.start_index_map = std::vector<int64_t>{0};
    attributes.index_vector_dim = places->shape.rank();
    attributes.slice_sizes = std::vector<int64_t>{1};
    return at.make(Opcode::kGather, {list, places}, std::move(attributes));
  }

  // What a bound has come to at a leaf, which are counted from nodes() on: a list has nothing before these.
  Value at_leaf(GraphBuilder& at, size_t bound, Value leaf) const {
    const DType dtype = first_[bound].shape().dtype;
    Literal list(Shape::array(dtype, {nodes()})), list_of_all(Shape::array(dtype, {2 * nodes()}));
    for (int64_t i = 0; i < nodes(); ++i) {
      const int64_t value = states_[static_cast<size_t>(nodes() + i)][bound].integer_at(0);
      list.set_integer(i, value);
      list_of_all.set_integer(nodes() + i, value);
    }
    const auto number = [&](int64_t value) { return at.integer(kNodeType, value, leaf->shape.dims); };
    const std::optional<Progression> progression = find_progression(list);
    if (!progression || progression->step < 0 || nodes() % progression->repeats != 0)
      return take(at, at.constant(list_of_all), leaf);
    const Value shifted = at.add({leaf, number(progression->shift)});
    const Value counted = at.make(Opcode::kDivide, {shifted, number(progression->repeats)});
    const Value stepped = at.multiply({counted, number(progression->step)});
    const int64_t before = nodes() / progression->repeats * progression->step - progression->first;
    return at.convert(at.subtract({stepped, number(before)}), dtype);
  }

  // `compared_` at each node, before the loop: a constant where it is known. nullptr where it is not worth it.
  Value make_tree(GraphBuilder& at) {
    std::unordered_map<const Instruction*, Value> made;  // only looked up
    std::unordered_map<const Instruction*, Literal> known;
    const Value tree = make_of_nodes(at, *compared_, made, known);
    const auto value = known.find(tree);
    if (value != known.end()) return at.constant(value->second);
    const bool is_worth_it = loop_.loop().parent() == loop_.loop().parent()->parent()->entry() &&
                             loop_.init(bounds_[0])->shape.element_count() >= kManySearches;
    return is_worth_it ? tree : nullptr;
  }

  Value make_of_nodes(GraphBuilder& at, Instruction& value, std::unordered_map<const Instruction*, Value>& made,
                      std::unordered_map<const Instruction*, Literal>& known) {
    const auto found = made.find(&value);
    if (found != made.end()) return found->second;
    const std::vector<int64_t> dims = {nodes()};
    Value result = nullptr;
    if (const std::optional<Literal> number = splat_value(value)) {
      result = at.splat(at.constant(*number), dims);
      known.emplace(result->operand(0), *number);
    } else if (is_state(value)) {
      Literal places(Shape::array(value.shape.dtype, dims));
      for (int64_t i = 0; i < nodes(); ++i)
        places.set_integer(i, of_state(value, states_[static_cast<size_t>(i)])->integer_at(0));
      result = at.constant(std::move(places));
    } else if (value.opcode == Opcode::kReshape) {
      result = make_of_nodes(at, *value.operand(0), made, known);
    } else if (value.opcode == Opcode::kGather) {
      const Value list = before_loop(at, *value.operand(0));
      if (std::optional<Literal> elements = known_value(*list, kMostKnown)) known.emplace(list, std::move(*elements));
      result = take(at, list, make_of_nodes(at, *value.operand(1), made, known));
    } else {
      std::vector<Value> operands;
      for (Instruction* operand : value.operands()) operands.push_back(make_of_nodes(at, *operand, made, known));
      result = at.make(value.opcode, operands, value.attributes);
    }
    made.emplace(&value, result);
    learn(*result, known);
    return result;
  }

  // What a value comes to whose operands are known, or are constants.
  static void learn(const Instruction& value, std::unordered_map<const Instruction*, Literal>& known) {
    if (known.contains(&value)) return;
    if (value.opcode == Opcode::kConstant) {
      known.emplace(&value, value.literal);
      return;
    }
    if (!may_fold(value)) return;
    std::vector<Literal> operands;
    for (const Instruction* operand : value.operands()) {
      if (!known.contains(operand)) return;
      operands.push_back(known.at(operand));
    }
    if (std::optional<Literal> result = evaluate_instruction(value, operands)) known.emplace(&value, *result);
  }

  Value before_loop(GraphBuilder& at, const Instruction& list) const {
    const std::optional<size_t> carry = carry_read(list);
    return carry ? loop_.init(*carry) : at.constant(list.literal);
  }

  static constexpr int64_t kMostKnown = 4096;  // elements of a list

  CarriedLoop loop_;
  const WhileInfo info_;
  std::vector<size_t> bounds_;  // carries
  State first_;
  Instruction* predicate_ = nullptr;
  Instruction* compared_ = nullptr;
  Value next_ = nullptr, edge_ = nullptr, last_ = nullptr;  // of one that is laid out
  bool second_if_false_ = false;
  std::vector<State> states_;
  std::unordered_map<const Instruction*, bool> is_state_, is_of_node_;  // only looked up
};

// What reads the value, and what reads that alone, and so on: the choice of which it is this arm.
Instruction* choice_of(Instruction& value, size_t arm) {
  constexpr int kMostOperations = 8;
  Instruction* current = &value;
  for (int i = 0; i < kMostOperations; ++i) {
    if (current->users().size() != 1 || current->parent()->root() == current) return nullptr;
    Instruction* user = current->users()[0];
    if (user->opcode == Opcode::kSelect && user->operand(arm) == current) return user;
    if (opcode_family(user->opcode) != Family::kElementwise) return nullptr;
    current = user;
  }
  return nullptr;
}

// Searches of which one number says which is meant.
bool join(Search& one, Search& other) {
  Instruction* choice = choice_of(one.node_after(), 1);
  if (choice == nullptr || choice_of(other.node_after(), 2) != choice || !one.makes_same_steps(other)) return false;
  const Instruction& chosen = *choice->operand(0);
  if (chosen.opcode != Opcode::kBroadcast || chosen.operand(0)->shape.rank() != 0) return false;
  Instruction& last = one.node_after();
  const std::vector<Instruction*> loops = {last.operand(0), other.node_after().operand(0)};
  const std::vector<Instruction*> first = {chosen.operand(0), &other.tree()};
  if (std::ranges::any_of(first, [&](const Instruction* value) { return depends_on(*value, loops); })) return false;
  GraphBuilder at(*choice);
  const Value rises = at.splat(chosen.operand(0), one.tree().shape.dims);
  one.set_tree(at.select({rises, &one.tree(), &other.tree()}));
  other.node_after().replace_all_uses_with(&last);
  one.sort();
  return true;
}

}  // namespace

bool lay_out_searches(Module& module, const GraphPassOptions&) {
  std::vector<std::unique_ptr<Search>> searches;
  for (Instruction* loop : instructions_of(module, Opcode::kWhile)) {
    auto search = std::make_unique<Search>(*loop);
    if (search->find() && search->rewrite()) searches.push_back(std::move(search));
  }
  if (searches.empty()) return false;
  for (size_t one = 0; one < searches.size(); ++one) {
    for (size_t other = 0; other < searches.size(); ++other) {
      if (one == other || !join(*searches[one], *searches[other])) continue;
      searches.erase(searches.begin() + static_cast<std::ptrdiff_t>(other));
      one = SIZE_MAX;
      break;
    }
  }
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
