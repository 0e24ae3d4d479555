// Several programs as one artifact: a folder with that of each program in it, and over them one library, whose
// instances have all programs on one workspace and one set of weights.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "emitter/host/emit_project.h"

namespace sinter {

struct JoinedProgram {
  std::string entry;                     // "prefill": what tells it from the others
  const Program* program = nullptr;      // called NAME_prefill
  std::map<std::string, int64_t> sizes;  // dims that it was compiled for, where the text has names for them
  SharedKernels shared = {};             // with the others
  FileSet files = {};                    // its folder
};

// Where each program keeps what stays in the workspace between runs: behind the largest arena of all, and apart from
// each other (EmitOptions::kept_at).
std::vector<int64_t> kept_places(const std::vector<const Program*>& programs);

// Which kernels each program shares with others: the same code, under the same name.
std::vector<SharedKernels> shared_kernels(const std::vector<const Program*>& programs);

// The weights of all programs, each once by its name in files; programs do not differ in what they mean by a name.
std::vector<Program::Weight> joined_weights(const std::vector<const Program*>& programs);

// Of one artifact, called NAME. Of `options` the weights are those of joined_weights; `texts_hash` is the SHA-256 of
// all texts, one behind the other.
FileSet join_projects(const std::string& name, const std::vector<JoinedProgram>& programs, const EmitOptions& options,
                      const std::string& texts_hash);

}  // namespace sinter
