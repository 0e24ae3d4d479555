// Expressions: constants by value, comparisons in one direction, operands of what commutes in any order.
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/StringExtras.h>

#include <charconv>

#include "review/read/code_reader.h"

namespace sinter {

using namespace clang;

namespace {

// Through parentheses and what only says where a temporary lives.
const Expr* inner(const Expr* expr) {
  for (;;) {
    if (const auto* paren = dyn_cast<ParenExpr>(expr)) {
      expr = paren->getSubExpr();
    } else if (const auto* full = dyn_cast<FullExpr>(expr)) {  // ConstantExpr, ExprWithCleanups
      expr = full->getSubExpr();
    } else if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(expr)) {
      expr = temporary->getSubExpr();
    } else if (const auto* bound = dyn_cast<CXXBindTemporaryExpr>(expr)) {
      expr = bound->getSubExpr();
    } else if (const auto* replaced = dyn_cast<SubstNonTypeTemplateParmExpr>(expr)) {
      expr = replaced->getReplacement();
    } else if (const auto* argument = dyn_cast<CXXDefaultArgExpr>(expr)) {
      expr = argument->getExpr();
    } else if (const auto* initialiser = dyn_cast<CXXDefaultInitExpr>(expr)) {
      expr = initialiser->getExpr();
    } else {
      return expr;
    }
  }
}

std::string type_word(QualType type) {
  const QualType canonical = type.getCanonicalType().getUnqualifiedType();
  if (const auto* builtin = canonical->getAs<BuiltinType>()) {
    return builtin->getName(PrintingPolicy(LangOptions())).str();
  }
  return canonical->isPointerType() ? "*" : "";
}

}  // namespace

std::string number_text(const APValue& value, QualType type, const ASTContext& context) {
  if (value.isFloat()) {
    // The fewest digits that are read back as the same number.
    const llvm::APFloat& number = value.getFloat();
    const bool is_float = type.getCanonicalType().getUnqualifiedType() == context.FloatTy;
    char text[64];
    if (!is_float && &number.getSemantics() != &llvm::APFloat::IEEEdouble()) return "a number";
    const char* end = is_float ? std::to_chars(text, text + sizeof text, number.convertToFloat()).ptr
                               : std::to_chars(text, text + sizeof text, number.convertToDouble()).ptr;
    std::string shown(text, static_cast<size_t>(end - text));
    if (shown.find_first_of(".eni") == std::string::npos) shown += ".0";
    // 1e-5, as it is written, not 1e-05.
    if (const size_t exponent = shown.find('e'); exponent != std::string::npos) {
      const size_t digits = exponent + 2;
      if (digits + 1 < shown.size() && shown[digits] == '0') shown.erase(digits, 1);
    }
    return is_float ? shown + "f" : shown;
  }
  if (type->isBooleanType()) return value.getInt().getBoolValue() ? "true" : "false";
  return llvm::toString(value.getInt(), 10);
}

std::optional<CodeNode> CodeReader::constant(const Expr* expr) {
  const QualType type = expr->getType();
  if (!expr->isPRValue() || expr->isValueDependent()) return std::nullopt;
  if (!type->isIntegralOrEnumerationType() && !type->isRealFloatingType()) return std::nullopt;
  Expr::EvalResult result;
  if (!expr->EvaluateAsRValue(result, context_) || result.HasSideEffects || result.HasUndefinedBehavior) {
    return std::nullopt;
  }
  if (!result.Val.isInt() && !result.Val.isFloat()) return std::nullopt;
  CodeNode node;
  node.kind = CodeNode::Kind::kNumber;
  node.shown = number_text(result.Val, type, context_);
  if (result.Val.isFloat()) {
    const llvm::APInt bits = result.Val.getFloat().bitcastToAPInt();
    node.text = "0x" + llvm::toString(bits, 16, false);
  } else {
    node.text = llvm::toString(result.Val.getInt(), 10);
  }
  QualType word_type = type;
  if (const auto* enumeration = type->getAs<EnumType>()) word_type = enumeration->getDecl()->getIntegerType();
  node.text += ":" + (word_type.isNull() ? std::string("enum") : type_word(word_type));
  node.line = line(expr->getExprLoc());
  node.spelled = source_text(expr);
  return node;
}

CodeNode CodeReader::expr(const Expr* expr) {
  expr = inner(expr);
  if (std::optional<CodeNode> number = constant(expr)) return std::move(*number);
  if (expr->isGLValue()) {
    CodeNode node = lvalue(expr);
    escape(place(expr));
    return node;
  }
  return value(expr);
}

CodeNode CodeReader::load(const Expr* expr) {
  expr = inner(expr);
  CodeNode node = lvalue(expr);
  if (!expr->isGLValue()) return node;
  const Expr* root = expr->IgnoreParenCasts();
  while (const auto* access = dyn_cast<MemberExpr>(root)) {
    if (access->isArrow()) break;
    root = access->getBase()->IgnoreParenCasts();
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(root)) {
    // threadIdx.x
    const ValueDecl* decl = reference->getDecl();
    if (is_given(decl) && decl->getType().isConstQualified()) return node;
  }
  node.accesses.push_back({place(expr), false});
  node.waits = node.waits || expr->getType().isVolatileQualified();
  return node;
}

CodeNode CodeReader::lvalue(const Expr* expr) {
  expr = inner(expr);
  if (isa<StringLiteral>(expr)) return value(expr);
  if (!expr->isGLValue()) {
    // A member of a temporary.
    if (const auto* access = dyn_cast<MemberExpr>(expr)) {
      if (const auto* field = dyn_cast<FieldDecl>(access->getMemberDecl())) {
        return word("." + std::to_string(field->getFieldIndex()), {this->expr(access->getBase())});
      }
    }
    return this->expr(expr);
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expr)) {
    const ValueDecl* decl = reference->getDecl();
    if (const auto* function = dyn_cast<FunctionDecl>(decl)) return callee(function);
    if (const auto* variable = dyn_cast<VarDecl>(decl)) {
      if (is_given(variable)) return word("variable " + variable->getQualifiedNameAsString());
      CodeNode node = name(this->variable(variable));
      node.line = line(expr->getExprLoc());
      return node;
    }
    if (const auto* binding = dyn_cast<BindingDecl>(decl); binding != nullptr && binding->getBinding() != nullptr) {
      return lvalue(binding->getBinding());
    }
    return not_followed(std::string(decl->getDeclKindName()) + " as a value", expr);
  }
  if (const auto* access = dyn_cast<MemberExpr>(expr)) {
    if (const auto* variable = dyn_cast<VarDecl>(access->getMemberDecl())) return name(this->variable(variable));
    const auto* field = dyn_cast<FieldDecl>(access->getMemberDecl());
    if (field == nullptr || field->isBitField()) return not_followed("a member that is no field", expr);
    const std::string step = is_given(field) ? field->getNameAsString() : std::to_string(field->getFieldIndex());
    const Expr* base = access->getBase();
    CodeNode from = access->isArrow() ? pointer(base) : base->isGLValue() ? lvalue(base) : this->expr(base);
    return word((access->isArrow() ? "->" : ".") + step, {std::move(from)});
  }
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(expr)) {
    CodeNode base = pointer(subscript->getBase());
    return word("[]", {std::move(base), this->expr(subscript->getIdx())});
  }
  if (const auto* unary = dyn_cast<UnaryOperator>(expr)) {
    if (unary->getOpcode() == UO_Deref) return word("deref", {pointer(unary->getSubExpr())});
    if (unary->isIncrementDecrementOp()) return this->unary(unary);
    return not_followed("operator", expr);
  }
  if (const auto* binary = dyn_cast<BinaryOperator>(expr)) return this->binary(binary);
  if (const auto* call = dyn_cast<CallExpr>(expr)) return this->call(call);
  if (const auto* conditional = dyn_cast<ConditionalOperator>(expr)) {
    CodeNode condition = this->expr(conditional->getCond());
    CodeNode yes = this->expr(conditional->getTrueExpr());
    return word("?:", {std::move(condition), std::move(yes), this->expr(conditional->getFalseExpr())});
  }
  if (const auto* cast = dyn_cast<CastExpr>(expr)) {
    if (cast->getCastKind() == CK_NoOp && cast->getSubExpr()->isGLValue()) return lvalue(cast->getSubExpr());
    return word(std::string("cast ") + cast->getCastKindName(),
                {type(cast->getType()),
                 cast->getSubExpr()->isGLValue() ? lvalue(cast->getSubExpr()) : this->expr(cast->getSubExpr())});
  }
  if (isa<CXXConstructExpr>(expr) || isa<InitListExpr>(expr) || isa<LambdaExpr>(expr)) return value(expr);
  return not_followed(expr->getStmtClassName(), expr);
}

CodeNode CodeReader::pointer(const Expr* expr) {
  expr = inner(expr);
  if (const auto* cast = dyn_cast<CastExpr>(expr)) {
    const Expr* from = cast->getSubExpr();
    switch (cast->getCastKind()) {
      case CK_LValueToRValue:
        return load(from);
      case CK_ArrayToPointerDecay:
        return lvalue(from);
      case CK_NoOp:
        if (!from->isGLValue()) return pointer(from);
        break;
      case CK_BitCast:
        return word("cast", {type(cast->getType()), pointer(from)});
      default:
        break;
    }
  }
  if (const auto* binary = dyn_cast<BinaryOperator>(expr); binary != nullptr && binary->isAdditiveOp()) {
    const auto side = [&](const Expr* operand) {
      return operand->getType()->isPointerType() ? pointer(operand) : this->expr(operand);
    };
    CodeNode left = side(binary->getLHS());
    return operation(binary->getOpcodeStr().str() + ":*", std::move(left), side(binary->getRHS()),
                     binary->getOpcode() == BO_Add);
  }
  if (const auto* unary = dyn_cast<UnaryOperator>(expr); unary != nullptr && unary->getOpcode() == UO_AddrOf) {
    return word("address", {lvalue(unary->getSubExpr())});
  }
  if (isa<CXXThisExpr>(expr)) return name(scopes_.empty() ? -1 : scopes_.back().self);
  return this->expr(expr);
}

CodeNode CodeReader::value(const Expr* expr) {
  if (const auto* text = dyn_cast<StringLiteral>(expr)) return word("string " + text->getBytes().str());
  if (const auto* cast = dyn_cast<CastExpr>(expr)) return this->cast(cast);
  if (const auto* binary = dyn_cast<BinaryOperator>(expr)) return this->binary(binary);
  if (const auto* unary = dyn_cast<UnaryOperator>(expr)) return this->unary(unary);
  if (const auto* call = dyn_cast<CallExpr>(expr)) return this->call(call);
  if (const auto* construct = dyn_cast<CXXConstructExpr>(expr)) return this->construct(construct);
  if (const auto* list = dyn_cast<InitListExpr>(expr)) return initialiser_list(list);
  if (const auto* lambda = dyn_cast<LambdaExpr>(expr)) return this->lambda(lambda);
  if (const auto* conditional = dyn_cast<ConditionalOperator>(expr)) {
    CodeNode condition = this->expr(conditional->getCond());
    CodeNode yes = this->expr(conditional->getTrueExpr());
    return word("?:", {std::move(condition), std::move(yes), this->expr(conditional->getFalseExpr())});
  }
  if (const auto* access = dyn_cast<MemberExpr>(expr)) return lvalue(access);
  if (isa<ImplicitValueInitExpr>(expr) || isa<CXXScalarValueInitExpr>(expr)) {
    return word("zero", {type(expr->getType())});
  }
  if (isa<CXXNullPtrLiteralExpr>(expr)) return word("nullptr");
  if (isa<CXXThisExpr>(expr)) {
    escape(place_of_pointer(expr));
    return name(scopes_.empty() ? -1 : scopes_.back().self);
  }
  if (const auto* created = dyn_cast<CXXNewExpr>(expr)) {
    CodeNode node = word("new", {type(created->getAllocatedType())});
    if (created->isArray()) return not_followed("new[]", expr);
    for (const Expr* argument : created->placement_arguments()) node.parts.push_back(this->expr(argument));
    if (created->getInitializer() != nullptr) node.parts.push_back(this->expr(created->getInitializer()));
    node.waits = true;
    return node;
  }
  if (const auto* deleted = dyn_cast<CXXDeleteExpr>(expr)) {
    CodeNode node = word("delete", {this->expr(deleted->getArgument())});
    node.waits = true;
    return node;
  }
  return not_followed(expr->getStmtClassName(), expr);
}

CodeNode CodeReader::cast(const CastExpr* cast) {
  const Expr* from = cast->getSubExpr();
  switch (cast->getCastKind()) {
    case CK_LValueToRValue:
      // What a pointer points to may be met again wherever the pointer goes.
      if (cast->getType()->isPointerType()) escape(place_of_pointer(cast));
      return load(from);
    case CK_NoOp:
    case CK_ConstructorConversion:
    case CK_UserDefinedConversion:
      return expr(from);
    case CK_FunctionToPointerDecay:
      return lvalue(from);
    case CK_ArrayToPointerDecay:
      escape(place(from));
      return lvalue(from);
    case CK_ToVoid: {
      CodeNode node = word("void", {discarded(from)});
      return node;
    }
    case CK_NullToPointer:
      return word("nullptr");
    case CK_IntegralCast:
    case CK_IntegralToBoolean:
    case CK_IntegralToFloating:
    case CK_FloatingToIntegral:
    case CK_FloatingToBoolean:
    case CK_FloatingCast:
    case CK_BitCast:
    case CK_PointerToBoolean:
    case CK_PointerToIntegral:
    case CK_IntegralToPointer:
    case CK_BooleanToSignedIntegral:
      return word("cast", {type(cast->getType()), expr(from)});
    default:
      return not_followed(std::string("cast ") + cast->getCastKindName(), cast);
  }
}

CodeNode CodeReader::operation(const std::string& text, CodeNode left, CodeNode right, bool commutes) {
  if (commutes) {
    for (const CodeNode* side : {&left, &right}) {
      const Effects effects = effects_of(*side);
      commutes = commutes && !effects.waits && !effects.leaves;
      for (const Access& access : effects.accesses) commutes = commutes && !access.write;
    }
  }
  CodeNode node;
  node.kind = commutes ? CodeNode::Kind::kCommuting : CodeNode::Kind::kWord;
  node.text = text;
  node.parts.push_back(std::move(left));
  node.parts.push_back(std::move(right));
  return node;
}

CodeNode CodeReader::assign(const Expr* target, CodeNode value) {
  CodeNode to = lvalue(target);
  const Place at = place(target);
  note_write(at);
  CodeNode node = word("=", {std::move(to), std::move(value)});
  node.accesses.push_back({at, true});
  node.waits = target->getType().isVolatileQualified();
  node.line = line(target->getExprLoc());
  return node;
}

CodeNode CodeReader::binary(const BinaryOperator* binary) {
  const Expr *left = binary->getLHS(), *right = binary->getRHS();
  if (binary->getOpcode() == BO_Assign) return assign(left, expr(right));
  if (const auto* compound = dyn_cast<CompoundAssignOperator>(binary)) {
    const std::string op =
        BinaryOperator::getOpcodeStr(BinaryOperator::getOpForCompoundAssignment(binary->getOpcode())).str();
    const bool commutes = op == "+" || op == "*" || op == "&" || op == "|" || op == "^";
    const auto same = [&](QualType type) {
      return context_.hasSameUnqualifiedType(type, left->getType()) && !type->isPointerType();
    };
    const bool plain = isa<DeclRefExpr>(left->IgnoreParens()) && same(compound->getComputationLHSType()) &&
                       same(compound->getComputationResultType());
    // A variable: `x += y` is `x = x + y`.
    if (plain) {
      CodeNode old = load(left);
      return assign(left, operation(op + ":" + type_word(left->getType()), std::move(old), expr(right), commutes));
    }
    CodeNode node = word(op + "=", {type(compound->getComputationLHSType()), type(compound->getComputationResultType()),
                                    lvalue(left), expr(right)});
    const Place at = place(left);
    note_write(at);
    node.accesses = {{at, false}, {at, true}};
    node.waits = left->getType().isVolatileQualified();
    return node;
  }
  const std::string op = binary->getOpcodeStr().str();
  const std::string text = op + ":" + type_word(left->getType());
  switch (binary->getOpcode()) {
    case BO_Add:
    case BO_Mul:
    case BO_And:
    case BO_Or:
    case BO_Xor:
    case BO_EQ:
    case BO_NE: {
      CodeNode first = expr(left);
      return operation(text, std::move(first), expr(right), true);
    }
    case BO_GT:
    case BO_GE: {
      CodeNode first = expr(left);
      CodeNode turned =
          operation((op == ">" ? "<:" : "<=:") + type_word(left->getType()), expr(right), std::move(first), true);
      if (turned.kind == CodeNode::Kind::kCommuting) {
        turned.kind = CodeNode::Kind::kWord;
        return turned;
      }
      std::swap(turned.parts[0], turned.parts[1]);
      turned.text = text;
      return turned;
    }
    case BO_Sub:
    case BO_Div:
    case BO_Rem:
    case BO_Shl:
    case BO_Shr:
    case BO_LT:
    case BO_LE:
    case BO_LAnd:
    case BO_LOr:
    case BO_Comma: {
      CodeNode first = binary->getOpcode() == BO_Comma ? discarded(left) : expr(left);
      return word(text, {std::move(first), expr(right)});
    }
    default:
      return not_followed("operator " + op, binary);
  }
}

CodeNode CodeReader::unary(const UnaryOperator* unary) {
  const Expr* operand = unary->getSubExpr();
  switch (unary->getOpcode()) {
    case UO_Plus:
    case UO_Extension:
      return expr(operand);
    case UO_Minus:
    case UO_Not:
    case UO_LNot:
      return word(UnaryOperator::getOpcodeStr(unary->getOpcode()).str() + ":" + type_word(unary->getType()),
                  {expr(operand)});
    case UO_AddrOf:
      if (isa<DeclRefExpr>(operand) && isa<FunctionDecl>(llvm::cast<DeclRefExpr>(operand)->getDecl()))
        return lvalue(operand);
      return word("address", {expr(operand)});
    case UO_PreInc:
    case UO_PostInc:
    case UO_PreDec:
    case UO_PostDec: {
      const bool before = unary->isPrefix();
      CodeNode node =
          word(std::string(before ? "before" : "after") + (unary->isIncrementOp() ? "++" : "--"), {lvalue(operand)});
      const Place at = place(operand);
      note_write(at);
      node.accesses = {{at, false}, {at, true}};
      node.waits = operand->getType().isVolatileQualified();
      return node;
    }
    default:
      return not_followed("operator", unary);
  }
}

CodeNode CodeReader::initialiser_list(const InitListExpr* list) {
  if (const InitListExpr* semantic = list->getSemanticForm()) list = semantic;
  if (list->isTransparent() && list->getNumInits() == 1) return expr(list->getInit(0));
  CodeNode node = word("{}", {type(list->getType())});
  if (const FieldDecl* field = list->getInitializedFieldInUnion()) {
    node.parts.push_back(word("." + std::to_string(field->getFieldIndex())));
  }
  for (const Expr* part : list->inits()) {
    const bool is_read = part->isGLValue();
    node.parts.push_back(is_read ? expr(part) : expr(part));
  }
  if (const Expr* filler = list->getArrayFiller()) node.parts.push_back(word("fill", {expr(filler)}));
  return node;
}

CodeNode CodeReader::lambda(const LambdaExpr* lambda) {
  CodeNode node = word("lambda");
  for (const LambdaCapture& capture : lambda->captures()) {
    if (capture.capturesThis()) {
      if (!scopes_.empty()) escape({scopes_.back().self, true});
      node.parts.push_back(word("this"));
      continue;
    }
    if (!capture.capturesVariable()) return not_followed("capture", lambda);
    const auto* variable = dyn_cast<VarDecl>(capture.getCapturedVar());
    if (variable == nullptr || variable->isInitCapture()) return not_followed("capture", lambda);
    const int entity = this->variable(variable);
    const bool is_reference = variable->getType()->isReferenceType();
    const Place at = {entity, is_reference};
    CodeNode part = word(capture.getCaptureKind() == LCK_ByCopy ? "copy" : "refer", {name(entity)});
    part.accesses.push_back({at, false});
    escape(at);
    node.parts.push_back(std::move(part));
  }
  node.parts.push_back(name(function(lambda->getCallOperator())));
  return node;
}

}  // namespace sinter
