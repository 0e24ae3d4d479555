#include "passes/schedule/tree/storing_items.h"

#include <utility>

namespace sinter {

StoringItems storing_items(const std::vector<ItemValues>& items) {
  StoringItems all;
  std::set<const Instruction*> said;
  std::vector<std::pair<const Instruction*, size_t>> only_read;
  for (size_t i = 0; i < items.size(); ++i) {
    const ItemValues& item = items[i];
    if (item.kind == nullptr) continue;
    for (const Instruction* value : item.computed) {
      // A stage of its own gives what its operation gives.
      if (item.kind->own && own_kind(*value) == nullptr) {
        only_read.emplace_back(value, i);
        continue;
      }
      const auto place = all.item.try_emplace(value, i).first;
      if (item.stored.count(value) > 0 && said.insert(value).second) place->second = i;
      if (item.read.count(value) == 0 && all.given.insert(value).second && said.count(value) == 0) place->second = i;
    }
  }
  for (const auto& [value, item] : only_read) all.item.try_emplace(value, item);
  return all;
}

}  // namespace sinter
