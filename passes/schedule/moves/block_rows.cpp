#include "passes/schedule/moves/block_rows.h"

#include <algorithm>
#include <set>

#include "ir/support/ceil_div.h"
#include "passes/analysis/values/arrays.h"
#include "passes/analysis/values/constants.h"
#include "passes/analysis/values/hardware.h"
#include "passes/stages/scans/scan.h"
#include "passes/stages/stage_kind.h"

namespace sinter {
namespace {

using Values = std::set<const Instruction*>;
using Items = std::vector<TreeNode>;

// What a kernel of one stage computes; empty of any other.
Values values_of(const InstructionsByName& instructions, const TreeNode& item) {
  Values values;
  const bool is_kernel = item.kind == TreeNode::Kind::kKernel && split_of(item) == nullptr && item.body().size() == 1;
  if (!is_kernel || item.body()[0].kind != TreeNode::Kind::kStage) return values;
  const TreeNode& stage = item.body()[0];
  if (stage.schedule != kMap && stage.schedule != kScan && !tier_of(stage.schedule)) return values;
  for (const TreeValue& value : stage.values) {
    if (value.in_place || value.layer) return {};
    values.insert(instructions.at(value.name));
  }
  return values;
}

// The rows of a scan, of which a block's threads may have an element each.
std::optional<std::vector<int64_t>> rows_in_blocks(const Instruction& scan) {
  const std::optional<ScanExtents> extents = scan_extents(scan);
  if (!extents || extents->reverse || extents->dimension + 1 != scan.shape.rank()) return std::nullopt;
  const bool fits = extents->columns >= kWarp && extents->columns <= kMostThreads && extents->rows > 1;
  return fits ? std::optional(squeezed_dims(scan.shape.dims)) : std::nullopt;
}

// Whether a kernel computes or reads arrays with an element for each of the rows'.
bool has_elements(const Values& values, int64_t elements) {
  const auto is_such = [&](const Instruction* array) {
    return array->shape.is_array() && array->shape.element_count() == elements;
  };
  return std::ranges::any_of(values, [&](const Instruction* value) {
    return is_such(value) || std::ranges::any_of(array_operands(*value), is_such);
  });
}

// The kernels [first, last] of a list as one.
TreeNode joined(const InstructionsByName& instructions, const Items& items, size_t first, size_t last,
                const std::vector<int64_t>& rows) {
  TreeNode kernel = items[last];
  kernel.grid[0] = 0;
  kernel.block[0] = ceil_div(rows.back(), kWarp) * kWarp;
  TreeNode& stage = kernel.body()[0];
  stage.schedule = kMap;
  stage.domain = {.kind = StageDomain::Kind::kSaid, .extents = rows, .of_block = 1};
  stage.values.clear();
  for (size_t i = first; i <= last; ++i) {
    for (const TreeValue& value : items[i].body()[0].values) {
      const auto known = std::ranges::find(stage.values, value.name, &TreeValue::name);
      if (known == stage.values.end()) {
        stage.values.push_back(value);
      } else {
        known->stored |= value.stored;
      }
    }
  }
  std::ranges::sort(stage.values, {}, [&](const TreeValue& value) { return instructions.at(value.name)->position(); });
  return kernel;
}

// Of what a kernel computes that the others of the run read, all that nothing else does.
std::vector<std::string> kept_in(const Values& all) {
  std::vector<std::string> names;
  for (const Instruction* value : in_text_order({all.begin(), all.end()})) {
    const auto is_among = [&](const Instruction* user) { return all.contains(user); };
    const bool is_result = value->parent()->root() == value;
    if (!is_result && std::ranges::all_of(value->users(), is_among)) names.push_back(value->name);
  }
  return names;
}

// Where a kernel stands: in the program's items, or those of a loop or branch of the host.
struct Place {
  Items* items = nullptr;
  size_t at = 0;
};

std::optional<Place> place_of(const InstructionsByName& instructions, Tree* tree, const Instruction& scan) {
  std::vector<Items*> lists = {&tree->items};
  for (size_t i = 0; i < lists.size(); ++i) {
    for (size_t at = 0; at < lists[i]->size(); ++at) {
      TreeNode& item = (*lists[i])[at];
      if (values_of(instructions, item).contains(&scan)) return Place{lists[i], at};
      const bool of_host =
          item.kind == TreeNode::Kind::kBranch || (item.kind == TreeNode::Kind::kLoop && item.scope == Scope::kHost);
      if (!of_host) continue;
      for (Items& body : item.bodies) lists.push_back(&body);
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<RowsInBlocks> join_in_blocks(const InstructionsByName& instructions, const Tree& tree,
                                         const Instruction& scan) {
  std::vector<RowsInBlocks> results;
  Tree whole = tree;
  const std::optional<std::vector<int64_t>> rows = rows_in_blocks(scan);
  const std::optional<Place> place = rows ? place_of(instructions, &whole, scan) : std::nullopt;
  if (!place) return results;
  const Items& items = *place->items;
  const auto fits = [&](size_t i) {
    return has_elements(values_of(instructions, items[i]), scan.shape.element_count());
  };
  size_t first = place->at, last = place->at;
  while (first > 0 && fits(first - 1)) --first;
  while (last + 1 < items.size() && fits(last + 1)) ++last;

  std::vector<std::pair<size_t, size_t>> runs;
  const auto offer = [&](size_t from, size_t to) {
    if (from < to && std::ranges::find(runs, std::pair(from, to)) == runs.end()) runs.emplace_back(from, to);
  };
  offer(first, last);
  offer(place->at, last);
  offer(first, place->at);
  for (const auto& [from, to] : runs) {
    Values all;
    for (size_t i = from; i <= to; ++i) all.merge(values_of(instructions, items[i]));
    RowsInBlocks& result = results.emplace_back(RowsInBlocks{tree, kept_in(all)});
    Items& list = *place_of(instructions, &result.tree, scan)->items;
    list[to] = joined(instructions, items, from, to, *rows);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(from), list.begin() + static_cast<std::ptrdiff_t>(to));
  }
  return results;
}

}  // namespace sinter
