// What the files of an artifact of several programs (join_projects.h) are made of: names, and what callers pick a
// program by.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emitter/host/emit_host.h"
#include "emitter/joined/join_projects.h"

namespace sinter {

// Of programs that have the same inputs and outputs but for some dimensions.
struct JoinedSizes {
  std::vector<std::string> names;            // "n": C identifiers
  std::vector<std::string> places;           // of each, where it is a dimension: "x[0], y[0]"
  std::vector<std::vector<int64_t>> values;  // of each program
  std::vector<size_t> order;                 // the programs, the smallest first
};

struct JoinedHost {
  HostProgram all;                    // names, and the weights of all programs; inputs and outputs are those of a size
  Program program;                    // of these weights
  std::vector<HostProgram> programs;  // in the order of the command line
  std::vector<std::string> members;   // of each: "prefill", a C identifier
  size_t shared_kernels = 0;          // that are another program's
  std::optional<JoinedSizes> sizes;
};

// nullopt where they differ otherwise, or where sizes do not tell them apart.
std::optional<JoinedSizes> sizes_of(const std::vector<JoinedProgram>& joined, const std::vector<HostProgram>& programs);

std::string emit_joined_header(const JoinedHost& host, WeightsHome weights);           // include/<name>/<name>.h
std::string emit_joined_cpp_header(const JoinedHost& host);                            // include/<name>/<name>.hpp
std::string emit_joined_launcher(const JoinedHost& host, const EmitOptions& options);  // <name>.cu

std::string emit_joined_info(const JoinedHost& host, const std::string& texts_hash);  // info.cpp

// "ModelStatus model_run(ModelInstance* instance, const ModelEntry* entry, ...)", without semicolon.
std::string joined_run_signature(const HostProgram& all, const std::string& stream_type);

// "const ModelEntry* model_fit(int64_t n)", without semicolon.
std::string fit_signature(const JoinedHost& host);

// Device memory of an instance: what its programs need on one workspace.
int64_t joined_workspace_bytes(const JoinedHost& host);

}  // namespace sinter
