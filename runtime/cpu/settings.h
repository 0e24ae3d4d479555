// Settings of the CPU build, by environment or function, and what it counts.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

inline namespace sinter_helpers {

namespace sinter_cpu {

struct Order {
  enum class Kind { kForward, kReverse, kShuffled };
  Kind kind = Kind::kForward;
  uint64_t seed = 0;  // of kShuffled
};

// "forward", "reverse" or a number, the seed of a shuffled order.
inline Order parse_order(std::string_view text) {
  if (text.empty() || text == "forward") return {};
  if (text == "reverse") return {Order::Kind::kReverse, 0};
  return {Order::Kind::kShuffled, std::strtoull(std::string(text).c_str(), nullptr, 10)};
}

struct Settings {
  Order order;               // SINTER_CPU_ORDER=forward|reverse|<seed>
  unsigned resident_blocks;  // SINTER_CPU_BLOCKS: how many blocks a cooperative launch may have
  int devices = 1;           // of which all are the CPU
  int capability = 0;        // SINTER_CPU_CAPABILITY: 89 claims to be such a device; 0: the CPU
  int driver = 13000;  // SINTER_CPU_DRIVER: 12030 claims to be CUDA 12.3, without conditional nodes
};

inline Settings& settings() {
  static Settings value = [] {
    const char* order = std::getenv("SINTER_CPU_ORDER");
    const char* blocks = std::getenv("SINTER_CPU_BLOCKS");
    const char* capability = std::getenv("SINTER_CPU_CAPABILITY");
    const char* driver = std::getenv("SINTER_CPU_DRIVER");
    const unsigned count =
        blocks != nullptr ? static_cast<unsigned>(std::strtoul(blocks, nullptr, 10)) : 0;
    return Settings{parse_order(order != nullptr ? order : ""), count != 0 ? count : 4, 1,
                    capability != nullptr ? std::atoi(capability) : 0,
                    driver != nullptr ? std::atoi(driver) : 13000};
  }();
  return value;
}

struct Counters {
  int64_t launches = 0;       // kernels
  int64_t grid_barriers = 0;  // completed barriers of whole grids
  int64_t copies = 0;         // cudaMemcpy and its kin, device to device
  int64_t copied_bytes = 0;
  int64_t waits = 0;  // for a stream
  int64_t memsets = 0;
  int64_t set_bytes = 0;
};

// Of this host thread, since its start or the last `counters() = {}`.
inline Counters& counters() {
  thread_local Counters value;
  return value;
}

// Why the last failed launch of this host thread failed.
inline std::string& last_failure() {
  thread_local std::string text;
  return text;
}

}  // namespace sinter_cpu

}  // namespace sinter_helpers
