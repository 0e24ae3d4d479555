// Grouping the values of one level (the entry, or the body or condition of a host loop) into kernels. Moves start
// from one kernel a value and merge:
//   a producer into all its consumers' kernels (recomputed where there are several); one that asks for a kind of stage
//   (passes/stages/stage_kind.h: a reduction over rows, a large dot, a cumulative window) gives it to the kernel,
//   a stored producer into its only consumer's kernel, as one more output,
//   an output into the kernel of a sibling over the same domain that shares operands with it.
// An op that has a stage of its own (a sort) takes in what its operands are computed from, nothing else.
// Each move is made only if the demand graph of the result can be built within the limits, and the cost model predicts
// no more time for it than for the kernels that it replaces.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/support/diagnostics.h"
#include "ir/text/content_ids.h"
#include "passes/analysis/values/arrays.h"
#include "passes/schedule/cost/gpu.h"
#include "passes/schedule/cost/launch_cost.h"
#include "passes/schedule/groups/group_room.h"
#include "passes/schedule/tree/ledger.h"
#include "passes/schedule/tree/moves.h"
#include "passes/stages/stage_kind.h"

namespace sinter {

struct Group {
  KernelValues values;
  StageForm form = plain_form();  // of its kernel
  // What runs it. The host runs one value, a while or conditional, and calls libraries.
  enum class Runner : uint8_t { kKernel, kHost, kLibrary };
  Runner runner = Runner::kKernel;
  bool reads_often = false;  // a value reads elements of its operands many times over
  bool full = false;         // a map kernel with no room for what it reads slices of
  // From the demand of the finished group; unset as long as that is not built.
  std::optional<LaunchShape> launch;
  std::optional<LaunchCost> cost;  // unset where the cost model has none to compare (predict_groups.cpp)

  bool is_kernel() const { return runner == Runner::kKernel; }
};

// What trying to build a group tells.
struct GroupTrial {
  int64_t nodes = 0;
  std::optional<LaunchShape> launch;
  std::optional<LaunchCost> cost;
  bool too_long = false;  // the passes of its rows compute more than a kernel may, which its demand has once each
};

// What was tried of the forms of a program that are compared, by what groups are in them (content_ids.h): most of a
// program is the same in all of them.
struct AlikeGroups {
  // Of a kernel of the module that has these ids.
  struct Room {
    std::optional<GroupRoom> room;
    std::shared_ptr<const ContentIds> ids;
  };
  std::unordered_map<std::string, std::optional<GroupTrial>> trials;
  std::unordered_map<std::string, bool> buildable;
  std::unordered_map<std::string, Room> rooms;
};

struct LevelContext;

// Groups of a level that were tried. A level is grouped anew for each loop that somebody else is to run.
class TriedGroups {
 public:
  // What groups of this level, in other forms of the program, have told is known too; `ids`: of its module.
  void share(AlikeGroups* alike, std::shared_ptr<const ContentIds> ids, const LevelContext& level);

  // By which a group is known: what it computes and stores, in which form, and what was asked.
  static std::string key(const Group& group, int64_t most_nodes, const std::vector<bool>& unstored);
  // nullptr: it was not tried.
  const std::optional<GroupTrial>* trial(const std::string& key) const;
  void add(const std::string& key, const std::optional<GroupTrial>& trial);
  std::optional<bool> buildable(const std::string& key) const;
  void add(const std::string& key, bool buildable);
  // The room of a group's kernel, of so many nodes at most: nullptr where that was not asked.
  const std::optional<GroupRoom>* room(const std::string& key) const;
  void add(const std::string& key, const std::optional<GroupRoom>& room);
  // Why a group cannot be built. nullptr: that was not found.
  const DemandGraph::Failure* failure(const std::string& key) const;
  void add(const std::string& key, const DemandGraph::Failure& failure);

  // By which a group is known in all forms of the program; empty: it is in none but this.
  std::string alike_key(const Group& group, int64_t most_nodes, const std::vector<bool>& unstored) const;
  // The same of an alike group. nullptr, nullopt: it was not tried.
  const std::optional<GroupTrial>* alike_trial(const std::string& key) const;
  void add_alike(const std::string& key, const std::optional<GroupTrial>& trial);
  std::optional<bool> alike_buildable(const std::string& key) const;
  void add_alike(const std::string& key, bool buildable);
  std::optional<std::optional<GroupRoom>> alike_room(const std::string& key) const;
  void add_alike(const std::string& key, const std::optional<GroupRoom>& room);

 private:
  bool has_room(const std::string& key);

  std::unordered_map<std::string, std::optional<GroupTrial>> trials_;
  std::unordered_map<std::string, bool> buildable_;
  std::unordered_map<std::string, std::optional<GroupRoom>> rooms_;
  std::unordered_map<std::string, DemandGraph::Failure> failures_;
  size_t bytes_ = 0;  // of keys
  AlikeGroups* alike_ = nullptr;
  std::shared_ptr<const ContentIds> ids_;
  std::string place_;  // what alike groups have around them
};

struct LevelGroups {
  std::vector<Group> groups;  // in an order in which every group comes after those it reads
  std::vector<LedgerEntry> ledger;
};

// What a level reads from outside: the counter of the host loop it is the body of.
struct LevelContext {
  const Computation* computation = nullptr;
  const Instruction* host_loop = nullptr;  // whose body it is
  std::map<const Instruction*, std::pair<int64_t, int64_t>> counters;
  int64_t counter_trip = 0;
  std::set<const Instruction*> updates_in_place;
  std::set<const Instruction*> host_loops;  // which the host is to run, though kernels could
  std::set<const Instruction*> grid_loops;  // whose steps are to be one launch
  bool one_launch = false;                  // the level is a part of such steps
};

// The level of the entry (no while given), or of the body or condition of a host loop.
LevelContext level_context(const Computation& computation, const Instruction* host_loop);

// The level of an arm of a conditional of level `outer`.
LevelContext arm_context(const LevelContext& outer, const Instruction& conditional, size_t arm);
// What an arm's parameter, or get-tuple-element of it, is in the level around the conditional.
const Instruction* arm_argument(const Instruction& conditional, size_t arm, const Instruction& element);

// Reports what cannot be compiled; nullopt then. `gpu`: that moves are made for; nullptr: no move asks what it costs.
// `tried`: what is known of the level's groups, whoever runs its loops; to which comes what is tried.
std::optional<LevelGroups> group_values(const LevelContext& level, const Moves& moves, const Gpu* gpu,
                                        Diagnostics& diagnostics, TriedGroups* tried);

// Values that must be in device memory or at hand when the level ends: operands of the root tuple, or the root.
// For a body, results that are the unchanged carry or the counter are not among them. Of the entry, a result may be
// there in another shape, with the same elements in the same order.
std::vector<const Instruction*> level_results(const LevelContext& level);

// True for a call that the host makes: of a library (ir/module/solver_calls.h), or of a function of the user's own
// (ir/module/host_functions.h).
bool is_library_call(const Instruction& instruction);

}  // namespace sinter
