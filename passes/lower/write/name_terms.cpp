#include "passes/lower/write/name_terms.h"

#include <algorithm>

#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/text/index_types.h"

namespace sinter {

namespace {

constexpr int64_t kFewestNamed = 8;  // smaller numbers are read as they are

}  // namespace

void name_terms(Expressions* expressions) {
  const DemandGraph& graph = *expressions->graph;
  std::vector<NamedConstant> constants;
  const auto name_of = [&](const std::string& word, int64_t extent) {
    int number = 1;
    for (const NamedConstant& constant : constants) {
      if (constant.name.compare(0, word.size(), word) != 0) continue;
      if (constant.value == std::to_string(extent)) return constant.name;
      ++number;
    }
    constants.push_back(
        {number == 1 ? word : word + std::to_string(number), extent_type(extent), std::to_string(extent)});
    return constants.back().name;
  };
  for (const DemandReduce& reduce : graph.reduces) {
    if (reduce.scope < 0 || reduce.cooperative || reduce.fills) continue;
    for (const int id : graph.scopes[reduce.scope].coordinates) {
      const DemandCoordinate& coordinate = graph.coordinates[id];
      if (coordinate.extent < kFewestNamed) continue;
      const std::string name = name_of(coordinate.name == "feature" ? "kFeatures" : "kTerms", coordinate.extent);
      expressions->trip_names[id] = name;
      expressions->along_rows.push_back({id, coordinate.extent, name});
    }
  }
  std::vector<NamedConstant>& all = expressions->kernel->constants;
  const auto threads = std::ranges::find(all, "kThreads", &NamedConstant::name);
  all.insert(threads, constants.begin(), constants.end());
}

void drop_unread_terms(const Block& block, Expressions* expressions) {
  std::set<std::string> names;
  for (const auto& [counter, name] : expressions->trip_names) {
    if (expressions->graph->coordinates[counter].role == CoordinateRole::kTerm) names.insert(name);
  }
  std::erase_if(expressions->kernel->constants, [&](const NamedConstant& constant) {
    return names.count(constant.name) > 0 && !mentions(block, constant.name);
  });
}

}  // namespace sinter
