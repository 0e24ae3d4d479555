#include "review/read/conditional_text.h"

#include <clang/Basic/SourceManager.h>

#include <algorithm>

#include "review/read/token_text.h"
#include "review/verify/cuda_source.h"

namespace sinter {

namespace {

using clang::SourceLocation;

class ConditionalText : public clang::PPCallbacks {
 public:
  ConditionalText(const clang::SourceManager& sources, std::vector<Conditional>* found)
      : sources_(sources), found_(*found) {}

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
    const llvm::StringRef file = sources_.getBufferData(sources_.getFileID(at));
    const size_t begin = sources_.getFileOffset(at), end = std::min(file.find('\n', begin), file.size());
    const llvm::StringRef line = file.slice(begin, end);
    // These say what the tree has.
    if (!line.contains("once") && !line.contains("unroll")) add(at, end, true);
  }

 private:
  void add(SourceLocation begin, size_t end, bool pragma) {
    const clang::PresumedLoc place = sources_.getPresumedLoc(begin);
    llvm::StringRef name = place.isValid() ? place.getFilename() : "";
    if (!name.consume_front(kProjectFolder)) return;
    const llvm::StringRef file = sources_.getBufferData(sources_.getFileID(begin));
    found_.push_back({.file = name.str(),
                      .line = static_cast<int>(place.getLine()),
                      .tokens = token_text(file.slice(sources_.getFileOffset(begin), end)),
                      .pragma = pragma});
  }

  const clang::SourceManager& sources_;
  std::vector<Conditional>& found_;
  std::vector<SourceLocation> open_;
};

}  // namespace

std::unique_ptr<clang::PPCallbacks> conditional_text(const clang::SourceManager& sources,
                                                     std::vector<Conditional>* found) {
  return std::make_unique<ConditionalText>(sources, found);
}

}  // namespace sinter
