// The product of two matrices of few columns and very many rows has few results, and a thread that makes one of them
// reads a column. As sums of products of columns, all in one kernel of rows, a thread reads whole rows and has all
// sums:
//
//   %d = f32[2,2] dot(%p, %p), both       =>   %a = f32[250,4000] reshape(slice(%p)), column 0, %b likewise of column 1
//   contracted along 0, p f32[1000000,2]       %aa = f32[250] reduce(multiply(%a, %a), 0), dimensions={1}, ...
//                                              %all = f32[250,4] concatenate(%aa, %ab, %ab, %bb)
//                                              %d = f32[2,2] reshape(reduce(%all, 0), dimensions={0})
//
// The rows are in parts, a block each. What is the same product of two columns is made once. Of batches in front each
// has its parts, or is one.
#include "passes/graph/parts/sums_of_columns.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

constexpr int64_t kMost = 8;  // columns

// Rows in parts of one size; the last one may be filled up with zeros.
struct Parts {
  int64_t count = 1, size = 0;
};

// Of each of a batch.
Parts parts_of(int64_t length, int64_t batch) {
  constexpr int64_t kMostParts = 264;  // of all: two for each multiprocessor of a large GPU
  constexpr int64_t kLeast = 1024;     // rows that are worth a block
  constexpr int64_t kWhole = 1 << 12;  // rows that one block has: to put parts together takes longer
  constexpr int64_t kFew = 32;         // parts that a thread puts together, ...
  constexpr int64_t kMany = 128;       // ... and those from which on warps do
  if (length <= kWhole || batch > kMostParts / 2) return {1, length};
  const int64_t worth = std::min(length / kLeast, kMostParts / batch);
  const int64_t most = worth < kMany ? std::min(worth, kFew) : worth;
  for (int64_t count = most; count > most / 2; --count) {
    if (length % count == 0) return {count, length / count};
  }
  const int64_t size = ceil_div(length, most);
  return {ceil_div(length, size), size};
}

// Whether dimensions of a batch stand in front, in their order.
bool is_in_front(const std::vector<int64_t>& batch) {
  for (size_t d = 0; d < batch.size(); ++d) {
    if (batch[d] != static_cast<int64_t>(d)) return false;
  }
  return true;
}

// The columns of a dot's operands, by the array that they stand in: one that is only transposed is read as it lies.
class Columns {
 public:
  // `zero`: of the type that sums have.
  Columns(GraphBuilder& build, Instruction& dot, Instruction* zero, Parts parts)
      : build_(build), dot_(dot), zero_(zero), parts_(parts) {}

  // All of a batch: f32[batch * parts, size].
  Instruction* of(size_t side, int64_t number) {
    const OperandDims dims = operand_dims(dot_, side);
    Instruction* matrix = dot_.operand(side);
    const int64_t rows = product(matrix->shape, dims.contracting), batch = product(matrix->shape, dims.batch);
    int64_t along = dims.free.empty() ? -1 : dims.free[0];
    if (matrix->opcode == Opcode::kTranspose && along >= 0) {
      const std::vector<int64_t>& from = *matrix->attributes->dimensions;
      if (is_in_front({from.begin(), from.begin() + static_cast<ptrdiff_t>(dims.batch.size())})) {
        along = from[static_cast<size_t>(along)];
        matrix = matrix->operand(0);
      }
    }
    Instruction*& known = made_[{matrix, along, number}];
    if (known != nullptr) return known;
    Instruction* column = along < 0 ? matrix : build_.slice(matrix, along, number, number + 1);
    column = build_.convert(column, zero_->shape.dtype);
    if (parts_.count * parts_.size > rows) {
      const int64_t missing = parts_.count * parts_.size - rows;
      column = build_.pad(build_.reshape(column, {batch, rows}), {{}, {.high = missing}}, zero_);
    }
    return known = build_.reshape(column, {batch * parts_.count, parts_.size});
  }

 private:
  GraphBuilder& build_;
  Instruction& dot_;
  Instruction* zero_;
  const Parts parts_;
  std::map<std::tuple<const Instruction*, int64_t, int64_t>, Instruction*> made_;  // only looked up
};

}  // namespace

bool become_sums_of_columns(Instruction& dot) {
  constexpr int64_t kLong = 960;  // rows, as split_contractions says
  const DType dtype = dot.shape.dtype;
  if (is_complex(dtype) || dtype == DType::kPred || dot.operands().size() != 2) return false;
  std::array<int64_t, 2> columns{};
  int64_t length = 0, batch = 1;
  for (size_t side = 0; side < columns.size(); ++side) {
    const OperandDims dims = operand_dims(dot, side);
    const Shape& shape = dot.operand(side)->shape;
    if (!is_in_front(dims.batch) || dims.contracting.size() != 1 || dims.free.size() > 1) return false;
    columns[side] = product(shape, dims.free);
    length = product(shape, dims.contracting);
    batch = product(shape, dims.batch);
    if (columns[side] < 1 || columns[side] > kMost || length < kLong || batch < 1) return false;
  }
  const int64_t results = columns[0] * columns[1];
  if (results == 1) return false;

  const DType type = sum_type(dtype);
  const Parts parts = parts_of(length, batch);
  Module& module = *dot.parent()->parent();
  GraphBuilder build(dot);
  Instruction* zero = build.constant(Literal(Shape::scalar(type)));
  Columns column(build, dot, zero, parts);
  Instruction* first = nullptr;  // the others have its function
  const auto sum_of = [&](Instruction* value, int64_t along) {
    if (first == nullptr) return first = build.reduce(value, zero, {along}, Opcode::kAdd, module);
    Attributes attributes = *first->attributes;
    attributes.dimensions = {along};
    return build.make(Opcode::kReduce, {value, zero}, std::move(attributes));
  };
  std::map<std::pair<Instruction*, Instruction*>, Instruction*> sums;  // only looked up
  std::vector<Instruction*> all;
  for (int64_t i = 0; i < columns[0]; ++i) {
    for (int64_t k = 0; k < columns[1]; ++k) {
      Instruction* left = column.of(0, i);
      Instruction* right = column.of(1, k);
      const auto other = sums.find({right, left});
      Instruction*& sum = other != sums.end() ? other->second : sums[{left, right}];
      if (sum == nullptr) sum = build.reshape(sum_of(build.multiply({left, right}), 1), {batch * parts.count, 1});
      all.push_back(sum);
    }
  }
  Instruction* stacked = build.concatenate(all, 1);
  if (parts.count > 1 && batch > 1) stacked = build.reshape(stacked, {batch, parts.count, results});
  if (parts.count > 1) stacked = sum_of(stacked, batch > 1 ? 1 : 0);
  become(dot, Opcode::kReshape, {build.convert(stacked, dtype)});
  return true;
}

}  // namespace sinter
