// Calls: what is called, and what it may touch.
#include <clang/Basic/Builtins.h>

#include "review/read/code_reader.h"

namespace sinter {

using namespace clang;

CodeNode CodeReader::argument(const Expr* argument, const Touched& touched, CodeNode* call) {
  const bool by_reference = argument->isGLValue();
  const bool by_pointer = !by_reference && argument->getType()->isPointerType();
  if (!by_reference && !by_pointer) return expr(argument);
  const Place at = by_reference ? place(argument) : place_of_pointer(argument);
  CodeNode node = by_reference ? lvalue(argument) : pointer(argument);
  if (touched.read) call->accesses.push_back({at, false});
  if (touched.write) {
    call->accesses.push_back({at, true});
    note_write(at);
  }
  if (touched.kept) escape(at);
  return node;
}

CodeNode CodeReader::call_of(const FunctionDecl* function, const Expr* object, bool arrow,
                             llvm::ArrayRef<const Expr*> arguments) {
  const Touched everything = {.read = true, .write = true, .kept = true};
  CodeNode node = word("call", {callee(function)});
  const FunctionDecl* definition = function->getDefinition();
  Summary summary;
  summary.waits = !is_pure_function(function);
  const bool is_known = is_read(definition);
  if (is_known) {
    summary = summaries_[this->function(definition)];
    if (!summary.finished) summary.waits = true;
  }
  const bool follows = is_known && summary.finished;
  node.waits = summary.waits;
  if (!follows && summary.waits) summary.other = {.read = true, .write = true};
  if (summary.other.read) node.accesses.push_back({Place(), false});
  if (summary.other.write) node.accesses.push_back({Place(), true});
  const auto touched = [&](int parameter) -> Touched {
    if (!follows) return everything;
    const auto found = summary.parameters.find(parameter);
    return found == summary.parameters.end() ? Touched() : found->second;
  };
  if (object != nullptr) {
    const Touched self = follows ? touched(self_[definition]) : everything;
    if (arrow) {
      node.parts.push_back(argument(object, self, &node));
    } else if (object->isGLValue()) {
      node.parts.push_back(word("address", {argument(object, self, &node)}));
    } else {
      node.parts.push_back(word("address", {expr(object)}));
    }
  }
  for (unsigned i = 0; i < arguments.size(); ++i) {
    const bool named = is_known && i < definition->getNumParams();
    node.parts.push_back(
        argument(arguments[i], named ? touched(variable(definition->getParamDecl(i))) : everything, &node));
  }
  const std::string called = function->getQualifiedNameAsString();
  if (!is_known && (called == "fmaf" || called == "fma") && node.parts.size() == 4) {
    CodeNode third = std::move(node.parts[3]);
    CodeNode factors = operation("factors", std::move(node.parts[1]), std::move(node.parts[2]), true);
    node.parts.resize(1);
    node.parts.push_back(std::move(factors));
    node.parts.push_back(std::move(third));
  }
  if (function->isNoReturn()) node.returns = true;
  return node;
}

CodeNode CodeReader::call(const CallExpr* call) {
  const FunctionDecl* function = call->getDirectCallee();
  const llvm::ArrayRef<const Expr*> arguments(call->getArgs(), call->getNumArgs());
  if (const auto* launch = dyn_cast<CUDAKernelCallExpr>(call)) {
    CodeNode node = word("launch", {expr(launch->getConfig()), expr(call->getCallee())});
    for (const Expr* argument : arguments) node.parts.push_back(expr(argument));
    node.waits = true;
    return node;
  }
  if (function == nullptr) {
    CodeNode node = word("call pointer", {expr(call->getCallee())});
    for (const Expr* argument : arguments) node.parts.push_back(expr(argument));
    node.waits = true;
    node.accesses = {{Place(), false}, {Place(), true}};
    return node;
  }
  const auto* method = dyn_cast<CXXMethodDecl>(function);
  if (isa<CXXOperatorCallExpr>(call) && method != nullptr) {
    if (method->isTrivial() && (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator())) {
      const Expr* from = arguments[1];
      return assign(arguments[0], from->isGLValue() ? load(from) : expr(from));
    }
    return call_of(function, arguments[0], false, arguments.drop_front());
  }
  if (const auto* member_call = dyn_cast<CXXMemberCallExpr>(call); member_call != nullptr && method != nullptr) {
    const auto* access = dyn_cast<MemberExpr>(member_call->getCallee()->IgnoreParens());
    if (access == nullptr || method->isVirtual()) return not_followed("call through a pointer", call);
    return call_of(function, member_call->getImplicitObjectArgument(), access->isArrow(), arguments);
  }
  return call_of(function, nullptr, false, arguments);
}

CodeNode CodeReader::construct(const CXXConstructExpr* construct) {
  const CXXConstructorDecl* constructor = construct->getConstructor();
  const llvm::ArrayRef<const Expr*> arguments(construct->getArgs(), construct->getNumArgs());
  if (constructor->isCopyOrMoveConstructor() && constructor->isTrivial() && arguments.size() >= 1) {
    const Expr* from = arguments[0]->IgnoreParens();
    if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(from)) from = temporary->getSubExpr();
    return from->isGLValue() ? load(from) : expr(from);
  }
  CodeNode type_node = type(construct->getType());
  if (constructor->isTrivial() && arguments.empty()) {
    return word(construct->requiresZeroInitialization() ? "zero" : "uninitialised", {std::move(type_node)});
  }
  const bool implicit = constructor->isImplicit() || constructor->isDefaulted();
  if (implicit && !is_given(constructor) && !constructor->isTrivial() && constructor->getDefinition() == nullptr)
    return not_followed("constructor", construct);
  if (is_given(constructor) || (implicit && constructor->isTrivial())) {
    CodeNode node = word("construct", {std::move(type_node)});
    for (const Expr* argument : arguments) node.parts.push_back(expr(argument));
    // dim3(4, 2) holds what it is given.
    const bool plain = is_given(constructor) && constructor->getQualifiedNameAsString() == "dim3::dim3";
    node.waits = !plain && !constructor->isTrivial();
    return node;
  }
  CodeNode node = call_of(constructor, nullptr, false, arguments);
  node.text = "construct";
  node.parts.insert(node.parts.begin(), std::move(type_node));
  return node;
}

}  // namespace sinter
