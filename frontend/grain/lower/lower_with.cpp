// base with [places] op value: dynamic-update-slice where the places are one block, scatter otherwise.
#include <algorithm>

#include "frontend/grain/compiler.h"

namespace sinter::grain {

void Compiler::check_with(Expr& expr) {
  Expr& base = *expr.children[0];
  Expr& value = *expr.children[1];
  check(base);
  add_indices(expr, base);
  if (base.type.element.is_open()) {
    if (expected_ == nullptr)
      fail({base.begin}, "E0754", "nothing says of which type " + quote(base) + " is",
           "h: f32[n] = " + quote(base) + " with ...");
    settle(base, expected_->element);
    if (base.type.rank() == 0) base.type.dims = expected_->dims;
  } else if (base.type.rank() == 0 && expected_ != nullptr && base.type.element == expected_->element) {
    base.type.dims = expected_->dims;
  }
  expr.type = base.type;
  if (expr.subscripts.size() != base.type.rank()) {
    fail(expr.subscripts[0].loc, "E0705",
         quote(base) + " is " + text(base.type) + ", " + std::to_string(expr.subscripts.size()) +
             (expr.subscripts.size() == 1 ? " place is given" : " places are given"),
         "one place for each dimension; ':' is all of it");
  }
  // Names in the places that have no meaning yet are indices.
  call_->scopes.emplace_back();
  struct Leave {
    Compiler& compiler;
    ~Leave() { compiler.call_->scopes.pop_back(); }
  };
  const Leave leave{*this};
  expr.binders.clear();
  const auto bind_new = [&](const Expr& name) {
    if (find(name.text) != nullptr || call_->dims.count(name.text) != 0) return;
    const FileNames& file = names();
    if (file.dims.count(name.text) != 0 || file.constants.count(name.text) != 0 || file.weights.count(name.text) != 0 ||
        name.text == "pi")
      return;
    Binder binder;
    binder.name = name.text;
    binder.loc = name.loc;
    bind_index(binder);
    expr.binders.push_back(std::move(binder));
  };
  const std::function<void(const Expr&)> look = [&](const Expr& part) {
    if (part.kind == Expr::Kind::kName) bind_new(part);
    if (part.kind == Expr::Kind::kReduce) return;  // its indices are its own
    for (const ExprPtr& child : part.children) look(*child);
    for (const Subscript& subscript : part.subscripts) {
      if (subscript.value) look(*subscript.value);
    }
    for (const Argument& argument : part.arguments) look(*argument.value);
  };
  for (Subscript& subscript : expr.subscripts) {
    if (subscript.binder) {
      Index* index = bind_index(*subscript.binder);
      Binder binder;
      binder.name = index->name;
      binder.loc = index->loc;
      binder.index = index;
      expr.binders.push_back(std::move(binder));
    }
  }
  for (Subscript& subscript : expr.subscripts) {
    if (subscript.value && !subscript.high && !subscript.binder) look(*subscript.value);
  }
  std::vector<Formula> dims;
  check_subscripts(expr, base.type, &dims);
  for (Rule& rule : expr.rules) {
    if (rule.name == "pad")
      fail(rule.loc, "E0724", "'pad' is for reads; a place outside has nothing to be filled with",
           "clamp, wrap, drop or unique");
  }
  check(value);
  add_indices(expr, value);
  const std::string& sign = expr.text;
  settle(value, base.type.element, quote(base));
  if (!(value.type.element == base.type.element)) {
    const std::string name =
        statement_ != nullptr && !statement_->targets.empty() ? statement_->targets[0].name : quote(base);
    fail({value.begin}, "E0751",
         name + " is " + text(base.type.element) + ", " + quote(value) + " is " + text(value.type.element),
         base.type.element.is_dtype() ? text(base.type.element) + "(" + quote(value) + ")" : "");
  }
  if (value.type.dims != dims) {
    if (value.type.rank() != 0 || dims.empty()) {
      fail({value.begin}, "E0707",
           "the places are " + std::string(dims.empty() ? "one element each" : "arrays") + ", " + quote(value) +
               " is " + text(value.type));
    }
  }
  const Element& element = base.type.element;
  const bool is_logic = sign == "and=" || sign == "or=";
  if (sign != "=" && (element.is_record() || is_logic != element.is_pred())) {
    fail(expr.loc, "E0753",
         "'" + sign + "' combines " + (is_logic ? "pred" : "numbers") + ", " + quote(base) + " is " + text(base.type));
  }
  for (const Binder& binder : expr.binders) {
    const Index* index = binder.index;
    const auto uses = [&](const Expr& part) {
      return std::find(part.indices.begin(), part.indices.end(), index) != part.indices.end();
    };
    if (uses(value) || index->range == Index::Range::kWritten) continue;
    const bool inside = std::any_of(expr.subscripts.begin(), expr.subscripts.end(), [&](const Subscript& subscript) {
      return subscript.value && plain(*subscript.value).index != index && uses(*subscript.value);
    });
    if (inside) continue;
    fail(binder.loc, "E0703",
         "'" + binder.name + "' has no meaning, so it is an index of this update, but the right side does not use it",
         "for all places: [" + binder.name + " in 0..n]");
  }
  // Under '=' no place may be written twice.
  const bool unique =
      std::any_of(expr.rules.begin(), expr.rules.end(), [](const Rule& rule) { return rule.name == "unique"; });
  if (sign == "=" && !unique) {
    for (const Binder& binder : expr.binders) {
      const bool alone = std::any_of(expr.subscripts.begin(), expr.subscripts.end(), [&](const Subscript& subscript) {
        if (!subscript.value || subscript.high) return false;
        const std::optional<Affine> sum = affine(*subscript.value);
        return sum && sum->terms.size() == 1 && sum->terms[0].first == binder.index;
      });
      if (alone) continue;
      fail(expr.loc, "E0722",
           "the places may be the same for several " + binder.name + ": which " + quote(value) + " counts?",
           "+= adds them, max= keeps the largest; if no two places are equal: [...; unique] = " + quote(value));
    }
  }
  std::erase_if(expr.indices, [&](const Index* index) {
    return std::any_of(expr.binders.begin(), expr.binders.end(), [&](const Binder& b) { return b.index == index; });
  });
}

Value Compiler::lower_with(Expr& expr) {
  Expr& base_expr = *expr.children[0];
  Value base = lower(base_expr);
  base.type = base_expr.type;
  base = broadcast_to(base, base_expr.type);
  const Value values = lower(*expr.children[1]);
  const Dims dims = numbers(base.type.dims);
  const size_t rank = expr.subscripts.size();
  for (const Binder& binder : expr.binders) number_index(*binder.index);
  const bool has_places = std::none_of(expr.binders.begin(), expr.binders.end(),
                                       [](const Binder& binder) { return binder.index->extent == 0; });
  if (!has_places || std::find(dims.begin(), dims.end(), 0) != dims.end()) return base;

  // What each place is.
  struct Spot {
    bool is_window = false;  // a whole axis, or a slice: update and array have it alike
    Index* index = nullptr;  // of `i + c`
    int64_t start = 0, extent = 1;
    std::optional<Part> at;  // a value
  };
  std::vector<Spot> spots(rank);
  std::vector<const Index*> own;
  bool is_block = expr.text == "=";
  for (size_t k = 0; k < rank; ++k) {
    const Subscript& subscript = expr.subscripts[k];
    Spot& spot = spots[k];
    if (!subscript.value || subscript.high) {
      spot.is_window = true;
      spot.extent = dims[k];
      if (subscript.high) {
        spot.start = value_of(dimension(*subscript.value, false), subscript.loc);
        spot.extent = value_of(dimension(*subscript.high, false), subscript.loc) - spot.start;
        if (spot.start < 0 || spot.extent < 0 || spot.start + spot.extent > dims[k]) {
          fail(subscript.loc, "E0721",
               "the places " + quote(subscript.value->begin, subscript.high->end) +
                   " leave the array: its dimension is " + std::to_string(dims[k]));
        }
      }
      continue;
    }
    const std::optional<Affine> sum = affine(*subscript.value);
    const Rule* rule = rule_of(expr, k);
    if (sum && sum->terms.size() <= 1) {
      const Interval interval = interval_of(*sum);
      check_in_range(expr, k, interval, dims[k]);
      const bool inside = interval.low >= 0 && interval.high < dims[k];
      if (inside && sum->terms.empty()) {
        spot.start = interval.low;
        continue;
      }
      const bool own_index =
          !sum->terms.empty() && std::any_of(expr.binders.begin(), expr.binders.end(),
                                             [&](const Binder& b) { return b.index == sum->terms[0].first; });
      if (inside && own_index && value_of(sum->terms[0].second, subscript.loc) == 1 &&
          std::find(own.begin(), own.end(), sum->terms[0].first) == own.end()) {
        spot.index = sum->terms[0].first;
        spot.start = interval.low;
        spot.extent = spot.index->extent;
        own.push_back(spot.index);
        continue;
      }
    }
    spot.at = place_of(*subscript.value);
    check_in_range(expr, k, spot.at->interval, dims[k]);
    const bool inside = spot.at->interval && spot.at->interval->low >= 0 && spot.at->interval->high < dims[k];
    if (!inside && rule != nullptr && rule->name == "clamp") spot.at = clamped(*spot.at, 0, dims[k] - 1);
    if (!inside && rule != nullptr && rule->name == "wrap") spot.at = wrapped(*spot.at, dims[k]);
    // Scatter's places are s32, in which a larger one could come around.
    if (dtype_bits(spot.at->value->shape.dtype) == 64) spot.at = clamped(*spot.at, -1, dims[k]);
    const bool stays = inside || (rule != nullptr && (rule->name == "clamp" || rule->name == "wrap"));
    if (!spot.at->frame.empty() || !stays) is_block = false;
  }
  // An index that a value is computed from has no axis of its own in the update.
  for (Spot& spot : spots) {
    const bool shared = spot.index != nullptr && std::any_of(spots.begin(), spots.end(), [&](const Spot& other) {
                          return other.at && std::find(other.at->frame.begin(), other.at->frame.end(), spot.index) !=
                                                 other.at->frame.end();
                        });
    const bool whole =
        spot.index == nullptr || (spot.start == 0 && spot.extent == dims[static_cast<size_t>(&spot - spots.data())]);
    if (spot.index != nullptr && !is_block && (shared || !whole)) {
      Expr& at = *expr.subscripts[static_cast<size_t>(&spot - spots.data())].value;
      spot.at = lower(at).parts[0];
      spot.index = nullptr;
    }
  }

  Value result;
  result.type = expr.type;
  for (size_t leaf = 0; leaf < base.parts.size(); ++leaf) {
    const Part& array = base.parts[leaf];
    const Part& value = values.parts.size() == 1 ? values.parts[0] : values.parts[leaf];
    Dims array_dims = type_dims(array);
    // Axes that all parts have besides the places'.
    Frame around = array.frame;
    const auto add_around = [&](const Frame& frame) {
      for (const Index* index : frame) {
        const bool is_own =
            std::any_of(expr.binders.begin(), expr.binders.end(), [&](const Binder& b) { return b.index == index; });
        if (!is_own && std::find(around.begin(), around.end(), index) == around.end()) around.push_back(index);
      }
    };
    add_around(value.frame);
    for (const Spot& spot : spots) {
      if (spot.at) add_around(spot.at->frame);
    }
    Instruction* whole = expand(array, around, array_dims);
    Part made;
    made.frame = around;
    // Axes of the update that the array has, too: indices of places and windows, then a leaf's own dimensions.
    Frame lanes;  // the others
    Frame placed;
    Dims window_dims;
    for (const Spot& spot : spots) {
      if (spot.index != nullptr) placed.push_back(spot.index);
      if (spot.is_window) window_dims.push_back(spot.extent);
    }
    Dims update_dims = window_dims;
    update_dims.insert(update_dims.end(), array_dims.begin() + static_cast<int64_t>(rank), array_dims.end());
    const size_t trailing = array_dims.size() - rank;
    // From (frame, placed indices, windows, trailing) to the order of the array's axes.
    const auto in_array_order = [&](Instruction* update, size_t leading) {
      Dims permutation;
      for (size_t i = 0; i < leading; ++i) permutation.push_back(static_cast<int64_t>(i));
      size_t index_place = leading, window_place = leading + placed.size();
      for (const Spot& spot : spots) {
        if (spot.index != nullptr) permutation.push_back(static_cast<int64_t>(index_place++));
        if (spot.is_window) permutation.push_back(static_cast<int64_t>(window_place++));
      }
      for (size_t i = 0; i < trailing; ++i) permutation.push_back(static_cast<int64_t>(window_place + i));
      return builder_.transpose(update, permutation);
    };
    if (is_block) {
      Frame frame = around;
      frame.insert(frame.end(), placed.begin(), placed.end());
      Instruction* update = in_array_order(expand(value, frame, update_dims), around.size());
      Dims block = frame_dims(around);
      std::vector<Instruction*> operands = {whole, nullptr};
      for (size_t i = 0; i < around.size(); ++i) operands.push_back(builder_.integer(DType::kS32, 0));
      for (const Spot& spot : spots) {
        block.push_back(spot.extent);
        operands.push_back(spot.at ? builder_.convert(builder_.here(spot.at->value), DType::kS32)
                                   : builder_.integer(DType::kS32, spot.start));
      }
      for (size_t i = 0; i < trailing; ++i) {
        block.push_back(array_dims[rank + i]);
        operands.push_back(builder_.integer(DType::kS32, 0));
      }
      operands[1] = builder_.reshape(update, block);
      made.value = builder_.make(Opcode::kDynamicUpdateSlice, operands);
    } else {
      for (const Index* index : around) lanes.push_back(index);
      for (const Binder& binder : expr.binders) {
        if (std::find(placed.begin(), placed.end(), binder.index) == placed.end()) lanes.push_back(binder.index);
      }
      const Dims lane_dims = frame_dims(lanes);
      Dims with_one = lane_dims;
      with_one.push_back(1);
      std::vector<Instruction*> components;
      Attributes attributes;
      attributes.update_window_dims = Dims();
      attributes.inserted_window_dims = Dims();
      attributes.scatter_dims_to_operand_dims = Dims();
      const auto add_start = [&](Instruction* index, size_t axis) {
        components.push_back(builder_.reshape(builder_.convert(index, DType::kS32), with_one));
        attributes.scatter_dims_to_operand_dims->push_back(static_cast<int64_t>(axis));
      };
      const auto add_component = [&](Instruction* index, size_t axis) {
        add_start(index, axis);
        attributes.inserted_window_dims->push_back(static_cast<int64_t>(axis));
      };
      for (size_t i = 0; i < around.size(); ++i)
        add_component(builder_.iota(DType::kS32, lane_dims, static_cast<int64_t>(i)), i);
      for (size_t k = 0; k < rank; ++k) {
        const Spot& spot = spots[k];
        if (spot.is_window && spot.start != 0)
          add_start(expand(one(DType::kS32, static_cast<double>(spot.start)), lanes, {}), around.size() + k);
        if (spot.is_window || spot.index != nullptr) continue;
        const Part at = spot.at ? *spot.at : one(DType::kS32, static_cast<double>(spot.start));
        add_component(expand(at, lanes, {}), around.size() + k);
      }
      Frame frame = lanes;
      frame.insert(frame.end(), placed.begin(), placed.end());
      Instruction* update = in_array_order(expand(value, frame, update_dims), lanes.size());
      for (size_t d = lanes.size(); d < update->shape.dims.size(); ++d)
        attributes.update_window_dims->push_back(static_cast<int64_t>(d));
      attributes.index_vector_dim = static_cast<int64_t>(lanes.size());
      Instruction* places = components.empty() ? builder_.constant(Literal(Shape::array(DType::kS32,
                                                                                        [&] {
                                                                                          Dims none = lane_dims;
                                                                                          none.push_back(0);
                                                                                          return none;
                                                                                        }())))
                                               : builder_.concatenate(components, lanes.size());
      const DType dtype = whole->shape.dtype;
      if (expr.text == "=") {
        Computation* second = builder_.module().add_computation("assign");
        builder_.begin(second);
        builder_.parameter(Shape::scalar(dtype), "old");
        second->set_root(builder_.parameter(Shape::scalar(dtype), "new"));
        builder_.end();
        attributes.to_apply = second;
        attributes.unique_indices = true;
      } else {
        const Opcode opcode = expr.text == "+="     ? Opcode::kAdd
                              : expr.text == "*="   ? Opcode::kMultiply
                              : expr.text == "max=" ? Opcode::kMaximum
                              : expr.text == "min=" ? Opcode::kMinimum
                              : expr.text == "and=" ? Opcode::kAnd
                                                    : Opcode::kOr;
        attributes.to_apply = builder_.combiner(opcode, dtype);
        if (std::any_of(expr.rules.begin(), expr.rules.end(), [](const Rule& rule) { return rule.name == "unique"; }))
          attributes.unique_indices = true;
      }
      made.value = builder_.make(Opcode::kScatter, {whole, places, update}, attributes);
    }
    const std::optional<Interval> either = hull(array.interval, value.interval);
    if (either && (expr.text == "=" || expr.text == "max=" || expr.text == "min=")) made.interval = either;
    result.parts.push_back(made);
  }
  return result;
}

}  // namespace sinter::grain
