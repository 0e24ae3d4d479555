// expand_fft: a Fourier transform becomes contractions with small DFT matrices, products with roots of unity, and index
// maps.
//
//   %y = c64[4,512] fft(%x), fft_type=FFT, fft_length={512}
//     =>  x as [4,32,16] . DFT(32), times roots of unity, . DFT(16), read as [4,512]
//
// One step for each factor f of the length n, which is at most kLargestFactor (or a prime up to kLargestPrime). A step
// turns an array [batch, p, r] into [batch, f p, r / f]: the middle dimension holds frequencies already found, the last
// samples still to be transformed. So the result comes out in order, and no step but the contraction costs anything.
// A length with a larger prime factor is a convolution with a chirp (Bluestein), of a power of two of elements:
// two transforms. A real transform keeps the innermost frequencies up to half the length; its inverse restores the
// others first. The division by n of inverse transforms is in the first matrix.
#include <algorithm>
#include <functional>

#include "passes/graph/graph_builder.h"
#include "passes/graph/passes.h"
#include "passes/graph/rewrite.h"
#include "passes/graph/roots_of_unity.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Dims = GraphBuilder::Dims;

constexpr int64_t kLargestFactor = 64;
constexpr int64_t kLargestPrime = 128;

DType part_type(DType dtype) { return dtype == DType::kC128 || dtype == DType::kF64 ? DType::kF64 : DType::kF32; }

// An array of roots, rounded to `dtype`: their real parts, if that is real.
Literal roots_literal(DType dtype, Dims dims, const std::function<WideComplex(int64_t)>& value) {
  Literal literal(Shape::array(dtype, std::move(dims)));
  const auto fill = [&]<class T>(std::span<T> elements, auto convert) {
    for (size_t i = 0; i < elements.size(); ++i) elements[i] = convert(value(static_cast<int64_t>(i)));
  };
  if (dtype == DType::kC64) {
    fill(literal.mutable_values<std::complex<float>>(), [](const WideComplex& root) {
      return std::complex<float>(static_cast<float>(root.real()), static_cast<float>(root.imag()));
    });
  } else if (dtype == DType::kC128) {
    fill(literal.mutable_values<std::complex<double>>(), [](const WideComplex& root) {
      return std::complex<double>(static_cast<double>(root.real()), static_cast<double>(root.imag()));
    });
  } else if (dtype == DType::kF32) {
    fill(literal.mutable_values<float>(), [](const WideComplex& root) { return static_cast<float>(root.real()); });
  } else {
    fill(literal.mutable_values<double>(), [](const WideComplex& root) { return static_cast<double>(root.real()); });
  }
  return literal;
}

std::vector<int64_t> prime_factors(int64_t n) {
  std::vector<int64_t> primes;
  for (int64_t p = 2; p * p <= n; ++p) {
    for (; n % p == 0; n /= p) primes.push_back(p);
  }
  if (n > 1) primes.push_back(n);
  return primes;
}

// As few factors as kLargestFactor allows, about equally large; the largest first.
std::vector<int64_t> step_factors(int64_t n) {
  std::vector<int64_t> primes = prime_factors(n);
  std::sort(primes.rbegin(), primes.rend());
  for (size_t count = 1;; ++count) {
    std::vector<int64_t> factors(count, 1);
    for (const int64_t prime : primes) *std::min_element(factors.begin(), factors.end()) *= prime;
    std::sort(factors.rbegin(), factors.rend());
    if (factors[0] <= std::max(kLargestFactor, primes.empty() ? 1 : primes[0])) return factors;
  }
}

class Transformer {
 public:
  Transformer(Instruction& fft, DType complex_type) : at_(fft), complex_type_(complex_type) {}

  // Along one dimension of `x`, real or complex; unnormalised for sign -1, divided by the length for sign 1.
  Value transform(Value x, int64_t axis, int sign) {
    const Dims dims = x->shape.dims;
    const int64_t n = dims[static_cast<size_t>(axis)];
    Dims order = iota_list(x->shape.rank());
    order.erase(order.begin() + axis);
    order.push_back(axis);
    x = at_.transpose(x, order);
    Dims moved = x->shape.dims;
    x = at_.reshape(x, {x->shape.element_count() / n, n});
    const long double scale = sign > 0 ? 1.0L / static_cast<long double>(n) : 1.0L;
    const std::vector<int64_t> primes = prime_factors(n);
    const bool by_steps = primes.empty() || *std::max_element(primes.begin(), primes.end()) <= kLargestPrime;
    x = by_steps ? transform_by_steps(x, sign, scale) : transform_by_chirp(x, sign, scale);
    x = at_.reshape(x, moved);
    Dims back(order.size());
    for (size_t d = 0; d < order.size(); ++d) back[static_cast<size_t>(order[d])] = static_cast<int64_t>(d);
    return at_.transpose(x, back);
  }

  // The upper frequencies of a real signal of length n from the lower ones: conjugates in reverse order.
  Value restore_mirrored(Value x, int64_t n) {
    const int64_t last = x->shape.rank() - 1;
    const int64_t mirrored = n - (n / 2 + 1);
    if (mirrored == 0) return at_.slice(x, last, 0, n);
    const Value tail = at_.reverse(at_.slice(x, last, 1, 1 + mirrored), last);
    const Value imaginary = at_.make(Opcode::kNegate, {at_.make(Opcode::kImag, {tail})});
    return at_.concatenate({x, at_.make(Opcode::kComplex, {at_.make(Opcode::kReal, {tail}), imaginary})}, last);
  }

  GraphBuilder& at() { return at_; }

 private:
  Value constant(const Dims& dims, const std::function<WideComplex(int64_t)>& value) {
    return at_.constant(roots_literal(complex_type_, dims, value));
  }

  Value dot(Value x, Value matrix) {
    Attributes attributes;
    attributes.lhs_contracting_dims = {2};
    attributes.rhs_contracting_dims = {0};
    return at_.make(Opcode::kDot, {x, matrix}, std::move(attributes));
  }

  // [batch, p, f, r] and the DFT matrix of f: [batch, p, r, f]. What is real meets the matrix's parts side by side.
  Value multiply_by_matrix(Value x, int64_t f, int sign, long double scale) {
    const auto entry = [&](int64_t row, int64_t column) { return root_of_unity(row * column, f, sign) * scale; };
    if (is_complex(x->shape.dtype)) {
      return dot(x, constant({f, f}, [&](int64_t i) { return entry(i / f, i % f); }));
    }
    const auto part = [&](int64_t i) {
      const WideComplex root = entry(i / (2 * f), i % f);
      return WideComplex(i / f % 2 == 0 ? root.real() : root.imag());
    };
    const Value both = dot(x, at_.constant(roots_literal(part_type(complex_type_), {f, 2, f}, part)));
    const auto half = [&](int64_t i) {
      const Value sliced = at_.slice(both, 3, i, i + 1);
      Dims dims = sliced->shape.dims;
      dims.erase(dims.begin() + 3);
      return at_.reshape(sliced, dims);
    };
    return at_.make(Opcode::kComplex, {half(0), half(1)});
  }

  Value transform_by_steps(Value x, int sign, long double scale) {
    const int64_t batch = x->shape.dims[0];
    const int64_t n = x->shape.dims[1];
    int64_t found = 1;
    int64_t rest = n;
    for (const int64_t f : step_factors(n)) {
      const int64_t after = rest / f;
      x = multiply_by_matrix(at_.reshape(x, {batch, found, f, after}), f, sign, scale);
      if (after > 1) {
        const Value twist =
            constant({after, f}, [&](int64_t i) { return root_of_unity(i / f * (i % f), rest, sign); });
        x = at_.multiply(x, at_.broadcast(twist, x->shape.dims, {2, 3}));
      }
      x = at_.reshape(at_.transpose(x, {0, 3, 1, 2}), {batch, f * found, after});
      found *= f;
      rest = after;
      scale = 1;
    }
    return at_.reshape(x, {batch, n});
  }

  // i k = (i^2 + k^2 - (k - i)^2) / 2 turns the transform into a convolution with a chirp, which two transforms of
  // another length and a product do.
  Value transform_by_chirp(Value x, int sign, long double scale) {
    const int64_t batch = x->shape.dims[0];
    const int64_t n = x->shape.dims[1];
    int64_t padded = 1;
    while (padded < 2 * n - 1) padded *= 2;
    const auto chirp = [&](int64_t i) {
      return root_of_unity(static_cast<int64_t>(static_cast<__int128>(i) * i % (2 * n)), 2 * n, sign);
    };
    std::vector<WideComplex> kernel(static_cast<size_t>(padded));
    for (int64_t i = 0; i < n; ++i) {
      kernel[static_cast<size_t>(i)] = std::conj(chirp(i));
      if (i > 0) kernel[static_cast<size_t>(padded - i)] = std::conj(chirp(i));
    }
    kernel = fourier_transform(std::move(kernel));

    const Value chirps = at_.broadcast(constant({n}, chirp), {batch, n}, {1});
    x = at_.multiply(at_.convert(x, complex_type_), chirps);
    Attributes attributes;
    attributes.padding = {{0, 0, 0}, {0, padded - n, 0}};
    x = at_.make(Opcode::kPad, {x, at_.constant(Literal(Shape::scalar(complex_type_)))}, std::move(attributes));
    x = transform_by_steps(x, -1, 1);
    const Value spectrum =
        constant({padded}, [&](int64_t i) { return kernel[static_cast<size_t>(i)] * scale; });
    x = at_.multiply(x, at_.broadcast(spectrum, {batch, padded}, {1}));
    x = transform_by_steps(x, 1, 1.0L / static_cast<long double>(padded));
    return at_.multiply(at_.slice(x, 1, 0, n), chirps);
  }

  GraphBuilder at_;
  DType complex_type_;
};

void expand(Instruction& fft) {
  const std::string& type = *fft.attributes.fft_type;
  const Dims lengths = *fft.attributes.fft_length;
  const DType complex_type = part_type(fft.shape.dtype) == DType::kF64 ? DType::kC128 : DType::kC64;
  if (fft.shape.element_count() == 0) return become_splat(fft, Literal(Shape::scalar(fft.shape.dtype)));
  const int sign = type == "IFFT" || type == "IRFFT" ? 1 : -1;
  Transformer transformer(fft, complex_type);
  GraphBuilder& at = transformer.at();
  Value x = fft.operand(0);
  const int64_t last = x->shape.rank() - 1;
  const int64_t first = x->shape.rank() - static_cast<int64_t>(lengths.size());
  const int64_t n = lengths.back();
  if (type != "IRFFT") x = transformer.transform(x, last, sign);
  if (type == "RFFT") x = at.slice(x, last, 0, n / 2 + 1);
  for (int64_t axis = last; axis-- > first;) x = transformer.transform(x, axis, sign);
  if (type != "IRFFT") {
    become(fft, Opcode::kCopy, {x});
    return;
  }
  x = transformer.transform(transformer.restore_mirrored(x, n), last, sign);
  become(fft, Opcode::kReal, {x});
}

}  // namespace

bool expand_fft(Module& module, const GraphPassOptions&) {
  const std::vector<Instruction*> transforms = instructions_of(module, Opcode::kFft);
  for (Instruction* fft : transforms) expand(*fft);
  return !transforms.empty();
}

}  // namespace sinter
