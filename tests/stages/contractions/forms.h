// Forms of contractions, whatever suits their size: the choice of homes takes tensor cores and skinny products for
// large arrays only, and tests have small ones.
#pragma once

#include <optional>
#include <string>

#include "driver/compile/compile.h"
#include "tests/random/random.h"

namespace sinter {

struct CompiledInForm {
  Artifact artifact;
  std::string plan;  // that was given; empty: as it was chosen
};
// Compiles with a plan that says, of each kernel with a contraction, a form that is drawn: an element a thread, tensor
// cores, tiles without them, vectors times a matrix, where one of some tries fits, and the one that was chosen where
// none does. `only`: of tiles that begin so, "simt", "mma int8", "wgmma 3xtf32", or with "tma", wherever one of some
// tries fits; "": of all.
std::optional<CompiledInForm> compile_in_form(CompileOptions options, Random& random, const std::string& only,
                                              Diagnostics& diagnostics);

}  // namespace sinter
