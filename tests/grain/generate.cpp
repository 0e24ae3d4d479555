// Random statements, functions and programs.
#include "tests/grain/generate.h"

#include <algorithm>
#include <optional>

#include "tests/grain/generator.h"

namespace sinter::grain_test {

void Generator::definition(const std::string& name, char element, const std::vector<std::string>& dims,
                           bool keeps_small) {
  std::string left = name;
  const size_t before = indices_.size();
  for (size_t d = 0; d < dims.size(); ++d) {
    const std::string index = fresh("i");
    left += (d == 0 ? "[" : ", ") + index + " in 0.." + dims[d];
    indices_.push_back({index, dims[d]});
  }
  if (!dims.empty()) left += "]";
  Text value = expression(element, 3);
  for (int tries = 0; tries < 20 && !value.has_type; ++tries) value = expression(element, 3);
  if (!value.has_type) value.text = type(element) + "(" + value.text + ")";
  if (keeps_small && element == 'f') value = small(value);
  if (keeps_small && element == 'i') value.text = "clamp(" + value.text + ", -9, 9)";
  indices_.resize(before);
  line(left + " = " + value.text);
  if (name.back() != '\'') variables_.push_back({name, element, dims, value.exact});
}

void Generator::update() {
  const char element = one_in(2) ? 'f' : 'i';
  std::vector<const Variable*> bases;
  for (const Variable& variable : variables_) {
    if (variable.element == element && !variable.dims.empty() && variable.exact.holds()) bases.push_back(&variable);
  }
  if (bases.empty()) return;
  const Variable base = *pick(bases);
  const std::string name = fresh("u");
  const size_t before = indices_.size();
  std::string places, given;
  const bool adds = one_in(2);
  for (size_t d = 0; d < base.dims.size(); ++d) {
    const std::string index = fresh("w");
    const int kind = below(4);
    std::string place = index + " in 0.." + base.dims[d];
    if (kind == 0) place = index + " in 1.." + std::to_string(1 + below(2));
    indices_.push_back({index, kind == 0 ? "" : base.dims[d]});
    places += (places.empty() ? "" : ", ") + place;
  }
  std::string sign = "=";
  if (adds) {
    // Places from data, of which several may be one.
    const std::string index = fresh("w");
    places.clear();
    indices_.resize(before);
    indices_.push_back({index, base.dims[0]});
    given = base.name + "[" + index;
    for (size_t d = 1; d < base.dims.size(); ++d) given += ", 0";
    given += "] + ";
    for (size_t d = 0; d < base.dims.size(); ++d)
      places += (d == 0 ? "" : ", ") + std::string(d == 0 ? "(" + index + ") * 2 - 1" : whole(1).text);
    places += one_in(3) ? "; clamp" : one_in(2) ? "; drop" : "; wrap";
    const std::vector<std::string> signs = {"+=", "max=", "min="};
    sign = pick(signs);
  }
  Text value = expression(element, 2);
  if (element == 'f') value = summable(value);
  value.text = given + value.text;
  value.exact.fraction = std::max(value.exact.fraction, given.empty() ? 0 : base.exact.fraction);
  indices_.resize(before);
  line(name + " = " + base.name + " with [" + places + "] " + sign + " " + value.text);
  variables_.push_back({name, element, base.dims, {std::max(value.exact.fraction, base.exact.fraction), 14}});
}

void Generator::loop() {
  const bool is_for = !one_in(3);
  const std::vector<Variable> outside = variables_;
  std::vector<Variable> carries;
  std::string carry;
  const std::string count = fresh("n");
  if (!is_for) carry = count + ": s32 = 0";
  for (int i = 1 + below(2); i > 0; --i) {
    const char element = one_in(3) ? 'i' : 'f';
    const Variable state{fresh("s"), element, some_dims(2), {2, 4}};
    std::string first;
    for (const Variable& variable : outside) {
      if (variable.element == element && variable.dims == state.dims && variable.exact.fraction <= 2 &&
          variable.exact.bits <= 4 && one_in(2))
        first = variable.name;
    }
    if (first.empty()) first = one_in(2) ? "1" : "2";
    carry += (carry.empty() ? "" : ", ") + state.name + ": " + shaped(element, state.dims) + " = " + first;
    carries.push_back(state);
  }
  const std::string counter = fresh("t"), steps = std::to_string(1 + below(4));
  if (is_for) {
    line("for " + counter + " in " + (one_in(4) ? "reverse " : "") + "0.." + steps + " carry (" + carry + ") {");
  } else {
    line("while " + count + " < " + steps + " and " + truth(1).text + " carry (" + carry + ") {");
  }
  ++indent_;
  ++loops_;
  for (const Variable& state : carries) variables_.push_back(state);
  variables_.push_back({is_for ? counter : count, 'i', {}, {0, 3}});
  if (one_in(2)) statement();
  for (const Variable& state : carries) {
    definition(state.name + "'", state.element, state.dims, true);
    // What is defined already may be read.
    if (one_in(2)) variables_.push_back({state.name + "'", state.element, state.dims, {0, 4}});
  }
  std::optional<Variable> stack;
  if (is_for && one_in(2) && loops_ == 1) {
    stack = Variable{fresh("h"), 'f', {pick(dims_).first}, {}};
    const std::string index = fresh("i");
    indices_.push_back({index, stack->dims[0]});
    const Text value = small(expression('f', 2));
    indices_.pop_back();
    line(stack->name + "[" + counter + ", " + index + " in 0.." + stack->dims[0] +
         "] = " + (value.has_type ? value.text : "f32(" + value.text + ")"));
    stack->dims.insert(stack->dims.begin(), steps);
    stack->exact = {0, 4};
  }
  if (!is_for) line(count + "' = " + count + " + 1");
  --loops_;
  --indent_;
  line("}");
  variables_ = outside;
  for (const Variable& state : carries) variables_.push_back(state);
  if (stack) {
    // Its first dimension is a number: it is read at places that are shown to be in range.
    Variable row = *stack;
    const std::string name = fresh("v"), index = fresh("i");
    const std::string step = fresh("k");
    line(name + "[" + index + " in 0.." + row.dims[1] + "] = sum[" + step + "](" + row.name + "[" + step + ", " +
         index + "])");
    variables_.push_back({name, 'f', {row.dims[1]}, {0, 6}});
  }
}

void Generator::branch() {
  const std::string name = fresh("c");
  const char element = one_in(2) ? 'f' : 'i';
  const std::vector<std::string> dims = some_dims(2);
  const std::vector<Variable> outside = variables_;
  line("if " + truth(2).text + " {");
  ++indent_;
  definition(name, element, dims, true);
  variables_ = outside;
  --indent_;
  line("} else {");
  ++indent_;
  definition(name, element, dims, true);
  variables_ = outside;
  --indent_;
  line("}");
  variables_.push_back({name, element, dims, {0, 4}});
}

void Generator::add_record(const std::string& name, const std::vector<std::string>& dims) {
  variables_.push_back({name + ".p", 'f', dims, {2, 4}});
  variables_.push_back({name + ".q", 'i', dims, {}});
}

// A record of each element, and a loop that carries such.
void Generator::record() {
  const std::string name = fresh("o"), index = fresh("i"), dim = pick(dims_).first;
  const auto made = [&] {
    indices_.push_back({index, dim});
    const Text p = small(expression('f', 2)), q = whole(2);
    indices_.pop_back();
    return "P(" + p.text + ", " + q.text + ")";
  };
  line(name + "[" + index + " in 0.." + dim + "] = " + made());
  add_record(name, {dim});
  if (indent_ > 1 || one_in(2)) return;
  const std::vector<Variable> outside = variables_;
  const std::string counter = fresh("t"), state = fresh("z");
  line("for " + counter + " in 0.." + std::to_string(1 + below(3)) + " carry (" + state + " = " + name + ") {");
  ++indent_;
  add_record(state, {dim});
  const std::string next = made();
  line(state + "'[" + index + " in 0.." + dim +
       "] = " + (one_in(2) ? "if " + truth(1).text + " then " + name + "[0; clamp] else " + next : next));
  --indent_;
  line("}");
  variables_ = outside;
  add_record(state, {dim});
}

// Definitions of rows by functions of rows.
void Generator::slices() {
  for (const Variable& variable : std::vector<Variable>(variables_)) {
    if (variable.dims.size() != 2 || one_in(2) || variable.element == 'p') continue;
    const std::string name = fresh("r"), index = fresh("i");
    const bool by_row = one_in(2);
    const std::string part = by_row ? index + ", :" : ":, " + index;
    const std::vector<std::string> functions = {"cumsum", "sort", "reverse", "cummin"};
    const std::string& function = pick(functions);
    if (function == "cumsum" && !variable.exact.holds()) continue;
    line(name + "[" + part + "] = " + function + "(" + variable.name + "[" + part + "])");
    variables_.push_back({name, variable.element, variable.dims, {variable.exact.fraction, variable.exact.bits + 3}});
    return;
  }
}

void Generator::statement() {
  if (has_records_ && one_in(4)) return record();
  switch (below(indent_ > 2 ? 6 : 9)) {
    case 6:
    case 7:
      return loop();
    case 8:
      return branch();
    case 5:
      return update();
    case 4:
      return slices();
    default: {
      const char element = one_in(4) ? 'p' : one_in(3) ? 'i' : 'f';
      return definition(fresh("v"), element, some_dims(2), false);
    }
  }
}

void Generator::function() {
  Function made{fresh("f"), {}, 'f'};
  std::string parameters;
  for (int i = 1 + below(2); i > 0; --i) {
    const char element = one_in(3) ? 'i' : 'f';
    const std::string name = fresh("a");
    parameters += (parameters.empty() ? "" : ", ") + name + ": " + type(element);
    made.parameters.push_back(element);
    variables_.push_back({name, element, {}, {Exactness::kInexact, 0}});
  }
  Text value = expression('f', 2);
  if (!value.has_type) value.text = variables_[0].element == 'f' ? variables_[0].name : "f32(" + value.text + ")";
  if (one_in(3)) {
    // A loop of its own for each element that it is called for.
    items_ += "fn " + made.name + "(" + parameters +
              ") -> (y: f32) {\n  while n < 5 and y < 20 carry (n: s32 = 0, y = f32(" + value.text +
              ")) {\n    n' = n + 1\n    y' = y * 1.5 + 1\n  }\n}\n\n";
  } else {
    items_ += "fn " + made.name + "(" + parameters + ") -> f32 = " + value.text + "\n\n";
  }
  variables_.clear();
  functions_.push_back(made);
}

std::string Generator::program() {
  std::string dims = "dim ";
  for (int i = 0; i < 3; ++i) {
    dims_.emplace_back("d" + std::to_string(i), one_in(20) ? 0 : 1 + below(4));
    dims += (i == 0 ? "" : ", ") + dims_.back().first + " = " + std::to_string(dims_.back().second);
  }
  for (int i = below(3); i > 0; --i) function();
  std::string parameters;
  for (int i = 0; i < 4; ++i) {
    const char element = i == 0 ? 'f' : i == 1 ? 'i' : one_in(4) ? 'p' : one_in(3) ? 'i' : 'f';
    const Variable parameter{fresh("x"), element, some_dims(2), {2, 2}};
    parameters += (i == 0 ? "" : ", ") + parameter.name + ": " + shaped(element, parameter.dims);
    variables_.push_back(parameter);
  }
  if (one_in(2)) {
    items_ = "record P { p: f32, q: s32 }\n\n" + items_;
    const std::string name = fresh("x"), dim = pick(dims_).first;
    parameters += ", " + name + ": P[" + dim + "]";
    has_records_ = true;
    add_record(name, {dim});
  }
  for (int i = 2 + below(4); i > 0; --i) statement();
  std::string results;
  int count = 0;
  std::erase_if(variables_, [](const Variable& variable) { return variable.name.find('.') != std::string::npos; });
  const size_t all = variables_.size();
  for (size_t i = all; i-- > 4 && count < 3;) {
    const Variable variable = variables_[i];
    const std::string name = "out" + std::to_string(count);
    results += (count++ == 0 ? "" : ", ") + name + ": " + shaped(variable.element, variable.dims);
    line(name + " = " + variable.name);
  }
  if (count == 0) {
    results = "out: f32";
    line("out = sum[k in 0..d0](f32(k))");
  }
  return dims + "\n\n" + items_ + "entry main(" + parameters + ") -> (" + results + ") {\n" + body_ + "}\n";
}

std::string generate_program(uint64_t seed) { return Generator(seed).program(); }

std::vector<Literal> generate_inputs(const std::vector<Shape>& shapes, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Literal> inputs;
  for (const Shape& shape : shapes) {
    Literal literal(shape);
    for (int64_t i = 0; i < shape.element_count(); ++i) {
      const auto number = static_cast<int64_t>(random() % 33) - 16;
      if (is_complex(shape.dtype)) continue;
      if (is_float(shape.dtype)) {
        literal.set_real(i, static_cast<double>(number) / 4);
      } else if (shape.dtype == DType::kPred) {
        literal.set_integer(i, number & 1);
      } else {
        literal.set_integer(i, is_signed_integer(shape.dtype) ? number / 2 : number + 16);
      }
    }
    inputs.push_back(std::move(literal));
  }
  return inputs;
}

}  // namespace sinter::grain_test
