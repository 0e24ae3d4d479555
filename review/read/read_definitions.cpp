// Definitions: functions, variables, types; and what a file offers to others.
#include <clang/AST/Attr.h>
#include <clang/AST/RecordLayout.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

#include "review/read/code_reader.h"
#include "review/verify/virtual_folders.h"

namespace sinter {

using namespace clang;

namespace {

// What neither reads nor writes memory and waits for nothing, besides the functions of math_functions.h, cuda_fp16.h
// and cuda_bf16.h.
const std::set<std::string> kPureFunctions = {"__float_as_int",
                                              "__float_as_uint",
                                              "__int_as_float",
                                              "__uint_as_float",
                                              "__double_as_longlong",
                                              "__popc",
                                              "__popcll",
                                              "__clz",
                                              "__clzll",
                                              "__longlong_as_double",
                                              "__ffs",
                                              "__ffsll",
                                              "__brev",
                                              "__brevll",
                                              "__byte_perm",
                                              "__mulhi",
                                              "__umulhi",
                                              "__mul64hi",
                                              "__umul64hi",
                                              "__funnelshift_l",
                                              "__funnelshift_r",
                                              "__builtin_isnan",
                                              "__builtin_signbit",
                                              "__builtin_inff",
                                              "__builtin_nanf"};

// "softmax_kernels::softmax::enqueue" is "softmax::enqueue": the outer namespace is the program's.
std::string without_program(std::string name) {
  const size_t end = name.find("_kernels::");
  const size_t first = name.find("::");
  if (end != std::string::npos && first == end + 8) name.erase(0, end + 10);
  return name;
}

// "reshape::kElements": with the namespaces that have names, but for the program's and its kernels'.
std::string name_in_file(const clang::VarDecl* variable) {
  std::string name = variable->getNameAsString();
  for (const DeclContext* scope = variable->getDeclContext(); scope != nullptr; scope = scope->getParent()) {
    const auto* space = dyn_cast<NamespaceDecl>(scope);
    if (space == nullptr || space->isAnonymousNamespace()) continue;
    const auto* outer = dyn_cast<NamespaceDecl>(space->getParent());
    const bool of_kernel = outer != nullptr && outer->getName().ends_with("_kernels");
    if (!of_kernel && !space->getName().ends_with("_kernels")) name = space->getNameAsString() + "::" + name;
  }
  return name;
}

}  // namespace

CodeNode CodeReader::word(const std::string& text, std::vector<CodeNode> parts) const {
  CodeNode node;
  node.text = text;
  node.parts = std::move(parts);
  return node;
}

CodeNode CodeReader::name(int entity) const {
  CodeNode node;
  node.kind = CodeNode::Kind::kName;
  node.entity = entity;
  if (entity < 0) {
    node.kind = CodeNode::Kind::kWord;
    node.text = "this";
  }
  return node;
}

CodeNode CodeReader::not_followed(const std::string& what, const Stmt* statement) {
  std::string text = what;
  if (statement != nullptr) {
    const SourceManager& sources = context_.getSourceManager();
    const PresumedLoc at = sources.getPresumedLoc(sources.getExpansionLoc(statement->getBeginLoc()));
    if (at.isValid()) {
      std::string file = at.getFilename();
      if (file.starts_with(kProjectFolder)) file.erase(0, kProjectFolder.size());
      text += " at " + file + ":" + std::to_string(at.getLine());
    }
  }
  if (std::find(code_.not_followed.begin(), code_.not_followed.end(), text) == code_.not_followed.end()) {
    code_.not_followed.push_back(text);
  }
  return word("not followed: " + what);
}

int CodeReader::line(SourceLocation location) const {
  const SourceManager& sources = context_.getSourceManager();
  if (location.isInvalid()) return 0;
  const SourceLocation at = sources.getExpansionLoc(location);
  return sources.isWrittenInMainFile(at) ? static_cast<int>(sources.getExpansionLineNumber(at)) : 0;
}

std::string CodeReader::source_text(const clang::Expr* expr) const {
  const SourceManager& sources = context_.getSourceManager();
  const SourceLocation begin = expr->getBeginLoc(), end = expr->getEndLoc();
  if (begin.isInvalid() || end.isInvalid()) return "";
  // Of a macro's argument, as __launch_bounds__ has one, where that is written.
  const CharSourceRange range = CharSourceRange::getTokenRange(sources.getFileLoc(begin), sources.getFileLoc(end));
  return Lexer::getSourceText(range, sources, context_.getLangOpts()).str();
}

bool CodeReader::is_given(const Decl* decl) const {
  const SourceManager& sources = context_.getSourceManager();
  if (decl->getLocation().isInvalid()) return true;  // clang's own
  const llvm::StringRef file = sources.getFilename(sources.getExpansionLoc(decl->getLocation()));
  return file.starts_with(kHeadersFolder) || file.starts_with(kProjectFolder + "launcher/");
}

bool CodeReader::is_pure_function(const FunctionDecl* function) const {
  if (function->isNoReturn() || !is_given(function)) return false;
  for (const ParmVarDecl* parameter : function->parameters()) {
    const QualType type = parameter->getType();
    if (type->isPointerType() || type->isReferenceType()) return false;
  }
  const auto* method = dyn_cast<CXXMethodDecl>(function);
  if (method != nullptr) return false;
  if (kPureFunctions.count(function->getNameAsString()) > 0) return true;
  const SourceManager& sources = context_.getSourceManager();
  const FunctionDecl* first = function->getFirstDecl();
  const StringRef file = sources.getFilename(sources.getExpansionLoc(first->getLocation()));
  return file.ends_with("/math_functions.h") || file.ends_with("/cuda_fp16.h") || file.ends_with("/cuda_bf16.h");
}

// Members that nobody wrote may call some that somebody did: those have the body that clang makes of them.
bool CodeReader::is_read(const FunctionDecl* definition) const {
  return definition != nullptr && !is_given(definition) && definition->hasBody() && !definition->isTrivial();
}

CodeNode CodeReader::type(QualType type) {
  type = type.getCanonicalType();
  std::string qualifiers;
  if (type.isVolatileQualified()) qualifiers += " volatile";
  if (type.isRestrictQualified()) qualifiers += " restrict";
  if (const auto* builtin = type->getAs<BuiltinType>()) {
    return word(builtin->getName(PrintingPolicy(LangOptions())).str() + qualifiers);
  }
  if (type->isPointerType() || type->isReferenceType()) {
    const QualType to = type->getPointeeType();
    // Reads through a pointer to const may take another path.
    if (to.isConstQualified()) qualifiers += " const";
    return word((type->isPointerType() ? "*" : "&") + qualifiers, {this->type(to)});
  }
  if (const auto* array = context_.getAsConstantArrayType(type)) {
    CodeNode length;
    length.kind = CodeNode::Kind::kNumber;
    length.shown = std::to_string(array->getSize().getZExtValue());
    length.text = length.shown + ":extent";
    if (array->getSizeExpr() != nullptr) {
      length.spelled = source_text(array->getSizeExpr());
      length.line = line(array->getSizeExpr()->getExprLoc());
    }
    return word("array" + qualifiers, {std::move(length), this->type(array->getElementType())});
  }
  if (const auto* array = context_.getAsIncompleteArrayType(type)) {
    return word("array of any length", {this->type(array->getElementType())});
  }
  if (const auto* enumeration = type->getAs<EnumType>()) {
    const QualType integer = enumeration->getDecl()->getIntegerType();
    return integer.isNull() ? word("enum") : word("enum", {this->type(integer)});
  }
  if (const auto* made = type->getAs<RecordType>()) {
    const RecordDecl* decl = made->getDecl();
    if (is_given(decl)) {
      return word("type " + QualType(made, 0).getAsString(context_.getPrintingPolicy()) + qualifiers);
    }
    CodeNode node = name(record(decl));
    return qualifiers.empty() ? node : word("qualified" + qualifiers, {std::move(node)});
  }
  if (const auto* prototype = type->getAs<FunctionProtoType>()) {
    CodeNode node = word("function", {this->type(prototype->getReturnType())});
    for (const QualType parameter : prototype->getParamTypes()) node.parts.push_back(this->type(parameter));
    return node;
  }
  return not_followed("type " + type.getAsString());
}

int CodeReader::record(const RecordDecl* record) {
  if (const RecordDecl* definition = record->getDefinition()) record = definition;
  const auto [found, added] = entities_.try_emplace(record, static_cast<int>(code_.entities.size()));
  const int entity = found->second;
  if (!added) return entity;
  code_.entities.push_back(
      {.kind = Entity::Kind::kType, .name = record->getNameAsString(), .line = line(record->getLocation())});
  CodeNode node = word(record->isUnion() ? "union" : "struct");
  if (!record->isCompleteDefinition()) {
    node = word("incomplete " + record->getNameAsString());
  } else {
    const auto* type = dyn_cast<CXXRecordDecl>(record);
    if (type != nullptr && type->isLambda()) {
      node = word("lambda");
    } else if (type != nullptr && (type->isPolymorphic() || type->getNumVBases() > 0)) {
      node = not_followed("virtual type " + record->getNameAsString());
    } else {
// g++ 12 takes a pointer in clang's ExternalASTSource.h for null where bases of a class are asked for.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnonnull"
      if (type != nullptr) {
        for (const CXXBaseSpecifier& base : type->bases()) {
          node.parts.push_back(word("base", {this->type(base.getType())}));
        }
      }
#pragma GCC diagnostic pop
      check_attributes(record);
      for (const FieldDecl* field : record->fields()) {
        check_attributes(field);
        CodeNode part = word("field", {this->type(field->getType())});
        if (field->isBitField()) part = not_followed("bit field");
        // A constructor that nobody wrote sets it.
        const clang::Expr* value = field->hasInClassInitializer() ? field->getInClassInitializer() : nullptr;
        if (value != nullptr) part.parts.push_back(word("value", {outside_functions(value)}));
        const unsigned alignment = field->getMaxAlignment();
        if (alignment > 0) part.parts.push_back(word("aligned " + std::to_string(alignment)));
        node.parts.push_back(std::move(part));
      }
      const unsigned alignment = record->getMaxAlignment();
      if (alignment > 0) node.parts.push_back(word("aligned " + std::to_string(alignment)));
      const CXXDestructorDecl* destructor = type != nullptr ? type->getDestructor() : nullptr;
      if (destructor != nullptr && destructor->isUserProvided()) {
        node.parts.push_back(word("destructor", {callee(destructor)}));
      }
    }
  }
  code_.entities[entity].definition = std::move(node);
  return entity;
}

CodeNode CodeReader::outside_functions(const clang::Expr* value) {
  std::vector<Scope> scopes;
  scopes.swap(scopes_);
  CodeNode node = expr(value);
  scopes.swap(scopes_);
  return node;
}

// Those that are not known may change what a declaration means.
void CodeReader::check_attributes(const Decl* decl) {
  for (const Attr* attribute : decl->attrs()) {
    switch (attribute->getKind()) {
      case attr::CUDAGlobal:
      case attr::CUDADevice:
      case attr::CUDAHost:
      case attr::CUDAShared:
      case attr::CUDAConstant:
      case attr::CUDALaunchBounds:
      case attr::Aligned:
      case attr::AlwaysInline:
      case attr::NoInline:
      case attr::NoThrow:
      case attr::ConstInit:
      case attr::CXX11NoReturn:
      case attr::Unused:
      case attr::WarnUnusedResult:
        break;
      default:
        if (!attribute->isImplicit()) not_followed(std::string("attribute ") + attribute->getSpelling());
    }
  }
}

int CodeReader::variable(const VarDecl* variable) {
  variable = variable->getCanonicalDecl();
  const auto [found, added] = entities_.try_emplace(variable, static_cast<int>(code_.entities.size()));
  const int entity = found->second;
  if (!added) return entity;
  const QualType qualified = variable->getType();
  const bool shared = variable->hasAttr<CUDASharedAttr>();
  code_.entities.push_back({.kind = Entity::Kind::kVariable,
                            .name = variable->getNameAsString(),
                            .line = line(variable->getLocation()),
                            .local = variable->hasLocalStorage() && !shared,
                            .parameter = isa<ParmVarDecl>(variable),
                            .restricted = qualified.isRestrictQualified()});
  const VarDecl* definition = variable->getDefinition();
  if (definition == nullptr) definition = variable;
  check_attributes(definition);
  CodeNode node = word("variable", {type(definition->getType())});
  if (definition->getType().isConstQualified() && !definition->hasLocalStorage()) node.parts.push_back(word("const"));
  if (shared) node.parts.push_back(word("shared"));
  if (definition->hasAttr<CUDAConstantAttr>()) node.parts.push_back(word("constant"));
  if (definition->hasAttr<CUDADeviceAttr>()) node.parts.push_back(word("device"));
  if (definition->getTSCSpec() != TSCS_unspecified) node.parts.push_back(word("thread_local"));
  if (definition->isStaticLocal()) node.parts.push_back(word("static"));
  if (definition->hasExternalStorage()) {
    node.parts.push_back(word("extern"));
    const bool defined = definition->isThisDeclarationADefinition() != VarDecl::DeclarationOnly;
    if (!defined && !shared) node.parts.push_back(word(without_program(definition->getQualifiedNameAsString())));
  }
  const unsigned alignment = definition->getMaxAlignment();
  if (alignment > 0) node.parts.push_back(word("aligned " + std::to_string(alignment)));
  if (!definition->hasLocalStorage() && definition->getInit() != nullptr) {
    node.parts.push_back(outside_functions(definition->getInit()));
  }
  code_.entities[entity].definition = std::move(node);
  return entity;
}

CodeNode CodeReader::callee(const FunctionDecl* function) {
  const FunctionDecl* definition = function->getDefinition();
  if (is_read(definition)) return name(this->function(definition));
  CodeNode node = word("function " + without_program(function->getQualifiedNameAsString()));
  if (definition != nullptr && !is_given(definition) && definition->isDefaulted()) {
    // It is trivial: its type says what it does.
    const auto* method = dyn_cast<CXXMethodDecl>(definition);
    return method != nullptr ? word("defaulted", {name(record(method->getParent()))}) : not_followed("function");
  }
  node.parts.push_back(type(function->getType()));
  if (const TemplateArgumentList* list = function->getTemplateSpecializationArgs()) {
    for (const TemplateArgument& argument : list->asArray()) {
      if (argument.getKind() == TemplateArgument::Type) {
        node.parts.push_back(type(argument.getAsType()));
      } else if (argument.getKind() == TemplateArgument::Integral) {
        node.parts.push_back(word(llvm::toString(llvm::APSInt(argument.getAsIntegral()), 10)));
      } else if (argument.getKind() == TemplateArgument::Pack) {
        for (const TemplateArgument& element : argument.pack_elements()) {
          node.parts.push_back(element.getKind() == TemplateArgument::Type ? type(element.getAsType())
                                                                           : not_followed("template argument"));
        }
      } else {
        node.parts.push_back(not_followed("template argument"));
      }
    }
  }
  return node;
}

int CodeReader::function(const FunctionDecl* function) {
  if (const FunctionDecl* definition = function->getDefinition()) function = definition;
  const auto [found, added] = entities_.try_emplace(function, static_cast<int>(code_.entities.size()));
  const int entity = found->second;
  if (!added) return entity;
  code_.entities.push_back({.kind = Entity::Kind::kFunction,
                            .name = function->getNameAsString(),
                            .line = line(function->getLocation()),
                            .kernel = function->hasAttr<CUDAGlobalAttr>()});
  CodeNode definition = function_definition(function, entity);
  code_.entities[entity].definition = std::move(definition);
  return entity;
}

CodeNode CodeReader::function_definition(const FunctionDecl* function, int entity) {
  scopes_.emplace_back();
  check_attributes(function);
  CodeNode node = word("define", {type(function->getReturnType())});
  CodeNode parameters = word("parameters");
  if (const auto* method = dyn_cast<CXXMethodDecl>(function); method != nullptr && method->isInstance()) {
    const int self = static_cast<int>(code_.entities.size());
    code_.entities.push_back({.name = "this", .local = true, .parameter = true});
    const bool is_lambda = method->getParent()->isLambda();
    CodeNode of = is_lambda ? word("lambda") : name(record(method->getParent()));
    code_.entities[self].definition = word("variable", {word("*", {std::move(of)})});
    scopes_.back().self = self;
    scopes_.back().locals.insert(self);
    self_[function] = self;
    parameters.parts.push_back(name(self));
  }
  for (const ParmVarDecl* parameter : function->parameters()) {
    const int variable = this->variable(parameter);
    scopes_.back().locals.insert(variable);
    parameters.parts.push_back(name(variable));
  }
  if (function->isVariadic()) parameters.parts.push_back(not_followed("..."));
  node.parts.push_back(std::move(parameters));
  CodeNode kind = word(function->hasAttr<CUDAGlobalAttr>()                                         ? "kernel"
                       : function->hasAttr<CUDADeviceAttr>() && !function->hasAttr<CUDAHostAttr>() ? "device"
                                                                                                   : "");
  node.parts.push_back(std::move(kind));
  if (const auto* bounds = function->getAttr<CUDALaunchBoundsAttr>()) {
    CodeNode list = word("hint bounds");
    for (const clang::Expr* bound : {bounds->getMaxThreads(), bounds->getMinBlocks(), bounds->getMaxBlocks()}) {
      if (bound != nullptr) list.parts.push_back(expr(bound));
    }
    node.parts.push_back(std::move(list));
  }
  find_moved(function->getBody(), false);
  if (const auto* constructor = dyn_cast<CXXConstructorDecl>(function)) {
    for (const CXXCtorInitializer* init : constructor->inits()) {
      find_moved(init->getInit(), false);
      CodeNode part = word("initialise");
      if (const FieldDecl* field = init->getMember()) {
        part.parts.push_back(word("." + std::to_string(field->getFieldIndex())));
      } else {
        part.parts.push_back(word("base"));
      }
      part.parts.push_back(expr(init->getInit()));
      part.accesses.push_back({{scopes_.back().self, true}, true});
      node.parts.push_back(std::move(part));
    }
  }
  node.parts.push_back(body(function->getBody()));
  summarise(entity, node);
  scopes_.pop_back();
  return node;
}

void CodeReader::summarise(int entity, const CodeNode& definition) {
  const Scope& scope = scopes_.back();
  Summary summary = scope.summary;
  const Effects effects = effects_of(definition);
  summary.waits = effects.waits;
  for (const Access& access : effects.accesses) {
    const Place at = resolved(code_, access.place);
    const bool own = at.entity >= 0 && scope.locals.count(at.entity) > 0;
    if (own && !at.pointee) continue;
    const bool parameter = own && code_.entities[at.entity].parameter;
    Touched& touched = parameter ? summary.parameters[at.entity] : summary.other;
    (access.write ? touched.write : touched.read) = true;
  }
  summary.finished = true;
  summaries_[entity] = summary;
}

void CodeReader::add_root(int entity, const NamedDecl* decl) {
  code_.roots.push_back(entity);
  // Device functions of other files cannot be called: nothing is linked on the device.
  const bool is_linked = decl->hasAttr<CUDAHostAttr>() || !decl->hasAttr<CUDADeviceAttr>() || isa<VarDecl>(decl);
  // Of inline functions those are compiled that the file calls itself.
  const auto* function = dyn_cast<FunctionDecl>(decl);
  const bool is_inline = function != nullptr && function->isInlined();
  if (is_linked && !is_inline && decl->isExternallyVisible())
    code_.entities[entity].exported = decl->getQualifiedNameAsString();
}

// A variable whose value is made by what does more than that, when the program starts.
bool CodeReader::runs_by_itself(const Decl* decl) const {
  const auto* variable = dyn_cast<VarDecl>(decl);
  if (variable == nullptr || is_given(variable) || variable->isExternallyVisible() || variable->isTemplated()) {
    return false;
  }
  return variable->getInit() != nullptr && variable->getInit()->HasSideEffects(context_);
}

void CodeReader::find_roots(const DeclContext* scope) {
  for (const Decl* decl : scope->decls()) {
    if (const auto* inner = dyn_cast<NamespaceDecl>(decl)) {
      if (!is_given(inner)) find_roots(inner);
    } else if (const auto* linkage = dyn_cast<LinkageSpecDecl>(decl)) {
      if (!is_given(linkage)) find_roots(linkage);
    } else if (runs_by_itself(decl)) {
      code_.roots.push_back(variable(llvm::cast<VarDecl>(decl)));
    } else if (line(decl->getLocation()) == 0) {
      continue;
    } else if (const auto* function = dyn_cast<FunctionDecl>(decl)) {
      const bool offers = function->isExternallyVisible() || function->hasAttr<CUDAGlobalAttr>();
      if (function->isThisDeclarationADefinition() && !function->isTemplated() && offers) {
        add_root(this->function(function), function);
      }
    } else if (const auto* variable = dyn_cast<VarDecl>(decl)) {
      if (variable->isExternallyVisible() && variable->isThisDeclarationADefinition() != VarDecl::DeclarationOnly) {
        add_root(this->variable(variable), variable);
      }
      const QualType type = variable->getType();
      const bool is_number = type->isIntegralOrEnumerationType() || type->isRealFloatingType();
      if (variable->isConstexpr() && is_number && variable->getInit() != nullptr) {
        if (const APValue* known = variable->evaluateValue()) {
          code_.numbers.push_back({name_in_file(variable), number_text(*known, type, context_),
                                   source_text(variable->getInit()), line(variable->getLocation())});
        }
      }
    }
  }
}

Code CodeReader::run() {
  find_roots(context_.getTranslationUnitDecl());
  return std::move(code_);
}

}  // namespace sinter
