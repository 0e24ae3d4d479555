// Row kernels: a row a few lanes of a warp, a warp, a block, or a lane of each of a block's warps; its elements in
// registers where they fit, with an exchange between the row's threads after each pass that reduces.
#include "ir/support/diagnostics.h"
#include "passes/analysis/values/arrays.h"
#include "passes/demand/views/lane_updates.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/base/stage_checks.h"
#include "passes/lower/stages/elements/lower_elements.h"
#include "passes/lower/text/index_types.h"
#include "passes/lower/write/block_shares.h"
#include "passes/lower/write/name_terms.h"
#include "passes/lower/write/row_vectors.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/names/value_names.h"
#include "passes/schedule/cost/work.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/domain/row_width.h"
#include "passes/stages/domain/split_phases.h"

namespace sinter {

namespace {

// How a row, its elements and the threads that share it are spelled. Rows that are neighbours in memory are the columns
// of a matrix, and their elements its rows.
struct RowNames {
  std::string count, note;  // of the threads: "kWarp", and what is said of that constant
  std::string reduce, header;
  std::string thread = "lane";
  std::string row = "row", rows = "kRows", column = "column", columns = "kColumns", rows_a_block = "kRowsPerBlock";
};

RowNames row_names(Tier tier) {
  if (tier == Tier::kBlock) return {"kThreads", "", "block_reduce<kThreads>", "device/block_reduce.cuh"};
  if (tier == Tier::kWarp) return {"kWarp", "lanes, one row a warp", "warp_reduce", "device/warp_reduce.cuh"};
  if (tier == Tier::kLanes)
    return {"kLanes", "of a warp, for each row", "warp_reduce<kLanes>", "device/warp_reduce.cuh"};
  return {"kWarps",
          "share a column",
          "column_reduce<kThreads>",
          "device/column_reduce.cuh",
          "warp",
          "column",
          "kColumns",
          "row",
          "kRows",
          "kLanes"};
}

class RowWriter {
 public:
  RowWriter(const StageInput& input, RowDemand demand, Tier tier)
      : demand_(std::move(demand)),
        graph_(*demand_.graph),
        extents_(demand_.extents),
        tier_(tier),
        names_(row_names(tier)),
        block_(input.node.block[0]),
        threads_(threads_a_row(tier, extents_, block_)),
        rows_a_block_(block_ / threads_),
        whole_blocks_(extents_.rows % rows_a_block_ == 0),
        slots_(ceil_div(extents_.columns, threads_)),
        writer_(input, "", index_type_of(graph_)),
        kernel_(writer_.kernel) {}

  std::optional<LoweredStage> run(Diagnostics& diagnostics) {
    StageBody body;
    // Threads of one warp meet at no barrier.
    body.pairs = elementwise_pairs(graph_, /*rows=*/block_ > kWarp);
    for (const Instruction* update : writer_.input.values.context.updates_in_place) {
      const Instruction* array = array_value(update->operand(0));
      if (update->opcode != Opcode::kScatter) continue;
      if (!reads_late(graph_, update, array, LaneRows{demand_.row, extents_.rows}))
        body.pairs.push_back({array, update});
    }
    split_phases(&demand_, threads_);
    if (const StageDomain* said = domain_of(writer_.input.node.body())) rows_.width = said->width;
    const int64_t widest = rows_.width > 1 ? widest_row_vector(demand_, tier_, threads_) : 1;
    if (widest % rows_.width != 0) return refuse_width(writer_.input, widest, diagnostics);
    slots_ = slots_of_row(extents_.columns, threads_, rows_.width);
    kernel_.work = row_work(demand_, threads_, rows_.width);
    writer_.add_values(graph_, writer_.input.values.outputs);
    writer_.add_counter(graph_);
    add_block_shares(share_strides(graph_, demand_.row, extents_.rows), extents_.rows, rows_a_block_, &writer_.lowered);
    expressions_ = writer_.expressions_of(graph_, {});
    read_early(body.pairs);
    expressions_.constants[extents_.columns] = names_.columns;
    expressions_.along_rows.push_back({demand_.column, extents_.columns, names_.columns});
    if (across() && extents_.inner == extents_.rows) expressions_.constants[extents_.rows] = names_.rows;
    choose_rows();
    add_constants();
    name_terms(&expressions_);
    add_kept_values();
    body.set_tiles(block_, ceil_div(extents_.rows, rows_a_block_), tiles());
    body.write = [this](const Tile& tile, Block* block) { write(tile.x, block); };
    body.graph = &graph_;
    body.elements = extents_.rows;
    body.spread = spread();
    body.tiled = {{&graph_, graph_.coordinate(demand_.row), extents_.rows, several() ? names_.rows_a_block : "1",
                   names_.row + "s"}};
    LoweredStage stage;
    stage.steps.push_back(add_kernel(&writer_, body, &stage));
    return stage;
  }

 private:
  bool several() const { return tier_ != Tier::kBlock; }  // rows a block
  bool across() const { return tier_ == Tier::kAcross; }

  std::string tiles() const {
    if (!several() || extents_.rows == 1) return names_.rows;
    if (whole_blocks_) return names_.rows + " / " + names_.rows_a_block;
    return "(" + names_.rows + " + " + names_.rows_a_block + " - 1) / " + names_.rows_a_block;
  }

  std::string spread() const {
    const std::string rows = rows_a_block_ == 1 ? "one row" : std::to_string(rows_a_block_) + " rows";
    const std::string a_block = " a block of " + std::to_string(block_) + " threads";
    switch (tier_) {
      case Tier::kWarp:
        return "A row a warp, " + rows + a_block + ".";
      case Tier::kLanes:
        return std::to_string(threads_) + " lanes of a warp a row, " + rows + a_block + ".";
      case Tier::kAcross:
        return std::to_string(rows_a_block_) + " columns" + a_block + ", a lane of each warp a column" +
               (rows_.registers ? "; the column stays in registers." : ".");
      case Tier::kBlock:
        break;
    }
    return "One block of " + std::to_string(block_) + " threads" + (extents_.rows > 1 ? " a row" : "") +
           (rows_.registers ? "; the row stays in registers." : ".");
  }

  // What is read before the row is reduced may be overwritten after it.
  void read_early(const std::vector<ElementwisePair>& pairs) {
    std::set<const Instruction*> arrays;
    for (const ElementwisePair& pair : pairs) {
      if (pair.of_row) arrays.insert(pair.in);
    }
    if (arrays.empty()) return;
    for (size_t id = 0; id < graph_.nodes.size(); ++id) {
      const DemandNode& load = graph_.nodes[id];
      if (load.kind == DemandNode::Kind::kLoad && arrays.contains(load.instruction)) expressions_.read_early.insert(id);
    }
  }

  // How the threads of a row divide its elements.
  void choose_rows() {
    if (slots_ == 1) {
      thread_ = rows_.column = kernel_.variable(names_.column, CType::value(DType::kS32));
    } else if (several()) {
      thread_ = kernel_.variable(names_.thread, CType::value(counter_type(extents_.columns)));
    }
    rows_.thread = thread_ != nullptr ? kernel_.reference(thread_) : kernel_.name_expr("threadIdx.x");
    rows_.name = names_.column;
    rows_.count = kernel_.name_expr(names_.columns);
    rows_.threads_name = names_.count;
    rows_.threads = threads_;
    rows_.registers = !graph_.kept.empty();
    rows_.exact = extents_.columns % (threads_ * rows_.width) == 0 && (!across() || whole_blocks_) &&
                  graph_.short_rows().missing == 0;
    for (const ColumnPhase& phase : graph_.phases) in_records_.merge(row_records(graph_, phase, rows_.width).offsets);
    expressions_.is_vector_offset = [this](const IndexExpr& offset) {
      return (rows_.width > 1 && is_row_vector(graph_, offset, rows_.width)) || in_records_.contains(offset);
    };
    rows_.reduce = names_.reduce;
    rows_.reduce_header = names_.header;
  }

  void add_constants() {
    const auto add_extent = [&](const std::string& name, int64_t extent) {
      kernel_.constants.push_back({name, extent_type(extent), std::to_string(extent), ""});
    };
    add_extent("kRows", across() ? extents_.columns : extents_.rows);
    add_extent("kColumns", across() ? extents_.rows : extents_.columns);
    if (const auto [parts, missing] = graph_.short_rows(); missing > 0) {
      const int64_t last = extents_.columns - missing;
      add_extent("kParts", parts);
      if (extents_.inner > 1) {
        add_extent("kInner", extents_.inner);
        expressions_.constants[extents_.inner] = "kInner";
      }
      const std::string name = across() ? "kLastRows" : "kLastColumns";
      kernel_.constants.push_back({name, extent_type(last), std::to_string(last), "of the last part"});
    }
    add_extent("kThreads", block_);
    if (across()) {
      kernel_.constants.push_back({"kLanes", "int", std::to_string(rows_a_block_), "of a warp, a column each"});
      kernel_.constants.push_back({"kWarps", "int", "kThreads / kLanes", names_.note});
    } else if (several()) {
      kernel_.constants.push_back({names_.count, "int", std::to_string(threads_), names_.note});
      kernel_.constants.push_back({"kRowsPerBlock", "int", "kThreads / " + names_.count, ""});
    }
    const NamedConstant width = {"kWidth", "int", std::to_string(rows_.width), "neighbours, in one access"};
    if (rows_.width > 1 && !rows_.exact) kernel_.constants.push_back(width);
    if (rows_.registers && slots_ > 1) {
      const auto rounded_up = [&](const std::string& of) { return "(" + names_.columns + " + " + of + " - 1) / "; };
      const std::string groups = names_.count + " * kWidth";
      const std::string each = rows_.width > 1 && !rows_.exact ? rounded_up(groups) + "(" + groups + ") * kWidth"
                                                               : rounded_up(names_.count) + names_.count;
      kernel_.constants.push_back({"kPerThread", "int", each, std::to_string(slots_)});
    }
    if (rows_.width > 1 && rows_.exact) kernel_.constants.push_back(width);
    if (rows_.width > 1) {
      const std::pair<std::string, std::string> covered = {"kColumns % (" + names_.count + " * kWidth) == 0",
                                                           "the threads cover a row exactly"};
      const std::pair<std::string, std::string> divided = {"kColumns % kWidth == 0",
                                                           "a row is made of whole groups of neighbours"};
      kernel_.assertions.push_back(rows_.exact ? covered : divided);
    }
    if (several() && extents_.rows > 1 && whole_blocks_) {
      kernel_.assertions.push_back(
          {names_.rows + " % " + names_.rows_a_block + " == 0", "the grid covers the " + names_.row + "s exactly"});
    }
  }

  // What stays in registers from one pass over the row to another.
  void add_kept_values() {
    for (const KeptValue& kept : graph_.kept) {
      CType type = CType::value(kept.dtype);
      if (slots_ > 1) {
        type.kind = CType::Kind::kArray;
        type.length = slots_;
        type.extent = "kPerThread";
      }
      std::string name = value_name(*kept.instruction);
      const auto pointer = expressions_.buffers.find(kept.instruction);
      if (pointer != expressions_.buffers.end()) name = pointer->second->name;
      name += slots_ > 1 ? "_values" : "_value";
      expressions_.arrays.push_back(kernel_.variable(name, type, kept.instruction));
    }
    for (const ColumnPhase& phase : graph_.phases) {
      for (const auto& [slot, kept_node] : phase.keeps) expressions_.kept[kept_node] = static_cast<size_t>(slot);
    }
    for (size_t id = 0; id < graph_.nodes.size(); ++id) {
      if (graph_.nodes[id].kind == DemandNode::Kind::kKept)
        expressions_.kept[static_cast<NodeId>(id)] = static_cast<size_t>(graph_.nodes[id].slot);
    }
  }

  void write(const Expr* tile, Block* block) {
    find_place(tile, block);
    // Results a row: the first thread of the row stores them.
    expressions_.coordinates[demand_.column] = rows_.thread;
    WriteOptions options;
    options.rows = rows_;
    const Block statements = write_block(writer_.input.module, graph_, expressions_, options);
    block->insert(block->end(), statements.begin(), statements.end());
    if (rows_.column != nullptr && !across() && !mentions(*block, "kColumns")) {
      std::erase_if(kernel_.constants, [](const NamedConstant& constant) { return constant.name == "kColumns"; });
    }
  }

  // The thread's row, and its place among the row's threads.
  void find_place(const Expr* tile, Block* block) {
    const CType& index = writer_.index;
    const CType integer = CType::value(DType::kS32), boolean = CType::value(DType::kPred);
    const auto name = [&](const std::string& text) { return kernel_.name_expr(text); };
    const auto let = [&](Variable* variable, const Expr* value) {
      block->push_back({.kind = Statement::Kind::kLet, .variable = variable, .value = value});
    };
    const Expr* in_block = name("threadIdx.x");
    // Of the threads of a block, which row of its rows is a thread's, and which of the row's threads it is.
    const Expr* neighbours = name(across() ? "kLanes" : names_.count);
    const Expr* own_row = kernel_.infix(in_block, across() ? "%" : "/", neighbours, index);
    const Expr* own_thread = several() ? kernel_.infix(in_block, across() ? "/" : "%", neighbours, integer) : in_block;
    if (extents_.rows == 1) {
      if (thread_ == nullptr) return;
      let(thread_, own_thread);
      block->push_back({.kind = Statement::Kind::kBlank});
      return;
    }
    const Expr* place = writer_.wide(tile);
    if (several()) place = writer_.infix(writer_.infix(place, "*", name(names_.rows_a_block)), "+", own_row);
    Variable* row = kernel_.variable(names_.row, index);
    if (across() && !whole_blocks_) {
      block->push_back({.kind = Statement::Kind::kComment,
                        .text = "Threads beside the last column stay for the barriers, and have no rows."});
      const Expr* any = kernel_.reference(writer_.let("place", index, place, block));
      const Expr* is_inside = kernel_.infix(any, "<", name(names_.rows), boolean);
      const Expr* last = writer_.infix(name(names_.rows), "-", kernel_.integer(1));
      let(row, kernel_.conditional(is_inside, any, last));
      own_thread = kernel_.conditional(is_inside, own_thread, name(names_.columns));
    } else {
      let(row, place);
    }
    expressions_.coordinates[demand_.row] = kernel_.reference(row);
    if (const auto [parts, missing] = graph_.short_rows(); missing > 0) {
      const Expr* part = kernel_.reference(row);
      if (extents_.inner > 1) part = writer_.infix(part, "/", name("kInner"));
      if (parts * extents_.inner < extents_.rows) part = writer_.infix(part, "%", name("kParts"));
      const Expr* is_last = kernel_.infix(part, "==", writer_.infix(name("kParts"), "-", kernel_.integer(1)), boolean);
      Variable* columns = kernel_.variable(across() ? "rows" : "columns", CType::value(counter_type(extents_.columns)));
      let(columns, kernel_.conditional(is_last, name(across() ? "kLastRows" : "kLastColumns"), name(names_.columns)));
      rows_.count = kernel_.reference(columns);
    }
    if (thread_ != nullptr) let(thread_, own_thread);
    // The lanes of a row stay or leave together; shuffles do not wait for lanes that have left.
    if (several() && !across() && !whole_blocks_)
      block->push_back(writer_.leave(kernel_.reference(row), ">=", name(names_.rows)));
    block->push_back({.kind = Statement::Kind::kBlank});
  }

  RowDemand demand_;
  DemandGraph& graph_;
  const RowExtents extents_;
  const Tier tier_;
  const RowNames names_;
  const int64_t block_;    // threads
  const int64_t threads_;  // of a row
  const int64_t rows_a_block_;
  const bool whole_blocks_;
  int64_t slots_;  // for elements of a row that a thread has
  StageWriter writer_;
  Kernel& kernel_;
  Expressions expressions_;
  WriteOptions::Rows rows_;
  Variable* thread_ = nullptr;      // a thread's only column, or its lane
  std::set<IndexExpr> in_records_;  // that are read with their record
};

}  // namespace

std::optional<LoweredStage> lower_row(const StageInput& input, RowDemand demand, Diagnostics& diagnostics) {
  const std::optional<Tier> tier = row_tier(input.node);
  check(tier.has_value(), "lower", "a row stage without a tier");
  return RowWriter(input, std::move(demand), *tier).run(diagnostics);
}

}  // namespace sinter
