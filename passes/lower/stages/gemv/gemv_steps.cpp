// The steps of a skinny product along k: copies of the matrix on their way, the vectors in shared memory, and the
// elements that a thread multiplies.
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/gemv/gemv_writer.h"
#include "passes/lower/stages/products/lower_contract.h"

#include "ir/values/dtype.h"
#include "passes/analysis/functions/emittable.h"
#include "passes/lower/stages/products/text_statement.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/names/value_names.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

// Whether where an element is depends on numbers that are loaded, too.
bool reads_numbers(const IndexExpr& expr) {
  bool found = false;
  expr.visit_leaves([&](const IndexExpr::Atom& atom) { found |= atom.kind == IndexExpr::AtomKind::kValue; });
  return found;
}

}  // namespace

bool GemvWriter::fits(DType from, DType to) {
  if (to != DType::kBF16 && to != DType::kF16) return false;
  const bool small_float = from == DType::kF8E4M3FN || (from == DType::kF8E5M2 && to == DType::kF16);
  return from == DType::kS8 || from == DType::kU8 || from == DType::kS4 || from == DType::kU4 || small_float;
}

const Expr* GemvWriter::value_of(const DemandGraph& graph, Expressions& expressions, DType to, Block* block) {
  Block before;
  const Expr* value = w_.results_of(graph, expressions, &before)[0];
  rename_values(&before);
  block->insert(block->end(), before.begin(), before.end());
  const DType dtype = graph.nodes[graph.results[0]].dtype;
  if (to == dtype) return value;
  // Bytes and small floats that are converted to 16 bits lose nothing.
  const DemandNode& node = graph.nodes[graph.results[0]];
  if (!expressions.named(graph.results[0]) && node.kind == DemandNode::Kind::kCompute &&
      node.instruction->opcode == Opcode::kConvert && fits(graph.nodes[node.operands[0]].dtype, dtype)) {
    const DType from = graph.nodes[node.operands[0]].dtype;
    value = expressions.widen(from, expressions.value(node.operands[0]));
    return expressions.convert(accumulator_type(from), to, value);
  }
  value = expressions.widen(dtype, value);
  return expressions.convert(accumulator_type(dtype), to, value);
}

const Expr* GemvWriter::output_of(const Expr* r, const Expr* e) {
  const Expr* within = operands_.along_k ? in_place(r)
                       : e == nullptr    ? small("along")
                                         : w_.infix(small("along"), "+", e);
  return w_.infix(kernel_.reference(first_output_), "+", within);
}

const Expr* GemvWriter::k_of(const Expr* step, const Expr* r, const Expr* e) {
  const Expr* first = first_k_ == nullptr ? nullptr : kernel_.reference(first_k_);
  const Expr* of_step = sum(first, w_.infix(w_.wide(step), "*", name("kTileK")));
  const Expr* within =
      operands_.along_k ? (e == nullptr ? small("along") : w_.infix(small("along"), "+", e)) : in_place(r);
  return w_.infix(of_step, "+", within);
}

Expressions GemvWriter::matrix_expressions(const DemandGraph& graph, const Variable* output, const Variable* k) {
  std::map<int, const Expr*> coordinates = {{matrix_.outer, kernel_.reference(output)},
                                            {matrix_.k, kernel_.reference(k)}};
  if (batch_ != nullptr) coordinates[matrix_.batch] = kernel_.reference(batch_);
  Expressions expressions = w_.expressions_of(graph, coordinates);
  if (operands_.along_k) {
    expressions.constants[operands_.k] = "kK";
  } else {
    const bool of_part = !demand_.matrices.empty();
    expressions.constants[of_part ? demand_.parts.size : operands_.outputs] = of_part ? "kPart" : "kOutputs";
  }
  return expressions;
}

const Expr* GemvWriter::inside(const Variable* output, const Variable* k) {
  const Expr* test = whole_outputs() ? nullptr : below(output, "kOutputs");
  if (demand_.parts.empty > 0)
    test = w_.both(test, kernel_.infix(part_at(&w_, output), "<", kernel_.name_expr("kFull"), kPred));
  return whole_k() ? test : w_.both(test, below(k, "kK"));
}

const Expr* GemvWriter::slot(const Expr* step, const Expr* r) {
  const Expr* stage = form_.resident ? step : kernel_.infix(step, "%", small("kStages"), kInteger);
  return element("shared.chunk", {stage, r, small("thread")}, copied_type());
}

void GemvWriter::add_copies(Block* body) {
  if (form_.resident) {
    Statement load = {.kind = StatementKind::kIf, .value = kernel_.name_expr(kLoadsWeights, kPred)};
    load.body.push_back(note("the block's part of the matrix, into slots that their own thread reads"));
    Statement steps = w_.counted_loop("step", "", "kSteps");
    add_copies_of_step(&steps.body);
    load.body.push_back(std::move(steps));
    load.body.push_back(text("commit_copies();\nwait_copies<0>();\n"));
    body->push_back(std::move(load));
    return;
  }
  body->push_back(note("a step's chunks of the matrix, into slots that their own thread reads"));
  Statement lambda = {.kind = StatementKind::kScope, .text = "const auto copy_step = [&](int step)"};
  if (text_.all_ahead()) {
    add_copies_of_step(&lambda.body);
  } else {
    Statement guard = {.kind = StatementKind::kIf};
    guard.value = kernel_.infix(small("step"), "<", small("kSteps"), kPred);
    add_copies_of_step(&guard.body);
    lambda.body.push_back(std::move(guard));
  }
  lambda.body.push_back(text("commit_copies();\n"));
  body->push_back(std::move(lambda));
  const std::string ahead = text_.all_ahead() ? "kStages" : "kStages - 1";
  body->push_back(text(text_.slots() == 1 ? "copy_step(0);\n"
                                          : "for (int step = 0; step < " + ahead + "; ++step) copy_step(step);\n"));
}

void GemvWriter::add_copies_of_step(Block* body) {
  Statement rows = unrolled("r", "kRows");
  const Expr* r = kernel_.reference(rows.variable);
  const Variable* output = w_.let("output", w_.index, output_of(r, nullptr), &rows.body);
  const Variable* k = w_.let("k", w_.index, k_of(small("step"), r, nullptr), &rows.body);
  Expressions expressions = matrix_expressions(*matrix_.graph, output, k);
  const DemandNode& load = matrix_.graph->nodes[operands_.copied];
  choose_matrices(&w_, demand_, {load.instruction}, part_at(&w_, output), &expressions, &rows.body);
  const Variable* pointer = expressions.buffers.at(load.instruction);
  const Expr* from = kernel_.prefix("&", expressions.element(pointer, load.expr, load.dtype), pointer->type);
  const Expr* to = kernel_.prefix("&", slot(small("step"), r), {.kind = CType::Kind::kPointer, .dtype = copied_type()});
  std::vector<const Expr*> arguments = {to, from};
  const Expr* test = inside(output, k);
  // Numbers may be loaded where there is an element alone, and no other element of a slot is read.
  const bool guarded = test != nullptr && reads_numbers(load.expr);
  if (test != nullptr && !guarded) arguments.push_back(test);
  const int64_t bytes = operands_.chunk_bytes(demand_);
  Statement copy = w_.call(bytes == 16 ? "copy_async" : "copy_async<" + std::to_string(bytes) + ">", arguments);
  rows.body.push_back(guarded ? Statement{.kind = StatementKind::kIf, .value = test, .body = {std::move(copy)}}
                              : std::move(copy));
  body->push_back(std::move(rows));
}

void GemvWriter::add_panel(Block* body) {
  blank(body);
  body->push_back(
      note((demand_.matrices.empty() ? value_name(*demand_.dot) : "products") + ": the vectors in shared memory"));
  if (text_.panels() > 1) body->push_back(w_.barrier());
  Statement all = by_threads("kVectors * kPanelK");
  const Expr* i = kernel_.reference(all.variable);
  const Expr* vector =
      kernel_.reference(w_.let("vector", kInteger, kernel_.infix(i, "/", small("kPanelK"), kInteger), &all.body));
  const Expr* of_panel =
      kernel_.reference(w_.let("k_of_panel", kInteger, kernel_.infix(i, "%", small("kPanelK"), kInteger), &all.body));
  const Expr* first = first_k_ == nullptr ? nullptr : kernel_.reference(first_k_);
  if (text_.panels() > 1) first = sum(first, w_.infix(w_.wide(small("panel")), "*", name("kPanelK")));
  const Variable* k = w_.let("k", w_.index, sum(first, of_panel), &all.body);
  std::map<int, const Expr*> coordinates = {{vectors_.outer, vector}, {vectors_.k, kernel_.reference(k)}};
  if (batch_ != nullptr) coordinates[vectors_.batch] = kernel_.reference(batch_);
  Expressions expressions = w_.expressions_of(*vectors_.graph, coordinates);
  expressions.constants[operands_.k] = "kK";
  read_numbers(&kernel_, demand_.statistics, text_.statistics, demand_.statistics.reads, vector, &expressions);
  Block store;
  const Expr* value = value_of(*vectors_.graph, expressions, x_type_, &store);
  const Expr* target = element("shared.x", {vector, x_at(of_panel)}, x_type_);
  store.push_back(w_.assign(target, value));
  // Part of a step, or, of the last panel, of a panel.
  const bool guarded = operands_.k != shape_.panel_k * text_.panels() * form_.splits;
  if (guarded) {
    Statement test = {.kind = StatementKind::kIf, .value = below(k, "kK"), .body = std::move(store)};
    test.other.push_back(w_.assign(target, kernel_.literal(Literal(Shape::scalar(x_type_)))));
    all.body.push_back(std::move(test));
  } else {
    all.body.insert(all.body.end(), store.begin(), store.end());
  }
  body->push_back(std::move(all));
  body->push_back(w_.barrier());
  blank(body);
  add_steps(body);
}

void GemvWriter::add_steps(Block* body) {
  Statement steps = w_.counted_loop("step", "", "kSteps");
  if (text_.panels() > 1) {
    steps.begin = kernel_.infix(small("panel"), "*", small("kPanelSteps"), kInteger);
    steps.value = kernel_.infix(kernel_.infix(small("panel"), "+", kernel_.integer(1), kInteger), "*",
                                small("kPanelSteps"), kInteger);
    if (shape_.split_k % shape_.panel_k != 0) {
      const Expr* is_full = kernel_.infix(steps.value, "<", small("kSteps"), kPred);
      const Expr* end = kernel_.conditional(is_full, steps.value, small("kSteps"));
      steps.value = kernel_.reference(w_.let("end", kInteger, end, body));
    }
  }
  if (copies() && !form_.resident) {
    steps.body.push_back(text(!text_.all_ahead() ? "copy_step(step + kStages - 1);\nwait_copies<kStages - 1>();\n"
                              : text_.slots() == 1
                                  ? "wait_copies<0>();\n"
                                  : "commit_copies();  // an empty group, so that a step's is waited for\n"
                                    "wait_copies<kStages>();\n"));
  }
  add_elements(kernel_.reference(steps.variable), &steps.body);
  add_gemv_products(&w_, text_, *vectors_.graph, {x_type_, sum_type_}, kernel_.reference(steps.variable), &steps.body);
  body->push_back(std::move(steps));
}

std::string GemvWriter::add_pieces(const PieceLoad& load, const Expr* step, const Expr* r, Block* body) {
  const DemandNode& node = matrix_.graph->nodes[load.node];
  const std::string count = std::to_string(load.elements);
  std::string pieces = w_.expressions_of(*matrix_.graph, {}).buffers.at(node.instruction)->name + "_pieces";
  // An array may be read at several places.
  for (const PieceLoad& before : pieces_) {
    if (&before == &load) break;
    if (matrix_.graph->nodes[before.node].instruction == node.instruction) pieces += "_2";
  }
  body->push_back(text("Vector<" + cuda(node.dtype) + ", " + count + "> " + pieces + "[kChunk / " + count + "];\n"));
  Statement all = unrolled("piece", "kChunk / " + count);
  const Expr* piece = kernel_.reference(all.variable);
  const Expr* first = kernel_.infix(piece, "*", kernel_.integer(load.elements), kInteger);
  const Variable* output = w_.let("output", w_.index, output_of(r, first), &all.body);
  const Variable* k = w_.let("k", w_.index, k_of(step, r, first), &all.body);
  Expressions expressions = matrix_expressions(*matrix_.graph, output, k);
  const Variable* pointer = expressions.buffers.at(node.instruction);
  const Expr* from = kernel_.prefix("&", expressions.element(pointer, node.expr, node.dtype), pointer->type);
  const CType vector = {.kind = CType::Kind::kVector, .dtype = node.dtype, .length = load.elements};
  all.body.push_back(w_.assign(kernel_.subscript(kernel_.name_expr(pieces), piece, vector),
                               kernel_.call("load_vector<" + count + ">", {from}, vector)));
  drop_unread_indices(&all.body, all.body);
  body->push_back(std::move(all));
  return pieces;
}

void GemvWriter::add_elements(const Expr* step, Block* body) {
  body->push_back(text(cuda(sum_type_) + " elements[kRows][kChunk]" +
                       (whole_k() && whole_outputs() && demand_.parts.empty == 0 ? "" : " = {}") + ";\n"));
  Statement rows = unrolled("r", "kRows");
  const Expr* r = kernel_.reference(rows.variable);
  Statement all = unrolled("e", "kChunk");
  const Expr* e = kernel_.reference(all.variable);
  const Variable* output = w_.let("output", w_.index, output_of(r, e), &all.body);
  const Variable* k = w_.let("k", w_.index, k_of(step, r, e), &all.body);
  Expressions expressions = matrix_expressions(matrix_graph_, output, k);
  Block value;
  choose_matrices(&w_, demand_, loaded_arrays(matrix_graph_), part_at(&w_, output), &expressions, &value);
  if (copies()) {
    const DType dtype = copied_type();
    // A chunk in one access, which no other lane's is in the way of.
    CType chunk = {.kind = CType::Kind::kVector, .dtype = dtype, .length = operands_.chunk};
    chunk.extent = "kChunk";
    const Variable* copy = w_.let("chunk", chunk, slot(step, r), &rows.body);
    const Expr* copied = kernel_.subscript(kernel_.reference(copy), e, CType::value(dtype));
    const Instruction* array = matrix_graph_.nodes[operands_.copied].instruction;
    const std::string of_one = expressions.buffers.at(array)->name + "_value";
    Variable* variable = w_.let(text_.has_matrices ? "element" : of_one, CType::value(dtype), copied, &value);
    for (size_t id = 0; id < matrix_graph_.nodes.size(); ++id) {
      if (operands_.is_copied(*matrix_.graph, static_cast<NodeId>(id)))
        expressions.variables[static_cast<NodeId>(id)] = variable;
    }
  }
  for (const PieceLoad& load : pieces_) {
    const DemandNode& node = matrix_.graph->nodes[load.node];
    const Expr* elements = kernel_.integer(load.elements);
    const Expr* piece = kernel_.subscript(kernel_.name_expr(add_pieces(load, step, r, &rows.body)),
                                          kernel_.infix(e, "/", elements, kInteger), CType::value(node.dtype));
    const Expr* element = kernel_.subscript(piece, kernel_.infix(e, "%", elements, kInteger), CType::value(node.dtype));
    expressions.variables[load.node] =
        w_.let(expressions.buffers.at(node.instruction)->name + "_value", CType::value(node.dtype), element, &value);
  }
  const Expr* result = value_of(matrix_graph_, expressions, sum_type_, &value);
  value.push_back(w_.assign(element("elements", {r, e}, sum_type_), result));
  if (const Expr* test = inside(output, k)) {
    all.body.push_back({.kind = StatementKind::kIf, .value = test, .body = std::move(value)});
  } else {
    all.body.insert(all.body.end(), value.begin(), value.end());
  }
  drop_unread_indices(&all.body, all.body);
  rows.body.push_back(std::move(all));
  body->push_back(std::move(rows));
}

}  // namespace sinter
