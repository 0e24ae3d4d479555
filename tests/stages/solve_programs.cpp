// solve_programs: factorisations, triangular systems and decompositions of every form (a thread, a warp or a block a
// matrix; a library's call), compiled and built into one library, compared with the evaluator. Eigenvectors and
// singular vectors are not unique: their programs multiply them back.
#include <complex>
#include <utility>

#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

using Dims = std::vector<int64_t>;

enum class Fill : uint8_t {
  kAny,
  kDominant,   // of each row, the diagonal is the largest by far
  kHermitian,  // that and equal to its adjoint: positive definite
  kBroken,     // that, but for every second matrix, whose middle pivot is negative
  kSingular,   // a column of zeros
  kPivots,     // rows that exist, from 0
};

using Program = StageProgram;

std::string type(DType dtype, const Dims& dims) { return to_string(Shape::array(dtype, dims), false); }

Dims with(Dims batch, const Dims& dims) {
  batch.insert(batch.end(), dims.begin(), dims.end());
  return batch;
}

// Numbers between -1 and 1 without a pattern, then what `fill` says of matrices.
Literal input(const Shape& shape, Fill fill, uint64_t seed) {
  Literal literal(shape);
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  const auto draw = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 33) / static_cast<double>(1u << 30) - 1;
  };
  const int64_t n = shape.rank() > 0 ? shape.dims.back() : 1;
  if (fill == Fill::kPivots) {
    for (int64_t i = 0; i < literal.element_count(); ++i)
      literal.set_integer(i, i % n + static_cast<int64_t>(draw() + 1));
    return literal;
  }
  std::vector<std::complex<double>> values(static_cast<size_t>(literal.element_count()));
  for (std::complex<double>& value : values) value = {draw(), is_complex(shape.dtype) ? draw() : 0};
  const int64_t rows = shape.rank() > 1 ? shape.dims[shape.dims.size() - 2] : 1;
  for (int64_t at = 0; at < std::ssize(values); at += rows * n) {
    const auto entry = [&](int64_t i, int64_t j) -> std::complex<double>& {
      return values[static_cast<size_t>(at + i * n + j)];
    };
    for (int64_t i = 0; i < rows && fill != Fill::kAny; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        if ((fill == Fill::kHermitian || fill == Fill::kBroken) && j > i) entry(i, j) = std::conj(entry(j, i));
        if (fill == Fill::kSingular && j == std::min(rows, n) / 2) entry(i, j) = 0;
        if (fill != Fill::kSingular && i == j) entry(i, j) = 1 + static_cast<double>(n);
      }
    }
    const bool broken = fill == Fill::kBroken && at / (rows * n) % 2 == 1;
    if (broken) entry(n / 2, n / 2) = -1;
  }
  for (int64_t i = 0; i < std::ssize(values); ++i) {
    const std::complex<double> value = values[static_cast<size_t>(i)];
    if (shape.dtype == DType::kC64) {
      literal.mutable_values<std::complex<float>>()[static_cast<size_t>(i)] = std::complex<float>(value);
    } else if (shape.dtype == DType::kC128) {
      literal.mutable_values<std::complex<double>>()[static_cast<size_t>(i)] = value;
    } else {
      literal.set_real(i, value.real());
    }
  }
  return literal;
}

// The text of an entry, line by line. A value's text is its name.
class Entry {
 public:
  explicit Entry(std::string name) : text_("HloModule " + name + "\n\nENTRY main {\n"), name_(std::move(name)) {}

  std::string parameter(const std::string& shape, Fill fill) {
    fills_.push_back(fill);
    return add(shape, "parameter(" + std::to_string(fills_.size() - 1) + ")");
  }
  std::string add(const std::string& shape, const std::string& operation) {
    std::string value = "v" + std::to_string(count_++);
    text_ += "  " + value + " = " + shape + " " + operation + "\n";
    return value;
  }
  std::string call(const std::string& shape, const std::string& operands, const std::string& target,
                   const std::string& config = "") {
    return add(shape, "custom-call(" + operands + "), custom_call_target=\"" + target +
                          "\", api_version=API_VERSION_TYPED_FFI, backend_config={" + config + "}");
  }
  std::string element(const std::string& shape, const std::string& tuple, int index) {
    return add(shape, "get-tuple-element(" + tuple + "), index=" + std::to_string(index));
  }
  void result(const std::string& shape, const std::string& value) { results_.emplace_back(shape, value); }
  Program finish() {
    std::string shapes, values;
    for (const auto& [shape, value] : results_) {
      shapes += (shapes.empty() ? "" : ", ") + shape;
      values += (values.empty() ? "" : ", ") + value;
    }
    const auto draw = [fills = fills_](const Shape& shape, size_t number) {
      return input(shape, fills[number], number + 1);
    };
    return {name_, text_ + "  ROOT t = (" + shapes + ") tuple(" + values + ")\n}\n", draw};
  }

  // The adjoint of a matrix, and the product of two, of the type and with the batch given.
  std::string adjoint(DType dtype, const Dims& batch, int64_t rows, int64_t columns, const std::string& a) {
    const size_t rank = batch.size() + 2;
    std::string permutation;
    for (size_t d = 0; d < rank; ++d) {
      const size_t from = d + 2 < rank ? d : 2 * rank - 3 - d;
      permutation += (d == 0 ? "" : ",") + std::to_string(from);
    }
    const std::string shape = type(dtype, with(batch, {columns, rows}));
    const std::string t = add(shape, "transpose(" + a + "), dimensions={" + permutation + "}");
    if (!is_complex(dtype)) return t;
    const std::string part = type(real_type(dtype), with(batch, {columns, rows}));
    const std::string minus = add(part, "negate(" + add(part, "imag(" + t + ")") + ")");
    return add(shape, "complex(" + add(part, "real(" + t + ")") + ", " + minus + ")");
  }
  std::string product(DType dtype, const Dims& batch, int64_t rows, int64_t columns, const std::string& a,
                      const std::string& b) {
    const std::string first = std::to_string(batch.size()), second = std::to_string(batch.size() + 1);
    std::string batches;
    for (size_t d = 0; d < batch.size(); ++d) batches += (d == 0 ? "" : ",") + std::to_string(d);
    if (!batches.empty()) batches = "lhs_batch_dims={" + batches + "}, rhs_batch_dims={" + batches + "}, ";
    return add(type(dtype, with(batch, {rows, columns})), "dot(" + a + ", " + b + "), " + batches +
                                                              "lhs_contracting_dims={" + second +
                                                              "}, rhs_contracting_dims={" + first + "}");
  }
  // Each column of a matrix times a number.
  std::string scale_columns(DType dtype, const Dims& batch, int64_t rows, int64_t columns, const std::string& a,
                            const std::string& numbers) {
    const std::string converted = add(type(dtype, with(batch, {columns})), "convert(" + numbers + ")");
    std::string where;
    for (size_t d = 0; d < batch.size(); ++d) where += std::to_string(d) + ",";
    where += std::to_string(batch.size() + 1);
    const std::string shape = type(dtype, with(batch, {rows, columns}));
    return add(shape,
               "multiply(" + a + ", " + add(shape, "broadcast(" + converted + "), dimensions={" + where + "}") + ")");
  }

 private:
  std::string text_, name_;
  int count_ = 0;
  std::vector<Fill> fills_;
  std::vector<std::pair<std::string, std::string>> results_;
};

std::string truth(bool value) { return value ? "true" : "false"; }

Program cholesky(const std::string& name, DType dtype, const Dims& batch, int64_t n, bool lower,
                 Fill fill = Fill::kHermitian) {
  Entry entry(name);
  const std::string shape = type(dtype, with(batch, {n, n}));
  entry.result(shape, entry.add(shape, "cholesky(" + entry.parameter(shape, fill) + "), lower=" + truth(lower)));
  return entry.finish();
}

// The call, as JAX makes it: a factor that there is not becomes NaN.
Program potrf(const std::string& name, DType dtype, const Dims& batch, int64_t n, bool lower, Fill fill) {
  Entry entry(name);
  const Dims dims = with(batch, {n, n});
  const std::string shape = type(dtype, dims), info_shape = type(DType::kS32, batch);
  const std::string call = entry.call("(" + shape + ", " + info_shape + ")", entry.parameter(shape, fill),
                                      "cusolver_potrf_ffi", "lower = " + truth(lower));
  const std::string info = entry.element(info_shape, call, 1);
  const std::string zero = entry.add(info_shape, "broadcast(" + entry.add("s32[]", "constant(0)") + "), dimensions={}");
  const std::string good = entry.add(type(DType::kPred, batch), "compare(" + info + ", " + zero + "), direction=EQ");
  std::string where;
  for (size_t d = 0; d < batch.size(); ++d) where += (d == 0 ? "" : ",") + std::to_string(d);
  const std::string mask = entry.add(type(DType::kPred, dims), "broadcast(" + good + "), dimensions={" + where + "}");
  const std::string nan = entry.add(type(dtype, {}), is_complex(dtype) ? "constant((nan, nan))" : "constant(nan)");
  const std::string nans = entry.add(shape, "broadcast(" + nan + "), dimensions={}");
  entry.result(shape, entry.add(shape, "select(" + mask + ", " + entry.element(shape, call, 0) + ", " + nans + ")"));
  entry.result(info_shape, info);
  return entry.finish();
}

Program triangular(const std::string& name, DType dtype, const Dims& batch, int64_t n, int64_t right_sides, bool left,
                   bool lower, const std::string& transpose, bool unit) {
  Entry entry(name);
  const std::string a = entry.parameter(type(dtype, with(batch, {n, n})), Fill::kDominant);
  const std::string shape = type(dtype, with(batch, left ? Dims{n, right_sides} : Dims{right_sides, n}));
  const std::string b = entry.parameter(shape, Fill::kAny);
  entry.result(shape, entry.add(shape, "triangular-solve(" + a + ", " + b + "), left_side=" + truth(left) +
                                           ", lower=" + truth(lower) + ", transpose_a=" + transpose +
                                           ", unit_diagonal=" + truth(unit)));
  return entry.finish();
}

Program lu(const std::string& name, DType dtype, const Dims& batch, int64_t m, int64_t n, Fill fill) {
  Entry entry(name);
  const std::string shape = type(dtype, with(batch, {m, n})), info = type(DType::kS32, batch);
  const std::string pivots = type(DType::kS32, with(batch, {std::min(m, n)}));
  const std::string call =
      entry.call("(" + shape + ", " + pivots + ", " + info + ")", entry.parameter(shape, fill), "cusolver_getrf_ffi");
  entry.result(shape, entry.element(shape, call, 0));
  entry.result(pivots, entry.element(pivots, call, 1));
  entry.result(info, entry.element(info, call, 2));
  return entry.finish();
}

Program qr(const std::string& name, DType dtype, const Dims& batch, int64_t m, int64_t n) {
  Entry entry(name);
  const std::string shape = type(dtype, with(batch, {m, n}));
  const std::string scales = type(dtype, with(batch, {std::min(m, n)}));
  const std::string call =
      entry.call("(" + shape + ", " + scales + ")", entry.parameter(shape, Fill::kAny), "cusolver_geqrf_ffi");
  const std::string r = entry.element(shape, call, 0), taus = entry.element(scales, call, 1);
  entry.result(shape, r);
  entry.result(scales, taus);
  if (m >= n) entry.result(shape, entry.call(shape, r + ", " + taus, "cusolver_orgqr_ffi"));
  return entry.finish();
}

Program permutation(const std::string& name, const Dims& batch, int64_t steps, int64_t n) {
  Entry entry(name);
  const std::string pivots = entry.parameter(type(DType::kS32, with(batch, {steps})), Fill::kPivots);
  const std::string shape = type(DType::kS32, with(batch, {n}));
  entry.result(shape, entry.call(shape, pivots, "cu_lu_pivots_to_permutation"));
  return entry.finish();
}

Program eigen(const std::string& name, DType dtype, const Dims& batch, int64_t n, bool lower) {
  Entry entry(name);
  const std::string shape = type(dtype, with(batch, {n, n})), values = type(real_type(dtype), with(batch, {n}));
  const std::string call = entry.call("(" + shape + ", " + values + ", " + type(DType::kS32, batch) + ")",
                                      entry.parameter(shape, Fill::kHermitian), "cusolver_syevd_ffi",
                                      "algorithm = 0 : ui8, lower = " + truth(lower));
  const std::string v = entry.element(shape, call, 0), w = entry.element(values, call, 1);
  const std::string vh = entry.adjoint(dtype, batch, n, n, v);
  entry.result(values, w);
  entry.result(shape, entry.product(dtype, batch, n, n, vh, v));
  entry.result(shape, entry.product(dtype, batch, n, n, entry.scale_columns(dtype, batch, n, n, v, w), vh));
  return entry.finish();
}

Program singular(const std::string& name, DType dtype, const Dims& batch, int64_t m, int64_t n, bool jacobi) {
  Entry entry(name);
  const int64_t k = std::min(m, n);
  const std::string a = type(dtype, with(batch, {m, n})), values = type(real_type(dtype), with(batch, {k}));
  const std::string u_shape = type(dtype, with(batch, {m, k}));
  const std::string v_shape = type(dtype, with(batch, jacobi ? Dims{n, k} : Dims{k, n}));
  const char* target = dtype == DType::kF32   ? "lapack_sgesdd_ffi"
                       : dtype == DType::kF64 ? "lapack_dgesdd_ffi"
                       : dtype == DType::kC64 ? "lapack_cgesdd_ffi"
                                              : "lapack_zgesdd_ffi";
  const std::string call =
      entry.call("(" + a + ", " + values + ", " + u_shape + ", " + v_shape + ", " + type(DType::kS32, batch) + ")",
                 entry.parameter(a, Fill::kAny), jacobi ? "cusolver_gesvdj_ffi" : target,
                 jacobi ? "compute_uv = true, full_matrices = false" : "mode = 83 : ui8");
  const std::string s = entry.element(values, call, 1), u = entry.element(u_shape, call, 2);
  std::string vh = entry.element(v_shape, call, 3);
  if (jacobi) vh = entry.adjoint(dtype, batch, n, k, vh);
  entry.result(values, s);
  entry.result(type(dtype, with(batch, {k, k})),
               entry.product(dtype, batch, k, k, entry.adjoint(dtype, batch, m, k, u), u));
  entry.result(a, entry.product(dtype, batch, m, n, entry.scale_columns(dtype, batch, m, k, u, s), vh));
  return entry.finish();
}

Program tridiagonal(const std::string& name, DType dtype, const Dims& batch, int64_t n, int64_t right_sides) {
  Entry entry(name);
  const std::string vector = type(dtype, with(batch, {n})), b = type(dtype, with(batch, {n, right_sides}));
  const std::string lower = entry.parameter(vector, Fill::kAny);
  // The diagonal is that of a dominant matrix: far from zero.
  const std::string matrix = entry.parameter(type(dtype, with(batch, {n, n})), Fill::kDominant);
  std::string keep;
  for (size_t d = 0; d <= batch.size(); ++d) keep += (d == 0 ? "" : ",") + std::to_string(d);
  const std::string diagonal =
      entry.add(vector, "reduce(" + matrix + ", " +
                            entry.add(type(dtype, {}), is_complex(dtype) ? "constant((0,0))" : "constant(0)") +
                            "), dimensions={" + std::to_string(batch.size() + 1) + "}, to_apply=sum");
  const std::string upper = entry.parameter(vector, Fill::kAny);
  const std::string right = entry.parameter(b, Fill::kAny);
  entry.result(b, entry.call(b, lower + ", " + diagonal + ", " + upper + ", " + right, "cusparse_gtsv2_ffi"));
  Program program = entry.finish();
  const std::string scalar = type(dtype, {});
  program.text.insert(program.text.find("ENTRY"), "sum {\n  x = " + scalar + " parameter(0)\n  y = " + scalar +
                                                      " parameter(1)\n  ROOT z = " + scalar + " add(x, y)\n}\n\n");
  return program;
}

std::vector<Program> programs() {
  constexpr DType f16 = DType::kF16, f32 = DType::kF32, f64 = DType::kF64, c64 = DType::kC64, c128 = DType::kC128;
  std::vector<Program> all = {
      cholesky("chol_one", f32, {}, 1, true),
      cholesky("chol_two", f64, {300}, 2, false),
      cholesky("chol_thread", c64, {130}, 5, true),
      cholesky("chol_thread_broken", f32, {5}, 7, true, Fill::kBroken),
      cholesky("chol_half", f16, {3}, 6, true),
      cholesky("chol_warp", f32, {2, 3}, 17, false),
      cholesky("chol_warp_broken", c64, {4}, 20, false, Fill::kBroken),
      cholesky("chol_block", c128, {3}, 33, false),
      cholesky("chol_block_even", f32, {3}, 100, true),
      cholesky("chol_block_broken", f64, {3}, 40, true, Fill::kBroken),
      cholesky("chol_library", f32, {}, 200, true),
      cholesky("chol_library_upper", c64, {2}, 130, false),
      cholesky("chol_library_broken", f64, {3}, 120, true, Fill::kBroken),
      cholesky("chol_none", f32, {0}, 5, true),
      cholesky("chol_empty", f32, {3}, 0, true),
      potrf("potrf_thread", f32, {70}, 4, true, Fill::kBroken),
      potrf("potrf_warp", f64, {5}, 12, false, Fill::kBroken),
      potrf("potrf_block", c64, {2}, 50, true, Fill::kBroken),
      potrf("potrf_library", f32, {3}, 200, false, Fill::kBroken),
      lu("lu_one", f32, {}, 1, 1, Fill::kAny),
      lu("lu_thread", f32, {40}, 3, 5, Fill::kAny),
      lu("lu_thread_complex", c64, {3}, 8, 2, Fill::kAny),
      lu("lu_warp", f64, {5}, 31, 20, Fill::kAny),
      lu("lu_block", c128, {2}, 33, 40, Fill::kAny),
      lu("lu_block_tall", f32, {2}, 150, 60, Fill::kAny),
      lu("lu_singular", f64, {2}, 40, 40, Fill::kSingular),
      lu("lu_library", f32, {}, 200, 200, Fill::kAny),
      lu("lu_library_wide", c64, {2}, 120, 150, Fill::kAny),
      lu("lu_library_singular", f64, {2}, 160, 130, Fill::kSingular),
      qr("qr_thread", f32, {20}, 5, 3),
      qr("qr_thread_wide", c64, {2}, 2, 6),
      qr("qr_warp", f64, {5}, 24, 18),
      qr("qr_block", c64, {2}, 60, 40),
      qr("qr_square", f32, {}, 40, 40),
      qr("qr_library", f32, {2}, 220, 130),
      qr("qr_library_complex", c128, {}, 90, 80),
      qr("qr_library_wide", f64, {}, 110, 130),
      permutation("permutation_thread", {200}, 3, 5),
      permutation("permutation_warp", {3}, 20, 20),
      permutation("permutation_block", {2, 2}, 90, 100),
      permutation("permutation_none", {2}, 0, 6),
      eigen("eigen_one", f32, {}, 1, true),
      eigen("eigen_real", f32, {3}, 12, false),
      eigen("eigen_complex", c128, {2}, 9, true),
      eigen("eigen_upper", c64, {}, 20, false),
      singular("svd_tall", f32, {2}, 14, 9, false),
      singular("svd_wide", c64, {}, 7, 12, false),
      singular("svd_jacobi_tall", c128, {2}, 10, 6, true),
      singular("svd_jacobi_wide", f64, {}, 5, 11, true),
      tridiagonal("tridiagonal_real", f32, {}, 40, 3),
      tridiagonal("tridiagonal_complex", c128, {3}, 7, 1),
      tridiagonal("tridiagonal_two", f64, {2}, 2, 2),
  };
  for (const bool left : {true, false}) {
    for (const bool lower : {true, false}) {
      for (const std::string transpose : {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}) {
        const std::string name = std::string(left ? "left" : "right") + (lower ? "_lower_" : "_upper_") + transpose[0];
        all.push_back(triangular("tri_thread_" + name, c64, {3}, 5, 11, left, lower, transpose, lower));
        all.push_back(triangular("tri_warp_" + name, f32, {3}, 21, 40, left, lower, transpose, !lower));
        all.push_back(triangular("tri_library_" + name, left ? c128 : f32, {2}, left ? 90 : 200, 7, left, lower,
                                 transpose, left == lower));
      }
    }
  }
  all.push_back(triangular("tri_block", f64, {2}, 80, 70, true, true, "TRANSPOSE", false));
  all.push_back(triangular("tri_block_right", c64, {2}, 40, 33, false, false, "ADJOINT", true));
  all.push_back(triangular("tri_half", f16, {2}, 4, 3, true, true, "NO_TRANSPOSE", false));
  all.push_back(triangular("tri_no_right_sides", f32, {2}, 4, 0, true, true, "NO_TRANSPOSE", false));
  return all;
}

// What rounding of this type does to the largest number of a result.
double tolerance(DType dtype) {
  return dtype == DType::kF64 ? 1e-11 : dtype == DType::kF32 ? 2e-5 : is_float(dtype) ? 4e-3 : 0;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs(), sinter::tolerance); }
