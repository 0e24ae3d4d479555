#include "passes/lower/stages/own/levels_lowering.h"

namespace sinter {

void LevelsLowering::write_wide(size_t p, Place place, const Expr* column, Block* block) {
  const LevelPass& pass = levels_.passes[p];
  const bool at_once = rows_of_thread(pass, levels_, form_) == 1;
  kernel_.headers.insert("device/vector_access.cuh");
  std::vector<const Variable*> arrays;
  const auto declare = [&](size_t i, Block* to) {
    CType type = {.kind = CType::Kind::kNamed};
    type.name = "Vector<" + std::string(dtype_cuda_name(pass.values[i]->shape.dtype)) + ", kWidth>";
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
    type.kind = CType::Kind::kArray;
    type.length = read.count;
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
    kernel_.headers.insert("device/neighbour_access.cuh");
    Variable* array = kernel_.variable(hint + "_near", type);
    block->push_back({.kind = Kind::kDeclare, .variable = array});
    block->push_back(w_.call("load_neighbours", {ref(array), from}));
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

void LevelsLowering::write_each(size_t p, Place place, Block* block) {
  Statement loop = w_.counted_loop("k", "", "kWidth");
  place.column = kernel_.infix(place.column, "+", ref(loop.variable), kInteger);
  const Expr* column = ref(w_.let("column", kInteger, add(ref(passes_[p].column), place.column), &loop.body));
  write_anywhere(p, place, column, &loop.body);
  block->push_back(std::move(loop));
}

}  // namespace sinter
