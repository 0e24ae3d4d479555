// A GPU as the cost model sees it: a data file of templates/gpus/, which says where its numbers are from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

struct Gpu {
  std::string name;                      // "h200"
  std::string title;                     // "NVIDIA H200 SXM 141GB"
  std::vector<std::string> default_for;  // architectures that it stands for where no GPU is named: "90a"
  int64_t multiprocessors = 0;
  double clock_ghz = 0;
  // Limits of a multiprocessor.
  int64_t threads = 0, blocks = 0, registers = 0, shared_bytes = 0;
  // Results that a multiprocessor has a cycle, by unit.
  double f32_lanes = 0, f64_lanes = 0, integer_lanes = 0, special_lanes = 0;
  double tensor_fma = 0;  // multiply-adds of 16-bit floats that mma.sync makes a cycle; 0: there are no tensor cores
  double tensor_f64_fma = 0;  // of doubles; 0: none, or no more than f64_lanes have
  int64_t memory_bytes = 0;   // 0: not known
  double memory_gb_per_s = 0;
  int64_t l2_bytes = 0;
  double l2_gb_per_s = 0;
  double launch_us = 0;  // from the end of one kernel of a stream to the start of the next
};

// Reads a data file (JSON). nullopt with the reason in `error`: "'multiprocessors' is missing or no positive number".
std::optional<Gpu> parse_gpu(std::string_view text, std::string& error);

}  // namespace sinter
