#include "passes/graph/expand/associative_scan.h"

#include <algorithm>
#include <map>
#include <set>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/values/constants.h"

namespace sinter {
namespace {

// Shorter ones are best as they are written.
constexpr int64_t kShortest = 32;
// Operations of f, beyond which it is not looked at.
constexpr size_t kMostOperations = 256;

// Every `stride`-th element along one dimension, from `start` on, and all of the others.
struct Part {
  Instruction* array = nullptr;
  int64_t start = 0, stride = 1, count = 0;
};

// The two halves of pad(even, 0, interior 1) + pad(odd, 0, interior 1, one in front).
struct Interleaved {
  Instruction* even = nullptr;
  Instruction* odd = nullptr;
  size_t dimension = 0;
};

bool is_zero(const Instruction& value) {
  const std::optional<Literal> literal = splat_value(value);
  return literal && literal->same_value(Literal(literal->shape()));
}

// Where the elements of a pad with one zero between neighbours begin, and along which dimension they stand apart.
struct Apart {
  size_t dimension = 0;
  int64_t first = 0;
};
std::optional<Apart> elements_apart(const Instruction& pad) {
  if (pad.opcode != Opcode::kPad || !is_zero(*pad.operand(1))) return std::nullopt;
  std::optional<Apart> apart;
  const std::vector<PadBounds>& padding = *pad.attributes->padding;
  for (size_t d = 0; d < padding.size(); ++d) {
    if (padding[d] == PadBounds()) continue;
    if (apart || padding[d].interior != 1 || padding[d].high < 0) return std::nullopt;
    apart = Apart{d, padding[d].low};
  }
  return apart;
}

std::optional<Interleaved> interleaved(const Instruction& value) {
  if (!value.shape.is_array() || value.operands().size() != 2) return std::nullopt;
  const bool joins = value.shape.dtype == DType::kPred ? value.opcode == Opcode::kOr : value.opcode == Opcode::kAdd;
  if (!joins) return std::nullopt;
  Instruction *first = value.operand(0), *second = value.operand(1);
  std::optional<Apart> even = elements_apart(*first), odd = elements_apart(*second);
  if (!even || !odd || even->dimension != odd->dimension) return std::nullopt;
  if (even->first == 1) {
    std::swap(first, second);
    std::swap(even, odd);
  }
  const Interleaved result = {first->operand(0), second->operand(0), even->dimension};
  const int64_t length = value.shape.dims[result.dimension];
  const auto has = [&](const Instruction* half, int64_t count) { return half->shape.dims[result.dimension] == count; };
  if (even->first != 0 || odd->first != 1 || !has(result.even, (length + 1) / 2) || !has(result.odd, length / 2))
    return std::nullopt;
  return result;
}

std::optional<Part> part_of(Instruction* value, size_t dimension) {
  if (value->opcode != Opcode::kSlice) return std::nullopt;
  Instruction* array = value->operand(0);
  const std::vector<SliceBounds>& bounds = *value->attributes->slice;
  for (size_t d = 0; d < bounds.size(); ++d) {
    if (d != dimension && value->shape.dims[d] != array->shape.dims[d]) return std::nullopt;
  }
  return Part{array, bounds[dimension].start, bounds[dimension].stride, value->shape.dims[dimension]};
}

bool is_first_element(const Part& part) { return part.start == 0 && part.count == 1; }
// Of one element every stride is the same.
bool is_part(const Part& part, int64_t start, int64_t stride, int64_t count) {
  return part.start == start && part.count == count && (part.stride == stride || count == 1);
}

// Finds the scan of which one value is a result: its levels are f again and again, as level 0 has it.
class Finder {
 public:
  Finder(Instruction* root, const Interleaved& halves) : root_(root), dimension_(halves.dimension) {
    for (int64_t length = root->shape.dims[dimension_]; length > 0; length /= 2) lengths_.push_back(length);
    elements_.resize(lengths_.size());
    results_.resize(lengths_.size());
  }

  bool run() {
    arrays_.push_back(nullptr);
    if (!set_result(0, 0, root_)) return false;
    while (!open_.empty()) {
      std::vector<Open> now;
      std::swap(now, open_);
      for (const Open& open : now) {
        if (!check(open)) return false;
      }
      // Functions become known on the way; if none has, none will.
      if (open_.size() == now.size() && std::ranges::none_of(open_, [&](const Open& open) { return is_known(open); }))
        return false;
    }
    for (size_t array = 0; array < arrays_.size(); ++array) {
      if (root_of(array) == nullptr) return false;
    }
    return true;
  }

  AssociativeScan take() {
    AssociativeScan scan;
    scan.dimension = dimension_;
    scan.arrays = arrays_;
    scan.results.emplace_back(0, root_);
    scan.module = std::make_unique<Module>();
    scan.function = write_function(scan.module.get());
    return scan;
  }

  // What the levels below the first give.
  void add_inner_results(std::set<const Instruction*>* inner) const {
    for (size_t level = 1; level < results_.size(); ++level) {
      for (const auto& [array, result] : results_[level]) inner->insert(result);
    }
  }
  // What f makes of one pair of elements after the other, for each array: those of one scan are the same.
  std::vector<Instruction*> reduced() const {
    std::vector<Instruction*> values;
    for (size_t array = 0; array < arrays_.size(); ++array) values.push_back(root_of(array));
    return values;
  }

 private:
  // Still to be compared with f: elements of a level, which the level above makes, or its results.
  struct Open {
    size_t level = 0, array = 0;
    bool is_result = false;
  };
  struct Leaf {
    size_t array = 0;
    bool right = false;
  };

  // What f gives for an array: the array's elements at level 1.
  Instruction* root_of(size_t array) const {
    const auto found = elements_[1].find(array);
    return found == elements_[1].end() ? nullptr : found->second;
  }
  bool is_known(const Open& open) const { return root_of(open.array) != nullptr; }

  bool has_length(const Instruction* value, int64_t length) const {
    std::vector<int64_t> dims = root_->shape.dims;
    dims[dimension_] = length;
    return value->shape.is_array() && value->shape.dims == dims;
  }

  bool set_elements(size_t level, size_t array, Instruction* value) {
    const auto [found, fresh] = elements_[level].emplace(array, value);
    if (!fresh) return found->second == value;
    if (!has_length(value, lengths_[level])) return false;
    if (level == 0) {
      arrays_[array] = value;
      return true;
    }
    if (level == 1 && !find_leaves(value)) return false;
    if (level > 1) open_.push_back({level, array, false});
    return true;
  }

  bool set_result(size_t level, size_t array, Instruction* value) {
    const auto [found, fresh] = results_[level].emplace(array, value);
    if (!fresh) return found->second == value;
    if (!has_length(value, lengths_[level])) return false;
    if (lengths_[level] == 1) return set_elements(level, array, value);
    const std::optional<Interleaved> halves = interleaved(*value);
    if (!halves || halves->dimension != dimension_) return false;
    Instruction* first = halves->even;
    if (lengths_[level] > 2) {
      if (first->opcode != Opcode::kConcatenate || first->operands().size() != 2) return false;
      if (first->attributes->dimensions->front() != static_cast<int64_t>(dimension_)) return false;
      first = first->operand(0);
      open_.push_back({level, array, true});
    }
    const std::optional<Part> part = part_of(first, dimension_);
    return part && is_first_element(*part) && set_elements(level, array, part->array) &&
           set_result(level + 1, array, halves->odd);
  }

  // f, from one of its results at level 1 to the slices of arrays that it reads.
  bool find_leaves(Instruction* value) {
    if (!seen_.insert(value).second) return true;
    if (seen_.size() > kMostOperations) return false;
    if (const std::optional<Part> part = part_of(value, dimension_)) {
      if (part->start > 1 || !is_part(*part, part->start, 2, lengths_[1])) return false;
      const auto found = std::find(arrays_.begin(), arrays_.end(), part->array);
      const auto array = static_cast<size_t>(found - arrays_.begin());
      if (found == arrays_.end()) arrays_.push_back(part->array);
      leaves_[value] = {array, part->start == 1};
      return set_elements(0, array, part->array);
    }
    if (splat_value(*value)) return true;
    if (family_of(*value) != Family::kElementwise || value->opcode == Opcode::kCall || !has_length(value, lengths_[1]))
      return false;
    return std::ranges::all_of(value->operands(), [&](Instruction* operand) { return find_leaves(operand); });
  }

  bool check(const Open& open) {
    if (!is_known(open)) {
      open_.push_back(open);
      return true;
    }
    compared_.clear();
    if (!open.is_result) return is_same(root_of(open.array), elements_[open.level].at(open.array), open);
    return is_same(root_of(open.array), interleaved(*results_[open.level].at(open.array))->even->operand(1), open);
  }

  // Whether `value` is what `model` is at level 1, with the arrays of its own level in their places.
  bool is_same(Instruction* model, Instruction* value, const Open& open) {
    if (!compared_.insert({model, value}).second) return true;
    const auto leaf = leaves_.find(model);
    if (leaf != leaves_.end()) return is_leaf(leaf->second, value, open);
    if (const std::optional<Literal> constant = splat_value(*model)) {
      const std::optional<Literal> other = splat_value(*value);
      return other && other->same_value(*constant);
    }
    if (model->opcode != value->opcode || model->attributes != value->attributes ||
        model->shape.dtype != value->shape.dtype || model->operands().size() != value->operands().size())
      return false;
    const int64_t length = open.is_result ? (lengths_[open.level] - 1) / 2 : lengths_[open.level];
    if (!has_length(value, length)) return false;
    for (size_t i = 0; i < model->operands().size(); ++i) {
      if (!is_same(model->operand(i), value->operand(i), open)) return false;
    }
    return true;
  }

  bool is_leaf(const Leaf& leaf, Instruction* value, const Open& open) {
    const std::optional<Part> part = part_of(value, dimension_);
    if (!open.is_result) {
      return part && is_part(*part, leaf.right ? 1 : 0, 2, lengths_[open.level]) &&
             set_elements(open.level - 1, leaf.array, part->array);
    }
    const int64_t count = (lengths_[open.level] - 1) / 2;
    if (leaf.right) return part && is_part(*part, 2, 2, count) && set_elements(open.level, leaf.array, part->array);
    // All results of the next level, or all but the last.
    if (lengths_[open.level] % 2 == 1) return set_result(open.level + 1, leaf.array, value);
    return part && is_part(*part, 0, 1, count) && set_result(open.level + 1, leaf.array, part->array);
  }

  const Computation* write_function(Module* module) const {
    Computation* function = module->add_computation("combine");
    module->set_entry(function);
    std::vector<std::vector<Instruction*>> parameters(2);
    for (std::vector<Instruction*>& side : parameters) {
      for (const Instruction* array : arrays_) {
        side.push_back(function->add(Opcode::kParameter, Shape::scalar(array->shape.dtype), {}, "x"));
        side.back()->parameter_number = static_cast<int64_t>(function->instructions().size()) - 1;
      }
    }
    std::map<const Instruction*, Instruction*> copies;
    std::vector<Instruction*> roots;
    for (size_t array = 0; array < arrays_.size(); ++array)
      roots.push_back(copy(root_of(array), parameters, function, &copies));
    Shape shape;
    if (roots.size() == 1) {
      function->set_root(roots[0]);
      return function;
    }
    for (const Instruction* root : roots) shape.elements.push_back(root->shape);
    function->set_root(function->add(Opcode::kTuple, Shape::tuple(std::move(shape.elements)), roots));
    return function;
  }

  // The scalar that stands for a value of f.
  Instruction* copy(const Instruction* value, const std::vector<std::vector<Instruction*>>& parameters,
                    Computation* function, std::map<const Instruction*, Instruction*>* copies) const {
    const auto leaf = leaves_.find(value);
    if (leaf != leaves_.end()) return parameters[leaf->second.right ? 1 : 0][leaf->second.array];
    const auto made = copies->find(value);
    if (made != copies->end()) return made->second;
    Instruction* result = nullptr;
    if (const std::optional<Literal> constant = splat_value(*value)) {
      result = function->add_constant(*constant);
    } else {
      std::vector<Instruction*> operands;
      for (const Instruction* operand : value->operands())
        operands.push_back(copy(operand, parameters, function, copies));
      result = function->add_copy(*value, operands);
      result->shape = Shape::scalar(value->shape.dtype);
    }
    return (*copies)[value] = result;
  }

  Instruction* root_;
  size_t dimension_;
  std::vector<int64_t> lengths_;      // of each level: half of the one before, down to 1
  std::vector<Instruction*> arrays_;  // the first is that of which root_ is the result
  // By level and array, where they are needed: what is scanned there, and what comes of it.
  std::vector<std::map<size_t, Instruction*>> elements_, results_;
  std::map<const Instruction*, Leaf> leaves_;
  std::set<const Instruction*> seen_;  // of f
  std::set<std::pair<const Instruction*, const Instruction*>> compared_;
  std::vector<Open> open_;
};

// Whether all that the one scans, the other does, by the same function.
bool is_part_of(const std::vector<Instruction*>& arrays, const std::vector<Instruction*>& reduced,
                const std::vector<Instruction*>& all, const std::vector<Instruction*>& all_reduced) {
  for (size_t i = 0; i < arrays.size(); ++i) {
    const auto found = std::find(all.begin(), all.end(), arrays[i]);
    if (found == all.end() || all_reduced[static_cast<size_t>(found - all.begin())] != reduced[i]) return false;
  }
  return true;
}

}  // namespace

std::vector<AssociativeScan> associative_scans(const Computation& computation) {
  std::vector<AssociativeScan> scans;
  std::vector<std::vector<Instruction*>> reduced;  // of each
  std::set<const Instruction*> inner;
  const auto& instructions = computation.instructions();
  for (auto at = instructions.rbegin(); at != instructions.rend(); ++at) {
    auto* value = const_cast<Instruction*>(&*at);  // NOLINT: of an instruction list that callers may edit
    if (inner.count(value) > 0) continue;
    const std::optional<Interleaved> halves = interleaved(*value);
    if (!halves || value->shape.dims[halves->dimension] < kShortest) continue;
    Finder finder(value, *halves);
    if (!finder.run()) continue;
    finder.add_inner_results(&inner);
    AssociativeScan scan = finder.take();
    bool joined = false;
    for (size_t i = 0; i < scans.size() && !joined; ++i) {
      const bool fits = is_part_of(scan.arrays, finder.reduced(), scans[i].arrays, reduced[i]);
      const bool holds = is_part_of(scans[i].arrays, reduced[i], scan.arrays, finder.reduced());
      if (scans[i].dimension != scan.dimension || (!fits && !holds)) continue;
      joined = true;
      if (!fits) {
        std::swap(scan, scans[i]);
        reduced[i] = finder.reduced();
      }
      for (const auto& [array, result] : scan.results) {
        const auto place = std::find(scans[i].arrays.begin(), scans[i].arrays.end(), scan.arrays[array]);
        scans[i].results.emplace_back(static_cast<size_t>(place - scans[i].arrays.begin()), result);
      }
    }
    if (joined) continue;
    scans.push_back(std::move(scan));
    reduced.push_back(finder.reduced());
  }
  std::reverse(scans.begin(), scans.end());
  return scans;
}

}  // namespace sinter
