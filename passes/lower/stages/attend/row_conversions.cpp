// Elements of rows, computed of what is in shared memory as it was in device memory.
#include "passes/demand/lane_steps.h"
#include "passes/demand/nodes_below.h"
#include "passes/demand/nodes_read.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/attend/row_loads.h"
#include "passes/lower/stages/attend/row_parts.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/stages/attend/row_source.h"

namespace sinter {

namespace {

// What is the same for all elements of a row, and is read by what differs among them; not numbers.
std::vector<NodeId> values_of_row(const DemandGraph& graph, const std::vector<bool>& along) {
  std::vector<NodeId> values;
  for (const NodeId id : nodes_below(graph, graph.results)) {
    if (!along[id] || graph.nodes[id].kind == DemandNode::Kind::kLoad) continue;
    for (const NodeId read : nodes_read(graph, id)) {
      const bool is_number = graph.nodes[read].kind == DemandNode::Kind::kConstant;
      if (!along[read] && !is_number && std::ranges::find(values, read) == values.end()) values.push_back(read);
    }
  }
  return values;
}

}  // namespace

Statement convert_rows(StageWriter& w, const RowConversions& conversions) {
  const RowLoads& rows = conversions.rows;
  const DemandGraph& graph = *rows.operand->graph;
  Kernel& kernel = w.kernel;
  const auto integer = [&](const Expr* a, const char* op, const Expr* b) { return kernel.infix(a, op, b, kInteger); };
  const std::string count_of_all = rows.rows + " * " + rows.copies_of_row;
  Statement all = rows.by_warp ? w.counted_loop("i", "lane", count_of_all, kWarp, "kWarp")
                               : w.counted_loop("i", "thread", count_of_all, rows.threads, "kThreads");
  all.unroll = conversions.unroll;
  const Expr *i = kernel.reference(all.variable), *count = kernel.name_expr(rows.copies_of_row);
  const std::string width = std::to_string(conversions.width);
  const bool is_chunk = conversions.width == rows.chunk;
  const Expr* width_name = kernel.name_expr(is_chunk ? "kChunk" : width);
  const Variable* row = w.let("row", kInteger, integer(i, "/", count), &all.body);
  const Expr* place = integer(integer(i, "%", count), "*", width_name);
  const Variable* inner = w.let(rows.inner, kInteger, place, &all.body);
  const Variable* outer = w.let(rows.outer, w.index, w.infix(rows.first, "+", kernel.reference(row)), &all.body);
  const auto below = [&](const Variable* variable, const std::string& limit) {
    return kernel.infix(kernel.reference(variable), "<", kernel.name_expr(limit, w.index), kPred);
  };
  const Expr* inside =
      w.both(rows.whole ? nullptr : below(outer, rows.outer_limit), rows.full ? nullptr : below(inner, rows.limit));
  const auto in_rows = [&](const std::string& array, const std::string& stride, DType dtype) {
    const CType type = CType::value(dtype), pointer = {.kind = CType::Kind::kPointer, .dtype = dtype};
    const Expr* at =
        integer(integer(kernel.reference(row), "*", kernel.name_expr(stride)), "+", kernel.reference(inner));
    return kernel.prefix("&", kernel.subscript(kernel.name_expr(array, type), at, type), pointer);
  };
  CType vector = {.kind = CType::Kind::kVector, .dtype = rows.dtype, .length = conversions.width};
  if (is_chunk) vector.extent = "kChunk";
  Variable* elements = kernel.variable("elements", vector);
  all.body.push_back({.kind = Statement::Kind::kDeclare, .variable = elements, .value = kernel.braces({}, vector)});

  Block computed;
  const CType raw_vector = {.kind = CType::Kind::kVector, .dtype = conversions.dtype, .length = conversions.width};
  const Expr* load =
      kernel.call("load_vector<" + width + ">", {in_rows(conversions.from, rows.depth, conversions.dtype)}, raw_vector);
  const Variable* raw = w.let("raw_elements", raw_vector, load, &computed);
  const Expr *of_outer = kernel.reference(outer), *of_inner = w.wide(kernel.reference(inner));
  const int along_id = rows.inner_is_k ? rows.operand->k : rows.operand->outer;
  const std::map<int, const Expr*> coordinates = {{rows.operand->batch, rows.batch},
                                                  {rows.operand->outer, rows.inner_is_k ? of_outer : of_inner},
                                                  {rows.operand->k, rows.inner_is_k ? of_inner : of_outer}};
  const std::vector<NodeId> values = values_of_row(graph, nodes_along(graph, along_id));
  const auto is_given = [&](NodeId id) {
    return id == conversions.loaded || std::ranges::find(values, id) != values.end();
  };
  const GraphPart of_elements = part_of(graph, graph.results, is_given);
  Expressions expressions = w.expressions_of(of_elements.graph, coordinates);
  if (!values.empty()) {
    const GraphPart of_row = part_of(graph, values);
    Expressions numbers = w.expressions_of(of_row.graph, coordinates);
    const std::vector<const Expr*> spelled = w.results_of(of_row.graph, numbers, &computed);
    for (size_t v = 0; v < values.size(); ++v) {
      const Expr* value = spelled[v];
      if (value->kind != Expr::Kind::kVariable)
        value = kernel.reference(w.let("of_row", CType::value(graph.nodes[values[v]].dtype), value, &computed));
      expressions.members[of_elements.nodes.at(values[v])] = value;
    }
  }
  Statement each = w.counted_loop("e", "", is_chunk ? "kChunk" : width);
  each.unroll = Statement::kUnrollFully;
  const Expr* e = kernel.reference(each.variable);
  const CType raw_type = CType::value(conversions.dtype), type = CType::value(rows.dtype);
  expressions.members[of_elements.nodes.at(conversions.loaded)] = kernel.subscript(kernel.reference(raw), e, raw_type);
  const Expr* element = w.results_of(of_elements.graph, expressions, &each.body)[0];
  each.body.push_back(w.assign(kernel.subscript(kernel.reference(elements), e, type), element));
  computed.push_back(std::move(each));
  if (inside == nullptr) {
    all.body.insert(all.body.end(), computed.begin(), computed.end());
  } else {
    all.body.push_back({.kind = Statement::Kind::kIf, .value = inside, .body = std::move(computed)});
  }
  all.body.push_back(w.call("store_vector", {in_rows(rows.to, rows.stride, rows.dtype), kernel.reference(elements)}));
  drop_unread_indices(&all.body, all.body);
  return all;
}

}  // namespace sinter
