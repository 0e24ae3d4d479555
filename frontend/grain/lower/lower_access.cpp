// x[subscripts]. Each axis is taken in the simplest way that fits: an index alone, slices and pads for shifts, a
// dynamic-slice for one value, and a gather for what depends on data.
#include <algorithm>

#include "frontend/grain/compiler.h"

namespace sinter::grain {

// An array on the way from its own axes to those of the access.
struct Compiler::Access {
  struct Axis {
    const Index* index = nullptr;  // of the frame
    int subscript = -1;            // still to be done
    bool stays = false;            // of the result's type
  };
  Expr& expr;
  Instruction* value = nullptr;
  std::vector<Axis> axes;
  std::optional<Interval> interval;
  const Rule* rule = nullptr;  // of the axis that is taken

  bool has(const Index* index) const {
    return std::any_of(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.index == index; });
  }
  size_t axis_of(size_t subscript) const {
    for (size_t i = 0; i < axes.size(); ++i) {
      if (axes[i].subscript == static_cast<int>(subscript)) return i;
    }
    return axes.size();
  }
  int64_t extent(size_t axis) const { return value->shape.dims[axis]; }
  void drop(size_t axis, Builder& builder) {
    Dims dims = value->shape.dims;
    dims.erase(dims.begin() + static_cast<int64_t>(axis));
    value = builder.reshape(value, dims);
    axes.erase(axes.begin() + static_cast<int64_t>(axis));
  }
};

const Rule* Compiler::rule_of(const Expr& expr, size_t subscript) const {
  if (expr.rules.empty()) return nullptr;
  return expr.rules.size() == 1 ? &expr.rules[0] : &expr.rules[subscript];
}

Part Compiler::wrapped(const Part& index, int64_t extent) {
  const DType dtype = index.value->shape.dtype;
  const Part size = one(dtype, static_cast<double>(extent));
  if (index.interval && index.interval->low >= 0) return arithmetic("%", index, size);
  const Part rest = arithmetic("%", index, size);
  const Part result =
      elementwise(Opcode::kSelect, {arithmetic("<", rest, one(dtype, 0)), arithmetic("+", rest, size), rest});
  return {result.value, result.frame, Interval{0, extent - 1}};
}

Part Compiler::clamped(const Part& index, int64_t low, int64_t high) {
  const DType dtype = index.value->shape.dtype;
  Part result =
      elementwise(Opcode::kMinimum, {elementwise(Opcode::kMaximum, {index, one(dtype, static_cast<double>(low))}),
                                     one(dtype, static_cast<double>(high))});
  result.interval = Interval{low, high};
  return result;
}

// A subscript that is computed, in a type that holds it and the dimension.
Part Compiler::place_of(Expr& subscript) {
  Part place = lower(subscript).parts[0];
  const DType dtype = place.value->shape.dtype;
  if (dtype_bits(dtype) < 32 && !place.interval) place.interval = range_of(dtype);
  if (dtype == DType::kU32) place.value = builder_.convert(builder_.here(place.value), DType::kS64);
  if (dtype_bits(dtype) < 32) place.value = builder_.convert(builder_.here(place.value), DType::kS32);
  return place;
}

// Places beside each other have one type.
DType Compiler::place_type(const std::vector<Part>& places) {
  DType type = places[0].value->shape.dtype;
  for (const Part& place : places) {
    if (place.value->shape.dtype != type) type = DType::kS64;
  }
  return type;
}

// What leaves the array needs an edge rule.
void Compiler::check_in_range(const Expr& expr, size_t subscript, const std::optional<Interval>& interval,
                              int64_t extent) {
  if (rule_of(expr, subscript) != nullptr && rule_of(expr, subscript)->name != "unique") return;
  if (interval && interval->low >= 0 && interval->high < extent) return;
  if (interval && interval->low > interval->high) return;  // nothing is read
  const Expr& at = *expr.subscripts[subscript].value;
  const Expr& base = *expr.children[0];
  // What is given for all elements of a definition has its name.
  const bool is_number = base.number.has_value() && statement_ != nullptr && !statement_->targets.empty();
  const std::string name = is_number ? statement_->targets[0].name : quote(base);
  const std::string access =
      expr.kind == Expr::Kind::kAccess ? quote(expr) : quote(expr.subscripts.front().loc.offset, at.end);
  const Formula& dim = base.type.dims[subscript];
  const auto with_number = [&](const Formula& formula) {
    const std::optional<int64_t> number = formula.value(call_->values);
    return formula.number() || !number ? formula.text() : formula.text() + " (" + std::to_string(*number) + ")";
  };
  const std::string last = with_number(dim - Formula(1));
  std::string calls;
  for (const Call* call = call_; call != nullptr && call->caller != nullptr && call->caller->function != nullptr;
       call = call->caller) {
    calls += (calls.empty() ? "; in the call of '" : " from '") + call->function->name + "'";
  }
  const std::optional<Affine> sum = affine(at);
  if (sum && interval) {
    if (sum->terms.empty()) {
      fail({at.begin}, "E0721", access + " is outside " + name + ": its subscripts are 0 to " + last,
           (interval->low < 0 ? "the last element is " + name + "[" + (dim - Formula(1)).text() + "]"
                              : "say what lies beyond: " + name + "[" + quote(at) + "; clamp]") +
               calls);
    }
    Formula low = sum->constant, high = sum->constant;
    for (const auto& [index, factor] : sum->terms) {
      const bool up = factor.value(call_->values).value_or(1) > 0;
      low = low + factor * (up ? index->low : index->high - Formula(1));
      high = high + factor * (up ? index->high - Formula(1) : index->low);
    }
    const std::string inner = expr.kind == Expr::Kind::kAccess ? quote(expr.begin, expr.end - 1) : "";
    std::string hint =
        inner.empty() ? "[...; drop] leaves out what is outside"
                      : "say what lies beyond, " + inner + "; clamp] (or wrap, or pad 0), or give the index a range";
    if (statement_ != nullptr && plain(*statement_->value).kind == Expr::Kind::kIf && !inner.empty()) {
      hint = "both arms of 'if' are computed; " + inner + "; pad 0] says the same";
    }
    fail({at.begin}, "E0721",
         access + " leaves " + name + ": " + quote(at) + " runs from " + with_number(low) + " to " + with_number(high) +
             ", " + name + " from 0 to " + last,
         hint + calls);
  }
  const std::string which = base.type.rank() == 1 ? "dimension" : ordinal(subscript) + " dimension";
  const std::string found =
      interval ? quote(at) + " may be " + std::to_string(interval->low) + " to " + std::to_string(interval->high)
               : quote(at) + " may be anything";
  const std::string inner =
      expr.kind == Expr::Kind::kAccess ? quote(expr.begin, expr.end - 1) + "; clamp]" : "[" + quote(at) + "; drop]";
  fail({at.begin}, "E0721", found + ", " + name + "'s " + which + " is " + with_number(dim),
       inner + ", or bring it in range: clamp(" + quote(at) + ", 0, " + (dim - Formula(1)).text() + ")" + calls);
}

// More elements before and behind an axis, by its rule.
void Compiler::pad_axis(Access& access, size_t axis, int64_t low, int64_t high) {
  const std::string& rule = access.rule->name;
  Instruction* value = access.value;
  const int64_t extent = access.extent(axis);
  if (rule == "pad") {
    const Value fill = lower(*access.rule->value);
    access.value = builder_.pad(value, builder_.here(fill.parts[0].value), axis, low, high);
    access.interval = hull(access.interval, fill.parts[0].interval);
    return;
  }
  std::vector<Instruction*> pieces;
  const auto edge = [&](int64_t at, int64_t count) {
    if (count == 0) return;
    Dims dims = value->shape.dims, where;
    Instruction* slice = builder_.slice(value, axis, at, at + 1);
    Dims without = dims;
    without.erase(without.begin() + static_cast<int64_t>(axis));
    for (size_t d = 0; d < dims.size(); ++d) {
      if (d != axis) where.push_back(static_cast<int64_t>(d));
    }
    dims[axis] = count;
    pieces.push_back(count == 1 ? slice : builder_.broadcast(builder_.reshape(slice, without), dims, where));
  };
  if (rule == "clamp") {
    edge(0, low);
    pieces.push_back(value);
    edge(extent - 1, high);
  } else {
    if (low > 0) pieces.push_back(builder_.slice(value, axis, extent - low, extent));
    pieces.push_back(value);
    if (high > 0) pieces.push_back(builder_.slice(value, axis, 0, high));
  }
  access.value = builder_.concatenate(pieces, axis);
}

// An axis whose subscript is factor * index + constant becomes the index's.
void Compiler::take_axis(Access& access, size_t axis, const Expr& subscript, const Affine& sum, Index* index) {
  (void)subscript;
  const Interval interval = interval_of(sum);
  int64_t low = std::max<int64_t>(0, -interval.low);
  const int64_t high = std::max<int64_t>(0, interval.high - (access.extent(axis) - 1));
  if (low > 0 || high > 0) {
    pad_axis(access, axis, low, high);
  } else {
    low = 0;
  }
  const int64_t factor = value_of(sum.terms[0].second, subscript.loc);
  const int64_t from = interval.low + low;
  if (index->extent == 0) {
    access.value = builder_.slice(access.value, axis, 0, 0);
  } else {
    access.value =
        builder_.slice(access.value, axis, from, from + std::abs(factor) * (index->extent - 1) + 1, std::abs(factor));
  }
  if (factor < 0) access.value = builder_.reverse(access.value, axis);
  access.axes[axis].index = index;
  access.axes[axis].subscript = -1;
}

// What an access without elements to read gives: nothing, or the value that `pad` says; nullopt where it reads some.
std::optional<Part> Compiler::access_nothing(Expr& expr, const Part& base) {
  const size_t rank = expr.subscripts.size();
  const Dims dims(base.value->shape.dims.begin() + static_cast<int64_t>(base.frame.size()),
                  base.value->shape.dims.end());
  Frame frame = base.frame;
  for (const Index* index : expr.indices) {
    if (std::find(frame.begin(), frame.end(), index) == frame.end()) frame.push_back(index);
  }
  const auto is_empty = [](const Index* index) { return index->extent == 0; };
  bool reads_none = std::any_of(frame.begin(), frame.end(), is_empty);
  const Rule* pad = nullptr;
  Dims stays;
  for (size_t k = 0; k < dims.size(); ++k) {
    const Subscript* subscript = k < rank ? &expr.subscripts[k] : nullptr;
    if (subscript == nullptr || !subscript->value) {
      stays.push_back(dims[k]);
    } else if (subscript->high) {
      stays.push_back(value_of(dimension(*subscript->high, false), subscript->loc) -
                      value_of(dimension(*subscript->value, false), subscript->loc));
    } else if (dims[k] == 0 && !reads_none) {
      const Rule* rule = rule_of(expr, k);
      if (rule == nullptr) {
        const std::optional<Interval> places = place_of(*subscript->value).interval;
        reads_none = places && places->low >= 0 && places->high < 0;  // in a loop of no steps
        if (!reads_none) return std::nullopt;                         // out of range, as any subscript is
        continue;
      }
      if (rule->name != "pad") {
        fail(rule->loc, "E0721",
             quote(*expr.children[0]) + " has no elements, and so none that '" + rule->name + "' takes",
             "pad 0 gives a value");
      }
      pad = rule;
    }
  }
  if (reads_none) {
    Dims all = frame_dims(frame);
    all.insert(all.end(), stays.begin(), stays.end());
    return Part{builder_.broadcast(builder_.number(base.value->shape.dtype, 0), all, {}), frame, std::nullopt};
  }
  if (pad == nullptr) return std::nullopt;
  const Part fill = lower(*pad->value).parts[0];
  return Part{expand(fill, fill.frame, stays), fill.frame, fill.interval};
}

Part Compiler::access_part(Expr& expr, const Part& base) {
  if (const std::optional<Part> nothing = access_nothing(expr, base)) return *nothing;
  const size_t rank = expr.subscripts.size();
  Access access{expr, builder_.here(base.value), {}, base.interval, nullptr};
  for (const Index* index : base.frame) access.axes.push_back({index, -1, false});
  for (size_t k = 0; k < rank; ++k) access.axes.push_back({nullptr, static_cast<int>(k), false});
  for (size_t d = rank; d < base.type_rank(); ++d) access.axes.push_back({nullptr, -1, true});

  // Axes that stay, constants, shifts of one index.
  std::vector<size_t> by_data;
  for (size_t k = 0; k < rank; ++k) {
    Subscript& subscript = expr.subscripts[k];
    const size_t axis = access.axis_of(k);
    const int64_t extent = access.extent(axis);
    access.rule = rule_of(expr, k);
    if (!subscript.value || subscript.high) {
      if (subscript.high) {
        const int64_t low = value_of(dimension(*subscript.value, false), subscript.loc);
        const int64_t high = value_of(dimension(*subscript.high, false), subscript.loc);
        if (low > high)
          fail(subscript.loc, "E0648",
               "the slice " + std::to_string(low) + ".." + std::to_string(high) + " runs backwards");
        if (low < 0 || high > extent) {
          if (access.rule == nullptr) {
            fail(subscript.loc, "E0721",
                 quote(expr) + " leaves " + quote(*expr.children[0]) + ": the slice is " + std::to_string(low) + ".." +
                     std::to_string(high) + ", its dimension " + std::to_string(extent));
          }
          const int64_t before = std::max<int64_t>(0, -low), behind = std::max<int64_t>(0, high - extent);
          pad_axis(access, axis, before, behind);
          access.value = builder_.slice(access.value, axis, low + before, high + before);
        } else {
          access.value = builder_.slice(access.value, axis, low, high);
        }
      }
      access.axes[axis].subscript = -1;
      access.axes[axis].stays = true;
      continue;
    }
    const Expr& at = *subscript.value;
    const std::optional<Affine> sum = affine(at);
    if (!sum) {
      by_data.push_back(k);
      continue;
    }
    const Interval interval = interval_of(*sum);
    check_in_range(expr, k, interval, extent);
    if (sum->terms.empty()) {
      int64_t place = interval.low;
      if (place < 0 || place >= extent) {
        if (access.rule->name == "clamp") place = std::clamp<int64_t>(place, 0, extent - 1);
        if (access.rule->name == "wrap") place = (place % extent + extent) % extent;
        if (access.rule->name == "pad") {
          pad_axis(access, axis, std::max<int64_t>(0, -place), std::max<int64_t>(0, place - extent + 1));
          place = std::max<int64_t>(0, place);
        }
      }
      access.value = builder_.slice(access.value, axis, place, place + 1);
      access.drop(axis, builder_);
      continue;
    }
    Index* index = sum->terms[0].first;
    const bool free = !access.has(index);
    if (sum->terms.size() == 1 && free) {
      const int64_t low = std::max<int64_t>(0, -interval.low), high = std::max<int64_t>(0, interval.high - extent + 1);
      // A wrap goes around once at most; a far pad would be larger than what it is read for.
      const bool near = low <= extent && high <= extent;
      const bool fill_is_one = access.rule == nullptr || !access.rule->value || access.rule->value->indices.empty();
      if ((low == 0 && high == 0) || (near && fill_is_one && extent > 0)) {
        take_axis(access, axis, at, *sum, index);
        continue;
      }
    }
    // i * m + j over the whole axis: two axes of it.
    if (sum->terms.size() == 2 && free && !access.has(sum->terms[1].first) && interval.low == 0 &&
        interval.high == extent - 1) {
      auto outer = sum->terms[0], inner = sum->terms[1];
      if (value_of(inner.second, at.loc) != 1) std::swap(outer, inner);
      if (value_of(inner.second, at.loc) == 1 && value_of(outer.second, at.loc) == inner.first->extent &&
          outer.first->first == 0 && inner.first->first == 0 && outer.first->extent * inner.first->extent == extent) {
        Dims dims = access.value->shape.dims;
        dims[axis] = outer.first->extent;
        dims.insert(dims.begin() + static_cast<int64_t>(axis) + 1, inner.first->extent);
        access.value = builder_.reshape(access.value, dims);
        access.axes[axis] = {outer.first, -1, false};
        access.axes.insert(access.axes.begin() + static_cast<int64_t>(axis) + 1, {inner.first, -1, false});
        continue;
      }
    }
    by_data.push_back(k);
  }

  // One value for all: dynamic-slice. What has indices is gathered.
  struct Data {
    size_t subscript;
    Part index;
    std::optional<Part> inside;  // for `pad`: where it is in range
    const Rule* rule;
  };
  std::vector<Data> ones, many;
  for (const size_t k : by_data) {
    Part index = place_of(*expr.subscripts[k].value);
    const int64_t extent = access.extent(access.axis_of(k));
    const Rule* rule = rule_of(expr, k);
    check_in_range(expr, k, index.interval, extent);
    const bool inside = index.interval && index.interval->low >= 0 && index.interval->high < extent;
    Data data{k, index, std::nullopt, rule};
    if (!inside && rule != nullptr && rule->name == "wrap") data.index = wrapped(index, extent);
    if (!inside && rule != nullptr && rule->name == "pad") {
      const DType dtype = index.value->shape.dtype;
      const Part after_start = arithmetic(">=", index, one(dtype, 0));
      data.inside = arithmetic("and", after_start, arithmetic("<", index, one(dtype, static_cast<double>(extent))));
    }
    (data.index.frame.empty() ? ones : many).push_back(data);
  }
  std::vector<std::pair<Part, const Rule*>> masks;
  for (const auto& list : {ones, many}) {
    for (const Data& data : list) {
      if (data.inside) masks.emplace_back(*data.inside, data.rule);
    }
  }
  if (!ones.empty()) {
    std::vector<Instruction*> operands = {access.value};
    Attributes attributes;
    attributes.dynamic_slice_sizes = access.value->shape.dims;
    std::vector<Part> places;
    for (const Data& data : ones) places.push_back(data.index);
    const DType dtype = place_type(places);
    for (size_t axis = 0; axis < access.axes.size(); ++axis) {
      const auto found = std::find_if(ones.begin(), ones.end(),
                                      [&](const Data& data) { return access.axis_of(data.subscript) == axis; });
      if (found == ones.end()) {
        operands.push_back(builder_.integer(dtype, 0));
        continue;
      }
      operands.push_back(builder_.convert(builder_.here(found->index.value), dtype));
      (*attributes.dynamic_slice_sizes)[axis] = 1;
    }
    access.value = builder_.make(Opcode::kDynamicSlice, operands, attributes);
    for (const Data& data : ones) access.drop(access.axis_of(data.subscript), builder_);
  }
  if (!many.empty()) {
    std::vector<Part> indices;
    for (const Data& data : many) indices.push_back(data.index);
    const Frame frame = join(indices);
    Dims dims = frame_dims(frame);
    const auto rows = static_cast<int64_t>(dims.size());
    std::vector<Instruction*> components;
    const DType dtype = place_type(indices);
    for (const Part& index : indices) {
      Dims with_one = dims;
      with_one.push_back(1);
      components.push_back(builder_.reshape(builder_.convert(expand(index, frame, {}), dtype), with_one));
    }
    Attributes attributes;
    attributes.index_vector_dim = rows;
    attributes.offset_dims = Dims();
    attributes.collapsed_slice_dims = Dims();
    attributes.start_index_map = Dims();
    attributes.slice_sizes = Dims();
    Dims batching, start_batching;
    std::vector<Access::Axis> axes;
    for (const Index* index : frame) axes.push_back({index, -1, false});
    for (const Data& data : many)
      attributes.start_index_map->push_back(static_cast<int64_t>(access.axis_of(data.subscript)));
    for (size_t axis = 0; axis < access.axes.size(); ++axis) {
      const Access::Axis& own = access.axes[axis];
      const auto in_frame = std::find(frame.begin(), frame.end(), own.index);
      if (own.subscript >= 0) {
        attributes.collapsed_slice_dims->push_back(static_cast<int64_t>(axis));
        attributes.slice_sizes->push_back(1);
      } else if (own.index != nullptr && in_frame != frame.end()) {
        batching.push_back(static_cast<int64_t>(axis));
        start_batching.push_back(in_frame - frame.begin());
        attributes.slice_sizes->push_back(1);
      } else {
        attributes.offset_dims->push_back(static_cast<int64_t>(axes.size()));
        attributes.slice_sizes->push_back(access.extent(axis));
        axes.push_back(own);
      }
    }
    if (!batching.empty()) {
      attributes.operand_batching_dims = batching;
      attributes.start_indices_batching_dims = start_batching;
    }
    Instruction* starts = builder_.concatenate(components, static_cast<size_t>(rows));
    access.value = builder_.make(Opcode::kGather, {access.value, starts}, attributes);
    access.axes = axes;
  }

  // The frame first, then what stays.
  Dims permutation;
  Part result;
  for (const bool stays : {false, true}) {
    for (size_t axis = 0; axis < access.axes.size(); ++axis) {
      if (access.axes[axis].stays != stays) continue;
      permutation.push_back(static_cast<int64_t>(axis));
      if (!stays) result.frame.push_back(access.axes[axis].index);
    }
  }
  result.value = builder_.transpose(access.value, permutation);
  result.interval = access.interval;
  for (const auto& [mask, rule] : masks) {
    result = elementwise(Opcode::kSelect, {mask, result, lower(*rule->value).parts[0]});
  }
  return result;
}

Value Compiler::lower_access(Expr& expr) {
  const Value base = lower(*expr.children[0]);
  Value result;
  result.type = expr.type;
  for (const Part& part : base.parts) result.parts.push_back(access_part(expr, part));
  return result;
}

}  // namespace sinter::grain
