#include "passes/lower/stages/products/statistics_writer.h"

#include <map>
#include <set>

#include "ir/values/dtype.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/functions/emittable.h"
#include "passes/analysis/values/hardware.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/products/text_statement.h"
#include "passes/lower/text/assignment.h"
#include "passes/lower/text/combiners.h"
#include "passes/lower/text/unique_names.h"
#include "passes/names/value_names.h"
#include "passes/stages/products/tile_copy.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

class StatisticsWriter {
 public:
  StatisticsWriter(StageWriter* writer, const RowStatistics& statistics, const StatisticsText& text,
                   const StatisticsPlace& place)
      : w_(*writer), kernel_(writer->kernel), statistics_(statistics), text_(text), place_(place) {}

  void write(Block* body) {
    const bool several = statistics_.phases.size() > 1 || statistics_.phases[0].statistics.size() > 1;
    Block all;
    all.push_back(note(std::string(several ? "statistics" : "a statistic") + " of each " + text_.vector + text_.made +
                       text_.outside));
    if (!takes_turns()) {
      vector_.place = place_.vector;
      if (vector_.place == nullptr) vector_.place = kernel_.reference(w_.let(text_.own, kInteger, of_thread(), &all));
      vector_.at = at(vector_.place, &all);
    }
    if (several_warps()) {
      for (size_t phase = 0; phase < statistics_.phases.size(); ++phase) add_phase_of_warps(phase, &all);
    } else {
      add_phases(&all);
    }
    drop_unread_indices(&all, all);  // of vectors that nothing but products is read of
    body->insert(body->end(), all.begin(), all.end());
  }

 private:
  // Which of the block's vectors, and of the operand's.
  struct Vector {
    const Expr* place = nullptr;
    const Expr* at = nullptr;
  };
  // `sum` of a statistic as it is made, and its value.
  struct Total {
    Variable* sum = nullptr;
    DType type = DType::kF32;
  };

  const Expr* small(const std::string& spelling) { return kernel_.name_expr(spelling); }
  const Expr* infix(const Expr* a, const char* op, const Expr* b) { return kernel_.infix(a, op, b, kInteger); }
  bool several_warps() const { return text_.threads.warps() > 1; }
  bool takes_turns() const { return text_.threads.takes_turns(); }
  const Expr* of_thread() { return infix(small("thread"), "/", small(text_.of_vector)); }
  const Expr* lane_of_vector() {
    return place_.lane != nullptr ? place_.lane : infix(small("thread"), "%", small(text_.of_vector));
  }
  const Expr* at(const Expr* place, Block* block) { return place_.at ? place_.at(place, block) : place; }

  std::string sum_name(const RowStatistics::Statistic& statistic) const {
    const DType dtype = statistic.reduce->shape.dtype;
    const std::string name =
        sum_type(dtype) == dtype ? value_name(*statistic.reduce) : accumulator_name(statistic.combiner);
    return text_.names.count(name) > 0 ? name + "_value" : name;
  }

  // All phases of a vector, one after the other, where one warp has it at most: its lanes need nobody else's numbers.
  void add_phases(Block* body) {
    Statement vectors = of_vectors();
    const Vector vector = vector_in(&vectors);
    std::set<std::string> taken;
    for (size_t number = 0; number < statistics_.phases.size(); ++number) {
      if (number > 0) vectors.body.push_back(w_.call("__syncwarp", {}));
      const std::vector<Total> totals = reduced_totals(number, vector, &taken, &vectors.body);
      Statement first = of_first_lane();
      add_numbers(number, totals, vector, &first.body);
      vectors.body.push_back(std::move(first));
    }
    put(std::move(vectors), body);
    body->push_back(w_.barrier());
  }

  // Of several warps each has a part of a vector, and one thread adds these up.
  void add_phase_of_warps(size_t number, Block* body) {
    const RowStatistics::Phase& phase = statistics_.phases[number];
    Statement vectors = of_vectors();
    const Vector vector = vector_in(&vectors);
    std::set<std::string> taken;
    const std::vector<Total> parts = reduced_totals(number, vector, &taken, &vectors.body);
    Statement first = of_first_lane();
    const Expr* warp = infix(lane_of_vector(), "/", small("kWarp"));
    for (size_t i = 0; i < parts.size(); ++i)
      first.body.push_back(w_.assign(of_warp(number, i, vector.place, warp), kernel_.reference(parts[i].sum)));
    vectors.body.push_back(std::move(first));
    put(std::move(vectors), body);
    body->push_back(w_.barrier());
    Statement one = {.kind = StatementKind::kIf};
    one.value = kernel_.infix(small("thread"), "<", small(text_.vectors), kPred);
    std::vector<Total> totals;
    for (size_t i = 0; i < phase.statistics.size(); ++i) totals.push_back(total_of_warps(number, i, &one.body));
    const Vector of_one = {.place = small("thread"), .at = at(small("thread"), &one.body)};
    add_numbers(number, totals, of_one, &one.body);
    body->push_back(std::move(one));
    body->push_back(w_.barrier());
  }

  // The vector of a statement of `of_vectors`.
  Vector vector_in(Statement* vectors) {
    if (!takes_turns()) return vector_;
    Vector vector = {.place = kernel_.reference(vectors->variable)};
    vector.at = at(vector.place, &vectors->body);
    return vector;
  }

  // What a phase comes to, of the lanes of a warp that share the vector.
  std::vector<Total> reduced_totals(size_t number, const Vector& vector, std::set<std::string>* taken, Block* block) {
    const RowStatistics::Phase& phase = statistics_.phases[number];
    std::vector<Total> totals = begin_totals(phase, taken, block);
    add_terms(phase, totals, vector, block);
    const bool of_part = text_.threads.of_vector < kWarp;
    const std::string reduce = of_part ? "warp_reduce<" + text_.of_vector + ">" : "warp_reduce";
    for (size_t i = 0; i < totals.size(); ++i) {
      const Expr* sum = kernel_.reference(totals[i].sum);
      const Expr* functor = kernel_.call(combine_functor(phase.statistics[i].combiner), {}, totals[i].sum->type);
      block->push_back(w_.assign(sum, kernel_.call(reduce, {sum, functor}, totals[i].sum->type)));
    }
    return totals;
  }

  Statement of_first_lane() {
    const bool whole_warps = text_.threads.of_vector >= kWarp && place_.lane == nullptr;
    const Expr* lane = whole_warps ? infix(small("thread"), "%", small("kWarp")) : lane_of_vector();
    return {.kind = StatementKind::kIf, .value = kernel_.infix(lane, "==", kernel_.integer(0), kPred)};
  }

  static void put(Statement vectors, Block* body) {
    drop_unread_indices(&vectors.body, vectors.body);
    if (vectors.kind == StatementKind::kBlank) {
      body->insert(body->end(), vectors.body.begin(), vectors.body.end());
    } else {
      body->push_back(std::move(vectors));
    }
  }

  // What a thread does for its vectors stands in this loop, or test; or as it is (kBlank), where each has one.
  Statement of_vectors() {
    const StatisticsThreads& threads = text_.threads;
    if (!takes_turns()) {
      if (threads.vectors * threads.of_vector == threads.block) return {.kind = StatementKind::kBlank};
      return {.kind = StatementKind::kIf, .value = kernel_.infix(vector_.place, "<", small(text_.vectors), kPred)};
    }
    Statement vectors = w_.counted_loop(text_.each, "", text_.vectors);
    vectors.begin = of_thread();
    vectors.step = threads.block / threads.of_vector;
    vectors.text = "kThreads / " + text_.of_vector;
    return vectors;
  }

  std::vector<Total> begin_totals(const RowStatistics::Phase& phase, std::set<std::string>* taken, Block* block) {
    std::vector<Total> totals;
    for (const RowStatistics::Statistic& statistic : phase.statistics) {
      Total total = {.type = sum_type(statistic.reduce->shape.dtype)};
      const bool is_value = total.type == statistic.reduce->shape.dtype;
      // A warp's part of a statistic that others share.
      const std::string name = sum_name(statistic) + (several_warps() ? "_part" : "");
      total.sum = kernel_.variable(unique_name(name, taken), CType::value(total.type),
                                   is_value && !several_warps() ? statistic.reduce : nullptr);
      block->push_back({.kind = StatementKind::kDeclare,
                        .variable = total.sum,
                        .value = kernel_.literal(identity_of(statistic.combiner, total.type))});
      totals.push_back(total);
    }
    return totals;
  }

  // A thread's terms of `vector`, which it adds to the totals.
  void add_terms(const RowStatistics::Phase& phase, const std::vector<Total>& totals, const Vector& vector,
                 Block* block) {
    const bool wide = text_.width > 1;
    const std::string counter = place_.products == nullptr ? "k" : "j";
    Statement terms = w_.counted_loop(wide ? "first" : counter, "", text_.limit_of(phase.terms));
    const Expr* lane = lane_of_vector();
    terms.begin = wide ? infix(lane, "*", small(text_.terms)) : lane;
    terms.step = text_.threads.of_vector * text_.width;
    terms.text = text_.of_vector + (wide ? " * " + text_.terms : "");
    const Expr* first = kernel_.reference(terms.variable);
    std::map<NodeId, const Variable*> pieces;
    Statement each = unrolled_loop(&kernel_, "e", text_.terms);
    Block* inner = &terms.body;
    const Expr* k = first;
    if (wide) {
      add_pieces(*phase.graph, vector.at, first, &pieces, &terms.body);
      inner = &each.body;
      k = kernel_.reference(w_.let(counter, w_.index, w_.infix(first, "+", kernel_.reference(each.variable)), inner));
    }
    Expressions expressions = expressions_of(*phase.graph, vector.at, k);
    add_products(phase, vector.place, first, wide ? &each : nullptr, &expressions, &terms.body, inner);
    for (const auto& [node, piece] : pieces) {
      const CType type = CType::value(piece->type.dtype);
      const Expr* element = kernel_.subscript(kernel_.reference(piece), kernel_.reference(each.variable), type);
      const std::string name = expressions.buffers.at(phase.graph->nodes[node].instruction)->name + "_value";
      expressions.variables[node] = w_.let(name, type, element, inner);
    }
    read_numbers(&kernel_, statistics_, text_, phase.reads, vector.place, &expressions);
    const std::vector<const Expr*> values = w_.results_of(*phase.graph, expressions, inner);
    for (size_t i = 0; i < values.size(); ++i) {
      const Opcode combiner = phase.statistics[i].combiner;
      const Expr* term = expressions.widen(phase.graph->nodes[phase.graph->results[i]].dtype, values[i]);
      const Expr* sum = kernel_.reference(totals[i].sum);
      inner->push_back(
          assignment(sum, expressions.combine(combiner, phase.statistics[i].reduce->shape.dtype, sum, term)));
    }
    drop_unread_indices(inner, *inner);
    if (wide) terms.body.push_back(std::move(each));
    block->push_back(std::move(terms));
  }

  // The product's element of a term, where the phase has one: in one access of neighbours, or `each` alone.
  //   const Vector<float, kTerms> sums_piece = load_vector<kTerms>(&shared.sums[sum_at(row, first)]);
  void add_products(const RowStatistics::Phase& phase, const Expr* vector, const Expr* first, const Statement* each,
                    Expressions* expressions, Block* block, Block* inner) {
    if (place_.products == nullptr) return;
    const ProductTerms& products = *place_.products;
    const std::vector<NodeId>& nodes = products.nodes[&phase - statistics_.phases.data()];
    if (nodes.empty()) return;
    const CType type = CType::value(products.sum);
    const Expr* sum = products.at(vector, first);
    if (each != nullptr) {
      const CType vectors = {
          .kind = CType::Kind::kVector, .dtype = products.sum, .length = text_.width, .extent = text_.terms};
      const CType pointer = {.kind = CType::Kind::kPointer, .dtype = products.sum};
      const Expr* from = kernel_.prefix("&", sum, pointer);
      const Variable* piece =
          w_.let("sums_piece", vectors, kernel_.call("load_vector<" + text_.terms + ">", {from}, vectors), block);
      sum = kernel_.subscript(kernel_.reference(piece), kernel_.reference(each->variable), type);
    }
    const DType dtype = products.product->shape.dtype;
    const Expr* value = products.rounded(sum, expressions);
    Variable* element = kernel_.variable(value_name(*products.product), CType::value(dtype), products.product);
    inner->push_back({.kind = StatementKind::kLet, .variable = element, .value = value});
    for (const NodeId node : nodes) expressions->variables[node] = element;
  }

  // const Vector<bf16, kWidth> x_piece = load_vector<kWidth>(&x[...]);
  void add_pieces(const DemandGraph& graph, const Expr* vector, const Expr* first,
                  std::map<NodeId, const Variable*>* pieces, Block* block) {
    Expressions expressions = expressions_of(graph, vector, first);
    const std::vector<bool> needed = needed_nodes(graph);
    for (size_t id = 0; id < graph.nodes.size(); ++id) {
      const DemandNode& node = graph.nodes[id];
      if (!needed[id] || node.kind != DemandNode::Kind::kLoad || node.guard != 0) continue;
      if (!are_neighbours(graph, node.expr, kTermCoordinate, text_.width)) continue;
      const Variable* array = expressions.buffers.at(node.instruction);
      const CType type = {
          .kind = CType::Kind::kVector, .dtype = node.dtype, .length = text_.width, .extent = text_.terms};
      const Expr* from = kernel_.prefix("&", expressions.element(array, node.expr, node.dtype), array->type);
      (*pieces)[static_cast<NodeId>(id)] =
          w_.let(array->name + "_piece", type, kernel_.call("load_vector<" + text_.terms + ">", {from}, type), block);
    }
  }

  // What the warps of a vector have of a statistic, in their order.
  Total total_of_warps(size_t phase, size_t place, Block* block) {
    const RowStatistics::Statistic& statistic = statistics_.phases[phase].statistics[place];
    const DType dtype = statistic.reduce->shape.dtype;
    Total total = {.type = sum_type(dtype)};
    const CType type = CType::value(total.type);
    total.sum = kernel_.variable(sum_name(statistic), type, total.type == dtype ? statistic.reduce : nullptr);
    const Expr* vector = small("thread");
    block->push_back({.kind = StatementKind::kDeclare,
                      .variable = total.sum,
                      .value = of_warp(phase, place, vector, kernel_.integer(0))});
    Statement others = unrolled_loop(&kernel_, "warp", text_.of_vector + " / kWarp");
    others.begin = kernel_.integer(1);
    const Expr* sum = kernel_.reference(total.sum);
    const Expr* more = of_warp(phase, place, vector, kernel_.reference(others.variable));
    Expressions expressions = expressions_of(*statistics_.phases[phase].graph, vector, nullptr);
    others.body.push_back(assignment(sum, expressions.combine(statistic.combiner, dtype, sum, more)));
    block->push_back(std::move(others));
    return total;
  }

  const Expr* of_warp(size_t phase, size_t place, const Expr* vector, const Expr* warp) {
    const DType dtype = sum_type(statistics_.phases[phase].statistics[place].reduce->shape.dtype);
    return array_element(&kernel_, "shared." + text_.of_warps[phase][place].name, {vector, warp}, dtype);
  }

  // The numbers that are known after a phase, into shared memory.
  void add_numbers(size_t phase, const std::vector<Total>& totals, const Vector& vector, Block* block) {
    for (size_t i = 0; i < statistics_.numbers.size(); ++i) {
      const RowStatistics::Number& number = statistics_.numbers[i];
      if (number.phase != phase) continue;
      Expressions expressions = expressions_of(*number.graph, vector.at, nullptr);
      for (const RowStatistics::Number::Source& source : number.statistics) {
        const DType dtype = number.graph->nodes[source.node].dtype;
        const Total& total = totals[source.statistic];
        if (total.type == dtype) {
          expressions.variables[source.node] = total.sum;
        } else {
          expressions.members[source.node] = expressions.narrow(dtype, kernel_.reference(total.sum));
        }
      }
      read_numbers(&kernel_, statistics_, text_, number.numbers, vector.place, &expressions);
      const Expr* value = w_.results_of(*number.graph, expressions, block)[0];
      block->push_back(
          w_.assign(array_element(&kernel_, "shared." + text_.numbers[i].name, {vector.place}, number.dtype()), value));
    }
  }

  // `k`: nullptr where nothing depends on it.
  Expressions expressions_of(const DemandGraph& graph, const Expr* vector, const Expr* k) {
    std::map<int, const Expr*> coordinates = place_.coordinates;
    coordinates[kVectorCoordinate] = vector;
    if (k != nullptr) coordinates[kTermCoordinate] = k;
    if (place_.batch != nullptr) coordinates[kBatchCoordinate] = kernel_.reference(place_.batch);
    Expressions expressions = w_.expressions_of(graph, coordinates);
    expressions.constants[text_.length] = text_.limit;
    if (text_.parts > 0) expressions.constants[text_.parts] = text_.limit_of(text_.parts);
    if (text_.columns > 0) expressions.constants[text_.columns] = "kN";
    return expressions;
  }

  StageWriter& w_;
  Kernel& kernel_;
  const RowStatistics& statistics_;
  const StatisticsText& text_;
  const StatisticsPlace& place_;
  Vector vector_;  // of a thread, where it has one at most
};

}  // namespace

std::string StatisticsText::members() const {
  std::string lines;
  for (const std::vector<Kept>& phase : of_warps) {
    for (const Kept& each : phase)
      lines += "  " + each.type + " " + each.name + "[" + vectors + "][" + of_vector + " / kWarp];\n";
  }
  for (const Kept& number : numbers) lines += "  " + number.type + " " + number.name + "[" + vectors + "];\n";
  return lines;
}

void name_statistics(const RowStatistics& statistics, const std::set<std::string>& arrays, StatisticsText* text) {
  std::set<std::string> taken = arrays;
  for (const RowStatistics::Number& number : statistics.numbers) {
    // A number that is rounded is called what it is, not for its type.
    const bool is_rounded = number.value->opcode == Opcode::kConvert;
    const std::string name = value_name(is_rounded ? *number.value->operand(0) : *number.value);
    text->numbers.push_back({cuda(number.dtype()), unique_name(name, &taken)});
  }
  if (text->threads.warps() == 1) return;
  for (const RowStatistics::Phase& phase : statistics.phases) {
    text->of_warps.emplace_back();
    for (const RowStatistics::Statistic& each : phase.statistics) {
      const std::string name = value_name(*each.reduce) + "_of_warps";
      text->of_warps.back().push_back({cuda(sum_type(each.reduce->shape.dtype)), unique_name(name, &taken)});
    }
  }
}

StatisticsText statistics_of_tile(const ContractDemand& demand, const StatisticsThreads& threads,
                                  const std::string& side, const std::string& of_vector,
                                  const std::set<std::string>& names) {
  const bool rows = demand.vectors == 0;
  const std::string vector = rows ? "row" : "column";
  StatisticsText text = {.threads = threads,
                         .width = demand.statistics.width,
                         .vector = vector + " of the tile",
                         .vectors = side,
                         .of_vector = of_vector,
                         .terms = "kTerms",
                         .own = "statistics_" + vector,
                         .each = "statistics_" + vector,
                         .length = demand.extents.k,
                         .parts = demand.statistics.parts(),
                         .names = names};
  if (text.parts > 0) text.made += ", of what is known of its parts";
  if ((rows ? demand.extents.m : demand.extents.n) % threads.vectors != 0)
    text.outside = "; outside, of the last " + vector;
  name_statistics(demand.statistics, {"lhs", "rhs", "stage", "sums", "is_last"}, &text);
  return text;
}

StatisticsText statistics_of_results(const ContractDemand& demand, int64_t m, int64_t block, const std::string& limit,
                                     const std::set<std::string>& names) {
  const RowStatistics& statistics = demand.rows.statistics;
  StatisticsText text = {.threads = threads_of_rows(m, block),
                         .width = statistics.width,
                         .vector = "row of results",
                         .vectors = "kTileM",
                         .of_vector = "kSharing",
                         .terms = "kTerms",
                         .own = "reduced_row",
                         .each = "reduced_row",
                         .length = demand.rows.length,
                         .limit = limit,
                         .columns = demand.extents.n,
                         .made = demand.rows.pieces > 1 ? ", of the tile's columns" : "",
                         .names = names};
  if (demand.extents.m % m != 0) text.outside = "; outside, with what belongs to the last row";
  name_statistics(statistics, {"lhs", "rhs", "stage", "sums", "is_last"}, &text);
  return text;
}

void add_statistics(StageWriter* writer, const RowStatistics& statistics, const StatisticsText& text,
                    const StatisticsPlace& place, Block* body) {
  StatisticsWriter(writer, statistics, text, place).write(body);
}

void read_numbers(Kernel* kernel, const RowStatistics& statistics, const StatisticsText& text,
                  const std::vector<RowStatistics::Read>& reads, const Expr* vector, Expressions* expressions) {
  for (const RowStatistics::Read& read : reads) {
    const std::string array = "shared." + text.numbers[read.number].name;
    expressions->members[read.node] = array_element(kernel, array, {vector}, statistics.numbers[read.number].dtype());
  }
}

}  // namespace sinter
