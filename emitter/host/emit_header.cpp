// include/<name>/<name>.h: the C interface. Its text is templates/host/program.h.mustache; here are the names and the
// tables.
#include <algorithm>

#include "emitter/host/emit_host.h"
#include "emitter/host/emit_template.h"
#include "emitter/text/emit_names.h"
#include "emitter/text/version.h"
#include "ir/support/diagnostics.h"
#include "ir/support/sha256.h"
#include "passes/lower/host/interface_sizes.h"

namespace sinter {

namespace {

// What the C interface points to: complex numbers are pairs of reals, floats of one or two bytes their bits, everything
// else has its CUDA type.
std::string c_type(DType dtype) {
  if (is_float(dtype) && dtype_bits(dtype) <= 8) return "uint8_t";
  if (dtype == DType::kF16 || dtype == DType::kBF16) return "uint16_t";
  if (dtype == DType::kC64) return "float";
  if (dtype == DType::kC128) return "double";
  return std::string(dtype_cuda_name(dtype));
}

std::vector<HostTensor> name_tensors(const std::vector<Program::Tensor>& tensors, const std::string& prefix) {
  std::vector<HostTensor> result;
  NameScope members, constants;
  for (const Program::Tensor& tensor : tensors) {
    check(tensor.shape.is_array() && tensor.shape.is_static(), "emit_header", tensor.name + " is no static array");
    HostTensor named;
    named.name = members.unique(safe_identifier(tensor.name));
    if (!tensor.shape.dims.empty()) named.dims = constants.unique(prefix + upper_camel(named.name));
    named.c_type = c_type(tensor.shape.dtype);
    named.cuda_type = std::string(dtype_cuda_name(tensor.shape.dtype));
    named.hlo_type = to_string(tensor.shape, /*with_layout=*/false);
    named.shape = tensor.shape;
    result.push_back(std::move(named));
  }
  return result;
}

// All that callers depend on: names, order, types, dimensions and pairs of inputs and outputs, a line each.
std::string interface_hash(const HostProgram& host) {
  std::string text = "interface " + std::to_string(kInterfaceVersion) + "\n";
  for (const SizedDimension& sized : host.sized) {
    text += "size " + std::to_string(sized.size) + " " + (sized.is_input ? "in " : "out ") +
            std::to_string(sized.array) + " " + std::to_string(sized.dimension) + " " + std::to_string(sized.times) +
            "\n";
  }
  for (const HostTensor& tensor : host.inputs) {
    text += "in " + tensor.name + " " + tensor.hlo_type;
    if (tensor.donated_to >= 0) text += " is " + std::to_string(tensor.donated_to);
    text += "\n";
  }
  for (const HostTensor& tensor : host.outputs) text += "out " + tensor.name + " " + tensor.hlo_type + "\n";
  for (const HostTensor& tensor : host.weights) text += "weight " + tensor.name + " " + tensor.hlo_type + "\n";
  return sha256_hex(text).substr(0, 16);
}

// Sizes that runs say, and the types of arrays that have them.
void add_sizes(HostProgram* host, const Program& program) {
  const std::vector<InterfaceSize> sizes = interface_sizes(program);
  for (const InterfaceSize& size : sizes) {
    host->inputs[size.input].bound = size.bound;
    for (const bool is_input : {true, false}) {
      std::vector<HostTensor>& tensors = is_input ? host->inputs : host->outputs;
      for (const Extent::Dimension& dimension : is_input ? size.inputs : size.outputs) {
        const auto array = static_cast<size_t>(dimension.array);
        host->sized.push_back({is_input, array, dimension.dimension, dimension.times, size.input});
        const Shape shape = interface_shape(sizes, is_input, array, tensors[array].shape);
        tensors[array].hlo_type = to_string(shape, /*with_layout=*/false);
      }
    }
  }
}

}  // namespace

std::string sized_by(const HostProgram& host, size_t input) {
  std::string list;
  for (const SizedDimension& sized : host.sized) {
    if (sized.size != input) continue;
    const HostTensor& tensor = (sized.is_input ? host.inputs : host.outputs)[sized.array];
    list += (list.empty() ? "" : ", ") + tensor.name + "[" + std::to_string(sized.dimension) + "]";
    if (sized.times != 1) list += " / " + std::to_string(sized.times);
  }
  return list;
}

void add_signature(std::vector<std::string>& lines, const std::string& direction,
                   const std::vector<HostTensor>& tensors, size_t width) {
  for (const HostTensor& tensor : tensors) {
    const std::string note = dtype_class(tensor.shape.dtype) == DTypeClass::kComplex ? " (pairs real, imaginary)" : "";
    if (tensor.bound) continue;
    lines.push_back(direction + "  " + tensor.name + std::string(width - tensor.name.size() + 2, ' ') +
                    tensor.hlo_type + note);
  }
}

void add_sizes_signature(std::vector<std::string>& lines, const std::string& word, const HostProgram& host,
                         size_t width) {
  for (size_t i = 0; i < host.inputs.size(); ++i) {
    const HostTensor& input = host.inputs[i];
    if (!input.bound) continue;
    lines.push_back(word + " " + input.name + std::string(width - input.name.size() + 2, ' ') + "0 to " +
                    std::to_string(*input.bound) + ": " + sized_by(host, i));
  }
}

std::vector<std::string> pointer_members(const std::vector<HostTensor>& tensors, const std::string& qualifier) {
  if (tensors.empty()) return {"char unused;  // C has no empty structs"};
  std::vector<std::string> declarations;
  size_t width = 0;
  for (const HostTensor& tensor : tensors) {
    declarations.push_back(tensor.bound ? "int64_t " + tensor.name + ";"
                                        : qualifier + tensor.c_type + "* " + tensor.name + ";");
    width = std::max(width, declarations.back().size());
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    const std::optional<int64_t>& bound = tensors[i].bound;
    declarations[i] += std::string(width - declarations[i].size(), ' ') + "  // " +
                       (bound ? "0 to " + std::to_string(*bound) : tensors[i].hlo_type);
  }
  return declarations;
}

void add_dims(std::vector<std::string>& lines, const std::vector<HostTensor>& tensors) {
  for (const HostTensor& tensor : tensors) {
    if (tensor.dims.empty() || tensor.bound) continue;
    std::vector<std::string> numbers;
    for (const int64_t dim : tensor.shape.dims) numbers.push_back(std::to_string(dim));
    lines.push_back(wrap_list("static const int64_t " + tensor.dims + "[] = {", numbers, "};"));
  }
}

HostProgram name_host(const Program& program) {
  HostProgram host;
  host.name = safe_project_name(program.name);
  host.type = upper_camel(host.name);
  host.macro = upper_snake(host.name);
  host.inputs = name_tensors(program.inputs, "k" + host.type + "In");
  host.outputs = name_tensors(program.outputs, "k" + host.type + "Out");
  std::vector<Program::Tensor> weights;
  for (const Program::Weight& weight : program.weights) weights.push_back({.name = weight.name, .shape = weight.shape});
  host.weights = name_tensors(weights, "k" + host.type + "Weight");
  for (size_t i = 0; i < program.weights.size(); ++i) host.weights[i].tensor = program.weights[i].tensor;
  // Lowering settled that such a pair may be one array (passes/lower/host/donation.h).
  for (size_t i = 0; i < program.inputs.size(); ++i) host.inputs[i].donated_to = program.inputs[i].donated_to;
  for (const Buffer& buffer : program.plan.buffers) {
    if (buffer.kind != Buffer::Kind::kDonated) continue;
    check(buffer.index >= 0 && buffer.index < std::ssize(host.inputs) && buffer.output >= 0 &&
              buffer.output < std::ssize(host.outputs),
          "name_host", "the donated buffer '" + buffer.name + "' names no input or output");
    host.inputs[buffer.index].donated_to = buffer.output;
  }
  add_sizes(&host, program);
  host.interface_hash = interface_hash(host);
  host.program = &program;
  host.graph = graph_form(program);
  return host;
}

std::string emit_header(const HostProgram& host, WeightsHome weights) {
  size_t width = 0;
  for (const HostTensor& tensor : host.inputs) width = std::max(width, tensor.name.size());
  for (const HostTensor& tensor : host.outputs) width = std::max(width, tensor.name.size());
  std::vector<std::string> signature, dims, donations;
  add_signature(signature, "in ", host.inputs, width);
  add_signature(signature, "out", host.outputs, width);
  add_sizes_signature(signature, "size", host, width);
  add_dims(dims, host.inputs);
  add_dims(dims, host.outputs);
  add_dims(dims, host.weights);
  for (const HostTensor& tensor : host.inputs) {
    if (tensor.donated_to >= 0) donations.push_back(tensor.name + ", " + host.outputs[tensor.donated_to].name);
  }
  return fill_template(
      "host/program.h.mustache",
      {.texts = {{"name", host.name},
                 {"Name", host.type},
                 {"NAME", host.macro},
                 {"input_count", std::to_string(host.inputs.size())},
                 {"output_count", std::to_string(host.outputs.size())},
                 {"weight_count", std::to_string(host.weights.size())},
                 {"interface_hash", host.interface_hash},
                 {"create_signature", create_signature(host)},
                 {"load_signature", weights_signature(host, "load")},
                 {"read_signature", weights_signature(host, "read")},
                 {"embedded_signature", weights_signature(host, "embedded")},
                 {"can_capture", can_capture(host) ? "1" : "0"},
                 {"capture_signature", capture_signature(host)},
                 {"update_signature", update_signature(host)},
                 {"synchronises", host.program->plan.synchronises ? "1" : "0"},
                 // cudaStream_t, and types below, without a typedef: C99 allows none again in another program's header.
                 {"run_signature", run_signature(host, "struct CUstream_st*")}},
       .flags = {{"has_dims", !dims.empty()},
                 {"has_sizes", !host.sized.empty()},
                 {"has_library", calls_library(host)},
                 {"has_constants", !host.program->plan.constants.empty()},
                 {"has_weights", !host.weights.empty()},
                 {"has_embedded_weights", has_embedded_weights(host, weights)},
                 {"has_donations", !donations.empty()},
                 {"decides", decides_in_graph(host)}},
       .lists = {{"signature", signature},
                 {"dims", dims},
                 {"inputs", pointer_members(host.inputs, "const ")},
                 {"outputs", pointer_members(host.outputs, "")},
                 {"weights", pointer_members(host.weights, "const ")},
                 {"donations", donations}}});
}

std::string create_signature(const HostProgram& host) {
  return wrap_list(host.type + "Status " + host.name + "_create_with(",
                   {host.type + "Instance** instance", "const " + host.type + "Options* options"}, ")");
}

std::string weights_signature(const HostProgram& host, const std::string& source) {
  std::vector<std::string> parameters = {host.type + "Weights** weights"};
  if (source == "load") parameters.emplace_back("const char* path");
  if (source == "read") parameters.insert(parameters.end(), {"const void* file", "size_t bytes"});
  parameters.push_back("const " + host.type + "Options* options");
  return wrap_list(host.type + "Status " + host.name + "_weights_" + source + "_with(", parameters, ")");
}

std::string capture_signature(const HostProgram& host) {
  return wrap_list(host.type + "Status " + host.name + "_capture(",
                   {host.type + "Graph** graph", host.type + "Instance* instance", "const " + host.type + "Inputs* in",
                    "const " + host.type + "Outputs* out"},
                   ")");
}

std::string update_signature(const HostProgram& host) {
  return wrap_list(
      host.type + "Status " + host.name + "_graph_update(",
      {host.type + "Graph* graph", "const " + host.type + "Inputs* in", "const " + host.type + "Outputs* out"}, ")");
}

std::string run_signature(const HostProgram& host, const std::string& stream_type) {
  return wrap_list(host.type + "Status " + host.name + "_run(",
                   {host.type + "Instance* instance", "const " + host.type + "Inputs* in",
                    "const " + host.type + "Outputs* out", stream_type + " stream"},
                   ")");
}

}  // namespace sinter
