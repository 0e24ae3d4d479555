// An attention's kernel. Warps divide the rows of a block, which takes tiles of keys and values one after the other; or
// each has all rows, and tiles of its own.
#include <algorithm>
#include <ranges>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "ir/values/dtype.h"
#include "passes/analysis/values/hardware.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/attend/attend_writer.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/own/own_lowerings.h"
#include "passes/lower/stages/own/store_epilogue.h"
#include "passes/lower/stages/products/text_statement.h"
#include "passes/stages/attend/attend_work.h"

namespace sinter {

namespace {

DType index_type(const AttendDemand& demand) {
  const AttentionDemand& attention = demand.attention;
  for (const DemandGraph* graph :
       {attention.queries.graph.get(), attention.key_elements.graph.get(), attention.value_elements.graph.get(),
        attention.score.get(), attention.sink.get(), demand.epilogue.all.get()}) {
    if (graph != nullptr && index_type_of(*graph) == DType::kS64) return DType::kS64;
  }
  return DType::kS32;
}

}  // namespace

AttendWriter::AttendWriter(const StageInput& input, const AttendDemand& demand, const AttendForm& form)
    : input_(input),
      demand_(demand),
      attention_(demand.attention),
      form_(form),
      w_(input, "", index_type(demand)),
      kernel_(w_.kernel) {
  text_.product = attention_.product;
  text_.element = cuda(attention_.dtype);
  const bool half = attention_.dtype == DType::kF16;
  text_.mma = attention_.product != Product::k16Bits ? "mma_tf32" : half ? "mma_f16" : "mma_bf16";
  text_.narrow = half ? "to_half" : "to_bfloat16";
  text_.by_keys = form_.by_keys;
  text_.parts = form_.parts;
  text_.keeps_queries = form_.keeps_queries();
  if (attention_.converts()) {
    text_.raw_keys = cuda(attention_.sources[1].dtype);
    text_.raw_values = cuda(attention_.sources[2].dtype);
  }
  if (attention_.sink != nullptr) {
    const bool in_largest = attention_.attention.base != attention_.attention.largest;
    text_.sink = in_largest ? AttendText::Sink::kInLargest : AttendText::Sink::kApart;
  }
}

LoweredStage AttendWriter::run() {
  add_constants();
  const DemandGraph& all = *demand_.epilogue.all;
  LoweredStage stage;
  w_.add_values(all, input_.values.outputs);
  if (form_.parts > 1) add_parts_parameters(&stage);
  w_.add_counter(all);
  w_.rename_parameters(attend_names());
  add_headers();
  kernel_.shared.bytes = form_.shared_bytes;
  kernel_.declarations = {text_.shared()};
  kernel_.work = attend_work(attention_, form_);

  const int64_t threads = form_.warps * kWarp;
  StageBody body;
  body.set_tiles(threads, row_tiles(), attention_.batch > 1 ? "kBatch * kRowTiles" : "kRowTiles");
  body.tiles.grid[1] = form_.parts;
  if (form_.parts > 1) body.tiles.grid_spelling[1] = "kParts";
  body.write = [this](const Tile& tile, Block* block) { write(tile, block); };
  body.graph = &all;
  body.elements = attention_.batch * attention_.rows * attention_.values;
  body.spread = spread();
  stage.steps.push_back(add_kernel(&w_, body, &stage));
  return stage;
}

void AttendWriter::add_parts_parameters(LoweredStage* stage) {
  const int64_t rows = std::min(attention_.rows, form_.rows);
  // Other blocks write to all of these while this one runs: no __restrict__.
  const auto add = [&](const std::string& what, const Shape& shape, const StageArgument& argument) {
    w_.add_pointer(what, shape, true, argument)->type.is_restrict = false;
    kernel_.parameters.back().scratch = true;
  };
  const auto add_scratch = [&](const std::string& what, std::vector<int64_t> dims) {
    const Shape shape = Shape::array(DType::kF32, std::move(dims));
    add(what, shape, StageArgument::scratch(stage->scratch.size()));
    stage->scratch.push_back({what, shape});
  };
  add_scratch("partial", {row_tiles(), form_.parts, rows, form_.values});
  add_scratch("partial_largest", {row_tiles(), form_.parts, rows});
  add_scratch("partial_sum", {row_tiles(), form_.parts, rows});
  add("finished", Shape::array(DType::kU32, {row_tiles()}), StageArgument::finished(row_tiles()));
}

void AttendWriter::add_constants() {
  const auto count = [](bool whole, const std::string& extent, const std::string& tile) {
    return whole ? extent + " / " + tile : "(" + extent + " + " + tile + " - 1) / " + tile;
  };
  const auto in_shared = [](int64_t extent, int64_t padded) {
    return extent == padded ? std::string() : "in shared memory, zeros behind the last";
  };
  if (attention_.batch > 1) constant("kBatch", attention_.batch);
  constant("kQueries", attention_.rows);
  constant("kKeys", attention_.keys);
  constant("kFeatures", attention_.features, "of a query and a key");
  constant("kValues", attention_.values, "of a key and a result");
  constant("kTileM", form_.rows, "queries of a block");
  constant("kTileN", form_.keys, form_.by_keys ? "keys that a warp takes at a time" : "keys at a time");
  constant("kRowTiles", count(whole_queries(), "kQueries", "kTileM"),
           std::to_string(ceil_div(attention_.rows, form_.rows)));
  constant("kTiles", count(whole_keys(), "kKeys", "kTileN"), std::to_string(ceil_div(attention_.keys, form_.keys)));
  constant("kWarp", kWarp);
  constant("kWarps", form_.warps);
  constant("kThreads", "kWarps * kWarp", std::to_string(form_.warps * kWarp));
  if (form_.by_keys) {
    constant("kParts", form_.parts, "blocks that share the keys of the same queries");
    constant("kWalkers", form_.parts > 1 ? "kParts * kWarps" : "kWarps",
             "warps that share them: " + std::to_string(form_.walkers()));
    constant("kStages", form_.stages, "tiles of a warp in shared memory");
    if (attention_.rows < form_.rows) {
      constant("kPartM", "kQueries", "rows of a block that are queries");
    } else {
      constant("kPartM", "kTileM");
    }
  }
  constant("kWarpM", form_.by_keys ? "kTileM" : "kTileM / kWarps",
           "queries of a warp: " + std::to_string(form_.warp_rows()));
  constant("kMmaM", 16, "of an instruction, 8 wide");
  constant("kChunk", form_.chunk, "elements of 16 bytes");
  constant("kMmaK", "2 * kChunk", std::to_string(form_.mma_k()));
  constant("kMmasM", "kWarpM / kMmaM", std::to_string(form_.warp_rows() / 16));
  constant("kDepth", form_.features, in_shared(attention_.features, form_.features));
  constant("kWidth", form_.values, in_shared(attention_.values, form_.values));
  constant("kSteps", "kDepth / kMmaK", "along features: " + std::to_string(form_.features / form_.mma_k()));
  constant("kEights", "kTileN / 8", "of keys: " + std::to_string(form_.keys / 8));
  constant("kValueEights", "kWidth / 8", std::to_string(form_.values / 8));
  constant("kRow", "kDepth + kChunk", "to the next row: eight lie in all 32 banks");
  constant("kValueRow", "kWidth + kChunk");
  constant("kResultRow", "kWidth + 8");
  if (attention_.product != Product::k3xTf32) {
    kernel_.constants.push_back({"kLog2E", "float", "1.44269504f", "exp(x) = exp2(x * kLog2E)"});
    kernel_.constants.push_back({"kLargeScore", "float", "128.0f", ""});
  }
  const char* names[] = {"kQueryCopies", "kKeyCopies", "kValueCopies"};
  for (const size_t operand : {0, 1, 2}) {
    if (elements_of_copy(operand) > 1)
      constant(names[operand], (operand == 2 ? "kWidth / " : "kDepth / ") + copy_spelling(operand), "of a row");
  }
  if (!attention_.converts()) return;
  for (const size_t operand : {1, 2}) {
    const int64_t width = converted_at_once(operand);
    const std::string of = width == form_.chunk ? "kChunk" : std::to_string(width);
    constant(operand == 1 ? "kKeyGroups" : "kValueGroups", (operand == 1 ? "kDepth / " : "kWidth / ") + of,
             "of a row, that a thread computes at once");
  }
}

void AttendWriter::add_headers() {
  for (const char* header : {"device/async_copy.cuh", "device/ldmatrix.cuh", "device/mma.cuh",
                             "device/vector_access.cuh", "device/warp_reduce.cuh"})
    kernel_.headers.insert(header);
  if (form_.parts > 1) kernel_.headers.insert("device/last_block.cuh");
  if (attention_.product != Product::k3xTf32) kernel_.headers.insert("device/exp2_approx.cuh");
  if (attention_.product != Product::k16Bits) {
    kernel_.headers.insert("device/tf32_split.cuh");
  } else {
    kernel_.headers.insert("device/bit_cast.cuh");
    kernel_.headers.insert("device/half.cuh");
  }
}

std::string AttendWriter::spread() const {
  const std::string what = attention_.product == Product::k16Bits ? ""
                           : attention_.product == Product::kTf32 ? " in TF32"
                                                                  : " in 3 terms of TF32 each";
  const std::string products = "scores stay in registers, products are made on tensor cores" + what + ".";
  if (form_.by_keys) {
    const std::string walkers = std::to_string(form_.walkers()), warps = std::to_string(form_.warps);
    const bool one = form_.parts == 1;
    const int64_t queries = std::min<int64_t>(form_.rows, attention_.rows);
    return (queries == 1 ? "One query" : std::to_string(queries) + " queries") + " a block of " + warps + " warps" +
           (one ? "" : ", and " + std::to_string(form_.parts) + " blocks that share their keys") + ". Each of these " +
           walkers + " warps has " + (queries == 1 ? "it" : "all queries") + " and one of each " + walkers +
           " tiles of " + std::to_string(form_.keys) + " keys, which it copies to shared memory of its own, " +
           (form_.stages > 2 ? std::to_string(form_.stages - 1) + " tiles" : "a tile") +
           " ahead, and waits for no other warp: " + products + " What warps have is combined at the end, in order" +
           (one ? "." : "; what blocks have, in order too, by the last of them to finish.");
  }
  return std::to_string(form_.rows) + " queries a block of " + std::to_string(form_.warps) + " warps, " +
         std::to_string(form_.warp_rows()) + " each, and " + std::to_string(form_.keys) +
         " keys at a time: " + products;
}

void AttendWriter::write(const Tile& tile, Block* body) {
  w_.shared(body);
  body->push_back(
      text(std::string("Shared::Operands& operands = shared.operands;\n"
                       "const int thread = threadIdx.x, lane = thread % kWarp, group = lane / 4;\n") +
           (form_.by_keys ? "const int warp = thread / kWarp;\n" : "const int warp_row = thread / kWarp * kWarpM;\n")));
  find_rows(tile.x, body);
  const Expr* part = kernel_.integer(0);
  if (form_.parts > 1) {
    const Expr* tile_number = reference(w_.let("tile_number", kInteger, tile.x, body));
    const Expr* parts = kernel_.name_expr("kParts");
    const Expr* first = kernel_.infix(tile_number, "*", parts, kInteger);
    w_.let("first_part", kInteger, first, body);
    w_.let("part", kInteger, kernel_.infix(kernel_.name_expr("first_part"), "+", tile.y, kInteger), body);
    part = tile.y;
  }
  blank(body);
  const auto zeros = [](bool whole) { return whole ? "" : ", zeros outside"; };
  body->push_back({.kind = Kind::kComment,
                   .text = std::string("queries to shared memory") + zeros(whole_queries() && full_depth())});
  body->push_back(load_queries());
  blank(body);
  const char* keys_and_values = form_.by_keys ? "a tile of the warp's keys and values, as one group of copies"
                                              : "a tile of keys and values, as one group of copies";
  if (form_.by_keys) find_tiles_of_warp(part, body);
  if (begins_inside()) {
    add_seen_tiles(body);
    blank(body);
  }
  body->push_back({.kind = Kind::kComment,
                   .text = std::string(keys_and_values) + zeros(whole_keys() && full_depth() && full_width())});
  body->push_back(copy_tile());
  blank(body);
  body->push_back(
      text((form_.by_keys ? "for (int turn = 0; turn < kStages - 1; ++turn) copy_tile(turn);\n" : "copy_tile(0);\n") +
           text_.load_queries()));
  blank(body);
  body->push_back({.kind = Kind::kComment,
                   .text = "of each query of a lane: the largest score so far, the sum of weights and that of values "
                           "by weights"});
  body->push_back(
      text("float largest[kMmasM][2], sum[kMmasM][2] = {}, results[kMmasM][kValueEights][4] = {};\n"
           "for (int i = 0; i < kMmasM; ++i) largest[i][0] = largest[i][1] = -INFINITY;\n"));
  if (form_.by_keys) {
    body->push_back(walk_tiles_of_warp());
  } else {
    walk_tiles(body);
  }
  blank(body);
  if (attention_.sink != nullptr) add_sink(body);
  if (form_.by_keys) {
    body->push_back(text(text_.warps_to_shared()));
    blank(body);
    body->push_back(text(text_.combine_warps()));
    if (form_.parts > 1) {
      blank(body);
      body->push_back(text(text_.combine_parts()));
    }
  } else {
    body->push_back(text(text_.results_to_shared()));
  }
  blank(body);
  body->push_back(store_results());
}

// Which element of the batch the block is of, and which queries.
void AttendWriter::find_rows(const Expr* tile, Block* body) {
  const Expr* row_tile = tile;
  batch_ = kernel_.integer(0);
  if (attention_.batch > 1) {
    const Expr* batches = kernel_.name_expr("kBatch");
    batch_ = reference(w_.let("batch", w_.index, w_.wide(kernel_.infix(tile, "%", batches, kInteger)), body));
    row_tile = kernel_.infix(tile, "/", batches, kInteger);
  }
  if (attention_.hidden && !form_.by_keys && !begins_inside()) {
    body->push_back({.kind = Kind::kNote, .text = "later queries first, which have more keys"});
    const Expr* last = kernel_.infix(kernel_.name_expr("kRowTiles"), "-", kernel_.integer(1), kInteger);
    row_tile = kernel_.infix(last, "-", row_tile, kInteger);
  }
  if (has_one_tile()) return;
  first_query_ = w_.let("first_query", w_.index, w_.infix(w_.wide(row_tile), "*", name("kTileM")), body);
}

// Tiles of keys from the first on, by all warps of the block together.
void AttendWriter::walk_tiles(Block* body) {
  if (attention_.hidden && !begins_inside()) add_seen_tiles(body);
  const bool apart = has_whole_tiles() && !begins_inside();
  if (has_whole_tiles() && begins_inside()) add_whole_window(body);
  if (apart) {
    add_whole_tiles(body);
    Statement lambda = {.kind = Kind::kScope, .text = "const auto take_tile = [&](int tile, bool is_whole)"};
    take_tile(&lambda.body);
    body->push_back(std::move(lambda));
    Statement whole = w_.counted_loop("tile", "", "whole_tiles");
    whole.body.push_back(text("take_tile(tile, true);\n"));
    body->push_back(std::move(whole));
  }
  Statement tiles = w_.counted_loop(turn(), apart ? "whole_tiles" : "", "kTiles");
  if (attention_.hidden) add_end_of_seen(&tiles.body);
  if (apart) {
    tiles.body.push_back(text("take_tile(tile, false);\n"));
  } else {
    take_tile(&tiles.body);
  }
  body->push_back(std::move(tiles));
}

void AttendWriter::take_tile(Block* block) {
  const std::string at = turn();
  if (begins_inside()) add_tile_of_turn(block);
  if (begins_inside() && has_whole_tiles())
    block->push_back(text("const bool is_whole = tile >= first_whole && tile < end_of_whole;\n"));
  block->push_back(text((attention_.converts() ? "const Shared::Raw& raw = operands.tiles[" + at +
                                                     " % 2];\n"
                                                     "Shared::Tile& here = operands.tile;\n"
                                               : "const Shared::Tile& here = operands.tile[" + at + " % 2];\n") +
                        "wait_copies<0>();\n"
                        "__syncthreads();\n"
                        "if (" +
                        at + " + 1 < kTiles) copy_tile(" + at + " + 1);\n"));
  if (attention_.converts()) convert_tile(block);
  add_tile(block);
}

const Expr* AttendWriter::add_tile_of_turn(Block* block) {
  return reference(w_.let("tile", kInteger, kernel_.name_expr("(first_tile + turn) % kTiles"), block));
}

// Which tiles a warp has: one of each kWalkers.
void AttendWriter::find_tiles_of_warp(const Expr* part, Block* body) {
  body->push_back({.kind = Kind::kComment, .text = "the warp's tiles: every kWalkers-th"});
  const Expr* warps = kernel_.name_expr("kWarps");
  const Expr* first = kernel_.name_expr("warp");
  if (form_.parts > 1) first = kernel_.infix(kernel_.infix(part, "*", warps, kInteger), "+", first, kInteger);
  w_.let("first_tile", kInteger, first, body);
  body->push_back(text("const int turns = (kTiles - first_tile + kWalkers - 1) / kWalkers;\n" +
                       std::string(tile_type()) + "* tiles = operands.tiles[warp];\n"));
  blank(body);
}

Statement AttendWriter::walk_tiles_of_warp() {
  Statement turns = w_.counted_loop("turn", "", "turns");
  Block* block = &turns.body;
  w_.let("tile", kInteger, kernel_.name_expr("first_tile + turn * kWalkers"), block);
  block->push_back(text(std::string(attention_.converts() ? "const Shared::Raw& raw = tiles[turn % kStages];\n"
                                                            "Shared::Tile& here = operands.tile[warp];\n"
                                                          : "const Shared::Tile& here = tiles[turn % kStages];\n") +
                        "wait_copies<kStages - 2>();\n"
                        "__syncwarp();\n"
                        "copy_tile(turn + kStages - 1);\n"));
  if (attention_.converts()) convert_tile(block);
  add_tile(block);
  // Where its keys are in the array may be asked by nobody.
  const Block after(block->begin() + 1, block->end());
  if (!mentions(after, std::string("tile"))) block->erase(block->begin());
  return turns;
}

// What is done with a tile that is there.
void AttendWriter::add_tile(Block* block) {
  blank(block);
  block->push_back({.kind = Kind::kComment, .text = "scores"});
  block->push_back(text(text_.products()));
  add_scores(block);
  blank(block);
  block->push_back(text(text_.softmax()));
  blank(block);
  block->push_back(text(text_.add_values()));
}

void AttendWriter::add_sink(Block* body) {
  body->push_back({.kind = Kind::kComment, .text = "a number that has a weight beside the keys', and no value"});
  Statement lambda = {.kind = Kind::kScope, .text = "const auto sink_of = [&](int row) -> float"};
  const Variable* query = w_.let("query", w_.index, query_of(kernel_.name_expr("row", kInteger)), &lambda.body);
  if (!whole_queries() && !has_one_tile()) {
    Statement end = {.kind = Kind::kIf, .value = kernel_.infix(reference(query), ">=", name("kQueries"), kPred)};
    end.body.push_back(text("return 0.0f;\n"));
    lambda.body.push_back(std::move(end));
  }
  Expressions expressions = w_.expressions_of(*attention_.sink, coordinates(reference(query), kernel_.integer(0)));
  const Expr* sink = w_.results_of(*attention_.sink, expressions, &lambda.body)[0];
  if (attention_.attention.sink_shifted->shape.dtype != DType::kF32) sink = kernel_.call("to_float", {sink}, kFloat);
  lambda.body.push_back({.kind = Kind::kReturn, .value = sink});
  drop_unread_indices(&lambda.body, lambda.body);
  if (!mentions(lambda.body, std::string("row"))) lambda.text = "const auto sink_of = [&](int) -> float";
  body->push_back(std::move(lambda));
  blank(body);
}

Statement AttendWriter::store_results() {
  const int64_t threads = form_.warps * kWarp;
  Statement all = form_.by_keys ? w_.counted_loop("e", "thread", "kPartM * kValues", threads, "kThreads")
                                : w_.counted_loop("e", "lane", "kWarpM * kValues", kWarp, "kWarp");
  all.unroll = 4;
  Block* block = &all.body;
  const Expr* e = reference(all.variable);
  const Expr* values = kernel_.name_expr("kValues");
  const Expr* row_of_part = kernel_.infix(e, "/", values, kInteger);
  const Expr* row_of_block =
      form_.by_keys ? row_of_part : kernel_.infix(kernel_.name_expr("warp_row"), "+", row_of_part, kInteger);
  const Variable* row = w_.let("row", kInteger, row_of_block, block);
  const Variable* column = w_.let("column", kInteger, kernel_.infix(e, "%", values, kInteger), block);
  const Variable* query = w_.let("query", w_.index, query_of(reference(row)), block);
  if (!whole_queries() && !has_one_tile()) {
    Statement end = {.kind = Kind::kIf, .value = kernel_.infix(reference(query), ">=", name("kQueries"), kPred)};
    end.body.push_back({.kind = Kind::kBreak});
    block->push_back(std::move(end));
  }
  const Expr* at = kernel_.infix(kernel_.infix(reference(row), "*", kernel_.name_expr("kResultRow"), kInteger), "+",
                                 reference(column), kInteger);
  const char* results = form_.by_keys ? "shared.of_warp[0].results" : "shared.results";
  const Expr* value = kernel_.subscript(kernel_.name_expr(results, kFloat), at, kFloat);
  const DType dtype = demand_.fusion->shape.dtype;
  if (dtype != DType::kF32) {
    Expressions expressions = w_.expressions_of(*demand_.epilogue.all, {});
    value = expressions.narrow(dtype, value);
  }
  store_epilogue(input_, w_, demand_.epilogue,
                 {.source = demand_.fusion,
                  .coordinates = {{0, batch_}, {1, reference(query)}, {2, w_.wide(reference(column))}},
                  .constants = {},
                  .name = "result",
                  .value = value},
                 block);
  drop_unread_indices(block, *block);
  return all;
}

LoweredStage lower_attend(const StageInput& input) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<AttendDemand> demand = demand_attend(input.values, &failure);
  check(demand.has_value(), "lower", input.node.name + ": the attention has no form");
  // A plan may have other rows, and other parts.
  const int64_t(&grid)[3] = input.node.grid;
  AttendForm form = demand->forms[0];
  if (grid[0] > 0) {
    for (const AttendForm& other : demand->forms | std::views::reverse) {
      if (attend_blocks(demand->attention, other) == grid[0] && grid[1] <= most_parts(demand->attention, other))
        form = other;
    }
    form = in_parts(demand->attention, form, grid[1]);
  }
  return AttendWriter(input, *demand, form).run();
}

}  // namespace sinter
