// Map kernels: a thread an element of the domain, or a few neighbouring elements; loops of thread scope inside.
#include <algorithm>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/demand/first_threads.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/lower/stages/base/lower_kernel.h"
#include "passes/lower/text/index_types.h"
#include "passes/lower/write/device_functions.h"
#include "passes/lower/write/split_lanes.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/lower/write/write_stacked.h"
#include "passes/schedule/cost/work.h"
#include "passes/schedule/moves/block_numbers.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/domain/steps_ahead.h"
#include "passes/stages/domain/vectorize.h"

namespace sinter {

namespace {

// The loop of that name in the tree; nullptr if it is not there.
const TreeNode* find_loop(const TreeNode& node, const std::string& name) {
  for (const auto& body : node.bodies) {
    for (const TreeNode& item : body) {
      if (item.kind != TreeNode::Kind::kLoop) continue;
      if (item.name == name) return &item;
      if (const TreeNode* inner = find_loop(item, name)) return inner;
    }
  }
  return nullptr;
}

// "row" and "column", or i, j, k, ... without the letters that parameters are called by.
std::vector<std::string> coordinate_names(size_t count, const Kernel& kernel) {
  if (count == 2) return {"row", "column"};
  std::vector<std::string> names;
  const auto is_parameter = [&](const std::string& name) {
    return std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                       [&](const Parameter& parameter) { return parameter.variable->name == name; });
  };
  for (int number = 0; names.size() < count; ++number) {
    // After i to z the letters come again with a number.
    constexpr int kLetters = 'z' - 'i' + 1;
    std::string name(1, static_cast<char>('i' + number % kLetters));
    if (number >= kLetters) name += "_" + std::to_string(number / kLetters);
    if (!is_parameter(name)) names.push_back(std::move(name));
  }
  return names;
}

// Shared memory for what threads of the block read of each other, an array a carry or another value, an element a
// thread, and for what one of them computes for all.
void add_shared(const DemandGraph& graph, int64_t block, Kernel* kernel, Expressions* expressions, Block* body) {
  // Members have names of their own until those of variables are final.
  const auto add = [&](SharedStruct::Member member, int64_t values) {
    kernel->shared.bytes += values * dtype_bytes(member.dtype);
    kernel->shared.members.push_back(std::move(member));
  };
  for (size_t loop = 0; loop < graph.loops.size(); ++loop) {
    for (size_t slot = 0; slot < graph.loops[loop].slots.size(); ++slot) {
      if (!graph.loops[loop].slots[slot].shared) continue;
      const std::string name = "loop " + std::to_string(loop) + " slot " + std::to_string(slot);
      const DType dtype = graph.nodes[graph.loops[loop].slots[slot].carried].dtype;
      expressions->shared_members[{static_cast<int>(loop), static_cast<int>(slot)}] = name;
      add({.name = name, .dtype = dtype, .dims = {"kThreads"}}, block);
    }
  }
  const std::vector<bool> needed = needed_nodes(graph);
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    const DemandNode& node = graph.nodes[id];
    const std::string name = "node " + std::to_string(id);
    if (needed[id] && node.kind == DemandNode::Kind::kExchanged) {
      expressions->exchange_members[static_cast<NodeId>(id)] = name;
      add({.name = name, .dtype = node.dtype, .dims = {"kThreads"}}, block);
    }
    if (needed[id] && node.kind == DemandNode::Kind::kOfBlock) {
      expressions->block_members[static_cast<NodeId>(id)] = name;
      const bool several =
          graph.nodes[node.operands[0]].kind == DemandNode::Kind::kCall && !node.instruction->shape.is_array();
      SharedStruct::Member member = {.name = name, .dtype = node.dtype, .dims = {}};
      if (several) member.type = *expressions->functions(*node.instruction).result.name;
      add(std::move(member), several ? std::ssize(node.instruction->shape.elements) : 1);
    }
  }
  if (!kernel->shared.members.empty()) expressions->shared = declare_shared(kernel, body);
}

// They go by the variables that they hold.
void name_shared(const DemandGraph& graph, const Expressions& expressions, Kernel* kernel) {
  for (const auto& [carry, name] : expressions.shared_members) {
    const NodeId carried = graph.loops[carry.first].slots[carry.second].carried;
    kernel->rename_shared(name, expressions.variables.at(carried)->name);
  }
  for (const auto* members : {&expressions.exchange_members, &expressions.block_members}) {
    for (const auto& [node, name] : *members) kernel->rename_shared(name, expressions.variables.at(node)->name);
  }
}

// Puts what one thread computes for its block, and the barrier, behind the vector loads, which are under way meanwhile.
// False if there are none.
bool compute_under_loads(const Block& first, Block* statements) {
  const auto is_load = [](const Statement& statement) {
    return statement.kind == Statement::Kind::kLet && statement.variable->type.kind == CType::Kind::kVector;
  };
  Block loads, others;
  std::vector<const Variable*> later;  // declared by the others
  for (const Statement& statement : *statements) {
    const auto reads = [&](const Variable* variable) { return mentions(statement.value, variable); };
    const bool is_index = statement.kind == Statement::Kind::kLet && statement.variable->origin == nullptr;
    if ((is_load(statement) || is_index) && std::none_of(later.begin(), later.end(), reads)) {
      loads.push_back(statement);
      continue;
    }
    if (statement.variable != nullptr) later.push_back(statement.variable);
    others.push_back(statement);
  }
  if (std::none_of(loads.begin(), loads.end(), is_load)) return false;
  loads.push_back({.kind = Statement::Kind::kBlank});
  loads.push_back({.kind = Statement::Kind::kNote, .text = "The loads are under way meanwhile."});
  loads.insert(loads.end(), first.begin(), first.end());
  loads.insert(loads.end(), others.begin(), others.end());
  *statements = std::move(loads);
  return true;
}

}  // namespace

LoweredKernel lower_map(const Module& module, const TreeNode& node, const KernelValues& values, MapDemand demand,
                        const std::vector<NodeId>& numbers, const BufferNames& names) {
  LoweredKernel lowered;
  Kernel& kernel = lowered.kernel;
  kernel.name = node.name;
  const int64_t lanes = demand.domain.width;
  DemandGraph& graph = *demand.graph;
  WriteOptions options;
  std::vector<std::optional<StepsAhead>> steps_ahead(graph.loops.size());  // of all loops, before any is rewritten
  for (size_t number = 0; number < graph.loops.size(); ++number) {
    const Instruction* loop = graph.loops[number].instruction;
    const TreeNode* item = find_loop(node, loop->name);
    if (item == nullptr) continue;
    options.unroll[loop] = item->unroll;
    if (item->ahead > 1) steps_ahead[number] = find_steps_ahead(demand, number);
  }
  for (size_t number = 0; number < graph.loops.size(); ++number) {
    if (steps_ahead[number]) compute_ahead(&graph, number, *steps_ahead[number]);
  }
  compute_for_block(&graph, numbers);
  kernel.work = map_work(demand, lanes);
  // Threads of a block that repeat its last element: those beyond.
  const int64_t block = node.block[0];
  const bool repeats = demand.block > 0 && demand.block < block;
  // Threads of the last block that repeat the last element of all: where its warps, or the block, work together.
  const auto computes_ahead = [](const DemandLoop& loop) { return loop.ahead.scope >= 0; };
  const bool ahead = std::any_of(graph.loops.begin(), graph.loops.end(), computes_ahead);
  const bool stacks = stacked_bytes(graph) > 0;
  const bool fills_up =
      demand.block == 0 && ((stacks && demand.threads % block != 0) || (ahead && demand.threads % kWarp != 0));
  std::vector<ElementwisePair> pairs;
  if (!repeats && !fills_up) pairs = elementwise_pairs(graph, /*rows=*/false);
  std::vector<int> coordinates = collapse_coordinates(&graph, demand.coordinates);
  // Before the split: the extents that `element` is taken apart by.
  std::vector<int64_t> extents;
  for (const int coordinate : coordinates) extents.push_back(graph.coordinates[coordinate].extent);
  if (lanes > 1) options.lanes = split_lanes(&graph, coordinates.back(), lanes, &coordinates.back());

  Expressions expressions;
  expressions.graph = &graph;
  expressions.kernel = &kernel;
  expressions.index_type = index_type_of(graph, fills_up ? ceil_div(demand.threads, block) * block : demand.threads);
  std::map<const Instruction*, Variable*> inputs, outputs;
  add_parameters(graph, values.outputs, names, &lowered, &inputs, &outputs);
  expressions.buffers = inputs;
  expressions.output_buffers = outputs;
  if (options.lanes) expressions.is_vector_offset = options.lanes->aligned;

  // Names for extents.
  const int64_t threads = demand.threads / lanes;
  kernel.launch.block = block;
  kernel.launch.grid[0] = ceil_div(threads, repeats ? demand.block : block);
  const auto fills = [](const DemandReduce& reduce) { return reduce.fills; };
  kernel.launch.alone =
      kernel.launch.grid[0] <= kMultiprocessors && std::any_of(graph.reduces.begin(), graph.reduces.end(), fills);
  const bool exact = repeats || fills_up || threads % block == 0;
  const bool single = demand.threads == 1;
  kernel.constants.push_back({"kElements", "int", std::to_string(demand.threads), ""});
  if (expressions.index_type == DType::kS64) kernel.constants.back().type = "int64_t";
  if (graph.loops.size() == 1 && graph.loops[0].counter >= 0) {
    const int counter = graph.loops[0].counter;
    const int64_t steps = graph.coordinates[counter].extent;
    kernel.constants.push_back({"kSteps", extent_type(steps), std::to_string(steps), ""});
    expressions.trip_names[counter] = "kSteps";
  }
  // Of several coordinates none runs over all elements: another extent that happens to be as large is not called so.
  if (demand.threads > 1 && extents.size() == 1) expressions.constants[demand.threads] = "kElements";
  kernel.constants.push_back({"kThreads", "int", std::to_string(block), ""});
  const bool of_grid = repeats && kernel.launch.grid[0] > 1;
  const char* in_block = of_grid ? "kPerBlock" : "kElements";
  if (of_grid) kernel.constants.push_back({in_block, "int", std::to_string(demand.block), "elements a block"});
  if (lanes > 1) kernel.constants.push_back({"kWidth", "int", std::to_string(lanes), "elements a thread"});
  if (single) kernel.constants.erase(kernel.constants.begin());
  if (ahead) kernel.constants.push_back({"kWarp", "int", std::to_string(kWarp), "steps that are computed ahead"});

  // Coordinates.
  const CType index = CType::value(expressions.index_type);
  Block body;
  Block coordinate_lets;  // row, column: kept if the text reads them
  bool by_block = false;  // the block is the one, the thread the other
  Variable* element = nullptr;
  if (!single) {
    const Expr* thread = kernel.name_expr("threadIdx.x");
    if (repeats) {
      const CType condition = CType::value(DType::kPred);
      Variable* owns = kernel.variable("owns_element", condition);
      body.push_back({.kind = Statement::Kind::kLet,
                      .variable = owns,
                      .value = kernel.infix(thread, "<", kernel.name_expr(in_block), condition)});
      expressions.owns_element = kernel.reference(owns);
      const Expr* last = kernel.infix(kernel.name_expr(in_block), "-", kernel.integer(1), index);
      thread = kernel.conditional(expressions.owns_element, kernel.cast(index, thread), last);
    }
    if (kernel.launch.grid[0] > 1) {
      const Expr* in_grid = kernel.name_expr("blockIdx.x");
      if (expressions.index_type == DType::kS64) in_grid = kernel.cast(index, in_grid);
      const char* each = repeats ? in_block : "kThreads";
      thread = kernel.infix(kernel.infix(in_grid, "*", kernel.name_expr(each), index), "+", thread, index);
    }
    if (fills_up) {
      const CType condition = CType::value(DType::kPred);
      if (kernel.launch.grid[0] > 1) {
        Variable* place = kernel.variable("place", index);
        body.push_back({.kind = Statement::Kind::kLet, .variable = place, .value = thread});
        thread = kernel.reference(place);
      }
      Variable* owns = kernel.variable("owns_element", condition);
      body.push_back({.kind = Statement::Kind::kLet,
                      .variable = owns,
                      .value = kernel.infix(thread, "<", kernel.name_expr("kElements"), condition)});
      expressions.owns_element = kernel.reference(owns);
      const Expr* last = kernel.infix(kernel.name_expr("kElements"), "-", kernel.integer(1), index);
      if (kernel.launch.grid[0] == 1) thread = kernel.cast(index, thread);
      thread = kernel.conditional(expressions.owns_element, thread, last);
    }
    if (lanes > 1) thread = kernel.infix(thread, "*", kernel.name_expr("kWidth"), index);
    element = kernel.variable("element", index);
    body.push_back({.kind = Statement::Kind::kLet, .variable = element, .value = thread});
    if (ahead) {
      Variable* lane = kernel.variable("lane", CType::value(DType::kS32));
      const Expr* in_warp =
          kernel.infix(kernel.name_expr("threadIdx.x"), "%", kernel.name_expr("kWarp"), CType::value(DType::kS32));
      body.push_back({.kind = Statement::Kind::kLet, .variable = lane, .value = in_warp});
      expressions.lane_of_warp = kernel.reference(lane);
    }
    if (!exact) {
      if (kernel.launch.grid[0] == 1 && lanes == 1)
        kernel.assertions.push_back({"kElements <= kThreads", "the one block has all elements"});
      Statement guard = {.kind = Statement::Kind::kIf};
      guard.value =
          kernel.infix(kernel.reference(element), ">=", kernel.name_expr("kElements"), CType::value(DType::kPred));
      guard.body.push_back({.kind = Statement::Kind::kReturn});
      body.push_back(std::move(guard));
    } else if (fills_up) {
      if (kernel.launch.grid[0] == 1)
        kernel.assertions.push_back({"kElements <= kThreads", "the one block has all elements"});
    } else if (kernel.launch.grid[0] == 1 && !repeats && lanes == 1) {
      kernel.assertions.push_back({"kElements == kThreads", "a thread of the one block has an element"});
    } else if (!repeats) {
      kernel.assertions.push_back({lanes > 1 ? "kElements % (kThreads * kWidth) == 0" : "kElements % kThreads == 0",
                                   "the grid covers the elements exactly"});
    }
    if (coordinates.size() == 1) {
      expressions.coordinates[coordinates[0]] = kernel.reference(element);
    } else {
      // element = (... * extent_k + coordinate_k) ...: row and column, or i, j, k.
      const Expr* rest = kernel.reference(element);
      std::vector<Statement> statements;
      by_block = demand.block > 0 && !repeats && exact && coordinates.size() == 2 && extents[1] == block &&
                 kernel.launch.grid[0] == extents[0];
      const std::vector<std::string> letters =
          by_block ? std::vector<std::string>{"block", "thread"} : coordinate_names(coordinates.size(), kernel);
      for (size_t c = coordinates.size(); c-- > 0;) {
        const int64_t extent = extents[c];
        int64_t below = 1;
        for (size_t d = c + 1; d < coordinates.size(); ++d) below *= extents[d];
        const Expr* value = below == 1 ? rest : kernel.infix(rest, "/", kernel.integer(below), index);
        if (c > 0) value = kernel.infix(value, "%", kernel.integer(extent), index);
        if (by_block) value = kernel.name_expr(c == 0 ? "blockIdx.x" : "threadIdx.x");
        Variable* variable = kernel.variable(letters[c], index);
        statements.push_back({.kind = Statement::Kind::kLet, .variable = variable, .value = value});
        expressions.coordinates[coordinates[c]] = kernel.reference(variable);
      }
      std::reverse(statements.begin(), statements.end());
      coordinate_lets = std::move(statements);
      Expressions::Flat flat;
      int64_t below = 1;
      for (size_t c = coordinates.size(); c-- > 0;) {
        flat.sum =
            flat.sum + IndexExpr::coordinate(coordinates[c], {0, graph.coordinates[coordinates[c]].extent - 1}) * below;
        below *= extents[c];
      }
      flat.last = coordinates.back();
      const int whole = graph.add_coordinate(demand.threads, CoordinateRole::kElement);
      flat.whole = graph.coordinate(whole);
      expressions.coordinates[whole] = kernel.reference(element);
      expressions.flat = flat;
    }
  }
  for (size_t scope = 0; scope < graph.scopes.size(); ++scope) {
    if (!is_of_first_threads(graph, scope)) continue;
    expressions.coordinates[graph.scopes[scope].coordinates[0]] = kernel.reference(element);
  }
  if (single && block > 1) {
    Statement others = {.kind = Statement::Kind::kIf};
    others.value = kernel.infix(kernel.name_expr("threadIdx.x"), ">", kernel.integer(0), CType::value(DType::kPred));
    others.body.push_back({.kind = Statement::Kind::kReturn});
    body.push_back(std::move(others));
  }
  const ScratchShapes scratch = declare_stacked(graph, &lowered, &expressions);
  add_counter_parameter(graph, &lowered, &expressions);

  Block shared, first;
  expressions.functions = DeviceFunctions::table(module, kernel);
  add_shared(graph, block, &kernel, &expressions, &shared);
  Block statements = write_block(module, graph, expressions, options, &first);
  // Where threads leave, all of them come to the barrier first.
  const bool leaves = std::any_of(body.begin(), body.end(), [](const Statement& statement) {
    return statement.kind == Statement::Kind::kIf && statement.body[0].kind == Statement::Kind::kReturn;
  });
  if (first.empty() || leaves || !compute_under_loads(first, &statements))
    shared.insert(shared.end(), first.begin(), first.end());
  name_shared(graph, expressions, &kernel);
  body.insert(body.begin(), shared.begin(), shared.end());
  if (by_block && !mentions(statements, element))
    std::erase_if(body, [&](const Statement& statement) { return statement.variable == element; });
  for (Statement& coordinate : coordinate_lets) {
    if (mentions(statements, coordinate.variable)) body.push_back(std::move(coordinate));
  }
  if (!body.empty()) body.push_back({.kind = Statement::Kind::kBlank});
  body.insert(body.end(), statements.begin(), statements.end());
  const bool covers = exact && !fills_up;
  const std::string blocks = covers ? "kElements / kThreads" : "(kElements + kThreads - 1) / kThreads";
  const Block at_end = reduce_blocks(graph, kernel.launch.grid[0] == 1 ? "1" : blocks, &expressions);
  body.insert(body.end(), at_end.begin(), at_end.end());
  kernel.body = std::move(body);
  find_shared(pairs, &lowered);
  kernel.launch.grid_spelling[0] =
      single || kernel.launch.grid[0] == 1 ? "1"
      : repeats                            ? "kElements / kPerBlock"
      : lanes > 1 ? (exact ? "kElements / (kThreads * kWidth)" : "(kElements / kWidth + kThreads - 1) / kThreads")
                  : blocks;
  std::string idle;
  if (repeats) idle = "; " + std::to_string(block - demand.block) + " threads of a block repeat its last element";
  if (fills_up) {
    const int64_t beyond = kernel.launch.grid[0] * block - threads;
    idle = "; " + std::to_string(beyond) + (beyond == 1 ? " thread" : " threads") +
           (kernel.launch.grid[0] > 1 ? " of the last one" : "") + (beyond == 1 ? " repeats" : " repeat") +
           " the last element";
  }
  const std::string launch = launch_text(kernel.launch.grid[0], block) + idle + ".";
  kernel.description = describe_kernel(module, kernel, values, graph, demand.threads, launch, scratch);
  return lowered;
}

}  // namespace sinter
