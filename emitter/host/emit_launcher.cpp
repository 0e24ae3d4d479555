// <name>.cu: the launcher. Its text is templates/host/program.cu.mustache; here are its tables, and what an instance
// holds.
#include <algorithm>
#include <set>

#include "emitter/host/emit_host.h"
#include "emitter/host/emit_template.h"
#include "emitter/kernels/print_kernel.h"
#include "emitter/text/emit_names.h"
#include "ir/support/diagnostics.h"

namespace sinter {

namespace {

std::vector<std::string> table_rows(const std::vector<HostTensor>& tensors) {
  std::vector<std::string> rows;
  for (const HostTensor& tensor : tensors) {
    const std::string dims = tensor.dims.empty() ? "nullptr" : tensor.dims;
    rows.push_back("{\"" + tensor.name + "\", \"" + std::string(dtype_name(tensor.shape.dtype)) + "\", " +
                   std::to_string(tensor.shape.rank()) + ", " + dims + ", " + std::to_string(tensor.shape.bytes()) +
                   "},");
  }
  rows.push_back("{nullptr, nullptr, 0, nullptr, 0},");
  return rows;
}

// The opening comment: sizes. The buffers stand in `run`.
std::vector<std::string> facts(const HostPlan& plan) {
  std::vector<std::string> lines;
  if (plan.arena_bytes == 0) {
    lines.push_back("No value between kernels is in device memory.");
  } else {
    lines.push_back("Arena: " + bytes_text(plan.arena_bytes) + "; the largest live set is " +
                    bytes_text(plan.live_bytes) + ".");
  }
  if (!plan.weights.empty()) lines.push_back("Weights: " + bytes_text(static_cast<int64_t>(plan.weights.size())) + ".");
  for (std::string& line : lines) line = "// " + line;
  return lines;
}

bool uses_kind(const HostPlan& plan, Buffer::Kind kind) {
  return std::any_of(plan.buffers.begin(), plan.buffers.end(), [&](const Buffer& b) { return b.kind == kind; });
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

}  // namespace

std::string emit_launcher(const HostProgram& host) {
  const HostPlan& plan = host.program->plan;
  const bool has_arena = plan.arena_bytes > 0 || uses_kind(plan, Buffer::Kind::kArena);
  const bool has_weights = !plan.weights.empty();
  std::vector<std::string> members, constants, allocations, releases;
  // Each after those before it have succeeded.
  const auto allocate = [&](const std::string& function, const std::vector<std::string>& arguments) {
    const bool first = allocations.empty();
    const std::string opening = first ? "  cudaError_t error = " : "  if (error == cudaSuccess) {\n    error = ";
    allocations.push_back(wrap_list(opening + function, arguments, ");") + (first ? "" : "\n  }"));
  };
  members.push_back("int device = 0;  // that was current in create");
  allocate("cudaGetDevice(", {"&created->device"});
  if (has_arena) {
    members.push_back("void* arena = nullptr;  // device memory for values between kernels");
    constants.push_back("constexpr size_t kArenaBytes = " + std::to_string(std::max<int64_t>(plan.arena_bytes, 1)) +
                        ";");
    allocate("cudaMalloc(", {"&created->arena", "kArenaBytes"});
    releases.push_back("cudaFree(instance->arena);");
  }
  if (has_weights) {
    members.push_back("void* weights = nullptr;  // weights.bin in device memory");
    constants.push_back("constexpr size_t kWeightsBytes = " + std::to_string(plan.weights.size()) + ";");
    allocate("cudaMalloc(", {"&created->weights", "kWeightsBytes"});
    allocate("cudaMemcpy(", {"created->weights", host.name + "_weights", "kWeightsBytes", "cudaMemcpyHostToDevice"});
    // The copy from pageable memory may return before it is done, and no stream of the caller's waits for it.
    allocate("cudaStreamSynchronize(", {"nullptr"});
    releases.push_back("cudaFree(instance->weights);");
  }
  int64_t counts = 0;
  for (const Buffer& buffer : plan.buffers) {
    if (buffer.kind == Buffer::Kind::kFinished) counts = std::max(counts, buffer.index + buffer.shape.element_count());
  }
  if (counts > 0) {
    const std::string bytes = (counts > 1 ? std::to_string(counts) + " * " : "") + "sizeof(uint32_t)";
    members.push_back("uint32_t* finished = nullptr;  // blocks that have finished, zero between launches");
    allocate("cudaMalloc(", {"&created->finished", bytes});
    allocate("cudaMemset(", {"created->finished", "0", bytes});
    allocate("cudaStreamSynchronize(", {"nullptr"});
    releases.push_back("cudaFree(instance->finished);");
  }
  const HostReads reads = host_reads(plan);
  if (reads.conditions || reads.selectors) {
    members.push_back("void* condition = nullptr;  // pinned: what the host reads of a loop or branch");
    allocate("cudaMallocHost(", {"&created->condition", reads.selectors ? "sizeof(int)" : "sizeof(bool)"});
    releases.push_back("cudaFreeHost(instance->condition);");
  }
  std::set<std::string> headers, reserved;  // of the libraries' calls; what their workspace must hold
  for_each_step(plan.steps, [&](const HostStep& step) {
    if (step.kind != HostStep::Kind::kCall) return;
    headers.insert("#include \"library/" + step.call.function + ".cuh\"");
    std::string needed = "library::" + step.call.function + "_workspace<" +
                         std::string(dtype_cuda_name(step.call.dtype)) + ">(created->library";
    for (const std::string& number : step.call.numbers) needed += ", " + number;
    reserved.insert(needed + ")");
  });
  if (!headers.empty()) {
    members.push_back("library::Library library;  // handles and workspace of the calls");
    allocate("created->library.open(", {});
    for (const std::string& needed : reserved) {
      const std::string reserve = "created->library.reserve(";
      allocate(needed.size() > 60 ? reserve + "\n        " : reserve, {needed});
    }
    releases.push_back("instance->library.close();");
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
  return fill_template("host/program.cu.mustache",
                       {.texts = {{"name", host.name},
                                  {"Name", host.type},
                                  {"namespace", kernel_namespace(host.name)},
                                  {"steps", steps},
                                  {"run_signature", run_signature(host, "cudaStream_t")},
                                  {"donated_to", has_donations ? "kDonatedTo" : "nullptr"}},
                        .flags = {{"has_launches", !host.program->kernels.empty()},
                                  {"has_weights", has_weights},
                                  {"has_constants", !constants.empty()},
                                  {"has_releases", !releases.empty()},
                                  {"has_library", !headers.empty()},
                                  {"has_at", has_arena || has_weights},
                                  {"has_donations", has_donations},
                                  {"synchronises", plan.synchronises},
                                  {"swaps", steps.find("std::swap(") != std::string::npos},
                                  {"reads_condition", reads.conditions},
                                  {"reads_selector", reads.selectors}},
                        .lists = {{"facts", facts(plan)},
                                  {"library_headers", std::vector<std::string>(headers.begin(), headers.end())},
                                  {"members", members},
                                  {"constants", constants},
                                  {"allocations", allocations},
                                  {"releases", releases},
                                  {"input_rows", table_rows(host.inputs)},
                                  {"output_rows", table_rows(host.outputs)}}});
}

}  // namespace sinter
