// A sort's text. The first kernel reads the operands and sorts: a row a thread, a row a block, or a tile a block. Rows
// longer than a tile are then runs in scratch memory, one array a field, and every launch of the second kernel merges
// runs, from one set of scratch arrays into the other and at last into the results.
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/own/own_lowerings.h"

#include <algorithm>
#include <map>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/stages/own/sort_elements.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/names/value_names.h"
#include "passes/stages/own/sort_stage.h"

namespace sinter {

namespace {

using SortKind = SortForm::Kind;

class SortLowering {
 public:
  SortLowering(const StageInput& input, const SortDemand& demand)
      : input_(input), demand_(demand), form_(demand.form), rows_(demand.rows) {
    const Shape& shape = demand.sort->operand(0)->shape;
    index_ = std::max(shape.element_count(), rows_.rows * form_.tiles * form_.tile) > INT32_MAX
                 ? DType::kS64
                 : index_type_of(*demand.graph);
  }

  LoweredStage run() {
    add_fields();
    if (form_.kind == SortKind::kMerge) {
      for (int set = 0; set < (form_.levels > 1 ? 2 : 1); ++set) {
        for (const SortElements::Field& field : fields_) {
          stage_.scratch.push_back({field.name + "_runs", runs_shape(field)});
        }
      }
    }
    sort_kernel();
    if (form_.kind == SortKind::kMerge) merge_kernels();
    return std::move(stage_);
  }

 private:
  using Field = SortElements::Field;

  Shape runs_shape(const Field& field) const { return Shape::array(field.dtype, {rows_.rows, rows_.columns}); }

  // The values a field is stored in, or none.
  std::vector<const Instruction*> outputs_of(size_t operand) const {
    std::vector<const Instruction*> result;
    for (const Instruction* output : input_.values.outputs) {
      const bool own = output == demand_.sort || *output->attributes->tuple_index == static_cast<int64_t>(operand);
      if (own) result.push_back(output);
    }
    return result;
  }

  // A parameter's name; others are keys, which the comparator reads, or values.
  void add_fields() {
    const std::vector<Instruction*> parameters = (*demand_.sort->attributes->to_apply)->parameters();
    std::vector<std::string> names;
    for (const size_t operand : demand_.fields) {
      const Instruction* value = demand_.sort->operand(operand);
      while (opcode_family(value->opcode) == Family::kIndexMap && !value->operands().empty()) value = value->operand(0);
      const bool known = value->opcode == Opcode::kParameter && input_.names.count(value) > 0;
      std::string name = is_compared(*demand_.sort, operand) ? "key" : "value";
      if (known && !is_function(input_.names.at(value)) && input_.names.at(value).back() != '_') {
        name = input_.names.at(value);
      }
      names.push_back(std::move(name));
    }
    std::map<std::string, int> wanted, given;
    for (const std::string& name : names) ++wanted[name];
    for (size_t k = 0; k < names.size(); ++k) {
      std::string name = names[k];
      while (wanted[names[k]] > 1 && (name == names[k] || wanted.count(name) > 0)) {
        name = names[k] + "_" + std::to_string(++given[names[k]]);
      }
      const size_t operand = demand_.fields[k];
      fields_.push_back(
          {name, demand_.sort->operand(operand)->shape.dtype, parameters[2 * operand], parameters[2 * operand + 1]});
    }
  }

  bool several_rows() const { return rows_.rows > 1; }
  bool several_tiles() const { return form_.tiles > 1; }

  void add_rows(StageWriter& writer) const {
    if (several_rows()) writer.constexpr_int("kRows", rows_.rows);
    writer.constexpr_int("kColumns", rows_.columns);
  }

  void add_tiles(StageWriter& writer) const {
    writer.constexpr_int("kItems", form_.items, "", "elements a thread");
    writer.constexpr_int("kTile", form_.tile, "kThreads * kItems", std::to_string(form_.tile));
    writer.constexpr_int("kTiles", form_.tiles, "(kColumns + kTile - 1) / kTile", std::to_string(form_.tiles));
  }

  // The row, spelled; 0 where there is one only.
  const Expr* row_of(StageWriter& writer, const Expr* number, Block* body, Variable** tile) const {
    const CType integer = CType::value(DType::kS32);
    const Expr* tiles = writer.constant("kTiles");
    const Expr* row = writer.kernel.integer(0);
    if (several_rows()) {
      row = writer.kernel.reference(
          writer.let("row", writer.index,
                     writer.wide(several_tiles() ? writer.kernel.infix(number, "/", tiles, integer) : number), body));
    }
    if (tile != nullptr) {
      *tile =
          writer.let("tile", integer, several_rows() ? writer.kernel.infix(number, "%", tiles, integer) : number, body);
    }
    return row;
  }

  // Where element (row, column) of the results is.
  const Expr* result_offset(StageWriter& writer, const Expr* row, const Expr* column) const {
    DemandContext context = input_.values.context;
    DemandGraph graph(context);
    const int row_id = graph.add_coordinate(rows_.rows, CoordinateRole::kRow);
    const int column_id = graph.add_coordinate(rows_.columns, CoordinateRole::kColumn);
    const Shape& shape = demand_.sort->operand(0)->shape;
    const std::vector<IndexExpr> index =
        row_index(graph, row_id, column_id, shape, demand_.sort->attributes->dimensions->front());
    Expressions expressions = writer.expressions_of(graph, {{row_id, row}, {column_id, column}});
    expressions.constants[rows_.columns] = "kColumns";
    return expressions.index(linearize(index, shape.dims));
  }

  // element = {operand 0 at (row, column), ...};
  void load(StageWriter& writer, const SortElements& elements, const Expr* row, const Expr* column, const Expr* target,
            Block* block) const {
    Expressions expressions = writer.expressions_of(*demand_.graph, {{demand_.row, row}, {demand_.column, column}});
    expressions.constants[rows_.columns] = "kColumns";
    std::vector<const Expr*> values = writer.results_of(*demand_.graph, expressions, block);
    block->push_back(writer.assign(target, elements.make(std::move(values))));
  }

  // Every field of `element` to where its results are.
  void store(StageWriter& writer, const SortElements& elements, const Expr* row, const Expr* column,
             const Expr* element, Block* block) const {
    const Expr* offset = result_offset(writer, row, column);
    std::vector<std::pair<Variable*, size_t>> targets;
    for (size_t k = 0; k < demand_.fields.size(); ++k) {
      for (const Instruction* output : outputs_of(demand_.fields[k]))
        targets.emplace_back(writer.outputs.at(output), k);
    }
    if (targets.size() > 1 && offset->kind != Expr::Kind::kVariable) {
      offset = writer.kernel.reference(writer.let("i", writer.index, offset, block));
    }
    for (const auto& [pointer, field] : targets) {
      const CType type = CType::value(pointer->type.dtype);
      block->push_back(writer.assign(writer.kernel.subscript(writer.kernel.reference(pointer), offset, type),
                                     elements.field(element, field)));
    }
  }

  const Expr* element_at(StageWriter& writer, const SortElements& elements, const Expr* array, const Expr* i) const {
    return writer.kernel.subscript(array, i, elements.type());
  }

  void sort_kernel() {
    StageWriter writer(input_, "", index_);
    Kernel& kernel = writer.kernel;
    const bool merged_later = form_.kind == SortKind::kMerge;
    add_rows(writer);
    writer.constexpr_int("kThreads", form_.threads);
    if (form_.kind == SortKind::kBlock) writer.constexpr_int("kItems", form_.items, "", "elements a thread");
    if (merged_later) add_tiles(writer);
    writer.add_values(*demand_.graph, merged_later ? std::vector<const Instruction*>() : input_.values.outputs);
    std::vector<Variable*> runs;
    if (merged_later) {
      for (size_t k = 0; k < fields_.size(); ++k)
        runs.push_back(
            writer.add_pointer(fields_[k].name + "_runs", runs_shape(fields_[k]), true, StageArgument::scratch(k)));
    }
    writer.add_counter(*demand_.graph);
    kernel.headers.insert("device/block_sort.cuh");
    SortElements elements(writer, fields_);
    elements.add_before(**demand_.sort->attributes->to_apply);

    StageBody body;
    const int64_t rows = rows_.rows;
    const std::string threads = std::to_string(form_.threads) + " threads";
    if (form_.kind == SortKind::kThread) {
      body.set_tiles(form_.threads, ceil_div(rows, form_.threads),
                     !several_rows()             ? "1"
                     : rows % form_.threads == 0 ? "kRows / kThreads"
                                                 : "(kRows + kThreads - 1) / kThreads");
      body.write = [&](const Tile& tile, Block* block) { thread_body(writer, elements, tile.x, *block); };
      body.spread = "A row a thread, " + threads + " a block.";
    } else {
      body.set_tiles(form_.threads, rows * form_.tiles,
                     !merged_later    ? (several_rows() ? "kRows" : "1")
                     : several_rows() ? "kRows * kTiles"
                                      : "kTiles");
      body.write = [&](const Tile& tile, Block* block) { block_body(writer, elements, runs, tile.x, *block); };
      body.spread = (merged_later ? "A tile a block of " : "A row a block of ") + threads + ".";
    }
    body.graph = demand_.graph.get();
    body.elements = rows * rows_.columns;
    stage_.steps.push_back(add_kernel(&writer, body, &stage_));
  }

  void thread_body(StageWriter& writer, SortElements& elements, const Expr* tile, Block& body) {
    Kernel& kernel = writer.kernel;
    const CType integer = CType::value(DType::kS32);
    const Expr* row = kernel.integer(0);
    if (several_rows()) {
      const Expr* first = writer.infix(writer.wide(tile), "*", writer.constant("kThreads"));
      const Expr* thread = writer.infix(first, "+", kernel.name_expr("threadIdx.x"));
      row = kernel.reference(writer.let("row", writer.index, thread, &body));
      if (rows_.rows % form_.threads != 0) body.push_back(writer.leave(row, ">=", writer.constant("kRows")));
    } else {
      body.push_back(writer.leave(kernel.name_expr("threadIdx.x"), ">", kernel.integer(0)));
    }
    CType array = elements.type();
    array.length = rows_.columns;
    array.extent = "kColumns";
    if (array.kind == CType::Kind::kValue) array.kind = CType::Kind::kArray;
    Variable* items = kernel.variable("elements", array);
    body.push_back({.kind = Statement::Kind::kDeclare, .variable = items});
    const auto loop = [&](const auto& write) {
      Statement statement;
      statement.kind = Statement::Kind::kFor;
      statement.variable = kernel.variable("column", integer);
      statement.begin = kernel.integer(0);
      statement.value = writer.constant("kColumns");
      statement.unroll = Statement::kUnrollFully;
      const Expr* column = kernel.reference(statement.variable);
      write(column, element_at(writer, elements, kernel.reference(items), column), &statement.body);
      body.push_back(std::move(statement));
    };
    loop([&](const Expr* column, const Expr* element, Block* block) {
      load(writer, elements, row, column, element, block);
    });
    body.push_back(writer.call("thread_sort", {kernel.reference(items), writer.constant("kColumns"), before(kernel)}));
    loop([&](const Expr* column, const Expr* element, Block* block) {
      store(writer, elements, row, column, element, block);
    });
  }

  const Expr* before(Kernel& kernel) const { return kernel.call("Before", {}, CType::named("Before")); }

  // How many elements the tile has that begins at column `first`.
  const Expr* tile_count(StageWriter& writer, const Expr* first, Block* body) const {
    Kernel& kernel = writer.kernel;
    const CType integer = CType::value(DType::kS32);
    if (rows_.columns % form_.tile == 0) return writer.constant("kTile");
    kernel.headers.insert("device/maximum.cuh");
    const Expr* rest = kernel.infix(writer.constant("kColumns"), "-", first, integer);
    const Expr* count = kernel.call("minimum", {writer.constant("kTile"), rest}, integer);
    return kernel.reference(writer.let("count", integer, count, body));
  }

  void block_body(StageWriter& writer, SortElements& elements, const std::vector<Variable*>& runs, const Expr* number,
                  Block& body) {
    Kernel& kernel = writer.kernel;
    const CType integer = CType::value(DType::kS32);
    const bool tiled = form_.kind == SortKind::kMerge;
    elements.add_shared("elements", tiled ? "kTile" : "kColumns", tiled ? form_.tile : rows_.columns);
    const Variable* shared = writer.shared(&body);
    const Expr* array = kernel.member(kernel.reference(shared), "elements", elements.type());
    Variable* tile = nullptr;
    const Expr* row = row_of(writer, number, &body, tiled ? &tile : nullptr);
    const Expr* first = nullptr;  // column of the tile
    const Expr* count = writer.constant("kColumns");
    if (tiled) {
      first = kernel.reference(writer.let(
          "first", integer, kernel.infix(kernel.reference(tile), "*", writer.constant("kTile"), integer), &body));
      count = tile_count(writer, first, &body);
    }
    body.push_back({.kind = Statement::Kind::kBlank});
    const auto loop = [&](const auto& write) {
      Statement statement = writer.strided_loop(tiled ? "i" : "column", count);
      const Expr* i = kernel.reference(statement.variable);
      if (tiled) {
        Variable* column = writer.let("column", integer, kernel.infix(first, "+", i, integer), &statement.body);
        write(kernel.reference(column), element_at(writer, elements, array, i), &statement.body);
        // Where all elements of a row are one value, no column is read.
        const Block rest(statement.body.begin() + 1, statement.body.end());
        if (!mentions(rest, column)) statement.body.erase(statement.body.begin());
      } else {
        write(i, element_at(writer, elements, array, i), &statement.body);
      }
      body.push_back(std::move(statement));
    };
    loop([&](const Expr* column, const Expr* element, Block* block) {
      load(writer, elements, row, column, element, block);
    });
    body.push_back({.kind = Statement::Kind::kBlank});
    body.push_back(writer.call("block_sort<kThreads, kItems>", {array, count, before(kernel)}));
    body.push_back({.kind = Statement::Kind::kBlank});
    loop([&](const Expr* column, const Expr* element, Block* block) {
      if (tiled) {
        store_run(writer, elements, row, column, element, runs, block);
      } else {
        store(writer, elements, row, column, element, block);
      }
    });
  }

  // row * kColumns + column: scratch arrays hold row after row.
  const Expr* run_offset(StageWriter& writer, const Expr* row, const Expr* column) const {
    if (!several_rows()) return column;
    return writer.infix(writer.infix(row, "*", writer.constant("kColumns")), "+", column);
  }

  void store_run(StageWriter& writer, const SortElements& elements, const Expr* row, const Expr* column,
                 const Expr* element, const std::vector<Variable*>& runs, Block* block) const {
    Kernel& kernel = writer.kernel;
    const Expr* offset = run_offset(writer, row, column);
    if (runs.size() > 1 && several_rows()) offset = kernel.reference(writer.let("place", writer.index, offset, block));
    for (size_t k = 0; k < runs.size(); ++k) {
      const Expr* target = kernel.subscript(kernel.reference(runs[k]), offset, CType::value(runs[k]->type.dtype));
      block->push_back(writer.assign(target, elements.field(element, k)));
    }
  }

  // All levels but the last write runs, the last one results. Where results are laid out like runs, one kernel does
  // both.
  void merge_kernels() {
    bool alike = rows_.inner == 1;
    for (size_t k = 0; k < fields_.size(); ++k) alike &= outputs_of(demand_.fields[k]).size() == 1;
    const size_t sets = fields_.size();
    int64_t run = form_.tile;
    std::optional<StageStep> step;
    for (int64_t level = 0; level < form_.levels; ++level) {
      const bool last = level + 1 == form_.levels;
      const size_t from = level % 2 == 0 ? 0 : sets, to = sets - from;
      if (!step || (last && !alike))
        step = merge_kernel(last, last ? (form_.levels == 1 ? "merge" : alike ? "merge" : "merge_last") : "merge");
      StageStep launch = *step;
      launch.arguments.clear();
      for (size_t k = 0; k < sets; ++k) launch.arguments.push_back(StageArgument::scratch(from + k));
      if (last) {
        for (const auto& [output, field] : result_order()) launch.arguments.push_back(StageArgument::of(output));
      } else {
        for (size_t k = 0; k < sets; ++k) launch.arguments.push_back(StageArgument::scratch(to + k));
      }
      launch.arguments.push_back(StageArgument::integer(run));
      launch.comment = "runs of " + std::to_string(run) + " merged " + std::to_string(form_.ways) + " at a time";
      stage_.steps.push_back(std::move(launch));
      run *= form_.ways;
    }
  }

  // Results in the order of the fields.
  std::vector<std::pair<const Instruction*, size_t>> result_order() const {
    std::vector<std::pair<const Instruction*, size_t>> order;
    for (size_t k = 0; k < fields_.size(); ++k) {
      for (const Instruction* output : outputs_of(demand_.fields[k])) order.emplace_back(output, k);
    }
    return order;
  }

  StageStep merge_kernel(bool last, const std::string& suffix) {
    StageWriter writer(input_, suffix, index_);
    Kernel& kernel = writer.kernel;
    const bool alike = rows_.inner == 1 && result_order().size() == fields_.size();
    add_rows(writer);
    writer.constexpr_int("kThreads", form_.threads);
    add_tiles(writer);
    writer.constexpr_int("kWays", form_.ways, "", "runs that become one");
    std::vector<Variable*> from, to;
    for (const Field& field : fields_)
      from.push_back(writer.add_pointer(field.name + "_runs", runs_shape(field), false, {}));
    if (last && !alike) {
      for (const auto& [output, k] : result_order()) {
        to.push_back(writer.add_pointer(fields_[k].name + "_out", output->shape, true, {}));
        writer.outputs[output] = to.back();
      }
    } else {
      for (const Field& field : fields_)
        to.push_back(writer.add_pointer(field.name + "_out", runs_shape(field), true, {}));
    }
    Variable* run = writer.add_integer("run", {});
    kernel.headers.insert("device/merge_runs.cuh");
    SortElements elements(writer, fields_);
    elements.add_before(**demand_.sort->attributes->to_apply);
    elements.add_source();
    elements.add_shared("elements", "kTile", form_.tile);
    elements.add_shared("space", "kTile", form_.tile);

    StageBody body;
    body.set_tiles(form_.threads, rows_.rows * form_.tiles, several_rows() ? "kRows * kTiles" : "kTiles");
    body.write = [&](const Tile& tile, Block* block) {
      merge_body(writer, elements, from, to, run, last && !alike, tile.x, *block);
    };
    kernel.description = {kernel.name + ": merges the runs that rows of " + std::to_string(rows_.columns) +
                              " elements are sorted in, " + std::to_string(form_.ways) + " at a time.",
                          "",
                          "Stable: equal elements keep the order of their runs. A block of " +
                              std::to_string(form_.threads) + " threads a tile of " + std::to_string(form_.tile) +
                              " elements, which it finds in the runs by itself."};
    return add_kernel(&writer, body, &stage_);
  }

  // `stores`: results that are laid out otherwise than runs.
  void merge_body(StageWriter& writer, const SortElements& elements, const std::vector<Variable*>& from,
                  const std::vector<Variable*>& to, const Variable* run, bool stores, const Expr* number, Block& body) {
    Kernel& kernel = writer.kernel;
    const CType integer = CType::value(DType::kS32);
    const Variable* shared = writer.shared(&body);
    const Expr* array = kernel.member(kernel.reference(shared), "elements", elements.type());
    Variable* tile = nullptr;
    const Expr* row = row_of(writer, number, &body, &tile);
    const Expr* first = kernel.reference(writer.let(
        "first", integer, kernel.infix(kernel.reference(tile), "*", writer.constant("kTile"), integer), &body));
    std::vector<const Expr*> pointers;
    for (const Variable* pointer : from) {
      const Expr* base = kernel.reference(pointer);
      if (several_rows())
        base = kernel.infix(base, "+", writer.infix(row, "*", writer.constant("kColumns")), pointer->type);
      pointers.push_back(base);
    }
    const CType source_type = CType::named("Source");
    const Expr* source =
        kernel.reference(writer.let("source", source_type, kernel.braces(pointers, source_type), &body));
    body.push_back({.kind = Statement::Kind::kBlank});
    CType pointer = CType::named("Element*");
    if (elements.type().kind == CType::Kind::kValue) {
      pointer = {.kind = CType::Kind::kConstPointer, .dtype = elements.type().dtype};
    }
    const Expr* space = kernel.member(kernel.reference(shared), "space", elements.type());
    const Expr* merging = kernel.call(
        "merge_runs<kThreads, kItems, kWays>",
        {source, writer.constant("kColumns"), kernel.reference(run), first, array, space, before(kernel)}, pointer);
    const Expr* merged = kernel.reference(writer.let("merged", pointer, merging, &body));
    const Expr* count = tile_count(writer, first, &body);
    Statement loop = writer.strided_loop("i", count);
    const Expr* i = kernel.reference(loop.variable);
    const Expr* column =
        kernel.reference(writer.let("column", integer, kernel.infix(first, "+", i, integer), &loop.body));
    const Expr* element = element_at(writer, elements, merged, i);
    if (stores) {
      store(writer, elements, row, column, element, &loop.body);
    } else {
      store_run(writer, elements, row, column, element, to, &loop.body);
    }
    body.push_back(std::move(loop));
  }

  const StageInput& input_;
  const SortDemand& demand_;
  const SortForm& form_;
  const SortRows& rows_;
  DType index_ = DType::kS32;
  std::vector<Field> fields_;
  LoweredStage stage_;
};

}  // namespace

LoweredStage lower_sort(const StageInput& input) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<SortDemand> demand = demand_sort(input.values, &failure);
  check(demand.has_value(), "lower", input.node.name + ": the sort has no form");
  return SortLowering(input, *demand).run();
}

}  // namespace sinter
