#include "passes/lower/stages/base/stage_body.h"

#include <utility>

#include "ir/support/diagnostics.h"
#include "passes/lower/text/unique_names.h"

namespace sinter {

void StageBody::set_tiles(int64_t threads, int64_t count, std::string spelling) {
  tiles.block = threads;
  tiles.grid[0] = count;
  tiles.grid_spelling[0] = std::move(spelling);
}

StageStep add_kernel(StageWriter* writer, const StageBody& body, LoweredStage* stage) {
  LoweredKernel& lowered = writer->lowered;
  Kernel& kernel = lowered.kernel;
  kernel.launch = body.tiles;
  Block statements;
  body.write({kernel.name_expr("blockIdx.x"), kernel.name_expr("blockIdx.y"), kernel.name_expr("blockIdx.z")},
             &statements);
  kernel.body = std::move(statements);
  make_names_unique(kernel);
  find_shared(body.pairs, &lowered);
  const std::optional<RunTiles> run = run_tiles(*writer, body.tiled);
  if (body.graph != nullptr) {
    const std::string of_run = !run                    ? ""
                               : writer->input.is_part ? " Blocks beyond a run's size leave."
                                                       : " A run has the blocks that its size needs.";
    kernel.description = describe_kernel(writer->input.module, kernel, writer->input.values, *body.graph, body.elements,
                                         body.spread + of_run, writer->scratch_shapes);
  }
  if (run) keep_to_run_tiles(*run, writer);
  StageStep step;
  step.kernel = stage->kernels.size();
  step.arguments = std::move(lowered.arguments);
  step.may_share = std::move(lowered.may_share);
  check(lowered.scratch.empty() || stage->scratch.empty(), "lower", kernel.name + ": scratch memory of two owners");
  for (ScratchBuffer& buffer : lowered.scratch) stage->scratch.push_back(std::move(buffer));
  stage->kernels.push_back(std::move(kernel));
  return step;
}

}  // namespace sinter
