#include "passes/lower/stages/base/stage_writer.h"
#include "passes/lower/stages/base/kernel_frame.h"
#include "passes/lower/stages/base/stage_types.h"
#include "passes/lower/text/index_types.h"

#include "passes/lower/write/write_kernel.h"
#include "passes/names/value_names.h"

namespace sinter {

StageWriter::StageWriter(const StageInput& stage_input, const std::string& suffix, DType index_type)
    : input(stage_input), index(CType::value(index_type)) {
  kernel.name = input.kernel_name(suffix);
  functions_ = DeviceFunctions::table(input.module, kernel);
}

std::string StageWriter::unique_parameter(const std::string& wanted) const {
  std::string base = is_function(wanted) || wanted == kernel.name || wanted == "stream" ? wanted + "_values" : wanted;
  std::string name = base;
  const auto taken = [&] {
    for (const Parameter& parameter : kernel.parameters) {
      if (parameter.variable->name == name) return true;
    }
    return false;
  };
  for (int number = 1; taken(); ++number) name = base + "_" + std::to_string(number);
  return name;
}

void StageWriter::add_values(const DemandGraph& graph, const std::vector<const Instruction*>& written) {
  add_parameters(graph, written, input.names, &lowered, &inputs, &outputs);
}

Variable* StageWriter::add_pointer(const std::string& name, const Shape& shape, bool output, StageArgument argument) {
  CType type;
  type.kind = output ? CType::Kind::kPointer : CType::Kind::kConstPointer;
  type.dtype = shape.dtype;
  Variable* variable = kernel.variable(unique_parameter(name), type);
  kernel.parameters.push_back({variable, output});
  scratch_shapes[variable] = shape;
  lowered.arguments.push_back(argument);
  return variable;
}

Variable* StageWriter::add_integer(const std::string& name, StageArgument argument) {
  Variable* variable = kernel.variable(unique_parameter(name), CType::value(DType::kS32));
  kernel.parameters.push_back({variable, false});
  lowered.arguments.push_back(argument);
  return variable;
}

void StageWriter::add_counter(const DemandGraph& graph) {
  for (const DemandCoordinate& coordinate : graph.coordinates) {
    if (coordinate.role != CoordinateRole::kHostStep || counter_ != nullptr) continue;
    counter_ = kernel.reference(add_integer("t", StageArgument::counter()));
  }
}

void StageWriter::rename_parameters(const std::set<std::string>& words) {
  std::set<std::string> taken = words;
  for (const Parameter& parameter : kernel.parameters) taken.insert(parameter.variable->name);
  for (const Parameter& parameter : kernel.parameters) {
    std::string& current = parameter.variable->name;
    if (parameter.scratch || words.count(current) == 0) continue;
    std::string wanted = current + (parameter.output ? "_out" : "_in");
    while (!taken.insert(wanted).second) wanted += "_";
    current = wanted;
  }
}

Variable* StageWriter::let(const std::string& name, CType type, const Expr* value, Block* block) {
  Variable* variable = kernel.variable(name, std::move(type));
  block->push_back({.kind = Statement::Kind::kLet, .variable = variable, .value = value});
  return variable;
}

Statement StageWriter::assign(const Expr* target, const Expr* value) {
  return {.kind = Statement::Kind::kAssign, .target = target, .value = value, .text = "="};
}

Statement StageWriter::leave(const Expr* left, const std::string& op, const Expr* right) {
  Statement guard = {.kind = Statement::Kind::kIf, .value = kernel.infix(left, op, right, CType::value(DType::kPred))};
  guard.body.push_back({.kind = Statement::Kind::kReturn});
  return guard;
}

Statement StageWriter::call(const std::string& function, std::vector<const Expr*> arguments, std::optional<Sync> sync) {
  return {.kind = Statement::Kind::kExpression, .value = kernel.call(function, std::move(arguments), kVoid, sync)};
}

Statement StageWriter::barrier() { return block_barrier(&kernel); }

Statement StageWriter::counted_loop(const std::string& counter, const std::string& begin, const std::string& end,
                                    int64_t step, const std::string& step_name) {
  Statement loop;
  loop.kind = Statement::Kind::kFor;
  loop.variable = kernel.variable(counter, CType::value(DType::kS32));
  loop.begin = begin.empty() ? kernel.integer(0) : kernel.name_expr(begin);
  loop.value = kernel.name_expr(end);
  loop.step = step;
  loop.text = step_name;
  return loop;
}

const Expr* StageWriter::limited(const char* function, const Expr* value, const Expr* limit) {
  kernel.headers.insert("device/maximum.cuh");
  const bool wide = index.dtype == DType::kS64;
  return kernel.call(std::string(function) + (wide ? "<int64_t>" : ""), {value, limit}, index);
}

const Expr* StageWriter::both(const Expr* a, const Expr* b) {
  return a == nullptr ? b : b == nullptr ? a : kernel.infix(a, "&&", b, CType::value(DType::kPred));
}

Statement StageWriter::strided_loop(const std::string& name, const Expr* end) {
  Statement loop;
  loop.kind = Statement::Kind::kFor;
  loop.variable = kernel.variable(name, CType::value(DType::kS32));
  loop.begin = kernel.name_expr("threadIdx.x");
  loop.value = end;
  loop.step = kernel.launch.block;
  loop.text = "kThreads";
  return loop;
}

Variable* StageWriter::shared(Block* block) { return declare_shared(&kernel, block); }

Expressions StageWriter::expressions_of(const DemandGraph& graph, const std::map<int, const Expr*>& coordinates) {
  Expressions expressions;
  expressions.graph = &graph;
  expressions.kernel = &kernel;
  expressions.index_type = index.dtype;
  expressions.buffers = inputs;
  expressions.output_buffers = outputs;
  expressions.functions = functions_;
  spell_counter(&expressions);
  for (const auto& [id, spelling] : coordinates) expressions.coordinates[id] = spelling;
  return expressions;
}

void StageWriter::spell_counter(Expressions* expressions) const {
  const std::vector<DemandCoordinate>& coordinates = expressions->graph->coordinates;
  for (size_t id = 0; id < coordinates.size(); ++id) {
    if (coordinates[id].role == CoordinateRole::kHostStep) expressions->coordinates[static_cast<int>(id)] = counter_;
  }
}

std::vector<const Expr*> StageWriter::results_of(const DemandGraph& graph, Expressions& expressions, Block* block) {
  const Block statements = write_block(input.module, graph, expressions, {});
  block->insert(block->end(), statements.begin(), statements.end());
  std::vector<const Expr*> values;
  for (const NodeId result : graph.results) values.push_back(expressions.value(result));
  return values;
}

void StageWriter::constexpr_int(const std::string& name, int64_t value, const std::string& spelling,
                                const std::string& comment) {
  NamedConstant constant = {name, extent_type(value), product_spelling(value, spelling), comment};
  if (spelling.empty()) constant.value = std::to_string(value);
  kernel.constants.push_back(std::move(constant));
}

void StageWriter::describe_arrays(std::vector<std::string>* lines) const {
  size_t widest = 0;
  for (const Parameter& parameter : kernel.parameters) widest = std::max(widest, parameter.variable->name.size());
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    if (lowered.arguments[i].kind != StageArgument::Kind::kValue) continue;
    const Parameter& parameter = kernel.parameters[i];
    std::string name = parameter.variable->name;
    name.resize(widest, ' ');
    lines->push_back("  " + std::string(parameter.output ? "out  " : "in   ") + name + "   " +
                     to_string(lowered.arguments[i].value->shape, /*with_layout=*/false));
  }
  lines->emplace_back();
}

std::string StageWriter::traffic_text() const {
  int64_t read = 0, written = 0;
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    if (lowered.arguments[i].kind != StageArgument::Kind::kValue) continue;
    (kernel.parameters[i].output ? written : read) += lowered.arguments[i].value->shape.bytes();
  }
  return "Reads " + human_bytes(read) + ", writes " + human_bytes(written);
}

}  // namespace sinter
