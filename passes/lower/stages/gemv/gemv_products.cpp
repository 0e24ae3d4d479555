#include "passes/lower/stages/gemv/gemv_products.h"

#include "passes/analysis/functions/emittable.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/products/text_statement.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

class ProductsWriter {
 public:
  ProductsWriter(StageWriter* writer, const GemvText& text, const DemandGraph& vectors, const GemvTypes& types)
      : w_(*writer), kernel_(writer->kernel), text_(text), vectors_(vectors), x_type_(types.x), sum_type_(types.sum) {}

  void write(const Expr* step, Block* body) {
    const CType type = CType::value(sum_type_);
    const Expr* of_panel = step;
    if (text_.panels() > 1) {
      of_panel = kernel_.infix(step, "-", kernel_.infix(small("panel"), "*", small("kPanelSteps"), kInteger), kInteger);
    }
    of_panel = kernel_.infix(of_panel, "*", small("kTileK"), kInteger);
    Statement vectors = unrolled_loop(&kernel_, "vector", "kVectors");
    const Expr* vector = kernel_.reference(vectors.variable);
    if (!text_.operands.along_k) {
      Statement rows = unrolled_loop(&kernel_, "r", "kRows");
      const Expr* r = kernel_.reference(rows.variable);
      const Expr* place = kernel_.infix(of_panel, "+", place_of_row(&kernel_, r), kInteger);
      const Expr* x = wide_x(array_element(&kernel_, "shared.x", {vector, place}, x_type_));
      x = kernel_.reference(w_.let("x_value", type, x, &vectors.body));
      Statement all = unrolled_loop(&kernel_, "e", "kChunk");
      const Expr* e = kernel_.reference(all.variable);
      all.body.push_back(add_product(x, array_element(&kernel_, "elements", {r, e}, sum_type_),
                                     array_element(&kernel_, "sums", {vector, e}, sum_type_)));
      vectors.body.push_back(std::move(all));
      rows.body.push_back(std::move(vectors));
      body->push_back(std::move(rows));
      return;
    }
    const auto of_element = [&](const Expr* value, const Expr* e, Block* block) {
      const Expr* x = kernel_.reference(w_.let("x_value", type, wide_x(value), block));
      Statement rows = unrolled_loop(&kernel_, "r", "kRows");
      const Expr* r = kernel_.reference(rows.variable);
      rows.body.push_back(add_product(x, array_element(&kernel_, "elements", {r, e}, sum_type_),
                                      array_element(&kernel_, "sums", {vector, r}, sum_type_)));
      block->push_back(std::move(rows));
    };
    const Expr* first = kernel_.infix(of_panel, "+", small("along"), kInteger);
    if (text_.piece == 1) {
      of_element(array_element(&kernel_, "shared.x", {vector, first}, x_type_), kernel_.integer(0), &vectors.body);
    } else {
      Statement pieces_of_chunk = unrolled_loop(&kernel_, "first", "kChunk");
      pieces_of_chunk.step = text_.piece;
      pieces_of_chunk.text = "kPiece";
      const Expr* begin = kernel_.reference(pieces_of_chunk.variable);
      const Expr* from = array_element(
          &kernel_, "shared.x", {vector, place_in_vector(&kernel_, text_, kernel_.infix(first, "+", begin, kInteger))},
          x_type_);
      const CType pointer = {.kind = CType::Kind::kPointer, .dtype = x_type_};
      const CType vector_type = {
          .kind = CType::Kind::kVector, .dtype = x_type_, .length = text_.piece, .extent = std::string("kPiece")};
      const Expr* piece = kernel_.reference(w_.let(
          "piece", vector_type, kernel_.call("load_vector<kPiece>", {kernel_.prefix("&", from, pointer)}, vector_type),
          &pieces_of_chunk.body));
      Statement all = unrolled_loop(&kernel_, "e", "kPiece");
      const Expr* e = kernel_.reference(all.variable);
      of_element(kernel_.subscript(piece, e, CType::value(x_type_)), kernel_.infix(begin, "+", e, kInteger), &all.body);
      pieces_of_chunk.body.push_back(std::move(all));
      vectors.body.push_back(std::move(pieces_of_chunk));
    }
    body->push_back(std::move(vectors));
  }

 private:
  const Expr* small(const std::string& spelling) { return kernel_.name_expr(spelling); }
  // `wide`, of the vectors, in the type of sums.
  const Expr* wide_x(const Expr* value) {
    Expressions expressions = w_.expressions_of(vectors_, {});
    return expressions.convert(accumulator_type(x_type_), sum_type_, expressions.widen(x_type_, value));
  }
  Statement add_product(const Expr* x, const Expr* element_of_matrix, const Expr* sum) {
    const CType type = CType::value(sum_type_);
    Statement statement = {.kind = StatementKind::kAssign, .target = sum, .text = "="};
    if (is_float(sum_type_)) {
      statement.value = kernel_.call(sum_type_ == DType::kF64 ? "fma" : "fmaf", {x, element_of_matrix, sum}, type);
    } else {
      statement.text = "+=";
      statement.value = kernel_.infix(x, "*", element_of_matrix, type);
    }
    return statement;
  }

  StageWriter& w_;
  Kernel& kernel_;
  const GemvText& text_;
  const DemandGraph& vectors_;
  const DType x_type_, sum_type_;
};

}  // namespace

const Expr* place_of_row(Kernel* kernel, const Expr* r) {
  const Expr* rows = kernel->infix(r, "*", kernel->name_expr("kPlaces"), kInteger);
  return kernel->infix(kernel->name_expr("place"), "+", rows, kInteger);
}

const Expr* place_in_vector(Kernel* kernel, const GemvText& text, const Expr* k) {
  return text.pieces() > 1 ? kernel->call("x_at", {k}, kInteger) : k;
}

void add_gemv_products(StageWriter* writer, const GemvText& text, const DemandGraph& vectors, const GemvTypes& types,
                       const Expr* step, Block* body) {
  ProductsWriter(writer, text, vectors, types).write(step, body);
}

}  // namespace sinter
