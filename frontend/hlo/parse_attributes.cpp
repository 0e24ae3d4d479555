// The attributes of an instruction: those of its row of the op table, by their kind, and those that every
// instruction may have. Others are kept as written, with a warning.

#include <algorithm>
#include <charconv>

#include "frontend/hlo/parser.h"
#include "ir/ops/op_table.h"
#include "ir/support/nearest_word.h"
#include "ir/text/attribute_names.h"

namespace sinter {

namespace {

const AttributeSpec* find_in_row(Opcode opcode, std::string_view name) {
  for (const AttributeSpec& spec : op_def(opcode).attributes) {
    if (attribute_name(spec.id) == name) return &spec;
  }
  return nullptr;
}

// Attributes of debugging and of other devices: kept and printed again, without a warning.
constexpr std::string_view kKeptAttributes[] = {"origin", "parameter_replication", "statistics"};

}  // namespace

bool Parser::parse_attributes(Scope& scope, const AttributeTarget& target) {
  // Attributes of this instruction that are not in its row.
  std::set<std::string_view> seen;
  while (at(TokenKind::kComma)) {
    advance();
    const Token name = token_;
    if (!at(TokenKind::kAttributeName)) {
      const bool detached = at_name() && peek().kind == TokenKind::kEqual;
      expected("an attribute `name=value`", detached ? "'=' follows an attribute's name directly" : "");
      // `name =` must not look like the next definition.
      if (detached) advance();
      return false;
    }
    const AttributeSpec* spec = nullptr;
    Attributes* attributes = nullptr;
    if (target.wrapped != nullptr && (spec = find_in_row(target.wrapped_opcode, name.text)) != nullptr) {
      attributes = &target.wrapped->attributes.edit();
    } else if ((spec = find_in_row(target.opcode, name.text)) != nullptr) {
      attributes = &target.instruction->attributes.edit();
    }
    const bool duplicate = spec != nullptr ? has_attribute(*attributes, spec->id) : !seen.insert(name.text).second;
    if (duplicate) return fail(name.loc, "E0115", "two attributes " + std::string(name.text));
    advance();
    if (spec != nullptr) {
      if (!parse_row_attribute(spec->id, *attributes, scope, target.instruction->name)) return false;
    } else if (!parse_attribute(scope, target, name)) {
      return false;
    }
  }
  return true;
}

// An attribute that is not in the row.
bool Parser::parse_attribute(Scope& scope, const AttributeTarget& target, const Token& name) {
  bool known = false;
  if (!parse_common_attribute(scope, *target.instruction, name, known)) return false;
  if (known) return true;
  std::string value;
  if (!parse_raw(value)) return false;
  const bool kept =
      std::find(std::begin(kKeptAttributes), std::end(kKeptAttributes), name.text) != std::end(kKeptAttributes);
  if (!kept) warn_unknown_attribute(target, name);
  target.instruction->annotations.edit().ignored_attributes.emplace_back(name.text, std::move(value));
  return true;
}

// Once for each opcode and name: such attributes tend to come by the thousand.
void Parser::warn_unknown_attribute(const AttributeTarget& target, const Token& name) {
  const std::string_view opcode = opcode_name(target.wrapped != nullptr ? target.wrapped_opcode : target.opcode);
  const std::string message = std::string(opcode) + " has no attribute " + std::string(name.text);
  if (!warned_attributes_.insert(message).second) return;
  std::vector<std::string_view> names;
  for (const AttributeSpec& spec : op_def(target.opcode).attributes) names.push_back(attribute_name(spec.id));
  const std::string nearest = nearest_word(name.text, names);
  diagnostics_.warning(name.loc, "W0101", message + "; it is ignored",
                       nearest.empty() ? "" : "did you mean " + nearest + "?");
}

bool Parser::parse_common_attribute(Scope& scope, Instruction& instruction, const Token& name, bool& known) {
  known = true;
  if (name.text == "metadata") return parse_metadata(instruction.metadata.edit());
  if (name.text == "frontend_attributes")
    return parse_frontend_attributes(instruction.annotations.edit().frontend_attributes);
  if (name.text == "control-predecessors") return parse_control_predecessors(scope, instruction.control_predecessors);
  if (name.text == "sharding") {
    std::string& sharding = instruction.annotations.edit().sharding;
    return at(TokenKind::kString) ? parse_string(sharding) : parse_raw(sharding);
  }
  if (name.text == "backend_config") {
    std::string& config = instruction.annotations.edit().backend_config;
    return at(TokenKind::kString) ? parse_string(config) : parse_raw(config);
  }
  known = false;
  return true;
}

bool Parser::parse_row_attribute(AttributeId id, Attributes& attributes, Scope& scope, const std::string& owner) {
  (void)scope;
  // One reader for each kind of attributes.def; the value is set only if it was read.
  const std::string_view name = attribute_name(id);
  const auto IntList = [&](auto& out) { return parse_integer_list(out.emplace(), "'{' and a list of integers"); };
  const auto Int = [&](auto& out) { return parse_integer(out.emplace(), "an integer"); };
  const auto Bool = [&](auto& out) { return parse_bool(out.emplace()); };
  const auto Real = [&](auto& out) {
    const bool number = at(TokenKind::kDecimal) || at(TokenKind::kInteger) || at(TokenKind::kSpecial) ||
                        at_word("inf") || at_word("nan");
    if (!number) return expected("a number");
    // from_chars knows inf and nan, too.
    const char* end = token_.text.data() + token_.text.size();
    if (std::from_chars(token_.text.data(), end, out.emplace()).ec != std::errc()) {
      return fail(token_.loc, "E0103", "the number is out of range");
    }
    advance();
    return true;
  };
  const auto SliceList = [&](auto& out) { return parse_slices(out.emplace()); };
  const auto Padding = [&](auto& out) { return parse_padding(out.emplace()); };
  const auto Window = [&](auto& out) { return parse_window(out.emplace()); };
  const auto DimLabels = [&](auto& out) { return parse_dim_labels(out.emplace()); };
  const auto word = [&](std::string& out) {
    if (!at(TokenKind::kIdentifier)) return expected("a word");
    out = token_.text;
    advance();
    return true;
  };
  const auto Word = [&](auto& out) { return word(out.emplace()); };
  const auto WordList = [&](auto& out) {
    std::vector<std::string>& words = out.emplace();
    if (!expect(TokenKind::kLeftBrace, "'{' and a list of words")) return false;
    while (!at(TokenKind::kRightBrace)) {
      if (!words.empty() && !expect(TokenKind::kComma, "',' or '}'")) return false;
      if (!word(words.emplace_back())) return false;
    }
    advance();
    return true;
  };
  const auto String = [&](auto& out) {
    return at(TokenKind::kIdentifier) ? word(out.emplace()) : parse_string(out.emplace());
  };
  const auto Raw = [&](auto& out) { return parse_raw(out.emplace()); };
  const auto Computation = [&](auto& out) { return parse_computation_reference(out.emplace(), owner, name); };
  const auto ComputationList = [&](auto& out) {
    std::vector<sinter::Computation*>& computations = out.emplace();
    if (!expect(TokenKind::kLeftBrace, "'{' and a list of computations")) return false;
    while (!at(TokenKind::kRightBrace)) {
      if (!computations.empty() && !expect(TokenKind::kComma, "',' or '}'")) return false;
      if (!parse_computation_reference(computations.emplace_back(), owner, name)) return false;
    }
    advance();
    return true;
  };
  switch (id) {
#define ATTRIBUTE(hlo_name, member, kind) \
  case AttributeId::k_##member:           \
    return kind(attributes.member);
#include "ir/module/attributes.def"
#undef ATTRIBUTE
  }
  return false;
}

// A name, or a computation written in place as `{ instructions }`, which is named after its user.
bool Parser::parse_computation_reference(Computation*& computation, const std::string& owner,
                                         std::string_view attribute) {
  if (at(TokenKind::kLeftBrace)) {
    const NestingGuard guard(*this);
    if (too_deep()) return false;
    const Loc open = token_.loc;
    advance();
    Scope scope;
    scope.computation = module_->add_computation(owner + "." + std::string(attribute));
    scope.computation->loc = open;
    added_callees_late_ = true;
    computation = scope.computation;
    return parse_body(scope, std::nullopt, open);
  }
  if (!at_name()) return expected("a computation's name");
  const Token name = token_;
  advance();
  const auto known = computations_.find(name.text);
  if (known == computations_.end()) {
    std::vector<std::string_view> names;
    for (const auto& candidate : module_->computations()) names.push_back(candidate->name);
    const std::string nearest = nearest_word(name.text, names);
    const std::string hint =
        nearest.empty() || nearest == name.text ? "callees stand above their callers" : "did you mean " + nearest + "?";
    return fail(name.loc, "E0109", "no computation " + std::string(name.text) + " stands above", hint);
  }
  // The use of a computation that was in error is not an error again; the module is refused anyway.
  computation = known->second.computation;
  return true;
}

// {op_name="jit(f)/add" stack_frame_id=7 ...}
bool Parser::parse_metadata(Metadata& metadata) {
  if (!expect(TokenKind::kLeftBrace, "'{' and metadata items")) return false;
  while (!at(TokenKind::kRightBrace)) {
    const Token item = token_;
    if (!at(TokenKind::kAttributeName)) return expected("a metadata item `name=value` or '}'");
    advance();
    if (item.text == "op_type") {
      if (!parse_string(metadata.op_type)) return false;
    } else if (item.text == "op_name") {
      if (!parse_string(metadata.op_name)) return false;
    } else if (item.text == "source_file") {
      if (!parse_string(metadata.source_file)) return false;
    } else if (item.text == "source_line") {
      if (!parse_integer(metadata.source_line, "an integer")) return false;
    } else if (item.text == "stack_frame_id") {
      const Loc loc = token_.loc;
      if (!parse_integer(metadata.stack_frame_id, "an integer")) return false;
      const auto frames = static_cast<int64_t>(module_->tables.frames.size());
      if (frames > 0 && (metadata.stack_frame_id < 0 || metadata.stack_frame_id > frames) &&
          warned_attributes_.insert("stack_frame_id").second) {
        diagnostics_.warning(loc, "W0104", "the StackFrames table has " + std::to_string(frames) + " rows");
      }
    } else {
      std::string value;
      if (at(TokenKind::kLeftBrace)) {
        if (!parse_raw(value)) return false;
      } else {
        const bool scalar =
            at(TokenKind::kString) || at(TokenKind::kInteger) || at(TokenKind::kDecimal) || at(TokenKind::kIdentifier);
        if (!scalar) return expected("the value of the metadata item");
        value = token_.text;
        advance();
      }
      if (!metadata.rest.empty()) metadata.rest += ' ';
      metadata.rest += std::string(item.text) + "=" + value;
    }
    accept(TokenKind::kComma);
  }
  advance();
  return true;
}

// {k="v",k2={json},k3=word}
bool Parser::parse_frontend_attributes(std::map<std::string, std::string>& attributes) {
  if (!expect(TokenKind::kLeftBrace, "'{' and frontend attributes")) return false;
  while (!at(TokenKind::kRightBrace)) {
    if (!attributes.empty() && !expect(TokenKind::kComma, "',' or '}'")) return false;
    std::string key;
    if (at(TokenKind::kString)) {
      if (!parse_string(key) || !expect(TokenKind::kEqual, "'='")) return false;
    } else {
      if (!at(TokenKind::kAttributeName)) return expected("a frontend attribute `key=\"value\"`");
      key = token_.text;
      advance();
    }
    std::string value;
    if (!(at(TokenKind::kString) ? parse_string(value) : parse_raw(value))) return false;
    attributes.insert_or_assign(std::move(key), std::move(value));
  }
  advance();
  return true;
}

bool Parser::parse_control_predecessors(Scope& scope, std::vector<Instruction*>& predecessors) {
  if (!expect(TokenKind::kLeftBrace, "'{' and a list of instructions")) return false;
  bool first = true;
  while (!at(TokenKind::kRightBrace)) {
    if (!first && !expect(TokenKind::kComma, "',' or '}'")) return false;
    first = false;
    if (!at_name()) return expected("an instruction's name");
    const Token name = token_;
    advance();
    bool known_broken = false;
    Instruction* predecessor = look_up(scope, name, known_broken);
    if (!parse_tuple_elements(scope, predecessor)) return false;
    if (predecessor == nullptr) {
      if (!known_broken) return false;
      continue;
    }
    predecessors.push_back(predecessor);
  }
  advance();
  return true;
}

}  // namespace sinter
