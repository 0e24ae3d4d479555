#include "passes/stages/pairs/pair_reduction.h"

#include <algorithm>
#include <map>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/analysis/values/constants.h"

namespace sinter {

namespace {

constexpr size_t kMostInstructions = 64;
constexpr int64_t kMostDimensions = 32;
constexpr size_t kMostOfSide = 3;  // operands
// Of a thread of the smallest tiles, in registers: 4 x 4 results, what terms read of each, and elements of operands.
constexpr int64_t kLeastRows = 4, kMostThreadBytes = 384, kLeastWordBytes = 4;

using Dimensions = uint64_t;  // a bit for each

bool is_supported(DType dtype) {
  if (is_float(dtype)) return dtype_bits(dtype) >= 16;
  return dtype == DType::kPred || (is_integer(dtype) && dtype_bits(dtype) >= 8);
}

class Finder {
 public:
  explicit Finder(const Instruction& reduce) : reduce_(reduce) {}

  std::optional<PairReduction> run() {
    if (reduce_.opcode != Opcode::kReduce) return std::nullopt;
    const Shape& shape = reduce_.operand(0)->shape;
    if (!shape.is_static() || shape.rank() > kMostDimensions || !takes_function()) return std::nullopt;
    result_.reduce = &reduce_;
    for (const int64_t dim : *reduce_.attributes->dimensions) terms_ |= bit(dim);
    for (size_t i = 0; i < arrays(); ++i) {
      if (!varies_along(*reduce_.operand(i))) return std::nullopt;
    }
    if (!divide(shape)) return std::nullopt;
    find_sides();
    place_common();
    for (const std::vector<const Instruction*>& side : result_.sides) {
      if (side.empty() || side.size() > kMostOfSide) return std::nullopt;
      for (const Instruction* operand : side) {
        if (!is_supported(operand->shape.dtype)) return std::nullopt;
      }
    }
    if (!have_room()) return std::nullopt;
    result_.instructions.insert(&reduce_);
    for (size_t i = 0; i < arrays(); ++i) result_.instructions.insert(reduce_.operand(arrays() + i));
    return std::move(result_);
  }

 private:
  static Dimensions bit(int64_t dim) { return Dimensions{1} << dim; }
  static bool is_within(Dimensions some, Dimensions all) { return (some & ~all) == 0; }
  size_t arrays() const { return reduce_.operands().size() / 2; }

  // Whether a thread can combine terms: of one array by one operation, from what changes nothing on; of several by any
  // function, from numbers of the program.
  bool takes_function() {
    const Computation& function = **reduce_.attributes->to_apply;
    if (arrays() == 1) {
      const std::optional<Opcode> combiner = simple_combiner(function);
      if (!combiner || !reduce_.shape.is_array() || !is_supported(reduce_.shape.dtype) ||
          !neutral_beginning(*combiner, reduce_.shape.dtype, *reduce_.operand(1)))
        return false;
      result_.combiner = *combiner;
      return true;
    }
    for (size_t i = 0; i < arrays(); ++i) {
      const DType dtype = reduce_.operand(i)->shape.dtype;
      const bool as_it_is = is_supported(dtype) && sum_type(dtype) == dtype && dtype_bits(dtype) >= 32;
      if (!as_it_is || !splat_value(*reduce_.operand(arrays() + i))) return false;
    }
    const std::vector<Instruction*>& values = function.root()->operands();
    return function.root()->opcode == Opcode::kTuple && function.instructions().size() <= kMostInstructions &&
           std::ranges::all_of(function.instructions(),
                               [&](const Instruction& each) {
                                 return &each == function.root() || each.opcode == Opcode::kParameter ||
                                        each.opcode == Opcode::kConstant || is_of_elements(each);
                               }) &&
           values.size() == arrays();
  }

  static bool is_of_elements(const Instruction& value) {
    return family_of(value) == Family::kElementwise && value.opcode != Opcode::kCall &&
           value.opcode != Opcode::kCustomCall;
  }

  // The dimensions that a value is not the same along; nullopt where it is more than elements of arrays in their places
  // and what is made of them.
  std::optional<Dimensions> varies_along(const Instruction& value) {
    const auto [known, fresh] = varies_.try_emplace(&value);
    if (!fresh) return known->second;
    if (varies_.size() > kMostInstructions) return std::nullopt;
    const std::optional<Dimensions> found = find(value);
    varies_[&value] = found;
    return found;
  }

  std::optional<Dimensions> find(const Instruction& value) {
    const Shape& shape = reduce_.operand(0)->shape;
    if (value.shape.is_array() && value.shape.rank() == 0) {
      if (value.opcode == Opcode::kConstant) result_.instructions.insert(&value);
      return Dimensions{0};
    }
    if (!value.shape.is_array() || value.shape.dims != shape.dims) return std::nullopt;
    const auto along = [&](const std::vector<int64_t>& dims) {
      Dimensions all = 0;
      for (const int64_t dim : dims) all |= shape.dims[static_cast<size_t>(dim)] > 1 ? bit(dim) : 0;
      leaves_.push_back(all);
      widest_ = std::max(widest_, int64_t{dtype_bytes(value.shape.dtype)});
      result_.instructions.insert(&value);
      return all;
    };
    if (value.opcode == Opcode::kIota) return along({*value.attributes->iota_dimension});
    if (value.opcode == Opcode::kBroadcast) {
      const Instruction& operand = *value.operand(0);
      const bool is_made_here =
          operand.opcode == Opcode::kIota || (operand.opcode == Opcode::kConstant && operand.shape.rank() == 0);
      if (is_made_here) result_.instructions.insert(&operand);
      return along(*value.attributes->dimensions);
    }
    if (value.opcode == Opcode::kConstant && splat_value(value)) return along({});
    if (!is_of_elements(value)) return std::nullopt;
    Dimensions all = 0;
    for (const Instruction* operand : value.operands()) {
      const std::optional<Dimensions> of_operand = varies_along(*operand);
      if (!of_operand) return std::nullopt;
      all |= *of_operand;
    }
    result_.instructions.insert(&value);
    return all;
  }

  // Which dimensions are the batch, rows and columns: what is read of an array has those of the batch and of one of the
  // other two. The smallest batch, and of that the squarest matrices.
  bool divide(const Shape& shape) {
    std::vector<int64_t> kept;
    for (int64_t dim = 0; dim < shape.rank(); ++dim) ((terms_ & bit(dim)) != 0 ? result_.terms : kept).push_back(dim);
    const auto part = [&](size_t begin, size_t end) {
      Dimensions dims = 0;
      for (size_t i = begin; i < end; ++i) dims |= bit(kept[i]);
      return dims;
    };
    const auto elements = [&](size_t begin, size_t end) {
      return product(shape, std::vector<int64_t>(kept.begin() + static_cast<ptrdiff_t>(begin),
                                                 kept.begin() + static_cast<ptrdiff_t>(end)));
    };
    std::optional<std::pair<size_t, size_t>> best;
    for (size_t first = 0; first + 1 < kept.size() && !best; ++first) {
      for (size_t middle = first + 1; middle < kept.size(); ++middle) {
        const Dimensions others = terms_ | part(0, first);
        const Dimensions of_rows = part(first, middle) | others, of_columns = part(middle, kept.size()) | others;
        const auto smaller = [&](size_t at) { return std::min(elements(first, at), elements(at, kept.size())); };
        const bool fits = std::ranges::all_of(leaves_, [&](Dimensions leaf) {
          return (leaf & terms_) == 0 || is_within(leaf, of_rows) || is_within(leaf, of_columns);
        });
        if (fits && (!best || smaller(middle) > smaller(best->second))) best = {first, middle};
      }
    }
    if (!best) return false;
    const auto [first, middle] = *best;
    result_.batch.assign(kept.begin(), kept.begin() + static_cast<ptrdiff_t>(first));
    result_.rows.assign(kept.begin() + static_cast<ptrdiff_t>(first), kept.begin() + static_cast<ptrdiff_t>(middle));
    result_.columns.assign(kept.begin() + static_cast<ptrdiff_t>(middle), kept.end());
    common_ = terms_ | part(0, first);
    sides_[0] = part(first, middle) | common_;
    sides_[1] = part(middle, kept.size()) | common_;
    result_.extents = {elements(0, first), elements(first, middle), elements(middle, kept.size()),
                       product(shape, result_.terms)};
    constexpr int64_t kMostExtent = INT32_MAX - 1024;  // what `int` can count, with a tile to spare
    const auto& [batch, m, n, k] = result_.extents;
    return std::min({batch, m, n, k}) > 0 && std::max({batch, m, n, k}) <= kMostExtent &&
           contract_grid(result_.extents, kContractTile).grid[0] <= INT32_MAX;
  }

  // Whether a thread has registers for its results and what their terms read.
  bool have_room() {
    for (const Dimensions leaf : leaves_) {
      if ((leaf & terms_) != 0) continue;
      const bool of_rows = (leaf & sides_[0] & ~common_) != 0, of_columns = (leaf & sides_[1] & ~common_) != 0;
      result_.of_results += of_rows && of_columns;
      result_.of_sides += of_rows != of_columns;
    }
    int64_t bytes = 0;
    for (size_t i = 0; i < arrays(); ++i)
      bytes += std::max(kLeastWordBytes, int64_t{dtype_bytes(reduce_.operand(arrays() + i)->shape.dtype)});
    const auto others = static_cast<int64_t>(result_.sides[0].size() + result_.sides[1].size()) - 2;
    return kLeastRows * kLeastRows * (bytes + result_.of_results * widest_) +
               kLeastRows * widest_ * (others + result_.of_sides) <=
           kMostThreadBytes;
  }

  // Whether values of terms stand in the tiles of a side: not what is the same for all terms, or for all pairs of one.
  bool is_of_side(const Instruction& value, size_t side) const {
    const Dimensions dims = *varies_.at(&value);
    return (dims & terms_) != 0 && !is_within(dims, common_) && is_within(dims, sides_[side]);
  }

  void find_sides() {
    for (size_t i = 0; i < arrays(); ++i) find_largest(*reduce_.operand(i));
    for (const size_t side : {0, 1}) {
      std::vector<const Instruction*>& operands = result_.sides[side];
      std::vector<const Instruction*> loaded;
      std::set<const Instruction*> seen;
      for (const Instruction* operand : operands) add_arrays(*operand, side, &seen, &loaded);
      // Several values of one array: a tile has its elements.
      if (!loaded.empty() && loaded.size() < operands.size()) operands = loaded;
    }
  }

  // The values of each side that are made of nothing else and that what is made of both sides reads.
  void find_largest(const Instruction& value) {
    if (!seen_.insert(&value).second) return;
    const Dimensions dims = *varies_.at(&value);
    if ((dims & terms_) == 0) return;  // a value of the result, the same for all of its terms
    if (is_within(dims, common_)) {
      of_both_.push_back(&value);
      return;
    }
    for (const size_t side : {0, 1}) {
      if (!is_of_side(value, side)) continue;
      result_.sides[side].push_back(&value);
      return;
    }
    for (const Instruction* operand : value.operands()) find_largest(*operand);
  }

  // What a value of a side reads that is made of nothing in the shape of the pairs.
  void add_arrays(const Instruction& value, size_t side, std::set<const Instruction*>* seen,
                  std::vector<const Instruction*>* loaded) const {
    if (!is_of_side(value, side) || !seen->insert(&value).second) return;
    if (family_of(value) != Family::kElementwise) {
      loaded->push_back(&value);
      return;
    }
    for (const Instruction* operand : value.operands()) add_arrays(*operand, side, seen, loaded);
  }

  // What is the same for all pairs of a term stands in the place of a side that has nothing else.
  void place_common() {
    for (std::vector<const Instruction*>& side : result_.sides) {
      if (!side.empty() || of_both_.empty()) continue;
      side.push_back(of_both_[0]);
      return;
    }
  }

  const Instruction& reduce_;
  PairReduction result_;
  Dimensions terms_ = 0, common_ = 0, sides_[2] = {0, 0};
  std::vector<Dimensions> leaves_;
  int64_t widest_ = kLeastWordBytes;                                // bytes of an element of any
  std::map<const Instruction*, std::optional<Dimensions>> varies_;  // only looked up
  std::set<const Instruction*> seen_;
  std::vector<const Instruction*> of_both_;
};

}  // namespace

std::optional<PairReduction> pair_reduction(const Instruction& reduce) { return Finder(reduce).run(); }

bool fills_tiles(const PairReduction& pairs) {
  // Fewer terms take no longer than a launch.
  constexpr int64_t kLeastSide = 32, kLeastDepth = 8, kLeastTerms = int64_t{1} << 22;
  const auto& [batch, m, n, k] = pairs.extents;
  return std::min(m, n) >= kLeastSide && k >= kLeastDepth && batch * m * n >= kLeastTerms / k;
}

}  // namespace sinter
