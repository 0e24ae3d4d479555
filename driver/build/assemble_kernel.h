// What the assembler makes of an emitted kernel.
#pragma once

#include <optional>
#include <string>

#include "emitter/host/emit_project.h"
#include "review/diff/diff_programs.h"

namespace sinter {

// Whether nvcc is there, which calls the assembler.
bool has_assembler();

// Of the file `path` of emitted code, for one architecture ("90a"). Kept in the cache; nullopt where it cannot be
// built.
std::optional<Assembled> assemble_kernel(const FileSet& files, const std::string& path,
                                         const std::string& architecture);

// Of all kernels that are not identical, on both sides, into the diff; nothing where there is no nvcc.
void assemble_changed(ProgramDiff* program, const std::string& architecture);

}  // namespace sinter
