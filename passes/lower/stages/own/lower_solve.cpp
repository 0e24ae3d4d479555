// A solving stage's text: its arrays (in registers, or in shared memory), loads, the one call, stores. Loops over a
// matrix run along its rows in memory, whatever way round the array has it.
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/own/own_lowerings.h"

#include <algorithm>
#include <cmath>

#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/lower/stages/base/stage_body.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/stages/own/solve_stage.h"

namespace sinter {

namespace {

using SolverKind = SolverCall::Kind;
using FormKind = SolveForm::Kind;
using StatementKind = Statement::Kind;

class SolveLowering {
 public:
  SolveLowering(const StageInput& input, const SolveDemand& demand)
      : input_(input),
        demand_(demand),
        form_(demand.form),
        writer_(input, "", index_type(demand)),
        kernel_(writer_.kernel) {}

  LoweredStage run() {
    add_constants();
    writer_.add_values(*demand_.graph, input_.values.outputs);
    writer_.add_counter(*demand_.graph);
    StageBody body;
    body.set_tiles(form_.threads, ceil_div(teams(), form_.teams), tiles());
    body.write = [this](const Tile& tile, Block* block) { write(tile.x, block); };
    body.graph = demand_.graph.get();
    body.elements = teams() * (by_thread() ? 1 : by_block() ? form_.threads : 32);
    body.spread = spread();
    LoweredStage stage;
    stage.steps.push_back(add_kernel(&writer_, body, &stage));
    return stage;
  }

 private:
  void write(const Expr* tile, Block* block) {
    body_ = block;
    declare_arrays();
    find_place(tile);
    place_arrays();
    for (size_t a = 0; a < demand_.arrays.size(); ++a) load(a);
    sync();
    blank();
    solve();
    blank();
    for (size_t a = 0; a < demand_.arrays.size(); ++a) store(a);
    store_info();
    // Which of them a thread is, where nothing asks.
    for (const Expr* place : {lane_, warp_}) {
      if (place == nullptr || mentions(*body_, place->variable)) continue;
      std::erase_if(*body_, [&](const Statement& statement) { return statement.variable == place->variable; });
    }
  }

  // A place in a matrix as it is in memory; of a vector only the row.
  struct Place {
    const Expr* row = nullptr;
    const Expr* column = nullptr;
  };

  static DType index_type(const SolveDemand& demand) {
    DType type = index_type_of(*demand.graph);
    for (size_t i = 0; i < (demand.instruction->shape.is_tuple() ? demand.instruction->shape.elements.size() : 1);
         ++i) {
      if (result_shape(*demand.instruction, i).element_count() > INT32_MAX) type = DType::kS64;
    }
    return type;
  }

  bool by_thread() const { return form_.kind == FormKind::kThread; }
  bool by_block() const { return form_.kind == FormKind::kBlock; }
  bool in_tiles() const { return form_.tiles > 1; }
  int64_t teams() const { return demand_.batch * form_.tiles; }
  std::string team() const { return by_thread() ? "ThreadTeam" : by_block() ? "BlockTeam<kThreads>" : "WarpTeam"; }
  Sync team_sync() const { return by_thread() ? Sync::kNone : by_block() ? Sync::kBlock : Sync::kWarp; }
  bool is_padded(const SolveArray& array) const {
    return !by_thread() && !array.is_vector() && !array.in_tiles && array.columns.value % 2 == 0;
  }
  void blank() { body_->push_back({.kind = StatementKind::kBlank}); }

  void add_constants() {
    if (demand_.batch > 1) writer_.constexpr_int("kBatch", demand_.batch, "", "matrices");
    for (const SolveExtent& extent : demand_.extents) writer_.constexpr_int(extent.name, extent.value);
    for (const SolveArray& array : demand_.arrays) {
      if (!is_padded(array)) continue;
      writer_.constexpr_int("kPitch", solve_pitch(array.columns.value), array.columns.name + " + 1",
                            "odd: a column lies in different banks");
    }
    if (in_tiles()) {
      writer_.constexpr_int("kTile", form_.tile, "", "right sides that are solved together");
      writer_.constexpr_int("kTiles", form_.tiles, "(kRightSides + kTile - 1) / kTile", std::to_string(form_.tiles));
    }
    writer_.constexpr_int("kThreads", form_.threads);
    if (by_thread()) return;
    writer_.constexpr_int("kWarp", 32, "", by_block() ? "lanes" : "lanes, one matrix a warp");
    writer_.constexpr_int("kWarps", form_.threads / 32, "kThreads / kWarp", std::to_string(form_.threads / 32));
  }

  std::vector<std::string> dims(const SolveArray& array) const {
    if (array.is_vector()) return {array.rows.name};
    if (array.in_tiles && in_tiles()) return {array.rows.name, "kTile"};
    return {array.rows.name, is_padded(array) ? "kPitch" : array.columns.name};
  }

  int64_t bytes(const SolveArray& array) const {
    int64_t columns = array.is_vector() ? 1 : array.columns.value;
    if (array.in_tiles) columns = form_.tile;
    if (is_padded(array)) columns = solve_pitch(columns);
    return array.rows.value * columns * dtype_bytes(array.dtype);
  }

  // Local arrays of a thread, or members of the block's shared memory.
  void declare_arrays() {
    for (const SolveArray& array : demand_.arrays) {
      const std::vector<std::string> extents = dims(array);
      if (!by_thread()) {
        SharedStruct::Member member = {.name = array.name, .dtype = array.dtype, .dims = extents};
        if (!by_block()) member.dims.insert(member.dims.begin(), "kWarps");
        kernel_.shared.bytes += bytes(array) * (by_block() ? 1 : form_.teams);
        kernel_.shared.members.push_back(std::move(member));
        continue;
      }
      CType type = {.kind = CType::Kind::kNamed, .length = 1};
      type.name = dtype_cuda_name(array.dtype);
      type.extent = extents.size() == 1 ? extents[0] : extents[0] + "][" + extents[1];
      Variable* variable = kernel_.variable(array.name, type);
      body_->push_back({.kind = StatementKind::kDeclare, .variable = variable});
      arrays_.push_back(kernel_.reference(variable));
    }
    if (!by_thread()) shared_ = writer_.shared(body_);
  }

  // Which matrix, and which of its right sides.
  void find_place(const Expr* tile_of_block) {
    Block& body = *body_;
    const Expr* thread = kernel_.name_expr("threadIdx.x");
    const Expr* warp_size = writer_.constant("kWarp");
    if (!by_thread()) {
      warp_ = kernel_.reference(writer_.let("warp", kInteger, kernel_.infix(thread, "/", warp_size, kInteger), &body));
      lane_ = kernel_.reference(writer_.let("lane", kInteger, kernel_.infix(thread, "%", warp_size, kInteger), &body));
    }
    const Expr* number = writer_.wide(tile_of_block);
    if (!by_block()) {
      number = writer_.infix(number, "*", writer_.constant(by_thread() ? "kThreads" : "kWarps"));
      number = writer_.infix(number, "+", by_thread() ? thread : warp_);
    }
    batch_ = kernel_.integer(0);
    first_ = kernel_.integer(0);
    const Expr* all = demand_.batch > 1 ? writer_.constant("kBatch") : kernel_.integer(1);
    if (in_tiles()) {
      all = demand_.batch > 1 ? writer_.infix(all, "*", writer_.constant("kTiles")) : writer_.constant("kTiles");
    }
    const bool guarded = teams() % form_.teams != 0;
    if (!in_tiles()) {
      if (demand_.batch > 1 || guarded) batch_ = kernel_.reference(writer_.let("batch", writer_.index, number, &body));
      if (guarded) body.push_back(writer_.leave(batch_, ">=", all));
      if (demand_.batch == 1) batch_ = kernel_.integer(0);
      return;
    }
    number = kernel_.reference(writer_.let("tile", writer_.index, number, &body));
    if (guarded) body.push_back(writer_.leave(number, ">=", all));
    const Expr* tile = number;
    if (demand_.batch > 1) {
      const Expr* tiles = writer_.constant("kTiles");
      batch_ = kernel_.reference(writer_.let("batch", writer_.index, writer_.infix(number, "/", tiles), &body));
      tile = writer_.infix(number, "%", tiles);
    }
    first_ = kernel_.reference(
        writer_.let("first", writer_.index, writer_.infix(tile, "*", writer_.constant("kTile")), &body));
    if (right_sides() % form_.tile == 0) return;
    kernel_.headers.insert("device/maximum.cuh");
    const Expr* rest = writer_.infix(writer_.constant("kRightSides"), "-", first_);
    if (writer_.index.dtype == DType::kS64)
      rest = kernel_.cast(kInteger, kernel_.call("minimum<int64_t>", {writer_.constant("kTile"), rest}, writer_.index));
    else
      rest = kernel_.call("minimum", {writer_.constant("kTile"), rest}, kInteger);
    count_ = kernel_.reference(writer_.let("count", kInteger, rest, &body));
  }

  int64_t right_sides() const {
    for (const SolveArray& array : demand_.arrays) {
      if (array.in_tiles) return array.columns.value;
    }
    return 0;
  }
  // How many right sides there are here.
  const Expr* right_side_count() {
    if (count_ != nullptr) return count_;
    return writer_.constant(in_tiles() ? "kTile" : "kRightSides");
  }

  // The names of arrays in shared memory.
  void place_arrays() {
    if (by_thread()) return;
    blank();
    for (const SolveArray& array : demand_.arrays) {
      const Expr* member = kernel_.member(kernel_.reference(shared_), array.name, {});
      if (!by_block()) {
        Variable* own = kernel_.variable(array.name, CType::named("auto&"));
        member = kernel_.subscript(member, warp_, {});
        body_->push_back({.kind = StatementKind::kDeclare, .variable = own, .value = member});
        member = kernel_.reference(own);
      }
      arrays_.push_back(member);
    }
  }

  // for (int name = begin; name < end; name += step): over the team's warps, its lanes, or all its threads.
  enum class Spread : uint8_t { kWarps, kLanes, kThreads };
  Statement loop(const char* name, const Expr* end, Spread spread) {
    Statement statement;
    statement.kind = StatementKind::kFor;
    statement.variable = kernel_.variable(name, kInteger);
    statement.begin = kernel_.integer(0);
    statement.value = end;
    if (by_block() && spread == Spread::kWarps) {
      statement.begin = warp_;
      statement.step = form_.threads / 32;
      statement.text = "kWarps";
    } else if (by_block() && spread == Spread::kThreads) {
      statement.begin = kernel_.name_expr("threadIdx.x");
      statement.step = form_.threads;
      statement.text = "kThreads";
    } else if (!by_thread() && spread != Spread::kWarps) {
      statement.begin = lane_;
      statement.step = 32;
      statement.text = "kWarp";
    }
    return statement;
  }

  // Every element of the array: write(place in memory, row and column of the array, the element, block).
  template <class Write>
  void for_each_element(size_t number, const Write& write) {
    const SolveArray& array = demand_.arrays[number];
    const Expr* name = arrays_[number];
    const CType element_type = CType::value(array.dtype);
    if (array.is_vector()) {
      Statement rows = loop("i", writer_.constant(array.rows.name), Spread::kThreads);
      const Expr* i = kernel_.reference(rows.variable);
      write(Place{i}, Place{i}, kernel_.subscript(name, i, element_type), &rows.body);
      body_->push_back(std::move(rows));
      return;
    }
    const Expr* row_end = writer_.constant(array.rows.name);
    const Expr* column_end = array.in_tiles ? right_side_count() : writer_.constant(array.columns.name);
    if (array.transposed) std::swap(row_end, column_end);
    Statement rows = loop("row", row_end, Spread::kWarps);
    Statement columns = loop("column", column_end, Spread::kLanes);
    Place memory = {kernel_.reference(rows.variable), kernel_.reference(columns.variable)};
    Place own = memory;
    if (array.transposed) std::swap(own.row, own.column);
    if (array.in_tiles && in_tiles()) {
      const Expr*& right_side = array.transposed ? memory.row : memory.column;
      right_side = writer_.infix(first_, "+", right_side);
    }
    const Expr* element = kernel_.subscript(kernel_.subscript(name, own.row, {}), own.column, element_type);
    write(memory, own, element, &columns.body);
    rows.body.push_back(std::move(columns));
    body_->push_back(std::move(rows));
  }

  const Expr* conjugated(const SolveArray& array, const Expr* value) {
    if (!array.conjugated || !is_complex(array.dtype)) return value;
    kernel_.headers.insert("device/field.cuh");
    return kernel_.call("conjugate", {value}, value->type);
  }

  void load(size_t number) {
    const SolveArray& array = demand_.arrays[number];
    if (array.operand < 0) return;
    const SolveOperand& operand = demand_.operands[static_cast<size_t>(array.operand)];
    for_each_element(number, [&](const Place& memory, const Place&, const Expr* element, Block* block) {
      std::map<int, const Expr*> coordinates = {{operand.batch, batch_}, {operand.row, memory.row}};
      if (!array.is_vector()) coordinates[operand.column] = memory.column;
      Expressions expressions = writer_.expressions_of(*operand.graph, coordinates);
      name_extents(array, &expressions);
      const Expr* value = writer_.results_of(*operand.graph, expressions, block)[0];
      block->push_back(writer_.assign(element, conjugated(array, value)));
    });
  }

  void name_extents(const SolveArray& array, Expressions* expressions) {
    for (const SolveExtent& extent : {array.rows, array.columns}) {
      if (extent.value > 1) expressions->constants[extent.value] = extent.name;
    }
  }

  void sync() {
    if (by_block()) body_->push_back(writer_.barrier());
    if (form_.kind == FormKind::kWarp) body_->push_back(writer_.call("__syncwarp", {}));
  }

  void solve() {
    std::string name, header, arguments;
    switch (demand_.call.kind) {
      case SolverKind::kCholesky:
        name = "factor_cholesky";
        header = "cholesky";
        break;
      case SolverKind::kTriangularSolve: {
        name = "solve_triangular";
        header = "triangular_solve";
        const bool lower = demand_.call.lower != demand_.arrays[0].transposed;
        arguments = std::string(", /*lower=*/") + (lower ? "true" : "false") + ", /*unit_diagonal=*/" +
                    (demand_.call.unit_diagonal ? "true" : "false");
        break;
      }
      case SolverKind::kLu:
        name = "factor_lu";
        header = "lu";
        arguments = ", kColumns";
        break;
      case SolverKind::kQr:
        name = "factor_qr";
        header = "qr";
        arguments = ", kColumns";
        break;
      case SolverKind::kHouseholder:
        name = "multiply_reflectors";
        header = "qr";
        arguments = ", kColumns";
        break;
      default:
        name = "permute_by_pivots";
        header = "lu";
        break;
    }
    kernel_.headers.insert("device/" + header + ".cuh");
    kernel_.headers.insert("device/team.cuh");
    std::vector<const Expr*> parameters = arrays_;
    if (demand_.call.kind == SolverKind::kTriangularSolve) parameters.push_back(right_side_count());
    const std::string function = name + "<" + team() + arguments + ">";
    if (!stores_info() && !fills_with_nan()) {
      body_->push_back(writer_.call(function, std::move(parameters), team_sync()));
      return;
    }
    const Expr* call = kernel_.call(function, std::move(parameters), kInteger, team_sync());
    failed_ = kernel_.reference(writer_.let("failed", kInteger, call, body_));
  }

  bool stores_info() const { return demand_.info >= 0 && !outputs_of(demand_.info).empty(); }

  bool fills_with_nan() const { return demand_.call.kind == SolverKind::kCholesky && demand_.call.is_opcode; }

  std::vector<const Instruction*> outputs_of(int result) const {
    std::vector<const Instruction*> found;
    for (const Instruction* output : input_.values.outputs) {
      const bool is = output == demand_.instruction ? result == 0 : *output->attributes->tuple_index == result;
      if (is) found.push_back(output);
    }
    return found;
  }

  const Expr* result_offset(const SolveArray& array, const Shape& shape, const Place& memory) {
    DemandContext context = input_.values.context;
    DemandGraph graph(context);
    const int64_t kept = array.is_vector() ? 1 : 2;
    const int batch = graph.add_coordinate(demand_.batch, CoordinateRole::kBatch);
    std::map<int, const Expr*> coordinates = {{batch, batch_}};
    std::vector<IndexExpr> index =
        delinearize(graph.coordinate(batch), std::vector<int64_t>(shape.dims.begin(), shape.dims.end() - kept));
    const int row =
        graph.add_coordinate(shape.dims[shape.dims.size() - static_cast<size_t>(kept)], CoordinateRole::kRow);
    coordinates[row] = memory.row;
    index.push_back(graph.coordinate(row));
    if (!array.is_vector()) {
      const int column = graph.add_coordinate(shape.dims.back(), CoordinateRole::kColumn);
      coordinates[column] = memory.column;
      index.push_back(graph.coordinate(column));
    }
    Expressions expressions = writer_.expressions_of(graph, coordinates);
    name_extents(array, &expressions);
    return expressions.index(linearize(index, shape.dims));
  }

  void store(size_t number) {
    const SolveArray& array = demand_.arrays[number];
    const std::vector<const Instruction*> outputs = outputs_of(array.result);
    if (array.result < 0 || outputs.empty()) return;
    for_each_element(number, [&](const Place& memory, const Place& own, const Expr* element, Block* block) {
      const Expr* value = conjugated(array, element);
      if (array.lower_only) {
        const Expr* zero = kernel_.literal(Literal(Shape::scalar(array.dtype)));
        value = kernel_.conditional(kernel_.infix(own.column, "<=", own.row, kPred), value, zero);
      }
      if (fills_with_nan()) {
        const Expr* fails = kernel_.infix(failed_, "!=", kernel_.integer(0), kPred);
        value = kernel_.conditional(fails, kernel_.literal(real_literal(array.dtype, std::nan(""))), value);
      }
      for (const Instruction* output : outputs) {
        const Expr* offset = result_offset(array, output->shape, memory);
        const Expr* target =
            kernel_.subscript(kernel_.reference(writer_.outputs.at(output)), offset, CType::value(array.dtype));
        block->push_back(writer_.assign(target, value));
      }
    });
  }

  void store_info() {
    if (!stores_info()) return;
    Block stores;
    for (const Instruction* output : outputs_of(demand_.info)) {
      const Expr* target = kernel_.subscript(kernel_.reference(writer_.outputs.at(output)), batch_, kInteger);
      stores.push_back(writer_.assign(target, failed_));
    }
    if (by_thread()) {
      body_->insert(body_->end(), stores.begin(), stores.end());
      return;
    }
    const Expr* rank = by_block() ? kernel_.name_expr("threadIdx.x") : lane_;
    Statement first = {.kind = StatementKind::kIf, .value = kernel_.infix(rank, "==", kernel_.integer(0), kPred)};
    first.body = std::move(stores);
    body_->push_back(std::move(first));
  }

  // How many there are, in constants.
  std::string tiles() const {
    std::string all = demand_.batch > 1 ? "kBatch" : "1";
    if (in_tiles()) all = demand_.batch > 1 ? "kBatch * kTiles" : "kTiles";
    if (by_block()) return all;
    if (teams() <= form_.teams) return "1";
    const std::string per_block = by_thread() ? "kThreads" : "kWarps";
    return teams() % form_.teams == 0 ? all + " / " + per_block
                                      : "(" + all + " + " + per_block + " - 1) / " + per_block;
  }

  std::string spread() const {
    const std::string what = in_tiles() ? "A tile of a matrix's right sides a " : "A matrix a ";
    const std::string threads = std::to_string(form_.threads) + " threads";
    if (by_thread()) return what + "thread, " + threads + " a block.";
    if (by_block()) return what + "block of " + threads + ".";
    return what + "warp, " + std::to_string(form_.teams) + " a block of " + threads + ".";
  }

  const StageInput& input_;
  const SolveDemand& demand_;
  const SolveForm& form_;
  StageWriter writer_;
  Kernel& kernel_;
  Block* body_ = nullptr;  // that is written
  const Variable* shared_ = nullptr;
  std::vector<const Expr*> arrays_;
  const Expr* warp_ = nullptr;
  const Expr* lane_ = nullptr;
  const Expr* batch_ = nullptr;
  const Expr* first_ = nullptr;  // of the right sides
  const Expr* count_ = nullptr;  // of the right sides, where the last tile has fewer
  const Expr* failed_ = nullptr;
};

}  // namespace

LoweredStage lower_solve(const StageInput& input) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<SolveDemand> demand = demand_solve(input.values, &failure);
  check(demand.has_value(), "lower", input.node.name + ": the solve has no form");
  return SolveLowering(input, *demand).run();
}

}  // namespace sinter
