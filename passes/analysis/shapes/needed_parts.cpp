// Needs are joined from users to operands until nothing changes: nothing, then a part, then all. An operation that has
// no rule here needs all of its operands.
#include "passes/analysis/shapes/needed_parts.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "ir/ops/op_table.h"
#include "passes/analysis/shapes/extents.h"
#include "passes/analysis/values/constants.h"

namespace sinter {

namespace {

// A part as elements of one dimension, each `inner` times in a row.
struct Along {
  int64_t dimension;
  int64_t inner;
};

std::optional<Along> along(const NeededPart& part, const std::vector<int64_t>& dims) {
  const std::vector<int64_t> steps = strides(dims);
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] <= 1 || part.stride % steps[d] != 0) continue;
    if (part.stride / steps[d] < dims[d] && steps[d] * dims[d] % (part.stride * part.extent) == 0)
      return Along{static_cast<int64_t>(d), part.stride / steps[d]};
  }
  return std::nullopt;
}

NeededPart part_of(NeededPart part, const Along& place, const std::vector<int64_t>& dims) {
  part.stride = strides(dims)[static_cast<size_t>(place.dimension)] * place.inner;
  return part;
}

bool contains(const std::vector<int64_t>& list, int64_t number) { return std::ranges::count(list, number) > 0; }

bool is_one_place(const WindowDimension& window) {
  return window.size == 1 && window.stride == 1 && window.pad_low == 0 && window.pad_high == 0 &&
         window.lhs_dilate == 1;
}

template <class List>
std::vector<int64_t> or_none(const List& list) {
  return list ? *list : std::vector<int64_t>();
}

// The loop or branch that a computation belongs to, the only one.
std::unordered_map<const Computation*, const Instruction*> owners_of(const Module& module) {
  std::unordered_map<const Computation*, const Instruction*> owners;
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      for (const Computation* called : instruction.called_computations()) {
        const auto [owner, fresh] = owners.emplace(called, &instruction);
        if (!fresh) owner->second = nullptr;
      }
    }
  }
  return owners;
}

}  // namespace

class NeedFinder {
 public:
  NeedFinder(const Module& module, NeededParts* parts)
      : module_(module), needs_(parts->needs_), extents_(extents_of(module)), owners_(owners_of(module)) {}

  void run() {
    if (extents_.empty()) return;
    need_results();
    do {
      changed_ = false;
      const auto& computations = module_.computations();
      for (auto computation = computations.rbegin(); computation != computations.rend(); ++computation) {
        const std::list<Instruction>& list = (*computation)->instructions();
        for (auto one = list.rbegin(); one != list.rend(); ++one) visit(*one);
      }
    } while (changed_);
  }

 private:
  using Need = NeededParts::Need;
  using Dims = std::vector<int64_t>;

  void need_results() {
    const Instruction& root = *module_.entry()->root();
    const size_t count = root.shape.is_tuple() ? root.shape.elements.size() : 1;
    for (size_t i = 0; i < count; ++i) {
      const Shape& shape = root.shape.is_tuple() ? root.shape.elements[i] : root.shape;
      Need need = {.all = true};
      for (const Extent& extent : extents_) {
        for (const Extent::Dimension& bounded : extent.results) {
          if (bounded.array != static_cast<int64_t>(i) || !shape.is_array()) continue;
          const auto d = static_cast<size_t>(bounded.dimension);
          const NeededPart part = {extent.size, strides(shape.dims)[d], shape.dims[d], bounded.times};
          need = {.all = false, .part = outer(need.part, part)};
        }
      }
      add(&root, i, need);
    }
  }

  // Of two parts that both hold the outermost.
  static NeededPart outer(const std::optional<NeededPart>& a, const NeededPart& b) {
    return a && a->stride >= b.stride ? *a : b;
  }

  void add(const Instruction* value, size_t element, const Need& need) {
    if (!need.all && !need.part) return;
    Need& known = needs_[{value, element}];
    Need joined = known;
    if (need.all || (known.part && known.part != need.part)) {
      joined = {.all = true};
    } else if (!known.all) {
      joined.part = need.part;
    }
    if (joined == known) return;
    known = joined;
    changed_ = true;
  }
  void add_all(const Instruction* value) {
    const size_t count = value->shape.is_tuple() ? value->shape.elements.size() : 1;
    for (size_t i = 0; i < count; ++i) add(value, i, {.all = true});
  }
  Need need_of(const Instruction& value, size_t element = 0) const {
    const auto found = needs_.find({&value, element});
    return found == needs_.end() ? Need() : found->second;
  }
  // Of all results together.
  Need joint_need(const Instruction& value) const {
    if (!value.shape.is_tuple()) return need_of(value);
    Need joint;
    for (size_t i = 0; i < value.shape.elements.size(); ++i) {
      const Need need = need_of(value, i);
      if (need.all || (joint.part && need.part && joint.part != need.part)) return {.all = true};
      if (need.part) joint.part = need.part;
    }
    return joint;
  }

  // The parameter of the entry that a number is, through the states of loops and into branches.
  const Instruction* source_of(const Instruction* value) const {
    for (int steps = 0; steps < 64; ++steps) {
      if (value->opcode != Opcode::kGetTupleElement) {
        if (value->opcode != Opcode::kParameter || value->parent() == module_.entry()) return value;
        const auto owner = owners_.find(value->parent());
        if (owner == owners_.end() || owner->second == nullptr || owner->second->opcode != Opcode::kConditional)
          return value;
        value = argument_of(*owner->second, *value->parent());
        continue;
      }
      const Instruction* state = value->operand(0);
      const auto number = static_cast<size_t>(*value->attributes->tuple_index);
      if (state->opcode == Opcode::kTuple) {
        value = state->operand(number);
        continue;
      }
      if (state->opcode != Opcode::kParameter || state->parent() == module_.entry()) return value;
      const auto owner = owners_.find(state->parent());
      if (owner == owners_.end() || owner->second == nullptr) return value;
      const Instruction& caller = *owner->second;
      const Instruction* before = nullptr;
      if (caller.opcode == Opcode::kConditional) {
        before = argument_of(caller, *state->parent());
      } else if (caller.opcode == Opcode::kWhile && is_kept(caller, number)) {
        before = caller.operand(0);
      }
      if (before == nullptr || before->opcode != Opcode::kTuple) return value;
      value = before->operand(number);
    }
    return value;
  }
  static const Instruction* argument_of(const Instruction& conditional, const Computation& arm) {
    const std::vector<Computation*> arms = conditional.called_computations();
    const auto place = std::find(arms.begin(), arms.end(), &arm);
    return conditional.operand(static_cast<size_t>(place - arms.begin()) + 1);
  }
  // Whether a loop's steps leave an element of its state as it is.
  static bool is_kept(const Instruction& loop, size_t number) {
    const Instruction* root = (*loop.attributes->body)->root();
    if (root->opcode != Opcode::kTuple) return false;
    const Instruction* next = root->operand(number);
    return next->opcode == Opcode::kGetTupleElement && next->operand(0)->opcode == Opcode::kParameter &&
           *next->attributes->tuple_index == static_cast<int64_t>(number);
  }

  // size, or size * times.
  std::optional<std::pair<const Extent*, int64_t>> count_of(const Instruction* value) const {
    int64_t times = 1;
    value = source_of(value);
    if (value->opcode == Opcode::kMultiply) {
      const size_t factor = source_of(value->operand(1))->opcode == Opcode::kConstant ? 1 : 0;
      const Instruction* constant = source_of(value->operand(factor));
      if (constant->opcode != Opcode::kConstant || !constant->shape.is_scalar()) return std::nullopt;
      const std::optional<int64_t> number = splat_integer(*constant);
      if (!number) return std::nullopt;
      times = *number;
      value = source_of(value->operand(1 - factor));
    }
    for (const Extent& extent : extents_) {
      if (extent.size == value) return std::pair(&extent, times);
    }
    return std::nullopt;
  }

  // The elements for which a predicate may be true; nullopt: any.
  std::optional<NeededPart> where_true(const Instruction* test) const {
    switch (test->opcode) {
      case Opcode::kAnd: {
        const std::optional<NeededPart> a = where_true(test->operand(0)), b = where_true(test->operand(1));
        return a && b ? outer(a, *b) : a ? a : b;
      }
      case Opcode::kReshape:
        return where_true(test->operand(0));
      case Opcode::kBroadcast: {
        const Instruction* operand = test->operand(0);
        const std::optional<NeededPart> part = where_true(operand);
        const std::optional<Along> place = part ? along(*part, operand->shape.dims) : std::nullopt;
        if (!place) return std::nullopt;
        const int64_t to = (*test->attributes->dimensions)[static_cast<size_t>(place->dimension)];
        return part_of(*part, {to, place->inner}, test->shape.dims);
      }
      case Opcode::kCompare: {
        const Instruction *iota = test->operand(0), *count = test->operand(1);
        if (*test->attributes->direction != "LT" || iota->opcode != Opcode::kIota) return std::nullopt;
        if (count->opcode != Opcode::kBroadcast || !count->operand(0)->shape.is_scalar()) return std::nullopt;
        const auto size = count_of(count->operand(0));
        const auto d = static_cast<size_t>(*iota->attributes->iota_dimension);
        const int64_t length = iota->shape.dims[d];
        if (!size || length != size->first->bound * size->second) return std::nullopt;
        return NeededPart{size->first->size, strides(iota->shape.dims)[d], length, size->second};
      }
      default:
        return std::nullopt;
    }
  }

  // What `user` needs of an operand whose dimension `dimension` is that dimension `Along` says of the user's result.
  void hand_on(const Instruction& user, size_t operand, const NeededPart& part, const Along& place) {
    const Dims& dims = user.operand(operand)->shape.dims;
    add(user.operand(operand), 0, {.all = false, .part = part_of(part, place, dims)});
  }

  void visit(const Instruction& user) {
    if (user.opcode == Opcode::kParameter || user.opcode == Opcode::kConstant) return;
    if (is_control(user)) return control(user);
    const Need need = joint_need(user);
    if (!need.all && !need.part) {
      // What is done for its effect needs what it reads, whoever reads its result.
      if (user.opcode == Opcode::kCustomCall || opcode_family(user.opcode) == Family::kDevice) need_operands(user);
      return;
    }
    if (opcode_family(user.opcode) == Family::kElementwise || user.opcode == Opcode::kMap)
      return elementwise(user, need);
    if (need.all) return need_operands(user);
    std::vector<bool> told(user.operands().size(), false);
    moved(user, *need.part, &told);
    for (size_t i = 0; i < told.size(); ++i) {
      if (!told[i]) add_all(user.operand(i));
    }
  }
  void need_operands(const Instruction& user) {
    for (const Instruction* operand : user.operands()) add_all(operand);
  }

  void elementwise(const Instruction& user, const Need& need) {
    for (size_t i = 0; i < user.operands().size(); ++i) {
      const Instruction* operand = user.operand(i);
      if (!operand->shape.is_array() || operand->shape.dims != user.shape.dims) {
        add_all(operand);
        continue;
      }
      Need own = need;
      if (user.opcode == Opcode::kSelect && i == 1 && need.all) {
        if (const std::optional<NeededPart> part = where_true(user.operand(0))) own = {.all = false, .part = part};
      }
      add(operand, 0, own);
    }
  }

  // Operations whose elements are made of those of the same place along the part's dimension. `told`: operands whose
  // need has been said.
  void moved(const Instruction& user, const NeededPart& part, std::vector<bool>* told) {
    const auto tell = [&](size_t operand, const Along& to) {
      hand_on(user, operand, part, to);
      (*told)[operand] = true;
    };
    if (user.opcode == Opcode::kReshape || user.opcode == Opcode::kBitcast) {
      if (user.operand(0)->shape.element_count() != user.shape.element_count()) return;
      add(user.operand(0), 0, {.all = false, .part = part});
      (*told)[0] = true;
      return;
    }
    const Dims& dims = user.shape.is_tuple() ? user.shape.elements[0].dims : user.shape.dims;
    const std::optional<Along> place = along(part, dims);
    if (!place) return;
    const auto r = static_cast<size_t>(place->dimension);
    const Dims dimensions = or_none(user.attributes->dimensions);
    const auto is_whole = [&](size_t operand) { return user.operand(operand)->shape.dims[r] == dims[r]; };
    switch (user.opcode) {
      case Opcode::kBroadcast:
        for (size_t i = 0; i < dimensions.size(); ++i) {
          if (dimensions[i] == place->dimension) tell(0, {static_cast<int64_t>(i), place->inner});
        }
        break;
      case Opcode::kTranspose:
        tell(0, {dimensions[r], place->inner});
        break;
      case Opcode::kReverse:
      case Opcode::kSort:
        if (contains(dimensions, place->dimension)) break;
        for (size_t i = 0; i < user.operands().size(); ++i) tell(i, *place);
        break;
      case Opcode::kConcatenate:
        if (contains(dimensions, place->dimension)) break;
        for (size_t i = 0; i < user.operands().size(); ++i) tell(i, *place);
        break;
      case Opcode::kSlice:
        if ((*user.attributes->slice)[r] == SliceBounds{.start = 0, .limit = user.operand(0)->shape.dims[r]})
          tell(0, *place);
        break;
      case Opcode::kPad:
        if ((*user.attributes->padding)[r] == PadBounds{}) tell(0, *place);
        break;
      case Opcode::kDynamicSlice:
        if (is_whole(0)) tell(0, *place);
        break;
      case Opcode::kDynamicUpdateSlice:
        tell(0, *place);
        if (is_whole(1)) tell(1, *place);
        break;
      case Opcode::kReduce: {
        Dims kept;
        for (int64_t d = 0; d < user.operand(0)->shape.rank(); ++d) {
          if (!contains(dimensions, d)) kept.push_back(d);
        }
        for (size_t i = 0; i < user.operands().size() / 2; ++i) tell(i, {kept[r], place->inner});
        break;
      }
      case Opcode::kReduceWindow:
        if (!is_one_place((*user.attributes->window)[r])) break;
        for (size_t i = 0; i < user.operands().size() / 2; ++i) tell(i, *place);
        break;
      case Opcode::kDot:
        dot(user, part, *place, told);
        break;
      // Gathers and scatters are none of these: all of their indices are needed, as those are loaded without a clamp
      // where their range is known (mark_ranges), which holds of what was computed alone.
      default:
        break;
    }
  }

  // A dimension of the result is one of a batch, of both operands; else one of the left or right operand alone.
  void dot(const Instruction& user, const NeededPart& part, const Along& place, std::vector<bool>* told) {
    const Dims batch[2] = {or_none(user.attributes->lhs_batch_dims), or_none(user.attributes->rhs_batch_dims)};
    const Dims summed[2] = {or_none(user.attributes->lhs_contracting_dims),
                            or_none(user.attributes->rhs_contracting_dims)};
    if (user.operands().size() != 2) return;
    int64_t next = std::ssize(batch[0]);
    for (size_t side = 0; side < 2; ++side) {
      int64_t dimension =
          place.dimension < std::ssize(batch[0]) ? batch[side][static_cast<size_t>(place.dimension)] : -1;
      for (int64_t d = 0; d < user.operand(side)->shape.rank(); ++d) {
        if (contains(batch[side], d) || contains(summed[side], d)) continue;
        if (next++ == place.dimension) dimension = d;
      }
      if (dimension < 0) continue;
      hand_on(user, side, part, {dimension, place.inner});
      (*told)[side] = true;
    }
  }

  static bool is_control(const Instruction& user) {
    switch (user.opcode) {
      case Opcode::kTuple:
      case Opcode::kGetTupleElement:
      case Opcode::kWhile:
      case Opcode::kConditional:
      case Opcode::kOptBarrier:
        return true;
      default:
        return false;
    }
  }

  void control(const Instruction& user) {
    switch (user.opcode) {
      case Opcode::kTuple:
        for (size_t i = 0; i < user.operands().size(); ++i) hand_over(need_of(user, i), user.operand(i));
        break;
      case Opcode::kGetTupleElement:
        if (user.shape.is_tuple()) {
          add_all(user.operand(0));
        } else {
          add(user.operand(0), static_cast<size_t>(*user.attributes->tuple_index), need_of(user));
        }
        break;
      case Opcode::kOptBarrier:
        hand_over_all(user, user.operand(0));
        break;
      case Opcode::kWhile:
        loop(user);
        break;
      default:
        branch(user);
    }
  }
  void hand_over(const Need& need, const Instruction* array) {
    if (array->shape.is_tuple()) return add_all(array);
    add(array, 0, need);
  }
  void hand_over_all(const Instruction& from, const Instruction* to) {
    const size_t count = to->shape.is_tuple() ? to->shape.elements.size() : 1;
    for (size_t i = 0; i < count; ++i) add(to, i, need_of(from, i));
  }

  // A state is read by the next step, by the condition, and after the loop.
  void loop(const Instruction& user) {
    const Computation &body = **user.attributes->body, &condition = **user.attributes->condition;
    add_all(condition.root());
    const Instruction *step = body.parameters()[0], *test = condition.parameters()[0];
    for (const Instruction* reader : {&user, step, test}) {
      hand_over_all(*reader, user.operand(0));
      hand_over_all(*reader, body.root());
    }
  }
  void branch(const Instruction& user) {
    add_all(user.operand(0));
    const std::vector<Computation*> arms = user.called_computations();
    for (size_t arm = 0; arm < arms.size(); ++arm) {
      hand_over_all(user, arms[arm]->root());
      hand_over_all(*arms[arm]->parameters()[0], user.operand(arm + 1));
    }
  }

  const Module& module_;
  std::map<std::pair<const Instruction*, size_t>, Need>& needs_;
  const std::vector<Extent> extents_;
  const std::unordered_map<const Computation*, const Instruction*> owners_;
  bool changed_ = false;
};

NeededParts::NeededParts(const Module& module) { NeedFinder(module, this).run(); }

std::optional<NeededPart> NeededParts::of(const Instruction& value) const {
  // An element of several results is asked for by the get-tuple-element that reads it.
  const auto need = needs_.find({&value, 0});
  if (need == needs_.end() || need->second.all || !value.shape.is_array()) return std::nullopt;
  return need->second.part;
}

}  // namespace sinter
