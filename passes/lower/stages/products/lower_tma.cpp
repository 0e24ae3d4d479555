// A contract kernel by warpgroups whose operands the hardware copies (`contract(wgmma 128x256x64, stages 4, tma)`).
// Blocks stay: each multiplies tiles of the result one after the other. One warpgroup has k tiles copied, stage by
// stage, and runs ahead of those that multiply, also from one tile of the result to the next. The scheme is that of
// NVIDIA's CUTLASS ("warp-specialised persistent cooperative"), without clusters.
#include <algorithm>

#include "passes/analysis/values/hardware.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/products/lower_tensor_core.h"
#include "passes/lower/stages/products/tensor_core_text.h"
#include "passes/lower/stages/products/text_statement.h"
#include "passes/lower/stages/products/tile_writer.h"
#include "passes/lower/text/indented.h"
#include "passes/names/value_names.h"
#include "passes/schedule/cost/contract_work.h"
#include "passes/stages/products/tma_tiles.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

// Of a thread that has tiles copied; of one that multiplies where two warpgroups do, and where four: 65,536 in all.
constexpr int64_t kCopyRegisters = 40, kTwoRegisters = 232, kFourRegisters = 112, kFewCopyRegisters = 24;
constexpr int64_t kMostGroupRows = 16;

class TmaWriter : private TileWriter {
 public:
  TmaWriter(const StageInput& input, const ContractDemand& demand, const TensorCoreForm& form)
      : TileWriter(input, demand, form.m, form.n),
        form_(form),
        dtype_(demand.dot->operand(0)->shape.dtype),
        tiles_{*tma_tiles(demand.operands[0], dtype_), *tma_tiles(rhs_in_order(demand), dtype_)} {
    whole_k_ = extents_.k % form.k == 0;
  }

  LoweredStage run() {
    kernel_.work = TensorCoreWork(demand_).of(form_, threads_);
    add_constants();
    w_.add_values(*demand_.graph, w_.input.values.outputs);
    w_.add_counter(*demand_.graph);
    w_.rename_parameters(tensor_core_names());
    for (const char* header : {"device/tile_copy.cuh", "device/vector_access.cuh", "device/wgmma.cuh"})
      kernel_.headers.insert(header);
    kernel_.headers.insert("device/half.cuh");
    add_maps();
    kernel_.shared.bytes = form_.shared_bytes();
    kernel_.declarations = {shared(), sum_place(), tile_place()};
    if (in_halves()) kernel_.declarations.push_back(column_place());
    if (in_parts()) add_parts(part_run(), "part * (kSumsN / kParts) + j");
    if (apart()) add_parts_apart();

    LaunchDimensions tiles = {.block = threads_, .alone = true};
    tiles.grid[0] = tma_blocks(extents_, form_);
    tiles.grid_spelling[0] = "kBlocks";
    LoweredStage stage;
    add_tiles(tiles, spread(), [this](const Tile& tile, Block* block) { write(tile, block); }, &stage);
    return stage;
  }

 private:
  int64_t consumers() const { return form_.m / kWarpgroupRows; }
  int64_t group_rows() const { return std::min(kMostGroupRows, grid_.rows); }
  bool whole_groups() const { return grid_.rows % group_rows() == 0; }

  std::string spread() const {
    const auto sides = [](int64_t a, int64_t b) { return std::to_string(a) + " x " + std::to_string(b); };
    const std::string who = consumers() == 1 ? "another multiplies" : "others multiply, 64 rows each";
    return "Products on tensor cores: tiles of " + sides(form_.m, form_.n) + ", one after the other a block of " +
           std::to_string(consumers() + 1) + " warpgroups. One has the hardware copy tiles of " +
           std::to_string(form_.k) + " along k to shared memory, up to " + std::to_string(form_.stages - 1) +
           " in flight; " + who + "." + parts_text();
  }

  void add_constants() {
    const int64_t tiles = result_tiles(extents_, form_), blocks = tma_blocks(extents_, form_);
    add_extents(form_.k);
    constant("kStages", form_.stages, "k tiles in shared memory");
    constant("kTiles", count_spelling(whole_k_, "kK", "kTileK"), std::to_string(form_.block_tiles(extents_.k)));
    add_tile_counts();
    constant("kResultTiles", std::string("kRowTiles * kColumnTiles") + (extents_.batch > 1 ? " * kBatch" : ""),
             std::to_string(tiles));
    constant("kBlocks", blocks, blocks == tiles ? "a tile each" : "that take turns");
    constant("kGroupRows", group_rows(), "row tiles side by side");
    constant("kWarp", kWarp);
    constant("kWarpM", 16, "rows of a warp");
    constant("kWarpgroup", kWarpgroup, "threads that multiply together");
    constant("kMmaM", kWarpgroupRows, "of an instruction, kTileN wide");
    constant("kMmaK", form_.mma_k());
    constant("kStepsK", "kTileK / kMmaK", std::to_string(form_.k / form_.mma_k()));
    constant("kConsumers", "kTileM / kMmaM", "warpgroups that multiply: " + std::to_string(consumers()));
    constant("kThreads", "(kConsumers + 1) * kWarpgroup", std::to_string(threads_));
    constant("kWarps", "kConsumers * kWarpgroup / kWarp", "that multiply: " + std::to_string(consumers() * 4));
    constant("kEights", "kTileN / 8", "columns of sums: " + std::to_string(form_.n / 8));
    constant("kSumsN", form_.columns_at_once(), "columns of sums in shared memory");
    if (!tiles_[0].along_k || !tiles_[1].along_k) constant("kRow", form_.tile_k(), "elements of 128 bytes");
    assert_whole("kK % kTileK == 0");
  }

  std::string map_name(size_t side) const { return side == 0 ? "lhs_tiles" : "rhs_tiles"; }

  std::string map_of_part(size_t part) const { return map_name(1) + (part == 0 ? "" : "_" + std::to_string(part + 1)); }

  void add_maps() {
    add_map(0, map_name(0), tiles_[0].array);
    if (!has_matrices()) return add_map(1, map_name(1), tiles_[1].array);
    const std::vector<const Instruction*>& arrays = demand_.matrices[0];
    for (size_t part = 0; part < arrays.size(); ++part) add_map(1, map_of_part(part), arrays[part]);
  }

  void add_map(size_t side, std::string name, const Instruction* array) {
    const TmaTiles& tiles = tiles_[side];
    const std::string outer = side == 0 ? "kM" : has_matrices() ? "kPart" : "kN";
    const std::string tile = side == 0 ? "kTileM" : "kTileN";
    const auto stride = [&](int64_t value) -> std::string {
      const std::string along = tiles.along_k ? "kK" : outer, across = tiles.along_k ? outer : "kK";
      if (value == tiles.extents[0]) return along;
      if (value == tiles.extents[0] * tiles.extents[1]) return "int64_t{" + along + "} * " + across;
      return std::to_string(value);
    };
    TileMap map = {.name = std::move(name), .array = w_.inputs.at(array), .first = tiles.first};
    map.extents[0] = tiles.along_k ? "kK" : outer;
    map.extents[1] = tiles.along_k ? outer : "kK";
    map.extents[2] = tiles.batched ? "kBatch" : "1";
    map.strides[0] = stride(tiles.strides[0]);
    map.strides[1] = stride(tiles.strides[1]);
    map.tile[0] = tiles.along_k ? "kTileK" : "kRow";
    map.tile[1] = !tiles.along_k ? "kTileK" : side == 1 && in_parts() ? "kRun" : tile;
    kernel_.tile_maps.push_back(std::move(map));
  }

  std::string shared() const {
    const std::string element(dtype_cuda_name(dtype_));
    return "struct Shared {\n"
           "  struct Stage {\n"
           "    alignas(1024) " +
           element +
           " lhs[kTileM * kTileK];\n"
           "    " +
           element +
           " rhs[kTileK * kTileN];\n"
           "  };\n"
           "  Stage stage[kStages];\n"
           "  alignas(128) float sums[kWarps][kWarpM * kSumsN];\n"
           "  PhaseBarrier full[kStages];   // a k tile has arrived\n"
           "  PhaseBarrier empty[kStages];  // all warps have multiplied it\n"
           "};\n";
  }

  std::string sum_place() const {
    return "// Where a sum is among those of its warp: pairs that lanes store at once lie in all 32 banks.\n"
           "__device__ __forceinline__ int sum_at(int row, int column) {\n"
           "  return row * kSumsN + (column ^ " +
           std::string(in_parts() ? "row % 2 * 16 ^ row / 2 % 2 * 8" : "row % 4 * 8") +
           ");\n"
           "}\n";
  }

  // Whether two columns that a result is made of are further apart than those that are in shared memory at a time.
  bool in_halves() const { return in_pairs() && 2 * demand_.partner > form_.columns_at_once(); }

  static std::string column_place() {
    return "// Which column of the tile has the sum at `j` of those in shared memory, the first of which are half of\n"
           "// them, the others their partners.\n"
           "__device__ __forceinline__ int column_of(int first, int j) {\n"
           "  return first / (2 * kPartner) * (2 * kPartner) + first % (2 * kPartner) / 2 +\n"
           "         j / (kSumsN / 2) * kPartner + j % (kSumsN / 2);\n"
           "}\n";
  }

  // Down groups of rows, so that blocks that multiply side by side share operands in the L2 cache.
  std::string tile_place() const {
    const bool batch = extents_.batch > 1;
    std::string text = std::string("// The row") + (batch ? ", column and matrix" : " and column") +
                       " where a tile of the result begins. Tiles are numbered down groups of\n"
                       "// kGroupRows, so that those that are multiplied side by side share operands.\n"
                       "struct TilePlace {\n"
                       "  int row, column" +
                       (batch ? ", batch" : "") +
                       ";\n"
                       "};\n"
                       "__device__ __forceinline__ TilePlace tile_place(int number) {\n";
    if (batch) {
      text +=
          "  const int batch = number / (kRowTiles * kColumnTiles);\n"
          "  number %= kRowTiles * kColumnTiles;\n";
    }
    text += "  const int group_row = number / (kGroupRows * kColumnTiles) * kGroupRows;\n";
    if (!whole_groups()) {
      text +=
          "  const int rest = kRowTiles - group_row;\n"
          "  const int rows = rest < kGroupRows ? rest : kGroupRows;\n";
    }
    const std::string rows = whole_groups() ? "kGroupRows" : "rows";
    text +=
        "  const int in_group = number % (kGroupRows * kColumnTiles);\n"
        "  return {(group_row + in_group % " +
        rows + ") * kTileM, in_group / " + rows + " * kTileN" + (batch ? ", batch" : "") + "};\n}\n";
    return text;
  }

  // Neighbours of a part in a tile: as many as come with one copy.
  int64_t part_run() const { return tma_part_run(tiles_[1], demand_.parts, form_); }

  // The copies of a k tile of the right operand, whose columns are in parts: one a run of a part.
  std::string copies_of_parts() const {
    const std::string batch = tiles_[1].batched ? "place.batch" : "0";
    const std::string along = tiles_[1].along_k ? "tile * kTileK, column" : "column, tile * kTileK";
    if (has_matrices()) {
      std::string text =
          "for (int turn = 0; turn < kTileN / (kRun * kParts); ++turn) {\n"
          "  const int column = place.column / kParts + turn * kRun;\n  " +
          cuda(dtype_) + "* const to = &stage.rhs[turn * kParts * kRun * kTileK];\n";
      for (int64_t part = 0; part < demand_.parts.count; ++part) {
        const std::string to = part == 0   ? "to"
                               : part == 1 ? "to + kRun * kTileK"
                                           : "to + " + std::to_string(part) + " * kRun * kTileK";
        text += "  copy_tile(" + to + ", " + map_of_part(static_cast<size_t>(part)) + ", " + along + ", " + batch +
                ", full);\n";
      }
      return text + "}\n";
    }
    return "for (int turn = 0; turn < kTileN / (kRun * kParts); ++turn) {\n"
           "  for (int part = 0; part < kParts; ++part) {\n"
           "    const int to = (turn * kParts + part) * kRun * kTileK;\n"
           "    const int column = part * kPart + place.column / kParts + turn * kRun;\n"
           "    copy_tile(&stage.rhs[to], rhs_tiles, " +
           along + ", " + batch +
           ", full);\n"
           "  }\n"
           "}\n";
  }

  // Of matrices side by side: that which the tile has columns of.
  std::string matrix_of_tile() const {
    if (!apart()) return "";
    const int64_t count = demand_.parts.count;
    std::string chosen;
    for (int64_t part = 0; part + 1 < count; ++part)
      chosen += (part > 0 ? "\n                            : " : "") + std::string("part == ") + std::to_string(part) +
                " ? " + map_of_part(static_cast<size_t>(part));
    chosen += " : " + map_of_part(static_cast<size_t>(count - 1));
    return "const int part = place.column / kPart, part_column = place.column % kPart;\n"
           "const TileMap& part_tiles = " +
           chosen + ";\n";
  }

  // The copies of a k tile of an operand.
  std::string copies(size_t side) const {
    if (side == 1 && in_parts()) return copies_of_parts();
    const TmaTiles& tiles = tiles_[side];
    const bool of_part = side == 1 && apart();
    const std::string operand = side == 0 ? "lhs" : "rhs";
    const std::string outer = side == 0 ? "place.row" : of_part ? "part_column" : "place.column";
    const std::string map = of_part ? "part_tiles" : map_name(side);
    const std::string batch = tiles.batched ? "place.batch" : "0";
    if (tiles.along_k)
      return "copy_tile(stage." + operand + ", " + map + ", tile * kTileK, " + outer + ", " + batch + ", full);\n";
    const std::string extent = side == 0 ? "kTileM" : "kTileN";
    const std::string copy =
        "copy_tile(&stage." + operand + "[i * kTileK], " + map + ", " + outer + " + i, tile * kTileK";
    const std::string loop = "for (int i = 0; i < " + extent + "; i += kRow)";
    // A batch's number makes the call longer than a line.
    if (!tiles.batched) return loop + "\n  " + copy + ", 0, full);\n";
    return loop + " {\n  " + copy + ",\n            " + batch + ", full);\n}\n";
  }

  void write(const Tile& tile, Block* body) {
    w_.shared(body);
    body->push_back(
        text("const int warpgroup = threadIdx.x / kWarpgroup, thread = threadIdx.x % kWarpgroup;\n"
             "if (threadIdx.x == 0) {\n"
             "  for (int stage = 0; stage < kStages; ++stage) {\n"
             "    make_barrier(&shared.full[stage], 1);\n"
             "    make_barrier(&shared.empty[stage], kWarps);\n"
             "  }\n"
             "  made_barriers();\n"
             "}\n"
             "__syncthreads();\n"));
    blank(body);
    body->push_back({.kind = StatementKind::kComment,
                     .text = "one thread of the last warpgroup has k tiles copied, each to a stage that has been "
                             "multiplied"});
    body->push_back(text("if (warpgroup == kConsumers) {\n" + registers("  give_up_registers<", copy_registers()) +
                         "  if (thread > 0) return;\n"
                         "  int step = 0;  // k tiles so far\n"
                         "  for (int number = blockIdx.x; number < kResultTiles; number += kBlocks) {\n"
                         "    const TilePlace place = tile_place(number);\n" +
                         indented(matrix_of_tile(), "    ") +
                         "    for (int tile = 0; tile < kTiles; ++tile, ++step) {\n"
                         "      Shared::Stage& stage = shared.stage[step % kStages];\n"
                         "      PhaseBarrier* full = &shared.full[step % kStages];\n"
                         "      wait_phase(&shared.empty[step % kStages], (step / kStages + 1) % 2);\n"
                         "      arrive_and_expect(full, sizeof(Shared::Stage));\n" +
                         indented(copies(0) + copies(1), "      ") +
                         "    }\n"
                         "  }\n"
                         "  return;\n"
                         "}\n"));
    blank(body);
    body->push_back(text(registers("take_registers<", consumers() > 2 ? kFourRegisters : kTwoRegisters) +
                         "const int lane = thread % kWarp, group = lane / 4;\n"
                         "const int warp = threadIdx.x / kWarp, warp_row = warp * kWarpM;\n"
                         "float* const sums_of_warp = shared.sums[warp];\n"
                         "int step = 0;\n"));
    Statement numbers = w_.counted_loop("number", "", "kResultTiles", tma_blocks(extents_, form_), "kBlocks");
    numbers.begin = tile.x;
    write_tile(&numbers.body);
    body->push_back(std::move(numbers));
    for (Parameter& parameter : kernel_.parameters) {
      const bool is_mapped =
          std::ranges::any_of(kernel_.tile_maps, [&](const TileMap& map) { return map.array == parameter.variable; });
      parameter.of_host = is_mapped && !mentions(*body, parameter.variable);
    }
  }

  void write_tile(Block* body) {
    body->push_back(text("const TilePlace place = tile_place(number);\n"));
    const auto member = [&](const char* what) { return w_.wide(kernel_.name_expr(std::string("place.") + what)); };
    if (extents_.batch > 1) batch_ = w_.let("batch", w_.index, member("batch"), body);
    first_[0] = w_.let("tile_row", w_.index, member("row"), body);
    first_[1] = w_.let("tile_column", w_.index, member("column"), body);
    blank(body);
    body->push_back({.kind = StatementKind::kComment,
                     .text = name_of_sums() +
                             ": while a k tile is multiplied, the one before is waited for, whose stage is free then"});
    const std::string mma = dtype_ == DType::kBF16 ? "wgmma_bf16" : "wgmma_f16";
    body->push_back(
        text("float sums[kEights][4] = {};\n"
             "for (int tile = 0; tile < kTiles; ++tile, ++step) {\n"
             "  const Shared::Stage& stage = shared.stage[step % kStages];\n"
             "  wait_phase(&shared.full[step % kStages], step / kStages % 2);\n"
             "  const auto a = " +
             std::string(tiles_[0].along_k ? "along_k(&stage.lhs[warpgroup * kMmaM * kTileK]);\n"
                                           : "across_k(&stage.lhs[warpgroup * kMmaM * kTileK], kTileK);\n") +
             "  const auto b = " + (tiles_[1].along_k ? "along_k(stage.rhs);\n" : "across_k(stage.rhs, kTileK);\n") +
             "  wgmma_fence();\n"
             "  for (int k = 0; k < kStepsK; ++k) " +
             mma +
             "(sums, a + k, b + k);\n"
             "  wgmma_commit();\n"
             "  wgmma_wait<1>();\n"
             "  if (tile > 0 && lane == 0) arrive(&shared.empty[(step - 1) % kStages]);\n"
             "}\n"
             "wgmma_wait<0>();\n"
             "if (lane == 0) arrive(&shared.empty[(step - 1) % kStages]);\n"));
    blank(body);
    body->push_back({.kind = StatementKind::kComment,
                     .text = "to shared memory, some columns at a time, so that what follows has rows of neighbours"});
    Statement all = w_.counted_loop("first", "", "kTileN", form_.columns_at_once(), "kSumsN");
    all.unroll = Statement::kUnrollFully;
    all.body.push_back(text(std::string("__syncwarp();\n") + (in_parts() ? sums_of_parts() : some_sums(in_halves())) +
                            "__syncwarp();\n"));
    blank(&all.body);
    add_results({.dtype = DType::kF32,
                 .array = "sums_of_warp",
                 .rows = "kWarpM",
                 .columns = "kSumsN",
                 .columns_count = form_.columns_at_once(),
                 .thread = "lane",
                 .threads = "kWarp",
                 .threads_count = kWarp,
                 .row = "warp_row",
                 .column = "first",
                 .in_halves = in_halves()},
                nullptr, &all.body);
    body->push_back(std::move(all));
  }

  static std::string some_sums(bool in_halves) {
    const std::string eight = in_halves ? "column_of(first, j * 8) / 8" : "first / 8 + j";
    return "for (int j = 0; j < kSumsN / 8; ++j) {\n"
           "  for (int r = 0; r < 4; r += 2) {\n"
           "    const float(&four)[4] = sums[" +
           eight +
           "];\n"
           "    const Vector<float, 2> pair = {four[r], four[r + 1]};\n"
           "    store_vector(&sums_of_warp[sum_at(r / 2 * 8 + group, j * 8 + lane % 4 * 2)], pair);\n"
           "  }\n"
           "}\n";
  }
  // The same of as many columns of each part, side by side.
  static std::string sums_of_parts() {
    return "for (int part = 0; part < kParts; ++part) {\n"
           "  for (int j = 0; j < kSumsN / kParts; j += 8) {\n"
           "    const int result = first / kParts + j;\n"
           "    const float(&four)[4] = sums[((result / kRun * kParts + part) * kRun + result % kRun) / 8];\n"
           "    for (int r = 0; r < 4; r += 2) {\n"
           "      const Vector<float, 2> pair = {four[r], four[r + 1]};\n"
           "      const int column = column_of(part, j + lane % 4 * 2);\n"
           "      store_vector(&sums_of_warp[sum_at(r / 2 * 8 + group, column)], pair);\n"
           "    }\n"
           "  }\n"
           "}\n";
  }

  int64_t copy_registers() const { return consumers() > 2 ? kFewCopyRegisters : kCopyRegisters; }
  // Where one warpgroup multiplies, all threads have enough.
  std::string registers(const char* call, int64_t count) const {
    return consumers() > 1 ? call + std::to_string(count) + ">();\n" : "";
  }

  const TensorCoreForm form_;
  const DType dtype_;  // of both operands
  const TmaTiles tiles_[2];
};

}  // namespace

LoweredStage lower_tma(const StageInput& input, const ContractDemand& demand, const TensorCoreForm& form) {
  return TmaWriter(input, demand, form).run();
}

}  // namespace sinter
