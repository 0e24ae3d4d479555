// A chain's kernel: warps divide the rows of a block, which takes tiles of columns one after the other.
#include <algorithm>
#include <set>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/analysis/values/hardware.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/chain/chain_writer.h"
#include "passes/lower/stages/own/own_lowerings.h"
#include "passes/lower/stages/own/store_epilogue.h"
#include "passes/lower/stages/products/text_statement.h"
#include "passes/names/value_names.h"
#include "passes/stages/attend/hidden_keys.h"

namespace sinter {

namespace {

DType index_type(const ChainStage& stage) {
  std::vector<const DemandGraph*> graphs = {stage.chain.weights.get(), stage.all.get()};
  for (const ChainDemand::Tile& tile : stage.chain.tiles) graphs.push_back(tile.operand.graph.get());
  for (const ChainDemand::Product& product : stage.chain.products) graphs.push_back(product.left.graph.get());
  const bool wide = std::any_of(graphs.begin(), graphs.end(),
                                [](const DemandGraph* graph) { return index_type_of(*graph) == DType::kS64; });
  return wide ? DType::kS64 : DType::kS32;
}

}  // namespace

ChainWriter::ChainWriter(const StageInput& input, const ChainStage& stage)
    : input_(input),
      stage_(stage),
      chain_(stage.chain),
      form_(stage.form),
      text_{.chain = stage.chain, .form = stage.form, .element = {}, .mma = {}, .narrow = {}},
      w_(input, "", index_type(stage)),
      kernel_(w_.kernel) {
  text_.element = cuda(chain_.dtype);
  const bool half = chain_.dtype == DType::kF16;
  text_.mma = chain_.product != Product::k16Bits ? "mma_tf32" : half ? "mma_f16" : "mma_bf16";
  if (form_.by_warpgroup) text_.mma = "wg" + text_.mma;
  text_.narrow = half ? "to_half" : "to_bfloat16";
}

int64_t ChainWriter::row_tiles() const { return chain_.batch * ceil_div(chain_.rows, form_.rows); }

LoweredStage ChainWriter::run() {
  add_constants();
  LoweredStage lowered;
  w_.add_values(*stage_.all, input_.values.outputs);
  w_.add_counter(*stage_.all);
  w_.rename_parameters(chain_names());
  add_headers();
  kernel_.shared.bytes = form_.shared_bytes;
  kernel_.declarations = {text_.shared()};
  kernel_.work = chain_work(chain_, form_);
  StageBody body;
  body.set_tiles(form_.warps * kWarp, row_tiles(), chain_.batch > 1 ? "kBatch * kRowTiles" : "kRowTiles");
  constexpr int kMany = 128;  // registers: for fewer of these some would be stored
  body.tiles.alone = kernel_.work.registers > kMany;
  body.write = [this](const Tile& tile, Block* block) { write(tile, block); };
  body.graph = stage_.all.get();
  for (const ChainDemand::Result& result : chain_.results) body.elements += chain_.batch * chain_.rows * result.width;
  body.spread = spread();
  lowered.steps.push_back(add_kernel(&w_, body, &lowered));
  return lowered;
}

void ChainWriter::add_constants() {
  const auto count = [](bool whole, const std::string& extent, const std::string& tile) {
    return whole ? extent + " / " + tile : "(" + extent + " + " + tile + " - 1) / " + tile;
  };
  if (chain_.batch > 1) constant("kBatch", chain_.batch);
  constant("kRows", chain_.rows);
  constant("kColumns", chain_.columns);
  constant("kTileM", form_.rows, "rows of a block");
  constant("kTileN", form_.columns, "columns at a time");
  constant("kRowTiles", count(whole_rows(), "kRows", "kTileM"), std::to_string(ceil_div(chain_.rows, form_.rows)));
  constant("kTiles", count(whole_columns(), "kColumns", "kTileN"),
           std::to_string(ceil_div(chain_.columns, form_.columns)));
  constant("kWarp", kWarp);
  constant("kWarps", form_.warps);
  constant("kThreads", "kWarps * kWarp", std::to_string(form_.warps * kWarp));
  constant("kWarpM", "kTileM / kWarps", "rows of a warp: " + std::to_string(form_.warp_rows()));
  constant("kMmaM", 16, "of an instruction, 8 wide");
  constant("kChunk", form_.chunk, "elements of 16 bytes");
  constant("kMmaK", "2 * kChunk", std::to_string(form_.mma_k()));
  constant("kMmasM", "kWarpM / kMmaM", std::to_string(form_.warp_rows() / 16));
  constant("kEights", "kTileN / 8", "of columns: " + std::to_string(form_.columns / 8));
  if (form_.by_warpgroup) constant("kPanel", kRowElements, "features that lie side by side");
  int64_t widest = 0;
  for (const ChainDemand::Result& result : chain_.results)
    widest = std::max(widest, result.reduction ? 0 : form_.depths[result.tile]);
  size_t groups = 0;
  for (size_t tile = 0; tile < chain_.tiles.size(); ++tile) {
    const size_t group = text_.group_of(tile);
    if (group < groups) continue;
    ++groups;
    const int64_t features = chain_.tiles[tile].features, depth = form_.depths[tile];
    const std::string kDepth = numbered("kDepth", group);
    constant(numbered("kFeatures", group), features);
    constant(kDepth, depth, depth == features ? "" : "in shared memory, zeros behind the last");
    if (!form_.by_warpgroup)
      constant(numbered("kRow", group), kDepth + " + kChunk", "to the next row: eight lie in all 32 banks");
    const auto of_group = [&](size_t other) { return text_.group_of(other) == group; };
    if (!form_.by_warpgroup &&
        std::any_of(chain_.products.begin(), chain_.products.end(), [&](const auto& of) { return of_group(of.tile); }))
      constant(numbered("kSteps", group), kDepth + " / kMmaK", std::to_string(depth / form_.mma_k()));
    if (std::any_of(chain_.results.begin(), chain_.results.end(),
                    [&](const auto& of) { return !of.reduction && of_group(of.tile); }))
      constant(numbered("kFeatureEights", group), kDepth + " / 8", std::to_string(depth / 8));
  }
  if (takes_exponentials())
    kernel_.constants.push_back({"kLog2E", "float", "1.44269504f", "exp(x) = exp2(x * kLog2E)"});
  if (widest > 0) constant("kResultRow", std::to_string(widest) + " + 8");
  std::set<std::string> known;
  const auto add_copies = [&](const TileCopy* copy, size_t tile) {
    if (copy == nullptr || copy->elements == 1) return;
    const std::string name = text_.copies_of(tile, copy->elements);
    if (!known.insert(name).second) return;
    constant(name,
             text_.of_tile("kDepth", tile) + " / " +
                 (copy->elements == form_.chunk ? "kChunk" : std::to_string(copy->elements)),
             "of a row");
  };
  for (size_t tile = 0; tile < chain_.tiles.size(); ++tile) add_copies(&chain_.tiles[tile].copy, tile);
  for (const ChainDemand::Product& product : chain_.products)
    add_copies(product.left_copy ? &*product.left_copy : nullptr, product.tile);
}

bool ChainWriter::takes_exponentials() const {
  if (splits()) return false;
  const std::vector<DemandNode>& nodes = chain_.weights->nodes;
  return chain_.is_softmax() || std::any_of(nodes.begin(), nodes.end(), [](const DemandNode& node) {
           return node.kind == DemandNode::Kind::kCompute && node.instruction->opcode == Opcode::kExponential &&
                  node.dtype == DType::kF32;
         });
}

void ChainWriter::add_headers() {
  kernel_.headers.insert("device/async_copy.cuh");
  if (form_.by_warpgroup) {
    kernel_.headers.insert("device/wgmma.cuh");
  } else {
    kernel_.headers.insert("device/ldmatrix.cuh");
    kernel_.headers.insert("device/mma.cuh");
  }
  if (chain_.is_softmax() && !splits()) kernel_.headers.insert("device/exp2_approx.cuh");
  if (chain_.reduces()) {
    kernel_.headers.insert("device/warp_reduce.cuh");
    if (chain_.results[0].reduction == RowReduction::kMaximum) kernel_.headers.insert("device/maximum.cuh");
  } else {
    kernel_.headers.insert("device/vector_access.cuh");
  }
  if (chain_.product != Product::k16Bits) {
    kernel_.headers.insert("device/tf32_split.cuh");
  } else if (!chain_.reduces()) {
    kernel_.headers.insert("device/bit_cast.cuh");
    kernel_.headers.insert("device/half.cuh");
  }
}

std::string ChainWriter::spread() const {
  const std::string what = chain_.product == Product::k16Bits ? ""
                           : chain_.product == Product::kTf32 ? " in TF32"
                                                              : " in 3 terms of TF32 each";
  const std::string who = form_.by_warpgroup ? "a warpgroup" : std::to_string(form_.warps) + " warps";
  return std::to_string(form_.rows) + " rows a block of " + who + ", " + std::to_string(form_.warp_rows()) +
         (form_.by_warpgroup ? " a warp, and " : " each, and ") + std::to_string(form_.columns) +
         " columns at a time: what is made of pairs of these stays in registers, products are made on tensor cores" +
         what + ".";
}

void ChainWriter::write(const Tile& tile, Block* body) {
  w_.shared(body);
  body->push_back(
      text("Shared::Operands& operands = shared.operands;\n"
           "const int thread = threadIdx.x, lane = thread % kWarp, group = lane / 4;\n"
           "const int warp_row = thread / kWarp * kWarpM;\n"));
  find_rows(tile.x, body);
  blank(body);
  load_features_of_rows(body);
  blank(body);
  const bool counts = chain_.weighed.has_value();
  if (counts) {
    add_counted_tiles(body);
    blank(body);
  }
  body->push_back({.kind = Kind::kComment, .text = "features of a tile of columns, as one group of copies"});
  body->push_back(copy_tile());
  blank(body);
  const std::string first = takes_turns() ? "0" : first_tile(), end = takes_turns() ? "kTiles" : end_tile();
  body->push_back(text(first == "0" && end == "kTiles"
                           ? "copy_tile(0);\n"
                           : "if (" + first + " < " + end + ") copy_tile(" + first + ");\n"));
  walk_tiles(body);
  for (size_t i = 0; i < chain_.results.size(); ++i) {
    if (stage_.stored[i].epilogue) store_result(i, body);
  }
}

void ChainWriter::walk_tiles(Block* body) {
  const bool counts = chain_.weighed.has_value(), softmax = chain_.is_softmax();
  std::string sums;
  if (softmax) {
    sums =
        "float largest[kMmasM][2], sum[kMmasM][2] = {};\n"
        "for (int i = 0; i < kMmasM; ++i) largest[i][0] = largest[i][1] = -INFINITY;\n";
  }
  for (size_t i = 0; i < chain_.results.size() && !softmax; ++i) {
    const ChainDemand::Result& result = chain_.results[i];
    sums += "float " + numbered("results", i) +
            (result.reduction ? "[kMmasM][2] = {};\n"
                              : "[kMmasM][" + text_.of_tile("kFeatureEights", result.tile) + "][4] = {};\n");
    if (result.reduction == RowReduction::kMaximum)
      sums += "for (int i = 0; i < kMmasM; ++i) results[i][0] = results[i][1] = -INFINITY;\n";
  }
  body->push_back(text(sums));
  Statement tiles = takes_turns() ? w_.counted_loop("turn", "", "kTiles")
                                  : w_.counted_loop("tile", first_tile() == "0" ? "" : first_tile(), end_tile());
  if (takes_turns()) {
    leave_where_nothing_counts(&tiles.body);
    if (first_tile() != "0") tiles.body.push_back(text("const int tile = (first_tile + turn) % kTiles;\n"));
    if (first_tile() == "0") tiles.body.push_back(text("const int tile = turn;\n"));
  }
  take_tile(&tiles.body);
  body->push_back(std::move(tiles));
  if (softmax) {
    blank(body);
    body->push_back(text(text_.join_lanes()));
  } else if (counts && chain_.results[0].reduction == RowReduction::kMaximum) {
    body->push_back(add_others());
  }
}

// Of a softmax, turns take tiles that count first, and the others where no score is larger by enough.
void ChainWriter::leave_where_nothing_counts(Block* block) {
  Literal bound(Shape::scalar(DType::kF32));
  bound.set_real(0, chain_.weighed->others + kNoWeight);
  const std::string counted = first_tile() == "0" ? "end_tile" : end_tile() + " - first_tile";
  Statement test = {.kind = Kind::kIf, .value = kernel_.name_expr("turn == " + counted, kPred)};
  test.body.push_back({.kind = Kind::kNote,
                       .text = "columns from here on are masked: beside a score that is larger by 104 they have no "
                               "weight, exp(-104) is 0"});
  test.body.push_back(text("bool more = false;\n"));
  Statement down = w_.counted_loop("e", "", "kMmasM * 2");
  down.unroll = Statement::kUnrollFully;
  down.body.push_back(
      text("const float own = largest[e / 2][e % 2];\n"
           "const float most = warp_reduce<4>(own, [](float x, float y) { return maximum(x, y); });\n"));
  const Expr* larger = kernel_.infix(kernel_.name_expr("most", kFloat), ">", kernel_.literal(bound), kPred);
  const Expr* weighs = kernel_.prefix("!", larger, kPred);
  if (!whole_rows()) {
    const Expr* number = kernel_.name_expr("warp_row + e / 2 * kMmaM + e % 2 * 8 + group");
    const Variable* row = w_.let("row_of_all", w_.index, w_.infix(reference(first_row_), "+", number), &down.body);
    weighs = w_.both(below(row, "kRows"), weighs);
  }
  down.body.push_back(
      {.kind = Kind::kAssign, .target = kernel_.name_expr("more", kPred), .value = weighs, .text = "|="});
  test.body.push_back(std::move(down));
  test.body.push_back(text("if (!__syncthreads_or(more)) break;\n"));
  block->push_back(std::move(test));
}

// Which element of the batch the block is of, and which rows.
void ChainWriter::find_rows(const Expr* tile, Block* body) {
  const Expr* row_tile = tile;
  batch_ = kernel_.integer(0);
  if (chain_.batch > 1) {
    const Expr* batches = kernel_.name_expr("kBatch");
    batch_ = reference(w_.let("batch", w_.index, w_.wide(kernel_.infix(tile, "%", batches, kInteger)), body));
    row_tile = kernel_.infix(tile, "/", batches, kInteger);
  }
  if (chain_.weighed && chain_.weighed->last && !chain_.weighed->first) {
    body->push_back({.kind = Kind::kNote, .text = "later rows first, which have more columns"});
    const Expr* last = kernel_.infix(kernel_.name_expr("kRowTiles"), "-", kernel_.integer(1), kInteger);
    row_tile = kernel_.infix(last, "-", row_tile, kInteger);
  }
  first_row_ = w_.let("first_row", w_.index, w_.infix(w_.wide(row_tile), "*", name("kTileM")), body);
}

RowLoads ChainWriter::loads_of(const ContractOperand& operand, const TileCopy* copy, size_t tile) const {
  RowLoads loads;
  loads.operand = &operand;
  loads.copy = copy;
  loads.dtype = chain_.dtype;
  loads.chunk = form_.chunk;
  loads.stride = text_.stride(tile);
  loads.depth = text_.of_tile("kDepth", tile);
  loads.limit = text_.of_tile("kFeatures", tile);
  if (copy != nullptr) loads.copies_of_row = text_.copies_of(tile, copy->elements);
  loads.inner = "feature";
  loads.full = form_.depths[tile] == chain_.tiles[tile].features;
  loads.batch = batch_;
  loads.threads = form_.warps * kWarp;
  return loads;
}

void ChainWriter::load_features_of_rows(Block* body) {
  body->push_back({.kind = Kind::kComment,
                   .text = std::string("features of the block's rows, to shared memory") +
                           (whole_rows() ? "" : ", zeros outside")});
  for (size_t i = 0; i < chain_.products.size(); ++i) {
    const ChainDemand::Product& product = chain_.products[i];
    RowLoads loads = loads_of(product.left, product.left_copy ? &*product.left_copy : nullptr, product.tile);
    loads.to = "operands." + numbered("rows", i);
    if (form_.by_warpgroup) loads.place = "row_at";
    loads.rows = "kTileM";
    loads.outer_limit = "kRows";
    loads.outer = "row_of_all";
    loads.whole = whole_rows();
    loads.first = reference(first_row_);
    body->push_back(load_rows(w_, loads));
  }
}

Statement ChainWriter::copy_tile() {
  const bool inside = takes_turns() && first_tile() != "0";
  const std::string at = inside ? "turn" : "tile";
  Statement lambda = {.kind = Kind::kScope, .text = "const auto copy_tile = [&](int " + at + ")"};
  Block* block = &lambda.body;
  block->push_back(text("Shared::Tile& to = operands.tile[" + at + " % 2];\n"));
  if (inside) block->push_back(text("const int tile = (first_tile + turn) % kTiles;\n"));
  const Expr* begin = w_.infix(w_.wide(kernel_.name_expr("tile")), "*", name("kTileN"));
  const Expr* first = reference(w_.let("first_column", w_.index, begin, block));
  for (size_t i = 0; i < chain_.tiles.size(); ++i) {
    RowLoads loads = loads_of(chain_.tiles[i].operand, &chain_.tiles[i].copy, i);
    loads.to = "to." + numbered("columns", i);
    if (form_.by_warpgroup) loads.place = "column_at";
    loads.rows = "kTileN";
    loads.outer_limit = "kColumns";
    loads.outer = "column";
    loads.whole = whole_columns();
    loads.first = first;
    block->push_back(load_rows(w_, loads));
  }
  block->push_back(text("commit_copies();\n"));
  return lambda;
}

void ChainWriter::take_tile(Block* block) {
  const std::string end = takes_turns() ? "kTiles" : end_tile();
  const std::string at = takes_turns() ? "turn" : "tile";
  block->push_back(text("const Shared::Tile& here = operands.tile[" + at +
                        " % 2];\n"
                        "wait_copies<0>();\n" +
                        (form_.by_warpgroup ? "fence_async_proxy();\n" : "") +
                        "__syncthreads();\n"
                        "if (" +
                        at + " + 1 < " + end + ") copy_tile(" + at + " + 1);\n"));
  for (size_t i = 0; i < chain_.products.size(); ++i) {
    if (form_.by_warpgroup && i > 0) break;
    blank(block);
    std::string names = value_name(*chain_.products[i].dot);
    for (size_t other = 1; form_.by_warpgroup && other < chain_.products.size(); ++other)
      names += " and " + value_name(*chain_.products[other].dot);
    block->push_back({.kind = Kind::kComment, .text = names + ", of pairs of a row and a column"});
    block->push_back(text(form_.by_warpgroup ? text_.products_of_warpgroup() : text_.products(i)));
  }
  if (splits()) block->push_back(text("// what is not finite is computed again, in f32\n" + text_.product_again()));
  std::string more;
  if (!chain_.reduces()) {
    for (size_t i = chain_.products.size(); i < chain_.results.size(); ++i)
      more += "float " + text_.weights_of(i) + "[kMmasM][kEights][4];\n";
  }
  if (!more.empty()) block->push_back(text(more));
  blank(block);
  block->push_back(add_weights());
  if (chain_.is_softmax()) {
    blank(block);
    block->push_back(text(text_.add_scores()));
  }
  if (form_.by_warpgroup && !chain_.reduces()) {
    blank(block);
    block->push_back(text(text_.results_of_warpgroup()));
    return;
  }
  for (size_t i = 0; i < chain_.results.size(); ++i) {
    if (chain_.results[i].reduction) continue;
    blank(block);
    block->push_back(text(text_.add_result(i)));
  }
}

void ChainWriter::store_result(size_t number, Block* body) {
  const ChainDemand::Result& result = chain_.results[number];
  const ChainStage::Stored& stored = stage_.stored[number];
  blank(body);
  // Warps write and read rows of their own; before the first, tiles are in the way.
  const bool first = std::none_of(stage_.stored.begin(), stage_.stored.begin() + static_cast<ptrdiff_t>(number),
                                  [](const ChainStage::Stored& before) { return before.epilogue.has_value(); });
  body->push_back(
      text(std::string(first ? "// results, to shared memory, which the tiles no longer need: then a row's are "
                               "neighbours\nwait_copies<0>();\n__syncthreads();\n"
                             : "// the next, in place of those\n__syncwarp();\n") +
           text_.result_to_shared(number)));
  blank(body);
  const std::string width = result.reduction ? "" : numbered("kFeatures", text_.group_of(result.tile));
  Statement all = w_.counted_loop("e", "lane", result.reduction ? "kWarpM" : "kWarpM * " + width, kWarp, "kWarp");
  if (!result.reduction) all.unroll = 4;
  Block* block = &all.body;
  const Expr* e = reference(all.variable);
  const auto integer = [&](const Expr* a, const char* op, const Expr* b) { return kernel_.infix(a, op, b, kInteger); };
  const Expr* row_of_warp = result.reduction ? e : integer(e, "/", kernel_.name_expr(width));
  const Variable* row = w_.let("row", kInteger, integer(kernel_.name_expr("warp_row"), "+", row_of_warp), block);
  const Variable* column =
      result.reduction ? nullptr : w_.let("column", kInteger, integer(e, "%", kernel_.name_expr(width)), block);
  const Variable* of_all =
      w_.let("row_of_all", w_.index, w_.infix(reference(first_row_), "+", w_.wide(reference(row))), block);
  if (!whole_rows()) {
    Statement end = {.kind = Kind::kIf, .value = kernel_.infix(reference(of_all), ">=", name("kRows"), kPred)};
    end.body.push_back({.kind = Kind::kBreak});
    block->push_back(std::move(end));
  }
  const Expr* at = result.reduction
                       ? reference(row)
                       : integer(integer(reference(row), "*", kernel_.name_expr("kResultRow")), "+", reference(column));
  const Expr* value = kernel_.subscript(kernel_.name_expr("shared.results", kFloat), at, kFloat);
  const DType dtype = result.instruction->shape.dtype;
  if (dtype != DType::kF32) {
    Expressions expressions = w_.expressions_of(*stored.epilogue->all, {});
    value = expressions.narrow(dtype, value);
  }
  std::map<int, const Expr*> coordinates = {{kChainBatch, batch_}, {kChainRow, reference(of_all)}};
  if (column != nullptr) coordinates[kChainColumn] = w_.wide(reference(column));
  store_epilogue(
      input_, w_, *stored.epilogue,
      {.source = stored.source, .coordinates = coordinates, .constants = {}, .name = "result", .value = value}, block);
  drop_unread_indices(block, *block);
  body->push_back(std::move(all));
}

LoweredStage lower_chain(const StageInput& input) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<ChainStage> stage = demand_chain_stage(input.values, &failure);
  check(stage.has_value(), "lower", input.node.name + ": the chain has no form");
  return ChainWriter(input, *stage).run();
}

}  // namespace sinter
