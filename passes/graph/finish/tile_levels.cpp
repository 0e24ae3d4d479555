// tile_levels: a chain of stencils becomes one instruction, a fusion with a stage of its own (passes/stages/stencil):
// operations on elements, and on those a few rows and columns beside them, of which some values, the levels, are looked
// at in several places.
//
//   %rows = f32[2160,3840] add(slice(pad(%x)), ...)
//   %sums = f32[2160,3840] add(slice(pad(%rows)), ...)
//                                                     =>
//   %sums = f32[2160,3840] fusion(%x), calls=%levels, frontend_attributes={sinter_stage="levels",
//                                                                          sinter_tiles="tiles of 34 x 58, 8 warps"}
//
// Inside it, sums over windows are written out. Which values are levels is decided by predicted time: what is computed
// again for each place that looks at it takes none of the block's memory. There may be none: threads that have several
// rows of a wide window load each row once. Chains that are predicted to take as long in kernels of their own are left
// as they are, unless a plan has their stage.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/functions/stencil_levels.h"
#include "passes/analysis/values/constants.h"
#include "passes/analysis/values/contraction.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/finish/outline.h"
#include "passes/stages/stencil/levels_form.h"

namespace sinter {
namespace {

// Elements of a result that are worth tiles; of a value that is computed wherever it is read.
constexpr int64_t kFewestElements = 1 << 16, kMostOfCheap = 4096;
constexpr int64_t kMostTaps = 128;  // of a window that is written out
constexpr size_t kMostMembers = 1024, kMostTried = 48;
// Chains are made where they are that much faster.
constexpr double kWorth = 0.9;

// Of windows that move an element at a time and are combined by one operation, the operation, if what lies beyond the
// border changes nothing as the window's first value.
std::optional<Opcode> window_operation(const Instruction& window) {
  if (window.operands().size() != 2 || !window.attributes->window) return std::nullopt;
  int64_t taps = 1;
  for (const WindowDimension& along : *window.attributes->window) {
    if (along.stride != 1 || along.lhs_dilate != 1 || along.rhs_dilate != 1 || along.reversal) return std::nullopt;
    if (along.pad_low < 0 || along.pad_high < 0) return std::nullopt;
    taps *= along.size;
  }
  const std::optional<Opcode> operation = simple_combiner(**window.attributes->to_apply);
  if (!operation || taps > kMostTaps || window.operand(1)->opcode != Opcode::kConstant) return std::nullopt;
  if (operation == Opcode::kMaximum || operation == Opcode::kMinimum) return operation;
  // Sums that begin with 0 are never -0, of which 0 would change the sign. Narrow floats are added up as wider ones.
  const DType dtype = window.shape.dtype;
  if (operation != Opcode::kAdd || sum_type(dtype) != dtype) return std::nullopt;
  const bool is_zero = is_float(dtype) ? splat_real(*window.operand(1)) == 0.0 : splat_integer(*window.operand(1)) == 0;
  return is_zero ? operation : std::nullopt;
}

bool is_element_type(const Shape& shape) {
  return shape.is_array() && !is_complex(shape.dtype) && (shape.dtype == DType::kPred || dtype_bits(shape.dtype) >= 8);
}

// Whether elements are made of few of the operands', at the same place or a constant distance from it.
bool is_local(const Instruction& value) {
  if (!is_element_type(value.shape)) return false;
  switch (value.opcode) {
    case Opcode::kConstant:
      return value.shape.is_scalar() || value.literal.is_splat();
    case Opcode::kIota:
    case Opcode::kBroadcast:
    case Opcode::kConcatenate:
    case Opcode::kReverse:
      return true;
    case Opcode::kSlice:
      return std::ranges::all_of(*value.attributes->slice,
                                 [](const SliceBounds& bounds) { return bounds.stride == 1; });
    case Opcode::kPad:
      return std::ranges::all_of(*value.attributes->padding,
                                 [](const PadBounds& bounds) { return bounds.interior == 0; });
    case Opcode::kReduceWindow:
      return window_operation(value).has_value();
    case Opcode::kReshape:
      return value.shape.element_count() < kFewestElements;
    case Opcode::kCustomCall:
    case Opcode::kCall:
      return false;
    default:
      return family_of(value) == Family::kElementwise &&
             std::ranges::all_of(value.operands(),
                                 [](const Instruction* operand) { return is_element_type(operand->shape); });
  }
}

bool moves_elements(const Instruction& value) {
  switch (value.opcode) {
    case Opcode::kSlice:
    case Opcode::kPad:
    case Opcode::kConcatenate:
    case Opcode::kReverse:
    case Opcode::kReshape:
    case Opcode::kBroadcast:
      return true;
    default:
      return false;
  }
}

// A window of a chain as a pad, slices, and operations on these: along one dimension after the other, the last one
// first, pairs, then pairs of these, of which windows that overlap have most in common.
//
//   %two = add(slice(%x), slice(%x)), %four = add(slice(%two), slice(%two))
//   %sum = add(add(slice(%four), slice(%two)), slice(%x))                      seven elements
//
// What it comes to, along one dimension and all of them, is in `windows`, operations that are a part of that in
// `parts`.
class WindowText {
 public:
  WindowText(Instruction& window, std::set<const Instruction*>* windows, std::set<const Instruction*>* parts)
      : window_(window), build_(window), operation_(*window_operation(window)), windows_(windows), parts_(parts) {}

  void write() {
    const std::vector<WindowDimension>& along = *window_.attributes->window;
    std::vector<PadBounds> bounds;
    for (const WindowDimension& dimension : along)
      bounds.push_back({.low = dimension.pad_low, .high = dimension.pad_high});
    Instruction* array = window_.operand(0);
    Instruction* initial = window_.operand(1);
    array = build_.pad(array, bounds, initial);
    for (size_t d = along.size(); d-- > 0;) {
      if (along[d].size == 1) continue;
      if (parts_->erase(array) > 0) windows_->insert(array);  // along the dimensions before
      array = along_dimension(array, static_cast<int64_t>(d), along[d].size);
    }
    windows_->insert(&window_);
    const std::optional<Literal> neutral = neutral_value(operation_, window_.shape.dtype);
    if (neutral && initial->literal.same_value(*neutral) && parts_->erase(array) > 0) {
      become(window_, operation_, {array->operand(0), array->operand(1)});  // and `array` is dead
    } else {
      become(window_, operation_, {build_.splat(initial, window_.shape.dims), array});
    }
  }

 private:
  using Value = Instruction*;

  Value from(Value array, int64_t d, int64_t first, int64_t count) {
    if (first == 0 && array->shape.dims[d] == count) return array;
    return build_.slice(array, d, first, first + count);
  }
  Value both(Value a, Value b) {
    Value part = build_.make(operation_, {a, b});
    parts_->insert(part);
    return part;
  }

  Value along_dimension(Value array, int64_t d, int64_t size) {
    const int64_t extent = array->shape.dims[d] - size + 1;
    std::vector<Value> powers = {array};  // of 1, 2, 4, ... elements
    for (int64_t length = 2; length <= size; length *= 2) {
      Value half = powers.back();
      const int64_t count = half->shape.dims[d] - length / 2;
      Value first = from(half, d, 0, count);
      powers.push_back(both(first, from(half, d, length / 2, count)));
    }
    int64_t length = int64_t{1} << (powers.size() - 1);
    Value sum = from(powers.back(), d, 0, extent);
    for (int64_t done = length; done < size;) {
      powers.pop_back();
      length /= 2;
      if ((size & length) == 0) continue;
      sum = both(sum, from(powers.back(), d, done, extent));
      done += length;
    }
    return sum;
  }

  Instruction& window_;
  GraphBuilder build_;
  Opcode operation_;
  std::set<const Instruction*>* windows_;
  std::set<const Instruction*>* parts_;
};

class Chainer {
 public:
  // `pinned`: whatever it takes.
  Chainer(Module& module, Computation& computation, bool pinned)
      : module_(module),
        computation_(computation),
        fewest_(pinned ? 1 : kFewestElements),
        most_of_cheap_(pinned ? 1 : kMostOfCheap),
        worth_(pinned ? HUGE_VAL : kWorth) {}

  bool run() {
    find_components();
    bool changed = false;
    for (const std::set<const Instruction*>& members : components()) {
      if (!tile(members)) continue;
      changed = true;
      find_components();  // some are gone, and there is the one that they became
    }
    return changed;
  }

 private:
  using Members = std::set<const Instruction*>;

  // ---- which operations belong together ----

  // Operations that are connected, and between which nothing else stands: before each, as many other operations follow
  // each other.
  void find_components() {
    known_.clear();
    parents_.clear();
    size_t count = 0;
    for (Instruction& value : computation_.instructions()) {
      Known& known = known_[&value];
      known.number = count++;
      known.local = is_local(value);
      const bool fills =
          value.opcode == Opcode::kConstant || value.opcode == Opcode::kIota || value.opcode == Opcode::kBroadcast;
      known.cheap = known.local && (fills || value.shape.element_count() <= most_of_cheap_);
      for (const Instruction* operand : value.operands()) {
        const Known& before = known_.at(operand);
        known.depth = std::max(known.depth, before.depth + (before.local ? 0 : 1));
        known.cheap &= before.cheap ||
                       (!before.local && operand->shape.is_array() && operand->shape.element_count() <= most_of_cheap_);
      }
      parents_.push_back(known.number);
      if (!is_member(&value)) continue;
      for (const Instruction* operand : value.operands()) {
        if (is_member(operand) && known_.at(operand).depth == known.depth)
          parents_[root_of(known_.at(operand).number)] = root_of(known.number);
      }
    }
  }
  struct Known {
    size_t number = 0;
    int64_t depth = 0;  // how many operations that are not local follow each other before it
    bool local = false, cheap = false;
  };
  bool is_member(const Instruction* value) const {
    const Known& known = known_.at(value);
    return known.local && !known.cheap;
  }
  size_t root_of(size_t number) {
    while (parents_[number] != number) number = parents_[number] = parents_[parents_[number]];
    return number;
  }

  // Those that look beside an element, and have enough elements.
  std::vector<Members> components() {
    std::map<size_t, Members> found;  // by number: in the order of the text
    for (const Instruction& value : computation_.instructions()) {
      if (is_member(&value)) found[root_of(known_.at(&value).number)].insert(&value);
    }
    std::vector<Members> components;
    for (auto& [number, members] : found) {
      const auto looks = [](const Instruction* value) {
        return value->opcode == Opcode::kReduceWindow || value->opcode == Opcode::kSlice;
      };
      if (members.size() > kMostMembers || std::ranges::none_of(members, looks)) continue;
      components.push_back(std::move(members));
    }
    return components;
  }

  // ---- one of them ----

  bool tile(const Members& members) {
    std::vector<Instruction*> results = results_of_members(members);
    if (results.empty()) return false;
    for (const Instruction* result : results) {
      if (result->shape.element_count() < fewest_ || result->shape.rank() != results[0]->shape.rank()) return false;
    }
    Members all = members;
    for (const Instruction* member : members) add_cheap(*member, &all);
    const std::optional<std::vector<Instruction*>> operands = operands_of(computation_, all);
    if (!operands) return false;
    const Outlined outlined = outline(results, all, *operands, kStencilLevels, kStencilLevels);
    parts_.clear();
    windows_.clear();
    write_out_windows(*outlined.callee);
    const std::optional<ChosenLevels> chosen = choose(*outlined.callee);
    if (!chosen) {
      computation_.remove(outlined.fusion);
      module_.remove_computation(outlined.callee);
      return false;
    }
    outlined.fusion->annotations.edit().frontend_attributes[kLevelsForm] = levels_text(chosen->form);
    replace(results, outlined.fusion);
    return true;
  }

  std::vector<Instruction*> results_of_members(const Members& members) {
    std::vector<Instruction*> results;
    for (Instruction& value : computation_.instructions()) {
      if (members.count(&value) == 0) continue;
      const auto is_outside = [&](const Instruction* user) { return members.count(user) == 0; };
      if (&value == computation_.root() || std::ranges::any_of(value.users(), is_outside)) results.push_back(&value);
    }
    return results;
  }

  void add_cheap(const Instruction& value, Members* all) const {
    for (const Instruction* operand : value.operands()) {
      if (known_.at(operand).cheap && all->insert(operand).second) add_cheap(*operand, all);
    }
  }

  void write_out_windows(Computation& callee) {
    std::vector<Instruction*> windows;
    for (Instruction& value : callee.instructions()) {
      if (value.opcode == Opcode::kReduceWindow) windows.push_back(&value);
    }
    for (Instruction* window : windows) WindowText(*window, &windows_, &parts_).write();
  }

  // What reads the results and stands before the last of them comes after what gives them all.
  void replace(const std::vector<Instruction*>& results, Instruction* fusion) {
    std::set<const Instruction*> below(results.begin(), results.end());
    std::vector<Instruction*> moved;
    Instruction* last = results.back();
    for (Instruction& value : computation_.instructions()) {
      if (&value == last) break;
      const auto is_below = [&](const Instruction* operand) { return below.count(operand) > 0; };
      if (!std::ranges::any_of(value.operands(), is_below)) continue;
      below.insert(&value);
      moved.push_back(&value);
    }
    for (Instruction* value : moved) computation_.move_before(value, last);
    Instruction* first = moved.empty() ? last : moved[0];
    computation_.move_before(fusion, first);
    for (size_t k = 0; k < results.size(); ++k) {
      Instruction* value = results.size() == 1 ? fusion : insert_tuple_element(*first, fusion, static_cast<int64_t>(k));
      results[k]->replace_all_uses_with(value);
    }
  }

  // ---- which of its values are levels ----

  // Whether it is made of one element by an operation that is as cheap as reading it: w * x. Then that is a level.
  static bool is_light(const Instruction& value) {
    if (family_of(value) != Family::kElementwise || op_def(value.opcode).cost > 1) return false;
    const auto varies = [](const Instruction* operand) { return !splat_value(*operand); };
    return std::ranges::count_if(value.operands(), varies) == 1;
  }
  static bool is_looked_at(const Instruction& value) {
    return std::ranges::any_of(value.users(), [](const Instruction* user) {
      return moves_elements(*user) || (is_light(*user) && is_looked_at(*user));
    });
  }
  bool may_be_level(const Instruction& value) const {
    if (family_of(value) != Family::kElementwise || value.shape.element_count() < fewest_ / 4) return false;
    if (parts_.count(&value) > 0) return false;
    return (!is_light(value) || windows_.count(&value) > 0) && !is_contracted(value) && is_looked_at(value);
  }

  static std::optional<double> us_of(const Computation& callee, const Members& kept) {
    const std::optional<Levels> levels = find_levels(callee, kept, /*inside=*/true);
    const std::optional<ChosenLevels> chosen = levels ? choose_levels(*levels) : std::nullopt;
    return chosen ? std::optional(chosen->us) : std::nullopt;
  }

  std::optional<ChosenLevels> choose(Computation& callee) const {
    std::vector<Instruction*> candidates;
    for (Instruction& value : callee.instructions()) {
      if (may_be_level(value)) candidates.push_back(&value);
    }
    if (candidates.size() > kMostTried) return std::nullopt;
    Members kept(candidates.begin(), candidates.end());
    std::optional<double> us = us_of(callee, kept);
    // Without those that take more time than what is computed again without them.
    for (const Instruction* candidate : candidates) {
      Members others = kept;
      others.erase(candidate);
      const std::optional<double> without = us_of(callee, others);
      if (!without || (us && *without > *us)) continue;
      kept = std::move(others);
      us = without;
    }
    const std::optional<Levels> levels = us ? find_levels(callee, kept, /*inside=*/true) : std::nullopt;
    if (!levels || *us > worth_ * apart_us(*levels)) return std::nullopt;
    for (Instruction* candidate : candidates) {
      if (kept.count(candidate) > 0) candidate->annotations.edit().frontend_attributes[kLevelAttribute] = "1";
    }
    return choose_levels(*levels);
  }

  Module& module_;
  Computation& computation_;
  const int64_t fewest_, most_of_cheap_;       // elements
  const double worth_;                         // of the time that it takes in kernels of its own
  std::map<const Instruction*, Known> known_;  // only looked up
  std::vector<size_t> parents_;
  // Of the chain at hand, windows that are written out, and parts of them: a thread computes these where it needs them.
  std::set<const Instruction*> windows_, parts_;
};

}  // namespace

bool tile_levels(Module& module, const GraphPassOptions& options) {
  const std::set<const Computation*> of_stages = computations_of_stages(module);
  std::vector<Computation*> computations = {module.entry()};
  for (size_t next = 0; next < computations.size(); ++next) {
    for (const Instruction& instruction : computations[next]->instructions()) {
      if (instruction.opcode == Opcode::kWhile && of_stages.count(&**instruction.attributes->body) == 0)
        computations.push_back(*instruction.attributes->body);
    }
  }
  bool changed = false;
  for (Computation* computation : computations)
    changed |= Chainer(module, *computation, is_pinned(options, "tile_levels")).run();
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
