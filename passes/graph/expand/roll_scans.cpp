// roll_scans: a scan that is written out as jax.lax.associative_scan leaves it becomes what it is: a cumulative window,
// where one operation combines; else loops along it, of which each element makes one step.
//
//   %r = f32[8,2048,64] add(pad(%even, 0), pad(%odd, 0)), and eleven levels like it       (associative_scan.h)
//                                                         =>
//   %ends = a loop of 31 steps over the elements of each of 64 parts: what a part comes to
//   %before = a loop of 63 steps over these: what those before a part come to
//   %r = a loop of 32 steps over the elements of each part, which goes on from there
//
// So threads are many and their loops short; where the other dimensions have threads enough, one loop goes along all
// elements. The function is tried, whether it is associative (try_combiner.h): sums of floats are rounded in another
// order than the levels have.
#include <algorithm>
#include <set>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/shapes/cumulative_window.h"
#include "passes/graph/base/graph_loop.h"
#include "passes/graph/base/on_arrays.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/base/try_combiner.h"
#include "passes/graph/expand/associative_scan.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Values = std::vector<Value>;
using Dims = std::vector<int64_t>;

struct Parts {
  int64_t count = 1, length = 1;
};

// Of an h200, in nanoseconds: a step of a loop that loads, a launch; bytes of memory in one.
constexpr int64_t kStep = 400, kLaunch = 4000, kBytes = 4200;
constexpr int64_t kShortestPart = 8;
// Parts whose ends each part goes over.
constexpr int64_t kMostEnds = 64;

// What such a scan takes, of `rows` side by side, and the parts that it had better have. Parts are read twice.
struct Choice {
  int64_t nanoseconds = 0;
  Parts parts;
};
Choice choose_parts(int64_t length, int64_t rows, int64_t bytes) {
  const auto loop = [&](int64_t steps) { return kLaunch + std::max(steps * kStep, length * rows * bytes / kBytes); };
  Choice best = {loop(length), {1, length}};
  for (int64_t part = kShortestPart; part * 2 <= length; part *= 2) {
    // A divisor is none to be filled up.
    int64_t own = part;
    for (int64_t near = part; near < 2 * part && length % own != 0; ++near) own = length % near == 0 ? near : own;
    const int64_t count = ceil_div(length, own);
    const int64_t ends = count <= kMostEnds ? count * kStep : choose_parts(count, rows, bytes).nanoseconds;
    const int64_t time = 2 * loop(own) + ends;
    if (time < best.nanoseconds) best = {time, {count, own}};
  }
  return best;
}

// By result of the function: which of the first half of its parameters it reads.
std::vector<std::set<size_t>> read_before(const Computation& function, size_t count) {
  std::vector<std::set<size_t>> result;
  const Instruction* root = function.root();
  for (size_t i = 0; i < count; ++i) {
    std::set<size_t> read;
    std::set<const Instruction*> seen;
    std::vector<const Instruction*> open = {count == 1 ? root : root->operand(i)};
    while (!open.empty()) {
      const Instruction* value = open.back();
      open.pop_back();
      if (!seen.insert(value).second) continue;
      if (value->opcode == Opcode::kParameter && static_cast<size_t>(value->parameter_number) < count)
        read.insert(static_cast<size_t>(value->parameter_number));
      open.insert(open.end(), value->operands().begin(), value->operands().end());
    }
    result.push_back(std::move(read));
  }
  return result;
}

class Roller {
 public:
  Roller(GraphBuilder& build, const Computation& function, const Values& arrays, size_t along,
         const std::vector<size_t>& results)
      : build_(build),
        function_(function),
        module_(*arrays[0]->parent()->parent()),
        arrays_(arrays),
        along_(along),
        results_(results),
        length_(arrays[0]->shape.dims[along]),
        rest_(arrays[0]->shape.dims) {
    rest_.erase(at(&rest_, along_));
    int64_t rows = 1, bytes = 0;
    for (const int64_t extent : rest_) rows *= extent;
    for (const Value array : arrays) bytes += dtype_bytes(array->shape.dtype);
    parts_ = choose_parts(length_, rows, bytes).parts;
    // What the steps hand on, since a result reads it.
    const std::vector<std::set<size_t>> reads = read_before(function, arrays.size());
    std::vector<size_t> open = results;
    while (!open.empty()) {
      const size_t array = open.back();
      open.pop_back();
      if (std::ranges::count(carried_, array) > 0) continue;
      carried_.push_back(array);
      open.insert(open.end(), reads[array].begin(), reads[array].end());
    }
    std::ranges::sort(carried_);
  }

  // The results, as `results` names them by their arrays.
  Values run() {
    Values arrays;
    for (const Value array : arrays_) arrays.push_back(in_parts(array));
    const Values before = parts_.count > 1 ? before_parts(ends_of_parts(arrays)) : zeros(step_dims());
    Values results = along_parts(arrays, before);
    Dims whole = rest_;
    whole.insert(at(&whole, along_), parts_.count * parts_.length);
    for (Value& result : results)
      result = build_.slice(build_.reshape(result, whole), static_cast<int64_t>(along_), 0, length_);
    return results;
  }

 private:
  static Dims::iterator at(Dims* dims, size_t place) { return dims->begin() + static_cast<std::ptrdiff_t>(place); }
  // The dimensions of a step of all parts, and of all parts with all steps.
  Dims step_dims() const {
    Dims dims = rest_;
    dims.insert(at(&dims, along_), parts_.count);
    return dims;
  }
  Dims all_dims() const {
    Dims dims = step_dims();
    dims.insert(at(&dims, along_ + 1), parts_.length);
    return dims;
  }

  Value in_parts(Value array) {
    const int64_t missing = parts_.count * parts_.length - length_;
    return build_.reshape(missing > 0 ? padded(array, 0, missing) : array, all_dims());
  }
  Value padded(Value array, int64_t low, int64_t high) {
    Attributes attributes;
    attributes.padding = std::vector<PadBounds>(array->shape.dims.size());
    (*attributes.padding)[along_].low = low;
    (*attributes.padding)[along_].high = high;
    const Value zero = build_.constant(Literal(Shape::scalar(array->shape.dtype)));
    return build_.make(Opcode::kPad, {array, zero}, std::move(attributes));
  }

  Values combined(GraphBuilder& build, const Values& before, const Values& own) const {
    Values both = before;
    both.insert(both.end(), own.begin(), own.end());
    const Value end = build.tuple({});
    const Values results = on_arrays(*end, function_, both, own[0]->shape.dims);
    end->parent()->remove(end);
    return results;
  }
  // The state after an element; `first` says where there is none before it. What is not carried, nothing reads.
  Values next(GraphBuilder& build, Value first, const Values& carried, const Values& own) const {
    Values before = own;
    size_t number = 0;
    for (const size_t array : carried_) before[array] = carried[number++];
    const Values all = combined(build, before, own);
    Values result;
    for (const size_t array : carried_) result.push_back(build.select({first, own[array], all[array]}));
    return result;
  }
  Values zeros(const Dims& dims) {
    Values values;
    for (const size_t array : carried_)
      values.push_back(build_.splat(build_.constant(Literal(Shape::scalar(arrays_[array]->shape.dtype))), dims));
    return values;
  }
  static Values slice_of(const Values& values, size_t begin, size_t count) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(begin);
    return {from, from + static_cast<std::ptrdiff_t>(count)};
  }
  static Values joined(const std::vector<Values>& lists) {
    Values all;
    for (const Values& values : lists) all.insert(all.end(), values.begin(), values.end());
    return all;
  }

  Value is_step(GraphBuilder& build, Value step, int64_t number) const {
    return build.splat(build.compare({step, build.integer(DType::kS32, number)}, "EQ"), step_dims());
  }

  // What the elements of each part come to, of all arrays.
  Values ends_of_parts(const Values& arrays) {
    const size_t count = arrays.size();
    Values first;
    for (const Value array : arrays)
      first.push_back(build_.reshape(build_.slice(array, static_cast<int64_t>(along_) + 1, 0, 1), step_dims()));
    const Values state =
        build_loop(build_, module_, joined({arrays, first}), parts_.length - 1,
                   [&](GraphBuilder& build, Value step, const Values& values) {
                     const Value index = build.add({step, build.integer(DType::kS32, 1)});
                     Values own;
                     for (size_t i = 0; i < count; ++i) own.push_back(build.part_at(values[i], index, along_ + 1));
                     return joined({slice_of(values, 0, count), combined(build, slice_of(values, count, count), own)});
                   });
    return slice_of(state, count, count);
  }

  // What all parts before each come to; of the first anything. Each part goes over the ends of those before it, where
  // they are few: more are scanned.
  Values before_parts(const Values& ends) {
    if (parts_.count > kMostEnds) {
      Values before = Roller(build_, function_, ends, along_, carried_).run();
      for (Value& value : before)
        value = padded(build_.slice(value, static_cast<int64_t>(along_), 0, parts_.count - 1), 1, 0);
      return before;
    }
    const size_t carried = carried_.size(), count = ends.size();
    Dims others = iota_list(static_cast<int64_t>(step_dims().size()));
    others.erase(at(&others, along_));
    const Values state =
        build_loop(build_, module_, joined({ends, zeros(step_dims())}), parts_.count - 1,
                   [&](GraphBuilder& build, Value step, const Values& values) {
                     Values own;
                     for (size_t i = 0; i < count; ++i)
                       own.push_back(build.broadcast(build.part_at(values[i], step, along_), step_dims(), others));
                     const Values before = slice_of(values, count, carried);
                     Values after = next(build, is_step(build, step, 0), before, own);
                     const Value part = build.iota(DType::kS32, step_dims(), static_cast<int64_t>(along_));
                     const Value counts = build.compare({build.splat(step, step_dims()), part}, "LT");
                     for (size_t i = 0; i < carried; ++i) after[i] = build.select({counts, after[i], before[i]});
                     return joined({slice_of(values, 0, count), after});
                   });
    return slice_of(state, count, carried);
  }

  // The results, in parts.
  Values along_parts(const Values& arrays, const Values& before) {
    const size_t carried = carried_.size(), results = results_.size(), count = arrays.size();
    Values stacks;
    for (const size_t array : results_) {
      const Value zero = build_.constant(Literal(Shape::scalar(arrays_[array]->shape.dtype)));
      stacks.push_back(build_.splat(zero, all_dims()));
    }
    const Values state =
        build_loop(build_, module_, joined({arrays, before, stacks}), parts_.length,
                   [&](GraphBuilder& build, Value step, const Values& values) {
                     Values own, after_stacks;
                     for (size_t i = 0; i < count; ++i) own.push_back(build.part_at(values[i], step, along_ + 1));
                     Value first = is_step(build, step, 0);
                     if (parts_.count > 1) {
                       const Value part = build.iota(DType::kS32, step_dims(), static_cast<int64_t>(along_));
                       const Value is_first = build.compare({part, build.integer(DType::kS32, 0, step_dims())}, "EQ");
                       first = build.make(Opcode::kAnd, {is_first, first});
                     }
                     const Values after = next(build, first, slice_of(values, count, carried), own);
                     for (size_t i = 0; i < results; ++i) {
                       const auto place = std::ranges::find(carried_, results_[i]) - carried_.begin();
                       after_stacks.push_back(build.with_part_at(values[count + carried + i], step, along_ + 1,
                                                                 after[static_cast<size_t>(place)]));
                     }
                     return joined({slice_of(values, 0, count), after, after_stacks});
                   });
    return slice_of(state, count + carried, results);
  }

  GraphBuilder& build_;
  const Computation& function_;
  Module& module_;
  const Values& arrays_;
  size_t along_;
  std::vector<size_t> results_;  // by array
  int64_t length_;
  Dims rest_;  // the dimensions of one element
  Parts parts_;
  std::vector<size_t> carried_;  // arrays of which a step hands on what it has come to
};

// A sum, product, minimum or maximum has a stage of its own.
bool to_window(const AssociativeScan& scan) {
  if (scan.arrays.size() != 1) return false;
  const std::optional<Opcode> operation = simple_combiner(*scan.function);
  const Shape& shape = scan.arrays[0]->shape;
  const std::optional<Literal> neutral = operation ? neutral_value(*operation, shape.dtype) : std::nullopt;
  if (!neutral) return false;
  Instruction& result = *scan.results[0].second;
  Module& module = *result.parent()->parent();
  const bool adds_floats = *operation == Opcode::kAdd && is_float(shape.dtype);
  GraphBuilder build(result);
  const Value initial = build.constant(adds_floats ? Literal(Shape::scalar(shape.dtype)) : *neutral);
  Computation* function = module.add_computation(scan.function->name);
  GraphBuilder inside(*function);
  const Value a = inside.parameter(Shape::scalar(shape.dtype), "a"), b = inside.parameter(a->shape, "b");
  function->set_root(inside.make(*operation, {a, b}));
  Attributes attributes;
  attributes.window = window_of({static_cast<int64_t>(scan.dimension), false}, shape.dims);
  attributes.to_apply = function;
  become(result, Opcode::kReduceWindow, {scan.arrays[0], initial}, std::move(attributes));
  return true;
}

bool roll(const AssociativeScan& scan) {
  if (!is_associative(*scan.function)) return false;
  if (to_window(scan)) return true;
  const auto stands_before = [](const auto& a, const auto& b) { return a.second->position() < b.second->position(); };
  Instruction& last = *std::max_element(scan.results.begin(), scan.results.end(), stands_before)->second;
  std::vector<size_t> results;
  for (const auto& [array, result] : scan.results) results.push_back(array);
  GraphBuilder build(last);
  const Values made = Roller(build, *scan.function, scan.arrays, scan.dimension, results).run();
  for (size_t i = 0; i < made.size(); ++i) scan.results[i].second->replace_all_uses_with(made[i]);
  last.parent()->sort();
  return true;
}

}  // namespace

bool roll_scans(Module& module, const GraphPassOptions&) {
  std::vector<Computation*> computations;
  for (const auto& computation : module.computations()) computations.push_back(computation.get());
  bool changed = false;
  for (Computation* computation : computations) {
    for (const AssociativeScan& scan : associative_scans(*computation)) changed |= roll(scan);
  }
  if (changed) {
    remove_dead_code(module);
    module.sort_computations();
  }
  return changed;
}

}  // namespace sinter
