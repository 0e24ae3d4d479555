#include "passes/graph/base/scan_in_parts.h"

#include <algorithm>
#include <optional>
#include <set>

#include "ir/support/ceil_div.h"
#include "passes/analysis/values/constants.h"
#include "passes/graph/base/graph_loop.h"
#include "passes/graph/base/on_arrays.h"

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

class ScanWriter {
 public:
  ScanWriter(GraphBuilder& build, const PartedScan& scan)
      : build_(build),
        scan_(scan),
        module_(*scan.arrays[0]->parent()->parent()),
        along_(scan.along),
        length_(scan.arrays[0]->shape.dims[along_]),
        rest_(scan.arrays[0]->shape.dims) {
    rest_.erase(at(&rest_, along_));
    int64_t rows = 1, bytes = 0;
    for (const int64_t extent : rest_) rows *= extent;
    for (const Value array : scan.arrays) bytes += dtype_bytes(array->shape.dtype);
    parts_ = scan.in_order ? Parts{1, length_} : choose_parts(length_, rows, bytes).parts;
    // What the steps hand on, since a result reads it.
    const std::vector<std::set<size_t>> reads = read_before(*scan.function, scan.arrays.size());
    std::vector<size_t> open = scan.results;
    while (!open.empty()) {
      const size_t array = open.back();
      open.pop_back();
      if (std::ranges::count(carried_, array) > 0) continue;
      carried_.push_back(array);
      open.insert(open.end(), reads[array].begin(), reads[array].end());
    }
    std::ranges::sort(carried_);
  }

  Values run() {
    Values arrays;
    for (const Value array : scan_.arrays) arrays.push_back(in_parts(array));
    const Values before = parts_.count > 1 ? before_parts(ends_of_parts(arrays)) : starts(step_dims());
    Values results = along_parts(arrays, before);
    Dims whole = rest_;
    whole.insert(at(&whole, along_), parts_.count * parts_.length);
    const int64_t start = scan_.reverse ? parts_.count * parts_.length - length_ : 0;
    for (Value& result : results)
      result = build_.slice(build_.reshape(result, whole), static_cast<int64_t>(along_), start, start + length_);
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

  // The last part in the order of the scan is filled up.
  Value in_parts(Value array) {
    const int64_t missing = parts_.count * parts_.length - length_;
    if (missing > 0) array = padded(array, zero_of(array), scan_.reverse ? missing : 0, scan_.reverse ? 0 : missing);
    return build_.reshape(array, all_dims());
  }
  Value zero_of(Value array) { return build_.constant(Literal(Shape::scalar(array->shape.dtype))); }
  Value padded(Value array, Value filling, int64_t low, int64_t high) {
    std::vector<PadBounds> bounds(array->shape.dims.size());
    bounds[along_] = {.low = low, .high = high};
    return build_.pad(array, bounds, filling);
  }

  Values combined(GraphBuilder& build, const Values& before, const Values& own) const {
    const Values both = scan_.reverse ? joined({own, before}) : joined({before, own});
    const Value end = build.tuple({});
    const Values results = on_arrays(*end, *scan_.function, both, own[0]->shape.dims);
    end->parent()->remove(end);
    return results;
  }
  // The state after an element; `first`, where it is needed, says where there is none before it. What is not carried,
  // nothing reads.
  Values next(GraphBuilder& build, Value first, const Values& carried, const Values& own) const {
    Values before = own;
    size_t number = 0;
    for (const size_t array : carried_) before[array] = carried[number++];
    const Values all = combined(build, before, own);
    Values result;
    for (const size_t array : carried_)
      result.push_back(first == nullptr ? all[array] : build.select({first, own[array], all[array]}));
    return result;
  }
  bool has_neutral() const { return !scan_.neutral.empty(); }
  // What an array's elements begin with, if anything.
  Value start_of(size_t array) { return has_neutral() ? scan_.neutral[array] : zero_of(scan_.arrays[array]); }
  Values starts(const Dims& dims) {
    Values values;
    for (const size_t array : carried_) values.push_back(build_.splat(start_of(array), dims));
    return values;
  }
  // Place number `step` of so many, in the order of the scan.
  Value place(GraphBuilder& build, Value step, int64_t count) const {
    return scan_.reverse ? build.subtract({build.integer(DType::kS32, count - 1), step}) : step;
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

  // Whether an element of a part, at this step, is the first of all.
  Value is_first(GraphBuilder& build, Value step) const {
    const Value first = is_step(build, step, 0);
    if (parts_.count == 1) return first;
    const Value part = build.iota(DType::kS32, step_dims(), static_cast<int64_t>(along_));
    const int64_t first_part = scan_.reverse ? parts_.count - 1 : 0;
    const Value is_in = build.compare({part, build.integer(DType::kS32, first_part, step_dims())}, "EQ");
    return build.make(Opcode::kAnd, {is_in, first});
  }

  // What the elements of each part come to, of all arrays.
  Values ends_of_parts(const Values& arrays) {
    const size_t count = arrays.size();
    const int64_t begin = scan_.reverse ? parts_.length - 1 : 0;
    Values first;
    for (const Value array : arrays)
      first.push_back(
          build_.reshape(build_.slice(array, static_cast<int64_t>(along_) + 1, begin, begin + 1), step_dims()));
    const Values state =
        build_loop(build_, module_, joined({arrays, first}), parts_.length - 1,
                   [&](GraphBuilder& build, Value step, const Values& values) {
                     const Value index = place(build, build.add({step, build.integer(DType::kS32, 1)}), parts_.length);
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
      PartedScan of_ends = scan_;
      of_ends.arrays = ends;
      of_ends.results = carried_;
      Values before = ScanWriter(build_, of_ends).run();
      const int64_t from = scan_.reverse ? 1 : 0;
      for (size_t i = 0; i < before.size(); ++i) {
        const Value others = build_.slice(before[i], static_cast<int64_t>(along_), from, from + parts_.count - 1);
        before[i] = padded(others, start_of(carried_[i]), 1 - from, from);
      }
      return before;
    }
    const size_t carried = carried_.size(), count = ends.size();
    Dims others = iota_list(static_cast<int64_t>(step_dims().size()));
    others.erase(at(&others, along_));
    const Values state = build_loop(
        build_, module_, joined({ends, starts(step_dims())}), parts_.count - 1,
        [&](GraphBuilder& build, Value step, const Values& values) {
          Values own;
          const Value end = place(build, step, parts_.count);
          for (size_t i = 0; i < count; ++i)
            own.push_back(build.broadcast(build.part_at(values[i], end, along_), step_dims(), others));
          const Values before = slice_of(values, count, carried);
          Values after = next(build, has_neutral() ? nullptr : is_step(build, step, 0), before, own);
          const Value part = build.iota(DType::kS32, step_dims(), static_cast<int64_t>(along_));
          const Value counts = build.compare({build.splat(end, step_dims()), part}, scan_.reverse ? "GT" : "LT");
          for (size_t i = 0; i < carried; ++i) after[i] = build.select({counts, after[i], before[i]});
          return joined({slice_of(values, 0, count), after});
        });
    return slice_of(state, count, carried);
  }

  // The results, in parts.
  Values along_parts(const Values& arrays, const Values& before) {
    const size_t carried = carried_.size(), results = scan_.results.size(), count = arrays.size();
    Values stacks;
    for (const size_t array : scan_.results) stacks.push_back(build_.splat(zero_of(arrays[array]), all_dims()));
    const Values state =
        build_loop(build_, module_, joined({arrays, before, stacks}), parts_.length,
                   [&](GraphBuilder& build, Value step, const Values& values) {
                     Values own, after_stacks;
                     const Value index = place(build, step, parts_.length);
                     for (size_t i = 0; i < count; ++i) own.push_back(build.part_at(values[i], index, along_ + 1));
                     const Value first = has_neutral() ? nullptr : is_first(build, step);
                     const Values after = next(build, first, slice_of(values, count, carried), own);
                     for (size_t i = 0; i < results; ++i) {
                       const auto place = std::ranges::find(carried_, scan_.results[i]) - carried_.begin();
                       after_stacks.push_back(build.with_part_at(values[count + carried + i], index, along_ + 1,
                                                                 after[static_cast<size_t>(place)]));
                     }
                     return joined({slice_of(values, 0, count), after, after_stacks});
                   });
    return slice_of(state, count + carried, results);
  }

  GraphBuilder& build_;
  const PartedScan& scan_;
  Module& module_;
  size_t along_;
  int64_t length_;
  Dims rest_;  // the dimensions of one element
  Parts parts_;
  std::vector<size_t> carried_;  // arrays of which a step hands on what it has come to
};

}  // namespace

std::vector<Instruction*> scan_in_parts(GraphBuilder& build, const PartedScan& scan) {
  return ScanWriter(build, scan).run();
}

}  // namespace sinter
