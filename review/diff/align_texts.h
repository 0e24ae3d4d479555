// Which pieces of two texts, lines or tokens, are the same: a longest sequence that both have.
#pragma once

#include <string>
#include <vector>

namespace sinter {

// A place of both texts, or of one where the other is -1, in the order in which a diff shows them.
struct AlignedPiece {
  int before = -1, after = -1;
};

// Of texts that have millions of pairs of pieces between what they begin and end with alike, that is not worth the
// time: all of one and all of the other.
std::vector<AlignedPiece> align_texts(const std::vector<std::string>& before, const std::vector<std::string>& after);

}  // namespace sinter
