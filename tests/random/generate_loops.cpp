// Random loops: what they carry, stack and read, when they end, and what an iteration may leave behind.
#include <algorithm>
#include <cmath>
#include <optional>

#include "tests/random/generate.h"
#include "tests/random/loop_operations.h"

namespace sinter {

namespace {

// Bound on float carries; what leaves an iteration is brought below it.
constexpr double kCarryLimit = 8;

struct LoopPlan {
  int64_t start = 0, step = 1, trip = 3;
  bool bounded = true;  // false: the condition also looks at the data, `trip` is the most it can be
};

class LoopGenerator {
 public:
  LoopGenerator(uint64_t seed, bool exact) : random_(seed), scribe_(text_, random_, exact), operations_(scribe_) {
    program_.name = "loop_" + std::to_string(seed);
    program_.exact = exact;
  }

  RandomProgram run();

 private:
  struct Results {
    std::vector<Value> carries;
    std::vector<Value> stacks;
  };

  Value parameter(DType dtype, const Dims& dims);
  Value start_value(DType dtype, const Dims& dims);
  Dims random_dims(DType dtype);
  void step(LoopBody& body);
  Value settle(const Value& value);
  Results loop(const std::vector<Value>& inits, const std::vector<Value>& tables, const LoopPlan& plan, int steps,
               int stack_count, int depth);
  std::string condition(const std::string& type, const std::vector<Value>& state, const LoopPlan& plan);
  Value zero_start(const Dims& dims) { return scribe_.filled(DType::kF32, 0, dims); }

  Random random_;
  HloText text_;
  Scribe scribe_;
  LoopOperations operations_;
  RandomProgram program_;
  int64_t first_ = 32, second_ = 0;  // extents of the threads' dimensions; second_ 0: there is one
};

Value LoopGenerator::parameter(DType dtype, const Dims& dims) {
  RandomInput input;
  input.dtype = dtype;
  for (const Dim& dim : dims) input.dims.push_back(dim.size);
  input.magnitude = is_float(dtype) ? (program_.exact ? 4 : 2) : dtype == DType::kU32 ? 0 : 7;
  Value like;
  like.magnitude = input.magnitude;
  program_.inputs.push_back(input);
  return scribe_.add("x", "parameter(" + std::to_string(program_.inputs.size() - 1) + ")", dtype, dims, like);
}

Dims LoopGenerator::random_dims(DType dtype) {
  const Dim first = {first_, DimKind::kFirst}, second = {second_, DimKind::kSecond};
  const Dim small = {random_.between(2, 4)}, other = {random_.between(2, 3)};
  if (second_ > 0 && random_.chance(35)) return random_.chance(80) ? Dims{first, second} : Dims{first, second, small};
  const Dim& thread = second_ > 0 && random_.chance(50) ? second : first;
  switch (random_.below(is_float(dtype) ? 9 : 7)) {
    case 0:
    case 1:
    case 2:
      return {thread};
    case 3:
      return {thread, small};
    case 4:
      return {small, thread};
    case 5:
      return {small};
    case 6:
      return {};
    case 7:
      return {thread, small, other};
    default:
      return {small, thread, other};
  }
}

// The value a carry starts from.
Value LoopGenerator::start_value(DType dtype, const Dims& dims) {
  switch (random_.below(8)) {
    case 0:
      return scribe_.filled(dtype, static_cast<double>(random_.between(0, 2)), dims);
    case 1:
      if (!dims.empty() && dtype != DType::kPred) {
        const int64_t d = random_.below(static_cast<int64_t>(dims.size()));
        Value like;
        like.magnitude = static_cast<double>(dims[d].size);
        return scribe_.tame(scribe_.add("iota", "iota(), iota_dimension=" + std::to_string(d), dtype, dims, like));
      }
      return parameter(dtype, dims);
    case 2:
      return scribe_.unary(parameter(dtype, dims));
    case 3: {
      const Value a = parameter(dtype, dims);
      return scribe_.binary(a, parameter(dtype, dims));
    }
    default:
      return parameter(dtype, dims);
  }
}

// Brings a value that an iteration leaves behind within the bounds that the next one assumes.
Value LoopGenerator::settle(const Value& value) {
  if (!is_float(value.dtype)) return value;
  if (program_.exact) return value.magnitude > kCarryLimit ? scribe_.clamp(value, kCarryLimit) : value;
  Value result = value;
  if (result.slope > 1) {
    const double scale = std::exp2(-std::ceil(std::log2(result.slope)));
    const double slope = result.slope, error = result.error, magnitude = result.magnitude;
    const Value factor = scribe_.filled(value.dtype, scale, value.dims);
    result =
        scribe_.add("multiply", "multiply(" + result.name + ", " + factor.name + ")", value.dtype, value.dims, value);
    result.slope = slope * scale;
    result.error = error * scale;
    result.magnitude = magnitude * scale;
  }
  return result.magnitude > kCarryLimit ? scribe_.clamp(result, 4) : result;
}

void LoopGenerator::step(LoopBody& body) {
  const Value a = random_.chance(70) ? operations_.pick(body.pool, DType::kF32) : random_.pick(body.pool);
  const int64_t action = random_.below(20);
  if (action < 4) {
    body.pool.push_back(scribe_.unary(a));
  } else if (action < 10) {
    const Value b = random_.pick(body.pool);
    if (std::optional<Value> other = operations_.fit(b, a.dtype, a.dims)) {
      body.pool.push_back(random_.chance(50) ? scribe_.binary(a, *other) : scribe_.binary(*other, a));
    }
  } else if (action < 13) {
    body.pool.push_back(operations_.index_map(a));
  } else if (action < 15) {
    body.pool.push_back(operations_.reduced(a));
  } else if (action < 16) {
    body.pool.push_back(operations_.updated(body, a));
  } else if (action < 18) {
    if (!body.tables.empty()) {
      std::optional<Value> found = random_.chance(30) ? operations_.lookup(body) : std::nullopt;
      body.pool.push_back(found ? *found : operations_.table_row(body));
    }
  } else if (action < 19) {
    std::vector<Value> predicates;
    for (const Value& value : body.pool) {
      if (value.dtype == DType::kPred) predicates.push_back(value);
    }
    if (predicates.empty()) {
      const Value b = operations_.pick(body.pool, DType::kS32);
      if (b.exact && b.dtype != DType::kPred)
        body.pool.push_back(scribe_.compare(b, scribe_.filled(b.dtype, 3, b.dims)));
    } else {
      const std::optional<Value> b = operations_.fit(random_.pick(body.pool), a.dtype, a.dims);
      const std::optional<Value> predicate = operations_.fit_dims(random_.pick(predicates), a.dims);
      if (b && predicate) body.pool.push_back(scribe_.select(*predicate, a, *b));
    }
  } else if (body.depth < 2 && random_.chance(60)) {
    std::vector<Value> inits;
    for (int64_t i = random_.between(1, 3); i > 0; --i) inits.push_back(random_.pick(body.pool));
    LoopPlan plan;
    plan.trip = random_.between(2, 5);
    plan.bounded = random_.chance(75);
    std::vector<Value> tables;
    if (!body.tables.empty() && random_.chance(50)) tables.push_back(random_.pick(body.tables));
    const int steps = static_cast<int>(random_.between(1, 6));
    for (const Value& value : loop(inits, tables, plan, steps, 0, body.depth + 1).carries) body.pool.push_back(value);
  }
}

// The condition's computation; `state` are the carries as the condition sees them, the counter first.
std::string LoopGenerator::condition(const std::string& type, const std::vector<Value>& state, const LoopPlan& plan) {
  const std::string name = text_.fresh("condition");
  text_.open(name);
  const std::string argument = text_.line("arg", type + " parameter(0)");
  const auto element = [&](size_t i) {
    return text_.line("gte", shape_text(state[i]) + " get-tuple-element(" + argument + "), index=" + std::to_string(i));
  };
  const std::string end =
      text_.line("constant", "s32[] constant(" + std::to_string(plan.start + plan.step * plan.trip) + ")");
  const std::string counter = element(0);
  const std::string less = "pred[] compare(" + counter + ", " + end + "), direction=LT";
  std::vector<size_t> scalars;
  for (size_t i = 1; i < state.size(); ++i) {
    const bool decisive = state[i].dtype == DType::kS32 || (state[i].dtype == DType::kF32 && program_.exact);
    if (state[i].dims.empty() && decisive) scalars.push_back(i);
  }
  if (plan.bounded || scalars.empty()) {
    text_.line("compare", less, true);
  } else {
    const size_t i = random_.pick(scalars);
    const std::string limit = text_.line(
        "constant", shape_text(state[i].dtype, {}) + " constant(" + std::to_string(random_.between(-2, 6)) + ")");
    const std::string in_time = text_.line("compare", less);
    const std::string again = text_.line("compare", "pred[] compare(" + element(i) + ", " + limit +
                                                        "), direction=" + (random_.chance(50) ? "LE" : "NE"));
    text_.line("and", "pred[] and(" + in_time + ", " + again + ")", true);
  }
  return text_.close();
}

LoopGenerator::Results LoopGenerator::loop(const std::vector<Value>& inits, const std::vector<Value>& tables,
                                           const LoopPlan& plan, int steps, int stack_count, int depth) {
  // State: counter, carries, stacks, tables.
  std::vector<Value> state = {scribe_.scalar(DType::kS32, static_cast<double>(plan.start))};
  state.insert(state.end(), inits.begin(), inits.end());
  std::vector<Dims> stack_dims;
  for (int i = 0; i < stack_count; ++i) {
    stack_dims.push_back(random_dims(DType::kF32));
    Dims whole = stack_dims.back();
    whole.insert(whole.begin(), {plan.trip});
    state.push_back(zero_start(whole));
  }
  const size_t first_stack = 1 + inits.size(), first_table = first_stack + stack_dims.size();
  state.insert(state.end(), tables.begin(), tables.end());
  std::string type, operands;
  double init_error = 0, init_slope = 0;
  for (const Value& value : state) {
    type += (type.empty() ? "" : ", ") + shape_text(value);
    operands += (operands.empty() ? "" : ", ") + value.name;
    init_error = std::max(init_error, value.error);
    init_slope = std::max(init_slope, value.slope);
  }
  type = "(" + type + ")";

  const std::string condition_name =
      condition(type, std::vector<Value>(state.begin(), state.begin() + first_stack), plan);
  const std::string body_name = text_.fresh("body");
  text_.open(body_name);
  const std::string argument = text_.line("arg", type + " parameter(0)");
  std::vector<Value> inside;
  for (size_t i = 0; i < state.size(); ++i) {
    Value like = state[i];
    const bool table = i >= first_table;
    if (is_float(like.dtype) && !table) like.magnitude = kCarryLimit;
    if (is_float(like.dtype) && !program_.exact && !(table && depth == 0)) {
      like.slope = 1;
      like.exact = false;
    }
    like.error = 0;
    inside.push_back(scribe_.add("gte", "get-tuple-element(" + argument + "), index=" + std::to_string(i), like.dtype,
                                 like.dims, like));
  }
  LoopBody body;
  body.counter = inside[0];
  body.depth = depth;
  body.pool.assign(inside.begin(), inside.begin() + first_stack);
  body.tables.assign(inside.begin() + first_table, inside.end());
  // A table is there to be read.
  if (!body.tables.empty()) body.pool.push_back(operations_.table_row(body));
  for (int i = 0; i < steps; ++i) step(body);

  std::vector<Value> next = inside;
  double local_error = 0;
  for (size_t i = 1; i < first_stack; ++i) {
    const int64_t kind = random_.below(10);
    if (kind < 1) continue;  // unchanged
    std::vector<size_t> alike;
    for (size_t other = 1; other < first_stack; ++other) {
      if (other != i && inside[other].dtype == inside[i].dtype && inside[other].dims == inside[i].dims)
        alike.push_back(other);
    }
    next[i] = kind < 3 && !alike.empty() ? inside[random_.pick(alike)] : settle(operations_.fit_any(body, inside[i]));
    local_error = std::max(local_error, next[i].error);
  }
  std::vector<Value> stacked;
  for (size_t i = 0; i < stack_dims.size(); ++i) {
    Value like;
    like.dtype = DType::kF32;
    like.dims = stack_dims[i];
    std::optional<Value> value;
    for (int tries = 0; tries < 8 && !value; ++tries)
      value = operations_.fit(random_.pick(body.pool), DType::kF32, like.dims);
    const Value row = value ? *value : zero_start(like.dims);
    stacked.push_back(row);
    Dims one = row.dims;
    one.insert(one.begin(), {1});
    const Value piece = scribe_.reshape(row, one);
    Value place = body.counter;
    if (random_.chance(25)) {
      const Value last = scribe_.scalar(DType::kS32, static_cast<double>(plan.trip - 1));
      place = scribe_.add("subtract", "subtract(" + last.name + ", " + place.name + ")", DType::kS32, {}, place);
    }
    const Value zero = scribe_.scalar(DType::kS32, 0);
    std::string starts = place.name;
    for (size_t d = 0; d < row.dims.size(); ++d) starts += ", " + zero.name;
    const Value& whole = inside[first_stack + i];
    next[first_stack + i] = scribe_.add("dynamic-update-slice",
                                        "dynamic-update-slice(" + whole.name + ", " + piece.name + ", " + starts + ")",
                                        whole.dtype, whole.dims, whole);
  }
  const Value step_value = scribe_.scalar(DType::kS32, static_cast<double>(plan.step));
  next[0] =
      scribe_.add("add", "add(" + body.counter.name + ", " + step_value.name + ")", DType::kS32, {}, body.counter);
  std::string root;
  for (const Value& value : next) root += (root.empty() ? "" : ", ") + value.name;
  text_.line("tuple", type + " tuple(" + root + ")", true);
  text_.close();

  const std::string tuple = text_.line("tuple", type + " tuple(" + operands + ")");
  const std::string made =
      text_.line("while", type + " while(" + tuple + "), condition=" + condition_name + ", body=" + body_name);
  Results results;
  const double error = init_error + static_cast<double>(plan.trip) * local_error;
  for (size_t i = 1; i < first_table; ++i) {
    const bool stack = i >= first_stack;
    Value like = state[i];
    like.exact = program_.exact || !is_float(like.dtype);
    if (is_float(like.dtype)) {
      like.magnitude = kCarryLimit;
      like.slope = init_slope;
      like.error = stack ? stacked[i - first_stack].slope * error + stacked[i - first_stack].error : error;
    }
    const Value result =
        scribe_.add("gte", "get-tuple-element(" + made + "), index=" + std::to_string(i), like.dtype, like.dims, like);
    (stack ? results.stacks : results.carries).push_back(result);
  }
  return results;
}

RandomProgram LoopGenerator::run() {
  first_ = random_.pick(std::vector<int64_t>{32, 33, 64, 100});
  if (random_.chance(30)) {
    second_ = first_;
    first_ = random_.pick(std::vector<int64_t>{7, 12});
  }
  LoopPlan plan;
  plan.trip = random_.between(3, 40);
  plan.bounded = random_.chance(80);
  const bool plain = random_.chance(75);
  const int stacks = plan.bounded && plain && random_.chance(40) ? static_cast<int>(random_.between(1, 2)) : 0;
  if (!plain) {
    plan.start = random_.between(-3, 5);
    plan.step = random_.between(1, 3);
  }

  text_.open("main", true);
  std::vector<Value> inits;
  static const std::vector<DType> kTypes = {DType::kF32, DType::kF32, DType::kF32, DType::kF32,
                                            DType::kS32, DType::kS32, DType::kU32, DType::kPred};
  const int64_t carries = random_.between(2, 8);
  for (int64_t i = 0; i < carries; ++i) {
    const DType dtype = i == 0 ? DType::kF32 : random_.pick(kTypes);
    if (i > 0 && random_.chance(10)) {
      inits.push_back(random_.pick(inits));  // one value starts two carries
      continue;
    }
    Dims dims = random_dims(dtype);
    if (i == 0)
      dims =
          second_ > 0 ? Dims{{first_, DimKind::kFirst}, {second_, DimKind::kSecond}} : Dims{{first_, DimKind::kFirst}};
    inits.push_back(settle(start_value(dtype, dims)));
  }
  std::vector<Value> tables;
  for (int64_t i = random_.below(3); i > 0; --i) {
    Dims dims;
    switch (random_.below(4)) {
      case 0:
        dims = {{16}};
        break;
      case 1:
        dims = {{16}, {first_, DimKind::kFirst}};
        break;
      default:
        dims = {{std::max<int64_t>(plan.trip, 2)}, {first_, DimKind::kFirst}};
        break;
    }
    tables.push_back(parameter(random_.chance(75) ? DType::kF32 : DType::kS32, dims));
  }
  const int steps = static_cast<int>(random_.between(3, 22));
  const Results results = loop(inits, tables, plan, steps, stacks, 0);

  std::vector<Value> outputs = {results.carries[0]};
  for (size_t i = 1; i < results.carries.size(); ++i) {
    if (random_.chance(85)) outputs.push_back(results.carries[i]);
  }
  outputs.insert(outputs.end(), results.stacks.begin(), results.stacks.end());
  std::string types, names;
  for (const Value& value : outputs) {
    types += (types.empty() ? "" : ", ") + shape_text(value);
    names += (names.empty() ? "" : ", ") + value.name;
    program_.tolerance = std::max(program_.tolerance, value.error);
  }
  text_.line("tuple", "(" + types + ") tuple(" + names + ")", true);
  text_.close();
  program_.text = text_.module(program_.name);
  return std::move(program_);
}

}  // namespace

RandomProgram generate_loop(uint64_t seed, bool exact) { return LoopGenerator(seed, exact).run(); }

}  // namespace sinter
