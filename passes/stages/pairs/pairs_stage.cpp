#include "passes/stages/pairs/pairs_stage.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/emittable.h"
#include "passes/analysis/functions/pairs.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/analysis/values/constants.h"
#include "passes/analysis/values/hardware.h"
#include "passes/stages/own/own_stages.h"
#include "passes/stages/pairs/pair_reduction.h"
#include "passes/stages/products/pair_term.h"
#include "passes/stages/results/own_elements.h"
#include "passes/stages/results/place_in_output.h"

namespace sinter {

namespace {

// Tiles to choose from, the larger first.
struct Candidate {
  SimtForm form;
  int64_t threads;
};
constexpr Candidate kCandidates[] = {
    {{128, 128, 8}, 256}, {{128, 64, 8}, 128}, {{128, 64, 8}, 256}, {{64, 64, 16}, 128}, {{64, 64, 16}, 256},
    {{64, 64, 8}, 128},   {{64, 64, 8}, 256},  {{64, 32, 16}, 128}, {{64, 32, 16}, 64},  {{64, 32, 8}, 128},
    {{64, 32, 8}, 64},    {{32, 32, 32}, 64},  {{32, 32, 16}, 64},  {{32, 32, 8}, 32}};
// Of a thread, in registers: its results, and what their terms have of each.
constexpr int64_t kMostRegisters = 96, kRegisterBytes = 4;

int64_t bytes_of_own(const ContractDemand& demand) {
  int64_t bytes = std::max(kRegisterBytes, bytes_of_result(demand, /*read_alone=*/false));
  for (const DemandNode& node : demand.pair->graph->nodes) {
    const std::optional<TermLoad> load = term_load(demand, node);
    if (load && load->row && load->column) bytes += std::max(kRegisterBytes, int64_t{dtype_bytes(node.dtype)});
  }
  return bytes;
}

// What a thread has of operands beside the first of each side, and of what terms read of their row or column.
int64_t bytes_of_sides(const ContractDemand& demand, const SimtThreads& threads) {
  int64_t bytes = 0;
  const auto add = [&](bool of_rows, DType dtype) {
    bytes += (of_rows ? threads.sums_m() : threads.sums_n()) * std::max(kRegisterBytes, int64_t{dtype_bytes(dtype)});
  };
  for (size_t number = 2; number < demand.operand_count(); ++number)
    add(demand.side_of(number) == 0, demand.operand_type(number));
  for (const DemandNode& node : demand.pair->graph->nodes) {
    const std::optional<TermLoad> load = term_load(demand, node);
    if (load && load->row != load->column) add(load->row, node.dtype);
  }
  return bytes;
}

// What a form takes, beside others: the terms of the multiprocessor that has most blocks, what is read of tiles for
// them, and what is brought there; longer where its warps are too few not to wait for each other's loads and barriers.
double time_of(const ContractExtents& extents, const SimtForm& form, int64_t block, const SimtThreads& threads) {
  constexpr double kEnoughWarps = 4;  // one for each quarter: a thread has results that need nothing of each other
  constexpr double kBrought = 2;      // an element's load and store, beside a term
  const ContractGrid grid = contract_grid(extents, form.m, form.n);
  const int64_t blocks = extents.batch * grid.rows * grid.columns;
  const auto turns = static_cast<double>(ceil_div(blocks, kMultiprocessors));
  const auto m = static_cast<double>(threads.sums_m()), n = static_cast<double>(threads.sums_n());
  const double warps = turns * static_cast<double>(block) / kWarp;
  const auto tile_m = static_cast<double>(form.m), tile_n = static_cast<double>(form.n);
  return turns * tile_m * tile_n * (1 + (m + n) / (2 * m * n) + kBrought * (1 / tile_m + 1 / tile_n)) /
         std::min(1.0, warps / kEnoughWarps);
}

bool choose_form(PairsStage* stage) {
  std::optional<double> best;
  const int64_t bytes = bytes_of_own(stage->demand);
  for (const auto& [form, threads] : kCandidates) {
    const std::optional<SimtThreads> shape = simt_threads(stage->demand, form, threads);
    if (!shape || shape->sums_m() * shape->sums_n() * bytes + bytes_of_sides(stage->demand, *shape) >
                      kMostRegisters * kRegisterBytes)
      continue;
    const double time = time_of(stage->demand.extents, form, threads, *shape);
    if (best && time >= *best) continue;
    best = time;
    stage->form = form;
    stage->threads = threads;
  }
  return best.has_value();
}

class Demander {
 public:
  Demander(const KernelValues& kernel, const Instruction& fusion, const PairReduction& pairs, ContractDemand* demand,
           std::optional<DemandGraph::Failure>* failure)
      : kernel_(kernel), fusion_(fusion), pairs_(pairs), demand_(*demand), failure_(failure) {}

  bool run() {
    demand_.extents = pairs_.extents;
    demand_.parts.size = pairs_.extents.n;
    demand_.pair.emplace();
    demand_.pair->combiner = pairs_.combiner;
    if (fusion_.shape.is_array()) {
      demand_.dot = &fusion_;
    } else if (!find_values() || !demand_function()) {
      return fail("unsupported-op");
    }
    demand_.pair->elements.resize(2);
    for (const size_t side : {0, 1}) {
      for (const Instruction* value : pairs_.sides[side]) {
        if (!demand_operand(side, *value)) return fail("unsupported-op");
      }
    }
    return demand_term() ? demand_results() : fail("unsupported-op");
  }

 private:
  bool fail(ReasonCode reason) {
    if (!*failure_) *failure_ = DemandGraph::Failure{&fusion_, reason};
    return false;
  }

  // Of several values: which of them the kernel reads.
  bool find_values() {
    const auto is_read = [&](const Instruction* result) {
      return std::ranges::count(kernel_.outputs, result) > 0 ||
             std::ranges::any_of(result->users(),
                                 [&](const Instruction* user) { return kernel_.context.computed.contains(user); });
    };
    PairTerm& pair = *demand_.pair;
    const size_t count = pairs_.reduce->operands().size() / 2;
    for (size_t i = 0; i < count; ++i) {
      pair.values.emplace_back().begin = *splat_value(*pairs_.reduce->operand(count + i));
      for (const Instruction* user : fusion_.users()) {
        const bool gives = user->opcode == Opcode::kGetTupleElement &&
                           *user->attributes->tuple_index == static_cast<int64_t>(i) && is_read(user);
        if (gives && pair.values[i].result == nullptr) pair.values[i].result = user;
      }
    }
    demand_.dot = pair.values[first_value(pair)].result;
    return demand_.dot != nullptr;
  }

  // The next of each value, of the one before and of the term.
  bool demand_function() {
    PairTerm& pair = *demand_.pair;
    const Computation& function = **pairs_.reduce->attributes->to_apply;
    pair.function = std::make_unique<DemandGraph>(new_context(function, {}));
    for (const Instruction* value : function.root()->operands()) {
      const NodeId node = pair.function->demand(value, {});
      if (pair.function->failure) return false;
      pair.function->results.push_back(node);
    }
    if (!finish_operands(*pair.function, failure_)) return false;
    const size_t count = pair.values.size();
    for (size_t i = 0; i < count; ++i) {
      const auto parameter = [&](size_t number) {
        return own_elements(pair.function.get(), *function.parameters()[number], IndexExpr(0));
      };
      const std::optional<std::vector<NodeId>> before = parameter(i), term = parameter(count + i);
      if (!before || !term) return false;
      pair.values[i].before = *before;
      pair.values[i].term = *term;
    }
    return true;
  }

  const DemandContext& new_context(const Computation& computation, const std::set<const Instruction*>& outside) {
    std::set<const Instruction*> computed;
    for (const Instruction& instruction : computation.instructions()) {
      if (instruction.opcode != Opcode::kParameter && outside.count(&instruction) == 0) computed.insert(&instruction);
    }
    return add_context(&demand_.pair->contexts, computation, std::move(computed));
  }

  // Of what is reduced: the element at these places.
  std::vector<IndexExpr> index(const IndexExpr& batch, const IndexExpr& row, const IndexExpr& column,
                               const IndexExpr& term) const {
    const Shape& shape = pairs_.reduce->operand(0)->shape;
    std::vector<IndexExpr> result(shape.dims.size());
    const auto place = [&](const std::vector<int64_t>& dims, const IndexExpr& linear) {
      const std::vector<IndexExpr> each = delinearize(linear, sizes(shape, dims));
      for (size_t i = 0; i < dims.size(); ++i) result[static_cast<size_t>(dims[i])] = each[i];
    };
    place(pairs_.batch, batch);
    place(pairs_.rows, row);
    place(pairs_.columns, column);
    place(pairs_.terms, term);
    return result;
  }

  bool demand_operand(size_t side, const Instruction& value) {
    PairTerm& pair = *demand_.pair;
    const bool is_first = &value == pairs_.sides[side][0];
    if (!is_first) {
      pair.others.push_back({.side = side, .operand = {}});
      pair.elements.emplace_back();
    }
    ContractOperand& operand = is_first ? demand_.operands[side] : pair.others.back().operand;
    operand.graph = std::make_unique<DemandGraph>(new_context(**fusion_.attributes->calls, {}));
    DemandGraph& graph = *operand.graph;
    operand.batch = graph.add_coordinate(pairs_.extents.batch, CoordinateRole::kBatch);
    operand.outer = graph.add_coordinate(side == 0 ? pairs_.extents.m : pairs_.extents.n,
                                         side == 0 ? CoordinateRole::kRow : CoordinateRole::kColumn);
    operand.k = graph.add_coordinate(pairs_.extents.k, CoordinateRole::kTerm);
    const IndexExpr outer = graph.coordinate(operand.outer), first(0);
    const NodeId node = graph.demand(&value, index(graph.coordinate(operand.batch), side == 0 ? outer : first,
                                                   side == 0 ? first : outer, graph.coordinate(operand.k)));
    if (graph.failure) return false;
    graph.results.push_back(node);
    if (!finish_operands(graph, failure_)) return false;
    (is_first ? pair.elements[side] : pair.elements.back()).dtype = graph.nodes[node].dtype;
    bind_parameters(graph, fusion_);
    int64_t balance = 0;
    for (const DemandNode& load : graph.nodes) {
      if (load.kind != DemandNode::Kind::kLoad) continue;
      balance += load.expr.coefficient_of_coordinate(operand.k) == 1;
      balance -= load.expr.coefficient_of_coordinate(operand.outer) == 1;
    }
    operand.k_contiguous = balance >= 0;
    return true;
  }

  // The operands of the term by number.
  std::vector<const Instruction*> operands() const {
    std::vector<const Instruction*> all = {pairs_.sides[0][0], pairs_.sides[1][0]};
    for (const std::vector<const Instruction*>& side : pairs_.sides)
      all.insert(all.end(), side.begin() + 1, side.end());
    return all;
  }

  // The term of elements of the operands, of numbers, and of values of its place and of its result.
  bool demand_term() {
    const std::vector<const Instruction*> operands = this->operands();
    demand_.pair->graph =
        std::make_unique<DemandGraph>(new_context(**fusion_.attributes->calls, {operands.begin(), operands.end()}));
    DemandGraph& graph = *demand_.pair->graph;
    add_results(&graph);
    demand_.pair->term = graph.add_coordinate(pairs_.extents.k, CoordinateRole::kTerm);
    const std::vector<IndexExpr> place = index(graph.coordinate(demand_.batch), graph.coordinate(demand_.row),
                                               graph.coordinate(demand_.column), graph.coordinate(demand_.pair->term));
    for (size_t i = 0; i < pairs_.reduce->operands().size() / 2; ++i) {
      const NodeId term = graph.demand(pairs_.reduce->operand(i), place);
      if (graph.failure) return false;
      graph.results.push_back(term);
    }
    if (!finish_operands(graph, failure_)) return false;
    const IndexExpr number = linearize(place, pairs_.reduce->operand(0)->shape.dims);
    for (size_t i = 0; i < operands.size(); ++i) {
      const std::optional<std::vector<NodeId>> elements = own_elements(&graph, *operands[i], number);
      if (!elements || elements->empty()) return false;
      demand_.pair->elements[i].nodes = *elements;
    }
    bind_parameters(graph, fusion_);
    return std::ranges::none_of(graph.nodes, [&](const DemandNode& node) {
      const std::optional<TermLoad> load = term_load(demand_, node);
      return load && load->term && load->of_result();
    });
  }

  // Coordinates of a result.
  void add_results(DemandGraph* graph) const {
    graph->add_coordinate(pairs_.extents.batch, CoordinateRole::kBatch);
    graph->add_coordinate(pairs_.extents.m, CoordinateRole::kRow);
    graph->add_coordinate(pairs_.extents.n, CoordinateRole::kColumn);
  }

  // The stores of what is made of the results, by themselves and with all that the kernel reads.
  bool demand_results() {
    demand_.epilogue_context = std::make_unique<DemandContext>(kernel_.context);
    std::vector<const Instruction*> results = {&fusion_};
    if (!demand_.pair->values.empty()) {
      results.clear();
      for (const PairTerm::Value& value : demand_.pair->values) results.push_back(value.result);
    }
    demand_.epilogue_context->computed.erase(&fusion_);
    for (const Instruction* result : results) demand_.epilogue_context->computed.erase(result);
    demand_.epilogue = std::make_unique<DemandGraph>(*demand_.epilogue_context);
    demand_.graph = std::make_unique<DemandGraph>(*demand_.epilogue_context);
    for (DemandGraph* graph : {demand_.epilogue.get(), demand_.graph.get()}) {
      add_results(graph);
      const IndexExpr row = graph->coordinate(demand_.batch) * pairs_.extents.m + graph->coordinate(demand_.row);
      const IndexExpr number = row * pairs_.extents.n + graph->coordinate(demand_.column);
      for (const Instruction* output : kernel_.outputs) {
        const bool fits = output->shape.is_array() &&
                          stored_shape(kernel_.context, *output).element_count() == demand_.dot->shape.element_count();
        if (!fits || kernel_.context.updates_in_place.count(output) > 0 ||
            !graph->store(output, place_in_output(kernel_.context, demand_.dot, *output, number, *graph)))
          return fail("own-stage");
      }
      if (graph == demand_.graph.get() && !demand_whole_operands(fusion_, graph)) return fail("own-stage-operand");
      if (!finish_operands(*graph, failure_)) return false;
      for (size_t i = 0; i < results.size(); ++i) {
        if (results[i] == nullptr) continue;
        const std::optional<std::vector<NodeId>> elements = own_elements(graph, *results[i], number);
        if (!elements) return fail("domain-mismatch");
        if (graph != demand_.epilogue.get()) continue;
        for (const NodeId node : *elements) demand_.products.push_back({node, static_cast<int64_t>(i)});
      }
    }
    return !demand_.products.empty() || fail("domain-mismatch");
  }

  const KernelValues& kernel_;
  const Instruction& fusion_;
  const PairReduction& pairs_;
  ContractDemand& demand_;
  std::optional<DemandGraph::Failure>* failure_;
};

}  // namespace

bool takes_pairs(const Instruction& instruction) { return is_pairs(instruction); }

std::optional<PairsStage> demand_pairs_stage(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const auto fail = [&](const Instruction* instruction, ReasonCode reason) {
    *failure = DemandGraph::Failure{instruction, reason};
    return std::nullopt;
  };
  const Instruction* fusion = only_taken(kernel, takes_pairs);
  if (fusion == nullptr) return fail(kernel.outputs[0], "unsupported-op");
  if (const Instruction* operand = computed_operand(kernel, *fusion)) return fail(operand, "own-stage-operand");
  const std::optional<PairReduction> pairs = pair_reduction(*(*fusion->attributes->calls)->root());
  if (!pairs) return fail(fusion, "unsupported-op");
  PairsStage stage;
  if (!Demander(kernel, *fusion, *pairs, &stage.demand, failure).run()) return std::nullopt;
  if (!choose_form(&stage)) return fail(fusion, "unsupported-op");
  return stage;
}

std::optional<OwnStageShape> pairs_shape(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const std::optional<PairsStage> stage = demand_pairs_stage(kernel, failure);
  if (!stage) return std::nullopt;
  const auto& [batch, m, n, k] = stage->demand.extents;
  OwnStageShape shape;
  const ContractGrid grid = contract_grid(stage->demand.extents, stage->form.m, stage->form.n);
  std::copy(std::begin(grid.grid), std::end(grid.grid), std::begin(shape.grid));
  shape.block[0] = stage->threads;
  const auto nodes = static_cast<int64_t>(stage->demand.pair->graph->nodes.size());
  shape.nodes = nodes + static_cast<int64_t>(stage->demand.graph->nodes.size());
  shape.work.integer = static_cast<double>(batch * m * n) * static_cast<double>(k * nodes);
  return shape;
}

}  // namespace sinter
