// Asked before anything is compiled: a build takes long, and the CUDA runtime says "driver version is insufficient"
// where there is no driver. The driver is not initialised: programs run in child processes, which could not use it
// then.
#include "driver/build/device_tools.h"

#include <dlfcn.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <vector>

#include "driver/compile/gpus.h"

namespace sinter {

std::string missing_for(Device device, const std::string& compiler, const std::string& driver) {
  const bool cuda = device == Device::kCuda;
  const std::string otherwise = cuda ? "; without --device cuda the same kernels run on the CPU" : "";
  const llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(compiler);  // a path is found as it is
  if (!path || !llvm::sys::fs::can_execute(*path)) {
    return (cuda ? "--device cuda needs nvcc: " : "a C++ compiler is needed: ") + compiler +
           (path ? " cannot be run; " : " is not on PATH; ") +
           (cuda ? "install the CUDA Toolkit, or set CUDACXX to its nvcc" : "install one, or set CXX to it") +
           otherwise;
  }
  if (!cuda) return "";
  void* library = dlopen(driver.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return "--device cuda needs an NVIDIA GPU and its driver (" + driver + ")" + otherwise;
  dlclose(library);
  return "";
}

std::string gpu_of_device(const std::string& device) {
  // Words as they are, and each with the one behind it: "RTX 4090".
  std::vector<std::string> words;
  std::istringstream text(device);
  for (std::string word; text >> word;) {
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    if (!words.empty()) words.push_back(words.back() + word);
    words.push_back(word);
  }
  for (const std::string& name : gpu_names()) {
    if (std::find(words.begin(), words.end(), name) != words.end()) return name;
  }
  return "";
}

}  // namespace sinter
