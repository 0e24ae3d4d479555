// scatter_to_select: updates of which each element may have one alone are chosen where they are, if the array is of one
// value (the gradient of take_along_axis with one place a row, one-hot rows), is computed element by element for this
// alone, or is a small one that a loop carries.
//
//   %s = f32[64,1000] scatter(%zeros, %label, %u), input_batching_dims={0}, to_apply=%add   (label s32[64,1], u
//   f32[64])
//                                                         =>
//   %own = pred[64,1000] compare(iota over 1000, broadcast(%label)), direction=EQ
//   %s = f32[64,1000] select(%own, add(%zeros, broadcast(%u)), %zeros)
//
// An index out of range is equal to none. The array is computed where it is read then, and its rows are those of the
// kernel around it. Of any other array the scatter may write its updates alone, which is less.
#include <algorithm>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/values/constants.h"
#include "passes/analysis/values/small_update.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/on_arrays.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/scatters/scatter_dims.h"
#include "passes/graph/scatters/update_places.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// Whether each element is computed in any case: no array is there that the updates alone could be written into. One
// window, as a stack has it at the step's place, may yet become a dynamic-update-slice.
bool is_computed_anyway(const Instruction& scatter, const UpdatePlaces& places) {
  const Instruction& operand = *scatter.operand(0);
  if (splat_value(operand)) return true;
  if (std::ranges::all_of(places.of_updates, [](int64_t dimension) { return dimension < 0; })) return false;
  if (operand.opcode == Opcode::kGetTupleElement && operand.operand(0)->opcode == Opcode::kParameter)
    return operand.parent() != operand.parent()->parent()->entry() && operand.shape.bytes() < kSmallestUpdated;
  return family_of(operand) == Family::kElementwise && operand.opcode != Opcode::kConstant &&
         operand.users().size() == 1;
}

bool to_select(Instruction& scatter) {
  if (scatter.operands().size() != 3 || !scatter.shape.is_array() || scatter.shape.element_count() == 0) return false;
  const Computation& function = **scatter.attributes->to_apply;
  if (!gives_elements(function)) return false;
  const std::optional<UpdatePlaces> places = update_places(scatter);
  if (!places || !is_computed_anyway(scatter, *places)) return false;

  GraphBuilder build(scatter);
  const Dims& dims = scatter.shape.dims;
  Instruction *operand = scatter.operand(0), *indices = scatter.operand(1), *updates = scatter.operand(2);
  const Dims windows = list(scatter.attributes->update_window_dims);
  const int64_t vector_dim = scatter.attributes->index_vector_dim.value();
  // What has an element for each update, with one of its own for each element that the update may be of.
  const auto spread = [&](Value value, const Dims& where) {
    Dims kept, to;
    for (size_t d = 0; d < where.size(); ++d) {
      if (where[d] < 0) continue;
      kept.push_back(value->shape.dims[d]);
      to.push_back(where[d]);
    }
    Dims order = iota_list(static_cast<int64_t>(to.size()));
    std::ranges::sort(order, {}, [&](int64_t d) { return to[static_cast<size_t>(d)]; });
    value = build.reshape(value, kept);
    if (!std::ranges::is_sorted(to)) value = build.transpose(value, order);
    std::ranges::sort(to);
    return build.broadcast(value, dims, to);
  };
  Value own = nullptr;
  for (size_t i = 0; i < places->named.size(); ++i) {
    Value component = indices;
    if (vector_dim < indices->shape.rank()) {
      component = build.slice(component, vector_dim, places->component[i], places->component[i] + 1);
      Dims batch = indices->shape.dims;
      batch.erase(batch.begin() + vector_dim);
      component = build.reshape(component, batch);
    }
    const Value place = build.iota(component->shape.dtype, dims, places->named[i]);
    const Value same = build.compare({place, spread(component, places->of_updates)}, "EQ");
    own = own == nullptr ? same : build.make(Opcode::kAnd, {own, same});
  }
  Dims of_updates;
  size_t batch = 0, window = 0;
  Dims along;  // the operand's dimensions that windows have
  for (int64_t d = 0; d < scatter.shape.rank(); ++d) {
    if (!position_in(list(scatter.attributes->inserted_window_dims), d) &&
        !position_in(list(scatter.attributes->input_batching_dims), d))
      along.push_back(d);
  }
  for (int64_t d = 0; d < updates->shape.rank(); ++d)
    of_updates.push_back(position_in(windows, d) ? along[window++] : places->of_updates[batch++]);
  const Value updated = on_arrays(scatter, function, {operand, spread(updates, of_updates)}, dims)[0];
  if (own == nullptr) {
    become(scatter, Opcode::kCopy, {updated});
  } else {
    become(scatter, Opcode::kSelect, {own, updated, operand});
  }
  return true;
}

}  // namespace

bool scatter_to_select(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* scatter : instructions_of(module, Opcode::kScatter)) changed |= to_select(*scatter);
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
