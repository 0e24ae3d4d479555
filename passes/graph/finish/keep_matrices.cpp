// keep_matrices: a loop over small matrices, or systems of them that are solved, become one instruction, a fusion with
// a stage of its own (passes/stages/matrices), where a thread can do it alone: the steps of a filter, all of whose
// matrices are in the thread's registers; of a batch of filters a thread each.
//
//   %w = (s32[], f32[4], f32[4,4]) while(%start), 5000 steps      =>      %w = (f32[4], f32[4,4]) fusion(%x, %p),
//                                                                             calls=%matrices
//   %matrices (%x, %p) { the loop }
#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <set>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/functions/small_matrices.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/stages/matrices/matrices_stage.h"
#include "passes/stages/own/solve_form.h"

namespace sinter {
namespace {

using Values = std::vector<Instruction*>;

constexpr int64_t kMostMatrices = int64_t{1} << 31;  // as many threads, in blocks that one launch has

// The instructions of a computation and of all that it calls.
void visit_all(const Computation& computation, const std::function<void(const Instruction&)>& visit) {
  for (const Instruction& instruction : computation.instructions()) {
    visit(instruction);
    for (const Computation* called : instruction.called_computations()) visit_all(*called, visit);
  }
}

// Numbers of threads that there may be: what is in front of matrices that are solved, and of what a loop carries.
std::vector<int64_t> batches(const Computation& computation) {
  std::set<int64_t, std::greater<>> found = {1};
  const auto offer = [&](const Shape& shape) {
    if (shape.is_array() && shape.rank() > 0 && shape.dims[0] > 1 && shape.dims[0] <= kMostMatrices)
      found.insert(shape.dims[0]);
  };
  visit_all(computation, [&](const Instruction& instruction) {
    if (const std::optional<SolverCall> call = solver_call(instruction)) {
      const int64_t count = batch_count(*call, instruction);
      if (count > 1 && count <= kMostMatrices) found.insert(count);
    }
    if (instruction.opcode == Opcode::kWhile && instruction.parent() == &computation) {
      for (const Shape& carry : instruction.shape.elements) offer(carry);
    }
  });
  return {found.begin(), found.end()};
}

bool solves_system(const Instruction& instruction) { return solver_call(instruction).has_value(); }

bool is_of_matrices(const Instruction& instruction) {
  return instruction.opcode == Opcode::kDot || solves_system(instruction);
}

// Of the computation, and of those that it calls.
bool has_any(const Computation& computation, bool (*is_one)(const Instruction& instruction)) {
  bool found = false;
  visit_all(computation, [&](const Instruction& instruction) { found |= is_one(instruction); });
  return found;
}

// Computed anew at any index, of elements of its operands.
bool is_cheap(const Instruction& value) {
  return op_def(value.opcode).source_index != nullptr ||
         (family_of(value) == Family::kElementwise && value.opcode != Opcode::kCall);
}

// Instructions of a computation, and what reads them there, as one fusion.
class Keeper {
 public:
  Keeper(Module& module, Computation& computation) : module_(module), computation_(computation) {}

  // `kept`: values that nothing else stands between. False, and nothing has changed, where threads cannot have them.
  // `may_have_warps`: a warp may have what is too much for a thread.
  bool run(const std::set<const Instruction*>& kept, bool may_have_warps) {
    outline(kept);
    const bool fits = replace_if_it_fits(may_have_warps);
    if (!fits) module_.remove_computation(callee_);
    return fits;
  }

 private:
  bool replace_if_it_fits(bool may_have_warps) {
    // The counter of a loop of the host is in no memory.
    const bool has_counter = std::ranges::any_of(operands_, [](const Instruction* operand) {
      return carry_read(*operand) && operand->shape.is_scalar() && is_integer(operand->shape.dtype);
    });
    if (results_.empty() || has_counter) return false;
    for (const bool by_warp : {false, true}) {
      if (by_warp && !may_have_warps) return false;
      for (const int64_t batch : batches(*callee_)) {
        const std::optional<ThreadProgram> program = read_thread_program(*callee_, batch, by_warp);
        if (!program || !fits(*program)) continue;
        replace(batch, by_warp);
        return true;
      }
    }
    return false;
  }

  void outline(const std::set<const Instruction*>& kept) {
    callee_ = module_.add_computation(module_.unique_computation_name("matrices"));
    GraphBuilder build(*callee_);
    std::vector<Instruction*> inside;
    for (Instruction& instruction : computation_.instructions()) {
      if (kept.count(&instruction) > 0) inside.push_back(&instruction);
    }
    last_ = inside.back();
    // Parameters come first, in the order of the text.
    std::set<const Instruction*> along;
    for (const Instruction* instruction : inside) {
      for (const Instruction* operand : instruction->operands()) take_along(*operand, kept, &along);
    }
    // What only a system that is solved reads is computed there, but for what loops begin with.
    for (const Instruction& instruction : computation_.instructions() | std::views::reverse) {
      const bool is_read_here =
          !instruction.users().empty() && std::ranges::all_of(instruction.users(), [&](const Instruction* user) {
            return (kept.count(user) > 0 && user->opcode != Opcode::kTuple) || along.count(user) > 0;
          });
      if (is_read_here && is_cheap(instruction) && instruction.shape.is_array() && kept.count(&instruction) == 0 &&
          instruction.opcode != Opcode::kParameter && computation_.root() != &instruction)
        along.insert(&instruction);
    }
    for (Instruction& instruction : computation_.instructions()) {
      const bool is_read = std::ranges::any_of(
          instruction.users(), [&](const Instruction* user) { return kept.count(user) > 0 || along.count(user) > 0; });
      if (!is_read || kept.count(&instruction) > 0 || along.count(&instruction) > 0) continue;
      copies_[&instruction] = build.parameter(instruction.shape, instruction.name);
      operands_.push_back(&instruction);
    }
    for (Instruction& instruction : computation_.instructions()) {
      if (kept.count(&instruction) == 0 && along.count(&instruction) == 0) continue;
      Values operands;
      for (const Instruction* operand : instruction.operands()) operands.push_back(copies_.at(operand));
      copies_[&instruction] = callee_->add_copy(instruction, operands, nullptr, instruction.name);
      const bool is_result =
          kept.count(&instruction) > 0 && instruction.shape.is_array() &&
          (computation_.root() == &instruction ||
           std::ranges::any_of(instruction.users(), [&](const Instruction* user) { return kept.count(user) == 0; }));
      if (is_result) results_.push_back(&instruction);
    }
    Values roots;
    for (const Instruction* result : results_) roots.push_back(copies_.at(result));
    callee_->set_root(roots.size() == 1 ? roots[0] : build.tuple(roots));
  }

  // What is cheap to have in the kernel, with all that it is made of: it need not be in memory.
  bool is_taken_along(const Instruction& value) {
    constexpr int64_t kMostConstant = 64;
    if (!value.shape.is_array()) return false;
    if (value.opcode == Opcode::kIota) return true;
    if (value.opcode == Opcode::kConstant)
      return value.literal.is_splat() || value.shape.element_count() <= kMostConstant;
    if (!is_cheap(value)) return false;
    const auto [known, fresh] = taken_along_.try_emplace(&value, false);
    if (fresh) {
      known->second =
          std::ranges::all_of(value.operands(), [&](const Instruction* part) { return is_taken_along(*part); });
    }
    return known->second;
  }

  void take_along(const Instruction& value, const std::set<const Instruction*>& kept,
                  std::set<const Instruction*>* along) {
    if (kept.count(&value) > 0 || !is_taken_along(value) || !along->insert(&value).second) return;
    for (const Instruction* part : value.operands()) take_along(*part, kept, along);
  }

  void replace(int64_t batch, bool by_warp) {
    Attributes attributes;
    attributes.fusion_kind = "kCustom";
    attributes.calls = callee_;
    Instruction* fusion =
        insert_like(*last_, Opcode::kFusion, callee_->root()->shape, operands_, attributes, last_->name);
    fusion->annotations.edit().frontend_attributes[kStageAttribute] = kMatrices;
    fusion->annotations.edit().frontend_attributes[by_warp ? kWarpCount : kThreadCount] = std::to_string(batch);
    for (size_t r = 0; r < results_.size(); ++r) {
      Instruction* value = fusion;
      if (results_.size() > 1) {
        value = insert_tuple_element(*last_, fusion, static_cast<int64_t>(r));
        value->metadata = results_[r]->metadata;
      }
      results_[r]->replace_all_uses_with(value);
    }
    computation_.sort();  // what reads a result may stand in front of the last of what is kept
  }

  Module& module_;
  Computation& computation_;
  Computation* callee_ = nullptr;
  Instruction* last_ = nullptr;
  Values operands_, results_;
  std::map<const Instruction*, Instruction*> copies_;  // only looked up
  std::map<const Instruction*, bool> taken_along_;     // of what has been asked for
};

// A loop with the tuples that it begins with and is taken apart into.
std::set<const Instruction*> parts_of_loop(const Instruction& loop) {
  std::set<const Instruction*> kept = {&loop};
  if (loop.operand(0)->opcode == Opcode::kTuple) kept.insert(loop.operand(0));
  for (const Instruction* user : loop.users()) kept.insert(user);
  return kept;
}

// Systems of small matrices that are solved one after the other, by how many there are of each: with what stands
// between them.
std::map<int64_t, std::set<const Instruction*>> solved_together(const Computation& computation) {
  constexpr int64_t kMostExtent = 8;
  std::map<int64_t, std::set<const Instruction*>> solves;
  for (const Instruction& instruction : computation.instructions()) {
    const std::optional<SolverCall> call = solver_call(instruction);
    if (!call || call->column_major || !fits_block(*call, instruction)) continue;
    const auto is_small = [](const Instruction* operand) {
      const std::vector<int64_t>& dims = operand->shape.dims;
      const size_t first = dims.size() - std::min<size_t>(2, dims.size());
      return std::all_of(dims.begin() + static_cast<ptrdiff_t>(first), dims.end(),
                         [](int64_t dim) { return dim <= kMostExtent; });
    };
    const int64_t batch = batch_count(*call, instruction);
    // Of vectors the batch is in front, too.
    const bool is_permutation = call->kind == SolverCall::Kind::kPivotsToPermutation;
    if (batch <= kMostMatrices && (is_permutation || std::ranges::all_of(instruction.operands(), is_small)))
      solves[batch].insert(&instruction);
  }
  for (auto& [batch, kept] : solves) {
    std::set<const Instruction*> after, before;
    for (const Instruction& instruction : computation.instructions()) {
      const auto is_reached = [&](const Instruction* part) { return after.count(part) > 0; };
      if (kept.count(&instruction) > 0 || std::ranges::any_of(instruction.operands(), is_reached))
        after.insert(&instruction);
    }
    for (const Instruction& instruction : computation.instructions() | std::views::reverse) {
      const auto is_reached = [&](const Instruction* user) { return before.count(user) > 0; };
      if (kept.count(&instruction) > 0 || std::ranges::any_of(instruction.users(), is_reached))
        before.insert(&instruction);
    }
    std::set<const Instruction*> between = kept;
    for (const Instruction* instruction : after) {
      if (before.count(instruction) > 0) between.insert(instruction);
    }
    // Tuples are taken apart, and put together, inside.
    for (const Instruction& instruction : computation.instructions()) {
      if (between.count(&instruction) == 0 || !instruction.shape.is_tuple()) continue;
      if (instruction.opcode == Opcode::kTuple) continue;
      between.insert(instruction.users().begin(), instruction.users().end());
    }
    for (const Instruction& instruction : computation.instructions()) {
      if (instruction.opcode == Opcode::kWhile && between.count(&instruction) > 0)
        between.insert(instruction.operand(0));
    }
    kept = kept.size() > 1 ? between : std::set<const Instruction*>{};
  }
  return solves;
}

bool is_taken_apart(const Instruction& loop) {
  return loop.shape.is_tuple() && is_only_taken_apart(loop) && loop.operand(0)->opcode == Opcode::kTuple &&
         loop.operand(0)->users().size() == 1;
}

// Computations that a loop of the host, or the entry, is made of.
std::vector<Computation*> host_computations(Module& module) {
  std::vector<Computation*> found = {module.entry()};
  for (size_t next = 0; next < found.size(); ++next) {
    for (const Instruction& instruction : found[next]->instructions()) {
      if (instruction.opcode == Opcode::kWhile) found.push_back(*instruction.attributes->body);
    }
  }
  return found;
}

}  // namespace

bool keep_matrices(Module& module, const GraphPassOptions&) {
  bool changed = false;
  std::set<const Computation*> gone;  // bodies of loops that are kept
  for (Computation* computation : host_computations(module)) {
    if (gone.count(computation) > 0) continue;
    std::vector<Instruction*> loops;
    for (Instruction& instruction : computation->instructions()) {
      if (instruction.opcode == Opcode::kWhile) loops.push_back(&instruction);
    }
    for (Instruction* loop : loops) {
      const Computation& body = **loop->attributes->body;
      if (!is_taken_apart(*loop) || !has_any(body, is_of_matrices)) continue;
      if (!Keeper(module, *computation).run(parts_of_loop(*loop), has_any(body, solves_system))) continue;
      changed = true;
      visit_all(body, [&](const Instruction& instruction) {
        if (instruction.opcode == Opcode::kWhile) gone.insert(&**instruction.attributes->body);
      });
      gone.insert(&body);
    }
    for (const auto& [batch, kept] : solved_together(*computation)) {
      const bool has_root = kept.count(computation->root()) > 0 && computation->root()->shape.is_tuple();
      if (!kept.empty() && !has_root && Keeper(module, *computation).run(kept, false)) changed = true;
    }
  }
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
