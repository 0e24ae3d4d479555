// kernels/<name>.cu from top to bottom: what it computes, includes, and in the program's namespace an anonymous one
// with constants, their assertions, types, device functions and the kernel, and then its launch function.
#include "emitter/print_kernel.h"

#include <algorithm>

#include "emitter/emit_project.h"
#include "emitter/print_expr.h"
#include "emitter/print_statements.h"
#include "ir/diagnostics.h"

namespace sinter {
namespace {

// A block has this much shared memory without asking for it at launch (templates/device/launch.cuh).
constexpr int64_t kStaticSharedBytes = 48 * 1024;

// `opening` + items + `closing` on one line, or else one item a line under the first one.
std::string one_line_or_column(const std::string& opening, const std::vector<std::string>& items,
                               const std::string& closing, int trailing = 0) {
  std::string line = opening;
  std::string column = opening;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) {
      line += ", ";
      column += ",\n" + std::string(opening.size(), ' ');
    }
    line += items[i];
    column += items[i];
  }
  return (line.size() + closing.size() + trailing <= kLineWidth ? line : column) + closing;
}

// As many items on a line as fit, continued under the first one.
std::string filled(const std::string& opening, const std::vector<std::string>& items, const std::string& closing) {
  std::string text = opening;
  size_t column = opening.size();
  for (size_t i = 0; i < items.size(); ++i) {
    const size_t after = i + 1 == items.size() ? closing.size() : 1;
    if (i > 0) {
      if (column + 2 + items[i].size() + after > kLineWidth) {
        text += ",\n" + std::string(opening.size(), ' ');
        column = opening.size();
      } else {
        text += ", ";
        column += 2;
      }
    }
    text += items[i];
    column += items[i].size();
  }
  return text + closing;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c >= ' ' && c <= '~' ? c : ' ';
  }
  return result + "\"";
}

// The items of "{1, 2, {3, 4}}" split at its outer commas; empty if it is no such list.
std::vector<std::string> list_items(const std::string& value) {
  std::vector<std::string> items;
  if (value.size() < 2 || value.front() != '{' || value.back() != '}') return items;
  int depth = 0;
  std::string item;
  for (size_t i = 1; i + 1 < value.size(); ++i) {
    const char c = value[i];
    if (c == '{' || c == '(') ++depth;
    if (c == '}' || c == ')') --depth;
    if (c == ',' && depth == 0) {
      items.push_back(std::move(item));
      item.clear();
    } else if (c != ' ' || !item.empty()) {
      item += c;
    }
  }
  if (!item.empty()) items.push_back(std::move(item));
  return items;
}

std::string print_constant(const NamedConstant& constant) {
  const std::string opening = "constexpr " + constant.type + " " + constant.name + " = ";
  if (opening.size() + constant.value.size() + 1 > kLineWidth) {
    const std::vector<std::string> items = list_items(constant.value);
    if (!items.empty()) return filled(opening + "{", items, "};");
  }
  return opening + constant.value + ";";
}

// Comments of neighbouring constants stand in one column.
std::string print_constants(const std::vector<NamedConstant>& constants) {
  std::string text;
  size_t next = 0;
  while (next < constants.size()) {
    size_t end = next;
    size_t column = 0;
    while (end < constants.size() && !constants[end].comment.empty()) {
      const std::string line = print_constant(constants[end]);
      column = std::max(column, line.size() - (line.rfind('\n') + 1));
      ++end;
    }
    if (end == next) {
      text += print_constant(constants[next++]) + "\n";
      continue;
    }
    for (; next < end; ++next) {
      const std::string line = print_constant(constants[next]);
      const size_t width = line.size() - (line.rfind('\n') + 1);
      text += line + std::string(column - width + 2, ' ') + print_trailing_comment(constants[next].comment) + "\n";
    }
  }
  return text;
}

std::string print_assertion(const std::string& condition, const std::string& message) {
  return filled("static_assert(", {condition, quoted(message)}, ");") + "\n";
}

std::string print_shared(const SharedStruct& shared) {
  std::string text = "struct Shared {\n";
  for (const SharedStruct::Member& member : shared.members) {
    const std::string element(dtype_cuda_name(member.dtype));
    text += "  " + (member.type.empty() ? element : member.type) + " " + member.name;
    for (const std::string& dim : member.dims) text += "[" + dim + "]";
    text += ";\n";
  }
  return text + "};\n";
}

std::string print_struct(const ResultStruct& type) {
  std::string text = "struct " + type.name + " {\n";
  for (const auto& [name, dtype] : type.members)
    text += "  " + std::string(dtype_cuda_name(dtype)) + " " + name + ";\n";
  return text + "};\n";
}

std::string print_function(const DeviceFunction& function, ExprPrinter& printer) {
  std::string text;
  for (const std::string& line : function.comment) text += print_comment(line, 0);
  std::vector<std::string> parameters;
  for (const Variable* parameter : function.parameters) parameters.push_back(print_parameter(*parameter, true));
  const std::string opening = "__device__ " + print_type(function.result) + " " + function.name + "(";
  text += one_line_or_column(opening, parameters, ")", 2) + " {\n";
  return text + print_block(function.body, 2, printer) + "}\n";
}

std::string print_function_object(const FunctionObject& object, ExprPrinter& printer) {
  std::string text;
  for (const std::string& line : object.comment) text += print_comment(line, 0);
  text += "struct " + object.name + " {\n";
  for (const Variable* member : object.members) text += "  " + print_declaration(*member) + ";\n";
  if (!object.members.empty()) text += "\n";
  std::vector<std::string> parameters;
  for (const Variable* parameter : object.parameters) parameters.push_back(print_parameter(*parameter, false));
  const std::string opening = "  __device__ " + print_type(object.result) + " operator()(";
  text += one_line_or_column(opening, parameters, ") const", 2) + " {\n";
  return text + print_block(object.body, 4, printer) + "  }\n};\n";
}

// kThreads, where the file has such a constant.
std::string block_size(const Kernel& kernel) {
  for (const NamedConstant& constant : kernel.constants) {
    if (constant.name == "kThreads") return constant.name;
  }
  return std::to_string(kernel.launch.block);
}

// `kRows`, `dim3(kColumns / kWidth, kRows)`: as short as the extents allow. `before` stands on the line already.
std::string grid_size(const LaunchDimensions& launch, const std::string& before) {
  std::vector<std::string> extents;
  for (int i = 0; i < 3; ++i) {
    extents.push_back(launch.grid_spelling[i].empty() ? std::to_string(launch.grid[i]) : launch.grid_spelling[i]);
  }
  while (extents.size() > 1 && extents.back() == "1") extents.pop_back();
  return extents.size() == 1 ? before + extents[0] : filled(before + "dim3(", extents, ")");
}

// On one line; or the kernel's arguments below; or kernel, configuration and arguments on lines of their own.
std::string print_launch_call(const Kernel& kernel) {
  std::vector<std::string> settings = {".block = " + block_size(kernel)};
  if (kernel.shared.bytes > kStaticSharedBytes) settings.push_back(".shared_bytes = sizeof(Shared)");
  std::vector<std::string> arguments;
  for (const Parameter& parameter : kernel.parameters) arguments.push_back(parameter.variable->name);

  const std::string opening = "  return launch(";
  const std::string blanks(opening.size(), ' ');
  std::string config = grid_size(kernel.launch, "{.grid = ");
  for (const std::string& setting : settings) config += ", " + setting;
  const std::string call = opening + kernel.name + ", " + config + "}, stream";
  std::string all = call;
  for (const std::string& argument : arguments) all += ", " + argument;
  if (all.size() + 2 <= kLineWidth) return all + ");";
  if (call.size() + 1 <= kLineWidth && !arguments.empty()) return call + ",\n" + filled(blanks, arguments, ");");

  settings.insert(settings.begin(), grid_size(kernel.launch, blanks + "{.grid = ").substr(blanks.size() + 1));
  arguments.insert(arguments.begin(), "stream");
  return opening + kernel.name + ",\n" + one_line_or_column(blanks + "{", settings, "},") + "\n" +
         filled(blanks, arguments, ");");
}

std::string print_launch(const Kernel& kernel) {
  return print_launch_signature(kernel, 2) + " {\n" + print_launch_call(kernel) + "\n}\n";
}

std::string print_global(const Kernel& kernel, ExprPrinter& printer) {
  std::vector<std::string> parameters;
  for (const Parameter& parameter : kernel.parameters) {
    parameters.push_back(print_parameter(*parameter.variable, true));
  }
  std::string text = "__global__ void __launch_bounds__(" + block_size(kernel) + ")\n";
  text += one_line_or_column(kernel.name + "(", parameters, ")", 2) + " {\n";
  return text + print_block(kernel.body, 2, printer) + "}\n";
}

}  // namespace

std::string print_launch_signature(const Kernel& kernel, int trailing) {
  std::vector<std::string> parameters;
  for (const Parameter& parameter : kernel.parameters) {
    parameters.push_back(print_parameter(*parameter.variable, false));
  }
  parameters.push_back("cudaStream_t stream");
  return "cudaError_t\n" + one_line_or_column("launch_" + kernel.name + "(", parameters, ")", trailing);
}

std::string kernel_namespace(const std::string& program) { return program + "_kernels"; }

std::string print_kernel_file(const Kernel& kernel, const std::string& program) {
  ExprPrinter printer;
  // Paragraphs of the anonymous namespace, with a blank line between them.
  std::vector<std::string> parts;
  if (!kernel.constants.empty()) parts.push_back(print_constants(kernel.constants));
  if (!kernel.assertions.empty()) {
    std::string text;
    for (const auto& [condition, message] : kernel.assertions) text += print_assertion(condition, message);
    parts.push_back(std::move(text));
  }
  for (const ResultStruct& type : kernel.structs) parts.push_back(print_struct(type));
  for (const DeviceFunction& function : kernel.functions) parts.push_back(print_function(function, printer));
  for (const FunctionObject& object : kernel.function_objects) parts.push_back(print_function_object(object, printer));
  if (!kernel.shared.members.empty()) parts.push_back(print_shared(kernel.shared));
  parts.push_back(print_global(kernel, printer));

  std::string text;
  for (const std::string& line : kernel.description) text += print_comment(line, 0);
  if (!text.empty()) text += "\n";
  text += "#include \"kernels.h\"\n\n";
  // What the literals need is known now that the statements are printed.
  std::set<std::string> headers = kernel.headers;
  headers.insert("device/launch.cuh");
  headers.insert(printer.headers().begin(), printer.headers().end());
  for (const std::string& header : headers) text += "#include \"" + header + "\"\n";
  const std::string name = kernel_namespace(program);
  text += "\nnamespace " + name + " {\nnamespace {\n";
  for (const std::string& part : parts) text += "\n" + part;
  return text + "\n}  // namespace\n\n" + print_launch(kernel) + "\n}  // namespace " + name + "\n";
}

}  // namespace sinter
