// What we tell the user: errors, warnings and notes with a place, a stable code and a hint.
//
//   model.hlo:12:14: error[E0231]: reduce: dimension 3 is out of range for f32[4,5]
//     %r = f32[4]{0} reduce(%x, %zero), dimensions={3}, to_apply=%add
//                    ^
//   note: dimensions must be between 0 and 1
//
// Codes and their explanations are listed in error_codes.def (`sinter help E0231` prints one).
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ir/support/source.h"

namespace sinter {

enum class Severity { kError, kWarning, kNote };

// Codes are E<number> for errors and W<number> for warnings; the first digits group them:
// E01xx lexical and syntax, E02xx verifier, E03xx not supported, E04xx plan files, E05xx files and options.
struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;     // "E0231"; empty for notes
  std::string message;  // one line
  std::string hint;     // what to do instead; may be empty
  Loc loc;
  std::shared_ptr<const Source> source = nullptr;  // that `loc` is a place of, where it is not the text being compiled
};

class Diagnostics {
 public:
  explicit Diagnostics(const Source& source) : source_(&source) {}

  // After kMaxErrors errors the rest is counted but not kept.
  static constexpr int kMaxErrors = 20;

  void error(Loc loc, std::string_view code, std::string message, std::string hint = "");
  // At a place of another text, such as a plan file.
  void error_in(std::shared_ptr<const Source> source, Loc loc, std::string_view code, std::string message,
                std::string hint);
  void warning(Loc loc, std::string_view code, std::string message, std::string hint = "");
  void note(Loc loc, std::string message);

  bool ok() const { return errors_ == 0; }
  int error_count() const { return errors_; }
  const std::vector<Diagnostic>& all() const { return diagnostics_; }
  const Source& source() const { return *source_; }

  // All of them as text, in the order reported; with line and caret where the place is known.
  std::string render(bool colours = false) const;

 private:
  const Source* source_;
  std::vector<Diagnostic> diagnostics_;
  int errors_ = 0;
};

// 1-based line and column (in bytes) of an offset.
struct LineColumn {
  int line = 0;
  int column = 0;
};
LineColumn line_column(const Source& source, Loc loc);

// The explanation of a code for `sinter help`, or empty.
std::string_view explain_code(std::string_view code);

// Our own bugs: not a diagnostic but an exception, which the driver reports with a reproducer (exit status 3).
// `where` names the pass, `what` the instruction and the broken expectation.
class InternalError : public std::logic_error {
 public:
  InternalError(std::string_view where, std::string_view what);
};
inline void check(bool condition, std::string_view where, std::string_view what) {
  if (!condition) throw InternalError(where, what);
}

}  // namespace sinter
