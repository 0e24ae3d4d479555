// Row kernels: a row a few lanes of a warp, a warp, a block, or a lane of each of a block's warps; its elements in
// registers where they fit, with an exchange between the row's threads after each pass that reduces.
#include "ir/support/diagnostics.h"
#include "passes/lower/stages/base/lower_kernel.h"
#include "passes/lower/text/index_types.h"
#include "passes/lower/write/row_vectors.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/names/value_names.h"
#include "passes/schedule/cost/work.h"
#include "passes/stages/domain/launch_shape.h"
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

}  // namespace

LoweredKernel lower_row(const Module& module, const TreeNode& node, const KernelValues& values, RowDemand demand,
                        const BufferNames& names) {
  DemandGraph& graph = *demand.graph;
  const RowExtents extents = demand.extents;
  const std::optional<Tier> of_tree = row_tier(node);
  check(of_tree.has_value(), "lower", "a row stage without a tier");
  const Tier tier = *of_tree;
  const bool several = tier != Tier::kBlock;  // rows a block
  const bool across = tier == Tier::kAcross;
  const int64_t block = node.block[0];
  const int64_t threads = threads_a_row(tier, extents.columns, block);
  const int64_t rows_a_block = block / threads;
  const bool whole_blocks = extents.rows % rows_a_block == 0;
  const int64_t slots = ceil_div(extents.columns, threads);
  const DType index_type = index_type_of(graph);
  // Threads of one warp meet at no barrier.
  const std::vector<ElementwisePair> pairs = elementwise_pairs(graph, /*rows=*/block > kWarp);
  split_phases(&demand, threads);

  LoweredKernel lowered;
  Kernel& kernel = lowered.kernel;
  kernel.name = node.name;
  kernel.work = row_work(demand, threads);
  Expressions expressions;
  expressions.graph = &graph;
  expressions.kernel = &kernel;
  expressions.index_type = index_type;
  std::map<const Instruction*, Variable*> inputs, outputs;
  add_parameters(graph, values.outputs, names, &lowered, &inputs, &outputs);
  expressions.buffers = inputs;
  expressions.output_buffers = outputs;
  add_counter_parameter(graph, &lowered, &expressions);
  // Read before the row is reduced, they may be overwritten after it.
  for (const ElementwisePair& pair : pairs) {
    if (!pair.of_row) continue;
    for (size_t id = 0; id < graph.nodes.size(); ++id) {
      const DemandNode& load = graph.nodes[id];
      if (load.kind == DemandNode::Kind::kLoad && load.instruction == pair.in) expressions.read_early.insert(id);
    }
  }
  const RowNames spelled = row_names(tier);
  expressions.constants[extents.columns] = spelled.columns;
  if (across && extents.inner == extents.rows) expressions.constants[extents.rows] = spelled.rows;

  WriteOptions options;
  WriteOptions::Rows rows;
  const CType integer = CType::value(DType::kS32);
  Variable* thread = nullptr;  // a thread's only column, or its lane
  if (slots == 1) {
    thread = rows.column = kernel.variable(spelled.column, integer);
  } else if (several) {
    thread = kernel.variable(spelled.thread, CType::value(counter_type(extents.columns)));
  }
  rows.thread = thread != nullptr ? kernel.reference(thread) : kernel.name_expr("threadIdx.x");
  rows.name = spelled.column;
  rows.count = spelled.columns;
  rows.threads_name = spelled.count;
  rows.threads = threads;
  rows.registers = !graph.kept.empty();
  rows.exact = extents.columns % threads == 0 && (!across || whole_blocks);
  if (rows.exact && rows.registers && slots > 1 && !across) rows.width = row_vector_width(graph, slots);
  if (rows.width > 1) {
    expressions.is_vector_offset = [&graph, width = rows.width](const IndexExpr& offset) {
      return is_row_vector(graph, offset, width);
    };
  }
  rows.reduce = spelled.reduce;
  rows.reduce_header = spelled.header;
  options.rows = rows;

  const auto add_extent = [&](const std::string& name, int64_t extent) {
    kernel.constants.push_back({name, extent_type(extent), std::to_string(extent), ""});
  };
  add_extent("kRows", across ? extents.columns : extents.rows);
  add_extent("kColumns", across ? extents.rows : extents.columns);
  add_extent("kThreads", block);
  if (across) {
    kernel.constants.push_back({"kLanes", "int", std::to_string(rows_a_block), "of a warp, a column each"});
    kernel.constants.push_back({"kWarps", "int", "kThreads / kLanes", spelled.note});
  } else if (several) {
    kernel.constants.push_back({spelled.count, "int", std::to_string(threads), spelled.note});
    kernel.constants.push_back({"kRowsPerBlock", "int", "kThreads / " + spelled.count, ""});
  }
  if (rows.registers && slots > 1) {
    const std::string& width = spelled.count;
    kernel.constants.push_back(
        {"kPerThread", "int", "(" + spelled.columns + " + " + width + " - 1) / " + width, std::to_string(slots)});
    if (rows.width > 1) {
      kernel.constants.push_back({"kWidth", "int", std::to_string(rows.width), "neighbours, in one access"});
      kernel.assertions.push_back({"kColumns % (" + width + " * kWidth) == 0", "the threads cover a row exactly"});
    }
  }

  for (const KeptValue& kept : graph.kept) {
    CType type = CType::value(kept.dtype);
    if (slots > 1) {
      type.kind = CType::Kind::kArray;
      type.length = slots;
      type.extent = "kPerThread";
    }
    std::string name = value_name(*kept.instruction);
    const auto pointer = expressions.buffers.find(kept.instruction);
    if (pointer != expressions.buffers.end()) name = pointer->second->name;
    name += slots > 1 ? "_values" : "_value";
    expressions.arrays.push_back(kernel.variable(name, type, kept.instruction));
  }
  for (const ColumnPhase& phase : graph.phases) {
    for (const auto& [slot, kept_node] : phase.keeps) expressions.kept[kept_node] = static_cast<size_t>(slot);
  }
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    if (graph.nodes[id].kind == DemandNode::Kind::kKept)
      expressions.kept[static_cast<NodeId>(id)] = static_cast<size_t>(graph.nodes[id].slot);
  }

  const CType index = CType::value(index_type);
  const CType boolean = CType::value(DType::kPred);
  const auto name = [&](const std::string& text) { return kernel.name_expr(text); };
  const Expr* in_block = name("threadIdx.x");
  // Of the threads of a block, which row of its rows is a thread's, and which of the row's threads it is.
  const Expr* neighbours = name(across ? "kLanes" : spelled.count);
  const Expr* own_row = kernel.infix(in_block, across ? "%" : "/", neighbours, index);
  const Expr* own_thread = several ? kernel.infix(in_block, across ? "/" : "%", neighbours, integer) : in_block;
  Block body;
  const auto let = [&](Variable* variable, const Expr* value) {
    body.push_back({.kind = Statement::Kind::kLet, .variable = variable, .value = value});
  };
  const Expr* first = name("blockIdx.x");
  if (index_type == DType::kS64) first = kernel.cast(index, first);
  kernel.launch.block = block;
  kernel.launch.grid[0] = ceil_div(extents.rows, rows_a_block);
  kernel.launch.grid_spelling[0] = spelled.rows;
  if (several && extents.rows > 1) {
    kernel.launch.grid_spelling[0] =
        whole_blocks ? spelled.rows + " / " + spelled.rows_a_block
                     : "(" + spelled.rows + " + " + spelled.rows_a_block + " - 1) / " + spelled.rows_a_block;
    if (whole_blocks) {
      kernel.assertions.push_back(
          {spelled.rows + " % " + spelled.rows_a_block + " == 0", "the grid covers the " + spelled.row + "s exactly"});
    }
  }
  if (extents.rows > 1) {
    const Expr* place = first;
    if (several) place = kernel.infix(kernel.infix(first, "*", name(spelled.rows_a_block), index), "+", own_row, index);
    Variable* row = kernel.variable(spelled.row, index);
    if (across && !whole_blocks) {
      body.push_back({.kind = Statement::Kind::kComment,
                      .text = "Threads beside the last column stay for the barriers, and have no rows."});
      Variable* place_variable = kernel.variable("place", index);
      let(place_variable, place);
      const Expr* is_inside = kernel.infix(kernel.reference(place_variable), "<", name(spelled.rows), boolean);
      const Expr* last = kernel.infix(name(spelled.rows), "-", kernel.integer(1), index);
      let(row, kernel.conditional(is_inside, kernel.reference(place_variable), last));
      own_thread = kernel.conditional(is_inside, own_thread, name(spelled.columns));
    } else {
      let(row, place);
    }
    expressions.coordinates[demand.row] = kernel.reference(row);
    if (thread != nullptr) let(thread, own_thread);
    if (several && !across && !whole_blocks) {
      // The lanes of a row stay or leave together; shuffles do not wait for lanes that have left.
      Statement guard = {.kind = Statement::Kind::kIf};
      guard.value = kernel.infix(kernel.reference(row), ">=", name(spelled.rows), boolean);
      guard.body.push_back({.kind = Statement::Kind::kReturn});
      body.push_back(std::move(guard));
    }
    body.push_back({.kind = Statement::Kind::kBlank});
  } else if (thread != nullptr) {
    let(thread, own_thread);
    body.push_back({.kind = Statement::Kind::kBlank});
  }
  // Results a row: the first thread of the row stores them.
  expressions.coordinates[demand.column] = rows.thread;

  Block statements = write_block(module, graph, expressions, options);
  body.insert(body.end(), statements.begin(), statements.end());
  kernel.body = std::move(body);
  if (rows.column != nullptr && !across && !mentions(kernel.body, "kColumns")) {
    std::erase_if(kernel.constants, [](const NamedConstant& constant) { return constant.name == "kColumns"; });
  }
  find_shared(pairs, &lowered);
  const std::string rows_text = rows_a_block == 1 ? "one row" : std::to_string(rows_a_block) + " rows";
  const std::string a_block = " a block of " + std::to_string(block) + " threads";
  std::string launch = "One block of " + std::to_string(block) + " threads" + (extents.rows > 1 ? " a row" : "") +
                       (rows.registers ? "; the row stays in registers." : ".");
  if (tier == Tier::kWarp) launch = "A row a warp, " + rows_text + a_block + ".";
  if (tier == Tier::kLanes) launch = std::to_string(threads) + " lanes of a warp a row, " + rows_text + a_block + ".";
  if (across) {
    launch = std::to_string(rows_a_block) + " columns" + a_block + ", a lane of each warp a column" +
             (rows.registers ? "; the column stays in registers." : ".");
  }
  kernel.description = describe_kernel(module, kernel, values, graph, extents.rows, launch);
  return lowered;
}

}  // namespace sinter
