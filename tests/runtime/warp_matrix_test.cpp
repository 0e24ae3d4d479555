// mma.sync, ldmatrix and cp.async in the CPU build: where each element of a fragment is, what is multiplied and how it
// is rounded, when copies arrive; and the split of floats for products in TF32.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "device/async_copy.cuh"
#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/ldmatrix.cuh"
#include "device/mma.cuh"
#include "device/tf32_split.cuh"
#include "device/unzip_bytes.cuh"
#include "tests/runtime/warp_matrix_layouts.h"

namespace {

using sinter_cpu::settings;

class WarpMatrix : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { settings().order = sinter_cpu::parse_order(GetParam()); }
  void TearDown() override { settings().order = {}; }
};
INSTANTIATE_TEST_SUITE_P(Orders, WarpMatrix, testing::Values("forward", "reverse", "7"), [](const auto& info) {
  return std::string(info.param[0] >= '0' && info.param[0] <= '9' ? "seed" : "") + info.param;
});

enum class Type { kBf16, kF16, kTf32 };

uint32_t bits_of(Type type, float value) {
  if (type == Type::kBf16) return to_bfloat16(value).bits;
  if (type == Type::kF16) return to_half(value).bits;
  return __float_as_uint(value);
}

// One product of a warp whose matrices are given as the layouts' numbers say, and taken apart the same way.
template <int E>
struct Fragments {
  float a[16 * 8 * E], b[8 * E * 8], d[16 * 8];
};

template <int E>
__global__ void multiply(Type type, Fragments<E>* all) {
  using namespace sinter_test;
  const int lane = threadIdx.x % 32;
  const auto& at_a = [&](int i) { return E == 2 ? k16_a[i] : k8_a[i]; };
  const auto& at_b = [&](int i) { return E == 2 ? k16_b[i] : k8_b[i]; };
  const auto& at_d = [&](int i) { return E == 2 ? k16_d[i] : k8_d[i]; };
  uint32_t a[4] = {}, b[2] = {};
  float d[4];
  for (int r = 0; r < 4; ++r) {
    for (int e = 0; e < E; ++e) a[r] |= bits_of(type, all->a[at_a((lane * 4 + r) * E + e)]) << 16 * e;
  }
  for (int r = 0; r < 2; ++r) {
    for (int e = 0; e < E; ++e) b[r] |= bits_of(type, all->b[at_b((lane * 2 + r) * E + e)]) << 16 * e;
  }
  for (int i = 0; i < 4; ++i) d[i] = all->d[at_d(lane * 4 + i)];
  if (type == Type::kBf16) mma_bf16(d, a, b);
  if (type == Type::kF16) mma_f16(d, a, b);
  if (type == Type::kTf32) mma_tf32(d, a, b);
  __syncwarp();
  for (int i = 0; i < 4; ++i) all->d[at_d(lane * 4 + i)] = d[i];
}

template <int E>
void expect_product(Type type) {
  std::mt19937 random(1);
  Fragments<E> all;
  // Small integers: all is exact, in any order.
  for (float* x = all.a; x != all.d + 128; ++x) *x = static_cast<float>(static_cast<int>(random() % 17) - 8);
  Fragments<E> expected = all;
  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 8; ++column) {
      for (int k = 0; k < 8 * E; ++k) expected.d[row * 8 + column] += all.a[row * 8 * E + k] * all.b[k * 8 + column];
    }
  }
  ASSERT_EQ(launch(multiply<E>, {.grid = 1, .block = 32}, nullptr, type, &all), cudaSuccess);
  for (int i = 0; i < 128; ++i) EXPECT_EQ(all.d[i], expected.d[i]) << i;
}

TEST_P(WarpMatrix, MultipliesBf16) { expect_product<2>(Type::kBf16); }
TEST_P(WarpMatrix, MultipliesF16) { expect_product<2>(Type::kF16); }
TEST_P(WarpMatrix, MultipliesTf32) { expect_product<1>(Type::kTf32); }

TEST_P(WarpMatrix, CutsOffSumsWhereAsked) {
  Fragments<1> all = {};
  for (int k = 0; k < 8; ++k) all.a[k] = 1;
  // Half a unit of the last place, eight times: four of them at a time are lost one by one.
  all.b[0] = 1;
  for (int k = 1; k < 8; ++k) all.b[k * 8] = 0x1p-26f;
  Fragments<1> cut = all;
  ASSERT_EQ(launch(multiply<1>, {.grid = 1, .block = 32}, nullptr, Type::kTf32, &all), cudaSuccess);
  EXPECT_EQ(all.d[0], 1 + 0x1p-23f);  // 7 / 8 of a unit, rounded
  sinter_cpu::truncates_sums() = true;
  ASSERT_EQ(launch(multiply<1>, {.grid = 1, .block = 32}, nullptr, Type::kTf32, &cut), cudaSuccess);
  sinter_cpu::truncates_sums() = false;
  EXPECT_EQ(cut.d[0], 1);
}

// The same of bytes, whose sums are integers and wrap.
template <class Byte>
struct ByteFragments {
  Byte a[16 * 32], b[32 * 8];
  int d[16 * 8];
};

template <class Byte>
__global__ void multiply_bytes(ByteFragments<Byte>* all) {
  using namespace sinter_test;
  const int lane = threadIdx.x % 32;
  uint32_t a[4] = {}, b[2] = {};
  int d[4];
  for (int r = 0; r < 4; ++r) {
    for (int e = 0; e < 4; ++e)
      a[r] |= static_cast<uint32_t>(static_cast<uint8_t>(all->a[k32_a[(lane * 4 + r) * 4 + e]])) << 8 * e;
  }
  for (int r = 0; r < 2; ++r) {
    for (int e = 0; e < 4; ++e)
      b[r] |= static_cast<uint32_t>(static_cast<uint8_t>(all->b[k32_b[(lane * 2 + r) * 4 + e]])) << 8 * e;
  }
  for (int i = 0; i < 4; ++i) d[i] = all->d[k16_d[lane * 4 + i]];
  if constexpr (std::is_signed_v<Byte>) {
    mma_s8(d, a, b);
  } else {
    mma_u8(d, a, b);
  }
  __syncwarp();
  for (int i = 0; i < 4; ++i) all->d[k16_d[lane * 4 + i]] = d[i];
}

template <class Byte>
void expect_product_of_bytes() {
  std::mt19937 random(1);
  ByteFragments<Byte> all;
  for (Byte& x : all.a) x = static_cast<Byte>(random());
  for (Byte& x : all.b) x = static_cast<Byte>(random());
  for (int& x : all.d) x = INT32_MAX - static_cast<int>(random() % 100);
  ByteFragments<Byte> expected = all;
  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 8; ++column) {
      auto sum = static_cast<uint32_t>(all.d[row * 8 + column]);
      for (int k = 0; k < 32; ++k) sum += static_cast<uint32_t>(all.a[row * 32 + k] * all.b[k * 8 + column]);
      expected.d[row * 8 + column] = static_cast<int>(sum);
    }
  }
  ASSERT_EQ(launch(multiply_bytes<Byte>, {.grid = 1, .block = 32}, nullptr, &all), cudaSuccess);
  for (int i = 0; i < 128; ++i) EXPECT_EQ(all.d[i], expected.d[i]) << i;
}

TEST_P(WarpMatrix, MultipliesSignedBytes) { expect_product_of_bytes<int8_t>(); }
TEST_P(WarpMatrix, MultipliesUnsignedBytes) { expect_product_of_bytes<uint8_t>(); }

// The same of doubles, whose sums are one fma after the other.
struct DoubleFragments {
  double a[16 * 8], b[8 * 8], d[16 * 8];
};

__global__ void multiply_doubles(DoubleFragments* all) {
  using namespace sinter_test;
  const int lane = threadIdx.x % 32;
  double a[4], b[2], d[4];
  for (int r = 0; r < 4; ++r) a[r] = all->a[k8_a[lane * 4 + r]];
  for (int r = 0; r < 2; ++r) b[r] = all->b[k8_b[lane * 2 + r]];
  for (int i = 0; i < 4; ++i) d[i] = all->d[k8_d[lane * 4 + i]];
  mma_f64(d, a, b);
  __syncwarp();
  for (int i = 0; i < 4; ++i) all->d[k8_d[lane * 4 + i]] = d[i];
}

TEST_P(WarpMatrix, MultipliesDoubles) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  DoubleFragments all;
  for (double* x = all.a; x != all.d + 128; ++x) *x = normal(random);
  DoubleFragments expected = all;
  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 8; ++column) {
      double& sum = expected.d[row * 8 + column];
      for (int k = 0; k < 8; ++k) sum = std::fma(all.a[row * 8 + k], all.b[k * 8 + column], sum);
    }
  }
  ASSERT_EQ(launch(multiply_doubles, {.grid = 1, .block = 32}, nullptr, &all), cudaSuccess);
  for (int i = 0; i < 128; ++i) EXPECT_EQ(all.d[i], expected.d[i]) << i;
}

// Bytes of 32 k and 16 columns, whose neighbours are columns, out of a tile of 128 columns in its swizzled order.
__global__ void unzip(const uint8_t* from, uint8_t* found) {
  struct Shared {
    alignas(128) uint8_t tile[32 * 128];
  };
  Shared& shared = sinter_cpu::block_shared<Shared>();
  const int lane = threadIdx.x;
  const auto at = [](int k, int column) { return k * 128 + (column ^ (k / 4 * 2 + k % 2) % 8 * 16); };
  for (int i = lane; i < 32 * 128; i += 32) shared.tile[at(i / 128, i % 128)] = from[i];
  __syncwarp();
  uint32_t pair[4], bytes[4];
  ldmatrix_x4_trans(pair, &shared.tile[at(row_of_bytes(lane), 48)]);
  unzip_bytes(pair[0], pair[1], bytes[0], bytes[1]);
  unzip_bytes(pair[2], pair[3], bytes[2], bytes[3]);
  std::memcpy(found + lane * 16, bytes, 16);
}

TEST_P(WarpMatrix, UnzipsBytes) {
  std::vector<uint8_t> from(32 * 128), found(32 * 16);
  std::mt19937 random(1);
  for (uint8_t& x : from) x = static_cast<uint8_t>(random());
  sinter_cpu::matrix_counters() = {};
  ASSERT_EQ(launch(unzip, {.grid = 1, .block = 32}, nullptr, from.data(), found.data()), cudaSuccess);
  EXPECT_EQ(sinter_cpu::matrix_counters().conflicts, 0);
  for (int lane = 0; lane < 32; ++lane) {
    for (int r = 0; r < 4; ++r) {
      for (int e = 0; e < 4; ++e) {
        const int k = r / 2 * 16 + lane % 4 * 4 + e, column = 48 + lane / 4 * 2 + r % 2;
        EXPECT_EQ(found[lane * 16 + r * 4 + e], from[k * 128 + column]) << lane << " " << r << " " << e;
      }
    }
  }
}

__global__ void load(const uint16_t* from, uint16_t* plain, uint16_t* transposed) {
  struct Shared {
    alignas(16) uint16_t matrix[4 * 64];
  };
  Shared& shared = sinter_cpu::block_shared<Shared>();
  for (int i = threadIdx.x; i < 256; i += 32) shared.matrix[i] = from[i];
  __syncwarp();
  uint32_t r[4];
  ldmatrix_x4(r, &shared.matrix[threadIdx.x * 8]);
  std::memcpy(plain + threadIdx.x * 8, r, 16);
  ldmatrix_x4_trans(r, &shared.matrix[threadIdx.x * 8]);
  std::memcpy(transposed + threadIdx.x * 8, r, 16);
}

TEST_P(WarpMatrix, LoadsMatrices) {
  std::vector<uint16_t> from(256), plain(256), transposed(256);
  for (int i = 0; i < 256; ++i) from[i] = static_cast<uint16_t>(i);
  sinter_cpu::matrix_counters() = {};
  ASSERT_EQ(launch(load, {.grid = 1, .block = 32}, nullptr, from.data(), plain.data(), transposed.data()), cudaSuccess);
  EXPECT_EQ(sinter_cpu::matrix_counters().loads, 2);
  EXPECT_EQ(sinter_cpu::matrix_counters().conflicts, 0);
  for (int i = 0; i < 256; ++i) {
    EXPECT_EQ(plain[i], sinter_test::ldmatrix_plain[i]) << i;
    EXPECT_EQ(transposed[i], sinter_test::ldmatrix_trans[i]) << i;
  }
}

// What a block finds in shared memory: before it waits, after it waits for all copies but those of the last group, and
// after it waits for all; and the places beyond the end.
__global__ void copy(const float* from, float* found) {
  struct Shared {
    alignas(16) float row[3][32 * 4];
  };
  Shared& shared = sinter_cpu::block_shared<Shared>();
  const int thread = threadIdx.x;
  copy_async(&shared.row[0][thread * 4], from + thread * 4);
  copy_async(&shared.row[1][thread * 4], from + thread * 4, thread < 16);
  commit_copies();
  copy_async(&shared.row[2][thread * 4], from + thread * 4);
  commit_copies();
  found[thread] = shared.row[0][thread * 4];
  wait_copies<1>();
  found[32 + thread] = shared.row[0][thread * 4 + 3];
  found[64 + thread] = shared.row[1][thread * 4 + 3];
  found[96 + thread] = shared.row[2][thread * 4];
  wait_copies<0>();
  found[128 + thread] = shared.row[2][thread * 4];
}

// Copies of 8 and of 4 bytes, the second half of each outside.
__global__ void copy_less(const float* from, float* found) {
  struct Shared {
    alignas(16) float pair[32 * 2], one[32];
  };
  Shared& shared = sinter_cpu::block_shared<Shared>();
  const int thread = threadIdx.x;
  copy_async<8>(&shared.pair[thread * 2], from + thread * 2, thread < 16);
  copy_async<4>(&shared.one[thread], from + thread + 1);
  commit_copies();
  wait_copies<0>();
  found[thread] = shared.pair[thread * 2 + 1];
  found[32 + thread] = shared.one[thread];
}

TEST_P(WarpMatrix, CopiesLess) {
  alignas(16) float from[64];
  std::vector<float> found(64);
  for (int i = 0; i < 64; ++i) from[i] = static_cast<float>(i);
  sinter_cpu::async_counters() = {};
  ASSERT_EQ(launch(copy_less, {.grid = 1, .block = 32}, nullptr, from, found.data()), cudaSuccess);
  EXPECT_EQ(sinter_cpu::async_counters().copies, 2);
  EXPECT_EQ(sinter_cpu::async_counters().conflicts, 0);
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(found[i], i < 16 ? static_cast<float>(2 * i + 1) : 0);
    EXPECT_EQ(found[32 + i], static_cast<float>(i + 1));
  }
}

// Copies of a warp to rows of 128 bytes: all to the same banks.
__global__ void copy_to_one_bank(const float* from) {
  struct Shared {
    alignas(128) float row[32][32];
  };
  Shared& shared = sinter_cpu::block_shared<Shared>();
  copy_async<4>(&shared.row[threadIdx.x][0], from);
  commit_copies();
  wait_copies<0>();
}

TEST_P(WarpMatrix, CountsBanks) {
  const float from[1] = {1};
  sinter_cpu::async_counters() = {};
  EXPECT_EQ(launch(copy_to_one_bank, {.grid = 1, .block = 32}, nullptr, &from[0]), cudaSuccess);
  EXPECT_EQ(sinter_cpu::async_counters().conflicts, 31);
  sinter_cpu::checks_banks() = true;
  EXPECT_NE(launch(copy_to_one_bank, {.grid = 1, .block = 32}, nullptr, &from[0]), cudaSuccess);
  sinter_cpu::checks_banks() = false;
}

// More copies of a thread than the CPU build keeps under way.
__global__ void copy_many(const float* from, float* found) {
  struct Shared {
    float one[300][32];
  };
  Shared& shared = sinter_cpu::block_shared<Shared>();
  const int thread = threadIdx.x;
  for (int i = 0; i < 300; ++i) copy_async<4>(&shared.one[i][thread], from + i);
  commit_copies();
  wait_copies<0>();
  for (int i = 0; i < 300; ++i) found[i] = shared.one[i][thread];
}

TEST_P(WarpMatrix, CopiesMany) {
  std::vector<float> from(300), found(300);
  for (int i = 0; i < 300; ++i) from[i] = static_cast<float>(i);
  ASSERT_EQ(launch(copy_many, {.grid = 1, .block = 32}, nullptr, from.data(), found.data()), cudaSuccess);
  EXPECT_EQ(found, from);
}

TEST_P(WarpMatrix, CopiesWhenItIsWaitedFor) {
  std::vector<float> from(32 * 4 + 4), found(160);
  float* aligned = from.data();
  while (reinterpret_cast<uintptr_t>(aligned) % 16 != 0) ++aligned;
  for (int i = 0; i < 128; ++i) aligned[i] = static_cast<float>(i);
  sinter_cpu::async_counters() = {};
  ASSERT_EQ(launch(copy, {.grid = 1, .block = 32}, nullptr, aligned, found.data()), cudaSuccess);
  EXPECT_EQ(sinter_cpu::async_counters().copies, 3);
  EXPECT_EQ(sinter_cpu::async_counters().conflicts, 0);
  for (int i = 0; i < 32; ++i) {
    EXPECT_TRUE(std::isnan(found[i]));
    EXPECT_EQ(found[32 + i], static_cast<float>(i * 4 + 3));
    EXPECT_EQ(found[64 + i], i < 16 ? static_cast<float>(i * 4 + 3) : 0);
    EXPECT_TRUE(std::isnan(found[96 + i]));
    EXPECT_EQ(found[128 + i], static_cast<float>(i * 4));
  }
}

TEST(Tf32Split, IsTheFloat) {
  std::mt19937 random(2);
  for (int i = 0; i < 100000; ++i) {
    const float x = __uint_as_float(random());
    if (!std::isfinite(x) || std::fabs(x) < 0x1p-100f || std::fabs(x) > 0x1p127f) continue;
    const uint32_t big = big_part(x);
    EXPECT_EQ(big & 0x1fff, 0u);
    EXPECT_EQ(big, to_tf32(x));
    const float small = __uint_as_float(small_part(x, big) & 0xffffe000);
    EXPECT_LE(std::fabs(static_cast<double>(x) - __uint_as_float(big) - small), std::ldexp(std::fabs(x), -22)) << x;
  }
  for (const float x : {INFINITY, -INFINITY, NAN, __uint_as_float(0x7fffffff), __uint_as_float(0xffffffff)}) {
    EXPECT_TRUE(std::isnan(__uint_as_float(big_part(x))) || std::isnan(__uint_as_float(small_part(x, big_part(x)))));
  }
}

}  // namespace
