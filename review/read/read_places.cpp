// Which memory an expression stands for.
#include "review/read/code_reader.h"

namespace sinter {

using namespace clang;

Place CodeReader::member(Place place, const std::string& step) {
  if (place.open) place.path += step;
  return place;
}

// Seen as something else: nothing is known of its members.
Place CodeReader::closed(Place place) {
  place.open = false;
  place.path.clear();
  return place;
}

const Expr* CodeReader::referred_argument(const CallExpr* call) {
  const FunctionDecl* callee = call->getDirectCallee();
  if (callee == nullptr) return nullptr;
  const FunctionDecl* definition = callee->getDefinition();
  if (definition == nullptr || is_given(definition)) return nullptr;
  const auto found = summaries_.find(function(definition));
  if (found == summaries_.end() || !found->second.finished || found->second.returned < 0) return nullptr;
  const auto* method = dyn_cast<CXXMethodDecl>(definition);
  const bool by_operator = isa<CXXOperatorCallExpr>(call) && method != nullptr;
  for (unsigned i = 0; i < definition->getNumParams(); ++i) {
    if (variable(definition->getParamDecl(i)) != found->second.returned) continue;
    const unsigned at = i + (by_operator ? 1 : 0);
    return at < call->getNumArgs() ? call->getArg(at) : nullptr;
  }
  if (const auto* member_call = dyn_cast<CXXMemberCallExpr>(call)) return member_call->getImplicitObjectArgument();
  return by_operator ? call->getArg(0) : nullptr;
}

Place CodeReader::place(const Expr* lvalue) {
  lvalue = lvalue->IgnoreParens();
  if (const auto* through = dyn_cast<ExprWithCleanups>(lvalue)) return place(through->getSubExpr());
  if (const auto* through = dyn_cast<SubstNonTypeTemplateParmExpr>(lvalue)) return place(through->getReplacement());
  if (const auto* reference = dyn_cast<DeclRefExpr>(lvalue)) {
    const auto* binding = dyn_cast<BindingDecl>(reference->getDecl());
    if (binding != nullptr && binding->getBinding() != nullptr) return place(binding->getBinding());
    const auto* decl = dyn_cast<VarDecl>(reference->getDecl());
    if (decl == nullptr || is_given(decl)) return {};
    return {variable(decl), decl->getType()->isReferenceType()};
  }
  if (const auto* access = dyn_cast<MemberExpr>(lvalue)) {
    if (const auto* decl = dyn_cast<VarDecl>(access->getMemberDecl())) return {variable(decl), false};
    const auto* field = dyn_cast<FieldDecl>(access->getMemberDecl());
    if (field == nullptr || field->getType()->isReferenceType()) return {};
    const Expr* base = access->getBase();
    const Place whole = access->isArrow() ? place_of_pointer(base) : base->isGLValue() ? place(base) : Place();
    if (field->getParent()->isUnion()) return closed(whole);
    return member(whole, "." + std::to_string(field->getFieldIndex()));
  }
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(lvalue)) {
    return place_of_pointer(subscript->getBase());
  }
  if (const auto* unary = dyn_cast<UnaryOperator>(lvalue)) {
    if (unary->getOpcode() == UO_Deref) return place_of_pointer(unary->getSubExpr());
    if (unary->isIncrementDecrementOp()) return place(unary->getSubExpr());
    return {};
  }
  if (const auto* binary = dyn_cast<BinaryOperator>(lvalue)) {
    if (binary->isAssignmentOp()) return place(binary->getLHS());
    return {};
  }
  if (const auto* cast = dyn_cast<CastExpr>(lvalue)) {
    if (!cast->getSubExpr()->isGLValue()) return {};
    const Place whole = place(cast->getSubExpr());
    return cast->getCastKind() == CK_NoOp ? whole : closed(whole);
  }
  if (const auto* call = dyn_cast<CallExpr>(lvalue)) {
    const Expr* argument = referred_argument(call);
    if (argument == nullptr) return {};
    return closed(argument->isGLValue() ? place(argument) : place_of_pointer(argument));
  }
  return {};
}

Place CodeReader::place_of_pointer(const Expr* pointer) {
  pointer = pointer->IgnoreParens();
  if (const auto* through = dyn_cast<ExprWithCleanups>(pointer)) return place_of_pointer(through->getSubExpr());
  if (isa<CXXThisExpr>(pointer)) {
    if (scopes_.empty() || scopes_.back().self < 0) return {};
    return {scopes_.back().self, true};
  }
  if (const auto* cast = dyn_cast<CastExpr>(pointer)) {
    const Expr* from = cast->getSubExpr();
    switch (cast->getCastKind()) {
      case CK_LValueToRValue: {
        const auto* reference = dyn_cast<DeclRefExpr>(from->IgnoreParens());
        const auto* decl = reference != nullptr ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        if (decl == nullptr || decl->getType()->isReferenceType() || is_given(decl)) return {};
        return {variable(decl), true};
      }
      case CK_ArrayToPointerDecay:
        return member(place(from), "[]");
      case CK_NoOp:
        return from->getType()->isPointerType() ? place_of_pointer(from) : Place();
      case CK_BitCast:
        return closed(place_of_pointer(from));
      default:
        return {};
    }
  }
  if (const auto* binary = dyn_cast<BinaryOperator>(pointer)) {
    if (!binary->isAdditiveOp()) return {};
    const bool left = binary->getLHS()->getType()->isPointerType();
    return place_of_pointer(left ? binary->getLHS() : binary->getRHS());
  }
  if (const auto* unary = dyn_cast<UnaryOperator>(pointer)) {
    if (unary->getOpcode() == UO_AddrOf && unary->getSubExpr()->isGLValue()) return place(unary->getSubExpr());
    return {};
  }
  return {};
}

void CodeReader::escape(const Place& place) {
  const Place at = resolved(code_, place);
  if (at.entity < 0) return;
  Entity& entity = code_.entities[at.entity];
  if (!at.pointee) {
    entity.escapes = true;
    entity.reassigned = true;
  } else if (entity.parameter) {
    for (Scope& scope : scopes_) scope.summary.parameters[at.entity].kept = true;
  }
}

void CodeReader::note_write(const Place& place) {
  const Place at = resolved(code_, place);
  if (at.entity >= 0 && !at.pointee) code_.entities[at.entity].reassigned = true;
}

}  // namespace sinter
