// times t_*_life: a step of Conway's game on a torus of bytes 0 and 1, four cells in a word.
//
// Sums of nine cells are at most 9, so no byte of a word carries into the next. A thread has 16 cells of 8 rows, and goes
// down them with the sums of three cells side by side of three rows in registers.
#include "bench/handwritten/yardstick.h"
#include "device/vector_access.cuh"

namespace {

using yardstick::Array;

constexpr int kThreads = 128, kWords = 4, kCells = 4 * kWords, kRows = 8;
using Words = Vector<uint32_t, kWords>;

struct Row {
  Words cell, sum;  // and of each place the sum of the three cells around it
};

// The lowest byte of a word is its first cell.
__device__ __forceinline__ uint32_t after(uint32_t left, uint32_t word) { return word << 8 | left >> 24; }
__device__ __forceinline__ uint32_t before(uint32_t word, uint32_t right) { return word >> 8 | right << 24; }

__device__ __forceinline__ Row load_row(const uint32_t* __restrict__ cells, int row, int word, int words) {
  const uint32_t* from = cells + static_cast<int64_t>(row) * words;
  Row own;
  own.cell = load_vector<kWords>(from + word);
  const uint32_t first = from[word > 0 ? word - 1 : words - 1], last = from[word + kWords < words ? word + kWords : 0];
  for (int k = 0; k < kWords; ++k) {
    const uint32_t left = k == 0 ? first : own.cell[k - 1], right = k == kWords - 1 ? last : own.cell[k + 1];
    own.sum[k] = own.cell[k] + after(left, own.cell[k]) + before(own.cell[k], right);
  }
  return own;
}

__global__ void __launch_bounds__(kThreads)
    life(const uint32_t* __restrict__ cells, uint32_t* __restrict__ cells_out, int rows, int words) {
  const int thread = blockIdx.x * kThreads + threadIdx.x;
  const int word = thread % (words / kWords) * kWords, begin = thread / (words / kWords) * kRows;
  if (begin >= rows) return;
  Row above = load_row(cells, begin > 0 ? begin - 1 : rows - 1, word, words);
  Row here = load_row(cells, begin, word, words);
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const int row = begin + r;
    if (row >= rows) break;
    const Row below = load_row(cells, row + 1 < rows ? row + 1 : 0, word, words);
    Words next;
    for (int k = 0; k < kWords; ++k) {
      const uint32_t neighbours = above.sum[k] + here.sum[k] + below.sum[k] - here.cell[k];
      // A byte is 3 with three neighbours, or with two and a cell; 15 more, and bit 4 is set unless it was 0.
      next[k] = ~(((neighbours | here.cell[k]) ^ 0x03030303) + 0x0f0f0f0f) >> 4 & 0x01010101;
    }
    store_vector(cells_out + static_cast<int64_t>(row) * words + word, next);
    above = here;
    here = below;
  }
}

cudaError_t run(const Array<uint8_t>& from, const Array<uint8_t>& to, int rows, int columns) {
  const int threads = columns / kCells * ((rows + kRows - 1) / kRows);
  return launch(life, {.grid = static_cast<unsigned>((threads + kThreads - 1) / kThreads), .block = kThreads}, nullptr,
                reinterpret_cast<const uint32_t*>(from.get()), reinterpret_cast<uint32_t*>(to.get()), rows, columns / 4);
}

int check() {
  constexpr int kHeight = 19, kColumns = 48;
  const Array<uint8_t> from(kHeight * kColumns), to(kHeight * kColumns);
  yardstick::must(run(from, to, kHeight, kColumns), "life");
  const auto cell = [&](int row, int column) {
    return from.host()[(row + kHeight) % kHeight * kColumns + (column + kColumns) % kColumns];
  };
  std::vector<double> wanted;
  for (int i = 0; i < kHeight * kColumns; ++i) {
    const int row = i / kColumns, column = i % kColumns;
    int sum = -cell(row, column);
    for (int tap = 0; tap < 9; ++tap) sum += cell(row + tap / 3 - 1, column + tap % 3 - 1);
    wanted.push_back(sum == 3 || (sum == 2 && cell(row, column) == 1) ? 1 : 0);
  }
  std::vector<float> got;
  for (const uint8_t value : to.now()) got.push_back(value);
  return yardstick::compare(got, wanted, 0);
}

}  // namespace

int main(int argc, char** argv) {
  const yardstick::Call call = yardstick::read_call(argc, argv);
  if (call.check) return check();
  if (call.shapes.size() != 1 || call.shapes[0].type != "u8" || call.shapes[0].dims.size() != 2 ||
      call.shapes[0].dims[1] % kCells != 0)
    return yardstick::refuse("life takes rows of u8 that 16 divides");
  const int rows = static_cast<int>(call.shapes[0].dims[0]), columns = static_cast<int>(call.shapes[0].dims[1]);
  const Array<uint8_t> from(call.shapes[0].count()), to(call.shapes[0].count());
  return yardstick::print_time([&] { return run(from, to, rows, columns); }, call.repeat);
}
