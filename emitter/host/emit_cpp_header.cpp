// include/<name>/<name>.hpp: the C++ interface, inline over that in C. Its text is templates/host/program.hpp.mustache;
// here is what differs with inputs and outputs, of which a program may have none.
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <iterator>

#include "emitter/host/cpp_header.h"
#include "emitter/host/emit_host.h"
#include "emitter/host/emit_template.h"
#include "emitter/text/emit_names.h"
#include "emitter/text/emit_text.h"

namespace sinter {

namespace {

bool is_pair(const HostTensor& tensor) { return dtype_class(tensor.shape.dtype) == DTypeClass::kComplex; }

// Of what the pointer points to.
std::string count(const HostTensor& tensor) {
  return std::to_string(tensor.shape.element_count() * (is_pair(tensor) ? 2 : 1));
}

// Span<const float, 24576> x;  // f32[64,384]
std::vector<std::string> members(const std::vector<HostTensor>& tensors, const std::string& qualifier) {
  std::vector<std::string> declarations;
  for (const HostTensor& tensor : tensors) {
    if (tensor.bound) {
      declarations.push_back("std::int64_t " + tensor.name + " = 0;  // 0 to " + std::to_string(*tensor.bound));
      continue;
    }
    declarations.push_back("Span<" + qualifier + tensor.c_type + ", " + count(tensor) + "> " + tensor.name + ";  // " +
                           tensor.hlo_type + (is_pair(tensor) ? ", pairs real, imaginary" : ""));
  }
  align_comments(declarations);
  return declarations;
}

std::vector<std::string> names(const std::vector<HostTensor>& tensors, const std::string& before,
                               const std::string& behind) {
  std::vector<std::string> list;
  for (const HostTensor& tensor : tensors) list.push_back(before + tensor.name + (tensor.bound ? "" : behind));
  return list;
}

void add_wrong_counts(std::vector<std::string>& lines, const std::string& program, const std::string& direction,
                      const std::vector<HostTensor>& tensors) {
  for (const HostTensor& tensor : tensors) {
    if (tensor.bound) continue;
    const std::string test = "  if (!" + direction + "." + tensor.name + ".fits())";
    const std::string result = "return \"" + program + ": " + direction + "put " + tensor.name + " must have " +
                               count(tensor) + " elements\";";
    const bool fits = std::ssize(test) + 1 + std::ssize(result) <= kLineWidth;
    lines.push_back(test + (fits ? " " : "\n    ") + result);
  }
}

// What differs where a program has no inputs, or no outputs.
struct Parts {
  bool inputs = false, outputs = false;

  // {"const Inputs& in", "const Outputs& out"}
  std::vector<std::string> list(const std::string& of_inputs, const std::string& of_outputs) const {
    std::vector<std::string> items;
    if (inputs) items.push_back(of_inputs);
    if (outputs) items.push_back(of_outputs);
    return items;
  }
};

// The opening comment's call of `run`: with the arrays in braces where these are few, by their names where they are
// many.
std::vector<std::string> example(const HostProgram& host, const std::string& space, const Parts& parts) {
  std::vector<std::string> arguments = parts.list("{" + llvm::join(names(host.inputs, "", ""), ", ") + "}",
                                                  "{" + llvm::join(names(host.outputs, "", ""), ", ") + "}");
  arguments.emplace_back("stream");
  std::vector<std::string> lines = {space + "::Instance model;  // throws " + space + "::Error"};
  const std::string run = "model.run(" + llvm::join(arguments, ", ") + ");";
  if (run.size() <= 60) return lines.push_back(run), lines;
  std::string rest = "  // and so on: pointers, arrays, containers";
  const auto fill = [&](const std::string& type, const std::string& variable, const std::vector<HostTensor>& tensors) {
    if (tensors.empty()) return;
    lines.push_back(space + "::" + type + " " + variable + ";");
    lines.push_back(variable + "." + tensors[0].name + " = " + tensors[0].name + ";" + std::exchange(rest, ""));
  };
  fill("Inputs", "in", host.inputs);
  fill("Outputs", "out", host.outputs);
  arguments = parts.list("in", "out");
  arguments.emplace_back("stream");
  lines.push_back("model.run(" + llvm::join(arguments, ", ") + ");");
  return lines;
}

std::vector<std::string> status_example(const std::string& space, const std::string& run) {
  const std::string call = run.substr(run.find('('));
  return {space + "::Status status;", space + "::Instance model(status);",
          "if (status.ok()) status = model.try_run" + call, "if (!status.ok()) std::puts(status.text());"};
}

std::string emit_run(const Parts& parts) {
  std::vector<std::string> parameters = parts.list("const Inputs& in", "const Outputs& out");
  std::vector<std::string> arguments = parts.list("in", "out");
  parameters.emplace_back("Stream stream = nullptr");
  arguments.emplace_back("stream");
  return wrap_list("  void run(", parameters, ") {\n") + "    check(try_run(" + llvm::join(arguments, ", ") +
         "));\n  }";
}

// The body of what calls the C interface with arrays: the structs that this takes, and the call.
std::string with_structs(const HostProgram& host, const Parts& parts, const std::string& function,
                         const std::vector<std::string>& arguments) {
  std::string text;
  const std::string arrays = llvm::join(parts.list("in", "out"), ", ");
  if (!arrays.empty()) {
    text += "    if (const char* wrong = wrong_count(" + arrays + "))\n";
    text += "      return {k" + host.type + "InvalidArgument, wrong};\n";
  }
  text += "    const " + host.type + "Inputs inputs = " + (parts.inputs ? "pointers(in);\n" : "{};\n");
  text += "    const " + host.type + "Outputs outputs = " + (parts.outputs ? "pointers(out);\n" : "{};\n");
  return text + wrap_list("    return Status(" + host.name + "_" + function + "(", arguments, "));");
}

std::string emit_try_run(const HostProgram& host, const Parts& parts) {
  std::vector<std::string> parameters = parts.list("const Inputs& in", "const Outputs& out");
  parameters.emplace_back("Stream stream = nullptr");
  return wrap_list("  Status try_run(", parameters, ") noexcept {\n") +
         with_structs(host, parts, "run", {"instance_", "&inputs", "&outputs", "stream"}) + "\n  }";
}

// Behind another one in a list.
std::string behind(const std::vector<std::string>& items) {
  return items.empty() ? "" : ", " + llvm::join(items, ", ");
}

}  // namespace

std::vector<std::string> emit_member_runs(const HostProgram& host, const std::string& member, const std::string& method,
                                          const std::string& status) {
  const Parts parts = {.inputs = !host.inputs.empty(), .outputs = !host.outputs.empty()};
  const std::string space = safe_namespace(host.name);
  std::vector<std::string> parameters =
      parts.list("const " + space + "::Inputs& in", "const " + space + "::Outputs& out");
  std::vector<std::string> arguments = parts.list("in", "out");
  const std::string arrays = llvm::join(arguments, ", ");
  parameters.emplace_back("Stream stream = nullptr");
  arguments.emplace_back("stream");
  std::string text = wrap_list("  Status try_" + method + "(", parameters, ") noexcept {\n");
  if (!arrays.empty()) {
    text += "    if (const char* wrong = " + space + "::wrong_count(" + arrays + "))\n";
    text += "      return {k" + status + "InvalidArgument, wrong};\n";
  }
  const std::string constant = "    const " + host.type;
  text += wrap_list(constant + "Inputs inputs = {", names(host.inputs, "in.", ".data()"), "};\n");
  text += wrap_list(constant + "Outputs outputs = {", names(host.outputs, "out.", ".data()"), "};\n");
  text += "    " + host.type + "Instance* program = instance_ == nullptr ? nullptr : instance_->" + member + ";\n";
  text += "    const " + host.type + "Status code = " + host.name + "_run(program, &inputs, &outputs, stream);\n";
  text += "    return {static_cast<" + status + "Status>(code), " + host.name + "_last_error()};\n  }";
  return {wrap_list("  void " + method + "(", parameters, ") {\n") + "    check(try_" + method + "(" +
              llvm::join(arguments, ", ") + "));\n  }",
          text};
}

std::string cpp_header_path(const std::string& name) { return header_path(name) + "pp"; }

std::string emit_cpp_header(const HostProgram& host) {
  const Parts parts = {.inputs = !host.inputs.empty(), .outputs = !host.outputs.empty()};
  const std::string space = safe_namespace(host.name);
  std::vector<std::string> wrong_counts;
  add_wrong_counts(wrong_counts, host.name, "in", host.inputs);
  add_wrong_counts(wrong_counts, host.name, "out", host.outputs);
  const std::vector<std::string> throwing = example(host, space, parts);
  const std::vector<std::string> parameters = parts.list("const Inputs& in", "const Outputs& out");
  const std::vector<std::string> arguments = parts.list("in", "out");
  return fill_template(
      "host/program.hpp.mustache",
      {.texts = {{"name", host.name},
                 {"Name", host.type},
                 {"NAME", host.macro},
                 {"namespace", space},
                 {"interface_hash", host.interface_hash},
                 {"wrong_count_signature", wrap_list("inline const char* wrong_count(",
                                                     parts.list("const Inputs& in", "const Outputs& out"), ")")},
                 {"input_pointers", wrap_list("  return {", names(host.inputs, "in.", ".data()"), "};")},
                 {"output_pointers", wrap_list("  return {", names(host.outputs, "out.", ".data()"), "};")},
                 {"run", emit_run(parts)},
                 {"try_run", emit_try_run(host, parts)},
                 {"parameters", llvm::join(parameters, ", ")},
                 {"and_parameters", behind(parameters)},
                 {"arguments", llvm::join(arguments, ", ")},
                 {"and_arguments", behind(arguments)},
                 {"capture", with_structs(host, parts, "capture", {"&graph_", "model.get()", "&inputs", "&outputs"})},
                 {"graph_update", with_structs(host, parts, "graph_update", {"graph_", "&inputs", "&outputs"})}},
       .flags = {{"has_inputs", parts.inputs},
                 {"has_outputs", parts.outputs},
                 {"has_weights", !host.weights.empty()},
                 {"has_arrays", parts.inputs || parts.outputs}},
       .lists = {{"example", throwing},
                 {"status_example", status_example(space, throwing.back())},
                 {"inputs", members(host.inputs, "const ")},
                 {"outputs", members(host.outputs, "")},
                 {"wrong_counts", wrong_counts}}});
}

}  // namespace sinter
