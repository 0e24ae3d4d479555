// Counts the device bytes that an emitted program reads and writes on the CPU, for the equality with `sinter explain`
// that design asks for: distinct bytes a launch, or a step of a loop whose blocks wait for one another, summed over
// all.
//
// The program is compiled with -fsanitize=thread, which calls a function before every load and store, and linked with
// these functions instead of ThreadSanitizer's. Device memory is what cudaMalloc took, that is, aligned_alloc, which is
// replaced here too. Prints `bytes_read N` and `bytes_written N` at the end of the program.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cpu/sinter_cpu.h"

namespace {

// A bit a byte: touched since the launch began.
struct Touched {
  std::vector<bool> bytes;
  int64_t count = 0;

  void add(size_t begin, size_t size) {
    for (size_t i = begin; i < std::min(begin + size, bytes.size()); ++i) {
      if (bytes[i]) continue;
      bytes[i] = true;
      ++count;
    }
  }
  int64_t take() {
    const int64_t result = count;
    if (count != 0) std::fill(bytes.begin(), bytes.end(), false);
    count = 0;
    return result;
  }
};

struct Allocation {
  uintptr_t begin;
  size_t bytes;
  Touched read, written;
};

struct Counts {
  std::vector<Allocation> allocations;
  // The numbers of the launch, and of the wait in it, that the allocations' bits belong to.
  int64_t launch = 0, wait = 0;
  int64_t read = 0, written = 0;

  // Ends the launch that ran until now.
  void finish_launch() {
    for (Allocation& allocation : allocations) {
      read += allocation.read.take();
      written += allocation.written.take();
    }
    launch = sinter_cpu::counters().launches;
    wait = sinter_cpu::counters().grid_barriers;
  }
  ~Counts() {
    finish_launch();
    const int64_t moved = sinter_cpu::counters().copied_bytes;
    std::printf("bytes_read %lld\nbytes_written %lld\n", static_cast<long long>(read + moved),
                static_cast<long long>(written + moved + sinter_cpu::counters().set_bytes));
  }
};

Counts& counts() {
  static Counts value;
  return value;
}

void access(const void* address, size_t bytes, bool write) {
  Counts& all = counts();
  const auto& now = sinter_cpu::counters();
  if (now.launches != all.launch || now.grid_barriers != all.wait) all.finish_launch();
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  for (Allocation& allocation : all.allocations) {
    if (at < allocation.begin || at >= allocation.begin + allocation.bytes) continue;
    (write ? allocation.written : allocation.read).add(at - allocation.begin, bytes);
    return;
  }
}

}  // namespace

// Of the C library; the alignment of cudaMalloc on the CPU tells its calls from others.
extern "C" void* aligned_alloc(size_t alignment, size_t bytes) {
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, bytes) != 0) return nullptr;
  if (alignment == 256) counts().allocations.push_back({reinterpret_cast<uintptr_t>(memory), bytes, {}, {}});
  if (alignment == 256) {
    counts().allocations.back().read.bytes.resize(bytes);
    counts().allocations.back().written.bytes.resize(bytes);
  }
  return memory;
}

#define SINTER_COUNT_ACCESS(size)                                                              \
  extern "C" void __tsan_read##size(void* address) { access(address, size, false); }           \
  extern "C" void __tsan_write##size(void* address) { access(address, size, true); }           \
  extern "C" void __tsan_volatile_read##size(void* address) { access(address, size, false); }  \
  extern "C" void __tsan_volatile_write##size(void* address) { access(address, size, true); }  \
  extern "C" void __tsan_unaligned_read##size(void* address) { access(address, size, false); } \
  extern "C" void __tsan_unaligned_write##size(void* address) { access(address, size, true); }
SINTER_COUNT_ACCESS(1)
SINTER_COUNT_ACCESS(2)
SINTER_COUNT_ACCESS(4)
SINTER_COUNT_ACCESS(8)
SINTER_COUNT_ACCESS(16)

extern "C" void __tsan_read_range(void* address, size_t bytes) { access(address, bytes, false); }
extern "C" void __tsan_write_range(void* address, size_t bytes) { access(address, bytes, true); }
// Of the guards of local static variables.
extern "C" unsigned char __tsan_atomic8_load(const volatile unsigned char* address, int) {
  return __atomic_load_n(address, __ATOMIC_SEQ_CST);
}
extern "C" void __tsan_atomic8_store(volatile unsigned char* address, unsigned char value, int) {
  __atomic_store_n(address, value, __ATOMIC_SEQ_CST);
}
// Atomics of four bytes are the count of finished blocks (device/last_block.cuh), which is no array of the program.
extern "C" unsigned __tsan_atomic32_load(const volatile unsigned* address, int) { return *address; }
extern "C" void __tsan_atomic32_store(volatile unsigned* address, unsigned value, int) { *address = value; }
extern "C" int __tsan_atomic32_compare_exchange_weak(volatile unsigned* address, unsigned* expected, unsigned desired,
                                                     int, int) {
  if (*address != *expected) {
    *expected = *address;
    return 0;
  }
  *address = desired;
  return 1;
}
// Counts of what shares a graph, of the runtime.
extern "C" unsigned __tsan_atomic32_fetch_add(volatile unsigned* address, unsigned value, int) {
  return __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
}
extern "C" unsigned long __tsan_atomic64_load(const volatile unsigned long* address, int) {
  return __atomic_load_n(address, __ATOMIC_SEQ_CST);
}
extern "C" void __tsan_atomic_signal_fence(int) {}
extern "C" void __tsan_vptr_update(void**, void*) {}
extern "C" void __tsan_func_entry(void*) {}
extern "C" void __tsan_func_exit() {}
extern "C" void __tsan_init() {}
