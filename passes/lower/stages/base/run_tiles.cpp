#include "passes/lower/stages/base/run_tiles.h"

#include <algorithm>
#include <cstdint>

namespace sinter {

namespace {

constexpr const char* kRunBlocks = "device/run_blocks.cuh";

// Whether element `element` is stored where a run needs it only if its size has `element / per_size`.
bool is_in_order(const TiledElements& tiled, const IndexExpr& offset, const NeededPart& part) {
  return offset.floor_div(part.stride).floor_mod(part.extent) == tiled.element.floor_div(tiled.count / part.extent);
}

// All stores of an output are in order, and there are some.
bool stores_in_order(const TiledElements& tiled, const Instruction* output, const NeededPart& part) {
  bool any = false;
  for (const DemandStore& store : tiled.graph->stores) {
    if (store.value != output) continue;
    if (!is_in_order(tiled, store.offset, part)) return false;
    any = true;
  }
  for (const DemandLoop& loop : tiled.graph->loops) {
    for (const DemandLoop::Stack& stack : loop.stacks) {
      if (stack.output != output) continue;
      if (stack.reduce != nullptr) return false;
      for (const auto& [offset, node] : stack.stores) {
        if (!is_in_order(tiled, offset, part)) return false;
        any = true;
      }
    }
  }
  return any;
}

std::optional<RunTiles> run_tiles_along(const StageInput& input, const TiledElements& tiled) {
  constexpr int64_t kMost = INT32_MAX / 2;  // so that sums of it and a tile are an int
  if (tiled.count > kMost) return std::nullopt;
  std::optional<NeededPart> common;
  for (const Instruction* output : input.values.outputs) {
    const std::optional<NeededPart> part = input.needed->of(*output);
    // Of an update in place others than the update's elements are not stored at all.
    if (!part || output->opcode == Opcode::kDynamicUpdateSlice || tiled.count % part->extent != 0) return std::nullopt;
    if (common && (common->size != part->size || common->extent != part->extent || common->times != part->times))
      return std::nullopt;
    if (!stores_in_order(tiled, output, *part)) return std::nullopt;
    common = part;
  }
  if (!common) return std::nullopt;
  return RunTiles{tiled, common->size, common->times * (tiled.count / common->extent)};
}

// Lines of text, in which a size cannot become a number.
bool has_text(const Block& block) {
  return std::ranges::any_of(block, [](const Statement& statement) {
    return statement.kind == Statement::Kind::kText || has_text(statement.body) || has_text(statement.other);
  });
}
bool has_text(const Kernel& kernel) { return !kernel.declarations.empty() || has_text(kernel.body); }

// if (blockIdx.x * kRowsPerBlock >= size) return;
void leave_beyond(const RunTiles& run, const Variable* size, StageWriter* writer) {
  Kernel& kernel = writer->kernel;
  const CType integer = CType::value(DType::kS32);
  constexpr const char* kBlocks[] = {"blockIdx.x", "blockIdx.y", "blockIdx.z"};
  const Expr* first = kernel.name_expr(kBlocks[run.tiled.dimension]);
  if (run.tiled.each != "1") first = kernel.infix(first, "*", kernel.name_expr(run.tiled.each), integer);
  const Expr* count = kernel.subscript(kernel.reference(size), kernel.integer(0), integer);
  if (run.per_size > 1) count = kernel.infix(count, "*", kernel.name_expr("kPerSize"), integer);
  kernel.body.insert(kernel.body.begin(), {writer->leave(first, ">=", count), {.kind = Statement::Kind::kBlank}});
}

}  // namespace

std::optional<RunTiles> run_tiles(const StageWriter& writer, const std::vector<TiledElements>& tiled) {
  if (writer.input.needed == nullptr) return std::nullopt;
  // What blocks leave for each other needs all of them.
  for (const StageArgument& argument : writer.lowered.arguments) {
    if (argument.kind != StageArgument::Kind::kValue && argument.kind != StageArgument::Kind::kCounter)
      return std::nullopt;
  }
  if (writer.input.is_part && has_text(writer.kernel)) return std::nullopt;
  for (const TiledElements& along : tiled) {
    if (writer.kernel.launch.grid[along.dimension] == 1) continue;
    if (std::optional<RunTiles> run = run_tiles_along(writer.input, along)) return run;
  }
  return std::nullopt;
}

bool launches_run_tiles(const Kernel& kernel) { return kernel.headers.contains(kRunBlocks); }

void keep_to_run_tiles(const RunTiles& run, StageWriter* writer) {
  Kernel& kernel = writer->kernel;
  if (run.per_size > 1) {
    kernel.constants.push_back(
        {"kPerSize", "int", std::to_string(run.per_size), run.tiled.what + " for each of the run's size"});
  }
  if (const auto read = writer->inputs.find(run.size); writer->input.is_part && read != writer->inputs.end())
    return leave_beyond(run, read->second, writer);
  std::vector<StageArgument>& arguments = writer->lowered.arguments;
  Variable* size =
      writer->add_pointer(writer->input.names.at(run.size), run.size->shape, false, StageArgument::of(run.size));
  kernel.parameters.back().of_host = !writer->input.is_part;
  // Pointers come before numbers.
  const auto is_counter = [](const StageArgument& argument) { return argument.kind == StageArgument::Kind::kCounter; };
  const auto counters = std::count_if(arguments.begin(), arguments.end(), is_counter);
  std::rotate(arguments.end() - 1 - counters, arguments.end() - 1, arguments.end());
  std::rotate(kernel.parameters.end() - 1 - counters, kernel.parameters.end() - 1, kernel.parameters.end());
  if (writer->input.is_part) return leave_beyond(run, size, writer);
  const std::string count = size->name + (run.per_size > 1 ? " * kPerSize" : "");
  kernel.launch.grid_spelling[run.tiled.dimension] = "run_blocks(" + count + ", " + run.tiled.each + ")";
  kernel.headers.insert(kRunBlocks);
}

}  // namespace sinter
