#include "passes/stages/matrices/thread_work.h"

#include <algorithm>
#include <cmath>

#include "ir/ops/op_table.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/analysis/values/contraction.h"
#include "passes/analysis/values/hardware.h"
#include "passes/analysis/values/latencies.h"
#include "passes/demand/views/needed_nodes.h"

namespace sinter {
namespace {

using Kind = DemandNode::Kind;

// Registers of a thread beside its arrays: indices, addresses, sums under way.
constexpr int kOtherRegisters = 32;
// Of a division or a root, and how many instructions one is.
constexpr double kDivisionCycles = 40, kDivision = 10;
constexpr double kLineBytes = 128;
// Of a warp; and how often they exchange, two by two, until all have what one had.
constexpr auto kLanes = static_cast<double>(kWarp);
constexpr double kLaneSteps = 5;

// One after the other, so many times.
void add_in_turn(Work* sum, const Work& one, double times) {
  add(sum, one, times);
  sum->chain += one.chain * times;
}

class WorkOfThread {
 public:
  explicit WorkOfThread(const ThreadProgram& program) : program_(program) {}

  Work level(const std::vector<ThreadUnit>& units, bool is_step) const {
    Work sum;
    double waits = 0;  // for what is loaded in a step: together
    for (const ThreadUnit& unit : units) {
      Work work;
      for (size_t e = 0; e < unit.elements.size(); ++e) {
        const bool is_dropped =
            unit.kind == ThreadUnit::Kind::kSolve && std::ranges::count(unit.elements_of, static_cast<int>(e)) == 0;
        if (is_dropped) continue;
        const OwnElements& elements = unit.elements[e];
        const Work one = of_elements(elements, &waits);
        double count = 1;
        for (const int id : elements.coordinates) count *= id < 0 ? 1 : static_cast<double>(extent(elements, id));
        Work all;
        add_in_turn(&all, one, program_.by_warp ? std::ceil(count / kLanes) : count);
        // Elements need nothing of each other: their instructions follow one another.
        all.chain = std::max(one.chain, all.instructions());
        if (unit.kind == ThreadUnit::Kind::kStore) all.memory += count;
        add_in_turn(&work, all, 1);
      }
      if (unit.kind == ThreadUnit::Kind::kSolve)
        add_in_turn(&work, program_.by_warp ? of_warp_solve(unit.solve) : of_solve(unit.solve), 1);
      if (program_.by_warp) work.chain += kBarrierCycles;
      if (unit.kind == ThreadUnit::Kind::kLoop) {
        Work step = level(unit.body, true);
        step.chain += kArithmeticCycles;
        const bool is_spread = &unit == program_.spread_loop();
        add_in_turn(&work, step, is_spread ? 1 : static_cast<double>(*unit.loop.trip_count));
      }
      add_in_turn(&sum, work, 1);
    }
    sum.chain += is_step ? waits : kLoadCycles;
    return sum;
  }

 private:
  static int64_t extent(const OwnElements& elements, int id) { return elements.graph->coordinates[id].extent; }

  // How often an element's node is computed.
  static double times(const DemandGraph& graph, int scope) {
    double count = 1;
    for (; scope > 0; scope = graph.scopes[scope].parent) {
      if (graph.scopes[scope].kind == DemandScope::Kind::kReduce) count *= static_cast<double>(graph.steps_in(scope));
    }
    return count;
  }

  static void add_float(DType dtype, double count, Work* work) {
    const double parts = is_complex(dtype) ? 4 : 1;
    if (is_float(dtype) || is_complex(dtype)) {
      const bool wide = dtype == DType::kF64 || dtype == DType::kC128;
      (wide ? work->f64 : work->f32) += parts * count;
      work->flops += parts * count;
    } else {
      work->integer += count;
    }
  }

  Work of_load(const DemandGraph& graph, const DemandNode& node, double* waits) const {
    Work work;
    bool depends_on_data = false, is_of_step = false;
    node.expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      const bool is_coordinate = atom.kind == IndexExpr::AtomKind::kCoordinate;
      depends_on_data |= !is_coordinate;
      is_of_step |= is_coordinate && graph.coordinates[atom.id].role == CoordinateRole::kHostStep;
    });
    const auto array = program_.array_of.find(node.instruction);
    if (array != program_.array_of.end() && program_.by_warp) {
      const bool is_number = program_.arrays[array->second].kept.empty();
      work.memory = is_number ? 0 : 1;
      work.chain = is_number ? 0 : kSharedCycles;
      return work;
    }
    if (array != program_.array_of.end()) {
      const auto elements = static_cast<double>(program_.arrays[array->second].elements());
      if (depends_on_data || is_of_step) work.integer = 2 * elements;
      work.chain = depends_on_data || is_of_step ? kArithmeticCycles * std::sqrt(elements) : 0;
      return work;
    }
    work.memory = 1;
    work.chain = kSharedCycles;  // a cache has it
    if (depends_on_data) work.chain = kLoadCycles;
    // Of one thread's array several steps have a line together.
    const double bytes = static_cast<double>(dtype_bytes(node.dtype)) * 4;
    const double fetched = program_.threads() == 1 ? std::min(1.0, bytes / kLineBytes) : 1;
    if (is_of_step) *waits = std::max(*waits, kSharedCycles + kLoadCycles * fetched);
    return work;
  }

  Work of_elements(const OwnElements& elements, double* waits) const {
    const DemandGraph& graph = *elements.graph;
    const std::vector<bool> needed = needed_nodes(graph);
    std::vector<double> finished(graph.nodes.size(), 0);
    Work sum;
    for (size_t id = 0; id < graph.nodes.size(); ++id) {
      if (!needed[id]) continue;
      const DemandNode& node = graph.nodes[id];
      const double count = times(graph, node.scope);
      Work work;
      switch (node.kind) {
        case Kind::kLoad:
          work = of_load(graph, node, waits);
          break;
        case Kind::kCompute:
        case Kind::kCall: {
          if (is_contracted(*node.instruction)) break;
          const double cost = node.kind == Kind::kCall
                                  ? static_cast<double>(element_cost(**node.instruction->attributes->to_apply))
                                  : op_def(node.instruction->opcode).cost;
          add_float(node.dtype, cost, &work);
          if (cost >= 8) work.special = cost / 16;
          work.chain = cost < 8 ? kArithmeticCycles * std::max(cost, 1.0) : 3 * cost + 10;
          break;
        }
        case Kind::kChoose:
        case Kind::kClampIndex:
          work.integer = 2;
          work.chain = 2 * kArithmeticCycles;
          break;
        case Kind::kReduce: {
          const DemandReduce& reduce = graph.reduces[node.reduce];
          const double terms = reduce.scope < 0 ? static_cast<double>(reduce.terms.size())
                                                : static_cast<double>(graph.steps_in(reduce.scope));
          add_float(node.dtype, terms, &work);
          work.chain = terms * kArithmeticCycles;
          break;
        }
        default:
          break;
      }
      double begins = 0;
      for (const NodeId operand : node.operands) begins = std::max(begins, finished[static_cast<size_t>(operand)]);
      finished[id] = begins + work.chain;
      sum.chain = std::max(sum.chain, finished[id]);
      const double chain = sum.chain;
      add_in_turn(&sum, work, count);
      sum.chain = chain;
    }
    return sum;
  }

  // A column after the other: a pivot is found or made, the rows that follow are changed, of which lanes have elements.
  static Work of_warp_solve(const SolveDemand& solve) {
    const SolveArray& matrix = solve.arrays[0];
    const auto rows = static_cast<double>(matrix.rows.value);
    const double columns = matrix.is_vector() ? 1 : static_cast<double>(matrix.columns.value);
    const double later = rows / 2 * (kSharedCycles + kArithmeticCycles) / 2;
    double step = 3 * kBarrierCycles + 2 * kSharedCycles + kDivisionCycles + later;
    double steps = std::min(rows, columns);
    if (solve.call.kind == SolverCall::Kind::kLu) step += 2 * kLaneSteps * kShuffleCycles;
    if (solve.call.kind == SolverCall::Kind::kPivotsToPermutation) step = kBarrierCycles;
    if (solve.call.kind == SolverCall::Kind::kTriangularSolve) steps = rows;
    if (solve.call.kind == SolverCall::Kind::kQr || solve.call.kind == SolverCall::Kind::kHouseholder)
      step += columns * (kLaneSteps * kShuffleCycles + later);
    Work work;
    work.chain = steps * step;
    work.memory = work.chain / 8;
    add_float(matrix.dtype, work.chain / 8, &work);
    return work;
  }

  static Work of_solve(const SolveDemand& solve) {
    const SolveArray& matrix = solve.arrays[0];
    const auto rows = static_cast<double>(matrix.rows.value);
    const double columns = matrix.is_vector() ? 1 : static_cast<double>(matrix.columns.value);
    const double steps = std::min(rows, columns);
    Work work;
    switch (solve.call.kind) {
      case SolverCall::Kind::kTriangularSolve: {
        const auto right = static_cast<double>(solve.arrays[1].columns.value);
        add_float(matrix.dtype, right * (rows * rows / 2 + (solve.call.unit_diagonal ? 0 : rows * kDivision)), &work);
        work.chain = rows * ((solve.call.unit_diagonal ? 0 : kDivisionCycles) + 2 * kArithmeticCycles);
        break;
      }
      case SolverCall::Kind::kPivotsToPermutation:
        work.integer = 2 * rows * static_cast<double>(solve.arrays[1].rows.value);
        work.chain = rows * kArithmeticCycles;
        break;
      default:
        // Columns one after the other: what a pivot is found or made of, a division, the columns that follow.
        add_float(matrix.dtype, steps * (rows * kDivision / 2 + rows * columns / 3 * 2), &work);
        work.integer = solve.call.kind == SolverCall::Kind::kLu ? rows * columns * steps : 0;
        work.chain = steps * (2 * kDivisionCycles + (rows / 2 + 3) * kArithmeticCycles);
        if (solve.call.kind == SolverCall::Kind::kQr || solve.call.kind == SolverCall::Kind::kHouseholder) {
          add_float(matrix.dtype, steps * rows * columns * 2, &work);
          work.chain += steps * columns * rows * kArithmeticCycles / 2;
        }
        break;
    }
    work.chain = std::max(work.chain, work.instructions());
    return work;
  }

  const ThreadProgram& program_;
};

}  // namespace

Work thread_work(const ThreadProgram& program) {
  const Work thread = WorkOfThread(program).level(program.units, false);
  Work work;
  add_in_turn(&work, thread, static_cast<double>(program.threads()) * (program.by_warp ? kLanes : 1));
  work.chain = thread.chain;
  work.registers = (program.by_warp ? 0 : static_cast<int>(program.words)) + kOtherRegisters;
  return work;
}

}  // namespace sinter
