// Times the CartPole kernels written by hand (cartpole.cu of the shared reference folder, given with -I): a line a kernel,
// its name in run.sh and the milliseconds of a rollout. The pools hold small random starts and fair actions.
#include <cstdio>
#include <vector>

#include "cartpole.cu"

namespace {

constexpr int kRepeat = 20;

uint32_t next_random() {
  static uint64_t state = 7;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<uint32_t>(state >> 33);
}

template <class T>
T* to_device(const std::vector<T>& values) {
  T* copy = nullptr;
  cudaMalloc(&copy, values.size() * sizeof(T));
  cudaMemcpy(copy, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return copy;
}

float* starts(size_t count) {
  std::vector<float> values(count);
  for (float& value : values) value = (static_cast<float>(next_random()) / 0x1p31f - 0.5f) * 2 * START;
  return to_device(values);
}

Arrays four(size_t count) { return {starts(count), starts(count), starts(count), starts(count)}; }

Array rows(size_t count) { return {reinterpret_cast<float4*>(starts(4 * count))}; }

template <class Launch>
void measure(const char* name, Launch launch) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  launch();
  cudaEventRecord(begin);
  for (int i = 0; i < kRepeat; ++i) launch();
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, begin, end);
  if (cudaGetLastError() == cudaSuccess) std::printf("%s %.3f\n", name, milliseconds / kRepeat);
}

}  // namespace

int main() {
  constexpr size_t kPool = size_t{POOL} * N;
  std::vector<int> fair(kPool);
  for (int& action : fair) action = static_cast<int>(next_random() >> 12 & 1);
  int* const actions = to_device(fair);
  int* const episodes = to_device(std::vector<int>(N));

  const Array row_in = rows(N), row_out = rows(N), row_pool = rows(kPool);
  measure("rng", [&] { cartpole_rng(row_in, make_uint2(0, 7), row_out, episodes, nullptr); });
  measure("concat", [&] { cartpole_concat(row_in, actions, row_pool, row_out, episodes, nullptr); });
  const Arrays in = four(N), out = four(N), pool = four(kPool);
  measure("soa_unroll10", [&] { cartpole_soa(in, actions, pool, out, episodes, nullptr); });
}
