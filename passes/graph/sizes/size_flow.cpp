// The walk: computations in order, loops until their state stays, all again until sizes stay. Here is what sizes are,
// and how they go through control flow; what each operation does with them is in size_rules.cpp.
#include "passes/graph/sizes/size_flow.h"

#include <algorithm>

#include "passes/analysis/values/constants.h"

namespace sinter {

namespace {

Sizes fixed(const Shape& shape) {
  Sizes sizes;
  sizes.dims.assign(shape.is_array() ? shape.dims.size() : 0, Sizes::kStatic);
  for (const Shape& element : shape.elements) sizes.elements.push_back(fixed(element));
  return sizes;
}

}  // namespace

bool is_bounded(const Sizes& sizes) {
  return std::any_of(sizes.dims.begin(), sizes.dims.end(), [](int size) { return size != Sizes::kStatic; }) ||
         std::any_of(sizes.elements.begin(), sizes.elements.end(), is_bounded);
}

Sizes fixed_sizes(const Instruction& instruction) { return fixed(instruction.shape); }

int SizeFlow::add_size(Size size) {
  sizes_.push_back(std::move(size));
  same_as_.push_back(static_cast<int>(same_as_.size()));
  return same_as_.back();
}

int SizeFlow::find(int number) const {
  while (number != Sizes::kStatic && same_as_[static_cast<size_t>(number)] != number)
    number = same_as_[static_cast<size_t>(number)];
  return number;
}

Sizes SizeFlow::settled(Sizes sizes) const {
  for (int& size : sizes.dims) size = find(size);
  for (Sizes& element : sizes.elements) element = settled(std::move(element));
  return sizes;
}

int SizeFlow::at(const Instruction& value, int64_t dimension) const {
  const auto known = of_.find(&value);
  return known == of_.end() ? Sizes::kStatic : find(known->second.dims[static_cast<size_t>(dimension)]);
}

int SizeFlow::join(int a, int b, const Instruction& where) {
  a = find(a);
  b = find(b);
  if (a == b || b == Sizes::kStatic) return a;
  if (a == Sizes::kStatic) return b;
  if (size(a).is_open || size(b).is_open) return size(a).is_open ? b : a;
  if (size(a).bound != size(b).bound || size(a).value != nullptr || size(b).value != nullptr) {
    if (last_ && refused_.insert(&where).second) {
      diagnostics_.error(where.loc, "E0301",
                         std::string(opcode_name(where.opcode)) + ": the sizes of " + size(a).text + " and of " +
                             size(b).text + " meet in one dimension, and may differ",
                         "give both the same size: set-dimension-size(..., get-dimension-size(...))");
    }
    return a;
  }
  changed_ = true;
  same_as_[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
  return std::min(a, b);
}

Sizes SizeFlow::join(const Sizes& a, const Sizes& b, const Instruction& where) {
  Sizes both = a;
  for (size_t d = 0; d < both.dims.size() && d < b.dims.size(); ++d) both.dims[d] = join(a.dims[d], b.dims[d], where);
  for (size_t i = 0; i < both.elements.size() && i < b.elements.size(); ++i)
    both.elements[i] = join(a.elements[i], b.elements[i], where);
  return both;
}

Sizes SizeFlow::bounded_by_text(const Instruction& instruction, Sizes sizes) {
  const auto bounded = bounded_.find(&instruction);
  if (bounded == bounded_.end()) return sizes;
  for (const int64_t d : bounded->second) {
    int& size = sizes.dims[static_cast<size_t>(d)];
    if (size != Sizes::kStatic) continue;
    auto open = open_.find({&instruction, d});
    if (open == open_.end()) {
      Size made = {.bound = instruction.shape.dims[static_cast<size_t>(d)],
                   .value = nullptr,
                   .text = instruction.name + "[" + std::to_string(d) + "]",
                   .is_open = true};
      open = open_.emplace(std::pair(&instruction, d), add_size(std::move(made))).first;
    }
    size = open->second;
  }
  return sizes;
}

int SizeFlow::closed(int number, const Instruction& where) {
  number = find(number);
  if (number == Sizes::kStatic || !size(number).is_open) return number;
  std::vector<int> candidates;
  for (int i = 0; i < count(); ++i) {
    if (find(i) == i && !size(i).is_open && size(i).value == nullptr && size(i).bound == size(number).bound)
      candidates.push_back(i);
  }
  if (candidates.size() == 1) return candidates[0];
  if (last_ && refused_.insert(&where).second) {
    diagnostics_.error(where.loc, "E0301",
                       std::string(opcode_name(where.opcode)) + ": " + size(number).text +
                           " is <=" + std::to_string(size(number).bound) + ", and " +
                           (candidates.empty() ? "no parameter has" : "several parameters have") +
                           " a dimension of that bound",
                       "say whose size it is: set-dimension-size(..., get-dimension-size(x))");
  }
  return Sizes::kStatic;
}

bool SizeFlow::run() {
  std::vector<Sizes> arguments;
  for (const Instruction* parameter : module_.entry()->parameters()) {
    Sizes sizes = fixed_sizes(*parameter);
    if (const auto bounded = bounded_.find(parameter); bounded != bounded_.end()) {
      for (const int64_t d : bounded->second) {
        sizes.dims[static_cast<size_t>(d)] = add_size({.bound = parameter->shape.dims[static_cast<size_t>(d)],
                                                       .value = nullptr,
                                                       .text = parameter->name + "[" + std::to_string(d) + "]"});
      }
    }
    arguments.push_back(std::move(sizes));
  }
  do {
    changed_ = false;
    walk(*module_.entry(), arguments);
  } while (changed_);
  last_ = true;
  // Of results sizes matter.
  const Sizes result = walk(*module_.entry(), arguments);
  const Instruction& root = *module_.entry()->root();
  for (size_t i = 0; i < result.elements.size(); ++i) {
    if (root.opcode != Opcode::kTuple) break;
    Sizes& own = of_.at(root.operand(i));
    for (int& size : own.dims) size = closed(size, *root.operand(i));
  }
  for (int& size : of_.at(&root).dims) size = closed(size, root);
  return refused_.empty();
}

// Of the root.
Sizes SizeFlow::walk(Computation& computation, const std::vector<Sizes>& arguments) {
  for (Instruction& instruction : computation.instructions()) {
    Sizes sizes =
        settled(instruction.opcode == Opcode::kParameter ? arguments[static_cast<size_t>(instruction.parameter_number)]
                                                         : rule(instruction));
    const auto known = of_.find(&instruction);
    if (known == of_.end()) {
      of_.emplace(&instruction, std::move(sizes));
      changed_ = true;
      continue;
    }
    // What was bounded stays so: steps of a loop are walked again with what they gave.
    sizes = settled(join(known->second, sizes, instruction));
    if (sizes == known->second) continue;
    changed_ = true;
    known->second = std::move(sizes);
  }
  return of(*computation.root());
}

// A state is what the loop begins with and what its steps give.
Sizes SizeFlow::loop(Instruction& instruction) {
  Computation& body = **instruction.attributes->body;
  Sizes state = of(*instruction.operand(0));
  for (;;) {
    const Sizes next = settled(join(state, walk(body, {state}), instruction));
    if (next == settled(state)) break;
    state = next;
  }
  walk(**instruction.attributes->condition, {state});
  return state;
}

Sizes SizeFlow::control(Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kConstant:
      return bounded_by_text(instruction, fixed_sizes(instruction));
    case Opcode::kTuple: {
      Sizes sizes;
      for (const Instruction* operand : instruction.operands()) sizes.elements.push_back(of(*operand));
      return sizes;
    }
    case Opcode::kGetTupleElement:
      return of(*instruction.operand(0)).elements[static_cast<size_t>(*instruction.attributes->tuple_index)];
    case Opcode::kOptBarrier:
    case Opcode::kDomain:
    case Opcode::kAddDependency:
      return of(*instruction.operand(0));
    case Opcode::kWhile:
      return loop(instruction);
    case Opcode::kConditional: {
      Sizes sizes = fixed_sizes(instruction);
      const std::vector<Computation*> branches = instruction.called_computations();
      for (size_t i = 0; i < branches.size(); ++i)
        sizes = join(sizes, walk(*branches[i], {of(*instruction.operand(i + 1))}), instruction);
      return sizes;
    }
    case Opcode::kGetDimensionSize: {
      int& size = of_.at(instruction.operand(0)).dims[static_cast<size_t>(instruction.attributes->dimensions->at(0))];
      if (last_) size = closed(size, instruction);
      return fixed_sizes(instruction);
    }
    case Opcode::kAfterAll:
      return fixed_sizes(instruction);
    case Opcode::kSetDimensionSize:
      return set_size(instruction);
    case Opcode::kCall:
      return call(instruction);
    case Opcode::kCustomCall:
      return custom_call(instruction);
    default:
      return refuse_operands(instruction);
  }
}

Sizes SizeFlow::set_size(Instruction& instruction) {
  Sizes sizes = of(*instruction.operand(0));
  const auto dimension = static_cast<size_t>(instruction.attributes->dimensions->at(0));
  const int64_t bound = instruction.shape.dims[dimension];
  Instruction* value = instruction.operand(1);
  // As large as another dimension is.
  if (value->opcode == Opcode::kGetDimensionSize) {
    const int64_t of_other = value->attributes->dimensions->at(0);
    const int same = at(*value->operand(0), of_other);
    const bool full = value->operand(0)->shape.dims[static_cast<size_t>(of_other)] == bound;
    if (full) {
      sizes.dims[dimension] = same;
      return sizes;
    }
  }
  if (value->opcode == Opcode::kConstant && value->literal.element_count() == 1 &&
      splat_integer(*value).value_or(-1) == bound) {
    sizes.dims[dimension] = Sizes::kStatic;
    return sizes;
  }
  auto made = made_.find(&instruction);
  if (made == made_.end()) {
    made = made_.emplace(&instruction, add_size({.bound = bound, .value = value, .text = value->name})).first;
  }
  if (instruction.parent() != module_.entry()) {
    refuse(instruction, "gives", made->second,
           "a loop or branch gives no size of its own: give it before, in the entry, or select(...) what is there");
  }
  sizes.dims[dimension] = made->second;
  return sizes;
}

void SizeFlow::mask(Instruction& user, size_t operand, std::vector<Dimension> dimensions, Mask::Neutral neutral) {
  if (!last_) return;
  for (Dimension& dimension : dimensions) dimension.size = closed(dimension.size, user);
  std::erase_if(dimensions, [](const Dimension& dimension) { return dimension.size == Sizes::kStatic; });
  if (!dimensions.empty())
    masks_.push_back({.user = &user, .operand = operand, .dimensions = std::move(dimensions), .neutral = neutral});
}

void SizeFlow::refuse(const Instruction& instruction, const std::string& what, int number, const std::string& instead) {
  if (!last_ || !refused_.insert(&instruction).second) return;
  const Size& size = this->size(find(number));
  diagnostics_.error(instruction.loc, "E0301",
                     std::string(opcode_name(instruction.opcode)) + ": " + what +
                         " a dimension whose size is known when the program runs (" + size.text + ", up to " +
                         std::to_string(size.bound) + ")",
                     instead);
}

}  // namespace sinter
