// The schedule tree of a module, level by level: groups of values become kernels, loops that no kernel can hold become
// loops of the host, or of grid scope, with levels of their own.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "passes/names/source_order.h"
#include "passes/schedule/grouped_levels.h"
#include "passes/schedule/groups/group_values.h"
#include "passes/schedule/groups/stage_line.h"
#include "passes/schedule/moves/share_launches.h"
#include "passes/schedule/schedule.h"

namespace sinter {

// How many whole trees may be tried beside one, of `most_lowered` instructions together.
size_t trials_of(const Module& module, size_t most, size_t most_lowered);

// Loops that somebody else is to run than follows from what they compute.
struct LoopChoice {
  std::set<const Instruction*> host;            // the host, though kernels could
  std::map<const Instruction*, GridLoop> grid;  // the blocks of one launch, which wait for one another
};

class HomeChooser {
 public:
  // `levels`: of these moves.
  HomeChooser(const Module& module, const std::string& program, const ScheduleOptions& options,
              Diagnostics& diagnostics, GroupedLevels* levels, LoopChoice loops = {})
      : module_(module),
        program_(program),
        options_(options),
        diagnostics_(diagnostics),
        levels_(*levels),
        loops_(std::move(loops)) {}

  std::optional<Schedule> run();

  // What a kernel in a loop of grid scope has better than GridLoop::block, or needs, if the tree has failed; 0: none.
  int64_t needed_block() const { return needed_block_; }

 private:
  bool has_no_effects();
  std::optional<LevelGroups> groups_of(LevelContext* context, const Gpu* gpu);
  bool level(LevelContext context, std::vector<TreeNode>* items);
  static bool reads_beside_update(const Group& group, const std::set<const Instruction*>& updates,
                                  const Instruction* array);
  static bool drop_late_updates(const std::vector<Group>& groups, const std::vector<SharedLaunch>& launches,
                                LevelContext* context);
  static TreeNode split(const SharedLaunch& launch, const std::vector<const Instruction*>& outputs,
                        std::vector<TreeNode> parts);
  bool item(const LevelContext& context, const Group& group, int64_t block, std::vector<TreeNode>* items);
  bool add_in_grid(const LevelContext& context, const Group& group, std::vector<TreeNode>* items);
  TreeNode kernel(const Group& group, int64_t block);
  bool note_repeated(const std::vector<Group>& groups);
  void say_who_stores(const Computation& level, std::vector<TreeNode>* items);
  TreeNode stage(const std::string& schedule, const std::vector<const Instruction*>& values, const Layers& layers);
  TreeNode kernel_loop(const Instruction* loop, const LaunchShape& launch);
  const InstructionsByName& names() {
    if (!names_) names_ = instructions_by_name(module_);
    return *names_;
  }
  const Gpu* gpu() const { return options_.gpu ? &*options_.gpu : nullptr; }
  void dissolve_kernels();
  void recompute_large();
  void join_rows();
  bool take_if_faster(Tree trial, double worthwhile, const std::vector<std::string>& computed_again);
  std::optional<double> predicted_us(Tree* tree) const;

  const Module& module_;
  const std::string& program_;
  const ScheduleOptions& options_;
  Diagnostics& diagnostics_;
  GroupedLevels& levels_;
  const LoopChoice loops_;
  const GridLoop* in_grid_ = nullptr;  // that the level stands in
  int64_t needed_block_ = 0;
  Schedule schedule_;
  std::vector<std::string> program_functions_;
  std::set<const Instruction*> in_place_;  // updates of which the tree says so
  std::set<const Instruction*> repeated_;  // values that several kernels compute
  std::set<const Instruction*> stored_;    // those of them that the kernel which is made stores
  std::optional<InstructionsByName> names_;
  std::optional<std::optional<double>> us_;  // what the tree takes, once that has been asked for
};

}  // namespace sinter
