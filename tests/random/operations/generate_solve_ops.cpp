// Linear algebra and Fourier transforms whose results are integers, up to rounding on the way: a matrix is made of its
// factor, a right side of the solution, a spectrum of a signal to which it is turned back. They are settled (settle.h).
// A transform's own values are compared by bits nowhere: what they round to depends on how its length is taken apart.
#include <algorithm>

#include "tests/random/operations/generate_ops.h"
#include "tests/random/operations/settle.h"

namespace sinter {
namespace {

constexpr int64_t kLargestMatrix = 24;  // so that products of small integers are exact in bf16

bool is_solved(DType dtype) {
  return is_complex(dtype) || (dtype != DType::kF8E8M0FNU && is_float(dtype) && exact_limit(dtype) >= 256);
}

Term conjugate(Draft& draft, const Term& a) {
  if (!is_complex(a.dtype())) return a;
  const Term re = add(draft, Opcode::kReal, {a}, a.facts);
  const Term im = add(draft, Opcode::kNegate, {add(draft, Opcode::kImag, {a}, a.facts)}, a.facts);
  return add(draft, Opcode::kComplex, {re, im}, a.facts);
}

// Where row and column compare like that, in matrices of the last two dimensions.
Term places(Draft& draft, const Sizes& dims, const std::string& direction) {
  Attributes row, column, compared;
  row.iota_dimension = static_cast<int64_t>(dims.size()) - 2;
  column.iota_dimension = static_cast<int64_t>(dims.size()) - 1;
  compared.direction = direction;
  const Term i = add_stated(draft, Opcode::kIota, Shape::array(DType::kS32, dims), {}, {}, row);
  const Term j = add_stated(draft, Opcode::kIota, Shape::array(DType::kS32, dims), {}, {}, column);
  return add(draft, Opcode::kCompare, {i, j}, {}, compared);
}

Term choose(Draft& draft, const Term& predicate, const Term& a, const Term& b) {
  return add(draft, Opcode::kSelect, {predicate, a, b}, either(a.facts, b.facts));
}

struct Triangle {
  Term stored;  // with numbers of no meaning in the other triangle, and on a diagonal of ones
  Term matrix;
};

// Small integers; on the diagonal powers of two, so that division is exact.
Triangle random_triangle(Draft& draft, DType dtype, const Sizes& dims, bool lower, bool unit_diagonal) {
  Random& random = draft.random();
  const Term numbers = tame(draft, want(draft, dtype, dims), 2);
  const Term one = splat(draft, dtype, 1, dims), zero = splat(draft, dtype, 0, dims);
  Term diagonal = splat(draft, dtype, random.chance(50) ? 2 : 1, dims);
  if (random.chance(40)) diagonal = choose(draft, want(draft, DType::kPred, dims), one, diagonal);
  const Term on_diagonal = places(draft, dims, "EQ"), beside = places(draft, dims, lower ? "GT" : "LT");
  const Term rest = choose(draft, on_diagonal, unit_diagonal ? one : diagonal, zero);
  return {.stored = unit_diagonal ? numbers : choose(draft, on_diagonal, diagonal, numbers),
          .matrix = choose(draft, beside, numbers, rest)};
}

// Matrices of the last two dimensions, the others batch dimensions: contracted over one dimension of each (-1 or -2).
Term product(Draft& draft, const Term& a, int64_t a_contracted, const Term& b, int64_t b_contracted, double terms) {
  Attributes attributes;
  const int64_t rank = a.rank();
  if (rank > 2) {
    attributes.lhs_batch_dims = Sizes();
    for (int64_t d = 0; d + 2 < rank; ++d) attributes.lhs_batch_dims->push_back(d);
    attributes.rhs_batch_dims = *attributes.lhs_batch_dims;
  }
  attributes.lhs_contracting_dims = Sizes{rank + a_contracted};
  attributes.rhs_contracting_dims = Sizes{rank + b_contracted};
  return add(draft, Opcode::kDot, {a, b}, rounded(a.dtype(), terms * a.facts.magnitude * b.facts.magnitude, true),
             attributes);
}

Sizes random_square(Draft& draft) {
  Random& random = draft.random();
  const int64_t n = std::min(random.pick(draft.shared.sizes), kLargestMatrix);
  Sizes dims = {n, n};
  if (random.chance(35)) dims.insert(dims.begin(), std::min<int64_t>(random.pick(draft.shared.sizes), 5));
  return dims;
}

// Loops around would make it long.
bool is_too_often(const Draft& draft) { return draft.scalars_only || draft.repetitions > 20; }

}  // namespace

void add_cholesky(Draft& draft) {
  if (is_too_often(draft)) return;
  Random& random = draft.random();
  const DType dtype = random_dtype(draft, is_solved);
  const Sizes dims = random_square(draft);
  const Term factor = random_triangle(draft, dtype, dims, true, false).matrix;
  const Term matrix = product(draft, factor, -1, conjugate(draft, factor), -1,
                              2 * static_cast<double>(std::max<int64_t>(dims.back(), 1)));
  Attributes attributes;
  attributes.lower = random.chance(60);
  settle_integers(draft, add_node(draft, Opcode::kCholesky, {matrix.node}, attributes), 2);
}

void add_triangular_solve(Draft& draft) {
  if (is_too_often(draft)) return;
  static const std::vector<std::string> kTranspositions = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
  Random& random = draft.random();
  const DType dtype = random_dtype(draft, is_solved);
  const Sizes dims = random_square(draft);
  Attributes attributes;
  attributes.left_side = random.chance(60);
  attributes.lower = random.chance(50);
  attributes.unit_diagonal = random.chance(30);
  attributes.transpose_a = random.pick(kTranspositions);
  const Triangle triangle = random_triangle(draft, dtype, dims, *attributes.lower, *attributes.unit_diagonal);
  const bool transposed = *attributes.transpose_a != "NO_TRANSPOSE";
  const Term matrix = *attributes.transpose_a == "ADJOINT" ? conjugate(draft, triangle.matrix) : triangle.matrix;
  Sizes sides = dims;
  const int64_t count = std::min<int64_t>(random.pick(draft.shared.sizes), 9);
  sides[sides.size() - (*attributes.left_side ? 1 : 2)] = count;
  const Term solution = tame(draft, want(draft, dtype, sides), 3);
  const double terms = (is_complex(dtype) ? 2 : 1) * static_cast<double>(std::max<int64_t>(dims.back(), 1));
  const Term right = *attributes.left_side ? product(draft, matrix, transposed ? -2 : -1, solution, -2, terms)
                                           : product(draft, solution, -1, matrix, transposed ? -1 : -2, terms);
  settle_integers(draft, add_node(draft, Opcode::kTriangularSolve, {triangle.stored.node, right.node}, attributes), 3);
}

// A signal through its spectrum, or the circular convolution of two.
void add_fft(Draft& draft) {
  if (is_too_often(draft)) return;
  Random& random = draft.random();
  const bool from_real = random.chance(50);
  const DType dtype =
      random_dtype(draft, [&](DType t) { return from_real ? t == DType::kF32 || t == DType::kF64 : is_complex(t); });
  const Sizes dims = random_dims(draft, 1, 3);
  const size_t transformed =
      static_cast<size_t>(random.between(1, std::min<int64_t>(static_cast<int64_t>(dims.size()), 3)));
  const Sizes lengths(dims.end() - static_cast<std::ptrdiff_t>(transformed), dims.end());
  const bool convolves = random.chance(30);
  const double limit = convolves ? 2 : 8;
  Attributes there, back;
  there.fft_type = from_real ? "RFFT" : "FFT";
  back.fft_type = from_real ? "IRFFT" : "IFFT";
  there.fft_length = lengths;
  back.fft_length = lengths;
  const auto spectrum = [&] {
    return add_node(draft, Opcode::kFft, {tame(draft, want(draft, dtype, dims), limit).node}, there);
  };
  Instruction* spectra = spectrum();
  if (convolves) spectra = add_node(draft, Opcode::kMultiply, {spectra, spectrum()});
  const double terms = convolves ? 2 * limit * static_cast<double>(std::max<int64_t>(count(lengths), 1)) : 1;
  settle_integers(draft, add_node(draft, Opcode::kFft, {spectra}, back), limit * terms);
}

}  // namespace sinter
