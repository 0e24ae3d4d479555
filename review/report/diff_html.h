// What a change did, as one HTML page that needs nothing else (docs/review.md).
#pragma once

#include <string>

#include "review/diff/diff_programs.h"

namespace sinter {

std::string diff_html(const std::vector<ProgramDiff>& programs);

}  // namespace sinter
