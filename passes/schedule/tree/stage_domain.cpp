#include "passes/schedule/tree/stage_domain.h"

#include <functional>
#include <numeric>

#include "passes/analysis/values/constants.h"
#include "passes/stages/domain/choose_domain.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/domain/row_width.h"
#include "passes/stages/stage_kind.h"

namespace sinter {
namespace {

bool is_row(std::string_view schedule) { return schedule.starts_with(kRow); }

// Each stage of a body, those in its loops too.
void visit_stages(std::vector<TreeNode>& body, const std::function<void(TreeNode&)>& visit) {
  for (TreeNode& item : body) {
    if (item.kind == TreeNode::Kind::kStage) visit(item);
    for (std::vector<TreeNode>& inner : item.bodies) visit_stages(inner, visit);
  }
}

std::string print_list(const int64_t* first, const int64_t* last) {
  std::string text = "[";
  for (const int64_t* number = first; number != last; ++number)
    text += (number == first ? "" : ",") + std::to_string(*number);
  return text + "]";
}

}  // namespace

bool has_domain(std::string_view schedule) { return schedule == kMap || is_row(schedule); }

const StageDomain* domain_of(const std::vector<TreeNode>& body) {
  for (const TreeNode& item : body) {
    if (item.kind == TreeNode::Kind::kStage && !item.domain.says_nothing()) return &item.domain;
    for (const std::vector<TreeNode>& inner : item.bodies) {
      if (const StageDomain* domain = domain_of(inner)) return domain;
    }
  }
  return nullptr;
}

void set_domain(const StageDomain& domain, std::vector<TreeNode>* body) {
  bool first = true;
  visit_stages(*body, [&](TreeNode& stage) {
    stage.domain = first ? domain : StageDomain();
    first = false;
  });
}

void leave_domain_open(std::vector<TreeNode>* body) {
  visit_stages(*body, [](TreeNode& stage) {
    if (has_domain(stage.schedule)) stage.domain = {.kind = StageDomain::Kind::kOpen};
  });
}

std::string print(const StageDomain& domain, std::string_view schedule) {
  std::string text;
  if (domain.kind != StageDomain::Kind::kDefault) text = is_row(schedule) ? "of " : "over ";
  if (domain.kind == StageDomain::Kind::kOpen) return text + "auto";
  const int64_t *first = domain.extents.data(), *last = first + domain.extents.size();
  if (domain.kind == StageDomain::Kind::kSaid) text += print_list(first, last);
  if (domain.of_block > 0) text += " in blocks of " + print_list(last - domain.of_block, last);
  if (domain.tile > 0) text += std::string(text.empty() ? "" : " ") + "in tiles of " + std::to_string(domain.tile);
  if (domain.width > 1) text += (text.empty() ? "by " : " by ") + std::to_string(domain.width);
  return text;
}

MapDomain meant_domain(const StageDomain* said, const KernelValues& kernel, bool maps_loops) {
  MapDomain domain = default_map_domain(kernel.context);
  domain.maps_loops = maps_loops;
  if (said == nullptr) return domain;
  if (said->kind == StageDomain::Kind::kSaid) {
    const auto block = said->extents.end() - static_cast<std::ptrdiff_t>(said->of_block);
    domain.extents = squeezed_dims(said->extents);
    domain.of_block = squeezed_dims({block, said->extents.end()}).size();
  }
  domain.width = said->width;
  domain.tile = said->tile;
  return domain;
}

std::optional<RowExtents> meant_rows(const StageDomain* said, const KernelValues& kernel) {
  if (said == nullptr || said->kind != StageDomain::Kind::kSaid) return default_rows(kernel.context.computed);
  const std::vector<int64_t>& extents = said->extents;
  const int64_t inner = extents.size() > 2 ? extents[2] : 1;
  return RowExtents{extents[0] * inner, extents[1], inner};
}

StageDomain said_domain(const MapDomain& domain, const KernelValues& kernel) {
  StageDomain said = {.of_block = domain.of_block, .width = domain.width, .tile = domain.tile};
  const bool is_default = domain.of_block == 0 && domain.extents == default_map_domain(kernel.context).extents;
  if (is_default) return said;
  said.kind = StageDomain::Kind::kSaid;
  said.extents = domain.extents;
  return said;
}

StageDomain said_rows(const RowExtents& rows, const KernelValues& kernel) {
  return default_rows(kernel.context.computed) == rows ? StageDomain() : full_rows(rows);
}

StageDomain full_rows(const RowExtents& rows) {
  StageDomain said = {.kind = StageDomain::Kind::kSaid, .extents = {rows.rows / rows.inner, rows.columns}};
  if (rows.inner > 1) said.extents.push_back(rows.inner);
  return said;
}

std::optional<StageDomain> choose_stage_domain(const KernelValues& kernel, std::string_view schedule, int64_t block,
                                               std::optional<DemandGraph::Failure>* failure) {
  if (const std::optional<Tier> tier = tier_of(schedule)) {
    const std::optional<RowExtents> rows = longest_rows(kernel.context.computed);
    if (!rows || !demand_row(kernel, *rows, failure)) return std::nullopt;
    StageDomain said = said_rows(*rows, kernel);
    said.width = choose_row_width(kernel, *rows, *tier, block);
    return said;
  }
  const std::optional<MapDemand> demand = choose_map(kernel, failure);
  if (!demand) return std::nullopt;
  return said_domain(map_launch_shape(*demand).domain, kernel);
}

}  // namespace sinter
