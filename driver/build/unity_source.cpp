// Headers that are the same in every folder are included once, by head.h. What else an emitted file includes is put in
// its place, inside the program's namespace; includes of the standard library stand at the top.
#include "driver/build/unity_source.h"

#include <set>
#include <sstream>

#include "emitter/text/emit_names.h"
#include "emitter/text/user_header.h"
#include "ir/support/diagnostics.h"
#include "templates/templates.h"

namespace sinter {
namespace {

// Emitted text is put together line by line.
class UnityWriter {
 public:
  void add(const LibraryProgram& program) {
    files_ = program.files;
    seen_.clear();
    const std::string& name = program.name;
    text_ += "namespace space_" + name + " {\n" + spliced(header_path(name));
    for (const auto& [path, content] : *files_) {
      if (path.starts_with("kernels/") && path.ends_with(".cu")) text_ += spliced(path);
    }
    if (files_->contains("read_weights.cpp")) text_ += spliced("read_weights.cpp");
    text_ += spliced(name + ".cu") + "}\n\n";
    add_runner(name);
  }

  std::string finish() const {
    std::string head;
    for (const std::string& include : system_includes_) head += include + "\n";
    for (const std::string& include : library_includes_) head += include + "\n";
    return head + "\n" + text_;
  }

 private:
  // A file's text without lines that concern files.
  std::string spliced(const std::string& path) {
    if (!seen_.insert(path).second) return "";
    const auto file = files_->find(path);
    check(file != files_->end(), "unity_source", "the folder has no file " + path);
    std::istringstream lines(file->second);
    std::string text;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("#pragma once")) continue;
      // Types of the CUDA runtime are declared already, outside the namespace.
      if (line.starts_with("struct CUstream_st;") || line.starts_with("struct CUgraphExec_st;")) continue;
      if (line.starts_with("#include <")) {
        system_includes_.insert(line);
      } else if (line.starts_with("#include \"")) {
        const std::string included = line.substr(10, line.rfind('"') - 10);
        const bool interface = included.find('/') != std::string::npos && files_->contains("include/" + included);
        const auto own = files_->find(interface ? "include/" + included : included);
        const bool shared = own == files_->end() || own->second == template_text(included);
        if (included.starts_with("library/")) library_includes_.insert(line);
        if (!interface && is_user_header(included)) {
          library_includes_.insert(line);  // its functions are called by their names from the global namespace
          continue;
        }
        if (!shared) text += spliced(own->first);
      } else {
        text += line + "\n";
      }
    }
    return text;
  }

  void add_runner(const std::string& name) {
    const std::string type = upper_camel(name);
    const auto line = [&](const std::string& text) { text_ += "  " + text + "\n"; };
    const std::string inputs = "k" + type + "InputCount", outputs = "k" + type + "OutputCount";
    const std::string instance = "static_cast<" + type + "Instance*>(instance)", ok = " == k" + type + "Ok;";
    text_ += "extern \"C\" const ProgramEntry* entry_" + name + "() {\n";
    line("using namespace space_" + name + ";");
    line("static const ProgramEntry entry = {");
    line("    " + inputs + ", " + outputs + ",");
    line("    reinterpret_cast<const EntryTensor*>(k" + type + "InputTable),");
    line("    reinterpret_cast<const EntryTensor*>(k" + type + "OutputTable),");
    line("    [](void** instance) {");
    const std::string macro = upper_snake(name);
    line("      const " + type + "Options options = entry_options<" + type + "Options>(" + macro + "_OPTIONS);");
    line("      return " + name + "_create_with(reinterpret_cast<" + type + "Instance**>(instance), &options)" + ok);
    line("    },");
    line("    [](void* instance, void* const* arrays, cudaStream_t stream) {");
    line("      " + type + "Inputs in;");
    line("      " + type + "Outputs out;");
    // C has no empty structs: one without members holds something else.
    line("      memcpy(static_cast<void*>(&in), arrays, " + inputs + " * sizeof(void*));");
    line("      memcpy(static_cast<void*>(&out), arrays + " + inputs + ", " + outputs + " * sizeof(void*));");
    line("      return " + name + "_run(" + instance + ", &in, &out, stream)" + ok);
    line("    },");
    line("    [](void* instance) { " + name + "_destroy(" + instance + "); },");
    line("    " + name + "_last_error, [](StepListener listener) { step_listener = listener; },");
    line("    [](void* instance) { return " + instance + "->workspace; }};");
    line("return &entry;");
    text_ += "}\n";
    text_ += "extern \"C\" int run_" + name + "(void* const* arrays, char* message, size_t size) {\n";
    line("return run_entry(*entry_" + name + "(), arrays, message, size);");
    text_ += "}\n\n";
  }

  const FileSet* files_ = nullptr;
  std::set<std::string> seen_;
  std::set<std::string> library_includes_;
  std::set<std::string> system_includes_ = {"#include <cstdio>", "#include <cstring>"};
  std::string text_;
};

}  // namespace

FileSet unity_headers() {
  FileSet files;
  std::string head;
  for (const std::string_view name : template_names()) {
    const bool included = name.starts_with("device/") || name.starts_with("launcher/") ||
                          name == "runner/safetensors.h" || name == "runner/program_entry.h";
    if (!included && !name.starts_with("cpu/")) continue;
    files.emplace(name, template_text(name));
    if (included) head += "#include \"" + std::string(name) + "\"\n";
  }
  for (const char* name : {"algorithm", "cstddef", "cstdint", "cstdio", "cstring", "new"}) {
    head += "#include <" + std::string(name) + ">\n";
  }
  files["head.h"] = head;
  return files;
}

std::string unity_source(const std::vector<LibraryProgram>& programs) {
  UnityWriter writer;
  for (const LibraryProgram& program : programs) writer.add(program);
  return writer.finish();
}

FileSet unity_libraries(const std::vector<LibraryProgram>& programs) {
  FileSet files;
  for (const LibraryProgram& program : programs) {
    for (const auto& [path, content] : *program.files) {
      if (path.starts_with("library/") || is_user_header(path)) files.emplace(path, content);
    }
  }
  return files;
}

FileSet unity_embedded(const std::vector<LibraryProgram>& programs) {
  constexpr const char* kSources[][2] = {{"constants.cpp", "constants.bin"}, {"weights.cpp", "weights.safetensors"}};
  FileSet files;
  std::string text;
  for (const LibraryProgram& program : programs) {
    for (const auto& [source, file] : kSources) {
      const auto found = program.files->find(source);
      if (found == program.files->end()) continue;
      const std::string quoted = "\"" + std::string(file) + "\"", own_file = program.name + "_" + file;
      std::string own = found->second;
      const size_t at = own.find(quoted);
      check(at != std::string::npos, program.name, std::string(source) + " does not name its file");
      own.replace(at, quoted.size(), "\"" + own_file + "\"");
      text += own;
      files[own_file] = program.files->at(file);
    }
  }
  if (!text.empty()) files["embedded.cpp"] = text;
  return files;
}

}  // namespace sinter
