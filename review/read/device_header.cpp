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
#include <llvm/ADT/StringRef.h>

#include <tuple>

#include "review/verify/cuda_source.h"

namespace sinter {

namespace {

using clang::BuiltinType;

// A file that includes the header, as kernels do.
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

// Finds functions once clang has read the includer.
class HeaderReader {
 public:
  HeaderReader(clang::ASTContext& context, DeviceHeader* header) : context_(context), header_(header) {}

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
    const clang::PresumedLoc place = context_.getSourceManager().getPresumedLoc(named.getLocation());
    result.place = {path_of(named.getLocation()), place.getLine(), place.getColumn()};
    const auto refuse = [&](std::string why, std::string hint) {
      result.unusable = std::move(why);
      result.hint = std::move(hint);
    };
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&named);
    if (function == nullptr) {
      const bool is_template = llvm::isa<clang::FunctionTemplateDecl>(named);
      refuse(is_template ? "is a template" : "is no function",
             is_template ? "give the name of a function that calls it" : "__device__ functions of elements are called");
      return result;
    }
    result.result = type(function->getReturnType());
    for (const clang::ParmVarDecl* parameter : function->parameters()) {
      result.parameters.push_back({parameter->getNameAsString(), type(parameter->getType())});
    }
    const auto* device = function->getAttr<clang::CUDADeviceAttr>();
    const clang::FunctionDecl* definition = function->getDefinition();
    const bool is_shared = function->getFormalLinkage() == clang::Linkage::External && !function->isInlined();
    if (device == nullptr || device->isImplicit()) {
      refuse("is not __device__", "inline __device__ ...; kernels call it");
    } else if (function->isInvalidDecl()) {
      refuse("is not what clang can read", "");
    } else if (function->isVariadic()) {
      refuse("takes any number of arguments", "elements are its parameters");
    } else if (definition == nullptr) {
      refuse("is declared, not defined", "each kernel is a file of its own: the header holds the definition");
    } else if (is_shared) {
      refuse("is not inline", "several files include the header: inline __device__ ...");
    } else if (function->getReturnType()->isReferenceType() || !result.result.element) {
      refuse("gives " + result.result.text + ", which is no element", element_hint());
    } else {
      for (const HeaderFunction::Parameter& parameter : result.parameters) {
        if (!parameter.type.element && result.unusable.empty())
          refuse("takes " + parameter.type.text + ", which is no element", element_hint());
      }
    }
    return result;
  }

  static std::string element_hint() {
    return "elements are bool, integers, float, double, __half and __nv_bfloat16, by value or const reference";
  }

  HeaderType type(clang::QualType type) const {
    HeaderType result = {.element = element_type(type), .text = type.getAsString(context_.getPrintingPolicy())};
    // What it could write to is no element.
    if (type->isReferenceType() && !type.getNonReferenceType().isConstQualified()) result.element = std::nullopt;
    return result;
  }

  void list_functions(const clang::DeclContext& scope) {
    for (const clang::Decl* declared : scope.decls()) {
      if (const auto* inner = llvm::dyn_cast<clang::NamespaceDecl>(declared)) list_functions(*inner);
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declared);
      const bool is_device = function != nullptr && function->hasAttr<clang::CUDADeviceAttr>();
      if (is_device && !path_of(function->getLocation()).empty())
        header_->others.insert(function->getQualifiedNameAsString());
    }
  }

  clang::ASTContext& context_;
  DeviceHeader* header_;
};

class HeaderAction : public clang::ASTFrontendAction {
 public:
  explicit HeaderAction(DeviceHeader* header) : header_(header) {}

 private:
  class Consumer : public clang::ASTConsumer {
   public:
    explicit Consumer(DeviceHeader* header) : header_(header) {}
    void HandleTranslationUnit(clang::ASTContext& context) override { HeaderReader(context, header_).run(); }

   private:
    DeviceHeader* header_;
  };

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<Consumer>(header_);
  }

  DeviceHeader* header_;
};

// The errors among what clang said: "kernels/my.cuh:3:10: error: unknown type name 'flaot'".
std::vector<HeaderError> errors_in(llvm::StringRef said) {
  std::vector<HeaderError> errors;
  while (!said.empty()) {
    llvm::StringRef line;
    std::tie(line, said) = said.split('\n');
    const auto [where, rest] = line.split(": ");
    const auto [kind, message] = rest.split(": ");
    if (kind != "error" && kind != "fatal error") continue;
    HeaderError error = {.place = {}, .message = message.str()};
    const auto [file, column] = where.rsplit(':');
    const auto [path, row] = file.rsplit(':');
    const bool known = !row.getAsInteger(10, error.place.line) && !column.getAsInteger(10, error.place.column);
    if (known) error.place.path = path.str();
    errors.push_back(std::move(error));
  }
  return errors;
}

}  // namespace

DeviceHeader read_device_header(const FileSet& headers, const std::string& path,
                                const std::vector<std::string>& names) {
  DeviceHeader header;
  for (const std::string& name : names) header.functions[name];
  FileSet files = headers;
  files[kIncluder] = "#include \"" + path + "\"\n";
  HeaderAction action(&header);
  std::string said;
  run_clang(action, CudaSide::kDevice, kIncluder, /*warnings=*/false, virtual_files(files), said);
  header.errors = errors_in(said);
  return header;
}

}  // namespace sinter
