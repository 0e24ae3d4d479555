// Control flow, calls, and what else gives tuples.
#include <algorithm>

#include "passes/graph/base/rewrite.h"
#include "tests/random/operations/generate_ops.h"

namespace sinter {
namespace {

constexpr int kMostDepth = 3;

// What is promised of a value that several computations hand on: anything, or small integers.
Facts promise(Draft& draft, DType dtype) {
  if (is_bits(dtype)) return any_facts(dtype);
  if (draft.random().chance(30)) return {};
  return {.magnitude = std::min(std::floor(exact_limit(dtype)), 16.0), .integral = true};
}

Term keep(Draft& draft, const Term& term, const Facts& promised) {
  return promised.finite() ? tame(draft, term, promised.magnitude) : term;
}

// A value with what was promised.
struct Slot {
  Shape shape;
  Facts facts;
};

Term fill(Draft& draft, const Slot& slot) {
  return keep(draft, want(draft, slot.shape.dtype, slot.shape.dims), slot.facts);
}

Slot random_slot(Draft& draft) {
  if (!draft.terms.empty() && draft.random().chance(60)) {
    const Term like = pick(draft);
    return {Shape::array(like.dtype(), like.dims()), promise(draft, like.dtype())};
  }
  const DType dtype = random_dtype(draft);
  return {Shape::array(dtype, random_dims(draft, 0, 3)), promise(draft, dtype)};
}

std::vector<Slot> random_slots(Draft& draft, int64_t least, int64_t most) {
  std::vector<Slot> slots;
  const int64_t count = draft.random().between(least, most);
  for (int64_t i = 0; i < count; ++i) slots.push_back(random_slot(draft));
  return slots;
}

std::vector<Facts> facts_of(const std::vector<Slot>& slots) {
  std::vector<Facts> facts;
  for (const Slot& slot : slots) facts.push_back(slot.facts);
  return facts;
}

std::vector<Term> fill_all(Draft& draft, const std::vector<Slot>& slots) {
  std::vector<Term> terms;
  for (const Slot& slot : slots) terms.push_back(fill(draft, slot));
  return terms;
}

Shape tuple_of(const std::vector<Slot>& slots) {
  std::vector<Shape> shapes;
  for (const Slot& slot : slots) shapes.push_back(slot.shape);
  return Shape::tuple(std::move(shapes));
}

// The results of a computation: a tuple, or one array.
void set_results(Draft& draft, const std::vector<Term>& results, bool tuple) {
  draft.computation->set_root(tuple ? add_tuple(draft, results) : results[0].node);
}

Term comparison(Draft& draft, const Term& a, const Term& b, const std::string& direction) {
  Attributes attributes;
  attributes.direction = direction;
  return add(draft, Opcode::kCompare, {a, b}, {}, attributes);
}

Term element(Draft& draft, const Term& array, const std::vector<Term>& start, const Sizes& sizes) {
  Attributes attributes;
  attributes.dynamic_slice_sizes = sizes;
  std::vector<Term> operands = {array};
  operands.insert(operands.end(), start.begin(), start.end());
  return add(draft, Opcode::kDynamicSlice, operands, array.facts, attributes);
}

// The counter as the first start index, zeros after it.
std::vector<Term> starts(Draft& draft, const Term& counter, int64_t rank) {
  std::vector<Term> result = {counter};
  for (int64_t d = 1; d < rank; ++d) result.push_back(constant(draft, counter.dtype(), 0));
  return result;
}

}  // namespace

void add_map(Draft& draft) {
  Random& random = draft.random();
  const Term first = pick(draft);
  std::vector<Slot> slots = {{Shape::scalar(first.dtype()), promise(draft, first.dtype())}};
  std::vector<Instruction*> operands = {keep(draft, first, slots[0].facts).node};
  for (int64_t more = random.between(0, 2); more > 0; --more) {
    const DType dtype = random_dtype(draft);
    slots.push_back({Shape::scalar(dtype), promise(draft, dtype)});
    operands.push_back(keep(draft, want(draft, dtype, first.dims()), slots.back().facts).node);
  }
  Draft inside = open(draft, "map");
  inside.scalars_only = true;
  for (const Slot& slot : slots) add_parameter(inside, slot.shape, {slot.facts});
  static const std::vector<void (*)(Draft&)> kOps = {add_unary,  add_binary, add_binary,  add_compare,
                                                     add_select, add_clamp,  add_convert, add_function};
  for (int64_t i = random.between(1, 6); i > 0; --i) random.pick(kOps)(inside);
  const Term root = pick(inside);
  inside.computation->set_root(root.node);
  Attributes attributes;
  attributes.dimensions = iota_list(first.rank());
  attributes.to_apply = inside.computation;
  term_of(draft, add_node(draft, Opcode::kMap, operands, attributes), root.facts);
}

namespace {

// What `called` gives for the operands: by a call, as a fusion, or in the background.
Instruction* add_one_call(Draft& draft, Computation* called, const std::vector<Instruction*>& operands) {
  static const std::vector<std::string> kFusions = {"kLoop", "kInput", "kOutput"};
  Random& random = draft.random();
  Attributes attributes;
  if (random.chance(60)) {
    attributes.to_apply = called;
    return add_node(draft, Opcode::kCall, operands, attributes);
  }
  attributes.calls = called;
  if (random.chance(60)) {
    attributes.fusion_kind = random.pick(kFusions);
    return add_node(draft, Opcode::kFusion, operands, attributes);
  }
  std::vector<Shape> shapes;
  for (const Instruction* operand : operands) shapes.push_back(operand->shape);
  const Shape started =
      Shape::tuple({Shape::tuple(std::move(shapes)), called->root()->shape, Shape::scalar(DType::kU32)});
  Instruction* node = add_node(draft, Opcode::kAsyncStart, operands, attributes, &started);
  if (random.chance(30)) node = add_node(draft, Opcode::kAsyncUpdate, {node});
  return add_node(draft, Opcode::kAsyncDone, {node});
}

}  // namespace

void add_call(Draft& draft) {
  if (draft.depth >= kMostDepth) return;
  Random& random = draft.random();
  const std::vector<Slot> parameters = random_slots(draft, 1, 3), results = random_slots(draft, 1, 3);
  const bool tuple = results.size() > 1 || random.chance(30);
  Draft inside = open(draft, "pjit");
  for (const Slot& slot : parameters) add_parameter(inside, slot.shape, {slot.facts});
  add_operations(inside, random.between(1, 6));
  set_results(inside, fill_all(inside, results), tuple);
  for (int64_t calls = random.chance(60) ? 1 : random.between(2, 4); calls > 0; --calls) {
    std::vector<Instruction*> operands;
    for (const Term& term : fill_all(draft, parameters)) operands.push_back(term.node);
    add_results(draft, add_one_call(draft, inside.computation, operands), facts_of(results));
  }
}

void add_conditional(Draft& draft) {
  if (draft.depth >= kMostDepth) return;
  Random& random = draft.random();
  const std::vector<Slot> results = random_slots(draft, 1, 3);
  const bool tuple = results.size() > 1 || random.chance(30);
  const bool two_way = random.chance(50);
  const int64_t branches = two_way ? 2 : random.between(1, 4);
  std::vector<Instruction*> operands = {want(draft, two_way ? DType::kPred : DType::kS32, {}).node};
  std::vector<Computation*> computations;
  std::vector<Slot> parameters;
  Instruction* operand = nullptr;
  for (int64_t i = 0; i < branches; ++i) {
    // Branches share an operand more often than not, as lax.cond has it.
    if (operand == nullptr || random.chance(20)) {
      parameters = random_slots(draft, 1, 4);
      const std::vector<Term> values = fill_all(draft, parameters);
      operand = parameters.size() > 1 || random.chance(50) ? add_tuple(draft, values) : values[0].node;
    }
    operands.push_back(operand);
    Draft inside = open(draft, "cond/branch_" + std::to_string(i) + "_fun");
    add_parameter(inside, operand->shape.is_tuple() ? tuple_of(parameters) : parameters[0].shape, facts_of(parameters));
    add_operations(inside, random.between(0, 6));
    set_results(inside, fill_all(inside, results), tuple);
    computations.push_back(inside.computation);
  }
  Attributes attributes;
  if (two_way) {
    attributes.true_computation = computations[0];
    attributes.false_computation = computations[1];
  } else {
    attributes.branch_computations = computations;
  }
  add_results(draft, add_node(draft, Opcode::kConditional, operands, attributes), facts_of(results));
}

// Counts from `first` while it is less than `last`, or (by chance) as long as data says so too. Besides the counter it
// carries values that its body makes of one another, and, as lax.scan does, arrays that it reads or fills a row a step.
void add_while(Draft& draft) {
  if (draft.depth >= kMostDepth || draft.repetitions > 40) return;
  Random& random = draft.random();
  static const std::vector<DType> kCounters = {DType::kS32, DType::kS32, DType::kS32,
                                               DType::kU32, DType::kS64, DType::kU8};
  const DType counter_type = random.pick(kCounters);
  const int64_t trips = random.chance(10) ? random.between(0, 1) : random.between(2, 7);
  const int64_t first = random.chance(70) ? 0 : random.between(1, 3),
                step = random.chance(80) ? 1 : random.between(2, 3);
  const int64_t last = first + trips * step - (step > 1 ? random.between(0, step - 1) : 0);
  const bool down = random.chance(10) && is_signed_integer(counter_type);

  std::vector<Slot> slots = {{Shape::scalar(counter_type), any_facts(counter_type)}};
  for (const Slot& slot : random_slots(draft, 1, 4)) slots.push_back(slot);
  const size_t values = slots.size();
  // Rows read and rows written.
  const size_t read = static_cast<size_t>(random.chance(50) ? random.between(1, 2) : 0);
  const size_t written = static_cast<size_t>(random.chance(50) ? random.between(1, 2) : 0);
  for (size_t i = 0; i < read + written; ++i) {
    Slot slot = random_slot(draft);
    while (slot.shape.rank() > 3 || slot.shape.bytes() > 4096)
      slot = {Shape::array(slot.shape.dtype, random_dims(draft, 0, 2)), slot.facts};
    slot.shape.dims.insert(slot.shape.dims.begin(), std::max<int64_t>(trips, 1));
    slots.push_back(slot);
  }
  std::vector<Term> initial = fill_all(draft, slots);
  const bool counted = random.chance(90);
  if (counted) initial[0] = constant(draft, counter_type, static_cast<double>(down ? last : first));
  Instruction* state = add_tuple(draft, initial);

  Draft body = open(draft, "while/body", std::max<int64_t>(trips, 1));
  Instruction* parameter = add_parameter(body, tuple_of(slots), facts_of(slots));
  const std::vector<Term> carried = body.terms;
  const Term counter = carried[0];
  for (size_t i = values; i < values + read; ++i) {
    const Term array = carried[i];
    Sizes row = array.dims();
    row[0] = 1;
    Term slice = element(body, array, starts(body, counter, array.rank()), row);
    row.erase(row.begin());
    add_stated(body, Opcode::kReshape, Shape::array(array.dtype(), row), {slice}, slice.facts);
  }
  add_operations(body, random.between(1, draft.depth == 0 ? 9 : 5));
  std::vector<Term> next;
  const Term one = constant(body, counter_type, static_cast<double>(step));
  next.push_back(add(body, down ? Opcode::kSubtract : Opcode::kAdd, {counter, one}, {}));
  for (size_t i = 1; i < values; ++i) {
    next.push_back(random.chance(15) ? carried[i] : fill(body, slots[i]));
  }
  for (size_t i = values; i < values + read; ++i) next.push_back(carried[i]);
  for (size_t i = values + read; i < slots.size(); ++i) {
    Slot row = slots[i];
    row.shape.dims[0] = 1;
    const Term update = fill(body, row);
    std::vector<Term> operands = starts(body, counter, carried[i].rank());
    operands.insert(operands.begin(), {carried[i], update});
    next.push_back(add(body, Opcode::kDynamicUpdateSlice, operands, slots[i].facts));
  }
  body.computation->set_root(add_tuple(body, next));

  Draft condition = open(draft, "while/cond");
  add_parameter(condition, parameter->shape, facts_of(slots));
  const std::vector<Term> seen = condition.terms;
  const Term bound = constant(condition, counter_type, static_cast<double>(down ? first : last));
  Term go_on = down ? comparison(condition, seen[0], bound, "GT") : comparison(condition, seen[0], bound, "LT");
  if (!down && random.chance(15)) go_on = comparison(condition, bound, seen[0], "GT");
  if (!counted) {
    // Any number may be the first: few steps, whatever it is.
    const Term least =
        constant(condition, counter_type, static_cast<double>(down ? last : std::max<int64_t>(first - 2, 0)));
    go_on = add(condition, Opcode::kAnd, {go_on, comparison(condition, seen[0], least, down ? "LE" : "GE")}, {});
  }
  if (random.chance(25)) {
    const Term data = want(condition, DType::kPred, {});
    go_on = add(condition, Opcode::kAnd, {go_on, data}, {});
  }
  condition.computation->set_root(go_on.node);

  Attributes attributes;
  attributes.condition = condition.computation;
  attributes.body = body.computation;
  Instruction* loop = add_node(draft, Opcode::kWhile, {state}, attributes);
  add_elements(draft, loop, facts_of(slots));
}

// A loop over one dimension of arrays: it carries values, and stacks results.
void add_scan(Draft& draft) {
  if (draft.depth >= kMostDepth || draft.scalars_only) return;
  Random& random = draft.random();
  const int64_t along = random.below(2), steps = std::min<int64_t>(random.pick(draft.shared.sizes), 12);
  const auto stacked = [&](const Slot& slot) {
    Shape shape = slot.shape;
    shape.dims.insert(shape.dims.begin() + along, steps);
    return shape;
  };
  const auto row_slot = [&] {
    Slot slot = random_slot(draft);
    while (slot.shape.rank() < along || slot.shape.rank() > 3 || slot.shape.bytes() > 2048) {
      slot = {Shape::array(slot.shape.dtype, random_dims(draft, along, 2)), slot.facts};
      for (int64_t& size : slot.shape.dims) size = std::min<int64_t>(size, 8);
    }
    return slot;
  };
  std::vector<Slot> rows, results;
  for (int64_t i = random.between(1, 2); i > 0; --i) rows.push_back(row_slot());
  for (int64_t i = random.between(0, 2); i > 0; --i) results.push_back(row_slot());
  const std::vector<Slot> carries = random_slots(draft, results.empty() ? 1 : 0, 3);

  std::vector<Instruction*> operands;
  Draft body = open(draft, "scan", std::max<int64_t>(steps, 1));
  for (const Slot& row : rows) {
    operands.push_back(fill(draft, {stacked(row), row.facts}).node);
    add_parameter(body, row.shape, {row.facts});
  }
  for (const Slot& carry : carries) {
    operands.push_back(fill(draft, carry).node);
    add_parameter(body, carry.shape, {carry.facts});
  }
  add_operations(body, random.between(1, 5));
  std::vector<Term> outputs = fill_all(body, results);
  for (const Term& carry : fill_all(body, carries)) outputs.push_back(carry);
  set_results(body, outputs, outputs.size() > 1 || random.chance(50));

  Attributes attributes;
  attributes.dimensions = Sizes{along};
  attributes.num_carries = static_cast<int64_t>(carries.size());
  attributes.is_reverse = random.chance(30);
  attributes.to_apply = body.computation;
  std::vector<Facts> facts = facts_of(results);
  for (const Slot& carry : carries) facts.push_back(carry.facts);
  Instruction* scan = add_node(draft, Opcode::kScan, operands, attributes);
  add_results(draft, scan, facts);
}

// Of the program's own generator; without rng_normal, whose functions round as they like.
void add_random_numbers(Draft& draft) {
  Random& random = draft.random();
  if (random.chance(40)) {
    Attributes attributes;
    attributes.delta = random.between(1, 9);
    add_stated(draft, Opcode::kRngGetAndUpdateState, Shape::array(DType::kU64, {2}), {}, {}, attributes);
    return;
  }
  static const std::vector<DType> kNumbers = {DType::kF32, DType::kF32, DType::kF64, DType::kF16, DType::kBF16,
                                              DType::kS32, DType::kU32, DType::kU8,  DType::kS64};
  const DType dtype = random.pick(kNumbers);
  // Floats round once, as in the evaluator: times a power of two they do not, nor where nothing is added.
  const double least = dtype == DType::kF16 || dtype == DType::kBF16 ? 0 : static_cast<double>(random.between(0, 3));
  const double most =
      least + (is_integer(dtype) ? static_cast<double>(random.between(1, 9)) : std::exp2(random.below(4)));
  Attributes attributes;
  attributes.distribution = "rng_uniform";
  const Term low = constant(draft, dtype, least), high = constant(draft, dtype, most);
  add_stated(draft, Opcode::kRng, Shape::array(dtype, random_dims(draft, 0, 3)), {low, high},
             rounded(dtype, most, false), attributes);
}

void add_random_bits(Draft& draft) {
  Random& random = draft.random();
  static const std::vector<DType> kBits = {DType::kU32, DType::kU32, DType::kU64, DType::kU8, DType::kU16, DType::kS32};
  static const std::vector<std::string> kAlgorithms = {"rng_three_fry", "rng_philox", "rng_default"};
  const Shape state = Shape::array(DType::kU64, {2});
  const Shape bits = Shape::array(random.pick(kBits), random_dims(draft, 0, 3));
  const Shape both = Shape::tuple({state, bits});
  Attributes attributes;
  attributes.algorithm = random.pick(kAlgorithms);
  Instruction* node =
      add_node(draft, Opcode::kRngBitGenerator, {want(draft, DType::kU64, {2}).node}, attributes, &both);
  add_elements(draft, node, {{}, {}});
}

void add_barrier(Draft& draft) {
  Random& random = draft.random();
  if (random.chance(40)) {
    const Term a = pick(draft);
    add(draft, Opcode::kOptBarrier, {a}, a.facts);
    return;
  }
  const std::vector<Slot> slots = random_slots(draft, 1, 3);
  Instruction* tuple = add_tuple(draft, fill_all(draft, slots));
  add_elements(draft, add_node(draft, Opcode::kOptBarrier, {tuple}), facts_of(slots));
}

}  // namespace sinter
