// A contract kernel on tensor cores: the form's own text (tensor_core_text.h) around what this contraction computes:
// where copies of its operands come from, or what is computed on their way, and what is made of a sum.
#include "passes/lower/stages/products/lower_tensor_core.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "ir/values/dtype.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/rewrite/replace_expr.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/products/lower_contract.h"
#include "passes/lower/stages/products/tensor_core_writer.h"
#include "passes/lower/stages/products/text_statement.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/names/value_names.h"
#include "passes/schedule/cost/contract_work.h"
#include "passes/stages/domain/launch_shape.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

using Product = TensorCoreForm::Product;

// One is multiplied while the next is on its way.
constexpr int64_t kFewestStages = 2;

// Of templates/device/mma.cuh, or wgmma.cuh.
std::string mma_function(DType dtype) {
  switch (dtype) {
    case DType::kBF16:
      return "mma_bf16";
    case DType::kF16:
      return "mma_f16";
    case DType::kS8:
      return "mma_s8";
    case DType::kU8:
      return "mma_u8";
    case DType::kF32:
      return "mma_tf32";
    case DType::kF64:
      return "mma_f64";
    default:
      return "";
  }
}

std::string terms_text(const Tf32Operands& are_tf32) {
  if (are_tf32[0] && are_tf32[1]) return " in TF32, which both operands are as they are";
  if (!are_tf32[0] && !are_tf32[1]) return " in 3 terms of TF32 each";
  return " in 2 terms of TF32 each, since the " + std::string(are_tf32[0] ? "left" : "right") +
         " operand is TF32 as it is";
}

// Of struct Shared, with what bytes_of_segments counts.
std::string segment_members() {
  return "  unsigned rows[kSegments][kTileM / kWarp];  // of the tile: a bit for each that is in the segment\n"
         "  int has_rows[kSegments];\n"
         "  int segments[kSegments];  // those that have rows, in order\n"
         "  int segment_count;\n";
}

// The same with what bytes_of_terms counts.
std::string term_members() {
  return "  unsigned terms[kTermWords];  // a bit for each that counts for the batch\n"
         "  int k_tiles[kTiles];         // those that have a term, in order\n"
         "  int k_tile_count;\n";
}

// One warp lists the numbers below `count` for which `test` holds, in order.
std::string list_in_order(const std::string& number, const std::string& count, const std::string& test,
                          const std::string& list, const std::string& length) {
  return "if (thread < kWarp) {\n"
         "  int count = 0;\n"
         "  for (int first = 0; first < " +
         count +
         "; first += kWarp) {\n"
         "    const int " +
         number +
         " = first + lane;\n"
         "    const bool is_here = " +
         number + " < " + count + " && " + test +
         ";\n"
         "    const unsigned here = __ballot_sync(0xffffffff, is_here);\n"
         "    if (is_here) shared." +
         list + "[count + __popc(here & ((1u << lane) - 1))] = " + number +
         ";\n"
         "    count += __popc(here);\n"
         "  }\n"
         "  if (lane == 0) shared." +
         length +
         " = count;\n"
         "}\n"
         "__syncthreads();\n";
}

}  // namespace

TensorCoreWriter::TensorCoreWriter(const StageInput& input, const ContractDemand& demand, const TensorCoreForm& form)
    : TileWriter(input, demand, form.m, form.n),
      form_(form),
      dtype_(demand.dot->operand(0)->shape.dtype),
      skips_(skips_segments(demand, form)),
      skips_terms_(skips_terms(demand, form)) {
  whole_k_ = extents_.k == block_tiles() * form_.k * form_.splits;
  for (size_t side = 0; side < 2; ++side) {
    copies_[side] = tile_copy(demand, form, side);
    text_.along_k[side] = lies_along_k(demand, form, side);
  }
  if (skips_ || skips_terms_) text_.tiles = "tiles";
  if (skips_) whole_k_ = demand.segments->length % form.k == 0;
  kernel_.work = TensorCoreWork(demand_).of(form, threads_);
  // Stages beyond the k tiles would stay empty, and hide nothing.
  if (!form_.wgmma) form_.stages = std::min(form_.stages, std::max(kFewestStages, block_tiles() + 1));
  text_.form = form_;
  text_.is_asynchronous = is_asynchronous();
  if (!apart()) text_.parts = demand.parts;
  text_.are_tf32 = demand.are_tf32;
  text_.element = cuda(dtype_);
  text_.mma = (form.wgmma ? "wg" : "") + mma_function(dtype_);
  begin_statistics(tensor_core_names());
}

LoweredStage TensorCoreWriter::run() {
  kernel_.shared.bytes = shared_bytes(demand_, form_, threads_);
  add_constants();
  w_.add_values(*demand_.graph, w_.input.values.outputs);
  LoweredStage stage;
  if (splits()) add_split_parameters(&stage);
  w_.add_counter(*demand_.graph);
  w_.rename_parameters(tensor_core_names());
  add_headers();
  const std::string skipped = skips_ ? segment_members() : skips_terms_ ? term_members() : "";
  kernel_.declarations = {text_.shared(statistics_.members() + skipped), text_.places()};
  if (in_parts()) add_parts();
  if (apart()) add_parts_apart();

  LaunchDimensions tiles = {.block = threads_};
  std::copy(std::begin(grid_.grid), std::end(grid_.grid), std::begin(tiles.grid));
  spell_tiles(grid_, extents_.batch, &tiles);
  if (splits()) {
    tiles.grid[2] *= form_.splits;
    tiles.grid_spelling[2] = extents_.batch > 1 ? "kSplits * kBatch" : "kSplits";
  }
  add_tiles(tiles, spread(), [this](const Tile& tile, Block* block) { write(tile, block); }, &stage);
  return stage;
}

void TensorCoreWriter::write(const Tile& tile, Block* body) {
  add_coordinates(tile, body);
  blank(body);
  add_statistics_of_tile(body);
  if (skips_) add_segments(body);
  if (skips_terms_) add_terms(body);
  add_copies(body);
  blank(body);
  if (!form_.wgmma || form_.has_registers()) {
    body->push_back(text(form_.wgmma ? text_.load_rows() : text_.load_step()));
    blank(body);
  }
  const std::string name = name_of_sums(), brought = is_asynchronous() ? " ahead is on its way" : " ahead is stored";
  body->push_back({.kind = StatementKind::kComment,
                   .text = name +
                           (form_.has_registers() ? ": while one tile is multiplied, the next is made ready, "
                                                    "and the tile kStages - 1"
                            : form_.wgmma         ? ": while one tile is multiplied, the one before is waited for, "
                                                    "and the tile kStages - 2"
                                                  : ": while one step is multiplied, the next is loaded, "
                                                    "and the tile kStages - 1") +
                           brought});
  body->push_back(text(text_.main_loop()));
  blank(body);
  body->push_back(text(text_.sums_to_shared()));
  blank(body);
  if (splits()) {
    body->push_back(text(text_.add_parts()));
    blank(body);
  }
  CheckSum check;
  if (form_.product == Product::k3xTf32 && form_.terms(demand_.are_tf32) > 1) {
    check = [this](const Expr* sum, const Variable* row, const Variable* column, const Expr* part, Block* block) {
      sum_again(sum, row, column, part, block);
    };
  }
  add_results(sums_of_block(sum_type()), check, body);
}

void TensorCoreWriter::add_constants() {
  add_extents(form_.k);
  constant("kStages", form_.stages, "k tiles in shared memory");
  if (splits()) {
    constant("kSplits", form_.splits, "blocks that share a tile");
    if (groups() > 1) {
      constant("kGroup", form_.group(), "of them, that add up their parts first");
      constant("kGroups", "kSplits / kGroup", std::to_string(groups()));
    }
    constant("kTiles", whole_k_ ? "kK / (kTileK * kSplits)" : "(kK + kTileK * kSplits - 1) / (kTileK * kSplits)",
             std::to_string(block_tiles()) + ", of a block");
    constant("kTileSums", "kTileM * kTileN");
  } else if (skips_) {
    constant("kSegments", demand_.segments->count, "of K, of which a row is in few");
    constant("kSegmentK", "kK / kSegments", std::to_string(demand_.segments->length));
    constant("kTilesOfSegment", count_spelling(whole_k_, "kSegmentK", "kTileK"),
             std::to_string(ceil_div(demand_.segments->length, form_.k)));
  } else {
    constant("kTiles", count_spelling(whole_k_, "kK", "kTileK"), std::to_string(block_tiles()));
  }
  add_tile_counts();
  form_.wgmma ? add_warpgroups() : add_products_of_warps();
  if (skips_terms_) {
    const int64_t words = ceil_div(block_tiles() * form_.k, kWarp);
    constant("kTermWords", "(kTiles * kTileK + kWarp - 1) / kWarp", std::to_string(words) + ", of 32 terms");
  }
  add_statistics_constants();
  constant("kStepsK", "kTileK / kMmaK", std::to_string(form_.k / form_.mma_k()));
  constant("kChunk", form_.chunk(), "elements of 16 bytes");
  for (const size_t side : {0, 1}) {
    const std::string operand = side == 0 ? "Lhs" : "Rhs", outer = side == 0 ? "kTileM" : "kTileN";
    if (turns(side)) {
      constant(side == 0 ? "kLhsCopies" : "kRhsCopies", outer + " * kTileK / kThreads",
               "elements, of a thread and k tile: " + std::to_string(number_of_copies(side)));
      continue;
    }
    const bool along_k = text_.along_k[side];
    const int64_t rows = side == 0 ? form_.m : form_.n, length = along_k ? form_.k : rows;
    if (elements_of_copy(side) != form_.chunk())
      constant(side == 0 ? "kLhsChunk" : "kRhsChunk", elements_of_copy(side), "of a copy, where rows are no multiples");
    constant(side == 0 ? "kLhsChunks" : "kRhsChunks", (along_k ? "kTileK" : outer) + " / " + chunk(side),
             "of a row in shared memory: " + std::to_string(length / elements_of_copy(side)));
    constant(side == 0 ? "kLhsCopies" : "kRhsCopies",
             (along_k ? outer : "kTileK") + " * k" + operand + "Chunks / kThreads",
             "of a thread and k tile: " + std::to_string(number_of_copies(side)));
  }
  assert_whole(splits() ? "kK == kSplits * kTiles * kTileK" : "kK % kTileK == 0");
  if (form_.wgmma) {
    kernel_.assertions.push_back({"kStages > 2", form_.has_registers()
                                                     ? "a tile is multiplied, the next is made ready, a third is copied"
                                                     : "of two tiles products are under way while a third is copied"});
  } else {
    kernel_.assertions.push_back({"kStepsK > 1", "the next tile is copied under the first of several steps"});
  }
}

void TensorCoreWriter::add_products_of_warps() {
  const WarpTile part = *warp_tile(form_, threads_);
  add_warps(part.m, part.n);
  constant("kMmaM", 16, "of an instruction");
  constant("kMmaN", 8);
  constant("kMmaK", form_.mma_k());
  constant("kMmasM", "kWarpM / kMmaM", std::to_string(part.m / 16));
  constant("kMmasN", "kWarpN / kMmaN", std::to_string(part.n / 8));
}

void TensorCoreWriter::add_warpgroups() {
  constant("kThreads", threads_);
  constant("kWarp", kWarp);
  constant("kWarps", "kThreads / kWarp", std::to_string(threads_ / kWarp));
  form_.turned ? constant("kWarpN", 16, "columns of a warp") : constant("kWarpM", 16, "rows of a warp");
  if (!form_.has_registers()) {
    constant("kWarpgroup", kWarpgroup, "threads that multiply together");
    constant("kMmaM", kWarpgroupRows, "of an instruction, kTileN wide");
  }
  constant("kMmaK", form_.mma_k());
  constant("kEights", form_.turned ? "kTileM / 8" : "kTileN / 8",
           std::string(form_.turned ? "rows" : "columns") + " of sums: " + std::to_string(form_.of_instruction() / 8));
  if (form_.has_registers()) return;
  if (!text_.along_k[0] || !text_.along_k[1]) constant("kRow", form_.tile_k(), "elements of 128 bytes");
}

void TensorCoreWriter::add_split_parameters(LoweredStage* stage) {
  const int64_t tiles = grid_.rows * grid_.columns * extents_.batch;
  const Shape parts = Shape::array(sum_type(), {tiles, form_.splits, form_.m * form_.n});
  stage->scratch.push_back({"partial", parts});
  // Other blocks write to both while this one runs: no __restrict__.
  const auto add = [&](const char* what, const Shape& shape, const StageArgument& argument) {
    w_.add_pointer(what, shape, true, argument)->type.is_restrict = false;
    kernel_.parameters.back().scratch = true;
  };
  add("partial", parts, StageArgument::scratch(0));
  const int64_t counters = tiles * (groups() > 1 ? groups() + 1 : 1);
  add("finished", Shape::array(DType::kU32, {counters}), StageArgument::finished(counters));
}

void TensorCoreWriter::add_headers() {
  if (splits()) kernel_.headers.insert("device/last_block.cuh");
  if (is_asynchronous()) kernel_.headers.insert("device/async_copy.cuh");
  kernel_.headers.insert("device/vector_access.cuh");
  kernel_.headers.insert(form_.wgmma ? "device/wgmma.cuh" : "device/mma.cuh");
  const bool floats = form_.element_bytes() == 4;
  if (floats) kernel_.headers.insert("device/tf32_split.cuh");
  const bool one_by_one = form_.element_bytes() == 8 || (floats && !text_.along_k[0] && !text_.along_k[1]);
  const bool in_order = form_.has_registers() ? floats && !text_.along_k[form_.register_side()] : one_by_one;
  if ((!form_.wgmma || form_.has_registers()) && !in_order) kernel_.headers.insert("device/ldmatrix.cuh");
  if (form_.product == Product::k16Bits) kernel_.headers.insert("device/half.cuh");
  if (form_.product == Product::kInt8 && !(text_.along_k[0] && text_.along_k[1]))
    kernel_.headers.insert("device/unzip_bytes.cuh");
}

// While one tile is multiplied; of warpgroups that copy without registers, the one before may be, too.
int64_t TensorCoreWriter::tiles_ahead() const { return form_.stages - (form_.wgmma && !form_.has_registers() ? 2 : 1); }

// Of tiles that threads compute and store themselves none is in flight.
std::string TensorCoreWriter::tiles_text() const {
  const int64_t tiles = form_.block_tiles(extents_.k);
  if (tiles == 1) return "; K in one tile of " + std::to_string(form_.k);
  const std::string flight = std::to_string(std::min(tiles_ahead(), tiles)) + " in flight";
  return "; K in tiles of " + std::to_string(form_.k) + (is_asynchronous() ? ", " + flight : "");
}

std::string TensorCoreWriter::spread() const {
  const WarpTile part = *warp_tile(form_, threads_);
  const auto sides = [](int64_t a, int64_t b) { return std::to_string(a) + " x " + std::to_string(b); };
  const std::string what = form_.product == Product::k16Bits ? ""
                           : form_.product == Product::kInt8 ? " of bytes"
                           : form_.product == Product::kF64  ? " of doubles"
                           : form_.product == Product::kTf32 ? " in TF32"
                                                             : terms_text(demand_.are_tf32);
  const int64_t groups = threads_ / kWarpgroup;
  const std::string each = form_.turned ? "64 columns" : "64 rows";
  const std::string who = form_.wgmma
                              ? (groups > 1 ? std::to_string(groups) + " warpgroups, " + each + " each" : "a warpgroup")
                              : std::to_string(threads_ / kWarp) + " warps, " + sides(part.m, part.n) + " a warp";
  return "Products on tensor cores" + what + ": a tile of " + sides(form_.m, form_.n) + " a block of " + who +
         tiles_text() + (splits() ? ", divided among " + std::to_string(form_.splits) + " blocks." : ".") +
         (skips_         ? " Segments of K that no row of the tile is in are skipped."
          : skips_terms_ ? " Tiles of K without a term that counts for the batch are skipped."
                         : "") +
         parts_text();
}

void TensorCoreWriter::add_segments(Block* body) {
  const MaskedSegments& segments = *demand_.segments;
  body->push_back(note("which rows of the tile are in which segments of K, and the segments that have any, in order"));
  Statement all = w_.counted_loop("segment", "thread / kWarp", "kSegments", threads_ / kWarp, "kThreads / kWarp");
  all.body.push_back(text("unsigned any_here = 0;\n"));
  Statement rows = w_.counted_loop("place", "lane", "kTileM", kWarp, "kWarp");
  const Variable* row = w_.let(
      "row", w_.index, w_.infix(kernel_.reference(first_[0]), "+", kernel_.reference(rows.variable)), &rows.body);
  rows.body.push_back(text("bool is_here = false;\n"));
  std::map<int, const Expr*> coordinates = {{kSegmentRow, kernel_.reference(row)},
                                            {kSegmentNumber, kernel_.reference(all.variable)}};
  if (batch_ != nullptr) coordinates[kSegmentBatch] = kernel_.reference(batch_);
  Expressions expressions = w_.expressions_of(*segments.mask, coordinates);
  Block value;
  const Expr* is_here = w_.results_of(*segments.mask, expressions, &value)[0];
  value.push_back(w_.assign(kernel_.name_expr("is_here", kPred), is_here));
  if (const Expr* test = whole_rows() ? nullptr : below(row, "kM")) {
    rows.body.push_back({.kind = StatementKind::kIf, .value = test, .body = std::move(value)});
  } else {
    rows.body.insert(rows.body.end(), value.begin(), value.end());
  }
  rows.body.push_back(
      text("const unsigned here = __ballot_sync(0xffffffff, is_here);\n"
           "if (lane == 0) shared.rows[segment][place / kWarp] = here;\n"
           "any_here |= here;\n"));
  all.body.push_back(std::move(rows));
  all.body.push_back(text("if (lane == 0) shared.has_rows[segment] = any_here != 0;\n"));
  body->push_back(std::move(all));
  body->push_back(
      text("__syncthreads();\n" +
           list_in_order("segment", "kSegments", "shared.has_rows[segment] != 0", "segments", "segment_count") +
           "const int tiles = shared.segment_count * kTilesOfSegment;\n"
           "const auto is_in = [&](int segment, int row) {\n"
           "  return (shared.rows[segment][row / kWarp] >> row % kWarp & 1) != 0;\n"
           "};\n"));
  blank(body);
}

void TensorCoreWriter::add_terms(Block* body) {
  const DemandGraph& mask = *demand_.terms->mask;
  body->push_back(note("which terms of K count for the batch, and the k tiles that have any, in order"));
  Statement words = w_.counted_loop("word", "thread / kWarp", "kTermWords", threads_ / kWarp, "kThreads / kWarp");
  const Expr* first = w_.infix(w_.wide(kernel_.reference(words.variable)), "*", name("kWarp"));
  const Variable* term = w_.let("k", w_.index, w_.infix(first, "+", kernel_.name_expr("lane")), &words.body);
  const Expr* is_inside = extents_.k % std::max(form_.k, kWarp) == 0 ? nullptr : below(term, "kK");
  if (is_inside != nullptr) words.body.push_back(text("bool is_here = false;\n"));
  std::map<int, const Expr*> coordinates = {{kTermBatch, kernel_.reference(batch_)},
                                            {kTermNumber, kernel_.reference(term)}};
  Expressions expressions = w_.expressions_of(mask, coordinates);
  Block value;
  const Expr* counts = nullptr;
  for (const Expr* result : w_.results_of(mask, expressions, &value)) {
    if (counts == nullptr || !same_expr(counts, result)) counts = w_.both(counts, result);  // often both have one mask
  }
  if (is_inside != nullptr) {
    value.push_back(w_.assign(kernel_.name_expr("is_here", kPred), counts));
    words.body.push_back({.kind = StatementKind::kIf, .value = is_inside, .body = std::move(value)});
  } else {
    words.body.insert(words.body.end(), value.begin(), value.end());
    w_.let("is_here", kPred, counts, &words.body);
  }
  words.body.push_back(
      text("const unsigned here = __ballot_sync(0xffffffff, is_here);\n"
           "if (lane == 0) shared.terms[word] = here;\n"));
  body->push_back(std::move(words));
  // A word of terms has those of two tiles, or a tile those of several words.
  const bool halves = form_.k < kWarp;
  body->push_back(
      text("__syncthreads();\n"
           "const auto counts = [&](int k_tile, int k) {\n"
           "  const int term = k_tile * kTileK + k;\n"
           "  return (shared.terms[term / kWarp] >> term % kWarp & 1) != 0;\n"
           "};\n"
           "const auto has_term = [&](int k_tile) {\n" +
           std::string(halves ? "  const int term = k_tile * kTileK;\n"
                                "  return (shared.terms[term / kWarp] >> term % kWarp & ((1u << kTileK) - 1)) != 0;\n"
                              : "  unsigned any = 0;\n"
                                "  for (int k = 0; k < kTileK; k += kWarp) "
                                "any |= shared.terms[(k_tile * kTileK + k) / kWarp];\n"
                                "  return any != 0;\n") +
           "};\n" + list_in_order("k_tile", "kTiles", "has_term(k_tile)", "k_tiles", "k_tile_count") +
           "const int tiles = shared.k_tile_count;\n"));
  blank(body);
}

void TensorCoreWriter::add_coordinates(const Tile& tile, Block* body) {
  w_.shared(body);
  body->push_back(text("const int thread = threadIdx.x, lane = thread % kWarp, group = lane / 4;\n"));
  const TilePlace place = place_of(tile);
  const Expr *split = place.batch, *batch = place.batch;
  if (splits() && extents_.batch > 1) {
    split = kernel_.infix(batch, "%", kernel_.name_expr("kSplits"), kInteger);
    batch = kernel_.infix(batch, "/", kernel_.name_expr("kSplits"), kInteger);
  }
  add_first(place, batch, body);
  if (splits()) {
    const Expr* number = extents_.batch == 1
                             ? place.first[0]
                             : kernel_.infix(kernel_.infix(batch, "*", kernel_.name_expr("kRowTiles"), kInteger), "+",
                                             place.first[0], kInteger);
    number = kernel_.infix(kernel_.infix(number, "*", kernel_.name_expr("kColumnTiles"), kInteger), "+", place.first[1],
                           kInteger);
    w_.let("tile_number", kInteger, number, body);
    const Expr* part = kernel_.reference(w_.let("split", kInteger, split, body));
    first_k_ =
        w_.let("first_k", w_.index, w_.infix(w_.infix(w_.wide(part), "*", name("kTiles")), "*", name("kTileK")), body);
  }
  body->push_back(text(form_.turned            ? "const int warp_column = thread / kWarp * kWarpN;\n"
                       : form_.has_registers() ? "const int warp_row = thread / kWarp * kWarpM;\n"
                       : form_.wgmma           ? "const int group_row = thread / kWarpgroup * kMmaM;\n"
                                                 "const int warp_row = thread / kWarp * kWarpM;\n"
                                               : "const int warp_row = thread / kWarp / kWarpsN * kWarpM;\n"
                                                 "const int warp_column = thread / kWarp % kWarpsN * kWarpN;\n"));
}

void TensorCoreWriter::sum_again(const Expr* sum, const Variable* row, const Variable* column, const Expr* part,
                                 Block* block) {
  const CType type = CType::value(DType::kF32);
  const Expr* finite =
      kernel_.infix(kernel_.call("fabsf", {sum}, type), "<", kernel_.name_expr("INFINITY", type), kPred);
  Statement again = {.kind = StatementKind::kIf, .value = kernel_.prefix("!", finite, kPred)};
  again.body.push_back(w_.assign(sum, kernel_.literal(Literal(Shape::scalar(DType::kF32)))));
  Statement terms;
  terms.kind = StatementKind::kFor;
  terms.variable = kernel_.variable("k", w_.index);
  terms.begin = kernel_.integer(0);
  terms.value = name("kK");
  const Expr* values[2];
  for (const size_t side : {0, 1}) {
    const ContractOperand& operand = side == 1 && demand_.in_order ? *demand_.in_order : demand_.operands[side];
    Expressions expressions =
        w_.expressions_of(*operand.graph, coordinates_of(operand, side == 0 ? row : column, terms.variable));
    read_statistics(side, side == 0 ? row : column, &expressions);
    name_extents(side, &expressions);
    if (side == 1 && part != nullptr)
      choose_matrices(&w_, demand_, loaded_arrays(*operand.graph), part, &expressions, &again.body);
    values[side] = w_.results_of(*operand.graph, expressions, &terms.body)[0];
  }
  const Expr* total = kernel_.call("fmaf", {values[0], values[1], sum}, type);
  terms.body.push_back(w_.assign(sum, total));
  again.body.push_back(std::move(terms));
  block->push_back({.kind = StatementKind::kNote, .text = "what is not finite is computed again, in f32"});
  block->push_back(std::move(again));
}

LoweredStage lower_tensor_core(const StageInput& input, const ContractDemand& demand, const TensorCoreForm& form) {
  return TensorCoreWriter(input, demand, form).run();
}

}  // namespace sinter
