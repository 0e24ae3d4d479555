// --device-function TARGET=HEADER:FUNCTION: custom calls with this target compute each element by that function.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/compile/read_module.h"
#include "emitter/host/emit_project.h"
#include "ir/module/device_functions.h"

namespace sinter {

struct FunctionBinding {
  std::string target;       // "my_gelu"
  DeviceFunctionName name;  // the header as kernels include it
  std::string folder;       // that the header's path begins at: "", the current folder, or "/home/me/kernels/"
};

// "my_gelu=kernels/my.cuh:ns::my_gelu". The header of a path that leaves the current folder is included by its file
// name. nullopt where the text is something else.
std::optional<FunctionBinding> parse_device_function(const std::string& text);

// As the manifest records them: " --device-function=my_gelu=kernels/my.cuh:ns::my_gelu".
std::string device_function_text(const std::vector<FunctionBinding>& functions);

struct UserHeaders {
  FileSet files;         // by the paths by which kernels include them
  bool is_known = true;  // clang takes all of them
};

// Binds the program's calls: they become elementwise operations of operands with the result's dimensions. A program in
// Grain brings its extern functions with it. Reports what keeps a call from it, in the text or in the header.
bool bind_device_functions(Module& module, const GrainChoice& choice, const std::vector<FunctionBinding>& functions,
                           UserHeaders* headers, Diagnostics& diagnostics);

// The files of an emitted folder with the headers of the user's own that its kernels include, which lie in the nearest
// folder from there upwards that has them; `read` takes paths as that of the folder is.
FileSet with_user_headers(FileSet files, const std::string& folder, const FileReader& read);
// Of a folder on the disk.
FileSet with_user_headers(FileSet files, const std::string& folder);

}  // namespace sinter
