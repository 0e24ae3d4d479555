// Demand: what a kernel must compute. Starting from "element `index` of value v" for each output, the demand graph
// holds every (value, index) pair needed, once, with index maps already turned into index arithmetic. The scheduler
// builds it to see what a grouping costs and whether it is possible; lowering writes it down as statements.
//
// Correctness is by construction: a thread holds exactly the nodes its outputs demand. A loop of thread scope carries
// the (carry, index) pairs that are demanded of it; if a pair's index is neither a coordinate of the kernel nor a
// constant (a stencil, a reduction over threads that are not one block), the loop has no such form and the build fails.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/index/index_expr.h"
#include "ir/module/module.h"
#include "llvm/ADT/DenseMap.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/shapes/reduced_rows.h"
#include "passes/analysis/values/thresholds.h"
#include "passes/reasons/reasons.h"

namespace sinter {

struct ConstantTest;  // known_truths.h

using NodeId = int;
inline constexpr NodeId kNoNode = -1;

// A region of the kernel's text: the kernel itself, a loop, a reduction, the columns of a row schedule, what is
// computed behind a guard only (one arm of a kChoose), the neighbouring elements of one thread, what a lane computes
// ahead for a step of a loop, or what one thread computes for its block.
struct DemandScope {
  enum class Kind : uint8_t { kKernel, kLoop, kReduce, kColumns, kGuard, kLanes, kAhead, kFirstThread };
  Kind kind = Kind::kKernel;
  int parent = 0;                            // set by DemandGraph::finish; of lanes in steps by share_steps
  int depth = 0;                             // set by finish
  std::vector<int> coordinates;              // ids; of a loop with known trip count: its counter
  const Instruction* instruction = nullptr;  // the while, reduce or dot
  int loop = -1;                             // position in DemandGraph::loops
};

// What a coordinate counts.
enum class CoordinateRole : uint8_t {
  kElement,   // elements of the domain, or neighbours of a thread
  kBatch,     // matrices of a batch
  kRow,       // rows of a matrix
  kColumn,    // elements of a row
  kStep,      // steps of a loop in the kernel
  kHostStep,  // steps of the loop of the host around it
  kAhead,     // the step that a lane computes ahead
  kTerm,      // terms of a reduction, or along one dimension of them
};

struct DemandCoordinate {
  int64_t extent = 1;
  int scope = 0;
  CoordinateRole role = CoordinateRole::kElement;
  std::string name;  // of a kTerm: what the variable of its loop is called
  int64_t step = 1;  // its values are multiples of this
};

struct DemandNode {
  enum class Kind : uint8_t {
    kConstant,     // literal
    kIndex,        // expr: an integer computed from coordinates and runtime indices
    kLoad,         // element `expr` (row-major linear) of instruction's buffer
    kCompute,      // instruction (elementwise) of operands
    kChoose,       // operands[0] if low <= expr < high, else operands[1]; each arm may have a guard scope of its own
    kClampIndex,   // operands[0] limited to [low, high]
    kPosition,     // expr: where a step of a window reads along one dimension; the step tests that it lies inside
    kCarry,        // the value of loops[loop].slots[slot] at the start of an iteration
    kShared,       // the same of thread `expr` of the block, which its threads share
    kOfLane,       // the same at the start of the step that the lane computes ahead
    kFromLane,     // operands[0] of the lane that has computed it for this step
    kExchanged,    // operands[0] of all threads of the block: each has stored its own, and waits for the others
    kOfThread,     // of operands[0], a kExchanged, that of thread `expr` of the block
    kOfBlock,      // operands[0], which one thread of the block has computed for all
    kLoopResult,   // its value after the loop
    kReduce,       // accumulator `result` of reduces[reduce]; of one that fills an array, the array
    kElement,      // element `expr` of the array operands[0]
    kBlockReduce,  // over the block's threads, of a scan up to this one: of operands[0], from operands[1]; a dot's,
                   // both
    kAccumulator,  // inside a combiner: the running value `result` of reduces[reduce]
    kKept,         // an element that an earlier phase of a row kernel kept: kept[slot]
    kCall,         // the call of a per-element function on operands: its value, or all its values where it has several
    kCallResult,   // value `result` of the call operands[0]
    kParameter,    // of a device function: the instruction's argument
  };
  Kind kind = Kind::kCompute;
  const Instruction* instruction = nullptr;
  DType dtype = DType::kF32;
  std::vector<NodeId> operands;
  IndexExpr expr;
  int64_t low = 0, high = 0;
  Literal literal;
  std::string name;  // kPosition: what it is called
  int loop = -1, slot = -1;
  int reduce = -1;
  int result = 0;
  int guard = 0;              // the guard it was demanded behind
  int arm_scope[2] = {0, 0};  // kChoose: guard scopes of its arms (0: none was needed)
  int scope = 0;              // the innermost scope it depends on; set by finish
};

struct DemandLoop {
  const Instruction* instruction = nullptr;
  WhileInfo info;
  const Instruction* lane = nullptr;  // of a loop whose lanes run on their own: the predicate of each (lane_loop.h)
  int frame = 0;                      // of the body
  int condition_frame = 0;
  int guard = 0;     // the guard it is demanded behind
  int scope = 0;     // of the body
  int counter = -1;  // coordinate id; -1 where the trip count is unknown
  struct Slot {
    int carry = 0;                 // tuple element
    std::vector<IndexExpr> index;  // coordinates of the kernel and constants
    NodeId init = kNoNode;
    NodeId next = kNoNode;
    NodeId carried = kNoNode;  // the kCarry node
    bool shared = false;       // with the other threads of the block, at the start of each iteration
    bool ahead = false;        // the same for all threads, which make its iterations ahead of the others
  };
  std::vector<Slot> slots;
  // What is the same for all threads, computed for 32 iterations at a time, each by a lane of the warp (steps_ahead.h).
  struct Ahead {
    int scope = -1;        // of what a lane computes; -1: nothing is
    int step = -1;         // coordinate: the iteration that it computes it for
    int chain_scope = -1;  // of the iterations of slots that are `ahead`; -1: there are none
    int chain_counter = -1;
    std::vector<NodeId> starts;  // kOfLane nodes
  };
  Ahead ahead;
  NodeId condition = kNoNode;  // for loops without trip count
  // Stacked results: `update` is stored into the carry's buffer at `offset` in each iteration.
  struct Stack {
    int carry = 0;
    const Instruction* output = nullptr;  // the get-tuple-element whose buffer it is
    // What iteration t gives is this reduction over an element of each thread, `stores[0]`: what a block's threads come
    // to is there after some iterations, what all blocks do after the loop.
    const Instruction* reduce = nullptr;
    std::vector<std::pair<IndexExpr, NodeId>> stores;
    std::vector<int> owners;  // coordinates that must be zero for the storing thread
  };
  std::vector<Stack> stacks;
};

// low <= expr < high
struct DemandTest {
  IndexExpr expr;
  int64_t low = 0, high = 0;
  bool operator==(const DemandTest&) const = default;
};

// A reduction, a contraction, or the updates of one element of a scatter.
struct DemandReduce {
  const Instruction* instruction = nullptr;
  bool cooperative = false;    // over DemandScope::kColumns, by a warp or block
  bool fills = false;          // no reduction: its steps fill arrays of the thread's own, one a value (layers.h)
  int scope = -1;              // -1: unrolled, the terms are in `terms`
  std::vector<NodeId> init;    // one an accumulator
  std::vector<NodeId> values;  // what is combined in each step, one an accumulator
  std::vector<std::vector<NodeId>> terms;
  std::vector<NodeId> accumulators;  // kAccumulator nodes the combiner reads
  std::vector<NodeId> combined;      // the combiner's results
  // Accumulators that no result is and that no other one's next value reads, once scopes are set; empty: none is.
  std::vector<bool> unread;
  bool is_read(size_t accumulator) const { return unread.empty() || !unread[accumulator]; }
  // What a step reads only if it counts is demanded behind `guard` (0: every step counts).
  int guard = 0;
  // Of a scatter: only steps that pass all tests combine.
  std::vector<DemandTest> tests;
  std::vector<int> steps;               // coordinates of the updates' windows
  std::map<int, IndexExpr> solved;      // of them, those of which an element needs one step alone
  std::map<int64_t, IndexExpr> starts;  // by dimension: where a step's window begins, where indices say so
  // Of windows: a step counts only if every position is in [0, extent) and divisible by `divisor`.
  struct Tap {
    NodeId position = kNoNode;
    int64_t extent = 0;
    int64_t divisor = 1;
  };
  std::vector<Tap> taps;
  // Of select-and-scatter: a step counts only if the element its window chooses is the result's own. Both are places.
  std::vector<NodeId> match;
  // Of the window's choice: accumulator 0 is the value chosen so far, the result its place; `combined` says whether it
  // is kept, `place` is where the step's value is.
  bool chooses = false;
  IndexExpr place;
};

// An element that must be stored: buffer of `value`, linear element `offset`.
struct DemandStore {
  const Instruction* value = nullptr;
  IndexExpr offset;
  NodeId node = kNoNode;
  std::vector<int> owners;  // coordinates that must be zero for the storing thread
  int scope = 0;            // the phase of a row kernel it belongs to, or the lanes of a map kernel
};

// One pass of a row's threads over its columns: what the reductions of this pass combine, elements kept in registers
// for later passes, and the stores whose scope it is.
struct ColumnPhase {
  int scope = 0;
  int coordinate = 0;
  std::vector<int> reduces;
  std::vector<std::pair<int, NodeId>> keeps;  // position in DemandGraph::kept, value
};
struct KeptValue {
  const Instruction* instruction = nullptr;
  DType dtype = DType::kF32;
};

// A multi-index that a graph keeps, once for equal ones: it is copied, compared and hashed as a pointer.
class IndexTuple {
 public:
  operator const std::vector<IndexExpr>&() const { return *exprs_; }  // NOLINT: it is one
  const std::vector<IndexExpr>& exprs() const { return *exprs_; }
  const IndexExpr& operator[](size_t d) const { return (*exprs_)[d]; }
  size_t size() const { return exprs_->size(); }
  bool empty() const { return exprs_->empty(); }
  auto begin() const { return exprs_->begin(); }
  auto end() const { return exprs_->end(); }
  bool operator==(const IndexTuple&) const = default;

 private:
  friend class DemandGraph;
  explicit IndexTuple(const std::vector<IndexExpr>* exprs) : exprs_(exprs) {}
  const std::vector<IndexExpr>* exprs_;
};
// Where a tap of a window reads along one dimension: at `expr`, if that is inside of `size` elements that stand
// `dilation` apart.
struct WindowPlace {
  IndexExpr expr;
  int64_t size = 0;
  int64_t dilation = 1;
  int64_t extent() const { return size == 0 ? 0 : (size - 1) * dilation + 1; }
  bool never_inside() const;
  bool always_inside() const;
};
WindowPlace window_place(IndexExpr expr, int64_t size, int64_t dilation);
WindowPlace window_place(const WindowDimension& window, const IndexExpr& position, const IndexExpr& tap, int64_t size);

// "in_row" and "in_column" of the last two dimensions that a window moves along, "in_position" of the only one.
std::vector<std::string> place_names(const std::vector<WindowDimension>& window, const std::string& prefix);

// The instruction that gives tuple element `carry` of a loop's state, seen from its init or its body's root.
const Instruction* state_element(const Instruction* state, int carry);

// What surrounds the kernel.
struct DemandContext {
  const Computation* level = nullptr;     // the entry, or the body or condition of a host loop
  std::set<const Instruction*> computed;  // values of this kernel; everything else but constants is loaded
  // A host loop's counter: get-tuple-element values of the level's parameter that are the induction variable.
  std::map<const Instruction*, std::pair<int64_t, int64_t>> counters;  // value -> start, step
  int64_t counter_trip = 0;
  // Dynamic-update-slices, and scatters of lanes, that write their update alone, into the array they update
  // (updates_in_place.h).
  std::set<const Instruction*> updates_in_place;
};

// The shape of what a kernel stores of an output: the array's, or the update's of an update in place.
const Shape& stored_shape(const DemandContext& context, const Instruction& output);

class DemandGraph {
 public:
  explicit DemandGraph(const DemandContext& context) : context_(&context), frames_(1) {
    scopes.emplace_back();
    nodes.reserve(context.computed.size() + 8);
  }

  // The coordinates that tell threads apart. The threads along the last `of_block` of them are a block: they make
  // reductions over those together, and read each other's values in loops.
  void set_threads(std::vector<int> coordinates, size_t of_block = 0);
  // A coordinate of the kernel (scope 0) or of its columns.
  int add_coordinate(int64_t extent, CoordinateRole role, int scope = 0, std::string name = "k");
  IndexExpr coordinate(int id) const;
  // These coordinates as one number, of which the last runs fastest.
  IndexExpr row_major(const std::vector<int>& ids) const;
  // Declares that reductions over the elements of such rows are made together by the threads of a row: their operands
  // are demanded at (row, column). What short rows miss changes none of these reductions, and is never demanded.
  void set_row_domain(int row_coordinate, const RowExtents& extents, const ShortRows& short_rows = {});
  const ShortRows& short_rows() const { return short_rows_; }

  // Demands an element and everything it needs. kNoNode on failure (see `failure`).
  NodeId demand(const Instruction* value, const std::vector<IndexExpr>& index);
  // Demands element `index` of what is stored of `output` (of stored_shape), and that it is stored by the threads whose
  // `owners` coordinates are zero. False on failure.
  bool store(const Instruction* output, const std::vector<IndexExpr>& index, std::vector<int> owners = {});
  // Stores in the order of what they store, whatever order it was demanded in.
  void order_stores(const std::vector<const Instruction*>& outputs);
  // Demands what a convolution's window reads of its input: at `index`, whose entries `dims` are the `places`.
  NodeId demand_window(const Instruction& convolution, const std::vector<WindowDimension>& window,
                       const std::vector<int64_t>& dims, const std::vector<WindowPlace>& places,
                       std::vector<IndexExpr> index);
  // Steps that a thread makes of a reduction in one step of the loop around it: with those of the reductions that it is
  // a term of. Beyond a million a lower bound.
  int64_t nested_steps(const DemandReduce& reduce) const;
  // How often map loops make what stands in `computation`, the body of one or not: the product of their steps.
  int64_t steps_of(const Computation* computation) const;
  // Binds a parameter of the level to an argument of the device function that the graph is to become.
  NodeId add_parameter(const Instruction* parameter);
  // Declares carry `carry` of `loop` a stacked result stored into `output`'s buffer. Call before demanding the loop.
  void add_stack(const Instruction* while_instruction, int carry, const Instruction* output);
  // Demands stacked stores of every loop met. False on failure.
  bool complete(const std::vector<int>& parallel_coordinates);
  // complete(), then scopes.
  bool finish(const std::vector<int>& parallel_coordinates);
  // Sets scopes of nodes and parents of scopes; again after nodes were added.
  void set_scopes();
  // How many steps the loops of a reduction's scope make, and the number of the step: that of an element of an array
  // that they fill.
  int64_t steps_in(int scope) const;
  IndexExpr step_in(int scope) const;

  std::vector<DemandNode> nodes;
  std::vector<DemandScope> scopes;
  std::vector<DemandCoordinate> coordinates;
  std::vector<DemandLoop> loops;
  std::vector<DemandReduce> reduces;
  std::vector<DemandStore> stores;
  std::vector<NodeId> results;  // what a device function returns
  int column_coordinate = -1;
  int first_thread = -1;  // scope of what one thread of a block computes for all (block_numbers.h); -1: nothing is
  std::vector<ColumnPhase> phases;  // of a row kernel, made by split_phases
  std::vector<KeptValue> kept;

  // Why the build failed: the instruction that could not be had at the index demanded, and a reason code.
  struct Failure {
    const Instruction* instruction = nullptr;
    ReasonCode reason;
  };
  std::optional<Failure> failure;
  // Whether loops whose steps need nothing of each other are made a step at a time where an element is demanded
  // (map_loop.h).
  bool maps_loops = false;
  // Nodes beyond which a build gives up; a stage is cut long before (kMaxNodes, passes/schedule/groups/grouper.h).
  int64_t node_limit = 20000;

 private:
  // One computation as demanded from one place: the level, a loop's body or condition, a combiner.
  struct Frame {
    int loop = -1;
    int parent = 0;                                 // the frame a loop's instruction stands in
    std::map<const Instruction*, NodeId> bindings;  // parameters of a combiner
    const Instruction* argument = nullptr;          // of a conditional's arm: what its parameter is, in `parent`
    const Instruction* mapped = nullptr;            // of one step of a map loop: the loop, ...
    IndexExpr step;                                 // ... and the number of the step
  };
  struct DeclaredStack {
    const Instruction* loop = nullptr;
    int carry = 0;
    const Instruction* output = nullptr;
  };
  static constexpr int kUpdated = -1;  // Key::result of what a scatter in place stores
  struct Key {
    int frame = 0;
    int guard = 0;  // scope of the guard it is demanded behind; 0: none
    const Instruction* instruction = nullptr;
    int result = 0;
    IndexTuple index;
    bool operator==(const Key& other) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };
  struct KeyInfo {
    static Key getEmptyKey() { return {-1, 0, nullptr, 0, IndexTuple(nullptr)}; }
    static Key getTombstoneKey() { return {-2, 0, nullptr, 0, IndexTuple(nullptr)}; }
    static unsigned getHashValue(const Key& key) { return static_cast<unsigned>(KeyHash()(key)); }
    static bool isEqual(const Key& a, const Key& b) { return a == b; }
  };

  struct IndexHash {
    size_t operator()(const std::vector<IndexExpr>& index) const;
  };

  IndexTuple keep(std::vector<IndexExpr> index);
  // The operand's index of an index map at `key`.
  IndexTuple source_index(const Key& key);
  NodeId resolve(const Key& key);
  NodeId build(const Key& key);
  NodeId want(int frame, int guard, const Instruction* value, IndexTuple index, int result = 0);
  NodeId want(int frame, int guard, const Instruction* value, std::vector<IndexExpr> index, int result = 0);
  // An operand of key's instruction at `index`, in the same frame and behind the same guard.
  NodeId operand(const Key& key, size_t position, IndexTuple index);
  NodeId operand(const Key& key, size_t position, std::vector<IndexExpr> index);
  NodeId add(DemandNode node);
  NodeId fail(const Instruction* instruction, ReasonCode reason);
  NodeId load(const Instruction* value, const Key& key);
  NodeId index_node(IndexExpr expr, DType dtype, const Instruction* origin);

  NodeId build_constant(const Key& key);
  NodeId build_element(const Key& key);
  NodeId build_get_tuple_element(const Key& key);
  NodeId build_loop_value(const Key& key, int loop, int carry, bool after);
  NodeId fold_integer(const Instruction* instruction, const std::vector<NodeId>& operands);
  // What is known of a loop that is made a step at a time; nullptr for others.
  const WhileInfo* map_loop(const Instruction* loop);
  // The value of a carry after such a loop, and in the frame of a step.
  NodeId build_filled(const Key& key, const Instruction* loop, int carry);
  NodeId build_step_state(const Key& key, int carry);
  NodeId build_compute(const Key& key);
  NodeId build_bitcast_convert(const Key& key);
  NodeId build_concatenate(const Key& key);
  NodeId build_pad(const Key& key);
  NodeId build_dynamic_slice(const Key& key);
  NodeId build_dynamic_update_slice(const Key& key);
  NodeId build_gather(const Key& key);
  bool is_of_the_row(const Key& key, int64_t elements) const;
  // Whether `place` is that of the row's element in the longer row of so many elements that the row is a part of.
  bool is_in_parts(const IndexExpr& place, int64_t elements) const;
  int64_t block_elements() const;
  // Whether each thread of a block has an element of its own.
  bool fills_warps() const;
  // True if a loop would not do for a short reduction.
  bool needs_writing_out(const Key& key) const;
  NodeId build_reduce(const Key& key);
  // Whether all threads of the block come here, and would meet at a barrier.
  bool block_comes_to(int frame) const;
  // This thread's index along the `extents` that the instruction at `key` reduces, where all threads of the block come
  // to demand that, the same element of `result`, and have an element each.
  std::optional<std::vector<IndexExpr>> index_in_block(const Key& key, const Shape& result,
                                                       const std::vector<int64_t>& extents) const;
  // Whether the threads of the block have an element each along a cumulative window that one operation combines, the
  // demanded one its own.
  bool is_scan_of_block(const Key& key);
  NodeId block_reduce_node(const Key& key, std::vector<NodeId> operands);
  // Of a value that is dear to compute, in a loop of block scope: the other thread that has the element.
  std::optional<IndexExpr> thread_that_has(const Key& key);
  NodeId exchanged_node(const Key& key, IndexExpr thread);
  // Whether an index is a constant or a coordinate of the kernel.
  bool is_own(const IndexExpr& expr) const;
  // This thread's element of an array that has one for each; nullopt for another array.
  std::optional<std::vector<IndexExpr>> own_index(const Shape& shape) const;
  // The thread of the block whose own element a loop carries at `index`.
  std::optional<IndexExpr> thread_of_block(const Shape& shape, const std::vector<IndexExpr>& index) const;
  bool moves_state(const Key& key, size_t side) const;
  NodeId build_dot(const Key& key);
  NodeId build_scatter(const Key& key);
  // Where element `key.index` of the updates of a scatter in place goes, and the tests that its window passes if it
  // lies inside; nullopt while an index is missing.
  struct UpdatePlace {
    std::vector<IndexExpr> index;
    std::vector<DemandTest> tests;
  };
  std::optional<UpdatePlace> scatter_place(const Key& key);
  // What is stored there.
  NodeId build_updated(const Key& key);
  int open_scatter(const Key& key, bool simple);
  NodeId build_conditional(const Key& key);
  NodeId want_element(int frame, int guard, const Instruction* source, int element,
                      const std::vector<IndexExpr>& index);
  int arm_frame(int frame, const Instruction* conditional, size_t arm);
  bool solve_step(const IndexExpr& inside, DemandReduce* reduce);
  IndexExpr window_start(const Key& key, NodeId node, int64_t limit, bool may_be_wide);
  int combiner_frame(const Key& key, const Computation& combiner, const std::vector<NodeId>& accumulators,
                     const std::vector<NodeId>& values);
  NodeId build_reduce_window(const Key& key);
  NodeId build_convolution(const Key& key);
  NodeId build_select_and_scatter(const Key& key);
  NodeId build_choice(const Key& key);
  NodeId constant_node(const Instruction* origin, Literal literal);
  // Of these loops, or (not `in_loops`) written out.
  int open_reduce(const Key& key, const std::vector<std::pair<int64_t, std::string>>& loops, bool in_loops = true);
  void drop_reduce(const Key& key);
  // The node that is result `key.result` of a reduction; for those of one result, 0.
  NodeId reduce_node(const Key& key, int number, DType dtype);
  IndexExpr step_index(int number, const Key& key, const WindowPlace& place, const std::string& name);
  void add_accumulators(int number);
  bool combine_steps(int parent, const Computation& combiner, int number, const std::vector<NodeId>& arguments);
  NodeId build_call(const Key& key);
  // The integer that a node holds, limited to `limits`; as `dtype` where it has to be limited.
  IndexExpr limited(const Key& key, NodeId node, IndexRange limits, DType dtype);
  // The clamped start of a dynamic slice along one dimension; nullopt while its node is still missing.
  std::optional<IndexExpr> start_index(const Key& key, const Instruction* start, int64_t limit);
  std::optional<Literal> constant(NodeId node) const;
  bool is_negation(NodeId id, NodeId of) const;
  bool same_constant(NodeId a, NodeId b) const;
  void find_unread_accumulators();
  std::optional<ConstantTest> constant_test(NodeId id) const;
  std::optional<Literal> fold_written_out(const DemandReduce& reduce) const;
  std::optional<Literal> fold_constants(const Instruction& instruction, const std::vector<NodeId>& operands) const;
  // The integer a node holds as an index expression (a runtime value if it is not affine).
  IndexExpr index_of(NodeId node);
  std::optional<IndexExpr> affine(NodeId node) const;
  // An operand that is read where all tests hold; and with what is there otherwise.
  NodeId operand_where(const Key& key, const std::vector<DemandTest>& tests, size_t position,
                       std::vector<IndexExpr> index);
  NodeId choose_where(const Key& key, const std::vector<DemandTest>& tests, NodeId value, NodeId otherwise);
  // Guard scopes of the two arms of a choice at `key`; made once for each key.
  std::pair<int, int> guards(const Key& key, int number);
  int open_loop(int frame, int guard, const Instruction* while_instruction);
  bool drain();
  NodeId demand_lane(int number);
  bool demand_stack(int number, size_t stack, const std::vector<int>& parallel_coordinates);
  // The indices at which the iterations of a loop store: where the update begins along each dimension.
  std::optional<std::vector<IndexExpr>> stack_start(int number, const Instruction* update);
  // Whether a reduction in a loop's iterations is one over an element of each thread.
  bool reduces_over_threads(int number, const Instruction& reduce) const;
  bool demand_stacked_reduction(int number, size_t stack, const Instruction& reduce);

  const DemandContext* context_;
  using IndexSet = std::unordered_set<std::vector<IndexExpr>, IndexHash>;
  std::shared_ptr<IndexSet> kept_indices_ = std::make_shared<IndexSet>();  // a copied graph's keys point into it too
  const IndexTuple no_index_ = keep({});
  llvm::DenseMap<Key, IndexTuple, KeyInfo> source_indices_;
  llvm::DenseMap<Key, NodeId, KeyInfo> memo_;
  std::unordered_map<Key, std::vector<std::pair<int, int>>, KeyHash> guards_;
  std::vector<Frame> frames_;
  std::vector<Key> missing_;                                         // operands that the present build found absent
  std::map<std::tuple<int, int, const Instruction*>, int> loop_of_;  // (frame, guard, while) -> loops
  std::map<std::tuple<int, const Instruction*, size_t>, int> frame_of_arm_;
  std::map<std::pair<const Instruction*, bool>, bool> is_dear_;  // to compute for another thread, of a row or alone
  std::map<NodeId, NodeId> exchanged_;                           // a thread's own value -> its kExchanged
  std::map<const Instruction*, std::optional<WhileInfo>> map_loops_;
  std::map<std::tuple<int, const Instruction*, IndexExpr>, int> frame_of_step_;
  std::vector<DeclaredStack> declared_stacks_;
  std::vector<int> parallel_coordinates_;
  std::vector<int> block_coordinates_;  // the last of them
  std::unordered_map<Key, int, KeyHash> reduce_of_;
  std::map<int, std::vector<std::vector<IndexExpr>>> step_indices_;  // reduce -> what its steps, or its one step, read
  std::unordered_map<Key, DemandReduce, KeyHash> planned_;           // reductions that may turn out to have no steps
  std::vector<std::pair<int, int>> pending_slots_;  // (loop, slot) whose init and next are not demanded yet
  std::map<std::tuple<NodeId, int64_t, int64_t, int>, NodeId> clamps_;  // (node, low, high, guard)
  int row_coordinate_ = -1;
  RowExtents rows_;
  ShortRows short_rows_;  // of rows_
  int host_counter_ = -1;
};

// The bytes that a thread has of what all threads reduce together in an iteration of a loop; 0 if there is nothing.
int64_t stacked_bytes(const DemandGraph& graph);

// Spreads an array over the parallel coordinates: dimensions that match a coordinate's extent (in order, greedily)
// are that coordinate, the others are enumerated. Every element is stored by exactly one thread if threads whose
// `owners` coordinates are not zero do not store. Where that would enumerate elements of an array that has as many as
// there are threads, each thread has its own, in row-major order; where it would enumerate more than kMaxEnumerated,
// each thread has a cell, several neighbours along some of the dimensions. nullopt if these are too many, or none.
struct ElementSpread {
  std::vector<std::vector<IndexExpr>> indices;
  std::vector<int> owners;
};
inline constexpr int64_t kMaxEnumerated = 64;
std::optional<ElementSpread> spread(const DemandGraph& graph, const std::vector<int64_t>& dims,
                                    const std::vector<int>& parallel_coordinates);

// The computations a conditional chooses from, and the value of the selector that chooses the arm; any value that
// chooses no other arm chooses the last.
std::vector<const Computation*> conditional_arms(const Instruction& conditional);
int64_t conditional_selector(const Instruction& conditional, size_t arm);

}  // namespace sinter
