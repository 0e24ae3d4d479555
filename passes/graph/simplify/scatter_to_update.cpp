// A scatter of one window as a dynamic-update-slice.
#include "passes/graph/simplify/scatter_to_update.h"

#include <algorithm>

#include "passes/analysis/values/replaced_array.h"
#include "passes/analysis/values/small_update.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

// The window's size in each dimension of the array; empty if the scatter has more than one window.
std::vector<int64_t> window_sizes(const Instruction& scatter) {
  const Attributes& attributes = scatter.attributes;
  const auto list = [](const Boxed<std::vector<int64_t>>& dims) { return dims.value_or(std::vector<int64_t>()); };
  if (scatter.operands().size() != 3 || !list(attributes.input_batching_dims).empty()) return {};
  const Shape& array = scatter.operand(0)->shape;
  const Shape& indices = scatter.operand(1)->shape;
  const auto vector_dim = static_cast<size_t>(attributes.index_vector_dim.value());
  for (size_t d = 0; d < indices.dims.size(); ++d) {
    if (d != vector_dim && indices.dims[d] != 1) return {};
  }
  const std::vector<int64_t> inserted = list(attributes.inserted_window_dims);
  const std::vector<int64_t> window = list(attributes.update_window_dims);
  std::vector<int64_t> sizes;
  size_t next = 0;
  for (int64_t d = 0; d < array.rank(); ++d) {
    if (std::find(inserted.begin(), inserted.end(), d) != inserted.end()) {
      sizes.push_back(1);
    } else {
      sizes.push_back(scatter.operand(2)->shape.dims[static_cast<size_t>(window[next++])]);
    }
  }
  return sizes;
}

std::optional<Interval> index_range(const Instruction& indices, int64_t k,
                                    const std::function<std::optional<Interval>(const Instruction&)>& range_of) {
  if (indices.opcode == Opcode::kConstant && !indices.literal.is_elided()) {
    const int64_t value = indices.literal.integer_at(k);
    if (indices.shape.dtype == DType::kU64 && value < 0) return {};
    return Interval{value, value};
  }
  return range_of(indices);
}

// Whether it is a small update of a large donated parameter or carry, or one of several one after the other, and all
// that becomes of it: worth doing in place, which dynamic-update-slice is (passes/schedule/groups/updates_in_place.h).
bool updates_where_it_is(const Instruction& scatter) {
  return is_small_update(scatter.shape, scatter.operand(2)->shape) && takes_place_of_operand(scatter);
}

// Whether it updates one window, whose size is not empty then, and combines what it finds there element by element.
bool has_one_window(const Instruction& scatter, std::vector<int64_t>* sizes) {
  if (scatter.opcode != Opcode::kScatter || !scatter.shape.is_array()) return false;
  *sizes = window_sizes(scatter);
  if (sizes->empty() || !is_elementwise_function(*scatter.attributes->to_apply.value())) return false;
  return scatter.operand(1)->shape.element_count() ==
         std::ssize(scatter.attributes->scatter_dims_to_operand_dims.value());
}

}  // namespace

bool becomes_update_in_place(const Instruction& scatter) {
  std::vector<int64_t> sizes;
  return has_one_window(scatter, &sizes) && whole_range(scatter.operand(1)->shape.dtype) &&
         updates_where_it_is(scatter);
}

bool scatter_to_update(Instruction& scatter,
                       const std::function<std::optional<Interval>(const Instruction&)>& range_of) {
  std::vector<int64_t> sizes;
  if (!has_one_window(scatter, &sizes)) return false;
  const Computation& combine = *scatter.attributes->to_apply.value();
  Instruction* array = scatter.operand(0);
  Instruction* indices = scatter.operand(1);
  const std::vector<int64_t> mapped = scatter.attributes->scatter_dims_to_operand_dims.value();
  const auto count = static_cast<int64_t>(mapped.size());
  std::vector<int64_t> tested;  // of the index vector, what may put the window outside
  for (int64_t k = 0; k < count; ++k) {
    const auto d = static_cast<size_t>(mapped[static_cast<size_t>(k)]);
    const std::optional<Interval> range = index_range(*indices, k, range_of);
    if (!range || range->low < 0 || range->high > array->shape.dims[d] - sizes[d]) tested.push_back(k);
  }
  const std::optional<Interval> whole = whole_range(indices->shape.dtype);
  if (!tested.empty() && (!whole || !updates_where_it_is(scatter))) return false;

  // An index for each dimension of the array: an element of the index vector, or 0.
  const DType index_type = indices->shape.dtype;
  std::vector<Instruction*> starts(sizes.size(), nullptr);
  Instruction* list = insert_reshape(scatter, indices, {count});
  for (int64_t k = 0; k < count; ++k) {
    Attributes one;
    one.slice = {{k, k + 1, 1}};
    Instruction* element = insert_like(scatter, Opcode::kSlice, Shape::array(index_type, {1}), {list}, std::move(one));
    starts[static_cast<size_t>(mapped[static_cast<size_t>(k)])] = insert_reshape(scatter, element, {});
  }
  for (Instruction*& start : starts) {
    if (start == nullptr) start = insert_scalar(scatter, integer_literal(index_type, 0));
  }

  const Shape window = Shape::array(array->shape.dtype, sizes);
  Instruction* update = insert_reshape(scatter, scatter.operand(2), sizes);
  const bool overwrites = combine.root()->opcode == Opcode::kParameter && combine.root()->parameter_number == 1;
  if (!overwrites || !tested.empty()) {
    std::vector<Instruction*> operands{array};
    operands.insert(operands.end(), starts.begin(), starts.end());
    Attributes attributes;
    attributes.dynamic_slice_sizes = sizes;
    Instruction* present = insert_like(scatter, Opcode::kDynamicSlice, window, operands, std::move(attributes));
    if (!overwrites) update = inline_elementwise(scatter, combine, {present, update}, window);
    if (!tested.empty()) {
      GraphBuilder build(scatter);
      GraphBuilder::Value inside = nullptr;
      for (const int64_t k : tested) {
        const auto d = static_cast<size_t>(mapped[static_cast<size_t>(k)]);
        const int64_t limit = std::min(array->shape.dims[d] - sizes[d], whole->high);
        const GraphBuilder::Value low = build.compare({starts[d], build.integer(index_type, 0)}, "GE");
        const GraphBuilder::Value high = build.compare({starts[d], build.integer(index_type, limit)}, "LE");
        const GraphBuilder::Value both = build.make(Opcode::kAnd, {low, high});
        inside = inside == nullptr ? both : build.make(Opcode::kAnd, {inside, both});
      }
      update = build.select({build.splat(inside, sizes), update, present});
    }
  }
  std::vector<Instruction*> operands{array, update};
  operands.insert(operands.end(), starts.begin(), starts.end());
  become(scatter, Opcode::kDynamicUpdateSlice, operands);
  return true;
}

}  // namespace sinter
