// Reductions, windows and sorts. Sums are of integers so small that every order gives the same bits.
#include <algorithm>

#include "passes/graph/base/rewrite.h"
#include "tests/random/operations/generate_ops.h"

namespace sinter {
namespace {

size_t at(int64_t index) { return static_cast<size_t>(index); }

// The element that changes nothing.
Term identity(Draft& draft, Opcode opcode, DType dtype) {
  switch (opcode) {
    case Opcode::kMultiply:
      return constant(draft, dtype, 1);
    case Opcode::kAnd:
      return constant(draft, dtype, dtype == DType::kPred ? 1 : -1);
    case Opcode::kMaximum:
    case Opcode::kMinimum: {
      const bool maximum = opcode == Opcode::kMaximum;
      if (!is_float(dtype)) {
        Literal literal(Shape::scalar(dtype));
        int64_t value = maximum ? integer_min(dtype) : integer_max(dtype);
        if (dtype == DType::kU64 && !maximum) value = -1;
        literal.set_integer(0, value);
        return term_of(draft, draft.computation->add_constant(std::move(literal)), {});
      }
      return constant(
          draft, dtype,
          (maximum ? -1 : 1) * (exact_limit(dtype) > 0x1p7 && draft.random().chance(70) ? INFINITY : largest(dtype)));
    }
    default:
      return constant(draft, dtype, 0);
  }
}

struct Reduction {
  Opcode opcode;
  Term operand;
  Term init;
  Facts facts;
};

// How `operand` may be reduced, `most` elements of it at a time, so that the order of the elements does not matter.
Reduction random_reduction(Draft& draft, const Term& operand, int64_t most) {
  Random& random = draft.random();
  const DType dtype = operand.dtype();
  most = std::max<int64_t>(most, 1);
  std::vector<Opcode> opcodes;
  const double limit = std::floor(exact_limit(dtype) / static_cast<double>(most + 1));
  if (is_bits(dtype)) {
    opcodes = {Opcode::kAdd, Opcode::kAdd, Opcode::kMaximum, Opcode::kMinimum,
               Opcode::kAnd, Opcode::kOr,  Opcode::kMultiply};
    if (dtype != DType::kPred) opcodes.push_back(Opcode::kXor);
  } else {
    if (!is_complex(dtype)) opcodes = {Opcode::kMaximum, Opcode::kMinimum, Opcode::kMultiply};
    if (limit >= 1) opcodes.insert(opcodes.end(), {Opcode::kAdd, Opcode::kAdd, Opcode::kAdd});
    if (opcodes.empty()) opcodes = {Opcode::kAdd};
  }
  Reduction result{.opcode = random.pick(opcodes), .operand = operand, .init = {}, .facts = {}};
  if (!is_bits(dtype)) {
    const double range = result.opcode == Opcode::kAdd        ? std::min(limit, 64.0)
                         : result.opcode == Opcode::kMultiply ? 1
                                                              : 64;
    result.operand = tame(draft, operand, std::min(range, exact_limit(dtype)));
    const double magnitude = result.operand.facts.magnitude;
    result.facts =
        rounded(dtype, result.opcode == Opcode::kAdd ? magnitude * static_cast<double>(most + 1) : magnitude, true);
  }
  // Sums and products of whole numbers may begin with anything.
  const bool begins = result.opcode == Opcode::kAdd && random.chance(15);
  result.init = begins ? tame(draft, want(draft, dtype, {}), std::max(1.0, std::min(limit, 64.0)))
                       : identity(draft, result.opcode, dtype);
  if (result.opcode == Opcode::kMaximum || result.opcode == Opcode::kMinimum)
    result.facts = either(result.facts, result.init.facts);
  return result;
}

bool can_be_reduced(DType dtype) { return dtype != DType::kF8E8M0FNU; }

// A window over every dimension. Its places are few enough, or `window` comes back empty.
std::vector<WindowDimension> random_window(Draft& draft, const Sizes& dims, bool plain) {
  Random& random = draft.random();
  std::vector<WindowDimension> window;
  int64_t places = 1, taps = 1;
  for (const int64_t size : dims) {
    WindowDimension dimension;
    if (!random.chance(25)) {
      dimension.size = random.between(1, std::clamp<int64_t>(size, 1, 4));
      dimension.stride = random.chance(60) ? 1 : random.between(1, 3);
      if (random.chance(50)) {
        dimension.pad_low = random.between(plain ? 0 : -1, dimension.size - (plain ? 1 : 0));
        dimension.pad_high = random.between(plain ? 0 : -1, dimension.size - (plain ? 1 : 0));
      }
      if (!plain && random.chance(20)) dimension.lhs_dilate = random.between(1, 3);
      if (!plain && random.chance(20)) dimension.rhs_dilate = random.between(1, 2);
    }
    const int64_t base =
        (size == 0 ? 0 : (size - 1) * dimension.lhs_dilate + 1) + dimension.pad_low + dimension.pad_high;
    if (base < 0) return {};
    const int64_t extent = (dimension.size - 1) * dimension.rhs_dilate + 1;
    places *= base < extent ? 0 : (base - extent) / dimension.stride + 1;
    taps *= dimension.size;
    window.push_back(dimension);
  }
  if (places > draft.shared.most_elements || places * taps > 40000) return {};
  return window;
}

int64_t taps_of(const std::vector<WindowDimension>& window) {
  int64_t taps = 1;
  for (const WindowDimension& dimension : window) taps *= dimension.size;
  return taps;
}

// "a before b": of finite floats or integers, by the first operand.
Computation* comparator(Draft& draft, const std::vector<DType>& dtypes, const std::string& direction, bool total) {
  Draft inside = open(draft, "sort");
  std::vector<Instruction*> parameters;
  for (size_t i = 0; i < dtypes.size(); ++i) {
    for (int side = 0; side < 2; ++side) {
      Instruction* parameter = inside.computation->add(Opcode::kParameter, Shape::scalar(dtypes[i]), {});
      parameter->parameter_number = static_cast<int64_t>(parameters.size());
      parameters.push_back(parameter);
    }
  }
  Attributes attributes;
  attributes.direction = direction;
  if (total) attributes.comparison_type = "TOTALORDER";
  Instruction* root = add_node(inside, Opcode::kCompare, {parameters[0], parameters[1]}, attributes);
  // Ties of the first operand may be decided by the second, as lax.sort(num_keys=2) does.
  if (dtypes.size() > 1 && is_integer(dtypes[1]) && draft.random().chance(40)) {
    Attributes equal_attributes, second_attributes;
    equal_attributes.direction = "EQ";
    if (total) equal_attributes.comparison_type = "TOTALORDER";
    second_attributes.direction = direction;
    Instruction* equal = add_node(inside, Opcode::kCompare, {parameters[0], parameters[1]}, equal_attributes);
    Instruction* second = add_node(inside, Opcode::kCompare, {parameters[2], parameters[3]}, second_attributes);
    root = add_node(inside, Opcode::kSelect, {equal, second, root});
  }
  inside.computation->set_root(root);
  return inside.computation;
}

}  // namespace

Term add_reduction(Draft& draft, const Term& a, const Sizes& dimensions) {
  Attributes attributes;
  attributes.dimensions = dimensions;
  int64_t most = 1;
  for (const int64_t d : dimensions) most *= a.dims()[at(d)];
  const Reduction reduction = random_reduction(draft, a, most);
  attributes.to_apply = combiner(draft, reduction.opcode, a.dtype());
  return add(draft, Opcode::kReduce, {reduction.operand, reduction.init}, reduction.facts, attributes);
}

Term add_windows(Draft& draft, const Term& a, const std::vector<WindowDimension>& window) {
  const Reduction reduction = random_reduction(draft, a, taps_of(window));
  Attributes attributes;
  attributes.window = window;
  attributes.to_apply = combiner(draft, reduction.opcode, a.dtype());
  return add(draft, Opcode::kReduceWindow, {reduction.operand, reduction.init}, reduction.facts, attributes);
}

void add_reduce(Draft& draft) {
  const Term a = pick_of_rank(draft, 1, 5, can_be_reduced);
  Sizes dimensions;
  for (int64_t d = 0; d < a.rank(); ++d) {
    if (draft.random().chance(50)) dimensions.push_back(d);
  }
  add_reduction(draft, a, dimensions);
}

// The largest (or smallest) element and its place, as jnp.argmax finds them, or several sums at once.
void add_variadic_reduce(Draft& draft) {
  Random& random = draft.random();
  Term a = pick_of_rank(draft, 1, 4, [](DType dtype) { return can_be_reduced(dtype) && !is_complex(dtype); });
  Attributes attributes;
  const int64_t along = random.below(a.rank());
  attributes.dimensions = Sizes{along};
  if (random.chance(40)) {
    // Sums of different types side by side.
    const int64_t most = a.dims()[at(along)];
    const DType other = random_dtype(draft, is_integer);
    const Reduction first = random_reduction(draft, a, most);
    const Term b = want(draft, other, a.dims());
    const Reduction second = random_reduction(draft, b, most);
    Draft inside = open(draft, "reduce");
    std::vector<Instruction*> parameters;
    for (const DType dtype : {a.dtype(), other, a.dtype(), other}) {
      parameters.push_back(inside.computation->add(Opcode::kParameter, Shape::scalar(dtype), {}));
      parameters.back()->parameter_number = static_cast<int64_t>(parameters.size()) - 1;
    }
    Instruction* x = add_node(inside, first.opcode, {parameters[0], parameters[2]});
    Instruction* y = add_node(inside, second.opcode, {parameters[1], parameters[3]});
    inside.computation->set_root(add_node(inside, Opcode::kTuple, {x, y}));
    attributes.to_apply = inside.computation;
    Instruction* both =
        add_node(draft, Opcode::kReduce, {first.operand.node, second.operand.node, first.init.node, second.init.node},
                 attributes);
    add_elements(draft, both, {first.facts, second.facts});
    return;
  }
  a = tame(draft, a, std::min(64.0, exact_limit(a.dtype())));
  const bool largest_wins = random.chance(50);
  const DType dtype = a.dtype();
  Attributes iota_attributes;
  iota_attributes.iota_dimension = along;
  const DType place_type = random.chance(80) ? DType::kS32 : DType::kU32;
  const Term place = add_stated(draft, Opcode::kIota, Shape::array(place_type, a.dims()), {}, {}, iota_attributes);
  const Term init = identity(draft, largest_wins ? Opcode::kMaximum : Opcode::kMinimum, dtype);
  const Term zero = constant(draft, place_type, 0);
  Draft inside = open(draft, "argmax");
  std::vector<Instruction*> p;
  for (const DType type : {dtype, place_type, dtype, place_type}) {
    p.push_back(inside.computation->add(Opcode::kParameter, Shape::scalar(type), {}));
    p.back()->parameter_number = static_cast<int64_t>(p.size()) - 1;
  }
  const auto compare = [&](const char* direction, size_t i, size_t j) {
    Attributes compared;
    compared.direction = std::string(direction);
    return add_node(inside, Opcode::kCompare, {p[i], p[j]}, compared);
  };
  Instruction* better = compare(largest_wins ? "GT" : "LT", 0, 2);
  if (is_float(dtype)) better = add_node(inside, Opcode::kOr, {better, compare("NE", 0, 0)});
  Instruction* tie = add_node(inside, Opcode::kAnd, {compare("EQ", 0, 2), compare("LT", 1, 3)});
  Instruction* first = add_node(inside, Opcode::kOr, {better, tie});
  Instruction* value = add_node(inside, Opcode::kSelect, {better, p[0], p[2]});
  Instruction* index = add_node(inside, Opcode::kSelect, {first, p[1], p[3]});
  inside.computation->set_root(add_node(inside, Opcode::kTuple, {value, index}));
  attributes.to_apply = inside.computation;
  Instruction* both = add_node(draft, Opcode::kReduce, {a.node, place.node, init.node, zero.node}, attributes);
  // Between zeros of both signs, either may be the one that is kept.
  std::vector<Term> elements;
  Attributes index_attributes;
  index_attributes.tuple_index = 1;
  term_of(draft, add_node(draft, Opcode::kGetTupleElement, {both}, index_attributes), {});
  index_attributes.tuple_index = 0;
  if (random.chance(70)) {
    term_of(draft, add_node(draft, Opcode::kGetTupleElement, {both}, index_attributes), either(a.facts, init.facts));
  }
}

void add_reduce_window(Draft& draft) {
  const Term a = pick_of_rank(draft, 1, 4, can_be_reduced);
  const std::vector<WindowDimension> window = random_window(draft, a.dims(), false);
  if (!window.empty()) add_windows(draft, a, window);
}

// As jnp.cumsum and its kin are printed: a window as long as the dimension, padded on one side.
void add_cumulative(Draft& draft) {
  Random& random = draft.random();
  const Term a = pick_of_rank(draft, 1, 3, can_be_reduced);
  const int64_t along = random.below(a.rank()), size = a.dims()[at(along)];
  if (size == 0 || count(a.dims()) * size > 60000) return;
  std::vector<WindowDimension> window(a.dims().size());
  window[at(along)].size = size;
  (random.chance(75) ? window[at(along)].pad_low : window[at(along)].pad_high) = size - 1;
  add_windows(draft, a, window);
}

void add_select_and_scatter(Draft& draft) {
  Random& random = draft.random();
  Term a = pick_of_rank(
      draft, 1, 4, [](DType dtype) { return can_be_reduced(dtype) && !is_complex(dtype) && dtype != DType::kPred; });
  std::vector<WindowDimension> window = random_window(draft, a.dims(), true);
  if (window.empty()) return;
  a = tame(draft, a, std::min(64.0, exact_limit(a.dtype())));
  Sizes places;
  for (size_t d = 0; d < window.size(); ++d) {
    const int64_t base = a.dims()[d] + window[d].pad_low + window[d].pad_high;
    places.push_back(base < window[d].size ? 0 : (base - window[d].size) / window[d].stride + 1);
  }
  const double limit = std::floor(exact_limit(a.dtype()) / static_cast<double>(taps_of(window) + 1));
  if (!is_bits(a.dtype()) && limit < 1) return;
  const Term from = tame(draft, want(draft, a.dtype(), places), std::min(limit, 64.0));
  const Term init = constant(draft, a.dtype(), 0);
  Attributes attributes;
  attributes.window = window;
  static const std::vector<std::string> kDirections = {"GE", "GE", "LE", "GT", "LT"};
  Draft inside = open(draft, "select");
  Instruction* x = inside.computation->add(Opcode::kParameter, Shape::scalar(a.dtype()), {});
  Instruction* y = inside.computation->add(Opcode::kParameter, Shape::scalar(a.dtype()), {});
  y->parameter_number = 1;
  Attributes direction;
  direction.direction = random.pick(kDirections);
  inside.computation->set_root(add_node(inside, Opcode::kCompare, {x, y}, direction));
  attributes.select = inside.computation;
  attributes.scatter = combiner(draft, Opcode::kAdd, a.dtype());
  const double most = from.facts.magnitude * static_cast<double>(taps_of(window));
  add(draft, Opcode::kSelectAndScatter, {a, from, init}, rounded(a.dtype(), most, true), attributes);
}

void add_sort(Draft& draft) {
  Random& random = draft.random();
  Term key = pick_of_rank(draft, 1, 4, [](DType dtype) { return !is_complex(dtype) && dtype != DType::kF8E8M0FNU; });
  key = finite(draft, key);
  Attributes attributes;
  attributes.dimensions = Sizes{random.below(key.rank())};
  attributes.is_stable = true;
  std::vector<Term> operands = {key};
  std::vector<DType> dtypes = {key.dtype()};
  std::vector<Instruction*> nodes = {key.node};
  std::vector<Facts> facts = {key.facts};
  const int64_t more = random.chance(50) ? 0 : random.between(1, 2);
  for (int64_t i = 0; i < more; ++i) {
    const Term other = want(draft, random_dtype(draft), key.dims());
    operands.push_back(other);
    dtypes.push_back(other.dtype());
    nodes.push_back(other.node);
    facts.push_back(other.facts);
  }
  const bool total = is_float(key.dtype()) && random.chance(40);
  attributes.to_apply = comparator(draft, dtypes, random.chance(75) ? "LT" : "GT", total);
  Instruction* sorted = add_node(draft, Opcode::kSort, nodes, attributes);
  if (operands.size() == 1) {
    term_of(draft, sorted, facts[0]);
  } else {
    add_elements(draft, sorted, facts);
  }
}

void add_topk(Draft& draft) {
  Random& random = draft.random();
  Term a = pick_of_rank(draft, 1, 3, [](DType dtype) {
    return !is_complex(dtype) && dtype != DType::kPred && dtype != DType::kF8E8M0FNU;
  });
  a = finite(draft, a);
  Attributes attributes;
  attributes.k = random.between(std::min<int64_t>(1, a.dims().back()), std::min<int64_t>(a.dims().back(), 40));
  attributes.largest = random.chance(75);
  Instruction* top = add_node(draft, Opcode::kTopk, {a.node}, attributes);
  add_elements(draft, top, {a.facts, {}});
}

}  // namespace sinter
