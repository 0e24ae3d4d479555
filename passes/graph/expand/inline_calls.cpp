// inline_calls: calls, fusions, maps and asynchronous pairs become the instructions they stand for.
//
//   %square (p: f32[8]) -> f32[8] {
//     %p = f32[8] parameter(0)
//     ROOT %mul = f32[8] multiply(%p, %p)
//   }
//   ... %c = f32[8] call(%x), to_apply=%square   =>   %mul = f32[8] multiply(%x, %x)
//
// The first copy of a computation keeps its names, later ones are numbered on. An instruction without a place in the
// Python program inherits that of the call. A map of elementwise operations becomes those operations on arrays;
// another map stays. Custom calls and operations that are the identity on one device go. With --keep-fusions,
// fusions stay. Afterwards every body, condition and branch has one caller, so that passes may change it.
//
// Calls of one function that does the same to every element stay where it is long, and there are several or it is very
// long (threefry2x32): lowering writes it once, as a function on scalars. Functions that differ only in their shapes
// count as one. So do calls of device functions of the user's own that give several results.
//
// A module that would grow beyond kMaxInstructions keeps the calls that did not fit; lowering refuses them.
#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "passes/analysis/functions/known_functions.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

constexpr size_t kMaxInstructions = size_t{1} << 22;

// A per-element function of at most this many operations is read more easily where it is used.
constexpr int64_t kMaxInlinedOperations = 12;

constexpr std::array<std::string_view, 7> kIdentityTargets = {
    "Sharding",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "annotate_device_placement",
    "xla.sdy.FuncResultSharding",
    "xla.sdy.GlobalToLocalShape",
    "xla.sdy.LocalToGlobalShape",
};

bool is_identity(const Instruction& instruction) {
  if (instruction.opcode == Opcode::kDomain) return true;
  if (instruction.opcode != Opcode::kCustomCall || instruction.operands().size() != 1) return false;
  const std::string target = instruction.attributes->custom_call_target.value_or("");
  return std::find(kIdentityTargets.begin(), kIdentityTargets.end(), target) != kIdentityTargets.end() &&
         instruction.operand(0)->shape.same_type(instruction.shape);
}

// Loop analysis must see counters, and what passes through unchanged.
bool hides_loop_state(const Computation& computation) {
  const Instruction* root = computation.root();
  std::vector<const Instruction*> results(root->operands().begin(), root->operands().end());
  if (root->opcode != Opcode::kTuple) results = {root};
  return std::any_of(results.begin(), results.end(), [](const Instruction* result) {
    if (result->opcode == Opcode::kParameter || result->opcode == Opcode::kConstant) return true;
    return result->shape.element_count() == 1 && is_signed_integer(result->shape.dtype);
  });
}

class Inliner {
 public:
  Inliner(Module& module, const GraphPassOptions& options) : module_(module), options_(options) {
    for (const auto& computation : module.computations()) count_ += computation->instructions().size();
  }

  bool run() {
    // Callees come first: what is inlined holds no call any more, but for those of long per-element functions. How
    // many of these there are is known when everything else is in place.
    for (const auto& computation : module_.computations()) inline_into(*computation);
    if (found_long_) {
      remove_dead_code(module_);
      choose_kept();
      for (const auto& computation : module_.computations()) inline_into(*computation);
    }
    return changed_;
  }

 private:
  void inline_into(Computation& computation) {
    std::vector<Instruction*> finished;  // operands before users
    for (Instruction& instruction : computation.instructions()) {
      if (Instruction* value = value_of(instruction)) {
        instruction.replace_all_uses_with(value);
        finished.push_back(&instruction);
      }
    }
    std::reverse(finished.begin(), finished.end());
    remove_instructions(computation, finished);
    changed_ |= !finished.empty();
  }

  // What stands for the instruction from now on, or nullptr if it stays.
  Instruction* value_of(Instruction& instruction) {
    switch (instruction.opcode) {
      case Opcode::kCall:
        return stays(instruction.attributes->to_apply.value())
                   ? nullptr
                   : inline_callee(instruction, instruction.attributes->to_apply.value());
      case Opcode::kFusion:
        return options_.keep_fusions ? nullptr : inline_callee(instruction, instruction.attributes->calls.value());
      case Opcode::kMap:
        return inline_elementwise(instruction, *instruction.attributes->to_apply.value(), instruction.operands(),
                                  instruction.shape);
      default:
        return is_identity(instruction) ? instruction.operand(0) : nullptr;
    }
  }

  bool stays(const Computation* callee) {
    if (is_user_function(*callee)) return true;
    if (chosen_) return kept_.contains(callee);
    const bool is_long =
        count_operations(*callee) > kMaxInlinedOperations && is_per_element(*callee) && !hides_loop_state(*callee);
    found_long_ |= is_long;
    return is_long;
  }

  void choose_kept() {
    std::unordered_map<const Computation*, std::string> signatures;
    std::unordered_map<std::string, int> calls;
    for (const auto& computation : module_.computations()) {
      for (const Instruction& instruction : computation->instructions()) {
        if (instruction.opcode != Opcode::kCall) continue;
        const Computation* callee = *instruction.attributes->to_apply;
        std::string& signature = signatures[callee];
        if (signature.empty() && stays(callee)) signature = scalar_signature(*callee);
        if (!signature.empty()) ++calls[signature];
      }
    }
    for (const auto& [callee, signature] : signatures) {
      if (signature.empty()) continue;
      if (calls.at(signature) > 1 || count_operations(*callee) > kVeryLongFunction) kept_.insert(callee);
    }
    chosen_ = true;
  }

  Instruction* inline_callee(Instruction& position, Computation* callee) {
    const size_t added = callee->instructions().size();
    if (count_ + added > kMaxInstructions) return nullptr;
    count_ += added;
    return inline_before(position, *callee, position.operands(), named_.insert(callee).second);
  }

  Module& module_;
  const GraphPassOptions& options_;
  size_t count_ = 0;
  std::unordered_set<const Computation*> named_;
  bool found_long_ = false;  // calls of long per-element functions were left for a second look
  bool chosen_ = false;      // those that stay are in kept_
  std::unordered_set<const Computation*> kept_;
  bool changed_ = false;
};

// async-start, any number of async-update, async-done: becomes the call it wraps, in the place of the start.
// copy-start, copy-done: the value itself.
bool fold_async_pairs(Computation& computation) {
  std::vector<Instruction*> dones;
  for (Instruction& instruction : computation.instructions()) {
    if (instruction.opcode == Opcode::kAsyncDone || instruction.opcode == Opcode::kCopyDone) {
      dones.push_back(&instruction);
    }
  }
  std::vector<Instruction*> finished;
  for (Instruction* done : dones) {
    std::vector<Instruction*> chain{done};
    while (chain.back()->opcode == Opcode::kAsyncDone || chain.back()->opcode == Opcode::kAsyncUpdate ||
           chain.back()->opcode == Opcode::kCopyDone) {
      chain.push_back(chain.back()->operand(0));
    }
    Instruction* start = chain.back();
    const bool is_pair = start->opcode == Opcode::kAsyncStart || start->opcode == Opcode::kCopyStart;
    const bool is_used_once = std::all_of(chain.begin() + 1, chain.end(), [](const Instruction* link) {
      return link->users().size() == 1 && link != link->parent()->root();
    });
    if (!is_pair || !is_used_once) continue;
    Instruction* value = start->operand(0);
    if (start->opcode == Opcode::kAsyncStart) {
      Attributes attributes;
      attributes.to_apply = start->attributes->calls;
      value = insert_like(*start, Opcode::kCall, done->shape, start->operands(), std::move(attributes), done->name);
    }
    done->replace_all_uses_with(value);
    finished.insert(finished.end(), chain.begin(), chain.end());
  }
  remove_instructions(computation, finished);
  return !finished.empty();
}

bool is_control_flow(const Instruction& instruction) {
  return instruction.opcode == Opcode::kWhile || instruction.opcode == Opcode::kConditional;
}

// Gives each loop and each branch computations of its own.
bool separate_bodies(Module& module) {
  std::unordered_map<const Computation*, size_t> callers;
  size_t count = 0;
  std::vector<Computation*> open;
  for (const auto& computation : module.computations()) {
    open.push_back(computation.get());
    count += computation->instructions().size();
    for (const Instruction& instruction : computation->instructions()) {
      for (const Computation* callee : instruction.called_computations()) ++callers[callee];
    }
  }
  bool changed = false;
  while (!open.empty()) {
    Computation* computation = open.back();
    open.pop_back();
    for (Instruction& instruction : computation->instructions()) {
      if (!is_control_flow(instruction)) continue;
      const auto separate = [&](Computation*& callee) {
        if (callers[callee] < 2 || count + callee->instructions().size() > kMaxInstructions) return;
        --callers[callee];
        callee = clone_computation(*callee);
        callers[callee] = 1;
        count += callee->instructions().size();
        for (const Instruction& copied : callee->instructions()) {
          for (const Computation* inner : copied.called_computations()) ++callers[inner];
        }
        open.push_back(callee);
        changed = true;
      };
      Attributes& attributes = instruction.attributes.edit();
      for (auto* called :
           {&attributes.condition, &attributes.body, &attributes.true_computation, &attributes.false_computation}) {
        if (*called) separate(**called);
      }
      if (attributes.branch_computations) {
        for (Computation*& branch : *attributes.branch_computations) separate(branch);
      }
    }
  }
  return changed;
}

}  // namespace

bool inline_calls(Module& module, const GraphPassOptions& options) {
  bool changed = false;
  for (const auto& computation : module.computations()) changed |= fold_async_pairs(*computation);
  changed |= Inliner(module, options).run();
  if (changed) remove_dead_code(module);
  if (separate_bodies(module)) {
    module.sort_computations();
    changed = true;
  }
  return changed;
}

}  // namespace sinter
