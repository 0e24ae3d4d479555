// Instructions are counted as the op table weighs them (op_table.h). Latencies are those of recent GPUs, rounded: an
// addition 4 cycles, a load that no cache holds 500, one of a reduction's steps, of which some are under way and some
// hit a cache, 60, a shuffle 25, a barrier 30.
#include "passes/schedule/cost/work.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/demand/lane_steps.h"
#include "passes/demand/nodes_read.h"
#include "passes/demand/views/lane_places.h"
#include "passes/demand/views/load_runs.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/schedule/cost/graph_work.h"
#include "passes/schedule/cost/held_registers.h"
#include "passes/schedule/cost/turns.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/domain/row_width.h"
#include "passes/stages/domain/shifted_load.h"
#include "passes/stages/domain/vectorize.h"

namespace sinter {

namespace {

// Of an array that a multiprocessor's own cache holds.
constexpr double kNearLoadCycles = 40, kNearPipelinedCycles = 10;
constexpr int64_t kNearBytes = 65536;
// What a row takes beside its chain, from the block before it on: measured on an H200, rows of a warp each, in 262,144
// blocks, take some 2,600 cycles, where their chains are 1,100, in 8,192 blocks and 65,536 likewise.
constexpr double kRowCycles = 1500;
// Up to how many instructions ptxas predicates an arm, whose loads wait for nothing then; it branches around longer
// ones (of CUDA 13.0, where it predicates 9 and branches around 20).
constexpr double kPredicatedInstructions = 12;

// Counts a demand graph's nodes, each as often as a thread comes to it.
class WorkCounter {
 public:
  // `column_threads` share the columns of a row; `column_lanes`: as TurnCounter has it.
  WorkCounter(const DemandGraph& graph, int64_t column_threads, int64_t column_lanes)
      : graph_(graph),
        column_threads_(column_threads),
        turns_(graph, column_lanes),
        needed_(needed_nodes(graph)),
        step_widths_(graph.scopes.size(), 0) {}

  static constexpr int64_t kLargeBlock = 256;
  int64_t reducing_threads = kLargeBlock;  // those that reduce what they have of a step together
  int64_t row_width = 1;                   // neighbours of a row that a thread loads and stores in one access
  std::map<NodeId, RecordPart> records;    // that are read at once for these neighbours
  std::vector<double> shares;        // of nodes that not all lanes of a thread compute (shifted_load.h); empty: of none
  std::map<int, double> arm_shares;  // by scope, of what some lanes alone compute (lane_places.h)

  // Loads that are neighbours are one access.
  void join_loads() {
    at_once_.assign(graph_.nodes.size(), 1);
    for (const LoadRun& run : loads_at_once(graph_)) {
      for (const NodeId load : run.loads) at_once_[load] = 0;
      at_once_[run.loads[0]] = std::ssize(run.loads);
    }
  }

  // The thread has so many elements, and makes the steps of these scopes once for all (lane_steps.h); `along` are the
  // nodes that differ among them.
  void set_shared_steps(int64_t width, std::set<int> scopes, std::vector<bool> along) {
    lanes_ = static_cast<double>(width);
    shared_steps_ = std::move(scopes);
    along_ = std::move(along);
  }

  // Of one thread, but for its registers.
  Work count_thread() {
    const size_t scopes = graph_.scopes.size();
    own_.resize(scopes);
    arms_.resize(scopes);
    results_.resize(scopes);
    loads_.resize(scopes, 0);
    meets_.resize(scopes);
    std::vector<double> chains(graph_.nodes.size(), 0);  // what a result waits for after its operands
    for (size_t id = 0; id < graph_.nodes.size(); ++id) {
      if (!needed_[id]) continue;
      const DemandNode& node = graph_.nodes[id];
      if (node.kind == DemandNode::Kind::kChoose) find_arms(node);
      Work work = node_work(node);
      if (!shares.empty()) work.integer *= shares[id];
      if (!arm_shares.empty()) take_share(node.scope, &work);
      if (shared_steps_.count(node.scope) > 0) share_step(static_cast<NodeId>(id), &work);
      if (!at_once_.empty() && at_once_[id] != 1) take_run(node, at_once_[id], &work);
      if (const auto record = records.find(static_cast<NodeId>(id)); record != records.end()) {
        const auto width = static_cast<double>(elements_an_access(record->second, node.dtype, row_width));
        work.turns = turns_.together(node.expr, node.dtype, row_width) / width;
        work.memory /= width;
      } else if (const int64_t width = std::max(steps_at_once(node), columns_at_once(node)); width > 1) {
        work.memory /= static_cast<double>(width);
        work.turns /= static_cast<double>(width);
      }
      if (node.kind == DemandNode::Kind::kLoad)
        loads_[node.scope] = std::max(loads_[node.scope], is_near(node) ? kNearPipelinedCycles : kPipelinedLoadCycles);
      if (node.kind == DemandNode::Kind::kReduce && graph_.reduces[node.reduce].scope >= 0)
        results_[graph_.reduces[node.reduce].scope].push_back(&node);
      if (work.chain > 0 && is_met_for(node)) meets_[node.scope] = true;
      add(&own_[node.scope], work, 1);
      chains[id] = work.chain;
    }
    const std::vector<size_t> order = innermost_first();
    find_predicated(order);
    std::vector<double> finished(graph_.nodes.size(), 0);  // cycles after its scope began
    recurrence_.resize(scopes, 0);
    const std::vector<bool> of_carry = nodes_of_carries();
    std::vector<double> after_carry(graph_.nodes.size(), 0);  // cycles after the step before
    for (size_t id = 0; id < graph_.nodes.size(); ++id) {
      if (!needed_[id]) continue;
      const DemandNode& node = graph_.nodes[id];
      const int scope = waits_in_[node.scope];
      double begins = 0;
      for (const NodeId operand : node.operands) {
        if (operand < static_cast<NodeId>(id) && waits_in_[graph_.nodes[operand].scope] == scope)
          begins = std::max(begins, finished[operand]);
      }
      finished[id] = begins + chains[id];
      own_[scope].chain = std::max(own_[scope].chain, finished[id]);
      if (!of_carry[id]) continue;
      // What stands in an arm is loaded once it is known that the arm is taken.
      const bool chooses = node.kind == DemandNode::Kind::kCompute && node.instruction->opcode == Opcode::kSelect &&
                           of_carry[node.operands[0]];
      const double decided = chooses ? after_carry[node.operands[0]] : 0;
      for (const NodeId operand : node.operands) {
        if (operand >= static_cast<NodeId>(id) || waits_in_[graph_.nodes[operand].scope] != scope) continue;
        const bool loads = chooses && !of_carry[operand] && finished[operand] >= kNearLoadCycles;
        after_carry[id] = std::max(after_carry[id], loads ? decided + finished[operand] : after_carry[operand]);
      }
      after_carry[id] += chains[id];
      recurrence_[scope] = std::max(recurrence_[scope], after_carry[id]);
    }
    for (const DemandStore* store : first_stores(graph_)) {
      Work work = access_work(store->offset, graph_.nodes[store->node].dtype);
      if (row_width > 1 && is_row_vector(graph_, store->offset, row_width))
        work.memory /= static_cast<double>(row_width);
      add(&own_[store->scope], work, 1);
    }
    for (const DemandLoop& loop : graph_.loops) {
      for (const DemandLoop::Stack& stack : loop.stacks) {
        for (const auto& [offset, node] : stack.stores)
          add(&own_[loop.scope], access_work(offset, graph_.nodes[node].dtype), 1);
        if (stack.reduce != nullptr) add_stacked(&own_[loop.scope]);
      }
      const auto reduces = [](const DemandLoop::Stack& stack) { return stack.reduce != nullptr; };
      if (std::ranges::any_of(loop.stacks, reduces)) add_to_chain(loop.scope, kBatchCycles / kBatchSteps);
    }
    own_[spills_in_].memory += 2 * spilled_;
    return with_inner_scopes(order);
  }

  // Values that registers have no room for are stored, and loaded again, in each step of the loop that has them.
  // Outside of loops ptxas orders what a thread computes so that fewer are held than in the graph's order.
  void spill(const HeldRegisters& held) {
    spills_in_ = held.scope;
    while (spills_in_ > 0 && graph_.scopes[spills_in_].kind != DemandScope::Kind::kLoop)
      spills_in_ = graph_.scopes[spills_in_].parent;
    spilled_ = spills_in_ > 0 ? held.spilled() : 0;
  }

 private:
  // Of what lanes compute each, those that come to the scope.
  void take_share(int scope, Work* work) const {
    const double chain = work->chain;
    for (; scope > 0; scope = graph_.scopes[static_cast<size_t>(scope)].parent) {
      const auto arm = arm_shares.find(scope);
      if (arm != arm_shares.end()) *work = share(*work, arm->second);
    }
    work->chain = chain;
  }

  static bool is_near(const DemandNode& load) {
    return load.instruction->shape.is_array() && load.instruction->shape.bytes() <= kNearBytes;
  }

  static bool is_met_for(const DemandNode& node) {
    return node.kind == DemandNode::Kind::kExchanged || node.kind == DemandNode::Kind::kShared ||
           node.kind == DemandNode::Kind::kOfBlock || node.kind == DemandNode::Kind::kBlockReduce;
  }

  // Additions and multiplications of an index; a division by a constant is about four of them.
  static double index_instructions(const IndexExpr& expr) {
    double count = 0;
    for (const IndexExpr::Term& term : expr.terms()) count += 1 + 4 * term.atom->cost;
    return count;
  }

  Work access_work(const IndexExpr& offset, DType dtype) const {
    Work work;
    work.memory = 1;
    work.turns = shared_steps_.empty() ? turns_.of(offset, dtype)
                                       : turns_.together(offset, dtype, static_cast<int64_t>(lanes_)) / lanes_;
    work.integer = index_instructions(offset);
    return work;
  }

  // The access of `width` neighbours; 0: an earlier load has this one.
  void take_run(const DemandNode& node, int64_t width, Work* work) const {
    if (width > 1) {
      work->turns = turns_.together(node.expr, node.dtype, 1);
    } else {
      work->memory = work->turns = work->integer = 0;
    }
  }

  // What an element has of a step that is made once for several. Their loads are one access (map_work).
  void share_step(NodeId id, Work* work) const {
    if (!along_[id]) {
      const Work whole = *work;
      *work = share(whole, 1 / lanes_);
      work->memory = whole.memory;
      work->turns = whole.turns;
      work->chain = whole.chain;
    } else if (graph_.nodes[id].kind == DemandNode::Kind::kLoad) {
      work->integer /= lanes_;
    }
  }

  Work node_work(const DemandNode& node) const {
    Work work;
    switch (node.kind) {
      case DemandNode::Kind::kConstant:
      case DemandNode::Kind::kCarry:
      case DemandNode::Kind::kLoopResult:
      case DemandNode::Kind::kAccumulator:
      case DemandNode::Kind::kKept:
      case DemandNode::Kind::kCallResult:
      case DemandNode::Kind::kParameter:
      case DemandNode::Kind::kOfLane:
        break;
      case DemandNode::Kind::kExchanged:
        work.memory = 1;
        work.chain = kSharedCycles + 2 * kBarrierCycles;
        break;
      case DemandNode::Kind::kOfThread:
        work.memory = 1;
        work.chain = kSharedCycles;
        break;
      case DemandNode::Kind::kOfBlock:
        work.memory = 1;
        work.chain = kSharedCycles + kBarrierCycles;
        break;
      case DemandNode::Kind::kFromLane:
        work.memory = 1;
        work.chain = kShuffleCycles;
        break;
      case DemandNode::Kind::kIndex:
      case DemandNode::Kind::kPosition:
        work.integer = index_instructions(node.expr);
        work.chain = kArithmeticCycles;
        break;
      case DemandNode::Kind::kElement:
        work = access_work(node.expr, node.dtype);
        work.chain = kNearLoadCycles;
        break;
      case DemandNode::Kind::kLoad:
        work = access_work(node.expr, node.dtype);
        work.chain = is_near(node) ? kNearLoadCycles : kLoadCycles;
        break;
      case DemandNode::Kind::kCompute:
      case DemandNode::Kind::kCall:
        work = elementwise_work(*node.instruction);
        break;
      case DemandNode::Kind::kChoose:
      case DemandNode::Kind::kClampIndex:
        work.integer = 2;
        work.chain = 2 * kArithmeticCycles;
        break;
      case DemandNode::Kind::kShared:
        work.memory = 2;
        work.chain = kSharedCycles + 2 * kBarrierCycles;
        break;
      case DemandNode::Kind::kReduce: {
        const DemandReduce& reduce = graph_.reduces[node.reduce];
        const double terms = reduce.scope < 0 ? static_cast<double>(reduce.terms.size()) : 0;
        add_terms(reduce, node, terms, &work);
        work.chain = kArithmeticCycles * std::max(1.0, terms);
        if (reduce.cooperative) add_exchange(column_threads_, &work);
        break;
      }
      case DemandNode::Kind::kBlockReduce:
        add_exchange(reducing_threads, &work);
        add_products(node.dtype, node.operands.size() > 2 ? 1 : 0, &work);
        break;
    }
    return work;
  }

  // So many terms of a reduction, each combined with what was there. A combiner of one operation is the reduction's;
  // others are nodes of their own.
  static void add_terms(const DemandReduce& reduce, const DemandNode& node, double count, Work* work) {
    if (!reduce.combined.empty() || reduce.chooses || reduce.fills) return;
    if (is_dot_or_convolution(*reduce.instruction)) {
      add_products(node.dtype, count, work);
    } else if (is_float(node.dtype)) {
      (node.dtype == DType::kF64 ? work->f64 : work->f32) += count;
      work->flops += count;
    } else {
      work->integer += count;
    }
  }

  // How many steps of its reduction a load is read for in one access.
  int64_t steps_at_once(const DemandNode& node) {
    if (node.kind != DemandNode::Kind::kLoad || graph_.scopes[node.scope].kind != DemandScope::Kind::kReduce) return 1;
    const auto reduce = std::ranges::find(graph_.reduces, node.scope, &DemandReduce::scope);
    if (reduce == graph_.reduces.end()) return 1;
    int64_t& width = step_widths_[node.scope];
    if (width == 0) width = shared_steps_.empty() ? widest_step_vector(graph_, *reduce) : 1;
    return width > 1 && is_step_vector(graph_, *reduce, node, width) ? width : 1;
  }

  // How many columns of its row a load is made for in one access.
  int64_t columns_at_once(const DemandNode& node) const {
    return row_width > 1 && is_plain_load(node) && is_row_vector(graph_, node.expr, row_width) ? row_width : 1;
  }

  // Of a value that `threads` of a warp or block reduce together: a shuffle a halving, and through shared memory
  // between warps.
  static void add_exchange(int64_t threads, Work* work) {
    const double halvings = std::log2(static_cast<double>(std::max<int64_t>(threads, 1)));
    work->memory += halvings;
    work->f32 += halvings;
    work->chain += halvings * (kShuffleCycles + kArithmeticCycles);
    if (threads > kWarp) work->chain += 2 * kBarrierCycles + kSharedCycles;
  }

  // Of a value that threads put into shared memory, for a warp to reduce those of a step: as many reads as there are
  // warps, and its own reduction, once in so many steps.
  static constexpr double kBatchSteps = 8;
  static constexpr double kBatchCycles =
      2 * kBarrierCycles + kBatchSteps * kSharedCycles + 5 * (kShuffleCycles + kArithmeticCycles);
  static void add_stacked(Work* work) {
    Work batch;
    add_exchange(kWarp, &batch);
    add(work, batch, 1 / kBatchSteps);
    work->memory += 1;
    work->f32 += 1;
  }

  // What else a choice computes where it does not compute the arm, and how many of its elements take the arm.
  struct Arm {
    int other = -1;  // scope; -1: a guard of its own, or lanes of a warp take both arms
    double share = 1;
  };

  // Arms of which whole warps take one: pieces of a concatenation that are longer than a warp.
  void find_arms(const DemandNode& choice) {
    const auto [taken, other] = std::pair(choice.arm_scope[0], choice.arm_scope[1]);
    if (taken == 0 || other == 0 || choice.expr.terms().size() != 1) return;
    // Lanes read values of their own, and these may be any.
    if (choice.expr.terms()[0].atom->kind == IndexExpr::AtomKind::kValue) return;
    const IndexRange range = choice.expr.range();
    const double all = static_cast<double>(range.high - range.low + 1);
    const int64_t low = std::max(choice.low, range.low), high = std::min(choice.high, range.high + 1);
    const double passes = static_cast<double>(std::max<int64_t>(high - low, 0));
    const double run = static_cast<double>(same_for(choice.expr));
    if (std::min(passes, all - passes) * run < kWarp) return;
    arms_[taken] = {other, passes / all};
    arms_[other] = {taken, 1 - passes / all};
  }

  // How many neighbouring threads have the same of a coordinate: all that differ in the later ones of the kernel's own.
  int64_t threads_of_step(int coordinate) const {
    if (graph_.coordinates[coordinate].scope != 0) return kWarp;
    int64_t threads = 1;
    for (size_t id = static_cast<size_t>(coordinate) + 1; id < graph_.coordinates.size() && threads < kWarp; ++id) {
      if (graph_.coordinates[id].scope == 0) threads *= graph_.coordinates[id].extent;
    }
    return threads;
  }

  // For how many neighbouring threads an index of one term is the same.
  int64_t same_for(const IndexExpr& expr) const {
    if (expr.terms().size() != 1) return 1;
    const IndexExpr::Atom& atom = *expr.terms()[0].atom;
    switch (atom.kind) {
      case IndexExpr::AtomKind::kCoordinate:
        return threads_of_step(atom.id);
      case IndexExpr::AtomKind::kValue:
        return 1;
      case IndexExpr::AtomKind::kFloorDiv:
        return std::min<int64_t>(atom.divisor, kWarp) * same_for(atom.operand);
      case IndexExpr::AtomKind::kMod:
        return same_for(atom.operand);
    }
    return 1;
  }

  // How often a thread runs what stands in the scope each time it comes to it.
  double iterations(int scope) {
    const DemandScope& place = graph_.scopes[scope];
    if (place.kind == DemandScope::Kind::kLoop && place.coordinates.empty()) of_data_ = true;
    double count = 1;
    for (const int id : place.coordinates) {
      const DemandCoordinate& coordinate = graph_.coordinates[id];
      count *= static_cast<double>((coordinate.extent - 1) / coordinate.step + 1);
    }
    if (place.kind == DemandScope::Kind::kFirstThread) return 1.0 / kLargeBlock;
    if (place.kind == DemandScope::Kind::kAhead) return std::ceil(count / kWarp);
    return place.kind == DemandScope::Kind::kColumns ? std::ceil(count / static_cast<double>(column_threads_)) : count;
  }

  std::vector<size_t> innermost_first() const {
    std::vector<size_t> order(graph_.scopes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return graph_.scopes[a].depth > graph_.scopes[b].depth; });
    return order;
  }

  // Arms that are predicated: short ones, in which nothing but such arms stands, and beside which no long one does.
  void find_predicated(const std::vector<size_t>& order) {
    std::vector<bool> predicated(order.size());
    std::vector<double> instructions(order.size());
    for (size_t scope = 0; scope < order.size(); ++scope) {
      predicated[scope] = graph_.scopes[scope].kind == DemandScope::Kind::kGuard;
      instructions[scope] = own_[scope].instructions();
    }
    for (const size_t scope : order) {
      if (scope > 0) instructions[graph_.scopes[scope].parent] += instructions[scope];
      if (instructions[scope] > kPredicatedInstructions) predicated[scope] = false;
    }
    for (const DemandReduce& reduce : graph_.reduces) predicated[reduce.guard] = false;
    for (bool changed = true; changed;) {
      changed = false;
      const auto branch = [&](int scope) {
        changed |= predicated[scope];
        predicated[scope] = false;
      };
      for (size_t scope = 1; scope < order.size(); ++scope) {
        if (!predicated[scope]) branch(graph_.scopes[scope].parent);
      }
      for (size_t id = 0; id < graph_.nodes.size(); ++id) {
        const auto& [taken, other] = graph_.nodes[id].arm_scope;
        if (!needed_[id] || taken == 0 || other == 0 || predicated[taken] == predicated[other]) continue;
        branch(taken);
        branch(other);
      }
    }
    waits_in_.resize(order.size());
    for (size_t i = order.size(); i-- > 0;) {
      const size_t scope = order[i];
      waits_in_[scope] = predicated[scope] ? waits_in_[graph_.scopes[scope].parent] : static_cast<int>(scope);
    }
  }

  // Which nodes wait for what the step of a loop before this one has made, and all that comes of what stands inside.
  std::vector<bool> nodes_of_carries() const {
    std::vector<bool> of_carry(graph_.nodes.size());
    for (size_t id = 0; id < graph_.nodes.size(); ++id) {
      if (!needed_[id]) continue;
      switch (graph_.nodes[id].kind) {
        case DemandNode::Kind::kCarry:
        case DemandNode::Kind::kShared:
        case DemandNode::Kind::kLoopResult:
        case DemandNode::Kind::kReduce:
          of_carry[id] = true;
          break;
        default:
          for (const NodeId read : nodes_read(graph_, static_cast<NodeId>(id))) {
            if (read < static_cast<NodeId>(id) && of_carry[read]) of_carry[id] = true;
          }
          break;
      }
    }
    return of_carry;
  }

  void add_to_chain(int scope, double cycles) {
    own_[scope].chain += cycles;
    recurrence_[scope] += cycles;
  }

  // What a step of a loop takes after the one before. Of those that are unrolled together the loads are under way at a
  // time, and all else that waits for no step before; threads that meet in a step wait for all of it.
  double cycles_of_step(int scope) const {
    const double chain = own_[scope].chain, recurrence = recurrence_[scope];
    if (graph_.scopes[scope].kind == DemandScope::Kind::kAhead) return chain;
    const DemandLoop& loop = graph_.loops[graph_.scopes[scope].loop];
    if (recurrence >= chain || loop.counter < 0 || meets_[scope]) return chain;
    LaunchShape launch;
    launch.stacks = std::ranges::any_of(loop.stacks, [](const auto& stack) { return stack.reduce != nullptr; });
    const int64_t together = unroll_factor(*loop.instruction, launch, 0, 1);
    const int64_t steps = analyze_while(*loop.instruction).trip_count.value_or(together);
    if (steps <= 0) return chain;
    const double waits = static_cast<double>(unrolled_waits(steps, together)) / static_cast<double>(steps);
    return recurrence + (chain - recurrence) * std::min(waits, 1.0);
  }

  // Scopes into those around them, the innermost first: a loop's iterations wait for each other, a reduction's only for
  // the unit that they all need.
  Work with_inner_scopes(const std::vector<size_t>& order) {
    for (const size_t scope : order) {
      if (scope == 0) continue;
      const DemandScope& place = graph_.scopes[scope];
      Work& inner = own_[scope];
      for (const DemandNode* result : results_[scope]) add_terms(graph_.reduces[result->reduce], *result, 1, &inner);
      const Arm& arm = arms_[scope];
      if (arm.other >= 0) {
        Work& around = own_[place.parent];
        add(&around, inner, arm.share);
        if (static_cast<int>(scope) < arm.other)
          add_to_chain(place.parent, std::max(inner.chain, own_[arm.other].chain));
        continue;
      }
      const double times = iterations(static_cast<int>(scope));
      const double of_thread = shared_steps_.count(static_cast<int>(scope)) > 0
                                   ? inner.memory + lanes_ * (inner.instructions() - inner.memory)
                                   : inner.instructions();
      const double issued = std::max({of_thread, loads_[scope], kArithmeticCycles});
      Work& outer = own_[place.parent];
      add(&outer, inner, times);
      if (times == 0) continue;
      double first = inner.chain, step = issued;
      if (place.kind == DemandScope::Kind::kLoop || place.kind == DemandScope::Kind::kAhead) {
        step = std::max(cycles_of_step(static_cast<int>(scope)), issued);
        first = std::max(first, step);
      }
      add_to_chain(place.parent, first + (times - 1) * step);
    }
    own_[0].of_data = of_data_;
    return own_[0];
  }

  const DemandGraph& graph_;
  const int64_t column_threads_;
  const TurnCounter turns_;
  const std::vector<bool> needed_;
  double lanes_ = 1;
  std::set<int> shared_steps_;
  std::vector<bool> along_;
  std::vector<int64_t> at_once_;                         // of each node, where loads are joined
  std::vector<int64_t> step_widths_;                     // of each scope's reduction; 0: not asked yet
  std::vector<Work> own_;                                // of each scope: what stands in it, once
  std::vector<Arm> arms_;                                // of each scope
  std::vector<int> waits_in_;                            // of each scope: itself, or what a predicated arm stands in
  std::vector<double> loads_;                            // of each scope: cycles that a step's loads take
  std::vector<std::vector<const DemandNode*>> results_;  // of each scope: the results that its steps add to
  std::vector<double> recurrence_;  // of each scope: the part of its chain that waits for the step before
  std::vector<bool> meets_;         // of each scope: threads wait for each other in it
  double spilled_ = 0;              // registers, ...
  int spills_in_ = 0;               // ... in each step of this scope
  bool of_data_ = false;
};

Work of_all_threads(const Work& thread, double threads) {
  Work work = share(thread, threads);
  work.chain = thread.chain;
  return work;
}

}  // namespace

// Which threads have which elements is the stage's own affair.
Work graph_work(const DemandGraph& graph) { return WorkCounter(graph, 1, 0).count_thread(); }

Work map_work(const MapDemand& demand, int64_t lanes) {
  WorkCounter counter(*demand.graph, 1, 1);
  if (demand.block > 0 && demand.block <= kWarp) counter.reducing_threads = kWarp;
  if (lanes > 1) {
    counter.shares = lane_shares(*demand.graph, demand.coordinates.back(), lanes);
    counter.arm_shares = known_arms(*demand.graph, demand.coordinates.back(), lanes);
    std::optional<std::set<int>> steps = scopes_of_shared_steps(demand, lanes);
    if (steps && !steps->empty())
      counter.set_shared_steps(lanes, std::move(*steps), nodes_along(*demand.graph, demand.coordinates.back()));
  }
  if (lanes == 1) counter.join_loads();
  const HeldRegisters held = held_registers(*demand.graph, static_cast<double>(lanes));
  counter.spill(held);
  Work work = of_all_threads(counter.count_thread(), static_cast<double>(demand.threads));
  work.after = combine_blocks(demand);
  // Neighbours are loaded and stored together.
  work.memory /= static_cast<double>(lanes);
  work.registers = whole_registers(held.registers);
  return work;
}

Work row_work(const RowDemand& demand, int64_t threads, int64_t width) {
  const bool across = row_launch_shape(demand.extents).tier == Tier::kAcross;
  WorkCounter counter(*demand.graph, threads, across ? 1 : threads);
  counter.row_width = width;
  for (const ColumnPhase& phase : demand.graph->phases)
    counter.records.merge(row_records(*demand.graph, phase, width).loads);
  Work work = of_all_threads(counter.count_thread(), static_cast<double>(demand.extents.rows * threads));
  work.chain += kRowCycles;
  double kept = 0;
  const auto slots = static_cast<double>(slots_of_row(demand.extents.columns, threads, width));
  for (const KeptValue& value : demand.graph->kept) kept += slots * std::max(1.0, dtype_bits(value.dtype) / 32.0);
  work.registers = whole_registers(graph_registers(*demand.graph, 1) + kept);
  return work;
}

}  // namespace sinter
