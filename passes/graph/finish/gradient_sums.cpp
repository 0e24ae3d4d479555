#include "passes/graph/finish/gradient_sums.h"

#include <algorithm>
#include <optional>

#include "passes/analysis/functions/work_of_elements.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/stages/chain/chain.h"

namespace sinter {

namespace {

using Dims = std::vector<int64_t>;

// Its elements in the same order, as they are or rounded.
Instruction* below_rounding(Instruction* value) {
  while (value->opcode == Opcode::kReshape || value->opcode == Opcode::kConvert) {
    if (!is_float(value->operand(0)->shape.dtype)) break;
    value = value->operand(0);
  }
  return value;
}

// What an element of the sum is a product of.
struct Factors {
  Instruction* exponential = nullptr;
  Instruction* product = nullptr;  // dP
  std::vector<Instruction*> times, by;  // numbers of rows, each an element of the sum's result
};

class FactorFinder {
 public:
  explicit FactorFinder(const Instruction& reduce) : reduce_(reduce) {}

  bool find(Instruction* value, Factors* factors) {
    value = below_rounding(value);
    switch (value->opcode) {
      case Opcode::kMultiply:
        return find(value->operand(0), factors) && find(value->operand(1), factors);
      case Opcode::kDivide: {
        Instruction* by = of_rows(value->operand(1));
        if (by == nullptr) return false;
        factors->by.push_back(by);
        return find(value->operand(0), factors);
      }
      case Opcode::kExponential:
        return take(value, &factors->exponential);
      case Opcode::kDot:
        return take(value, &factors->product);
      default: {
        Instruction* times = of_rows(value);
        if (times != nullptr) factors->times.push_back(times);
        return times != nullptr;
      }
    }
  }

  // A number for each row, of as many elements as there are rows; nullptr: it is none.
  Instruction* of_rows(Instruction* value) const {
    const Shape& summed = reduce_.operand(0)->shape;
    if (value->opcode != Opcode::kBroadcast || value->shape.dims != summed.dims ||
        value->shape.dtype != reduce_.shape.dtype)
      return nullptr;
    const Dims& where = *value->attributes->dimensions;
    if (!std::is_sorted(where.begin(), where.end())) return nullptr;
    for (int64_t dim = 0; dim < summed.rank(); ++dim) {
      const bool has = std::find(where.begin(), where.end(), dim) != where.end();
      if (has == is_summed(dim) && (has || summed.dims[static_cast<size_t>(dim)] != 1)) return nullptr;
    }
    return value->operand(0);
  }

 private:
  bool is_summed(int64_t dim) const {
    const Dims& along = *reduce_.attributes->dimensions;
    return std::find(along.begin(), along.end(), dim) != along.end();
  }
  bool take(Instruction* value, Instruction** place) const {
    if (*place != nullptr || value->shape.element_count() != reduce_.operand(0)->shape.element_count()) return false;
    *place = value;
    return true;
  }

  const Instruction& reduce_;
};

// The columns are the last dimensions.
bool sums_last(const Instruction& reduce) {
  Dims along = *reduce.attributes->dimensions;
  std::sort(along.begin(), along.end());
  for (size_t i = 0; i < along.size(); ++i) {
    if (along[i] != reduce.operand(0)->shape.rank() - static_cast<int64_t>(along.size() - i)) return false;
  }
  return !along.empty();
}

// The sum of the exponentials.
Instruction* sum_of(const Instruction& exponential, const Instruction& reduce) {
  for (Instruction* user : exponential.users()) {
    if (row_reduction(*user) == RowReduction::kSum && user->operand(0) == &exponential &&
        user->shape.dims == reduce.shape.dims && *user->attributes->dimensions == *reduce.attributes->dimensions)
      return user;
  }
  return nullptr;
}

Dims concatenated(const Dims& a, const Dims& b, const Dims& c) {
  Dims all = a;
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), c.begin(), c.end());
  return all;
}

// Whether the elements, in their order, count these dimensions one after the other, the last ones fastest.
bool lies_as(const Shape& shape, const Dims& a, const Dims& b, const Dims& c) {
  Dims dims = concatenated(a, b, c);
  std::erase_if(dims, [&](int64_t dim) { return shape.dims[static_cast<size_t>(dim)] == 1; });
  return std::is_sorted(dims.begin(), dims.end());
}

// An array as [batch, row, feature].
struct ByRows {
  Instruction* array = nullptr;
  Dims batch, rows, features;  // its dimensions

  int64_t count(const Dims& dims) const { return product(array->shape, dims); }
  Instruction* write(GraphBuilder& build) const {
    Instruction* turned = build.transpose(array, concatenated(batch, rows, features));
    Instruction* three = build.reshape(turned, {count(batch), count(rows), count(features)});
    return three->shape.dtype == DType::kF32 ? three : build.convert(three, DType::kF32);
  }
};

Dims count_up(int64_t first, size_t count) {
  Dims dims(count);
  for (size_t i = 0; i < count; ++i) dims[i] = first + static_cast<int64_t>(i);
  return dims;
}

// O and dO, if the product is what dot(exponential / sum, V) is, of the V that `gradient` multiplies.
std::optional<std::pair<ByRows, ByRows>> matched(Instruction& output, Instruction& gradient,
                                                 const Instruction& exponential, const Instruction& sum,
                                                 const FactorFinder& finder) {
  for (const size_t side : {0, 1}) {
    Instruction* weights = output.operand(side);
    Instruction* divided = below_rounding(weights);
    if (divided->opcode != Opcode::kDivide || below_rounding(divided->operand(0)) != &exponential) continue;
    Instruction* by = finder.of_rows(divided->operand(1));
    if (by == nullptr || below_rounding(by) != &sum || output.operand(1 - side) != gradient.operand(1)) continue;
    const Instruction& values = *gradient.operand(1);
    // Of weights, of values as O and as dP have them, and of dO.
    const OperandDims w = operand_dims(output, side), v = operand_dims(output, 1 - side);
    const OperandDims of_v = operand_dims(gradient, 1), of_gradient = operand_dims(gradient, 0);
    const bool same = v.batch == of_v.batch && v.contracting == of_v.free &&
                      lies_as(weights->shape, w.batch, w.free, w.contracting) &&
                      product(values.shape, of_v.free) * product(gradient.operand(0)->shape, of_gradient.free) *
                              product(values.shape, of_v.batch) ==
                          weights->shape.element_count();
    if (!same) continue;
    ByRows o = {.array = &output}, d_o = {.array = gradient.operand(0)};
    o.batch = count_up(0, w.batch.size());
    const auto batches = static_cast<int64_t>(w.batch.size());
    const auto rows = static_cast<int64_t>(w.free.size()), features = static_cast<int64_t>(v.free.size());
    o.rows = count_up(side == 0 ? batches : batches + features, w.free.size());
    o.features = count_up(side == 0 ? batches + rows : batches, v.free.size());
    d_o.batch = of_gradient.batch;
    d_o.rows = of_gradient.free;
    for (const int64_t feature : v.free) {
      const auto found = std::find(of_v.contracting.begin(), of_v.contracting.end(), feature);
      if (found == of_v.contracting.end()) return std::nullopt;
      d_o.features.push_back(of_gradient.contracting[static_cast<size_t>(found - of_v.contracting.begin())]);
    }
    if (v.free.size() != of_v.contracting.size() || o.count(o.rows) != d_o.count(d_o.rows)) continue;
    return std::pair(o, d_o);
  }
  return std::nullopt;
}

}  // namespace

bool sum_over_features(Instruction& reduce, const std::vector<Instruction*>& products) {
  if (row_reduction(reduce) != RowReduction::kSum || !sums_last(reduce)) return false;
  FactorFinder finder(reduce);
  Factors factors;
  if (!finder.find(reduce.operand(0), &factors) || factors.exponential == nullptr || factors.product == nullptr ||
      factors.exponential->shape.dims != reduce.operand(0)->shape.dims)
    return false;
  const Instruction* sum = sum_of(*factors.exponential, reduce);
  if (sum == nullptr) return false;
  for (Instruction* output : products) {
    const auto found = matched(*output, *factors.product, *factors.exponential, *sum, finder);
    if (!found) continue;
    GraphBuilder build(reduce);
    Instruction* both = build.multiply({found->first.write(build), found->second.write(build)});
    Attributes attributes = *reduce.attributes;
    attributes.dimensions = Dims{2};
    const Dims& dims = reduce.shape.dims;
    Instruction* total = build.reshape(build.make(Opcode::kReduce, {both, reduce.operand(1)}, attributes), dims);
    // Weights are divided by the sum in O.
    Instruction* by_sum = nullptr;
    for (Instruction* user : factors.exponential->users()) {
      if (user == sum) by_sum = user;
    }
    std::erase_if(factors.by, [&](Instruction* by) {
      const bool is_sum = by_sum != nullptr && below_rounding(by) == by_sum;
      if (is_sum) by_sum = nullptr;
      return is_sum;
    });
    if (by_sum != nullptr) total = build.multiply({total, build.reshape(by_sum, dims)});
    for (Instruction* times : factors.times) total = build.multiply({total, build.reshape(times, dims)});
    for (Instruction* by : factors.by) total = build.make(Opcode::kDivide, {total, build.reshape(by, dims)});
    reduce.replace_all_uses_with(total);
    return true;
  }
  return false;
}

}  // namespace sinter
