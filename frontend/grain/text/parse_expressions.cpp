// Expressions by precedence (grain.md, section 11).
#include <algorithm>
#include <array>

#include "frontend/grain/text/parser.h"

namespace sinter::grain {
namespace {

// Level 0 is `or`, 1 `and`, 2 the comparisons (with `not` before them), 3 on the arithmetic ones.
constexpr std::array<std::array<std::string_view, 6>, 9> kLevels = {{
    {"or"},
    {"and"},
    {"==", "!=", "<", "<=", ">", ">="},
    {"|"},
    {"^"},
    {"&"},
    {"<<", ">>"},
    {"+", "-"},
    {"*", "/", "%"},
}};
constexpr int kComparison = 2;

}  // namespace

ExprPtr Parser::make(Expr::Kind kind, Loc loc, uint32_t begin) {
  auto expr = std::make_unique<Expr>();
  expr->kind = kind;
  expr->loc = loc;
  expr->begin = begin;
  return expr;
}

ExprPtr Parser::finish(ExprPtr expr) {
  expr->end = last_end();
  int depth = 0;
  const auto count = [&](const ExprPtr& child) {
    if (child) depth = std::max(depth, child->depth);
  };
  for (const ExprPtr& child : expr->children) count(child);
  for (const Subscript& subscript : expr->subscripts) {
    count(subscript.value);
    count(subscript.high);
  }
  for (const Argument& argument : expr->arguments) count(argument.value);
  count(expr->condition);
  expr->depth = depth + 1;
  if (expr->depth > kMaxDepth) {
    fail(expr->loc, "E0607", "the expression is more than " + std::to_string(kMaxDepth) + " operations deep",
         "give a part of it a name of its own");
  }
  return expr;
}

ExprPtr Parser::parse_value() {
  ExprPtr value = parse_expression();
  while (at("with")) value = parse_with(std::move(value));
  return value;
}

ExprPtr Parser::parse_with(ExprPtr base) {
  ExprPtr with = make(Expr::Kind::kWith, take().loc, base->begin);
  with->children.push_back(std::move(base));
  expect("[", "'[' and the places that change");
  with->subscripts = parse_subscripts(true);
  with->rules = parse_rules();
  expect("]", "',' or ']' behind the place");
  with->loc = token().loc;
  if (at("max") || at("min") || at("and") || at("or")) {
    with->text = std::string(take().text) + "=";
    expect("=", "'=' behind '" + with->text.substr(0, with->text.size() - 1) + "'");
  } else if (at("=") || at("+=") || at("*=")) {
    with->text = take().text;
  } else {
    unexpected("=, +=, *=, max=, min=, and= or or=");
  }
  with->children.push_back(parse_expression());
  return finish(std::move(with));
}

ExprPtr Parser::parse_expression() {
  if (!at("if")) return parse_binary(0);
  const Nesting nesting(*this);
  ExprPtr expr = make(Expr::Kind::kIf, token().loc, token().loc.offset);
  take();
  expr->children.push_back(parse_expression());
  expect("then", "'then'");
  expr->children.push_back(parse_expression());
  if (!at("else")) {
    const Loc behind{at(TokenKind::kNewline) || at(TokenKind::kEnd) ? last_end() : token().loc.offset};
    fail(behind, "E0600", "'if ... then' chooses between two values; 'else' is missing",
         quote(expr->begin, last_end()) + " else 0");
  }
  take();
  expr->children.push_back(parse_expression());
  return finish(std::move(expr));
}

ExprPtr Parser::parse_binary(int level) {
  if (level == kComparison && (at("not") || at("!"))) {
    if (at("!")) unexpected("a value");
    const Nesting nesting(*this);
    ExprPtr expr = make(Expr::Kind::kUnary, token().loc, token().loc.offset);
    expr->text = take().text;
    expr->children.push_back(parse_binary(level));
    return finish(std::move(expr));
  }
  if (level == static_cast<int>(kLevels.size())) return parse_unary();
  ExprPtr left = parse_binary(level + 1);
  const auto& signs = kLevels[static_cast<size_t>(level)];
  const auto at_sign = [&] {
    return std::any_of(signs.begin(), signs.end(), [&](std::string_view sign) { return !sign.empty() && at(sign); });
  };
  while (at_sign()) {
    ExprPtr expr = make(Expr::Kind::kBinary, token().loc, left->begin);
    expr->text = take().text;
    expr->children.push_back(std::move(left));
    expr->children.push_back(parse_binary(level + 1));
    left = finish(std::move(expr));
    if (level == kComparison && at_sign()) {
      const Expr& middle = *left->children[1];
      const uint32_t begin = left->begin, end = left->end;
      const Loc loc = token().loc;
      const std::string sign(take().text);
      const ExprPtr right = parse_binary(level + 1);
      fail(loc, "E0600", "comparisons do not chain",
           quote(begin, end) + " and " + quote(middle.begin, middle.end) + " " + sign + " " +
               quote(right->begin, right->end));
    }
  }
  if (level == 0 && (at("&&") || at("||"))) {
    const Loc loc = token().loc;
    const std::string sign(token().text);
    const uint32_t begin = left->begin, end = left->end;
    take();
    const ExprPtr right = parse_binary(1);
    const std::string word = sign == "&&" ? "and" : "or";
    fail(loc, "E0600", "'" + sign + "' is written '" + word + "' in Grain",
         quote(begin, end) + " " + word + " " + quote(right->begin, right->end) + "; '" + sign.substr(0, 1) +
             "' alone combines bits of integers");
  }
  return left;
}

ExprPtr Parser::parse_unary() {
  if (!at("-") && !at("~")) return parse_power();
  const Nesting nesting(*this);
  ExprPtr expr = make(Expr::Kind::kUnary, token().loc, token().loc.offset);
  expr->text = take().text;
  expr->children.push_back(parse_unary());
  return finish(std::move(expr));
}

ExprPtr Parser::parse_power() {
  ExprPtr base = parse_postfix();
  if (!at("**")) return base;
  const Nesting nesting(*this);
  ExprPtr expr = make(Expr::Kind::kBinary, token().loc, base->begin);
  expr->text = take().text;
  expr->children.push_back(std::move(base));
  expr->children.push_back(parse_exponent());
  return finish(std::move(expr));
}

ExprPtr Parser::parse_exponent() {
  if (!at("-")) return parse_power();
  const Nesting nesting(*this);
  ExprPtr expr = make(Expr::Kind::kUnary, token().loc, token().loc.offset);
  expr->text = take().text;
  expr->children.push_back(parse_exponent());
  return finish(std::move(expr));
}

ExprPtr Parser::parse_postfix() {
  ExprPtr expr = parse_primary();
  while (true) {
    if (at("[")) {
      const Nesting nesting(*this);
      ExprPtr access = make(Expr::Kind::kAccess, take().loc, expr->begin);
      access->children.push_back(std::move(expr));
      access->subscripts = parse_subscripts(false);
      access->rules = parse_rules();
      if (at(":")) {
        const std::string base = quote(access->begin, access->loc.offset);
        const ExprPtr& low = access->subscripts.back().value;
        const std::string from = low ? quote(low->begin, low->end) : "0";
        const Loc loc = token().loc;
        take();
        const ExprPtr high = at("]") ? nullptr : parse_arithmetic();
        fail(loc, "E0600", "a slice is written with '..'",
             base + "[" + from + ".." + (high ? quote(high->begin, high->end) : "n") + "]");
      }
      expect("]", "',' or ']' behind the subscript");
      expr = finish(std::move(access));
    } else if (at(".")) {
      take();
      if (!at(TokenKind::kName) && !at("max") && !at("min")) unexpected("a field's name");
      const Token member = take();
      if (at("(") && expr->kind == Expr::Kind::kName) {
        ExprPtr call = parse_call(member);
        call->function = expr->text;
        call->begin = expr->begin;
        expr = std::move(call);
        continue;
      }
      ExprPtr field = make(Expr::Kind::kField, member.loc, expr->begin);
      field->text = member.text;
      field->children.push_back(std::move(expr));
      expr = finish(std::move(field));
    } else {
      return expr;
    }
  }
}

std::vector<Subscript> Parser::parse_subscripts(bool places) {
  std::vector<Subscript> subscripts;
  do {
    Subscript subscript;
    subscript.loc = token().loc;
    if (at(":")) {
      take();
    } else if (places && at(TokenKind::kName) && peek().is("in")) {
      subscript.binder = parse_place();
      subscript.value = make(Expr::Kind::kName, subscript.loc, subscript.loc.offset);
      subscript.value->text = subscript.binder->name;
      subscript.value->end = static_cast<uint32_t>(subscript.loc.offset + subscript.binder->name.size());
    } else {
      subscript.value = parse_arithmetic();
      if (accept("..")) subscript.high = parse_arithmetic();
    }
    subscripts.push_back(std::move(subscript));
  } while (accept(","));
  return subscripts;
}

std::vector<Rule> Parser::parse_rules() {
  std::vector<Rule> rules;
  if (!accept(";")) return rules;
  do {
    const Token name = expect_name("an edge rule: clamp, wrap, pad e, drop or unique");
    Rule rule{std::string(name.text), name.loc, nullptr};
    if (rule.name != "clamp" && rule.name != "wrap" && rule.name != "pad" && rule.name != "drop" &&
        rule.name != "unique") {
      fail(name.loc, "E0724", "'" + rule.name + "' is no edge rule", "they are clamp, wrap, pad e, drop and unique");
    }
    if (rule.name == "pad") rule.value = parse_arithmetic();
    rules.push_back(std::move(rule));
  } while (accept(","));
  return rules;
}

std::vector<Argument> Parser::parse_arguments() {
  const Nesting nesting(*this);
  std::vector<Argument> arguments;
  expect("(", "'(' and the arguments");
  while (!at(")")) {
    Argument argument;
    argument.loc = token().loc;
    if (at(TokenKind::kName) && peek().is("=")) {
      argument.name = take().text;
      take();
    }
    argument.value = parse_value();
    arguments.push_back(std::move(argument));
    if (!accept(",")) break;
  }
  expect(")", "',' or ')' behind the argument");
  return arguments;
}

ExprPtr Parser::parse_call(const Token& name) {
  ExprPtr call = make(Expr::Kind::kCall, name.loc, name.loc.offset);
  call->text = name.text;
  call->arguments = parse_arguments();
  return finish(std::move(call));
}

ExprPtr Parser::parse_reduction() {
  const Token word = take();
  const std::string name(word.text);
  ExprPtr expr = make(Expr::Kind::kReduce, word.loc, word.loc.offset);
  expr->text = name;
  if (!at("[")) {
    std::string inside = "x[i]";
    if (at("(")) {
      const std::vector<Argument> arguments = parse_arguments();
      if (!arguments.empty() && arguments[0].value->kind == Expr::Kind::kName) {
        inside = arguments[0].value->text + "[i]";
      } else if (!arguments.empty()) {
        inside = "...";  // where indices belong in it is not known here
      }
    }
    fail(word.loc, "E0600", "'" + name + "' names the index it " + (name == "sum" ? "sums" : "runs") + " over",
         name + "[i](" + inside + ")");
  }
  take();
  do {
    if (at(":")) unexpected("an index");
    expr->binders.push_back(parse_place());
  } while (accept(","));
  if (accept("where")) expr->condition = parse_expression();
  expect("]", "',', 'where' or ']' behind the index");
  if (!at("(")) {
    const std::string head = quote(expr->begin, last_end());
    const Loc loc = token().loc;
    const ExprPtr inside = parse_unary();
    fail(loc, "E0600", "what is " + std::string(name == "sum" ? "summed" : "reduced") + " stands in parentheses",
         head + "(" + quote(inside->begin, inside->end) + ")");
  }
  const Nesting nesting(*this);
  take();
  if (name == "reduce") {
    const Token function = expect_name("a function of two values");
    expr->function = function.text;
    expr->function_loc = function.loc;
    expect(",", "',' and the value to start with");
    ExprPtr start = parse_expression();
    expect(",", "',' and what is reduced");
    expr->children.push_back(parse_expression());
    expr->children.push_back(std::move(start));
  } else {
    expr->children.push_back(parse_value());
  }
  expect(")", "')'");
  return finish(std::move(expr));
}

ExprPtr Parser::parse_primary() {
  const Nesting nesting(*this);
  const Token first = token();
  if (at(TokenKind::kNumber)) {
    take();
    ExprPtr expr = make(Expr::Kind::kNumber, first.loc, first.loc.offset);
    expr->is_float = first.is_float;
    for (const char c : first.text) {
      if (c != '_') expr->text += c;
    }
    return finish(std::move(expr));
  }
  if (at("true") || at("false") || at("inf") || at("nan")) {
    take();
    ExprPtr expr = make(Expr::Kind::kNumber, first.loc, first.loc.offset);
    expr->text = first.text;
    return finish(std::move(expr));
  }
  // Two reductions' words, and that of loops which count down, are functions' names, too.
  if ((at("max") || at("min") || at("reverse")) && peek().is("(")) {
    take();
    return parse_call(first);
  }
  if (at(TokenKind::kName)) {
    take();
    if (at("(")) return parse_call(first);
    ExprPtr expr = make(Expr::Kind::kName, first.loc, first.loc.offset);
    expr->text = first.text;
    return finish(std::move(expr));
  }
  if (at(TokenKind::kPrimed)) {
    take();
    ExprPtr expr = make(Expr::Kind::kPrimed, first.loc, first.loc.offset);
    expr->text = first.text;
    return finish(std::move(expr));
  }
  if (accept("(")) {
    ExprPtr expr = make(Expr::Kind::kParens, first.loc, first.loc.offset);
    expr->children.push_back(parse_value());
    expect(")", "')'");
    return finish(std::move(expr));
  }
  if (accept("[")) {
    ExprPtr expr = make(Expr::Kind::kArray, first.loc, first.loc.offset);
    while (!at("]")) {
      expr->children.push_back(parse_expression());
      if (!accept(",")) break;
    }
    expect("]", "',' or ']' behind the element");
    if (expr->children.empty()) fail(first.loc, "E0600", "an array of nothing has no type", "zeros: f32[n] = 0");
    return finish(std::move(expr));
  }
  if (at(TokenKind::kKeyword) && is_reduction(first.text)) return parse_reduction();
  if (at("where") && peek().is("(")) {
    take();
    const std::vector<Argument> arguments = parse_arguments();
    std::string hint = "if c then a else b";
    if (arguments.size() == 3) {
      const auto quoted = [&](size_t i) { return quote(arguments[i].value->begin, arguments[i].value->end); };
      hint = "if " + quoted(0) + " then " + quoted(1) + " else " + quoted(2);
    }
    fail(first.loc, "E0600", "'where' stands in a reduction's brackets; a choice of two values is an 'if'", hint);
  }
  if (at("if")) {
    fail(first.loc, "E0600", "an 'if' inside a larger expression stands in parentheses", "(" + rest_of_line(at_) + ")");
  }
  unexpected("a value");
}

}  // namespace sinter::grain
