// What an editor asks of a Grain text: what is wrong, what its names stand for, and what its entries become.
#pragma once

#include <string>
#include <vector>

#include "driver/compile/read_module.h"
#include "frontend/grain/parse_grain.h"
#include "ir/support/diagnostics.h"

namespace sinter {

struct DocumentFacts {
  std::vector<Diagnostic> diagnostics;  // of this text, once each
  std::vector<GrainName> names;
};

// Every entry is compiled to a module, at the sizes that the text gives. `read` gives the files that it names as the
// editor has them, saved or not.
DocumentFacts read_document(const Source& source, const FileReader& read);

// The name at this offset; nullptr where there is none.
const GrainName* name_at(const DocumentFacts& facts, size_t offset);

// What is shown above a line: a plan's launches, bytes and time at its entry, each kernel where its values begin.
struct PlanLine {
  int line = 0;  // from 1
  std::string text;
};
std::vector<PlanLine> plan_lines(const Source& source, const FileReader& read);

}  // namespace sinter
