#include "passes/stages/chain/find_chains.h"

#include <algorithm>
#include <optional>

#include "passes/analysis/functions/work_of_elements.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/stages/attend/attend_form.h"
#include "passes/stages/chain/chain_form.h"

namespace sinter {

namespace {

constexpr int64_t kMostPairFeatures = 128;
constexpr int64_t kLeastRows = 16, kLeastPairs = int64_t{1} << 12;
constexpr size_t kMostValues = 256;  // of a family
constexpr size_t kMostResults = 2;   // of a chain: more have no registers

// A product of few features with an element for each pair of many rows and many columns.
bool has_pairs(const Instruction& dot, bool pinned) {
  if (dot.opcode != Opcode::kDot || !dot.shape.is_static()) return false;
  const std::optional<TensorCoreForm::Product> kind = tensor_core_product(dot);
  if (!kind || !sums_in_f32(*kind)) return false;
  const OperandDims left = operand_dims(dot, 0), right = operand_dims(dot, 1);
  const int64_t rows = product(dot.operand(0)->shape, left.free), columns = product(dot.operand(1)->shape, right.free);
  const int64_t features = product(dot.operand(0)->shape, left.contracting);
  const bool many = rows >= kLeastRows && columns >= kLeastRows && dot.shape.element_count() >= kLeastPairs;
  return features > 0 && features <= kMostPairFeatures && (many || (pinned && dot.shape.element_count() > 0));
}

// Products, and all that is made of them element by element.
class PairFamily {
 public:
  explicit PairFamily(const ChainRules& rules) : rules(rules) {}

  // False where some of it has to be in memory.
  bool grow(const Instruction& dot) {
    pairs_ = dot.shape.element_count();
    add(&dot);
    while (!waiting_.empty()) {
      const Instruction* value = waiting_.back();
      waiting_.pop_back();
      if (value->parent()->root() == value || values_.size() > kMostValues) return false;
      for (const Instruction* user : value->users()) {
        if (!take_user(*user, value)) return false;
      }
    }
    products = in_text_order(std::move(products));
    results = in_text_order(std::move(results));
    return true;
  }

  bool has(const Instruction* value) const { return values_.count(value) > 0; }

  bool divides_by_sum(const Instruction& value) const {
    if (value.opcode != Opcode::kDivide) return false;
    return sums.count(&viewed(*value.operand(1))) > 0;
  }

  const ChainRules rules;
  std::vector<const Instruction*> products, results;
  std::set<const Instruction*> sums;  // of softmaxes

 private:
  void add(const Instruction* value) {
    if (!values_.insert(value).second) return;
    waiting_.push_back(value);
    if (value->opcode == Opcode::kDot) products.push_back(value);
  }

  bool take_user(const Instruction& user, const Instruction* value) {
    if (has(&user) || std::find(results.begin(), results.end(), &user) != results.end()) return true;
    if (!user.control_predecessors.empty()) return false;
    if (user.opcode == Opcode::kDot) {
      // Values are no pairs.
      if (user.operand(0) == user.operand(1)) return false;
      results.push_back(&user);
      return true;
    }
    if (row_reduction(user) && user.operand(0) == value) {
      results.push_back(&user);
      return true;
    }
    if (!is_of_elements(user) || user.shape.element_count() != pairs_) return false;
    add(&user);
    for (const Instruction* operand : user.operands()) add_products_of(operand);
    return true;
  }

  // What else a pair's value is made of may be other products of it.
  bool add_products_of(const Instruction* value) {
    if (has(value)) return true;
    if (value->shape.element_count() != pairs_) return false;
    if (has_pairs(*value, rules.pinned)) {
      add(value);
      return true;
    }
    if (value->opcode == Opcode::kDot || !is_of_elements(*value) || looked_at_.size() > kMostValues ||
        !looked_at_.insert(value).second)
      return false;
    bool found = false;
    for (const Instruction* operand : value->operands()) found |= add_products_of(operand);
    if (found) add(value);
    return found;
  }

  int64_t pairs_ = 0;
  std::set<const Instruction*> values_, looked_at_;
  std::vector<const Instruction*> waiting_;
};

bool reads(const Instruction& reader, const Instruction& value) {
  const size_t least = value.position();
  std::set<const Instruction*> seen;
  std::vector<const Instruction*> waiting = {&reader};
  while (!waiting.empty()) {
    const Instruction* next = waiting.back();
    waiting.pop_back();
    if (next == &value) return true;
    if (next->position() < least || !seen.insert(next).second) continue;
    waiting.insert(waiting.end(), next->operands().begin(), next->operands().end());
  }
  return false;
}

struct Timed {
  FoundChain found;
  ChainDemand demand;
  double us = 0;
};

std::optional<Timed> timed(const PairFamily& family, std::vector<const Instruction*> results) {
  Timed chain;
  chain.found.chain.results = std::move(results);
  for (const Instruction* dot : family.products) {
    const auto& of = chain.found.chain.results;
    const bool used = std::any_of(of.begin(), of.end(),
                                  [&](const Instruction* result) { return weights_side(*result, {dot}).has_value(); });
    if (used) chain.found.chain.products.push_back(dot);
  }
  chain.found.instructions = parts_of(chain.found.chain);
  if (chain.found.instructions.empty()) return std::nullopt;
  for (const Instruction* instruction : chain.found.instructions) {
    if (family.divides_by_sum(*instruction)) chain.found.by_sums.insert(instruction);
  }
  std::optional<ChainDemand> demand = demand_chain(chain.found.chain, *chain.found.chain.results[0]->parent(),
                                                   chain.found.instructions, chain.found.by_sums);
  if (!demand) return std::nullopt;
  const std::optional<ChainForm> form = chain_form(*demand, family.rules.by_warpgroups);
  if (!form) return std::nullopt;
  chain.us = chain_us(*demand, *form);
  chain.demand = std::move(*demand);
  return chain;
}

// The sum that makes a softmax with the largest of a row, if that sum is among the results.
std::optional<Timed> softmax_of(const PairFamily& family, const Instruction* largest) {
  if (row_reduction(*largest) != RowReduction::kMaximum) return std::nullopt;
  for (const Instruction* sum : family.results) {
    if (row_reduction(*sum) != RowReduction::kSum) continue;
    if (std::optional<Timed> both = timed(family, {largest, sum})) return both;
  }
  return std::nullopt;
}

// Chains of all results: two products of the same rows are one, if that is faster. nullopt: some result has none.
std::optional<std::vector<Timed>> chains_of(PairFamily& family) {
  std::vector<Timed> chains;
  std::set<const Instruction*> taken;
  for (const Instruction* result : family.results) {
    if (taken.count(result) > 0) continue;
    if (std::optional<Timed> softmax = softmax_of(family, result)) {
      taken.insert(softmax->found.chain.results[1]);
      family.sums.insert(softmax->found.chain.results[1]);
      chains.push_back(std::move(*softmax));
      continue;
    }
    std::optional<Timed> own = timed(family, {result});
    if (!own) return std::nullopt;
    bool joined = false;
    for (Timed& other : chains) {
      const std::vector<const Instruction*>& others = other.found.chain.results;
      if (own->demand.reduces() || other.demand.reduces() || others.size() >= kMostResults ||
          reads(*result, *others[0]))
        continue;
      std::optional<Timed> both = timed(family, {others[0], result});
      if (!both || both->us >= other.us + own->us) continue;
      other = std::move(*both);
      joined = true;
      break;
    }
    if (!joined) chains.push_back(std::move(*own));
  }
  return chains;
}

// Of kernels of their own: products write what a kernel of rows reads, which writes what products read.
double apart_us(const PairFamily& family, int64_t* bytes) {
  constexpr double kBytes = 4.5e6, kLaunchUs = 3;  // a microsecond, of memory or L2
  double us = 0;
  std::set<const Instruction*> weights;
  const auto product_us = [&](const Instruction& dot, double pairs, double features, double moved) {
    const auto kind = tensor_core_product(dot);
    return std::max(pairs * features / rate_apart(*kind), moved / kBytes) + kLaunchUs;
  };
  *bytes = 0;
  for (const Instruction* dot : family.products) {
    const OperandDims dims = operand_dims(*dot, 0);
    const int64_t size = dot->shape.element_count() * dtype_bytes(dot->shape.dtype);
    us += product_us(*dot, static_cast<double>(dot->shape.element_count()),
                     static_cast<double>(product(dot->operand(0)->shape, dims.contracting)), static_cast<double>(size));
    us += static_cast<double>(size) / kBytes;  // read by rows
    *bytes += size;
  }
  us += kLaunchUs;
  for (const Instruction* result : family.results) {
    if (result->opcode == Opcode::kReduce) continue;
    const std::optional<size_t> side = weights_side(*result, family.products);
    if (!side) continue;
    const Instruction* weight = &viewed(*result->operand(*side));
    const int64_t size = weight->shape.element_count() * dtype_bytes(weight->shape.dtype);
    if (weights.insert(weight).second) {
      us += static_cast<double>(size) / kBytes;
      *bytes += size;
    }
    const OperandDims values = operand_dims(*result, 1 - *side);
    us += product_us(*result, static_cast<double>(weight->shape.element_count()),
                     static_cast<double>(product(result->operand(1 - *side)->shape, values.free)),
                     static_cast<double>(size));
  }
  return us;
}

}  // namespace

std::vector<FoundChain> find_chains(const Computation& computation, const ChainRules& rules) {
  // What does not fit beside everything else is made again, whatever that takes.
  constexpr int64_t kTooMuch = int64_t{8} << 30;
  constexpr double kChainUs = 3;  // a launch
  // What may be as fast as the other, so far as this is known here (compile.cpp compares): of warpgroups less is.
  const double about = rules.by_warpgroups ? 1.75 : 1.25;
  std::vector<FoundChain> found;
  std::set<const Instruction*> seen, made;
  for (const Instruction& instruction : computation.instructions()) {
    if (!has_pairs(instruction, rules.pinned) || seen.count(&instruction) > 0) continue;
    PairFamily family(rules);
    const bool grown = family.grow(instruction);
    seen.insert(family.products.begin(), family.products.end());
    const bool sums = std::any_of(family.results.begin(), family.results.end(),
                                  [](const Instruction* result) { return result->opcode == Opcode::kDot; });
    // A result of other products is made by their chain, once.
    const auto is_made = [&](const Instruction* dot) { return made.count(dot) > 0; };
    if (!grown || !sums || std::any_of(family.products.begin(), family.products.end(), is_made)) continue;
    std::optional<std::vector<Timed>> chains = chains_of(family);
    if (!chains) continue;
    double us = 0;
    for (const Timed& chain : *chains) us += chain.us + kChainUs;
    int64_t bytes = 0;
    if (us >= about * apart_us(family, &bytes) && bytes < kTooMuch && !rules.pinned) continue;
    made.insert(family.results.begin(), family.results.end());
    for (Timed& chain : *chains) found.push_back(std::move(chain.found));
  }
  return found;
}

std::set<const Instruction*> parts_of_chains(const Module& module, const ChainRules& rules) {
  std::set<const Instruction*> parts;
  for (const auto& computation : module.computations()) {
    for (FoundChain& found : find_chains(*computation, rules)) parts.merge(found.instructions);
  }
  return parts;
}

}  // namespace sinter
