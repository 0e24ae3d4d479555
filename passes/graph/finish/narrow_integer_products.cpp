// narrow_integer_products: products of integers all of whose operands' values are bytes are made of bytes.
//
//   %a = s32[512,512] convert(s8[512,512] %x)          =>  %d = s32[512,512] dot(%x, %y), ...
//   %b = s32[512,512] convert(s8[512,512] %y)
//   %d = s32[512,512] dot(%a, %b), ...
//
// Tensor cores multiply bytes, of one type, into 32 bits, which wrap as the program's sums do. What values there are
// their ranges say (ranges.h). Where an operand is a byte and a zero point, one for all elements or one for each row
// that is not summed over, or bytes meet others of another sign, the rest is a sum of the other operand:
//
//   %d = dot(subtract(%a, broadcast(%z)), %b)          =>  dot(%x, %y) - z * sums of %b along k
//   %d = dot(convert(u8 %u), %b)                       =>  dot(s8 %u - 128, %y) + 128 * sums of %b along k
//
// Small products, which are no kernels of their own, stay as they are; so do those for whose few rows another operand
// would be read twice.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "passes/analysis/loops/ranges.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/analysis/shapes/matrix_product.h"
#include "passes/analysis/values/chosen_operands.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/finish/outline.h"

namespace sinter {
namespace {

// What bytes without sign are above those with one.
constexpr int64_t kSignOffset = 128;
constexpr int64_t kByteValues = 256;

// An operand's elements are those of `value` and of `offset`, a broadcast that is the same along k, or what is left
// when it is taken away, and a number.
struct ShiftedBytes {
  Instruction* value = nullptr;
  Interval range;  // of `value`, less the number
  Instruction* offset = nullptr;
  bool subtracts = false;
  int64_t number = 0;
  bool is_shifted() const { return offset != nullptr || number != 0; }
};

bool is_within(DType dtype, const Interval& range) {
  const std::optional<Interval> all = whole_range(dtype);
  return all && all->contains(range);
}

bool is_byte(const Interval& range) { return is_within(DType::kS8, range) || is_within(DType::kU8, range); }

class ByteProducts {
 public:
  explicit ByteProducts(const Module& module) : ranges_(module) {}

  // Of an operand whose elements along `contracting` are summed over; nullopt: it has other values.
  std::optional<ShiftedBytes> bytes_of(Instruction& operand, const std::vector<int64_t>& contracting) const {
    if (!is_integer(operand.shape.dtype) || dtype_bits(operand.shape.dtype) > 32) return std::nullopt;
    Instruction* value = &operand;
    const std::optional<Interval> range = ranges_.of(*value);
    if (!range) return std::nullopt;
    if (is_byte(*range)) return ShiftedBytes{.value = value, .range = *range};
    // Conversions that change no value.
    while (value->opcode == Opcode::kConvert && is_integer(value->operand(0)->shape.dtype)) {
      const std::optional<Interval> of_source = ranges_.of(*value->operand(0));
      if (!of_source || !is_within(value->shape.dtype, *of_source)) break;
      value = value->operand(0);
    }
    if (const std::optional<ShiftedBytes> shifted = without_offset(*value, contracting)) return shifted;
    if (range->high - range->low >= kByteValues) return std::nullopt;
    const int64_t number = range->low + kSignOffset;
    return ShiftedBytes{.value = &operand, .range = {range->low - number, range->high - number}, .number = number};
  }

  // The same elements, less `number`, in the narrow type, which has them.
  Instruction* narrow(Instruction& product, Instruction& value, int64_t number, DType dtype) const {
    GraphBuilder at(product);
    if (number == 0) {
      int left = kMostLookedAt;
      return is_of_narrower(value, dtype, &left) ? moved(product, value, dtype) : at.convert(&value, dtype);
    }
    const Shape& shape = value.shape;
    Instruction* wide = at.convert(&value, DType::kS32);
    return at.convert(at.subtract({wide, at.integer(DType::kS32, number, shape.dims)}), dtype);
  }

 private:
  static constexpr int kMostLookedAt = 32;

  // x + offset or x - offset, of bytes x.
  std::optional<ShiftedBytes> without_offset(Instruction& value, const std::vector<int64_t>& contracting) const {
    const bool subtracts = value.opcode == Opcode::kSubtract;
    if (!subtracts && value.opcode != Opcode::kAdd) return std::nullopt;
    const size_t sides = subtracts ? 1 : 2;
    for (size_t side = 0; side < sides; ++side) {
      Instruction& x = *value.operand(side);
      Instruction& offset = *value.operand(1 - side);
      const std::optional<Interval> range = ranges_.of(x), of_offset = ranges_.of(offset);
      if (!range || !of_offset || !is_byte(*range) || offset.opcode != Opcode::kBroadcast) continue;
      const std::vector<int64_t> dims = offset.attributes->dimensions.value_or(std::vector<int64_t>{});
      const bool is_along_k = std::any_of(dims.begin(), dims.end(), [&](int64_t d) {
        return std::find(contracting.begin(), contracting.end(), d) != contracting.end();
      });
      // What wraps at 32 bits is the same number to sums that do.
      const std::optional<ExactInterval> exact = exact_result(value.opcode, *range, *of_offset);
      const bool wraps_as_sums = dtype_bits(value.shape.dtype) == 32;
      if (is_along_k || (!wraps_as_sums && !(exact && holds(value.shape.dtype, *exact)))) continue;
      return ShiftedBytes{.value = &x, .range = *range, .offset = &offset, .subtracts = subtracts};
    }
    return std::nullopt;
  }

  // Whether what chooses and moves elements can do so with those of the narrow type. `left`: values still looked at.
  bool is_of_narrower(const Instruction& value, DType dtype, int* left) const {
    const std::optional<Interval> range = ranges_.of(value);
    if (--*left < 0 || !range || !is_within(dtype, *range)) return false;
    if (value.opcode == Opcode::kConvert) return !is_float(value.operand(0)->shape.dtype);
    if (splat_integer(value)) return true;
    const std::optional<std::pair<size_t, size_t>> chosen = chosen_operands(value);
    if (!chosen) return false;
    for (size_t i = chosen->first; i < chosen->second; ++i) {
      if (!is_of_narrower(*value.operand(i), dtype, left)) return false;
    }
    return true;
  }

  Instruction* moved(Instruction& product, Instruction& value, DType dtype) const {
    GraphBuilder at(product);
    if (value.opcode == Opcode::kConvert) return at.convert(value.operand(0), dtype);
    if (const std::optional<int64_t> number = splat_integer(value)) return at.integer(dtype, *number, value.shape.dims);
    const auto [first, end] = *chosen_operands(value);
    std::vector<Instruction*> operands = value.operands();
    for (size_t i = first; i < end; ++i) operands[i] = moved(product, *operands[i], dtype);
    Instruction* copy = product.parent()->add_copy(value, operands, &product);
    copy->shape.dtype = dtype;
    return copy;
  }

  const Ranges ranges_;
};

// The operands of a product, and what its sums lack where these are shifted.
class ByteProduct {
 public:
  ByteProduct(Instruction& product, const std::array<ShiftedBytes, 2>& sides, DType dtype, const ByteProducts& bytes)
      : product_(product), sides_(sides), at_(product) {
    for (const size_t side : {0, 1})
      narrow_[side] = bytes.narrow(product, *sides[side].value, sides[side].number, dtype);
  }

  void write() {
    if (!sides_[0].is_shifted() && !sides_[1].is_shifted()) {
      product_.set_operands({narrow_[0], narrow_[1]});
      return;
    }
    Shape shape = product_.shape;
    Instruction* sum =
        insert_like(product_, product_.opcode, shape, {narrow_[0], narrow_[1]}, product_.attributes, product_.name);
    // (a + p)(b + q) = a b + p (b + q) + a q.
    const bool both = sides_[0].is_shifted() && sides_[1].is_shifted();
    std::vector<Instruction*> rest;
    for (const size_t side : {0, 1}) {
      if (!sides_[side].is_shifted()) continue;
      const size_t other = 1 - side;
      Instruction* summed = both && side == 0 ? product_.operand(other) : narrow_[other];
      rest.push_back(at_.multiply({offset(side), sums_along_k(*summed, other)}));
    }
    for (size_t i = 0; i + 1 < rest.size(); ++i) sum = at_.add({sum, rest[i]});
    become(product_, Opcode::kAdd, {sum, rest.back()});
  }

 private:
  // Where the result has the dimensions of an operand that are not summed over.
  std::map<int64_t, int64_t> result_dims(size_t side) const {
    const OperandDims dims = operand_dims(product_, side);
    std::map<int64_t, int64_t> at;
    int64_t next = 0;
    for (const int64_t d : dims.batch) at[d] = next++;
    if (side == 1) next += static_cast<int64_t>(operand_dims(product_, 0).free.size());
    for (const int64_t d : dims.free) at[d] = next++;
    return at;
  }

  Instruction* offset(size_t side) {
    const ShiftedBytes& bytes = sides_[side];
    const DType dtype = product_.shape.dtype;
    const std::vector<int64_t>& dims = product_.shape.dims;
    if (bytes.offset == nullptr) return at_.integer(dtype, bytes.number, dims);
    Instruction* each = at_.convert(bytes.offset->operand(0), dtype);
    const std::vector<int64_t> own = each->shape.dims;
    if (bytes.subtracts) each = at_.make(Opcode::kNegate, {each});
    if (bytes.number != 0) each = at_.add({each, at_.integer(dtype, bytes.number, own)});
    const std::map<int64_t, int64_t> places = result_dims(side);
    std::vector<int64_t> where;
    for (const int64_t d : bytes.offset->attributes->dimensions.value_or(std::vector<int64_t>{}))
      where.push_back(places.at(d));
    return at_.broadcast(each, dims, where);
  }

  Instruction* sums_along_k(Instruction& operand, size_t side) {
    const DType dtype = product_.shape.dtype;
    std::vector<int64_t> contracting = operand_dims(product_, side).contracting;
    std::sort(contracting.begin(), contracting.end());
    // One after the other: in which order arguments are made is the compiler's choice.
    Instruction* wide = at_.convert(&operand, dtype);
    Instruction* zero = at_.integer(dtype, 0);
    Instruction* sums = at_.reduce(wide, zero, contracting, Opcode::kAdd, *product_.parent()->parent());
    std::vector<int64_t> where;  // in the order of the operand's dimensions, as the sums have them
    for (const auto& [from, to] : result_dims(side)) where.push_back(to);
    return at_.broadcast(sums, product_.shape.dims, where);
  }

  Instruction& product_;
  const std::array<ShiftedBytes, 2> sides_;
  GraphBuilder at_;
  std::array<Instruction*, 2> narrow_ = {};
};

// Whether what is read of the other operand to add it up is little beside the terms that this side's rows make of it.
bool has_many_rows(const Instruction& product, size_t side) {
  constexpr int64_t kFewestRows = 64;
  return sinter::product(product.operand(side)->shape, operand_dims(product, side).free) >= kFewestRows;
}

bool narrow_integer_product(Instruction& product, const ByteProducts& bytes) {
  const bool is_large = is_contraction(product) || is_shallow_product(product) || is_narrow_convolution(product);
  const DType result = product.shape.dtype;
  if ((result != DType::kS32 && result != DType::kU32) || product.operands().size() != 2 || !is_large) return false;
  std::array<ShiftedBytes, 2> sides;
  for (const size_t side : {0, 1}) {
    const bool is_dot = product.opcode == Opcode::kDot;
    const std::vector<int64_t> contracting = is_dot ? operand_dims(product, side).contracting : std::vector<int64_t>{};
    const std::optional<ShiftedBytes> found = bytes.bytes_of(*product.operand(side), contracting);
    if (!found) return false;
    sides[side] = *found;
  }
  const auto are = [&](DType dtype) { return is_within(dtype, sides[0].range) && is_within(dtype, sides[1].range); };
  DType dtype = DType::kS8;
  if (!are(DType::kS8) && are(DType::kU8)) dtype = DType::kU8;
  if (!are(dtype)) {
    ShiftedBytes& other = is_within(DType::kS8, sides[0].range) ? sides[1] : sides[0];
    other.number += kSignOffset;
    other.range = {other.range.low - kSignOffset, other.range.high - kSignOffset};
  }
  for (const size_t side : {0, 1}) {
    if (!sides[side].is_shifted()) continue;
    if (product.opcode != Opcode::kDot || !is_contraction(product) || !has_many_rows(product, side)) return false;
  }
  if (product.operand(0)->shape.dtype == dtype && product.operand(1)->shape.dtype == dtype) return false;
  ByteProduct(product, sides, dtype, bytes).write();
  return true;
}

}  // namespace

bool narrow_integer_products(Module& module, const GraphPassOptions&) {
  std::vector<Instruction*> products;
  const std::set<const Computation*> done = computations_of_stages(module);
  for (const Opcode opcode : {Opcode::kDot, Opcode::kConvolution}) {
    for (Instruction* product : instructions_of(module, opcode)) {
      const DType result = product->shape.dtype;
      if (is_integer(result) && done.count(product->parent()) == 0) products.push_back(product);
    }
  }
  if (products.empty()) return false;
  const ByteProducts bytes(module);
  bool changed = false;
  for (Instruction* product : products) changed |= narrow_integer_product(*product, bytes);
  if (changed) {
    module.sort_computations();
    remove_dead_code(module);
  }
  return changed;
}

}  // namespace sinter
