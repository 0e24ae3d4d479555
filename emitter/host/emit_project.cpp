// The output folder: kernels, the host files around them, and the helpers that these include.
#include "emitter/host/emit_project.h"

#include <llvm/ADT/StringExtras.h>

#include <deque>

#include "emitter/host/add_helpers.h"
#include "emitter/host/cpp_header.h"
#include "emitter/host/emit_host.h"
#include "emitter/host/emit_template.h"
#include "emitter/host/license_line.h"
#include "emitter/kernels/print_statements.h"
#include "emitter/text/emit_names.h"
#include "ir/support/diagnostics.h"
#include "templates/templates.h"

namespace sinter {

namespace {

// The paths in `#include "..."` lines that stand for files of ours: "device/launch.cuh".
std::vector<std::string> helper_includes(std::string_view text) {
  constexpr std::string_view kInclude = "#include \"";
  std::vector<std::string> paths;
  size_t line = 0;
  while (line < text.size()) {
    const size_t line_end = std::min(text.find('\n', line), text.size());
    const std::string_view content = text.substr(line, line_end - line);
    line = line_end + 1;
    if (!content.starts_with(kInclude)) continue;
    const size_t end = content.find('"', kInclude.size());
    if (end == std::string_view::npos) continue;
    const std::string_view path = content.substr(kInclude.size(), end - kInclude.size());
    for (const std::string_view folder : {"device/", "cpu/", "runner/", "library/", "launcher/"}) {
      if (path.starts_with(folder)) paths.emplace_back(path);
    }
  }
  return paths;
}

void add_file(FileSet& files, const std::string& path, std::string content) {
  check(files.emplace(path, std::move(content)).second, "emit_project", "two files are called " + path);
}

// Puts a comment at the end of the one that a C++ file begins with.
void add_comment(const std::string& comment, std::string* content) {
  size_t end = 0;
  while (content->compare(end, 2, "//") == 0) end = content->find('\n', end) + 1;
  content->insert(end, (end == 0 ? "" : "//\n") + comment);
}

// To each C++ file.
void add_note(FileSet& files, const std::string& note) {
  for (auto& [path, content] : files) {
    const bool is_code =
        path.ends_with(".cu") || path.ends_with(".h") || path.ends_with(".hpp") || path.ends_with(".cpp");
    if (is_code) add_comment("// " + comment_text(note) + ".\n", &content);
  }
}

std::string path_of_kernel(const std::string& kernel) { return "kernels/" + kernel + ".cu"; }

// Those that stand in the folder of another program; the helpers that they include stay.
void leave_taken(const SharedKernels& shared, FileSet* files) {
  for (const auto& [kernel, program] : shared.taken) files->erase(path_of_kernel(kernel));
}

std::string constant_bytes(const HostPlan& plan) {
  return {reinterpret_cast<const char*>(plan.constants.data()), plan.constants.size()};
}

}  // namespace

void add_helpers(FileSet& files, const FileSet& headers) {
  std::deque<std::string> left;
  for (const auto& [path, content] : headers) {
    for (std::string& include : helper_includes(content)) {
      if (!template_text(include).empty()) left.push_back(std::move(include));
    }
  }
  for (const auto& [path, content] : files) {
    if (!path.ends_with(".cu") && !path.ends_with(".h") && !path.ends_with(".cpp")) continue;
    for (std::string& include : helper_includes(content)) left.push_back(std::move(include));
  }
  // Always there, so that each folder can be built both ways and edited by hand.
  left.push_back("device/launch.cuh");
  left.push_back("cpu/sinter_cpu.h");
  while (!left.empty()) {
    const std::string path = left.front();
    left.pop_front();
    if (files.contains(path) || files.contains("include/" + path)) continue;  // the latter of a program called library
    std::string content(template_text(path));
    check(!content.empty(), "emit_project", "there is no helper " + path);
    for (std::string& include : helper_includes(content)) left.push_back(std::move(include));
    files.emplace(path, std::move(content));
  }
}

std::string header_path(const std::string& name) { return "include/" + name + "/" + name + ".h"; }

FileSet emit_project(const Program& program, const EmitOptions& options, const FileSet& extra) {
  const HostProgram host = name_host(program);
  FileSet files;
  for (const Kernel& kernel : program.kernels) {
    check(safe_identifier(kernel.name) == kernel.name, kernel.name, "the kernel's name is no free C identifier");
    const auto given = options.shared.given.find(kernel.name);
    std::string text = print_kernel_file(kernel, host.name);
    if (given != options.shared.given.end())
      add_comment(print_comment("Launched by " + llvm::join(given->second, ", ") + ", too.", 0), &text);
    add_file(files, path_of_kernel(kernel.name), std::move(text));
  }
  add_file(files, header_path(host.name), emit_header(host, options.weights));
  add_file(files, cpp_header_path(host.name), emit_cpp_header(host));
  add_file(files, host.name + ".cu", emit_launcher(host, options));
  add_file(files, "info.cpp", emit_info(host, options));
  add_file(files, "kernels.h", emit_kernels_header(host, options.shared));
  add_file(files, "ranges.cpp", emit_ranges(host));
  add_file(files, "main.cpp", emit_runner(host, options));
  add_file(files, "CMakeLists.txt", emit_cmake(host, options));
  add_file(files, ".clang-format", std::string(template_text("host/clang_format")));
  add_file(files, ".gitattributes", std::string(template_text("host/gitattributes")));
  if (!program.plan.constants.empty()) {
    add_file(files, "constants.bin", constant_bytes(program.plan));
    add_file(files, "constants.cpp", emit_embedded(host, "constants", "constants.bin", program.plan.constants.size()));
  }
  if (!host.weights.empty())
    add_file(
        files, "read_weights.cpp",
        fill_template("host/read_weights.cpp.mustache", {.texts = {{"name", host.name}}, .flags = {}, .lists = {}}));
  if (!host.weights.empty() && options.weights != WeightsHome::kCaller)
    add_file(files, kWeightsFile, options.weights_file);
  if (has_embedded_weights(host, options.weights))
    add_file(files, "weights.cpp", emit_embedded(host, "weights", kWeightsFile, options.weights_file.size()));
  if (!options.note.empty()) add_note(files, options.note);
  add_helpers(files, options.headers);
  leave_taken(options.shared, &files);
  for (const auto& [path, content] : extra) add_file(files, path, content);
  state_license(options.license, &files);
  add_file(files, "manifest.json", emit_manifest(host.name, options, files));
  return files;
}

}  // namespace sinter
