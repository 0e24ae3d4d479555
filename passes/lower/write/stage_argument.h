// What a stage's launches pass to its kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "ir/module/module.h"

namespace sinter {

// Memory that only the kernels of one stage know.
struct ScratchBuffer {
  std::string name;  // C identifier; numbered where the program has several of that name
  Shape shape;       // an array
};

// What a launch passes for a parameter of its kernel. Buffers come first, then ints.
struct StageArgument {
  enum class Kind : uint8_t {
    kValue,     // the buffer of `value`, which the stage reads or gives
    kScratch,   // the buffer scratch[number]
    kNumber,    // the int `number`
    kCounter,   // the counter of the host loop around the stage
    kStep,      // the counter of the stage's own loop around this step
    kFinished,  // `number` counts of blocks that have finished, zero between launches
  };
  Kind kind = Kind::kValue;
  const Instruction* value = nullptr;
  int64_t number = 0;

  bool operator==(const StageArgument&) const = default;
  static StageArgument of(const Instruction* value) { return {Kind::kValue, value, 0}; }
  static StageArgument scratch(size_t position) { return {Kind::kScratch, nullptr, static_cast<int64_t>(position)}; }
  static StageArgument integer(int64_t number) { return {Kind::kNumber, nullptr, number}; }
  static StageArgument counter() { return {Kind::kCounter, nullptr, 0}; }
  static StageArgument step() { return {Kind::kStep, nullptr, 0}; }
  static StageArgument finished(int64_t counts) { return {Kind::kFinished, nullptr, counts}; }
};

}  // namespace sinter
