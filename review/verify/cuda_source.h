// Emitted code as clang reads it: in memory, with our stand-ins for the headers of CUDA and of the standard library,
// and no other file system, so that what is installed changes neither what is read nor the time: real headers take ten
// times as long to parse as emitted code.
#pragma once

#include <clang/Frontend/FrontendAction.h>
#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <string>

#include "emitter/host/emit_project.h"

namespace sinter {

using VirtualFiles = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

VirtualFiles virtual_files(const FileSet& files);

// These files, with some of the project's in other words.
VirtualFiles with_files(const VirtualFiles& files, const FileSet& instead);

enum class CudaSide { kDevice, kHost };

// Runs `action` on one side of a file, as a compilation for sm_90a on Linux does. False where clang could not be run,
// or its action failed; `said` is what it has to say, without the virtual folders' names.
bool run_clang(clang::FrontendAction& action, CudaSide side, const std::string& path, bool warnings,
               const VirtualFiles& files, std::string& said);

}  // namespace sinter
