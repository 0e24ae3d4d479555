#include "passes/lower/stages/own/levels_lowering.h"

#include <cstdio>
#include <functional>

#include "ir/support/diagnostics.h"

namespace sinter {

void LevelsLowering::write_wide(size_t p, Place place, const Expr* column, Block* block) {
  const LevelPass& pass = levels_.passes[p];
  const bool at_once = rows_of_thread(pass, levels_, form_) == 1;
  kernel_.headers.insert(pass.packed ? "device/packed_bytes.cuh" : "device/vector_access.cuh");
  std::vector<const Variable*> arrays;
  const auto declare = [&](size_t i, Block* to) {
    CType type = CType::value(DType::kU32);
    if (pass.packed) {
      type.kind = at_once ? CType::Kind::kValue : CType::Kind::kArray;
    } else {
      type = CType::named("Vector<" + std::string(dtype_cuda_name(pass.values[i]->shape.dtype)) + ", kWidth>");
    }
    if (!at_once) {
      type.length = rows_of_thread(pass, levels_, form_);
      type.extent = passes_[p].constant + "RowsOfThread";
    }
    Variable* array = kernel_.variable(name_of(pass.values[i]) + "_values", type);
    to->push_back({.kind = Kind::kDeclare, .variable = array});
    return array;
  };
  const auto vector = [&](size_t i, const Expr* r) {
    const Expr* array = ref(arrays[i]);
    return at_once ? array : kernel_.subscript(array, r, CType::value(pass.values[i]->shape.dtype));
  };
  for (size_t i = 0; i < pass.values.size() && !at_once; ++i) arrays.push_back(declare(i, block));
  for_rows(p, block, [&](const Expr* r, Block* inner) {
    place.r = r;
    const Expr* row = row_of(p, place, inner);
    const Near near = load_near(p, place, row, column, inner);
    if (at_once) {
      arrays.clear();
      for (size_t i = 0; i < pass.values.size(); ++i) arrays.push_back(declare(i, inner));
    }
    if (pass.packed) {
      const std::vector<const Expr*> values = packed_values(p, near, inner);
      for (size_t i = 0; i < values.size(); ++i) {
        inner->push_back(w_.assign(vector(i, r), values[i]));
        if (at_once) store(p, pass.values[i], vector(i, r), place, row, column, inner, /*wide=*/true);
      }
      return;
    }
    Statement loop = w_.counted_loop("k", "", "kWidth");
    loop.unroll = Statement::kUnrollFully;
    const Expr* k = ref(loop.variable);
    const std::vector<const Expr*> values = values_near(p, row, column, k, near, &loop.body);
    for (size_t i = 0; i < arrays.size(); ++i)
      loop.body.push_back(w_.assign(kernel_.subscript(vector(i, r), k, values[i]->type), values[i]));
    inner->push_back(std::move(loop));
    for (size_t i = 0; i < arrays.size() && at_once; ++i)
      store(p, pass.values[i], vector(i, r), place, row, column, inner, /*wide=*/true);
  });
  if (at_once) return;
  for_rows(p, block, [&](const Expr* r, Block* inner) {
    place.r = r;
    const Expr* row = row_of(p, place, inner);
    for (size_t i = 0; i < pass.values.size(); ++i)
      store(p, pass.values[i], vector(i, r), place, row, column, inner, /*wide=*/true);
  });
}

LevelsLowering::Near LevelsLowering::load_near(size_t p, const Place& place, const Expr* row, const Expr* column,
                                               Block* block) {
  const LevelPass& pass = levels_.passes[p];
  const LevelGraph& of = *pass.inside;
  Near near;
  for (const WideRead& read : *pass.wide) {
    CType type = CType::value(read.array->shape.dtype);
    const CType element = type;
    if (pass.packed) type = CType::value(DType::kU32);
    type.kind = CType::Kind::kArray;
    type.length = pass.packed ? read.count / kWideColumns : read.count;
    const Expr* from = nullptr;
    std::string hint;
    if (read.level) {
      const PassText& text = passes_[levels_.levels[*read.level].pass];
      const LevelPass& level = levels_.passes[levels_.levels[*read.level].pass];
      Expressions expressions = expressions_at(of, row, column);
      const Expr* down = nullptr;
      if (!is_line())
        down = in_level(read.row, add(place.first, place.r), level.row_reach.before - pass.row_reach.before, text.row,
                        &expressions);
      hint = level_names_[*read.level];
      from = kernel_.prefix("&", shared_element(*read.level, down, plus(place.column, read.first)), element);
    } else {
      const Variable* pointer = w_.inputs.at(read.array);
      hint = pointer->name;
      from = kernel_.prefix(
          "&", kernel_.subscript(ref(pointer), expressions_at(of, row, column).index(read.offset), element), element);
    }
    if (!pass.packed) kernel_.headers.insert("device/neighbour_access.cuh");
    Variable* array = kernel_.variable(hint + "_near", type);
    block->push_back({.kind = Kind::kDeclare, .variable = array});
    block->push_back(w_.call(pass.packed ? "load_words" : "load_neighbours", {ref(array), from}));
    for (const auto& [node, first] : read.nodes) near[node] = {array, first};
  }
  return near;
}

std::vector<const Expr*> LevelsLowering::values_near(size_t p, const Expr* row, const Expr* column, const Expr* k,
                                                     const Near& near, Block* block) {
  const LevelGraph& of = *levels_.passes[p].inside;
  Expressions expressions = expressions_at(of, row, kernel_.infix(column, "+", k, kInteger));
  for (const auto& [node, place] : near)
    expressions.members[node] =
        kernel_.subscript(ref(place.first), plus(k, place.second), CType::value(of.graph->nodes[node].dtype));
  return w_.results_of(*of.graph, expressions, block);
}

std::vector<const Expr*> LevelsLowering::packed_values(size_t p, const Near& near, Block* block) {
  const DemandGraph& graph = *levels_.passes[p].inside->graph;
  const CType word = CType::value(DType::kU32);
  const auto four = [&](int64_t byte) {  // 0x03030303u
    char text[16];
    std::snprintf(text, sizeof(text), "0x%08xu", static_cast<unsigned>(byte & 0xff) * 0x01010101u);
    return kernel_.name_expr(text, word);
  };
  std::map<NodeId, const Expr*> known;
  const std::function<const Expr*(NodeId)> value = [&](NodeId id) -> const Expr* {
    if (const auto found = known.find(id); found != known.end()) return found->second;
    const DemandNode& node = graph.nodes[id];
    if (const auto place = near.find(id); place != near.end()) {
      const auto& [words, first] = place->second;
      const Expr* read = first % kWideColumns == 0
                             ? kernel_.subscript(ref(words), kernel_.integer(first / kWideColumns), word)
                             : kernel_.call("bytes_from<" + std::to_string(first) + ">", {ref(words)}, word);
      return known[id] = read;
    }
    if (node.kind == DemandNode::Kind::kConstant)
      return known[id] =
                 four(node.dtype == DType::kPred && node.literal.integer_at(0) != 0 ? 1 : node.literal.integer_at(0));
    std::vector<const Expr*> operands;
    for (const NodeId operand : node.operands) operands.push_back(value(operand));
    const Expr* made = nullptr;
    const auto call = [&](const char* function) { made = kernel_.call(function, operands, word); };
    const auto infix = [&](const char* op) { made = kernel_.infix(operands[0], op, operands[1], word); };
    const bool is_truth = node.dtype == DType::kPred;
    switch (node.instruction->opcode) {
      case Opcode::kAdd:
        call("add_bytes");
        break;
      case Opcode::kSubtract:
        call("subtract_bytes");
        break;
      case Opcode::kAnd:
        infix("&");
        break;
      case Opcode::kOr:
        infix("|");
        break;
      case Opcode::kXor:
        infix("^");
        break;
      case Opcode::kNot:
        made = is_truth ? kernel_.infix(operands[0], "^", four(1), word) : kernel_.prefix("~", operands[0], word);
        break;
      case Opcode::kCompare:
        call(*node.instruction->attributes->direction == "EQ" ? "equal_bytes" : "differ_bytes");
        break;
      case Opcode::kSelect:
        call("select_bytes");
        break;
      case Opcode::kConvert:
        if (!is_truth || graph.nodes[node.operands[0]].dtype == DType::kPred) return known[id] = operands[0];
        made = kernel_.call("differ_bytes", {operands[0], four(0)}, word);
        break;
      default:
        check(false, "lower", "an operation that bytes in words have none of");
    }
    return known[id] = ref(w_.let(value_name(*node.instruction), word, made, block));
  };
  std::vector<const Expr*> values;
  for (const NodeId result : graph.results) values.push_back(value(result));
  return values;
}

void LevelsLowering::write_each(size_t p, Place place, Block* block) {
  Statement loop = w_.counted_loop("k", "", "kWidth");
  place.column = kernel_.infix(place.column, "+", ref(loop.variable), kInteger);
  const Expr* column = ref(w_.let("column", kInteger, add(ref(passes_[p].column), place.column), &loop.body));
  write_anywhere(p, place, column, &loop.body);
  block->push_back(std::move(loop));
}

}  // namespace sinter
