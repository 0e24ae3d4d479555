// The graph IR: a Module of Computations of Instructions. It is HLO and nothing else; print.h writes it as
// HLO text and frontend/hlo/parse_hlo.h reads it back.
//
// Invariants (verify.h checks them): instructions of a computation stand in an order in which every operand
// comes before its users; names are unique in the module; callees come before callers in Module::computations().
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/module/attributes.h"
#include "ir/module/opcode.h"
#include "ir/support/rare.h"
#include "ir/support/source.h"
#include "ir/values/literal.h"
#include "ir/values/shape.h"

namespace sinter {

class Computation;
class Module;

// metadata={...}: where an instruction comes from.
struct Metadata {
  std::string op_type;
  std::string op_name;  // "jit(f)/while/body/add"
  std::string source_file;
  int64_t source_line = 0;
  int64_t stack_frame_id = 0;  // 1-based row of SourceTables::frames, 0 for none
  std::string rest;            // other items, as written
  bool operator==(const Metadata&) const = default;
};

// What is said of an instruction besides: attributes that any opcode may have.
struct Annotations {
  // key -> value text as written (quoted strings unescaped): frontend_attributes={k="v"}
  std::map<std::string, std::string> frontend_attributes;
  std::string backend_config;  // JSON or MLIR dictionary text, without quotes; empty for none
  std::string sharding;        // raw text with braces; empty for none
  std::vector<std::pair<std::string, std::string>>
      ignored_attributes;  // name, raw value: origin, statistics, unknown ones
  bool operator==(const Annotations&) const = default;
};

class Instruction {
 public:
  std::string name;  // without %
  Opcode opcode = Opcode::kParameter;
  Shape shape;
  Rare<Attributes> attributes;
  int64_t parameter_number = 0;  // of a parameter
  Literal literal;               // of a constant
  Rare<Metadata> metadata;
  Rare<Annotations> annotations;
  Loc loc;

  const std::vector<Instruction*>& operands() const { return operands_; }
  Instruction* operand(size_t index) const { return operands_[index]; }
  // One entry for each operand slot that reads this; an instruction reading it twice is there twice.
  const std::vector<Instruction*>& users() const { return users_; }
  Computation* parent() const { return parent_; }
  // Where this stands in its computation's text: larger than what stands above it has. Holds until something is
  // inserted or moved there.
  size_t position() const;

  void set_operand(size_t index, Instruction* value);
  void set_operands(const std::vector<Instruction*>& values);
  void replace_all_uses_with(Instruction* value);  // also as the computation's root

  std::vector<Instruction*> control_predecessors;

  // Every computation this instruction calls, in the order of attributes.def.
  std::vector<Computation*> called_computations() const;
  void replace_called(Computation* from, Computation* to);
  // Of a conditional, the one of a predicate that is true first.
  std::vector<Computation*> branches() const;

 private:
  friend class Computation;
  void add_use(size_t slot);
  void drop_use(size_t slot);

  Computation* parent_ = nullptr;
  std::list<Instruction>::iterator self_;
  std::vector<Instruction*> operands_;
  std::vector<size_t> use_index_;  // position of operand slot i in operands_[i]->users_
  std::vector<Instruction*> users_;
  std::vector<size_t> user_slot_;  // which operand slot of users_[k] this is
  mutable size_t position_ = 0;    // where the parent has numbered its instructions
};

// Instructions of one computation, as they stand in its text.
std::vector<const Instruction*> in_text_order(std::vector<const Instruction*> instructions);

class Computation {
 public:
  std::string name;
  std::string execution_thread;  // "host" or empty
  bool signature_in_text = false;
  Loc loc;

  // Appends; the name is made unique in the module (empty: the opcode's name). Operands must already be here.
  Instruction* add(Opcode opcode, Shape shape, const std::vector<Instruction*>& operands, std::string name = "");
  // The same, placed before `position`.
  Instruction* insert_before(Instruction* position, Opcode opcode, Shape shape,
                             const std::vector<Instruction*>& operands, std::string name = "");
  // A copy of everything but operands and name, placed before `position` (nullptr: at the end).
  Instruction* add_copy(const Instruction& original, const std::vector<Instruction*>& operands,
                        Instruction* position = nullptr, std::string name = "");
  Instruction* add_constant(Literal literal, Instruction* position = nullptr, std::string name = "");
  // Must have no users, not be the root, and be nobody's control predecessor.
  void remove(Instruction* instruction);
  void move_before(Instruction* instruction, Instruction* position);
  // Restores "operands before users", keeping the present order where it is already right.
  void sort();

  std::list<Instruction>& instructions() { return instructions_; }
  const std::list<Instruction>& instructions() const { return instructions_; }
  Instruction* root() const { return root_; }
  void set_root(Instruction* root) { root_ = root; }
  // Ordered by parameter number.
  std::vector<Instruction*> parameters() const;
  Module* parent() const { return parent_; }

 private:
  friend class Instruction;
  friend class Module;
  void number() const;

  Module* parent_ = nullptr;
  std::list<Instruction> instructions_;
  mutable bool numbered_ = false;  // since the last insertion or move
  Instruction* root_ = nullptr;
};

// The FileNames, FunctionNames, FileLocations and StackFrames tables; rows are 1-based in the text.
struct SourceTables {
  struct Location {
    int64_t file = 0, function = 0;
    int64_t line = 0, end_line = 0, column = 0, end_column = 0;
    bool operator==(const Location&) const = default;
  };
  struct Frame {
    int64_t location = 0;
    int64_t parent = 0;  // as printed, the calling frame's row plus one; 1 and 0: outermost
    bool operator==(const Frame&) const = default;
  };
  std::vector<std::string> files;
  std::vector<std::string> functions;
  std::vector<Location> locations;
  std::vector<Frame> frames;
  bool empty() const { return files.empty() && functions.empty() && locations.empty() && frames.empty(); }
};

// One Python call level.
struct PythonFrame {
  std::string file;
  std::string function;  // as Python qualifies it: "rollout.<locals>.step"
  int64_t line = 0;
};

// input_output_alias and buffer_donor entries.
struct Alias {
  std::vector<int64_t> output_index;  // empty for buffer_donor: not yet matched
  int64_t parameter = 0;
  std::vector<int64_t> parameter_index;
  bool must_alias = false;
  bool operator==(const Alias&) const = default;
};

class Module {
 public:
  std::string name;
  std::vector<Shape> entry_parameter_layouts;  // entry_computation_layout; empty if the header has none
  std::optional<Shape> entry_result_layout;
  // Of the entry's results, what the text calls them (frontend/hlo/name_results.h): as many as there are, or none;
  // empty ones have no name.
  std::vector<std::string> result_names;
  std::vector<Alias> input_output_alias;
  std::vector<Alias> buffer_donor;
  bool is_scheduled = false;
  int64_t replica_count = 1;
  int64_t num_partitions = 1;
  std::vector<std::pair<std::string, std::string>> other_header_fields;  // name, raw value, in order
  SourceTables tables;

  Module() = default;
  Module(Module&& other) noexcept;
  Module& operator=(Module&& other) noexcept;

  Computation* add_computation(std::string name);
  // Must have no caller left.
  void remove_computation(Computation* computation);
  const std::vector<std::unique_ptr<Computation>>& computations() const { return computations_; }
  // Callees before callers.
  void sort_computations();
  Computation* entry() const { return entry_; }
  void set_entry(Computation* entry) { entry_ = entry; }

  // `base`, or base with ".1", ".2", ... where it is taken; marks it as taken. Instructions and computations
  // have separate name spaces.
  std::string unique_instruction_name(const std::string& base);
  std::string unique_computation_name(const std::string& base);

  // The Python frames of an instruction, innermost first; empty without tables.
  std::vector<PythonFrame> python_frames(const Instruction& instruction) const;

  std::unique_ptr<Module> clone() const;

 private:
  std::vector<std::unique_ptr<Computation>> computations_;
  Computation* entry_ = nullptr;
  std::unordered_set<std::string> instruction_names_;
  std::unordered_set<std::string> computation_names_;
  std::unordered_map<std::string, int64_t> next_suffix_;
};

// Every instruction of a module; names are unique there. The keys are those names.
using InstructionsByName = std::unordered_map<std::string_view, const Instruction*>;
InstructionsByName instructions_by_name(const Module& module);

}  // namespace sinter
