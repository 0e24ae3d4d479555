// Blocks and what all statements have in common. A statement in error leaves its names unknown; what uses them is
// silent.
#include <algorithm>

#include "frontend/grain/compiler.h"

namespace sinter::grain {

// What belongs to the statement that is compiled; calls in it have statements of their own.
struct Compiler::StatementState {
  explicit StatementState(Compiler& compiler)
      : compiler(compiler),
        indices(std::move(compiler.statement_indices_)),
        uses(std::move(compiler.uses_)),
        statement(compiler.statement_),
        reductions(std::move(compiler.reductions_)),
        depth(compiler.subscript_depth_),
        expected(compiler.expected_),
        place(compiler.builder_.place) {
    compiler.statement_indices_.clear();
    compiler.uses_.clear();
    compiler.reductions_.clear();
    compiler.subscript_depth_ = 0;
    compiler.expected_ = nullptr;
  }
  ~StatementState() {
    compiler.statement_indices_ = std::move(indices);
    compiler.uses_ = std::move(uses);
    compiler.statement_ = statement;
    compiler.reductions_ = std::move(reductions);
    compiler.subscript_depth_ = depth;
    compiler.expected_ = expected;
    compiler.builder_.place = place;
  }
  Compiler& compiler;
  std::vector<Index*> indices;
  std::vector<IndexUse> uses;
  const Statement* statement;
  std::vector<const Expr*> reductions;
  int depth;
  const Type* expected;
  Place place;
};

void Compiler::begin_statement(const Statement& statement, const std::string& name) {
  statement_ = &statement;
  builder_.place.loc = statement.loc;
  builder_.place.file = call_->file->source->name;
  const size_t slash = builder_.place.file.find_last_of('/');
  if (slash != std::string::npos) builder_.place.file.erase(0, slash + 1);
  if (builder_.place.file == "-") builder_.place.file = "stdin.grain";
  const LineColumn place = places_.at(source(), statement.loc);
  builder_.place.line = place.line;
  builder_.place.op_name = call_->path + (name.empty() ? "" : "/" + name);
  if (!lowering_) return;
  builder_.place.frame =
      places_.frame(module_->tables, builder_.place.file, call_->function != nullptr ? call_->function->name : "file",
                    place, call_->frame);
}

void Compiler::compile_block(const Block& block) {
  call_->blocks.push_back(&block);
  struct Leave {
    Call& call;
    ~Leave() { call.blocks.pop_back(); }
  };
  const Leave leave{*call_};
  for (const auto& statement : block) {
    try {
      compile_statement(*statement);
    } catch (const Abandoned&) {
      // What it defines is unknown.
      for (const Target& target : statement->targets) {
        const std::string name = target.name + (target.primed ? "'" : "");
        if (find(name) == nullptr) bind(name, target.loc, "a definition").quiet = true;
      }
      for (const Carry& carry : statement->carries) {
        if (find(carry.name) == nullptr) bind(carry.name, carry.loc, "a definition").quiet = true;
      }
      for (const Block* arm : {&statement->block, &statement->else_block}) {
        for (const auto& inner : *arm) {
          for (const Target& target : inner->targets) {
            if (!target.primed && find(target.name) == nullptr)
              bind(target.name, target.loc, "a definition").quiet = true;
          }
        }
      }
    }
  }
}

void Compiler::compile_statement(const Statement& statement) {
  count_work(statement.loc);
  const StatementState state(*this);
  begin_statement(statement, "");
  switch (statement.kind) {
    case Statement::Kind::kDefinition:
      return compile_definition(statement);
    case Statement::Kind::kFor:
    case Statement::Kind::kWhile:
      return compile_loop(statement);
    case Statement::Kind::kIf:
      return compile_branch(statement);
    case Statement::Kind::kRequire:
      return compile_require(statement);
  }
}

void Compiler::compile_require(const Statement& statement) {
  Expr& condition = *statement.value;
  const Type type = check(condition);
  if (!condition.number || !condition.number->is_pred) {
    fail({condition.begin}, "E0647",
         "a requirement is about dims and constants; '" + quote(condition) + "' is " + text(type));
  }
  if (lowering_ && condition.number->integer == 0)
    fail({condition.begin}, "E0647", quote(condition) + " does not hold");
}

// Warns of what was never used.
void Compiler::leave_scope() {
  for (const auto& [name, binding] : call_->scopes.back()) {
    mention(binding, binding.loc);
    if (binding.used || binding.quiet || !binding.value.type.known()) continue;
    // Of several results of one call, one that is wanted is enough.
    const auto is_of_same_call = [&binding = binding](const auto& other) {
      return (other.second.used || other.second.quiet) && other.second.statement != nullptr &&
             other.second.statement == binding.statement;
    };
    if (std::any_of(call_->scopes.back().begin(), call_->scopes.back().end(), is_of_same_call)) continue;
    if (binding.what == "a definition") warn(binding.loc, "W0601", "'" + name + "' is never used");
    if (binding.what == "a parameter" && call_->function->kind == Function::Kind::kEntry) {
      warn(binding.loc, "W0602", "the parameter '" + name + "' is never used; it stays in the interface");
    }
  }
  call_->scopes.pop_back();
}

Value Compiler::broadcast_to(const Value& value, const Type& type) {
  Value result;
  result.type = type;
  const std::vector<Leaf> all = leaves(type.element);
  for (size_t leaf = 0; leaf < value.parts.size(); ++leaf) {
    std::vector<Formula> formulas = type.dims;
    formulas.insert(formulas.end(), all[leaf].dims.begin(), all[leaf].dims.end());
    const Dims dims = numbers(formulas);
    const Part& part = value.parts[leaf];
    if (part.type_rank() == dims.size()) {
      result.parts.push_back(part);
      continue;
    }
    // A leaf's own dimensions stay behind those that are new.
    Dims where, all_dims = frame_dims(part.frame);
    for (size_t i = 0; i < part.frame.size(); ++i) where.push_back(static_cast<int64_t>(i));
    const size_t kept = part.type_rank();
    for (size_t i = 0; i < kept; ++i) where.push_back(static_cast<int64_t>(part.frame.size() + dims.size() - kept + i));
    all_dims.insert(all_dims.end(), dims.begin(), dims.end());
    result.parts.push_back({builder_.broadcast(builder_.here(part.value), all_dims, where), part.frame, part.interval});
  }
  return result;
}

}  // namespace sinter::grain
