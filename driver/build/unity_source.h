// Many emitted programs as one source file, for tests and batches: a compiler that reads the common headers once
// builds them many times quicker than a file at a time.
#pragma once

#include <string>
#include <vector>

#include "emitter/host/emit_project.h"

namespace sinter {

// One program of a library: what was emitted under this name, which no other program of the library has.
struct LibraryProgram {
  std::string name;
  const FileSet* files = nullptr;
};

// The helpers of templates/device and the CPU runtime by their paths, and "head.h", which includes all of them.
FileSet unity_headers();

// Every program in a namespace of its own, behind
//
//   extern "C" const ProgramEntry* entry_<name>();      (runtime/program_entry.h)
//   extern "C" int run_<name>(void* const* arrays, char* message, size_t size);
//
// of which the latter takes the host's arrays of inputs, then outputs, and returns 0, or else says in `message` what
// went wrong. The text needs head.h to be included before it.
std::string unity_source(const std::vector<LibraryProgram>& programs);

// The files of templates/library that some of the programs include, and the headers of the user's own; none for most.
FileSet unity_libraries(const std::vector<LibraryProgram>& programs);

// What the libraries of all programs hold of files: a C++ source, embedded.cpp, with these, or nothing where no program
// has any.
FileSet unity_embedded(const std::vector<LibraryProgram>& programs);

}  // namespace sinter
