#include "passes/schedule/moves/recompute.h"

#include <algorithm>
#include <map>
#include <set>

#include "passes/names/source_order.h"
#include "passes/names/value_names.h"
#include "passes/schedule/moves/launch_part.h"
#include "passes/schedule/moves/share_launches.h"

namespace sinter {
namespace {

using TreeKind = TreeNode::Kind;
using Values = std::set<const Instruction*>;

// What runs together: a kernel, or a part of one whose blocks are divided.
struct Unit {
  TreeNode* kernel = nullptr;
  size_t part = 0;
  std::vector<TreeNode>* body = nullptr;
  Values values;  // of stages and loops inside

  const std::string& name() const {
    const TreeNode* split = split_of(*kernel);
    return split == nullptr || split->parts[part].empty() ? kernel->name : split->parts[part];
  }
};

class Recomputer {
 public:
  Recomputer(const InstructionsByName& instructions, Tree* tree) : by_name_(instructions), tree_(*tree) {}

  // The units that compute the value now.
  std::optional<std::vector<std::string>> recompute(const std::string& name) {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return std::nullopt;
    const Instruction* value = found->second;
    const auto is_maker = [&](const TreeNode& kernel) { return values_in(kernel.bodies).count(value) > 0; };
    std::vector<TreeNode>* items = items_with(is_maker);
    if (items == nullptr) return std::nullopt;
    find_units(*items);
    find_readers(*value->parent());
    const auto makes = [&](const Unit& unit) { return unit.values.count(value) > 0; };
    const auto maker = std::find_if(units_.begin(), units_.end(), makes);
    if (updates_in_place(*maker)) return std::nullopt;

    const Values& readers = readers_[value];
    if (!std::all_of(readers.begin(), readers.end(), [&](const auto* reader) { return is_in_unit(reader); }))
      return std::nullopt;
    const std::optional<Values> again =
        computed_again(value, *maker, [&](const Instruction* made) { return is_read_outside(made, *maker); });
    if (!again) return std::nullopt;
    const std::vector<std::string> kernels = add_to_readers(value, *again);
    if (kernels.empty()) return std::nullopt;
    leave_open({value});
    keep_needed(&*maker);
    if (maker->body->empty() && !remove(*maker, items)) return std::nullopt;
    return kernels;
  }

  // The values that the kernel stored.
  std::optional<std::vector<std::string>> dissolve(const TreeNode* kernel) {
    std::vector<TreeNode>* items = items_with([&](const TreeNode& item) { return &item == kernel; });
    if (items == nullptr) return std::nullopt;
    find_units(*items);
    const auto unit =
        std::find_if(units_.begin(), units_.end(), [&](const Unit& other) { return other.kernel == kernel; });
    if (updates_in_place(*unit)) return std::nullopt;
    find_readers(*(*unit->values.begin())->parent());
    std::vector<const Instruction*> stored;
    for (const Instruction* value : unit->values) {
      if (is_read_outside(value, *unit)) stored.push_back(value);
    }
    std::vector<std::string> names;
    Values all;  // that is computed again
    for (const Instruction* value : in_text_order(stored)) {
      const std::optional<Values> again = computed_again(value, *unit, [](const Instruction*) { return false; });
      if (!again) return std::nullopt;
      all.insert(again->begin(), again->end());
      for (const Instruction* reader : readers_[value]) {
        const bool around = reader == nullptr || reader == value->parent()->root();
        if (!is_in_unit(reader) && !around) return std::nullopt;
      }
      add_to_readers(value, *again);
      names.push_back(value->name);
    }
    leave_open({stored.begin(), stored.end()});
    const Values late = written_over(stored, all);
    if (!late.empty() && !compute_last(late, *unit)) return std::nullopt;
    // Each is computed elsewhere now: also a result that others only happened to need.
    for (const Instruction* value : stored) {
      const auto computes = [&](const Unit& other) { return &other != &*unit && other.values.count(value) > 0; };
      if (std::none_of(units_.begin(), units_.end(), computes)) return std::nullopt;
    }
    if (!remove(*unit, items)) return std::nullopt;
    return names;
  }

 private:
  static bool is_group(const TreeNode& node) {
    return node.kind == TreeKind::kBranch || (node.kind == TreeKind::kLoop && holds_kernels(node));
  }

  // Of the units that compute these, who stores them changes, and with it what their domains had better be.
  void leave_open(const Values& values) {
    for (Unit& unit : units_) {
      const auto computes = [&](const Instruction* value) { return unit.values.count(value) > 0; };
      if (std::any_of(values.begin(), values.end(), computes)) leave_domain_open(unit.body);
    }
  }

  // The list of items, the program's or those of a loop or branch of the host, that has such a kernel.
  template <class Predicate>
  std::vector<TreeNode>* items_with(const Predicate& is_such) {
    std::vector<std::vector<TreeNode>*> lists = {&tree_.items};
    for (size_t i = 0; i < lists.size(); ++i) {
      for (TreeNode& item : *lists[i]) {
        if (item.kind == TreeKind::kKernel && is_such(item)) return lists[i];
        if (!is_group(item)) continue;
        for (std::vector<TreeNode>& body : item.bodies) lists.push_back(&body);
      }
    }
    return nullptr;
  }

  // What is updated in place is computed by one kernel.
  static bool updates_in_place(const Unit& unit) {
    return std::any_of(unit.body->begin(), unit.body->end(), [](const TreeNode& node) {
      return std::any_of(node.values.begin(), node.values.end(), [](const auto& value) { return value.in_place; });
    });
  }

  Values values_in(const std::vector<std::vector<TreeNode>>& bodies) const {
    Values values;
    std::vector<const std::vector<TreeNode>*> left;
    for (const std::vector<TreeNode>& body : bodies) left.push_back(&body);
    const auto add = [&](const std::string& name) {
      const auto found = by_name_.find(name);
      if (found != by_name_.end()) values.insert(found->second);
    };
    while (!left.empty()) {
      const std::vector<TreeNode>& body = *left.back();
      left.pop_back();
      for (const TreeNode& node : body) {
        if (node.kind == TreeKind::kLoop) add(node.name);
        for (const TreeValue& value : node.values) add(value.name);
        for (const std::vector<TreeNode>& inner : node.bodies) left.push_back(&inner);
      }
    }
    return values;
  }

  void find_units(std::vector<TreeNode>& items) {
    for (TreeNode& item : items) {
      if (item.kind != TreeKind::kKernel || item.body().empty()) continue;
      std::vector<std::vector<TreeNode>>& bodies = part_bodies(item);
      for (size_t part = 0; part < bodies.size(); ++part) {
        units_.push_back({&item, part, &bodies[part], values_in({bodies[part]})});
      }
    }
  }

  void find_readers(const Computation& computation) {
    for (const Instruction& instruction : computation.instructions()) {
      if (is_plumbing(instruction) && &instruction != computation.root()) continue;
      for (const Instruction* array : array_operands(instruction)) readers_[maker_of(array)].insert(&instruction);
    }
    if (!is_plumbing(*computation.root())) readers_[computation.root()].insert(nullptr);  // what is around it
  }

  bool is_in_unit(const Instruction* value) const {
    return std::any_of(units_.begin(), units_.end(), [&](const Unit& unit) { return unit.values.count(value) > 0; });
  }

  // Whether other units read it, or anything but a unit does.
  bool is_read_outside(const Instruction* value, const Unit& unit) const {
    const auto readers = readers_.find(value);
    if (readers == readers_.end()) return true;
    return std::any_of(readers->second.begin(), readers->second.end(), [&](const Instruction* reader) {
      bool found = false;
      for (const Unit& other : units_) {
        if (other.values.count(reader) == 0) continue;
        found = true;
        if (&other != &unit && other.values.count(value) == 0) return true;
      }
      return !found;
    });
  }

  // The value and what it is made of within its unit, but for what is stored there anyway. nullopt if a loop is.
  template <class Predicate>
  std::optional<Values> computed_again(const Instruction* value, const Unit& unit, const Predicate& is_stored) const {
    Values result = {value};
    std::vector<const Instruction*> open = {value};
    while (!open.empty()) {
      const Instruction* next = open.back();
      open.pop_back();
      if (next->opcode == Opcode::kWhile) return std::nullopt;
      for (const Instruction* array : array_operands(*next)) {
        const Instruction* maker = maker_of(array);
        if (unit.values.count(maker) == 0 || is_stored(maker)) continue;
        if (result.insert(maker).second) open.push_back(maker);
      }
    }
    return result;
  }

  // To the units that read the value and do not compute it; their names.
  std::vector<std::string> add_to_readers(const Instruction* value, const Values& again) {
    std::vector<std::string> names;
    const Values& readers = readers_[value];
    for (Unit& unit : units_) {
      const auto reads = [&](const Instruction* reader) { return unit.values.count(reader) > 0; };
      if (unit.values.count(value) > 0 || std::none_of(readers.begin(), readers.end(), reads)) continue;
      add(again, &unit);
      names.push_back(unit.name());
    }
    return names;
  }

  // Into the unit's first stage, or one of its own where it has none, in the order of the text.
  void add(const Values& values, Unit* unit) {
    std::vector<TreeNode>& body = *unit->body;
    if (split_of(*unit->kernel) == nullptr) unit->kernel->grid[0] = 0;
    if (body[0].kind != TreeKind::kStage) {
      TreeNode stage;
      stage.schedule = kMap;
      stage.domain.kind = StageDomain::Kind::kOpen;
      body.insert(body.begin(), std::move(stage));
    }
    std::vector<TreeValue>& list = body[0].values;
    for (const Instruction* value : values) {
      if (unit->values.insert(value).second) list.push_back({.name = value->name});
    }
    std::sort(list.begin(), list.end(), [&](const TreeValue& a, const TreeValue& b) {
      return by_name_.at(a.name)->position() < by_name_.at(b.name)->position();
    });
  }

  // Of `stored`, the results of the program whose memory is that of a parameter which `computed` reads.
  Values written_over(const std::vector<const Instruction*>& stored, const Values& computed) const {
    Values result;
    if (stored.empty()) return result;
    const Computation& level = *stored[0]->parent();
    const Module& module = *level.parent();
    if (&level != module.entry()) return result;
    const auto over = find_written_over(module, level_context(level, nullptr));
    const std::set<const Instruction*> reads = arrays_read(computed);
    for (const Instruction* value : stored) {
      const auto found = over.find(value);
      if (found != over.end() && meets(found->second, reads)) result.insert(value);
    }
    return result;
  }

  // Gives these values of a unit to the last block of the launch whose blocks read what they write over: a part of its
  // own. False where that is not one launch whose blocks are divided.
  bool compute_last(const Values& values, const Unit& unit) {
    TreeNode* launch = nullptr;
    for (const Unit& other : units_) {
      const auto computes = [&](const Instruction* value) { return other.values.count(value) > 0; };
      if (&other == &unit || std::none_of(values.begin(), values.end(), computes)) continue;
      if (launch != nullptr && launch != other.kernel) return false;
      launch = other.kernel;
    }
    if (launch == nullptr || split_of(*launch) == nullptr) return false;
    TreeNode stage;
    stage.schedule = kMap;
    stage.domain.kind = StageDomain::Kind::kOpen;
    for (const Instruction* value : in_text_order({values.begin(), values.end()}))
      stage.values.push_back({.name = value->name});
    TreeNode& split = launch->body()[0];
    split.bodies.push_back({std::move(stage)});
    split.parts.push_back(name_of_rest(values, unit));
    return true;
  }

  // The unit's name, unless that is of a value that is no longer among its own.
  static std::string name_of_rest(const Values& values, const Unit& unit) {
    const auto gives_name = [&](const Instruction* value) { return value_name(*value) == unit.name(); };
    const bool was_of_value = std::any_of(unit.values.begin(), unit.values.end(), gives_name);
    const bool is_of_value = std::any_of(values.begin(), values.end(), gives_name);
    return was_of_value && !is_of_value ? value_name(*in_text_order({values.begin(), values.end()}).back())
                                        : unit.name();
  }

  // Takes from a unit what nobody needs of it any more.
  void keep_needed(Unit* unit) {
    Values needed;
    std::vector<const Instruction*> open;
    for (const Instruction* value : unit->values) {
      if (is_read_outside(value, *unit) && needed.insert(value).second) open.push_back(value);
    }
    while (!open.empty()) {
      const Instruction* value = open.back();
      open.pop_back();
      for (const Instruction* array : array_operands(*value)) {
        const Instruction* maker = maker_of(array);
        if (unit->values.count(maker) > 0 && needed.insert(maker).second) open.push_back(maker);
      }
    }
    for (TreeNode& node : *unit->body) {
      if (node.kind != TreeKind::kStage) continue;
      std::erase_if(node.values, [&](const TreeValue& value) { return needed.count(by_name_.at(value.name)) == 0; });
    }
    std::erase_if(*unit->body,
                  [](const TreeNode& node) { return node.kind == TreeKind::kStage && node.values.empty(); });
  }

  // Removes a unit without values. False where only parts of a last block would be left.
  static bool remove(const Unit& unit, std::vector<TreeNode>* items) {
    if (split_of(*unit.kernel) == nullptr) {
      std::erase_if(*items, [&](const TreeNode& item) { return &item == unit.kernel; });
      return true;
    }
    TreeNode& split = unit.kernel->body()[0];
    split.bodies.erase(split.bodies.begin() + static_cast<std::ptrdiff_t>(unit.part));
    split.parts.erase(split.parts.begin() + static_cast<std::ptrdiff_t>(unit.part));
    if (unit.part < split.ranges.size()) {
      const int64_t blocks = split.ranges[unit.part].second - split.ranges[unit.part].first;
      split.ranges.erase(split.ranges.begin() + static_cast<std::ptrdiff_t>(unit.part));
      for (size_t i = unit.part; i < split.ranges.size(); ++i) {
        split.ranges[i].first -= blocks;
        split.ranges[i].second -= blocks;
      }
      unit.kernel->grid[0] -= blocks;
    }
    if (split.ranges.empty()) return false;
    if (split.bodies.size() == 1) {
      std::vector<TreeNode> only = std::move(split.bodies[0]);
      unit.kernel->body() = std::move(only);
    }
    return true;
  }

  const InstructionsByName& by_name_;
  Tree& tree_;
  std::vector<Unit> units_;
  std::map<const Instruction*, Values> readers_;  // looked up, never walked: the order of addresses shows nowhere
};

}  // namespace

std::optional<Recomputed> recompute(const InstructionsByName& instructions, const Tree& tree,
                                    const std::string& value) {
  Recomputed result{tree, {}};
  std::optional<std::vector<std::string>> kernels = Recomputer(instructions, &result.tree).recompute(value);
  if (!kernels) return std::nullopt;
  result.kernels = std::move(*kernels);
  return result;
}

std::optional<std::vector<std::string>> dissolve(const InstructionsByName& instructions, Tree* tree,
                                                 const TreeNode* kernel) {
  return Recomputer(instructions, tree).dissolve(kernel);
}

}  // namespace sinter
