// A scan kernel's text: a block walks along its row, as many elements a step as it has threads. Each step continues the
// one before, so the order of terms is fixed by the number of threads.
#include "passes/lower/lower_scan.h"

#include "passes/lower/device_functions.h"
#include "passes/lower/expressions.h"
#include "passes/lower/unique_names.h"
#include "passes/lower/write_kernel.h"
#include "passes/schedule/emittable.h"
#include "passes/schedule/value_names.h"

namespace sinter {

using StatementKind = Statement::Kind;

LoweredKernel lower_scan(const Module& module, const TreeNode& node, const KernelValues& values,
                         const ScanDemand& demand, const BufferNames& names) {
  const ScanExtents& extents = demand.extents;
  const Instruction& scan = *demand.scan;
  const DType dtype = scan.shape.dtype;
  const DType sum_type = accumulator_type(dtype);
  const Opcode opcode = *simple_combiner(**scan.attributes.to_apply);
  const int64_t block = node.block[0];
  const CType index = CType::value(index_type_of(*demand.graph));
  const CType sum_ctype = CType::value(sum_type);
  const CType pred = CType::value(DType::kPred);

  const bool widened = is_float(sum_type) && dtype != sum_type;
  const Literal init = widened ? real_literal(sum_type, demand.init.real_at(0)) : demand.init;

  LoweredKernel lowered;
  Kernel& kernel = lowered.kernel;
  kernel.name = node.name;
  kernel.uses_barriers = true;
  kernel.headers.insert("device/block_scan.cuh");
  kernel.headers.insert("device/combine.cuh");
  std::map<const Instruction*, Variable*> inputs, outputs;
  add_parameters(*demand.graph, values.outputs, names, &lowered, &inputs, &outputs);
  Expressions counter;
  add_counter_parameter(*demand.graph, &lowered, &counter);
  const auto functions = std::make_shared<DeviceFunctions>(module, kernel);

  const std::string rows_text = std::to_string(extents.rows);
  const bool exact = extents.columns % block == 0;
  kernel.constants.push_back({"kRows", "int", rows_text, ""});
  kernel.constants.push_back({"kColumns", "int", std::to_string(extents.columns), ""});
  kernel.constants.push_back({"kThreads", "int", std::to_string(block), ""});
  kernel.constants.push_back({"kSteps", "int", exact ? "kColumns / kThreads" : "(kColumns + kThreads - 1) / kThreads",
                              std::to_string((extents.columns + block - 1) / block)});
  if (exact) kernel.assertions.push_back({"kColumns % kThreads == 0", "steps are whole"});
  kernel.launch.block = block;
  kernel.launch.grid[0] = extents.rows;
  kernel.launch.grid_spelling[0] = "kRows";

  Variable* row = kernel.variable("row", index);
  Variable* column = kernel.variable("column", index);
  const auto expressions_of = [&](const DemandGraph& graph) {
    Expressions expressions;
    expressions.graph = &graph;
    expressions.kernel = &kernel;
    expressions.index_type = index.dtype;
    expressions.buffers = inputs;
    expressions.output_buffers = outputs;
    expressions.functions = functions;
    expressions.constants[extents.columns] = "kColumns";
    expressions.coordinates[demand.row] = kernel.reference(row);
    expressions.coordinates[demand.column] = kernel.reference(column);
    for (size_t id = 0; id < graph.coordinates.size(); ++id) {
      if (!counter.coordinates.empty() && graph.coordinates[id].scope == 0 && graph.coordinates[id].name == "t") {
        expressions.coordinates[static_cast<int>(id)] = counter.coordinates.begin()->second;
      }
    }
    return expressions;
  };
  const auto wide = [&](const Expr* value) {
    return index.dtype == DType::kS64 ? kernel.cast(index, value) : value;
  };

  Statement loop = {.kind = StatementKind::kFor};
  loop.variable = kernel.variable("step", CType::value(DType::kS32));
  loop.begin = kernel.integer(0);
  loop.value = kernel.name_expr("kSteps");
  Block& step = loop.body;
  const Expr* place = kernel.infix(kernel.infix(wide(kernel.reference(loop.variable)), "*", kernel.name_expr("kThreads"), index),
                                   "+", kernel.name_expr("threadIdx.x"), index);
  if (extents.reverse) {
    place = kernel.infix(kernel.infix(kernel.name_expr("kColumns", index), "-", kernel.integer(1), index), "-", place, index);
  }
  step.push_back({.kind = StatementKind::kLet, .variable = column, .value = place});
  // Steps beyond the row's end change nothing.
  const auto guarded = [&](Block body) {
    Statement guard = {.kind = StatementKind::kIf};
    guard.value = extents.reverse ? kernel.infix(kernel.reference(column), ">=", kernel.integer(0), pred)
                                  : kernel.infix(kernel.reference(column), "<", kernel.name_expr("kColumns"), pred);
    guard.body = std::move(body);
    return guard;
  };

  Variable* value = kernel.variable("value", sum_ctype);
  Variable* carry = kernel.variable("carry", sum_ctype);
  Variable* sum = kernel.variable(accumulator_name(opcode), sum_ctype, &scan);
  Expressions expressions = expressions_of(*demand.operand);
  Block load = write_block(module, *demand.operand, expressions, {});
  const NodeId result = demand.operand->results[0];
  const Expr* loaded = expressions.widen(dtype, expressions.value(result));
  if (exact) {
    step.insert(step.end(), load.begin(), load.end());
    step.push_back({.kind = StatementKind::kLet, .variable = value, .value = loaded});
  } else {
    const Expr* identity = kernel.literal(identity_of(opcode, sum_type));
    step.push_back({.kind = StatementKind::kDeclare, .variable = value, .value = identity});
    load.push_back({.kind = StatementKind::kAssign, .target = kernel.reference(value), .value = loaded, .text = "="});
    step.push_back(guarded(std::move(load)));
  }
  const CType pointer = {.kind = CType::Kind::kPointer, .dtype = sum_type, .length = 0, .name = "", .is_restrict = false};
  step.push_back({.kind = StatementKind::kLet,
                  .variable = sum,
                  .value = kernel.call("block_scan<kThreads>",
                                       {kernel.reference(value), kernel.call(combine_functor(opcode), {}, sum_ctype),
                                        kernel.prefix("&", kernel.reference(carry), pointer)},
                                       sum_ctype)});
  Expressions after = expressions_of(*demand.epilogue);
  Block store;
  Variable* element = sum;
  if (dtype != sum_type) {
    element = kernel.variable(value_name(scan), CType::value(dtype), &scan);
    store.push_back({.kind = StatementKind::kLet, .variable = element, .value = after.narrow(dtype, kernel.reference(sum))});
  }
  for (const NodeId id : demand.elements) after.variables[id] = element;
  const Block stores = write_block(module, *demand.epilogue, after, {});
  store.insert(store.end(), stores.begin(), stores.end());
  std::erase_if(store, [](const Statement& statement) { return statement.kind == StatementKind::kBlank; });
  if (exact) {
    step.insert(step.end(), store.begin(), store.end());
  } else {
    step.push_back(guarded(std::move(store)));
  }

  Block& body = kernel.body;
  if (extents.rows > 1) {
    body.push_back({.kind = StatementKind::kLet, .variable = row, .value = wide(kernel.name_expr("blockIdx.x"))});
    body.push_back({.kind = StatementKind::kBlank});
  }
  body.push_back({.kind = StatementKind::kDeclare, .variable = carry, .value = kernel.literal(init)});
  body.push_back(std::move(loop));
  make_names_unique(kernel);
  const std::string launch = (extents.rows == 1 ? "One block of " : "A row a block of ") + std::to_string(block) +
                             " threads, which walks along it" + (extents.reverse ? " from its end." : ".");
  kernel.description = describe_kernel(module, kernel, values, *demand.graph, scan.shape.element_count(), launch);
  return lowered;
}

}  // namespace sinter
