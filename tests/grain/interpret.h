// What a Grain program means, found by walking the tree of its text: a loop for each index, an element at a time,
// without types, formulas or frames. Nothing is shared with the compiler but the parser, so that the two can be
// compared. It takes programs that the compiler has accepted; what takes more than kMaxSteps expressions is Unknown.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/grain/parse_grain.h"
#include "frontend/grain/text/parser.h"
#include "tests/grain/values.h"

namespace sinter::grain_test {

// The results of the entry, a literal for each leaf, from those of the parameters. Throws Meaningless or Unknown.
std::vector<Literal> interpret(const Source& source, const GrainOptions& options, const std::vector<Literal>& inputs);

// Through parentheses.
inline const grain::Expr& plain(const grain::Expr& expr) {
  return expr.kind == grain::Expr::Kind::kParens ? plain(*expr.children[0]) : expr;
}

constexpr int64_t kMaxSteps = 20'000'000;

struct Range {
  int64_t low = 0, high = 0;
};

// A file and what its names stand for.
struct Names {
  std::unique_ptr<grain::File> file;
  std::map<std::string, Value> constants;  // dims, too
  std::map<std::string, const grain::Function*> functions;
  std::map<std::string, const grain::Record*> records;
};

// A call.
struct Call {
  const grain::Function* function = nullptr;
  const Names* names = nullptr;
  std::map<std::string, int64_t> dims;  // that the arguments bring
  std::map<std::string, DType> generics;
  std::vector<std::map<std::string, Value>> scopes;
  std::map<std::string, int64_t> indices;
  std::map<const void*, Range> ranges;  // by Binder, or by the name's text of an update's index
  struct Loop {
    std::string counter;
    int64_t low = 0, high = 0, step = 0;
    std::map<std::string, std::map<int64_t, Value>> stacks;
  };
  std::vector<Loop*> loops;
};

// What an expression's surroundings give it: a type for constants, and the dimensions of an update's base.
struct Wanted {
  std::optional<DType> dtype;
  const Dims* dims = nullptr;
};

class Interpreter {
 public:
  explicit Interpreter(const GrainOptions& options) : options_(options) {}
  std::vector<Literal> run(const Source& source, const std::vector<Literal>& inputs);

 private:
  // interpret.cpp: files, calls, statements.
  const Names& load(const Source& source, bool is_main);
  Value read_parameter(const grain::TypeName& type, Dims leading, const std::vector<Literal>& inputs, size_t& next);
  void write_result(const Value& value, std::vector<Literal>& results);
  std::vector<Value> call(const grain::Function& function, const Names& names, std::vector<Value> arguments);
  std::vector<Value> call_lifted(const grain::Function& function, std::vector<Value> arguments);
  void bind_dims(const grain::TypeName& type, const Value& value);
  void run_block(const grain::Block& block);
  void run_definition(const grain::Statement& statement);
  void run_loop(const grain::Statement& statement);
  void bind(const std::string& name, Value value) { call_->scopes.back()[name] = std::move(value); }
  const Value* find(const std::string& name) const;
  // The declared type of a name, where it has one.
  struct Declared {
    std::optional<DType> dtype;
    std::optional<Dims> dims;
  };
  Declared declared(const grain::TypeName& type);
  Declared declared(const grain::Target& target, const grain::Statement& statement);
  Value fitted(Value value, const Declared& type);

  // interpret_ranges.cpp
  // Of a definition, or of an expression that stands by itself.
  void find_ranges(const grain::Statement& statement);
  void find_ranges(const grain::Expr& expr, const Wanted& wanted);
  Dims dims_of(const grain::Expr& expr, const Wanted& wanted);
  std::vector<std::string> update_indices(const grain::Expr& with) const;
  const void* update_key(const grain::Expr& with, const std::string& name) const;
  friend class RangeFinder;

  // interpret_expressions.cpp
  Value evaluate(const grain::Expr& expr, const Wanted& wanted = {});
  Value settle(Value value, const grain::Expr& expr, DType dtype);
  void meet(std::vector<Value>& operands, const std::vector<const grain::Expr*>& exprs, const Wanted& wanted);
  Value evaluate_name(const grain::Expr& expr);
  Value evaluate_unary(const grain::Expr& expr, const Wanted& wanted);
  Value evaluate_binary(const grain::Expr& expr, const Wanted& wanted);
  Value evaluate_if(const grain::Expr& expr, const Wanted& wanted);
  Value evaluate_field(const grain::Expr& expr);
  Value evaluate_access(const grain::Expr& expr, const Wanted& wanted);
  Value evaluate_reduce(const grain::Expr& expr, const Wanted& wanted);
  Value evaluate_with(const grain::Expr& expr, const Wanted& wanted);
  int64_t integer(const grain::Expr& expr);
  // Calls `visit` for each value of the indices, the first the slowest.
  void each_index(const std::vector<std::pair<std::string, Range>>& indices, const std::function<void()>& visit);

  // interpret_library.cpp
  std::vector<Value> evaluate_call(const grain::Expr& expr, const Wanted& wanted);
  std::vector<Value> array_function(const grain::Expr& expr, const Wanted& wanted);
  const grain::Function* find_function(const std::string& name) const;

  const GrainOptions& options_;
  std::map<std::string, std::unique_ptr<Names>> files_;
  std::vector<std::unique_ptr<Source>> sources_;
  Call* call_ = nullptr;
  int64_t steps_ = 0;    // expressions computed
  bool probes_ = false;  // only shapes are asked for: subscripts are not looked at, loops run once
};

}  // namespace sinter::grain_test
