// What the writers of all stages share: a kernel with its parameters, and statements that are put together by hand or
// from a demand graph.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "passes/lower/stages/base/lowered_stage.h"
#include "passes/lower/text/expressions.h"
#include "passes/lower/write/device_functions.h"

namespace sinter {

class StageWriter {
 public:
  // `suffix` tells the stage's kernels apart: "" for the first. `index` is the type of offsets.
  StageWriter(const StageInput& input, const std::string& suffix, DType index);
  StageWriter(const StageWriter&) = delete;
  StageWriter& operator=(const StageWriter&) = delete;

  // ---- parameters, in the order of the calls: pointers first, then ints ----

  // A pointer for every value that the graph loads, and for every value in `outputs`.
  void add_values(const DemandGraph& graph, const std::vector<const Instruction*>& outputs);
  Variable* add_pointer(const std::string& name, const Shape& shape, bool output, StageArgument argument);
  Variable* add_integer(const std::string& name, StageArgument argument);
  // The counter of the host loop around the stage, where the graph reads it.
  void add_counter(const DemandGraph& graph);
  // Parameters that are called like one of `words`, which the stage's own text uses, get another name; not so scratch
  // memory, which is named for that text.
  void rename_parameters(const std::set<std::string>& words);

  // ---- statements ----

  Variable* let(const std::string& name, CType type, const Expr* value, Block* block);
  Statement assign(const Expr* target, const Expr* value);
  // if (left op right) return;
  Statement leave(const Expr* left, const std::string& op, const Expr* right);
  Statement barrier();
  // `sync` as for Kernel::call.
  Statement call(const std::string& function, std::vector<const Expr*> arguments, std::optional<Sync> sync = {});
  // for (int counter = begin; counter < end; counter += step), spelled as given; `begin` empty: from 0; `step_name`
  // empty: the step is spelled as a number.
  Statement counted_loop(const std::string& counter, const std::string& begin, const std::string& end, int64_t step = 1,
                         const std::string& step_name = "");
  // for (int name = threadIdx.x; name < end; name += kThreads)
  Statement strided_loop(const std::string& name, const Expr* end);
  // Shared& shared = block_shared<Shared>();
  Variable* shared(Block* block);

  const Expr* constant(const std::string& name) { return kernel.name_expr(name, index); }
  const Expr* wide(const Expr* value) { return index.dtype == DType::kS64 ? kernel.cast(index, value) : value; }
  const Expr* infix(const Expr* a, const std::string& op, const Expr* b) { return kernel.infix(a, op, b, index); }

  // maximum or minimum (`function`) of two offsets.
  const Expr* limited(const char* function, const Expr* value, const Expr* limit);

  // nullptr: nothing to test.
  const Expr* both(const Expr* a, const Expr* b);

  // A graph's expressions in this kernel, with its coordinates spelled as given.
  Expressions expressions_of(const DemandGraph& graph, const std::map<int, const Expr*>& coordinates);
  // The counter of the host loop in them, where it was added after them.
  void spell_counter(Expressions* expressions) const;
  // The values of graph.results: statements that they need are added to `block`.
  std::vector<const Expr*> results_of(const DemandGraph& graph, Expressions& expressions, Block* block);

  void constexpr_int(const std::string& name, int64_t value, const std::string& spelling = "",
                     const std::string& comment = "");

  // For a comment that the stage writes itself: a line for each array with its shape, inputs and outputs as the kernel
  // has them, and an empty one.
  void describe_arrays(std::vector<std::string>* lines) const;
  // "Reads 24.8 kB, writes 24.8 kB", of arrays that are read and written whole.
  std::string traffic_text() const;

  const StageInput& input;
  LoweredKernel lowered;
  Kernel& kernel = lowered.kernel;
  CType index;
  std::map<const Instruction*, Variable*> inputs, outputs;
  ScratchShapes scratch_shapes;  // of the pointers that lead to no value of the program

 private:
  std::string unique_parameter(const std::string& name) const;

  const Expr* counter_ = nullptr;  // of the host loop, where the kernel reads it
  CalledFunctions functions_;
};

}  // namespace sinter
