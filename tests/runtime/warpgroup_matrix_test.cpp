// wgmma in the CPU build: where each element of a sum and of an operand in shared memory is, what is multiplied, when
// operands are read and results are there, and what is refused; and the words that the hardware is given.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

#include "device/async_copy.cuh"
#include "device/half.cuh"
#include "device/launch.cuh"
#include "device/wgmma.cuh"
#include "tests/runtime/warp_matrix_layouts.h"
#include "tests/runtime/warpgroup_matrix_layouts.h"

namespace {

using sinter_cpu::settings;

constexpr int kK = 64, kMostN = 256;

class WarpgroupMatrix : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { settings().order = sinter_cpu::parse_order(GetParam()); }
  void TearDown() override {
    settings().order = {};
    sinter_cpu::copies_at_once() = false;
  }
};
INSTANTIATE_TEST_SUITE_P(Orders, WarpgroupMatrix, testing::Values("forward", "reverse", "7"), [](const auto& info) {
  return std::string(info.param[0] >= '0' && info.param[0] <= '9' ? "seed" : "") + info.param;
});

struct Matrices {
  uint16_t a[64 * kK], b[kK * kMostN];  // elements as bits; a by rows, b by columns
  float d[64 * kMostN];
};

struct Tiles {
  alignas(1024) uint16_t a[64 * kK];
  uint16_t b[kK * kMostN];
};

// Where an element is, as CuTe says: atoms of eight rows follow one another along the rows, and those of further 64
// elements after them.
int place(bool along_k, int outer, int k) {
  const int row = along_k ? outer : k, column = along_k ? k : outer;
  const int in_atom =
      along_k ? sinter_test::wgmma_along_k[outer % 8 * 64 + k] : sinter_test::wgmma_across_k[outer % 64 * 8 + k % 8];
  return (column / 64 * 64 * 128 + row / 8 * 1024 + in_atom) / 2;
}

// Where A is, and whether the first product sets the sums.
enum class Left { kShared, kSharedAndSets, kRegisters };

template <int N, bool kA, bool kB>
__global__ void multiply(bool is_half, Left left, Matrices* all) {
  Tiles& tiles = block_shared<Tiles>();
  const int thread = threadIdx.x;
  for (int i = thread; i < 64 * kK; i += 128) tiles.a[place(kA, i / kK, i % kK)] = all->a[i];
  for (int i = thread; i < 8 * N * kK; i += 128) tiles.b[place(kB, i / kK, i % kK)] = all->b[i];
  float d[N][4];
  const auto at = [&](int j, int i) {
    const int of_eight = sinter_test::wgmma_sums[thread * 4 + i];
    return of_eight / 8 * 8 * N + 8 * j + of_eight % 8;
  };
  for (int j = 0; j < N; ++j) {
    for (int i = 0; i < 4; ++i) d[j][i] = all->d[at(j, i)];
  }
  fence_async_proxy();
  __syncthreads();
  wgmma_fence();
  const auto a = [&] {
    if constexpr (kA) return along_k(tiles.a);
    if constexpr (!kA) return across_k(tiles.a, kK);
  }();
  const auto b = [&] {
    if constexpr (kB) return along_k(tiles.b);
    if constexpr (!kB) return across_k(tiles.b, kK);
  }();
  uint32_t rows[kK / 16][4];
  for (int step = 0; step < kK / 16; ++step) {
    // As mma.sync has them (device/mma.cuh).
    for (int r = 0; r < 4; ++r) {
      const int row = thread / 32 * 16 + thread % 32 / 4 + r % 2 * 8, k = step * 16 + thread % 4 * 2 + r / 2 * 8;
      rows[step][r] = all->a[row * kK + k] | static_cast<uint32_t>(all->a[row * kK + k + 1]) << 16;
    }
  }
  for (int step = 0; step < kK / 16; ++step) {
    if constexpr (N <= 16) {
      if (left == Left::kRegisters) {
        is_half ? wgmma_f16(d, rows[step], b + step) : wgmma_bf16(d, rows[step], b + step);
        continue;
      }
      if (left == Left::kSharedAndSets) {
        is_half ? wgmma_f16(d, a + step, b + step, step > 0) : wgmma_bf16(d, a + step, b + step, step > 0);
        continue;
      }
    }
    is_half ? wgmma_f16(d, a + step, b + step) : wgmma_bf16(d, a + step, b + step);
  }
  wgmma_commit();
  wgmma_wait<0>();
  for (int j = 0; j < N; ++j) {
    for (int i = 0; i < 4; ++i) all->d[at(j, i)] = d[j][i];
  }
}

template <int N, bool kA, bool kB>
void expect_product(bool is_half, Left left = Left::kShared) {
  std::mt19937 random(1);
  const auto all = std::make_unique<Matrices>();
  // Small integers: all is exact, in any order.
  const auto number = [&] { return static_cast<float>(static_cast<int>(random() % 17) - 8); };
  const auto bits = [&](float x) { return is_half ? to_half(x).bits : to_bfloat16(x).bits; };
  std::vector<float> a(64 * kK), b(8 * N * kK), expected(64 * 8 * N);
  for (size_t i = 0; i < a.size(); ++i) all->a[i] = bits(a[i] = number());
  for (size_t i = 0; i < b.size(); ++i) all->b[i] = bits(b[i] = number());
  for (size_t row = 0; row < 64; ++row) {
    for (size_t column = 0; column < 8 * N; ++column) {
      float& sum = expected[row * 8 * N + column];
      all->d[row * 8 * N + column] = number();
      sum = left == Left::kSharedAndSets ? 0 : all->d[row * 8 * N + column];
      for (size_t k = 0; k < kK; ++k) sum += a[row * kK + k] * b[column * kK + k];
    }
  }
  for (const bool early : {false, true}) {
    sinter_cpu::copies_at_once() = early;
    const auto found = std::make_unique<Matrices>(*all);
    ASSERT_EQ(launch(multiply<N, kA, kB>, {.grid = 1, .block = 128}, nullptr, is_half, left, found.get()), cudaSuccess);
    for (size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(found->d[i], expected[i]) << i;
  }
}

TEST_P(WarpgroupMatrix, MultipliesAlongK) { expect_product<8, true, true>(false); }
TEST_P(WarpgroupMatrix, MultipliesRightAcrossK) { expect_product<32, true, false>(false); }
TEST_P(WarpgroupMatrix, MultipliesLeftAcrossK) { expect_product<16, false, true>(true); }
TEST_P(WarpgroupMatrix, MultipliesAcrossK) { expect_product<16, false, false>(false); }
TEST_P(WarpgroupMatrix, MultipliesF16) { expect_product<32, true, true>(true); }
TEST_P(WarpgroupMatrix, MultipliesRowsInRegisters) {
  expect_product<8, true, false>(false, Left::kRegisters);
  expect_product<16, true, true>(true, Left::kRegisters);
}
TEST_P(WarpgroupMatrix, SetsSums) {
  expect_product<16, true, true>(false, Left::kSharedAndSets);
  expect_product<8, true, false>(true, Left::kSharedAndSets);
}

// Rows in registers times columns along K in shared memory, of elements of 4 bytes or one.
template <class Element, class Sum, int N>
struct OfRows {
  static constexpr int kOfRow = 128 / sizeof(Element), kOfInstruction = 32 / sizeof(Element);
  Element a[64 * kOfRow], b[8 * N * kOfRow];
  Sum d[64 * 8 * N];
};

template <class Element, class Sum, int N>
__global__ void multiply_rows(const short* a_places, bool adds, OfRows<Element, Sum, N>* all) {
  using Of = OfRows<Element, Sum, N>;
  struct Columns {
    alignas(1024) Element b[8 * N * Of::kOfRow];
  };
  Columns& columns = block_shared<Columns>();
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  for (int i = thread; i < 8 * N * Of::kOfRow; i += 128) {
    const int column = i / Of::kOfRow, byte = i % Of::kOfRow * static_cast<int>(sizeof(Element));
    const int place = column / 8 * 1024 + sinter_test::wgmma_along_k[column % 8 * 64 + byte / 2] + byte % 2;
    columns.b[static_cast<size_t>(place) / sizeof(Element)] = all->b[i];
  }
  constexpr int kSteps = Of::kOfRow / Of::kOfInstruction, kOfRegister = 4 / sizeof(Element);
  uint32_t a[kSteps][4];
  for (int step = 0; step < kSteps; ++step) {
    Element elements[4 * kOfRegister];
    for (int i = 0; i < 4 * kOfRegister; ++i) {
      const int place = a_places[lane * 4 * kOfRegister + i];
      const int row = 16 * warp + place / Of::kOfInstruction,
                k = step * Of::kOfInstruction + place % Of::kOfInstruction;
      elements[i] = all->a[row * Of::kOfRow + k];
    }
    memcpy(a[step], elements, sizeof(elements));
  }
  Sum d[N][4];
  const auto at = [&](int j, int i) {
    const int of_eight = sinter_test::wgmma_sums[thread * 4 + i];
    return of_eight / 8 * 8 * N + 8 * j + of_eight % 8;
  };
  for (int j = 0; j < N; ++j) {
    for (int i = 0; i < 4; ++i) d[j][i] = all->d[at(j, i)];
  }
  fence_async_proxy();
  __syncthreads();
  wgmma_fence();
  for (int step = 0; step < kSteps; ++step) {
    const auto b = along_k(columns.b) + step;
    if constexpr (sizeof(Element) == 4) wgmma_tf32(d, a[step], b, adds || step > 0);
    if constexpr (std::is_same_v<Element, int8_t>) wgmma_s8(d, a[step], b, adds || step > 0);
    if constexpr (std::is_same_v<Element, uint8_t>) wgmma_u8(d, a[step], b, adds || step > 0);
  }
  wgmma_commit();
  wgmma_wait<0>();
  for (int j = 0; j < N; ++j) {
    for (int i = 0; i < 4; ++i) all->d[at(j, i)] = d[j][i];
  }
}

template <class Element, class Sum, int N>
void expect_product_of_rows(const short* a_places, bool adds) {
  using Of = OfRows<Element, Sum, N>;
  std::mt19937 random(1);
  const auto all = std::make_unique<Of>();
  const int least = std::is_unsigned_v<Element> ? 0 : -100;
  const auto number = [&] { return static_cast<Element>(least + static_cast<int>(random() % 201)); };
  for (Element& x : all->a) x = number();
  for (Element& x : all->b) x = number();
  std::vector<Sum> expected(64 * 8 * N);
  for (size_t i = 0; i < expected.size(); ++i) {
    all->d[i] = static_cast<Sum>(random() % 1000);
    expected[i] = adds ? all->d[i] : Sum{0};
    for (size_t k = 0; k < Of::kOfRow; ++k)
      expected[i] += static_cast<Sum>(all->a[i / (8 * N) * Of::kOfRow + k]) *
                     static_cast<Sum>(all->b[i % (8 * N) * Of::kOfRow + k]);
  }
  // Of floats that are no TF32 what they have beyond does not count.
  if constexpr (sizeof(Element) == 4) {
    for (Element& x : all->b) x = __uint_as_float(__float_as_uint(x) | 0x1fff);
  }
  for (const bool early : {false, true}) {
    sinter_cpu::copies_at_once() = early;
    const auto found = std::make_unique<Of>(*all);
    const auto kernel = multiply_rows<Element, Sum, N>;
    ASSERT_EQ(launch(kernel, {.grid = 1, .block = 128}, nullptr, a_places, adds, found.get()), cudaSuccess);
    for (size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(found->d[i], expected[i]) << i;
  }
}

TEST_P(WarpgroupMatrix, MultipliesTf32OfRows) {
  expect_product_of_rows<float, float, 8>(sinter_test::k8_a, true);
  expect_product_of_rows<float, float, 32>(sinter_test::k8_a, false);
}
TEST_P(WarpgroupMatrix, MultipliesBytesOfRows) {
  expect_product_of_rows<int8_t, int, 16>(sinter_test::k32_a, true);
  expect_product_of_rows<uint8_t, int, 8>(sinter_test::k32_a, false);
}

__global__ void change_rows(bool waits, float* sum) {
  Tiles& tiles = block_shared<Tiles>();
  for (int i = threadIdx.x; i < 64 * kK; i += 128) tiles.b[i] = 0;
  float d[8][4] = {};
  uint32_t a[4] = {};
  fence_async_proxy();
  __syncthreads();
  wgmma_fence();
  wgmma_tf32(d, a, along_k(tiles.b));
  wgmma_commit();
  if (waits) wgmma_wait<0>();
  a[threadIdx.x % 4] = 1;
  wgmma_wait<0>();
  sum[threadIdx.x] = d[0][0] + __uint_as_float(a[0]);
}

TEST_P(WarpgroupMatrix, FindsRegistersThatChangeTooEarly) {
  std::vector<float> sum(128);
  EXPECT_EQ(launch(change_rows, {.grid = 1, .block = 128}, nullptr, true, sum.data()), cudaSuccess);
  EXPECT_EQ(launch(change_rows, {.grid = 1, .block = 128}, nullptr, false, sum.data()), cudaErrorLaunchFailure);
}

// Ones times ones; `what` is left out, or done too early.
enum class Fault { kNone, kWait, kOverwrites, kFence, kCopyFence };

__global__ void multiply_ones(Fault what, const uint16_t* ones, float* sum) {
  Tiles& tiles = block_shared<Tiles>();
  for (int i = threadIdx.x * 8; i < 64 * kK; i += 128 * 8) {
    copy_async(&tiles.a[i], &ones[i]);
    copy_async(&tiles.b[i], &ones[i]);
  }
  commit_copies();
  wait_copies<0>();
  if (what != Fault::kCopyFence) fence_async_proxy();
  __syncthreads();
  float d[8][4] = {};
  if (what != Fault::kFence) wgmma_fence();
  for (int step = 0; step < kK / 16; ++step) wgmma_bf16(d, along_k(tiles.a) + step, along_k(tiles.b) + step);
  wgmma_commit();
  if (what == Fault::kOverwrites) tiles.a[threadIdx.x * 8] = 0;
  if (what != Fault::kWait) wgmma_wait<0>();
  sum[threadIdx.x] = d[0][0];
}

TEST_P(WarpgroupMatrix, FindsFaults) {
  const std::vector<uint16_t> ones(64 * kK, to_bfloat16(1.0f).bits);
  const auto sums = [&](Fault what, cudaError_t error) {
    std::vector<float> sum(128);
    EXPECT_EQ(launch(multiply_ones, {.grid = 1, .block = 128}, nullptr, what, ones.data(), sum.data()), error);
    return sum;
  };
  EXPECT_EQ(sums(Fault::kNone, cudaSuccess), std::vector<float>(128, kK));
  EXPECT_EQ(sums(Fault::kWait, cudaSuccess), std::vector<float>(128, 0));
  EXPECT_NE(sums(Fault::kOverwrites, cudaSuccess), std::vector<float>(128, kK));
  sums(Fault::kFence, cudaErrorLaunchFailure);
  sums(Fault::kCopyFence, cudaErrorLaunchFailure);
}

TEST(WgmmaDescriptor, IsTheHardwares) {
  // PTX ISA, matrix descriptor: start in bits 0 to 13, leading offset in 16 to 29, stride offset in 32 to 45, each in
  // 16 bytes; swizzling in 128 bytes is 1 in bits 62 and 63.
  const uint64_t word = matrix_descriptor(0x7f000000 + 5 * 1024 + 32, 8192);
  EXPECT_EQ(word & 0x3fff, (5 * 1024 + 32) / 16u);
  EXPECT_EQ(word >> 14 & 3, 0u);
  EXPECT_EQ(word >> 16 & 0x3fff, 8192 / 16u);
  EXPECT_EQ(word >> 32 & 0x3fff, 1024 / 16u);
  EXPECT_EQ(word >> 46 & 0xffff, 0u);
  EXPECT_EQ(word >> 62, 1u);
}

}  // namespace
