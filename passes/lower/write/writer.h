// Writes the items of a kernel's text as statements. Only the files that do this include it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "passes/demand/views/store_runs.h"
#include "passes/lower/arrange/items.h"
#include "passes/lower/write/write_kernel.h"

namespace sinter {

class Writer {
 public:
  Writer(const Module& module, const DemandGraph& graph, Expressions& expressions, const WriteOptions& options,
         const Items& items)
      : module_(module),
        graph_(graph),
        expressions_(expressions),
        kernel_(*expressions.kernel),
        options_(options),
        items_(items) {}

  // Statements of a scope, with a comment where the Python function changes.
  Block scope(int number);
  // What one thread computes for its block; empty if it does not.
  Block first_thread();
  // Stores of the kernel's own scope, those of some threads only behind their condition, with what these compute.
  void stores(Block* block);
  // Neighbours that are read in one access, in front of what reads them first in a scope's statements.
  void load_vectors(int scope, Block* block);
  // Loops that reductions have made count to the names of their numbers of terms.
  void name_counts(Block* block) const;

 private:
  bool several_functions(int number) const;
  Statement paragraph(const std::string& function) const;
  Statement let(Variable* variable, const Expr* value, const Instruction* origin) {
    return {.kind = Statement::Kind::kLet, .variable = variable, .value = value, .origin = origin};
  }
  Statement assign(const Expr* target, std::string text, const Expr* value) {
    return {.kind = Statement::Kind::kAssign, .target = target, .value = value, .text = std::move(text)};
  }
  Statement update(const Expr* target, const Expr* value);
  Statement guarded(const std::vector<int>& owners, Block body);
  Statement of_first_threads(int number);
  // Those from `first` on, as one access.
  void store_neighbours(size_t first, int64_t width, Block* block);
  Statement store_statement(const DemandStore& store);
  void take_temporaries(int scope_number, Block* block);
  void write_quotients(const Item& item, Block* block);
  void write(const Item& item, Block* block);

  // write_loop.cpp
  void write_loop(int number, Block* block);
  Statement compute_ahead(const DemandLoop& loop, Statement steps);
  Statement share(const std::string& member, NodeId node);
  Block share_carries(int number);
  void write_exchange(const Item& item, Block* block);
  bool fills_arrays(int scope) const;
  // write_stacked.cpp
  const Expr* step_in_batch(int number);
  Statement put_in_batch(int number, int stack);
  void reduce_batches(int number, Block* body);
  // write_loop.cpp
  void write_guard(const Item& item, Block* block);
  void write_known_arm(const std::vector<NodeId>& chosen, size_t side, Block* block);
  // write_reduce.cpp
  void write_reduce(int number, Block* block);
  Block behind(const std::vector<DemandTest>& tests, Block before, Block body);
  void write_choice(int number, Block* block);
  void write_fill(int number, Block* block);
  void unroll_fill(Statement* loop);
  // write_reduce_loops.cpp
  std::vector<size_t> test_levels(const DemandReduce& reduce, const std::vector<int>& loops) const;
  // Loops over an array of the thread's own, of at most so many steps, are unrolled.
  static constexpr int64_t kMostUnrolled = 64;
  static bool reads_own_array(const Block& body, const Variable* counter);
  Block in_loops(const DemandReduce& reduce, const std::function<void(Block&)>& step);
  Block over_step_vectors(const DemandReduce& reduce, int64_t width, std::vector<Statement> loops,
                          const std::function<void(Block&)>& step);
  const Expr* compare_position(const DemandReduce::Tap& tap, bool inside);
  // write_step_lanes.cpp
  // for (int k = 0; k < kWidth; ++k), unrolled: the neighbours that a thread has.
  Statement over_neighbours();
  void declare_sums(Variable* sums, const Expr* init, Block* block);
  void write_step_lanes(const DemandReduce& reduce, const std::function<void(Block&)>& step, Block* block);
  // write_phase.cpp
  Variable* result_variable(int reduce);
  bool begins_with_term(Opcode opcode, DType type) const;
  void write_phase(int number, Block* block);
  Block over_columns(const ColumnPhase& phase, const std::vector<Variable*>& accumulators);
  Block at_column(const ColumnPhase& phase, const std::vector<Variable*>& accumulators);
  // row_vectors.cpp
  // Records that a pass reads for a thread's neighbours, or its one column: an array of the thread's own, and where
  // they begin.
  using RecordsRead = std::pair<Variable*, const Expr*>;
  std::vector<RecordsRead> records_read(const ColumnPhase& phase);
  void add_loads(const std::vector<RecordsRead>& records, const Block& body, Block* loads);
  Block over_vectors(const ColumnPhase& phase, const std::vector<Variable*>& accumulators);
  // An element that stays in a register is a constant where it is set: no loop, no condition stands around it.
  bool declares_where_set() const { return options_.rows && options_.rows->column != nullptr && options_.rows->exact; }
  Statement phase_comment(const ColumnPhase& phase, const std::vector<Variable*>& results);
  // write_lanes.cpp
  void write_lanes(Block* block);
  // Neighbours that a thread reads in front of its lanes, and the tests they stand behind.
  struct VectorRead {
    using Place = std::pair<const Variable*, IndexExpr>;
    Place place;
    std::optional<std::vector<WriteOptions::Lanes::Test>> tests;  // nullopt: the lanes read it
    Variable* vector = nullptr;
  };
  std::vector<VectorRead> vectors_read() const;
  // What the records of a thread's neighbours have of an array (records.h), in an array of the thread's own.
  struct NeighbourArray {
    const Variable* pointer = nullptr;
    IndexExpr first;
    Variable* values = nullptr;
    bool is_stored = false;
  };
  std::vector<NeighbourArray> neighbour_arrays();
  // The sums of a reduction's steps that are stored as they are; nullptr: it stores something else.
  Variable* stored_sums(const DemandStore& store) const;
  const Expr* all_passed(const std::vector<WriteOptions::Lanes::Test>& tests);
  // A register of `width` neighbours of an array, and the access that fills or empties it.
  Variable* vector_variable(const Variable* pointer, std::string_view suffix, int64_t width);
  // Zeros where there is a condition that does not hold.
  Statement load_vector(Variable* vector, const Expr* address, const Expr* condition = nullptr);
  Statement store_vector(const Variable* vector, const Expr* address);
  const Expr* element_address(const Variable* pointer, const Expr* index);

  const Module& module_;
  const DemandGraph& graph_;
  Expressions& expressions_;
  Kernel& kernel_;
  const WriteOptions& options_;
  const Items& items_;
  std::map<std::pair<int, int>, Variable*> temporary_of_;
  std::set<int> exchanging_;  // scopes in which threads have waited before they store what others read
  // The last statement of a block that a scope is written to, where only threads whose `owners` are zero run it: more
  // may go there.
  struct Guarded {
    const Block* block = nullptr;
    size_t size = 0;  // of the block
    std::vector<int> owners;
  };
  Guarded last_guard_;
  std::vector<Variable*> result_variables_;          // of each reduction, once that has been asked for
  std::set<NodeId> placed_;                          // positions, which stand in front of their test
  std::map<const Expr*, std::string> named_counts_;  // bounds of loops -> what they are called (name_counts)
};

}  // namespace sinter
