// CMakeLists.txt, constants.cpp, weights.cpp, kernels.h and main.cpp: what joins the kernels and the launcher to a
// library and a runner.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <set>

#include "emitter/host/emit_host.h"
#include "emitter/host/emit_template.h"
#include "emitter/kernels/print_kernel.h"
#include "emitter/text/emit_names.h"
#include "emitter/text/user_header.h"
#include "ir/module/host_functions.h"
#include "ir/support/diagnostics.h"

namespace sinter {

namespace {

// "80,90a" -> "80-real;90a-real": code for these devices and no PTX, as CMAKE_CUDA_ARCHITECTURES takes it.
std::string architecture_list(const std::string& architectures) {
  std::string list;
  for (const char c : architectures) {
    const bool allowed = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == ',';
    check(allowed, "emit_cmake", "'" + architectures + "' is no list of architectures");
    list += c == ',' ? "-real;" : std::string(1, c);
  }
  return list + "-real";
}

}  // namespace

bool calls_library(const HostProgram& host) {
  bool calls = false;
  for_each_step(host.program->plan.steps, [&](const HostStep& step) {
    calls |= step.kind == HostStep::Kind::kCall && parse_function_name(step.call.function).header.empty();
  });
  return calls;
}

std::string emit_cmake(const HostProgram& host, const EmitOptions& options, const JoinedParts& joined) {
  std::vector<std::string> kernels;
  std::vector<std::string> taken;
  for (const Kernel& kernel : host.program->kernels) {
    const auto other = options.shared.taken.find(kernel.name);
    if (other == options.shared.taken.end()) kernels.push_back("kernels/" + kernel.name + ".cu");
    if (other != options.shared.taken.end()) taken.push_back("../" + path_of_taken(other->second.program, kernel.name));
  }
  for (std::vector<std::string>* list : {&kernels, &taken}) std::sort(list->begin(), list->end());
  std::set<std::string> headers;
  for (const Kernel& kernel : host.program->kernels) {
    std::copy_if(kernel.headers.begin(), kernel.headers.end(), std::inserter(headers, headers.end()), is_user_header);
  }
  for_each_step(host.program->plan.steps, [&](const HostStep& step) {
    const std::string header = parse_function_name(step.call.function).header;
    if (!header.empty()) headers.insert(header);
  });
  std::vector<std::string> embedded, embedded_files;
  const auto embed = [&](const std::string& source, const std::string& file) {
    embedded.push_back(source);
    embedded_files.push_back(source + " PROPERTIES OBJECT_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/" + file);
  };
  if (!host.program->plan.constants.empty()) embed("constants.cpp", "constants.bin");
  if (has_embedded_weights(host, options.weights)) embed("weights.cpp", kWeightsFile);
  return fill_template("host/CMakeLists.txt.mustache",
                       {.texts = {{"name", host.name},
                                  {"Name", host.type},
                                  {"NAME", host.macro},
                                  {"library_type", "${" + host.macro + "_LIBRARY_TYPE}"},
                                  {"given_folders", "${" + host.macro + "_HEADERS}"},
                                  {"chosen", "${" + host.macro + "_${option}}"},
                                  {"architectures", architecture_list(options.architectures)}},
                        .flags = {{"is_joined", !joined.programs.empty()},
                                  {"share_kernels", joined.share_kernels},
                                  {"has_taken", !taken.empty()},
                                  {"has_embedded", !embedded.empty()},
                                  {"has_weights", !host.weights.empty()},
                                  {"has_weights_file", !host.weights.empty() && options.weights == WeightsHome::kFile},
                                  {"has_library", calls_library(host) || joined.call_library},
                                  {"has_headers", !headers.empty()}},
                        .lists = {{"kernels", kernels},
                                  {"taken", taken},
                                  {"programs", joined.programs},
                                  {"embedded", embedded},
                                  {"embedded_files", embedded_files},
                                  {"headers", {headers.begin(), headers.end()}}}});
}

std::string emit_runner(const HostProgram& host, const EmitOptions& options) {
  std::vector<std::string> rows;
  for (const PredictedKernel& kernel : options.predicted) {
    char us[32];
    std::snprintf(us, sizeof us, "%.2f", kernel.us);
    rows.push_back("{\"" + kernel.name + "\", " + std::to_string(kernel.bytes) + ".0, " + std::to_string(kernel.flops) +
                   ".0, " + us + "},");
  }
  return fill_template("host/main.cpp.mustache",
                       {.texts = {{"name", host.name}, {"Name", host.type}, {"NAME", host.macro}, {"gpu", options.gpu}},
                        .flags = {{"has_weights", !host.weights.empty()},
                                  {"has_sizes", !host.sized.empty()},
                                  {"has_predictions", !rows.empty()}},
                        .lists = {{"predicted", rows}}});
}

std::string emit_embedded(const HostProgram& host, const std::string& what, const std::string& file, size_t bytes) {
  return fill_template(
      "host/embedded.cpp.mustache",
      {.texts = {{"name", host.name}, {"what", what}, {"file", file}, {"bytes", std::to_string(bytes)}},
       .flags = {},
       .lists = {}});
}

std::string emit_kernels_header(const HostProgram& host, const SharedKernels& shared) {
  bool has_half = false, has_complex = false, has_small_float = false;
  const auto needs = [&](DType dtype) {
    has_half |= dtype == DType::kF16 || dtype == DType::kBF16;
    has_complex |= is_complex(dtype);
    has_small_float |= is_float(dtype) && dtype_bits(dtype) <= 8;
  };
  std::vector<const Kernel*> kernels;
  for (const Kernel& kernel : host.program->kernels) {
    kernels.push_back(&kernel);
    for (const Parameter& parameter : kernel.parameters) needs(parameter.variable->type.dtype);
  }
  std::sort(kernels.begin(), kernels.end(), [](const Kernel* a, const Kernel* b) { return a->name < b->name; });
  std::string aliases;
  std::vector<std::string> declarations;
  std::map<std::string, std::string> taken;  // declarations, by the program that has the kernels
  for (const Kernel* kernel : kernels) {
    const std::string arrays = !has_arrays_struct(*kernel) ? "" : print_joint_arrays(*kernel) + "\n";
    const std::string declaration = "namespace " + kernel->name + " {\n" + arrays +
                                    print_launch_signature(*kernel, /*trailing=*/1) + ";\n}  // namespace " +
                                    kernel->name;
    const auto other = shared.taken.find(kernel->name);
    if (other == shared.taken.end()) {
      declarations.push_back(declaration);
      continue;
    }
    taken[other->second.program] += declaration + "\n\n";
    aliases += (aliases.empty() ? "" : "\n") + alias_of_taken(other->second.program, kernel->name);
  }
  if (!aliases.empty()) declarations.insert(declarations.begin(), aliases);
  std::vector<std::string> others;
  for (const auto& [program, texts] : taken) {
    const std::string space = "namespace " + kernel_namespace(program);
    others.push_back("// Of " + program + ", whose folder has their files.\n" + space + " {\n\n" + texts + "}  // " +
                     space + "\n");
  }
  // Buffers of the launcher may have a type that no kernel takes.
  for (const Buffer& buffer : host.program->plan.buffers) needs(buffer.shape.dtype);
  return fill_template(
      "host/kernels.h.mustache",
      {.texts = {{"name", host.name}, {"namespace", kernel_namespace(host.name)}},
       .flags = {{"has_half", has_half}, {"has_complex", has_complex}, {"has_small_float", has_small_float}},
       .lists = {{"others", others}, {"declarations", declarations}}});
}

}  // namespace sinter
