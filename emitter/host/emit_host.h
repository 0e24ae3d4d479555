// The host side of an emitted folder: one function a file. Each takes a HostProgram, in which the names are decided.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emitter/host/emit_project.h"
#include "emitter/text/emit_text.h"
#include "passes/lower/host/graph_form.h"
#include "passes/lower/host/host_plan.h"

namespace sinter {

// One of the caller's tensors, as the host files name it.
struct HostTensor {
  std::string name;       // member of <Name>Inputs or <Name>Outputs: "state_0"
  std::string dims;       // constant that holds the dimensions: "kCartpoleInState0"; empty for scalars
  std::string c_type;     // "float": what the caller's pointer points to
  std::string cuda_type;  // "float": what kernels see; differs for complex types
  std::string hlo_type;   // "f32[64]"
  Shape shape;
  int64_t donated_to = -1;  // inputs: the output computed in the input's memory, if the caller gives one pointer
  std::string tensor;       // weights: what a file calls it, "layer_0.w"
  // Of an input that is no array but a size of the run, which stands in the struct itself: how large it may be.
  std::optional<int64_t> bound = {};
};

// A dimension of an array whose size a run says: it has `times` as many elements as input `size` says, and room for its
// bound.
struct SizedDimension {
  bool is_input = true;
  size_t array = 0;
  int64_t dimension = 0;
  int64_t times = 1;
  size_t size = 0;
};

struct HostProgram {
  std::string name;   // "cartpole_soa": files, functions
  std::string type;   // "CartpoleSoa": types, constants
  std::string macro;  // "CARTPOLE_SOA": CMake options
  std::vector<HostTensor> inputs, outputs, weights;
  std::vector<SizedDimension> sized;
  std::string interface_hash;  // 16 hexadecimal digits: of all that a caller is compiled against
  const Program* program = nullptr;
  GraphForm graph;  // a run as a CUDA graph
};

HostProgram name_host(const Program& program);

std::string emit_header(const HostProgram& host, WeightsHome weights);                  // include/<name>/<name>.h
std::string emit_launcher(const HostProgram& host, const EmitOptions& options);         // <name>.cu
std::string emit_info(const HostProgram& host, const EmitOptions& options);             // info.cpp
std::string emit_ranges(const HostProgram& host);                                       // ranges.cpp
std::string emit_kernels_header(const HostProgram& host, const SharedKernels& shared);  // kernels.h
// constants.cpp, weights.cpp: a file of the folder inside the library, as `<name>_<what>`.
std::string emit_embedded(const HostProgram& host, const std::string& what, const std::string& file, size_t bytes);
std::string emit_runner(const HostProgram& host, const EmitOptions& options);  // main.cpp
// CMakeLists.txt; of a library of several programs (emitter/joined), these.
struct JoinedParts {
  std::vector<std::string> programs = {};
  bool call_library = false;
  bool share_kernels = false;
};
std::string emit_cmake(const HostProgram& host, const EmitOptions& options, const JoinedParts& joined = {});

// The statements of `run`: buffers, launches, copies and loops. emit_launcher puts them into its template.
std::string emit_run_steps(const HostProgram& host);

// The device memory of an instance: its parts, one behind the other. Of library calls only their library knows.
struct Workspace {
  int64_t constants = 0;  // offset of constants.bin; the arena is at 0
  int64_t finished = 0;   // offset of the counts of blocks that have finished
  int64_t counts = 0;     // how many of them
  int64_t bytes = 0;
};
Workspace workspace_of(const HostPlan& plan, int64_t kept_at = 0);  // EmitOptions::kept_at

// Rows of a table of tensors, and that after the last.
std::vector<std::string> table_rows(const std::vector<HostTensor>& tensors);

// "in   x    f32[4096,1000]"
void add_signature(std::vector<std::string>& lines, const std::string& direction,
                   const std::vector<HostTensor>& tensors, size_t width);

// "const float* x;  // f32[64]", "int64_t size;  // 0 to 1024": the members of a struct of pointers and sizes.
std::vector<std::string> pointer_members(const std::vector<HostTensor>& tensors, const std::string& qualifier);

// "x[0], y[0]": what has the size that an input says.
std::string sized_by(const HostProgram& host, size_t input);

// "size rows  0 to 1024: x[0], y[0]"
void add_sizes_signature(std::vector<std::string>& lines, const std::string& word, const HostProgram& host,
                         size_t width);

// "static const int64_t kSoftmaxInX[] = {64, 97};", of each that has dimensions.
void add_dims(std::vector<std::string>& lines, const std::vector<HostTensor>& tensors);

// True if a run calls a function of templates/library.
bool calls_library(const HostProgram& host);

// True if a run can be recorded as a CUDA graph; where data decides, if CUDA has conditional nodes.
inline bool can_capture(const HostProgram& host) { return host.graph.refusal.empty(); }
// Then loops that data ends, and branches, are texts for both: the host's, and nodes of a graph.
inline bool decides_in_graph(const HostProgram& host) { return can_capture(host) && host.graph.decides; }
// Then a run that is a graph does what one put on a stream cannot: it waits for nothing, or has branches.
inline bool gains_as_graph(const HostProgram& host) {
  return can_capture(host) && (host.graph.decides || host.graph.forks);
}

// weights.safetensors of the folder, and whether the library has what it holds.
inline constexpr const char* kWeightsFile = "weights.safetensors";
inline bool has_embedded_weights(const HostProgram& host, WeightsHome home) {
  return !host.weights.empty() && home == WeightsHome::kEmbedded;
}

// Device memory of all weights in one piece, each at a multiple of 256 bytes.
int64_t weights_bytes(const HostProgram& host);

// "SoftmaxStatus softmax_create_with(SoftmaxInstance** instance, ...)", without semicolon.
std::string create_signature(const HostProgram& host);

// Likewise those of the functions that make weights by the caller's options: "load", "read", "embedded".
std::string weights_signature(const HostProgram& host, const std::string& source);

// "SoftmaxStatus softmax_run(SoftmaxInstance* instance, ..., cudaStream_t stream)", without semicolon.
std::string run_signature(const HostProgram& host, const std::string& stream_type);
// Likewise those of the functions that make a graph of a run, and give it other arrays.
std::string capture_signature(const HostProgram& host);
std::string update_signature(const HostProgram& host);

// manifest.json over every file of the folder but itself.
std::string emit_manifest(const std::string& program, const EmitOptions& options, const FileSet& files);

}  // namespace sinter
