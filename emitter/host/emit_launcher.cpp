// <name>.cu: the launcher. Its text is templates/host/program.cu.mustache; here are its tables, and what an instance
// holds.
#include <algorithm>
#include <set>

#include "emitter/host/emit_host.h"
#include "emitter/host/emit_template.h"
#include "emitter/kernels/print_kernel.h"
#include "emitter/text/emit_names.h"
#include "emitter/text/string_literal.h"
#include "ir/module/host_functions.h"
#include "ir/support/diagnostics.h"

namespace sinter {

namespace {

// The opening comment: sizes. The buffers stand in `run`.
std::vector<std::string> facts(const HostProgram& host) {
  const HostPlan& plan = host.program->plan;
  std::vector<std::string> lines;
  if (plan.arena_bytes == 0) {
    lines.push_back("No value between kernels is in device memory.");
  } else {
    lines.push_back("Arena: " + bytes_text(plan.arena_bytes) + "; the largest live set is " +
                    bytes_text(plan.live_bytes) + ".");
  }
  if (!plan.constants.empty()) lines.push_back("Constants: " + bytes_text(std::ssize(plan.constants)) + ".");
  if (!host.weights.empty()) lines.push_back("Weights: " + bytes_text(weights_bytes(host)) + ".");
  for (std::string& line : lines) line = "// " + line;
  return lines;
}

// What the workspace holds, in this order.
std::string contents(const HostPlan& plan) {
  const Workspace workspace = workspace_of(plan);
  std::string list;
  const auto add = [&](bool there, const char* what) {
    if (there) list += (list.empty() ? "" : ", ") + std::string(what);
  };
  add(plan.arena_bytes > 0, "arena");
  add(!plan.constants.empty(), "constants");
  add(workspace.counts > 0, "counts");
  return list.empty() ? "none" : list;
}

// What the host waits for and reads: conditions of loops and of branches with two arms, numbers of arms.
struct HostReads {
  bool conditions = false, selectors = false;
};
HostReads host_reads(const HostPlan& plan) {
  HostReads reads;
  std::vector<const std::vector<HostStep>*> left = {&plan.steps};
  while (!left.empty()) {
    const std::vector<HostStep>* list = left.back();
    left.pop_back();
    for (const HostStep& step : *list) {
      const bool branch = step.kind == HostStep::Kind::kBranch;
      const bool selector = branch && plan.buffers.at(step.buffers.at(0)).shape.dtype != DType::kPred;
      reads.selectors |= selector;
      reads.conditions |= step.kind == HostStep::Kind::kWhile || (branch && !selector);
      left.push_back(&step.condition);
      left.push_back(&step.body);
      for (const std::vector<HostStep>& arm : step.arms) left.push_back(&arm);
    }
  }
  return reads;
}

// static_cast<void>(instance), ...: no parameter is unused.
std::string refuse_capture(const std::string& why) {
  std::string text;
  for (const char* unused : {"instance", "in", "out"}) {
    text += (text.empty() ? "  static_cast<void>(" : ", static_cast<void>(") + std::string(unused) + ")";
  }
  return text + ";\n" + wrap_list("  return refuse_capture(", {"graph", "\"" + why + "\"", "last_error"}, ");");
}

}  // namespace

std::vector<std::string> table_rows(const std::vector<HostTensor>& tensors) {
  std::vector<std::string> rows;
  for (const HostTensor& tensor : tensors) {
    if (tensor.bound) {
      rows.push_back("{\"" + tensor.name + "\", \"size\", 0, nullptr, 0},");
      continue;
    }
    const std::string dims = tensor.dims.empty() ? "nullptr" : tensor.dims;
    const std::string& name = tensor.tensor.empty() ? tensor.name : tensor.tensor;
    rows.push_back("{" + string_literal(name) + ", \"" + std::string(dtype_name(tensor.shape.dtype)) + "\", " +
                   std::to_string(tensor.shape.rank()) + ", " + dims + ", " + std::to_string(tensor.shape.bytes()) +
                   "},");
  }
  rows.push_back("{nullptr, nullptr, 0, nullptr, 0},");
  return rows;
}

// {0, 0, 0, 1, 2, 1024}, ...: <Name>Size of the header.
static std::vector<std::string> size_rows(const HostProgram& host) {
  std::vector<std::string> rows;
  for (const SizedDimension& sized : host.sized) {
    std::string row;
    for (const int64_t number : {int64_t{!sized.is_input}, static_cast<int64_t>(sized.array), sized.dimension,
                                 sized.times, static_cast<int64_t>(sized.size), *host.inputs[sized.size].bound})
      row += (row.empty() ? "{" : ", ") + std::to_string(number);
    rows.push_back(row + "},");
  }
  rows.push_back("{0, 0, 0, 0, 0, 0},");
  return rows;
}

std::string emit_launcher(const HostProgram& host, const EmitOptions& options) {
  const HostPlan& plan = host.program->plan;
  const Workspace workspace = workspace_of(plan, options.kept_at);
  const bool has_constants = !plan.constants.empty(), has_weights = !host.weights.empty();
  const bool has_embedded = has_embedded_weights(host, options.weights);
  std::vector<std::string> preparations, releases;
  std::vector<std::string> members = {
      "int device = 0;  // it runs on", "void* workspace = nullptr;  // its device memory: " + contents(plan),
      "DeviceMemory own_workspace;  // it, unless the caller gave one", "Allocator allocator;  // of device memory"};
  std::vector<std::string> constants = {"constexpr int64_t kWorkspaceBytes = " + std::to_string(workspace.bytes) + ";"};
  const auto place = [&](const std::string& member, const std::string& type, int64_t offset) {
    preparations.push_back("created." + member + " = at<" + type + ">(created.workspace, " + std::to_string(offset) +
                           ");");
  };
  if (has_constants) place("constants", "void", workspace.constants);
  if (workspace.counts > 0) place("finished", "uint32_t", workspace.finished);
  // Each after those before it have succeeded.
  bool first = true;
  const auto attempt = [&](const std::string& call) {
    preparations.push_back((first ? "cudaError_t error = " : "if (error == cudaSuccess) error = ") + call + ";");
    first = false;
  };
  if (has_constants) {
    members.push_back("void* constants = nullptr;  // constants.bin, in the workspace");
    constants.push_back("constexpr size_t kConstantsBytes = " + std::to_string(plan.constants.size()) + ";");
    attempt("copy_to_device(created.constants, " + host.name + "_constants, kConstantsBytes)");
  }
  if (has_weights) members.push_back(host.type + "WeightArrays weights;  // which runs read");
  if (has_embedded) {
    members.push_back(host.type + "Weights* own_weights = nullptr;  // where the caller gives none");
    constants.push_back("constexpr size_t kWeightsFileBytes = " + std::to_string(options.weights_file.size()) + ";");
    releases.push_back("destroy_weights(instance.own_weights);");
  }
  if (has_weights) {
    constants.push_back(
        "// Of what was compiled, but for the values of weights: files of weights that Sinter wrote say it.");
    constants.push_back("constexpr char kBuild[] = \"" + options.build + "\";");
  }
  if (workspace.counts > 0) {
    members.push_back("uint32_t* finished = nullptr;  // counts of blocks, and of waits for all of them");
    attempt("clear_on_device(created.finished, " + std::to_string(workspace.counts * 4) + ")");
  }
  const HostReads reads = host_reads(plan);
  if (reads.conditions || reads.selectors) {
    members.push_back("void* condition = nullptr;  // pinned: what the host reads of a loop or branch");
    attempt(std::string("cudaMallocHost(&created.condition, ") + (reads.selectors ? "sizeof(int))" : "sizeof(bool))"));
    releases.push_back("cudaFreeHost(instance.condition);");
  }
  if (gains_as_graph(host)) {
    members.push_back("RunGraph<" + host.type + "Inputs, " + host.type +
                      "Outputs> graph;  // where options ask for it");
    releases.push_back("end_graph(&instance.graph);");
  }
  std::set<std::string> user_headers;
  std::set<std::string> headers, reserved;  // of the libraries' calls; what their workspace must hold
  for_each_step(plan.steps, [&](const HostStep& step) {
    if (step.kind != HostStep::Kind::kCall) return;
    if (const std::string header = parse_function_name(step.call.function).header; !header.empty()) {
      user_headers.insert("#include \"" + header + "\"");
      return;
    }
    headers.insert("#include \"library/" + step.call.function + ".cuh\"");
    std::string needed = "library::" + step.call.function + "_workspace<" +
                         std::string(dtype_cuda_name(step.call.dtype)) + ">(created.library";
    for (const std::string& number : step.call.numbers) needed += ", " + number;
    reserved.insert(needed + ")");
  });
  if (!headers.empty()) {
    members.push_back("library::Library library;  // handles and workspace of the calls");
    attempt("created.library.open(created.allocator)");
    for (const std::string& needed : reserved) {
      const std::string reserve = "created.library.reserve(";
      attempt(needed.size() > 60 ? reserve + "\n        " + needed + ")" : reserve + needed + ")");
    }
    releases.push_back("instance.library.close();");
  }
  align_comments(members);
  bool has_donations = false;
  std::vector<std::string> donated_to;
  for (const HostTensor& tensor : host.inputs) {
    has_donations |= tensor.donated_to >= 0;
    donated_to.push_back(std::to_string(tensor.donated_to));
  }
  if (has_donations) {
    constants.push_back("// For each input, the output that may share its memory, or -1.");
    constants.push_back(wrap_list("constexpr int kDonatedTo[] = {", donated_to, "};"));
  }
  const std::string steps = emit_run_steps(host);
  std::vector<std::string> create_arguments = {"instance", "options", "kDefaults", "kWorkspaceBytes", "last_error"};
  std::string own_steps;
  const auto add_step = [&](bool there, const std::string& step) {
    if (there) own_steps += (own_steps.empty() ? "{." : ", .") + step + " = " + step;
  };
  add_step(!preparations.empty(), "prepare");
  add_step(has_weights, "take_weights");
  const bool chooses_graph = reads.conditions || reads.selectors || gains_as_graph(host);
  add_step(chooses_graph, "choose_graph");
  add_step(!releases.empty(), "release");
  if (!own_steps.empty()) create_arguments.push_back(own_steps + "}");
  return fill_template(
      "host/program.cu.mustache",
      {.texts = {{"name", host.name},
                 {"Name", host.type},
                 {"NAME", host.macro},
                 {"namespace", kernel_namespace(host.name)},
                 {"steps", steps},
                 {"create_signature", create_signature(host)},
                 {"load_signature", weights_signature(host, "load")},
                 {"read_signature", weights_signature(host, "read")},
                 {"embedded_signature", weights_signature(host, "embedded")},
                 {"create", wrap_list("  return create_instance(", create_arguments, ");")},
                 {"check_run",
                  wrap_list("  const Failure wrong = check_run(",
                            {"instance", "in", "k" + host.type + "InputTable", "out", "k" + host.type + "OutputTable",
                             has_donations ? "kDonatedTo" : "nullptr", "last_error"},
                            ");")},
                 {"run_signature", run_signature(host, "cudaStream_t")},
                 {"capture_signature", capture_signature(host)},
                 {"update_signature", update_signature(host)},
                 {"refuse_capture", refuse_capture(host.graph.refusal)},
                 {"choose_graph_signature",
                  wrap_list("Failure choose_graph(",
                            {host.type + "Instance&" + (gains_as_graph(host) ? " created" : ""),
                             "const " + host.type + "Options& options"},
                            ")")},
                 {"refuse_graph", wrap_list("  return refuse_graph(",
                                            {"options.graph", "\"" + host.graph.refusal + "\"", "last_error"}, ");")},
                 {"destroy_arguments", releases.empty() ? "instance" : "instance, release"}},
       .flags = {{"can_capture", can_capture(host)},
                 {"decides", decides_in_graph(host)},
                 {"gains_as_graph", gains_as_graph(host)},
                 {"chooses_graph", chooses_graph},
                 {"has_launches", !host.program->kernels.empty()},
                 {"has_constants", has_constants},
                 {"has_weights", has_weights},
                 {"has_embedded_weights", has_embedded},
                 {"has_sizes", !host.sized.empty()},
                 {"has_steps", steps.find("failed(") != std::string::npos},
                 {"has_preparations", !preparations.empty()},
                 {"has_releases", !releases.empty()},
                 {"has_library", !headers.empty()},
                 {"has_user_headers", !user_headers.empty()},
                 {"has_forks", steps.find("Branches<") != std::string::npos},
                 {"swaps", steps.find("std::swap(") != std::string::npos},
                 {"reads_back", reads.conditions || reads.selectors}},
       .lists = {{"facts", facts(host)},
                 {"user_headers", {user_headers.begin(), user_headers.end()}},
                 {"library_headers", std::vector<std::string>(headers.begin(), headers.end())},
                 {"members", members},
                 {"constants", constants},
                 {"preparations", preparations},
                 {"releases", releases},
                 {"input_rows", table_rows(host.inputs)},
                 {"size_rows", size_rows(host)},
                 {"output_rows", table_rows(host.outputs)},
                 {"weight_rows", table_rows(host.weights)}}});
}

}  // namespace sinter
