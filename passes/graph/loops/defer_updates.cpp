// defer_updates: what a step makes at its end for the next one, element by element, of numbers that take all elements
// to know, the next step makes at its beginning, where it reads the result.
//
//   body:  direction' = residual' + beta * direction          body:  direction = first ? direction_in
//          residual', beta  of this step                 =>                  : residual_in + beta_in * direction_in
//                                                                    direction', residual', beta' handed on
//
// Steps of conjugate gradients wait three times where they are kernels: for either sum, and for the new direction, at
// whose neighbours the next step looks. Then a step that looks computes these neighbours, and waits twice. Where the
// result is made of one new array, `x' = y / norm(y)` of a power iteration, the loop carries that in its place.
//
// The steps make the same operations of the same numbers: no bit changes. It is done for large arrays that the step
// looks at in other places, and a program is planned without it, too.
#include <algorithm>
#include <unordered_map>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/loops/by_element.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/values/hardware.h"
#include "passes/graph/base/change_carries.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

// Operations of an update: the next step repeats them wherever it looks.
constexpr size_t kMostOperations = 24;

bool is_by_element(const Instruction& value) {
  if (value.opcode == Opcode::kBroadcast || value.opcode == Opcode::kReshape) return true;
  return family_of(value) == Family::kElementwise;
}

// Of few elements beside the array: what is handed on as it is.
bool is_small(const Instruction& value, const Instruction& array) {
  constexpr int64_t kShare = 64;
  return value.shape.element_count() * kShare <= array.shape.element_count();
}

// Whatever layout an array of the program has.
bool are_alike(const Instruction& a, const Instruction& b) {
  return a.shape.is_array() && b.shape.is_array() && a.shape.dtype == b.shape.dtype && a.shape.dims == b.shape.dims;
}

// What the next step has of a value of this one, and which carry holds it then.
using Held = std::unordered_map<const Instruction*, size_t>;

// How a carry is made at a step's end.
struct Update {
  size_t carry = 0;
  Instruction* next = nullptr;
  Held held;  // by carries that there are
  // By carries that it takes besides.
  std::vector<Instruction*> added;
  // Whether it is made of what the carry held; else of an array that the carry itself is to hold, if there is one.
  bool of_itself = false;
  Instruction* in_place = nullptr;
  size_t operations = 0;
  InstructionSet seen;
};

class Deferrer {
 public:
  explicit Deferrer(Instruction& instruction) : loop_(instruction), info_(analyze_while(instruction)) {}

  bool run() {
    if (!can_add_carries(loop_) || info_.trip_count.value_or(kFewest) < kFewest) return false;
    bool changed = false;
    for (size_t carry = 0; carry < info_.carries.size(); ++carry) {
      std::optional<Update> update = find(carry);
      if (!update) continue;
      defer(*update);
      changed = true;
    }
    return changed;
  }

 private:
  static constexpr int64_t kFewest = 4;  // steps

  std::optional<Update> find(size_t carry) {
    const Instruction* next = loop_.next(carry);
    if (info_.carries[carry].kind != CarryKind::kGeneral || !next->shape.is_array()) return std::nullopt;
    // A block has the elements of smaller arrays.
    if (next->shape.element_count() <= kMostThreads || next->users().size() != 1) return std::nullopt;
    if (!are_alike(*loop_.init(carry), *next)) return std::nullopt;
    for (const Instruction* read : loop_.reads(loop_.condition(), carry)) {
      if (!read->users().empty() || loop_.condition().root() == read) return std::nullopt;
    }
    if (!is_looked_at(carry)) return std::nullopt;
    for (const bool of_itself : {true, false}) {
      Update update;
      update.carry = carry;
      update.next = loop_.next(carry);
      update.of_itself = of_itself;
      if (collect(update.next, &update) && waits_for_all(update)) return update;
    }
    return std::nullopt;
  }

  // Whether the step reads elements of the carry in other places than it makes them, or all of them.
  bool is_looked_at(size_t carry) const {
    InstructionSet seen;
    std::vector<const Instruction*> open;
    const auto look = [&](const Instruction* value) {
      for (const Instruction* user : value->users()) {
        if (seen.insert(user).second) open.push_back(user);
      }
    };
    for (const Instruction* read : loop_.reads(loop_.body(), carry)) look(read);
    while (!open.empty()) {
      const Instruction* value = open.back();
      open.pop_back();
      if (value == loop_.body().root() || !value->shape.is_array()) continue;
      if (!is_by_element(*value)) return true;
      look(value);
    }
    return false;
  }

  // Notes what the update is made of; false where the next step has no way to make it.
  bool collect(Instruction* value, Update* update) {
    if (update->seen.contains(value) || value->opcode == Opcode::kConstant || value->opcode == Opcode::kIota)
      return true;
    if (const std::optional<size_t> carry = carry_read(*value)) {
      if (*carry >= info_.carries.size()) return false;  // of an update before
      if (info_.carries[*carry].kind == CarryKind::kInvariant) return true;
      return update->of_itself && *carry == update->carry;
    }
    if (!value->shape.is_array()) return false;
    if (const std::optional<size_t> carry = carry_made(*value, *update)) {
      update->held[value] = *carry;
    } else if (is_small(*value, *update->next)) {
      update->added.push_back(value);
    } else if (!collect_operands(*value, update)) {
      if (update->of_itself || update->in_place != nullptr || !are_alike(*value, *update->next)) return false;
      if (value == update->next) return false;
      update->in_place = value;
    }
    update->seen.insert(value);
    return true;
  }

  // What a value is made of element by element. As before where it is not.
  bool collect_operands(const Instruction& value, Update* update) {
    if (!is_by_element(value)) return false;
    Update before = *update;
    const bool fits =
        ++update->operations <= kMostOperations &&
        std::ranges::all_of(value.operands(), [&](Instruction* operand) { return collect(operand, update); });
    if (!fits) *update = std::move(before);
    return fits;
  }

  // Another carry that holds the value in the next step.
  std::optional<size_t> carry_made(const Instruction& value, const Update& update) const {
    for (size_t i = 0; i < info_.carries.size(); ++i) {
      if (i != update.carry && loop_.next(i) == &value && are_alike(*loop_.init(i), value)) return i;
    }
    return std::nullopt;
  }

  // Whether it is made of a number that takes a reduction of many elements of this step.
  bool waits_for_all(const Update& update) const {
    std::vector<const Instruction*> numbers(update.added.begin(), update.added.end());
    for (const auto& [value, carry] : update.held) {
      if (is_small(*value, *update.next)) numbers.push_back(value);
    }
    InstructionSet seen(numbers.begin(), numbers.end());
    while (!numbers.empty()) {
      const Instruction* value = numbers.back();
      numbers.pop_back();
      const bool reduces = value->opcode == Opcode::kReduce || value->opcode == Opcode::kDot;
      if (reduces && is_small(*value, *update.next) && !is_small(*value->operand(0), *update.next)) return true;
      for (const Instruction* operand : value->operands()) {
        if (seen.insert(operand).second) numbers.push_back(operand);
      }
    }
    return false;
  }

  void defer(const Update& update) {
    Computation& body = loop_.body();
    Instruction* root = body.root();
    const std::vector<Instruction*> reads = loop_.reads(body, update.carry), after = loop_.reads_after(update.carry);
    Held held = update.held;
    if (update.in_place != nullptr) held[update.in_place] = update.carry;
    // What it begins as is in no step's result: the first step has the carry as it is.
    GraphBuilder before(loop_.loop());
    std::vector<Instruction*> starts;
    for (const Instruction* value : update.added) {
      held[value] = loop_.count() + starts.size();
      Instruction* start = unread_start(before, value->shape.dtype);
      starts.push_back(value->shape.is_scalar() ? start : before.splat(start, value->shape.dims));
    }
    // A number that tells the first step from the others: a counter of the loop, or one that stays at 1.
    const std::optional<size_t> counter = steady_counter();
    const size_t number = counter.value_or(loop_.count() + starts.size());
    const int64_t begin = counter ? info_.carries[*counter].start : 0;
    if (!counter) starts.push_back(before.integer(DType::kS32, 0));
    const std::vector<Instruction*> added = add_invariants(loop_, starts);
    for (Instruction* value : update.added) root->set_operand(held.at(value), value);
    GraphBuilder at(*root);
    if (!counter) root->set_operand(number, at.make(Opcode::kMaximum, {added.back(), at.integer(DType::kS32, 1)}));

    Elements inside(loop_.state(body), *root), outside(&loop_.loop(), loop_.loop());
    for (size_t i = 0; i < loop_.count(); ++i) {
      const std::vector<Instruction*> known = loop_.reads(body, i);
      if (i != update.carry && !known.empty()) inside.known[i] = known.front();
    }
    Instruction* updated = make(update.next, held, &inside);
    const auto begins = [&](GraphBuilder& there, Elements* elements) {
      Instruction* count = elements->element(number);
      return there.splat(there.compare({count, there.integer(count->shape.dtype, begin)}, "EQ"), updated->shape.dims);
    };
    Instruction* now = at.select({begins(at, &inside), inside.element(update.carry), updated});

    const auto is_used = [](const Instruction* read) {
      return !read->users().empty() || read->parent()->root() == read;
    };
    // After the loop, the update of its last step: as the body has it before what it reads is another value.
    if (std::ranges::any_of(after, is_used)) {
      outside.position = after.front();
      Instruction* last = make(update.next, held, &outside);
      if (!info_.trip_count) {
        GraphBuilder behind(*outside.position);
        last = behind.select({begins(behind, &outside), outside.element(update.carry), last});
      }
      for (Instruction* read : after) {
        if (last != read) read->replace_all_uses_with(last);
      }
      loop_.loop().parent()->sort();
    }
    for (Instruction* read : reads) read->replace_all_uses_with(now);
    root->set_operand(update.carry, update.in_place != nullptr ? update.in_place : now);
    body.sort();
  }

  // Of a loop's state, in its body or after it: elements that are read there, each once.
  struct Elements {
    Elements(Instruction* state, Instruction& position) : state(state), position(&position) {}

    Instruction* element(size_t carry) {
      Instruction*& read = known[carry];
      if (read == nullptr) read = insert_tuple_element(*position, state, static_cast<int64_t>(carry));
      return read;
    }

    Instruction* state;
    Instruction* position;  // what is made stands before it
    std::unordered_map<size_t, Instruction*> known;
    std::unordered_map<const Instruction*, Instruction*> made;
  };

  // `value` as the step after has it.
  Instruction* make(const Instruction* value, const Held& held, Elements* at) {
    const auto known = at->made.find(value);
    if (known != at->made.end()) return known->second;
    Instruction* result = nullptr;
    if (const auto carry = held.find(value); carry != held.end()) {
      result = at->element(carry->second);
    } else if (const std::optional<size_t> read = carry_read(*value)) {
      result = at->element(*read);
    } else {
      std::vector<Instruction*> operands;
      for (const Instruction* operand : value->operands()) operands.push_back(make(operand, held, at));
      result = at->position->parent()->add_copy(*value, operands, at->position);
    }
    at->made[value] = result;
    return result;
  }

  // A counter that has the value it begins with in no other step, nor after the last.
  std::optional<size_t> steady_counter() const {
    if (!info_.trip_limit) return std::nullopt;
    for (size_t i = 0; i < info_.carries.size(); ++i) {
      if (info_.carries[i].kind != CarryKind::kInduction || !loop_.next(i)->shape.is_scalar()) continue;
      if (!wraps_within(info_.carries[i], loop_.next(i)->shape.dtype, *info_.trip_limit + 1)) return i;
    }
    return std::nullopt;
  }

  // What no step's result has in it. Whole numbers are not divided by 0.
  static Instruction* unread_start(GraphBuilder& at, DType dtype) {
    return at.constant(integer_literal(dtype, is_integer(dtype) ? 1 : 0));
  }

  const CarriedLoop loop_;
  const WhileInfo info_;
};

}  // namespace

bool defer_updates(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* loop : instructions_of(module, Opcode::kWhile)) changed |= Deferrer(*loop).run();
  if (!changed) return false;
  remove_dead_code(module);
  module.sort_computations();
  return true;
}

}  // namespace sinter
