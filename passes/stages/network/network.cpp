#include "passes/stages/network/network.h"

#include <algorithm>

#include "ir/module/device_functions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "passes/analysis/functions/work_of_elements.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/stages/products/statistic.h"

namespace sinter {

namespace {

constexpr size_t kMostOfLayer = 64;  // instructions that make an activation of a product

// A product of rows of the first operand with one matrix.
bool is_layer(const Instruction& value) {
  if (value.opcode != Opcode::kDot || value.operands().size() != 2 || !value.shape.is_static()) return false;
  const OperandDims rows = operand_dims(value, 0), weights = operand_dims(value, 1);
  const Shape &x = value.operand(0)->shape, &w = value.operand(1)->shape;
  return rows.batch.empty() && w.rank() == 2 && weights.contracting.size() == 1 &&
         rows.contracting == std::vector<int64_t>{x.rank() - 1} && value.shape.element_count() > 0 &&
         x.element_count() > 0 && value.control_predecessors.empty();
}

// Whether a value is a matrix with its dimensions exchanged.
bool is_turned(const Instruction& value) {
  return value.opcode == Opcode::kTranspose && *value.attributes->dimensions == std::vector<int64_t>{1, 0};
}

int64_t rows_of(const Instruction& value) {
  return value.shape.dims.empty() ? 1 : value.shape.element_count() / value.shape.dims.back();
}

// A reduction along rows.
bool is_row_reduction(const Instruction& value) {
  if (value.opcode != Opcode::kReduce || !value.shape.is_static()) return false;
  const std::vector<int64_t>& dims = *value.attributes->dimensions;
  return dims.size() == 1 && dims[0] == value.operand(0)->shape.rank() - 1 && value.control_predecessors.empty() &&
         may_be_statistic(value) && !is_of_parts(value);
}

// What may stand between layers.
bool is_between(const Instruction& value) { return is_view(value) || is_elementwise(value) || is_row_reduction(value); }

// Values that a walk has come to, and those that it is to go on from.
using Seen = llvm::SmallPtrSet<const Instruction*, 32>;
using ToVisit = llvm::SmallVector<const Instruction*, kMostOfLayer>;

void add_operands(const Instruction& value, ToVisit* waiting) {
  waiting->append(value.operands().begin(), value.operands().end());
}

// From what a layer makes back to the product that it is made of.
class Link {
 public:
  // `next`: the product that multiplies it; nullptr: it is a result.
  Link(const Instruction& activation, const Instruction* next) : activation_(activation), next_(next) {}

  // nullptr: there is none.
  const Instruction* find() {
    const Instruction* found = nullptr;
    // Activations before that are added to (`x + f(x)`) are made of products too, of earlier ones: the last one counts.
    Seen seen;
    ToVisit waiting = {&activation_};
    while (!waiting.empty() && seen.size() <= 4 * kMostOfLayer) {
      const Instruction* value = waiting.pop_back_val();
      if (!seen.insert(value).second) continue;
      const bool is_of_rows = is_layer(*value) && (rows_of(*value) == rows_of(activation_) || is_of_each_row(*value));
      if (is_of_rows && !depends(found, value)) found = value;
      if (is_between(*value)) add_operands(*value, &waiting);
    }
    if (found == nullptr) return nullptr;
    product_ = found;
    before_ = found->operand(0);
    return add(&activation_) && values_.size() <= kMostOfLayer ? product_ : nullptr;
  }

  // What stands between the two products.
  const std::set<const Instruction*>& values() const { return values_; }

  // Whether nobody reads what is made of the product but this layer, and the next one at its own place.
  bool is_private(const std::set<const Instruction*>& of_next) const {
    const auto reads_here = [&](const Instruction* value) {
      const bool is_activation = value == &activation_;
      if (is_activation && next_ == nullptr) return true;
      if (!value->control_predecessors.empty() || value->parent()->root() == value) return false;
      return std::all_of(value->users().begin(), value->users().end(), [&](const Instruction* user) {
        return values_.count(user) > 0 || (is_activation && (user == next_ || of_next.count(user) > 0));
      });
    };
    return reads_here(product_) && std::all_of(made_.begin(), made_.end(), reads_here);
  }
  bool reads_before() const { return reads_before_; }
  // How many reductions of rows are part of it.
  size_t reductions() const {
    return static_cast<size_t>(
        std::ranges::count_if(made_, [](const Instruction* value) { return value->opcode == Opcode::kReduce; }));
  }

  // Whether the result has one element for each row of a product.
  bool is_of_each_row(const Instruction& product) const {
    const std::vector<int64_t>& dims = product.shape.dims;
    return next_ == nullptr && activation_.shape.dims == std::vector<int64_t>(dims.begin(), dims.end() - 1);
  }

 private:
  // Whether `value` is among what the product `found` multiplies.
  static bool depends(const Instruction* found, const Instruction* value) {
    Seen seen;
    ToVisit waiting;
    if (found != nullptr) waiting.push_back(found->operand(0));
    while (!waiting.empty() && seen.size() <= 4 * kMostOfLayer) {
      const Instruction* at = waiting.pop_back_val();
      if (at == value) return true;
      if (!seen.insert(at).second) continue;
      if (at->opcode == Opcode::kDot) {
        waiting.push_back(at->operand(0));
      } else if (is_between(*at)) {
        add_operands(*at, &waiting);
      }
    }
    return false;
  }

  // Whether it is made of the product. Adds what is, and what costs nothing beside it; all else comes from memory.
  bool add(const Instruction* value) {
    if (value == product_) return true;
    reads_before_ |= value == before_;
    if (value == before_ || values_.size() > kMostOfLayer) return false;
    if (const auto known = known_.find(value); known != known_.end()) return known->second;
    bool is_made = false;
    if (is_between(*value)) {
      for (const Instruction* operand : value->operands()) is_made |= add(operand);
    }
    known_[value] = is_made;
    if (is_made) made_.push_back(value);
    if (is_made || is_view(*value) || is_source(*value)) values_.insert(value);
    return is_made;
  }

  const Instruction& activation_;
  const Instruction* next_;
  bool reads_before_ = false;
  const Instruction* product_ = nullptr;
  const Instruction* before_ = nullptr;  // what it multiplies
  std::set<const Instruction*> values_;
  std::vector<const Instruction*> made_;
  llvm::DenseMap<const Instruction*, bool> known_;
};

// What the first layer multiplies is computed where it is loaded, once an element: all that the kernel alone reads.
void add_before(const Instruction& first, std::set<const Instruction*>* instructions) {
  constexpr size_t kMost = 128;
  std::set<const Instruction*> added;
  std::vector<const Instruction*> waiting = {first.operand(0)};
  while (!waiting.empty() && added.size() < kMost) {
    const Instruction* value = waiting.back();
    waiting.pop_back();
    const bool moves = is_view(*value) || value->opcode == Opcode::kConcatenate || value->opcode == Opcode::kPad;
    if (!is_source(*value) && !moves && !is_elementwise(*value)) continue;
    const bool is_private = std::all_of(value->users().begin(), value->users().end(),
                                        [&](const Instruction* user) { return instructions->count(user) > 0; });
    const bool costs = !is_source(*value) && !is_view(*value);
    if (costs && (!is_private || value->parent()->root() == value || !value->control_predecessors.empty())) continue;
    if (!instructions->insert(value).second) continue;
    added.insert(value);
    waiting.insert(waiting.end(), value->operands().begin(), value->operands().end());
  }
}

// Whether something reads it that no layer has, or nothing that can be told: a link that has it, and goes on behind it,
// is not private.
bool is_read_elsewhere(const Instruction& value) {
  return !value.control_predecessors.empty() || value.parent()->root() == &value ||
         !std::ranges::all_of(value.users(), [](const Instruction* user) { return is_between(*user); });
}

}  // namespace

LayerWeights weights_of(const Instruction& product) {
  const Instruction& matrix = *product.operand(1);
  const bool turned = operand_dims(product, 1).contracting.front() == 1;
  if (is_turned(matrix)) return {matrix.operand(0), !turned};
  return {&matrix, turned};
}

std::vector<Instruction*> ends_of_network(Instruction& product) {
  if (!is_layer(product)) return {};
  // What is made of it, in the order of the text.
  const auto by_position = [](const Instruction* a, const Instruction* b) { return a->position() < b->position(); };
  std::set<Instruction*, decltype(by_position)> made = {&product};
  std::vector<Instruction*> ends = {&product};
  size_t most = 0;
  // Where one of them is read elsewhere all those behind it make no private link; nor does one beside which another
  // waits here, which comes behind it and is made of what this one is made of.
  bool is_open = false;
  for (auto at = made.begin(); at != made.end() && made.size() <= kMostOfLayer && !is_open; ++at) {
    const bool is_alone = std::next(at) == made.end();
    for (Instruction* user : (*at)->users()) {
      if (is_between(*user)) made.insert(user);
    }
    is_open = is_read_elsewhere(**at);
    if (*at == &product || is_view(**at) || !is_alone) continue;
    Link link(**at, nullptr);
    if ((*at)->shape.dims != product.shape.dims && !link.is_of_each_row(product)) continue;
    if (link.find() != &product || !link.is_private({})) continue;
    // The first that has them all: what follows it is computed where results are stored.
    const size_t has = link.reductions() + (link.reads_before() ? 1 : 0);
    if (has > most) ends.insert(ends.begin(), *at);
    most = std::max(most, has);
  }
  return ends;
}

std::optional<Network> find_network(const Instruction& last, size_t most) {
  Network network;
  network.result = &last;
  std::set<const Instruction*> of_next;
  const Instruction* next = nullptr;
  while (network.products.size() < most) {
    Link link(next == nullptr ? last : *next->operand(0), next);
    const Instruction* product = link.find();
    if (product == nullptr || !link.is_private(of_next)) break;
    network.products.insert(network.products.begin(), product);
    network.instructions.insert(link.values().begin(), link.values().end());
    network.instructions.insert(product);
    if (is_turned(*product->operand(1))) network.instructions.insert(product->operand(1));
    of_next = link.values();
    next = product;
  }
  if (network.products.size() < 2) return std::nullopt;
  add_before(*network.products.front(), &network.instructions);
  return network;
}

std::optional<Network> network_in(const Computation& computation) {
  std::optional<Network> network = find_network(*computation.root(), kMostLayers);
  if (!network) return std::nullopt;
  for (const Instruction& instruction : computation.instructions()) {
    if (instruction.opcode != Opcode::kParameter) network->instructions.insert(&instruction);
  }
  return network;
}

}  // namespace sinter
