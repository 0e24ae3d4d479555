// The CPU build runs kernels as a GPU would: barriers, shuffles, votes, shared memory, cooperative grids, in every
// order of threads; and says what is wrong where a GPU would hang.
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "device/block_reduce.cuh"
#include "device/block_scan.cuh"
#include "device/combine.cuh"
#include "device/grid_barrier.cuh"
#include "device/launch.cuh"
#include "device/spin_until.cuh"

namespace {

using sinter_cpu::counters;
using sinter_cpu::last_failure;
using sinter_cpu::Order;
using sinter_cpu::settings;

// Each test runs in several orders.
class Grid : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    settings().order = sinter_cpu::parse_order(GetParam());
    settings().resident_blocks = 4;
  }
  void TearDown() override { settings().order = {}; }
};
INSTANTIATE_TEST_SUITE_P(Orders, Grid, testing::Values("forward", "reverse", "1", "20260101"), [](const auto& info) {
  return std::string(info.param[0] >= '0' && info.param[0] <= '9' ? "seed" : "") + info.param;
});

__global__ void write_coordinates(int* out) {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  out[block * blockDim.x + threadIdx.x] += block * 1000 + static_cast<int>(threadIdx.x);
}

TEST_P(Grid, RunsEachThreadOnce) {
  std::vector<int> out(2 * 3 * 5 * 37);
  ASSERT_EQ(launch(write_coordinates, {.grid = {2, 3, 5}, .block = 37}, nullptr, out.data()), cudaSuccess);
  for (int i = 0; i < 2 * 3 * 5 * 37; ++i) ASSERT_EQ(out[static_cast<size_t>(i)], i / 37 * 1000 + i % 37);
}

struct Tile {
  int value[256];
};

__global__ void reverse_block(const int* in, int* out) {
  Tile& tile = block_shared<Tile>();
  const int first = static_cast<int>(blockIdx.x * blockDim.x);
  tile.value[threadIdx.x] = in[first + static_cast<int>(threadIdx.x)];
  __syncthreads();
  const int mirrored = tile.value[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  tile.value[threadIdx.x] = mirrored;
  __syncthreads();
  out[first + static_cast<int>(threadIdx.x)] = tile.value[threadIdx.x];
}

TEST_P(Grid, BarriersSeparateSteps) {
  std::vector<int> in(256 * 9), out(in.size());
  std::iota(in.begin(), in.end(), 0);
  ASSERT_EQ(launch(reverse_block, {.grid = 9, .block = 256}, nullptr, in.data(), out.data()), cudaSuccess);
  for (size_t i = 0; i < in.size(); ++i) ASSERT_EQ(out[i], in[i / 256 * 256 + 255 - i % 256]);
}

// Threads that have returned are not waited for.
__global__ void half_returns(int* out) {
  if (threadIdx.x >= blockDim.x / 2) return;
  Tile& tile = block_shared<Tile>();
  tile.value[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = tile.value[blockDim.x / 2 - 1 - threadIdx.x];
}

TEST_P(Grid, ReturnedThreadsDoNotHoldABarrier) {
  std::vector<int> out(64);
  ASSERT_EQ(launch(half_returns, {.grid = 1, .block = 128}, nullptr, out.data()), cudaSuccess);
  for (int i = 0; i < 64; ++i) ASSERT_EQ(out[static_cast<size_t>(i)], 63 - i);
}

__global__ void shuffle_all(int* out) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  int* row = out + threadIdx.x * 8;
  row[0] = __shfl_sync(0xffffffff, lane, 5);
  row[1] = __shfl_sync(0xffffffff, lane, 3, 8);
  row[2] = __shfl_xor_sync(0xffffffff, lane, 7);
  row[3] = __shfl_up_sync(0xffffffff, lane, 3);
  row[4] = __shfl_down_sync(0xffffffff, lane, 3);
  row[5] = __shfl_down_sync(0xffffffff, lane, 3, 8);
  row[6] = static_cast<int>(__ballot_sync(0xffffffff, lane % 3 == 0));
  row[7] = __any_sync(0xffffffff, lane == 4) * 2 + __all_sync(0xffffffff, lane != 4);
}

TEST_P(Grid, ShufflesAndVotes) {
  std::vector<int> out(64 * 8);
  ASSERT_EQ(launch(shuffle_all, {.grid = 1, .block = 64}, nullptr, out.data()), cudaSuccess);
  unsigned thirds = 0;
  for (unsigned lane = 0; lane < 32; lane += 3) thirds |= 1u << lane;
  for (int t = 0; t < 64; ++t) {
    const int lane = t % 32;
    const int* row = &out[static_cast<size_t>(t) * 8];
    EXPECT_EQ(row[0], 5);
    EXPECT_EQ(row[1], lane / 8 * 8 + 3);
    EXPECT_EQ(row[2], lane ^ 7);
    EXPECT_EQ(row[3], lane < 3 ? lane : lane - 3);
    EXPECT_EQ(row[4], lane + 3 > 31 ? lane : lane + 3);
    EXPECT_EQ(row[5], lane % 8 + 3 > 7 ? lane : lane + 3);
    EXPECT_EQ(row[6], static_cast<int>(thirds));
    EXPECT_EQ(row[7], 2);
  }
}

__global__ void match_all(const int* values, unsigned* out) {
  out[threadIdx.x] = __match_any_sync(0xffffffff, values[threadIdx.x]);
}

TEST_P(Grid, LanesOfOneValueFindEachOther) {
  std::vector<int> values(32);
  for (int lane = 0; lane < 32; ++lane) values[static_cast<size_t>(lane)] = lane == 9 ? -1 : lane % 3 * 1000000;
  std::vector<unsigned> out(32);
  ASSERT_EQ(launch(match_all, {.grid = 1, .block = 32}, nullptr, values.data(), out.data()), cudaSuccess);
  for (size_t lane = 0; lane < 32; ++lane) {
    unsigned same = 0;
    for (size_t other = 0; other < 32; ++other) same |= values[other] == values[lane] ? 1u << other : 0u;
    EXPECT_EQ(out[lane], same);
  }
}

// The two halves of a warp may be in different exchanges, and a different number of them.
__global__ void divergent_halves(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  int sum = lane;
  if (lane < 16) {
    for (int mask = 8; mask > 0; mask /= 2) sum += __shfl_xor_sync(0x0000ffff, sum, mask);
  } else {
    sum = __shfl_xor_sync(0xffff0000, sum, 1);
  }
  __syncwarp();
  out[lane] = sum;
}

TEST_P(Grid, PartsOfAWarpExchangeOnTheirOwn) {
  std::vector<int> out(32);
  ASSERT_EQ(launch(divergent_halves, {.grid = 1, .block = 32}, nullptr, out.data()), cudaSuccess);
  for (int i = 0; i < 32; ++i) ASSERT_EQ(out[static_cast<size_t>(i)], i < 16 ? 120 : (i ^ 1));
}

template <int kThreads>
__global__ void reduce_thrice(const float* in, float* out) {
  const float value = in[blockIdx.x * kThreads + threadIdx.x];
  const float sum = block_reduce<kThreads>(value, Add());
  const float max = block_reduce<kThreads>(value, Maximum());
  const int bits = block_reduce<kThreads>(1 << threadIdx.x % 31, Or());
  float* row = out + (blockIdx.x * kThreads + threadIdx.x) * 3;
  row[0] = sum, row[1] = max, row[2] = static_cast<float>(bits);
}

template <int kThreads>
void check_block_reduce() {
  constexpr int kBlocks = 3;
  std::vector<float> in(kBlocks * kThreads), out(in.size() * 3);
  for (size_t i = 0; i < in.size(); ++i) in[i] = 0.1f * static_cast<float>(i * 7919 % 1000) - 37.0f;
  ASSERT_EQ(launch(reduce_thrice<kThreads>, {.grid = kBlocks, .block = kThreads}, nullptr, in.data(), out.data()),
            cudaSuccess);
  // The order that the helper promises: by distance 16, 8, ... in the warp, then warp by warp.
  for (int block = 0; block < kBlocks; ++block) {
    float sum = 0.0f, max = -INFINITY;
    for (int warp = 0; warp < kThreads / 32; ++warp) {
      float lanes[32];
      for (int lane = 0; lane < 32; ++lane) {
        lanes[lane] = in[static_cast<size_t>(block * kThreads + warp * 32 + lane)];
        max = std::max(max, lanes[lane]);
      }
      for (int mask = 16; mask > 0; mask /= 2) {
        for (int lane = 0; lane < mask; ++lane) lanes[lane] += lanes[lane + mask];
      }
      sum = warp == 0 ? lanes[0] : sum + lanes[0];
    }
    for (int t = 0; t < kThreads; ++t) {
      const float* row = &out[static_cast<size_t>(block * kThreads + t) * 3];
      ASSERT_EQ(row[0], sum);
      ASSERT_EQ(row[1], max);
      ASSERT_EQ(row[2], static_cast<float>(0x7fffffff));
    }
  }
}

TEST_P(Grid, BlockReduceHasOneResult) {
  check_block_reduce<32>();
  check_block_reduce<64>();
  check_block_reduce<256>();
  check_block_reduce<1024>();
}

// Two steps of a row each, of integers and of a type that is moved in pieces.
template <int kThreads>
__global__ void scan_twice(const int* in, int* out, short* longest) {
  int carry = 1000;
  short most = -1;
  for (int step = 0; step < 2; ++step) {
    const int i = step * kThreads + threadIdx.x;
    out[i] = block_scan<kThreads>(in[i], Add(), &carry);
    longest[i] = block_scan<kThreads>(static_cast<short>(in[i] % 97), Maximum(), &most);
  }
}

template <int kThreads>
void check_block_scan() {
  std::vector<int> in(2 * kThreads), out(in.size());
  std::vector<short> longest(in.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 7919 % 1000);
  ASSERT_EQ(
      launch(scan_twice<kThreads>, {.grid = 1, .block = kThreads}, nullptr, in.data(), out.data(), longest.data()),
      cudaSuccess);
  int sum = 1000;
  int most = -1;
  for (size_t i = 0; i < in.size(); ++i) {
    sum += in[i];
    most = std::max(most, in[i] % 97);
    ASSERT_EQ(out[i], sum);
    ASSERT_EQ(longest[i], most);
  }
}

TEST_P(Grid, BlockScanContinues) {
  check_block_scan<32>();
  check_block_scan<64>();
  check_block_scan<256>();
  check_block_scan<1024>();
}

// The last block to arrive adds up what all blocks wrote.
__global__ void last_block_sums(const int* in, int* partial, unsigned* arrived, int* out) {
  const int sum = block_reduce<64>(in[blockIdx.x * 64 + threadIdx.x], Add());
  if (threadIdx.x != 0) return;
  partial[blockIdx.x] = sum;
  __threadfence();
  if (atomicAdd(arrived, 1) + 1 != gridDim.x) return;
  __threadfence();
  *out = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) *out += partial[block];
}

TEST_P(Grid, LastBlockFinishes) {
  std::vector<int> in(64 * 20), partial(20);
  std::iota(in.begin(), in.end(), 1);
  unsigned arrived = 0;
  int out = 0;
  ASSERT_EQ(launch(last_block_sums, {.grid = 20, .block = 64}, nullptr, in.data(), partial.data(), &arrived, &out),
            cudaSuccess);
  EXPECT_EQ(out, 1280 * 1281 / 2);
}

// Each block takes a ticket, waits for the block of the ticket before, and adds to its result.
__global__ void look_back(unsigned* ticket, unsigned* flags, int* sums) {
  if (threadIdx.x != 0) return;
  const unsigned mine = atomicAdd(ticket, 1);
  if (mine != 0) spin_until([&] { return load_acquire(&flags[mine - 1]) != 0; });
  sums[mine] = static_cast<int>(mine) + (mine == 0 ? 0 : sums[mine - 1]);
  __threadfence();
  store_release(&flags[mine], 1);
}

// Waits for the block with the next number, which a launch in that order has not even started.
__global__ void wait_for_successor(unsigned* flags) {
  if (blockIdx.x + 1 < gridDim.x) spin_until([&] { return load_acquire(&flags[blockIdx.x + 1]) != 0; });
  store_release(&flags[blockIdx.x], 1);
}

TEST_P(Grid, BlocksWaitForBlocks) {
  unsigned ticket = 0;
  std::vector<unsigned> flags(50);
  std::vector<int> sums(50);
  ASSERT_EQ(launch(look_back, {.grid = 50, .block = 32}, nullptr, &ticket, flags.data(), sums.data()), cudaSuccess);
  EXPECT_EQ(sums[49], 49 * 50 / 2);
  std::vector<unsigned> passed(10);
  ASSERT_EQ(launch(wait_for_successor, {.grid = 10, .block = 1}, nullptr, passed.data()), cudaSuccess);
  EXPECT_EQ(passed[0], 1u);
}

// A ring: in each step every thread takes the value of its neighbour, which may be in another block.
__global__ void rotate(int* a, int* b, int steps, unsigned* counts) {
  GridBarrier barrier(counts);
  const int n = static_cast<int>(gridDim.x * blockDim.x);
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  for (int step = 0; step < steps; ++step) {
    (step % 2 == 0 ? b : a)[i] = (step % 2 == 0 ? a : b)[(i + 1) % n];
    barrier.wait_for_all();
  }
}

TEST_P(Grid, BlocksOfALaunchWaitForOneAnother) {
  std::vector<int> a(4 * 48), b(a.size());
  std::iota(a.begin(), a.end(), 0);
  counters() = {};
  unsigned counts[2] = {0, 7};
  ASSERT_EQ(resident_blocks(rotate, 48), 4);
  ASSERT_EQ(launch_resident(rotate, {.grid = 4, .block = 48}, nullptr, a.data(), b.data(), 10, &counts[0]),
            cudaSuccess);
  for (size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i], static_cast<int>((i + 10) % a.size()));
  EXPECT_EQ(counters().launches, 1);
  EXPECT_EQ(counters().grid_barriers, 10);
  EXPECT_EQ(counts[0], 0u);
}

// The sum of what all blocks have stored, by the one that arrives last; and then by all, of its twice.
__global__ void sum_of_blocks(int* of_blocks, int* sum, int* all, unsigned* counts) {
  GridBarrier barrier(counts);
  if (threadIdx.x == 0) of_blocks[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
  if (barrier.arrives_last() && threadIdx.x == 0) {
    for (unsigned block = 0; block < gridDim.x; ++block) *sum += of_blocks[block];
  }
  barrier.wait_for_last();
  if (threadIdx.x == 0) all[blockIdx.x] = 2 * *sum;
}

TEST_P(Grid, TheLastBlockGoesOnWhileOthersWait) {
  for (const unsigned resident : {1u, 3u, 4u}) {
    settings().resident_blocks = resident;
    std::vector<int> of_blocks(9), all(9);
    int sum = 0;
    unsigned counts[2] = {};
    const LaunchConfig config = {.grid = 9, .block = 40};
    ASSERT_EQ(launch_resident(sum_of_blocks, config, nullptr, of_blocks.data(), &sum, all.data(), &counts[0]),
              cudaSuccess);
    const int blocks = static_cast<int>(resident);
    EXPECT_EQ(sum, blocks * (blocks + 1) / 2);
    for (int block = 0; block < blocks; ++block) EXPECT_EQ(all[static_cast<size_t>(block)], 2 * sum);
  }
}

__global__ void count_in_bins(const int* in, int n, int* bins, float* sum) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  atomicAdd(&bins[in[i]], 1);
  atomicAdd(sum, 0.5f);
  atomicMax(&bins[8], i);
  atomicMin(&bins[9], -i);
  if (atomicCAS(&bins[10], 0, 7) == 0) atomicExch(&bins[11], 9);
}

TEST_P(Grid, Atomics) {
  std::vector<int> in(1000), bins(12);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i % 8);
  float sum = 0;
  ASSERT_EQ(launch(count_in_bins, {.grid = 8, .block = 128}, nullptr, in.data(), 1000, bins.data(), &sum), cudaSuccess);
  EXPECT_EQ(bins, (std::vector<int>{125, 125, 125, 125, 125, 125, 125, 125, 999, -999, 7, 9}));
  EXPECT_EQ(sum, 500.0f);
}

// --- what is wrong is found ------------------------------------------------------------------------------------------

__global__ void never_arrives(int* out) {
  if (threadIdx.x < 40) {
    __syncthreads();
  } else {
    out[0] = __shfl_sync(0xffffffff, 1, 0);
  }
}

TEST_P(Grid, DeadlockIsReported) {
  int out = 0;
  EXPECT_EQ(launch(never_arrives, {.grid = 3, .block = 64}, nullptr, &out), cudaErrorLaunchFailure);
  EXPECT_NE(last_failure().find("deadlock"), std::string::npos) << last_failure();
  EXPECT_NE(last_failure().find("threads 0 to 39 wait in __syncthreads at grid_test.cpp:"), std::string::npos);
  EXPECT_NE(last_failure().find("threads 40 to 63 wait in __shfl_sync at grid_test.cpp:"), std::string::npos);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  // The next launch is not affected.
  std::vector<int> in(256, 3), result(256);
  EXPECT_EQ(launch(reverse_block, {.grid = 1, .block = 256}, nullptr, in.data(), result.data()), cudaSuccess);
  EXPECT_EQ(result, in);
}

__global__ void two_barriers() {
  if (threadIdx.x < 32) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}

TEST_P(Grid, DivergentBarriersAreReported) {
  EXPECT_EQ(launch(two_barriers, {.grid = 1, .block = 64}, nullptr), cudaErrorLaunchFailure);
  EXPECT_NE(last_failure().find("meet at different places"), std::string::npos) << last_failure();
}

__global__ void spins_forever(unsigned* flag) {
  spin_until([&] { return load_acquire(flag) != 0; });
}

TEST_P(Grid, HopelessSpinningIsReported) {
  unsigned flag = 0;
  EXPECT_EQ(launch(spins_forever, {.grid = 2, .block = 33}, nullptr, &flag), cudaErrorLaunchFailure);
  EXPECT_NE(last_failure().find("spin_until"), std::string::npos) << last_failure();
}

__global__ void waits_for_grid(unsigned* counts) { GridBarrier(counts).wait_for_all(); }

TEST_P(Grid, BlocksThatWaitNeedACooperativeLaunch) {
  unsigned counts[2] = {};
  EXPECT_EQ(launch(waits_for_grid, {.grid = 2, .block = 32}, nullptr, &counts[0]), cudaErrorLaunchFailure);
  EXPECT_NE(last_failure().find("not cooperative"), std::string::npos) << last_failure();
}

__global__ void traps() {
  if (threadIdx.x == 3) __trap();
  __syncthreads();
}

TEST_P(Grid, Trap) {
  EXPECT_EQ(launch(traps, {.grid = 2, .block = 32}, nullptr), cudaErrorLaunchFailure);
  EXPECT_NE(last_failure().find("__trap at grid_test.cpp:"), std::string::npos) << last_failure();
}

// The result of a kernel that lacks a barrier depends on the order.
__global__ void lacks_barrier(int* out) {
  Tile& tile = block_shared<Tile>();
  tile.value[threadIdx.x] = 1;
  out[threadIdx.x] = tile.value[(threadIdx.x + 1) % blockDim.x];
}

TEST(GridOrder, ShowsAMissingBarrier) {
  const auto run = [](const char* order) {
    settings().order = sinter_cpu::parse_order(order);
    std::vector<int> out(64);
    EXPECT_EQ(launch(lacks_barrier, {.grid = 1, .block = 64}, nullptr, out.data()), cudaSuccess);
    settings().order = {};
    return out;
  };
  EXPECT_NE(run("forward"), run("reverse"));
  EXPECT_NE(run("1"), run("reverse"));
  EXPECT_EQ(run("17"), run("17"));
}

// Memory that nobody wrote is all ones.
__global__ void reads_unwritten(int* out) { out[blockIdx.x] = block_shared<Tile>().value[blockIdx.x]; }

TEST(GridLaunch, SharedMemoryIsPoisoned) {
  std::vector<int> out(3);
  ASSERT_EQ(launch(reads_unwritten, {.grid = 3, .block = 1}, nullptr, out.data()), cudaSuccess);
  EXPECT_EQ(out, (std::vector<int>{-1, -1, -1}));
}

// Of a size that is no multiple of a pointer's: AddressSanitizer looks at how it is allocated.
struct OddSize {
  int value[3];
};

__global__ void reads_odd_size(int* out) { out[0] = block_shared<OddSize>().value[2]; }

TEST(GridLaunch, SharedMemoryOfAnySize) {
  int out = 0;
  ASSERT_EQ(launch(reads_odd_size, {.grid = 1, .block = 1}, nullptr, &out), cudaSuccess);
  EXPECT_EQ(out, -1);
}

TEST(GridLaunch, RefusesWhatAGpuRefuses) {
  int out = 0;
  EXPECT_EQ(launch(lacks_barrier, {.grid = 1, .block = 0}, nullptr, &out), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(lacks_barrier, {.grid = 1, .block = 1025}, nullptr, &out), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(lacks_barrier, {.grid = {1, 65536}, .block = 32}, nullptr, &out), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(lacks_barrier, {.grid = 1, .block = 32, .shared_bytes = 300000}, nullptr, &out),
            cudaErrorInvalidValue);
  EXPECT_EQ(launch(waits_for_grid, {.grid = 1000, .block = 32, .cooperative = true}, nullptr,
                   static_cast<unsigned*>(nullptr)),
            cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(launch(lacks_barrier, {.grid = 0, .block = 32}, nullptr, &out), cudaSuccess);
  cudaGetLastError();
}

TEST(GridLaunch, HostInterface) {
  float* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 1000 * sizeof(float)), cudaSuccess);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 256, 0u);
  EXPECT_TRUE(isnan(memory[999]));
  const std::vector<float> in(1000, 2.0f);
  std::vector<float> out(1000);
  EXPECT_EQ(cudaMemcpy(memory, in.data(), 4000, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(memory, 0, 4), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(out.data(), memory, 4000, cudaMemcpyDeviceToHost, nullptr), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(out[0], 0.0f);
  EXPECT_EQ(out[999], 2.0f);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  cudaEvent_t start = nullptr, stop = nullptr;
  EXPECT_EQ(cudaEventCreate(&start), cudaSuccess);
  EXPECT_EQ(cudaEventCreate(&stop), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(start), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(stop), cudaSuccess);
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, stop), cudaSuccess);
  EXPECT_GE(milliseconds, 0.0f);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  EXPECT_STREQ(cudaGetErrorString(cudaErrorLaunchFailure), "the kernel failed on the CPU");
}

}  // namespace
