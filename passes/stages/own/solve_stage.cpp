#include "passes/stages/own/solve_stage.h"

#include <algorithm>

#include "passes/analysis/values/hardware.h"
#include "passes/analysis/values/latencies.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/own/own_stages.h"
#include "passes/stages/own/solve_form.h"

namespace sinter {

namespace {

using Kind = SolverCall::Kind;

constexpr int64_t kThreadExtent = 8;
constexpr int64_t kWarpExtent = 32;
constexpr int64_t kTeamThreads = 128;  // of a block whose threads or warps have a matrix each
constexpr int64_t kBlockThreads = 256;

}  // namespace

void describe_solve(SolveDemand* to) {
  SolveDemand& demand = *to;
  const Instruction& instruction = *demand.instruction;
  const SolverCall& call = demand.call;
  const Shape& first = instruction.operand(0)->shape;
  const DType dtype = first.dtype;
  const auto extent = [&](const char* name, int64_t value) {
    demand.extents.push_back({name, value});
    return demand.extents.back();
  };
  if (call.kind == Kind::kPivotsToPermutation) {
    const SolveExtent steps = extent("kSteps", first.dims.back());
    const SolveExtent size = extent("kSize", instruction.shape.dims.back());
    demand.arrays = {{.name = "pivots", .dtype = DType::kS32, .rows = steps, .operand = 0},
                     {.name = "permutation", .dtype = DType::kS32, .rows = size, .result = 0}};
    return;
  }
  const MatrixExtents matrix = matrix_extents(call, first);
  if (call.kind == Kind::kCholesky) {
    const SolveExtent size = extent("kSize", matrix.rows);
    demand.arrays = {{.name = "matrix",
                      .dtype = dtype,
                      .rows = size,
                      .columns = size,
                      .operand = 0,
                      .result = 0,
                      .transposed = !call.lower,
                      .conjugated = !call.lower,
                      .lower_only = true}};
    demand.info = call.is_opcode ? -1 : 1;
    return;
  }
  if (call.kind == Kind::kTriangularSolve) {
    // x op(a) = b is op(a)^T x^T = b^T.
    const MatrixExtents right = matrix_extents(call, instruction.operand(1)->shape);
    const SolveExtent size = extent("kSize", matrix.rows);
    const SolveExtent columns = extent("kRightSides", call.left ? right.columns : right.rows);
    demand.arrays = {{.name = "matrix",
                      .dtype = dtype,
                      .rows = size,
                      .columns = size,
                      .operand = 0,
                      .transposed = call.transposed == call.left,
                      .conjugated = call.conjugated},
                     {.name = "solution",
                      .dtype = dtype,
                      .rows = size,
                      .columns = columns,
                      .operand = 1,
                      .result = 0,
                      .transposed = !call.left,
                      .in_tiles = true}};
    return;
  }
  const SolveExtent rows = extent("kRows", matrix.rows);
  const SolveExtent columns = extent("kColumns", matrix.columns);
  SolveArray a = {.name = "matrix", .dtype = dtype, .rows = rows, .columns = columns, .operand = 0, .result = 0};
  SolveArray steps = {.name = call.kind == Kind::kLu ? "pivots" : "scales",
                      .dtype = call.kind == Kind::kLu ? DType::kS32 : dtype};
  if (call.kind == Kind::kHouseholder) {
    steps.operand = 1;
    steps.rows = extent("kSteps", instruction.operand(1)->shape.dims.back());
  } else {
    steps.result = 1;
    steps.rows = extent("kSteps", std::min(matrix.rows, matrix.columns));
  }
  demand.arrays = {a, steps};
  if (call.kind == Kind::kLu) demand.info = 2;
}

namespace {

SolveForm choose_form(const SolveDemand& demand) {
  SolveForm form;
  int64_t extent = 1, bytes = 0, right_sides = 0;
  for (const SolveArray& array : demand.arrays) {
    extent = std::max(extent, array.rows.value);
    if (array.in_tiles) {
      right_sides = array.columns.value;
      bytes += array.rows.value * std::min(right_sides, kSolveTile) * dtype_bytes(array.dtype);
      continue;
    }
    extent = std::max(extent, array.is_vector() ? 1 : array.columns.value);
    bytes += array.rows.value * (array.is_vector() ? 1 : solve_pitch(array.columns.value)) * dtype_bytes(array.dtype);
  }
  if (extent <= kThreadExtent) {
    form.teams = form.threads = kTeamThreads;
  } else if (extent <= kWarpExtent && bytes * (kTeamThreads / kWarp) <= kSharedBytesUnasked) {
    form.kind = SolveForm::Kind::kWarp;
    form.threads = kTeamThreads;
    form.teams = kTeamThreads / kWarp;
  } else {
    form.kind = SolveForm::Kind::kBlock;
    form.threads = kBlockThreads;
  }
  if (right_sides > 0) {
    form.tile = std::min(right_sides, form.kind == SolveForm::Kind::kThread ? kThreadExtent : kSolveTile);
    form.tiles = ceil_div(right_sides, form.tile);
  }
  return form;
}

// Adds coordinates to the graph and demands an element at them.
NodeId demand_element(DemandGraph& graph, const Instruction* value, const SolveArray& array, int64_t batch,
                      SolveOperand* place) {
  const Shape& shape = value->shape;
  const int64_t kept = array.is_vector() ? 1 : 2;
  place->batch = graph.add_coordinate(batch, CoordinateRole::kBatch);
  std::vector<IndexExpr> index =
      delinearize(graph.coordinate(place->batch), std::vector<int64_t>(shape.dims.begin(), shape.dims.end() - kept));
  place->row = graph.add_coordinate(shape.dims[shape.dims.size() - static_cast<size_t>(kept)], CoordinateRole::kRow);
  index.push_back(graph.coordinate(place->row));
  if (!array.is_vector()) {
    place->column = graph.add_coordinate(shape.dims.back(), CoordinateRole::kColumn);
    index.push_back(graph.coordinate(place->column));
  }
  return graph.demand(value, index);
}

}  // namespace

std::optional<SolveDemand> demand_solve(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const auto fail = [&](const Instruction* instruction, ReasonCode reason) {
    *failure = DemandGraph::Failure{instruction, reason};
    return std::nullopt;
  };
  SolveDemand demand;
  demand.instruction = only_taken(kernel, takes_solve);
  if (demand.instruction == nullptr) return fail(kernel.outputs[0], "unsupported-op");
  for (const Instruction* output : kernel.outputs) {
    if (!result_number(*demand.instruction, *output)) return fail(output, "own-stage");
  }
  demand.call = *solver_call(*demand.instruction);
  demand.batch = batch_count(demand.call, *demand.instruction);
  describe_solve(&demand);
  demand.form = choose_form(demand);

  demand.graph = std::make_unique<DemandGraph>(kernel.context);
  demand.operands.resize(demand.instruction->operands().size());
  for (const SolveArray& array : demand.arrays) {
    if (array.operand < 0) continue;
    const Instruction* value = demand.instruction->operand(static_cast<size_t>(array.operand));
    SolveOperand& operand = demand.operands[static_cast<size_t>(array.operand)];
    SolveOperand of_all;
    demand.graph->results.push_back(demand_element(*demand.graph, value, array, demand.batch, &of_all));
    operand.graph = std::make_unique<DemandGraph>(kernel.context);
    operand.graph->results.push_back(demand_element(*operand.graph, value, array, demand.batch, &operand));
    if (!finish_operands(*operand.graph, failure)) return std::nullopt;
  }
  if (!finish_operands(*demand.graph, failure)) return std::nullopt;
  return demand;
}

bool takes_solve(const Instruction& instruction) {
  const std::optional<SolverCall> call = solver_call(instruction);
  return call && fits_block(*call, instruction);
}

std::optional<OwnStageShape> solve_shape(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const std::optional<SolveDemand> demand = demand_solve(kernel, failure);
  if (!demand) return std::nullopt;
  OwnStageShape shape;
  shape.grid[0] = ceil_div(demand->batch * demand->form.tiles, demand->form.teams);
  shape.block[0] = demand->form.threads;
  shape.nodes = static_cast<int64_t>(demand->graph->nodes.size());
  // Factorisations and systems: about a third of the cube of the extent.
  const Shape& matrix = demand->instruction->operand(0)->shape;
  const auto elements = static_cast<double>(matrix.element_count());
  const double columns = matrix.dims.empty() ? 1 : static_cast<double>(matrix.dims.back());
  Work& work = shape.work;
  work.flops = elements * columns / 3 * 2;
  (matrix.dtype == DType::kF64 ? work.f64 : work.f32) = work.flops / 2;
  work.memory = work.flops;
  work.chain = columns * (2 * kBarrierCycles + 2 * kSharedCycles + 40);
  return shape;
}

}  // namespace sinter
