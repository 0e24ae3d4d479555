// Statements of a map kernel whose threads take several neighbouring elements.
#include <algorithm>
#include <iterator>

#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/lower/write/writer.h"

namespace sinter {

using StatementKind = Statement::Kind;
using NodeKind = DemandNode::Kind;

// The lanes of a vectorised map kernel: contiguous operands with one access each, the elements, contiguous results.
void Writer::write_lanes(Block* block) {
  const WriteOptions::Lanes& lanes = *options_.lanes;
  kernel_.headers.insert("device/vector_access.cuh");
  // Accesses are keyed by their offset with the lane, spelled by their offset at lane 0.
  const auto first_of = [&](const IndexExpr& offset) {
    return offset.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
      if (atom.kind == IndexExpr::AtomKind::kCoordinate && atom.id == lanes.lane) return IndexExpr(0);
      return std::nullopt;
    });
  };
  // nullptr where it is there already, or the access is no vector's.
  const auto new_vector = [&](const Variable* pointer, const IndexExpr& offset) -> Variable* {
    if (!lanes.aligned(offset)) return nullptr;
    Variable*& variable = expressions_.vectors[{pointer, offset}];
    if (variable != nullptr) return nullptr;
    return variable = vector_variable(pointer, "_values", lanes.width);
  };
  Block loads, declarations;
  for (const auto& [offset_node, node] : lanes.loads) {
    const DemandNode& load = graph_.nodes[node];
    const auto pointer = expressions_.buffers.find(load.instruction);
    if (pointer == expressions_.buffers.end()) continue;  // what nothing needs is no parameter
    Variable* variable = new_vector(pointer->second, load.expr);
    if (variable != nullptr) loads.push_back(load_vector(variable, pointer->second, first_of(load.expr)));
  }
  std::vector<std::pair<const DemandStore*, Variable*>> stores;
  for (const DemandStore& store : graph_.stores) {
    if (store.scope != lanes.scope) continue;
    const Variable* pointer = expressions_.output_buffers.at(store.value);
    Variable* variable = new_vector(pointer, store.offset);
    if (variable == nullptr) continue;
    declarations.push_back({.kind = StatementKind::kDeclare, .variable = variable});
    stores.emplace_back(&store, variable);
  }
  Statement loop;
  loop.kind = StatementKind::kFor;
  loop.variable = kernel_.variable("k", CType::value(DType::kS32));
  loop.begin = kernel_.integer(0);
  loop.value = kernel_.name_expr("kWidth");
  loop.unroll = Statement::kUnrollFully;
  expressions_.slot = kernel_.reference(loop.variable);
  expressions_.coordinates[lanes.lane] = expressions_.slot;
  loop.body = scope(lanes.scope);
  std::erase_if(loads, [&](const Statement& load) { return !mentions(loop.body, load.variable); });
  std::move(loads.begin(), loads.end(), std::back_inserter(*block));
  std::move(declarations.begin(), declarations.end(), std::back_inserter(*block));
  block->push_back(std::move(loop));
  for (const auto& [store, variable] : stores) {
    const Variable* pointer = expressions_.output_buffers.at(store->value);
    block->push_back(store_vector(variable, pointer, first_of(store->offset)));
  }
}

Variable* Writer::vector_variable(const Variable* pointer, std::string_view suffix, int64_t width) {
  CType type = CType::value(pointer->type.dtype);
  type.kind = CType::Kind::kVector;
  type.length = width;
  type.extent = std::string("kWidth");
  return kernel_.variable(pointer->name + std::string(suffix), type);
}

// Spelled in full: a name that other accesses share is one of the lanes', which stand behind it.
const Expr* Writer::element_address(const Variable* pointer, const IndexExpr& offset) {
  return kernel_.infix(kernel_.reference(pointer), "+", expressions_.index(offset), pointer->type);
}

Statement Writer::load_vector(Variable* vector, const Variable* pointer, const IndexExpr& offset) {
  return let(vector, kernel_.call("load_vector<kWidth>", {element_address(pointer, offset)}, vector->type), nullptr);
}

Statement Writer::store_vector(const Variable* vector, const Variable* pointer, const IndexExpr& offset) {
  return {.kind = StatementKind::kExpression,
          .value = kernel_.call("store_vector", {element_address(pointer, offset), kernel_.reference(vector)},
                                {.kind = CType::Kind::kVoid})};
}

}  // namespace sinter
