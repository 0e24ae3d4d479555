#include "passes/lower/stages/own/sort_elements.h"

#include <algorithm>

#include "ir/support/diagnostics.h"
#include "passes/lower/write/write_kernel.h"

namespace sinter {

SortElements::SortElements(StageWriter& writer, std::vector<Field> fields)
    : writer_(writer), fields_(std::move(fields)) {
  if (fields_.size() == 1) {
    type_ = CType::value(fields_[0].dtype);
    return;
  }
  type_ = CType::named("Element");
  ResultStruct element = {"Element", {}};
  for (const Field& field : fields_) element.members.emplace_back(field.name, field.dtype);
  writer_.kernel.structs.push_back(std::move(element));
}

CType SortElements::argument_type() const {
  if (type_.kind == CType::Kind::kValue) return type_;
  return CType::named("const Element&");
}

const Expr* SortElements::field(const Expr* element, size_t number) const {
  if (type_.kind == CType::Kind::kValue) return element;
  return writer_.kernel.member(element, fields_[number].name, CType::value(fields_[number].dtype));
}

const Expr* SortElements::make(std::vector<const Expr*> values) const {
  if (type_.kind == CType::Kind::kValue) return values[0];
  return writer_.kernel.braces(std::move(values), type_);
}

int64_t SortElements::bytes() const {
  // As C++ lays a struct out.
  int64_t bytes = 0, alignment = 1;
  for (const Field& field : fields_) {
    const int64_t size = std::max<int64_t>(dtype_bytes(field.dtype), 1);
    bytes = (bytes + size - 1) / size * size + size;
    alignment = std::max(alignment, size);
  }
  return (bytes + alignment - 1) / alignment * alignment;
}

void SortElements::add_shared(const std::string& name, const std::string& extent, int64_t count) {
  SharedStruct::Member member;
  member.name = name;
  member.dtype = fields_[0].dtype;
  member.dims = {extent};
  if (type_.kind == CType::Kind::kNamed) member.type = *type_.name;
  writer_.kernel.shared.members.push_back(std::move(member));
  writer_.kernel.shared.bytes += count * bytes();
}

void SortElements::add_before(const Computation& comparator) {
  Kernel& kernel = writer_.kernel;
  DemandContext context;
  context.level = &comparator;
  for (const Instruction& instruction : comparator.instructions()) context.computed.insert(&instruction);
  DemandGraph graph(context);
  FunctionObject object;
  object.name = "Before";
  object.comment = {"Whether a must stand before b."};
  object.result = CType::value(DType::kPred);
  Variable* sides[2] = {kernel.variable("a", argument_type()), kernel.variable("b", argument_type())};
  object.parameters = {sides[0], sides[1]};
  std::map<NodeId, const Expr*> members;
  for (size_t k = 0; k < fields_.size(); ++k) {
    members[graph.add_parameter(fields_[k].before_left)] = field(kernel.reference(sides[0]), k);
    members[graph.add_parameter(fields_[k].before_right)] = field(kernel.reference(sides[1]), k);
  }
  graph.results.push_back(graph.demand(comparator.root(), {}));
  check(!graph.failure && graph.finish({}), "lower", comparator.name + " is not a function on scalars");
  Expressions expressions = writer_.expressions_of(graph, {});
  expressions.members = std::move(members);
  const std::vector<const Expr*> values = writer_.results_of(graph, expressions, &object.body);
  object.body.push_back({.kind = Statement::Kind::kReturn, .value = values[0]});
  kernel.function_objects.push_back(std::move(object));
}

void SortElements::add_order(bool largest, bool by_position) {
  Kernel& kernel = writer_.kernel;
  FunctionObject object;
  object.name = "Before";
  object.comment = {"Whether a must stand before b."};
  object.result = CType::value(DType::kPred);
  Variable* sides[2] = {kernel.variable("a", argument_type()), kernel.variable("b", argument_type())};
  object.parameters = {sides[0], sides[1]};
  Expressions expressions;
  expressions.kernel = &kernel;
  const Expr* keys[2];
  for (int side = 0; side < 2; ++side) {
    keys[side] = expressions.order_key(fields_[0].dtype, true, field(kernel.reference(sides[side]), 0));
    if (!by_position || keys[side]->kind != Expr::Kind::kCall) continue;
    const char* name = side == 0 ? "a_key" : "b_key";
    keys[side] = kernel.reference(writer_.let(name, keys[side]->type, keys[side], &object.body));
  }
  const CType pred = CType::value(DType::kPred);
  const Expr* result = kernel.infix(keys[0], largest ? ">" : "<", keys[1], pred);
  if (by_position) {
    const Expr* places[2] = {field(kernel.reference(sides[0]), 1), field(kernel.reference(sides[1]), 1)};
    const Expr* equal = kernel.infix(keys[0], "==", keys[1], pred);
    const Expr* earlier = kernel.infix(places[0], "<", places[1], pred);
    result = kernel.infix(result, "||", kernel.infix(equal, "&&", earlier, pred), pred);
  }
  object.body.push_back({.kind = Statement::Kind::kReturn, .value = result});
  kernel.function_objects.push_back(std::move(object));
}

void SortElements::add_source() {
  Kernel& kernel = writer_.kernel;
  FunctionObject object;
  object.name = "Source";
  std::string place = "i";
  const auto is_place = [&](const Field& field) { return field.name == place; };
  while (std::ranges::any_of(fields_, is_place)) place.insert(0, "at_");
  object.comment = {"Element " + place + " of a row that is sorted in runs."};
  object.result = type_;
  Variable* i = kernel.variable(place, CType::value(DType::kS32));
  object.parameters = {i};
  std::vector<const Expr*> values;
  for (const Field& field : fields_) {
    CType pointer;
    pointer.kind = CType::Kind::kConstPointer;
    pointer.dtype = field.dtype;
    const Variable* member = kernel.variable(field.name, pointer);
    object.members.push_back(member);
    values.push_back(kernel.subscript(kernel.reference(member), kernel.reference(i), CType::value(field.dtype)));
  }
  object.body.push_back({.kind = Statement::Kind::kReturn, .value = make(std::move(values))});
  kernel.function_objects.push_back(std::move(object));
}

}  // namespace sinter
