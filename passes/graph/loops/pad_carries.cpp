// pad_carries: carries of a loop that are a little shorter than another one, along one dimension, are made as long.
//
//   body:  %a = f32[32,65] ..., of %old_a and %old_b            %a = f32[32,65] ..., of %old_a and %short
//          %b = f32[32,64] ..., of %old_a and %old_b       =>   %short = f32[32,64] slice(%old_b), slice={.., [0:64]}
//                                                               %next_b = f32[32,65] pad(%b), padding=0_0x0_1
//
// Stacks of such rows, one stored in each step, are as long as these. Threads that have an element of the one each have
// one of the other then, and blocks a row of both: steps that read each other's elements wait within a block, where all
// blocks would wait for one another else. The last threads make what nobody reads. So are states of alignments by
// dynamic programming, of which one kind of state stands between those of the other. The scheduler plans without it,
// too.
#include <algorithm>
#include <optional>
#include <vector>

#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/analysis/values/constants.h"
#include "passes/analysis/values/hardware.h"
#include "passes/graph/base/change_carries.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Dims = GraphBuilder::Dims;

// Shorter ones are a thread's own: a quaternion beside a place.
constexpr int64_t kShortest = 8;
// At most so many times as long: the other threads would have nothing to do.
constexpr int64_t kTimesLonger = 2;
// Of what a step stores a smaller part of, all steps together make a whole.
constexpr int64_t kPartOfState = 2;

// Where a carry ends and how long it is to be.
struct Padding {
  size_t carry = 0;
  size_t dimension = 0;
  int64_t length = 0, longer = 0;
  bool is_stack = false;  // of rows that are as a state is, one stored in each step: its update becomes longer, too
};

// The one dimension in which `longer` is longer than `dims`; none where they differ otherwise.
std::optional<size_t> longer_dimension(const Dims& dims, const Dims& longer) {
  if (dims.size() != longer.size()) return std::nullopt;
  std::optional<size_t> result;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] == longer[d]) continue;
    if (result || dims[d] > longer[d]) return std::nullopt;
    result = d;
  }
  return result;
}

// What a step makes anew, more than a part of it.
bool is_state(const CarriedLoop& loop, const WhileInfo& info, size_t carry) {
  const Instruction* next = loop.next(carry);
  const bool made = info.carries[carry].kind == CarryKind::kGeneral && next != nullptr && next->shape.is_array();
  if (!made || next->opcode == Opcode::kScatter) return false;
  return next->opcode != Opcode::kDynamicUpdateSlice ||
         kPartOfState * next->operand(1)->shape.element_count() > next->shape.element_count();
}

std::optional<Padding> find_padding(const CarriedLoop& loop, const WhileInfo& info, size_t carry) {
  if (!is_state(loop, info, carry)) return std::nullopt;
  const Dims& dims = loop.next(carry)->shape.dims;
  std::optional<Padding> best;
  for (size_t other = 0; other < loop.count(); ++other) {
    if (other == carry || !is_state(loop, info, other)) continue;
    const Dims& longer = loop.next(other)->shape.dims;
    const std::optional<size_t> d = longer_dimension(dims, longer);
    if (!d || dims[*d] < kShortest || longer[*d] > kTimesLonger * dims[*d]) continue;
    int64_t row = 1;  // that a block has whole
    for (size_t inner = *d; inner < longer.size(); ++inner) row *= longer[inner];
    if (row > kMostThreads || (best && best->longer >= longer[*d])) continue;
    best = {carry, *d, dims[*d], longer[*d]};
  }
  return best;
}

Value padded(GraphBuilder& at, Value value, const Padding& padding) {
  std::vector<PadBounds> bounds(value->shape.dims.size());
  bounds[padding.dimension].high = padding.longer - padding.length;
  return at.pad(value, bounds);
}

// The carry as it is before the loop: what is beyond it nobody reads, so that one that is all alike stays so.
Value longer_init(const CarriedLoop& loop, const Padding& padding) {
  Instruction* init = loop.init(padding.carry);
  GraphBuilder before(loop.loop());
  if (init->opcode != Opcode::kBroadcast || !init->operand(0)->shape.dims.empty()) return padded(before, init, padding);
  Dims dims = init->shape.dims;
  dims[padding.dimension] = padding.longer;
  return before.splat(init->operand(0), dims);
}

// The update by which a step stores a row of a carry that it reads for nothing else; nullptr where it does more.
Instruction* stacking_update(const CarriedLoop& loop, size_t carry) {
  Instruction* next = loop.next(carry);
  if (next == nullptr || next->opcode != Opcode::kDynamicUpdateSlice || next->users().size() != 1) return nullptr;
  const std::optional<size_t> stacked = carry_read(*next->operand(0));
  const std::vector<Instruction*> reads = loop.reads(loop.body(), carry);
  const bool alone = reads.size() == 1 && reads[0]->users().size() == 1 && loop.reads(loop.condition(), carry).empty();
  return stacked == carry && alone ? next : nullptr;
}

// Of a stack of rows that are as the carry is: of each step one.
std::optional<Padding> find_stack(const CarriedLoop& loop, size_t carry, const Padding& padding, const Dims& row) {
  const Instruction* update = stacking_update(loop, carry);
  if (update == nullptr) return std::nullopt;
  Dims part = {1};
  part.insert(part.end(), row.begin(), row.end());
  const Dims& all = update->shape.dims;
  if (update->operand(1)->shape.dims != part || !std::equal(all.begin() + 1, all.end(), row.begin(), row.end()))
    return std::nullopt;
  return Padding{carry, padding.dimension + 1, padding.length, padding.longer, /*is_stack=*/true};
}

void pad(const CarriedLoop& loop, const Padding& padding) {
  Instruction* root = loop.body().root();
  Instruction* next = loop.next(padding.carry);
  GraphBuilder in_body(*root);
  // Of a state that an update makes what that leaves is padded, not what it brings.
  const Instruction* update = padding.is_stack ? next : nullptr;
  replace_carry(loop, padding.carry, longer_init(loop, padding));
  if (update != nullptr) {
    std::vector<Value> operands = update->operands();
    operands[1] = padded(in_body, operands[1], padding);
    root->set_operand(padding.carry, in_body.make(Opcode::kDynamicUpdateSlice, operands));
  } else {
    root->set_operand(padding.carry, padded(in_body, next, padding));
  }
  // What reads it reads the elements that there were.
  const auto cut = [&](Instruction* state, const std::vector<Instruction*>& reads) {
    if (reads.empty()) return;
    GraphBuilder at(behind(*state));
    const Value whole = at.tuple_element(state, static_cast<int64_t>(padding.carry));
    const Value part = at.slice(whole, static_cast<int64_t>(padding.dimension), 0, padding.length);
    for (Instruction* read : reads) read->replace_all_uses_with(part);
  };
  cut(&loop.loop(), loop.reads_after(padding.carry));
  if (update != nullptr) return;
  for (Computation* computation : {&loop.body(), &loop.condition()})
    cut(CarriedLoop::state(*computation), loop.reads(*computation, padding.carry));
}

// What is to be longer: states, and stacks of their rows.
std::vector<Padding> find_paddings(const CarriedLoop& loop, const WhileInfo& info) {
  std::vector<Padding> result;
  for (size_t i = 0; i < loop.count(); ++i) {
    if (const std::optional<Padding> padding = find_padding(loop, info, i)) result.push_back(*padding);
  }
  std::vector<bool> is_padded(loop.count());
  for (const Padding& state : result) is_padded[state.carry] = true;
  const size_t states = result.size();
  for (size_t k = 0; k < states; ++k) {
    const Padding padding = result[k];
    for (size_t i = 0; i < loop.count(); ++i) {
      const std::optional<Padding> stack =
          is_padded[i] ? std::nullopt : find_stack(loop, i, padding, loop.next(padding.carry)->shape.dims);
      if (!stack) continue;
      is_padded[i] = true;
      result.push_back(*stack);
    }
  }
  return result;
}

}  // namespace

bool pad_carries(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* instruction : instructions_of(module, Opcode::kWhile)) {
    const CarriedLoop loop(*instruction);
    if (!can_add_carries(loop) || instruction->users().empty()) continue;
    const WhileInfo info = analyze_while(*instruction);
    const std::vector<Padding> paddings = find_paddings(loop, info);
    for (const Padding& padding : paddings) pad(loop, padding);
    changed |= !paddings.empty();
  }
  if (changed) {
    module.sort_computations();
    remove_dead_code(module);
  }
  return changed;
}

}  // namespace sinter
