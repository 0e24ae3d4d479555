// The state of lower(): what is known of the program so far. Only the files that lower a tree include it.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ir/support/diagnostics.h"
#include "passes/lower/host/carries.h"
#include "passes/lower/host/host_plan.h"
#include "passes/lower/stages/base/kept_stages.h"
#include "passes/lower/stages/base/lowered_stage.h"
#include "passes/schedule/groups/group_values.h"
#include "passes/schedule/tree/tree.h"

namespace sinter {

// The domains of kernels, or parts of one, that a tree leaves open (`over auto`): by where they stand in that tree.
using OpenDomains = std::map<const std::vector<TreeNode>*, StageDomain>;

// What a level computes one after the other: its items, and the parts of those that share a launch.
struct LevelUnit {
  const TreeNode* node = nullptr;
  const TreeNode* launch = nullptr;             // the kernel item that `node` is a part of, ...
  bool last = false;                            // ... of its last block
  const std::vector<TreeNode>* body = nullptr;  // of the kernel or part, where it stands in the tree
};

// The units of a level, and who computes and reads what.
struct LevelItems {
  std::vector<std::set<const Instruction*>> computed;      // by item
  std::vector<std::string> schedules;                      // by item
  std::map<const Instruction*, size_t> maker;              // the kernel that stores a value if others read it
  std::map<const Instruction*, std::set<size_t>> readers;  // items that read an array they do not compute
  std::set<const Instruction*> results;
};

// A loop of the host while it is lowered.
struct HostLoop {
  const Instruction* loop = nullptr;
  WhileInfo info;
  CarryFlow flow;
  HostStep step;
  std::vector<HostStep>* before = nullptr;  // the steps it comes after
  std::vector<HostStep> starts, results;    // right before and right after it
  bool opens_launch = false;                // of grid scope, and in no other such loop
  // By carry; kNone where it needs no memory.
  std::vector<const Instruction*> initial;
  std::vector<std::vector<const Instruction*>> after;  // the get-tuple-elements of the result
  std::vector<size_t> current;                         // what an iteration reads
  std::vector<bool> in_ring;                           // `current` is one of the ring's pointers
  std::vector<size_t> cleared;                         // of zeros: the memory that the loop's launch clears
  // By ring: what an iteration writes, and the places it alternates between.
  std::vector<size_t> next;
  std::vector<std::vector<size_t>> slots;
  std::vector<std::vector<size_t>> turns;  // the pointers of each ring that has several places

  static constexpr size_t kNone = SIZE_MAX;
};

// Launches that are one. Its parts' kernels are the program's from `first_kernel` on.
struct JointLaunch {
  std::string name;
  int64_t block = 1;
  size_t first_kernel = 0;
  std::vector<std::string> forms;  // of its parts so far: plain ones, of those of the last block outlines
  int64_t counts = 1;              // of finished blocks, that its parts have so far, and the launch itself
  std::vector<size_t> kernels;     // by part, once it is closed
};

// What a kernel item is found to be before it is lowered: a launch of a kernel of the program.
struct Twin {
  size_t kernel = 0;
  LoweredStage stage;  // without the kernel's text
};

// A kernel of one launch, and all the arrays it is launched with.
struct KernelSites {
  TreeNode node;
  bool part = false;      // of a launch: the others are of that launch too
  bool together = false;  // of a launch that does the steps of a loop
  std::string schedule;
  KernelValues values;  // of the first launch
  std::vector<StageStep> launches;
};

// What can be told of a part of the last block without its text: what it computes, on arrays of which shapes.
std::string outline(const std::string& schedule, const KernelValues& values);
bool is_outline(const std::string& form);

class Lowering {
 public:
  // `kept`: what other trees of the module have been lowered to, if there are any.
  Lowering(const Module& module, const Tree& tree, Diagnostics& diagnostics, KeptStages* kept)
      : module_(module), tree_(tree), diagnostics_(diagnostics), kept_(kept) {}

  std::optional<Program> run(const std::string& name);
  OpenDomains open_domains;  // that were settled

 private:
  void index_names();
  void declare_interface();
  // start_updates.cpp: donated parameters that are updated in place, as the tree says.
  bool start_updates(LevelContext* entry);
  bool start_carry_update(const Instruction* update, Loc loc);
  bool check_updates(const LevelContext& context, const std::vector<LevelUnit>& units, const LevelItems& level);
  bool check_updated_elements(const LevelContext& context, const std::vector<HostStep>& steps);
  void place_before(const Instruction& last, const Instruction& value);
  bool level(const LevelContext& context, const std::vector<TreeNode>& items, std::vector<HostStep>* steps);
  std::vector<LevelUnit> units_of(const std::vector<TreeNode>& items);
  bool settle_domains(const LevelContext& context, const LevelItems& level, std::vector<LevelUnit>* units);
  bool collect_items(const LevelContext& context, const std::vector<LevelUnit>& units, LevelItems* level);
  KernelValues values_of(const LevelContext& context, const LevelItems& level, size_t number) const;
  bool kernel(const LevelContext& context, const LevelUnit& unit, const std::string& schedule, KernelValues values,
              std::optional<Twin> twin, std::vector<HostStep>* steps);
  bool launch(const LevelContext& context, std::span<const LevelUnit> parts, const LevelItems& level, size_t first,
              std::vector<HostStep>* steps);
  std::optional<LoweredStage> stage(const StageInput& input, bool is_plain = false) {
    return kept_ == nullptr ? lower_item(input, diagnostics_) : kept_->lower(input, diagnostics_, is_plain);
  }
  // find_twin.cpp
  std::optional<Twin> twin_of(size_t kernel, const TreeNode& node, const std::string& schedule,
                              const KernelValues& values) const;
  std::optional<Twin> find_twin(const LevelUnit& unit, const std::string& schedule, const KernelValues& values,
                                const std::vector<HostStep>& steps) const;
  std::vector<Twin> find_twins(std::span<const LevelUnit> parts, std::span<const std::string> schedules,
                               const std::vector<KernelValues>& values) const;
  // place_stage.cpp
  std::string kernel_name(const TreeNode& node, const std::string& suffix);
  // Counts of blocks that have finished, of those of the instance from `first` on: number 0 is that of launches that
  // have parts, others are of a kernel's own.
  size_t finished_buffer(int64_t first, int64_t counts);
  size_t part_like(const Kernel& kernel);
  void place_stage(LoweredStage stage, const LevelUnit& unit, std::optional<size_t> twin, const std::string& comment,
                   std::vector<HostStep>* steps);
  // name_roles.cpp
  void name_roles();
  // join_launches.cpp
  std::optional<LoweredStage> lower_plainly(const StageInput& input);
  // To lower a kernel of one launch once more, under its item's name.
  StageInput input_again(const KernelSites& sites) const;
  const std::string& plain_form(size_t kernel);
  const std::string* form_of_part_before(const StageInput& input, const std::string& schedule) const;
  void close_launch(size_t first_step, std::vector<HostStep>* steps);
  HostStep join_steps(const std::vector<HostStep>& parts);
  void join_launches();
  // clear_ahead.cpp
  bool clear_ahead(size_t loop, size_t clear, std::vector<HostStep>* steps);
  void clear_ahead();
  // join_together.cpp
  size_t barrier_counts();
  void join_together();
  bool host_loop(const LevelContext& context, const TreeNode& node, std::vector<HostStep>* steps);
  bool library_call(const LevelContext& context, const TreeNode& node, std::vector<HostStep>* steps);
  bool host_branch(const LevelContext& context, const TreeNode& node, std::vector<HostStep>* steps);
  void copy_results();
  // check_plan.cpp: refuses what a plan says and lowering does not do.
  bool check_plan();
  bool check_kernel(const TreeNode& node, std::set<std::string>* kernels);
  bool check_domains(const std::vector<TreeNode>& body);
  bool check_stage(const TreeNode& node);
  bool check_loop(const TreeNode& node);
  bool check_loop_body(const TreeNode& node);
  bool check_split(const TreeNode& kernel);
  bool check_items(const std::vector<LevelUnit>& units, const LevelItems& level);
  bool check_use(const TreeNode& node, const KernelValues& values);
  bool check_grid(const LevelUnit& unit, const Kernel& kernel);
  bool check_part(const LoweredStage& part, const TreeNode& node);
  void plan_error(Loc loc, const std::string& code, const std::string& message, const std::string& hint) {
    sinter::plan_error(tree_, loc, code, message, hint, diagnostics_);
  }

  // `stored`: those of which the text says it.
  bool collect_values(const TreeNode& node, const Computation* computation, std::set<const Instruction*>* computed,
                      std::set<const Instruction*>* stored, std::string* schedule);
  size_t buffer_of(const Instruction* value);
  size_t add_buffer(Buffer::Kind kind, const Instruction* value, const std::string& name);
  size_t constant_buffer(const Literal& literal, const std::string& name);
  std::string carry_name(const Instruction& loop, int64_t number) const;
  std::string result_name(const Instruction* value) const;
  std::string name_in_matrices(const Instruction& value) const;
  void copy(size_t from, size_t to, const std::string& comment, ReasonCode reason, std::vector<HostStep>* steps);

  // lower_host_branch.cpp: places of a conditional's results, and of what its arms are given.
  const Instruction* find_branch(const LevelContext& context, const TreeNode& node);
  std::vector<const Instruction*> place_branch_results(const Instruction& conditional);
  bool place_arguments(const LevelContext& context, const Instruction& conditional, size_t arm);

  // lower_host_loop.cpp: the state of a loop of the host, and its body.
  bool open_loop(const LevelContext& context, const TreeNode& node, HostLoop* loop);
  void declare_state(HostLoop* loop);
  bool is_of_donated(const HostStep& start) const;
  void place_updates(const Instruction* next, const std::set<const Instruction*>& in_place);
  bool lower_body(const TreeNode& node, HostLoop* loop);
  // place_carries.cpp: where the state is, once the launches of the body are known.
  bool place_ring(HostLoop* loop, size_t ring);
  void start_carries(HostLoop* loop);
  void advance_carries(HostLoop* loop);
  void place_results(HostLoop* loop);
  bool is_in_place(const HostLoop& loop, size_t ring, size_t* writer) const;
  bool has_own_start(const HostLoop& loop, size_t carry) const;
  void clear_starts(HostLoop* loop);
  size_t start_of(const HostLoop& loop, size_t carry);
  void replace_buffer(size_t from, size_t to, std::vector<HostStep>* steps);
  size_t add_pointer(const Instruction* value, const std::string& name, bool constant);

  const Module& module_;
  const Tree& tree_;
  Diagnostics& diagnostics_;
  KeptStages* const kept_;
  Program program_;
  InstructionsByName by_name_;
  std::map<const Computation*, const Instruction*> loop_of_body_;
  std::map<const Instruction*, Loc> carry_updates_;          // those in place of which the tree says so, and where
  std::map<const Instruction*, std::string> main_results_;   // those that go by their kernel, and its name
  std::map<const Instruction*, size_t> location_;            // array value -> position in plan.buffers
  std::map<const Instruction*, int64_t> finished_counters_;  // results of host loops
  BufferNames names_;                                        // of arrays, the same in the launcher and in all kernels
  std::map<const Instruction*, std::string> plain_names_;    // of arrays in `names_`, before they had numbers
  std::set<std::string> buffer_names_;
  std::map<std::string, int> buffer_numbers_;  // by name: the last number
  std::map<std::string, size_t> kernel_of_fingerprint_;
  std::map<size_t, KernelSites> sites_;  // by position in the program's kernels
  // By form_hash: kernels with a launch to themselves, the launches in `joint_` of such parts, and kernels that are
  // parts, which have these forms.
  std::map<size_t, std::vector<size_t>> kernels_alike_, launches_alike_, parts_alike_;
  std::map<size_t, std::string> part_forms_;
  std::deque<TreeNode> parts_;  // kernel items that share a launch, each as if it had one of its own; those settled
  std::vector<JointLaunch> joint_;
  std::map<std::vector<std::string>, std::vector<size_t>>
      kernels_of_forms_;                       // the first ones of launches of such parts
  std::map<size_t, std::string> plain_forms_;  // of kernels, where asked for
  std::map<int64_t, size_t> finished_;         // the buffers that count blocks, by their first count
  std::set<std::string> kernel_names_;         // of the tree's items, and given since
  std::vector<const Instruction*> results_;
  std::map<const Instruction*, size_t> result_rank_;   // the first place of a value among them
  std::vector<std::string> counters_;                  // of the host loops around what is being lowered
  const NeededParts needed_ = NeededParts(module_);    // of a run of some size
  bool together_ = false;                              // what is being lowered stands in a loop of grid scope
  std::map<std::string, size_t> part_of_fingerprint_;  // kernels of that loop
};

}  // namespace sinter
