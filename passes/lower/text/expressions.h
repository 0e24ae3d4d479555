// From demand nodes to C++ expressions: one op, one spelling. Which nodes have a variable of their own is decided
// elsewhere (passes/lower/arrange); every other node is spelled inside its consumer.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/kernel/kernel.h"
#include "passes/analysis/functions/emittable.h"
#include "passes/demand/demand.h"
#include "passes/demand/views/tests_around.h"
#include "passes/lower/text/called_function.h"

namespace sinter {

// An offset as base * factor + constant: accesses that share a base share its name.
struct IndexBase {
  IndexExpr base;
  int64_t factor = 1;
  int64_t constant = 0;
};
IndexBase index_base(const IndexExpr& expr);

struct Expressions {
  const DemandGraph* graph = nullptr;
  Kernel* kernel = nullptr;
  DType index_type = DType::kS32;  // s64 where some offset does not fit 31 bits

  std::map<NodeId, Variable*> variables;                   // nodes that have a name
  std::set<NodeId> read_early;                             // loads that get a name where they can stand first
  std::map<NodeId, const Expr*> members;                   // parameters that are read as members: a.key
  std::map<int, const Expr*> coordinates;                  // coordinate id -> its variable or name
  std::map<const Instruction*, Variable*> buffers;         // pointer parameter of a loaded value
  std::map<const Instruction*, Variable*> output_buffers;  // and of a stored value
  std::map<IndexExpr, Variable*> indices;                  // index expressions that have a name
  // Elements of a row that stay in registers: nodes that are `arrays[i][slot]`, or `arrays[i]` where that is no array.
  std::map<NodeId, size_t> kept;
  std::vector<Variable*> arrays;
  const Expr* slot = nullptr;
  // Contiguous elements read with one access: (buffer, offset) -> vector variable, indexed by `slot`.
  std::map<std::pair<const Variable*, IndexExpr>, Variable*> vectors;
  // Whether neighbours that a thread reads one by one are one access (load_runs.h).
  bool joins_loads = false;
  // Elements that stand `shift` apart from the lane's own in a vector of kWidth, if it has them: else they are loaded.
  struct Shifted {
    const Variable* vector = nullptr;
    int64_t shift = 0;
  };
  std::map<std::pair<const Variable*, IndexExpr>, Shifted> shifted;
  // Elements of a vector that the lane picks by its number.
  std::map<std::pair<const Variable*, IndexExpr>, std::pair<const Variable*, IndexExpr>> picked;
  // Elements of records of the lanes, which are side by side in an array: part of `size` for each (records.h).
  struct OfRecord {
    const Variable* array = nullptr;
    int64_t size = 1, part = 0;
    bool alone = false;  // there is one lane
  };
  std::map<std::pair<const Variable*, IndexExpr>, OfRecord> records;
  const Expr* lane = nullptr;  // indexes vectors instead, where a slot counts the elements of several
  // Arrays of the thread's own that values are loaded from: one dimension for each of these of the value, outermost
  // first; of none, a number.
  struct OwnArray {
    std::vector<int64_t> dims;  // of the value
    std::vector<int64_t> kept;  // which of them
    bool is_shared = false;     // with other lanes: it is in memory, not in registers
  };
  std::map<const Variable*, OwnArray> own_arrays;
  std::set<int> run_time_coordinates;  // that are no constants when all loops over such arrays are unrolled
  // Several coordinates taken out of one flat index: the sum that gives it back, and its coordinate id. Offsets that
  // hold the sum are spelled with the flat index.
  struct Flat {
    IndexExpr sum;
    int last = -1;  // the coordinate with coefficient one
    IndexExpr whole;
  };
  std::optional<Flat> flat;
  // Coordinates that count along rows whose length has a name: what is multiplied by it in `k * kColumns + column`.
  struct AlongRow {
    int coordinate = -1;
    int64_t extent = 0;
    std::string name;
  };
  std::vector<AlongRow> along_rows;
  // Offsets that are accessed as vectors, which need no name; empty without lanes.
  std::function<bool(const IndexExpr&)> is_vector_offset;
  // What threads of a block read of each other in loops: (loop, slot) -> an array in shared memory.
  Variable* shared = nullptr;
  std::map<std::pair<int, int>, std::string> shared_members;
  std::map<NodeId, std::string> exchange_members;  // and of each other's values: kExchanged -> such an array
  std::map<NodeId, std::string> block_members;     // what one thread has computed for the block (kOfBlock)
  // What loops stack up of reductions over all threads, by (loop, stack): an array in shared memory of what the block's
  // threads have of some steps, and one in device memory of what blocks come to in each.
  struct StackedReduction {
    std::string member;
    Variable* of_blocks = nullptr;
  };
  std::map<std::pair<int, int>, StackedReduction> stacked;
  Variable* finished = nullptr;  // the counts of the blocks that reduce these, ...
  const Expr* block = nullptr;   // ... and the number of the block
  // Whether a thread has an element of its own, in a block some of whose threads repeat the last one; nullptr: all
  // have.
  const Expr* owns_element = nullptr;
  bool reduces_in_lanes = false;             // kLanes of a warp work together, not a block
  const Expr* lane_of_warp = nullptr;        // where lanes compute steps ahead (steps_ahead.h)
  std::map<int64_t, std::string> constants;  // extents that have a name: 64 -> "kElements"
  // Numbers that stand for one thing wherever an index has them, as a constant that the kernel gets where they do.
  std::map<int64_t, NamedConstant> numbers;
  // What is made of it is rounded to fewer bits (docs/numerics.md): exp(x) is exp2_approx(x * kLog2E), a division by
  // the sum of a softmax a multiplication.
  bool is_rounded = false;
  CalledFunctions functions;              // of the calls
  std::map<int, std::string> trip_names;  // a loop's counter -> the name of its trip count

  // True if the node is read by name: a variable or an element of an array.
  bool named(NodeId node) const { return variables.count(node) > 0 || members.count(node) > 0 || kept.count(node) > 0; }
  // The value of a node where it is used: its variable, or its spelling.
  const Expr* value(NodeId node);
  // The spelling, also of a node that has a variable (what the variable is initialised with).
  const Expr* spell(NodeId node);
  const Expr* index(const IndexExpr& expr);
  // Whether the base of an index is arithmetic, which has a name where several accesses share it, and no name already.
  bool is_formula(const IndexExpr& base) const;
  // The name of an index expression, or its spelling.
  const Expr* index_or_name(const IndexExpr& expr);
  // low <= expr < high, leaving out what the range of expr already says.
  const Expr* in_range(const IndexExpr& expr, int64_t low, int64_t high);
  // A number that an index, without its constant, is compared with: the last of a coordinate's is `kRows - 1`.
  const Expr* compared_with(const IndexExpr& base, int64_t number);
  // What is left to ask of a kChoose's test where it stands.
  LeftTest left_test(const DemandNode& choice);
  // Not that.
  const Expr* outside(const IndexExpr& expr, int64_t low, int64_t high);
  // All of these; nullptr where there are none.
  const Expr* in_range(const std::vector<DemandTest>& tests);
  const Expr* element(const Variable* pointer, const IndexExpr& offset, DType dtype);
  const OwnArray* own_array(const DemandNode& load) const;  // that it is of; nullptr: it is of memory

  // accumulator ⊕ term for a simple combiner; the type accumulators of `dtype` have is accumulator_type.
  const Expr* combine(Opcode opcode, DType dtype, const Expr* accumulator, const Expr* term);
  // The product of two nodes as `type`, added to `sum` (nullptr: to nothing).
  const Expr* add_product(DType type, const Expr* sum, NodeId left, NodeId right);
  // A value of `dtype` as the accumulator type, and back.
  const Expr* widen(DType dtype, const Expr* value);
  const Expr* narrow(DType dtype, const Expr* value);
  // As HLO's convert.
  const Expr* convert(DType from, DType to, const Expr* operand);

  const Expr* int_constant(int64_t value);
  // A stride, divisor or limit: by its name among `numbers`, where it has one.
  const Expr* number(int64_t value);
  // How many steps a loop of known trip count makes, by its counter.
  const Expr* trip_count(int counter);
  // What C++ compares where HLO compares values: in total order (floats only) a number with their order.
  const Expr* order_key(DType dtype, bool total_order, const Expr* value);

 private:
  const Expr* own_element(const Variable* array, const OwnArray& form, const IndexExpr& offset, DType dtype);
  const Expr* compute(NodeId id);
  const Expr* block_reduce(const DemandNode& node);
  // A comparison of an index with a number as one of a coordinate: `256 - i == 256` as `i == 0`; nullptr: it is none.
  const Expr* index_comparison(const DemandNode& node);
  // The name of a number that is chosen in place of a coordinate; nullptr: it has none.
  const Expr* named_place(NodeId number, NodeId place);
  const Expr* arithmetic(const Instruction& instruction, DType dtype, std::vector<const Expr*> operands);
  const Expr* arithmetic_on_bits(const Instruction& instruction, std::vector<const Expr*> operands);
  const Expr* clamp(DType dtype, const Expr* low, const Expr* value, const Expr* high);
  const Expr* to_integer(DType from, DType to, const Expr* operand);
  const Expr* to_narrow_float(DType from, DType to, const Expr* operand);
  // The bits of `operands`, one value or the pieces of one, as a value of `to`; or, with the piece's number as second
  // operand, a piece of the first one.
  const Expr* bitcast(DType to, DType from, std::vector<const Expr*> operands);
  const Expr* stochastic_convert(DType from, DType to, const Expr* operand, const Expr* random);
  const Expr* compare(const Instruction& instruction, DType dtype, const Expr* left, const Expr* right);
  const Expr* helper(std::string header, std::string function, std::vector<const Expr*> arguments, DType type);
  const Expr* atom(const IndexExpr::Atom& atom);

  std::shared_ptr<const TestsAround> tests_around_;  // of `graph`, once a test is asked for
};

// Roughly how many characters an expression takes, names included.
int64_t width(const Expr& expr);

}  // namespace sinter
