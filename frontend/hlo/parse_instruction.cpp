// Instructions and their operands.
//
//   instruction := ["ROOT"] name "=" [shape] opcode "(" slot ")" {"," attribute "=" value}
//   slot        := integer (parameter) | literal (constant) | [operand {"," operand}]
//   operand     := [shape] name {"#" integer} | [shape] opcode "(" slot ")"

#include "frontend/hlo/parser.h"
#include "ir/ops/op_table.h"
#include "ir/support/nearest_word.h"
#include "ir/text/attribute_names.h"

namespace sinter {

namespace {

std::string_view trim_left(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

// True if a line below `offset`, in the same computation, defines `name`. Only messages depend on it.
bool defined_below(std::string_view text, size_t offset, std::string_view name) {
  for (size_t at = text.find('\n', offset); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    std::string_view line = trim_left(text.substr(at + 1, text.find('\n', at + 1) - at - 1));
    if (line.substr(0, 1) == "}") return false;
    if (line.substr(0, 5) == "ROOT ") line = trim_left(line.substr(5));
    if (line.substr(0, 1) == "%") line.remove_prefix(1);
    if (line.substr(0, name.size()) == name && trim_left(line.substr(name.size())).substr(0, 2) == "= ") return true;
  }
  return false;
}

std::string count_text(int64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::vector<std::string_view> opcode_names() {
  return {
#define OPCODE(enumerator, hlo_name, family) hlo_name,
#include "ir/module/opcodes.def"
#undef OPCODE
  };
}

}  // namespace

bool Parser::parse_instruction(Scope& scope) {
  const Token first = token_;
  const TokenKind following = peek().kind;
  const bool is_root = at_word("ROOT") && following != TokenKind::kEqual;
  if (is_root) advance();

  const Token name = token_;
  if (at(TokenKind::kAttributeName)) {
    fail(name.loc, "E0110", "missing blank before '=' after the name " + std::string(name.text),
         "`name=` reads as an attribute; write `" + std::string(name.text) + " = ...`");
  } else if (!at_name()) {
    return expected("an instruction `name = shape opcode(operands)`");
  }
  advance();
  // Whatever happens below, the name is known from here on.
  const auto [known, is_new] = scope.values.try_emplace(name.text, Value{nullptr, name.loc});
  Value& value = known->second;
  scope.defining = value.loc;
  if (name.kind != TokenKind::kAttributeName && !expect(TokenKind::kEqual, "'=' after the name of the instruction")) {
    return false;
  }
  if (!is_new) {
    fail(name.loc, "E0108", "instruction " + std::string(name.text) + " is defined twice in this computation");
    diagnostics_.note(value.loc, "the first definition is here");
  }
  if (is_root && scope.root != nullptr) {
    fail(first.loc, "E0121", "a second ROOT in this computation");
    diagnostics_.note(scope.root->loc, "the first one is here");
  }

  InstructionHead head;
  head.name = name.text;
  head.loc = name.loc;
  if (at_shape() && !parse_shape(head.shape.emplace())) return false;
  if (!parse_opcode(head) || !parse_operand_slot(scope, head)) return false;
  Instruction* instruction = finish_instruction(scope, head, true);
  if (instruction == nullptr) return false;
  if (is_new) value.instruction = instruction;
  if (is_root && scope.root == nullptr) scope.root = instruction;
  return true;
}

bool Parser::parse_opcode(InstructionHead& head) {
  const Token word = token_;
  head.opcode_loc = word.loc;
  if (!at(TokenKind::kIdentifier)) return expected(head.shape ? "an opcode" : "a shape or an opcode");
  advance();
  if (const std::optional<Opcode> opcode = opcode_from_name(word.text)) {
    head.opcode = *opcode;
  } else if (!parse_async_opcode(word.text, head)) {
    const std::string nearest = nearest_word(word.text, opcode_names());
    return fail(word.loc, "E0105", "unknown opcode '" + std::string(word.text) + "'",
                nearest.empty() ? "" : "did you mean " + nearest + "?");
  }
  return expect(TokenKind::kLeftParen, "'(' and the operands");
}

// What stands between the parentheses, and the closing one.
bool Parser::parse_operand_slot(Scope& scope, InstructionHead& head) {
  if (head.opcode == Opcode::kParameter) {
    const Loc loc = token_.loc;
    if (!parse_integer(head.parameter_number, "the parameter's number")) return false;
    if (head.parameter_number < 0) return fail(loc, "E0103", "a parameter number cannot be negative");
  } else if (head.opcode == Opcode::kConstant) {
    if (!head.shape) return fail(head.opcode_loc, "E0113", "a constant must state its shape: f32[] constant(1)");
    if (!parse_literal(*head.shape, head.literal)) return false;
  } else {
    bool first = true;
    while (!at(TokenKind::kRightParen)) {
      if (!first && !expect(TokenKind::kComma, "',' or ')' after an operand")) return false;
      first = false;
      if (!parse_operand(scope, head)) return false;
    }
  }
  return expect(TokenKind::kRightParen, "')'");
}

bool Parser::parse_operand(Scope& scope, InstructionHead& head) {
  constexpr std::string_view kPrintInFull = "print the module with its operands in full";
  const Token first = token_;
  if (at(TokenKind::kEllipsis))
    return fail(first.loc, "E0127", "'...' stands for operands that were not printed", std::string(kPrintInFull));
  std::optional<Shape> stated;
  if (at_shape() && !parse_shape(stated.emplace())) return false;
  if (at(TokenKind::kIdentifier) && peek().kind == TokenKind::kLeftParen) {
    return parse_nested_operand(scope, head, std::move(stated));
  }
  if (!at_name()) {
    if (stated && (at(TokenKind::kComma) || at(TokenKind::kRightParen))) {
      return fail(first.loc, "E0104", "expected the operand's name after its shape");
    }
    return expected("an operand");
  }
  const Token name = token_;
  advance();
  bool known_broken = false;
  Instruction* value = look_up(scope, name, known_broken);
  if (value == nullptr) {
    if (!known_broken && name.kind == TokenKind::kIdentifier && name.text == "null") {
      return fail(name.loc, "E0127", "'null' stands for an operand that was deleted", std::string(kPrintInFull));
    }
    head.poisoned = true;
  }
  if (!parse_tuple_elements(scope, value)) return false;
  if (stated && value != nullptr && !stated->same_type(value->shape)) {
    return fail(
        first.loc, "E0128",
        std::string(name.text) + " is " + to_string(value->shape, false) + ", not " + to_string(*stated, false));
  }
  head.operands.push_back(value);
  head.operand_locs.push_back(first.loc);
  return true;
}

// An expression as operand. It takes no attributes, and is named after the instruction it stands in.
bool Parser::parse_nested_operand(Scope& scope, InstructionHead& head, std::optional<Shape> shape) {
  const NestingGuard guard(*this);
  if (too_deep()) return false;
  InstructionHead nested;
  nested.loc = token_.loc;
  nested.shape = std::move(shape);
  nested.name = head.name.substr(0, head.name.find(".operand")) + ".operand";
  if (!parse_opcode(nested) || !parse_operand_slot(scope, nested)) return false;
  Instruction* value = finish_instruction(scope, nested, false);
  if (value == nullptr) {
    if (!nested.poisoned) return false;
    head.poisoned = true;
  }
  head.operands.push_back(value);
  head.operand_locs.push_back(nested.loc);
  return true;
}

// nullptr, with an error unless the definition was in error itself, where the name means nothing.
Instruction* Parser::look_up(Scope& scope, const Token& name, bool& known_broken) {
  const auto found = scope.values.find(name.text);
  known_broken = found != scope.values.end() && found->second.instruction == nullptr;
  if (found != scope.values.end() && found->second.instruction != nullptr) return found->second.instruction;
  const std::string text(name.text);
  if (known_broken) {
    if (found->second.loc == scope.defining) fail(name.loc, "E0107", text + " is an operand of itself");
    return nullptr;
  }
  if (name.kind == TokenKind::kIdentifier && name.text == "null") return nullptr;
  if (defined_below(diagnostics_.source().text, name.loc.offset, name.text)) {
    fail(name.loc, "E0107", text + " is used before its definition",
         "operands stand above the instructions that use them");
    return nullptr;
  }
  std::vector<std::string_view> names;
  for (const Instruction& instruction : scope.computation->instructions()) names.push_back(instruction.name);
  const std::string nearest = nearest_word(name.text, names);
  fail(name.loc, "E0107", "no instruction " + text + " in this computation",
       nearest.empty() ? "" : "did you mean " + nearest + "?");
  return nullptr;
}

// `#1#0` after a name: one get-tuple-element for each tuple and index, made at its first use.
bool Parser::parse_tuple_elements(Scope& scope, Instruction*& value) {
  while (at(TokenKind::kHash)) {
    advance();
    const Loc loc = token_.loc;
    int64_t index = 0;
    if (!parse_integer(index, "the index of a tuple element")) return false;
    if (value == nullptr) continue;
    if (!value->shape.is_tuple() || index < 0 || index >= static_cast<int64_t>(value->shape.elements.size())) {
      return fail(
          loc, "E0124",
          value->name + " is " + to_string(value->shape, false) + ": it has no element " + std::to_string(index));
    }
    Instruction*& element = scope.tuple_elements[{value, index}];
    if (element == nullptr) {
      Shape shape = value->shape.elements[static_cast<size_t>(index)];
      element = scope.computation->add(Opcode::kGetTupleElement, std::move(shape), {value},
                                       value->name + ".element" + std::to_string(index));
      element->attributes.edit().tuple_index = index;
      element->loc = loc;
    }
    value = element;
  }
  return true;
}

namespace {

// A broadcast of a scalar may leave its dimensions out.
void state_dimensions(Instruction& instruction) {
  if (instruction.opcode != Opcode::kBroadcast || instruction.attributes->dimensions) return;
  instruction.attributes.edit().dimensions.emplace();
}

}  // namespace

Instruction* Parser::finish_instruction(Scope& scope, InstructionHead& head, bool with_attributes) {
  // An instruction that lacks an operand is only read to its end.
  std::optional<Instruction> unplaced;
  Instruction* placed =
      head.poisoned ? nullptr
                    : scope.computation->add(head.opcode, head.shape.value_or(Shape()), head.operands, head.name);
  Instruction* instruction = head.poisoned ? &unplaced.emplace() : placed;
  instruction->loc = head.loc;
  instruction->parameter_number = head.parameter_number;
  instruction->literal = std::move(head.literal);

  AttributeTarget target{.instruction = instruction, .opcode = head.opcode};
  std::optional<Instruction> unplaced_wrapped;
  if (head.wrapped && head.opcode == Opcode::kAsyncStart) {
    target.wrapped = head.poisoned ? &unplaced_wrapped.emplace() : wrapped_root(head);
    if (target.wrapped == nullptr) return nullptr;
    target.wrapped_opcode = *head.wrapped;
    if (!head.poisoned) instruction->attributes.edit().calls = target.wrapped->parent();
  }
  if (with_attributes && !parse_attributes(scope, target)) return nullptr;
  if (head.poisoned) return nullptr;
  state_dimensions(*instruction);
  if (target.wrapped != nullptr) state_dimensions(*target.wrapped);

  if (target.wrapped != nullptr) {
    if (!check_operand_count(head, *head.wrapped)) return nullptr;
    if (!check_required(head, *head.wrapped, target.wrapped->attributes)) return nullptr;
  } else {
    if (!check_operand_count(head, head.opcode)) return nullptr;
    if (!check_required(head, head.opcode, instruction->attributes)) return nullptr;
  }
  if (!head.shape && !infer_shape(head, *instruction)) return nullptr;
  return placed;
}

bool Parser::check_operand_count(const InstructionHead& head, Opcode opcode) {
  const int arity = op_def(opcode).arity;
  const auto count = static_cast<int>(head.operands.size());
  if (arity < 0 || count == arity || opcode == Opcode::kParameter || opcode == Opcode::kConstant) return true;
  const Loc loc = count > arity ? head.operand_locs[static_cast<size_t>(arity)] : head.opcode_loc;
  return fail(
      loc, "E0118",
      std::string(opcode_name(opcode)) + " takes " + count_text(arity, "operand") + ", not " + std::to_string(count));
}

bool Parser::check_required(const InstructionHead& head, Opcode opcode, const Attributes& attributes) {
  for (const AttributeSpec& spec : op_def(opcode).attributes) {
    if (!spec.required || has_attribute(attributes, spec.id)) continue;
    return fail(head.opcode_loc, "E0117",
                std::string(opcode_name(opcode)) + " needs the attribute " + std::string(attribute_name(spec.id)));
  }
  return true;
}

bool Parser::infer_shape(const InstructionHead& head, Instruction& instruction) {
  const std::string opcode(opcode_name(head.opcode));
  const auto infer = op_def(head.opcode).infer;
  if (infer == nullptr) {
    return fail(head.opcode_loc, "E0113", "the text must state the result shape of " + opcode,
                "write `" + head.name + " = f32[2,3] " + opcode + "(...)`");
  }
  // Nothing follows from computations that were in error themselves.
  for (const Computation* called : instruction.called_computations()) {
    if (called == nullptr) return false;
  }
  const ShapeResult result = infer(instruction);
  if (const auto* error = std::get_if<ShapeError>(&result)) {
    return fail(head.opcode_loc, "E0114", opcode + ": " + error->message, error->hint);
  }
  instruction.shape = std::get<Shape>(result);
  if (instruction.shape.is_static() && instruction.shape.bytes() > kMaxBytes) {
    return fail(head.opcode_loc, "E0120", to_string(instruction.shape, false) + " takes more than 2^46 bytes");
  }
  return true;
}

}  // namespace sinter
