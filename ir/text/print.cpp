// Modules as canonical HLO text: XLA's long style, one instruction a line, without operand shapes.
//
//   HloModule m, entry_computation_layout={(f32[4]{0})->f32[4]{0}}
//
//   ENTRY %main.3 (x: f32[4]) -> f32[4] {
//     %x = f32[4]{0} parameter(0)
//     ROOT %negate.1 = f32[4]{0} negate(%x), metadata={op_name="jit(f)/neg"}
//   }
//
// The attributes of an opcode come in the order of its row, then those that every instruction may have.

#include "ir/text/print.h"

#include <string_view>

#include "ir/ops/op_table.h"
#include "ir/text/attribute_names.h"
#include "ir/text/attribute_text.h"

namespace sinter {

namespace {

// Arrays of more elements print as {...} without PrintOptions::large_constants.
constexpr int64_t kMaxShownElements = 10;

void append_metadata(const Metadata& metadata, std::string& out) {
  if (metadata == Metadata()) return;
  std::string items;
  const auto append = [&](std::string_view name, const std::string& value) {
    if (!items.empty()) items += ' ';
    items += std::string(name) + value;
  };
  if (!metadata.op_type.empty()) append("op_type=", quote(metadata.op_type));
  if (!metadata.op_name.empty()) append("op_name=", quote(metadata.op_name));
  if (!metadata.source_file.empty()) append("source_file=", quote(metadata.source_file));
  if (metadata.source_line != 0) append("source_line=", std::to_string(metadata.source_line));
  if (metadata.stack_frame_id != 0) append("stack_frame_id=", std::to_string(metadata.stack_frame_id));
  if (!metadata.rest.empty()) append("", metadata.rest);
  out += ", metadata={" + items + "}";
}

// What every instruction may have.
void append_common_attributes(const Instruction& instruction, const PrintOptions& options, std::string& out) {
  if (!instruction.annotations->sharding.empty())
    out += ", sharding=" + braced_or_quoted(instruction.annotations->sharding);
  if (!instruction.annotations->frontend_attributes.empty()) {
    out += ", frontend_attributes={" +
           join(instruction.annotations->frontend_attributes, ",",
                [](const auto& attribute) { return attribute.first + "=" + braced_or_quoted(attribute.second); }) +
           "}";
  }
  if (!instruction.control_predecessors.empty()) {
    out += ", control-predecessors={" +
           join(instruction.control_predecessors, ", ", [](const Instruction* other) { return "%" + other->name; }) +
           "}";
  }
  for (const auto& [name, value] : instruction.annotations->ignored_attributes) out += ", " + name + "=" + value;
  if (options.metadata) append_metadata(instruction.metadata, out);
  if (!instruction.annotations->backend_config.empty())
    out += ", backend_config=" + braced_or_quoted(instruction.annotations->backend_config);
}

void append_literal(const Literal& literal, const PrintOptions& options, std::string& out) {
  const bool large = literal.shape().is_array() && literal.element_count() > kMaxShownElements;
  out += large && !options.large_constants ? "{...}" : to_string(literal);
}

void append_instruction(const Instruction& instruction, const PrintOptions& options, std::string& out) {
  if (instruction.parent() != nullptr && instruction.parent()->root() == &instruction) out += "ROOT ";
  out += "%" + instruction.name + " = " + to_string(instruction.shape) + " ";
  out += opcode_name(instruction.opcode);
  out += '(';
  if (instruction.opcode == Opcode::kParameter) {
    out += std::to_string(instruction.parameter_number);
  } else if (instruction.opcode == Opcode::kConstant) {
    append_literal(instruction.literal, options, out);
  }
  for (size_t i = 0; i < instruction.operands().size(); ++i) {
    if (i > 0) out += ", ";
    if (i > 0 && i % 5 == 0) out += "/*index=" + std::to_string(i) + "*/";
    out += "%" + instruction.operand(i)->name;
  }
  out += ')';
  for (const AttributeSpec& spec : op_def(instruction.opcode).attributes) {
    if (has_attribute(instruction.attributes, spec.id)) out += ", " + attribute_text(instruction.attributes, spec.id);
  }
  append_common_attributes(instruction, options, out);
}

void append_computation(const Computation& computation, const PrintOptions& options, std::string& out) {
  const Module* module = computation.parent();
  if (module != nullptr && module->entry() == &computation) out += "ENTRY ";
  out += "%" + computation.name + " (";
  out += join(computation.parameters(), ", ",
              [](const Instruction* parameter) { return parameter->name + ": " + to_string(parameter->shape, false); });
  out += ")";
  if (computation.root() != nullptr) out += " -> " + to_string(computation.root()->shape, false);
  out += " {\n";
  for (const Instruction& instruction : computation.instructions()) {
    out += "  ";
    append_instruction(instruction, options, out);
    out += '\n';
  }
  out += '}';
  if (!computation.execution_thread.empty()) out += ", execution_thread=" + quote(computation.execution_thread);
  out += '\n';
}

void append_header(const Module& module, std::string& out) {
  out += "HloModule " + module.name;
  if (module.is_scheduled) out += ", is_scheduled=true";
  if (!module.input_output_alias.empty()) {
    out += ", input_output_alias={ " +
           join(module.input_output_alias, ", ",
                [](const Alias& alias) {
                  return int_list(alias.output_index) + ": (" + std::to_string(alias.parameter) + ", " +
                         int_list(alias.parameter_index) + (alias.must_alias ? ", must-alias)" : ", may-alias)");
                }) +
           " }";
  }
  if (!module.buffer_donor.empty()) {
    out += ", buffer_donor={ " +
           join(module.buffer_donor, ", ",
                [](const Alias& alias) {
                  return "(" + std::to_string(alias.parameter) + ", " + int_list(alias.parameter_index) + ")";
                }) +
           " }";
  }
  if (module.entry_result_layout) {
    out += ", entry_computation_layout={" + to_string(Shape::tuple(module.entry_parameter_layouts)) + "->" +
           to_string(*module.entry_result_layout) + "}";
  }
  if (module.replica_count != 1) out += ", replica_count=" + std::to_string(module.replica_count);
  if (module.num_partitions != 1) out += ", num_partitions=" + std::to_string(module.num_partitions);
  for (const auto& [name, value] : module.other_header_fields) out += ", " + name + "=" + value;
  out += "\n\n";
}

void append_tables(const SourceTables& tables, std::string& out) {
  if (tables.empty()) return;
  const auto append_row = [&](size_t index, const std::string& text) {
    out += std::to_string(index + 1) + " " + text + "\n";
  };
  out += "FileNames\n";
  for (size_t i = 0; i < tables.files.size(); ++i) append_row(i, quote(tables.files[i]));
  out += "\nFunctionNames\n";
  for (size_t i = 0; i < tables.functions.size(); ++i) append_row(i, quote(tables.functions[i]));
  out += "\nFileLocations\n";
  for (size_t i = 0; i < tables.locations.size(); ++i) {
    const SourceTables::Location& row = tables.locations[i];
    append_row(i, "{file_name_id=" + std::to_string(row.file) + " function_name_id=" + std::to_string(row.function) +
                      " line=" + std::to_string(row.line) + " end_line=" + std::to_string(row.end_line) +
                      " column=" + std::to_string(row.column) + " end_column=" + std::to_string(row.end_column) + "}");
  }
  out += "\nStackFrames\n";
  for (size_t i = 0; i < tables.frames.size(); ++i) {
    const SourceTables::Frame& row = tables.frames[i];
    append_row(i, "{file_location_id=" + std::to_string(row.location) +
                      (row.parent == 0 ? "" : " parent_frame_id=" + std::to_string(row.parent)) + "}");
  }
  out += "\n";
}

}  // namespace

std::string print(const Module& module, const PrintOptions& options) {
  std::string out;
  append_header(module, out);
  if (options.metadata) append_tables(module.tables, out);
  bool first = true;
  for (const auto& computation : module.computations()) {
    if (!first) out += '\n';
    first = false;
    append_computation(*computation, options, out);
  }
  return out;
}

std::string print(const Computation& computation, const PrintOptions& options) {
  std::string out;
  append_computation(computation, options, out);
  return out;
}

std::string print(const Instruction& instruction, const PrintOptions& options) {
  std::string out;
  append_instruction(instruction, options, out);
  return out;
}

}  // namespace sinter
