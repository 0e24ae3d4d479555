// What every contract kernel without tensor cores says, whatever it computes: where elements of a tile are in shared
// memory, what part of them each thread loads and multiplies, and the loop that multiplies them. Text, with constants
// by name.
#pragma once

#include <set>
#include <string>

#include "passes/stages/products/simt_form.h"

namespace sinter {

struct SimtText {
  SimtForm form;
  SimtThreads threads;
  std::string sum;           // the type that is summed in: "float"
  std::string lhs, rhs;      // those that tiles hold
  std::string product = {};  // "fmaf"; empty: `sum += a * b`

  std::string shared(const std::string& more) const;  // struct Shared; `more` members after the tiles
  std::string places() const;                         // lhs_row, lhs_k, rhs_k, rhs_column, sum_at
  std::string coordinates() const;                    // of a thread's sums, beside those of the tile
  std::string main_loop() const;                      // declares `sums`
  std::string fragments() const;                      // of the k loop's step: what of the tiles a thread needs
  std::string sums_to_shared() const;
};

// Names that the text declares: parameters may not have them.
const std::set<std::string>& simt_names();

}  // namespace sinter
