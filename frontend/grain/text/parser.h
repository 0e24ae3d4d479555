// Grain text to its tree. Statements are known by their first token, expressions are read by precedence.
#pragma once

#include <memory>
#include <set>

#include "frontend/grain/text/lexer.h"
#include "frontend/grain/text/syntax.h"

namespace sinter::grain {

// Thrown where a statement cannot be read or has no meaning; what is wrong has been reported.
struct Abandoned {};

// Expressions and blocks nest this deep at most.
inline constexpr int kMaxNesting = 200;
// A chain such as a + b + c + ... is as deep as it is long.
inline constexpr int kMaxDepth = 250;

class Parser {
 public:
  Parser(Diagnostics& diagnostics, std::shared_ptr<const Source> source, int number);
  // What is in error is reported and left out.
  std::unique_ptr<File> parse_file();

 private:
  // parse_items.cpp
  void parse_item(File& file);
  void parse_import(File& file);
  void parse_dims(File& file);
  void parse_constants(File& file);
  void parse_record(File& file);
  void parse_weights(File& file);
  void parse_function(File& file, Function::Kind kind);
  std::vector<Generic> parse_generics();
  std::vector<Slot> parse_slots(std::string_view closing, bool results);
  std::unique_ptr<TypeName> parse_type();

  // parse_statements.cpp
  Block parse_block();
  std::unique_ptr<Statement> parse_statement();
  std::unique_ptr<Statement> parse_definition();
  Target parse_target();
  std::unique_ptr<Statement> parse_for();
  std::unique_ptr<Statement> parse_while();
  std::unique_ptr<Statement> parse_branch();
  std::vector<Carry> parse_carries();
  Binder parse_place();
  [[noreturn]] void refuse_place(const Token& name, size_t bracket);
  void skip_from(size_t begin);

  // parse_expressions.cpp
  ExprPtr parse_value();
  ExprPtr parse_expression();
  ExprPtr parse_binary(int level);
  ExprPtr parse_unary();
  ExprPtr parse_power();
  ExprPtr parse_exponent();
  ExprPtr parse_postfix();
  ExprPtr parse_primary();
  ExprPtr parse_reduction();
  ExprPtr parse_call(const Token& name);
  ExprPtr parse_arithmetic() { return parse_binary(kArithmeticLevel); }
  ExprPtr parse_with(ExprPtr base);
  std::vector<Argument> parse_arguments();
  std::vector<Subscript> parse_subscripts(bool places);
  std::vector<Rule> parse_rules();
  ExprPtr make(Expr::Kind kind, Loc loc, uint32_t begin);
  // Sets its end and depth once its children are there.
  ExprPtr finish(ExprPtr expr);

  // parser.cpp
  static constexpr int kArithmeticLevel = 3;
  const Token& token() const { return tokens_[at_]; }
  const Token& peek(size_t ahead = 1) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  bool at(std::string_view sign) const { return token().is(sign); }
  bool at(TokenKind kind) const { return token().kind == kind; }
  Token take() { return at_ + 1 < tokens_.size() ? tokens_[at_++] : tokens_[at_]; }
  bool accept(std::string_view sign);
  Token expect(std::string_view sign, std::string_view what);
  Token expect_name(std::string_view what);
  Token expect_string(std::string_view what);
  [[noreturn]] void fail(Loc loc, std::string_view code, std::string message, std::string hint = "");
  [[noreturn]] void unexpected(std::string_view wanted);
  std::string quote(uint32_t begin, uint32_t end) const;
  // The text from a token to the end of its line.
  std::string rest_of_line(size_t from) const;
  uint32_t last_end() const { return at_ == 0 ? 0 : tokens_[at_ - 1].end; }

  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.nesting_ <= kMaxNesting) return;
      --parser_.nesting_;
      parser_.fail(parser_.token().loc, "E0607",
                   "expressions and blocks nest " + std::to_string(kMaxNesting) + " levels deep at most",
                   "give a part of it a name of its own");
    }
    ~Nesting() { --parser_.nesting_; }

   private:
    Parser& parser_;
  };

  Diagnostics& diagnostics_;
  std::shared_ptr<const Source> source_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  int nesting_ = 0;
  std::set<std::string> refused_words_;  // words of the language as names: an error each, not one a use
  int number_ = 0;
  const std::vector<Slot>* results_ = nullptr;  // of the function that is read
};

// A piece of source text on one line.
std::string one_line(std::string_view text);

}  // namespace sinter::grain
