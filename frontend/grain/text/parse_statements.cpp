// Blocks and their statements: definitions, loops, branches, requirements.
#include "frontend/grain/text/parser.h"

namespace sinter::grain {

Block Parser::parse_block() {
  const Nesting nesting(*this);
  const Token open = expect("{", "'{'");
  Block block;
  while (at(TokenKind::kNewline)) take();
  while (!at("}")) {
    if (at(TokenKind::kEnd)) fail(open.loc, "E0600", "this '{' is never closed");
    const size_t begin = at_;
    try {
      block.push_back(parse_statement());
      if (!at(TokenKind::kNewline) && !at("}")) unexpected("the end of the line");
    } catch (const Abandoned&) {
      skip_from(begin);
      if (diagnostics_.error_count() >= Diagnostics::kMaxErrors) throw;
    }
    while (at(TokenKind::kNewline)) take();
  }
  take();
  return block;
}

std::unique_ptr<Statement> Parser::parse_statement() {
  if (at("for")) return parse_for();
  if (at("while")) return parse_while();
  if (at("if")) return parse_branch();
  if (at("require")) {
    auto statement = std::make_unique<Statement>();
    statement->kind = Statement::Kind::kRequire;
    statement->loc = take().loc;
    statement->value = parse_expression();
    return statement;
  }
  return parse_definition();
}

std::unique_ptr<Statement> Parser::parse_definition() {
  auto statement = std::make_unique<Statement>();
  statement->loc = token().loc;
  if (token().text == "return") {
    const std::string rest = rest_of_line(at_ + 1);
    const std::string name =
        results_ != nullptr && !results_->empty() && !results_->front().name.empty() ? results_->front().name : "y";
    fail(token().loc, "E0600", "there is no 'return': a block defines its results by name", name + " = " + rest);
  }
  do {
    statement->targets.push_back(parse_target());
  } while (accept(","));
  if (accept(":")) statement->type = parse_type();
  if (at("+=") || at("*=")) {
    const Target& target = statement->targets.back();
    const std::string name = target.name + (target.primed ? "'" : "");
    fail(token().loc, "E0723", "values do not change; an update makes a new one from a base",
         name + " = base with [...] " + rest_of_line(at_));
  }
  expect("=", "'=' and a value");
  statement->value = parse_value();
  return statement;
}

Target Parser::parse_target() {
  Target target;
  if (at(TokenKind::kPrimed)) {
    const Token name = take();
    target.name = name.text;
    target.loc = name.loc;
    target.primed = true;
  } else {
    const Token name = expect_name("a definition, name = value,");
    target.name = name.text;
    target.loc = name.loc;
  }
  if (at("[")) {
    const size_t bracket = at_;
    take();
    target.has_places = true;
    do {
      if (!at(":") && !(at(TokenKind::kName) && (peek().is(",") || peek().is("]") || peek().is("in")))) {
        if (at(TokenKind::kKeyword)) expect_name("an index");
        refuse_place(tokens_[bracket - 1], bracket);
      }
      target.places.push_back(parse_place());
    } while (accept(","));
    expect("]", "',' or ']' behind the index");
  }
  return target;
}

// What stands in the brackets is no index: an update as in C, or a definition of one element.
void Parser::refuse_place(const Token& name, size_t bracket) {
  size_t close = bracket;
  int depth = 0;
  do {
    if (tokens_[close].is("[") || tokens_[close].is("(")) ++depth;
    if (tokens_[close].is("]") || tokens_[close].is(")")) --depth;
    ++close;
  } while (depth > 0 && tokens_[close].kind != TokenKind::kNewline && tokens_[close].kind != TokenKind::kEnd);
  const Token& sign = tokens_[close];
  std::string base = "base";
  std::string type;
  if (results_ != nullptr) {
    for (const Slot& result : *results_) {
      if (result.name == name.text) {
        type = ": " + quote(result.type->loc.offset, result.type->end);
        base = "0";
      }
    }
  }
  const std::string places = quote(tokens_[bracket].loc.offset, tokens_[close - 1].end);
  const std::string repaired = std::string(name.text) + type + " = " + base + " with " + places + " ";
  if (sign.is("+=") || sign.is("*=") || sign.is("=")) {
    fail(sign.loc, "E0723", "values do not change; an update makes a new one from a base",
         repaired + rest_of_line(close));
  }
  fail(token().loc, "E0600", "on the left of '=' stand new names of indices",
       "to change some places: " + repaired + "= ...");
}

Binder Parser::parse_place() {
  Binder binder;
  binder.loc = token().loc;
  if (accept(":")) {
    binder.is_colon = true;
    return binder;
  }
  binder.name = expect_name("an index").text;
  if (accept("in")) {
    binder.low = parse_arithmetic();
    expect("..", "'..' of the range");
    binder.high = parse_arithmetic();
  }
  return binder;
}

std::vector<Carry> Parser::parse_carries() {
  std::vector<Carry> carries;
  expect("(", "'(' and what the loop carries");
  while (!at(")")) {
    Carry carry;
    if (at(TokenKind::kPrimed)) {
      fail(token().loc, "E0600", "carry names the state before the step, without a prime",
           "carry (" + std::string(token().text) + " = ...)");
    }
    const Token name = expect_name("what the loop carries, name = first value,");
    carry.name = name.text;
    carry.loc = name.loc;
    if (accept(":")) carry.type = parse_type();
    expect("=", "'=' and the first value");
    carry.first = parse_value();
    carries.push_back(std::move(carry));
    if (!accept(",")) break;
  }
  expect(")", "',' or ')' behind the first value");
  return carries;
}

std::unique_ptr<Statement> Parser::parse_for() {
  auto statement = std::make_unique<Statement>();
  statement->kind = Statement::Kind::kFor;
  statement->loc = take().loc;
  const Token counter = expect_name("the loop's counter");
  statement->counter = counter.text;
  statement->counter_loc = counter.loc;
  expect("in", "'in' and the counter's range");
  statement->reverse = accept("reverse");
  statement->low = parse_arithmetic();
  expect("..", "'..' of the counter's range");
  statement->high = parse_arithmetic();
  if (accept("unroll")) {
    if (!at(TokenKind::kNumber) || token().is_float) unexpected("how many steps to unroll");
    const Token number = take();
    statement->unroll = number.text.size() > 4 ? 0 : std::stoll(std::string(number.text));
    if (statement->unroll < 1) {
      fail(number.loc, "E0600", "unroll takes a number of steps from 1 to 9999", "unroll 4");
    }
  }
  if (accept("carry")) statement->carries = parse_carries();
  statement->block = parse_block();
  return statement;
}

std::unique_ptr<Statement> Parser::parse_while() {
  auto statement = std::make_unique<Statement>();
  statement->kind = Statement::Kind::kWhile;
  statement->loc = take().loc;
  statement->value = parse_expression();
  if (!at("carry")) {
    fail(token().loc, "E0600", "a while loop carries a state: its condition could not change otherwise",
         "while n < most carry (n: s32 = 0) { n' = n + 1 }");
  }
  take();
  statement->carries = parse_carries();
  statement->block = parse_block();
  return statement;
}

std::unique_ptr<Statement> Parser::parse_branch() {
  auto statement = std::make_unique<Statement>();
  statement->kind = Statement::Kind::kIf;
  statement->loc = take().loc;
  statement->value = parse_expression();
  if (at("then")) {
    fail(token().loc, "E0600", "'if ... then' is a value and has a name",
         "y = " + quote(statement->loc.offset, last_end()) + " then ... else ...");
  }
  statement->block = parse_block();
  if (!at("else")) {
    fail(at(TokenKind::kNewline) ? statement->loc : token().loc, "E0600",
         "a branch has two arms that define the same names; 'else { ... }' is missing");
  }
  take();
  statement->else_block = parse_block();
  return statement;
}

}  // namespace sinter::grain
