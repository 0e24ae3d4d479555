// Steps of a loop that are stencils: each element of the next state is computed from elements of the state that stand
// a few rows and columns beside it, and from arrays that no step changes.
//
//   body:  %up    = f32[224,200] concatenate(slice(%u, [1:224]), slice(%u, [0:1]))        u[(row + 1) % 224][column]
//          %right = f32[224,199] slice(%u, [0:224], [1:200])                              u[row][column + 1]
//
// Rows and columns are the last two dimensions; steps do the same in each matrix of those before, the batch. What is
// beyond the border is not read, or is another element of the array: around it (a torus), or mirrored in it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

// What a step reads where it looks beyond the first or last of `extent` elements, at place -1 for one.
enum class Border : uint8_t {
  kNone,       // nothing: it does not look there
  kAround,     // the last element
  kEdge,       // the first element
  kReflect,    // element 1
  kSymmetric,  // the first element, and at place -2 element 1
};
inline bool is_mirrored(Border border) { return border != Border::kNone && border != Border::kAround; }

// One of the two dimensions along which steps look.
struct StencilAxis {
  int64_t extent = 1;
  int64_t radius = 0;  // how many elements a step looks to either side, at most
  Border border = Border::kNone;
};

struct Stencil {
  // An array that steps change: carry number `carry` of the loop, how many rows and columns around an element they read
  // of it, and whether such a place may be both in another row and in another column.
  struct State {
    size_t carry = 0;
    DType dtype = DType::kF32;
    int64_t rows_around = 0, columns_around = 0;
    bool diagonal = false;
  };
  // A node that reads a state, of kind kParameter: of element (row + down, column + right), where these are.
  struct Tap {
    NodeId node = kNoNode;
    size_t state = 0;
    int64_t down = 0, right = 0;
  };

  // A number that steps change, by numbers alone: carry number `carry`, its next value, and the nodes that read it, of
  // kind kParameter. Time is the usual one.
  struct Number {
    size_t carry = 0;
    DType dtype = DType::kF32;
    NodeId next = kNoNode;
    std::vector<NodeId> reads;
  };

  std::vector<int64_t> batch_dims;
  StencilAxis rows, columns;
  std::vector<State> states;
  std::vector<Tap> taps;
  std::vector<Number> numbers;

  std::unique_ptr<DemandContext> context;  // of the graph
  std::unique_ptr<DemandGraph> graph;      // results: of each state its next value at (batch, row, column)
  int batch = 0, row = 0, column = 0;      // coordinates

  // The same step of elements that have so many rows and columns between them and the borders, where fewer tests are
  // made then; nullptr: there are no fewer.
  std::unique_ptr<Stencil> inside;
  int64_t row_margin = 0, column_margin = 0;

  int64_t batches() const;
};

// What is known of a carry that counts steps: where it starts, and what a step adds.
using StepCounters = std::map<size_t, std::pair<int64_t, int64_t>>;

// The step of a `while` whose state is a tuple, if it is a stencil. `counters`: of `trip` steps; other carries that
// the body changes are states, or numbers.
std::optional<Stencil> find_stencil(const Instruction& loop, const StepCounters& counters, int64_t trip);

}  // namespace sinter
