#include "tests/grain/generate.h"

#include <algorithm>
#include <optional>
#include <random>
#include <set>

namespace sinter::grain_test {
namespace {

// The value is a multiple of 2^-fraction below 2^bits in size; kInexact: rounding has taken part in it.
struct Exactness {
  static constexpr int kInexact = 100;
  int fraction = 0, bits = 0;
  bool holds() const { return fraction + bits <= 20; }
};

struct Text {
  std::string text;
  Exactness exact;
  bool has_type = true;  // not of constants alone
};

// 'f': f32, 'i': s32, 'p': pred.
struct Variable {
  std::string name;
  char element = 'f';
  std::vector<std::string> dims;
  Exactness exact;
};

struct Bound {
  std::string index, dim;
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}
  std::string program();

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<size_t>(below(static_cast<int>(from.size())))];
  }
  std::string fresh(const std::string& stem) { return stem + std::to_string(next_++); }
  static std::string type(char element) { return element == 'f' ? "f32" : element == 'i' ? "s32" : "pred"; }
  std::string shaped(char element, const std::vector<std::string>& dims);
  std::vector<std::string> some_dims(int most);

  Text expression(char element, int depth);
  Text leaf(char element);
  Text access(const Variable& variable, int depth);
  Text real(int depth);
  Text whole(int depth);
  Text truth(int depth);
  Text reduction(char element, int depth);
  Text window();
  Text of_row(char element, int depth);
  Text small(Text value);  // exact, and below 8 in size
  Text summable(Text value) { return value.exact.holds() && value.exact.bits <= 8 ? value : small(std::move(value)); }
  std::string rule(char element);

  void line(const std::string& text) { body_ += std::string(static_cast<size_t>(indent_) * 2, ' ') + text + "\n"; }
  void statement();
  void definition(const std::string& name, char element, const std::vector<std::string>& dims, bool keeps_small);
  void update();
  void loop();
  void branch();
  void slices();
  void function();

  std::mt19937_64 random_;
  int next_ = 0, indent_ = 1, loops_ = 0;
  std::vector<std::pair<std::string, int>> dims_;
  std::vector<Variable> variables_;
  std::vector<Bound> indices_;
  struct Function {
    std::string name;
    std::vector<char> parameters;  // of elements; 'r' is a row of f32
    char result = 'f';
  };
  std::vector<Function> functions_;
  std::string items_, body_;
  std::set<std::string> alone_;  // indices that are a subscript by themselves, which gives them their range
};

std::string Generator::shaped(char element, const std::vector<std::string>& dims) {
  std::string text = type(element);
  for (size_t i = 0; i < dims.size(); ++i) text += (i == 0 ? "[" : ", ") + dims[i];
  return dims.empty() ? text : text + "]";
}

std::vector<std::string> Generator::some_dims(int most) {
  std::vector<std::string> dims;
  for (int rank = below(most + 1); rank > 0; --rank) dims.push_back(pick(dims_).first);
  return dims;
}

Text Generator::small(Text value) {
  if (!value.has_type) return value;
  return {"clamp(round(" + value.text + "), -8, 8)", {0, 3}};
}

std::string Generator::rule(char element) {
  const int kind = below(3);
  if (kind == 0) return "; clamp";
  if (kind == 1) return "; wrap";
  return std::string("; pad ") + (element == 'f' ? "0.5" : element == 'i' ? "3" : "true");
}

Text Generator::access(const Variable& variable, int depth) {
  std::string text = variable.name;
  std::vector<std::string> alone;
  bool needs_rule = false;
  for (size_t d = 0; d < variable.dims.size(); ++d) {
    const std::string& dim = variable.dims[d];
    std::vector<std::string> fitting;
    for (const Bound& bound : indices_) {
      if (bound.dim == dim && std::find(alone.begin(), alone.end(), bound.index) == alone.end())
        fitting.push_back(bound.index);
    }
    std::string subscript;
    const int kind = below(10);
    if (!fitting.empty() && kind < 6) {
      subscript = pick(fitting);
      alone.push_back(subscript);
      alone_.insert(subscript);
    } else if (!fitting.empty() && kind == 6) {
      subscript = dim + " - 1 - " + pick(fitting);
    } else if (!indices_.empty() && kind < 9) {
      const std::string index = pick(indices_).index;
      const std::vector<std::string> forms = {index + " - 1",     index + " + 1",      "2 * " + index,
                                              "3 - " + index,     "-" + index,         index + " / 2",
                                              index + " % 2 + 1", index + " + " + dim, index + " * " + index};
      subscript = pick(forms);
      needs_rule = true;
    } else if (depth > 1 && kind == 9) {
      subscript = whole(depth - 2).text;
      needs_rule = true;
    } else {
      subscript = "0";
    }
    text += (d == 0 ? "[" : ", ") + subscript;
  }
  if (!variable.dims.empty()) text += (needs_rule ? rule(variable.element) : "") + "]";
  Exactness exact = variable.exact;
  if (needs_rule && variable.element == 'f' && exact.fraction < 1) exact.fraction = 1;
  return {text, exact};
}

Text Generator::leaf(char element) {
  std::vector<const Variable*> fitting;
  for (const Variable& variable : variables_) {
    if (variable.element == element) fitting.push_back(&variable);
  }
  if (!fitting.empty() && !one_in(6)) return access(*pick(fitting), 1);
  if (element == 'p') {
    if (!indices_.empty()) return {"(" + pick(indices_).index + " % 2 == 1)", {}};
    return {one_in(2) ? "true" : "false", {}};
  }
  if (!indices_.empty() && !one_in(3)) {
    const std::string index = pick(indices_).index;
    return element == 'i' ? Text{index, {0, 3}} : Text{"f32(" + index + ")", {0, 3}};
  }
  if (element == 'i') return {std::to_string(below(7)), {0, 3}, false};
  const std::vector<std::string> numbers = {"0.5", "2", "1.25", "0", "3", "0.75"};
  return {pick(numbers), {2, 2}, false};
}

Text Generator::real(int depth) {
  if (depth <= 0) return leaf('f');
  const auto arm = [&] { return real(depth - 1); };
  switch (below(12)) {
    case 0:
    case 1:
    case 2: {
      Text a = arm(), b = arm();
      if (!a.has_type && !b.has_type) return a;
      const std::string sign = one_in(2) ? " + " : " - ";
      return {"(" + a.text + sign + b.text + ")",
              {std::max(a.exact.fraction, b.exact.fraction), std::max(a.exact.bits, b.exact.bits) + 1}};
    }
    case 3:
    case 4: {
      Text a = arm(), b = arm();
      if (!a.has_type && !b.has_type) return a;
      return {a.text + " * " + b.text, {a.exact.fraction + b.exact.fraction, a.exact.bits + b.exact.bits}};
    }
    case 5: {
      Text a = arm(), b = arm();
      if (!a.has_type && !b.has_type) return a;
      const std::vector<std::string> forms = {"max(" + a.text + ", " + b.text + ")",
                                              "min(" + a.text + ", " + b.text + ")", "clamp(" + a.text + ", -2, 3)"};
      if (!a.has_type) return b;
      return {pick(forms), {std::max({a.exact.fraction, b.exact.fraction}), std::max({a.exact.bits, b.exact.bits, 2})}};
    }
    case 6: {
      Text a = arm();
      if (!a.has_type) return a;
      const std::vector<std::string> forms = {"abs(" + a.text + ")", "-" + a.text, "floor(" + a.text + ")",
                                              "sign(" + a.text + ")", "ceil(" + a.text + ")"};
      return {"(" + pick(forms) + ")", {a.exact.fraction, a.exact.bits + 1}};
    }
    case 7: {
      Text a = arm();
      if (!a.has_type) return a;
      const std::vector<std::string> forms = {
          "exp(" + small(a).text + ")", "sqrt(abs(" + a.text + "))", "tanh(" + a.text + ")",  "(" + a.text + " / 3)",
          "sigmoid(" + a.text + ")",    "(1 / (" + a.text + "))",    "mod(" + a.text + ", 3)"};
      return {pick(forms), {Exactness::kInexact, 0}};
    }
    case 8: {
      Text condition = truth(depth - 1), a = arm(), b = arm();
      if (!a.has_type && !b.has_type) return a;
      return {"(if " + condition.text + " then " + a.text + " else " + b.text + ")",
              {std::max(a.exact.fraction, b.exact.fraction), std::max(a.exact.bits, b.exact.bits)}};
    }
    case 9: {
      Text a = whole(depth - 1);
      if (!a.has_type) return leaf('f');
      return {"f32(clamp(" + a.text + ", -9, 9))", {0, 4}};
    }
    case 10: {
      Text a = summable(arm());
      if (!a.has_type) return a;
      return {"(" + a.text + ") ** " + std::to_string(below(4)), {3 * a.exact.fraction, 3 * a.exact.bits + 1}};
    }
    default: {
      std::vector<const Function*> fitting;
      for (const Function& function : functions_) {
        if (function.result == 'f') fitting.push_back(&function);
      }
      if (fitting.empty()) return leaf('f');
      const Function& function = *pick(fitting);
      std::string text = function.name + "(";
      for (size_t i = 0; i < function.parameters.size(); ++i) {
        const Text argument = expression(function.parameters[i], depth - 1);
        text += (i == 0 ? "" : ", ") + argument.text;
      }
      return {text + ")", {Exactness::kInexact, 0}};
    }
  }
}

Text Generator::whole(int depth) {
  if (depth <= 0) return leaf('i');
  const auto arm = [&] { return whole(depth - 1); };
  switch (below(8)) {
    case 0:
    case 1: {
      const Text a = arm(), b = arm();
      if (!a.has_type && !b.has_type) return a;
      const std::vector<std::string> signs = {" + ", " - ", " * ", " & ", " | ", " ^ "};
      return {"(" + a.text + pick(signs) + b.text + ")", {}};
    }
    case 2: {
      const Text a = arm();
      if (!a.has_type) return a;
      const std::vector<std::string> forms = {a.text + " / 3",
                                              a.text + " % 4",
                                              "mod(" + a.text + ", 3)",
                                              "div(" + a.text + ", 2)",
                                              "ceil_div(" + a.text + ", 3)",
                                              "(" + a.text + ") << 2",
                                              "(" + a.text + ") >> 1"};
      return {"(" + pick(forms) + ")", {}};
    }
    case 3: {
      const Text a = arm(), b = arm();
      if (!a.has_type || !b.has_type) return a;
      const std::vector<std::string> forms = {
          "max(" + a.text + ", " + b.text + ")", "min(" + a.text + ", " + b.text + ")",
          "(" + a.text + " / " + b.text + ")",   "mod(" + a.text + ", " + b.text + ")",
          "div(" + a.text + ", " + b.text + ")", "(" + a.text + " % " + b.text + ")"};
      return {pick(forms), {}};
    }
    case 4: {
      const Text condition = truth(depth - 1), a = arm(), b = arm();
      if (!a.has_type && !b.has_type) return a;
      return {"(if " + condition.text + " then " + a.text + " else " + b.text + ")", {}};
    }
    case 5:
      return {"s32(" + truth(depth - 1).text + ")", {}};
    case 6: {
      const Text a = expression('f', depth - 1);
      if (!a.has_type) return leaf('i');
      return {"s32(" + a.text + ")", {}};
    }
    default:
      return one_in(2) ? reduction('i', depth) : leaf('i');
  }
}

Text Generator::truth(int depth) {
  if (depth <= 0) return leaf('p');
  switch (below(5)) {
    case 0:
    case 1: {
      const char element = one_in(2) ? 'f' : 'i';
      const Text a = expression(element, depth - 1), b = expression(element, depth - 1);
      const std::vector<std::string> signs = {" < ", " <= ", " > ", " >= ", " == ", " != "};
      return {"(" + a.text + pick(signs) + b.text + ")", {}};
    }
    case 2:
      return {"(" + truth(depth - 1).text + (one_in(2) ? " and " : " or ") + truth(depth - 1).text + ")", {}};
    case 3:
      return {"(not " + truth(depth - 1).text + ")", {}};
    default:
      return one_in(2) ? reduction('p', depth) : leaf('p');
  }
}

Text Generator::reduction(char element, int depth) {
  const size_t before = indices_.size();
  std::vector<std::string> ranges;
  for (int count = 1 + below(2); count > 0; --count) {
    const std::string dim = pick(dims_).first, index = fresh("k");
    // A range that is not written follows from a subscript.
    ranges.push_back(one_in(4) ? " in -1.." + std::to_string(below(3) + 1) : one_in(3) ? " in 0.." + dim : "");
    indices_.push_back({index, ranges.back().find("-1") == std::string::npos ? dim : ""});
  }
  const std::string where = one_in(4) ? " where " + truth(1).text : "";
  const int kind = below(6);
  const bool takes_place = element == 'i' && ranges.size() == 1 && where.empty() && one_in(3);
  Text term = element == 'p'                   ? truth(depth - 1)
              : element == 'i' && !takes_place ? whole(depth - 1)
                                               : expression('f', depth - 1);
  const bool sums = element == 'f' && kind < 4;
  if (sums) term = summable(term);
  std::string over;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const Bound bound = indices_[before + i];
    if ((term.text + where).find(bound.index) == std::string::npos) {
      const std::string sign = element == 'p' ? " or " : " + ";
      term.text = "(" + term.text + sign +
                  (element == 'p'                   ? "(" + bound.index + " == 1)"
                   : element == 'i' && !takes_place ? bound.index
                                                    : "f32(" + bound.index + ")") +
                  ")";
      term.exact.bits = std::max(term.exact.bits, 3) + 1;
      term.has_type = true;
    }
    if (alone_.count(bound.index) == 0 && ranges[i].empty()) ranges[i] = " in 0.." + bound.dim;
    over += (i == 0 ? "" : ", ") + bound.index + ranges[i];
  }
  indices_.resize(before);
  if (element == 'p') return {(one_in(2) ? "any[" : "all[") + over + where + "](" + term.text + ")", {}};
  if (takes_place) return {(one_in(2) ? "argmax[" : "argmin[") + over + "](" + term.text + ")", {}};
  if (element == 'i') {
    const std::vector<std::string> words = {"sum[", "max[", "min[", "prod["};
    return {pick(words) + over + where + "](" + term.text + ")", {}, term.has_type};
  }
  if (kind == 3) return {"mean[" + over + "](" + term.text + ")", {Exactness::kInexact, 0}, term.has_type};
  if (sums)
    return {"sum[" + over + where + "](" + term.text + ")", {term.exact.fraction, term.exact.bits + 5}, term.has_type};
  return {(kind == 4 ? "max[" : "min[") + over + where + "](" + term.text + ")",
          {term.exact.fraction, Exactness::kInexact},
          term.has_type};
}

// A sum over neighbours: as far as the subscripts stay in range.
Text Generator::window() {
  for (const Variable& variable : variables_) {
    if (variable.element != 'f' || variable.dims.size() != 1 || !variable.exact.holds() || one_in(2)) continue;
    const std::string index = fresh("k"), &x = variable.name, at = "[" + index;
    const std::vector<std::string> terms = {x + at + " + 1] - " + x + at + " + 0]", x + at + " * 2]",
                                            x + at + " + 1] * " + x + "[" + variable.dims[0] + " - 1 - " + index + "]",
                                            x + at + "] * " + x + at + " + 1; wrap]"};
    return {"sum[" + index + "](" + pick(terms) + ")", {2 * variable.exact.fraction, 2 * variable.exact.bits + 3}};
  }
  return leaf('f');
}

// A function of rows, at one of its places.
Text Generator::of_row(char element, int depth) {
  for (const Variable& variable : variables_) {
    if (variable.element != element || variable.dims.empty() || one_in(3)) continue;
    const std::string& dim = variable.dims.back();
    const auto fitting = std::find_if(indices_.begin(), indices_.end(), [&](const Bound& b) { return b.dim == dim; });
    if (fitting == indices_.end()) continue;
    Variable outer = variable;
    outer.dims.pop_back();
    std::string row = access(outer, depth).text;
    if (outer.dims.empty()) {
      row = variable.name + "[:]";
    } else if (row.find(';') != std::string::npos) {
      continue;
    } else {
      row.insert(row.size() - 1, ", :");
    }
    const std::vector<std::string> forms = {"cumsum(" + row + ")", "cummax(" + row + ")",
                                            "sort(" + row + ")",   "reverse(" + row + ")",
                                            "(" + row + ")",       "concat(" + row + ", " + row + ")"};
    size_t form = static_cast<size_t>(below(static_cast<int>(forms.size())));
    if (form == 0 && !variable.exact.holds()) form = 1;
    const std::string rule_text = form == 5 ? "; clamp" : "";
    return {forms[form] + "[" + fitting->index + (form == 5 ? " + 1" : "") + rule_text + "]",
            {variable.exact.fraction, form == 0 ? variable.exact.bits + 3 : variable.exact.bits}};
  }
  return leaf(element);
}

Text Generator::expression(char element, int depth) {
  if (depth <= 0) return leaf(element);
  if (element != 'p' && one_in(10)) return of_row(element, depth);
  if (element == 'f' && one_in(15)) return window();
  if (element == 'f') return one_in(4) ? reduction('f', depth) : real(depth);
  return element == 'i' ? whole(depth) : truth(depth);
}

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
  for (int i = 2 + below(4); i > 0; --i) statement();
  std::string results;
  int count = 0;
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

}  // namespace

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
