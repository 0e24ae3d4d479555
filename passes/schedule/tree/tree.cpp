#include "passes/schedule/tree/tree.h"

#include "passes/schedule/tree/tree_words.h"

namespace sinter {

std::string_view scope_name(Scope scope) { return kScopeWords[static_cast<size_t>(scope)]; }

std::optional<Tier> row_tier(const TreeNode& kernel) {
  for (const TreeNode& item : kernel.body()) {
    if (item.kind != TreeNode::Kind::kStage) continue;
    if (const std::optional<Tier> tier = tier_of(item.schedule)) return tier;
  }
  return std::nullopt;
}

void plan_error(const Tree& tree, Loc loc, const std::string& code, const std::string& message, const std::string& hint,
                Diagnostics& diagnostics) {
  diagnostics.error_in(tree.source, tree.source == nullptr ? Loc() : loc, code, message, hint);
}

}  // namespace sinter
