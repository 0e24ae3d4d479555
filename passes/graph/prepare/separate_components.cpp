// separate_components: sums over points of a few coordinates, which share what is the same for all of them, become a
// sum for each coordinate.
//
//   %apart = f32[4096,4096,3] subtract(...)                  of every two points
//   %squared = f32[4096,4096] reduce(multiply(%apart, %apart), 0), dimensions={2}
//   %weight = f32[4096,4096] power(%squared, -1.5)
//   %pull = f32[4096,3] reduce(multiply(%apart, broadcast(%weight)), 0), dimensions={1}
//                                                   =>
//   %apart_c = f32[4096,4096] subtract(...)                  for c of 0, 1, 2: of coordinate c
//   %squared = add(add(multiply(%apart_0, %apart_0), multiply(%apart_1, %apart_1)), multiply(%apart_2, %apart_2))
//   %pull_c = f32[4096] reduce(multiply(%apart_c, %weight), 0), dimensions={1}
//   %pull = f32[4096,3] concatenate(reshape(%pull_0), reshape(%pull_1), reshape(%pull_2)), dimensions={1}
//
// A thread then computes a weight once, not once for each coordinate. It is worth it where the weight is work, and is
// not read from an array.
#include <algorithm>
#include <map>

#include "ir/module/device_functions.h"
#include "passes/analysis/loops/element_work.h"
#include "passes/analysis/shapes/reduced_rows.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/base/write_out.h"

namespace sinter {
namespace {

// As many components as are written out in a thread.
constexpr int64_t kMostComponents = 4;

std::vector<int64_t> without_last(std::vector<int64_t> dims) {
  dims.pop_back();
  return dims;
}

// Whether a broadcast's dimensions keep their order.
bool is_in_order(const Instruction& broadcast) {
  const std::vector<int64_t>& where = *broadcast.attributes->dimensions;
  return std::is_sorted(where.begin(), where.end());
}

// The components of values, along their last dimension; each is made once.
class Components {
 public:
  explicit Components(Instruction& position) : position_(position) {}

  const std::vector<Instruction*>& of(Instruction* value) {
    const auto known = made_.find(value);
    if (known != made_.end()) return known->second;
    std::vector<Instruction*> components;
    ++depth_;
    for (int64_t c = 0; c < value->shape.dims.back(); ++c) components.push_back(make(value, c));
    --depth_;
    return made_[value] = std::move(components);
  }

 private:
  Instruction* make(Instruction* value, int64_t c) {
    const std::vector<int64_t> dims = without_last(value->shape.dims);
    const int64_t count = value->shape.dims.back(), last = value->shape.rank() - 1;
    GraphBuilder build(*value);
    const auto has_components = [&](const Instruction* operand) {
      return operand->shape.rank() > 0 && operand->shape.dims.back() == count;
    };
    const bool is_near = depth_ <= kDeepest;
    if (family_of(*value) == Family::kElementwise && is_near) {
      std::vector<Instruction*> operands;
      for (Instruction* operand : value->operands())
        operands.push_back(operand->shape.rank() == 0 ? operand : of(operand)[c]);
      return insert_like(*value, value->opcode, Shape::array(value->shape.dtype, dims), operands, value->attributes);
    }
    if (value->opcode == Opcode::kBroadcast && is_in_order(*value) && is_near) {
      std::vector<int64_t> where = *value->attributes->dimensions;
      Instruction* operand = value->operand(0);
      if (where.empty() || where.back() != last) return build.broadcast(operand, dims, where);
      where.pop_back();
      return build.broadcast(of(operand)[c], dims, where);
    }
    if (value->opcode == Opcode::kReshape && has_components(value->operand(0)) && is_near)
      return build.reshape(of(value->operand(0))[c], dims);
    GraphBuilder after(position_);
    return after.reshape(after.slice(value, last, c, c + 1), dims);
  }

  static constexpr int kDeepest = 256;  // what lies behind so many operations is taken apart by slices

  Instruction& position_;  // in whose computation they are
  int depth_ = 0;
  std::map<Instruction*, std::vector<Instruction*>> made_;
};

// Whether a sum over components can be written as a sum of them.
bool is_of_components(const Instruction& reduce) {
  return may_be_written_out(reduce) && reduce.attributes->dimensions->front() == reduce.operand(0)->shape.rank() - 1;
}

// Reductions of one computation.
struct Found {
  std::vector<Instruction*> kept;     // that keep components
  std::vector<Instruction*> reduced;  // over components, from which those are computed
};

// Whether a reduction keeps components, of many rows, that share work; adds those over components, of which that is.
bool shares_work(const Instruction& reduce, Found* found) {
  constexpr int64_t kLeastRows = 128, kLeastColumns = 8, kMuchWork = 8;  // adds
  const std::optional<RowExtents> rows = reduce.operands().size() == 2 ? reduced_rows(reduce) : std::nullopt;
  if (!rows || rows->inner == 1 || rows->columns < kLeastColumns) return false;
  Instruction* terms = reduce.operand(0);
  const std::vector<int64_t>& dims = terms->shape.dims;
  const int64_t count = dims.back(), last = terms->shape.rank() - 1;
  if (count < 2 || count > kMostComponents || rows->rows < kLeastRows * count) return false;
  int64_t work = 0;
  std::vector<Instruction*> reduced;
  for (const ElementWork& part : work_of_element(terms)) {
    if (part.value->opcode != Opcode::kBroadcast || part.value->shape.dims != dims || !is_in_order(*part.value))
      continue;
    const std::vector<int64_t>& where = *part.value->attributes->dimensions;
    const bool same_for_all = where.empty() || where.back() != last;
    if (!same_for_all || part.value->operand(0)->shape.element_count() * count != terms->shape.element_count())
      continue;
    const std::vector<ElementWork> shared = work_of_element(part.value->operand(0));
    work += cost_of(shared);
    for (const ElementWork& below : shared) {
      if (is_of_components(*below.value) && below.value->operand(0)->shape.dims == dims) reduced.push_back(below.value);
    }
  }
  if (work < kMuchWork) return false;
  for (Instruction* over : reduced) {
    if (std::find(found->reduced.begin(), found->reduced.end(), over) == found->reduced.end())
      found->reduced.push_back(over);
  }
  return true;
}

void keep_apart(Instruction& reduce, const std::vector<Instruction*>& components) {
  GraphBuilder build(reduce);
  std::vector<int64_t> dims = reduce.shape.dims;
  const auto last = static_cast<int64_t>(dims.size()) - 1;
  dims.back() = 1;
  std::vector<Instruction*> pieces;
  for (Instruction* component : components) {
    Instruction* piece = build.make(Opcode::kReduce, {component, reduce.operand(1)}, reduce.attributes);
    pieces.push_back(build.reshape(piece, dims));
  }
  Attributes attributes;
  attributes.dimensions = std::vector<int64_t>{last};
  become(reduce, Opcode::kConcatenate, pieces, std::move(attributes));
}

bool separate_in(Computation& computation) {
  Found found;
  for (Instruction& instruction : computation.instructions()) {
    if (instruction.opcode == Opcode::kReduce && shares_work(instruction, &found)) found.kept.push_back(&instruction);
  }
  if (found.kept.empty()) return false;
  Components components(*computation.root());
  for (Instruction* reduce : found.reduced) write_out(*reduce, components.of(reduce->operand(0)));
  for (Instruction* reduce : found.kept) keep_apart(*reduce, components.of(reduce->operand(0)));
  computation.sort();
  return true;
}

}  // namespace

bool separate_components(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (const auto& computation : module.computations()) changed |= separate_in(*computation);
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
