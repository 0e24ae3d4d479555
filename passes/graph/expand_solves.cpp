// expand_solves: factorisations and triangular systems become loops over columns, a step of which updates whole
// matrices element by element.
//
//   %l = f32[8,8] cholesky(%a), lower=true
//     =>  for column j: l[i] = a[i,j] / sqrt(a[j,j]);   a[i,k] -= l[i] conj(l[k]) below and right of it
//
// Cholesky, triangular-solve, and the custom calls for Cholesky, LU with partial pivoting, QR, products of reflectors and
// triangular systems (ir/solver_calls.h). The batch dimensions are one, which every step works on at once. Other
// solver calls stay, and lowering refuses them.
#include <algorithm>

#include "ir/solver_calls.h"
#include "passes/graph/graph_builder.h"
#include "passes/graph/graph_loop.h"
#include "passes/graph/passes.h"
#include "passes/graph/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Dims = GraphBuilder::Dims;
using Values = std::vector<Value>;

constexpr DType kIndex = DType::kS32;

// What steps are written with. Matrices are [batch, rows, columns], vectors [batch, length], numbers [batch].
struct Steps {
  GraphBuilder& at;

  // Index `along` of each element.
  Value index(const Dims& dims, int64_t along) { return at.iota(kIndex, dims, along); }
  // Compares the index along one dimension with a number that is the same for all.
  Value where(const Dims& dims, int64_t along, std::string_view direction, Value step) {
    return at.compare(index(dims, along), at.splat(step, dims), direction);
  }
  Value both(Value a, Value b) { return at.make(Opcode::kAnd, {a, b}); }
  // The line `step` along one dimension of an array, which goes.
  Value line(Value a, int64_t dimension, Value step) {
    Dims dims = a->shape.dims;
    Values operands(1 + dims.size(), at.integer(kIndex, 0));
    operands[0] = a;
    operands[static_cast<size_t>(1 + dimension)] = step;
    Attributes attributes;
    attributes.dynamic_slice_sizes = dims;
    (*attributes.dynamic_slice_sizes)[static_cast<size_t>(dimension)] = 1;
    const Value slice = at.make(Opcode::kDynamicSlice, operands, std::move(attributes));
    dims.erase(dims.begin() + dimension);
    return at.reshape(slice, dims);
  }
  // A vector as the rows' or columns' numbers of a matrix, a number as all of a vector.
  Value over_rows(Value v, const Dims& dims) { return at.broadcast(v, dims, {0, 1}); }
  Value over_columns(Value v, const Dims& dims) { return at.broadcast(v, dims, {0, 2}); }
  Value over_all(Value number, const Dims& dims) { return at.broadcast(number, dims, {0}); }

  Value zeros(DType dtype, const Dims& dims) {
    return at.splat(at.constant(Literal(Shape::scalar(dtype))), dims);
  }
  Value one(DType dtype, const Dims& dims) { return at.convert(at.real(DType::kF32, 1, dims), dtype); }
  Value real(Value a) { return is_complex(a->shape.dtype) ? at.make(Opcode::kReal, {a}) : a; }
  Value imaginary(Value a) { return at.make(Opcode::kImag, {a}); }
  Value conjugate(Value a) {
    if (!is_complex(a->shape.dtype)) return a;
    return at.make(Opcode::kComplex, {real(a), at.make(Opcode::kNegate, {imaginary(a)})});
  }
  Value divide(Value a, Value b) { return at.make(Opcode::kDivide, {a, b}); }
  Value absolute(Value a) { return at.make(Opcode::kAbs, {a}); }
  Value square(Value a) {
    if (!is_complex(a->shape.dtype)) return at.multiply(a, a);
    const Value x = real(a);
    const Value y = imaginary(a);
    return at.add(at.multiply(x, x), at.multiply(y, y));
  }
  // Sums over i of conj(v[i]) a[i,k].
  Value products(Value v, Value a) {
    Attributes attributes;
    attributes.lhs_batch_dims = {0};
    attributes.rhs_batch_dims = {0};
    attributes.lhs_contracting_dims = {1};
    attributes.rhs_contracting_dims = {1};
    return at.make(Opcode::kDot, {conjugate(v), a}, std::move(attributes));
  }
  // Element `step` of each vector becomes the number.
  Value with_element(Value v, Value step, Value number) {
    return at.select(where(v->shape.dims, 1, "EQ", step), over_all(number, v->shape.dims), v);
  }
};

class SolveExpansion {
 public:
  explicit SolveExpansion(Instruction& position)
      : position_(position), module_(*position.parent()->parent()), at_(position), outer_{at_} {}

  // [batch..., rows, columns] as [batch, rows, columns].
  Value flat(Value a, int64_t kept = 2) {
    const Dims& dims = a->shape.dims;
    int64_t batch = 1;
    const auto first = dims.end() - kept;
    for (auto d = dims.begin(); d != first; ++d) batch *= *d;
    Dims flat_dims = {batch};
    flat_dims.insert(flat_dims.end(), first, dims.end());
    return at_.reshape(a, flat_dims);
  }

  Value adjoint(Value a) { return outer_.conjugate(at_.transpose(a, {0, 2, 1})); }

  // The factor in its triangle, zeros in the other.
  Value cholesky(Value operand, bool lower) {
    Value a = flat(operand);
    const Dims dims = a->shape.dims;
    if (!lower) a = adjoint(a);
    const Value in_triangle = at_.compare(outer_.index(dims, 1), outer_.index(dims, 2), "GE");
    a = at_.select(in_triangle, a, outer_.zeros(a->shape.dtype, dims));
    a = build_loop(at_, module_, {a}, dims[1], [&](GraphBuilder& at, Value j, const Values& state) {
      Steps steps{at};
      const Value a = state[0];
      const DType dtype = a->shape.dtype;
      const Value column = steps.line(a, 2, j);
      const Value pivot = at.make(Opcode::kSqrt, {steps.real(steps.line(column, 1, j))});
      const Value diagonal = at.convert(pivot, dtype);
      const Value l = steps.divide(column, steps.over_all(diagonal, column->shape.dims));
      const Value update = at.multiply(steps.over_rows(l, dims), steps.over_columns(steps.conjugate(l), dims));
      const Value right = steps.both(steps.where(dims, 2, "GT", j),
                                     at.compare(steps.index(dims, 1), steps.index(dims, 2), "GE"));
      const Value here = steps.where(dims, 2, "EQ", j);
      const Value below = steps.both(here, steps.where(dims, 1, "GT", j));
      const Value corner = steps.both(here, steps.where(dims, 1, "EQ", j));
      Value next = at.select(right, at.subtract(a, update), a);
      next = at.select(below, steps.over_rows(l, dims), next);
      return Values{at.select(corner, steps.over_all(diagonal, dims), next)};
    })[0];
    return lower ? a : adjoint(a);
  }

  // From 1, the first column whose pivot was not positive; 0 for none.
  Value cholesky_info(Value factor) {
    const Dims dims = factor->shape.dims;
    const Value is_diagonal = at_.compare(outer_.index(dims, 1), outer_.index(dims, 2), "EQ");
    const Value real = outer_.real(factor);
    const Value zero = outer_.zeros(real->shape.dtype, dims);
    const Value good = at_.compare(real, zero, "GT");
    const Value bad = outer_.both(is_diagonal, at_.make(Opcode::kNot, {good}));
    const Value column = at_.add(outer_.index(dims, 1), at_.integer(kIndex, 1, dims));
    const int64_t none = dims[1] + 1;
    const Value first = at_.reduce(at_.select(bad, column, at_.integer(kIndex, none, dims)),
                                   at_.integer(kIndex, none), {1, 2}, Opcode::kMinimum, module_);
    const Dims batch = {dims[0]};
    return at_.select(at_.compare(first, at_.integer(kIndex, none, batch), "EQ"), at_.integer(kIndex, 0, batch), first);
  }

  Value triangular_solve(Value matrix, Value right_side, const SolverCall& options) {
    Value a = flat(matrix);
    Value b = flat(right_side);
    if (options.conjugated) a = outer_.conjugate(a);
    // x op(a) = b is op(a)^T x^T = b^T; a matrix that is transposed has its triangle on the other side.
    const bool transposed = options.transposed == options.left;
    const bool lower = options.lower != transposed;
    if (transposed) a = at_.transpose(a, {0, 2, 1});
    if (!options.left) b = at_.transpose(b, {0, 2, 1});
    const Dims dims = b->shape.dims;
    const int64_t n = dims[1];
    b = build_loop(at_, module_, {a, b}, n, [&](GraphBuilder& at, Value step, const Values& state) {
      Steps steps{at};
      const Value a = state[0];
      const Value x = state[1];
      const Value j = lower ? step : at.subtract(at.integer(kIndex, n - 1), step);
      const Value column = steps.line(a, 2, j);
      Value solved = steps.line(x, 1, j);
      if (!options.unit_diagonal) {
        solved = steps.divide(solved, steps.over_all(steps.line(column, 1, j), solved->shape.dims));
      }
      const Value solved_rows = steps.over_columns(solved, dims);
      const Value update = at.multiply(steps.over_rows(column, dims), solved_rows);
      const Value after = steps.where(dims, 1, lower ? "GT" : "LT", j);
      const Value next = at.select(after, at.subtract(x, update), x);
      return Values{a, at.select(steps.where(dims, 1, "EQ", j), solved_rows, next)};
    })[1];
    return options.left ? b : at_.transpose(b, {0, 2, 1});
  }

  // L and U, pivots from 1, info.
  Values lu(Value operand) {
    const Value a = flat(operand);
    const Dims dims = a->shape.dims;
    const Dims vector = {dims[0], dims[1]};
    const Dims batch = {dims[0]};
    const int64_t count = std::min(dims[1], dims[2]);
    const Values initial = {a, at_.integer(kIndex, 0, {dims[0], count}), at_.integer(kIndex, 0, batch)};
    return build_loop(at_, module_, initial, count, [&](GraphBuilder& at, Value j, const Values& state) {
      Steps steps{at};
      const Value a = state[0];
      const DType dtype = a->shape.dtype;
      const Value column = steps.line(a, 2, j);
      // The largest from the diagonal down; LAPACK adds the parts of complex numbers.
      Value size = steps.absolute(steps.real(column));
      if (is_complex(dtype)) size = at.add(size, steps.absolute(steps.imaginary(column)));
      const DType real_type = size->shape.dtype;
      size = at.select(steps.where(vector, 1, "GE", j), size, at.real(real_type, -1, vector));
      const Value largest = at.reduce(size, at.real(real_type, -1), {1}, Opcode::kMaximum, module_);
      const Value is_largest = at.compare(size, steps.over_all(largest, vector), "EQ");
      const Value none = at.integer(kIndex, dims[1], vector);
      Value pivot = at.reduce(at.select(is_largest, steps.index(vector, 1), none), at.integer(kIndex, dims[1]), {1},
                              Opcode::kMinimum, module_);
      const Value diagonal = at.splat(j, batch);
      // Where there are NaNs, there may be no largest.
      pivot = at.select(at.compare(pivot, at.integer(kIndex, dims[1], batch), "LT"), pivot, diagonal);

      const Value pivot_row = row_of_each(at, a, pivot);
      const Value present_row = steps.line(a, 1, j);
      const Value is_pivot = at.compare(steps.index(dims, 1), steps.over_all(pivot, dims), "EQ");
      Value exchanged = at.select(is_pivot, steps.over_columns(present_row, dims), a);
      exchanged = at.select(steps.where(dims, 1, "EQ", j), steps.over_columns(pivot_row, dims), exchanged);

      const Value divisor = steps.line(pivot_row, 1, j);
      const Value is_zero = at.compare(divisor, steps.zeros(dtype, batch), "EQ");
      const Value was_here = at.compare(steps.index(vector, 1), steps.over_all(pivot, vector), "EQ");
      const Value moved = at.select(was_here, steps.over_all(steps.line(present_row, 1, j), vector), column);
      Value factor = steps.divide(moved, steps.over_all(divisor, vector));
      factor = at.select(steps.over_all(is_zero, vector), steps.zeros(dtype, vector), factor);
      const Value factors = steps.over_rows(factor, dims);
      const Value update = at.multiply(factors, steps.over_columns(pivot_row, dims));
      const Value below = steps.where(dims, 1, "GT", j);
      const Value right = steps.both(below, steps.where(dims, 2, "GT", j));
      const Value under = steps.both(below, steps.where(dims, 2, "EQ", j));
      Value next = at.select(right, at.subtract(exchanged, update), exchanged);
      next = at.select(under, factors, next);

      const Value from_one = at.add(pivot, at.integer(kIndex, 1, batch));
      const Value fails = steps.both(is_zero, at.compare(state[2], at.integer(kIndex, 0, batch), "EQ"));
      const Value number = at.add(diagonal, at.integer(kIndex, 1, batch));
      return Values{next, steps.with_element(state[1], j, from_one), at.select(fails, number, state[2])};
    });
  }

  Value permutation(Value pivots, int64_t n) {
    const Value steps_taken = flat(pivots, 1);
    const Dims dims = {steps_taken->shape.dims[0], n};
    return build_loop(at_, module_, {steps_taken, at_.iota(kIndex, dims, 1)}, steps_taken->shape.dims[1],
                      [&](GraphBuilder& at, Value i, const Values& state) {
                        Steps steps{at};
                        const Value other = steps.line(state[0], 1, i);
                        const Value here = steps.line(state[1], 1, i);
                        const Value there = row_of_each(at, state[1], other);
                        const Value is_other = at.compare(steps.index(dims, 1), steps.over_all(other, dims), "EQ");
                        const Value next = at.select(is_other, steps.over_all(here, dims), state[1]);
                        return Values{state[0], steps.with_element(next, i, there)};
                      })[1];
  }

  // R with the reflectors below, and their scales.
  Values qr(Value operand) {
    const Value a = flat(operand);
    const Dims dims = a->shape.dims;
    const Dims vector = {dims[0], dims[1]};
    const Dims batch = {dims[0]};
    const int64_t count = std::min(dims[1], dims[2]);
    const Values initial = {a, outer_.zeros(a->shape.dtype, {dims[0], count})};
    return build_loop(at_, module_, initial, count, [&](GraphBuilder& at, Value j, const Values& state) {
      Steps steps{at};
      const Value a = state[0];
      const DType dtype = a->shape.dtype;
      const Value column = steps.line(a, 2, j);
      const Value alpha = steps.line(column, 1, j);
      const Value squares = steps.square(column);
      const DType real_type = squares->shape.dtype;
      const Value below = steps.where(vector, 1, "GT", j);
      const Value rest = at.reduce(at.select(below, squares, steps.zeros(real_type, vector)), at.real(real_type, 0), {1},
                                   Opcode::kAdd, module_);
      Value length = at.make(Opcode::kSqrt, {at.add(rest, steps.square(alpha))});
      const Value zero = steps.zeros(real_type, batch);
      Value idle = at.compare(rest, zero, "EQ");
      if (is_complex(dtype)) idle = steps.both(idle, at.compare(steps.imaginary(alpha), zero, "EQ"));
      const Value is_positive = at.compare(steps.real(alpha), zero, "GT");
      const Value reflected = at.convert(at.select(is_positive, at.make(Opcode::kNegate, {length}), length), dtype);
      const Value beta = at.select(idle, alpha, reflected);
      const Value none = steps.zeros(dtype, batch);
      const Value scale = at.select(idle, none, steps.divide(at.subtract(beta, alpha), beta));
      const Value divisor = at.select(idle, steps.one(dtype, batch), at.subtract(alpha, beta));
      Value v = at.select(below, steps.divide(column, steps.over_all(divisor, vector)), steps.zeros(dtype, vector));
      v = steps.with_element(v, j, steps.one(dtype, batch));
      const Value sums = at.multiply(steps.products(v, a), steps.over_all(steps.conjugate(scale), {dims[0], dims[2]}));
      const Value update = at.multiply(steps.over_rows(v, dims), steps.over_columns(sums, dims));
      const Value here = steps.where(dims, 2, "EQ", j);
      Value next = at.select(steps.where(dims, 2, "GT", j), at.subtract(a, update), a);
      next = at.select(steps.both(here, steps.where(dims, 1, "GT", j)), steps.over_rows(v, dims), next);
      next = at.select(steps.both(here, steps.where(dims, 1, "EQ", j)), steps.over_all(beta, dims), next);
      return Values{next, steps.with_element(state[1], j, scale)};
    });
  }

  Value householder_product(Value reflectors, Value scales) {
    const Value a = flat(reflectors);
    const Value s = flat(scales, 1);
    const Dims dims = a->shape.dims;
    const Dims vector = {dims[0], dims[1]};
    const DType dtype = a->shape.dtype;
    const int64_t count = s->shape.dims[1];
    const Value is_diagonal = at_.compare(outer_.index(dims, 1), outer_.index(dims, 2), "EQ");
    const Value identity = at_.convert(is_diagonal, dtype);
    return build_loop(at_, module_, {a, s, identity}, count, [&](GraphBuilder& at, Value step, const Values& state) {
      Steps steps{at};
      const Value j = at.subtract(at.integer(kIndex, count - 1), step);
      Value v = at.select(steps.where(vector, 1, "GT", j), steps.line(state[0], 2, j), steps.zeros(dtype, vector));
      v = steps.with_element(v, j, steps.one(dtype, {dims[0]}));
      const Value scale = steps.line(state[1], 1, j);
      const Value sums = at.multiply(steps.products(v, state[2]), steps.over_all(scale, {dims[0], dims[2]}));
      const Value update = at.multiply(steps.over_rows(v, dims), steps.over_columns(sums, dims));
      return Values{state[0], state[1], at.subtract(state[2], update)};
    })[2];
  }

  // The instruction becomes these values, as it states their dimensions.
  void become_results(const Values& results) {
    if (!position_.shape.is_tuple()) {
      become(position_, Opcode::kReshape, {results[0]});
      return;
    }
    Values shaped;
    for (size_t i = 0; i < results.size(); ++i) {
      shaped.push_back(at_.reshape(results[i], position_.shape.elements[i].dims));
    }
    become(position_, Opcode::kTuple, shaped);
  }

 private:
  // Row row[b] of each matrix, or element of each vector.
  static Value row_of_each(GraphBuilder& at, Value a, Value row) {
    Attributes gather;
    gather.offset_dims.emplace();
    if (a->shape.rank() == 3) gather.offset_dims->push_back(1);
    gather.collapsed_slice_dims = {1};
    gather.start_index_map = {1};
    gather.operand_batching_dims = {0};
    gather.start_indices_batching_dims = {0};
    gather.index_vector_dim = 1;
    gather.slice_sizes = a->shape.dims;
    (*gather.slice_sizes)[0] = 1;
    (*gather.slice_sizes)[1] = 1;
    return at.make(Opcode::kGather, {a, row}, std::move(gather));
  }

  Instruction& position_;
  Module& module_;
  GraphBuilder at_;
  Steps outer_;
};

bool is_empty(const Instruction& instruction) {
  const Shape& shape = instruction.shape.is_tuple() ? instruction.shape.elements[0] : instruction.shape;
  return shape.element_count() == 0;
}

void expand_opcode(Instruction& instruction) {
  const Attributes attributes = instruction.attributes;
  SolveExpansion expansion(instruction);
  if (instruction.opcode == Opcode::kCholesky) {
    expansion.become_results({expansion.cholesky(instruction.operand(0), attributes.lower.value_or(false))});
    return;
  }
  const std::string transpose = attributes.transpose_a.value_or("NO_TRANSPOSE");
  SolverCall options;
  options.left = attributes.left_side.value_or(false);
  options.lower = attributes.lower.value_or(false);
  options.unit_diagonal = attributes.unit_diagonal.value_or(false);
  options.transposed = transpose != "NO_TRANSPOSE";
  options.conjugated = transpose == "ADJOINT";
  expansion.become_results({expansion.triangular_solve(instruction.operand(0), instruction.operand(1), options)});
}

bool expand_call(Instruction& instruction, const SolverCall& call) {
  SolveExpansion expansion(instruction);
  Value a = instruction.operand(0);
  switch (call.kind) {
    case SolverCall::Kind::kCholesky: {
      const Value factor = expansion.cholesky(a, call.lower);
      expansion.become_results({factor, expansion.cholesky_info(factor)});
      return true;
    }
    case SolverCall::Kind::kLu:
      expansion.become_results(expansion.lu(a));
      return true;
    case SolverCall::Kind::kQr:
      expansion.become_results(expansion.qr(a));
      return true;
    case SolverCall::Kind::kHouseholder:
      expansion.become_results({expansion.householder_product(a, instruction.operand(1))});
      return true;
    case SolverCall::Kind::kTriangularSolve:
      expansion.become_results({expansion.triangular_solve(a, instruction.operand(1), call)});
      return true;
    case SolverCall::Kind::kPivotsToPermutation:
      expansion.become_results({expansion.permutation(a, instruction.shape.dims.back())});
      return true;
    default:
      return false;
  }
}

}  // namespace

bool expand_solves(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (const Opcode opcode : {Opcode::kCholesky, Opcode::kTriangularSolve}) {
    for (Instruction* instruction : instructions_of(module, opcode)) {
      if (is_empty(*instruction)) {
        become_splat(*instruction, Literal(Shape::scalar(instruction->shape.dtype)));
      } else {
        expand_opcode(*instruction);
      }
      changed = true;
    }
  }
  for (Instruction* instruction : instructions_of(module, Opcode::kCustomCall)) {
    const std::optional<SolverCall> call = solver_call(*instruction);
    if (call && !is_empty(*instruction)) changed |= expand_call(*instruction, *call);
  }
  if (changed) module.sort_computations();
  return changed;
}

}  // namespace sinter
