// How the carries of a host loop hand their values on: which the body computes, which only move from carry to carry,
// and which of them a carry holds after so many iterations.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/module/module.h"
#include "passes/analysis/loops/while_analysis.h"

namespace sinter {

struct CarryFlow {
  enum class Source : uint8_t {
    kCounter,    // advances by a constant, and the trip count is known: no memory
    kUnchanged,  // the body returns what it was given
    kComputed,   // a value the body computes, or what the counter was: rings[ring]
    kMoved,      // what carry `from` held
    kOutside,    // a value the body does not compute: a constant, an unchanged carry
  };
  struct Element {
    Source source = Source::kComputed;
    size_t ring = 0;
    size_t from = 0;
    const Instruction* next = nullptr;  // array in the body
  };
  // A value that the body computes for carries. Carries that get it by moving hold it when it is older: `age` counts
  // the iterations since it was computed, of the carry that holds it longest.
  struct Ring {
    const Instruction* value = nullptr;
    int64_t oldest = 0;
    size_t carry = 0;  // the first that gets it as it is computed
  };
  // What a carry holds.
  struct Held {
    enum class Kind : uint8_t { kComputed, kInitial, kOutside };
    Kind kind = Kind::kInitial;
    size_t ring = 0;
    int64_t iteration = 0;  // kComputed: in which the value was computed
    size_t carry = 0;       // kInitial: whose initial value; kOutside: whose `next`
  };

  std::vector<Element> carries;
  std::vector<Ring> rings;

  // What carry `k` holds after `iterations` of them.
  Held after(size_t k, int64_t iterations) const;
  // The ring whose value carry `k` comes to hold, and its age at the start of the iteration after the one that
  // computed it (0: just computed). nullopt: it never holds a computed value.
  std::optional<std::pair<size_t, int64_t>> drawn_from(size_t k) const;
};

CarryFlow carry_flow(const Instruction& loop, const WhileInfo& info);

}  // namespace sinter
