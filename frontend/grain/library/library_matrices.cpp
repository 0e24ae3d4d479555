// The library's functions of matrices. Factors that HLO has no opcode for are calls of LAPACK's routines by name, as
// JAX writes them.
#include <algorithm>

#include "frontend/grain/compiler.h"

namespace sinter::grain {
namespace {

// Characters of LAPACK's interface, as numbers.
constexpr const char* kVectorsOfLowerTriangle = "{mode = 86 : ui8, uplo = 76 : ui8}";  // V, L
constexpr const char* kAsManyAsColumns = "{mode = 83 : ui8}";                          // S

}  // namespace

bool Compiler::is_matrix_function(const std::string& name) const {
  constexpr const char* kNames[] = {"cholesky", "solve_triangular", "eigh", "qr", "svd"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

std::vector<Type> Compiler::check_matrix_function(Expr& expr) {
  const std::string& name = expr.text;
  place_arguments(expr, name,
                  name == "solve_triangular" ? std::vector<std::string>{"l", "b", "lower", "transpose"}
                                             : std::vector<std::string>{"a"},
                  name == "solve_triangular" ? 2 : 1);
  Expr& x = **expr.placed[0];
  const Type a = check_array_argument(expr, x);
  if (a.element.is_open()) fail({x.begin}, "E0754", "nothing says of which type " + quote(x) + " is");
  const std::string of_several = "of several: y[b, :, :] = " + name + "(x[b, :, :])";
  const bool is_square = name != "qr" && name != "svd";
  if (a.rank() != 2 || (is_square && !(a.dims[0] == a.dims[1]))) {
    fail({x.begin}, "E0712",
         name + " takes a " + (is_square ? "square " : "") + "matrix, " + quote(x) + " is " + text(a), of_several);
  }
  if (!a.element.is(DType::kF32) && !a.element.is(DType::kF64))
    fail({x.begin}, "E0753", name + " takes f32 or f64, " + quote(x) + " is " + text(a));
  if (name == "cholesky") return {a};
  const Type columns{a.element, {a.dims[1], a.dims[1]}}, values{a.element, {a.dims[1]}};
  if (name == "eigh") return {values, a};
  if (name == "solve_triangular") {
    const Type b = check_array_argument(expr, **expr.placed[1]);
    if (!(b.element == a.element) || b.rank() > 2 || !(b.dims[0] == a.dims[0])) {
      fail({(*expr.placed[1])->begin}, "E0712",
           "the right sides are [n] or [n, m] for a matrix [n, n]: " + text(a) + " and " + text(b));
    }
    for (size_t i = 2; i < 4; ++i) {
      if (expr.placed[i] == nullptr) continue;
      Expr& option = **expr.placed[i];
      check(option);
      if (!option.number || !option.number->is_pred)
        fail({option.begin}, "E0646", "lower and transpose are true or false");
    }
    return {b};
  }
  if (lowering_ && value_of(a.dims[0], expr.loc) < value_of(a.dims[1], expr.loc)) {
    fail({x.begin}, "E0712",
         name + " takes a matrix of at least as many rows as columns, " + quote(x) + " is " + text(a),
         "of its transpose: turned[j, i] = " + quote(x) + "[i, j]");
  }
  if (name == "qr") return {a, columns};
  return {a, values, columns};
}

std::vector<Value> Compiler::lower_matrix_function(Expr& expr) {
  Part a = lower(**expr.placed[0]).parts[0];
  a.value = builder_.here(a.value);
  const DType dtype = a.value->shape.dtype;
  // The shape of a result that ends in these extents.
  const auto shape = [&](const Dims& own) {
    Dims dims = frame_dims(a.frame);
    dims.insert(dims.end(), own.begin(), own.end());
    return Shape::array(dtype, dims);
  };
  Shape counts = shape({});
  counts.dtype = DType::kS32;
  const int64_t columns = a.value->shape.dims.back();
  std::vector<Part> results;
  if (expr.text == "cholesky") {
    results = {lower_cholesky(a)};
  } else if (expr.text == "solve_triangular") {
    results = {lower_triangular_solve(expr, a)};
  } else if (expr.text == "eigh") {
    const std::vector<Part> made =
        call_routine("syevd", kVectorsOfLowerTriangle, {a}, {a.value->shape, shape({columns}), counts});
    results = {made[1], made[0]};
  } else if (expr.text == "qr") {
    const std::vector<Part> made = call_routine("geqrf", "", {a}, {a.value->shape, shape({columns})});
    const size_t rows = a.frame.size();
    Part upper = triangle(made[0], "LE");
    upper.value = builder_.slice(upper.value, rows, 0, columns);
    results = {call_routine("orgqr", "", made, {a.value->shape})[0], upper};
  } else {
    const Shape square = shape({columns, columns});
    const std::vector<Part> made = call_routine("gesdd", kAsManyAsColumns, {a},
                                                {a.value->shape, shape({columns}), a.value->shape, square, counts});
    results = {made[2], made[1], made[3]};
  }
  std::vector<Value> values(results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    values[i].type = results.size() == 1 ? expr.type : Type{Element::of(dtype), {}};
    values[i].parts = {results[i]};
  }
  return values;
}

Part Compiler::triangle(const Part& a, std::string_view direction) {
  const Dims& dims = a.value->shape.dims;
  const auto rank = static_cast<int64_t>(dims.size());
  Instruction* row = builder_.iota(DType::kS32, dims, rank - 2);
  Instruction* column = builder_.iota(DType::kS32, dims, rank - 1);
  Instruction* keep = builder_.compare(row, column, direction);
  Instruction* zero = builder_.broadcast(builder_.number(a.value->shape.dtype, 0), dims, {});
  return {builder_.make(Opcode::kSelect, {keep, a.value, zero}), a.frame, std::nullopt};
}

Part Compiler::lower_cholesky(const Part& a) {
  Attributes attributes;
  attributes.lower = true;
  return triangle({builder_.make(Opcode::kCholesky, {a.value}, attributes), a.frame, std::nullopt}, "GE");
}

Part Compiler::lower_triangular_solve(Expr& expr, const Part& a) {
  const Part b = lower(**expr.placed[1]).parts[0];
  const Frame frame = join({a, b});
  const Dims own = type_dims(b);
  Instruction* right = expand(b, frame, own);
  const Dims before = right->shape.dims;
  if (own.size() == 1) {
    Dims with_one = before;
    with_one.push_back(1);
    right = builder_.reshape(right, with_one);
  }
  const auto option = [&](size_t i, bool standard) {
    return expr.placed[i] == nullptr ? standard : (*expr.placed[i])->number->integer != 0;
  };
  Attributes attributes;
  attributes.left_side = true;
  attributes.lower = option(2, true);
  attributes.unit_diagonal = false;
  attributes.transpose_a = option(3, false) ? "TRANSPOSE" : "NO_TRANSPOSE";
  Instruction* solved = builder_.make(Opcode::kTriangularSolve, {expand(a, frame, type_dims(a)), right}, attributes);
  return {builder_.reshape(solved, before), frame, std::nullopt};
}

std::vector<Part> Compiler::call_routine(const std::string& routine, const std::string& options,
                                         const std::vector<Part>& inputs, const std::vector<Shape>& results) {
  std::vector<Instruction*> operands;
  for (const Part& input : inputs) operands.push_back(input.value);
  const bool is_single = operands[0]->shape.dtype == DType::kF32;
  Attributes attributes;
  attributes.custom_call_target = std::string("lapack_") + (is_single ? "s" : "d") + routine + "_ffi";
  const bool is_one = results.size() == 1;
  Instruction* call =
      builder_.make_as(Opcode::kCustomCall, is_one ? results[0] : Shape::tuple(results), operands, attributes);
  if (!options.empty()) call->annotations.edit().backend_config = options;
  std::vector<Part> parts;
  for (size_t i = 0; i < results.size(); ++i)
    parts.push_back({is_one ? call : builder_.tuple_element(call, i), inputs[0].frame, std::nullopt});
  return parts;
}

}  // namespace sinter::grain
