#include "review/read/device_header.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/FrontendActions.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <tuple>

#include "review/verify/cuda_source.h"
#include "review/verify/virtual_folders.h"

namespace sinter {

namespace {

using clang::BuiltinType;

// A file that includes the header, as emitted ones do.
constexpr const char* kIncluder = "includer.cu";

std::optional<DType> element_type(clang::QualType type) {
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (const auto* record = type->getAs<clang::RecordType>()) {
    const std::string name = record->getDecl()->getQualifiedNameAsString();
    if (name == "__half") return DType::kF16;
    if (name == "__nv_bfloat16") return DType::kBF16;
    return std::nullopt;
  }
  const auto* builtin = type->getAs<BuiltinType>();
  if (builtin == nullptr) return std::nullopt;
  switch (builtin->getKind()) {
    case BuiltinType::Bool:
      return DType::kPred;
    case BuiltinType::SChar:
    case BuiltinType::Char_S:
      return DType::kS8;
    case BuiltinType::UChar:
      return DType::kU8;
    case BuiltinType::Short:
      return DType::kS16;
    case BuiltinType::UShort:
      return DType::kU16;
    case BuiltinType::Int:
      return DType::kS32;
    case BuiltinType::UInt:
      return DType::kU32;
    case BuiltinType::Long:
    case BuiltinType::LongLong:
      return DType::kS64;
    case BuiltinType::ULong:
    case BuiltinType::ULongLong:
      return DType::kU64;
    case BuiltinType::Float:
      return DType::kF32;
    case BuiltinType::Double:
      return DType::kF64;
    default:
      return std::nullopt;
  }
}

std::string element_hint() {
  return "elements are bool, integers, float, double, __half and __nv_bfloat16, by value or const reference";
}

// The members of a struct of elements; empty of any other type.
std::vector<std::pair<std::string, DType>> members_of(clang::QualType type) {
  std::vector<std::pair<std::string, DType>> members;
  const auto* record = llvm::dyn_cast_or_null<clang::CXXRecordDecl>(type->getAsRecordDecl());
  if (record == nullptr || !record->hasDefinition() || record->getNumBases() > 0 || record->isUnion()) return {};
  for (const clang::FieldDecl* field : record->fields()) {
    const std::optional<DType> element = element_type(field->getType());
    const bool is_plain = field->getAccess() == clang::AS_public && !field->getType()->isReferenceType() &&
                          !field->isBitField() && !field->getName().empty();
    if (!element || !is_plain) return {};
    members.emplace_back(field->getNameAsString(), *element);
  }
  return members;
}

constexpr const char* kSeveralHint =
    "several results are members of a struct: struct Two { float a, b; }; "
    "inline __device__ Two f(float x)";

constexpr const char* kArrayHint =
    "kernels call it for one element; with `// sinter: row` above it they call it for a row of each array, by all "
    "threads of a block; what else needs a launch of its own is bound by --host-function";

constexpr const char* kRowForm = "inline __device__ void f(const float* x, float* y, int x_size)";

// What says, alone in a line of the comment above a function, that it computes a row.
constexpr const char* kRowMark = "// sinter: row";

constexpr const char* kHostForm = "inline cudaError_t f(cudaStream_t stream, const float* x, float* y): ";

// Finds functions once clang has read the includer.
class HeaderReader {
 public:
  HeaderReader(clang::ASTContext& context, CallSide side, DeviceHeader* header)
      : context_(context), side_(side), header_(header) {}

  void run() {
    for (auto& [name, functions] : header_->functions) find(name, &functions);
    list_functions(*context_.getTranslationUnitDecl());
  }

 private:
  // "kernels/my.cuh"; empty for our stand-ins.
  std::string path_of(clang::SourceLocation location) const {
    llvm::StringRef file = context_.getSourceManager().getPresumedLoc(location).getFilename();
    return file.consume_front(kProjectFolder) ? file.str() : "";
  }

  HeaderPlace place_of(clang::SourceLocation location) const {
    const clang::PresumedLoc place = context_.getSourceManager().getPresumedLoc(location);
    return {path_of(location), place.getLine(), place.getColumn()};
  }

  void find(llvm::StringRef name, std::vector<HeaderFunction>* functions) {
    clang::DeclContext* scope = context_.getTranslationUnitDecl();
    llvm::StringRef part, rest = name;
    std::tie(part, rest) = rest.split("::");
    for (; !rest.empty(); std::tie(part, rest) = rest.split("::")) {
      clang::DeclContext* inner = nullptr;
      for (clang::NamedDecl* found : scope->lookup(&context_.Idents.get(part))) {
        if (auto* alias = llvm::dyn_cast<clang::NamespaceAliasDecl>(found)) found = alias->getNamespace();
        if (auto* space = llvm::dyn_cast<clang::NamespaceDecl>(found)) inner = space;
      }
      if (inner == nullptr) return;
      scope = inner;
    }
    for (const clang::NamedDecl* found : scope->lookup(&context_.Idents.get(part))) {
      if (const auto* shadow = llvm::dyn_cast<clang::UsingShadowDecl>(found)) found = shadow->getTargetDecl();
      functions->push_back(read(*found));
    }
  }

  HeaderFunction read(const clang::NamedDecl& named) const {
    HeaderFunction result;
    result.place = place_of(named.getLocation());
    const auto refuse = [&](std::string why, std::string hint) {
      result.unusable = std::move(why);
      result.hint = std::move(hint);
    };
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&named);
    result.of_row = side_ == CallSide::kKernels && std::any_of(named.redecls_begin(), named.redecls_end(),
                                                               [&](const clang::Decl* one) { return is_marked(*one); });
    if (const auto* of_threads = llvm::dyn_cast<clang::FunctionTemplateDecl>(&named); result.of_row) {
      result.is_template = of_threads != nullptr && is_of_threads(*of_threads);
      if (result.is_template) function = of_threads->getTemplatedDecl();
    }
    // Which has the names that parameters are known by.
    if (function != nullptr && function->getDefinition() != nullptr) function = function->getDefinition();
    if (function == nullptr) {
      const bool is_template = llvm::isa<clang::FunctionTemplateDecl>(named);
      refuse(is_template ? "is a template" : "is no function",
             !is_template    ? "__device__ functions of elements are called"
             : result.of_row ? "one of a row may be a template of the number of threads alone, template <int kThreads>"
                             : "give the name of a function that calls it");
      return result;
    }
    if (const clang::Stmt* body = function->getBody()) result.body = place_of(body->getBeginLoc());
    result.is_read = !function->isInvalidDecl();
    result.result = type(function->getReturnType());
    for (const clang::ParmVarDecl* parameter : function->parameters()) {
      result.parameters.push_back({parameter->getNameAsString(), type(parameter->getType())});
    }
    const auto [why, hint] = result.of_row                 ? why_not_of_rows(*function, result)
                             : side_ == CallSide::kKernels ? why_not_in_kernels(*function, result)
                                                           : why_not_in_launcher(*function, result);
    refuse(why, hint);
    return result;
  }

  // Why one who includes the header cannot call the function, and what to write instead.
  static std::pair<std::string, std::string> why_not_included(const clang::FunctionDecl& function, const char* form) {
    const bool is_template = function.getDescribedFunctionTemplate() != nullptr;
    const bool is_shared =
        function.getFormalLinkage() == clang::Linkage::External && !function.isInlined() && !is_template;
    if (function.isInvalidDecl()) return {"is not what clang can read", ""};
    if (function.isVariadic()) return {"takes any number of arguments", "its parameters are counted"};
    if (function.getDefinition() == nullptr)
      return {"is declared, not defined", "the header holds the definition: nothing else is built or linked"};
    if (is_shared) return {"is not inline", std::string("several files may include the header: ") + form};
    return {};
  }

  // Whether the mark stands in the comment above.
  bool is_marked(const clang::Decl& declared) const {
    const clang::SourceManager& sources = context_.getSourceManager();
    clang::SourceLocation begin = sources.getExpansionLoc(declared.getBeginLoc());
    // To clang, a function begins behind what its attributes are, __device__ alone in a line.
    for (const clang::Attr* attribute : declared.attrs()) {
      const clang::SourceLocation at = sources.getExpansionLoc(attribute->getLocation());
      if (at.isValid() && sources.isWrittenInSameFile(at, begin) && at < begin) begin = at;
    }
    llvm::StringRef above = sources.getBufferData(sources.getFileID(begin)).take_front(sources.getFileOffset(begin));
    above = above.take_front(above.rfind('\n') == llvm::StringRef::npos ? 0 : above.rfind('\n'));
    while (!above.empty()) {
      const llvm::StringRef line =
          above.rsplit('\n').second.empty() && !above.contains('\n') ? above : above.rsplit('\n').second;
      if (!line.trim().starts_with("//")) return false;
      if (line.trim() == kRowMark) return true;
      above = above.contains('\n') ? above.rsplit('\n').first : "";
    }
    return false;
  }

  // template <int kThreads>
  static bool is_of_threads(const clang::FunctionTemplateDecl& function) {
    const clang::TemplateParameterList& parameters = *function.getTemplateParameters();
    if (parameters.size() != 1) return false;
    const auto* number = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameters.getParam(0));
    return number != nullptr && number->getType()->isSpecificBuiltinType(BuiltinType::Int);
  }

  static std::pair<std::string, std::string> why_not_of_rows(const clang::FunctionDecl& function,
                                                             const HeaderFunction& read) {
    using Kind = HeaderType::Kind;
    if (!is_of_device(function)) return {"is not __device__", kRowForm};
    if (auto why = why_not_included(function, "inline __device__ ..."); !why.first.empty()) return why;
    if (!function.getReturnType()->isVoidType())
      return {"gives " + read.result.text, std::string("a row is written where a pointer says: ") + kRowForm};
    for (const HeaderFunction::Parameter& parameter : read.parameters) {
      const Kind kind = parameter.type.kind;
      if (kind == Kind::kArray || kind == Kind::kWritten || kind == Kind::kElement) continue;
      return {"takes " + parameter.type.text + ", which is no row of elements and no number",
              "rows are const float*, the result float*, numbers stand behind them"};
    }
    return {};
  }

  static bool is_of_device(const clang::FunctionDecl& function) {
    const auto* device = function.getAttr<clang::CUDADeviceAttr>();
    return device != nullptr && !device->isImplicit();
  }

  static std::pair<std::string, std::string> why_not_in_kernels(const clang::FunctionDecl& function,
                                                                const HeaderFunction& read) {
    if (!is_of_device(function)) {
      if (read.result.kind == HeaderType::Kind::kError)
        return {"is not __device__", "--host-function binds a call to a function of the host, for whole arrays"};
      return {"is not __device__", "inline __device__ ...; kernels call it"};
    }
    if (auto why = why_not_included(function, "inline __device__ ..."); !why.first.empty()) return why;
    const HeaderType& result = read.result;
    const bool gives = result.kind == HeaderType::Kind::kElement || result.kind == HeaderType::Kind::kElements;
    const bool takes_rows = std::any_of(read.parameters.begin(), read.parameters.end(), [](const auto& parameter) {
      return parameter.type.kind == HeaderType::Kind::kArray;
    });
    if (function.getReturnType()->isVoidType()) return {"gives nothing", takes_rows ? kArrayHint : kSeveralHint};
    if (result.kind == HeaderType::Kind::kUnnamed)
      return {"gives " + result.text + ", which kernels cannot name",
              "a struct of a name of its own, outside of functions, and public"};
    if (function.getReturnType()->isReferenceType() || !gives)
      return {"gives " + result.text + ", which is no element and no struct of them", element_hint()};
    for (const HeaderFunction::Parameter& parameter : read.parameters) {
      const HeaderType::Kind kind = parameter.type.kind;
      if (kind == HeaderType::Kind::kArray || kind == HeaderType::Kind::kWritten)
        return {"takes " + parameter.type.text + ", which is no element", kArrayHint};
      if (kind != HeaderType::Kind::kElement)
        return {"takes " + parameter.type.text + ", which is no element", element_hint()};
    }
    return {};
  }

  static std::pair<std::string, std::string> why_not_in_launcher(const clang::FunctionDecl& function,
                                                                 const HeaderFunction& read) {
    using Kind = HeaderType::Kind;
    const std::string form = kHostForm;
    if (function.hasAttr<clang::CUDAGlobalAttr>())
      return {"is a kernel", form + "a function of the host that launches it"};
    if (is_of_device(function) && !function.hasAttr<clang::CUDAHostAttr>())
      return {"is __device__", form + "the host calls it; --device-function binds a function of elements"};
    if (auto why = why_not_included(function, "inline cudaError_t ..."); !why.first.empty()) return why;
    if (read.result.kind != Kind::kError)
      return {"gives " + read.result.text + ", not cudaError_t", form + "what its launches gave, cudaGetLastError()"};
    if (read.parameters.empty() || read.parameters[0].type.kind != Kind::kStream)
      return {"does not begin with a cudaStream_t", form + "what it launches goes into that stream"};
    for (size_t i = 1; i < read.parameters.size(); ++i) {
      const HeaderType& type = read.parameters[i].type;
      if (type.kind == Kind::kOther || type.kind == Kind::kStream || type.kind == Kind::kError)
        return {"takes " + type.text + ", which is no array of elements and no number",
                "arrays are const float*, results float*, a workspace is void*, numbers stand behind them"};
    }
    return {};
  }

  HeaderType type(clang::QualType type) const {
    using Kind = HeaderType::Kind;
    HeaderType result;
    result.text = type.getAsString(context_.getPrintingPolicy());
    const clang::QualType canonical = type.getCanonicalType();
    if (const auto* error = canonical->getAs<clang::EnumType>()) {
      const std::string name = error->getDecl()->getNameAsString();
      if (name == "cudaError" || name == "cudaError_t") result.kind = Kind::kError;
    } else if (canonical->isPointerType()) {
      const clang::QualType pointee = canonical->getPointeeType();
      const auto* record = pointee->getAs<clang::RecordType>();
      const bool is_plain = !pointee.isVolatileQualified();
      if (record != nullptr && record->getDecl()->getNameAsString() == "CUstream_st") {
        result.kind = Kind::kStream;
      } else if (pointee->isVoidType() && !pointee.isConstQualified()) {
        result.kind = Kind::kWorkspace;
      } else if (std::optional<DType> element = element_type(pointee); element && is_plain) {
        result.kind = pointee.isConstQualified() ? Kind::kArray : Kind::kWritten;
        result.element = element;
      }
    } else if (!type->isReferenceType() || type.getNonReferenceType().isConstQualified()) {
      // What it could write to is no element.
      result.element = element_type(type);
      if (result.element) result.kind = Kind::kElement;
      if (!result.element && !type->isReferenceType()) read_members(canonical, &result);
    }
    return result;
  }

  void read_members(clang::QualType type, HeaderType* result) const {
    result->members = members_of(type);
    if (result->members.empty()) return;
    result->kind = is_nameable(*type->getAsRecordDecl()) ? HeaderType::Kind::kElements : HeaderType::Kind::kUnnamed;
    clang::PrintingPolicy policy = context_.getPrintingPolicy();
    policy.SuppressTagKeyword = true;
    policy.FullyQualifiedName = true;
    policy.SuppressUnwrittenScope = true;  // of unnamed namespaces
    result->name = type.getUnqualifiedType().getAsString(policy);
  }

  // From the global namespace, with nothing but its name.
  static bool is_nameable(const clang::RecordDecl& record) {
    if (record.getParentFunctionOrMethod() != nullptr) return false;
    if (record.getDeclName().isEmpty()) return record.getTypedefNameForAnonDecl() != nullptr;
    const bool is_public = record.getAccess() == clang::AS_public || record.getAccess() == clang::AS_none;
    const auto hides = [](const clang::NamedDecl* other) {
      return llvm::isa<clang::FunctionDecl, clang::FunctionTemplateDecl, clang::VarDecl>(other);
    };
    const auto named = record.getDeclContext()->lookup(record.getDeclName());
    return is_public && std::none_of(named.begin(), named.end(), hides);
  }

  void list_functions(const clang::DeclContext& scope) {
    for (const clang::Decl* declared : scope.decls()) {
      if (const auto* inner = llvm::dyn_cast<clang::NamespaceDecl>(declared)) list_functions(*inner);
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declared);
      if (function == nullptr || path_of(function->getLocation()).empty()) continue;
      const bool is_kernel = function->hasAttr<clang::CUDAGlobalAttr>();
      if (side_ == CallSide::kKernels ? is_of_device(*function) : !is_of_device(*function) && !is_kernel)
        header_->others.insert(function->getQualifiedNameAsString());
    }
  }

  clang::ASTContext& context_;
  CallSide side_;
  DeviceHeader* header_;
};

class HeaderAction : public clang::ASTFrontendAction {
 public:
  HeaderAction(CallSide side, DeviceHeader* header) : side_(side), header_(header) {}

 private:
  class Consumer : public clang::ASTConsumer {
   public:
    Consumer(CallSide side, DeviceHeader* header) : side_(side), header_(header) {}
    void HandleTranslationUnit(clang::ASTContext& context) override { HeaderReader(context, side_, header_).run(); }

   private:
    CallSide side_;
    DeviceHeader* header_;
  };

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<Consumer>(side_, header_);
  }

  CallSide side_;
  DeviceHeader* header_;
};

// "kernels/my.cuh:3:10"; line 0 where it is no place.
HeaderPlace place_in(llvm::StringRef text) {
  HeaderPlace place;
  const auto [file, column] = text.rsplit(':');
  const auto [path, row] = file.rsplit(':');
  const bool known = !row.getAsInteger(10, place.line) && !column.getAsInteger(10, place.column);
  if (known) place.path = path.str();
  return known ? place : HeaderPlace();
}

// The errors among what clang said: "kernels/my.cuh:3:10: error: unknown type name 'flaot'". Notes behind one say
// which functions it could have meant.
std::vector<HeaderError> errors_in(llvm::StringRef said, const FileSet& headers) {
  std::vector<HeaderError> errors;
  while (!said.empty()) {
    llvm::StringRef line;
    std::tie(line, said) = said.split('\n');
    const auto [where, rest] = line.split(": ");
    const auto [kind, message] = rest.split(": ");
    if (kind == "note" && !errors.empty()) {
      const auto [before, call] = message.split("call to __");
      const bool is_other_side = call.starts_with("host__ function from __device__") ||
                                 call.starts_with("host__ function from __global__") ||
                                 call.starts_with("device__ function from __host__ function");
      if (!is_other_side || !headers.contains(place_in(where).path)) continue;
      if (!errors.back().is_certain) errors.back().message += ": " + ("call to __" + call).str();
      errors.back().is_certain = true;
    }
    if (kind == "error" || kind == "fatal error")
      errors.push_back({.place = place_in(where), .message = message.str()});
  }
  return errors;
}

// Of a parameter's type that clang does not know it takes another one.
void refuse_misread(const std::vector<HeaderError>& errors, HeaderFunction* function) {
  const HeaderPlace &name = function->place, &body = function->body;
  for (const HeaderError& error : errors) {
    const HeaderPlace& at = error.place;
    const bool is_before = std::tie(at.line, at.column) < std::tie(body.line, body.column);
    if (at.path == name.path && at.path == body.path && at.line >= name.line && is_before)
      function->unusable = "is not what clang can read: " + error.message;
  }
}

}  // namespace

DeviceHeader read_device_header(const FileSet& headers, const std::string& path, const std::vector<std::string>& names,
                                CallSide side) {
  DeviceHeader header;
  for (const std::string& name : names) header.functions[name];
  FileSet files = headers;
  files[kIncluder] = "#include \"" + path + "\"\n";
  HeaderAction action(side, &header);
  std::string said;
  const CudaSide compiled = side == CallSide::kKernels ? CudaSide::kDevice : CudaSide::kHost;
  const VirtualFiles includer = virtual_files(files);
  run_clang(action, compiled, kIncluder, /*warnings=*/false, includer, said);
  header.errors = errors_in(said, headers);
  for (auto& [name, functions] : header.functions) {
    for (HeaderFunction& function : functions) refuse_misread(header.errors, &function);
  }
  // Who compiles kernels reads the header once for the device, once for the host.
  clang::SyntaxOnlyAction other;
  run_clang(other, side == CallSide::kKernels ? CudaSide::kHost : CudaSide::kDevice, kIncluder, /*warnings=*/false,
            includer, said);
  if (header.errors.empty()) header.errors = errors_in(said, headers);
  return header;
}

}  // namespace sinter
