// carry_sums: sums over what a loop carries, which each step begins with, are made by the step before, where what they
// are of is made.
//
//   body:  norms = reduce(centres * centres)                before the loop:  norms = reduce(start * start)
//          best = argmin(norms - 2 dot(x, centres))   =>    body:  best = argmin(norms - 2 dot(x, centres))
//          centres' of best handed on                              centres' of best, norms' = reduce(centres' *
//          centres')
//
// A step that is kernels would wait for the new array first, and then for its sums, which the kernel or block that
// makes the array can make along with it: the product of two vectors of BiCGSTAB, the norms of the centres of k-means.
//
// The program is planned without it, too.
#include <algorithm>
#include <ranges>
#include <unordered_map>
#include <vector>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/loops/by_element.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/values/hardware.h"
#include "passes/demand/operations/lane_loop.h"
#include "passes/graph/base/change_carries.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

bool sums_up(const Instruction& value) {
  return (value.opcode == Opcode::kReduce || value.opcode == Opcode::kDot) && value.shape.is_array();
}

bool makes_elements(const Instruction& value) {
  const bool moves = value.opcode == Opcode::kBroadcast || value.opcode == Opcode::kReshape ||
                     value.opcode == Opcode::kTranspose || value.opcode == Opcode::kIota ||
                     value.opcode == Opcode::kConstant;
  return value.shape.is_array() && (moves || family_of(value) == Family::kElementwise);
}

class SumCarrier {
 public:
  explicit SumCarrier(Instruction& instruction) : loop_(instruction), info_(analyze_while(instruction)) {}

  bool run() {
    constexpr int64_t kFewest = 4;  // steps
    if (info_.trip_count.value_or(kFewest) < kFewest) return false;
    if (!can_add_carries(loop_) || lane_predicate(loop_.loop()) != nullptr) return false;
    // A block has all of smaller arrays.
    const auto is_large = [](const Instruction& value) {
      return value.shape.is_array() && value.shape.element_count() > kMostThreads;
    };
    if (std::ranges::none_of(loop_.body().instructions(), is_large)) return false;
    std::vector<Instruction*> sums;
    for (Instruction& value : loop_.body().instructions()) {
      if (is_worth_it(value)) sums.push_back(&value);
    }
    if (sums.empty()) return false;
    carry(sums);
    return true;
  }

 private:
  // Whether the step needs it, and it takes only what the step begins with: few sums over much.
  bool is_worth_it(const Instruction& sum) const {
    constexpr int64_t kTimesFewer = 16, kTimesMore = 4, kFewestTerms = 64;
    const Instruction* root = loop_.body().root();
    const auto is_needed = [&](const Instruction* user) { return user != root; };
    if (!sums_up(sum) || std::ranges::none_of(sum.users(), is_needed)) return false;
    int64_t largest = 0, operations = 0;
    InstructionSet seen;
    if (!collect(sum, &seen, &largest, &operations)) return false;
    if (largest < kFewestTerms) return false;
    const size_t summed = sum.opcode == Opcode::kReduce ? 1 : sum.operands().size();
    return std::ranges::all_of(sum.operands() | std::views::take(summed), [&](const Instruction* operand) {
      const int64_t elements = operand->shape.element_count();
      return sum.shape.element_count() * kTimesFewer <= elements && elements <= largest * kTimesMore;
    });
  }

  // False if it is made of anything but carries, element by element. `largest`: elements of those that steps change.
  bool collect(const Instruction& value, InstructionSet* seen, int64_t* largest, int64_t* operations) const {
    constexpr int64_t kMostOperations = 8;
    for (const Instruction* operand : value.operands()) {
      if (!seen->insert(operand).second) continue;
      if (const std::optional<size_t> carry = carry_read(*operand)) {
        if (!operand->shape.is_array()) return false;
        if (info_.carries[*carry].kind == CarryKind::kGeneral)
          *largest = std::max(*largest, operand->shape.element_count());
        continue;
      }
      if (!makes_elements(*operand) || ++*operations > kMostOperations) return false;
      if (!collect(*operand, seen, largest, operations)) return false;
    }
    return true;
  }

  void carry(const std::vector<Instruction*>& sums) {
    Copies before{.position = loop_.loop()}, after{.position = *loop_.body().root()};
    std::vector<Instruction*> starts, nexts;
    for (const Instruction* sum : sums) {
      starts.push_back(copy(*sum, [&](size_t carry) { return loop_.init(carry); }, &before));
      nexts.push_back(copy(*sum, [&](size_t carry) { return loop_.next(carry); }, &after));
    }
    const size_t first = loop_.count();
    const std::vector<Instruction*> reads = add_invariants(loop_, starts);
    for (size_t i = 0; i < sums.size(); ++i) {
      loop_.body().root()->set_operand(first + i, nexts[i]);
      sums[i]->replace_all_uses_with(reads[i]);
    }
    loop_.body().sort();
  }

  struct Copies {
    Instruction& position;
    std::unordered_map<const Instruction*, Instruction*> made;
  };

  // The value of other elements of the state.
  template <class Element>
  Instruction* copy(const Instruction& value, const Element& element, Copies* copies) {
    if (const std::optional<size_t> carry = carry_read(value)) return element(*carry);
    if (const auto known = copies->made.find(&value); known != copies->made.end()) return known->second;
    std::vector<Instruction*> operands;
    for (const Instruction* operand : value.operands()) operands.push_back(copy(*operand, element, copies));
    return copies->made[&value] = copies->position.parent()->add_copy(value, operands, &copies->position);
  }

  const CarriedLoop loop_;
  const WhileInfo info_;
};

}  // namespace

bool carry_sums(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* loop : instructions_of(module, Opcode::kWhile)) changed |= SumCarrier(*loop).run();
  if (!changed) return false;
  remove_dead_code(module);
  module.sort_computations();
  return true;
}

}  // namespace sinter
