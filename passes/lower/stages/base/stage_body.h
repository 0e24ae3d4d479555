// The body of a stage's kernel: what the threads of a block do for one tile, a part of the work that needs nothing of
// other parts (some rows of a transform, a matrix to solve, elements of a map). Which tile it is, is given: a body can
// stand wherever tiles are numbered, in a kernel of a block a tile, in a loop over tiles, or in a block of a launch
// that does more. What it needs around it (constants, shared memory, pointers, headers) it adds to the kernel of its
// writer; a launch, and the comment that opens the file, is added by add_kernel() alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "passes/lower/stages/base/run_tiles.h"
#include "passes/lower/stages/base/stage_writer.h"
#include "passes/lower/write/sharing.h"

namespace sinter {

// The number of a tile, an int: along x alone, or along as many dimensions as its stage's tiles have.
struct Tile {
  const Expr* x = nullptr;
  const Expr* y = nullptr;
  const Expr* z = nullptr;
};

struct StageBody {
  LaunchDimensions tiles;  // how many there are (`grid`), and the threads that compute one (`block`)
  // Appends the statements of that tile. A thread without work in it ends the body with a return, before any barrier.
  std::function<void(const Tile& tile, Block* block)> write;
  // Arrays that may be one, if the order of the statements allows it.
  std::vector<ElementwisePair> pairs = {};
  // For the comment: what all tiles read and write, how many elements they compute, and how these are spread; nullptr:
  // the kernel has its comment.
  const DemandGraph* graph = nullptr;
  int64_t elements = 1;
  std::string spread;  // "A row a block of 64 threads."

  // What the tiles divide among them in their order, along one dimension or another.
  std::vector<TiledElements> tiled = {};

  // As many tiles along x, in constants: "kRows / kRowsPerBlock".
  void set_tiles(int64_t threads, int64_t count, std::string spelling);
};

// A kernel of a block a tile, added to `stage`: its launch. The writer's kernel is used up.
StageStep add_kernel(StageWriter* writer, const StageBody& body, LoweredStage* stage);

}  // namespace sinter
