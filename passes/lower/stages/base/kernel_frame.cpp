#include "passes/lower/stages/base/kernel_frame.h"
#include "passes/lower/text/index_types.h"

#include <algorithm>
#include <map>
#include <set>

#include "passes/demand/views/needed_nodes.h"
#include "passes/demand/views/touched_bytes.h"
#include "passes/names/value_names.h"

namespace sinter {
namespace {

// "sum_out"; names with two underscores in a row, such as and_ would give, belong to the compiler.
std::string joined(const std::string& name, const std::string& suffix) {
  return name + (name.ends_with('_') ? "" : "_") + suffix;
}

}  // namespace

std::vector<const Instruction*> loaded_values(const DemandGraph& graph) {
  const std::vector<bool> needed = needed_nodes(graph);
  std::vector<const Instruction*> result;
  std::set<const Instruction*> seen;
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    const DemandNode& node = graph.nodes[id];
    if (needed[id] && node.kind == DemandNode::Kind::kLoad && seen.insert(node.instruction).second) {
      result.push_back(node.instruction);
    }
  }
  // Parameters by number first, then in the order they were met.
  std::stable_sort(result.begin(), result.end(), [](const Instruction* a, const Instruction* b) {
    const auto rank = [](const Instruction* value) {
      if (value->opcode == Opcode::kParameter) return value->parameter_number;
      if (value->opcode == Opcode::kGetTupleElement) return *value->attributes->tuple_index;
      return INT64_MAX;
    };
    return rank(a) < rank(b);
  });
  return result;
}

void find_shared(const std::vector<ElementwisePair>& pairs, LoweredKernel* lowered) {
  const std::vector<Parameter>& parameters = lowered->kernel.parameters;
  if (pairs.empty()) return;
  const AccessOrder order(lowered->kernel.body);
  std::map<const Instruction*, std::vector<size_t>> read, written;  // parameters
  for (size_t i = 0; i < parameters.size(); ++i) {
    (parameters[i].output ? written : read)[lowered->arguments[i].value].push_back(i);
  }
  for (const auto& [in, out, of_row] : pairs) {
    for (const size_t i : read[in]) {
      for (const size_t o : written[out]) {
        if (order.reads_before_writes(parameters[i].variable, parameters[o].variable, of_row)) {
          lowered->may_share.emplace_back(i, o);
        }
      }
    }
  }
}

DType index_type_of(const DemandGraph& graph, int64_t threads) {
  if (counter_type(threads) == DType::kS64) return DType::kS64;
  for (const DemandNode& node : graph.nodes) {
    const bool index = node.kind == DemandNode::Kind::kLoad || node.kind == DemandNode::Kind::kPosition;
    if (index && needs_wide_sum(node.expr)) return DType::kS64;
  }
  for (const DemandStore& store : graph.stores) {
    if (needs_wide_sum(store.offset)) return DType::kS64;
  }
  for (const DemandLoop& loop : graph.loops) {
    for (const DemandLoop::Stack& stack : loop.stacks) {
      for (const auto& [offset, value] : stack.stores) {
        if (needs_wide_sum(offset)) return DType::kS64;
      }
    }
  }
  for (const DemandCoordinate& coordinate : graph.coordinates) {
    if (counter_type(coordinate.extent) == DType::kS64) return DType::kS64;
  }
  return DType::kS32;
}

void add_parameters(const DemandGraph& graph, const std::vector<const Instruction*>& outputs, const BufferNames& names,
                    LoweredKernel* lowered, std::map<const Instruction*, Variable*>* inputs,
                    std::map<const Instruction*, Variable*>* outputs_of) {
  Kernel& kernel = lowered->kernel;
  const std::vector<const Instruction*> loaded = loaded_values(graph);
  const TouchedBytes touched = touched_bytes(graph);
  std::set<std::string> input_names;
  std::map<std::string, int> output_names;  // how many go by each
  for (const Instruction* value : loaded) input_names.insert(names.at(value));
  for (const Instruction* value : outputs) ++output_names[names.at(value)];
  // A loop's state has the name of what it starts from and of what it ends as: the pointers step aside.
  std::set<const Instruction*> starts;
  for (const DemandLoop& loop : graph.loops) {
    for (const DemandLoop::Slot& slot : loop.slots) {
      if (graph.nodes[slot.init].kind == DemandNode::Kind::kLoad) starts.insert(graph.nodes[slot.init].instruction);
    }
  }
  // The launch function has the kernel's name and `stream` in scope.
  std::set<std::string> taken = {"stream", kernel.name};
  for (const NamedConstant& constant : kernel.constants) taken.insert(constant.name);
  // Device functions have a better claim to their names than buffers.
  std::set<std::string> avoided = {kernel.name};
  for (const DemandNode& node : graph.nodes) {
    if (node.kind == DemandNode::Kind::kCall) avoided.insert(called_name(**node.instruction->attributes->to_apply));
  }
  const auto unique = [&](const std::string& name, bool output, bool steps_aside) {
    const bool hides = avoided.count(name) > 0 || is_function(name) || is_index_name(name);
    const auto directed = [&](const std::string& base) {
      return !hides && !steps_aside ? base : joined(base, output ? "out" : "in");
    };
    // Of several results each has a number, as those of the program have.
    const bool numbered = output && output_names.at(name) > 1;
    std::string result = directed(numbered ? name + "_1" : name);
    for (int number = numbered ? 2 : 1; !taken.insert(result).second; ++number) {
      result = directed(name + "_" + std::to_string(number));
    }
    return result;
  };
  for (const Instruction* value : loaded) {
    const std::string& name = names.at(value);
    const bool both = output_names.count(name) > 0;
    CType type;
    type.kind = CType::Kind::kConstPointer;
    type.dtype = value->shape.dtype;
    Variable* variable = kernel.variable(unique(name, false, both || starts.count(value) > 0), type, value);
    kernel.parameters.push_back({variable, false, touched.read.at(value)});
    lowered->arguments.push_back(StageArgument::of(value));
    (*inputs)[value] = variable;
  }
  for (const Instruction* value : outputs) {
    const std::string& name = names.at(value);
    CType type;
    type.kind = CType::Kind::kPointer;
    type.dtype = value->shape.dtype;
    const bool steps_aside = input_names.count(name) > 0 || !graph.loops.empty();
    Variable* variable = kernel.variable(unique(name, true, steps_aside), type, value);
    const auto written = touched.written.find(value);
    kernel.parameters.push_back({variable, true});
    if (written != touched.written.end()) kernel.parameters.back().bytes = written->second;
    lowered->arguments.push_back(StageArgument::of(value));
    (*outputs_of)[value] = variable;
  }
}

}  // namespace sinter
