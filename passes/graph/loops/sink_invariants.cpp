// sink_invariants: a large array that does not change in a loop, and that little arithmetic makes of its indices and of
// much smaller arrays, is made where steps read it. What is seen to be a mask of indices there is known by its meaning
// (`attend` does not visit keys that no query sees), and is not read from memory.
//
//   %mask = pred[1024,1024] compare(%row, %column), direction=GE         body:  %row = s32[1024,1024] iota(), ...
//   %state = tuple(%t, %x, %mask)                                  =>           %column = s32[1024,1024] iota(), ...
//   body:  %seen = pred[1024,1024] get-tuple-element(%arg), index=2             %seen = compare(%row, %column)
//
// The counterpart of hoist_invariants, for what is cheap. simplify_while drops the carry, and those that it has twice.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/ops/op_table.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/graph/base/change_carries.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/loops/hoist_invariants.h"

namespace sinter {
namespace {

// Smaller arrays stay carries: they are read from a cache, or kept in registers.
constexpr int64_t kFewestElements = 4096;
// An array that others are made of is so many times smaller.
constexpr int64_t kTimesSmaller = 16;
// What an element may cost, in additions (OpDef::cost): of two masks of indices, one of them of lengths, and their
// conjunction there are seven.
constexpr int kMostCost = 12;

bool is_arithmetic(const Instruction& value) {
  const OpDef& op = op_def(value.opcode);
  return op.lightness == Lightness::kArithmetic || op.lightness == Lightness::kLogic ||
         op.lightness == Lightness::kPlain;
}

bool moves_elements(const Instruction& value) { return op_def(value.opcode).source_index != nullptr; }

// How an array is made.
struct Recipe {
  std::vector<Instruction*> steps;   // operands before what reads them
  std::vector<Instruction*> arrays;  // that the loop is to carry
};

class RecipeFinder {
 public:
  explicit RecipeFinder(int64_t elements) : elements_(elements) {}

  bool add(Instruction& value) {
    if (!seen_.insert(&value).second) return true;
    const bool makes = value.opcode == Opcode::kIota || (value.opcode == Opcode::kConstant && value.shape.is_scalar());
    if (!makes && !moves_elements(value) && !is_arithmetic(value)) return add_array(value);
    cost_ += makes || moves_elements(value) ? 0 : op_def(value.opcode).cost;
    if (cost_ > kMostCost) return false;
    for (Instruction* operand : value.operands()) {
      if (!add(*operand)) return false;
    }
    recipe.steps.push_back(&value);
    return true;
  }

  Recipe recipe;

 private:
  bool add_array(Instruction& value) {
    if (!value.shape.is_array() || value.shape.element_count() > elements_ / kTimesSmaller) return false;
    recipe.arrays.push_back(&value);
    return true;
  }

  const int64_t elements_;
  std::unordered_set<const Instruction*> seen_;  // only looked up
  int cost_ = 0;
};

std::optional<Recipe> find_recipe(Instruction& value) {
  if (!value.shape.is_array() || value.shape.element_count() < kFewestElements) return std::nullopt;
  RecipeFinder finder(value.shape.element_count());
  if (!finder.add(value) || finder.recipe.steps.empty()) return std::nullopt;
  return std::move(finder.recipe);
}

// Whether what reads an array computes it element by element: what does not would have it stored in each step.
bool reads_elements(const Instruction& user, size_t slot) {
  switch (user.opcode) {
    case Opcode::kReduce:
      return true;
    case Opcode::kGather:
    case Opcode::kDynamicSlice:
      return slot == 0;
    default:
      return moves_elements(user) || is_arithmetic(user) || op_def(user.opcode).lightness == Lightness::kFunction;
  }
}

class Sinker {
 public:
  explicit Sinker(const CarriedLoop& loop) : loop_(loop), invariants_(find_invariants(loop)) {}

  bool sink(size_t carry, const Recipe& recipe) {
    const std::vector<Instruction*> reads = loop_.reads(loop_.body(), carry);
    seen_.clear();
    for (const Instruction* read : reads) {
      if (!is_read_by_element(*read, *read)) return false;
    }
    Instruction* made = make(recipe);
    for (Instruction* read : reads) replace_read(*read, made);
    loop_.body().sort();
    return true;
  }

 private:
  // `value` is what `read` reads of the state, or the same in every step because that is.
  bool is_read_by_element(const Instruction& value, const Instruction& read) {
    if (!seen_.insert(&value).second) return true;
    for (const Instruction* user : value.users()) {
      for (size_t slot = 0; slot < user->operands().size(); ++slot) {
        if (user->operand(slot) != &value || (&value == &read && hands_on(*user, slot, read))) continue;
        if (!reads_elements(*user, slot)) return false;
      }
      if (invariants_.count(user) > 0 && !is_read_by_element(*user, read)) return false;
    }
    return true;
  }

  Instruction* make(const Recipe& recipe) {
    const std::vector<Instruction*> arrays = add_invariants(loop_, recipe.arrays);
    std::unordered_map<const Instruction*, Instruction*> inside;  // only looked up
    for (size_t i = 0; i < arrays.size(); ++i) inside[recipe.arrays[i]] = arrays[i];
    for (const Instruction* step : recipe.steps) {
      std::vector<Instruction*> operands;
      for (const Instruction* operand : step->operands()) operands.push_back(inside.at(operand));
      inside[step] = loop_.body().add_copy(*step, operands, loop_.body().root());
    }
    return inside.at(recipe.steps.back());
  }

  const CarriedLoop& loop_;
  const InvariantSet invariants_;
  std::unordered_set<const Instruction*> seen_;  // only looked up
};

bool sink(Instruction& instruction) {
  const CarriedLoop loop(instruction);
  if (!can_add_carries(loop)) return false;
  const WhileInfo info = analyze_while(instruction);
  std::vector<std::pair<size_t, Recipe>> recipes;
  for (size_t i = 0; i < info.carries.size(); ++i) {
    if (info.carries[i].kind != CarryKind::kInvariant) continue;
    const std::vector<Instruction*> reads = loop.reads(loop.body(), i);
    if (!std::any_of(reads.begin(), reads.end(), [](const Instruction* read) { return is_used(*read); })) continue;
    if (std::optional<Recipe> recipe = find_recipe(*loop.init(i))) recipes.emplace_back(i, *std::move(recipe));
  }
  if (recipes.empty()) return false;
  Sinker sinker(loop);
  bool changed = false;
  for (const auto& [carry, recipe] : recipes) changed |= sinker.sink(carry, recipe);
  return changed;
}

}  // namespace

bool sink_invariants(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* loop : instructions_of(module, Opcode::kWhile)) changed |= sink(*loop);
  return changed;
}

}  // namespace sinter
