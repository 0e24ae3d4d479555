// expand_fft: every Fourier transform becomes transforms of rows that a block of threads can make in shared memory
// (passes/stages/own/fft_stage.h), products with roots of unity, and index maps.
//
//   %y = c64[4,65536] fft(%x), fft_type=FFT, fft_length={65536}
//     =>  x as [4,256,256], its columns transformed, times roots of unity, its rows transformed, read column by column
//
// A length with a larger prime factor is a convolution with a chirp (Bluestein), of a power of two of elements:
// two transforms. A real signal of even length is a complex one of half the length, even samples its real parts:
// the spectra of both are told apart afterwards, and put together before the inverse. Dimensions are transformed one
// after the other, each as the last one.
#include <algorithm>
#include <functional>

#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/base/roots_of_unity.h"
#include "passes/stages/own/fft_stage.h"
#include "passes/stages/own/own_stages.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Dims = GraphBuilder::Dims;

DType part_type(DType dtype) { return dtype == DType::kC128 || dtype == DType::kF64 ? DType::kF64 : DType::kF32; }

// An array of roots, rounded to the complex type.
Literal roots_literal(DType dtype, Dims dims, const std::function<WideComplex(int64_t)>& value) {
  Literal literal(Shape::array(dtype, std::move(dims)));
  const auto fill = [&]<class T>(std::span<std::complex<T>> elements) {
    for (size_t i = 0; i < elements.size(); ++i) {
      const WideComplex root = value(static_cast<int64_t>(i));
      elements[i] = {static_cast<T>(root.real()), static_cast<T>(root.imag())};
    }
  };
  if (dtype == DType::kC64) fill(literal.mutable_values<std::complex<float>>());
  if (dtype == DType::kC128) fill(literal.mutable_values<std::complex<double>>());
  return literal;
}

// How a row too long for a block is taken apart: a factor that fits, about the root of the length, so that the rest
// fits if it can; 1 where no factor helps, since a prime is too large.
int64_t row_factor(DType complex_type, int64_t n) {
  int64_t best = 1;
  for (int64_t factor = 2; factor <= n / factor; ++factor) {
    if (n % factor != 0) continue;
    for (const int64_t candidate : {factor, n / factor}) {
      if (!fits_block_fft(complex_type, candidate)) continue;
      const bool rest_fits = fits_block_fft(complex_type, n / candidate);
      if (rest_fits || candidate > best) best = candidate;
    }
  }
  return best;
}

// True if rows of this length can be taken apart until all fit.
bool is_smooth(DType complex_type, int64_t n) {
  while (!fits_block_fft(complex_type, n)) {
    const int64_t factor = row_factor(complex_type, n);
    if (factor == 1) return false;
    n /= factor;
  }
  return true;
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
    x = at_.reshape(transform_rows(at_.convert(x, complex_type_), sign), moved);
    Dims back(order.size());
    for (size_t d = 0; d < order.size(); ++d) back[static_cast<size_t>(order[d])] = static_cast<int64_t>(d);
    return at_.transpose(x, back);
  }

  // The upper frequencies of a real signal of length n from the lower ones: conjugates in reverse order.
  Value restore_mirrored(Value x, int64_t n) {
    const int64_t last = x->shape.rank() - 1;
    const int64_t mirrored = n - (n / 2 + 1);
    if (mirrored == 0) return at_.slice(x, last, 0, n);
    return at_.concatenate({x, conjugate(at_.reverse(at_.slice(x, last, 1, 1 + mirrored), last))}, last);
  }

  // The lower half of the spectrum of a real signal, along its last dimension.
  Value transform_real(Value x) {
    const int64_t last = x->shape.rank() - 1;
    const int64_t n = x->shape.dims[static_cast<size_t>(last)];
    if (n % 2 != 0) return at_.slice(transform(x, last, -1), last, 0, n / 2 + 1);
    const int64_t half = n / 2;
    Dims result = x->shape.dims;
    result.back() = half + 1;
    const int64_t batch = x->shape.element_count() / n;
    // What stands before and after the transform in the same matrix of rows; a half here for all of it.
    x = at_.multiply({x, at_.real(x->shape.dtype, 0.5, x->shape.dims)});
    const Value pairs = at_.reshape(x, {batch, half, 2});
    x = transform_rows(at_.make(Opcode::kComplex, {part(pairs, 0), part(pairs, 1)}), -1);
    // Frequency `half` is frequency 0 again.
    x = at_.concatenate({x, at_.slice(x, 1, 0, 1)}, 1);
    const Value mirrored = conjugate(at_.reverse(x, 1));
    const auto root = [&](int64_t k) { return root_of_unity(k, n, -1) * WideComplex(0, -1); };
    const Value difference = at_.subtract({x, mirrored});
    const Value odd = at_.multiply({difference, along_rows(x, root)});
    return at_.reshape(at_.add({at_.add({x, mirrored}), odd}), result);
  }

  // A real signal of length n from the lower half of its spectrum. The imaginary parts of its first frequency and, if n
  // is even, the last one do not matter.
  Value restore_real(Value x, int64_t n) {
    const int64_t last = x->shape.rank() - 1;
    if (n % 2 != 0) return at_.make(Opcode::kReal, {transform(restore_mirrored(x, n), last, 1)});
    const int64_t half = n / 2;
    Dims result = x->shape.dims;
    result.back() = n;
    const int64_t batch = x->shape.element_count() / (half + 1);
    x = at_.reshape(x, {batch, half + 1});
    const Value number = at_.iota(DType::kS32, x->shape.dims, 1);
    const Value first = at_.compare({number, at_.integer(DType::kS32, 0, x->shape.dims)}, "EQ");
    const Value end = at_.compare({number, at_.integer(DType::kS32, half, x->shape.dims)}, "EQ");
    const Value real = at_.make(Opcode::kReal, {x});
    const Value nothing = at_.real(real->shape.dtype, 0, x->shape.dims);
    const Value real_only = at_.make(Opcode::kOr, {first, end});
    const Value imaginary = at_.select({real_only, nothing, at_.make(Opcode::kImag, {x})});
    x = at_.make(Opcode::kComplex, {real, imaginary});
    const Value mirrored = conjugate(at_.reverse(x, 1));
    const auto root = [&](int64_t k) { return root_of_unity(k, n, 1) * WideComplex(0, 1); };
    const Value difference = at_.subtract({x, mirrored});
    const Value odd = at_.multiply({difference, along_rows(x, root)});
    x = at_.slice(at_.add({at_.add({x, mirrored}), odd}), 1, 0, half);
    x = transform_rows(x, 1);
    const Dims one = {batch, half, 1};
    const Value even_samples = at_.reshape(at_.make(Opcode::kReal, {x}), one);
    const Value odd_samples = at_.reshape(at_.make(Opcode::kImag, {x}), one);
    x = at_.reshape(at_.concatenate({even_samples, odd_samples}, 2), result);
    return at_.multiply({x, at_.real(x->shape.dtype, 0.5, result)});
  }

 private:
  Value constant(const Dims& dims, const std::function<WideComplex(int64_t)>& value) {
    return at_.constant(roots_literal(complex_type_, dims, value));
  }

  Value conjugate(Value x) {
    const Value imaginary = at_.make(Opcode::kNegate, {at_.make(Opcode::kImag, {x})});
    return at_.make(Opcode::kComplex, {at_.make(Opcode::kReal, {x}), imaginary});
  }

  // [batch, n] of [batch, n, 2].
  Value part(Value pairs, int64_t which) {
    return at_.reshape(at_.slice(pairs, 2, which, which + 1), {pairs->shape.dims[0], pairs->shape.dims[1]});
  }

  // A number for each column of a matrix, in all of its rows.
  Value along_rows(Value matrix, const std::function<WideComplex(int64_t)>& value) {
    return at_.broadcast(constant({matrix->shape.dims[1]}, value), matrix->shape.dims, {1});
  }

  // Along the rows of a matrix.
  Value transform_rows(Value x, int sign) {
    const int64_t batch = x->shape.dims[0];
    const int64_t n = x->shape.dims[1];
    if (n == 1) return x;
    if (fits_block_fft(complex_type_, n)) {
      Attributes attributes;
      attributes.fft_type = std::string(sign < 0 ? "FFT" : "IFFT");
      attributes.fft_length = Dims{n};
      return at_.make(Opcode::kFft, {x}, std::move(attributes));
    }
    if (!is_smooth(complex_type_, n)) return transform_by_chirp(x, sign);
    // Sample i * columns + j gives frequency k + rows * l: along i, which gives k, then along j, which gives l.
    const int64_t rows = row_factor(complex_type_, n);
    const int64_t columns = n / rows;
    x = at_.transpose(at_.reshape(x, {batch, rows, columns}), {0, 2, 1});
    x = transform_rows(at_.reshape(x, {batch * columns, rows}), sign);
    x = at_.reshape(x, {batch, columns, rows});
    RootsOfUnity root(n, sign);
    const Value roots = constant({columns, rows}, [&](int64_t i) { return root(i / rows * (i % rows)); });
    x = at_.multiply({x, at_.broadcast(roots, x->shape.dims, {1, 2})});
    x = at_.reshape(at_.transpose(x, {0, 2, 1}), {batch * rows, columns});
    x = at_.reshape(transform_rows(x, sign), {batch, rows, columns});
    return at_.reshape(at_.transpose(x, {0, 2, 1}), {batch, n});
  }

  // i k = (i^2 + k^2 - (k - i)^2) / 2 turns the transform into a convolution with a chirp, which two transforms of
  // another length and a product do.
  Value transform_by_chirp(Value x, int sign) {
    const int64_t batch = x->shape.dims[0];
    const int64_t n = x->shape.dims[1];
    int64_t padded = 1;
    while (padded < 2 * n - 1) padded *= 2;
    RootsOfUnity root(2 * n, sign);
    const auto chirp = [&](int64_t i) { return root(static_cast<int64_t>(static_cast<__int128>(i) * i % (2 * n))); };
    std::vector<WideComplex> kernel(static_cast<size_t>(padded));
    for (int64_t i = 0; i < n; ++i) {
      kernel[static_cast<size_t>(i)] = std::conj(chirp(i));
      if (i > 0) kernel[static_cast<size_t>(padded - i)] = std::conj(chirp(i));
    }
    kernel = fourier_transform(std::move(kernel));

    const Value chirps = at_.broadcast(constant({n}, chirp), {batch, n}, {1});
    x = at_.multiply({x, chirps});
    x = at_.pad(x, {{}, {.high = padded - n}});
    x = transform_rows(x, -1);
    const long double scale = sign > 0 ? 1.0L / static_cast<long double>(n) : 1.0L;
    const Value spectrum = constant({padded}, [&](int64_t i) { return kernel[static_cast<size_t>(i)] * scale; });
    x = at_.multiply({x, at_.broadcast(spectrum, {batch, padded}, {1})});
    x = transform_rows(x, 1);
    return at_.multiply({at_.slice(x, 1, 0, n), chirps});
  }

  GraphBuilder at_;
  DType complex_type_;
};

void expand_transform(Instruction& fft) {
  const std::string& type = *fft.attributes->fft_type;
  const Dims lengths = *fft.attributes->fft_length;
  const DType complex_type = part_type(fft.shape.dtype) == DType::kF64 ? DType::kC128 : DType::kC64;
  if (fft.shape.element_count() == 0) return become_splat(fft, Literal(Shape::scalar(fft.shape.dtype)));
  const int sign = type == "IFFT" || type == "IRFFT" ? 1 : -1;
  Transformer transformer(fft, complex_type);
  Value x = fft.operand(0);
  const int64_t last = x->shape.rank() - 1;
  const int64_t first = x->shape.rank() - static_cast<int64_t>(lengths.size());
  if (type == "RFFT") x = transformer.transform_real(x);
  if (type == "FFT" || type == "IFFT") x = transformer.transform(x, last, sign);
  for (int64_t axis = last; axis-- > first;) x = transformer.transform(x, axis, sign);
  if (type == "IRFFT") x = transformer.restore_real(x, lengths.back());
  become(fft, Opcode::kCopy, {x});
}

}  // namespace

bool expand_fft(Module& module, const GraphPassOptions&) {
  std::vector<Instruction*> transforms = instructions_of(module, Opcode::kFft);
  std::erase_if(transforms, [](const Instruction* fft) { return takes_fft(*fft); });
  for (Instruction* fft : transforms) expand_transform(*fft);
  return !transforms.empty();
}

}  // namespace sinter
