#include "ir/support/topological_order.h"

#include <utility>

#include "ir/support/diagnostics.h"

namespace sinter {

std::vector<size_t> topological_order(const std::vector<Waiting>& things) {
  std::vector<std::vector<size_t>> before(things.size()), rather_before(things.size());
  std::vector<size_t> waits(things.size()), hopes(things.size());
  for (size_t i = 0; i < things.size(); ++i) {
    for (const size_t other : things[i].after) before[other].push_back(i);
    for (const size_t other : things[i].rather_after) rather_before[other].push_back(i);
    waits[i] = things[i].after.size();
    hopes[i] = things[i].rather_after.size();
  }
  std::set<std::pair<size_t, size_t>> ready, held;  // rank, number; held: only by what it would rather come after
  const auto release = [&](size_t i) { (hopes[i] == 0 ? ready : held).emplace(things[i].rank, i); };
  for (size_t i = 0; i < things.size(); ++i) {
    if (waits[i] == 0) release(i);
  }
  std::vector<size_t> order;
  while (!ready.empty() || !held.empty()) {
    auto& from = ready.empty() ? held : ready;
    const size_t number = from.begin()->second;
    from.erase(from.begin());
    order.push_back(number);
    for (const size_t next : before[number]) {
      if (--waits[next] == 0) release(next);
    }
    for (const size_t next : rather_before[number]) {
      if (--hopes[next] == 0 && held.erase({things[next].rank, next}) > 0) release(next);
    }
  }
  check(order.size() == things.size(), "topological_order", "things wait for each other in a circle");
  return order;
}

}  // namespace sinter
