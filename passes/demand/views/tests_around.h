// What the tests around a choice leave of its own: behind `j >= 1` that `(j + 1) / 2 >= 1` holds is known.
#pragma once

#include <map>
#include <optional>

#include "passes/demand/demand.h"

namespace sinter {

// A choice's test where it is reached. What is known of it is always true there, or never.
struct LeftTest {
  DemandTest test;  // without limits that are kept anyway
  std::optional<bool> known;
};

class TestsAround {
 public:
  explicit TestsAround(const DemandGraph& graph);
  // Of a kChoose.
  LeftTest left(const DemandNode& choice) const;

 private:
  struct Arm {
    NodeId choice = kNoNode;
    size_t side = 0;
  };
  const DemandGraph& graph_;
  std::map<int, Arm> arms_;  // guard scopes
};

}  // namespace sinter
