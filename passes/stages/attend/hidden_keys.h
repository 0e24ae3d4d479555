// Which keys a query does not see, as the mask in a score's graph says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "passes/demand/demand.h"

namespace sinter {

// Scores of keys behind a query's last one are a constant, `score` or less, as are those before its first one, where
// it has one.
struct HiddenKeys {
  std::optional<IndexExpr> first;  // key, of coordinates batch and row; it does not fall with the row
  IndexExpr last;                  // likewise
  double score = 0;
};

// exp(-kNoWeight) is 0 in f32: beside a score that is larger by so much another has no weight.
inline constexpr double kNoWeight = 104;

struct MaskedScore {
  HiddenKeys hidden;
  // Where no other key is hidden: the operand of the score, a select, that keys from the first to the last one have.
  std::optional<size_t> seen_operand;
};

// select(query >= key, score, constant), in any of its spellings, also where other keys are masked too: of the graph's
// first result, of coordinates batch, row and key (attention.h), of so many keys. What is added to a score hides no
// key: the score might be as large. nullopt: no query has a last key.
std::optional<MaskedScore> masked_score(const DemandGraph& score, int64_t keys);

// From which key, and up to which one, a predicate may be `value`, and whether it is for all of these: of coordinates
// batch and row, neither falls with the row.
struct SeenKeys {
  std::optional<IndexExpr> first, last;
  bool all = false;
  bool some() const { return first || last; }
};
SeenKeys seen_keys(const DemandGraph& graph, NodeId predicate, bool value, int64_t keys);
// What is seen if both predicates hold. Of two limits the one that says more: that of the row, not of all.
SeenKeys both(const SeenKeys& a, const SeenKeys& b);

}  // namespace sinter
