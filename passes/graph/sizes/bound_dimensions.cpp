// bound_dimensions: arrays of up to N elements are stored as arrays of N, and nothing depends on those that are not
// there.
//
//   %x = f32[<=8,4] parameter(0)
//   %sum = f32[4] reduce(%x, %zero), dimensions={0}, to_apply=%add   =>
//
//   %x = f32[8,4] parameter(0)
//   %size = s32[] parameter(1), frontend_attributes={sinter_extent="0..8 in 0:0"}
//   %there = pred[8,4] compare(iota, broadcast(%size)), direction=LT
//   %sum = f32[4] reduce(select(%there, %x, broadcast(%zero)), %zero), dimensions={0}, to_apply=%add
//
// What is beyond a size is masked where an operation mixes elements along its dimension, and nowhere else: elsewhere it
// gives elements beyond the size again, whatever these are.
#include "passes/graph/sizes/bound_dimensions.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "ir/verify/verify.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/shapes/extents.h"
#include "passes/analysis/values/tuple_leaves.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/expand/lift_constants.h"
#include "passes/graph/sizes/size_flow.h"
#include "passes/graph/sizes/warn_of_counts.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// Dimensions that the text bounds, while shapes do not say it: "0,2".
constexpr const char* kBoundedAttribute = "sinter_bounded";

// What has no operand that it could take a size from, but for the entry's parameters.
bool takes_size_of_nothing(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kBroadcast:
    case Opcode::kIota:
    case Opcode::kConstant:
    case Opcode::kRng:
      return true;
    default:
      return false;
  }
}

void make_static(Shape* shape) {
  shape->dynamic.clear();
  for (Shape& element : shape->elements) make_static(&element);
}

bool has_bounded(const Shape& shape) {
  return std::any_of(shape.dynamic.begin(), shape.dynamic.end(), [](bool dynamic) { return dynamic; }) ||
         std::any_of(shape.elements.begin(), shape.elements.end(), has_bounded);
}

class Binding {
 public:
  Binding(Module& module, Diagnostics& diagnostics) : module_(module), diagnostics_(diagnostics) {}

  bool run() {
    if (!take_bounds()) return false;
    // What follows is about few forms of operations, and about computations with one caller.
    const GraphPassOptions options;
    for (const auto pass : {normalize_layouts, expand_scan, inline_calls, expand_dots, flatten_tuples})
      pass(module_, options);
    SizeFlow::Bounded bounded = read_bounds();
    SizeFlow flow(module_, bounded, diagnostics_);
    if (!flow.run()) return false;
    flow_ = &flow;
    for (int size = 0; size < flow.count(); ++size) {
      if (flow.size(size).value != nullptr) values_[size] = flow.size(size).value;
    }
    if (!say_extents()) return false;
    warn_of_counts(flow, diagnostics_);
    apply_masks();
    replace_sizes();
    return give_sizes();
  }

 private:
  // Shapes become static, as the verifier knows them; what the text said of parameters stays said by them.
  bool take_bounds() {
    const Computation& entry = *module_.entry();
    for (const auto& computation : module_.computations()) {
      for (const Instruction& instruction : computation->instructions()) {
        if (makes_size(instruction)) return refuse_size(instruction);
      }
    }
    for (const auto& computation : module_.computations()) {
      for (Instruction& instruction : computation->instructions()) {
        drop_marks(&instruction);
        const bool is_input = instruction.opcode == Opcode::kParameter && computation.get() == &entry;
        if (is_input && !may_be_bounded(instruction)) return false;
        if (is_input || takes_size_of_nothing(instruction)) note_bounds(&instruction);
        make_static(&instruction.shape);
        if (instruction.opcode == Opcode::kConstant && !instruction.literal.is_elided())
          instruction.literal = instruction.literal.with_shape(instruction.shape);
      }
    }
    for (Shape& shape : module_.entry_parameter_layouts) make_static(&shape);
    if (module_.entry_result_layout) make_static(&*module_.entry_result_layout);
    return verify(module_, diagnostics_);
  }

  // Something else than set-dimension-size gives its result a size.
  static bool makes_size(const Instruction& instruction) {
    const bool may = instruction.opcode == Opcode::kDynamicReshape || instruction.opcode == Opcode::kCustomCall ||
                     opcode_family(instruction.opcode) == Family::kDevice;
    const auto is_static = [](const Instruction* operand) { return !has_bounded(operand->shape); };
    return may && has_bounded(instruction.shape) &&
           std::all_of(instruction.operands().begin(), instruction.operands().end(), is_static);
  }

  bool refuse_size(const Instruction& instruction) {
    diagnostics_.error(instruction.loc, "E0301",
                       std::string(opcode_name(instruction.opcode)) + ": a result of a size of its own is not compiled",
                       "set-dimension-size(..., n) gives an array a size");
    return false;
  }

  bool may_be_bounded(const Instruction& parameter) {
    if (!has_bounded(parameter.shape)) return true;
    std::string what;
    if (!parameter.shape.is_array()) what = "in a tuple";
    if (parameter.shape.is_array() && !is_row_major(parameter.shape)) what = "of an array that is not row-major";
    for (size_t d = 0; d < parameter.shape.dynamic.size(); ++d) {
      const int64_t bound = parameter.shape.dims[d];
      if (parameter.shape.dynamic[d] && (bound < 1 || bound > INT32_MAX))
        what = "of up to " + std::to_string(bound) + " elements";
    }
    if (what.empty()) return true;
    diagnostics_.error(parameter.loc, "E0301", "parameter: a bounded dimension " + what + " is not compiled",
                       "an array of its own, row-major, of 1 to 2147483647 elements in each dimension");
    return false;
  }

  // Marks in the text are none of ours, but for sizes that are parameters already.
  static void drop_marks(Instruction* instruction) {
    const auto drop = [&](const char* mark) {
      if (instruction->annotations->frontend_attributes.contains(mark))
        instruction->annotations.edit().frontend_attributes.erase(mark);
    };
    drop(kBoundedAttribute);
    if (instruction->opcode != Opcode::kParameter) drop(kExtentAttribute);
  }

  static void note_bounds(Instruction* instruction) {
    std::string list;
    for (size_t d = 0; d < instruction->shape.dynamic.size(); ++d) {
      if (instruction->shape.dynamic[d]) list += (list.empty() ? "" : ",") + std::to_string(d);
    }
    if (!list.empty()) instruction->annotations.edit().frontend_attributes[kBoundedAttribute] = list;
  }

  SizeFlow::Bounded read_bounds() {
    SizeFlow::Bounded bounded;
    for (const auto& computation : module_.computations()) {
      for (Instruction& instruction : computation->instructions()) {
        const auto& attributes = instruction.annotations->frontend_attributes;
        const auto note = attributes.find(kBoundedAttribute);
        if (note == attributes.end()) continue;
        std::istringstream numbers(note->second);
        for (std::string number; std::getline(numbers, number, ',');)
          bounded[&instruction].push_back(std::stoll(number));
        instruction.annotations.edit().frontend_attributes.erase(kBoundedAttribute);
      }
    }
    return bounded;
  }

  // The number of a size, in a computation: a constant that lift_constants makes a parameter.
  Value number_in(Computation& computation, int size) {
    Value& number = numbers_[{&computation, size}];
    if (number == nullptr) {
      number = computation.add_constant(integer_literal(DType::kS32, 0), &computation.instructions().front());
      number->annotations.edit().frontend_attributes[kExtentAttribute] = name_of(size);
    }
    return number;
  }

  static std::string name_of(int size) { return "size." + std::to_string(size); }

  // The number of elements in a dimension of this size.
  Value count_in(GraphBuilder& write, Computation& computation, int64_t dimension, int size) {
    const Value number = number_in(computation, size);
    const int64_t times = dimension / flow_->size(size).bound;
    if (times == 1) return number;
    const Value factor = write.integer(DType::kS32, times);
    return write.multiply({number, factor});
  }

  // Elements that are there, of an array of this shape.
  Value there(GraphBuilder& write, Computation& computation, const Shape& shape,
              const std::vector<SizeFlow::Dimension>& dimensions) {
    Value all = nullptr;
    for (const SizeFlow::Dimension& dimension : dimensions) {
      const int64_t length = shape.dims[static_cast<size_t>(dimension.dimension)];
      const Value place = write.iota(DType::kS32, shape.dims, dimension.dimension);
      const Value count = write.splat(count_in(write, computation, length, dimension.size), shape.dims);
      const Value is_there = write.compare({place, count}, "LT");
      all = all == nullptr ? is_there : write.make(Opcode::kAnd, {all, is_there});
    }
    return all;
  }

  void apply_masks() {
    for (const SizeFlow::Mask& mask : flow_->masks()) {
      Instruction& user = *mask.user;
      Instruction* operand = user.operand(mask.operand);
      GraphBuilder write(user);
      if (mask.neutral == SizeFlow::Mask::Neutral::kLastPlace) {
        user.set_operand(mask.operand, at_most_last(write, user, *operand, mask));
        continue;
      }
      const Shape shape = operand->shape;
      const Value is_there = there(write, *user.parent(), shape, mask.dimensions);
      const Value neutral = write.splat(neutral_value(write, mask, shape.dtype), shape.dims);
      user.set_operand(mask.operand, write.select({is_there, operand, neutral}));
      if (mask.neutral == SizeFlow::Mask::Neutral::kNowhere) {
        user.attributes.edit().indices_are_sorted.reset();
        user.attributes.edit().unique_indices.reset();
      }
    }
  }

  // Of n places that are there the last; the first, where there are none.
  Value at_most_last(GraphBuilder& write, Instruction& user, Instruction& index, const SizeFlow::Mask& mask) {
    const auto [dimension, size] = mask.dimensions[0];
    const int64_t length = user.operand(0)->shape.dims[static_cast<size_t>(dimension)];
    const Value count = count_in(write, *user.parent(), length, size);
    const Value one = write.integer(DType::kS32, 1);
    const Value last = write.subtract({write.make(Opcode::kMaximum, {count, one}), one});
    return write.make(Opcode::kMinimum, {&index, write.convert(last, index.shape.dtype)});
  }

  Value neutral_value(GraphBuilder& write, const SizeFlow::Mask& mask, DType dtype) {
    Instruction& user = *mask.user;
    if (mask.neutral == SizeFlow::Mask::Neutral::kZero) return write.constant(Literal(Shape::scalar(dtype)));
    if (mask.neutral == SizeFlow::Mask::Neutral::kNowhere)
      return write.constant(integer_literal(dtype, is_unsigned(dtype) ? integer_max(dtype) : -1));
    Instruction* initial = user.operand(user.operands().size() / 2 + mask.operand);
    // What windows are padded with is what they begin with.
    if (user.opcode != Opcode::kReduce || user.operands().size() != 2) return initial;
    const std::optional<Opcode> combiner = simple_combiner(**user.attributes->to_apply);
    // Some floats of a byte have no zero, or no infinity.
    if (!combiner || (is_float(dtype) && dtype_bits(dtype) <= 8)) return initial;
    const std::optional<Literal> neutral = part_beginning(*combiner, dtype, *initial);
    const bool begins_so = neutral && initial->opcode == Opcode::kConstant &&
                           std::ranges::equal(initial->literal.bytes(), neutral->bytes());
    return !neutral || begins_so ? initial : write.constant(*neutral);
  }

  static bool is_unsigned(DType dtype) { return integer_min(dtype) == 0; }

  void replace_sizes() {
    for (Instruction* asked : instructions_of(module_, Opcode::kGetDimensionSize)) {
      const int64_t d = asked->attributes->dimensions->at(0);
      const int64_t length = asked->operand(0)->shape.dims[static_cast<size_t>(d)];
      const int size = flow_->at(*asked->operand(0), d);
      GraphBuilder write(*asked);
      const Value value =
          size == Sizes::kStatic ? write.integer(DType::kS32, length) : count_in(write, *asked->parent(), length, size);
      replace(asked, value);
    }
    // In the order of the text: one may be of another.
    for (Instruction* set : instructions_of(module_, Opcode::kSetDimensionSize)) replace(set, set->operand(0));
  }

  void replace(Instruction* old, Value value) {
    old->replace_all_uses_with(value);
    for (auto& [size, of_size] : values_) {
      if (of_size == old) of_size = value;
    }
    old->parent()->remove(old);
  }

  // Which arrays of the interface have which size. False if a result has one that the run does not give.
  bool say_extents() {
    const auto add = [&](std::vector<Extent::Dimension> Extent::* list, const Instruction& value, int64_t array) {
      for (int64_t d = 0; d < value.shape.rank(); ++d) {
        const int size = flow_->at(value, d);
        if (size == Sizes::kStatic) continue;
        if (flow_->size(size).value != nullptr) return size;
        Extent& extent = extents_[size];
        extent.bound = flow_->size(size).bound;
        (extent.*list).push_back({array, d, value.shape.dims[static_cast<size_t>(d)] / extent.bound});
      }
      return Sizes::kStatic;
    };
    for (const Instruction* parameter : module_.entry()->parameters())
      add(&Extent::inputs, *parameter, parameter->parameter_number);
    // Each is put before those that are there.
    for (auto extent = extents_.rbegin(); extent != extents_.rend(); ++extent)
      number_in(*module_.entry(), extent->first);
    const Instruction& root = *module_.entry()->root();
    const std::vector<Instruction*> results =
        root.opcode == Opcode::kTuple ? root.operands() : std::vector<Instruction*>{module_.entry()->root()};
    for (size_t i = 0; i < results.size(); ++i) {
      if (!results[i]->shape.is_array()) continue;
      const int size = add(&Extent::results, *results[i], static_cast<int64_t>(i));
      if (size == Sizes::kStatic) continue;
      diagnostics_.error(results[i]->loc, "E0301",
                         std::string(opcode_name(results[i]->opcode)) + ": result " + std::to_string(i) +
                             " has the size that set-dimension-size gives (" + flow_->size(size).text +
                             "), which nobody knows before the run",
                         "give the array whole, select(...) with something in place of what is not there, and the size "
                         "as a result of its own");
      return false;
    }
    return true;
  }

  // Numbers that the run gives are parameters of the entry, one for each size; the others are values of it.
  bool give_sizes() {
    std::map<std::string, int> sizes;  // by the names of their numbers
    std::map<int, Value> counts;       // of those that are values
    for (const auto& [place, number] : numbers_) sizes.emplace(name_of(place.second), place.second);
    for (const auto& [name, size] : sizes) {
      if (values_.contains(size)) counts[size] = clamped_value(size);
    }
    lift_constants(module_, kExtentAttribute);
    if (!all_are_lifted()) return false;
    for (Instruction* parameter : module_.entry()->parameters()) {
      const auto& attributes = parameter->annotations->frontend_attributes;
      const auto mark = attributes.find(kExtentAttribute);
      const auto size = mark == attributes.end() ? sizes.end() : sizes.find(mark->second);
      if (size == sizes.end()) continue;
      if (const auto count = counts.find(size->second); count != counts.end()) {
        parameter->replace_all_uses_with(count->second);
        remove_parameter(parameter);
      } else {
        parameter->name = module_.unique_instruction_name("size");
        mark_extent(parameter, extents_.at(size->second));
      }
    }
    module_.sort_computations();
    const Source nowhere;
    Diagnostics wrong(nowhere);
    if (!verify(module_, wrong)) throw InternalError("bound_dimensions", wrong.all().front().message);
    return true;
  }

  // The value of set-dimension-size, within bounds, behind what makes it.
  Value clamped_value(int size) {
    const Value value = values_.at(size);
    std::list<Instruction>& list = module_.entry()->instructions();
    const auto place = std::find_if(list.begin(), list.end(), [&](const Instruction& one) { return &one == value; });
    GraphBuilder write(*std::next(place));
    const Value none = write.integer(DType::kS32, 0), most = write.integer(DType::kS32, flow_->size(size).bound);
    return write.make(Opcode::kClamp, {none, value, most});
  }

  void remove_parameter(Instruction* parameter) {
    Computation& entry = *module_.entry();
    if (!module_.entry_parameter_layouts.empty())
      module_.entry_parameter_layouts.erase(module_.entry_parameter_layouts.begin() + parameter->parameter_number);
    entry.remove(parameter);
    int64_t number = 0;
    for (Instruction* left : entry.parameters()) left->parameter_number = number++;
  }

  bool all_are_lifted() {
    for (const auto& computation : module_.computations()) {
      for (const Instruction& instruction : computation->instructions()) {
        if (instruction.opcode != Opcode::kConstant) continue;
        if (!instruction.annotations->frontend_attributes.contains(kExtentAttribute)) continue;
        diagnostics_.error(computation->root()->loc, "E0301",
                           "computation " + computation->name +
                               ": it needs a size that is known when the program runs, and its callers cannot hand it "
                               "on",
                           "a loop whose state is a tuple, taken apart by get-tuple-element, can");
        return false;
      }
    }
    return true;
  }

  Module& module_;
  Diagnostics& diagnostics_;
  const SizeFlow* flow_ = nullptr;
  std::map<int, Extent> extents_;  // of sizes that the run gives
  std::map<int, Value> values_;    // of the others
  std::map<std::pair<Computation*, int>, Value> numbers_;
};

}  // namespace

bool has_bounded_dimensions(const Module& module) {
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      if (has_bounded(instruction.shape)) return true;
    }
  }
  return false;
}

bool bound_dimensions(Module& module, Diagnostics& diagnostics) { return Binding(module, diagnostics).run(); }

bool bound_dimensions(Module& module, const GraphPassOptions&) {
  if (!has_bounded_dimensions(module)) return false;
  const std::unique_ptr<Module> bound = module.clone();
  const Source nowhere;
  Diagnostics refusals(nowhere);
  if (!bound_dimensions(*bound, refusals)) return false;
  module = std::move(*bound);
  return true;
}

}  // namespace sinter
