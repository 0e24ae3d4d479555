// What a skinny product makes of its sums: those of groups of threads are added up, then those of blocks that share
// outputs, and what follows the product is computed of the total.
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/stages/gemv/gemv_writer.h"

#include "passes/lower/stages/products/text_statement.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/names/value_names.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

}  // namespace

Statement GemvWriter::each(const char* outputs, const Expr* first, const char* limit, const Make& make) {
  Statement all = by_threads(std::string("kVectors * ") + outputs);
  const Expr* i = kernel_.reference(all.variable);
  const Variable* vector = w_.let("vector", w_.index, kernel_.infix(i, "/", small(outputs), kInteger), &all.body);
  const Variable* place = w_.let("of_tile", kInteger, kernel_.infix(i, "%", small(outputs), kInteger), &all.body);
  const Variable* output = w_.let("output", w_.index, w_.infix(first, "+", kernel_.reference(place)), &all.body);
  if (!whole_outputs()) {
    Statement guard = {.kind = StatementKind::kIf};
    guard.value = kernel_.infix(kernel_.reference(output), ">=", name(limit), kPred);
    guard.body.push_back({.kind = StatementKind::kContinue});
    all.body.push_back(std::move(guard));
  }
  make(vector, place, output, &all.body);
  return all;
}

Statement GemvWriter::each_output(const Make& make) {
  return each("kTileN", kernel_.reference(first_output_), "kOutputs", make);
}

Statement GemvWriter::each_result(const Make& make) {
  if (!in_parts()) return each_output(make);
  return each("kResults", w_.infix(kernel_.reference(first_output_), "/", small("kParts")), "kPart", make);
}

Variable* GemvWriter::total(const std::string& name, const Instruction* value, const std::string& counter,
                            const std::string& end, const std::function<const Expr*(const Expr*)>& part, Block* block) {
  Variable* result = kernel_.variable(name, CType::value(sum_type_), value);
  const StatementKind kind = end.empty() ? StatementKind::kLet : StatementKind::kDeclare;
  block->push_back({.kind = kind, .variable = result, .value = part(nullptr)});
  if (end.empty()) return result;
  Statement others = w_.counted_loop(counter, "", end);
  others.begin = kernel_.integer(1);
  Statement statement = {.kind = StatementKind::kAssign,
                         .target = kernel_.reference(result),
                         .value = part(kernel_.reference(others.variable)),
                         .text = "+="};
  others.body.push_back(std::move(statement));
  block->push_back(std::move(others));
  return result;
}

const Expr* GemvWriter::partial_of(const Expr* split, const Variable* vector, const Variable* output) {
  const Expr* place = split == nullptr ? nullptr : w_.wide(split);
  if (batch_ != nullptr) {
    const Expr* first = w_.infix(kernel_.reference(batch_), "*", name("kSplits"));
    place = place == nullptr ? first : w_.infix(first, "+", place);
  }
  const Expr* before = place == nullptr ? nullptr : w_.infix(place, "*", name("kVectors"));
  place = sum(before, kernel_.reference(vector));
  place = w_.infix(w_.infix(place, "*", name("kOutputs")), "+", kernel_.reference(output));
  return kernel_.subscript(kernel_.reference(partial_), place, CType::value(sum_type_));
}

Statement GemvWriter::leave_but_last(const Tile& tile) {
  const Expr* place = tile.x;
  if (operands_.batch > 1)
    place = kernel_.infix(kernel_.infix(tile.z, "*", small("kBlocks"), kInteger), "+", tile.x, kInteger);
  const CType count = CType::value(DType::kU32);
  const Expr* finished = kernel_.subscript(kernel_.reference(finished_), place, count);
  const Expr* is_last = kernel_.call("is_last_of",
                                     {kernel_.prefix("&", finished, finished_->type),
                                      kernel_.infix(small("kSplits"), "-", kernel_.integer(1), kInteger)},
                                     kPred);
  Statement guard = {.kind = StatementKind::kIf, .value = kernel_.prefix("!", is_last, kPred)};
  guard.body.push_back({.kind = StatementKind::kReturn});
  return guard;
}

Variable* GemvWriter::of_groups(const std::string& name, const Instruction* value, const Variable* vector,
                                const Variable* place, Block* block) {
  const auto of_group = [&](const Expr* group) {
    const Expr* number = group == nullptr ? kernel_.integer(0) : group;
    return element("shared.sums", {number, kernel_.reference(vector), kernel_.reference(place)}, sum_type_);
  };
  return total(name, value, "group", shape_.groups > 1 ? "kGroups" : "", of_group, block);
}

void GemvWriter::add_sum(const Variable* vector, const Variable* place, const Variable* output,
                         Expressions* expressions, Block* block) {
  const DType dtype = demand_.dot->shape.dtype;
  const bool is_product = dtype == sum_type_;  // as it is summed
  const std::string sum_name = is_product ? value_name(*demand_.dot) : "total";
  const Instruction* sum_value = is_product ? demand_.dot : nullptr;
  const auto of_split = [&](const Expr* split) { return partial_of(split, vector, output); };
  Variable* product = splits() ? total(sum_name, sum_value, "split", "kSplits", of_split, block)
                               : of_groups(sum_name, sum_value, vector, place, block);
  if (!is_product) {
    const Expr* narrow = expressions->narrow(dtype, kernel_.reference(product));
    product = kernel_.variable(value_name(*demand_.dot), CType::value(dtype), demand_.dot);
    block->push_back({.kind = StatementKind::kLet, .variable = product, .value = narrow});
  }
  for (const ContractDemand::Product& each : demand_.products) expressions->variables[each.node] = product;
}

void GemvWriter::add_sums_of_parts(const Variable* vector, const Variable* place, Expressions* expressions,
                                   Block* block) {
  const DType dtype = demand_.dot->shape.dtype;
  const CType type = CType::value(dtype);
  const CType array = {
      .kind = CType::Kind::kArray, .dtype = dtype, .length = demand_.parts.count, .extent = std::string("kParts")};
  Variable* products = kernel_.variable("products", array, demand_.matrices.empty() ? demand_.dot : nullptr);
  block->push_back({.kind = StatementKind::kDeclare, .variable = products});
  Statement all = unrolled("part", demand_.parts.empty > 0 ? "kFull" : "kParts");
  const Expr* part = kernel_.reference(all.variable);
  const Expr* at = kernel_.call("column_of", {part, kernel_.reference(place)}, kInteger);
  const Variable* of_part = w_.let("column", kInteger, at, &all.body);
  const Variable* total_sum = nullptr;
  if (splits()) {
    const Variable* output =
        w_.let("place_of_part", w_.index, w_.infix(kernel_.reference(first_output_), "+", kernel_.reference(of_part)),
               &all.body);
    const auto of_split = [&](const Expr* split) { return partial_of(split, vector, output); };
    total_sum = total("total", nullptr, "split", "kSplits", of_split, &all.body);
  } else {
    total_sum = of_groups("total", nullptr, vector, of_part, &all.body);
  }
  const Expr* sum = kernel_.reference(total_sum);
  if (dtype != sum_type_) sum = expressions->narrow(dtype, sum);
  all.body.push_back(w_.assign(kernel_.subscript(kernel_.reference(products), part, type), sum));
  block->push_back(std::move(all));
  for (const ContractDemand::Product& each : demand_.products)
    expressions->members[each.node] = kernel_.subscript(kernel_.reference(products), kernel_.integer(each.part), type);
}

void GemvWriter::add_results(const Tile& tile, Block* body) {
  if (splits()) {
    body->push_back(note("the block's part; the last one to finish adds up all parts in order"));
    body->push_back(
        each_output([&](const Variable* vector, const Variable* place, const Variable* output, Block* block) {
          const Variable* part = of_groups("part", nullptr, vector, place, block);
          block->push_back(w_.assign(partial_of(tile.y, vector, output), kernel_.reference(part)));
        }));
    body->push_back(leave_but_last(tile));
    blank(body);
  }
  body->push_back(note("results"));
  body->push_back(each_result([&](const Variable* vector, const Variable* place, const Variable* output, Block* block) {
    const Variable* rows = operands_.matrix == 1 ? vector : output;
    const Variable* columns = operands_.matrix == 1 ? output : vector;
    std::map<int, const Expr*> coordinates = {{demand_.row, kernel_.reference(rows)},
                                              {demand_.column, kernel_.reference(columns)}};
    if (batch_ != nullptr) coordinates[demand_.batch] = kernel_.reference(batch_);
    Expressions expressions = w_.expressions_of(*demand_.epilogue, coordinates);
    if (in_parts()) {
      expressions.constants[demand_.parts.size] = "kPart";
      add_sums_of_parts(vector, place, &expressions, block);
    } else {
      expressions.constants[demand_.extents.n] = operands_.matrix == 1 ? "kOutputs" : "kVectors";
      add_sum(vector, place, output, &expressions, block);
    }
    Block statements = write_block(w_.input.module, *demand_.epilogue, expressions, {});
    rename_values(&statements);
    block->insert(block->end(), statements.begin(), statements.end());
  }));
}

}  // namespace sinter
