#include "passes/schedule/home_chooser.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_set>

#include "ir/module/effects.h"
#include "ir/module/taken_names.h"
#include "ir/support/ceil_div.h"
#include "ir/support/diagnostics.h"
#include "passes/analysis/loops/map_loop.h"
#include "passes/analysis/values/hardware.h"
#include "passes/demand/views/lane_updates.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/names/value_names.h"
#include "passes/schedule/groups/stage_line.h"
#include "passes/schedule/groups/updates_in_place.h"
#include "passes/schedule/moves/block_numbers.h"
#include "passes/schedule/moves/block_rows.h"
#include "passes/schedule/moves/launch_part.h"
#include "passes/schedule/moves/recompute.h"
#include "passes/schedule/name_kernels.h"
#include "passes/schedule/tree/loop_scope.h"
#include "passes/schedule/tree/stage_domain.h"
#include "passes/schedule/tree/storing_items.h"
#include "passes/schedule/tree/update_versions.h"
#include "passes/stages/domain/choose_domain.h"
#include "passes/stages/domain/vectorize.h"

namespace sinter {

size_t trials_of(const Module& module, size_t most, size_t most_lowered) {
  size_t instructions = 0;
  for (const auto& computation : module.computations()) instructions += computation->instructions().size();
  return std::min(most, most_lowered / std::max<size_t>(instructions, 1));
}

std::optional<Schedule> HomeChooser::run() {
  schedule_.tree.name = program_;
  program_functions_ = program_functions(module_);
  if (!has_no_effects()) return std::nullopt;
  LevelContext entry = level_context(*module_.entry(), nullptr);
  if (options_.moves.update_in_place) {
    for (const auto& [update, array] : donated_updates(module_, options_.moves.update_between).array)
      entry.updates_in_place.insert(update);
  }
  if (!level(entry, &schedule_.tree.items)) return std::nullopt;
  if (options_.moves.share_numbers) share_numbers(names(), &schedule_.tree);
  if (options_.moves.dissolve && options_.predicted_us) dissolve_kernels();
  if (options_.moves.recompute && options_.predicted_us) recompute_large();
  if (options_.moves.block_rows && options_.predicted_us) join_rows();
  name_kernels(program_, &schedule_.tree);
  return std::move(schedule_);
}

// Nothing that kernels compute needs a call that is made for what else it does: it would be left out in silence.
bool HomeChooser::has_no_effects() {
  for (const auto& computation : module_.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      const bool is_call = instruction.opcode == Opcode::kCustomCall && has_own_effect(instruction);
      if (!is_call || own_kind(instruction) != nullptr || is_library_call(instruction)) continue;
      diagnostics_.error(instruction.loc, "E0301",
                         "custom-call: \"" + instruction.attributes->custom_call_target.value_or("") +
                             "\" is called for an effect, which compiled programs do not have ('" + instruction.name +
                             "')",
                         "take it (jax.debug.print, a callback) out of the program, or make its argument a result");
    }
  }
  return diagnostics_.ok();
}

// Whether the group's kernel, which updates `array` in place, may read an element of it that another thread stores: it
// would be computed aside, of a copy of the array. What is no map kernel and reads the array may.
bool HomeChooser::reads_beside_update(const Group& group, const std::set<const Instruction*>& updates,
                                      const Instruction* array) {
  const auto reads_array = [&](const Instruction* value) {
    if (updates.count(value) > 0) return false;
    const std::vector<const Instruction*> read = array_operands(*value);
    return std::find(read.begin(), read.end(), array) != read.end();
  };
  const std::set<const Instruction*>& computed = group.values.context.computed;
  if (std::none_of(computed.begin(), computed.end(), reads_array)) return false;
  std::optional<DemandGraph::Failure> failure;
  // Lanes are one scatter each.
  const auto brings = [&](const Instruction* update) {
    return update->opcode == Opcode::kScatter && array_value(update->operand(0)) == array;
  };
  const auto lanes = std::ranges::find_if(updates, brings);
  if (lanes != updates.end() && group.form.rows) {
    const std::optional<RowDemand> demand = demand_row(group.values, *group.form.rows, &failure);
    return !demand || reads_late(*demand->graph, *lanes, array, LaneRows{demand->row, demand->extents.rows});
  }
  if (!is_plain(group.form)) return true;
  const std::optional<MapDemand> demand = choose_map(group.values, &failure);
  if (!demand) return true;
  if (lanes != updates.end()) return reads_late(*demand->graph, *lanes, array, std::nullopt);
  return reads_beside(*demand->graph, updates, array);
}

// Takes from a level's updates in place those of parameters and carries that a launch after the first update still
// reads, or that leave what a launch after the next update does, or the kernel that stores that other than element by
// element; true if there are any.
bool HomeChooser::drop_late_updates(const std::vector<Group>& groups, const std::vector<SharedLaunch>& launches,
                                    LevelContext* context) {
  if (context->updates_in_place.empty()) return false;
  const std::set<const Instruction*>& updates = context->updates_in_place;
  std::set<const Instruction*> late;                      // parameters, carries
  std::map<const Instruction*, const Instruction*> gone;  // of which parameter or carry it was; only looked up
  for (const SharedLaunch& launch : launches) {
    std::vector<size_t> parts = launch.groups;
    parts.insert(parts.end(), launch.last.begin(), launch.last.end());
    for (const size_t g : parts) {
      for (const Instruction* value : groups[g].values.context.computed) {
        const bool is_update = updates.count(value) > 0;
        const std::vector<const Instruction*> read = array_operands(*value);
        for (size_t i = is_update ? 1 : 0; i < read.size(); ++i) {
          const auto found = gone.find(read[i]);
          if (found != gone.end()) late.insert(found->second);
        }
      }
    }
    for (const size_t g : parts) {
      for (const Instruction* output : groups[g].values.outputs) {
        if (updates.count(output) == 0) continue;
        const Instruction* first = updated_array(updates, output);
        const Instruction* array = array_value(output->operand(0));
        if (!is_written_over(*array)) continue;
        if (reads_beside_update(groups[g], updates, array)) late.insert(first);
        gone[array] = first;
      }
    }
  }
  std::set<const Instruction*> kept;
  for (const Instruction* update : updates) {
    if (late.count(updated_array(updates, update)) == 0) kept.insert(update);
  }
  if (late.empty()) return false;
  context->updates_in_place = std::move(kept);
  return true;
}

// The groups of a level. Products side by side are one kernel where all launches of the level take no longer so: apart
// they may share launches, also with others.
std::optional<LevelGroups> HomeChooser::groups_of(LevelContext* context, const Gpu* gpu) {
  const auto made = [&] { return levels_.group(*context, options_.moves, gpu, diagnostics_); };
  context->apart.clear();
  std::optional<LevelGroups> best = made();
  const bool shares = options_.moves.share_launches && context->computation == module_.entry() && in_grid_ == nullptr;
  if (!best || gpu == nullptr || best->side_by_side.empty() || !shares) return best;
  const auto launches_us = [&](const LevelGroups& of) {
    return predicted_launches(module_, *context, of.groups, options_.moves, *gpu);
  };
  const std::vector<std::vector<const Instruction*>> joined = best->side_by_side;
  std::optional<double> least = launches_us(*best);
  std::set<const Instruction*> stay_apart;
  for (const bool last_alone : {true, false}) {
    context->apart.clear();
    for (const std::vector<const Instruction*>& products : joined)
      context->apart.insert(last_alone ? products.end() - 1 : products.begin(), products.end());
    std::optional<LevelGroups> other = made();
    const std::optional<double> us = other ? launches_us(*other) : std::nullopt;
    if (!us || !least || *us >= *least) continue;
    least = us;
    best = std::move(other);
    stay_apart = context->apart;
  }
  context->apart = std::move(stay_apart);
  return best;
}

bool HomeChooser::level(LevelContext context, std::vector<TreeNode>* items) {
  std::optional<LevelGroups> grouped;
  std::vector<SharedLaunch> launches;
  context.host_loops = loops_.host;
  for (const auto& [loop, form] : loops_.grid) context.grid_loops.insert(loop);
  context.one_launch = in_grid_ != nullptr;
  // Kernels of a loop of one launch wait for one another, which takes less than to launch them.
  Gpu waiting = gpu() == nullptr ? Gpu() : *gpu();
  waiting.launch_us = std::min(waiting.launch_us, kWaitUs);
  std::set<const Instruction*> said;  // updates of which the tree says that they are in place
  if (context.computation == module_.entry()) said = context.updates_in_place;
  if (context.host_loop != nullptr && options_.moves.update_in_place) said = updates_after_reads(*context.host_loop);
  context.updates_in_place.insert(said.begin(), said.end());
  do {
    grouped = groups_of(&context, in_grid_ != nullptr && gpu() != nullptr ? &waiting : gpu());
    if (!grouped) return false;
    launches = plan_launches(module_, context, grouped->groups, options_.moves, gpu());
    if (in_grid_ != nullptr) {
      launches.clear();
      for (size_t g = 0; g < grouped->groups.size(); ++g) launches.push_back({.groups = {g}});
    }
  } while (drop_late_updates(grouped->groups, launches, &context));
  for (const Instruction* update : said) {
    if (context.updates_in_place.count(update) > 0) in_place_.insert(update);
  }
  schedule_.ledger.insert(schedule_.ledger.end(), grouped->ledger.begin(), grouped->ledger.end());
  const bool repeats = note_repeated(grouped->groups);
  if (in_grid_ != nullptr) {
    const bool all =
        std::ranges::all_of(grouped->groups, [&](const Group& group) { return add_in_grid(context, group, items); });
    if (all && repeats) say_who_stores(*context.computation, items);
    return all;
  }
  // What shares a launch is one kernel item.
  for (const SharedLaunch& launch : launches) {
    std::vector<size_t> groups = launch.groups;
    groups.insert(groups.end(), launch.last.begin(), launch.last.end());
    std::vector<TreeNode> parts;
    std::vector<const Instruction*> outputs;  // the first of each part
    for (const size_t number : groups) {
      if (!item(context, grouped->groups[number], launch.block, &parts)) return false;
      const std::vector<const Instruction*>& own = grouped->groups[number].values.outputs;
      outputs.push_back(own.empty() ? nullptr : own[0]);
    }
    items->push_back(parts.size() == 1 ? std::move(parts[0]) : split(launch, outputs, std::move(parts)));
  }
  if (repeats) say_who_stores(*context.computation, items);
  return true;
}

// Whether there are values that several kernels compute.
bool HomeChooser::note_repeated(const std::vector<Group>& groups) {
  bool repeats = false;
  std::unordered_set<const Instruction*> computed;
  for (const Group& group : groups) {
    for (const Instruction* value : group.values.context.computed) {
      if (computed.insert(value).second) continue;
      repeated_.insert(value);
      repeats = true;
    }
  }
  return repeats;
}

// Of what kernels store, `:stored` is left where a reader of the text would take another kernel for the one that does.
void HomeChooser::say_who_stores(const Computation& level, std::vector<TreeNode>* items) {
  std::vector<std::vector<TreeNode>*> bodies;
  for (TreeNode& item : *items) {
    if (item.kind != TreeNode::Kind::kKernel) continue;
    for (std::vector<TreeNode>& body : part_bodies(item)) bodies.push_back(&body);
  }
  std::vector<ItemValues> kernels;
  for (const std::vector<TreeNode>* body : bodies) {
    ItemValues& kernel = kernels.emplace_back();
    kernel.kind = stage_kind(kMap);
    const auto add = [&](const std::string& name) {
      const Instruction* value = names().at(name);
      if (value->parent() == &level) kernel.computed.insert(value);
    };
    for (const TreeNode& node : *body) {
      if (node.kind == TreeNode::Kind::kLoop) add(node.name);
      if (node.kind != TreeNode::Kind::kStage) continue;
      kernel.kind = stage_kind(node.schedule);
      for (const TreeValue& value : node.values) add(value.name);
    }
    for (const Instruction* value : kernel.computed) {
      for (const Instruction* operand : array_operands(*value)) kernel.read.insert(maker_of(operand));
    }
  }
  const StoringItems seen = storing_items(kernels);
  for (size_t i = 0; i < bodies.size(); ++i) {
    for (TreeNode& node : *bodies[i]) {
      for (TreeValue& value : node.values) {
        if (value.stored && seen.item.at(names().at(value.name)) == i) value.stored = false;
      }
    }
  }
}

// Parts that look alike come one after the other: those that are one computation share its text. Those of the last
// block come last, in their order.
TreeNode HomeChooser::split(const SharedLaunch& launch, const std::vector<const Instruction*>& outputs,
                            std::vector<TreeNode> parts) {
  std::map<std::string, std::vector<std::string>> named;  // with what their first outputs are called
  const auto output = [&](size_t part) { return outputs[part]; };
  const auto result_name = [&](size_t part) {
    const Instruction& first = *output(part);
    const bool of_loop = first.opcode == Opcode::kGetTupleElement && first.operand(0)->opcode == Opcode::kWhile;
    return of_loop ? "loop" : value_name(first);
  };
  for (size_t i = 0; i < parts.size(); ++i) named[parts[i].name].push_back(result_name(i));
  const auto form = [&](size_t part) {
    const TreeNode& last = parts[part].body().back();
    return std::tuple(parts[part].name, last.schedule, -launch.blocks[part], to_string(output(part)->shape, false),
                      last.values.size());
  };
  std::vector<size_t> order(parts.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto last = order.begin() + std::ssize(launch.groups);
  std::stable_sort(order.begin(), last, [&](size_t a, size_t b) { return form(a) < form(b); });

  TreeNode all;
  all.kind = TreeNode::Kind::kSplit;
  TreeNode node;
  node.kind = TreeNode::Kind::kKernel;
  node.block[0] = launch.block;
  node.grid[0] = 0;
  for (const size_t part : order) {
    if (part < launch.groups.size()) {
      const int64_t first = node.grid[0];
      node.grid[0] += launch.blocks[part];
      all.ranges.emplace_back(first, node.grid[0]);
    }
    // One function that computes different things goes by their results; name_parts numbers those that are alike.
    const std::vector<std::string>& alike = named[parts[part].name];
    const bool differ = alike.size() > 1 && std::set(alike.begin(), alike.end()).size() == alike.size();
    all.parts.push_back(differ ? result_name(part) : parts[part].name);
    all.bodies.push_back(std::move(parts[part].body()));
    if (node.name.empty() || (part < launch.groups.size() && alike.size() > named[node.name].size()))
      node.name = parts[part].name;
  }
  node.bodies.emplace_back();
  node.body().push_back(std::move(all));
  return node;
}

// Appends what a group becomes: a kernel, or what the host runs. `block`: threads of a launch that others share; 0:
// none do.
bool HomeChooser::item(const LevelContext& context, const Group& group, int64_t block, std::vector<TreeNode>* items) {
  if (group.is_kernel()) {
    items->push_back(kernel(group, block));
    return true;
  }
  const Instruction* run = *group.values.context.computed.begin();
  TreeNode node;
  node.name = run->name;
  if (group.runner == Group::Runner::kLibrary) {
    node.kind = TreeNode::Kind::kCall;
  } else if (run->opcode == Opcode::kConditional) {
    node.kind = TreeNode::Kind::kBranch;
    node.scope = Scope::kHost;
    node.bodies.resize(conditional_arms(*run).size());
    for (size_t arm = 0; arm < node.bodies.size(); ++arm) {
      if (!level(arm_context(context, *run, arm), &node.bodies[arm])) return false;
    }
  } else {
    node.kind = TreeNode::Kind::kLoop;
    const auto of_grid = loops_.grid.find(run);
    const bool opens = of_grid != loops_.grid.end() && in_grid_ == nullptr;
    if (opens) in_grid_ = &of_grid->second;
    node.scope = in_grid_ != nullptr ? Scope::kGrid : Scope::kHost;
    node.trip = analyze_while(*run).trip_count;
    node.bodies.emplace_back();
    if (!node.trip && !level(level_context(**run->attributes->condition, nullptr), &node.body())) return false;
    if (!level(level_context(**run->attributes->body, run), &node.body())) return false;
    if (opens) in_grid_ = nullptr;
  }
  items->push_back(std::move(node));
  return true;
}

namespace {

// Elements a thread of a map of few elements, with which one block has all of them: in a loop of grid scope the block
// that arrives last makes it while the others wait for it, where all would wait once more for several blocks. 1: it has
// too many, or takes longer than a wait.
int64_t width_of_one_block(const Group& group, int64_t block) {
  if (!is_plain(group.form) || !group.cost || group.cost->work.chain >= kFoundCycles) return 1;
  const LaunchShape& shape = *group.launch;
  if (shape.domain.width > 1 || shape.tile > 0 || shape.threads <= block) return 1;
  std::optional<DemandGraph::Failure> failure;
  const std::optional<MapDemand> demand = choose_map(group.values, &failure);
  const int64_t widest = demand ? widest_vector(*demand) : 1;
  int64_t width = 2;
  while (width < widest && shape.threads > block * width) width *= 2;
  return widest % width == 0 && shape.threads <= block * width ? width : 1;
}

}  // namespace

// In a loop of grid scope all kernels have blocks of one size, and the launch of none is shared: those that need
// nothing of each other do not wait for each other either. A kernel whose threads wait for no others has fewer.
bool HomeChooser::add_in_grid(const LevelContext& context, const Group& group, std::vector<TreeNode>* items) {
  if (group.runner == Group::Runner::kLibrary) return false;
  if (!group.is_kernel()) return item(context, group, 0, items) && items->back().kind == TreeNode::Kind::kLoop;
  const int64_t block = in_grid_->block;
  TreeNode node = kernel(group, block);
  const std::optional<LaunchPart> part = launch_part(group);
  const auto needs = [&](int64_t threads) {
    if (threads != block && threads % kWarp == 0) needed_block_ = threads;  // others reduce rows, by warps
  };
  if (in_grid_->block_rows && row_tier(node) == Tier::kWarp && group.form.rows->columns >= block) {
    for (TreeNode& stage : node.body()) {
      stage.schedule = row_schedule(Tier::kBlock);
      if (group.form.rows->columns % (block * stage.domain.width) != 0) stage.domain.width = 1;
    }
    node.grid[0] = group.form.rows->rows;
  }
  // A block has a row, or 32, whatever its size.
  const bool block_has_rows = part && (row_tier(node) == Tier::kBlock || row_tier(node) == Tier::kAcross);
  const int64_t own = node.block[0] * node.block[1] * node.block[2];
  if (block_has_rows) {
    node.block[0] = block;
  } else if (part && part->block == 0) {
    node.block[0] = block;
    node.grid[0] = ceil_div(part->threads / part->together, std::max<int64_t>(block / part->together, 1));
    if (const int64_t width = width_of_one_block(group, block); width > 1) {
      node.grid[0] = 1;
      for (TreeNode& stage : node.body()) stage.domain.width = width;
    }
  } else if (own != block && !(own < block && has_lone_threads(group))) {
    needs(own);
    return false;
  } else if (part && needed_block_ == 0) {
    needs(part->block);  // a product's, in the form that takes the least time
  }
  items->push_back(std::move(node));
  return true;
}

TreeNode HomeChooser::stage(const std::string& schedule, const std::vector<const Instruction*>& values,
                            const Layers& layers) {
  TreeNode node;
  node.kind = TreeNode::Kind::kStage;
  node.schedule = schedule;
  for (const Instruction* value : values) {
    const bool in_place = in_place_.count(value) > 0, layer = layers.count(value) > 0;
    node.values.push_back({.name = value->name,
                           .in_place = in_place,
                           .layer = layer,
                           .stored = !in_place && !layer && stored_.count(value) > 0});
  }
  return node;
}

// A loop inside a kernel: its steps are threads (map), or threads run it, each on its own or a block together.
TreeNode HomeChooser::kernel_loop(const Instruction* loop, const LaunchShape& launch) {
  TreeNode node;
  node.kind = TreeNode::Kind::kLoop;
  node.name = loop->name;
  node.scope = loop_scope(*loop, launch.domain.maps_loops, launch.domain.of_block > 0);
  node.trip = analyze_while(*loop).trip_count;
  node.bodies.emplace_back();
  std::vector<const Instruction*> values;
  for (const Instruction& instruction : (*loop->attributes->body)->instructions()) {
    if (is_plumbing(instruction)) continue;
    if (instruction.opcode == Opcode::kWhile) {
      if (!values.empty()) node.body().push_back(stage(std::string(kMap), values, launch.layers));
      values.clear();
      node.body().push_back(kernel_loop(&instruction, launch));
    } else {
      values.push_back(&instruction);
    }
  }
  if (!values.empty()) node.body().push_back(stage(std::string(kMap), values, launch.layers));
  if (options_.moves.ahead && launch.ahead.count(loop) > 0) node.ahead = kWarp;
  // What a kernel takes is asked of the same factor, whoever chooses.
  const int64_t requested = options_.unroll == 0 && choose_otherwise ? 1 : options_.unroll;
  if (node.scope != Scope::kMap) node.unroll = unroll_factor(*loop, launch, requested, node.ahead);
  return node;
}

TreeNode HomeChooser::kernel(const Group& group, int64_t block) {
  TreeNode node;
  node.kind = TreeNode::Kind::kKernel;
  node.name = kernel_name(module_, group, program_functions_);
  node.bodies.emplace_back();
  const StageLine line = stage_line(group, block, gpu(), options_.moves.tensor_cores, in_grid_);
  std::copy(std::begin(line.grid), std::end(line.grid), std::begin(node.grid));
  std::copy(std::begin(line.block), std::end(line.block), std::begin(node.block));
  const Layers layers = group.launch ? group.launch->layers : Layers();
  stored_.clear();
  for (const Instruction* output : group.values.outputs) {
    const Instruction* maker = maker_of(output);
    if (repeated_.count(maker) > 0) stored_.insert(maker);
  }
  std::vector<const Instruction*> values;
  for (const Instruction* value : computed_by(group)) {
    if (value->opcode == Opcode::kWhile) {
      if (!values.empty()) node.body().push_back(stage(line.schedule, values, layers));
      values.clear();
      node.body().push_back(kernel_loop(value, *group.launch));
    } else {
      values.push_back(value);
    }
  }
  if (!values.empty()) node.body().push_back(stage(line.schedule, values, layers));
  set_domain(line.domain, &node.body());
  return node;
}

namespace {

// Takes over what lowering has filled in: grids, and domains of stages. The trees differ in names.
void copy_filled(const std::vector<TreeNode>& from, std::vector<TreeNode>* to) {
  for (size_t i = 0; i < to->size(); ++i) {
    TreeNode& item = (*to)[i];
    std::copy(std::begin(from[i].grid), std::end(from[i].grid), std::begin(item.grid));
    item.domain = from[i].domain;
    for (size_t body = 0; body < item.bodies.size(); ++body) copy_filled(from[i].bodies[body], &item.bodies[body]);
  }
}

}  // namespace

// What a tree takes that may turn out to be none. Its grids and domains are filled in.
std::optional<double> HomeChooser::predicted_us(Tree* tree) const {
  Tree named = *tree;
  name_kernels(program_, &named);
  named.source = std::make_shared<const Source>();  // it is checked, as a plan file is
  const std::optional<double> us = options_.predicted_us(&named);
  copy_filled(named.items, &tree->items);
  return us;
}

// Another tree, in which these values are not stored, takes the place of the present one if it takes less time by more
// than `worthwhile` microseconds.
bool HomeChooser::take_if_faster(Tree trial, double worthwhile, const std::vector<std::string>& computed_again) {
  if (!us_) us_ = predicted_us(&schedule_.tree);
  const std::optional<double> us = predicted_us(&trial);
  if (!*us_ || !us || *us > **us_ - worthwhile) return false;
  us_ = us;
  schedule_.tree = std::move(trial);
  std::erase_if(schedule_.ledger, [&](const LedgerEntry& entry) {
    return std::find(computed_again.begin(), computed_again.end(), entry.value) != computed_again.end();
  });
  return true;
}

// A launch for a few numbers takes longer than to compute them in every thread that reads them, if they are not too
// dear: the cost model says which. Programs of thousands of instructions are left as they are, for what lowering takes.
void HomeChooser::dissolve_kernels() {
  constexpr int64_t kFewThreads = 4096;
  constexpr double kWorthwhile = 0.05;                    // microseconds
  constexpr size_t kMostTrials = 4, kMostLowered = 4096;  // instructions, of all trials
  const size_t most_trials = trials_of(module_, kMostTrials, kMostLowered);
  const auto is_small = [](const TreeNode& kernel) {
    return split_of(kernel) == nullptr && !has_loop(kernel) && kernel.body()[0].schedule == kMap &&
           kernel.grid[0] * kernel.block[0] <= kFewThreads;
  };
  std::vector<TreeNode*> kernels;
  collect_kernels(schedule_.tree.items, &kernels);
  size_t trials = 0;
  for (size_t k = 0; k < kernels.size() && trials < most_trials;) {
    const size_t number = k++;
    if (kernels.size() == 1 || !is_small(*kernels[number])) continue;
    Tree trial = schedule_.tree;
    std::vector<TreeNode*> copies;
    collect_kernels(trial.items, &copies);
    const std::optional<std::vector<std::string>> dissolved = dissolve(names(), &trial, copies[number]);
    if (!dissolved) continue;
    if (options_.moves.share_numbers) share_numbers(names(), &trial);
    ++trials;
    if (!take_if_faster(std::move(trial), kWorthwhile, *dissolved)) continue;
    kernels.clear();
    collect_kernels(schedule_.tree.items, &kernels);
    k = number;  // the next one's place
  }
}

// One by one no reader is worth computing a value again for, and all of them together may be: the kernel that stores it
// goes, and so does what they read. The largest values are tried.
void HomeChooser::recompute_large() {
  constexpr int64_t kLarge = 65536;                       // bytes
  constexpr double kWorthwhile = 0.5;                     // microseconds
  constexpr size_t kMostTrials = 2, kMostLowered = 1024;  // instructions, of all trials
  const size_t most_trials = trials_of(module_, kMostTrials, kMostLowered);
  if (most_trials == 0) return;
  std::vector<LedgerEntry> large;
  for (const LedgerEntry& entry : schedule_.ledger) {
    const bool may_be_worth = entry.reason == "recomputed-too-often" || entry.reason == "domain-mismatch" ||
                              entry.reason == "statement-limit";
    if (may_be_worth && entry.bytes >= kLarge) large.push_back(entry);
  }
  std::stable_sort(large.begin(), large.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  size_t trials = 0;
  for (const LedgerEntry& entry : large) {
    if (trials == most_trials) break;
    std::optional<Recomputed> trial = recompute(names(), schedule_.tree, entry.value);
    if (!trial) continue;
    ++trials;
    take_if_faster(std::move(trial->tree), kWorthwhile, {entry.value});
  }
}

// A scan has a kernel of its own while values are grouped, whatever else is made of its rows.
void HomeChooser::join_rows() {
  constexpr double kWorthwhile = 0.5;                     // microseconds
  constexpr size_t kMostTrials = 4, kMostLowered = 2048;  // instructions, of all trials
  const size_t most_trials = trials_of(module_, kMostTrials, kMostLowered);
  size_t trials = 0;
  for (const auto& computation : module_.computations()) {
    for (const Instruction& value : computation->instructions()) {
      if (trials >= most_trials || !is_scan(value)) continue;
      for (RowsInBlocks& trial : join_in_blocks(names(), schedule_.tree, value)) {
        ++trials;
        if (take_if_faster(std::move(trial.tree), kWorthwhile, trial.kept)) break;
      }
    }
  }
}

}  // namespace sinter
