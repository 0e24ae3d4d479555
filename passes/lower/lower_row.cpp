// Row kernels: a row a few lanes of a warp, a warp, or a block; its elements in registers where they fit, with an
// exchange between the row's threads after each pass that reduces.
#include "ir/diagnostics.h"
#include "passes/lower/lower_kernel.h"
#include "passes/lower/split_phases.h"
#include "passes/lower/write_kernel.h"
#include "passes/schedule/launch_shape.h"
#include "passes/schedule/value_names.h"

namespace sinter {

namespace {

// More elements a thread than this are not held in registers: passes read memory again.
constexpr int64_t kMaxSlots = 32;

// How the threads that share a row are spelled.
struct RowThreads {
  std::string count, note;  // "kWarp", and what is said of that constant
  std::string reduce, header;
};

RowThreads row_threads(const std::string& tier) {
  if (tier == "block") return {"kThreads", "", "block_reduce<kThreads>", "device/block_reduce.cuh"};
  if (tier == "warp") return {"kWarp", "lanes, one row a warp", "warp_reduce", "device/warp_reduce.cuh"};
  return {"kLanes", "of a warp, for each row", "warp_reduce<kLanes>", "device/warp_reduce.cuh"};
}

}  // namespace

LoweredKernel lower_row(const Module& module, const TreeNode& node, const KernelValues& values, RowDemand demand,
                        const RowExtents& extents, const BufferNames& names) {
  DemandGraph& graph = *demand.graph;
  const std::string tier = row_tier(node);
  const bool several = tier != "block";  // rows a block
  const int64_t block = node.block[0];
  const int64_t threads = threads_a_row(tier, extents.columns, block);
  const int64_t rows_a_block = block / threads;
  const int64_t slots = ceil_div(extents.columns, threads);
  const DType index_type = index_type_of(graph);
  const ElementwisePairs pairs = elementwise_pairs(graph);
  split_phases(&demand, slots <= kMaxSlots ? slots : int64_t{1} << 20);

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
  const RowThreads spelled = row_threads(tier);
  const CType integer = CType::value(DType::kS32);
  Variable* thread = nullptr;  // a thread's only column, or its lane
  if (slots == 1) {
    thread = rows.column = kernel.variable("column", integer);
  } else if (several) {
    thread = kernel.variable("lane", integer);
  }
  rows.thread = thread != nullptr ? kernel.reference(thread) : kernel.name_expr("threadIdx.x");
  rows.threads_name = spelled.count;
  rows.threads = threads;
  rows.registers = !graph.kept.empty();
  rows.exact = extents.columns % threads == 0;
  rows.reduce = spelled.reduce;
  rows.reduce_header = spelled.header;
  options.rows = rows;

  const std::string rows_text = std::to_string(extents.rows);
  kernel.constants.push_back({"kRows", "int", rows_text, ""});
  kernel.constants.push_back({"kColumns", "int", std::to_string(extents.columns), ""});
  kernel.constants.push_back({"kThreads", "int", std::to_string(block), ""});
  if (several) {
    kernel.constants.push_back({spelled.count, "int", std::to_string(threads), spelled.note});
    kernel.constants.push_back({"kRowsPerBlock", "int", "kThreads / " + spelled.count, ""});
  }
  if (rows.registers && slots > 1) {
    const std::string& width = spelled.count;
    kernel.constants.push_back(
        {"kPerThread", "int", "(kColumns + " + width + " - 1) / " + width, std::to_string(slots)});
  }

  for (const KeptValue& kept : graph.kept) {
    CType type = CType::value(kept.dtype);
    if (slots > 1) {
      type.kind = CType::Kind::kArray;
      type.length = slots;
      type.name = "kPerThread";
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
  Statement own_thread = {.kind = Statement::Kind::kLet, .variable = thread, .value = kernel.name_expr("threadIdx.x")};
  if (several) {
    own_thread.value = kernel.infix(own_thread.value, "%", kernel.name_expr(spelled.count), integer);
  }
  Block body;
  const Expr* first = kernel.name_expr("blockIdx.x");
  if (index_type == DType::kS64) first = kernel.cast(index, first);
  kernel.launch.block = block;
  if (extents.rows > 1) {
    const Expr* place = first;
    if (several) {
      place = kernel.infix(kernel.infix(first, "*", kernel.name_expr("kRowsPerBlock"), index), "+",
                           kernel.infix(kernel.name_expr("threadIdx.x"), "/", kernel.name_expr(spelled.count), index),
                           index);
    }
    Variable* row = kernel.variable("row", index);
    body.push_back({.kind = Statement::Kind::kLet, .variable = row, .value = place});
    expressions.coordinates[demand.row] = kernel.reference(row);
    if (thread != nullptr) body.push_back(own_thread);
    if (several) {
      kernel.launch.grid[0] = ceil_div(extents.rows, rows_a_block);
      if (extents.rows % rows_a_block != 0) {
        // The lanes of a row stay or leave together; shuffles do not wait for lanes that have left.
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
    if (thread != nullptr) {
      body.push_back(own_thread);
      body.push_back({.kind = Statement::Kind::kBlank});
    }
  }
  // Results a row: the first thread of the row stores them.
  expressions.coordinates[demand.column] = rows.thread;

  Block statements = write_block(module, graph, expressions, options);
  body.insert(body.end(), statements.begin(), statements.end());
  kernel.body = std::move(body);
  if (rows.column != nullptr && !mentions(kernel.body, "kColumns")) {
    std::erase_if(kernel.constants, [](const NamedConstant& constant) { return constant.name == "kColumns"; });
  }
  find_shared(pairs, &lowered);
  const std::string lanes = tier == "warp" ? "A row a warp, " : std::to_string(threads) + " lanes of a warp a row, ";
  const std::string launch =
      several ? lanes + (rows_a_block == 1 ? "one row" : std::to_string(rows_a_block) + " rows") + " a block of " +
                    std::to_string(block) + " threads."
              : "One block of " + std::to_string(block) + " threads" + (extents.rows > 1 ? " a row" : "") +
                    (rows.registers ? "; the row stays in registers." : ".");
  kernel.description = describe_kernel(module, kernel, values, graph, extents.rows, launch);
  return lowered;
}

}  // namespace sinter
