// Uses every device helper in kernels, so that nvcc compiles all of them for a device. Compiled, never run; the host
// compiler builds it too.
#include "device/async_copy.cuh"
#include "device/bins.cuh"
#include "device/bit_cast.cuh"
#include "device/bit_pieces.cuh"
#include "device/block_reduce.cuh"
#include "device/block_scan.cuh"
#include "device/block_sort.cuh"
#include "device/block_tree.cuh"
#include "device/cholesky.cuh"
#include "device/combine.cuh"
#include "device/complex.cuh"
#include "device/divisor.cuh"
#include "device/grid_barrier.cuh"
#include "device/half.cuh"
#include "device/integer_divide.cuh"
#include "device/integer_power.cuh"
#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/ldmatrix.cuh"
#include "device/logistic.cuh"
#include "device/lu.cuh"
#include "device/maximum.cuh"
#include "device/merge_runs.cuh"
#include "device/mma.cuh"
#include "device/multiply_high.cuh"
#include "device/narrow_integer.cuh"
#include "device/qr.cuh"
#include "device/reduce_precision.cuh"
#include "device/reload.cuh"
#include "device/rotate_left.cuh"
#include "device/round_to_odd.cuh"
#include "device/row_runs.cuh"
#include "device/run_blocks.cuh"
#include "device/saturate_cast.cuh"
#include "device/shifts.cuh"
#include "device/sign.cuh"
#include "device/small_float.cuh"
#include "device/spin_until.cuh"
#include "device/stochastic_convert.cuh"
#include "device/tf32_split.cuh"
#include "device/threefry2x32.cuh"
#include "device/top_k.cuh"
#include "device/total_order.cuh"
#include "device/triangular_solve.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"
#include "device/wrapping.cuh"

namespace {

constexpr int kThreads = 128;

struct Shared {
  float row[64 * 1024 / 4];  // more than a block has without asking
};

struct Best {  // of an arg-max
  float value;
  short index;
};

struct LargerValue {
  __device__ Best operator()(Best a, Best b) const {
    return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
  }
};

template <class T>
__global__ void __launch_bounds__(kThreads)
    integers(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ out) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  T r = integer_divide(a[i], b[i]);
  r = And()(r, integer_remainder(a[i], b[i]));
  r = Or()(r, integer_power(a[i], b[i]));
  r = Xor()(r, shift_left(a[i], b[i]));
  r = Add()(r, shift_right_logical(a[i], b[i]));
  r = Multiply()(r, shift_right_arithmetic(a[i], b[i]));
  r = Maximum()(r, sign(a[i]));
  r = Minimum()(r, multiply_high(a[i], b[i]));
  if constexpr (std::is_unsigned_v<T> && sizeof(T) >= 4) r = Xor()(r, rotate_left(r, 7));
  if constexpr (std::is_same_v<T, uint32_t>) r = Xor()(r, threefry2x32(r, a[i], b[i], i).first);
  r = Maximum()(r, saturate_cast<T>(1.5f));
  r = Maximum()(r, saturate_cast<T>(1.5));
  out[i] = block_reduce<kThreads>(r, Add());
}

__global__ void __launch_bounds__(kThreads) last_block(const int* parts, int* total, unsigned* finished) {
  reload_each_step();
  if (!is_last_block(finished)) return;
  *total = block_reduce<kThreads>(parts[threadIdx.x], Add());
}

template <class T>
__global__ void __launch_bounds__(kThreads) floats(const T* __restrict__ a, T* __restrict__ out) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  T x = maximum(a[i], minimum(sign(a[i]), logistic(a[i])));
  x = reduce_precision<5, 10>(x) + reduce_precision<8, 0>(x);
  x = total_order_key(x) > 0 ? x : -x;
  if constexpr (sizeof(T) == 4) x = x / Divisor(1.1f) / UncheckedDivisor(3.0f);
  out[i] = block_reduce<kThreads>(x, Maximum());
}

__global__ void __launch_bounds__(kThreads) halves(const __half* __restrict__ a, const __nv_bfloat16* __restrict__ b,
                                                   __half* __restrict__ c, __nv_bfloat16* d) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const bool less = total_order_key(a[i]) < total_order_key(b[i]);
  c[i] = less ? to_half(to_float(b[i])) : to_half(1.0);
  d[i] = less ? to_bfloat16(to_float(a[i])) : to_bfloat16(1.0);
  c[i] = __hmin_nan(__hadd_rn(c[i], a[i]), __hneg(__hmul_rn(c[i], a[i])));
  c[i] = __hmax_nan(__habs(c[i]), __hsub_rn(c[i], a[i]));
  d[i] = __hmin_nan(__hadd_rn(d[i], b[i]), __hneg(__hmul_rn(d[i], b[i])));
  d[i] = __hmax_nan(__habs(d[i]), __hsub_rn(d[i], b[i]));
}

template <class Small>
__global__ void __launch_bounds__(kThreads) small_floats(const Small* a, const float* x, Small* out, int8_t* narrow) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const Small sum = round_to<Small>(to_float(a[i]) + x[i]);
  const Small chance = stochastic_convert<Small>(x[i], bit_cast<uint32_t>(x[i]));
  out[i] = to_float(sum) < to_float(chance) ? sum : round_to<Small>(static_cast<double>(x[i]));
  const uint8_t piece = bit_piece<uint8_t, 4>(out[i], 1);
  narrow[i] = sign_extend<4>(zero_extend<2>(piece) + bit_piece<int8_t>(x[i], 3) + saturate_cast<int8_t, 4>(x[i]));
  narrow[i] += join_bits<int8_t, 4>(narrow[i], piece);
}

template <class T>
__global__ void __launch_bounds__(kThreads) complexes(const Complex<T>* a, const Complex<T>* b, Complex<T>* out) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const Complex<T> x = a[i], y = b[i];
  Complex<T> z = x + y * x - x / y + conj(-x) + abs(y) * sign(x) / T(2);
  z += exp(x) + expm1(x) + log(x) + log1p(x) + logistic(x) + sqrt(x) + rsqrt(x) + cbrt(x) + pow(x, y);
  z += sinh(x) + cosh(x) + tanh(x) + sin(x) + cos(x) + tan(x) + asinh(x) + asin(x) + acos(x) + acosh(x) + atanh(x);
  z *= atan2(x, y);
  out[i] = z == x || z != y ? block_reduce<kThreads>(z, Add()) : z;
}

__global__ void __launch_bounds__(kThreads)
    blocks(const float* __restrict__ a, float* __restrict__ out, unsigned* flag) {
  const int i = 4 * (blockIdx.x * kThreads + threadIdx.x);
  Vector<float, 4> v = load_vector<4>(a + i);
  Shared& shared = block_shared<Shared>();
  shared.row[threadIdx.x] = v[0];
  __syncthreads();
  v[1] = shared.row[kThreads - 1 - threadIdx.x];
  v[2] = bit_cast<float>(__float_as_int(v[3]));
  const Best best = block_reduce<kThreads>(Best{v[3], static_cast<short>(threadIdx.x)}, LargerValue());
  v[3] = best.value + best.index;
  store_vector(out + i, v);
  GridBarrier barrier(flag + 1);
  if (barrier.arrives_last()) clear_elements(out, 1);
  barrier.wait_for_last();
  barrier.wait_for_all();
  copy_elements(out, out + 1, 1);
  if (threadIdx.x == 0 && blockIdx.x == 0) store_release(flag, 1);
  spin_until([&] { return load_acquire(flag) == 1; });
}

template <class T>
cudaError_t launch_integers(cudaStream_t stream) {
  const T* in = nullptr;
  T* out = nullptr;
  return launch(integers<T>, {.grid = 64, .block = kThreads}, stream, in, in, out);
}

struct Before {
  __device__ bool operator()(const Best& a, const Best& b) const { return a.value < b.value; }
};

struct Row {
  const float* values;

  __device__ Best operator()(int i) const { return {values[i], 0}; }
};

struct SortShared {
  Best elements[4 * kThreads];
  Best space[4 * kThreads];
  int count;
};

__global__ void __launch_bounds__(kThreads) sorts(const float* values, float* sorted, int count, int run) {
  SortShared& shared = block_shared<SortShared>();
  for (int i = threadIdx.x; i < 4 * kThreads; i += kThreads) shared.elements[i] = {values[i], 0};
  block_sort<kThreads, 4>(shared.elements, 4 * kThreads, Before());
  const Best* merged = merge_runs<kThreads, 4, 5>(Row{values}, count, run, 0, shared.elements, shared.space, Before());
  const Best mine = merged[threadIdx.x];
  if (threadIdx.x == 0) shared.count = 0;
  __syncthreads();
  Best bound = kth_best<kThreads, 16>(mine, shared.elements, Before());
  offer(mine, bound, shared.elements, &shared.count, Before());
  keep_best<kThreads, 4, 16, kThreads>(true, shared.elements, &shared.count, &bound, Before());
  if (threadIdx.x < 16) sorted[threadIdx.x] = shared.elements[threadIdx.x].value;
}

__global__ void __launch_bounds__(kThreads)
    fills_bins(const int* rows, int* counts, double* parts, double* sums, unsigned* finished) {
  struct Bins {
    double sums[kThreads / 32][100];
    int counts[100];
  };
  Bins& shared = block_shared<Bins>();
  double(&own)[100] = shared.sums[threadIdx.x / 32];
  clear_bins<32>(own, 0.0);
  clear_bins<kThreads>(shared.counts, 0);
  const int row = rows[blockIdx.x * kThreads + threadIdx.x];
  auto turns = LaneTurns(row, row < 100);
  while (turns.advance()) {
    if (turns.is_own()) own[row] += 1;
  }
  __syncthreads();
  store_bins<kThreads>(shared.counts, counts);
  combine_bins<32>(shared.sums, parts + blockIdx.x * 100, Add());
  auto tree = BlockTree<kThreads>(blockIdx.x, gridDim.x, finished);
  while (tree.climb()) tree.reduce(parts, 100, 0.0, sums, Add());
}

template <class T>
__global__ void __launch_bounds__(kThreads) joins_runs(const int* rows, const T* values, T* sums) {
  constexpr int kLanes = 4, kRuns = kThreads / kLanes;
  struct Runs {
    SharedRowRuns<T, kRuns, kLanes> runs;
  };
  Runs& shared = block_shared<Runs>();
  RowRun<T> run;
  for (int k = 0; k < 2; ++k) {
    const int row = rows[2 * (threadIdx.x / kLanes) + k];
    if (run.goes_on(row)) {
      run.sum = run.sum + values[row];
    } else {
      if (run.is_whole(100)) sums[run.row] = run.sum;
      run.begin(row, values[row]);
    }
  }
  join_runs(&run, &shared.runs, Add());
  for (int i = 0; i < 2; ++i) {
    if (run.ended_row[i] >= 0) sums[run.ended_row[i]] = run.ended[i];
  }
  sums[shared.runs.rows[kRuns - 1]] = shared.runs.sums[kRuns - 1][0];
}

template <class Team, class T>
__global__ void __launch_bounds__(kThreads) solves(const T* values, T* solved, int* info) {
  struct Matrices {
    T a[8][9];
    T x[8][4];
    T scales[8];
    int pivots[8];
    int permutation[8];
  };
  Matrices& shared = block_shared<Matrices>();
  for (int i = Team::rank(); i < 8; i += Team::kThreads) shared.a[i][i] = shared.x[i][0] = values[i];
  Team::sync();
  info[0] = factor_cholesky<Team>(shared.a);
  solve_triangular<Team, true, false>(shared.a, shared.x, 4);
  info[1] = factor_lu<Team, 8>(shared.a, shared.pivots);
  permute_by_pivots<Team>(shared.pivots, shared.permutation);
  factor_qr<Team, 8>(shared.a, shared.scales);
  multiply_reflectors<Team, 8>(shared.a, shared.scales);
  solved[threadIdx.x] = shared.a[0][0] + shared.x[0][0];
}

__global__ void __launch_bounds__(kThreads) matrices(const float* values, float* sums) {
  struct Tile {
    alignas(128) float a[kThreads * 4];
  };
  Tile& shared = block_shared<Tile>();
  copy_async(&shared.a[threadIdx.x * 4], values + threadIdx.x * 4, threadIdx.x < 100);
  copy_async(&shared.a[threadIdx.x * 4], values + threadIdx.x * 4);
  commit_copies();
  wait_copies<0>();
  __syncthreads();
  uint32_t a[4], b[4];
  ldmatrix_x4(a, &shared.a[threadIdx.x * 4]);
  ldmatrix_x4_trans(b, &shared.a[threadIdx.x * 4]);
  const uint32_t pair[2] = {to_tf32(values[0]), small_part(values[1], big_part(values[1]))};
  float sum[1][1][4] = {}, part[1][1][4] = {};
  mma_bf16(part[0][0], a, pair);
  mma_f16(part[0][0], b, pair);
  mma_tf32(part[0][0], a, pair);
  add_and_clear(sum, part);
  sums[threadIdx.x] = sum[0][0][0];
}

}  // namespace

cudaError_t launch_all(cudaStream_t stream, float* x, double* y, unsigned* flag) {
  cudaError_t error = cudaSuccess;
  for (const auto start :
       {launch_integers<int8_t>, launch_integers<int16_t>, launch_integers<int>, launch_integers<int64_t>,
        launch_integers<uint8_t>, launch_integers<uint16_t>, launch_integers<uint32_t>, launch_integers<uint64_t>}) {
    if (error == cudaSuccess) error = start(stream);
  }
  const LaunchConfig config = {.grid = {2, 3}, .block = kThreads};
  if (error == cudaSuccess) error = launch(floats<float>, config, stream, x, x);
  if (error == cudaSuccess) error = launch(floats<double>, config, stream, y, y);
  if (error == cudaSuccess) error = launch(last_block, config, stream, nullptr, nullptr, flag);
  if (error == cudaSuccess) error = launch(halves, config, stream, nullptr, nullptr, nullptr, nullptr);
  if (error == cudaSuccess) error = launch(small_floats<F8E4M3FN>, config, stream, nullptr, x, nullptr, nullptr);
  if (error == cudaSuccess) error = launch(small_floats<F8E5M2FNUZ>, config, stream, nullptr, x, nullptr, nullptr);
  if (error == cudaSuccess) error = launch(small_floats<F4E2M1FN>, config, stream, nullptr, x, nullptr, nullptr);
  if (error == cudaSuccess) error = launch(small_floats<F8E8M0FNU>, config, stream, nullptr, x, nullptr, nullptr);
  if (error == cudaSuccess) error = launch(complexes<float>, config, stream, nullptr, nullptr, nullptr);
  if (error == cudaSuccess) error = launch(complexes<double>, config, stream, nullptr, nullptr, nullptr);
  if (error == cudaSuccess) error = launch(sorts, config, stream, x, x, 1, 1);
  if (error == cudaSuccess) error = launch(fills_bins, config, stream, nullptr, nullptr, y, y, flag);
  if (error == cudaSuccess) error = launch(joins_runs<float>, config, stream, nullptr, x, x);
  if (error == cudaSuccess) error = launch(joins_runs<double>, config, stream, nullptr, y, y);
  Complex<float>* c = nullptr;
  if (error == cudaSuccess) error = launch(joins_runs<Complex<float>>, config, stream, nullptr, c, c);
  if (error == cudaSuccess) error = launch(solves<ThreadTeam, float>, config, stream, x, x, nullptr);
  if (error == cudaSuccess) error = launch(solves<WarpTeam, double>, config, stream, y, y, nullptr);
  if (error == cudaSuccess) error = launch(solves<BlockTeam<kThreads>, Complex<float>>, config, stream, c, c, nullptr);
  if (error == cudaSuccess) error = launch(matrices, config, stream, x, x);
  const int grid = resident_blocks(blocks, kThreads, sizeof(Shared));
  if (error == cudaSuccess) {
    error = launch(blocks, {.grid = grid, .block = kThreads, .shared_bytes = sizeof(Shared), .cooperative = true},
                   stream, x, x, flag);
  }
  return error;
}
