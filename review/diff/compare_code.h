// What two pieces of code have in common: the verdict of `sinter diff` on them, decided on their trees alone.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "review/read/code.h"

namespace sinter {

// In the order in which they are tried: the first that holds is said.
enum class Verdict : uint8_t {
  kIdentical,    // the same bytes
  kText,         // other names, comments, or order of what does not depend on each other: the same bits on all inputs
  kConstants,    // the same but for numbers
  kRounding,     // the same but for products and sums that fmaf makes one operation
  kSchedule,     // the same computation, run otherwise
  kComputation,  // another computation
  kInterface,    // other parameters
  kAdded,
  kRemoved,
  kSplit,
  kMerged,
  kHandEdited,  // not what sinter wrote, and more than numbers differ
  kUnknown,     // cannot be decided
};
const char* verdict_name(Verdict verdict);

struct NumberChange {
  std::string name;  // of a named constant; empty: a number in the text
  std::string from, to;
  int line = 0, line_after = 0;  // where it stands first; 0: in another file
  int count = 1;                 // places
};

struct Rename {
  std::string from, to;
};

struct CodeComparison {
  Verdict verdict = Verdict::kUnknown;
  std::vector<NumberChange> numbers;  // kConstants, kSchedule
  std::vector<Rename> renames;        // kText
  std::string reason;                 // one line: why it is unknown, what a schedule or an interface changed
};

// `renamed`: what other files' functions, and what other files name, were called before, by their names now. kText,
// kConstants, kRounding, kSchedule (only how far loops are unrolled, or the bounds of launches), kInterface (only the
// order of parameters), kUnknown (some of the code is not followed), or else kComputation: the code differs. It knows
// what one build takes of the files; compare_builds.h asks of all.
CodeComparison compare_code(const Code& before, const Code& after,
                            const std::map<std::string, std::string>& renamed = {});

}  // namespace sinter
