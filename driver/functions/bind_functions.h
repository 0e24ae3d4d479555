// Custom calls become calls of the functions that they are bound to (bindings.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/functions/bindings.h"
#include "emitter/host/emit_project.h"
#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace sinter {

// A file's content by its path; nullopt with `error` set.
using HeaderFiles = std::function<std::optional<std::string>(const std::string& path, std::string& error)>;

struct UserHeaders {
  FileSet files;                    // by the paths by which emitted files include them
  std::vector<std::string> opened;  // where they are
  bool is_known = true;             // clang takes all of them
};

// Binds the program's calls: those of device functions become elementwise operations of operands with the result's
// dimensions, those of host functions calls that the host makes. A program in Grain brings its extern functions with
// it. Reports what keeps a call from it, in the text or in the header.
bool bind_functions(Module& module, bool is_grain, const std::vector<FunctionBinding>& functions,
                    const HeaderFiles& read, UserHeaders* headers, Diagnostics& diagnostics);

// The files of an emitted folder with what they need from outside of it: kernels that are another program's of its
// artifact (review/modules/program_alone.h), and headers of the user's own, which lie in the nearest folder from there
// upwards that has them; `read` takes paths as that of the folder is.
FileSet with_outside_files(FileSet files, const std::string& folder, const HeaderFiles& read);
// Of a folder on the disk.
FileSet with_outside_files(FileSet files, const std::string& folder);

}  // namespace sinter
