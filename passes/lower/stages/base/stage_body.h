// The body of a stage's kernel: what the threads of a block do for one tile, a part of the work that needs nothing of
// other parts (some rows of a transform, a matrix to solve). Which tile it is, is given: a body can stand wherever
// tiles are numbered, in a kernel of a block a tile, in a loop over tiles, or in a block of a launch that does more.
// What it needs around it (constants, shared memory, pointers, headers) it adds to the kernel of its writer; a launch,
// and the comment that opens the file, is added by add_kernel() alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "passes/lower/stages/base/stage_writer.h"

namespace sinter {

struct StageTiles {
  int64_t count = 1;
  std::string spelling = "1";  // of the count, in constants: "kRows / kRowsPerBlock"
  int64_t threads = 32;        // that compute a tile
};

struct StageBody {
  StageTiles tiles;
  // Appends the statements of the tile of that number, an int. A thread without work in it ends the body with a return,
  // before any barrier.
  std::function<void(const Expr* tile, Block* block)> write;
  // For the comment: what all tiles read and write, how many elements they compute, and how these are spread; nullptr:
  // the kernel has its comment.
  const DemandGraph* graph = nullptr;
  int64_t elements = 1;
  std::string spread;  // "A row a block of 64 threads."
};

// A kernel of a block a tile, added to `stage`: its launch. The writer's kernel is used up.
StageStep add_kernel(StageWriter* writer, const StageBody& body, LoweredStage* stage);

}  // namespace sinter
