// Fourier transforms of rows: a block transforms a few rows, each along its last dimension, in shared memory
// (Stockham's passes, device/block_fft.cuh), and stores what is computed of them. Lengths are products of small primes
// and fit; the pass expand_fft makes of every transform such ones.
#pragma once

#include <memory>

#include "passes/stages/own/epilogue.h"
#include "passes/stages/own/own_stage.h"

namespace sinter {

// True if a block can transform a row of `length` elements of the complex type.
bool fits_block_fft(DType complex_type, int64_t length);

struct FftDemand {
  const Instruction* fft = nullptr;
  int64_t rows = 1, length = 1;
  bool inverse = false;
  int64_t rows_per_block = 1, threads = 32;
  int64_t gap = 0;  // numbers in shared memory between two free places; 0: there are none
  bool reads_across = false, writes_across = false;  // neighbours in memory are of neighbouring rows
  std::unique_ptr<DemandGraph> graph;                // results: the sample at (row, column)
  EpilogueDemand epilogue;                           // of the result at (row, column)
  int row = 0, column = 0;                           // coordinates of all graphs
};

// Numbers and free places of a row, as device/block_fft.cuh has them.
constexpr int64_t fft_room(int64_t length, int64_t gap) { return gap == 0 ? length : length + length / gap; }

std::optional<FftDemand> demand_fft(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure);

}  // namespace sinter
