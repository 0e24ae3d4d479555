#include "passes/lower/write/row_vectors.h"

#include <algorithm>

#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/write/writer.h"
#include "passes/stages/domain/row_width.h"
#include "passes/stages/domain/vectorize.h"

namespace sinter {

using StatementKind = Statement::Kind;

bool uses_column(const DemandGraph& graph, const ColumnPhase& phase) {
  const auto of_phase = [&](const auto& access) { return access.reads_coordinate(phase.coordinate); };
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [&](const DemandNode& node) { return of_phase(node.expr); }) ||
         std::any_of(graph.stores.begin(), graph.stores.end(),
                     [&](const DemandStore& store) { return of_phase(store.offset); });
}

// The phase's coordinate is that of the first neighbour.
std::vector<Writer::RecordsRead> Writer::records_read(const ColumnPhase& phase) {
  const int64_t width = options_.rows->width;
  std::vector<RecordsRead> reads;
  std::map<std::pair<const Variable*, IndexExpr>, const Variable*> arrays;
  for (const auto& [id, record] : row_records(graph_, phase, width).loads) {
    const auto pointer = expressions_.buffers.find(graph_.nodes[id].instruction);
    if (pointer == expressions_.buffers.end()) continue;
    const Variable*& array = arrays[{pointer->second, record.first}];
    if (array == nullptr) {
      CType type = {.kind = CType::Kind::kArray, .dtype = pointer->second->type.dtype};
      type.length = record.size * width;
      type.extent = (width > 1 ? "kWidth * " : "") + std::to_string(record.size);
      Variable* values = kernel_.variable(pointer->second->name + (width > 1 ? "_records" : "_record"), type);
      array = values;
      reads.emplace_back(values, element_address(pointer->second, expressions_.index(record.first)));
    }
    expressions_.records[{pointer->second, graph_.nodes[id].expr}] = {array, record.size, record.part, width == 1};
  }
  return reads;
}

// Those of which the statements use anything.
void Writer::add_loads(const std::vector<RecordsRead>& records, const Block& body, Block* loads) {
  for (const auto& [values, address] : records) {
    if (!mentions(body, values)) continue;
    kernel_.headers.insert("device/neighbour_access.cuh");
    const Expr* load =
        kernel_.call("load_neighbours", {kernel_.reference(values), address}, {.kind = CType::Kind::kVoid});
    loads->push_back({.kind = StatementKind::kDeclare, .variable = values});
    loads->push_back({.kind = StatementKind::kExpression, .value = load});
  }
}

Block Writer::over_vectors(const ColumnPhase& phase, const std::vector<Variable*>& accumulators) {
  const WriteOptions::Rows& rows = *options_.rows;
  const CType index = CType::value(DType::kS32);
  const Expr* width = kernel_.name_expr("kWidth");
  Variable* k = kernel_.variable("k", index);
  Variable* first = kernel_.variable("first_" + rows.name, index);
  const auto vector_of = [&](const Variable* pointer) { return vector_variable(pointer, "_vector", rows.width); };
  const auto is_vector = [&](const IndexExpr& offset) {
    return is_vector_offset(graph_, offset, phase.coordinate, kNoBase, rows.width);
  };

  // Spelled in full: a name that other accesses share is one of the lanes', which stand behind it.
  const auto address_of = [&](const Variable* pointer, const IndexExpr& offset) {
    return element_address(pointer, expressions_.index(offset));
  };

  // Accesses begin at `first`.
  expressions_.coordinates[phase.coordinate] = kernel_.reference(first);
  Block loads, declarations, stores;
  for (const DemandNode& node : graph_.nodes) {
    if (!is_plain_load(node) || !is_vector(node.expr)) continue;
    const auto pointer = expressions_.buffers.find(node.instruction);
    if (pointer == expressions_.buffers.end()) continue;  // what nothing needs is no parameter
    Variable*& vector = expressions_.vectors[{pointer->second, node.expr}];
    if (vector != nullptr) continue;
    vector = vector_of(pointer->second);
    loads.push_back(load_vector(vector, address_of(pointer->second, node.expr)));
  }
  const std::vector<RecordsRead> records = records_read(phase);
  for (const DemandStore& store : graph_.stores) {
    if (store.scope != phase.scope || !is_vector(store.offset)) continue;
    const Variable* pointer = expressions_.output_buffers.at(store.value);
    Variable* vector = expressions_.vectors[{pointer, store.offset}] = vector_of(pointer);
    declarations.push_back({.kind = StatementKind::kDeclare, .variable = vector});
    stores.push_back(store_vector(vector, address_of(pointer, store.offset)));
  }

  Variable* i = kernel_.variable("i", index);
  Variable* column = kernel_.variable(rows.name, index);
  const Expr* outer_slot = expressions_.slot;
  expressions_.coordinates[phase.coordinate] = kernel_.reference(column);
  expressions_.slot = kernel_.infix(kernel_.reference(k), "+", kernel_.reference(i), index);
  expressions_.lane = kernel_.reference(i);
  Statement lanes = {.kind = StatementKind::kFor, .variable = i, .value = width};
  lanes.begin = kernel_.integer(0);
  lanes.unroll = Statement::kUnrollFully;
  lanes.body = at_column(phase, accumulators);
  expressions_.slot = outer_slot;
  expressions_.lane = nullptr;

  std::erase_if(loads, [&](const Statement& load) { return !mentions(lanes.body, load.variable); });
  if (!loads.empty() || !stores.empty()) kernel_.headers.insert("device/vector_access.cuh");
  const bool by_column = mentions(lanes.body, column);
  if (by_column) {
    const Expr* sum = kernel_.infix(kernel_.reference(first), "+", kernel_.reference(i), index);
    lanes.body.insert(lanes.body.begin(), let(column, sum, nullptr));
  }
  const Expr* own = kernel_.infix(rows.thread, "*", width, index);
  Statement groups = {.kind = StatementKind::kFor, .variable = rows.registers ? k : first, .step = rows.width};
  if (rows.registers) {
    groups.begin = kernel_.integer(0);
    groups.value = kernel_.name_expr("kPerThread");
    groups.text = "kWidth";
    groups.unroll = Statement::kUnrollFully;
    const Expr* group = kernel_.infix(kernel_.reference(k), "*", kernel_.name_expr(rows.threads_name), index);
    groups.body.push_back(let(first, kernel_.infix(group, "+", own, index), nullptr));
  } else {
    groups.begin = own;
    groups.value = rows.count;
    groups.step *= rows.threads;
    groups.text = rows.threads_name + " * kWidth";
  }
  add_loads(records, lanes.body, &loads);
  Block group = std::move(loads);
  group.insert(group.end(), declarations.begin(), declarations.end());
  group.push_back(std::move(lanes));
  group.insert(group.end(), stores.begin(), stores.end());
  if (rows.registers && !rows.exact) {
    Statement inside = {.kind = StatementKind::kIf};
    inside.value = kernel_.infix(kernel_.reference(first), "<", rows.count, CType::value(DType::kPred));
    inside.body = std::move(group);
    group = {std::move(inside)};
  }
  groups.body.insert(groups.body.end(), group.begin(), group.end());
  return {std::move(groups)};
}

}  // namespace sinter
