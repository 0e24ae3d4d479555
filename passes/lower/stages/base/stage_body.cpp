#include "passes/lower/stages/base/stage_body.h"

namespace sinter {

StageStep add_kernel(StageWriter* writer, const StageBody& body, LoweredStage* stage) {
  Kernel& kernel = writer->kernel;
  kernel.launch.block = body.tiles.threads;
  kernel.launch.grid[0] = body.tiles.count;
  kernel.launch.grid_spelling[0] = body.tiles.spelling;
  Block statements;
  body.write(kernel.name_expr("blockIdx.x"), &statements);
  kernel.body = std::move(statements);
  if (body.graph != nullptr) writer->describe(*body.graph, body.elements, body.spread);
  return writer->finish(stage);
}

}  // namespace sinter
