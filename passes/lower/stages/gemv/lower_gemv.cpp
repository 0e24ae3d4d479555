// A skinny product's text:
//
//   const auto copy_step = [&](int step) { a thread's chunks of the matrix into slots of its own };
//   for (int step = 0; step < kStages - 1; ++step) copy_step(step);
//   (statistics of the vectors, where they are computed from some)
//   (the vectors into shared memory, and a barrier)
//   float sums[kVectors][kSums] = {};
//   for (int step = 0; step < kSteps; ++step) {
//     copy_step(step + kStages - 1);
//     wait_copies<kStages - 1>();
//     float elements[kRows][kChunk];  what the copies hold, or what is computed from it
//     (products with the vectors, added to sums)
//   }
//   (sums of the threads of a warp, then of warps, then of blocks; what follows the product)
#include "passes/lower/stages/gemv/lower_gemv.h"

#include <algorithm>

#include "ir/values/dtype.h"
#include "passes/analysis/functions/emittable.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/gemv/gemv_writer.h"
#include "passes/lower/stages/products/result_pairs.h"
#include "passes/lower/stages/products/text_statement.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/schedule/cost/contract_work.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

StatisticsText statistics_text(const RowStatistics& statistics, const StatisticsThreads& threads, int64_t length) {
  StatisticsText text = {.threads = threads, .width = statistics.width, .length = length, .names = gemv_names()};
  name_statistics(statistics, {"chunk", "sums", "x"}, &text);
  return text;
}

}  // namespace

GemvWriter::GemvWriter(const StageInput& input, const ContractDemand& demand, const GemvForm& form)
    : w_(input, "", index_type_of(*demand.graph)),
      kernel_(w_.kernel),
      demand_(demand),
      form_(form),
      operands_(*gemv_operands(demand)),
      threads_(input.node.block[0]),
      shape_(*gemv_threads(demand, operands_, form, threads_)),
      matrix_(demand.operands[operands_.matrix]),
      vectors_(demand.operands[1 - operands_.matrix]),
      matrix_graph_(*matrix_.graph),
      x_type_(operands_.vector_type(demand)),
      sum_type_(accumulator_type(demand.dot->shape.dtype)),
      text_({.form = form,
             .operands = operands_,
             .threads = shape_,
             .parts = demand.parts,
             .has_matrices = !demand.matrices.empty(),
             .block = threads_,
             .copy_bytes = operands_.chunk_bytes(demand),
             .piece = std::min<int64_t>(operands_.chunk, 16 / dtype_bytes(x_type_)),
             .copied = operands_.copied == kNoNode ? "" : cuda(copied_type()),
             .x = cuda(x_type_),
             .sum = cuda(sum_type_),
             .statistics = statistics_text(demand.statistics, shape_.statistics, demand.extents.k)}) {
  if (!copies()) return;
  if (whole_outputs() && whole_k()) pieces_ = piece_loads(demand, operands_);
  // What copies bring, and what is loaded for a whole chunk, is there, whatever is computed from it.
  const auto is_there = [&](NodeId id) {
    DemandNode& load = matrix_graph_.nodes[id];
    load.kind = DemandNode::Kind::kParameter;
    load.expr = IndexExpr();
    load.guard = 0;
  };
  for (size_t id = 0; id < matrix_graph_.nodes.size(); ++id) {
    if (operands_.is_copied(*matrix_.graph, static_cast<NodeId>(id))) is_there(static_cast<NodeId>(id));
  }
  for (const PieceLoad& load : pieces_) is_there(load.node);
  matrix_graph_.set_scopes();
}

LoweredStage GemvWriter::run() {
  kernel_.work = GemvWork(demand_, operands_).of(form_, threads_);
  kernel_.constants = text_.constants();
  kernel_.assertions = text_.assertions();
  w_.add_values(*demand_.graph, w_.input.values.outputs);
  add_split_parameters();
  w_.add_counter(*demand_.graph);
  std::set<std::string> names = gemv_names();
  if (text_.adds_up_lanes()) names.insert("sum");
  w_.rename_parameters(names);
  kernel_.headers.insert("device/vector_access.cuh");
  if (text_.adds_up_lanes() || !text_.statistics.empty()) {
    for (const char* header : {"device/warp_reduce.cuh", "device/combine.cuh"}) kernel_.headers.insert(header);
  }
  if (copies()) kernel_.headers.insert("device/async_copy.cuh");
  kernel_.shared.bytes = shape_.shared_bytes;
  kernel_.declarations = {text_.shared()};
  if (in_parts()) kernel_.declarations.push_back(text_.column_of());
  if (text_.pieces() > 1) kernel_.declarations.push_back(text_.x_at());

  StageBody body;
  body.set_tiles(threads_, text_.blocks(), "kBlocks");
  body.tiles.grid[1] = form_.splits;
  body.tiles.grid[2] = operands_.batch;
  body.tiles.grid_spelling[1] = form_.splits > 1 ? "kSplits" : "1";
  if (operands_.batch > 1) body.tiles.grid_spelling[2] = "kBatch";
  body.write = [this](const Tile& tile, Block* block) { write(tile, block); };
  body.pairs = result_pairs(demand_);
  body.graph = demand_.graph.get();
  body.elements = demand_.dot->shape.element_count();
  body.spread = text_.launch();
  const DemandGraph* results = demand_.epilogue.get();
  const int output = operands_.matrix == 1 ? demand_.column : demand_.row;
  const int64_t outputs = in_parts() ? demand_.parts.size : operands_.outputs;
  const std::string of_block = in_parts() ? "kResults" : "kTileN";
  body.tiled = {{results, results->coordinate(output), outputs, of_block, in_parts() ? "results" : "outputs", 0}};
  if (operands_.batch > 1)
    body.tiled.push_back({results, results->coordinate(demand_.batch), operands_.batch, "1", "products", 2});
  stage_.steps.push_back(add_kernel(&w_, body, &stage_));
  return std::move(stage_);
}

void GemvWriter::write(const Tile& tile, Block* body) {
  add_coordinates(tile, body);
  if (copies()) {
    blank(body);
    add_copies(body);
  }
  if (!text_.statistics.empty()) {
    blank(body);
    add_statistics(&w_, demand_.statistics, text_.statistics, {.batch = batch_}, body);
  }
  blank(body);
  body->push_back(text(cuda(sum_type_) + " sums[kVectors][kSums] = {};\n"));
  if (text_.panels() == 1) {
    add_panel(body);
  } else {
    Statement panels = w_.counted_loop("panel", "", "kPanels");
    add_panel(&panels.body);
    body->push_back(std::move(panels));
  }
  blank(body);
  body->push_back(text(text_.sums_to_shared()));
  blank(body);
  add_results(tile, body);
  drop_unread_indices(body, *body);
}

const Expr* GemvWriter::below(const Variable* coordinate, const char* limit) {
  return kernel_.infix(kernel_.reference(coordinate), "<", name(limit), kPred);
}

const Expr* GemvWriter::element(const std::string& array, const std::vector<const Expr*>& indices, DType dtype) {
  return array_element(&kernel_, array, indices, dtype);
}

Statement GemvWriter::unrolled(const std::string& counter, const std::string& end) {
  return unrolled_loop(&kernel_, counter, end);
}

Statement GemvWriter::by_threads(const std::string& end) {
  Statement statement = w_.counted_loop("i", "", end);
  statement.begin = small("thread");
  statement.step = threads_;
  statement.text = "kThreads";
  return statement;
}

void GemvWriter::add_split_parameters() {
  if (!splits()) return;
  const int64_t blocks = text_.blocks();
  std::vector<int64_t> dims = {form_.splits, operands_.vectors, operands_.outputs};
  if (operands_.batch > 1) dims.insert(dims.begin(), operands_.batch);
  const Shape shape = Shape::array(sum_type_, std::move(dims));
  w_.add_pointer("partial", shape, true, StageArgument::scratch(0));
  kernel_.parameters.back().scratch = true;
  stage_.scratch.push_back({"partial", shape});
  const int64_t counts = operands_.batch * blocks;
  w_.add_pointer("finished", Shape::array(DType::kU32, {counts}), true, StageArgument::finished(counts));
  kernel_.parameters.back().scratch = true;  // counters, for nobody else
  kernel_.headers.insert("device/last_block.cuh");
  partial_ = kernel_.parameters[kernel_.parameters.size() - 2].variable;
  finished_ = kernel_.parameters.back().variable;
  // Other blocks write to both while this one runs: no __restrict__.
  partial_->type.is_restrict = false;
  finished_->type.is_restrict = false;
}

void GemvWriter::rename_values(Block* block) {
  for (Statement& statement : *block) {
    if (statement.variable != nullptr && gemv_names().count(statement.variable->name) > 0)
      statement.variable->name += "_value";
    rename_values(&statement.body);
    rename_values(&statement.other);
  }
}

void GemvWriter::add_coordinates(const Tile& tile, Block* body) {
  w_.shared(body);
  body->push_back(text("const int thread = threadIdx.x, place = thread / kLanes, along = thread % kLanes * kChunk;\n"));
  if (operands_.batch > 1) batch_ = w_.let("batch", w_.index, w_.wide(tile.z), body);
  first_output_ = w_.let("first_output", w_.index, w_.infix(w_.wide(tile.x), "*", name("kTileN")), body);
  if (splits()) first_k_ = w_.let("first_k", w_.index, w_.infix(w_.wide(tile.y), "*", name("kSplitK")), body);
}

LoweredStage lower_gemv(const StageInput& input, const ContractDemand& demand, const GemvForm& form) {
  return GemvWriter(input, demand, form).run();
}

}  // namespace sinter
