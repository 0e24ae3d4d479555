// Reductions, windows, sorts and contractions. Sums are of integers so small that every order gives the same bits.
#include <algorithm>
#include <numeric>

#include "passes/graph/rewrite.h"
#include "tests/random/generate_ops.h"

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

void add_reduce(Draft& draft) {
  Random& random = draft.random();
  Term a = pick_of_rank(draft, 1, 5, can_be_reduced);
  Attributes attributes;
  attributes.dimensions = Sizes();
  int64_t most = 1;
  for (int64_t d = 0; d < a.rank(); ++d) {
    if (!random.chance(50)) continue;
    attributes.dimensions->push_back(d);
    most *= a.dims()[at(d)];
  }
  const Reduction reduction = random_reduction(draft, a, most);
  attributes.to_apply = combiner(draft, reduction.opcode, a.dtype());
  add(draft, Opcode::kReduce, {reduction.operand, reduction.init}, reduction.facts, attributes);
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
  if (window.empty()) return;
  const Reduction reduction = random_reduction(draft, a, taps_of(window));
  Attributes attributes;
  attributes.window = window;
  attributes.to_apply = combiner(draft, reduction.opcode, a.dtype());
  add(draft, Opcode::kReduceWindow, {reduction.operand, reduction.init}, reduction.facts, attributes);
}

// As jnp.cumsum and its kin are printed: a window as long as the dimension, padded on one side.
void add_cumulative(Draft& draft) {
  Random& random = draft.random();
  const Term a = pick_of_rank(draft, 1, 3, can_be_reduced);
  const int64_t along = random.below(a.rank()), size = a.dims()[at(along)];
  if (size == 0 || count(a.dims()) * size > 60000) return;
  const Reduction reduction = random_reduction(draft, a, size);
  std::vector<WindowDimension> window(a.dims().size());
  window[at(along)].size = size;
  (random.chance(75) ? window[at(along)].pad_low : window[at(along)].pad_high) = size - 1;
  Attributes attributes;
  attributes.window = window;
  attributes.to_apply = combiner(draft, reduction.opcode, a.dtype());
  add(draft, Opcode::kReduceWindow, {reduction.operand, reduction.init}, reduction.facts, attributes);
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

namespace {

// Types whose products are summed, and the type of the sum.
struct ContractionTypes {
  DType lhs, rhs, result;
};

ContractionTypes contraction_types(Draft& draft) {
  Random& random = draft.random();
  static const std::vector<ContractionTypes> kMixed = {{DType::kBF16, DType::kBF16, DType::kF32},
                                                       {DType::kF16, DType::kF16, DType::kF32},
                                                       {DType::kS8, DType::kS8, DType::kS32},
                                                       {DType::kU8, DType::kU8, DType::kU32},
                                                       {DType::kF32, DType::kF32, DType::kF32}};
  if (random.chance(15)) return random.pick(kMixed);
  const DType dtype = random_dtype(
      draft, [](DType t) { return t != DType::kPred && (is_bits(t) ? dtype_bits(t) >= 8 : exact_limit(t) >= 256); });
  return {dtype, dtype, dtype};
}

double contraction_limit(const ContractionTypes& types, int64_t terms) {
  const double parts = is_complex(types.result) ? 2 : 1;
  const double sum =
      std::floor(std::sqrt(exact_limit(types.result) / (parts * static_cast<double>(std::max<int64_t>(terms, 1)))));
  return std::min({sum, exact_limit(types.lhs), exact_limit(types.rhs), 32.0});
}

}  // namespace

void add_dot(Draft& draft) {
  Random& random = draft.random();
  const ContractionTypes types = contraction_types(draft);
  struct Dimension {
    int64_t size, number;  // number of its pair; -1: free
  };
  const int64_t batches = random.chance(35) ? random.between(1, 2) : 0,
                contracted = random.chance(90) ? random.between(1, 2) : 0;
  const auto size = [&] { return std::min<int64_t>(random.pick(draft.shared.sizes), 64); };
  std::vector<Dimension> lhs, rhs;
  int64_t terms = 1;
  for (int64_t i = 0; i < batches + contracted; ++i) {
    lhs.push_back({size(), i});
    rhs.push_back(lhs.back());
    if (i >= batches) terms *= lhs.back().size;
  }
  for (std::vector<Dimension>* side : {&lhs, &rhs}) {
    const int64_t free = random.between(0, 2);
    for (int64_t i = 0; i < free; ++i) side->push_back({size(), -1});
    for (size_t i = side->size(); i > 1; --i)
      std::swap((*side)[i - 1], (*side)[at(random.below(static_cast<int64_t>(i)))]);
    if (random.chance(60)) {
      std::stable_sort(side->begin(), side->end(), [&](const Dimension& a, const Dimension& b) {
        const auto is_batch = [&](const Dimension& d) { return d.number >= 0 && d.number < batches; };
        return is_batch(a) && !is_batch(b);
      });
    }
  }
  const auto dims = [](const std::vector<Dimension>& side) {
    Sizes result;
    for (const Dimension& dimension : side) result.push_back(dimension.size);
    return result;
  };
  const auto places = [&](const std::vector<Dimension>& side, int64_t first, int64_t last) {
    Sizes result;
    for (int64_t number = first; number < last; ++number) {
      for (size_t d = 0; d < side.size(); ++d) {
        if (side[d].number == number) result.push_back(static_cast<int64_t>(d));
      }
    }
    return result;
  };
  int64_t elements = 1;
  for (const Dimension& dimension : lhs) elements *= dimension.size;
  for (const Dimension& dimension : rhs) elements *= dimension.number < 0 ? dimension.size : 1;
  if (elements * draft.repetitions > 200000 || count(dims(lhs)) > draft.shared.most_elements ||
      count(dims(rhs)) > draft.shared.most_elements || elements > terms * draft.shared.most_elements) {
    return;
  }
  const double limit = contraction_limit(types, terms);
  if (limit < 1) return;
  const Term a = tame(draft, want(draft, types.lhs, dims(lhs)), limit),
             b = tame(draft, want(draft, types.rhs, dims(rhs)), limit);
  Attributes attributes;
  if (batches > 0) {
    attributes.lhs_batch_dims = places(lhs, 0, batches);
    attributes.rhs_batch_dims = places(rhs, 0, batches);
  }
  attributes.lhs_contracting_dims = places(lhs, batches, batches + contracted);
  attributes.rhs_contracting_dims = places(rhs, batches, batches + contracted);
  if (random.chance(20)) attributes.operand_precision = std::vector<std::string>{"highest", "highest"};
  Instruction* node = add_node(draft, Opcode::kDot, {a.node, b.node}, attributes);
  node->shape.dtype = types.result;
  const double parts = is_complex(types.result) ? 2 : 1;
  term_of(draft, node,
          rounded(types.result, parts * a.facts.magnitude * b.facts.magnitude * static_cast<double>(terms), true));
}

void add_convolution(Draft& draft) {
  Random& random = draft.random();
  ContractionTypes types = contraction_types(draft);
  const int64_t spatial = random.pick(std::vector<int64_t>{0, 1, 1, 2, 2, 3});
  const int64_t groups = random.chance(25) ? random.between(2, 3) : 1;
  const bool batch_groups = groups > 1 && random.chance(35);
  int64_t batch = random.between(1, 3), in = random.between(1, 4), out = random.between(1, 4);
  if (batch_groups) batch *= groups;
  if (groups > 1) out *= groups;
  const int64_t lhs_features = groups > 1 && !batch_groups ? in * groups : in;
  std::vector<WindowDimension> window;
  Sizes extents;
  int64_t taps = in, places = 1;
  for (int64_t d = 0; d < spatial; ++d) {
    WindowDimension dimension;
    const int64_t size = random.between(1, spatial == 1 ? 20 : spatial == 2 ? 9 : 5);
    dimension.size = random.between(1, std::min<int64_t>(size, 4));
    dimension.stride = random.chance(60) ? 1 : random.between(2, 3);
    if (random.chance(50)) {
      dimension.pad_low = random.between(-1, dimension.size);
      dimension.pad_high = random.between(-1, dimension.size);
    }
    if (random.chance(20)) dimension.lhs_dilate = random.between(2, 3);
    if (random.chance(20)) dimension.rhs_dilate = 2;
    dimension.reversal = random.chance(15);
    const int64_t base = (size - 1) * dimension.lhs_dilate + 1 + dimension.pad_low + dimension.pad_high;
    if (base < 0) return;
    const int64_t extent = (dimension.size - 1) * dimension.rhs_dilate + 1;
    places *= base < extent ? 0 : (base - extent) / dimension.stride + 1;
    taps *= dimension.size;
    extents.push_back(size);
    window.push_back(dimension);
  }
  if (places * batch * out > draft.shared.most_elements || places * batch * out * taps * draft.repetitions > 200000)
    return;
  const double limit = contraction_limit(types, taps);
  if (limit < 1) return;

  // Where each dimension stands, for the three shapes: 0 and 1 are batch (or input feature) and feature.
  const auto order = [&] {
    Sizes result(at(spatial + 2));
    std::iota(result.begin(), result.end(), 0);
    if (random.chance(60)) {
      for (size_t i = result.size(); i > 1; --i)
        std::swap(result[i - 1], result[at(random.below(static_cast<int64_t>(i)))]);
    }
    return result;
  };
  const Sizes lhs_order = order(), rhs_order = order(), out_order = order();
  Sizes lhs_dims(lhs_order.size()), rhs_dims(rhs_order.size());
  lhs_dims[at(lhs_order[0])] = batch;
  lhs_dims[at(lhs_order[1])] = lhs_features;
  rhs_dims[at(rhs_order[0])] = in;
  rhs_dims[at(rhs_order[1])] = out;
  for (size_t d = 0; d < at(spatial); ++d) {
    lhs_dims[at(lhs_order[d + 2])] = extents[d];
    rhs_dims[at(rhs_order[d + 2])] = window[d].size;
  }
  ConvolutionDims labels;
  labels.lhs_batch = lhs_order[0];
  labels.lhs_feature = lhs_order[1];
  labels.rhs_input_feature = rhs_order[0];
  labels.rhs_output_feature = rhs_order[1];
  labels.output_batch = out_order[0];
  labels.output_feature = out_order[1];
  labels.lhs_spatial.assign(lhs_order.begin() + 2, lhs_order.end());
  labels.rhs_spatial.assign(rhs_order.begin() + 2, rhs_order.end());
  labels.output_spatial.assign(out_order.begin() + 2, out_order.end());
  Attributes attributes;
  if (spatial > 0) attributes.window = window;
  attributes.dim_labels = labels;
  if (groups > 1) (batch_groups ? attributes.batch_group_count : attributes.feature_group_count) = groups;
  const Term a = tame(draft, want(draft, types.lhs, lhs_dims), limit),
             b = tame(draft, want(draft, types.rhs, rhs_dims), limit);
  Instruction* node = add_node(draft, Opcode::kConvolution, {a.node, b.node}, attributes);
  node->shape.dtype = types.result;
  const double parts = is_complex(types.result) ? 2 : 1;
  term_of(draft, node,
          rounded(types.result, parts * a.facts.magnitude * b.facts.magnitude * static_cast<double>(taps), true));
}

}  // namespace sinter
