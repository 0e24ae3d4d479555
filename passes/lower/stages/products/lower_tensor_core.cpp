// A contract kernel on tensor cores: the form's own text (tensor_core_text.h) around what this contraction computes:
// where copies of its operands come from, or what is computed on their way, and what is made of a sum.
#include "passes/lower/stages/products/lower_tensor_core.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "ir/values/dtype.h"
#include "passes/lower/stages/base/stage_writer.h"
#include "passes/lower/stages/products/lower_contract.h"
#include "passes/lower/stages/products/tensor_core_text.h"
#include "passes/lower/text/index_types.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/names/value_names.h"
#include "passes/schedule/cost/contract_work.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/products/tile_copy.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;
using Product = TensorCoreForm::Product;

const CType kInteger = CType::value(DType::kS32);
const CType kPred = CType::value(DType::kPred);
const CType kVoid = {.kind = CType::Kind::kVoid};

Statement text(std::string lines) { return {.kind = StatementKind::kText, .text = std::move(lines)}; }

// Of templates/device/mma.cuh, for operands of 16 and 8 bits.
std::string mma_function(DType dtype) {
  switch (dtype) {
    case DType::kBF16:
      return "mma_bf16";
    case DType::kF16:
      return "mma_f16";
    case DType::kS8:
      return "mma_s8";
    case DType::kU8:
      return "mma_u8";
    default:
      return "";
  }
}

class TensorCoreWriter {
 public:
  TensorCoreWriter(const StageInput& input, const ContractDemand& demand, const TensorCoreForm& form)
      : w_(input, "", index_type_of(*demand.graph)),
        kernel_(w_.kernel),
        demand_(demand),
        form_(form),
        extents_(demand.extents),
        threads_(input.node.block[0]),
        grid_(contract_grid(extents_, form.m, form.n)),
        dtype_(demand.dot->operand(0)->shape.dtype) {
    for (size_t side = 0; side < 2; ++side) {
      copies_[side] = tile_copy(demand.operands[side], dtype_);
      text_.along_k[side] = copies_[side] ? copies_[side]->along_k : demand.operands[side].k_contiguous;
    }
    text_.form = form;
    text_.element = std::string(dtype_cuda_name(dtype_));
    text_.mma = mma_function(dtype_);
  }

  LoweredStage run() {
    kernel_.work = TensorCoreWork(demand_).of(form_, threads_);
    add_constants();
    w_.add_values(*demand_.graph, w_.input.values.outputs);
    w_.add_counter(*demand_.graph);
    w_.rename_parameters(tensor_core_names());
    add_headers();
    kernel_.shared.bytes = form_.shared_bytes();
    kernel_.declarations = {text_.shared(), text_.places()};
    kernel_.launch.block = threads_;
    std::copy(std::begin(grid_.grid), std::end(grid_.grid), std::begin(kernel_.launch.grid));

    Block& body = kernel_.body;
    add_coordinates(&body);
    blank(&body);
    add_copies(&body);
    blank(&body);
    body.push_back(text(text_.load_step()));
    blank(&body);
    const std::string name = value_name(*demand_.dot);
    body.push_back({.kind = StatementKind::kComment,
                    .text = name + ": while one step is multiplied, the next is loaded, "
                                   "and the tile kStages - 1 ahead is on its way"});
    body.push_back(text(text_.main_loop()));
    blank(&body);
    body.push_back(text(text_.sums_to_shared()));
    blank(&body);
    add_results(&body);

    LoweredStage stage;
    w_.describe(*demand_.graph, demand_.dot->shape.element_count(), launch_description());
    StageStep step = w_.finish(&stage);
    stage.steps.push_back(std::move(step));
    return stage;
  }

 private:
  bool whole(int64_t extent, int64_t tile) const { return extent % tile == 0; }
  bool whole_rows() const { return whole(extents_.m, form_.m); }
  bool whole_columns() const { return whole(extents_.n, form_.n); }
  bool whole_k() const { return whole(extents_.k, form_.k); }

  static void blank(Block* block) { block->push_back({.kind = StatementKind::kBlank}); }
  const Expr* name(const std::string& spelling) { return kernel_.name_expr(spelling, w_.index); }
  const Expr* both(const Expr* a, const Expr* b) {
    return a == nullptr ? b : b == nullptr ? a : kernel_.infix(a, "&&", b, kPred);
  }
  const Expr* below(const Variable* coordinate, const char* limit) {
    return kernel_.infix(kernel_.reference(coordinate), "<", name(limit), kPred);
  }
  Statement loop(const std::string& counter, const std::string& begin, const std::string& end, int64_t step = 1,
                 const std::string& step_name = "") {
    Statement statement;
    statement.kind = StatementKind::kFor;
    statement.variable = kernel_.variable(counter, kInteger);
    statement.begin = begin.empty() ? kernel_.integer(0) : kernel_.name_expr(begin);
    statement.value = kernel_.name_expr(end);
    statement.step = step;
    statement.text = step_name;
    return statement;
  }

  void constant(const char* what, const std::string& value, const std::string& comment = "") {
    kernel_.constants.push_back({what, "int", value, comment});
  }
  void constant(const char* what, int64_t value, const std::string& comment = "") {
    constant(what, std::to_string(value), comment);
  }

  void add_constants() {
    const auto count = [](int64_t extent, int64_t tile) { return std::to_string(ceil_div(extent, tile)); };
    const auto tiles = [&](bool is_whole, const std::string& extent, const std::string& tile) {
      return is_whole ? extent + " / " + tile : "(" + extent + " + " + tile + " - 1) / " + tile;
    };
    if (extents_.batch > 1) constant("kBatch", extents_.batch);
    constant("kM", extents_.m);
    constant("kN", extents_.n);
    constant("kK", extents_.k);
    constant("kTileM", form_.m, "of a block");
    constant("kTileN", form_.n);
    constant("kTileK", form_.k);
    constant("kStages", form_.stages, "k tiles in shared memory");
    constant("kTiles", tiles(whole_k(), "kK", "kTileK"), count(extents_.k, form_.k));
    constant("kRowTiles", tiles(whole_rows(), "kM", "kTileM"), std::to_string(grid_.rows));
    constant("kColumnTiles", tiles(whole_columns(), "kN", "kTileN"), std::to_string(grid_.columns));
    const WarpTile part = *warp_tile(form_, threads_);
    constant("kThreads", threads_);
    constant("kWarp", kWarp);
    constant("kWarps", "kThreads / kWarp", std::to_string(threads_ / kWarp));
    constant("kWarpM", part.m, "of a warp");
    constant("kWarpN", part.n);
    constant("kWarpsN", "kTileN / kWarpN", std::to_string(form_.n / part.n));
    constant("kMmaM", 16, "of an instruction");
    constant("kMmaN", 8);
    constant("kMmaK", form_.mma_k());
    constant("kMmasM", "kWarpM / kMmaM", std::to_string(part.m / 16));
    constant("kMmasN", "kWarpN / kMmaN", std::to_string(part.n / 8));
    constant("kStepsK", "kTileK / kMmaK", std::to_string(form_.k / form_.mma_k()));
    constant("kChunk", form_.chunk(), "elements of 16 bytes");
    for (const size_t side : {0, 1}) {
      const std::string operand = side == 0 ? "Lhs" : "Rhs", outer = side == 0 ? "kTileM" : "kTileN";
      const bool along_k = text_.along_k[side];
      const int64_t rows = side == 0 ? form_.m : form_.n, length = along_k ? form_.k : rows;
      if (elements_of_copy(side) != form_.chunk())
        constant(side == 0 ? "kLhsChunk" : "kRhsChunk", elements_of_copy(side),
                 "of a copy, where rows are no multiples");
      constant(side == 0 ? "kLhsChunks" : "kRhsChunks", (along_k ? "kTileK" : outer) + " / " + chunk(side),
               "of a row in shared memory: " + std::to_string(length / elements_of_copy(side)));
      constant(side == 0 ? "kLhsCopies" : "kRhsCopies",
               (along_k ? outer : "kTileK") + " * k" + operand + "Chunks / kThreads",
               "of a thread and k tile: " + std::to_string(number_of_copies(side)));
    }
    std::string conditions;
    for (const auto& [is_whole, condition] : {std::pair(whole_rows(), "kM % kTileM == 0"),
                                              {whole_columns(), "kN % kTileN == 0"},
                                              {whole_k(), "kK % kTileK == 0"}}) {
      if (is_whole) conditions += (conditions.empty() ? "" : " && ") + std::string(condition);
    }
    if (!conditions.empty()) kernel_.assertions.push_back({conditions, "tiles are whole"});
    kernel_.assertions.push_back({"kStepsK > 1", "the next tile is copied under the first of several steps"});
    spell_tiles(grid_, extents_.batch, &kernel_.launch);
  }

  void add_headers() {
    for (const char* header : {"device/async_copy.cuh", "device/mma.cuh", "device/vector_access.cuh"})
      kernel_.headers.insert(header);
    const bool floats = form_.element_bytes() == 4;
    if (floats) kernel_.headers.insert("device/tf32_split.cuh");
    if (!floats || text_.along_k[0] || text_.along_k[1]) kernel_.headers.insert("device/ldmatrix.cuh");
    if (form_.product == Product::k16Bits) kernel_.headers.insert("device/half.cuh");
    if (form_.product == Product::kInt8 && !(text_.along_k[0] && text_.along_k[1]))
      kernel_.headers.insert("device/unzip_bytes.cuh");
  }

  std::string launch_description() const {
    const WarpTile part = *warp_tile(form_, threads_);
    const auto sides = [](int64_t a, int64_t b) { return std::to_string(a) + " x " + std::to_string(b); };
    const std::string what = form_.product == Product::k16Bits ? ""
                             : form_.product == Product::kInt8 ? " of bytes"
                             : form_.product == Product::kTf32 ? " in TF32"
                                                               : " in 3 terms of TF32 each";
    return "Products on tensor cores" + what + ": a tile of " + sides(form_.m, form_.n) + " a block of " +
           std::to_string(threads_ / kWarp) + " warps, " + sides(part.m, part.n) + " a warp; K in tiles of " +
           std::to_string(form_.k) + ", " + std::to_string(form_.stages) + " in flight.";
  }

  void add_coordinates(Block* body) {
    w_.shared(body);
    body->push_back(text("const int thread = threadIdx.x, lane = thread % kWarp, group = lane / 4;\n"));
    const Expr* first[2] = {kernel_.name_expr("blockIdx.y"), kernel_.name_expr("blockIdx.x")};  // of rows, of columns
    const Expr* batch = kernel_.name_expr("blockIdx.z");
    if (grid_.folded) {
      const Expr* block = kernel_.name_expr("blockIdx.x");
      const Expr* rest = kernel_.infix(block, "/", kernel_.name_expr("kColumnTiles"), kInteger);
      first[1] = kernel_.infix(block, "%", kernel_.name_expr("kColumnTiles"), kInteger);
      first[0] = extents_.batch == 1 ? rest : kernel_.infix(rest, "%", kernel_.name_expr("kRowTiles"), kInteger);
      batch = kernel_.infix(rest, "/", kernel_.name_expr("kRowTiles"), kInteger);
    }
    if (extents_.batch > 1) batch_ = w_.let("batch", w_.index, w_.wide(batch), body);
    first_[0] = w_.let("tile_row", w_.index, w_.infix(w_.wide(first[0]), "*", name("kTileM")), body);
    first_[1] = w_.let("tile_column", w_.index, w_.infix(w_.wide(first[1]), "*", name("kTileN")), body);
    body->push_back(
        text("const int warp_row = thread / kWarp / kWarpsN * kWarpM;\n"
             "const int warp_column = thread / kWarp % kWarpsN * kWarpN;\n"));
  }

  std::map<int, const Expr*> coordinates_of(const ContractOperand& operand, const Variable* outer, const Variable* k) {
    std::map<int, const Expr*> coordinates = {{operand.outer, kernel_.reference(outer)},
                                              {operand.k, kernel_.reference(k)}};
    if (batch_ != nullptr) coordinates[operand.batch] = kernel_.reference(batch_);
    return coordinates;
  }

  void name_extents(size_t side, Expressions* expressions) const {
    if (!demand_.operands[side].is_matrix) return;
    const int64_t outer = side == 0 ? extents_.m : extents_.n;
    if (demand_.operands[side].k_contiguous) {
      expressions->constants[extents_.k] = "kK";
    } else if (outer != extents_.k) {
      expressions->constants[outer] = side == 0 ? "kM" : "kN";
    }
  }

  const Expr* inside(size_t side, const Variable* outer, const Variable* k) {
    const Expr* test = nullptr;
    if (side == 0 ? !whole_rows() : !whole_columns()) test = below(outer, side == 0 ? "kM" : "kN");
    return whole_k() ? test : both(test, below(k, "kK"));
  }

  // `lhs_at(...)` of places in the tile.
  const Expr* shared_element(size_t side, const Expr* outer, const Expr* k) {
    const Expr* place =
        side == 0 ? kernel_.call("lhs_at", {outer, k}, kInteger) : kernel_.call("rhs_at", {k, outer}, kInteger);
    const CType type = CType::value(dtype_);
    const CType pointer = {.kind = CType::Kind::kPointer, .dtype = dtype_};
    const Expr* element =
        kernel_.subscript(kernel_.name_expr(side == 0 ? "stage.lhs" : "stage.rhs", type), place, type);
    return kernel_.prefix("&", element, pointer);
  }

  // Elements that come to shared memory at once, and what they are called.
  int64_t elements_of_copy(size_t side) const { return copies_[side] ? copies_[side]->elements : form_.chunk(); }
  std::string chunk(size_t side) const {
    return elements_of_copy(side) == form_.chunk() ? "kChunk" : side == 0 ? "kLhsChunk" : "kRhsChunk";
  }

  // Where a thread's copies of an operand begin within a tile, before the loops.
  std::string first_place(size_t side) const {
    const std::string operand = side == 0 ? "lhs" : "rhs", outer = side == 0 ? "lhs_row" : "rhs_column";
    const std::string chunks = side == 0 ? "kLhsChunks" : "kRhsChunks", k = operand + "_k";
    const std::string row = "thread / " + chunks, along = "thread % " + chunks + " * " + chunk(side);
    return text_.along_k[side] ? "const int " + outer + " = " + row + ", " + k + " = " + along + ";\n"
                               : "const int " + k + " = " + row + ", " + outer + " = " + along + ";\n";
  }

  // The part of an index that does not move with k, of those that take more than multiplications; nullopt where the two
  // cannot be told apart.
  std::optional<IndexExpr> fixed_part(const IndexExpr& expr, int k) const {
    IndexExpr fixed;
    bool dear = false;
    for (const IndexExpr::Term& term : expr.terms()) {
      bool moves = false, stays = false;
      const auto visit = [&](const IndexExpr::Atom& atom) { (atom.id == k ? moves : stays) = true; };
      if (term.atom->kind == IndexExpr::AtomKind::kCoordinate) {
        visit(*term.atom);
      } else {
        term.atom->operand.visit_leaves(visit);
      }
      if (moves && stays) return std::nullopt;
      if (moves) continue;
      dear |= term.atom->cost > 0;
      fixed = fixed + of_term(term);
    }
    return dear ? std::optional(fixed) : std::nullopt;
  }

  static IndexExpr of_term(const IndexExpr::Term& term) {
    const IndexExpr::Atom& atom = *term.atom;
    const IndexExpr value = atom.kind == IndexExpr::AtomKind::kCoordinate ? IndexExpr::coordinate(atom.id, atom.range)
                            : atom.kind == IndexExpr::AtomKind::kFloorDiv ? atom.operand.floor_div(atom.divisor)
                                                                          : atom.operand.floor_mod(atom.divisor);
    return value * term.coefficient;
  }

  // What is fixed for a copy of where it reads, and of what is tested, is found before the loop.
  void find_fixed_parts(size_t side, Block* body) {
    const ContractOperand& operand = demand_.operands[side];
    from_[side] = copies_[side]->from;
    std::vector<std::pair<IndexExpr*, std::string>> indices = {{&from_[side], side == 0 ? "lhs_from" : "rhs_from"}};
    for (DemandTest& test : copies_[side]->tests)
      indices.emplace_back(&test.expr, side == 0 ? "lhs_position" : "rhs_position");
    const bool along_k = text_.along_k[side];
    const std::string copies = side == 0 ? "kLhsCopies" : "kRhsCopies",
                      chunks = side == 0 ? "kLhsChunks" : "kRhsChunks";
    Statement all = loop("i", "", copies);
    Block* block = along_k ? &all.body : body;
    Variable* outer = nullptr;
    for (const auto& [index, what] : indices) {
      const std::optional<IndexExpr> fixed = fixed_part(*index, operand.k);
      if (!fixed) continue;
      if (outer == nullptr) {
        body->push_back({.kind = StatementKind::kNote, .text = "what does not move with k"});
        const Expr* place = kernel_.name_expr(side == 0 ? "lhs_row" : "rhs_column");
        if (along_k) {
          const Expr* step = kernel_.infix(kernel_.name_expr("kThreads"), "/", kernel_.name_expr(chunks), kInteger);
          place =
              kernel_.infix(place, "+", kernel_.infix(kernel_.reference(all.variable), "*", step, kInteger), kInteger);
        }
        outer = w_.let(side == 0 ? "row" : "column", w_.index, w_.infix(kernel_.reference(first_[side]), "+", place),
                       block);
      }
      std::map<int, const Expr*> coordinates = {{operand.outer, kernel_.reference(outer)}};
      if (batch_ != nullptr) coordinates[operand.batch] = kernel_.reference(batch_);
      Expressions expressions = w_.expressions_of(*operand.graph, coordinates);
      const Expr* value = expressions.index(*fixed);
      const int id = static_cast<int>(operand.graph->coordinates.size() + fixed_[side].size());
      Variable* variable = nullptr;
      if (along_k) {
        CType array = {
            .kind = CType::Kind::kArray, .dtype = w_.index.dtype, .length = number_of_copies(side), .extent = copies};
        variable = kernel_.variable(what, array);
        body->push_back({.kind = StatementKind::kDeclare, .variable = variable});
        const Expr* element = kernel_.subscript(kernel_.reference(variable), kernel_.reference(all.variable), w_.index);
        block->push_back(w_.assign(element, value));
      } else {
        variable = w_.let(what, w_.index, value, block);
      }
      *index = IndexExpr::coordinate(id, fixed->range()) + (*index - *fixed);
      fixed_[side].emplace_back(id, variable);
    }
    if (along_k && outer != nullptr) body->push_back(std::move(all));
  }

  int64_t number_of_copies(size_t side) const {
    return (side == 0 ? form_.m : form_.n) * form_.k / elements_of_copy(side) / threads_;
  }

  // The copies of one operand's tile that a thread makes.
  Statement copies(size_t side) {
    const std::string outer_name = side == 0 ? "row" : "column", first = side == 0 ? "lhs_row" : "rhs_column";
    const std::string first_k = side == 0 ? "lhs_k" : "rhs_k", chunks = side == 0 ? "kLhsChunks" : "kRhsChunks";
    const bool along_k = text_.along_k[side];
    Statement all = loop("i", "", side == 0 ? "kLhsCopies" : "kRhsCopies");
    const Expr* step = kernel_.infix(kernel_.name_expr("kThreads"), "/", kernel_.name_expr(chunks), kInteger);
    const Expr* place = kernel_.infix(kernel_.name_expr(along_k ? first : first_k), "+",
                                      kernel_.infix(kernel_.reference(all.variable), "*", step, kInteger), kInteger);
    const Expr* at = kernel_.reference(w_.let("place", kInteger, place, &all.body));
    const Expr* in_tile[2] = {along_k ? at : kernel_.name_expr(first), along_k ? kernel_.name_expr(first_k) : at};
    const Expr* of_tile[2] = {kernel_.reference(first_[side]),
                              w_.infix(w_.wide(kernel_.name_expr("tile")), "*", name("kTileK"))};
    const auto coordinate = [&](const std::string& what, size_t which, const Expr* more, Block* block) {
      const Expr* sum = w_.infix(of_tile[which], "+", in_tile[which]);
      return w_.let(what, w_.index, more == nullptr ? sum : w_.infix(sum, "+", more), block);
    };
    const ContractOperand& operand = demand_.operands[side];
    if (copies_[side]) {
      const Variable* outer = coordinate(outer_name, 0, nullptr, &all.body);
      const Variable* k = coordinate("k", 1, nullptr, &all.body);
      Expressions expressions = w_.expressions_of(*operand.graph, coordinates_of(operand, outer, k));
      name_extents(side, &expressions);
      for (const auto& [id, variable] : fixed_[side]) {
        const Expr* value = kernel_.reference(variable);
        expressions.coordinates[id] =
            along_k ? kernel_.subscript(value, kernel_.reference(all.variable), w_.index) : value;
      }
      const Variable* pointer = expressions.buffers.at(copies_[side]->array);
      const Expr* from = kernel_.prefix("&", expressions.element(pointer, from_[side], dtype_), pointer->type);
      std::vector<const Expr*> arguments = {shared_element(side, in_tile[0], in_tile[1]), from};
      if (const Expr* test = both(inside(side, outer, k), expressions.in_range(copies_[side]->tests)))
        arguments.push_back(test);
      const int64_t bytes = elements_of_copy(side) * dtype_bytes(dtype_);
      const std::string copy = bytes == 16 ? "copy_async" : "copy_async<" + std::to_string(bytes) + ">";
      all.body.push_back({.kind = StatementKind::kExpression, .value = kernel_.call(copy, arguments, kVoid)});
      return all;
    }

    // Element by element, through registers.
    const Variable* fixed =
        along_k ? coordinate(outer_name, 0, nullptr, &all.body) : coordinate("k", 1, nullptr, &all.body);
    CType vector = {
        .kind = CType::Kind::kVector, .dtype = dtype_, .length = form_.chunk(), .extent = std::string("kChunk")};
    Variable* chunk = kernel_.variable("chunk", vector);
    all.body.push_back({.kind = StatementKind::kDeclare, .variable = chunk, .value = kernel_.braces({}, vector)});
    Statement elements = loop("e", "", "kChunk");
    const Expr* e = kernel_.reference(elements.variable);
    const Variable* moving =
        along_k ? coordinate("k", 1, e, &elements.body) : coordinate(outer_name, 0, e, &elements.body);
    const Variable* outer = along_k ? fixed : moving;
    const Variable* k = along_k ? moving : fixed;
    Expressions expressions = w_.expressions_of(*operand.graph, coordinates_of(operand, outer, k));
    name_extents(side, &expressions);
    Block value;
    const Expr* result = w_.results_of(*operand.graph, expressions, &value)[0];
    const Expr* target = kernel_.subscript(kernel_.reference(chunk), e, CType::value(dtype_));
    value.push_back(w_.assign(target, result));
    if (const Expr* test = inside(side, outer, k)) {
      elements.body.push_back({.kind = StatementKind::kIf, .value = test, .body = std::move(value)});
    } else {
      elements.body.insert(elements.body.end(), value.begin(), value.end());
    }
    all.body.push_back(std::move(elements));
    all.body.push_back(
        w_.call("store_vector", {shared_element(side, in_tile[0], in_tile[1]), kernel_.reference(chunk)}));
    return all;
  }

  void add_copies(Block* body) {
    body->push_back({.kind = StatementKind::kComment,
                     .text = "one k tile of both operands to shared memory, as one group of copies" +
                             std::string(whole_rows() && whole_columns() && whole_k() ? "" : ", zeros outside")});
    body->push_back(text(first_place(0) + first_place(1)));
    for (const size_t side : {0, 1}) {
      if (copies_[side]) find_fixed_parts(side, body);
    }
    Statement lambda = {.kind = StatementKind::kScope, .text = "const auto copy_tile = [&](int tile)"};
    Statement guard = {.kind = StatementKind::kIf};
    guard.value = kernel_.infix(kernel_.name_expr("tile"), "<", kernel_.name_expr("kTiles"), kPred);
    lambda.body.push_back(text("Shared::Stage& stage = shared.stage[tile % kStages];\n"));
    for (const size_t side : {0, 1}) guard.body.push_back(copies(side));
    lambda.body.push_back(std::move(guard));
    lambda.body.push_back(text("commit_copies();\n"));
    drop_unread_indices(&lambda.body, lambda.body);  // of an operand that is the same along a dimension
    body->push_back(std::move(lambda));
  }

  // Infinities, NaNs and what is near the largest float, as f32 has them: in terms of TF32 an infinite operand gives
  // NaN, and one that is rounded up may be infinite. So a sum that is not finite is made again, in order.
  void sum_again(Variable* sum, const Variable* row, const Variable* column, Block* block) {
    const CType type = CType::value(DType::kF32);
    const Expr* finite = kernel_.infix(kernel_.call("fabsf", {kernel_.reference(sum)}, type), "<",
                                       kernel_.name_expr("INFINITY", type), kPred);
    Statement again = {.kind = StatementKind::kIf, .value = kernel_.prefix("!", finite, kPred)};
    again.body.push_back(w_.assign(kernel_.reference(sum), kernel_.literal(Literal(Shape::scalar(DType::kF32)))));
    Statement terms;
    terms.kind = StatementKind::kFor;
    terms.variable = kernel_.variable("k", w_.index);
    terms.begin = kernel_.integer(0);
    terms.value = name("kK");
    const Expr* values[2];
    for (const size_t side : {0, 1}) {
      const ContractOperand& operand = demand_.operands[side];
      Expressions expressions =
          w_.expressions_of(*operand.graph, coordinates_of(operand, side == 0 ? row : column, terms.variable));
      name_extents(side, &expressions);
      values[side] = w_.results_of(*operand.graph, expressions, &terms.body)[0];
    }
    const Expr* total = kernel_.call("fmaf", {values[0], values[1], kernel_.reference(sum)}, type);
    terms.body.push_back(w_.assign(kernel_.reference(sum), total));
    again.body.push_back(std::move(terms));
    block->push_back({.kind = StatementKind::kNote, .text = "what is not finite: as f32 has it"});
    block->push_back(std::move(again));
  }

  // What follows the product, a row a warp, neighbours a lane.
  void add_results(Block* body) {
    body->push_back({.kind = StatementKind::kComment, .text = "results: rows by warps, columns by lanes"});
    Statement columns = loop("j", "lane", "kTileN", kWarp, "kWarp");
    const Expr* j = kernel_.reference(columns.variable);
    const Variable* column = w_.let("column", w_.index, w_.infix(kernel_.reference(first_[1]), "+", j), &columns.body);
    const auto leaves = [&](const Variable* coordinate, const char* limit, Block* block) {
      Statement guard = {.kind = StatementKind::kIf};
      guard.value = kernel_.infix(kernel_.reference(coordinate), ">=", name(limit), kPred);
      guard.body.push_back({.kind = StatementKind::kBreak});
      block->push_back(std::move(guard));
    };
    if (!whole_columns()) leaves(column, "kN", &columns.body);
    Statement rows = loop("i", "", "kTileM", threads_ / kWarp, "kWarps");
    rows.begin = kernel_.infix(kernel_.name_expr("thread"), "/", kernel_.name_expr("kWarp"), kInteger);
    const Expr* i = kernel_.reference(rows.variable);
    const Variable* row = w_.let("row", w_.index, w_.infix(kernel_.reference(first_[0]), "+", i), &rows.body);
    if (!whole_rows()) leaves(row, "kM", &rows.body);

    const DType sum_dtype = form_.product == Product::kInt8 ? DType::kS32 : DType::kF32;
    const CType sum_type = CType::value(sum_dtype);
    const Expr* place = kernel_.call("sum_at", {i, j}, kInteger);
    const Expr* element = kernel_.subscript(kernel_.name_expr("shared.sums", sum_type), place, sum_type);
    const DType dtype = demand_.dot->shape.dtype;
    const bool checks = form_.product == Product::k3xTf32;
    const bool is_product = dtype == sum_dtype;  // as it is summed
    Variable* product =
        kernel_.variable(is_product ? value_name(*demand_.dot) : "sum", sum_type, is_product ? demand_.dot : nullptr);
    rows.body.push_back(
        {.kind = checks ? StatementKind::kDeclare : StatementKind::kLet, .variable = product, .value = element});
    if (checks) sum_again(product, row, column, &rows.body);

    std::map<int, const Expr*> coordinates = {{demand_.row, kernel_.reference(row)},
                                              {demand_.column, kernel_.reference(column)}};
    if (batch_ != nullptr) coordinates[demand_.batch] = kernel_.reference(batch_);
    Expressions expressions = w_.expressions_of(*demand_.epilogue, coordinates);
    expressions.constants[extents_.n] = "kN";
    if (!is_product) {
      const Expr* sum = kernel_.reference(product);
      sum = is_float(dtype) ? expressions.narrow(dtype, sum) : kernel_.cast(CType::value(dtype), sum);
      product = kernel_.variable(value_name(*demand_.dot), CType::value(dtype), demand_.dot);
      rows.body.push_back({.kind = StatementKind::kLet, .variable = product, .value = sum});
    }
    for (const NodeId node : demand_.products) expressions.variables[node] = product;
    const Block statements = write_block(w_.input.module, *demand_.epilogue, expressions, {});
    rows.body.insert(rows.body.end(), statements.begin(), statements.end());
    columns.body.push_back(std::move(rows));
    drop_unread_indices(&columns.body, columns.body);
    body->push_back(std::move(columns));
  }

  StageWriter w_;
  Kernel& kernel_;
  const ContractDemand& demand_;
  const TensorCoreForm form_;
  const ContractExtents extents_;
  const int64_t threads_;
  const ContractGrid grid_;
  const DType dtype_;  // of both operands
  std::optional<TileCopy> copies_[2];
  IndexExpr from_[2];                                // where a copy reads
  std::vector<std::pair<int, Variable*>> fixed_[2];  // coordinates that stand for what is found before the loop
  TensorCoreText text_;
  Variable* batch_ = nullptr;
  Variable* first_[2] = {nullptr, nullptr};  // row and column of the tile
};

}  // namespace

LoweredStage lower_tensor_core(const StageInput& input, const ContractDemand& demand, const TensorCoreForm& form) {
  return TensorCoreWriter(input, demand, form).run();
}

}  // namespace sinter
