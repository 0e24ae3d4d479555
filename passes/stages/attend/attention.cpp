#include "passes/stages/attend/attention.h"

#include <algorithm>
#include <cmath>

#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/functions/work_of_elements.h"
#include "passes/stages/attend/row_source.h"

namespace sinter {

namespace {

constexpr size_t kMostInstructions = 96;  // of one kernel's attention

// Between floats that softmax may be computed in: what smaller ones leave out of a weight counts.
bool is_float_convert(const Instruction& value) {
  const auto counts = [](DType dtype) { return is_float(dtype) && dtype_bits(dtype) >= 16; };
  return value.opcode == Opcode::kConvert && counts(value.shape.dtype) && counts(value.operand(0)->shape.dtype);
}

const Instruction* without_views(const Instruction* value) {
  while (is_view(*value) || is_float_convert(*value)) value = value->operand(0);
  return value;
}

// The same number in every element.
bool is_splat(const Instruction& value) { return is_number(*without_views(&value)); }

// Which reduction over one array, from that number.
bool reduces_by(const Instruction& value, Opcode combiner, double initial) {
  if (value.opcode != Opcode::kReduce || value.operands().size() != 2) return false;
  const Instruction& start = *value.operand(1);
  return start.opcode == Opcode::kConstant && start.shape.is_scalar() && is_float(start.shape.dtype) &&
         start.literal.real_at(0) == initial && simple_combiner(**value.attributes->to_apply) == combiner;
}

// The dots that a score is made of, element by element; empty: none, or what they are made of has no end.
std::vector<const Instruction*> products_of(const Instruction* score) {
  std::set<const Instruction*> seen;
  std::vector<const Instruction*> waiting = {score}, found;
  while (!waiting.empty()) {
    const Instruction* value = waiting.back();
    waiting.pop_back();
    if (!seen.insert(value).second) continue;
    if (seen.size() > kMostInstructions) return {};
    if (value->opcode == Opcode::kDot) {
      found.push_back(value);
    } else if (is_view(*value) || is_elementwise(*value)) {
      waiting.insert(waiting.end(), value->operands().begin(), value->operands().end());
    }
  }
  return found;
}

class Collector {
 public:
  Collector(const Attention& attention, std::optional<size_t> computed, bool rows)
      : attention_(attention), computed_(computed), rows_(rows) {}

  std::set<const Instruction*> run() {
    const Attention& a = attention_;
    add_chain(a.results->operand(a.weights_side), a.weights);
    add_chain(a.weights->operand(0), a.exponential);
    add_chain(a.weights->operand(1), a.total);
    if (a.sink_exponential != nullptr) add_sink();
    add_chain(a.exponential->operand(0), a.shifted);
    add_chain(a.shifted->operand(0), a.score);
    add_chain(a.shifted->operand(1), a.base);
    add_chain(a.sum->operand(0), a.exponential);
    add_chain(a.largest->operand(0), a.score);
    add_score(a.score);
    for (const Instruction* reduction : {a.sum, a.largest}) found_.insert(reduction->operand(1));
    for (const Instruction* own :
         {a.results, a.weights, a.exponential, a.shifted, a.sum, a.largest, a.base, a.total, a.products})
      found_.insert(own);
    for (const size_t side : {0, 1}) {
      const Instruction* operand = a.products->operand(side);
      if (rows_ && side != computed_) {
        add_rows(operand);
      } else {
        add_views(operand, side == computed_);
      }
    }
    const Instruction* values = a.results->operand(1 - a.weights_side);
    if (rows_) {
      add_rows(values);
    } else {
      add_views(values, false);
    }
    if (found_.size() > kMostInstructions || !is_private()) return {};
    return std::move(found_);
  }

 private:
  // Views and conversions from `value` down to `end`.
  void add_chain(const Instruction* value, const Instruction* end) {
    for (; value != end; value = value->operand(0)) found_.insert(value);
  }

  // The sink, what it weighs, and on the way to both the largest score and the sum.
  void add_sink() {
    const Attention& a = attention_;
    const auto of = [](const Instruction* value) { return without_views(value); };
    for (const Instruction* operand : a.total->operands())
      add_chain(operand, of(operand) == a.sum ? a.sum : a.sink_exponential);
    found_.insert({a.sink_exponential, a.sink_shifted});
    add_chain(a.sink_exponential->operand(0), a.sink_shifted);
    add_chain(a.sink_shifted->operand(1), a.base);
    add_score(a.sink_shifted->operand(0));
    if (a.base == a.largest) return;
    for (const Instruction* operand : a.base->operands()) {
      if (of(operand) == a.largest) {
        add_chain(operand, a.largest);
      } else {
        add_score(operand);
      }
    }
  }

  void add_score(const Instruction* value) {
    if (value == attention_.products || found_.size() > kMostInstructions) return;
    if (!is_source(*value) && !is_view(*value) && !is_elementwise(*value)) return;
    if (found_.count(value) > 0 || is_stored(*value)) return;
    found_.insert(value);
    for (const Instruction* operand : value->operands()) add_score(operand);
  }

  // What is made of another product, of a bias say, by the kernel of that: an order that scores are read in, and what
  // would be made again for each element of the batch. Conversions alone are made where they are read.
  bool is_stored(const Instruction& value) const {
    if (!is_of_other_product(value)) return false;
    if (is_view(value)) return value.opcode == Opcode::kTranspose;
    return !is_float_convert(value) && value.shape.element_count() < attention_.products->shape.element_count();
  }
  bool is_of_other_product(const Instruction& value) const {
    for (const Instruction* dot : products_of(&value)) {
      if (dot == attention_.products) return false;
    }
    return !products_of(&value).empty();
  }

  // Where an operand's elements are; if it may be computed, also a scale on the way, and the conversion of what is in
  // memory anyway.
  void add_views(const Instruction* value, bool computed) {
    const bool converts = computed && without_views(value)->opcode == Opcode::kParameter;
    for (;;) {
      const bool scales = computed && is_elementwise(*value) && value->operands().size() == 2 &&
                          (is_splat(*value->operand(0)) || is_splat(*value->operand(1)));
      if (is_view(*value) || (converts && is_float_convert(*value))) {
        found_.insert(value);
        value = value->operand(0);
      } else if (scales) {
        found_.insert(value);
        const size_t splat = is_splat(*value->operand(0)) ? 0 : 1;
        add_score(value->operand(splat));
        value = value->operand(1 - splat);
      } else {
        return;
      }
    }
  }

  // Keys or values: the way to the rows that are in memory anyway, where there is one.
  void add_rows(const Instruction* value) {
    std::set<const Instruction*> way = way_to_rows(value);
    if (way.empty()) {
      add_views(value, false);
    } else {
      found_.merge(way);
    }
  }

  // Whether nobody else reads what depends on the products.
  bool is_private() const {
    std::set<const Instruction*> dependent = {attention_.products};
    std::vector<const Instruction*> waiting = {attention_.products};
    while (!waiting.empty()) {
      const Instruction* value = waiting.back();
      waiting.pop_back();
      if (value == attention_.results) {
        if (!value->control_predecessors.empty()) return false;
        continue;
      }
      if (value->parent()->root() == value || !value->control_predecessors.empty()) return false;
      for (const Instruction* user : value->users()) {
        if (found_.count(user) == 0) return false;
        if (dependent.insert(user).second) waiting.push_back(user);
      }
    }
    return dependent.count(attention_.results) > 0;
  }

  const Attention& attention_;
  const std::optional<size_t> computed_;
  const bool rows_;
  std::set<const Instruction*> found_;
};

bool is_product(const Instruction& dot) { return dot.shape.is_static() && dot.operands().size() == 2; }

// The operand that is, but for views, such a value, and the other one.
template <class IsSuch>
std::optional<std::pair<const Instruction*, const Instruction*>> operands_of(const Instruction& value,
                                                                             const IsSuch& is_such) {
  for (const size_t side : {0, 1}) {
    const Instruction* own = without_views(value.operand(side));
    if (is_such(*own)) return std::pair(own, value.operand(1 - side));
  }
  return std::nullopt;
}

bool is_sum(const Instruction& value) { return reduces_by(value, Opcode::kAdd, 0); }
bool is_largest(const Instruction& value) { return reduces_by(value, Opcode::kMaximum, -INFINITY); }

// What weights are divided by: the sum, or with a sink the sum and exponential(sink - base).
bool find_total(Attention* a) {
  a->total = a->sum = without_views(a->weights->operand(1));
  if (a->total->opcode != Opcode::kAdd) return is_sum(*a->sum);
  const auto operands = operands_of(*a->total, is_sum);
  if (!operands) return false;
  a->sum = operands->first;
  a->sink_exponential = without_views(operands->second);
  if (a->sink_exponential->opcode != Opcode::kExponential) return false;
  a->sink_shifted = without_views(a->sink_exponential->operand(0));
  return a->sink_shifted->opcode == Opcode::kSubtract;
}

// What scores are shifted by: the largest, or the maximum of it and the sink.
bool find_base(Attention* a) {
  a->base = a->largest = without_views(a->shifted->operand(1));
  if (a->base->opcode == Opcode::kMaximum && a->sink_shifted != nullptr) {
    const auto operands = operands_of(*a->base, is_largest);
    if (!operands || without_views(operands->second) != without_views(a->sink_shifted->operand(0))) return false;
    a->largest = operands->first;
  }
  return is_largest(*a->largest) &&
         (a->sink_shifted == nullptr || without_views(a->sink_shifted->operand(1)) == a->base);
}

}  // namespace

std::vector<Attention> find_attention(const Instruction& results) {
  if (results.opcode != Opcode::kDot || !is_product(results)) return {};
  for (const size_t side : {0, 1}) {
    Attention a = {.results = &results, .weights_side = side};
    a.weights = without_views(results.operand(side));
    if (a.weights->opcode != Opcode::kDivide) continue;
    a.exponential = without_views(a.weights->operand(0));
    if (a.exponential->opcode != Opcode::kExponential || !find_total(&a)) continue;
    if (without_views(a.sum->operand(0)) != a.exponential) continue;
    a.shifted = without_views(a.exponential->operand(0));
    if (a.shifted->opcode != Opcode::kSubtract) continue;
    a.score = without_views(a.shifted->operand(0));
    if (!find_base(&a)) continue;
    if (without_views(a.largest->operand(0)) != a.score) continue;
    std::vector<Attention> found;
    for (const Instruction* products : products_of(a.score)) {
      a.products = products;
      if (is_product(*products)) found.push_back(a);
    }
    if (!found.empty()) return found;
  }
  return {};
}

std::set<const Instruction*> parts_of(const Attention& attention, std::optional<size_t> computed, bool rows) {
  return Collector(attention, computed, rows).run();
}

}  // namespace sinter
