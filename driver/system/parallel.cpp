// Threads that take the next index until none is left.
#include "driver/system/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace sinter {

size_t parallel_threads() {
  constexpr unsigned kMost = 16;
  return std::clamp(std::thread::hardware_concurrency(), 1u, kMost);
}

void for_each_parallel(size_t count, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next{0};
  const auto take = [&] {
    for (size_t i; (i = next++) < count;) work(i);
  };
  const size_t threads = std::min(count, parallel_threads());
  std::vector<std::jthread> pool;
  for (size_t i = 1; i < threads; ++i) pool.emplace_back(take);
  take();
}

}  // namespace sinter
