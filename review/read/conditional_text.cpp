#include "review/read/conditional_text.h"

#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

#include "review/read/token_text.h"
#include "review/verify/virtual_folders.h"

namespace sinter {

namespace {

using clang::SourceLocation;

class ConditionalText : public clang::PPCallbacks {
 public:
  ConditionalText(const clang::Preprocessor& reader, std::vector<Conditional>* found)
      : reader_(reader), sources_(reader.getSourceManager()), found_(*found) {}

  void If(SourceLocation at, clang::SourceRange, ConditionValueKind) override { open_.push_back(at); }
  void Ifdef(SourceLocation at, const clang::Token&, const clang::MacroDefinition&) override { open_.push_back(at); }
  void Ifndef(SourceLocation at, const clang::Token&, const clang::MacroDefinition&) override { open_.push_back(at); }

  void Endif(SourceLocation at, SourceLocation) override {
    const SourceLocation begin = open_.back();
    open_.pop_back();
    // The outermost has what is inside it.
    const auto in_file = [&](SourceLocation other) { return sources_.getFileID(other) == sources_.getFileID(at); };
    if (std::none_of(open_.begin(), open_.end(), in_file)) add(begin, sources_.getFileOffset(at), false);
  }

  void PragmaDirective(SourceLocation at, clang::PragmaIntroducerKind) override {
    at = sources_.getSpellingLoc(at);
    const llvm::StringRef file = sources_.getBufferData(sources_.getFileID(at));
    const size_t begin = sources_.getFileOffset(at), end = std::min(file.find('\n', begin), file.size());
    if (!is_in_tree(file.slice(begin, end))) add(at, end, true);
  }

  // A number of the build in the code: __CUDA_ARCH__.
  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& macro, clang::SourceRange,
                    const clang::MacroArgs*) override {
    const clang::MacroInfo* info = macro.getMacroInfo();
    const bool of_build = info != nullptr && !info->isBuiltinMacro() &&
                          sources_.isWrittenInBuiltinFile(info->getDefinitionLoc()) &&
                          !reader_.isParsingIfOrElifDirective();
    const SourceLocation at = sources_.getSpellingLoc(name.getLocation());
    if (of_build) add(at, sources_.getFileOffset(at) + name.getLength(), true);
  }

 private:
  // Pragmas that say what the tree has, as directives or operators.
  static bool is_in_tree(llvm::StringRef line) {
    llvm::SmallVector<llvm::StringRef, 8> words;
    llvm::SplitString(line, words, " \t#_()\"");
    if (words.size() < 2) return false;
    return words[1] == "once" || words[1] == "unroll" || words[1] == "nounroll" ||
           (words.size() > 2 && words[1] == "clang" && words[2] == "loop") ||
           (words.size() > 2 && words[1] == "GCC" && words[2] == "unroll");
  }

  void add(SourceLocation begin, size_t end, bool pragma) {
    // The file, whatever a #line says of it.
    const clang::OptionalFileEntryRef entry = sources_.getFileEntryRefForID(sources_.getFileID(begin));
    llvm::StringRef name = entry ? entry->getName() : "";
    if (!name.consume_front(kProjectFolder)) return;
    const llvm::StringRef file = sources_.getBufferData(sources_.getFileID(begin));
    found_.push_back({.file = name.str(),
                      .line = static_cast<int>(sources_.getSpellingLineNumber(begin)),
                      .tokens = token_text(file.slice(sources_.getFileOffset(begin), end)),
                      .pragma = pragma});
  }

  const clang::Preprocessor& reader_;
  const clang::SourceManager& sources_;
  std::vector<Conditional>& found_;
  std::vector<SourceLocation> open_;
};

}  // namespace

std::unique_ptr<clang::PPCallbacks> conditional_text(const clang::Preprocessor& reader,
                                                     std::vector<Conditional>* found) {
  return std::make_unique<ConditionalText>(reader, found);
}

}  // namespace sinter
