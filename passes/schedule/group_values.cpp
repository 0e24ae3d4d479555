#include "passes/schedule/group_values.h"

#include <algorithm>

#include "ir/op_table.h"
#include "passes/schedule/emittable.h"

namespace sinter {

namespace {

// A stage is cut above this many statements (design.md section 4).
constexpr size_t kMaxValues = 1500;
constexpr int64_t kMaxNodes = 2000;
// Recomputing in several kernels is worth it up to this cost an element (op_table.h), else the value is stored.
constexpr int kRecomputeCost = 12;

bool has_dot(const Group& group) {
  const std::set<const Instruction*>& values = group.values.context.computed;
  return std::any_of(values.begin(), values.end(), [](const Instruction* value) { return value->opcode == Opcode::kDot; });
}

bool has_contraction(const std::set<const Instruction*>& values) {
  return std::any_of(values.begin(), values.end(), [](const Instruction* value) { return is_contraction(*value); });
}

}  // namespace

bool is_plumbing(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kParameter:
    case Opcode::kConstant:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
    case Opcode::kOptBarrier:
    case Opcode::kAfterAll: return true;
    default: return false;
  }
}

const Instruction* array_value(const Instruction* value) {
  for (;;) {
    if (value->opcode == Opcode::kOptBarrier && value->shape.is_array()) {
      value = value->operand(0);
    } else if (value->opcode == Opcode::kGetTupleElement) {
      const Instruction* source = value->operand(0);
      while (source->opcode == Opcode::kOptBarrier) source = source->operand(0);
      if (source->opcode != Opcode::kTuple) return value;
      value = source->operand(*value->attributes.tuple_index);
    } else {
      return value;
    }
  }
}

std::vector<const Instruction*> array_operands(const Instruction& instruction) {
  std::vector<const Instruction*> result;
  std::vector<const Instruction*> stack(instruction.operands().rbegin(), instruction.operands().rend());
  while (!stack.empty()) {
    const Instruction* value = array_value(stack.back());
    stack.pop_back();
    if (value->opcode == Opcode::kTuple || (value->opcode == Opcode::kOptBarrier && value->shape.is_tuple())) {
      stack.insert(stack.end(), value->operands().rbegin(), value->operands().rend());
    } else {
      result.push_back(value);
    }
  }
  return result;
}

LevelContext level_context(const Computation& computation, const Instruction* host_loop) {
  LevelContext level;
  level.computation = &computation;
  level.host_loop = host_loop;
  if (host_loop == nullptr) return level;
  const WhileInfo info = analyze_while(*host_loop);
  if (!info.trip_count) return level;
  level.counter_trip = *info.trip_count;
  for (const Instruction& instruction : computation.instructions()) {
    if (instruction.opcode != Opcode::kGetTupleElement || instruction.operand(0)->opcode != Opcode::kParameter) continue;
    const Carry& carry = info.carries[*instruction.attributes.tuple_index];
    if (carry.kind == CarryKind::kInduction) level.counters[&instruction] = {carry.start, carry.step};
  }
  return level;
}

std::vector<const Instruction*> level_results(const LevelContext& level) {
  const Instruction* root = level.computation->root();
  std::vector<const Instruction*> results;
  if (root->opcode == Opcode::kTuple) {
    std::vector<Carry> carries;
    if (level.host_loop != nullptr) carries = analyze_while(*level.host_loop).carries;
    for (size_t k = 0; k < root->operands().size(); ++k) {
      const bool counted = !carries.empty() && carries[k].kind == CarryKind::kInduction && level.counter_trip > 0;
      if (counted || (!carries.empty() && carries[k].kind == CarryKind::kInvariant)) continue;
      results.push_back(array_value(root->operand(k)));
    }
  } else {
    results.push_back(array_value(root));
  }
  return results;
}

namespace {

class Grouper {
 public:
  Grouper(const LevelContext& level, Diagnostics& diagnostics) : level_(level), diagnostics_(diagnostics) {}

  std::optional<LevelGroups> run() {
    collect();
    if (!check_supported()) return std::nullopt;
    for (size_t i = units_.size(); i-- > 0;) place(units_[i]);
    if (!diagnostics_.ok()) return std::nullopt;
    cut_large();
    if (!check_groups()) return std::nullopt;
    LevelGroups result;
    for (const int group : ordered()) result.groups.push_back(groups_[group]);
    result.ledger = std::move(ledger_);
    return result;
  }

 private:
  // A value a kernel computes, with the arrays it gives (several for loops and variadic reductions).
  struct Unit {
    const Instruction* instruction = nullptr;
    std::vector<const Instruction*> arrays;
  };

  void collect();
  bool check_supported();
  void place(const Unit& unit);
  bool absorb(const Unit& unit, int group);
  bool join(const Unit& unit, const std::set<int>& consumers);
  void store(const Unit& unit);
  void cut_large();
  bool check_groups();
  std::vector<int> ordered() const;

  std::vector<const Instruction*> stored_arrays(const Unit& unit) const;
  std::set<int> consumer_groups(const Unit& unit) const;
  bool buildable(const Group& group, DemandGraph::Failure* why, int64_t* nodes = nullptr) const;
  bool depends(const Instruction* value, int group) const;
  std::set<const Instruction*> work_below(const Instruction* instruction, int64_t elements) const;
  void add_to(int group, const Unit& unit);
  void note(const Unit& unit, const std::string& reason, const Instruction* blocked_by);

  const LevelContext& level_;
  Diagnostics& diagnostics_;
  std::vector<Unit> units_;
  std::map<const Instruction*, std::vector<const Instruction*>> readers_;  // array -> units' instructions
  std::set<const Instruction*> escaping_;                                   // arrays
  std::map<const Instruction*, const Unit*> unit_of_array_;
  std::map<const Instruction*, std::set<int>> groups_of_;  // instruction -> groups that compute it
  std::vector<Group> groups_;
  std::set<int> dead_groups_;
  std::vector<LedgerEntry> ledger_;
  std::map<const Instruction*, size_t> position_;
};

void Grouper::collect() {
  // Live values only, in the order of the text.
  std::set<const Instruction*> live;
  std::vector<const Instruction*> stack = {level_.computation->root()};
  while (!stack.empty()) {
    const Instruction* value = stack.back();
    stack.pop_back();
    if (!live.insert(value).second) continue;
    stack.insert(stack.end(), value->operands().begin(), value->operands().end());
  }
  size_t position = 0;
  for (const Instruction& instruction : level_.computation->instructions()) {
    position_[&instruction] = position++;
    if (is_plumbing(instruction) || live.count(&instruction) == 0) continue;
    Unit unit;
    unit.instruction = &instruction;
    if (instruction.shape.is_array()) {
      unit.arrays.push_back(&instruction);
    } else {
      for (const Instruction* user : instruction.users()) {
        if (user->opcode == Opcode::kGetTupleElement && live.count(user) > 0 &&
            std::find(unit.arrays.begin(), unit.arrays.end(), user) == unit.arrays.end()) {
          unit.arrays.push_back(user);
        }
      }
    }
    units_.push_back(std::move(unit));
  }
  for (const Unit& unit : units_) {
    for (const Instruction* array : unit.arrays) unit_of_array_[array] = &unit;
    for (const Instruction* array : array_operands(*unit.instruction)) {
      std::vector<const Instruction*>& readers = readers_[array];
      if (readers.empty() || readers.back() != unit.instruction) readers.push_back(unit.instruction);
    }
  }
  for (const Instruction* result : level_results(level_)) escaping_.insert(result);
}

bool Grouper::check_supported() {
  for (const Unit& unit : units_) {
    const Instruction& instruction = *unit.instruction;
    const auto refuse = [&](const std::string& what, const std::string& hint) {
      diagnostics_.error(instruction.loc, "E0301", std::string(opcode_name(instruction.opcode)) + ": " + what, hint);
    };
    if (instruction.opcode == Opcode::kWhile) continue;
    const Family family = opcode_family(instruction.opcode);
    bool known = family == Family::kElementwise;
    switch (instruction.opcode) {
      case Opcode::kBroadcast:
      case Opcode::kReshape:
      case Opcode::kTranspose:
      case Opcode::kReverse:
      case Opcode::kSlice:
      case Opcode::kIota:
      case Opcode::kConcatenate:
      case Opcode::kPad:
      case Opcode::kDynamicSlice:
      case Opcode::kDynamicUpdateSlice:
      case Opcode::kGather:
      case Opcode::kBitcastConvert:
      case Opcode::kReduce:
      case Opcode::kDot: known = true; break;
      default: break;
    }
    if (known && opcode_family(instruction.opcode) == Family::kElementwise) {
      const CudaSpelling& spelling = cuda_spelling(instruction);
      if (spelling.kind == CudaSpelling::Kind::kNone) known = false;
      if (instruction.opcode == Opcode::kStochasticConvert) known = false;
    }
    if (known && instruction.opcode == Opcode::kBitcastConvert &&
        dtype_bits(instruction.shape.dtype) != dtype_bits(instruction.operand(0)->shape.dtype)) {
      known = false;
    }
    if (instruction.opcode == Opcode::kCall) known = can_emit_function(**instruction.attributes.to_apply);
    if (!known) {
      refuse("not compiled to CUDA yet ('" + instruction.name + "')", "`sinter eval` runs this program; compile leaves it out");
      continue;
    }
    for (const Instruction* array : array_operands(instruction)) {
      if (array->shape.is_array() && !can_emit(array->shape.dtype)) {
        refuse("operand type " + std::string(dtype_name(array->shape.dtype)) + " is not compiled to CUDA yet",
               "convert to f32 in the model");
        break;
      }
    }
    for (const Instruction* array : unit.arrays) {
      if (!can_emit(array->shape.dtype)) {
        refuse("result type " + std::string(dtype_name(array->shape.dtype)) + " is not compiled to CUDA yet",
               "convert to f32 in the model");
        break;
      }
    }
  }
  return diagnostics_.ok();
}

std::vector<const Instruction*> Grouper::stored_arrays(const Unit& unit) const {
  std::vector<const Instruction*> result;
  for (const Instruction* array : unit.arrays) {
    bool stored = escaping_.count(array) > 0;
    const auto readers = readers_.find(array);
    if (readers != readers_.end()) {
      for (const Instruction* reader : readers->second) {
        const auto groups = groups_of_.find(reader);
        if (groups == groups_of_.end()) continue;
        for (const int group : groups->second) {
          if (groups_[group].values.context.computed.count(unit.instruction) == 0) stored = true;
        }
      }
    }
    if (stored) result.push_back(array);
  }
  return result;
}

std::set<int> Grouper::consumer_groups(const Unit& unit) const {
  std::set<int> result;
  for (const Instruction* array : unit.arrays) {
    const auto readers = readers_.find(array);
    if (readers == readers_.end()) continue;
    for (const Instruction* reader : readers->second) {
      const auto groups = groups_of_.find(reader);
      if (groups != groups_of_.end()) result.insert(groups->second.begin(), groups->second.end());
    }
  }
  return result;
}

bool Grouper::buildable(const Group& group, DemandGraph::Failure* why, int64_t* node_count) const {
  std::optional<DemandGraph::Failure> failure;
  int64_t nodes = 0;
  if (group.row) {
    const std::optional<RowDemand> demand = demand_row(group.values, group.row->rows, group.row->columns, &failure);
    if (demand) nodes = static_cast<int64_t>(demand->graph->nodes.size());
  } else if (group.contract) {
    const std::optional<ContractDemand> demand = demand_contract(group.values, &failure);
    if (demand) nodes = static_cast<int64_t>(demand->graph->nodes.size());
  } else {
    const std::optional<MapDemand> demand = demand_map(group.values, &failure);
    if (demand) {
      nodes = static_cast<int64_t>(demand->graph->nodes.size());
      // A reduction or contraction is computed once an element, not again for each use of it; a short sum that is
      // written out may be, a few times.
      const DemandGraph& graph = *demand->graph;
      std::map<const Instruction*, int64_t> times;
      for (const DemandNode& node : graph.nodes) {
        if (node.kind != DemandNode::Kind::kReduce || node.result != 0 || !graph.loops.empty()) continue;
        const DemandReduce& reduce = graph.reduces[node.reduce];
        const Shape& shape = reduce.instruction->shape.is_tuple() ? reduce.instruction->shape.elements[0] : reduce.instruction->shape;
        const int64_t limit = (reduce.scope < 0 ? 4 : 1) * shape.element_count();
        int64_t made = demand->threads;
        for (int scope = node.scope; scope != 0 && made <= limit; scope = graph.scopes[scope].parent) {
          for (const int id : graph.scopes[scope].coordinates) made *= std::min(graph.coordinates[id].extent, limit + 1);
        }
        times[reduce.instruction] += std::min(made, limit + 1);
        if (times[reduce.instruction] > limit) {
          failure = DemandGraph::Failure{reduce.instruction, "recomputed-reduction"};
        }
      }
    }
  }
  if (failure) {
    if (why != nullptr) *why = *failure;
    return false;
  }
  if (node_count != nullptr) *node_count = nodes;
  return true;
}

void Grouper::add_to(int group, const Unit& unit) {
  groups_[group].values.context.computed.insert(unit.instruction);
  groups_of_[unit.instruction].insert(group);
}

void Grouper::note(const Unit& unit, const std::string& reason, const Instruction* blocked_by) {
  LedgerEntry entry;
  entry.value = unit.instruction->name;
  entry.reason = reason;
  entry.blocked_by = blocked_by == nullptr ? "" : blocked_by->name;
  for (const Instruction* array : unit.arrays) entry.bytes += array->shape.bytes();
  ledger_.push_back(std::move(entry));
}

// True if `value` depends on an output of `group` through values outside the group.
bool Grouper::depends(const Instruction* value, int group) const {
  std::set<const Instruction*> seen;
  std::vector<const Instruction*> stack = {value};
  size_t first = SIZE_MAX;
  for (const Instruction* output : groups_[group].values.outputs) first = std::min(first, position_.at(output));
  while (!stack.empty()) {
    const Instruction* current = stack.back();
    stack.pop_back();
    for (const Instruction* operand : array_operands(*current)) {
      const auto unit = unit_of_array_.find(operand);
      if (unit == unit_of_array_.end() || position_.at(operand) < first) continue;
      const auto& outputs = groups_[group].values.outputs;
      if (std::find(outputs.begin(), outputs.end(), operand) != outputs.end()) return true;
      if (seen.insert(unit->second->instruction).second) stack.push_back(unit->second->instruction);
    }
  }
  return false;
}

// Tries to compute `unit` inside `group`.
bool Grouper::absorb(const Unit& unit, int number) {
  if (groups_[number].host_loop) return false;
  const Instruction& instruction = *unit.instruction;
  if (groups_[number].values.context.computed.size() >= kMaxValues) return false;
  const bool simple = instruction.opcode != Opcode::kReduce && instruction.opcode != Opcode::kDot &&
                      instruction.opcode != Opcode::kWhile;
  Group trial = groups_[number];
  trial.values.context.computed.insert(&instruction);
  if (instruction.opcode == Opcode::kReduce && !trial.row) {
    const std::optional<RowExtents> extents = row_extents(instruction);
    if (extents && extents->columns > 16) {
      trial.row = extents;
      if (buildable(trial, nullptr)) {
        groups_[number].row = extents;
        return true;
      }
      trial.row.reset();
    }
  }
  if (is_contraction(instruction)) {
    // The kernel of such a dot is a contract kernel, or the dot has one of its own.
    trial.contract = true;
    if (groups_[number].contract || trial.row || !buildable(trial, nullptr)) return false;
    groups_[number].contract = true;
    return true;
  }
  // Elementwise ops and index maps can be had at any index; only their number may be too large.
  if (simple && instruction.opcode != Opcode::kConcatenate && instruction.opcode != Opcode::kPad &&
      instruction.opcode != Opcode::kDynamicUpdateSlice && instruction.opcode != Opcode::kSlice &&
      groups_[number].values.context.computed.size() < 256) {
    return true;
  }
  int64_t nodes = 0;
  if (!buildable(trial, nullptr, &nodes)) return false;
  return nodes <= std::max<int64_t>(kMaxNodes, 4 * static_cast<int64_t>(trial.values.context.computed.size()));
}

// The values of at least `elements` elements that an instruction is computed from, itself too; the nearest few
// thousand.
std::set<const Instruction*> Grouper::work_below(const Instruction* instruction, int64_t elements) const {
  constexpr size_t kNearest = 2000;
  std::set<const Instruction*> seen = {instruction};
  std::vector<const Instruction*> queue = {instruction};
  for (size_t next = 0; next < queue.size() && queue.size() < kNearest; ++next) {
    for (const Instruction* operand : array_operands(*queue[next])) {
      const auto unit = unit_of_array_.find(operand);
      if (unit == unit_of_array_.end() || operand->shape.element_count() < elements) continue;
      if (opcode_family(unit->second->instruction->opcode) == Family::kIndexMap &&
          array_value(unit->second->instruction->operands().empty() ? operand : unit->second->instruction->operand(0))->shape.is_scalar()) {
        continue;  // a scalar spread over the domain is no shared work
      }
      if (seen.insert(unit->second->instruction).second) queue.push_back(unit->second->instruction);
    }
  }
  return seen;
}

void Grouper::store(const Unit& unit) {
  const std::set<int> consumers = consumer_groups(unit);
  const bool loop = unit.instruction->opcode == Opcode::kWhile;
  std::vector<const Instruction*> outputs = stored_arrays(unit);
  if (outputs.empty()) outputs = unit.arrays;

  // Into the only consumer's kernel, or a sibling's, as further outputs.
  std::vector<int> homes;
  if (consumers.size() == 1) {
    homes.push_back(*consumers.begin());
  } else if (consumers.empty() && !loop) {
    const int64_t elements = unit.arrays[0]->shape.element_count();
    const std::set<const Instruction*> own = work_below(unit.instruction, elements);
    for (size_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].host_loop || groups_[g].values.outputs.size() >= 64) continue;
      const Instruction* other = groups_[g].values.outputs[0];
      if (other->shape.element_count() != unit.arrays[0]->shape.element_count()) continue;
      bool shares = false;
      for (const Instruction* output : groups_[g].values.outputs) {
        for (const Instruction* work : work_below(unit_of_array_.at(output)->instruction, elements)) shares |= own.count(work) > 0;
      }
      if (shares) homes.push_back(static_cast<int>(g));
    }
  }
  for (const int home : homes) {
    if (groups_[home].host_loop || (is_contraction(*unit.instruction) && groups_[home].contract)) continue;
    if (depends(unit.instruction, home)) continue;
    Group trial = groups_[home];
    trial.values.context.computed.insert(unit.instruction);
    for (const Instruction* output : outputs) trial.values.outputs.push_back(output);
    if (unit.instruction->opcode == Opcode::kReduce && !trial.row) {
      const std::optional<RowExtents> extents = row_extents(*unit.instruction);
      if (extents && extents->columns > 16) trial.row = extents;
    }
    trial.contract |= is_contraction(*unit.instruction);
    if (trial.contract && trial.row) continue;
    int64_t nodes = 0;
    if (trial.values.context.computed.size() > kMaxValues || !buildable(trial, nullptr, &nodes) || nodes > kMaxNodes) continue;
    groups_[home] = std::move(trial);
    groups_of_[unit.instruction].insert(home);
    return;
  }

  Group group;
  group.values.context.level = level_.computation;
  group.values.context.counters = level_.counters;
  group.values.context.counter_trip = level_.counter_trip;
  group.values.context.computed.insert(unit.instruction);
  group.values.outputs = outputs;
  if (unit.instruction->opcode == Opcode::kReduce) {
    const std::optional<RowExtents> extents = row_extents(*unit.instruction);
    if (extents && extents->columns > 16) group.row = extents;
  }
  group.contract = is_contraction(*unit.instruction);
  if (loop) {
    DemandGraph::Failure why;
    if (!buildable(group, &why)) {
      group.host_loop = true;
      note(unit, why.reason, why.instruction);
      for (const Instruction* operand : array_operands(*unit.instruction)) escaping_.insert(operand);
    }
  }
  groups_.push_back(std::move(group));
  groups_of_[unit.instruction].insert(static_cast<int>(groups_.size()) - 1);
}

// Makes one kernel of several that need a value too dear to compute in each, if that kernel can compute it.
bool Grouper::join(const Unit& unit, const std::set<int>& consumers) {
  const int first = *consumers.begin();
  Group joined = groups_[first];
  for (const int number : consumers) {
    const Group& group = groups_[number];
    if (group.host_loop || group.contract || (group.row && joined.row && !(group.row == joined.row))) return false;
    if (group.row) joined.row = group.row;
    joined.values.context.computed.insert(group.values.context.computed.begin(), group.values.context.computed.end());
    if (number != first) {
      joined.values.outputs.insert(joined.values.outputs.end(), group.values.outputs.begin(), group.values.outputs.end());
    }
    // No kernel between them may need the one and feed the other.
    for (const int other : consumers) {
      if (other == number) continue;
      for (const Instruction* member : group.values.context.computed) {
        if (depends(member, other)) return false;
      }
    }
  }
  joined.values.context.computed.insert(unit.instruction);
  if (const std::optional<RowExtents> extents = row_extents(*unit.instruction); !joined.row && extents && extents->columns > 16) {
    joined.row = extents;
  }
  for (const Instruction* output : joined.values.outputs) {
    const bool alike = output->shape.element_count() == joined.values.outputs[0]->shape.element_count();
    if (!joined.row && !alike) return false;
  }
  int64_t nodes = 0;
  if (joined.values.context.computed.size() > kMaxValues || !buildable(joined, nullptr, &nodes) || nodes > kMaxNodes) return false;
  joined.values.context.computed.erase(unit.instruction);
  groups_[first] = std::move(joined);
  for (auto last = consumers.rbegin(); *last != first; ++last) {
    groups_.erase(groups_.begin() + *last);
    for (auto& [instruction, numbers] : groups_of_) {
      std::set<int> shifted;
      for (const int number : numbers) shifted.insert(number == *last ? first : number > *last ? number - 1 : number);
      numbers = std::move(shifted);
    }
  }
  return true;
}

void Grouper::place(const Unit& unit) {
  bool escapes = false;
  for (const Instruction* array : unit.arrays) escapes |= escaping_.count(array) > 0;
  const bool cheap = op_def(unit.instruction->opcode).cost <= kRecomputeCost && unit.instruction->opcode != Opcode::kReduce &&
                     unit.instruction->opcode != Opcode::kDot && unit.instruction->opcode != Opcode::kWhile &&
                     unit.instruction->opcode != Opcode::kCall;
  std::set<int> consumers = consumer_groups(unit);
  if (consumers.size() > 1 && !cheap && join(unit, consumers)) consumers = consumer_groups(unit);
  const Instruction* blocker = nullptr;
  std::string reason = "recomputed-too-often";
  bool absorbed = !escapes && !consumers.empty() && (consumers.size() == 1 || cheap);
  if (absorbed) {
    for (const int group : consumers) {
      // What ends a contraction's kernel is stored there, once, not computed for each use by a dot that reads it.
      const bool ends_another = has_dot(groups_[group]) && follows_contraction(*unit.instruction);
      if (!ends_another && absorb(unit, group)) continue;
      absorbed = false;
      reason = groups_[group].host_loop ? "host-loop-operand" : "domain-mismatch";
      if (groups_[group].contract || ends_another) reason = is_contraction(*unit.instruction) ? "one-contraction" : "contraction-operand";
      blocker = groups_[group].values.outputs.empty() ? nullptr : groups_[group].values.outputs[0];
      break;
    }
  }
  if (absorbed) {
    for (const int group : consumers) add_to(group, unit);
    return;
  }
  const size_t before = groups_.size();
  store(unit);
  if (!escapes && groups_.size() > before && !groups_.back().host_loop) note(unit, reason, blocker);
}

// Elementwise ops were absorbed unseen: a group whose demand is too large, or impossible, is split at its middle.
void Grouper::cut_large() {
  for (size_t g = 0; g < groups_.size(); ++g) {
    for (int round = 0; round < 64; ++round) {
      Group& group = groups_[g];
      if (group.host_loop || group.values.context.computed.size() < 2) break;
      int64_t nodes = 0;
      DemandGraph::Failure why;
      const bool fits = buildable(group, &why, &nodes) &&
                        nodes <= std::max<int64_t>(kMaxNodes, 4 * static_cast<int64_t>(group.values.context.computed.size()));
      if (fits) break;
      // The earlier half moves to a kernel of its own; what the later half reads of it is stored.
      std::vector<const Instruction*> members(group.values.context.computed.begin(), group.values.context.computed.end());
      std::sort(members.begin(), members.end(), [&](const auto* a, const auto* b) { return position_.at(a) < position_.at(b); });
      const size_t half = members.size() / 2;
      Group early;
      early.values.context = group.values.context;
      early.values.context.computed = std::set<const Instruction*>(members.begin(), members.begin() + half);
      std::set<const Instruction*> late(members.begin() + half, members.end());
      std::vector<const Instruction*> kept;
      std::set<const Instruction*> crossing;
      for (const Instruction* output : group.values.outputs) {
        const Instruction* unit = unit_of_array_.at(output)->instruction;
        if (late.count(unit) > 0) kept.push_back(output);
        else crossing.insert(output);
      }
      for (const Instruction* member : late) {
        for (const Instruction* operand : array_operands(*member)) {
          const auto unit = unit_of_array_.find(operand);
          if (unit != unit_of_array_.end() && early.values.context.computed.count(unit->second->instruction) > 0) crossing.insert(operand);
        }
      }
      std::vector<const Instruction*> outputs(crossing.begin(), crossing.end());
      std::sort(outputs.begin(), outputs.end(), [&](const auto* a, const auto* b) { return position_.at(a) < position_.at(b); });
      if (outputs.empty() || kept.empty()) break;
      group.values.context.computed = late;
      group.values.outputs = kept;
      if (group.row) {
        bool reduces = false;
        for (const Instruction* member : late) reduces |= row_extents(*member) == group.row;
        if (!reduces) group.row.reset();
      }
      group.contract = has_contraction(late);
      // One kernel a stored value: they need not share a domain. Merging them is the business of the moves.
      for (const Instruction* output : outputs) {
        Group piece = early;
        piece.values.outputs = {output};
        std::set<const Instruction*> needed;
        std::vector<const Instruction*> stack = {unit_of_array_.at(output)->instruction};
        while (!stack.empty()) {
          const Instruction* member = stack.back();
          stack.pop_back();
          if (!needed.insert(member).second) continue;
          for (const Instruction* operand : array_operands(*member)) {
            const auto unit = unit_of_array_.find(operand);
            if (unit != unit_of_array_.end() && early.values.context.computed.count(unit->second->instruction) > 0 &&
                (crossing.count(operand) == 0)) {
              stack.push_back(unit->second->instruction);
            }
          }
        }
        piece.values.context.computed = needed;
        for (const Instruction* member : needed) {
          if (const auto extents = row_extents(*member); extents && extents->columns > 16) piece.row = extents;
        }
        piece.contract = has_contraction(needed);
        LedgerEntry entry;
        entry.value = output->name;
        entry.reason = why.reason.empty() ? "statement-limit" : why.reason;
        entry.bytes = output->shape.bytes();
        ledger_.push_back(std::move(entry));
        groups_.push_back(std::move(piece));
      }
    }
  }
}

bool Grouper::check_groups() {
  for (const Group& group : groups_) {
    if (group.host_loop) continue;
    DemandGraph::Failure why;
    if (buildable(group, &why)) continue;
    if (!group.row) {
      diagnostics_.error(why.instruction->loc, "E0302",
                         std::string(opcode_name(why.instruction->opcode)) + ": no kernel form for '" + why.instruction->name +
                             "' (" + why.reason + ")",
                         "`sinter eval` runs this program");
      continue;
    }
    diagnostics_.error(why.instruction->loc, "E0302",
                       "no row kernel for '" + why.instruction->name + "' (" + why.reason + ")", "`sinter eval` runs this program");
  }
  return diagnostics_.ok();
}

// Kahn's algorithm by what groups read; ties by the earliest output.
std::vector<int> Grouper::ordered() const {
  std::map<const Instruction*, int> maker;
  for (size_t g = 0; g < groups_.size(); ++g) {
    for (const Instruction* output : groups_[g].values.outputs) maker.emplace(output, static_cast<int>(g));
  }
  std::vector<std::set<int>> reads(groups_.size());
  for (size_t g = 0; g < groups_.size(); ++g) {
    for (const Instruction* member : groups_[g].values.context.computed) {
      for (const Instruction* operand : array_operands(*member)) {
        const auto unit = unit_of_array_.find(operand);
        if (unit == unit_of_array_.end()) continue;
        if (groups_[g].values.context.computed.count(unit->second->instruction) > 0) continue;
        const auto found = maker.find(operand);
        if (found != maker.end() && found->second != static_cast<int>(g)) reads[g].insert(found->second);
      }
    }
  }
  const auto rank = [&](int g) {
    size_t first = SIZE_MAX;
    for (const Instruction* output : groups_[g].values.outputs) first = std::min(first, position_.at(output));
    return std::make_pair(first, g);
  };
  std::vector<int> order;
  std::set<std::pair<size_t, int>> ready;
  std::vector<size_t> waiting(groups_.size());
  std::vector<std::vector<int>> readers(groups_.size());
  for (size_t g = 0; g < groups_.size(); ++g) {
    waiting[g] = reads[g].size();
    for (const int source : reads[g]) readers[source].push_back(static_cast<int>(g));
    if (waiting[g] == 0) ready.insert(rank(static_cast<int>(g)));
  }
  while (!ready.empty()) {
    const int g = ready.begin()->second;
    ready.erase(ready.begin());
    order.push_back(g);
    for (const int reader : readers[g]) {
      if (--waiting[reader] == 0) ready.insert(rank(reader));
    }
  }
  check(order.size() == groups_.size(), "schedule", "kernels read each other in a circle");
  return order;
}

}  // namespace

std::optional<LevelGroups> group_values(const LevelContext& level, Diagnostics& diagnostics) {
  return Grouper(level, diagnostics).run();
}

}  // namespace sinter
