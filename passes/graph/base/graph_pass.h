// A graph pass: HLO in, HLO out.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

struct GraphPassOptions {
  bool fma = true;                   // --no-fma turns the last pass off
  bool reassociate = false;          // --allow-reassociation: what docs/numerics.md lists under it
  bool keep_fusions = false;         // --keep-fusions: `fusion` instructions are not inlined
  bool warpgroup_chains = false;     // chains will be asked for of warpgroups (asked_forms.h)
  std::string dot_precision;         // --dot-precision: what products of f32 are made in that say nothing
  std::vector<std::string> without;  // passes that are left out of the pipeline
  std::vector<std::string> pinned;   // passes that make what they may, whatever is predicted: a plan has their stage
};

inline bool is_left_out(const GraphPassOptions& options, std::string_view pass) {
  return std::find(options.without.begin(), options.without.end(), pass) != options.without.end();
}
inline bool is_pinned(const GraphPassOptions& options, std::string_view pass) {
  return std::find(options.pinned.begin(), options.pinned.end(), pass) != options.pinned.end();
}

struct GraphPass {
  std::string_view name;                          // file, function and `opt --passes=` spelling: "fold_constants"
  std::string_view help;                          // one sentence
  bool (*run)(Module&, const GraphPassOptions&);  // true if something changed
  bool optional = false;                          // programs are right without it
};

}  // namespace sinter
