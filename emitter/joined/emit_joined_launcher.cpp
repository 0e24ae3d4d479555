// <name>.cu of several programs. Its text is templates/host/joined.cu.mustache: a caller of the programs' own
// interfaces.
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

#include "emitter/host/emit_template.h"
#include "emitter/joined/joined_host.h"
#include "emitter/text/emit_names.h"
#include "ir/support/diagnostics.h"

namespace sinter {

namespace {

// "failure_of(NAME_run(...), NAME_last_error());", behind `opening`.
std::string call_of(const std::string& opening, const HostProgram& program, const std::string& call) {
  return wrap_list(opening + "failure_of(", {program.name + "_" + call, program.name + "_last_error()"}, ");\n");
}

// The arrays of a program's weights, among those of all.
std::vector<std::string> arrays_of(const HostProgram& program, const HostProgram& all) {
  std::vector<std::string> arrays;
  for (const HostTensor& weight : program.weights) {
    const auto is_it = [&](const HostTensor& other) { return other.tensor == weight.tensor; };
    const auto found = std::find_if(all.weights.begin(), all.weights.end(), is_it);
    check(found != all.weights.end(), "join_projects", weight.tensor + " is no weight of the artifact");
    arrays.push_back("created.weights." + found->name);
  }
  return arrays;
}

std::string creation(const HostProgram& program, const std::string& member, const HostProgram& all) {
  std::string text = "Failure create_" + member + "(Whole& created) {\n";
  text += "  " + program.type + "Options options = " + program.macro + "_OPTIONS;\n";
  text += "  options.device = created.device;\n";
  text += "  options.workspace = created.workspace;\n";
  text += "  options.workspace_bytes = kWorkspaceBytes;\n";
  text += "  options.allocate = created.allocator.allocate;\n";  // of libraries that it calls
  text += "  options.release = created.allocator.release;\n";
  text += "  options.user = created.allocator.user;\n";
  if (!program.weights.empty()) {
    const std::string weights = "created." + member + "_weights";
    text += wrap_list("  const " + program.type + "WeightArrays arrays = {", arrays_of(program, all), "};\n");
    text += call_of("  const Failure failure = ", program, "weights_use(&" + weights + ", &arrays)");
    text += "  if (failure) return failure;\n";
    text += "  options.weights = " + weights + ";\n";
  }
  return text + call_of("  return ", program, "create_with(&created." + member + ", &options)") + "}\n";
}

// The tables of a program that is an entry, in types that all entries have.
std::string entry_tables(const HostProgram& program, const std::string& member, const HostProgram& all) {
  std::string text;
  for (const auto& [word, tensors] : {std::pair("inputs", &program.inputs), std::pair("outputs", &program.outputs)}) {
    text += "const " + all.type + "Tensor " + member + "_" + word + "[] = {\n";
    for (const std::string& row : table_rows(*tensors)) text += "    " + row + "\n";
    text += "};\n";
  }
  text.pop_back();
  return text;
}

std::vector<std::string> entry_rows(const JoinedHost& host) {
  std::vector<std::string> rows;
  for (const size_t i : host.sizes->order) {
    std::string row = "{\"" + host.members[i] + "\"";
    for (const int64_t size : host.sizes->values[i]) row += ", " + std::to_string(size);
    rows.push_back(row + ", " + host.members[i] + "_inputs, " + host.members[i] + "_outputs},");
  }
  std::string last = "{nullptr";
  for (size_t i = 0; i < host.sizes->names.size(); ++i) last += ", 0";
  rows.push_back(last + ", nullptr, nullptr},");
  return rows;
}

std::vector<std::string> of_struct(const std::vector<HostTensor>& tensors, const std::string& pointer) {
  std::vector<std::string> fields;
  for (const HostTensor& tensor : tensors) fields.push_back(pointer + "->" + tensor.name);
  return fields;
}

std::vector<std::string> run_cases(const JoinedHost& host) {
  std::vector<std::string> cases;
  for (size_t row = 0; row < host.sizes->order.size(); ++row) {
    const size_t i = host.sizes->order[row];
    const HostProgram& program = host.programs[i];
    std::string text = "  if (entry == &k" + host.all.type + "Entries[" + std::to_string(row) + "]) {\n";
    const std::string constant = "    const " + program.type;
    text += wrap_list(constant + "Inputs inputs = {", of_struct(host.all.inputs, "in"), "};\n");
    text += wrap_list(constant + "Outputs outputs = {", of_struct(host.all.outputs, "out"), "};\n");
    const std::string run = "run(instance->" + host.members[i] + ", &inputs, &outputs, stream)";
    cases.push_back(text + call_of("    return ", program, run) + "  }");
  }
  return cases;
}

std::string fits(const JoinedSizes& sizes) {
  std::vector<std::string> tests;
  for (const std::string& name : sizes.names) tests.push_back("entry->" + name + " >= " + name);
  return llvm::join(tests, " && ");
}

// The opening comment: sizes.
std::vector<std::string> facts(const JoinedHost& host) {
  int64_t largest = 0, sum = 0, kept = 0;
  for (const HostProgram& program : host.programs) {
    const HostPlan& plan = program.program->plan;
    const int64_t arena = plan.arena_bytes;
    largest = std::max(largest, arena);
    sum += arena;
    kept += workspace_of(plan).bytes - workspace_of(plan).constants;
  }
  std::vector<std::string> lines;
  if (largest > 0)
    lines.push_back("Arena: " + bytes_text(largest) + ", that of the largest program; of all, " + bytes_text(sum) +
                    ".");
  if (kept > 0) lines.push_back("Kept between runs: " + bytes_text(kept) + ".");
  if (!host.all.weights.empty()) lines.push_back("Weights: " + bytes_text(weights_bytes(host.all)) + ".");
  if (lines.empty()) lines.emplace_back("No value between kernels is in device memory.");
  return lines;
}

}  // namespace

int64_t joined_workspace_bytes(const JoinedHost& host) {
  std::vector<const Program*> programs;
  for (const HostProgram& program : host.programs) programs.push_back(program.program);
  const std::vector<int64_t> kept = kept_places(programs);
  int64_t bytes = 0;
  for (size_t i = 0; i < programs.size(); ++i) bytes = std::max(bytes, workspace_of(programs[i]->plan, kept[i]).bytes);
  return bytes;
}

std::string emit_joined_launcher(const JoinedHost& host, const EmitOptions& options) {
  const HostProgram& all = host.all;
  const bool has_embedded = has_embedded_weights(all, options.weights), has_sizes = host.sizes.has_value();
  std::vector<std::string> creations, create_calls, releases, tables;
  std::vector<std::string> members = {
      "int device = 0;  // it runs on", "void* workspace = nullptr;  // of all programs",
      "DeviceMemory own_workspace;  // it, unless the caller gave one", "Allocator allocator;  // of device memory"};
  if (!all.weights.empty()) members.push_back(all.type + "WeightArrays weights;  // which runs read");
  if (has_embedded) members.push_back(all.type + "Weights* own_weights = nullptr;  // where the caller gives none");
  for (size_t i = 0; i < host.programs.size(); ++i) {
    const HostProgram& program = host.programs[i];
    const std::string& member = host.members[i];
    creations.push_back(creation(program, member, all));
    create_calls.push_back("if (const Failure failure = create_" + member + "(created)) return failure;");
    releases.push_back(program.name + "_destroy(instance." + member + ");");
    if (program.weights.empty()) continue;
    members.push_back(program.type + "Weights* " + member + "_weights = nullptr;  // those of them that it reads");
    releases.push_back(program.name + "_weights_destroy(instance." + member + "_weights);");
  }
  if (has_embedded) releases.emplace_back("destroy_weights(instance.own_weights);");
  align_comments(members);
  if (has_sizes) {
    for (const size_t i : host.sizes->order) tables.push_back(entry_tables(host.programs[i], host.members[i], all));
  }
  using Lines = std::vector<std::string>;
  return fill_template("host/joined.cu.mustache",
                       {.texts = {{"name", all.name},
                                  {"Name", all.type},
                                  {"NAME", all.macro},
                                  {"build", options.build},
                                  {"workspace_bytes", std::to_string(joined_workspace_bytes(host))},
                                  {"weights_file_bytes", std::to_string(options.weights_file.size())},
                                  {"weights_bytes", std::to_string(weights_bytes(all))},
                                  {"create_signature", create_signature(all)},
                                  {"load_signature", weights_signature(all, "load")},
                                  {"read_signature", weights_signature(all, "read")},
                                  {"embedded_signature", weights_signature(all, "embedded")},
                                  {"fit_signature", has_sizes ? fit_signature(host) : ""},
                                  {"fits", has_sizes ? fits(*host.sizes) : ""},
                                  {"cuda_run_signature", joined_run_signature(all, "cudaStream_t")}},
                        .flags = {{"has_weights", !all.weights.empty()},
                                  {"has_embedded_weights", has_embedded},
                                  {"has_sizes", has_sizes}},
                        .lists = {{"facts", facts(host)},
                                  {"weight_rows", table_rows(all.weights)},
                                  {"members", members},
                                  {"creations", creations},
                                  {"create_calls", create_calls},
                                  {"releases", releases},
                                  {"entry_tables", tables},
                                  {"entry_rows", has_sizes ? entry_rows(host) : Lines()},
                                  {"run_cases", has_sizes ? run_cases(host) : Lines()}}});
}

}  // namespace sinter
