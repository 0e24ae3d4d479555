#include "passes/schedule/tree/tree.h"

#include "passes/schedule/tree/tree_words.h"

namespace sinter {

std::string_view scope_name(Scope scope) { return kScopeWords[static_cast<size_t>(scope)]; }

std::optional<Tier> row_tier(const TreeNode& kernel) {
  for (const TreeNode& item : kernel.body()) {
    if (item.kind != TreeNode::Kind::kStage) continue;
    for (size_t tier = 0; tier < kTierWords.size(); ++tier) {
      if (item.schedule == row_schedule(static_cast<Tier>(tier))) return static_cast<Tier>(tier);
    }
  }
  return std::nullopt;
}

void plan_error(const Tree& tree, Loc loc, const std::string& code, const std::string& message, const std::string& hint,
                Diagnostics& diagnostics) {
  diagnostics.error_in(tree.source, tree.source == nullptr ? Loc() : loc, code, message, hint);
}

}  // namespace sinter
