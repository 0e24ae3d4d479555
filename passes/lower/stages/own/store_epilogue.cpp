#include "passes/lower/stages/own/store_epilogue.h"

#include <algorithm>

#include "passes/lower/write/write_kernel.h"

namespace sinter {

namespace {

int64_t readers(const Epilogue& part) {
  int64_t count = 0;
  for (const NodeId element : part.elements) {
    for (const DemandNode& node : part.graph->nodes)
      count += std::count(node.operands.begin(), node.operands.end(), element);
    for (const DemandStore& store : part.graph->stores) count += store.node == element;
  }
  return count;
}

}  // namespace

void store_epilogue(const StageInput& input, StageWriter& writer, const EpilogueDemand& epilogue,
                    const StoredElement& stored, Block* block) {
  const bool several = epilogue.parts.size() > 1;
  const auto named = [&](Block* where) {
    return writer.let(stored.name, CType::value(stored.source->shape.dtype), stored.value, where);
  };
  Variable* element = several ? named(block) : nullptr;
  for (const Epilogue& part : epilogue.parts) {
    Block statements;
    if (!several && readers(part) > 1) element = named(&statements);
    Expressions expressions = writer.expressions_of(*part.graph, stored.coordinates);
    for (const auto& [number, name] : stored.constants) expressions.constants[number] = name;
    for (const NodeId node : part.elements) {
      if (element != nullptr) {
        expressions.variables[node] = element;
      } else {
        expressions.members[node] = stored.value;
      }
    }
    const Expr* condition = expressions.in_range(part.tests);
    const Block stores = write_block(input.module, *part.graph, expressions, {});
    statements.insert(statements.end(), stores.begin(), stores.end());
    if (condition == nullptr) {
      block->insert(block->end(), statements.begin(), statements.end());
    } else {
      block->push_back({.kind = Statement::Kind::kIf, .value = condition, .body = std::move(statements)});
    }
  }
}

}  // namespace sinter
