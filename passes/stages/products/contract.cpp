// Which dots are computed in tiles, and what the kernel of one demands.
#include "passes/stages/products/contract.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "ir/ops/op_table.h"
#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/emittable.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/analysis/shapes/masked_operand.h"
#include "passes/analysis/values/hardware.h"
#include "passes/stages/products/contract_convolution.h"
#include "passes/stages/products/gemv_form.h"
#include "passes/stages/products/simt_form.h"
#include "passes/stages/products/tensor_core_form.h"
#include "passes/stages/products/tile_copy.h"
#include "passes/stages/results/column_partners.h"
#include "passes/stages/results/place_in_output.h"

namespace sinter {

namespace {

// What the graph sums in a loop, but for these; nullptr: nothing.
const Instruction* sum_in_a_loop(const DemandGraph& graph, const std::vector<const Instruction*>& but) {
  for (const DemandReduce& reduce : graph.reduces) {
    if (reduce.scope >= 0 && std::find(but.begin(), but.end(), reduce.instruction) == but.end())
      return reduce.instruction;
  }
  return nullptr;
}

// False where some of what an operand loads is no part of the product: of zeros alone, in a convolution all of whose
// taps are in padding or between elements.
bool loads_all_of(const DemandGraph& graph, const DemandGraph& operand, const ArraysOfParts& matrices) {
  const auto loads = [](const DemandGraph& of) {
    std::set<const Instruction*> arrays;
    for (const DemandNode& node : of.nodes) {
      if (node.kind == DemandNode::Kind::kLoad) arrays.insert(node.instruction);
    }
    return arrays;
  };
  const std::set<const Instruction*> all = loads(graph);
  std::set<const Instruction*> some = loads(operand);
  for (const std::vector<const Instruction*>& arrays : matrices) some.insert(arrays.begin(), arrays.end());
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

// Of the elements loaded, are more neighbours in memory along k than along the outer dimension?
bool along_k(const ContractOperand& operand) {
  int64_t balance = 0;
  for (const DemandNode& node : operand.graph->nodes) {
    if (node.kind != DemandNode::Kind::kLoad) continue;
    balance += node.expr.coefficient_of_coordinate(operand.k) == 1;
    balance -= node.expr.coefficient_of_coordinate(operand.outer) == 1;
  }
  return balance >= 0;
}

// Which element of the operand is at these places of its matrices.
std::vector<IndexExpr> operand_index(const Instruction& dot, size_t side, const IndexExpr& batch,
                                     const IndexExpr& outer, const IndexExpr& k) {
  const Shape& shape = dot.operand(side)->shape;
  const OperandDims dims = operand_dims(dot, side);
  std::vector<IndexExpr> index(shape.dims.size());
  const auto place = [&](const std::vector<int64_t>& roles, const IndexExpr& linear) {
    const std::vector<IndexExpr> each = delinearize(linear, sizes(shape, roles));
    for (size_t i = 0; i < roles.size(); ++i) index[roles[i]] = each[i];
  };
  place(dims.batch, batch);
  place(dims.free, outer);
  place(dims.contracting, k);
  return index;
}

// The demand of operand `side`, or a graph with a failure: at the place `outer_at` a coordinate that counts `outer`.
// `swapped`: the dot has it on the other side. `value`: unless nullptr, what stands in the operand's place.
template <class OuterAt>
ContractOperand demand_operand(const DemandContext& context, const Instruction& dot, const ContractExtents& extents,
                               size_t side, bool swapped, int64_t outer, const OuterAt& outer_at,
                               const Instruction* value = nullptr) {
  const size_t of_dot = swapped ? 1 - side : side;
  if (value == nullptr) value = dot.operand(of_dot);
  ContractOperand operand;
  operand.graph = std::make_unique<DemandGraph>(context);
  DemandGraph& graph = *operand.graph;
  operand.batch = graph.add_coordinate(extents.batch, CoordinateRole::kBatch);
  operand.outer = graph.add_coordinate(outer, side == 0 ? CoordinateRole::kRow : CoordinateRole::kColumn);
  operand.k = graph.add_coordinate(extents.k, CoordinateRole::kTerm);
  const NodeId node =
      graph.demand(value, operand_index(dot, of_dot, graph.coordinate(operand.batch),
                                        outer_at(graph.coordinate(operand.outer)), graph.coordinate(operand.k)));
  if (graph.failure) return operand;
  graph.results.push_back(node);
  graph.finish({});
  operand.k_contiguous = along_k(operand);
  return operand;
}

IndexExpr as_it_is(const IndexExpr& place) { return place; }

bool moves_with(const DemandGraph& graph, int coordinate) {
  bool moves = false;
  const auto visit = [&](const IndexExpr::Atom& atom) {
    moves |= atom.kind == IndexExpr::AtomKind::kCoordinate && atom.id == coordinate;
  };
  for (const DemandNode& node : graph.nodes) node.expr.visit_leaves(visit);
  return moves;
}

// The mask of the rows in `count` segments of K, if it is the same throughout a segment.
std::unique_ptr<DemandGraph> demand_mask(const DemandContext& context, const Instruction& dot, const Instruction* mask,
                                         const ContractExtents& extents, int64_t count) {
  auto graph = std::make_unique<DemandGraph>(context);
  const int64_t length = extents.k / count;
  graph->add_coordinate(extents.batch, CoordinateRole::kBatch);
  graph->add_coordinate(extents.m, CoordinateRole::kRow);
  graph->add_coordinate(count, CoordinateRole::kTerm);
  const int place = graph->add_coordinate(length, CoordinateRole::kTerm);
  const IndexExpr k = graph->coordinate(kSegmentNumber) * length + graph->coordinate(place);
  graph->results.push_back(
      graph->demand(mask, operand_index(dot, 0, graph->coordinate(kSegmentBatch), graph->coordinate(kSegmentRow), k)));
  if (graph->failure || !graph->finish({}) || !graph->reduces.empty() || !graph->loops.empty()) return nullptr;
  return moves_with(*graph, place) ? nullptr : std::move(graph);
}

// Whether what is copied to shared memory at once are terms of one row or column.
bool is_copied_along_k(const Instruction& dot, const ContractOperand& operand, size_t side) {
  const std::optional<TileCopy> copy = tile_copy(operand, dot.operand(side)->shape.dtype);
  return copy ? copy->along_k : operand.k_contiguous;
}

std::optional<MaskedSegments> masked_segments(const DemandContext& context, const Instruction& dot,
                                              const ContractExtents& extents) {
  const Instruction* select = masked_operand(dot);
  if (select == nullptr || !context.computed.contains(select)) return std::nullopt;
  MaskedSegments segments;
  const std::vector<int64_t> contracting = sizes(select->shape, operand_dims(dot, 0).contracting);
  for (size_t outer = 0; outer + 1 < contracting.size() && segments.mask == nullptr; ++outer) {
    segments.count *= contracting[outer];
    if (segments.count > kMostSegments) return std::nullopt;
    if (segments.count > 1) segments.mask = demand_mask(context, dot, select->operand(0), extents, segments.count);
  }
  if (segments.mask == nullptr) return std::nullopt;
  segments.length = extents.k / segments.count;
  segments.value = demand_operand(context, dot, extents, 0, false, extents.m, as_it_is, select->operand(1));
  if (segments.value.graph->failure || !is_copied_along_k(dot, segments.value, 0)) return std::nullopt;
  return segments;
}

// The masks of both operands at a term of a batch, if each is the same for all of the operand's rows or columns.
std::unique_ptr<DemandGraph> demand_masks(const DemandContext& context, const Instruction& dot,
                                          const ContractExtents& extents) {
  auto graph = std::make_unique<DemandGraph>(context);
  graph->add_coordinate(extents.batch, CoordinateRole::kBatch);
  graph->add_coordinate(extents.k, CoordinateRole::kTerm);
  const int outer[2] = {graph->add_coordinate(extents.m, CoordinateRole::kRow),
                        graph->add_coordinate(extents.n, CoordinateRole::kColumn)};
  for (const size_t side : {0, 1}) {
    const Instruction* select = masked_operand(dot, side);
    if (select == nullptr) continue;
    const std::vector<IndexExpr> index = operand_index(dot, side, graph->coordinate(kTermBatch),
                                                       graph->coordinate(outer[side]), graph->coordinate(kTermNumber));
    graph->results.push_back(graph->demand(select->operand(0), index));
  }
  if (graph->failure || !graph->finish({}) || !graph->reduces.empty() || !graph->loops.empty()) return nullptr;
  return moves_with(*graph, outer[0]) || moves_with(*graph, outer[1]) ? nullptr : std::move(graph);
}

std::optional<MaskedTerms> masked_terms(const DemandContext& context, const Instruction& dot,
                                        const ContractExtents& extents, const ContractOperand (&operands)[2]) {
  if (extents.k > kMostMaskedTerms) return std::nullopt;
  MaskedTerms terms;
  for (const size_t side : {0, 1}) {
    const Instruction* select = masked_operand(dot, side);
    if (select == nullptr) {
      if (is_copied_along_k(dot, operands[side], side)) return std::nullopt;
      continue;
    }
    if (!is_masked_by_batch(dot, side) || !context.computed.contains(select)) return std::nullopt;
    terms.values[side] = demand_operand(context, dot, extents, side, false, side == 0 ? extents.m : extents.n, as_it_is,
                                        select->operand(1));
    const ContractOperand& value = *terms.values[side];
    if (value.graph->failure || is_copied_along_k(dot, value, side)) return std::nullopt;
  }
  if (terms.values[0] || terms.values[1]) terms.mask = demand_masks(context, dot, extents);
  return terms.mask == nullptr ? std::nullopt : std::optional(std::move(terms));
}

// The right operand of one dot, or of all that are parts of a row. nullopt where these are not made alike.
std::optional<ContractOperand> demand_columns(const DemandContext& context, const std::vector<const Instruction*>& dots,
                                              const ContractExtents& extents, const ColumnParts& parts, bool swapped,
                                              ArraysOfParts* matrices) {
  if (dots.size() == 1) {
    return demand_operand(context, *dots[0], extents, 1, swapped, extents.n,
                          [&](const IndexExpr& place) { return parts.column_at(place); });
  }
  std::vector<ContractOperand> operands;
  std::vector<const DemandGraph*> graphs;
  for (const Instruction* dot : dots) {
    operands.push_back(demand_operand(context, *dot, extents, 1, swapped, extents.n,
                                      [&](const IndexExpr& place) { return parts.result_at(place); }));
    if (operands.back().graph->failure) return std::move(operands.back());
    graphs.push_back(operands.back().graph.get());
  }
  const std::optional<ArraysOfParts> arrays = arrays_of_parts(graphs);
  if (!arrays) return std::nullopt;
  *matrices = *arrays;
  return std::move(operands[0]);
}

// Whether products of several matrices on the left are better made as those of matrices on the right: of few vectors,
// whose results are then stored one by one.
bool may_be_swapped(const std::vector<const Instruction*>& dots, const ContractExtents& extents) {
  return extents.n <= kMostVectors && dots[0]->opcode == Opcode::kDot && have_a_matrix_each(dots, 0) &&
         dots[0]->operand(0)->shape.dtype == dots[0]->operand(1)->shape.dtype;
}

// What of (batch, row, column) a result's number counts first.
enum class ResultOrder {
  kBatchRowColumn,
  kBatchColumnRow,  // of swapped operands
  kRowBatchColumn   // of groups of features that lie side by side
};

// The number of a result at (batch, row, column of `columns`).
IndexExpr result_number(const DemandGraph& graph, const ContractExtents& extents, int64_t columns, ResultOrder order) {
  const IndexExpr batch = graph.coordinate(0), row = graph.coordinate(1), column = graph.coordinate(2);
  switch (order) {
    case ResultOrder::kBatchColumnRow:
      return (batch * columns + column) * extents.m + row;
    case ResultOrder::kRowBatchColumn:
      return (row * extents.batch + batch) * columns + column;
    case ResultOrder::kBatchRowColumn:
      break;
  }
  return (batch * extents.m + row) * columns + column;
}

// Whether statistics of the operand's vectors are made where its product is: of a skinny product's vectors, otherwise
// of few rows of either side, but for columns of which a result is made of several.
bool may_be_vectors(const ContractDemand& demand, size_t side) {
  const ContractExtents& extents = demand.extents;
  if (side == 1 && demand.parts.count > 1) return false;
  const bool is_skinny = std::min(extents.m, extents.n) <= kMostVectors;
  if (is_skinny) return side == (extents.m > extents.n ? 1U : 0U);
  return (side == 0 ? extents.m : extents.n) <= kMostTiledVectors;
}

// The kernel's outputs: with an element for each of the product's, and for each row of it, or piece of a row.
struct Outputs {
  std::vector<const Instruction*> of_elements, of_rows;
  int64_t length = 0, pieces = 1;  // of a row, where `of_rows` has any
};

std::optional<Outputs> outputs_of(const KernelValues& kernel, const ContractExtents& extents,
                                  const std::vector<const Instruction*>& possible) {
  const int64_t rows = extents.batch * extents.m;
  // Of how many terms a reduction is that gives so many elements, one for each row or piece of a row; 0: there is none.
  const auto length_of = [&](int64_t elements) -> int64_t {
    if (rows == 0 || elements % rows != 0) return 0;
    const int64_t pieces = elements / rows;
    for (const Instruction* reduce : possible) {
      if (reduce->shape.element_count() != elements || elements == 0) continue;
      const int64_t terms = reduce->operand(0)->shape.element_count() / elements;
      const bool fits =
          pieces == 1 ? terms == extents.n
                      : terms <= kMostPieceColumns && (pieces - 1) * terms < extents.n && pieces * terms >= extents.n;
      if (fits) return terms;
    }
    return 0;
  };
  Outputs outputs = {.length = extents.n};
  for (const Instruction* output : kernel.outputs) {
    const int64_t elements = output->shape.is_array() ? stored_shape(kernel.context, *output).element_count() : -1;
    const int64_t length = elements < rows * extents.n ? length_of(elements) : 0;
    if (length == 0) {
      outputs.of_elements.push_back(output);
      continue;
    }
    if (!outputs.of_rows.empty() && outputs.length != length) return std::nullopt;
    outputs.of_rows.push_back(output);
    outputs.length = length;
    outputs.pieces = elements / rows;
  }
  return outputs;
}

void add_coordinates(const ContractExtents& extents, int64_t columns, int64_t pieces, DemandGraph* graph) {
  graph->add_coordinate(extents.batch, CoordinateRole::kBatch);
  graph->add_coordinate(extents.m, CoordinateRole::kRow);
  graph->add_coordinate(columns, CoordinateRole::kColumn);
  if (pieces > 1) graph->add_coordinate(pieces, CoordinateRole::kColumn);
}

// Stores of these at the element of this number, or where one has that element of `product`. False on failure.
bool demand_outputs(const KernelValues& kernel, const std::vector<const Instruction*>& outputs, const IndexExpr& number,
                    DemandGraph* graph, const Instruction* product = nullptr) {
  for (const Instruction* output : outputs) {
    if (!graph->store(output, place_in_output(kernel.context, product, *output, number, *graph))) return false;
  }
  return true;
}

std::vector<NodeId> stored_nodes(const DemandGraph& graph) {
  std::vector<NodeId> nodes;
  for (const DemandStore& store : graph.stores) nodes.push_back(store.node);
  return nodes;
}

}  // namespace

std::vector<const Instruction*> contractions_of(const KernelValues& kernel) {
  std::vector<const Instruction*> dots;
  for (const Instruction* value : kernel.context.computed) {
    if (is_dot_or_convolution(*value)) dots.push_back(value);
  }
  std::ranges::sort(dots, {}, [](const Instruction* dot) { return dot->position(); });
  return dots;
}

std::optional<ContractDemand> demand_contract(const KernelValues& kernel,
                                              std::optional<DemandGraph::Failure>* failure) {
  const auto fail = [&](const Instruction* instruction, ReasonCode reason) {
    *failure = DemandGraph::Failure{instruction, reason};
    return std::nullopt;
  };
  ContractDemand result;
  const std::vector<const Instruction*> dots = contractions_of(kernel);
  if (dots.empty()) return fail(kernel.outputs[0], "unsupported-op");
  result.dot = dots[0];
  std::optional<ContractExtents> extents = contract_extents(*result.dot);
  if (!extents) return fail(result.dot, "unsupported-op");
  const bool swapped = !have_a_matrix_each(dots, 1);
  if (swapped && !may_be_swapped(dots, *extents)) return fail(kernel.outputs[0], "several-contractions");
  if (swapped) std::swap(extents->m, extents->n);
  const std::optional<ConvolutionMatrices> convolution = convolution_matrices(*result.dot);
  const ResultOrder order = swapped                               ? ResultOrder::kBatchColumnRow
                            : convolution && convolution->between ? ResultOrder::kRowBatchColumn
                                                                  : ResultOrder::kBatchRowColumn;
  result.extents = *extents;
  result.are_tf32 = tf32_operands(dots, swapped);
  const bool of_matrices = dots.size() > 1;
  // Of several products no block skips what masks leave out.
  if (of_matrices && (is_masked_in_segments(*result.dot) || is_masked_by_batch(*result.dot, 0)))
    return fail(kernel.outputs[0], "several-contractions");
  result.extents.n *= static_cast<int64_t>(dots.size());
  // Reductions may be statistics of an operand's vectors, or of the result's rows.
  std::vector<const Instruction*> possible;
  if (result.dot->opcode == Opcode::kDot && !is_complex(result.dot->shape.dtype))
    possible = possible_statistics(kernel);
  const std::optional<Outputs> outputs =
      outputs_of(kernel, *extents, of_matrices || swapped ? std::vector<const Instruction*>() : possible);
  if (!outputs) return fail(kernel.outputs[0], "domain-mismatch");
  const auto elements = [&](const Instruction* output) {
    return output->shape.is_array() ? stored_shape(kernel.context, *output).element_count() : -1;
  };
  const int64_t rows = extents->batch * extents->m;
  const int64_t all = outputs->of_elements.empty() ? rows * extents->n : elements(outputs->of_elements[0]);
  for (const Instruction* output : outputs->of_elements) {
    if (all < 0 || elements(output) != all) return fail(output, "domain-mismatch");
  }
  const bool of_parts = all != result.dot->shape.element_count();
  if (of_parts && (of_matrices || rows == 0 || all % rows != 0)) return fail(kernel.outputs[0], "domain-mismatch");
  std::vector<const Instruction*> product_of;  // of each output, where parts stand apart
  if (of_matrices && !swapped && extents->m > kMostVectors && outputs->of_rows.empty())
    product_of = products_apart(kernel.context, outputs->of_elements, dots);
  std::optional<ColumnParts> parts;
  if (!product_of.empty()) parts = parts_apart(dots.size(), extents->n);
  if (!parts) {
    product_of.clear();
    parts = column_parts(*result.dot, result.extents.n, of_parts ? all / rows : extents->n);
  }
  if (!parts) return fail(kernel.outputs[0], "domain-mismatch");
  result.parts = *parts;
  if (parts->count > 1) result.extents.n = parts->count * parts->size;
  result.graph = std::make_unique<DemandGraph>(kernel.context);
  add_coordinates(*extents, parts->size, 1, result.graph.get());
  const IndexExpr row_number = result.graph->coordinate(0) * extents->m + result.graph->coordinate(1);
  const IndexExpr piece = result.graph->coordinate(2).floor_div(std::max<int64_t>(outputs->length, 1));
  const IndexExpr place = result_number(*result.graph, *extents, parts->size, order);
  const Instruction* whole = of_matrices || of_parts ? nullptr : result.dot;
  // Those with the product's elements; of parts that stand apart those of the product `only`, if any is named.
  const auto demand_elements = [&](const IndexExpr& number, DemandGraph* graph, const Instruction* only = nullptr) {
    if (product_of.empty()) return demand_outputs(kernel, outputs->of_elements, number, graph, whole);
    for (size_t i = 0; i < product_of.size(); ++i) {
      const Instruction* output = outputs->of_elements[i];
      const bool is_meant = only == nullptr || only == product_of[i];
      if (is_meant && !demand_outputs(kernel, {output}, number, graph, product_of[i])) return false;
    }
    return true;
  };
  if (!demand_elements(place, result.graph.get()) ||
      !demand_outputs(kernel, outputs->of_rows, row_number * outputs->pieces + piece, result.graph.get()) ||
      !result.graph->finish({})) {
    *failure = result.graph->failure;
    return std::nullopt;
  }
  if (!result.graph->loops.empty()) return fail(result.graph->loops[0].instruction, "loop-in-contraction");
  const auto reads_statistics = [&](const ContractOperand& operand) {
    return std::ranges::any_of(operand.graph->nodes, [&](const DemandNode& node) {
      return node.kind == DemandNode::Kind::kLoad && llvm::is_contained(possible, node.instruction);
    });
  };
  std::vector<const Instruction*> sums = dots;
  sums.insert(sums.end(), possible.begin(), possible.end());
  if (const Instruction* sum = sum_in_a_loop(*result.graph, sums)) return fail(sum, "reduction-in-contraction");
  result.vectors_context = std::make_unique<DemandContext>(kernel.context);
  for (const Instruction* reduce : possible) result.vectors_context->computed.erase(reduce);
  result.parts_context = std::make_unique<DemandContext>(kernel.context);
  for (const Instruction* reduce : possible) {
    if (is_of_parts(*reduce)) result.parts_context->computed.erase(reduce);
  }

  // After the dot: its elements are loaded like any value from outside, and must be the thread's own; so must be what
  // is reduced of its row.
  const bool may_reduce = !of_matrices && !swapped && parts->count == 1;
  std::vector<const Instruction*> of_rows;
  const bool in_pieces = outputs->pieces > 1;
  for (const Instruction* reduce : possible) {
    const int64_t results = reduce->shape.element_count();
    const bool fits = results == rows * outputs->pieces && results > 0 &&
                      reduce->operand(0)->shape.element_count() == results * outputs->length;
    if (may_reduce && fits && is_made_of(*reduce, *result.dot, kernel.context)) of_rows.push_back(reduce);
  }
  result.epilogue_context = std::make_unique<DemandContext>(kernel.context);
  for (const Instruction* dot : dots) result.epilogue_context->computed.erase(dot);
  for (const Instruction* reduce : of_rows) result.epilogue_context->computed.erase(reduce);
  result.epilogue = std::make_unique<DemandGraph>(*result.epilogue_context);
  DemandGraph& epilogue = *result.epilogue;
  add_coordinates(*extents, parts->size, 1, &epilogue);
  if (!demand_elements(result_number(epilogue, *extents, parts->size, order), &epilogue) || !epilogue.finish({})) {
    *failure = epilogue.failure;
    return std::nullopt;
  }
  // What is reduced in pieces has coordinates within them; nothing that has an element for each of the product's reads
  // what a piece comes to.
  const int64_t columns = in_pieces ? outputs->length : parts->size;
  DemandGraph pieces(*result.epilogue_context);
  if (in_pieces) {
    add_coordinates(*extents, columns, outputs->pieces, &pieces);
    for (const DemandNode& node : epilogue.nodes) {
      if (node.kind == DemandNode::Kind::kLoad && llvm::is_contained(of_rows, node.instruction))
        return fail(node.instruction, "reduction-in-contraction");
    }
  }
  const auto first_of = [&](const DemandGraph& graph) {
    const IndexExpr number = result_number(graph, *extents, extents->n, order);
    return in_pieces && &graph != &epilogue ? number + graph.coordinate(kPieceCoordinate) * outputs->length : number;
  };
  // Of which part of the thread's own result an element of a product is; as many as there are: of none.
  const auto part_of = [&](const DemandNode& node, const IndexExpr& first, int64_t dot) {
    if (of_matrices) return node.expr == first ? dot : parts->full();
    int64_t part = 0;
    while (part < parts->full() && !(node.expr == first + IndexExpr(part * parts->size))) ++part;
    return part;
  };
  const bool may_pair =
      (parts->count == 1 || parts->apart) && of_rows.empty() && std::min(extents->m, extents->n) > kMostVectors;
  // Makes parameters of a graph's elements of products; false where it reads others than those of its own result.
  const auto take_products = [&](DemandGraph* graph, std::vector<ContractDemand::Product>* products) {
    const IndexExpr first = first_of(*graph);
    std::vector<NodeId> others;  // that read another column's element: its partner's, if the thread has that
    for (size_t id = 0; id < graph->nodes.size(); ++id) {
      const DemandNode& node = graph->nodes[id];
      const auto dot = std::find(dots.begin(), dots.end(), node.instruction);
      if (node.kind != DemandNode::Kind::kLoad || dot == dots.end()) continue;
      const int64_t part = part_of(node, first, dot - dots.begin()), number = of_matrices ? dot - dots.begin() : 0;
      products->push_back({static_cast<NodeId>(id), part < parts->full() ? part : number});
      if (part == parts->full()) others.push_back(static_cast<NodeId>(id));
    }
    if (!others.empty()) {
      const auto partners = may_pair ? column_partners(*graph, first, result.column, others) : std::nullopt;
      if (!partners || (result.partner != 0 && result.partner != partners->distance)) return false;
      result.partner = partners->distance;
      for (ContractDemand::Product& product : *products) product.is_partner = partners->reads(product.node);
      load_for_partners(graph, result.column, result.partner);
    }
    for (const ContractDemand::Product& product : *products) {
      DemandNode& node = graph->nodes[static_cast<size_t>(product.node)];
      node.kind = DemandNode::Kind::kParameter;
      node.expr = IndexExpr();
      node.guard = 0;
    }
    graph->set_scopes();
    return true;
  };
  if (const Instruction* sum = sum_in_a_loop(epilogue, {})) return fail(sum, "reduction-in-contraction");
  ResultRows& reduced = result.rows;
  reduced.length = outputs->length;
  reduced.pieces = outputs->pieces;
  if (!outputs->of_rows.empty()) {
    if (!may_reduce) return fail(outputs->of_rows[0], "domain-mismatch");
    reduced.stores = std::make_unique<DemandGraph>(*result.epilogue_context);
    DemandGraph& stores = *reduced.stores;
    add_coordinates(*extents, columns, outputs->pieces, &stores);
    IndexExpr number = stores.coordinate(0) * extents->m + stores.coordinate(1);
    if (in_pieces) number = number * outputs->pieces + stores.coordinate(kPieceCoordinate);
    if (!demand_outputs(kernel, outputs->of_rows, number, &stores) || !stores.finish({})) {
      *failure = stores.failure;
      return std::nullopt;
    }
    if (!stores.reduces.empty()) return fail(stores.reduces[0].instruction, "reduction-in-contraction");
    stores.results = stored_nodes(stores);
  }
  std::vector<ContractDemand::Product> of_stores, all_read;
  if (!of_rows.empty()) {
    epilogue.results = stored_nodes(epilogue);
    std::optional<RowStatistics> statistics =
        take_statistics(*result.epilogue_context, of_rows, outputs->length, in_pieces ? &pieces : &epilogue, failure,
                        reduced.stores.get(), &reduced.reads);
    if (!statistics) return std::nullopt;
    epilogue.results.clear();
    reduced.statistics = std::move(*statistics);
    for (RowStatistics::Phase& phase : reduced.statistics.phases) {
      std::vector<ContractDemand::Product> products;
      if (!take_products(phase.graph.get(), &products)) return fail(result.dot, "domain-mismatch");
      all_read.insert(all_read.end(), products.begin(), products.end());
      std::vector<NodeId>& nodes = reduced.products.emplace_back();
      for (const ContractDemand::Product& product : products) nodes.push_back(product.node);
    }
    const int64_t in_access = 16 / dtype_bytes(accumulator_type(result.dot->shape.dtype));
    reduced.statistics.width = std::gcd(in_access, outputs->length);
  }
  if (reduced.stores != nullptr) {
    reduced.stores->results.clear();
    if (reduced.empty() || !take_products(reduced.stores.get(), &of_stores) || !of_stores.empty())
      return fail(outputs->of_rows[0], "domain-mismatch");
  }
  if (!take_products(&epilogue, &result.products)) return fail(result.dot, "domain-mismatch");
  all_read.insert(all_read.end(), result.products.begin(), result.products.end());
  for (const Instruction* dot : product_of.empty() ? std::vector<const Instruction*>() : dots) {
    ContractDemand::PartResults& part = result.results_apart.emplace_back();
    part.dot = dot;
    part.graph = std::make_unique<DemandGraph>(*result.epilogue_context);
    DemandGraph& graph = *part.graph;
    add_coordinates(*extents, parts->size, 1, &graph);
    if (!demand_elements(result_number(graph, *extents, parts->size, order), &graph, dot) || !graph.finish({})) {
      *failure = graph.failure;
      return std::nullopt;
    }
    if (!take_products(&graph, &part.products)) return fail(dot, "domain-mismatch");
  }
  std::set<int64_t> read;
  for (const ContractDemand::Product& product : all_read) read.insert(product.part);
  // A part that nothing reads would be computed for nothing.
  if (static_cast<int64_t>(read.size()) != parts->full()) return fail(result.dot, "domain-mismatch");

  for (size_t side = 0; side < 2; ++side) {
    const DemandContext& context = may_be_vectors(result, side) ? *result.vectors_context
                                   : side == 0                  ? *result.parts_context
                                                                : kernel.context;
    if (convolution) {
      result.operands[side] = demand_convolution_operand(kernel, *result.dot, *convolution, side);
    } else if (side == 0) {
      result.operands[0] = demand_operand(context, *result.dot, *extents, 0, swapped, extents->m, as_it_is);
    } else {
      std::optional<ContractOperand> columns =
          demand_columns(context, dots, result.extents, *parts, swapped, &result.matrices);
      if (!columns) return fail(kernel.outputs[0], "several-contractions");
      result.operands[1] = std::move(*columns);
    }
    if (result.operands[side].graph->failure) {
      *failure = result.operands[side].graph->failure;
      return std::nullopt;
    }
    if (reads_statistics(result.operands[side])) {
      if (!result.statistics.empty() || !reduced.empty()) return fail(result.dot, "reduction-in-contraction");
      result.vectors = side;
      std::optional<RowStatistics> statistics =
          take_statistics(*result.vectors_context, possible, extents->k, result.operands[side].graph.get(), failure);
      if (!statistics) return std::nullopt;
      result.statistics = std::move(*statistics);
    }
    if (!loads_all_of(*result.graph, *result.operands[side].graph, result.matrices))
      return fail(result.dot, "domain-mismatch");
    // Even a short sum would be made again for every element of the operand.
    if (!result.operands[side].graph->reduces.empty())
      return fail(result.operands[side].graph->reduces[0].instruction, "reduction-in-contraction");
  }
  if (!of_matrices && !swapped && parts->count == 1 && possible.empty() && reduced.empty()) {
    result.segments = masked_segments(kernel.context, *result.dot, *extents);
    if (!result.segments) result.terms = masked_terms(kernel.context, *result.dot, *extents, result.operands);
  }
  if (parts->count > 1) {
    result.in_order = demand_operand(kernel.context, *result.dot, *extents, 1, swapped,
                                     of_matrices ? parts->size : extents->n, as_it_is);
    result.operands[1].k_contiguous = result.in_order->k_contiguous;
  }
  if ((parts->count > 1 || result.partner > 0) && !simt_threads(result, parts_form(result), kPartsThreads))
    return fail(result.dot, "domain-mismatch");
  // Some form's tile has whole rows, whatever the GPU.
  if (!reduced.empty() && !simt_of_rows(result))
    return fail(reduced.statistics.phases[0].statistics[0].reduce, "reduction-in-contraction");
  return result;
}

}  // namespace sinter
