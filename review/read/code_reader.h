// clang's AST to Code. What is not handled here by name is not followed: it never passes as something else.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "review/read/code.h"

namespace sinter {

class CodeReader {
 public:
  explicit CodeReader(const clang::ASTContext& context) : context_(context) {}

  // What the main file defines, and all that it uses.
  Code run();

 private:
  // What a call does to what a parameter points or refers to.
  struct Touched {
    bool read = false, write = false;
    bool kept = false;  // its address may live on
  };
  // What a call of a function does.
  struct Summary {
    bool finished = false;  // false while its body is read: it calls itself
    std::map<int, Touched> parameters;
    Touched other;  // all other memory
    bool waits = false;
    int returned = -1;  // the parameter whose memory the result refers to
  };
  // A function whose body is being read.
  struct Scope {
    std::set<int> locals;
    Summary summary;
    std::set<const clang::VarDecl*> moved;  // variables that are not only read
    int self = -1;                          // `this`
  };

  // read_definitions.cpp
  void find_roots(const clang::DeclContext* scope);
  void add_root(int entity, const clang::NamedDecl* decl);
  bool runs_by_itself(const clang::Decl* decl) const;
  void check_attributes(const clang::Decl* decl);
  CodeNode outside_functions(const clang::Expr* value);  // read in no function
  int function(const clang::FunctionDecl* function);
  int variable(const clang::VarDecl* variable);
  int record(const clang::RecordDecl* record);
  CodeNode function_definition(const clang::FunctionDecl* function, int entity);
  void summarise(int entity, const CodeNode& definition);
  CodeNode type(clang::QualType type);
  CodeNode callee(const clang::FunctionDecl* function);
  // By our stand-ins for CUDA's headers, or by launchers' helpers, which are the same for all programs.
  bool is_given(const clang::Decl* decl) const;
  // Whether its body is read where it is called.
  bool is_read(const clang::FunctionDecl* definition) const;
  bool is_pure_function(const clang::FunctionDecl* function) const;

  // read_statements.cpp
  CodeNode body(const clang::Stmt* statement);
  void statement(const clang::Stmt* statement, std::vector<CodeNode>* list);
  void declaration(const clang::VarDecl* variable, std::vector<CodeNode>* list);
  void destroyed(const clang::CompoundStmt& block, std::vector<CodeNode>* list);
  CodeNode discarded(const clang::Expr* expr);  // an expression whose value is not used
  void find_moved(const clang::Stmt* statement, bool loaded);

  // read_expressions.cpp
  CodeNode expr(const clang::Expr* expr);     // a value; of an lvalue its address, which then may be known elsewhere
  CodeNode lvalue(const clang::Expr* expr);   // where it is
  CodeNode value(const clang::Expr* expr);    // of a prvalue
  CodeNode pointer(const clang::Expr* expr);  // a pointer that is followed here, and lives no longer
  CodeNode load(const clang::Expr* lvalue);   // what is there
  CodeNode cast(const clang::CastExpr* cast);
  CodeNode binary(const clang::BinaryOperator* binary);
  CodeNode assign(const clang::Expr* target, CodeNode value);
  CodeNode unary(const clang::UnaryOperator* unary);
  CodeNode initialiser_list(const clang::InitListExpr* list);
  CodeNode lambda(const clang::LambdaExpr* lambda);
  std::optional<CodeNode> constant(const clang::Expr* expr);
  CodeNode operation(const std::string& text, CodeNode left, CodeNode right, bool commutes);

  // read_calls.cpp
  CodeNode call(const clang::CallExpr* call);
  CodeNode construct(const clang::CXXConstructExpr* construct);
  CodeNode call_of(const clang::FunctionDecl* function, const clang::Expr* object, bool arrow,
                   llvm::ArrayRef<const clang::Expr*> arguments);
  CodeNode argument(const clang::Expr* argument, const Touched& touched, CodeNode* call);

  // read_places.cpp
  Place place(const clang::Expr* lvalue);
  Place place_of_pointer(const clang::Expr* pointer);
  static Place member(Place place, const std::string& step);
  static Place closed(Place place);
  void escape(const Place& place);
  void note_write(const Place& place);
  // What a call's result refers to.
  const clang::Expr* referred_argument(const clang::CallExpr* call);

  CodeNode word(const std::string& text, std::vector<CodeNode> parts = {}) const;
  CodeNode name(int entity) const;
  CodeNode not_followed(const std::string& what, const clang::Stmt* statement = nullptr);
  int line(clang::SourceLocation location) const;
  std::string source_text(const clang::Expr* expr) const;

  const clang::ASTContext& context_;
  Code code_;
  std::map<const clang::Decl*, int> entities_;
  std::map<int, Summary> summaries_;
  std::map<const clang::FunctionDecl*, int> self_;  // `this` of each method
  std::vector<Scope> scopes_;
};

// "9.81f", "64".
std::string number_text(const clang::APValue& value, clang::QualType type, const clang::ASTContext& context);

}  // namespace sinter
