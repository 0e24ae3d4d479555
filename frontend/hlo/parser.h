// The parser of HLO text, private to this room: one class, whose parts are spread over parse_*.cpp by what they read.
//
// Every parse function returns true if it read its part, with the token after it current; otherwise it has reported
// an error. Errors inside an instruction are recovered from at the next one, so that a run reports several; what a
// broken instruction defines is known to be broken, and its uses are not errors again.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/hlo/lexer.h"
#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace sinter {

class Parser {
 public:
  explicit Parser(Diagnostics& diagnostics) : diagnostics_(diagnostics), lexer_(diagnostics.source().text) {}

  std::unique_ptr<Module> parse_module();

  // The depth to which shapes, constants, operand expressions and inline computations may nest.
  static constexpr int kMaxNesting = 200;
  static constexpr size_t kMaxRank = 64;

 private:
  // A name's definition; `instruction` is nullptr where the definition was in error.
  struct Value {
    Instruction* instruction = nullptr;
    Loc loc;
  };

  // A computation being read.
  struct Scope {
    Computation* computation = nullptr;
    std::unordered_map<std::string_view, Value> values;
    // The get-tuple-element instructions made for `name#i`, one for each tuple and index.
    std::map<std::pair<const Instruction*, int64_t>, Instruction*> tuple_elements;
    Instruction* root = nullptr;
    Loc defining;  // the name whose definition is being read
    bool broken = false;
  };

  struct Signature {
    std::vector<Shape> parameters;
    Shape result;
    Loc loc;
  };

  // What the text says of an instruction up to its operands.
  struct InstructionHead {
    std::string name;
    Loc loc;
    std::optional<Shape> shape;
    Opcode opcode = Opcode::kParameter;
    Loc opcode_loc;
    std::optional<Opcode> wrapped;  // of `<opcode>-start` and the like: the opcode that runs asynchronously
    std::vector<Instruction*> operands;
    std::vector<Loc> operand_locs;
    bool poisoned = false;  // an operand is missing, so there can be no instruction
    int64_t parameter_number = 0;
    Literal literal;
  };

  // Where the attributes of an instruction go. For asynchronous sugar those of the wrapped opcode go elsewhere.
  struct AttributeTarget {
    Instruction* instruction = nullptr;
    Opcode opcode = Opcode::kParameter;
    Instruction* wrapped = nullptr;
    Opcode wrapped_opcode = Opcode::kParameter;
  };

  class NestingGuard {
   public:
    explicit NestingGuard(Parser& parser) : parser_(parser) { ++parser_.nesting_; }
    ~NestingGuard() { --parser_.nesting_; }
    NestingGuard(const NestingGuard&) = delete;
    NestingGuard& operator=(const NestingGuard&) = delete;

   private:
    Parser& parser_;
  };

  // parser.cpp: tokens, errors, recovery.
  void advance();
  bool at(TokenKind kind) const { return token_.kind == kind; }
  bool at_word(std::string_view word) const { return at(TokenKind::kIdentifier) && token_.text == word; }
  bool at_name() const { return at(TokenKind::kName) || at(TokenKind::kIdentifier); }
  Token peek();
  bool accept(TokenKind kind);
  bool expect(TokenKind kind, std::string_view what);
  // "expected `what`, found ..." at the current token; a lexical error there is reported in its place.
  bool expected(std::string_view what, std::string hint = "");
  bool fail(Loc loc, std::string_view code, std::string message, std::string hint = "");
  bool too_deep();
  bool too_many_errors() const { return diagnostics_.error_count() >= Diagnostics::kMaxErrors; }
  bool ends_computation();
  void skip_to_instruction();
  void skip_to_computation();
  bool parse_raw(std::string& value);  // the current token is its first
  bool parse_integer(int64_t& value, std::string_view what);
  bool parse_integer_list(std::vector<int64_t>& values, std::string_view what);  // {1,2}
  bool parse_bool(bool& value);
  bool parse_string(std::string& value);

  // parse_hlo.cpp: module and computations.
  bool parse_computation();
  bool parse_signature(Signature& signature);
  bool parse_body(Scope& scope, const std::optional<Signature>& signature, Loc open);
  bool finish_computation(Scope& scope, const std::optional<Signature>& signature, Loc open);
  bool check_signature(const Computation& computation, const Signature& signature);
  void finish_module();

  // parse_header.cpp: module header and source tables.
  bool parse_header();
  bool parse_header_field(const Token& field);
  bool parse_alias_list(std::vector<Alias>& aliases, bool with_output);
  bool parse_entry_layout();
  bool parse_source_tables();
  bool parse_table_strings(std::vector<std::string>& rows);
  bool parse_table_row(size_t expected_row, std::initializer_list<std::pair<std::string_view, int64_t*>> fields);
  bool check_source_tables(Loc loc);

  // parse_instruction.cpp
  bool parse_instruction(Scope& scope);
  bool parse_opcode(InstructionHead& head);
  bool parse_operand_slot(Scope& scope, InstructionHead& head);
  bool parse_operand(Scope& scope, InstructionHead& head);
  bool parse_nested_operand(Scope& scope, InstructionHead& head, std::optional<Shape> shape);
  Instruction* look_up(Scope& scope, const Token& name, bool& known_broken);
  bool parse_tuple_elements(Scope& scope, Instruction*& value);
  // Builds what `head` describes, reading the attributes that follow unless it is nested. nullptr after an error.
  Instruction* finish_instruction(Scope& scope, InstructionHead& head, bool with_attributes);
  bool check_operand_count(const InstructionHead& head, Opcode opcode);
  bool check_required(const InstructionHead& head, Opcode opcode, const Attributes& attributes);
  bool infer_shape(const InstructionHead& head, Instruction& instruction);

  // parse_async.cpp: <opcode>-start, -update, -done.
  bool parse_async_opcode(std::string_view name, InstructionHead& head);
  Instruction* wrapped_root(const InstructionHead& head);

  // parse_attributes.cpp
  bool parse_attributes(Scope& scope, const AttributeTarget& target);
  bool parse_attribute(Scope& scope, const AttributeTarget& target, const Token& name);
  bool parse_row_attribute(AttributeId id, Attributes& attributes, Scope& scope, const std::string& owner);
  bool parse_common_attribute(Scope& scope, Instruction& instruction, const Token& name, bool& known);
  void warn_unknown_attribute(const AttributeTarget& target, const Token& name);
  bool parse_computation_reference(Computation*& computation, const std::string& owner, std::string_view attribute);
  bool parse_metadata(Metadata& metadata);
  bool parse_frontend_attributes(std::map<std::string, std::string>& attributes);
  bool parse_control_predecessors(Scope& scope, std::vector<Instruction*>& predecessors);

  // parse_attribute_values.cpp: the forms of values other than lists and words.
  bool parse_slices(std::vector<SliceBounds>& slices);
  bool parse_padding(std::vector<PadBounds>& padding);
  bool parse_window(std::vector<WindowDimension>& window);
  bool parse_window_sizes(std::vector<int64_t>& sizes);
  bool parse_padding_token(std::vector<PadBounds>& padding, bool with_interior);
  bool parse_dim_labels(ConvolutionDims& dims);

  // parse_shape.cpp
  bool at_shape();
  bool parse_shape(Shape& shape);
  bool parse_array_dims(Shape& shape);
  bool parse_layout(Shape& shape);

  // parse_literal.cpp
  bool parse_literal(const Shape& shape, Literal& literal);
  bool parse_tuple_literal(const Shape& shape, Literal& literal);
  bool parse_dense(const Shape& shape, size_t level, std::vector<std::byte>& bytes);
  bool parse_empty_array(const Shape& shape);
  bool parse_element(DType dtype, std::vector<std::byte>& bytes);
  bool parse_integer_bits(DType dtype, uint64_t& bits);
  bool parse_float_bits(DType dtype, uint64_t& bits);
  bool parse_special_float(DType dtype, uint64_t& bits);
  bool parse_pred_bits(uint64_t& bits);

  Diagnostics& diagnostics_;
  Lexer lexer_;
  Token token_;
  int nesting_ = 0;
  // The computation is referred to by every later attribute; nullptr where its definition was in error.
  struct KnownComputation {
    Computation* computation = nullptr;
    Loc loc;
  };

  std::unique_ptr<Module> module_ = std::make_unique<Module>();
  std::unordered_map<std::string_view, KnownComputation> computations_;
  bool added_callees_late_ = false;  // inline computations stand after their callers until finish_module
  std::set<std::string> warned_attributes_;
  int64_t elided_constants_ = 0;
  Loc first_elided_;
};

}  // namespace sinter
