// Random edits of one token of CUDA C++, as a slip of the hand makes them.
#pragma once

#include <optional>
#include <string>

#include "tests/random/random.h"

namespace sinter {

struct Mutation {
  std::string text;  // all of the file
  int line = 0;      // that was edited
  std::string what;  // "kRows -> kColumns"
};

// Another operator, number or name in a token's place, a token left out, or two that change places. Comments and
// directives stay. Which edit it is depends on the order of the tokens alone: files that differ in a name get the same.
// nullopt where the token that was drawn has no such edit.
std::optional<Mutation> mutate(const std::string& text, Random& random);

}  // namespace sinter
