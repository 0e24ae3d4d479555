// The comment that opens a kernel file: what it computes, its inputs and outputs, its launch, its bytes.
#include <algorithm>
#include <set>

#include "ir/attribute_text.h"
#include "passes/lower/lower_kernel.h"
#include "passes/lower/touched_bytes.h"
#include "passes/schedule/group_values.h"
#include "passes/schedule/source_order.h"
#include "passes/schedule/value_names.h"

namespace sinter {

namespace {

// Up to this many named values are all listed; above, a line a paragraph.
constexpr size_t kMaxListed = 12;

std::string human_bytes(int64_t bytes) {
  const char* units[] = {"B", "kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 1000 && unit < 4) {
    value /= 1000;
    ++unit;
  }
  char text[32];
  if (unit == 0) {
    snprintf(text, sizeof(text), "%d B", static_cast<int>(value));
  } else {
    snprintf(text, sizeof(text), value < 100 ? "%.1f %s" : "%.0f %s", value, units[unit]);
  }
  return text;
}

std::string padded(const std::string& text, size_t size) {
  return text.size() >= size ? text + " " : text + std::string(size - text.size(), ' ');
}

// "a_0 .. a_3" for runs of names that only differ in their number and have one shape.
struct Named {
  std::string name;
  std::string shape;
};

std::vector<Named> collapse_runs(const std::vector<Named>& list) {
  std::vector<Named> result;
  const auto split = [](const std::string& name) -> std::pair<std::string, int64_t> {
    const size_t digit = name.find_last_not_of("0123456789");
    if (digit == std::string::npos || digit + 1 >= name.size() || name.size() - digit > 8) return {name, -1};
    return {name.substr(0, digit + 1), std::stoll(name.substr(digit + 1))};
  };
  for (size_t i = 0; i < list.size();) {
    const auto [stem, first] = split(list[i].name);
    size_t end = i + 1;
    while (first >= 0 && end < list.size() && list[end].shape == list[i].shape) {
      const auto [other, number] = split(list[end].name);
      if (other != stem || number != first + static_cast<int64_t>(end - i)) break;
      ++end;
    }
    if (end - i >= 3) {
      result.push_back({list[i].name + " .. " + list[end - 1].name, list[i].shape});
    } else {
      for (size_t k = i; k < end; ++k) result.push_back(list[k]);
    }
    i = end;
  }
  return result;
}

// A call is known by what it calls.
std::string operation_name(const Instruction& instruction) {
  if (instruction.opcode == Opcode::kCall) return function_name((*instruction.attributes.to_apply)->name);
  return std::string(opcode_name(instruction.opcode));
}

}  // namespace

std::vector<std::string> describe_kernel(const Module& module, const TreeNode& node, const KernelValues& values,
                                         const DemandGraph& graph, const BufferNames& names, int64_t threads,
                                         const std::string& launch) {
  std::vector<Named> in, out;
  const TouchedBytes touched = touched_bytes(graph);
  int64_t read = 0, written = 0;
  for (const Instruction* value : loaded_values(graph)) {
    in.push_back({names.at(value), to_string(value->shape, false)});
    read += touched.read.at(value);
  }
  for (const Instruction* value : values.outputs) {
    out.push_back({names.at(value), to_string(value->shape, false)});
    written += touched.written.count(value) > 0 ? touched.written.at(value) : value->shape.bytes();
  }
  const Instruction* loop = graph.loops.empty() ? nullptr : graph.loops[0].instruction;
  std::vector<const Instruction*> computed;
  const Computation* body = loop != nullptr ? *loop->attributes.body : values.context.level;
  for (const Instruction& instruction : body->instructions()) {
    if (is_plumbing(instruction)) continue;
    if (loop == nullptr && values.context.computed.count(&instruction) == 0) continue;
    computed.push_back(&instruction);
  }

  std::vector<std::string> lines;
  std::string title = node.name + ": ";
  if (loop != nullptr) {
    const WhileInfo info = analyze_while(*loop);
    title += info.trip_count ? std::to_string(*info.trip_count) + " steps" : "steps until a condition fails,";
    if (threads > 1) title += " of " + std::to_string(threads) + " independent elements";
    title += threads > 1 ? "; one element a thread, its state in registers." : "; one thread, its state in registers.";
  } else {
    std::vector<std::string> ops;
    std::set<std::string> seen;
    for (const Instruction* instruction : computed) {
      const std::string op = operation_name(*instruction);
      if (opcode_family(instruction->opcode) == Family::kIndexMap || !seen.insert(op).second) continue;
      ops.push_back(op);
    }
    if (ops.empty()) ops.push_back(computed.empty() ? "copy" : std::string(opcode_name(computed.back()->opcode)));
    const bool many = ops.size() > 5;
    if (many) ops.resize(5);
    for (size_t i = 0; i < ops.size(); ++i) title += (i == 0 ? "" : ", ") + ops[i];
    if (many) title += ", ...";
    title += " over " + to_string(values.outputs[0]->shape, false) + ".";
  }
  lines.push_back(title);
  lines.push_back("");
  in = collapse_runs(in);
  out = collapse_runs(out);
  size_t width = 0;
  for (const auto* list : {&in, &out}) {
    for (const Named& named : *list) width = std::max(width, named.name.size());
  }
  for (const Named& named : in) lines.push_back("  in   " + padded(named.name, width + 3) + named.shape);
  for (const Named& named : out) lines.push_back("  out  " + padded(named.name, width + 3) + named.shape);
  lines.push_back("");

  // The computation: all values when few, else a line for each Python function.
  std::vector<const Instruction*> listed;
  for (const Instruction* instruction : computed) {
    if (opcode_family(instruction->opcode) != Family::kIndexMap || instruction->opcode == Opcode::kConcatenate) listed.push_back(instruction);
  }
  std::map<const Instruction*, std::string> label;
  const auto operand_text = [&](const Instruction* operand) {
    std::string prefix, suffix;
    while (opcode_family(operand->opcode) == Family::kIndexMap && operand->opcode != Opcode::kConcatenate &&
           operand->opcode != Opcode::kIota && !operand->operands().empty()) {
      if (operand->opcode != Opcode::kReshape && operand->operand(0)->opcode != Opcode::kConstant) {
        prefix += std::string(opcode_name(operand->opcode)) + "(";
        suffix += ")";
      }
      operand = operand->operand(0);
    }
    // One result of several goes by the operation that gives it.
    if (operand->opcode == Opcode::kGetTupleElement && label.count(operand->operand(0)) > 0) operand = operand->operand(0);
    std::string text;
    if (operand->opcode == Opcode::kConstant) {
      text = operand->literal.shape().is_scalar() ? to_string(operand->literal) : "constant";
    } else if (label.count(operand) > 0) {
      text = label.at(operand);
    } else if (names.count(operand) > 0) {
      text = names.at(operand);
    } else {
      text = value_name(*operand);
    }
    return prefix + text + suffix;
  };
  if (loop == nullptr && !listed.empty() && listed.size() <= kMaxListed) {
    std::map<std::string, int> count;
    for (const Instruction* instruction : listed) ++count[names.count(instruction) > 0 ? names.at(instruction) : value_name(*instruction)];
    std::map<std::string, int> given;
    size_t left = 0;
    for (const Instruction* instruction : listed) {
      const std::string base = names.count(instruction) > 0 ? names.at(instruction) : value_name(*instruction);
      label[instruction] = count[base] > 1 ? base + "_" + std::to_string(++given[base]) : base;
      left = std::max(left, label[instruction].size());
    }
    std::map<const Instruction*, std::string> known;
    known.swap(label);
    for (const Instruction* instruction : listed) {
      std::string text = "  " + padded(known.at(instruction), left + 1) + "= " + operation_name(*instruction) + "(";
      for (size_t i = 0; i < instruction->operands().size(); ++i) text += (i == 0 ? "" : ", ") + operand_text(instruction->operand(i));
      text += ")";
      if (instruction->attributes.dimensions && instruction->opcode == Opcode::kReduce) {
        text += ", dimensions={";
        for (size_t i = 0; i < instruction->attributes.dimensions->size(); ++i) {
          text += (i == 0 ? "" : ",") + std::to_string((*instruction->attributes.dimensions)[i]);
        }
        text += "}";
      }
      if (instruction->attributes.window && !instruction->attributes.window->empty()) {
        text += ", " + attribute_text(instruction->attributes, AttributeId::k_window);
      }
      if (instruction->opcode == Opcode::kReduce || instruction->opcode == Opcode::kReduceWindow) {
        if (const auto combiner = simple_combiner(**instruction->attributes.to_apply)) text += ", to_apply=" + std::string(opcode_name(*combiner));
      }
      lines.push_back(text);
      label[instruction] = known.at(instruction);
    }
    lines.push_back("");
  } else if (!computed.empty()) {
    std::vector<std::string> functions;
    std::map<std::string, size_t> operations;
    std::set<const Instruction*> demanded;
    for (const DemandNode& demand : graph.nodes) demanded.insert(demand.instruction);
    for (const Instruction* instruction : computed) {
      const std::string function = source_place(module, *instruction).function;
      if (function.empty() || demanded.count(instruction) == 0) continue;
      if (operations[function]++ == 0) functions.push_back(function);
    }
    if (loop != nullptr || !functions.empty()) {
      if (loop != nullptr) {
        const WhileInfo info = analyze_while(*loop);
        std::string carried;
        std::vector<Named> carries;
        for (const DemandLoop::Slot& slot : graph.loops[0].slots) {
          const DemandNode& init = graph.nodes[slot.init];
          if (init.kind == DemandNode::Kind::kLoad && names.count(init.instruction) > 0) {
            const std::string name = names.at(init.instruction);
            if (carries.empty() || carries.back().name != name) carries.push_back({name, ""});
          }
        }
        carries = collapse_runs(carries);
        for (size_t i = 0; i < carries.size() && i < 6; ++i) carried += (i == 0 ? ", carrying " : ", ") + carries[i].name;
        if (carries.size() > 6) carried += ", ...";
        lines.push_back(info.trip_count ? "  loop t in [0, " + std::to_string(*info.trip_count) + ")" + carried + ":"
                                        : "  loop" + carried + ":");
      }
      size_t left = 0;
      for (const std::string& function : functions) left = std::max(left, function.size());
      for (const std::string& function : functions) {
        std::set<std::string> ops;
        std::string text;
        size_t shown = 0;
        for (const Instruction* instruction : computed) {
          if (source_place(module, *instruction).function != function || demanded.count(instruction) == 0) continue;
          if (opcode_family(instruction->opcode) == Family::kIndexMap) continue;
          const std::string op = operation_name(*instruction);
          if (!ops.insert(op).second) continue;
          if (++shown <= 6) text += (text.empty() ? "" : ", ") + op;
        }
        if (shown > 6) text += ", ...";
        if (text.empty()) continue;
        lines.push_back((loop != nullptr ? "    " : "  ") + padded(function, left + 2) + text);
      }
      lines.push_back("");
    }
  }
  lines.push_back(launch + " Reads " + human_bytes(read) + ", writes " + human_bytes(written) + ".");
  return lines;
}

}  // namespace sinter
