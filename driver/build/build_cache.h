// The folder in which emitted code is built, and how the compiler is called there.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/build/engine.h"

namespace sinter {

// XDG_CACHE_HOME/sinter, else a folder of this user among the temporary ones; nullopt with `error` set.
std::optional<std::string> cache_folder(std::string& error);

// A folder of this process in the cache, that is not there yet: for what is renamed into its place, or removed, in the
// end. The first call removes what killed processes left there.
std::string folder_aside(const std::string& cache);

// The compiler with the flags of the emitted CMakeLists.txt, but for a lower optimisation level on the CPU.
std::vector<std::string> compiler_command(const std::string& architectures, Device device);

// The user's CXXFLAGS, one by one: compiler_command has them for the CPU, links need them as well (sanitizers, say).
std::vector<std::string> user_flags();

// The libraries that emitted files with these paths call, for the link; none for most.
std::vector<std::string> library_flags(const FileSet& files, Device device);

// What the build of these files by these commands is called.
std::string cache_key(const FileSet& files, const std::vector<std::string>& compiler);

// The path of `product` in the cache's folder `key`. If it is not there, writes the files to a folder aside, lets
// `build` make the product in it (what went wrong, or empty) and renames the folder; nullopt with `error` set.
std::optional<std::string> build_cached(const std::string& key, const FileSet& files, const std::string& product,
                                        const std::function<std::string(const std::string& folder)>& build,
                                        std::string& error);

}  // namespace sinter
