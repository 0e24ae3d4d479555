// Row kernels: a row a warp, or a row a block; its elements in registers where they fit, with an exchange between the
// row's threads after each pass that reduces.
#include "ir/diagnostics.h"
#include "passes/lower/lower_kernel.h"
#include "passes/lower/split_phases.h"
#include "passes/lower/write_kernel.h"
#include "passes/schedule/value_names.h"

namespace sinter {

namespace {

// More elements a thread than this are not held in registers: passes read memory again.
constexpr int64_t kMaxSlots = 32;

std::string schedule_of(const TreeNode& kernel) {
  for (const TreeNode& item : kernel.body()) {
    if (item.kind == TreeNode::Kind::kStage) return item.schedule;
  }
  return "";
}

}  // namespace

LoweredKernel lower_row(const Module& module, const TreeNode& node, const KernelValues& values,
                        const RowExtents& extents, const BufferNames& names) {
  std::optional<DemandGraph::Failure> failure;
  std::optional<RowDemand> demand = demand_row(values, extents.rows, extents.columns, &failure);
  check(demand.has_value(), "lower", node.name + ": the plan's kernel has no row form");
  DemandGraph& graph = *demand->graph;
  const bool warp = schedule_of(node) == "row(warp)";
  const int64_t block = node.block[0];
  const int64_t threads = warp ? 32 : block;
  const int64_t slots = (extents.columns + threads - 1) / threads;
  const DType index_type = index_type_of(graph);
  const ElementwisePairs pairs = elementwise_pairs(graph);
  split_phases(&*demand, slots <= kMaxSlots ? slots : int64_t{1} << 20);

  LoweredKernel lowered;
  Kernel& kernel = lowered.kernel;
  kernel.name = node.name;
  kernel.uses_barriers = true;
  Expressions expressions;
  expressions.graph = &graph;
  expressions.kernel = &kernel;
  expressions.index_type = index_type;
  std::map<const Instruction*, Variable*> inputs, outputs;
  add_parameters(graph, values.outputs, names, &lowered, &inputs, &outputs);
  expressions.buffers = inputs;
  expressions.output_buffers = outputs;
  add_counter_parameter(graph, &lowered, &expressions);
  expressions.constants[extents.columns] = "kColumns";

  WriteOptions options;
  WriteOptions::Rows rows;
  rows.thread = warp ? "lane" : "threadIdx.x";
  rows.threads_name = warp ? "kWarp" : "kThreads";
  rows.threads = threads;
  rows.registers = !graph.kept.empty();
  rows.exact = extents.columns % threads == 0;
  rows.reduce = warp ? "warp_reduce" : "block_reduce<kThreads>";
  rows.reduce_header = warp ? "device/warp_reduce.cuh" : "device/block_reduce.cuh";
  options.rows = rows;

  const std::string rows_text = std::to_string(extents.rows);
  kernel.constants.push_back({"kRows", "int", rows_text, ""});
  kernel.constants.push_back({"kColumns", "int", std::to_string(extents.columns), ""});
  kernel.constants.push_back({"kThreads", "int", std::to_string(block), ""});
  if (warp) {
    kernel.constants.push_back({"kWarp", "int", "32", "lanes, one row a warp"});
    kernel.constants.push_back({"kRowsPerBlock", "int", "kThreads / kWarp", ""});
  }
  if (rows.registers) {
    const std::string width = rows.threads_name;
    kernel.constants.push_back(
        {"kPerThread", "int", "(kColumns + " + width + " - 1) / " + width, std::to_string(slots)});
  }

  for (const KeptValue& kept : graph.kept) {
    CType type = CType::value(kept.dtype);
    type.kind = CType::Kind::kArray;
    type.length = slots;
    type.name = "kPerThread";
    std::string name = value_name(*kept.instruction);
    const auto pointer = expressions.buffers.find(kept.instruction);
    if (pointer != expressions.buffers.end()) name = pointer->second->name;
    expressions.arrays.push_back(kernel.variable(name + "_values", type, kept.instruction));
  }
  for (const ColumnPhase& phase : graph.phases) {
    for (const auto& [slot, kept_node] : phase.keeps) expressions.kept[kept_node] = static_cast<size_t>(slot);
  }
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    if (graph.nodes[id].kind == DemandNode::Kind::kKept)
      expressions.kept[static_cast<NodeId>(id)] = static_cast<size_t>(graph.nodes[id].slot);
  }

  const CType index = CType::value(index_type);
  Block body;
  const Expr* first = kernel.name_expr("blockIdx.x");
  if (index_type == DType::kS64) first = kernel.cast(index, first);
  kernel.launch.block = block;
  if (extents.rows > 1) {
    const Expr* place = first;
    if (warp) {
      place = kernel.infix(kernel.infix(first, "*", kernel.name_expr("kRowsPerBlock"), index), "+",
                           kernel.infix(kernel.name_expr("threadIdx.x"), "/", kernel.name_expr("kWarp"), index), index);
    }
    Variable* row = kernel.variable("row", index);
    body.push_back({.kind = Statement::Kind::kLet, .variable = row, .value = place});
    expressions.coordinates[demand->row] = kernel.reference(row);
    if (warp) {
      const int64_t rows_a_block = block / 32;
      kernel.launch.grid[0] = (extents.rows + rows_a_block - 1) / rows_a_block;
      Variable* lane = kernel.variable("lane", CType::value(DType::kS32));
      body.push_back({.kind = Statement::Kind::kLet,
                      .variable = lane,
                      .value = kernel.infix(kernel.name_expr("threadIdx.x"), "%", kernel.name_expr("kWarp"),
                                            CType::value(DType::kS32))});
      if (extents.rows % rows_a_block != 0) {
        // Whole warps leave: the lanes of a row stay together.
        Statement guard = {.kind = Statement::Kind::kIf};
        guard.value = kernel.infix(kernel.reference(row), ">=", kernel.name_expr("kRows"), CType::value(DType::kPred));
        guard.body.push_back({.kind = Statement::Kind::kReturn});
        body.push_back(std::move(guard));
        kernel.launch.grid_spelling[0] = "(kRows + kRowsPerBlock - 1) / kRowsPerBlock";
      } else {
        kernel.launch.grid_spelling[0] = "kRows / kRowsPerBlock";
        kernel.assertions.push_back({"kRows % kRowsPerBlock == 0", "the grid covers the rows exactly"});
      }
    } else {
      kernel.launch.grid[0] = extents.rows;
      kernel.launch.grid_spelling[0] = "kRows";
    }
    body.push_back({.kind = Statement::Kind::kBlank});
  } else {
    kernel.launch.grid_spelling[0] = "kRows";
  }
  // Results a row: the first thread of the row stores them.
  expressions.coordinates[demand->column] = kernel.name_expr(rows.thread);

  Block statements = write_block(module, graph, expressions, options);
  body.insert(body.end(), statements.begin(), statements.end());
  kernel.body = std::move(body);
  find_shared(pairs, &lowered);
  const std::string launch =
      warp ? "A row a warp, " + std::to_string(block / 32) + " rows a block of " + std::to_string(block) + " threads."
           : "One block of " + std::to_string(block) + " threads" + (extents.rows > 1 ? " a row" : "") +
                 (rows.registers ? "; the row stays in registers." : ".");
  kernel.description = describe_kernel(module, kernel, values, graph, extents.rows, launch);
  return lowered;
}

}  // namespace sinter
