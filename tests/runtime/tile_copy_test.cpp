// TMA and mbarrier in the CPU build: where elements of a tile arrive, when, what is outside, and what is refused.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "device/launch.cuh"
#include "device/tile_copy.cuh"

namespace {

using sinter_cpu::settings;

constexpr int kRow = 64, kRows = 16, kStages = 2;

class TileCopies : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { settings().order = sinter_cpu::parse_order(GetParam()); }
  void TearDown() override {
    settings().order = {};
    sinter_cpu::copies_at_once() = false;
  }
};
INSTANTIATE_TEST_SUITE_P(Orders, TileCopies, testing::Values("forward", "reverse", "7"), [](const auto& info) {
  return std::string(info.param[0] >= '0' && info.param[0] <= '9' ? "seed" : "") + info.param;
});

struct Shared {
  alignas(1024) uint16_t tile[kStages][kRows * kRow];
  PhaseBarrier full[kStages], empty[kStages];
};

// Thread 0 of the last warp has `tiles` tiles of a column of tiles copied; the first warp sums up, an element a lane of
// each row, what arrives. `waits`: for the tile to be there; else it is read at once.
__global__ void sum_tiles(const __grid_constant__ TileMap map, int tiles, bool waits, bool frees, int* sums) {
  Shared& shared = block_shared<Shared>();
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; ++i) {
      make_barrier(&shared.full[i], 1);
      make_barrier(&shared.empty[i], 32);
    }
    made_barriers();
  }
  __syncthreads();
  if (threadIdx.x >= 32) {
    if (threadIdx.x != 32) return;
    for (int i = 0; i < tiles; ++i) {
      if (frees) wait_phase(&shared.empty[i % kStages], (i / kStages + 1) % 2);
      arrive_and_expect(&shared.full[i % kStages], sizeof(shared.tile[0]));
      copy_tile(shared.tile[i % kStages], map, 8, i * kRows, 0, &shared.full[i % kStages]);
    }
    return;
  }
  int sum = 0;
  for (int i = 0; i < tiles; ++i) {
    if (waits) wait_phase(&shared.full[i % kStages], i / kStages % 2);
    for (int row = 0; row < kRows; ++row) {
      for (int column = threadIdx.x; column < kRow; column += 32)
        sum += shared.tile[i % kStages][row * kRow + (column ^ row % 8 * 8)] * (column + 1);
    }
    arrive(&shared.empty[i % kStages]);
  }
  sums[threadIdx.x] = sum;
}

constexpr int kColumns = 40, kAllRows = 90, kStride = 48;  // 32 columns from the tile's first on, and less than 6 tiles
constexpr int kTiles = 6;

std::vector<uint16_t> matrix() {
  std::vector<uint16_t> values(kAllRows * kStride);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<uint16_t>(i * 7 % 251);
  return values;
}

int expected_sum(const std::vector<uint16_t>& values, int lane) {
  int sum = 0;
  for (int row = 0; row < kAllRows; ++row) {
    for (int column = lane; column < kRow; column += 32) {
      if (8 + column < kColumns) sum += values[static_cast<size_t>(row * kStride + 8 + column)] * (column + 1);
    }
  }
  return sum;
}

constexpr TiledMatrices kMatrices = {
    .extents = {kColumns, kAllRows, 1}, .strides = {kStride, kStride* kAllRows}, .tile = {kRow, kRows}};

cudaError_t run(int tiles, bool waits, bool frees, std::vector<int>* sums) {
  static const std::vector<uint16_t> values = matrix();
  TileMap map;
  EXPECT_EQ(make_tile_map(&map, values.data(), kMatrices), cudaSuccess);
  sums->assign(32, -1);
  return launch(sum_tiles, {.grid = 1, .block = 64}, nullptr, map, tiles, waits, frees, sums->data());
}

TEST_P(TileCopies, ArriveSwizzledWithZerosOutside) {
  for (const bool early : {false, true}) {
    sinter_cpu::copies_at_once() = early;
    std::vector<int> sums;
    ASSERT_EQ(run(kTiles, true, true, &sums), cudaSuccess) << sinter_cpu::last_failure();
    for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(sums[static_cast<size_t>(lane)], expected_sum(matrix(), lane));
  }
}

TEST_P(TileCopies, AreNotThereBeforeTheyAreWaitedFor) {
  std::vector<int> sums;
  // The tiles may not even be asked for yet; never are they there.
  ASSERT_EQ(run(kStages, false, false, &sums), cudaSuccess) << sinter_cpu::last_failure();
  EXPECT_NE(sums[0], expected_sum(matrix(), 0));
}

TEST_P(TileCopies, OverwriteWhatIsStillRead) {
  std::vector<int> sums;
  // Without waiting for stages to be free the producer arrives at a phase that is not over.
  EXPECT_NE(run(kTiles, true, false, &sums), cudaSuccess);
}

TEST_P(TileCopies, ThatNobodyAsksForAreADeadlock) {
  std::vector<int> sums;
  TileMap map;
  const std::vector<uint16_t> values = matrix();
  ASSERT_EQ(make_tile_map(&map, values.data(), kMatrices), cudaSuccess);
  const auto waits = [](const TileMap) {
    Shared& shared = block_shared<Shared>();
    make_barrier(&shared.full[0], 1);
    arrive_and_expect(&shared.full[0], 128);
    wait_phase(&shared.full[0], 0);
  };
  EXPECT_NE(launch(+waits, {.grid = 1, .block = 1}, nullptr, map), cudaSuccess);
  EXPECT_NE(sinter_cpu::last_failure().find("deadlock"), std::string::npos) << sinter_cpu::last_failure();
}

TEST(TileMaps, WantAlignedRows) {
  const std::vector<uint16_t> values = matrix();
  TileMap map;
  TiledMatrices odd = kMatrices;
  odd.strides[0] = kStride + 1;
  EXPECT_EQ(make_tile_map(&map, values.data(), odd), cudaErrorInvalidValue);
  EXPECT_EQ(make_tile_map(&map, values.data() + 1, kMatrices), cudaErrorInvalidValue);
}

}  // namespace
