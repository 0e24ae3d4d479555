// Modules and computations.
//
//   module      := [header] [tables] computation {computation}
//   computation := ["ENTRY"] name ["(" [name ":" shape {"," ...}] ")" "->" shape] "{" instruction {instruction} "}"
//                  ["," "execution_thread=" string]

#include "frontend/hlo/parse_hlo.h"

#include "frontend/hlo/name_results.h"
#include "frontend/hlo/other_forms.h"
#include "frontend/hlo/parser.h"

namespace sinter {

std::unique_ptr<Module> parse_hlo(Diagnostics& diagnostics) { return Parser(diagnostics).parse_module(); }

std::unique_ptr<Module> Parser::parse_module() {
  const std::string& text = diagnostics_.source().text;
  if (text.size() >= Loc::kNowhere) {
    fail(Loc(), "E0130", "the text is 4 GiB or longer");
    return nullptr;
  }
  if (const std::optional<OtherForm> form = recognise_other_form(text)) {
    fail(form->loc, "E0130", "this is " + form->name + ", not HLO text", form->remedy);
    return nullptr;
  }
  if (text.substr(0, 3) == "\xEF\xBB\xBF") lexer_.seek(3);
  advance();
  if (at_word("HloModule") && !parse_header()) skip_to_computation();
  if (at_word("FileNames") && !parse_source_tables()) {
    module_->tables = {};
    skip_to_computation();
  }

  while (!at(TokenKind::kEnd) && !too_many_errors()) {
    if (!parse_computation()) skip_to_computation();
  }
  if (diagnostics_.ok() && module_->computations().empty()) {
    fail(token_.loc, "E0122", "the text holds no computation", std::string(kPrintHlo));
  }
  if (!diagnostics_.ok()) return nullptr;
  finish_module();
  return std::move(module_);
}

void Parser::finish_module() {
  if (module_->entry() == nullptr) module_->set_entry(module_->computations().back().get());
  if (module_->name.empty()) module_->name = "module_" + module_->entry()->name;
  if (added_callees_late_) module_->sort_computations();
  name_results(*module_);
  if (elided_constants_ > 0) {
    const std::string count =
        elided_constants_ == 1 ? "a constant is" : std::to_string(elided_constants_) + " constants are";
    diagnostics_.warning(first_elided_, "W0103", count + " printed as {...}, without values",
                         "print the text with as_hlo_text(print_large_constants=True) or --xla_dump_large_constants");
  }
}

bool Parser::parse_computation() {
  const Loc entry_loc = token_.loc;
  // A computation may itself be called ENTRY; the prefix is followed by a name.
  const TokenKind following = peek().kind;
  const bool is_entry = at_word("ENTRY") && (following == TokenKind::kName || following == TokenKind::kIdentifier);
  if (is_entry) advance();
  if (at_word("HloModule")) {
    fail(token_.loc, "E0104", "a second module begins here", "one file holds one module");
    advance();
    return false;
  }
  const Token name = token_;
  if (!at_name()) {
    expected("a computation `name { ... }`");
    if (!at(TokenKind::kEnd)) advance();
    return false;
  }
  advance();
  std::optional<Signature> signature;
  if (at(TokenKind::kLeftParen) && !parse_signature(signature.emplace())) return false;
  const Loc open = token_.loc;
  if (!expect(TokenKind::kLeftBrace, "'{' and the instructions of computation " + std::string(name.text))) return false;

  const auto known = computations_.find(name.text);
  if (known != computations_.end()) {
    fail(name.loc, "E0108", "computation " + std::string(name.text) + " is defined twice");
    diagnostics_.note(known->second.loc, "the first definition is here");
  }
  if (is_entry && module_->entry() != nullptr) {
    fail(entry_loc, "E0121", "a second ENTRY computation");
    diagnostics_.note(module_->entry()->loc, "the first one is here");
  }
  Scope scope;
  scope.computation = module_->add_computation(std::string(name.text));
  scope.computation->loc = name.loc;
  scope.computation->signature_in_text = signature.has_value();
  const bool well_formed = parse_body(scope, signature, open);
  // The callers stand below; what they say of a broken computation is not reported.
  computations_.insert_or_assign(name.text, KnownComputation{well_formed ? scope.computation : nullptr, name.loc});
  if (is_entry && module_->entry() == nullptr) module_->set_entry(scope.computation);
  if (at(TokenKind::kComma)) {
    advance();
    if (!at(TokenKind::kAttributeName) || token_.text != "execution_thread") return expected("execution_thread=");
    advance();
    return parse_string(scope.computation->execution_thread);
  }
  return true;
}

bool Parser::parse_signature(Signature& signature) {
  signature.loc = token_.loc;
  advance();
  while (!at(TokenKind::kRightParen)) {
    if (!signature.parameters.empty() && !expect(TokenKind::kComma, "',' or ')' in the signature")) return false;
    if (at(TokenKind::kName)) {
      advance();
      if (!expect(TokenKind::kColon, "':' and the parameter's shape")) return false;
    } else if (!accept(TokenKind::kNameColon)) {
      return expected("a parameter `name: shape`");
    }
    if (!parse_shape(signature.parameters.emplace_back())) return false;
  }
  advance();
  return expect(TokenKind::kArrow, "'->' and the result shape") && parse_shape(signature.result);
}

// The instructions up to '}'; `open` is the brace before them. False if anything was in error.
bool Parser::parse_body(Scope& scope, const std::optional<Signature>& signature, Loc open) {
  while (!at(TokenKind::kRightBrace)) {
    if (too_many_errors()) return false;
    const bool at_end = at(TokenKind::kEnd);
    const TokenKind following = at_name() ? peek().kind : TokenKind::kEnd;
    const bool at_computation = at_name() && lexer_.first_on_line(token_.loc.offset) &&
                                (following == TokenKind::kLeftBrace || following == TokenKind::kLeftParen ||
                                 (at_word("ENTRY") && following != TokenKind::kEqual));
    // After an error the brace may have been skipped.
    if (at_end && scope.broken) return false;
    if (at_end || at_computation) {
      fail(token_.loc, "E0104", "expected '}' to end computation " + scope.computation->name);
      diagnostics_.note(open, "it begins here");
      return false;
    }
    if (parse_instruction(scope)) continue;
    scope.broken = true;
    skip_to_instruction();
  }
  advance();
  return finish_computation(scope, signature, open);
}

// Root and parameters; what is checked here would be misleading after an error in the body.
bool Parser::finish_computation(Scope& scope, const std::optional<Signature>& signature, Loc open) {
  if (scope.broken) return false;
  Computation& computation = *scope.computation;
  if (computation.instructions().empty()) {
    return fail(open, "E0122", "computation " + computation.name + " has no instructions");
  }
  computation.set_root(scope.root != nullptr ? scope.root : &computation.instructions().back());
  const std::vector<Instruction*> parameters = computation.parameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i]->parameter_number == static_cast<int64_t>(i)) continue;
    const bool twice = parameters[i]->parameter_number < static_cast<int64_t>(i);
    return fail(parameters[i]->loc, "E0131",
                twice ? "parameter(" + std::to_string(parameters[i]->parameter_number) + ") stands here twice"
                      : "parameter(" + std::to_string(i) + ") of " + computation.name + " is missing");
  }
  return !signature || check_signature(computation, *signature);
}

// A bound is said of a parameter where it stands; a signature may leave it out, as those that the text has of it.
static bool is_signed_as(const Shape& parameter, const Shape& signature) {
  Shape without = parameter;
  without.dynamic.clear();
  return signature.same_type(parameter) || signature.same_type(without);
}

bool Parser::check_signature(const Computation& computation, const Signature& signature) {
  const std::vector<Instruction*> parameters = computation.parameters();
  if (parameters.size() != signature.parameters.size()) {
    return fail(signature.loc, "E0123",
                "the signature has " + std::to_string(signature.parameters.size()) + " parameters, the computation " +
                    std::to_string(parameters.size()));
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (is_signed_as(parameters[i]->shape, signature.parameters[i])) continue;
    return fail(parameters[i]->loc, "E0123",
                "parameter " + std::to_string(i) + " is " + to_string(parameters[i]->shape, false) + " here, but " +
                    to_string(signature.parameters[i], false) + " in the signature");
  }
  if (signature.result.same_type(computation.root()->shape)) return true;
  return fail(computation.root()->loc, "E0123",
              "the root is " + to_string(computation.root()->shape, false) + ", but the signature says " +
                  to_string(signature.result, false));
}

}  // namespace sinter
