#include "tests/random/operations/draft.h"

#include <algorithm>

#include "ir/ops/op_table.h"
#include "ir/support/diagnostics.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {

Facts either(const Facts& a, const Facts& b) {
  return {.magnitude = std::max(a.magnitude, b.magnitude), .integral = a.integral && b.integral};
}

int64_t count(const Sizes& dims) {
  int64_t result = 1;
  for (const int64_t size : dims) result *= size;
  return result;
}

bool is_bits(DType dtype) { return is_integer(dtype) || dtype == DType::kPred; }
bool is_real(DType dtype) { return is_float(dtype); }

namespace {

DType part(DType dtype) {
  if (dtype == DType::kC64) return DType::kF32;
  return dtype == DType::kC128 ? DType::kF64 : dtype;
}

// Types whose numbers do not reach around zero, or that have no zero at all.
bool is_scale(DType dtype) { return dtype == DType::kF8E8M0FNU; }

}  // namespace

double exact_limit(DType dtype) {
  switch (part(dtype)) {
    case DType::kF64:
      return 0x1p53;
    case DType::kF32:
      return 0x1p24;
    case DType::kF16:
      return 0x1p11;
    case DType::kBF16:
      return 0x1p8;
    case DType::kF8E4M3:
    case DType::kF8E4M3FN:
    case DType::kF8E4M3FNUZ:
    case DType::kF8E4M3B11FNUZ:
      return 16;
    case DType::kF8E3M4:
      return 15;
    case DType::kF8E5M2:
    case DType::kF8E5M2FNUZ:
      return 8;
    case DType::kF4E2M1FN:
      return 4;
    case DType::kF6E2M3FN:
      return 7;
    case DType::kF6E3M2FN:
      return 8;
    default:
      return 0x1p53;
  }
}

double largest(DType dtype) {
  switch (part(dtype)) {
    case DType::kF64:
      return std::numeric_limits<double>::max();
    case DType::kF32:
      return std::numeric_limits<float>::max();
    case DType::kF16:
      return 65504;
    case DType::kBF16:
      return 0x1.fep127;
    case DType::kF8E4M3:
      return 240;
    case DType::kF8E4M3FN:
      return 448;
    case DType::kF8E4M3FNUZ:
      return 240;
    case DType::kF8E4M3B11FNUZ:
      return 30;
    case DType::kF8E3M4:
      return 15.5;
    case DType::kF8E5M2:
    case DType::kF8E5M2FNUZ:
      return 57344;
    case DType::kF4E2M1FN:
      return 6;
    case DType::kF6E2M3FN:
      return 7.5;
    case DType::kF6E3M2FN:
      return 28;
    default:
      return 0x1p127;
  }
}

Facts rounded(DType dtype, double magnitude, bool integral) {
  if (!is_float(dtype) && !is_complex(dtype)) return any_facts(dtype);
  // Beyond the integers that all are numbers, rounding may go up; what goes past the largest number becomes infinite.
  if (magnitude > exact_limit(dtype) || !integral) magnitude *= 1.25;
  if (!(magnitude <= largest(dtype))) return {};
  return {.magnitude = magnitude, .integral = integral && !is_scale(dtype)};
}

Facts any_facts(DType dtype) {
  if (dtype == DType::kPred) return {.magnitude = 1, .integral = true};
  if (!is_integer(dtype)) return {};
  return {.magnitude = std::exp2(dtype_bits(dtype) - (is_signed_integer(dtype) ? 1 : 0)), .integral = true};
}

Instruction* add_node(Draft& draft, Opcode opcode, const std::vector<Instruction*>& operands, Attributes attributes,
                      const Shape* stated) {
  Instruction* node =
      draft.computation->add(opcode, stated != nullptr ? *stated : Shape::scalar(DType::kF32), operands);
  node->attributes = std::move(attributes);
  if (stated == nullptr) {
    const ShapeResult result = op_def(opcode).infer(*node);
    const ShapeError* error = std::get_if<ShapeError>(&result);
    check(error == nullptr, "random module",
          error == nullptr ? "" : std::string(opcode_name(opcode)) + ": " + error->message);
    node->shape = std::get<Shape>(result);
  }
  if (draft.random().chance(20)) {
    node->metadata.edit().op_name = draft.scope + "/" + std::string(opcode_name(opcode));
    node->metadata.edit().stack_frame_id =
        draft.random().between(0, static_cast<int64_t>(draft.shared.module.tables.frames.size()));
  }
  return node;
}

Term term_of(Draft& draft, Instruction* node, const Facts& facts) {
  const bool known = is_float(node->shape.dtype) || is_complex(node->shape.dtype);
  draft.terms.push_back({node, known ? facts : any_facts(node->shape.dtype)});
  return draft.terms.back();
}

namespace {

std::vector<Instruction*> nodes_of(const std::vector<Term>& terms) {
  std::vector<Instruction*> nodes;
  for (const Term& term : terms) nodes.push_back(term.node);
  return nodes;
}

}  // namespace

Term add(Draft& draft, Opcode opcode, const std::vector<Term>& operands, const Facts& facts, Attributes attributes) {
  return term_of(draft, add_node(draft, opcode, nodes_of(operands), std::move(attributes)), facts);
}

Term add_stated(Draft& draft, Opcode opcode, Shape shape, const std::vector<Term>& operands, const Facts& facts,
                Attributes attributes) {
  return term_of(draft, add_node(draft, opcode, nodes_of(operands), std::move(attributes), &shape), facts);
}

void add_results(Draft& draft, Instruction* node, const std::vector<Facts>& facts) {
  if (node->shape.is_tuple()) {
    add_elements(draft, node, facts);
  } else {
    term_of(draft, node, facts[0]);
  }
}

Instruction* add_tuple(Draft& draft, const std::vector<Term>& elements) {
  return add_node(draft, Opcode::kTuple, nodes_of(elements));
}

std::vector<Term> add_elements(Draft& draft, Instruction* tuple, const std::vector<Facts>& facts) {
  std::vector<Term> result;
  for (size_t i = 0; i < facts.size(); ++i) {
    Attributes attributes;
    attributes.tuple_index = static_cast<int64_t>(i);
    result.push_back(term_of(draft, add_node(draft, Opcode::kGetTupleElement, {tuple}, attributes), facts[i]));
  }
  return result;
}

Literal random_literal(Random& random, DType dtype, const Sizes& dims, const Facts& facts) {
  Literal literal(Shape::array(dtype, dims));
  const auto real = [&]() -> double {
    const bool wild = !facts.finite();
    if (wild && random.chance(12)) {
      static const std::vector<double> kOdd = {INFINITY, -INFINITY, NAN,  -0.0,  1e-40, -1e-40,
                                               3e38,     0.5,       1e-8, 65504, 70000};
      return random.pick(kOdd);
    }
    const int64_t most = wild ? 64 : static_cast<int64_t>(std::min(facts.magnitude, 64.0));
    const double integer = static_cast<double>(random.between(-most, most));
    return facts.integral || random.chance(50) ? integer : integer / 8;
  };
  if (is_complex(dtype)) {
    for (int64_t i = 0; i < literal.element_count(); ++i) {
      const double re = real(), im = real();
      if (dtype == DType::kC64) {
        literal.mutable_values<float>()[static_cast<size_t>(2 * i)] = static_cast<float>(re);
        literal.mutable_values<float>()[static_cast<size_t>(2 * i + 1)] = static_cast<float>(im);
      } else {
        literal.mutable_values<double>()[static_cast<size_t>(2 * i)] = re;
        literal.mutable_values<double>()[static_cast<size_t>(2 * i + 1)] = im;
      }
    }
    return literal;
  }
  const bool small = random.chance(60);
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    if (is_float(dtype)) {
      literal.set_real(i, real());
    } else if (dtype == DType::kPred) {
      literal.set_integer(i, random.below(2));
    } else if (small) {
      const int64_t most = std::min<int64_t>(integer_max(dtype), 7), least = std::max<int64_t>(integer_min(dtype), -2);
      literal.set_integer(i, random.between(least, most));
    } else if (random.chance(10)) {
      literal.set_integer(i, random.chance(50) ? integer_min(dtype) : integer_max(dtype));
    } else {
      literal.set_integer(i, wrap_integer(dtype, static_cast<int64_t>(random.next())));
    }
  }
  return literal;
}

Term constant(Draft& draft, DType dtype, double number) {
  Literal literal(Shape::scalar(dtype));
  if (dtype == DType::kC64) {
    literal.mutable_values<float>()[0] = static_cast<float>(number);
  } else if (dtype == DType::kC128) {
    literal.mutable_values<double>()[0] = number;
  } else if (is_float(dtype)) {
    literal.set_real(0, number);
  } else {
    literal.set_integer(0, static_cast<int64_t>(number));
  }
  Instruction* node = draft.computation->add_constant(std::move(literal));
  return term_of(draft, node, rounded(dtype, std::fabs(number), number == std::floor(number)));
}

Term splat(Draft& draft, DType dtype, double number, const Sizes& dims) {
  const Term scalar = constant(draft, dtype, number);
  return dims.empty() ? scalar : as_shape(draft, scalar, dims);
}

DType random_dtype(Draft& draft, const std::function<bool(DType)>& accepts) {
  std::vector<DType> fitting;
  for (const DType dtype : draft.shared.dtypes) {
    if (!accepts || accepts(dtype)) fitting.push_back(dtype);
  }
  if (!fitting.empty()) return draft.random().pick(fitting);
  static const std::vector<DType> kFallback = {DType::kF32, DType::kS32, DType::kPred, DType::kU32, DType::kC64};
  for (const DType dtype : kFallback) {
    if (!accepts || accepts(dtype)) return dtype;
  }
  throw InternalError("random module", "no element type fits");
}

Sizes random_dims(Draft& draft, int64_t least_rank, int64_t most_rank) {
  if (draft.scalars_only) return {};
  static const std::vector<int64_t> kRanks = {0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 5};
  int64_t rank = draft.random().pick(kRanks);
  rank = std::clamp(rank, least_rank, most_rank);
  Sizes dims;
  for (int64_t i = 0; i < rank; ++i) dims.push_back(draft.random().pick(draft.shared.sizes));
  while (count(dims) * draft.repetitions > draft.shared.most_elements * 4 || count(dims) > draft.shared.most_elements) {
    const auto widest = std::max_element(dims.begin(), dims.end());
    *widest = (*widest + 1) / 2;
  }
  return dims;
}

Instruction* add_parameter(Draft& draft, const Shape& shape, const std::vector<Facts>& facts) {
  const int64_t number = static_cast<int64_t>(draft.computation->parameters().size());
  Instruction* node =
      draft.computation->add(Opcode::kParameter, shape, {}, draft.is_entry ? "Arg_" + std::to_string(number) : "");
  node->parameter_number = number;
  const std::vector<Shape> arrays = shape.is_tuple() ? shape.elements : std::vector{shape};
  for (size_t i = 0; draft.is_entry && i < arrays.size(); ++i) draft.shared.inputs.push_back({arrays[i], facts[i]});
  if (shape.is_tuple()) {
    add_elements(draft, node, facts);
  } else {
    term_of(draft, node, facts[0]);
  }
  return node;
}

Term source(Draft& draft, DType dtype, const Sizes& dims) {
  Random& random = draft.random();
  const Facts facts =
      random.chance(60) && !is_scale(dtype) ? rounded(dtype, std::min(8.0, exact_limit(dtype)), true) : Facts{};
  if (draft.is_entry && random.chance(draft.shared.inputs.size() < 6 ? 70 : 20)) {
    add_parameter(draft, Shape::array(dtype, dims), {facts});
    return draft.terms.back();
  }
  if (!dims.empty() && dtype != DType::kPred && !is_scale(dtype) && random.chance(30)) {
    Attributes attributes;
    attributes.iota_dimension = random.below(static_cast<int64_t>(dims.size()));
    const double most =
        static_cast<double>(std::max<int64_t>(dims[static_cast<size_t>(*attributes.iota_dimension)], 1));
    return add_stated(draft, Opcode::kIota, Shape::array(dtype, dims), {}, rounded(dtype, most, true), attributes);
  }
  if (count(dims) <= 64 && random.chance(60)) {
    return term_of(draft, draft.computation->add_constant(random_literal(random, dtype, dims, facts)), facts);
  }
  const Term scalar = term_of(draft, draft.computation->add_constant(random_literal(random, dtype, {}, facts)), facts);
  return dims.empty() ? scalar : as_shape(draft, scalar, dims);
}

Term pick(Draft& draft, const std::function<bool(const Term&)>& accepts) {
  std::vector<const Term*> fitting;
  for (const Term& term : draft.terms) {
    if (!accepts || accepts(term)) fitting.push_back(&term);
  }
  if (fitting.empty() || draft.random().chance(4)) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      const Term made = source(draft, random_dtype(draft), random_dims(draft));
      if (!accepts || accepts(made)) return made;
    }
    if (fitting.empty()) throw InternalError("random module", "no operand fits");
    return pick(draft, accepts);
  }
  // One of the last few half of the time, so that chains grow long.
  const size_t recent = std::min<size_t>(fitting.size(), 4);
  if (draft.random().chance(50))
    return *fitting[fitting.size() - 1 - static_cast<size_t>(draft.random().below(static_cast<int64_t>(recent)))];
  return *draft.random().pick(fitting);
}

Term pick_of_rank(Draft& draft, int64_t least, int64_t most, const std::function<bool(DType)>& accepts) {
  const auto fits = [&](const Term& term) {
    return term.rank() >= least && term.rank() <= most && (!accepts || accepts(term.dtype()));
  };
  const bool any = std::any_of(draft.terms.begin(), draft.terms.end(), fits);
  if (!any || draft.random().chance(15)) {
    const DType dtype = random_dtype(draft, accepts);
    const Sizes dims = random_dims(draft, least, most);
    return draft.random().chance(50) ? source(draft, dtype, dims) : want(draft, dtype, dims);
  }
  std::vector<Term> fitting;
  std::copy_if(draft.terms.begin(), draft.terms.end(), std::back_inserter(fitting), fits);
  const size_t last = fitting.size() - 1;
  if (draft.random().chance(50))
    return fitting[last -
                   static_cast<size_t>(draft.random().below(static_cast<int64_t>(std::min<size_t>(last, 3) + 1)))];
  return draft.random().pick(fitting);
}

Term as_type(Draft& draft, const Term& term, DType dtype) {
  if (term.dtype() == dtype) return term;
  Term from = term;
  // No order of complex numbers says what a predicate of one is; a scale of zero is none.
  if (is_complex(from.dtype()) && !is_complex(dtype)) {
    from = add(draft, draft.random().chance(50) ? Opcode::kReal : Opcode::kImag, {from}, from.facts);
    if (from.dtype() == dtype) return from;
  }
  Facts facts = rounded(dtype, from.facts.magnitude, from.facts.integral || is_integer(from.dtype()));
  return add_stated(draft, Opcode::kConvert, Shape::array(dtype, from.dims()), {from}, facts);
}

namespace {

Term reshape(Draft& draft, const Term& term, const Sizes& dims) {
  return add_stated(draft, Opcode::kReshape, Shape::array(term.dtype(), dims), {term}, term.facts);
}

// Sizes fitted dimension by dimension: sliced where there is too much, padded or repeated where there is too little.
Term fit_sizes(Draft& draft, Term term, const Sizes& dims) {
  Random& random = draft.random();
  Attributes slice, pad;
  slice.slice = std::vector<SliceBounds>();
  pad.padding = std::vector<PadBounds>();
  bool cuts = false, grows = false;
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t have = term.dims()[d], wanted = dims[d];
    const int64_t stride =
        wanted > 1 && have > wanted && random.chance(30) ? std::max<int64_t>(1, (have - 1) / (wanted - 1)) : 1;
    const int64_t take = std::min(have, wanted);
    const int64_t extent = take == 0 ? 0 : (take - 1) * stride + 1;
    const int64_t start = random.between(0, have - extent);
    slice.slice->push_back({start, start + extent, stride});
    cuts |= take != have;
    const int64_t missing = wanted - take;
    const int64_t low = random.between(0, missing);
    pad.padding->push_back({low, missing - low, 0});
    grows |= missing > 0;
  }
  if (cuts) term = add(draft, Opcode::kSlice, {term}, term.facts, slice);
  if (grows) {
    const Term filler =
        constant(draft, term.dtype(), is_scale(term.dtype()) ? 1 : static_cast<double>(random.below(2)));
    term = add(draft, Opcode::kPad, {term, filler}, either(term.facts, filler.facts), pad);
  }
  return term;
}

}  // namespace

Term as_shape(Draft& draft, const Term& term, const Sizes& dims) {
  if (term.dims() == dims) return term;
  Random& random = draft.random();
  const int64_t rank = static_cast<int64_t>(dims.size());
  if (count(term.dims()) == count(dims) && random.chance(80)) return reshape(draft, term, dims);
  // Dimensions of the operand that stand, in order, among those wanted.
  Attributes attributes;
  attributes.dimensions = Sizes();
  size_t next = 0;
  for (const int64_t size : term.dims()) {
    while (next < dims.size() && dims[next] != size) ++next;
    if (next == dims.size()) break;
    attributes.dimensions->push_back(static_cast<int64_t>(next++));
  }
  if (static_cast<int64_t>(attributes.dimensions->size()) == term.rank()) {
    return add_stated(draft, Opcode::kBroadcast, Shape::array(term.dtype(), dims), {term}, term.facts, attributes);
  }
  Term from = term;
  if (from.rank() < rank) {
    Sizes padded(static_cast<size_t>(rank - from.rank()), 1);
    padded.insert(random.chance(50) ? padded.end() : padded.begin(), from.dims().begin(), from.dims().end());
    from = reshape(draft, from, padded);
  } else if (from.rank() > rank) {
    Sizes flat(from.dims().begin(), from.dims().begin() + rank);
    if (rank == 0) {
      // One element of it.
      if (count(from.dims()) == 0) return splat(draft, from.dtype(), 1, {});
      return reshape(draft, fit_sizes(draft, from, Sizes(static_cast<size_t>(from.rank()), 1)), {});
    }
    flat.back() = 1;
    for (int64_t d = rank - 1; d < from.rank(); ++d) flat.back() *= from.dims()[static_cast<size_t>(d)];
    from = reshape(draft, from, flat);
  }
  return fit_sizes(draft, from, dims);
}

Term want(Draft& draft, DType dtype, const Sizes& dims) {
  Random& random = draft.random();
  std::vector<Term> same;
  for (const Term& term : draft.terms) {
    if (term.dtype() == dtype && term.dims() == dims) same.push_back(term);
  }
  if (!same.empty() && random.chance(70)) return random.pick(same);
  if (draft.terms.empty() || random.chance(25)) return source(draft, dtype, dims);
  const Term from = pick(draft);
  return random.chance(50) ? as_shape(draft, as_type(draft, from, dtype), dims)
                           : as_type(draft, as_shape(draft, from, dims), dtype);
}

Term finite(Draft& draft, const Term& term) {
  if (!is_float(term.dtype()) || term.facts.finite()) return term;
  const Term is_finite = add(draft, Opcode::kIsFinite, {term}, {});
  const Term other = splat(draft, term.dtype(), 1, term.dims());
  return add(draft, Opcode::kSelect, {is_finite, term, other}, {.magnitude = largest(term.dtype()), .integral = false});
}

Term tame(Draft& draft, const Term& term, double limit) {
  if (is_complex(term.dtype())) {
    if (term.facts.integral && term.facts.magnitude <= limit) return term;
    const Term re = tame(draft, add(draft, Opcode::kReal, {term}, term.facts), limit);
    const Term im = tame(draft, add(draft, Opcode::kImag, {term}, term.facts), limit);
    return add(draft, Opcode::kComplex, {re, im}, either(re.facts, im.facts));
  }
  if (!is_float(term.dtype()) || (term.facts.integral && term.facts.magnitude <= limit)) return term;
  Term result = finite(draft, term);
  limit = std::floor(limit);
  if (result.facts.magnitude > limit) {
    const Term low = constant(draft, term.dtype(), -limit), high = constant(draft, term.dtype(), limit);
    const bool integral = result.facts.integral;
    result = add(draft, Opcode::kClamp, {low, result, high}, {.magnitude = limit, .integral = integral});
  }
  if (!result.facts.integral) {
    static const std::vector<Opcode> kRound = {Opcode::kFloor, Opcode::kCeil, Opcode::kRoundNearestEven,
                                               Opcode::kRoundNearestAfz};
    result = add(draft, draft.random().pick(kRound), {result},
                 {.magnitude = std::ceil(result.facts.magnitude), .integral = true});
  }
  return result;
}

Draft open(Draft& outside, const std::string& scope, int64_t repetitions) {
  Draft inside{.shared = outside.shared};
  inside.computation =
      outside.shared.module.add_computation("region_" + std::to_string(outside.shared.module.computations().size()));
  inside.depth = outside.depth + 1;
  inside.repetitions = outside.repetitions * repetitions;
  inside.scope = outside.scope + "/" + scope;
  return inside;
}

Computation* combiner(Draft& draft, Opcode opcode, DType dtype) {
  Draft inside = open(draft, std::string(opcode_name(opcode)));
  Instruction* a = inside.computation->add(Opcode::kParameter, Shape::scalar(dtype), {}, "a");
  Instruction* b = inside.computation->add(Opcode::kParameter, Shape::scalar(dtype), {}, "b");
  b->parameter_number = 1;
  const bool swapped = draft.random().chance(15);
  Instruction* root = add_node(inside, opcode, swapped ? std::vector{b, a} : std::vector{a, b});
  inside.computation->set_root(root);
  return inside.computation;
}

}  // namespace sinter
