// The tree of a Grain file, as it is written. The checker writes what it finds out beside it (Expr's second part).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/grain/text/types.h"
#include "ir/support/source.h"

namespace sinter::grain {

struct Expr;
struct Index;
struct Record;
struct Function;
using ExprPtr = std::unique_ptr<Expr>;

// `i`, `i in a..b`: an index of a reduction, of a definition's left side or of an update's places.
struct Binder {
  std::string name;
  Loc loc;
  ExprPtr low, high;      // null: no range is written
  bool is_colon = false;  // `:`, a whole axis
  Index* index = nullptr;
};

// One of x[...]'s: `:`, an expression, or a slice a..b. In the places of `with` an index may have a range.
struct Subscript {
  Loc loc;
  ExprPtr value;                 // null for `:`
  ExprPtr high;                  // of a slice
  std::optional<Binder> binder;  // `i in a..b`
};

// `clamp`, `wrap`, `pad e`, `drop`, `unique`.
struct Rule {
  std::string name;
  Loc loc;
  ExprPtr value;
};

struct Argument {
  std::string name;  // empty: by place
  Loc loc;
  ExprPtr value;
};

struct Expr {
  enum class Kind : uint8_t {
    kNumber,
    kName,    // a value, index, dim or constant
    kPrimed,  // x'
    kUnary,   // text: - ~ not
    kBinary,  // text: the operator
    kIf,      // children: condition, then, else
    kAccess,  // children[0][subscripts; rules]
    kField,   // children[0].text
    kCall,    // text(arguments); behind a dot (f32.bits(x)) `type` is the name before it
    kArray,   // [children]
    kReduce,  // text[binders where condition](children[0]); of `reduce`, `function` and children[1], the start
    kWith,    // children[0] with [subscripts; rules] text children[1]
    kParens,  // (children[0])
  };
  Kind kind = Kind::kNumber;
  Loc loc;                      // where a caret stands: an operator, a name, a bracket
  uint32_t begin = 0, end = 0;  // its text
  int depth = 1;                // of the tree below
  std::string text;
  bool is_float = false;
  std::vector<ExprPtr> children;
  std::vector<Subscript> subscripts;
  std::vector<Rule> rules;
  std::vector<Argument> arguments;
  std::vector<Binder> binders;
  ExprPtr condition;
  std::string function;  // of reduce[k](f, start, e)
  Loc function_loc;

  // What the checker found, for the call that is being compiled.
  Type type;
  std::optional<Number> number;  // of a constant without a type
  Index* index = nullptr;        // of a name that is one
  std::vector<Index*> indices;   // that it names and that are bound outside of it, in the order of binding
  const Function* callee = nullptr;
  std::vector<ExprPtr*> placed;  // arguments in the order of the callee's parameters
};

struct TypeName {
  std::string name;
  Loc loc;
  uint32_t end = 0;
  std::vector<ExprPtr> arguments;  // <...>
  std::vector<ExprPtr> dims;       // [...]
};

// A parameter, a result or a field.
struct Slot {
  std::string name;
  Loc loc;
  std::shared_ptr<TypeName> type;  // shared by the names before one colon
  std::string into;                // of a result
  Loc into_loc;
  std::string doc;
};

struct Target {
  std::string name;
  Loc loc;
  bool primed = false;
  bool has_places = false;
  std::vector<Binder> places;
};

struct Carry {
  std::string name;
  Loc loc;
  std::unique_ptr<TypeName> type;
  ExprPtr first;
};

struct Statement;
using Block = std::vector<std::unique_ptr<Statement>>;

struct Statement {
  enum class Kind : uint8_t { kDefinition, kFor, kWhile, kIf, kRequire };
  Kind kind = Kind::kDefinition;
  Loc loc;
  // kDefinition
  std::vector<Target> targets;
  std::unique_ptr<TypeName> type;
  ExprPtr value;  // also the condition of while, if and require
  // kFor, kWhile
  std::string counter;
  Loc counter_loc;
  bool reverse = false;
  ExprPtr low, high;
  int64_t unroll = 0;
  std::vector<Carry> carries;
  Block block;
  Block else_block;
};

struct Generic {
  std::string name, kind;
  Loc loc;
};

struct File;

struct Function {
  enum class Kind : uint8_t { kFunction, kEntry, kExtern };
  Kind kind = Kind::kFunction;
  std::string name;
  Loc loc;
  std::vector<Generic> generics;
  std::vector<Slot> parameters;
  std::vector<Slot> results;  // one without a name: `-> f32`
  Block block;
  ExprPtr value;       // of a function that is one expression
  std::string header;  // of an extern function
  std::string doc;
  const File* file = nullptr;
  bool is_checked = false;  // for some call
};

struct Record {
  std::string name;
  Loc loc;
  std::vector<std::string> dims;
  std::vector<Slot> fields;
  const File* file = nullptr;
};

struct DimDecl {
  std::string name;
  Loc loc;
  ExprPtr value;
};

struct ConstDecl {
  std::string name;
  Loc loc;
  std::unique_ptr<TypeName> type;
  ExprPtr value;
};

struct WeightsDecl {
  std::string name;
  Loc loc;
  std::unique_ptr<TypeName> type;
  std::string path;
  Loc path_loc;
};

struct ImportDecl {
  std::vector<std::pair<std::string, Loc>> names;
  std::string path;
  Loc path_loc;
};

struct RequireDecl {
  ExprPtr condition;
};

// A file's items, each kind in its order.
struct File {
  std::shared_ptr<const Source> source;
  int number = 0;  // 0: the file that is compiled; others are imported
  std::vector<ImportDecl> imports;
  std::vector<DimDecl> dims;
  std::vector<ConstDecl> constants;
  std::vector<RequireDecl> requirements;
  std::vector<std::unique_ptr<Record>> records;
  std::vector<WeightsDecl> weights;
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<Function*> entries;
};

}  // namespace sinter::grain
