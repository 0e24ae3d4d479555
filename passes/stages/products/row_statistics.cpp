#include "passes/stages/products/row_statistics.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "ir/support/ceil_div.h"
#include "ir/values/dtype.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/demand/contracted_node.h"
#include "passes/demand/nodes_below.h"
#include "passes/demand/nodes_read.h"
#include "passes/stages/products/statistic.h"
#include "passes/stages/products/tile_copy.h"

namespace sinter {

namespace {

using Kind = DemandNode::Kind;

class StatisticsTaker {
 public:
  StatisticsTaker(const DemandContext& context, const std::vector<const Instruction*>& possible, int64_t k)
      : context_(context), possible_(possible), k_(k) {}

  std::optional<RowStatistics> take(DemandGraph* vectors, std::optional<DemandGraph::Failure>* failure,
                                    DemandGraph* numbers_alone, std::vector<RowStatistics::Read>* reads_alone) {
    vectors_ = vectors;
    if (!find(*vectors) || (numbers_alone != nullptr && !find(*numbers_alone)) || !add_phases()) {
      *failure = failure_;
      return std::nullopt;
    }
    for (RowStatistics::Phase& phase : result_.phases) phase.reads = take_numbers(phase.graph.get());
    result_.width = width();
    result_.reads = take_numbers(vectors);
    if (numbers_alone != nullptr) *reads_alone = take_numbers(numbers_alone);
    return std::move(result_);
  }

 private:
  struct Found {
    IndexExpr at;  // which element of it belongs to a vector
    size_t phase = 0;
    size_t place = 0;  // in the phase
  };

  bool fail(const Instruction* instruction, ReasonCode reason) {
    failure_ = DemandGraph::Failure{instruction, reason};
    return false;
  }

  bool is_possible(const DemandNode& node) const {
    return node.kind == Kind::kLoad && llvm::is_contained(possible_, node.instruction);
  }

  // All statistics that the graph reads, and those that these read, with the phase of each.
  bool find(const DemandGraph& graph) {
    for (const DemandNode& node : graph.nodes) {
      if (!is_possible(node)) continue;
      const auto known = found_.find(node.instruction);
      if (known != found_.end()) {
        if (!(known->second.at == node.expr)) return fail(node.instruction, "reduction-in-contraction");
        continue;
      }
      if (!is_of_vector(node)) return fail(node.instruction, "reduction-in-contraction");
      found_[node.instruction] = {node.expr};
      const std::unique_ptr<DemandGraph> terms = terms_of({node.instruction});
      if (terms->failure) return fail(terms->failure->instruction, terms->failure->reason);
      if (!terms->reduces.empty() || !terms->loops.empty()) return fail(node.instruction, "reduction-in-contraction");
      if (!find(*terms)) return false;
      size_t phase = 0;
      for (const DemandNode& inner : terms->nodes) {
        if (is_possible(inner)) phase = std::max(phase, found_[inner.instruction].phase + 1);
      }
      found_[node.instruction].phase = phase;
    }
    return true;
  }

  static int64_t terms_in(const Instruction& reduce) {
    int64_t terms = 1;
    for (const int64_t d : *reduce.attributes->dimensions) terms *= reduce.operand(0)->shape.dims[d];
    return terms;
  }

  // Whether the element of the reduction is one for each vector, of as many terms as a vector has.
  bool is_of_vector(const DemandNode& node) const {
    const Instruction& reduce = *node.instruction;
    const int64_t terms = terms_in(reduce);
    const IndexRange range = node.expr.range();
    bool of_vector =
        (terms == k_ || is_of_parts(reduce)) && range.low >= 0 && range.high < reduce.shape.element_count();
    node.expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      of_vector &= atom.kind == IndexExpr::AtomKind::kCoordinate && atom.id != kTermCoordinate;
    });
    return of_vector;
  }

  // A term of each of these, at (batch, vector, place).
  std::unique_ptr<DemandGraph> terms_of(const std::vector<const Instruction*>& reduces) const {
    auto graph = std::make_unique<DemandGraph>(context_);
    for (size_t i = 0; i < vectors_->coordinates.size(); ++i) {
      const DemandCoordinate& coordinate = vectors_->coordinates[i];
      graph->add_coordinate(i == kTermCoordinate ? terms_in(*reduces[0]) : coordinate.extent, coordinate.role);
    }
    for (const Instruction* reduce : reduces) {
      const std::vector<int64_t>& reduced = *reduce->attributes->dimensions;
      const Shape& source = reduce->operand(0)->shape;
      std::vector<int64_t> extents;
      for (const int64_t d : reduced) extents.push_back(source.dims[d]);
      const std::vector<IndexExpr> inner = delinearize(graph->coordinate(kTermCoordinate), extents);
      const std::vector<IndexExpr> outer = delinearize(found_.at(reduce).at, reduce->shape.dims);
      std::vector<IndexExpr> index;
      size_t next = 0;
      for (int64_t d = 0; d < source.rank(); ++d) {
        const auto at = std::find(reduced.begin(), reduced.end(), d);
        index.push_back(at == reduced.end() ? outer[next++] : inner[at - reduced.begin()]);
      }
      const NodeId term = graph->demand(reduce->operand(0), index);
      if (graph->failure) return graph;
      graph->results.push_back(term);
    }
    graph->finish({});
    return graph;
  }

  bool add_phases() {
    int64_t parts = 0;
    for (const Instruction* reduce : possible_) {  // in the order of the text
      const auto found = found_.find(reduce);
      if (found == found_.end()) continue;
      const size_t phase = found->second.phase;
      if (result_.phases.size() <= phase) result_.phases.resize(phase + 1);
      std::vector<RowStatistics::Statistic>& statistics = result_.phases[phase].statistics;
      // What a phase goes through is of one length, and so are all parts.
      const int64_t terms = terms_in(*reduce), before = result_.phases[phase].terms;
      if (before != 0 && before != terms) return fail(reduce, "reduction-in-contraction");
      if (terms != k_ && parts != 0 && parts != terms) return fail(reduce, "reduction-in-contraction");
      if (terms != k_) parts = terms;
      result_.phases[phase].terms = terms;
      found->second.place = statistics.size();
      statistics.push_back({reduce, *simple_combiner(**reduce->attributes->to_apply)});
    }
    for (RowStatistics::Phase& phase : result_.phases) {
      std::vector<const Instruction*> reduces;
      for (const RowStatistics::Statistic& statistic : phase.statistics) reduces.push_back(statistic.reduce);
      phase.graph = terms_of(reduces);
      if (phase.graph->failure) return fail(phase.graph->failure->instruction, phase.graph->failure->reason);
    }
    return true;
  }

  // By node: whether it is computed from statistics, and from constants, alone.
  std::vector<bool> numbers_in(const DemandGraph& graph) const {
    std::vector<bool> common = made_of_such(graph, [&](NodeId id) {
      const DemandNode& node = graph.nodes[id];
      return node.kind == Kind::kConstant || node.kind == Kind::kCompute || is_possible(node);
    });
    // A product that an element is added to has no value of its own.
    for (size_t id = 0; id < graph.nodes.size(); ++id) {
      const DemandNode& node = graph.nodes[id];
      if (common[id] || node.kind != Kind::kCompute) continue;
      const NodeId product = contracted_node(graph, *node.instruction, node.operands);
      if (product != kNoNode) common[product] = false;
    }
    std::vector<bool> of_statistics(graph.nodes.size());
    for (const NodeId id : nodes_below(graph, graph.results)) {
      of_statistics[id] = is_possible(graph.nodes[id]);
      for (const NodeId read : nodes_read(graph, id)) of_statistics[id] = of_statistics[id] || of_statistics[read];
    }
    for (size_t id = 0; id < graph.nodes.size(); ++id) common[id] = common[id] && of_statistics[id];
    return common;
  }

  // Makes parameters of the numbers that the graph's elements read.
  std::vector<RowStatistics::Read> take_numbers(DemandGraph* graph) {
    const std::vector<bool> is_number = numbers_in(*graph);
    std::vector<NodeId> read;
    const auto add = [&](NodeId id) {
      if (is_number[id] && !llvm::is_contained(read, id)) read.push_back(id);
    };
    for (const NodeId id : nodes_below(*graph, graph->results)) {
      if (is_number[id]) continue;
      for (const NodeId operand : nodes_read(*graph, id)) add(operand);
    }
    for (const NodeId result : graph->results) add(result);
    std::vector<RowStatistics::Read> reads;
    for (const NodeId id : read) reads.push_back({id, number_of(*graph, id)});
    for (const NodeId id : read) make_parameter(graph, id);
    // No element reads the statistics themselves any more, but where they are such numbers: nothing loads them.
    for (size_t id = 0; id < graph->nodes.size(); ++id) {
      if (is_possible(graph->nodes[id])) make_parameter(graph, static_cast<NodeId>(id));
    }
    graph->set_scopes();
    return reads;
  }

  static void make_parameter(DemandGraph* graph, NodeId id) {
    DemandNode& node = graph->nodes[id];
    node.kind = Kind::kParameter;
    node.operands.clear();
    node.expr = IndexExpr();
    node.guard = 0;
  }

  // Which number a node is: numbers of one value are one, since all that they are computed from is.
  size_t number_of(const DemandGraph& graph, NodeId id) {
    const Instruction* value = graph.nodes[id].instruction;
    for (size_t i = 0; i < result_.numbers.size(); ++i) {
      if (result_.numbers[i].value == value) return i;
    }
    RowStatistics::Number number;
    number.value = value;
    number.graph = std::make_unique<DemandGraph>(graph);
    number.graph->results = {id};
    number.graph->stores.clear();
    std::vector<NodeId> statistics;
    for (const NodeId below : nodes_below(graph, {id})) {
      if (is_possible(graph.nodes[below])) statistics.push_back(below);
    }
    for (const NodeId node : statistics)
      number.phase = std::max(number.phase, found_.at(graph.nodes[node].instruction).phase);
    for (const NodeId node : statistics) {
      const Found& found = found_.at(graph.nodes[node].instruction);
      if (found.phase == number.phase) {
        number.statistics.push_back({node, found.place});
      } else {
        number.numbers.push_back({node, number_of(graph, node)});
      }
    }
    for (const NodeId node : statistics) make_parameter(number.graph.get(), node);
    number.graph->set_scopes();
    result_.numbers.push_back(std::move(number));
    return result_.numbers.size() - 1;
  }

  // As many as each array has in one access that has several; arrays whose neighbours lie apart are left out.
  int64_t width() const {
    constexpr int64_t kAccessBytes = 16;
    int64_t least = kAccessBytes, most = 1;
    for (const RowStatistics::Phase& phase : result_.phases) {
      for (const DemandNode& node : phase.graph->nodes) {
        int64_t elements = node.kind == Kind::kLoad ? kAccessBytes / dtype_bytes(node.dtype) : 1;
        while (elements > 1 && !have_neighbours(phase, node, elements)) elements /= 2;
        if (elements > 1) least = std::min(least, elements);
        most = std::max(most, elements);
      }
    }
    int64_t width = std::min(least, most);
    for (const RowStatistics::Phase& phase : result_.phases) width = std::gcd(width, phase.terms);
    return width;
  }

  static bool have_neighbours(const RowStatistics::Phase& phase, const DemandNode& load, int64_t elements) {
    return load.guard == 0 && phase.terms % elements == 0 &&
           are_neighbours(*phase.graph, load.expr, kTermCoordinate, elements);
  }

  const DemandContext& context_;
  const std::vector<const Instruction*>& possible_;
  const int64_t k_;
  const DemandGraph* vectors_ = nullptr;
  std::map<const Instruction*, Found> found_;  // looked up, never walked
  std::optional<DemandGraph::Failure> failure_;
  RowStatistics result_;
};

}  // namespace

int64_t RowStatistics::parts() const {
  for (const Phase& phase : phases) {
    if (is_of_parts(*phase.statistics[0].reduce)) return phase.terms;
  }
  return 0;
}

bool is_of_parts(const Instruction& reduce) {
  return reduce.annotations->frontend_attributes.contains(kOfPartsAttribute);
}

bool RowStatistics::has(const Instruction* reduce) const {
  return std::ranges::any_of(phases, [&](const Phase& phase) {
    return std::ranges::any_of(phase.statistics, [&](const Statistic& each) { return each.reduce == reduce; });
  });
}

int64_t bytes_with_statistics(int64_t others, int64_t alignment, const RowStatistics& statistics,
                              const StatisticsThreads& threads) {
  if (statistics.empty()) return others;
  int64_t bytes = others;
  const auto align = [&](int64_t to) { bytes = ceil_div(bytes, to) * to; };
  const auto add = [&](int64_t count, DType dtype) {
    const int64_t each = dtype_bytes(dtype);
    align(each);
    bytes += count * each;
    alignment = std::max(alignment, each);
  };
  for (const RowStatistics::Phase& phase : statistics.phases) {
    for (const RowStatistics::Statistic& each : phase.statistics) {
      if (threads.warps() > 1) add(threads.vectors * threads.warps(), sum_type(each.reduce->shape.dtype));
    }
  }
  for (const RowStatistics::Number& number : statistics.numbers) add(threads.vectors, number.dtype());
  align(alignment);
  return bytes;
}

bool may_be_statistic(const Instruction& value) {
  if (value.opcode != Opcode::kReduce || value.operands().size() != 2 || is_complex(value.shape.dtype)) return false;
  const std::optional<Opcode> combiner = simple_combiner(**value.attributes->to_apply);
  return combiner && neutral_beginning(*combiner, value.shape.dtype, *value.operand(1));
}

std::vector<const Instruction*> possible_statistics(const KernelValues& kernel) {
  std::vector<const Instruction*> reduces;
  for (const Instruction* value : kernel.context.computed) {
    if (may_be_statistic(*value)) reduces.push_back(value);
  }
  std::ranges::sort(reduces, {}, [](const Instruction* reduce) { return reduce->position(); });
  return reduces;
}

std::optional<RowStatistics> take_statistics(const DemandContext& context,
                                             const std::vector<const Instruction*>& possible, int64_t k,
                                             DemandGraph* vectors, std::optional<DemandGraph::Failure>* failure,
                                             DemandGraph* numbers_alone,
                                             std::vector<RowStatistics::Read>* reads_alone) {
  return StatisticsTaker(context, possible, k).take(vectors, failure, numbers_alone, reads_alone);
}

}  // namespace sinter
