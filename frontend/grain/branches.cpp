// Branches: one of two blocks is run, or both where indices choose.
#include <algorithm>

#include "frontend/grain/compiler.h"

namespace sinter::grain {

// if c { } else { }: a `conditional` where c is one for all, else both arms and a choice.
void Compiler::compile_branch(const Statement& statement) {
  Expr& condition = *statement.value;
  const Type type = check(condition);
  if (!type.element.is_pred() || type.rank() != 0) {
    fail({condition.begin}, "E0753", "a condition is one pred, " + quote(condition) + " is " + text(type),
         type.element.is_pred() ? "a choice for each element is y[i] = if c[i] then a[i] else b[i]" : "");
  }
  resolve_ranges(statement_indices_);
  const Value chosen = lowering_ ? lower(condition) : Value();
  const bool branches = lowering_ && chosen.parts[0].frame.empty() && builder_.captures_allowed();
  if (lowering_ && !branches) {
    warn(statement.loc, "W0766", "for each element both arms are computed, then one is chosen",
         "y = if " + quote(condition) + " then ... else ... says so");
  }
  struct Arm {
    std::map<std::string, Binding> names;
    std::vector<std::string> order;
    Computation* computation = nullptr;
    Instruction* parameter = nullptr;
    Captures captures;
    std::vector<Part> parts;
  };
  constexpr size_t kLater = size_t{1} << 20;
  Arm arms[2];
  for (int a = 0; a < 2; ++a) {
    Arm& arm = arms[a];
    const Block& block = a == 0 ? statement.block : statement.else_block;
    if (branches) {
      arm.computation = builder_.module().add_computation(call_->function->name + (a == 0 ? "_then" : "_else"));
      arm.parameter = arm.computation->add(Opcode::kParameter, Shape::tuple({}), {}, "outside");
      arm.captures.first = kLater;
      builder_.begin(arm.computation, &arm.captures, arm.parameter);
    }
    call_->scopes.emplace_back();
    compile_block(block);
    for (const auto& inner : block) {
      for (const Target& target : inner->targets) arm.order.push_back(target.name);
      for (const Carry& carry : inner->carries) arm.order.push_back(carry.name);
    }
    arm.names = call_->scopes.back();
    call_->scopes.pop_back();
    if (branches) builder_.end();
  }
  // Names of both arms; what only one of them has is its own, or a slip.
  std::vector<std::string> shared;
  std::string only_first, only_second;
  for (const std::string& name : arms[0].order) {
    if (arms[1].names.count(name) != 0)
      shared.push_back(name);
    else if (!arms[0].names[name].used)
      only_first = name;
  }
  for (const std::string& name : arms[1].order) {
    if (arms[0].names.count(name) == 0 && !arms[1].names[name].used) only_second = name;
  }
  if (!only_first.empty() || !only_second.empty() || shared.empty()) {
    const std::string second = only_second.empty() ? "" : "'" + only_second + "' is only in the second";
    const std::string first = only_first.empty() ? "" : "'" + only_first + "' only in the first";
    const Loc loc = !only_second.empty()  ? arms[1].names[only_second].loc
                    : !only_first.empty() ? arms[0].names[only_first].loc
                                          : statement.loc;
    fail(loc, "E0767",
         "the arms of a branch define the same names" + (second.empty() && first.empty() ? std::string() : ": ") +
             second + (second.empty() || first.empty() ? "" : ", ") + first,
         "a choice between two values is y = if c then a else b");
  }
  for (const std::string& name : shared) {
    const Type& x = arms[0].names[name].value.type;
    const Type& y = arms[1].names[name].value.type;
    if (!x.known() || !y.known()) throw Abandoned();
    if (!(x == y))
      fail(arms[1].names[name].loc, "E0751",
           "'" + name + "' is " + text(x) + " in the first arm and " + text(y) + " in the second");
  }
  std::map<std::string, Value> results;
  if (lowering_ && branches) {
    // Both arms give a value for each index that one of them is computed for.
    std::vector<Frame> frames;
    for (const std::string& name : shared) {
      const std::vector<Part>& first = arms[0].names[name].value.parts;
      for (size_t i = 0; i < first.size(); ++i) frames.push_back(join({first[i], arms[1].names[name].value.parts[i]}));
    }
    for (int a = 0; a < 2; ++a) {
      Arm& arm = arms[a];
      builder_.begin(arm.computation, &arm.captures, arm.parameter);
      std::vector<Instruction*> elements;
      for (const std::string& name : shared) {
        for (const Part& part : arm.names[name].value.parts)
          elements.push_back(expand(part, frames[elements.size()], type_dims(part)));
      }
      arm.computation->set_root(builder_.tuple(elements));
      builder_.end();
      std::vector<Shape> outside;
      for (const Instruction* value : arm.captures.values) outside.push_back(value->shape);
      arm.parameter->shape = Shape::tuple(outside);
      for (Instruction* user : std::vector<Instruction*>(arm.parameter->users())) {
        Attributes& attributes = user->attributes.edit();
        attributes.tuple_index = *attributes.tuple_index - static_cast<int64_t>(kLater);
      }
    }
    Attributes attributes;
    attributes.true_computation = arms[0].computation;
    attributes.false_computation = arms[1].computation;
    Instruction* first = builder_.tuple(arms[0].captures.values);
    Instruction* second = builder_.tuple(arms[1].captures.values);
    Instruction* both = builder_.make_as(Opcode::kConditional, arms[0].computation->root()->shape,
                                         {chosen.parts[0].value, first, second}, attributes);
    size_t element = 0;
    for (const std::string& name : shared) {
      Value value;
      for (size_t i = 0; i < arms[0].names[name].value.parts.size(); ++i) {
        value.parts.push_back({builder_.tuple_element(both, element), frames[element], std::nullopt});
        ++element;
      }
      results[name] = value;
    }
  } else if (lowering_) {
    for (const std::string& name : shared) {
      results[name] =
          by_leaf(arms[0].names[name].value.type, {chosen, arms[0].names[name].value, arms[1].names[name].value},
                  [&](const std::vector<Part>& parts) { return elementwise(Opcode::kSelect, parts); });
    }
  }
  for (const std::string& name : shared) {
    const Type result_type = arms[0].names[name].value.type;
    Target target;
    const bool primed = name.size() > 1 && name.back() == '\'';
    target.name = primed ? name.substr(0, name.size() - 1) : name;
    target.primed = primed;
    target.loc = arms[0].names[name].loc;
    define(target, statement, result_type, results[name]);
  }
}

}  // namespace sinter::grain
