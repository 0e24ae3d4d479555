#include "emitter/joined/join_projects.h"

#include <algorithm>

#include "emitter/host/add_helpers.h"
#include "emitter/host/cpp_header.h"
#include "emitter/host/emit_host.h"
#include "emitter/host/emit_template.h"
#include "emitter/host/license_line.h"
#include "emitter/joined/joined_host.h"
#include "emitter/kernels/print_kernel.h"
#include "emitter/text/emit_names.h"
#include "ir/support/diagnostics.h"
#include "ir/support/sha256.h"
#include "templates/templates.h"

namespace sinter {

namespace {

// All that callers of the artifact depend on.
std::string interface_hash(const JoinedHost& host) {
  std::string text = "programs\n";
  for (size_t i = 0; i < host.programs.size(); ++i)
    text += host.members[i] + " " + host.programs[i].name + " " + host.programs[i].interface_hash + "\n";
  for (const HostTensor& weight : host.all.weights) text += "weight " + weight.name + " " + weight.hlo_type + "\n";
  if (host.sizes) {
    for (const std::string& name : host.sizes->names) text += "size " + name + "\n";
  }
  return sha256_hex(text).substr(0, 16);
}

JoinedHost name_joined(const std::string& name, const std::vector<JoinedProgram>& joined) {
  JoinedHost host;
  NameScope members;
  std::vector<const Program*> programs;
  for (const JoinedProgram& one : joined) {
    programs.push_back(one.program);
    host.programs.push_back(name_host(*one.program));
    host.members.push_back(members.unique(safe_identifier(one.entry)));
    host.shared_kernels += one.shared.taken.size();
    check(host.programs.back().name != safe_project_name(name), name, "a program is called as all together");
  }
  host.sizes = sizes_of(joined, host.programs);
  host.program.name = name;
  host.program.weights = joined_weights(programs);
  host.all = name_host(host.program);
  if (host.sizes) {
    host.all.inputs = host.programs[0].inputs;
    host.all.outputs = host.programs[0].outputs;
  }
  host.all.interface_hash = interface_hash(host);
  return host;
}

}  // namespace

std::vector<int64_t> kept_places(const std::vector<const Program*>& programs) {
  int64_t place = 0;
  for (const Program* program : programs) place = std::max(place, workspace_of(program->plan).constants);
  std::vector<int64_t> places;
  for (const Program* program : programs) {
    places.push_back(place);
    const Workspace alone = workspace_of(program->plan);
    place += alone.bytes - alone.constants;
  }
  return places;
}

std::vector<SharedKernels> shared_kernels(const std::vector<const Program*>& programs) {
  std::vector<SharedKernels> shared(programs.size());
  std::map<std::string, size_t> owners;  // the first program with such code
  for (size_t i = 0; i < programs.size(); ++i) {
    const std::string name = safe_project_name(programs[i]->name);
    for (const Kernel& kernel : programs[i]->kernels) {
      const std::string code = kernel_code(print_kernel_file(kernel, name), name);
      const std::string arrays = has_arrays_struct(kernel) ? print_joint_arrays(kernel) : "";  // in kernels.h
      const size_t owner = owners.emplace(arrays + code, i).first->second;
      if (owner == i) continue;
      shared[i].taken[kernel.name] = {.program = safe_project_name(programs[owner]->name),
                                      .code_hash = sha256_hex(code)};
      shared[owner].given[kernel.name].push_back(name);
    }
  }
  return shared;
}

std::vector<Program::Weight> joined_weights(const std::vector<const Program*>& programs) {
  std::vector<Program::Weight> weights;
  for (const Program* program : programs) {
    for (const Program::Weight& weight : program->weights) {
      const auto is_it = [&](const Program::Weight& other) { return other.tensor == weight.tensor; };
      if (std::none_of(weights.begin(), weights.end(), is_it)) weights.push_back(weight);
    }
  }
  return weights;
}

FileSet join_projects(const std::string& name, const std::vector<JoinedProgram>& programs, const EmitOptions& options,
                      const std::string& texts_hash) {
  JoinedHost host = name_joined(name, programs);
  host.all.program = &host.program;
  const std::string& stem = host.all.name;
  FileSet files = {{header_path(stem), emit_joined_header(host, options.weights)},
                   {cpp_header_path(stem), emit_joined_cpp_header(host)},
                   {stem + ".cu", emit_joined_launcher(host, options)},
                   {"info.cpp", emit_joined_info(host, texts_hash)},
                   {".clang-format", std::string(template_text("host/clang_format"))},
                   {".gitattributes", std::string(template_text("host/gitattributes"))}};
  JoinedParts parts;
  for (const HostProgram& program : host.programs) {
    parts.programs.push_back(program.name);
    parts.call_library |= calls_library(program);
  }
  parts.share_kernels = host.shared_kernels > 0;
  files.emplace("CMakeLists.txt", emit_cmake(host.all, options, parts));
  if (!host.all.weights.empty()) {
    files.emplace("read_weights.cpp", fill_template("host/read_weights.cpp.mustache",
                                                    {.texts = {{"name", stem}}, .flags = {}, .lists = {}}));
    if (options.weights != WeightsHome::kCaller) files.emplace(kWeightsFile, options.weights_file);
  }
  if (has_embedded_weights(host.all, options.weights))
    files.emplace("weights.cpp", emit_embedded(host.all, "weights", kWeightsFile, options.weights_file.size()));
  add_helpers(files);
  state_license(options.license, &files);  // those of a program state it already
  for (const JoinedProgram& program : programs) {
    const std::string folder = safe_project_name(program.program->name) + "/";
    for (const auto& [path, content] : program.files) files.emplace(folder + path, content);
  }
  files.emplace("manifest.json", emit_manifest(name, options, files));
  return files;
}

}  // namespace sinter
