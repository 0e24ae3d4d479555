// include/<name>/<name>.h of several programs. Its text is templates/host/joined.h.mustache.
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

#include "emitter/host/emit_template.h"
#include "emitter/joined/joined_host.h"
#include "emitter/text/emit_names.h"

namespace sinter {

namespace {

// "prefill", and its inputs and outputs.
std::vector<std::string> signatures(const JoinedHost& host) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < host.programs.size(); ++i) {
    const HostProgram& program = host.programs[i];
    size_t width = 0;
    for (const auto tensors : {&HostProgram::inputs, &HostProgram::outputs}) {
      for (const HostTensor& tensor : program.*tensors) width = std::max(width, tensor.name.size());
    }
    lines.push_back(host.members[i] + " (" + program.name + "/" + program.name + ".h)");
    add_signature(lines, "  in ", program.inputs, width);
    add_signature(lines, "  out", program.outputs, width);
    add_sizes_signature(lines, "  size", program, width);
  }
  return lines;
}

// How callers run the programs: a call of each, or of those of a size.
std::vector<std::string> calls(const JoinedHost& host) {
  std::vector<std::string> lines;
  if (host.sizes) {
    const std::string sizes = llvm::join(host.sizes->names, ", ");
    return {"const " + host.all.type + "Entry* entry = " + host.all.name + "_fit(" + sizes + ");  // NULL: none fits",
            host.all.name + "_run(model, entry, &in, &out, stream);  // as often as needed"};
  }
  for (size_t i = 0; i < host.programs.size(); ++i) {
    const std::string& name = host.programs[i].name;
    lines.push_back(name + "_run(model->" + host.members[i] + ", &in, &out, stream);");
  }
  lines[0] += "  // as often as needed";
  return lines;
}

std::vector<std::string> instance_members(const JoinedHost& host) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < host.programs.size(); ++i)
    lines.push_back("struct " + host.programs[i].type + "Instance* " + host.members[i] + ";");
  return lines;
}

// What callers are to know who give sizes.
std::vector<std::string> size_facts(const JoinedSizes& sizes) {
  std::vector<std::string> lines = {"The programs have the same arrays but for these sizes:"};
  for (size_t i = 0; i < sizes.names.size(); ++i) lines.push_back("  " + sizes.names[i] + ": " + sizes.places[i]);
  lines.emplace_back("An entry computes on all of its size: what a caller does not need of it must be memory, and is");
  lines.emplace_back("of no account where rows do not depend on each other.");
  return lines;
}

// Members of a struct of pointers; of types that all sizes have.
std::vector<std::string> sized_members(const std::vector<HostTensor>& tensors, const std::string& qualifier) {
  std::vector<std::string> members = pointer_members(tensors, qualifier);
  if (tensors.empty()) return members;
  for (std::string& member : members) {
    member.erase(member.find("  //"));
    member.erase(member.find_last_not_of(' ') + 1);
  }
  return members;
}

}  // namespace

std::string emit_joined_header(const JoinedHost& host, WeightsHome weights) {
  const HostProgram& all = host.all;
  std::vector<std::string> dims, programs;
  add_dims(dims, all.weights);
  for (const HostProgram& program : host.programs) programs.push_back(program.name);
  std::sort(programs.begin(), programs.end());
  const bool has_sizes = host.sizes.has_value();
  return fill_template("host/joined.h.mustache",
                       {.texts = {{"name", all.name},
                                  {"Name", all.type},
                                  {"NAME", all.macro},
                                  {"Programs", std::to_string(host.programs.size()) + " programs"},
                                  {"first_program", host.programs[0].name},
                                  {"interface_hash", all.interface_hash},
                                  {"weight_count", std::to_string(all.weights.size())},
                                  {"create_signature", create_signature(all)},
                                  {"load_signature", weights_signature(all, "load")},
                                  {"read_signature", weights_signature(all, "read")},
                                  {"embedded_signature", weights_signature(all, "embedded")},
                                  {"fit_signature", has_sizes ? fit_signature(host) : ""},
                                  {"run_signature", joined_run_signature(all, "struct CUstream_st*")}},
                        .flags = {{"has_weights", !all.weights.empty()},
                                  {"has_tensors", !all.weights.empty() || has_sizes},
                                  {"has_embedded_weights", has_embedded_weights(all, weights)},
                                  {"has_dims", !dims.empty()},
                                  {"has_sizes", has_sizes}},
                        .lists = {{"signatures", signatures(host)},
                                  {"calls", calls(host)},
                                  {"programs", programs},
                                  {"members", instance_members(host)},
                                  {"dims", dims},
                                  {"weights", pointer_members(all.weights, "const ")},
                                  {"size_facts", has_sizes ? size_facts(*host.sizes) : std::vector<std::string>()},
                                  {"inputs", sized_members(all.inputs, "const ")},
                                  {"outputs", sized_members(all.outputs, "")},
                                  {"sizes", has_sizes ? host.sizes->names : std::vector<std::string>()}}});
}

std::string fit_signature(const JoinedHost& host) {
  std::vector<std::string> parameters;
  for (const std::string& name : host.sizes->names) parameters.push_back("int64_t " + name);
  return wrap_list("const " + host.all.type + "Entry* " + host.all.name + "_fit(", parameters, ")");
}

std::string joined_run_signature(const HostProgram& all, const std::string& stream_type) {
  return wrap_list(all.type + "Status " + all.name + "_run(",
                   {all.type + "Instance* instance", "const " + all.type + "Entry* entry",
                    "const " + all.type + "Inputs* in", "const " + all.type + "Outputs* out", stream_type + " stream"},
                   ")");
}

}  // namespace sinter
