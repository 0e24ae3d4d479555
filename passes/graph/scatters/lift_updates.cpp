// lift_updates: an array of which each branch of a conditional hands on a small update, or the array as it is, is
// updated behind the conditional; the branches say with what, and where.
//
//   %c = f32[32,2048,128] conditional(%on, %k, %t)                            (k as it is; k updated by u at p)
//                                                         =>
//   %c = (f32[32,1,128], s32[], s32[], s32[], pred[]) conditional(%on, ...)   (zeros, false; u, p, true)
//   %new = f32[32,1,128] select(broadcast(%c#4), %c#0, dynamic-slice(%k, %c#1, %c#2, %c#3))
//   %next = f32[32,2048,128] dynamic-update-slice(%k, %new, %c#1, %c#2, %c#3)
//
// Where a branch has nothing to change, what is there is written once more. The array, which branches that read nothing
// else of it are not given any more, may then be updated where it is.
#include <algorithm>
#include <optional>

#include "passes/analysis/values/small_update.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

class Lifting {
 public:
  // `number`: of the results; nullopt where there is one, which is no tuple's.
  Lifting(Instruction& conditional, std::optional<size_t> number)
      : conditional_(conditional), number_(number), branches_(conditional.branches()) {}

  // The conditional that gives the updates; nullptr: it stays as it is.
  Instruction* run() {
    for (size_t branch = 0; branch < branches_.size(); ++branch) {
      if (!add_branch(branch)) return nullptr;
    }
    if (pattern_ == nullptr) return nullptr;
    std::vector<Shape> results;
    if (number_) results = conditional_.shape.elements;
    const size_t first = number_ ? *number_ : 0;
    results.resize(std::max(results.size(), first + 1));
    results[first] = pattern_->operand(1)->shape;
    for (size_t n = 2; n < pattern_->operands().size(); ++n) results.push_back(pattern_->operand(n)->shape);
    results.push_back(Shape::scalar(DType::kPred));
    for (size_t branch = 0; branch < branches_.size(); ++branch) change_root(branch, first);
    Rare<Attributes> attributes = conditional_.attributes;
    Instruction* changed =
        insert_like(conditional_, Opcode::kConditional, Shape::tuple(results),
                    {conditional_.operands().begin(), conditional_.operands().end()}, std::move(attributes));
    GraphBuilder build(conditional_);
    const auto result = [&](size_t n) { return build.tuple_element(changed, static_cast<int64_t>(n)); };
    std::vector<Value> operands = {array_};
    const size_t starts = pattern_->operands().size() - 2;
    for (size_t n = results.size() - 1 - starts; n < results.size() - 1; ++n) operands.push_back(result(n));
    Value values = result(first);
    if (is_kept_) {
      const std::vector<int64_t>& dims = pattern_->operand(1)->shape.dims;
      Attributes sizes;
      sizes.dynamic_slice_sizes = dims;
      const Value present = build.make(Opcode::kDynamicSlice, operands, std::move(sizes));
      values = build.select({build.splat(result(results.size() - 1), dims), values, present});
    }
    operands.insert(operands.begin() + 1, values);
    const Value update = build.make(Opcode::kDynamicUpdateSlice, operands);
    if (!number_) {
      conditional_.replace_all_uses_with(update);
      return changed;
    }
    const std::vector<Instruction*> users = conditional_.users();
    for (Instruction* user : users) {
      if (user->attributes->tuple_index == static_cast<int64_t>(*number_)) {
        user->replace_all_uses_with(update);
      } else {
        user->set_operand(0, changed);
      }
    }
    return changed;
  }

 private:
  Instruction* handed_on(size_t branch) const {
    Instruction* root = branches_[branch]->root();
    if (!number_) return root;
    return root->opcode == Opcode::kTuple ? root->operand(*number_) : nullptr;
  }

  // The array outside that a value of the branch is as it was; nullptr: it is none.
  Instruction* array_outside(const Instruction* value, size_t branch) const {
    Instruction* argument = conditional_.operand(branch + 1);
    if (value->opcode == Opcode::kParameter) return argument->shape.is_array() ? argument : nullptr;
    const bool is_element =
        value->opcode == Opcode::kGetTupleElement && value->operand(0)->opcode == Opcode::kParameter;
    if (!is_element || argument->opcode != Opcode::kTuple) return nullptr;
    return argument->operand(static_cast<size_t>(*value->attributes->tuple_index));
  }

  bool add_branch(size_t branch) {
    const Instruction* value = handed_on(branch);
    if (value == nullptr) return false;
    if (value->opcode == Opcode::kDynamicUpdateSlice) {
      const size_t rank = value->shape.dims.size();
      if (value->operands().size() != rank + 2 || !is_small_update(value->shape, value->operand(1)->shape))
        return false;
      for (size_t n = 2; n < rank + 2; ++n) {
        if (!value->operand(n)->shape.is_scalar()) return false;
      }
      if (pattern_ == nullptr) pattern_ = value;
      for (size_t n = 1; n < rank + 2; ++n) {
        if (!value->operand(n)->shape.same_type(pattern_->operand(n)->shape)) return false;
      }
      value = value->operand(0);
    } else {
      is_kept_ = true;
    }
    Instruction* array = array_outside(value, branch);
    if (array == nullptr || (array_ != nullptr && array != array_)) return false;
    array_ = array;
    return true;
  }

  void change_root(size_t branch, size_t first) {
    Computation& computation = *branches_[branch];
    Instruction* value = handed_on(branch);
    std::vector<Value> results;
    if (number_) results.assign(computation.root()->operands().begin(), computation.root()->operands().end());
    results.resize(std::max(results.size(), first + 1));
    GraphBuilder build(computation);
    const bool is_updated = value->opcode == Opcode::kDynamicUpdateSlice;
    if (is_updated) {
      results[first] = value->operand(1);
      results.insert(results.end(), value->operands().begin() + 2, value->operands().end());
    } else {
      const Shape& shape = pattern_->operand(1)->shape;
      results[first] = build.splat(build.constant(Literal(Shape::scalar(shape.dtype))), shape.dims);
      for (size_t n = 2; n < pattern_->operands().size(); ++n)
        results.push_back(build.integer(pattern_->operand(n)->shape.dtype, 0));
    }
    results.push_back(build.integer(DType::kPred, is_updated ? 1 : 0));
    computation.set_root(build.tuple(results));
  }

  Instruction& conditional_;
  const std::optional<size_t> number_;
  const std::vector<Computation*> branches_;
  Instruction* array_ = nullptr;
  const Instruction* pattern_ = nullptr;  // an update of a branch: all have its shapes
  bool is_kept_ = false;                  // by a branch, as it is
};

Instruction* lift_from(Instruction& conditional) {
  if (!conditional.shape.is_tuple()) {
    const bool is_used = !conditional.users().empty() || conditional.parent()->root() == &conditional;
    return is_used ? Lifting(conditional, std::nullopt).run() : nullptr;
  }
  if (conditional.parent()->root() == &conditional) return nullptr;
  std::vector<size_t> numbers;
  for (const Instruction* user : conditional.users()) {
    if (user->opcode != Opcode::kGetTupleElement) return nullptr;
    numbers.push_back(static_cast<size_t>(*user->attributes->tuple_index));
  }
  for (const size_t number : numbers) {
    if (Instruction* lifted = Lifting(conditional, number).run()) return lifted;
  }
  return nullptr;
}

// A branch is not given what it does not read.
void drop_arguments(Instruction& conditional) {
  const std::vector<Computation*> branches = conditional.branches();
  for (size_t branch = 0; branch < branches.size(); ++branch) {
    Instruction& parameter = *branches[branch]->parameters()[0];
    Instruction* argument = conditional.operand(branch + 1);
    if (parameter.users().empty()) {  // something has to be given
      parameter.shape = conditional.operand(0)->shape;
      conditional.set_operand(branch + 1, conditional.operand(0));
      continue;
    }
    const bool reads_elements = std::ranges::all_of(
        parameter.users(), [](const Instruction* user) { return user->opcode == Opcode::kGetTupleElement; });
    if (argument->opcode != Opcode::kTuple || !reads_elements || branches[branch]->root() == &parameter) continue;
    std::vector<Value> kept;
    std::vector<Shape> shapes;
    std::vector<int64_t> numbers(argument->operands().size(), -1);
    for (const Instruction* user : parameter.users()) {
      const auto number = static_cast<size_t>(*user->attributes->tuple_index);
      if (numbers[number] >= 0) continue;
      numbers[number] = std::ssize(kept);
      kept.push_back(argument->operand(number));
      shapes.push_back(kept.back()->shape);
    }
    if (kept.size() == numbers.size()) continue;
    for (Instruction* user : parameter.users())
      user->attributes.edit().tuple_index = numbers[static_cast<size_t>(*user->attributes->tuple_index)];
    parameter.shape = Shape::tuple(shapes);
    conditional.set_operand(branch + 1, GraphBuilder(conditional).tuple(kept));
  }
}

}  // namespace

bool lift_updates(Module& module, const GraphPassOptions&) {
  std::vector<Instruction*> lifted;
  const ComputationSet with_effects = computations_with_effects(module);
  for (Instruction* conditional : instructions_of(module, Opcode::kConditional)) {
    if (has_effect(*conditional, with_effects)) continue;  // it would stay beside the new one
    if (Instruction* anew = lift_from(*conditional)) lifted.push_back(anew);
  }
  if (lifted.empty()) return false;
  remove_dead_code(module);
  for (Instruction* conditional : lifted) drop_arguments(*conditional);
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
