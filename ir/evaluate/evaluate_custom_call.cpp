// Evaluating custom calls: those that place values on devices, the first of rows (ir/module/topk_calls.h), and linear
// algebra (ir/module/solver_calls.h).
#include <string>

#include "ir/evaluate/arrays/evaluate_linalg.h"
#include "ir/evaluate/elements/evaluate_scalar.h"
#include "ir/evaluate/elements/evaluate_wide.h"
#include "ir/module/device_functions.h"
#include "ir/module/host_functions.h"
#include "ir/module/one_device.h"
#include "ir/module/solver_calls.h"
#include "ir/module/topk_calls.h"
#include "ir/ops/evaluate_ops.h"

namespace sinter {

// evaluate_sort.cpp
Literal evaluate_topk_call(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context);

namespace {

using linalg::Matrix;

// The arrays of a solver call in the wide type, taken apart by batch entry.
template <class T>
class Solver {
 public:
  Solver(const Instruction& instruction, const SolverCall& call, std::span<const Literal> operands)
      : instruction_(instruction), call_(call) {
    for (const Literal& operand : operands) {
      inputs_.push_back(elements::widen<T>(operand));
      input_shapes_.push_back(operand.shape());
    }
    if (instruction.shape.is_tuple()) {
      result_shapes_ = instruction.shape.elements;
    } else {
      result_shapes_ = {instruction.shape};
    }
    for (const Shape& shape : result_shapes_) results_.emplace_back(static_cast<size_t>(shape.element_count()), T(0));
  }

  Literal run() {
    const int64_t batches = product_before(result_shapes_[0], result_rank());
    for (int64_t b = 0; b < batches; ++b) solve(b);
    std::vector<Literal> values;
    for (size_t i = 0; i < results_.size(); ++i) {
      std::vector<double> reals;  // results that are real where the matrices are not
      if (std::is_same_v<T, linalg::Complex> && !is_complex(result_shapes_[i].dtype)) {
        for (const T& value : results_[i]) reals.push_back(linalg::real_part(value));
        values.push_back(elements::narrow(reals, result_shapes_[i]));
      } else {
        values.push_back(elements::narrow(results_[i], result_shapes_[i]));
      }
    }
    return instruction_.shape.is_tuple() ? Literal::tuple(std::move(values)) : values[0];
  }

 private:
  using Kind = SolverCall::Kind;

  // Dimensions that belong to one entry of the first result.
  int64_t result_rank() const {
    return call_.kind == Kind::kPivotsToPermutation || (call_.kind == Kind::kTridiagonal && results_.size() > 1) ? 1
                                                                                                                 : 2;
  }

  static int64_t product_before(const Shape& shape, int64_t trailing) {
    int64_t count = 1;
    for (int64_t d = 0; d < shape.rank() - trailing; ++d) count *= shape.dims[static_cast<size_t>(d)];
    return count;
  }
  static int64_t rows(const Shape& shape) { return shape.dims[shape.dims.size() - 2]; }
  static int64_t columns(const Shape& shape) { return shape.dims.back(); }

  // A call with column-major matrices has them transposed.
  Matrix<T> as_called(Matrix<T> a) const { return call_.column_major ? linalg::transpose(a) : a; }

  Matrix<T> matrix(size_t operand, int64_t b) const {
    const int64_t m = rows(input_shapes_[operand]);
    const int64_t n = columns(input_shapes_[operand]);
    return as_called(Matrix<T>(m, n, inputs_[operand].data() + b * m * n));
  }
  const T* vector(size_t operand, int64_t b) const {
    return inputs_[operand].data() + b * columns(input_shapes_[operand]);
  }
  Matrix<T> result_matrix(size_t result) const {
    return as_called(Matrix<T>(rows(result_shapes_[result]), columns(result_shapes_[result])));
  }
  void give(size_t result, int64_t b, const Matrix<T>& value) { give(result, b, as_called(value).values); }
  template <class Number>
  void give(size_t result, int64_t b, const std::vector<Number>& values) {
    for (size_t i = 0; i < values.size(); ++i) {
      results_[result][static_cast<size_t>(b) * values.size() + i] = T(static_cast<Number>(values[i]));
    }
  }
  void give_info(size_t result, int64_t b, int64_t info) {
    results_[result][static_cast<size_t>(b)] = T(static_cast<double>(info));
  }

  void solve(int64_t b) {
    switch (call_.kind) {
      case Kind::kCholesky: {
        Matrix<T> a = matrix(0, b);
        give_info(1, b, linalg::cholesky(a, call_.lower));
        return give(0, b, a);
      }
      case Kind::kLu: {
        Matrix<T> a = matrix(0, b);
        std::vector<int64_t> pivots;
        give_info(2, b, linalg::lu(a, pivots));
        give(1, b, std::vector<double>(pivots.begin(), pivots.end()));
        return give(0, b, a);
      }
      case Kind::kQr: {
        Matrix<T> a = matrix(0, b);
        std::vector<T> scales;
        linalg::qr(a, scales);
        give(1, b, scales);
        return give(0, b, a);
      }
      case Kind::kHouseholder: {
        Matrix<T> a = matrix(0, b);
        const T* scales = vector(1, b);
        linalg::householder_product(a, std::vector<T>(scales, scales + columns(input_shapes_[1])));
        return give(0, b, a);
      }
      case Kind::kTriangularSolve: {
        Matrix<T> x = matrix(1, b);
        linalg::triangular_solve(matrix(0, b),
                                 {.left = call_.left,
                                  .lower = call_.lower,
                                  .unit_diagonal = call_.unit_diagonal,
                                  .transposed = call_.transposed,
                                  .conjugated = call_.conjugated},
                                 x);
        return give(0, b, x);
      }
      case Kind::kSymmetricEigen: {
        Matrix<T> a = matrix(0, b);
        std::vector<double> values;
        linalg::symmetric_eigen(a, call_.lower, values);
        give(1, b, values);
        return give(0, b, a);
      }
      case Kind::kSingularValues:
        return solve_singular_values(b);
      case Kind::kTridiagonal: {
        Matrix<T> x = matrix(3, b);
        linalg::tridiagonal_solve(vector(0, b), vector(1, b), vector(2, b), x);
        return give(results_.size() == 1 ? 0 : 3, b, x);
      }
      case Kind::kPivotsToPermutation: {
        std::vector<double> permutation;
        for (int64_t i = 0; i < columns(result_shapes_[0]); ++i) permutation.push_back(static_cast<double>(i));
        for (int64_t i = 0; i < columns(input_shapes_[0]); ++i) {
          const auto other = static_cast<int64_t>(linalg::real_part(vector(0, b)[i]));
          if (other < 0 || other >= columns(result_shapes_[0])) continue;
          std::swap(permutation[static_cast<size_t>(i)], permutation[static_cast<size_t>(other)]);
        }
        return give(0, b, permutation);
      }
    }
  }

  // The first result is what the library leaves of the operand, which nobody may read: zeros.
  void solve_singular_values(int64_t b) {
    const Matrix<T> a = matrix(0, b);
    Matrix<T> u = result_matrix(2);
    Matrix<T> v = result_matrix(3);
    if (call_.gives_transposed_v) v = linalg::adjoint(v);
    std::vector<double> values;
    linalg::singular_values(a, values, u, v);
    give(1, b, values);
    if (!call_.wants_vectors) return;
    give(2, b, u);
    give(3, b, call_.gives_transposed_v ? linalg::adjoint(v) : v);
  }

  const Instruction& instruction_;
  const SolverCall& call_;
  std::vector<std::vector<T>> inputs_, results_;
  std::vector<Shape> input_shapes_, result_shapes_;
};

// What a device function means in HLO, of elements, where a program says it.
const Computation* meaning_of(const Instruction& instruction) {
  const auto& called = instruction.attributes->called_computations;
  return calls_device_function(instruction) && called && called->size() == 1 ? (*called)[0] : nullptr;
}

}  // namespace

std::string why_not_custom_call(const Instruction& instruction) {
  const std::string target = instruction.attributes->custom_call_target.value_or("");
  if (is_placement(target) && operands_are_results(instruction)) return "";
  if (calls_device_function(instruction)) {
    if (meaning_of(instruction) != nullptr) return "";
    return "\"" + target + "\" is a device function, " + to_string(device_function(instruction)) +
           ", which the evaluator does not know";
  }
  if (calls_row_function(instruction)) {
    return "\"" + target + "\" is a row function, " + to_string(row_function(instruction).name) +
           ", which the evaluator does not know";
  }
  if (calls_host_function(instruction)) {
    return "\"" + target + "\" is a host function, " + to_string(host_function(instruction).name) +
           ", which the evaluator does not know";
  }
  if (solver_call(instruction) || topk_call(instruction)) return "";
  return "custom call \"" + target + "\" cannot be evaluated";
}

Literal evaluate_custom_call(const Instruction& instruction, std::span<const Literal> operands,
                             EvaluateContext& context) {
  if (topk_call(instruction)) return evaluate_topk_call(instruction, operands, context);
  if (const Computation* meaning = meaning_of(instruction)) {
    elements::ScalarFunction function(*meaning, context);
    Literal result(instruction.shape);
    std::vector<elements::ScalarFunction::Input> inputs;
    for (const Literal& operand : operands) inputs.push_back({operand.bytes().data(), 1});
    std::byte* output = result.mutable_bytes().data();
    function.run(inputs, std::span(&output, 1), result.element_count());
    return result;
  }
  const std::optional<SolverCall> call = solver_call(instruction);
  if (!call) {
    if (!instruction.shape.is_tuple()) return context.take(operands, 0);
    return Literal::tuple(std::vector<Literal>(operands.begin(), operands.end()));
  }
  // Jacobi's rotations take about ten passes of n^3.
  const Shape& a = operands[0].shape();
  context.count_product({a.element_count(), a.dims.back(), 10});
  if (is_complex(a.dtype)) return Solver<linalg::Complex>(instruction, *call, operands).run();
  return Solver<double>(instruction, *call, operands).run();
}

}  // namespace sinter
