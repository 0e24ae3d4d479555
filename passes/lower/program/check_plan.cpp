// A plan file is followed or refused: what it says of trip counts, scopes, grids and blocks must be what lowering does;
// every name is a value's, of the level it stands on, once; every value that is read or given is computed, before it is
// read; nothing is computed that nobody reads.
#include <algorithm>

#include "ir/support/is_word.h"
#include "ir/support/nearest_word.h"
#include "passes/analysis/values/hardware.h"
#include "passes/lower/program/lowering.h"
#include "passes/names/value_names.h"
#include "passes/stages/stage_kind.h"

namespace sinter {

namespace {

constexpr int64_t kMostUnrolled = 1024;

// The instruction that makes an array; nullptr for parameters, constants and the like.
const Instruction* computed_by(const Instruction* array) {
  const Instruction* maker = maker_of(array);
  return is_plumbing(*maker) ? nullptr : maker;
}

// What a kernel, and its file, may be called. identifier() ends names, and takes underscores from their ends.
bool is_kernel_name(const std::string& name) {
  if (name.empty() || name.size() > kLongestKernelName || std::isalpha(static_cast<unsigned char>(name[0])) == 0)
    return false;
  if (!std::all_of(name.begin(), name.end(), is_word) || name.find("__") != std::string::npos) return false;
  if (is_function(name)) return false;
  const std::string plain = name.substr(0, name.find_last_not_of('_') + 1);
  const std::string made = identifier(plain);
  return made == name || made == plain || plain.size() > made.size();
}

// What a stage's schedule may be called; a contraction has more to say of itself.
std::vector<std::string> schedules() {
  std::vector<std::string> words;
  for (const StageKind& kind : stage_kinds()) {
    if (kind.word != kRow) words.emplace_back(kind.word);
    for (size_t tier = 0; tier < kTierWords.size() && kind.word == kRow; ++tier)
      words.push_back(row_schedule(static_cast<Tier>(tier)));
  }
  return words;
}

bool runs_in_kernel(const TreeNode& loop) { return loop.kind == TreeNode::Kind::kLoop && !holds_kernels(loop); }

// The place of a name that an item has; the item's if it has none.
Loc place_of(const TreeNode& item, const std::string& name) {
  for (const TreeNode& inner : item.body()) {
    if (inner.name == name) return inner.loc;
    for (const TreeValue& value : inner.values) {
      if (value.name == name) return value.loc;
    }
  }
  return item.loc;
}

std::string blocks_text(int64_t first, int64_t last) {
  return "blocks " + std::to_string(first) + ".." + std::to_string(last);
}

}  // namespace

bool Lowering::check_items(const std::vector<LevelUnit>& units, const LevelItems& level) {
  if (tree_.source == nullptr) return true;
  bool good = true;
  // The item that stores a value, else the first to compute it.
  std::map<const Instruction*, size_t> first = level.maker;
  for (size_t i = 0; i < units.size(); ++i) {
    for (const Instruction* value : level.computed[i]) first.try_emplace(value, i);
  }
  const auto refuse = [&](Loc loc, const std::string& message, const std::string& hint) {
    plan_error(loc, "E0406", message, hint);
    good = false;
  };
  for (const auto& [array, readers] : level.readers) {
    const Instruction* maker = computed_by(array);
    if (maker == nullptr) continue;
    const auto made = first.find(maker);
    for (const size_t reader : readers) {
      // Parts of a launch run in any order, but for those of its last block.
      const auto together = [&](size_t a, size_t b) {
        return units[a].launch != nullptr && units[a].launch == units[b].launch && !units[b].last;
      };
      const TreeNode& node = *units[reader].node;
      const std::string reads = "'" + node.name + "' reads '" + array->name + "'";
      if (made == first.end()) {
        refuse(node.loc, reads + ", which nothing computes",
               "add '" + maker->name + "' to '" + node.name + "', or to a kernel before it");
      } else if (made->second >= reader) {
        const std::string& maker_item = units[made->second].node->name;
        refuse(node.loc, reads + " before it is computed", "'" + maker_item + "' computes it: move that before this");
      } else if (together(made->second, reader)) {
        refuse(node.loc, reads + ", which another part of the launch computes",
               "parts run in any order: give this a kernel of its own");
      }
    }
  }
  for (const Instruction* result : level.results) {
    const Instruction* maker = computed_by(result);
    if (maker == nullptr || first.count(maker) > 0) continue;
    refuse(tree_.loc, "nothing computes the result '" + result->name + "'", "add '" + maker->name + "' to a kernel");
  }
  return good;
}

bool Lowering::check_use(const TreeNode& node, const KernelValues& values) {
  if (tree_.source == nullptr) return true;
  std::set<const Instruction*> used;
  std::vector<const Instruction*> left;
  for (const Instruction* output : values.outputs) {
    left.push_back(output);  // a counter that is stored is an element of the loop's state
    left.push_back(maker_of(output));
  }
  while (!left.empty()) {
    const Instruction* value = left.back();
    left.pop_back();
    if (values.context.computed.count(value) == 0 || !used.insert(value).second) continue;
    for (const Instruction* array : array_operands(*value)) left.push_back(maker_of(array));
  }
  std::vector<const Instruction*> unused;
  for (const Instruction* value : values.context.computed) {
    if (used.count(value) == 0) unused.push_back(value);
  }
  if (unused.empty()) return true;
  if (used.empty()) {
    plan_error(node.loc, "E0406", "nothing reads what '" + node.name + "' computes",
               "take it out: no other item needs it, or has it from another kernel");
    return false;
  }
  for (const Instruction* value : in_text_order(std::move(unused))) {
    plan_error(place_of(node, value->name), "E0406",
               "'" + node.name + "' computes '" + value->name + "', which nothing reads from there",
               "take it out of '" + node.name + "': no other item needs it, or has it from another kernel");
  }
  return false;
}

bool Lowering::check_plan() {
  if (tree_.source == nullptr) return true;
  bool good = true;
  std::set<std::string> kernels;
  std::vector<const TreeNode*> left, loops;
  const auto push = [&](const std::vector<TreeNode>& items) {
    for (auto item = items.rbegin(); item != items.rend(); ++item) left.push_back(&*item);
  };
  push(tree_.items);
  while (!left.empty()) {
    const TreeNode& node = *left.back();
    left.pop_back();
    if (node.kind == TreeNode::Kind::kKernel) good &= check_kernel(node, &kernels);
    if (node.kind == TreeNode::Kind::kStage) good &= check_stage(node);
    if (node.kind == TreeNode::Kind::kLoop) good &= check_loop(node);
    if (runs_in_kernel(node)) loops.push_back(&node);
    for (auto body = node.bodies.rbegin(); body != node.bodies.rend(); ++body) push(*body);
  }
  return good && std::all_of(loops.begin(), loops.end(), [&](const TreeNode* loop) { return check_loop_body(*loop); });
}

bool Lowering::check_kernel(const TreeNode& node, std::set<std::string>* kernels) {
  bool good = true;
  const auto refuse = [&](Loc loc, const std::string& message, const std::string& hint) {
    plan_error(loc, "E0406", message, hint);
    good = false;
  };
  if (node.body().empty()) refuse(node.loc, "'" + node.name + "' is empty", "give it a stage, or take it out");
  if (split_of(node) != nullptr) good &= check_split(node);
  const bool small = std::all_of(std::begin(node.block), std::end(node.block),
                                 [](int64_t extent) { return extent >= 1 && extent <= kMostThreads; });
  if (!small || node.block[0] * node.block[1] * node.block[2] > kMostThreads) {
    refuse(node.loc, "the block of '" + node.name + "' is too large", "a block has 1 to 1024 threads");
  }
  if (!is_kernel_name(node.name)) {
    refuse(node.loc, "a kernel cannot be called '" + node.name + "'",
           "choose a C identifier that C++ and CUDA leave free, of at most 80 letters");
  }
  if (!kernels->insert(node.name).second) {
    refuse(node.loc, "two kernels are called '" + node.name + "'", "each has a file of its name: choose another");
  }
  // The stages of one kernel, or of one of its parts, are spread over the threads in one way.
  for (const std::vector<TreeNode>& body : part_bodies(node)) {
    good &= check_domains(body);
    const TreeNode* first = nullptr;
    for (const TreeNode& item : body) {
      if (item.kind != TreeNode::Kind::kStage) continue;
      if (first == nullptr) first = &item;
      if (item.schedule == first->schedule) continue;
      refuse(item.loc, "a stage " + item.schedule + " beside a stage " + first->schedule,
             "stages that share threads have one schedule: give this one a kernel of its own, or a part of a `split`");
    }
  }
  return good;
}

// What several stages of a kernel say of its threads is the same.
bool Lowering::check_domains(const std::vector<TreeNode>& body) {
  const StageDomain* domain = domain_of(body);
  std::vector<const std::vector<TreeNode>*> left = {&body};
  while (!left.empty()) {
    const std::vector<TreeNode>& items = *left.back();
    left.pop_back();
    for (const TreeNode& item : items) {
      for (const std::vector<TreeNode>& inner : item.bodies) left.push_back(&inner);
      if (item.domain.says_nothing() || item.domain == *domain) continue;
      plan_error(item.domain.loc, "E0406", "two stages of a kernel have threads of their own",
                 "its threads are those of all its stages: say it once");
      return false;
    }
  }
  return true;
}

bool Lowering::check_stage(const TreeNode& node) {
  bool good = true;
  if (node.values.empty()) {
    plan_error(node.loc, "E0406", "the stage computes nothing", "name its values, or take it out");
    good = false;
  }
  if (stage_kind(node.schedule) == nullptr) {
    const std::vector<std::string> known = schedules();
    const std::string nearest = nearest_word(node.schedule, {known.begin(), known.end()});
    std::string words;
    for (const std::string& word : known) words += (words.empty() ? "" : ", ") + word;
    plan_error(node.loc, "E0403", "no stage is of the kind '" + node.schedule + "'",
               (nearest.empty() ? "" : "did you mean " + nearest + "? ") + "There are " + words);
    good = false;
  }
  std::set<std::string> names;
  for (const TreeValue& value : node.values) {
    if (by_name_.count(value.name) == 0) {
      std::vector<std::string_view> known;
      for (const auto& [name, instruction] : by_name_) known.push_back(name);
      std::sort(known.begin(), known.end());
      const std::string nearest = nearest_word(value.name, known);
      plan_error(value.loc, "E0405", "no value is called '" + value.name + "'",
                 (nearest.empty() ? "names" : "did you mean '" + nearest + "'? Names") +
                     std::string(" are those `sinter opt` prints"));
      good = false;
    } else if (value.shared && node.schedule != kMap) {
      plan_error(value.loc, "E0406", "'" + value.name + "' is shared in a stage " + node.schedule,
                 "only numbers of a map that are the same for all threads are");
      good = false;
    } else if (value.layer && node.schedule != kMap) {
      plan_error(value.loc, "E0406", "'" + value.name + "' is a layer in a stage " + node.schedule,
                 "only threads of a map have layers");
      good = false;
    } else if (!names.insert(value.name).second) {
      plan_error(value.loc, "E0406", "'" + value.name + "' stands in the stage twice", "name it once");
      good = false;
    }
  }
  return good;
}

bool Lowering::check_loop(const TreeNode& node) {
  bool good = true;
  const auto refuse = [&](Loc loc, const std::string& message, const std::string& hint) {
    plan_error(loc, "E0406", message, hint);
    good = false;
  };
  if (node.unroll > kMostUnrolled) {
    refuse(node.loc, "the loop '" + node.name + "' is unrolled too often", "at most 1024 times");
  }
  const bool in_thread = node.scope == Scope::kThread || node.scope == Scope::kBlock;
  if (node.ahead != 1 && (node.ahead != kWarp || !in_thread)) {
    refuse(node.loc, "the loop '" + node.name + "' computes " + std::to_string(node.ahead) + " steps ahead",
           "`ahead 32`, a step a lane of a warp, of loops of thread or block scope");
  }
  for (const TreeNode& item : node.body()) {
    for (const TreeValue& value : item.values) {
      if (value.shared) refuse(value.loc, "'" + value.name + "' is shared in a loop", "only what stands in no loop is");
    }
  }
  if (node.unroll != 1 && (holds_kernels(node) || node.scope == Scope::kMap)) {
    refuse(
        node.loc, "the loop '" + node.name + "' cannot be unrolled",
        holds_kernels(node) ? "its steps are kernels: take `unroll` out" : "its steps are threads: take `unroll` out");
  }
  const auto loop = by_name_.find(node.name);
  if (loop == by_name_.end() || loop->second->opcode != Opcode::kWhile) return good;  // refused elsewhere
  const std::optional<int64_t> trip = analyze_while(*loop->second).trip_count;
  if (node.trip != trip) {
    refuse(
        node.loc,
        "the loop '" + node.name + "' runs " + (trip ? std::to_string(*trip) + " times" : "until its condition fails"),
        trip ? "write `trip " + std::to_string(*trip) + "`" : "write `while`");
  }
  return good;
}

// A loop inside a kernel is computed whole: its items name each value of its body once, and no other.
bool Lowering::check_loop_body(const TreeNode& node) {
  const auto loop = by_name_.find(node.name);
  if (loop == by_name_.end() || loop->second->opcode != Opcode::kWhile) {
    plan_error(node.loc, "E0405", "no loop is called '" + node.name + "'", "names are those `sinter opt` prints");
    return false;
  }
  const Computation& body = **loop->second->attributes->body;
  std::set<std::string> named;
  const auto refuse = [&](Loc loc, const std::string& message, const std::string& hint) {
    plan_error(loc, "E0406", message, hint);
    return false;
  };
  const auto add = [&](const std::string& name, Loc loc) {
    const auto found = by_name_.find(name);
    if (found == by_name_.end() || found->second->parent() != &body) {
      return refuse(loc, "'" + name + "' is not in the body of '" + node.name + "'", "take it out");
    }
    return named.insert(name).second ||
           refuse(loc, "'" + name + "' stands in '" + node.name + "' twice", "name it once");
  };
  for (const TreeNode& item : node.body()) {
    if (item.kind == TreeNode::Kind::kStage) {
      if (item.schedule != kMap) {
        return refuse(item.loc, "a stage " + item.schedule + " in a loop of a kernel", "use `stage map`");
      }
      for (const TreeValue& value : item.values) {
        if (!add(value.name, value.loc)) return false;
      }
    } else if (!runs_in_kernel(item)) {
      return refuse(item.loc, "only stages and loops that threads run can stand in a loop that threads run",
                    "a loop of scope host holds kernels");
    } else if (!add(item.name, item.loc)) {
      return false;
    }
  }
  std::string missing;
  int count = 0;
  for (const Instruction& instruction : body.instructions()) {
    if (is_plumbing(instruction) || named.count(instruction.name) > 0) continue;
    if (++count <= 3) missing += (count == 1 ? "'" : ", '") + instruction.name + "'";
  }
  if (count == 0) return true;
  if (count > 3) missing += " and " + std::to_string(count - 3) + " others";
  return refuse(node.loc, "the loop '" + node.name + "' computes " + missing + " too",
                "a loop in a kernel is computed whole: its stages name all values of its body, loops in it are items");
}

// The parts of a launch divide its blocks, in order; each is what one kernel could be. What cannot share a launch is
// refused once it is lowered (check_part).
bool Lowering::check_split(const TreeNode& kernel) {
  const TreeNode& split = *split_of(kernel);
  const auto refuse = [&](const std::string& message, const std::string& hint) {
    plan_error(split.loc, "E0406", message, hint);
    return false;
  };
  const auto is_item = [&](const TreeNode& item) { return &item == &kernel; };
  if (split.ranges.size() > 1 && std::none_of(tree_.items.begin(), tree_.items.end(), is_item)) {
    return refuse("the blocks of '" + kernel.name + "' are divided, inside a loop or branch",
                  "only those of the program's own kernels are");
  }
  if (kernel.body().size() != 1) {
    return refuse("a kernel that is split has nothing else in it", "give it a kernel of its own");
  }
  int64_t next = 0;
  std::set<std::string> names = {kernel.name, "finished", "run_parts"};
  for (size_t i = 0; i < split.bodies.size(); ++i) {
    const bool last = i >= split.ranges.size();
    if (!last && split.ranges[i].first > next) {
      return refuse("no part has " + blocks_text(next, split.ranges[i].first), "each range begins where one ends");
    }
    if (!last && split.ranges[i].first < next) {
      return refuse("two parts have " + blocks_text(split.ranges[i].first, std::min(next, split.ranges[i].second)),
                    "each range begins where one ends");
    }
    if (!last) next = split.ranges[i].second;
    const std::string& part = split.parts[i];
    if (!part.empty() && (!is_kernel_name(part) || !names.insert(part).second)) {
      return refuse("a part cannot be called '" + part + "'", "choose a C identifier of its own, or none");
    }
    const std::vector<TreeNode>& body = split.bodies[i];
    const bool followed = split.ranges.size() < split.bodies.size();
    const bool stages = std::all_of(body.begin(), body.end(), [&](const TreeNode& item) {
      if (item.kind == TreeNode::Kind::kLoop) return !holds_kernels(item);
      if (item.kind != TreeNode::Kind::kStage) return false;
      // Lanes of a warp that have no row leave, and a barrier would follow.
      return !followed || item.schedule != row_schedule(Tier::kLanes);
    });
    if (!stages || body.empty()) {
      return refuse("a part has stages, and loops that threads run",
                    followed ? "rows of several lanes of a warp have a kernel of their own where a part follows"
                             : "a loop of scope host holds kernels");
    }
  }
  if (kernel.grid[0] != next || kernel.grid[1] != 1 || kernel.grid[2] != 1) {
    return refuse("'" + kernel.name + "' needs a grid of " + std::to_string(next) + " for its parts",
                  "write `grid " + std::to_string(next) + "`");
  }
  return true;
}

bool Lowering::check_part(const LoweredStage& part, const TreeNode& node) {
  const auto refuse = [&](const std::string& what) {
    check(tree_.source != nullptr, "lower", node.name + ": a part that " + what);
    plan_error(node.loc, "E0406", "'" + node.name + "' " + what + ", so it is no part of a launch",
               "give it a kernel of its own");
    return false;
  };
  const bool one_launch = part.steps.size() == 1 && part.steps[0].kind == StageStep::Kind::kLaunch;
  if (!one_launch) return refuse("takes more than one launch");
  if (part.kernels[0].launch.alone) return refuse("wants a multiprocessor for each of its blocks");
  return true;
}

bool Lowering::check_grid(const LevelUnit& unit, const Kernel& kernel) {
  const TreeNode& node = *unit.node;
  if (tree_.source == nullptr || node.grid[0] == 0) return true;
  const int64_t(&grid)[3] = kernel.launch.grid;
  if (std::equal(std::begin(grid), std::end(grid), std::begin(node.grid))) return true;
  // Blocks of a part of a launch are counted along x.
  const int64_t blocks = kernel.launch.blocks();
  const bool along_x = node.grid[0] == blocks && node.grid[1] == 1 && node.grid[2] == 1;
  if ((unit.launch != nullptr || together_) && !unit.last && along_x) return true;
  if (unit.last) {
    // It goes through the blocks one after the other; what has no shared memory of its own, and device functions, which
    // end with a barrier, need none between.
    if (kernel.shared.members.empty()) return true;
    plan_error(node.loc, "E0406", "'" + node.name + "' is no part of one block", "give it a kernel of its own");
    return false;
  }
  std::string needed = std::to_string(grid[0]);
  if (grid[1] != 1 || grid[2] != 1) needed += "x" + std::to_string(grid[1]);
  if (grid[2] != 1) needed += "x" + std::to_string(grid[2]);
  if (unit.launch != nullptr) {
    plan_error(node.loc, "E0406", "'" + node.name + "' needs a range of " + std::to_string(blocks) + " blocks",
               "change its range, those after it, and the grid");
    return false;
  }
  plan_error(node.loc, "E0406", "'" + node.name + "' needs a grid of " + needed + " for its block",
             "write `grid " + needed + "` or `grid auto`, or change the block");
  return false;
}

}  // namespace sinter
