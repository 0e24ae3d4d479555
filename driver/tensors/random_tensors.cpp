// --random SEED: made from integer arithmetic and exact sums only, so that every machine draws the same values.
#include <algorithm>

#include "driver/tensors/tensors.h"

namespace sinter {
namespace {

class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t state) : state_(state) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // Twelve 32-bit uniforms: the sum is exact in double.
  double normal() {
    double sum = -6;
    for (int i = 0; i < 6; ++i) {
      const uint64_t bits = next();
      sum += static_cast<double>(bits >> 32) * 0x1p-32 + static_cast<double>(bits & 0xffffffff) * 0x1p-32;
    }
    return sum;
  }

 private:
  uint64_t state_;
};

void fill(Literal& literal, SplitMix64& random) {
  const DType dtype = literal.shape().dtype;
  const int64_t count = literal.element_count();
  switch (dtype_class(dtype)) {
    case DTypeClass::kPredicate:
      for (int64_t i = 0; i < count; ++i) literal.set_integer(i, random.next() >> 63);
      return;
    case DTypeClass::kSigned:
    case DTypeClass::kUnsigned: {
      const int value_bits = dtype_bits(dtype) - (is_signed_integer(dtype) ? 1 : 0);
      const uint64_t choices = uint64_t{1} << std::min(value_bits, 3);
      for (int64_t i = 0; i < count; ++i) literal.set_integer(i, static_cast<int64_t>((random.next() >> 40) % choices));
      return;
    }
    case DTypeClass::kFloat:
      for (int64_t i = 0; i < count; ++i) literal.set_real(i, random.normal());
      return;
    case DTypeClass::kComplex:
      if (dtype == DType::kC64) {
        for (float& part : literal.mutable_values<float>()) part = static_cast<float>(random.normal());
      } else {
        for (double& part : literal.mutable_values<double>()) part = random.normal();
      }
      return;
  }
}

}  // namespace

std::vector<Literal> random_tensors(const std::vector<Shape>& shapes, uint64_t seed) {
  std::vector<Literal> tensors;
  for (size_t i = 0; i < shapes.size(); ++i) {
    SplitMix64 mix(seed * 0x100000001b3 + i);
    SplitMix64 random(mix.next());
    Literal literal(shapes[i]);
    fill(literal, random);
    tensors.push_back(std::move(literal));
  }
  return tensors;
}

}  // namespace sinter
