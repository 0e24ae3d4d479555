// weights_file.h: a file of weights, as launchers read it. read_weights.cpp opens them.

#pragma once

#include <cstdint>

inline namespace sinter_helpers {

class WeightsFile {
 public:
  static constexpr int64_t kPiece = int64_t{16} << 20;

  virtual ~WeightsFile() = default;

  // What is wrong with it, or empty.
  virtual const char* problem() const = 0;

  // Of which build it says that it is; empty if it does not.
  virtual const char* build() const = 0;

  // Where the data of the tensor begins that is called so; its type is as HLO spells it ("f32").
  // Negative, with a problem, if there is none, or it has another type or other dimensions.
  virtual int64_t find(const char* name, const char* dtype, int rank, const int64_t* dims) = 0;

  // The bytes there, kPiece at most, until the next call. Null, with a problem, if they cannot be
  // read.
  virtual const void* read(int64_t position, int64_t bytes) = 0;
};

}  // namespace sinter_helpers
