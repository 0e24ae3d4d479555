// separate_planes: what is reduced over a few planes of an array, and read by the same planes again, is computed a
// plane at a time, side by side.
//
//   %largest = f32[1024,1024] reduce(%x, -inf), dimensions={0}, to_apply=maximum       x f32[3,1024,1024]
//   %apart = f32[3,1024,1024] subtract(%x, broadcast(%largest))
//                                                     =>
//   %x_q = f32[1024,1024] reshape(slice(%x))                                           for q of 0, 1, 2
//   %largest = maximum(maximum(%x_0, %x_1), %x_2)
//   %apart_q = f32[1024,1024] subtract(%x_q, %largest)
//   %apart = f32[3,1024,1024] concatenate(reshape(%apart_0), reshape(%apart_1), reshape(%apart_2)), dimensions={0}
//
// A thread then has all planes at one place: each is read once, and what is reduced over them is computed once, in
// registers (choose_domain.cpp takes such stacks whole). Otherwise a thread an element would reduce again what its
// neighbours reduce, or kernels of their own do, which read all planes again: a softmax over an image's classes, a norm
// over its channels, the moments of a lattice's populations. Products with small matrices that are constants, over
// planes or to planes, are sums of planes as well. Planes that lie innermost in memory are rows.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "ir/module/device_functions.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/analysis/values/constants.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/base/write_out.h"

namespace sinter {
namespace {

using Dims = std::vector<int64_t>;

constexpr int64_t kFewestPlanes = 2, kMostPlanes = 32;
// Elements of a plane: fewer threads, each with all planes, leave much of a GPU idle.
constexpr int64_t kLeastOfPlane = int64_t{1} << 16;
// Planes of all values together: each is an operation of the text.
constexpr int64_t kMostOperations = 1200;

// An array, and which of its dimensions counts planes.
using Stack = std::pair<Instruction*, int64_t>;

Dims without(Dims dims, int64_t dim) {
  dims.erase(dims.begin() + dim);
  return dims;
}

// The places of what else `where` has, where the dimension `dim` is gone.
Dims places_without(const Dims& where, int64_t dim) {
  Dims result;
  for (const int64_t d : where) {
    if (d != dim) result.push_back(d - (d > dim ? 1 : 0));
  }
  return result;
}

std::optional<int64_t> place_in(const Dims& dims, int64_t dim) {
  const auto found = std::ranges::find(dims, dim);
  return found != dims.end() ? std::optional<int64_t>(found - dims.begin()) : std::nullopt;
}

bool may_count_planes(const Stack& stack) {
  const auto& [value, dim] = stack;
  const Shape& shape = value->shape;
  return dim + 1 < shape.rank() && shape.dims[dim] >= kFewestPlanes && shape.dims[dim] <= kMostPlanes &&
         shape.element_count() / shape.dims[dim] >= kLeastOfPlane;
}

bool is_of_elements(const Instruction& value) {
  if (family_of(value) != Family::kElementwise || value.opcode == Opcode::kCustomCall || value.operands().empty())
    return false;
  return value.shape.is_array() && value.control_predecessors.empty() &&
         std::ranges::all_of(value.operands(), [&](const Instruction* operand) {
           return operand->shape.is_scalar() || operand->shape.dims == value.shape.dims;
         });
}

// Whether a value has these dimensions, but for those of one element.
bool has_dims(const Instruction& value, const Dims& dims) {
  return value.shape.is_array() && squeezed_dims(value.shape.dims) == squeezed_dims(dims);
}

// Whether a value has an element for each of a plane, made of those that others have there.
bool is_of_plane(const Instruction& value, const Dims& plane) {
  const bool renames = value.opcode == Opcode::kReshape && has_dims(*value.operand(0), plane);
  return has_dims(value, plane) && (renames || is_of_elements(value));
}

bool is_in_order(const Instruction& broadcast) { return std::ranges::is_sorted(*broadcast.attributes->dimensions); }

// A product of a small matrix that is constant and an array with planes, over these: (sum over k) matrix[j, k] of plane
// k is plane j of the result.
struct PlaneProduct {
  Instruction* matrix = nullptr;
  Stack summed;
  int64_t of_sum = 0;   // the dimension of the matrix that is summed over
  int64_t made = 0;     // the dimension of the result that counts what is made
  int64_t results = 0;  // how many
};

std::optional<PlaneProduct> plane_product(const Instruction& dot) {
  if (dot.opcode != Opcode::kDot) return std::nullopt;
  const OperandDims dims[] = {operand_dims(dot, 0), operand_dims(dot, 1)};
  for (const size_t side : {0, 1}) {
    const OperandDims &own = dims[side], &other = dims[1 - side];
    Instruction* matrix = dot.operand(side);
    Instruction* array = dot.operand(1 - side);
    const bool fits = matrix->opcode == Opcode::kConstant && !matrix->literal.is_elided() &&
                      matrix->shape.rank() == 2 && own.batch.empty() && own.contracting.size() == 1 &&
                      array->shape.rank() == dot.shape.rank();
    if (!fits) continue;
    const bool one_type = matrix->shape.dtype == dot.shape.dtype && array->shape.dtype == dot.shape.dtype;
    if (!one_type || is_complex(dot.shape.dtype) || (is_float(dot.shape.dtype) && dtype_bits(dot.shape.dtype) < 32))
      continue;
    PlaneProduct product = {.matrix = matrix,
                            .summed = {array, other.contracting[0]},
                            .of_sum = own.contracting[0],
                            .made = side == 0 ? 0 : dot.shape.rank() - 1,
                            .results = matrix->shape.dims[own.free[0]]};
    if (may_count_planes(product.summed) && product.results <= kMostPlanes) return product;
  }
  return std::nullopt;
}

// Makes planes of values, each once.
class Planes {
 public:
  explicit Planes(Computation& computation) : computation_(computation) {}

  bool run() {
    std::vector<Stack> ends;
    for (Instruction& value : computation_.instructions()) {
      if (!is_of_elements(value)) continue;
      for (int64_t dim = 0; dim < value.shape.rank(); ++dim) {
        if (may_count_planes({&value, dim}) && is_end({&value, dim}) && follows_reduction({&value, dim}))
          ends.emplace_back(&value, dim);
      }
    }
    for (const auto& [value, dim] : ends) {
      if (value->opcode == Opcode::kConcatenate) continue;  // of planes along another dimension
      Dims one = value->shape.dims;
      one[dim] = 1;
      std::vector<Instruction*> pieces;
      for (int64_t q = 0; q < value->shape.dims[dim]; ++q) {
        Instruction* plane = of({value, dim}, q);
        pieces.push_back(GraphBuilder(*value).reshape(plane, one));
      }
      Attributes attributes;
      attributes.dimensions = Dims{dim};
      become(*value, Opcode::kConcatenate, pieces, std::move(attributes));
    }
    if (ends.empty()) return false;
    computation_.sort();
    return true;
  }

 private:
  // Whether anything reads the array that is not computed by planes itself.
  bool is_end(const Stack& stack) const {
    const auto& [value, dim] = stack;
    if (value == computation_.root()) return true;
    return std::ranges::any_of(value->users(), [&, dim = dim](const Instruction* user) {
      if (is_of_elements(*user)) return false;
      const std::optional<PlaneProduct> product = plane_product(*user);
      if (product && product->summed.second == dim) return false;
      return user->opcode != Opcode::kReduce || *user->attributes->dimensions != Dims{dim};
    });
  }

  // Whether what the array is computed from has a reduction over its planes, or a product of planes, and is not too
  // much to be written out.
  bool follows_reduction(const Stack& end) {
    std::set<Stack> seen;  // only looked up
    std::set<Instruction*> seen_whole;
    std::vector<Stack> stacks = {end};
    std::vector<Instruction*> whole;
    const Dims& dims = end.first->shape.dims;
    const Dims plane = without(dims, end.second);
    bool reduces = false;
    int64_t operations = 0;
    while (!stacks.empty() || !whole.empty()) {
      if (!whole.empty()) {
        Instruction* value = whole.back();
        whole.pop_back();
        if (!seen_whole.insert(value).second) continue;
        if (may_be_written_out(*value)) {
          const Stack summed = {value->operand(0), value->attributes->dimensions->front()};
          if (!has_dims(*value, plane) || !may_count_planes(summed)) continue;
          reduces |= summed.second == end.second && summed.first->shape.dims == dims;
          stacks.push_back(summed);
        } else if (is_of_plane(*value, plane)) {
          whole.insert(whole.end(), value->operands().begin(), value->operands().end());
        }
        continue;
      }
      const Stack stack = stacks.back();
      stacks.pop_back();
      if (!seen.insert(stack).second) continue;
      operations += stack.first->shape.dims[stack.second];
      if (operations > kMostOperations) return false;
      const auto& [value, dim] = stack;
      if (const auto product = product_to(stack)) {
        operations += product->results * product->summed.first->shape.dims[product->summed.second];
        reduces |= product->summed.second == end.second && product->summed.first->shape.dims == dims;
        stacks.push_back(product->summed);
        continue;
      }
      if (value->opcode == Opcode::kBroadcast && is_in_order(*value) &&
          !place_in(*value->attributes->dimensions, dim)) {
        whole.push_back(value->operand(0));
        continue;
      }
      for (const Stack& below : stacks_below(stack)) stacks.push_back(below);
    }
    return reduces;
  }

  static std::optional<PlaneProduct> product_to(const Stack& stack) {
    std::optional<PlaneProduct> product = plane_product(*stack.first);
    return product && product->made == stack.second ? product : std::nullopt;
  }

  // What the planes of an array are made of that are made of planes.
  static std::vector<Stack> stacks_below(const Stack& stack) {
    const auto& [value, dim] = stack;
    std::vector<Stack> result;
    if (is_of_elements(*value)) {
      for (Instruction* operand : value->operands()) {
        if (!operand->shape.is_scalar()) result.emplace_back(operand, dim);
      }
    } else if (value->opcode == Opcode::kReverse) {
      result.emplace_back(value->operand(0), dim);
    } else if (value->opcode == Opcode::kBroadcast && is_in_order(*value)) {
      if (const auto place = place_in(*value->attributes->dimensions, dim))
        result.emplace_back(value->operand(0), *place);
    }
    return result;
  }

  Instruction* of(const Stack& stack, int64_t q) {
    const auto key = std::pair(stack, q);
    const auto known = made_.find(key);
    if (known != made_.end()) return known->second;
    Instruction* plane = make(stack, q);
    return made_[key] = plane;
  }

  Instruction* make(const Stack& stack, int64_t q) {
    const auto& [value, dim] = stack;
    const Dims dims = without(value->shape.dims, dim);
    const Attributes& attributes = value->attributes;
    GraphBuilder build(*value);
    if (is_of_elements(*value)) {
      std::vector<Instruction*> operands;
      for (Instruction* operand : value->operands())
        operands.push_back(operand->shape.is_scalar() ? operand : of({operand, dim}, q));
      return insert_like(*value, value->opcode, Shape::array(value->shape.dtype, dims), operands, value->attributes);
    }
    if (const auto product = product_to(stack)) return sum_of(*product, q, build);
    if (value->opcode == Opcode::kBroadcast && is_in_order(*value)) {
      const Dims where = places_without(*attributes.dimensions, dim);
      const auto place = place_in(*attributes.dimensions, dim);
      if (place) return build.broadcast(of({value->operand(0), *place}, q), dims, where);
      write_out_below(value->operand(0), dims);
      return build.broadcast(value->operand(0), dims, where);
    }
    if (value->opcode == Opcode::kReverse) {
      const Dims& turned = *attributes.dimensions;
      const bool turns = place_in(turned, dim).has_value();
      Instruction* plane = of({value->operand(0), dim}, turns ? value->shape.dims[dim] - 1 - q : q);
      Attributes others;
      others.dimensions = places_without(turned, dim);
      return others.dimensions->empty() ? plane : build.make(Opcode::kReverse, {plane}, std::move(others));
    }
    if (value->opcode == Opcode::kConcatenate && attributes.dimensions->front() == dim) {
      for (Instruction* piece : value->operands()) {
        const int64_t extent = piece->shape.dims[dim];
        if (q < extent) return extent == 1 ? build.reshape(piece, dims) : plane_of(piece, dim, q);
        q -= extent;
      }
    }
    return plane_of(value, dim, q);
  }

  // Read from the array.
  Instruction* plane_of(Instruction* value, int64_t dim, int64_t q) {
    if (value->opcode == Opcode::kConstant && value->shape.rank() == 1 && !value->literal.is_elided())
      return insert_scalar(*value, scalar_at(value->literal, q));
    GraphBuilder build(*computation_.root());
    return build.reshape(build.slice(value, dim, q, q + 1), without(value->shape.dims, dim));
  }

  // Row q of the matrix times the planes; sums begin with 0, as a product's do.
  Instruction* sum_of(const PlaneProduct& product, int64_t q, GraphBuilder& build) {
    const auto& [array, dim] = product.summed;
    const Dims dims = without(array->shape.dims, dim);
    const Shape& matrix = product.matrix->shape;
    const DType dtype = array->shape.dtype;
    Instruction* sum = is_float(dtype) ? build.real(dtype, 0, dims) : build.integer(dtype, 0, dims);
    for (int64_t k = 0; k < array->shape.dims[dim]; ++k) {
      const int64_t at = product.of_sum == 0 ? k * matrix.dims[1] + q : q * matrix.dims[1] + k;
      Instruction* plane = of(product.summed, k);
      const Literal factor = scalar_at(product.matrix->literal, at);
      const double value = factor.real_at(0);
      sum = value == 1    ? build.add({sum, plane})
            : value == -1 ? build.subtract({sum, plane})
                          : build.add({sum, build.multiply({build.splat(build.constant(factor), dims), plane})});
    }
    return sum;
  }

  // Writes the reductions out that `value`, which all planes share, is made of.
  void write_out_below(Instruction* value, const Dims& plane) {
    std::vector<Instruction*> open = {value};
    while (!open.empty()) {
      Instruction* next = open.back();
      open.pop_back();
      if (!whole_.insert(next).second) continue;
      if (may_be_written_out(*next)) {
        const Stack summed = {next->operand(0), next->attributes->dimensions->front()};
        if (!has_dims(*next, plane) || !may_count_planes(summed)) continue;
        std::vector<Instruction*> planes;
        for (int64_t q = 0; q < summed.first->shape.dims[summed.second]; ++q) planes.push_back(of(summed, q));
        write_out(*next, planes);
      } else if (is_of_plane(*next, plane)) {
        open.insert(open.end(), next->operands().begin(), next->operands().end());
      }
    }
  }

  Computation& computation_;
  std::map<std::pair<Stack, int64_t>, Instruction*> made_;  // only looked up
  std::set<Instruction*> whole_;                            // the same: what write_out_below has seen
};

}  // namespace

bool separate_planes(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (const auto& computation : module.computations()) changed |= Planes(*computation).run();
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
