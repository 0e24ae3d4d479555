// choose_solves: linear algebra takes the form in which it is compiled.
//
//   %l = f32[4096,4096] cholesky(%a), lower=true
//     =>  %c = (f32[4096,4096], s32[]) custom-call(%a), custom_call_target="sinter_potrf"
//         %l = %c's factor, zeros above the diagonal, NaNs where it says that there is none
//
// What a stage solves stays as it is. What does not fit one becomes the call of a library (ir/module/solver_calls.h),
// whose matrices are transposed: columns are contiguous. Where an algorithm does as well with the transposed matrix,
// nothing is transposed. Matrices of narrow floats are solved in f32; what has no elements is a constant.
#include "passes/stages/own/solve_form.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Kind = SolverCall::Kind;

using Value = GraphBuilder::Value;
using Dims = GraphBuilder::Dims;

Dims swapped(Dims dims) {
  std::swap(dims[dims.size() - 2], dims.back());
  return dims;
}
Shape swapped(Shape shape) { return Shape::array(shape.dtype, swapped(shape.dims)); }

class SolveChoice {
 public:
  SolveChoice(Instruction& instruction, const SolverCall& call)
      : position_(instruction), call_(call), at_(instruction) {}

  // Nothing is solved: the results are empty, or what an empty matrix has.
  void become_trivial() {
    std::vector<Value> results;
    for (size_t i = 0; i < result_count(); ++i) results.push_back(trivial_result(i));
    become_results(results);
  }

  // True if the instruction became a library's call and what makes its results of the call's.
  bool become_library_call() {
    switch (call_.kind) {
      case Kind::kCholesky:
        factor_cholesky();
        return true;
      case Kind::kLu: {
        const Value a = position_.operand(0);
        const std::vector<Value> made =
            make_call({transpose(a)}, {swapped(a->shape), result_shape(position_, 1), result_shape(position_, 2)});
        become_results({transpose(made[0]), made[1], made[2]});
        return true;
      }
      case Kind::kQr: {
        const Value a = position_.operand(0);
        const std::vector<Value> made = make_call({transpose(a)}, {swapped(a->shape), result_shape(position_, 1)});
        become_results({transpose(made[0]), made[1]});
        return true;
      }
      case Kind::kHouseholder: {
        const Value a = position_.operand(0);
        become_results({transpose(make_call({transpose(a), position_.operand(1)}, {swapped(a->shape)})[0])});
        return true;
      }
      case Kind::kTriangularSolve: {
        // Of the transposed matrix m = a^T, op(a) x = b is x^T op(m) = b^T.
        call_.left = !call_.left;
        call_.lower = !call_.lower;
        const Value b = position_.operand(1);
        become_results(make_call({position_.operand(0), b}, {b->shape}));
        return true;
      }
      case Kind::kSymmetricEigen: {
        // The transposed matrix is the conjugate one, and so are its vectors.
        call_.lower = !call_.lower;
        const Value a = position_.operand(0);
        const std::vector<Value> made =
            make_call({a}, {a->shape, result_shape(position_, 1), result_shape(position_, 2)});
        become_results({conjugate(transpose(made[0])), made[1], made[2]});
        return true;
      }
      case Kind::kSingularValues:
        decompose();
        return true;
      case Kind::kTridiagonal:
        solve_tridiagonal();
        return true;
      case Kind::kPivotsToPermutation:
        return false;
    }
    return false;
  }

  // f16 and the like: operands become f32, the result what it was.
  void become_wide() {
    std::vector<Value> operands;
    for (const Value operand : position_.operands()) operands.push_back(at_.convert(operand, DType::kF32));
    const Value wide = at_.make(position_.opcode, operands, position_.attributes);
    become(position_, Opcode::kConvert, {wide});
  }

 private:
  size_t result_count() const { return position_.shape.is_tuple() ? position_.shape.elements.size() : 1; }

  Value zeros(const Shape& shape) { return at_.splat(at_.constant(Literal(Shape::scalar(shape.dtype))), shape.dims); }

  Value transpose(Value a) {
    Dims permutation = iota_list(a->shape.rank());
    return at_.transpose(a, swapped(permutation));
  }

  Value conjugate(Value a) {
    if (!is_complex(a->shape.dtype)) return a;
    const Value negated = at_.make(Opcode::kNegate, {at_.make(Opcode::kImag, {a})});
    return at_.make(Opcode::kComplex, {at_.make(Opcode::kReal, {a}), negated});
  }

  // Compares the place of each element in its matrix: row with column.
  Value compare_place(const Dims& dims, std::string_view direction) {
    const auto rank = static_cast<int64_t>(dims.size());
    return at_.compare({at_.iota(DType::kS32, dims, rank - 2), at_.iota(DType::kS32, dims, rank - 1)}, direction);
  }

  Value trivial_result(size_t i) {
    const Shape& shape = result_shape(position_, i);
    if (call_.kind == Kind::kPivotsToPermutation) return at_.iota(DType::kS32, shape.dims, shape.rank() - 1);
    const bool vectors = call_.kind == Kind::kSingularValues && (i == 2 || i == 3) && call_.wants_vectors;
    if (call_.kind == Kind::kHouseholder || vectors) return at_.convert(compare_place(shape.dims, "EQ"), shape.dtype);
    return zeros(shape);
  }

  std::vector<Value> make_call(const std::vector<Value>& operands, const std::vector<Shape>& results) {
    call_.column_major = true;
    Attributes attributes;
    attributes.custom_call_target = "sinter_" + std::string(lapack_name(call_.kind));
    const bool several = results.size() > 1;
    Instruction* made = insert_like(position_, Opcode::kCustomCall, several ? Shape::tuple(results) : results[0],
                                    operands, std::move(attributes), std::string(lapack_name(call_.kind)));
    made->annotations.edit().backend_config = option_text(call_);
    if (!several) return {made};
    std::vector<Value> elements;
    for (size_t i = 0; i < results.size(); ++i) elements.push_back(at_.tuple_element(made, static_cast<int64_t>(i)));
    return elements;
  }

  void factor_cholesky() {
    // Of the transposed matrix, the other triangle gives the transposed factor.
    const bool lower = call_.lower;
    call_.lower = !lower;
    const Value a = position_.operand(0);
    const Shape& shape = a->shape;
    const Shape info_shape = Shape::array(DType::kS32, Dims(shape.dims.begin(), shape.dims.end() - 2));
    const std::vector<Value> made = make_call({a}, {shape, info_shape});
    const Value in_triangle = compare_place(shape.dims, lower ? "GE" : "LE");
    const Value factor = at_.select({in_triangle, made[0], zeros(shape)});
    if (!call_.is_opcode) {
      become_results({factor, made[1]});
      return;
    }
    const Value fails = at_.compare({made[1], zeros(info_shape)}, "NE");
    const Value nan =
        at_.convert(at_.real(DType::kF32, std::numeric_limits<double>::quiet_NaN(), shape.dims), shape.dtype);
    become_results({at_.select({at_.broadcast(fails, shape.dims, iota_list(shape.rank() - 2)), nan, factor})});
  }

  // A matrix that is wider than tall is decomposed as its transpose, which has u and v exchanged.
  void decompose() {
    const Value a = position_.operand(0);
    const auto [rows, columns] = matrix_extents(call_, a->shape);
    const bool tall = rows >= columns;
    const Shape u_shape = result_shape(position_, 2);
    const Shape v_shape = result_shape(position_, 3);
    const Shape vt_shape = call_.gives_transposed_v ? v_shape : swapped(v_shape);
    const bool wants_vectors = call_.wants_vectors;
    const Value operand = tall ? transpose(a) : a;
    const std::vector<Value> made =
        make_call({operand}, {operand->shape, result_shape(position_, 1), tall ? swapped(u_shape) : vt_shape,
                              tall ? swapped(vt_shape) : u_shape, result_shape(position_, 4)});
    Value u = zeros(u_shape);
    Value v = zeros(v_shape);
    if (wants_vectors) {
      u = tall ? transpose(made[2]) : made[3];
      const Value vt_transposed = tall ? made[3] : transpose(made[2]);
      v = call_.gives_transposed_v ? (tall ? transpose(made[3]) : made[2]) : conjugate(vt_transposed);
    }
    become_results({zeros(a->shape), made[1], u, v, made[4]});
  }

  void solve_tridiagonal() {
    const Value diagonal = position_.operand(1);
    const Dims dims = diagonal->shape.dims;
    const Dims batch(dims.begin(), dims.end() - 1);
    const auto along = static_cast<int64_t>(batch.size());
    const int64_t n = dims.back();
    // Elements that stand outside the matrix are not read here; a library may want zeros.
    const auto without = [&](Value of, int64_t place) {
      const Value here = at_.compare({at_.iota(DType::kS32, dims, along), at_.integer(DType::kS32, place, dims)}, "EQ");
      return at_.select({here, zeros(of->shape), of});
    };
    // cuSPARSE solves three equations or more: the others say that unknowns are zero.
    const int64_t more = std::max<int64_t>(3 - n, 0);
    const auto filled = [&](Value of, bool ones) {
      if (more == 0) return of;
      Shape shape = of->shape;
      shape.dims[batch.size()] = more;
      const Value zero = zeros(Shape::array(shape.dtype, shape.dims));
      const Value one = at_.convert(at_.real(DType::kF32, 1, shape.dims), shape.dtype);
      return at_.concatenate({of, ones ? one : zero}, along);
    };
    const Value lower = filled(without(position_.operand(0), 0), false);
    const Value upper = filled(without(position_.operand(2), n - 1), false);
    const Value b = transpose(filled(position_.operand(3), false));
    const Value middle = filled(diagonal, true);
    const Shape vector = middle->shape;
    const std::vector<Value> made =
        make_call({lower, middle, upper, b}, {vector, vector, vector, b->shape, Shape::array(DType::kS32, batch)});
    const Value x = at_.slice(transpose(made[3]), along, 0, n);
    if (result_count() == 1) {
      become_results({x});
    } else {
      const Value unread = zeros(diagonal->shape);
      become_results({unread, unread, unread, x, made[4]});
    }
  }

  void become_results(const std::vector<Value>& results) {
    if (position_.shape.is_tuple()) {
      become(position_, Opcode::kTuple, results);
    } else {
      become(position_, Opcode::kReshape, {results[0]});
    }
  }

  Instruction& position_;
  SolverCall call_;
  GraphBuilder at_;
};

bool is_trivial(const SolverCall& call, const Instruction& instruction) {
  const auto none = [](const Shape& shape) { return shape.element_count() == 0; };
  switch (call.kind) {
    case Kind::kPivotsToPermutation:
      return none(instruction.operand(0)->shape);
    case Kind::kTriangularSolve:
    case Kind::kHouseholder:
      return none(instruction.operand(1)->shape) || none(result_shape(instruction, 0));
    case Kind::kTridiagonal:
      return none(instruction.operand(3)->shape);
    default:
      return none(instruction.operand(0)->shape);
  }
}

}  // namespace

bool choose_solves(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (const Opcode opcode : {Opcode::kCholesky, Opcode::kTriangularSolve}) {
    for (Instruction* instruction : instructions_of(module, opcode)) {
      if (!is_float(instruction->shape.dtype) || dtype_bits(instruction->shape.dtype) >= 32) continue;
      SolveChoice(*instruction, {}).become_wide();
      changed = true;
    }
  }
  for (const Opcode opcode : {Opcode::kCholesky, Opcode::kTriangularSolve, Opcode::kCustomCall}) {
    for (Instruction* instruction : instructions_of(module, opcode)) {
      const std::optional<SolverCall> call = solver_call(*instruction);
      if (!call || call->column_major) continue;
      if (is_trivial(*call, *instruction)) {
        SolveChoice(*instruction, *call).become_trivial();
        changed = true;
      } else if (!fits_block(*call, *instruction)) {
        changed |= SolveChoice(*instruction, *call).become_library_call();
      }
    }
  }
  return changed;
}

}  // namespace sinter
