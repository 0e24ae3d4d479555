// A second kernel of the same text, with variables and expressions of its own.
#include <llvm/ADT/DenseMap.h>

#include "ir/kernel/kernel.h"

namespace sinter {

namespace {

// What variables and expressions of a kernel are in its copy. `ok` is false once one was none of the kernel's.
struct Copies {
  llvm::DenseMap<const Variable*, Variable*> variables;
  llvm::DenseMap<const Expr*, const Expr*> exprs;
  bool ok = true;

  Variable* of(const Variable* variable) {
    Variable* copy = variables.lookup(variable);
    ok &= (copy == nullptr) == (variable == nullptr);
    return copy;
  }
  const Expr* of(const Expr* expr) {
    const Expr* copy = exprs.lookup(expr);
    ok &= (copy == nullptr) == (expr == nullptr);
    return copy;
  }
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the text's blocks
  void move_to_copies(Block* block) {
    for (Statement& statement : *block) {
      statement.variable = of(statement.variable);
      statement.target = of(statement.target);
      statement.value = of(statement.value);
      statement.begin = of(statement.begin);
      move_to_copies(&statement.body);
      move_to_copies(&statement.other);
    }
  }
};

}  // namespace

std::optional<Kernel> Kernel::copy() const {
  if (!parts.empty()) return std::nullopt;
  Kernel result;
  Copies copies;
  copies.variables.reserve(static_cast<unsigned>(variables_.size()));
  copies.exprs.reserve(static_cast<unsigned>(exprs_.size()));
  for (const Variable& variable : variables_) {
    result.variables_.push_back(variable);
    copies.variables[&variable] = &result.variables_.back();
  }
  for (const Expr& expr : exprs_) {
    result.exprs_.push_back(expr);
    copies.exprs[&expr] = &result.exprs_.back();
  }
  for (Expr& expr : result.exprs_) {
    expr.variable = copies.of(expr.variable);
    for (const Expr*& operand : expr.operands) operand = copies.of(operand);
  }
  result.name = name;
  result.item = item;
  result.description = description;
  result.headers = headers;
  result.constants = constants;
  result.assertions = assertions;
  result.structs = structs;
  result.functions = functions;
  for (DeviceFunction& function : result.functions) {
    for (Variable*& parameter : function.parameters) parameter = copies.of(parameter);
    copies.move_to_copies(&function.body);
  }
  result.function_objects = function_objects;
  for (FunctionObject& object : result.function_objects) {
    for (const Variable*& member : object.members) member = copies.of(member);
    for (const Variable*& parameter : object.parameters) parameter = copies.of(parameter);
    copies.move_to_copies(&object.body);
  }
  result.declarations = declarations;
  result.shared = shared;
  result.parameters = parameters;
  for (Parameter& parameter : result.parameters) parameter.variable = copies.of(parameter.variable);
  result.tile_maps = tile_maps;
  for (TileMap& map : result.tile_maps) map.array = copies.of(map.array);
  result.launch = launch;
  result.work = work;
  result.body = body;
  copies.move_to_copies(&result.body);
  result.arrays_type = arrays_type;
  result.places = places;
  result.finished = copies.of(finished);
  result.resident = resident;
  result.apart = apart;
  result.rounds = rounds;
  result.waits = waits;
  if (!copies.ok) return std::nullopt;
  return result;
}

}  // namespace sinter
