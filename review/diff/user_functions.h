// What a kernel or a launcher calls of headers of the user's own: neither the text that a folder is made of nor
// module.hlo says what is in these.
#pragma once

#include <string>
#include <vector>

#include "review/diff/folder_side.h"

namespace sinter {

struct FunctionChange {
  Verdict verdict = Verdict::kIdentical;  // on the file before, with its headers and with those that are there after
  std::vector<std::string> headers;       // those that are other code; both, or either of the folders has them
  bool computes_otherwise() const { return verdict > Verdict::kText && verdict != Verdict::kSchedule; }
};

// Of a file of the folder before.
FunctionChange function_change(const Side& before, const Side& after, const std::string& path);

}  // namespace sinter
