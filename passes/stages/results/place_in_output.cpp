// place_in_output: values from a product to what is stored, followed forwards with the index of one element.
#include "passes/stages/results/place_in_output.h"

#include <map>
#include <optional>

#include "ir/module/device_functions.h"
#include "passes/stages/domain/vectorize.h"

namespace sinter {
namespace {

// Whether such a value has a result for each of the product's, in its order: rows whose parts are put together again.
bool is_put_together(const Instruction& value, const Instruction& product) {
  return value.opcode == Opcode::kConcatenate && value.shape.element_count() == product.shape.element_count();
}

// Values from the product's first user to the output, or from what is put together of its rows, each computed of the
// one before element by element, or of its elements in another order; empty if there are none.
std::vector<const Instruction*> values_between(const DemandContext& context, const Instruction& product,
                                               const Instruction& output) {
  std::map<const Instruction*, const Instruction*> user_of = {{&output, nullptr}};  // asked for membership alone
  std::vector<const Instruction*> open = {&output};
  for (size_t next = 0; next < open.size(); ++next) {
    const Instruction* value = open[next];
    if (value == &product || is_put_together(*value, product)) {
      std::vector<const Instruction*> between;
      for (const Instruction* user = user_of[value]; user != nullptr; user = user_of[user]) between.push_back(user);
      return between;
    }
    if (!context.computed.contains(value)) continue;
    const bool moves = value->opcode == Opcode::kTranspose || value->opcode == Opcode::kReshape;
    if (!moves && family_of(*value) != Family::kElementwise) continue;
    for (const Instruction* operand : value->operands()) {
      const bool whole = moves || operand->shape.dims == value->shape.dims;
      if (whole && user_of.emplace(operand, value).second) open.push_back(operand);
    }
  }
  return {};
}

// nullopt where no transpose stands between.
std::optional<std::vector<IndexExpr>> transposed_place(const DemandContext& context, const Instruction& product,
                                                       const Instruction& output, const IndexExpr& number) {
  if (!output.shape.is_array() || output.shape.element_count() != product.shape.element_count()) return std::nullopt;
  const std::vector<const Instruction*> between = values_between(context, product, output);
  if (between.empty()) return std::nullopt;
  const auto& operands = between[0]->operands();
  const auto first = std::ranges::find_if(
      operands, [&](const Instruction* operand) { return operand != &product && is_put_together(*operand, product); });
  std::vector<int64_t> dims = first == operands.end() ? product.shape.dims : (*first)->shape.dims;
  std::vector<IndexExpr> index = delinearize(number, dims);
  bool is_transposed = false;
  for (const Instruction* value : between) {
    if (value->opcode == Opcode::kTranspose) {
      std::vector<IndexExpr> permuted;
      for (const int64_t from : *value->attributes->dimensions) permuted.push_back(index[static_cast<size_t>(from)]);
      index = std::move(permuted);
      is_transposed = true;
    } else if (value->opcode == Opcode::kReshape) {
      index = delinearize(linearize(index, dims), value->shape.dims);
    }
    dims = value->shape.dims;
  }
  return is_transposed ? std::optional(std::move(index)) : std::nullopt;
}

}  // namespace

std::vector<IndexExpr> place_in_output(const DemandContext& context, const Instruction* product,
                                       const Instruction& output, const IndexExpr& number, const DemandGraph& graph) {
  constexpr int64_t kLeastRun = 16;  // neighbours in memory: a sector of 16-bit floats
  const int column = static_cast<int>(graph.coordinates.size()) - 1;
  if (product != nullptr) {
    if (std::optional<std::vector<IndexExpr>> place = transposed_place(context, *product, output, number)) {
      const IndexExpr offset = linearize(*place, output.shape.dims);
      if (is_vector_offset(graph, offset, column, kNoBase, 1) || begins_vector(graph, offset, column, kLeastRun))
        return std::move(*place);
    }
  }
  return delinearize(number, stored_shape(context, output).dims);
}

}  // namespace sinter
