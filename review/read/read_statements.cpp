// Statements.
#include <clang/AST/Attr.h>
#include <clang/AST/StmtCXX.h>

#include "review/read/code_reader.h"

namespace sinter {

using namespace clang;

namespace {

// A call without arguments, or a member of what one gives: block_shared<Shared>().
bool is_given_no_pointer(const clang::Expr* expr) {
  expr = expr->IgnoreParens();
  while (const auto* access = dyn_cast<MemberExpr>(expr)) {
    if (access->isArrow()) return false;
    expr = access->getBase()->IgnoreParens();
  }
  const auto* call = dyn_cast<CallExpr>(expr);
  return call != nullptr && call->getNumArgs() == 0 && call->getDirectCallee() != nullptr &&
         !isa<CXXMemberCallExpr>(call);
}

// Of assembly, which may refer to an operand by its name: "=f", "[sum]+f".
std::string operand_word(llvm::StringRef name, llvm::StringRef constraint) {
  return name.empty() ? constraint.str() : "[" + name.str() + "]" + constraint.str();
}

}  // namespace

// Variables that are not only read: a pointer among them may point elsewhere later.
void CodeReader::find_moved(const Stmt* statement, bool loaded) {
  if (statement == nullptr) return;
  if (const auto* reference = dyn_cast<DeclRefExpr>(statement)) {
    if (const auto* binding = dyn_cast<BindingDecl>(reference->getDecl())) {
      return find_moved(binding->getBinding(), loaded);
    }
    const auto* variable = dyn_cast<VarDecl>(reference->getDecl());
    if (variable != nullptr && !loaded) scopes_.back().moved.insert(variable);
    return;
  }
  const auto* cast = dyn_cast<ImplicitCastExpr>(statement);
  const bool reads = cast != nullptr && cast->getCastKind() == CK_LValueToRValue;
  const bool through = isa<ParenExpr>(statement) && loaded;
  for (const Stmt* part : statement->children()) find_moved(part, reads || through);
  if (const auto* lambda = dyn_cast<LambdaExpr>(statement)) {
    for (const LambdaCapture& capture : lambda->captures()) {
      if (!capture.capturesVariable()) continue;
      if (const auto* variable = dyn_cast<VarDecl>(capture.getCapturedVar())) scopes_.back().moved.insert(variable);
    }
  }
}

CodeNode CodeReader::body(const Stmt* statement) {
  CodeNode node;
  node.kind = CodeNode::Kind::kStatements;
  if (statement != nullptr) this->statement(statement, &node.parts);
  return node;
}

CodeNode CodeReader::discarded(const Expr* expr) {
  expr = expr->IgnoreParens();
  if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expr)) return discarded(cleanups->getSubExpr());
  if (const auto* unary = dyn_cast<UnaryOperator>(expr); unary != nullptr && unary->isIncrementDecrementOp()) {
    // `++i` is `i = i + 1`, where nothing uses its value.
    const Expr* target = unary->getSubExpr()->IgnoreParens();
    const QualType type = target->getType().getCanonicalType().getUnqualifiedType();
    const bool wide = type->isIntegerType() && !context_.isPromotableIntegerType(type) && !type->isBooleanType();
    if (isa<DeclRefExpr>(target) && wide) {
      CodeNode one;
      one.kind = CodeNode::Kind::kNumber;
      const std::string word_type = type->castAs<BuiltinType>()->getName(PrintingPolicy(LangOptions())).str();
      one.text = (unary->isIncrementOp() ? "1:" : "1:") + word_type;
      one.shown = one.spelled = "1";
      one.line = line(unary->getExprLoc());
      CodeNode old = load(target);
      const std::string op = unary->isIncrementOp() ? "+:" : "-:";
      return assign(target, operation(op + word_type, std::move(old), std::move(one), unary->isIncrementOp()));
    }
    CodeNode node = this->unary(unary);
    node.text = unary->isIncrementOp() ? "before++" : "before--";
    return node;
  }
  if (expr->isGLValue()) return lvalue(expr);  // the value of `x = y` is not used, nor its address
  return this->expr(expr);
}

namespace {

bool does_something_when_destroyed(const VarDecl& variable) {
  const CXXRecordDecl* record = variable.getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return record != nullptr && !record->hasTrivialDestructor();
}

}  // namespace

void CodeReader::declaration(const VarDecl* variable, std::vector<CodeNode>* list) {
  const int entity = this->variable(variable);
  if (!variable->hasLocalStorage()) return;  // its definition says all
  if (!scopes_.empty()) scopes_.back().locals.insert(entity);
  CodeNode node = word("let", {name(entity)});
  node.line = line(variable->getLocation());
  const QualType type = variable->getType();
  const Expr* init = variable->getInit();
  const bool moved = scopes_.empty() || scopes_.back().moved.count(variable) > 0;
  if (type->isReferenceType() && init != nullptr) {
    const Place at = init->isGLValue() ? place(init) : Place();
    const bool is_alias = at.entity >= 0 && at.entity != entity;
    node.parts.push_back(is_alias ? lvalue(init) : expr(init));
    if (is_alias) {
      code_.entities[entity].alias = true;
      code_.entities[entity].target = at;
    } else {
      code_.entities[entity].apart = is_given_no_pointer(init);
    }
  } else if (type->isPointerType() && init != nullptr) {
    code_.entities[entity].reassigned = moved;
    const Place at = moved ? Place() : place_of_pointer(init);
    const bool is_alias = at.entity >= 0 && at.entity != entity;
    node.parts.push_back(is_alias ? pointer(init) : expr(init));
    if (is_alias) {
      code_.entities[entity].alias = true;
      code_.entities[entity].target = at;
    }
  } else if (init != nullptr) {
    const auto* construct = dyn_cast<CXXConstructExpr>(init->IgnoreImplicit());
    const bool is_trivial = construct == nullptr || construct->getConstructor()->isTrivial();
    const bool is_nothing =
        construct != nullptr && is_trivial && construct->getNumArgs() == 0 && !construct->requiresZeroInitialization();
    if (!is_nothing) node.parts.push_back(expr(init));
    if (!is_trivial) escape({entity, false});
  }
  if (does_something_when_destroyed(*variable)) {
    escape({entity, false});
    node.waits = true;
  }
  node.accesses.push_back({{entity, false}, true});
  list->push_back(std::move(node));
}

// What a type's destructor does is in its definition; where a variable's runs, at the end of its block.
void CodeReader::destroyed(const CompoundStmt& block, std::vector<CodeNode>* list) {
  for (auto part = block.body_rbegin(); part != block.body_rend(); ++part) {
    const auto* declarations = dyn_cast<DeclStmt>(*part);
    if (declarations == nullptr) continue;
    std::vector<const VarDecl*> variables;
    for (const Decl* decl : declarations->decls()) {
      const auto* variable = dyn_cast<VarDecl>(decl);
      if (variable != nullptr && variable->hasLocalStorage() && does_something_when_destroyed(*variable))
        variables.push_back(variable);
    }
    for (auto variable = variables.rbegin(); variable != variables.rend(); ++variable) {
      CodeNode node = word("destroy", {name(this->variable(*variable))});
      node.waits = true;
      list->push_back(std::move(node));
    }
  }
}

void CodeReader::statement(const Stmt* statement, std::vector<CodeNode>* list) {
  if (const auto* compound = dyn_cast<CompoundStmt>(statement)) {
    for (const Stmt* part : compound->body()) this->statement(part, list);
    destroyed(*compound, list);
    return;
  }
  if (isa<NullStmt>(statement)) return;
  if (const auto* declarations = dyn_cast<DeclStmt>(statement)) {
    for (const Decl* decl : declarations->decls()) {
      if (const auto* variable = dyn_cast<VarDecl>(decl)) {
        declaration(variable, list);
      } else if (!isa<StaticAssertDecl>(decl) && !isa<TypedefNameDecl>(decl) && !isa<RecordDecl>(decl) &&
                 !isa<UsingDecl>(decl) && !isa<UsingDirectiveDecl>(decl) && !isa<EnumDecl>(decl)) {
        list->push_back(not_followed(decl->getDeclKindName(), statement));
      }
    }
    return;
  }
  if (const auto* expr = dyn_cast<Expr>(statement)) {
    CodeNode node = discarded(expr);
    if (node.line == 0) node.line = line(statement->getBeginLoc());
    list->push_back(std::move(node));
    return;
  }
  if (const auto* attributed = dyn_cast<AttributedStmt>(statement)) {
    const size_t at = list->size();
    this->statement(attributed->getSubStmt(), list);
    CodeNode hint = word("hint");
    for (const Attr* attribute : attributed->getAttrs()) {
      const auto* loop = dyn_cast<LoopHintAttr>(attribute);
      if (loop == nullptr) {
        list->push_back(not_followed(attribute->getSpelling(), statement));
        continue;
      }
      hint.parts.push_back(word(loop->getOptionName(loop->getOption())));
      hint.parts.push_back(word(loop->getState() == LoopHintAttr::Numeric  ? "number"
                                : loop->getState() == LoopHintAttr::Enable ? "on"
                                                                           : "off"));
      if (loop->getValue() != nullptr) hint.parts.push_back(this->expr(loop->getValue()));
    }
    // Of `for (int k = 0; ...)` the last is the loop.
    if (list->size() > at) list->back().parts.push_back(std::move(hint));
    return;
  }
  CodeNode node;
  if (const auto* choice = dyn_cast<IfStmt>(statement)) {
    if (choice->getInit() != nullptr) this->statement(choice->getInit(), list);
    if (choice->isConsteval()) return list->push_back(not_followed("if consteval", statement));
    if (choice->isConstexpr()) {
      // Where the condition is known, what is not chosen is no part of the program.
      if (const std::optional<const Stmt*> taken = choice->getNondiscardedCase(context_)) {
        if (*taken != nullptr) this->statement(*taken, list);
        return;
      }
    }
    if (choice->getConditionVariableDeclStmt() != nullptr) {
      this->statement(choice->getConditionVariableDeclStmt(), list);
    }
    node = word("if", {expr(choice->getCond()), body(choice->getThen())});
    if (choice->getElse() != nullptr) node.parts.push_back(body(choice->getElse()));
  } else if (const auto* loop = dyn_cast<ForStmt>(statement)) {
    if (loop->getConditionVariableDeclStmt() != nullptr) return list->push_back(not_followed("condition", statement));
    node = word("for", {body(loop->getInit())});
    node.parts.push_back(loop->getCond() != nullptr ? expr(loop->getCond()) : word("true"));
    node.parts.push_back(loop->getInc() != nullptr ? discarded(loop->getInc()) : word("nothing"));
    node.parts.push_back(body(loop->getBody()));
  } else if (const auto* loop = dyn_cast<WhileStmt>(statement)) {
    if (loop->getConditionVariableDeclStmt() != nullptr) return list->push_back(not_followed("condition", statement));
    node = word("while", {word("before"), expr(loop->getCond()), body(loop->getBody())});
  } else if (const auto* loop = dyn_cast<DoStmt>(statement)) {
    node = word("while", {word("after"), body(loop->getBody()), expr(loop->getCond())});
  } else if (const auto* range = dyn_cast<CXXForRangeStmt>(statement)) {
    if (range->getInit() != nullptr) this->statement(range->getInit(), list);
    node = word("for", {body(range->getRangeStmt())});
    this->statement(range->getBeginStmt(), &node.parts[0].parts);
    this->statement(range->getEndStmt(), &node.parts[0].parts);
    node.parts.push_back(expr(range->getCond()));
    node.parts.push_back(discarded(range->getInc()));
    CodeNode inside = body(range->getLoopVarStmt());
    this->statement(range->getBody(), &inside.parts);
    node.parts.push_back(std::move(inside));
  } else if (const auto* choice = dyn_cast<SwitchStmt>(statement)) {
    if (choice->getInit() != nullptr || choice->getConditionVariable() != nullptr) {
      return list->push_back(not_followed("switch with a declaration", statement));
    }
    node = word("switch", {expr(choice->getCond())});
    // Where it is entered depends on the value: the order stays.
    this->statement(choice->getBody(), &node.parts);
  } else if (const auto* label = dyn_cast<CaseStmt>(statement)) {
    if (label->getRHS() != nullptr) return list->push_back(not_followed("range of cases", statement));
    CodeNode mark = word("case", {expr(label->getLHS())});
    mark.leaves = true;
    list->push_back(std::move(mark));
    this->statement(label->getSubStmt(), list);
    return;
  } else if (const auto* label = dyn_cast<DefaultStmt>(statement)) {
    CodeNode mark = word("default");
    mark.leaves = true;
    list->push_back(std::move(mark));
    this->statement(label->getSubStmt(), list);
    return;
  } else if (isa<BreakStmt>(statement) || isa<ContinueStmt>(statement)) {
    node = word(isa<BreakStmt>(statement) ? "break" : "continue");
    node.leaves = true;
  } else if (const auto* end = dyn_cast<ReturnStmt>(statement)) {
    node = word("return");
    node.returns = true;
    if (const Expr* result = end->getRetValue()) {
      if (result->isGLValue()) {
        const Place at = resolved(code_, place(result));
        Summary& summary = scopes_.back().summary;
        const bool is_parameter = at.entity >= 0 && at.pointee && code_.entities[at.entity].parameter;
        if (is_parameter && (summary.returned == -1 || summary.returned == at.entity)) {
          summary.returned = at.entity;
          node.parts.push_back(lvalue(result));
        } else {
          summary.returned = -2;
          escape(at);
          node.parts.push_back(expr(result));
        }
      } else {
        node.parts.push_back(expr(result));
      }
    }
  } else if (const auto* assembly = dyn_cast<GCCAsmStmt>(statement)) {
    node = word((assembly->isVolatile() ? "asm volatile " : "asm ") + assembly->getAsmString()->getBytes().str());
    for (unsigned i = 0; i < assembly->getNumOutputs(); ++i) {
      const Expr* output = assembly->getOutputExpr(i);
      node.parts.push_back(
          word(operand_word(assembly->getOutputName(i), assembly->getOutputConstraint(i)), {lvalue(output)}));
      const Place at = place(output);
      note_write(at);
      node.accesses.push_back({at, true});
      if (assembly->isOutputPlusConstraint(i)) node.accesses.push_back({at, false});
    }
    for (unsigned i = 0; i < assembly->getNumInputs(); ++i) {
      node.parts.push_back(word(operand_word(assembly->getInputName(i), assembly->getInputConstraint(i)),
                                {expr(assembly->getInputExpr(i))}));
    }
    bool memory = false;
    for (unsigned i = 0; i < assembly->getNumClobbers(); ++i) {
      node.parts.push_back(word("clobber " + assembly->getClobber(i).str()));
      memory = memory || assembly->getClobber(i) == "memory";
    }
    if (assembly->getNumLabels() > 0) node = not_followed("asm goto", statement);
    node.waits = assembly->isVolatile() || memory || assembly->getNumOutputs() == 0;
    if (node.waits) {
      node.accesses.push_back({Place(), false});
      node.accesses.push_back({Place(), true});
    }
  } else {
    node = not_followed(statement->getStmtClassName(), statement);
  }
  node.line = line(statement->getBeginLoc());
  list->push_back(std::move(node));
}

}  // namespace sinter
