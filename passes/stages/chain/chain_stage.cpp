#include "passes/stages/chain/chain_stage.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/analysis/functions/attention.h"
#include "passes/analysis/values/hardware.h"
#include "passes/stages/own/own_stages.h"

namespace sinter {

namespace {

// The chain that a fusion's computation is: its results are the root, or the root's elements.
Chain chain_of(const Computation& computation) {
  Chain chain;
  const Instruction* root = computation.root();
  if (root->opcode == Opcode::kTuple) {
    chain.results.assign(root->operands().begin(), root->operands().end());
  } else {
    chain.results = {root};
  }
  for (const Instruction& instruction : computation.instructions()) {
    const bool is_result = std::find(chain.results.begin(), chain.results.end(), &instruction) != chain.results.end();
    if (instruction.opcode == Opcode::kDot && !is_result) chain.products.push_back(&instruction);
  }
  return chain;
}

std::optional<ChainDemand> demand_of(const Instruction& fusion) {
  const Computation& computation = **fusion.attributes->calls;
  std::set<const Instruction*> computed;
  for (const Instruction& instruction : computation.instructions()) {
    if (instruction.opcode != Opcode::kParameter) computed.insert(&instruction);
  }
  std::optional<ChainDemand> demand = demand_chain(chain_of(computation), computation, computed);
  if (!demand) return std::nullopt;
  bind_parameters(*demand->weights, fusion);
  for (ChainDemand::Tile& tile : demand->tiles) {
    bind_parameters(*tile.operand.graph, fusion);
    tile.copy.array = argument_of(fusion, *tile.copy.array);
  }
  for (ChainDemand::Product& product : demand->products) {
    bind_parameters(*product.left.graph, fusion);
    if (product.left_copy) product.left_copy->array = argument_of(fusion, *product.left_copy->array);
  }
  if (demand->weighed) {
    for (WeighedColumns::Condition& condition : demand->weighed->conditions)
      condition.array = argument_of(fusion, *condition.array);
  }
  return demand;
}

// The results by which the kernel's outputs are made: each of one alone. False where one is made of several, or none.
bool find_sources(const KernelValues& kernel, ChainStage* stage, std::vector<KernelValues>* apart) {
  const std::vector<ChainDemand::Result>& results = stage->chain.results;
  stage->stored.resize(results.size());
  const bool single = stage->fusion->shape.is_array();
  if (single) stage->stored[0].source = stage->fusion;
  for (const Instruction* user : stage->fusion->users()) {
    if (single || user->opcode != Opcode::kGetTupleElement) continue;
    stage->stored[static_cast<size_t>(*user->attributes->tuple_index)].source = user;
  }
  apart->resize(results.size());
  for (KernelValues& values : *apart) values.context = kernel.context;
  for (const Instruction* output : kernel.outputs) {
    std::optional<size_t> made_of;
    std::vector<const Instruction*> waiting = {output};
    std::set<const Instruction*> seen;
    while (!waiting.empty()) {
      const Instruction* value = waiting.back();
      waiting.pop_back();
      if (!seen.insert(value).second) continue;
      const auto found = std::find_if(stage->stored.begin(), stage->stored.end(),
                                      [&](const ChainStage::Stored& stored) { return stored.source == value; });
      if (found != stage->stored.end()) {
        const auto number = static_cast<size_t>(found - stage->stored.begin());
        if (made_of && made_of != number) return false;
        made_of = number;
      } else if (kernel.context.computed.count(value) > 0) {
        waiting.insert(waiting.end(), value->operands().begin(), value->operands().end());
      }
    }
    if (!made_of) return false;
    (*apart)[*made_of].outputs.push_back(output);
  }
  return true;
}

// What is read, and the stores of all results, each counted along columns of its own.
bool demand_all(const KernelValues& kernel, ChainStage* stage, std::optional<DemandGraph::Failure>* failure) {
  stage->context = std::make_unique<DemandContext>(kernel.context);
  for (const ChainStage::Stored& stored : stage->stored) stage->context->computed.erase(stored.source);
  stage->context->computed.erase(stage->fusion);
  stage->all = std::make_unique<DemandGraph>(*stage->context);
  DemandGraph& all = *stage->all;
  all.add_coordinate(stage->chain.batch, CoordinateRole::kBatch);
  all.add_coordinate(stage->chain.rows, CoordinateRole::kRow);
  if (!demand_whole_operands(*stage->fusion, &all)) return false;
  for (size_t i = 0; i < stage->stored.size(); ++i) {
    if (!stage->stored[i].epilogue) continue;
    const IndexExpr column = all.coordinate(all.add_coordinate(stage->chain.results[i].width, CoordinateRole::kColumn));
    for (const DemandStore& store : stage->stored[i].epilogue->all->stores) {
      const IndexExpr offset = store.offset.substitute([&](const IndexExpr::Atom& atom) {
        const bool is_column = atom.kind == IndexExpr::AtomKind::kCoordinate && atom.id == kChainColumn;
        return is_column ? std::optional(column) : std::nullopt;
      });
      if (!all.store(store.value, delinearize(offset, store.value->shape.dims))) return false;
    }
  }
  if (!finish_operands(all, failure)) return false;
  for (DemandNode& node : all.nodes) {
    const bool is_source = std::any_of(stage->stored.begin(), stage->stored.end(),
                                       [&](const auto& stored) { return stored.source == node.instruction; });
    if (node.kind != DemandNode::Kind::kLoad || !is_source) continue;
    node.kind = DemandNode::Kind::kParameter;
    node.expr = IndexExpr();
    node.guard = 0;
  }
  all.set_scopes();
  all.order_stores(kernel.outputs);
  return true;
}

}  // namespace

bool takes_chain(const Instruction& instruction) { return is_chain(instruction); }

std::optional<ChainStage> demand_chain_stage(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const auto fail = [&](const Instruction* instruction, ReasonCode reason) {
    *failure = DemandGraph::Failure{instruction, reason};
    return std::nullopt;
  };
  ChainStage result;
  result.fusion = only_taken(kernel, takes_chain);
  if (result.fusion == nullptr) return fail(kernel.outputs[0], "unsupported-op");
  if (const Instruction* operand = computed_operand(kernel, *result.fusion)) return fail(operand, "own-stage-operand");
  std::optional<ChainDemand> chain = demand_of(*result.fusion);
  if (!chain) return fail(result.fusion, "unsupported-op");
  result.chain = std::move(*chain);
  const std::optional<ChainForm> form = chain_form(result.chain);
  if (!form) return fail(result.fusion, "unsupported-op");
  result.form = *form;

  std::vector<KernelValues> apart;
  if (!find_sources(kernel, &result, &apart)) return fail(kernel.outputs[0], "own-stage");
  const int64_t largest = largest_operand(*result.fusion);
  constexpr int kElement = 3;
  const auto whole = [&](const Instruction& operand) {
    return element_of(operand, IndexExpr::coordinate(kElement, {0, largest - 1}));
  };
  for (size_t i = 0; i < result.stored.size(); ++i) {
    if (apart[i].outputs.empty()) continue;
    const ChainDemand::Result& part = result.chain.results[i];
    result.stored[i].epilogue = demand_epilogue(apart[i], *result.stored[i].source,
                                                {{result.chain.batch, CoordinateRole::kBatch},
                                                 {result.chain.rows, CoordinateRole::kRow},
                                                 {part.width, CoordinateRole::kColumn},
                                                 {largest, CoordinateRole::kElement}},
                                                part.index, whole, failure);
    if (!result.stored[i].epilogue) return std::nullopt;
  }
  if (!demand_all(kernel, &result, failure)) return fail(result.fusion, "domain-mismatch");
  return result;
}

std::optional<OwnStageShape> chain_shape(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const std::optional<ChainStage> stage = demand_chain_stage(kernel, failure);
  if (!stage) return std::nullopt;
  OwnStageShape shape;
  shape.grid[0] = stage->chain.batch * ceil_div(stage->chain.rows, stage->form.rows);
  shape.block[0] = stage->form.warps * kWarp;
  shape.nodes = static_cast<int64_t>(stage->chain.weights->nodes.size());
  shape.nodes += static_cast<int64_t>(stage->all->nodes.size());
  shape.work = chain_work(stage->chain, stage->form);
  return shape;
}

}  // namespace sinter
