#include "passes/demand/views/records.h"

#include <algorithm>
#include <optional>

#include "ir/values/shape.h"
#include "passes/analysis/values/hardware.h"
#include "passes/demand/index_ranges.h"

namespace sinter {

namespace {

// Of larger records a thread has a line of memory alone; all of a thread's are in registers at a time.
constexpr int64_t kMostOfRecord = 8, kMostOfThread = 32;

int64_t modulo(int64_t value, int64_t divisor) { return ((value % divisor) + divisor) % divisor; }

std::optional<RecordPart> part_of_record(const IndexExpr& offset, int lane, const std::vector<int>& along,
                                         int64_t width) {
  RecordPart place;
  place.size = offset.coefficient_of_coordinate(lane);
  if (place.size < 2 || place.size > kMostOfRecord) return std::nullopt;
  const int64_t whole = place.size * width;
  place.part = modulo(offset.constant(), whole);
  if (place.part >= place.size || whole > kMostOfThread) return std::nullopt;
  const auto is_along = [&](const IndexExpr::Atom& atom) {
    return atom.kind == IndexExpr::AtomKind::kCoordinate &&
           (atom.id == lane || std::ranges::find(along, atom.id) != along.end());
  };
  for (const IndexExpr::Term& term : offset.terms()) {
    if (is_along(*term.atom)) continue;
    bool differs = term.atom->kind == IndexExpr::AtomKind::kValue;
    term.atom->operand.visit_leaves(
        [&](const IndexExpr::Atom& leaf) { differs |= leaf.kind == IndexExpr::AtomKind::kValue || is_along(leaf); });
    if (differs || term.coefficient % whole != 0) return std::nullopt;
  }
  place.first = offset - place.part;
  return place;
}

using RecordOf = std::pair<const Instruction*, IndexExpr>;

}  // namespace

Records find_records(const DemandGraph& graph, int lane, const std::vector<int>& along, int scope, int64_t width) {
  Records records;
  std::map<RecordOf, std::vector<size_t>> stored;
  for (size_t number = 0; number < graph.stores.size(); ++number) {
    const DemandStore& store = graph.stores[number];
    if (store.scope != scope || !store.owners.empty()) continue;
    if (width * dtype_bytes(graph.nodes[store.node].dtype) > kAccessBytes) continue;
    const std::optional<RecordPart> place = part_of_record(store.offset, lane, along, width);
    if (!place) continue;
    stored[{store.value, place->first}].push_back(number);
    records.stores[number] = *place;
  }
  for (const auto& [record, numbers] : stored) {
    std::set<int64_t> parts;
    for (const size_t number : numbers) parts.insert(records.stores.at(number).part);
    const auto size = static_cast<size_t>(records.stores.at(numbers[0]).size);
    if (parts.size() == size && numbers.size() == size) continue;
    for (const size_t number : numbers) records.stores.erase(number);
  }
  std::map<RecordOf, std::vector<NodeId>> loaded;
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    const DemandNode& node = graph.nodes[id];
    const bool plain = node.kind == DemandNode::Kind::kLoad && node.guard == 0 && node.instruction->shape.is_array() &&
                       (node.scope == 0 || node.scope == scope);
    if (!plain || width * dtype_bytes(node.dtype) > kAccessBytes) continue;
    const std::optional<RecordPart> place = part_of_record(node.expr, lane, along, width);
    if (!place) continue;
    const IndexExpr last = place->first + (place->size - 1);
    const IndexRange array = {0, node.instruction->shape.element_count() - 1};
    if (!inside(place->first.range(), array) || !inside(last.range(), array)) continue;
    loaded[{node.instruction, place->first}].push_back(static_cast<NodeId>(id));
    records.loads[static_cast<NodeId>(id)] = *place;
  }
  // Records of which little is read had better be left where they are.
  for (const auto& [record, ids] : loaded) {
    std::set<int64_t> parts;
    for (const NodeId id : ids) parts.insert(records.loads.at(id).part);
    if (2 * std::ssize(parts) >= records.loads.at(ids[0]).size) continue;
    for (const NodeId id : ids) records.loads.erase(id);
  }
  for (const auto& [id, place] : records.loads) records.offsets.insert(graph.nodes[id].expr);
  for (const auto& [number, place] : records.stores) records.offsets.insert(graph.stores[number].offset);
  return records;
}

}  // namespace sinter
