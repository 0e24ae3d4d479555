// The emitted sources of a batch as two translation units, one a core. Headers of device/ that all programs share are
// included once; each program's own text stands in a namespace of its own, without its #include lines.
#include <filesystem>
#include <map>
#include <sstream>

#include "driver/files.h"
#include "driver/subprocess.h"
#include "emitter/emit_names.h"
#include "emitter/print_kernel.h"
#include "tests/random/batch.h"

namespace sinter {

namespace {

constexpr size_t kUnits = 2;

// The text without preprocessor lines that concern files; local ones whose text is not shared are put in their place.
std::string without_includes(const FileSet& files, const std::string& path, const FileSet& shared, std::set<std::string>& seen) {
  if (!seen.insert(path).second) return "";
  std::istringstream lines(files.at(path));
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#pragma once")) continue;
    // Types of the CUDA runtime are declared already, outside the namespace.
    if (line.starts_with("typedef struct __nv_bfloat16") || line.starts_with("typedef struct __half")) continue;
    if (line.starts_with("#include")) {
      const size_t quote = line.find('"');
      if (quote == std::string::npos) continue;
      const std::string included = line.substr(quote + 1, line.rfind('"') - quote - 1);
      if (shared.count(included) == 0) text += without_includes(files, included, shared, seen);
      continue;
    }
    text += line + "\n";
  }
  return text;
}

std::string program_text(const CheckedProgram& item, const FileSet& shared) {
  const FileSet& files = item.artifact.files;
  const std::string& name = item.artifact.program.name;
  const std::string type = upper_camel(name);
  std::set<std::string> seen;
  std::string text = "namespace space_" + name + " {\n";
  // Kernels are defined before the launcher here: their declarations would make calls ambiguous.
  seen.insert("kernels.h");
  text += without_includes(files, name + ".h", shared, seen);
  // Each kernel file has its own unnamed namespace with its own constants.
  const std::string opening = "namespace " + kernel_namespace(name) + " {\n";
  const std::string closing = "}  // namespace " + kernel_namespace(name) + "\n";
  for (const auto& [path, content] : files) {
    if (!path.starts_with("kernels/") || !path.ends_with(".cu")) continue;
    std::string kernel = without_includes(files, path, shared, seen);
    kernel.insert(kernel.find(opening) + opening.size(), "inline namespace file_" + safe_identifier(path.substr(8)) + " {\n");
    kernel.insert(kernel.rfind(closing), "}\n");
    text += kernel;
  }
  text += without_includes(files, name + ".cu", shared, seen);
  if (files.count("weights.cpp") > 0) {
    std::string weights = files.at("weights.cpp");
    weights.replace(weights.find("\"weights.bin\""), 13, "\"" + name + "_weights.bin\"");
    text += weights;
  }
  text += "}\n\nextern \"C\" int run_" + name + "(void* const* arrays) {\n  using namespace space_" + name + ";\n";
  text += "  " + type + "Inputs in;\n  " + type + "Outputs out;\n";
  text += "  std::memcpy(&in, arrays, sizeof in);\n  std::memcpy(&out, arrays + k" + type + "InputCount, sizeof out);\n";
  text += "  " + type + "Instance* instance = nullptr;\n";
  text += "  if (" + name + "_create(&instance) != k" + type + "Ok) return 1;\n";
  text += "  const bool ok = " + name + "_run(instance, &in, &out, nullptr) == k" + type + "Ok;\n";
  text += "  if (!ok) std::fprintf(stderr, \"%s\\n\", " + name + "_last_error());\n";
  text += "  " + name + "_destroy(instance);\n  return ok ? 0 : 1;\n}\n\n";
  return text;
}

}  // namespace

std::string build_library(const std::vector<const CheckedProgram*>& items, const std::string& folder, std::string& error) {
  // Headers that are the same in every program that has them.
  FileSet shared;
  std::set<std::string> differing;
  for (const CheckedProgram* item : items) {
    for (const auto& [path, content] : item->artifact.files) {
      if (!path.starts_with("device/") && !path.starts_with("cpu/")) continue;
      const auto [place, fresh] = shared.emplace(path, content);
      if (!fresh && place->second != content) differing.insert(path);
    }
  }
  for (const std::string& path : differing) shared.erase(path);

  FileSet files = shared;
  std::string head = "#include <algorithm>\n#include <cstddef>\n#include <cstdint>\n#include <cstdio>\n#include <cstring>\n#include <new>\n";
  for (const auto& [path, content] : shared) {
    if (path.ends_with(".cuh")) head += "#include \"" + path + "\"\n";
  }
  std::vector<std::vector<std::string>> commands;
  std::vector<std::string> link = {"g++", "-shared", "-o", "library.so"};
  for (size_t unit = 0; unit < kUnits && unit < items.size(); ++unit) {
    const std::string path = "unit_" + std::to_string(unit);
    std::string text = head + "\n";
    for (size_t i = unit; i < items.size(); i += kUnits) {
      text += program_text(*items[i], shared);
      const FileSet& own = items[i]->artifact.files;
      if (own.count("weights.bin") > 0) files[items[i]->artifact.program.name + "_weights.bin"] = own.at("weights.bin");
    }
    files[path + ".cpp"] = text;
    commands.push_back({"g++", "-std=c++20", "-O1", "-w", "-fPIC", "-DSINTER_CPU", "-ffp-contract=off", "-I.", "-c",
                        path + ".cpp", "-o", path + ".o"});
    link.push_back(path + ".o");
  }
  for (const auto& [path, content] : files) {
    std::error_code status;
    std::filesystem::create_directories(std::filesystem::path(folder + "/" + path).parent_path(), status);
    if (!write_file(folder + "/" + path, content, error)) return "";
  }
  for (const ProcessResult& result : run_processes(commands, folder)) {
    if (result.exit_status != 0) error += result.output;
  }
  if (!error.empty()) return "";
  const ProcessResult linked = run_process(link, folder);
  if (linked.exit_status != 0) {
    error = linked.output;
    return "";
  }
  return folder + "/library.so";
}

}  // namespace sinter
