// The moves that group_values makes (group_values.h says which): the state they share. Only the files of these moves
// include it.
//
// What holds between moves, so that each may be made after any other:
//   - An array that a group reads and does not compute is stored by one group, and by one alone; parameters, constants
//     and counters of the host are there. While values are placed, those before them are not there yet.
//   - What a kernel stores it computes. Groups of which that is nothing are gone: they keep their numbers.
//   - `groups_of_` has for each value the groups that compute it, these and no others.
//   - `storing_` has for each array the group that stores it; others too, which did once.
//   - `ends_` has for each group a place of the text that none of its results stands behind; from the first to the last
//     of them is one run in `runs_`. So a walk from readers to writers ends early (`reached`).
//   - The ledger has an entry for a value that is stored, unless a result of the level or a counter is, and one alone.
//   - `launch` and `cost` of a group are of what it is, if they are set.
// drop_unread makes two more things true, which joins and cuts may have ended for groups that they did not look at:
//   - What a kernel stores, another reads, or it is a result of the level.
//   - What a kernel computes, something needs that it stores.
// The first five stay so as long as groups change by `become`, `add_group` and `replace` (group_state.cpp); otherwise
// they lose outputs alone, or gain the value that is placed. what_is_untrue looks whether all of it is so, launches and
// costs aside: builds without NDEBUG, as the tests with sanitizers are, ask it twice for each level.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/schedule/cost/launch_cost.h"
#include "passes/schedule/cost/shared_work.h"
#include "passes/schedule/groups/group_room.h"
#include "passes/schedule/groups/group_values.h"
#include "passes/schedule/groups/text_runs.h"
#include "passes/schedule/tree/update_versions.h"
#include "passes/stages/domain/choose_domain.h"

namespace sinter {

// A stage is cut above this many values or nodes.
inline constexpr size_t kMaxValues = 1500;
inline constexpr int64_t kMaxNodes = 2000;
inline constexpr size_t kMostOutputs = 32;  // their pointers are parameters of the kernel
// Of a map kernel, which may have more if it has as many values.
inline int64_t nodes_of_a_map(size_t values) { return std::max<int64_t>(kMaxNodes, 4 * static_cast<int64_t>(values)); }

class Grouper {
 public:
  // `gpu`: nullptr where no move is to ask what it costs.
  Grouper(const LevelContext& level, const Moves& moves, const Gpu* gpu, Diagnostics& diagnostics, TriedGroups* tried)
      : level_(level),
        versions_(*level.computation, level.updates_in_place),
        moves_(moves),
        gpu_(gpu),
        diagnostics_(diagnostics),
        tried_(*tried) {}

  std::optional<LevelGroups> run() {
    collect();
    if (!check_supported()) return std::nullopt;
    for (size_t i = units_.size(); i-- > 0;) place(units_[i]);
    if (!diagnostics_.ok()) return std::nullopt;
    store_counters();
    if (moves_.join_neighbours) join_neighbours();
    if (moves_.join_siblings) join_siblings();
    if (moves_.join_neighbours) {
      join_rows_with_numbers();
      join_products();
      give_statistics();
    }
    give_to_makers();
    drop_unread();
    if (moves_.cut && gpu_ != nullptr) leave_operands();
    expect_what_holds();
    // What is cut is joined to others again: what a cut stores, by the kernel that has its rows.
    std::set<int> changed;
    cut_large(&changed);
    if (moves_.cut && gpu_ != nullptr) cut_slow(&changed);
    if (moves_.join_neighbours && !changed.empty()) {
      join_neighbours(&changed);
      drop_unread();
      cut_large(&changed);
    }
    give_to_makers();
    if (!check_groups()) return std::nullopt;
    expect_what_holds();
    LevelGroups result;
    for (const size_t group : ordered()) {
      if (!is_gone(group)) result.groups.push_back(std::move(groups_[group]));
    }
    give_reasons();
    result.ledger = std::move(ledger_);
    result.side_by_side = std::move(side_by_side_);
    return result;
  }

 private:
  // A value a kernel computes, with the arrays it gives (several for loops and variadic reductions).
  struct Unit {
    const Instruction* instruction = nullptr;
    std::vector<const Instruction*> arrays;
  };
  // What a unit reads that another gives, of so many elements.
  struct UnitOperand {
    int unit = 0;  // number
    int64_t elements = 0;
  };

  // group_values.cpp: what there is, and what may not be there; too large groups; the order of the groups.
  void collect();
  bool check_supported();
  // A group in two: of what the later part reads `outputs` are stored, `kept` it gives itself.
  struct Halves {
    Group early;
    std::set<const Instruction*> late, crossing;
    std::vector<const Instruction*> outputs, kept;
  };
  std::optional<Halves> halves_at(const KernelValues& values, size_t half) const;
  void cut_large(std::set<int>* changed);
  bool cut_at_reduction(size_t number, const DemandGraph::Failure& why, std::set<int>* changed);
  bool check_groups();
  std::vector<size_t> ordered() const;

  // place_values.cpp: one value after the other, the last first.
  void place(const Unit& unit);
  DemandContext context() const;
  void store_counters();
  bool reads_beside_update(const Group& group, const Unit& unit) const;
  bool reads_too_late(const Group& group, const Unit& unit) const;
  bool reads_lanes(const Group& group, const Unit& unit) const;
  bool reads_in_memory(const Group& group, const Unit& unit) const;
  bool absorb(const Unit& unit, int group);
  bool has_room(const Unit& unit, int number);
  bool is_mostly_read(const Instruction& array) const;
  bool reads_part(const Unit& unit, const std::set<int>& consumers);
  void store(const Unit& unit);
  std::vector<const Instruction*> begun_with(const Instruction& loop) const;
  void read_by_host(const Unit& unit);
  std::vector<const Instruction*> stored_arrays(const Unit& unit) const;
  std::set<int> consumer_groups(const Unit& unit) const;
  bool is_in_place(const Unit& unit) const { return level_.updates_in_place.count(unit.instruction) > 0; }
  bool is_read_over_and_over(const Unit& unit) const;
  std::vector<int> work_below(const Instruction* array, int64_t elements);
  void add_to(int group, const Unit& unit);
  void note(const Unit& unit, ReasonCode reason, const Instruction* blocked_by);
  void note_cut(const Unit& unit, ReasonCode reason);

  // try_groups.cpp: what the kernel of a group would be.
  struct Built {
    StageDemand demand;
    int64_t nodes = 0;
    // Set with the cost: the passes of its rows compute more than kMaxNodes, which its demand has once each.
    bool too_long = false;
  };
  const Instruction* reads_updated(const Group& group, const StageDemand* demand) const;
  std::optional<Built> build(const Group& group, DemandGraph::Failure* why, int64_t most_nodes = INT64_MAX) const;
  static LaunchShape launch_shape(const Group& group, const Built& built);
  // The same where it can be built of at most `most_nodes` nodes.
  std::optional<Built> built_of(const Group& group, int64_t most_nodes = INT64_MAX) const;
  // `room`: where that is known of a kernel that can be built, its room.
  bool buildable(const Group& group, int64_t most_nodes = INT64_MAX, std::optional<GroupRoom>* room = nullptr) const;
  // By which groups that tell the same when they are built are known; with what a launch takes, where that matters.
  std::string key_of(const Group& group, int64_t most_nodes, const std::vector<bool>& unstored) const;
  // What building a group of at most `most_nodes` nodes tells, without doing so where one of the same form has been
  // built. nullopt: it cannot be built.
  using Trial = GroupTrial;
  std::optional<Trial> tried(const Group& group, int64_t most_nodes = INT64_MAX) {
    return tried(group, most_nodes, std::vector<bool>(group.values.outputs.size()));
  }
  // `unstored`: of each output, whether it is computed, but costs no store.
  std::optional<Trial> tried(const Group& group, int64_t most_nodes, const std::vector<bool>& unstored);
  std::optional<Trial> tried_by_form(const Group& group, int64_t most_nodes, const std::vector<bool>& unstored);
  std::optional<Trial> try_to_build(const Group& group, int64_t most_nodes, const std::vector<bool>& unstored) const;
  // What trying it tells becomes the group's. False: it cannot be built.
  bool set_cost(Group* group);
  // In another form than its values ask for (StageKind::other_form), which it has then.
  std::optional<Trial> tried_otherwise(Group* group, int64_t most_nodes) {
    return tried_otherwise(group, most_nodes, std::vector<bool>(group->values.outputs.size()));
  }
  std::optional<Trial> tried_otherwise(Group* group, int64_t most_nodes, const std::vector<bool>& unstored);

  // group_state.cpp: what holds between moves.
  void become(int number, Group group);
  int add_group(Group group);
  void replace(const std::set<int>& numbers, Group joined);
  void note_outputs(int group);
  size_t first_output(int group) const;
  size_t last_output(int group) const;
  bool is_gone(size_t group) const { return groups_[group].values.context.computed.empty(); }
  bool is_stored(const Instruction* array) const;
  void forget(const Instruction* stored);
  void drop_forgotten();
  Group giving(const Group& group, const std::vector<const Instruction*>& outputs) const;
  void drop_unread();
  void drop_twins();
  void expect_what_holds();
  std::string what_is_untrue();
  std::string untrue_of(int number, std::set<const Instruction*>* stored);
  std::string unneeded_of(const Group& group) const;
  std::string untrue_in_ledger() const;

  // predict_groups.cpp: what kernels take, in microseconds.
  std::optional<LaunchCost> cost_of(const Group& group, Built* built) const;
  std::optional<double> predicted(const Group& group);
  std::optional<double> predicted(int number);
  std::optional<double> predicted(const Unit& unit);
  static uint64_t contents_of(const Group& group);
  // The group has become what was tried.
  void note_predicted(int number, const Trial& trial);
  // Whether one kernel would take longer than those it replaces: that of `unit`, unless nullptr, and those of `groups`.
  bool is_slower_than_apart(const Trial& together, const Unit* unit, const std::vector<int>& groups);
  bool is_slower_than(const Trial& together, const Unit* unit, size_t others,
                      llvm::function_ref<std::optional<double>(size_t)> other);
  bool is_faster_in_memory(const Trial& together, const std::set<int>& groups);

  void give_reasons();

  // cut_groups.cpp: one kernel becomes two.
  struct Piece {
    Group group;  // finished
    double us = 0;
  };
  class Cuts;
  void cut_slow(std::set<int>* changed);
  void leave_operands();
  bool leave_operand(int product, const Instruction& operand);
  bool leave_operand_to(int maker, int product, const Unit& operand);
  bool is_simple(const Group& group) const;
  void offer_cut_at(int number, const Unit& unit, Cuts* cuts);
  void offer_cut_around(int number, const Unit& product, Cuts* cuts);
  void offer_cut_at_layer(int number, const std::vector<const Unit*>& layer, Cuts* cuts);
  void read_instead(const Unit& unit, std::set<int>* changed);
  bool may_read_stored(int number, const std::vector<const Instruction*>& arrays);
  Group part_of(const Group& group, const std::vector<const Instruction*>& outputs, const Unit* stored) const;
  Group part_beyond(const Group& group, const std::vector<const Instruction*>& outputs,
                    const std::vector<const Unit*>& stored) const;
  std::optional<Piece> piece_of(Group part);
  bool is_slow(const Piece& piece) const;
  static std::optional<RowExtents> rows_worth(const std::set<const Instruction*>& values,
                                              const std::optional<RowExtents>& kept);
  struct Reads {
    double moved = 0;  // elements, at indices of their own
    bool at_its_place = false, by_one = false;
  };
  llvm::DenseMap<const Instruction*, Reads> reads_in(const Group& group) const;
  struct Candidate {
    const Unit* unit = nullptr;
    double saves = 0;
  };
  bool is_laid_out_operand(const Instruction& value) const;
  std::vector<Candidate> worth_storing(const Group& group) const;
  std::vector<std::vector<const Unit*>> layers_of(const std::vector<Candidate>& candidates) const;
  std::vector<const Instruction*> arrays_across(const Group& group, const Unit& unit) const;
  std::pair<Group, Group> parts_at(const Group& group, const Unit& unit) const;

  // merge_groups.cpp: two kernels become one.
  bool join(const Unit& unit, const std::set<int>& consumers);
  struct Neighbours {
    std::vector<std::set<int>> producers;       // of a group: those that store what it reads, ...
    std::vector<std::set<int>> readers;         // ... and that read what it stores
    std::vector<std::optional<int64_t>> nodes;  // of its demand graph, 0 where it has none; filled in when asked for
    // Those that it would be too long a row with, whatever else comes to either.
    std::vector<std::set<int>> too_long;
    bool of_cuts = false;  // of kernels that were cut since they were too large, or none at all
  };
  void join_neighbours(const std::set<int>* changed = nullptr);
  bool may_be_elements(const Group& group) const;
  std::optional<Group> with_fewer_rows(int fewer, int group) const;
  bool is_read_only_by(const Instruction& stored, int writer, int reader) const;
  int64_t demand_nodes(int group, Neighbours* neighbours);
  bool can_lose(const Group& group, const std::vector<bool>& unstored);
  bool join_with_producer(int group, int producer, Neighbours* neighbours);
  void stays_apart(const Group& writer);
  void join_siblings();
  int64_t elements_of_threads(const Group& group);
  // join_several.cpp: more than two kernels become one.
  struct United {
    Group group;
    std::vector<const Instruction*> unread;  // what they stored for one another alone
  };
  void join_products();
  std::vector<const Instruction*> products_of(int group) const;
  void join_products_of(const std::set<int>& numbers);
  bool join_products_side_by_side();
  bool join_side_by_side(const std::set<int>& numbers);
  void join_rows_with_numbers();
  std::optional<United> united_of(const std::set<int>& numbers);
  void become_one(const std::set<int>& numbers, United united, const Trial& told);
  // give_statistics.cpp: a kernel of rows becomes part of each product that reads it.
  void give_statistics();
  std::set<int> readers_of(int group) const;
  // Whether a product in tiles makes statistics of its rows, which give_statistics alone gives it.
  bool reduces_in_tiles(const Group& group) const;
  std::vector<int> depths() const;
  bool has_company(int number);
  bool give_statistics_of(int number);
  // The other way round: what reduces rows of a product's results becomes part of the product.
  void reduce_results();
  double lost_company(int product, const std::set<int>& readers);
  bool reduce_in_product(int product, int reader);
  bool reads_what_waits(const Group& kernel, int product, const std::set<int>& readers,
                        const std::set<const Instruction*>& given);
  bool reduce_pieces(int product);
  // norms_in_parts.cpp: a norm between two products, whose rows are longer than a tile, becomes part of both.
  struct Norm {
    std::set<const Instruction*> values, products;  // between pieces and these
  };
  std::optional<Norm> norm_of(const std::vector<const Instruction*>& pieces) const;
  void normalise_in_products();
  bool normalise_in_products(const Instruction* dot, const std::vector<const Instruction*>& pieces);

  void give_to_makers();
  std::set<int> producers_of(int group) const;
  template <class Producers, class Found, class MayRead>
  bool reached(std::vector<int> readers, const Producers& producers, const Found& found, const MayRead& may_read);
  using ProducersOf = llvm::function_ref<const std::set<int>&(int group)>;
  bool waits_for(int reader, int writer, bool directly, ProducersOf producers);
  bool one_waits_for_another(const std::set<int>& groups);
  bool has_between(const std::set<int>& groups);

  const LevelContext& level_;
  const UpdateVersions versions_;
  const Moves& moves_;
  const Gpu* gpu_;
  Diagnostics& diagnostics_;
  TriedGroups& tried_;  // of this level
  std::vector<Unit> units_;
  llvm::DenseMap<const Instruction*, std::vector<const Instruction*>> readers_;  // array -> units' instructions
  std::set<const Instruction*> escaping_;                                        // arrays
  std::set<const Instruction*> kept_whole_;                                      // arrays of which slices are read
  llvm::DenseMap<const Instruction*, const Unit*> unit_of_array_;
  llvm::DenseMap<const Instruction*, std::vector<const Instruction*>> operands_;  // of units, arrays alone
  bool gives_statistics_ = false;                                                 // to products in tiles: from then on
  std::vector<std::vector<const Instruction*>> side_by_side_;                     // products of one kernel each
  std::vector<int> depths_;  // of the groups as they are while statistics are given; empty: not asked yet
  llvm::DenseMap<const Instruction*, std::set<int>> groups_of_;  // instruction -> groups that compute it
  std::vector<Group> groups_;  // what became part of another keeps its number, without values
  llvm::DenseMap<const Instruction*, llvm::SmallVector<int, 1>> storing_;  // array -> groups that came to store it
  TextRuns runs_;                                                          // of the groups so far
  std::vector<size_t> ends_;  // of each group: the last output that it has come to store, which it may no longer
  SharedWork shared_work_{[this](const Instruction* array, int64_t elements) { return work_below(array, elements); }};
  std::map<int, GroupRoom> rooms_;                     // of kernels of elements or rows, where that has been asked for
  std::vector<std::vector<UnitOperand>> operands_of_;  // of each unit, for work_below
  std::vector<int> last_visit_;                        // of each unit: by which call of work_below
  int visits_ = 0;
  std::vector<int> last_walk_;  // of each group: which of the walks of `reached` came to it
  int walks_ = 0;
  std::vector<LedgerEntry> ledger_;
  std::unordered_map<std::string, const Unit*> forgotten_;  // of which the ledger is to have what is still stored
  std::unordered_set<std::string> slower_;  // values that are stored because a kernel that has them would be slower
  struct Predicted {
    uint64_t contents = 0;  // of the group at that time (contents_of)
    std::optional<double> us;
  };
  std::map<int, Predicted> predicted_groups_;
  llvm::DenseMap<const Instruction*, std::optional<double>> predicted_units_;
  struct KnownTrial {
    KernelValues values;
    int64_t most_nodes = 0;
    std::vector<bool> unstored;
    std::optional<Trial> trial;
  };
  std::unordered_map<size_t, std::vector<KnownTrial>> known_trials_;  // by form; none of what was tried once
};

}  // namespace sinter
