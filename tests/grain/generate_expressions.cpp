// Random expressions of one element.
#include <algorithm>

#include "tests/grain/generator.h"

namespace sinter::grain_test {

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
      if (indices_.size() > 1 && one_in(2)) {
        const std::string other = pick(indices_).index;
        const std::vector<std::string> sums = {index + " + " + other, index + " - " + other,
                                               "2 * " + index + " + " + other, index + " * " + other,
                                               index + " + 2 * " + other + " - 1"};
        subscript = pick(sums);
      }
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
    case 5: {
      if (one_in(2)) return {"s32(" + truth(depth - 1).text + ")", {}};
      const Text a = arm(), b = arm();
      if (!a.has_type || !b.has_type) return a;
      const std::vector<std::string> types = {"u8", "s8", "u32", "s64", "u16", "u64"};
      const std::string& narrow = pick(types);
      const std::vector<std::string> signs = {" + ", " * ", " / ", " % ", " >> ", " ^ "};
      return {"s32(" + narrow + "(" + a.text + ")" + pick(signs) + narrow + "(" + b.text + "))", {}};
    }
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

// A product of two arrays, summed over an index of both: a dot, or a convolution where one has windows.
Text Generator::contraction() {
  std::vector<const Variable*> arrays;
  for (const Variable& variable : variables_) {
    if (variable.element == 'f' && !variable.dims.empty() && variable.exact.fraction + variable.exact.bits <= 8)
      arrays.push_back(&variable);
  }
  if (arrays.empty()) return leaf('f');
  const Variable &a = *pick(arrays), &b = *pick(arrays);
  const std::string index = fresh("k"), dim = pick(a.dims);
  const bool has_windows = one_in(3);
  std::string text;
  for (const Variable* array : {&a, &b}) {
    std::string access = array->name;
    bool is_summed = false, is_shifted = false;
    std::vector<std::string> alone;
    for (size_t d = 0; d < array->dims.size(); ++d) {
      std::vector<std::string> fitting;
      for (const Bound& bound : indices_) {
        if (bound.dim == array->dims[d] && std::find(alone.begin(), alone.end(), bound.index) == alone.end())
          fitting.push_back(bound.index);
      }
      std::string subscript = fitting.empty() ? "0" : pick(fitting);
      if (!is_summed && array->dims[d] == dim) {
        is_summed = true;
        subscript = index;
        if (has_windows && array == &a && !indices_.empty()) {
          is_shifted = true;
          subscript = (one_in(3) ? "2 * " : "") + pick(indices_).index + (one_in(2) ? " + " : " - ") + index;
        }
      } else if (subscript != "0") {
        alone.push_back(subscript);
        alone_.insert(subscript);
      }
      access += (d == 0 ? "[" : ", ") + subscript;
    }
    access += is_shifted ? std::string(one_in(2) ? "; pad 0]" : "; wrap]") : "]";
    text += (text.empty() ? "" : " * ") + access;
  }
  return {"sum[" + index + " in 0.." + dim + "](" + text + ")",
          {a.exact.fraction + b.exact.fraction, a.exact.bits + b.exact.bits + 3}};
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
  if (element == 'f' && one_in(10)) return contraction();
  if (element == 'f') return one_in(4) ? reduction('f', depth) : real(depth);
  return element == 'i' ? whole(depth) : truth(depth);
}

}  // namespace sinter::grain_test
